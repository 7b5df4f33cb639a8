/// Calls of verbs where there is no memory: they say so, and leave nothing behind.
#include "base/memory.h"
#include "pkm/verb.h"

#include "check.h"

#define SIAX PKM_SOURCE_DIR "/robots/siax.yaml"

/// The whole life of a call with the n-th allocation failing. True: it did not fail.
static bool survives(const char* verb, const char* model, size_t n)
{
    pkm_call* call = NULL;
    pkm_error err = {0};
    pkm_alloc_fail_at(n);
    pkm_status status = pkm_call_create(verb, &call, &err);
    CHECK((call != NULL) == (status == PKM_OK));
    if (status == PKM_OK) status = pkm_call_set(call, "model", model, &err);
    if (status == PKM_OK) status = pkm_call_run(call, &err);
    const char* text = status == PKM_OK ? pkm_call_text(call) : NULL;
    const char* json = status == PKM_OK ? pkm_call_json(call) : NULL;
    pkm_alloc_fail_at(0);
    if (status != PKM_OK) {
        CHECK(status == PKM_ERR_MEMORY);
        CHECK_CONTAINS(err.text, "memory");
        CHECK(!pkm_call_result(call));
    }
    pkm_call_free(call);
    return status == PKM_OK && text && json;
}

// The sanitizers see leaks and crashes. Not every allocation is needed (a check that is left out).
static void every_failing_allocation_is_told(const char* verb, const char* model, size_t step)
{
    CHECK(survives(verb, model, 0));
    const size_t before = pkm_alloc_count();
    CHECK(survives(verb, model, 0));
    const size_t n_all = pkm_alloc_count() - before;
    size_t n_told = 0, n_tried = 0;
    for (size_t n = 1; n <= n_all; n += step, ++n_tried)
        n_told += !survives(verb, model, n);
    printf("    %s: %zu allocations, %zu broken, %zu told\n", verb, n_all, n_tried, n_told);
    CHECK(n_tried > 10 && n_told > n_tried / 2);
}

static void effects_tell(void)
{
    every_failing_allocation_is_told("effects", "all", 1);
}

static void check_tells(void)
{
    every_failing_allocation_is_told("check", SIAX, 1);
}

static void inverse_tells(void)
{
    every_failing_allocation_is_told("inverse", SIAX, 2);
}

int main(void)
{
    RUN(effects_tell);
    RUN(check_tells);
    RUN(inverse_tells);
    return check_report();
}
