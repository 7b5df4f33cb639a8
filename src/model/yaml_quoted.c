// Quoted texts are read here: the parser of Debian misreads some of them.
#include "model/yaml_quoted.h"

#include <string.h>

typedef struct quoted {
    const char *at, *end;
    char* out;
    size_t used, kept; // bytes of `out`; before `kept` blanks stay where a line ends
} quoted;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_break(const quoted* q)
{
    return q->at < q->end && (*q->at == '\n' || *q->at == '\r');
}

/// Over the end of a line and the blanks that the next begins with.
static void pass_break(quoted* q)
{
    if (*q->at == '\r' && q->at + 1 < q->end && q->at[1] == '\n') ++q->at;
    ++q->at;
    while (q->at < q->end && is_blank(*q->at))
        ++q->at;
}

/// Each empty line is the end of one; how many there were.
static int put_empty_lines(quoted* q)
{
    int n = 0;
    for (; is_break(q); ++n) {
        pass_break(q);
        q->out[q->used++] = '\n';
    }
    q->kept = q->used;
    return n;
}

/// The end of a line: a space, unless empty lines follow.
static void fold(quoted* q)
{
    while (q->used > q->kept && is_blank(q->out[q->used - 1]))
        --q->used;
    pass_break(q);
    if (put_empty_lines(q) == 0) q->out[q->used++] = ' ';
    q->kept = q->used;
}

static void put_code(quoted* q, unsigned code)
{
    char* to = q->out + q->used;
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0x00, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(first[more] | code >> (6 * more));
    for (int k = 1; k <= more; ++k)
        to[k] = (char)(0x80 | (code >> (6 * (more - k)) & 0x3F));
    q->used += (size_t)more + 1;
}

static bool read_hex(quoted* q, int n_digit, unsigned* code)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *code = 0;
    if (q->end - q->at < n_digit) return false;
    for (; n_digit > 0; --n_digit) {
        const char* digit = *q->at ? strchr(digits, *q->at) : NULL;
        if (!digit) return false;
        *code = *code << 4 | (unsigned)(digit - digits) % 16;
        ++q->at;
    }
    return true;
}

/// A code point in hexadecimal digits; as JSON has them, two surrogates are one.
static bool put_hex(quoted* q, int n_digit)
{
    unsigned code, low;
    if (!read_hex(q, n_digit, &code)) return false;
    if (n_digit == 4 && code >= 0xD800 && code < 0xDC00 && q->end - q->at > 2 && q->at[0] == '\\' &&
        q->at[1] == 'u') {
        q->at += 2;
        if (!read_hex(q, 4, &low) || low < 0xDC00 || low > 0xDFFF) return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    put_code(q, code);
    return true;
}

/// What a \ is followed by.
static bool put_escape(quoted* q)
{
    static const char names[] = "0abt\tnvfre \"/\\N_LP";
    static const unsigned codes[] = {0,  7,   8,   '\t', '\t', '\n', 11,   12,     '\r',
                                     27, ' ', '"', '/',  '\\', 0x85, 0xA0, 0x2028, 0x2029};
    q->kept = q->used;
    if (is_break(q)) { // the line goes on
        pass_break(q);
        put_empty_lines(q);
        return true;
    }
    if (q->at == q->end) return false;
    const char name = *q->at++;
    const char* known = name ? strchr(names, name) : NULL;
    bool is_one = true;
    if (known)
        put_code(q, codes[known - names]);
    else
        is_one = (name == 'x' && put_hex(q, 2)) || (name == 'u' && put_hex(q, 4)) ||
                 (name == 'U' && put_hex(q, 8));
    q->kept = q->used;
    return is_one;
}

bool pkm_yaml_unquote(const char* raw, size_t n, bool is_double, char* out, size_t* length)
{
    quoted q = {.at = raw, .end = raw + n, .out = out};
    while (q.at < q.end) {
        if (is_break(&q)) {
            fold(&q);
        } else if (is_double && *q.at == '\\') {
            ++q.at;
            if (!put_escape(&q)) return false;
        } else {
            const bool is_pair = !is_double && *q.at == '\'';
            out[q.used++] = *q.at;
            q.at += is_pair && q.at + 1 < q.end ? 2 : 1;
        }
    }
    *length = q.used;
    return true;
}
