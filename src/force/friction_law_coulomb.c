// Coulomb's law, smoothed by cubic steps as in Adams: it rises to mu_s at v_st and falls to mu_d at
// v_d. Equations: docs/theory/forces.md, (1.1), (1.2).
#include "base/error.h"
#include "force/expect.h"
#include "force/friction_law_impl.h"

/// Where mu_dynamic is reached, in units of stiction_velocity (Adams
/// TRANSITION_VELOCITY_COEFFICIENT).
static const double TRANSITION_COEFFICIENT = 1.5;

static double dynamic_velocity(const pkm_friction_law* law)
{
    if (law->dynamic_velocity > 0.0) return law->dynamic_velocity;
    return TRANSITION_COEFFICIENT * law->stiction_velocity;
}

static pkm_status check(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative("friction", "dynamic_velocity", law->dynamic_velocity, err));
    if (dynamic_velocity(law) > law->stiction_velocity) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "friction: dynamic_velocity %g m/s, expected more than stiction_velocity %g",
                    law->dynamic_velocity, law->stiction_velocity);
}

/// (1.2); the step from -v_st to v_st is mu_s (3 x - x^3)/2.
pkm_slope_value pkm_friction_coulomb_curve(const pkm_friction_law* law, double v)
{
    const double v_st = law->stiction_velocity, x = v / v_st, mu = law->mu_static;
    if (x < 1.0)
        return (pkm_slope_value){0.5 * mu * x * (3.0 - x * x), 1.5 * mu / v_st * (1.0 - x * x)};
    return pkm_cubic_step(v, v_st, mu, dynamic_velocity(law), law->mu_dynamic);
}

const pkm_friction_type pkm_friction_coulomb = {.check = check,
                                                .curve = pkm_friction_coulomb_curve};
