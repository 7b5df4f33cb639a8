// Files as bytes: regular files alone, of bounded size, read at once; what was read is what is
// hashed.
#include "model/source.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pkm_status refuse(pkm_error* err, const char* path, const char* why)
{
    return pkm_fail_at(err, PKM_ERR_FILE, path, 0, 0, "cannot read the file: %s", why);
}

static pkm_status refuse_size(pkm_error* err, const char* path, size_t limit)
{
    return pkm_fail_at(err, PKM_ERR_FILE, path, 0, 0,
                       "cannot read the file: it is too large, expected at most %zu MB",
                       limit >> 20);
}

/// Append the rest of `file` to a growing block; stops one byte beyond `limit`.
static pkm_status read_all(FILE* file, size_t limit, char** bytes, size_t* length)
{
    size_t room = 0, used = 0;
    for (;;) {
        if (room - used < 2) {
            room = room ? 2 * room : 16 * 1024;
            char* grown = pkm_realloc(*bytes, room, 1);
            if (!grown) return PKM_ERR_MEMORY;
            *bytes = grown;
        }
        const size_t got = fread(*bytes + used, 1, room - used - 1, file);
        used += got;
        if (got == 0 || used > limit) break;
    }
    (*bytes)[used] = '\0';
    *length = used;
    return PKM_OK;
}

/// What the shell makes of `<(...)` and `|`: somebody writes there, and it ends.
static bool is_shell_pipe(const char* path)
{
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

/// A named pipe without a writer does not hold the program up.
static FILE* open_source(const char* path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | (is_shell_pipe(path) ? 0 : O_NONBLOCK));
    FILE* file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!file && fd >= 0) close(fd);
    return file;
}

static pkm_status read_open(FILE* file, const char* path, size_t limit, char** bytes,
                            size_t* length, pkm_error* err)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0) return refuse(err, path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return refuse(err, path, "it is a folder");
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) return refuse(err, path, "it is a device");
    if (!S_ISREG(info.st_mode) && !is_shell_pipe(path))
        return refuse(err, path, "it is a named pipe or a socket");
    if (S_ISREG(info.st_mode) && info.st_size > 0 && (size_t)info.st_size > limit)
        return refuse_size(err, path, limit);

    const pkm_status status = read_all(file, limit, bytes, length);
    if (status != PKM_OK) return pkm_out_of_memory(err);
    if (ferror(file)) return refuse(err, path, strerror(errno));
    if (*length > limit) return refuse_size(err, path, limit);
    return PKM_OK;
}

pkm_status pkm_source_peek(const char* path, size_t limit, char** bytes, size_t* length,
                           pkm_error* err)
{
    *bytes = NULL;
    *length = 0;
    FILE* file = open_source(path);
    if (!file && errno == ENOMEM) return pkm_out_of_memory(err);
    if (!file) return refuse(err, path, strerror(errno));
    const pkm_status status = read_open(file, path, limit, bytes, length, err);
    fclose(file);
    if (status != PKM_OK) {
        pkm_free(*bytes);
        *bytes = NULL;
    }
    return status;
}
