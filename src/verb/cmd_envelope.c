// pkm envelope: all shifts of the tool that clearance allows, at a pose or along a motion,
// docs/theory/clearance.md.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "clearance/envelope_result.h"
#include "math/angle.h"
#include "verb/pose.h"
#include "verb/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--clearance"},
    {.name = "--run"},
    {.name = "--at"},
    {"--motion", "NAME", .text = "along this motion of the model, not at one position",
     .key = "motion"},
    {"--instants", "N", .text = "rows of the table along a motion; 201 when not given",
     .key = "instants", .with = "--motion"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/ROBOT-PLACE-envelope` when not given"},
};

static pkm_status run_envelope(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_envelope = {
    .name = "envelope",
    .operand = "MODEL",
    .text = "bounds of the tool's error over all positions that clearance leaves the joints",
    .help = "The drives are held. Every ball, pin and slider may lie anywhere in its bearing: the\n"
            "largest errors of the tool along each axis and in any direction, an ellipsoid around\n"
            "all of them, extreme poses by linear programming, checked with the loops closed.",
    .example = "pkm envelope robots/siax.yaml --clearance 'spherical: {radial: 0.1 mm}'",
    .another = "pkm envelope robots/siax.yaml --clearance 'A.*: {radial: 50 um}' --at 0.1,0,-0.9",
    VERB_OPTIONS(options),
    .writes = true,
    .run = run_envelope,
};

/// A run of pkm envelope.
typedef struct envelope_run {
    const pkm_verb_arguments* args;
    pkm_run* run;
    pkm_envelope_work work;
    char folder[1024];
    pkm_result* result;
} envelope_run;

// ---- texts ------------------------------------------------------------------------------------

static const char pose_text[] =
    "{name}, clearance in {clearance_joints:d} joint[{!_one}s], drives held, {tool} at "
    "({_at:.4f/, }) m\n\n"
    "largest error along    first order   linear program     loops closed\n"
    "{*axes}  {axis:-16s} {bound:15.6g|1e3} {linear_program:16.6g|1e3} {closed:16.6g|1e3}  "
    "{_unit}\n{/}"
    "\nlargest shift {shift:.6g|1e3} mm along ({_shift_along:.4f/, }), loops closed "
    "{shift_closed:.6g|1e3} mm\n"
    "largest turn  {turn:.6g|1e3} mrad about ({_turn_about:.4f/, }), loops closed "
    "{turn_closed:.6g|1e3} mrad\n"
    "all shifts lie in the ellipsoid with the half axes\n"
    "{*shift_ellipsoid}  {semi_axis:-12.6g|1e3} mm   along ({_along:.4f/, })\n{/}"
    "all turns lie in the ellipsoid with the half axes\n"
    "{*turn_ellipsoid}  {semi_axis:-12.6g|1e3} mrad along ({_along:.4f/, })\n{/}"
    "\njoint             adds to the largest shift       to the largest turn\n"
    "{*joints}  {name:-16s} {shift:10.4g|1e3} mm {_shift:6.1f} %   {turn:12.4g|1e3} mrad "
    "{_turn:6.1f} %[{?_second}  second pin]\n{/}"
    "[\nresults in {folder}\n]";

static const char motion_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} s, clearance in "
    "{clearance_joints:d} joint[{!_one}s], drives held\n\n"
    "largest of {tool:-20s}      bound   at t \\[s\\]\n"
    "{*bounds}  {_words:-26s} {value:12.6g|1e3}   {t:8.4g}  {_unit}\n{/}"
    "[\nresults in {folder}\n]";

// ---- choices ----------------------------------------------------------------------------------

/// A place on the command line rules over the motion of a run file.
static pkm_status read_choices(envelope_run* env, pkm_error* err)
{
    const pkm_verb_arguments* args = env->args;
    PKM_TRY(pkm_verb_run_begin(args, env->work.robot, &env->run, err));
    env->run->asked.has_at = pkm_verb_has(args, "--at");
    // both on the command line are refused further on
    if (env->run->asked.has_at && !pkm_verb_has(args, "--motion")) env->run->has_motion = false;
    PKM_TRY(pkm_verb_run_complete(args, env->run, err));
    return pkm_envelope_work_begin(&env->work, env->run, err);
}

// ---- results ----------------------------------------------------------------------------------

/// The table of the plot: shifts and turns in two panels.
static const struct {
    const char *from, *to;
} curve[] = {{"ex", "largest shift.along x"},   {"ey", "largest shift.along y"},
             {"ez", "largest shift.along z"},   {"shift", "largest shift.any direction"},
             {"a1", "largest shift.ellipsoid"}, {"erx", "largest turn.about x"},
             {"ery", "largest turn.about y"},   {"erz", "largest turn.about z"},
             {"turn", "largest turn.any axis"}, {"b1", "largest turn.ellipsoid"}};
enum { N_CURVE = sizeof curve / sizeof curve[0] };

/// Columns of the answer under the names of curves: "largest shift.along x".
static pkm_status make_plot(const envelope_run* env, pkm_table* out, pkm_verb_plot* plot)
{
    const pkm_mechanism* mech = env->work.robot->mech;
    int from[N_CURVE];
    *plot = (pkm_verb_plot){.file = "envelope.svg", .table = out};
    if (!out || pkm_table_add_column(out, "t", "s") == PKM_NONE) return PKM_ERR_MEMORY;
    for (int c = 0; c < N_CURVE; ++c) {
        char name[2 * PKM_MAX_NAME];
        snprintf(name, sizeof name, "%s.%s", pkm_short_name(mech->marker[mech->tool].name),
                 curve[c].from);
        // names of curves are "panel.legend": what stands before the point is the panel
        from[c] = pkm_table_find(env->work.table, name);
        plot->column[plot->n_column++] =
            pkm_table_add_column(out, curve[c].to, pkm_table_unit(env->work.table, from[c]));
    }
    for (int i = 0; i < pkm_table_n_row(env->work.table); ++i) {
        double* row = pkm_table_append(out);
        if (!row) return PKM_ERR_MEMORY;
        // time, then the curves in their order
        *row++ = pkm_table_get(env->work.table, i, 0);
        for (int c = 0; c < N_CURVE; ++c)
            *row++ = pkm_table_get(env->work.table, i, from[c]);
    }
    return PKM_OK;
}

enum { AROUND = 48, UPWARDS = 24 }; // directions of the body of shifts

/// The outermost shift in direction `u`.
static void put_outermost(envelope_run* env, pkm_vec3 u, double* y, pkm_json* json)
{
    // the support of the set in direction (u, 0): y maximises w . error
    const double w[PKM_ERROR_AXES] = {u.x, u.y, u.z, 0.0, 0.0, 0.0};
    double error[PKM_ERROR_AXES];
    pkm_error_set_support(&env->work.set, w, y);
    pkm_error_set_linear(&env->work.set, y, error);
    pkm_json_numbers(json, error, 3);
}

/// All shifts that the clearance leaves the tool, to first order, as a convex body: its outermost
/// points in directions round z, ring by ring from below to above.
static void put_body(const void* user, pkm_json* json)
{
    envelope_run* env = *(envelope_run* const*)user;
    double* y = pkm_alloc((size_t)env->work.set.seat.regions.n_y, sizeof *y);
    // a body belongs to a pose
    if (env->work.along_motion || !y) {
        pkm_free(y);
        return;
    }
    pkm_json_open_object(json, "shifts");
    pkm_json_put_integer(json, "around", AROUND);
    pkm_json_put_integer(json, "rings", UPWARDS + 1);
    pkm_json_open_array(json, "points");
    // rings from pole to pole, the poles as rings of equal points: the page draws strips between
    // rings
    for (int j = 0; j <= UPWARDS; ++j)
        for (int i = 0; i < AROUND; ++i) {
            const double turn = 2.0 * PKM_PI * i / AROUND,
                         up = PKM_PI * (j - UPWARDS / 2) / UPWARDS;
            const pkm_vec3 u = {cos(up) * cos(turn), cos(up) * sin(turn), sin(up)};
            put_outermost(env, u, y, json);
        }
    pkm_json_array_end(json);
    pkm_json_object_end(json);
    pkm_free(y);
}

static pkm_status write_folder(envelope_run* env, const pkm_verb_plot* plot, pkm_error* err)
{
    char title[2 * PKM_MAX_NAME];
    const char* place = pkm_verb_has(env->args, "--at") ? "pose" : "home";
    if (env->work.along_motion)
        place = pkm_motion_name(env->work.robot->desc->motion[env->work.motion].motion);
    snprintf(title, sizeof title, "%s, motion %s: errors from clearance",
             env->work.robot->desc->name, place);
    // the tree is filled before the folder is written, which takes its headlines from it
    env->result = pkm_verb_result(env->args);
    const pkm_verb_run out = {.args = env->args,
                              .robot = env->work.robot,
                              .motion = place,
                              .title = title,
                              .ending = "-envelope",
                              .table = env->work.table,
                              .complete = !env->work.report.interrupted,
                              .wall_time = env->work.wall_time,
                              .plot = plot,
                              .n_plot = plot ? 1 : 0,
                              .stands = env->work.along_motion ? NULL : env->work.robot->state->q,
                              .more = put_body,
                              .user = &env,
                              .tree = env->result};
    pkm_envelope_result(&env->work, env->result);
    return pkm_verb_run_write(&out, env->folder, sizeof env->folder, err);
}

static pkm_status write_results(envelope_run* env, pkm_error* err)
{
    if (!env->work.along_motion) return write_folder(env, NULL, err);
    pkm_verb_plot plot;
    pkm_table* table = pkm_table_create();
    pkm_status status = make_plot(env, table, &plot);
    if (status == PKM_OK)
        status = write_folder(env, &plot, err);
    else
        pkm_out_of_memory(err);
    pkm_table_free(table);
    return status;
}

// ---- the verb ---------------------------------------------------------------------------------

static pkm_status compute(envelope_run* env, pkm_error* err)
{
    const double start = pkm_clock();
    PKM_TRY(read_choices(env, err));
    env->work.table = pkm_verb_table(env->args, "rows");
    if (!env->work.table) return pkm_out_of_memory(err);
    // the linear programs are about the pose where the robot stands
    if (!env->work.along_motion) PKM_TRY(pkm_verb_go_to_pose(env->args, env->work.robot, err));
    pkm_verb_progress progress = pkm_verb_progress_begin(env->args, "envelope");
    env->run->progress = pkm_verb_progress_tick;
    env->run->user = &progress;
    const pkm_status status = pkm_envelope_work_run(&env->work, env->run, err);
    pkm_verb_progress_end(&progress);
    PKM_TRY(status);
    env->work.wall_time = pkm_clock() - start;
    return write_results(env, err);
}

static pkm_status finish(const envelope_run* env, pkm_error* err)
{
    if (env->work.report.interrupted)
        return pkm_verb_run_interrupted(env->work.report.t_end, env->work.report.n_done,
                                        env->folder, err);
    return pkm_verb_show(env->args, env->work.along_motion ? motion_text : pose_text, err);
}

static pkm_status run_envelope(const pkm_verb_arguments* args, pkm_error* err)
{
    envelope_run* env = pkm_verb_work(args, sizeof *env, err);
    if (!env) return PKM_ERR_MEMORY;
    env->args = args;
    PKM_TRY(pkm_verb_begin(args, &env->work.robot, err));
    pkm_status status = compute(env, err);
    if (status == PKM_OK) status = finish(env, err);
    pkm_envelope_work_free(&env->work);
    pkm_run_free(env->run);
    return status;
}
