#include "base/error.h"
#include "solver/galpha_impl.h"

#include <math.h>
#include <stddef.h>

static const double RELATIVE_STEP = 1e-7; // of difference quotients
static const double LEAST_MOVE = 1e-9;    // of q, for the derivative of phi by differences
static const double CONSTRAINT_MOVE = 1e-7;
static const double POSITION_NOISE = 2e-14;

static double largest(int n, const double* x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i]));
    return most;
}

/// Change of unknown j for a difference quotient: velocities, multipliers and states move by a
/// small part of themselves or of their tolerance.
static double increment(const pkm_galpha* g, int j)
{
    const int n_v = g->dae.n_v, n_lambda = g->dae.n_lambda;
    if (j < n_v) {
        const double* v = g->next.v_inner;
        const double least = fmax(0.1 * RELATIVE_STEP * largest(n_v, v), 0.1 * g->atol_v[j]);
        return fmax(RELATIVE_STEP * fabs(v[j]), least) / fabs(pkm_galpha_slopes(g).v);
    }
    if (j < n_v + n_lambda) {
        const double* lambda = g->next.lambda;
        const double least =
            fmax(RELATIVE_STEP * largest(n_lambda, lambda), 0.1 * g->atol_lambda[j - n_v]);
        return least * g->h * g->h;
    }
    const int k = j - n_v - n_lambda;
    return fmax(RELATIVE_STEP * fabs(g->next.z[k]), 0.1 * g->atol_z[k]);
}

/// column = (residual(x + e) - r) / e for unknown j.
static pkm_status difference(pkm_galpha* g, int j, double e, const double* r, double* column)
{
    const double x = g->x_moved[j];
    g->x_moved[j] = x + e;
    const double moved_by = g->x_moved[j] - x; // what is left of e after rounding
    const pkm_status status = pkm_galpha_residual(g, g->x_moved, column);
    g->x_moved[j] = x;
    for (int i = 0; i < g->n && status == PKM_OK; ++i)
        column[i] = (column[i] - r[i]) / moved_by;
    return status;
}

/// The same on the other side where the residual cannot be evaluated.
static pkm_status difference_either(pkm_galpha* g, int j, double e, const double* r, double* column)
{
    const pkm_status status = difference(g, j, e, r, column);
    return status == PKM_RETRY ? difference(g, j, -e, r, column) : status;
}

/// One column of the matrix. The constraints see q alone, and its change may be too small for them:
/// they get a larger one.
static pkm_status make_column(pkm_galpha* g, int j, const double* r, double* column)
{
    const double e = increment(g, j);
    const int n_v = g->dae.n_v, n_lambda = g->dae.n_lambda;
    PKM_TRY(difference_either(g, j, e, r, column));
    if (j >= n_v || n_lambda == 0 || e >= LEAST_MOVE) return PKM_OK;

    PKM_TRY(difference_either(g, j, CONSTRAINT_MOVE, r, g->solved));
    for (int i = n_v; i < n_v + n_lambda; ++i)
        column[i] = g->solved[i];
    return PKM_OK;
}

/// The caller's matrix with the scales of (3.5): rows r by h^2, zr by h, columns lambda by h^-2.
static pkm_status given_matrix(pkm_galpha* g, double* S)
{
    const pkm_dae_point at = pkm_galpha_point(g);
    const pkm_dae_slopes slopes = pkm_galpha_slopes(g);
    const int n_v = g->dae.n_v, n_lambda = g->dae.n_lambda;
    PKM_TRY(pkm_galpha_heard(g, g->dae.matrix(g->dae.user, &at, &slopes, S)));
    for (int j = 0; j < g->n; ++j) {
        const bool is_lambda = j >= n_v && j < n_v + n_lambda;
        for (int i = 0; i < g->n; ++i) {
            const double row = i < n_v ? g->h * g->h : i < n_v + n_lambda ? 1.0 : g->h;
            S[i + (size_t)j * (size_t)g->n] *= is_lambda ? row / (g->h * g->h) : row;
        }
    }
    return PKM_OK;
}

/// Rounding in phi moves h^2 lambda by this: noise of phi, times mass, by slope of phi.
static void measure_noise(pkm_galpha* g, const double* S)
{
    double mass = 0.0, slope = 0.0;
    for (int j = 0; j < g->dae.n_v; ++j) {
        const double* column = S + (size_t)j * (size_t)g->n;
        mass = fmax(mass, largest(g->dae.n_v, column));
        slope = fmax(slope, largest(g->dae.n_lambda, column + g->dae.n_v));
    }
    g->mu_noise = slope > 0.0 ? POSITION_NOISE * mass / slope : 0.0;
}

/// Put a little flexibility, a part of (G M^-1 G')_ii with the diagonal of M, into each constraint
/// of the matrix (3.12): redundant ones then share the load, and the residual keeps them exact.
static void regularise(const pkm_galpha* g, double* S)
{
    const size_t n = (size_t)g->n, n_v = (size_t)g->dae.n_v;
    for (size_t i = n_v; i < n_v + (size_t)g->dae.n_lambda; ++i) {
        double flexibility = 0.0;
        for (size_t j = 0; j < n_v; ++j) {
            const double mass = fabs(S[j + j * n]), slope = S[i + j * n];
            if (mass > 0.0) flexibility += slope * slope / mass;
        }
        S[i + i * n] -= g->set.regularise * flexibility;
    }
}

pkm_status pkm_galpha_matrix(void* user, const double* x, const double* r, double* S)
{
    pkm_galpha* g = user;
    g->h_matrix = g->h;
    if (g->dae.matrix) {
        PKM_TRY(given_matrix(g, S));
    } else {
        for (int i = 0; i < g->n; ++i)
            g->x_moved[i] = x[i];
        for (int j = 0; j < g->n; ++j)
            PKM_TRY(make_column(g, j, r, S + (size_t)j * (size_t)g->n));
    }
    measure_noise(g, S);
    if (g->set.regularise > 0.0) regularise(g, S);
    return PKM_OK;
}
