// Cases that take longest come first, repetitions before new cases; the task of a worker that has
// died begins again. One process writes, so that no lock is waited for.
#include "study/scheduler.h"

#include "base/error.h"
#include "base/memory.h"
#include "study/record.h"

#include <stdio.h>
#include <string.h>

static const double tick_interval = 0.1; // [s]

/// How often a task is begun again when its process dies: memory may have been short.
enum { MAX_DEATH = 2, MAX_REPEAT = 4 };
/// Cases for each worker that are begun before repetitions at the end, see next_task.
enum { N_EARLY = 4 };

/// A case that waits for its repetitions.
typedef struct pending {
    pkm_case_result* part[1 + MAX_REPEAT]; ///< [0] is the case itself; NULL: not yet there
    int n_next;                            ///< repetitions that were given out, and 1
    int n_there;
} pending;

typedef struct scheduler {
    const pkm_study* study;
    pkm_store* store;
    pkm_workers* workers;
    int* todo; ///< cases that wait, the longest first
    int n_todo, next;
    pkm_task* busy;       ///< the task of each worker; case PKM_NONE: idle
    unsigned char* death; ///< per worker, of its task
    int n_busy;
    pending* pending; ///< [n_slot], case by case; part[0] NULL: free
    pkm_scheduler_report* report;
} scheduler;

/// Places for a case of each worker, the last ones, which are begun early, and one in hand.
static int n_slot(const scheduler* f)
{
    return (1 + N_EARLY) * f->workers->n_worker + 1;
}

/// In a factorial the last cases have all effects and take the longest: they come first, so that no
/// process is left alone with one at the end.
static void order_work(scheduler* f)
{
    for (int i = 0; !f->study->is_sweep && i < f->n_todo / 2; ++i) {
        const int swap = f->todo[i];
        f->todo[i] = f->todo[f->n_todo - 1 - i];
        f->todo[f->n_todo - 1 - i] = swap;
    }
}

// ---- giving -----------------------------------------------------------------------------------

/// The case that owes repetitions, of several the one that took the longest; NULL: none does.
static pending* find_owing(const scheduler* f)
{
    pending* longest = NULL;
    for (int s = 0; s < n_slot(f); ++s) {
        pending* p = &f->pending[s];
        if (!p->part[0] || p->n_next > p->part[0]->n_repeat) continue;
        if (!longest || p->part[0]->wall_time > longest->part[0]->wall_time) longest = p;
    }
    return longest;
}

/// The next task; false: there is none now. Repetitions come before new cases: few cases are under
/// way at a time, and little is lost when the study is killed. Only the last cases come before
/// them: their times are known then, and at the end no worker is left alone with a long one.
static bool next_task(scheduler* f, pkm_task* out)
{
    const int n_left = f->n_todo - f->next;
    // the last cases: their times are to be known before the repetitions are shared out
    const bool is_end = n_left > 0 && n_left <= N_EARLY * f->workers->n_worker;
    pending* p = is_end ? NULL : find_owing(f);
    if (!p && n_left == 0) return false;
    *out = p ? (pkm_task){.case_id = p->part[0]->case_id, .part = p->n_next++}
             : (pkm_task){.case_id = f->todo[f->next++]};
    return true;
}

/// Every idle worker gets a task, as long as there are some.
static pkm_status give_work(scheduler* f, pkm_error* err)
{
    for (int w = 0; w < f->workers->n_worker; ++w) {
        // the task is written into `busy` at once: a worker that dies gets it again from there
        if (f->busy[w].case_id != PKM_NONE || !next_task(f, &f->busy[w])) continue;
        f->death[w] = 0;
        ++f->n_busy;
        PKM_TRY(f->workers->give(f->workers, w, f->busy[w], err));
    }
    return PKM_OK;
}

// ---- taking -----------------------------------------------------------------------------------

/// The case is in the database when this returns: a kill loses what runs, not what is done.
static pkm_status commit(scheduler* f, pkm_case_result* result, int worker, pkm_error* err)
{
    char process[64] = "";
    // before it is recorded: a file that changed meanwhile makes the case a failed one
    pkm_record_check_sources(result);
    f->workers->name(f->workers, worker, process, sizeof process);
    PKM_TRY(pkm_record_case(f->store, result, process, err));
    ++*(result->is_done ? &f->report->n_done : &f->report->n_failed);
    return PKM_OK;
}

static void free_pending(pending* p)
{
    for (int k = 0; k <= MAX_REPEAT; ++k)
        pkm_case_free(p->part[k]);
    *p = (pending){.n_next = 1};
}

/// The pending case of a result; a free place for a new one. New cases begin only when no
/// repetition is owed, so cases that run or wait for their last repetitions are at most as many as
/// workers; the last cases may add as many, and one more is in hand: a place is always free.
static pending* place_of(scheduler* f, const pkm_case_result* result)
{
    for (int s = 0; s < n_slot(f); ++s) {
        const pkm_case_result* own = f->pending[s].part[0];
        const bool is_it = result->part == 0 ? !own : own && own->case_id == result->case_id;
        if (is_it) return &f->pending[s];
    }
    return NULL;
}

