/// Symmetric matrices that are nearly all zeros: of each row only what lies between its first entry
/// and the diagonal is stored. A Cholesky factor has the same outline, so a chain of n nodes is
/// factored with work in proportion to n, whatever its ends are tied to.
#ifndef PKM_MATH_SKYLINE_H
#define PKM_MATH_SKYLINE_H

#include "pkm/status.h"

#include <stdbool.h>

typedef struct pkm_skyline {
    int n;
    int* first;   ///< column of the first entry of row i
    double** row; ///< row[i][j] is entry (i, j) for first[i] <= j <= i
    double* entry;
} pkm_skyline;

/// The rows and columns of the symmetric A from `from` to below `to`; A is column-major with the
/// leading dimension lda, both triangles set. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_skyline_create(const double* A, int lda, int from, int to,
                                            pkm_skyline* out);
void pkm_skyline_free(pkm_skyline* A);

/// Y = A X with m columns of n numbers, ldx and ldy apart.
void pkm_skyline_product(const pkm_skyline* A, int m, const double* X, int ldx, double* Y, int ldy);

/// A := L with L L' = A. False when a pivot is not above `least` times its diagonal entry.
PKM_NODISCARD bool pkm_skyline_factor(pkm_skyline* A, double least);
/// X := (L L')^-1 X, m columns ldx apart.
void pkm_skyline_solve(const pkm_skyline* L, int m, double* X, int ldx);

#endif
