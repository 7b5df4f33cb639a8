#include "flexible/outside_file.h"

#include "base/error.h"
#include "model/source.h"

#include <ctype.h>
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MB = 256 };

static pkm_status out_of_memory(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static double** matrix_of(pkm_outside_file* f, char name)
{
    return name == 'K' ? &f->K : name == 'M' ? &f->M : name == 'D' ? &f->D : NULL;
}

static pkm_status check_size(const pkm_outside_file* f, double n, pkm_error* err)
{
    if (n >= 1.0 && n <= PKM_OUTSIDE_MAX_SIZE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL, "%s: %g coordinates, expected 1 to %d", f->path, n,
                    PKM_OUTSIDE_MAX_SIZE);
}

/// Names separated by blanks.
static pkm_status take_frames(pkm_outside_file* f, const char* text, pkm_error* err)
{
    char name[PKM_MAX_NAME];
    int used;
    f->n_frame = 0;
    while (sscanf(text, " %95s%n", name, &used) == 1) {
        if (f->n_frame == PKM_OUTSIDE_MAX_FRAME)
            return pkm_fail(err, PKM_ERR_MODEL, "%s: more than %d frames", f->path,
                            PKM_OUTSIDE_MAX_FRAME);
        memcpy(f->frame[f->n_frame++], name, sizeof name);
        text += used;
    }
    return PKM_OK;
}

// ---- text -------------------------------------------------------------------------------------

/// A text being read: line by line, comments from # on are blanks by now.
typedef struct scanner {
    const char* at;
    int line;
} scanner;

static void skip_blank(scanner* s)
{
    for (; *s->at && isspace((unsigned char)*s->at); ++s->at)
        if (*s->at == '\n') ++s->line;
}

static void strip_comments(char* text)
{
    for (char* c = text; *c; ++c)
        if (*c == '#')
            while (*c && *c != '\n')
                *c++ = ' ';
}

static pkm_status scan_matrix(pkm_outside_file* f, scanner* s, char name, pkm_error* err)
{
    const size_t count = (size_t)f->n * (size_t)f->n;
    double** to = matrix_of(f, name);
    if (f->n == 0)
        return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: 'coordinates' comes before %c", f->path,
                        s->line, name);
    *to = pkm_arena_alloc(f->arena, count, sizeof **to);
    if (!*to) return out_of_memory(err);
    for (size_t k = 0; k < count; ++k) {
        char* end;
        skip_blank(s);
        (*to)[k] = strtod(s->at, &end);
        if (end == s->at)
            return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: %zu numbers of %c, expected %zu", f->path,
                            s->line, k, name, count);
        s->at = end;
    }
    return PKM_OK;
}

/// One of `frames A B`, `coordinates 12`, `K ...`, `M ...`, `D ...`.
static pkm_status scan_item(pkm_outside_file* f, scanner* s, pkm_error* err)
{
    char word[32], line[2048];
    int used = 0;
    double n;
    if (sscanf(s->at, "%31s%n", word, &used) != 1) return PKM_OK;
    s->at += used;
    if (strcmp(word, "frames") == 0) {
        const size_t length = strcspn(s->at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, s->at);
        s->at += length;
        return take_frames(f, line, err);
    }
    if (strcmp(word, "coordinates") == 0) {
        if (sscanf(s->at, "%lf%n", &n, &used) != 1) n = 0.0;
        PKM_TRY(check_size(f, n, err));
        s->at += used;
        f->n = (int)n;
        return PKM_OK;
    }
    if (strlen(word) == 1 && matrix_of(f, word[0])) return scan_matrix(f, s, word[0], err);
    return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: '%.20s', expected frames, coordinates, K, M or D",
                    f->path, s->line, word);
}

static pkm_status read_text(pkm_outside_file* f, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(f->path, (size_t)MAX_MB << 20, &text, &length, err));
    strip_comments(text);
    scanner s = {text, 1};
    pkm_status status = PKM_OK;
    for (skip_blank(&s); *s.at && status == PKM_OK; skip_blank(&s))
        status = scan_item(f, &s, err);
    pkm_free(text);
    return status;
}

// ---- HDF5 -------------------------------------------------------------------------------------

static pkm_status read_dataset(pkm_outside_file* f, hid_t file, char name, pkm_error* err)
{
    const char path[2] = {name, '\0'};
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return PKM_OK;
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    hsize_t size[2] = {0, 0};
    const bool is_square = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                           H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[0] == size[1];
    pkm_status status = PKM_OK;
    if (!is_square || (f->n > 0 && (int)size[0] != f->n))
        status = pkm_fail(err, PKM_ERR_MODEL, "%s: %c is %d x %d, expected square and all alike",
                          f->path, name, (int)size[0], (int)size[1]);
    if (status == PKM_OK) status = check_size(f, (double)size[0], err);
    double** to = matrix_of(f, name);
    if (status == PKM_OK) {
        f->n = (int)size[0];
        *to = pkm_arena_alloc(f->arena, (size_t)(size[0] * size[0]), sizeof **to);
        if (!*to) status = out_of_memory(err);
    }
    if (status == PKM_OK && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *to) < 0)
        status = pkm_fail(err, PKM_ERR_FILE, "%s: %c cannot be read", f->path, name);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return status;
}

/// The attribute `frames` of the file: a text of fixed or variable length.
static pkm_status read_names(pkm_outside_file* f, hid_t file, pkm_error* err)
{
    char text[4096] = "";
    if (H5Aexists(file, "frames") <= 0)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: the attribute 'frames' is missing", f->path);
    const hid_t attribute = H5Aopen(file, "frames", H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    if (H5Tis_variable_str(type) > 0) {
        char* lent = NULL;
        if (H5Aread(attribute, type, &lent) >= 0 && lent) {
            snprintf(text, sizeof text, "%s", lent);
            H5free_memory(lent);
        }
    } else if (H5Tget_size(type) < sizeof text) {
        if (H5Aread(attribute, type, text) < 0) text[0] = '\0';
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return take_frames(f, text, err);
}

static pkm_status read_hdf5(pkm_outside_file* f, pkm_error* err)
{
    H5E_auto2_t print;
    void* data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // HDF5 prints nothing
    const hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    pkm_status status = PKM_OK;
    if (access(f->path, R_OK) != 0)
        status =
            pkm_fail(err, PKM_ERR_FILE, "%s: cannot read the file: %s", f->path, strerror(errno));
    else if (file < 0)
        status = pkm_fail(err, PKM_ERR_FILE, "%s: this is no HDF5 file that can be read", f->path);
    if (status == PKM_OK) status = read_names(f, file, err);
    for (const char* name = "KMD"; *name && status == PKM_OK; ++name)
        status = read_dataset(f, file, *name, err);
    if (file >= 0) H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    return status;
}

pkm_status pkm_outside_file_read(pkm_outside_file* f, pkm_error* err)
{
    const char* dot = strrchr(f->path, '.');
    const bool is_hdf5 = dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
    PKM_TRY(is_hdf5 ? read_hdf5(f, err) : read_text(f, err));
    if (f->K && f->M) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL, "%s: %c is missing", f->path, f->K ? 'M' : 'K');
}
