/// A run: which motion, which effects, how long, how exactly, in the keys of the run file
/// (docs/reference/run-file.md). The same object serves every analysis of answer.h.
///
///     pkm_run* run;
///     status = pkm_run_create(robot, &run, &err);
///     if (status == PKM_OK) status = pkm_run_choose(run, "motion", "pick", &err);
///     if (status == PKM_OK)
///         status = pkm_run_choose(run, "friction", "spherical: {static: 0.1, radius: 5 mm}",
///         &err);
///     if (status == PKM_OK) status = pkm_run_simulate(robot, run, &result, &err);
#ifndef PKM_RUN_H
#define PKM_RUN_H

#include "pkm/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_run pkm_run;

/// A run without effects for `robot`, which is lent: it outlives the run. An analysis may use the
/// run with any robot that has the names it speaks of, and only reads it: threads may share it,
/// each with a robot of its own.
/// @return PKM_ERR_ARGUMENT for NULL; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_run_create(const pkm_robot* robot, pkm_run** out,
                                                pkm_error* err);
/// Free `run`, which may be NULL.
PKM_API void pkm_run_free(pkm_run* run);

/// Take the choices of the run file `path`, or of its text in memory; `name` stands for the file in
/// messages. Later choices are put over earlier ones.
/// @return PKM_ERR_FILE, PKM_ERR_SYNTAX, PKM_ERR_MODEL with file, line and column;
///         PKM_ERR_ARGUMENT for NULL; PKM_ERR_MEMORY. The choices before then stand.
PKM_API PKM_NODISCARD pkm_status pkm_run_read(pkm_run* run, const char* path, pkm_error* err);
PKM_API PKM_NODISCARD pkm_status pkm_run_parse(pkm_run* run, const char* text, const char* name,
                                               pkm_error* err);

/// Take one choice: `value` is YAML (so JSON too), with units and expressions as in files. Keys are
/// those of the run file, and those with which single analyses are told more:
///
///     method       engine | closed              inverse, workspace
///     verify       true: repeat by other means, for error bars    simulate, elastodynamics
///     at           [x, y, z] or [x, y, z, roll, pitch, yaw] of the tool   modes, stiffness,
///     envelope modes        how many                     modes weight       true: with the
///     stiffness of static forces      modes, stiffness step, repeat, coupling, stiffening,
///     periodic                elastodynamics slice        {z: -0.9 m}; volume: true; points: 101;
///     grid: [[from, to, n], ...] per axis;
///                  orientation: [roll, pitch, yaw]; branch: 1     workspace
///
/// What is wrong for all analyses is refused here and by pkm_run_read, what only one of them does
/// not take by that one: a clearance without what a contact needs is one for pkm_run_envelope.
/// @return PKM_ERR_ARGUMENT for NULL and unknown keys; else as above.
PKM_API PKM_NODISCARD pkm_status pkm_run_choose(pkm_run* run, const char* key, const char* value,
                                                pkm_error* err);

/// Key `i` of the run file, or of those above for single analyses; NULL past the last.
PKM_API const char* pkm_run_key(int i);
PKM_API const char* pkm_run_task_key(int i);

/// Does the analysis take all that is chosen? `analysis`: "inverse", "simulate", "modes",
/// "stiffness", "elastodynamics", "envelope", "workspace".
/// @return PKM_OK; PKM_ERR_ARGUMENT with a sentence that names the effect and who takes it.
PKM_API PKM_NODISCARD pkm_status pkm_run_check(const pkm_run* run, const char* analysis,
                                               pkm_error* err);

/// A force of your own on the coordinate of a revolute or prismatic joint at time t [s]: given its
/// position q [m, rad] and rate v [m/s, rad/s], return the force [N] or torque [N m] on it.
/// Integrators call it many times a step, back and forth in time: it has no memory of its own, and
/// is smooth where the tolerances are to be kept.
typedef double (*pkm_joint_force_fn)(void* user, double t, double q, double v);

/// Let `force` act on the joint called `joint`, beside all else: a friction law, a spring. Taken by
/// inverse and simulate, where its work is counted as damping.
/// @return PKM_ERR_ARGUMENT for NULL, no such joint or one of another type; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_run_add_force(pkm_run* run, const char* joint,
                                                   pkm_joint_force_fn force, void* user,
                                                   pkm_error* err);

/// A controller of your own: asked at t = 0 and then every period, with the positions and rates of
/// drives and tool (`now`; its accelerations and forces are zero), it puts forces [N, N m] to
/// `force`, one per drive, where those of the last time stand; they act until it is asked again.
/// @return false: stop the simulation, with PKM_ERR_INTERRUPTED.
typedef bool (*pkm_controller_fn)(void* user, double t, const pkm_instant* now, double* force);

/// Let `control` drive the simulations of the run, every `period` [s]: its forces are added to what
/// the drives that are not prescribed do (`drives: free`). NULL: nobody does. A run that is
/// repeated (the key `verify`) asks it from t = 0 on again. Taken by simulate and
/// pkm_simulation_create; a force that is not finite ends a simulation with PKM_ERR_NUMBERS.
/// @return PKM_ERR_ARGUMENT for NULL and a period that is not > 0.
PKM_API PKM_NODISCARD pkm_status pkm_run_set_controller(pkm_run* run, double period,
                                                        pkm_controller_fn control, void* user,
                                                        pkm_error* err);

/// Call `progress` about once a row (of simulations: once a step) with the fraction done; when it
/// returns false the analysis ends with PKM_ERR_INTERRUPTED and what it has. NULL: nobody asks.
PKM_API void pkm_run_set_progress(pkm_run* run, pkm_progress_fn progress, void* user);

#ifdef __cplusplus
}
#endif
#endif
