#include "base/error.h"
#include "base/memory.h"
#include "study/crew.h"

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

typedef struct fork_crew {
    pkm_crew base;
    const pkm_study* study;
    struct pollfd* poll;
    worker worker[];
} fork_crew;

// ---- messages ---------------------------------------------------------------------------------

bool pkm_crew_write(int file, const void* bytes, size_t size)
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

bool pkm_crew_read(int file, void* bytes, size_t size)
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

static bool serve_task(const pkm_study* study, pkm_task task, int file)
{
    pkm_case_result* result = NULL;
    void* bytes = NULL;
    size_t size = 0;
    pkm_status status = pkm_case_run(study, task, NULL, NULL, &result, NULL);
    if (status == PKM_OK) status = pkm_case_pack(result, &bytes, &size, NULL);
    const bool is_sent = status == PKM_OK && pkm_crew_write(file, &size, sizeof size) &&
                         pkm_crew_write(file, bytes, size);
    pkm_free(bytes);
    pkm_case_free(result);
    return is_sent;
}

void pkm_crew_serve(const pkm_study* study, int file)
{
    pkm_task task;
    while (pkm_crew_read(file, &task, sizeof task))
        if (!serve_task(study, task, file)) return;
}

/// In the new process: Ctrl-C is the foreman's, and without a foreman there is no work.
static void be_worker(const fork_crew* crew, pid_t foreman, int file)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGTERM, &usual, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != foreman) _exit(0);
    for (int w = 0; w < crew->base.n_worker; ++w)
        if (crew->worker[w].process > 0) close(crew->worker[w].file);
    pkm_crew_serve(crew->study, file);
    _exit(0);
}

// ---- the foreman's side -----------------------------------------------------------------------

static pkm_status hire(fork_crew* crew, int w, pkm_error* err)
{
    int pair[2];
    const pid_t foreman = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "cannot make a socket: %s", strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        close(pair[0]);
        be_worker(crew, foreman, pair[1]);
    }
    close(pair[1]);
    if (process < 0) {
        close(pair[0]);
        return pkm_fail(err, PKM_ERR_FILE, "cannot start a process: %s", strerror(errno));
    }
    crew->worker[w] = (worker){.process = process, .file = pair[0]};
    return PKM_OK;
}

static pkm_status give(pkm_crew* base, int w, pkm_task task, pkm_error* err)
{
    fork_crew* crew = (fork_crew*)base;
    if (crew->worker[w].process == 0) PKM_TRY(hire(crew, w, err));
    // A worker that has just died is found by receive, which gives the task back.
    (void)pkm_crew_write(crew->worker[w].file, &task, sizeof task);
    return PKM_OK;
}

static void bury(fork_crew* crew, int w, char* why, size_t size)
{
    int how = 0;
    close(crew->worker[w].file);
    while (waitpid(crew->worker[w].process, &how, 0) < 0 && errno == EINTR)
        ;
    crew->worker[w].process = 0;
    if (WIFSIGNALED(how))
        snprintf(why, size, "its process was ended by signal %d", WTERMSIG(how));
    else
        snprintf(why, size, "its process was out of memory");
}

static pkm_status take(fork_crew* crew, int w, pkm_parcel* out, pkm_error* err)
{
    const int file = crew->worker[w].file;
    size_t size = 0;
    out->worker = w;
    if (!pkm_crew_read(file, &size, sizeof size)) {
        bury(crew, w, out->why, sizeof out->why);
        return PKM_OK;
    }
    out->bytes = pkm_alloc(size, 1);
    if (!out->bytes) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    out->size = size;
    if (pkm_crew_read(file, out->bytes, size)) return PKM_OK;
    pkm_free(out->bytes);
    out->bytes = NULL;
    bury(crew, w, out->why, sizeof out->why);
    return PKM_OK;
}

static pkm_status receive(pkm_crew* base, double seconds, pkm_parcel* out, pkm_error* err)
{
    fork_crew* crew = (fork_crew*)base;
    *out = (pkm_parcel){.worker = PKM_NONE};
    for (int w = 0; w < base->n_worker; ++w) {
        const bool is_there = crew->worker[w].process > 0;
        crew->poll[w] =
            (struct pollfd){.fd = is_there ? crew->worker[w].file : -1, .events = POLLIN};
    }
    if (poll(crew->poll, (nfds_t)base->n_worker, (int)ceil(1e3 * seconds)) <= 0) return PKM_OK;
    for (int w = 0; w < base->n_worker; ++w)
        if (crew->poll[w].revents) return take(crew, w, out, err);
    return PKM_OK;
}

static void dismiss(pkm_crew* base, bool at_once)
{
    fork_crew* crew = (fork_crew*)base;
    char why[80];
    for (int w = 0; w < base->n_worker; ++w) {
        if (crew->worker[w].process == 0) continue;
        if (at_once) kill(crew->worker[w].process, SIGKILL);
        bury(crew, w, why, sizeof why); // an idle one ends with its socket
    }
    pkm_free(crew->poll);
    pkm_free(crew);
}

static void name(const pkm_crew* base, int w, char* out, size_t size)
{
    (void)base;
    snprintf(out, size, "worker %d", w);
}

pkm_status pkm_crew_fork(const pkm_study* study, int n_worker, pkm_crew** out, pkm_error* err)
{
    *out = NULL;
    if (n_worker < 1 || n_worker > MAX_WORKER)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "-j: %d processes, expected 1 to %d", n_worker,
                        MAX_WORKER);
    fork_crew* crew = pkm_alloc(1, sizeof *crew + (size_t)n_worker * sizeof crew->worker[0]);
    if (crew) crew->poll = pkm_alloc((size_t)n_worker, sizeof *crew->poll);
    if (!crew || !crew->poll) {
        pkm_free(crew);
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    crew->base = (pkm_crew){
        .n_worker = n_worker, .give = give, .receive = receive, .dismiss = dismiss, .name = name};
    crew->study = study;
    *out = &crew->base;
    return PKM_OK;
}
