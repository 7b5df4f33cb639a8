// The robot led by hand: damped steps of least squares for a point of any body (5.6), the tool by
// inverse kinematics, each step a watched way. For the page. docs/theory/engine.md, section 5, "Led
// by hand".
#include "robot/drag.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "robot/continuation.h"
#include "robot/instant.h"
#include "robot/watch.h"

#include <math.h>
#include <string.h>

enum { MAX_STEP = 24, MAX_DAMPING = 8, HALVINGS = 14, EDGE_HALVINGS = 24 };
static const double ARRIVED = 1e-14; // [robot sizes] from the place, or of the last step
static const double LONGEST = 0.15;  // [robot sizes] of one step
static const double LEAST_DAMPING = 1e-13, GROWTH = 30.0;
static const double WEAK =
    1e-7; // singular values of the point, of the largest: it does not move so

pkm_vec3 pkm_grasp_place(const pkm_robot* robot, const pkm_grasp* grasp)
{
    const pkm_body_state* body = &robot->state->body[robot->mech->body_of_desc[grasp->body]];
    return pkm_vec3_add(body->p, pkm_mat3_mul(body->R, grasp->at));
}

static double unit_of(const pkm_robot* robot, int d)
{
    return robot->mech->drive[d].is_rotary ? robot->mech->size : 1.0;
}

/// J [3 x n_drive]: velocity of the point per rate of each drive, rotary ones times the robot's
/// size. The factors of the drives belong to the present position.
static void point_jacobian(pkm_robot* robot, const pkm_grasp* grasp, double* J)
{
    const pkm_mechanism* mech = robot->mech;
    const pkm_vec3 p = pkm_grasp_place(robot, grasp);
    const size_t n_v = (size_t)mech->n_v;
    pkm_watch_moved(robot->watch);
    const double* X = pkm_watch_tangents(robot->watch);
    for (int d = 0; d < mech->n_drive; ++d) {
        memcpy(robot->state->v, X + (size_t)d * n_v, n_v * sizeof(double));
        pkm_kinematics_twists(robot->state);
        const pkm_twist V = robot->state->body[mech->body_of_desc[grasp->body]].V;
        const pkm_vec3 v = pkm_vec3_scale(1.0 / unit_of(robot, d), pkm_twist_at(V, p));
        J[3 * d] = v.x;
        J[3 * d + 1] = v.y;
        J[3 * d + 2] = v.z;
    }
    memset(robot->state->v, 0, n_v * sizeof(double));
    pkm_kinematics_twists(robot->state);
}

/// J' of J [3 x n], as a matrix of n x 3.
static void transpose(const double* J, int n, double* out)
{
    for (int d = 0; d < n; ++d)
        for (int i = 0; i < 3; ++i)
            out[d + n * i] = J[3 * d + i];
}

/// The damped step of least squares and least motion, in singular vectors of J (5.6):
///
///     y = sum of v s (u.e) / (s^2 + mu s_1^2),   s above WEAK s_1
///
/// False where no drive moves the point.
static bool damped_step(const double* J, int n, pkm_vec3 e, double mu, double* y)
{
    double T[3 * PKM_MAX_DRIVE], s[3], W[9];
    const bool wide = n > 3; // the small side has the vectors: u of the world, else v of the drives
    const int r = wide ? 3 : n;
    if (wide) transpose(J, n, T);
    pkm_dense_small_svd(wide ? T : J, wide ? n : 3, r, s, W);
    for (int d = 0; d < n; ++d)
        y[d] = 0.0;
    for (int i = 0; i < r && s[i] > WEAK * s[0]; ++i) {
        const double* w = W + r * i;
        double along[PKM_MAX_DRIVE], pull; // s v and u.e, or v and s (u.e)
        pkm_vec3 u = {0.0, 0.0, 0.0};      // s u
        for (int d = 0; d < n && !wide; ++d)
            u = pkm_vec3_axpy(u, w[d], (pkm_vec3){J[3 * d], J[3 * d + 1], J[3 * d + 2]});
        pull = wide ? w[0] * e.x + w[1] * e.y + w[2] * e.z : pkm_vec3_dot(u, e);
        for (int d = 0; d < n; ++d)
            along[d] = wide ? J[3 * d] * w[0] + J[3 * d + 1] * w[1] + J[3 * d + 2] * w[2] : w[d];
        for (int d = 0; d < n; ++d)
            y[d] += along[d] * pull / (s[i] * s[i] + mu * s[0] * s[0]);
    }
    return s[0] > 0.0;
}

/// Drives moved by the step y, which is shortened to LONGEST; returns its length [robot sizes].
static double put_target(const pkm_robot* robot, const double* y, pkm_target* out)
{
    double length = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        length = fmax(length, fabs(y[d]));
    length /= robot->mech->size;
    const double part = length > LONGEST ? LONGEST / length : 1.0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        out->q[d] = pkm_state_drive_position(robot->state, d) + part * y[d] / unit_of(robot, d);
    return part * length;
}

