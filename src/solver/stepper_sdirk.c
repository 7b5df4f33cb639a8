/// A diagonally implicit Runge-Kutta method of order 5 as a stepper: for vibrations that are stiff
/// and hardly excited, whose frequencies would set the steps of an explicit method and whose lack
/// of damping those of BDF (docs/theory/integrators.md, section 7).
#include "base/error.h"
#include "base/memory.h"
#include "solver/step_control.h"
#include "solver/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter (Appl. Numer. Math. 146, 2019): seven stages, the
// first explicit, the last one the end of the step; L-stable. Columns 0 and 1 of A are equal.
enum { STAGES = 7, LAST = STAGES - 1 };
static const double GAMMA = 0.184;
static const double C[STAGES] = {0.0,
                                 0.368,
                                 0.62821529547664944904,
                                 0.13881019830028329398,
                                 0.69995861940457471118,
                                 0.90837696335078532694,
                                 1.0};
static const double A[STAGES][STAGES] = {
    {0.0},
    {0.184, 0.184},
    {0.2221076477383247, 0.2221076477383247, 0.184},
    {-0.014049475381926274, -0.014049475381926274, -0.017090850935864151, 0.184},
    {-0.40838859254931475, -0.40838859254931475, 0.16646399821362964, 1.1662718062895745, 0.184},
    {-0.53929072355881125, -0.53929072355881125, -0.24223442884542501, 1.4888806111225146,
     0.55631222819131843, 0.184},
    {-0.039466069109740303, -0.039466069109740303, 0.27263649025024267, 0.43216517252028819,
     0.35241608623288911, -0.16228561078393952, 0.184}};
/// Weights of the embedded solution of order 4.
static const double D[STAGES] = {-0.080689466566647355, -0.080689466566647355, 0.18289968461343553,
                                 0.51701387376623098,   0.42659973130245432,   -0.10432685796713498,
                                 0.13919250141830897};

// Step control: (1.4) for order 5, and changes that are not worth new factors.
static const double ERROR_EXPONENT = 0.17, MEMORY_EXPONENT = 0.04;
static const double SAFETY = 0.9, MOST_SHRINK = 0.2, MOST_GROWTH = 5.0;
static const double WORTH_GROWTH = 1.2, WORTH_SHRINK = 0.95;
static const double RETRY_SHRINK = 0.25, SLOW_SHRINK = 0.5;
static const double LEAST_ERROR = 1e-4;
// Iteration (2.2): share of the tolerance that it may leave, and how slow it may be. What it leaves
// of a vibration whose spring is not in J, which makes it slow, adds up in phase: there it may
// leave less, or rings of some tolerances would grow, though the method damps them.
static const double NEWTON_SHARE = 0.03, SLOW_SHARE = 0.003, SLOW_RATE = 0.05, WORST_RATE = 0.7,
                    OLD_RATE = 0.15;
static const double FIRST_RATE = 0.1, FORGET_RATE = 0.5; // with new factors; from stage to stage
static const double NOTHING = 0.1;                       // a last update of this share of it
// Of these, where tolerances are parts of a swing that is to keep its energy: in slender links the
// errors of iterations take more of it than those of steps (a steel rod of 2 mm and 1 m, a hundred
// periods: 5e-6 with 1, 2e-6 with 0.1, 6e-8 with 0.01).
static const double RINGING_PART = 0.03;
enum { MOST_ITERATIONS = 8, MOST_AGE = 20, MOST_MASS_AGE = 5, MOST_POINTS = 3 };
static const double SAME_LENGTH = 0.1; // of factors of another step
static const double FAR = 4.0;         // a step before that is longer tells nothing of this one
static const double APART = 0.1;       // of points of a prediction, in steps
// A projection may move the state by this many tolerances, or by this part of its size.
static const double PROJECTION_LIMIT = 1e3, PROJECTION_FLOOR = 1e-8;

