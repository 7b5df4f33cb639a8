// The elasto-plastic law, the default: bristles that slip off only where they are bent nearly to
// z_s = mu_s/sigma0, so that what rests does not drift. Here z is their deflection [m], v the
// sliding velocity [m/s], both vectors in one set of axes. Equations: docs/theory/forces.md, (1.12)
// to (1.15).
#include "force/friction_law_impl.h"

/// Where |w| is below d damping takes less from the bristles' force, nothing at rest, so that it is
/// the same to both sides. Both together exceed mu_s by up to 4 d/27 there.
static const double ROUNDING = 3e-4;

/// Where surfaces hit each other, which has them stick and slip all the time, they begin to slip
/// softly, so that a step passes over it: at this part.
static const double CONTACT_ELASTIC_PART = 0.99;

/// sigma1 [s/m] where surfaces hit each other, with loads of a hundred weights.
static const double CONTACT_DAMPING = 30.0;

/// sigma1 [s/m] where the weight of what is stopped presses.
static const double REST_DAMPING = 2e4;

/// Bristles swing out over where the load is balanced unless sigma1 is some times sqrt(sigma0 m/N)
/// for the mass m that the surfaces stop: then surfaces that stop would go on where mu_s holds
/// them. 2e4 s/m holds 0.98 of mu_s where the weight of m presses. v_s costs breakaway some 0.1 ms.
static void defaults(pkm_friction_law* law)
{
    law->stribeck_velocity = 5e-6;
    law->bristle_stiffness = 1e6; // 0.1 um of presliding at mu = 0.1
    law->bristle_damping = REST_DAMPING;
    law->elastic_part = PKM_FRICTION_HOLDING;
}

static void of_contact(pkm_friction_law* law)
{
    law->elastic_part = CONTACT_ELASTIC_PART;
    if (!law->has_damping) law->bristle_damping = CONTACT_DAMPING;
}

/// Load per mass a_0 [m/s2] below which presliding goes with its own time: a sixth of a weight's.
static const double WEIGHT = 1.5;

/// sigma1 [s/m] beyond which the speeds mu_s/sigma1 of presliding are lost in the tolerances of
/// velocities, so that steps follow their errors; and what bristles need all the same to settle
/// without swinging, in sqrt(sigma0 m/N): 2 is critical.
static const double MOST_DAMPING = 3e5, SETTLING = 2.4;

/// Presliding has the time 1/sqrt(sigma0 N/m). Where the load N is less than the weight of m,
/// damping and v_s go with it, so that surfaces under any load hold the same part of mu_s when they
/// stop; where contacts carry more, as in impacts, their damping fades to its own (1.16), (1.18).
static void under(pkm_friction_law* law, double load)
{
    const double q = WEIGHT * law->mass / load, both = sqrt(1.0 + q * q);
    const bool hits = law->elastic_part < PKM_FRICTION_HOLDING;
    if (!law->has_fall) law->stribeck_velocity /= sqrt(both);
    if (law->has_damping) return;
    const double most =
        fmax(MOST_DAMPING, SETTLING * sqrt(law->bristle_stiffness * law->mass / load));
    if (hits)
        law->bristle_damping += fmin(REST_DAMPING * q * sqrt(q) / both, most);
    else
        law->bristle_damping = fmin(law->bristle_damping * sqrt(both), most);
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
    return pkm_cubic_step(r, PKM_FRICTION_HOLDING * limit, 0.0, limit, 1.0);
}

/// Of the damping of what turns z fades f(r) = (r/z_s)^4 towards z_s (1.13).
static pkm_slope_value fading(const pkm_friction_law* law, double r)
{
    const double limit = pkm_friction_slip_limit(law), part = fmin(r / limit, 1.0);
    const double cube = part * part * part;
    return (pkm_slope_value){cube * part, part < 1.0 ? 4.0 * cube / limit : 0.0};
}

