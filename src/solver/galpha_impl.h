/// Inside of the generalised-alpha integrator: galpha.c chooses steps, galpha_step.c makes one,
/// galpha_matrix.c has its iteration matrix, galpha_error.c its error.
#ifndef PKM_SOLVER_GALPHA_IMPL_H
#define PKM_SOLVER_GALPHA_IMPL_H

#include "solver/galpha.h"
#include "solver/newton_dense.h"

/// Coefficients of the method (3.3).
typedef struct pkm_galpha_method {
    double alpha_m, alpha_f, beta, gamma;
    double delta;  ///< a belongs to t + delta h
    double offset; ///< C of (3.6)
    double z_alpha_m, z_gamma, z_delta;
} pkm_galpha_method;

/// What is known at one time.
typedef struct pkm_galpha_values {
    double *q, *v;   ///< v is on the constraints
    double* v_inner; ///< the velocity that the method goes on with (3.6)
    double *vdot, *a;
    double* lambda;
    double *z, *zdot, *z_alg; ///< z_alg is to z' what a is to v'
} pkm_galpha_values;

struct pkm_galpha {
    pkm_dae dae;
    pkm_galpha_settings set;
    pkm_galpha_method method;
    pkm_newton* newton;
    pkm_galpha_report report;
    pkm_status broken; ///< a callback's failure that is not PKM_RETRY

    double t, h_last; ///< h_last is signed
    double h_next;    ///< proposed, without sign; 0: not chosen yet
    double h_matrix;  ///< of the present iteration matrix
    double mu_noise;  ///< of h^2 lambda, from rounding in phi
    bool is_start;

    pkm_galpha_values now, next;

    // Slopes over the last step; after a start the derivatives there.
    double *jerk, *z_slope, *lambda_slope;
    double* offset; ///< of v_inner at a start, for a step of h_offset
    double h_offset;

    // The trial step: its length and end, values at its start fit to it, and the prediction.
    double h, t_end;
    double *v_from, *a_from, *z_alg_from;
    pkm_galpha_values guess;
    double* dx_guess;  ///< [n_v]
    double *dx, *work; ///< [n_v]

    int n; ///< unknowns: (dx, h^2 lambda, z) as corrections of the prediction
    double *x, *x_moved, *x_tol, *r_tol, *solved; ///< [n]
    double *raw_q, *raw_v; ///< [n_v] errors of the trial step before the filter
    int unfiltered;        ///< steps for which the filter is not worth its cost
    double *atol_q, *atol_v, *atol_z, *atol_lambda;
    double* block;
};

/// One step of signed length h to t_end, from `now` to `next`. Leaves `now` alone.
/// @return PKM_RETRY, PKM_ERR_CONVERGENCE, PKM_ERR_SINGULAR; g->broken when a callback failed.
pkm_status pkm_galpha_try(pkm_galpha* g, double h, double t_end);

/// Jerk, slopes and the offset of the velocity at a start, from trial steps of length h (3.8).
pkm_status pkm_galpha_find_slopes(pkm_galpha* g, double h, double t_end);

/// Error of the trial step relative to the tolerances (3.9); at most 1 is accepted.
pkm_status pkm_galpha_error(pkm_galpha* g, double* error);

/// The residual of Newton's iteration (3.5), and its matrix.
pkm_status pkm_galpha_residual(void* user, const double* x, double* r);
pkm_status pkm_galpha_matrix(void* user, const double* x, const double* r, double* S);

/// dv and dv' for a change of dx, and dz' for one of z, with the present h.
pkm_dae_slopes pkm_galpha_slopes(const pkm_galpha* g);

/// `next` as a point, with the velocity that the method uses.
pkm_dae_point pkm_galpha_point(const pkm_galpha* g);

/// Keep a callback's failure apart from those of the iteration; returns `status`.
pkm_status pkm_galpha_heard(pkm_galpha* g, pkm_status status);

#endif
