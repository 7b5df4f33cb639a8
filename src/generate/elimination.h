/// Gaussian elimination over expressions. The pivots are chosen once, by the values at the samples
/// in which the loops are closed: each must be far from zero at all of them.
#ifndef PKM_GENERATE_ELIMINATION_H
#define PKM_GENERATE_ELIMINATION_H

#include "generate/graph.h"

typedef struct pkm_elimination {
    pkm_graph* graph;
    int n_row, n;      ///< rows (n or more), columns
    pkm_node* A;       ///< [n_row x n] by rows: U, and the multipliers of L below it
    int *row, *column; ///< [n] of the pivots, in order
    pkm_node* inverse; ///< [n] 1 / pivot
    double weakest;    ///< smallest pivot over the largest entry of its column, at the samples
} pkm_elimination;

/// Factor the matrix `A` [n_row x n], which is copied; `row_unit` [n_row] and `column_unit` [n]
/// divide its entries to make them comparable. Rows that depend on others are left out.
/// @return PKM_ERR_SINGULAR when the columns are dependent at a sample; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_eliminate(pkm_graph* graph, int n_row, int n, const pkm_node* A,
                                       const double* row_unit, const double* column_unit,
                                       pkm_elimination* out, pkm_error* err);
void pkm_elimination_free(pkm_elimination* lu);

/// Solve A x = b: b[n_row], x[n].
PKM_NODISCARD pkm_status pkm_elimination_solve(const pkm_elimination* lu, const pkm_node* b,
                                               pkm_node* x, pkm_error* err);
/// Solve A' y = f: f[n], y[n_row]; 0 for rows that are left out.
PKM_NODISCARD pkm_status pkm_elimination_solve_transposed(const pkm_elimination* lu,
                                                          const pkm_node* f, pkm_node* y,
                                                          pkm_error* err);

#endif
