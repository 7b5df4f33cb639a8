/// The grid of a map, of which little was said.
#ifndef PKM_WORKSPACE_WORKSPACE_CHOICE_H
#define PKM_WORKSPACE_WORKSPACE_CHOICE_H

#include "run/asked.h"

typedef struct pkm_workspace_choice {
    int slice;       ///< axis that the plane stands across: 0 x, 1 y, 2 z; PKM_NONE: not said
    double slice_at; ///< where on it [m]
    bool volume;     ///< all axes; else, in space, the plane across z through home
    int n_point;     ///< along the longest side; 0: 61 in a box, `n_plane` in a plane or on a line
    int n_plane;
} pkm_workspace_choice;

/// Points along the longest side of the plane of a workspace.
enum { PKM_WORKSPACE_PLANE_POINTS = 101 };

/// Find the grid around what is reachable (pkm_workspace_plan_grid) along the axes in which the
/// tool point moves, but for that of the slice.
/// @return PKM_ERR_ARGUMENT when the tool point does not move along the axis of the slice.
PKM_NODISCARD pkm_status pkm_workspace_choose_grid(const pkm_workspace_plan* plan,
                                                   const pkm_workspace_choice* choice,
                                                   pkm_workspace_grid* out, pkm_error* err);

/// The plan of a robot with the method, the branch and the orientation that were asked for; it is
/// at home.
PKM_NODISCARD pkm_status pkm_workspace_choose_plan(pkm_robot* robot, const pkm_asked* asked,
                                                   pkm_workspace_plan* out, pkm_error* err);

#endif
