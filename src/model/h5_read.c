// Attributes and datasets by type, rank and size, each checked before a byte is copied, then sent
// through the pipe of the child.
#include "base/error.h"
#include "model/h5.h"
#include "model/source.h"

#include <string.h>

#ifndef PKM_H5_SECONDS // fuzz targets have less patience
#define PKM_H5_SECONDS 20
#endif
enum { MAX_SECONDS = PKM_H5_SECONDS, MAX_TEXT_SIZE = 1 << 20 };
static const size_t MAX_MEMORY = (size_t)2 << 30; // [bytes], above four times the file

// ---- in the child -----------------------------------------------------------------------------
// The end of the child frees its memory and closes its files.

/// Bytes of a file and what to read from them.
typedef struct task {
    const pkm_h5_library* h5;
    const pkm_h5_wish* wish;
    const char* bytes;
    size_t size;
    pkm_isolate_pipe* pipe;
    pkm_error* err;
} task;

typedef struct texts {
    int n;
    char** text;
} texts;

static char* copy_text(const char* text, size_t max)
{
    const size_t length = strnlen(text, max);
    char* out = pkm_alloc(length + 1, 1);
    if (out) memcpy(out, text, length);
    return out;
}

/// Texts of variable length: pointers, which the library fills, one for each.
static bool read_variable(const task* t, pkm_h5_id attribute, pkm_h5_id type, texts* out)
{
    if (t->h5->H5Aread(attribute, type, out->text) < 0) return false;
    for (int i = 0; i < out->n; ++i)
        out->text[i] = copy_text(out->text[i] ? out->text[i] : "", MAX_TEXT_SIZE);
    return true;
}

/// Texts of fixed length, one behind the other.
static bool read_fixed(const task* t, pkm_h5_id attribute, pkm_h5_id type, texts* out)
{
    const size_t size = t->h5->H5Tget_size(type), n = (size_t)out->n;
    // sizes come from the file: the product is kept from overflowing
    if (size == 0 || size > MAX_TEXT_SIZE || n > MAX_TEXT_SIZE / size) return false;
    char* all = pkm_alloc(n * size + 1, 1);
    if (!all || t->h5->H5Aread(attribute, type, all) < 0) return false;
    for (size_t i = 0; i < n; ++i)
        out->text[i] = copy_text(all + i * size, size);
    return true;
}

/// The attribute `name`; false when it is not a text or a list of at most `n_max` texts.
static bool read_texts(const task* t, pkm_h5_id owner, const char* name, int n_max, texts* out)
{
    const pkm_h5_library* h5 = t->h5;
    const pkm_h5_id attribute = h5->H5Aopen(owner, name, PKM_H5_DEFAULT);
    const pkm_h5_id type = attribute >= 0 ? h5->H5Aget_type(attribute) : -1;
    const pkm_h5_id space = attribute >= 0 ? h5->H5Aget_space(attribute) : -1;
    if (type < 0 || space < 0 || h5->H5Tget_class(type) != PKM_H5_CLASS_STRING) return false;
    const long long n = h5->H5Sget_simple_extent_npoints(space);
    if (n < 0 || n > n_max) return false;
    *out = (texts){.n = (int)n, .text = pkm_alloc((size_t)n, sizeof *out->text)};
    if (!out->text) return false;
    if (n == 0) return true;
    const bool is_read = h5->H5Tis_variable_str(type) > 0 ? read_variable(t, attribute, type, out)
                                                          : read_fixed(t, attribute, type, out);
    for (int i = 0; is_read && i < out->n; ++i)
        if (!out->text[i]) return false;
    return is_read;
}

static void send_texts(const task* t, const texts* list)
{
    pkm_isolate_send(t->pipe, &list->n, sizeof list->n);
    for (int i = 0; i < list->n; ++i) {
        const size_t length = strlen(list->text[i]);
        pkm_isolate_send(t->pipe, &length, sizeof length);
        pkm_isolate_send(t->pipe, list->text[i], length);
    }
}

static pkm_status refuse(const task* t, const char* name, const char* why)
{
    return pkm_fail(t->err, PKM_ERR_SYNTAX, "'%.60s' %s", name, why);
}

