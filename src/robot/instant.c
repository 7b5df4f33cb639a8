// One target at a time (pkm/kinematics.h): drives to pose and pose to drives, from home or from
// where the robot stands, with rates and accelerations. Orientations that the tool cannot take are
// refused.
#include "robot/instant.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/angle.h"
#include "robot/continuation.h"
#include "robot/crossing.h"
#include "robot/guard.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool pkm_all_finite(const double* value, int n)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(value[i])) return false;
    return true;
}

pkm_instant pkm_instant_home(const pkm_robot* robot)
{
    pkm_instant home = {.tool.pose = pkm_robot_tool_home(robot)};
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
        home.q[d] = robot->drive_home[d];
    return home;
}

// ---- poses that the tool cannot take ----------------------------------------------------------

/// "x, y, rz": what the tool moves in.
static void name_moves(const pkm_robot* robot, char* out, size_t size)
{
    static const char* const word[PKM_TOOL_ALL] = {"x", "y", "z", "rx", "ry", "rz"};
    size_t n = 0;
    out[0] = '\0';
    for (int k = 0; k < PKM_TOOL_ALL && n < size; ++k)
        if (robot->structure.moves & (1u << k))
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", word[k]);
}

/// Rounding is shown as 0.
static double tidy(double x)
{
    return fabs(x) < 1e-12 ? 0.0 : x;
}

static double angle_between(pkm_quat a, pkm_quat b)
{
    return pkm_vec3_norm(pkm_quat_to_rotvec(pkm_quat_mul(a, pkm_quat_conj(b))));
}

static const double SAME_POSE = 1e-6; // [robot sizes, rad]

/// Is the orientation that of home, which is not asked for?
static bool asks_no_turn(const pkm_robot* robot, const pkm_pose* asked)
{
    const pkm_quat a = asked->q, h = robot->tool_home.q;
    return a.w == h.w && a.x == h.x && a.y == h.y && a.z == h.z;
}

/// How far [rad] the tool is from an orientation that was asked for; 0 for that of home.
static double turn_away(const pkm_robot* robot, const pkm_pose* asked, const pkm_pose* now)
{
    const pkm_quat a = asked->q, h = robot->tool_home.q;
    if (asks_no_turn(robot, asked)) return 0.0;
    return angle_between(a, h) > 1e-12 ? angle_between(a, now->q) : 0.0;
}

/// |sin| of half the angle between two orientations, without that of an angle.
static double half_chord(pkm_quat a, pkm_quat b)
{
    const pkm_quat q = pkm_quat_mul(a, pkm_quat_conj(b));
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
}

static bool is_point_taken(const pkm_robot* robot, const pkm_pose* asked, pkm_vec3 now)
{
    return pkm_vec3_norm(pkm_vec3_sub(asked->p, now)) <= SAME_POSE * robot->mech->size;
}

bool pkm_pose_is_taken(const pkm_robot* robot, const pkm_pose* asked, const pkm_pose* now)
{
    return is_point_taken(robot, asked, now->p) &&
           (half_chord(asked->q, now->q) <= 0.5 * SAME_POSE ||
            turn_away(robot, asked, now) <= SAME_POSE);
}

bool pkm_pose_is_there(const pkm_robot* robot, const pkm_pose* asked)
{
    // most paths do not turn: the point decides
    const pkm_vec3 point = pkm_state_marker_point(robot->state, robot->mech->tool);
    if (asks_no_turn(robot, asked)) return is_point_taken(robot, asked, point);
    const pkm_pose now = pkm_state_marker_pose(robot->state, robot->mech->tool);
    return pkm_pose_is_taken(robot, asked, &now);
}

pkm_status pkm_check_taken(const pkm_robot* robot, const pkm_pose* asked, const char* what,
                           pkm_error* err)
{
    if (pkm_pose_is_there(robot, asked)) return PKM_OK;
    const pkm_pose now = pkm_state_marker_pose(robot->state, robot->mech->tool);
    return pkm_fail_taken(robot, asked, &now, what, err);
}

pkm_status pkm_fail_taken(const pkm_robot* robot, const pkm_pose* asked, const pkm_pose* now,
                          const char* what, pkm_error* err)
{
    const double away = pkm_vec3_norm(pkm_vec3_sub(asked->p, now->p));
    const double turn = turn_away(robot, asked, now);
    char moves[40];
    name_moves(robot, moves, sizeof moves);
    if (turn <= SAME_POSE)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "%s: the tool of %s moves in %s only; the nearest point is (%.9g, %.9g, "
                        "%.9g) m, %.6g m away",
                        what, robot->desc->name, moves, tidy(now->p.x), tidy(now->p.y),
                        tidy(now->p.z), away);
    const pkm_vec3 rpy = pkm_vec3_scale(PKM_DEGREES, pkm_quat_to_rpy(now->q));
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "%s: the tool of %s moves in %s only; the nearest orientation is roll, pitch, "
                    "yaw (%.9g, %.9g, %.9g) deg, %.6g rad away",
                    what, robot->desc->name, moves, tidy(rpy.x), tidy(rpy.y), tidy(rpy.z), turn);
}

