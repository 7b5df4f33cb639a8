#include "write/base64.h"

size_t pkm_base64_length(size_t size)
{
    return (size + 2) / 3 * 4;
}

void pkm_base64_encode(const void* bytes, size_t size, char* out)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* b = bytes;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned group = (unsigned)b[i] << 16 | (left > 1 ? (unsigned)b[i + 1] << 8 : 0u) |
                               (left > 2 ? (unsigned)b[i + 2] : 0u);
        *out++ = letter[group >> 18];
        *out++ = letter[group >> 12 & 63];
        *out++ = left > 1 ? letter[group >> 6 & 63] : '=';
        *out++ = left > 2 ? letter[group & 63] : '=';
    }
    *out = '\0';
}
