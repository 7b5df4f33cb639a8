// Workers of a study as processes of this machine: one forked for each, cases sent and results read
// through pipes.
#include "base/error.h"
#include "base/memory.h"
#include "study/workers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MAX_WORKER = 1024 };

typedef struct worker {
    pid_t process; ///< 0: not there
    int file;      ///< our end of the socket
} worker;

typedef struct fork_workers {
    pkm_workers base;
    const pkm_study* study;
    struct pollfd* poll;
    worker worker[];
} fork_workers;

// ---- messages ---------------------------------------------------------------------------------

/// One message over a socket: all bytes, or false.
static bool send_all(int file, const void* bytes, size_t size)
{
    const char* from = bytes;
    while (size > 0) {
        const ssize_t n = send(file, from, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

/// The same for the other direction; false: the other side has gone.
static bool receive_all(int file, void* bytes, size_t size)
{
    char* to = bytes;
    while (size > 0) {
        const ssize_t n = recv(file, to, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

// ---- the worker's side ------------------------------------------------------------------------

/// A result that cannot be packed ends the worker: the scheduler sees a death and tries again.
static bool serve_task(const pkm_study* study, pkm_task task, int file)
{
    pkm_case_result* result = NULL;
    void* bytes = NULL;
    size_t size = 0;
    pkm_status status = pkm_case_run(study, task, NULL, NULL, &result, NULL);
    if (status == PKM_OK) status = pkm_case_pack(result, &bytes, &size, NULL);
    const bool is_sent =
        status == PKM_OK && send_all(file, &size, sizeof size) && send_all(file, bytes, size);
    pkm_free(bytes);
    pkm_case_free(result);
    return is_sent;
}

/// The life of a worker: tasks come as they are, results go as size_t and bytes; ends with the
/// socket.
static void serve(const pkm_study* study, int file)
{
    pkm_task task;
    while (receive_all(file, &task, sizeof task))
        if (!serve_task(study, task, file)) return;
}

/// In the new process: Ctrl-C is the scheduler's, and without a scheduler there is no work.
static void be_worker(const fork_workers* workers, pid_t scheduler, int file)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGTERM, &usual, NULL);
#ifdef __linux__
    // the scheduler may be killed, too
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    // it died before the line above
    if (getppid() != scheduler) _exit(0);
    for (int w = 0; w < workers->base.n_worker; ++w)
        // sockets of the others, which this process has inherited
        if (workers->worker[w].process > 0) close(workers->worker[w].file);
    serve(workers->study, file);
    _exit(0);
}

// ---- the scheduler's side -----------------------------------------------------------------------

/// A worker begins when it is first needed: what was read before is shared with it.
static pkm_status hire(fork_workers* workers, int w, pkm_error* err)
{
    int pair[2];
    const pid_t scheduler = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "cannot make a socket: %s", strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        close(pair[0]);
        be_worker(workers, scheduler, pair[1]);
    }
    close(pair[1]);
    if (process < 0) {
        close(pair[0]);
        return pkm_fail(err, PKM_ERR_FILE, "cannot start a process: %s", strerror(errno));
    }
    workers->worker[w] = (worker){.process = process, .file = pair[0]};
    return PKM_OK;
}

static pkm_status give(pkm_workers* base, int w, pkm_task task, pkm_error* err)
{
    fork_workers* workers = (fork_workers*)base;
    if (workers->worker[w].process == 0) PKM_TRY(hire(workers, w, err));
    // a worker that has just died is found by receive, which gives the task back
    (void)send_all(workers->worker[w].file, &task, sizeof task);
    return PKM_OK;
}

/// Wait for the process, so that none is left behind, and say how it ended.
static void bury(fork_workers* workers, int w, char* why, size_t size)
{
    int how = 0;
    close(workers->worker[w].file);
    while (waitpid(workers->worker[w].process, &how, 0) < 0 && errno == EINTR)
        ;
    workers->worker[w].process = 0;
    if (WIFSIGNALED(how))
        snprintf(why, size, "its process was ended by signal %d", WTERMSIG(how));
    else
        snprintf(why, size, "its process was out of memory");
}

/// Size, then bytes; half a message is a death.
static pkm_status take(fork_workers* workers, int w, pkm_parcel* out, pkm_error* err)
{
    const int file = workers->worker[w].file;
    size_t size = 0;
    out->worker = w;
    if (!receive_all(file, &size, sizeof size)) {
        bury(workers, w, out->why, sizeof out->why);
        return PKM_OK;
    }
    out->bytes = pkm_alloc(size, 1);
    if (!out->bytes) return pkm_out_of_memory(err);
    out->size = size;
    if (receive_all(file, out->bytes, size)) return PKM_OK;
    pkm_free(out->bytes);
    out->bytes = NULL;
    bury(workers, w, out->why, sizeof out->why);
    return PKM_OK;
}

static pkm_status receive(pkm_workers* base, double seconds, pkm_parcel* out, pkm_error* err)
{
    fork_workers* workers = (fork_workers*)base;
    *out = (pkm_parcel){.worker = PKM_NONE};
    for (int w = 0; w < base->n_worker; ++w) {
        const bool is_there = workers->worker[w].process > 0;
        workers->poll[w] =
            (struct pollfd){.fd = is_there ? workers->worker[w].file : -1, .events = POLLIN};
    }
    if (poll(workers->poll, (nfds_t)base->n_worker, (int)ceil(1e3 * seconds)) <= 0) return PKM_OK;
    for (int w = 0; w < base->n_worker; ++w)
        if (workers->poll[w].revents) return take(workers, w, out, err);
    return PKM_OK;
}

static void dismiss(pkm_workers* base, bool at_once)
{
    fork_workers* workers = (fork_workers*)base;
    char why[80];
    for (int w = 0; w < base->n_worker; ++w) {
        if (workers->worker[w].process == 0) continue;
        if (at_once) kill(workers->worker[w].process, SIGKILL);
        bury(workers, w, why, sizeof why); // an idle one ends with its socket
    }
    pkm_free(workers->poll);
    pkm_free(workers);
}

static void name(const pkm_workers* base, int w, char* out, size_t size)
{
    (void)base;
    snprintf(out, size, "worker %d", w);
}

pkm_status pkm_workers_fork(const pkm_study* study, int n_worker, pkm_workers** out, pkm_error* err)
{
    *out = NULL;
    if (n_worker < 1 || n_worker > MAX_WORKER)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "-j: %d processes, expected 1 to %d", n_worker,
                        MAX_WORKER);
    fork_workers* workers =
        pkm_alloc(1, sizeof *workers + (size_t)n_worker * sizeof workers->worker[0]);
    if (workers) workers->poll = pkm_alloc((size_t)n_worker, sizeof *workers->poll);
    if (!workers || !workers->poll) {
        pkm_free(workers);
        return pkm_out_of_memory(err);
    }
    workers->base = (pkm_workers){
        .n_worker = n_worker, .give = give, .receive = receive, .dismiss = dismiss, .name = name};
    workers->study = study;
    *out = &workers->base;
    return PKM_OK;
}
