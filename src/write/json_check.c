#include "write/json_check.h"

#include "base/error.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/// A text and how far it has been read. Every function below reads one thing, and stops at the byte
/// that cannot be part of it.
typedef struct reader {
    const char *s, *end;
    const char* expected; ///< what should have stood at `s`; NULL: all is well so far
} reader;

static bool fail(reader* r, const char* expected)
{
    if (!r->expected) r->expected = expected;
    return false;
}

static bool take(reader* r, char c)
{
    if (r->s == r->end || *r->s != c) return false;
    ++r->s;
    return true;
}

static void skip_space(reader* r)
{
    while (r->s < r->end && (*r->s == ' ' || *r->s == '\n' || *r->s == '\r' || *r->s == '\t'))
        ++r->s;
}

static bool read_word(reader* r, const char* word)
{
    for (; *word; ++word)
        if (!take(r, *word)) return fail(r, "true, false or null");
    return true;
}

static bool read_escape(reader* r)
{
    if (r->s == r->end || !strchr("\"\\/bfnrtu", *r->s) || *r->s == '\0')
        return fail(r, "an escape of JSON");
    if (*r->s++ != 'u') return true;
    for (int k = 0; k < 4; ++k, ++r->s)
        if (r->s == r->end || !strchr("0123456789abcdefABCDEF", *r->s) || *r->s == '\0')
            return fail(r, "four hexadecimal digits");
    return true;
}

static bool read_string(reader* r)
{
    if (!take(r, '"')) return fail(r, "a string");
    while (r->s < r->end && *r->s != '"') {
        if ((unsigned char)*r->s < 0x20) return fail(r, "the end of the string");
        if (*r->s++ == '\\' && !read_escape(r)) return false;
    }
    return take(r, '"') || fail(r, "the end of the string");
}

static bool read_digits(reader* r)
{
    const char* from = r->s;
    while (r->s < r->end && *r->s >= '0' && *r->s <= '9')
        ++r->s;
    return r->s > from || fail(r, "a digit");
}

static bool read_number(reader* r)
{
    take(r, '-');
    if (!take(r, '0') && !read_digits(r)) return fail(r, "a value");
    if (take(r, '.') && !read_digits(r)) return false;
    if (!take(r, 'e') && !take(r, 'E')) return true;
    if (!take(r, '+')) take(r, '-');
    return read_digits(r);
}

static bool read_value(reader* r, int depth);

/// Items up to `close`, the opening bracket being read; of an object each with its key.
static bool read_items(reader* r, char close, int depth)
{
    skip_space(r);
    if (take(r, close)) return true;
    for (;;) {
        skip_space(r);
        if (close == '}') {
            if (!read_string(r)) return false;
            skip_space(r);
            if (!take(r, ':')) return fail(r, "a colon");
        }
        if (!read_value(r, depth + 1)) return false;
        skip_space(r);
        if (take(r, close)) return true;
        if (!take(r, ',')) return fail(r, close == '}' ? "a comma or }" : "a comma or ]");
    }
}

static bool read_value(reader* r, int depth)
{
    skip_space(r);
    if (depth > MAX_DEPTH) return fail(r, "fewer levels");
    if (r->s == r->end) return fail(r, "a value");
    switch (*r->s) {
    case '{':
        ++r->s;
        return read_items(r, '}', depth);
    case '[':
        ++r->s;
        return read_items(r, ']', depth);
    case '"':
        return read_string(r);
    case 't':
        return read_word(r, "true");
    case 'f':
        return read_word(r, "false");
    case 'n':
        return read_word(r, "null");
    default:
        return read_number(r);
    }
}

pkm_status pkm_json_check(const char* text, size_t length, const char* name, pkm_error* err)
{
    reader r = {text, text + length, NULL};
    if (read_value(&r, 0)) {
        skip_space(&r);
        if (r.s == r.end) return PKM_OK;
        fail(&r, "the end");
    }
    int line = 1, column = 1;
    for (const char* s = text; s < r.s; ++s, ++column)
        if (*s == '\n') ++line, column = 0;
    return pkm_fail_at(err, PKM_ERR_SYNTAX, name, line, column, "this is no JSON, expected %s here",
                       r.expected);
}
