// lapack.h served by the system's LAPACK and BLAS.
#include "base/memory.h"
#include "math/lapack.h"

#include <cblas.h>
#include <math.h>
#include <stdatomic.h>

// The Fortran functions, as every LAPACK exports them. Lengths of the text arguments, which some
// compilers pass behind the others, are not read for single letters.
typedef double complex zcomplex;
extern void daxpy_(const int*, const double*, const double*, const int*, double*, const int*);
extern double ddot_(const int*, const double*, const int*, const double*, const int*);
extern void dscal_(const int*, const double*, double*, const int*);
extern void dcopy_(const int*, const double*, const int*, double*, const int*);
extern void dswap_(const int*, double*, const int*, double*, const int*);
extern void dger_(const int*, const int*, const double*, const double*, const int*, const double*,
                  const int*, double*, const int*);
extern void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*,
                   const double*, const int*, const double*, double*, const int*);
extern void dsymv_(const char*, const int*, const double*, const double*, const int*, const double*,
                   const int*, const double*, double*, const int*);
extern void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
                   const double*, const int*, const double*, const int*, const double*, double*,
                   const int*);
extern void dsymm_(const char*, const char*, const int*, const int*, const double*, const double*,
                   const int*, const double*, const int*, const double*, double*, const int*);
extern void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
extern void dgetrs_(const char*, const int*, const int*, const double*, const int*, const int*,
                    double*, const int*, int*);
extern void zgesv_(const int*, const int*, zcomplex*, const int*, int*, zcomplex*, const int*,
                   int*);
extern void dgecon_(const char*, const int*, const double*, const int*, const double*, double*,
                    double*, int*, int*);
extern void dpotrf_(const char*, const int*, double*, const int*, int*);
extern void dpotrs_(const char*, const int*, const int*, const double*, const int*, double*,
                    const int*, int*);
extern void dpotri_(const char*, const int*, double*, const int*, int*);
extern void dpbsv_(const char*, const int*, const int*, const int*, double*, const int*, double*,
                   const int*, int*);
extern void dtrtrs_(const char*, const char*, const char*, const int*, const int*, const double*,
                    const int*, double*, const int*, int*);
extern void dgels_(const char*, const int*, const int*, const int*, double*, const int*, double*,
                   const int*, double*, const int*, int*);
extern void dgelsd_(const int*, const int*, const int*, double*, const int*, double*, const int*,
                    double*, const double*, int*, double*, const int*, int*, int*);
extern void dgelsy_(const int*, const int*, const int*, double*, const int*, double*, const int*,
                    int*, const double*, int*, double*, const int*, int*);
extern void dgeqp3_(const int*, const int*, double*, const int*, int*, double*, double*, const int*,
                    int*);
extern void dorgqr_(const int*, const int*, const int*, double*, const int*, const double*, double*,
                    const int*, int*);
extern void dgesvd_(const char*, const char*, const int*, const int*, double*, const int*, double*,
                    double*, const int*, double*, const int*, double*, const int*, int*);
extern void dsyev_(const char*, const char*, const int*, double*, const int*, double*, double*,
                   const int*, int*);
extern void dsyevr_(const char*, const char*, const char*, const int*, double*, const int*,
                    const double*, const double*, const int*, const int*, const double*, int*,
                    double*, double*, const int*, int*, double*, const int*, int*, const int*,
                    int*);
extern void dsygv_(const int*, const char*, const char*, const int*, double*, const int*, double*,
                   const int*, double*, double*, const int*, int*);
extern void dsygst_(const int*, const char*, const int*, double*, const int*, const double*,
                    const int*, int*);
extern void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*,
                   double*, const int*, double*, const int*, double*, const int*, int*);
extern void zggev_(const char*, const char*, const int*, zcomplex*, const int*, zcomplex*,
                   const int*, zcomplex*, zcomplex*, zcomplex*, const int*, zcomplex*, const int*,
                   zcomplex*, const int*, double*, int*);

// LAPACKE's own code for memory that is out; LAPACK itself allocates nothing.
enum { NO_MEMORY = -1010 };
static const int ONE = 1;

