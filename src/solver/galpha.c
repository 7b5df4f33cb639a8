#include "solver/galpha.h"

#include "base/error.h"
#include "base/memory.h"
#include "solver/galpha_impl.h"
#include "solver/step_control.h"

#include <math.h>
#include <string.h>

// Step control (3.10).
static const double SAFETY = 0.9;
static const double MOST_SHRINK = 0.3, MOST_GROWTH = 2.0;
static const double KEEP_BELOW = 1.2;     // a smaller growth is not worth a new matrix
static const double FAILED_SHRINK = 0.25; // there is no error to go by

// ---- memory ------------------------------------------------------------------------------------

/// Hand out `n` numbers of the block, or only count them while there is no block.
static double* take(double* block, size_t* used, int n)
{
    double* at = block ? block + *used : NULL;
    *used += (size_t)n;
    return at;
}

static void lay_values(const pkm_dae* d, pkm_galpha_values* v, double* block, size_t* used)
{
    v->q = take(block, used, d->n_q);
    double** const by_v[] = {&v->v, &v->v_inner, &v->vdot, &v->a};
    for (int i = 0; i < 4; ++i)
        *by_v[i] = take(block, used, d->n_v);
    v->lambda = take(block, used, d->n_lambda);
    double** const by_z[] = {&v->z, &v->zdot, &v->z_alg};
    for (int i = 0; i < 3; ++i)
        *by_z[i] = take(block, used, d->n_z);
}

/// Set all pointers into `block`; returns how many numbers they take.
static size_t lay_out(pkm_galpha* g, double* block)
{
    const pkm_dae* d = &g->dae;
    size_t used = 0;
    lay_values(d, &g->now, block, &used);
    lay_values(d, &g->next, block, &used);
    lay_values(d, &g->guess, block, &used);
    double** const by_v[] = {&g->jerk, &g->offset, &g->v_from, &g->a_from, &g->raw_q, &g->dx_guess,
                             &g->dx,   &g->work,   &g->atol_q, &g->raw_v,  &g->atol_v};
    double** const by_lambda[] = {&g->lambda_slope, &g->atol_lambda};
    double** const by_z[] = {&g->z_slope, &g->z_alg_from, &g->atol_z};
    double** const by_n[] = {&g->x, &g->x_moved, &g->x_tol, &g->r_tol, &g->solved};
    for (size_t i = 0; i < sizeof by_v / sizeof *by_v; ++i)
        *by_v[i] = take(block, &used, d->n_v);
    for (size_t i = 0; i < sizeof by_lambda / sizeof *by_lambda; ++i)
        *by_lambda[i] = take(block, &used, d->n_lambda);
    for (size_t i = 0; i < sizeof by_z / sizeof *by_z; ++i)
        *by_z[i] = take(block, &used, d->n_z);
    for (size_t i = 0; i < sizeof by_n / sizeof *by_n; ++i)
        *by_n[i] = take(block, &used, g->n);
    return used;
}

pkm_status pkm_galpha_create(const pkm_dae* dae, pkm_galpha** out)
{
    *out = NULL;
    if (dae->n_v < 1 || dae->n_q < 1 || dae->n_lambda < 0 || dae->n_z < 0) return PKM_ERR_ARGUMENT;
    pkm_galpha* g = pkm_alloc(1, sizeof *g);
    if (!g) return PKM_ERR_MEMORY;
    g->dae = *dae;
    g->n = dae->n_v + dae->n_lambda + dae->n_z;
    g->block = pkm_alloc(lay_out(g, NULL), sizeof(double));
    pkm_status status = g->block ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK) status = pkm_newton_create(g->n, &g->newton);
    if (status != PKM_OK) {
        pkm_galpha_free(g);
        return status;
    }
    lay_out(g, g->block);
    *out = g;
    return PKM_OK;
}

void pkm_galpha_free(pkm_galpha* g)
{
    if (!g) return;
    pkm_newton_free(g->newton);
    pkm_free(g->block);
    pkm_free(g);
}

// ---- start -------------------------------------------------------------------------------------

pkm_galpha_settings pkm_galpha_defaults(void)
{
    return (pkm_galpha_settings){.rho = 0.8, .rtol = 1e-6, .lambda_rtol = 1e-6, .phi_tol = 1e-11};
}

/// The coefficients for a spectral radius rho at infinite frequency, (3.3), (3.6), (3.8).
static pkm_galpha_method method_of(double rho)
{
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
    const double delta = alpha_m - alpha_f, gamma = 0.5 - delta;
    const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const double offset = 1.0 / 6.0 - beta - 0.5 * delta;
    const double z_alpha_m = 0.5 * (3.0 * rho - 1.0) / (rho + 1.0), z_delta = z_alpha_m - alpha_f;
    return (pkm_galpha_method){
        .alpha_m = alpha_m,
        .alpha_f = alpha_f,
        .beta = beta,
        .gamma = gamma,
        .delta = delta,
        .offset = offset,
        .z_alpha_m = z_alpha_m,
        .z_gamma = 0.5 - z_delta,
        .z_delta = z_delta,
    };
}

