#include "model/json_tree.h"

#include "check.h"

#include <stdbool.h>

static pkm_error fault;

/// As a check says, and as a tree that is made says.
static bool is_json(const char* text)
{
    pkm_error other = {0};
    const pkm_json_tree* tree = NULL;
    pkm_arena* arena = pkm_arena_create();
    fault = (pkm_error){0};
    const bool is = pkm_json_check(text, strlen(text), "x.json", &fault) == PKM_OK;
    CHECK((pkm_json_tree_parse(text, strlen(text), "x.json", arena, &tree, &other) == PKM_OK) ==
          is);
    CHECK((tree != NULL) == is);
    CHECK_TEXT(other.text, fault.text);
    pkm_arena_free(arena);
    return is;
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

static void a_tree_has_what_the_text_says(void)
{
    static const char text[] = "{\"a\": [1, -2.5e3, true, {\"b\": \"x\\n\"}], \"n\": 7, \"e\": []}";
    const pkm_json_tree* root = NULL;
    pkm_arena* arena = pkm_arena_create();
    CHECK(pkm_json_tree_parse(text, sizeof text - 1, "x.json", arena, &root, NULL) == PKM_OK);
    const pkm_json_tree* a = pkm_json_tree_get(root, "a");
    size_t n = 0;
    CHECK(root->kind == PKM_JSON_MAP && root->n_child == 3 && a->n_child == 4);
    CHECK(pkm_json_tree_item(a, 1)->number == -2500.0 && !pkm_json_tree_item(a, 4));
    CHECK(pkm_json_tree_item(a, 2)->kind == PKM_JSON_OTHER);
    CHECK(pkm_json_tree_is(pkm_json_tree_get(pkm_json_tree_item(a, 3), "b"), "x\\n"));
    CHECK(pkm_json_tree_count(pkm_json_tree_get(root, "n"), 10, 0, &n) && n == 7);
    CHECK(!pkm_json_tree_count(pkm_json_tree_get(root, "n"), 6, 0, &n));
    CHECK(pkm_json_tree_get(root, "e")->n_child == 0 && !pkm_json_tree_get(root, "x"));
    pkm_arena_free(arena);
}

static void numbers_that_no_double_holds_are_for_checks_only(void)
{
    static const char* const text[] = {"1e999", "1.00000000000000000000000000000000000000001"};
    for (size_t k = 0; k < 2; ++k) {
        const pkm_json_tree* root = NULL;
        pkm_arena* arena = pkm_arena_create();
        CHECK(pkm_json_check(text[k], strlen(text[k]), "x.json", &fault) == PKM_OK);
        CHECK(pkm_json_tree_parse(text[k], strlen(text[k]), "x.json", arena, &root, &fault) ==
              PKM_ERR_SYNTAX);
        CHECK(!root && fault.column == 1);
        pkm_arena_free(arena);
    }
}

int main(void)
{
    RUN(a_tree_has_what_the_text_says);
    RUN(numbers_that_no_double_holds_are_for_checks_only);
    RUN(json_is_accepted);
    RUN(everything_else_is_refused);
    RUN(the_place_is_told);
    RUN(nesting_has_an_end);
    RUN(a_text_cut_short_is_refused);
    return check_report();
}
