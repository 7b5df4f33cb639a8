// A table named by a run's folder or by a file, for verbs that read results.
#include "verb/run_table.h"

#include "base/error.h"
#include "model/source.h"
#include "model/yaml.h"
#include "table/column.h"
#include "verb/result_folder.h"
#include "write/table_reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1400, MAX_MANIFEST = 16 << 20 };

static bool is_folder(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// "out/bent/" and "out/bent/table.csv" are the run "bent", "out/measured.csv" is "measured".
static void name_run(const char* path, bool is_run, char* out, size_t size)
{
    size_t end = strlen(path);
    if (!is_run && end > 10 && strcmp(path + end - 10, "/table.csv") == 0) {
        end -= 10;
        is_run = true;
    }
    while (end > 1 && path[end - 1] == '/')
        --end;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        --start;
    const char* dot = is_run ? NULL : memchr(path + start, '.', end - start);
    if (dot && dot > path + start) end = (size_t)(dot - path);
    snprintf(out, size, "%.*s", (int)(end - start), path + start);
}

// ---- what a folder knows beside its table ------------------------------------------------------

static const char* text_of(const pkm_yaml* column, const char* key)
{
    const pkm_yaml* node = pkm_yaml_get(column, key);
    return node && node->text ? node->text : "";
}

/// The title that makes these words again (see pkm_table_words): a star stands for the item of the
/// column's name, at the end.
static void make_title(const char* name, const char* quantity, const char* item, char* out,
                       size_t size)
{
    const char* dot = strrchr(name, '.');
    const size_t before = dot ? (size_t)(dot - name) : 0, length = strlen(quantity);
    const bool is_part = dot && strcmp(item, dot + 1) == 0 && length >= before &&
                         strncmp(quantity + length - before, name, before) == 0;
    if (is_part)
        snprintf(out, size, "%.*s*", (int)(length - before), quantity);
    else if (!dot && *quantity)
        snprintf(out, size, "%s*", quantity);
    else
        snprintf(out, size, "%s", dot ? quantity : item);
}

static pkm_status describe(pkm_verb_run_table* run, const pkm_yaml* column, pkm_error* err)
{
    enum { TITLE = 256 };
    const char* name = text_of(column, "name");
    const int c = pkm_table_find(run->table, name);
    if (c == PKM_NONE) return PKM_OK;
    char* title = pkm_arena_alloc(run->arena, TITLE, 1);
    if (!title) return pkm_out_of_memory(err);
    make_title(name, text_of(column, "quantity"), text_of(column, "item"), title, TITLE);
    pkm_table_describe(run->table, c, &(pkm_column){.title = title});
    return PKM_OK;
}

/// Titles from manifest.json, where there is one.
static pkm_status read_titles(pkm_verb_run_table* run, const char* folder, pkm_error* err)
{
    char path[PATH_SIZE], *text = NULL;
    size_t length = 0;
    const pkm_yaml* root = NULL;
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    if (access(path, F_OK) != 0) return PKM_OK;
    PKM_TRY(pkm_source_peek(path, MAX_MANIFEST, &text, &length, err));
    pkm_status status = pkm_source_check_text(text, length, path, err);
    if (status == PKM_OK) status = pkm_yaml_parse(text, length, path, run->arena, &root, err);
    pkm_free(text);
    const pkm_yaml* columns = status == PKM_OK ? pkm_yaml_get(root, "columns") : NULL;
    for (const pkm_yaml* c = columns ? columns->first : NULL; c && status == PKM_OK; c = c->next)
        status = describe(run, c, err);
    return status;
}

static bool has_same_columns(const pkm_table* a, const pkm_table* b)
{
    const int n = pkm_table_n_column(a);
    bool same = n == pkm_table_n_column(b);
    for (int c = 0; c < n && same; ++c)
        same = strcmp(pkm_table_name(a, c), pkm_table_name(b, c)) == 0;
    return same;
}

/// Rows of peaks.csv, where there is one: curves reach their peaks.
static pkm_status read_peaks(pkm_verb_run_table* run, const char* folder, pkm_error* err)
{
    char path[PATH_SIZE];
    pkm_table* peaks = NULL;
    snprintf(path, sizeof path, "%s/peaks.csv", folder);
    if (access(path, F_OK) != 0) return PKM_OK;
    PKM_TRY(pkm_table_read(path, &peaks, err));
    const int n = pkm_table_n_column(peaks);
    bool fine = true;
    double* row = pkm_alloc((size_t)n, sizeof *row);
    for (int i = 0; row && has_same_columns(run->table, peaks) && i < pkm_table_n_row(peaks); ++i) {
        for (int c = 0; c < n; ++c)
            row[c] = pkm_table_get(peaks, i, c);
        fine = pkm_table_add_located(run->table, row) && fine;
    }
    fine = fine && row;
    pkm_free(row);
    pkm_table_free(peaks);
    return fine ? PKM_OK : pkm_out_of_memory(err);
}

// ---- all ---------------------------------------------------------------------------------------

static pkm_status read_folder(pkm_verb_run_table* run, const char* folder, pkm_error* err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.1200s/table.csv", folder);
    if (access(path, F_OK) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: it has no table.csv, expected the folder of a run",
                        folder);
    PKM_TRY(pkm_verb_folder_verify(folder, err));
    PKM_TRY(pkm_table_read(path, &run->table, err));
    PKM_TRY(read_peaks(run, folder, err));
    return read_titles(run, folder, err);
}

pkm_status pkm_verb_run_table_read(const char* path, pkm_verb_run_table* out, pkm_error* err)
{
    const bool is_run = is_folder(path);
    *out = (pkm_verb_run_table){.arena = pkm_arena_create()};
    if (!out->arena) return pkm_out_of_memory(err);
    name_run(path, is_run, out->name, sizeof out->name);
    return is_run ? read_folder(out, path, err) : pkm_table_read(path, &out->table, err);
}

void pkm_verb_run_table_free(pkm_verb_run_table* run)
{
    pkm_table_free(run->table);
    pkm_arena_free(run->arena);
}
