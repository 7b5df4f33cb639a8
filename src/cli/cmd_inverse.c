#include "cli/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/progress.h"
#include "cli/run_folder.h"
#include "pkm/inverse.h"
#include "robot/snapshots.h"
#include "run/takes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option inverse_options[] = {
    {"--motion", "NAME", "which motion of the model (default: the first)"},
    {"--method", "engine|closed", "general engine (default) or the closed form of the family"},
    {"--for", "TIME", "how long (default: as long as the motion)"},
    {"--instants", "N", "rows of the table, evenly spaced in time (default 401)"},
    {"--tool-force", "FX,FY,FZ[,MX,MY,MZ]", "force [N] and torque [N m] on the tool, world axes"},
    {"--reactions", NULL, "write the forces and moments in every joint too"},
    {"--friction", "JOINTS: {...}", "friction in joints by name, pattern or type; may be repeated"},
    {"--idle", "refuse|integrate", "freedoms that move neither drives nor tool (default: refuse)"},
    {"--load", "NAME: {...}", "a force, spring or bushing; may be repeated"},
    {"--payload", "NAME: {...}", "a mass picked up and dropped; may be repeated"},
    {"--drive", "DRIVES: {...}", "motors, gears and screws of the drives; may be repeated"},
    {"--run", "FILE", "choices from a run file; those above are put over it"},
    {"-o", "DIR", "folder for the results (default pkm-out/ROBOT-MOTION)"},
};
static const cli_option compare_options[] = {
    {"--motion", "NAME", "which motion of the model (default: the first)"},
    {"--instants", "N", "instants compared, evenly spaced in time (default 401)"},
    {"--tool-force", "FX,FY,FZ[,MX,MY,MZ]", "force [N] and torque [N m] on the tool, world axes"},
};

