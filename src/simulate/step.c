#include "base/error.h"
#include "simulate/simulation_impl.h"

#include <string.h>

// ---- equations --------------------------------------------------------------------------------

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    const double* z = y + s->n_q + s->n_v;
    double* z_rate = dydt + s->n_q + s->n_v;
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), z, z_rate));
    pkm_state_position_rates(s->robot->mech, y, s->robot->state->v, dydt);
    memcpy(dydt + s->n_q, s->robot->state->a, (size_t)s->n_v * sizeof(double));

    pkm_sim_sum_rates(s, t, z_rate + s->n_z);
    return PKM_OK;
}

static pkm_status project(void* user, double t, double* y)
{
    return pkm_sim_project(user, t, y);
}

/// The plant at the state y, without the rates of the integrals.
static pkm_status evaluate_at(pkm_sim* s, double t, const double* y)
{
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    return pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v, s->z_rate);
}

/// 1 - c J of what is stiff, at the state y; the positions stay at hand for their rates.
static pkm_status factor(void* user, double t, const double* y, double c)
{
    pkm_sim* s = user;
    PKM_TRY(evaluate_at(s, t, y));
    memcpy(s->q_factor, s->robot->state->q, (size_t)s->n_q * sizeof(double));
    s->c_factor = c;
    return pkm_plant_stiff_factor(s->plant, c);
}

/// States of controllers, crosses and integrals are not stiff: they stay.
static void solve(void* user, double* x)
{
    pkm_sim* s = user;
    const pkm_mechanism* mech = s->robot->mech;
    double *step = s->q_step, *dq = s->q_rate, *v = x + s->n_q;
    pkm_state_position_step(mech, s->q_factor, x, step);
    pkm_plant_stiff_solve(s->plant, step, v);
    pkm_state_position_rates(mech, s->q_factor, v, dq);
    for (int k = 0; k < s->n_q; ++k)
        x[k] += s->c_factor * dq[k];
}

// ---- steps ------------------------------------------------------------------------------------

pkm_status pkm_sim_create_steps(pkm_sim* s)
{
    if (s->settings->integrator == PKM_INTEGRATOR_EXPLICIT) return pkm_rk_create(s->n_y, &s->rk);
    if (s->settings->integrator != PKM_INTEGRATOR_BDF) return PKM_OK;
    s->q_factor = pkm_alloc((size_t)s->n_q, sizeof(double));
    s->q_rate = pkm_alloc((size_t)s->n_q, sizeof(double));
    s->q_step = pkm_alloc((size_t)s->n_v, sizeof(double));
    if (!s->q_factor || !s->q_rate || !s->q_step) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_plant_stiff_create(s->plant));
    return pkm_bdf_create(s->n_y, &s->bdf);
}

void pkm_sim_free_steps(pkm_sim* s)
{
    pkm_rk_free(s->rk);
    pkm_bdf_free(s->bdf);
    pkm_free(s->q_factor);
    pkm_free(s->q_rate);
    pkm_free(s->q_step);
}

pkm_ode pkm_sim_ode(pkm_sim* s)
{
    return (pkm_ode){.n = s->n_y, .user = s, .rate = rate, .project = project};
}

pkm_status pkm_sim_begin_steps(pkm_sim* s, double longest)
{
    static const pkm_bdf_solver solver = {.factor = factor, .solve = solve};
    const pkm_ode ode = pkm_sim_ode(s);
    const pkm_rk_settings settings = {.rtol = s->settings->tolerance,
                                      .atol = s->atol,
                                      .min_step = s->settings->min_step,
                                      .max_step = longest};
    if (s->bdf) return pkm_bdf_begin(s->bdf, &ode, &solver, &settings, 0.0, s->y);
    return pkm_rk_begin(s->rk, &ode, &settings, 0.0, s->y);
}

double pkm_sim_time(const pkm_sim* s)
{
    return s->bdf ? pkm_bdf_time(s->bdf) : pkm_rk_time(s->rk);
}

const double* pkm_sim_state(const pkm_sim* s)
{
    return s->bdf ? pkm_bdf_state(s->bdf) : pkm_rk_state(s->rk);
}

double pkm_sim_last_step(const pkm_sim* s)
{
    return s->bdf ? pkm_bdf_last_step(s->bdf) : pkm_rk_last_step(s->rk);
}

/// The explicit method ends a step with an evaluation there; BDF's last one was before the last
/// correction.
pkm_status pkm_sim_step(pkm_sim* s, double t_limit)
{
    if (!s->bdf) return pkm_rk_step(s->rk, t_limit);
    PKM_TRY(pkm_bdf_step(s->bdf, t_limit));
    return s->contacts ? evaluate_at(s, pkm_bdf_time(s->bdf), pkm_bdf_state(s->bdf)) : PKM_OK;
}

pkm_status pkm_sim_dense(pkm_sim* s, double t, double* y)
{
    if (s->dense) return s->dense(s->dense_user, t, y);
    return s->bdf ? pkm_bdf_dense(s->bdf, t, y) : pkm_rk_dense(s->rk, t, y);
}

bool pkm_sim_can_repeat(const pkm_sim* s)
{
    return s->rk != NULL;
}

pkm_status pkm_sim_repeat(pkm_sim* s, double t)
{
    return pkm_rk_repeat(s->rk, t);
}

pkm_status pkm_sim_return(pkm_sim* s, double t, const double* y, double first_step)
{
    if (!s->bdf) return pkm_rk_return(s->rk, t, y, first_step);
    PKM_TRY(pkm_bdf_return(s->bdf, t, y));
    return evaluate_at(s, t, y);
}

pkm_status pkm_sim_restart(pkm_sim* s)
{
    return s->bdf ? pkm_bdf_restart(s->bdf, NULL) : pkm_rk_restart(s->rk, NULL);
}

pkm_status pkm_sim_move(pkm_sim* s, double t, const double* y)
{
    return s->bdf ? pkm_bdf_move(s->bdf, t, y) : pkm_rk_move(s->rk, t, y);
}

void pkm_sim_count_steps(const pkm_sim* s, pkm_sim_report* report)
{
    if (s->bdf) {
        const pkm_bdf_report counts = pkm_bdf_get_report(s->bdf);
        report->steps = (int)counts.steps;
        report->rejected = (int)(counts.rejected + counts.failures);
        report->rates = (int)counts.rates;
        return;
    }
    const pkm_rk_report counts = pkm_rk_get_report(s->rk);
    report->steps = counts.steps;
    report->rejected = counts.rejected + counts.retries;
    report->rates = counts.rates;
}
