/// A plant: the mechanism with all that acts on it, ready for time integration.
///
/// At a time t, positions q, velocities v and further states z (bristles, controllers) it gives the
/// accelerations, the rates of z and the powers of the energy ledger. Friction follows the joints'
/// reactions and the reactions follow friction: both are solved together
/// (docs/theory/simulation.md, section 2).
#ifndef PKM_DYNAMICS_PLANT_H
#define PKM_DYNAMICS_PLANT_H

#include "base/memo.h"
#include "dynamics/forward.h"
#include "dynamics/inverse.h"
#include "force/clearance.h"
#include "force/element.h"
#include "force/joint_friction.h"

/// What acts on the plant from the drives; see analysis/actuation.h for the one of the program.
typedef struct pkm_actuation {
    void* user;
    int n_state; ///< states of controllers
    /// References of prescribed drives at `t`: target->q, v, a.
    void (*reference)(void* user, double t, pkm_target* target);
    /// Forces of the free drives and the rates of the controllers' states `z`.
    pkm_status (*force)(void* user, double t, const pkm_state* state, const double* z,
                        double* force, double* z_rate);
} pkm_actuation;

/// Wrenches on bodies from outside and between them, beside gravity, friction and drives.
typedef struct pkm_loading {
    void* user;
    /// Add wrenches (about the world origin) to load[n_body], and set the energy stored [J] and the
    /// power dissipated (>= 0) and fed in by outside forces [W].
    pkm_status (*apply)(void* user, double t, const pkm_state* state, pkm_wrench* load,
                        double* stored, double* dissipated, double* fed);
} pkm_loading;

/// Friction in one joint.
typedef struct pkm_plant_friction {
    int joint;
    pkm_joint_friction friction;
} pkm_plant_friction;

/// Clearance in one joint.
typedef struct pkm_joint_clearance {
    int joint;
    pkm_clearance clearance;
} pkm_joint_clearance;

/// Powers [W] and energies [J] at one instant.
typedef struct pkm_ledger_rates {
    double drive;    ///< power of the drives
    double load;     ///< power fed in by forces from outside
    double friction; ///< dissipated in joints and between surfaces that touch
    double contact;  ///< dissipated by the normal laws of contacts
    double damping;  ///< dissipated in dampers and bushings
    double stored;   ///< energy in springs and contacts, and of the crosses of universals [J]
} pkm_ledger_rates;

typedef struct pkm_plant pkm_plant;

/// Everything that makes a plant; arrays are copied, `actuation` and `loading` are lent.
typedef struct pkm_plant_spec {
    const pkm_structure* structure;
    const bool* prescribed; ///< [n_drive]
    const int* preferred;   ///< tree velocities to take as independent, see forward.h
    int n_preferred;
    const double* rotor; ///< [n_drive] inertia at the drives, NULL: none
    const pkm_actuation* actuation;
    const pkm_loading* loading; ///< NULL: none
    int n_friction;
    const pkm_plant_friction* friction;
    int n_clearance; ///< joints with contacts; the mechanism has released them
    const pkm_joint_clearance* clearance;
} pkm_plant_spec;

/// A plant on `state`, which is assembled.
PKM_NODISCARD pkm_status pkm_plant_create(pkm_state* state, const pkm_plant_spec* spec,
                                          pkm_plant** out, pkm_error* err);
void pkm_plant_free(pkm_plant* plant);

int pkm_plant_n_state(const pkm_plant* plant); ///< states z: controllers, bristles, crosses
int pkm_plant_n_free(const pkm_plant* plant);  ///< independent velocities

/// Accelerations (state->a), drive forces and rates at (t, state->q, state->v, z).
///
/// @return PKM_RETRY where the positions are singular or friction does not settle (jamming).
PKM_NODISCARD pkm_status pkm_plant_evaluate(pkm_plant* plant, double t, const double* z,
                                            double* z_rate);

/// Loss of friction [W] over all reactions that balance the bodies, where redundant constraints
/// leave them open (docs/theory/forces.md, section 2).
typedef struct pkm_friction_range {
    double loss;        ///< with the reactions of least norm, which the plant uses
    double least;       ///< the least of all
    double per_preload; ///< at most what a self-stress of norm 1 N adds [W/N]
} pkm_friction_range;

