// Includes of the bundled sources are rewritten to ways from file to file: a compiler of an FMU
// importer knows no include directories.
#include "export/bundle.h"

#include "base/error.h"
#include "base/memory.h"
#include "write/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- archives ---------------------------------------------------------------------------------

/// Places in the header of a file in a tar archive (POSIX ustar).
enum { BLOCK = 512, NAME_SIZE = 100, SIZE_AT = 124, SIZE_DIGITS = 12, TYPE_AT = 156 };

/// Which files an FMU of a version has no use for: the interface of the other one, and what stands
/// in the library only.
static bool is_left_out(const char* name, int version)
{
    static const char* const never[] = {"fmu/old_glibc.c", "fmu/seed_data.c"};
    for (size_t k = 0; k < sizeof never / sizeof never[0]; ++k)
        if (strcmp(name, never[k]) == 0) return true;
    return strncmp(name, version == 2 ? "fmu/fmi3" : "fmu/fmi2", 8) == 0;
}

/// Folders of the trees that the archives are made from have no meaning in an FMU.
static const char* name_below(const char* path)
{
    static const char* const folder[] = {"src/", "include/", "cmake/"};
    for (size_t k = 0; k < sizeof folder / sizeof folder[0]; ++k)
        if (strncmp(path, folder[k], strlen(folder[k])) == 0) return path + strlen(folder[k]);
    return path;
}

static size_t size_at(const unsigned char* head)
{
    char digits[SIZE_DIGITS + 1] = "";
    memcpy(digits, head + SIZE_AT, SIZE_DIGITS);
    // sizes are octal text in ustar
    return (size_t)strtoul(digits, NULL, 8);
}

