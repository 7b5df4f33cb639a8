/// Rank of a set of rows by sparse elimination, for mechanisms too large for singular values.
#ifndef PKM_DYNAMICS_ROWS_RANK_H
#define PKM_DYNAMICS_ROWS_RANK_H

#include "dynamics/state.h"

/// Velocities beyond which analyses use sparse elimination: singular values take n^3.
enum { PKM_LARGE_MECHANISM = 120 };

/// Rank of the `n_row` rows of the mechanism in `row` (evaluated before). Rows earlier in the list
/// are not preferred. used_row [n_row] and used_column [n_v] (may be NULL) tell which have a pivot.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_rows_rank(const pkm_state* state, const int* row, int n_row,
                                       double tolerance, int* rank, bool* used_row,
                                       bool* used_column);

/// The same with pivots in columns of price 0 wherever there are any, then in those of the smallest
/// price [n_v] per size of the entry.
PKM_NODISCARD pkm_status pkm_rows_rank_by_price(const pkm_state* state, const int* row, int n_row,
                                                double tolerance, const double* price, int* rank,
                                                bool* used_row, bool* used_column);

#endif
