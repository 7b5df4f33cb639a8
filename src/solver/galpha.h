/// Generalised-alpha integration of constrained mechanical systems of index 3 on a Lie group
/// (Chung and Hulbert; Bruels, Cardona and Arnold; docs/theory/integrators.md, section 3).
///
///     r(t, q, v, v', lambda, z) = 0        equations of motion             [n_v]
///     phi(t, q) = 0                        constraints                     [n_lambda]
///     z' - f(t, q, v, v', lambda, z) = 0   further states of first order   [n_z]
///
/// For stiff problems. Second order in all unknowns, multipliers included, with error control. The
/// configuration q is opaque: only the callback `move` changes it. The multipliers may enter r and
/// f nonlinearly (friction). Positions and velocities stay on the constraints.
#ifndef PKM_SOLVER_GALPHA_H
#define PKM_SOLVER_GALPHA_H

#include "pkm/status.h"

#include <stdbool.h>

/// Where a system is evaluated.
typedef struct pkm_dae_point {
    double t;
    const double* q;      ///< [n_q]
    const double* v;      ///< [n_v]
    const double* vdot;   ///< [n_v]
    const double* lambda; ///< [n_lambda]
    const double* z;      ///< [n_z]
    const double* zdot;   ///< [n_z]
} pkm_dae_point;

/// Derivatives along a change of the unknowns: dv = v dq, dv' = vdot dq, dz' = zdot dz.
typedef struct pkm_dae_slopes {
    double v, vdot, zdot;
} pkm_dae_slopes;

/// A mechanical system. The callbacks answer PKM_RETRY for "not at this trial state", and the step
/// shrinks; any other failure ends the step with that status.
typedef struct pkm_dae {
    int n_q, n_v, n_lambda, n_z;
    void* user; ///< handed to the callbacks

    /// out = q moved by the increment dx [n_v], which is measured as v times time. `out` is not q.
    void (*move)(void* user, const double* q, const double* dx, double* out);

    /// r [n_v], phi [n_lambda], zr [n_z] = z' - f.
    pkm_status (*residual)(void* user, const pkm_dae_point* at, double* r, double* phi, double* zr);

    /// The matrix of the linearised residual, column-major, rows (r, phi, zr), columns (dq,
    /// dlambda, dz), dv and dv' following dq as `slopes` says. NULL: difference quotients.
    pkm_status (*matrix)(void* user, const pkm_dae_point* at, const pkm_dae_slopes* slopes,
                         double* S);

    /// Make v satisfy the time derivative of the constraints, by the least change in some fixed
    /// metric. May be NULL: velocities then satisfy it to second order only, and multipliers start
    /// with an oscillation of first order that dies away.
    pkm_status (*project_velocity)(void* user, double t, const double* q, double* v);
} pkm_dae;

typedef struct pkm_galpha_settings {
    double rho;           ///< spectral radius at infinite frequency: 0 damps most, 1 (without
                          ///< constraints only) nothing
    double rtol;          ///< relative tolerance of v and z
    const double* atol_q; ///< [n_v] absolute tolerance of q, as increments; copied, as the others
    const double* atol_v; ///< [n_v]
    const double* atol_z; ///< [n_z]
    double lambda_rtol;   ///< relative to the largest multiplier: convergence of the iteration
    const double* atol_lambda; ///< [n_lambda]
    double phi_tol;            ///< what may remain of phi
    double regularise; ///< 0 for independent constraints; 1e-4 lets them be redundant (3.12)
    double first_step; ///< 0: chosen from the problem
    double min_step;   ///< 0: what rounding allows
    double max_step;   ///< 0: no limit
    bool is_fixed;     ///< steps of first_step without error control
} pkm_galpha_settings;

/// rho 0.8, rtol 1e-6, lambda_rtol 1e-6, phi_tol 1e-11, steps chosen. The absolute tolerances are
/// the caller's.
pkm_galpha_settings pkm_galpha_defaults(void);

/// Consistent values to start with: r = 0, phi = 0 and its first two time derivatives.
typedef struct pkm_galpha_start {
    const double *q, *v, *vdot, *lambda, *z;
} pkm_galpha_start;

/// Counts since pkm_galpha_begin.
typedef struct pkm_galpha_report {
    int steps;      ///< accepted
    int rejected;   ///< trial steps whose error was too large
    int retries;    ///< trial steps given up because a callback said PKM_RETRY
    int failures;   ///< trial steps whose iteration did not converge
    int iterations; ///< of Newton
    int residuals;  ///< calls of `residual`, those for difference quotients included
    int matrices;   ///< made and factored
} pkm_galpha_report;

typedef struct pkm_galpha pkm_galpha;

/// An integrator for systems of the sizes of `dae`. @return PKM_ERR_MEMORY, PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_galpha_create(const pkm_dae* dae, pkm_galpha** out);
void pkm_galpha_free(pkm_galpha* g);

/// Start at t0; allocates nothing, as all that follows. @return PKM_ERR_ARGUMENT for settings out
/// of range or other sizes; a failure of `residual` at the start.
PKM_NODISCARD pkm_status pkm_galpha_begin(pkm_galpha* g, const pkm_dae* dae,
                                          const pkm_galpha_settings* settings, double t0,
                                          const pkm_galpha_start* start);

/// Go on from the present time after a jump of the forces or of the state, with new consistent
/// values; members of `start` that are NULL stay. Counts continue.
PKM_NODISCARD pkm_status pkm_galpha_restart(pkm_galpha* g, const pkm_galpha_start* start);

/// One accepted step towards `t_limit`, which may lie before the present time, and not beyond it;
/// the last step ends at `t_limit` exactly. At `t_limit` nothing happens. After a failure the state
/// is the last accepted one.
///
/// @return PKM_ERR_CONVERGENCE or PKM_ERR_SINGULAR when the step falls below min_step (the latter
///         when the matrix had no inverse); a failure of a callback.
PKM_NODISCARD pkm_status pkm_galpha_step(pkm_galpha* g, double t_limit);

/// The present state; v is on the constraints. The pointers hold until the next step.
pkm_dae_point pkm_galpha_state(const pkm_galpha* g);
double pkm_galpha_time(const pkm_galpha* g);
double pkm_galpha_last_step(const pkm_galpha* g); ///< signed; 0 before the first

pkm_galpha_report pkm_galpha_get_report(const pkm_galpha* g);

#endif
