#include "closed/small.h"

#include <math.h>
#include <string.h>

static inline void swap_rows(pkm_small_lu* f, int n, int a, int b)
{
    if (a == b) return;
    const int row = f->row[a];
    f->row[a] = f->row[b];
    f->row[b] = row;
    for (int j = 0; j < n; ++j) {
        const double x = f->lu[a + j * n];
        f->lu[a + j * n] = f->lu[b + j * n];
        f->lu[b + j * n] = x;
    }
}

static inline void swap_columns(pkm_small_lu* f, int n, int a, int b)
{
    if (a == b) return;
    const int col = f->col[a];
    f->col[a] = f->col[b];
    f->col[b] = col;
    for (int i = 0; i < n; ++i) {
        const double x = f->lu[i + a * n];
        f->lu[i + a * n] = f->lu[i + b * n];
        f->lu[i + b * n] = x;
    }
}

/// Bring the largest entry of the rest to the place (k, k); returns its size, NaN if one is NaN.
static inline double pivot(pkm_small_lu* f, int n, int k)
{
    int row = k, col = k;
    double best = -1.0;
    for (int j = k; j < n; ++j) {
        for (int i = k; i < n; ++i) {
            const double size = fabs(f->lu[i + j * n]);
            if (isnan(size)) return size;
            if (size <= best) continue;
            best = size;
            row = i;
            col = j;
        }
    }
    swap_rows(f, n, k, row);
    swap_columns(f, n, k, col);
    return best;
}

static inline double factor(pkm_small_lu* f, int n, const double* m)
{
    f->n = n;
    memcpy(f->lu, m, (size_t)(n * n) * sizeof *m);
    for (int k = 0; k < n; ++k)
        f->row[k] = f->col[k] = k;

    double* lu = f->lu;
    double smallest = INFINITY;
    for (int k = 0; k < n; ++k) {
        const double size = pivot(f, n, k);
        if (!(size > 0.0)) return size;
        if (size < smallest) smallest = size;

        const double inverse = 1.0 / lu[k + k * n];
        for (int i = k + 1; i < n; ++i)
            lu[i + k * n] *= inverse;
        for (int j = k + 1; j < n; ++j) {
            for (int i = k + 1; i < n; ++i)
                lu[i + j * n] -= lu[i + k * n] * lu[k + j * n];
        }
    }
    return smallest;
}

// The common sizes are written out, so that the compiler unrolls their loops.
double pkm_small_factor(pkm_small_lu* f, int n, const double* m)
{
    if (n == 3) return factor(f, 3, m);
    if (n == 6) return factor(f, 6, m);
    return factor(f, n, m);
}

static inline void solve(const pkm_small_lu* f, int n, const double* b, double* x)
{
    const double* lu = f->lu;
    double y[PKM_CLOSED_MAX_DRIVE];
    for (int i = 0; i < n; ++i) {
        y[i] = b[f->row[i]];
        for (int j = 0; j < i; ++j)
            y[i] -= lu[i + j * n] * y[j];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            y[i] -= lu[i + j * n] * y[j];
        y[i] /= lu[i + i * n];
    }
    for (int i = 0; i < n; ++i)
        x[f->col[i]] = y[i];
}

void pkm_small_solve(const pkm_small_lu* f, const double* b, double* x)
{
    if (f->n == 3) {
        solve(f, 3, b, x);
    } else if (f->n == 6) {
        solve(f, 6, b, x);
    } else {
        solve(f, f->n, b, x);
    }
}

void pkm_small_multiply(int n, const double* m, const double* x, double* y)
{
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j)
            sum += m[i + j * n] * x[j];
        y[i] = sum;
    }
}
