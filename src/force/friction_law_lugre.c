// LuGre: bristles that slip off at the rate sigma0 |v|/g(v), however small the load, with damping
// that fades with speed so that no energy is made. Equations: docs/theory/forces.md, (1.6) to
// (1.11).
#include "base/error.h"
#include "force/expect.h"
#include "force/friction_law_impl.h"

static void defaults(pkm_friction_law* law)
{
    law->stribeck_velocity = 1e-3;
}

static pkm_status check(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(pkm_friction_check_bristles(law, err));
    if (law->mu_static > 0.0) // bristles slip off at the rate sigma0 |v| / g(v)
        PKM_TRY(pkm_expect_positive("friction", "mu_dynamic", law->mu_dynamic, err));
    if (!(law->damping_velocity > 0.0)) // infinite is allowed: no fading
        return pkm_expect_positive("friction", "damping_velocity", law->damping_velocity, err);
    return PKM_OK;
}

/// sigma1(v) = sigma1 exp(-(v/v_d)^2), (1.9)
static pkm_slope_value bristle_damping(const pkm_friction_law* law, double v)
{
    const double r = v / law->damping_velocity;
    const double sigma1 = law->bristle_damping * exp(-r * r);
    return (pkm_slope_value){sigma1, -2.0 * r / law->damping_velocity * sigma1};
}

/// Rate at which bristles slip off, sigma0 |v| / g(v) [1/s]. Without friction (g = 0) bristles do
/// not hold: the coefficient is then the viscous one alone.
static pkm_slope_value slip_rate(const pkm_friction_law* law, double speed)
{
    const pkm_slope_value g = pkm_friction_steady(law, speed);
    if (!(g.value > 0.0)) return (pkm_slope_value){0.0, 0.0};
    const double rate = law->bristle_stiffness * speed / g.value;
    return (pkm_slope_value){rate, law->bristle_stiffness / g.value - rate * g.slope / g.value};
}

/// mu = sigma0 z + sigma1(v) z' + sigma2 v with z' = v - sigma0 |v|/g(v) z, (1.8)
static pkm_vec3 bristle(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate)
{
    const double speed = pkm_vec3_norm(v);
    *z_rate = pkm_vec3_axpy(v, -slip_rate(law, speed).value, z);
    const pkm_vec3 elastic = pkm_vec3_scale(law->bristle_stiffness, z);
    const pkm_vec3 dry = pkm_vec3_axpy(elastic, bristle_damping(law, speed).value, *z_rate);
    return pkm_vec3_axpy(dry, law->viscous, v);
}

/// (1.11): the slip rate and sigma1 depend on |v|, whose gradient is e = v/|v|.
static pkm_bristle_tangents tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0}, e = pkm_vec3_unit(v);
    const double speed = pkm_vec3_norm(v);
    const pkm_slope_value slip = slip_rate(law, speed), sigma1 = bristle_damping(law, speed);
    pkm_vec3 rate;
    bristle(law, z, v, &rate);
    pkm_bristle_tangents d = {.rate_v = pkm_shifted_dyad(1.0, pkm_vec3_scale(-slip.slope, z), e),
                              .rate_z = pkm_shifted_dyad(-slip.value, none, e)};
    d.mu_z =
        pkm_mat3_axpy(pkm_shifted_dyad(law->bristle_stiffness, none, e), sigma1.value, d.rate_z);
    d.mu_v = pkm_mat3_axpy(pkm_shifted_dyad(law->viscous, pkm_vec3_scale(sigma1.slope, rate), e),
                           sigma1.value, d.rate_v);
    return d;
}

/// Bristles are as long as steady sliding bends them, g(v)/sigma0.
static double reach(const pkm_friction_law* law, double speed)
{
    const double steady = pkm_friction_steady(law, speed).value;
    return pkm_friction_slip_limit(law) * (steady / law->mu_static);
}

const pkm_friction_type pkm_friction_lugre = {.defaults = defaults,
                                              .check = check,
                                              .curve = pkm_friction_stribeck_curve,
                                              .bristle = bristle,
                                              .tangents = tangents,
                                              .reach = reach};
