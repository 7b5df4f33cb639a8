/// A folder of its own for the files of one test program.
#ifndef PKM_TESTS_SCRATCH_FOLDER_H
#define PKM_TESTS_SCRATCH_FOLDER_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_folder[256];

static inline int scratch_create(void)
{
    const char* base = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/pkm-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(scratch_folder) != NULL;
}

/// The path of `name` in the folder; good until the fourth call from now.
static inline const char* scratch_path(const char* name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", scratch_folder, name);
    return path[next];
}

/// How many files are in the folder.
static inline int scratch_count(void)
{
    int n = 0;
    DIR* folder = opendir(scratch_folder);
    for (struct dirent* entry; folder && (entry = readdir(folder));)
        n += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return n;
}

/// Remove the files in the folder.
static inline void scratch_clear(void)
{
    DIR* folder = opendir(scratch_folder);
    for (struct dirent* entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') remove(scratch_path(entry->d_name));
    if (folder) closedir(folder);
}

static inline void scratch_remove(void)
{
    scratch_clear();
    rmdir(scratch_folder);
}

/// The text of the file `path`, freed by the caller; NULL when it cannot be read.
static inline char* scratch_read(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char* text = calloc((size_t)size + 1, 1);
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = '\0';
    fclose(file);
    return text;
}

/// Let writing beyond `size` bytes per file fail, as on a full disk; 0 lifts the limit.
static inline void scratch_limit_size(unsigned long size)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size ? size : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

#endif
