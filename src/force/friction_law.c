#include "force/friction_law.h"

#include "base/error.h"

#include <stdbool.h>

/// Slope of the smoothed sign tanh(4 v / v_st) in units of v_st: it is 0.9993 at v_st.
static const double SIGN_STEEPNESS = 4.0;

/// Coulomb: where mu_dynamic is reached, in units of stiction_velocity (Adams
/// TRANSITION_VELOCITY_COEFFICIENT).
static const double TRANSITION_COEFFICIENT = 1.5;

/// Below this speed [m/s] mu/v is its limit; the quotient of such small numbers would lose digits.
static const double REST = 1e-150;

/// Elasto-plastic: up to this part of the deflection at which surfaces slip nothing has broken
/// away.
static const double HOLDING_PART = 0.999;

/// Where surfaces hit each other, which has them stick and slip all the time, they begin to slip
/// softly, so that a step passes over it: at this part.
static const double CONTACT_ELASTIC_PART = 0.99;

/// Elasto-plastic: sigma1 [s/m] where surfaces carry weights, half critical for sigma0 = 1e6 on the
/// mass whose weight it is; and where they hit each other, with loads of a hundred weights.
static const double BRISTLE_DAMPING = 316.0, CONTACT_DAMPING = 30.0;

static bool has_state(pkm_friction_kind kind)
{
    return kind == PKM_FRICTION_LUGRE || kind == PKM_FRICTION_ELASTOPLASTIC;
}

bool pkm_friction_law_has_state(const pkm_friction_law* law)
{
    return has_state(law->kind);
}

bool pkm_friction_law_creeps(const pkm_friction_law* law)
{
    return !has_state(law->kind) && law->mu_static > 0.0;
}

pkm_friction_law pkm_friction_law_defaults(pkm_friction_kind kind)
{
    return (pkm_friction_law){
        .kind = kind,
        .stiction_velocity = 1e-3,
        .stribeck_velocity = kind == PKM_FRICTION_ELASTOPLASTIC ? 1e-5
                             : kind == PKM_FRICTION_LUGRE       ? 1e-3
                                                                : 1e-2,
        // 1 um, or 0.1 um of presliding at mu = 0.1
        .bristle_stiffness = kind == PKM_FRICTION_ELASTOPLASTIC ? 1e6 : 1e5,
        .bristle_damping = BRISTLE_DAMPING,
        .damping_velocity = 1e-3,
        .elastic_part = HOLDING_PART,
    };
}

const char* const pkm_friction_kind_names[] = {"coulomb", "stribeck",       "brown-mcphee",
                                               "lugre",   "elasto-plastic", NULL};

const char* pkm_friction_kind_name(pkm_friction_kind kind)
{
    return pkm_friction_kind_names[kind];
}

int pkm_friction_law_states(const pkm_friction_law* law, int n_direction)
{
    return has_state(law->kind) ? n_direction : 0;
}

// ---- check -------------------------------------------------------------------------------------

static pkm_status expect_positive(const char* key, double value, pkm_error* err)
{
    if (isfinite(value) && value > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "friction: %s %g, expected a number > 0", key, value);
}

static pkm_status expect_not_negative(const char* key, double value, pkm_error* err)
{
    if (isfinite(value) && value >= 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "friction: %s %g, expected a number >= 0", key, value);
}

static double dynamic_velocity(const pkm_friction_law* law)
{
    if (law->dynamic_velocity > 0.0) return law->dynamic_velocity;
    return TRANSITION_COEFFICIENT * law->stiction_velocity;
}

static pkm_status check_coulomb(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(expect_not_negative("dynamic_velocity", law->dynamic_velocity, err));
    if (dynamic_velocity(law) > law->stiction_velocity) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "friction: dynamic_velocity %g m/s, expected more than stiction_velocity %g",
                    law->dynamic_velocity, law->stiction_velocity);
}

static pkm_status check_bristles(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(expect_positive("stribeck_velocity", law->stribeck_velocity, err));
    PKM_TRY(expect_positive("bristle_stiffness", law->bristle_stiffness, err));
    return expect_not_negative("bristle_damping", law->bristle_damping, err);
}

static pkm_status check_lugre(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(check_bristles(law, err));
    if (law->mu_static > 0.0) // bristles slip off at the rate sigma0 |v| / g(v)
        PKM_TRY(expect_positive("mu_dynamic", law->mu_dynamic, err));
    if (!(law->damping_velocity > 0.0)) // infinite is allowed: no fading
        return expect_positive("damping_velocity", law->damping_velocity, err);
    return PKM_OK;
}

