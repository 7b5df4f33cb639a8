// The elasto-plastic law, the default: bristles that slip off only where they are bent nearly to
// z_s = mu_s/sigma0, so that what rests does not drift. Here z is their deflection [m], v the
// sliding velocity [m/s], both vectors in one set of axes. Equations: docs/theory/forces.md, (1.12)
// to (1.15).
#include "force/friction_law_impl.h"

/// Up to this part of the deflection at which surfaces slip nothing has broken away.
static const double HOLDING_PART = 0.999;

/// Where surfaces hit each other, which has them stick and slip all the time, they begin to slip
/// softly, so that a step passes over it: at this part.
static const double CONTACT_ELASTIC_PART = 0.99;

/// sigma1 [s/m] where surfaces hit each other, with loads of a hundred weights.
static const double CONTACT_DAMPING = 30.0;

static void defaults(pkm_friction_law* law)
{
    law->stribeck_velocity = 1e-5;
    law->bristle_stiffness = 1e6; // 0.1 um of presliding at mu = 0.1
    law->elastic_part = HOLDING_PART;
}

static void of_contact(pkm_friction_law* law)
{
    law->elastic_part = CONTACT_ELASTIC_PART;
    if (!law->has_damping) law->bristle_damping = CONTACT_DAMPING;
}

/// The elasto-plastic law where nothing has a state: Coulomb's, with its viscous part.
static pkm_slope_value sliding(const pkm_friction_law* law, double v)
{
    const pkm_slope_value dry = pkm_friction_coulomb_curve(law, v);
    return (pkm_slope_value){dry.value + law->viscous * v, dry.slope + law->viscous};
}

/// What slips at deflection r: h(r) = alpha(r) r/z_s of the velocity along z (1.12). alpha rises
/// from 0 at the elastic part of z_s to 1 there, where surfaces slip.
static pkm_slope_value slipping(const pkm_friction_law* law, double r)
{
    const double limit = pkm_friction_slip_limit(law);
    const pkm_slope_value alpha = pkm_cubic_step(r, law->elastic_part * limit, 0.0, limit, 1.0);
    return (pkm_slope_value){alpha.value * r / limit, (alpha.slope * r + alpha.value) / limit};
}

/// What has broken away at deflection r: beta(r) of that velocity (1.13). While surfaces begin to
/// slip they still hold mu_s.
static pkm_slope_value breaking(const pkm_friction_law* law, double r)
{
    const double limit = pkm_friction_slip_limit(law);
    return pkm_cubic_step(r, HOLDING_PART * limit, 0.0, limit, 1.0);
}

/// sigma0 g(w)/mu_s: friction per deflection at the speed w of what has broken away (1.13).
/// Surfaces that are only deflected hold up to mu_s.
static pkm_slope_value holding(const pkm_friction_law* law, double speed)
{
    const pkm_slope_value g = pkm_friction_steady(law, speed);
    const double scale = law->bristle_stiffness / law->mu_static;
    return (pkm_slope_value){scale * g.value, scale * g.slope};
}

/// sigma1 z' of bristles that are bent at the rate z', never more than mu_s (1.13): a damper that
/// knew no bound would hold more than the surfaces carry.
static pkm_vec3 damping(const pkm_friction_law* law, pkm_vec3 rate)
{
    const pkm_vec3 w = pkm_vec3_scale(law->bristle_damping / law->mu_static, rate);
    return pkm_vec3_scale(law->mu_static / sqrt(1.0 + pkm_vec3_dot(w, w)), w);
}

/// The coefficient (1.13) and the rate of the deflection (1.12).
static pkm_vec3 bristle(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate)
{
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double r = pkm_vec3_norm(z), outwards = fmax(pkm_vec3_dot(v, n), 0.0);
    const double broken = outwards * breaking(law, r).value;
    *z_rate = pkm_vec3_axpy(v, -outwards * slipping(law, r).value, n);
    const pkm_vec3 dry =
        pkm_vec3_add(pkm_vec3_scale(holding(law, broken).value, z), damping(law, *z_rate));
    return pkm_vec3_axpy(dry, law->viscous, v);
}

