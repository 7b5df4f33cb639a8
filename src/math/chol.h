/// Cholesky factors A = U' U of symmetric matrices whose columns begin below the first row: those
/// of limbs, whose modes are orthonormal, and of constraints that share few bodies.
///
/// Upper parts, rows with a stride of whole fours (pkm_chol_stride), so that sums run four
/// numbers at a time without an end of their own; what stands in the lower part and beyond the last
/// column means nothing, and is finite where it was. A row ends where it can have no entry: work is
/// in proportion to the rows where each reaches equally far, as along a chain.
#ifndef PKM_MATH_CHOL_H
#define PKM_MATH_CHOL_H

#include <stdbool.h>
#include <stddef.h>

enum { PKM_CHOL_WIDTH = 4 };

static inline int pkm_chol_stride(int n)
{
    return (n + PKM_CHOL_WIDTH - 1) / PKM_CHOL_WIDTH * PKM_CHOL_WIDTH;
}

/// Where the whole four begins that has column i.
static inline int pkm_chol_whole(int i)
{
    return i / PKM_CHOL_WIDTH * PKM_CHOL_WIDTH;
}

/// Which entries may differ from zero: column i from row first[i] on, where first[i] = i in the
/// `diagonal` first ones, and row k up to column last[k] (NULL: the last of all). Behind that the
/// upper part is zero.
typedef struct pkm_chol_shape {
    const int *first, *last;
    int diagonal;
} pkm_chol_shape;

/// How many columns begin at their diagonal before the first that does not.
int pkm_chol_count_diagonal(const int* first, int n);

/// How far rows reach when the factor has filled in what lies between these columns.
void pkm_chol_find_last(const int* first, int n, int* last);

/// Zero in all that a factor reads and changes.
void pkm_chol_clear(pkm_chol_shape shape, int n, double* U);

/// Multiplications of a factor and of a solution with it; any number from `enough` on, where they
/// are not fewer.
double pkm_chol_cost(pkm_chol_shape shape, int n, double enough);

/// y += factor x, `n` numbers in whole fours.
void pkm_chol_add(double* restrict y, const double* restrict x, double factor, int n);

/// U' U = A in place; `diagonal` [n] is work. False: a pivot is at most `least` times the diagonal
/// of A, or no number.
bool pkm_chol_factor(pkm_chol_shape shape, int n, double least, double* U, double* diagonal);

/// x [n] <- U'^-1 x
void pkm_chol_solve_lower(pkm_chol_shape shape, int n, const double* U, double* x);

/// X <- U'^-1 X: `width` right hand sides side by side, in rows of their stride.
void pkm_chol_solve_lower_many(pkm_chol_shape shape, int n, const double* U, int width, double* X);

/// x [n] <- U^-1 x
void pkm_chol_solve_upper(pkm_chol_shape shape, int n, const double* U, double* x);

/// T += Z' Z, upper part: Z has `n` rows of `width` numbers in their stride, T as many rows as the
/// stride has numbers.
void pkm_chol_add_square(const double* Z, int n, int width, double* T);

#endif
