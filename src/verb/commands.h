/// The verbs of the program, and what they share.
#ifndef PKM_VERB_COMMANDS_H
#define PKM_VERB_COMMANDS_H

#include "run/run.h"
#include "table/result.h"
#include "verb/options.h"

/// The verbs in the order of the help: the one list.
#define CLI_VERBS(X)                                                                               \
    X(check)                                                                                       \
    X(ik)                                                                                          \
    X(fk)                                                                                          \
    X(inverse)                                                                                     \
    X(compare)                                                                                     \
    X(simulate)                                                                                    \
    X(envelope)                                                                                    \
    X(workspace)                                                                                   \
    X(elastodynamics)                                                                              \
    X(modes_verb)                                                                                  \
    X(stiffness)                                                                                   \
    X(analyse)                                                                                     \
    X(effects)                                                                                     \
    X(matrices)                                                                                    \
    X(motors)                                                                                      \
    X(fastest)                                                                                     \
    X(shape)                                                                                       \
    X(draw_verb)                                                                                   \
    X(plot_verb)                                                                                   \
    X(schema)                                                                                      \
    X(completion)                                                                                  \
    CLI_OUTSIDE_VERBS(X)
#ifdef __wasi__ // where there are neither processes nor databases
#define CLI_OUTSIDE_VERBS(X)
#else
#define CLI_OUTSIDE_VERBS(X)                                                                       \
    X(study)                                                                                       \
    X(report)                                                                                      \
    X(view)                                                                                        \
    X(export)
#endif
#define CLI_DECLARE_VERB(name) extern const pkm_verb cli_##name;
CLI_VERBS(CLI_DECLARE_VERB)
#undef CLI_DECLARE_VERB
extern const pkm_verb cli_export_fmu, cli_export_c; // kinds of export

/// The i-th verb, without kinds; NULL past the last.
const pkm_verb* cli_verb_at(int i);

// ---- what a verb asks of its call -------------------------------------------------------------

/// The robot, loaded or lent; the call frees it. A folder that cannot be written is found here.
PKM_NODISCARD pkm_status cli_begin(const cli_arguments* args, pkm_robot** robot, pkm_error* err);
/// The same without a look at the folder.
PKM_NODISCARD pkm_status cli_load(const cli_arguments* args, pkm_robot** robot, pkm_error* err);
/// Zeroed memory that lives as long as the call, for work too large for the stack. NULL: memory is
/// out, which is in `err`.
void* cli_work(const cli_arguments* args, size_t size, pkm_error* err);
/// Is the folder of a run written?
bool cli_writes(const cli_arguments* args);

/// The tree of the answer, which the verb fills and the call frees.
pkm_result* cli_result(const cli_arguments* args);
/// A table of the answer, which the call frees; `name` lives for ever. NULL: memory is out.
pkm_table* cli_table(const cli_arguments* args, const char* name);
/// The answer is complete; people read it by the template `form` (report/render.h), which lives for
/// ever.
PKM_NODISCARD pkm_status cli_show(const cli_arguments* args, const char* form, pkm_error* err);
/// A verb that gives text without a tree writes it here.
pkm_stream* cli_said(const cli_arguments* args);
/// Say a line of the text before the answer is complete.
void cli_say(const cli_arguments* args, const char* format, ...) PKM_PRINTF(2, 3);
/// Say something beside the answer: one sentence.
void cli_note(const cli_arguments* args, const pkm_error* err);
/// A file of the answer has been written: FOLDER/FILE, or FILE when `folder` is NULL.
void cli_wrote(const cli_arguments* args, const char* folder, const char* file);

/// A piece of work of which the caller hears.
typedef struct cli_progress {
    const cli_arguments* args;
    const char* what; ///< "inverse dynamics"; lent
} cli_progress;
cli_progress cli_progress_begin(const cli_arguments* args, const char* what);
/// For analyses, which report to a cli_progress and ask whether to go on.
bool cli_progress_tick(void* progress, double fraction);
void cli_progress_end(const cli_progress* progress);
/// Has the caller asked to stop? Keep the rows, answer with PKM_ERR_INTERRUPTED.
bool cli_stopped(const cli_arguments* args);

// ---- choices that verbs share -----------------------------------------------------------------

/// The option --tool-force; the vectors stay as they are when it was not given.
PKM_NODISCARD pkm_status cli_tool_force(const cli_arguments* args, pkm_vec3* force,
                                        pkm_vec3* torque, pkm_error* err);

/// The motion that `option` names (NULL: the first), or gives as in a model file: `{duration:
/// ...}`. `motion` and `index` may be NULL.
PKM_NODISCARD pkm_status cli_find_motion(const cli_arguments* args, const char* option,
                                         pkm_robot* robot, pkm_motion** motion, int* index,
                                         pkm_error* err);

/// Does the analysis of the verb take all that the run chooses (run/takes.h)?
PKM_NODISCARD pkm_status cli_require(const cli_arguments* args, const pkm_run* run, pkm_error* err);

/// Make the choices of --run and of the options that are keys of the run file, in this order.
PKM_NODISCARD pkm_status cli_choose(pkm_run* run, const cli_arguments* args, pkm_error* err);

#endif
