#include "write/json.h"

#include "check.h"

/// The JSON text of one string.
static const char* quoted(const char* text)
{
    static char out[256];
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_json json = pkm_json_make(stream);
    pkm_json_string(&json, text);
    snprintf(out, sizeof out, "%s", pkm_stream_get(stream));
    pkm_stream_discard(stream);
    return out;
}

static void nested_values_get_commas_and_indentation(void)
{
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_json json = pkm_json_make(stream);
    const double value[] = {1.0, 0.1, NAN};
    pkm_json_object_begin(&json);
    pkm_json_put_string(&json, "name", "delta");
    pkm_json_put_integer(&json, "count", -3);
    pkm_json_put_bool(&json, "fine", true);
    pkm_json_key(&json, "values");
    pkm_json_numbers(&json, value, 3);
    pkm_json_key(&json, "list");
    pkm_json_array_begin(&json);
    pkm_json_number(&json, 0.5);
    pkm_json_object_begin(&json);
    pkm_json_object_end(&json);
    pkm_json_null(&json);
    pkm_json_array_end(&json);
    pkm_json_key(&json, "none");
    pkm_json_array_begin(&json);
    pkm_json_array_end(&json);
    pkm_json_object_end(&json);
    CHECK_TEXT(pkm_stream_get(stream), "{\n"
                                       "  \"name\": \"delta\",\n"
                                       "  \"count\": -3,\n"
                                       "  \"fine\": true,\n"
                                       "  \"values\": [1, 0.1, null],\n"
                                       "  \"list\": [\n"
                                       "    0.5,\n"
                                       "    {},\n"
                                       "    null\n"
                                       "  ],\n"
                                       "  \"none\": []\n"
                                       "}\n");
    pkm_stream_discard(stream);
}

static void strings_are_escaped(void)
{
    CHECK_TEXT(quoted("plain"), "\"plain\"\n");
    CHECK_TEXT(quoted("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"\n");
    CHECK_TEXT(quoted("\n\r\t\b\f"), "\"\\n\\r\\t\\b\\f\"\n");
    CHECK_TEXT(quoted("\x01\x1f\x7f"), "\"\\u0001\\u001f\\u007f\"\n");
    CHECK_TEXT(quoted(NULL), "null\n");
}

static void utf8_passes_and_other_bytes_are_replaced(void)
{
    CHECK_TEXT(quoted("\xC2\xB5m \xE2\x88\x92 \xF0\x9F\x98\x80"),
               "\"\xC2\xB5m \xE2\x88\x92 \xF0\x9F\x98\x80\"\n");
    CHECK_TEXT(quoted("a\xFF"), "\"a\\ufffd\"\n");
    CHECK_TEXT(quoted("\xC3"), "\"\\ufffd\"\n");                       // cut short
    CHECK_TEXT(quoted("\xC0\x80"), "\"\\ufffd\\ufffd\"\n");            // overlong
    CHECK_TEXT(quoted("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"\n"); // surrogate
    CHECK_TEXT(quoted("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
}

static void nan_and_infinity_become_null(void)
{
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_json json = pkm_json_make(stream);
    pkm_json_array_begin(&json);
    pkm_json_number(&json, NAN);
    pkm_json_number(&json, INFINITY);
    pkm_json_number(&json, 1e300);
    pkm_json_array_end(&json);
    CHECK_TEXT(pkm_stream_get(stream), "[\n  null,\n  null,\n  1e300\n]\n");
    pkm_stream_discard(stream);
}

int main(void)
{
    RUN(nested_values_get_commas_and_indentation);
    RUN(strings_are_escaped);
    RUN(utf8_passes_and_other_bytes_are_replaced);
    RUN(nan_and_infinity_become_null);
    return check_report();
}
