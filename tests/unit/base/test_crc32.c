// The checksum of files of numbers: published values, and the rule of its polynomial bit by bit.
#include "base/crc32.h"
#include "check.h"

#include <string.h>

static void published_values(void)
{
    CHECK(pkm_crc32_of("", 0) == 0);
    CHECK(pkm_crc32_of("123456789", 9) == 0xcbf43926u); // the check value of ISO 3309
    CHECK(pkm_crc32_of("The quick brown fox jumps over the lazy dog", 43) == 0x414fa339u);
}

/// Division of the bits by the polynomial, one at a time.
static uint32_t by_bits(const unsigned char* p, int n)
{
    uint32_t rest = 0xffffffffu;
    for (int i = 0; i < 8 * n; ++i) {
        const uint32_t bit = (p[i / 8] >> (i % 8) ^ rest) & 1u;
        rest = bit ? rest >> 1 ^ 0xedb88320u : rest >> 1;
    }
    return ~rest;
}

static void any_length_in_any_parts(void)
{
    unsigned char bytes[61];
    unsigned seed = 5;
    for (int k = 0; k < 61; ++k) {
        seed = seed * 1664525u + 1013904223u;
        bytes[k] = (unsigned char)(seed >> 24);
    }
    for (int n = 0; n <= 61; ++n)
        for (int cut = 0; cut <= n; ++cut) {
            pkm_crc32 crc;
            pkm_crc32_begin(&crc);
            pkm_crc32_add(&crc, bytes, (size_t)cut);
            pkm_crc32_add(&crc, bytes + cut, (size_t)(n - cut));
            CHECK(pkm_crc32_end(&crc) == by_bits(bytes, n));
        }
}

static void files_and_their_sizes(void)
{
    const char* path = "crc32.txt";
    uint32_t sum;
    double bytes;
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    for (int k = 0; k < 3000; ++k) // more than is read at once
        fputs("123456789", file);
    fclose(file);
    char all[27000];
    for (int k = 0; k < 3000; ++k)
        memcpy(all + 9 * k, "123456789", 9);
    CHECK(pkm_crc32_file(path, &sum, &bytes, NULL) == PKM_OK);
    CHECK(sum == pkm_crc32_of(all, sizeof all) && bytes == 27000.0);
    remove(path);
    CHECK(pkm_crc32_file(path, &sum, &bytes, NULL) == PKM_ERR_FILE);
}

int main(void)
{
    RUN(published_values);
    RUN(any_length_in_any_parts);
    RUN(files_and_their_sizes);
    return check_report();
}