// ---- threads ------------------------------------------------------------------------------------

/// Of the whole process, as OpenBLAS's own number is; both are read and written under `turn`.
static atomic_flag turn = ATOMIC_FLAG_INIT;
static int n_begun, n_thread_before;

static void take_turn(void)
{
    // held for a few instructions
    while (atomic_flag_test_and_set_explicit(&turn, memory_order_acquire))
        continue;
}

static void give_turn(void)
{
    atomic_flag_clear_explicit(&turn, memory_order_release);
}

void pkm_lapack_begin(void)
{
    take_turn();
    if (n_begun++ == 0) {
        n_thread_before = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    give_turn();
}

void pkm_lapack_end(void)
{
    take_turn();
    if (--n_begun == 0) openblas_set_num_threads(n_thread_before);
    give_turn();
}

/// Work memory for a function that allocates; NULL: memory is out.
static double* work_of(double asked, int* n)
{
    *n = (int)asked;
    return pkm_alloc((size_t)*n + 1, sizeof(double));
}

/// Some functions do not end on a NaN.
static bool is_finite(int m, int n, const double* A, int lda)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            if (!isfinite(A[i + (size_t)j * (size_t)lda])) return false;
    return true;
}

// ---- vectors and products -----------------------------------------------------------------------

void pkm_daxpy(int n, double a, const double* x, int inc_x, double* y, int inc_y)
{
    daxpy_(&n, &a, x, &inc_x, y, &inc_y);
}

double pkm_ddot(int n, const double* x, int inc_x, const double* y, int inc_y)
{
    return ddot_(&n, x, &inc_x, y, &inc_y);
}

void pkm_dscal(int n, double a, double* x, int inc_x)
{
    dscal_(&n, &a, x, &inc_x);
}

void pkm_dcopy(int n, const double* x, int inc_x, double* y, int inc_y)
{
    dcopy_(&n, x, &inc_x, y, &inc_y);
}

void pkm_dswap(int n, double* x, int inc_x, double* y, int inc_y)
{
    dswap_(&n, x, &inc_x, y, &inc_y);
}

void pkm_dger(int m, int n, double a, const double* x, int inc_x, const double* y, int inc_y,
              double* A, int lda)
{
    dger_(&m, &n, &a, x, &inc_x, y, &inc_y, A, &lda);
}

void pkm_dgemv(char trans, int m, int n, double a, const double* A, int lda, const double* x,
               int inc_x, double b, double* y, int inc_y)
{
    dgemv_(&trans, &m, &n, &a, A, &lda, x, &inc_x, &b, y, &inc_y);
}

void pkm_dsymv(char uplo, int n, double a, const double* A, int lda, const double* x, int inc_x,
               double b, double* y, int inc_y)
{
    dsymv_(&uplo, &n, &a, A, &lda, x, &inc_x, &b, y, &inc_y);
}

void pkm_dgemm(char trans_a, char trans_b, int m, int n, int k, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc)
{
    dgemm_(&trans_a, &trans_b, &m, &n, &k, &a, A, &lda, B, &ldb, &b, C, &ldc);
}

void pkm_dsymm(char side, char uplo, int m, int n, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc)
{
    dsymm_(&side, &uplo, &m, &n, &a, A, &lda, B, &ldb, &b, C, &ldc);
}

// ---- systems ------------------------------------------------------------------------------------

int pkm_dgetrf(int m, int n, double* A, int lda, int* pivot)
{
    int info;
    dgetrf_(&m, &n, A, &lda, pivot, &info);
    return info;
}

int pkm_dgetrs(char trans, int n, int n_rhs, const double* LU, int lda, const int* pivot, double* B,
               int ldb)
{
    int info;
    dgetrs_(&trans, &n, &n_rhs, LU, &lda, pivot, B, &ldb, &info);
    return info;
}

int pkm_zgesv(int n, int n_rhs, double complex* A, int lda, int* pivot, double complex* B, int ldb)
{
    int info;
    zgesv_(&n, &n_rhs, A, &lda, pivot, B, &ldb, &info);
    return info;
}

