/// A simulation in slices: somebody else decides what happens between them.
#ifndef PKM_SIMULATE_SESSION_H
#define PKM_SIMULATE_SESSION_H

#include "pkm/kinematics.h"
#include "simulate/simulation.h"

typedef struct pkm_session pkm_session;

/// Prepare a simulation of `robot` (lent: it is used for the work) at t = 0; settings->n_instant is
/// not used, settings->effects is lent, steps go to settings->end_time at most.
PKM_NODISCARD pkm_status pkm_session_create(pkm_robot* robot, const pkm_sim_settings* settings,
                                            pkm_session** out, pkm_error* err);
void pkm_session_free(pkm_session* session);

/// Go on by `dt` [s], see pkm_simulation_step. After a failure it stands where it could not go on,
/// for good.
PKM_NODISCARD pkm_status pkm_session_step(pkm_session* session, double dt, pkm_error* err);
/// The same, but it ends already where surfaces touch or part; `early` says so.
PKM_NODISCARD pkm_status pkm_session_step_to_event(pkm_session* session, double dt, bool* early,
                                                   pkm_error* err);
double pkm_session_time(const pkm_session* session);

/// Forces added to those of the drives [n_drive], and the wrench on the tool, from now on.
void pkm_session_set_forces(pkm_session* session, const double* force);
void pkm_session_set_wrench(pkm_session* session, pkm_vec3 force, pkm_vec3 torque);

/// The i-th input of the run from now on.
void pkm_session_set_input(pkm_session* session, int i, double value);

/// References of drives with controllers from now on; NaN: those of the motion, or home.
void pkm_session_set_references(pkm_session* session, const double* q, const double* v,
                                const double* a);

/// What changes, saved to `bytes` and restored from them: into the same session, or another one of
/// the same robot and run. Steps after either go the same way.
size_t pkm_session_memo_size(pkm_session* session);
/// @return PKM_RETRY where the equations have no solution.
PKM_NODISCARD pkm_status pkm_session_save(pkm_session* session, unsigned char* bytes);
/// @return PKM_ERR_ARGUMENT: of another robot or run; why it cannot go on from there.
PKM_NODISCARD pkm_status pkm_session_restore(pkm_session* session, const unsigned char* bytes,
                                             size_t size, pkm_error* err);

// ---- somebody else integrates -----------------------------------------------------------------
// x' = f(t, x) in independent coordinates: see pkm/simulation.h, pkm_simulation_ode.

PKM_NODISCARD pkm_status pkm_session_begin_exchange(pkm_session* session, pkm_error* err);
int pkm_session_n_x(const pkm_session* session); ///< 0 before
void pkm_session_get_x(const pkm_session* session, double* x);
void pkm_session_get_nominal(const pkm_session* session, double* nominal);
/// Stand at (t, x). @return PKM_RETRY where the loops cannot be closed there.
PKM_NODISCARD pkm_status pkm_session_set_x(pkm_session* session, double t, const double* x);
PKM_NODISCARD pkm_status pkm_session_rates(pkm_session* session, double* rate);
/// Falls through zero where the coordinates should change and where surfaces that slide turn back,
/// which static friction may hold.
PKM_NODISCARD pkm_status pkm_session_indicator(pkm_session* session, double* indicator);
/// The step to here is accepted.
void pkm_session_accept(pkm_session* session);
/// Take up what changes now: samples, jumps of loads, other coordinates (`changed`: x is another).
/// `next` is the time of the next such event; infinite: none is known.
PKM_NODISCARD pkm_status pkm_session_pass_event(pkm_session* session, bool* changed, double* next);

/// Drives and tool now.
PKM_NODISCARD pkm_status pkm_session_get(pkm_session* session, pkm_instant* out);
/// Where the moving bodies are now: pose[n_body - 1], in the order of the description, world axes.
PKM_NODISCARD pkm_status pkm_session_poses(pkm_session* session, pkm_pose* pose);
/// The columns, and a row of them now: what pkm_simulate writes.
const pkm_table* pkm_session_table(const pkm_session* session);
PKM_NODISCARD pkm_status pkm_session_read(pkm_session* session, double* row);

#endif
