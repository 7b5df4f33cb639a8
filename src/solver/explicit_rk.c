// Coefficients and error estimate of Hairer, Norsett and Wanner's DOP853; projection after each
// step, whose size takes part in the error. docs/theory/integrators.md, section 1.
#include "solver/explicit_rk.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/unset.h"
#include "math/pair.h"
#include "solver/dop853_table.h"
#include "solver/step_control.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Step control (1.4): exponents of the present and the previous error, and bounds of the change.
static const double ERROR_EXPONENT = 1.0 / 8.0 - 0.2 * 0.04;
static const double MEMORY_EXPONENT = 0.04;
static const double SAFETY = 0.9;
static const double MOST_SHRINK = 1.0 / 3.0, MOST_GROWTH = 6.0;
static const double RETRY_SHRINK = 0.25; // there is no error to go by
// A projection may move the state by this many tolerances, or by this part of its size.
static const double PROJECTION_LIMIT = 1e3, PROJECTION_FLOOR = 1e-8;
static const double LEAST_ERROR = 1e-4; // of the previous step, as the controller remembers it

// Stiffness (1.7): the boundary of the stability domain, and how often it must be met.
static const double STIFF_EDGE = 6.1;
enum { STIFF_COUNT = 15, SMOOTH_COUNT = 6 };

struct pkm_rk {
    int n;
    pkm_ode ode;
    double rtol, first_step, min_step, max_step;
    const double* part; ///< of the tolerances, lent; NULL: 1
    double* atol;

    double t;     ///< present time
    double t_old; ///< at the start of the last step
    double h;     ///< proposed step, without sign; 0: not chosen yet
    double last;  ///< signed length of the last accepted step
    double last_error;
    bool has_dense; ///< the dense output of the last step is evaluated
    int stiff, smooth;
    pkm_rk_report report;

    double *y, *y_old, *y_new; ///< present, before the last step, trial
    double* y_stage;           ///< argument of the present stage
    double* y_last_stage;      ///< argument of stage 11, for the stiffness test
    double* k[DOP853_STAGES];  ///< rates; k[0] belongs to y_old, k[12] to y
    double* dense[DOP853_POWERS];
    double* block;
};

pkm_status pkm_rk_create(int n, pkm_rk** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_rk* rk = pkm_alloc(1, sizeof *rk);
    if (!rk) return PKM_ERR_MEMORY;
    const size_t size = (size_t)n;
    rk->n = n;
    rk->block = pkm_alloc(size * (6 + DOP853_STAGES + DOP853_POWERS), sizeof(double));
    if (!rk->block) {
        pkm_rk_free(rk);
        return PKM_ERR_MEMORY;
    }

    double* next = rk->block;
    double** const vector[] = {&rk->atol,  &rk->y,       &rk->y_old,
                               &rk->y_new, &rk->y_stage, &rk->y_last_stage};
    for (int i = 0; i < 6; ++i, next += size)
        *vector[i] = next;
    for (int s = 0; s < DOP853_STAGES; ++s, next += size)
        rk->k[s] = next;
    for (int p = 0; p < DOP853_POWERS; ++p, next += size)
        rk->dense[p] = next;
    *out = rk;
    return PKM_OK;
}

void pkm_rk_free(pkm_rk* rk)
{
    if (!rk) return;
    pkm_free(rk->block);
    pkm_free(rk);
}

static void copy(int n, double* to, const double* from)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static pkm_status rate(pkm_rk* rk, double t, const double* y, double* dydt)
{
    ++rk->report.rates;
    return rk->ode.rate(rk->ode.user, t, y, dydt);
}

/// sum = c[0] k[0] + ... + c[n_stage - 1] k[n_stage - 1], four components at a time, whose sums
/// stay in registers.
static void weigh(const pkm_rk* rk, int n_stage, const double* c, double* sum)
{
    PKM_UNSET const double* k[DOP853_STAGES];
    PKM_UNSET double factor[DOP853_STAGES];
    int n = 0, i = 0;
    for (int s = 0; s < n_stage; ++s) {
        if (c[s] == 0.0) continue;
        // many coefficients of the table are zero
        k[n] = rk->k[s];
        factor[n++] = c[s];
    }
    for (; i + 4 <= rk->n; i += 4) {
        pkm_pair a = {0.0, 0.0}, b = {0.0, 0.0};
        for (int s = 0; s < n; ++s) {
            a += factor[s] * pkm_pair_load(k[s] + i);
            b += factor[s] * pkm_pair_load(k[s] + i + 2);
        }
        memcpy(sum + i, &a, sizeof a);
        memcpy(sum + i + 2, &b, sizeof b);
    }
    for (; i < rk->n; ++i) {
        sum[i] = 0.0;
        for (int s = 0; s < n; ++s)
            sum[i] += factor[s] * k[s][i];
    }
}

