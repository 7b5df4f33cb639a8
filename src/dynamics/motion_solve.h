/// Positions, velocities and accelerations of all coordinates from the prescribed ones.
#ifndef PKM_DYNAMICS_MOTION_SOLVE_H
#define PKM_DYNAMICS_MOTION_SOLVE_H

#include "dynamics/rows.h"

/// Relative: a row whose pivot is smaller is taken as dependent on the others.
#define PKM_PIVOT_LIMIT 1e-9

/// Choose the pivots of a system at the present positions, which satisfy the rows.
/// @return PKM_ERR_SINGULAR when the rows do not determine the motion here.
PKM_NODISCARD pkm_status pkm_solve_prepare(pkm_state* state, pkm_given given,
                                           const pkm_target* target);

/// Newton's method for the positions, from the present ones (docs/theory/engine.md, 3).
///
/// On success all rows hold to 1e-13 (robot sizes, rad) and the factors belong to the solution.
/// @return PKM_ERR_CONVERGENCE, PKM_ERR_SINGULAR; the positions are then those on entry.
PKM_NODISCARD pkm_status pkm_solve_position(pkm_state* state, pkm_given given,
                                            const pkm_target* target);

/// How far Newton's method goes, and when it gives up.
typedef struct pkm_newton_rule {
    double residual;    ///< [robot sizes, rad] rows that hold so well hold
    double contraction; ///< the second step is at most so many times the first
} pkm_newton_rule;

/// The rule of pkm_solve_position: 1e-13, and as many steps as it takes.
pkm_newton_rule pkm_newton_rule_exact(void);

/// The same by a rule. PKM_ERR_CONVERGENCE at the second step where it does not contract.
PKM_NODISCARD pkm_status pkm_solve_position_by(pkm_state* state, pkm_given given,
                                               const pkm_target* target,
                                               const pkm_newton_rule* rule);

/// Shorter steps of Newton's method [robot sizes, rad] tell nothing about how it contracts.
#define PKM_NEWTON_ROUNDING 1e-8

/// Velocities with the factors of the positions.
void pkm_solve_velocity(pkm_state* state, pkm_given given, const pkm_target* target);
/// Accelerations with the same factors; the bodies' A are complete afterwards.
void pkm_solve_acceleration(pkm_state* state, pkm_given given, const pkm_target* target);

/// Bring the factors of `given` up to date at the present positions (rows evaluated too).
PKM_NODISCARD pkm_status pkm_solve_factor(pkm_state* state, pkm_given given);

/// The longest component of a step of the coordinates [n_v], in robot sizes and rad.
double pkm_step_length(const pkm_mechanism* mech, const double* step);

/// Largest residual [robot sizes, rad] over the rows of `given`; `worst` (may be NULL) is its row.
double pkm_solve_residual(const pkm_state* state, pkm_given given, int* worst);

#endif
