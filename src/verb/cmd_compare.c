// pkm compare: two of the three routes to the drive forces (engine, closed form, generated code)
// along one motion; their largest difference is the answer.
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "generate/code.h"
#include "plot/plot.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "verb/run_folder.h"

#include <stdio.h>

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    {.name = "--instants"},
    {.name = "--tool-force"},
    {"--generated", NULL, .text = "the code of pkm export c instead of the closed form: any robot"},
    {"--general", NULL, .text = "with --generated: the code that is made from the mechanism",
     .with = "--generated"},
    {"-o", "DIR",
     .text = "folder for compare.svg (both curves per drive, and their difference), table.csv, "
             "summary.json and manifest.json"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_compare = {
    .name = "compare",
    .operand = "MODEL",
    .text = "general engine against closed form: the largest difference per drive",
    .help = "Runs both derivations of the driving forces on the same motion. They share no code\n"
            "beyond the motion itself. Or engine against the code of pkm export c.",
    .example = "pkm compare robots/siax.yaml --motion paper",
    .another = "pkm compare robots/gough-stewart.yaml --generated",
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}, motion {motion}, {instants:d} instants: general engine against {against}"
    "[ {closed_form}]\n"
    "\ndrive          largest force   largest difference   at t \\[s\\]\n"
    "{*drives}  {name:-12s} {_largest:12.6g} {_unit:-4s} {_difference:14.3g} "
    "{_difference_unit:-4s} {t:10.5g}\n{/}"
    "\nlargest difference {relative_difference:.2e} of the largest force\n"
    "[\nresults in {folder}\n]";

/// All of one answer.
typedef struct comparison {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    const char* motion;
    bool generated;      ///< against generated code, not the closed form
    pkm_table* both[2];  ///< engine, the other
    pkm_table* together; ///< t, and per drive the forces of both and their difference
    double start;        ///< [s]
    char folder[1024];
} comparison;

static pkm_status read_compare(const pkm_verb_arguments* args, pkm_inverse_settings* out,
                               pkm_error* err)
{
    const char* instants = pkm_verb_get(args, "--instants");
    *out = pkm_inverse_settings_defaults();
    if (instants) PKM_TRY(pkm_verb_integer(instants, 2, "--instants", &out->n_instant, err));
    return pkm_verb_tool_force(args, &out->tool_force, &out->tool_torque, err);
}

/// The engine along the motion, and the generated code at the same instants.
static pkm_status compare_generated(pkm_robot* robot, int index, bool general,
                                    const pkm_inverse_settings* settings, pkm_table* const both[2],
                                    pkm_compare_row* row, pkm_error* err)
{
    pkm_inverse_report report;
    // the code is called in a row, as a controller would: it begins at its last solution
    PKM_TRY(pkm_inverse_run(robot, index, settings, both[0], &report, err));
    PKM_TRY(pkm_code_forces(robot, both[0], general, settings->tool_force, settings->tool_torque,
                            both[1], err));
    pkm_compare_tables(robot, both[0], both[1], row);
    return PKM_OK;
}

// ---- the table --------------------------------------------------------------------------------

typedef struct forces {
    double engine, other, difference;
} forces;

/// [generated][is_rotary]; the other one by its own name.
static const pkm_column columns[2][2][3] = {
    {{{"engine", "N", offsetof(forces, engine), .title = "force of *"},
      {"closed", "N", offsetof(forces, other), .title = "force of *"},
      {"difference", "N", offsetof(forces, difference), .title = "difference of *",
       .of = "engine"}},
     {{"engine", "N m", offsetof(forces, engine), .title = "torque of *"},
      {"closed", "N m", offsetof(forces, other), .title = "torque of *"},
      {"difference", "N m", offsetof(forces, difference), .title = "difference of *",
       .of = "engine"}}},
    {{{"engine", "N", offsetof(forces, engine), .title = "force of *"},
      {"code", "N", offsetof(forces, other), .title = "force of *"},
      {"difference", "N", offsetof(forces, difference), .title = "difference of *",
       .of = "engine"}},
     {{"engine", "N m", offsetof(forces, engine), .title = "torque of *"},
      {"code", "N m", offsetof(forces, other), .title = "torque of *"},
      {"difference", "N m", offsetof(forces, difference), .title = "difference of *",
       .of = "engine"}}}};
static const pkm_column time_column = {.quantity = "t", .unit = "s"};

/// All columns, or their values in row `i`.
static void put_row(const void* user, int i, pkm_layout* to)
{
    const comparison* c = user;
    pkm_layout_put_value(to, &time_column, to->table ? 0.0 : pkm_table_get(c->both[0], i, 0));
    for (int d = 0; d < c->robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &c->robot->mech->drive[d];
        double force[2] = {0.0, 0.0};
        for (int k = 0; k < 2 && !to->table; ++k)
            force[k] =
                pkm_table_get(c->both[k], i, pkm_table_find_item(c->both[k], drive->name, "force"));
        // the sign stays: a bias looks otherwise than noise
        const forces now = {force[0], force[1], force[0] - force[1]};
        pkm_layout_put(to, drive->name, columns[c->generated][drive->is_rotary], 3, &now);
    }
}

// ---- the folder -------------------------------------------------------------------------------

/// Columns of the table as the plot borrows them.
static void copy_column(const pkm_table* table, int column, double* out)
{
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        out[i] = pkm_table_get(table, i, column);
}

/// Both curves of drive `d`, and their difference below.
static void fill_panels(const comparison* c, int d, double* memory, pkm_plot_series* series,
                        pkm_plot_panel* panel, char (*unit)[32])
{
    static const char* const names[2][3] = {
        {"engine", "closed form", "engine - closed form"},
        {"engine", "generated code", "engine - generated code"}};
    const pkm_drive* drive = &c->robot->mech->drive[d];
    const int rows = pkm_table_n_row(c->together);
    const char* base = drive->is_rotary ? "N m" : "N";
    double most[3];
    for (int k = 0; k < 3; ++k) {
        // t first, then three curves per drive
        double* y = memory + (size_t)(1 + 3 * d + k) * (size_t)rows;
        copy_column(c->together, 1 + 3 * d + k, y);
        most[k] = pkm_table_reduce(c->together, 1 + 3 * d + k, PKM_REDUCE_ABSMAX, NULL);
        series[k] =
            (pkm_plot_series){.name = names[c->generated][k], .x = memory, .y = y, .n = rows};
    }
    // differences are some 1e-12 of the forces: a scale of their own
    panel[0] = (pkm_plot_panel){.y = pkm_axis_for(drive->name, base, most[0], unit[0], 32),
                                .series = series,
                                .n_series = 2};
    panel[1] = (pkm_plot_panel){.y = pkm_axis_for("difference", base, most[2], unit[1], 32),
                                .series = series + 2,
                                .n_series = 1};
}

static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const comparison* c = user;
    char title[300], unit[2 * PKM_MAX_DRIVE][32];
    pkm_plot_panel panel[PKM_PLOT_MAX_PANEL];
    pkm_plot_series series[3 * PKM_MAX_DRIVE];
    // two panels for each drive
    const int most = PKM_PLOT_MAX_PANEL / 2, n_drive = c->robot->mech->n_drive;
    const int n = n_drive < most ? n_drive : most, rows = pkm_table_n_row(c->together);
    double* memory = pkm_alloc((size_t)(1 + 3 * n) * (size_t)rows, sizeof(double));
    if (!memory) return pkm_out_of_memory(err);
    // as many drives as panels fit; the table has all
    copy_column(c->together, 0, memory);
    for (int d = 0; d < n; ++d)
        fill_panels(c, d, memory, series + 3 * d, panel + 2 * d, unit + 2 * d);
    snprintf(title, sizeof title, "%.120s, motion %.120s: engine and %s", c->robot->desc->name,
             c->motion, c->generated ? "generated code" : "closed form");
    const pkm_plot plot = {
        .title = title, .x = {.label = "time", .unit = "s"}, .panel = panel, .n_panel = 2 * n};
    const pkm_status status = pkm_plot_write(&plot, pkm_verb_file(files, "compare.svg"), err);
    pkm_free(memory);
    return status;
}

