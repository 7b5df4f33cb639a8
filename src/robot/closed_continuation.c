// A motion by the closed form, instant by instant, in the branch of home: bits of the branch that
// the motion keeps, or, where these do not tell, predictions that must be met much better than the
// next solution is away. docs/theory/engine.md, section 3, "Closed forms".
#include "robot/closed_continuation.h"

#include "base/error.h"
#include "math/angle.h"
#include "math/dense.h"
#include "robot/instant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SAMPLES = 256,    ///< of a motion, at least: reach and singularities are watched between rows
    WAY_SAMPLES = 32, ///< of the straight way from home to the start of a motion
    MAX_HALVING = 14,
    MAX_DEPTH = 40, ///< halvings of a step in doubt about singularities
};
/// A solution is certain when it misses its prediction by less than this part of the distance to
/// the next one (and of one robot size or radian).
static const double CERTAIN = 0.1;

// ---- which configuration ----------------------------------------------------------------------

int pkm_closed_find_branch(const pkm_closed_config* config, int n, unsigned keeps, int branch)
{
    for (int i = 0; i < n; ++i)
        // bits that the motion may change do not count
        if ((((unsigned)config[i].branch ^ (unsigned)branch) & keeps) == 0) return i;
    return PKM_NONE;
}

/// How far apart two poses are [robot sizes and rad].
static double apart(const pkm_pose* a, const pkm_pose* b, double size)
{
    const pkm_quat turn = pkm_quat_mul(a->q, pkm_quat_conj(b->q));
    return pkm_vec3_norm(pkm_vec3_sub(a->p, b->p)) / size + pkm_vec3_norm(pkm_quat_to_rotvec(turn));
}

static int differing_bits(int a, int b)
{
    int n = 0;
    for (unsigned x = (unsigned)a ^ (unsigned)b; x; x &= x - 1)
        ++n;
    return n;
}

/// By pose; solutions that share it (working modes) by the fewest bits that differ.
int pkm_closed_nearest(const pkm_closed_config* config, int n, const pkm_closed_config* from)
{
    static const double EQUAL = 1e-9; // [m, rad]
    int best = PKM_NONE, fewest = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < n; ++i) {
        const double off = apart(&config[i].pose, &from->pose, 1.0);
        const int bits = differing_bits(config[i].branch, from->branch);
        if (off > least + EQUAL || (off > least - EQUAL && bits >= fewest)) continue;
        least = fmin(off, least);
        fewest = bits;
        best = i;
    }
    return best;
}

static int sign_of_B(const pkm_robot* robot, const pkm_closed_config* config)
{
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    pkm_dense_lu lu;
    pkm_closed_velocity(robot->closed, config, B, A);
    pkm_dense_lu_factor(&lu, B, robot->mech->n_drive);
    return pkm_dense_lu_det(&lu) < 0.0 ? -1 : 1;
}

/// Is a parallel singularity between two configurations, by the bits of their branches?
static bool changes_mode(const pkm_robot* robot, const pkm_closed_config* a,
                         const pkm_closed_config* b)
{
    const unsigned keeps = pkm_closed_get_family(robot->closed)->drives_keep;
    return (((unsigned)a->branch ^ (unsigned)b->branch) & keeps) != 0;
}

/// The same for neighbours, where branches do not tell too.
static bool crosses(const pkm_robot* robot, const pkm_closed_config* a, const pkm_closed_config* b)
{
    if (pkm_closed_get_family(robot->closed)->drives_keep) return changes_mode(robot, a, b);
    return sign_of_B(robot, a) != sign_of_B(robot, b);
}

// ---- drives lead ------------------------------------------------------------------------------

/// Where the tool goes when the drives go straight by `dq`: a Taylor polynomial of second order.
static pkm_status predict(const pkm_robot* robot, const pkm_closed_config* from, const double* dq,
                          pkm_pose* out)
{
    static const double zero[PKM_CLOSED_MAX_DRIVE];
    pkm_frame_motion tool;
    PKM_TRY(pkm_closed_tool_motion(robot->closed, from, dq, zero, &tool));
    // rates per step: dq as the rate, one step as the time, so that p = p_0 + v + a/2
    const pkm_vec3 turn = pkm_vec3_axpy(tool.w, 0.5, tool.alpha);
    out->p = pkm_vec3_axpy(pkm_vec3_add(from->pose.p, tool.v), 0.5, tool.a);
    out->q = pkm_quat_mul(pkm_quat_from_rotvec(turn), from->pose.q);
    return PKM_OK;
}

