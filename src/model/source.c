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
    if (status != PKM_OK) return pkm_fail(err, status, "out of memory");
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
    if (!file && errno == ENOMEM) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (!file) return refuse(err, path, strerror(errno));
    const pkm_status status = read_open(file, path, limit, bytes, length, err);
    fclose(file);
    if (status != PKM_OK) {
        pkm_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/// Bytes of the UTF-8 character at `s` (of which `left` remain), or 0 when it is none.
/// Overlong forms, surrogates and values above U+10FFFF are none.
static int utf8_length(const unsigned char* s, size_t left)
{
    const unsigned c = s[0];
    const int n = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (n == 1) return 1;
    if (c < 0xc2 || c > 0xf4 || left < (size_t)n) return 0;
    for (int i = 1; i < n; ++i)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (c == 0xe0 && s[1] < 0xa0) return 0;
    if (c == 0xed && s[1] > 0x9f) return 0;
    if (c == 0xf0 && s[1] < 0x90) return 0;
    if (c == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

pkm_status pkm_source_check_text(const char* bytes, size_t length, const char* name, pkm_error* err)
{
    const unsigned char* s = (const unsigned char*)bytes;
    int line = 1, column = 1;
    for (size_t i = 0; i < length;) {
        const int n = utf8_length(s + i, length - i);
        if (n == 0)
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               "not a text file: byte 0x%02x is not UTF-8", s[i]);
        if (is_control(s[i]))
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               "not a text file: it holds the control byte 0x%02x", s[i]);
        ++column;
        if (s[i] == '\n') {
            ++line;
            column = 1;
        }
        i += (size_t)n;
    }
    return PKM_OK;
}

void pkm_source_clean(char* text)
{
    unsigned char* s = (unsigned char*)text;
    for (size_t left = strlen(text); left > 0;) {
        const int n = utf8_length(s, left);
        const bool is_bad = n == 0 || s[0] < 0x20 || s[0] == 0x7f;
        if (is_bad) *s = '?';
        const size_t step = is_bad ? 1 : (size_t)n;
        s += step;
        left -= step;
    }
}

char* pkm_source_path(const char* base, const char* file)
{
    const char* slash = file[0] == '/' ? NULL : strrchr(base, '/');
    const size_t folder = slash ? (size_t)(slash - base) + 1 : 0;
    const size_t length = strlen(file);
    char* path = pkm_alloc(folder + length + 1, 1);
    if (!path) return NULL;
    memcpy(path, base, folder);
    memcpy(path + folder, file, length);
    return path;
}
