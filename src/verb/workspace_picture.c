// Slices of a map as heat maps. Colours of condition numbers are logarithmic and end where all but
// the worst twentieth do: values near singularities would leave one colour for the rest.
#include "verb/workspace_picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "pkm/output.h"
#include "plot/heatmap.h"
#include "workspace/workspace_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const pkm_verb_map_column[VERB_N_MAP_QUANTITY] = {"condition", "sigma_min", "distance"};

/// A slice of the grid: its axes, and the point of the grid it starts from.
typedef struct slice {
    int axis[2], across;
    int first;     ///< grid index of its corner
    int stride[2]; ///< steps in the grid along its axes
    int n[2];
    double at; ///< place on the axis across [m]
} slice;

/// The slice along axes u and v through the point of the grid nearest to home.
static slice slice_of(const pkm_verb_map_picture* p, int u, int v)
{
    const int* n = p->grid->n;
    const int stride[3] = {1, n[0], n[0] * n[1]};
    const int across = 3 - u - v;
    const pkm_vec3 home = pkm_robot_tool_home(p->plan->robot).p;
    const int nearest = pkm_workspace_grid_nearest(p->grid, home);
    const int place = nearest / stride[across] % n[across];
    double from, to;
    pkm_workspace_grid_axis(p->grid, across, &from, &to);
    return (slice){.axis = {u, v},
                   .across = across,
                   .first = place * stride[across],
                   .stride = {stride[u], stride[v]},
                   .n = {n[u], n[v]},
                   .at = n[across] == 1 ? from : from + (to - from) * place / (n[across] - 1)};
}

// ---- values -----------------------------------------------------------------------------------

/// The nodes of a slice: the quantity, NaN where nothing is reachable, and the limits as 1 or 0.
typedef struct slice_nodes {
    int n;
    double* value;
    double* in_limits;
    double *reach_edge, *limits_edge; ///< [2 n]
    double* sorted;                   ///< [n_sorted] the values that are there, rising
    int n_sorted;
    bool outside; ///< a reachable node breaks a limit
} slice_nodes;

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool read_nodes(const pkm_verb_map_picture* p, const slice* s, slice_nodes* out)
{
    const int column = pkm_table_find(p->table, pkm_verb_map_column[p->quantity]);
    const int reachable = pkm_table_find(p->table, "reachable");
    const int limits = pkm_table_find(p->table, "in_limits");
    *out = (slice_nodes){.n = s->n[0] * s->n[1]};
    out->value = pkm_alloc((size_t)out->n, sizeof(double));
    out->in_limits = pkm_alloc((size_t)out->n, sizeof(double));
    out->sorted = pkm_alloc((size_t)out->n, sizeof(double));
    out->reach_edge = pkm_alloc(2 * (size_t)out->n, sizeof(double));
    out->limits_edge = pkm_alloc(2 * (size_t)out->n, sizeof(double));
    if (!out->value || !out->in_limits || !out->sorted || !out->reach_edge || !out->limits_edge)
        return false;
    for (int k = 0; k < out->n; ++k) {
        // back from the slice to the row of the grid
        const int row = s->first + k % s->n[0] * s->stride[0] + k / s->n[0] * s->stride[1];
        const bool there = pkm_table_get(p->table, row, reachable) > 0.0;
        const double value = pkm_table_get(p->table, row, column);
        out->value[k] = there && value >= 0.0 ? value : NAN;
        out->in_limits[k] = pkm_table_get(p->table, row, limits);
        // edges lie along the grid's axes, of which the slice has two
        for (int side = 0; side < 2; ++side) {
            const size_t at = 3 * (size_t)row + (size_t)s->axis[side];
            out->reach_edge[2 * k + side] = p->reach_edge[at];
            out->limits_edge[2 * k + side] = p->limits_edge ? p->limits_edge[at] : NAN;
        }
        out->outside = out->outside || (there && out->in_limits[k] == 0.0);
        if (!isnan(out->value[k])) out->sorted[out->n_sorted++] = value;
    }
    qsort(out->sorted, (size_t)out->n_sorted, sizeof(double), compare);
    return true;
}

