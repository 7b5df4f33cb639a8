// pkm stiffness: what the tool yields to forces at a pose or over a plane,
// docs/theory/modes.md.
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "linear/stiffness.h"
#include "robot/inverse_result.h"
#include "verb/modes_task.h"
#include "verb/tool_map.h"
#include "verb/workspace_grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    VERB_POSE_OPTIONS,
    VERB_LINEAR_OPTIONS,
    {.name = "--weight"},
    {"--map", .text = "over a plane of tool positions"},
    {.name = "--slice", .with = "--map"},
    {.name = "--grid", .with = "--map"},
    {"--points", "N", .text = "of `--map`: along the longest side; 30 when not given",
     .with = "--map"},
    {"-o", "DIR",
     .text = "folder; of `--map` `pkm-out/ROBOT-stiffness-map` when not given, of a pose none "
             "is written then"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_stiffness = {
    .name = "stiffness",
    .operand = "MODEL",
    .text = "how the tool yields to forces: Cartesian stiffness, its directions, deflection",
    .help =
        "Links bend as beams, drives and bushings are elastic where that is said. At a pose:\n"
        "compliance and stiffness at the tool, softest directions of shifts and of turns, which\n"
        "link yields, deflection under a force and under the weight. Or over a plane.",
    .example = "pkm stiffness robots/siax.yaml --at 0,0,-0.9 --drives-are '{stiffness: 1e5}'",
    .another = "pkm stiffness robots/irb340.yaml --set 'd=7 mm' --tool-force 0,50,0",
    VERB_OPTIONS(options),
    .run = run,
};

// ---- at a pose --------------------------------------------------------------------------------

static const char text[] =
    "{name}, stiffness at the tool\n" VERB_MODES_SETTING_TEXT
    "\nshifts, softest first (no torque)\n"
    "{*shifts}[{?compliance}  {_stiffness:10.6g} {_unit:-8s}][{!compliance}  does not yield     ]"
    "   along ({_axis:.4f/, })\n{/}"
    "\nturns, softest first (no force)\n"
    "{*turns}[{?compliance}  {_stiffness:10.6g} {_unit:-8s}][{!compliance}  does not yield     ]"
    "   along ({_axis:.4f/, })\n{/}"
    "\n{_title}\n{*_matrix}  {name:-3s} {row:13.5e/ }\n{/}"
    "\nwhere it yields [{?_pushed}under this force][{!_pushed}in the softest direction]\n"
    "{*shares}  {share:6.1f|100}%  {name} {kind}\n{/}"
    "\ndisplacement of the tool\n"
    "{*_shifts}  {name:-22s} {d:12.6g/ |1e3} mm {r:12.6g/ |1e3} mrad\n{/}"
    "[\nresults in {folder}\n]";

static const char map_text[] =
    "{name}, least stiffness of shifts over {points:d} points, {reachable:d} in reach\n\n"
    "  softest    {least:12.6g} N/m at ({least_at:.4g/, }) m\n"
    "  stiffest   {most:12.6g} N/m at ({most_at:.4g/, }) m\n"
    "[\nresults in {folder}\n]";

/// What was computed at a pose.
typedef struct at_tool {
    pkm_verb_modes* m;
    pkm_elastic* elastic;
    pkm_stiffness s;
} at_tool;

static pkm_status write_pose(at_tool* t, pkm_error* err)
{
    if (!pkm_verb_has(t->m->args, "-o")) return PKM_OK;
    pkm_table* table = pkm_verb_table(t->m->args, "rows");
    const pkm_verb_run out = {.args = t->m->args,
                              .robot = t->m->robot,
                              .stands = t->m->robot->state->q,
                              .motion = "stiffness",
                              .table = table,
                              .complete = true,
                              .wall_time = pkm_clock() - t->m->start,
                              .tree = t->m->result};
    // the compliance as a table, six by six: its inverse has no meaning where a direction is rigid
    pkm_status status = table && pkm_stiffness_table(t->s.C, "compliance", "1/N", "1/(N m)", table)
                            ? pkm_verb_run_write(&out, t->m->folder, sizeof t->m->folder, err)
                            : pkm_out_of_memory(err);
    return status;
}

static pkm_status at_pose(pkm_verb_modes* m, pkm_error* err)
{
    at_tool t = {.m = m};
    pkm_status status = pkm_stiffness_here(m->robot, &m->settings, &t.elastic, &t.s, err);
    m->form = text;
    if (status == PKM_OK) pkm_stiffness_result(m->robot, &m->settings, t.elastic, &t.s, m->result);
    if (status == PKM_OK) status = write_pose(&t, err);
    pkm_elastic_free(t.elastic);
    return status;
}

// ---- over a plane -----------------------------------------------------------------------------

static void put_map(const pkm_verb_tool_map* p, pkm_result* out)
{
    pkm_result_text(out, "name", pkm_robot_name(p->robot));
    pkm_result_integer(out, "points", pkm_table_n_row(p->table));
    pkm_result_integer(out, "reachable", pkm_verb_tool_map_reached(p->table));
    pkm_verb_tool_map_result(p->table, p->column, out);
}

static pkm_status over_plane(pkm_verb_modes* m, pkm_error* err)
{
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    // a map goes to every point by itself
    if (pkm_verb_has(m->args, "--at") || pkm_verb_has(m->args, "--drives"))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--map: expected no --at or --drives");
    PKM_TRY(pkm_workspace_plan_make(m->robot, &plan, err));
    // thirty points along the longest side, equal steps along the others
    PKM_TRY(pkm_verb_workspace_grid(m->args, &plan, 30, &grid, err));
    pkm_verb_progress progress = pkm_verb_progress_begin(m->args, "stiffness");
    const pkm_modes_sweep sweep = {
        .elastic = m->settings, .progress = pkm_verb_progress_tick, .user = &progress};
    pkm_table* table = pkm_verb_table(m->args, "rows");
    pkm_status status =
        table ? pkm_stiffness_map(m->robot, &sweep, &grid, table, err) : pkm_out_of_memory(err);
    pkm_verb_progress_end(&progress);
    PKM_TRY(status);
    const pkm_verb_tool_map map = {.robot = m->robot,
                                   .grid = &grid,
                                   .table = table,
                                   // softest direction of shifts; over decades, since it falls to
                                   // nothing at singularities
                                   .column = pkm_table_find(table, "k_min"),
                                   .label = "least stiffness",
                                   .log = true,
                                   .file = "stiffness.svg"};
    m->form = map_text;
    put_map(&map, m->result);
    return pkm_verb_modes_write_map(m, &map, map.column, "least stiffness", err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_modes m = {.args = args, .start = pkm_clock(), .result = pkm_verb_result(args)};
    PKM_TRY(pkm_verb_begin(args, &m.robot, err));
    pkm_status status = pkm_verb_modes_read(&m, err);
    if (status == PKM_OK)
        status = pkm_verb_has(args, "--map") ? over_plane(&m, err) : at_pose(&m, err);
    if (status == PKM_OK) status = pkm_verb_modes_show(&m, err);
    pkm_verb_modes_free(&m);
    return status;
}
