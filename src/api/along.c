/// Analyses along a motion: inverse dynamics, simulation, elastodynamics.
#include "api/account.h"
#include "api/rows.h"
#include "api/work.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/inverse_result.h"

#include <math.h>

/// The motion of the run; PKM_ERR_MODEL: there is none.
static pkm_status require_motion(const pkm_work* work, pkm_error* err)
{
    if (work->run->settings.motion != PKM_NONE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL, "%s: no motion, expected one in the model",
                    work->robot->desc->name);
}

// ---- inverse dynamics -------------------------------------------------------------------------

static pkm_status inverse(pkm_work* work, pkm_error* err)
{
    PKM_TRY(require_motion(work, err));
    const pkm_inverse_settings settings = pkm_rows_inverse_of(work->run);
    const int motion = work->run->settings.motion;
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    pkm_inverse_report* r = pkm_alloc(1, sizeof *r);
    pkm_status status = table && r ? pkm_inverse_run(work->robot, motion, &settings, table, r, err)
                                   : pkm_out_of_memory(err);
    // rows before an early end are an answer, too
    if (table && r && r->n_done > 0)
        pkm_inverse_result(work->robot, motion, settings.method, r, table, work->answer->tree);
    if (status == PKM_OK && r->interrupted) status = pkm_work_interrupted(work, r->t_end, err);
    pkm_free(r);
    return status;
}

pkm_status pkm_run_inverse(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_INVERSE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = inverse(&work, err);
    return pkm_work_end(&work, status, out, err);
}

// ---- runs in time -----------------------------------------------------------------------------

typedef pkm_status (*runner)(pkm_work* work, pkm_account* account, pkm_error* err);

/// Run, and put what there is of it into the answer.
static pkm_status tell(pkm_work* work, bool is_ked, runner run, pkm_error* err)
{
    pkm_account* a = pkm_alloc(1, sizeof *a);
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    pkm_status status = pkm_out_of_memory(err);
    if (a && table) {
        a->robot = work->robot;
        a->run = work->run;
        a->table = table;
        a->is_ked = is_ked;
        a->wall_time = NAN; // answers repeat bit for bit
        work->answer->verify = is_ked ? PKM_VERIFY_LINEAR : pkm_verify_kind_of(work->run);
        status = run(work, a, err);
        if (pkm_table_n_row(table) > 0) pkm_account_result(a, work->answer->tree);
        work->answer->spread = a->spread;
        pkm_contact_record_free(a->record);
    }
    pkm_free(a);
    return status;
}

/// Progress is the caller's, of repetitions too.
static pkm_status simulate_once(pkm_work* work, const pkm_sim_settings* chosen, pkm_table* table,
                                pkm_sim_report* report, pkm_seated_report* seated, pkm_error* err)
{
    pkm_sim_settings settings = *chosen;
    settings.progress = work->run->progress;
    settings.user = work->run->user;
    return pkm_rows_simulate(work->robot, settings.effects, &settings, table, report, seated, err);
}

static pkm_status repeat(void* user, const pkm_sim_settings* settings, pkm_table* table,
                         pkm_sim_report* report, pkm_error* err)
{
    return simulate_once(user, settings, table, report, NULL, err);
}

static pkm_status simulate(pkm_work* work, pkm_account* a, pkm_error* err)
{
    pkm_sim_settings settings = work->run->settings;
    const pkm_sim_report* r = &a->report;
    a->is_seated = pkm_simulate_analysis(settings.effects) == PKM_ANALYSIS_SEATED;
    if (pkm_account_has_contacts(a)) settings.record = a->record = pkm_contact_record_create();
    if (pkm_account_has_contacts(a) && !a->record) return pkm_out_of_memory(err);
    PKM_TRY(simulate_once(work, &settings, a->table, &a->report, &a->seated, err));
    if (r->stop == PKM_STOP_INTERRUPTED) return pkm_work_interrupted(work, r->t_end, err);
    if (r->stop != PKM_STOP_END_TIME)
        return pkm_fail(err, pkm_stop_status(r->stop), "t = %.6g s: %s", r->t_stop,
                        pkm_stop_reason(r->stop));
    if (!work->run->asked.verify) return PKM_OK;
    PKM_TRY(pkm_account_verify(a, repeat, work, err));
    return a->is_cut ? pkm_work_interrupted(work, r->t_end, err) : PKM_OK;
}

pkm_status pkm_run_simulate(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_SIMULATE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = tell(&work, false, simulate, err);
    return pkm_work_end(&work, status, out, err);
}

static pkm_status elastodynamics(pkm_work* work, pkm_account* a, pkm_error* err)
{
    PKM_TRY(require_motion(work, err));
    const pkm_ked_settings settings = pkm_account_ked_settings(work->run);
    PKM_TRY(pkm_ked_run(work->robot, &settings, a->table, &a->ked, err));
    if (a->ked.interrupted) return pkm_work_interrupted(work, a->ked.t_end, err);
    if (!work->run->asked.verify) return PKM_OK;
    PKM_TRY(pkm_account_halve(a, &settings, err));
    return a->is_cut ? pkm_work_interrupted(work, a->ked.t_end, err) : PKM_OK;
}

pkm_status pkm_run_elastodynamics(pkm_robot* robot, const pkm_run* run, pkm_answer** out,
                                  pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_ELASTODYNAMICS, true, robot, run, out, &work, err);
    if (status == PKM_OK) status = tell(&work, true, elastodynamics, err);
    return pkm_work_end(&work, status, out, err);
}
