// pkm simulate: options to a run, the run to the library's call, its account to text, folder and
// pictures.
#include "base/error.h"
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

// ---- running ----------------------------------------------------------------------------------

static pkm_status make_snapshots(pkm_verb_sim* sim, pkm_error* err)
{
    pkm_account* a = &sim->account;
    const int n_body = a->robot->desc->n_body, n = a->run->settings.n_instant;
    a->snapshots = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    a->ideal_snapshots = pkm_snapshots_create(n_body, n, PKM_SNAPSHOTS_MAX_FRAME);
    return a->snapshots && a->ideal_snapshots ? PKM_OK : pkm_out_of_memory(err);
}

static pkm_status compute(pkm_verb_sim* sim, pkm_error* err)
{
    PKM_TRY(pkm_verb_run_begin(sim->args, sim->account.robot, &sim->account.run, err));
    PKM_TRY(pkm_verb_run_complete(sim->args, sim->account.run, err));
    PKM_TRY(make_snapshots(sim, err));
    PKM_TRY(pkm_verb_sim_watch(sim, "simulation", err));
    return pkm_account_simulate(&sim->account, err);
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
                              .snapshots = sim->account.snapshots,
                              .ideal_snapshots = sim->account.ideal_snapshots,
                              .user = &sim->account};
    pkm_account_result(&sim->account, sim->result);
    // who has waited is told of the shorter way, once more, where it can be read
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
    pkm_snapshots_free(sim->account.snapshots);
    pkm_snapshots_free(sim->account.ideal_snapshots);
    pkm_account_free(&sim->account);
    pkm_run_free(sim->account.run);
    return status;
}
