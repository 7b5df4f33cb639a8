/// The inside of a pkm_workspace_engine. Shared by workspace_engine.c, workspace_point.c,
/// workspace_walk.c and workspace_flood.c.
#ifndef PKM_WORKSPACE_WORKSPACE_FLOOD_H
#define PKM_WORKSPACE_WORKSPACE_FLOOD_H

#include "robot/joint_limits.h"
#include "workspace/workspace_engine.h"

/// What is known of a point that was found.
typedef struct pkm_found_point {
    double condition, sigma_min, sigma_max;
    double det;    ///< of K, see workspace_point.c
    double margin; ///< least distance to a limit [m, rad]; negative: beyond one
    bool reachable, in_limits;
} pkm_found_point;

/// Points whose neighbours are still to be tried, first in, first out, with their coordinates and
/// tangents.
typedef struct pkm_flood_queue {
    int first, n, capacity;
    int* index;
    double* place; ///< [capacity x n_place]
} pkm_flood_queue;

struct pkm_workspace_engine {
    pkm_robot* robot;
    pkm_workspace_grid grid;
    pkm_quat orientation;
    pkm_joint_limits* limits;
    double* q_start;  ///< [n_q] at home, turned to the orientation
    bool reach_only;  ///< no conditions, no borders
    int n_axis;       ///< axes of the grid with more than a point
    int column[3];    ///< place of such an axis among them
    int shift_row[3]; ///< [n_axis] rows of the tool's shifts along them in its system
    int n_place;      ///< n_q + n_axis n_v
    /// [n_place] work: where neighbours are tried from, coordinates and tangents by the tool's
    /// shifts.
    double* from;
    double *walk_q, *walk_v, *units; ///< [n_q], [n_v], [PKM_SPARSE_MAX_UNIT n_v] work of a walk
    int n_point, n_found;
    bool complete;       ///< the flood was not stopped
    int n_shift;         ///< directions in which the tool point moves
    pkm_found_point* at; ///< [n_point]
    double* drive;       ///< [n_point x n_drive] drive positions
    /// [3 n_point] where the reach, or its part in limits, ends between a point and the next along
    /// x, y, z: 0 to 1, as far as it was seen.
    float *reach_edge, *limits_edge;
    double* kept; ///< [n_point x n_q] coordinates; NULL: too many
    pkm_flood_queue queue;
};

/// Describe the present positions of the robot, which are those of point `index`.
void pkm_flood_describe(pkm_workspace_engine* engine, int index);
/// Condition, singular values and determinant at the present positions.
void pkm_flood_measure(pkm_workspace_engine* engine, pkm_found_point* out);

/// Tangents at the present positions, [n_axis x n_v] by shifts of the tool [1/m].
void pkm_walk_tangents(pkm_workspace_engine* engine, double* T);

/// From point `index`, with the coordinates and tangents `from`, to its neighbour `next` along
/// `axis`; false: the way ends at the share `end` of it, and the robot stands shortly before.
PKM_NODISCARD bool pkm_walk_to(pkm_workspace_engine* engine, int index, int next, int axis,
                               double* end);

/// Where on that way the limits end, or begin, before `high`, at which the margin is `margin`.
double pkm_walk_to_limit(pkm_workspace_engine* engine, int index, int next, int axis, double high,
                         double margin);

/// Point `index` has a neighbour `next` along `axis` that is out of reach: the robot stands shortly
/// before the end of the way, at the share `end`.
void pkm_flood_note_end(pkm_workspace_engine* engine, int index, int next, int axis, double end);
/// Both are in reach, but only one in limits.
void pkm_flood_note_limit(pkm_workspace_engine* engine, int index, int next, int axis);

/// Flood the grid from home. PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flood_run(pkm_workspace_engine* engine, pkm_progress_fn progress,
                                       void* user);

#endif
