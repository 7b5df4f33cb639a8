// The one loop of all steppers: step, look inside, go back to an event or a break, start anew,
// write rows. docs/theory/integrators.md, section 3.
#include "base/error.h"
#include "simulate/simulation_impl.h"

#include <string.h>

pkm_status pkm_sim_put_rows(pkm_sim* s, double until, int* i, pkm_table* table,
                            pkm_sim_report* report, pkm_error* err)
{
    while (*i < s->settings->n_instant && pkm_sim_time_of(s, *i) <= until) {
        const double t = pkm_sim_time_of(s, *i);
        PKM_TRY(pkm_sim_dense(s, t, s->y));
        PKM_TRY(pkm_sim_put_row(s, *i, t, s->y, table, report, err));
        ++*i;
    }
    return PKM_OK;
}

/// Surfaces touch or part at time t inside the last step: go back there, change the contacts and
/// start anew. Explicit steps after a touch are as short as those after the last one.
static pkm_status return_to_event(pkm_sim* s, double t, double first_step)
{
    if (pkm_sim_parts_at(s, t) && s->stepper.kind->repeat) {
        PKM_TRY(s->stepper.kind->repeat(s->stepper.m, t));
        if (pkm_sim_time(s) < t) return PKM_OK; // it is found again in the next step
        memcpy(s->y, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
    } else {
        PKM_TRY(pkm_sim_dense(s, t, s->y));
        PKM_TRY(pkm_sim_project(s, t, s->y));
    }
    PKM_TRY(pkm_sim_pass_event(s, t, s->y));
    PKM_TRY(pkm_sim_restart(s, t, s->y, first_step));
    return s->stepper.kind->end == PKM_END_EVALUATED ? PKM_OK : pkm_sim_evaluate(s, t, s->y);
}

/// Bristles of surfaces that have stopped by time t, inside the last step: s->y is there then.
static pkm_status take_up_at(pkm_sim* s, double t)
{
    PKM_TRY(pkm_sim_dense(s, t, s->y));
    PKM_TRY(pkm_sim_project(s, t, s->y));
    return pkm_plant_take_up(s->plant, pkm_sim_left(s, t), s->y + s->n_q + s->n_v);
}

/// The instant inside the last step of a stepper that does not project at which surfaces stop
/// slowly enough to be held; HUGE_VAL: none do. Others repeat their steps until they are.
static pkm_status find_stop(pkm_sim* s, double* at)
{
    enum { TRIES = 80 };
    double high = pkm_sim_time(s), low = high - pkm_sim_last_step(s), t = high;
    *at = HUGE_VAL;
    if (s->stepper.kind->projects || !s->has_bristles) return PKM_OK;
    for (int i = 0; i < TRIES; ++i) {
        const pkm_status status = take_up_at(s, t);
        if (status != PKM_OK && status != PKM_RETRY) return status;
        if (status == PKM_OK && pkm_plant_took_up(s->plant)) {
            *at = t;
            return PKM_OK;
        }
        if (status == PKM_OK && i == 0) return PKM_OK;
        *(status == PKM_OK ? &low : &high) = t;
        t = low + 0.25 * (high - low);
    }
    return PKM_OK;
}

/// Surfaces that stopped in the last step, at time t, rest: start anew from there.
static pkm_status rest_what_stopped(pkm_sim* s, double t)
{
    if (!pkm_plant_took_up(s->plant)) return PKM_OK;
    if (s->stepper.kind->projects)
        memcpy(s->y, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
    else
        PKM_TRY(take_up_at(s, t));
    return pkm_sim_restart(s, t, s->y, 0.0);
}

/// Note the contacts at the end of the step; `is_there`: they were found there last.
static pkm_status note_step(pkm_sim* s, bool is_there)
{
    if (!is_there) pkm_sim_find_contacts(s, pkm_sim_state(s)); // as the step left it
    return pkm_sim_note_contacts(s, pkm_sim_time(s));
}

/// Contacts, rows and peaks of the step from `begin`, up to the time `until`.
static pkm_status finish_step(pkm_sim* s, double begin, double until, double next, int* i,
                              pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    PKM_TRY(pkm_sim_watch_open(s, begin));
    if (s->contacts) PKM_TRY(pkm_sim_look_inside(s, until));
    PKM_TRY(pkm_sim_put_rows(s, until, i, table, report, err));
    return pkm_sim_watch_close(s, until, until >= next);
}

/// Change the equations at time t; the state there is s->y, on the constraints.
static pkm_status pass_break(pkm_sim* s, double t)
{
    memcpy(s->y, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
    if (!s->stepper.kind->projects) PKM_TRY(pkm_sim_project(s, t, s->y));
    return pkm_sim_pass_break(s, t, s->y);
}

/// Of the explicit method: in free flight nothing moves the modes of a flexible link, and the error
/// estimate would allow steps far beyond the limit of stability, which then blow up rounding.
/// Between joints without clearance the estimate sees the vibration in time.
static double stable_step(const pkm_sim* s)
{
    const pkm_mechanism* mech = s->robot->mech;
    bool has_clearance = false;
    for (int j = 0; j < mech->n_joint; ++j)
        has_clearance = has_clearance || mech->joint[j].released;
    const double most = s->stepper.kind->stable;
    return most > 0.0 && has_clearance && s->highest > 0.0 ? most / s->highest : HUGE_VAL;
}

/// Friction changes within milliseconds where a joint comes to rest, which under prescribed drives
/// nothing but the integrals feels: the error estimate of a long step does not see it. Nor does
/// that of order 1 after a start, where contacts are followed to tolerances that fit impacts, see
/// the energy of a short fall.
double pkm_sim_longest_step(const pkm_sim* s)
{
    const pkm_effects* effects = s->settings->effects;
    const double stable = stable_step(s);
    double most = s->settings->max_step > 0.0 ? s->settings->max_step : HUGE_VAL;
    const bool falls = s->contacts && s->integrator == PKM_INTEGRATOR_BDF;
    if (s->settings->max_step == 0.0 && effects && (effects->n_friction > 0 || falls))
        most = (falls ? 0.002 : 0.01) * s->settings->end_time;
    most = fmin(most, stable);
    return most < HUGE_VAL ? most : 0.0;
}

/// Runge-Kutta methods look inside their steps.
static double step_limit(const pkm_sim* s, const pkm_sim_loop* loop, double next)
{
    if (s->stepper.kind->end == PKM_END_EVALUATED) return next;
    return fmin(next, pkm_sim_time(s) + loop->stride);
}

pkm_status pkm_sim_advance(pkm_sim* s, pkm_sim_loop* loop, double until, pkm_table* table,
                           pkm_sim_report* report, pkm_error* err)
{
    if (loop->is_ahead && loop->next <= until + loop->slack && pkm_sim_time(s) >= loop->next) {
        // a break that was reached before is taken up now
        PKM_TRY(pkm_sim_put_rows(s, loop->next, &loop->row, table, report, err));
        if (loop->row < s->settings->n_instant) PKM_TRY(pkm_sim_renew(s, loop, 0.0));
    }
    while (loop->row < s->settings->n_instant && pkm_sim_time(s) < until - loop->slack) {
        if (loop->is_ahead && pkm_sim_is_stiff(s))
            PKM_TRY(pkm_sim_change_stepper(s, pkm_sim_longest_step(s)));
        double event = HUGE_VAL, stop = HUGE_VAL;
        const int first_row = loop->row;
        const bool meets = fabs(loop->next - until) <= loop->slack; // they are the same instant
        const double next = meets || loop->is_ahead ? loop->next : fmin(loop->next, until);
        bool passed;
        PKM_TRY(pkm_sim_step(s, pkm_sim_passage_limit(s, step_limit(s, loop, next))));
        const double begin = pkm_sim_time(s) - pkm_sim_last_step(s);
        pkm_sim_watch_plant(s, pkm_sim_time(s));
        PKM_TRY(pkm_sim_pass_singularity(s, next, &loop->row, &passed, table, report, err));
        if (loop->is_fresh) loop->after_event = pkm_sim_last_step(s);
        if (s->contacts && !passed) PKM_TRY(pkm_sim_find_event(s, &event));
        if (event == HUGE_VAL && !passed) PKM_TRY(find_stop(s, &stop));
        const double end = fmin(fmin(event, stop), pkm_sim_time(s));
        if (passed)
            pkm_sim_watch_forget(s);
        else
            PKM_TRY(finish_step(s, begin, fmin(end, until), next, &loop->row, table, report, err));
        loop->is_fresh = event < HUGE_VAL;
        if (loop->is_fresh) PKM_TRY(return_to_event(s, event, loop->after_event));
        if (loop->is_fresh)
            pkm_sim_forget_passages(s);
        else
            PKM_TRY(rest_what_stopped(s, end));
        const double t = pkm_sim_time(s);
        PKM_TRY(pkm_sim_watch_slides(s, table));
        pkm_sim_watch_loops(s, loop->row == s->settings->n_instant, table);
        if (s->contacts)
            PKM_TRY(note_step(s, !passed && (loop->is_fresh ||
                                             (loop->row == first_row && !pkm_sim_has_looked(s) &&
                                              !pkm_sim_watch_has_looked(s)))));
        const bool beyond = loop->is_ahead && t > until + loop->slack;
        loop->strayed = beyond && passed;
        if (!pkm_sim_goes_on(s, t, report)) return PKM_OK;
        if (beyond) break;
        if (loop->stops && loop->is_fresh) return PKM_OK;
        if (pkm_sim_is_stiff(s) && loop->row < s->settings->n_instant)
            PKM_TRY(pkm_sim_change_stepper(s, pkm_sim_longest_step(s)));
        if (t < loop->next || loop->row == s->settings->n_instant) continue;
        PKM_TRY(pkm_sim_renew(s, loop, 0.0));
    }
    return loop->is_ahead ? pkm_sim_put_rows(s, until, &loop->row, table, report, err) : PKM_OK;
}

pkm_status pkm_sim_renew(pkm_sim* s, pkm_sim_loop* loop, double first_step)
{
    const double t = pkm_sim_time(s);
    PKM_TRY(pass_break(s, t));
    loop->next = pkm_sim_next_break(s, t);
    loop->stride = pkm_sim_stride(s, t, loop->next);
    PKM_TRY(pkm_plant_take_load(s->plant, t, s->y + s->n_q + s->n_v));
    return pkm_sim_restart(s, t, s->y, first_step);
}

pkm_status pkm_sim_begin_loop(pkm_sim* s, pkm_sim_loop* loop, pkm_table* table,
                              pkm_sim_report* report, pkm_error* err)
{
    *loop = (pkm_sim_loop){.next = pkm_sim_next_break(s, 0.0), .row = 1};
    loop->stride = pkm_sim_stride(s, 0.0, loop->next);
    PKM_TRY(pkm_sim_begin_steps(s, 0.0, pkm_sim_longest_step(s)));
    return pkm_sim_put_row(s, 0, 0.0, s->y, table, report, err);
}

pkm_status pkm_sim_end_loop(pkm_sim* s, pkm_status status, pkm_sim_report* report)
{
    pkm_sim_close_contacts(s, pkm_sim_time(s), pkm_sim_state(s));
    pkm_sim_count_steps(s, report);
    if (status == PKM_OK || status == PKM_ERR_MEMORY) return status;
    report->stop = pkm_sim_stop_for(s, status, &report->jam);
    report->t_stop = s->why != PKM_STOP_END_TIME ? s->t_why : pkm_sim_time(s);
    return PKM_OK;
}

pkm_status pkm_sim_run(pkm_sim* s, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_sim_loop loop;
    pkm_status status = pkm_sim_begin_loop(s, &loop, table, report, err);
    if (status == PKM_OK) status = pkm_sim_advance(s, &loop, HUGE_VAL, table, report, err);
    status = pkm_sim_end_loop(s, status, report);
    pkm_sim_warn_jam(s, report, table);
    // steps and rows tell a status only
    return status == PKM_ERR_MEMORY ? pkm_fail(err, status, "out of memory") : status;
}
