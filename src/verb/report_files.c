// Files of a run folder for the page: manifest, summary and pictures as they are. Only what the
// manifest of this run lists is taken.
#include "base/error.h"
#include "base/memory.h"
#include "model/json_tree.h"
#include "model/source.h"
#include "verb/report_impl.h"
#include "verb/result_folder.h"
#include "write/json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 1400 };

bool pkm_verb_report_has(const char* folder, const char* name)
{
    char path[PATH_SIZE];
    struct stat info;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_SIZE) return false;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

pkm_status pkm_verb_report_json(const char* folder, const char* name, const char* block,
                                pkm_stream* stream, pkm_error* err)
{
    char path[PATH_SIZE];
    char* bytes = NULL;
    size_t length = 0;
    if (!pkm_verb_report_has(folder, name)) return PKM_OK;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    pkm_status status = pkm_source_read(path, VERB_REPORT_MAX_FILE, &bytes, &length, err);
    if (status == PKM_OK) status = pkm_json_check(bytes, length, path, err);
    if (status == PKM_OK) pkm_page_put_json(stream, block, bytes, length);
    pkm_free(bytes);
    return status;
}

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

/// Names in the folder that `wanted` takes, sorted; at most n_max.
static int list_folder(const char* folder, bool (*wanted)(const char*, const char*),
                       char (*name)[256], int n_max)
{
    DIR* dir = opendir(folder);
    int n = 0;
    if (!dir) return 0;
    for (struct dirent* entry; n < n_max && (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length >= 256 || !wanted(folder, entry->d_name)) continue;
        memcpy(name[n++], entry->d_name, length + 1);
    }
    closedir(dir);
    qsort(name, (size_t)n, sizeof name[0], by_name);
    return n;
}

static bool ends_with(const char* name, const char* ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_study(const char* folder, const char* name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return name[0] != '.' && pkm_verb_report_has(path, "study.sqlite");
}

int pkm_verb_report_studies(const char* folder, char name[VERB_REPORT_MAX_FOLDER][256])
{
    return list_folder(folder, is_study, name, VERB_REPORT_MAX_FOLDER);
}

static pkm_status put_file(const char* folder, const char* name, pkm_json* json, pkm_error* err)
{
    char path[PATH_SIZE];
    char* bytes = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    PKM_TRY(pkm_source_read(path, VERB_REPORT_MAX_FILE, &bytes, &length, err));
    pkm_json_put_string(json, name, bytes);
    pkm_free(bytes);
    return PKM_OK;
}

pkm_status pkm_verb_report_files(const char* folder, const char* ending, const char* block,
                                 pkm_stream* stream, pkm_error* err)
{
    pkm_verb_old_files list;
    PKM_TRY(pkm_verb_folder_list(folder, &list, err));
    qsort(list.name, (size_t)list.n, sizeof list.name[0], by_name);
    pkm_stream* memory = pkm_stream_to_memory();
    if (!memory) return pkm_out_of_memory(err);
    pkm_json json = pkm_json_make(memory);
    pkm_json_object_begin(&json);
    pkm_status status = PKM_OK;
    for (int i = 0; i < list.n && status == PKM_OK; ++i)
        if (ends_with(list.name[i], ending) && pkm_verb_report_has(folder, list.name[i]))
            status = put_file(folder, list.name[i], &json, err);
    pkm_json_object_end(&json);
    const char* bytes = pkm_stream_get(memory);
    if (status == PKM_OK && !bytes) status = pkm_out_of_memory(err);
    if (status == PKM_OK) pkm_page_put_json(stream, block, bytes, strlen(bytes));
    pkm_stream_discard(memory);
    return status;
}
