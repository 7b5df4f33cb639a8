// Following a motion with the general engine: predict by rates and accelerations, correct by
// Newton's method, accept only what stays in the branch (3.4) and passes no singularity (5.3), else
// halve the step. What cannot be followed is told with its time and reason. Every analysis along a
// motion goes through here. Equations: docs/theory/engine.md, sections 3 and 5.
#include "robot/continuation.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "robot/crossing.h"
#include "robot/instant.h"
#include "robot/singularity.h"
#include "robot/watch.h"

#include <stdio.h>
#include <string.h>

static const double JUMP_LIMIT = 0.25; // [robot sizes, rad] correction of a predicted position
// A step stays in its branch when Newton's corrections shrink by this factor at once: by the
// theorem of Newton and Kantorovich the next solution is then six times as far as this one (3.4).
static const double CONTRACTION = 0.125;
static const double ROUNDED = 1e-15; // [robot sizes, rad] residual that is rounding
static const double SMALL = 0.02;    // [robot sizes, rad] correction of any prediction
static const double PART = 0.5;      // of the predicted way that a longer correction may be
enum { MAX_HALVING = 26, WATCHED_HALVING = 36 };
enum { LOOKS_PER_MOTION = 256 };            // positions at which a motion is looked at, at least
static const double SHORTEST_STEP = 1e-11;  // of a motion that Newton does not follow
static const double NEARLY_SINGULAR = 1e-3; // scaled singular values next to a singularity
static const double CROSSING_TIME = 1e-13;  // of a motion: shorter steps are rounding

pkm_status pkm_follow_begin(pkm_robot* robot, const pkm_motion* motion, pkm_follower* out,
                            pkm_error* err)
{
    *out = (pkm_follower){.robot = robot, .motion = motion, .given = PKM_GIVEN_TOOL};
    if (pkm_motion_is_drives(motion)) {
        out->given = PKM_GIVEN_DRIVES;
        PKM_TRY(pkm_robot_require_drives(robot, err));
    } else {
        PKM_TRY(pkm_robot_require_tool(robot, err));
        const unsigned turns = robot->structure.moves >> PKM_TOOL_RX;
        if (pkm_motion_turns(motion) && turns == 0)
            return pkm_fail(err, PKM_ERR_MODEL,
                            "motion %s: turns the tool (rpy), but the tool of %s cannot turn",
                            pkm_motion_name(motion), robot->desc->name);
    }
    pkm_robot_go_home(robot);
    return PKM_OK;
}

/// What the motion prescribes at t, in the terms of the solver: drives, or the tool's frame.
static pkm_target target_at(const pkm_follower* f, double t)
{
    pkm_target target = {.tool.pose = f->robot->tool_home};
    if (f->given == PKM_GIVEN_DRIVES) {
        pkm_motion_drives(f->motion, t, target.q, target.v, target.a, NULL);
        return target;
    }
    pkm_motion_tool(f->motion, t, &target.tool, NULL);
    if (!pkm_motion_turns(f->motion)) target.tool.pose.q = f->robot->tool_home.q;
    return target;
}

/// Did Newton move the coordinates further from the prediction than a small step may?
static bool jumped(const pkm_robot* robot, const double* predicted)
{
    const pkm_mechanism* mech = robot->mech;
    for (int i = 0; i < mech->n_q; ++i)
        if (fabs(robot->state->q[i] - predicted[i]) > JUMP_LIMIT * mech->q_unit[i]) return true;
    return false;
}

/// May Newton's method have left the branch of a step whose prediction is `way` long? Without a
/// prediction (way = 0) it started from the solution before.
static bool is_doubtful(const pkm_state* state, double way)
{
    const double first = state->newton_first, second = state->newton_second;
    if (first < PKM_NEWTON_ROUNDING) return false;
    return second > CONTRACTION * first || (way > 0.0 && first > SMALL && first > PART * way);
}

