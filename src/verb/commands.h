/// The verbs of the program, and what they share.
#ifndef PKM_VERB_COMMANDS_H
#define PKM_VERB_COMMANDS_H

#include "run/run.h"
#include "table/result.h"
#include "verb/options.h"
#include "write/json.h"

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
    X(draw_verb)                                                                                   \
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
#define CLI_DECLARE_VERB(name) extern const cli_verb cli_##name;
CLI_VERBS(CLI_DECLARE_VERB)
#undef CLI_DECLARE_VERB
extern const cli_verb cli_export_fmu, cli_export_c; // kinds of export

/// The i-th verb; NULL past the last.
const cli_verb* cli_verb_at(int i);

/// Parse the arguments, print the help if asked, load the robot. When the verb is already done
/// (help, or an error, which has been printed) this returns false and sets `exit_code`.
bool cli_begin(const cli_verb* verb, int argc, char** argv, cli_arguments* args, pkm_robot** robot,
               int* exit_code);

/// A JSON writer on stdout, and its end (the exit code).
typedef struct cli_json {
    pkm_stream* stream;
    pkm_json json;
} cli_json;
bool cli_json_begin(cli_json* out);
int cli_json_end(cli_json* out);

/// Print a result: as JSON where that was asked for, else by the template `form` (report/render.h).
/// Returns the exit code.
int cli_show(const cli_arguments* args, const pkm_result* result, const char* form);

/// The option --tool-force; the vectors stay as they are when it was not given.
PKM_NODISCARD pkm_status cli_tool_force(const cli_arguments* args, pkm_vec3* force,
                                        pkm_vec3* torque, pkm_error* err);

/// The motion that `option` names (NULL: the first), or gives as in a model file: `{duration:
/// ...}`. `motion` and `index` may be NULL.
PKM_NODISCARD pkm_status cli_find_motion(const cli_arguments* args, const char* option,
                                         pkm_robot* robot, pkm_motion** motion, int* index,
                                         pkm_error* err);

/// Make the choices of --run and of the options that are keys of the run file, in this order.
PKM_NODISCARD pkm_status cli_choose(pkm_run* run, const cli_arguments* args, pkm_error* err);

#endif
