// A stack of levels tells whether a comma comes first. Numbers that JSON has no word for (NaN,
// infinities) are written as null.
#include "write/json.h"

#include "base/error.h"
#include "base/utf8.h"

#include <math.h>

pkm_json pkm_json_make(pkm_stream* stream)
{
    return (pkm_json){.stream = stream};
}

static void break_line(pkm_json* json)
{
    pkm_stream_text(json->stream, "\n");
    for (int k = 0; k < json->depth; ++k)
        pkm_stream_text(json->stream, "  ");
}

/// What stands before an item: a comma, a line break, nothing after a key.
static void begin_item(pkm_json* json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->has_item[json->depth]) pkm_stream_text(json->stream, ",");
    json->has_item[json->depth] = true;
    // a document of one value stands on one line
    if (json->depth > 0) break_line(json);
}

static void end_item(pkm_json* json)
{
    if (json->depth == 0) pkm_stream_text(json->stream, "\n");
}

static void open_level(pkm_json* json, const char* bracket)
{
    // depth is that of our own writers, not of the data
    PKM_ASSERT(json->depth < PKM_JSON_DEPTH);
    begin_item(json);
    pkm_stream_text(json->stream, bracket);
    json->has_item[++json->depth] = false;
}

static void close_level(pkm_json* json, const char* bracket)
{
    PKM_ASSERT(json->depth > 0 && !json->after_key);
    const bool had_item = json->has_item[json->depth--];
    // empty ones are `{}` and `[]`
    if (had_item) break_line(json);
    pkm_stream_text(json->stream, bracket);
    end_item(json);
}

void pkm_json_object_begin(pkm_json* json)
{
    open_level(json, "{");
}

void pkm_json_object_end(pkm_json* json)
{
    close_level(json, "}");
}

void pkm_json_array_begin(pkm_json* json)
{
    open_level(json, "[");
}

void pkm_json_array_end(pkm_json* json)
{
    close_level(json, "]");
}

/// The two-character escape of `c`, or NULL.
static const char* short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    default:
        return NULL;
    }
}

static void write_string(pkm_stream* stream, const char* text)
{
    pkm_stream_text(stream, "\"");
    for (const char* s = text; *s;) {
        const int n = pkm_utf8_length(s);
        const char* escape = short_escape(*s);
        // what is no UTF-8 would make the document unreadable for parsers: the replacement
        // character
        if (escape)
            pkm_stream_text(stream, escape);
        else if (n == 0)
            pkm_stream_text(stream, "\\ufffd");
        else if (pkm_utf8_steers(pkm_utf8_code(s)))
            pkm_stream_format(stream, "\\u%04x", pkm_utf8_code(s));
        else
            pkm_stream_write(stream, s, (size_t)n);
        s += n > 0 ? n : 1;
    }
    pkm_stream_text(stream, "\"");
}

void pkm_json_key(pkm_json* json, const char* key)
{
    PKM_ASSERT(json->depth > 0 && !json->after_key);
    begin_item(json);
    write_string(json->stream, key);
    pkm_stream_text(json->stream, ": ");
    json->after_key = true;
}

static void write_number(pkm_stream* stream, double value)
{
    // JSON has no NaN and no infinity; null reads as "not known"
    if (isfinite(value))
        pkm_stream_number(stream, value);
    else
        pkm_stream_text(stream, "null");
}

void pkm_json_number(pkm_json* json, double value)
{
    begin_item(json);
    write_number(json->stream, value);
    end_item(json);
}

void pkm_json_integer(pkm_json* json, long long value)
{
    begin_item(json);
    pkm_stream_format(json->stream, "%lld", value);
    end_item(json);
}

void pkm_json_string(pkm_json* json, const char* text)
{
    begin_item(json);
    if (text)
        write_string(json->stream, text);
    else
        pkm_stream_text(json->stream, "null");
    end_item(json);
}

void pkm_json_bool(pkm_json* json, bool value)
{
    begin_item(json);
    pkm_stream_text(json->stream, value ? "true" : "false");
    end_item(json);
}

void pkm_json_null(pkm_json* json)
{
    pkm_json_string(json, NULL);
}

void pkm_json_numbers(pkm_json* json, const double* value, int n)
{
    begin_item(json);
    pkm_stream_text(json->stream, "[");
    // on one line: tables of poses have thousands of rows
    for (int k = 0; k < n; ++k) {
        if (k > 0) pkm_stream_text(json->stream, ", ");
        write_number(json->stream, value[k]);
    }
    pkm_stream_text(json->stream, "]");
    end_item(json);
}

void pkm_json_put_number(pkm_json* json, const char* key, double value)
{
    pkm_json_key(json, key);
    pkm_json_number(json, value);
}

void pkm_json_put_integer(pkm_json* json, const char* key, long long value)
{
    pkm_json_key(json, key);
    pkm_json_integer(json, value);
}

void pkm_json_put_string(pkm_json* json, const char* key, const char* text)
{
    pkm_json_key(json, key);
    pkm_json_string(json, text);
}

void pkm_json_put_bool(pkm_json* json, const char* key, bool value)
{
    pkm_json_key(json, key);
    pkm_json_bool(json, value);
}

void pkm_json_put_numbers(pkm_json* json, const char* key, const double* value, int n)
{
    pkm_json_key(json, key);
    pkm_json_numbers(json, value, n);
}

void pkm_json_open_object(pkm_json* json, const char* key)
{
    pkm_json_key(json, key);
    pkm_json_object_begin(json);
}

void pkm_json_open_array(pkm_json* json, const char* key)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
}