/// Solve for `target` from the predicted positions in the state, `way` from those at `before`; the
/// state is there again on failure. `rule`: of a strict step, which stays in its branch for
/// certain. `predicted` [n_q] is work.
static pkm_status correct(pkm_robot* robot, pkm_given given, const pkm_target* target, double way,
                          const pkm_newton_rule* rule, const double* before, double* predicted)
{
    pkm_state* state = robot->state;
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    memcpy(predicted, state->q, size);
    const bool strict = rule->contraction < HUGE_VAL;
    pkm_status status = pkm_solve_position_by(state, given, target, rule);
    if (status == PKM_OK && jumped(robot, predicted)) status = PKM_ERR_CONVERGENCE;
    if (status == PKM_OK && strict && is_doubtful(state, way)) status = PKM_ERR_CONVERGENCE;
    if (status != PKM_OK) memcpy(state->q, before, size);
    return status;
}

/// The rule of a step that stays in its branch for certain.
static pkm_newton_rule strict_rule(void)
{
    pkm_newton_rule rule = pkm_newton_rule_exact();
    rule.contraction = CONTRACTION;
    return rule;
}

/// Solve for `target` from a prediction `dt` ahead. The state is unchanged on failure. `work`
/// [2 n_q] receives the positions before, then the predicted ones.
static pkm_status try_step(pkm_robot* robot, pkm_given given, const pkm_target* target, double dt,
                           pkm_newton_rule rule, double* work)
{
    pkm_state* state = robot->state;
    memcpy(work, state->q, (size_t)robot->mech->n_q * sizeof(double));
    for (int k = 0; k < robot->mech->n_v; ++k)
        state->step[k] = dt * (state->v[k] + 0.5 * dt * state->a[k]);
    const double way = pkm_step_length(robot->mech, state->step);
    pkm_state_move(robot->mech, state->q, state->step);
    return correct(robot, given, target, way, &rule, work, work + robot->mech->n_q);
}

pkm_status pkm_follow_prediction(pkm_robot* robot, const pkm_target* target, double way,
                                 double residual, const double* before)
{
    const pkm_newton_rule rule = {.residual = residual, .contraction = CONTRACTION};
    return correct(robot, PKM_GIVEN_TOOL, target, way, &rule, before, robot->follow_work);
}

/// The factors of the drives at new positions: PKM_ERR_SINGULAR at a parallel singularity.
static pkm_status factor_drives(pkm_robot* robot, pkm_given given)
{
    return given == PKM_GIVEN_DRIVES ? PKM_OK : pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES);
}

static void complete(pkm_robot* robot, pkm_given given, const pkm_target* target)
{
    pkm_solve_velocity(robot->state, given, target);
    pkm_solve_acceleration(robot->state, given, target);
}

/// How far the loops let the target be approached.
static double distance_beyond(pkm_robot* robot, pkm_given given, const pkm_target* target)
{
    const pkm_mechanism* mech = robot->mech;
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL] = {0}, n_row = 0;
    if (given == PKM_GIVEN_DRIVES)
        for (int d = 0; d < mech->n_drive; ++d)
            row[n_row++] = mech->drive_row_at + d;
    else
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            if (robot->structure.moves & (1u << k)) row[n_row++] = mech->tool_row_at + k;
    double beyond = NAN;
    return pkm_approach(robot->state, row, n_row, target, &beyond) == PKM_OK ? beyond : NAN;
}

/// The unit in which a miss of the target is measured.
static const char* miss_unit(const pkm_robot* robot, pkm_given given)
{
    return given == PKM_GIVEN_DRIVES && robot->mech->drive[0].is_rotary ? "rad" : "m";
}

