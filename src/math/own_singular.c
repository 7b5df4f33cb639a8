// Singular values and least squares for places without LAPACK (math/own_lapack.h).
#include "base/memory.h"
#include "math/own_lapack.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SWEEP = 60 };

// ---- one-sided Jacobi ---------------------------------------------------------------------------

static void rotate(int n, double c, double s, double* x, double* y)
{
    for (int i = 0; i < n; ++i) {
        const double keep = x[i];
        x[i] = c * keep - s * y[i];
        y[i] = s * keep + c * y[i];
    }
}

static double product(int n, const double* x, const double* y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/// Make columns p and q of W (m rows) orthogonal; V (n rows) follows. false: they were already.
static bool rotate_pair(int m, int n, double* wp, double* wq, double* vp, double* vq)
{
    const double a = product(m, wp, wp), b = product(m, wq, wq), g = product(m, wp, wq);
    if (a < DBL_MIN || b < DBL_MIN) return false; // a column that has vanished
    // the sum g itself is known to some sqrt(m) roundings only
    if (fabs(g) <= 2.0 * sqrt((double)m) * DBL_EPSILON * sqrt(a) * sqrt(b)) return false;
    // tan of the turn that makes the columns orthogonal: the smaller root of t^2 + 2 zeta t - 1 = 0
    const double zeta = (b - a) / (2.0 * g);
    const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
    const double c = 1.0 / hypot(1.0, t);
    rotate(m, c, c * t, wp, wq);
    rotate(n, c, c * t, vp, vq);
    return true;
}

/// W V = (orthogonal columns): sweeps over all pairs until none turns.
static bool orthogonalise(int m, int n, double* W, double* V)
{
    memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
    for (int j = 0; j < n; ++j)
        V[j + (size_t)j * (size_t)n] = 1.0;
    bool turned = true;
    for (int sweep = 0; sweep < MOST_SWEEP && turned; ++sweep) {
        turned = false;
        for (int p = 0; p + 1 < n; ++p)
            for (int q = p + 1; q < n; ++q)
                turned |= rotate_pair(m, n, W + (size_t)p * (size_t)m, W + (size_t)q * (size_t)m,
                                      V + (size_t)p * (size_t)n, V + (size_t)q * (size_t)n);
    }
    return !turned;
}

static void exchange_columns(int n, double* A, int i, int j)
{
    for (int k = 0; k < n; ++k) {
        const double keep = A[k + (size_t)i * (size_t)n];
        A[k + (size_t)i * (size_t)n] = A[k + (size_t)j * (size_t)n];
        A[k + (size_t)j * (size_t)n] = keep;
    }
}

/// Norms of the columns, falling; W and V in the same order, W normalised where it is not zero.
static void sort_columns(int m, int n, double* W, double* V, double* s)
{
    for (int j = 0; j < n; ++j) {
        const double square = product(m, W + (size_t)j * (size_t)m, W + (size_t)j * (size_t)m);
        s[j] = square < DBL_MIN ? 0.0 : sqrt(square);
    }
    for (int j = 0; j < n; ++j) {
        int best = j;
        for (int k = j + 1; k < n; ++k)
            if (s[k] > s[best]) best = k;
        const double keep = s[j];
        s[j] = s[best];
        s[best] = keep;
        if (best != j) exchange_columns(m, W, j, best), exchange_columns(n, V, j, best);
        for (int i = 0; s[j] > 0.0 && i < m; ++i)
            W[i + (size_t)j * (size_t)m] /= s[j];
    }
}

/// Orthonormal columns first .. m - 1 of U (m x m), from the unit vectors that lie farthest outside
/// the columns so far.
static void complete(int m, int first, double* U, int ldu)
{
    for (int j = first; j < m; ++j) {
        double* u = U + (size_t)j * (size_t)ldu;
        int best = 0;
        double least = HUGE_VAL;
        for (int i = 0; i < m; ++i) {
            double inside = 0.0;
            for (int k = 0; k < j; ++k)
                inside += U[i + (size_t)k * (size_t)ldu] * U[i + (size_t)k * (size_t)ldu];
            if (inside < least) best = i, least = inside;
        }
        memset(u, 0, (size_t)m * sizeof *u);
        u[best] = 1.0;
        for (int pass = 0; pass < 2; ++pass) // the second removes what rounding left
            for (int k = 0; k < j; ++k) {
                const double* other = U + (size_t)k * (size_t)ldu;
                const double part = product(m, u, other);
                for (int i = 0; i < m; ++i)
                    u[i] -= part * other[i];
            }
        const double size = sqrt(product(m, u, u));
        for (int i = 0; i < m; ++i)
            u[i] /= size;
    }
}

size_t pkm_own_dgesvd_room(int m, int n)
{
    const size_t a = (size_t)(m > n ? m : n), b = (size_t)(m > n ? n : m);
    return a * b + b * b + 1;
}

/// Columns [count] of X, `rows` long, to the columns of U or to the rows of Vt.
static void put(const double* X, int rows, int count, double* out, int ld, bool is_transposed)
{
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < rows; ++i)
            out[is_transposed ? j + (size_t)i * (size_t)ld : i + (size_t)j * (size_t)ld] =
                X[i + (size_t)j * (size_t)rows];
}

