// One door to the laws of friction, which have a file each: parameters, the coefficient without a
// state and with bristles, and their derivatives by velocity and state. Called by joint_friction.c
// and clearance_force.c. Equations: docs/theory/forces.md, section 1.
#include "base/error.h"
#include "force/expect.h"
#include "force/friction_law_impl.h"

/// Below this speed [m/s] mu/v is its limit; the quotient of such small numbers would lose digits.
static const double REST = 1e-150;

#define PKM_FRICTION_ENTRY(KIND, name, word) [PKM_FRICTION_##KIND] = &pkm_friction_##name,
static const pkm_friction_type* const table[] = {PKM_FRICTION_LAWS(PKM_FRICTION_ENTRY)};
#undef PKM_FRICTION_ENTRY

#define PKM_FRICTION_WORD(KIND, name, word) [PKM_FRICTION_##KIND] = word,
const char* const pkm_friction_kind_names[] = {PKM_FRICTION_LAWS(PKM_FRICTION_WORD) NULL};
#undef PKM_FRICTION_WORD

static const pkm_friction_type* type_of(const pkm_friction_law* law)
{
    PKM_ASSERT((int)law->kind >= 0 && (size_t)law->kind < sizeof table / sizeof table[0]);
    return table[law->kind];
}

bool pkm_friction_law_has_state(const pkm_friction_law* law)
{
    return type_of(law)->bristle != NULL;
}

bool pkm_friction_law_is_for_rest(const pkm_friction_law* law)
{
    return type_of(law)->is_for_rest;
}

bool pkm_friction_law_creeps(const pkm_friction_law* law)
{
    return !pkm_friction_law_has_state(law) && law->mu_static > 0.0;
}

pkm_friction_law pkm_friction_law_defaults(pkm_friction_kind kind)
{
    pkm_friction_law law = {
        .kind = kind,
        .stiction_velocity = 1e-3,
        .stribeck_velocity = 1e-2,
        .bristle_stiffness = 1e5, // 1 um of presliding at mu = 0.1
        // 1.6 times critical for sigma0 = 1e5 on the mass whose weight presses the surfaces
        .bristle_damping = 316.0,
        .damping_velocity = 1e-3,
    };
    if (type_of(&law)->defaults) type_of(&law)->defaults(&law);
    return law;
}

const char* pkm_friction_kind_name(pkm_friction_kind kind)
{
    return pkm_friction_kind_names[kind];
}

int pkm_friction_law_states(const pkm_friction_law* law, int n_direction)
{
    return pkm_friction_law_has_state(law) ? n_direction : 0;
}

pkm_friction_law pkm_friction_law_of_contact(const pkm_friction_law* law)
{
    pkm_friction_law out = *law;
    if (type_of(law)->of_contact) type_of(law)->of_contact(&out);
    return out;
}

pkm_friction_law pkm_friction_law_under(const pkm_friction_law* law, double load)
{
    // the mass that the surfaces stop is known: bristles damped for it, (1.16) or (1.18)
    pkm_friction_law out = *law;
    if (type_of(law)->under && law->mass > 0.0 && load > 0.0) type_of(law)->under(&out, load);
    return out;
}

pkm_status pkm_friction_law_check(const pkm_friction_law* law, pkm_error* err)
{
    const int n = (int)(sizeof table / sizeof table[0]);
    PKM_TRY(pkm_expect_not_negative("friction", "mu_static", law->mu_static, err));
    PKM_TRY(pkm_expect_not_negative("friction", "mu_dynamic", law->mu_dynamic, err));
    if (law->mu_static < law->mu_dynamic) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "friction: mu_static %g, expected at least mu_dynamic %g", law->mu_static,
                        law->mu_dynamic);
    }
    PKM_TRY(pkm_expect_positive("friction", "stiction_velocity", law->stiction_velocity, err));
    PKM_TRY(pkm_expect_not_negative("friction", "viscous", law->viscous, err));
    if ((int)law->kind < 0 || (int)law->kind >= n)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "friction: no law has the number %d",
                        (int)law->kind);
    return type_of(law)->check ? type_of(law)->check(law, err) : PKM_OK;
}

// ---- without a state ---------------------------------------------------------------------------

double pkm_friction_coefficient(const pkm_friction_law* law, double speed)
{
    return type_of(law)->curve(law, speed).value;
}

double pkm_friction_slope(const pkm_friction_law* law, double speed)
{
    return type_of(law)->curve(law, speed).slope;
}

/// Along the velocity friction changes by mu', across it by mu/|v|: the two eigenvalues of (1.11).
/// At rest both are the slope.
double pkm_friction_sides(const pkm_friction_law* law, double speed, double* along)
{
    const pkm_slope_value mu = type_of(law)->curve(law, speed);
    *along = mu.slope;
    return speed < REST ? mu.slope : mu.value / speed;
}

double pkm_friction_per_speed(const pkm_friction_law* law, double speed)
{
    double along;
    return pkm_friction_sides(law, speed, &along);
}

/// (mu/|v|) (E - e e^T) + mu' e e^T, (1.11)
pkm_mat3 pkm_friction_tangent(const pkm_friction_law* law, pkm_vec3 v)
{
    const pkm_vec3 e = pkm_vec3_unit(v);
    double along;
    const double side = pkm_friction_sides(law, pkm_vec3_norm(v), &along);
    return pkm_shifted_dyad(side, pkm_vec3_scale(along - side, e), e);
}

// ---- with a state ------------------------------------------------------------------------------

/// True for a law without dry friction, whose bristles carry nothing.
static bool is_frictionless(const pkm_friction_law* law)
{
    return law->mu_static <= 0.0;
}

double pkm_friction_slip_limit(const pkm_friction_law* law)
{
    return law->mu_static / law->bristle_stiffness;
}

double pkm_friction_hold_limit(const pkm_friction_law* law)
{
    return PKM_FRICTION_HOLDING * pkm_friction_slip_limit(law);
}

/// z = reach v/sqrt(|v|^2 + v_s^2), (1.15): surfaces that meet while they slide begin bent, those
/// at rest straight.
pkm_vec3 pkm_friction_bristle_touch(const pkm_friction_law* law, pkm_vec3 v)
{
    if (is_frictionless(law)) return (pkm_vec3){0.0, 0.0, 0.0};
    // reach: how far bristles are bent in steady sliding at this speed
    const double speed = pkm_vec3_norm(v), length = type_of(law)->reach(law, speed);
    return pkm_vec3_scale(length / hypot(speed, law->stribeck_velocity), v);
}

pkm_vec3 pkm_friction_bristle(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate)
{
    *z_rate = (pkm_vec3){0.0, 0.0, 0.0};
    if (is_frictionless(law)) return pkm_vec3_scale(law->viscous, v);
    return type_of(law)->bristle(law, z, v, z_rate);
}

pkm_bristle_tangents pkm_friction_bristle_tangents(const pkm_friction_law* law, pkm_vec3 z,
                                                   pkm_vec3 v)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    if (is_frictionless(law))
        return (pkm_bristle_tangents){.mu_v = pkm_shifted_dyad(law->viscous, none, none)};
    return type_of(law)->tangents(law, z, v);
}
