// pkm workspace: which tool positions are reached, and how well, on a line, a plane or in a box
// (workspace/workspace.h).
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "verb/run_folder.h"
#include "verb/tool_map.h"
#include "verb/workspace_grid.h"
#include "verb/workspace_picture.h"
#include "workspace/workspace_choice.h"
#include "workspace/workspace_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option workspace_options[] = {
    {.name = "--slice"},
    {"--volume", .text = "a box instead of a plane: its volume, and three slices as pictures"},
    {"--points", "N",
     .text = "points along the longest side of a plane or box that is found; 101, in a box 61"},
    {.name = "--grid"},
    {"--orientation", "R,P,Y",
     .text = "roll, pitch and yaw of the tool, for robots that turn; as at home when not given"},
    {"--method", "closed|engine",
     .text = "the closed form (where there is one, and no joint without a drive has a limit) "
             "or the general engine",
     .key = "method"},
    {"--branch", "N",
     .text = "the working mode, as numbered by the list of `pkm ik` at home; closed form only",
     .key = "branch"},
    {"--what", "condition|sigma_min|distance", .text = "what the colours show"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/ROBOT-workspace` when not given"},
};

static pkm_status run_workspace(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_workspace = {
    .name = "workspace",
    .operand = "MODEL",
    .text = "what the tool reaches, how well it moves there, how far from singularities",
    .help =
        "Maps tool positions at one orientation: reachable or not, condition number of the\n"
        "translations, distance to the nearest singular or unreachable point, limits of drives\n"
        "and joints. Without options a plane through home, as large as the reach. Writes\n"
        "table.csv, table.h5, workspace.svg (for a box three slices) and manifest.json.",
    .example = "pkm workspace robots/siax.yaml --slice z=-0.9 -o siax",
    .another = "pkm workspace robots/five-bar.yaml --points 101 --what distance",
    VERB_OPTIONS(workspace_options),
    .writes = true,
    .run = run_workspace,
};

/// All of one run, so that the steps below stay short.
typedef struct workspace_run {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_run* run;
    pkm_workspace_plan plan;
    pkm_workspace_work map;
    pkm_verb_map_quantity quantity;
    pkm_table* table;
    double* edges; ///< of reach and limits, [6 per point]
    char folder[1024], method[128], grid_text[256];
    double wall_time;
} workspace_run;

// ---- options ----------------------------------------------------------------------------------

/// Roll, pitch, yaw that the tool keeps on the whole map.
static pkm_status read_orientation(const pkm_verb_arguments* args, pkm_asked* out, pkm_error* err)
{
    static const char* const unit[] = {"rad", "rad", "rad"};
    const char* text = pkm_verb_get(args, "--orientation");
    int n;
    if (!text) return PKM_OK;
    PKM_TRY(pkm_verb_numbers(text, unit, "--orientation", 3, out->orientation, &n, err));
    out->has_orientation = true;
    if (n == 3) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--orientation: %d numbers, expected 3", n);
}

/// The first one when nothing is asked for.
static pkm_status read_quantity(workspace_run* run, pkm_error* err)
{
    const char* what = pkm_verb_get(run->args, "--what");
    for (int k = 0; k < VERB_N_MAP_QUANTITY; ++k) {
        if (what && strcmp(what, pkm_verb_map_column[k]) != 0) continue;
        run->quantity = (pkm_verb_map_quantity)k;
        return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--what: '%s', expected condition, sigma_min or distance", what);
}

static pkm_status read_options(workspace_run* run, pkm_error* err)
{
    PKM_TRY(pkm_verb_run_begin(run->args, run->robot, &run->run, err));
    PKM_TRY(read_orientation(run->args, &run->run->asked, err));
    PKM_TRY(read_quantity(run, err));
    PKM_TRY(pkm_verb_run_complete(run->args, run->run, err));
    PKM_TRY(pkm_workspace_choose_plan(run->robot, &run->run->asked, &run->plan, err));
    return pkm_verb_workspace_grid(run->args, &run->plan, PKM_WORKSPACE_PLANE_POINTS,
                                   &run->map.grid, err);
}

// ---- the map ----------------------------------------------------------------------------------

/// The table, and the edges between grid points for the picture.
static pkm_status make_room(workspace_run* run, pkm_error* err)
{
    const int* n = run->map.grid.n;
    run->table = pkm_verb_table(run->args, "points");
    if (!run->table) return pkm_out_of_memory(err);
    // an edge from each point to its next one along x, y and z, for reach and for limits
    const size_t n_edge = 3 * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    // reach and limits end between points: the picture draws the edge where it was found, to a part
    // of a cell
    run->edges = pkm_alloc(2 * n_edge, sizeof(double));
    if (!run->edges) return pkm_out_of_memory(err);
    run->plan.reach_edge = run->edges;
    if (pkm_workspace_plan_has_limits(&run->plan)) run->plan.limits_edge = run->edges + n_edge;
    return PKM_OK;
}

static pkm_status compute(workspace_run* run, pkm_error* err)
{
    const double start = pkm_clock();
    PKM_TRY(read_options(run, err));
    PKM_TRY(make_room(run, err));
    pkm_verb_progress progress = pkm_verb_progress_begin(run->args, "workspace");
    run->plan.progress = pkm_verb_progress_tick;
    run->plan.user = &progress;
    run->map.plan = &run->plan;
    const pkm_status status = pkm_workspace_work_run(&run->map, run->table, err);
    pkm_verb_progress_end(&progress);
    run->wall_time = pkm_clock() - start;
    return status;
}

/// The grid as --grid takes it.
static void name_grid(workspace_run* run)
{
    size_t used = 0;
    // the manifest says the grid that was found in the form that asks for it again
    for (int k = 0; k < 3; ++k) {
        double from, to;
        const int n = pkm_workspace_grid_axis(&run->map.grid, k, &from, &to);
        char part[80];
        if (n > 1)
            snprintf(part, sizeof part, "%.9g:%.9g:%d", from, to, n);
        else
            snprintf(part, sizeof part, "%.9g", from);
        snprintf(run->grid_text + used, sizeof run->grid_text - used, "%s%s", k ? "," : "", part);
        used = strlen(run->grid_text);
    }
}

// ---- files ------------------------------------------------------------------------------------

static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const workspace_run* run = user;
    const pkm_verb_map_picture picture = {.plan = &run->plan,
                                          .grid = &run->map.grid,
                                          .table = run->table,
                                          .reach_edge = run->plan.reach_edge,
                                          .limits_edge = run->plan.limits_edge,
                                          .quantity = run->quantity};
    return run->map.complete ? pkm_verb_map_draw(&picture, files, err) : PKM_OK;
}

static void put_scene(const void* user, pkm_json* json)
{
    static const char* const label[] = {"condition number", "least singular value",
                                        "distance from trouble"};
    const workspace_run* run = user;
    pkm_verb_tool_map_put(
        &(pkm_verb_tool_map){.robot = run->robot,
                             .grid = &run->map.grid,
                             .table = run->table,
                             .column =
                                 pkm_table_find(run->map.table, pkm_verb_map_column[run->quantity]),
                             .label = label[run->quantity],
                             .log = run->quantity == VERB_MAP_CONDITION,
                             .reach_edge = run->plan.reach_edge},
        json);
}

// ---- text -------------------------------------------------------------------------------------

static const char text[] =
    "{name}, workspace: {_method}\n\n"
    "{*_axes}  {what:-14s} [{axis} from {_from:.6g} to {_to:.6g} m, {points:d} points]"
    "[{axis} = {_only:.6g} m]\n{/}"
    "  reachable      {reachable:d} of {points:d} points"
    "[{?_whole}, {size:.5g} {size_unit}, +- {size_error:.2g}]"
    "[{?_part}, at least {size:.5g} {size_unit}: the reach goes on beyond the grid]\n"
    "  within limits  [{!has_limits}the model has no limits of drives or joints]"
    "[{?has_limits}{_share:.4g} % of the reachable points[{?_limits_whole}, {size_in_limits:.5g} "
    "{size_unit}, +- {size_in_limits_error:.2g}]"
    "[{?_limits_part}, at least {size_in_limits:.5g} {size_unit}: they go on beyond the grid]]\n"
    "[  condition      best {best.condition:.5g} at ({best.position:.6g/, }) m, worst "
    "{worst.condition:.5g} at ({worst.position:.6g/, }) m\n"
    "                 mean of 1/condition {mean_dexterity:.5g}; {singular:d} singular "
    "point[{!_one}s]\n"
    "  distance       to the nearest singular or unreachable point: "
    "[{!farthest}none on this grid][{?farthest}[{home_distance:.5g} m next to home, ]largest "
    "{farthest.distance:.5g} m at ({farthest.position:.6g/, }) m]\n]"
    "[\nresults in {folder}\n]";

static pkm_status write_folder(workspace_run* run, pkm_result* result, pkm_error* err)
{
    const pkm_manifest_option choice[] = {{"method", run->method}, {"grid", run->grid_text}};
    const pkm_verb_run out = {.args = run->args,
                              .robot = run->robot,
                              .motion = "workspace",
                              .table = run->table,
                              .tree = result,
                              .complete = run->map.complete,
                              .wall_time = run->wall_time,
                              .choice = choice,
                              .n_choice = 2,
                              .draw = draw,
                              .more = put_scene,
                              .user = run};
    return pkm_verb_run_write(&out, run->folder, sizeof run->folder, err);
}

// ---- pkm workspace ----------------------------------------------------------------------------

static pkm_status finish(workspace_run* run, pkm_error* err)
{
    pkm_workspace_method_name(&run->plan, run->method, sizeof run->method);
    name_grid(run);
    pkm_workspace_result(&run->map, pkm_verb_result(run->args));
    PKM_TRY(write_folder(run, pkm_verb_result(run->args), err));
    PKM_TRY(pkm_verb_show(run->args, text, err));
    if (run->map.complete) return PKM_OK;
    return pkm_fail(err, PKM_ERR_INTERRUPTED, "interrupted; the %d points so far are in %s",
                    run->map.report.n_point, run->folder[0] ? run->folder : "the table");
}

static pkm_status run_workspace(const pkm_verb_arguments* args, pkm_error* err)
{
    workspace_run* run = pkm_verb_work(args, sizeof *run, err);
    if (!run) return PKM_ERR_MEMORY;
    run->args = args;
    PKM_TRY(pkm_verb_begin(args, &run->robot, err));
    pkm_status status = compute(run, err);
    if (status == PKM_OK) status = finish(run, err);
    pkm_free(run->edges);
    pkm_run_free(run->run);
    return status;
}