/// Hager's estimate of |A^-1|, work 4 n numbers and n integers.
int pkm_dgecon(int n, const double* LU, int lda, double norm, double* rcond)
{
    int info = NO_MEMORY;
    double* work = pkm_alloc(4 * (size_t)n + 1, sizeof *work);
    int* integers = pkm_alloc((size_t)n + 1, sizeof *integers);
    *rcond = 0.0;
    if (work && integers) dgecon_("1", &n, LU, &lda, &norm, rcond, work, integers, &info);
    pkm_free(work);
    pkm_free(integers);
    return info;
}

int pkm_dpotrf(char uplo, int n, double* A, int lda)
{
    int info;
    dpotrf_(&uplo, &n, A, &lda, &info);
    return info;
}

int pkm_dpotrs(char uplo, int n, int n_rhs, const double* A, int lda, double* B, int ldb)
{
    int info;
    dpotrs_(&uplo, &n, &n_rhs, A, &lda, B, &ldb, &info);
    return info;
}

int pkm_dpotri(char uplo, int n, double* A, int lda)
{
    int info;
    dpotri_(&uplo, &n, A, &lda, &info);
    return info;
}

/// The lower band of A in `band` + 1 rows; work n band^2.
int pkm_dpbsv(int n, int band, int n_rhs, double* AB, int ldab, double* B, int ldb)
{
    int info;
    dpbsv_("L", &n, &band, &n_rhs, AB, &ldab, B, &ldb, &info);
    return info;
}

int pkm_dtrtrs(char uplo, char trans, char diag, int n, int n_rhs, const double* A, int lda,
               double* B, int ldb)
{
    int info;
    dtrtrs_(&uplo, &trans, &diag, &n, &n_rhs, A, &lda, B, &ldb, &info);
    return info;
}

int pkm_dgels(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb)
{
    // n_work = -1 asks LAPACK for the room it likes best, which depends on its block sizes
    int info, n_work = -1;
    double asked;
    if (!is_finite(m, n, A, lda)) return -6;
    dgels_("N", &m, &n, &n_rhs, A, &lda, B, &ldb, &asked, &n_work, &info);
    double* work = work_of(asked, &n_work);
    if (!work) return NO_MEMORY;
    dgels_("N", &m, &n, &n_rhs, A, &lda, B, &ldb, work, &n_work, &info);
    pkm_free(work);
    return info;
}

int pkm_dgelsd(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, double* s,
               double rcond, int* rank)
{
    // asked for as in pkm_dgels
    int info, n_work = -1, n_integer;
    double asked;
    if (!is_finite(m, n, A, lda)) return -5;
    dgelsd_(&m, &n, &n_rhs, A, &lda, B, &ldb, s, &rcond, rank, &asked, &n_work, &n_integer, &info);
    double* work = work_of(asked, &n_work);
    int* integers = pkm_alloc((size_t)n_integer + 1, sizeof *integers);
    info = NO_MEMORY;
    if (work && integers)
        dgelsd_(&m, &n, &n_rhs, A, &lda, B, &ldb, s, &rcond, rank, work, &n_work, integers, &info);
    pkm_free(work);
    pkm_free(integers);
    return info;
}

int pkm_dgelsy(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, int* pivot,
               double rcond, int* rank, double* work, int n_work)
{
    int info;
    dgelsy_(&m, &n, &n_rhs, A, &lda, B, &ldb, pivot, &rcond, rank, work, &n_work, &info);
    return info;
}

int pkm_dgeqp3(int m, int n, double* A, int lda, int* pivot, double* tau)
{
    int info, n_work = -1;
    double asked;
    dgeqp3_(&m, &n, A, &lda, pivot, tau, &asked, &n_work, &info);
    double* work = work_of(asked, &n_work);
    if (!work) return NO_MEMORY;
    dgeqp3_(&m, &n, A, &lda, pivot, tau, work, &n_work, &info);
    pkm_free(work);
    return info;
}

int pkm_dorgqr(int m, int n, int k, double* A, int lda, const double* tau)
{
    int info, n_work = -1;
    double asked;
    dorgqr_(&m, &n, &k, A, &lda, tau, &asked, &n_work, &info);
    double* work = work_of(asked, &n_work);
    if (!work) return NO_MEMORY;
    dorgqr_(&m, &n, &k, A, &lda, tau, work, &n_work, &info);
    pkm_free(work);
    return info;
}