typedef struct method {
    pkm_stepper_system system;
    int n, n_all; ///< numbers of y; of all vectors, integrals of multipliers behind them
    double rtol, min_step, max_step, first_step;
    const double* part;        ///< of the tolerances, lent; NULL: 1
    double t, h, last, before; ///< time, proposed step, last step, the one before it; 0: none
    double t_old;              ///< where the last step began
    double last_error, rate;   ///< of the step before; of the iteration with the present factors
    double c;                  ///< of the factors; 0: none
    int age;                   ///< of them, in steps
    pkm_stepper_counts counts;
    double *atol, *reach, *weight;
    double *y, *y_old, *y_older; ///< now, at the start of the last step, of the one before
    double *f, *f_old, *f_older; ///< rates there
    double *psi, *Y, *delta;
    double* k[STAGES];
    double* k_old[STAGES]; ///< of the last step
    double* block;
} method;

// ---- life -------------------------------------------------------------------------------------

static void free_method(void* m)
{
    method* x = m;
    if (x) pkm_free(x->block);
    pkm_free(x);
}

static pkm_status create(const pkm_stepper_system* system, void** m)
{
    enum { VECTORS = 12 };
    method* x = *m = pkm_alloc(1, sizeof *x);
    if (!x) return PKM_ERR_MEMORY;
    x->system = *system;
    x->n = system->ode.n;
    x->n_all = x->n + (system->solver.correct ? system->solver.n_more : 0);
    const size_t n = (size_t)x->n_all;
    x->block = pkm_alloc(n * (VECTORS + 2 * STAGES), sizeof(double));
    if (!x->block) return PKM_ERR_MEMORY;
    double** const vector[VECTORS] = {&x->atol,    &x->reach,   &x->weight, &x->y,
                                      &x->y_old,   &x->y_older, &x->f,      &x->f_old,
                                      &x->f_older, &x->psi,     &x->Y,      &x->delta};
    double* next = x->block;
    for (int i = 0; i < VECTORS; ++i, next += n)
        *vector[i] = next;
    for (int i = 0; i < STAGES; ++i, next += 2 * n) {
        x->k[i] = next;
        x->k_old[i] = next + n;
    }
    return system->solver.prepare ? system->solver.prepare(system->ode.user) : PKM_OK;
}

/// The numbers of y alone, as others know them; whole vectors.
static void copy_state(const method* x, double* to, const double* from)
{
    memmove(to, from, (size_t)x->n * sizeof *to);
}

static void copy(const method* x, double* to, const double* from)
{
    memmove(to, from, (size_t)x->n_all * sizeof *to);
}

static pkm_status rate(method* x, double t, const double* y, double* out)
{
    ++x->counts.rates;
    PKM_TRY(x->system.ode.rate(x->system.ode.user, t, y, out));
    if (x->n_all > x->n) x->system.solver.multipliers(x->system.ode.user, out + x->n);
    return PKM_OK;
}

static pkm_status restart(void* m, double t, const double* y, double first_step)
{
    method* x = m;
    if (!isfinite(t)) return PKM_ERR_ARGUMENT;
    x->t = t;
    if (y) copy_state(x, x->y, y);
    x->h = first_step > 0.0 ? first_step : x->first_step;
    x->last = x->before = 0.0;
    x->last_error = LEAST_ERROR;
    x->c = 0.0; // the equations may be others
    return rate(x, t, x->y, x->f);
}

static pkm_status begin(void* m, const pkm_rk_settings* settings, double t, const double* y)
{
    method* x = m;
    if (!pkm_rk_settings_are_fine(settings, x->n)) return PKM_ERR_ARGUMENT;
    copy_state(x, x->atol, settings->atol);
    for (int i = 0; i < x->n; ++i)
        x->reach[i] = settings->reach ? settings->reach[i] : 0.0;
    x->rtol = settings->rtol;
    x->part = settings->part;
    x->first_step = settings->first_step;
    x->min_step = settings->min_step;
    x->max_step = settings->max_step > 0.0 ? settings->max_step : INFINITY;
    x->counts = (pkm_stepper_counts){0};
    return restart(m, t, y, 0.0);
}

