/// LU factors of the small matrices of closed forms (n_drive x n_drive), on the stack.
#ifndef PKM_CLOSED_SMALL_H
#define PKM_CLOSED_SMALL_H

#include "closed/closed.h"

/// P M Q = L U with complete pivoting, which also tells the rank: pivots fall in size.
typedef struct pkm_small_lu {
    int n;
    int row[PKM_CLOSED_MAX_DRIVE], col[PKM_CLOSED_MAX_DRIVE]; ///< pivot order
    double lu[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];   ///< column-major, leading dim n
} pkm_small_lu;

/// Factor the n x n column-major matrix `m`. Returns the smallest pivot's size; when it is 0 (or
/// NaN) the factors cannot be used to solve.
double pkm_small_factor(pkm_small_lu* f, int n, const double* m);
/// x with M x = b; `x` may be `b`.
void pkm_small_solve(const pkm_small_lu* f, const double* b, double* x);
/// y = M x for an n x n column-major `m`; `y` is not `x`.
void pkm_small_multiply(int n, const double* m, const double* x, double* y);

#endif
