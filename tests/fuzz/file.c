#define _GNU_SOURCE // memfd_create, RTLD_NEXT
#include "fuzz.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/// libfyaml loses the list of pieces (512, 1024 ... bytes) of each long quoted text; nobody but
/// itself could free it. malloc adds 16 bytes to each.
static bool is_lost_by_libfyaml(size_t growth)
{
    for (size_t n = 1; n < 1000 && growth >= n * (512 + 16); ++n) {
        size_t sum = growth - 16 * n, n_bit = 0;
        if (sum % 512 != 0) continue;
        for (size_t x = sum / 512; x > 0; x /= 2)
            n_bit += x % 2;
        if (n_bit <= n) return true;
    }
    return false;
}

struct fy_token;
const char* fy_token_get_text(struct fy_token* token, size_t* length);
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

// The only call in which it does so; it comes here first, and LeakSanitizer, where there is one,
// does not look.
__attribute__((visibility("default"))) const char* fy_token_get_text(struct fy_token* token,
                                                                     size_t* length)
{
    static const char* (*real)(struct fy_token*, size_t*);
    if (!real) {
        void* found = dlsym(RTLD_NEXT, "fy_token_get_text");
        FUZZ_CHECK(found);
        memcpy((void*)&real, (const void*)&found, sizeof real); // ISO C has no cast for this
    }
    if (__lsan_disable) __lsan_disable();
    const char* text = real(token, length);
    if (__lsan_enable) __lsan_enable();
    return text;
}

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
    for (int k = 0; in_use() > before && !is_lost_by_libfyaml(in_use() - before); ++k) {
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
