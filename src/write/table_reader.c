#include "write/table_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/h5.h"
#include "model/source.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MB = 1024, MAX_FIELD = 512, MAX_COLUMN = 4096 };

// ---- text -------------------------------------------------------------------------------------

/// A text being read, line by line.
typedef struct csv {
    const char* at;
    const char* path;
    int line;
    pkm_error* err;
} csv;

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t';
}

static bool is_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/// The next field of the line, without quotes and the spaces around it; false at the line's end.
static bool next_field(const char** s, char out[MAX_FIELD], bool* is_last)
{
    size_t n = 0;
    while (**s == ' ')
        ++*s;
    const bool is_quoted = **s == '"';
    if (is_quoted) ++*s;
    while (**s && !(is_quoted ? **s == '"' && (*s)[1] != '"' : is_separator(**s) || is_end(**s))) {
        if (is_quoted && **s == '"') ++*s; // a doubled quote stands for one
        if (n + 1 < MAX_FIELD) out[n++] = **s;
        ++*s;
    }
    if (is_quoted && **s == '"') ++*s;
    while (**s == ' ')
        ++*s;
    while (n > 0 && out[n - 1] == ' ')
        --n;
    out[n] = '\0';
    *is_last = !is_separator(**s);
    if (!*is_last) ++*s;
    return true;
}

static void skip_line(csv* in)
{
    while (*in->at && *in->at != '\n')
        ++in->at;
    if (*in->at == '\n') ++in->at;
    ++in->line;
}

static bool is_blank(const char* s)
{
    while (*s == ' ' || *s == '\t')
        ++s;
    return is_end(*s) || *s == '#';
}

static bool is_number(const char* text, double* out)
{
    char* end;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

/// "q1.force [N]" is the column q1.force with the unit N.
static int add_named(pkm_table* table, char* field)
{
    const size_t length = strlen(field);
    char* bracket = strrchr(field, '[');
    const char* unit = "";
    if (bracket && bracket > field && field[length - 1] == ']') {
        field[length - 1] = '\0';
        unit = bracket + 1;
        while (bracket > field && bracket[-1] == ' ')
            --bracket;
        *bracket = '\0';
    }
    return pkm_table_add_column(table, field, unit);
}

/// Columns from the first line, which is a heading unless its first field is a number.
static pkm_status read_head(csv* in, pkm_table* table)
{
    const char* s = in->at;
    char field[MAX_FIELD], name[24];
    bool is_last = false, is_heading = true;
    for (int c = 0; !is_last; ++c) {
        double number;
        next_field(&s, field, &is_last);
        if (c == 0) is_heading = !is_number(field, &number);
        if (c == MAX_COLUMN)
            return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1,
                               "more than %d columns", MAX_COLUMN);
        snprintf(name, sizeof name, "c%d", c + 1);
        const int added =
            is_heading ? add_named(table, field) : pkm_table_add_column(table, name, "");
        if (added == PKM_NONE) return pkm_fail(in->err, PKM_ERR_MEMORY, "out of memory");
    }
    if (is_heading) skip_line(in);
    return PKM_OK;
}

static pkm_status read_row(csv* in, pkm_table* table)
{
    const int n = pkm_table_n_column(table);
    const char* s = in->at;
    double* row = pkm_table_append(table);
    char field[MAX_FIELD];
    bool is_last = false;
    int c = 0;
    if (!row) return pkm_fail(in->err, PKM_ERR_MEMORY, "out of memory");
    for (; !is_last; ++c) {
        double value;
        next_field(&s, field, &is_last);
        if (!is_number(field, &value) || !isfinite(value))
            return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1,
                               "column %d: '%.40s', expected a finite number", c + 1, field);
        if (c < n) row[c] = value;
    }
    if (c == n) return PKM_OK;
    return pkm_fail_at(in->err, PKM_ERR_SYNTAX, in->path, in->line, 1, "%d numbers, expected %d", c,
                       n);
}

static pkm_status read_text(const char* path, pkm_table* table, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &bytes, &length, err));
    csv in = {.at = bytes, .path = path, .line = 1, .err = err};
    pkm_status status = pkm_source_check_text(bytes, length, path, err);
    while (status == PKM_OK && *in.at) {
        const bool is_first = pkm_table_n_column(table) == 0;
        if (is_blank(in.at)) {
            skip_line(&in);
            continue;
        }
        status = is_first ? read_head(&in, table) : read_row(&in, table);
        if (!is_first) skip_line(&in);
    }
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
            return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    return PKM_OK;
}

static pkm_status fill_rows(const pkm_h5_content* c, pkm_table* table, const char* path,
                            pkm_error* err)
{
    const size_t n_row = c->n_dataset > 0 ? c->dataset[0].size[0] : 0;
    for (size_t r = 0; r < n_row; ++r) {
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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
    pkm_status status = arena ? pkm_h5_read(path, &wish, arena, &content, err)
                              : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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
    if (!table) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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
