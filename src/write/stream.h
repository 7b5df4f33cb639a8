/// A stream of text to a file or to memory.
///
/// Write freely and ask once: the first failure is kept, later writes do nothing, and
/// pkm_stream_close reports it. A file appears under its name only when it is complete: the bytes
/// go to a temporary file in the same folder, which close brings to the disk and renames.
#ifndef PKM_WRITE_STREAM_H
#define PKM_WRITE_STREAM_H

#include "pkm/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct pkm_stream pkm_stream;

/// A stream to the file `path`, which close creates or replaces. Devices and pipes (/dev/stdout)
/// are written directly.
/// @return PKM_ERR_FILE with the reason when the folder cannot be written; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_stream_open(const char* path, pkm_stream** out, pkm_error* err);

/// A stream to memory, read with pkm_stream_get. NULL: memory is out.
pkm_stream* pkm_stream_to_memory(void);

void pkm_stream_write(pkm_stream* stream, const void* bytes, size_t size);
void pkm_stream_text(pkm_stream* stream, const char* text);
/// Formatted text of at most 511 characters; longer text is an error of ours.
void pkm_stream_format(pkm_stream* stream, const char* format, ...) PKM_PRINTF(2, 3);
/// The fewest digits that read back as `value` (see pkm_number_format).
void pkm_stream_number(pkm_stream* stream, double value);

/// The text written to a memory stream so far, terminated, good until the next write. NULL: memory
/// is out, or the stream has another target.
const char* pkm_stream_get(pkm_stream* stream);

/// Finish: the file appears under its name, or nothing is left of it. Frees `stream` (may be NULL).
/// @return PKM_ERR_FILE with file and reason (full disk, ...), PKM_ERR_MEMORY, or PKM_OK.
PKM_NODISCARD pkm_status pkm_stream_close(pkm_stream* stream, pkm_error* err);

/// Remove temporary files in `folder` whose process is gone: what a killed program has left.
void pkm_stream_clear(const char* folder);

/// Give up: nothing is left of the file. Frees `stream` (may be NULL).
void pkm_stream_discard(pkm_stream* stream);

#endif
