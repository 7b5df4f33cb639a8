/// Effects beside the rigid motion, as a run chooses them: friction, clearance, loads, elastic
/// elements, payloads, flexible links.
#ifndef PKM_DYNAMICS_EFFECTS_H
#define PKM_DYNAMICS_EFFECTS_H

#include "dynamics/plant.h"
#include "flexible/spec.h"
#include "force/element.h"
#include "force/load.h"
#include "force/motor.h"
#include "pkm/inverse.h"

/// A mass that comes and goes, in the axes of a marker.
typedef struct pkm_carried {
    const char* name;
    int marker;
    pkm_payload payload;
} pkm_carried;

/// A flexible link.
typedef struct pkm_effect_flexible {
    int body; ///< of the description
    pkm_flexible_spec spec;
    pkm_flexible_band band;
} pkm_effect_flexible;

struct pkm_effects {
    int n_friction;
    pkm_plant_friction* friction; ///< one per joint at most
    int n_clearance;
    pkm_joint_clearance* clearance; ///< one per joint at most, of any fidelity
    int n_element;
    pkm_element* element;
    int n_carried;
    pkm_carried* carried;
    int n_flexible;
    pkm_effect_flexible* flexible;            ///< one per body at most
    pkm_flexible_made made;                   ///< links as they were when the run was read; lent
    const pkm_motor* motor[PKM_MAX_DRIVE];    ///< NULL: the drive is ideal; lent
    const struct pkm_column_request* columns; ///< that are asked for beside the usual ones; lent
};

/// Add the wrenches of all elements at (t, state) to load[n_body], their stored energy [J],
/// dissipated power and power fed in by loads [W]. `effects` may be NULL.
void pkm_effects_apply(const pkm_effects* effects, double t, const pkm_state* state,
                       pkm_wrench* load, double* stored, double* dissipated, double* fed);
/// The same with loads (not springs and bushings) times `part`.
void pkm_effects_apply_part(const pkm_effects* effects, double t, const pkm_state* state,
                            double part, pkm_wrench* load, double* stored, double* dissipated,
                            double* fed);

/// What an element at (t, state) is told of the motion; poses, and twists where `state` has them.
pkm_element_motion pkm_effects_motion(const pkm_element* e, double t, const pkm_state* state);

/// Has any joint clearance with contacts?
bool pkm_effects_have_contacts(const pkm_effects* effects);
/// The law of friction item `k` as its joint has it: with clearance, that of contacts.
pkm_friction_law pkm_effects_friction_law(const pkm_effects* effects, int k);
/// Has any friction, of joints or of contacts, a state?
bool pkm_effects_have_bristles(const pkm_effects* effects);

/// Masses of all bodies [n_body] with what they carry at time `t`, just after it (3.2).
void pkm_effects_masses(const pkm_effects* effects, double t, const pkm_state* state,
                        pkm_mass* out);
/// Give the bodies the masses that they carry then: state->mass.
void pkm_effects_carry(const pkm_effects* effects, double t, pkm_state* state);

/// The time at which to evaluate loads for a row at `t`: `t`, but at a break the time just before
/// it, as in a simulation, whose steps end there. At the start that is `t` itself.
double pkm_effects_left(const pkm_effects* effects, double t);

/// The first time > t at which a load jumps or kinks or a payload comes or goes; infinite: none.
double pkm_effects_next_break(const pkm_effects* effects, double t);

/// Coordinate [m, rad] of a revolute or prismatic joint and its rate. Angles of joints that close a
/// loop are within half a turn.
void pkm_joint_coordinate(const pkm_state* state, int joint, double* q, double* v);

#endif
