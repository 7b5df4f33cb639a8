// Natural frequencies over elements, along a motion, over a plane.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "robot/inverse_result.h"
#include "verb/commands.h"
#include "verb/modes_task.h"
#include "verb/tool_map.h"
#include "verb/workspace_grid.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROW = 64, MAX_SHOWN = 12 };

// ---- convergence ------------------------------------------------------------------------------

/// Frequencies with so many elements.
typedef struct row {
    int n_element, n_coordinate, n_mode;
    double* omega;
} row;

/// What is behind a whole number; NULL: there is none that an int holds.
static const char* read_count(const char* text, int* out)
{
    char* end;
    // strtol would take blanks and signs
    const long value = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
    // strtol saturates where a long cannot hold the digits
    const bool is_count = value >= 0 && value <= INT_MAX;
    *out = is_count ? (int)value : 0;
    return is_count ? end : NULL;
}

static pkm_status read_range(const pkm_verb_modes* m, int* first, int* last, pkm_error* err)
{
    const char* text = pkm_verb_get(m->args, "--convergence");
    const char* at = read_count(text, first);
    *last = *first;
    if (at && strncmp(at, "..", 2) == 0) at = read_count(at + 2, last);
    if (at && *at == '\0' && *first >= 1 && *last >= *first && *last <= MAX_ROW) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--convergence: '%s', expected A..B with 1 <= A <= B <= %d", text, MAX_ROW);
}

/// Every link with as many elements, whatever the run chose.
static pkm_status find_row(pkm_verb_modes* m, int n_element, row* out, pkm_error* err)
{
    pkm_effects* effects = &m->run->effects;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    for (int k = 0; k < effects->n_flexible; ++k)
        // the run is of this call alone: its links may be changed
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

static const char convergence_text[] =
    "{name}, natural frequencies \\[rad/s\\] over the elements per link\n\n"
    "    n   DOF{_heads:s/}\n{*rows}  {elements:3d} {coordinates:5d} {_shown:11.6f/ }\n{/}";

static void put_rows(const pkm_verb_modes* m, const row* table, int n, pkm_result* out)
{
    const int shown = m->n_mode < MAX_SHOWN ? m->n_mode : MAX_SHOWN;
    pkm_result_text(out, "name", m->robot->desc->name);
    pkm_result* heads = pkm_result_list(out, "_heads");
    for (int k = 0; k < shown; ++k)
        pkm_result_format(heads, NULL, " %9sw%d", k < 9 ? " " : "", k + 1);
    pkm_result* list = pkm_result_list(out, "rows");
    for (int i = 0; i < n; ++i) {
        pkm_result* item = pkm_result_group(list, NULL);
        const int few = shown < table[i].n_mode ? shown : table[i].n_mode;
        pkm_result_integer(item, "elements", table[i].n_element);
        pkm_result_integer(item, "coordinates", table[i].n_coordinate);
        pkm_result_numbers(item, "omega", "rad/s", table[i].omega, table[i].n_mode);
        pkm_result_numbers(item, "_shown", "rad/s", table[i].omega, few);
    }
}

pkm_status pkm_verb_modes_convergence(pkm_verb_modes* m, pkm_error* err)
{
    int first, last, n = 0;
    row table[MAX_ROW];
    PKM_TRY(read_range(m, &first, &last, err));
    // all rows in one block: a row has n_mode at most
    double* omega = pkm_alloc((size_t)(last - first + 1) * (size_t)m->n_mode, sizeof *omega);
    pkm_status status = omega ? PKM_OK : pkm_out_of_memory(err);
    for (int e = first; e <= last && status == PKM_OK; ++e, ++n) {
        table[n].omega = omega + (size_t)n * (size_t)m->n_mode;
        status = find_row(m, e, &table[n], err);
    }
    m->form = convergence_text;
    if (status == PKM_OK) put_rows(m, table, n, m->result);
    pkm_free(omega);
    return status;
}

// ---- along a motion ---------------------------------------------------------------------------

static pkm_modes_sweep make_sweep(const pkm_verb_modes* m, pkm_verb_progress* progress)
{
    return (pkm_modes_sweep){.elastic = m->settings,
                             .n_mode = m->n_mode,
                             .progress = pkm_verb_progress_tick,
                             .user = progress};
}

static const char along_text[] =
    "{name}, motion {motion}: natural frequencies \\[Hz\\], lowest and highest\n"
    "{*_ranges}  {name:-4s} {least:12.5f} at {least_t:8.5f} s {most:12.5f} at {most_t:8.5f} s\n{/}"
    "[\nresults in {folder}\n]";

/// Lowest and highest of each frequency along the motion, and when.
static void put_along(const pkm_verb_modes* m, const char* motion, const pkm_table* table,
                      pkm_result* out)
{
    const int f1 = pkm_table_find(table, "f1");
    pkm_result_text(out, "name", m->robot->desc->name);
    pkm_result_text(out, "motion", motion);
    pkm_result *least = pkm_result_list(out, "least"), *most = pkm_result_list(out, "most"),
               *ranges = pkm_result_list(out, "_ranges");
    for (int c = f1; c < f1 + m->n_mode; ++c) {
        int low, high;
        pkm_result* item = pkm_result_group(ranges, NULL);
        const double a = pkm_table_reduce(table, c, PKM_REDUCE_MIN, &low);
        const double b = pkm_table_reduce(table, c, PKM_REDUCE_MAX, &high);
        pkm_result_number(least, NULL, "Hz", a);
        pkm_result_number(most, NULL, "Hz", b);
        pkm_result_text(item, "name", pkm_table_name(table, c));
        pkm_result_number(item, "least", "Hz", a);
        pkm_result_number(item, "least_t", "s", pkm_table_get(table, low, 0));
        pkm_result_number(item, "most", "Hz", b);
        pkm_result_number(item, "most_t", "s", pkm_table_get(table, high, 0));
    }
}

static pkm_status write_along(pkm_verb_modes* m, const char* motion, const pkm_table* table,
                              int n_row, pkm_error* err)
{
    pkm_verb_plot plot = {.file = "frequencies.svg", .table = table};
    char title[3 * PKM_MAX_NAME];
    snprintf(title, sizeof title, "%s, motion %s: natural frequencies", m->robot->desc->name,
             motion);
    const int f1 = pkm_table_find(table, "f1");
    for (int k = 0; k < m->n_mode && k < MAX_SHOWN; ++k)
        plot.column[plot.n_column++] = f1 + k;
    pkm_headline_result(pkm_result_list(m->result, "_headlines"), "lowest frequency",
                        pkm_table_reduce(table, f1, PKM_REDUCE_MIN, NULL), "Hz");
    const pkm_verb_run out = {.args = m->args,
                              .robot = m->robot,
                              .motion = motion,
                              .title = title,
                              .ending = "-modes",
                              .table = table,
                              .complete = pkm_table_n_row(table) == n_row,
                              .wall_time = pkm_clock() - m->start,
                              .plot = &plot,
                              .n_plot = 1,
                              .tree = m->result};
    put_along(m, motion, table, m->result);
    return pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
}

pkm_status pkm_verb_modes_along(pkm_verb_modes* m, pkm_error* err)
{
    const char* points = pkm_verb_get(m->args, "--points");
    pkm_motion* motion = NULL;
    int n = 101;
    if (points) PKM_TRY(pkm_verb_integer(points, 2, "--points", &n, err));
    PKM_TRY(pkm_verb_find_motion(m->args, "--along", m->robot, &motion, NULL, err));
    pkm_verb_progress progress = pkm_verb_progress_begin(m->args, "natural frequencies");
    const pkm_modes_sweep sweep = make_sweep(m, &progress);
    const char* name = pkm_motion_name(motion);
    pkm_table* table = pkm_verb_table(m->args, "rows");
    pkm_status status =
        table ? pkm_modes_along(m->robot, &sweep, motion, n, table, err) : pkm_out_of_memory(err);
    pkm_verb_progress_end(&progress);
    m->form = along_text;
    return status == PKM_OK ? write_along(m, name, table, n, err) : status;
}

// ---- over a plane -----------------------------------------------------------------------------

static const char map_text[] =
    "{name}, natural frequencies \\[Hz\\] over {points:d} points, {reachable:d} in reach\n\n"
    "{*frequencies}  f{_number:-3d} {least:11.5f} at ({least_at:.4g/, }) m"
    " to {most:11.5f} at ({most_at:.4g/, }) m\n{/}"
    "[\nresults in {folder}\n]";

static void put_map(const pkm_verb_modes* m, const pkm_verb_tool_map* p, pkm_result* out)
{
    const int f1 = pkm_table_find(p->table, "f1");
    pkm_result_text(out, "name", m->robot->desc->name);
    pkm_result_integer(out, "points", pkm_table_n_row(p->table));
    pkm_result_integer(out, "reachable", pkm_verb_tool_map_reached(p->table));
    pkm_result* list = pkm_result_list(out, "frequencies");
    for (int k = 0; k < m->n_mode; ++k) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_integer(item, "_number", k + 1);
        pkm_verb_tool_map_result(p->table, f1 + k, item);
    }
}