/// The robot stands before a singularity that it cannot pass: name it by what has become small.
static pkm_status fail_barred(pkm_robot* robot, const char* what, pkm_error* err)
{
    pkm_singularity s;
    char words[400];
    if (pkm_singularity_read(robot->state, &robot->structure, NEARLY_SINGULAR, &s) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_singularity_words(&s, words, sizeof words);
    return pkm_fail(err, PKM_ERR_SINGULAR,
                    "%s: a %s bars the way; try another way round it or another working mode", what,
                    words);
}

static bool is_reached(const pkm_robot* robot, double beyond)
{
    return beyond < 1e-6 * fmin(1.0, robot->mech->size);
}

/// Does the closed form know that no working mode reaches a pose of the tool, and by how much? What
/// stands in the way to such a pose is no reason.
static bool has_no_mode(pkm_robot* robot, pkm_given given, const pkm_target* target, double* beyond)
{
    return given == PKM_GIVEN_TOOL && robot->closed &&
           pkm_closed_inverse_geometry(robot->closed, &target->tool.pose, robot->closed_list, 1,
                                       beyond) == 0;
}

/// The state stands before a target that it cannot reach: say why and leave the state there.
static pkm_status fail_target(pkm_robot* robot, pkm_given given, pkm_status status,
                              const pkm_target* target, const char* what, pkm_error* err)
{
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    memcpy(robot->follow_work, robot->state->q, size);
    double beyond = distance_beyond(robot, given, target);
    memcpy(robot->state->q, robot->follow_work, size);
    pkm_kinematics_position(robot->state);
    const bool is_barred = status == PKM_ERR_SINGULAR || is_reached(robot, beyond);
    if (is_barred && !has_no_mode(robot, given, target, &beyond))
        return fail_barred(robot, what, err);
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "%s: out of reach by %.6g %s; try a point nearer to home", what, beyond,
                    miss_unit(robot, given));
}

// ---- along a motion ---------------------------------------------------------------------------

/// q, v, a of the state, kept at `out` [n_q + 2 n_v].
static void keep(const pkm_robot* robot, double* out)
{
    const size_t n_q = (size_t)robot->mech->n_q, n_v = (size_t)robot->mech->n_v;
    memcpy(out, robot->state->q, n_q * sizeof(double));
    memcpy(out + n_q, robot->state->v, n_v * sizeof(double));
    memcpy(out + n_q + n_v, robot->state->a, n_v * sizeof(double));
}

static void bring_back(pkm_robot* robot, const double* kept)
{
    const size_t n_q = (size_t)robot->mech->n_q, n_v = (size_t)robot->mech->n_v;
    memcpy(robot->state->q, kept, n_q * sizeof(double));
    memcpy(robot->state->v, kept + n_q, n_v * sizeof(double));
    memcpy(robot->state->a, kept + n_q + n_v, n_v * sizeof(double));
}

/// The longest step: a share of the motion, so that nothing happens unseen between two rows that
/// are far apart.
static double longest_step(const pkm_follower* f)
{
    const double duration = pkm_motion_duration(f->motion);
    return (duration > 0.0 ? duration : 1.0) / LOOKS_PER_MOTION;
}

/// Halve a step until the watch will probably find it short enough. Halves only: where nothing is
/// in doubt the steps do not depend on its estimates.
static double shorten(const pkm_robot* robot, double step)
{
    const double stride = pkm_watch_stride(robot->watch);
    step *= 0.5;
    while (step > stride && stride > 0.0)
        step *= 0.5;
    return step;
}

/// Components of a path that the tool does not move in are not left out without a word.
static pkm_status check_path(const pkm_follower* f, pkm_error* err)
{
    if (f->given != PKM_GIVEN_TOOL || pkm_pose_is_there(f->robot, &f->target.tool.pose))
        return PKM_OK;
    char what[200];
    snprintf(what, sizeof what, "motion %s: t = %.6g s", pkm_motion_name(f->motion), f->t);
    return pkm_check_taken(f->robot, &f->target.tool.pose, what, err);
}

/// The first target may be far from home: go there along a straight way.
static pkm_status start(pkm_follower* f, double t, pkm_error* err)
{
    char what[200];
    snprintf(what, sizeof what, "motion %s: start (t = %.6g s)", pkm_motion_name(f->motion), t);
    f->target = target_at(f, t);
    PKM_TRY(pkm_follow_target(f->robot, f->given, &f->target, what, err));
    f->t = t;
    f->started = true;
    f->step = longest_step(f);
    return check_path(f, err);
}