/// The solution that continues `from`, by nearness. PKM_RETRY: not certain, the step is too long.
static pkm_status choose_near(const pkm_robot* robot, const pkm_closed_config* list, int n,
                              const pkm_closed_config* from, const double* q,
                              pkm_closed_config* out)
{
    double dq[PKM_CLOSED_MAX_DRIVE], least = HUGE_VAL, next = 1.0;
    pkm_pose goal;
    int best = PKM_NONE;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        dq[d] = q[d] - from->q[d];
    if (predict(robot, from, dq, &goal) != PKM_OK) return PKM_RETRY;
    for (int i = 0; i < n; ++i) {
        const double off = apart(&list[i].pose, &goal, robot->mech->size);
        if (off < least) {
            next = fmin(next, least);
            least = off;
            best = i;
        } else {
            next = fmin(next, off);
        }
    }
    // two solutions that come near each other leave a doubt, as does a sign of det B that changes
    if (!(least < CERTAIN * next) || crosses(robot, from, &list[best])) return PKM_RETRY;
    *out = list[best];
    return PKM_OK;
}

/// One step of the drives to `q`. PKM_RETRY: it is too long to tell where it leads.
static pkm_status step_drives(const pkm_robot* robot, const pkm_closed_config* from,
                              const double* q, pkm_closed_config* out, double* beyond)
{
    pkm_closed_config* list = robot->closed_list;
    const unsigned keeps = pkm_closed_get_family(robot->closed)->drives_keep;
    *beyond = NAN;
    const int n = pkm_closed_direct_geometry(robot->closed, q, list, PKM_CLOSED_MAX_BRANCH, beyond);
    if (n == 0) return PKM_ERR_UNREACHABLE;
    if (!keeps) return choose_near(robot, list, n, from, q, out);
    // limbs that turned over on the way (serial singularities) are seen by their own bits; the
    // elbows that nobody sees stay as they are
    const int i = pkm_closed_find_branch(list, n, keeps, from->branch);
    *beyond = 0.0;
    if (i == PKM_NONE) return PKM_ERR_UNREACHABLE;
    *out = list[i];
    return PKM_OK;
}

/// A step of at most LONG_STEP.
static pkm_status short_way(const pkm_robot* robot, const pkm_closed_config* from, const double* q,
                            pkm_closed_config* out, double* beyond)
{
    pkm_status status = step_drives(robot, from, q, out, beyond);
    if (status != PKM_RETRY) return status;
    const int n_drive = robot->mech->n_drive;
    pkm_closed_config now = *from;
    double s = 0.0, step = 0.5;
    while (s < 1.0) {
        double to[PKM_CLOSED_MAX_DRIVE];
        const double next = fmin(s + step, 1.0);
        for (int d = 0; d < n_drive; ++d)
            to[d] = next == 1.0 ? q[d] : from->q[d] + next * (q[d] - from->q[d]);
        pkm_closed_config here;
        status = step_drives(robot, &now, to, &here, beyond);
        if (status == PKM_OK) {
            now = here;
            s = next;
            // what passed may be longer next time
            step *= 2.0;
            continue;
        }
        step *= 0.5;
        if (step < ldexp(1.0, -MAX_HALVING)) return status == PKM_RETRY ? PKM_ERR_SINGULAR : status;
    }
    *out = now;
    return PKM_OK;
}

/// Drive steps [rad, robot sizes] above this are taken in parts: where the robot cannot be on the
/// way, the same branch beyond is no continuation.
static const double LONG_STEP = 0.1;

static double longest_step(const pkm_robot* robot, const double* from, const double* q)
{
    double most = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const double unit = robot->mech->drive[d].is_rotary ? 1.0 : robot->mech->size;
        most = fmax(most, fabs(q[d] - from[d]) / unit);
    }
    return most;
}

