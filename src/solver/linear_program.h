/// Linear programs: the largest c . x over a polytope, by the simplex method (GLPK).
#ifndef PKM_SOLVER_LINEAR_PROGRAM_H
#define PKM_SOLVER_LINEAR_PROGRAM_H

#include "pkm/status.h"

typedef struct pkm_lp pkm_lp;

/// A program in `n` >= 1 variables, each within [-1, 1] until pkm_lp_bound says otherwise.
/// @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_lp_create(int n, pkm_lp** out);
void pkm_lp_free(pkm_lp* lp);

/// low <= x_j <= high; equal bounds fix the variable.
void pkm_lp_bound(pkm_lp* lp, int j, double low, double high);

/// Add the row a . x <= high, or a . x = high.
void pkm_lp_add_below(pkm_lp* lp, const double* a, double high);
void pkm_lp_add_equal(pkm_lp* lp, const double* a, double value);

/// The largest c . x, with x [n]. Starts from the basis of the solve before.
/// @return PKM_ERR_CONVERGENCE when there is no point that satisfies all rows.
PKM_NODISCARD pkm_status pkm_lp_solve(pkm_lp* lp, const double* c, double* x, double* value);

#endif
