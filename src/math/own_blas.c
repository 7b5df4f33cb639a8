// Products of dense matrices for places without a BLAS (math/own_lapack.h).
#include "math/own_lapack.h"

#include <stdbool.h>

/// y := b y; b = 0 sets, so that y may be anything before, a NaN too.
static void scale(int n, double b, double* y, int inc)
{
    for (int i = 0; i < n; ++i)
        y[(ptrdiff_t)i * inc] = b == 0.0 ? 0.0 : b * y[(ptrdiff_t)i * inc];
}

/// y := a A x + b y by sums of columns, a A' x + b y by products with columns: both run down A.
void pkm_own_dgemv(char trans, int m, int n, double a, const double* A, int lda, const double* x,
                   int inc_x, double b, double* y, int inc_y)
{
    scale(trans == 'N' ? m : n, b, y, inc_y);
    for (int j = 0; j < n; ++j) {
        const double* column = A + (size_t)j * (size_t)lda;
        if (trans == 'N') {
            const double factor = a * x[(ptrdiff_t)j * inc_x];
            for (int i = 0; i < m; ++i)
                y[(ptrdiff_t)i * inc_y] += factor * column[i];
        } else {
            double sum = 0.0;
            for (int i = 0; i < m; ++i)
                sum += column[i] * x[(ptrdiff_t)i * inc_x];
            y[(ptrdiff_t)j * inc_y] += a * sum;
        }
    }
}

/// Entry (i, j) of a symmetric matrix of which one triangle is stored.
static double symmetric(char uplo, const double* A, int lda, int i, int j)
{
    const bool is_stored = uplo == 'L' ? i >= j : i <= j;
    return is_stored ? A[i + (size_t)j * (size_t)lda] : A[j + (size_t)i * (size_t)lda];
}

void pkm_own_dsymv(char uplo, int n, double a, const double* A, int lda, const double* x, int inc_x,
                   double b, double* y, int inc_y)
{
    scale(n, b, y, inc_y);
    for (int j = 0; j < n; ++j) {
        const double factor = a * x[(ptrdiff_t)j * inc_x];
        for (int i = 0; i < n; ++i)
            y[(ptrdiff_t)i * inc_y] += factor * symmetric(uplo, A, lda, i, j);
    }
}

/// Column j of C is op(A) times column j of op(B), which is row j of B when that is transposed.
void pkm_own_dgemm(char trans_a, char trans_b, int m, int n, int k, double a, const double* A,
                   int lda, const double* B, int ldb, double b, double* C, int ldc)
{
    const int rows = trans_a == 'N' ? m : k, columns = trans_a == 'N' ? k : m;
    for (int j = 0; j < n; ++j) {
        const double* x = trans_b == 'N' ? B + (size_t)j * (size_t)ldb : B + j;
        pkm_own_dgemv(trans_a, rows, columns, a, A, lda, x, trans_b == 'N' ? 1 : ldb, b,
                      C + (size_t)j * (size_t)ldc, 1);
    }
}

void pkm_own_dsymm(char side, char uplo, int m, int n, double a, const double* A, int lda,
                   const double* B, int ldb, double b, double* C, int ldc)
{
    for (int j = 0; side == 'L' && j < n; ++j)
        pkm_own_dsymv(uplo, m, a, A, lda, B + (size_t)j * (size_t)ldb, 1, b,
                      C + (size_t)j * (size_t)ldc, 1);
    for (int i = 0; side == 'R' && i < m; ++i) // rows of B A are A times the rows of B
        pkm_own_dsymv(uplo, n, a, A, lda, B + i, ldb, b, C + i, ldc);
}