// ---- eigenvalues and singular values ------------------------------------------------------------

size_t pkm_dgesvd_room(int m, int n)
{
    // the least that dgesvd accepts: max(3 min + max, 5 min)
    const int least = m < n ? m : n, most = m < n ? n : m;
    const int a = 3 * least + most, b = 5 * least;
    return (size_t)(a > b ? a : b) + 1;
}

/// The iteration of dgesvd may run on without end on a NaN, so it is looked for first.
int pkm_dgesvd(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
               int ldu, double* Vt, int ldvt, double* work, size_t n_work)
{
    int info;
    const int room = (int)n_work;
    if (!is_finite(m, n, A, lda)) return -5;
    dgesvd_(&job_u, &job_vt, &m, &n, A, &lda, s, U, &ldu, Vt, &ldvt, work, &room, &info);
    return info;
}

int pkm_dsyev(char job, char uplo, int n, double* A, int lda, double* w)
{
    int info, n_work = -1;
    double asked;
    if (!is_finite(n, n, A, lda)) return -4;
    dsyev_(&job, &uplo, &n, A, &lda, w, &asked, &n_work, &info);
    double* work = work_of(asked, &n_work);
    if (!work) return NO_MEMORY;
    dsyev_(&job, &uplo, &n, A, &lda, w, work, &n_work, &info);
    pkm_free(work);
    return info;
}

int pkm_dsyev_with(char job, char uplo, int n, double* A, int lda, double* w, double* work,
                   int n_work)
{
    int info;
    dsyev_(&job, &uplo, &n, A, &lda, w, work, &n_work, &info);
    return info;
}

/// "I": eigenvalues by their numbers, from `first` to `last`, 1 is the lowest; bounds by value are
/// not read. Abstol 0 means LAPACK's default.
int pkm_dsyevr(char job, char uplo, int n, double* A, int lda, int first, int last, int* found,
               double* w, double* Z, int ldz, int* support, double* work, int n_work, int* iwork,
               int n_iwork)
{
    int info;
    const double nothing = 0.0;
    dsyevr_(&job, "I", &uplo, &n, A, &lda, &nothing, &nothing, &first, &last, &nothing, found, w, Z,
            &ldz, support, work, &n_work, iwork, &n_iwork, &info);
    return info;
}

int pkm_dsygv(char job, char uplo, int n, double* A, int lda, double* B, int ldb, double* w)
{
    int info, n_work = -1;
    double asked;
    if (!is_finite(n, n, A, lda) || !is_finite(n, n, B, ldb)) return -5;
    dsygv_(&ONE, &job, &uplo, &n, A, &lda, B, &ldb, w, &asked, &n_work, &info);
    double* work = work_of(asked, &n_work);
    if (!work) return NO_MEMORY;
    dsygv_(&ONE, &job, &uplo, &n, A, &lda, B, &ldb, w, work, &n_work, &info);
    pkm_free(work);
    return info;
}

/// Type 1: A := L^-1 A L^-T with B = L L', or U^-T A U^-1.
int pkm_dsygst(char uplo, int n, double* A, int lda, const double* B, int ldb)
{
    int info;
    dsygst_(&ONE, &uplo, &n, A, &lda, B, &ldb, &info);
    return info;
}

int pkm_dgeev(int n, double* A, int lda, double* re, double* im, double* work, int n_work)
{
    int info;
    dgeev_("N", "N", &n, A, &lda, re, im, NULL, &ONE, NULL, &ONE, work, &n_work, &info);
    return info;
}

int pkm_zggev(int n, double complex* A, int lda, double complex* B, int ldb, double complex* alpha,
              double complex* beta, double complex* work, int n_work, double* real_work)
{
    int info;
    zggev_("N", "N", &n, A, &lda, B, &ldb, alpha, beta, NULL, &ONE, NULL, &ONE, work, &n_work,
           real_work, &info);
    return info;
}