// ---- norms ------------------------------------------------------------------------------------

/// What errors of a step of length h are measured against, (1.2) at its start; (7.4).
static void weigh(method* x, double h)
{
    for (int i = 0; i < x->n; ++i) {
        const double loose = x->reach[i] > h ? x->reach[i] / h : 1.0;
        x->weight[i] = 1.0 / (loose * pkm_step_scale(x->atol[i], x->rtol, x->part, fabs(x->y[i])));
    }
}

static double size_of(const method* x, const double* v)
{
    double sum = 0.0;
    for (int i = 0; i < x->n; ++i)
        sum += v[i] * x->weight[i] * v[i] * x->weight[i];
    return sqrt(sum / x->n);
}

/// A first step from the sizes of y, y' and y'', as (1.6).
static pkm_status choose_first_step(method* x, double span)
{
    const double d0 = size_of(x, x->y), d1 = size_of(x, x->f);
    double probe = fmin(d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * d0 / d1, fmin(span, x->max_step));
    pkm_status status = PKM_RETRY;
    for (int trial = 0; trial < 10 && status == PKM_RETRY; ++trial, probe *= 0.1) {
        for (int i = 0; i < x->n; ++i)
            x->Y[i] = x->y[i] + probe * x->f[i];
        status = rate(x, x->t + probe, x->Y, x->delta);
        if (status == PKM_OK) break;
    }
    if (status != PKM_OK && status != PKM_RETRY) return status;
    x->h = probe;
    if (status == PKM_OK) {
        for (int i = 0; i < x->n; ++i)
            x->delta[i] -= x->f[i];
        const double most = fmax(d1, size_of(x, x->delta) / probe);
        x->h = most <= 1e-15 ? fmax(1e-6, 1e-3 * probe) : pow(0.01 / most, 1.0 / 5.0);
        x->h = fmin(100.0 * probe, x->h);
    }
    x->h = fmin(fmax(x->h, x->min_step), x->max_step);
    return PKM_OK;
}

// ---- stages -----------------------------------------------------------------------------------

/// Add a known rate at the time `at` (in steps) to those that predict the one at `want`: the
/// nearest ones, not too close to each other.
static void offer(double want, double at, const double* k, int* n, double* point, const double** of)
{
    int place = *n;
    for (int i = 0; i < *n; ++i)
        if (fabs(point[i] - at) < APART) return;
    while (place > 0 && fabs(at - want) < fabs(point[place - 1] - want))
        --place;
    if (place >= MOST_POINTS) return;
    if (*n < MOST_POINTS) ++*n;
    for (int i = *n - 1; i > place; --i) {
        point[i] = point[i - 1];
        of[i] = of[i - 1];
    }
    point[place] = at;
    of[place] = k;
}

/// Predict the rate of stage s: the polynomial through known ones of this step and the last.
static void predict(method* x, int s, double h, double* out)
{
    double point[MOST_POINTS];
    const double* of[MOST_POINTS];
    int n = 0;
    for (int i = s - 1; i >= 0; --i)
        offer(C[s], C[i], x->k[i], &n, point, of);
    for (int i = 1; i < LAST && x->last > 0.0; ++i)
        offer(C[s], (C[i] - 1.0) * x->last / h, x->k_old[i], &n, point, of);
    memset(out, 0, (size_t)x->n_all * sizeof *out);
    for (int j = 0; j < n; ++j) {
        double part = 1.0;
        for (int i = 0; i < n; ++i)
            if (i != j) part *= (C[s] - point[i]) / (point[j] - point[i]);
        for (int i = 0; i < x->n_all; ++i)
            out[i] += part * of[j][i];
    }
}

/// delta: what (7.2) adds to the present Y.
static pkm_status correct(method* x, double t, double c)
{
    const pkm_ode_solver* solver = &x->system.solver;
    void* const user = x->system.ode.user;
    if (solver->correct) {
        ++x->counts.rates;
        return solver->correct(user, t, c, x->psi, x->Y, x->delta);
    }
    PKM_TRY(rate(x, t, x->Y, x->delta));
    for (int i = 0; i < x->n; ++i)
        x->delta[i] = x->psi[i] + c * x->delta[i] - x->Y[i];
    solver->solve(user, x->delta);
    return PKM_OK;
}