// ---- moving -----------------------------------------------------------------------------------

/// Back to the positions `q`, at rest.
static void stand_at(pkm_robot* robot, const double* q)
{
    const size_t nv = (size_t)robot->mech->n_v * sizeof(double);
    memcpy(robot->state->q, q, (size_t)robot->mech->n_q * sizeof(double));
    memset(robot->state->v, 0, nv);
    memset(robot->state->a, 0, nv);
    pkm_kinematics_position(robot->state);
    pkm_kinematics_velocity(robot->state);
}

/// The time step dt for which the motion so far, v dt + a dt^2 / 2, comes nearest to what the
/// drives are to move; 0 when it does not come near.
static double guess_step(const pkm_robot* robot, const double* q)
{
    const int n = robot->mech->n_drive;
    double v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE], move[PKM_MAX_DRIVE];
    double vv = 0.0, va = 0.0, vm = 0.0, longest = 0.0, miss = 0.0;
    for (int d = 0; d < n; ++d) {
        pkm_drive_rates(robot->state, d, &v[d], &a[d]);
        move[d] = q[d] - pkm_state_drive_position(robot->state, d);
        vv += v[d] * v[d];
        va += v[d] * a[d];
        vm += v[d] * move[d];
        longest = fmax(longest, fabs(move[d]));
    }
    // v . move = dt v . v + dt^2 / 2 v . a
    double dt = vm > 0.0 ? vm / vv : 0.0;
    // two fixed-point steps: a guess needs no more
    for (int k = 0; k < 2; ++k)
        dt = vm > 0.0 ? vm / (vv + 0.5 * dt * va) : 0.0;
    for (int d = 0; d < n; ++d)
        miss = fmax(miss, fabs(move[d] - dt * (v[d] + 0.5 * dt * a[d])));
    return dt > 0.0 && miss < 0.1 * longest ? dt : 0.0;
}

/// In a control loop the drives go on along a smooth motion, and so do all coordinates: from there
/// Newton's method has less to do.
static bool continue_motion(pkm_robot* robot, const pkm_target* target)
{
    pkm_state* state = robot->state;
    const double dt = guess_step(robot, target->q);
    if (dt == 0.0) return false;
    for (int k = 0; k < robot->mech->n_v; ++k)
        state->step[k] = dt * (state->v[k] + 0.5 * dt * state->a[k]);
    pkm_state_move(robot->mech, state->q, state->step);
    return true;
}

pkm_status pkm_instant_move(pkm_robot* robot, pkm_given given, const pkm_target* target,
                            const char* what, pkm_error* err)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    double* before = robot->follow_work + 2 * n_q; // beyond what pkm_follow_near uses
    memcpy(before, robot->state->q, n_q * sizeof(double));
    const pkm_drive_sign sign = robot->sign_now;
    const bool ahead = given == PKM_GIVEN_DRIVES && continue_motion(robot, target);
    pkm_status status = pkm_follow_near(robot, given, target, what, err);
    // a start ahead of the present one must not carry the robot over a singularity
    if (ahead && (status != PKM_OK || pkm_crossing_is_suspect(robot, sign, robot->sign_now))) {
        stand_at(robot, before);
        robot->sign_now = sign;
        status = pkm_follow_near(robot, given, target, what, err);
    }
    if (status == PKM_OK && given == PKM_GIVEN_TOOL)
        status = pkm_check_taken(robot, &target->tool.pose, what, err);
    if (status != PKM_OK) {
        stand_at(robot, before);
        robot->sign_now = sign;
    }
    return status;
}

pkm_status pkm_go_to_target(pkm_robot* robot, pkm_given given, const pkm_target* target,
                            const char* what, pkm_error* err)
{
    const bool is_tool = given == PKM_GIVEN_TOOL;
    PKM_TRY(is_tool ? pkm_robot_require_tool(robot, err) : pkm_robot_require_drives(robot, err));
    PKM_TRY(pkm_follow_target(robot, given, target, what, err));
    // components that the tool cannot take would be the pose of another question
    return is_tool ? pkm_check_taken(robot, &target->tool.pose, what, err) : PKM_OK;
}

