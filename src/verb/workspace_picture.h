/// Pictures of a workspace: heat maps of slices.
#ifndef PKM_VERB_WORKSPACE_PICTURE_H
#define PKM_VERB_WORKSPACE_PICTURE_H

#include "pkm/workspace.h"
#include "verb/result_folder.h"

/// The quantity that the colours show.
typedef enum pkm_verb_map_quantity {
    VERB_MAP_CONDITION,
    VERB_MAP_SIGMA_MIN,
    VERB_MAP_DISTANCE,
    VERB_N_MAP_QUANTITY,
} pkm_verb_map_quantity;

/// The column of the table: "condition", "sigma_min", "distance".
extern const char* const pkm_verb_map_column[VERB_N_MAP_QUANTITY];

/// What a picture is made of; everything is lent.
typedef struct pkm_verb_map_picture {
    const pkm_workspace_plan* plan;
    const pkm_workspace_grid* grid;
    const pkm_table* table;                 ///< a row for every point of the grid
    const double *reach_edge, *limits_edge; ///< [3 per point] as in the plan; limits may be NULL
    pkm_verb_map_quantity quantity;
} pkm_verb_map_picture;

/// Write workspace.svg for a plane or a line; for a box workspace-xy.svg, -xz, -yz, the slices
/// nearest to home. A point has no picture.
PKM_NODISCARD pkm_status pkm_verb_map_draw(const pkm_verb_map_picture* picture,
                                           pkm_verb_files* files, pkm_error* err);

#endif