/// y = y0 + h (sum of c k), (1.1)
static void advance(const pkm_rk* rk, const double* y0, double h, int n_stage, const double* c,
                    double* y)
{
    weigh(rk, n_stage, c, y);
    for (int i = 0; i < rk->n; ++i)
        y[i] = y0[i] + h * y[i];
}

bool pkm_rk_settings_are_fine(const pkm_rk_settings* s, int n)
{
    if (!(s->rtol >= 0.0) || !s->atol) return false;
    if (!(s->first_step >= 0.0) || !(s->min_step >= 0.0) || !(s->max_step >= 0.0)) return false;
    for (int i = 0; i < n; ++i)
        if (!(s->atol[i] > 0.0)) return false;
    return s->max_step == 0.0 || s->min_step <= s->max_step;
}

pkm_status pkm_rk_begin(pkm_rk* rk, const pkm_ode* ode, const pkm_rk_settings* settings, double t0,
                        const double* y0)
{
    if (ode->n != rk->n || !isfinite(t0) || !pkm_rk_settings_are_fine(settings, rk->n))
        return PKM_ERR_ARGUMENT;
    rk->ode = *ode;
    rk->rtol = settings->rtol;
    rk->part = settings->part;
    copy(rk->n, rk->atol, settings->atol);
    rk->first_step = settings->first_step;
    rk->min_step = settings->min_step;
    // 0: no limit
    rk->max_step = settings->max_step > 0.0 ? settings->max_step : INFINITY;
    rk->report = (pkm_rk_report){0};
    rk->t = t0;
    return pkm_rk_restart(rk, y0);
}

pkm_status pkm_rk_restart(pkm_rk* rk, const double* y)
{
    if (y) copy(rk->n, rk->y, y);
    // all memory of the steps before is gone; the rate belongs to the new state
    rk->h = rk->first_step;
    rk->last = 0.0;
    rk->last_error = LEAST_ERROR;
    rk->has_dense = false;
    rk->stiff = rk->smooth = 0;
    return rate(rk, rk->t, rk->y, rk->k[DOP853_END]);
}

pkm_status pkm_rk_move(pkm_rk* rk, double t, const double* y, double first_step)
{
    if (!isfinite(t)) return PKM_ERR_ARGUMENT;
    rk->t = t;
    PKM_TRY(pkm_rk_restart(rk, y));
    if (first_step > 0.0) rk->h = first_step;
    return PKM_OK;
}

/// What an error of component i is measured against (1.2).
static double scale(const pkm_rk* rk, int i, const double* other)
{
    return pkm_step_scale(rk->atol[i], rk->rtol, rk->part, fmax(fabs(rk->y[i]), fabs(other[i])));
}

/// Root mean square of x / scale; of x - x0 with an `x0`.
static double size_of(const pkm_rk* rk, const double* x, const double* x0)
{
    double sum = 0.0;
    for (int i = 0; i < rk->n; ++i) {
        const double part = (x0 ? x[i] - x0[i] : x[i]) / scale(rk, i, rk->y);
        sum += part * part;
    }
    return sqrt(sum / rk->n);
}

