#include "base/error.h"
#include "solver/galpha_impl.h"

#include <math.h>
#include <string.h>

static const double NEWTON_SHARE = 0.02;    // of the tolerances, left to the iteration
static const double POSITION_NOISE = 2e-14; // of q and phi by rounding, for sizes near 1

static void copy(int n, double* to, const double* from)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/// out = a + s (b - a)
static void blend(int n, const double* a, double s, const double* b, double* out)
{
    for (int i = 0; i < n; ++i)
        out[i] = a[i] + s * (b[i] - a[i]);
}

/// out = a + s b
static void add(int n, const double* a, double s, const double* b, double* out)
{
    for (int i = 0; i < n; ++i)
        out[i] = a[i] + s * b[i];
}

pkm_status pkm_galpha_heard(pkm_galpha* g, pkm_status status)
{
    if (status != PKM_OK && status != PKM_RETRY) g->broken = status;
    return status;
}

/// The method's values at the start of a step of length h (3.7): those that belong to t + delta h
/// and the offset of the velocity follow the length of the step.
static void rescale(pkm_galpha* g, double h)
{
    const pkm_galpha_values* n = &g->now;
    const double ratio = h / g->h_last;
    blend(g->dae.n_v, n->vdot, ratio, n->a, g->a_from);
    blend(g->dae.n_v, n->v, ratio * ratio, n->v_inner, g->v_from);
    blend(g->dae.n_z, n->zdot, ratio, n->z_alg, g->z_alg_from);
}

/// The same where there was no step before, from what pkm_galpha_find_slopes found (3.8).
static void make_start(pkm_galpha* g, double h)
{
    const double ratio = h / g->h_offset;
    add(g->dae.n_v, g->now.vdot, g->method.delta * h, g->jerk, g->a_from);
    add(g->dae.n_v, g->now.v, ratio * ratio, g->offset, g->v_from);
    add(g->dae.n_z, g->now.zdot, g->method.z_delta * h, g->z_slope, g->z_alg_from);
}

/// Guess v', lambda and z' at the end along their slopes; the rest follows from (3.2).
static void predict(pkm_galpha* g)
{
    const pkm_galpha_method* m = &g->method;
    const double h = g->h;
    pkm_galpha_values* p = &g->guess;
    for (int i = 0; i < g->dae.n_v; ++i) {
        const double vdot = g->now.vdot[i], a = g->a_from[i], v = g->v_from[i];
        p->vdot[i] = vdot + h * g->jerk[i];
        p->a[i] = ((1.0 - m->alpha_f) * p->vdot[i] + m->alpha_f * vdot - m->alpha_m * a) /
                  (1.0 - m->alpha_m);
        p->v[i] = v + h * ((1.0 - m->gamma) * a + m->gamma * p->a[i]);
        g->dx_guess[i] = h * v + h * h * ((0.5 - m->beta) * a + m->beta * p->a[i]);
    }
    add(g->dae.n_lambda, g->now.lambda, h, g->lambda_slope, p->lambda);
    for (int i = 0; i < g->dae.n_z; ++i) {
        const double zdot = g->now.zdot[i], w = g->z_alg_from[i];
        p->zdot[i] = zdot + h * g->z_slope[i];
        p->z_alg[i] = ((1.0 - m->alpha_f) * p->zdot[i] + m->alpha_f * zdot - m->z_alpha_m * w) /
                      (1.0 - m->z_alpha_m);
        p->z[i] = g->now.z[i] + h * ((1.0 - m->z_gamma) * w + m->z_gamma * p->z_alg[i]);
    }
}

pkm_dae_slopes pkm_galpha_slopes(const pkm_galpha* g)
{
    const pkm_galpha_method* m = &g->method;
    const double h = g->h;
    return (pkm_dae_slopes){
        .v = m->gamma / (m->beta * h),
        .vdot = (1.0 - m->alpha_m) / ((1.0 - m->alpha_f) * m->beta * h * h),
        .zdot = (1.0 - m->z_alpha_m) / ((1.0 - m->alpha_f) * m->z_gamma * h),
    };
}

