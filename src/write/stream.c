// Bytes go to a temporary file beside the target, which takes its name after fsync: a killed run
// leaves the old file or the new one, and left-overs are known by the process in their name.
#include "write/stream.h"

#include "base/error.h"
#include "base/memory.h"
#include "write/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16, CLOSED = -1 };

struct pkm_stream {
    char* buffer; // a memory stream grows it, the others empty it
    size_t used, room;
    int fd;            // of the file, CLOSED for memory
    char* path;        // where the text goes, NULL for memory
    char* temporary;   // where it is written until it is complete, NULL for devices
    pkm_status status; // first failure
    int reason;        // its errno
};

static pkm_stream* create_stream(void)
{
    pkm_stream* stream = pkm_alloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->fd = CLOSED;
    stream->room = BUFFER_SIZE;
    stream->buffer = pkm_realloc(NULL, stream->room, 1); // not zeroed: most texts are short
    if (stream->buffer) return stream;
    pkm_free(stream);
    return NULL;
}

static void free_stream(pkm_stream* stream)
{
    if (!stream) return;
    pkm_free(stream->buffer);
    pkm_free(stream->path);
    pkm_free(stream->temporary);
    pkm_free(stream);
}

pkm_stream* pkm_stream_to_memory(void)
{
    return create_stream();
}

/// Devices, pipes and sockets cannot be replaced by renaming.
static int is_special(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// Names of target and temporary: `path`, and `path` with process and count behind it.
static pkm_status set_names(pkm_stream* stream, const char* path)
{
    static atomic_uint count;
    const size_t size = strlen(path) + 1;
    stream->path = pkm_alloc(size, 1);
    if (!stream->path) return PKM_ERR_MEMORY;
    memcpy(stream->path, path, size);
    if (is_special(path)) return PKM_OK;

    const size_t room = size + 48;
    stream->temporary = pkm_alloc(room, 1);
    if (!stream->temporary) return PKM_ERR_MEMORY;
    snprintf(stream->temporary, room, "%s.%ld-%u.tmp", path, (long)getpid(),
             atomic_fetch_add(&count, 1));
    return PKM_OK;
}

/// A named pipe that nobody reads does not hold the program up.
static int open_special(const char* path)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd != CLOSED && fcntl(fd, F_SETFL, O_WRONLY) == 0) return fd; // what is read slowly waits
    if (fd != CLOSED) close(fd);
    return CLOSED;
}

static pkm_status open_target(pkm_stream* stream)
{
    struct stat info;
    if (stat(stream->path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return PKM_ERR_FILE;
    }
    stream->fd = stream->temporary
                     ? open(stream->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                     : open_special(stream->path);
    return stream->fd == CLOSED ? PKM_ERR_FILE : PKM_OK;
}

pkm_status pkm_stream_open(const char* path, pkm_stream** out, pkm_error* err)
{
    *out = NULL;
    pkm_stream* stream = create_stream();
    pkm_status status = stream ? set_names(stream, path) : PKM_ERR_MEMORY;
    if (status == PKM_OK) status = open_target(stream);
    if (status == PKM_OK) {
        *out = stream;
        return PKM_OK;
    }
    const int reason = errno;
    free_stream(stream);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "%s: out of memory", path);
    return pkm_fail(err, status, "%s: cannot write: %s", path,
                    reason == ENXIO ? "nobody reads this pipe" : strerror(reason));
}

static void keep_failure(pkm_stream* stream, pkm_status status, int reason)
{
    if (stream->status != PKM_OK) return;
    stream->status = status;
    stream->reason = reason;
}

static void write_descriptor(pkm_stream* stream, const char* bytes, size_t size)
{
    while (size > 0 && stream->status == PKM_OK) {
        const ssize_t n = write(stream->fd, bytes, size);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            keep_failure(stream, PKM_ERR_FILE, n == 0 ? ENOSPC : errno);
        }
    }
}

/// Hand bytes to the file behind the buffer.
static void emit(pkm_stream* stream, const char* bytes, size_t size)
{
    if (size > 0 && stream->status == PKM_OK) write_descriptor(stream, bytes, size);
}

static int in_memory(const pkm_stream* stream)
{
    return stream->fd == CLOSED;
}