pkm_friction_law pkm_friction_law_of_contact(const pkm_friction_law* law)
{
    pkm_friction_law out = *law;
    out.elastic_part = CONTACT_ELASTIC_PART;
    if (law->kind == PKM_FRICTION_ELASTOPLASTIC && !law->has_damping)
        out.bristle_damping = CONTACT_DAMPING;
    return out;
}

pkm_status pkm_friction_law_check(const pkm_friction_law* law, pkm_error* err)
{
    PKM_TRY(expect_not_negative("mu_static", law->mu_static, err));
    PKM_TRY(expect_not_negative("mu_dynamic", law->mu_dynamic, err));
    if (law->mu_static < law->mu_dynamic) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "friction: mu_static %g, expected at least mu_dynamic %g", law->mu_static,
                        law->mu_dynamic);
    }
    PKM_TRY(expect_positive("stiction_velocity", law->stiction_velocity, err));
    PKM_TRY(expect_not_negative("viscous", law->viscous, err));
    switch (law->kind) {
    case PKM_FRICTION_COULOMB:
        return check_coulomb(law, err);
    case PKM_FRICTION_STRIBECK:
        return expect_positive("stribeck_velocity", law->stribeck_velocity, err);
    case PKM_FRICTION_BROWN_MCPHEE:
        return PKM_OK;
    case PKM_FRICTION_LUGRE:
        return check_lugre(law, err);
    case PKM_FRICTION_ELASTOPLASTIC:
        return check_bristles(law, err);
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "friction: no law has the number %d", (int)law->kind);
}

// ---- static laws -------------------------------------------------------------------------------

/// A value and its derivative in the speed.
typedef struct slope_value {
    double value, slope;
} slope_value;

/// Cubic step from h0 at x0 to h1 at x1, flat outside (1.1).
static slope_value cubic_step(double x, double x0, double h0, double x1, double h1)
{
    if (x <= x0) return (slope_value){h0, 0.0};
    if (x >= x1) return (slope_value){h1, 0.0};
    const double d = (x - x0) / (x1 - x0), h = h1 - h0;
    return (slope_value){h0 + h * d * d * (3.0 - 2.0 * d), 6.0 * h * d * (1.0 - d) / (x1 - x0)};
}

/// (1.2); the step from -v_st to v_st is mu_s (3 x - x^3)/2.
static slope_value coulomb(const pkm_friction_law* law, double v)
{
    const double v_st = law->stiction_velocity, x = v / v_st, mu = law->mu_static;
    if (x < 1.0)
        return (slope_value){0.5 * mu * x * (3.0 - x * x), 1.5 * mu / v_st * (1.0 - x * x)};
    return cubic_step(v, v_st, mu, dynamic_velocity(law), law->mu_dynamic);
}

/// g(v) = mu_d + (mu_s - mu_d) exp(-(v/v_s)^2), (1.7)
static slope_value steady(const pkm_friction_law* law, double v)
{
    const double r = v / law->stribeck_velocity;
    const double fall = (law->mu_static - law->mu_dynamic) * exp(-r * r);
    return (slope_value){law->mu_dynamic + fall, -2.0 * r / law->stribeck_velocity * fall};
}

/// The smoothed sign, (1.3).
static slope_value smooth_sign(const pkm_friction_law* law, double v)
{
    const double s = tanh(SIGN_STEEPNESS * v / law->stiction_velocity);
    return (slope_value){s, SIGN_STEEPNESS / law->stiction_velocity * (1.0 - s * s)};
}

/// (1.4)
static slope_value stribeck(const pkm_friction_law* law, double v)
{
    const slope_value g = steady(law, v), s = smooth_sign(law, v);
    return (slope_value){g.value * s.value + law->viscous * v,
                         g.slope * s.value + g.value * s.slope + law->viscous};
}

/// (1.5)
static slope_value brown_mcphee(const pkm_friction_law* law, double v)
{
    const slope_value s = smooth_sign(law, v);
    const double r = v / law->stiction_velocity;
    const double base = 0.25 * r * r + 0.75, extra = law->mu_static - law->mu_dynamic;
    const double hump = extra * r / (base * base);
    const double hump_slope = extra * (base - r * r) / (base * base * base);
    return (slope_value){law->mu_dynamic * s.value + hump + law->viscous * v,
                         law->mu_dynamic * s.slope + hump_slope / law->stiction_velocity +
                             law->viscous};
}

