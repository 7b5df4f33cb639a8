#include "cli/report_parts.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli/report_frame.h"
#include "model/source.h"
#include "output/json.h"
#include "output/json_check.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FILE_SIZE = 1 << 30,  ///< of a file that is read [bytes]
    MAX_TABLE_SIZE = 8 << 20, ///< of the table in the page [bytes]
    MAX_PICTURE = 32,
};

/// A file in memory.
typedef struct text {
    char* bytes;
    size_t length;
} text;

static pkm_status read_file(const char* folder, const char* name, text* out, pkm_error* err)
{
    char path[1300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return pkm_source_read(path, MAX_FILE_SIZE, &out->bytes, &out->length, err);
}

// ---- JSON -------------------------------------------------------------------------------------

/// The file `name` as block `block`. A file that is not there leaves no block.
static pkm_status put_json_file(const char* folder, const char* name, const char* block,
                                pkm_stream* stream, pkm_error* err)
{
    char path[1300];
    text file = {NULL, 0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* exists = fopen(path, "rb");
    if (!exists) return PKM_OK;
    fclose(exists);
    pkm_status status = read_file(folder, name, &file, err);
    if (status == PKM_OK) status = pkm_json_check(file.bytes, file.length, path, err);
    if (status == PKM_OK) pkm_page_put_json(stream, block, file.bytes, file.length);
    pkm_free(file.bytes);
    return status;
}

// ---- the table --------------------------------------------------------------------------------

static size_t line_length(const char* s, const char* end)
{
    const char* feed = memchr(s, '\n', (size_t)(end - s));
    return feed ? (size_t)(feed - s) + 1 : (size_t)(end - s);
}

/// Keep the names, each `every`-th row from the first, and the last one. In place.
static void thin_out(text* table, size_t every)
{
    const char* end = table->bytes + table->length;
    const char* from = table->bytes + line_length(table->bytes, end);
    char* to = table->bytes + (from - table->bytes);
    for (size_t row = 0; from < end; ++row) {
        const size_t n = line_length(from, end);
        if (row % every == 0 || from + n == end) {
            memmove(to, from, n);
            to += n;
        }
        from += n;
    }
    table->length = (size_t)(to - table->bytes);
}

/// The table as text; a very long one with fewer rows, which the page tells.
static pkm_status put_table(const char* folder, pkm_stream* stream, pkm_error* err)
{
    text table = {NULL, 0};
    char every[32];
    PKM_TRY(read_file(folder, "table.csv", &table, err));
    const size_t keep = (table.length + MAX_TABLE_SIZE - 1) / MAX_TABLE_SIZE;
    if (keep > 1) thin_out(&table, keep);
    pkm_page_put_text(stream, "table", table.bytes, table.length);
    pkm_free(table.bytes);
    snprintf(every, sizeof every, "%zu", keep > 1 ? keep : 1);
    pkm_page_put_json(stream, "table-every", every, strlen(every));
    return PKM_OK;
}

// ---- pictures ---------------------------------------------------------------------------------

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

/// Names of the SVG files of the folder, sorted.
static int find_pictures(const char* folder, char name[MAX_PICTURE][256])
{
    DIR* dir = opendir(folder);
    int n = 0;
    if (!dir) return 0;
    for (struct dirent* entry; n < MAX_PICTURE && (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || length >= 256 || strcmp(entry->d_name + length - 4, ".svg") != 0)
            continue;
        memcpy(name[n++], entry->d_name, length + 1);
    }
    closedir(dir);
    qsort(name, (size_t)n, sizeof name[0], by_name);
    return n;
}

/// The plots of the run, {name: text}.
static pkm_status put_pictures(const char* folder, pkm_stream* stream, pkm_error* err)
{
    static char name[MAX_PICTURE][256];
    const int n = find_pictures(folder, name);
    pkm_stream* memory = pkm_stream_to_memory();
    if (!memory) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_json json = pkm_json_make(memory);
    pkm_json_object_begin(&json);
    pkm_status status = PKM_OK;
    for (int i = 0; i < n && status == PKM_OK; ++i) {
        text picture = {NULL, 0};
        status = read_file(folder, name[i], &picture, err);
        if (status == PKM_OK) pkm_json_put_string(&json, name[i], picture.bytes);
        pkm_free(picture.bytes);
    }
    pkm_json_object_end(&json);
    const char* bytes = pkm_stream_get(memory);
    if (status == PKM_OK && !bytes) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) pkm_page_put_json(stream, "pictures", bytes, strlen(bytes));
    pkm_stream_discard(memory);
    return status;
}

pkm_status cli_report_run(const char* folder, pkm_stream* stream, pkm_error* err)
{
    pkm_page_begin(stream, &cli_report_frame, "pkm report");
    PKM_TRY(put_json_file(folder, "manifest.json", "manifest", stream, err));
    PKM_TRY(put_json_file(folder, "summary.json", "summary", stream, err));
    PKM_TRY(put_json_file(folder, "scene.json", "scene", stream, err));
    PKM_TRY(put_table(folder, stream, err));
    PKM_TRY(put_pictures(folder, stream, err));
    pkm_page_end(stream, &cli_report_frame);
    return PKM_OK;
}
