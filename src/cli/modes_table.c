// Natural frequencies over elements, along a motion, over a plane.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/modes_task.h"
#include "cli/plane_map.h"
#include "cli/progress.h"
#include "cli/workspace_grid.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ROW = 64, MAX_SHOWN = 12 };

static pkm_status json_end(cli_json* out, pkm_error* err)
{
    return cli_json_end(out) == 0 ? PKM_OK
                                  : pkm_fail(err, PKM_ERR_FILE, "stdout cannot be written");
}

// ---- convergence ------------------------------------------------------------------------------

/// Frequencies with so many elements.
typedef struct row {
    int n_element, n_coordinate, n_mode;
    double* omega;
} row;

static pkm_status read_range(const cli_modes* m, int* first, int* last, pkm_error* err)
{
    const char* text = cli_get(&m->args, "--convergence");
    char end;
    const int n = sscanf(text, "%d..%d%c", first, last, &end);
    if (n == 1) *last = *first;
    if ((n == 1 || n == 2) && *first >= 1 && *last >= *first && *last <= MAX_ROW) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--convergence: '%s', expected A..B with 1 <= A <= B <= %d", text, MAX_ROW);
}

static pkm_status find_row(cli_modes* m, int n_element, row* out, pkm_error* err)
{
    pkm_effects* effects = &m->run->effects;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    for (int k = 0; k < effects->n_flexible; ++k)
        effects->flexible[k].spec.n_element = n_element;
    PKM_TRY(pkm_modes_at(m->robot, &m->settings, m->n_mode, &elastic, &modes, err));
    out->n_element = n_element;
    out->n_coordinate = pkm_elastic_size(elastic);
    out->n_mode = modes->n_mode;
    memcpy(out->omega, modes->omega, (size_t)modes->n_mode * sizeof *out->omega);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return PKM_OK;
}

static void print_rows(const cli_modes* m, const row* table, int n)
{
    const int shown = m->n_mode < MAX_SHOWN ? m->n_mode : MAX_SHOWN;
    printf("%s, natural frequencies [rad/s] over the elements per link\n\n", m->robot->desc->name);
    printf("  %3s %5s", "n", "DOF");
    for (int k = 0; k < shown; ++k)
        printf(" %9sw%d", k < 9 ? " " : "", k + 1);
    printf("\n");
    for (int i = 0; i < n; ++i) {
        printf("  %3d %5d", table[i].n_element, table[i].n_coordinate);
        for (int k = 0; k < shown && k < table[i].n_mode; ++k)
            printf(" %11.6f", table[i].omega[k]);
        printf("\n");
    }
}