static bool are_positive(int n, const double* x)
{
    for (int i = 0; i < n; ++i)
        if (!x || !(x[i] > 0.0)) return false;
    return true;
}

static bool are_settings_fine(const pkm_dae* d, const pkm_galpha_settings* s)
{
    // Without damping, multipliers oscillate more and more.
    const bool is_rho_fine = s->rho >= 0.0 && (d->n_lambda > 0 ? s->rho < 1.0 : s->rho <= 1.0);
    if (!is_rho_fine || !(s->rtol >= 0.0)) return false;
    if (!(s->lambda_rtol >= 0.0) || !(s->phi_tol > 0.0) || !(s->regularise >= 0.0)) return false;
    if (!(s->first_step >= 0.0) || !(s->min_step >= 0.0) || !(s->max_step >= 0.0)) return false;
    if (s->max_step > 0.0 && s->min_step > s->max_step) return false;
    if (s->is_fixed && s->first_step == 0.0) return false;
    return are_positive(d->n_v, s->atol_q) && are_positive(d->n_v, s->atol_v) &&
           are_positive(d->n_lambda, s->atol_lambda) && are_positive(d->n_z, s->atol_z);
}

static void copy(int n, double* to, const double* from)
{
    if (n > 0 && from) memcpy(to, from, (size_t)n * sizeof *to);
}

static void take_settings(pkm_galpha* g, const pkm_galpha_settings* s)
{
    const pkm_dae* d = &g->dae;
    g->set = *s;
    copy(d->n_v, g->atol_q, s->atol_q);
    copy(d->n_v, g->atol_v, s->atol_v);
    copy(d->n_z, g->atol_z, s->atol_z);
    copy(d->n_lambda, g->atol_lambda, s->atol_lambda);
    if (s->max_step == 0.0) g->set.max_step = INFINITY;
    for (int i = 0; i < g->n; ++i)
        g->r_tol[i] = i >= d->n_v && i < d->n_v + d->n_lambda ? s->phi_tol : INFINITY;
    g->method = method_of(s->rho);
}

pkm_status pkm_galpha_begin(pkm_galpha* g, const pkm_dae* dae, const pkm_galpha_settings* settings,
                            double t0, const pkm_galpha_start* start)
{
    const pkm_dae* d = &g->dae;
    if (dae->n_q != d->n_q || dae->n_v != d->n_v) return PKM_ERR_ARGUMENT;
    if (dae->n_lambda != d->n_lambda || dae->n_z != d->n_z) return PKM_ERR_ARGUMENT;
    if (!isfinite(t0) || !are_settings_fine(dae, settings)) return PKM_ERR_ARGUMENT;
    if (!start->q || !start->v || !start->vdot) return PKM_ERR_ARGUMENT;
    if ((d->n_lambda > 0 && !start->lambda) || (d->n_z > 0 && !start->z)) return PKM_ERR_ARGUMENT;
    g->dae = *dae;
    take_settings(g, settings);
    g->report = (pkm_galpha_report){0};
    g->t = t0;
    g->mu_noise = 0.0;
    return pkm_galpha_restart(g, start);
}

/// z' = f at the present state: the residual zr = z' - f with z' = 0.
static pkm_status find_z_rate(pkm_galpha* g)
{
    memset(g->now.zdot, 0, (size_t)g->dae.n_z * sizeof(double));
    const pkm_dae_point at = pkm_galpha_state(g);
    double *r = g->solved, *phi = r + g->dae.n_v, *zr = phi + g->dae.n_lambda;
    ++g->report.residuals;
    PKM_TRY(g->dae.residual(g->dae.user, &at, r, phi, zr));
    for (int i = 0; i < g->dae.n_z; ++i)
        g->now.zdot[i] = -zr[i];
    return PKM_OK;
}

pkm_status pkm_galpha_restart(pkm_galpha* g, const pkm_galpha_start* start)
{
    const pkm_dae* d = &g->dae;
    copy(d->n_q, g->now.q, start->q);
    copy(d->n_v, g->now.v, start->v);
    copy(d->n_v, g->now.vdot, start->vdot);
    copy(d->n_lambda, g->now.lambda, start->lambda);
    copy(d->n_z, g->now.z, start->z);
    g->is_start = true;
    g->h_last = 0.0;
    g->h_next = g->set.first_step;
    g->h_matrix = 0.0;
    g->unfiltered = 0;
    pkm_newton_forget(g->newton);
    return find_z_rate(g);
}

// ---- steps -------------------------------------------------------------------------------------

