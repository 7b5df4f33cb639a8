/// Texts between quotes (YAML 1.2.2, sections 5.7 and 7.3). libfyaml 0.7 reads some of them
/// wrongly: behind two pairs of single quotes in a row, or a \ at the end of a line, come other
/// characters, also from memory that nobody has written.
#ifndef PKM_MODEL_YAML_QUOTED_H
#define PKM_MODEL_YAML_QUOTED_H

#include <stdbool.h>
#include <stddef.h>

/// Bytes that the text of `n` bytes between quotes may need.
#define PKM_YAML_UNQUOTED(n) (2 * (n) + 1)

/// What the `n` bytes at `raw`, between quotes, say: `out`, `length` bytes of UTF-8.
/// @return false: an escape is none.
bool pkm_yaml_unquote(const char* raw, size_t n, bool is_double, char* out, size_t* length);

#endif
