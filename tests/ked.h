/// What tests of elastodynamics on a rigid motion share: runs from the text of a run file.
#ifndef PKM_TESTS_KED_H
#define PKM_TESTS_KED_H

#include "linear/ked.h"
#include "simulate.h"

/// A finished run; `sim` has its table.
typedef struct ked_result {
    sim_result sim;
    pkm_ked_report report;
} ked_result;

/// Links, motion, loads and instants as the run file `text` says, the rest from `settings`.
static inline ked_result ked_run(pkm_robot* robot, const char* text, pkm_ked_settings settings)
{
    ked_result out = {.sim = {.table = pkm_table_create()}};
    char file[4000];
    pkm_run* run = NULL;
    pkm_error* err = &out.sim.err;
    snprintf(file, sizeof file, "run: 1\n%s", text);
    out.sim.status = robot ? pkm_run_create(robot, &run, err) : PKM_ERR_ARGUMENT;
    if (out.sim.status == PKM_OK) out.sim.status = pkm_run_parse(run, file, "run.yaml", err);
    if (out.sim.status == PKM_OK) out.sim.status = pkm_run_complete(run, err);
    if (out.sim.status == PKM_OK) {
        settings.effects = &run->effects;
        settings.motion = run->settings.motion;
        settings.n_instant = run->settings.n_instant;
        if (run->has_end) settings.end_time = run->settings.end_time;
        out.sim.status = pkm_ked_run(robot, &settings, out.sim.table, &out.report, err);
    }
    pkm_run_free(run);
    return out;
}

/// The same for a run that must reach its end.
static inline ked_result ked_run_whole(pkm_robot* robot, const char* text,
                                       pkm_ked_settings settings)
{
    ked_result out = ked_run(robot, text, settings);
    if (out.sim.status != PKM_OK) printf("    %s\n", out.sim.err.text);
    CHECK(out.sim.status == PKM_OK);
    return out;
}

#endif
