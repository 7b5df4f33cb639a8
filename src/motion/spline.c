// Quintic splines through samples, continuous to the fourth derivative: slopes at the knots from
// one banded system for all columns. Equations: docs/theory/motion.md, section 4, (16) to (19).
#include "motion/spline.h"
#include "math/lapack.h"

#include "base/memory.h"

#include <math.h>

/// Unknowns y', y'' per knot, and the half band width they make: a knot meets the next one only.
enum { PER_KNOT = 2, BAND = 3, BAND_ROWS = BAND + 1 };

static double* column_data(const pkm_spline* spline, int column)
{
    return spline->data + (size_t)column * 3 * (size_t)spline->n_knot;
}

/// y', y'' at knot `i`.
static double* slopes(const pkm_spline* spline, int column, int i)
{
    return column_data(spline, column) + spline->n_knot + PER_KNOT * i;
}

/// Add `value` to entry (row, col), row >= col, of a symmetric band matrix (LAPACK's 'L' storage).
static void add_band(double* band, int row, int col, double value)
{
    band[(size_t)col * BAND_ROWS + (size_t)(row - col)] += value;
}

/// The band matrix of the inner knots, docs/theory/motion.md, (18): the part of an interval of
/// length h in the integral of y'''^2, in the slopes (y', y'') of its left (0) and right (1) knot,
///
///     [ 192/h^3   36/h^2   168/h^3  -24/h^2 ]
///     [            9/h      24/h^2   -3/h   ]
///     [                    192/h^3  -36/h^2 ]
///     [ symmetric                     9/h   ]
static void assemble_matrix(const pkm_spline* spline, double* band)
{
    const int n = spline->n_knot;
    for (int i = 0; i + 1 < n; ++i) {
        const double h = spline->t[i + 1] - spline->t[i], f1 = 1.0 / h, f2 = f1 / h, f3 = f2 / h;
        const int left = PER_KNOT * (i - 1), right = left + PER_KNOT; // rows; knot 1 has row 0
        const bool has_left = i > 0, has_right = i + 2 < n;
        if (has_left) {
            add_band(band, left, left, 192.0 * f3);
            add_band(band, left + 1, left, 36.0 * f2);
            add_band(band, left + 1, left + 1, 9.0 * f1);
        }
        if (has_left && has_right) {
            add_band(band, right, left, 168.0 * f3);
            add_band(band, right + 1, left, -24.0 * f2);
            add_band(band, right, left + 1, 24.0 * f2);
            add_band(band, right + 1, left + 1, -3.0 * f1);
        }
        if (has_right) {
            add_band(band, right, right, 192.0 * f3);
            add_band(band, right + 1, right, -36.0 * f2);
            add_band(band, right + 1, right + 1, 9.0 * f1);
        }
    }
}

/// The right hand side of the inner knots, (19), into the places of their slopes: what the values
/// and, next to the ends, the given slopes contribute.
static void assemble_side(const pkm_spline* spline, int column)
{
    const int n = spline->n_knot;
    const double* y = column_data(spline, column);
    for (int i = 1; i + 1 < n; ++i) {
        const double hl = spline->t[i] - spline->t[i - 1], hr = spline->t[i + 1] - spline->t[i];
        const double sl = (y[i] - y[i - 1]) / hl, sr = (y[i + 1] - y[i]) / hr;
        double* out = slopes(spline, column, i);
        out[0] = 360.0 * (sl / (hl * hl * hl) + sr / (hr * hr * hr));
        out[1] = 60.0 * (sr / (hr * hr) - sl / (hl * hl));
        if (i == 1) {
            const double* d = slopes(spline, column, 0);
            out[0] -= (168.0 * d[0] / hl + 24.0 * d[1]) / (hl * hl);
            out[1] += (24.0 * d[0] / hl + 3.0 * d[1]) / hl;
        }
        if (i + 2 == n) {
            const double* d = slopes(spline, column, n - 1);
            out[0] -= (168.0 * d[0] / hr - 24.0 * d[1]) / (hr * hr);
            out[1] -= (24.0 * d[0] / hr - 3.0 * d[1]) / hr;
        }
    }
}

