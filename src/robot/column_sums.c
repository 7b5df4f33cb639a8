// Integrals of x^2 sample by sample (sums.h), kept per column and written to the table at the end.
#include "robot/column_sums.h"

#include "base/memory.h"
#include "robot/sums.h"
#include "table/column.h"

#include <math.h>

struct pkm_column_sums {
    int n, *column, n_other, n_part;
    pkm_sums* sums;
};

pkm_column_sums* pkm_column_sums_create(const pkm_table* table, int n_other, int n_part)
{
    pkm_column_sums* c = pkm_alloc(1, sizeof *c);
    const int n_column = pkm_table_n_column(table);
    if (!c) return NULL;
    c->column = pkm_alloc((size_t)n_column + 1, sizeof *c->column);
    for (int k = 0; c->column && k < n_column; ++k)
        // columns whose peaks are located are those of which a mean square means something
        if (pkm_table_peak_rule(table, k) == PKM_PEAK_LOCATED) c->column[c->n++] = k;
    c->n_other = n_other;
    c->n_part = n_part;
    c->sums = pkm_sums_create(c->n + n_other, n_part);
    if (c->column && c->sums) return c;
    pkm_column_sums_free(c);
    return NULL;
}

void pkm_column_sums_free(pkm_column_sums* c)
{
    if (!c) return;
    pkm_sums_free(c->sums);
    pkm_free(c->column);
    pkm_free(c);
}

void pkm_column_sums_sample(pkm_column_sums* c, const double* row, const double* other,
                            const double* part)
{
    const int n = c->n, n_other = c->n_other, n_part = c->n_part, *const column = c->column;
    double *part_to, *const value = pkm_sums_next(c->sums, row[0], &part_to);
    if (!value) return;
    for (int k = 0; k < n; ++k)
        // x^2, whose integral over the span is the mean square (4.8) of docs/theory/engine.md
        value[k] = row[column[k]] * row[column[k]];
    for (int k = 0; k < n_other; ++k)
        value[n + k] = other[k];
    for (int k = 0; k < n_part; ++k)
        part_to[k] = part[k];
    pkm_sums_take(c->sums);
}

void pkm_column_sums_break(pkm_column_sums* c)
{
    pkm_sums_break(c->sums);
}

void pkm_column_sums_put(const pkm_column_sums* c, pkm_table* table)
{
    // rms = sqrt(int x^2 dt/T); rounding may leave a sum below zero
    const double span = pkm_sums_span(c->sums);
    for (int k = 0; k < c->n && span > 0.0; ++k)
        pkm_table_set_rms(table, c->column[k], sqrt(fmax(pkm_sums_get(c->sums, k), 0.0) / span));
}

double pkm_column_sums_get(const pkm_column_sums* c, int k)
{
    return pkm_sums_get(c->sums, c->n + k);
}

void pkm_column_sums_get_parts(const pkm_column_sums* c, int k, double* up, double* down)
{
    pkm_sums_get_parts(c->sums, k, up, down);
}
