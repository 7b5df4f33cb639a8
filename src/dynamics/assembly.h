/// Closing the loops: from guessed positions to ones that satisfy the rows.
#ifndef PKM_DYNAMICS_ASSEMBLY_H
#define PKM_DYNAMICS_ASSEMBLY_H

#include "dynamics/rows.h"

/// How well a set of rows could be satisfied.
typedef struct pkm_assembly_report {
    double closure_gap; ///< largest residual of the closures [m, rad]
    double target_gap;  ///< largest residual of the prescribed rows [m, rad]
    int worst_closure;  ///< row with the largest closure residual, PKM_NONE
    int iterations;
} pkm_assembly_report;

/// Move the positions to the nearest ones (damped least squares) that satisfy all closures and the
/// rows in `row` (drive or tool rows; may be empty) at `target`.
///
/// `pull` scales the prescribed rows: 1 treats them like closures; a small value lets the closures
/// win, so that an unreachable target is approached as far as the loops allow.
/// @return PKM_OK when all closures hold to 1e-12 robot sizes or rad (and the prescribed rows, for
/// pull = 1), or to mech->gap_limit when they cannot hold better;
///         PKM_ERR_ASSEMBLY with the best positions otherwise; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_assemble(pkm_state* state, const int* row, int n_row,
                                      const pkm_target* target, double pull,
                                      pkm_assembly_report* report);

/// Bring the rows in `row` as near to `target` as the loops allow, from the present positions.
/// `beyond` receives what is left: the root of the sum of squares [m, rad], 0 within rounding for a
/// target that can be reached.
PKM_NODISCARD pkm_status pkm_approach(pkm_state* state, const int* row, int n_row,
                                      const pkm_target* target, double* beyond);

/// Satisfy the rows in `row` and all closures but those marked in `open` [n_closure], which are
/// left with as small a gap as the others allow (their residuals). `left` receives what the others
/// miss [robot sizes, rad]: the square of the last pull when the gaps alone were in the way.
PKM_NODISCARD pkm_status pkm_assemble_open(pkm_state* state, const int* row, int n_row,
                                           const pkm_target* target, const bool* open,
                                           double* left);

/// The Jacobian of these rows as a dense column-major matrix (n_row x n_v); rows evaluated before.
void pkm_rows_dense(const pkm_state* state, const int* row, int n_row, double* out);

#endif