/// Is friction left open by redundant constraints?
bool pkm_plant_friction_is_open(const pkm_plant* plant);
/// The range at the last pkm_plant_evaluate, whose results stay. NaN where it is not found.
pkm_friction_range pkm_plant_friction_range(pkm_plant* plant);

// ---- contacts ---------------------------------------------------------------------------------

/// A bearing and its journal: a joint with clearance, or one of the two pins of a universal joint.
typedef struct pkm_contact_pair {
    int joint;
    int pin;             ///< 1: the second pin of a universal joint, whose bearing is on side b
    pkm_joint_type type; ///< what touches there; never universal
    pkm_clearance clearance;
    int contact_at;              ///< of its contacts among all
    int z_at, n_z;               ///< its bristles
    pkm_clearance_motion motion; ///< of the last evaluation
    pkm_clearance_force force;
} pkm_contact_pair;

int pkm_plant_n_pair(const pkm_plant* plant);
const pkm_contact_pair* pkm_plant_pair(const pkm_plant* plant, int k);
int pkm_plant_n_contact(const pkm_plant* plant); ///< of all pairs

/// What the contacts remember [n_contact]; constant within a step of an integrator, which changes
/// it between them. At first all are in flight. With all of them `touching` surfaces push wherever
/// they penetrate.
pkm_contact_memory* pkm_plant_memory(pkm_plant* plant);

/// Motions and forces of all pairs at the present q and v, without the rest of the plant.
void pkm_plant_find_contacts(pkm_plant* plant, const double* z);
/// Motion and forces of pair `k` alone: poses and twists of its two sides are found, no others.
void pkm_plant_find_contact(pkm_plant* plant, int k, const double* z);
/// Are poses, twists and contacts still those that it found last?
bool pkm_plant_sees_contacts(const pkm_plant* plant);

/// Put the initial states of the crosses to z [n_state].
void pkm_plant_start_states(const pkm_plant* plant, double* z);

/// Deflections at which surfaces slip [m], to the places of the bristles in size[n_state]; the rest
/// stays.
void pkm_plant_bristle_sizes(const pkm_plant* plant, double* size);

/// Where nothing moves: set the bristles among z so that friction holds what it can, by the least
/// deflections. What it cannot hold starts at the limit of friction. Where something moves,
/// surfaces of joints begin as they slide.
PKM_NODISCARD pkm_status pkm_plant_start_bristles(pkm_plant* plant, double t, double* z);

/// Between two steps: where surfaces of joints and pairs have slid and turn back, set their
/// bristles among z to what holds them, if static friction does. The state is on the constraints.
/// @return PKM_RETRY where they turn back too fast to be held: a shorter step does.
PKM_NODISCARD pkm_status pkm_plant_take_up(pkm_plant* plant, double t, double* z);
/// Friction that rests let a surface slide although it could have held it.
typedef struct pkm_slid {
    int joint;
    double t;    ///< [s]
    double part; ///< of static friction that would have held it
} pkm_slid;
/// After each accepted step, which ends at t with the states `z`: note which surfaces rest, and
/// those that slide from rest.
PKM_NODISCARD pkm_status pkm_plant_watch_slides(pkm_plant* plant, double t, const double* z);
/// Has one, of a joint that was not told yet, by the end of the last of these steps?
bool pkm_plant_has_slid(pkm_plant* plant, pkm_slid* out);
/// Where loads jump, at time t: bristles of surfaces at rest take up the new ones, as far as static
/// friction holds them.
PKM_NODISCARD pkm_status pkm_plant_take_load(pkm_plant* plant, double t, double* z);
/// pkm_plant_take_up for steps of somebody else's: the one that ends at t with the states `z` is
/// accepted.
void pkm_plant_note_slides(pkm_plant* plant, double t, const double* z);
/// Falls through zero where surfaces that slid at the last accepted step turn back [mm/s], at most
/// 1: there pkm_plant_take_up may hold them.
double pkm_plant_turning(pkm_plant* plant, const double* z);
/// What it remembers of the last steps: surfaces that slid, and where friction settles from.
void pkm_plant_memo(pkm_plant* plant, pkm_memo* memo);
/// Can it in joints, in any state?
bool pkm_plant_can_stop(const pkm_plant* plant);
/// Did the last call set any? Accelerations jump there.
bool pkm_plant_took_up(const pkm_plant* plant);