/// What the damping does not see of the velocity along z (1.13): what slips, and where surfaces hit
/// each other what fades, too, so that steps pass over the touch.
static pkm_slope_value undamped(const pkm_friction_law* law, double r)
{
    const pkm_slope_value h = slipping(law, r), f = fading(law, r);
    if (law->elastic_part >= PKM_FRICTION_HOLDING) return h;
    return (pkm_slope_value){h.value + (1.0 - h.value) * f.value,
                             (1.0 - f.value) * h.slope + (1.0 - h.value) * f.slope};
}

/// The rate u that is damped (1.13): z', but sliding surfaces turn freely.
static pkm_vec3 damped_rate(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double r = pkm_vec3_norm(z), p = pkm_vec3_dot(v, n);
    const pkm_vec3 along = pkm_vec3_axpy(v, -undamped(law, r).value * fmax(p, 0.0), n);
    return pkm_vec3_axpy(along, -fading(law, r).value, pkm_vec3_axpy(v, -p, n));
}

/// sigma0 g(w)/mu_s: friction per deflection at the speed w of what has broken away (1.13).
/// Surfaces that are only deflected hold up to mu_s.
static pkm_slope_value holding(const pkm_friction_law* law, double speed)
{
    const pkm_slope_value g = pkm_friction_steady(law, speed);
    const double scale = law->bristle_stiffness / law->mu_static;
    return (pkm_slope_value){scale * g.value, scale * g.slope};
}

/// Damping (1.13) at the rate u, w = sigma1 u/mu_s: S = w/sqrt(1 + w^2), from nothing at rest to
/// the direction of u, and what it takes of the bristles' force, |S| q (2 - q) with q = min(|w|/d,
/// 1), smooth at rest.
typedef struct damping {
    pkm_vec3 S;
    double taken;
    pkm_mat3 S_u;     ///< dS/du
    pkm_vec3 taken_u; ///< d taken/du
    double taken_r;   ///< d taken/d|z|
} damping;

static damping damp(const pkm_friction_law* law, double r, pkm_vec3 u)
{
    const double slope = law->bristle_damping / law->mu_static;
    const pkm_vec3 w = pkm_vec3_scale(slope, u);
    const double w1 = pkm_vec3_norm(w), scale = 1.0 / sqrt(1.0 + w1 * w1);
    const double most = law->elastic_part < PKM_FRICTION_HOLDING ? 0.0 : ROUNDING;
    const pkm_slope_value broken = breaking(law, r);
    const double d = most * (1.0 - broken.value);
    const double q = w1 < d ? w1 / d : 1.0, part = q * (2.0 - q);
    const double s3 = scale * scale * scale; // d|S|/d|w|
    const double more = w1 < d ? 2.0 * scale * q * (1.0 - q) : 0.0;
    return (damping){.S = pkm_vec3_scale(scale, w),
                     .taken = scale * w1 * part,
                     .taken_r =
                         q < 1.0 ? scale * q * q * 2.0 * (1.0 - q) * most * broken.slope : 0.0,
                     .S_u = pkm_shifted_dyad(slope * scale, pkm_vec3_scale(-slope * s3, w), w),
                     .taken_u = pkm_vec3_scale(slope * (s3 * part + more), pkm_vec3_unit(w))};
}

