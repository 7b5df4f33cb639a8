// S = Z'Z of all rows: within its skyline, or by fronts where these take much less, as for links in
// pieces that close loops. docs/theory/flexible.md, section 4, Fronts, and section 8, Cost.
#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double MUCH_MORE = 5.0; // multiplications than by fronts

/// First column of each row of S that is not zero: the smallest row with a common block, but for a
/// tree that is solved last.
static void find_skyline(pkm_blocks* b)
{
    for (int k = 0; k < b->n_row; ++k)
        b->first[k] = k;
    // rows of a block are coupled from its first row on; a last tree is not in S
    for (int i = 0; i < b->n_block; ++i)
        for (int k = 0; i != b->last && k < b->block[i].n_row; ++k) {
            int* first = &b->first[b->block[i].row[k]];
            if (b->block[i].row[0] < *first) *first = b->block[i].row[0];
        }
    pkm_chol_find_last(b->first, b->n_row, b->reach);
    b->shape = (pkm_chol_shape){b->first, b->reach, pkm_chol_count_diagonal(b->first, b->n_row)};
}

/// Fronts, where they are worth it. The arena keeps its room for rows that are chosen later.
static pkm_status find_fronts(pkm_blocks* b)
{
    b->fronts = NULL;
    pkm_arena_clear(b->of_fronts);
    // limbs before a hub have factors of their own
    if (b->chosen != b->last) return PKM_OK;
    pkm_fronts_part* part = pkm_arena_alloc(b->of_fronts, (size_t)b->n_block, sizeof *part);
    if (!part) return PKM_ERR_MEMORY;
    for (int i = 0; i < b->n_block; ++i)
        if (i != b->last) part[i] = (pkm_fronts_part){b->block[i].n_row, b->block[i].row};
    pkm_fronts* fronts = NULL;
    PKM_TRY(pkm_fronts_create(b->of_fronts, b->n_row, b->n_block, part, &fronts));
    const double much = MUCH_MORE * pkm_fronts_cost(fronts);
    if (pkm_chol_cost(b->shape, b->n_row, much) > much)
        b->fronts = fronts;
    else
        pkm_arena_clear(b->of_fronts);
    return PKM_OK;
}

pkm_status pkm_block_rows_lay_out(pkm_blocks* b)
{
    find_skyline(b);
    PKM_TRY(find_fronts(b));
    if (b->fronts) return PKM_OK;
    // factors work on whole fours of rows; behind their reach rows are zero for good
    const size_t stride = (size_t)pkm_chol_stride(b->n_row), n = stride * stride;
    if (n > b->S_room) {
        const size_t most =
            (size_t)pkm_chol_stride(b->n_row > b->most_row ? b->n_row : b->most_row);
        pkm_free(b->S);
        b->S = pkm_alloc(most * most, sizeof(double));
        b->S_room = b->S ? most * most : 0;
        return b->S ? PKM_OK : PKM_ERR_MEMORY;
    }
    if (n > 0) memset(b->S, 0, n * sizeof(double));
    return PKM_OK;
}

double pkm_block_rows_cost(const pkm_blocks* b)
{
    return b->fronts ? pkm_fronts_cost(b->fronts) : pkm_chol_cost(b->shape, b->n_row, HUGE_VAL);
}

void pkm_block_rows_clear(pkm_blocks* b)
{
    if (b->fronts)
        pkm_fronts_clear(b->fronts);
    else
        pkm_chol_clear(b->shape, b->n_row, b->S);
}

void pkm_block_rows_add(pkm_blocks* b, int block)
{
    const pkm_block* from = &b->block[block];
    if (b->fronts) {
        pkm_fronts_add(b->fronts, block, from->S);
        return;
    }
    const size_t stride = (size_t)pkm_chol_stride(b->n_row);
    for (int k = 0; k < from->n_row; ++k) {
        const double* part = from->S + (size_t)k * (size_t)pkm_chol_stride(from->n_row);
        double* S = b->S + (size_t)from->row[k] * stride;
        for (int l = k; l < from->n_row; ++l)
            S[from->row[l]] += part[l];
    }
}

bool pkm_block_rows_factor(pkm_blocks* b, double least)
{
    return b->fronts ? pkm_fronts_factor(b->fronts, least)
                     : pkm_chol_factor(b->shape, b->n_row, least, b->S, b->work);
}

void pkm_block_rows_lower(const pkm_blocks* b, double* x)
{
    if (b->fronts)
        pkm_fronts_solve_lower(b->fronts, x);
    else
        pkm_chol_solve_lower(b->shape, b->n_row, b->S, x);
}

void pkm_block_rows_lower_many(const pkm_blocks* b, int width, double* X)
{
    if (b->fronts)
        pkm_fronts_solve_lower_many(b->fronts, width, X);
    else
        pkm_chol_solve_lower_many(b->shape, b->n_row, b->S, width, X);
}

void pkm_block_rows_upper(const pkm_blocks* b, double* x)
{
    if (b->fronts)
        pkm_fronts_solve_upper(b->fronts, x);
    else
        pkm_chol_solve_upper(b->shape, b->n_row, b->S, x);
}
