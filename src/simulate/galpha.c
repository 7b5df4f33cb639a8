#include "simulate/simulation_impl.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "solver/galpha.h"

#include <string.h>

/// The generalised-alpha run: its integrator, tolerances and the values to start from. The further
/// states are those of the plant, then the integrals of the ledger.
typedef struct run {
    pkm_sim* sim;
    pkm_galpha* galpha;
    pkm_dae dae;
    double *atol_q, *atol_v, *atol_z, *atol_lambda;
    double* lambda;
    double* y;         ///< state vector of a row
    double next_break; ///< time at which the equations change
    bool stopped;      ///< by the user
} run;

// ---- callbacks --------------------------------------------------------------------------------

static void move(void* user, const double* q, const double* dx, double* out)
{
    const run* r = user;
    memcpy(out, q, (size_t)r->sim->n_q * sizeof(double));
    pkm_state_move(r->sim->robot->mech, out, dx);
}

static pkm_status residual(void* user, const pkm_dae_point* at, double* r_out, double* phi,
                           double* zr)
{
    run* r = user;
    pkm_sim* s = r->sim;
    pkm_state* state = s->robot->state;
    memcpy(state->q, at->q, (size_t)s->n_q * sizeof(double));
    memcpy(state->v, at->v, (size_t)s->n_v * sizeof(double));
    memcpy(state->a, at->vdot, (size_t)s->n_v * sizeof(double));
    PKM_TRY(
        pkm_plant_residual(s->plant, pkm_sim_left(s, at->t), at->lambda, at->z, r_out, phi, zr));
    pkm_sim_sum_rates(s, at->t, zr + s->n_z);
    for (int i = 0; i < r->dae.n_z; ++i)
        zr[i] = at->zdot[i] - zr[i];
    return PKM_OK;
}

static pkm_status project_velocity(void* user, double t, const double* q, double* v)
{
    run* r = user;
    pkm_state* state = r->sim->robot->state;
    memcpy(state->q, q, (size_t)r->sim->n_q * sizeof(double));
    memcpy(state->v, v, (size_t)r->sim->n_v * sizeof(double));
    PKM_TRY(pkm_plant_project_velocity(r->sim->plant, t));
    memcpy(v, state->v, (size_t)r->sim->n_v * sizeof(double));
    return PKM_OK;
}

// ---- start ------------------------------------------------------------------------------------

static pkm_status allocate(run* r)
{
    const pkm_sim* s = r->sim;
    const size_t n_v = (size_t)s->n_v, n_z = (size_t)r->dae.n_z;
    const size_t n_lambda = (size_t)r->dae.n_lambda;
    r->atol_q = pkm_alloc(n_v, sizeof(double));
    r->atol_v = pkm_alloc(n_v, sizeof(double));
    r->atol_z = pkm_alloc(n_z, sizeof(double));
    r->atol_lambda = pkm_alloc(n_lambda, sizeof(double));
    r->lambda = pkm_alloc(n_lambda, sizeof(double));
    r->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (!r->atol_q || !r->atol_v || !r->atol_z || !r->atol_lambda || !r->lambda || !r->y)
        return PKM_ERR_MEMORY;
    return pkm_galpha_create(&r->dae, &r->galpha);
}

/// Positions in robot sizes and radians, velocities per second, forces against the weight. What
/// happens in joints with clearance is a hundred times smaller.
static void set_tolerances(run* r)
{
    const pkm_sim* s = r->sim;
    const double scale = s->contacts ? 0.01 : 1.0;
    const double tol = s->settings->tolerance, size = scale * fmax(1e-3, s->robot->mech->size);
    const double weight = 9.81 * fmax(1e-3, s->robot->mech->total_mass);
    for (int i = 0; i < s->n_v; ++i) {
        r->atol_q[i] = tol * size;
        r->atol_v[i] = 10.0 * tol * size;
    }
    for (int i = 0; i < r->dae.n_z; ++i)
        r->atol_z[i] = i < s->n_z ? tol * size : 1e3 * tol * (1.0 + weight);
    for (int i = 0; i < r->dae.n_lambda; ++i)
        r->atol_lambda[i] = tol * weight;
}

/// Accelerations and multipliers that belong to the state vector, and begin or go on from there.
static pkm_status start_from(run* r, double t, double* y, bool first)
{
    pkm_sim* s = r->sim;
    const double* z = y + s->n_q + s->n_v;
    pkm_sim_load_state(s, y);
    PKM_TRY(pkm_plant_evaluate(s->plant, t, z, r->y + s->n_q + s->n_v));
    pkm_plant_begin_step(s->plant);
    pkm_plant_multipliers(s->plant, r->lambda);
    const pkm_galpha_start start = {s->robot->state->q, s->robot->state->v, s->robot->state->a,
                                    r->lambda, z};
    if (!first) return pkm_galpha_restart(r->galpha, &start);
    pkm_galpha_settings settings = pkm_galpha_defaults();
    settings.rtol = s->settings->tolerance;
    settings.lambda_rtol = fmin(1e-6, s->settings->tolerance);
    settings.atol_q = r->atol_q;
    settings.atol_v = r->atol_v;
    settings.atol_z = r->atol_z;
    settings.atol_lambda = r->atol_lambda;
    settings.min_step = s->settings->min_step;
    settings.max_step = s->settings->max_step;
    return pkm_galpha_begin(r->galpha, &r->dae, &settings, t, &start);
}

