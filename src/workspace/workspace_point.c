// What is known at a point that the flood has reached: q' = K t with the factors of the last Newton
// step, J = K^-1 (6), limits, and where reach or limits end on the way to a neighbour. Equations:
// docs/theory/workspace.md, sections 4 and 5.
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "robot/continuation.h"
#include "workspace/workspace_flood.h"

#include <math.h>
#include <string.h>

// how often a way that is not followed is halved, and the way to a limit: within 1/512 of it
enum { MAX_HALVING = 8, N_BISECTION = 8 };

/// K (column-major, n x n): drive rates per unit of the tool's rates, q' = K t, one column for each
/// component that moves, with the factors of PKM_GIVEN_TOOL. K = A^-1 B of the closed forms.
static void read_rates(pkm_robot* robot, double* K)
{
    const int n = robot->mech->n_drive;
    for (int k = 0, column = 0; k < PKM_TOOL_ALL; ++k) {
        if (!(robot->structure.moves & (1u << k))) continue;
        pkm_target target = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
        double* const rate[] = {&target.tool.v.x, &target.tool.v.y, &target.tool.v.z,
                                &target.tool.w.x, &target.tool.w.y, &target.tool.w.z};
        *rate[k] = 1.0;
        pkm_solve_velocity(robot->state, PKM_GIVEN_TOOL, &target);
        for (int d = 0; d < n; ++d) {
            double acceleration; // not solved for
            pkm_drive_rates(robot->state, d, &K[d + column * n], &acceleration);
        }
        ++column;
    }
}

void pkm_flood_measure(pkm_workspace_engine* engine, pkm_found_point* out)
{
    pkm_robot* robot = engine->robot;
    const int n = robot->mech->n_drive;
    double K[PKM_TOOL_ALL * PKM_TOOL_ALL], J[3 * PKM_TOOL_ALL], column[PKM_TOOL_ALL];
    pkm_dense_lu lu;
    pkm_workspace_sample sample = {.condition = INFINITY, .sigma_max = INFINITY};
    read_rates(robot, K);
    // else det B = 0 of (6), a parallel singularity: s1 of (2) has no bound
    if (pkm_dense_lu_factor(&lu, K, n) > 1.0 / PKM_WORKSPACE_LARGE) {
        for (int d = 0; d < n; ++d) { // J = K^-1, its translation rows
            memset(column, 0, sizeof column);
            column[d] = 1.0;
            pkm_dense_lu_solve(&lu, column, column);
            memcpy(J + d * engine->n_shift, column, (size_t)engine->n_shift * sizeof(double));
        }
        pkm_workspace_set_jacobian(&sample, J, engine->n_shift, n);
        out->det = pkm_dense_lu_det(&lu);
    }
    out->condition = sample.condition;
    out->sigma_min = sample.sigma_min;
    out->sigma_max = sample.sigma_max;
}

void pkm_flood_describe(pkm_workspace_engine* engine, int index)
{
    pkm_robot* robot = engine->robot;
    const int n = robot->mech->n_drive;
    pkm_found_point* out = &engine->at[index];
    pkm_flood_measure(engine, out);
    out->in_limits = pkm_joint_limits_kept(engine->limits, robot->state);
    for (int d = 0; d < n; ++d)
        engine->drive[(size_t)index * (size_t)n + (size_t)d] =
            pkm_state_drive_position(robot->state, d);
    out->reachable = true;
    ++engine->n_found;
}

// ---- where sets end ----------------------------------------------------------------------------

/// The share of the way from point `index` to its neighbour `next` at which the tool is.
static double way_gone(const pkm_workspace_engine* engine, int index, int next)
{
    pkm_state* state = engine->robot->state;
    pkm_kinematics_position(state);
    const pkm_vec3 now = pkm_state_marker_point(state, state->mech->tool);
    const pkm_vec3 from = pkm_workspace_grid_point(&engine->grid, index);
    const pkm_vec3 way = pkm_vec3_sub(pkm_workspace_grid_point(&engine->grid, next), from);
    // the last place that was followed may lie beside the way by Newton's tolerance
    const double share = pkm_vec3_dot(pkm_vec3_sub(now, from), way) / pkm_vec3_dot(way, way);
    return fmin(fmax(share, 0.0), 1.0);
}

/// Note an end at `share` of the way from `index` to `next`, counted from the lower of the two.
static void note(float* edge, int index, int next, int axis, double share)
{
    if (index < next)
        edge[3 * (size_t)index + (size_t)axis] = (float)share;
    else
        edge[3 * (size_t)next + (size_t)axis] = (float)(1.0 - share);
}

/// Where on the way to `next` the limits are kept no more, or kept at last: `kept` says which they
/// are at its beginning, and not at `high`.
static double bisect_limits(pkm_workspace_engine* engine, int index, int next, bool kept,
                            double high)
{
    pkm_robot* robot = engine->robot;
    const pkm_vec3 from = pkm_workspace_grid_point(&engine->grid, index);
    const pkm_vec3 way = pkm_vec3_sub(pkm_workspace_grid_point(&engine->grid, next), from);
    double low = 0.0;
    for (int n = 0; n < N_BISECTION; ++n) {
        const double middle = 0.5 * (low + high);
        const pkm_target target = {
            .tool.pose = {pkm_vec3_axpy(from, middle, way), engine->orientation}};
        // each try from where the flood stood: a failed one may have left the robot anywhere
        memcpy(robot->state->q, engine->q_from, (size_t)robot->mech->n_q * sizeof(double));
        const bool there =
            pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, MAX_HALVING) == PKM_OK;
        if (there && pkm_joint_limits_kept(engine->limits, robot->state) == kept)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void pkm_flood_note_end(pkm_workspace_engine* engine, int index, int next, int axis)
{
    const double share = way_gone(engine, index, next);
    note(engine->reach_edge, index, next, axis, share);
    // beyond its limits already: they end on another way
    if (!engine->at[index].in_limits) return;
    const bool kept = pkm_joint_limits_kept(engine->limits, engine->robot->state);
    // limits that are kept as far as the robot reaches end with the reach
    note(engine->limits_edge, index, next, axis,
         kept ? share : bisect_limits(engine, index, next, true, share));
}

void pkm_flood_note_limit(pkm_workspace_engine* engine, int index, int next, int axis)
{
    const bool kept = engine->at[index].in_limits;
    note(engine->limits_edge, index, next, axis, bisect_limits(engine, index, next, kept, 1.0));
}
