#include "cli/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/ked_task.h"
#include "cli/run_folder.h"
#include "reproduce/kuo_model.h"
#include "reproduce/kuo_response.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--motion", "NAME", "response in time on a motion of the model (the first)"},
    {"--flexible", "BODIES: {...}", "flexible links (all that can); may be repeated"},
    {"--drives-are", "HOW", "locked to the motion, {stiffness: K} or {DRIVE: HOW} (locked)"},
    {"--load", "NAME: {...}", "a force, spring or bushing; may be repeated"},
    {"--payload", "NAME: {...}", "a mass that is carried; may be repeated"},
    {"--tool-force", "FX,FY,FZ[,MX,MY,MZ]", "force [N] and torque [N m] on the tool, world axes"},
    {"--run", "FILE", "choices from a run file; those above are put over it"},
    {"--for", "TIME", "how long (as long as the motion)"},
    {"--step", "TIME", "of the response (from the lowest frequency; Kuo's Delta 1 ms)"},
    {"--start", "NAME", "static, undeformed, or periodic: the response repeats (static)"},
    {"--repeat", "N", "run the motion N times (1)"},
    {"--without-coupling", NULL, "leave out the terms of turning axes"},
    {"--stiffening", NULL, "forces of the motion stiffen or soften the links"},
    {"--instants", "N", "rows of the table, evenly spaced in time (401)"},
    {"--verify", NULL, "repeat with half the step: an error bar for every peak"},
    {"-o", "DIR", "folder for the response (pkm-out/ROBOT-MOTION-flexible)"},
    {"--at", "X,Y,Z", "Kuo's Delta without --motion: position of the tool (home)"},
    {"--convergence", "A..B", "table for A to B elements per link (1..4)"},
    {"--modes", "N", "number of frequencies, 1 to 24 (8)"},
    {"--weight", NULL, "frequencies with the axial forces of gravity"},
    {"--assembly", "NAME", "physical, or kuo-2016: as behind the published tables (physical)"},
    {"--shape", "NAME", "shape functions: linear-cubic or cubic-quintic (linear-cubic)"},
    {"--torsion", "NAME", "of rectangles: polar as in the paper, or st-venant (polar)"},
    {"--elements", "N", "per link, for the response of Kuo's Delta (1)"},
};

