// The page of one run. Long tables lose rows but no peaks: rows at extremes stay, and the page says
// that there are fewer.
#include "base/error.h"
#include "base/memory.h"
#include "model/json_tree.h"
#include "model/source.h"
#include "verb/report_frame.h"
#include "verb/report_impl.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TABLE_SIZE = 8 << 20 }; // of the table in the page [bytes]

static size_t line_length(const char* s, const char* end)
{
    const char* feed = memchr(s, '\n', (size_t)(end - s));
    return feed ? (size_t)(feed - s) + 1 : (size_t)(end - s);
}

/// Keep the names, each `every`-th row from the first, and the last one. In place.
/// @return the new length.
static size_t thin_out(char* table, size_t length, size_t every)
{
    const char* end = table + length;
    const char* from = table + line_length(table, end);
    char* to = table + (from - table);
    for (size_t row = 0; from < end; ++row) {
        const size_t n = line_length(from, end);
        if (row % every == 0 || from + n == end) {
            memmove(to, from, n);
            to += n;
        }
        from += n;
    }
    return (size_t)(to - table);
}

/// Rows at the instants of peaks, which the page draws among the others.
static pkm_status put_peaks(const char* folder, pkm_stream* stream, pkm_error* err)
{
    char path[1400];
    char* peaks = NULL;
    size_t length = 0;
    if (!pkm_verb_report_has(folder, "peaks.csv")) return PKM_OK;
    snprintf(path, sizeof path, "%s/peaks.csv", folder);
    PKM_TRY(pkm_source_read(path, VERB_REPORT_MAX_FILE, &peaks, &length, err));
    pkm_page_put_text(stream, "peaks", peaks, length);
    pkm_free(peaks);
    return PKM_OK;
}

/// The table as text; a very long one with fewer rows, which the page tells.
static pkm_status put_table(const char* folder, pkm_stream* stream, pkm_error* err)
{
    char path[1400], every[32];
    char* table = NULL;
    size_t length = 0;
    if (!pkm_verb_report_has(folder, "table.csv")) return PKM_OK;
    snprintf(path, sizeof path, "%s/table.csv", folder);
    PKM_TRY(pkm_source_read(path, VERB_REPORT_MAX_FILE, &table, &length, err));
    const size_t keep = (length + MAX_TABLE_SIZE - 1) / MAX_TABLE_SIZE;
    if (keep > 1) length = thin_out(table, length, keep);
    pkm_page_put_text(stream, "table", table, length);
    pkm_free(table);
    PKM_TRY(put_peaks(folder, stream, err));
    snprintf(every, sizeof every, "%zu", keep > 1 ? keep : 1);
    pkm_page_put_json(stream, "table-every", every, strlen(every));
    return PKM_OK;
}

/// Is the manifest one of pkm's? Other programs call files so, too.
static pkm_status check_manifest(const char* folder, pkm_error* err)
{
    char path[1400];
    char* text = NULL;
    size_t length = 0;
    const pkm_json_tree* root = NULL;
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    PKM_TRY(pkm_source_read(path, VERB_REPORT_MAX_FILE, &text, &length, err));
    pkm_arena* arena = pkm_arena_create();
    pkm_status status =
        arena ? pkm_json_tree_parse(text, length, path, arena, &root, err) : pkm_out_of_memory(err);
    if (status == PKM_OK && !pkm_json_tree_is(pkm_json_tree_get(root, "program"), "pkm"))
        status =
            pkm_fail(err, PKM_ERR_FILE,
                     "%s: is not a manifest of pkm, expected one with \"program\": \"pkm\"", path);
    pkm_arena_free(arena);
    pkm_free(text);
    return status;
}

pkm_status pkm_verb_report_run(const char* folder, bool grasp, pkm_stream* stream, pkm_error* err)
{
    PKM_TRY(check_manifest(folder, err));
    pkm_page_begin(stream, &pkm_verb_report_frame, "pkm report");
    PKM_TRY(pkm_verb_report_json(folder, "manifest.json", "manifest", stream, err));
    PKM_TRY(pkm_verb_report_json(folder, "summary.json", "summary", stream, err));
    PKM_TRY(pkm_verb_report_json(folder, "scene.json", "scene", stream, err));
    PKM_TRY(put_table(folder, stream, err));
    PKM_TRY(pkm_verb_report_files(folder, ".svg", "pictures", stream, err));
    PKM_TRY(pkm_verb_folder_verify(folder, err)); // behind faults, which have a place
    if (grasp) pkm_verb_report_grasp(folder, stream);
    pkm_page_end(stream, &pkm_verb_report_frame);
    return PKM_OK;
}