static double newton_share(const method* x)
{
    const double share = x->rate < SLOW_RATE ? NEWTON_SHARE : SLOW_SHARE;
    return x->part ? RINGING_PART * share : share;
}

/// Solve Y = psi + c f(Y) for stage s from the predicted Y; then k = (Y - psi)/c.
/// @return PKM_RETRY when it does not converge.
static pkm_status iterate(method* x, int s, double h)
{
    const double c = GAMMA * h, relax = 2.0 / (1.0 + c / x->c);
    double before = 0.0;
    for (int it = 0; it < MOST_ITERATIONS; ++it) {
        PKM_TRY(correct(x, x->t + C[s] * h, c));
        for (int i = 0; i < x->n_all; ++i)
            x->Y[i] += relax * x->delta[i];
        const double size = size_of(x, x->delta);
        if (!(size <= DBL_MAX)) return PKM_RETRY;
        const double share = newton_share(x);
        const bool is_nothing = size <= NOTHING * share; // rounding has no rate
        if (it > 0 && !is_nothing) {
            const double theta = size / before;
            x->rate = fmax(FORGET_RATE * x->rate, theta);
            if (theta > WORST_RATE) return PKM_RETRY;
        }
        before = size;
        if (is_nothing || x->rate / (1.0 - fmin(x->rate, 0.99)) * size <= share) {
            for (int i = 0; i < x->n_all; ++i)
                x->k[s][i] = (x->Y[i] - x->psi[i]) / c;
            return PKM_OK;
        }
    }
    return PKM_RETRY;
}

static pkm_status run_stages(method* x, double h)
{
    copy(x, x->k[0], x->f);
    for (int s = 1; s < STAGES; ++s) {
        copy(x, x->psi, x->y);
        for (int j = 0; j < s; ++j)
            for (int i = 0; i < x->n_all; ++i)
                x->psi[i] += h * A[s][j] * x->k[j][i];
        predict(x, s, h, x->Y);
        for (int i = 0; i < x->n_all; ++i)
            x->Y[i] = x->psi[i] + GAMMA * h * x->Y[i];
        PKM_TRY(iterate(x, s, h));
    }
    return PKM_OK;
}

/// Factors for a step of length h, unless those at hand serve.
static pkm_status make_factors(method* x, double h, bool fresh)
{
    const double c = GAMMA * h;
    const int most_age = x->system.solver.correct ? MOST_MASS_AGE : MOST_AGE;
    const bool serves = x->c > 0.0 && fabs(c / x->c - 1.0) < SAME_LENGTH;
    if (serves && !fresh && x->age < most_age && x->rate < OLD_RATE) return PKM_OK;
    ++x->counts.factors;
    x->c = 0.0;
    PKM_TRY(x->system.solver.factor(x->system.ode.user, x->t, x->y, c));
    x->c = c;
    x->age = 0;
    x->rate = FIRST_RATE;
    return PKM_OK;
}

/// Error of the step against the embedded solution, what is stiff in it taken away by the factors.
static double error_of(method* x, double h)
{
    memset(x->delta, 0, (size_t)x->n * sizeof *x->delta);
    for (int s = 0; s < STAGES; ++s)
        for (int i = 0; i < x->n; ++i)
            x->delta[i] += h * (A[LAST][s] - D[s]) * x->k[s][i];
    x->system.solver.solve(x->system.ode.user, x->delta);
    return size_of(x, x->delta);
}

