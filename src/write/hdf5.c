// One group with a dataset for each column. The file is made in memory by a child process
// (base/isolate.h) and written here like any other, so that it appears whole or not at all.
#include "pkm/output.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/h5.h"
#include "write/stream.h"

#include <stdint.h>
#include <string.h>

/// A table and its texts: the work of the child, which builds the file in memory and sends it.
typedef struct task {
    const pkm_h5_library* h5;
    const pkm_table* table;
    const pkm_hdf5_attribute* attribute;
    int n_attribute;
} task;

/// Attribute `name` of `owner`: an array of `count` texts, or one text when `count` is 0. The texts
/// have variable length, so that they live in the heap of the file: an attribute itself holds 64
/// kB.
static int write_texts(const task* t, pkm_h5_id owner, const char* name, const char* const* text,
                       int count)
{
    const pkm_h5_library* h5 = t->h5;
    const pkm_h5_size n = (pkm_h5_size)count;
    const pkm_h5_id type = h5->H5Tcopy(*h5->H5T_C_S1_g);
    h5->H5Tset_size(type, SIZE_MAX); // variable
    h5->H5Tset_cset(type, PKM_H5_UTF8);
    const pkm_h5_id space =
        count > 0 ? h5->H5Screate_simple(1, &n, NULL) : h5->H5Screate(PKM_H5_DEFAULT);
    const pkm_h5_id attribute =
        h5->H5Acreate2(owner, name, type, space, PKM_H5_DEFAULT, PKM_H5_DEFAULT);
    const int result = attribute >= 0 ? h5->H5Awrite(attribute, type, text) : -1;
    if (attribute >= 0) h5->H5Aclose(attribute);
    if (space >= 0) h5->H5Sclose(space);
    if (type >= 0) h5->H5Tclose(type);
    return result;
}

static int write_text(const task* t, pkm_h5_id owner, const char* name, const char* text)
{
    return write_texts(t, owner, name, &text, 0);
}

/// One dataset; `value` is room for the rows.
static int write_column(const task* t, pkm_h5_id group, int column, double* value)
{
    const pkm_h5_library* h5 = t->h5;
    const int n_row = pkm_table_n_row(t->table);
    for (int r = 0; r < n_row; ++r)
        value[r] = pkm_table_get(t->table, r, column);

    const pkm_h5_size n = (pkm_h5_size)n_row;
    const char* name = pkm_table_name(t->table, column);
    const pkm_h5_id space = h5->H5Screate_simple(1, &n, NULL);
    const pkm_h5_id set = h5->H5Dcreate2(group, name, *h5->H5T_IEEE_F64LE_g, space, PKM_H5_DEFAULT,
                                         PKM_H5_DEFAULT, PKM_H5_DEFAULT);
    int result = set >= 0 ? 0 : -1;
    if (result >= 0)
        result = h5->H5Dwrite(set, *h5->H5T_NATIVE_DOUBLE_g, PKM_H5_DEFAULT, PKM_H5_DEFAULT,
                              PKM_H5_DEFAULT, value);
    if (result >= 0) result = write_text(t, set, "unit", pkm_table_unit(t->table, column));
    if (set >= 0) h5->H5Dclose(set);
    if (space >= 0) h5->H5Sclose(space);
    return result;
}

/// HDF5 lists members by name; the attribute keeps the order of the columns.
static pkm_status write_order(const task* t, pkm_h5_id group)
{
    const int n = pkm_table_n_column(t->table);
    const char** name = pkm_alloc((size_t)n, sizeof *name);
    if (!name) return PKM_ERR_MEMORY;
    for (int c = 0; c < n; ++c)
        name[c] = pkm_table_name(t->table, c);
    const int result = write_texts(t, group, "columns", name, n);
    pkm_free(name);
    return result >= 0 ? PKM_OK : PKM_ERR_FILE;
}

