/// Forward dynamics: accelerations from forces, on the freedoms that the loops leave.
///
/// Independent velocities u are a selection of tree velocities (the drives, where that works). All
/// velocities and accelerations follow from them through the factors of the closures,
///
///     v = N u,   a = N u' + a0,   (N' M N) u' = N' (Q - M a0 - h)        docs/theory/engine.md, 6
///
/// so that every acceleration satisfies the loops exactly and redundant constraints do no harm.
#ifndef PKM_DYNAMICS_FORWARD_H
#define PKM_DYNAMICS_FORWARD_H

#include "dynamics/halves.h"
#include "dynamics/rows.h"
#include "dynamics/structure.h"

/// What the forward dynamics needs beside the state: the choice of u and work memory.
typedef struct pkm_forward pkm_forward;

/// Prepare at the present, assembled positions. `prescribed[d]` says which drives follow a
/// prescribed motion; the others are free. The first n_held locks of `structure` hold.
/// `preferred` (tree velocities, may be NULL) are taken as u where that works; else the free
/// drives.
///
/// @return PKM_ERR_SINGULAR when a prescribed drive cannot move here; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_forward_create(pkm_state* state, const pkm_structure* structure,
                                            const bool* prescribed, const int* preferred,
                                            int n_preferred, pkm_forward** out, pkm_error* err);
void pkm_forward_free(pkm_forward* forward);

/// Number of independent velocities.
int pkm_forward_n_free(const pkm_forward* forward);

/// Inertia [kg, kg m2] that a motor adds at drive d.
void pkm_forward_set_rotor(pkm_forward* forward, int d, double inertia);

/// Has every freedom an inertia? After pkm_forward_create and the rotors, at the same positions.
/// @return PKM_ERR_MODEL naming the freedom that has none.
PKM_NODISCARD pkm_status pkm_forward_check_inertia(pkm_forward* forward, pkm_state* state,
                                                   pkm_error* err);

/// Poses, rows and factors at the present q; needed after every change of q, before the rest.
/// @return PKM_ERR_SINGULAR where no choice of u works.
PKM_NODISCARD pkm_status pkm_forward_position(pkm_forward* forward, pkm_state* state);

/// The same for an evaluation: where it goes by blocks the factors of the rows, which only
/// projections, ranks and redundant reactions need, wait for pkm_forward_complete.
PKM_NODISCARD pkm_status pkm_forward_rows(pkm_forward* forward, pkm_state* state);
/// The factors of the rows at the positions of the last pkm_forward_rows.
/// @return PKM_ERR_SINGULAR.
PKM_NODISCARD pkm_status pkm_forward_complete(pkm_forward* forward, pkm_state* state);

/// Do its accelerations go by blocks?
bool pkm_forward_has_blocks(const pkm_forward* forward);

/// Where prescribed drives of the tree are the only constraints their coordinates and velocities
/// are what is to be projected: set them and leave poses as they are. False: there are more.
bool pkm_forward_set_drives(const pkm_forward* forward, pkm_state* state, const pkm_target* target);
/// Put the positions back on the loops and on the prescribed drives (target->q).
PKM_NODISCARD pkm_status pkm_forward_project_position(pkm_forward* forward, pkm_state* state,
                                                      const pkm_target* target);
/// Put the velocities back on the loops and prescribed drives (target->v), u unchanged; bodies'
/// twists are set. After pkm_forward_position.
void pkm_forward_project_velocity(pkm_forward* forward, pkm_state* state, const pkm_target* target);

/// What does not depend on the forces of free drives and on friction: a0 and its forces with the
/// loads in state->load and prescribed accelerations target->a, N, and N' M N. After the
/// velocities.
///
/// @return PKM_ERR_SINGULAR when a freedom has no inertia.
PKM_NODISCARD pkm_status pkm_forward_prepare(pkm_forward* forward, pkm_state* state,
                                             const pkm_target* target);

/// Accelerations state->a with the drive forces `force` [n_drive] (those of prescribed drives are
/// not read) and further generalised forces `extra` [n_v] (NULL: none). May be repeated.
void pkm_forward_solve(pkm_forward* forward, pkm_state* state, const double* force,
                       const double* extra);

/// Multipliers of the closures and forces of prescribed drives (written to `force`, which holds
/// those of the free ones) that belong to the last pkm_forward_solve with the same arguments.
void pkm_forward_multipliers(pkm_forward* forward, pkm_state* state, double* force,
                             const double* extra);

/// Multiplications of the factors that one evaluation needs.
double pkm_forward_cost(const pkm_forward* forward, const pkm_state* state);

/// Is a bending body welded to another one, as the pieces of a link are? Then all modes are among
/// the independent velocities where that can be, so that no position of a piece bends another.
bool pkm_forward_has_chain(const pkm_mechanism* mech);

/// Put the velocities on the loops and prescribed drives by the least change in the metric of the
/// masses, as an impulse of the constraints would; for mechanisms whose forward dynamics goes by
/// blocks, others keep their u. After pkm_forward_position.
PKM_NODISCARD pkm_status pkm_forward_nearest_velocity(pkm_forward* forward, pkm_state* state,
                                                      const pkm_target* target);

// ---- u as coordinates -------------------------------------------------------------------------

