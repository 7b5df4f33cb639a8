/// Files of flexible bodies made by other programs, as they stand there.
#ifndef PKM_FLEXIBLE_IMPORTED_FILE_H
#define PKM_FLEXIBLE_IMPORTED_FILE_H

#include "base/memory.h"
#include "pkm/status.h"
#include "pkm/types.h"

#include <stdbool.h>

enum { PKM_OUTSIDE_MAX_FRAME = 32, PKM_OUTSIDE_MAX_SIZE = 3000 };

typedef struct pkm_imported_file {
    const char* path;
    pkm_arena* arena; ///< of the matrices
    int n, n_frame;
    char frame[PKM_OUTSIDE_MAX_FRAME][PKM_MAX_NAME]; ///< short names of points of the body
    double *K, *M, *D;                               ///< n x n; D NULL when it is not there
} pkm_imported_file;

/// Read file->path. @return PKM_ERR_FILE, PKM_ERR_MODEL, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_imported_file_read(pkm_imported_file* file, pkm_error* err);

#endif