static pkm_status write_columns(const task* t, pkm_h5_id group, pkm_error* err)
{
    PKM_TRY(write_order(t, group));
    double* value = pkm_alloc((size_t)pkm_table_n_row(t->table), sizeof *value);
    if (!value) return PKM_ERR_MEMORY;
    pkm_status status = PKM_OK;
    for (int c = 0; c < pkm_table_n_column(t->table) && status == PKM_OK; ++c)
        if (write_column(t, group, c, value) < 0)
            status = pkm_fail(err, PKM_ERR_ARGUMENT,
                              "column \"%s\": HDF5 cannot store it (is the name used twice?)",
                              pkm_table_name(t->table, c));
    pkm_free(value);
    return status;
}

static pkm_status fill_image(const task* t, pkm_h5_id file, pkm_error* err)
{
    for (int k = 0; k < t->n_attribute; ++k)
        if (write_text(t, file, t->attribute[k].name, t->attribute[k].text) < 0)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "attribute \"%s\": HDF5 cannot store it",
                            t->attribute[k].name);
    // names with a slash become groups in groups
    const pkm_h5_id group =
        t->h5->H5Gcreate2(file, "table", PKM_H5_DEFAULT, PKM_H5_DEFAULT, PKM_H5_DEFAULT);
    if (group < 0) return PKM_ERR_FILE;
    const pkm_status status = write_columns(t, group, err);
    t->h5->H5Gclose(group);
    return status;
}

static pkm_status send_image(const task* t, pkm_h5_id file, pkm_isolate_pipe* pipe)
{
    if (t->h5->H5Fflush(file, PKM_H5_GLOBAL) < 0) return PKM_ERR_FILE;
    const ssize_t size = t->h5->H5Fget_file_image(file, NULL, 0);
    if (size <= 0) return PKM_ERR_FILE;
    void* image = pkm_alloc((size_t)size, 1);
    if (!image) return PKM_ERR_MEMORY;
    const bool is_sent = t->h5->H5Fget_file_image(file, image, (size_t)size) == size &&
                         pkm_isolate_send(pipe, image, (size_t)size);
    pkm_free(image);
    return is_sent ? PKM_OK : PKM_ERR_FILE;
}

/// In the child: memory and the file end with it.
static pkm_status make_image(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    task* t = user;
    const size_t n_value = (size_t)pkm_table_n_row(t->table) * (size_t)pkm_table_n_column(t->table);
    PKM_TRY(pkm_h5_begin(&t->h5, err));
    const pkm_h5_id file = pkm_h5_create_image(t->h5, n_value * sizeof(double));
    if (file < 0) return PKM_ERR_FILE;
    PKM_TRY(fill_image(t, file, err));
    return send_image(t, file, pipe);
}

static pkm_status save(const char* path, const char* image, size_t size, pkm_error* err)
{
    pkm_stream* stream = NULL;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    pkm_stream_write(stream, image, size);
    return pkm_stream_close(stream, err);
}

pkm_status pkm_hdf5_write(const pkm_table* table, const char* path,
                          const pkm_hdf5_attribute* attribute, int n_attribute, pkm_error* err)
{
    if (!table || !path || n_attribute < 0 || (n_attribute > 0 && !attribute))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "HDF5: the table, path or attributes are NULL");
    if (pkm_table_n_column(table) == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the table has no columns", path);
    PKM_TRY(pkm_table_check_finite(table, err));

    task t = {.table = table, .attribute = attribute, .n_attribute = n_attribute};
    const pkm_isolate_limits no_limit = {0};
    pkm_error detail = {.status = PKM_OK};
    char* image = NULL;
    size_t size = 0;
    pkm_status status = pkm_isolate(make_image, &t, &no_limit, &image, &size, &detail);
    if (status == PKM_OK) status = save(path, image, size, &detail);
    pkm_free(image);

    if (status == PKM_OK) return PKM_OK;
    // on numbers of our own the library crashes only for want of memory
    if (strstr(detail.text, "crashed")) status = PKM_ERR_MEMORY;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "%s: out of memory", path);
    if (detail.text[0]) return pkm_fail(err, status, "%s", detail.text);
    return pkm_fail(err, status, "%s: HDF5 cannot write the table", path);
}