/// Is the path still in reach a little behind the place where the motion ends? Then something else
/// bars the way, however far the rest leads.
static bool is_reached_behind(const pkm_follower* f)
{
    static const double BEHIND = 1e-3; // of the motion
    const pkm_target target = target_at(f, f->t + BEHIND * pkm_motion_duration(f->motion));
    return is_reached(f->robot, distance_beyond(f->robot, f->given, &target));
}

/// The motion cannot be followed from f->t on: say by how much the rest of the path is beyond
/// reach, at most.
static pkm_status fail_motion(pkm_follower* f, double t, pkm_status status, pkm_error* err)
{
    enum { LOOKS = 40 };
    pkm_robot* robot = f->robot;
    char what[200];
    snprintf(what, sizeof what, "motion %s: t = %.6g s", pkm_motion_name(f->motion), f->t);
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    memcpy(robot->follow_work, robot->state->q, size);
    const bool is_barred = is_reached_behind(f);
    memcpy(robot->state->q, robot->follow_work, size);
    double most = 0.0, where = t;
    const double end = pkm_motion_duration(f->motion);
    for (int k = 0; k <= LOOKS; ++k) {
        const double look = t + (end - t) * k / LOOKS;
        const pkm_target target = target_at(f, look);
        const double beyond = distance_beyond(robot, f->given, &target);
        if (!(beyond > most)) continue;
        most = beyond;
        where = look;
    }
    memcpy(robot->state->q, robot->follow_work, size);
    pkm_kinematics_position(robot->state);
    if (status == PKM_ERR_SINGULAR || is_barred || is_reached(robot, most))
        return fail_barred(robot, what, err);
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "%s: here the path leaves the reach of the robot; it is out of reach by up to "
                    "%.6g %s (at t = %.6g s); try points nearer to home",
                    what, most, miss_unit(robot, f->given), where);
}

/// The motion ends at the singular position in which the robot stands: name it, go back. The reach
/// of drives ends at a parallel one, that of the tool at a serial one, unless the path turns there.
static pkm_status fail_singular(pkm_follower* f, double t, const double* kept, pkm_error* err)
{
    pkm_robot* robot = f->robot;
    pkm_singularity s;
    char words[400];
    const pkm_status status =
        pkm_singularity_read(robot->state, &robot->structure, PKM_SINGULAR_TOGETHER, &s);
    bring_back(robot, kept);
    pkm_kinematics_position(robot->state);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    const bool rates = s.kinds == PKM_SINGULAR_SERIAL;
    if (rates || (f->given == PKM_GIVEN_DRIVES && s.kinds != PKM_SINGULAR_CONSTRAINT)) {
        const pkm_status reach = fail_motion(f, t, PKM_ERR_CONVERGENCE, err);
        if (reach == PKM_ERR_UNREACHABLE) return reach;
    }
    pkm_singularity_words(&s, words, sizeof words);
    return pkm_fail(err, PKM_ERR_SINGULAR,
                    "motion %s: t = %.6g s: the robot comes to a %s: %s are not determined there; "
                    "try another path, home or working mode",
                    pkm_motion_name(f->motion), t, words,
                    rates ? "the rates of its drives" : "its forces");
}

/// One step to `t`: positions, rates, factors of the drives, and whether a singularity can lie
/// between. After a status other than PKM_OK the state is unchanged.
static pkm_status attempt(pkm_follower* f, double t, pkm_passage* passage)
{
    pkm_robot* robot = f->robot;
    const size_t n_q = (size_t)robot->mech->n_q;
    const pkm_target target = target_at(f, t);
    double* work = robot->follow_work;
    PKM_TRY(try_step(robot, f->given, &target, t - f->t, strict_rule(), work));
    const pkm_status status = factor_drives(robot, f->given);
    if (status != PKM_OK) {
        memcpy(robot->state->q, work, n_q * sizeof(double));
        return status;
    }
    *passage =
        t == f->t ? PKM_PASSAGE_CLEAR : pkm_watch_step(robot->watch, f->given, fabs(t - f->t));
    complete(robot, f->given, &target);
    if (*passage == PKM_PASSAGE_CLEAR) f->target = target;
    return PKM_OK;
}