/// Fill up a square matrix whose first `count` columns (rows) are orthonormal.
static void complete_side(int n, int count, double* Q, int ld, bool is_transposed)
{
    if (!is_transposed) {
        complete(n, count, Q, ld);
        return;
    }
    for (int pass = 0; pass < 2; ++pass) { // transpose, complete, transpose back
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < j; ++i) {
                const double keep = Q[i + (size_t)j * (size_t)ld];
                Q[i + (size_t)j * (size_t)ld] = Q[j + (size_t)i * (size_t)ld];
                Q[j + (size_t)i * (size_t)ld] = keep;
            }
        if (pass == 0) complete(n, count, Q, ld);
    }
}

/// The longer side m gives the length of the columns that are made orthogonal.
int pkm_own_dgesvd(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
                   int ldu, double* Vt, int ldvt, double* work, size_t n_work)
{
    const bool is_wide = n > m;
    const int rows = is_wide ? n : m, count = is_wide ? m : n;
    if (n_work < pkm_own_dgesvd_room(m, n)) return -12;
    double *W = work, *V = work + (size_t)rows * (size_t)count;
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < rows; ++i)
            W[i + (size_t)j * (size_t)rows] =
                is_wide ? A[j + (size_t)i * (size_t)lda] : A[i + (size_t)j * (size_t)lda];
    if (!orthogonalise(rows, count, W, V)) return 1;
    sort_columns(rows, count, W, V, s);
    int full = 0; // columns that have a direction
    while (full < count && s[full] > 0.0)
        ++full;
    if (job_u == 'A') {
        put(is_wide ? V : W, m, count, U, ldu, false);
        if (!is_wide) complete_side(m, full, U, ldu, false);
    }
    if (job_vt == 'A') {
        put(is_wide ? W : V, n, count, Vt, ldvt, true);
        if (is_wide) complete_side(n, full, Vt, ldvt, true);
    }
    return 0;
}

// ---- least squares ------------------------------------------------------------------------------

/// x = V diag(1 / s) U' b over the singular values that count.
static void solve_one(int m, int n, int rank, const double* U, const double* s, const double* Vt,
                      double* b, double* y)
{
    for (int k = 0; k < rank; ++k)
        y[k] = product(m, U + (size_t)k * (size_t)m, b) / s[k];
    for (int i = 0; i < n; ++i) {
        b[i] = 0.0;
        for (int k = 0; k < rank; ++k)
            b[i] += Vt[k + (size_t)i * (size_t)n] * y[k];
    }
}

int pkm_own_dgelsd(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, double* s,
                   double rcond, int* rank)
{
    const size_t room = pkm_own_dgesvd_room(m, n), mm = (size_t)m * (size_t)m;
    const size_t nn = (size_t)n * (size_t)n, most = (size_t)(m > n ? m : n);
    double* memory = pkm_alloc(room + mm + nn + most + 1, sizeof *memory);
    if (!memory) return -1010;
    double *U = memory + room, *Vt = U + mm, *y = Vt + nn;
    const int least = m < n ? m : n;
    const int info = pkm_own_dgesvd('A', 'A', m, n, A, lda, s, U, m, Vt, n, memory, room);
    *rank = 0;
    while (info == 0 && *rank < least && s[*rank] > rcond * s[0])
        ++*rank;
    for (int j = 0; info == 0 && j < n_rhs; ++j)
        solve_one(m, n, *rank, U, s, Vt, B + (size_t)j * (size_t)ldb, y);
    pkm_free(memory);
    return info;
}
