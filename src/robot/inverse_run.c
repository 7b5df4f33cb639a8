// Inverse dynamics along a motion: the walk over rows and samples. How an instant is computed is
// the business of inverse_run_engine.c or inverse_run_closed.c; peaks are in inverse_run_samples.c,
// integrals in inverse_run_sums.c, motors in inverse_run_motors.c. docs/theory/engine.md, section
// 4.
#include "pkm/inverse.h"

#include "base/error.h"
#include "dynamics/plant_friction_columns.h"
#include "motion/breaks.h"
#include "robot/guard.h"
#include "robot/instant.h"
#include "robot/inverse_run_impl.h"
#include "robot/motor_limits.h"
#include "robot/snapshots.h"
#include "table/warnings.h"

#include <string.h>

pkm_inverse_settings pkm_inverse_settings_defaults(void)
{
    return (pkm_inverse_settings){.method = PKM_METHOD_ENGINE, .n_instant = 401};
}

bool pkm_inverse_has_friction(const pkm_inverse_settings* settings)
{
    return settings->effects && settings->effects->n_friction > 0;
}

/// The same walk adds the columns (no values) and fills a row.
static void put_all(const pkm_inverse_walk* w, double t, const pkm_run_instant* at, pkm_layout* to)
{
    pkm_motion_table_put(&w->columns, to, t, at, w->reaction);
    pkm_inverse_put_motors(w, at, to);
    if (w->plant) pkm_plant_put_friction(w->plant, to);
}

static pkm_status begin_table(pkm_inverse_walk* w, pkm_table* table, pkm_error* err)
{
    pkm_layout to = {.table = table};
    put_all(w, 0.0, NULL, &to);
    if (to.failed) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (w->settings->effects)
        PKM_TRY(pkm_extra_columns_create(&w->columns.of, w->settings->effects->columns, table,
                                         &w->extra, err));
    if (pkm_table_reserve(table, w->settings->n_instant) == PKM_OK) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static pkm_status prepare(pkm_inverse_walk* w, pkm_error* err)
{
    const bool engine = w->settings->method == PKM_METHOD_ENGINE;
    const bool reactions = engine && w->settings->reactions;
    // everything else in this file asks the way, not which one it is
    w->way = engine ? &pkm_inverse_by_engine : &pkm_inverse_by_closed;
    PKM_TRY(
        pkm_motion_table_begin(&w->columns, pkm_robot_machine(w->robot), engine, reactions, err));
    // a robot without a tool or with redundant drives has no distance to singularities
    w->columns.nearness = pkm_nearness_is_known(w->robot);
    pkm_nearness_begin(w->robot, w->motion, &w->near);
    return w->way->begin(w, err);
}

void pkm_inverse_finish_row(pkm_inverse_walk* w, double t, pkm_run_instant* at, double* row)
{
    // rotors before the row: they are part of what motors give
    at->condition = w->near.condition;
    at->singularity = w->near.distance;
    pkm_inverse_add_rotors(w, at);
    put_all(w, t, at, &(pkm_layout){.out = row});
    if (w->extra) pkm_extra_columns_put(w->extra, w->robot->state, row);
}

static pkm_status between_rows(pkm_inverse_walk* w, double from, double to, double end,
                               pkm_error* err)
{
    if (w->way->between) PKM_TRY(w->way->between(w, from, to, err));
    return pkm_inverse_sample_between(w, from, to, end, err);
}

static pkm_status step_through(pkm_inverse_walk* w, double end, pkm_table* table,
                               pkm_inverse_report* report, pkm_error* err)
{
    const int n = w->settings->n_instant;
    pkm_run_instant at = {.kinetic = 0.0}; // each row fills the same of it
    for (int i = 0; i < n; ++i) {
        // rows are evenly spaced; what lies between is looked at on the way
        const double t = end * i / (n - 1);
        if (i > 0) PKM_TRY(between_rows(w, end * (i - 1) / (n - 1), t, end, err));
        PKM_TRY(w->way->go(w, t, err));
        PKM_TRY(w->way->read(w, t, &at, err));
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        pkm_inverse_finish_row(w, t, &at, row);
        // peaks and sums take rows as samples where these are dense enough
        const bool is_sample = i == n - 1 || pkm_inverse_is_sample(w, t, end);
        if (is_sample) pkm_inverse_note_sample(w, row, true);
        if (w->settings->method == PKM_METHOD_ENGINE)
            pkm_snapshots_take(w->settings->snapshots, w->robot->state, t);
        if (pkm_limits_note(&w->limits, t, w->robot->state) != PKM_OK)
            return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        if (is_sample) pkm_inverse_note_sums(w, row, &at);
        pkm_inverse_note_power(w, &at, report);
        report->n_done = i + 1;
        report->t_end = t;
        if (!w->settings->progress) continue;
        // the row stays: what is done is told
        if (!w->settings->progress(w->settings->user, (double)(i + 1) / n)) {
            report->interrupted = true;
            break;
        }
    }
    return PKM_OK;
}

/// Idle freedoms move from row to row with the masses of the first.
static pkm_status check_payloads(const pkm_effects* effects, pkm_error* err)
{
    for (int i = 0; effects && i < effects->n_carried; ++i)
        if (pkm_payload_next_break(&effects->carried[i].payload, 1, 0.0) < HUGE_VAL)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "payload (%s): it comes or goes while idle freedoms move, expected "
                            "idle: refuse, or pkm simulate",
                            effects->carried[i].name);
    return PKM_OK;
}

