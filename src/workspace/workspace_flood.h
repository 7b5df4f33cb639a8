/// The inside of a pkm_workspace_engine. Shared by workspace_engine.c, workspace_point.c and
/// workspace_flood.c.
#ifndef PKM_WORKSPACE_WORKSPACE_FLOOD_H
#define PKM_WORKSPACE_WORKSPACE_FLOOD_H

#include "robot/joint_limits.h"
#include "workspace/workspace_engine.h"

/// What is known of a point that was found.
typedef struct pkm_found_point {
    double condition, sigma_min, sigma_max;
    double det; ///< of K, see workspace_point.c
    bool reachable, in_limits;
} pkm_found_point;

/// Points whose neighbours are still to be tried, first in, first out, with their coordinates.
typedef struct pkm_flood_queue {
    int first, n, capacity;
    int* index;
    double* q; ///< [capacity x n_q]
} pkm_flood_queue;

struct pkm_workspace_engine {
    pkm_robot* robot;
    pkm_workspace_grid grid;
    pkm_quat orientation;
    pkm_joint_limits* limits;
    double* q_start; ///< [n_q] at home, turned to the orientation
    double* q_from;  ///< [n_q] work: where neighbours are tried from
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

/// From point `index`, with the coordinates q_from, to its neighbour `next` along `axis`, which is
/// out of reach: note where the state has come to.
void pkm_flood_note_end(pkm_workspace_engine* engine, int index, int next, int axis);
/// The same where both are in reach, but only one in limits.
void pkm_flood_note_limit(pkm_workspace_engine* engine, int index, int next, int axis);

/// Flood the grid from home. PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flood_run(pkm_workspace_engine* engine, pkm_progress_fn progress,
                                       void* user);

#endif
