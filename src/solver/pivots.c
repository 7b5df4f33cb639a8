// Right-looking elimination with rows sorted by length: among the shortest rows the entry of least
// fill that is not small in its column. What it chooses is recorded once (sparse_lu.c).
#include "solver/pivots.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const double PIVOT_THRESHOLD = 0.1; // of the largest candidate in its column
enum { CANDIDATES = 64 };                  // rows looked at per step, those with fewest entries

typedef struct row_work {
    int n, capacity; ///< entries in columns without a pivot yet
    int* column;
    double* value;
    int n_lower, lower_capacity;
    int* lower; ///< steps that were subtracted from it
    double size;
    bool done; ///< has a pivot, or is numerically zero
} row_work;

typedef struct column_work {
    int n, capacity; ///< rows that have or had an entry here
    int* row;
    int count; ///< rows without pivot that have one
    bool done;
} column_work;

/// The rows without pivot that have a certain number of entries, a bit each, and a bit for each
/// word of these that is not zero.
typedef struct bucket {
    int n;
    uint64_t* bits; ///< [n_word]; NULL: none so far
    uint64_t* any;  ///< [n_any]
} bucket;

typedef struct work {
    pkm_arena* arena;
    double tolerance;
    const double* price;
    int n_row, n_column;
    row_work* row;
    column_work* column;
    bucket* bucket;    ///< [n_column + 1] by number of entries
    int n_word, n_any; ///< of a bucket
    int n_left;        ///< rows in all buckets
    int fewest;        ///< no row in a bucket before this one
    int* where;        ///< [n_column] place of a column in the row at hand, -1
    int* candidate;
} work;

/// Room for one more item in an array of the arena; the old block is left behind.
static void* room(pkm_arena* arena, void* old, int n, int* capacity, size_t size)
{
    if (n < *capacity) return old;
    const int want = *capacity < 4 ? 8 : 2 * *capacity;
    void* out = pkm_arena_alloc(arena, (size_t)want, size);
    if (!out) return NULL;
    if (n > 0) memcpy(out, old, (size_t)n * size);
    *capacity = want;
    return out;
}

static pkm_status push_column(work* w, int c, int r)
{
    column_work* column = &w->column[c];
    int* list = room(w->arena, column->row, column->n, &column->capacity, sizeof(int));
    if (!list) return PKM_ERR_MEMORY;
    column->row = list;
    list[column->n++] = r;
    ++column->count;
    return PKM_OK;
}

static pkm_status push_entry(work* w, int r, int c, double value)
{
    row_work* row = &w->row[r];
    int capacity = row->capacity;
    int* columns = room(w->arena, row->column, row->n, &capacity, sizeof(int));
    double* values = room(w->arena, row->value, row->n, &row->capacity, sizeof(double));
    if (!columns || !values) return PKM_ERR_MEMORY;
    row->column = columns;
    row->value = values;
    columns[row->n] = c;
    values[row->n++] = value;
    return push_column(w, c, r);
}

static int find_entry(const row_work* row, int c)
{
    for (int i = 0; i < row->n; ++i)
        if (row->column[i] == c) return i;
    return -1;
}

/// Put row r, which waits for its pivot, where rows with as many entries are.
static pkm_status put_row(work* w, int r)
{
    const int count = w->row[r].n;
    bucket* to = &w->bucket[count];
    if (!to->bits) {
        to->bits = pkm_arena_alloc(w->arena, (size_t)(w->n_word + w->n_any), sizeof(uint64_t));
        if (!to->bits) return PKM_ERR_MEMORY;
        to->any = to->bits + w->n_word;
    }
    to->bits[r / 64] |= UINT64_C(1) << (r % 64);
    to->any[r / 4096] |= UINT64_C(1) << (r / 64 % 64);
    ++to->n;
    ++w->n_left;
    if (count < w->fewest) w->fewest = count;
    return PKM_OK;
}

/// Take row r out of its bucket, before the number of its entries changes or when it is done.
static void take_row(work* w, int r)
{
    bucket* from = &w->bucket[w->row[r].n];
    from->bits[r / 64] &= ~(UINT64_C(1) << (r % 64));
    if (from->bits[r / 64] == 0) from->any[r / 4096] &= ~(UINT64_C(1) << (r / 64 % 64));
    --from->n;
    --w->n_left;
}

