#include "write/json_check.h"

#include "check.h"

#include <stdbool.h>

static pkm_error fault;

static bool is_json(const char* text)
{
    fault = (pkm_error){0};
    return pkm_json_check(text, strlen(text), "x.json", &fault) == PKM_OK;
}

static void json_is_accepted(void)
{
    static const char* const good[] = {
        "null",    " true ",
        "false",   "0",
        "-0.5e-7", "12E+3",
        "\"\"",    "\"\\u00b5 \\n\"",
        "[]",      "[ ]",
        "{}",      "[1, [2, {\"a\": []}]]\n",
        "[\"<\"]", "{\"a\": {\"b\": [1, 2]}, \"c\": null}",
    };
    for (size_t k = 0; k < sizeof good / sizeof good[0]; ++k) {
        CHECK(is_json(good[k]));
        if (!is_json(good[k])) printf("      %s: %s\n", good[k], fault.text);
    }
}

static void everything_else_is_refused(void)
{
    static const char* const bad[] = {
        "",          "nul",     "tru e",   "01",        "1.",          "-",     ".5",
        "1e",        "\"",      "\"\\x\"", "\"\n\"",    "\"\\u12g4\"", "[1,]",  "[1 2]",
        "[",         "{\"a\"}", "{a: 1}",  "{\"a\" 1}", "{\"a\": 1,}", "[] []", "\"a\\",
        "{\"a\": ]", "\xff",    "NaN",
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k)
        if (is_json(bad[k])) {
            printf("      '%s' was accepted\n", bad[k]);
            CHECK(false);
        }
}

static void the_place_is_told(void)
{
    CHECK(!is_json("{\n  \"a\": 1,\n  \"b\" 2\n}"));
    CHECK(fault.line == 3 && fault.column == 7);
    CHECK_TEXT(fault.text, "this is no JSON, expected a colon here");
    CHECK(fault.status == PKM_ERR_SYNTAX);
}

static void nesting_has_an_end(void)
{
    static char deep[4001];
    memset(deep, '[', sizeof deep - 1);
    CHECK(!is_json(deep));
    CHECK_CONTAINS(fault.text, "fewer levels");
}

/// No byte beyond the length is read: cut anywhere, a text is refused (or is JSON itself).
static void a_text_cut_short_is_refused(void)
{
    const char* text = "{\"a\": [1, -2.5e3, \"x\\u00e4\", true, null]}";
    for (size_t n = 0; n < strlen(text); ++n)
        CHECK(pkm_json_check(text, n, "x.json", &fault) == PKM_ERR_SYNTAX);
}

int main(void)
{
    RUN(json_is_accepted);
    RUN(everything_else_is_refused);
    RUN(the_place_is_told);
    RUN(nesting_has_an_end);
    RUN(a_text_cut_short_is_refused);
    return check_report();
}
