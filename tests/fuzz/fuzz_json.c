// JSON that reports embed, and the list of files in a manifest, which is read as YAML.
#include "fuzz.h"

#include "model/json_tree.h"
#include "model/yaml.h"

int fuzz_one(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    pkm_error err = {0};
    const bool is_json = pkm_json_check(text, size, "fuzz.json", &err) == PKM_OK;
    FUZZ_CHECK(is_json || err.text[0]);
    pkm_arena* arena = pkm_arena_create();
    const pkm_json_tree* tree = NULL;
    if (pkm_json_tree_parse(text, size, "fuzz.json", arena, &tree, &err) == PKM_OK)
        FUZZ_CHECK(is_json && tree);
    const pkm_yaml* root = NULL;
    if (pkm_yaml_parse(text, size, "fuzz.json", arena, &root, &err) == PKM_OK)
        (void)pkm_yaml_get(root, "files");
    pkm_arena_free(arena);
    free(text);
    return 0;
}