static int run_inverse(const cli_verb* verb, int argc, char** argv);
static int run_compare(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_inverse = {
    .name = "inverse",
    .operand = "MODEL",
    .text = "driving forces along a motion, with table, plots and published values",
    .help = "Positions, velocities and accelerations of all parts follow from the motion without\n"
            "time stepping; the forces of the drives from inverse dynamics, with friction, loads,\n"
            "springs, payloads and motors (pkm effects lists what each verb takes). Writes\n"
            "table.csv, table.h5, plots (SVG) and manifest.json.",
    .example = "pkm inverse robots/siax.yaml --motion paper -o siax",
    .option = inverse_options,
    .n_option = sizeof inverse_options / sizeof inverse_options[0],
    .writes = true,
    .run = run_inverse,
};
const cli_verb cli_compare = {
    .name = "compare",
    .operand = "MODEL",
    .text = "general engine against closed form: the largest difference per drive",
    .help = "Runs both derivations of the driving forces on the same motion. They share no code\n"
            "beyond the motion itself.",
    .example = "pkm compare robots/siax.yaml --motion paper",
    .option = compare_options,
    .n_option = sizeof compare_options / sizeof compare_options[0],
    .run = run_compare,
};

// ---- settings ---------------------------------------------------------------------------------

static pkm_status read_method(const cli_arguments* args, pkm_method* out, pkm_error* err)
{
    const char* method = cli_get(args, "--method");
    *out = PKM_METHOD_ENGINE;
    if (method && strcmp(method, "closed") == 0)
        *out = PKM_METHOD_CLOSED;
    else if (method && strcmp(method, "engine") != 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--method: '%s', expected engine or closed", method);
    return PKM_OK;
}

/// What --run and the options choose, completed.
static pkm_status read_run(const cli_arguments* args, const pkm_robot* robot, pkm_run** out,
                           pkm_error* err)
{
    static const char* const single[][2] = {
        {"--motion", "motion"}, {"--for", "for"}, {"--instants", "instants"}};
    PKM_TRY(pkm_run_create(robot, out, err));
    if (cli_has(args, "--run")) PKM_TRY(pkm_run_read(*out, cli_get(args, "--run"), err));
    for (size_t i = 0; i < sizeof single / sizeof single[0]; ++i)
        if (cli_has(args, single[i][0]))
            PKM_TRY(
                pkm_run_set(*out, single[i][1], cli_get(args, single[i][0]), single[i][0], err));
    if (cli_has(args, "--idle"))
        PKM_TRY(pkm_run_set(*out, "idle", cli_get(args, "--idle"), "--idle", err));
    PKM_TRY(cli_set_all(*out, args, "--friction", "friction", err));
    PKM_TRY(cli_set_all(*out, args, "--load", "loads", err));
    PKM_TRY(cli_set_all(*out, args, "--payload", "payload", err));
    PKM_TRY(cli_set_all(*out, args, "--drive", "drives", err));
    if (cli_has(args, "--reactions")) (*out)->settings.reactions = true;
    PKM_TRY(cli_tool_force(args, &(*out)->settings.tool_force, &(*out)->settings.tool_torque, err));
    return pkm_run_complete(*out, args->set, args->n_set, err);
}

/// The settings of inverse dynamics for a run, which takes all that the run chooses.
static pkm_status read_settings(const cli_arguments* args, const pkm_run* run,
                                pkm_inverse_settings* out, pkm_error* err)
{
    *out = pkm_inverse_settings_defaults();
    PKM_TRY(read_method(args, &out->method, err));
    PKM_TRY(pkm_run_require(
        run, out->method == PKM_METHOD_ENGINE ? PKM_ANALYSIS_INVERSE : PKM_ANALYSIS_INVERSE_CLOSED,
        err));
    out->n_instant = run->settings.n_instant;
    out->end_time = run->has_end ? run->settings.end_time : 0.0;
    out->reactions = run->settings.reactions;
    out->tool_force = run->settings.tool_force;
    out->tool_torque = run->settings.tool_torque;
    out->effects = &run->effects;
    out->idle = run->settings.idle;
    return PKM_OK;
}

// ---- published values -------------------------------------------------------------------------

/// A published value beside ours, in the unit it was printed in.
typedef struct published {
    const pkm_desc_published* from;
    double printed, computed; ///< NaN: not computed
    bool met;
} published;

enum { MAX_PUBLISHED = 64 };

static int read_published(const pkm_robot* robot, const char* motion, const pkm_table* table,
                          published* out)
{
    int n = 0;
    for (int p = 0; p < robot->desc->n_published && n < MAX_PUBLISHED; ++p) {
        const pkm_desc_published* from = &robot->desc->published[p];
        if (from->motion && strcmp(from->motion, motion) != 0) continue;
        published* now = &out[n++];
        *now = (published){.from = from, .printed = from->value / from->unit_factor};
        now->computed = NAN;
        double value;
        if (!from->quantity || pkm_table_evaluate(table, from->quantity, &value, NULL) != PKM_OK)
            continue;
        now->computed = value / from->unit_factor;
        now->met = pkm_published_agrees(from, value);
    }
    return n;
}

static void print_published(const published* list, int n)
{
    if (n == 0) return;
    printf("\npublished values                                    published     computed\n");
    for (int i = 0; i < n; ++i) {
        const published* p = &list[i];
        char computed[32] = "-";
        if (!isnan(p->computed)) snprintf(computed, sizeof computed, "%.6g", p->computed);
        static const char* const side[] = {" ", ">", "<"};
        printf("  %-47.47s %s%10.6g %12s %-8s %s\n", p->from->text, side[p->from->bound],
               p->printed, computed, p->from->unit,
               isnan(p->computed) ? ""
               : p->met           ? "met"
                                  : "differs");
        if (p->from->note && !p->met) printf("      %s\n", p->from->note);
    }
}

// ---- for people -------------------------------------------------------------------------------

static int force_column(const pkm_robot* robot, const pkm_table* table, int d)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.force", robot->mech->drive[d].name);
    return pkm_table_find(table, name);
}

static void print_drives(const pkm_robot* robot, const pkm_table* table)
{
    printf("drive                  min          max      largest  at t [s]         rms\n");
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const int c = force_column(robot, table, d);
        int row = 0;
        const double low = pkm_table_reduce(table, c, PKM_REDUCE_MIN, NULL);
        const double high = pkm_table_reduce(table, c, PKM_REDUCE_MAX, NULL);
        const double most = pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, &row);
        const double rms = pkm_table_reduce(table, c, PKM_REDUCE_RMS, NULL);
        printf("  %-12s %11.6g  %11.6g  %11.6g  %8.4g %11.6g %s\n", robot->mech->drive[d].name, low,
               high, most, pkm_table_get(table, row, 0), rms, pkm_table_unit(table, c));
    }
}