/// The files of one archive; `out` NULL: count them.
static int read_archive(const pkm_archive* archive, int version, pkm_bundle_file* out)
{
    int n = 0;
    const unsigned char* at = archive->bytes;
    while (at + BLOCK <= archive->end && at[0] != '\0') {
        char path[NAME_SIZE + 1] = "";
        const size_t size = size_at(at);
        const bool is_file = at[TYPE_AT] == '0' || at[TYPE_AT] == '\0';
        memcpy(path, at, NAME_SIZE);
        const char* name = name_below(path);
        at += BLOCK;
        // archives are ours, linked in; a cut one shall still not be read beyond its end
        if (size > (size_t)(archive->end - at)) break;
        if (is_file && !is_left_out(name, version)) {
            if (out) {
                out[n] = (pkm_bundle_file){"", (const char*)at, size, archive->is_engine};
                snprintf(out[n].name, sizeof out[n].name, "%s", name);
            }
            ++n;
        }
        at += (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return n;
}

pkm_status pkm_bundle_read(const pkm_archive* archive, int n, int version, pkm_bundle* out,
                           pkm_error* err)
{
    int total = 0;
    *out = (pkm_bundle){NULL, 0};
    for (int i = 0; i < n; ++i)
        // counted first, so that the list has one block
        total += read_archive(&archive[i], version, NULL);
    out->file = pkm_alloc((size_t)total + 1, sizeof *out->file);
    if (!out->file) return pkm_out_of_memory(err);
    for (int i = 0; i < n; ++i)
        out->n += read_archive(&archive[i], version, out->file + out->n);
    return PKM_OK;
}

void pkm_bundle_free(pkm_bundle* bundle)
{
    pkm_free(bundle->file);
    *bundle = (pkm_bundle){NULL, 0};
}

bool pkm_bundle_is_compiled(const pkm_bundle_file* file)
{
    const size_t n = strlen(file->name);
    return n > 2 && strcmp(file->name + n - 2, ".c") == 0;
}

const pkm_bundle_file* pkm_bundle_find(const pkm_bundle* bundle, const char* name)
{
    for (int i = 0; i < bundle->n; ++i)
        if (strcmp(bundle->file[i].name, name) == 0) return &bundle->file[i];
    return NULL;
}

// ---- includes ---------------------------------------------------------------------------------

/// The way from the folder of `file` to the top.
static void put_way_up(pkm_stream* to, const char* file)
{
    for (const char* slash = strchr(file, '/'); slash; slash = strchr(slash + 1, '/'))
        pkm_stream_text(to, "../");
}

/// Does `name` stand beside `file`?
static bool is_beside(const pkm_bundle* bundle, const char* file, const char* name)
{
    char path[256];
    const char* slash = strrchr(file, '/');
    const int folder = slash ? (int)(slash + 1 - file) : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, file, name);
    return pkm_bundle_find(bundle, path) != NULL;
}

/// What an include names: "base/error.h" of a line `#include "base/error.h"`; false: nothing.
static bool scan_include(const char* line, size_t length, char* name, size_t size)
{
    const char *at = line, *end = line + length;
    if (at == end || *at++ != '#') return false;
    while (at < end && *at == ' ')
        ++at;
    if ((size_t)(end - at) < 9 || strncmp(at, "include", 7) != 0) return false;
    at += 7;
    while (at < end && *at == ' ')
        ++at;
    const char open = at < end ? *at : '\0';
    const char* close = open == '"'   ? memchr(at + 1, '"', (size_t)(end - at - 1))
                        : open == '<' ? memchr(at + 1, '>', (size_t)(end - at - 1))
                                      : NULL;
    if (!close || (size_t)(close - at) > size) return false;
    snprintf(name, size, "%.*s", (int)(close - at - 1), at + 1);
    return true;
}

/// Where a header of the bundle is that a compiler would look for in include directories: as it is
/// called, or among those of SUNDIALS itself.
static const pkm_bundle_file* find_header(const pkm_bundle* bundle, const char* name)
{
    char path[256];
    const pkm_bundle_file* found = pkm_bundle_find(bundle, name);
    snprintf(path, sizeof path, "sundials/%s", name);
    return found ? found : pkm_bundle_find(bundle, path);
}

static void put_line(const pkm_bundle* bundle, const pkm_bundle_file* file, const char* line,
                     size_t length, pkm_stream* to)
{
    char name[200];
    const pkm_bundle_file* header = NULL;
    if (scan_include(line, length, name, sizeof name) && !is_beside(bundle, file->name, name))
        header = find_header(bundle, name);
    if (!header) {
        pkm_stream_write(to, line, length);
        return;
    }
    pkm_stream_text(to, "#include \"");
    put_way_up(to, file->name);
    pkm_stream_format(to, "%s\"\n", header->name);
}

static void put_lines(const pkm_bundle* bundle, const pkm_bundle_file* file, pkm_stream* to)
{
    const char *at = file->bytes, *end = file->bytes + file->size;
    while (at < end) {
        const char* stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        put_line(bundle, file, at, (size_t)(stop - at), to);
        at = stop;
    }
}

static pkm_status add_file(const pkm_bundle* bundle, const pkm_bundle_file* file, pkm_zip* zip,
                           const char* config, pkm_error* err)
{
    char name[128];
    pkm_stream* to = pkm_stream_to_memory();
    if (!to) return pkm_out_of_memory(err);
    if (file->is_engine && pkm_bundle_is_compiled(file)) {
        pkm_stream_text(to, "#include \"");
        put_way_up(to, file->name);
        pkm_stream_format(to, "%s\"\n", config);
    }
    put_lines(bundle, file, to);
    snprintf(name, sizeof name, "sources/%s", file->name);
    const char* text = pkm_stream_get(to);
    const pkm_status status =
        text ? pkm_zip_add(zip, name, text, strlen(text), err) : pkm_out_of_memory(err);
    pkm_stream_discard(to);
    return status;
}

pkm_status pkm_bundle_add(const pkm_bundle* bundle, pkm_zip* zip, const char* config,
                          pkm_error* err)
{
    for (int i = 0; i < bundle->n; ++i)
        PKM_TRY(add_file(bundle, &bundle->file[i], zip, config, err));
    return PKM_OK;
}
