#include "base/error.h"
#include "model/source.h"
#include "run/run_impl.h"

#include <string.h>

// ---- expressions of time ----------------------------------------------------------------------

/// The run owns its formulas.
static pkm_status keep_formula(pkm_run_reader* rr, pkm_formula* formula)
{
    pkm_run* run = rr->run;
    void* grown = pkm_realloc(run->formula, (size_t)run->n_formula + 1, sizeof *run->formula);
    if (!grown) {
        pkm_formula_free(formula);
        return pkm_reader_fail_memory(&rr->r);
    }
    run->formula = grown;
    run->formula[run->n_formula++] = formula;
    return PKM_OK;
}

static pkm_status read_formula(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                               pkm_signal* out)
{
    pkm_formula* formula = NULL;
    pkm_fault fault = {0};
    const pkm_status status =
        pkm_formula_create(node->text, pkm_scope_lookup, rr->r.scope, want, &formula, &fault);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(&rr->r);
    if (status != PKM_OK)
        return fault.is_reported ? status : pkm_reader_fail_inside(&rr->r, node, &fault);
    PKM_TRY(keep_formula(rr, formula));
    *out = pkm_signal_formula(formula);
    if (pkm_formula_is_constant(formula)) *out = pkm_signal_constant(pkm_formula_at(formula, 0.0));
    return PKM_OK;
}

// ---- samples ----------------------------------------------------------------------------------

typedef struct samples {
    const char* file;
    int how;
} samples;

static const char* const words[] = {"linear", "steps", NULL};
static const pkm_key sample_keys[] = {
    {"file", "the time, then values in SI", PKM_KEY_TEXT, offsetof(samples, file), .must = true},
    {"between", "the samples: `linear` (default), or `steps`, which hold each value", PKM_KEY_WORD,
     offsetof(samples, how), .words = words},
    {.name = NULL}};
static const pkm_section sample_section = {"samples", "samples of a file", .key = sample_keys};
static const pkm_key three[] = {{.kind = PKM_KEY_NUMBER}, {0}};
const pkm_key pkm_signal_forms[] = {
    {.kind = PKM_KEY_NUMBER}, {.kind = PKM_KEY_MAP, .section = &sample_section}, {0}};
const pkm_key pkm_signals_forms[] = {
    {.kind = PKM_KEY_LIST, .n_least = 3, .n_most = 3, .either = three},
    {.kind = PKM_KEY_MAP, .section = &sample_section},
    {0}};

/// `{file: push.csv, between: linear}`: times and `n` columns of values in SI.
static pkm_status read_samples(pkm_run_reader* rr, const pkm_yaml* node, int n, pkm_signal* out)
{
    const pkm_reader* r = &rr->r;
    samples s = {.how = 0};
    PKM_TRY(pkm_keys_read(&rr->r, node, &sample_section, &s));
    const pkm_yaml* file = pkm_yaml_get(node, "file");
    const char* name = s.file;
    int n_row = 0, n_column = 0;
    char* path = pkm_source_path(rr->view.file, name);
    if (!path) return pkm_reader_fail_memory(r);
    double* table = NULL;
    pkm_error inner = {0};
    const pkm_status status =
        pkm_samples_read(path, rr->run->arena, &table, &n_row, &n_column, &inner);
    pkm_free(path);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    if (status != PKM_OK && inner.line > 0)
        return pkm_reader_fail(r, file, "%.100s, line %d: %s", name, inner.line, inner.text);
    if (status != PKM_OK) return pkm_reader_fail(r, file, "%.100s: %s", name, inner.text);
    if (n_column != n + 1)
        return pkm_reader_fail(r, file, "%.60s has %d columns, expected the time and %d", name,
                               n_column, n);
    for (int k = 0; k < n; ++k) {
        const double* y = table + (size_t)(k + 1) * (size_t)n_row;
        out[k] =
            s.how == 0 ? pkm_signal_linear(table, y, n_row) : pkm_signal_steps(table, y, n_row);
        if (pkm_signal_check(&out[k], name, &inner) != PKM_OK)
            return pkm_reader_fail(r, file, "%s", inner.text);
    }
    return PKM_OK;
}

pkm_status pkm_run_read_signal(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                               pkm_signal* out)
{
    if (node->kind == PKM_YAML_MAP) return read_samples(rr, node, 1, out);
    if (node->kind == PKM_YAML_TEXT && node->text[0] == '=')
        return read_formula(rr, node, want, out);
    double value = 0.0;
    PKM_TRY(pkm_reader_number(&rr->r, node, want, PKM_RANGE_ANY, &value));
    *out = pkm_signal_constant(value);
    return PKM_OK;
}

pkm_status pkm_run_read_signals(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                                pkm_signal out[3])
{
    if (node->kind == PKM_YAML_MAP) return read_samples(rr, node, 3, out);
    PKM_TRY(pkm_reader_list(&rr->r, node, 3, 3));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_run_read_signal(rr, item, want, &out[item->index]));
    return PKM_OK;
}