pkm_status pkm_closed_continue(const pkm_robot* robot, const pkm_closed_config* from,
                               const double* q, pkm_closed_config* out, double* beyond)
{
    // at most a thousand parts
    const double steps = ceil(fmin(longest_step(robot, from->q, q) / LONG_STEP, 1000.0));
    pkm_closed_config now = *from;
    for (double k = 1.0; k < steps; ++k) {
        double to[PKM_CLOSED_MAX_DRIVE];
        for (int d = 0; d < robot->mech->n_drive; ++d)
            to[d] = from->q[d] + k / steps * (q[d] - from->q[d]);
        PKM_TRY(short_way(robot, &now, to, out, beyond));
        now = *out;
    }
    return short_way(robot, &now, q, out, beyond);
}

// ---- the tool leads ---------------------------------------------------------------------------

/// Angles that differ by full turns are the same drive position: take the one nearest to `from`.
static void unwrap(const pkm_robot* robot, const double* from, double* q)
{
    for (int d = 0; d < robot->mech->n_drive; ++d)
        if (robot->mech->drive[d].is_rotary)
            q[d] += PKM_TURN * nearbyint((from[d] - q[d]) / PKM_TURN);
}

/// The configuration at `pose` in the working mode of `from`. Whether a singularity lies between is
/// for the watch to tell, where the bits of the branch do not.
static pkm_status step_tool(const pkm_robot* robot, const pkm_closed_config* from,
                            const pkm_pose* pose, pkm_closed_config* out, double* beyond)
{
    pkm_closed_config* list = robot->closed_list;
    const unsigned keeps = pkm_closed_get_family(robot->closed)->tool_keeps;
    *beyond = NAN;
    const int n =
        pkm_closed_inverse_geometry(robot->closed, pose, list, PKM_CLOSED_MAX_BRANCH, beyond);
    const int i = pkm_closed_find_branch(list, n, keeps, from->branch);
    if (n > 0) *beyond = 0.0;
    if (i == PKM_NONE) return PKM_ERR_UNREACHABLE;
    *out = list[i];
    unwrap(robot, from->q, out->q);
    return changes_mode(robot, from, out) ? PKM_ERR_SINGULAR : PKM_OK;
}

pkm_status pkm_closed_step_tool(const pkm_robot* robot, const pkm_closed_config* from,
                                const pkm_pose* pose, pkm_closed_config* out)
{
    double beyond;
    PKM_TRY(step_tool(robot, from, pose, out, &beyond));
    return crosses(robot, from, out) ? PKM_ERR_SINGULAR : PKM_OK;
}

// ---- along a motion ---------------------------------------------------------------------------

pkm_status pkm_closed_follow_begin(const pkm_robot* robot, const pkm_motion* motion,
                                   pkm_closed_follower* out, pkm_error* err)
{
    *out = (pkm_closed_follower){.robot = robot, .motion = motion, .config = robot->closed_home};
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    if (!pkm_motion_is_drives(motion) && pkm_motion_turns(motion) && (moves >> 3) == 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "motion %s: turns the tool (rpy), but the tool of %s cannot turn",
                        pkm_motion_name(motion), robot->desc->name);
    return PKM_OK;
}

static pkm_status fail_step(const pkm_closed_follower* f, pkm_status status, double before,
                            double t, double beyond, pkm_error* err)
{
    const char* name = pkm_motion_name(f->motion);
    if (status == PKM_ERR_UNREACHABLE && beyond == 0.0)
        return pkm_fail(err, status,
                        "motion %s: t = %.6g s: out of reach in the branch of home (%s), other "
                        "branches reach it; try another home",
                        name, t, f->robot->closed_home.label);
    if (status == PKM_ERR_UNREACHABLE)
        return pkm_fail(err, status,
                        "motion %s: t = %.6g s: out of reach by %.6g m; try a point nearer to home",
                        name, t, beyond);
    if (!f->started)
        return pkm_fail(err, status,
                        "motion %s: a singularity lies between home and its start; try another "
                        "path, home or working mode",
                        name);
    return pkm_fail(err, status,
                    "motion %s: between t = %.6g s and %.6g s the robot passes a parallel "
                    "singularity (the drives lose the tool there); try another path, home or "
                    "working mode",
                    name, before, t);
}

/// Pose and drive positions that the motion asks for.
static void read_motion(const pkm_closed_follower* f, double t, pkm_frame_motion* tool, double* q,
                        double* qd, double* qdd)
{
    if (pkm_motion_is_drives(f->motion)) {
        pkm_motion_drives(f->motion, t, q, qd, qdd, NULL);
        return;
    }
    pkm_motion_tool(f->motion, t, tool, NULL);
    if (!pkm_motion_turns(f->motion)) tool->pose.q = f->robot->tool_home.q;
}

