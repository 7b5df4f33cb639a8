/// Trees as text. Truth: the tree that the YAML reader gave.
#include "check.h"
#include "model/source.h"
#include "model/tree.h"

#include <stdlib.h>

static bool same_text(const char* a, const char* b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const pkm_yaml* a, const pkm_yaml* b)
{
    if (a->kind != b->kind || a->n_child != b->n_child || a->index != b->index) return false;
    if (!same_text(a->key, b->key) || !same_text(a->text, b->text)) return false;
    if (memcmp(&a->place, &b->place, sizeof a->place) != 0 || a->text_column != b->text_column ||
        memcmp(&a->key_place, &b->key_place, sizeof a->key_place) != 0)
        return false;
    const pkm_yaml *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next)
        if (!same(x, y) || x->parent != a || y->parent != b) return false;
    return !x && !y;
}

static void check_file(const char* path)
{
    pkm_arena* arena = pkm_arena_create();
    const pkm_yaml *root = NULL, *back = NULL;
    char* text = NULL;
    size_t length = 0;
    CHECK(pkm_source_peek(path, 1 << 20, &text, &length, NULL) == PKM_OK);
    CHECK(pkm_yaml_parse(text, length, path, arena, &root, NULL) == PKM_OK);
    char* tree = root ? pkm_tree_write(root) : NULL;
    CHECK(tree && pkm_source_check_text(tree, strlen(tree), path, NULL) == PKM_OK);
    if (tree) CHECK(pkm_tree_read(tree, strlen(tree), path, arena, &back, NULL) == PKM_OK);
    CHECK(back && same(root, back));
    pkm_free(tree);
    pkm_free(text);
    pkm_arena_free(arena);
}

static void trees_of_models_and_runs_come_back(void)
{
    check_file(PKM_SOURCE_DIR "/robots/siax.yaml");
    check_file(PKM_SOURCE_DIR "/robots/gough-stewart.yaml");
    check_file(PKM_SOURCE_DIR "/runs/siax-clearance.yaml");
}

static const char DOCUMENT[] = "a: 1\nb: {c: [1, 2 mm, \"x\\ny\"], d: }\n\"e f\":\n  - =l1/2\n";

/// Every beginning of a tree, and every tree with one byte changed, is refused or read; nothing is
/// read beyond its end (the sanitizers watch).
static void damaged_trees_do_no_harm(void)
{
    pkm_arena* arena = pkm_arena_create();
    const pkm_yaml* root = NULL;
    CHECK(pkm_yaml_parse(DOCUMENT, strlen(DOCUMENT), "f", arena, &root, NULL) == PKM_OK);
    char* tree = pkm_tree_write(root);
    const size_t length = strlen(tree);
    for (size_t n = 0; n < length; ++n) {
        char* part = calloc(n + 1, 1);
        memcpy(part, tree, n);
        CHECK(pkm_tree_read(part, n, "f", arena, &root, NULL) == PKM_ERR_SYNTAX && !root);
        free(part);
    }
    int n_read = 0;
    for (size_t i = 0; i < length; ++i)
        for (const char* c = "9 -tm\n"; *c; ++c) {
            char* changed = calloc(length + 1, 1);
            memcpy(changed, tree, length);
            changed[i] = *c;
            n_read += pkm_tree_read(changed, length, "f", arena, &root, NULL) == PKM_OK;
            free(changed);
        }
    CHECK(n_read > 0);
    pkm_free(tree);
    pkm_arena_free(arena);
}

static void one_text_is_a_tree(void)
{
    pkm_arena* arena = pkm_arena_create();
    const pkm_yaml* root = NULL;
    char* tree = pkm_tree_write_text("2 s");
    CHECK(pkm_tree_read(tree, strlen(tree), "f", arena, &root, NULL) == PKM_OK);
    CHECK(root && root->kind == PKM_YAML_TEXT);
    CHECK_TEXT(root ? root->text : NULL, "2 s");
    pkm_free(tree);
    pkm_arena_free(arena);
}

int main(void)
{
    RUN(trees_of_models_and_runs_come_back);
    RUN(damaged_trees_do_no_harm);
    RUN(one_text_is_a_tree);
    return check_report();
}
