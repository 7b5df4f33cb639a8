// K + s M = L L' turns the pencil around; LAPACK finds the largest mu of L^-1 M L^-T, which belong
// to the lowest frequencies.
#include "math/eigen.h"
#include "math/lapack.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// A pivot of the Cholesky factor this small against its diagonal entry is rounding, not stiffness:
// slender beams of a hundred elements stay above 1e-10.
static const double LEAST_PIVOT = 1e-12;
// The shift, as part of the largest K_ii/M_ii, which is of the size of the largest lambda. Relative
// errors of lambda are about 1e-16 max(lambda/shift, shift/lambda).
static const double SHIFT = 1e-5;
// mu below this part of the largest is zero: a direction without mass.
static const double NO_MASS = 1e-15;

enum { WORK_PER_ROW = 40 }; // of dsyevr: 26 at least, more for its blocks

struct pkm_eigen {
    int n_max;
    double *L, *A, *Z; ///< Cholesky factor, transformed mass matrix, its eigenvectors
    double *mu, *work;
    int *support, *iwork;
    double* block;
    int* integers;
};

pkm_status pkm_eigen_create(int n_max, pkm_eigen** out)
{
    *out = NULL;
    if (n_max < 1) return PKM_ERR_ARGUMENT;
    pkm_eigen* eigen = pkm_alloc(1, sizeof *eigen);
    if (!eigen) return PKM_ERR_MEMORY;
    const size_t n = (size_t)n_max;
    eigen->n_max = n_max;
    eigen->block = pkm_alloc(3 * n * n + (1 + WORK_PER_ROW) * n, sizeof *eigen->block);
    eigen->integers = pkm_alloc(12 * n, sizeof *eigen->integers);
    if (!eigen->block || !eigen->integers) {
        pkm_eigen_free(eigen);
        return PKM_ERR_MEMORY;
    }
    eigen->L = eigen->block;
    eigen->A = eigen->L + n * n;
    eigen->Z = eigen->A + n * n;
    eigen->mu = eigen->Z + n * n;
    eigen->work = eigen->mu + n;
    eigen->support = eigen->integers;
    eigen->iwork = eigen->support + 2 * n;
    *out = eigen;
    return PKM_OK;
}

void pkm_eigen_free(pkm_eigen* eigen)
{
    if (!eigen) return;
    pkm_free(eigen->block);
    pkm_free(eigen->integers);
    pkm_free(eigen);
}

static size_t diagonal(int n, int i)
{
    return (size_t)i * (size_t)n + (size_t)i;
}

/// L L' = K + shift M. Returns false when that is not positive definite beyond rounding.
static bool factor(double* L, int n, const double* K, const double* M, double shift)
{
    const size_t size = (size_t)n * (size_t)n;
    for (size_t k = 0; k < size; ++k)
        L[k] = shift > 0.0 ? K[k] + shift * M[k] : K[k];
    if (pkm_dpotrf('L', n, L, n) != 0) return false;
    for (int i = 0; i < n; ++i) {
        const size_t ii = diagonal(n, i);
        const double whole = K[ii] + shift * M[ii];
        if (!(L[ii] * L[ii] > LEAST_PIVOT * whole)) return false;
    }
    return true;
}

/// A shift of the size of a low lambda: SHIFT times the largest K_ii/M_ii.
static double choose_shift(int n, const double* K, const double* M)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        const double k = K[diagonal(n, i)], m = M[diagonal(n, i)];
        if (m > 0.0 && k > largest * m) largest = k / m;
    }
    return largest > 0.0 ? SHIFT * largest : 1.0;
}

/// LAPACK's iterations may not end on a NaN.
static bool are_finite(const double* A, int n)
{
    const size_t size = (size_t)n * (size_t)n;
    for (size_t k = 0; k < size; ++k)
        if (!isfinite(A[k])) return false;
    return true;
}

/// The n_mode largest mu of (L^-1 M L^-T) y = mu y, rising, and with `job` 'V' the vectors y.
/// Without vectors all mu by the QL iteration cost less than some of them by bisection.
static bool largest_mu(pkm_eigen* eigen, int n, const double* M, int n_mode, char job)
{
    memcpy(eigen->A, M, (size_t)n * (size_t)n * sizeof *M);
    if (pkm_dsygst('L', n, eigen->A, n, eigen->L, n) != 0) return false;
    const int wanted = job == 'V' ? n_mode : n;
    int found = 0;
    const int info =
        pkm_dsyevr(job, 'L', n, eigen->A, n, n - wanted + 1, n, &found, eigen->mu, eigen->Z, n,
                   eigen->support, eigen->work, WORK_PER_ROW * n, eigen->iwork, 10 * n);
    if (info != 0 || found != wanted) return false;
    memmove(eigen->mu, eigen->mu + wanted - n_mode, (size_t)n_mode * sizeof *eigen->mu);
    return true;
}

/// x = L^-T y / sqrt(mu) has x'Mx = 1.
static bool recover_modes(pkm_eigen* eigen, int n, int n_mode, double least, double* X)
{
    for (int k = 0; k < n_mode; ++k) {
        const int from = n_mode - 1 - k; // the largest mu is the lowest mode
        const double mu = eigen->mu[from], scale = mu > least ? 1.0 / sqrt(mu) : 1.0;
        for (int i = 0; i < n; ++i)
            X[(size_t)k * (size_t)n + (size_t)i] =
                scale * eigen->Z[(size_t)from * (size_t)n + (size_t)i];
    }
    return pkm_dtrtrs('L', 'T', 'N', n, n_mode, eigen->L, n, X, n) == 0;
}

pkm_status pkm_eigen_lowest(pkm_eigen* eigen, int n, const double* K, const double* M, int n_mode,
                            double* lambda, double* X)
{
    if (n < 1 || n > eigen->n_max || n_mode < 1 || n_mode > n) return PKM_ERR_ARGUMENT;
    if (!are_finite(K, n) || !are_finite(M, n)) return PKM_ERR_ARGUMENT;

    double shift = 0.0;
    if (!factor(eigen->L, n, K, M, shift)) {
        shift = choose_shift(n, K, M);
        if (!factor(eigen->L, n, K, M, shift)) return PKM_ERR_SINGULAR;
    }
    if (!largest_mu(eigen, n, M, n_mode, X ? 'V' : 'N')) return PKM_ERR_CONVERGENCE;

    // K x = lambda M x is M x = mu (K + shift M) x with mu = 1/(lambda + shift)
    const double least = NO_MASS * eigen->mu[n_mode - 1];
    for (int k = 0; k < n_mode; ++k) {
        const double mu = eigen->mu[n_mode - 1 - k];
        lambda[k] = mu > least ? 1.0 / mu - shift : INFINITY;
    }
    if (X && !recover_modes(eigen, n, n_mode, least, X)) return PKM_ERR_CONVERGENCE;
    return PKM_OK;
}