int pkm_follow_n_place(const pkm_robot* robot)
{
    return 1 + robot->mech->n_q + 2 * robot->mech->n_v;
}

void pkm_follow_save(const pkm_follower* f, double* place)
{
    place[0] = f->t;
    keep(f->robot, place + 1);
}

/// Back to a saved place and from there to t, without a watch: for peaks between two instants that
/// have been followed.
pkm_status pkm_follow_look(pkm_follower* f, double t, const double* place)
{
    pkm_robot* robot = f->robot;
    f->t = place[0];
    bring_back(robot, place + 1);
    f->target = target_at(f, t);
    pkm_watch_moved(robot->watch);
    PKM_TRY(try_step(robot, f->given, &f->target, t - f->t, strict_rule(), robot->follow_work));
    PKM_TRY(factor_drives(robot, f->given));
    complete(robot, f->given, &f->target);
    f->t = t;
    return PKM_OK;
}

static double next_time(const pkm_follower* f, double t, double step)
{
    if (fabs(t - f->t) <= 1.000001 * step) return t;
    return t > f->t ? f->t + step : f->t - step;
}

pkm_status pkm_follow_to(pkm_follower* f, double t, pkm_error* err)
{
    if (!f->started) return start(f, t, err);
    const double end = pkm_motion_duration(f->motion);
    if (f->t < end && t > end) PKM_TRY(pkm_follow_to(f, end, err));
    if (f->t >= end && t > end) { // behind it all rests, however long
        f->target = target_at(f, t);
        f->t = t;
        complete(f->robot, f->given, &f->target);
        return PKM_OK;
    }
    pkm_robot* robot = f->robot;
    double* kept = robot->follow_work + 2 * robot->mech->n_q;
    const double unit = fmax(pkm_motion_duration(f->motion), fabs(t - f->t));
    do {
        keep(robot, kept);
        const double next = next_time(f, t, f->step);
        pkm_passage passage = PKM_PASSAGE_DOUBT;
        const pkm_status status = attempt(f, next, &passage);
        if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
        if (status == PKM_OK && passage == PKM_PASSAGE_SINGULAR)
            return fail_singular(f, next, kept, err);
        if (status == PKM_OK && passage == PKM_PASSAGE_CLEAR) {
            f->t = next;
            f->step = fmin(longest_step(f), 2.0 * f->step);
            continue;
        }
        bring_back(robot, kept);
        const double gone = fabs(next - f->t);
        f->step = status == PKM_OK ? shorten(robot, gone) : 0.5 * gone;
        if (status != PKM_OK && gone < SHORTEST_STEP * unit) return fail_motion(f, t, status, err);
        if (gone < CROSSING_TIME * unit) return fail_singular(f, f->t, kept, err);
    } while (f->t != t);
    robot->sign_now = pkm_crossing_sign(robot);
    return check_path(f, err);
}

// ---- to a single target -----------------------------------------------------------------------

/// Between two targets: positions linear, orientation along the shortest turn.
static pkm_target between(const pkm_target* a, const pkm_target* b, double s)
{
    pkm_target out = {.q = {0.0}};
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        out.q[d] = a->q[d] + s * (b->q[d] - a->q[d]);
    const pkm_vec3 shift = pkm_vec3_sub(b->tool.pose.p, a->tool.pose.p);
    const pkm_quat turn = pkm_quat_mul(b->tool.pose.q, pkm_quat_conj(a->tool.pose.q));
    out.tool.pose.p = pkm_vec3_axpy(a->tool.pose.p, s, shift);
    const pkm_vec3 by = pkm_vec3_scale(s, pkm_quat_to_rotvec(turn));
    out.tool.pose.q = pkm_quat_mul(pkm_quat_from_rotvec(by), a->tool.pose.q);
    return out;
}