static int run(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_elastodynamics = {
    .name = "elastodynamics",
    .operand = "MODEL",
    .text = "flexible links on the rigid motion, linear: deflections in time, drives, peaks",
    .help =
        "Links bend about the prescribed rigid motion, drives locked to it or elastic: a linear\n"
        "system with matrices that change in time, by Newmark's method. Fast, and independent of\n"
        "pkm simulate. Writes a table with the same names, plots (SVG) and manifest.json. Kuo's\n"
        "Delta (robots/kuo.yaml) without --flexible: the method and the tables of the paper.",
    .example = "pkm elastodynamics robots/siax.yaml --flexible 'left: {}' --flexible 'right: {}'",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

enum { MAX_MODE = 24, MAX_ROW = 32 };

/// What was asked.
typedef struct task {
    const cli_arguments* args;
    pkm_robot* robot;
    pkm_kuo_robot kuo;
    pkm_kuo_settings settings;
    pkm_vec3 at;
    int first, last, n_mode;
} task;

/// One row of the table of frequencies.
typedef struct row {
    int n_element, n_coordinate;
    double omega[MAX_MODE];
} row;

// ---- options ----------------------------------------------------------------------------------

/// One of two words; `out` is 0 or 1, 0 when the option is not given.
static pkm_status read_choice(const cli_arguments* args, const char* option, const char* first,
                              const char* second, int* out, pkm_error* err)
{
    const char* text = cli_get(args, option);
    *out = text && strcmp(text, second) == 0;
    if (!text || *out || strcmp(text, first) == 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected %s or %s", option, text, first,
                    second);
}

static pkm_status read_convergence(task* t, pkm_error* err)
{
    const char* text = cli_get(t->args, "--convergence");
    t->first = 1;
    t->last = 4;
    if (!text) return PKM_OK;
    char end;
    const int n = sscanf(text, "%d..%d%c", &t->first, &t->last, &end);
    if (n == 1) t->last = t->first;
    if ((n != 1 && n != 2) || t->first < 1 || t->last < t->first || t->last - t->first >= MAX_ROW)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--convergence: '%s', expected A..B with 1 <= A <= B", text);
    if (t->last > MAX_ROW)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--convergence: %d elements, expected at most %d",
                        t->last, MAX_ROW);
    return PKM_OK;
}

static pkm_status read_position(task* t, pkm_error* err)
{
    static const char* const unit[] = {"m", "m", "m"};
    const char* text = cli_get(t->args, "--at");
    t->at = t->robot->tool_home.p;
    if (!text) return PKM_OK;
    double x[3];
    int n;
    PKM_TRY(cli_numbers(text, unit, "--at", 3, x, &n, err));
    if (n != 3) return pkm_fail(err, PKM_ERR_ARGUMENT, "--at: %d numbers, expected 3", n);
    t->at = (pkm_vec3){x[0], x[1], x[2]};
    return PKM_OK;
}

static pkm_status read_task(task* t, pkm_error* err)
{
    int torsion, assembly, shape;
    PKM_TRY(read_choice(t->args, "--torsion", "polar", "st-venant", &torsion, err));
    PKM_TRY(read_choice(t->args, "--assembly", "physical", "kuo-2016", &assembly, err));
    PKM_TRY(read_choice(t->args, "--shape", "linear-cubic", "cubic-quintic", &shape, err));
    t->settings.assembly = assembly ? PKM_KUO_PUBLISHED : PKM_KUO_PHYSICAL;
    t->settings.shape = shape ? PKM_BEAM_CUBIC_QUINTIC : PKM_BEAM_LINEAR_CUBIC;
    t->settings.is_weighted = cli_has(t->args, "--weight");
    if (assembly && t->settings.is_weighted)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--weight: needs the physical assembly");
    const char* modes = cli_get(t->args, "--modes");
    t->n_mode = 8;
    if (modes) PKM_TRY(cli_integer(modes, 1, "--modes", &t->n_mode, err));
    if (t->n_mode > MAX_MODE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--modes: %d, expected at most %d", t->n_mode,
                        MAX_MODE);
    PKM_TRY(read_convergence(t, err));
    PKM_TRY(read_position(t, err));
    return pkm_kuo_robot_from(
        t->robot, torsion ? PKM_BEAM_TORSION_ST_VENANT : PKM_BEAM_TORSION_POLAR, &t->kuo, err);
}

// ---- frequencies ------------------------------------------------------------------------------

static pkm_status find_row(const task* t, int n_element, row* out, pkm_error* err)
{
    pkm_kuo_settings settings = t->settings;
    settings.n_element = n_element;
    pkm_kuo* kuo = NULL;
    pkm_status status = pkm_kuo_create(&t->kuo, &settings, &kuo, err);
    if (status == PKM_OK) status = pkm_kuo_frequencies(kuo, t->at, t->n_mode, out->omega, err);
    if (status == PKM_OK) {
        out->n_element = n_element;
        out->n_coordinate = pkm_kuo_size(kuo);
    }
    pkm_kuo_free(kuo);
    return status;
}

static const char* assembly_name(const task* t)
{
    return t->settings.assembly == PKM_KUO_PUBLISHED ? "kuo-2016" : "physical";
}

static const char* shape_name(const task* t)
{
    return t->settings.shape == PKM_BEAM_CUBIC_QUINTIC ? "cubic-quintic" : "linear-cubic";
}

/// Less than a nanometre is zero.
static double tidy(double x)
{
    return fabs(x) < 1e-9 ? 0.0 : x;
}

static void print_rows(const task* t, const row* table, int n)
{
    printf("%s, flexible links, %s assembly, %s shape functions\n", t->robot->desc->name,
           assembly_name(t), shape_name(t));
    printf("tool at %g, %g, %g m, drives locked\n\n", tidy(t->at.x), tidy(t->at.y), tidy(t->at.z));
    printf("natural frequencies [rad/s] over the elements per link\n");
    printf("  %3s %5s", "n", "DOF");
    for (int k = 0; k < t->n_mode; ++k)
        printf(" %9sw%d", k < 9 ? " " : "", k + 1);
    printf("\n");
    for (int i = 0; i < n; ++i) {
        printf("  %3d %5d", table[i].n_element, table[i].n_coordinate);
        for (int k = 0; k < t->n_mode; ++k)
            printf(" %11.6f", table[i].omega[k]);
        printf("\n");
    }
    if (t->settings.assembly == PKM_KUO_PUBLISHED)
        printf("\nwarning: this assembly meets Tables 2 and 3 of the paper, but it is not "
               "consistent: a\n"
               "rod that is only carried along is strained (docs/theory/elastodynamics.md, 3)\n");
}

static int print_rows_json(const task* t, const row* table, int n)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    const double at[3] = {t->at.x, t->at.y, t->at.z};
    pkm_json_put_string(json, "name", t->robot->desc->name);
    pkm_json_put_string(json, "assembly", assembly_name(t));
    pkm_json_put_string(json, "shape", shape_name(t));
    pkm_json_key(json, "position");
    pkm_json_numbers(json, at, 3);
    pkm_json_key(json, "rows");
    pkm_json_array_begin(json);
    for (int i = 0; i < n; ++i) {
        pkm_json_object_begin(json);
        pkm_json_put_integer(json, "elements", table[i].n_element);
        pkm_json_put_integer(json, "coordinates", table[i].n_coordinate);
        pkm_json_key(json, "omega");
        pkm_json_numbers(json, table[i].omega, t->n_mode);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    return cli_json_end(&out);
}

static int run_frequencies(const task* t)
{
    row table[MAX_ROW];
    pkm_error err = {0};
    int n = 0;
    for (int e = t->first; e <= t->last; ++e, ++n)
        if (find_row(t, e, &table[n], &err) != PKM_OK) return cli_fail(&err);
    if (cli_has(t->args, "--json")) return print_rows_json(t, table, n);
    print_rows(t, table, n);
    return 0;
}

// ---- response ---------------------------------------------------------------------------------

static pkm_status read_response(const cli_arguments* args, int* n_element,
                                pkm_kuo_response_settings* out, pkm_error* err)
{
    *out = pkm_kuo_response_settings_defaults();
    *n_element = 1;
    const char *elements = cli_get(args, "--elements"), *step = cli_get(args, "--step");
    const char* repeat = cli_get(args, "--repeat");
    int is_periodic;
    PKM_TRY(read_choice(args, "--start", "static", "periodic", &is_periodic, err));
    if (elements) PKM_TRY(cli_integer(elements, 1, "--elements", n_element, err));
    if (step) PKM_TRY(cli_number(step, "s", "--step", &out->step, err));
    if (repeat) PKM_TRY(cli_integer(repeat, 1, "--repeat", &out->n_repeat, err));
    if (*n_element > MAX_ROW)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--elements: %d, expected at most %d", *n_element,
                        MAX_ROW);
    if (!(out->step > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--step: %g s, expected > 0", out->step);
    out->start = is_periodic ? PKM_KUO_START_PERIODIC : PKM_KUO_START_STATIC;
    out->without_coupling = cli_has(args, "--without-coupling");
    out->has_stiffening = cli_has(args, "--stiffening");
    return PKM_OK;
}

static const char* const SHIFT[6] = {"dx", "dy", "dz", "rx", "ry", "rz"};

static void print_response(const task* t, const char* motion, int n_element,
                           const pkm_kuo_response_report* report, const char* folder)
{
    static const char* const unit[2] = {"mm", "deg"};
    static const double scale[2] = {1e3, 57.29577951308232};
    printf("%s, motion %s, %d element%s per link, %d steps\n\n", t->robot->desc->name, motion,
           n_element, n_element == 1 ? "" : "s", report->n_step);
    printf("deflection of the platform  %14s %14s\n", "least", "most");
    for (int k = 0; k < 6; ++k)
        printf("  %-24s %14.6f %14.6f %s\n", SHIFT[k], scale[k / 3] * report->least[k],
               scale[k / 3] * report->most[k], unit[k / 3]);
    printf("  %-24s %14s %14.6f rad\n", "largest rotation", "", report->rotation);
    printf("  %-24s %14s %14.6f of Euler's load\n", "largest compression", "", report->compression);
    if (!report->is_small) printf("\nwarning: %s\n", report->warning);
    printf("\nresults in %s\n", folder);
}

static int print_response_json(const task* t, const char* motion, int n_element,
                               const pkm_kuo_response_report* report, const char* folder)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    pkm_json_put_string(json, "name", t->robot->desc->name);
    pkm_json_put_string(json, "motion", motion);
    pkm_json_put_integer(json, "elements", n_element);
    pkm_json_put_integer(json, "steps", report->n_step);
    pkm_json_key(json, "least");
    pkm_json_numbers(json, report->least, 6);
    pkm_json_key(json, "most");
    pkm_json_numbers(json, report->most, 6);
    pkm_json_put_number(json, "rotation", report->rotation);
    pkm_json_put_number(json, "compression", report->compression);
    pkm_json_put_bool(json, "small", report->is_small);
    pkm_json_put_string(json, "warning", report->is_small ? NULL : report->warning);
    pkm_json_put_string(json, "folder", folder);
    return cli_json_end(&out);
}

/// Columns `first` to `last` in one plot.
static cli_plot plot_columns(const pkm_table* table, const char* file, const char* first,
                             const char* last)
{
    cli_plot plot = {.file = file, .table = table};
    const int end = pkm_table_find(table, last);
    for (int c = pkm_table_find(table, first); c <= end && plot.n_column < CLI_PLOT_COLUMNS; ++c)
        plot.column[plot.n_column++] = c;
    return plot;
}

static pkm_status write_response(const task* t, const char* motion, const pkm_table* table,
                                 const pkm_kuo_response_report* report, double wall_time,
                                 char* folder, size_t size, pkm_error* err)
{
    const cli_plot plot[] = {plot_columns(table, "platform.svg", "dx", "rz"),
                             plot_columns(table, "torques.svg", "torque1", "torque3"),
                             plot_columns(table, "upper.svg", "upper1.stretch", "upper3.w"),
                             plot_columns(table, "lower.svg", "lower1.stretch", "lower3.w")};
    pkm_manifest_result result[6];
    for (int k = 0; k < 6; ++k)
        result[k] = (pkm_manifest_result){SHIFT[k], report->peak[k], k < 3 ? "m" : "rad"};
    const cli_run out = {.args = t->args,
                         .robot = t->robot,
                         .motion = motion,
                         .title = "Flexible links",
                         .ending = "-flexible",
                         .table = table,
                         .result = result,
                         .n_result = 6,
                         .complete = true,
                         .wall_time = wall_time,
                         .plot = plot,
                         .n_plot = sizeof plot / sizeof plot[0]};
    return cli_run_write(&out, folder, size, err);
}

static int run_response(task* t)
{
    pkm_error err = {0};
    pkm_motion* motion = NULL;
    pkm_kuo_response_settings settings;
    pkm_kuo_response_report report;
    pkm_kuo* kuo = NULL;
    char folder[PATH_MAX];
    const double start = pkm_clock();
    pkm_table* table = pkm_table_create();
    pkm_status status = table ? PKM_OK : pkm_fail(&err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK)
        status = pkm_robot_find_motion(t->robot, cli_get(t->args, "--motion"), &motion, NULL, &err);
    if (status == PKM_OK) status = read_response(t->args, &t->settings.n_element, &settings, &err);
    if (status == PKM_OK) status = pkm_kuo_create(&t->kuo, &t->settings, &kuo, &err);
    if (status == PKM_OK) status = pkm_kuo_follow(kuo, motion, &settings, table, &report, &err);
    const char* name = motion ? pkm_motion_name(motion) : "";
    if (status == PKM_OK)
        status = write_response(t, name, table, &report, pkm_clock() - start, folder, sizeof folder,
                                &err);
    pkm_kuo_free(kuo);
    pkm_table_free(table);
    if (status != PKM_OK) return cli_fail(&err);
    if (cli_has(t->args, "--json"))
        return print_response_json(t, name, t->settings.n_element, &report, folder);
    print_response(t, name, t->settings.n_element, &report, folder);
    return 0;
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    task t = {.args = &args};
    int code;
    if (!cli_begin(verb, argc, argv, &args, &t.robot, &code)) return code;
    pkm_error err = {0};
    if (cli_ked_wanted(&args, t.robot))
        code = cli_ked_run(&args, t.robot);
    else if (read_task(&t, &err) != PKM_OK)
        code = cli_fail(&err);
    else
        code = cli_has(&args, "--motion") ? run_response(&t) : run_frequencies(&t);
    pkm_robot_free(t.robot);
    return code;
}
