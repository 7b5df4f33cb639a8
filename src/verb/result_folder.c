// Folders for results: tried by writing before anything is computed, cleared of what an earlier run
// of ours has left, never of files of others.
#include "verb/result_folder.h"

#include "base/crc32.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"
#include "model/yaml.h"
#include "write/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasi__
#include <sys/file.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1400, MAX_MANIFEST = 16 << 20 };

static bool is_folder(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

pkm_verb_stem pkm_verb_stem_of(const char* path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    // a name that begins with its only dot has no ending
    return (pkm_verb_stem){name, dot && dot > name ? (int)(dot - name) : (int)strlen(name)};
}

static pkm_status check_name(const char* path, pkm_error* err)
{
    if (*path && strlen(path) < 1000) return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE, "-o: '%.60s' is no folder name", path);
}

pkm_status pkm_verb_make_folder(const char* path, pkm_error* err)
{
    char part[1024];
    PKM_TRY(check_name(path, err));
    for (size_t i = 1; i <= strlen(path); ++i) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return pkm_fail(err, PKM_ERR_FILE, "%s: cannot make this folder: %s", part,
                            strerror(errno));
    }
    return is_folder(path) ? PKM_OK : pkm_fail(err, PKM_ERR_FILE, "%s: is not a folder", path);
}

/// The deepest part of `path` that exists, "." at the last.
static void find_existing(const char* path, char* out, size_t size)
{
    snprintf(out, size, "%s", path);
    while (access(out, F_OK) != 0) {
        char* slash = strrchr(out, '/');
        if (!slash) {
            snprintf(out, size, ".");
            return;
        }
        slash[slash == out] = '\0'; // the root keeps its slash
        if (slash == out) return;
    }
}

/// A folder made and removed tells more than permissions: full disks, quotas, special systems.
pkm_status pkm_verb_check_folder(const char* path, pkm_error* err)
{
    char part[1024], probe[1100];
    PKM_TRY(check_name(path, err));
    find_existing(path, part, sizeof part);
    if (!is_folder(part)) return pkm_fail(err, PKM_ERR_FILE, "%s: is not a folder", part);
    snprintf(probe, sizeof probe, "%s/.pkm-XXXXXX", part);
    if (!mkdtemp(probe))
        return pkm_fail(err, PKM_ERR_FILE, "%s: nothing can be written here: %s", part,
                        strerror(errno));
    rmdir(probe);
    return PKM_OK;
}

const char* pkm_verb_file(pkm_verb_files* files, const char* name)
{
    PKM_ASSERT(files->n < VERB_MAX_FILE);
    files->name[files->n++] = name;
    snprintf(files->path, sizeof files->path, "%s/%s", files->folder, name);
    return files->path;
}

// ---- the manifest -----------------------------------------------------------------------------

/// What one of pkm's manifests says.
static pkm_status parse_manifest(const char* path, pkm_arena* arena, const pkm_yaml** out,
                                 pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_peek(path, MAX_MANIFEST, &text, &length, err));
    pkm_status status = pkm_source_check_text(text, length, path, err);
    if (status == PKM_OK) status = pkm_yaml_parse(text, length, path, arena, out, err);
    pkm_free(text);
    if (status != PKM_OK) return status;
    const pkm_yaml* program = pkm_yaml_get(*out, "program");
    if (!program || !program->text || strcmp(program->text, "pkm") != 0) *out = NULL;
    return PKM_OK;
}

/// The manifest of a folder; `out` is NULL where it has none of pkm's.
static pkm_status read_manifest(const char* folder, pkm_arena** arena, const pkm_yaml** out,
                                pkm_error* err)
{
    char manifest[PATH_SIZE];
    *out = NULL;
    *arena = NULL;
    snprintf(manifest, sizeof manifest, "%s/manifest.json", folder);
    if (access(manifest, F_OK) != 0) return PKM_OK;
    *arena = pkm_arena_create();
    if (!*arena) return pkm_out_of_memory(err);
    return parse_manifest(manifest, *arena, out, err);
}

/// A name that a manifest lists, if it is that of a file beside it.
static const char* name_of(const pkm_yaml* f)
{
    const bool is_name = f && f->kind == PKM_YAML_TEXT && f->text[0] && f->text[0] != '.' &&
                         strlen(f->text) < VERB_FILE_NAME && !strchr(f->text, '/');
    return is_name ? f->text : NULL;
}

