/// A map of tool positions for the stage of a report: scene.json, "map" (docs/reference/output.md).
#ifndef PKM_VERB_SCENE_MAP_H
#define PKM_VERB_SCENE_MAP_H

#include "pkm/table.h"
#include "pkm/workspace.h"
#include "write/json.h"

/// Everything is borrowed.
typedef struct pkm_verb_scene_map {
    const pkm_workspace_grid* grid;
    const pkm_table* table;   ///< a row for every point, x running fastest; column "reachable"
    int column;               ///< what the colours show
    const char* label;        ///< what that is: "condition number"
    bool log;                 ///< colours by its logarithm
    const double* reach_edge; ///< [3 per point] as in pkm_workspace_plan; NULL: half-way
    pkm_vec3 home;            ///< slices of a box go through the point of the grid nearest to it
} pkm_verb_scene_map;

/// Write the key "map" and its value.
void pkm_verb_scene_map_put(const pkm_verb_scene_map* map, pkm_json* json);

#endif
