// Sparse LU factors whose elimination is written down once as a list of multiply-subtract steps and
// replayed for new values. docs/theory/engine.md, section 3, Factors.
#include "solver/sparse_lu.h"

#include "base/error.h"
#include "base/memory.h"
#include "solver/pivots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GROWTH_LIMIT = 1e4;  // multipliers beyond this cost four digits: choose anew
static const double SHRINK_LIMIT = 0.05; // of a pivot, where other rows could take its place
enum { NO_UNIT = -1 };

struct pkm_sparse_lu {
    int n_row, n_column, n_entry;
    int* start;  ///< [n_row + 1]
    int* column; ///< [n_entry]
    double tolerance;
    int analyses;
    bool ready; ///< the program belongs to the pivots: the last choice did not fail half way

    // pivot order: step k uses row pivot_row[k] and column pivot_column[k]
    int *pivot_row, *pivot_column;
    int *step_of_row, *step_of_column; ///< inverse; -1 for rows left out
    int permutation_sign;

    // factors, row by row in pivot order, columns in pivot order within a row
    int* row_at;     ///< [n_column + 1] first slot of a row
    int* diagonal;   ///< [n_column] slot of the pivot
    int* slot_step;  ///< [n_slot] column (as a step) of a slot
    double* value;   ///< [n_slot]
    double* inverse; ///< [n_column] 1 / pivot
    double* least;   ///< [n_column] a pivot that is not larger than this is chosen anew
    int* source;     ///< [n_slot] the entry of the matrix that a slot begins with, -1: zero
    int slot_capacity;

    // the program: row by row, for every multiplier left of the diagonal, the slots from which the
    // multiplied rest of its pivot row is subtracted
    int* target;
    int n_target, target_capacity;

    // unit vectors as right sides, side by side. Up to a step no two of them meet in the forward
    // substitution (a drive moves its own limb, until the limbs meet at the platform).
    int unit_row[PKM_SPARSE_MAX_UNIT];
    int n_unit;
    bool is_placed; ///< `meet` and `place` are known
    int meet;       ///< the first step that meets several of them, 0: not known
    int* place;     ///< [n_column] of a step before that: where the one it meets has its entry

    double* work;     ///< [n_column]
    int* where;       ///< [n_column] slot of a step in the row at hand
    pkm_arena* arena; ///< of the choice of pivots: kept, so that a later one finds its room
};

pkm_status pkm_sparse_lu_create(int n_row, int n_column, const int* start, const int* column,
                                pkm_sparse_lu** out)
{
    *out = NULL;
    pkm_sparse_lu* lu = pkm_alloc(1, sizeof *lu);
    if (!lu) return PKM_ERR_MEMORY;
    const size_t m = (size_t)n_row, n = (size_t)n_column, z = (size_t)start[n_row];
    lu->n_row = n_row;
    lu->n_column = n_column;
    lu->n_entry = start[n_row];
    lu->start = pkm_alloc(m + 1, sizeof(int));
    lu->column = pkm_alloc(z, sizeof(int));
    lu->pivot_row = pkm_alloc(n, sizeof(int));
    lu->pivot_column = pkm_alloc(n, sizeof(int));
    lu->step_of_row = pkm_alloc(m, sizeof(int));
    lu->step_of_column = pkm_alloc(n, sizeof(int));
    lu->row_at = pkm_alloc(n + 1, sizeof(int));
    lu->diagonal = pkm_alloc(n, sizeof(int));
    lu->inverse = pkm_alloc(n, sizeof(double));
    lu->least = pkm_alloc(n, sizeof(double));
    lu->place = pkm_alloc(n, sizeof(int));
    lu->work = pkm_alloc(n, sizeof(double));
    lu->where = pkm_alloc(n, sizeof(int));
    lu->arena = pkm_arena_create();
    if (!lu->start || !lu->column || !lu->pivot_row || !lu->pivot_column || !lu->step_of_row ||
        !lu->step_of_column || !lu->row_at || !lu->diagonal || !lu->inverse || !lu->least ||
        !lu->place || !lu->work || !lu->where || !lu->arena) {
        pkm_sparse_lu_free(lu);
        return PKM_ERR_MEMORY;
    }
    (void)pkm_sparse_lu_take(lu, n_row, start, column);
    *out = lu;
    return PKM_OK;
}

