// Run a test and note what it used of a processor: processor_time FILE COMMAND [ARGUMENT ...]
//
// FILE receives the seconds of the command and of all its descendants, user and system. Children
// that outlive their parents (a browser's) are handed to this process (PR_SET_CHILD_SUBREAPER) and
// count too, if they end within a second after the command. The exit code, or the signal, is that
// of the command. tools/check.sh adds the files up.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/// How the command ended; what ends before it is buried on the way.
static int wait_for(pid_t command)
{
    int how = 0;
    for (;;) {
        const pid_t ended = waitpid(-1, &how, 0);
        if (ended == command) return how;
        if (ended < 0 && errno != EINTR) return 1 << 8;
    }
}

/// Bury what the command has left behind, for a second at most.
static void wait_for_others(void)
{
    for (int k = 0; k < 100; ++k) {
        pid_t ended = 0;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0) return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static void note(const char* path)
{
    struct rusage used;
    if (getrusage(RUSAGE_CHILDREN, &used)) return;
    FILE* file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%.3f\n", seconds(used.ru_utime) + seconds(used.ru_stime));
    fclose(file);
}

int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t command = fork();
    if (command == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    if (command < 0) return 127;
    const int how = wait_for(command);
    wait_for_others();
    note(argv[1]);
    if (!WIFSIGNALED(how)) return WEXITSTATUS(how);
    signal(WTERMSIG(how), SIG_DFL);
    raise(WTERMSIG(how));
    return 128 + WTERMSIG(how);
}
