// Rows in the order of appending, and beside them located rows: instants between two rows at which
// a column has its peak. Reductions see both, and tables in files the first only.
#include "pkm/table.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"
#include "table/warnings.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct table_column {
    char* name; // owned; `unit` points into the same block
    char* unit;
    const char* title; // lent for ever; "" when not given
    const char* of;
    pkm_peak_rule peak;
    bool has_rms, has_parts;
    double rms, up, down; // of the motion, see pkm_table_set_rms
} table_column;

/// Values are stored row by row: an analysis writes one row at a time.
struct pkm_table {
    table_column* column;
    int n_column, column_room;
    double* value; // n_row * n_column
    size_t value_room;
    int n_row;
    double* located; // n_located * n_column, rows of peaks that fall between the others
    int n_located;
    pkm_warnings warnings;
};

pkm_table* pkm_table_create(void)
{
    return pkm_alloc(1, sizeof(pkm_table));
}

void pkm_table_clear(pkm_table* table)
{
    for (int c = 0; c < table->n_column; ++c)
        pkm_free(table->column[c].name);
    pkm_free(table->column);
    pkm_free(table->value);
    pkm_free(table->located);
    *table = (pkm_table){0};
}

void pkm_table_free(pkm_table* table)
{
    if (!table) return;
    pkm_table_clear(table);
    pkm_free(table);
}

pkm_warnings* pkm_table_warnings(pkm_table* table)
{
    return table ? &table->warnings : NULL;
}

const pkm_warnings* pkm_table_get_warnings(const pkm_table* table)
{
    return table ? &table->warnings : NULL;
}

/// Doubled when full.
static int grow_columns(pkm_table* table)
{
    if (table->n_column < table->column_room) return 1;
    // one block for all columns; rows cannot be there yet
    const int room = table->column_room ? 2 * table->column_room : 16;
    table_column* column = pkm_realloc(table->column, (size_t)room, sizeof *column);
    if (!column) return 0;
    table->column = column;
    table->column_room = room;
    return 1;
}

int pkm_table_add_column(pkm_table* table, const char* name, const char* unit)
{
    if (!table || !name || !unit || table->n_row > 0 || !grow_columns(table)) return PKM_NONE;

    // name and unit in one block, so that there is one thing to free
    const size_t name_size = strlen(name) + 1, unit_size = strlen(unit) + 1;
    char* text = pkm_alloc(name_size + unit_size, 1);
    if (!text) return PKM_NONE;
    memcpy(text, name, name_size);
    memcpy(text + name_size, unit, unit_size);
    table->column[table->n_column] =
        (table_column){.name = text, .unit = text + name_size, .title = "", .of = ""};
    return table->n_column++;
}

pkm_status pkm_table_reserve(pkm_table* table, int n_row)
{
    if (!table || n_row < 0) return PKM_ERR_ARGUMENT;
    const size_t want = (size_t)n_row * (size_t)table->n_column;
    if (want <= table->value_room) return PKM_OK;
    double* value = pkm_realloc(table->value, want, sizeof *value);
    if (!value) return PKM_ERR_MEMORY;
    table->value = value;
    table->value_room = want;
    return PKM_OK;
}

/// Room for one more row; doubling keeps the cost per row constant.
static int grow_rows(pkm_table* table)
{
    if (table->n_row == INT_MAX) return 0;
    // at least 64 rows at first: short tables are made without a second block
    const size_t want = ((size_t)table->n_row + 1) * (size_t)table->n_column;
    if (table->value && want <= table->value_room) return 1;
    const size_t twice = 2 * table->value_room, least = 64 * ((size_t)table->n_column + 1);
    const size_t room = twice > least ? twice : least;
    double* value = pkm_realloc(table->value, room, sizeof *value);
    if (!value) return 0;
    table->value = value;
    table->value_room = room;
    return 1;
}

double* pkm_table_append(pkm_table* table)
{
    if (!table || !grow_rows(table)) return NULL;
    const size_t n = (size_t)table->n_column;
    double* row = table->value + (size_t)table->n_row * n;
    // a column that an analysis does not fill reads 0, not rubbish
    memset(row, 0, n * sizeof *row);
    table->n_row++;
    return row;
}

int pkm_table_n_row(const pkm_table* table)
{
    return table ? table->n_row : 0;
}

int pkm_table_n_column(const pkm_table* table)
{
    return table ? table->n_column : 0;
}

static bool has_column(const pkm_table* table, int column)
{
    return table && column >= 0 && column < table->n_column;
}

