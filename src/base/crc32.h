/// CRC-32 of archives (ISO 3309): tells files apart that were not changed on purpose.
#ifndef PKM_BASE_CRC32_H
#define PKM_BASE_CRC32_H

#include "pkm/status.h"

#include <stddef.h>
#include <stdint.h>

/// A sum that grows; `slice` are tables of its polynomial.
typedef struct pkm_crc32 {
    uint32_t slice[8][256], rest;
} pkm_crc32;

void pkm_crc32_begin(pkm_crc32* crc);
void pkm_crc32_add(pkm_crc32* crc, const void* bytes, size_t size);
uint32_t pkm_crc32_end(const pkm_crc32* crc); ///< of all that was added

uint32_t pkm_crc32_of(const void* bytes, size_t size);

/// That of a whole file with `bytes`, at some 2 % of what it costs to compute and write a table.
/// PKM_ERR_FILE with the reason.
PKM_NODISCARD pkm_status pkm_crc32_file(const char* path, uint32_t* sum, double* bytes,
                                        pkm_error* err);

#endif