bool pkm_sparse_lu_take(pkm_sparse_lu* lu, int n_row, const int* start, const int* column)
{
    if (n_row != lu->n_row || start[n_row] != lu->n_entry) return false;
    memcpy(lu->start, start, ((size_t)n_row + 1) * sizeof(int));
    memcpy(lu->column, column, (size_t)lu->n_entry * sizeof(int));
    lu->ready = false;
    return true;
}

void pkm_sparse_lu_free(pkm_sparse_lu* lu)
{
    if (!lu) return;
    pkm_arena_free(lu->arena);
    void* const blocks[] = {lu->start,        lu->column,      lu->pivot_row,
                            lu->pivot_column, lu->step_of_row, lu->step_of_column,
                            lu->row_at,       lu->diagonal,    lu->slot_step,
                            lu->value,        lu->inverse,     lu->least,
                            lu->source,       lu->target,      lu->work,
                            lu->where,        lu->place,       lu};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
}

// ---- the program ------------------------------------------------------------------------------

/// +1 or -1: parity of the order in which steps stand by item, those left out (-1) not counted; by
/// the cycles of that permutation. `work` [n_column].
static int parity(const int* step_of_item, int n_item, int* work)
{
    int n = 0, sign = 1;
    for (int i = 0; i < n_item; ++i)
        if (step_of_item[i] >= 0) work[n++] = step_of_item[i];
    // a cycle of length l is l - 1 exchanges; each puts one item in its place
    for (int k = 0; k < n; ++k)
        while (work[k] != k) {
            const int at = work[k];
            work[k] = work[at];
            work[at] = at;
            sign = -sign;
        }
    return sign;
}

static void number_steps(pkm_sparse_lu* lu, const pkm_pivots* pivots)
{
    for (int r = 0; r < lu->n_row; ++r)
        lu->step_of_row[r] = -1;
    for (int k = 0; k < lu->n_column; ++k) {
        lu->pivot_row[k] = pivots->row[k];
        lu->pivot_column[k] = pivots->column[k];
        lu->step_of_row[pivots->row[k]] = k;
        lu->step_of_column[pivots->column[k]] = k;
        lu->least[k] = lu->tolerance * pivots->size[k];
    }
    // of both orders: the sign of the determinant follows from the pivots then
    lu->permutation_sign = parity(lu->step_of_row, lu->n_row, lu->where) *
                           parity(lu->step_of_column, lu->n_column, lu->where);
}

static pkm_status reserve(pkm_sparse_lu* lu, int n_slot, int n_target)
{
    if (n_slot > lu->slot_capacity) {
        // half as much again: later choices differ by little
        const size_t want = (size_t)(n_slot + n_slot / 2);
        int* step = pkm_realloc(lu->slot_step, want, sizeof(int));
        if (step) lu->slot_step = step;
        int* source = step ? pkm_realloc(lu->source, want, sizeof(int)) : NULL;
        if (source) lu->source = source;
        double* value = source ? pkm_realloc(lu->value, want, sizeof(double)) : NULL;
        if (!value) return PKM_ERR_MEMORY;
        lu->value = value;
        lu->slot_capacity = (int)want;
    }
    if (n_target >= lu->target_capacity) { // one to spare: an empty program has a place, too
        // steps may differ more: four for each slot take no more memory than the slots
        const size_t half = (size_t)(n_target + n_target / 2 + 1);
        const size_t four = 4 * (size_t)lu->slot_capacity;
        const size_t want = half > four ? half : four;
        int* target = pkm_realloc(lu->target, want, sizeof(int));
        if (!target) return PKM_ERR_MEMORY;
        lu->target = target;
        lu->target_capacity = (int)want;
    }
    return PKM_OK;
}