static pkm_target present_target(const pkm_robot* robot)
{
    pkm_target now = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
    pkm_kinematics_position(robot->state);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        now.q[d] = pkm_state_drive_position(robot->state, d);
    if (robot->mech->tool != PKM_NONE)
        now.tool.pose = pkm_state_marker_pose(robot->state, robot->mech->tool);
    return now;
}

/// One step of drives or tool; drives that would pass a parallel singularity do not move.
static pkm_status step_towards(pkm_robot* robot, pkm_given given, const pkm_target* target,
                               bool strict)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    double* before = robot->follow_work;
    const pkm_newton_rule rule = strict ? strict_rule() : pkm_newton_rule_exact();
    PKM_TRY(try_step(robot, given, target, 0.0, rule, before));
    if (given == PKM_GIVEN_TOOL) return PKM_OK;
    pkm_drive_sign now = pkm_crossing_sign(robot);
    if (pkm_crossing_is_suspect(robot, robot->sign_now, now)) {
        const pkm_status status = pkm_crossing_check(robot, before);
        if (status != PKM_OK) memcpy(robot->state->q, before, n_q * sizeof(double));
        if (status != PKM_OK) return status;
        now = pkm_crossing_sign(robot);
    }
    robot->sign_now = now;
    return PKM_OK;
}

/// The same from a prediction where no singularity of any kind may be passed: PKM_ERR_SINGULAR at
/// one, PKM_ERR_CONVERGENCE for a step that is too long. The `last` step is corrected to rounding.
static pkm_status step_watched(pkm_robot* robot, pkm_given given, const pkm_target* target,
                               double step, bool last)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    double* before = robot->follow_work;
    pkm_newton_rule rule = strict_rule();
    if (last) rule.residual = ROUNDED;
    PKM_TRY(try_step(robot, given, target, step, rule, before));
    pkm_status status = factor_drives(robot, given);
    if (status == PKM_OK) {
        const pkm_passage passage = pkm_watch_stage(robot->watch, given, step);
        if (passage == PKM_PASSAGE_SINGULAR) status = PKM_ERR_SINGULAR;
        if (passage == PKM_PASSAGE_DOUBT) status = PKM_ERR_CONVERGENCE;
    }
    if (status != PKM_OK) memcpy(robot->state->q, before, n_q * sizeof(double));
    return status;
}

/// Rates of what is prescribed along the straight way, by the share of it.
static pkm_target way_rates(const pkm_target* from, const pkm_target* to)
{
    pkm_target rates = *from;
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        rates.v[d] = to->q[d] - from->q[d];
    rates.tool.v = pkm_vec3_sub(to->tool.pose.p, from->tool.pose.p);
    const pkm_quat turn = pkm_quat_mul(to->tool.pose.q, pkm_quat_conj(from->tool.pose.q));
    rates.tool.w = pkm_quat_to_rotvec(turn);
    return rates;
}

/// Go to `target` along a straight way; steps that are too long are halved, at most so often.
static pkm_status go_straight(pkm_robot* robot, pkm_given given, const pkm_target* target,
                              bool strict, int halvings)
{
    const size_t n_v = (size_t)robot->mech->n_v;
    const pkm_target from = present_target(robot);
    memset(robot->state->v, 0, n_v * sizeof(double));
    memset(robot->state->a, 0, n_v * sizeof(double));
    double s = 0.0, step = 1.0;
    while (s < 1.0) {
        const double next = s + step < 1.0 ? s + step : 1.0;
        const pkm_target now = next == 1.0 ? *target : between(&from, target, next);
        const pkm_status status = step_towards(robot, given, &now, strict);
        if (status == PKM_OK) {
            s = next;
            step *= 2.0;
            continue;
        }
        step *= 0.5;
        if (status == PKM_ERR_MEMORY || step < ldexp(1.0, -halvings)) return status;
    }
    return PKM_OK;
}

