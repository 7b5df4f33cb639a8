/// The heat map of one column of a table over a plane of tool positions.
#ifndef PKM_VERB_PLANE_MAP_H
#define PKM_VERB_PLANE_MAP_H

#include "pkm/table.h"
#include "pkm/workspace.h"
#include "table/result.h"

/// Everything is borrowed.
typedef struct pkm_verb_plane_map {
    const char* robot; ///< its name, for the title
    const pkm_workspace_grid* grid;
    const pkm_table* table; ///< a row for every point of the grid, x running fastest
    int column;             ///< values > 0; others are masked
    const char* label;      ///< of the colours
    bool log;
} pkm_verb_plane_map;

/// Write the picture to `path`; `*is_drawn` is false when the grid is no plane.
PKM_NODISCARD pkm_status pkm_verb_plane_map_draw(const pkm_verb_plane_map* map, const char* path,
                                                 bool* is_drawn, pkm_error* err);

/// Row of the least or largest value > 0 of a column; PKM_NONE.
int pkm_verb_plane_map_extreme(const pkm_table* table, int column, bool largest);
/// Points that are reached: the fourth column.
int pkm_verb_plane_map_reached(const pkm_table* table);

/// "least", "least_at", "most", "most_at" of a column among the points in reach.
void pkm_verb_plane_map_result(const pkm_table* table, int column, pkm_result* out);

#endif
