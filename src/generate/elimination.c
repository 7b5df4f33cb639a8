// Pivots are chosen once, over all samples, since the printed code cannot choose: cheap ones by
// Markowitz among those that are never small. docs/theory/engine.md, (3.1).
#include "generate/elimination.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A pivot is good enough when it is this part of the largest entry left in its column, at every
/// sample; of those the one that fills in least is taken (Markowitz).
static const double THRESHOLD = 0.1;
/// Below this part of the largest entry that its column began with a pivot counts as zero.
static const double ZERO_PIVOT = 1e-9;

typedef struct chooser {
    const pkm_elimination* lu;
    const double *row_unit, *column_unit;
    bool *row_done, *column_done;
    double* largest; ///< [n x PKM_SAMPLES_CLOSED] of the columns at the start
} chooser;

/// |A_ij| in the robot's units, so that lengths and angles can be compared.
static double entry(const chooser* c, int i, int j, int s)
{
    const pkm_node a = c->lu->A[i * c->lu->n + j];
    return a == 0 ? 0.0 : fabs(c->lu->graph->node[a].value[s]) * c->column_unit[j] / c->row_unit[i];
}

/// Largest entry of column `j` in the rows that are left, at sample `s`.
static double column_size(const chooser* c, int j, int s)
{
    double most = 0.0;
    for (int i = 0; i < c->lu->n_row; ++i)
        if (!c->row_done[i]) most = fmax(most, entry(c, i, j, s));
    return most;
}

/// Entries that are not identically zero, in columns without pivot.
static int count_row(const chooser* c, int i)
{
    int n = 0;
    for (int j = 0; j < c->lu->n; ++j)
        n += !c->column_done[j] && c->lu->A[i * c->lu->n + j] != 0;
    return n;
}

static int count_column(const chooser* c, int j)
{
    int n = 0;
    for (int i = 0; i < c->lu->n_row; ++i)
        n += !c->row_done[i] && c->lu->A[i * c->lu->n + j] != 0;
    return n;
}

typedef struct candidate {
    int row, column, cost;
    double quality; ///< least, over the samples, of |entry| / column's largest
} candidate;

/// Good ones before others; among good ones the cheaper, else the larger.
static bool is_better(candidate a, candidate b)
{
    const bool good_a = a.quality >= THRESHOLD, good_b = b.quality >= THRESHOLD;
    // the first candidate of all stands against none
    if (b.row < 0 || good_a != good_b) return b.row < 0 || good_a;
    if (!good_a || a.cost == b.cost) return a.quality > b.quality;
    return a.cost < b.cost;
}

/// The best pivot in column `j`.
static candidate best_of_column(const chooser* c, int j, candidate best)
{
    double size[PKM_SAMPLES_CLOSED];
    for (int s = 0; s < PKM_SAMPLES_CLOSED; ++s) {
        size[s] = column_size(c, j, s);
        // the column is used up at a sample: no pivot of it may be trusted
        if (!(size[s] > ZERO_PIVOT * c->largest[j * PKM_SAMPLES_CLOSED + s])) return best;
    }
    const int n_column = count_column(c, j);
    for (int i = 0; i < c->lu->n_row; ++i) {
        if (c->row_done[i] || c->lu->A[i * c->lu->n + j] == 0) continue;
        // Markowitz: the products that this pivot can fill in
        candidate next = {i, j, (count_row(c, i) - 1) * (n_column - 1), 1.0};
        for (int s = 0; s < PKM_SAMPLES_CLOSED; ++s)
            next.quality = fmin(next.quality, entry(c, i, j, s) / size[s]);
        if (is_better(next, best)) best = next;
    }
    return best;
}

/// The order is fixed when the code is written: nothing pivots at run time.
static candidate choose(const chooser* c)
{
    candidate best = {-1, -1, 0, 0.0};
    for (int j = 0; j < c->lu->n; ++j)
        if (!c->column_done[j]) best = best_of_column(c, j, best);
    return best;
}

/// Subtract multiples of the pivot's row; the multipliers stay where the entries were.
static void clear_column(pkm_elimination* lu, const chooser* c, int step)
{
    pkm_graph* g = lu->graph;
    const int p = lu->row[step], j = lu->column[step];
    const pkm_node* pivot = lu->A + p * lu->n;
    // one division for each pivot; processors of controllers multiply faster
    lu->inverse[step] = pkm_graph_divide(g, 1, pivot[j]);
    for (int i = 0; i < lu->n_row; ++i) {
        pkm_node* row = lu->A + i * lu->n;
        if (c->row_done[i] || row[j] == 0) continue;
        // zeros vanish in the graph: no statement is printed for them
        row[j] = pkm_graph_multiply(g, row[j], lu->inverse[step]);
        for (int k = 0; k < lu->n; ++k)
            if (!c->column_done[k] && pivot[k] != 0)
                row[k] = pkm_graph_subtract(g, row[k], pkm_graph_multiply(g, row[j], pivot[k]));
    }
}

