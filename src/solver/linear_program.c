// Linear programs max c . x with bounds and rows, by the dual simplex method: it starts at a corner
// of the box and lets broken rows in, one after the other. docs/theory/clearance.md, section 4.3.
#include "solver/linear_program.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double TOLERANCE = 1e-9; ///< of rows, bounds and multipliers, all of order 1
static const double SMALL_PIVOT = 1e-9;
enum {
    REFRESH = 40, ///< exchanges after which the inverse is made anew
    STALLED = 30, ///< exchanges without progress after which the first index rules (Bland)
};

/// g . x <= h, or = h. The first 2 n rows are the bounds: x_j <= high, -x_j <= -low.
typedef struct row {
    double h;
    bool is_equal;
    double sign; ///< of an equation while it is active: which side was broken
} row;

struct pkm_lp {
    int n, n_row, room;
    row* row;
    double* g;   ///< [n_row][n]
    int* active; ///< [n] rows that hold with equality
    bool* is_in; ///< [room]
    bool has_start;
    double *c, *x, *lambda, *alpha; ///< [n]
    double *V, *A; ///< n x n: V inverts the matrix A of active rows; column j belongs to row j
};

static const double* normal(const pkm_lp* lp, int r)
{
    return lp->g + (size_t)r * (size_t)lp->n;
}

static double* column(const pkm_lp* lp, int j)
{
    return lp->V + (size_t)j * (size_t)lp->n;
}

// ---- the program ------------------------------------------------------------------------------

/// Rows are added while a program is refined, so room doubles.
static pkm_status grow(pkm_lp* lp)
{
    if (lp->n_row < lp->room) return PKM_OK;
    const size_t room = 2 * (size_t)lp->room, n = (size_t)lp->n;
    row* rows = pkm_realloc(lp->row, room, sizeof *rows);
    if (rows) lp->row = rows;
    double* g = rows ? pkm_realloc(lp->g, room * n, sizeof *g) : NULL;
    if (g) lp->g = g;
    bool* is_in = g ? pkm_realloc(lp->is_in, room, sizeof *is_in) : NULL;
    if (!is_in) return PKM_ERR_MEMORY;
    lp->is_in = is_in;
    lp->room = (int)room;
    return PKM_OK;
}

static pkm_status add(pkm_lp* lp, const double* a, double h, bool is_equal)
{
    PKM_TRY(grow(lp));
    const int r = lp->n_row++;
    lp->row[r] = (row){.h = h, .is_equal = is_equal, .sign = 1.0};
    lp->is_in[r] = false;
    memcpy(lp->g + (size_t)r * (size_t)lp->n, a, (size_t)lp->n * sizeof *a);
    return PKM_OK;
}

static void add_bounds(pkm_lp* lp)
{
    lp->n_row = 2 * lp->n;
    for (int j = 0; j < lp->n; ++j)
        for (int side = 0; side < 2; ++side) {
            const int r = 2 * j + side;
            lp->row[r] = (row){.h = 1.0, .sign = 1.0};
            lp->g[(size_t)r * (size_t)lp->n + (size_t)j] = side == 0 ? 1.0 : -1.0;
        }
}

pkm_status pkm_lp_create(int n, pkm_lp** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_lp* lp = pkm_alloc(1, sizeof *lp);
    if (!lp) return PKM_ERR_MEMORY;
    const size_t m = (size_t)n;
    lp->n = n;
    lp->room = 4 * n;
    lp->row = pkm_alloc(4 * m, sizeof *lp->row);
    lp->g = pkm_alloc(4 * m * m, sizeof *lp->g);
    lp->is_in = pkm_alloc(4 * m, sizeof *lp->is_in);
    lp->active = pkm_alloc(m, sizeof *lp->active);
    lp->c = pkm_alloc(4 * m + 2 * m * m, sizeof *lp->c);
    if (!lp->row || !lp->g || !lp->is_in || !lp->active || !lp->c) {
        pkm_lp_free(lp);
        return PKM_ERR_MEMORY;
    }
    lp->x = lp->c + m;
    lp->lambda = lp->x + m;
    lp->alpha = lp->lambda + m;
    lp->V = lp->alpha + m;
    lp->A = lp->V + m * m;
    add_bounds(lp);
    *out = lp;
    return PKM_OK;
}