static int by_step(const void* a, const void* b)
{
    const int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

/// Slots of row k: multipliers, pivot, rest, each in pivot order.
static int number_row(pkm_sparse_lu* lu, const pkm_pivots* pivots, int k, int at)
{
    lu->row_at[k] = at;
    for (int i = 0; i < pivots->n_lower[k]; ++i)
        lu->slot_step[at++] = pivots->lower[k][i];
    lu->diagonal[k] = at;
    lu->slot_step[at++] = k;
    for (int i = 0; i < pivots->n_upper[k]; ++i)
        lu->slot_step[at++] = lu->step_of_column[pivots->upper[k][i]];
    // ascending steps: what a row needs has been computed before it
    qsort(lu->slot_step + lu->row_at[k], (size_t)(at - lu->row_at[k]), sizeof(int), by_step);
    return at;
}

static int count_targets(const pkm_pivots* pivots)
{
    int count = 0;
    for (int k = 0; k < pivots->rank; ++k)
        for (int i = 0; i < pivots->n_lower[k]; ++i)
            count += pivots->n_upper[pivots->lower[k][i]];
    return count;
}

static void write_row(pkm_sparse_lu* lu, int k)
{
    for (int s = lu->row_at[k]; s < lu->row_at[k + 1]; ++s) {
        lu->where[lu->slot_step[s]] = s;
        lu->source[s] = -1;
    }
    const int row = lu->pivot_row[k];
    for (int e = lu->start[row]; e < lu->start[row + 1]; ++e)
        lu->source[lu->where[lu->step_of_column[lu->column[e]]]] = e;
    for (int s = lu->row_at[k]; s < lu->diagonal[k]; ++s) {
        const int from = lu->slot_step[s];
        for (int u = lu->diagonal[from] + 1; u < lu->row_at[from + 1]; ++u)
            lu->target[lu->n_target++] = lu->where[lu->slot_step[u]];
    }
}

static pkm_status write_program(pkm_sparse_lu* lu, const pkm_pivots* pivots)
{
    int n_slot = 0;
    for (int k = 0; k < lu->n_column; ++k)
        n_slot += pivots->n_lower[k] + 1 + pivots->n_upper[k];
    PKM_TRY(reserve(lu, n_slot, count_targets(pivots)));
    int at = 0;
    for (int k = 0; k < lu->n_column; ++k)
        at = number_row(lu, pivots, k, at);
    lu->row_at[lu->n_column] = at;
    lu->n_target = lu->n_unit = 0;
    for (int k = 0; k < lu->n_column; ++k)
        write_row(lu, k);
    return PKM_OK;
}

/// Replay the elimination. False when a multiplier grows beyond the limit or a pivot vanishes, to
/// the tolerance with which they were chosen.
static bool replay(pkm_sparse_lu* lu, const double* value)
{
    double* x = lu->value;
    // fill begins as zero
    for (int s = 0; s < lu->row_at[lu->n_column]; ++s)
        x[s] = lu->source[s] >= 0 ? value[lu->source[s]] : 0.0;

    const int* target = lu->target;
    double growth = 0.0;
    // row by row; `target` runs through the program in the order in which it was written
    for (int k = 0; k < lu->n_column; ++k) {
        const int d = lu->diagonal[k];
        for (int s = lu->row_at[k]; s < d; ++s) {
            const int from = lu->slot_step[s];
            const int at = lu->diagonal[from] + 1, n_right = lu->row_at[from + 1] - at;
            const double factor = x[s] * lu->inverse[from];
            const double* right = x + at;
            x[s] = factor;
            growth = fabs(factor) > growth ? fabs(factor) : growth;
            for (int i = 0; i < n_right; ++i)
                x[target[i]] -= factor * right[i];
            target += n_right;
        }
        // put so that a NaN fails as well
        if (!(fabs(x[d]) > lu->least[k] && fabs(x[d]) < HUGE_VAL)) return false;
        lu->inverse[k] = 1.0 / x[d];
    }
    return growth < GROWTH_LIMIT;
}

/// With rows to spare, a pivot that shrinks much hints at rows that begin to depend on each other
/// while the matrix does not: others are better.
static void watch_pivots(pkm_sparse_lu* lu)
{
    for (int k = 0; lu->n_row > lu->n_column && k < lu->n_column; ++k)
        lu->least[k] = fmax(lu->least[k], SHRINK_LIMIT / fabs(lu->inverse[k]));
}

pkm_status pkm_sparse_lu_analyse(pkm_sparse_lu* lu, const double* value, double tolerance)
{
    ++lu->analyses;
    lu->ready = false;
    lu->tolerance = tolerance;
    const pkm_sparse matrix = {lu->n_row, lu->n_column, lu->start, lu->column, value, NULL};
    pkm_pivots pivots;
    pkm_status status = pkm_pivots_choose(&matrix, tolerance, lu->arena, &pivots);
    // fewer pivots than columns: nothing determines what is left
    if (status == PKM_OK && pivots.rank < lu->n_column) status = PKM_ERR_SINGULAR;
    if (status == PKM_OK) {
        number_steps(lu, &pivots);
        status = write_program(lu, &pivots);
    }
    pkm_arena_clear(lu->arena);
    if (status != PKM_OK) return status;
    PKM_ASSERT(lu->row_at[lu->n_column] <= lu->slot_capacity &&
               lu->n_target <= lu->target_capacity);
    if (!replay(lu, value)) return PKM_ERR_SINGULAR;
    watch_pivots(lu);
    lu->ready = true;
    return PKM_OK;
}

pkm_status pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value)
{
    if (lu->ready && replay(lu, value)) return PKM_OK;
    return pkm_sparse_lu_analyse(lu, value, lu->tolerance);
}

