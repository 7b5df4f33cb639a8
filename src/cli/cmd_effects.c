#include "base/error.h"
#include "cli/commands.h"
#include "run/takes.h"

#include <stdio.h>
#include <string.h>

static int run_effects(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_effects = {
    .name = "effects",
    .operand = "VERB",
    .text = "what a verb takes into account and what it refuses; all: every verb, as a table",
    .help = "An effect that a run file or an option chooses is taken, or the verb ends with a\n"
            "sentence that names the verbs that take it.",
    .example = "pkm effects inverse",
    .another = "pkm effects all",
    .run = run_effects,
};

/// "inverse --method closed" of "pkm inverse --method closed".
static const char* short_name(int a)
{
    const char* name = pkm_analysis_name((pkm_analysis)a);
    return strncmp(name, "pkm ", 4) == 0 ? name + 4 : name;
}

static const char* word(int a, int e)
{
    return pkm_analysis_takes((pkm_analysis)a, (pkm_run_effect)e) ? "taken" : "refused";
}

/// Is analysis `a` asked for: its verb, or all?
static bool is_asked(const char* asked, int a)
{
    const char* name = short_name(a);
    const size_t length = strcspn(name, " ,");
    return strcmp(asked, "all") == 0 ||
           (strlen(asked) == length && strncmp(asked, name, length) == 0);
}

static int count_asked(const char* asked)
{
    int n = 0;
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        n += is_asked(asked, a);
    return n;
}

/// A table in Markdown: a row for each effect, a column for each analysis.
static void print_table(const char* asked)
{
    printf("| effect | in the run file |");
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        if (is_asked(asked, a)) printf(" %s |", short_name(a));
    printf("\n|---|---|");
    for (int k = 0; k < count_asked(asked); ++k)
        printf("---|");
    printf("\n");
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        printf("| %s | `%s` |", pkm_effect_name((pkm_run_effect)e),
               pkm_effect_key((pkm_run_effect)e));
        for (int a = 0; a < PKM_N_ANALYSIS; ++a)
            if (is_asked(asked, a)) printf(" %s |", word(a, e));
        printf("\n");
    }
}

static void put_analysis(pkm_json* json, int a)
{
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "analysis", pkm_analysis_name((pkm_analysis)a));
    pkm_json_key(json, "effects");
    pkm_json_object_begin(json);
    for (int e = 0; e < PKM_N_EFFECT; ++e)
        pkm_json_put_string(json, pkm_effect_name((pkm_run_effect)e), word(a, e));
    pkm_json_object_end(json);
    pkm_json_object_end(json);
}

static int print_json(const char* asked)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json_key(&out.json, "analyses");
    pkm_json_array_begin(&out.json);
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        if (is_asked(asked, a)) put_analysis(&out.json, a);
    pkm_json_array_end(&out.json);
    return cli_json_end(&out);
}

static int run_effects(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_error err = {0};
    pkm_status status = cli_parse(verb, argc, argv, &args, &err);
    if (status == PKM_OK && args.help) {
        cli_print_help(verb);
        return 0;
    }
    if (status == PKM_OK && args.n_set > 0)
        status = pkm_fail(&err, PKM_ERR_ARGUMENT, "--set: pkm effects has no model");
    if (status == PKM_OK && count_asked(args.model) == 0)
        status = pkm_fail(&err, PKM_ERR_ARGUMENT,
                          "'%s' takes no effects, expected all, inverse, compare, simulate, "
                          "envelope, modes, stiffness, elastodynamics or workspace",
                          args.model);
    if (status != PKM_OK) return cli_fail(&err);
    if (cli_has(&args, "--json")) return print_json(args.model);
    print_table(args.model);
    return 0;
}
