// Straight from FIPS 180-4, 64 bytes at a time.
#include "base/sha256.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// The first 32 bits behind the point of the cube roots of the first 64 primes.
static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

pkm_sha256 pkm_sha256_make(void)
{
    // the same of the square roots of the first eight primes
    return (pkm_sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static uint32_t rotate(uint32_t x, int n)
{
    return (x >> n) | (x << (32 - n));
}

/// The message schedule W of FIPS 180-4, section 6.2.2, step 1.
static void make_schedule(const unsigned char block[64], uint32_t w[64])
{
    for (int t = 0; t < 16; ++t)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; ++t) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        const uint32_t s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3);
        const uint32_t s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10);
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

/// Steps 2 to 4: the eight words a ... h stand in v[0] ... v[7].
static void compress(uint32_t h[8], const unsigned char block[64])
{
    uint32_t w[64], v[8];
    make_schedule(block, w);
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; ++t) {
        const uint32_t sum1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t t1 = v[7] + sum1 + choice + round_constant[t] + w[t];
        const uint32_t sum0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + sum0 + majority;
    }
    for (int k = 0; k < 8; ++k)
        h[k] += v[k];
}

void pkm_sha256_add(pkm_sha256* sha, const void* bytes, size_t size)
{
    const unsigned char* from = bytes;
    while (size > 0) {
        const size_t used = sha->n_byte % 64;
        const size_t n = size < 64 - used ? size : 64 - used;
        memcpy(sha->block + used, from, n);
        sha->n_byte += n;
        from += n;
        size -= n;
        if (sha->n_byte % 64 == 0) compress(sha->h, sha->block);
    }
}

void pkm_sha256_finish(pkm_sha256* sha, char text[PKM_SHA256_SIZE])
{
    // padding: a one bit, zeros, the length in bits as a big-endian 64-bit number
    static const unsigned char padding[64] = {0x80};
    const uint64_t n_bit = 8 * sha->n_byte;
    unsigned char length[8];
    for (int k = 0; k < 8; ++k)
        length[k] = (unsigned char)(n_bit >> (56 - 8 * k));
    pkm_sha256_add(sha, padding, 1 + (119 - sha->n_byte % 64) % 64);
    pkm_sha256_add(sha, length, sizeof length);
    for (int k = 0; k < 8; ++k)
        sprintf(text + 8 * k, "%08x", (unsigned)sha->h[k]);
}

pkm_status pkm_sha256_file(const char* path, char text[PKM_SHA256_SIZE], pkm_error* err)
{
    text[0] = '\0';
    FILE* file = fopen(path, "rb");
    if (!file) return pkm_fail(err, PKM_ERR_FILE, "%s: cannot read: %s", path, strerror(errno));
    pkm_sha256 sha = pkm_sha256_make();
    unsigned char bytes[4096];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        pkm_sha256_add(&sha, bytes, n);
    const int reason = ferror(file) ? errno : 0;
    fclose(file);
    if (reason) return pkm_fail(err, PKM_ERR_FILE, "%s: cannot read: %s", path, strerror(reason));
    pkm_sha256_finish(&sha, text);
    return PKM_OK;
}