static pkm_status write_folder(comparison* c, pkm_error* err)
{
    pkm_result* result = pkm_verb_result(c->args);
    const pkm_verb_run out = {.args = c->args,
                              .robot = c->robot,
                              .motion = c->motion,
                              .ending = "-compare",
                              .table = c->together,
                              .complete = true,
                              .wall_time = pkm_clock() - c->start,
                              .draw = draw,
                              .user = c,
                              .tree = result};
    pkm_headline_result(pkm_result_list(result, "_headlines"), "largest difference, relative",
                        pkm_result_value(pkm_result_find(result, "relative_difference"), 0), "");
    if (!pkm_layout_fill(c->together, pkm_table_n_row(c->both[0]), 1, put_row, c))
        return pkm_out_of_memory(err);
    return pkm_verb_run_write(&out, c->folder, sizeof c->folder, err);
}

// ---- the verb ---------------------------------------------------------------------------------

static pkm_status answer(comparison* c, pkm_error* err)
{
    pkm_inverse_settings settings;
    pkm_compare_row row[PKM_MAX_DRIVE];
    pkm_motion* motion = NULL;
    int index = 0;
    PKM_TRY(read_compare(c->args, &settings, err));
    PKM_TRY(pkm_verb_find_motion(c->args, "--motion", c->robot, &motion, &index, err));
    c->motion = pkm_motion_name(motion);
    c->generated = pkm_verb_has(c->args, "--generated");
    const bool general = pkm_verb_has(c->args, "--general");
    if (c->generated)
        PKM_TRY(compare_generated(c->robot, index, general, &settings, c->both, row, err));
    else
        PKM_TRY(pkm_compare_run(c->robot, index, &settings, c->both[0], c->both[1], row, err));
    pkm_compare_result(c->robot, c->motion, settings.n_instant, row, c->generated,
                       pkm_verb_result(c->args));
    return pkm_verb_has(c->args, "-o") ? write_folder(c, err) : PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    comparison* c = pkm_verb_work(args, sizeof *c, err);
    if (!c) return PKM_ERR_MEMORY;
    c->args = args;
    c->start = pkm_clock();
    PKM_TRY(pkm_verb_begin(args, &c->robot, err));
    c->both[0] = pkm_verb_table(args, "engine");
    // kept with the call, where programs find them
    c->both[1] = pkm_verb_table(args, "other");
    c->together = pkm_verb_has(args, "-o") ? pkm_verb_table(args, "rows") : NULL;
    if (!c->both[0] || !c->both[1] || (pkm_verb_has(args, "-o") && !c->together))
        return pkm_out_of_memory(err);
    PKM_TRY(answer(c, err));
    return pkm_verb_show(args, text, err);
}
