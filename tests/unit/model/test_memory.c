// Reading when memory runs out: the n-th allocation fails, for every n.
#include "check.h"
#include "model/description.h"

static const char* const file = PKM_SOURCE_DIR "/tests/unit/model/data/everything.yaml";

// Leaks are found by the sanitizer build.
static void every_failing_allocation_is_reported(void)
{
    int n = 0;
    pkm_status status = PKM_ERR_MEMORY;
    while (status == PKM_ERR_MEMORY && n < 10000) {
        pkm_description* desc = NULL;
        pkm_error err = {0};
        pkm_alloc_fail_at((size_t)++n);
        status = pkm_description_read(file, NULL, 0, &desc, &err);
        pkm_alloc_fail_at(0);
        CHECK(status == PKM_OK || status == PKM_ERR_MEMORY);
        CHECK((status == PKM_OK) == (desc != NULL));
        CHECK(err.status == status);
        CHECK_TEXT(err.text, status == PKM_OK ? "" : "out of memory");
        pkm_description_free(desc);
    }
    CHECK(status == PKM_OK);
    CHECK(n > 20); // the blocks of two arenas, maps, the mesh, the samples, the motions
}

static void a_failing_override_is_reported_too(void)
{
    const pkm_override set = {"l1", "400 mm"};
    pkm_description* desc = NULL;
    pkm_error err = {0};
    pkm_alloc_fail_at(3);
    CHECK(pkm_description_read(file, &set, 1, &desc, &err) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(!desc);
}

int main(void)
{
    RUN(every_failing_allocation_is_reported);
    RUN(a_failing_override_is_reported_too);
    return check_report();
}