void pkm_lp_free(pkm_lp* lp)
{
    if (!lp) return;
    pkm_free(lp->row);
    pkm_free(lp->g);
    pkm_free(lp->is_in);
    pkm_free(lp->active);
    pkm_free(lp->c);
    pkm_free(lp);
}

void pkm_lp_bound(pkm_lp* lp, int j, double low, double high)
{
    lp->row[2 * j].h = high;
    lp->row[2 * j + 1].h = -low;
    // the corner of before may lie outside
    lp->has_start = false;
}

pkm_status pkm_lp_add_below(pkm_lp* lp, const double* a, double high)
{
    return add(lp, a, high, false);
}

pkm_status pkm_lp_add_equal(pkm_lp* lp, const double* a, double value)
{
    return add(lp, a, value, true);
}

// ---- the active rows --------------------------------------------------------------------------

/// The best corner of the box: c_j > 0 sits at the upper bound, with the multiplier |c_j|.
static void start(pkm_lp* lp, const double* c)
{
    // bounds of each x_j: all multipliers |c_j| >= 0, so the start is feasible in the dual sense
    memset(lp->is_in, 0, (size_t)lp->n_row * sizeof *lp->is_in);
    for (int j = 0; j < lp->n; ++j) {
        lp->active[j] = 2 * j + (c[j] < 0.0);
        lp->is_in[lp->active[j]] = true;
    }
    memcpy(lp->c, c, (size_t)lp->n * sizeof *c);
    lp->has_start = true;
}

static void swap_rows(double* M, int n, int i, int k)
{
    for (int j = 0; j < n && i != k; ++j) {
        const double keep = M[i + j * n];
        M[i + j * n] = M[k + j * n];
        M[k + j * n] = keep;
    }
}

/// Subtract multiples of row k of both matrices from the others, so that column k of A is a unit.
static void eliminate(double* A, double* V, int n, int k)
{
    // row k over its pivot first
    const double pivot = 1.0 / A[k + k * n];
    for (int j = 0; j < n; ++j) {
        A[k + j * n] *= pivot;
        V[k + j * n] *= pivot;
    }
    for (int i = 0; i < n; ++i) {
        const double factor = A[i + k * n];
        if (i == k || factor == 0.0) continue;
        for (int j = 0; j < n; ++j) {
            A[i + j * n] -= factor * A[k + j * n];
            V[i + j * n] -= factor * V[k + j * n];
        }
    }
}

/// V = A^-1 by Gauss and Jordan with partial pivoting; false: the active rows depend on each other.
static bool invert(pkm_lp* lp)
{
    const int n = lp->n;
    memset(lp->V, 0, (size_t)n * (size_t)n * sizeof *lp->V);
    // an equation that was broken from below counts as -g . x = -h, so that its multiplier is
    // positive
    for (int i = 0; i < n; ++i) {
        const row* r = &lp->row[lp->active[i]];
        for (int j = 0; j < n; ++j)
            lp->A[i + j * n] = r->sign * normal(lp, lp->active[i])[j];
        lp->V[i + i * n] = 1.0;
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(lp->A[i + k * n]) > fabs(lp->A[best + k * n])) best = i;
        // rows of size 1: this is rounding
        if (fabs(lp->A[best + k * n]) < 1e-13) return false;
        swap_rows(lp->A, n, k, best);
        swap_rows(lp->V, n, k, best);
        eliminate(lp->A, lp->V, n, k);
    }
    return true;
}

/// x = V h, lambda = V' c.
static void evaluate(pkm_lp* lp)
{
    memset(lp->x, 0, (size_t)lp->n * sizeof *lp->x);
    for (int j = 0; j < lp->n; ++j) {
        const row* r = &lp->row[lp->active[j]];
        for (int i = 0; i < lp->n; ++i)
            lp->x[i] += column(lp, j)[i] * r->sign * r->h;
        lp->lambda[j] = pkm_dot(column(lp, j), lp->c, lp->n);
    }
}