/// Keep a result, which belongs to the scheduler from now on; commit the case when it is complete.
static pkm_status finish(scheduler* f, pkm_case_result* result, int worker, pkm_error* err)
{
    // a result comes from another process: what it says is not trusted
    if (result->n_repeat > MAX_REPEAT) result->n_repeat = MAX_REPEAT;
    pending* p = place_of(f, result);
    PKM_ASSERT(p && result->part <= MAX_REPEAT);
    p->part[result->part] = result;
    pkm_case_result* own = p->part[0];
    if (++p->n_there <= own->n_repeat) return PKM_OK;
    for (int k = 1; k <= own->n_repeat; ++k) // in their order, not in that of their coming
        pkm_case_add_repeat(own, p->part[k]);
    const pkm_status status = commit(f, own, worker, err);
    free_pending(p);
    return status;
}

/// A worker is dead: its task begins again, or fails for good.
static pkm_status mourn(scheduler* f, const pkm_parcel* parcel, pkm_error* err)
{
    const int w = parcel->worker;
    if (++f->death[w] < MAX_DEATH) return f->workers->give(f->workers, w, f->busy[w], err);
    pkm_case_result* failed = pkm_alloc(1, sizeof *failed);
    if (!failed) return pkm_out_of_memory(err);
    failed->case_id = f->busy[w].case_id;
    failed->part = f->busy[w].part;
    failed->has_died = true;
    snprintf(failed->reason, sizeof failed->reason, "%.80s, %d times", parcel->why, MAX_DEATH);
    f->busy[w].case_id = PKM_NONE;
    --f->n_busy;
    return finish(f, failed, w, err);
}

/// A result, or the news of a death.
static pkm_status take(scheduler* f, const pkm_parcel* parcel, pkm_error* err)
{
    const int w = parcel->worker;
    pkm_case_result* result = NULL;
    if (w == PKM_NONE || f->busy[w].case_id == PKM_NONE) return PKM_OK;
    if (!parcel->bytes) return mourn(f, parcel, err);
    f->busy[w].case_id = PKM_NONE;
    --f->n_busy;
    PKM_TRY(give_work(f, err)); // the worker goes on while this process writes
    PKM_TRY(pkm_case_unpack(parcel->bytes, parcel->size, &result, err));
    return finish(f, result, w, err);
}

// ---- all --------------------------------------------------------------------------------------

static pkm_status work(scheduler* f, pkm_scheduler_tick tick, void* user, pkm_error* err)
{
    for (;;) {
        const pkm_scheduler_report* r = f->report;
        PKM_TRY(give_work(f, err));
        if (f->n_busy == 0) return PKM_OK;
        if (tick && !tick(user, r->n_before + r->n_done + r->n_failed, f->study->n_case)) {
            f->report->interrupted = true;
            return PKM_OK;
        }
        pkm_parcel parcel;
        PKM_TRY(f->workers->receive(f->workers, tick_interval, &parcel, err));
        const pkm_status status = take(f, &parcel, err);
        pkm_free(parcel.bytes);
        if (status != PKM_OK) return status;
    }
}

static bool make_memory(scheduler* f)
{
    const size_t n_case = (size_t)f->study->n_case, n_worker = (size_t)f->workers->n_worker;
    const size_t n_place = (size_t)n_slot(f);
    f->todo = pkm_alloc(n_case, sizeof *f->todo);
    f->busy = pkm_alloc(n_worker, sizeof *f->busy);
    f->death = pkm_alloc(n_worker, 1);
    f->pending = pkm_alloc(n_place, sizeof *f->pending);
    if (!f->todo || !f->busy || !f->death || !f->pending) return false;
    for (size_t w = 0; w < n_worker; ++w)
        f->busy[w].case_id = PKM_NONE;
    for (size_t s = 0; s < n_place; ++s)
        f->pending[s].n_next = 1;
    return true;
}

static void free_memory(scheduler* f)
{
    for (int s = 0; f->pending && s < n_slot(f); ++s)
        free_pending(&f->pending[s]);
    pkm_free(f->todo);
    pkm_free(f->busy);
    pkm_free(f->death);
    pkm_free(f->pending);
}

pkm_status pkm_scheduler_run(const pkm_study* study, pkm_store* store, pkm_workers* workers,
                             pkm_scheduler_tick tick, void* user, pkm_scheduler_report* report,
                             pkm_error* err)
{
    *report = (pkm_scheduler_report){0};
    scheduler f = {.study = study, .store = store, .workers = workers, .report = report};
    pkm_status status = make_memory(&f) ? PKM_OK : pkm_out_of_memory(err);
    if (status == PKM_OK) status = pkm_record_waiting(store, study->n_case, f.todo, &f.n_todo, err);
    if (status == PKM_OK) {
        report->n_before = study->n_case - f.n_todo;
        order_work(&f);
        status = work(&f, tick, user, err);
    }
    free_memory(&f);
    return status;
}