/// A first step from the sizes of y, y' and y'' (1.6). PKM_RETRY at the probing Euler step is
/// answered with a shorter one; when that does not help either, its length is the answer.
static pkm_status choose_first_step(pkm_rk* rk, double direction, double span)
{
    const double* f = rk->k[DOP853_END];
    const double d0 = size_of(rk, rk->y, NULL), d1 = size_of(rk, f, NULL);
    // 0.01 |y|/|y'|, where both are something
    double probe = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * d0 / d1;
    probe = fmin(fmin(probe, span), rk->max_step);

    pkm_status status = PKM_RETRY;
    for (int trial = 0; trial < 10 && status == PKM_RETRY; ++trial) {
        if (trial > 0) probe *= 0.1;
        for (int i = 0; i < rk->n; ++i)
            rk->y_stage[i] = rk->y[i] + direction * probe * f[i];
        status = rate(rk, rk->t + direction * probe, rk->y_stage, rk->k[1]);
    }
    if (status != PKM_OK && status != PKM_RETRY) return status;

    double h = probe;
    if (status == PKM_OK) {
        const double d2 = size_of(rk, rk->k[1], f) / probe;
        const double largest = fmax(d1, d2);
        // (1.6): the order is 8
        h = largest <= 1e-15 ? fmax(1e-6, probe * 1e-3) : pow(0.01 / largest, 1.0 / 8.0);
        h = fmin(100.0 * probe, h);
    }
    rk->h = fmin(fmax(h, rk->min_step), rk->max_step);
    return PKM_OK;
}

/// Stages 1 to 11 and the trial state y_new of order 8. k[0] is set.
static pkm_status run_stages(pkm_rk* rk, double h)
{
    for (int s = 1; s < DOP853_STEP_STAGES; ++s) {
        // the argument of the last stage is kept for (1.7)
        double* y = s == DOP853_STEP_STAGES - 1 ? rk->y_last_stage : rk->y_stage;
        advance(rk, rk->y, h, s, DOP853_A[s], y);
        PKM_TRY(rate(rk, rk->t + DOP853_C[s] * h, y, rk->k[s]));
    }
    advance(rk, rk->y, h, DOP853_STEP_STAGES, DOP853_A[DOP853_END], rk->y_new);
    return PKM_OK;
}

/// Error of the trial step relative to the tolerance (1.3); at most 1 is accepted.
static double error_of(const pkm_rk* rk, double h)
{
    double sum = 0.0;
    weigh(rk, DOP853_STEP_STAGES, DOP853_E5, rk->y_stage);
    for (int i = 0; i < rk->n; ++i) {
        const double s = scale(rk, i, rk->y_new);
        const double e5 = rk->y_stage[i] / s;
        // e3 of (1.3): against the embedded solution of order 3, as a mean slope
        const double slope3 =
            DOP853_B3[0] * rk->k[0][i] + DOP853_B3[1] * rk->k[8][i] + DOP853_B3[2] * rk->k[11][i];
        const double e3 = ((rk->y_new[i] - rk->y[i]) / h - slope3) / s;
        const double below = e5 * e5 + 0.01 * e3 * e3;
        if (below != 0.0) sum += e5 * e5 * e5 * e5 / below; // NaN passes
    }
    return fabs(h) * sqrt(sum / rk->n);
}

/// The estimate |h lambda| of (1.7) beyond the stability domain in 15 steps: stiff. Six steps well
/// inside forget it.
static void watch_stiffness(pkm_rk* rk, double h)
{
    double above = 0.0, below = 0.0;
    for (int i = 0; i < rk->n; ++i) {
        const double df = rk->k[DOP853_END][i] - rk->k[DOP853_STEP_STAGES - 1][i];
        const double dy = rk->y_new[i] - rk->y_last_stage[i];
        const double weight = 1.0 / scale(rk, i, rk->y_new);
        above += df * df * weight * weight;
        below += dy * dy * weight * weight;
    }
    if (below > 0.0 && fabs(h) * sqrt(above / below) > STIFF_EDGE) {
        rk->smooth = 0;
        if (++rk->stiff >= STIFF_COUNT) rk->report.is_stiff = true;
    } else if (rk->stiff > 0 && ++rk->smooth >= SMOOTH_COUNT) {
        rk->stiff = 0;
    }
}

