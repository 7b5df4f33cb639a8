// The extreme singular values of a small matrix, without vectors: those of the Gram matrix, brought
// to tridiagonal form, by the QL iteration. A third of the work of Jacobi's rotations. Next to
// another matrix: by Rayleigh's quotients from its vectors, with a proof by Sylvester's law.
#include "math/dense.h"

#include "base/error.h"
#include "math/dot.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MAX = PKM_DENSE_SMALL, MAX_SWEEP = 60 };

/// Squares lose half of the digits: a smallest value below this part of the largest one is found
/// from the matrix itself.
static const double SQUARE_LIMIT = 3e-4;
static const double SETTLED =
    1e-22; ///< square of an entry beside the diagonal, of the values there

/// G = A' A, full.
static inline void fill_gram(const double* A, int n, double* G)
{
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
            G[i * n + j] = G[j * n + i] = pkm_dot(A + i * n, A + j * n, n);
}

/// Householder's reflection that clears column k below the entry beside the diagonal: d[k], and the
/// square e[k] of that entry.
static inline void reflect(double* G, int n, int k, double* d, double* e)
{
    const int m = n - k - 1; // rows and columns that are left
    const double* g = G + k * n + k + 1;
    double u[MAX] = {0.0}, p[MAX];
    const double square = pkm_dot(g, g, m), rest = square - g[0] * g[0];
    d[k] = G[k * n + k];
    e[k] = square;
    if (!(rest > 0.0)) return;
    for (int i = 0; i < m; ++i)
        u[i] = g[i];
    u[0] += copysign(sqrt(square), g[0]);
    const double scale = 2.0 / (u[0] * u[0] + rest);
    for (int i = 0; i < m; ++i)
        p[i] = 0.0;
    for (int j = 0; j < m; ++j) // columns of the symmetric matrix: no sum waits for another
        for (int i = 0; i < m; ++i)
            p[i] += G[(k + 1 + j) * n + k + 1 + i] * (scale * u[j]);
    const double half = 0.5 * scale * pkm_dot(p, u, m);
    for (int i = 0; i < m; ++i)
        p[i] -= half * u[i];
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
            G[(k + 1 + j) * n + k + 1 + i] -= u[i] * p[j] + p[i] * u[j];
}

/// Diagonal d [n] and squares e [n - 1] of the entries beside it of the tridiagonal form, n > 2.
static inline void make_tridiagonal(double* G, int n, double* d, double* e)
{
    reflect(G, n, 0, d, e);
    if (n > 3) reflect(G, n, 1, d, e);
    if (n > 4) reflect(G, n, 2, d, e);
    if (n > 5) reflect(G, n, 3, d, e);
    for (int k = n - 2; k < n; ++k)
        d[k] = G[k * n + k];
    e[n - 2] = G[(n - 2) * n + n - 1] * G[(n - 2) * n + n - 1];
}

/// One sweep of the QL iteration without square roots (Pal, Walker and Kahan) on rows l to m of the
/// tridiagonal matrix, shifted by the eigenvalue of its first two rows that is nearer to d[l].
static inline void sweep(double* d, double* e, int l, int m)
{
    const double side = sqrt(e[l]), half = 0.5 * (d[l + 1] - d[l]) / side;
    const double shift = d[l] - side / (half + copysign(sqrt(half * half + 1.0), half));
    double c = 1.0, s = 0.0, gamma = d[m] - shift, p = gamma * gamma;
    for (int i = m - 1; i >= l; --i) {
        const double r = p + e[i], old_c = c, old_gamma = gamma;
        if (i < m - 1) e[i + 1] = s * r;
        c = p / r;
        s = e[i] / r;
        gamma = c * (d[i] - shift) - s * old_gamma;
        d[i + 1] = old_gamma + (d[i] - gamma);
        p = c != 0.0 ? gamma * gamma / c : old_c * e[i];
    }
    e[l] = s * p;
    d[l] = shift + gamma;
}

/// Eigenvalues of the tridiagonal matrix to d; `e` is destroyed. False: they do not settle.
static inline bool find_eigenvalues(double* d, double* e, int n)
{
    int sweeps = 0;
    for (int l = 0; l < n; ++l)
        for (;;) {
            int m = l;
            while (m + 1 < n && e[m] > SETTLED * fabs(d[m] * d[m + 1]))
                ++m;
            if (m == l) break;
            if (++sweeps > MAX_SWEEP) return false;
            sweep(d, e, l, m);
        }
    return true;
}

