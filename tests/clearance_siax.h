/// SIAX with 0.1 mm in its twelve ball joints, scenario 3 of the paper.
#ifndef PKM_TESTS_CLEARANCE_SIAX_H
#define PKM_TESTS_CLEARANCE_SIAX_H

#include "clearance.h"

#define SIAX_CLEARANCE                                                                             \
    "clearance: {spherical: {radial: 0.1 mm, radius: 10 mm, law: lankarani-nikravesh, "            \
    "restitution: 0.9, stiffness: 1.524e11, start: centred}}\n"

/// Deviation of P 1.35 mm and tilt 8.7 mrad to 10 %, speed 0.19 m/s to 5 %.
static inline void siax_check(const clearance_run* p)
{
    CHECK_NEAR(sim_value(&p->r, "absmax P.dp"), 1.35e-3, 0.10 * 1.35e-3);
    CHECK_NEAR(sim_value(&p->r, "absmax P.dv"), 0.19, 0.05 * 0.19);
    CHECK_NEAR(sim_value(&p->r, "max P.turn"), 8.7e-3, 0.10 * 8.7e-3);
    CHECK(clearance_residual(p) < 1e-4);
}

#endif
