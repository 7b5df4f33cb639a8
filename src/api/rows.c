// Settings of a run to rows of a table, for those who want no account: studies, the page.
#include "api/rows.h"

#include "base/error.h"
#include "base/memory.h"

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
    pkm_ledger_balance(out);
}

pkm_inverse_settings pkm_rows_inverse_settings(const pkm_sim_settings* s)
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

pkm_inverse_settings pkm_rows_inverse_of(const pkm_run* run)
{
    pkm_inverse_settings inverse = pkm_rows_inverse_settings(&run->settings);
    inverse.method = run->asked.method;
    inverse.effects = &run->effects;
    inverse.end_time = run->has_end ? run->settings.end_time : 0.0;
    inverse.snapshots = NULL;
    inverse.progress = run->progress;
    inverse.user = run->user;
    return inverse;
}

pkm_status pkm_rows_inverse(pkm_robot* robot, pkm_method method, const pkm_sim_settings* settings,
                            pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_inverse_settings inverse = pkm_rows_inverse_settings(settings);
    inverse.method = method;
    pkm_inverse_report done;
    PKM_TRY(pkm_inverse_run(robot, settings->motion, &inverse, table, &done, err));
    *report = (pkm_sim_report){.n_done = done.n_done, .t_end = done.t_end};
    report->stop = done.interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    fill_ledger(&done, table, &report->ledger);
    // a closed form knows the sum of both only
    if (method == PKM_METHOD_CLOSED) report->ledger.kinetic = report->ledger.potential = NAN;
    return PKM_OK;
}

static pkm_status seated(pkm_robot* robot, const pkm_effects* effects,
                         const pkm_sim_settings* settings, pkm_table* table, pkm_sim_report* report,
                         pkm_seated_report* more, pkm_error* err)
{
    pkm_seated_report* own = more ? NULL : pkm_alloc(1, sizeof *own); // too large for the stack
    pkm_seated_report* done = more ? more : own;
    if (!done) return pkm_out_of_memory(err);
    const pkm_status status =
        pkm_seated_run(robot, settings, effects->clearance, effects->n_clearance, table, done, err);
    *report = (pkm_sim_report){.n_done = done->n_done, .t_end = done->t_end};
    report->stop = done->interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    report->ledger = pkm_ledger_unknown();
    pkm_free(own);
    return status;
}

pkm_status pkm_rows_simulate(pkm_robot* robot, const pkm_effects* effects,
                             const pkm_sim_settings* settings, pkm_table* table,
                             pkm_sim_report* report, pkm_seated_report* more, pkm_error* err)
{
    if (pkm_simulate_analysis(effects) == PKM_ANALYSIS_SEATED)
        return seated(robot, effects, settings, table, report, more, err);
    return pkm_simulate(robot, settings, table, report, err);
}
