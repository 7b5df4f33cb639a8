// A study from its file to its database: opened or continued, open cases given to workers, findings
// made at the end.
#include "pkm/study.h"

#include "api/answer.h"
#include "base/error.h"
#include "math/lapack.h"
#include "model/source.h"
#include "study/findings.h"
#include "study/record.h"
#include "study/scheduler.h"

#include <math.h>
#include <unistd.h>

/// A study on its way.
typedef struct work {
    pkm_study* study;
    pkm_store* store;
    pkm_findings* findings;
    pkm_scheduler_report report;
    pkm_answer* answer;
    pkm_progress_fn progress;
    void* user;
} work;

static bool tick(void* user, int n_done, int n_all)
{
    const work* w = user;
    return !w->progress || w->progress(w->user, (double)n_done / n_all);
}

static pkm_status open_store(work* w, const char* path, pkm_error* err)
{
    if (access(path, F_OK) == 0) {
        PKM_TRY(pkm_store_open(path, &w->store, err));
        return pkm_record_resume(w->store, w->study, false, err);
    }
    PKM_TRY(pkm_store_create(path, &w->store, err));
    return pkm_record_study(w->store, w->study, err);
}

static pkm_status run_cases(work* w, int n_process, pkm_error* err)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pkm_workers* workers = NULL;
    if (n_process == 0) n_process = cores > 0 ? (int)cores : 1;
    PKM_TRY(pkm_workers_fork(w->study, n_process, &workers, err));
    const pkm_status status =
        pkm_scheduler_run(w->study, w->store, workers, tick, w, &w->report, err);
    workers->dismiss(workers, status != PKM_OK || w->report.interrupted);
    return status;
}

// ---- the table of cases -----------------------------------------------------------------------

/// Columns: case, factors, outputs.
static pkm_status add_columns(const work* w, pkm_table* table, pkm_error* err)
{
    const pkm_study* s = w->study;
    bool ok = pkm_table_add_column(table, "case", "") != PKM_NONE;
    for (int k = 0; k < s->n_factor && ok; ++k)
        ok = pkm_table_add_column(table, s->factor[k].name,
                                  s->factor[k].unit ? s->factor[k].unit : "") != PKM_NONE;
    for (int k = 0; k < s->n_output && ok; ++k)
        ok = pkm_table_add_column(table, s->output[k].name, s->output[k].unit) != PKM_NONE;
    return ok ? PKM_OK : pkm_out_of_memory(err);
}

/// A value of the table of results: case, output, value.
typedef struct filling {
    double* value; ///< of the first row
    int n_case, n_column, first_output, n_output;
} filling;

static bool take_value(void* user, const pkm_cell* cell, int n)
{
    const filling* f = user;
    const long long id = cell[0].integer, k = cell[1].integer;
    (void)n;
    if (id >= 0 && id < f->n_case && k >= 0 && k < f->n_output)
        f->value[id * f->n_column + f->first_output + k] = cell[2].number;
    return true;
}

static pkm_status list_cases(const work* w, pkm_error* err)
{
    const pkm_study* s = w->study;
    pkm_table* table = pkm_answer_add_table(w->answer, "cases");
    if (!table) return pkm_out_of_memory(err);
    PKM_TRY(add_columns(w, table, err));
    if (pkm_table_reserve(table, s->n_case) != PKM_OK) return pkm_out_of_memory(err);
    double* first = NULL;
    for (int id = 0; id < s->n_case; ++id) {
        int level[PKM_MAX_FACTOR];
        double* row = pkm_table_append(table);
        if (!row) return pkm_out_of_memory(err);
        if (id == 0) first = row; // there is room for all: rows do not move
        pkm_study_levels(s, id, level);
        *row++ = id;
        for (int k = 0; k < s->n_factor; ++k) {
            const double value = s->factor[k].level[level[k]].value;
            *row++ = isnan(value) ? level[k] : value;
        }
        for (int k = 0; k < s->n_output; ++k)
            *row++ = NAN;
    }
    filling f = {first, s->n_case, pkm_table_n_column(table), 1 + s->n_factor, s->n_output};
    return pkm_store_query(w->store,
                           "select case_id, output_id, value from results where value is not null",
                           NULL, 0, take_value, &f, err);
}

static bool take_count(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    *(int*)user = (int)cell[0].integer;
    return false;
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status run(work* w, const char* path, const char* database, const pkm_override* set,
                      int n_set, int n_process, pkm_error* err)
{
    pkm_sources_begin(); // the files of this study
    PKM_TRY(pkm_study_read(path, set, n_set, &w->study, err));
    PKM_TRY(open_store(w, database, err));
    PKM_TRY(run_cases(w, n_process, err));
    PKM_TRY(list_cases(w, err));
    pkm_result_integer(w->answer->tree, "cases", w->study->n_case);
    int n_failed = 0; // of this call and of earlier ones
    PKM_TRY(pkm_store_query(w->store, "select count(*) from cases where state = 'failed'", NULL, 0,
                            take_count, &n_failed, err));
    pkm_result_integer(w->answer->tree, "failed", n_failed);
    pkm_result_integer(w->answer->tree, "finished_before", w->report.n_before);
    if (w->report.interrupted)
        return pkm_fail(err, PKM_ERR_INTERRUPTED, "study: stopped after %d of %d cases",
                        w->report.n_before + w->report.n_done, w->study->n_case);
    PKM_TRY(pkm_findings_create(w->study, w->store, &w->findings, err));
    if (n_failed == 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_CASES, "study: %d of %d cases failed; their reasons are in %s",
                    n_failed, w->study->n_case, database);
}

pkm_status pkm_run_study(const char* path, const char* database, const pkm_override* set, int n_set,
                         int n_process, pkm_progress_fn progress, void* user, pkm_answer** out,
                         pkm_error* err)
{
    if (out) *out = NULL;
    if (!path || !database || !out || n_process < 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "study: expected a path, a database, `out` and n_process >= 0");
    work w = {.answer = pkm_answer_create(PKM_TASK_STUDY), .progress = progress, .user = user};
    pkm_lapack_begin(); // of the workers too, which are forked
    const pkm_status status =
        w.answer ? run(&w, path, database, set, n_set, n_process, err) : pkm_out_of_memory(err);
    pkm_lapack_end();
    pkm_findings_free(w.findings);
    pkm_store_free(w.store);
    pkm_study_free(w.study);
    return pkm_answer_finish(w.answer, status, out, err);
}