/// The row that is broken most (or the first one, when `first`), and by how much; -1: none.
static int find_broken(const pkm_lp* lp, bool first, double* by)
{
    int found = -1;
    *by = TOLERANCE;
    for (int r = 0; r < lp->n_row; ++r) {
        if (lp->is_in[r]) continue;
        const double over = pkm_dot(normal(lp, r), lp->x, lp->n) - lp->row[r].h;
        // equations are broken on both sides
        const double broken = lp->row[r].is_equal ? fabs(over) : over;
        if (broken <= *by) continue;
        lp->row[r].sign = over < 0.0 ? -1.0 : 1.0;
        found = r;
        *by = broken;
        if (first) break;
    }
    return found;
}

/// With g = sum alpha_j g_j the new multiplier theta takes theta alpha_j from each other one: the
/// first that reaches zero leaves. Equations stay. -1: none can, there is no point.
static int find_leaving(pkm_lp* lp, int entering, bool first)
{
    int best = -1;
    double least = HUGE_VAL;
    for (int j = 0; j < lp->n; ++j) {
        // alpha_j: the entering normal in terms of the active ones
        lp->alpha[j] = lp->row[entering].sign * pkm_dot(column(lp, j), normal(lp, entering), lp->n);
        if (lp->row[lp->active[j]].is_equal || lp->alpha[j] < SMALL_PIVOT) continue;
        const double theta = fmax(lp->lambda[j], 0.0) / lp->alpha[j];
        const bool is_tie = best >= 0 && fabs(theta - least) <= 1e-12 * (1.0 + least);
        const bool is_better = first ? lp->active[j] < (best >= 0 ? lp->active[best] : 0)
                                     : best >= 0 && lp->alpha[j] > lp->alpha[best];
        if (is_tie ? !is_better : theta >= least) continue;
        best = j;
        least = fmin(theta, least);
    }
    return best;
}

/// Put row `entering` in the place of active row j: V follows by one elimination.
static void exchange(pkm_lp* lp, int j, int entering)
{
    double* own = column(lp, j);
    lp->is_in[lp->active[j]] = false;
    lp->is_in[entering] = true;
    lp->active[j] = entering;
    for (int i = 0; i < lp->n; ++i)
        own[i] /= lp->alpha[j];
    for (int k = 0; k < lp->n; ++k)
        for (int i = 0; k != j && i < lp->n; ++i)
            // the new row times the new columns: 1 on its own place, 0 on all others
            column(lp, k)[i] -= lp->alpha[k] * own[i];
}

/// The value falls with every exchange, or stalls; a stalled search goes by the first index, which
/// cannot return to where it was.
static pkm_status search(pkm_lp* lp)
{
    double last = HUGE_VAL, by;
    const int most = 200 + 50 * (lp->n + lp->n_row);
    for (int round = 0, stall = 0; round < most; ++round) {
        if (round % REFRESH == 0 && !invert(lp)) return PKM_ERR_CONVERGENCE;
        evaluate(lp);
        const double value = pkm_dot(lp->c, lp->x, lp->n);
        stall = value < last - 1e-12 ? 0 : stall + 1;
        last = fmin(value, last);
        const int entering = find_broken(lp, stall > STALLED, &by);
        if (entering < 0 && round % REFRESH == 0) return PKM_OK;
        if (entering < 0) {
            round += REFRESH - 1 - round % REFRESH; // prove it with a fresh inverse
            continue;
        }
        const int leaving = find_leaving(lp, entering, stall > STALLED);
        if (leaving < 0) return PKM_ERR_CONVERGENCE;
        exchange(lp, leaving, entering);
    }
    return PKM_ERR_CONVERGENCE;
}

pkm_status pkm_lp_solve(pkm_lp* lp, const double* c, double* x, double* value)
{
    const size_t size = (size_t)lp->n * sizeof *c;
    // the same direction: rows that were added since are the only ones broken
    if (!lp->has_start || memcmp(lp->c, c, size) != 0) start(lp, c);
    const pkm_status status = search(lp);
    if (status != PKM_OK) {
        lp->has_start = false;
        return status;
    }
    memcpy(x, lp->x, size);
    *value = pkm_dot(c, x, lp->n);
    return PKM_OK;
}
