// HDF5 files of others: texts as one text, as lists, of fixed and of variable length; and what is
// neither is refused before it is copied.
#include "model/h5.h"

#include "check.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static const char* const dataset[] = {"K"};
static const pkm_h5_wish wish = {.group = "/",
                                 .list = "frames",
                                 .dataset = dataset,
                                 .n_dataset = 1,
                                 .rank = 2,
                                 .max_text = 100,
                                 .max_value = 1000,
                                 .note = "unit",
                                 .max_file = 1 << 20};

/// The attribute `name` of `owner`: `count` values (0: one, not a list) of `type`.
static void put(hid_t owner, const char* name, hid_t type, int count, const void* value)
{
    const hsize_t n = (hsize_t)count;
    const hid_t space = count > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static hid_t text_type(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

/// A new file with a 2 x 3 dataset K of `type`; `set` and the file are to be closed.
static hid_t begin(hid_t type, hid_t* set)
{
    static const double value[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    const hsize_t size[2] = {2, 3};
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, size, NULL);
    *set = H5Dcreate2(file, "K", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Tget_class(type) != H5T_STRING)
        CHECK(H5Dwrite(*set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Sclose(space);
    return file;
}

static void end(hid_t file, hid_t set)
{
    H5Dclose(set);
    H5Fclose(file);
}

static pkm_status read_back(pkm_arena* arena, pkm_h5_content* content, pkm_error* err)
{
    *err = (pkm_error){0};
    return pkm_h5_read(path, &wish, arena, content, err);
}

static void texts_are_read_in_all_their_forms(void)
{
    const char* const list[] = {"A", "Bee"};
    const char* const one = "A Bee";
    const hid_t variable = text_type(H5T_VARIABLE), fixed = text_type(4);
    for (int form = 0; form < 4; ++form) {
        hid_t set;
        const hid_t file = begin(form % 2 ? H5T_NATIVE_INT : H5T_NATIVE_FLOAT, &set);
        if (form == 0) put(file, "frames", variable, 2, list);
        if (form == 1) put(file, "frames", fixed, 2, "A\0\0\0Bee");
        if (form == 2) put(file, "frames", variable, 0, &one);
        if (form == 3) put(file, "frames", fixed, 0, "A Be");
        if (form > 1) put(set, "unit", variable, 0, &one);
        end(file, set);
        pkm_arena* arena = pkm_arena_create();
        pkm_h5_content content = {0};
        pkm_error err;
        CHECK(read_back(arena, &content, &err) == PKM_OK);
        CHECK(content.n_text == (form < 2 ? 2 : 1) && content.n_dataset == 1);
        if (content.n_text == 2) CHECK_TEXT(content.text[1], "Bee");
        if (content.n_text == 2) CHECK_TEXT(content.text[0], "A");
        if (content.n_text == 1) CHECK_TEXT(content.text[0], form == 2 ? "A Bee" : "A Be");
        if (content.n_dataset == 1) {
            CHECK(content.dataset[0].size[0] == 2 && content.dataset[0].size[1] == 3);
            CHECK_NEAR(content.dataset[0].value[5], 6.0, 0.0);
            CHECK_TEXT(content.dataset[0].note, form > 1 ? "A Bee" : "");
        }
        pkm_arena_free(arena);
    }
    H5Tclose(variable);
    H5Tclose(fixed);
}

static void check_refused(const char* words)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_h5_content content;
    pkm_error err;
    CHECK(read_back(arena, &content, &err) != PKM_OK);
    CHECK_CONTAINS(err.text, words);
    CHECK_TEXT(err.file, path);
    pkm_arena_free(arena);
}

/// Numbers, and far more texts than expected, do not reach any buffer.
static void attributes_of_other_types_and_sizes_are_refused(void)
{
    static int number[5000];
    static char bytes[8000];
    static const char* many[200];
    const hid_t fixed = text_type(8), variable = text_type(H5T_VARIABLE);
    for (int i = 0; i < 200; ++i)
        many[i] = "A";
    hid_t set, file = begin(H5T_NATIVE_DOUBLE, &set);
    put(file, "frames", H5T_NATIVE_INT, 5000, number);
    end(file, set);
    check_refused("the attribute 'frames' of / is not a text or a list of at most 100 texts");
    file = begin(H5T_NATIVE_DOUBLE, &set);
    put(file, "frames", fixed, 1000, bytes);
    end(file, set);
    check_refused("a list of at most 100 texts");
    file = begin(H5T_NATIVE_DOUBLE, &set);
    put(file, "frames", variable, 200, many);
    end(file, set);
    check_refused("a list of at most 100 texts");
    file = begin(H5T_NATIVE_DOUBLE, &set);
    put(file, "frames", variable, 1, many);
    put(set, "unit", variable, 2, many);
    end(file, set);
    check_refused("the attribute 'unit' of 'K' is not one text");
    file = begin(H5T_NATIVE_DOUBLE, &set);
    end(file, set);
    check_refused("the attribute 'frames' of / is missing");
    H5Tclose(fixed);
    H5Tclose(variable);
}

static void datasets_of_other_types_and_sizes_are_refused(void)
{
    const hid_t fixed = text_type(8);
    const hsize_t large[2] = {1000, 1000}, line[1] = {3};
    hid_t set, file = begin(fixed, &set);
    put(file, "frames", fixed, 0, "A B    ");
    end(file, set);
    check_refused("'K' holds no numbers");
    for (int k = 0; k < 2; ++k) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(k ? 1 : 2, k ? line : large, NULL);
        set =
            H5Dcreate2(file, "K", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put(file, "frames", fixed, 0, "A B    ");
        H5Sclose(space);
        end(file, set);
        check_refused(k ? "'K' has 1 dimensions, expected 2" : "'K' has 1000 x 1000 numbers");
    }
    H5Tclose(fixed);
}

/// A control character would reach the terminal of whoever reads the message.
static void texts_are_clean(void)
{
    const hid_t fixed = text_type(8);
    hid_t set, file = begin(H5T_NATIVE_DOUBLE, &set);
    put(file, "frames", fixed, 0, "\x1b[31mA\0");
    end(file, set);
    check_refused("control byte 0x1b");
    H5Tclose(fixed);
}

/// Every third byte of a small file damaged, one after the other: a sentence or the right numbers.
static void damage_is_survived(void)
{
    static char good[1 << 16];
    hid_t set, file = begin(H5T_NATIVE_DOUBLE, &set);
    const hid_t variable = text_type(H5T_VARIABLE);
    const char* const list[] = {"A", "B"};
    put(file, "frames", variable, 2, list);
    end(file, set);
    H5Tclose(variable);
    FILE* in = fopen(path, "rb");
    const size_t size = in ? fread(good, 1, sizeof good, in) : 0;
    if (in) fclose(in);
    CHECK(size > 1000);
    for (size_t i = 0; i < size; i += 97) {
        const char kept = good[i];
        good[i] = (char)(kept ^ (i % 2 ? 0xff : 0x01));
        FILE* out = fopen(path, "wb");
        CHECK(out && fwrite(good, 1, size, out) == size);
        if (out) fclose(out);
        good[i] = kept;
        pkm_arena* arena = pkm_arena_create();
        pkm_h5_content content;
        pkm_error err;
        const pkm_status status = read_back(arena, &content, &err);
        CHECK(status == PKM_OK || err.text[0]);
        pkm_arena_free(arena);
    }
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/pkm-h5-%d.h5", (int)getpid());
    RUN(texts_are_read_in_all_their_forms);
    RUN(attributes_of_other_types_and_sizes_are_refused);
    RUN(datasets_of_other_types_and_sizes_are_refused);
    RUN(texts_are_clean);
    RUN(damage_is_survived);
    remove(path);
    return check_report();
}