/// Read off what the robot does now, and let the closed form know where that is.
static void read_instant(pkm_robot* robot, pkm_instant* out)
{
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(robot->state, d);
        pkm_drive_rates(robot->state, d, &out->v[d], &out->a[d]);
    }
    if (robot->mech->tool != PKM_NONE)
        out->tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
    if (!robot->closed) return;
    robot->closed_now.pose = out->tool.pose;
    memcpy(robot->closed_now.q, out->q, sizeof robot->closed_now.q);
    robot->closed_is_old = true;
}

static pkm_status move_to(pkm_robot* robot, pkm_given given, pkm_start start,
                          const pkm_target* target, pkm_instant* at, pkm_error* err)
{
    if (start == PKM_START_HOME) pkm_robot_go_home(robot);
    PKM_TRY(
        pkm_instant_move(robot, given, target, given == PKM_GIVEN_TOOL ? "tool" : "drives", err));
    read_instant(robot, at);
    return PKM_OK;
}

// ---- forward and inverse kinematics -----------------------------------------------------------

static pkm_status check_call(const pkm_robot* robot, pkm_start start, const pkm_instant* at,
                             pkm_error* err)
{
    if (!robot || !at) return pkm_fail(err, PKM_ERR_ARGUMENT, "the robot or the instant is NULL");
    if (start == PKM_START_HOME || start == PKM_START_PRESENT) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "start: %d, expected home or present", (int)start);
}

pkm_status pkm_kinematics_forward(pkm_robot* robot, pkm_start start, pkm_instant* at,
                                  pkm_error* err)
{
    PKM_TRY(check_call(robot, start, at, err));
    PKM_HOLD(robot, err);
    PKM_TRY(pkm_robot_require_drives(robot, err));
    const int n = robot->mech->n_drive;
    if (!pkm_all_finite(at->q, n) || !pkm_all_finite(at->v, n) || !pkm_all_finite(at->a, n))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "drives: a position or a rate is not finite");
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, at->q, sizeof target.q);
    memcpy(target.v, at->v, sizeof target.v);
    memcpy(target.a, at->a, sizeof target.a);
    return move_to(robot, PKM_GIVEN_DRIVES, start, &target, at, err);
}

int pkm_turn_refused(const pkm_robot* robot, pkm_quat q, double within)
{
    const pkm_vec3 by = pkm_quat_to_rotvec(pkm_quat_mul(q, pkm_quat_conj(robot->tool_home.q)));
    const double part[3] = {by.x, by.y, by.z};
    for (int k = 0; k < 3; ++k)
        if (!(robot->structure.moves & (8u << k)) && fabs(part[k]) > within) return k;
    return PKM_NONE;
}

pkm_status pkm_check_turn(const pkm_robot* robot, pkm_quat q, pkm_error* err)
{
    char moves[40];
    const int axis = pkm_turn_refused(robot, q, SAME_POSE);
    if (axis == PKM_NONE) return PKM_OK;
    name_moves(robot, moves, sizeof moves);
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "tool: that of %s moves in %s only, and is asked to turn about %c",
                    robot->desc->name, moves, 'x' + axis);
}

pkm_status pkm_check_pose(const pkm_robot* robot, const pkm_pose* given, pkm_pose* out,
                          pkm_error* err)
{
    const pkm_quat q = given->q;
    const double number[] = {given->p.x, given->p.y, given->p.z, q.w, q.x, q.y, q.z};
    if (!pkm_all_finite(number, 7))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: a number of its pose is not finite");
    *out = *given;
    const double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    // no orientation was given: home's
    if (norm == 0.0) {
        out->q = robot->tool_home.q;
        return PKM_OK;
    }
    if (fabs(norm - 1.0) > 1e-6)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "tool: a quaternion of length %.9g, expected a unit one (or zero: as at "
                        "home)",
                        norm);
    out->q = pkm_quat_unit(q);
    return PKM_OK;
}

static pkm_status check_tool(const pkm_robot* robot, const pkm_frame_motion* given,
                             pkm_frame_motion* out, pkm_error* err)
{
    const pkm_vec3 rate[] = {given->v, given->w, given->a, given->alpha};
    for (int k = 0; k < 4; ++k) {
        const double number[] = {rate[k].x, rate[k].y, rate[k].z};
        if (!pkm_all_finite(number, 3))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: a rate is not finite");
    }
    *out = *given;
    return pkm_check_pose(robot, &given->pose, &out->pose, err);
}

pkm_status pkm_kinematics_inverse(pkm_robot* robot, pkm_start start, pkm_instant* at,
                                  pkm_error* err)
{
    PKM_TRY(check_call(robot, start, at, err));
    PKM_HOLD(robot, err);
    PKM_TRY(pkm_robot_require_tool(robot, err));
    pkm_target target = {.q = {0.0}};
    PKM_TRY(check_tool(robot, &at->tool, &target.tool, err));
    return move_to(robot, PKM_GIVEN_TOOL, start, &target, at, err);
}