pkm_status pkm_verb_folder_list(const char* path, pkm_verb_old_files* out, pkm_error* err)
{
    pkm_arena* arena;
    const pkm_yaml* root;
    out->n = 0;
    const pkm_status status = read_manifest(path, &arena, &root, err);
    const pkm_yaml* files = status == PKM_OK && root ? pkm_yaml_get(root, "files") : NULL;
    for (const pkm_yaml* f = files ? files->first : NULL; f && out->n < VERB_MAX_OLD; f = f->next)
        if (name_of(f)) snprintf(out->name[out->n++], VERB_FILE_NAME, "%s", f->text);
    pkm_arena_free(arena);
    return status;
}

static pkm_status verify_file(const char* folder, const pkm_yaml* entry, pkm_error* err)
{
    char path[PATH_SIZE];
    uint32_t now;
    double bytes;
    const pkm_yaml *size = pkm_yaml_get(entry, "bytes"), *sum = pkm_yaml_get(entry, "crc32");
    const char* name = name_of(pkm_yaml_get(entry, "file"));
    if (!name || !size || !size->text || !sum || !sum->text) return PKM_OK;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (access(path, F_OK) != 0) return PKM_OK;
    PKM_TRY(pkm_crc32_file(path, &now, &bytes, err));
    if (bytes == strtod(size->text, NULL) && now == strtoul(sum->text, NULL, 16)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE,
                    "%s: is not what the run wrote that manifest.json tells of; put results of "
                    "another run, or changed ones, into a folder of their own",
                    path);
}

pkm_status pkm_verb_folder_verify(const char* path, pkm_error* err)
{
    pkm_arena* arena;
    const pkm_yaml* root;
    pkm_status status = read_manifest(path, &arena, &root, err);
    const pkm_yaml* written = status == PKM_OK && root ? pkm_yaml_get(root, "written") : NULL;
    for (const pkm_yaml* f = written ? written->first : NULL; f && status == PKM_OK; f = f->next)
        status = verify_file(path, f, err);
    pkm_arena_free(arena);
    return status;
}

// ---- one run at a time ------------------------------------------------------------------------

/// Two runs that write at once would leave the table of one beside the manifest of the other. File
/// systems without locks do without. Closing the folder, or the end of the process, opens it.
static pkm_status lock_folder(const char* path, int* lock, pkm_error* err)
{
    *lock = -1;
#ifndef __wasi__ // which has no other processes
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || flock(*lock, LOCK_EX) == 0 || errno != EINTR) return PKM_OK;
    close(*lock);
    *lock = -1;
    return pkm_fail(err, PKM_ERR_FILE, "%s: another run is writing there, and a signal came", path);
#else
    (void)path, (void)err;
    return PKM_OK;
#endif
}

void pkm_verb_folder_leave(pkm_verb_old_files* old)
{
    if (old->lock >= 0) close(old->lock);
    old->lock = -1;
}

pkm_status pkm_verb_folder_begin(const char* path, pkm_verb_old_files* old, pkm_error* err)
{
    char manifest[PATH_SIZE];
    PKM_TRY(pkm_verb_make_folder(path, err));
    PKM_TRY(lock_folder(path, &old->lock, err));
    pkm_stream_clear(path);
    if (pkm_verb_folder_list(path, old, NULL) != PKM_OK) return PKM_OK; // not ours to understand
    snprintf(manifest, sizeof manifest, "%s/manifest.json", path);
    if (old->n > 0) unlink(manifest);
    return PKM_OK;
}

static bool is_listed(const char* name, const char* const* file, int n)
{
    for (int i = 0; i < n; ++i)
        if (strcmp(file[i], name) == 0) return true;
    return false;
}

void pkm_verb_folder_end(const char* path, const pkm_verb_old_files* old, const char* const* file,
                         int n)
{
    char name[PATH_SIZE];
    for (int i = 0; i < old->n; ++i) {
        const bool is_data = strcmp(old->name[i], "study.sqlite") == 0; // only --fresh touches it
        if (is_data || is_listed(old->name[i], file, n)) continue;
        snprintf(name, sizeof name, "%s/%s", path, old->name[i]);
        unlink(name);
    }
}
