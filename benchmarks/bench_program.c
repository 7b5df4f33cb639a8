/// The program as a user runs it: its start, and driving forces at 10 000 instants of model D's
/// motion with all files written. Processor time of the program, system calls included.
#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>

extern char** environ;

// The arguments of a program are not constant.
static char pkm[] = PKM_PROGRAM;
static char version[] = "--version";
static char inverse[] = "inverse", model[] = PKM_SOURCE_DIR "/robots/bench/delta-d.yaml";
static char instants[] = "--instants", ten_thousand[] = "10000";
static char to[] = "-o", folder[] = PKM_BENCH_OUTPUT;

typedef struct command {
    char* const* arguments;
    bool failed;
} command;

/// Run the command, its output to nowhere, and wait for it.
static void run(void* user, int k)
{
    command* c = user;
    (void)k;
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int code = -1;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&child, pkm, &quiet, NULL, c->arguments, environ) == 0)
        waitpid(child, &code, 0);
    posix_spawn_file_actions_destroy(&quiet);
    if (code != 0) c->failed = true;
}

static bool bench_command(const char* name, char* const* arguments, double target)
{
    command c = {.arguments = arguments};
    bench_line(name, bench_time(run, &c, 1), NAN, target);
    if (c.failed) fprintf(stderr, "bench_program: %s %s failed\n", pkm, arguments[1]);
    return !c.failed;
}

int main(void)
{
    char* const start[] = {pkm, version, NULL};
    char* const forces[] = {pkm, inverse, model, instants, ten_thousand, to, folder, NULL};
    const bool started = bench_command("pkm program: start", start, 4e6);
    const bool ran = bench_command("pkm program: inverse at 10 000 instants", forces, 1e9);
    return started && ran ? 0 : 1;
}
