/// Fully implicit systems F(t, y, y') = 0 by SUNDIALS IDA: backward differentiation of order 1 to 5
/// with variable steps (docs/theory/integrators.md, section 4).
///
/// The second opinion on constrained mechanical systems, in stabilised form of index 2. Nothing is
/// printed by SUNDIALS.
#ifndef PKM_SOLVER_IDA_H
#define PKM_SOLVER_IDA_H

#include "pkm/status.h"

#include <stdbool.h>

/// A system of n equations. The callbacks answer PKM_RETRY for "not at this trial state", and the
/// step shrinks; any other failure ends the step with that status.
typedef struct pkm_implicit {
    int n;
    void* user; ///< handed to the callbacks

    /// r = F(t, y, yp)
    pkm_status (*residual)(void* user, double t, const double* y, const double* yp, double* r);

    /// J = dF/dy + c dF/dy', column-major. NULL: difference quotients of `residual`.
    pkm_status (*jacobian)(void* user, double t, double c, const double* y, const double* yp,
                           double* J);

    const bool* is_algebraic; ///< [n] y' of it does not occur in F; copied; NULL: none
} pkm_implicit;

typedef struct pkm_ida_settings {
    double rtol;           ///< relative tolerance
    const double* atol;    ///< [n] absolute tolerance per component, > 0; copied
    double first_step;     ///< 0: chosen from the problem
    double min_step;       ///< 0: what rounding allows
    double max_step;       ///< 0: no limit
    bool ignore_algebraic; ///< leave algebraic components out of the error test
} pkm_ida_settings;

/// Counts since pkm_ida_begin.
typedef struct pkm_ida_report {
    long steps;     ///< accepted
    long rejected;  ///< trial steps whose error was too large
    long failures;  ///< trial steps whose iteration did not converge
    long residuals; ///< calls of `residual`, those for difference quotients included
    long jacobians;
    int order; ///< of the last step
} pkm_ida_report;

typedef struct pkm_ida pkm_ida;

/// An integrator for `n` >= 1 equations. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_ida_create(int n, pkm_ida** out);
void pkm_ida_free(pkm_ida* ida);

/// Start at t0 with consistent values, F(t0, y0, yp0) = 0; they are the caller's. The system is
/// copied. @return PKM_ERR_ARGUMENT for settings out of range or another n.
PKM_NODISCARD pkm_status pkm_ida_begin(pkm_ida* ida, const pkm_implicit* system,
                                       const pkm_ida_settings* settings, double t0,
                                       const double* y0, const double* yp0);

/// Go on from the time `t`, after a jump of F or of the state, from an event inside the last step
/// or from anywhere else, with consistent values there. Counts continue.
PKM_NODISCARD pkm_status pkm_ida_restart(pkm_ida* ida, double t, const double* y, const double* yp);

/// One accepted step towards `t_limit`, which may lie before the present time, and not beyond it;
/// the last step ends at `t_limit` exactly. At `t_limit` nothing happens. To turn round is to
/// restart. After a failure the state is the last accepted one.
///
/// @return PKM_ERR_CONVERGENCE when steps get too short, PKM_ERR_SINGULAR when the iteration matrix
///         has no inverse; a failure of a callback.
PKM_NODISCARD pkm_status pkm_ida_step(pkm_ida* ida, double t_limit);

double pkm_ida_time(const pkm_ida* ida);
const double* pkm_ida_state(const pkm_ida* ida); ///< [n] y at pkm_ida_time
const double* pkm_ida_rate(const pkm_ida* ida);  ///< [n] y' at pkm_ida_time
double pkm_ida_last_step(const pkm_ida* ida);    ///< signed; 0 before the first

/// The solution and its rate inside the last step; `yp` may be NULL.
/// @return PKM_ERR_ARGUMENT outside that step.
PKM_NODISCARD pkm_status pkm_ida_dense(pkm_ida* ida, double t, double* y, double* yp);

pkm_ida_report pkm_ida_get_report(const pkm_ida* ida);

#endif
