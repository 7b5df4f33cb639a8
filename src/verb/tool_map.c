// A map of tool positions for people: its picture, its extremes, how much of it is reached.
#include "verb/tool_map.h"

#include "base/error.h"
#include "base/memory.h"
#include "plot/heatmap.h"
#include "workspace/workspace_result.h"

#include <math.h>
#include <stdio.h>

int pkm_verb_tool_map_extreme(const pkm_table* table, int column, bool largest)
{
    int best = PKM_NONE;
    for (int i = 0; i < pkm_table_n_row(table); ++i) {
        const double f = pkm_table_get(table, i, column);
        // points out of reach have 0 or NaN
        if (!(f > 0.0)) continue;
        const double now = best == PKM_NONE ? f : pkm_table_get(table, best, column);
        if (best == PKM_NONE || (largest ? f > now : f < now)) best = i;
    }
    return best;
}

int pkm_verb_tool_map_reached(const pkm_table* table)
{
    int n = 0;
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        n += pkm_table_get(table, i, 3) > 0.0;
    return n;
}

/// The two axes of the plane; false when the grid is no plane.
static bool plane_axes(const pkm_workspace_grid* grid, int axis[2])
{
    int n = 0;
    for (int k = 0; k < 3; ++k)
        if (grid->n[k] > 1 && n < 2) axis[n++] = k;
    return n == 2 && (grid->n[0] == 1 || grid->n[1] == 1 || grid->n[2] == 1);
}

static void name_map(const pkm_verb_tool_map* map, const int axis[2], char* title, size_t size)
{
    const int across = 3 - axis[0] - axis[1];
    double from, to;
    pkm_workspace_grid_axis(map->grid, across, &from, &to);
    snprintf(title, size, "%s, %c = %s%.4g m", pkm_robot_name(map->robot), 'x' + across,
             from < 0.0 ? "\xE2\x88\x92" : "", fabs(from));
}

/// Colours end at the largest value; the axes share one unit, so that lengths are equal on both.
static pkm_status draw_plane(const pkm_verb_tool_map* map, const int axis[2], const double* value,
                             const char* path, pkm_error* err)
{
    static const char* const axis_name[] = {"x", "y", "z"};
    char title[2 * PKM_MAX_NAME], unit[16], colour_unit[24];
    double from[2], to[2], largest = 0.0;
    const int top = pkm_verb_tool_map_extreme(map->table, map->column, true);
    for (int k = 0; k < 2; ++k) {
        pkm_workspace_grid_axis(map->grid, axis[k], &from[k], &to[k]);
        largest = fmax(largest, fmax(fabs(from[k]), fabs(to[k])));
    }
    name_map(map, axis, title, sizeof title);
    pkm_axis colour =
        pkm_axis_for(map->label, pkm_table_unit(map->table, map->column),
                     top == PKM_NONE ? 1.0 : pkm_table_get(map->table, top, map->column),
                     colour_unit, sizeof colour_unit);
    colour.log = map->log;
    const pkm_heatmap heat = {
        .title = title,
        .x = pkm_axis_for(axis_name[axis[0]], "m", largest, unit, sizeof unit),
        .y = pkm_axis_for(axis_name[axis[1]], "m", largest, unit, sizeof unit),
        .n_x = map->grid->n[axis[0]],
        .n_y = map->grid->n[axis[1]],
        .x_first = from[0],
        .x_last = to[0],
        .y_first = from[1],
        .y_last = to[1],
        .value = value,
        .colour = colour,
        .mask_label = "out of reach"};
    return pkm_heatmap_write(&heat, path, err);
}

pkm_status pkm_verb_tool_map_draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const pkm_verb_tool_map* map = user;
    int axis[2];
    const int n = pkm_table_n_row(map->table);
    if (!plane_axes(map->grid, axis)) return PKM_OK;
    double* value = pkm_alloc((size_t)n, sizeof *value);
    if (!value) return pkm_out_of_memory(err);
    for (int i = 0; i < n; ++i) {
        const double f = pkm_table_get(map->table, i, map->column);
        value[i] = f > 0.0 ? f : NAN;
    }
    const pkm_status status = draw_plane(map, axis, value, pkm_verb_file(files, map->file), err);
    pkm_free(value);
    return status;
}

void pkm_verb_tool_map_result(const pkm_table* table, int column, pkm_result* out)
{
    static const char* const key[2][2] = {{"least", "least_at"}, {"most", "most_at"}};
    for (int side = 0; side < 2; ++side) {
        const int row = pkm_verb_tool_map_extreme(table, column, side);
        if (row == PKM_NONE) continue;
        pkm_result_number(out, key[side][0], pkm_table_unit(table, column),
                          pkm_table_get(table, row, column));
        pkm_result_vec(out, key[side][1], "m",
                       (pkm_vec3){pkm_table_get(table, row, 0), pkm_table_get(table, row, 1),
                                  pkm_table_get(table, row, 2)});
    }
}
