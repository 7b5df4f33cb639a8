// Findings are read back from the database, so that an interrupted, merged or old study is told as
// a fresh one is. What repetitions call chaotic takes no part in effects.
#include "study/findings.h"

#include "base/error.h"
#include "base/memory.h"
#include "study/findings_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// In the order of pkm_claim.
const char* pkm_claim_name(pkm_claim claim)
{
    static const char* const name[] = {"yes", "within error", "chaotic", "missing",
                                       "not converged"};
    return name[claim];
}

const pkm_case_value* pkm_findings_value(const pkm_findings* f, int output, int case_id)
{
    PKM_ASSERT(output >= 0 && output < f->n_output && case_id >= 0 && case_id < f->n_case);
    return &f->value[(size_t)output * (size_t)f->n_case + (size_t)case_id];
}

void pkm_findings_keep_deviation(pkm_findings* f, int output, int case_id, double size)
{
    f->deviation[(size_t)output * (size_t)f->n_case + (size_t)case_id] = size;
}

void pkm_effect_names(const pkm_study* study, const pkm_term* term, char* factors, char* levels,
                      size_t size)
{
    size_t at = 0, to = 0;
    factors[0] = levels[0] = '\0';
    for (int f = 0; f < study->n_factor && at < size && to < size; ++f) {
        const pkm_study_factor* factor = &study->factor[f];
        if (!(term->set >> f & 1u)) continue;
        snprintf(factors + at, size - at, "%s%s", at ? " x " : "", factor->name);
        snprintf(levels + to, size - to, "%s%s", to ? " x " : "",
                 factor->level[term->level[f]].name);
        at = strlen(factors);
        to = strlen(levels);
    }
}

double pkm_coupling_share(const pkm_coupling* coupling)
{
    return coupling->coupled > 0.0 ? coupling->rest / coupling->coupled : NAN;
}

double pkm_coupling_ratio(const pkm_coupling* coupling)
{
    return coupling->sum > 0.0 ? coupling->coupled / coupling->sum : NAN;
}

// ---- values -----------------------------------------------------------------------------------

/// null is NaN in memory.
static double number_of(const pkm_cell* cell)
{
    if (cell->kind == PKM_CELL_INTEGER) return (double)cell->integer;
    return cell->kind == PKM_CELL_NUMBER ? cell->number : NAN;
}

static pkm_verdict verdict_of(const pkm_cell* cell)
{
    for (int k = PKM_VERDICT_REPEATABLE; k <= PKM_VERDICT_NOT_CONVERGED; ++k)
        if (strcmp(pkm_cell_get_text(cell), pkm_verdict_name((pkm_verdict)k)) == 0)
            return (pkm_verdict)k;
    return PKM_VERDICT_NONE;
}

/// A row of the table of cases; ids of other studies are passed over.
static bool take_state(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    pkm_findings* f = user;
    const char* state = cell[1].kind == PKM_CELL_TEXT ? cell[1].bytes : NULL;
    if (cell[0].integer < 0 || cell[0].integer >= f->n_case || !state) return true;
    f->is_done[cell[0].integer] = strcmp(state, "done") == 0;
    f->n_done += strcmp(state, "done") == 0;
    f->n_failed += strcmp(state, "failed") == 0 || strcmp(state, "died") == 0;
    return true;
}

static bool take_value(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    pkm_findings* f = user;
    const long long id = cell[0].integer, k = cell[1].integer;
    if (id < 0 || k < 0 || id >= f->n_case || k >= f->n_output) return true;
    f->value[k * f->n_case + id] = (pkm_case_value){.value = number_of(&cell[2]),
                                                    .t = number_of(&cell[3]),
                                                    .spread = {.error_bar = number_of(&cell[4]),
                                                               .low = number_of(&cell[5]),
                                                               .high = number_of(&cell[6]),
                                                               .sensitivity = NAN},
                                                    .verdict = verdict_of(&cell[7])};
    return true;
}

