/// Leading the tool over the points of a grid, for maps of linear models.
#ifndef PKM_LINEAR_SWEEP_H
#define PKM_LINEAR_SWEEP_H

#include "pkm/table.h"
#include "pkm/workspace.h"
#include "robot/robot.h"

/// Fill the row of a point that is reached, the columns from the fifth on; the robot stands there.
typedef pkm_status (*pkm_sweep_fn)(void* user, double* row, pkm_error* err);

typedef struct pkm_sweep {
    pkm_robot* robot;
    const pkm_workspace_grid* grid;
    pkm_sweep_fn fill;
    void* user;
    pkm_progress_fn progress; ///< may be NULL
    void* progress_user;
} pkm_sweep;

/// Append one row per point, x running fastest: x y z [m], reachable, then what `fill` writes; the
/// table has its columns. Points that are not reached, or not looked at after progress has said
/// stop, have zeros. The robot is at home afterwards.
/// @return PKM_ERR_MODEL when the tool cannot be prescribed; PKM_ERR_MEMORY; what `fill` returns,
///         PKM_ERR_SINGULAR excepted: such a row stays zero.
PKM_NODISCARD pkm_status pkm_sweep_run(const pkm_sweep* sweep, pkm_table* table, pkm_error* err);

#endif
