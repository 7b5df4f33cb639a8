#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "report/render.h"
#include "run/takes.h"
#include "verb/deflection_report.h"
#include "verb/simulate_plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586477;

static const pkm_verb_option options[] = {
    {.name = "--motion"},
    VERB_LINEAR_OPTIONS,
    {.name = "--for"},
    {"--step", "TIME", .text = "of the integration; from the lowest frequency when not given"},
    {"--start", "NAME",
     .text = "`static`: deflected by weight and the first instant, at rest; `undeformed`: not "
             "deflected; `periodic`: such that the response repeats itself with the motion"},
    {"--repeat", "N", .text = "run a motion that ends where it starts N times"},
    {"--without-coupling", .text = "leave out the terms of turning axes, to see their weight"},
    {"--stiffening",
     .text = "what the forces of the motion do on the displaced robot: tension stiffens links, "
             "compression softens them"},
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
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

// ---- options ----------------------------------------------------------------------------------

static pkm_status read_run(pkm_verb_sim* sim, pkm_error* err)
{
    const pkm_verb_arguments* args = sim->args;
    PKM_TRY(pkm_run_create(sim->robot, &sim->run, err));
    PKM_TRY(pkm_verb_choose(sim->run, args, err));
    if (sim->run->effects.n_flexible == 0) PKM_TRY(pkm_run_flexible_all(sim->run, err));
    PKM_TRY(pkm_run_complete(sim->run, args->set, args->n_set, err));
    PKM_TRY(pkm_verb_require(args, sim->run, err));
    if (sim->run->settings.motion == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: no motion, expected one in the model and --motion",
                        sim->robot->desc->name);
    return PKM_OK;
}

static pkm_status read_start(const char* text, pkm_ked_start* out, pkm_error* err)
{
    static const char* const word[] = {"static", "undeformed", "periodic"};
    for (int k = 0; text && k < 3; ++k)
        if (strcmp(text, word[k]) == 0) {
            *out = (pkm_ked_start)k;
            return PKM_OK;
        }
    if (!text) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--start: '%s', expected static, undeformed or periodic",
                    text);
}