static pkm_status fail_singular(const pkm_closed_follower* f, const pkm_closed_config* config,
                                double t, pkm_error* err)
{
    pkm_singularity s;
    char words[400];
    pkm_closed_singularity(f->robot, config, PKM_SINGULAR_TOGETHER, &s);
    pkm_singularity_words(&s, words, sizeof words);
    return pkm_fail(err, PKM_ERR_SINGULAR,
                    "motion %s: t = %.6g s: the robot comes to a %s: %s are not determined there; "
                    "try another path, home or working mode",
                    pkm_motion_name(f->motion), t, words,
                    s.kinds == PKM_SINGULAR_SERIAL ? "the rates of its drives" : "its forces");
}

/// To the configuration at time `t`, from the present one; in doubt about what lies between, in two
/// steps.
static pkm_status place(pkm_closed_follower* f, double t, int depth, pkm_error* err)
{
    double q[PKM_MAX_DRIVE], qd[PKM_MAX_DRIVE], qdd[PKM_MAX_DRIVE], beyond = NAN;
    pkm_closed_config next;
    read_motion(f, t, &f->tool, q, qd, qdd);
    const pkm_status status = pkm_motion_is_drives(f->motion)
                                  ? pkm_closed_continue(f->robot, &f->config, q, &next, &beyond)
                                  : step_tool(f->robot, &f->config, &f->tool.pose, &next, &beyond);
    pkm_passage passage = PKM_PASSAGE_DOUBT;
    if (status == PKM_OK)
        passage = pkm_closed_watch_step(&f->watch, f->robot, &f->config, &next,
                                        !pkm_motion_is_drives(f->motion));
    if (passage == PKM_PASSAGE_SINGULAR) return fail_singular(f, &next, t, err);
    // halves end in a singularity that is hit, or in steps that are certain
    const bool halve = (status == PKM_OK && passage == PKM_PASSAGE_DOUBT) ||
                       (status == PKM_ERR_SINGULAR && f->watch.begun);
    if (halve && depth < MAX_DEPTH && t > f->t) {
        const double half = 0.5 * (f->t + t);
        PKM_TRY(place(f, half, depth + 1, err));
        return place(f, t, depth + 1, err);
    }
    if (halve) return fail_singular(f, status == PKM_OK ? &next : &f->config, t, err);
    if (status != PKM_OK) return fail_step(f, status, f->t, t, beyond, err);
    if (!pkm_motion_is_drives(f->motion) &&
        !pkm_pose_is_taken(f->robot, &f->tool.pose, &next.pose)) {
        char what[200];
        snprintf(what, sizeof what, "motion %s: t = %.6g s", pkm_motion_name(f->motion), t);
        return pkm_fail_taken(f->robot, &f->tool.pose, &next.pose, what, err);
    }
    const size_t size = (size_t)f->robot->mech->n_drive * sizeof(double);
    f->config = next;
    f->t = t;
    memcpy(f->qd, qd, size);
    memcpy(f->qdd, qdd, size);
    return PKM_OK;
}

/// The point `s` of the straight way from home to the pose or the drive positions at the start.
static pkm_status place_on_way(pkm_closed_follower* f, const pkm_pose* pose, const double* q,
                               double s, double* beyond)
{
    const pkm_robot* robot = f->robot;
    const pkm_closed_config* home = &robot->closed_home;
    pkm_closed_config next;
    if (pkm_motion_is_drives(f->motion)) {
        double to[PKM_CLOSED_MAX_DRIVE];
        for (int d = 0; d < robot->mech->n_drive; ++d)
            to[d] = home->q[d] + s * (q[d] - home->q[d]);
        PKM_TRY(pkm_closed_continue(robot, &f->config, to, &next, beyond));
    } else {
        const pkm_quat turn = pkm_quat_mul(pose->q, pkm_quat_conj(home->pose.q));
        const pkm_vec3 by = pkm_vec3_scale(s, pkm_quat_to_rotvec(turn));
        const pkm_pose at = {pkm_vec3_axpy(home->pose.p, s, pkm_vec3_sub(pose->p, home->pose.p)),
                             pkm_quat_mul(pkm_quat_from_rotvec(by), home->pose.q)};
        PKM_TRY(step_tool(robot, &f->config, &at, &next, beyond));
    }
    const bool rates = !pkm_motion_is_drives(f->motion);
    const pkm_passage passage = pkm_closed_watch_step(&f->watch, robot, &f->config, &next, rates);
    if (passage == PKM_PASSAGE_DOUBT) return PKM_RETRY;
    if (passage == PKM_PASSAGE_SINGULAR) return PKM_ERR_SINGULAR;
    f->config = next;
    return PKM_OK;
}

