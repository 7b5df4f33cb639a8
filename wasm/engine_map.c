// Maps of the page: the workspace on a slice, natural frequencies and stiffness there and at the pose.
#include "engine.h"

#include "base/error.h"
#include "linear/linear_result.h"
#include "linear/modes_sweep.h"
#include "linear/stiffness.h"
#include "pkm/modes.h"
#include "pkm/workspace.h"
#include "run/takes.h"

#include <math.h>

IMPORT(wants) extern int page_wants(double fraction);

static bool tick(void* user, double fraction)
{
    (void)user;
    (void)page_wants(fraction);
    return true;
}

static void put_column(pkm_json* json, const pkm_table* table, const char* name)
{
    const int c = pkm_table_find(table, name), n = pkm_table_n_row(table);
    double* value = malloc((size_t)(n + 1) * sizeof(double));
    if (!value) abort();
    for (int r = 0; r < n; ++r)
        value[r] = pkm_table_get(table, r, c);
    pkm_json_put_numbers(json, name, value, n);
    free(value);
}

static void put_grid(pkm_json* json, const pkm_workspace_grid* grid)
{
    const double from[] = {grid->from.x, grid->from.y, grid->from.z},
                 to[] = {grid->to.x, grid->to.y, grid->to.z};
    const double n[] = {grid->n[0], grid->n[1], grid->n[2]};
    pkm_json_put_numbers(json, "from", from, 3);
    pkm_json_put_numbers(json, "to", to, 3);
    pkm_json_put_numbers(json, "n", n, 3);
}

static void put_map(const pkm_table* table, const pkm_workspace_grid* grid,
                    const pkm_workspace_report* r)
{
    static const char* const column[] = {"reachable", "condition", "distance", "in_limits"};
    pkm_json* json = engine_begin();
    put_grid(json, grid);
    pkm_json_put_number(json, "size", r->size);
    pkm_json_put_number(json, "limits_size", r->limits_size);
    pkm_json_put_integer(json, "dimension", r->dimension);
    pkm_json_put_number(json, "best_condition", r->best_condition);
    pkm_json_put_number(json, "mean_dexterity", r->mean_dexterity);
    for (size_t i = 0; i < sizeof column / sizeof column[0]; ++i)
        put_column(json, table, column[i]);
}

/// The grid of a slice through `through` [3] along the axes in the bits `axes`.
static pkm_status make_grid(int axes, const double* through, int n, pkm_workspace_plan* plan,
                            pkm_workspace_grid* grid, pkm_error* err)
{
    const pkm_vec3 at = {through[0], through[1], through[2]};
    PKM_TRY(pkm_workspace_plan_make(engine_here.robot, plan, err));
    plan->progress = tick;
    return pkm_workspace_plan_grid(plan, (unsigned)axes & pkm_workspace_plan_axes(plan), at, n,
                                   grid, err);
}

/// Map a slice through `through` [3] along the axes in the bits `axes`, about `n` points wide. The
/// robot is at home afterwards.
EXPORT(engine_map) int engine_map(int axes, const double* through, int n)
{
    pkm_error err = {0};
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_workspace_report report;
    pkm_table* table = pkm_table_create();
    pkm_status status = make_grid(axes, through, n, &plan, &grid, &err);
    if (status == PKM_OK) status = pkm_workspace_plan_map(&plan, &grid, table, &report, &err);
    if (status == PKM_OK) put_map(table, &grid, &report);
    pkm_table_free(table);
    return engine_end(status, &err);
}

/// The lowest natural frequency [Hz] and the least stiffness of the tool [N/m] at the points of a
/// grid: every link flexible that can bend, drives locked.
static pkm_status map_elastic(pkm_run* run, const pkm_workspace_grid* grid, pkm_table* modes,
                              pkm_table* stiffness, pkm_error* err)
{
    PKM_TRY(pkm_run_complete_for(run, PKM_TASK_MODES, err));
    const pkm_modes_sweep sweep = {
        .elastic = pkm_elastic_settings_for(run), .n_mode = 1, .progress = tick};
    PKM_TRY(pkm_modes_map(engine_here.robot, &sweep, grid, modes, err));
    return pkm_stiffness_map(engine_here.robot, &sweep, grid, stiffness, err);
}

/// As engine_map, with the columns of map_elastic.
EXPORT(engine_elastic_map) int engine_elastic_map(int axes, const double* through, int n)
{
    pkm_error err = {0};
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_run* run = NULL;
    pkm_table *modes = pkm_table_create(), *stiffness = pkm_table_create();
    pkm_status status = make_grid(axes, through, n, &plan, &grid, &err);
    if (status == PKM_OK) status = pkm_run_create(engine_here.robot, &run, &err);
    if (status == PKM_OK) status = map_elastic(run, &grid, modes, stiffness, &err);
    if (status == PKM_OK) {
        pkm_json* json = engine_begin();
        put_grid(json, &grid);
        put_column(json, modes, "reachable");
        put_column(json, modes, "f1");
        put_column(json, stiffness, "k_min");
    }
    pkm_run_free(run);
    pkm_table_free(modes);
    pkm_table_free(stiffness);
    return engine_end(status, &err);
}

/// Natural frequencies [Hz] and stiffness of the tool where the robot stands, drives locked.
EXPORT(engine_elastic) int engine_elastic(int n_mode)
{
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    pkm_tool_stiffness tool;
    pkm_status status = pkm_frequencies_at(engine_here.robot, NULL, n_mode, table, &err);
    if (status == PKM_OK) {
        pkm_json* json = engine_begin();
        put_column(json, table, "f");
        if (pkm_tool_stiffness_at(engine_here.robot, NULL, &tool, NULL) == PKM_OK) {
            pkm_json_put_numbers(json, "compliance", tool.compliance, 36);
            pkm_json_put_numbers(json, "sag", tool.sag, 6);
        }
    }
    pkm_table_free(table);
    return engine_end(status, &err);
}
