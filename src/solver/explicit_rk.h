/// Explicit Runge-Kutta integration of y' = f(t, y) with error control: Dormand and Prince's
/// 8(5,3) pair with dense output of order 7 (docs/theory/integrators.md, section 1).
///
/// For smooth, non-stiff problems. Constraints are kept by a projection after every step. The
/// caller goes step by step:
///
///     status = pkm_rk_begin(rk, &ode, &settings, 0.0, y0);
///     while (status == PKM_OK && pkm_rk_time(rk) < t_end) status = pkm_rk_step(rk, t_end);
///
/// A break (a jump of f at a known time) is reached exactly by passing its time as the limit, and
/// left with pkm_rk_restart.
#ifndef PKM_SOLVER_EXPLICIT_RK_H
#define PKM_SOLVER_EXPLICIT_RK_H

#include "pkm/status.h"

#include <stdbool.h>

/// A system of n ordinary differential equations.
typedef struct pkm_ode {
    int n;
    void* user; ///< handed to the callbacks

    /// dydt = f(t, y). PKM_RETRY means "not at this trial state": the step shrinks. Any other
    /// failure ends pkm_rk_step with that status.
    pkm_status (*rate)(void* user, double t, const double* y, double* dydt);

    /// Put `y` back on the constraints after a step; may be NULL. Statuses as `rate`.
    pkm_status (*project)(void* user, double t, double* y);

    /// Set states that may jump between two steps, after `project`; may be NULL. Statuses as
    /// `rate`.
    pkm_status (*jump)(void* user, double t, double* y);
} pkm_ode;

/// The linear systems (1 - c J) x = b of an implicit method's iteration, J near df/dy: what is
/// stiff in f. They only steer the iteration and may leave out the rest.
typedef struct pkm_ode_solver {
    /// Memory for the others, before the first step; NULL: none is needed.
    pkm_status (*prepare)(void* user);
    /// Factor 1 - c J at (t, y); statuses as those of pkm_ode.rate.
    pkm_status (*factor)(void* user, double t, const double* y, double c);
    /// x <- (1 - c J)^-1 x with the last factors.
    void (*solve)(void* user, double* x);
    /// Multipliers that belong to the rates, n_more >= 0 of them: those of the last `rate`.
    int n_more;
    void (*multipliers)(void* user, double* out);
    /// A rate and `solve` in one, for equations that tell without rates how far a stage
    /// Y = psi + c f(t, Y) is off: delta near (1 - c J)^-1 (psi + c f(t, Y) - Y), and zero with it.
    /// Behind the n numbers of psi, Y and delta stand n_more ones of the multipliers' integrals.
    /// Statuses as `rate`. NULL: rates and `solve` serve.
    pkm_status (*correct)(void* user, double t, double c, const double* psi, const double* Y,
                          double* delta);
} pkm_ode_solver;

typedef struct pkm_rk_settings {
    double rtol;        ///< relative tolerance
    const double* atol; ///< [n] absolute tolerance per component, > 0; copied
    /// [n] time [s] after which an error of a component counts in full, as that of a velocity does
    /// for positions: a step h that is shorter may have errors of reach/h times the tolerance.
    /// NULL: none; the explicit method passes it over.
    const double* reach;
    /// Lent: what all tolerances are multiplied by, from the next step on (1.8); NULL: 1. BDF and
    /// IDA pass it over.
    const double* part;
    /// Of the tolerance, what the iteration of BDF may leave in a step; 0: its own.
    double newton_share;
    double first_step; ///< 0: chosen from the problem
    double min_step;   ///< 0: what rounding allows
    double max_step;   ///< 0: no limit
} pkm_rk_settings;

/// Are the settings for `n` equations in range?
bool pkm_rk_settings_are_fine(const pkm_rk_settings* settings, int n);

/// Counts since pkm_rk_begin.
typedef struct pkm_rk_report {
    int steps;     ///< accepted
    int rejected;  ///< trial steps whose error was too large
    int retries;   ///< trial steps given up because a callback said PKM_RETRY
    int rates;     ///< calls of `rate`
    bool is_stiff; ///< an implicit method would take longer steps (1.7)
} pkm_rk_report;

typedef struct pkm_rk pkm_rk;

/// An integrator for `n` >= 1 equations. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_rk_create(int n, pkm_rk** out);
void pkm_rk_free(pkm_rk* rk);

/// Start at (t0, y0), which is taken to satisfy the constraints. `ode` is copied. Allocates
/// nothing, as all that follows. @return PKM_ERR_ARGUMENT for settings out of range or another n;
/// a failure of `rate` at the start, PKM_RETRY included.
PKM_NODISCARD pkm_status pkm_rk_begin(pkm_rk* rk, const pkm_ode* ode,
                                      const pkm_rk_settings* settings, double t0, const double* y0);

/// Go on from the present time with f evaluated anew and the step chosen anew: after a jump of f,
/// or of the state. `y` may be NULL: the state stays. Counts continue.
PKM_NODISCARD pkm_status pkm_rk_restart(pkm_rk* rk, const double* y);

/// Go on from the time `t` with the state `y` (NULL: as it is) as after pkm_rk_restart: from an
/// event that was found on the dense output, or from anywhere else. The next step tries
/// `first_step` first; 0: chosen from the problem. Counts continue.
PKM_NODISCARD pkm_status pkm_rk_move(pkm_rk* rk, double t, const double* y, double first_step);

/// Take the last step again, but only up to the time `t` inside it: where f has a kink behind `t`
/// the dense output is less exact than a step that ends there. It ends before `t` when it was too
/// long all the same.
/// @return PKM_ERR_ARGUMENT outside that step; as pkm_rk_step.
PKM_NODISCARD pkm_status pkm_rk_repeat(pkm_rk* rk, double t);

/// One accepted step towards `t_limit`, which may lie before the present time, and not beyond it;
/// the last step ends at `t_limit` exactly. At `t_limit` nothing happens. After a failure the state
/// is the last accepted one.
///
/// @return PKM_ERR_CONVERGENCE when the step falls below min_step; a failure of a callback.
PKM_NODISCARD pkm_status pkm_rk_step(pkm_rk* rk, double t_limit);

double pkm_rk_time(const pkm_rk* rk);
const double* pkm_rk_state(const pkm_rk* rk); ///< [n] at pkm_rk_time
const double* pkm_rk_rate(const pkm_rk* rk);  ///< [n] f at pkm_rk_time and pkm_rk_state
double pkm_rk_last_step(const pkm_rk* rk);    ///< signed; 0 before the first and after a failed one
double pkm_rk_next_step(const pkm_rk* rk);    ///< length that the error allows; 0: not known yet

/// The solution inside the last step, t in [time - last_step, time], to order 7 (1.5). It meets the
/// projected states at both ends, with their rates; in between it is as near to the constraints as
/// the tolerance. The first call after a step evaluates `rate` three times.
/// @return PKM_ERR_ARGUMENT outside that step; a failure of `rate`. `y` is then not set.
PKM_NODISCARD pkm_status pkm_rk_dense(pkm_rk* rk, double t, double* y);

/// The same without further rates, inside a step that has a length: the cubic through values and
/// rates at both ends, or the dense output where it is there. Returns whether it was.
bool pkm_rk_rough(const pkm_rk* rk, double t, double* y);

pkm_rk_report pkm_rk_get_report(const pkm_rk* rk);

#endif