void pkm_table_describe(pkm_table* table, int column, const pkm_column* what)
{
    if (!has_column(table, column)) return;
    table->column[column].title = what->title ? what->title : "";
    table->column[column].of = what->of ? what->of : "";
    table->column[column].peak = what->peak;
}

const char* pkm_table_title(const pkm_table* table, int column)
{
    return has_column(table, column) ? table->column[column].title : "";
}

void pkm_table_locate(pkm_table* table, int column)
{
    if (has_column(table, column)) table->column[column].peak = PKM_PEAK_LOCATED;
}

pkm_peak_rule pkm_table_peak_rule(const pkm_table* table, int column)
{
    return has_column(table, column) ? table->column[column].peak : PKM_PEAK_AT_ROWS;
}

const char* pkm_table_of(const pkm_table* table, int column)
{
    return has_column(table, column) ? table->column[column].of : "";
}

const char* pkm_table_name(const pkm_table* table, int column)
{
    return has_column(table, column) ? table->column[column].name : NULL;
}

const char* pkm_table_unit(const pkm_table* table, int column)
{
    return has_column(table, column) ? table->column[column].unit : NULL;
}

double pkm_table_get(const pkm_table* table, int row, int column)
{
    if (!has_column(table, column) || row < 0) return NAN;
    const size_t n = (size_t)table->n_column, c = (size_t)column;
    if (row < table->n_row) return table->value[(size_t)row * n + c];
    // located rows are numbered behind the others
    if (row - table->n_row >= table->n_located) return NAN;
    return table->located[(size_t)(row - table->n_row) * n + c];
}

const double* pkm_table_rows(const pkm_table* table)
{
    return table && table->n_row > 0 ? table->value : NULL;
}

// ---- located rows -----------------------------------------------------------------------------

int pkm_table_n_located(const pkm_table* table)
{
    return table ? table->n_located : 0;
}

/// Where a row with this first value belongs, so that they stay in order.
static int place_for(const pkm_table* table, double first)
{
    int at = table->n_located;
    while (at > 0 && table->located[(size_t)(at - 1) * (size_t)table->n_column] > first)
        --at;
    return at;
}

bool pkm_table_add_located(pkm_table* table, const double* row)
{
    const size_t n = (size_t)table->n_column, rows = (size_t)table->n_located;
    PKM_ASSERT(n > 0); // rows are sorted by the first value
    double* grown = pkm_realloc(table->located, (rows + 1) * n, sizeof *grown);
    if (!grown) return false;
    table->located = grown;
    // they come nearly in order: the place is near the end
    const size_t at = (size_t)place_for(table, row[0]);
    memmove(grown + (at + 1) * n, grown + at * n, (rows - at) * n * sizeof *grown);
    memcpy(grown + at * n, row, n * sizeof *grown);
    ++table->n_located;
    return true;
}

pkm_table* pkm_table_copy_located(const pkm_table* table)
{
    pkm_table* out = pkm_table_create();
    bool ok = out != NULL;
    for (int c = 0; ok && c < table->n_column; ++c)
        // columns as they are, rows the located ones alone: what has its peak where
        ok = pkm_table_add_column(out, table->column[c].name, table->column[c].unit) != PKM_NONE;
    for (int i = 0; ok && i < table->n_located; ++i) {
        const size_t n = (size_t)table->n_column;
        double* row = pkm_table_append(out);
        ok = row != NULL;
        if (ok) memcpy(row, table->located + (size_t)i * n, n * sizeof *row);
    }
    if (ok) return out;
    pkm_table_free(out);
    return NULL;
}

void pkm_table_walk_begin(pkm_table_walk* walk, const pkm_table* table)
{
    *walk = (pkm_table_walk){.table = table};
}

int pkm_table_walk_next(pkm_table_walk* walk)
{
    const pkm_table* t = walk->table;
    const int row = walk->row, k = walk->located;
    if (row >= t->n_row && k >= t->n_located) return PKM_NONE;
    // the earlier one of the next two; at the same time the row stands first
    const bool takes_located =
        k < t->n_located &&
        (row >= t->n_row || pkm_table_get(t, t->n_row + k, 0) < pkm_table_get(t, row, 0));
    if (takes_located) return t->n_row + walk->located++;
    return walk->row++;
}

// ---- looking up -------------------------------------------------------------------------------

const double* pkm_table_column(const pkm_table* table, int column, int* stride)
{
    if (!table || !stride || column < 0 || column >= table->n_column || table->n_row == 0)
        return NULL;
    *stride = table->n_column;
    return table->value + column;
}

