#include "analysis/simulation_parts.h"
#include "base/error.h"

#include <string.h>

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

/// Rows up to the time `until`, read off the dense output of the last step; `i` is the next one.
static pkm_status put_rows(pkm_sim* s, double until, int* i, pkm_table* table,
                           pkm_sim_report* report, pkm_error* err)
{
    while (*i < s->settings->n_instant && pkm_sim_time_of(s, *i) <= until) {
        const double t = pkm_sim_time_of(s, *i);
        PKM_TRY(pkm_rk_dense(s->rk, t, s->y));
        PKM_TRY(pkm_sim_put_row(s, *i, t, s->y, table, report, err));
        ++*i;
    }
    return PKM_OK;
}

/// Surfaces touch or part at time t inside the last step: go back there, change the contacts and
/// start anew. Steps after a touch are as short as those after the last one.
static pkm_status return_to_event(pkm_sim* s, double t, double first_step)
{
    if (pkm_sim_parts_at(s, t)) {
        PKM_TRY(pkm_rk_repeat(s->rk, t));
        if (pkm_rk_time(s->rk) < t) return PKM_OK; // it is found again in the next step
        memcpy(s->y, pkm_rk_state(s->rk), (size_t)s->n_y * sizeof(double));
    } else {
        PKM_TRY(pkm_rk_dense(s->rk, t, s->y));
        PKM_TRY(pkm_sim_project(s, t, s->y));
    }
    PKM_TRY(pkm_sim_pass_event(s, t, s->y));
    return pkm_rk_return(s->rk, t, s->y, first_step);
}

/// Note the contacts at the end of the step; `is_there`: the plant was evaluated there last.
static pkm_status note_step(pkm_sim* s, bool is_there)
{
    const double t = pkm_rk_time(s->rk);
    if (is_there) return pkm_sim_note_contacts(s, t);
    memcpy(s->y, pkm_rk_state(s->rk), (size_t)s->n_y * sizeof(double));
    pkm_sim_load_state(s, s->y);
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), s->y + s->n_q + s->n_v, s->z_rate));
    return pkm_sim_note_contacts(s, t);
}

/// From one break to the next, each reached exactly; likewise the events of contacts.
static pkm_status run_through(pkm_sim* s, double next, pkm_table* table, pkm_sim_report* report,
                              pkm_error* err)
{
    double after_event = 0.0;
    bool is_fresh = false; // the last step began at an event
    int i = 1;
    while (i < s->settings->n_instant) {
        double event = HUGE_VAL;
        const int first_row = i;
        PKM_TRY(pkm_rk_step(s->rk, next));
        if (is_fresh) after_event = pkm_rk_last_step(s->rk);
        if (s->contacts) {
            PKM_TRY(pkm_sim_find_event(s, &event));
            PKM_TRY(pkm_sim_look_inside(s, event));
        }
        PKM_TRY(put_rows(s, fmin(event, pkm_rk_time(s->rk)), &i, table, report, err));
        is_fresh = event < HUGE_VAL;
        if (is_fresh) PKM_TRY(return_to_event(s, event, after_event));
        const double t = pkm_rk_time(s->rk);
        if (s->contacts)
            PKM_TRY(note_step(s, is_fresh || (i == first_row && !pkm_sim_has_looked(s))));
        if (!pkm_sim_goes_on(s, t, report)) return PKM_OK;
        if (t < next || i == s->settings->n_instant) continue;
        PKM_TRY(pkm_sim_pass_break(s, t, pkm_rk_state(s->rk)));
        next = pkm_sim_next_break(s, t);
        PKM_TRY(pkm_rk_restart(s->rk, NULL));
    }
    return PKM_OK;
}

/// In free flight nothing moves the modes of a link that bends, and the error estimate would allow
/// steps far beyond the limit of stability, which then blow up rounding. Between joints without
/// play the estimate sees the vibration in time.
static double stable_step(const pkm_sim* s)
{
    static const double LIMIT = 5.0; // of the method, step times angular frequency
    const pkm_mechanism* mech = s->robot->mech;
    double stiffest = 0.0;
    bool has_play = false;
    for (int j = 0; j < mech->n_joint; ++j)
        has_play = has_play || mech->joint[j].released;
    for (int i = 1; has_play && i < mech->n_body; ++i)
        for (int k = 0; mech->body[i].modal && k < mech->body[i].modal->n_mode; ++k)
            stiffest = fmax(stiffest, mech->body[i].modal->stiffness[k]);
    return stiffest > 0.0 ? LIMIT / sqrt(stiffest) : HUGE_VAL;
}

/// Friction changes within milliseconds where a joint comes to rest, which under prescribed drives
/// nothing but the integrals feels: the error estimate of a long step does not see it.
static double longest_step(const pkm_sim* s)
{
    const pkm_effects* effects = s->settings->effects;
    const double stable = stable_step(s);
    double most = s->settings->max_step > 0.0 ? s->settings->max_step : HUGE_VAL;
    if (s->settings->max_step == 0.0 && effects && effects->n_friction > 0)
        most = 0.01 * s->settings->end_time;
    most = fmin(most, stable);
    return most < HUGE_VAL ? most : 0.0;
}

pkm_status pkm_sim_run_explicit(pkm_sim* s, pkm_table* table, pkm_sim_report* report,
                                pkm_error* err)
{
    const pkm_ode ode = {.n = s->n_y, .user = s, .rate = rate, .project = project};
    const pkm_rk_settings settings = {.rtol = s->settings->tolerance,
                                      .atol = s->atol,
                                      .min_step = s->settings->min_step,
                                      .max_step = longest_step(s)};
    const double next = pkm_sim_next_break(s, 0.0);
    pkm_status status = pkm_rk_begin(s->rk, &ode, &settings, 0.0, s->y);
    if (status == PKM_OK) status = pkm_sim_put_row(s, 0, 0.0, s->y, table, report, err);
    if (status == PKM_OK) status = run_through(s, next, table, report, err);
    pkm_sim_close_contacts(s, pkm_rk_time(s->rk), pkm_rk_state(s->rk));
    const pkm_rk_report counts = pkm_rk_get_report(s->rk);
    report->steps = counts.steps;
    report->rejected = counts.rejected + counts.retries;
    report->rates = counts.rates;
    if (status == PKM_OK || status == PKM_ERR_MEMORY) return status;
    report->stop = pkm_sim_stop_for(status);
    report->t_stop = pkm_rk_time(s->rk);
    return PKM_OK;
}