// ---- solutions --------------------------------------------------------------------------------

void pkm_sparse_lu_solve(pkm_sparse_lu* lu, const double* b, double* x)
{
    // L y = b in the order of the pivots, then U x = y
    double* y = lu->work;
    for (int k = 0; k < lu->n_column; ++k) {
        double sum = b[lu->pivot_row[k]];
        for (int s = lu->row_at[k]; s < lu->diagonal[k]; ++s)
            sum -= lu->value[s] * y[lu->slot_step[s]];
        y[k] = sum;
    }
    for (int k = lu->n_column - 1; k >= 0; --k) {
        double sum = y[k];
        for (int s = lu->diagonal[k] + 1; s < lu->row_at[k + 1]; ++s)
            sum -= lu->value[s] * y[lu->slot_step[s]];
        y[k] = sum * lu->inverse[k];
        x[lu->pivot_column[k]] = y[k];
    }
}

void pkm_sparse_lu_solve_transposed(pkm_sparse_lu* lu, const double* f, double* y)
{
    // U' z = f, then L' y = z; rows that were left out get 0
    double* z = lu->work;
    for (int k = 0; k < lu->n_column; ++k)
        z[k] = f[lu->pivot_column[k]];
    for (int k = 0; k < lu->n_column; ++k) {
        z[k] *= lu->inverse[k];
        for (int s = lu->diagonal[k] + 1; s < lu->row_at[k + 1]; ++s)
            z[lu->slot_step[s]] -= lu->value[s] * z[k];
    }
    memset(y, 0, (size_t)lu->n_row * sizeof(double));
    for (int k = lu->n_column - 1; k >= 0; --k) {
        for (int s = lu->row_at[k]; s < lu->diagonal[k]; ++s)
            z[lu->slot_step[s]] -= lu->value[s] * z[k];
        y[lu->pivot_row[k]] = z[k];
    }
}

/// Subtract the slots from `s` to `end` of a row, times what is known, from its right sides: n of
/// them side by side in y. Inlined with a constant n the loops unroll.
static inline void subtract(const pkm_sparse_lu* lu, int s, int end, const double* y, int n,
                            double* sum)
{
    for (; s < end; ++s) {
        const double factor = lu->value[s];
        const double* from = y + lu->slot_step[s] * n;
        for (int j = 0; j < n; ++j)
            sum[j] -= factor * from[j];
    }
}

/// Forward and back substitution of `n` unit vectors, whose first step with an entry is `first`;
/// the solution from step `last` on. Before they meet, their sum in lu->work is all of them at
/// once.
static inline void substitute(const pkm_sparse_lu* lu, int first, int last, double* y, int n)
{
    double sum[PKM_SPARSE_MAX_UNIT];
    int k = first;
    for (; k < lu->meet; ++k) {
        double one = lu->work[k];
        for (int s = lu->row_at[k]; s < lu->diagonal[k]; ++s)
            one -= lu->value[s] * lu->work[lu->slot_step[s]];
        y[lu->place[k]] = lu->work[k] = one;
    }
    for (; k < lu->n_column; ++k) {
        // nothing left of the diagonal: this row has nothing to take
        if (lu->row_at[k] == lu->diagonal[k]) continue;
        for (int j = 0; j < n; ++j)
            sum[j] = y[k * n + j];
        subtract(lu, lu->row_at[k], lu->diagonal[k], y, n, sum);
        for (int j = 0; j < n; ++j)
            y[k * n + j] = sum[j];
    }
    // no further than the coordinates that are asked for
    for (k = lu->n_column - 1; k >= last; --k) {
        for (int j = 0; j < n; ++j)
            sum[j] = y[k * n + j];
        subtract(lu, lu->diagonal[k] + 1, lu->row_at[k + 1], y, n, sum);
        for (int j = 0; j < n; ++j)
            y[k * n + j] = sum[j] * lu->inverse[k];
    }
}

