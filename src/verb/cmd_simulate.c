#include "api/rows.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "run/takes.h"
#include "verb/contact_report.h"
#include "verb/run_folder.h"
#include "verb/simulate_plots.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    {.name = "--for"},
    {.name = "--drive"},
    {.name = "--friction"},
    {.name = "--clearance"},
    {.name = "--flexible"},
    {.name = "--load"},
    {.name = "--payload"},
    {.name = "--start"},
    {.name = "--tool-force"},
    {.name = "--run"},
    {.name = "--integrator"},
    {.name = "--tolerance"},
    {.name = "--budget"},
    {.name = "--instants"},
    {.name = "--section"},
    {.name = "--reactions"},
    {.name = "--column"},
    {.name = "--verify"},
    {"-o", "DIR", .text = "folder for the results; `pkm-out/ROBOT-MOTION-simulate` when not given"},
};

static pkm_status run_simulate(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_simulate = {
    .name = "simulate",
    .operand = "MODEL",
    .text = "what the robot does when drives, friction and loads act on it",
    .help = "Integrates the equations of motion. Writes the table of pkm inverse with an energy\n"
            "ledger and the deviations from the ideal motion, plots (SVG) and manifest.json.",
    .example = "pkm simulate robots/siax.yaml "
               "--friction 'spherical: {static: 0.11, radius: 10mm}'",
    .another = "pkm simulate robots/siax.yaml --flexible 'left: {}' --flexible 'right: {}' --for "
               "0.05 --verify",
    VERB_OPTIONS(options),
    .writes = true,
    .run = run_simulate,
};

// ---- choices ----------------------------------------------------------------------------------

static pkm_status read_choices(pkm_verb_sim* sim, pkm_error* err)
{
    const pkm_verb_arguments* args = sim->args;
    PKM_TRY(pkm_run_create(sim->account.robot, &sim->account.run, err));
    PKM_TRY(pkm_verb_choose(sim->account.run, args, err));
    return pkm_run_complete(sim->account.run, args->set, args->n_set, err);
}

// ---- running ----------------------------------------------------------------------------------

/// A run whose line of progress tells of a shorter way when it takes long.
typedef struct patience {
    const pkm_verb_sim* sim;
    pkm_verb_progress progress;
    double start;
} patience;

static bool tick(void* user, double fraction)
{
    patience* p = user;
    if (p->sim->account.record && !p->sim->account.is_seated &&
        pkm_clock() - p->start > VERB_LONG_WAIT)
        p->progress.what = "impacts (fidelity: seated, quasi-static, answers in 0.1 s):";
    return pkm_verb_progress_tick(&p->progress, fraction);
}

static pkm_status simulate(pkm_verb_sim* sim, const pkm_sim_settings* chosen, const char* what,
                           pkm_table* table, pkm_sim_report* report, pkm_seated_report* seated,
                           pkm_error* err)
{
    pkm_sim_settings settings = *chosen;
    patience waits = {
        .sim = sim, .progress = pkm_verb_progress_begin(sim->args, what), .start = pkm_clock()};
    settings.progress = tick;
    settings.user = &waits;
    // a copy of the settings: progress is of this run
    const pkm_status status = pkm_rows_simulate(sim->account.robot, settings.effects, &settings,
                                                table, report, seated, err);
    pkm_verb_progress_end(&waits.progress);
    return status;
}

static pkm_status repeat(void* user, const pkm_sim_settings* settings, pkm_table* table,
                         pkm_sim_report* report, pkm_error* err)
{
    return simulate(user, settings, "verification", table, report, NULL, err);
}

static pkm_status make_snapshots(pkm_verb_sim* sim, pkm_error* err)
{
    const int n_body = sim->account.robot->desc->n_body, n = sim->account.run->settings.n_instant;
    sim->snapshots = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    sim->ideal_snapshots = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    if (sim->snapshots && sim->ideal_snapshots) return PKM_OK;
    return pkm_out_of_memory(err);
}

static pkm_status compute(pkm_verb_sim* sim, pkm_error* err)
{
    PKM_TRY(read_choices(sim, err));
    PKM_TRY(pkm_verb_require(sim->args, sim->account.run, err));
    // loads press loose joints to one side (quasi-static), or impacts are integrated
    sim->account.is_seated =
        pkm_analysis_of(PKM_TASK_SIMULATE, sim->account.run) == PKM_ANALYSIS_SEATED;
    const double start = pkm_clock();
    PKM_TRY(make_snapshots(sim, err));
    pkm_sim_settings settings = sim->account.run->settings;
    settings.snapshots = sim->snapshots;
    settings.ideal_snapshots = sim->ideal_snapshots;
    if (pkm_account_has_contacts(&sim->account)) {
        // phases and impacts of each bearing, for orbits and bars
        settings.record = sim->account.record = pkm_contact_record_create();
        if (!sim->account.record) return pkm_out_of_memory(err);
    }
    sim->account.table = pkm_verb_table(sim->args, "rows");
    if (!sim->account.table) return pkm_out_of_memory(err);
    PKM_TRY(simulate(sim, &settings, "simulation", sim->account.table, &sim->account.report,
                     &sim->account.seated, err));
    sim->account.wall_time = pkm_clock() - start;
    // runs that ended early have nothing to compare
    if (!pkm_verb_has(sim->args, "--verify") || sim->account.report.stop != PKM_STOP_END_TIME)
        return PKM_OK;
    return pkm_account_verify(&sim->account, repeat, sim, err);
}

// ---- the folder -------------------------------------------------------------------------------

static pkm_status write_folder(pkm_verb_sim* sim, const pkm_verb_sim_plots* plots, pkm_error* err)
{
    char title[2 * PKM_MAX_NAME];
    snprintf(title, sizeof title, "%s, motion %s", sim->account.robot->desc->name,
             pkm_account_motion(&sim->account));
    sim->result = pkm_verb_result(sim->args);
    const pkm_manifest_option choice = {"integrator",
                                        pkm_integrator_name[sim->account.run->settings.integrator]};
    const pkm_verb_run out = {.args = sim->args,
                              .robot = sim->account.robot,
                              .choice = &choice,
                              .n_choice = sim->account.run->chosen ? 1 : 0,
                              .motion = pkm_account_motion(&sim->account),
                              .title = title,
                              .ending = "-simulate",
                              .table = sim->account.table,
                              .complete = sim->account.report.stop == PKM_STOP_END_TIME,
                              .wall_time = sim->account.wall_time,
                              .plot = plots->plot,
                              .n_plot = plots->n,
                              .tree = sim->result,
                              .also = sim->account.record ? pkm_verb_contact_draw : NULL,
                              .snapshots = sim->snapshots,
                              .ideal_snapshots = sim->ideal_snapshots,
                              .user = &sim->account};
    pkm_account_result(&sim->account, sim->result);
    if (sim->account.record && sim->account.wall_time > VERB_LONG_WAIT)
        pkm_result_text(sim->result, "_hint", VERB_SEATED_HINT);
    return pkm_verb_run_write(&out, sim->folder, sizeof sim->folder, err);
}

// ---- the verb ---------------------------------------------------------------------------------

/// One sentence: when the run ended, why, and what to try.
static pkm_status tell_early_end(const pkm_verb_sim* sim, pkm_error* err)
{
    const pkm_sim_report* r = &sim->account.report;
    if (r->stop == PKM_STOP_INTERRUPTED)
        return pkm_verb_run_interrupted(r->t_end, r->n_done, sim->folder, err);
    return pkm_fail(err, pkm_stop_status(r->stop), "motion %s: t = %.6g s: %s; %s",
                    pkm_account_motion(&sim->account), r->t_stop, pkm_stop_reason(r->stop),
                    pkm_verb_run_kept(r->n_done, sim->folder).text);
}

static pkm_status finish(pkm_verb_sim* sim, pkm_error* err)
{
    PKM_TRY(pkm_verb_sim_write(sim, write_folder, err));
    if (sim->account.report.stop != PKM_STOP_END_TIME) return tell_early_end(sim, err);
    return pkm_verb_show(sim->args,
                         sim->account.is_seated ? pkm_verb_seated_text : pkm_verb_sim_text, err);
}

static pkm_status run_simulate(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_sim* sim = pkm_verb_work(args, sizeof *sim, err);
    if (!sim) return PKM_ERR_MEMORY;
    sim->args = args;
    PKM_TRY(pkm_verb_begin(args, &sim->account.robot, err));
    pkm_status status = compute(sim, err);
    if (status == PKM_OK) status = finish(sim, err);
    pkm_snapshots_free(sim->snapshots);
    pkm_snapshots_free(sim->ideal_snapshots);
    pkm_contact_record_free(sim->account.record);
    pkm_free(sim->account.spread);
    pkm_run_free(sim->account.run);
    return status;
}
