/// A simulation in steps, for control loops, co-simulation and pages: create, step, get, set,
/// rewind. Each call returns after its slice of time; what you set holds until you set it again.
///
///     pkm_simulation* sim;
///     pkm_status status = pkm_simulation_create(robot, run, &sim, &err); // run: drives: free
///     for (int k = 0; k < 1000 && status == PKM_OK; ++k) {
///         status = pkm_simulation_get(sim, &now, &err);
///         ... force[d] from now.q, now.v ...
///         if (status == PKM_OK) status = pkm_simulation_set_forces(sim, force, &err);
///         if (status == PKM_OK) status = pkm_simulation_step(sim, 1e-3, &err);
///     }
///     pkm_simulation_free(sim);
///
/// All effects of pkm_run_simulate but quasi-static clearance; touches and stick-slip are located
/// inside the steps.
#ifndef PKM_SIMULATION_H
#define PKM_SIMULATION_H

#include "pkm/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_simulation pkm_simulation;

/// Prepare a simulation at t = 0. It works on a robot of its own, made from `robot`, which is only
/// read: threads may make theirs from one robot at the same time. `run` (NULL: no effects) may be
/// freed. It can go to the time `for` of the run; without one to the end of its motion, and without
/// a motion as long as you like.
/// @return statuses of pkm_run_simulate; `out` is then NULL.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_create(const pkm_robot* robot, const pkm_run* run,
                                                       pkm_simulation** out, pkm_error* err);
/// Free `sim`, which may be NULL.
PKM_API void pkm_simulation_free(pkm_simulation* sim);

/// Go on by `dt` [s], exactly but for rounding: where samples of controllers or jumps of loads are
/// within 1e-9 of it, to them.
/// @return PKM_ERR_ARGUMENT for NULL, dt <= 0, a step beyond the end, and while another thread is
/// at
///         work with `sim`; why it cannot go on (PKM_ERR_SINGULAR, PKM_ERR_CONVERGENCE ...), then
///         for every later step too.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_step(pkm_simulation* sim, double dt,
                                                     pkm_error* err);
/// The same, but it ends already where surfaces touch or part inside the step; `early` (not NULL)
/// says so, pkm_simulation_time when.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_step_to_event(pkm_simulation* sim, double dt,
                                                              bool* early, pkm_error* err);
/// Back to t = 0, without the forces that were set.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_rewind(pkm_simulation* sim, pkm_error* err);

/// Back to a state of before: its size [bytes] (0 for NULL), save it, go back to it. The bytes mean
/// something on the same kind of machine only; they fit every simulation of the same robot, the
/// same parameters and the same run. Steps after save and after restore go the same way.
/// @return PKM_ERR_ARGUMENT for NULL, another size or another robot.
PKM_API size_t pkm_simulation_state_size(pkm_simulation* sim);
PKM_API PKM_NODISCARD pkm_status pkm_simulation_save(pkm_simulation* sim, void* bytes, size_t size,
                                                     pkm_error* err);
PKM_API PKM_NODISCARD pkm_status pkm_simulation_restore(pkm_simulation* sim, const void* bytes,
                                                        size_t size, pkm_error* err);

/// Time [s]; NaN for NULL.
PKM_API double pkm_simulation_time(const pkm_simulation* sim);
/// Drives (positions, rates, accelerations, forces) and tool now.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_get(pkm_simulation* sim, pkm_instant* now,
                                                    pkm_error* err);
/// Where its bodies are, for drawing: pose[pkm_robot_n_body], world axes; flexible links without
/// their deflection.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_body_poses(pkm_simulation* sim, pkm_pose* pose,
                                                           pkm_error* err);
/// Forces [N, N m], one per drive, added to what the drives that are not prescribed do.
/// @return PKM_ERR_ARGUMENT for NULL and numbers that are not finite.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_set_forces(pkm_simulation* sim, const double* force,
                                                           pkm_error* err);
