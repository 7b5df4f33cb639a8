#include "base/error.h"
#include "check.h"
#include "model/source.h"
#include "model/yaml.h"

static pkm_arena* arena;
static pkm_error err;

static const pkm_yaml* parse(const char* text)
{
    const pkm_yaml* root = NULL;
    memset(&err, 0, sizeof err);
    (void)!pkm_yaml_parse(text, strlen(text), "f.yaml", arena, &root, &err);
    return root;
}

static void check_place(pkm_place place, int line, int column)
{
    CHECK_NEAR(place.line, line, 0.0);
    CHECK_NEAR(place.column, column, 0.0);
}

static void nodes_know_their_text_and_place(void)
{
    const pkm_yaml* root = parse("a: 1\nb: {c: [1, 2 mm, \"x y\"], d: }\ne:\n  - =l1/2\n");
    CHECK(root && root->kind == PKM_YAML_MAP && root->n_child == 3);
    const pkm_yaml *b = pkm_yaml_get(root, "b"), *c = pkm_yaml_get(b, "c");
    check_place(b->key_place, 2, 1);
    check_place(b->place, 2, 4);
    check_place(c->place, 2, 8);
    CHECK(c->kind == PKM_YAML_LIST && c->n_child == 3);
    CHECK_TEXT(c->first->next->text, "2 mm");
    check_place(c->first->next->place, 2, 12);
    CHECK_TEXT(c->first->next->next->text, "x y");
    check_place(pkm_yaml_text_place(c->first->next->next, 2), 2, 21);
    CHECK_TEXT(pkm_yaml_get(b, "d")->text, "");
    CHECK_TEXT(pkm_yaml_get(root, "e")->first->text, "=l1/2");
    check_place(pkm_yaml_text_place(pkm_yaml_get(root, "e")->first, 4), 4, 9);
    CHECK(!pkm_yaml_get(root, "f") && !pkm_yaml_get(NULL, "f"));
}

static void texts_over_several_lines_have_their_start(void)
{
    const pkm_yaml* root = parse("a: >\n  one\n  two\nb: plain\n  more\n");
    CHECK_TEXT(pkm_yaml_get(root, "a")->text, "one two\n");
    CHECK_TEXT(pkm_yaml_get(root, "b")->text, "plain more");
    check_place(pkm_yaml_text_place(pkm_yaml_get(root, "b"), 8), 4, 4);
}

// YAML 1.2.2, 7.3.2: a pair of quotes is one, the end of a line a space, empty lines ends of lines.
static void texts_in_single_quotes_are_what_they_say(void)
{
    static const char* const text[][2] = {
        {"'it''s'", "it's"},
        {"'''''a'", "''a"},
        {"''''''''''", "''''"},
        {"''", ""},
        {"'a''''b \\n \"c\" # d'", "a''b \\n \"c\" # d"},
        {"'one \t\n \t two\r\n\r\n  three\n\n\n  '", "one two\nthree\n\n"},
        {"'  a\n b  '", "  a b  "},
    };
    char file[200];
    for (size_t i = 0; i < sizeof text / sizeof *text; ++i) {
        snprintf(file, sizeof file, "\xc3\xa4: %s\nb: {'c''''d': 'x''y'}\n", text[i][0]);
        const pkm_yaml* root = parse(file);
        CHECK(root && root->n_child == 2);
        if (!root) continue;
        CHECK_TEXT(root->first->text, text[i][1]);
        const pkm_yaml* inner = pkm_yaml_get(pkm_yaml_get(root, "b"), "c''d");
        CHECK(inner);
        if (inner) CHECK_TEXT(inner->text, "x'y");
    }
    // longer than what comes before: libfyaml had bytes there that nobody has written
    const pkm_yaml* root = parse("a: '''''''0123456789012345678901234567890123456789'\n");
    CHECK(root);
    if (root) CHECK_TEXT(root->first->text, "'''0123456789012345678901234567890123456789");
}

// YAML 1.2.2, 5.7 and 7.3.1; pairs of surrogates as JSON writes them.
static void texts_in_double_quotes_are_what_they_say(void)
{
    static const char* const text[][2] = {
        {"\"a \\\"b\\\" \\\\ \\/ 'c'\"", "a \"b\" \\ / 'c'"},
        {"\"1\\t2\\n\\\t3\\ \\x41\\u00e9\\U0001F600\\_\\L\"",
         "1\t2\n\t3 A\xc3\xa9\xf0\x9f\x98\x80\xc2\xa0\xe2\x80\xa8"},
        {"\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!"},
        {"\"one \n  two\\t \n\n three\"", "one two\t\nthree"},
        {"\"one \\\n   two\\\n  \n \\  three\"", "one two\n  three"},
        {"\"\\\\\\\n  one\"", "\\one"},
        {"\"\"", ""},
    };
    char file[200];
    for (size_t i = 0; i < sizeof text / sizeof *text; ++i) {
        snprintf(file, sizeof file, "a: %s\n", text[i][0]);
        const pkm_yaml* root = parse(file);
        CHECK(root);
        if (root) CHECK_TEXT(root->first->text, text[i][1]);
    }
    static const char* const wrong[] = {"\"\\q\"",         "\"\\ud83d\"", "\"\\ud83d\\u0041\"",
                                        "\"\\U00110000\"", "\"\\x4\"",    "\"\\\""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        snprintf(file, sizeof file, "a: %s\n", wrong[i]);
        CHECK(!parse(file));
        CHECK_CONTAINS(err.text, "not well-formed YAML");
    }
    CHECK(!parse("a: \"\\0\"\n"));
    CHECK_CONTAINS(err.text, "zero byte");
}

