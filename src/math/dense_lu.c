// LU factors of small dense systems with row pivots, without allocation; the smallest pivot over
// the largest entry tells how near to singular they are.
#include "math/dense.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline void swap_rows(pkm_dense_lu* f, int n, int a, int b)
{
    if (a == b) return;
    const int row = f->row[a];
    f->row[a] = f->row[b];
    f->row[b] = row;
    f->sign = -f->sign;
    for (int j = 0; j < n; ++j) {
        const double x = f->lu[a + j * n];
        f->lu[a + j * n] = f->lu[b + j * n];
        f->lu[b + j * n] = x;
    }
}

static inline void swap_columns(pkm_dense_lu* f, int n, int a, int b)
{
    if (a == b) return;
    const int col = f->col[a];
    f->col[a] = f->col[b];
    f->col[b] = col;
    f->sign = -f->sign;
    for (int i = 0; i < n; ++i) {
        const double x = f->lu[i + a * n];
        f->lu[i + a * n] = f->lu[i + b * n];
        f->lu[i + b * n] = x;
    }
}

/// Bring the largest entry of the rest to the place (k, k); returns its size. A NaN is no pivot: it
/// stays in the rest and spreads, until a column shows it or nothing else is left: -1.
static inline double pivot(pkm_dense_lu* f, int n, int k)
{
    int row = k, col = k;
    double best = -1.0;
    for (int j = k; j < n; ++j) {
        for (int i = k; i < n; ++i) {
            const double size = fabs(f->lu[i + j * n]);
            if (!(size > best)) continue;
            best = size;
            row = i;
            col = j;
        }
    }
    swap_rows(f, n, k, row);
    swap_columns(f, n, k, col);
    return best;
}

/// Pivot k of P A Q = L U, and the rest less its part; false: there is none.
static inline bool eliminate(pkm_dense_lu* f, int n, int k)
{
    double* lu = f->lu;
    const double size = pivot(f, n, k);
    if (!(size > 0.0)) return false;
    if (size < f->smallest) f->smallest = size;
    const double inverse = 1.0 / lu[k + k * n];
    double sum = 0.0;
    for (int i = k + 1; i < n; ++i)
        sum += lu[i + k * n] *= inverse;
    if (!(fabs(sum) < n)) return false; // a NaN in the column: each of them is at most 1
    for (int j = k + 1; j < n; ++j) {
        if (lu[k + j * n] == 0.0) continue; // most of them where limbs have drives of their own
        for (int i = k + 1; i < n; ++i)
            lu[i + j * n] -= lu[i + k * n] * lu[k + j * n];
    }
    return true;
}

/// P A Q = L U column by column, each written out for its loops to unroll; pivots fall in size, the
/// first is the largest entry.
static inline bool eliminate_all(pkm_dense_lu* f, int n)
{
    return eliminate(f, n, 0) && (n < 2 || eliminate(f, n, 1)) && (n < 3 || eliminate(f, n, 2)) &&
           (n < 4 || eliminate(f, n, 3)) && (n < 5 || eliminate(f, n, 4)) &&
           (n < 6 || eliminate(f, n, 5));
}

static inline void factor(pkm_dense_lu* f, int n, const double* A)
{
    f->n = n;
    f->sign = 1;
    f->smallest = INFINITY;
    memcpy(f->lu, A, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < n; ++k)
        f->row[k] = f->col[k] = k;

    if (!eliminate_all(f, n)) f->smallest = 0.0;
}

// The common sizes are written out, so that the compiler unrolls their loops.
double pkm_dense_lu_factor(pkm_dense_lu* f, const double* A, int n)
{
    PKM_ASSERT(n >= 1 && n <= PKM_DENSE_SMALL);
    if (n == 3) {
        factor(f, 3, A);
    } else if (n == 6) {
        factor(f, 6, A);
    } else {
        factor(f, n, A);
    }
    return f->smallest > 0.0 ? f->smallest / fabs(f->lu[0]) : 0.0; // an infinity makes 0
}

