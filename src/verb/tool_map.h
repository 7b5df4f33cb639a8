/// One column of a table over a plane or box of tool positions: a heat map, and the map that the
/// stage of a report shows (scene.json, "map": docs/reference/output.md).
#ifndef PKM_VERB_TOOL_MAP_H
#define PKM_VERB_TOOL_MAP_H

#include "pkm/table.h"
#include "pkm/workspace.h"
#include "table/result.h"
#include "verb/result_folder.h"
#include "write/json.h"

/// Everything is borrowed.
typedef struct pkm_verb_tool_map {
    const pkm_robot* robot;
    const pkm_workspace_grid* grid;
    const pkm_table* table;   ///< a row for every point of the grid, x running fastest
    int column;               ///< what the colours show; the picture masks values <= 0
    const char* label;        ///< what that is: "condition number"
    bool log;                 ///< colours by its logarithm
    const char* file;         ///< of the picture
    const double* reach_edge; ///< [3 per point] as in pkm_workspace_plan; NULL: half-way
} pkm_verb_tool_map;

/// Write the picture of a map; none when the grid is no plane.
PKM_NODISCARD pkm_status pkm_verb_tool_map_draw(const void* map, pkm_verb_files* files,
                                                pkm_error* err);
/// Write the key "map" of scene.json and its value; none of a grid that was interrupted.
void pkm_verb_tool_map_put(const void* map, pkm_json* json);

/// Row of the least or largest value > 0 of a column; PKM_NONE.
int pkm_verb_tool_map_extreme(const pkm_table* table, int column, bool largest);
/// Points that are reached: the fourth column.
int pkm_verb_tool_map_reached(const pkm_table* table);

/// "least", "least_at", "most", "most_at" of a column among the points in reach.
void pkm_verb_tool_map_result(const pkm_table* table, int column, pkm_result* out);

#endif
