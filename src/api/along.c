/// Analyses along a motion: inverse dynamics, simulation, elastodynamics.
#include "api/rows.h"
#include "api/work.h"

#include "base/error.h"
#include "base/memory.h"
#include "clearance/seated.h"
#include "linear/ked.h"
#include "robot/inverse_result.h"
#include "simulate/simulation.h"

#include <math.h>
#include <string.h>

static pkm_status out_of_memory(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

/// The motion of the run; PKM_ERR_MODEL: there is none.
static pkm_status require_motion(const pkm_work* work, pkm_error* err)
{
    if (work->run->settings.motion != PKM_NONE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL, "%s: no motion, expected one in the model",
                    work->robot->desc->name);
}

static void add_limits(pkm_answer* to, const pkm_limit_report* limit, int n)
{
    pkm_answer_add(to, "limits_broken", "", n);
    for (int i = 0; i < n; ++i) {
        pkm_answer_add_of(to, "limit", limit[i].what, limit[i].unit, limit[i].value);
        pkm_answer_add_of(to, "limit_from", limit[i].what, "s", limit[i].from);
    }
}

// ---- inverse dynamics -------------------------------------------------------------------------

static void add_inverse(pkm_answer* to, const pkm_inverse_report* r)
{
    const double unknown = r->is_summed ? 0.0 : NAN;
    pkm_answer_add(to, "t_end", "s", r->t_end);
    pkm_answer_add(to, "energy.drive", "J", r->drive_work + unknown);
    pkm_answer_add(to, "energy.load", "J", r->load_work + unknown);
    pkm_answer_add(to, "energy.friction", "J", r->friction_loss + unknown);
    pkm_answer_add(to, "energy.damping", "J", r->damping_loss + unknown);
    pkm_answer_add(to, "energy.change", "J", r->energy_change + unknown);
    pkm_answer_add(to, "energy.spring", "J", r->spring_change + unknown);
    pkm_answer_add(to, "energy.exchanged", "J", r->exchanged + unknown);
    pkm_answer_add(to, "energy.residual", "J", pkm_inverse_residual(r) + unknown);
    pkm_answer_add(to, "power.error", "W", r->power_error);
    pkm_answer_add(to, "power.scale", "W", r->power_scale);
    add_limits(to, r->limit, r->n_limit);
}

static pkm_status inverse(pkm_work* work, pkm_error* err)
{
    PKM_TRY(require_motion(work, err));
    const pkm_inverse_settings settings = pkm_rows_inverse_of(work->run);
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    pkm_inverse_report* r = pkm_alloc(1, sizeof *r);
    pkm_status status = table && r ? pkm_inverse_run(work->robot, work->run->settings.motion,
                                                     &settings, table, r, err)
                                   : out_of_memory(err);
    if (r) add_inverse(work->answer, r);
    if (status == PKM_OK && r->interrupted) status = pkm_work_interrupted(work, r->t_end, err);
    pkm_free(r);
    return status;
}

pkm_status pkm_run_inverse(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_INVERSE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = inverse(&work, err);
    return pkm_work_end(&work, status, out, err);
}

// ---- simulation -------------------------------------------------------------------------------

static void add_simulation(pkm_work* work, const pkm_sim_report* r)
{
    pkm_answer* to = work->answer;
    const pkm_ledger* l = &r->ledger;
    pkm_answer_add(to, "t_end", "s", r->t_end);
    pkm_answer_add(to, "steps.accepted", "", r->steps);
    pkm_answer_add(to, "steps.rejected", "", r->rejected);
    pkm_answer_add(to, "steps.rates", "", r->rates);
    pkm_answer_add(to, "drift.position", "m", r->drift_position);
    pkm_answer_add(to, "drift.velocity", "m/s", r->drift_velocity);
    const pkm_ledger_term* term;
    for (int i = 0; (term = pkm_ledger_term_at(i)); ++i)
        pkm_answer_add_of(to, "energy", term->name, "J", pkm_ledger_get(l, term));
    pkm_answer_add(to, "energy.residual", "J", l->residual);
    pkm_answer_add(to, "energy.exchanged", "J", l->exchanged);
    for (int d = 0; d < work->robot->mech->n_drive; ++d)
        if (!isnan(r->energy_use[d]))
            pkm_answer_add_of(to, "energy_use", work->robot->mech->drive[d].name, "J",
                              r->energy_use[d]);
    add_limits(to, r->limits.item, r->limits.n);
}

static void add_seated(pkm_answer* to, const pkm_seated_report* r)
{
    pkm_answer_add(to, "t_end", "s", r->t_end);
    pkm_answer_add(to, "drop", "m", r->drop);
    pkm_answer_add(to, "gap", "m", r->gap);
    pkm_answer_add(to, "roughness", "m/s2", r->roughness);
    pkm_answer_add(to, "iterations", "", r->iterations);
    pkm_answer_add(to, "unsettled", "", r->n_unsettled);
    pkm_answer_add(to, "reversals", "", r->n_reversal);
}

/// One run with these settings; `main`: its numbers are those of the answer.
static pkm_status seat_once(pkm_work* work, const pkm_sim_settings* settings, pkm_table* table,
                            bool main, pkm_stop* stop, pkm_error* err)
{
    const pkm_effects* e = settings->effects;
    pkm_seated_report* r = pkm_alloc(1, sizeof *r);
    if (!r) return out_of_memory(err);
    const pkm_status status =
        pkm_seated_run(work->robot, settings, e->clearance, e->n_clearance, table, r, err);
    if (main) add_seated(work->answer, r);
    *stop = r->interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    pkm_free(r);
    return status;
}

static pkm_status simulate_once(pkm_work* work, const pkm_sim_settings* settings, pkm_table* table,
                                bool main, pkm_stop* stop, pkm_error* err)
{
    if (pkm_simulate_analysis(settings->effects) == PKM_ANALYSIS_SEATED)
        return seat_once(work, settings, table, main, stop, err);
    pkm_sim_report* r = pkm_alloc(1, sizeof *r);
    if (!r) return out_of_memory(err);
    const pkm_status status = pkm_simulate(work->robot, settings, table, r, err);
    if (main) add_simulation(work, r);
    *stop = r->stop;
    if (main && status == PKM_OK && r->stop != PKM_STOP_END_TIME)
        pkm_fail(err, pkm_stop_status(r->stop), "t = %.6g s: %s", r->t_stop,
                 pkm_stop_reason(r->stop));
    pkm_free(r);
    return status;
}

// ---- repetitions ------------------------------------------------------------------------------

static pkm_status make_spreads(pkm_answer* answer, pkm_error* err)
{
    const int n = pkm_table_n_column(answer->table[0]);
    answer->spread = pkm_alloc((size_t)n, sizeof *answer->spread);
    if (!answer->spread) return out_of_memory(err);
    for (int c = 0; c < n; ++c)
        answer->spread[c] = pkm_spread_none();
    return PKM_OK;
}

/// Widen the error bars of all peaks by those of a repetition.
static void compare(pkm_answer* answer, pkm_verify_means means, const pkm_table* other)
{
    const pkm_table* table = answer->table[0];
    for (int c = 0; c < pkm_table_n_column(table); ++c)
        pkm_spread_add(&answer->spread[c], pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, NULL),
                       means, pkm_table_reduce(other, c, PKM_REDUCE_ABSMAX, NULL));
}