/// Put Y, the end of the step, on the constraints; far from it there is another branch.
static pkm_status project(method* x, double t)
{
    double sum = 0.0;
    if (!x->system.ode.project) return PKM_OK;
    copy(x, x->psi, x->Y);
    PKM_TRY(x->system.ode.project(x->system.ode.user, t, x->Y));
    for (int i = 0; i < x->n; ++i) {
        const double size = fabs(x->Y[i]) + x->atol[i] / fmax(x->rtol, DBL_EPSILON);
        const double moved =
            (x->Y[i] - x->psi[i]) / (PROJECTION_LIMIT / x->weight[i] + PROJECTION_FLOOR * size);
        sum += moved * moved;
    }
    if (!(sum <= x->n)) return PKM_RETRY;
    return x->system.ode.jump ? x->system.ode.jump(x->system.ode.user, t, x->Y) : PKM_OK;
}

// ---- steps ------------------------------------------------------------------------------------

/// One trial step to t_new; `error` at most 1: Y is its end and delta the rate there. `slow`: the
/// iteration did not converge.
static pkm_status try_step(method* x, double h, double t_new, double* error, bool* slow)
{
    *error = INFINITY;
    *slow = true;
    PKM_TRY(make_factors(x, h, false));
    pkm_status status = run_stages(x, h);
    if (status == PKM_RETRY && x->age > 0) {
        PKM_TRY(make_factors(x, h, true));
        status = run_stages(x, h);
    }
    PKM_TRY(status);
    *slow = false;
    *error = error_of(x, h);
    if (!(*error <= 1.0)) return PKM_OK;
    PKM_TRY(project(x, t_new));
    return rate(x, t_new, x->Y, x->delta);
}

static void rotate(double** a, double** b, double** c)
{
    double* const spare = *c;
    *c = *b;
    *b = *a;
    *a = spare;
}

static void accept(method* x, double h, double t_new)
{
    rotate(&x->y, &x->y_old, &x->y_older);
    rotate(&x->f, &x->f_old, &x->f_older);
    copy_state(x, x->y, x->Y);
    memset(x->y + x->n, 0, (size_t)(x->n_all - x->n) * sizeof *x->y); // integrals of this step only
    copy(x, x->f, x->delta);
    for (int s = 0; s < STAGES; ++s) {
        double* const spare = x->k_old[s];
        x->k_old[s] = x->k[s];
        x->k[s] = spare;
    }
    x->before = x->last;
    x->last = h;
    x->t_old = x->t;
    x->t = t_new;
    ++x->age;
    ++x->counts.steps;
}

static double step_factor(double error, double last_error)
{
    if (!(error <= DBL_MAX)) return MOST_SHRINK;
    const double drop = pow(fmax(error, 1e-10), ERROR_EXPONENT) / pow(last_error, MEMORY_EXPONENT);
    return fmin(MOST_GROWTH, fmax(MOST_SHRINK, SAFETY / drop));
}

/// The step after an accepted one of this length: the same where a change is not worth new factors.
static double next_step(const method* x, double length, double proposed, double error, bool first)
{
    double factor = step_factor(error, x->last_error);
    if (!first) factor = fmin(factor, 1.0);
    if (factor > WORTH_SHRINK && factor < WORTH_GROWTH) factor = 1.0;
    return fmax(length * factor, first && length < proposed ? proposed : 0.0);
}

static pkm_status step(void* m, double t_limit)
{
    method* x = m;
    const double way = t_limit - x->t, least = pkm_step_least(x->min_step, x->t);
    if (!isfinite(way) || way < 0.0) return PKM_ERR_ARGUMENT;
    if (way == 0.0) return PKM_OK;
    weigh(x, INFINITY);
    if (x->h == 0.0) PKM_TRY(choose_first_step(x, way));
    double proposed = fmin(fmax(x->h, least), x->max_step);
    for (bool first = true;; first = false) {
        // the last step ends at the limit exactly; two of half its length where one would leave a
        // rest
        const double h = pkm_step_fit(proposed, way), t_new = h == way ? t_limit : x->t + h;
        double error;
        bool slow;
        weigh(x, h);
        const pkm_status status = try_step(x, h, t_new, &error, &slow);
        if (status != PKM_OK && status != PKM_RETRY) return status;
        if (status == PKM_OK && error <= 1.0) {
            x->h = next_step(x, h, proposed, error, first);
            x->last_error = fmax(error, LEAST_ERROR);
            accept(x, h, t_new);
            return PKM_OK;
        }
        ++x->counts.rejected;
        if (h <= least) {
            x->last = 0.0;
            return PKM_ERR_CONVERGENCE;
        }
        // what did not converge says nothing of the error: shorter by a fixed part
        const double factor = status == PKM_RETRY ? (slow ? SLOW_SHRINK : RETRY_SHRINK)
                                                  : fmin(step_factor(error, 1.0), SAFETY);
        proposed = fmax(h * factor, least);
    }
}

