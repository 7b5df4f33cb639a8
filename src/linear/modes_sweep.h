/// Natural frequencies along a motion and over a grid of tool positions.
#ifndef PKM_LINEAR_MODES_SWEEP_H
#define PKM_LINEAR_MODES_SWEEP_H

#include "linear/modes.h"
#include "pkm/table.h"
#include "pkm/workspace.h"

typedef struct pkm_modes_sweep {
    pkm_elastic_settings elastic;
    int n_mode;
    pkm_progress_fn progress; ///< may be NULL
    void* user;
} pkm_modes_sweep;

/// The angle of p about z from the x axis [rad], within half a turn of the one before.
double pkm_angle_next(pkm_vec3 p, double before);

/// Frequencies at `n_instant` evenly spaced instants of `motion`, drives holding the pose of each
/// instant. Columns: t [s], x y z of the tool [m], its angle about z (pkm_angle_next), f1 .. fN
/// [Hz].
/// @return what following the motion returns; statuses of pkm_elastic_create, pkm_modes_solve.
PKM_NODISCARD pkm_status pkm_modes_along(pkm_robot* robot, const pkm_modes_sweep* sweep,
                                         const pkm_motion* motion, int n_instant, pkm_table* table,
                                         pkm_error* err);

/// Frequencies on a grid, the tool turned as at home. Columns: x y z [m], reachable 0 or 1, f1 ..
/// fN [Hz], 0 where the point is not reached or static forces make the robot unstable there.
/// @return PKM_ERR_MODEL when the tool cannot be prescribed; as above.
PKM_NODISCARD pkm_status pkm_modes_map(pkm_robot* robot, const pkm_modes_sweep* sweep,
                                       const pkm_workspace_grid* grid, pkm_table* table,
                                       pkm_error* err);

#endif
