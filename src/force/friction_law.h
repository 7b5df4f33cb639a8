/// Laws of dry friction: the coefficient of friction as a function of the sliding speed.
///
/// A coefficient times the load that presses the surfaces together is the force that resists
/// sliding. Static laws need the speed only; LuGre and the elasto-plastic law have a state, the
/// bristle deflection z [m]: how far the surfaces have moved against each other before they slip.
/// Equations: docs/theory/forces.md, section 1.
#ifndef PKM_FORCE_FRICTION_LAW_H
#define PKM_FORCE_FRICTION_LAW_H

#include "math/vec3.h"
#include "pkm/status.h"

#include <stdbool.h>

/// All laws, each in its file friction_law_*.c: the one list. A law more is a file and a line here.
#define PKM_FRICTION_LAWS(X)                                                                       \
    /* rises to mu_static, falls to mu_dynamic, by cubic steps (1.2) */                            \
    X(COULOMB, coulomb, "coulomb")                                                                 \
    /* exponential fall from mu_static to mu_dynamic (1.4) */                                      \
    X(STRIBECK, stribeck, "stribeck")                                                              \
    /* differentiable everywhere (1.5) */                                                          \
    X(BROWN_MCPHEE, brown_mcphee, "brown-mcphee")                                                  \
    /* bristle state (1.6) */                                                                      \
    X(LUGRE, lugre, "lugre")                                                                       \
    /* presliding state that holds without drift: the only law under which surfaces rest (1.12) */ \
    X(ELASTOPLASTIC, elastoplastic, "elasto-plastic")

#define PKM_FRICTION_VALUE(KIND, name, word) PKM_FRICTION_##KIND,
typedef enum pkm_friction_kind { PKM_FRICTION_LAWS(PKM_FRICTION_VALUE) } pkm_friction_kind;
#undef PKM_FRICTION_VALUE

/// A law with its parameters; those a law does not name are ignored.
typedef struct pkm_friction_law {
    pkm_friction_kind kind;
    bool has_damping, has_fall;   ///< bristle_damping, stribeck_velocity were given
    double mu_static, mu_dynamic; ///< coefficients at the onset of sliding and in fast sliding
    /// Speed v_st [m/s] at which friction is fully developed: below it surfaces creep instead of
    /// sticking (Coulomb, Stribeck, Brown-McPhee). With a state: of analyses that have none.
    double stiction_velocity;
    double dynamic_velocity;  ///< Coulomb: speed of mu_dynamic [m/s]; 0: 1.5 stiction_velocity
    double stribeck_velocity; ///< Stribeck, with a state: v_s of the exponential fall [m/s]
    double viscous;           ///< coefficient per speed [s/m], added by all laws but Coulomb
    double bristle_stiffness; ///< with a state: sigma0 [1/m]
    double bristle_damping;   ///< with a state: sigma1 at rest [s/m]
    double damping_velocity;  ///< LuGre: v_d at which sigma1 fades [m/s]; infinite: it does not
    double elastic_part;      ///< elasto-plastic: part of the presliding in which nothing slips
    double mass;              ///< elasto-plastic: [kg] that the surfaces stop; 0: not known
} pkm_friction_law;

/// Usual velocities and bristles; both coefficients are zero and have to be given.
pkm_friction_law pkm_friction_law_defaults(pkm_friction_kind kind);

/// The law of contacts for what was written: where surfaces hit each other their loads are far
/// above weights, and the presliding of the elasto-plastic law is damped less unless its damping
/// was given.
pkm_friction_law pkm_friction_law_of_contact(const pkm_friction_law* law);

/// The law of surfaces that `load` [N] presses: where the mass that they stop is known, the
/// elasto-plastic law takes what was not given of damping and fall from load per mass (1.16).
pkm_friction_law pkm_friction_law_under(const pkm_friction_law* law, double load);

/// Complain about parameters out of range.
/// @return PKM_ERR_ARGUMENT naming parameter, value and what was expected.
PKM_NODISCARD pkm_status pkm_friction_law_check(const pkm_friction_law* law, pkm_error* err);

/// The names of the laws in the order of their kinds, NULL behind the last.
extern const char* const pkm_friction_kind_names[];
const char* pkm_friction_kind_name(pkm_friction_kind kind);

/// Has the law a state, is that there only where surfaces can come to rest (not where the drives
/// prescribe all motion), and does the law let loaded surfaces creep instead of resting?
bool pkm_friction_law_has_state(const pkm_friction_law* law);
bool pkm_friction_law_is_for_rest(const pkm_friction_law* law);
bool pkm_friction_law_creeps(const pkm_friction_law* law);

/// Number of bristle components of a contact that slides in `n_direction` directions.
int pkm_friction_law_states(const pkm_friction_law* law, int n_direction);

// ---- static laws -------------------------------------------------------------------------------

/// Coefficient of friction at sliding speed `speed` >= 0 [m/s]; zero at rest, never negative.
///
/// For LuGre the coefficient of steady sliding with the sign smoothed as in Stribeck's law, for the
/// elasto-plastic law that of Coulomb with the viscous part: what an analysis without states
/// (inverse dynamics, simulations in which drives prescribe all motion) uses.
double pkm_friction_coefficient(const pkm_friction_law* law, double speed);

/// d mu / d speed [s/m].
double pkm_friction_slope(const pkm_friction_law* law, double speed);

/// mu / speed [s/m], with its limit at rest: friction on a velocity vector v is -N (mu/|v|) v.
double pkm_friction_per_speed(const pkm_friction_law* law, double speed);

/// mu / speed and d mu / d speed [s/m] at once: what friction answers to a change of the velocity
/// across it and along it.
double pkm_friction_sides(const pkm_friction_law* law, double speed, double* along);

/// d(mu v/|v|)/d(velocity vector) [s/m], (1.11).
pkm_mat3 pkm_friction_tangent(const pkm_friction_law* law, pkm_vec3 v);

// ---- laws with a state -------------------------------------------------------------------------

/// Coefficient vector (along v) at bristle deflection `z` [m] and velocity `v` [m/s]; `z_rate`
/// [m/s] is the rate of z. Vectors in the same axes (1.8), (1.12), (1.13).
pkm_vec3 pkm_friction_bristle(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v,
                              pkm_vec3* z_rate);

/// Deflection [m] at which surfaces slip, mu_s/sigma0.
double pkm_friction_slip_limit(const pkm_friction_law* law);

/// Deflection [m] at which surfaces of the elasto-plastic law begin to break away.
double pkm_friction_hold_limit(const pkm_friction_law* law);

/// Deflection of surfaces that begin to touch while they slide with `v` (1.15).
pkm_vec3 pkm_friction_bristle_touch(const pkm_friction_law* law, pkm_vec3 v);

/// Partial derivatives of pkm_friction_bristle; at v = 0, where |v| has a kink, those for v > 0.
typedef struct pkm_bristle_tangents {
    pkm_mat3 mu_z, mu_v;     ///< of the coefficient [1/m], [s/m]
    pkm_mat3 rate_z, rate_v; ///< of the rate of z [1/s], [1]
} pkm_bristle_tangents;
pkm_bristle_tangents pkm_friction_bristle_tangents(const pkm_friction_law* law, pkm_vec3 z,
                                                   pkm_vec3 v);

#endif
