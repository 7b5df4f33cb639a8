#include "simulate/simulation_impl.h"

#include "base/error.h"
#include "solver/ida.h"

#include <string.h>

static const double MULTIPLIER_TOLERANCE = 1e-3; // of the weight, the size

/// The run with IDA, in stabilised form of index 2 (docs/theory/simulation.md, section 4):
///
///     q' = T(q) (v + G' mu),   r(q, v, v', lambda, z) = 0,   phi(q) = 0,   G v = phi_t,   z' = f
///
/// The vector is q, v, z and integrals as in the other integrators, then lambda and mu. Locks of
/// idle freedoms are constraints of velocities only: their mu is zero.
typedef struct run {
    pkm_sim* sim;
    pkm_ida* ida;
    int n_c, n; ///< constraints; all unknowns
    double *y, *yp, *atol;
    double *q_rate, *w; ///< [n_q], [n_v] work
    double* row;        ///< [n_y] state vector of a row
    bool* is_algebraic;
} run;

// ---- residual ---------------------------------------------------------------------------------

/// q' - T(q) (v + G' mu)
static void position_residual(run* r, const double* y, const double* yp, const double* mu,
                              double* out)
{
    const pkm_sim* s = r->sim;
    memcpy(r->w, y + s->n_q, (size_t)s->n_v * sizeof(double));
    pkm_plant_add_constraints(s->plant, mu, r->w);
    pkm_state_position_rates(s->robot->mech, y, r->w, r->q_rate);
    for (int i = 0; i < s->n_q; ++i)
        out[i] = yp[i] - r->q_rate[i];
}

static pkm_status residual(void* user, double t, const double* y, const double* yp, double* out)
{
    run* r = user;
    pkm_sim* s = r->sim;
    const int at_z = s->n_q + s->n_v, n_z = s->n_z + s->n_sum;
    const double *lambda = y + s->n_y, *mu = lambda + r->n_c;
    double *phi = out + s->n_y, *rates = phi + r->n_c;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    memcpy(s->robot->state->a, yp + s->n_q, (size_t)s->n_v * sizeof(double));
    PKM_TRY(pkm_plant_residual(s->plant, pkm_sim_left(s, t), lambda, y + at_z, out + s->n_q, phi,
                               out + at_z));
    pkm_sim_sum_rates(s, t, out + at_z + s->n_z);
    for (int i = 0; i < n_z; ++i)
        out[at_z + i] = yp[at_z + i] - out[at_z + i];
    position_residual(r, y, yp, mu, out);
    pkm_plant_constraint_rates(s->plant, y + s->n_q, rates);
    for (int i = 0; i < r->n_c; ++i)
        if (pkm_plant_is_lock(s->plant, i)) phi[i] = mu[i];
    return PKM_OK;
}

// ---- start ------------------------------------------------------------------------------------

static pkm_status allocate(run* r)
{
    const pkm_sim* s = r->sim;
    const size_t n = (size_t)r->n;
    r->y = pkm_alloc(n, sizeof(double));
    r->yp = pkm_alloc(n, sizeof(double));
    r->atol = pkm_alloc(n, sizeof(double));
    r->is_algebraic = pkm_alloc(n, sizeof(bool));
    r->q_rate = pkm_alloc((size_t)s->n_q, sizeof(double));
    r->w = pkm_alloc((size_t)s->n_v, sizeof(double));
    r->row = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (!r->y || !r->yp || !r->atol || !r->is_algebraic || !r->q_rate || !r->w || !r->row)
        return PKM_ERR_MEMORY;
    return pkm_ida_create(r->n, &r->ida);
}

static void set_tolerances(run* r)
{
    const pkm_sim* s = r->sim;
    const double tol = s->settings->tolerance;
    const double weight = 9.81 * fmax(1e-3, s->robot->mech->total_mass);
    const double size = fmax(1e-3, s->robot->mech->size);
    for (int i = 0; i < r->n; ++i) {
        r->is_algebraic[i] = i >= s->n_y;
        // In the first, tiny steps rounding in the positions shakes the multipliers: they only
        // have to settle well enough not to hold up the iteration.
        r->atol[i] = i < s->n_y            ? fmax(s->atol[i], 1e-14)
                     : i < s->n_y + r->n_c ? fmax(tol, MULTIPLIER_TOLERANCE) * weight
                                           : fmax(tol, MULTIPLIER_TOLERANCE) * size;
    }
}

/// A first step whose error in the positions, a h^2 / 2, is a tenth of the tolerance: far shorter
/// ones drown the multipliers in rounding of the positions, e/h^2, and shrink for ever.
static double first_step(const run* r)
{
    const pkm_sim* s = r->sim;
    double most = 0.0;
    for (int k = 0; k < s->n_v; ++k)
        most = fmax(most, fabs(s->robot->state->a[k]) / s->robot->mech->v_unit[k]);
    const double h = sqrt(0.2 * s->settings->tolerance / fmax(most, 1e-3));
    const double longest = 1e-3 * s->settings->end_time;
    return fmin(h, s->settings->max_step > 0.0 ? fmin(longest, s->settings->max_step) : longest);
}

