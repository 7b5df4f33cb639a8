// HDF5: tables and imported bodies. libhdf5 works in a child process, so what it does there is not
// seen as coverage; the program must go on whatever happens to it.
#include "fuzz.h"

#include "flexible/imported_file.h"
#include "write/table_reader.h"

int fuzz_one(const uint8_t* data, size_t size)
{
    const char* path = fuzz_file(data, size, ".h5");
    pkm_table* table = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_table_read(path, &table, &err);
    FUZZ_CHECK(status == PKM_OK ? pkm_table_n_row(table) > 0 : !table && err.text[0]);
    pkm_table_free(table);
    pkm_arena* arena = pkm_arena_create();
    pkm_imported_file file = {.path = path, .arena = arena};
    err.text[0] = '\0';
    if (pkm_imported_file_read(&file, &err) != PKM_OK) FUZZ_CHECK(err.text[0]);
    pkm_arena_free(arena);
    remove(path);
    return 0;
}