/// The unit vector that step k meets: NO_UNIT, or n when there are several.
static int find_unit(const pkm_sparse_lu* lu, const int* unit, const int* row, int n, int k)
{
    int met = NO_UNIT;
    for (int j = 0; j < n; ++j)
        if (lu->step_of_row[row[j]] == k) met = met == NO_UNIT ? j : n;
    for (int s = lu->row_at[k]; s < lu->diagonal[k]; ++s) {
        const int from = unit[lu->slot_step[s]];
        if (from != NO_UNIT && from != met) met = met == NO_UNIT ? from : n;
    }
    return met;
}

/// Where these unit vectors meet, once they are asked for again: other ones go all together.
static void find_places(pkm_sparse_lu* lu, const int* row, int n)
{
    if (lu->n_unit != n || memcmp(lu->unit_row, row, (size_t)n * sizeof(int)) != 0) {
        memcpy(lu->unit_row, row, (size_t)n * sizeof(int));
        lu->n_unit = n;
        lu->meet = 0;
        lu->is_placed = false;
        return;
    }
    if (lu->is_placed) return;
    lu->is_placed = true;
    int* unit = lu->where; // free between two analyses
    for (int k = 0; k < lu->n_column; ++k) {
        unit[k] = find_unit(lu, unit, row, n, k);
        if (unit[k] == n) return;
        lu->place[k] = k * n + (unit[k] == NO_UNIT ? 0 : unit[k]); // nothing: a zero in any
        lu->meet = k + 1;
    }
}

/// Solve for unit vectors, in the order of the pivots, down to step `last`, into `work`.
static void substitute_units(pkm_sparse_lu* lu, const int* row, int n, int last, double* work)
{
    find_places(lu, row, n);
    // rows before the first entry stay zero and are skipped
    memset(work, 0, (size_t)(lu->n_column * n) * sizeof(double));
    memset(lu->work, 0, (size_t)lu->n_column * sizeof(double));
    int first = lu->n_column;
    for (int j = 0; j < n; ++j) {
        const int step = lu->step_of_row[row[j]];
        // a row that was left out of the factors: no such force
        if (step < 0) continue;
        work[step * n + j] = lu->work[step] = 1.0;
        first = step < first ? step : first;
    }
    // usual numbers as constants, so that the inner loops unroll
    if (n == 6)
        substitute(lu, first, last, work, 6);
    else if (n == 4)
        substitute(lu, first, last, work, 4);
    else if (n == 3)
        substitute(lu, first, last, work, 3);
    else if (n == 2)
        substitute(lu, first, last, work, 2);
    else
        substitute(lu, first, last, work, n);
}

void pkm_sparse_lu_solve_units(pkm_sparse_lu* lu, const int* row, int n, double* X, double* work)
{
    substitute_units(lu, row, n, 0, work);
    const int n_column = lu->n_column, *column = lu->pivot_column;
    for (int j = 0; j < n; ++j, X += n_column) {
        const double* from = work + j;
        for (int k = 0; k < n_column; ++k, from += n)
            X[column[k]] = *from;
    }
}

void pkm_sparse_lu_solve_units_at(pkm_sparse_lu* lu, const int* row, int n, const int* column,
                                  int n_at, double* X, double* work)
{
    // pivots of the asked columns: back substitution ends at the earliest
    int last = lu->n_column;
    for (int i = 0; i < n_at; ++i)
        last = lu->step_of_column[column[i]] < last ? lu->step_of_column[column[i]] : last;
    substitute_units(lu, row, n, last, work);
    for (int i = 0; i < n_at; ++i) {
        const double* from = work + lu->step_of_column[column[i]] * n;
        double* to = X + column[i];
        for (int j = 0; j < n; ++j, to += lu->n_column)
            *to = from[j];
    }
}

int pkm_sparse_lu_sign(const pkm_sparse_lu* lu)
{
    int sign = lu->permutation_sign;
    // sign of det by the pivots and both orders
    for (int k = 0; k < lu->n_column; ++k)
        if (lu->inverse[k] < 0.0) sign = -sign;
    return sign;
}

bool pkm_sparse_lu_uses_row(const pkm_sparse_lu* lu, int row)
{
    return lu->step_of_row[row] >= 0;
}

int pkm_sparse_lu_cost(const pkm_sparse_lu* lu)
{
    return lu->n_target;
}

int pkm_sparse_lu_analyses(const pkm_sparse_lu* lu)
{
    return lu->analyses;
}
