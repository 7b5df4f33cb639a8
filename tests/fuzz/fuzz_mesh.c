// STL and glTF files.
#include "fuzz.h"

#include "model/mesh.h"

int fuzz_one(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err = {0};
    if (pkm_mesh_parse(text, size, "fuzz.stl", arena, &mesh, &err) != PKM_OK)
        FUZZ_CHECK(err.text[0]);
    else if (pkm_mesh_check(&mesh, "fuzz.stl", &err) != PKM_OK)
        FUZZ_CHECK(err.text[0]);
    pkm_arena_free(arena);
    free(text);
    return 0;
}