/// What is left of the balance, against the energy that the drives exchanged with the robot.
static double energy_residual(const pkm_inverse_report* r)
{
    const double off = fabs(r->drive_work + r->load_work - r->friction_loss - r->damping_loss -
                            r->energy_change - r->spring_change);
    if (!r->is_summed) return NAN;
    return r->exchanged > 0.0 ? off / r->exchanged : 0.0;
}

static void print_energy(const pkm_inverse_report* r)
{
    if (!r->is_summed) {
        printf("\nenergy: not summed, since forces jump between the rows\n");
        return;
    }
    printf("\nenergy: work of the drives %.9g J", r->drive_work);
    if (r->load_work != 0.0) printf(", of loads %.9g J", r->load_work);
    if (r->friction_loss != 0.0) printf(", lost in friction %.9g J", r->friction_loss);
    if (r->damping_loss != 0.0) printf(", in dampers %.9g J", r->damping_loss);
    printf(", change of energy %.9g J", r->energy_change);
    if (r->spring_change != 0.0) printf(", in springs %.9g J", r->spring_change);
    printf(";\n        residual %.1e of the %.6g J exchanged\n", energy_residual(r), r->exchanged);
}

static void print_balance(const pkm_inverse_report* r, pkm_method method)
{
    print_energy(r);
    if (method == PKM_METHOD_ENGINE && r->power_scale > 0.0)
        printf("power:  drives against the rate of energy, largest difference %.1e of the largest "
               "power\n",
               r->power_error / r->power_scale);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_drives(pkm_json* json, const pkm_robot* robot, const pkm_table* table)
{
    pkm_json_key(json, "drives");
    pkm_json_array_begin(json);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const int c = force_column(robot, table, d);
        int row = 0;
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", robot->mech->drive[d].name);
        pkm_json_put_string(json, "unit", pkm_table_unit(table, c));
        pkm_json_put_number(json, "min_force", pkm_table_reduce(table, c, PKM_REDUCE_MIN, NULL));
        pkm_json_put_number(json, "max_force", pkm_table_reduce(table, c, PKM_REDUCE_MAX, NULL));
        pkm_json_put_number(json, "absmax_force",
                            pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, &row));
        pkm_json_put_number(json, "absmax_time", pkm_table_get(table, row, 0));
        pkm_json_put_number(json, "rms_force", pkm_table_reduce(table, c, PKM_REDUCE_RMS, NULL));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_published(pkm_json* json, const published* list, int n)
{
    pkm_json_key(json, "published");
    pkm_json_array_begin(json);
    for (int i = 0; i < n; ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "text", list[i].from->text);
        pkm_json_put_number(json, "value", list[i].printed);
        pkm_json_put_number(json, "computed", list[i].computed);
        pkm_json_put_string(json, "unit", list[i].from->unit);
        static const char* const side[] = {NULL, "above", "below"};
        pkm_json_put_string(json, "bound", side[list[i].from->bound]);
        pkm_json_put_bool(json, "met", list[i].met);
        pkm_json_put_number(json, "tolerance", list[i].from->tolerance);
        pkm_json_put_string(json, "note", list[i].from->note ? list[i].from->note : "");
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_limits(pkm_json* json, const pkm_inverse_report* r)
{
    pkm_json_key(json, "limits_broken");
    pkm_json_array_begin(json);
    for (int i = 0; i < r->n_limit; ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "what", r->limit[i].what);
        pkm_json_put_number(json, "value", r->limit[i].value);
        pkm_json_put_number(json, "limit", r->limit[i].limit);
        pkm_json_put_string(json, "unit", r->limit[i].unit);
        pkm_json_put_number(json, "t", r->limit[i].t);
        pkm_json_put_number(json, "from", r->limit[i].from);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

/// An extreme of a column and its time; null where the robot has not the column.
static void put_extreme(pkm_json* json, const pkm_table* table, const char* column,
                        pkm_reduction reduce, const char* value, const char* time)
{
    const int c = pkm_table_find(table, column);
    const bool known = c != PKM_NONE && pkm_table_n_row(table) > 0;
    int row = 0;
    pkm_json_put_number(json, value, known ? pkm_table_reduce(table, c, reduce, &row) : NAN);
    pkm_json_put_number(json, time, known ? pkm_table_get(table, row, 0) : NAN);
}

static void put_nearness(pkm_json* json, const pkm_table* table)
{
    pkm_json_key(json, "nearness");
    pkm_json_object_begin(json);
    put_extreme(json, table, "condition", PKM_REDUCE_MAX, "condition", "condition_time");
    put_extreme(json, table, "singularity", PKM_REDUCE_MIN, "singularity", "singularity_time");
    pkm_json_object_end(json);
}

/// Works are known unless forces jump between the rows.
static double known(const pkm_inverse_report* r, double x)
{
    return r->is_summed ? x : NAN;
}

static void put_energy(pkm_json* json, const pkm_inverse_report* r)
{
    pkm_json_key(json, "energy");
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "drive_work", known(r, r->drive_work));
    pkm_json_put_number(json, "load_work", known(r, r->load_work));
    pkm_json_put_number(json, "friction_loss", known(r, r->friction_loss));
    pkm_json_put_number(json, "damping_loss", known(r, r->damping_loss));
    pkm_json_put_number(json, "change", known(r, r->energy_change));
    pkm_json_put_number(json, "spring_change", known(r, r->spring_change));
    pkm_json_put_number(json, "relative_residual", energy_residual(r));
    pkm_json_put_number(json, "power_residual",
                        r->power_scale > 0.0 ? r->power_error / r->power_scale : 0.0);
    pkm_json_object_end(json);
}

// ---- pkm inverse ------------------------------------------------------------------------------

/// All of one run, so that the steps below stay short.
typedef struct inverse_run {
    cli_arguments args;
    pkm_robot* robot;
    pkm_table* table;
    pkm_run* run;
    pkm_inverse_settings settings;
    pkm_inverse_report report;
    const pkm_motion* motion;
    int motion_index;
    published published[MAX_PUBLISHED];
    int n_published;
    char folder[1024];
    double wall_time;
    pkm_snapshots* snapshots;
} inverse_run;

/// A closed form does not know where all bodies are: the snapshots of the same motion by the
/// engine. Not having one is no fault of the run.
static void snapshots_by_engine(inverse_run* run)
{
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = run->settings;
    settings.method = PKM_METHOD_ENGINE;
    settings.progress = NULL;
    pkm_snapshots_rewind(run->snapshots);
    if (table && pkm_inverse_run(run->robot, run->motion_index, &settings, table, NULL, NULL))
        pkm_snapshots_rewind(run->snapshots);
    pkm_table_free(table);
}

static pkm_status find_motion(inverse_run* run, pkm_error* err)
{
    run->motion_index = run->run->settings.motion;
    if (run->motion_index == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: inverse dynamics needs a motion",
                        run->robot->desc->name);
    run->motion = pkm_robot_get_motion(run->robot, run->motion_index);
    return PKM_OK;
}

static pkm_status compute(inverse_run* run, pkm_error* err)
{
    PKM_TRY(read_run(&run->args, run->robot, &run->run, err));
    PKM_TRY(read_settings(&run->args, run->run, &run->settings, err));
    PKM_TRY(find_motion(run, err));
    run->table = pkm_table_create();
    run->snapshots = pkm_snapshots_create(run->robot->desc->n_body, run->settings.n_instant,
                                          PKM_SNAPSHOTS_MAX_FRAME);
    run->settings.snapshots = run->snapshots;
    if (!run->table || !run->snapshots) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_interrupt_watch();
    pkm_progress progress = pkm_progress_begin("inverse dynamics");
    run->settings.progress = pkm_progress_tick;
    run->settings.user = &progress;
    const double start = pkm_clock();
    const pkm_status status = pkm_inverse_run(run->robot, run->motion_index, &run->settings,
                                              run->table, &run->report, err);
    run->wall_time = pkm_clock() - start;
    pkm_progress_end(&progress);
    if (run->settings.method == PKM_METHOD_CLOSED) snapshots_by_engine(run);
    return status;
}

static void put_run(const void* user, pkm_json* json)
{
    const inverse_run* run = user;
    pkm_json_put_string(json, "name", run->robot->desc->name);
    pkm_json_put_string(json, "motion", pkm_motion_name(run->motion));
    pkm_json_put_string(json, "method",
                        run->settings.method == PKM_METHOD_ENGINE ? "engine" : "closed");
    pkm_json_put_integer(json, "instants", run->report.n_done);
    pkm_json_put_number(json, "duration", run->report.t_end);
    put_drives(json, run->robot, run->table);
    put_energy(json, &run->report);
    put_limits(json, &run->report);
    put_nearness(json, run->table);
    cli_put_warnings(json, pkm_table_get_warnings(run->table));
    put_published(json, run->published, run->n_published);
    pkm_json_put_string(json, "folder", run->folder);
}

static pkm_status write_folder(inverse_run* run, bool complete, pkm_error* err)
{
    enum { MAX_RESULT = 2 * PKM_MAX_DRIVE + 2 };
    pkm_manifest_result result[MAX_RESULT];
    char name[PKM_MAX_DRIVE][2 * PKM_MAX_NAME];
    char title[2 * PKM_MAX_NAME];
    int n = 0;
    for (int d = 0; d < run->robot->mech->n_drive; ++d) {
        const int c = force_column(run->robot, run->table, d);
        snprintf(name[d], sizeof name[d], "absmax %s.force", run->robot->mech->drive[d].name);
        result[n++] =
            (pkm_manifest_result){name[d], pkm_table_reduce(run->table, c, PKM_REDUCE_ABSMAX, NULL),
                                  pkm_table_unit(run->table, c)};
    }
    result[n++] = (pkm_manifest_result){"energy residual", energy_residual(&run->report), ""};
    snprintf(title, sizeof title, "%s, motion %s", run->robot->desc->name,
             pkm_motion_name(run->motion));
    const cli_run out = {.args = &run->args,
                         .robot = run->robot,
                         .motion = pkm_motion_name(run->motion),
                         .title = title,
                         .table = run->table,
                         .result = result,
                         .n_result = n,
                         .complete = complete,
                         .wall_time = run->wall_time,
                         .summary = put_run,
                         .snapshots = run->snapshots,
                         .user = run};
    return cli_run_write(&out, run->folder, sizeof run->folder, err);
}

static void print_run(const inverse_run* run)
{
    printf("%s, motion %s: %d instants over %.6g s, %s\n\n", run->robot->desc->name,
           pkm_motion_name(run->motion), run->report.n_done, run->report.t_end,
           run->settings.method == PKM_METHOD_ENGINE ? "general engine" : "closed form");
    print_drives(run->robot, run->table);
    print_balance(&run->report, run->settings.method);
    print_published(run->published, run->n_published);
    cli_print_warnings(pkm_table_get_warnings(run->table));
    printf("\nresults in %s\n", run->folder);
}

static int print_run_json(const inverse_run* run)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    put_run(run, &out.json);
    return cli_json_end(&out);
}

/// Write what there is. A run that ends early (out of reach, singular, interrupted) keeps the rows
/// before that, and its message says where they are.
static int finish(inverse_run* run, pkm_status status, pkm_error* err)
{
    const bool early = status != PKM_OK || run->report.interrupted;
    if (run->report.n_done > 0) {
        run->n_published =
            read_published(run->robot, pkm_motion_name(run->motion), run->table, run->published);
        pkm_error write_err = {0};
        const pkm_status written = write_folder(run, !early, &write_err);
        if (written != PKM_OK) return cli_fail(&write_err);
    }
    if (!early) return cli_has(&run->args, "--json") ? print_run_json(run) : (print_run(run), 0);

    char kept[1100] = "no rows were computed";
    if (run->report.n_done > 0)
        snprintf(kept, sizeof kept, "the %d rows before that are in %s", run->report.n_done,
                 run->folder);
    if (status != PKM_OK) {
        const pkm_error why = *err;
        pkm_fail_at(err, status, why.file, why.line, why.column, "%s; %s", why.text, kept);
        return cli_fail(err);
    }
    fprintf(stderr, "pkm: interrupted at t = %.6g s; %s\n", run->report.t_end, kept);
    return pkm_interrupt_code();
}

static int run_inverse(const cli_verb* verb, int argc, char** argv)
{
    static inverse_run run; // too large for the stack
    pkm_error err = {0};
    int code;
    if (!cli_begin(verb, argc, argv, &run.args, &run.robot, &code)) return code;
    const pkm_status status = compute(&run, &err);
    code = finish(&run, status, &err);
    pkm_table_free(run.table);
    pkm_snapshots_free(run.snapshots);
    pkm_run_free(run.run);
    pkm_robot_free(run.robot);
    return code;
}

// ---- pkm compare ------------------------------------------------------------------------------

static double relative_difference(const pkm_robot* robot, const pkm_compare_row* row)
{
    double largest = 0.0, difference = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        largest = fmax(largest, row[d].largest_force);
        difference = fmax(difference, row[d].difference);
    }
    return largest > 0.0 ? difference / largest : difference;
}

