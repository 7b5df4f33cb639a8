// Work in a process of its own: whatever happens there, the program goes on and says what it was.
#include "base/isolate.h"

#include "base/error.h"
#include "base/memory.h"
#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pkm_status answer(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)err;
    const int n = *(const int*)user;
    for (int i = 0; i < n; ++i)
        pkm_isolate_send(pipe, &i, sizeof i);
    *(int*)user = -1; // is lost
    return PKM_OK;
}

static pkm_status refuse(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)user;
    pkm_isolate_send(pipe, "half", 4);
    return pkm_fail_at(err, PKM_ERR_SYNTAX, "a file", 3, 4, "not this");
}

static pkm_status crash(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)user, (void)pipe, (void)err;
    raise(SIGSEGV);
    return PKM_OK;
}

static pkm_status leave(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)user, (void)err;
    pkm_isolate_send(pipe, "half", 4);
    _exit(0);
}

static pkm_status loop(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)pipe, (void)err;
    for (volatile int* go = user; *go;)
        ;
    return PKM_OK;
}

static pkm_status flood(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)user, (void)err;
    static char block[1 << 16];
    while (pkm_isolate_send(pipe, block, sizeof block))
        ;
    return PKM_OK;
}

static pkm_status eat(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    (void)user, (void)pipe;
    for (int i = 0; i < 64; ++i)
        if (!malloc((size_t)64 << 20)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return PKM_OK;
}

static void what_is_sent_arrives(void)
{
    const pkm_isolate_limits none = {0};
    int n = 100000;
    char* bytes = NULL;
    size_t size = 0;
    CHECK(pkm_isolate(answer, &n, &none, &bytes, &size, NULL) == PKM_OK);
    CHECK(n == 100000);
    CHECK(size == 100000 * sizeof(int));
    CHECK(bytes && ((int*)bytes)[99999] == 99999);
    pkm_free(bytes);
}

static void check_refused(pkm_isolate_work work, pkm_isolate_limits limits, pkm_status expected,
                          const char* words)
{
    int go = 1;
    char* bytes = NULL;
    size_t size = 0;
    pkm_error err = {0};
    CHECK(pkm_isolate(work, &go, &limits, &bytes, &size, &err) == expected);
    CHECK(bytes == NULL);
    CHECK(err.status == expected);
    CHECK_CONTAINS(err.text, words);
}

static void every_bad_end_is_told(void)
{
    const pkm_isolate_limits none = {0};
    check_refused(refuse, none, PKM_ERR_SYNTAX, "not this");
    check_refused(crash, none, PKM_ERR_FILE, "crashed");
    check_refused(leave, none, PKM_ERR_FILE, "ended early");
}

static void limits_hold(void)
{
    check_refused(loop, (pkm_isolate_limits){.seconds = 1}, PKM_ERR_FILE, "too long");
    check_refused(flood, (pkm_isolate_limits){.answer = 4 << 20}, PKM_ERR_FILE, "more than 4 MB");
#if !defined(__SANITIZE_ADDRESS__)
    check_refused(eat, (pkm_isolate_limits){.bytes = (size_t)1 << 30}, PKM_ERR_MEMORY, "memory");
#else
    (void)eat;
#endif
}

static void failing_memory_is_reported(void)
{
    const pkm_isolate_limits none = {0};
    int n = 10;
    char* bytes = NULL;
    size_t size = 0;
    pkm_error err = {0};
    pkm_alloc_fail_at(1);
    CHECK(pkm_isolate(answer, &n, &none, &bytes, &size, &err) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(bytes == NULL);
}

int main(void)
{
    RUN(what_is_sent_arrives);
    RUN(every_bad_end_is_told);
    RUN(limits_hold);
    RUN(failing_memory_is_reported);
    return check_report();
}
