#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

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