/// Entries that are named twice add up.
static pkm_status load(work* w, const pkm_sparse* matrix)
{
    for (int r = 0; r < w->n_row; ++r) {
        row_work* row = &w->row[r];
        for (int e = matrix->start[r]; e < matrix->start[r + 1]; ++e) {
            const int at = find_entry(row, matrix->column[e]);
            if (at >= 0)
                row->value[at] += matrix->value[e];
            else
                PKM_TRY(push_entry(w, r, matrix->column[e], matrix->value[e]));
        }
        for (int i = 0; i < row->n; ++i)
            row->size = fmax(row->size, fabs(row->value[i]));
        PKM_TRY(put_row(w, r));
    }
    return PKM_OK;
}

// ---- one pivot --------------------------------------------------------------------------------

/// Of the rows without pivot.
static double largest_in_column(const work* w, int c)
{
    double largest = 0.0;
    const column_work* column = &w->column[c];
    for (int i = 0; i < column->n; ++i) {
        const row_work* row = &w->row[column->row[i]];
        const int at = row->done ? -1 : find_entry(row, c);
        if (at >= 0) largest = fmax(largest, fabs(row->value[at]));
    }
    return largest;
}

typedef struct choice {
    int row, column;
    long cost;
    double worth; ///< size, over the price
} choice;

/// Take the best entry of row r, in columns with a price or in those without, if it is better than
/// `best`. A row that is numerically zero is done.
static void offer_row(work* w, int r, bool priced, choice* best)
{
    row_work* row = &w->row[r];
    bool alive = false;
    for (int i = 0; i < row->n; ++i) {
        const double size = fabs(row->value[i]);
        if (!(size > w->tolerance * row->size)) continue;
        alive = true;
        const int c = row->column[i];
        const double price = w->price ? w->price[c] : 0.0;
        if (priced != (price > 0.0)) continue;
        // Markowitz: so many entries at most are filled in by this pivot
        const long cost = priced ? 0 : (long)(row->n - 1) * (long)(w->column[c].count - 1);
        const double worth = priced ? size / price : size;
        const bool better =
            best->row < 0 || cost < best->cost || (cost == best->cost && worth > best->worth);
        // the search of the column comes last: it costs most
        if (!better || size < PIVOT_THRESHOLD * largest_in_column(w, c)) continue;
        *best = (choice){r, c, cost, worth};
    }
    if (alive) return;
    take_row(w, r);
    row->done = true;
}

/// Append the rows of a bucket to the candidates, up to `most`; returns how many there are.
static int list_rows(work* w, const bucket* from, int n, int most)
{
    for (int j = 0; j < w->n_any; ++j)
        for (uint64_t word = from->any[j]; word; word &= word - 1) {
            const int i = 64 * j + __builtin_ctzll(word);
            for (uint64_t rest = from->bits[i]; rest; rest &= rest - 1) {
                if (n == most) return n;
                w->candidate[n++] = 64 * i + __builtin_ctzll(rest);
            }
        }
    return n;
}

/// The rows with the fewest entries, at most CANDIDATES; returns whether these are all.
static bool list_candidates(work* w, int* n)
{
    const int most = w->n_left < CANDIDATES ? w->n_left : CANDIDATES;
    while (w->fewest < w->n_column && w->bucket[w->fewest].n == 0)
        ++w->fewest;
    *n = 0;
    for (int count = w->fewest; *n < most; ++count) {
        if (w->bucket[count].n > 0) *n = list_rows(w, &w->bucket[count], *n, most);
    }
    return *n == w->n_left;
}

static bool find_pivot(work* w, choice* best)
{
    *best = (choice){.row = -1};
    int n;
    const bool all = list_candidates(w, &n);
    // priced columns only when those without a price have no pivot left
    const int n_pass = w->price ? 2 : 1;
    for (int pass = 0; pass < n_pass && best->row < 0; ++pass) {
        for (int i = 0; i < n; ++i)
            if (!w->row[w->candidate[i]].done) offer_row(w, w->candidate[i], pass == 1, best);
        // candidates with few entries had none: rare, and then all rows are looked at
        for (int r = 0; !all && best->row < 0 && r < w->n_row; ++r)
            if (!w->row[r].done) offer_row(w, r, pass == 1, best);
    }
    return best->row >= 0;
}

// ---- elimination ------------------------------------------------------------------------------

static pkm_status note_lower(work* w, row_work* row, int step)
{
    int* list = room(w->arena, row->lower, row->n_lower, &row->lower_capacity, sizeof(int));
    if (!list) return PKM_ERR_MEMORY;
    row->lower = list;
    list[row->n_lower++] = step;
    return PKM_OK;
}

static void drop_entry(row_work* row, int at)
{
    --row->n;
    row->column[at] = row->column[row->n];
    row->value[at] = row->value[row->n];
}

