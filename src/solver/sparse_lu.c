#include "solver/sparse_lu.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double PIVOT_THRESHOLD = 0.1; // of the largest candidate in its column
static const double GROWTH_LIMIT = 1e4;    // multipliers beyond this cost four digits: choose anew

struct pkm_sparse_lu {
    int n_row, n_column, n_entry;
    int* start;  ///< [n_row + 1]
    int* column; ///< [n_entry]
    double tolerance;
    int analyses;
    bool ready; ///< the program belongs to the pivots: the last choice did not fail half way

    // Pivot order: step k uses row pivot_row[k] and column pivot_column[k].
    int *pivot_row, *pivot_column;
    int *step_of_row, *step_of_column; ///< inverse; PKM_NONE-like -1 for rows left out
    int permutation_sign;

    // Factors, row by row in pivot order, columns in pivot order within a row.
    int* row_at;     ///< [n_column + 1] first slot of a row
    int* diagonal;   ///< [n_column] slot of the pivot
    int* slot_step;  ///< [n_slot] column (as a step) of a slot
    double* value;   ///< [n_slot]
    double* inverse; ///< [n_column] 1 / pivot
    double* least;   ///< [n_column] a pivot that is not larger than this counts as zero
    int* entry_slot; ///< [n_entry] where an entry of the matrix goes, -1: its row is left out
    int n_slot, slot_capacity;

    // The program: step k eliminates below_n[k] rows; each has the slot of its multiplier and, for
    // every slot of the pivot row right of the diagonal, the slot to subtract from.
    int* below_at; ///< [n_column + 1] into below_slot, below_step
    int *below_slot, *below_step;
    int below_capacity;
    int* target;
    int n_target, target_capacity;

    // Work.
    double* dense;          ///< [n_row x n_column], row by row
    unsigned char* pattern; ///< [n_row x n_column]
    double* row_size;       ///< [n_row] largest entry of the given row
    double* work;           ///< [n_column]
    bool *row_done, *column_done;
};

static void* grow(void* old, int* capacity, int want, size_t size)
{
    void* out = pkm_realloc(old, (size_t)want, size);
    if (out) *capacity = want;
    return out;
}

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
    lu->entry_slot = pkm_alloc(z, sizeof(int));
    lu->below_at = pkm_alloc(n + 1, sizeof(int));
    lu->dense = pkm_alloc(m * n, sizeof(double));
    lu->pattern = pkm_alloc(m * n, 1);
    lu->row_size = pkm_alloc(m, sizeof(double));
    lu->work = pkm_alloc(n, sizeof(double));
    lu->row_done = pkm_alloc(m, sizeof(bool));
    lu->column_done = pkm_alloc(n, sizeof(bool));
    if (!lu->start || !lu->column || !lu->pivot_row || !lu->pivot_column || !lu->step_of_row ||
        !lu->step_of_column || !lu->row_at || !lu->diagonal || !lu->inverse || !lu->least ||
        !lu->entry_slot || !lu->below_at || !lu->dense || !lu->pattern || !lu->row_size ||
        !lu->work || !lu->row_done || !lu->column_done) {
        pkm_sparse_lu_free(lu);
        return PKM_ERR_MEMORY;
    }
    memcpy(lu->start, start, (m + 1) * sizeof(int));
    memcpy(lu->column, column, z * sizeof(int));
    *out = lu;
    return PKM_OK;
}

void pkm_sparse_lu_free(pkm_sparse_lu* lu)
{
    if (!lu) return;
    void* const blocks[] = {lu->start,       lu->column,         lu->pivot_row,   lu->pivot_column,
                            lu->step_of_row, lu->row_at,         lu->diagonal,    lu->slot_step,
                            lu->value,       lu->step_of_column, lu->inverse,     lu->least,
                            lu->entry_slot,  lu->below_at,       lu->below_slot,  lu->below_step,
                            lu->target,      lu->dense,          lu->pattern,     lu->row_size,
                            lu->work,        lu->row_done,       lu->column_done, lu};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
}

// ---- choice of the pivots ---------------------------------------------------------------------

