/// Options of the verbs: parsing, help, manual page and completion come from their tables. Options
/// that several verbs have stand once in cli_shared; a verb names them.
#ifndef PKM_VERB_OPTIONS_H
#define PKM_VERB_OPTIONS_H

#include "pkm/verb.h"
#include "write/stream.h"

enum { CLI_MAX_SET = 64, CLI_MAX_OPTION = 32, CLI_MAX_GIVEN = 128, CLI_TEXT = 600 };

/// An option that a verb knows. With a name alone it is that of cli_shared.
typedef struct cli_option {
    const char* name;     ///< "--motion", "-o"
    const char* argument; ///< what follows it, for the help: "NAME"; NULL for a flag
    const char* text;     ///< for the help; NULL: the sentence of `key`
    const char* key;      ///< of the run file, which it sets; NULL: none
    bool repeats;         ///< it may be given several times
} cli_option;

/// An option that may be repeated, as given once.
typedef struct cli_given {
    int option;
    const char* value;
} cli_given;

/// What the user gave. Texts live as long as the call.
typedef struct cli_arguments {
    const pkm_verb* verb;
    pkm_call* call; ///< whose arguments they are (verb/call.h)
    const char* model;
    const char* value[CLI_MAX_OPTION]; ///< per option: its argument, "" for a flag, NULL: not given
    cli_given given[CLI_MAX_GIVEN];    ///< options that may be repeated, in order
    int n_given;
    pkm_override set[CLI_MAX_SET];
    char set_text[CLI_MAX_SET][128]; ///< the names of `set`
    int n_set;
    bool help;
} cli_arguments;

struct pkm_verb {
    const char* name;
    const char* operand;           ///< "MODEL"
    const char* text;              ///< one line
    const char* help;              ///< a few sentences
    const char *example, *another; ///< command lines that work
    const cli_option* option;
    int n_option;
    bool writes;                  ///< results to pkm-out/... when -o is not given
    const pkm_verb* const* kinds; ///< verbs of which its first word chooses one, ended by NULL
    /// Answer the call whose arguments these are (verb/commands.h).
    pkm_status (*run)(const cli_arguments* args, pkm_error* err);
};

/// The i-th option of a verb, then --set, --json, --help, which all have; NULL past the last.
const cli_option* cli_option_at(const pkm_verb* verb, int i);
/// What an option does, as the reference page has it.
const char* cli_option_sentence(const cli_option* option);
/// The same for the help, without the marks of the page.
void cli_option_text(const cli_option* option, char out[CLI_TEXT]);
/// The words that may follow an option, ended by NULL; NULL: something else.
const char* const* cli_option_words(const cli_option* option);

/// Take words as the command line has them, behind those that were taken before. PKM_ERR_ARGUMENT
/// in one sentence.
PKM_NODISCARD pkm_status cli_take_words(cli_arguments* args, int n, const char* const* words,
                                        pkm_error* err);
/// Take the option `name`, without its dashes; `value` NULL or "true" for a flag.
PKM_NODISCARD pkm_status cli_take(cli_arguments* args, const char* name, const char* value,
                                  pkm_error* err);
/// Is there what the verb works on?
PKM_NODISCARD pkm_status cli_check_operand(const cli_arguments* args, pkm_error* err);

/// The argument of option `name`, "" for a flag that was given, NULL when it was not.
const char* cli_get(const cli_arguments* args, const char* name);
bool cli_has(const cli_arguments* args, const char* name);
/// The k-th argument of an option that may be repeated, from 0; NULL past the last.
const char* cli_get_nth(const cli_arguments* args, const char* name, int k);

/// What --help says.
void cli_write_help(const pkm_verb* verb, pkm_stream* out);

/// The value of one number with an optional unit; `what` names it in messages.
PKM_NODISCARD pkm_status cli_number(const char* text, const char* unit, const char* what,
                                    double* out, pkm_error* err);
/// Numbers separated by commas, at most `max`; each with the unit unit[i] unless one is written.
PKM_NODISCARD pkm_status cli_numbers(const char* text, const char* const* unit, const char* what,
                                     int max, double* out, int* n, pkm_error* err);
/// A whole number of at least `least`.
PKM_NODISCARD pkm_status cli_integer(const char* text, int least, const char* what, int* out,
                                     pkm_error* err);

#endif