/// References of the drives with controllers: positions, velocities, accelerations [m, rad ...],
/// one per drive, from now on in place of those of the motion. A position that is NaN: the
/// motion's, and that of every drive without a controller.
/// @return PKM_ERR_ARGUMENT for NULL, infinite numbers and drives that follow none, by name.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_set_references(pkm_simulation* sim, const double* q,
                                                               const double* v, const double* a,
                                                               pkm_error* err);
/// Force [N] and torque [N m] on the tool, world axes.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_set_wrench(pkm_simulation* sim, pkm_vec3 force,
                                                           pkm_vec3 torque, pkm_error* err);

/// Inputs that the run file names, `{input: NAME}` in place of a force: how many, their names and
/// SI units (NULL: no such input), what they start with (NaN).
PKM_API int pkm_simulation_n_input(const pkm_simulation* sim);
PKM_API const char* pkm_simulation_input_name(const pkm_simulation* sim, int input);
PKM_API const char* pkm_simulation_input_unit(const pkm_simulation* sim, int input);
PKM_API double pkm_simulation_input_start(const pkm_simulation* sim, int input);
/// Set the input `name`, SI, from now on.
/// @return PKM_ERR_ARGUMENT for a name that is none of them and a number that is not finite.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_set_input(pkm_simulation* sim, const char* name,
                                                          double value, pkm_error* err);

/// All else by columns, those of the table of pkm_run_simulate: how many, their names and units
/// (NULL: no such column), and their values now, out[n_column].
PKM_API int pkm_simulation_n_column(const pkm_simulation* sim);
PKM_API const char* pkm_simulation_column_name(const pkm_simulation* sim, int column);
PKM_API const char* pkm_simulation_column_unit(const pkm_simulation* sim, int column);
PKM_API PKM_NODISCARD pkm_status pkm_simulation_read(pkm_simulation* sim, double* out,
                                                     pkm_error* err);

// ---- as an ordinary differential equation -----------------------------------------------------
// For integrators of your own: x' = f(t, x) with x = independent coordinates [m, rad, modal], their
// velocities, further states (controllers, bristles) and integrals (work). All that is dependent
// follows from the loops. Everything but impacts: what jumps in time is an event, and so is a
// change of the coordinates where others tell better where the robot is.

/// From now on somebody else integrates: no more steps. @return PKM_ERR_ARGUMENT with clearance;
/// PKM_ERR_UNDETERMINED where a ball joint turns by itself, so that there are no such coordinates.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_begin_ode(pkm_simulation* sim, pkm_error* err);
/// How many states; 0 before.
PKM_API int pkm_simulation_ode_size(const pkm_simulation* sim);
/// The states now, and the sizes that their tolerances are relative to; both [size], may be NULL.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_get(pkm_simulation* sim, double* x,
                                                        double* nominal, pkm_error* err);
/// Stand at time `t` with the states x [size]. @return PKM_ERR_SINGULAR: the loops do not close
/// there, try nearer to the last accepted states.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_set(pkm_simulation* sim, double t,
                                                        const double* x, pkm_error* err);
/// Rates [size] there, with the forces of now.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_rates(pkm_simulation* sim, double* rate,
                                                          pkm_error* err);
/// A number that falls through zero where the coordinates should change, and where surfaces that
/// slide turn back: there static friction may hold them.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_indicator(pkm_simulation* sim,
                                                              double* indicator, pkm_error* err);
/// The integrator will not go back before the present states: after each of its steps.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_accept(pkm_simulation* sim, pkm_error* err);
/// At the start, at `next` and where the indicator falls through zero: `changed` says that the
/// states are others now (pkm_simulation_ode_get), `next` [s] when the next event is; infinite:
/// none.
PKM_API PKM_NODISCARD pkm_status pkm_simulation_ode_event(pkm_simulation* sim, bool* changed,
                                                          double* next, pkm_error* err);

/// What is to be known beside the numbers, so far: how many sentences, and each (NULL: no such).
PKM_API int pkm_simulation_n_warning(const pkm_simulation* sim);
PKM_API const char* pkm_simulation_warning(const pkm_simulation* sim, int warning);

#ifdef __cplusplus
}
#endif
#endif
