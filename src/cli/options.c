#include "cli/options.h"

#include "base/error.h"
#include "model/expression.h"
#include "model/nearest.h"
#include "model/source.h"
#include "model/units.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_common[] = {
    {"--set", "NAME=VALUE", "override a parameter of the model; may be repeated"},
    {"--json", NULL, "print the result as JSON"},
    {"--help", NULL, "this text"},
};
const int cli_n_common = sizeof cli_common / sizeof cli_common[0];

static const cli_option* option_at(const cli_verb* verb, int i)
{
    return i < verb->n_option ? &verb->option[i] : &cli_common[i - verb->n_option];
}

static int n_options(const cli_verb* verb)
{
    return verb->n_option + cli_n_common;
}

/// Index of the option `name` [of `length` letters], or PKM_NONE.
static int find_option(const cli_verb* verb, const char* name, size_t length)
{
    for (int i = 0; i < n_options(verb); ++i) {
        const char* known = option_at(verb, i)->name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) return i;
    }
    return PKM_NONE;
}

static pkm_status fail_option(const cli_verb* verb, const char* name, pkm_error* err)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < n_options(verb); ++i)
        pkm_nearest_offer(&near, option_at(verb, i)->name);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "option '%s' is unknown to pkm %s%s (pkm %s --help)",
                    name, verb->name, pkm_nearest_hint(&near).text, verb->name);
}

static pkm_status add_set(const char* text, cli_arguments* out, pkm_error* err)
{
    const char* equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: '%s', expected NAME=VALUE", text);
    if (out->n_set == CLI_MAX_SET)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: more than %d of them", CLI_MAX_SET);
    char* name = out->set_text[out->n_set];
    if ((size_t)(equals - text) >= sizeof out->set_text[0])
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: '%s', the name is too long", text);
    memcpy(name, text, (size_t)(equals - text));
    out->set[out->n_set++] = (pkm_override){.name = name, .value = equals + 1};
    return PKM_OK;
}

bool cli_repeats(const cli_option* option)
{
    return strstr(option->text, "may be repeated") != NULL;
}

static pkm_status take_option(int i, const char* argument, cli_arguments* out, pkm_error* err)
{
    const cli_option* option = option_at(out->verb, i);
    if (strcmp(option->name, "--set") == 0) return add_set(argument, out, err);
    if (cli_repeats(option) && out->n_given == CLI_MAX_GIVEN)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: more than %d of them", option->name,
                        CLI_MAX_GIVEN);
    if (cli_repeats(option)) out->given[out->n_given++] = (cli_given){i, argument};
    if (out->value[i] && option->argument && !cli_repeats(option))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: given twice", option->name);
    out->value[i] = argument;
    if (strcmp(option->name, "--help") == 0) out->help = true;
    return PKM_OK;
}

pkm_status cli_parse(const cli_verb* verb, int argc, char** argv, cli_arguments* out,
                     pkm_error* err)
{
    *out = (cli_arguments){.verb = verb};
    for (int k = 0; k < argc; ++k) {
        const char* text = argv[k];
        if (text[0] != '-' || !text[1]) {
            if (out->model)
                return pkm_fail(err, PKM_ERR_ARGUMENT, "'%s': a second %s, expected one", text,
                                verb->operand);
            out->model = text;
            continue;
        }
        const char* equals = text[1] == '-' ? strchr(text, '=') : NULL;
        const int i = find_option(verb, text, equals ? (size_t)(equals - text) : strlen(text));
        if (i == PKM_NONE) return fail_option(verb, text, err);
        const cli_option* option = option_at(verb, i);
        const char* argument = equals ? equals + 1 : "";
        if (option->argument && !equals) {
            if (++k == argc)
                return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected %s behind it", text,
                                option->argument);
            argument = argv[k];
        }
        PKM_TRY(take_option(i, argument, out, err));
    }
    if (!out->model && !out->help)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm %s: expected a %s (pkm %s --help)", verb->name,
                        verb->operand, verb->name);
    return PKM_OK;
}

const char* cli_get(const cli_arguments* args, const char* name)
{
    const int i = find_option(args->verb, name, strlen(name));
    return i == PKM_NONE ? NULL : args->value[i];
}

bool cli_has(const cli_arguments* args, const char* name)
{
    return cli_get(args, name) != NULL;
}

const char* cli_get_nth(const cli_arguments* args, const char* name, int k)
{
    const int i = find_option(args->verb, name, strlen(name));
    for (int g = 0; g < args->n_given; ++g)
        if (args->given[g].option == i && k-- == 0) return args->given[g].value;
    return NULL;
}

static void print_option(const cli_option* option)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    printf("  %-26s %s\n", left, option->text);
}

void cli_print_help(const cli_verb* verb)
{
    printf("pkm %s %s [options]\n%s\n\n%s\n\n", verb->name, verb->operand, verb->text, verb->help);
    for (int i = 0; i < n_options(verb); ++i)
        print_option(option_at(verb, i));
    printf("\nExamples:\n  %s\n  %s\n", verb->example, verb->another);
}

// ---- numbers ----------------------------------------------------------------------------------

static pkm_status no_names(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    (void)user, (void)name, (void)out, (void)near;
    return PKM_RETRY;
}

pkm_status cli_number(const char* text, const char* unit, const char* what, double* out,
                      pkm_error* err)
{
    while (*text == ' ')
        ++text;
    pkm_quantity quantity;
    pkm_fault fault = {0};
    if (pkm_expression_evaluate(text, no_names, NULL, &quantity, &fault) != PKM_OK)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', %s", what, text, fault.text);
    pkm_unit wanted = {0};
    const bool plain = strcmp(unit, "1") == 0;
    if (!plain && pkm_unit_scan(unit, false, &wanted, &fault) == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s", what, fault.text);
    if (!pkm_quantity_fits(quantity, wanted.dimension))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a value in %s", what, text,
                        unit);
    *out = quantity.value;
    return PKM_OK;
}

pkm_status cli_numbers(const char* text, const char* const* unit, const char* what, int max,
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
        PKM_TRY(cli_number(one, unit[*n], what, &out[*n], err));
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
    } limit[] = {{"--instants", 10000000}, {"--search", 1000000}, {"--points", 100000},
                 {"--grid", 100000},       {"--repeat", 10000},   {"--modes", 10000},
                 {"--elements", 1000},     {"-j", 1024}};
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; ++i)
        if (strcmp(what, limit[i].option) == 0) return limit[i].most;
    return INT_MAX;
}

pkm_status cli_integer(const char* text, int least, const char* what, int* out, pkm_error* err)
{
    char* end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    const int most = most_of(what);
    if (end == text || *end || value < least || (errno && errno != ERANGE))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a whole number from %d", what,
                        text, least);
    if (value > most)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected a whole number from %d to %d",
                        what, text, least, most);
    *out = (int)value;
    return PKM_OK;
}

int cli_fail(const pkm_error* given)
{
    pkm_error clean = *given, *err = &clean; // control characters stay out of the terminal
    pkm_source_clean(err->text);
    pkm_source_clean(err->file);
    if (err->file[0] && err->line > 0)
        fprintf(stderr, "pkm: %s:%d:%d: %s\n", err->file, err->line, err->column, err->text);
    else if (err->file[0])
        fprintf(stderr, "pkm: %s: %s\n", err->file, err->text);
    else
        fprintf(stderr, "pkm: %s\n", err->text);
    return pkm_status_exit_code(err->status);
}
