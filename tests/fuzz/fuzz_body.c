// Imported bodies as text.
#include "fuzz.h"

#include "flexible/imported.h"

int fuzz_one(const uint8_t* data, size_t size)
{
    static pkm_description* desc;
    if (!desc)
        FUZZ_CHECK(pkm_description_read(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &desc, NULL) ==
                   PKM_OK);
    int body = 0;
    while (strcmp(desc->body[body].name, "A.left") != 0)
        ++body;
    pkm_arena* arena = pkm_arena_create();
    pkm_flexible_imported* out = NULL;
    pkm_error err = {0};
    const char* path = fuzz_file(data, size, "");
    const pkm_status status = pkm_flexible_imported_read(path, desc, body, arena, &out, &err);
    FUZZ_CHECK(status == PKM_OK ? out != NULL : !out && err.text[0]);
    pkm_arena_free(arena);
    return 0;
}
