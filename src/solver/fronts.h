/// Cholesky factors U'U = S of sparse symmetric matrices that are sums of small dense parts, where
/// each row lies in one or two parts: constraints, of which each joins two bodies
/// (docs/theory/flexible.md, section 4, Fronts).
///
/// Rows of the same parts are eliminated together, in a dense matrix of their own, their front:
/// they and the rows that are left in these parts. What is left over merges the two parts into one.
/// Those go next that leave the smallest part, so that chains, loops of chains, and limbs that meet
/// cost in proportion to their length, in time and in memory.
#ifndef PKM_SOLVER_FRONTS_H
#define PKM_SOLVER_FRONTS_H

#include "base/memory.h"
#include "pkm/status.h"

#include <stdbool.h>

typedef struct pkm_fronts pkm_fronts;

/// The rows of a part.
typedef struct pkm_fronts_part {
    int n;
    const int* row; ///< [n] ascending
} pkm_fronts_part;

/// Order and layout for a matrix of n rows; a row stands in two parts at most. All of it is in the
/// arena.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_fronts_create(pkm_arena* arena, int n, int n_part,
                                           const pkm_fronts_part* part, pkm_fronts** out);

/// Multiplications of a factor and of a solution with it.
double pkm_fronts_cost(const pkm_fronts* fronts);

/// S <- 0
void pkm_fronts_clear(pkm_fronts* fronts);
/// S += the upper part of T, whose rows and columns are those of a part, of the stride
/// pkm_chol_stride(its n).
void pkm_fronts_add(pkm_fronts* fronts, int part, const double* T);

/// False: a pivot is at most `least` times the diagonal of S, or no number. S is gone then.
bool pkm_fronts_factor(pkm_fronts* fronts, double least);

/// x [n] <- U'^-1 x, rows in the places that they have in S.
void pkm_fronts_solve_lower(const pkm_fronts* fronts, double* x);
/// X <- U'^-1 X: `width` right hand sides side by side, in rows of their stride.
void pkm_fronts_solve_lower_many(const pkm_fronts* fronts, int width, double* X);
/// x [n] <- U^-1 x
void pkm_fronts_solve_upper(const pkm_fronts* fronts, double* x);

#endif
