// pkm elastodynamics: small vibrations about the rigid motion, docs/theory/elastodynamics.md.
#include "verb/commands.h"

#include "base/error.h"
#include "report/render.h"
#include "verb/simulate_plots.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    VERB_LINEAR_OPTIONS,
    {.name = "--for"},
    {"--step", "TIME", .text = "of the integration; from the lowest frequency when not given",
     .key = "step"},
    {"--start", "NAME",
     .text = "`static`: deflected by weight and the first instant, and moving with that; "
             "`undeformed`: not deflected; `periodic`: such that the response repeats itself with "
             "the motion"},
    {"--repeat", "N", .text = "run a motion that ends where it starts N times", .key = "repeat"},
    {"--without-coupling", .text = "leave out the terms of turning axes, to see their weight"},
    {"--stiffening",
     .text = "what the forces of the motion do on the displaced robot: tension stiffens links, "
             "compression softens them",
     .key = "stiffening"},
    {.name = "--instants"},
    {.name = "--verify"},
    {"-o", "DIR", .text = "folder; `pkm-out/ROBOT-MOTION-flexible` when not given"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_elastodynamics = {
    .name = "elastodynamics",
    .operand = "MODEL",
    .text = "flexible links on the rigid motion, linear: deflections in time, drives, peaks",
    .help =
        "Links bend about the prescribed rigid motion, drives locked to it or elastic: a linear\n"
        "system with matrices that change in time, by Newmark's method. Fast, and independent of\n"
        "pkm simulate. Writes a table with the same names, plots (SVG) and manifest.json. Natural\n"
        "frequencies are found by pkm modes.",
    .example = "pkm elastodynamics robots/siax.yaml --flexible 'left: {}' --flexible 'right: {}'",
    .another = "pkm elastodynamics robots/irb340.yaml --set 'd=10 mm' --motion gentle",
    VERB_OPTIONS(options),
    .run = run,
};

// ---- options ----------------------------------------------------------------------------------

/// How the run starts: what the option says holds, whatever a run file has said.
static pkm_status read_start(const char* text, pkm_run* run, pkm_error* err)
{
    static const char* const word[] = {"static", "undeformed", "periodic"};
    int start = 0;
    if (!text) return PKM_OK;
    // in the order of pkm_ked_start
    while (start < 3 && strcmp(text, word[start]) != 0)
        ++start;
    if (start == 3)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--start: '%s', expected static, undeformed or periodic", text);
    run->settings.undeformed = start == PKM_KED_START_UNDEFORMED;
    run->asked.periodic = start == PKM_KED_START_PERIODIC;
    return PKM_OK;
}

// ---- running ----------------------------------------------------------------------------------

static pkm_status compute(pkm_verb_sim* sim, pkm_error* err)
{
    pkm_run** run = &sim->account.run;
    PKM_TRY(pkm_verb_run_begin(sim->args, sim->account.robot, run, err));
    // options of this analysis alone go beside the run
    (*run)->asked.uncoupled = pkm_verb_has(sim->args, "--without-coupling");
    PKM_TRY(read_start(pkm_verb_get(sim->args, "--start"), *run, err));
    PKM_TRY(pkm_verb_run_complete(sim->args, *run, err));
    PKM_TRY(pkm_verb_sim_watch(sim, "elastodynamics", err));
    return pkm_account_elastodynamics(&sim->account, err);
}

// ---- results ----------------------------------------------------------------------------------

static const char text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} s, linear on the rigid "
    "motion\n"
    "{_links:d} flexible link[{!_one}s], {coordinates:d} coordinates, lowest frequency "
    "{lowest_frequency:.5g} Hz, {steps:d} steps of {step:.3g|1e6} us\n" VERB_PEAKS_TEXT
        VERB_FLEXIBLE_TEXT PKM_RENDER_WARNINGS "[\nresults in {folder}\n]";

static pkm_status write_folder(pkm_verb_sim* sim, const pkm_verb_sim_plots* plots, pkm_error* err)
{
    char title[2 * PKM_MAX_NAME], step[32];
    sim->result = pkm_verb_result(sim->args);
    snprintf(title, sizeof title, "%s, motion %s", sim->account.robot->desc->name,
             pkm_account_motion(&sim->account));
    snprintf(step, sizeof step, "%.6g s", sim->account.ked.step);
    // a step that was chosen here is written down, so that the run can be repeated with it
    const pkm_manifest_option choice = {"step", step};
    const pkm_verb_run out = {.args = sim->args,
                              .robot = sim->account.robot,
                              .choice = &choice,
                              .n_choice = pkm_verb_has(sim->args, "--step") ? 0 : 1,
                              .motion = pkm_account_motion(&sim->account),
                              .title = title,
                              .ending = "-flexible",
                              .table = sim->account.table,
                              .complete = !sim->account.ked.interrupted,
                              .wall_time = sim->account.wall_time,
                              .plot = plots->plot,
                              .n_plot = plots->n,
                              .tree = sim->result};
    pkm_account_result(&sim->account, sim->result);
    return pkm_verb_run_write(&out, sim->folder, sizeof sim->folder, err);
}

static pkm_status finish(pkm_verb_sim* sim, pkm_error* err)
{
    PKM_TRY(pkm_verb_sim_write(sim, write_folder, err));
    if (sim->account.ked.interrupted)
        return pkm_verb_run_interrupted(sim->account.ked.t_end, sim->account.ked.n_done,
                                        sim->folder, err);
    return pkm_verb_show(sim->args, text, err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_sim* sim = pkm_verb_work(args, sizeof *sim, err);
    if (!sim) return PKM_ERR_MEMORY;
    sim->args = args;
    PKM_TRY(pkm_verb_begin(args, &sim->account.robot, err));
    pkm_status status = compute(sim, err);
    if (status == PKM_OK) status = finish(sim, err);
    pkm_account_free(&sim->account);
    pkm_run_free(sim->account.run);
    return status;
}
