/// The insides of a plant; only plant*.c include this.
#ifndef PKM_DYNAMICS_PLANT_IMPL_H
#define PKM_DYNAMICS_PLANT_IMPL_H

#include "dynamics/plant.h"

/// Friction in a joint, as it is settled now.
typedef struct pkm_friction_item {
    int joint;
    pkm_joint_friction friction;
    pkm_friction_law spin_law; ///< that tells idle spins
    int z_at, n_z;
    int spin_a, spin_b;     ///< idle spin of body a, b; PKM_NONE
    double start;           ///< joint coordinate at the start (slides)
    pkm_vec3 force, moment; ///< on b at its origin, axes of frame a
    pkm_joint_friction_force last;
    // at the present positions and velocities, in the axes of frame a
    pkm_joint_motion motion; ///< without reactions and idle spins
    pkm_vec3 line_a, line_b; ///< unit, of the spins of a and b
    pkm_joint_slide slide[2];
    int n_slide;
} pkm_friction_item;

/// An idle spin that friction drives: a rod without spin inertia turns so that the friction of its
/// two balls about its own line cancels.
typedef struct pkm_spin_item {
    int row, body;
    double rate; ///< [rad/s]
} pkm_spin_item;

/// Where one side of a pair is: a frame on a body, or on a cross.
typedef struct pkm_contact_side {
    int body;  ///< PKM_NONE: on the cross
    int cross; ///< PKM_NONE: on the body
    pkm_vec3 p;
    pkm_mat3 axes;
    bool is_aligned; ///< axes are those of the body
} pkm_contact_side;

/// The cross of a universal joint with clearance: a small body of its own, whose pose and
/// velocities are states: p, quaternion, v, w in world axes.
typedef struct pkm_cross {
    int z_at;
    double mass, inertia[3]; ///< about its axes: first pin z, second pin x
    pkm_pose start;
    pkm_vec3 v_start, w_start;
    // of the last evaluation
    pkm_vec3 p, v, w;
    pkm_mat3 R;
    pkm_vec3 force, moment; ///< about its centre
} pkm_cross;

enum { PKM_CROSS_STATES = 13 };

struct pkm_plant {
    pkm_state* state;
    pkm_forward* forward;
    pkm_actuation actuation;
    pkm_loading loading;
    bool has_loading;
    bool prescribed[PKM_MAX_DRIVE];
    double rotor[PKM_MAX_DRIVE];
    int n_friction, n_spin, n_z;
    pkm_friction_item* friction;
    pkm_spin_item* spin;
    int n_pair, n_contact, n_cross;
    pkm_contact_pair* pair;
    pkm_contact_side (*side)[2]; ///< [n_pair]
    pkm_contact_memory* memory;  ///< [n_contact]
    pkm_cross* cross;
    pkm_wrench* load;       ///< [n_body] without friction
    pkm_wrench* rub;        ///< [n_body] friction
    double* extra;          ///< [n_v] friction as generalised forces
    double* settle;         ///< [4 x 6 n_friction] work of settling
    pkm_reaction* reaction; ///< [n_joint]
    pkm_reactions* reactions;
    double force[PKM_MAX_DRIVE];
    pkm_target target;
    bool sees_contacts; ///< pkm_plant_find_contacts came last
    bool jams;          ///< friction did not settle
    bool settles;       ///< forces of this instant are there, for other friction and accelerations
    double friction_power; ///< taken from the bodies [W]
    pkm_ledger_rates ledger;

    struct pkm_stiff* stiff;          ///< NULL: not wanted
    struct pkm_friction_loads* loads; ///< NULL: no friction in joints
    struct pkm_range* range;          ///< NULL: friction is unique
    struct pkm_stops* stops;          ///< NULL: no surface has friction that rests

    // implicit methods
    int n_constraint;
    int *constraint, *constraint_before; ///< [n_v] rows of the free system
    pkm_mat3* spin_reference;            ///< [n_spin] orientations at the start of the step
    double* q_reference;                 ///< [n_q]
};

/// Make pairs, crosses and their states, which follow the n_z there are.
PKM_NODISCARD pkm_status pkm_plant_add_clearances(pkm_plant* p, const pkm_plant_spec* spec,
                                                  pkm_error* err);
/// Wrenches of all contacts on the bodies (added to p->load), rates of their states, ledger.
void pkm_plant_apply_contacts(pkm_plant* p, const double* z, double* z_rate,
                              pkm_ledger_rates* ledger);

/// The two frames of pair k in the world: origins and axes of its bodies' sides.
void pkm_plant_pair_axes(const pkm_plant* p, int k, pkm_mat3* axes_a, pkm_vec3* origin_b);

void pkm_plant_stiff_free(struct pkm_stiff* stiff);