// ---- the run ----------------------------------------------------------------------------------

/// The state vector at the integrator's present time.
static void read_state(const run* r, double* y)
{
    const pkm_sim* s = r->sim;
    const pkm_dae_point now = pkm_galpha_state(r->galpha);
    memcpy(y, now.q, (size_t)s->n_q * sizeof(double));
    memcpy(y + s->n_q, now.v, (size_t)s->n_v * sizeof(double));
    memcpy(y + s->n_q + s->n_v, now.z, (size_t)r->dae.n_z * sizeof(double));
}

/// Times that differ by rounding only: no step leads from one to the other.
static double same_instant(const run* r)
{
    return 1e-13 * r->sim->settings->end_time;
}

/// Pass the break at the present time, if there is one.
static pkm_status pass_break(run* r)
{
    pkm_sim* s = r->sim;
    const double t = pkm_galpha_time(r->galpha);
    if (t < r->next_break - same_instant(r)) return PKM_OK;
    read_state(r, s->y);
    PKM_TRY(pkm_sim_pass_break(s, r->next_break, s->y));
    r->next_break = pkm_sim_next_break(s, r->next_break);
    return start_from(r, t, s->y, false);
}

/// Steps until row i's time is reached exactly, and each break on the way.
static pkm_status step_to_row(run* r, int i, pkm_sim_report* report)
{
    pkm_sim* s = r->sim;
    const double t = pkm_sim_time_of(s, i);
    while (!r->stopped && pkm_galpha_time(r->galpha) < t - same_instant(r)) {
        PKM_TRY(pass_break(r));
        PKM_TRY(pkm_galpha_step(r->galpha, fmin(t, r->next_break)));
        // idle spins count from here; constraints that have been exchanged need new multipliers
        read_state(r, s->y);
        PKM_TRY(pkm_sim_follow_contacts(s, pkm_galpha_time(r->galpha), s->y));
        if (s->contacts) PKM_TRY(pkm_sim_watch_point(s, pkm_galpha_time(r->galpha), s->y));
        pkm_sim_load_state(s, s->y);
        PKM_TRY(pkm_plant_factor(s->plant));
        if (!pkm_plant_begin_step(s->plant))
            PKM_TRY(start_from(r, pkm_galpha_time(r->galpha), s->y, false));
        r->stopped = !pkm_sim_goes_on(s, pkm_galpha_time(r->galpha), report);
    }
    return PKM_OK;
}

static pkm_status run_rows(run* r, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_sim* s = r->sim;
    memcpy(r->y, s->y, (size_t)s->n_y * sizeof(double));
    r->next_break = pkm_sim_next_break(s, 0.0);
    PKM_TRY(pkm_sim_follow_contacts(s, 0.0, s->y));
    PKM_TRY(pkm_sim_put_row(s, 0, 0.0, r->y, table, report, err));
    PKM_TRY(start_from(r, 0.0, s->y, true));
    for (int i = 1; i < s->settings->n_instant; ++i) {
        PKM_TRY(step_to_row(r, i, report));
        if (r->stopped) break;
        read_state(r, r->y);
        PKM_TRY(pkm_sim_put_row(s, i, pkm_sim_time_of(s, i), r->y, table, report, err));
    }
    return PKM_OK;
}

pkm_status pkm_sim_run_galpha(pkm_sim* s, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    run r = {.sim = s};
    r.dae = (pkm_dae){.n_q = s->n_q,
                      .n_v = s->n_v,
                      .n_lambda = pkm_plant_n_constraint(s->plant),
                      .n_z = s->n_z + s->n_sum,
                      .user = &r,
                      .move = move,
                      .residual = residual,
                      .project_velocity = project_velocity};
    pkm_status status = allocate(&r);
    if (status == PKM_OK) {
        set_tolerances(&r);
        status = run_rows(&r, table, report, err);
        const pkm_galpha_report counts = pkm_galpha_get_report(r.galpha);
        report->steps = counts.steps;
        report->rejected = counts.rejected + counts.retries + counts.failures;
        report->rates = counts.residuals;
        report->t_stop = pkm_galpha_time(r.galpha);
        read_state(&r, s->y);
        pkm_sim_close_contacts(s, report->t_stop, s->y);
    }
    pkm_galpha_free(r.galpha);
    pkm_free(r.atol_q);
    pkm_free(r.atol_v);
    pkm_free(r.atol_z);
    pkm_free(r.atol_lambda);
    pkm_free(r.lambda);
    pkm_free(r.y);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) report->stop = pkm_sim_stop_for(s, status);
    if (s->why != PKM_STOP_END_TIME) report->t_stop = s->t_why;
    return PKM_OK;
}
