// Main effects and interactions of a study with a full factorial (factorial.h).
#include "base/error.h"
#include "base/memory.h"
#include "study/findings_impl.h"

#include <math.h>

enum { NAME_SIZE = 600 };

/// Values, error bars (0 where not known) and shares of one output.
typedef struct column {
    double *y, *bar, *share;
} column;

static bool make_column(const pkm_grid* grid, column* out)
{
    out->y = pkm_alloc((size_t)grid->n_case, sizeof *out->y);
    out->bar = pkm_alloc((size_t)grid->n_case, sizeof *out->bar);
    out->share = pkm_alloc((size_t)1 << grid->n_factor, sizeof *out->share);
    return out->y && out->bar && out->share;
}

static void free_column(column* c)
{
    pkm_free(c->y);
    pkm_free(c->bar);
    pkm_free(c->share);
}

static int count_terms(const pkm_grid* grid)
{
    int n = 0;
    for (pkm_term term = {.set = 0}; pkm_term_next(grid, &term);)
        ++n;
    return n;
}

static pkm_status put_effect(pkm_store* store, const pkm_study* study, const pkm_effect* e,
                             pkm_error* err)
{
    char factors[NAME_SIZE], levels[NAME_SIZE];
    pkm_effect_names(study, &e->term, factors, levels, NAME_SIZE);
    const pkm_cell cell[] = {pkm_cell_integer(e->output),
                             pkm_cell_text(factors),
                             pkm_cell_integer(pkm_term_order(&e->term)),
                             pkm_cell_text(levels),
                             pkm_cell_number(e->value),
                             pkm_cell_number(e->average),
                             pkm_cell_number(study->verify ? e->error_bar : NAN),
                             pkm_cell_number(e->share),
                             pkm_cell_text(pkm_claim_name(e->claim))};
    return pkm_store_run(store, "insert into effects values (?, ?, ?, ?, ?, ?, ?, ?, ?)", cell, 9,
                         err);
}

static pkm_status make_output(pkm_findings* f, int output, const pkm_grid* grid, column* c,
                              pkm_store* store, pkm_error* err)
{
    for (int id = 0; id < f->n_case; ++id) {
        const pkm_case_value* v = pkm_findings_value(f, output, id);
        c->y[id] = v->value;
        c->bar[id] = isnan(v->spread.error_bar) ? 0.0 : v->spread.error_bar;
    }
    PKM_TRY(pkm_grid_shares(grid, c->y, c->share, err));
    for (pkm_term term = {.set = 0}; pkm_term_next(grid, &term);) {
        pkm_effect* e = &f->effect[f->n_effect++];
        *e = (pkm_effect){.output = output,
                          .term = term,
                          .value = pkm_term_value(grid, &term, c->y),
                          .average = pkm_term_average(grid, &term, c->y),
                          .error_bar = pkm_term_error(grid, &term, c->bar),
                          .share = c->share[term.set]};
        e->claim = pkm_findings_claim(f, output, &term, e->value, e->error_bar);
        PKM_TRY(put_effect(store, f->study, e, err));
    }
    return PKM_OK;
}

pkm_status pkm_findings_make_effects(pkm_findings* f, pkm_store* store, pkm_error* err)
{
    const pkm_grid grid = pkm_grid_of(f->study);
    column c = {NULL, NULL, NULL};
    f->effect = pkm_alloc((size_t)(count_terms(&grid) * f->n_output), sizeof *f->effect);
    pkm_status status = make_column(&grid, &c) && f->effect ? PKM_OK : pkm_out_of_memory(err);
    for (int k = 0; k < f->n_output && status == PKM_OK; ++k)
        status = make_output(f, k, &grid, &c, store, err);
    free_column(&c);
    return status;
}
