// A run that somebody leads step by step, to and fro: forces and references set between steps,
// states saved and restored, steps that go ahead of the time asked for.
#include "simulate/session.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/rows.h"
#include "robot/snapshots.h"
#include "simulate/session_state.h"

#include <math.h>
#include <string.h>

// ---- beginning and end ------------------------------------------------------------------------

static pkm_status begin(pkm_session* e, pkm_robot* robot, const pkm_sim_settings* settings,
                        pkm_error* err)
{
    pkm_sim_settings mine = *settings;
    // no rows but those that are asked for: the table has columns only
    mine.n_instant = 2;
    mine.added_force = e->added;
    mine.given = &e->given;
    mine.peaks_unread = true;
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        // not given: the motion's reference holds
        e->given.q[d] = NAN;
    PKM_TRY(pkm_sim_open(robot, &mine, &e->settings, &e->sim, err));
    PKM_TRY(pkm_sim_prepare(&e->sim, e->table, err));
    e->y = pkm_alloc((size_t)e->sim.n_y, sizeof(double));
    if (!e->y) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    e->has_begun = true;
    const pkm_status status = pkm_sim_begin_loop(&e->sim, &e->loop, e->table, &e->report, err);
    if (status == PKM_RETRY)
        return pkm_fail(err, PKM_ERR_SINGULAR, "simulation: the start is singular");
    if (status == PKM_OK && !(e->before = pkm_alloc(1, pkm_session_memo_size(e))))
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return status;
}

pkm_status pkm_session_create(pkm_robot* robot, const pkm_sim_settings* settings, pkm_session** out,
                              pkm_error* err)
{
    *out = NULL;
    pkm_session* e = pkm_alloc(1, sizeof *e);
    if (!e) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    e->sim.given = robot;
    e->sim.settings = &e->settings;
    e->table = pkm_table_create();
    const pkm_status status =
        e->table ? begin(e, robot, settings, err) : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK)
        *out = e;
    else
        pkm_session_free(e);
    return status;
}

void pkm_session_free(pkm_session* e)
{
    if (!e) return;
    // rows and warnings of the end go nowhere: the report is the session's own
    if (e->has_begun) (void)!pkm_sim_end_loop(&e->sim, PKM_OK, &e->report);
    if (e->sim.robot) pkm_sim_release(&e->sim); // else it was not opened
    pkm_table_free(e->table);
    pkm_exchange_free(e->exchange);
    pkm_free(e->y);
    pkm_free(e->before);
    pkm_free(e);
}

// ---- steps ------------------------------------------------------------------------------------

// Where nothing is set between the steps and no joint has contacts, the integrator keeps its own
// steps: the last one goes on beyond the time asked for, and dense output gives the state there, as
// in a run as a whole. What is set then, or saved, starts from that state.

enum { CUT_AFTER_CHANGE = 3 }; // a control loop sets forces at every step, or at every few

/// Is the integrator further than the steps so far?
static bool is_ahead(const pkm_session* e)
{
    return e->loop.is_ahead && pkm_sim_time(&e->sim) > e->target + e->loop.slack;
}

double pkm_session_time(const pkm_session* e)
{
    if (e->exchange) return e->exchange->t;
    return is_ahead(e) ? e->target : pkm_sim_time(&e->sim);
}

pkm_status pkm_session_land(pkm_session* e)
{
    pkm_sim* s = &e->sim;
    const bool was_ahead = is_ahead(e);
    e->loop.is_ahead = false;
    if (!was_ahead) return PKM_OK;
    // as long a step as the one that went ahead
    const double first = pkm_sim_next_step(s);
    PKM_TRY(pkm_sim_dense(s, e->target, s->y));
    PKM_TRY(pkm_sim_project(s, e->target, s->y));
    PKM_TRY(pkm_sim_restart(s, e->target, s->y, first));
    pkm_sim_forget_passages(s);
    // peaks and passages found ahead of the target have not happened
    pkm_sim_watch_forget(s);
    return pkm_sim_evaluate(s, e->target, s->y);
}

