// Options as tables: a verb's own beside those that several share. Sentence, words and bounds of an
// option that is a key of the run file are those of the key.
#include "verb/options.h"

#include "base/error.h"
#include "model/expression.h"
#include "model/nearest.h"
#include "model/source.h"
#include "model/units.h"
#include "run/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the options ------------------------------------------------------------------------------

/// Options of several verbs. What those with a key take is said by the key (run/run.c).
static const pkm_verb_option shared[] = {
    {"--motion", "NAME", .key = "motion"},
    {"--for", "TIME", .key = "for"},
    {"--drive", "HOW", .key = "drives", .repeats = true},
    {"--friction", "JOINTS: {...}", .key = "friction", .repeats = true},
    {"--clearance", "JOINTS: {...}", .key = "clearance", .repeats = true},
    {"--flexible", "BODIES: {...}", .key = "flexible", .repeats = true},
    {"--load", "NAME: {...}", .key = "loads", .repeats = true},
    {"--payload", "NAME: {...}", .key = "payload", .repeats = true},
    {"--start", "{JOINT: RATE}", .key = "start"},
    {"--integrator", "NAME", .key = "integrator"},
    {"--tolerance", "TOL", .key = "tolerance"},
    {"--budget", "{steps: N, time: T}", .key = "budget"},
    {"--instants", "N", .key = "instants"},
    {"--section", "PERIOD", .key = "section"},
    {"--reactions", NULL, .key = "reactions"},
    {"--column", "PATTERN | {NAME: =F}", .key = "columns", .repeats = true},
    {"--idle", "refuse|integrate", .key = "idle"},
    {"--drives-are", "HOW", .key = "hold"},
    {"--tool-force", "FX,FY,FZ[,MX,MY,MZ]",
     .text = "force [N] and torque [N m] on the tool, world axes"},
    {"--run", "FILE",
     .text = "choices from a [run file](run-file.md); those of the command line are put over it"},
    {"--at", "X,Y,Z[,R,P,Y]", .text = "tool position [m] and roll, pitch, yaw [rad] (home)"},
    {"--drives", "Q1,Q2,... | q1=Q,...", .text = "drive positions instead of a tool pose"},
    {"--weight", NULL, .text = "with the stiffness of static forces: weight, loads",
     .key = "weight"},
    {"--slice", "AXIS=VALUE", .text = "which plane, for example z=-0.9 (z through home)"},
    {"--grid", "X,Y,Z", .text = "the grid itself: each axis FROM:TO:POINTS or one value"},
    {"--verify", NULL, .text = "repeat by other means: a numerical error bar for every peak",
     .key = "verify"},
};

static const pkm_verb_option common[] = {
    {"--set", "NAME=VALUE", .text = "override a parameter of the model", .repeats = true},
    {"--json", NULL, .text = "print the result as JSON"},
    {"--help", NULL, .text = "this text"},
};
enum {
    N_SHARED = sizeof shared / sizeof shared[0],
    N_COMMON = sizeof common / sizeof common[0],
};

const pkm_verb_option* pkm_verb_option_at(const pkm_verb* verb, int i)
{
    if (i >= verb->n_option)
        return i < verb->n_option + N_COMMON ? &common[i - verb->n_option] : NULL;
    const pkm_verb_option* option = &verb->option[i];
    for (int k = 0; !option->text && !option->key && k < N_SHARED; ++k)
        if (strcmp(shared[k].name, option->name) == 0) return &shared[k];
    return option;
}

/// The key of the run file that an option is, whose table says what it does and takes.
static const pkm_key* key_of(const pkm_verb_option* option)
{
    return option->key ? pkm_section_find(&pkm_run_choices, option->key, NULL) : NULL;
}

const char* pkm_verb_option_sentence(const pkm_verb_option* option)
{
    const pkm_key* key = option->text ? NULL : key_of(option);
    if (!key) return option->text;
    // keys that belong together share the sentence of the last one
    return key->sentence ? key->sentence : (key + 1)->sentence;
}

