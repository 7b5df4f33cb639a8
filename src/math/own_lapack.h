/// Dense linear algebra in plain C17, for places without LAPACK: the meaning of each function is
/// that of its namesake in lapack.h. Errors are those of the backward-stable textbook methods
/// (Golub and Van Loan, Matrix Computations); speed is that of simple loops.
#ifndef PKM_MATH_OWN_LAPACK_H
#define PKM_MATH_OWN_LAPACK_H

#include <complex.h>
#include <stddef.h>

// ---- own_blas.c
void pkm_own_dgemv(char trans, int m, int n, double a, const double* A, int lda, const double* x,
                   int inc_x, double b, double* y, int inc_y);
void pkm_own_dsymv(char uplo, int n, double a, const double* A, int lda, const double* x, int inc_x,
                   double b, double* y, int inc_y);
void pkm_own_dgemm(char trans_a, char trans_b, int m, int n, int k, double a, const double* A,
                   int lda, const double* B, int ldb, double b, double* C, int ldc);
void pkm_own_dsymm(char side, char uplo, int m, int n, double a, const double* A, int lda,
                   const double* B, int ldb, double b, double* C, int ldc);

// ---- own_systems.c
int pkm_own_dgetrf(int m, int n, double* A, int lda, int* pivot);
int pkm_own_dgetrs(char trans, int n, int n_rhs, const double* LU, int lda, const int* pivot,
                   double* B, int ldb);
int pkm_own_zgesv(int n, int n_rhs, double complex* A, int lda, int* pivot, double complex* B,
                  int ldb);
int pkm_own_dgecon(int n, const double* LU, int lda, double norm, double* rcond);
int pkm_own_dpotrf(char uplo, int n, double* A, int lda);
int pkm_own_dpotri(char uplo, int n, double* A, int lda);
int pkm_own_dpbsv(int n, int band, int n_rhs, double* AB, int ldab, double* B, int ldb);
int pkm_own_dtrtrs(char uplo, char trans, char diag, int n, int n_rhs, const double* A, int lda,
                   double* B, int ldb);
int pkm_own_dsygst(char uplo, int n, double* A, int lda, const double* B, int ldb);
int pkm_own_dgeqp3(int m, int n, double* A, int lda, int* pivot, double* tau);
int pkm_own_dorgqr(int m, int n, int k, double* A, int lda, const double* tau);

// ---- own_singular.c
size_t pkm_own_dgesvd_room(int m, int n);
int pkm_own_dgesvd(char job_u, char job_vt, int m, int n, double* A, int lda, double* s, double* U,
                   int ldu, double* Vt, int ldvt, double* work, size_t n_work);
int pkm_own_dgelsd(int m, int n, int n_rhs, double* A, int lda, double* B, int ldb, double* s,
                   double rcond, int* rank);

// ---- own_eigen.c
int pkm_own_dsyev_with(char job, char uplo, int n, double* A, int lda, double* w, double* work,
                       int n_work);
/// Eigenvalues of a general complex matrix, which is destroyed.
int pkm_own_zeigenvalues(int n, double complex* A, int lda, double complex* w);
int pkm_own_dgeev(int n, double* A, int lda, double* re, double* im);
int pkm_own_zggev(int n, double complex* A, int lda, double complex* B, int ldb,
                  double complex* alpha, double complex* beta);

#endif