static pkm_status read_settings(const pkm_verb_sim* sim, pkm_ked_settings* out, pkm_error* err)
{
    const pkm_verb_arguments* args = sim->args;
    const char *step = pkm_verb_get(args, "--step"), *repeat = pkm_verb_get(args, "--repeat");
    const pkm_sim_settings* s = &sim->run->settings;
    *out = pkm_ked_settings_defaults();
    out->effects = &sim->run->effects;
    out->motion = s->motion;
    out->n_instant = s->n_instant;
    out->end_time = sim->run->has_end ? s->end_time : 0.0;
    out->tool_force = s->tool_force;
    out->tool_torque = s->tool_torque;
    if (s->undeformed) out->start = PKM_KED_START_UNDEFORMED;
    out->without_coupling = pkm_verb_has(args, "--without-coupling");
    out->has_stiffening = pkm_verb_has(args, "--stiffening");
    memcpy(out->drive, sim->run->hold, sizeof out->drive);
    if (repeat) PKM_TRY(pkm_verb_integer(repeat, 1, "--repeat", &out->n_repeat, err));
    if (step) PKM_TRY(pkm_verb_number(step, "s", "--step", &out->step, err));
    if (step && !(out->step > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--step: %g s, expected > 0", out->step);
    return read_start(pkm_verb_get(args, "--start"), &out->start, err);
}

// ---- running ----------------------------------------------------------------------------------

static pkm_status respond(pkm_verb_sim* sim, pkm_ked_settings* settings, const char* what,
                          pkm_table** table, pkm_ked_report* report, pkm_error* err)
{
    *table = table == &sim->table ? pkm_verb_table(sim->args, "rows") : pkm_table_create();
    if (!*table) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_verb_progress progress = pkm_verb_progress_begin(sim->args, what);
    settings->progress = pkm_verb_progress_tick;
    settings->user = &progress;
    const pkm_status status = pkm_ked_run(sim->robot, settings, *table, report, err);
    pkm_verb_progress_end(&progress);
    return status;
}

static pkm_status verify(pkm_verb_sim* sim, const pkm_ked_settings* settings, pkm_error* err)
{
    pkm_ked_settings half = *settings;
    pkm_ked_report unread;
    pkm_table* table = NULL;
    pkm_verify_means means[PKM_MAX_REPEAT];
    pkm_verify_run words;
    pkm_verify_plan(PKM_VERIFY_LINEAR, false, means);
    PKM_TRY(pkm_verify_run_make(sim->run, means[0], &words, err));
    half.step = 0.5 * sim->ked.step;
    const pkm_status status = respond(sim, &half, "verification", &table, &unread, err);
    if (status == PKM_OK && !unread.interrupted)
        pkm_verb_sim_compare_peaks(sim, means[0], words.words, table);
    pkm_table_free(table);
    return status;
}

static pkm_status compute(pkm_verb_sim* sim, pkm_error* err)
{
    pkm_ked_settings settings;
    PKM_TRY(read_run(sim, err));
    PKM_TRY(read_settings(sim, &settings, err));
    const double start = pkm_clock();
    PKM_TRY(respond(sim, &settings, "elastodynamics", &sim->table, &sim->ked, err));
    sim->wall_time = pkm_clock() - start;
    sim->report.bend = sim->ked.bend;
    pkm_verb_sim_find_peaks(sim);
    if (!pkm_verb_has(sim->args, "--verify") || sim->ked.interrupted) return PKM_OK;
    return verify(sim, &settings, err);
}

// ---- results ----------------------------------------------------------------------------------

static void put_result(const pkm_verb_sim* sim, pkm_result* out)
{
    const pkm_ked_report* r = &sim->ked;
    pkm_result_text(out, "name", sim->robot->desc->name);
    pkm_result_text(out, "motion", pkm_verb_sim_motion(sim));
    pkm_result_integer(out, "instants", r->n_done);
    pkm_result_number(out, "duration", "s", r->t_end);
    pkm_result_integer(out, "coordinates", r->n_coordinate);
    pkm_result_integer(out, "steps", r->n_step);
    pkm_result_number(out, "step", "s", r->step);
    pkm_result_number(out, "lowest_frequency", "Hz", r->omega / TWO_PI);
    pkm_result_integer(out, "_links", r->n_link);
    pkm_result_bool(out, "_one", r->n_link == 1);
    pkm_verb_peaks_result(sim, out);
    pkm_verb_deflection_result(sim, out);
    pkm_result_warnings(out, pkm_table_get_warnings(sim->table));
    pkm_verb_verified_result(sim, out);
    pkm_result_number(out, "wall_time", "s", sim->wall_time);
}

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
    snprintf(title, sizeof title, "%s, motion %s", sim->robot->desc->name,
             pkm_verb_sim_motion(sim));
    snprintf(step, sizeof step, "%.6g s", sim->ked.step);
    const pkm_manifest_option choice = {"step", step};
    const pkm_verb_run out = {.args = sim->args,
                              .robot = sim->robot,
                              .choice = &choice,
                              .n_choice = pkm_verb_has(sim->args, "--step") ? 0 : 1,
                              .motion = pkm_verb_sim_motion(sim),
                              .title = title,
                              .ending = "-flexible",
                              .table = sim->table,
                              .complete = !sim->ked.interrupted,
                              .wall_time = sim->wall_time,
                              .plot = plots->plot,
                              .n_plot = plots->n,
                              .tree = sim->result};
    put_result(sim, sim->result);
    pkm_verb_run_folder(&out, sim->folder, sizeof sim->folder);
    pkm_verb_folder_result(sim->folder, sim->result);
    return pkm_verb_run_write(&out, sim->folder, sizeof sim->folder, err);
}

static pkm_status finish(pkm_verb_sim* sim, pkm_error* err)
{
    PKM_TRY(pkm_verb_sim_write(sim, write_folder, err));
    if (sim->ked.interrupted)
        return pkm_verb_run_interrupted(sim->ked.t_end, sim->ked.n_done, sim->folder, err);
    return pkm_verb_show(sim->args, text, err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_sim* sim = pkm_verb_work(args, sizeof *sim, err);
    if (!sim) return PKM_ERR_MEMORY;
    sim->args = args;
    sim->is_ked = true;
    PKM_TRY(pkm_verb_begin(args, &sim->robot, err));
    pkm_status status = compute(sim, err);
    if (status == PKM_OK) status = finish(sim, err);
    pkm_run_free(sim->run);
    return status;
}
