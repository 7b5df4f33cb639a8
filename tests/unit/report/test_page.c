#include "report/page.h"

#include "check.h"

static const unsigned char piece[3][4] = {"<a>", "<b>", "<c>"};
static const pkm_page_frame frame = {piece[0], piece[1], piece[2], {3, 3, 3}};

/// What `put` writes of `text`, as block "x".
static const char* block_of(void (*put)(pkm_stream*, const char*, const char*, size_t),
                            const char* text, size_t length)
{
    static char out[512];
    pkm_stream* stream = pkm_stream_to_memory();
    put(stream, "x", text, length);
    snprintf(out, sizeof out, "%s", pkm_stream_get(stream));
    pkm_stream_discard(stream);
    return out;
}

#define OPEN  "<script type=\"application/json\" id=\"data-x\">"
#define CLOSE "</script>\n"

static const char* json_block(const char* text)
{
    return block_of(pkm_page_put_json, text, strlen(text));
}

static const char* text_block(const char* text)
{
    return block_of(pkm_page_put_text, text, strlen(text));
}

static void title_and_data_stand_between_the_pieces(void)
{
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_page_begin(stream, &frame, "A & B </title>");
    pkm_page_put_json(stream, "n", "[1]", 3);
    pkm_page_end(stream, &frame);
    CHECK_TEXT(pkm_stream_get(stream),
               "<a>A &amp; B &lt;/title&gt;<b>"
               "<script type=\"application/json\" id=\"data-n\">[1]</script>\n"
               "<c>");
    pkm_stream_discard(stream);
}

static void no_json_ends_its_block(void)
{
    CHECK_TEXT(json_block("{\"a\": \"</script><script>\"}"),
               OPEN "{\"a\": \"\\u003c/script>\\u003cscript>\"}" CLOSE);
    CHECK_TEXT(json_block("[\"<!--\"]"), OPEN "[\"\\u003c!--\"]" CLOSE);
    CHECK_TEXT(json_block("[1.5, true]"), OPEN "[1.5, true]" CLOSE);
}

static void no_text_ends_its_block_or_its_string(void)
{
    CHECK_TEXT(text_block("t [s],\"</SCRIPT>\"\n0,1\r\n"),
               OPEN "\"t [s],\\u0022\\u003c/SCRIPT>\\u0022\\n0,1\\u000d\\n\"" CLOSE);
    CHECK_TEXT(text_block("a\\b"), OPEN "\"a\\u005cb\"" CLOSE);
    CHECK_TEXT(text_block(""), OPEN "\"\"" CLOSE);
}

static void bytes_that_are_no_text_are_replaced(void)
{
    CHECK_TEXT(text_block("5 \xc2\xb5m \xff"), OPEN "\"5 \xc2\xb5m \\ufffd\"" CLOSE);
    CHECK_TEXT(text_block("\xe2\x82"), OPEN "\"\\ufffd\\ufffd\"" CLOSE);
    CHECK_TEXT(block_of(pkm_page_put_text, "a\0b", 3), OPEN "\"a\\u0000b\"" CLOSE);
    CHECK_TEXT(block_of(pkm_page_put_json, "\"\xc2", 2), OPEN "\"\\ufffd" CLOSE);
}

int main(void)
{
    RUN(title_and_data_stand_between_the_pieces);
    RUN(no_json_ends_its_block);
    RUN(no_text_ends_its_block_or_its_string);
    RUN(bytes_that_are_no_text_are_replaced);
    return check_report();
}