static pkm_status repeat(pkm_work* work, pkm_verify_means means, pkm_error* err)
{
    pkm_verify_run other;
    pkm_stop stop = PKM_STOP_END_TIME;
    pkm_table* table = pkm_table_create();
    pkm_status status = pkm_verify_run_make(work->run, means, &other, err);
    other.settings.progress = work->run->progress;
    other.settings.user = work->run->user;
    if (status == PKM_OK && !table) status = out_of_memory(err);
    if (status == PKM_OK) status = simulate_once(work, &other.settings, table, false, &stop, err);
    if (status == PKM_OK && stop == PKM_STOP_END_TIME)
        compare(work->answer, means, table);
    else if (status == PKM_OK && stop == PKM_STOP_INTERRUPTED)
        status = pkm_work_interrupted(work, work->run->settings.end_time, err);
    else if (status == PKM_OK)
        pkm_warn(pkm_table_warnings(work->answer->table[0]), "verification", NAN,
                 "verification with %s ends early: it tells nothing of the error bars",
                 other.words);
    pkm_verify_run_free(&other);
    pkm_table_free(table);
    return status;
}

static pkm_status verify(pkm_work* work, pkm_error* err)
{
    pkm_verify_means means[PKM_MAX_REPEAT];
    const int n = pkm_verify_plan(pkm_verify_kind_of(work->run), true, means);
    PKM_TRY(make_spreads(work->answer, err));
    for (int k = 0; k < n; ++k)
        PKM_TRY(repeat(work, means[k], err));
    return PKM_OK;
}

