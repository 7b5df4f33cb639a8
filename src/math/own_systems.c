// Factors and linear systems for places without LAPACK (math/own_lapack.h).
#include "base/memory.h"
#include "math/own_lapack.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double* at(double* A, int lda, int i, int j)
{
    return A + i + (size_t)j * (size_t)lda;
}

static double get(const double* A, int lda, int i, int j)
{
    return A[i + (size_t)j * (size_t)lda];
}

// ---- LU -----------------------------------------------------------------------------------------

static void exchange(double* A, int lda, int n, int i, int k)
{
    for (int j = 0; j < n && i != k; ++j) {
        const double keep = get(A, lda, i, j);
        *at(A, lda, i, j) = get(A, lda, k, j);
        *at(A, lda, k, j) = keep;
    }
}

/// Column by column: a zero pivot is passed over and told at the end, as LAPACK does.
int pkm_own_dgetrf(int m, int n, double* A, int lda, int* pivot)
{
    int info = 0;
    for (int k = 0; k < m && k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < m; ++i)
            if (fabs(get(A, lda, i, k)) > fabs(get(A, lda, best, k))) best = i;
        pivot[k] = best + 1;
        if (get(A, lda, best, k) == 0.0) {
            if (info == 0) info = k + 1;
            continue;
        }
        // P A = L U: the multipliers of column k stay below its pivot, then the rest loses their
        // products
        exchange(A, lda, n, k, best);
        const double inverse = 1.0 / get(A, lda, k, k);
        for (int i = k + 1; i < m; ++i)
            *at(A, lda, i, k) *= inverse;
        for (int j = k + 1; j < n; ++j) {
            const double factor = get(A, lda, k, j);
            for (int i = k + 1; factor != 0.0 && i < m; ++i)
                *at(A, lda, i, j) -= factor * get(A, lda, i, k);
        }
    }
    return info;
}

/// A = P' L U: x = U^-1 L^-1 P b, and for A' = U' L' P the other way round.
int pkm_own_dgetrs(char trans, int n, int n_rhs, const double* LU, int lda, const int* pivot,
                   double* B, int ldb)
{
    for (int k = 0; trans == 'N' && k < n; ++k)
        exchange(B, ldb, n_rhs, k, pivot[k] - 1);
    if (trans == 'N') {
        pkm_own_dtrtrs('L', 'N', 'U', n, n_rhs, LU, lda, B, ldb);
        return pkm_own_dtrtrs('U', 'N', 'N', n, n_rhs, LU, lda, B, ldb);
    }
    pkm_own_dtrtrs('U', 'T', 'N', n, n_rhs, LU, lda, B, ldb);
    pkm_own_dtrtrs('L', 'T', 'U', n, n_rhs, LU, lda, B, ldb);
    for (int k = n - 1; k >= 0; --k)
        exchange(B, ldb, n_rhs, k, pivot[k] - 1);
    return 0;
}

/// |A^-1| from all its columns: exact, and cheap beside the factorisation it follows.
int pkm_own_dgecon(int n, const double* LU, int lda, double norm, double* rcond)
{
    int* identity = pkm_alloc((size_t)n + 1, sizeof *identity);
    double* column = pkm_alloc((size_t)n + 1, sizeof *column);
    double largest = 0.0;
    for (int k = 0; identity && k < n; ++k)
        identity[k] = k + 1; // exchanged columns of the inverse have the same norms
    for (int k = 0; identity && column && k < n; ++k) {
        double sum = 0.0;
        memset(column, 0, (size_t)n * sizeof *column);
        column[k] = 1.0;
        pkm_own_dgetrs('N', n, 1, LU, lda, identity, column, n);
        for (int i = 0; i < n; ++i)
            sum += fabs(column[i]);
        largest = fmax(largest, sum);
    }
    const bool has_memory = identity && column;
    *rcond = norm > 0.0 && largest > 0.0 ? 1.0 / (norm * largest) : 0.0;
    pkm_free(identity);
    pkm_free(column);
    return has_memory ? 0 : -1010;
}

/// Right sides are eliminated along with A, so that L need not be kept: n^3/3 multiplications for
/// the factors, n^2 for each right side.
int pkm_own_zgesv(int n, int n_rhs, double complex* A, int lda, int* pivot, double complex* B,
                  int ldb)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (cabs(A[i + k * lda]) > cabs(A[best + k * lda])) best = i;
        pivot[k] = best + 1;
        if (cabs(A[best + k * lda]) == 0.0) return k + 1;
        for (int j = 0; j < n + n_rhs; ++j) {
            double complex* x = j < n ? A + j * lda : B + (j - n) * ldb;
            const double complex keep = x[k];
            x[k] = x[best];
            x[best] = keep;
        }
        for (int i = k + 1; i < n; ++i) {
            const double complex factor = A[i + k * lda] / A[k + k * lda];
            for (int j = k + 1; j < n; ++j)
                A[i + j * lda] -= factor * A[k + j * lda];
            for (int j = 0; j < n_rhs; ++j)
                B[i + j * ldb] -= factor * B[k + j * ldb];
        }
    }
    for (int j = 0; j < n_rhs; ++j)
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k)
                B[i + j * ldb] -= A[i + k * lda] * B[k + j * ldb];
            B[i + j * ldb] /= A[i + i * lda];
        }
    return 0;
}