/// The elasto-plastic law where nothing has a state: Coulomb's, with its viscous part.
static slope_value sliding(const pkm_friction_law* law, double v)
{
    const slope_value dry = coulomb(law, v);
    return (slope_value){dry.value + law->viscous * v, dry.slope + law->viscous};
}

static slope_value evaluate(const pkm_friction_law* law, double v)
{
    switch (law->kind) {
    case PKM_FRICTION_COULOMB:
        return coulomb(law, v);
    case PKM_FRICTION_BROWN_MCPHEE:
        return brown_mcphee(law, v);
    case PKM_FRICTION_ELASTOPLASTIC:
        return sliding(law, v);
    default:
        return stribeck(law, v);
    }
}

double pkm_friction_coefficient(const pkm_friction_law* law, double speed)
{
    return evaluate(law, speed).value;
}

double pkm_friction_slope(const pkm_friction_law* law, double speed)
{
    return evaluate(law, speed).slope;
}

double pkm_friction_sides(const pkm_friction_law* law, double speed, double* along)
{
    const slope_value mu = evaluate(law, speed);
    *along = mu.slope;
    return speed < REST ? mu.slope : mu.value / speed;
}

double pkm_friction_per_speed(const pkm_friction_law* law, double speed)
{
    double along;
    return pkm_friction_sides(law, speed, &along);
}

// ---- LuGre -------------------------------------------------------------------------------------

double pkm_friction_steady(const pkm_friction_law* law, double speed)
{
    return steady(law, speed).value;
}

/// sigma1(v) = sigma1 exp(-(v/v_d)^2), (1.9)
static slope_value bristle_damping(const pkm_friction_law* law, double v)
{
    const double r = v / law->damping_velocity;
    const double sigma1 = law->bristle_damping * exp(-r * r);
    return (slope_value){sigma1, -2.0 * r / law->damping_velocity * sigma1};
}

/// Rate at which bristles slip off, sigma0 |v| / g(v) [1/s]. Without friction (g = 0) bristles do
/// not hold: the coefficient is then the viscous one alone.
static slope_value slip_rate(const pkm_friction_law* law, double speed)
{
    const slope_value g = steady(law, speed);
    if (!(g.value > 0.0)) return (slope_value){0.0, 0.0};
    const double rate = law->bristle_stiffness * speed / g.value;
    return (slope_value){rate, law->bristle_stiffness / g.value - rate * g.slope / g.value};
}

/// True for a law without dry friction, whose bristles carry nothing.
static bool is_frictionless(const pkm_friction_law* law)
{
    return law->mu_static <= 0.0;
}

double pkm_friction_bristle(const pkm_friction_law* law, double z, double v, double* z_rate)
{
    *z_rate = 0.0;
    if (is_frictionless(law)) return law->viscous * v;
    const double speed = fabs(v);
    *z_rate = v - slip_rate(law, speed).value * z;
    return law->bristle_stiffness * z + bristle_damping(law, speed).value * *z_rate +
           law->viscous * v;
}

double pkm_friction_slip_limit(const pkm_friction_law* law)
{
    return law->mu_static / law->bristle_stiffness;
}

pkm_vec3 pkm_friction_bristle_touch(const pkm_friction_law* law, pkm_vec3 v)
{
    if (is_frictionless(law)) return (pkm_vec3){0.0, 0.0, 0.0};
    const double speed = pkm_vec3_norm(v);
    double length = pkm_friction_slip_limit(law);
    if (law->kind == PKM_FRICTION_LUGRE) length *= steady(law, speed).value / law->mu_static;
    return pkm_vec3_scale(length / hypot(speed, law->stribeck_velocity), v);
}

// ---- elasto-plastic ----------------------------------------------------------------------------

/// What slips at deflection r: h(r) = alpha(r) r/z_s of the velocity along z (1.12). alpha rises
/// from 0 at the elastic part of z_s to 1 there, where surfaces slip.
static slope_value slipping(const pkm_friction_law* law, double r)
{
    const double limit = pkm_friction_slip_limit(law);
    const slope_value alpha = cubic_step(r, law->elastic_part * limit, 0.0, limit, 1.0);
    return (slope_value){alpha.value * r / limit, (alpha.slope * r + alpha.value) / limit};
}

/// What has broken away at deflection r: beta(r) of that velocity (1.13). While surfaces begin to
/// slip they still hold mu_s.
static slope_value breaking(const pkm_friction_law* law, double r)
{
    const double limit = pkm_friction_slip_limit(law);
    return cubic_step(r, HOLDING_PART * limit, 0.0, limit, 1.0);
}

