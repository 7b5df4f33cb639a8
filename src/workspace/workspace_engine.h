/// Sampling a workspace with the general engine, for any robot.
///
/// The engine has no formula for a pose; it gets there from a pose nearby. So the grid is flooded
/// from home: every point that is found is tried as the start for its neighbours. What is found is
/// connected with home and in its working mode; docs/theory/workspace.md, section 4.
#ifndef PKM_WORKSPACE_WORKSPACE_ENGINE_H
#define PKM_WORKSPACE_WORKSPACE_ENGINE_H

#include "robot/robot.h"
#include "workspace/workspace.h"

typedef struct pkm_workspace_engine pkm_workspace_engine;

/// Prepare to sample `grid` (checked, see pkm_workspace_grid_check; more than one point along axes
/// only that the tool point moves in) with the tool turned to `orientation`. The robot's state is
/// used for the work. Free with pkm_workspace_engine_free.
/// @return PKM_ERR_MODEL when the tool cannot be prescribed; PKM_ERR_UNREACHABLE,
///         PKM_ERR_SINGULAR when home cannot be turned so; PKM_ERR_ARGUMENT when the tool has not
///         that freedom; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_workspace_engine_create(pkm_robot* robot,
                                                     const pkm_workspace_grid* grid,
                                                     pkm_quat orientation,
                                                     pkm_workspace_engine** out, pkm_error* err);
void pkm_workspace_engine_free(pkm_workspace_engine* engine);

/// Flood the grid; `progress` (may be NULL) hears which share of the points is found. Stopped
/// early, points that were not found count as not looked at (PKM_RETRY from the sampler).
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_workspace_engine_run(pkm_workspace_engine* engine,
                                                  pkm_progress_fn progress, void* user,
                                                  pkm_error* err);

/// Flood the grid for its reach alone, faster: for pkm_workspace_engine_has.
PKM_NODISCARD pkm_status pkm_workspace_engine_run_reach(pkm_workspace_engine* engine,
                                                        pkm_error* err);

/// Was point `index` found, and is it in limits?
bool pkm_workspace_engine_has(const pkm_workspace_engine* engine, int index, bool* in_limits);

/// A pkm_workspace_sampler that says what the flood found; `user` is the engine, the positions are
/// those of its grid.
PKM_NODISCARD pkm_status pkm_workspace_sample_engine(void* user, const pkm_vec3* position,
                                                     pkm_workspace_sample* out);

/// Where the reach, or its part in limits, ends between point `lower` of the grid and the next one
/// along `axis`, of which one belongs to it: 0 to 1. A pkm_workspace_edge_fn.
double pkm_workspace_engine_edge(void* user, int lower, int axis, bool limits);

/// What the robot is like between point `lower` and the next one along `axis`. A
/// pkm_workspace_between_fn; false where the coordinates of the points were too many to be kept.
bool pkm_workspace_engine_between(void* user, int lower, int axis, double share,
                                  pkm_workspace_sample* out);

#endif
