// Sampling a workspace with the general engine: memory and life of a flood (workspace_flood.c finds
// points, workspace_point.c describes them), then its points as samples. docs/theory/workspace.md,
// section 4.
#include "workspace/workspace_engine.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/continuation.h"
#include "workspace/workspace_flood.h"

#include <string.h>

enum { MOST_KEPT = 32 * 1024 * 1024 }; ///< coordinates of points, 256 MB

// ---- creation ---------------------------------------------------------------------------------

/// The flood keeps one orientation: the robot turns there once, at home's place.
static pkm_status turn_at_home(pkm_workspace_engine* engine, pkm_error* err)
{
    pkm_robot* robot = engine->robot;
    const pkm_target target = {.tool.pose = {robot->tool_home.p, engine->orientation}};
    pkm_robot_go_home(robot);
    PKM_TRY(pkm_follow_target(robot, PKM_GIVEN_TOOL, &target, "orientation at home", err));
    // a target counts in components that move: what is left is a turn that the tool cannot make
    const pkm_quat now = pkm_state_marker_pose(robot->state, robot->mech->tool).q;
    const pkm_quat left = pkm_quat_mul(engine->orientation, pkm_quat_conj(now));
    if (pkm_vec3_norm(pkm_quat_to_rotvec(left)) > 1e-9)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "orientation: the tool of %s cannot turn so, expected turns about axes "
                        "that it moves in",
                        robot->desc->name);
    memcpy(engine->q_start, robot->state->q, (size_t)robot->mech->n_q * sizeof(double));
    return PKM_OK;
}

static bool allocate(pkm_workspace_engine* engine)
{
    const pkm_mechanism* mech = engine->robot->mech;
    engine->limits = pkm_joint_limits_create(engine->robot);
    engine->q_start = pkm_alloc((size_t)mech->n_q, sizeof(double));
    engine->q_from = pkm_alloc((size_t)mech->n_q, sizeof(double));
    engine->at = pkm_alloc((size_t)engine->n_point, sizeof *engine->at);
    // without them the map is the same, but no minimum is looked for between points
    if (engine->n_point < MOST_KEPT / mech->n_q)
        engine->kept = pkm_alloc((size_t)engine->n_point * (size_t)mech->n_q, sizeof(double));
    engine->drive = pkm_alloc((size_t)engine->n_point * (size_t)mech->n_drive, sizeof(double));
    // the way to the next point along each axis
    engine->reach_edge = pkm_alloc(3 * (size_t)engine->n_point, sizeof(float));
    engine->limits_edge = pkm_alloc(3 * (size_t)engine->n_point, sizeof(float));
    return engine->limits && engine->q_start && engine->q_from && engine->at && engine->drive &&
           engine->reach_edge && engine->limits_edge;
}

static pkm_status fill(pkm_workspace_engine* engine, pkm_error* err)
{
    engine->n_point = engine->grid.n[0] * engine->grid.n[1] * engine->grid.n[2];
    const unsigned moves = engine->robot->structure.moves;
    // translation rows of J (1)
    engine->n_shift = (int)(moves & 1u) + (int)(moves >> 1 & 1u) + (int)(moves >> 2 & 1u);
    pkm_robot_go_home(engine->robot);
    if (!allocate(engine)) return pkm_fail(err, PKM_ERR_MEMORY, "workspace: out of memory");
    return turn_at_home(engine, err);
}

pkm_status pkm_workspace_engine_create(pkm_robot* robot, const pkm_workspace_grid* grid,
                                       pkm_quat orientation, pkm_workspace_engine** out,
                                       pkm_error* err)
{
    *out = NULL;
    PKM_TRY(pkm_robot_require_tool(robot, err));
    pkm_workspace_engine* engine = pkm_alloc(1, sizeof *engine);
    if (!engine) return pkm_fail(err, PKM_ERR_MEMORY, "workspace: out of memory");
    *engine = (pkm_workspace_engine){.robot = robot, .grid = *grid, .orientation = orientation};
    const pkm_status status = fill(engine, err);
    if (status == PKM_OK)
        *out = engine;
    else
        pkm_workspace_engine_free(engine);
    return status;
}

void pkm_workspace_engine_free(pkm_workspace_engine* engine)
{
    if (!engine) return;
    pkm_joint_limits_free(engine->limits);
    pkm_free(engine->q_start);
    pkm_free(engine->q_from);
    pkm_free(engine->reach_edge);
    pkm_free(engine->limits_edge);
    pkm_free(engine->at);
    pkm_free(engine->drive);
    pkm_free(engine->kept);
    pkm_free(engine->queue.index);
    pkm_free(engine->queue.q);
    pkm_free(engine);
}

pkm_status pkm_workspace_engine_run(pkm_workspace_engine* engine, pkm_progress_fn progress,
                                    void* user, pkm_error* err)
{
    const pkm_status status = pkm_flood_run(engine, progress, user);
    pkm_robot_go_home(engine->robot);
    return status == PKM_OK ? PKM_OK : pkm_fail(err, status, "workspace: out of memory");
}

// ---- the sampler ------------------------------------------------------------------------------

pkm_status pkm_workspace_sample_engine(void* user, const pkm_vec3* position,
                                       pkm_workspace_sample* out)
{
    const pkm_workspace_engine* engine = user;
    const int index = pkm_workspace_grid_nearest(&engine->grid, *position),
              n = engine->robot->mech->n_drive;
    const pkm_found_point* found = &engine->at[index];
    out->n_drive = n;
    out->reachable = found->reachable;
    // a flood that was stopped does not know of what it has not found
    if (!found->reachable) return engine->complete ? PKM_OK : PKM_RETRY;
    out->in_limits = found->in_limits;
    out->condition = found->condition;
    out->sigma_min = found->sigma_min;
    out->sigma_max = found->sigma_max;
    // det K of (6) = det B / det A changes its sign at both kinds of singularity
    out->det_B = found->det;
    out->det_A = 1.0;
    memcpy(out->q, engine->drive + (size_t)index * (size_t)n, (size_t)n * sizeof(double));
    return PKM_OK;
}

/// The robot goes back to the nearer of both points and from there straight to the place between
/// them.
bool pkm_workspace_engine_between(void* user, int lower, int axis, double share,
                                  pkm_workspace_sample* out)
{
    pkm_workspace_engine* engine = user;
    pkm_robot* robot = engine->robot;
    const size_t n_q = (size_t)robot->mech->n_q;
    const int* n = engine->grid.n;
    const int next = lower + (axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1]);
    // too many coordinates to keep: no minimum is looked for
    if (!engine->kept) return false;
    const pkm_vec3 from = pkm_workspace_grid_point(&engine->grid, lower);
    const pkm_vec3 way = pkm_vec3_sub(pkm_workspace_grid_point(&engine->grid, next), from);
    const pkm_target target = {.tool.pose = {pkm_vec3_axpy(from, share, way), engine->orientation}};
    const int near = share < 0.5 ? lower : next;
    memcpy(robot->state->q, engine->kept + (size_t)near * n_q, n_q * sizeof(double));
    if (pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 8) != PKM_OK) return false;
    pkm_found_point found;
    pkm_flood_measure(engine, &found);
    *out = (pkm_workspace_sample){.reachable = true,
                                  .condition = found.condition,
                                  .sigma_min = found.sigma_min,
                                  .sigma_max = found.sigma_max};
    return true;
}

double pkm_workspace_engine_edge(void* user, int lower, int axis, bool limits)
{
    const pkm_workspace_engine* engine = user;
    return (limits ? engine->limits_edge : engine->reach_edge)[3 * (size_t)lower + (size_t)axis];
}
