// Stribeck's curve, g(v) with the smoothed sign and a viscous part. Equations:
// docs/theory/forces.md, (1.4).
#include "force/expect.h"
#include "force/friction_law_impl.h"

static pkm_status check(const pkm_friction_law* law, pkm_error* err)
{
    return pkm_expect_positive("friction", "stribeck_velocity", law->stribeck_velocity, err);
}

/// (1.4)
pkm_slope_value pkm_friction_stribeck_curve(const pkm_friction_law* law, double v)
{
    const pkm_slope_value g = pkm_friction_steady(law, v), s = pkm_smooth_sign(law, v);
    return (pkm_slope_value){g.value * s.value + law->viscous * v,
                             g.slope * s.value + g.value * s.slope + law->viscous};
}

const pkm_friction_type pkm_friction_stribeck = {.check = check,
                                                 .curve = pkm_friction_stribeck_curve};
