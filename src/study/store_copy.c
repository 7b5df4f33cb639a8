// A reader does not disturb a writer: database and log are copied, and copied again when the log
// has changed meanwhile.
#include "study/store_copy.h"

#include "base/error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 32, MAX_TRY = 8, NAME_SIZE = 1100 };

bool pkm_store_has_log(const char* path)
{
    char name[NAME_SIZE];
    struct stat info;
    snprintf(name, sizeof name, "%s-wal", path);
    return stat(name, &info) == 0 && info.st_size > 0;
}

/// The head of the log; its numbers change when the log begins anew. Zero: there is none.
static void read_head(const char* path, unsigned char head[HEAD])
{
    char name[NAME_SIZE];
    memset(head, 0, HEAD);
    snprintf(name, sizeof name, "%s-wal", path);
    FILE* file = fopen(name, "rb");
    if (!file) return;
    if (fread(head, 1, HEAD, file) != HEAD) memset(head, 0, HEAD);
    fclose(file);
}

static bool copy_open(FILE* in, FILE* out)
{
    char block[1 << 16];
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
        if (fwrite(block, 1, n, out) != n) return false;
    return !ferror(in);
}

/// A missing log is an empty one.
static bool copy_file(const char* from, const char* to, const char* ending)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", from, ending);
    FILE* in = fopen(name, "rb");
    if (!in) return ending[0] && errno == ENOENT;
    snprintf(name, sizeof name, "%s%s", to, ending);
    FILE* out = fopen(name, "wb");
    bool is_copied = out && copy_open(in, out);
    fclose(in);
    if (out && fclose(out) != 0) is_copied = false;
    return is_copied;
}

/// Database first, then its log. What a writer moves from the log into the database meanwhile is
/// still in the log, unless that began anew: then its head has changed.
static bool copy_once(const char* from, const char* to)
{
    unsigned char before[HEAD], after[HEAD];
    read_head(from, before);
    if (!copy_file(from, to, "") || !copy_file(from, to, "-wal")) return false;
    read_head(from, after);
    return memcmp(before, after, HEAD) == 0;
}

pkm_status pkm_store_copy(const char* path, char* out, size_t size, pkm_error* err)
{
    const char* folder = getenv("TMPDIR");
    snprintf(out, size, "%s/pkm-XXXXXX", folder && strlen(folder) < 500 ? folder : "/tmp");
    if (!mkdtemp(out))
        return pkm_fail(err, PKM_ERR_FILE, "%s: cannot make a folder for a copy: %s", out,
                        strerror(errno));
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "/study.sqlite");
    for (int k = 0; k < MAX_TRY; ++k) {
        errno = 0;
        if (copy_once(path, out)) return PKM_OK;
        if (errno == ENOSPC) break;
    }
    const int reason = errno;
    pkm_store_remove_copy(out);
    return pkm_fail(err, PKM_ERR_FILE, "%s: cannot be copied while it is written: %s", path,
                    reason ? strerror(reason) : "it changes too often");
}

void pkm_store_remove_copy(const char* path)
{
    static const char* const ending[] = {"", "-wal", "-shm", "-journal"};
    char name[NAME_SIZE];
    for (int i = 0; i < 4; ++i) {
        snprintf(name, sizeof name, "%s%s", path, ending[i]);
        unlink(name);
    }
    snprintf(name, sizeof name, "%s", path);
    char* slash = strrchr(name, '/');
    if (!slash) return;
    *slash = '\0';
    rmdir(name);
}
