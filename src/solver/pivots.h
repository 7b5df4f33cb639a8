/// The choice of pivots for a sparse matrix, by elimination with its values: cheap in fill
/// (Markowitz), safe in size (threshold), and it tells the rank.
#ifndef PKM_SOLVER_PIVOTS_H
#define PKM_SOLVER_PIVOTS_H

#include "base/memory.h"
#include "pkm/status.h"

/// A sparse matrix by rows: row r has the entries start[r] .. start[r+1] of `column` and `value`.
typedef struct pkm_sparse {
    int n_row, n_column;
    const int* start;
    const int* column;
    const double* value;
    /// [n_column] 0: any pivot; above: a pivot only where no other column has one, and the smallest
    /// price per size of the entry first. NULL: all 0.
    const double* price;
} pkm_sparse;

/// The pivots in order, and the pattern that the factors will have. All lives in an arena.
typedef struct pkm_pivots {
    int rank;
    int* row;     ///< [rank] pivot rows
    int* column;  ///< [rank] pivot columns
    double* size; ///< [rank] largest entry of the pivot row as given
    int* n_lower; ///< [rank] multipliers of a pivot row
    int** lower;  ///< their steps
    int* n_upper; ///< [rank] entries right of the pivot
    int** upper;  ///< their columns
} pkm_pivots;

/// Eliminate. Entries not above `tolerance` times the largest of their row, as given, count as
/// zero, so rows that depend on others, and columns that do, are left without a pivot.
/// @return PKM_OK for any rank; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_pivots_choose(const pkm_sparse* matrix, double tolerance,
                                           pkm_arena* arena, pkm_pivots* out);

#endif