/// Up to where the sentence sends the reader elsewhere; of links the words.
void pkm_verb_option_help(const pkm_verb_option* option, char out[VERB_TEXT])
{
    const char* text = pkm_verb_option_sentence(option);
    const char* end = strstr(text, ", see ");
    size_t n = 0;
    for (; *text && text != end && n < VERB_TEXT - 20; ++text) {
        const size_t label = strcspn(text, "]");
        const bool is_link = *text == '[' && text[label] && text[label + 1] == '(';
        if (*text == ']' && text[1] == '(')
            text += strcspn(text, ")");
        else if (!is_link && *text != '`')
            out[n++] = *text;
    }
    snprintf(out + n, VERB_TEXT - n, "%s", option->repeats ? "; may be repeated" : "");
}

const char* const* pkm_verb_option_words(const pkm_verb_option* option)
{
    const pkm_key* key = key_of(option);
    return key && key->kind == PKM_KEY_WORD ? key->words : NULL;
}

// ---- parsing ----------------------------------------------------------------------------------

/// Index of the option `name` [of `length` letters], or PKM_NONE.
static int find_option(const pkm_verb* verb, const char* name, size_t length)
{
    const pkm_verb_option* option;
    for (int i = 0; (option = pkm_verb_option_at(verb, i)); ++i) {
        const char* known = option->name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) return i;
    }
    return PKM_NONE;
}

static pkm_status fail_option(const pkm_verb* verb, const char* name, pkm_error* err)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; pkm_verb_option_at(verb, i); ++i)
        pkm_nearest_offer(&near, pkm_verb_option_at(verb, i)->name);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "option '%s' is unknown to pkm %s%s (pkm %s --help)",
                    name, verb->name, pkm_nearest_hint(&near).text, verb->name);
}

/// The value stays where the caller has it; the name is copied, since it has no end.
static pkm_status add_set(const char* text, pkm_verb_arguments* out, pkm_error* err)
{
    const char* equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: '%s', expected NAME=VALUE", text);
    if (out->n_set == VERB_MAX_SET)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: more than %d of them", VERB_MAX_SET);
    char* name = out->set_text[out->n_set];
    if ((size_t)(equals - text) >= sizeof out->set_text[0])
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: '%s', the name is too long", text);
    memcpy(name, text, (size_t)(equals - text));
    out->set[out->n_set++] = (pkm_override){.name = name, .value = equals + 1};
    return PKM_OK;
}

/// Once, unless it may be repeated; flags have an empty argument.
static pkm_status take_option(int i, const char* argument, pkm_verb_arguments* out, pkm_error* err)
{
    const pkm_verb_option* option = pkm_verb_option_at(out->verb, i);
    // overrides are for the loader, in pairs; all other options keep their text
    if (strcmp(option->name, "--set") == 0) return add_set(argument, out, err);
    if (option->repeats && out->n_given == VERB_MAX_GIVEN)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: more than %d of them", option->name,
                        VERB_MAX_GIVEN);
    if (option->repeats) out->given[out->n_given++] = (pkm_verb_given){i, argument};
    if (out->value[i] && option->argument && !option->repeats)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: given twice", option->name);
    out->value[i] = argument;
    if (strcmp(option->name, "--help") == 0) out->help = true;
    return PKM_OK;
}

/// Words reach the terminal, manifests and reports again: none holds characters that steer one.
static pkm_status check_word(const char* word, pkm_error* err)
{
    if (!pkm_source_steers(word)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "'%.200s': holds a control character", word);
}

static pkm_status take_operand(const char* text, pkm_verb_arguments* args, pkm_error* err)
{
    if (args->model)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "'%s': a second %s, expected one", text,
                        args->verb->operand);
    args->model = text;
    return PKM_OK;
}

