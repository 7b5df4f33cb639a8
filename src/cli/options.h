/// Options of the verbs: one table per verb gives parsing and help.
#ifndef PKM_CLI_OPTIONS_H
#define PKM_CLI_OPTIONS_H

#include "model/description.h"
#include "pkm/status.h"
#include "pkm/types.h"

#include <stdbool.h>

enum { CLI_MAX_SET = 64, CLI_MAX_OPTION = 32, CLI_MAX_GIVEN = 128 };

/// An option that a verb knows.
typedef struct cli_option {
    const char* name;     ///< "--motion", "-o"
    const char* argument; ///< what follows it, for the help: "NAME"; NULL for a flag
    const char* text;     ///< one line for the help; where it says "may be repeated" it may be
} cli_option;

/// An option that may be repeated, as given once.
typedef struct cli_given {
    int option;
    const char* value;
} cli_given;

typedef struct cli_verb {
    const char* name;
    const char* operand;           ///< "MODEL"
    const char* text;              ///< one line
    const char* help;              ///< a few sentences
    const char *example, *another; ///< command lines that work
    const cli_option* option;
    int n_option;
    bool writes; ///< results to pkm-out/... when -o is not given
    int (*run)(const struct cli_verb* verb, int argc, char** argv);
} cli_verb;

/// What the user gave.
typedef struct cli_arguments {
    const cli_verb* verb;
    const char* model;
    const char* value[CLI_MAX_OPTION]; ///< per option: its argument, "" for a flag, NULL: not given
    cli_given given[CLI_MAX_GIVEN];    ///< options that may be repeated, in order
    int n_given;
    pkm_override set[CLI_MAX_SET];
    char set_text[CLI_MAX_SET][128]; ///< the names of `set`
    int n_set;
    bool help;
} cli_arguments;

/// Options that every verb has: --set, --json, --help.
extern const cli_option cli_common[];
extern const int cli_n_common;

/// Parse argv (without program and verb). PKM_ERR_ARGUMENT in one sentence.
PKM_NODISCARD pkm_status cli_parse(const cli_verb* verb, int argc, char** argv, cli_arguments* out,
                                   pkm_error* err);
/// The argument of option `name`, "" for a flag that was given, NULL when it was not.
const char* cli_get(const cli_arguments* args, const char* name);
bool cli_has(const cli_arguments* args, const char* name);
/// The k-th argument of an option that may be repeated, from 0; NULL past the last.
const char* cli_get_nth(const cli_arguments* args, const char* name, int k);

bool cli_repeats(const cli_option* option);

void cli_print_help(const cli_verb* verb);

/// The value of one number with an optional unit; `what` names it in messages.
PKM_NODISCARD pkm_status cli_number(const char* text, const char* unit, const char* what,
                                    double* out, pkm_error* err);
/// Numbers separated by commas, at most `max`; each with the unit unit[i] unless one is written.
PKM_NODISCARD pkm_status cli_numbers(const char* text, const char* const* unit, const char* what,
                                     int max, double* out, int* n, pkm_error* err);
/// A whole number of at least `least`.
PKM_NODISCARD pkm_status cli_integer(const char* text, int least, const char* what, int* out,
                                     pkm_error* err);

/// Print `err` as one line on stderr; returns the exit code.
int cli_fail(const pkm_error* err);

#endif