static void free_nodes(slice_nodes* nodes)
{
    pkm_free(nodes->value);
    pkm_free(nodes->in_limits);
    pkm_free(nodes->reach_edge);
    pkm_free(nodes->limits_edge);
    pkm_free(nodes->sorted);
}

// ---- colours ----------------------------------------------------------------------------------

/// Condition numbers to end a range at.
static const double condition_end[] = {1.0,   1.5,   2.0,   3.0,   5.0,   7.0,   10.0,
                                       12.0,  15.0,  20.0,  30.0,  50.0,  70.0,  100.0,
                                       150.0, 200.0, 300.0, 500.0, 700.0, 1000.0};
enum { N_END = sizeof condition_end / sizeof condition_end[0] };
/// And to draw a line at, when the range is wide.
static const double condition_line[] = {1.2,  1.5,  2.0,   3.0,   5.0,   10.0,
                                        20.0, 50.0, 100.0, 200.0, 500.0, 1000.0};
enum { N_LINE = sizeof condition_line / sizeof condition_line[0] };

/// The value that `share` of the nodes do not exceed.
static double quantile(const slice_nodes* nodes, double share)
{
    const int k = (int)(share * (nodes->n_sorted - 1));
    return nodes->n_sorted > 0 ? nodes->sorted[k] : 1.0;
}

/// Logarithmic colours from the best to what all but the worst twentieth have.
static pkm_axis condition_axis(const slice_nodes* nodes)
{
    const double best = quantile(nodes, 0.0), most = quantile(nodes, 0.95);
    int low = 0, high = 0;
    while (low + 1 < N_END && condition_end[low + 1] <= best)
        ++low;
    while (high + 1 < N_END &&
           (condition_end[high] < most || condition_end[high] < 1.9 * condition_end[low]))
        ++high;
    return (pkm_axis){.label = "condition number",
                      .low = condition_end[low],
                      .high = condition_end[high],
                      .log = true};
}

static pkm_axis colour_axis(const pkm_verb_map_picture* p, const slice_nodes* nodes, char* unit,
                            size_t size)
{
    if (p->quantity == VERB_MAP_CONDITION) return condition_axis(nodes);
    const char* label = p->quantity == VERB_MAP_DISTANCE ? "distance to singularity or end of reach"
                                                         : "slowest tool speed per drive rate";
    const char* from =
        pkm_table_unit(p->table, pkm_table_find(p->table, pkm_verb_map_column[p->quantity]));
    // linear from 0 to the largest
    const double most = quantile(nodes, 1.0);
    return pkm_axis_for(label, from, most, unit, size);
}

/// Contour lines of condition numbers within the colours; none for a narrow range, where the ticks
/// of the colour bar serve better.
static int condition_levels(const pkm_axis* colour, double* level)
{
    int n = 0;
    if (colour->high < 3.0 * colour->low) return 0;
    for (int k = 0; k < N_LINE && n < PKM_HEATMAP_MAX_LEVEL; ++k)
        if (condition_line[k] > colour->low && condition_line[k] <= colour->high)
            level[n++] = condition_line[k];
    return n;
}

// ---- one slice --------------------------------------------------------------------------------

static void write_title(const pkm_verb_map_picture* p, const slice* s, char* text, size_t size)
{
    const char* name = pkm_robot_name(p->plan->robot);
    const bool plane = !(pkm_workspace_plan_axes(p->plan) >> s->across & 1u);
    if (plane)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s, %c = %s%.4g m", name, 'x' + s->across,
                 s->at < 0.0 ? "\xE2\x88\x92" : "", fabs(s->at));
}

