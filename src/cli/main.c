#include "base/error.h"
#include "math/lapack.h"
#include "model/nearest.h"
#include "model/source.h"
#include "verb/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_usage(FILE* out)
{
    fprintf(out,
            "pkm " PKM_VERSION
            ": motion, driving forces, friction, flexible links and clearance of parallel robots\n"
            "\n"
            "  pkm VERB MODEL [options]\n"
            "\n");
    for (int v = 0; cli_verb_at(v); ++v)
        fprintf(out, "  %-15s %s\n", cli_verb_at(v)->name, cli_verb_at(v)->text);
    fprintf(out,
            "\n"
            "  pkm VERB --help tells more. A MODEL is a YAML file; robots/ has thirteen.\n"
            "  Exit codes: 0 answered, 1 out of memory, 2 bad input, 3 no answer, 4 a study with\n"
            "  failed cases, 5 budget used up, 128 + n stopped by signal n.\n");
}

static int fail_verb(const char* name)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (int v = 0; cli_verb_at(v); ++v)
        pkm_nearest_offer(&near, cli_verb_at(v)->name);
    pkm_error err = {0};
    (void)!pkm_fail(&err, PKM_ERR_ARGUMENT, "'%.200s' is no verb%s (pkm --help lists them)", name,
                    pkm_nearest_hint(&near).text);
    return cli_fail(&err);
}

// ---- under mpirun -----------------------------------------------------------------------------

#if defined __wasi__ || defined PKM_WITH_MPI
static void join_others(char** argv)
{
    (void)argv;
}
#else
/// Under mpirun a study is run by pkm-mpi, which stands beside this program: the same with MPI.
static void join_others(char** argv)
{
    char path[4096];
    if (!getenv("OMPI_COMM_WORLD_SIZE") || strcmp(argv[1], "study") != 0) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 8);
    if (length > 0) {
        strcpy(path + length, "-mpi");
        execv(path, argv);
    }
    fprintf(stderr, "pkm: this program was built without MPI, so it cannot run under mpirun; "
                    "-j uses the cores of one machine\n");
    exit(2);
}
#endif

/// What was printed has arrived, or that is an error, too.
static int finish(int code)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0) return code;
    fprintf(stderr, "pkm: output: cannot write: %s\n",
            errno ? strerror(errno) : "not all of it has arrived");
    return 2;
}

int main(int argc, char** argv)
{
    pkm_lapack_use_one_thread(); // matrices are small; and a run repeats bit for bit
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); // files beyond ulimit -f: an error of the one who writes, not the end
#endif
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("pkm " PKM_VERSION "\n");
        return finish(0);
    }
    join_others(argv);
    pkm_sources_begin(); // every input, for the manifest
    const cli_verb* verb;
    for (int v = 0; (verb = cli_verb_at(v)); ++v)
        if (strcmp(argv[1], verb->name) == 0) return finish(verb->run(verb, argc - 2, argv + 2));
    return fail_verb(argv[1]);
}