static pkm_status find_grid(const pkm_verb_modes* m, pkm_workspace_grid* grid, int* shown,
                            pkm_error* err)
{
    pkm_workspace_plan plan;
    const char* what = pkm_verb_get(m->args, "--what");
    *shown = 1;
    if (what) PKM_TRY(pkm_verb_integer(what, 1, "--what", shown, err));
    if (*shown > m->n_mode)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--what: %d, expected at most the %d of --modes",
                        *shown, m->n_mode);
    PKM_TRY(pkm_workspace_plan_make(m->robot, &plan, err));
    return pkm_verb_workspace_grid(m->args, &plan, 30, grid, err);
}

pkm_status pkm_verb_modes_map(pkm_verb_modes* m, pkm_error* err)
{
    pkm_workspace_grid grid;
    int shown;
    char label[40];
    PKM_TRY(find_grid(m, &grid, &shown, err));
    pkm_verb_progress progress = pkm_verb_progress_begin(m->args, "natural frequencies");
    const pkm_modes_sweep sweep = make_sweep(m, &progress);
    pkm_table* table = pkm_verb_table(m->args, "rows");
    const pkm_status status =
        table ? pkm_modes_map(m->robot, &sweep, &grid, table, err) : pkm_out_of_memory(err);
    pkm_verb_progress_end(&progress);
    m->form = map_text;
    PKM_TRY(status);
    snprintf(label, sizeof label, "natural frequency %d", shown);
    const int f1 = pkm_table_find(table, "f1");
    const pkm_verb_tool_map map = {.robot = m->robot,
                                   .grid = &grid,
                                   .table = table,
                                   .column = f1 + shown - 1,
                                   .label = label,
                                   .file = "frequencies.svg"};
    put_map(m, &map, m->result);
    return pkm_verb_modes_write_map(m, &map, f1, "lowest frequency", err);
}
