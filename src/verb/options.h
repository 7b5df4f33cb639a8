/// Options of the verbs: parsing, help, manual page and completion come from their tables. Options
/// that several verbs have stand once in pkm_verb_shared; a verb names them.
#ifndef PKM_VERB_OPTIONS_H
#define PKM_VERB_OPTIONS_H

#include "pkm/verb.h"
#include "write/stream.h"

enum { VERB_MAX_SET = 64, VERB_MAX_OPTION = 32, VERB_MAX_GIVEN = 128, VERB_TEXT = 600 };

/// An option that a verb knows. With a name alone it is that of pkm_verb_shared.
typedef struct pkm_verb_option {
    const char* name;     ///< "--motion", "-o"
    const char* argument; ///< what follows it, for the help: "NAME"; NULL for a flag
    const char* text;     ///< for the help; NULL: the sentence of `key`
    const char* key;      ///< of the run file, which it sets; NULL: none
    bool repeats;         ///< it may be given several times
    const char* with;     ///< "--along --map": refused without one of these; NULL: stands alone
} pkm_verb_option;

/// A pose, and choices of the linear analyses: names of shared options for the lists of verbs.
#define VERB_POSE_OPTIONS                                                                          \
    {.name = "--at"},                                                                              \
    {                                                                                              \
        .name = "--drives"                                                                         \
    }
#define VERB_LINEAR_OPTIONS                                                                        \
    {.name = "--flexible"}, {.name = "--drives-are"}, {.name = "--load"}, {.name = "--payload"},   \
        {.name = "--tool-force"},                                                                  \
    {                                                                                              \
        .name = "--run"                                                                            \
    }

/// An option that may be repeated, as given once.
typedef struct pkm_verb_given {
    int option;
    const char* value;
} pkm_verb_given;

/// What the user gave. Texts live as long as the call.
typedef struct pkm_verb_arguments {
    const pkm_verb* verb;
    pkm_call* call; ///< whose arguments they are (verb/call.h)
    const char* model;
    const char*
        value[VERB_MAX_OPTION]; ///< per option: its argument, "" for a flag, NULL: not given
    pkm_verb_given given[VERB_MAX_GIVEN]; ///< options that may be repeated, in order
    int n_given;
    pkm_override set[VERB_MAX_SET];
    char set_text[VERB_MAX_SET][128]; ///< the names of `set`
    int n_set;
    bool help;
} pkm_verb_arguments;

struct pkm_verb {
    const char* name;
    const char* operand;           ///< "MODEL"
    const char* text;              ///< one line
    const char* help;              ///< a few sentences
    const char *example, *another; ///< command lines that work
    const pkm_verb_option* option;
    int n_option;
    bool writes;                  ///< results to pkm-out/... when -o is not given
    const pkm_verb* const* kinds; ///< verbs of which its first word chooses one, ended by NULL
    /// Answer the call whose arguments these are (verb/commands.h).
    pkm_status (*run)(const pkm_verb_arguments* args, pkm_error* err);
};

/// A verb's own options: an array.
#define VERB_OPTIONS(array) .option = (array), .n_option = sizeof(array) / sizeof(array)[0]

/// The i-th option of a verb, then --set, --json, --help, which all have; NULL past the last.
const pkm_verb_option* pkm_verb_option_at(const pkm_verb* verb, int i);
/// What an option does, as the reference page has it.
const char* pkm_verb_option_sentence(const pkm_verb_option* option);
/// The same for the help, without the marks of the page.
void pkm_verb_option_help(const pkm_verb_option* option, char out[VERB_TEXT]);
/// The words that may follow an option, ended by NULL; NULL: something else.
const char* const* pkm_verb_option_words(const pkm_verb_option* option);

/// Take words as the command line has them, behind those that were taken before. PKM_ERR_ARGUMENT
/// in one sentence.
PKM_NODISCARD pkm_status pkm_verb_take_words(pkm_verb_arguments* args, int n,
                                             const char* const* words, pkm_error* err);
/// Take the option `name`, without its dashes; `value` NULL or "true" for a flag.
PKM_NODISCARD pkm_status pkm_verb_take(pkm_verb_arguments* args, const char* name,
                                       const char* value, pkm_error* err);
/// Is there what the verb works on, and beside each option what it is meant for?
PKM_NODISCARD pkm_status pkm_verb_check_given(const pkm_verb_arguments* args, pkm_error* err);

/// The argument of option `name`, "" for a flag that was given, NULL when it was not.
const char* pkm_verb_get(const pkm_verb_arguments* args, const char* name);
bool pkm_verb_has(const pkm_verb_arguments* args, const char* name);
/// The k-th argument of an option that may be repeated, from 0; NULL past the last.
const char* pkm_verb_get_nth(const pkm_verb_arguments* args, const char* name, int k);

/// What --help says.
void pkm_verb_write_help(const pkm_verb* verb, pkm_stream* out);

/// The value of one number with an optional unit; `what` names it in messages.
PKM_NODISCARD pkm_status pkm_verb_number(const char* text, const char* unit, const char* what,
                                         double* out, pkm_error* err);
/// Numbers separated by commas, at most `max`; each with the unit unit[i] unless one is written.
PKM_NODISCARD pkm_status pkm_verb_numbers(const char* text, const char* const* unit,
                                          const char* what, int max, double* out, int* n,
                                          pkm_error* err);
/// A whole number of at least `least`.
PKM_NODISCARD pkm_status pkm_verb_integer(const char* text, int least, const char* what, int* out,
                                          pkm_error* err);

#endif
