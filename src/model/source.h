/// The bytes of a file, and whether they are text.
#ifndef PKM_MODEL_SOURCE_H
#define PKM_MODEL_SOURCE_H

#include "pkm/status.h"

#include <stddef.h>

/// Read a whole file of at most `limit` bytes; a larger one is refused before it is read.
///
/// The bytes end with a zero that `length` does not count, and are freed with pkm_free.
/// @return PKM_ERR_FILE for a missing file, a folder or a file above the limit.
PKM_NODISCARD pkm_status pkm_source_read(const char* path, size_t limit, char** bytes,
                                         size_t* length, pkm_error* err);

/// Check that the bytes are UTF-8 text without control characters; else the place of the first
/// byte that is not, as PKM_ERR_SYNTAX. `name` stands for the file in the message.
PKM_NODISCARD pkm_status pkm_source_check_text(const char* bytes, size_t length, const char* name,
                                               pkm_error* err);

/// Make a message of one line: what is no UTF-8 text (cut short, or a control byte from a file)
/// becomes `?`.
void pkm_source_clean(char* text);

/// The path of `file` as written inside the file `base`: relative to the folder of `base`.
/// @return NULL when there is no memory; freed with pkm_free.
char* pkm_source_path(const char* base, const char* file);

#endif
