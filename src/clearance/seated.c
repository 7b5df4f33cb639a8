// Seated journals along a motion: the ideal robot and the one with displaced joints side by side at
// 800 instants or more, their difference as columns, load reversals as events. Called by the verb
// `simulate` with `fidelity: seated`. Equations: docs/theory/clearance.md, sections 3.3 and 3.5.
#include "clearance/seated.h"

#include "base/error.h"
#include "base/memory.h"
#include "clearance/seated_impl.h"
#include "motion/breaks.h"
#include "robot/idle.h"
#include "robot/nearness.h"
#include "robot/snapshots.h"
#include "run/takes.h"

#include <string.h>

enum { LEAST_STEPS = 800 };         // of a run: what derivatives and reversals are found from
static const double SETTLED = 1e-9; // [robot sizes] change of offsets that no longer matters

// ---- one instant ------------------------------------------------------------------------------

/// The ideal robot at t, with its driving forces.
static pkm_status ideal_instant(pkm_seated_job* job, pkm_follower* follower, double t,
                                pkm_run_instant* out, pkm_error* err)
{
    pkm_state* state = job->robot->state;
    // from the left: what jumps at t has not jumped yet
    const double left = pkm_effects_left(job->settings->effects, t);
    // the rigid motion first: journals are seated by its reactions
    PKM_TRY(pkm_follow_to(follower, t, err));
    pkm_effects_carry(job->settings->effects, left, state);
    pkm_run_instant_read(job->robot->state, out);
    const pkm_mechanism* mech = job->robot->mech;
    double stored = 0.0, dissipated = 0.0, fed = 0.0;
    memset(state->load, 0, (size_t)mech->n_body * sizeof(pkm_wrench));
    pkm_effects_apply(job->settings->effects, left, state, state->load, &stored, &dissipated, &fed);
    // what acts on the tool, about the world origin
    pkm_wrench* on = &state->load[mech->marker[mech->tool].body];
    *on = pkm_wrench_add(*on, pkm_wrench_at(out->tool.pose.p, job->settings->tool_force,
                                            job->settings->tool_torque));
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out->force);
    return pkm_idle_check(job->robot, PKM_GIVEN_DRIVES, &job->robot->structure, 0,
                          pkm_motion_name(follower->motion), t, err);
}

/// Motors do not know of the clearance: drives have the positions and rates of the ideal motion.
static pkm_status seated_instant(pkm_seated_job* job, double t, const pkm_run_instant* ideal,
                                 pkm_run_instant* out, pkm_error* err)
{
    pkm_target target = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
    memcpy(target.q, ideal->q, sizeof target.q);
    memcpy(target.v, ideal->v, sizeof target.v);
    memcpy(target.a, ideal->a, sizeof target.a);
    const pkm_seat_loads loads = {.t = pkm_effects_left(job->settings->effects, t),
                                  .effects = job->settings->effects,
                                  .tool_force = job->settings->tool_force,
                                  .tool_torque = job->settings->tool_torque};
    if (pkm_seat_solve(&job->seat, &target, &loads) != PKM_OK)
        return pkm_fail(
            err, PKM_ERR_CONVERGENCE,
            "seated clearance: t = %.6g s: the loops cannot be closed with the journals at "
            "the walls of their bearings; try less clearance or another motion",
            t);
    pkm_run_instant_read(job->seat.moved->state, out);
    memcpy(out->force, job->seat.force, sizeof out->force);
    return PKM_OK;
}

static void note_instant(pkm_seated_job* job, int step, double t, pkm_seated_report* report)
{
    const pkm_seat* seat = &job->seat;
    report->iterations += seat->iterations;
    // offsets of journals follow reactions and these the offsets: an iteration that may not end
    report->n_unsettled += seat->change > SETTLED * job->robot->mech->size;
    report->gap = fmax(report->gap, seat->gap);
    report->n_instant = step + 1;
    report->t_end = t;
    // where a journal leaves the wall or jumps across is told at the end
    pkm_seated_watch_note(&job->watch, step, seat->y, seat->f);
}

// ---- the run ----------------------------------------------------------------------------------

static bool goes_on(const pkm_seated_job* job, double fraction, pkm_seated_report* report)
{
    if (!job->settings->progress || job->settings->progress(job->settings->user, fraction))
        return true;
    report->interrupted = true;
    return false;
}

static pkm_status step_through(pkm_seated_job* job, pkm_seated_report* report, pkm_error* err)
{
    // steps between rows: deviations are differentiated twice over them
    const int n_step = (job->settings->n_instant - 1) * job->per_row;
    pkm_follower follower;
    const pkm_motion* motion = job->robot->desc->motion[job->settings->motion].motion;
    pkm_nearness near;
    // of the ideal motion, which the drives follow
    pkm_nearness_begin(job->robot, motion, &near);
    PKM_TRY(pkm_follow_begin(job->robot, motion, &follower, err));
    for (int k = 0; k <= n_step; ++k) {
        const double t = job->settings->end_time * k / n_step;
        pkm_run_instant ideal = {.kinetic = 0.0}, seated = {.kinetic = 0.0};
        PKM_TRY(ideal_instant(job, &follower, t, &ideal, err));
        // later instants start from the seats of the one before
        if (k == 0) pkm_seat_reset(&job->seat);
        PKM_TRY(seated_instant(job, t, &ideal, &seated, err));
        note_instant(job, k, t, report);
        // differentiated later (3.5), at all steps
        job->dp[k] = pkm_vec3_sub(seated.tool.pose.p, ideal.tool.pose.p);
        // how far the tool sinks when the robot is at rest
        if (k == 0) report->drop = pkm_vec3_norm(job->dp[0]);
        if (k % job->per_row != 0) continue;
        if (job->columns.nearness) pkm_nearness_read(&near, t);
        seated.condition = near.condition;
        seated.singularity = near.distance;
        pkm_seated_keep_row(job, k / job->per_row, &ideal, &seated);
        double* row = pkm_table_append(job->raw);
        if (!row) return pkm_out_of_memory(err);
        // rows of the seated robot; those of the ideal one are kept beside
        pkm_motion_table_put(&job->columns, &(pkm_layout){.out = row}, t, &seated,
                             job->seat.reaction);
        if (pkm_limits_note(&job->limits, t, job->seat.moved->state) != PKM_OK)
            return pkm_out_of_memory(err);
        pkm_snapshots_take(job->settings->snapshots, job->seat.moved->state, t);
        pkm_snapshots_take(job->settings->ideal_snapshots, job->robot->state, t);
        if (!goes_on(job, (double)(k + 1) / (n_step + 1), report)) break;
    }
    pkm_nearness_warn(&near, pkm_table_warnings(job->raw));
    pkm_seated_watch_find(&job->watch, report->n_instant, job->step, report);
    return PKM_OK;
}

