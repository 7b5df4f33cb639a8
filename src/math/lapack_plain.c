// lapack.h without a LAPACK: served by own_lapack.h.
#include "base/memory.h"
#include "math/lapack.h"
#include "math/own_lapack.h"

#include <float.h>
#include <string.h>

// the code that lapack_system.c answers with, from LAPACKE
enum { NO_MEMORY = -1010 };

/// There is one thread.
void pkm_lapack_begin(void)
{
}

void pkm_lapack_end(void)
{
}

// ---- vectors and products -----------------------------------------------------------------------

void pkm_daxpy(int n, double a, const double* x, int inc_x, double* y, int inc_y)
{
    for (int i = 0; i < n; ++i)
        y[(ptrdiff_t)i * inc_y] += a * x[(ptrdiff_t)i * inc_x];
}

double pkm_ddot(int n, const double* x, int inc_x, const double* y, int inc_y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[(ptrdiff_t)i * inc_x] * y[(ptrdiff_t)i * inc_y];
    return sum;
}

void pkm_dscal(int n, double a, double* x, int inc_x)
{
    for (int i = 0; i < n; ++i)
        x[(ptrdiff_t)i * inc_x] *= a;
}

void pkm_dcopy(int n, const double* x, int inc_x, double* y, int inc_y)
{
    for (int i = 0; i < n; ++i)
        y[(ptrdiff_t)i * inc_y] = x[(ptrdiff_t)i * inc_x];
}

void pkm_dswap(int n, double* x, int inc_x, double* y, int inc_y)
{
    for (int i = 0; i < n; ++i) {
        const double keep = x[(ptrdiff_t)i * inc_x];
        x[(ptrdiff_t)i * inc_x] = y[(ptrdiff_t)i * inc_y];
        y[(ptrdiff_t)i * inc_y] = keep;
    }
}

void pkm_dger(int m, int n, double a, const double* x, int inc_x, const double* y, int inc_y,
              double* A, int lda)
{
    for (int j = 0; j < n; ++j)
        pkm_daxpy(m, a * y[(ptrdiff_t)j * inc_y], x, inc_x, A + (size_t)j * (size_t)lda, 1);
}

void pkm_dgemv(char trans, int m, int n, double a, const double* A, int lda, const double* x,
               int inc_x, double b, double* y, int inc_y)
{
    pkm_own_dgemv(trans, m, n, a, A, lda, x, inc_x, b, y, inc_y);
}

void pkm_dsymv(char uplo, int n, double a, const double* A, int lda, const double* x, int inc_x,
               double b, double* y, int inc_y)
{
    pkm_own_dsymv(uplo, n, a, A, lda, x, inc_x, b, y, inc_y);
}

void pkm_dgemm(char trans_a, char trans_b, int m, int n, int k, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc)
{
    pkm_own_dgemm(trans_a, trans_b, m, n, k, a, A, lda, B, ldb, b, C, ldc);
}

void pkm_dsymm(char side, char uplo, int m, int n, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc)
{
    pkm_own_dsymm(side, uplo, m, n, a, A, lda, B, ldb, b, C, ldc);
}

// ---- systems ------------------------------------------------------------------------------------

int pkm_dgetrf(int m, int n, double* A, int lda, int* pivot)
{
    return pkm_own_dgetrf(m, n, A, lda, pivot);
}

int pkm_dgetrs(char trans, int n, int n_rhs, const double* LU, int lda, const int* pivot, double* B,
               int ldb)
{
    return pkm_own_dgetrs(trans, n, n_rhs, LU, lda, pivot, B, ldb);
}

int pkm_zgesv(int n, int n_rhs, double complex* A, int lda, int* pivot, double complex* B, int ldb)
{
    return pkm_own_zgesv(n, n_rhs, A, lda, pivot, B, ldb);
}

int pkm_dgecon(int n, const double* LU, int lda, double norm, double* rcond)
{
    return pkm_own_dgecon(n, LU, lda, norm, rcond);
}

int pkm_dpotrf(char uplo, int n, double* A, int lda)
{
    return pkm_own_dpotrf(uplo, n, A, lda);
}

/// A = L L' or U' U: the factor that stands on the left first.
int pkm_dpotrs(char uplo, int n, int n_rhs, const double* A, int lda, double* B, int ldb)
{
    const bool is_lower = uplo == 'L';
    const int info = pkm_own_dtrtrs(uplo, is_lower ? 'N' : 'T', 'N', n, n_rhs, A, lda, B, ldb);
    return info != 0 ? info
                     : pkm_own_dtrtrs(uplo, is_lower ? 'T' : 'N', 'N', n, n_rhs, A, lda, B, ldb);
}

int pkm_dpotri(char uplo, int n, double* A, int lda)
{
    return pkm_own_dpotri(uplo, n, A, lda);
}

int pkm_dpbsv(int n, int band, int n_rhs, double* AB, int ldab, double* B, int ldb)
{
    return pkm_own_dpbsv(n, band, n_rhs, AB, ldab, B, ldb);
}

