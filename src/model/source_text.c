#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"

#include <string.h>

/// Bytes of the UTF-8 character at `s` (of which `left` remain), or 0 when it is none.
/// Overlong forms, surrogates and values above U+10FFFF are none.
static int utf8_length(const unsigned char* s, size_t left)
{
    const unsigned c = s[0];
    const int n = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (n == 1) return 1;
    if (c < 0xc2 || c > 0xf4 || left < (size_t)n) return 0;
    for (int i = 1; i < n; ++i)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (c == 0xe0 && s[1] < 0xa0) return 0;
    if (c == 0xed && s[1] > 0x9f) return 0;
    if (c == 0xf0 && s[1] < 0x90) return 0;
    if (c == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

pkm_status pkm_source_check_text(const char* bytes, size_t length, const char* name, pkm_error* err)
{
    const unsigned char* s = (const unsigned char*)bytes;
    int line = 1, column = 1;
    for (size_t i = 0; i < length;) {
        const int n = utf8_length(s + i, length - i);
        if (n == 0)
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               "not a text file: byte 0x%02x is not UTF-8", s[i]);
        if (is_control(s[i]))
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               "not a text file: it holds the control byte 0x%02x", s[i]);
        ++column;
        if (s[i] == '\n') {
            ++line;
            column = 1;
        }
        i += (size_t)n;
    }
    return PKM_OK;
}

/// U+0080 ... U+009F in UTF-8, of which some steer terminals as an escape does.
static bool is_c1(const unsigned char* s)
{
    return s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0;
}

bool pkm_source_steers(const char* text)
{
    for (const unsigned char* s = (const unsigned char*)text; *s; ++s)
        if (is_control(*s) || is_c1(s)) return true;
    return false;
}

void pkm_source_clean(char* text)
{
    unsigned char* s = (unsigned char*)text;
    for (size_t left = strlen(text); left > 0;) {
        const int n = utf8_length(s, left);
        const bool is_bad = n == 0 || s[0] < 0x20 || s[0] == 0x7f;
        const size_t step = is_bad ? 1 : (size_t)n;
        if (is_bad || is_c1(s)) memset(s, '?', step);
        s += step;
        left -= step;
    }
}

char* pkm_source_path(const char* base, const char* file)
{
    const char* slash = file[0] == '/' ? NULL : strrchr(base, '/');
    const size_t folder = slash ? (size_t)(slash - base) + 1 : 0;
    const size_t length = strlen(file);
    char* path = pkm_alloc(folder + length + 1, 1);
    if (!path) return NULL;
    memcpy(path, base, folder);
    memcpy(path + folder, file, length);
    return path;
}
