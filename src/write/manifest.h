/// The manifest of a run: which program did what with which model, and what came out.
#ifndef PKM_WRITE_MANIFEST_H
#define PKM_WRITE_MANIFEST_H

#include "pkm/table.h"

/// An option of the run as the user gave it.
typedef struct pkm_manifest_option {
    const char* name;
    const char* value; ///< NULL for a flag
} pkm_manifest_option;

/// One number of the summary, for example {"absmax q1.force", 4.3, "N"}.
typedef struct pkm_manifest_result {
    const char* name;
    double value;
    const char* unit; ///< "" or NULL: none
} pkm_manifest_result;

/// What the caller knows; texts that are NULL become null. All is borrowed.
typedef struct pkm_manifest {
    const char* command;    ///< the whole command line
    const char* model_path; ///< as given
    const char* model_hash; ///< SHA-256 of the model file as it was read
    const char* robot;
    const pkm_manifest_option* option;
    int n_option;
    const pkm_manifest_result* result;
    int n_result;
    const char* const* file; ///< the files beside the manifest, which are there already
    int n_file;
    const pkm_table* table; ///< whose columns are named in words; NULL: none
    double wall_time;       ///< [s]
} pkm_manifest;

/// Write that text to `path`.
PKM_NODISCARD pkm_status pkm_manifest_write(const pkm_manifest* manifest, const char* path,
                                            pkm_error* err);

#endif
