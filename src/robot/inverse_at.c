// Driving forces at one instant (pkm/inverse.h), by the engine or the closed form.
// docs/theory/engine.md, (4.3), (4.4).
#include "pkm/inverse.h"

#include "base/error.h"
#include "dynamics/inverse.h"
#include "robot/closed_continuation.h"
#include "robot/guard.h"
#include "robot/idle.h"
#include "robot/instant.h"

#include <math.h>
#include <string.h>

// ---- the general engine -----------------------------------------------------------------------

static pkm_status engine_at(pkm_robot* robot, pkm_instant* now, pkm_error* err)
{
    PKM_TRY(pkm_robot_require_drives(robot, err));
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, now->q, sizeof target.q);
    memcpy(target.v, now->v, sizeof target.v);
    memcpy(target.a, now->a, sizeof target.a);
    PKM_TRY(pkm_instant_move(robot, PKM_GIVEN_DRIVES, &target, "drives", err));

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
    // the state belongs to the robot: the load of this call does not stay
    if (load) *load = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const pkm_structure* s = &robot->structure;
    // spins of symmetric rods carry nothing, but for one that has the tool
    if (robot->holds_idle || (s->n_lock == s->n_harmless && !s->tool_spins)) return PKM_OK;
    return pkm_idle_check(robot, PKM_GIVEN_DRIVES, s, 0, NULL, 0.0, err);
}

// ---- the closed form --------------------------------------------------------------------------

/// The engine moved the robot since the closed form was asked last: find the branch it is in.
static void catch_up(pkm_robot* robot)
{
    pkm_closed_config* list = robot->closed_list;
    const int n = pkm_closed_direct_geometry(robot->closed, robot->closed_now.q, list,
                                             PKM_CLOSED_MAX_BRANCH, NULL);
    const int best = pkm_closed_nearest(list, n, &robot->closed_now);
    if (best != PKM_NONE) robot->closed_now = list[best];
    robot->closed_is_old = false;
}

static pkm_status fail_closed(const pkm_robot* robot, pkm_status status, double beyond,
                              pkm_error* err)
{
    if (status == PKM_ERR_UNREACHABLE && beyond == 0.0)
        return pkm_fail(err, status,
                        "drives: out of reach in the present branch (%s), other branches reach it",
                        robot->closed_now.label);
    if (status == PKM_ERR_UNREACHABLE)
        return pkm_fail(err, status, "drives: out of reach by %.6g m", beyond);
    return pkm_fail(err, status,
                    "drives: at or beyond a parallel singularity (the drives lose the tool there)");
}

static pkm_status closed_at(pkm_robot* robot, pkm_instant* now, pkm_error* err)
{
    pkm_closed_config config;
    pkm_frame_motion tool;
    double beyond = NAN;
    if (robot->closed_is_old) catch_up(robot);
    pkm_status status = pkm_closed_continue(robot, &robot->closed_now, now->q, &config, &beyond);
    if (status == PKM_OK)
        status = pkm_closed_tool_motion(robot->closed, &config, now->v, now->a, &tool);
    if (status == PKM_OK)
        status = pkm_closed_inverse_dynamics(robot->closed, &config, &tool, now->v, now->a,
                                             now->tool_force, now->tool_torque, now->force);
    if (status != PKM_OK) return fail_closed(robot, status, beyond, err);
    now->tool = tool;
    robot->closed_now = config;
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

static pkm_status by_method(pkm_robot* robot, pkm_method method, pkm_instant* now, pkm_error* err)
{
    if (method == PKM_METHOD_ENGINE) return engine_at(robot, now, err);
    if (method == PKM_METHOD_CLOSED && robot->closed) return closed_at(robot, now, err);
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    method == PKM_METHOD_CLOSED ? "%s has no closed form" : "%s: unknown method",
                    robot->desc->name);
}

pkm_status pkm_inverse_at(pkm_robot* robot, pkm_method method, pkm_instant* now, pkm_error* err)
{
    if (!robot || !now)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: the robot or `now` is NULL");
    PKM_HOLD(robot, err);
    PKM_TRY(check_numbers(robot, now, err));
    PKM_TRY(by_method(robot, method, now, err));
    if (pkm_all_finite(now->force, robot->mech->n_drive)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_NUMBERS,
                    "drives: the forces leave the range of numbers; look for a rate, acceleration "
                    "or force of the wrong size");
}