/// Consistent values at time t from the state vector s->y: rates, accelerations, multipliers; and
/// begin or go on from there.
static pkm_status start_from(run* r, double t, bool first)
{
    pkm_sim* s = r->sim;
    const int at_z = s->n_q + s->n_v;
    memset(r->y, 0, (size_t)r->n * sizeof(double));
    memset(r->yp, 0, (size_t)r->n * sizeof(double));
    memcpy(r->y, s->y, (size_t)s->n_y * sizeof(double));
    pkm_sim_load_state(s, s->y);
    PKM_TRY(pkm_plant_evaluate(s->plant, t, s->y + at_z, r->yp + at_z));
    pkm_plant_begin_step(s->plant);
    pkm_plant_multipliers(s->plant, r->y + s->n_y);
    pkm_state_position_rates(s->robot->mech, s->y, s->robot->state->v, r->yp);
    memcpy(r->yp + s->n_q, s->robot->state->a, (size_t)s->n_v * sizeof(double));
    pkm_sim_sum_rates(s, t, r->yp + at_z + s->n_z);
    if (!first) return pkm_ida_restart(r->ida, r->y, r->yp);
    const pkm_implicit system = {
        .n = r->n, .user = r, .residual = residual, .is_algebraic = r->is_algebraic};
    const pkm_ida_settings settings = {.rtol = s->settings->tolerance,
                                       .atol = r->atol,
                                       .first_step = first_step(r),
                                       .min_step = s->settings->min_step,
                                       .max_step = s->settings->max_step,
                                       // index 2: multipliers converge one order later, and an
                                       // error test on them stalls the first steps
                                       .ignore_algebraic = true};
    return pkm_ida_begin(r->ida, &system, &settings, t, r->y, r->yp);
}

// ---- the run ----------------------------------------------------------------------------------

/// Rows up to the integrator's time, read off its dense output.
static pkm_status put_rows(run* r, int* i, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_sim* s = r->sim;
    while (*i < s->settings->n_instant && pkm_sim_time_of(s, *i) <= pkm_ida_time(r->ida)) {
        const double t = pkm_sim_time_of(s, *i);
        PKM_TRY(pkm_ida_dense(r->ida, t, r->y, NULL));
        memcpy(r->row, r->y, (size_t)s->n_y * sizeof(double));
        PKM_TRY(pkm_sim_put_row(s, *i, t, r->row, table, report, err));
        ++*i;
    }
    return PKM_OK;
}

/// Pass the break at time t: the state goes back on the constraints, and on from there.
static pkm_status pass_break(run* r, double t)
{
    pkm_sim* s = r->sim;
    memcpy(s->y, pkm_ida_state(r->ida), (size_t)s->n_y * sizeof(double));
    PKM_TRY(pkm_sim_project(s, t, s->y));
    PKM_TRY(pkm_sim_pass_break(s, t, s->y));
    return start_from(r, t, false);
}

/// The part of its state vector that a simulation knows.
static pkm_status dense(void* user, double t, double* y)
{
    run* r = user;
    PKM_TRY(pkm_ida_dense(r->ida, t, r->y, NULL));
    memcpy(y, r->y, (size_t)r->sim->n_y * sizeof(double));
    return PKM_OK;
}

static pkm_status run_rows(run* r, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_sim* s = r->sim;
    int i = 1;
    memcpy(r->row, s->y, (size_t)s->n_y * sizeof(double));
    double next = pkm_sim_next_break(s, 0.0);
    PKM_TRY(pkm_sim_follow_contacts(s, 0.0, s->y));
    PKM_TRY(pkm_sim_put_row(s, 0, 0.0, r->row, table, report, err));
    PKM_TRY(start_from(r, 0.0, true));
    while (i < s->settings->n_instant) {
        const double begin = pkm_ida_time(r->ida);
        PKM_TRY(pkm_ida_step(r->ida, next));
        const double t = pkm_ida_time(r->ida);
        PKM_TRY(pkm_sim_watch_open(s, begin));
        PKM_TRY(put_rows(r, &i, table, report, err));
        PKM_TRY(pkm_sim_watch_close(s, t, t >= next));
        PKM_TRY(pkm_sim_follow_contacts(s, t, pkm_ida_state(r->ida)));
        if (!pkm_sim_goes_on(s, t, report)) return PKM_OK;
        if (t < next || i == s->settings->n_instant) continue;
        PKM_TRY(pass_break(r, t));
        next = pkm_sim_next_break(s, t);
    }
    return PKM_OK;
}

static void release(run* r)
{
    pkm_ida_free(r->ida);
    void* const blocks[] = {r->y, r->yp, r->atol, r->is_algebraic, r->q_rate, r->w, r->row};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
}

pkm_status pkm_sim_run_ida(pkm_sim* s, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    run r = {.sim = s, .n_c = pkm_plant_n_constraint(s->plant)};
    r.n = s->n_y + 2 * r.n_c;
    pkm_status status = allocate(&r);
    if (status == PKM_OK) {
        set_tolerances(&r);
        s->dense = dense;
        s->dense_user = &r;
        status = run_rows(&r, table, report, err);
        const pkm_ida_report counts = pkm_ida_get_report(r.ida);
        report->steps = (int)counts.steps;
        report->rejected = (int)(counts.rejected + counts.failures);
        report->rates = (int)counts.residuals;
        report->t_stop = pkm_ida_time(r.ida);
        pkm_sim_close_contacts(s, report->t_stop, pkm_ida_state(r.ida));
    }
    release(&r);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) report->stop = pkm_sim_stop_for(s, status);
    if (s->why != PKM_STOP_END_TIME) report->t_stop = s->t_why;
    return PKM_OK;
}