// ---- triangles ----------------------------------------------------------------------------------

/// One right side of a triangular system; upwards when the last unknown comes first.
static void solve_triangle(char uplo, char trans, char diag, int n, const double* A, int lda,
                           double* x)
{
    const bool upwards = (uplo == 'U') == (trans == 'N');
    for (int step = 0; step < n; ++step) {
        const int k = upwards ? n - 1 - step : step;
        const int from = upwards ? k + 1 : 0, to = upwards ? n : k;
        double sum = x[k];
        // downwards along column k of A: its multiple is taken off the unknowns that come later,
        // and of A' its product with those known off this one
        if (trans == 'N') {
            if (diag == 'N') x[k] = sum / get(A, lda, k, k);
            const int first = upwards ? 0 : k + 1, last = upwards ? k : n;
            for (int i = first; i < last; ++i)
                x[i] -= get(A, lda, i, k) * x[k];
            continue;
        }
        for (int i = from; i < to; ++i)
            sum -= get(A, lda, i, k) * x[i];
        x[k] = diag == 'N' ? sum / get(A, lda, k, k) : sum;
    }
}

/// A zero on the diagonal is told before anything is changed, by its number from 1.
int pkm_own_dtrtrs(char uplo, char trans, char diag, int n, int n_rhs, const double* A, int lda,
                   double* B, int ldb)
{
    for (int k = 0; diag == 'N' && k < n; ++k)
        if (get(A, lda, k, k) == 0.0) return k + 1;
    for (int j = 0; j < n_rhs; ++j)
        solve_triangle(uplo, trans, diag, n, A, lda, at(B, ldb, 0, j));
    return 0;
}

// ---- Cholesky -----------------------------------------------------------------------------------

/// Entry (i, j), i >= j, of the lower factor, which 'U' stores transposed.
static double* lower(char uplo, double* A, int lda, int i, int j)
{
    return uplo == 'L' ? at(A, lda, i, j) : at(A, lda, j, i);
}

/// Column by column: L_jj^2 = A_jj - sum_k L_jk^2, L_ij = (A_ij - sum_k L_ik L_jk)/L_jj.
int pkm_own_dpotrf(char uplo, int n, double* A, int lda)
{
    for (int j = 0; j < n; ++j) {
        double pivot = *lower(uplo, A, lda, j, j);
        for (int k = 0; k < j; ++k)
            pivot -= *lower(uplo, A, lda, j, k) * *lower(uplo, A, lda, j, k);
        if (!(pivot > 0.0)) return j + 1;
        *lower(uplo, A, lda, j, j) = pivot = sqrt(pivot);
        for (int i = j + 1; i < n; ++i) {
            double sum = *lower(uplo, A, lda, i, j);
            for (int k = 0; k < j; ++k)
                sum -= *lower(uplo, A, lda, i, k) * *lower(uplo, A, lda, j, k);
            *lower(uplo, A, lda, i, j) = sum / pivot;
        }
    }
    return 0;
}

/// A^-1 = L^-T L^-1: first L^-1 in place, then the product, from the top left.
int pkm_own_dpotri(char uplo, int n, double* A, int lda)
{
    // L^-1: X_jj = 1/L_jj, X_ij = -(sum_{j<=k<i} L_ik X_kj)/L_ii; columns right of j are still L
    for (int j = 0; j < n; ++j) {
        if (*lower(uplo, A, lda, j, j) == 0.0) return j + 1;
        *lower(uplo, A, lda, j, j) = 1.0 / *lower(uplo, A, lda, j, j);
        for (int i = j + 1; i < n; ++i) {
            double sum = 0.0;
            for (int k = j; k < i; ++k)
                sum -= *lower(uplo, A, lda, i, k) * *lower(uplo, A, lda, k, j);
            *lower(uplo, A, lda, i, j) = sum / *lower(uplo, A, lda, i, i);
        }
    }
    // (A^-1)_ij = sum_{k>=i} X_ki X_kj, i >= j, needs no entry that has been written already
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double sum = 0.0;
            for (int k = i; k < n; ++k)
                sum += *lower(uplo, A, lda, k, i) * *lower(uplo, A, lda, k, j);
            *lower(uplo, A, lda, i, j) = sum;
        }
    return 0;
}

