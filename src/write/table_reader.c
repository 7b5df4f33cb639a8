#include "write/table_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/source.h"

#include <ctype.h>
#include <hdf5.h>
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

/// The text of attribute `name` of `owner`, cut to fit; "" when there is none.
static void read_unit(hid_t owner, char* out, size_t size)
{
    char* text = NULL;
    out[0] = '\0';
    const hid_t attribute = H5Aopen(owner, "unit", H5P_DEFAULT);
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    if (type >= 0 && H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &text) >= 0 && text) {
        snprintf(out, size, "%s", text);
        H5free_memory(text);
    }
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
}

/// Rows of a dataset of one dimension, or -1.
static long long rows_of(hid_t set)
{
    const hid_t space = H5Dget_space(set);
    hsize_t n = 0;
    const bool is_list = space >= 0 && H5Sget_simple_extent_ndims(space) == 1;
    if (is_list) H5Sget_simple_extent_dims(space, &n, NULL);
    if (space >= 0) H5Sclose(space);
    return is_list ? (long long)n : -1;
}

/// A table under construction: columns first, then all rows.
typedef struct columns {
    int n;
    long long n_row;
    double** value;
} columns;

static pkm_status read_column(hid_t group, const char* name, pkm_table* table, columns* c,
                              const char* path, pkm_error* err)
{
    char unit[64];
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    const long long n = set >= 0 ? rows_of(set) : -1;
    pkm_status status = PKM_OK;
    if (n < 0 || (c->n > 0 && n != c->n_row))
        status = pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0,
                             "column '%.60s' is missing or has another number of rows", name);
    if (status == PKM_OK) {
        c->n_row = n;
        c->value[c->n] = pkm_alloc((size_t)n + 1, sizeof(double));
        read_unit(set, unit, sizeof unit);
        if (!c->value[c->n] || pkm_table_add_column(table, name, unit) == PKM_NONE)
            status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->value[c->n]) < 0)
            status =
                pkm_fail_at(err, PKM_ERR_FILE, path, 0, 0, "column '%.60s' cannot be read", name);
        ++c->n;
    }
    if (set >= 0) H5Dclose(set);
    return status;
}

static pkm_status fill_rows(pkm_table* table, const columns* c, pkm_error* err)
{
    for (long long r = 0; r < c->n_row; ++r) {
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        for (int i = 0; i < c->n; ++i)
            row[i] = c->value[i][r];
    }
    return PKM_OK;
}

static pkm_status read_names(hid_t group, char** names, int n, pkm_table* table, const char* path,
                             pkm_error* err)
{
    columns c = {.value = pkm_alloc((size_t)n + 1, sizeof *c.value)};
    pkm_status status = c.value ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int i = 0; i < n && status == PKM_OK; ++i)
        status = read_column(group, names[i], table, &c, path, err);
    if (status == PKM_OK) status = fill_rows(table, &c, err);
    for (int i = 0; c.value && i < n; ++i)
        pkm_free(c.value[i]);
    pkm_free(c.value);
    return status;
}

/// The attribute `columns` of the group gives names and order.
static pkm_status read_group(hid_t group, pkm_table* table, const char* path, pkm_error* err)
{
    pkm_status status = PKM_ERR_SYNTAX;
    const hid_t attribute = H5Aopen(group, "columns", H5P_DEFAULT);
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    char** names = n > 0 && n <= MAX_COLUMN ? pkm_alloc((size_t)n, sizeof *names) : NULL;
    if (names && H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, names) >= 0) {
        status = read_names(group, names, (int)n, table, path, err);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, names);
    } else {
        pkm_fail_at(err, status, path, 0, 0, "the group /table does not list its columns");
    }
    pkm_free(names);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return status;
}

static pkm_status read_hdf5(const char* path, pkm_table* table, pkm_error* err)
{
    H5E_auto2_t handler;
    void* handler_user;
    H5Eget_auto2(H5E_DEFAULT, &handler, &handler_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // what fails is told in our words
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t group = file >= 0 ? H5Gopen2(file, "table", H5P_DEFAULT) : -1;
    pkm_status status = PKM_ERR_FILE;
    if (group >= 0)
        status = read_group(group, table, path, err);
    else
        pkm_fail_at(err, status, path, 0, 0, "%s",
                    file >= 0 ? "it has no group /table" : "cannot read the file as HDF5");
    if (group >= 0) H5Gclose(group);
    if (file >= 0) H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, handler, handler_user);
    return status;
}

// ---- both -------------------------------------------------------------------------------------

static bool is_hdf5(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

pkm_status pkm_table_read(const char* path, pkm_table** out, pkm_error* err)
{
    *out = NULL;
    pkm_table* table = pkm_table_create();
    if (!table) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_status status = is_hdf5(path) ? read_hdf5(path, table, err) : read_text(path, table, err);
    if (status == PKM_OK && pkm_table_n_row(table) == 0)
        status = pkm_fail_at(err, PKM_ERR_SYNTAX, path, 0, 0, "it has no rows of numbers");
    if (status == PKM_OK)
        *out = table;
    else
        pkm_table_free(table);
    return status;
}