int pkm_table_find(const pkm_table* table, const char* name)
{
    for (int c = 0; name && has_column(table, c); ++c)
        if (strcmp(table->column[c].name, name) == 0) return c;
    return PKM_NONE;
}

pkm_status pkm_table_check_finite(const pkm_table* table, pkm_error* err)
{
    if (!table) return pkm_fail(err, PKM_ERR_ARGUMENT, "the table is NULL");
    const int n_row = pkm_table_n_row(table), n_column = pkm_table_n_column(table);
    for (int r = 0; r < n_row; ++r)
        for (int c = 0; c < n_column; ++c) {
            const double v = pkm_table_get(table, r, c);
            if (isfinite(v)) continue;
            return pkm_fail(err, PKM_ERR_ARGUMENT, "row %d, column \"%s\": %s is not a number",
                            r + 1, pkm_table_name(table, c), isnan(v) ? "nan" : "infinity");
        }
    return PKM_OK;
}

/// The row where sign * value (or |value| for sign 0) is largest; the first NaN wins over all.
static int extreme_row(const pkm_table* table, int column, int sign)
{
    int best_row = PKM_NONE;
    double best = -INFINITY;
    for (int r = 0; r < table->n_row + table->n_located; ++r) {
        const double v = pkm_table_get(table, r, column);
        // NaN travels to the one who reports it
        if (isnan(v)) return r;
        // of equal values the first row, so that answers do not hang on how many rows there are
        const double score = sign ? sign * v : fabs(v);
        if (best_row == PKM_NONE || score > best) {
            best = score;
            best_row = r;
        }
    }
    return best_row;
}

void pkm_table_set_rms(pkm_table* table, int column, double rms)
{
    if (!has_column(table, column)) return;
    table->column[column].has_rms = true;
    table->column[column].rms = rms;
}

bool pkm_table_has_rms(const pkm_table* table, int column)
{
    return has_column(table, column) && table->column[column].has_rms;
}

void pkm_table_set_parts(pkm_table* table, int column, double up, double down)
{
    if (!has_column(table, column)) return;
    table->column[column].has_parts = true;
    table->column[column].up = up;
    table->column[column].down = down;
}

bool pkm_table_get_parts(const pkm_table* table, int column, double* up, double* down)
{
    if (!has_column(table, column) || !table->column[column].has_parts) return false;
    *up = table->column[column].up;
    *down = table->column[column].down;
    return true;
}

/// The root of the mean square over time of evenly spaced rows, by the trapezoidal rule, scaled by
/// the largest magnitude so that no square overflows or vanishes.
static double root_mean_square(const pkm_table* table, int column)
{
    if (table->column[column].has_rms) return table->column[column].rms;
    // the integral of the analysis, where there is one, knows more than the rows
    const double scale = fabs(pkm_table_get(table, extreme_row(table, column, 0), column));
    if (scale == 0.0 || !isfinite(scale)) return scale;
    double sum = 0.0;
    const int last = table->n_row - 1;
    for (int r = 0; r <= last; ++r) {
        const double v = pkm_table_get(table, r, column) / scale;
        sum += (r == 0 || r == last ? 0.5 : 1.0) * v * v;
    }
    // a single row was halved as an end
    return scale * sqrt(last > 0 ? sum / last : 2.0 * sum);
}

/// The integral over time of the square of a column, by trapezoids over every `step`-th row and the
/// last one, in units of `scale` squared.
static double square_integral(const pkm_table* table, int column, double scale, int step)
{
    const int n = table->n_row;
    double sum = 0.0;
    for (int i = 0, next; i < n - 1; i = next) {
        next = i + step < n ? i + step : n - 1;
        // h (a^2 + b^2)/2 between neighbours
        const double a = pkm_table_get(table, i, column) / scale;
        const double b = pkm_table_get(table, next, column) / scale;
        sum += 0.5 * (pkm_table_get(table, next, 0) - pkm_table_get(table, i, 0)) * (a * a + b * b);
    }
    return sum;
}