// ---- stiff steps ------------------------------------------------------------------------------

/// Memory for implicit steps that take as implicit what is stiff: the springs and dampers of modes,
/// surfaces that touch and rub (docs/theory/integrators.md, section 5). @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_plant_stiff_create(pkm_plant* plant);

/// Has it friction in ideal joints, which settles from where it was?
bool pkm_plant_settles(const pkm_plant* plant);

/// What pkm_plant_stiff_factor needs at the present positions and velocities: an evaluation, or
/// that part of it which comes before the accelerations.
PKM_NODISCARD pkm_status pkm_plant_stiff_evaluate(pkm_plant* plant, double t, const double* z,
                                                  double* z_rate);

/// Factors of 1 - c J, where J is the derivative of the rates (v, a) by q and v as far as it is
/// stiff, at the last pkm_plant_stiff_evaluate, with its states `z`; c [s] > 0. They stay until the
/// next call. @return PKM_RETRY where they do not exist.
PKM_NODISCARD pkm_status pkm_plant_stiff_factor(pkm_plant* plant, double c, const double* z);

/// Solve (1 - c J) (dq, dv, dz) = (x, v, z): v [n_v] <- dv for the step `x` [n_v] of the positions;
/// then dq = x + c dv. Of z [n_state] bristles change, other states stay.
void pkm_plant_stiff_solve(pkm_plant* plant, const double* x, double* v, double* z);

/// Can pkm_plant_stiff_correct stand for an evaluation and pkm_plant_stiff_solve?
bool pkm_plant_stiff_corrects(const pkm_plant* plant);

/// Both for a stage v = psi + c state->a at the present positions and velocities, without factors
/// of the mass: `dv` [n_v] is what v lacks, `x` [n_v] what the positions lack besides, `lambda` and
/// `dlambda` [pkm_plant_n_multiplier] the multipliers and what they lack, times c. Rates of the
/// states `z` and the ledger as after pkm_plant_evaluate.
PKM_NODISCARD pkm_status pkm_plant_stiff_correct(pkm_plant* plant, double t, double c,
                                                 const double* x, const double* z,
                                                 const double* lambda, double* dv, double* z_rate,
                                                 double* dlambda);
/// The multipliers at the last evaluation.
int pkm_plant_n_multiplier(const pkm_plant* plant);
void pkm_plant_get_multipliers(const pkm_plant* plant, double* out);

// ---- implicit methods -------------------------------------------------------------------------

/// Number of constraints (independent closures, prescribed drives, idle locks) with multipliers.
int pkm_plant_n_constraint(const pkm_plant* plant);

/// Choose the constraints anew at the present state and take its orientations as the reference of
/// idle spins: before the first step of an implicit method and after each accepted one. Returns
/// whether the constraints are still the same.
bool pkm_plant_begin_step(pkm_plant* plant);

/// Multipliers [n_constraint] of the last pkm_plant_evaluate: consistent values to start with.
void pkm_plant_multipliers(const pkm_plant* plant, double* lambda);

/// Residuals at (t, state->q, v, a, lambda, z): r [n_v] of the equations of motion, phi
/// [n_constraint] of the constraints, and z_rate [n_state] = f. Friction is settled with the
/// reactions that `lambda` and state->a mean. Either of r, phi may be NULL.
PKM_NODISCARD pkm_status pkm_plant_residual(pkm_plant* plant, double t, const double* lambda,
                                            const double* z, double* r, double* phi,
                                            double* z_rate);

