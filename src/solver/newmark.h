/// Newmark's method (average acceleration) for linear systems whose matrices change in time,
///
///     M(t) q'' + C(t) q' + K(t) q = f(t)
///
/// Order 2, stable at any step, without damping of its own (docs/theory/elastodynamics.md, section
/// 4). A response from a given start, or the periodic one.
#ifndef PKM_SOLVER_NEWMARK_H
#define PKM_SOLVER_NEWMARK_H

#include "pkm/status.h"

#include <stdbool.h>

/// A system of n equations.
typedef struct pkm_ltv {
    int n;
    void* user; ///< handed to `system`
    /// The matrices (n x n, column-major) and the force at time t. A failure ends the step.
    pkm_status (*system)(void* user, double t, double* M, double* C, double* K, double* f);
    /// Called before every step with all motions, n x n_column: may express them in other
    /// coordinates, which the next system has; `back`: in those of the start. NULL: never.
    void (*rebase)(void* user, bool back, int n_column, double* q, double* v, double* a);
} pkm_ltv;

typedef struct pkm_newmark pkm_newmark;

/// An integrator for `n` >= 1 equations. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_newmark_create(int n, pkm_newmark** out);
void pkm_newmark_free(pkm_newmark* newmark);

/// Start at t0 with q and v; `ltv` is copied. Allocates nothing, as pkm_newmark_step.
/// @return PKM_ERR_SINGULAR for a mass matrix without inverse; PKM_ERR_ARGUMENT for another n; a
///         failure of `system`.
PKM_NODISCARD pkm_status pkm_newmark_begin(pkm_newmark* newmark, const pkm_ltv* ltv, double t0,
                                           const double* q, const double* v);
/// One step of length h > 0. Statuses as pkm_newmark_begin.
PKM_NODISCARD pkm_status pkm_newmark_step(pkm_newmark* newmark, double h);

double pkm_newmark_time(const pkm_newmark* newmark);
const double* pkm_newmark_position(const pkm_newmark* newmark);     ///< [n]
const double* pkm_newmark_velocity(const pkm_newmark* newmark);     ///< [n]
const double* pkm_newmark_acceleration(const pkm_newmark* newmark); ///< [n]

/// The start (q, v) of the solution that repeats itself after `period`, in `n_step` steps; the
/// system has that period. Integrates all 2 n motions without force at once and solves for the
/// start that returns. Allocates.
/// @return PKM_ERR_SINGULAR at a resonance: no such motion; statuses as above.
PKM_NODISCARD pkm_status pkm_newmark_periodic(const pkm_ltv* ltv, double t0, double period,
                                              int n_step, double* q, double* v);

#endif