/// By the Gram matrix; false where that loses too many digits. Inlined with a constant n the loops
/// unroll.
static inline bool by_squares(const double* A, int n, double* largest, double* smallest)
{
    double G[MAX * MAX], d[MAX], e[MAX], trace = 0.0;
    fill_gram(A, n, G);
    for (int k = 0; k < n; ++k)
        trace += G[k * n + k];
    if (!(trace > DBL_MIN / DBL_EPSILON && trace < HUGE_VAL)) return false;
    for (int k = 0; k < n * n; ++k)
        G[k] /= trace; // squares stay finite
    make_tridiagonal(G, n, d, e);
    if (!find_eigenvalues(d, e, n)) return false;
    double most = d[0], least = d[0];
    for (int k = 1; k < n; ++k) {
        most = d[k] > most ? d[k] : most;
        least = d[k] < least ? d[k] : least;
    }
    if (!(least > 0.0)) return false;
    *largest = sqrt(trace * most);
    *smallest = sqrt(trace * least);
    return *smallest > SQUARE_LIMIT * *largest;
}

void pkm_dense_small_extremes(const double* A, int n, double* largest, double* smallest)
{
    PKM_ASSERT(n >= 1 && n <= MAX);
    double s[MAX];
    if (n == 3 && by_squares(A, 3, largest, smallest)) return;
    if (n == 6 && by_squares(A, 6, largest, smallest)) return;
    if (n > 3 && n < 6 && by_squares(A, n, largest, smallest)) return;
    pkm_dense_small_svd(A, n, n, s, NULL);
    *largest = s[0];
    *smallest = s[n - 1];
}

// ---- next to another matrix -------------------------------------------------------------------

/// Column j of G - shift = L D L' without pivots: L D below the diagonal, and 1 / D.
static inline void factor_column(const double* G, int n, int j, double shift, double* L,
                                 double* inverse)
{
    double* column = L + j * n;
    column[j] = G[j * n + j] - shift;
    for (int i = j + 1; i < n; ++i)
        column[i] = G[j * n + i];
    for (int k = 0; k < j; ++k) {
        const double part = L[k * n + j] * inverse[k];
        for (int i = j; i < n; ++i)
            column[i] -= L[k * n + i] * part;
    }
    inverse[j] = 1.0 / column[j];
}

/// How many of D are positive, -1 where one is zero or none. Column by column, for the loops of
/// each to unroll.
static inline int factor_shifted(const double* G, int n, double shift, double* L, double* inverse)
{
    factor_column(G, n, 0, shift, L, inverse);
    if (n > 1) factor_column(G, n, 1, shift, L, inverse);
    if (n > 2) factor_column(G, n, 2, shift, L, inverse);
    if (n > 3) factor_column(G, n, 3, shift, L, inverse);
    if (n > 4) factor_column(G, n, 4, shift, L, inverse);
    if (n > 5) factor_column(G, n, 5, shift, L, inverse);
    int positive = 0;
    double product = 1.0;
    for (int k = 0; k < n; ++k) {
        positive += inverse[k] > 0.0;
        product *= inverse[k];
    }
    return fabs(product) < HUGE_VAL ? positive : -1;
}

/// Step k of y <- (L D)^-1 y, and of y <- L'^-1 y.
static inline void solve_down(const double* L, const double* inverse, int n, int k, double* y)
{
    const double part = y[k] * inverse[k];
    for (int i = k + 1; i < n; ++i)
        y[i] -= L[k * n + i] * part;
}

static inline void solve_up(const double* L, const double* inverse, int n, int k, double* y)
{
    for (int i = k + 1; i < n; ++i)
        y[k] -= L[k * n + i] * y[i];
    y[k] *= inverse[k];
}

/// y <- (L D L')^-1 y
static inline void solve_shifted(const double* L, const double* inverse, int n, double* y)
{
    solve_down(L, inverse, n, 0, y);
    if (n > 2) solve_down(L, inverse, n, 1, y);
    if (n > 3) solve_down(L, inverse, n, 2, y);
    if (n > 4) solve_down(L, inverse, n, 3, y);
    if (n > 5) solve_down(L, inverse, n, 4, y);
    if (n > 5) solve_up(L, inverse, n, 5, y);
    if (n > 4) solve_up(L, inverse, n, 4, y);
    if (n > 3) solve_up(L, inverse, n, 3, y);
    if (n > 2) solve_up(L, inverse, n, 2, y);
    if (n > 1) solve_up(L, inverse, n, 1, y);
    solve_up(L, inverse, n, 0, y);
}