/// One accepted step towards `to`, with as much damping as that takes; false: none is better.
static bool step_nearer(pkm_robot* robot, const pkm_grasp* grasp, pkm_vec3 to, double* mu,
                        double* length, pkm_status* why)
{
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    double J[3 * PKM_MAX_DRIVE], y[PKM_MAX_DRIVE];
    const pkm_vec3 e = pkm_vec3_sub(to, pkm_grasp_place(robot, grasp));
    point_jacobian(robot, grasp, J);
    double* before = robot->crossing_work; // [n_q]
    for (int i = 0; i < MAX_DAMPING; ++i, *mu *= GROWTH) {
        pkm_target target = {.q = {0.0}};
        if (!damped_step(J, robot->mech->n_drive, e, *mu, y)) return false;
        *length = put_target(robot, y, &target);
        if (*length < ARRIVED) return false;
        memcpy(before, robot->state->q, size);
        const pkm_status status = pkm_follow_watched(robot, PKM_GIVEN_DRIVES, &target, HALVINGS);
        const pkm_vec3 left = pkm_vec3_sub(to, pkm_grasp_place(robot, grasp));
        if (pkm_vec3_norm(left) < pkm_vec3_norm(e)) {
            if (status == PKM_ERR_SINGULAR) *why = status;
            *mu = fmax(*mu / GROWTH, LEAST_DAMPING);
            return true;
        }
        if (status == PKM_ERR_SINGULAR) *why = status;
        memcpy(robot->state->q, before, size);
        pkm_kinematics_position(robot->state);
        pkm_rows_closures(robot->state);
        if (pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES) != PKM_OK) return false;
    }
    return false;
}

static pkm_status draw(pkm_robot* robot, const pkm_grasp* grasp, pkm_vec3 to)
{
    pkm_status why = PKM_OK;
    double mu = LEAST_DAMPING, length = 1.0;
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    PKM_TRY(pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES));
    for (int i = 0; i < MAX_STEP && length > ARRIVED; ++i) {
        const double left = pkm_vec3_norm(pkm_vec3_sub(to, pkm_grasp_place(robot, grasp)));
        if (left <= ARRIVED * robot->mech->size) return PKM_OK;
        if (!step_nearer(robot, grasp, to, &mu, &length, &why)) break;
    }
    return why;
}

/// Shift the tool's body so that the held point comes to `to`.
static pkm_status shift_tool(pkm_robot* robot, const pkm_grasp* grasp, pkm_vec3 to)
{
    const pkm_pose now = pkm_state_marker_pose(robot->state, robot->mech->tool);
    const pkm_vec3 by = pkm_vec3_sub(to, pkm_grasp_place(robot, grasp));
    const pkm_target target = {.tool.pose = {pkm_vec3_add(now.p, by), now.q}};
    return pkm_follow_watched(robot, PKM_GIVEN_TOOL, &target, EDGE_HALVINGS);
}

pkm_status pkm_drag_to(pkm_robot* robot, const pkm_grasp* grasp, pkm_vec3 to, double* left,
                       pkm_error* err)
{
    const double given[] = {grasp->at.x, grasp->at.y, grasp->at.z, to.x, to.y, to.z};
    if (grasp->body < 1 || grasp->body >= robot->desc->n_body)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "drag: body %d, expected 1 to %d", grasp->body,
                        robot->desc->n_body - 1);
    if (!pkm_all_finite(given, 6))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "drag: a coordinate is not finite");
    PKM_TRY(pkm_robot_require_drives(robot, err));
    pkm_kinematics_position(robot->state);
    const bool tool = robot->structure.tool_mode &&
                      robot->desc->marker[robot->desc->tool_marker].body == grasp->body;
    pkm_status status = tool ? shift_tool(robot, grasp, to) : draw(robot, grasp, to);
    // what is left is drawn: along the edge of the reach, or a link that turns while its tip
    // shifts
    const bool shifts_only = (robot->structure.moves >> PKM_TOOL_RX) == 0;
    if (tool && shifts_only && status != PKM_ERR_MEMORY) {
        const pkm_status drawn = draw(robot, grasp, to);
        if (drawn != PKM_OK) status = drawn;
    }
    *left = pkm_vec3_norm(pkm_vec3_sub(to, pkm_grasp_place(robot, grasp)));
    robot->closed_is_old = true;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status == PKM_ERR_SINGULAR)
        return pkm_fail(err, status, "a singularity bars the way of %s",
                        robot->desc->body[grasp->body].name);
    return PKM_OK;
}