static void print_compare(const pkm_robot* robot, const char* motion, int n,
                          const pkm_compare_row* row)
{
    printf("%s, motion %s, %d instants: general engine against closed form %s\n\n",
           robot->desc->name, motion, n, pkm_closed_get_family(robot->closed)->name);
    printf("drive          largest force   largest difference   at t [s]\n");
    for (int d = 0; d < robot->mech->n_drive; ++d)
        printf("  %-12s %12.6g %-4s %15.3g %11.5g\n", robot->mech->drive[d].name,
               row[d].largest_force, pkm_robot_drive_unit(robot, d, -1), row[d].difference,
               row[d].t);
    printf("\nlargest difference %.2e of the largest force\n", relative_difference(robot, row));
}

static int print_compare_json(const pkm_robot* robot, const char* motion, int n,
                              const pkm_compare_row* row)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    pkm_json_put_string(json, "name", robot->desc->name);
    pkm_json_put_string(json, "motion", motion);
    pkm_json_put_integer(json, "instants", n);
    pkm_json_put_string(json, "closed_form", pkm_closed_get_family(robot->closed)->name);
    pkm_json_key(json, "drives");
    pkm_json_array_begin(json);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", robot->mech->drive[d].name);
        pkm_json_put_number(json, "largest_force", row[d].largest_force);
        pkm_json_put_number(json, "difference", row[d].difference);
        pkm_json_put_number(json, "t", row[d].t);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_put_number(json, "relative_difference", relative_difference(robot, row));
    return cli_json_end(&out);
}