/// The coefficient (1.13) and the rate of the deflection (1.12).
static pkm_vec3 bristle(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate)
{
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double r = pkm_vec3_norm(z), outwards = fmax(pkm_vec3_dot(v, n), 0.0);
    const double broken = outwards * breaking(law, r).value;
    *z_rate = pkm_vec3_axpy(v, -outwards * slipping(law, r).value, n);
    const damping S = damp(law, r, damped_rate(law, z, v));
    const pkm_vec3 held = pkm_vec3_scale((1.0 - S.taken) * holding(law, broken).value, z);
    const pkm_vec3 dry = pkm_vec3_axpy(held, law->mu_static, S.S);
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

/// Of a rate v - s n by z and v (1.14).
static void rate_tangents(const part_along* slip, pkm_vec3 z, pkm_mat3* by_z, pkm_mat3* by_v)
{
    const double r = pkm_vec3_norm(z);
    const pkm_vec3 n = pkm_vec3_unit(z);
    *by_v = pkm_mat3_axpy(pkm_mat3_identity(), -1.0, pkm_shifted_dyad(0.0, n, slip->by_v));
    *by_z = (pkm_mat3){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!(slip->value > 0.0)) return;
    *by_z = pkm_shifted_dyad(-slip->value / r, pkm_vec3_scale(slip->value / r, n), n);
    *by_z = pkm_mat3_axpy(*by_z, -1.0, pkm_shifted_dyad(0.0, n, slip->by_z));
}

/// Of the rate u that is damped, by z and v: of its part along z, and of f (v - p n) (1.14).
static void damped_tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_mat3* by_z,
                            pkm_mat3* by_v)
{
    const double r = pkm_vec3_norm(z);
    const part_along lost = differentiate_part(undamped(law, r), z, v);
    rate_tangents(&lost, z, by_z, by_v);
    if (!(r > 0.0)) return;
    const pkm_slope_value f = fading(law, r);
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double p = pkm_vec3_dot(v, n);
    const pkm_vec3 side = pkm_vec3_axpy(v, -p, n); // d(p n) = (p E + n (v - 2 p n)')/r dz
    *by_v = pkm_mat3_axpy(*by_v, -f.value, pkm_shifted_dyad(1.0, pkm_vec3_scale(-1.0, n), n));
    *by_z = pkm_mat3_axpy(*by_z, -f.slope, pkm_shifted_dyad(0.0, side, n));
    *by_z = pkm_mat3_axpy(*by_z, f.value / r, pkm_shifted_dyad(p, n, pkm_vec3_axpy(side, -p, n)));
}

/// mu = (1 - |S|) k(b) z + mu_s S(u) + mu_v v (1.13), differentiated through b and u (1.14).
static pkm_bristle_tangents tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const double r = pkm_vec3_norm(z);
    const part_along slip = differentiate_part(slipping(law, r), z, v);
    const part_along broken = differentiate_part(breaking(law, r), z, v);
    const pkm_slope_value k = holding(law, broken.value);
    const damping S = damp(law, r, damped_rate(law, z, v));
    const pkm_mat3 D = pkm_mat3_axpy( // of (1 - taken) k z + mu_s S by u
        pkm_shifted_dyad(0.0, pkm_vec3_scale(-k.value, z), S.taken_u), law->mu_static, S.S_u);
    const double held = 1.0 - S.taken;
    const pkm_vec3 weaker = pkm_vec3_scale(held * k.slope, z); // d mu/d broken
    pkm_bristle_tangents d;
    pkm_mat3 u_z, u_v;
    rate_tangents(&slip, z, &d.rate_z, &d.rate_v);
    damped_tangents(law, z, v, &u_z, &u_v);
    const pkm_mat3 spring_z =
        pkm_mat3_axpy(pkm_shifted_dyad(held * k.value, weaker, broken.by_z), -S.taken_r * k.value,
                      pkm_shifted_dyad(0.0, z, pkm_vec3_unit(z)));
    d.mu_z = pkm_mat3_axpy(spring_z, 1.0, pkm_mat3_matmul(D, u_z));
    d.mu_v = pkm_mat3_axpy(pkm_shifted_dyad(law->viscous, weaker, broken.by_v), 1.0,
                           pkm_mat3_matmul(D, u_v));
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
                                                      .under = under,
                                                      .check = pkm_friction_check_bristles,
                                                      .curve = sliding,
                                                      .bristle = bristle,
                                                      .tangents = tangents,
                                                      .reach = reach};