pkm_status pkm_verb_take_words(pkm_verb_arguments* args, int n, const char* const* words,
                               pkm_error* err)
{
    const pkm_verb* verb = args->verb;
    for (int k = 0; k < n; ++k)
        PKM_TRY(check_word(words[k], err));
    for (int k = 0; k < n; ++k) {
        const char* text = words[k];
        // a dash alone is an operand
        if (text[0] != '-' || !text[1]) {
            PKM_TRY(take_operand(text, args, err));
            continue;
        }
        // --name=value and --name value mean the same
        // `-o` takes its argument as the next word alone
        const char* equals = text[1] == '-' ? strchr(text, '=') : NULL;
        const int i = find_option(verb, text, equals ? (size_t)(equals - text) : strlen(text));
        if (i == PKM_NONE) return fail_option(verb, text, err);
        const pkm_verb_option* option = pkm_verb_option_at(verb, i);
        const char* argument = equals ? equals + 1 : "";
        if (option->argument && !equals) {
            if (++k == n)
                return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected %s behind it", text,
                                option->argument);
            argument = words[k];
        }
        PKM_TRY(take_option(i, argument, args, err));
    }
    return PKM_OK;
}

pkm_status pkm_verb_take(pkm_verb_arguments* args, const char* name, const char* value,
                         pkm_error* err)
{
    char full[64] = "";
    PKM_TRY(check_word(name, err));
    PKM_TRY(check_word(value ? value : "", err));
    snprintf(full, sizeof full, "%s%.60s", name[0] && name[1] ? "--" : "-", name);
    const int i = find_option(args->verb, full, strlen(full));
    // callers of pkm_call_set name the operand, which has no dash on the command line
    if (i == PKM_NONE && (strcmp(name, "model") == 0 || strcmp(name, "operand") == 0) && value)
        return take_operand(value, args, err);
    if (i == PKM_NONE) return fail_option(args->verb, full, err);
    if (pkm_verb_option_at(args->verb, i)->argument)
        return value ? take_option(i, value, args, err)
                     : pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected %s", full,
                                pkm_verb_option_at(args->verb, i)->argument);
    // a flag that is set to false is not given
    if (value && strcmp(value, "false") == 0) return PKM_OK;
    if (value && value[0] && strcmp(value, "true") != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected true or false", full, value);
    return take_option(i, "", args, err);
}

/// Is one of the options that `list` names given?
static bool has_one_of(const pkm_verb_arguments* args, const char* list)
{
    while (*list) {
        const size_t length = strcspn(list, " ");
        const int i = find_option(args->verb, list, length);
        if (i != PKM_NONE && args->value[i]) return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

/// An option that would say nothing is a slip: the answer would be to another question.
static pkm_status check_company(const pkm_verb_arguments* args, pkm_error* err)
{
    for (int i = 0; i < args->verb->n_option; ++i) {
        const pkm_verb_option* option = &args->verb->option[i];
        if (!option->with || !args->value[i] || has_one_of(args, option->with)) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: it needs %s%s", option->name,
                        strchr(option->with, ' ') ? "one of " : "", option->with);
    }
    return PKM_OK;
}

pkm_status pkm_verb_check_given(const pkm_verb_arguments* args, pkm_error* err)
{
    if (args->help) return PKM_OK;
    if (args->model) return check_company(args, err);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm %s: expected a %s (pkm %s --help)",
                    args->verb->name, args->verb->operand, args->verb->name);
}

const char* pkm_verb_get(const pkm_verb_arguments* args, const char* name)
{
    const int i = find_option(args->verb, name, strlen(name));
    return i == PKM_NONE ? NULL : args->value[i];
}

bool pkm_verb_has(const pkm_verb_arguments* args, const char* name)
{
    return pkm_verb_get(args, name) != NULL;
}

const char* pkm_verb_get_nth(const pkm_verb_arguments* args, const char* name, int k)
{
    const int i = find_option(args->verb, name, strlen(name));
    for (int g = 0; g < args->n_given; ++g)
        if (args->given[g].option == i && k-- == 0) return args->given[g].value;
    return NULL;
}

