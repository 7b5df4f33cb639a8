// pkm effects: the table of what each analysis takes and how it refuses the rest (run/takes.h), the
// same that refuses in a run.
#include "base/error.h"
#include "run/takes.h"
#include "verb/commands.h"

#include <stdio.h>
#include <string.h>

static pkm_status run_effects(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_effects = {
    .name = "effects",
    .operand = "VERB",
    .text = "what a verb takes into account and what it refuses; all: every verb, as a table",
    .help = "An effect that a run file or an option chooses is taken, or the verb ends with a\n"
            "sentence that names the verbs that take it.",
    .example = "pkm effects inverse",
    .another = "pkm effects all",
    .run = run_effects,
};

static const char* word(int a, int e)
{
    return pkm_analysis_takes((pkm_analysis)a, (pkm_run_effect)e) ? "taken" : "refused";
}

/// Is analysis `a` asked for: its verb, or all?
static bool is_asked(const char* asked, int a)
{
    const char* name = pkm_analysis_words((pkm_analysis)a);
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

/// "inverse, compare, simulate": the verbs of the table, each once.
static void list_verbs(char* out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (int a = 0; a < PKM_N_ANALYSIS; ++a) {
        const char *name = pkm_analysis_name((pkm_analysis)a),
                   *verb = pkm_analysis_words((pkm_analysis)a);
        const int length = (int)strcspn(verb, " ");
        const char* last = used ? strrchr(out, ' ') + 1 : "";
        const bool again = (int)strlen(last) == length && strncmp(last, verb, (size_t)length) == 0;
        if (verb == name || again) continue; // no verb, or a way of the one before
        used +=
            (size_t)snprintf(out + used, size - used, "%s%.*s", used ? ", " : " ", length, verb);
    }
}

/// A table in Markdown: a row for each effect, a column for each analysis.
static const char text[] = "| effect | in the run file |{_heads:s/}\n|---|---|{_rules:s/}\n"
                           "{*_effects}| {name} | `{key}` |{words:s/}\n{/}";

static void put_analyses(pkm_result* out, const char* asked)
{
    pkm_result *list = pkm_result_list(out, "analyses"), *heads = pkm_result_list(out, "_heads"),
               *rules = pkm_result_list(out, "_rules");
    for (int a = 0; a < PKM_N_ANALYSIS; ++a) {
        if (!is_asked(asked, a)) continue;
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "analysis", pkm_analysis_name((pkm_analysis)a));
        pkm_result* effects = pkm_result_group(item, "effects");
        for (int e = 0; e < PKM_N_EFFECT; ++e)
            pkm_result_text(effects, pkm_effect_name((pkm_run_effect)e), word(a, e));
        pkm_result_format(heads, NULL, " %s |", pkm_analysis_words((pkm_analysis)a));
        pkm_result_text(rules, NULL, "---|");
    }
}

static void put_effects(pkm_result* out, const char* asked)
{
    pkm_result* list = pkm_result_list(out, "_effects");
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", pkm_effect_name((pkm_run_effect)e));
        pkm_result_text(item, "key", pkm_effect_key((pkm_run_effect)e));
        pkm_result* words = pkm_result_list(item, "words");
        for (int a = 0; a < PKM_N_ANALYSIS; ++a)
            if (is_asked(asked, a)) pkm_result_format(words, NULL, " %s |", word(a, e));
    }
}

static pkm_status run_effects(const pkm_verb_arguments* args, pkm_error* err)
{
    if (args->n_set > 0) return pkm_fail(err, PKM_ERR_ARGUMENT, "--set: pkm effects has no model");
    if (count_asked(args->model) == 0) {
        char verbs[200];
        list_verbs(verbs, sizeof verbs);
        return pkm_fail(err, PKM_ERR_ARGUMENT, "'%s' takes no effects, expected all or one of%s",
                        args->model, verbs);
    }
    put_analyses(pkm_verb_result(args), args->model);
    put_effects(pkm_verb_result(args), args->model);
    return pkm_verb_show(args, text, err);
}
