/// Everything the program does, by the names of the command line: `pkm motors MODEL --motors FILE`
/// is
///
///     pkm_call* call;
///     pkm_status status = pkm_call_create("motors", &call, &err);
///     if (status == PKM_OK) status = pkm_call_set(call, "model", "robots/siax.yaml", &err);
///     if (status == PKM_OK) status = pkm_call_set(call, "motors", "motors/servo.yaml", &err);
///     if (status == PKM_OK) status = pkm_call_run(call, &err);
///     const pkm_result* margin = pkm_result_find(pkm_call_result(call), "motors.0.margin");
///     puts(pkm_call_text(call)); // what the program prints
///     pkm_call_free(call);
///
/// A call prints nothing and ends no program. It serves one thread; calls of different threads do
/// not disturb each other. The verb `study` forks its workers: run it before your program has
/// threads.
#ifndef PKM_VERB_H
#define PKM_VERB_H

#include "pkm/result.h"
#include "pkm/robot.h"
#include "pkm/table.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- which there are --------------------------------------------------------------------------
// Verbs and texts live for ever. NULL has nothing.

typedef struct pkm_verb pkm_verb;

/// The verbs in the order of `pkm --help`, kinds of export ("export fmu", "export c") behind
/// "export"; NULL past the last.
PKM_API const pkm_verb* pkm_verb_at(int i);
/// The verb called `name`; NULL when there is none.
PKM_API const pkm_verb* pkm_verb_find(const char* name);
PKM_API const char* pkm_verb_name(const pkm_verb* verb);
PKM_API const char* pkm_verb_summary(const pkm_verb* verb); ///< one line
PKM_API const char* pkm_verb_operand(const pkm_verb* verb); ///< what it works on: "MODEL"

/// The options of a verb, those of all verbs (--set, --json, --help) at the end. NULL and false
/// past the last.
PKM_API int pkm_verb_n_option(const pkm_verb* verb);
PKM_API const char* pkm_verb_option_name(const pkm_verb* verb, int i);     ///< "--motion", "-o"
PKM_API const char* pkm_verb_option_argument(const pkm_verb* verb, int i); ///< "NAME"; NULL: a flag
PKM_API const char* pkm_verb_option_text(const pkm_verb* verb, int i);     ///< what it does
PKM_API bool pkm_verb_option_repeats(const pkm_verb* verb, int i); ///< may be given several times

// ---- a call -----------------------------------------------------------------------------------

typedef struct pkm_call pkm_call;

/// A call of the verb `name`, without options.
/// @return PKM_ERR_ARGUMENT for a verb that is not there, and NULL; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_call_create(const char* name, pkm_call** out, pkm_error* err);
/// Free `call`, which may be NULL, and all that it lent.
PKM_API void pkm_call_free(pkm_call* call);

/// Give an option: `option` by its name without dashes ("motion", "tool-force", "o"), `value` as on
/// the command line; for a flag "true", "false" or NULL, which is true. "model" (also "operand") is
/// what the verb works on: a model file, a study, a folder. Options that may be repeated are given
/// again; "set" takes NAME=VALUE.
/// @return PKM_ERR_ARGUMENT for an option that the verb does not know, given twice, or after the
///         call has run; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_call_set(pkm_call* call, const char* option, const char* value,
                                              pkm_error* err);
/// Give options as the command line has them behind the verb: words[0 ... n-1].
/// @return as pkm_call_set.
PKM_API PKM_NODISCARD pkm_status pkm_call_words(pkm_call* call, int n, const char* const* words,
                                                pkm_error* err);
/// Work on `robot`, which is lent until the call is freed, instead of a model file. The verb begins
/// at home and leaves the robot where its work has ended; motions that options bring are added.
/// Verbs that work on files and folders themselves (view, study, report, analyse ...) refuse.
/// @return PKM_ERR_ARGUMENT.
PKM_API PKM_NODISCARD pkm_status pkm_call_robot(pkm_call* call, pkm_robot* robot, pkm_error* err);
/// Write the folder of a run (tables, plots, manifest) to pkm-out/ when "o" is not given, as the
/// program does. Not asked, verbs that answer without files write none.
PKM_API void pkm_call_write(pkm_call* call, bool always);

/// Called while the verb works: `what` is being done, `fraction` of it is done, 0 when it begins
/// and 1 when it ends. False ends the work, which keeps what it has: PKM_ERR_INTERRUPTED.
typedef bool (*pkm_call_progress)(void* user, const char* what, double fraction);
/// Called with what is said before the answer: lines of text for people (`is_text`), else a message
/// beside it.
typedef void (*pkm_call_hear)(void* user, bool is_text, const char* line);
/// Let `progress` and `hear` be called, each may be NULL, with `user`.
PKM_API void pkm_call_listen(pkm_call* call, pkm_call_progress progress, pkm_call_hear hear,
                             void* user);

/// Do it, once.
/// @return the status for which the program has its exit code (pkm_status_exit_code), with the
///         sentence that it prints in `err`, "" when all has been said to `hear`. An answer may be
///         there all the same: of a run that ended early, of a study with failed cases.
PKM_API PKM_NODISCARD pkm_status pkm_call_run(pkm_call* call, pkm_error* err);

// ---- what it gives ----------------------------------------------------------------------------
// Lent until the call is freed. NULL and 0 for NULL, and before the call has run.

/// The answer as a tree; NULL: there is none (a verb that gives text only, an error).
PKM_API const pkm_result* pkm_call_result(const pkm_call* call);
/// What the program prints, and what it prints with --json. NULL: nothing, or memory is out.
PKM_API const char* pkm_call_text(pkm_call* call);
PKM_API const char* pkm_call_json(pkm_call* call);

/// Tables that the answer was made from: "rows" along a motion or over a map ... NULL past the
/// last.
PKM_API int pkm_call_n_table(const pkm_call* call);
PKM_API const char* pkm_call_table_name(const pkm_call* call, int i);
/// The table called `name`, NULL: the first; NULL when there is none.
PKM_API const pkm_table* pkm_call_table(const pkm_call* call, const char* name);

/// Paths of the files that were written; NULL past the last.
PKM_API int pkm_call_n_file(const pkm_call* call);
PKM_API const char* pkm_call_file(const pkm_call* call, int i);

#ifdef __cplusplus
}
#endif
#endif
