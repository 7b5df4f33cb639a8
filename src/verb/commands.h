/// The verbs of the program, and what they share.
#ifndef PKM_VERB_COMMANDS_H
#define PKM_VERB_COMMANDS_H

#include "run/run.h"
#include "table/result.h"
#include "verb/options.h"

/// The verbs in the order of the help: the one list.
#define VERB_LIST(X)                                                                               \
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
    VERB_OUTSIDE_VERBS(X)
#ifdef __wasi__ // where there are neither processes nor databases
#define VERB_OUTSIDE_VERBS(X)
#else
#define VERB_OUTSIDE_VERBS(X)                                                                      \
    X(study)                                                                                       \
    X(report)                                                                                      \
    X(view)                                                                                        \
    X(export)
#endif
#define VERB_DECLARE_VERB(name) extern const pkm_verb pkm_verb_##name;
VERB_LIST(VERB_DECLARE_VERB)
#undef VERB_DECLARE_VERB
extern const pkm_verb pkm_verb_export_fmu, pkm_verb_export_c; // kinds of export

/// The i-th verb, without kinds; NULL past the last.
const pkm_verb* pkm_verb_top(int i);

// ---- what a verb asks of its call -------------------------------------------------------------

/// The robot, loaded or lent; the call frees it. A folder that cannot be written is found here.
PKM_NODISCARD pkm_status pkm_verb_begin(const pkm_verb_arguments* args, pkm_robot** robot,
                                        pkm_error* err);
/// The same without a look at the folder.
PKM_NODISCARD pkm_status pkm_verb_load(const pkm_verb_arguments* args, pkm_robot** robot,
                                       pkm_error* err);
/// Zeroed memory that lives as long as the call, for work too large for the stack. NULL: memory is
/// out, which is in `err`.
void* pkm_verb_work(const pkm_verb_arguments* args, size_t size, pkm_error* err);
/// Is the folder of a run written?
bool pkm_verb_writes(const pkm_verb_arguments* args);

/// The tree of the answer, which the verb fills and the call frees.
pkm_result* pkm_verb_result(const pkm_verb_arguments* args);
/// A table of the answer, which the call frees; `name` lives for ever. NULL: memory is out.
pkm_table* pkm_verb_table(const pkm_verb_arguments* args, const char* name);
/// The answer is complete; people read it by the template `form` (report/render.h), which lives for
/// ever.
PKM_NODISCARD pkm_status pkm_verb_show(const pkm_verb_arguments* args, const char* form,
                                       pkm_error* err);
/// A verb that gives text without a tree writes it here.
pkm_stream* pkm_verb_said(const pkm_verb_arguments* args);
/// Say a line of the text before the answer is complete.
void pkm_verb_say(const pkm_verb_arguments* args, const char* format, ...) PKM_PRINTF(2, 3);
/// Say something beside the answer: one sentence.
void pkm_verb_note(const pkm_verb_arguments* args, const pkm_error* err);
/// A file of the answer has been written: FOLDER/FILE, or FILE when `folder` is NULL.
void pkm_verb_wrote(const pkm_verb_arguments* args, const char* folder, const char* file);

/// A piece of work of which the caller hears.
typedef struct pkm_verb_progress {
    const pkm_verb_arguments* args;
    const char* what; ///< "inverse dynamics"; lent
} pkm_verb_progress;
pkm_verb_progress pkm_verb_progress_begin(const pkm_verb_arguments* args, const char* what);
/// For analyses, which report to a pkm_verb_progress and ask whether to go on.
bool pkm_verb_progress_tick(void* progress, double fraction);
void pkm_verb_progress_end(const pkm_verb_progress* progress);
/// Has the caller asked to stop? Keep the rows, answer with PKM_ERR_INTERRUPTED.
bool pkm_verb_stopped(const pkm_verb_arguments* args);

// ---- choices that verbs share -----------------------------------------------------------------

/// The option --tool-force; the vectors stay as they are when it was not given.
PKM_NODISCARD pkm_status pkm_verb_tool_force(const pkm_verb_arguments* args, pkm_vec3* force,
                                             pkm_vec3* torque, pkm_error* err);

/// The motion that `option` names (NULL: the first), or gives as in a model file: `{duration:
/// ...}`. `motion` and `index` may be NULL.
PKM_NODISCARD pkm_status pkm_verb_find_motion(const pkm_verb_arguments* args, const char* option,
                                              pkm_robot* robot, pkm_motion** motion, int* index,
                                              pkm_error* err);

/// Make the choices of --run and of the options that are keys of the run file, in this order.
PKM_NODISCARD pkm_status pkm_verb_choose(pkm_run* run, const pkm_verb_arguments* args,
                                         pkm_error* err);
/// The run of a verb that is an analysis of pkm/answer.h, with these choices; free it with
/// pkm_run_free. Then, when the verb has put what else was asked of it into `run->asked`, its end
/// (pkm_run_complete_for).
PKM_NODISCARD pkm_status pkm_verb_run_begin(const pkm_verb_arguments* args, const pkm_robot* robot,
                                            pkm_run** out, pkm_error* err);
PKM_NODISCARD pkm_status pkm_verb_run_complete(const pkm_verb_arguments* args, pkm_run* run,
                                               pkm_error* err);

#endif