static pkm_status check_shape(const task* t, const char* name, pkm_h5_id set, pkm_h5_size size[2])
{
    const pkm_h5_library* h5 = t->h5;
    const pkm_h5_id space = h5->H5Dget_space(set), type = h5->H5Dget_type(set);
    const int kind = type >= 0 ? h5->H5Tget_class(type) : -1;
    const int rank = space >= 0 ? h5->H5Sget_simple_extent_ndims(space) : -1;
    size[0] = size[1] = 1;
    if (kind != PKM_H5_CLASS_INTEGER && kind != PKM_H5_CLASS_FLOAT)
        return refuse(t, name, "holds no numbers, expected a dataset of numbers");
    // before the sizes are asked for: there is room for two
    if (rank != t->wish->rank)
        return pkm_fail(t->err, PKM_ERR_SYNTAX, "'%.60s' has %d dimensions, expected %d", name,
                        rank, t->wish->rank);
    if (h5->H5Sget_simple_extent_dims(space, size, NULL) != rank)
        return refuse(t, name, "has a size that cannot be read");
    // by a quotient, since the product may not fit
    if (size[0] > 0 && size[1] > t->wish->max_value / size[0])
        return pkm_fail(t->err, PKM_ERR_SYNTAX,
                        "'%.60s' has %llu x %llu numbers, expected at most %zu", name, size[0],
                        size[1], t->wish->max_value);
    return PKM_OK;
}

/// Send place in the list, sizes, note and numbers of a dataset; nothing when it is not there.
static pkm_status send_dataset(const task* t, pkm_h5_id group, const char* name, int index)
{
    const pkm_h5_library* h5 = t->h5;
    pkm_h5_size size[2];
    texts note = {.n = 0};
    if (h5->H5Lexists(group, name, PKM_H5_DEFAULT) <= 0) return PKM_OK;
    const pkm_h5_id set = h5->H5Dopen2(group, name, PKM_H5_DEFAULT);
    if (set < 0) return refuse(t, name, "is no dataset");
    PKM_TRY(check_shape(t, name, set, size));
    if (t->wish->note && h5->H5Aexists(set, t->wish->note) > 0 &&
        !read_texts(t, set, t->wish->note, 1, &note))
        return pkm_fail(t->err, PKM_ERR_SYNTAX,
                        "the attribute '%s' of '%.60s' is not one text, expected a text",
                        t->wish->note, name);
    const size_t n = (size_t)(size[0] * size[1]);
    double* value = pkm_alloc(n, sizeof *value);
    if (!value) return pkm_out_of_memory(t->err);
    if (n > 0 && h5->H5Dread(set, *h5->H5T_NATIVE_DOUBLE_g, PKM_H5_DEFAULT, PKM_H5_DEFAULT,
                             PKM_H5_DEFAULT, value) < 0)
        return refuse(t, name, "cannot be read");
    pkm_isolate_send(t->pipe, &index, sizeof index);
    pkm_isolate_send(t->pipe, size, sizeof size);
    send_texts(t, &note);
    pkm_isolate_send(t->pipe, value, n * sizeof *value);
    pkm_free(value);
    // one after the other: datasets of a large body would stay in memory together
    h5->H5Dclose(set);
    return PKM_OK;
}

static pkm_status send_group(const task* t, pkm_h5_id group)
{
    const pkm_h5_wish* w = t->wish;
    texts list;
    if (t->h5->H5Aexists(group, w->list) <= 0)
        return pkm_fail(t->err, PKM_ERR_SYNTAX, "the attribute '%s' of %s is missing", w->list,
                        w->group);
    if (!read_texts(t, group, w->list, w->max_text, &list))
        return pkm_fail(t->err, PKM_ERR_SYNTAX,
                        "the attribute '%s' of %s is not a text or a list of at most %d texts",
                        w->list, w->group, w->max_text);
    send_texts(t, &list);
    const int n = w->dataset ? w->n_dataset : list.n;
    for (int i = 0; i < n; ++i)
        PKM_TRY(send_dataset(t, group, w->dataset ? w->dataset[i] : list.text[i], i));
    return PKM_OK;
}

static pkm_status do_task(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    task* t = user;
    t->pipe = pipe;
    t->err = err;
    PKM_TRY(pkm_h5_begin(&t->h5, err));
    const pkm_h5_id file = pkm_h5_open_image(t->h5, t->bytes, t->size);
    if (file < 0) return pkm_fail(err, PKM_ERR_FILE, "it is no HDF5 file that can be read");
    const pkm_h5_id group = t->h5->H5Gopen2(file, t->wish->group, PKM_H5_DEFAULT);
    if (group < 0) return pkm_fail(err, PKM_ERR_SYNTAX, "it has no group %s", t->wish->group);
    return send_group(t, group);
}

// ---- in the program ---------------------------------------------------------------------------
// A child that a damaged file led astray may send anything: every count is checked.

