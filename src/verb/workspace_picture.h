/// Pictures of a workspace: heat maps of slices.
#ifndef PKM_VERB_WORKSPACE_PICTURE_H
#define PKM_VERB_WORKSPACE_PICTURE_H

#include "pkm/workspace.h"

/// The quantity that the colours show.
typedef enum cli_map_quantity {
    CLI_MAP_CONDITION,
    CLI_MAP_SIGMA_MIN,
    CLI_MAP_DISTANCE,
    CLI_N_MAP_QUANTITY,
} cli_map_quantity;

/// The column of the table: "condition", "sigma_min", "distance".
extern const char* const cli_map_column[CLI_N_MAP_QUANTITY];

/// What a picture is made of; everything is lent.
typedef struct cli_map_picture {
    const pkm_workspace_plan* plan;
    const pkm_workspace_grid* grid;
    const pkm_table* table;                 ///< a row for every point of the grid
    const double *reach_edge, *limits_edge; ///< [3 per point] as in the plan; limits may be NULL
    cli_map_quantity quantity;
} cli_map_picture;

/// Write workspace.svg for a plane or a line; for a box workspace-xy.svg, -xz, -yz, the slices
/// nearest to home. The names go to `file`; a point has no picture.
PKM_NODISCARD pkm_status cli_map_draw(const cli_map_picture* picture, const char* folder,
                                      const char** file, int* n_file, pkm_error* err);

#endif
