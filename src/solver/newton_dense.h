/// Modified Newton iteration for small dense systems F(x) = 0, up to a few hundred unknowns
/// (docs/theory/integrators.md, section 2).
///
/// The Jacobian and its LU factors are kept from solve to solve and made anew when the iteration
/// becomes slow.
#ifndef PKM_SOLVER_NEWTON_DENSE_H
#define PKM_SOLVER_NEWTON_DENSE_H

#include "pkm/status.h"

/// A system of n equations in n unknowns. Statuses of the callbacks end the solve, PKM_RETRY
/// ("not at this x") as any other.
typedef struct pkm_newton_system {
    int n;
    void* user; ///< handed to the callbacks

    /// r = F(x)
    pkm_status (*residual)(void* user, const double* x, double* r);

    /// J = dF/dx at x, column-major; `r` is F(x). NULL: difference quotients of `residual`.
    pkm_status (*jacobian)(void* user, const double* x, const double* r, double* J);

    const double* increment; ///< [n] of the difference quotients; NULL: chosen from x and x_tol
    const double* x_tol;     ///< [n] error of the solution that may remain, per unknown, > 0
    const double* r_tol;     ///< [n] residual that may remain, per equation; NULL: any
    int max_iterations;      ///< with one Jacobian; 0: 7
    int max_jacobians;       ///< of one solve; 0: 4
} pkm_newton_system;

/// Of one solve.
typedef struct pkm_newton_report {
    int iterations; ///< updates of x
    int residuals;  ///< calls of `residual`, those for difference quotients included
    int jacobians;  ///< Jacobians made and factored
    double rate;    ///< last ratio of successive updates, theta in (2.2); 0 after one iteration
    double update;  ///< last update relative to x_tol, largest component
} pkm_newton_report;

typedef struct pkm_newton pkm_newton;

/// A solver for up to `n_max` >= 1 unknowns. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_newton_create(int n_max, pkm_newton** out);
void pkm_newton_free(pkm_newton* newton);

/// Improve `x` until its error is estimated to be below x_tol and the residual is within r_tol. The
/// last call of `residual` was at the solution. `report` may be NULL. Allocates nothing. After a
/// failure `x` is what it was.
///
/// @return PKM_ERR_CONVERGENCE; PKM_ERR_SINGULAR for a Jacobian without inverse; PKM_ERR_ARGUMENT
///         for a size out of range; a failure of a callback.
PKM_NODISCARD pkm_status pkm_newton_solve(pkm_newton* newton, const pkm_newton_system* system,
                                          double* x, pkm_newton_report* report);

/// x with J x = b for the Jacobian of the last solve; `x` may be `b`.
/// @return PKM_ERR_SINGULAR when there is none: no solve yet, or it failed.
PKM_NODISCARD pkm_status pkm_newton_apply(const pkm_newton* newton, const double* b, double* x);

/// Do not use the present Jacobian again: the next solve makes its own.
void pkm_newton_forget(pkm_newton* newton);

#endif
