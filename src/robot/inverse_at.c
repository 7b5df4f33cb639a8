#include "pkm/inverse.h"

#include "base/error.h"
#include "dynamics/inverse.h"
#include "math/dense.h"
#include "robot/closed_continuation.h"
#include "robot/instant.h"

#include <string.h>

// ---- the general engine -----------------------------------------------------------------------

static pkm_status engine_at(pkm_robot* robot, pkm_instant* now, pkm_error* err)
{
    PKM_TRY(pkm_robot_require_drives(robot, err));
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, now->q, sizeof target.q);
    memcpy(target.v, now->v, sizeof target.v);
    memcpy(target.a, now->a, sizeof target.a);
    PKM_TRY(pkm_instant_move(robot, PKM_MODE_DRIVES, &target, "drives", err));

    pkm_state* state = robot->state;
    const pkm_mechanism* mech = robot->mech;
    pkm_wrench* load = NULL;
    if (mech->tool != PKM_NONE) {
        now->tool = pkm_state_marker_motion(state, mech->tool);
        load = &state->load[mech->marker[mech->tool].body];
        *load = pkm_wrench_at(now->tool.pose.p, now->tool_force, now->tool_torque);
    }
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, now->force);
    if (load) *load = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return PKM_OK;
}

// ---- the closed form --------------------------------------------------------------------------

static int sign_of_B(const pkm_robot* robot, const pkm_closed_config* config)
{
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    pkm_dense_lu lu;
    pkm_closed_velocity(robot->closed, config, B, A);
    pkm_dense_lu_factor(&lu, B, robot->mech->n_drive);
    return pkm_dense_lu_det(&lu) < 0.0 ? -1 : 1;
}

/// The configuration at these drive positions that continues the present one.
static pkm_status closed_config(const pkm_robot* robot, const double* q, pkm_closed_config* out,
                                pkm_error* err)
{
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    double beyond = NAN;
    const int n =
        pkm_closed_direct_geometry(robot->closed, q, list, PKM_CLOSED_MAX_BRANCH, &beyond);
    const int best = pkm_closed_nearest(list, n, &robot->closed_now, robot->mech->n_drive);
    if (best == PKM_NONE)
        return pkm_fail(err, PKM_ERR_UNREACHABLE, "drives: out of reach by %.6g m", beyond);
    *out = list[best];
    return PKM_OK;
}

static pkm_status closed_at(pkm_robot* robot, pkm_instant* now, pkm_error* err)
{
    pkm_closed_config config;
    pkm_frame_motion tool;
    PKM_TRY(closed_config(robot, now->q, &config, err));
    const int sign = sign_of_B(robot, &config);
    pkm_status status = robot->closed_sign == -sign ? PKM_ERR_SINGULAR : PKM_OK;
    if (status == PKM_OK)
        status = pkm_closed_tool_motion(robot->closed, &config, now->v, now->a, &tool);
    if (status == PKM_OK)
        status = pkm_closed_inverse_dynamics(robot->closed, &config, &tool, now->v, now->a,
                                             now->tool_force, now->tool_torque, now->force);
    if (status != PKM_OK)
        return pkm_fail(err, status,
                        "drives: at or beyond a parallel singularity (the drives lose the tool "
                        "there)");
    now->tool = tool;
    robot->closed_now = config;
    robot->closed_sign = sign;
    return PKM_OK;
}

// ---- the call ---------------------------------------------------------------------------------

static pkm_status check_numbers(const pkm_robot* robot, const pkm_instant* now, pkm_error* err)
{
    const int n = robot->mech->n_drive;
    const pkm_vec3 f = now->tool_force, t = now->tool_torque;
    const double load[] = {f.x, f.y, f.z, t.x, t.y, t.z};
    if (!pkm_all_finite(now->q, n) || !pkm_all_finite(now->v, n) || !pkm_all_finite(now->a, n))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "drives: a position or a rate is not finite");
    if (!pkm_all_finite(load, 6))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: its force or torque is not finite");
    return PKM_OK;
}

pkm_status pkm_inverse_at(pkm_robot* robot, pkm_method method, pkm_instant* now, pkm_error* err)
{
    if (!robot || !now)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: the robot or `now` is NULL");
    PKM_TRY(check_numbers(robot, now, err));
    if (method == PKM_METHOD_ENGINE) return engine_at(robot, now, err);
    if (method == PKM_METHOD_CLOSED && robot->closed) return closed_at(robot, now, err);
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    method == PKM_METHOD_CLOSED ? "%s has no closed form" : "%s: unknown method",
                    robot->desc->name);
}
