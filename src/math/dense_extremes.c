// The extreme singular values of a small matrix, without vectors: those of the Gram matrix, brought
// to tridiagonal form, by the QL iteration. A third of the work of Jacobi's rotations.
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
    if (n == 6 && by_squares(A, 6, largest, smallest)) return;
    if (n > 3 && n < 6 && by_squares(A, n, largest, smallest)) return;
    pkm_dense_small_svd(A, n, n, s, NULL);
    *largest = s[0];
    *smallest = s[n - 1];
}
