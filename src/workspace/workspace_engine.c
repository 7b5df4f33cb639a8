// Sampling a workspace with the general engine: memory and life of a flood (workspace_flood.c finds
// points, workspace_point.c describes them), then its points as samples. docs/theory/workspace.md,
// section 4.
#include "workspace/workspace_engine.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/motion_solve.h"
#include "robot/continuation.h"
#include "workspace/workspace_flood.h"

#include <math.h>
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
    engine->from = pkm_alloc((size_t)engine->n_place, sizeof(double));
    engine->walk_q = pkm_alloc((size_t)mech->n_q, sizeof(double));
    engine->walk_v = pkm_alloc((size_t)mech->n_v, sizeof(double));
    engine->units = pkm_alloc(PKM_SPARSE_MAX_UNIT * (size_t)mech->n_v, sizeof(double));
    engine->at = pkm_alloc((size_t)engine->n_point, sizeof *engine->at);
    // without them the map is the same, but no minimum is looked for between points
    if (engine->n_point < MOST_KEPT / mech->n_q)
        engine->kept = pkm_alloc((size_t)engine->n_point * (size_t)mech->n_q, sizeof(double));
    engine->drive = pkm_alloc((size_t)engine->n_point * (size_t)mech->n_drive, sizeof(double));
    // the way to the next point along each axis
    engine->reach_edge = pkm_alloc(3 * (size_t)engine->n_point, sizeof(float));
    engine->limits_edge = pkm_alloc(3 * (size_t)engine->n_point, sizeof(float));
    const bool walks = engine->from && engine->walk_q && engine->walk_v && engine->units;
    return walks && engine->limits && engine->q_start && engine->at && engine->drive &&
           engine->reach_edge && engine->limits_edge;
}

/// The row of the tool's shift along `axis` in its system.
static int find_shift_row(const pkm_robot* robot, int axis)
{
    const pkm_system* system = &robot->state->system[PKM_GIVEN_TOOL];
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &robot->mech->row[system->row[i]];
        if (row->kind == PKM_ROW_TOOL && row->component == axis) return i;
    }
    return PKM_NONE;
}

/// The axes of the grid along which it is walked.
static void list_axes(pkm_workspace_engine* engine)
{
    const pkm_mechanism* mech = engine->robot->mech;
    for (int axis = 0; axis < 3; ++axis) {
        if (engine->grid.n[axis] == 1) continue;
        engine->shift_row[engine->n_axis] = find_shift_row(engine->robot, axis);
        PKM_ASSERT(engine->shift_row[engine->n_axis] != PKM_NONE);
        engine->column[axis] = engine->n_axis++;
    }
    engine->n_place = mech->n_q + engine->n_axis * mech->n_v;
}

static pkm_status fill(pkm_workspace_engine* engine, pkm_error* err)
{
    engine->n_point = engine->grid.n[0] * engine->grid.n[1] * engine->grid.n[2];
    const unsigned moves = engine->robot->structure.moves;
    // translation rows of J (1)
    engine->n_shift = (int)(moves & 1u) + (int)(moves >> 1 & 1u) + (int)(moves >> 2 & 1u);
    list_axes(engine);
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
    pkm_free(engine->from);
    pkm_free(engine->walk_q);
    pkm_free(engine->walk_v);
    pkm_free(engine->units);
    pkm_free(engine->reach_edge);
    pkm_free(engine->limits_edge);
    pkm_free(engine->at);
    pkm_free(engine->drive);
    pkm_free(engine->kept);
    pkm_free(engine->queue.index);
    pkm_free(engine->queue.place);
    pkm_free(engine);
}

pkm_status pkm_workspace_engine_run(pkm_workspace_engine* engine, pkm_progress_fn progress,
                                    void* user, pkm_error* err)
{
    const pkm_status status = pkm_flood_run(engine, progress, user);
    pkm_robot_go_home(engine->robot);
    return status == PKM_OK ? PKM_OK : pkm_fail(err, status, "workspace: out of memory");
}

pkm_status pkm_workspace_engine_run_reach(pkm_workspace_engine* engine, pkm_error* err)
{
    engine->reach_only = true;
    return pkm_workspace_engine_run(engine, NULL, NULL, err);
}

bool pkm_workspace_engine_has(const pkm_workspace_engine* engine, int index, bool* in_limits)
{
    *in_limits = engine->at[index].in_limits;
    return engine->at[index].reachable;
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

/// Solve at `target` from the straight line between two places, `from` the nearer one; false: they
/// do not belong together.
static bool solve_between(pkm_workspace_engine* engine, const pkm_target* target,
                          const double* from, const double* to, double share)
{
    pkm_robot* robot = engine->robot;
    const pkm_mechanism* mech = robot->mech;
    double length = 0.0;
    for (int k = 0; k < mech->n_q; ++k) {
        const double step = share * (to[k] - from[k]);
        robot->state->q[k] = from[k] + step;
        length = fmax(length, fabs(step) / mech->q_unit[k]);
    }
    pkm_state_normalise(mech, robot->state->q);
    return pkm_follow_prediction(robot, target, length, pkm_newton_rule_exact().residual, from) ==
           PKM_OK;
}

/// The robot goes to the place between both points from their coordinates, or back to the nearer
/// one and from there straight.
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
    const int near = share < 0.5 ? lower : next, far = share < 0.5 ? next : lower;
    const double *q = engine->kept + (size_t)near * n_q, *other = engine->kept + (size_t)far * n_q;
    if (!solve_between(engine, &target, q, other, share < 0.5 ? share : 1.0 - share)) {
        memcpy(robot->state->q, q, n_q * sizeof(double));
        if (pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 8) != PKM_OK) return false;
    }
    pkm_found_point found = {0};
    pkm_flood_measure(engine, &found);
    *out = (pkm_workspace_sample){.reachable = true,
                                  .condition = found.condition,
                                  .sigma_min = found.sigma_min,
                                  .sigma_max = found.sigma_max,
                                  .det_B = found.det,
                                  .det_A = 1.0};
    return true;
}

double pkm_workspace_engine_edge(void* user, int lower, int axis, bool limits)
{
    const pkm_workspace_engine* engine = user;
    return (limits ? engine->limits_edge : engine->reach_edge)[3 * (size_t)lower + (size_t)axis];
}
