// CSV and HDF5 back into tables, with the units of their headings; peaks between rows are not in
// files, so that reductions of a table that was read are those of its rows.
#include "write/table_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/h5.h"
#include "model/source.h"
#include "model/text_table.h"

#include <math.h>

enum { MAX_MB = 1024, MAX_COLUMN = 4096 };

// ---- text -------------------------------------------------------------------------------------

static pkm_status read_text(const char* path, pkm_table* table, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &bytes, &length, err));
    pkm_status status = pkm_source_check_text(bytes, length, path, err);
    if (status == PKM_OK) status = pkm_table_parse(bytes, path, table, err);
    pkm_free(bytes);
    return status;
}

// ---- HDF5 -------------------------------------------------------------------------------------

static pkm_status add_columns(const pkm_h5_content* c, pkm_table* table, const char* path,
                              pkm_error* err)
{
    if (c->n_dataset < c->n_text)
        return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0,
                           "%d columns are listed, %d datasets are there", c->n_text, c->n_dataset);
    for (int i = 0; i < c->n_dataset; ++i) {
        if (c->dataset[i].size[0] != c->dataset[0].size[0])
            return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0,
                               "column '%.60s' has another number of rows", c->dataset[i].name);
        if (pkm_table_add_column(table, c->dataset[i].name, c->dataset[i].note) == PKM_NONE)
            return pkm_out_of_memory(err);
    }
    return PKM_OK;
}

static pkm_status fill_rows(const pkm_h5_content* c, pkm_table* table, const char* path,
                            pkm_error* err)
{
    const size_t n_row = c->n_dataset > 0 ? c->dataset[0].size[0] : 0;
    for (size_t r = 0; r < n_row; ++r) {
        double* row = pkm_table_append(table);
        if (!row) return pkm_out_of_memory(err);
        for (int i = 0; i < c->n_dataset; ++i) {
            row[i] = c->dataset[i].value[r];
            if (!isfinite(row[i]))
                return pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0,
                                   "column '%.60s', row %zu: %g, expected a finite number",
                                   c->dataset[i].name, r + 1, row[i]);
        }
    }
    return PKM_OK;
}

/// The attribute `columns` of the group gives names and order.
static pkm_status read_hdf5(const char* path, pkm_table* table, pkm_error* err)
{
    const pkm_h5_wish wish = {.group = "/table",
                              .list = "columns",
                              .rank = 1,
                              .max_text = MAX_COLUMN,
                              .max_value = (size_t)MAX_MB << 17,
                              .note = "unit",
                              .max_file = (size_t)MAX_MB << 20};
    pkm_h5_content content;
    pkm_arena* arena = pkm_arena_create();
    pkm_status status =
        arena ? pkm_h5_read(path, &wish, arena, &content, err) : pkm_out_of_memory(err);
    if (status == PKM_OK) status = add_columns(&content, table, path, err);
    if (status == PKM_OK) status = fill_rows(&content, table, path, err);
    pkm_arena_free(arena);
    return status;
}

// ---- both -------------------------------------------------------------------------------------

pkm_status pkm_table_read(const char* path, pkm_table** out, pkm_error* err)
{
    *out = NULL;
    pkm_table* table = pkm_table_create();
    if (!table) return pkm_out_of_memory(err);
    pkm_status status =
        pkm_h5_is_name(path) ? read_hdf5(path, table, err) : read_text(path, table, err);
    if (status == PKM_OK && pkm_table_n_row(table) == 0)
        status = pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0, "it has no rows of numbers");
    if (status == PKM_OK)
        *out = table;
    else
        pkm_table_free(table);
    return status;
}