/// Project y_new. A projection only takes away the error of the step; one that moves the state far
/// beyond the tolerance has found another branch of the constraints, or a place where they fail:
/// then the step is too long.
static pkm_status project_new(pkm_rk* rk, double t_new)
{
    if (!rk->ode.project) return PKM_OK;
    memcpy(rk->y_stage, rk->y_new, (size_t)rk->n * sizeof *rk->y_new);
    PKM_TRY(rk->ode.project(rk->ode.user, t_new, rk->y_new));
    double sum = 0.0;
    // against PROJECTION_LIMIT tolerances and PROJECTION_FLOOR of the size, as a mean square
    for (int i = 0; i < rk->n; ++i) {
        const double size = fabs(rk->y_new[i]) + rk->atol[i] / fmax(rk->rtol, DBL_EPSILON);
        const double moved = (rk->y_new[i] - rk->y_stage[i]) /
                             (PROJECTION_LIMIT * scale(rk, i, rk->y_new) + PROJECTION_FLOOR * size);
        sum += moved * moved;
    }
    if (!(sum <= rk->n)) return PKM_RETRY;
    return rk->ode.jump ? rk->ode.jump(rk->ode.user, t_new, rk->y_new) : PKM_OK;
}

/// One trial step of signed length h to t_new. `error` is set when the stages could be evaluated;
/// with an error of at most 1, y_new is projected and k[12] is its rate.
static pkm_status try_step(pkm_rk* rk, double h, double t_new, double* error)
{
    *error = INFINITY;
    PKM_TRY(run_stages(rk, h));
    *error = error_of(rk, h);
    if (!(*error <= 1.0)) return PKM_OK;

    PKM_TRY(project_new(rk, t_new));
    return rate(rk, t_new, rk->y_new, rk->k[DOP853_END]);
}

static void accept_step(pkm_rk* rk, double h, double t_new)
{
    // before states are exchanged: it reads those of this step
    watch_stiffness(rk, h);
    // vectors are exchanged, not copied
    double* const spare = rk->y_old;
    rk->y_old = rk->y;
    rk->y = rk->y_new;
    rk->y_new = spare;
    rk->t_old = rk->t;
    rk->t = t_new;
    rk->last = h;
    rk->has_dense = false;
    ++rk->report.steps;
}

/// Factor from this step to the next by the error, (1.4); NaN shrinks most.
static double step_factor(double error, double last_error)
{
    if (!(error <= DBL_MAX)) return MOST_SHRINK;
    const double drop = pow(error, ERROR_EXPONENT) / pow(last_error, MEMORY_EXPONENT);
    return fmin(MOST_GROWTH, fmax(MOST_SHRINK, SAFETY / drop));
}

/// Trial steps of falling length until one is accepted. They leave y, t and k[0] alone.
static pkm_status search_step(pkm_rk* rk, double direction, double way, double t_limit)
{
    const double least = pkm_step_least(rk->min_step, rk->t);
    double proposed = fmin(fmax(rk->h, least), rk->max_step);
    for (bool is_first = true;; is_first = false) {
        const double length = pkm_step_fit(proposed, way), h = direction * length;
        // the limit itself, not t + h with its rounding
        const double t_new = length == way ? t_limit : rk->t + h;
        double error;
        const pkm_status status = try_step(rk, h, t_new, &error);
        if (status != PKM_OK && status != PKM_RETRY) return status;

        if (status == PKM_OK && error <= 1.0) {
            // a step cut by the limit says little about longer ones: keep the proposal then
            const double factor = step_factor(error, rk->last_error);
            rk->h = is_first ? fmax(length * factor, length < proposed ? proposed : 0.0)
                             : length * fmin(factor, 1.0);
            rk->last_error = fmax(error, LEAST_ERROR);
            accept_step(rk, h, t_new);
            return PKM_OK;
        }
        ++*(status == PKM_RETRY ? &rk->report.retries : &rk->report.rejected);
        if (length <= least) return PKM_ERR_CONVERGENCE;
        const double factor =
            // (1.4) without the error of the step before
            status == PKM_RETRY ? RETRY_SHRINK : fmin(step_factor(error, 1.0), SAFETY);
        proposed = rk->h = fmax(length * factor, least);
    }
}

pkm_status pkm_rk_step(pkm_rk* rk, double t_limit)
{
    const double way = fabs(t_limit - rk->t), direction = t_limit < rk->t ? -1.0 : 1.0;
    if (!isfinite(way)) return PKM_ERR_ARGUMENT;
    if (way == 0.0) return PKM_OK;
    if (rk->h == 0.0) PKM_TRY(choose_first_step(rk, direction, way));

    // the rate at the end of the last step is the first stage of this one
    copy(rk->n, rk->k[0], rk->k[DOP853_END]);
    const pkm_status status = search_step(rk, direction, way, t_limit);
    if (status != PKM_OK) {
        copy(rk->n, rk->k[DOP853_END], rk->k[0]);
        rk->last = 0.0; // its dense output is gone
    }
    return status;
}

