// pkm fastest: the shortest duration of a motion within the limits of drives and tool,
// docs/theory/motion.md, section 6.
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "robot/fastest.h"
#include "robot/inverse_result.h"
#include "verb/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    {"--force", "F | F1,F2,...",
     .text = "limits of the drives' forces (default: those of the model)"},
    {"--velocity", "V | V1,V2,...", .text = "of their rates"},
    {"--acceleration", "A | A1,A2,...", .text = "of their accelerations"},
    {"--jerk", "J | J1,J2,...", .text = "of their jerks"},
    {"--tool-speed", "V", .text = "limit of the tool's speed"},
    {"--tool-acceleration", "A", .text = "limit of the tool's acceleration"},
    {"--tool-jerk", "J", .text = "limit of the tool's jerk"},
    {.name = "--tool-force"},
    {"--points", "N", .text = "places along the path (default 1000)"},
    {"-o", "DIR", .text = "folder for the table and plots of the fastest motion"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_fastest = {
    .name = "fastest",
    .operand = "MODEL",
    .text = "the shortest time for a path within the limits of drives and tool",
    .help = "Keeps the path of a motion and finds how fast it can be done: with its own law\n"
            "stretched or compressed evenly, and with the best speed along the path, at which\n"
            "some limit is used up everywhere. Limits are forces, rates and accelerations of the\n"
            "drives, speed and acceleration of the tool. With limits of jerk also the shortest of\n"
            "the S-curves along the path, which keeps all limits; the best speed without them is\n"
            "below what any motion can reach.",
    .example = "pkm fastest robots/siax.yaml --motion paper --force 450",
    .another = "pkm fastest robots/triglide.yaml --motion line --acceleration 20 --velocity 1",
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}, path of motion {motion}\n"
    "\nas it is written            {given:10.6g} s\n"
    "its law, stretched evenly   {stretched:10.6g} s   {_stretched_rate:8.4g} per minute"
    "[{?smooth}, whatever the jerk]\n"
    "best speed along the path   {fastest:10.6g} s   {_fastest_rate:8.4g} per minute, {switches:d} "
    "changes of the limit that rules[{?smooth}, whatever the jerk]\n"
    "[S-curve within the jerk      {smooth:10.6g} s   {_smooth_rate:8.4g} per minute\n]"
    "\nlargest use of a limit {use:.9g}\n"
    "[\nresults in {folder}\n]";

/// All of one answer.
typedef struct fastest {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_motion* motion;
    int index;
    pkm_fastest_settings settings;
    pkm_fastest found;
    pkm_table* table;
    pkm_result* result;
    double start; ///< [s]
    char folder[1024];
} fastest;

/// One number for all drives, or one each; units by the drive.
static pkm_status read_limits(const fastest* f, const char* option, int derivative, double* out,
                              pkm_error* err)
{
    const char* given = pkm_verb_get(f->args, option);
    const int n_drive = f->robot->mech->n_drive;
    const char* unit[PKM_MAX_DRIVE];
    double x[PKM_MAX_DRIVE] = {0.0};
    int n;
    if (!given) return PKM_OK;
    for (int d = 0; d < n_drive; ++d)
        // derivatives 1 to 3 are rates, 0 the force
        unit[d] = derivative > 0 ? pkm_robot_drive_unit(f->robot, d, derivative)
                  : f->robot->mech->drive[d].is_rotary ? "N m"
                                                       : "N";
    PKM_TRY(pkm_verb_numbers(given, unit, option, n_drive, x, &n, err));
    if (n != 1 && n != n_drive)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d numbers, expected 1 or %d", option, n,
                        n_drive);
    for (int d = 0; d < n_drive; ++d) {
        // a single number is the limit of every drive
        out[d] = x[n == 1 ? 0 : d];
        // NaN is refused with zero
        if (!(out[d] > 0.0))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %g, expected > 0", option, out[d]);
    }
    return PKM_OK;
}

