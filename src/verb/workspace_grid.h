/// The grid of `pkm workspace`: what the user asked for, the rest found.
#ifndef PKM_VERB_WORKSPACE_GRID_H
#define PKM_VERB_WORKSPACE_GRID_H

#include "pkm/workspace.h"
#include "verb/options.h"

/// The grid from --grid, --slice, --volume, --points; without them a slice through home. `n_plane`
/// points along the longest side of a plane or line, where --points says nothing.
PKM_NODISCARD pkm_status pkm_verb_workspace_grid(const pkm_verb_arguments* args,
                                                 const pkm_workspace_plan* plan, int n_plane,
                                                 pkm_workspace_grid* out, pkm_error* err);

#endif
