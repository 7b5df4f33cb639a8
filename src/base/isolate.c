// fork and a pipe: the child limits itself, sends its answer and ends without the parent's exit
// handlers. What it was killed by becomes a sentence.
#include "base/isolate.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef __has_feature // clang tells thus
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PKM_IS_SANITIZED
#endif
#endif
#if defined(PKM_IS_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

struct pkm_isolate_pipe {
    int file;
};

// ---- the child --------------------------------------------------------------------------------

bool pkm_isolate_send(pkm_isolate_pipe* pipe, const void* bytes, size_t size)
{
    const char* from = bytes;
    while (size > 0) {
        const ssize_t n = write(pipe->file, from, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

static void set_limit(int resource, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

/// No core file, no words of libraries on the terminal, no life without the parent, and the limits.
/// Sanitizers reserve more memory than any limit, and their words are wanted.
static void limit_self(const pkm_isolate_limits* limits)
{
    static const int crash[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof crash / sizeof crash[0]; ++i)
        signal(crash[i], SIG_DFL); // handlers of the program are not for this
    set_limit(RLIMIT_CORE, 0);
    if (limits->seconds > 0) set_limit(RLIMIT_CPU, limits->seconds);
    if (limits->bytes > 0 && !IS_SANITIZED) set_limit(RLIMIT_DATA, limits->bytes);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const int nowhere = IS_SANITIZED ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

/// The answer ends with the error, whose status is that of the work.
static void be_child(pkm_isolate_work work, void* user, const pkm_isolate_limits* limits, int file)
{
    pkm_isolate_pipe pipe = {file};
    pkm_error end = {.status = PKM_OK};
    limit_self(limits);
    errno = 0;
    end.status = work(user, &pipe, &end);
    // libraries give all sorts of reasons when memory is out, or behind their limit
    if (end.status != PKM_OK && errno == ENOMEM)
        end.status = limits->bytes ? pkm_fail(&end, PKM_ERR_MEMORY,
                                              "out of memory, or it asks for more than %zu MB",
                                              limits->bytes >> 20)
                                   : pkm_fail(&end, PKM_ERR_MEMORY, "out of memory");
    _exit(pkm_isolate_send(&pipe, &end, sizeof end) ? 0 : 1);
}

// ---- the parent -------------------------------------------------------------------------------

static pkm_status collect(int file, size_t limit, char** bytes, size_t* size, pkm_error* err)
{
    size_t room = 0;
    for (;;) {
        if (*size == room) {
            room = room ? 2 * room : 64 * 1024;
            char* grown = pkm_realloc(*bytes, room, 1);
            if (!grown) return pkm_out_of_memory(err);
            *bytes = grown;
        }
        const ssize_t n = read(file, *bytes + *size, room - *size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return PKM_OK;
        *size += (size_t)n;
        if (limit > 0 && *size > limit + sizeof(pkm_error))
            return pkm_fail(err, PKM_ERR_FILE, "it holds more than %zu MB", limit >> 20);
    }
}

static pkm_status tell_end(int how, pkm_error* err)
{
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return PKM_OK;
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        return pkm_fail(err, PKM_ERR_FILE, "it takes too long to read; it is damaged");
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
        return pkm_fail(err, PKM_ERR_FILE, "reading it took too long or too much memory");
    return pkm_fail(err, PKM_ERR_FILE, "the library that reads it crashed (%s %d); it is damaged",
                    WIFSIGNALED(how) ? "signal" : "exit code",
                    WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}

/// Cut the error off the end of the answer.
static pkm_status take_end(const char* bytes, size_t* size, pkm_error* err)
{
    pkm_error end;
    if (*size < sizeof end) return pkm_fail(err, PKM_ERR_FILE, "reading it ended early");
    *size -= sizeof end;
    memcpy(&end, bytes + *size, sizeof end);
    end.text[sizeof end.text - 1] = end.file[sizeof end.file - 1] = '\0';
    if (end.status != PKM_OK && err) *err = end;
    return end.status;
}

static int wait_for(pid_t child)
{
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    return how;
}

static pkm_status start(pkm_isolate_work work, void* user, const pkm_isolate_limits* limits,
                        pid_t* child, int* file, pkm_error* err)
{
    int ends[2];
    if (pipe(ends) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "cannot make a pipe: %s", strerror(errno));
    *child = fork();
    if (*child == 0) {
        close(ends[0]);
        be_child(work, user, limits, ends[1]);
    }
    close(ends[1]);
    *file = ends[0];
    if (*child > 0) return PKM_OK;
    close(ends[0]);
    return pkm_fail(err, errno == ENOMEM ? PKM_ERR_MEMORY : PKM_ERR_FILE,
                    "cannot start a process: %s", strerror(errno));
}

pkm_status pkm_isolate(pkm_isolate_work work, void* user, const pkm_isolate_limits* limits,
                       char** bytes, size_t* size, pkm_error* err)
{
    pid_t child = 0;
    int file = -1;
    *bytes = NULL;
    *size = 0;
    PKM_TRY(start(work, user, limits, &child, &file, err));
    pkm_status status = collect(file, limits->answer, bytes, size, err);
    close(file);
    if (status != PKM_OK) kill(child, SIGKILL);
    const int how = wait_for(child);
    if (status == PKM_OK) status = tell_end(how, err);
    if (status == PKM_OK) status = take_end(*bytes, size, err);
    if (status != PKM_OK) {
        pkm_free(*bytes);
        *bytes = NULL;
    }
    return status;
}