pkm_status pkm_rk_repeat(pkm_rk* rk, double t)
{
    const double h = rk->last;
    if (!(t >= fmin(rk->t_old, rk->t) && t <= fmax(rk->t_old, rk->t)) || h == 0.0)
        return PKM_ERR_ARGUMENT;
    if (t == rk->t) return PKM_OK;
    double* const spare = rk->y_old;
    rk->y_old = rk->y;
    rk->y = spare;
    rk->t = rk->t_old;
    // as long as the step that is repeated at least, so that t is met in one
    rk->h = fmax(rk->h, fabs(h));
    rk->has_dense = false;
    copy(rk->n, rk->k[DOP853_END], rk->k[0]);
    return pkm_rk_step(rk, t);
}

double pkm_rk_time(const pkm_rk* rk)
{
    return rk->t;
}

const double* pkm_rk_state(const pkm_rk* rk)
{
    return rk->y;
}

const double* pkm_rk_rate(const pkm_rk* rk)
{
    return rk->k[DOP853_END];
}

double pkm_rk_last_step(const pkm_rk* rk)
{
    return rk->last;
}

double pkm_rk_next_step(const pkm_rk* rk)
{
    return rk->h;
}

/// Stages 13 to 15 and the four upper coefficients of (1.5).
static pkm_status evaluate_dense(pkm_rk* rk)
{
    // the stages of dense output start where the step did
    const double t_old = rk->t - rk->last;
    for (int s = DOP853_END + 1; s < DOP853_STAGES; ++s) {
        advance(rk, rk->y_old, rk->last, s, DOP853_A[s], rk->y_stage);
        PKM_TRY(rate(rk, t_old + DOP853_C[s] * rk->last, rk->y_stage, rk->k[s]));
    }
    for (int p = 0; p < DOP853_POWERS; ++p) {
        weigh(rk, DOP853_STAGES, DOP853_D[p], rk->dense[p]);
        for (int i = 0; i < rk->n; ++i)
            rk->dense[p][i] *= rk->last;
    }
    rk->has_dense = true;
    return PKM_OK;
}

/// y(t) = y_old + s (F0 + r (F1 + s (F2 + ...))), s from 0 to 1 along the step, r = 1 - s (1.5);
/// without the terms of the dense stages the cubic of values and rates at both ends.
static void interpolate(const pkm_rk* rk, double t, double* y)
{
    const double h = rk->last, s = 1.0 + (t - rk->t) / h, r = 1.0 - s;
    for (int i = 0; i < rk->n; ++i) {
        const double step = rk->y[i] - rk->y_old[i];
        const double bend = h * rk->k[0][i] - step;
        const double twist = step - h * rk->k[DOP853_END][i] - bend;
        double top = 0.0;
        if (rk->has_dense)
            top = rk->dense[0][i] +
                  s * (rk->dense[1][i] + r * (rk->dense[2][i] + s * rk->dense[3][i]));
        y[i] = rk->y_old[i] + s * (step + r * (bend + s * (twist + r * top)));
    }
}

pkm_status pkm_rk_dense(pkm_rk* rk, double t, double* y)
{
    const double slack = 16.0 * DBL_EPSILON * (fabs(rk->t) + fabs(rk->last));
    const double ahead = (t - rk->t) * (rk->last < 0.0 ? -1.0 : 1.0);
    if (!(ahead <= slack) || !(ahead >= -fabs(rk->last) - slack)) return PKM_ERR_ARGUMENT;
    if (t == rk->t || rk->last == 0.0) {
        copy(rk->n, y, rk->y);
        return PKM_OK;
    }
    if (!rk->has_dense) PKM_TRY(evaluate_dense(rk));
    interpolate(rk, t, y);
    return PKM_OK;
}

bool pkm_rk_rough(const pkm_rk* rk, double t, double* y)
{
    interpolate(rk, t, y);
    return rk->has_dense;
}

pkm_rk_report pkm_rk_get_report(const pkm_rk* rk)
{
    return rk->report;
}
