// Tables as text, for `pkm analyse`, and samples of motions and loads.
#include "fuzz.h"

#include "model/reader.h"
#include "write/table_reader.h"

#include <math.h>

int fuzz_one(const uint8_t* data, size_t size)
{
    const char* path = fuzz_file(data, size, "");
    pkm_table* table = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_table_read(path, &table, &err);
    FUZZ_CHECK(status == PKM_OK ? pkm_table_n_row(table) > 0 : !table && err.text[0]);
    pkm_table_free(table);
    pkm_arena* arena = pkm_arena_create();
    double* value = NULL;
    int n_row, n_column;
    err.text[0] = '\0';
    if (pkm_samples_read(path, (const char* const[]){"m", "rad"}, arena, &value, &n_row, &n_column,
                         &err) != PKM_OK)
        FUZZ_CHECK(err.text[0]);
    else
        FUZZ_CHECK(n_row > 0 && n_column > 0 && isfinite(value[0]));
    pkm_arena_free(arena);
    return 0;
}
