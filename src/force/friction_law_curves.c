// Curves that several laws of friction share, each with its slope: the cubic step (1.1), the
// smoothed sign (1.3) and the fall g(v) from mu_s to mu_d (1.7) of docs/theory/forces.md.
#include "base/error.h"
#include "force/expect.h"
#include "force/friction_law_impl.h"

/// Slope of the smoothed sign tanh(4 v / v_st) in units of v_st: it is 0.9993 at v_st.
static const double SIGN_STEEPNESS = 4.0;

pkm_slope_value pkm_cubic_step(double x, double x0, double h0, double x1, double h1)
{
    // (1.1), with its slope; flat outside
    if (x <= x0) return (pkm_slope_value){h0, 0.0};
    if (x >= x1) return (pkm_slope_value){h1, 0.0};
    const double d = (x - x0) / (x1 - x0), h = h1 - h0;
    return (pkm_slope_value){h0 + h * d * d * (3.0 - 2.0 * d), 6.0 * h * d * (1.0 - d) / (x1 - x0)};
}

pkm_slope_value pkm_friction_steady(const pkm_friction_law* law, double v)
{
    // (1.7) and its slope
    const double r = v / law->stribeck_velocity;
    const double fall = (law->mu_static - law->mu_dynamic) * exp(-r * r);
    return (pkm_slope_value){law->mu_dynamic + fall, -2.0 * r / law->stribeck_velocity * fall};
}

pkm_slope_value pkm_smooth_sign(const pkm_friction_law* law, double v)
{
    // (1.3) and its slope
    const double s = tanh(SIGN_STEEPNESS * v / law->stiction_velocity);
    return (pkm_slope_value){s, SIGN_STEEPNESS / law->stiction_velocity * (1.0 - s * s)};
}

/// scale E + x e^T, by columns.
pkm_mat3 pkm_shifted_dyad(double scale, pkm_vec3 x, pkm_vec3 e)
{
    return (pkm_mat3){pkm_vec3_axpy((pkm_vec3){scale, 0.0, 0.0}, e.x, x),
                      pkm_vec3_axpy((pkm_vec3){0.0, scale, 0.0}, e.y, x),
                      pkm_vec3_axpy((pkm_vec3){0.0, 0.0, scale}, e.z, x)};
}

pkm_status pkm_friction_check_bristles(const pkm_friction_law* law, pkm_error* err)
{
    // both are divisors
    PKM_TRY(pkm_expect_positive("friction", "stribeck_velocity", law->stribeck_velocity, err));
    PKM_TRY(pkm_expect_positive("friction", "bristle_stiffness", law->bristle_stiffness, err));
    return pkm_expect_not_negative("friction", "bristle_damping", law->bristle_damping, err);
}