static void load_dense(pkm_sparse_lu* lu, const double* value)
{
    const size_t n = (size_t)lu->n_column;
    memset(lu->dense, 0, (size_t)lu->n_row * n * sizeof(double));
    memset(lu->pattern, 0, (size_t)lu->n_row * n);
    for (int r = 0; r < lu->n_row; ++r) {
        lu->row_size[r] = 0.0;
        lu->row_done[r] = false;
        for (int e = lu->start[r]; e < lu->start[r + 1]; ++e) {
            const size_t at = (size_t)r * n + (size_t)lu->column[e];
            lu->dense[at] = value[e];
            lu->pattern[at] = 1;
            lu->row_size[r] = fmax(lu->row_size[r], fabs(value[e]));
        }
    }
    for (int c = 0; c < lu->n_column; ++c)
        lu->column_done[c] = false;
}

static int row_count(const pkm_sparse_lu* lu, int r)
{
    int count = 0;
    for (int c = 0; c < lu->n_column; ++c)
        count += !lu->column_done[c] && lu->pattern[(size_t)r * (size_t)lu->n_column + (size_t)c];
    return count;
}

static int column_count(const pkm_sparse_lu* lu, int c, double* largest)
{
    int count = 0;
    *largest = 0.0;
    for (int r = 0; r < lu->n_row; ++r) {
        const size_t at = (size_t)r * (size_t)lu->n_column + (size_t)c;
        if (lu->row_done[r] || !lu->pattern[at]) continue;
        ++count;
        *largest = fmax(*largest, fabs(lu->dense[at]));
    }
    return count;
}

/// The cheapest acceptable pivot; false when no entry is above the tolerance.
static bool find_pivot(const pkm_sparse_lu* lu, const int* counts, int* pivot_r, int* pivot_c)
{
    long best_cost = -1;
    double best_size = 0.0;
    for (int c = 0; c < lu->n_column; ++c) {
        if (lu->column_done[c]) continue;
        double largest;
        const int in_column = column_count(lu, c, &largest);
        for (int r = 0; r < lu->n_row; ++r) {
            const size_t at = (size_t)r * (size_t)lu->n_column + (size_t)c;
            if (lu->row_done[r] || !lu->pattern[at]) continue;
            const double size = fabs(lu->dense[at]);
            if (!(size > lu->tolerance * lu->row_size[r]) || size < PIVOT_THRESHOLD * largest)
                continue;
            const long cost = (long)(counts[r] - 1) * (long)(in_column - 1);
            const bool cheaper = best_cost < 0 || cost < best_cost;
            if (!cheaper && !(cost == best_cost && size > best_size)) continue;
            best_cost = cost;
            best_size = size;
            *pivot_r = r;
            *pivot_c = c;
        }
    }
    return best_cost >= 0;
}

static void eliminate_dense(pkm_sparse_lu* lu, int pr, int pc)
{
    const size_t n = (size_t)lu->n_column;
    const double* pivot_row = lu->dense + (size_t)pr * n;
    const unsigned char* pivot_pattern = lu->pattern + (size_t)pr * n;
    for (int r = 0; r < lu->n_row; ++r) {
        double* row = lu->dense + (size_t)r * n;
        unsigned char* row_pattern = lu->pattern + (size_t)r * n;
        if (lu->row_done[r] || !row_pattern[pc]) continue;
        const double factor = row[pc] / pivot_row[pc];
        for (int c = 0; c < lu->n_column; ++c) {
            if (lu->column_done[c] || !pivot_pattern[c] || c == pc) continue;
            row[c] -= factor * pivot_row[c];
            row_pattern[c] = 1;
        }
    }
}

static pkm_status choose_pivots(pkm_sparse_lu* lu)
{
    int* counts = lu->step_of_row; // free until the steps are numbered
    for (int k = 0; k < lu->n_column; ++k) {
        for (int r = 0; r < lu->n_row; ++r)
            counts[r] = lu->row_done[r] ? 0 : row_count(lu, r);
        int pr = 0, pc = 0;
        if (!find_pivot(lu, counts, &pr, &pc)) return PKM_ERR_SINGULAR;
        lu->pivot_row[k] = pr;
        lu->pivot_column[k] = pc;
        lu->row_done[pr] = true;
        eliminate_dense(lu, pr, pc);
        lu->column_done[pc] = true;
    }
    return PKM_OK;
}