/// From where the last step began, to t: the dense output is less exact than a step that ends
/// there.
static pkm_status repeat(void* m, double t)
{
    method* x = m;
    if (!(t >= x->t_old && t <= x->t) || x->last == 0.0) return PKM_ERR_ARGUMENT;
    if (t == x->t) return PKM_OK;
    double *const y = x->y, *const f = x->f;
    x->y = x->y_old;
    x->y_old = y;
    x->f = x->f_old;
    x->f_old = f;
    x->t = x->t_old;
    x->h = fmax(x->h, x->last);
    x->last = x->before = 0.0; // the steps before are gone
    return step(m, t);
}

static double time_of(const void* m)
{
    return ((const method*)m)->t;
}

static const double* state(const void* m)
{
    return ((const method*)m)->y;
}

static double last_step(const void* m)
{
    return ((const method*)m)->last;
}

/// The polynomial through values and rates at both ends of the step and, of degree 5, at the start
/// of the one before: Newton's form with doubled points, (7.3). g = 0: there is none.
static double interpolate(const method* x, int i, double a, double b, double g)
{
    const double h = x->last, w = h + g;
    const double y0 = x->y_old[i], y1 = x->y[i], f0 = x->f_old[i], f1 = x->f[i];
    const double s01 = (y1 - y0) / h, s001 = (s01 - f0) / h, s011 = (f1 - s01) / h;
    const double s0011 = (s011 - s001) / h;
    const double cubic = y0 + a * (f0 + a * (s001 + b * s0011));
    if (g == 0.0) return cubic;
    const double yb = x->y_older[i], fb = x->f_older[i];
    const double sb0 = (y0 - yb) / g, sbb0 = (sb0 - fb) / g;
    const double sb00 = (f0 - sb0) / g, sbb00 = (sb00 - sbb0) / g;
    const double sb001 = (s001 - sb00) / w, sbb001 = (sb001 - sbb00) / w;
    const double sb0011 = (s0011 - sb001) / w, sbb0011 = (sb0011 - sbb001) / w;
    return cubic + a * a * b * b * (sb0011 + (a + g) * sbb0011);
}

static pkm_status dense(void* m, double t, double* y)
{
    method* x = m;
    const double slack = 16.0 * DBL_EPSILON * (fabs(x->t) + x->last);
    if (!(t <= x->t + slack) || !(t >= x->t - x->last - slack)) return PKM_ERR_ARGUMENT;
    if (t == x->t || x->last == 0.0) {
        copy_state(x, y, x->y);
        return PKM_OK;
    }
    const double a = t - (x->t - x->last), b = t - x->t;
    const double g = x->before < FAR * x->last ? x->before : 0.0;
    for (int i = 0; i < x->n; ++i)
        y[i] = interpolate(x, i, a, b, g);
    return PKM_OK;
}

static pkm_stepper_counts counts(const void* m)
{
    return ((const method*)m)->counts;
}

const pkm_stepper_kind pkm_stepper_sdirk = {.name = "sdirk",
                                            .end = PKM_END_EVALUATED,
                                            .projects = true,
                                            .resting = 1e-7,
                                            .create = create,
                                            .free = free_method,
                                            .begin = begin,
                                            .step = step,
                                            .time = time_of,
                                            .state = state,
                                            .last_step = last_step,
                                            .dense = dense,
                                            .restart = restart,
                                            .repeat = repeat,
                                            .counts = counts};