/// sign(P) sign(Q) times the product of the pivots.
double pkm_dense_lu_det(const pkm_dense_lu* f)
{
    if (!(f->smallest > 0.0)) return 0.0;
    double det = f->sign;
    for (int k = 0; k < f->n; ++k)
        det *= f->lu[k + k * f->n];
    return det;
}

static inline void solve(const pkm_dense_lu* f, int n, const double* b, double* x)
{
    const double* lu = f->lu;
    // x = Q U^-1 L^-1 P b, with y apart since x may be b
    double y[PKM_DENSE_SMALL];
    for (int i = 0; i < n; ++i) {
        y[i] = b[f->row[i]];
        for (int j = 0; j < i; ++j)
            y[i] -= lu[i + j * n] * y[j];
    }
    // U z = y in place of y, and x = Q z below
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            y[i] -= lu[i + j * n] * y[j];
        y[i] /= lu[i + i * n];
    }
    for (int i = 0; i < n; ++i)
        x[f->col[i]] = y[i];
}

void pkm_dense_lu_solve(const pkm_dense_lu* f, const double* b, double* x)
{
    PKM_ASSERT(f->smallest > 0.0);
    if (f->n == 3) {
        solve(f, 3, b, x);
    } else if (f->n == 6) {
        solve(f, 6, b, x);
    } else {
        solve(f, f->n, b, x);
    }
}

/// Row i of all right sides, side by side, forward and backward: as functions of their own, for the
/// loops to unroll.
static inline void solve_forward(const pkm_dense_lu* f, int n, int i, const double* B, double* Y)
{
    for (int k = 0; k < n; ++k)
        Y[i * n + k] = B[f->row[i] + k * n];
    for (int j = 0; j < i; ++j) {
        if (f->lu[i + j * n] == 0.0) continue; // as in eliminate
        for (int k = 0; k < n; ++k)
            Y[i * n + k] -= f->lu[i + j * n] * Y[j * n + k];
    }
}

static inline void solve_backward(const pkm_dense_lu* f, int n, int i, double* Y, double* X)
{
    // one division for all right sides
    const double inverse = 1.0 / f->lu[i + i * n];
    for (int j = i + 1; j < n; ++j) {
        if (f->lu[i + j * n] == 0.0) continue;
        for (int k = 0; k < n; ++k)
            Y[i * n + k] -= f->lu[i + j * n] * Y[j * n + k];
    }
    for (int k = 0; k < n; ++k)
        X[f->col[i] + k * n] = Y[i * n + k] *= inverse;
}

/// n written out again: with a constant i each row is straight code.
static inline void solve_all(const pkm_dense_lu* f, int n, const double* B, double* X)
{
    double Y[PKM_DENSE_SMALL * PKM_DENSE_SMALL];
    solve_forward(f, n, 0, B, Y);
    if (n > 1) solve_forward(f, n, 1, B, Y);
    if (n > 2) solve_forward(f, n, 2, B, Y);
    if (n > 3) solve_forward(f, n, 3, B, Y);
    if (n > 4) solve_forward(f, n, 4, B, Y);
    if (n > 5) solve_forward(f, n, 5, B, Y);
    if (n > 5) solve_backward(f, n, 5, Y, X);
    if (n > 4) solve_backward(f, n, 4, Y, X);
    if (n > 3) solve_backward(f, n, 3, Y, X);
    if (n > 2) solve_backward(f, n, 2, Y, X);
    if (n > 1) solve_backward(f, n, 1, Y, X);
    solve_backward(f, n, 0, Y, X);
}

void pkm_dense_lu_solve_all(const pkm_dense_lu* f, const double* B, double* X)
{
    PKM_ASSERT(f->smallest > 0.0 && X != B);
    if (f->n == 3) {
        solve_all(f, 3, B, X);
    } else if (f->n == 4) {
        solve_all(f, 4, B, X);
    } else if (f->n == 6) {
        solve_all(f, 6, B, X);
    } else {
        for (int k = 0; k < f->n; ++k)
            solve(f, f->n, B + k * f->n, X + k * f->n);
    }
}
