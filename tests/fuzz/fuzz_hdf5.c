// HDF5: tables and imported bodies. libhdf5 works in a child process, where no coverage of it is
// seen; the program must go on whatever happens to it.
#define _GNU_SOURCE // memmem
#include "fuzz.h"

#include "flexible/imported_file.h"
#include "model/h5.h"
#include "write/table_reader.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum { PATIENCE = 3000 }; // of a processor, for a file [us]; reading one takes 500

static void run_out(int signal_number)
{
    (void)signal_number;
    raise(SIGXCPU);
}

/// One damaged file in fifteen never ends: in a campaign a child dies of it as by its limit, which
/// counts in whole seconds, but sooner.
static void limit_child(void)
{
    const struct itimerval at = {.it_value = {.tv_usec = PATIENCE}};
    signal(SIGPROF, run_out);
    setitimer(ITIMER_PROF, &at, NULL);
}

int LLVMFuzzerInitialize(int* n_argument, char*** argument);

/// Of libFuzzer, at its start: child processes find libhdf5 loaded and begun, which is most of
/// their work. What they read stays theirs.
int LLVMFuzzerInitialize(int* n_argument, char*** argument)
{
    const pkm_h5_library* h5 = NULL;
    (void)n_argument, (void)argument;
    FUZZ_CHECK(pkm_h5_begin(&h5, NULL) == PKM_OK);
    if (getenv("PKM_FUZZ_COUNT")) FUZZ_CHECK(pthread_atfork(NULL, NULL, limit_child) == 0);
    return 0;
}

static void read_table(const char* path)
{
    pkm_table* table = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_table_read(path, &table, &err);
    FUZZ_CHECK(status == PKM_OK ? pkm_table_n_row(table) > 0 : !table && err.text[0]);
    pkm_table_free(table);
}

static void read_body(const char* path)
{
    pkm_error err = {0};
    pkm_arena* arena = pkm_arena_create();
    pkm_imported_file file = {.path = path, .arena = arena};
    if (pkm_imported_file_read(&file, &err) != PKM_OK) FUZZ_CHECK(err.text[0]);
    pkm_arena_free(arena);
}

/// A table is what has a group of that name. A campaign reads one file in eight as both, a replay
/// all.
int fuzz_one(const uint8_t* data, size_t size)
{
    const char* path = fuzz_file(data, size, ".h5");
    const bool is_table = memmem(data, size, "table", 5), is_both = fuzz_is_chosen(data, size, 8);
    if (is_table || is_both) read_table(path);
    if (!is_table || is_both) read_body(path);
    remove(path);
    return 0;
}
