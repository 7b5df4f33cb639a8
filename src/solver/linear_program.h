/// Linear programs: the largest c . x over a polytope, by the dual simplex method.
///
/// Every variable is bounded, so the best corner of the box alone is where the search starts. It
/// keeps n active rows (bounds among them) with c = sum lambda_j g_j, lambda_j >= 0, and takes in
/// the row that is broken most until none is: rows that depend on others are never needed, which
/// makes redundant equations harmless. The multipliers at the end prove the answer.
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

/// Add the row a . x <= high, or a . x = high. Rows and variables are of order 1.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_lp_add_below(pkm_lp* lp, const double* a, double high);
PKM_NODISCARD pkm_status pkm_lp_add_equal(pkm_lp* lp, const double* a, double value);

/// The largest c . x, with x [n]. A program that only got more rows since the solve before goes on
/// from there.
/// @return PKM_ERR_CONVERGENCE when there is no point that satisfies all rows.
PKM_NODISCARD pkm_status pkm_lp_solve(pkm_lp* lp, const double* c, double* x, double* value);

#endif
