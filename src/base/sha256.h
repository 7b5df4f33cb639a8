/// SHA-256 (FIPS 180-4): the fingerprint of a model file in the manifest.
#ifndef PKM_BASE_SHA256_H
#define PKM_BASE_SHA256_H

#include "pkm/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PKM_SHA256_SIZE = 65 }; ///< 64 hexadecimal digits and the terminator

typedef struct pkm_sha256 {
    uint32_t h[8];
    uint64_t n_byte;
    unsigned char block[64];
} pkm_sha256;

pkm_sha256 pkm_sha256_make(void);
void pkm_sha256_add(pkm_sha256* sha, const void* bytes, size_t size);
/// The digest of all that was added, in lower-case hexadecimal; `sha` is spent.
void pkm_sha256_finish(pkm_sha256* sha, char text[PKM_SHA256_SIZE]);

/// The digest of the bytes of the file `path`. PKM_ERR_FILE with the reason.
PKM_NODISCARD pkm_status pkm_sha256_file(const char* path, char text[PKM_SHA256_SIZE],
                                         pkm_error* err);

#endif