static pkm_status check_settings(const pkm_robot* robot, int motion,
                                 const pkm_inverse_settings* settings, pkm_error* err)
{
    const pkm_vec3 f = settings->tool_force, t = settings->tool_torque;
    if (!pkm_robot_get_motion(robot, motion))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has %d motions, number %d is none of them",
                        robot->desc->name, robot->desc->n_motion, motion);
    if (settings->method != PKM_METHOD_ENGINE && settings->method != PKM_METHOD_CLOSED)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "method: %d, expected engine or closed",
                        (int)settings->method);
    const double given[] = {f.x, f.y, f.z, t.x, t.y, t.z};
    if (!pkm_all_finite(given, 6))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: its force or torque is not finite");
    if (!isfinite(settings->end_time) || settings->end_time < 0.0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "end time: %g s, expected 0 or more",
                        settings->end_time);
    if (settings->n_instant < 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "instants: %d, expected at least 2",
                        settings->n_instant);
    if (settings->method == PKM_METHOD_CLOSED && !robot->closed)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s has no closed form, expected `closed_form:` in %s or --method engine",
                        robot->desc->name, robot->desc->file);
    if (settings->method == PKM_METHOD_CLOSED && pkm_inverse_has_friction(settings))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "friction needs the reactions of the joints, expected --method engine");
    if (settings->idle == PKM_IDLE_INTEGRATE) return check_payloads(settings->effects, err);
    return PKM_OK;
}

/// Limits that are broken, as a list and as warnings. A closed form does not know all joints.
static void find_limits(const pkm_inverse_walk* w, int motion, pkm_table* table,
                        pkm_inverse_report* report)
{
    pkm_limit_list list;
    pkm_limits_find(&w->limits, w->robot, motion, table, &list);
    report->n_limit = list.n;
    memcpy(report->limit, list.item, sizeof report->limit);
    pkm_limits_warn(&list, pkm_table_warnings(table));
    for (int d = 0; w->settings->effects && d < w->robot->mech->n_drive; ++d)
        if (w->settings->effects->motor[d])
            pkm_motor_limits_warn(w->settings->effects->motor[d], w->robot->mech->drive[d].name,
                                  table);
    if (w->settings->method == PKM_METHOD_CLOSED && pkm_joint_limits_passive(w->robot))
        pkm_warn(pkm_table_warnings(table), "limit", NAN,
                 "limits of joints without drives are not watched by the closed form; the engine "
                 "watches them");
}

