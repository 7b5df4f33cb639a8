// Files of imported bodies, text or HDF5: names of the frames, number of coordinates, K, M and D.
#include "flexible/imported_file.h"

#include "base/error.h"
#include "model/h5.h"
#include "model/source.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Three matrices of 3000 coordinates are 216 MB of doubles.
enum { MAX_MB = 256 };

static double** matrix_of(pkm_imported_file* f, char name)
{
    return name == 'K' ? &f->K : name == 'M' ? &f->M : name == 'D' ? &f->D : NULL;
}

static pkm_status check_size(const pkm_imported_file* f, double n, pkm_error* err)
{
    if (n >= 1.0 && n <= PKM_OUTSIDE_MAX_SIZE && n == floor(n)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL,
                    "%s: %.9g coordinates, expected a whole number from 1 to %d", f->path, n,
                    PKM_OUTSIDE_MAX_SIZE);
}

/// Names separated by blanks, behind those that are there.
static pkm_status take_frames(pkm_imported_file* f, const char* text, pkm_error* err)
{
    static const char blank[] = " \t\r\n\v\f";
    for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
        const size_t length = strcspn(text, blank);
        if (f->n_frame == PKM_OUTSIDE_MAX_FRAME)
            return pkm_fail(err, PKM_ERR_MODEL, "%s: more than %d frames", f->path,
                            PKM_OUTSIDE_MAX_FRAME);
        if (length >= PKM_MAX_NAME)
            return pkm_fail(err, PKM_ERR_MODEL, "%s: '%.60s...' is too long a name", f->path, text);
        char* name = f->frame[f->n_frame++];
        memcpy(name, text, length);
        name[length] = '\0';
        text += length;
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
    // ends of lines stay: messages count them
    for (char* c = strchr(text, '#'); c; c = strchr(c, '#'))
        while (*c && *c != '\n')
            *c++ = ' ';
}

static pkm_status scan_matrix(pkm_imported_file* f, scanner* s, char name, pkm_error* err)
{
    const size_t count = (size_t)f->n * (size_t)f->n;
    double** to = matrix_of(f, name);
    if (f->n == 0)
        return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: 'coordinates' comes before %c", f->path,
                        s->line, name);
    if (*to)
        return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: %c for the second time", f->path, s->line,
                        name);
    *to = pkm_arena_alloc(f->arena, count, sizeof **to);
    if (!*to) return pkm_out_of_memory(err);
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

static pkm_status scan_frames(pkm_imported_file* f, scanner* s, pkm_error* err)
{
    const size_t length = strcspn(s->at, "\n");
    char* line = pkm_arena_text(f->arena, s->at, length);
    if (!line) return pkm_out_of_memory(err);
    s->at += length;
    f->n_frame = 0;
    return take_frames(f, line, err);
}

/// The size of all matrices, given once and before them.
static pkm_status scan_size(pkm_imported_file* f, scanner* s, pkm_error* err)
{
    int used = 0;
    double n = 0.0;
    if (f->n > 0)
        return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: 'coordinates' for the second time", f->path,
                        s->line);
    // sscanf stops at the number, the text behind it is read next
    if (sscanf(s->at, "%lf%n", &n, &used) != 1) n = 0.0;
    PKM_TRY(check_size(f, n, err));
    s->at += used;
    f->n = (int)n;
    return PKM_OK;
}

/// One of `frames A B`, `coordinates 12`, `K ...`, `M ...`, `D ...`.
static pkm_status scan_item(pkm_imported_file* f, scanner* s, pkm_error* err)
{
    char word[32];
    int used = 0;
    if (sscanf(s->at, "%31s%n", word, &used) != 1) return PKM_OK;
    s->at += used;
    if (strcmp(word, "frames") == 0) return scan_frames(f, s, err);
    if (strcmp(word, "coordinates") == 0) return scan_size(f, s, err);
    if (strlen(word) == 1 && matrix_of(f, word[0])) return scan_matrix(f, s, word[0], err);
    return pkm_fail(err, PKM_ERR_MODEL, "%s:%d: '%.20s', expected frames, coordinates, K, M or D",
                    f->path, s->line, word);
}

static pkm_status read_text(pkm_imported_file* f, pkm_error* err)
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

static pkm_status take_matrix(pkm_imported_file* f, const pkm_h5_dataset* set, pkm_error* err)
{
    if (set->size[0] != set->size[1] || (f->n > 0 && set->size[0] != (size_t)f->n))
        return pkm_fail(err, PKM_ERR_MODEL, "%s: %s is %zu x %zu, expected square and all alike",
                        f->path, set->name, set->size[0], set->size[1]);
    PKM_TRY(check_size(f, (double)set->size[0], err));
    f->n = (int)set->size[0];
    // by rows; as they are symmetric, which is checked later, that is by columns too
    *matrix_of(f, set->name[0]) = set->value;
    return PKM_OK;
}

/// The attribute `frames` is one text or a list of texts.
static pkm_status read_hdf5(pkm_imported_file* f, pkm_error* err)
{
    static const char* const matrix[] = {"K", "M", "D"};
    const pkm_h5_wish wish = {.group = "/",
                              .list = "frames",
                              .dataset = matrix,
                              .n_dataset = 3,
                              .rank = 2,
                              .max_text = 4 * PKM_OUTSIDE_MAX_FRAME,
                              .max_value = (size_t)PKM_OUTSIDE_MAX_SIZE * PKM_OUTSIDE_MAX_SIZE,
                              .max_file = (size_t)MAX_MB << 20};
    pkm_h5_content content;
    PKM_TRY(pkm_h5_read(f->path, &wish, f->arena, &content, err));
    f->n_frame = 0;
    for (int i = 0; i < content.n_text; ++i)
        PKM_TRY(take_frames(f, content.text[i], err));
    for (int i = 0; i < content.n_dataset; ++i)
        PKM_TRY(take_matrix(f, &content.dataset[i], err));
    return PKM_OK;
}

pkm_status pkm_imported_file_read(pkm_imported_file* f, pkm_error* err)
{
    const pkm_status status = pkm_h5_is_name(f->path) ? read_hdf5(f, err) : read_text(f, err);
    if (status != PKM_OK && err && err->file[0]) // the caller has a place of its own
        return pkm_fail(err, status, "%s: %s", f->path, err->text);
    if (status != PKM_OK) return status;
    if (f->K && f->M) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL, "%s: %c is missing", f->path, f->K ? 'M' : 'K');
}
