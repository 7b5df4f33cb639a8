/// The bytes of a file, and whether they are text.
#ifndef PKM_MODEL_SOURCE_H
#define PKM_MODEL_SOURCE_H

#include "base/sha256.h"
#include "pkm/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Read a whole file of at most `limit` bytes; a larger one is refused before it is read.
///
/// The bytes end with a zero that `length` does not count, and are freed with pkm_free.
/// @return PKM_ERR_FILE for a missing file, a folder, a device, a named pipe (which could wait for
///         ever), a file above the limit. Pipes of the shell, /dev/stdin and /dev/fd/N, are read.
PKM_NODISCARD pkm_status pkm_source_read(const char* path, size_t limit, char** bytes,
                                         size_t* length, pkm_error* err);

/// The same for files that are no input of a computation: they are not noted.
PKM_NODISCARD pkm_status pkm_source_peek(const char* path, size_t limit, char** bytes,
                                         size_t* length, pkm_error* err);

/// An input: the file as it was when it was read.
typedef struct pkm_source_note {
    char* path;                   ///< as it was given
    char sha256[PKM_SHA256_SIZE]; ///< of the bytes that were read
    size_t size;
} pkm_source_note;

/// From now on this thread notes each file that it reads with pkm_source_read; earlier notes are
/// gone. A file that is read again and has other bytes is refused: an answer has one input.
void pkm_sources_begin(void);
/// End that, and free the notes.
void pkm_sources_end(void);
/// The notes, in the order of reading; NULL past the last.
const pkm_source_note* pkm_sources_get(int i);
/// The note of the file `path`; NULL: it was not read.
const pkm_source_note* pkm_sources_find(const char* path);
/// Note a file that another process has read for this one; nothing where notes have not begun.
/// @return PKM_ERR_FILE: it has other bytes than an earlier note says; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_sources_add(const char* path, const char* sha256, size_t size,
                                         pkm_error* err);
/// All notes as text, one line "sha256 size path" each; freed with pkm_free, NULL: memory is out.
char* pkm_sources_text(void);
/// Take such a text apart: the next line into path, sha256, size; *text moves on. False: the end.
bool pkm_sources_next(const char** text, char* path, size_t path_size, char sha256[PKM_SHA256_SIZE],
                      size_t* size);

/// Check that the bytes are UTF-8 text without characters that steer (pkm_utf8_steers); else the
/// place of the first byte that is not, as PKM_ERR_SYNTAX. `name` stands for the file in the
/// message.
PKM_NODISCARD pkm_status pkm_source_check_text(const char* bytes, size_t length, const char* name,
                                               pkm_error* err);

/// Make a message of one line: what is no UTF-8 text (cut short, or a control byte from a file)
/// becomes `?`.
void pkm_source_clean(char* text);
/// Does a text hold characters that steer what shows it (pkm_utf8_steers)?
bool pkm_source_steers(const char* text);

/// The path of `file` as written inside the file `base`: relative to the folder of `base`.
/// @return NULL when there is no memory; freed with pkm_free.
char* pkm_source_path(const char* base, const char* file);

#endif