/// AB[i - j + j ldab] is entry (i, j), i >= j.
int pkm_own_dpbsv(int n, int band, int n_rhs, double* AB, int ldab, double* B, int ldb)
{
    for (int j = 0; j < n; ++j) {
        double* column = AB + (size_t)j * (size_t)ldab;
        const int most = band < n - 1 - j ? band : n - 1 - j;
        if (!(column[0] > 0.0)) return j + 1;
        column[0] = sqrt(column[0]);
        for (int i = 1; i <= most; ++i)
            column[i] /= column[0];
        for (int k = 1; k <= most; ++k)
            for (int i = k; i <= most; ++i)
                AB[i - k + (size_t)(j + k) * (size_t)ldab] -= column[i] * column[k];
    }
    // L y = b downwards, L' x = y upwards, both along columns of the band
    for (int r = 0; r < n_rhs; ++r) {
        double* x = at(B, ldb, 0, r);
        for (int j = 0; j < n; ++j) {
            const double* column = AB + (size_t)j * (size_t)ldab;
            x[j] /= column[0];
            for (int i = 1; i <= band && j + i < n; ++i)
                x[j + i] -= column[i] * x[j];
        }
        for (int j = n - 1; j >= 0; --j) {
            const double* column = AB + (size_t)j * (size_t)ldab;
            for (int i = 1; i <= band && j + i < n; ++i)
                x[j] -= column[i] * x[j + i];
            x[j] /= column[0];
        }
    }
    return 0;
}

/// The whole symmetric matrix is filled, both sides are divided by the factor, and all is kept.
int pkm_own_dsygst(char uplo, int n, double* A, int lda, const double* B, int ldb)
{
    const char turned = uplo == 'L' ? 'N' : 'T';
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i)
            *(uplo == 'L' ? at(A, lda, j, i) : at(A, lda, i, j)) = *lower(uplo, A, lda, i, j);
    // (L^-1 A)' = A L^-T, and once more L^-1 A L^-T, which is symmetric again but for rounding
    for (int pass = 0; pass < 2; ++pass) {
        const int info = pkm_own_dtrtrs(uplo, turned, 'N', n, n, B, ldb, A, lda);
        if (info != 0) return info;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < j; ++i) {
                const double keep = get(A, lda, i, j);
                *at(A, lda, i, j) = get(A, lda, j, i);
                *at(A, lda, j, i) = keep;
            }
    }
    return 0;
}

// ---- QR -----------------------------------------------------------------------------------------

/// The reflection I - tau v v' that turns x into (beta, 0, ...): v replaces x behind its first
/// entry, where beta stands.
static double reflect(int n, double* x)
{
    double square = 0.0;
    for (int i = 1; i < n; ++i)
        square += x[i] * x[i];
    if (square == 0.0) return 0.0;
    // the sign against x_0 keeps x_0 - beta from cancelling
    const double beta = -copysign(sqrt(x[0] * x[0] + square), x[0]);
    const double inverse = 1.0 / (x[0] - beta), tau = (beta - x[0]) / beta;
    for (int i = 1; i < n; ++i)
        x[i] *= inverse;
    x[0] = beta;
    return tau;
}

/// y -= tau v (v . y), v = (1, tail).
static void apply(int n, const double* tail, double tau, double* y)
{
    double sum = y[0];
    for (int i = 1; i < n; ++i)
        sum += tail[i] * y[i];
    y[0] -= tau * sum;
    for (int i = 1; i < n; ++i)
        y[i] -= tau * sum * tail[i];
}

/// A P = Q R, the longest column of the rest first. Its length is summed anew at every step: m n
/// multiplications more than to update it, and no digits are lost.
int pkm_own_dgeqp3(int m, int n, double* A, int lda, int* pivot, double* tau)
{
    for (int j = 0; j < n; ++j)
        pivot[j] = j + 1;
    for (int k = 0; k < m && k < n; ++k) {
        int best = k;
        double largest = -1.0;
        for (int j = k; j < n; ++j) {
            double square = 0.0;
            for (int i = k; i < m; ++i)
                square += get(A, lda, i, j) * get(A, lda, i, j);
            if (square > largest) best = j, largest = square;
        }
        for (int i = 0; i < m && best != k; ++i) {
            const double keep = get(A, lda, i, k);
            *at(A, lda, i, k) = get(A, lda, i, best);
            *at(A, lda, i, best) = keep;
        }
        const int keep = pivot[k];
        pivot[k] = pivot[best];
        pivot[best] = keep;
        tau[k] = reflect(m - k, at(A, lda, k, k));
        for (int j = k + 1; j < n; ++j)
            apply(m - k, at(A, lda, k, k), tau[k], at(A, lda, k, j));
    }
    return 0;
}

/// From the last reflection to the first, on the columns of the identity.
/// Q = H_1 ... H_k, and H_l leaves the unit vectors before l as they are.
int pkm_own_dorgqr(int m, int n, int k, double* A, int lda, const double* tau)
{
    for (int j = k; j < n; ++j)
        for (int i = 0; i < m; ++i)
            *at(A, lda, i, j) = i == j;
    for (int l = k - 1; l >= 0; --l) {
        double* v = at(A, lda, l, l);
        for (int j = l + 1; j < n; ++j)
            apply(m - l, v, tau[l], at(A, lda, l, j));
        v[0] = 1.0 - tau[l];
        for (int i = 1; i < m - l; ++i)
            v[i] *= -tau[l];
        for (int i = 0; i < l; ++i)
            *at(A, lda, i, l) = 0.0;
    }
    return 0;
}