static pkm_status simulate(pkm_work* work, pkm_error* err)
{
    pkm_sim_settings settings = work->run->settings;
    pkm_stop stop = PKM_STOP_END_TIME;
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    if (!table) return out_of_memory(err);
    settings.progress = work->run->progress;
    settings.user = work->run->user;
    work->answer->verify = pkm_verify_kind_of(work->run);
    PKM_TRY(simulate_once(work, &settings, table, true, &stop, err));
    if (stop == PKM_STOP_INTERRUPTED)
        return pkm_work_interrupted(work, pkm_answer_value(work->answer, "t_end"), err);
    if (stop != PKM_STOP_END_TIME) return pkm_stop_status(stop);
    return work->run->asked.verify ? verify(work, err) : PKM_OK;
}

pkm_status pkm_run_simulate(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_SIMULATE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = simulate(&work, err);
    return pkm_work_end(&work, status, out, err);
}

// ---- elastodynamics ---------------------------------------------------------------------------

static pkm_ked_settings ked_settings(const pkm_run* run)
{
    const pkm_sim_settings* s = &run->settings;
    const pkm_asked* t = &run->asked;
    pkm_ked_settings out = pkm_ked_settings_defaults();
    out.effects = &run->effects;
    out.motion = s->motion;
    out.n_instant = s->n_instant;
    out.end_time = run->has_end ? s->end_time : 0.0;
    out.tool_force = s->tool_force;
    out.tool_torque = s->tool_torque;
    if (s->undeformed) out.start = PKM_KED_START_UNDEFORMED;
    if (t->periodic) out.start = PKM_KED_START_PERIODIC;
    out.without_coupling = t->uncoupled;
    out.has_stiffening = t->stiffening;
    if (t->n_repeat > 0) out.n_repeat = t->n_repeat;
    out.step = t->step;
    memcpy(out.drive, run->hold, sizeof out.drive);
    out.progress = run->progress;
    out.user = run->user;
    return out;
}

static pkm_status halve(pkm_work* work, const pkm_ked_settings* settings, double step,
                        pkm_error* err)
{
    pkm_ked_settings half = *settings;
    pkm_ked_report r = {0};
    pkm_table* table = pkm_table_create();
    pkm_status status = table ? make_spreads(work->answer, err) : out_of_memory(err);
    half.step = 0.5 * step;
    if (status == PKM_OK) status = pkm_ked_run(work->robot, &half, table, &r, err);
    if (status == PKM_OK && r.interrupted) status = pkm_work_interrupted(work, r.t_end, err);
    if (status == PKM_OK) compare(work->answer, PKM_VERIFY_STEPS, table);
    pkm_table_free(table);
    return status;
}

static pkm_status elastodynamics(pkm_work* work, pkm_error* err)
{
    PKM_TRY(require_motion(work, err));
    const pkm_ked_settings settings = ked_settings(work->run);
    pkm_ked_report r = {0};
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    if (!table) return out_of_memory(err);
    PKM_TRY(pkm_ked_run(work->robot, &settings, table, &r, err));
    pkm_answer_add(work->answer, "t_end", "s", r.t_end);
    pkm_answer_add(work->answer, "step", "s", r.step);
    pkm_answer_add(work->answer, "steps", "", r.n_step);
    pkm_answer_add(work->answer, "coordinates", "", r.n_coordinate);
    pkm_answer_add(work->answer, "frequency", "Hz", r.omega / 6.283185307179586477);
    if (r.interrupted) return pkm_work_interrupted(work, r.t_end, err);
    return work->run->asked.verify ? halve(work, &settings, r.step, err) : PKM_OK;
}

pkm_status pkm_run_elastodynamics(pkm_robot* robot, const pkm_run* run, pkm_answer** out,
                                  pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_ELASTODYNAMICS, true, robot, run, out, &work, err);
    if (status == PKM_OK) status = elastodynamics(&work, err);
    return pkm_work_end(&work, status, out, err);
}