static pkm_status read_compare(const cli_arguments* args, pkm_inverse_settings* out, pkm_error* err)
{
    const char* instants = cli_get(args, "--instants");
    *out = pkm_inverse_settings_defaults();
    if (instants) PKM_TRY(cli_integer(instants, 2, "--instants", &out->n_instant, err));
    return cli_tool_force(args, &out->tool_force, &out->tool_torque, err);
}

static int run_compare(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_robot* robot;
    pkm_error err = {0};
    int code, index = 0;
    if (!cli_begin(verb, argc, argv, &args, &robot, &code)) return code;
    pkm_inverse_settings settings;
    pkm_compare_row row[PKM_MAX_DRIVE];
    pkm_motion* motion = NULL;
    pkm_table *engine = pkm_table_create(), *closed = pkm_table_create();
    pkm_status status = engine && closed ? PKM_OK : pkm_fail(&err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = read_compare(&args, &settings, &err);
    if (status == PKM_OK)
        status = pkm_robot_find_motion(robot, cli_get(&args, "--motion"), &motion, &index, &err);
    if (status == PKM_OK)
        status = pkm_compare_run(robot, index, &settings, engine, closed, row, &err);
    if (status != PKM_OK)
        code = cli_fail(&err);
    else if (cli_has(&args, "--json"))
        code = print_compare_json(robot, pkm_motion_name(motion), settings.n_instant, row);
    else
        print_compare(robot, pkm_motion_name(motion), settings.n_instant, row);
    pkm_table_free(engine);
    pkm_table_free(closed);
    pkm_robot_free(robot);
    return code;
}
