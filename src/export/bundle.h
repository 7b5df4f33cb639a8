/// The sources of the engine for FMUs: files of tar archives that the program carries, laid out so
/// that each compiles without include directories (docs/guide/fmu.md).
#ifndef PKM_EXPORT_BUNDLE_H
#define PKM_EXPORT_BUNDLE_H

#include "export/zip.h"

#include <stdbool.h>

/// A tar archive in memory.
typedef struct pkm_archive {
    const unsigned char *bytes, *end;
    bool is_engine; ///< our own files, not those of a library
} pkm_archive;

typedef struct pkm_bundle_file {
    char name[104]; ///< below sources/: "base/error.c"
    const char* bytes;
    size_t size;
    bool is_engine;
} pkm_bundle_file;

typedef struct pkm_bundle {
    pkm_bundle_file* file;
    int n;
} pkm_bundle;

/// The files that an FMU of this version needs; the bytes stay those of the archives. Freed with
/// pkm_bundle_free whatever the status.
PKM_NODISCARD pkm_status pkm_bundle_read(const pkm_archive* archive, int n, int version,
                                         pkm_bundle* out, pkm_error* err);
void pkm_bundle_free(pkm_bundle* bundle);

/// Is it compiled, or included by others?
bool pkm_bundle_is_compiled(const pkm_bundle_file* file);

/// Add all files to sources/, those of the engine with `config` before them, includes as paths from
/// file to file.
PKM_NODISCARD pkm_status pkm_bundle_add(const pkm_bundle* bundle, pkm_zip* zip, const char* config,
                                        pkm_error* err);

/// The file `name`; NULL: there is none.
const pkm_bundle_file* pkm_bundle_find(const pkm_bundle* bundle, const char* name);

#endif
