/// Stiff systems y' = f(t, y) by SUNDIALS CVODE: backward differentiation of order 1 to 5 with
/// variable steps (docs/theory/integrators.md, section 5).
///
/// Used as explicit_rk.h: step by step, with dense output, projection on constraints, and a return
/// to events inside a step. What is stiff in f is handed over as a linear solver of the caller's
/// own, which may leave out the rest: it only steers the iteration. Nothing is printed by SUNDIALS.
#ifndef PKM_SOLVER_BDF_H
#define PKM_SOLVER_BDF_H

#include "solver/explicit_rk.h"

typedef struct pkm_bdf_report {
    long steps;    ///< accepted
    long rejected; ///< trial steps whose error was too large
    long failures; ///< trial steps whose iteration did not converge
    long rates;    ///< calls of `rate`, those for difference quotients included
    long factors;  ///< calls of `factor`, or dense matrices
    int order;     ///< of the last step
} pkm_bdf_report;

typedef struct pkm_bdf pkm_bdf;

/// An integrator for `n` >= 1 equations. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_bdf_create(int n, pkm_bdf** out);
void pkm_bdf_free(pkm_bdf* bdf);

/// Start at (t0, y0), which is taken to satisfy the constraints. `ode` and `solver` are copied;
/// without a solver (NULL) df/dy is found by difference quotients and solved as a dense matrix.
/// @return PKM_ERR_ARGUMENT for settings out of range or another n.
PKM_NODISCARD pkm_status pkm_bdf_begin(pkm_bdf* bdf, const pkm_ode* ode,
                                       const pkm_ode_solver* solver,
                                       const pkm_rk_settings* settings, double t0,
                                       const double* y0);

/// Go on from the time `t` with the state `y` (NULL: as it is), from order 1: after a jump of f or
/// of the state, from an event inside the last step, or from anywhere else. Counts continue.
PKM_NODISCARD pkm_status pkm_bdf_move(pkm_bdf* bdf, double t, const double* y);

/// Take the last step again from order 1, up to the time `t` inside it at most.
PKM_NODISCARD pkm_status pkm_bdf_shorten(pkm_bdf* bdf, double t);

/// One accepted step towards `t_limit` > time, and not beyond it; the last step ends at `t_limit`
/// exactly. At `t_limit` nothing happens. After a failure the state is the last accepted one.
/// @return PKM_ERR_CONVERGENCE when steps get too short; a failure of a callback.
PKM_NODISCARD pkm_status pkm_bdf_step(pkm_bdf* bdf, double t_limit);

double pkm_bdf_time(const pkm_bdf* bdf);
const double* pkm_bdf_state(const pkm_bdf* bdf); ///< [n] at pkm_bdf_time
double pkm_bdf_last_step(const pkm_bdf* bdf);    ///< 0 before the first and after a restart

/// The solution inside the last step, t in [time - last_step, time], to the order of the method.
/// @return PKM_ERR_ARGUMENT outside that step; `y` is then not set.
PKM_NODISCARD pkm_status pkm_bdf_dense(pkm_bdf* bdf, double t, double* y);

pkm_bdf_report pkm_bdf_get_report(const pkm_bdf* bdf);

#endif
