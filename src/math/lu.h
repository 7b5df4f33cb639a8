/// P A = L U with row pivots, for matrices of a few dozen rows that stand row by row. Zeros below a
/// pivot cost nothing: where places couple with few others, most of the elimination falls away.
#ifndef PKM_MATH_LU_H
#define PKM_MATH_LU_H

#include <stdbool.h>

/// In place, A [n x n] by rows; `pivot` [n] is the row that came to each place. False: a column
/// without a pivot, or no number.
bool pkm_lu_factor(double* A, int n, int* pivot);

/// x [n] <- A^-1 x
void pkm_lu_solve(const double* A, int n, const int* pivot, double* x);

#endif