static pkm_status fail(pkm_session* e, pkm_status status, pkm_error* err)
{
    const double t = pkm_sim_time(&e->sim);
    pkm_stop stop = e->report.stop;
    // what the loop has not named is judged from the state of the last step
    if (status != PKM_OK) stop = pkm_sim_stop_for(&e->sim, status, &e->report.jam);
    e->ended = status == PKM_OK || status == PKM_RETRY ? pkm_stop_status(stop) : status;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    return pkm_fail(err, e->ended, "simulation: t = %.6g s: %s", t, pkm_stop_reason(stop));
}

static void remember(pkm_session* e);
static pkm_status go_back(pkm_session* e, pkm_error* err);

static pkm_status advance(pkm_session* e, pkm_error* err)
{
    return pkm_sim_advance(&e->sim, &e->loop, e->target, e->table, &e->report, err);
}

/// Steps to e->target that may go beyond it. What they meet there is left to the steps that are
/// asked to go there: those begin where these did, and end where they should.
static pkm_status go_ahead(pkm_session* e, pkm_error* err)
{
    e->loop.is_ahead = true;
    if (pkm_sim_time(&e->sim) < e->target - e->loop.slack) remember(e);
    // errors met ahead of the target are not told: they may never come
    const pkm_status status = advance(e, NULL);
    if (status == PKM_OK && e->report.stop == PKM_STOP_END_TIME && !e->loop.strayed) return PKM_OK;
    PKM_TRY(go_back(e, err));
    e->loop.is_ahead = e->loop.strayed = e->is_changed = false;
    e->n_cut = CUT_AFTER_CHANGE;
    return advance(e, err);
}

/// Nothing was set for a while, no joint has contacts, and no event is waited for.
static bool may_go_ahead(const pkm_session* e)
{
    return !e->is_changed && e->n_cut == 0 && !e->sim.contacts && !e->loop.stops;
}

pkm_status pkm_session_step(pkm_session* e, double dt, pkm_error* err)
{
    const double t = pkm_session_time(e);
    if (e->ended != PKM_OK) return pkm_fail(err, e->ended, "simulation: it ended at t = %.6g s", t);
    if (e->exchange)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: somebody else integrates it");
    // rounding of a sum of many steps may lead beyond the end by a little
    if (!(dt > 0.0) || !(e->target + dt <= e->settings.end_time * (1.0 + 1e-12)))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "simulation: a step of %g s at t = %.6g s, expected > 0 and not beyond "
                        "the end at %.6g s",
                        dt, t, e->settings.end_time);
    const double first = e->first > 0.0 ? e->first : pkm_sim_next_step(&e->sim);
    const bool ahead = may_go_ahead(e);
    pkm_status status = ahead ? PKM_OK : pkm_session_land(e);
    // set values jump: a step may not reach across them
    if (e->is_changed && status == PKM_OK) status = pkm_sim_renew(&e->sim, &e->loop, first);
    if (e->n_cut > 0) --e->n_cut;
    if (e->is_changed) e->n_cut = CUT_AFTER_CHANGE;
    e->is_changed = false;
    e->first = 0.0;
    e->target = fmin(e->target + dt, e->settings.end_time);
    e->loop.slack = 1e-9 * dt; // ten times 0.1 ms are 1 ms, where a controller takes its sample
    if (status == PKM_OK) status = (ahead ? go_ahead : advance)(e, err);
    if (status == PKM_OK && e->report.stop == PKM_STOP_END_TIME) return PKM_OK;
    return fail(e, status, err);
}

pkm_status pkm_session_step_to_event(pkm_session* e, double dt, bool* early, pkm_error* err)
{
    *early = false;
    e->loop.stops = true;
    const pkm_status status = pkm_session_step(e, dt, err);
    e->loop.stops = false;
    // at the target without an event
    if (status != PKM_OK || !(pkm_sim_time(&e->sim) < e->target - e->loop.slack)) return status;
    *early = true;
    e->target = pkm_sim_time(&e->sim);
    return PKM_OK;
}

