// Faults on demand, loaded before the program (LD_PRELOAD):
//   PKM_FAIL_ALLOCATION=N    the N-th allocation fails; with a + behind N all later ones, too
//   PKM_DISK_BYTES=N         after N bytes written to files the disk is full
//   PKM_FAIL_SYNC=1          what is written does not arrive on the disk (fsync)
//   PKM_CLOCK_JUMPS=1        the clock of the day jumps back and forth by an hour
//   PKM_COUNT=FILE           at the end: allocations and bytes, as two numbers; then the size of
//   each allocation
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static atomic_long n_allocation, n_byte, n_clock;
static long fail_at, disk_bytes = -1;
static bool fail_on, fail_sync, clock_jumps, is_on;
static char count_file[512];
enum { MAX_NOTED = 100000 };
static unsigned noted[MAX_NOTED]; // sizes

// ---- OpenBLAS ---------------------------------------------------------------------------------

// Its kernels for small matrices (AVX-512) do not check the memory that they ask for: these
// allocations are left alone, and not counted.
static const char *blas_begin, *blas_end;

static int find_blas(struct dl_phdr_info* info, size_t size, void* unused)
{
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "libopenblas")) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        blas_begin = (const char*)(info->dlpi_addr + part->p_vaddr);
        blas_end = blas_begin + part->p_memsz;
    }
    return 1;
}

static bool is_of_blas(const void* caller)
{
    return (const char*)caller >= blas_begin && (const char*)caller < blas_end;
}

// ---- allocations ------------------------------------------------------------------------------

/// Counting begins with the program itself: what the loader and constructors do is before that.
__attribute__((constructor(65535))) static void begin(void)
{
    const char* text = getenv("PKM_FAIL_ALLOCATION");
    if (text) fail_at = atol(text);
    if (text) fail_on = strchr(text, '+') != NULL;
    text = getenv("PKM_DISK_BYTES");
    if (text) disk_bytes = atol(text);
    fail_sync = getenv("PKM_FAIL_SYNC") != NULL;
    clock_jumps = getenv("PKM_CLOCK_JUMPS") != NULL;
    text = getenv("PKM_COUNT");
    if (text) snprintf(count_file, sizeof count_file, "%s", text);
    dl_iterate_phdr(find_blas, NULL);
    is_on = true;
}

__attribute__((destructor)) static void end(void)
{
    if (!count_file[0]) return;
    is_on = false;
    FILE* file = fopen(count_file, "w");
    if (!file) return;
    const long n = atomic_load(&n_allocation);
    fprintf(file, "%ld %ld\n", n, atomic_load(&n_byte));
    for (long i = 0; i < n && i < MAX_NOTED; ++i)
        fprintf(file, "%u\n", noted[i]);
    fclose(file);
}

static bool may_allocate(size_t size)
{
    if (!is_on) return true;
    const long n = 1 + atomic_fetch_add(&n_allocation, 1);
    if (n <= MAX_NOTED) noted[n - 1] = (unsigned)size;
    if (fail_at == 0 || (fail_on ? n < fail_at : n != fail_at)) return true;
    errno = ENOMEM;
    return false;
}

void* malloc(size_t size)
{
    if (is_of_blas(__builtin_return_address(0))) return __libc_malloc(size);
    return may_allocate(size) ? __libc_malloc(size) : NULL;
}

void* calloc(size_t count, size_t size)
{
    return may_allocate(count * size) ? __libc_calloc(count, size) : NULL;
}

void* realloc(void* old, size_t size)
{
    return may_allocate(size) ? __libc_realloc(old, size) : NULL;
}

int posix_memalign(void** out, size_t alignment, size_t size)
{
    *out = may_allocate(size) ? __libc_memalign(alignment, size) : NULL;
    return *out ? 0 : ENOMEM;
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return may_allocate(size) ? __libc_memalign(alignment, size) : NULL;
}

// ---- the disk ---------------------------------------------------------------------------------

/// Of `size` bytes for `file`, how many the disk takes.
static size_t room_for(int file, size_t size)
{
    struct stat info;
    if (!is_on || fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return size;
    const long before = atomic_fetch_add(&n_byte, (long)size);
    if (disk_bytes < 0 || before + (long)size <= disk_bytes) return size;
    return before < disk_bytes ? (size_t)(disk_bytes - before) : 0;
}

typedef ssize_t (*write_call)(int, const void*, size_t);
typedef ssize_t (*pwrite_call)(int, const void*, size_t, off_t);

static void* next(const char* name)
{
    return dlsym(RTLD_NEXT, name);
}

ssize_t write(int file, const void* bytes, size_t size)
{
    static write_call call;
    if (!call) *(void**)&call = next("write");
    const size_t room = room_for(file, size);
    if (room > 0 || size == 0) return call(file, bytes, room);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off_t at)
{
    static pwrite_call call;
    if (!call) *(void**)&call = next("pwrite64");
    const size_t room = room_for(file, size);
    if (room > 0 || size == 0) return call(file, bytes, room, at);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at)
{
    return pwrite64(file, bytes, size, at);
}

int fsync(int file)
{
    static int (*call)(int);
    if (!call) *(void**)&call = next("fsync");
    if (!is_on || !fail_sync) return call(file);
    errno = EIO;
    return -1;
}

// ---- the clock --------------------------------------------------------------------------------

static long jump(void)
{
    return clock_jumps && atomic_fetch_add(&n_clock, 1) % 2 ? -3600 : 0;
}

int clock_gettime(clockid_t clock, struct timespec* out)
{
    static int (*call)(clockid_t, struct timespec*);
    if (!call) *(void**)&call = next("clock_gettime");
    const int result = call(clock, out);
    if (clock == CLOCK_REALTIME) out->tv_sec += jump();
    return result;
}

time_t time(time_t* out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) *out = t.tv_sec;
    return t.tv_sec;
}
