// Eight bytes at a time by eight tables: whole files are checked whenever results are read.
#include "base/crc32.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/// slice[k][b]: what the byte b leaves behind when k zero bytes follow it.
void pkm_crc32_begin(pkm_crc32* crc)
{
    crc->rest = 0xffffffffu;
    // 0xedb88320 is the polynomial of CRC-32, its bits turned round
    for (uint32_t b = 0; b < 256; ++b) {
        uint32_t rest = b;
        for (int bit = 0; bit < 8; ++bit)
            rest = rest & 1 ? 0xedb88320u ^ (rest >> 1) : rest >> 1;
        crc->slice[0][b] = rest;
    }
    for (int k = 1; k < 8; ++k)
        for (int b = 0; b < 256; ++b) {
            const uint32_t before = crc->slice[k - 1][b];
            crc->slice[k][b] = crc->slice[0][before & 0xff] ^ (before >> 8);
        }
}

/// Eight bytes at a time: each by the table of how many follow it.
void pkm_crc32_add(pkm_crc32* crc, const void* bytes, size_t size)
{
    const unsigned char* p = bytes;
    const uint32_t(*const slice)[256] = (const uint32_t(*)[256])crc->slice;
    uint32_t rest = crc->rest;
    for (; size >= 8; size -= 8, p += 8)
        rest = slice[7][(rest ^ p[0]) & 0xff] ^ slice[6][(rest >> 8 ^ p[1]) & 0xff] ^
               slice[5][(rest >> 16 ^ p[2]) & 0xff] ^ slice[4][rest >> 24 ^ p[3]] ^ slice[3][p[4]] ^
               slice[2][p[5]] ^ slice[1][p[6]] ^ slice[0][p[7]];
    for (; size > 0; --size, ++p)
        rest = slice[0][(rest ^ *p) & 0xff] ^ (rest >> 8);
    crc->rest = rest;
}

uint32_t pkm_crc32_end(const pkm_crc32* crc)
{
    return crc->rest ^ 0xffffffffu;
}

uint32_t pkm_crc32_of(const void* bytes, size_t size)
{
    pkm_crc32 crc;
    pkm_crc32_begin(&crc);
    pkm_crc32_add(&crc, bytes, size);
    return pkm_crc32_end(&crc);
}

pkm_status pkm_crc32_file(const char* path, uint32_t* sum, double* bytes, pkm_error* err)
{
    *sum = 0;
    *bytes = 0.0;
    FILE* file = fopen(path, "rb");
    if (!file) return pkm_fail(err, PKM_ERR_FILE, "%s: cannot read: %s", path, strerror(errno));
    pkm_crc32 crc;
    unsigned char part[16384];
    pkm_crc32_begin(&crc);
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0; *bytes += (double)n)
        pkm_crc32_add(&crc, part, n);
    const int reason = ferror(file) ? errno : 0;
    fclose(file);
    if (reason) return pkm_fail(err, PKM_ERR_FILE, "%s: cannot read: %s", path, strerror(reason));
    *sum = pkm_crc32_end(&crc);
    return PKM_OK;
}