void pkm_session_set_forces(pkm_session* e, const double* force)
{
    memcpy(e->added, force, (size_t)e->sim.robot->mech->n_drive * sizeof(double));
    e->is_changed = true;
}

void pkm_session_set_wrench(pkm_session* e, pkm_vec3 force, pkm_vec3 torque)
{
    e->settings.tool_force = force;
    e->settings.tool_torque = torque;
    e->is_changed = true;
}

void pkm_session_set_input(pkm_session* e, int i, double value)
{
    e->settings.input[i].value = value;
    e->is_changed = true;
}

void pkm_session_set_references(pkm_session* e, const double* q, const double* v, const double* a)
{
    const size_t size = (size_t)e->sim.robot->mech->n_drive * sizeof(double);
    memcpy(e->given.q, q, size);
    memcpy(e->given.v, v, size);
    memcpy(e->given.a, a, size);
    e->is_changed = true;
}

// ---- to and fro -------------------------------------------------------------------------------

/// What must be the same for a memo to fit.
typedef struct memo_head {
    char hash[20]; ///< of the robot
    int n_q, n_v, n_z, n_y;
    size_t size;
} memo_head;

static void pass(pkm_session* e, double* t, pkm_memo* memo)
{
    // the same list saves, restores and counts: neither can forget what the other knows
    pkm_memo_pass(memo, t, sizeof *t);
    pkm_memo_pass(memo, &e->first, sizeof e->first);
    pkm_memo_pass(memo, &e->target, sizeof e->target);
    pkm_memo_pass(memo, e->added, sizeof e->added);
    pkm_memo_pass(memo, &e->given, sizeof e->given);
    pkm_memo_pass(memo, &e->settings.tool_force, sizeof e->settings.tool_force);
    pkm_memo_pass(memo, &e->settings.tool_torque, sizeof e->settings.tool_torque);
    for (int i = 0; i < e->settings.n_input; ++i)
        pkm_memo_pass(memo, &e->settings.input[i].value, sizeof(double));
    pkm_memo_pass(memo, &e->loop, sizeof e->loop);
    pkm_sim_memo(&e->sim, memo);
    if (e->exchange) pkm_exchange_memo(e->exchange, &e->sim, memo);
}

size_t pkm_session_memo_size(pkm_session* e)
{
    pkm_memo memo = {.way = PKM_MEMO_COUNT};
    double t = 0.0;
    pass(e, &t, &memo);
    return sizeof(memo_head) + memo.used;
}

static memo_head head_of(pkm_session* e)
{
    memo_head head;
    memset(&head, 0, sizeof head); // padding, too: heads are compared as bytes
    strncpy(head.hash, e->sim.given->desc->hash, sizeof head.hash - 1);
    head.n_q = e->sim.n_q;
    head.n_v = e->sim.n_v;
    head.n_z = e->sim.n_z;
    head.n_y = e->sim.n_y;
    head.size = pkm_session_memo_size(e);
    return head;
}

/// The state at the time of the integrator, into a memo.
static void write_memo(pkm_session* e, unsigned char* bytes)
{
    pkm_memo memo = {.way = PKM_MEMO_SAVE, .bytes = bytes};
    double t = e->exchange ? e->exchange->t : pkm_sim_time(&e->sim);
    memcpy(e->sim.y, e->exchange ? e->y : pkm_sim_state(&e->sim),
           (size_t)e->sim.n_y * sizeof(double));
    pass(e, &t, &memo);
}

