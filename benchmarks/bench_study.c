/// A study of 2000 rigid cases as a user runs it, on one and on two processes: elapsed time, with
/// the database, tables and pictures written.
#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;

// The arguments of a program are not constant.
static char pkm[] = PKM_PROGRAM, study[] = "study", fresh[] = "--fresh";
static char file[] = PKM_SOURCE_DIR "/benchmarks/study.yaml";
static char to[] = "-o", folder[] = PKM_BENCH_OUTPUT, processes[] = "-j";
static char number[] = "1";

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Elapsed time [s] on `n` processes; NaN when it failed.
static double run(int n)
{
    number[0] = (char)('0' + n);
    char* const arguments[] = {pkm, study, file, fresh, to, folder, processes, number, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int code = -1;
    const double start = seconds();
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&child, pkm, &quiet, NULL, arguments, environ) == 0) waitpid(child, &code, 0);
    posix_spawn_file_actions_destroy(&quiet);
    return code == 0 ? seconds() - start : NAN;
}

/// The best of three, alternating, since other work on the machine only adds.
static void measure(double best[2])
{
    best[0] = best[1] = HUGE_VAL;
    for (int k = 0; k < 6; ++k)
        best[k % 2] = fmin(best[k % 2], run(k % 2 + 1));
}

int main(void)
{
    double best[2];
    measure(best);
    if (!isfinite(best[0]) || !isfinite(best[1])) {
        fprintf(stderr, "bench_study: %s study failed\n", pkm);
        return 1;
    }
    // Two processes are to be at least 1.8 times as fast as one.
    bench_line("pkm study: 2000 rigid cases on one process", 1e9 * best[0], NAN, 0.0);
    // 10^5 of them in a minute
    bench_line("pkm study: 2000 rigid cases on two processes", 1e9 * best[1], NAN, 60e9 / 50.0);
    bench_line("pkm study: two processes against one / 1.8", 1e9 * best[1], NAN,
               1e9 * best[0] / 1.8);
    return 0;
}