static pkm_status draw_slice(const pkm_verb_map_picture* p, const slice* s,
                             const slice_nodes* nodes, const char* path, pkm_error* err)
{
    static const char* const axis_name[] = {"x", "y", "z"};
    double from[2], to[2], largest = 0.0, level[PKM_HEATMAP_MAX_LEVEL];
    char title[2 * PKM_MAX_NAME], unit[16], colour_unit[16];
    for (int k = 0; k < 2; ++k) {
        pkm_workspace_grid_axis(p->grid, s->axis[k], &from[k], &to[k]);
        largest = fmax(largest, fmax(fabs(from[k]), fabs(to[k])));
    }
    write_title(p, s, title, sizeof title);
    const pkm_vec3 home = pkm_robot_tool_home(p->plan->robot).p;
    const double place[3] = {home.x, home.y, home.z};
    const pkm_map_marker marker = {place[s->axis[0]], place[s->axis[1]], "home"};
    const pkm_axis colour = colour_axis(p, nodes, colour_unit, sizeof colour_unit);
    const int n_level = p->quantity == VERB_MAP_CONDITION ? condition_levels(&colour, level) : 0;
    const pkm_heatmap map = {
        .title = title,
        .x = pkm_axis_for(axis_name[s->axis[0]], "m", largest, unit, sizeof unit),
        .y = pkm_axis_for(axis_name[s->axis[1]], "m", largest, unit, sizeof unit),
        .n_x = s->n[0],
        .n_y = s->n[1],
        .x_first = from[0],
        .x_last = to[0],
        .y_first = from[1],
        .y_last = to[1],
        .value = nodes->value,
        .colour = colour,
        .level = n_level > 0 ? level : NULL,
        .n_level = n_level,
        .mask_label = "out of reach",
        .mask_edge = nodes->reach_edge,
        .region = nodes->outside ? nodes->in_limits : NULL,
        .region_label = "limits of drives and joints",
        .region_edge = nodes->limits_edge,
        .marker = &marker,
        .n_marker = 1,
    };
    return pkm_heatmap_write(&map, path, err);
}

static pkm_status write_slice(const pkm_verb_map_picture* p, int u, int v, const char* path,
                              pkm_error* err)
{
    slice_nodes nodes;
    const slice s = slice_of(p, u, v);
    const pkm_status status =
        read_nodes(p, &s, &nodes) ? draw_slice(p, &s, &nodes, path, err) : pkm_out_of_memory(err);
    free_nodes(&nodes);
    return status;
}

// ---- the pictures of a map --------------------------------------------------------------------

static pkm_status write_line(const pkm_verb_map_picture* p, int axis, const char* path,
                             pkm_error* err)
{
    const int column[] = {pkm_table_find(p->table, pkm_verb_map_column[p->quantity])};
    return pkm_plot_table(p->table, axis, column, 1, pkm_robot_name(p->plan->robot), path, err);
}

pkm_status pkm_verb_map_draw(const pkm_verb_map_picture* p, pkm_verb_files* files, pkm_error* err)
{
    static const struct {
        int u, v;
        const char* name;
    } plane[] = {
        {0, 1, "workspace-xy.svg"}, {0, 2, "workspace-xz.svg"}, {1, 2, "workspace-yz.svg"}};
    int axis[3], n_axis = 0;
    for (int k = 0; k < 3; ++k)
        if (p->grid->n[k] > 1) axis[n_axis++] = k;
    if (n_axis == 3) {
        for (int k = 0; k < 3; ++k)
            PKM_TRY(
                write_slice(p, plane[k].u, plane[k].v, pkm_verb_file(files, plane[k].name), err));
        return PKM_OK;
    }
    if (n_axis == 0) return PKM_OK;
    const char* path = pkm_verb_file(files, "workspace.svg");
    return n_axis == 2 ? write_slice(p, axis[0], axis[1], path, err)
                       : write_line(p, axis[0], path, err);
}
