/// The analyses, each by one call, and what they give: the tree of results that the verb of the
/// same name prints with --json, its numbers with names and units, tables, peaks, warnings. Choices
/// come from a pkm_run; NULL stands for one without effects.
///
///     pkm_answer* answer;
///     pkm_status status = pkm_run_simulate(robot, run, &answer, &err);
///     const double residual = pkm_answer_value(answer, "energy.residual");
///     const pkm_table* rows = pkm_answer_table(answer, "rows");
///     pkm_answer_free(answer);
///
/// A run that ends early (exit codes 3, 5 and 130 of its status) leaves an answer with the rows it
/// has; after every other failure the answer is NULL. A robot serves one thread at a time.
#ifndef PKM_ANSWER_H
#define PKM_ANSWER_H

#include "pkm/result.h"
#include "pkm/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_answer pkm_answer;

// ---- the analyses -----------------------------------------------------------------------------
// @return what the run is refused for (PKM_ERR_ARGUMENT, PKM_ERR_MODEL, PKM_ERR_SYNTAX), that no
//         answer was found (PKM_ERR_UNREACHABLE, PKM_ERR_SINGULAR, PKM_ERR_CONVERGENCE,
//         PKM_ERR_UNDETERMINED, PKM_ERR_NUMBERS), PKM_ERR_BUDGET, PKM_ERR_INTERRUPTED,
//         PKM_ERR_MEMORY.

/// Drive forces along the motion: table "rows" as pkm_inverse_run has it; values energy.*,
/// drives.*.
PKM_API PKM_NODISCARD pkm_status pkm_run_inverse(pkm_robot* robot, const pkm_run* run,
                                                 pkm_answer** out, pkm_error* err);
/// What the robot does when drives, friction and loads act on it (with `fidelity: seated`
/// quasi-statically): table "rows"; values energy.*, drives.*, peaks.*, integration.*.
PKM_API PKM_NODISCARD pkm_status pkm_run_simulate(pkm_robot* robot, const pkm_run* run,
                                                  pkm_answer** out, pkm_error* err);
/// Natural frequencies at home, or where `at` says: table "modes"; values modes.0.frequency
/// [Hz] ... Without `flexible` every link bends that can.
PKM_API PKM_NODISCARD pkm_status pkm_run_modes(pkm_robot* robot, const pkm_run* run,
                                               pkm_answer** out, pkm_error* err);
/// Stiffness at the tool: tables "compliance" and, unless some direction is rigid, "stiffness" (6 x
/// 6 over x y z rx ry rz); values shifts.0.compliance [m/N], turns.0.compliance ... of the
/// principal directions, sag.* and deflection.*, shares.*.
PKM_API PKM_NODISCARD pkm_status pkm_run_stiffness(pkm_robot* robot, const pkm_run* run,
                                                   pkm_answer** out, pkm_error* err);
/// Flexible links on the rigid motion, linear: table "rows"; values step, steps,
/// lowest_frequency, peaks.*.
PKM_API PKM_NODISCARD pkm_status pkm_run_elastodynamics(pkm_robot* robot, const pkm_run* run,
                                                        pkm_answer** out, pkm_error* err);
/// Largest errors of the tool over all positions that clearance leaves the joints: with a motion
/// chosen table "rows" along it, else of the extreme poses; values axes.*, shift, turn, joints.*.
PKM_API PKM_NODISCARD pkm_status pkm_run_envelope(pkm_robot* robot, const pkm_run* run,
                                                  pkm_answer** out, pkm_error* err);
/// What the tool reaches: table "points" as pkm_workspace_plan_map has it; values size, size_error,
/// reachable, best.condition ...
PKM_API PKM_NODISCARD pkm_status pkm_run_workspace(pkm_robot* robot, const pkm_run* run,
                                                   pkm_answer** out, pkm_error* err);

// ---- what they give ---------------------------------------------------------------------------
// Names, units and tables are lent until the answer is freed. NULL answers have nothing.

/// Free `answer`, which may be NULL.
PKM_API void pkm_answer_free(pkm_answer* answer);
/// "inverse", "simulate" ...; NULL for NULL.
PKM_API const char* pkm_answer_analysis(const pkm_answer* answer);
/// False when the analysis ended early: the rows up to there are right, and no more.
PKM_API bool pkm_answer_is_complete(const pkm_answer* answer);

/// The tree (pkm/result.h). wall_time is not known in it: answers repeat bit for bit.
PKM_API const pkm_result* pkm_answer_result(const pkm_answer* answer);

/// Its numbers in their order, each called by its path (pkm_result_find), those of a list of
/// numbers with their place: "energy.residual", "drives.0.rms_force", "sag.2"; `name` and `unit`
/// give NULL and `value_at` NaN past the last.
PKM_API int pkm_answer_n_value(const pkm_answer* answer);
PKM_API const char* pkm_answer_value_name(const pkm_answer* answer, int i);
PKM_API const char* pkm_answer_value_unit(const pkm_answer* answer, int i);
PKM_API double pkm_answer_value_at(const pkm_answer* answer, int i);
/// The value called `name`; NaN when there is none, or when it is not known.
PKM_API double pkm_answer_value(const pkm_answer* answer, const char* name);

/// Tables in their order; NULL past the last.
PKM_API int pkm_answer_n_table(const pkm_answer* answer);
PKM_API const char* pkm_answer_table_name(const pkm_answer* answer, int i);
/// The table called `name`, NULL: the first; NULL when there is none.
PKM_API const pkm_table* pkm_answer_table(const pkm_answer* answer, const char* name);

/// The largest magnitude of a column of the first table, with its sign, and when, between the rows
/// too. `error_bar` is how far repetitions by other means moved it (the key `verify`), else NaN;
/// `chaotic`, that they moved it so far that it is no answer. `t`, `error_bar` and `chaotic` may be
/// NULL.
/// @return PKM_ERR_ARGUMENT for a column that is not there, or a table without rows.
PKM_API PKM_NODISCARD pkm_status pkm_answer_peak(const pkm_answer* answer, const char* column,
                                                 double* value, double* t, double* error_bar,
                                                 bool* chaotic);

/// Warnings: what a user must know beside the numbers. NULL and NaN past the last.
PKM_API int pkm_answer_n_warning(const pkm_answer* answer);
PKM_API const char* pkm_answer_warning_kind(const pkm_answer* answer, int i);
PKM_API const char* pkm_answer_warning_text(const pkm_answer* answer, int i);
PKM_API double pkm_answer_warning_time(const pkm_answer* answer, int i); ///< [s]; NaN: none

/// All of it as JSON text: values, peaks, warnings, and with `rows` the tables. Free it with
/// pkm_text_free. @return NULL when memory is out, and for NULL.
PKM_API char* pkm_answer_json(const pkm_answer* answer, bool rows);
PKM_API void pkm_text_free(char* text);

#ifdef __cplusplus
}
#endif
#endif
