// Texts must be UTF-8 without control characters before anything parses them.
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/source.h"

#include <string.h>

pkm_status pkm_source_check_text(const char* bytes, size_t length, const char* name, pkm_error* err)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < length;) {
        const int n = pkm_utf8_length_within(bytes + i, length - i);
        if (n == 0)
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               "not a text file: byte 0x%02x is not UTF-8",
                               (unsigned char)bytes[i]);
        if (pkm_utf8_find_steering(bytes + i, (size_t)n))
            return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column,
                               n == 1 ? "not a text file: it holds the control byte 0x%02x"
                                      : "it holds the control character U+%04X",
                               n == 1 ? (unsigned char)bytes[i] : pkm_utf8_code(bytes + i));
        ++column;
        if (bytes[i] == '\n') {
            ++line;
            column = 1;
        }
        i += (size_t)n;
    }
    return PKM_OK;
}

bool pkm_source_steers(const char* text)
{
    return pkm_utf8_find_steering(text, strlen(text)) != NULL;
}

void pkm_source_clean(char* text)
{
    for (char* s = text; *s;) {
        const int n = pkm_utf8_length(s);
        const size_t step = n > 0 ? (size_t)n : 1;
        const bool is_space = n == 1 && (unsigned char)*s < 0x20;
        if (n == 0 || is_space || pkm_utf8_steers(pkm_utf8_code(s))) memset(s, '?', step);
        s += step;
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
