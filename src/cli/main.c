/// The program: the command line, the terminal, signals. What it does is in the library
/// (pkm/verb.h).
#include "cli/progress.h"
#include "pkm/pkm.h"

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
    const pkm_verb* verb;
    for (int v = 0; (verb = pkm_verb_at(v)); ++v) {
        const char* name = pkm_verb_name(verb);
        if (!strchr(name, ' ')) fprintf(out, "  %-15s %s\n", name, pkm_verb_summary(verb));
    }
    fprintf(out,
            "\n"
            "  pkm VERB --help tells more. A MODEL is a YAML file; robots/ has thirteen.\n"
            "  Exit codes: 0 answered, 1 out of memory, 2 bad input, 3 no answer, 4 a study with\n"
            "  failed cases, 5 budget used up, 128 + n stopped by signal n.\n");
}

/// Print `err` as one line on stderr, unless it has been said; returns the exit code.
static int fail(const pkm_error* err)
{
    if (err->file[0] && err->line > 0)
        fprintf(stderr, "pkm: %s:%d:%d: %s\n", err->file, err->line, err->column, err->text);
    else if (err->file[0])
        fprintf(stderr, "pkm: %s: %s\n", err->file, err->text);
    else if (err->text[0])
        fprintf(stderr, "pkm: %s\n", err->text);
    return pkm_status_exit_code(err->status);
}

/// What was printed has arrived, or that is an error, too.
static int finish(int code)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0) return code;
    fprintf(stderr, "pkm: output: cannot write: %s\n",
            errno ? strerror(errno) : "not all of it has arrived");
    return 2;
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

// ---- a verb -----------------------------------------------------------------------------------

/// What is seen and heard while a verb works.
typedef struct listener {
    pkm_progress bar;
    size_t printed; ///< characters of the text
} listener;

/// The first word of work that can be stopped; from then on Ctrl-C stops it in an orderly way.
static bool show_progress(void* user, const char* what, double fraction)
{
    listener* l = user;
    pkm_interrupt_watch();
    if (fraction <= 0.0) l->bar = pkm_progress_begin(what);
    l->bar.what = what;
    pkm_progress_update(&l->bar, fraction);
    if (fraction >= 1.0) pkm_progress_end(&l->bar);
    return !pkm_interrupted();
}

static void hear(void* user, bool is_text, const char* line)
{
    listener* l = user;
    if (!is_text) {
        pkm_progress_end(&l->bar);
        fprintf(stderr, "pkm: %s\n", line);
        return;
    }
    fputs(line, stdout);
    fflush(stdout);
    l->printed += strlen(line);
}

static int print(pkm_call* call, const listener* l)
{
    const char* text = pkm_call_text(call);
    if (text) {
        fputs(text + l->printed, stdout);
        return 0;
    }
    fprintf(stderr, "pkm: out of memory\n");
    return 1;
}

static int run(pkm_call* call, int n, const char* const* words, pkm_error* err)
{
    listener l = {.printed = 0};
    pkm_call_listen(call, show_progress, hear, &l);
    pkm_call_write(call, true);
    pkm_status status = pkm_call_words(call, n, words, err);
    if (status != PKM_OK) return fail(err);
    status = pkm_call_run(call, err);
    const int printed = print(call, &l);
    if (status == PKM_OK) return printed;
    const int code = fail(err);
    return status == PKM_ERR_INTERRUPTED ? pkm_interrupt_code() : code;
}

int main(int argc, char** argv)
{
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
    pkm_call* call;
    pkm_error err = {0};
    if (pkm_call_create(argv[1], &call, &err) != PKM_OK) return fail(&err);
    const int code = run(call, argc - 2, (const char* const*)(argv + 2), &err);
    pkm_call_free(call);
    return finish(code);
}