/// `next` from the prediction and the corrections x = (dx, h^2 lambda, z), (3.4).
static void correct(pkm_galpha* g, const double* x)
{
    const pkm_galpha_method* m = &g->method;
    const pkm_dae_slopes slope = pkm_galpha_slopes(g);
    const double h = g->h;
    const int n_v = g->dae.n_v, n_lambda = g->dae.n_lambda;
    const double *mu = x + n_v, *s = mu + n_lambda;
    add(n_v, g->dx_guess, 1.0, x, g->dx);
    g->dae.move(g->dae.user, g->now.q, g->dx, g->next.q);
    add(n_v, g->guess.a, 1.0 / (m->beta * h * h), x, g->next.a);
    add(n_v, g->guess.v, slope.v, x, g->next.v_inner);
    add(n_v, g->guess.vdot, slope.vdot, x, g->next.vdot);
    add(n_lambda, g->guess.lambda, 1.0 / (h * h), mu, g->next.lambda);
    add(g->dae.n_z, g->guess.z, 1.0, s, g->next.z);
    add(g->dae.n_z, g->guess.z_alg, 1.0 / (m->z_gamma * h), s, g->next.z_alg);
    add(g->dae.n_z, g->guess.zdot, slope.zdot, s, g->next.zdot);
}

pkm_dae_point pkm_galpha_point(const pkm_galpha* g)
{
    return (pkm_dae_point){.t = g->t_end,
                           .q = g->next.q,
                           .v = g->next.v_inner,
                           .vdot = g->next.vdot,
                           .lambda = g->next.lambda,
                           .z = g->next.z,
                           .zdot = g->next.zdot};
}

pkm_status pkm_galpha_residual(void* user, const double* x, double* r)
{
    pkm_galpha* g = user;
    const pkm_dae* d = &g->dae;
    correct(g, x);
    const pkm_dae_point at = pkm_galpha_point(g);
    double *phi = r + d->n_v, *zr = phi + d->n_lambda;
    ++g->report.residuals;
    PKM_TRY(pkm_galpha_heard(g, d->residual(d->user, &at, r, phi, zr)));
    for (int i = 0; i < d->n_v; ++i)
        r[i] *= g->h * g->h;
    for (int i = 0; i < d->n_z; ++i)
        zr[i] *= g->h;
    return PKM_OK;
}

/// What may remain of the error of x after the iteration: a share of the tolerances, but not less
/// than rounding leaves.
static void set_tolerances(pkm_galpha* g)
{
    const pkm_galpha_settings* s = &g->set;
    const double h = fabs(g->h), slope = fabs(pkm_galpha_slopes(g).v);
    double* tol = g->x_tol;
    for (int i = 0; i < g->dae.n_v; ++i) {
        const double v_tol = g->atol_v[i] + s->rtol * fabs(g->guess.v[i]);
        *tol++ = fmax(NEWTON_SHARE * fmin(g->atol_q[i], v_tol / slope), POSITION_NOISE);
    }
    double largest = 0.0;
    for (int i = 0; i < g->dae.n_lambda; ++i)
        largest = fmax(largest, fmax(fabs(g->now.lambda[i]), fabs(g->guess.lambda[i])));
    for (int i = 0; i < g->dae.n_lambda; ++i)
        *tol++ = fmax(h * h * (g->atol_lambda[i] + s->lambda_rtol * largest), g->mu_noise);
    for (int i = 0; i < g->dae.n_z; ++i)
        *tol++ = NEWTON_SHARE * (g->atol_z[i] + s->rtol * fabs(g->guess.z[i]));
}

/// Newton's iteration from the prediction; `next` is the solution.
static pkm_status solve(pkm_galpha* g)
{
    predict(g);
    set_tolerances(g);
    memset(g->x, 0, (size_t)g->n * sizeof *g->x);
    const double ratio = g->h_matrix / g->h;
    if (!(ratio > 0.7 && ratio < 1.4)) pkm_newton_forget(g->newton);

    const pkm_newton_system system = {.n = g->n,
                                      .user = g,
                                      .residual = pkm_galpha_residual,
                                      .jacobian = pkm_galpha_matrix,
                                      .x_tol = g->x_tol,
                                      .r_tol = g->r_tol,
                                      .max_jacobians = 3};
    pkm_newton_report report;
    const pkm_status status = pkm_newton_solve(g->newton, &system, g->x, &report);
    g->report.iterations += report.iterations;
    g->report.matrices += report.jacobians;
    return status;
}