/// From now on u are rates of single coordinates (q' = v there; not the turns of ball joints),
/// chosen anew among them at the present positions.
/// @return PKM_ERR_UNDETERMINED where the freedoms cannot be told by such coordinates.
PKM_NODISCARD pkm_status pkm_forward_choose_coordinates(pkm_forward* forward, pkm_state* state);
/// The velocities u [n_free]; and take these.
void pkm_forward_get_held(const pkm_forward* forward, const pkm_state* state, int* held);
PKM_NODISCARD pkm_status pkm_forward_hold(pkm_forward* forward, pkm_state* state, const int* held);
/// The largest velocity, in units of the mechanism, that a unit of one of u makes: how good the
/// choice is. After pkm_forward_position.
double pkm_forward_lever(const pkm_forward* forward, pkm_state* state);

// ---- rank ---------------------------------------------------------------------------------------

/// Smallest scaled singular value (lengths in robot sizes) of closures, prescribed drives and
/// locks, among as many as there are when the forward dynamics was created: 0 where they lose rank.
/// Evaluates poses and rows; `work` has pkm_forward_sigma_room numbers.
/// @return NaN for mechanisms too large for it (room 0).
double pkm_forward_sigma(const pkm_forward* forward, pkm_state* state, double* work);
size_t pkm_forward_sigma_room(const pkm_forward* forward, const pkm_state* state);

/// The rows whose values these are [m x n_v], scaled; without `B` their number m alone. Evaluates
/// poses and rows. @return m; PKM_NONE for mechanisms too large for it.
int pkm_forward_scaled_rows(const pkm_forward* forward, pkm_state* state, double* B);

/// Its estimate from the factors at hand, with the held velocities, at the price of two solutions:
/// one step of inverse iteration on the unit vector x [n_v], which is kept from call to call.
double pkm_forward_estimate_sigma(pkm_forward* forward, pkm_state* state, double* x);

// ---- stiff steps ------------------------------------------------------------------------------

/// Memory for what follows. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_forward_step_create(pkm_forward* forward, const pkm_state* state);

/// Factors of A = M + c C + c^2 K on the freedoms that the constraints leave, with damping and
/// stiffness of the modes, for implicit steps of length c [s]; after pkm_forward_prepare at the
/// same state. They stay until the next call.
PKM_NODISCARD pkm_status pkm_forward_step_factor(pkm_forward* forward, const pkm_state* state,
                                                 double c);
/// x [n_v] = A^-1 force; prescribed drives stay.
void pkm_forward_step_solve(pkm_forward* forward, const pkm_state* state, const double* force,
                            double* x);

/// The same in two parts, A^-1 = X' D X with signs D: `half` [pkm_forward_step_half, of zeros at
/// first] is X force, and x = X' D half, which changes it.
int pkm_forward_step_half(const pkm_forward* forward);
void pkm_forward_step_lower(pkm_forward* forward, const pkm_state* state, const double* force,
                            double* half);
void pkm_forward_step_upper(pkm_forward* forward, const pkm_state* state, double* half, double* x);
/// The halves of `n` forces B [n_v x n] side by side, with room for `most`.
PKM_NODISCARD pkm_status pkm_forward_step_halves(const pkm_forward* forward, int most,
                                                 pkm_halves** out);
void pkm_forward_step_lower_all(pkm_forward* forward, const pkm_state* state, const double* B,
                                int n, pkm_halves* out);

/// One step of Newton's method on the accelerations state->a [n_v] and multipliers of an implicit
/// step v = psi + c a, without factors at the present state, whose rows, velocities and loads are
/// there: what is missing is found by inverse dynamics and removed with the last factors
/// (docs/theory/integrators.md, (7.5)). `pull` [n_v] are further forces times c [N s], `lambda`
/// [pkm_forward_n_base] the multipliers. `dv` [n_v] is the step of the velocities, those of
/// prescribed drives included, `dlambda` that of the multipliers times c; forces of prescribed
/// drives after it go to `force`, which holds those of free ones. Needs blocks.
void pkm_forward_step_correct(pkm_forward* forward, pkm_state* state, const pkm_target* target,
                              double c, const double* pull, const double* lambda, double* force,
                              double* dv, double* dlambda);

/// Closures, prescribed drives and idle locks, redundant ones too; their multipliers at the last
/// pkm_forward_multipliers.
int pkm_forward_n_base(const pkm_forward* forward);
void pkm_forward_base_multipliers(const pkm_forward* forward, const pkm_state* state, double* out);

// ---- implicit integration ---------------------------------------------------------------------

/// The constraints that implicit methods keep: independent rows among closures, prescribed drives
/// and idle locks, as rows of the free system. Returns how many; `out` [n_v] may be NULL.
int pkm_forward_constraints(const pkm_forward* forward, const pkm_state* state, int* out);

/// r = f + rotors - drive forces - extra - sum of lambda_i row_i, with f = state->force (see
/// pkm_inverse_forces) at the present state; `constraint` and `lambda` have `n` entries.
void pkm_forward_residual(pkm_forward* forward, pkm_state* state, const double* force,
                          const double* extra, const int* constraint, const double* lambda, int n,
                          double* r);

/// Forces of prescribed drives among the multipliers.
void pkm_forward_read_drives(const pkm_forward* forward, const pkm_state* state,
                             const int* constraint, const double* lambda, int n, double* force);

#endif
