#include "study/foreman.h"

#include "base/error.h"
#include "base/memory.h"
#include "study/case.h"
#include "study/record.h"

#include <stdio.h>
#include <string.h>

static const double tick_interval = 0.1; // [s]

/// How often a case is begun again when its process dies: memory may have been short.
enum { MAX_DEATH = 2 };

typedef struct foreman {
    const pkm_study* study;
    pkm_store* store;
    pkm_crew* crew;
    int* todo; ///< cases that wait, the longest first
    int n_todo, next;
    int* busy;            ///< the case of each worker, PKM_NONE: idle
    unsigned char* death; ///< per case
    int n_busy;
    pkm_foreman_report* report;
} foreman;

/// In a factorial the last cases have all effects and take the longest: they come first, so that no
/// process is left alone with one at the end.
static void order_work(foreman* f)
{
    for (int i = 0; !f->study->is_sweep && i < f->n_todo / 2; ++i) {
        const int swap = f->todo[i];
        f->todo[i] = f->todo[f->n_todo - 1 - i];
        f->todo[f->n_todo - 1 - i] = swap;
    }
}

static pkm_status give_work(foreman* f, pkm_error* err)
{
    for (int w = 0; w < f->crew->n_worker && f->next < f->n_todo; ++w) {
        if (f->busy[w] != PKM_NONE) continue;
        f->busy[w] = f->todo[f->next];
        PKM_TRY(f->crew->give(f->crew, w, f->busy[w], err));
        ++f->next;
        ++f->n_busy;
    }
    return PKM_OK;
}

static pkm_status finish(foreman* f, const pkm_case_result* result, int worker, pkm_error* err)
{
    char process[64] = "";
    f->crew->name(f->crew, worker, process, sizeof process);
    PKM_TRY(pkm_record_case(f->store, result, process, err));
    ++*(result->is_done ? &f->report->n_done : &f->report->n_failed);
    return PKM_OK;
}

/// A worker is dead: its case begins again, or fails for good.
static pkm_status mourn(foreman* f, const pkm_parcel* parcel, pkm_error* err)
{
    const int id = f->busy[parcel->worker];
    if (++f->death[id] < MAX_DEATH) return f->crew->give(f->crew, parcel->worker, id, err);
    f->busy[parcel->worker] = PKM_NONE;
    --f->n_busy;
    pkm_case_result failed = {.case_id = id};
    snprintf(failed.reason, sizeof failed.reason, "%.80s, %d times", parcel->why, MAX_DEATH);
    return finish(f, &failed, parcel->worker, err);
}

static pkm_status take(foreman* f, const pkm_parcel* parcel, pkm_error* err)
{
    if (parcel->worker == PKM_NONE || f->busy[parcel->worker] == PKM_NONE) return PKM_OK;
    if (!parcel->bytes) return mourn(f, parcel, err);
    pkm_case_result* result = NULL;
    f->busy[parcel->worker] = PKM_NONE;
    --f->n_busy;
    pkm_status status = pkm_case_unpack(parcel->bytes, parcel->size, &result, err);
    if (status == PKM_OK) status = finish(f, result, parcel->worker, err);
    pkm_case_free(result);
    return status;
}

static pkm_status work(foreman* f, pkm_foreman_tick tick, void* user, pkm_error* err)
{
    while (f->next < f->n_todo || f->n_busy > 0) {
        const pkm_foreman_report* r = f->report;
        if (tick && !tick(user, r->n_before + r->n_done + r->n_failed, f->study->n_case)) {
            f->report->interrupted = true;
            return PKM_OK;
        }
        pkm_parcel parcel;
        PKM_TRY(give_work(f, err));
        PKM_TRY(f->crew->receive(f->crew, tick_interval, &parcel, err));
        const pkm_status status = take(f, &parcel, err);
        pkm_free(parcel.bytes);
        if (status != PKM_OK) return status;
    }
    return PKM_OK;
}

pkm_status pkm_foreman_run(const pkm_study* study, pkm_store* store, pkm_crew* crew,
                           pkm_foreman_tick tick, void* user, pkm_foreman_report* report,
                           pkm_error* err)
{
    *report = (pkm_foreman_report){0};
    foreman f = {.study = study, .store = store, .crew = crew, .report = report};
    f.todo = pkm_alloc((size_t)study->n_case, sizeof *f.todo);
    f.death = pkm_alloc((size_t)study->n_case, 1);
    f.busy = pkm_alloc((size_t)crew->n_worker, sizeof *f.busy);
    pkm_status status = PKM_ERR_MEMORY;
    if (f.todo && f.death && f.busy) {
        for (int w = 0; w < crew->n_worker; ++w)
            f.busy[w] = PKM_NONE;
        status = pkm_record_waiting(store, study->n_case, f.todo, &f.n_todo, err);
        report->n_before = study->n_case - f.n_todo;
        order_work(&f);
        if (status == PKM_OK) status = work(&f, tick, user, err);
    } else {
        pkm_fail(err, status, "out of memory");
    }
    pkm_free(f.todo);
    pkm_free(f.death);
    pkm_free(f.busy);
    return status;
}