/// How many eigenvalues of G are larger than `than`, or smaller: Sylvester's law of inertia; more
/// than n where it cannot be told.
static inline int count_beyond(const double* G, int n, bool is_largest, double than, double* L,
                               double* inverse)
{
    const int positive = factor_shifted(G, n, than, L, inverse);
    return positive < 0 ? n + 1 : is_largest ? positive : n - positive;
}

/// The largest eigenvalue of G, or the smallest one, by Rayleigh's quotients from a vector x near
/// its own. With one eigenvalue beyond the quotient r of x, the next vector's quotient s and
/// residual e leave it at most e^2 / |s - r| away from s (Kato and Temple); next to rounding the
/// count beyond decides. Negative: not found.
static inline double follow_extreme(const double* G, int n, bool is_largest, double* x)
{
    static const double PROOF = 1e-9, ROUNDING = 1e-12; // of a square
    enum { TRIALS = 4 };
    const double side = is_largest ? 1.0 : -1.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double L[MAX * MAX], inverse[MAX], y[MAX], r = 0.0;
        for (int j = 0; j < n; ++j) {
            y[j] = x[j];
            r += x[j] * pkm_dot(G + j * n, x, n);
        }
        const int beyond = count_beyond(G, n, is_largest, r, L, inverse);
        if (beyond > 1 || !(r > 0.0)) return -1.0;
        if (beyond == 0) return r;
        solve_shifted(L, inverse, n, y);
        const double square = pkm_dot(y, y, n), along = pkm_dot(x, y, n);
        const double step = along / square, length = 1.0 / sqrt(square);
        const double residual = fmax(1.0 / square - step * step, 0.0);
        for (int i = 0; i < n; ++i)
            x[i] = y[i] * length;
        if (fabs(step) < ROUNDING * r) {
            const double proof = r * (1.0 + side * PROOF);
            return count_beyond(G, n, is_largest, proof, L, inverse) == 0 ? r : -1.0;
        }
        if (step * side > 0.0 && residual < PROOF * fabs(r * step)) return r + step;
    }
    return -1.0;
}

/// From the vectors of a matrix nearby. False: they do not serve, or squares lose too many digits
/// for the proof.
static inline bool by_neighbour(const double* A, int n, pkm_dense_extremes* near, double* largest,
                                double* smallest)
{
    static const double LIMIT = 1e-4; // smallest by largest square
    double G[MAX * MAX];
    fill_gram(A, n, G);
    const double most = follow_extreme(G, n, true, near->large);
    const double least = most > 0.0 ? follow_extreme(G, n, false, near->small) : -1.0;
    if (!(least > LIMIT * most && most < HUGE_VAL)) return false;
    *largest = sqrt(most);
    *smallest = sqrt(least);
    return true;
}

/// Vectors for the calls after: those of the singular value decomposition. Where they do not serve,
/// as where two values are nearly equal, some calls pass before it is tried again.
static void renew(const double* A, int n, pkm_dense_extremes* near)
{
    enum { PAUSE = 32 };
    double s[MAX], V[MAX * MAX];
    if (near->pause-- > 0) return;
    near->pause = near->n == n ? PAUSE : 0;
    near->n = n;
    pkm_dense_small_svd(A, n, n, s, V);
    for (int i = 0; i < n; ++i) {
        near->large[i] = V[i];
        near->small[i] = V[(n - 1) * n + i];
    }
}

void pkm_dense_small_extremes_near(const double* A, int n, pkm_dense_extremes* near,
                                   double* largest, double* smallest)
{
    PKM_ASSERT(n >= 1 && n <= MAX);
    const bool begun = near->n == n && near->pause == 0;
    if (begun && n == 3 && by_neighbour(A, 3, near, largest, smallest)) return;
    if (begun && n == 6 && by_neighbour(A, 6, near, largest, smallest)) return;
    if (begun && n != 3 && n != 6 && by_neighbour(A, n, near, largest, smallest)) return;
    pkm_dense_small_extremes(A, n, largest, smallest);
    renew(A, n, near);
}
