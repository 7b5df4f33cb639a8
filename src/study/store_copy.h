/// A copy of a database that another process writes, or that cannot be written: for readers.
#ifndef PKM_STUDY_STORE_COPY_H
#define PKM_STUDY_STORE_COPY_H

#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

/// True when there is a write-ahead log: it is being written, or its writer was killed.
bool pkm_store_has_log(const char* path);

/// Copy the database and its log, as they are at one moment, into a temporary folder; `out` is the
/// path there. @return PKM_ERR_FILE with the reason.
PKM_NODISCARD pkm_status pkm_store_copy(const char* path, char* out, size_t size, pkm_error* err);

/// Remove a copy and its folder.
void pkm_store_remove_copy(const char* path);

#endif
