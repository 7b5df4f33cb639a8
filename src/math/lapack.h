/// Dense linear algebra: the functions of BLAS and LAPACK that pkm needs, under their names.
///
/// Matrices are column-major with a leading dimension; transposes are 'N' or 'T', triangles 'L' or
/// 'U', as LAPACK has them. This is the only door to LAPACK: natively it calls the system's
/// library; built without one (PKM_LAPACK off) the same calls are served by own_lapack.h. A status
/// of 0 is success, > 0 what LAPACK says of the matrix, < 0 an argument or memory.
#ifndef PKM_MATH_LAPACK_H
#define PKM_MATH_LAPACK_H

#include "pkm/status.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/// What a nonzero answer means to a caller: PKM_ERR_MEMORY, or `otherwise`; PKM_OK for 0.
pkm_status pkm_lapack_status(int info, pkm_status otherwise);
/// Between begin and end OpenBLAS keeps to one thread: a run repeats bit for bit, and matrices are
/// small. Pairs nest, and those of several threads overlap: the first begin notes how many threads
/// there were, the last end gives them back. The number is one of the whole process.
void pkm_lapack_begin(void);
void pkm_lapack_end(void);

// ---- vectors and products -----------------------------------------------------------------------

void pkm_daxpy(int n, double a, const double* x, int inc_x, double* y, int inc_y); ///< y += a x
double pkm_ddot(int n, const double* x, int inc_x, const double* y, int inc_y);
void pkm_dscal(int n, double a, double* x, int inc_x);
void pkm_dcopy(int n, const double* x, int inc_x, double* y, int inc_y);
void pkm_dswap(int n, double* x, int inc_x, double* y, int inc_y);
/// A += a x y', m x n.
void pkm_dger(int m, int n, double a, const double* x, int inc_x, const double* y, int inc_y,
              double* A, int lda);
/// y = a op(A) x + b y, A m x n.
void pkm_dgemv(char trans, int m, int n, double a, const double* A, int lda, const double* x,
               int inc_x, double b, double* y, int inc_y);
/// y = a A x + b y, of the symmetric A only the triangle `uplo` is read.
void pkm_dsymv(char uplo, int n, double a, const double* A, int lda, const double* x, int inc_x,
               double b, double* y, int inc_y);
/// C = a op(A) op(B) + b C, C m x n, inner size k.
void pkm_dgemm(char trans_a, char trans_b, int m, int n, int k, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc);
/// C = a A B + b C (side 'L') or a B A + b C ('R'), A symmetric.
void pkm_dsymm(char side, char uplo, int m, int n, double a, const double* A, int lda,
               const double* B, int ldb, double b, double* C, int ldc);

// ---- systems ------------------------------------------------------------------------------------

int pkm_dgetrf(int m, int n, double* A, int lda, int* pivot); ///< P A = L U; > 0: singular
int pkm_dgetrs(char trans, int n, int n_rhs, const double* LU, int lda, const int* pivot, double* B,
               int ldb);
int pkm_dgesv(int n, int n_rhs, double* A, int lda, int* pivot, double* B, int ldb);
int pkm_zgesv(int n, int n_rhs, double complex* A, int lda, int* pivot, double complex* B, int ldb);
double pkm_dnorm1(int n, const double* A, int lda); ///< largest sum of magnitudes of a column
/// Reciprocal condition number in the 1-norm from the factors and the norm of A. Allocates.
int pkm_dgecon(int n, const double* LU, int lda, double norm, double* rcond);

int pkm_dpotrf(char uplo, int n, double* A, int lda); ///< > 0: not positive definite
int pkm_dpotrs(char uplo, int n, int n_rhs, const double* A, int lda, double* B, int ldb);
int pkm_dpotri(char uplo, int n, double* A, int lda); ///< the inverse from the factor
int pkm_dposv(char uplo, int n, int n_rhs, double* A, int lda, double* B, int ldb);
/// Solve with a positive definite band of `band` diagonals below the main one, 'L' storage.
int pkm_dpbsv(int n, int band, int n_rhs, double* AB, int ldab, double* B, int ldb);
int pkm_dtrtrs(char uplo, char trans, char diag, int n, int n_rhs, const double* A, int lda,
               double* B, int ldb);

/// Least squares and least norm of a full-rank A, m x n; B has max(m, n) rows. Allocates.
int pkm_dgels(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb);
/// The same for any rank: singular values up to rcond times the largest count as zero. Allocates.
int pkm_dgelsd(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, double* s,
               double rcond, int* rank);
/// The same by a complete orthogonal factorisation; `work` has n_work numbers, see the room.
int pkm_dgelsy(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, int* pivot,
               double rcond, int* rank, double* work, int n_work);

/// A P = Q R with column pivoting; pivots from 1, zeroed on entry. Allocates.
int pkm_dgeqp3(int m, int n, double* A, int lda, int* pivot, double* tau);
/// The first n columns of Q from k reflections. Allocates.
int pkm_dorgqr(int m, int n, int k, double* A, int lda, const double* tau);

// ---- eigenvalues and singular values ------------------------------------------------------------

/// Numbers of work memory of pkm_dgesvd.
size_t pkm_dgesvd_room(int m, int n);
/// A = U diag(s) V'; jobs 'A' or 'N'; A is destroyed.
int pkm_dgesvd(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
               int ldu, double* Vt, int ldvt, double* work, size_t n_work);

/// The same with work memory of its own.
int pkm_dgesvd_new(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
                   int ldu, double* Vt, int ldvt);

/// All eigenvalues, rising; with 'V' the vectors replace A. Allocates.
int pkm_dsyev(char job, char uplo, int n, double* A, int lda, double* w);
/// The same with work memory: n_work >= 3 n.
int pkm_dsyev_with(char job, char uplo, int n, double* A, int lda, double* w, double* work,
                   int n_work);
/// Eigenvalues number `first` to `last` (from 1, rising) with the vectors Z when job is 'V'.
/// Work memory: 26 n numbers, 10 n integers; `support` 2 n.
int pkm_dsyevr(char job, char uplo, int n, double* A, int lda, int first, int last, int* found,
               double* w, double* Z, int ldz, int* support, double* work, int n_work, int* iwork,
               int n_iwork);
/// A x = w B x with B positive definite; vectors replace A. Allocates.
int pkm_dsygv(char job, char uplo, int n, double* A, int lda, double* B, int ldb, double* w);
/// A := L^-1 A L^-T in the lower triangle, from the lower factor L of B.
int pkm_dsygst(char uplo, int n, double* A, int lda, const double* B, int ldb);

/// Eigenvalues of a general matrix. Work memory as dgeev asks: at least 4 n.
int pkm_dgeev(int n, double* A, int lda, double* re, double* im, double* work, int n_work);
/// alpha / beta: eigenvalues of A x = w B x. Work memory: 8 n complex, 8 n real.
int pkm_zggev(int n, double complex* A, int lda, double complex* B, int ldb, double complex* alpha,
              double complex* beta, double complex* work, int n_work, double* real_work);

#endif
