#include "pkm/output.h"

#include "base/memory.h"
#include "check.h"
#include "unit/write/scratch_folder.h"

#include <hdf5.h>

enum { ROWS = 1000 };

static double value_at(int row, int column)
{
    return sin(0.1 * row + column) * pow(10.0, column);
}

static pkm_table* small_table(void)
{
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "t", "s");
    pkm_table_add_column(table, "q1.force", "N");
    pkm_table_add_column(table, "a ratio", "");
    for (int r = 0; r < ROWS; ++r) {
        double* row = pkm_table_append(table);
        for (int c = 0; c < 3; ++c)
            row[c] = value_at(r, c);
    }
    return table;
}

/// Text `index` of the attribute `name` of `object`, cut to `size`.
static void read_text(hid_t file, const char* object, const char* name, int index, char* text,
                      size_t size)
{
    char* value[8] = {NULL};
    const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(attribute >= 0);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    CHECK(H5Tis_variable_str(type) > 0 && H5Tget_cset(type) == H5T_CSET_UTF8);
    CHECK(H5Sget_simple_extent_npoints(space) <= 8);
    CHECK(H5Aread(attribute, type, value) >= 0);
    snprintf(text, size, "%s", value[index] ? value[index] : "(null)");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void columns_units_and_texts_read_back(void)
{
    pkm_table* table = small_table();
    const pkm_hdf5_attribute attribute[] = {{"manifest", "{\"robot\": \"\xCE\x94\"}"}, {"x", ""}};
    const char* path = scratch_path("table.h5");
    CHECK(pkm_hdf5_write(table, path, attribute, 2, NULL) == PKM_OK);
    pkm_table_free(table);

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0);
    const char* const name[] = {"/table/t", "/table/q1.force", "/table/a ratio"};
    const char* const unit[] = {"s", "N", ""};
    char text[256];
    for (int c = 0; c < 3; ++c) {
        static double value[ROWS];
        const hid_t set = H5Dopen2(file, name[c], H5P_DEFAULT);
        const hid_t space = H5Dget_space(set);
        CHECK(H5Sget_simple_extent_npoints(space) == ROWS);
        CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
        for (int r = 0; r < ROWS; ++r)
            CHECK(value[r] == value_at(r, c));
        H5Sclose(space);
        H5Dclose(set);
        read_text(file, name[c], "unit", 0, text, sizeof text);
        CHECK_TEXT(text, unit[c]);
    }
    read_text(file, "/", "manifest", 0, text, sizeof text);
    CHECK_TEXT(text, "{\"robot\": \"\xCE\x94\"}");
    for (int c = 0; c < 3; ++c) {
        read_text(file, "/table", "columns", c, text, sizeof text);
        CHECK_TEXT(text, strrchr(name[c], '/') + 1);
    }
    H5Fclose(file);
}

static void long_texts_and_empty_tables_are_kept(void)
{
    enum { LONG = 200000 };
    char* text = calloc(LONG + 1, 1);
    memset(text, 'x', LONG);
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "t", "s");
    const pkm_hdf5_attribute attribute = {"manifest", text};
    CHECK(pkm_hdf5_write(table, scratch_path("long.h5"), &attribute, 1, NULL) == PKM_OK);
    char* back = calloc(LONG + 1, 1);
    const hid_t file = H5Fopen(scratch_path("long.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    read_text(file, "/", "manifest", 0, back, LONG + 1);
    CHECK(strcmp(text, back) == 0);
    H5Fclose(file);
    free(back);
    free(text);
    pkm_table_free(table);
}

static void wrong_tables_are_refused(void)
{
    scratch_clear();
    pkm_error err = {0};
    pkm_table* table = small_table();
    pkm_table_append(table)[1] = NAN;
    CHECK(pkm_hdf5_write(table, scratch_path("nan.h5"), NULL, 0, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "row 1001, column \"q1.force\"");
    pkm_table_free(table);

    table = pkm_table_create();
    CHECK(pkm_hdf5_write(table, scratch_path("none.h5"), NULL, 0, &err) == PKM_ERR_ARGUMENT);
    pkm_table_add_column(table, "twice", "");
    pkm_table_add_column(table, "twice", "");
    CHECK(pkm_hdf5_write(table, scratch_path("twice.h5"), NULL, 0, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "column \"twice\"");
    pkm_table_free(table);
    CHECK(scratch_count() == 0);
}

static void files_that_cannot_be_written_leave_nothing(void)
{
    scratch_clear();
    pkm_error err = {0};
    pkm_table* table = small_table();
    CHECK(pkm_hdf5_write(table, scratch_path("no/table.h5"), NULL, 0, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "no/table.h5: cannot write: No such file or directory");
    scratch_limit_size(9000);
    CHECK(pkm_hdf5_write(table, scratch_path("full.h5"), NULL, 0, &err) == PKM_ERR_FILE);
    scratch_limit_size(0);
    CHECK_CONTAINS(err.text, "full.h5: cannot write: ");
    CHECK(pkm_hdf5_write(table, "/dev/full", NULL, 0, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "No space left");
    CHECK(scratch_count() == 0);
    pkm_table_free(table);
}

/// Counts the calls of HDF5's own error handler.
static herr_t count_calls(hid_t stack, void* user)
{
    (void)stack;
    ++*(int*)user;
    return 0;
}

static void hdf5_prints_nothing_and_keeps_its_handler(void)
{
    int calls = 0;
    H5Eset_auto2(H5E_DEFAULT, count_calls, &calls);
    pkm_table* table = pkm_table_create();
    pkm_table_add_column(table, "twice", "");
    pkm_table_add_column(table, "twice", "");
    CHECK(pkm_hdf5_write(table, scratch_path("twice.h5"), NULL, 0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(calls == 0);
    H5E_auto2_t handler;
    void* user;
    H5Eget_auto2(H5E_DEFAULT, &handler, &user);
    CHECK(handler == count_calls && user == &calls);
    pkm_table_free(table);
}

static void failing_memory_is_reported(void)
{
    scratch_clear();
    pkm_table* table = small_table();
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 20; ++n) {
        CHECK(scratch_count() == 0);
        pkm_alloc_fail_at(n);
        status = pkm_hdf5_write(table, scratch_path("memory.h5"), NULL, 0, NULL);
        pkm_alloc_fail_at(0);
    }
    CHECK(status == PKM_OK);
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); // no handle is left open
    pkm_table_free(table);
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(columns_units_and_texts_read_back);
    RUN(long_texts_and_empty_tables_are_kept);
    RUN(wrong_tables_are_refused);
    RUN(files_that_cannot_be_written_leave_nothing);
    RUN(hdf5_prints_nothing_and_keeps_its_handler);
    RUN(failing_memory_is_reported);
    scratch_remove();
    return check_report();
}
