#include "pkm/output.h"

#include "base/error.h"
#include "base/memory.h"
#include "write/stream.h"

#include <hdf5.h>
#include <string.h>

/// Attribute `name` of `owner`: an array of `count` texts, or one text when `count` is 0. The texts
/// have variable length, so that they live in the heap of the file: an attribute itself holds 64
/// kB.
static herr_t write_texts(hid_t owner, const char* name, const char* const* text, int count)
{
    const hsize_t n = (hsize_t)count;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t space = count > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t result = attribute >= 0 ? H5Awrite(attribute, type, text) : -1;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return result;
}

static herr_t write_text(hid_t owner, const char* name, const char* text)
{
    return write_texts(owner, name, &text, 0);
}

/// One dataset; `value` is room for the rows.
static herr_t write_column(hid_t group, const pkm_table* table, int column, double* value)
{
    const int n_row = pkm_table_n_row(table);
    for (int r = 0; r < n_row; ++r)
        value[r] = pkm_table_get(table, r, column);

    const hsize_t n = (hsize_t)n_row;
    const char* name = pkm_table_name(table, column);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set =
        H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = set >= 0 ? 0 : -1;
    if (result >= 0)
        result = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (result >= 0) result = write_text(set, "unit", pkm_table_unit(table, column));
    if (set >= 0) H5Dclose(set);
    if (space >= 0) H5Sclose(space);
    return result;
}

/// HDF5 lists members by name; the attribute keeps the order of the columns.
static pkm_status write_order(hid_t group, const pkm_table* table)
{
    const int n = pkm_table_n_column(table);
    const char** name = pkm_alloc((size_t)n, sizeof *name);
    if (!name) return PKM_ERR_MEMORY;
    for (int c = 0; c < n; ++c)
        name[c] = pkm_table_name(table, c);
    const herr_t result = write_texts(group, "columns", name, n);
    pkm_free(name);
    return result >= 0 ? PKM_OK : PKM_ERR_FILE;
}

static pkm_status write_columns(hid_t group, const pkm_table* table, pkm_error* err)
{
    PKM_TRY(write_order(group, table));
    double* value = pkm_alloc((size_t)pkm_table_n_row(table), sizeof *value);
    if (!value) return PKM_ERR_MEMORY;
    pkm_status status = PKM_OK;
    for (int c = 0; c < pkm_table_n_column(table) && status == PKM_OK; ++c)
        if (write_column(group, table, c, value) < 0)
            status = pkm_fail(err, PKM_ERR_ARGUMENT,
                              "column \"%s\": HDF5 cannot store it (is the name used twice?)",
                              pkm_table_name(table, c));
    pkm_free(value);
    return status;
}

/// An HDF5 file in memory, never on disk: writing it is then our own affair.
static hid_t create_image(const char* path, size_t expected_size)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, expected_size + (1 << 16), 0);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static pkm_status fill_image(hid_t file, const pkm_table* table,
                             const pkm_hdf5_attribute* attribute, int n_attribute, pkm_error* err)
{
    for (int k = 0; k < n_attribute; ++k)
        if (write_text(file, attribute[k].name, attribute[k].text) < 0)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "attribute \"%s\": HDF5 cannot store it",
                            attribute[k].name);
    // names with a slash become groups in groups
    const hid_t group = H5Gcreate2(file, "table", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return PKM_ERR_FILE;
    const pkm_status status = write_columns(group, table, err);
    H5Gclose(group);
    return status;
}

static pkm_status save_image(hid_t file, const char* path, pkm_error* err)
{
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return PKM_ERR_FILE;
    const ssize_t size = H5Fget_file_image(file, NULL, 0);
    if (size <= 0) return PKM_ERR_FILE;
    void* image = pkm_alloc((size_t)size, 1);
    if (!image) return PKM_ERR_MEMORY;

    pkm_stream* stream = NULL;
    pkm_status status =
        H5Fget_file_image(file, image, (size_t)size) == size ? PKM_OK : PKM_ERR_FILE;
    if (status == PKM_OK) status = pkm_stream_open(path, &stream, err);
    if (status == PKM_OK) {
        pkm_stream_write(stream, image, (size_t)size);
        status = pkm_stream_close(stream, err);
    }
    pkm_free(image);
    return status;
}

static pkm_status write_quietly(const pkm_table* table, const char* path,
                                const pkm_hdf5_attribute* attribute, int n_attribute,
                                pkm_error* err)
{
    const size_t n_value = (size_t)pkm_table_n_row(table) * (size_t)pkm_table_n_column(table);
    const hid_t file = create_image(path, n_value * sizeof(double));
    if (file < 0) return PKM_ERR_FILE;
    pkm_status status = fill_image(file, table, attribute, n_attribute, err);
    if (status == PKM_OK) status = save_image(file, path, err);
    H5Fclose(file);
    return status;
}

pkm_status pkm_hdf5_write(const pkm_table* table, const char* path,
                          const pkm_hdf5_attribute* attribute, int n_attribute, pkm_error* err)
{
    if (!table || !path || n_attribute < 0 || (n_attribute > 0 && !attribute))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "HDF5: the table, path or attributes are NULL");
    if (pkm_table_n_column(table) == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the table has no columns", path);
    PKM_TRY(pkm_table_check_finite(table, err));

    pkm_error detail = {.status = PKM_OK};
    H5E_auto2_t print;
    void* print_user;
    H5Eget_auto2(H5E_DEFAULT, &print, &print_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const pkm_status status = write_quietly(table, path, attribute, n_attribute, &detail);
    H5Eset_auto2(H5E_DEFAULT, print, print_user);

    if (status == PKM_OK) return PKM_OK;
    if (detail.status != PKM_OK) return pkm_fail(err, status, "%s", detail.text);
    return pkm_fail(err, status, "%s: %s", path,
                    status == PKM_ERR_MEMORY ? "out of memory" : "HDF5 cannot write the table");
}
