#include "study/compute.h"

#include "base/error.h"
#include "base/memory.h"
#include "clearance/seated.h"
#include "robot/motion_table.h"
#include "study/frequencies.h"

/// Last less first value of a column.
static double change_of(const pkm_table* table, const char* column)
{
    const int c = pkm_table_find(table, column), last = pkm_table_n_row(table) - 1;
    return pkm_table_get(table, last, c) - pkm_table_get(table, 0, c);
}

/// The balance of inverse dynamics, unless forces jump between its rows: then nothing is known.
/// Rigid bodies without contacts: strain and what contacts lose are zero.
static void fill_ledger(const pkm_inverse_report* r, const pkm_table* table, pkm_ledger* out)
{
    *out = pkm_ledger_unknown();
    if (!r->is_summed || r->n_done == 0) return;
    *out = (pkm_ledger){.drive = r->drive_work,
                        .load = r->load_work,
                        .friction = r->friction_loss,
                        .damping = r->damping_loss,
                        .kinetic = change_of(table, "energy.kinetic"),
                        .potential = change_of(table, "energy.potential"),
                        .spring = r->spring_change,
                        .exchanged = r->exchanged};
    out->residual = out->drive + out->load - out->friction - out->damping - out->kinetic -
                    out->potential - out->spring;
}

static pkm_inverse_settings inverse_settings(const pkm_sim_settings* s)
{
    pkm_inverse_settings inverse = pkm_inverse_settings_defaults();
    inverse.n_instant = s->n_instant;
    inverse.tool_force = s->tool_force;
    inverse.tool_torque = s->tool_torque;
    inverse.reactions = s->reactions;
    inverse.effects = s->effects;
    inverse.idle = s->idle;
    inverse.end_time = s->end_time;
    inverse.snapshots = s->snapshots;
    inverse.progress = s->progress;
    inverse.user = s->user;
    return inverse;
}

/// The rigid robot: no integration.
static pkm_status compute_inverse(pkm_robot* robot, const pkm_sim_settings* s, pkm_table* table,
                                  pkm_sim_report* report, pkm_error* err)
{
    const pkm_inverse_settings inverse = inverse_settings(s);
    pkm_inverse_report done;
    PKM_TRY(pkm_inverse_run(robot, s->motion, &inverse, table, &done, err));
    *report = (pkm_sim_report){.n_done = done.n_done, .t_end = done.t_end};
    report->stop = done.interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    fill_ledger(&done, table, &report->ledger);
    return PKM_OK;
}

bool pkm_study_is_seated(const pkm_run* run)
{
    return pkm_simulate_analysis(&run->effects) == PKM_ANALYSIS_SEATED;
}

static pkm_status compute_seated(pkm_prepared* prepared, const pkm_sim_settings* s,
                                 pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    const pkm_effects* effects = &prepared->run->effects;
    pkm_seated_report* done = pkm_alloc(1, sizeof *done); // too large for the stack
    if (!done) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = pkm_seated_run(prepared->robot, s, effects->clearance,
                                             effects->n_clearance, table, done, err);
    *report = (pkm_sim_report){.n_done = done->n_done, .t_end = done->t_end};
    report->stop = done->interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    report->ledger = pkm_ledger_unknown();
    pkm_free(done);
    return status;
}

pkm_status pkm_study_compute(const pkm_study* study, int case_id, pkm_prepared* prepared,
                             const pkm_sim_settings* settings, pkm_table* table,
                             pkm_sim_report* report, pkm_error* err)
{
    const pkm_settings layers = pkm_study_settings(study, case_id);
    switch (study->analysis) {
    case PKM_STUDY_INVERSE:
        return compute_inverse(prepared->robot, settings, table, report, err);
    case PKM_STUDY_ELASTODYNAMICS:
    case PKM_STUDY_MODES:
        *report = (pkm_sim_report){.n_done = 1, .ledger = pkm_ledger_unknown()};
        return pkm_study_frequencies(study, &layers, prepared, table, err);
    case PKM_STUDY_SIMULATE:
        break;
    }
    if (pkm_study_is_seated(prepared->run))
        return compute_seated(prepared, settings, table, report, err);
    return pkm_simulate(prepared->robot, settings, table, report, err);
}

pkm_status pkm_study_columns(const pkm_study* study, int case_id, pkm_prepared* prepared,
                             pkm_table* table, pkm_error* err)
{
    const pkm_settings layers = pkm_study_settings(study, case_id);
    const pkm_effects* effects = &prepared->run->effects;
    pkm_sim_settings s = prepared->run->settings;
    const pkm_inverse_settings inverse = inverse_settings(&s);
    s.n_instant = 2;
    switch (study->analysis) {
    case PKM_STUDY_INVERSE:
        return pkm_inverse_columns(prepared->robot, s.motion, &inverse, table, err);
    case PKM_STUDY_ELASTODYNAMICS:
    case PKM_STUDY_MODES:
        return pkm_study_frequency_columns(study, &layers, prepared, table, err);
    case PKM_STUDY_SIMULATE:
        break;
    }
    if (pkm_study_is_seated(prepared->run))
        return pkm_seated_columns(prepared->robot, &s, effects->clearance, effects->n_clearance,
                                  table, err);
    return pkm_simulate_columns(prepared->robot, &s, table, err);
}
