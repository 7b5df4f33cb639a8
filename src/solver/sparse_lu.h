/// LU factors of a small sparse matrix whose pattern does not change.
///
/// Pivots are chosen once (Markowitz cost with a threshold on their size) and the elimination is
/// written down as a list of multiply-subtract steps, which later factorisations replay. The matrix
/// may have more rows than columns; the rows that depend on others are found and left out.
#ifndef PKM_SOLVER_SPARSE_LU_H
#define PKM_SOLVER_SPARSE_LU_H

#include "pkm/status.h"

#include <stdbool.h>

typedef struct pkm_sparse_lu pkm_sparse_lu;

/// A matrix of n_row >= n_column; row r has the columns column[start[r] .. start[r+1]).
PKM_NODISCARD pkm_status pkm_sparse_lu_create(int n_row, int n_column, const int* start,
                                              const int* column, pkm_sparse_lu** out);
void pkm_sparse_lu_free(pkm_sparse_lu* lu);
/// Another matrix of the same size with as many entries, in the same memory: to be analysed next.
/// Returns false, and changes nothing, when it is of another size.
bool pkm_sparse_lu_take(pkm_sparse_lu* lu, int n_row, const int* start, const int* column);

/// Choose pivots at these values (in the order of `column`) and factor.
///
/// @return PKM_ERR_SINGULAR when the columns are dependent (to `tolerance`, relative to the rows);
///         PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_sparse_lu_analyse(pkm_sparse_lu* lu, const double* value,
                                               double tolerance);

/// Factor with the pivots already chosen; chooses anew when they have become too small. A failure
/// does not spoil later calls.
/// @return as pkm_sparse_lu_analyse.
PKM_NODISCARD pkm_status pkm_sparse_lu_factor(pkm_sparse_lu* lu, const double* value);

/// Solve A x = b: `b` has n_row entries (those of dependent rows are not read), `x` n_column.
void pkm_sparse_lu_solve(pkm_sparse_lu* lu, const double* b, double* x);

/// Solve A' y = f: `f` has n_column entries, `y` n_row (0 for dependent rows).
void pkm_sparse_lu_solve_transposed(pkm_sparse_lu* lu, const double* f, double* y);

/// Columns of the inverse: solve A X = unit vectors of the `n` <= PKM_SPARSE_MAX_UNIT rows `row`.
/// X [n_column x n] is column-major; a row that is left out gives a zero column. Reads the factors
/// once for all columns. `work` has PKM_SPARSE_MAX_UNIT n_column numbers.
enum { PKM_SPARSE_MAX_UNIT = 6 };
void pkm_sparse_lu_solve_units(pkm_sparse_lu* lu, const int* row, int n, double* X, double* work);
/// The same for the entries `column` [n_at] of each column of X only; the others are left as they
/// are. Cheap where pivots of those columns come late.
void pkm_sparse_lu_solve_units_at(pkm_sparse_lu* lu, const int* row, int n, const int* column,
                                  int n_at, double* X, double* work);

/// Sign of the determinant of the chosen rows; comparable between factorisations with the same
/// rows.
int pkm_sparse_lu_sign(const pkm_sparse_lu* lu);

/// Is `row` one of the chosen ones?
bool pkm_sparse_lu_uses_row(const pkm_sparse_lu* lu, int row);

/// Multiply-subtract steps of one factorisation, and how often pivots were chosen.
int pkm_sparse_lu_cost(const pkm_sparse_lu* lu);
int pkm_sparse_lu_analyses(const pkm_sparse_lu* lu);

#endif