/// What the database does not have is unknown, not zero.
static pkm_status read_values(pkm_findings* f, pkm_store* store, pkm_error* err)
{
    for (int i = 0; i < f->n_output * f->n_case; ++i) {
        f->value[i] = (pkm_case_value){.value = NAN, .t = NAN, .spread = pkm_spread_none()};
        f->deviation[i] = NAN;
    }
    PKM_TRY(pkm_store_query(store, "select id, state from cases", NULL, 0, take_state, f, err));
    return pkm_store_query(store,
                           "select case_id, output_id, value, t, error_bar, low, high, verdict "
                           "from results",
                           NULL, 0, take_value, f, err);
}

// ---- claims -----------------------------------------------------------------------------------

/// Effects below this part of the largest value of all cases are rounding.
static const double rounding = 1e-9;

static double largest_value(const pkm_findings* f, int output)
{
    double largest = 0.0;
    for (int id = 0; id < f->n_case; ++id)
        largest = fmax(largest, fabs(pkm_findings_value(f, output, id)->value));
    return largest;
}

pkm_claim pkm_findings_claim(const pkm_findings* f, int output, const pkm_term* term, double value,
                             double error_bar)
{
    const pkm_grid grid = pkm_grid_of(f->study);
    for (unsigned corner = 0; corner < 1u << grid.n_factor; ++corner) {
        // the corners of the factorial that this term compares
        if (corner & ~term->set) continue;
        const pkm_case_value* v = pkm_findings_value(f, output, pkm_term_case(&grid, term, corner));
        if (isnan(v->value)) return PKM_CLAIM_MISSING;
        if (v->verdict == PKM_VERDICT_CHAOTIC) return PKM_CLAIM_CHAOTIC;
        if (v->verdict == PKM_VERDICT_NOT_CONVERGED) return PKM_CLAIM_NOT_CONVERGED;
    }
    const double least = fmax(error_bar, rounding * largest_value(f, output));
    return fabs(value) <= least ? PKM_CLAIM_WITHIN_ERROR : PKM_CLAIM_YES;
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status make(pkm_findings* f, pkm_store* store, pkm_error* err)
{
    static const char* const old[] = {"delete from effects", "delete from couplings",
                                      "delete from deviations", "delete from published"};
    // findings are made anew from the results each time
    for (int i = 0; i < 4; ++i)
        PKM_TRY(pkm_store_run(store, old[i], NULL, 0, err));
    PKM_TRY(read_values(f, store, err));
    if (!f->study->is_sweep) PKM_TRY(pkm_findings_make_effects(f, store, err));
    if (!f->study->is_sweep) PKM_TRY(pkm_findings_make_couplings(f, store, err));
    return pkm_findings_make_published(f, store, err);
}

pkm_status pkm_findings_create(const pkm_study* study, pkm_store* store, pkm_findings** out,
                               pkm_error* err)
{
    *out = NULL;
    const size_t n_value = (size_t)study->n_case * (size_t)study->n_output;
    pkm_findings* f = pkm_alloc(1, sizeof *f);
    if (f) {
        *f = (pkm_findings){.study = study, .n_output = study->n_output, .n_case = study->n_case};
        f->is_done = pkm_alloc((size_t)study->n_case, sizeof *f->is_done);
        f->value = pkm_alloc(n_value, sizeof *f->value);
        f->deviation = pkm_alloc(n_value, sizeof *f->deviation);
        f->published = pkm_alloc((size_t)study->n_published + 1, sizeof *f->published);
    }
    if (!f || !f->is_done || !f->value || !f->deviation || !f->published) {
        pkm_findings_free(f);
        return pkm_out_of_memory(err);
    }
    // all or nothing: a killed program leaves the findings of before
    pkm_status status = pkm_store_begin(store, err);
    if (status == PKM_OK) status = make(f, store, err);
    if (status == PKM_OK) status = pkm_store_commit(store, err);
    if (status != PKM_OK) {
        pkm_store_roll_back(store);
        pkm_findings_free(f);
        return status;
    }
    *out = f;
    return PKM_OK;
}

void pkm_findings_free(pkm_findings* findings)
{
    if (!findings) return;
    pkm_free(findings->is_done);
    pkm_free(findings->value);
    pkm_free(findings->deviation);
    pkm_free(findings->effect);
    pkm_free(findings->coupling);
    pkm_free(findings->published);
    pkm_free(findings);
}
