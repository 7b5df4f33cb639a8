/// Runs of joints with clearance with the record of their bearings.
#ifndef PKM_TESTS_PLAY_H
#define PKM_TESTS_PLAY_H

#include "simulate.h"

typedef struct clearance_run {
    sim_result r;
    pkm_contact_record* record;
} clearance_run;

/// Simulate as the run file `text` says (without `run: 1`), to its end; `jitter` moves the start.
static inline clearance_run clearance_with(pkm_robot* robot, const char* text, double jitter)
{
    clearance_run out = {.r = {.table = pkm_table_create()}, .record = pkm_contact_record_create()};
    char file[4000];
    pkm_run* run = NULL;
    pkm_error err = {0};
    snprintf(file, sizeof file, "run: 1\n%s", text);
    out.r.status = pkm_run_create(robot, &run, &err);
    if (out.r.status == PKM_OK) out.r.status = pkm_run_parse(run, file, "run.yaml", &err);
    if (out.r.status == PKM_OK) out.r.status = pkm_run_complete(run, &err);
    if (out.r.status == PKM_OK) {
        run->settings.record = out.record;
        run->settings.jitter = jitter;
        out.r.status = pkm_simulate(robot, &run->settings, out.r.table, &out.r.report, &err);
    }
    if (out.r.status != PKM_OK) printf("    %d:%d: %s\n", err.line, err.column, err.text);
    CHECK(out.r.status == PKM_OK && out.r.report.stop == PKM_STOP_END_TIME);
    pkm_run_free(run);
    return out;
}

static inline clearance_run clearance(pkm_robot* robot, const char* text)
{
    return clearance_with(robot, text, 0.0);
}

static inline void clearance_free(clearance_run* p)
{
    sim_free(&p->r);
    pkm_contact_record_free(p->record);
    p->record = NULL;
}

/// The residual of the energy against what was exchanged.
static inline double clearance_residual(const clearance_run* p)
{
    return fabs(p->r.report.ledger.residual) / p->r.report.ledger.exchanged;
}

#endif
