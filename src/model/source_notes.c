// Which files took part, by name and digest: a manifest lists them although nobody keeps them open.
#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Files that this thread has read.
typedef struct notes {
    bool is_on;
    int n, n_room;
    pkm_source_note* item;
} notes;

static _Thread_local notes own;

void pkm_sources_end(void)
{
    for (int i = 0; i < own.n; ++i)
        pkm_free(own.item[i].path);
    pkm_free(own.item);
    own = (notes){.is_on = false};
}

void pkm_sources_begin(void)
{
    pkm_sources_end();
    own.is_on = true;
}

const pkm_source_note* pkm_sources_get(int i)
{
    return i >= 0 && i < own.n ? &own.item[i] : NULL;
}

const pkm_source_note* pkm_sources_find(const char* path)
{
    for (int i = 0; i < own.n; ++i)
        if (strcmp(own.item[i].path, path) == 0) return &own.item[i];
    return NULL;
}

static bool make_room(void)
{
    if (own.n < own.n_room) return true;
    const int n = own.n_room ? 2 * own.n_room : 8;
    pkm_source_note* grown = pkm_realloc(own.item, (size_t)n, sizeof *grown);
    if (!grown) return false;
    own.item = grown;
    own.n_room = n;
    return true;
}

pkm_status pkm_sources_add(const char* path, const char* sha256, size_t size, pkm_error* err)
{
    if (!own.is_on) return PKM_OK;
    const pkm_source_note* old = pkm_sources_find(path);
    if (old && strcmp(old->sha256, sha256) == 0) return PKM_OK;
    if (old)
        return pkm_fail_at(err, PKM_ERR_FILE, path, 0, 0,
                           "the file has changed since the work began");
    char* copy = make_room() ? pkm_alloc(strlen(path) + 1, 1) : NULL;
    if (!copy) return pkm_out_of_memory(err);
    strcpy(copy, path);
    pkm_source_note* note = &own.item[own.n++];
    *note = (pkm_source_note){.path = copy, .size = size};
    snprintf(note->sha256, sizeof note->sha256, "%s", sha256);
    return PKM_OK;
}

pkm_status pkm_source_read(const char* path, size_t limit, char** bytes, size_t* length,
                           pkm_error* err)
{
    char hash[PKM_SHA256_SIZE];
    PKM_TRY(pkm_source_peek(path, limit, bytes, length, err));
    if (!own.is_on) return PKM_OK;
    pkm_sha256 sha = pkm_sha256_make();
    pkm_sha256_add(&sha, *bytes, *length);
    pkm_sha256_finish(&sha, hash);
    const pkm_status status = pkm_sources_add(path, hash, *length, err);
    if (status == PKM_OK) return PKM_OK;
    pkm_free(*bytes);
    *bytes = NULL;
    return status;
}

char* pkm_sources_text(void)
{
    size_t size = 1, used = 0;
    for (int i = 0; i < own.n; ++i)
        size += strlen(own.item[i].path) + PKM_SHA256_SIZE + 32;
    char* text = pkm_alloc(size, 1);
    for (int i = 0; text && i < own.n; ++i) {
        if (strchr(own.item[i].path, '\n')) continue;
        used += (size_t)snprintf(text + used, size - used, "%s %zu %s\n", own.item[i].sha256,
                                 own.item[i].size, own.item[i].path);
    }
    return text;
}

bool pkm_sources_next(const char** text, char* path, size_t path_size, char sha256[PKM_SHA256_SIZE],
                      size_t* size)
{
    int used = 0;
    const char* line = *text;
    const size_t length = strcspn(line, "\n");
    if (sscanf(line, "%64[0-9a-f] %zu %n", sha256, size, &used) != 2 || (size_t)used >= length)
        return false;
    if (length - (size_t)used >= path_size) return false;
    memcpy(path, line + used, length - (size_t)used);
    path[length - (size_t)used] = '\0';
    *text = line + length + (line[length] == '\n');
    return true;
}