pkm_status pkm_galpha_try(pkm_galpha* g, double h, double t_end)
{
    const pkm_dae* d = &g->dae;
    g->h = h;
    g->t_end = t_end;
    g->broken = PKM_OK;
    if (g->is_start)
        make_start(g, h);
    else
        rescale(g, h);
    PKM_TRY(solve(g));

    copy(d->n_v, g->next.v, g->next.v_inner);
    if (d->n_lambda > 0 && d->project_velocity)
        PKM_TRY(pkm_galpha_heard(g, d->project_velocity(d->user, t_end, g->next.q, g->next.v)));
    return PKM_OK;
}

/// Split `change` of a velocity at the start into a part along the constraints, which stays in
/// `change`, and the part across them.
static pkm_status split(pkm_galpha* g, double* change, double* across)
{
    const pkm_dae* d = &g->dae;
    memset(across, 0, (size_t)d->n_v * sizeof *across);
    if (d->n_lambda == 0 || !d->project_velocity) return PKM_OK;
    add(d->n_v, g->now.v, 1.0, change, across);
    PKM_TRY(pkm_galpha_heard(g, d->project_velocity(d->user, g->t, g->now.q, across)));
    for (int i = 0; i < d->n_v; ++i) {
        const double along = across[i] - g->now.v[i];
        across[i] = change[i] - along;
        change[i] = along;
    }
    return PKM_OK;
}

/// Improve jerk and offset by what a trial step with them did (3.8). Along the constraints the
/// observed jerk is right; across them, jerk and offset follow from two linear equations.
static pkm_status improve_start(pkm_galpha* g, double h)
{
    const pkm_galpha_method* m = &g->method;
    const double k = (1.0 - m->alpha_f) / (1.0 - m->alpha_m);
    const double l = m->alpha_m * m->delta / (1.0 - m->alpha_m);
    const double below = (1.0 - m->gamma) * m->delta + m->gamma * (k - l);
    double *along = g->dx, *across = g->work;
    for (int i = 0; i < g->dae.n_v; ++i)
        along[i] = (g->next.vdot[i] - g->now.vdot[i]) / h - g->jerk[i];
    PKM_TRY(split(g, along, across));
    const bool has_offset = g->dae.n_lambda > 0 && g->dae.project_velocity;
    for (int i = 0; i < g->dae.n_v; ++i) {
        const double end = g->next.v_inner[i] - g->next.v[i];
        const double grown = has_offset ? (end - g->offset[i]) / (h * h) : 0.0;
        const double j = has_offset ? (grown - m->gamma * k * across[i]) / below : 0.0;
        const double a_end = k * (j + across[i]) - l * j; // error of a at the end, by h
        g->jerk[i] += along[i] - j;
        if (has_offset) g->offset[i] += h * h * ((0.5 - m->beta) * m->delta * j + m->beta * a_end);
    }
    return PKM_OK;
}

pkm_status pkm_galpha_find_slopes(pkm_galpha* g, double h, double t_end)
{
    const pkm_dae* d = &g->dae;
    memset(g->jerk, 0, (size_t)d->n_v * sizeof *g->jerk);
    memset(g->offset, 0, (size_t)d->n_v * sizeof *g->offset);
    memset(g->z_slope, 0, (size_t)d->n_z * sizeof *g->z_slope);
    memset(g->lambda_slope, 0, (size_t)d->n_lambda * sizeof *g->lambda_slope);
    g->h_offset = h;
    for (int pass = 0; pass < 2; ++pass) {
        PKM_TRY(pkm_galpha_try(g, h, t_end));
        PKM_TRY(improve_start(g, h));
        for (int i = 0; i < d->n_z; ++i)
            g->z_slope[i] = (g->next.zdot[i] - g->now.zdot[i]) / h;
        for (int i = 0; i < d->n_lambda; ++i)
            g->lambda_slope[i] = (g->next.lambda[i] - g->now.lambda[i]) / h;
    }
    return PKM_OK;
}