/// Go on from a memo.
static pkm_status read_memo(pkm_session* e, const unsigned char* bytes, pkm_error* err)
{
    const pkm_integrator before = e->sim.integrator;
    pkm_memo memo = {.way = PKM_MEMO_RESTORE, .bytes = (unsigned char*)bytes};
    double t = 0.0;
    pass(e, &t, &memo);
    if (e->exchange) {
        memcpy(e->y, e->sim.y, (size_t)e->sim.n_y * sizeof(double));
        return PKM_OK;
    }
    // another integrator has another history: it begins with a step of its own choice
    pkm_status status = e->sim.integrator == before
                            ? pkm_sim_restart(&e->sim, t, e->sim.y, e->first)
                            : pkm_sim_resume(&e->sim, t, pkm_sim_longest_step(&e->sim));
    // payloads belong to the time
    if (status == PKM_OK) pkm_effects_carry(e->settings.effects, t, e->sim.robot->state);
    if (status == PKM_OK) status = pkm_sim_evaluate(&e->sim, t, e->sim.y);
    if (status != PKM_OK) return fail(e, status, err);
    // what has been watched belongs to a time that may lie ahead now
    pkm_sim_forget_passages(&e->sim);
    pkm_sim_watch_forget(&e->sim);
    e->sim.why = e->report.stop = PKM_STOP_END_TIME;
    e->ended = PKM_OK;
    e->is_changed = true;
    return PKM_OK;
}

/// Before steps that go ahead: where they began, and back there.
static void remember(pkm_session* e)
{
    e->first = pkm_sim_next_step(&e->sim);
    write_memo(e, e->before);
    e->first = 0.0;
}

static pkm_status go_back(pkm_session* e, pkm_error* err)
{
    const pkm_status status = read_memo(e, e->before, err);
    e->first = 0.0;
    return status;
}

pkm_status pkm_session_save(pkm_session* e, unsigned char* bytes)
{
    const memo_head head = head_of(e);
    if (!e->exchange) PKM_TRY(pkm_session_land(e));
    memcpy(bytes, &head, sizeof head);
    // the steps start anew here as they do after a restore, so that both go the same way
    if (!(e->first > 0.0)) e->first = pkm_sim_next_step(&e->sim);
    e->is_changed = true;
    write_memo(e, bytes + sizeof head);
    return PKM_OK;
}

pkm_status pkm_session_restore(pkm_session* e, const unsigned char* bytes, size_t size,
                               pkm_error* err)
{
    const memo_head head = head_of(e);
    if (size != head.size || memcmp(&head, bytes, sizeof head) != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "simulation: the state is one of another robot or run");
    return read_memo(e, bytes + sizeof head, err);
}

// ---- reading ----------------------------------------------------------------------------------

/// The state at the time of the session, into e->y.
static pkm_status state_now(pkm_session* e)
{
    if (e->exchange) return PKM_OK;
    if (is_ahead(e)) return pkm_sim_dense(&e->sim, e->target, e->y);
    memcpy(e->y, pkm_sim_state(&e->sim), (size_t)e->sim.n_y * sizeof(double));
    return PKM_OK;
}

pkm_status pkm_session_get(pkm_session* e, pkm_instant* out)
{
    pkm_sim* s = &e->sim;
    const pkm_mechanism* mech = s->robot->mech;
    *out =
        (pkm_instant){.tool_force = e->settings.tool_force, .tool_torque = e->settings.tool_torque};
    PKM_TRY(state_now(e));
    PKM_TRY(pkm_sim_evaluate(s, pkm_session_time(e), e->y));
    const double* force = pkm_plant_drive_force(s->plant);
    for (int d = 0; d < mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(s->robot->state, d);
        pkm_drive_rates(s->robot->state, d, &out->v[d], &out->a[d]);
        out->force[d] = force[d];
    }
    if (mech->tool != PKM_NONE) out->tool = pkm_state_marker_motion(s->robot->state, mech->tool);
    return PKM_OK;
}

pkm_status pkm_session_poses(pkm_session* e, pkm_pose* pose)
{
    pkm_sim* s = &e->sim;
    PKM_TRY(state_now(e));
    PKM_TRY(pkm_sim_evaluate(s, pkm_session_time(e), e->y));
    pkm_body_poses(s->robot->state, 1, s->given->desc->n_body, pose);
    return PKM_OK;
}

const pkm_table* pkm_session_table(const pkm_session* e)
{
    return e->table;
}

pkm_status pkm_session_read(pkm_session* e, double* row)
{
    PKM_TRY(state_now(e));
    return pkm_sim_fill_row(&e->sim, pkm_session_time(e), e->y, row);
}
