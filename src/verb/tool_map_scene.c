// The same map for the stage of a report: what is reached as lengths of runs, the border between
// grid points, values with five digits, which a colour can show.
#include "verb/tool_map.h"

#include <math.h>

static bool is_reached(const pkm_verb_tool_map* map, int row)
{
    return pkm_table_get(map->table, row, 3) > 0.0;
}

/// Lengths of the runs of points out of reach and in reach, in turn, the first out of reach.
static void put_runs(const pkm_verb_tool_map* map, pkm_json* json)
{
    const int n = pkm_table_n_row(map->table);
    bool reached = false;
    int length = 0;
    pkm_json_open_array(json, "runs");
    for (int row = 0; row < n; ++row, ++length) {
        if (is_reached(map, row) == reached) continue;
        pkm_json_integer(json, length);
        reached = !reached;
        length = 0;
    }
    pkm_json_integer(json, length);
    pkm_json_array_end(json);
}

/// Where the border is between neighbours of which one is in reach: point by point along x, y and
/// z, 0 at the point, 1 at the next [1e-4].
static void put_edges(const pkm_verb_tool_map* map, pkm_json* json)
{
    const int* n = map->grid->n;
    const int stride[3] = {1, n[0], n[0] * n[1]}, n_row = pkm_table_n_row(map->table);
    pkm_json_open_array(json, "edges");
    for (int row = 0; row < n_row; ++row)
        for (int k = 0; k < 3; ++k) {
            const bool is_last = row / stride[k] % n[k] == n[k] - 1;
            if (is_last || row + stride[k] >= n_row) continue;
            if (is_reached(map, row) == is_reached(map, row + stride[k])) continue;
            const double at = map->reach_edge ? map->reach_edge[3 * (size_t)row + (size_t)k] : 0.5;
            pkm_json_number(json, isfinite(at) ? rint(1e4 * at) / 1e4 : 0.5);
        }
    pkm_json_array_end(json);
}

/// Enough for a colour.
static double five_digits(double x)
{
    if (x == 0.0 || !isfinite(x)) return x;
    const double unit = pow(10.0, 4.0 - floor(log10(fabs(x))));
    return rint(x * unit) / unit;
}

/// The values of a slice across an axis through point `place` of it, the earlier axis fastest.
static void put_slice(const pkm_verb_tool_map* map, int across, int place, pkm_json* json)
{
    const int *n = map->grid->n, u = across == 0 ? 1 : 0, v = across == 2 ? 1 : 2;
    const int stride[3] = {1, n[0], n[0] * n[1]};
    pkm_json_object_begin(json);
    pkm_json_put_integer(json, "across", across);
    pkm_json_put_integer(json, "place", place);
    pkm_json_open_array(json, "values");
    for (int j = 0; j < n[v]; ++j)
        for (int i = 0; i < n[u]; ++i) {
            const int row = i * stride[u] + j * stride[v] + place * stride[across];
            const double value = pkm_table_get(map->table, row, map->column);
            pkm_json_number(json, is_reached(map, row) ? five_digits(value) : NAN);
        }
    pkm_json_array_end(json);
    pkm_json_object_end(json);
}

/// A box shows three slices, those through the point of the grid nearest to home.
static void put_slices(const pkm_verb_tool_map* map, pkm_json* json)
{
    const int* n = map->grid->n;
    const int stride[3] = {1, n[0], n[0] * n[1]};
    const int nearest = pkm_workspace_grid_nearest(map->grid, pkm_robot_tool_home(map->robot).p);
    pkm_json_open_array(json, "slices");
    for (int across = 2; across >= 0; --across) {
        const bool is_plane = n[(across + 1) % 3] > 1 && n[(across + 2) % 3] > 1;
        if (is_plane) put_slice(map, across, nearest / stride[across] % n[across], json);
    }
    pkm_json_array_end(json);
}

void pkm_verb_tool_map_put(const void* user, pkm_json* json)
{
    const pkm_verb_tool_map* map = user;
    const pkm_workspace_grid* g = map->grid;
    const double from[] = {g->from.x, g->from.y, g->from.z}, to[] = {g->to.x, g->to.y, g->to.z};
    const double n[] = {g->n[0], g->n[1], g->n[2]};
    if (pkm_table_n_row(map->table) != g->n[0] * g->n[1] * g->n[2]) return; // interrupted
    pkm_json_open_object(json, "map");
    pkm_json_put_string(json, "what", map->label);
    pkm_json_put_string(json, "unit", pkm_table_unit(map->table, map->column));
    pkm_json_put_bool(json, "log", map->log);
    pkm_json_put_numbers(json, "from", from, 3);
    pkm_json_put_numbers(json, "to", to, 3);
    pkm_json_put_numbers(json, "points", n, 3);
    put_runs(map, json);
    put_edges(map, json);
    put_slices(map, json);
    pkm_json_object_end(json);
}