/// sigma0 g(w)/mu_s: friction per deflection at the speed w of what has broken away (1.13).
/// Surfaces that are only deflected hold up to mu_s.
static slope_value holding(const pkm_friction_law* law, double speed)
{
    const slope_value g = steady(law, speed);
    const double scale = law->bristle_stiffness / law->mu_static;
    return (slope_value){scale * g.value, scale * g.slope};
}

/// sigma1 z' of bristles that are bent at the rate z', never more than mu_s (1.13): a damper that
/// knew no bound would hold more than the surfaces carry.
static pkm_vec3 damping(const pkm_friction_law* law, pkm_vec3 rate)
{
    const pkm_vec3 w = pkm_vec3_scale(law->bristle_damping / law->mu_static, rate);
    return pkm_vec3_scale(law->mu_static / sqrt(1.0 + pkm_vec3_dot(w, w)), w);
}

static pkm_vec3 hold(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate)
{
    const pkm_vec3 n = pkm_vec3_unit(z);
    const double r = pkm_vec3_norm(z), outwards = fmax(pkm_vec3_dot(v, n), 0.0);
    const double broken = outwards * breaking(law, r).value;
    *z_rate = pkm_vec3_axpy(v, -outwards * slipping(law, r).value, n);
    const pkm_vec3 dry =
        pkm_vec3_add(pkm_vec3_scale(holding(law, broken).value, z), damping(law, *z_rate));
    return pkm_vec3_axpy(dry, law->viscous, v);
}

pkm_vec3 pkm_friction_bristle_vector(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v,
                                     pkm_vec3* z_rate)
{
    *z_rate = (pkm_vec3){0.0, 0.0, 0.0};
    if (is_frictionless(law)) return pkm_vec3_scale(law->viscous, v);
    if (law->kind == PKM_FRICTION_ELASTOPLASTIC) return hold(law, z, v, z_rate);
    const double speed = pkm_vec3_norm(v);
    *z_rate = pkm_vec3_axpy(v, -slip_rate(law, speed).value, z);
    const pkm_vec3 elastic = pkm_vec3_scale(law->bristle_stiffness, z);
    const pkm_vec3 dry = pkm_vec3_axpy(elastic, bristle_damping(law, speed).value, *z_rate);
    return pkm_vec3_axpy(dry, law->viscous, v);
}

pkm_bristle_slopes pkm_friction_bristle_slopes(const pkm_friction_law* law, double z, double v)
{
    if (is_frictionless(law)) return (pkm_bristle_slopes){.mu_v = law->viscous};
    const double sign = v < 0.0 ? -1.0 : 1.0;
    const slope_value slip = slip_rate(law, fabs(v)), sigma1 = bristle_damping(law, fabs(v));
    const double z_rate = v - slip.value * z;
    pkm_bristle_slopes d = {.rate_z = -slip.value, .rate_v = 1.0 - sign * slip.slope * z};
    d.mu_z = law->bristle_stiffness + sigma1.value * d.rate_z;
    d.mu_v = sign * sigma1.slope * z_rate + sigma1.value * d.rate_v + law->viscous;
    return d;
}

/// scale E + x e'
static pkm_mat3 shifted_dyad(double scale, pkm_vec3 x, pkm_vec3 e)
{
    return (pkm_mat3){pkm_vec3_axpy((pkm_vec3){scale, 0.0, 0.0}, e.x, x),
                      pkm_vec3_axpy((pkm_vec3){0.0, scale, 0.0}, e.y, x),
                      pkm_vec3_axpy((pkm_vec3){0.0, 0.0, scale}, e.z, x)};
}

pkm_mat3 pkm_friction_tangent(const pkm_friction_law* law, const pkm_vec3* z, pkm_vec3 v)
{
    const double speed = pkm_vec3_norm(v);
    const pkm_vec3 e = pkm_vec3_unit(v);
    if (!z) {
        double along;
        const double side = pkm_friction_sides(law, speed, &along);
        return shifted_dyad(side, pkm_vec3_scale(along - side, e), e);
    }
    if (is_frictionless(law)) return shifted_dyad(law->viscous, e, (pkm_vec3){0.0, 0.0, 0.0});

    // mu = (sigma1 + sigma2) v + (sigma0 - sigma1 slip) z, where sigma1 and slip depend on |v|
    const slope_value slip = slip_rate(law, speed), sigma1 = bristle_damping(law, speed);
    const double by_z = -sigma1.slope * slip.value - sigma1.value * slip.slope;
    const pkm_vec3 by_speed = pkm_vec3_axpy(pkm_vec3_scale(sigma1.slope, v), by_z, *z);
    return shifted_dyad(sigma1.value + law->viscous, by_speed, e);
}

