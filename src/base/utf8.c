// Lengths of valid sequences, and which characters steer a terminal or turn the direction of text.
#include "base/utf8.h"

#include <stdint.h>

int pkm_utf8_length(const char* text)
{
    return pkm_utf8_length_within(text, SIZE_MAX); // a terminator ends a sequence, too
}

int pkm_utf8_length_within(const char* text, size_t left)
{
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) return 1;
    // bytes that cannot begin a sequence: continuations, overlong forms of ASCII, codes past
    // 0x10FFFF
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    const int n = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (left < (size_t)n) return 0;
    for (int k = 1; k < n; ++k)
        if ((s[k] & 0xC0) != 0x80) return 0;
    // overlong, a half of a surrogate pair, overlong, past 0x10FFFF
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return n;
}

/// The code point of a sequence of `n` bytes.
static unsigned code_of(const char* text, int n)
{
    const unsigned char* s = (const unsigned char*)text;
    if (n == 0) return 0xFFFD;
    if (n == 1) return s[0];
    unsigned code = s[0] & (0x7Fu >> n);
    for (int k = 1; k < n; ++k)
        code = code << 6 | (s[k] & 0x3Fu);
    return code;
}

unsigned pkm_utf8_code(const char* text)
{
    return code_of(text, pkm_utf8_length(text));
}

bool pkm_utf8_steers(unsigned code)
{
    if (code < 0x20) return code != '\t' && code != '\n' && code != '\r';
    if (code < 0x7F) return false;
    // C1 controls steer terminals as ESC does; marks and turns of direction let a text read
    // otherwise than it is
    const bool is_control = code < 0xA0;
    const bool is_mark = code == 0x061C || code == 0x200E || code == 0x200F;
    const bool is_turn = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return is_control || is_mark || is_turn;
}

const char* pkm_utf8_find_steering(const char* text, size_t length)
{
    for (const char *s = text, *end = text + length; s < end;) {
        const int n = pkm_utf8_length_within(s, (size_t)(end - s));
        if (pkm_utf8_steers(code_of(s, n))) return s;
        // what is no UTF-8 is passed byte by byte; its code 0xFFFD steers nothing
        s += n > 0 ? n : 1;
    }
    return NULL;
}
