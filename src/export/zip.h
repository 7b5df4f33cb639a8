/// Archives: files with names, compressed, in one file. Equal content gives equal bytes: no times.
#ifndef PKM_EXPORT_ZIP_H
#define PKM_EXPORT_ZIP_H

#include "pkm/status.h"

#include <stddef.h>

typedef struct pkm_zip pkm_zip;

/// A new archive `path`, which appears when it is closed.
PKM_NODISCARD pkm_status pkm_zip_open(const char* path, pkm_zip** out, pkm_error* err);
/// Add a file. @return PKM_ERR_MEMORY; PKM_ERR_FILE: more than an archive can have.
PKM_NODISCARD pkm_status pkm_zip_add(pkm_zip* zip, const char* name, const void* bytes, size_t size,
                                     pkm_error* err);
/// Finish and free it; and the end without a file (may be NULL).
PKM_NODISCARD pkm_status pkm_zip_close(pkm_zip* zip, pkm_error* err);
void pkm_zip_discard(pkm_zip* zip);

#endif