static pkm_status read_tool(const fastest* f, const char* option, const char* unit, double* out,
                            pkm_error* err)
{
    const char* given = pkm_verb_get(f->args, option);
    if (!given) return PKM_OK;
    // a limit of the tool asks for one
    PKM_TRY(pkm_robot_require_tool(f->robot, err));
    PKM_TRY(pkm_verb_number(given, unit, option, out, err));
    if (*out > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %g, expected > 0", option, *out);
}

static pkm_status read_settings(fastest* f, pkm_error* err)
{
    pkm_fastest_settings* s = &f->settings;
    const char* points = pkm_verb_get(f->args, "--points");
    // what the model states of its drives holds until an option says otherwise
    *s = (pkm_fastest_settings){.limits = pkm_fastest_limits_of(f->robot),
                                .n_point = PKM_FASTEST_POINTS};
    if (points) PKM_TRY(pkm_verb_integer(points, 10, "--points", &s->n_point, err));
    PKM_TRY(read_limits(f, "--force", 0, s->limits.force, err));
    PKM_TRY(read_limits(f, "--velocity", 1, s->limits.velocity, err));
    PKM_TRY(read_limits(f, "--acceleration", 2, s->limits.acceleration, err));
    PKM_TRY(read_limits(f, "--jerk", 3, s->limits.jerk, err));
    PKM_TRY(read_tool(f, "--tool-jerk", "m/s3", &s->limits.tool_jerk, err));
    PKM_TRY(read_tool(f, "--tool-speed", "m/s", &s->limits.tool_speed, err));
    PKM_TRY(read_tool(f, "--tool-acceleration", "m/s2", &s->limits.tool_acceleration, err));
    return pkm_verb_tool_force(f->args, &s->tool_force, &s->tool_torque, err);
}

static void put_all(fastest* f)
{
    pkm_result* out = f->result;
    pkm_result_text(out, "name", f->robot->desc->name);
    pkm_result_text(out, "motion", pkm_motion_name(f->motion));
    pkm_result_number(out, "given", "s", f->found.given);
    pkm_result_number(out, "stretched", "s", f->found.stretched);
    pkm_result_number(out, "fastest", "s", f->found.best);
    pkm_result_number(out, "smooth", "s", f->found.smooth);
    // cycles per minute, as makers of pick-and-place robots state them
    pkm_result_number(out, "_smooth_rate", "", 60.0 / f->found.smooth);
    pkm_result_number(out, "_stretched_rate", "", 60.0 / f->found.stretched);
    pkm_result_number(out, "_fastest_rate", "", 60.0 / f->found.best);
    // near 1 everywhere: in every instant some limit is used up, which is what makes it the fastest
    pkm_result_number(out, "use", "", f->found.busiest);
    pkm_result_integer(out, "switches", f->found.n_switch);
    pkm_result* lines = pkm_result_list(out, "_headlines");
    pkm_headline_result(lines, "shortest duration along the path", f->found.best, "s");
    if (!isnan(f->found.smooth))
        pkm_headline_result(lines, "shortest S-curve along the path", f->found.smooth, "s");
    pkm_headline_result(lines, "shortest duration with its law", f->found.stretched, "s");
    pkm_headline_result(lines, "largest use of a limit", f->found.busiest, "");
}

static pkm_status write_folder(fastest* f, pkm_error* err)
{
    char title[2 * PKM_MAX_NAME];
    snprintf(title, sizeof title, "%s, path of %s as fast as it goes", f->robot->desc->name,
             pkm_motion_name(f->motion));
    pkm_verb_plot plot = {.file = "use.svg", .table = f->table};
    // beside the usual pictures the use of the limits over time
    plot.column[plot.n_column++] = pkm_table_find(f->table, "use");
    const pkm_verb_run out = {.args = f->args,
                              .robot = f->robot,
                              .motion = pkm_motion_name(f->motion),
                              .title = title,
                              .ending = "-fastest",
                              .table = f->table,
                              .complete = true,
                              .wall_time = pkm_clock() - f->start,
                              .plot = &plot,
                              .n_plot = 1,
                              .tree = f->result};
    return pkm_verb_run_write(&out, f->folder, sizeof f->folder, err);
}

static pkm_status answer(fastest* f, pkm_error* err)
{
    PKM_TRY(read_settings(f, err));
    PKM_TRY(pkm_verb_find_motion(f->args, "--motion", f->robot, &f->motion, &f->index, err));
    f->table = pkm_verb_table(f->args, "rows");
    if (!f->table) return pkm_out_of_memory(err);
    PKM_TRY(pkm_fastest_find(f->robot, f->index, &f->settings, f->table, &f->found, err));
    put_all(f);
    return pkm_verb_has(f->args, "-o") ? write_folder(f, err) : PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    fastest* f = pkm_verb_work(args, sizeof *f, err);
    if (!f) return PKM_ERR_MEMORY;
    f->args = args;
    f->result = pkm_verb_result(args);
    f->start = pkm_clock();
    PKM_TRY(pkm_verb_begin(args, &f->robot, err));
    PKM_TRY(answer(f, err));
    return pkm_verb_show(args, text, err);
}