static pkm_mat3 add(pkm_mat3 a, double scale, pkm_mat3 b)
{
    return (pkm_mat3){pkm_vec3_axpy(a.x, scale, b.x), pkm_vec3_axpy(a.y, scale, b.y),
                      pkm_vec3_axpy(a.z, scale, b.z)};
}

/// A part of the velocity along z, h(|z|) max(n.v, 0), with its derivatives.
typedef struct part_along {
    double value;
    pkm_vec3 by_z, by_v;
} part_along;

static part_along differentiate_part(slope_value h, pkm_vec3 z, pkm_vec3 v)
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
    out->rate_v = add(pkm_mat3_identity(), -1.0, shifted_dyad(0.0, n, slip->by_v));
    if (!(slip->value > 0.0)) return;
    out->rate_z = shifted_dyad(-slip->value / r, pkm_vec3_scale(slip->value / r, n), n);
    out->rate_z = add(out->rate_z, -1.0, shifted_dyad(0.0, n, slip->by_z));
}

static pkm_mat3 damping_tangent(const pkm_friction_law* law, pkm_vec3 rate)
{
    const pkm_vec3 w = pkm_vec3_scale(law->bristle_damping / law->mu_static, rate);
    const double s2 = 1.0 + pkm_vec3_dot(w, w), sigma1 = law->bristle_damping / sqrt(s2);
    return shifted_dyad(sigma1, pkm_vec3_scale(-sigma1 / s2, w), w);
}

static pkm_bristle_tangents hold_tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const double r = pkm_vec3_norm(z);
    const part_along slip = differentiate_part(slipping(law, r), z, v);
    const part_along broken = differentiate_part(breaking(law, r), z, v);
    const slope_value k = holding(law, broken.value);
    const pkm_vec3 weaker = pkm_vec3_scale(k.slope, z); // d mu/d broken
    const pkm_mat3 D = damping_tangent(law, pkm_vec3_axpy(v, -slip.value, pkm_vec3_unit(z)));
    pkm_bristle_tangents d = {.mu_z = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    rate_tangents(&slip, z, &d);
    d.mu_z = add(shifted_dyad(k.value, weaker, broken.by_z), 1.0, pkm_mat3_matmul(D, d.rate_z));
    d.mu_v =
        add(shifted_dyad(law->viscous, weaker, broken.by_v), 1.0, pkm_mat3_matmul(D, d.rate_v));
    return d;
}

static pkm_bristle_tangents lugre_tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0}, e = pkm_vec3_unit(v);
    const double speed = pkm_vec3_norm(v);
    const slope_value slip = slip_rate(law, speed), sigma1 = bristle_damping(law, speed);
    pkm_vec3 rate;
    pkm_friction_bristle_vector(law, z, v, &rate);
    pkm_bristle_tangents d = {.rate_v = shifted_dyad(1.0, pkm_vec3_scale(-slip.slope, z), e),
                              .rate_z = shifted_dyad(-slip.value, none, e)};
    d.mu_z = add(shifted_dyad(law->bristle_stiffness, none, e), sigma1.value, d.rate_z);
    d.mu_v = add(shifted_dyad(law->viscous, pkm_vec3_scale(sigma1.slope, rate), e), sigma1.value,
                 d.rate_v);
    return d;
}

pkm_bristle_tangents pkm_friction_bristle_tangents(const pkm_friction_law* law, pkm_vec3 z,
                                                   pkm_vec3 v)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    if (is_frictionless(law))
        return (pkm_bristle_tangents){.mu_v = shifted_dyad(law->viscous, none, none)};
    return law->kind == PKM_FRICTION_ELASTOPLASTIC ? hold_tangents(law, z, v)
                                                   : lugre_tangents(law, z, v);
}

bool pkm_friction_law_is_passive(const pkm_friction_law* law)
{
    if (law->kind != PKM_FRICTION_LUGRE || is_frictionless(law)) return true;
    // sigma1 v exp(-(v/v_d)^2) is largest at v = v_d/sqrt(2)
    const double largest = law->bristle_damping * law->damping_velocity * exp(-0.5) / sqrt(2.0);
    return law->bristle_damping <= 0.0 || largest <= 4.0 * law->mu_dynamic;
}
