#include "write/utf8.h"

int pkm_utf8_length(const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    const int n = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    for (int k = 1; k < n; ++k)
        if ((s[k] & 0xC0) != 0x80) return 0; // also stops at the terminator
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return n;
}

unsigned pkm_utf8_code(const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    const int n = pkm_utf8_length(text);
    if (n == 0) return 0xFFFD;
    if (n == 1) return s[0];
    unsigned code = s[0] & (0x7Fu >> n);
    for (int k = 1; k < n; ++k)
        code = code << 6 | (s[k] & 0x3Fu);
    return code;
}