/// A first step that the acceleration turns into a tolerance of position, or a hundredth of the
/// way.
static double first_step(const pkm_galpha* g, double way)
{
    double sum = 0.0;
    for (int i = 0; i < g->dae.n_v; ++i) {
        const double part = g->now.vdot[i] / g->atol_q[i];
        sum += part * part;
    }
    const double bend = sqrt(sum / g->dae.n_v);
    const double h = bend > 0.0 ? sqrt(2.0 / bend) : way;
    return fmin(fmin(h, 0.01 * way), g->set.max_step);
}

static void accept_step(pkm_galpha* g)
{
    const double h = g->h;
    for (int i = 0; i < g->dae.n_v; ++i)
        g->jerk[i] = (g->next.vdot[i] - g->now.vdot[i]) / h;
    for (int i = 0; i < g->dae.n_lambda; ++i)
        g->lambda_slope[i] = (g->next.lambda[i] - g->now.lambda[i]) / h;
    for (int i = 0; i < g->dae.n_z; ++i)
        g->z_slope[i] = (g->next.zdot[i] - g->now.zdot[i]) / h;
    const pkm_galpha_values spare = g->now;
    g->now = g->next;
    g->next = spare;
    g->t = g->t_end;
    g->h_last = h;
    g->is_start = false;
    ++g->report.steps;
}

/// One trial step and its error. A start finds its slopes first.
static pkm_status try_step(pkm_galpha* g, double h, double t_end, double* error)
{
    if (g->is_start) PKM_TRY(pkm_galpha_find_slopes(g, h, t_end));
    PKM_TRY(pkm_galpha_try(g, h, t_end));
    *error = 0.0;
    return g->set.is_fixed ? PKM_OK : pkm_galpha_error(g, error);
}

/// Factor from this step to the next by the error, (3.10).
static double step_factor(double error)
{
    const double factor = SAFETY * pow(error, -1.0 / 3.0);
    return fmin(MOST_GROWTH, fmax(MOST_SHRINK, factor));
}

/// Proposal after an accepted step of this length. A step cut by the limit does not shorten later
/// ones.
static double next_length(const pkm_galpha* g, double length, double proposed, double error,
                          bool is_first)
{
    if (g->set.is_fixed) return g->set.first_step;
    double factor = step_factor(error);
    if (!is_first) factor = fmin(factor, 1.0);
    if (factor > 1.0 && factor < KEEP_BELOW) factor = 1.0;
    const double kept = is_first && length < proposed ? proposed : 0.0;
    return fmax(length * factor, kept);
}

/// Trial steps of falling length until one is accepted.
static pkm_status search_step(pkm_galpha* g, double direction, double way, double t_limit)
{
    const double least = pkm_step_least(g->set.min_step, g->t);
    double proposed = fmin(fmax(g->h_next, least), g->set.max_step);
    for (bool is_first = true;; is_first = false) {
        const double length = pkm_step_fit(proposed, way), h = direction * length;
        double error = 0.0;
        const pkm_status status = try_step(g, h, length == way ? t_limit : g->t + h, &error);
        if (status != PKM_OK && g->broken != PKM_OK) return g->broken;
        if (status == PKM_OK && error <= 1.0) {
            accept_step(g);
            g->h_next = next_length(g, length, proposed, error, is_first);
            return PKM_OK;
        }
        ++*(status == PKM_OK      ? &g->report.rejected
            : status == PKM_RETRY ? &g->report.retries
                                  : &g->report.failures);
        if (length <= least)
            return status == PKM_ERR_SINGULAR ? PKM_ERR_SINGULAR : PKM_ERR_CONVERGENCE;
        const double factor = status == PKM_OK ? fmin(step_factor(error), SAFETY) : FAILED_SHRINK;
        proposed = g->h_next = fmax(length * factor, least);
    }
}

pkm_status pkm_galpha_step(pkm_galpha* g, double t_limit)
{
    const double way = fabs(t_limit - g->t), direction = t_limit < g->t ? -1.0 : 1.0;
    if (!isfinite(way)) return PKM_ERR_ARGUMENT;
    if (way == 0.0) return PKM_OK;
    if (g->h_next == 0.0) g->h_next = first_step(g, way);
    return search_step(g, direction, way, t_limit);
}

pkm_dae_point pkm_galpha_state(const pkm_galpha* g)
{
    const pkm_galpha_values* n = &g->now;
    return (pkm_dae_point){.t = g->t,
                           .q = n->q,
                           .v = n->v,
                           .vdot = n->vdot,
                           .lambda = n->lambda,
                           .z = n->z,
                           .zdot = n->zdot};
}

double pkm_galpha_time(const pkm_galpha* g)
{
    return g->t;
}

double pkm_galpha_last_step(const pkm_galpha* g)
{
    return g->h_last;
}

pkm_galpha_report pkm_galpha_get_report(const pkm_galpha* g)
{
    return g->report;
}