/// Coordinate along the axis of a joint, for slides whose overlap changes.
double pkm_plant_displacement(const pkm_state* state, const pkm_joint* joint);

/// What does not need accelerations: poses, twists, references, loads, forces of free drives.
PKM_NODISCARD pkm_status pkm_plant_apply_all(pkm_plant* p, double t, const double* z,
                                             double* z_rate, pkm_ledger_rates* ledger);

/// Friction of all joints as wrenches on the bodies (p->rub) and generalised forces (p->extra).
void pkm_plant_apply_friction(pkm_plant* p);
/// Accelerations and reactions with the present friction.
void pkm_plant_solve_with_friction(pkm_plant* p);
/// Reactions from the multipliers and what the bodies need.
void pkm_plant_find_reactions(pkm_plant* p);
/// Friction and reactions together; `solve` finds the reactions that belong to the present
/// friction.
/// @return PKM_RETRY when they do not settle.
PKM_NODISCARD pkm_status pkm_plant_settle_friction(pkm_plant* p, const double* z,
                                                   void (*solve)(pkm_plant*));
/// Surfaces of a joint with friction and how they answer, at the last evaluation; returns how many.
int pkm_plant_rubs(const pkm_plant* p, const pkm_friction_item* item, const double* z,
                   pkm_joint_rub out[2]);
/// Masses that surfaces with friction that rests stop, at the present positions and velocities,
/// where they can be evaluated. It allocates.
PKM_NODISCARD pkm_status pkm_plant_weigh(pkm_plant* p, double t, const double* z);
/// The law of friction that tells idle spins.
pkm_friction_law pkm_plant_spin_law(const pkm_friction_item* item);
/// item->motion with the present idle spins and reactions.
pkm_joint_motion pkm_plant_loaded_motion(const pkm_plant* p, const pkm_friction_item* item);
/// Rates of idle spins at which the friction of their rods cancels, with the present reactions;
/// needs pkm_friction_item.motion.
void pkm_plant_settle_spins(pkm_plant* p);
/// What the joint of an item carries and how it moves, at the last evaluation.
pkm_joint_motion pkm_plant_joint_motion(const pkm_plant* p, const pkm_friction_item* item);
// ---- surfaces that can rest: of joints with friction, k < n_friction, then of pairs -------------

enum { PKM_MOST_RUBBING = PKM_CLEARANCE_CONTACTS };

/// The surfaces of one of them.
typedef struct pkm_rubbing {
    pkm_friction_law* law;
    int n;
    int at[PKM_MOST_RUBBING], n_direction[PKM_MOST_RUBBING]; ///< bristles among the states
    pkm_vec3 u[PKM_MOST_RUBBING];                            ///< velocities [m/s]
    double load[PKM_MOST_RUBBING]; ///< [N] at the last evaluation; 0: in flight
} pkm_rubbing;

int pkm_plant_n_rubbing(const pkm_plant* p);
pkm_friction_law* pkm_plant_resting_law(pkm_plant* p, int k);
/// Its bristles, 0 where its friction never rests; where they stand, by how many they belong
/// together, and the length [m] at which they begin to break away.
int pkm_plant_resting_states(const pkm_plant* p, int k);
double pkm_plant_resting_limit(const pkm_plant* p, int k, int* at, int* size);
/// At the present poses and twists, and after pkm_plant_find_contacts.
void pkm_plant_see_rubbing(pkm_plant* p, int k, pkm_rubbing* out);
/// Accelerations of its surfaces [m/s2], after an evaluation that gave `z_rate`; the accelerations
/// of the bodies are complete.
void pkm_plant_accelerate_rubbing(const pkm_plant* p, int k, const double* z_rate, pkm_vec3* out);
/// Of pair k: its motion with accelerations in the place of rates.
pkm_clearance_motion pkm_plant_pair_acceleration(const pkm_plant* p, int k, const double* z_rate);

/// p->stops where surfaces can come to rest by friction.
PKM_NODISCARD pkm_status pkm_plant_stops_create(pkm_plant* p);
void pkm_plant_stops_free(struct pkm_stops* stops);
void pkm_plant_stops_memo(pkm_plant* p, pkm_memo* memo);
/// p->range where redundant constraints leave loads of friction open; needs factors of the present
/// positions.
PKM_NODISCARD pkm_status pkm_plant_range_create(pkm_plant* p);
void pkm_plant_range_free(struct pkm_range* range);
/// Remember the states with which friction has settled.
void pkm_plant_range_keep(pkm_plant* p, const double* z);
/// Rates of the bristles of the settled friction.
void pkm_plant_read_bristles(const pkm_plant* p, double* z_rate);
/// Powers of drives and friction, beside those of the loads.
void pkm_plant_fill_ledger(pkm_plant* p, const pkm_ledger_rates* loads);

#endif
