/// Compression for archives: raw DEFLATE (RFC 1951).
#ifndef PKM_EXPORT_DEFLATE_H
#define PKM_EXPORT_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// The bytes compressed, with `out_size` of them, freed with pkm_free; NULL: memory is out.
unsigned char* pkm_deflate(const void* bytes, size_t size, size_t* out_size);

#endif
