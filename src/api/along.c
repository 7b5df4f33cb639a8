/// Analyses along a motion: inverse dynamics, simulation, elastodynamics.
#include "api/account.h"
#include "api/rows.h"
#include "api/work.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/inverse_result.h"

#include <math.h>

// ---- inverse dynamics -------------------------------------------------------------------------

static pkm_status inverse(pkm_work* work, pkm_error* err)
{
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
    pkm_status status = pkm_work_begin(PKM_TASK_INVERSE, robot, run, out, &work, err);
    if (status == PKM_OK) status = inverse(&work, err);
    return pkm_work_end(&work, status, out, err);
}

// ---- runs in time -----------------------------------------------------------------------------

/// A run that was stopped, or ended before its time, is no answer.
static pkm_status check_end(const pkm_work* work, const pkm_account* a, pkm_error* err)
{
    const pkm_sim_report* r = &a->report;
    if (a->is_ked && (a->ked.interrupted || a->is_cut))
        return pkm_work_interrupted(work, a->ked.t_end, err);
    if (a->is_ked) return PKM_OK;
    if (r->stop == PKM_STOP_INTERRUPTED || a->is_cut)
        return pkm_work_interrupted(work, r->t_end, err);
    if (r->stop == PKM_STOP_END_TIME) return PKM_OK;
    return pkm_fail(err, pkm_stop_status(r->stop), "t = %.6g s: %s", r->t_stop,
                    pkm_stop_reason(r->stop));
}

/// Run, and put what there is of it into the answer.
static pkm_status tell(pkm_work* work, pkm_status (*run)(pkm_account*, pkm_error*), pkm_error* err)
{
    pkm_account* a = pkm_alloc(1, sizeof *a); // too large for the stack
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    pkm_status status = pkm_out_of_memory(err);
    if (a && table) {
        a->robot = work->robot;
        a->run = work->run;
        a->table = table;
        a->wall_time = NAN; // answers repeat bit for bit
        a->watch.progress = work->run->progress;
        a->watch.user = work->run->user;
        status = run(a, err);
        // rows before an early end are an answer: the tree is filled all the same
        if (status == PKM_OK) status = check_end(work, a, err);
        if (pkm_table_n_row(table) > 0) pkm_account_result(a, work->answer->tree);
        work->answer->verify = pkm_account_kind(a);
        work->answer->spread = a->spread;
        a->spread = NULL; // the answer keeps it
        pkm_account_free(a);
    }
    pkm_free(a);
    return status;
}

pkm_status pkm_run_simulate(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_SIMULATE, robot, run, out, &work, err);
    if (status == PKM_OK) status = tell(&work, pkm_account_simulate, err);
    return pkm_work_end(&work, status, out, err);
}

pkm_status pkm_run_elastodynamics(pkm_robot* robot, const pkm_run* run, pkm_answer** out,
                                  pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_ELASTODYNAMICS, robot, run, out, &work, err);
    if (status == PKM_OK) status = tell(&work, pkm_account_elastodynamics, err);
    return pkm_work_end(&work, status, out, err);
}