static const char must[] = "fidelity seated is quasi-static:";

static pkm_status check(const pkm_robot* robot, const pkm_sim_settings* settings, pkm_error* err)
{
    if (settings->motion == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s it needs a motion, and there is none", must);
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "%s it needs a tool, and %s names none", must,
                        robot->desc->name);
    const pkm_choices choices = {
        .robot = robot, .effects = settings->effects, .settings = settings};
    return pkm_choices_require(&choices, PKM_ANALYSIS_SEATED, err);
}

static pkm_status prepare(pkm_seated_job* job, const pkm_joint_clearance* clearance,
                          int n_clearance, pkm_table* table, pkm_error* err)
{
    const int n_interval = job->settings->n_instant - 1;
    // rows are a selection of the steps, whatever their number
    job->per_row = (LEAST_STEPS + n_interval - 1) / n_interval;
    const int n_step = n_interval * job->per_row;
    job->step = job->settings->end_time / n_step;
    PKM_TRY(pkm_limits_begin(job->robot, job->settings->n_instant, &job->limits, err));
    PKM_TRY(pkm_seat_create(job->robot, clearance, n_clearance, &job->seat, err));
    PKM_TRY(pkm_seated_watch_begin(&job->seat.regions, n_step + 1, &job->watch, err));
    PKM_TRY(pkm_motion_table_begin(&job->columns, pkm_robot_machine(job->seat.moved), true,
                                   job->settings->reactions, err));
    job->columns.nearness = pkm_nearness_is_known(job->robot);
    const size_t n_row = (size_t)job->settings->n_instant;
    job->n_clearance = n_clearance;
    job->raw = pkm_table_create();
    job->dp = pkm_alloc((size_t)n_step + 1, sizeof *job->dp);
    job->row = pkm_alloc(n_row, sizeof *job->row);
    job->drive = pkm_alloc(n_row * (size_t)job->robot->mech->n_drive, sizeof *job->drive);
    job->joint = pkm_alloc(n_row * (size_t)n_clearance, sizeof *job->joint);
    if (!job->raw || !job->dp || !job->row || !job->drive || !job->joint)
        return pkm_out_of_memory(err);
    PKM_TRY(pkm_seated_add_columns(job, table, err));
    if (pkm_table_reserve(table, job->settings->n_instant) != PKM_OK ||
        pkm_table_reserve(job->raw, job->settings->n_instant) != PKM_OK)
        return pkm_out_of_memory(err);
    return PKM_OK;
}

static void find_limits(const pkm_seated_job* job, pkm_table* table)
{
    pkm_limit_list list;
    pkm_limits_find(&job->limits, job->robot, job->settings->motion, table, &list);
    pkm_limits_warn(&list, pkm_table_warnings(table));
}

static void release(pkm_seated_job* job)
{
    memset(job->robot->state->load, 0, (size_t)job->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_state_unload(job->robot->state);
    pkm_motion_table_end(&job->columns);
    pkm_limits_end(&job->limits);
    pkm_seated_watch_end(&job->watch);
    pkm_seat_free(&job->seat);
    pkm_table_free(job->raw);
    pkm_free(job->dp);
    pkm_free(job->row);
    pkm_free(job->drive);
    pkm_free(job->joint);
}

pkm_status pkm_seated_columns(pkm_robot* robot, const pkm_sim_settings* settings,
                              const pkm_joint_clearance* clearance, int n_clearance,
                              pkm_table* table, pkm_error* err)
{
    PKM_TRY(check(robot, settings, err));
    pkm_seated_job job = {.robot = robot, .settings = settings};
    const pkm_status status = prepare(&job, clearance, n_clearance, table, err);
    release(&job);
    return status;
}

pkm_status pkm_seated_run(pkm_robot* robot, const pkm_sim_settings* settings,
                          const pkm_joint_clearance* clearance, int n_clearance, pkm_table* table,
                          pkm_seated_report* report, pkm_error* err)
{
    *report = (pkm_seated_report){0};
    PKM_TRY(check(robot, settings, err));
    PKM_TRY(pkm_motion_refuse_jump(robot->desc->motion[settings->motion].motion, settings->end_time,
                                   err));
    pkm_seated_job job = {.robot = robot, .settings = settings};
    pkm_status status = prepare(&job, clearance, n_clearance, table, err);
    if (status == PKM_OK) status = step_through(&job, report, err);
    if (status == PKM_OK) status = pkm_seated_write(&job, table, report, err);
    if (status == PKM_OK) find_limits(&job, table);
    release(&job);
    return status;
}