/// row r <- row r - factor * pivot row, without the pivot column.
static pkm_status subtract(work* w, int r, const row_work* pivot, double factor)
{
    const int n_before = w->row[r].n;
    for (int i = 0; i < n_before; ++i)
        w->where[w->row[r].column[i]] = i;
    pkm_status status = PKM_OK;
    for (int i = 0; i < pivot->n && status == PKM_OK; ++i) {
        const int c = pivot->column[i];
        if (w->where[c] >= 0)
            w->row[r].value[w->where[c]] -= factor * pivot->value[i];
        else
            status = push_entry(w, r, c, -factor * pivot->value[i]);
    }
    for (int i = 0; i < w->row[r].n; ++i)
        w->where[w->row[r].column[i]] = -1;
    return status;
}

static pkm_status eliminate(work* w, const choice* at, int step)
{
    row_work* pivot = &w->row[at->row];
    const int place = find_entry(pivot, at->column);
    const double inverse = 1.0 / pivot->value[place];
    // the pivot row and column leave the active part, and the counts of its columns fall
    take_row(w, at->row);
    pivot->done = true;
    for (int i = 0; i < pivot->n; ++i)
        --w->column[pivot->column[i]].count;
    drop_entry(pivot, place);
    w->column[at->column].done = true;
    const column_work column = w->column[at->column];
    for (int i = 0; i < column.n; ++i) {
        row_work* row = &w->row[column.row[i]];
        const int entry = row->done ? -1 : find_entry(row, at->column);
        if (entry < 0) continue;
        // row -= (entry/pivot) pivot row; where it fills in the counts rise (Markowitz)
        const double factor = row->value[entry] * inverse;
        take_row(w, column.row[i]);
        drop_entry(row, entry);
        PKM_TRY(note_lower(w, row, step));
        PKM_TRY(subtract(w, column.row[i], pivot, factor));
        PKM_TRY(put_row(w, column.row[i]));
    }
    return PKM_OK;
}

// ---- all of them ------------------------------------------------------------------------------

static pkm_status allocate(work* w, const pkm_sparse* matrix, pkm_pivots* out)
{
    const size_t m = (size_t)matrix->n_row, n = (size_t)matrix->n_column;
    w->row = pkm_arena_alloc(w->arena, m, sizeof(row_work));
    w->column = pkm_arena_alloc(w->arena, n, sizeof(column_work));
    w->where = pkm_arena_alloc(w->arena, n, sizeof(int));
    w->n_word = (int)(m / 64) + 1;
    w->n_any = (int)(m / 4096) + 1;
    w->bucket = pkm_arena_alloc(w->arena, n + 1, sizeof(bucket));
    w->candidate = pkm_arena_alloc(w->arena, CANDIDATES, sizeof(int));
    out->row = pkm_arena_alloc(w->arena, n, sizeof(int));
    out->column = pkm_arena_alloc(w->arena, n, sizeof(int));
    out->size = pkm_arena_alloc(w->arena, n, sizeof(double));
    out->n_lower = pkm_arena_alloc(w->arena, n, sizeof(int));
    out->n_upper = pkm_arena_alloc(w->arena, n, sizeof(int));
    out->lower = pkm_arena_alloc(w->arena, n, sizeof(int*));
    out->upper = pkm_arena_alloc(w->arena, n, sizeof(int*));
    const bool ok = w->row && w->column && w->where && w->bucket && w->candidate && out->row &&
                    out->column && out->size && out->n_lower && out->n_upper && out->lower &&
                    out->upper;
    for (size_t c = 0; ok && c < n; ++c)
        w->where[c] = -1;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

pkm_status pkm_pivots_choose(const pkm_sparse* matrix, double tolerance, pkm_arena* arena,
                             pkm_pivots* out)
{
    *out = (pkm_pivots){0};
    work w = {.arena = arena,
              .tolerance = tolerance,
              .price = matrix->price,
              .n_row = matrix->n_row,
              .n_column = matrix->n_column};
    PKM_TRY(allocate(&w, matrix, out));
    PKM_TRY(load(&w, matrix));
    choice best;
    while (out->rank < matrix->n_column && find_pivot(&w, &best)) {
        out->row[out->rank] = best.row;
        out->column[out->rank] = best.column;
        PKM_TRY(eliminate(&w, &best, out->rank++));
    }
    for (int k = 0; k < out->rank; ++k) {
        const row_work* row = &w.row[out->row[k]];
        out->size[k] = row->size;
        out->n_lower[k] = row->n_lower;
        out->lower[k] = row->lower;
        out->n_upper[k] = row->n;
        out->upper[k] = row->column;
    }
    return PKM_OK;
}