static void grow(pkm_stream* stream, size_t want)
{
    size_t room = stream->room;
    while (room < want)
        room *= 2;
    char* buffer = pkm_realloc(stream->buffer, room, 1);
    if (!buffer) {
        keep_failure(stream, PKM_ERR_MEMORY, ENOMEM);
        return;
    }
    stream->buffer = buffer;
    stream->room = room;
}

void pkm_stream_write(pkm_stream* stream, const void* bytes, size_t size)
{
    if (stream->status != PKM_OK) return;
    if (stream->used + size >= stream->room) { // keep one byte for a terminator
        if (in_memory(stream)) {
            grow(stream, stream->used + size + 1);
        } else {
            emit(stream, stream->buffer, stream->used);
            stream->used = 0;
        }
        if (stream->status != PKM_OK) return;
    }
    if (stream->used + size >= stream->room) {
        emit(stream, bytes, size); // larger than the buffer
        return;
    }
    memcpy(stream->buffer + stream->used, bytes, size);
    stream->used += size;
}

void pkm_stream_text(pkm_stream* stream, const char* text)
{
    pkm_stream_write(stream, text, strlen(text));
}

void pkm_stream_format(pkm_stream* stream, const char* format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    PKM_ASSERT(n >= 0 && n < (int)sizeof text);
    if (n > 0) pkm_stream_text(stream, text);
}

void pkm_stream_number(pkm_stream* stream, double value)
{
    char text[PKM_NUMBER_SIZE];
    const int n = pkm_number_format(value, text);
    pkm_stream_write(stream, text, (size_t)n);
}

const char* pkm_stream_get(pkm_stream* stream)
{
    if (stream->status != PKM_OK || !in_memory(stream)) return NULL;
    stream->buffer[stream->used] = '\0';
    return stream->buffer;
}

/// Empty the buffer and close the file; what was written stays under its temporary name.
static void finish_file(pkm_stream* stream)
{
    if (in_memory(stream)) return;
    emit(stream, stream->buffer, stream->used);
    // on disk before it has its name: after a power cut a file is complete or absent
    if (stream->temporary && stream->status == PKM_OK && fsync(stream->fd) != 0)
        keep_failure(stream, PKM_ERR_FILE, errno);
    if (close(stream->fd) != 0) keep_failure(stream, PKM_ERR_FILE, errno);
    stream->fd = CLOSED;
}

pkm_status pkm_stream_close(pkm_stream* stream, pkm_error* err)
{
    if (!stream) return PKM_OK;
    finish_file(stream);
    if (stream->temporary) {
        if (stream->status == PKM_OK && rename(stream->temporary, stream->path) != 0)
            keep_failure(stream, PKM_ERR_FILE, errno);
        if (stream->status != PKM_OK) unlink(stream->temporary);
    }

    const pkm_status status = stream->status;
    const char* name = stream->path ? stream->path : "text";
    if (status == PKM_ERR_MEMORY) pkm_fail(err, status, "%s: out of memory", name);
    if (status == PKM_ERR_FILE)
        pkm_fail(err, status, "%s: cannot write: %s", name, strerror(stream->reason));
    free_stream(stream);
    return status;
}

/// The process in the name of a temporary file, "table.csv.123-4.tmp"; 0: it is none.
static long process_of(const char* name)
{
    const size_t length = strlen(name);
    if (length < 8 || strcmp(name + length - 4, ".tmp") != 0) return 0;
    const char* at = name + length - 4;
    while (at > name && strchr("0123456789-", at[-1]))
        --at;
    long process = 0;
    unsigned count = 0;
    int used = 0;
    if (at == name || at[-1] != '.' || sscanf(at, "%ld-%u.tmp%n", &process, &count, &used) != 2)
        return 0;
    return used > 0 && at[used] == '\0' && process > 0 ? process : 0;
}

void pkm_stream_clear(const char* folder)
{
    DIR* dir = opendir(folder);
    if (!dir) return;
    for (struct dirent* entry; (entry = readdir(dir));) {
        const long process = process_of(entry->d_name);
        const bool is_left = process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
        if (is_left) unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
}

void pkm_stream_discard(pkm_stream* stream)
{
    if (!stream) return;
    if (stream->fd != CLOSED) close(stream->fd);
    if (stream->temporary) unlink(stream->temporary);
    free_stream(stream);
}
