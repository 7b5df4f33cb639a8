/// Forward dynamics limb by limb, for mechanisms with many freedoms: flexible links, joints with
/// clearance.
///
/// The trees that hang on the ground share no inertia, so M has a block for each of them;
/// prescribed drives are taken out. With the factors M = U'U of the blocks and Z = U'^-1 G' the
/// multipliers follow from a system as large as the constraints (docs/theory/flexible.md, section
/// 4):
///
///     (Z' Z) lambda = c - Z' y,   y = U'^-1 (Q - h),   a = U^-1 (y + Z lambda)
///
/// where G a = c are the constraints at the level of accelerations. Where all loops end on one
/// tree, it is solved last and each limb with its own rows before it (4.3).
#ifndef PKM_DYNAMICS_BLOCKS_H
#define PKM_DYNAMICS_BLOCKS_H

#include "dynamics/halves.h"
#include "dynamics/rows.h"

typedef struct pkm_blocks pkm_blocks;

/// Prepare for a mechanism whose drives with prescribed[d] follow given accelerations.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_blocks_create(const pkm_state* state, const bool* prescribed,
                                           pkm_blocks** out);
/// Memory for any choice among these `n` rows of the mechanism: no later one allocates.
PKM_NODISCARD pkm_status pkm_blocks_reserve(pkm_blocks* b, const pkm_state* state, const int* row,
                                            int n);
void pkm_blocks_free(pkm_blocks* blocks);

/// The constraints: `n` mechanism rows, independent; prescribed drives of tree joints are passed
/// over. Returns how many are left.
int pkm_blocks_set_rows(pkm_blocks* blocks, const pkm_state* state, const int* row, int n);

/// Mass matrices with the inertias `rotor` [n_drive] of free drives and their factors, rows and
/// their factor; needs positions, velocities and the rows' Jacobian.
/// @return PKM_ERR_SINGULAR when a freedom has no inertia or the rows depend on each other.
PKM_NODISCARD pkm_status pkm_blocks_factor(pkm_blocks* blocks, const pkm_state* state,
                                           const double* rotor);

/// The tree that has a freedom without inertia, of a massless body or a line that turns about
/// itself, when pkm_blocks_factor was PKM_ERR_SINGULAR for it; PKM_NONE.
int pkm_blocks_lacks(const pkm_blocks* blocks);

/// Solve this tree last, behind all others with all rows: what they hold of it needs no inertia of
/// its own (4.3). The rows are to be set anew.
void pkm_blocks_put_last(pkm_blocks* blocks, int tree);
int pkm_blocks_last(const pkm_blocks* blocks); ///< that tree; PKM_NONE

/// The same with c C + c^2 K of the modes beside the mass, for an implicit step of length c [s].
PKM_NODISCARD pkm_status pkm_blocks_factor_step(pkm_blocks* blocks, const pkm_state* state,
                                                const double* rotor, double c);

/// Accelerations a [n_v] and multipliers (of the k-th row that was kept: lambda[k]) from the forces
/// `needed` [n_v] that are missing at the prescribed accelerations `a_given` [n_v] (zero elsewhere)
/// and the accelerations `row_left` [n_row kept] that the rows lack there.
void pkm_blocks_solve(pkm_blocks* blocks, const pkm_state* state, const double* needed,
                      const double* a_given, const double* row_left, double* a, double* lambda);

/// The same in two parts (halves.h). `half` [pkm_blocks_half] is L^-1 of the forces times `sign`
/// and of what the rows lack; entries that no velocity has stay as they are, zero at first. The
/// second part changes it.
int pkm_blocks_half(const pkm_blocks* blocks);
void pkm_blocks_solve_lower(pkm_blocks* blocks, double sign, const double* force,
                            const double* row_left, double* half);
void pkm_blocks_solve_upper(pkm_blocks* blocks, const pkm_state* state, const double* a_given,
                            double* half, double* a);

/// The halves of `n` forces B [n_v x n] side by side, with room for `most`.
PKM_NODISCARD pkm_status pkm_blocks_halves_create(const pkm_blocks* blocks, int most,
                                                  pkm_halves** out);
void pkm_blocks_lower_all(const pkm_blocks* blocks, const double* B, int n, pkm_halves* out);

int pkm_blocks_n_row(const pkm_blocks* blocks); ///< rows that were kept
/// Multiplications of one pkm_blocks_factor.
double pkm_blocks_cost(const pkm_blocks* blocks);
/// Which of the rows handed to pkm_blocks_set_rows the k-th kept one is.
int pkm_blocks_row(const pkm_blocks* blocks, int k);

/// Force [N, N m] at the tree velocity `v` of a prescribed drive after pkm_blocks_solve with the
/// same arguments.
double pkm_blocks_held_force(const pkm_blocks* blocks, const pkm_state* state, int v,
                             const double* needed, const double* a, const double* lambda);

#endif
