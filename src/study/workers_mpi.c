// Tasks and results as messages of bytes. Waiting ranks sleep between looks, since MPI itself would
// keep a core busy.
#include "study/workers_mpi.h"

#include "base/error.h"
#include "base/memory.h"
#include "study/case.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_CASE = 1, TAG_RESULT = 2, NO_CASE = -1 };

static int my_rank(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int n_rank(void)
{
    int n = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

static bool has_message(int from, int tag, MPI_Status* status)
{
    int is_there = 0;
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &is_there, status);
    return is_there != 0;
}

// ---- the workers ------------------------------------------------------------------------------

/// A message while a case runs can only mean the end.
static bool may_go_on(void* user)
{
    MPI_Status status;
    (void)user;
    return !has_message(0, TAG_CASE, &status);
}

/// The next task. MPI waits by spinning, so this sleeps between looks: waiting takes no core from
/// those that work.
static pkm_task next_task(void)
{
    const struct timespec pause = {.tv_nsec = 200000};
    MPI_Status status;
    int task[2] = {NO_CASE, 0};
    while (!has_message(0, TAG_CASE, &status))
        nanosleep(&pause, NULL);
    MPI_Recv(task, 2, MPI_INT, 0, TAG_CASE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (pkm_task){.case_id = task[0], .part = task[1]};
}

/// A result that cannot be made is sent as nothing.
static void send_result(const pkm_study* study, pkm_task task)
{
    pkm_case_result* result = NULL;
    void* bytes = NULL;
    size_t size = 0;
    pkm_status status = pkm_case_run(study, task, may_go_on, NULL, &result, NULL);
    if (status == PKM_OK) status = pkm_case_pack(result, &bytes, &size, NULL);
    if (status != PKM_RETRY)
        MPI_Send(bytes, status == PKM_OK ? (int)size : 0, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    pkm_free(bytes);
    pkm_case_free(result);
}

static bool is_helper(void)
{
    return my_rank() != 0;
}

static bool serve(const pkm_study* study)
{
    if (!is_helper()) return false;
    for (pkm_task task; (task = next_task()).case_id != NO_CASE;)
        send_result(study, task);
    return true;
}

// ---- the scheduler ------------------------------------------------------------------------------

/// Worker 0 is a forked process beside the scheduler, worker r that of rank r.
typedef struct mpi_workers {
    pkm_workers base;
    pkm_workers* beside;
} mpi_workers;

static pkm_status give(pkm_workers* base, int w, pkm_task task, pkm_error* err)
{
    pkm_workers* beside = ((mpi_workers*)base)->beside;
    if (w == 0) return beside->give(beside, 0, task, err);
    const int message[2] = {task.case_id, task.part};
    MPI_Send(message, 2, MPI_INT, w, TAG_CASE, MPI_COMM_WORLD);
    return PKM_OK;
}

static pkm_status take(const MPI_Status* status, pkm_parcel* out, pkm_error* err)
{
    int size = 0;
    MPI_Get_count(status, MPI_BYTE, &size);
    out->worker = status->MPI_SOURCE;
    out->size = (size_t)size;
    out->bytes = size > 0 ? pkm_alloc((size_t)size, 1) : NULL;
    if (size > 0 && !out->bytes) return pkm_out_of_memory(err);
    MPI_Recv(out->bytes, size, MPI_BYTE, out->worker, TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (size == 0) snprintf(out->why, sizeof out->why, "its process was out of memory");
    return PKM_OK;
}

static pkm_status receive(pkm_workers* base, double seconds, pkm_parcel* out, pkm_error* err)
{
    static const double look = 0.5e-3; // [s]
    pkm_workers* beside = ((mpi_workers*)base)->beside;
    MPI_Status status;
    *out = (pkm_parcel){.worker = PKM_NONE};
    for (double t = 0.0; t < seconds; t += look) {
        if (has_message(MPI_ANY_SOURCE, TAG_RESULT, &status)) return take(&status, out, err);
        PKM_TRY(beside->receive(beside, look, out, err));
        if (out->worker != PKM_NONE) return PKM_OK;
    }
    return PKM_OK;
}

static void release(void)
{
    const int none[2] = {NO_CASE, 0};
    for (int r = 1; r < n_rank(); ++r)
        MPI_Send(none, 2, MPI_INT, r, TAG_CASE, MPI_COMM_WORLD);
}

static void dismiss(pkm_workers* base, bool at_once)
{
    mpi_workers* workers = (mpi_workers*)base;
    release();
    workers->beside->dismiss(workers->beside, at_once);
    pkm_free(workers);
}

static void name(const pkm_workers* base, int w, char* out, size_t size)
{
    (void)base;
    snprintf(out, size, "rank %d", w);
}

static pkm_status create(const pkm_study* study, pkm_workers** out, pkm_error* err)
{
    *out = NULL;
    mpi_workers* workers = pkm_alloc(1, sizeof *workers);
    pkm_status status =
        workers ? pkm_workers_fork(study, 1, &workers->beside, err) : pkm_out_of_memory(err);
    if (status != PKM_OK) {
        pkm_free(workers);
        release();
        return status;
    }
    workers->base = (pkm_workers){
        .n_worker = n_rank(), .give = give, .receive = receive, .dismiss = dismiss, .name = name};
    *out = &workers->base;
    return PKM_OK;
}

// ---- all --------------------------------------------------------------------------------------

/// The process of the lowest rank that failed tells it.
static pkm_status agree(pkm_status status, pkm_error* err)
{
    int mine = status == PKM_OK ? n_rank() : my_rank(), first = 0;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == n_rank()) return PKM_OK;
    if (first == my_rank()) return status;
    (void)err;
    exit(2);
}

static void finish(void)
{
    MPI_Finalize();
}

const pkm_company* pkm_company_mpi(void)
{
    static const pkm_company company = {agree, is_helper, serve, create, release};
    int is_begun = 0;
    MPI_Initialized(&is_begun);
    if (is_begun) return &company;
    // the scheduler forks its worker, which does not talk MPI
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 1);
    MPI_Init(NULL, NULL);
    atexit(finish);
    return &company;
}
