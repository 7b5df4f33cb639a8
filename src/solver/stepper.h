/// Steppers: every method that carries a state vector y through time, behind one table of verbs, so
/// that one loop can step, look between the steps, go back to events and start again with any of
/// them. A new one is a file with its table and a line in PKM_STEPPERS.
#ifndef PKM_SOLVER_STEPPER_H
#define PKM_SOLVER_STEPPER_H

#include "solver/explicit_rk.h"

/// The equations as an implicit system F(t, Y, Y') = 0 with Y = (y, further unknowns), for methods
/// that keep constraints by multipliers instead of projections.
typedef struct pkm_dae_form {
    int n_more;              ///< further unknowns, all algebraic: multipliers
    const double* more_atol; ///< [n_more] their absolute tolerances
    pkm_status (*residual)(void* user, double t, const double* Y, const double* Yp, double* out);
    /// Consistent Y and Y' [n + n_more] at (t, y), and a first step [s] that is right from there.
    pkm_status (*complete)(void* user, double t, const double* y, double* Y, double* Yp,
                           double* first_step);
} pkm_dae_form;

/// What a stepper may ask of the equations; each takes the form that suits it.
typedef struct pkm_stepper_system {
    pkm_ode ode;           ///< y' = f(t, y), and the projection
    pkm_ode_solver solver; ///< of what is stiff in f
    pkm_dae_form dae;
} pkm_stepper_system;

/// Where the equations were evaluated last when a step is accepted.
typedef enum pkm_step_end {
    PKM_END_EVALUATED, ///< at its end
    PKM_END_NEAR,      ///< there but for the last correction of an iteration
    PKM_END_ELSEWHERE,
} pkm_step_end;

/// Counts since `begin`.
typedef struct pkm_stepper_counts {
    long steps;    ///< accepted
    long rejected; ///< trial steps given up: error too large, no convergence, PKM_RETRY
    long rates;    ///< evaluations of the equations
    long factors;  ///< of iteration matrices
    bool is_stiff; ///< an implicit method would take longer steps
} pkm_stepper_counts;

/// The verbs. `m` is what `create` made; statuses and contracts are those of explicit_rk.h.
typedef struct pkm_stepper_kind {
    const char* name;
    pkm_step_end end;
    bool projects; ///< its states are on the constraints to rounding
    /// Largest step times angular frequency of an undamped vibration; 0: no limit.
    double stable;
    /// The loosest tolerance at which bristles of surfaces at rest stay where they are.
    double resting;
    /// Memory for the system, which is copied; nothing later allocates.
    pkm_status (*create)(const pkm_stepper_system* system, void** m);
    void (*free)(void* m);
    pkm_status (*begin)(void* m, const pkm_rk_settings* settings, double t, const double* y);
    /// One accepted step towards t_limit > time and not beyond it; it ends there exactly.
    pkm_status (*step)(void* m, double t_limit);
    double (*time)(const void* m);
    const double* (*state)(const void* m); ///< [n] at `time`
    double (*last_step)(const void* m);    ///< 0 after a start
    /// What the next one would try; a limit that cut the last one does not count. NULL: not known.
    double (*next_step)(const void* m);
    /// The solution inside the last step.
    pkm_status (*dense)(void* m, double t, double* y);
    /// A cubic instead, where dense output costs rates that nothing has asked for yet. Returns
    /// whether it was the dense output after all. NULL: that costs none.
    bool (*rough)(const void* m, double t, double* y);
    /// Go on from (t, y), any time and state; `y` NULL: as it is. The next step tries `first_step`
    /// first; 0: chosen from the problem. Methods that find their own may pass it over.
    pkm_status (*restart)(void* m, double t, const double* y, double first_step);
    /// Take the last step again up to the time t inside it; NULL: the dense output is as exact.
    pkm_status (*repeat)(void* m, double t);
    pkm_stepper_counts (*counts)(const void* m);
} pkm_stepper_kind;

/// All steppers, by the name of their PKM_INTEGRATOR_ value and of their table:
///   explicit  Dormand-Prince 8(5,3) on the projected equations
///   bdf       SUNDIALS CVODE on the same equations, stiff forces implicit
///   sdirk     diagonally implicit Runge-Kutta of order 5 on them, stiff forces implicit
///   ida       SUNDIALS IDA, stabilised index 2: a second formulation
#define PKM_STEPPERS(X) X(EXPLICIT, explicit) X(BDF, bdf) X(SDIRK, sdirk) X(IDA, ida)

typedef enum pkm_integrator {
#define PKM_AS_VALUE(name, table) PKM_INTEGRATOR_##name,
    PKM_STEPPERS(PKM_AS_VALUE)
#undef PKM_AS_VALUE
        PKM_N_INTEGRATOR
} pkm_integrator;

const pkm_stepper_kind* pkm_stepper_kind_of(pkm_integrator integrator);
/// Their names in run files and on the command line, ended by NULL.
extern const char* const pkm_integrator_name[];

/// A stepper at work.
typedef struct pkm_stepper {
    const pkm_stepper_kind* kind;
    void* m;
} pkm_stepper;

/// @return PKM_ERR_MEMORY; `out` is then empty and may be freed.
PKM_NODISCARD pkm_status pkm_stepper_create(pkm_integrator integrator,
                                            const pkm_stepper_system* system, pkm_stepper* out);
void pkm_stepper_free(pkm_stepper* stepper);

#endif
