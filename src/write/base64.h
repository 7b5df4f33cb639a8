/// Numbers as base64 (RFC 4648), for pages.
#ifndef PKM_WRITE_BASE64_H
#define PKM_WRITE_BASE64_H

#include <stddef.h>

/// Length of the text of `size` bytes, without a terminator.
size_t pkm_base64_length(size_t size);

/// Write the text of `size` bytes and a terminator to `out` [pkm_base64_length(size) + 1].
void pkm_base64_encode(const void* bytes, size_t size, char* out);

#endif