int pkm_dtrtrs(char uplo, char trans, char diag, int n, int n_rhs, const double* A, int lda,
               double* B, int ldb)
{
    return pkm_own_dtrtrs(uplo, trans, diag, n, n_rhs, A, lda, B, ldb);
}

int pkm_dgelsd(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, double* s,
               double rcond, int* rank)
{
    return pkm_own_dgelsd(m, n, n_rhs, A, lda, B, ldb, s, rcond, rank);
}

int pkm_dgelsy(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, int* pivot,
               double rcond, int* rank, double* work, int n_work)
{
    // by singular values, which tell the rank at least as well as pivots do
    (void)pivot, (void)work, (void)n_work;
    // the singular values are not asked for, but must go somewhere
    double* s = pkm_alloc((size_t)(m < n ? m : n) + 1, sizeof *s);
    if (!s) return NO_MEMORY;
    const int info = pkm_own_dgelsd(m, n, n_rhs, A, lda, B, ldb, s, rcond, rank);
    pkm_free(s);
    return info;
}

/// By singular values: where LAPACK takes a QR factorisation and full rank for granted, a rank that
/// drops gives the shortest solution here.
int pkm_dgels(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb)
{
    int rank;
    return pkm_dgelsy(m, n, n_rhs, A, lda, B, ldb, NULL, DBL_EPSILON * (m + n), &rank, NULL, 0);
}

int pkm_dgeqp3(int m, int n, double* A, int lda, int* pivot, double* tau)
{
    return pkm_own_dgeqp3(m, n, A, lda, pivot, tau);
}

int pkm_dorgqr(int m, int n, int k, double* A, int lda, const double* tau)
{
    return pkm_own_dorgqr(m, n, k, A, lda, tau);
}

// ---- eigenvalues and singular values ------------------------------------------------------------

size_t pkm_dgesvd_room(int m, int n)
{
    return pkm_own_dgesvd_room(m, n);
}

int pkm_dgesvd(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
               int ldu, double* Vt, int ldvt, double* work, size_t n_work)
{
    return pkm_own_dgesvd(job_u, job_vt, m, n, A, lda, s, U, ldu, Vt, ldvt, work, n_work);
}

int pkm_dsyev_with(char job, char uplo, int n, double* A, int lda, double* w, double* work,
                   int n_work)
{
    return pkm_own_dsyev_with(job, uplo, n, A, lda, w, work, n_work);
}

int pkm_dsyev(char job, char uplo, int n, double* A, int lda, double* w)
{
    // + 1: a block of no size would look like no memory
    double* work = pkm_alloc(3 * (size_t)n + 1, sizeof *work);
    if (!work) return NO_MEMORY;
    const int info = pkm_dsyev_with(job, uplo, n, A, lda, w, work, 3 * n);
    pkm_free(work);
    return info;
}

/// All of them, then those that were asked for. `work` holds the values and the scratch of dsyev.
int pkm_dsyevr(char job, char uplo, int n, double* A, int lda, int first, int last, int* found,
               double* w, double* Z, int ldz, int* support, double* work, int n_work, int* iwork,
               int n_iwork)
{
    (void)support, (void)iwork, (void)n_iwork;
    const int info = pkm_dsyev_with(job, uplo, n, A, lda, work, work + n, n_work - n);
    *found = info == 0 ? last - first + 1 : 0;
    for (int k = 0; k < *found; ++k) {
        w[k] = work[first - 1 + k];
        if (job == 'V')
            memcpy(Z + (size_t)k * (size_t)ldz, A + (size_t)(first - 1 + k) * (size_t)lda,
                   (size_t)n * sizeof *Z);
    }
    return info;
}

int pkm_dsygst(char uplo, int n, double* A, int lda, const double* B, int ldb)
{
    return pkm_own_dsygst(uplo, n, A, lda, B, ldb);
}

/// A x = w B x with B = L L' is C y = w y with C = L^-1 A L^-T and x = L^-T y.
int pkm_dsygv(char job, char uplo, int n, double* A, int lda, double* B, int ldb, double* w)
{
    int info = pkm_dpotrf(uplo, n, B, ldb);
    // info beyond n: B is not positive definite, as dsygv tells it
    if (info != 0) return n + info;
    info = pkm_dsygst(uplo, n, A, lda, B, ldb);
    if (info == 0) info = pkm_dsyev(job, uplo, n, A, lda, w);
    if (info != 0 || job != 'V') return info;
    // back to x, all eigenvectors at once
    return pkm_dtrtrs(uplo, uplo == 'L' ? 'T' : 'N', 'N', n, n, B, ldb, A, lda);
}

int pkm_dgeev(int n, double* A, int lda, double* re, double* im, double* work, int n_work)
{
    (void)work, (void)n_work;
    return pkm_own_dgeev(n, A, lda, re, im);
}

int pkm_zggev(int n, double complex* A, int lda, double complex* B, int ldb, double complex* alpha,
              double complex* beta, double complex* work, int n_work, double* real_work)
{
    (void)work, (void)n_work, (void)real_work;
    return pkm_own_zggev(n, A, lda, B, ldb, alpha, beta);
}
