// The one order in which a study runs: folder, database, waiting cases, findings. Databases of
// others and those that another process writes are refused.
#include "verb/study_work.h"

#include "base/clock.h"
#include "base/error.h"
#include "model/source.h"
#include "study/record.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// The other processes of this one; NULL: it is alone.
static const pkm_company* company(void)
{
    return pkm_company_mpi ? pkm_company_mpi() : NULL;
}

bool pkm_verb_study_is_helper(void)
{
    return company() && company()->is_helper();
}

// ---- the database -----------------------------------------------------------------------------

static bool take_count(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    *(int*)user = (int)cell[0].integer;
    return false;
}

static pkm_status count_finished(pkm_store* store, int* n, pkm_error* err)
{
    return pkm_store_query(store, "select count(*) from cases where state in ('done', 'failed')",
                           NULL, 0, take_count, n, err);
}

/// Refuse to throw away finished cases, whosever they are; --fresh says that this is wanted. A
/// study that is finished, unchanged, `stays` as it is.
static pkm_status protect(const pkm_verb_study_work* work, const char* path, bool* stays,
                          pkm_error* err)
{
    int n_done = 0;
    *stays = false;
    PKM_TRY(count_finished(work->store, &n_done, err));
    if (n_done == 0 || pkm_verb_has(work->args, "--fresh")) return PKM_OK;
    if (pkm_record_resume(work->store, work->study, false, NULL) != PKM_OK)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: holds %d finished cases of another study, or of this one before a "
                        "change; --fresh replaces them, -o chooses another folder",
                        path, n_done);
    *stays = n_done == work->study->n_case;
    if (*stays) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "%s: %d of %d cases of this study are finished; --resume continues it, --fresh "
                    "begins anew",
                    path, n_done, work->study->n_case);
}

/// A damaged database is replaced by --fresh when it is one of ours.
static pkm_status open_old(pkm_verb_study_work* work, const char* path, pkm_error* err)
{
    pkm_error why = {.status = PKM_OK};
    const pkm_status status = pkm_store_open(path, &work->store, &why);
    if (status == PKM_OK) return PKM_OK;
    const bool is_damaged = strstr(why.text, "damaged") || strstr(why.text, "cannot be continued");
    if (is_damaged && pkm_verb_has(work->args, "--fresh")) {
        PKM_TRY(pkm_store_remove_damaged(path, err));
        return pkm_store_create(path, &work->store, err);
    }
    return pkm_fail(err, status, "%s%s", why.text,
                    is_damaged ? "; --fresh replaces it" : "; -o chooses another folder");
}

static pkm_status open_store(pkm_verb_study_work* work, pkm_error* err)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/study.sqlite", work->folder);
    if (access(path, F_OK) != 0) {
        PKM_TRY(pkm_store_create(path, &work->store, err));
        return pkm_record_study(work->store, work->study, err);
    }
    PKM_TRY(open_old(work, path, err));
    if (pkm_verb_has(work->args, "--resume"))
        return pkm_record_resume(work->store, work->study,
                                 pkm_verb_has(work->args, "--accept-build"), err);
    bool stays;
    PKM_TRY(protect(work, path, &stays, err));
    if (stays) return PKM_OK;
    PKM_TRY(pkm_store_clear(work->store, err));
    return pkm_record_study(work->store, work->study, err);
}

// ---- the cases --------------------------------------------------------------------------------

static bool tick(void* user, int n_done, int n_all)
{
    return pkm_verb_progress_tick(user, (double)n_done / n_all);
}

static pkm_status count_processes(pkm_verb_study_work* work, pkm_error* err)
{
    const char* text = pkm_verb_get(work->args, "-j");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    work->n_process = cores > 0 ? (int)cores : 1;
    return text ? pkm_verb_integer(text, 1, "-j", &work->n_process, err) : PKM_OK;
}

static pkm_status run_cases(pkm_verb_study_work* work, pkm_error* err)
{
    pkm_workers* workers = NULL;
    const pkm_company* others = company();
    pkm_verb_progress progress = pkm_verb_progress_begin(work->args, work->study->name);
    PKM_TRY(others ? others->create(work->study, &workers, err)
                   : pkm_workers_fork(work->study, work->n_process, &workers, err));
    work->n_process = workers->n_worker;
    const pkm_status status =
        pkm_scheduler_run(work->study, work->store, workers, tick, &progress, &work->report, err);
    workers->dismiss(workers, status != PKM_OK || work->report.interrupted);
    pkm_verb_progress_end(&progress);
    return status;
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status choose_folder(pkm_verb_study_work* work, pkm_error* err)
{
    const char* given = pkm_verb_get(work->args, "-o");
    if (given && !pkm_verb_has(work->args, "--all"))
        snprintf(work->folder, sizeof work->folder, "%s", given);
    else
        snprintf(work->folder, sizeof work->folder, "%s/%s", given ? given : "pkm-out",
                 work->study->name);
    return pkm_verb_make_folder(work->folder, err);
}

static pkm_status make_ready(pkm_verb_study_work* work, pkm_error* err)
{
    PKM_TRY(count_processes(work, err));
    PKM_TRY(choose_folder(work, err));
    PKM_TRY(open_store(work, err));
    // the files beside the database belong to earlier results; all are made again at the end
    pkm_verb_old_files old;
    PKM_TRY(pkm_verb_folder_begin(work->folder, &old, err));
    pkm_verb_folder_end(work->folder, &old, NULL, 0);
    pkm_verb_folder_leave(&old);
    return PKM_OK;
}

pkm_status pkm_verb_study_do(pkm_verb_study_work* work, pkm_error* err)
{
    const double start = pkm_clock();
    const pkm_company* others = company();
    pkm_sources_begin(); // of this study
    pkm_status status =
        pkm_study_read(work->path, work->args->set, work->args->n_set, &work->study, err);
    if (others) status = others->agree(status, err);
    if (status != PKM_OK) return status;
    work->is_helper = others && others->serve(work->study);
    if (work->is_helper) return PKM_OK;
    status = make_ready(work, err);
    if (others && status != PKM_OK) others->release();
    if (status != PKM_OK) return status;
    PKM_TRY(run_cases(work, err));
    work->wall_time = pkm_clock() - start;
    if (work->report.interrupted) return PKM_OK;
    PKM_TRY(pkm_findings_create(work->study, work->store, &work->findings, err));
    return pkm_verb_study_write(work, err);
}

void pkm_verb_study_end(pkm_verb_study_work* work)
{
    pkm_findings_free(work->findings);
    pkm_store_free(work->store);
    pkm_study_free(work->study);
}
