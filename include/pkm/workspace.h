/// The workspace: which tool positions a robot reaches, how well it moves there, and how far they
/// are from singularities, on a grid. Theory: docs/theory/workspace.md.
///
///     pkm_workspace_plan plan;
///     pkm_workspace_grid grid;
///     pkm_status status = pkm_workspace_plan_make(robot, &plan, &err);
///     if (status == PKM_OK) status = pkm_workspace_plan_grid(&plan, 3u, home, 101, &grid, &err);
///     if (status == PKM_OK) status = pkm_workspace_plan_map(&plan, &grid, table, &report, &err);
#ifndef PKM_WORKSPACE_H
#define PKM_WORKSPACE_H

#include "pkm/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Grid points of one map: a table of them has to fit into memory, and its rows into an int.
enum { PKM_WORKSPACE_MAX_POINT = 200 * 1000 * 1000 };

/// The largest condition number and singular value in a table: infinity for people who read files.
#define PKM_WORKSPACE_LARGE 1e12

/// A box, slice, line or point: n[k] points along axis k, from `from` to `to` with both ends; 1: at
/// `from` only.
typedef struct pkm_workspace_grid {
    pkm_vec3 from, to; ///< [m], from < to along every axis with n > 1
    int n[3];
} pkm_workspace_grid;

/// The grid point `index`; x runs fastest, then y. Exact at both ends of every axis. NaN for
/// NULL, a grid without points and an index below 0.
PKM_API pkm_vec3 pkm_workspace_grid_point(const pkm_workspace_grid* grid, int index);
/// The index of the grid point nearest to `position`; PKM_NONE for NULL, a grid without points and
/// NaN.
PKM_API int pkm_workspace_grid_nearest(const pkm_workspace_grid* grid, pkm_vec3 position);

// ---- the plan ---------------------------------------------------------------------------------

/// How a robot is to be mapped. `robot` is lent; its present configuration is used for the work.
typedef struct pkm_workspace_plan {
    pkm_robot* robot;
    pkm_method method;
    pkm_quat orientation; ///< of the tool, the same everywhere
    int solution; ///< closed form: place of the working mode in the list of pkm_branches_inverse
    char label[PKM_CLOSED_LABEL]; ///< of that solution, in words; "" for the engine
    pkm_progress_fn progress;     ///< may be NULL
    void* user;
    /// NULL, or room for three numbers per grid point: where between a point and the next along x,
    /// y, z the reach (or its part in limits) ends, 0 at the point to 1 at the next; NaN where it
    /// does not. Finer than the grid, for pictures.
    double *reach_edge, *limits_edge;
} pkm_workspace_plan;

/// Home's orientation and working mode; the closed form where there is one and it knows all limits
/// (it does not know those of joints without a drive), else the engine.
/// @return PKM_ERR_MODEL when the tool cannot be prescribed or its point does not move;
///         PKM_ERR_ARGUMENT for NULL.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_make(pkm_robot* robot, pkm_workspace_plan* out,
                                                         pkm_error* err);

/// Change the route. PKM_ERR_ARGUMENT: no closed form, or one that cannot know the limits.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_set_method(pkm_workspace_plan* plan,
                                                               pkm_method method, pkm_error* err);
/// Turn the tool. PKM_ERR_ARGUMENT when the tool does not turn about these axes.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_set_orientation(pkm_workspace_plan* plan,
                                                                    pkm_quat orientation,
                                                                    pkm_error* err);
/// Closed form: take working mode `number` of home, from 1 on, in the order of
/// pkm_branches_inverse. PKM_ERR_ARGUMENT when there is none such, and for the engine.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_set_branch(pkm_workspace_plan* plan, int number,
                                                               pkm_error* err);

/// Bits of the axes along which the tool point moves: 1 x, 2 y, 4 z. 0 for NULL.
PKM_API unsigned pkm_workspace_plan_axes(const pkm_workspace_plan* plan);
/// Has the robot limits, of drives or of other joints?
PKM_API bool pkm_workspace_plan_has_limits(const pkm_workspace_plan* plan);

/// A grid around what is reachable within the limits, through `through`, along the axes in the bits
/// `axes`, with about `n` points (2 or more) along the longest and the same round spacing along all
/// of them. Where the reach does not end the grid does, at twice the robot's size from `through`.
/// @return PKM_ERR_UNREACHABLE when nothing is found; PKM_ERR_ARGUMENT for NULL, NaN, infinity, or
///         axes along which the tool point does not move; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_grid(const pkm_workspace_plan* plan,
                                                         unsigned axes, pkm_vec3 through, int n,
                                                         pkm_workspace_grid* out, pkm_error* err);

// ---- the map ----------------------------------------------------------------------------------

/// What a map comes to. Positions are grid points; conditions and distances are of reachable ones.
typedef struct pkm_workspace_report {
    int n_point;                              ///< of the map; fewer than the grid has: stopped
    int n_reachable, n_singular, n_in_limits; ///< singular, in limits: of the reachable
    int dimension;                            ///< 0 to 3: axes with more than one point
    double size;       ///< of the reachable set within the grid [m^dimension]
    double size_error; ///< its error, estimated from coarser grids (docs/theory/workspace.md, (5))
    double limits_size, limits_size_error;  ///< of the part of it where all limits are kept
    double best_condition, worst_condition; ///< 0 when nothing is reachable
    pkm_vec3 best_position, worst_position;
    double mean_dexterity; ///< mean of 1/condition, the global conditioning index
    /// Distance to the nearest singular or unreachable grid point [m]: smallest, largest and where;
    /// INFINITY when the grid has none.
    double least_distance, largest_distance;
    pkm_vec3 least_position, largest_position;
} pkm_workspace_report;

/// Map the grid: one row per point, x running fastest, then y. Columns: x, y, z [m]; reachable 0 or
/// 1; condition (of the translations), sigma_min, sigma_max: smallest and largest speed of the tool
/// point for a unit vector of drive rates (0 where unreachable, at most PKM_WORKSPACE_LARGE);
/// distance [m] to the nearest singular or unreachable grid point (0 at those, -1 when the grid has
/// none), true within one diagonal of a grid cell; in_limits 0 or 1.
///
/// Singular are points with a condition above 1e6 and, where a determinant changes its sign between
/// two neighbours, the one of the two that is nearer to the singularity. The edge of the grid is no
/// boundary. A map that the progress stops has rows for the points looked at. `table` has no
/// columns on entry; `report` may be NULL. The robot is at home afterwards.
/// @return PKM_ERR_ARGUMENT for NULL, a bad grid or one along axes in which the tool point does not
///         move; PKM_ERR_UNREACHABLE, PKM_ERR_SINGULAR when the engine cannot turn the tool so at
///         home; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_workspace_plan_map(const pkm_workspace_plan* plan,
                                                        const pkm_workspace_grid* grid,
                                                        pkm_table* table,
                                                        pkm_workspace_report* report,
                                                        pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