/// Where the velocity of the motion jumps the drives would need infinite forces: rows know nothing
/// of it.
static void warn_jump(const pkm_motion* motion, double end, pkm_warnings* to)
{
    double jump;
    const double t = pkm_motion_find_jump(motion, end, &jump);
    if (t < end)
        pkm_warn(to, "motion", t,
                 "motion %s: its velocity jumps by %.6g at t = %.6g s, which takes infinite "
                 "forces; the forces are those before and behind it",
                 pkm_motion_name(motion), jump, t);
}

static void release(pkm_inverse_walk* w)
{
    // the state belongs to the robot: neither loads nor payloads of the run stay on it
    memset(w->robot->state->load, 0, (size_t)w->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_state_unload(w->robot->state);
    pkm_reactions_free(w->reactions);
    pkm_free(w->reaction);
    pkm_plant_free(w->plant);
    pkm_limits_end(&w->limits);
    pkm_idle_run_free(w->idle);
    pkm_peaks_free(w->peaks);
    pkm_serial_end(&w->near.passes);
    pkm_column_sums_free(w->sums);
    pkm_free(w->smooth);
    pkm_free(w->row);
    pkm_free(w->place);
    pkm_free(w->lock);
    pkm_motion_table_end(&w->columns);
    pkm_extra_columns_free(w->extra);
}

pkm_status pkm_inverse_columns(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                               pkm_table* table, pkm_error* err)
{
    PKM_TRY(check_settings(robot, motion, settings, err));
    pkm_inverse_walk w = {
        .robot = robot, .settings = settings, .motion = robot->desc->motion[motion].motion};
    pkm_status status = prepare(&w, err);
    if (status == PKM_OK) status = begin_table(&w, table, err);
    release(&w);
    return status;
}

/// What is told about the whole run, however it ended.
static pkm_status conclude(pkm_inverse_walk* w, int motion, double end, pkm_table* table,
                           pkm_inverse_report* report, pkm_error* err)
{
    // sums first: measures of rms use them
    pkm_inverse_close_sums(w, end, table, report);
    const pkm_status status = pkm_inverse_locate_peaks(w, table, err);
    find_limits(w, motion, table, report);
    warn_jump(w->motion, end, pkm_table_warnings(table));
    pkm_nearness_warn(&w->near, pkm_table_warnings(table));
    if (w->plant) pkm_plant_warn_range(w->plant, table);
    return status;
}

pkm_status pkm_inverse_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* table, pkm_inverse_report* report, pkm_error* err)
{
    const pkm_inverse_settings defaults = pkm_inverse_settings_defaults();
    pkm_inverse_report unread;
    if (!settings) settings = &defaults;
    if (!report) report = &unread;
    *report = (pkm_inverse_report){0};
    if (!robot || !table)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: the robot or the table is NULL");
    if (pkm_table_n_column(table) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the table has columns already, expected none");
    PKM_HOLD(robot, err);
    PKM_TRY(check_settings(robot, motion, settings, err));
    pkm_inverse_walk w = {.robot = robot,
                          .settings = settings,
                          .motion = robot->desc->motion[motion].motion,
                          .next_break = -HUGE_VAL};
    const double end =
        settings->end_time > 0.0 ? settings->end_time : pkm_motion_duration(w.motion);
    pkm_status status = prepare(&w, err);
    if (status == PKM_OK) status = begin_table(&w, table, err);
    if (status == PKM_OK) status = pkm_inverse_begin_samples(&w, end, table, err);
    if (status == PKM_OK) status = pkm_inverse_begin_sums(&w, table, err);
    if (status == PKM_OK) pkm_inverse_warn_idle(&w, table);
    if (settings->snapshots) pkm_snapshots_rewind(settings->snapshots);
    if (status == PKM_OK) {
        // a failure in the middle leaves rows, peaks and sums up to there
        status = step_through(&w, end, table, report, err);
        const bool done = status == PKM_OK;
        // a run that fails keeps its rows, and what they tell
        const pkm_status told = conclude(&w, motion, end, table, report, done ? err : NULL);
        if (done) status = told;
    }
    release(&w);
    return status;
}
