// Ranks of rows by sparse elimination; docs/theory/engine.md, section 3.
#include "dynamics/rows_rank.h"

#include "base/error.h"
#include "solver/pivots.h"

#include <string.h>

/// The rows as a sparse matrix in the arena.
static pkm_status gather(const pkm_state* state, const int* row, int n_row, pkm_arena* arena,
                         pkm_sparse* out)
{
    const pkm_mechanism* mech = state->mech;
    int n_entry = 0;
    for (int i = 0; i < n_row; ++i)
        n_entry += mech->row[row[i]].n_a + mech->row[row[i]].n_b;
    int* start = pkm_arena_alloc(arena, (size_t)n_row + 1, sizeof(int));
    int* column = pkm_arena_alloc(arena, (size_t)n_entry, sizeof(int));
    double* value = pkm_arena_alloc(arena, (size_t)n_entry, sizeof(double));
    if (!start || !column || !value) return PKM_ERR_MEMORY;
    int at = 0;
    for (int i = 0; i < n_row; ++i) {
        const pkm_row* r = &mech->row[row[i]];
        const size_t n = (size_t)(r->n_a + r->n_b);
        start[i] = at;
        memcpy(column + at, mech->column + r->at, n * sizeof(int));
        memcpy(value + at, state->jacobian + r->at, n * sizeof(double));
        at += (int)n;
    }
    start[n_row] = at;
    *out = (pkm_sparse){n_row, mech->n_v, start, column, value, NULL};
    return PKM_OK;
}

pkm_status pkm_rows_rank(const pkm_state* state, const int* row, int n_row, double tolerance,
                         int* rank, bool* used_row, bool* used_column)
{
    return pkm_rows_rank_by_price(state, row, n_row, tolerance, NULL, rank, used_row, used_column);
}

/// Rank by sparse elimination: rows without a pivot are redundant, velocities without one are free.
/// Columns with a price get a pivot only when no other column can have it.
pkm_status pkm_rows_rank_by_price(const pkm_state* state, const int* row, int n_row,
                                  double tolerance, const double* price, int* rank, bool* used_row,
                                  bool* used_column)
{
    pkm_arena* arena = state->arena;
    pkm_sparse matrix = {0};
    pkm_pivots pivots = {0};
    pkm_status status = gather(state, row, n_row, arena, &matrix);
    matrix.price = price;
    if (status == PKM_OK) status = pkm_pivots_choose(&matrix, tolerance, arena, &pivots);
    if (status == PKM_OK) {
        *rank = pivots.rank;
        if (used_row) memset(used_row, 0, (size_t)n_row * sizeof(bool));
        if (used_column) memset(used_column, 0, (size_t)state->mech->n_v * sizeof(bool));
        for (int k = 0; k < pivots.rank; ++k) {
            if (used_row) used_row[pivots.row[k]] = true;
            if (used_column) used_column[pivots.column[k]] = true;
        }
    }
    pkm_arena_clear(arena);
    return status;
}
