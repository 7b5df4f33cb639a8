// pkm inverse: drive forces along a motion. Rows go to files while the answer is the tree that the
// library gives.
#include "verb/commands.h"

#include "api/rows.h"
#include "base/clock.h"
#include "base/error.h"
#include "report/render.h"
#include "robot/inverse_result.h"
#include "robot/snapshots.h"
#include "verb/run_folder.h"

#include <stdio.h>

static const pkm_verb_option inverse_options[] = {
    {.name = "--motion"},
    {"--method", "engine|closed", .text = "the general engine, or the closed form of the family",
     .key = "method"},
    {.name = "--for"},
    {.name = "--instants"},
    {.name = "--tool-force"},
    {.name = "--reactions"},
    {.name = "--column"},
    {.name = "--friction"},
    {.name = "--idle"},
    {.name = "--load"},
    {.name = "--payload"},
    {.name = "--drive"},
    {.name = "--run"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/ROBOT-MOTION` when not given"},
};
static pkm_status run_inverse(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_inverse = {
    .name = "inverse",
    .operand = "MODEL",
    .text = "driving forces along a motion, with table, plots and published values",
    .help = "Positions, velocities and accelerations of all parts follow from the motion without\n"
            "time stepping; the forces of the drives from inverse dynamics, with friction, loads,\n"
            "springs, payloads and motors (pkm effects lists what each verb takes). Writes\n"
            "table.csv, table.h5, plots (SVG) and manifest.json.",
    .example = "pkm inverse robots/siax.yaml --motion paper -o siax",
    .another = "pkm inverse robots/triglide.yaml --set m_platform=2kg --tool-force 0,0,-20",
    VERB_OPTIONS(inverse_options),
    .writes = true,
    .run = run_inverse,
};
// ---- texts ------------------------------------------------------------------------------------

static const char inverse_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} s, "
    "{_method}\n" PKM_CYCLE_TEXT
    "\ndrive                  min          max      largest  at t \\[s\\]         rms\n"
    "{*drives}  {name:-12s} {_min:11.6g}  {_max:11.6g}  {_absmax:11.6g}  "
    "{absmax_time:8.4g} {_rms:11.6g} {_unit}\n{/}" PKM_MOTORS_TEXT
    "[{!_summed}\nenergy: not summed, since a payload comes or goes, velocities jump or rows "
    "are few\n]"
    "[{?_summed}\nenergy: work of the drives {energy._drive_work:.9g} {energy._drive_work_unit}"
    "[{?energy.load_work}, of loads {energy._load_work:.9g} {energy._load_work_unit}]"
    "[{?energy.friction_loss}, lost in friction {energy._friction_loss:.9g} "
    "{energy._friction_loss_unit}]"
    "[{?energy.damping_loss}, in dampers {energy._damping_loss:.9g} "
    "{energy._damping_loss_unit}]"
    ", change of energy {energy._change:.9g} {energy._change_unit}"
    "[{?energy.spring_change}, in springs {energy._spring_change:.9g} "
    "{energy._spring_change_unit}];\n"
    "        residual {energy.relative_residual:.1e} of the {energy._exchanged:.6g} "
    "{energy._exchanged_unit} exchanged\n]"
    "[{?_has_power}power:  drives against the rate of energy, largest difference "
    "{energy.power_residual:.1e} of the largest power\n]"
    "[{?published}"
    "\npublished values                                    published     computed\n]"
    "{*published}  {text:-47.47s} {_side}{value:10.6g} {_computed:12s} {unit:-8s} {_verdict}\n"
    "[      {_note}\n]{/}" PKM_RENDER_WARNINGS "[\nresults in {folder}\n]";

// ---- pkm inverse ------------------------------------------------------------------------------

/// All of one run, so that the steps below stay short.
typedef struct inverse_run {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_table* table;
    pkm_run* run;
    pkm_inverse_settings settings;
    pkm_inverse_report report;
    const pkm_motion* motion;
    int motion_index;
    char folder[1024];
    double wall_time;
    pkm_snapshots* snapshots;
    pkm_result* result;
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

static pkm_status compute(inverse_run* run, pkm_error* err)
{
    PKM_TRY(pkm_verb_run_begin(run->args, run->robot, &run->run, err));
    PKM_TRY(pkm_verb_run_complete(run->args, run->run, err));
    run->settings = pkm_rows_inverse_of(run->run);
    run->motion_index = run->run->settings.motion;
    run->motion = pkm_robot_get_motion(run->robot, run->motion_index);
    run->table = pkm_verb_table(run->args, "rows");
    run->snapshots = pkm_snapshots_create(run->robot->desc->n_body, run->settings.n_instant,
                                          PKM_SNAPSHOTS_MAX_FRAME);
    run->settings.snapshots = run->snapshots;
    if (!run->table || !run->snapshots) return pkm_out_of_memory(err);
    pkm_verb_progress progress = pkm_verb_progress_begin(run->args, "inverse dynamics");
    run->settings.progress = pkm_verb_progress_tick;
    run->settings.user = &progress;
    const double start = pkm_clock();
    const pkm_status status = pkm_inverse_run(run->robot, run->motion_index, &run->settings,
                                              run->table, &run->report, err);
    run->wall_time = pkm_clock() - start;
    pkm_verb_progress_end(&progress);
    // the stage of the report shows all bodies
    if (run->settings.method == PKM_METHOD_CLOSED) snapshots_by_engine(run);
    return status;
}

static pkm_status write_folder(inverse_run* run, bool complete, pkm_error* err)
{
    char title[2 * PKM_MAX_NAME];
    run->result = pkm_verb_result(run->args);
    snprintf(title, sizeof title, "%s, motion %s", run->robot->desc->name,
             pkm_motion_name(run->motion));
    const pkm_verb_run out = {.args = run->args,
                              .robot = run->robot,
                              .motion = pkm_motion_name(run->motion),
                              .title = title,
                              .table = run->table,
                              .complete = complete,
                              .wall_time = run->wall_time,
                              .tree = run->result,
                              .snapshots = run->snapshots};
    pkm_inverse_result(run->robot, run->motion_index, run->settings.method, &run->report,
                       run->table, run->result);
    return pkm_verb_run_write(&out, run->folder, sizeof run->folder, err);
}

/// Write what there is. A run that ends early (out of reach, singular, interrupted) keeps the rows
/// before that, and its message says where they are.
static pkm_status finish(inverse_run* run, pkm_status status, pkm_error* err)
{
    const bool early = status != PKM_OK || run->report.interrupted;
    // writing may fail, too: the reason of the run is the one to tell
    const pkm_error why = *err;
    if (run->report.n_done > 0) PKM_TRY(write_folder(run, !early, err));
    if (!early) return pkm_verb_show(run->args, inverse_text, err);

    if (status == PKM_OK)
        return pkm_verb_run_interrupted(run->report.t_end, run->report.n_done, run->folder, err);
    return pkm_fail_at(err, status, why.file, why.line, why.column, "%s; %s", why.text,
                       pkm_verb_run_kept(run->report.n_done, run->folder).text);
}

static pkm_status run_inverse(const pkm_verb_arguments* args, pkm_error* err)
{
    inverse_run* run = pkm_verb_work(args, sizeof *run, err);
    pkm_error why = {0};
    if (!run) return PKM_ERR_MEMORY;
    run->args = args;
    PKM_TRY(pkm_verb_begin(args, &run->robot, err));
    const pkm_status status = finish(run, compute(run, &why), &why);
    if (err) *err = why;
    pkm_snapshots_free(run->snapshots);
    pkm_run_free(run->run);
    return status;
}
