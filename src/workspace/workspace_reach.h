/// Which points of a grid are in reach, without conditions and borders: what looks for a grid asks.
#ifndef PKM_WORKSPACE_WORKSPACE_REACH_H
#define PKM_WORKSPACE_WORKSPACE_REACH_H

#include "workspace/workspace.h"

typedef struct pkm_workspace_reach pkm_workspace_reach;

/// Is the grid one of the plan's axes? PKM_ERR_ARGUMENT, as pkm_workspace_grid_check.
PKM_NODISCARD pkm_status pkm_workspace_plan_check(const pkm_workspace_plan* plan,
                                                  const pkm_workspace_grid* grid, pkm_error* err);

/// Look at `grid` as the plan says. The engine floods it at once; closed forms answer for
/// the points that are asked only. Free with pkm_workspace_reach_free.
/// @return as pkm_workspace_plan_check, pkm_workspace_engine_create.
PKM_NODISCARD pkm_status pkm_workspace_reach_create(const pkm_workspace_plan* plan,
                                                    const pkm_workspace_grid* grid,
                                                    pkm_workspace_reach** out, pkm_error* err);
void pkm_workspace_reach_free(pkm_workspace_reach* reach);

/// Is point `index` in reach (and within its limits)?
bool pkm_workspace_reach_has(pkm_workspace_reach* reach, int index, bool limits);

/// The closed-form sampler of a plan; its limits are written to `lower` and `upper` [n_drive].
void pkm_workspace_plan_closed(const pkm_workspace_plan* plan, pkm_workspace_closed* out,
                               double* lower, double* upper);

#endif