static pkm_status eliminate(pkm_elimination* lu, chooser* c, pkm_error* err)
{
    for (int j = 0; j < lu->n; ++j)
        for (int s = 0; s < PKM_SAMPLES_CLOSED; ++s)
            c->largest[j * PKM_SAMPLES_CLOSED + s] = column_size(c, j, s);
    lu->weakest = 1.0;
    for (int step = 0; step < lu->n; ++step) {
        const candidate best = choose(c);
        // 1e-6 of its column would cost six digits
        if (best.row < 0 || !(best.quality > 1e-6))
            return pkm_fail(err, PKM_ERR_SINGULAR,
                            "no pivot serves at home and near it: the robot is singular there, or "
                            "code without pivoting cannot follow it");
        lu->weakest = fmin(lu->weakest, best.quality);
        lu->row[step] = best.row;
        lu->column[step] = best.column;
        c->row_done[best.row] = c->column_done[best.column] = true;
        clear_column(lu, c, step);
    }
    return PKM_OK;
}

pkm_status pkm_eliminate(pkm_graph* graph, int n_row, int n, const pkm_node* A,
                         const double* row_unit, const double* column_unit, pkm_elimination* out,
                         pkm_error* err)
{
    *out = (pkm_elimination){.graph = graph, .n_row = n_row, .n = n};
    // more rows than columns: redundant ones never get a pivot and are left out
    const size_t size = (size_t)n_row * (size_t)n;
    out->A = malloc((size + 1) * sizeof *A);
    out->row = malloc((size_t)(n + 1) * sizeof(int));
    out->column = malloc((size_t)(n + 1) * sizeof(int));
    out->inverse = malloc((size_t)(n + 1) * sizeof(pkm_node));
    chooser c = {out,
                 row_unit,
                 column_unit,
                 calloc((size_t)n_row + 1, sizeof(bool)),
                 calloc((size_t)n + 1, sizeof(bool)),
                 calloc((size_t)(n + 1) * PKM_SAMPLES_CLOSED, sizeof(double))};
    pkm_status status = PKM_ERR_MEMORY;
    if (out->A && out->row && out->column && out->inverse && c.row_done && c.column_done &&
        c.largest) {
        memcpy(out->A, A, size * sizeof *A);
        status = eliminate(out, &c, err);
    } else {
        status = pkm_out_of_memory(err);
    }
    free(c.row_done);
    free(c.column_done);
    free(c.largest);
    if (status != PKM_OK) pkm_elimination_free(out);
    return status;
}

void pkm_elimination_free(pkm_elimination* lu)
{
    free(lu->A);
    free(lu->row);
    free(lu->column);
    free(lu->inverse);
    *lu = (pkm_elimination){0};
}

/// L y = b over the rows with a pivot, then U x = y backwards, by multiplications with inverse
/// pivots.
pkm_status pkm_elimination_solve(const pkm_elimination* lu, const pkm_node* b, pkm_node* x,
                                 pkm_error* err)
{
    pkm_graph* g = lu->graph;
    pkm_node* y = malloc((size_t)(lu->n + 1) * sizeof *y); // L y = b, in the order of the pivots
    if (!y) return pkm_out_of_memory(err);
    for (int i = 0; i < lu->n; ++i) {
        const pkm_node* row = lu->A + lu->row[i] * lu->n;
        y[i] = b[lu->row[i]];
        for (int k = 0; k < i; ++k)
            y[i] = pkm_graph_subtract(g, y[i], pkm_graph_multiply(g, row[lu->column[k]], y[k]));
    }
    for (int i = lu->n - 1; i >= 0; --i) {
        const pkm_node* row = lu->A + lu->row[i] * lu->n;
        pkm_node sum = y[i];
        for (int k = i + 1; k < lu->n; ++k) {
            const int j = lu->column[k];
            sum = pkm_graph_subtract(g, sum, pkm_graph_multiply(g, row[j], x[j]));
        }
        x[lu->column[i]] = pkm_graph_multiply(g, sum, lu->inverse[i]);
    }
    free(y);
    return PKM_OK;
}

/// A' y = f with zeros for the rows that are left out.
pkm_status pkm_elimination_solve_transposed(const pkm_elimination* lu, const pkm_node* f,
                                            pkm_node* y, pkm_error* err)
{
    pkm_graph* g = lu->graph;
    pkm_node* z = malloc((size_t)(lu->n + 1) * sizeof *z); // U' z = f
    if (!z) return pkm_out_of_memory(err);
    for (int i = 0; i < lu->n_row; ++i)
        y[i] = 0;
    for (int i = 0; i < lu->n; ++i) {
        pkm_node sum = f[lu->column[i]];
        for (int k = 0; k < i; ++k) {
            const pkm_node u = lu->A[lu->row[k] * lu->n + lu->column[i]];
            sum = pkm_graph_subtract(g, sum, pkm_graph_multiply(g, u, z[k]));
        }
        z[i] = pkm_graph_multiply(g, sum, lu->inverse[i]);
    }
    for (int i = lu->n - 1; i >= 0; --i) {
        pkm_node sum = z[i];
        for (int k = i + 1; k < lu->n; ++k) {
            const pkm_node l = lu->A[lu->row[k] * lu->n + lu->column[i]];
            sum = pkm_graph_subtract(g, sum, pkm_graph_multiply(g, l, y[lu->row[k]]));
        }
        y[lu->row[i]] = sum;
    }
    free(z);
    return PKM_OK;
}