/// The option and what it does, in lines of at most 100 letters.
static void write_option(const pkm_verb_option* option, pkm_stream* out)
{
    enum { LEFT = 29, RIGHT = 71 };
    char left[64], words[VERB_TEXT];
    const char* text = words;
    pkm_verb_option_help(option, words);
    snprintf(left, sizeof left, "%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    pkm_stream_format(out, "  %-26s ", left);
    int width = RIGHT - (strlen(left) > 26 ? (int)strlen(left) - 26 : 0);
    while ((int)strlen(text) > width) {
        int cut = width;
        while (cut > 0 && text[cut] != ' ')
            --cut;
        // a word longer than the line stays whole
        if (cut == 0) break;
        pkm_stream_format(out, "%.*s\n%*s", cut, text, LEFT, "");
        text += cut + 1;
        width = RIGHT;
    }
    pkm_stream_text(out, text);
    pkm_stream_text(out, "\n");
}

void pkm_verb_write_help(const pkm_verb* verb, pkm_stream* out)
{
    pkm_stream_format(out, "pkm %s %s [options]\n%s\n\n", verb->name, verb->operand, verb->text);
    pkm_stream_text(out, verb->help);
    pkm_stream_text(out, "\n\n");
    for (int i = 0; pkm_verb_option_at(verb, i); ++i)
        write_option(pkm_verb_option_at(verb, i), out);
    pkm_stream_format(out, "\nExamples:\n  %s\n  %s\n", verb->example, verb->another);
}

// ---- numbers ----------------------------------------------------------------------------------

/// Numbers of the command line know no parameters.
static pkm_status no_names(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    (void)user, (void)name, (void)out, (void)near;
    return PKM_RETRY;
}

pkm_status pkm_verb_number(const char* text, const char* unit, const char* what, double* out,
                           pkm_error* err)
{
    while (*text == ' ')
        ++text;
    pkm_quantity quantity;
    pkm_fault fault = {0};
    if (pkm_expression_evaluate(text, no_names, NULL, &quantity, &fault) != PKM_OK)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', %s", what, text, fault.text);
    pkm_unit wanted = {0};
    // a bare number is taken in SI units, one with a unit must fit
    const bool plain = strcmp(unit, "1") == 0;
    if (!plain && pkm_unit_scan(unit, false, &wanted, &fault) == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s", what, fault.text);
    if (!pkm_quantity_fits(quantity, wanted.dimension))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a value in %s", what, text,
                        unit);
    *out = quantity.value;
    return PKM_OK;
}

pkm_status pkm_verb_numbers(const char* text, const char* const* unit, const char* what, int max,
                            double* out, int* n, pkm_error* err)
{
    char one[128];
    for (*n = 0;; ++*n) {
        const size_t length = strcspn(text, ",");
        if (*n == max)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: more than %d numbers", what, max);
        if (length >= sizeof one)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s' is too long", what, text);
        memcpy(one, text, length);
        one[length] = '\0';
        PKM_TRY(pkm_verb_number(one, unit[*n], what, &out[*n], err));
        text += length;
        if (*text++ == '\0') break;
    }
    ++*n;
    return PKM_OK;
}

/// The most that an option takes: beyond it nobody can wait for the answer, or hold it.
static int most_of(const char* what)
{
    static const struct {
        const char* option;
        int most;
    } limit[] = {
        {"--instants", 10000000}, {"--search", 1000000}, {"--points", 100000}, {"--grid", 100000},
        {"--modes", 10000},       {"--elements", 1000},  {"-j", 1024}};
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; ++i)
        if (strcmp(what, limit[i].option) == 0) return limit[i].most;
    return INT_MAX;
}

pkm_status pkm_verb_integer(const char* text, int least, const char* what, int* out, pkm_error* err)
{
    char* end;
    // strtol tells overflow by errno alone
    errno = 0;
    const long value = strtol(text, &end, 10);
    const int most = most_of(what);
    if (end == text || *end || value < least || (errno && errno != ERANGE))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a whole number from %d", what,
                        text, least);
    // also of a number that long cannot hold: strtol gives the largest
    if (value > most)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a whole number from %d to %d",
                        what, text, least, most);
    *out = (int)value;
    return PKM_OK;
}
