// Which edges count as coverage in a campaign: those of the sources that belong to the target
// (readers.txt). A library is built once for all targets, so this is chosen when a target starts:
// it stands between the code that clang has instrumented and libFuzzer, and hands over the counters
// of some functions only.
//   PKM_FUZZ_FUNCTIONS=FILE    write the first edge and the address of each function, then end
//   PKM_FUZZ_COUNT=FILE        lines "first last": edges that count; without it all do
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "fuzz.h"

#include <sys/mman.h>

/// What clang notes of an edge.
typedef struct edge {
    uintptr_t address, is_function;
} edge;

void __real___sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end);
void __real___sanitizer_cov_pcs_init(const edge* begin, const edge* end);
void __wrap___sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end);
void __wrap___sanitizer_cov_pcs_init(const edge* begin, const edge* end);

extern const char __executable_start[];
static uint8_t* counters;

/// Before all counters, so that they begin with a page; count_end.c fills the last one.
static uint8_t head[FUZZ_PAGE] __attribute__((section("__sancov_cntrs"), aligned(FUZZ_PAGE), used));

/// What child processes reach counts, too: the pages of the counters are memory that they share.
static void share(uint8_t* begin, const uint8_t* end)
{
    const size_t size = (size_t)(end - begin) / FUZZ_PAGE * FUZZ_PAGE;
    void* at =
        mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    FUZZ_CHECK(begin == head && fuzz_count_end + FUZZ_PAGE == end && at == begin);
}

static void write_functions(const char* path, const edge* begin, const edge* end)
{
    FILE* file = fopen(path, "w");
    FUZZ_CHECK(file);
    for (const edge* e = begin; e < end; ++e)
        if (e->is_function & 1)
            fprintf(file, "%td %#tx\n", e - begin, (const char*)e->address - __executable_start);
    fprintf(file, "%td 0\n", end - begin);
    FUZZ_CHECK(fclose(file) == 0);
    exit(0);
}

static void hand_over(const char* path, const edge* begin, const edge* end)
{
    long first, last;
    FILE* file = fopen(path, "r");
    FUZZ_CHECK(file);
    while (fscanf(file, "%ld %ld", &first, &last) == 2) {
        FUZZ_CHECK(0 <= first && first < last && last <= end - begin);
        __real___sanitizer_cov_8bit_counters_init(counters + first, counters + last);
        __real___sanitizer_cov_pcs_init(begin + first, begin + last);
    }
    fclose(file);
}

// clang calls the first, then the second, once for each file compiled, always with the whole.
void __wrap___sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end)
{
    if (counters) return;
    share(begin, end);
    counters = begin + sizeof head;
}

void __wrap___sanitizer_cov_pcs_init(const edge* begin, const edge* end)
{
    static bool is_done;
    if (is_done) return;
    is_done = true;
    const char *functions = getenv("PKM_FUZZ_FUNCTIONS"), *count = getenv("PKM_FUZZ_COUNT");
    if (functions) write_functions(functions, begin, end);
    if (count) {
        hand_over(count, begin, end);
    } else {
        __real___sanitizer_cov_8bit_counters_init(counters, counters + (end - begin));
        __real___sanitizer_cov_pcs_init(begin, end);
    }
}