static bool all_finite(const double* x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

pkm_status pkm_spline_fit(pkm_spline* spline)
{
    const int n = spline->n_knot, n_unknown = PER_KNOT * (n - 2);
    if (n_unknown <= 0) return PKM_OK;
    double* band = pkm_alloc((size_t)n_unknown, BAND_ROWS * sizeof(double));
    if (!band) return PKM_ERR_MEMORY;

    assemble_matrix(spline, band);
    for (int c = 0; c < spline->n_column; ++c)
        assemble_side(spline, c);

    // the matrix is positive definite: it is the Hessian of the integral of y'''^2, (17)
    const int info =
        pkm_dpbsv(n_unknown, BAND, spline->n_column, band, BAND_ROWS, slopes(spline, 0, 1), 3 * n);
    pkm_free(band);
    const size_t n_data = (size_t)spline->n_column * 3 * (size_t)n;
    return info == 0 && all_finite(spline->data, n_data) ? PKM_OK : PKM_ERR_SINGULAR;
}

/// First and second derivative at x[0] of the polynomial through (x[k], y[k]), k < n <= 6, by
/// Newton's divided differences: p' = c1 + c2 w1 + c3 w1 w2 ..., with w_k = x0 - x_k.
static void end_slopes(const double* x, const double* y, int n, double out[2])
{
    double c[6];
    for (int k = 0; k < n; ++k)
        c[k] = y[k];
    for (int level = 1; level < n; ++level) {
        for (int k = n - 1; k >= level; --k)
            c[k] = (c[k] - c[k - 1]) / (x[k] - x[k - level]);
    }
    // Horner with derivatives at x0: p <- c_k + (x0 - x_k) p
    double p = c[n - 1], d1 = 0.0, d2 = 0.0;
    for (int k = n - 2; k >= 0; --k) {
        const double w = x[0] - x[k];
        d2 = w * d2 + 2.0 * d1;
        d1 = w * d1 + p;
        p = w * p + c[k];
    }
    out[0] = d1;
    out[1] = d2;
}

void pkm_spline_estimate_ends(pkm_spline* spline)
{
    const int n = spline->n_knot, m = n < 6 ? n : 6;
    for (int column = 0; column < spline->n_column; ++column) {
        const double* y = column_data(spline, column);
        double x_end[6], y_end[6];
        for (int k = 0; k < m; ++k) {
            x_end[k] = spline->t[n - 1 - k];
            y_end[k] = y[n - 1 - k];
        }
        end_slopes(spline->t, y, m, slopes(spline, column, 0));
        end_slopes(x_end, y_end, m, slopes(spline, column, n - 1));
    }
}

/// The interval i with t[i] <= x < t[i + 1] (the last one at the end).
static int find_interval(const pkm_spline* spline, double x)
{
    int low = 0, high = spline->n_knot - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x < spline->t[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

void pkm_spline_at(const pkm_spline* spline, int column, double t, pkm_spline_point* out)
{
    const int n = spline->n_knot;
    const double x =
        t < spline->t[0] ? spline->t[0] : (t > spline->t[n - 1] ? spline->t[n - 1] : t);
    const int i = find_interval(spline, x);
    const double h = spline->t[i + 1] - spline->t[i], s = (x - spline->t[i]) / h;

    // Taylor coefficients in s of the quintic with the values and slopes of both knots, (16)
    const double* y = column_data(spline, column) + i;
    const double* d = slopes(spline, column, i);
    const double c1 = h * d[0], c2 = 0.5 * h * h * d[1];
    const double e0 = y[1] - y[0] - c1 - c2;    // what is missing in the value at s = 1,
    const double e1 = h * d[2] - c1 - 2.0 * c2; // the slope,
    const double e2 = h * h * d[3] - 2.0 * c2;  // and the second derivative
    const double c3 = 10.0 * e0 - 4.0 * e1 + 0.5 * e2;
    const double c4 = -15.0 * e0 + 7.0 * e1 - e2;
    const double c5 = 6.0 * e0 - 3.0 * e1 + 0.5 * e2;

    out->d[0] = y[0] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
    out->d[1] = (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h;
    out->d[2] = (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h);
    out->d[3] = (6.0 * c3 + s * (24.0 * c4 + s * 60.0 * c5)) / (h * h * h);
    out->d[4] = (24.0 * c4 + s * 120.0 * c5) / (h * h * h * h);
}