/// Is constraint i the lock of an idle freedom, which is one of velocities, not of positions?
bool pkm_plant_is_lock(const pkm_plant* plant, int i);
/// Rates of the constraints [n_constraint] at `v` [n_v] less those of prescribed drives, with the
/// rows of the last residual.
void pkm_plant_constraint_rates(const pkm_plant* plant, const double* v, double* out);
/// out [n_v] += sum of x_i row_i.
void pkm_plant_add_constraints(const pkm_plant* plant, const double* x, double* out);

/// Put state->q, state->v back on loops and prescribed drives at time t.
PKM_NODISCARD pkm_status pkm_plant_project(pkm_plant* plant, double t);
/// The same at the end of a step, behind which everything is evaluated anew: poses and twists of
/// the bodies may stay what they were.
PKM_NODISCARD pkm_status pkm_plant_project_step(pkm_plant* plant, double t);

/// The same to rounding: for positions in which errors of the loops are magnified.
PKM_NODISCARD pkm_status pkm_plant_polish(pkm_plant* plant, double t);

/// Put state->q back on loops and prescribed drives at time t, and state->v by the least change in
/// the metric of the masses: for the start.
PKM_NODISCARD pkm_status pkm_plant_start(pkm_plant* plant, double t);

/// Poses, rows and factors at the present positions.
PKM_NODISCARD pkm_status pkm_plant_factor(pkm_plant* plant);
/// Only the velocities; the positions are on the constraints.
PKM_NODISCARD pkm_status pkm_plant_project_velocity(pkm_plant* plant, double t);

/// See forward.h: independent velocities as rates of coordinates.
PKM_NODISCARD pkm_status pkm_plant_choose_coordinates(pkm_plant* plant);
void pkm_plant_get_held(const pkm_plant* plant, int* held);
PKM_NODISCARD pkm_status pkm_plant_hold(pkm_plant* plant, const int* held);
double pkm_plant_lever(pkm_plant* plant);

/// See forward.h: the smallest singular value of the constraints, and its estimate.
size_t pkm_plant_sigma_room(const pkm_plant* plant);
double pkm_plant_sigma(pkm_plant* plant, double* work);
double pkm_plant_estimate_sigma(pkm_plant* plant, double* x);
/// And its rows.
int pkm_plant_rows(pkm_plant* plant, double* B);

/// Did friction and reactions find no common solution when they were solved last?
bool pkm_plant_jams(const pkm_plant* plant);

/// What friction in joints leaves of a motion (docs/theory/forces.md, section 2).
typedef enum pkm_jam_kind {
    PKM_JAM_NONE,    ///< friction and reactions settle
    PKM_JAM_GROWS,   ///< friction makes nearly all of the loads that make it: they grow to infinity
    PKM_JAM_PARADOX, ///< no loads, up to `load`, make the friction that makes them (proven)
    PKM_JAM_OPEN,    ///< none were found, and it is not proven that there are none
} pkm_jam_kind;

typedef struct pkm_jam {
    pkm_jam_kind kind;
    int joint;            ///< with the largest load; PKM_NONE: no friction
    double gain;          ///< loads per load that is added from outside; 1 without friction
    double load, without; ///< [N] largest load; what it would be without friction
    double bound;         ///< [N] of the loads that a proof has looked at
    /// PKM_JAM_GROWS: with so many times the friction no loads up to `bound` make the friction that
    /// makes them (proven); NAN: not shown.
    double paradox;
} pkm_jam;

/// Judge friction at (t, q, v, z), for the end of a run: it allocates.
pkm_jam pkm_plant_judge_friction(pkm_plant* plant, double t, const double* z, double* z_rate);

/// Of the last evaluation: drive forces [n_drive], powers, reactions [n_joint].
const double* pkm_plant_drive_force(const pkm_plant* plant);
pkm_ledger_rates pkm_plant_ledger(const pkm_plant* plant);
/// Kinetic (rotors included) and potential energy at the present state.
pkm_energy pkm_plant_energy(const pkm_plant* plant);
/// Reactions of the last evaluation; the bodies' A are complete afterwards.
PKM_NODISCARD pkm_status pkm_plant_reactions(pkm_plant* plant, pkm_reaction* out);

#endif
