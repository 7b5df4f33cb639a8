// What connects a motor with its drive where it is not rigid: an elastic belt, or a gear with play
// between its flanks, which push and never pull. e is the lead of the motor at the drive coordinate
// [m or rad]. Equations: docs/theory/forces.md, (5.9), (5.10).
#include "force/shaft_coupling.h"

#include "base/error.h"
#include "force/expect.h"

#include <math.h>

/// Damping of flanks is complete at this part of the play, so that the force does not jump when
/// they touch.
static const double FULL_DEPTH = 0.01;

pkm_status pkm_shaft_coupling_check(const pkm_shaft_coupling* c, const char* name, pkm_error* err)
{
    PKM_TRY(pkm_expect_positive(name, "stiffness", c->stiffness, err));
    PKM_TRY(pkm_expect_not_negative(name, "play", c->play, err));
    return pkm_expect_not_negative(name, "damping", c->damping, err);
}

/// How far the flanks are pressed together; negative: apart.
static double depth_of(const pkm_shaft_coupling* c, double e)
{
    return fabs(e) - 0.5 * c->play;
}

/// F = sign(e) max(0, k x + c S(100 x/b) sign(e) e'), x = |e| - b/2 (5.9).
double pkm_shaft_coupling_force(const pkm_shaft_coupling* c, double e, double e_rate)
{
    if (c->play == 0.0) return c->stiffness * e + c->damping * e_rate;
    const double depth = depth_of(c, e), sign = e < 0.0 ? -1.0 : 1.0;
    if (depth <= 0.0) return 0.0;
    const double x = fmin(depth / (FULL_DEPTH * c->play), 1.0);
    const double push = c->stiffness * depth + c->damping * x * x * (3.0 - 2.0 * x) * sign * e_rate;
    return push < 0.0 ? 0.0 : sign * push;
}

double pkm_shaft_coupling_energy(const pkm_shaft_coupling* c, double e)
{
    const double depth = c->play == 0.0 ? e : fmax(depth_of(c, e), 0.0);
    return 0.5 * c->stiffness * depth * depth;
}