static pkm_status put_rows(const cli_modes* m, const row* table, int n, pkm_error* err)
{
    cli_json out;
    if (!cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_json* json = &out.json;
    pkm_json_put_string(json, "name", m->robot->desc->name);
    pkm_json_key(json, "rows");
    pkm_json_array_begin(json);
    for (int i = 0; i < n; ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_integer(json, "elements", table[i].n_element);
        pkm_json_put_integer(json, "coordinates", table[i].n_coordinate);
        pkm_json_key(json, "omega");
        pkm_json_numbers(json, table[i].omega, table[i].n_mode);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    return json_end(&out, err);
}

pkm_status cli_modes_convergence(cli_modes* m, pkm_error* err)
{
    int first, last, n = 0;
    row table[MAX_ROW];
    PKM_TRY(read_range(m, &first, &last, err));
    double* omega = pkm_alloc((size_t)(last - first + 1) * (size_t)m->n_mode, sizeof *omega);
    pkm_status status = omega ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int e = first; e <= last && status == PKM_OK; ++e, ++n) {
        table[n].omega = omega + (size_t)n * (size_t)m->n_mode;
        status = find_row(m, e, &table[n], err);
    }
    if (status == PKM_OK && cli_has(&m->args, "--json"))
        status = put_rows(m, table, n, err);
    else if (status == PKM_OK)
        print_rows(m, table, n);
    pkm_free(omega);
    return status;
}

// ---- along a motion ---------------------------------------------------------------------------

static pkm_modes_sweep make_sweep(const cli_modes* m, pkm_progress* progress)
{
    return (pkm_modes_sweep){.elastic = m->settings,
                             .n_mode = m->n_mode,
                             .progress = pkm_progress_tick,
                             .user = progress};
}

static void print_range(const pkm_table* table, int column)
{
    int low, high;
    const double least = pkm_table_reduce(table, column, PKM_REDUCE_MIN, &low);
    const double most = pkm_table_reduce(table, column, PKM_REDUCE_MAX, &high);
    printf("  %-4s %12.5f at %8.5f s %12.5f at %8.5f s\n", pkm_table_name(table, column), least,
           pkm_table_get(table, low, 0), most, pkm_table_get(table, high, 0));
}

static pkm_status write_along(cli_modes* m, const char* motion, const pkm_table* table, int n_row,
                              pkm_error* err)
{
    cli_plot plot = {.file = "frequencies.svg", .table = table};
    char title[3 * PKM_MAX_NAME];
    snprintf(title, sizeof title, "%s, motion %s: natural frequencies", m->robot->desc->name,
             motion);
    const int f1 = pkm_table_find(table, "f1");
    for (int k = 0; k < m->n_mode && k < MAX_SHOWN; ++k)
        plot.column[plot.n_column++] = f1 + k;
    const pkm_manifest_result lowest = {"lowest frequency",
                                        pkm_table_reduce(table, f1, PKM_REDUCE_MIN, NULL), "Hz"};
    const cli_run out = {.args = &m->args,
                         .robot = m->robot,
                         .motion = motion,
                         .title = title,
                         .ending = "-modes",
                         .table = table,
                         .result = &lowest,
                         .n_result = 1,
                         .complete = pkm_table_n_row(table) == n_row,
                         .wall_time = pkm_clock() - m->start,
                         .plot = &plot,
                         .n_plot = 1};
    return cli_run_write(&out, m->folder, sizeof m->folder, err);
}

static pkm_status show_along(cli_modes* m, const char* motion, const pkm_table* table,
                             pkm_error* err)
{
    const int f1 = pkm_table_find(table, "f1");
    if (!cli_has(&m->args, "--json")) {
        printf("%s, motion %s: natural frequencies [Hz], lowest and highest\n",
               m->robot->desc->name, motion);
        for (int k = 0; k < m->n_mode; ++k)
            print_range(table, f1 + k);
        printf("\nresults in %s\n", m->folder);
        return PKM_OK;
    }
    cli_json out;
    if (!cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_json_put_string(&out.json, "name", m->robot->desc->name);
    pkm_json_put_string(&out.json, "motion", motion);
    for (int side = 0; side < 2; ++side) {
        pkm_json_key(&out.json, side ? "most" : "least");
        pkm_json_array_begin(&out.json);
        for (int k = 0; k < m->n_mode; ++k)
            pkm_json_number(
                &out.json,
                pkm_table_reduce(table, f1 + k, side ? PKM_REDUCE_MAX : PKM_REDUCE_MIN, NULL));
        pkm_json_array_end(&out.json);
    }
    pkm_json_put_string(&out.json, "folder", m->folder);
    return json_end(&out, err);
}

pkm_status cli_modes_along(cli_modes* m, pkm_error* err)
{
    const char* points = cli_get(&m->args, "--points");
    pkm_motion* motion = NULL;
    int n = 101;
    if (points) PKM_TRY(cli_integer(points, 2, "--points", &n, err));
    PKM_TRY(cli_find_motion(&m->args, "--along", m->robot, &motion, NULL, err));
    pkm_progress progress = pkm_progress_begin("natural frequencies");
    const pkm_modes_sweep sweep = make_sweep(m, &progress);
    const char* name = pkm_motion_name(motion);
    pkm_table* table = pkm_table_create();
    pkm_status status = table ? pkm_modes_along(m->robot, &sweep, motion, n, table, err)
                              : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_progress_end(&progress);
    if (status == PKM_OK) status = write_along(m, name, table, n, err);
    if (status == PKM_OK) status = show_along(m, name, table, err);
    pkm_table_free(table);
    return status;
}

// ---- over a plane -----------------------------------------------------------------------------

/// A map being made.
typedef struct map {
    cli_modes* m;
    pkm_workspace_grid grid;
    pkm_table* table;
    int what; ///< frequency that is shown, from 1 on
} map;

static pkm_status draw_map(const void* user, const char* folder, const char** file, int* n_file,
                           pkm_error* err)
{
    const map* p = user;
    char path[1100], label[40];
    bool is_drawn;
    snprintf(label, sizeof label, "natural frequency %d", p->what);
    const cli_plane_map picture = {.robot = p->m->robot->desc->name,
                                   .grid = &p->grid,
                                   .table = p->table,
                                   .column = pkm_table_find(p->table, "f1") + p->what - 1,
                                   .label = label};
    snprintf(path, sizeof path, "%s/frequencies.svg", folder);
    PKM_TRY(cli_plane_map_draw(&picture, path, &is_drawn, err));
    if (is_drawn) file[(*n_file)++] = "frequencies.svg";
    return PKM_OK;
}

static pkm_status show_map(const map* p, pkm_error* err)
{
    const bool is_json = cli_has(&p->m->args, "--json");
    const int f1 = pkm_table_find(p->table, "f1");
    cli_json out = {0};
    if (is_json && !cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (is_json) {
        pkm_json_put_string(&out.json, "name", p->m->robot->desc->name);
        pkm_json_put_integer(&out.json, "points", pkm_table_n_row(p->table));
        pkm_json_put_integer(&out.json, "reachable", cli_plane_map_reached(p->table));
        pkm_json_key(&out.json, "frequencies");
        pkm_json_array_begin(&out.json);
    } else {
        printf("%s, natural frequencies [Hz] over %d points, %d in reach\n\n",
               p->m->robot->desc->name, pkm_table_n_row(p->table), cli_plane_map_reached(p->table));
    }
    for (int k = 0; k < p->m->n_mode; ++k) {
        if (is_json) pkm_json_object_begin(&out.json);
        for (int side = 0; side < 2; ++side) {
            const int r = cli_plane_map_extreme(p->table, f1 + k, side);
            if (r == PKM_NONE) continue;
            const double f = pkm_table_get(p->table, r, f1 + k);
            const double at[3] = {pkm_table_get(p->table, r, 0), pkm_table_get(p->table, r, 1),
                                  pkm_table_get(p->table, r, 2)};
            if (is_json) {
                pkm_json_put_number(&out.json, side ? "most" : "least", f);
                pkm_json_key(&out.json, side ? "most_at" : "least_at");
                pkm_json_numbers(&out.json, at, 3);
            } else {
                if (!side) printf("  f%-3d", k + 1);
                printf("%s %11.5f at (%.4g, %.4g, %.4g) m", side ? " to" : "", f, at[0], at[1],
                       at[2]);
                if (side) printf("\n");
            }
        }
        if (is_json) pkm_json_object_end(&out.json);
    }
    if (!is_json) {
        printf("\nresults in %s\n", p->m->folder);
        return PKM_OK;
    }
    pkm_json_array_end(&out.json);
    pkm_json_put_string(&out.json, "folder", p->m->folder);
    return json_end(&out, err);
}

static pkm_status write_map(map* p, pkm_error* err)
{
    const int lowest_row = cli_plane_map_extreme(p->table, pkm_table_find(p->table, "f1"), false);
    if (lowest_row == PKM_NONE)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "modes: none of the %d points of the grid is in reach",
                        pkm_table_n_row(p->table));
    const pkm_manifest_result lowest = {
        "lowest frequency", pkm_table_get(p->table, lowest_row, pkm_table_find(p->table, "f1")),
        "Hz"};
    const cli_run out = {.args = &p->m->args,
                         .robot = p->m->robot,
                         .motion = "modes-map",
                         .table = p->table,
                         .result = &lowest,
                         .n_result = 1,
                         .complete = !pkm_interrupted(),
                         .wall_time = pkm_clock() - p->m->start,
                         .draw = draw_map,
                         .user = p};
    return cli_run_write(&out, p->m->folder, sizeof p->m->folder, err);
}

static pkm_status find_grid(map* p, pkm_error* err)
{
    pkm_workspace_plan plan;
    const char* what = cli_get(&p->m->args, "--what");
    p->what = 1;
    if (what) PKM_TRY(cli_integer(what, 1, "--what", &p->what, err));
    if (p->what > p->m->n_mode)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--what: %d, expected at most the %d of --modes",
                        p->what, p->m->n_mode);
    PKM_TRY(pkm_workspace_plan_make(p->m->robot, &plan, err));
    return cli_workspace_grid_of(&p->m->args, &plan, 30, &p->grid, err);
}

pkm_status cli_modes_map(cli_modes* m, pkm_error* err)
{
    map p = {.m = m};
    PKM_TRY(find_grid(&p, err));
    pkm_progress progress = pkm_progress_begin("natural frequencies");
    const pkm_modes_sweep sweep = make_sweep(m, &progress);
    p.table = pkm_table_create();
    pkm_status status = p.table ? pkm_modes_map(m->robot, &sweep, &p.grid, p.table, err)
                                : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_progress_end(&progress);
    if (status == PKM_OK) status = write_map(&p, err);
    if (status == PKM_OK) status = show_map(&p, err);
    pkm_table_free(p.table);
    return status;
}
