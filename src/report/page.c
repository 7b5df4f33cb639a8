// Data go into blocks of their own as JSON. `<` is escaped there, so that no text of a user can end
// a block and become part of the page.
#include "report/page.h"

#include "base/utf8.h"
#include "plot/svg.h"

#include <string.h>

void pkm_page_begin(pkm_stream* stream, const pkm_page_frame* frame, const char* title)
{
    pkm_stream_write(stream, frame->before_title, frame->size[0]);
    pkm_svg_escape(stream, title);
    pkm_stream_write(stream, frame->before_data, frame->size[1]);
}

void pkm_page_end(pkm_stream* stream, const pkm_page_frame* frame)
{
    pkm_stream_write(stream, frame->after_data, frame->size[2]);
}

// ---- blocks -----------------------------------------------------------------------------------

void pkm_page_block_begin(pkm_stream* stream, const char* name)
{
    pkm_stream_text(stream, "<script type=\"application/json\" id=\"data-");
    pkm_svg_escape(stream, name);
    pkm_stream_text(stream, "\">");
}

void pkm_page_block_end(pkm_stream* stream)
{
    pkm_stream_text(stream, "</script>\n");
}

/// Bytes from `text` on that may stand in a block as they are: up to a `<`, a zero or broken UTF-8.
static size_t harmless(const char* text, const char* end)
{
    const char* s = text;
    while (s < end && *s != '<' && *s != '\0') {
        const int n = pkm_utf8_length(s);
        if (n == 0 || n > end - s) break;
        s += n;
    }
    return (size_t)(s - text);
}

void pkm_page_block_json(pkm_stream* stream, const char* json, size_t length)
{
    const char* end = json + length;
    while (json < end) {
        const size_t n = harmless(json, end);
        pkm_stream_write(stream, json, n);
        json += n;
        if (json == end) return;
        pkm_stream_text(stream, *json == '<' ? "\\u003c" : "\\ufffd");
        ++json;
    }
}

void pkm_page_put_json(pkm_stream* stream, const char* name, const char* json, size_t length)
{
    pkm_page_block_begin(stream, name);
    pkm_page_block_json(stream, json, length);
    pkm_page_block_end(stream);
}

// ---- text as a string of JSON -----------------------------------------------------------------

/// Is `c` a character that a JSON string must escape?
static bool is_special(char c)
{
    return c == '"' || c == '\\' || c == '<' || (unsigned char)c < 0x20;
}

static void put_special(pkm_stream* stream, char c)
{
    if (c == '\n')
        pkm_stream_text(stream, "\\n");
    else
        pkm_stream_format(stream, "\\u%04x", (unsigned)(unsigned char)c);
}

void pkm_page_put_text(pkm_stream* stream, const char* name, const char* text, size_t length)
{
    const char* end = text + length;
    pkm_page_block_begin(stream, name);
    pkm_stream_text(stream, "\"");
    while (text < end) {
        const char* s = text;
        while (s < end && !is_special(*s))
            ++s;
        pkm_page_block_json(stream, text, (size_t)(s - text));
        if (s < end) put_special(stream, *s++);
        text = s;
    }
    pkm_stream_text(stream, "\"");
    pkm_page_block_end(stream);
}