// ---- derivatives -------------------------------------------------------------------------------

/// A part of the velocity along z, h(|z|) max(n.v, 0), with its derivatives.
typedef struct part_along {
    double value;
    pkm_vec3 by_z, by_v;
} part_along;

static part_along differentiate_part(pkm_slope_value h, pkm_vec3 z, pkm_vec3 v)
{
    const double r = pkm_vec3_norm(z);
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double p = pkm_vec3_dot(v, n);
    if (!(p > 0.0) || !(r > 0.0)) return (part_along){0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const pkm_vec3 side = pkm_vec3_axpy(v, -p, n); // n turns by (1 - n n')/r dz
    return (part_along){h.value * p,
                        pkm_vec3_axpy(pkm_vec3_scale(h.slope * p, n), h.value / r, side),
                        pkm_vec3_scale(h.value, n)};
}

/// Of the rate v - s n by z and v (1.14).
static void rate_tangents(const part_along* slip, pkm_vec3 z, pkm_bristle_tangents* out)
{
    const double r = pkm_vec3_norm(z);
    const pkm_vec3 n = pkm_vec3_unit(z);
    out->rate_v = pkm_mat3_axpy(pkm_mat3_identity(), -1.0, pkm_shifted_dyad(0.0, n, slip->by_v));
    if (!(slip->value > 0.0)) return;
    out->rate_z = pkm_shifted_dyad(-slip->value / r, pkm_vec3_scale(slip->value / r, n), n);
    out->rate_z = pkm_mat3_axpy(out->rate_z, -1.0, pkm_shifted_dyad(0.0, n, slip->by_z));
}

/// d/dz' of mu_s w/sqrt(1 + w^2), w = sigma1 z'/mu_s: sigma1/s (E - w w^T/s^2) with s^2 = 1 + w^2.
static pkm_mat3 damping_tangent(const pkm_friction_law* law, pkm_vec3 rate)
{
    const pkm_vec3 w = pkm_vec3_scale(law->bristle_damping / law->mu_static, rate);
    const double s2 = 1.0 + pkm_vec3_dot(w, w), sigma1 = law->bristle_damping / sqrt(s2);
    return pkm_shifted_dyad(sigma1, pkm_vec3_scale(-sigma1 / s2, w), w);
}

/// mu = k(b) z + damping(z') + mu_v v (1.13), differentiated through b and z' (1.14).
static pkm_bristle_tangents tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const double r = pkm_vec3_norm(z);
    const part_along slip = differentiate_part(slipping(law, r), z, v);
    const part_along broken = differentiate_part(breaking(law, r), z, v);
    const pkm_slope_value k = holding(law, broken.value);
    const pkm_vec3 weaker = pkm_vec3_scale(k.slope, z); // d mu/d broken
    const pkm_mat3 D = damping_tangent(law, pkm_vec3_axpy(v, -slip.value, pkm_vec3_unit(z)));
    pkm_bristle_tangents d = {.mu_z = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    rate_tangents(&slip, z, &d);
    d.mu_z = pkm_mat3_axpy(pkm_shifted_dyad(k.value, weaker, broken.by_z), 1.0,
                           pkm_mat3_matmul(D, d.rate_z));
    d.mu_v = pkm_mat3_axpy(pkm_shifted_dyad(law->viscous, weaker, broken.by_v), 1.0,
                           pkm_mat3_matmul(D, d.rate_v));
    return d;
}

static double reach(const pkm_friction_law* law, double speed)
{
    (void)speed;
    return pkm_friction_slip_limit(law);
}

const pkm_friction_type pkm_friction_elastoplastic = {.is_for_rest = true,
                                                      .defaults = defaults,
                                                      .of_contact = of_contact,
                                                      .check = pkm_friction_check_bristles,
                                                      .curve = sliding,
                                                      .bristle = bristle,
                                                      .tangents = tangents,
                                                      .reach = reach};