/// +1 or -1: parity of the order in which `item` (distinct numbers) stands.
static int parity(const int* item, int n)
{
    int sign = 1;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (item[j] < item[i]) sign = -sign;
    return sign;
}

static void number_steps(pkm_sparse_lu* lu)
{
    for (int r = 0; r < lu->n_row; ++r)
        lu->step_of_row[r] = -1;
    for (int k = 0; k < lu->n_column; ++k) {
        lu->step_of_row[lu->pivot_row[k]] = k;
        lu->step_of_column[lu->pivot_column[k]] = k;
        lu->least[k] = lu->tolerance * lu->row_size[lu->pivot_row[k]];
    }
    lu->permutation_sign =
        parity(lu->pivot_row, lu->n_column) * parity(lu->pivot_column, lu->n_column);
}

// ---- the program ------------------------------------------------------------------------------

/// Fill pattern of the permuted square matrix in `pattern` (n x n); returns the number of slots and
/// of targets.
static void fill_pattern(pkm_sparse_lu* lu, int* n_below, int* n_target)
{
    const int n = lu->n_column;
    memset(lu->pattern, 0, (size_t)n * (size_t)n);
    for (int r = 0; r < lu->n_row; ++r) {
        const int k = lu->step_of_row[r];
        for (int e = lu->start[r]; k >= 0 && e < lu->start[r + 1]; ++e)
            lu->pattern[(size_t)k * (size_t)n + (size_t)lu->step_of_column[lu->column[e]]] = 1;
    }
    *n_below = *n_target = 0;
    for (int k = 0; k < n; ++k) {
        const unsigned char* pivot = lu->pattern + (size_t)k * (size_t)n;
        for (int i = k + 1; i < n; ++i) {
            unsigned char* row = lu->pattern + (size_t)i * (size_t)n;
            if (!row[k]) continue;
            ++*n_below;
            for (int j = k + 1; j < n; ++j) {
                if (!pivot[j]) continue;
                row[j] = 1;
                ++*n_target;
            }
        }
    }
}

static pkm_status reserve(pkm_sparse_lu* lu, int n_slot, int n_below, int n_target)
{
    if (n_slot > lu->slot_capacity) {
        const int want = n_slot + n_slot / 2;
        int ignored;
        int* step = grow(lu->slot_step, &ignored, want, sizeof(int));
        if (step) lu->slot_step = step;
        double* value = step ? grow(lu->value, &lu->slot_capacity, want, sizeof(double)) : NULL;
        if (!value) return PKM_ERR_MEMORY;
        lu->value = value;
    }
    if (n_below > lu->below_capacity) {
        const int want = n_below + n_below / 2;
        int ignored;
        int* slot = grow(lu->below_slot, &ignored, want, sizeof(int));
        if (slot) lu->below_slot = slot;
        int* step = slot ? grow(lu->below_step, &lu->below_capacity, want, sizeof(int)) : NULL;
        if (!step) return PKM_ERR_MEMORY;
        lu->below_step = step;
    }
    if (n_target > lu->target_capacity) {
        int* target = grow(lu->target, &lu->target_capacity, n_target + n_target / 2, sizeof(int));
        if (!target) return PKM_ERR_MEMORY;
        lu->target = target;
    }
    return PKM_OK;
}

/// The slot of (row, column), both as steps; the pattern has it.
static int slot_of(const pkm_sparse_lu* lu, int row, int column)
{
    int s = lu->row_at[row];
    while (lu->slot_step[s] != column)
        ++s;
    return s;
}

static void number_slots(pkm_sparse_lu* lu)
{
    const int n = lu->n_column;
    lu->n_slot = 0;
    for (int k = 0; k < n; ++k) {
        lu->row_at[k] = lu->n_slot;
        for (int j = 0; j < n; ++j) {
            if (!lu->pattern[(size_t)k * (size_t)n + (size_t)j]) continue;
            if (j == k) lu->diagonal[k] = lu->n_slot;
            lu->slot_step[lu->n_slot++] = j;
        }
    }
    lu->row_at[n] = lu->n_slot;
    for (int r = 0; r < lu->n_row; ++r)
        for (int e = lu->start[r]; e < lu->start[r + 1]; ++e)
            lu->entry_slot[e] = lu->step_of_row[r] < 0 ? -1
                                                       : slot_of(lu, lu->step_of_row[r],
                                                                 lu->step_of_column[lu->column[e]]);
}

