// What is known at a point that the flood has reached: q' = K t with the factors of the last Newton
// step, J = K^-1 (6), limits, and the notes of where reach or limits end. Equations:
// docs/theory/workspace.md, sections 4 and 5.
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "robot/continuation.h"
#include "workspace/workspace_flood.h"

#include <math.h>
#include <string.h>

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
    out->margin = pkm_joint_limits_margin(engine->limits, robot->state);
    out->in_limits = out->margin >= 0.0;
    out->reachable = true;
    ++engine->n_found;
    if (engine->reach_only) return;
    pkm_flood_measure(engine, out);
    for (int d = 0; d < n; ++d)
        engine->drive[(size_t)index * (size_t)n + (size_t)d] =
            pkm_state_drive_position(robot->state, d);
}

// ---- where sets end ----------------------------------------------------------------------------

/// Note an end at `share` of the way from `index` to `next`, counted from the lower of the two.
static void note(float* edge, int index, int next, int axis, double share)
{
    if (index < next)
        edge[3 * (size_t)index + (size_t)axis] = (float)share;
    else
        edge[3 * (size_t)next + (size_t)axis] = (float)(1.0 - share);
}

void pkm_flood_note_end(pkm_workspace_engine* engine, int index, int next, int axis, double end)
{
    note(engine->reach_edge, index, next, axis, end);
    // beyond its limits already: they end on another way
    if (!engine->at[index].in_limits) return;
    const double margin = pkm_joint_limits_margin(engine->limits, engine->robot->state);
    // limits that are kept as far as the robot reaches end with the reach
    note(engine->limits_edge, index, next, axis,
         margin >= 0.0 ? end : pkm_walk_to_limit(engine, index, next, axis, end, margin));
}

void pkm_flood_note_limit(pkm_workspace_engine* engine, int index, int next, int axis)
{
    const double margin = engine->at[next].margin;
    note(engine->limits_edge, index, next, axis,
         pkm_walk_to_limit(engine, index, next, axis, 1.0, margin));
}
