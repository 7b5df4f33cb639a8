#include "base/error.h"
#include "model/reader_impl.h"
#include "model/source.h"
#include "table/text_table.h"

enum { MAX_MB = 64 };

/// The columns of a table, one behind the other.
static pkm_status copy_columns(const pkm_table* table, pkm_arena* arena, double** out, int* n_row,
                               int* n_column, pkm_error* err)
{
    *n_row = pkm_table_n_row(table);
    *n_column = pkm_table_n_column(table);
    *out = pkm_arena_alloc(arena, (size_t)*n_row * (size_t)*n_column, sizeof **out);
    if (!*out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int j = 0; j < *n_column; ++j)
        for (int i = 0; i < *n_row; ++i)
            (*out)[(size_t)j * (size_t)*n_row + (size_t)i] = pkm_table_get(table, i, j);
    return PKM_OK;
}

pkm_status pkm_samples_read(const char* path, pkm_arena* arena, double** out, int* n_row,
                            int* n_column, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    *out = NULL;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &text, &length, err));
    pkm_table* table = pkm_table_create();
    pkm_status status = table ? pkm_source_check_text(text, length, path, err)
                              : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_table_parse(text, path, table, err);
    if (status == PKM_OK) status = copy_columns(table, arena, out, n_row, n_column, err);
    pkm_table_free(table);
    pkm_free(text);
    return status;
}