double pkm_table_rms(const pkm_table* table, int column)
{
    static const double SAME = 0.02;    // the error is about a third of the difference
    static const double NOTHING = 1e-9; // m, rad, N ...: rounding, of which any rms serves
    const double rms = pkm_table_reduce(table, column, PKM_REDUCE_RMS, NULL);
    const double most = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, NULL);
    if (!(most > NOTHING) || pkm_table_has_rms(table, column)) return rms;
    double seen = 0.0;
    for (int i = 0; i < table->n_row; ++i)
        // a peak between rows that the rows miss by a tenth says that they are too few
        seen = fmax(seen, fabs(pkm_table_get(table, i, column)));
    // Richardson: every other row leaves out a part that the rows see, and so tells what they miss
    const double whole = square_integral(table, column, most, 1);
    const double off = fabs(whole - square_integral(table, column, most, 2));
    return seen < 0.9 * most || !(off <= SAME * whole) ? NAN : rms;
}

double pkm_table_reduce(const pkm_table* table, int column, pkm_reduction how, int* row)
{
    int at = PKM_NONE;
    double value = NAN;
    if (has_column(table, column) && table->n_row > 0) {
        // of an empty table everything is NaN
        const double start = pkm_table_get(table, 0, column);
        const double end = pkm_table_get(table, table->n_row - 1, column);
        // extremes are of all rows, the located ones too; start and end of the evenly spaced
        const int high = extreme_row(table, column, 1), low = extreme_row(table, column, -1);
        switch (how) {
        case PKM_REDUCE_MAX:
            value = pkm_table_get(table, at = high, column);
            break;
        case PKM_REDUCE_MIN:
            value = pkm_table_get(table, at = low, column);
            break;
        case PKM_REDUCE_ABSMAX:
            value = fabs(pkm_table_get(table, at = extreme_row(table, column, 0), column));
            break;
        case PKM_REDUCE_START:
            value = start;
            break;
        case PKM_REDUCE_END:
            value = end;
            break;
        case PKM_REDUCE_CHANGE:
            value = end - start;
            break;
        case PKM_REDUCE_RANGE:
            value = pkm_table_get(table, high, column) - pkm_table_get(table, low, column);
            break;
        case PKM_REDUCE_RMS:
            value = root_mean_square(table, column);
            break;
        }
    }
    if (row) *row = at;
    return value;
}

static const char* const reduction_word[] = {
    [PKM_REDUCE_MAX] = "max",     [PKM_REDUCE_MIN] = "min", [PKM_REDUCE_ABSMAX] = "absmax",
    [PKM_REDUCE_START] = "start", [PKM_REDUCE_END] = "end", [PKM_REDUCE_CHANGE] = "change",
    [PKM_REDUCE_RANGE] = "range", [PKM_REDUCE_RMS] = "rms",
};

enum { N_REDUCTION = sizeof reduction_word / sizeof reduction_word[0] };

/// The reduction called by the first `length` characters of `word`, or PKM_NONE.
static int find_reduction(const char* word, size_t length)
{
    for (int k = 0; k < N_REDUCTION; ++k)
        if (strlen(reduction_word[k]) == length && memcmp(reduction_word[k], word, length) == 0)
            return k;
    return PKM_NONE;
}

/// The names of the columns in one line, cut with "..." where `size` ends.
static void list_columns(const pkm_table* table, char* text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int c = 0; c < table->n_column; ++c) {
        const char* name = table->column[c].name;
        if (used + strlen(name) + sizeof ", ..." > size) {
            strcpy(text + used, "...");
            return;
        }
        strcpy(text + used, name);
        strcat(text + used, c + 1 < table->n_column ? ", " : "");
        used += strlen(text + used);
    }
}

pkm_status pkm_table_evaluate(const pkm_table* table, const char* quantity, double* value,
                              pkm_error* err)
{
    if (!table || !quantity || !value)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "table: an argument is NULL");
    *value = NAN;
    // a word, blanks, and a column, whose name may hold blanks itself
    const char* word = quantity + strspn(quantity, " \t");
    const size_t length = strcspn(word, " \t");
    const int how = find_reduction(word, length);
    if (how == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "\"%s\": unknown word \"%.*s\", expected max, min, absmax, start, end, "
                        "change, range or rms and a column",
                        quantity, (int)length, word);

    const char* name = word + length + strspn(word + length, " \t");
    const int column = pkm_table_find(table, name);
    if (column == PKM_NONE) {
        char names[400];
        list_columns(table, names, sizeof names);
        return pkm_fail(err, PKM_ERR_ARGUMENT, "\"%s\": no column \"%s\"; columns are %s", quantity,
                        name, names);
    }
    if (table->n_row == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "\"%s\": the table has no rows", quantity);
    *value = pkm_table_reduce(table, column, (pkm_reduction)how, NULL);
    return PKM_OK;
}