static void write_program(pkm_sparse_lu* lu)
{
    const int n = lu->n_column;
    int at = 0;
    lu->n_target = 0;
    for (int k = 0; k < n; ++k) {
        lu->below_at[k] = at;
        for (int i = k + 1; i < n; ++i) {
            if (!lu->pattern[(size_t)i * (size_t)n + (size_t)k]) continue;
            lu->below_step[at] = i;
            lu->below_slot[at++] = slot_of(lu, i, k);
            for (int s = lu->diagonal[k] + 1; s < lu->row_at[k + 1]; ++s)
                lu->target[lu->n_target++] = slot_of(lu, i, lu->slot_step[s]);
        }
    }
    lu->below_at[n] = at;
}

static int count_slots(const pkm_sparse_lu* lu)
{
    int count = 0;
    for (size_t i = 0; i < (size_t)lu->n_column * (size_t)lu->n_column; ++i)
        count += lu->pattern[i];
    return count;
}

/// Replay the elimination. False when a multiplier grows beyond the limit or a pivot vanishes, to
/// the tolerance with which they were chosen.
static bool replay(pkm_sparse_lu* lu, const double* value)
{
    double* x = lu->value;
    memset(x, 0, (size_t)lu->n_slot * sizeof(double));
    for (int e = 0; e < lu->n_entry; ++e)
        if (lu->entry_slot[e] >= 0) x[lu->entry_slot[e]] += value[e];

    const int* target = lu->target;
    double growth = 0.0;
    for (int k = 0; k < lu->n_column; ++k) {
        const int d = lu->diagonal[k], n_right = lu->row_at[k + 1] - d - 1;
        if (!(fabs(x[d]) > lu->least[k] && fabs(x[d]) < HUGE_VAL)) return false;
        const double inverse = 1.0 / x[d];
        const double* right = x + d + 1;
        lu->inverse[k] = inverse;
        for (int b = lu->below_at[k]; b < lu->below_at[k + 1]; ++b) {
            const double factor = x[lu->below_slot[b]] * inverse;
            x[lu->below_slot[b]] = factor;
            growth = fabs(factor) > growth ? fabs(factor) : growth;
            for (int s = 0; s < n_right; ++s)
                x[target[s]] -= factor * right[s];
            target += n_right;
        }
    }
    return growth < GROWTH_LIMIT;
}

pkm_status pkm_sparse_lu_analyse(pkm_sparse_lu* lu, const double* value, double tolerance)
{
    ++lu->analyses;
    lu->ready = false;
    lu->tolerance = tolerance;
    load_dense(lu, value);
    PKM_TRY(choose_pivots(lu));
    number_steps(lu);
    int n_below, n_target;
    fill_pattern(lu, &n_below, &n_target);
    PKM_TRY(reserve(lu, count_slots(lu), n_below, n_target));
    number_slots(lu);
    write_program(lu);
    lu->ready = replay(lu, value);
    return lu->ready ? PKM_OK : PKM_ERR_SINGULAR;
}

pkm_status pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value)
{
    if (lu->ready && replay(lu, value)) return PKM_OK;
    return pkm_sparse_lu_analyse(lu, value, lu->tolerance);
}

// ---- solutions --------------------------------------------------------------------------------

void pkm_sparse_lu_solve(pkm_sparse_lu* lu, const double* b, double* x)
{
    double* y = lu->work;
    for (int k = 0; k < lu->n_column; ++k)
        y[k] = b[lu->pivot_row[k]];
    for (int k = 0; k < lu->n_column; ++k)
        for (int i = lu->below_at[k]; i < lu->below_at[k + 1]; ++i)
            y[lu->below_step[i]] -= lu->value[lu->below_slot[i]] * y[k];
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
        double sum = z[k];
        for (int i = lu->below_at[k]; i < lu->below_at[k + 1]; ++i)
            sum -= lu->value[lu->below_slot[i]] * z[lu->below_step[i]];
        z[k] = sum;
        y[lu->pivot_row[k]] = sum;
    }
}

int pkm_sparse_lu_sign(const pkm_sparse_lu* lu)
{
    int sign = lu->permutation_sign;
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