// The umlaut is two bytes and one column.
static void columns_count_characters(void)
{
    const pkm_yaml* root = parse("a: \"\xc3\xa4 x\"\n");
    check_place(pkm_yaml_text_place(pkm_yaml_get(root, "a"), 3), 1, 7);
}

static void check_refused(const char* text, int line, int column, const char* part)
{
    CHECK(parse(text) == NULL);
    CHECK(err.status == PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.text, part);
    CHECK_NEAR(err.line, line, 0.0);
    CHECK_NEAR(err.column, column, 0.0);
    CHECK_TEXT(err.file, "f.yaml");
}

static void what_a_model_does_not_need_is_refused(void)
{
    check_refused("a: &x 1\nb: 2\n", 1, 7, "anchors");
    check_refused("a: *x\n", 1, 5, "aliases");
    check_refused("a: !!str 1\n", 1, 10, "tags");
    check_refused("a: 1\n---\nb: 1\n", 2, 1, "second document");
    check_refused("? [a]\n: 2\n", 1, 3, "cannot be a key");
    check_refused("a: 1\nb: 2\na: 3\n", 3, 1, "the key 'a' is given twice");
    check_refused("x: {a: 1, b: 2, a: 3}\n", 1, 17, "the key 'a' is given twice");
    check_refused("a: \"\\0\"\n", 1, 4, "zero byte");
}

static void broken_yaml_is_refused_with_its_place(void)
{
    check_refused("a: [1, 2\n", 2, 1, "flow sequence without a closing bracket");
    check_refused("a: \"xx\n", 1, 5, "without closing quote");
    check_refused("a: b: c\n", 1, 5, "nested block mapping");
    check_refused("a: @b\n", 1, 4, "cannot start with '@'");
    check_refused("# only a comment\n", 1, 1, "empty");
    check_refused("", 1, 1, "empty");
}

// Ten levels of ten aliases each would be 10^10 items.
static void an_alias_bomb_is_refused_at_its_first_anchor(void)
{
    check_refused("a: &a [x, x, x, x, x, x, x, x, x, x]\n"
                  "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                  "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n",
                  1, 7, "anchors");
}

static void deep_nesting_is_refused(void)
{
    static char text[200001];
    memset(text, '[', 200000);
    check_refused(text, 1, 33, "nested too deeply");
    for (int i = 0; i < 200000; i += 2)
        memcpy(text + i, "- ", 2);
    check_refused(text, 1, 65, "nested too deeply");
    for (int i = 0; i < 199998; i += 3)
        memcpy(text + i, "{a:", 3);
    CHECK(parse(text) == NULL);
}

static void check_bytes(const char* bytes, size_t n, int line, int column, const char* part)
{
    CHECK(pkm_source_check_text(bytes, n, "f.yaml", &err) == PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.text, part);
    CHECK_NEAR(err.line, line, 0.0);
    CHECK_NEAR(err.column, column, 0.0);
}

static void bytes_that_are_no_text_are_refused(void)
{
    check_bytes("a: 1\nb: \0", 9, 2, 4, "control byte 0x00");
    check_bytes("\x7f"
                "ELF",
                4, 1, 1, "control byte 0x7f");
    check_bytes("a\n\xff\xfe", 4, 2, 1, "byte 0xff is not UTF-8");
    check_bytes("\xc3\xa4\xc0\xaf", 4, 1, 2, "byte 0xc0 is not UTF-8"); // overlong
    check_bytes("\xed\xa0\x80", 3, 1, 1, "not UTF-8");                  // surrogate
    check_bytes("\xe2\x82", 2, 1, 1, "not UTF-8");                      // cut short
    check_bytes("\xf4\x90\x80\x80", 4, 1, 1, "not UTF-8");              // beyond U+10FFFF
    check_bytes("a: \xc2\x9b", 5, 1, 4, "control character U+009B");
    check_bytes("a: \xe2\x80\xae", 6, 1, 4, "control character U+202E"); // turns the direction
    CHECK(pkm_source_check_text("\xe2\x82\xac \xf0\x9f\x98\x80\t\r\n", 11, "f", &err) == PKM_OK);
}

static void messages_become_one_line_of_text(void)
{
    char text[] = "a\nb\xc3 \xc3\xa4\x01";
    pkm_source_clean(text);
    CHECK_TEXT(text, "a?b? \xc3\xa4?");
}

static void paths_are_relative_to_the_file(void)
{
    static const char* const cases[][3] = {{"robots/a.yaml", "m.stl", "robots/m.stl"},
                                           {"a.yaml", "m.stl", "m.stl"},
                                           {"robots/a.yaml", "/x/m.stl", "/x/m.stl"}};
    for (int i = 0; i < 3; ++i) {
        char* path = pkm_source_path(cases[i][0], cases[i][1]);
        CHECK_TEXT(path, cases[i][2]);
        pkm_free(path);
    }
}

int main(void)
{
    arena = pkm_arena_create();
    RUN(nodes_know_their_text_and_place);
    RUN(texts_over_several_lines_have_their_start);
    RUN(texts_in_single_quotes_are_what_they_say);
    RUN(texts_in_double_quotes_are_what_they_say);
    RUN(columns_count_characters);
    RUN(what_a_model_does_not_need_is_refused);
    RUN(broken_yaml_is_refused_with_its_place);
    RUN(an_alias_bomb_is_refused_at_its_first_anchor);
    RUN(deep_nesting_is_refused);
    RUN(bytes_that_are_no_text_are_refused);
    RUN(messages_become_one_line_of_text);
    RUN(paths_are_relative_to_the_file);
    pkm_arena_free(arena);
    return check_report();
}
