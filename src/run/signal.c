// Values over time in run files: numbers, formulas, samples, what is released at the start.
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
    // constant loads are taken by more analyses than changing ones (run/takes.c): `=m*g` is one
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

/// An input as it is written; `start` is read when its dimension is known.
typedef struct input_form {
    const char* name;
    const pkm_yaml* start;
} input_form;

static const pkm_key plain[] = {{.kind = PKM_KEY_NUMBER}, {0}};
static const pkm_key input_keys[] = {
    {"input", "name of an input that is set from outside while the simulation runs", PKM_KEY_TEXT,
     offsetof(input_form, name), .must = true, .pattern = "^[A-Za-z_][A-Za-z0-9_]*$"},
    {"start", "its value until it is set, and where nobody sets it (0)", PKM_KEY_OWN,
     offsetof(input_form, start), .either = plain, .read = pkm_key_keep_node},
    {.name = NULL}};
static const pkm_section input_section = {"input", "a signal from outside", .key = input_keys};
static const pkm_key released_keys[] = {
    {"released",
     "what acts until t = 0 and no longer: flexible links and journals start at rest under it",
     PKM_KEY_OWN, .must = true, .either = plain, .read = pkm_key_keep_node},
    {.name = NULL}};
static const pkm_section released_section = {"released", "a load that is let go",
                                             .key = released_keys};
static const pkm_key three[] = {{.kind = PKM_KEY_NUMBER},
                                {.kind = PKM_KEY_MAP, .section = &input_section},
                                {.kind = PKM_KEY_MAP, .section = &released_section},
                                {0}};
const pkm_key pkm_signal_forms[] = {{.kind = PKM_KEY_NUMBER},
                                    {.kind = PKM_KEY_MAP, .section = &sample_section},
                                    {.kind = PKM_KEY_MAP, .section = &input_section},
                                    {.kind = PKM_KEY_MAP, .section = &released_section},
                                    {0}};
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
    static const char* const units[2] = {"N", "N m"};
    int n_row = 0, n_column = 0;
    char* path = pkm_source_path(rr->view.file, name);
    if (!path) return pkm_reader_fail_memory(r);
    double* table = NULL;
    pkm_error inner = {0};
    const pkm_status status =
        pkm_samples_read(path, units, rr->run->arena, &table, &n_row, &n_column, &inner);
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

// ---- inputs -----------------------------------------------------------------------------------

static bool is_plain_name(const char* text)
{
    if (*text >= '0' && *text <= '9') return false;
    for (const char* c = text; *c; ++c)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') &&
            *c != '_')
            return false;
    return *text != '\0';
}

static pkm_run_input* find_input(pkm_sim_settings* s, const char* name)
{
    for (int i = 0; i < s->n_input; ++i)
        if (strcmp(s->input[i].name, name) == 0) return &s->input[i];
    return NULL;
}

/// The input called `name`, which may act in several places; they agree on what it is.
static pkm_status take_input(pkm_run_reader* rr, const pkm_yaml* node, const pkm_run_input* wanted,
                             pkm_signal* out)
{
    pkm_sim_settings* s = &rr->run->settings;
    if (!s->input) s->input = pkm_arena_alloc(rr->run->arena, PKM_MAX_INPUT, sizeof *s->input);
    if (!s->input) return pkm_reader_fail_memory(&rr->r);
    pkm_run_input* input = find_input(s, wanted->name);
    if (!input && s->n_input == PKM_MAX_INPUT)
        return pkm_reader_fail(&rr->r, node, "more than %d inputs", PKM_MAX_INPUT);
    if (!input) {
        input = &s->input[s->n_input++];
        *input = *wanted;
    }
    if (!pkm_dimension_equal(input->dimension, wanted->dimension) || input->start != wanted->start)
        return pkm_reader_fail(&rr->r, node,
                               "input %.60s: it is %s from %g elsewhere, %s from %g here",
                               input->name, input->unit, input->start, wanted->unit, wanted->start);
    *out = pkm_signal_input(&input->value);
    return PKM_OK;
}

/// `{input: push, start: 5 N}`
static pkm_status read_input(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                             pkm_signal* out)
{
    input_form form = {NULL, NULL};
    pkm_run_input wanted = {.dimension = want};
    PKM_TRY(pkm_keys_read(&rr->r, node, &input_section, &form));
    if (!is_plain_name(form.name))
        return pkm_reader_fail(&rr->r, pkm_yaml_get(node, "input"),
                               "input '%.60s', expected letters, digits and _", form.name);
    wanted.name = pkm_arena_text(rr->run->arena, form.name, strlen(form.name));
    const pkm_unit_text unit = pkm_dimension_unit(want);
    wanted.unit = pkm_arena_text(rr->run->arena, unit.text, strlen(unit.text));
    if (!wanted.name || !wanted.unit) return pkm_reader_fail_memory(&rr->r);
    if (form.start)
        PKM_TRY(pkm_reader_number(&rr->r, form.start, want, PKM_RANGE_ANY, &wanted.start));
    wanted.value = wanted.start;
    return take_input(rr, node, &wanted, out);
}

/// `{released: 5 N}`: a step to zero at t = 0.
static pkm_status read_released(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                                pkm_signal* out)
{
    enum { N = 2 };
    const double when[N] = {-1.0, 0.0}; // any time before the start, the start [s]
    const pkm_yaml* value = NULL;
    void* room = NULL;
    PKM_TRY(pkm_keys_read(&rr->r, node, &released_section, &value));
    PKM_TRY(pkm_reader_alloc(&rr->r, 2 * N, sizeof(double), &room));
    double* t = room;
    memcpy(t, when, sizeof when);
    t[N + 1] = 0.0;
    *out = pkm_signal_steps(t, t + N, N);
    return pkm_reader_number(&rr->r, value, want, PKM_RANGE_ANY, &t[N]);
}

pkm_status pkm_run_read_signal(pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension want,
                               pkm_signal* out)
{
    if (node->kind == PKM_YAML_MAP && pkm_yaml_get(node, "input"))
        return read_input(rr, node, want, out);
    if (node->kind == PKM_YAML_MAP && pkm_yaml_get(node, "released"))
        return read_released(rr, node, want, out);
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