typedef struct answer {
    const char* at;
    size_t left;
    pkm_arena* arena;
} answer;

static bool take(answer* a, void* out, size_t size)
{
    if (size > a->left) return false;
    memcpy(out, a->at, size);
    a->at += size;
    a->left -= size;
    return true;
}

static pkm_status astray(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_FILE, "reading it gave nonsense; it is damaged");
}

static pkm_status take_texts(answer* a, int n_max, const char*** out, int* n, pkm_error* err)
{
    if (!take(a, n, sizeof *n) || *n < 0 || *n > n_max) return astray(err);
    *out = pkm_arena_alloc(a->arena, (size_t)*n, sizeof **out);
    if (!*out) return pkm_out_of_memory(err);
    for (int i = 0; i < *n; ++i) {
        size_t length;
        // against what was sent, before memory is asked for
        if (!take(a, &length, sizeof length) || length > a->left) return astray(err);
        (*out)[i] = pkm_arena_text(a->arena, a->at, length);
        if (!(*out)[i]) return pkm_out_of_memory(err);
        a->at += length;
        a->left -= length;
        pkm_error inner = {.status = PKM_OK};
        if (pkm_source_check_text((*out)[i], length, "", &inner) != PKM_OK)
            return pkm_fail(err, PKM_ERR_SYNTAX, "a text in it is %s", inner.text);
    }
    return PKM_OK;
}

static pkm_status take_dataset(answer* a, const pkm_h5_wish* wish, pkm_h5_content* out,
                               pkm_error* err)
{
    pkm_h5_dataset* set = &out->dataset[out->n_dataset];
    pkm_h5_size size[2];
    const char** note;
    int index, n_note;
    const int n = wish->dataset ? wish->n_dataset : out->n_text;
    if (!take(a, &index, sizeof index) || index < 0 || index >= n || out->n_dataset == n)
        return astray(err);
    if (!take(a, size, sizeof size)) return astray(err);
    PKM_TRY(take_texts(a, 1, &note, &n_note, err));
    if (size[0] > 0 && size[1] > wish->max_value / size[0]) return astray(err);
    *set = (pkm_h5_dataset){.name = wish->dataset ? wish->dataset[index] : out->text[index],
                            .note = n_note ? note[0] : "",
                            .size = {(size_t)size[0], (size_t)size[1]}};
    set->value = pkm_arena_alloc(a->arena, set->size[0] * set->size[1], sizeof *set->value);
    if (!set->value) return pkm_out_of_memory(err);
    ++out->n_dataset;
    // the numbers must all have come: a child that was killed sends fewer
    const bool is_there = take(a, set->value, set->size[0] * set->size[1] * sizeof *set->value);
    return is_there ? PKM_OK : astray(err);
}

static pkm_status take_answer(answer* a, const pkm_h5_wish* wish, pkm_h5_content* out,
                              pkm_error* err)
{
    *out = (pkm_h5_content){.n_text = 0};
    PKM_TRY(take_texts(a, wish->max_text, &out->text, &out->n_text, err));
    const int n = wish->dataset ? wish->n_dataset : out->n_text;
    out->dataset = pkm_arena_alloc(a->arena, (size_t)n, sizeof *out->dataset);
    if (!out->dataset) return pkm_out_of_memory(err);
    while (a->left > 0)
        PKM_TRY(take_dataset(a, wish, out, err));
    return PKM_OK;
}

pkm_status pkm_h5_read(const char* path, const pkm_h5_wish* wish, pkm_arena* arena,
                       pkm_h5_content* out, pkm_error* err)
{
    char *bytes = NULL, *sent = NULL;
    size_t size = 0, n_sent = 0;
    pkm_error inner = {.status = PKM_OK};
    PKM_TRY(pkm_source_read(path, wish->max_file, &bytes, &size, err));
    task t = {.wish = wish, .bytes = bytes, .size = size};
    const pkm_isolate_limits limits = {.seconds =
                                           wish->max_seconds ? wish->max_seconds : MAX_SECONDS,
                                       .bytes = MAX_MEMORY + 4 * size,
                                       .answer = (size_t)1 << 31};
    // the HDF5 library crashes on hostile files: a child reads them, with limits of time and
    // memory
    pkm_status status = pkm_isolate(do_task, &t, &limits, &sent, &n_sent, &inner);
    pkm_free(bytes);
    answer a = {.at = sent, .left = n_sent, .arena = arena};
    if (status == PKM_OK) status = take_answer(&a, wish, out, &inner);
    pkm_free(sent);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail_at(err, status, path, 0, 0, "%s", inner.text);
}
