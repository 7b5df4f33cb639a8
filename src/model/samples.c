// Samples of a file as columns in SI: the first one is time.
#include "base/error.h"
#include "model/reader_impl.h"
#include "model/source.h"
#include "model/text_table.h"
#include "model/units.h"

enum { MAX_MB = 64 };

/// What takes column `j` to SI: its first line may say a unit, of the time or one of `units`.
static pkm_status find_factor(const pkm_table* table, int j, const char* const units[2],
                              double* out, pkm_error* err)
{
    const char* unit = pkm_table_unit(table, j);
    PKM_TRY(pkm_table_require_unit(table, j, NULL, err));
    *out = *unit ? pkm_unit_ratio(unit, j == 0 ? "s" : units[0]) : 1.0;
    if (*out == 0.0 && j > 0) *out = pkm_unit_ratio(unit, units[1]);
    if (*out != 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_SYNTAX,
                    "column %d (%.60s) is in [%.40s], expected a unit like %s%s%s", j + 1,
                    pkm_table_name(table, j), unit, j == 0 ? "s" : units[0], j == 0 ? "" : " or ",
                    j == 0 ? "" : units[1]);
}

/// The columns of a table in SI, one behind the other.
static pkm_status copy_columns(const pkm_table* table, const char* const units[2], pkm_arena* arena,
                               double** out, int* n_row, int* n_column, pkm_error* err)
{
    *n_row = pkm_table_n_row(table);
    *n_column = pkm_table_n_column(table);
    *out = pkm_arena_alloc(arena, (size_t)*n_row * (size_t)*n_column, sizeof **out);
    if (!*out) return pkm_out_of_memory(err);
    for (int j = 0; j < *n_column; ++j) {
        double factor;
        PKM_TRY(find_factor(table, j, units, &factor, err));
        for (int i = 0; i < *n_row; ++i)
            (*out)[(size_t)j * (size_t)*n_row + (size_t)i] = factor * pkm_table_get(table, i, j);
    }
    return PKM_OK;
}

pkm_status pkm_samples_read(const char* path, const char* const units[2], pkm_arena* arena,
                            double** out, int* n_row, int* n_column, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    *out = NULL;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &text, &length, err));
    pkm_table* table = pkm_table_create();
    pkm_status status =
        table ? pkm_source_check_text(text, length, path, err) : pkm_out_of_memory(err);
    if (status == PKM_OK) status = pkm_table_parse(text, path, table, err);
    if (status == PKM_OK) status = copy_columns(table, units, arena, out, n_row, n_column, err);
    pkm_table_free(table);
    pkm_free(text);
    return status;
}