/// The same past no singularity, from predictions, in steps as long as the watch allows.
static pkm_status go_watched(pkm_robot* robot, pkm_given given, const pkm_target* target,
                             int halvings)
{
    const pkm_target from = present_target(robot), rates = way_rates(&from, target);
    double s = 0.0, step = 1.0;
    complete(robot, given, &rates);
    while (s < 1.0) {
        // what is left in equal steps
        step = (1.0 - s) / ceil((1.0 - s) / step);
        const double next = step < 1.0 - s ? s + step : 1.0;
        const pkm_target now = next == 1.0 ? *target : between(&from, target, next);
        const pkm_status status = step_watched(robot, given, &now, step, next == 1.0);
        const double stride = pkm_watch_stride(robot->watch);
        if (status == PKM_OK) {
            s = next;
            step = fmin(2.0 * step, stride);
            if (s < 1.0) complete(robot, given, &rates);
            continue;
        }
        step = fmin(0.5 * step, stride);
        if (status == PKM_ERR_MEMORY || step < ldexp(1.0, -halvings)) return status;
    }
    return PKM_OK;
}

pkm_status pkm_follow_straight(pkm_robot* robot, pkm_given given, const pkm_target* target,
                               int halvings)
{
    return go_straight(robot, given, target, false, halvings);
}

/// The robot has been led to `target`: complete what the caller is promised.
static pkm_status arrive(pkm_robot* robot, pkm_given given, const pkm_target* target,
                         const char* what, pkm_error* err)
{
    complete(robot, given, target);
    const pkm_status status = factor_drives(robot, given);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) return fail_barred(robot, what, err);
    robot->sign_now = pkm_crossing_sign(robot);
    return PKM_OK;
}

pkm_status pkm_follow_near(pkm_robot* robot, pkm_given given, const pkm_target* target,
                           const char* what, pkm_error* err)
{
    const pkm_status status = go_straight(robot, given, target, true, MAX_HALVING);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) return fail_target(robot, given, status, target, what, err);
    return arrive(robot, given, target, what, err);
}

/// Bring the factors to the present positions and begin to watch there.
static pkm_status begin_watch(pkm_robot* robot, pkm_given given)
{
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    PKM_TRY(pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES));
    if (given == PKM_GIVEN_TOOL) PKM_TRY(pkm_solve_factor(robot->state, given));
    const pkm_passage passage = pkm_watch_begin(robot->watch, given);
    return passage == PKM_PASSAGE_CLEAR ? PKM_OK : PKM_ERR_SINGULAR;
}

pkm_status pkm_follow_target(pkm_robot* robot, pkm_given given, const pkm_target* target,
                             const char* what, pkm_error* err)
{
    pkm_status status = begin_watch(robot, given);
    if (status == PKM_OK) status = go_watched(robot, given, target, WATCHED_HALVING);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) return fail_target(robot, given, status, target, what, err);
    return arrive(robot, given, target, what, err);
}

static void stand_still(pkm_robot* robot)
{
    const size_t size = (size_t)robot->mech->n_v * sizeof(double);
    memset(robot->state->v, 0, size);
    memset(robot->state->a, 0, size);
    pkm_kinematics_velocity(robot->state);
}

pkm_status pkm_follow_watched(pkm_robot* robot, pkm_given given, const pkm_target* target,
                              int halvings)
{
    const pkm_target rest = {.tool.pose = target->tool.pose};
    pkm_status status = begin_watch(robot, given);
    if (status == PKM_OK) status = go_watched(robot, given, target, halvings);
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    const pkm_status factors = pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES);
    if (factors != PKM_OK) return factors;
    if (status == PKM_OK)
        complete(robot, given, &rest);
    else
        stand_still(robot);
    robot->sign_now = pkm_crossing_sign(robot);
    return status;
}
