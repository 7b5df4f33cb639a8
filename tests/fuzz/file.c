#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/// Bytes in use; sanitizers, which find leaks themselves, say 0.
static size_t in_use(void)
{
    return mallinfo2().uordblks;
}

// What was made once for all may stay; a second time nothing may. Caches, malloc's own among them
// (seven pieces of each size), fill by and by: a leak is what grows with each of many calls.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    size_t before = in_use();
    fuzz_one(data, size);
    for (int k = 0; in_use() > before; ++k) {
        FUZZ_CHECK(k < 20);
        before = in_use();
        fuzz_one(data, size);
    }
    return 0;
}

bool fuzz_is_chosen(const uint8_t* data, size_t size, unsigned of)
{
    static int is_all = -1;
    if (is_all < 0) is_all = getenv("PKM_FUZZ_ALL") != NULL;
    uint32_t hash = 2166136261u; // of Fowler, Noll and Vo
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ data[i]) * 16777619u;
    return is_all || (hash >> 16) % of == 0;
}

const char* fuzz_file(const uint8_t* data, size_t size, const char* ending)
{
    static char path[128];
    static int file = -1;
    if (ending[0] == '\0') { // memory is enough
        if (file >= 0) close(file);
        file = memfd_create("fuzz", 0);
        FUZZ_CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        return path;
    }
    const char* folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.80s/pkm-fuzz-%d%s", folder ? folder : "/tmp", (int)getpid(),
             ending);
    FILE* out = fopen(path, "wb");
    FUZZ_CHECK(out && fwrite(data, 1, size, out) == size);
    fclose(out);
    return path;
}