/// The start of the motion is reached from home along the straight way that the engine takes.
static pkm_status start(pkm_closed_follower* f, double t, pkm_error* err)
{
    double q[PKM_MAX_DRIVE], qd[PKM_MAX_DRIVE], qdd[PKM_MAX_DRIVE], beyond = NAN;
    pkm_frame_motion tool = {.pose = f->robot->tool_home};
    read_motion(f, t, &tool, q, qd, qdd);
    double done = 0.0, step = 1.0 / WAY_SAMPLES;
    pkm_status status = place_on_way(f, &tool.pose, q, 0.0, &beyond);
    while (status == PKM_OK && done < 1.0) {
        status = place_on_way(f, &tool.pose, q, fmin(done + step, 1.0), &beyond);
        if (status == PKM_OK) {
            done += step;
            step = fmin(2.0 * step, 1.0 / WAY_SAMPLES);
        } else if (status == PKM_RETRY) { // in doubt about a singularity between
            step *= 0.5;
            status = step < ldexp(1.0, -MAX_DEPTH) ? PKM_ERR_SINGULAR : PKM_OK;
        }
    }
    if (status != PKM_OK) return fail_step(f, status, t, t, beyond, err);
    PKM_TRY(place(f, t, 0, err));
    f->started = true;
    return PKM_OK;
}

/// The rates that the motion does not give, at the present configuration, by the matrices with
/// which the watch has judged it.
static pkm_status complete(pkm_closed_follower* f, pkm_error* err)
{
    const bool drives = pkm_motion_is_drives(f->motion);
    const pkm_closed* closed = f->robot->closed;
    pkm_closed_watch* w = &f->watch;
    w->is_B = drives;
    const pkm_status status =
        drives ? pkm_closed_tool_motion_by(closed, &f->config, w->B_now, w->A_now, f->qd, f->qdd,
                                           &w->lu, &f->tool)
               : pkm_closed_drive_motion_by(closed, &f->config, w->B_now, w->A_now, &f->tool, f->qd,
                                            f->qdd, &w->lu);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status, "motion %s: t = %.6g s: a %s singularity",
                    pkm_motion_name(f->motion), f->t, drives ? "parallel" : "serial");
}

pkm_status pkm_closed_follow_look(pkm_closed_follower* f, double t, const pkm_closed_config* from,
                                  pkm_error* err)
{
    double q[PKM_MAX_DRIVE], beyond;
    pkm_closed_config next;
    read_motion(f, t, &f->tool, q, f->qd, f->qdd);
    PKM_TRY(pkm_motion_is_drives(f->motion)
                ? pkm_closed_continue(f->robot, from, q, &next, &beyond)
                : step_tool(f->robot, from, &f->tool.pose, &next, &beyond));
    f->config = next;
    f->t = t;
    pkm_closed_velocity(f->robot->closed, &next, f->watch.B_now, f->watch.A_now);
    return complete(f, err);
}

pkm_status pkm_closed_follow_to(pkm_closed_follower* f, double t, pkm_error* err)
{
    if (!f->started) {
        PKM_TRY(start(f, t, err));
        return complete(f, err);
    }
    const double before = f->t, longest = pkm_motion_duration(f->motion) / SAMPLES;
    // most rows of a table lie so near
    const bool is_near = (t - before) <= longest || !(longest > 0.0);
    const double parts = is_near ? 1.0 : ceil((t - before) / longest - 1e-9);
    const int n = parts > 1.0 ? (int)fmin(parts, SAMPLES) : 1;
    for (int k = 1; k <= n; ++k)
        PKM_TRY(place(f, k < n ? before + (t - before) * k / n : t, 0, err));
    return complete(f, err);
}
