// The library is not compiled for a robot: its empty place receives model, run and files as a
// description, and the model's digest becomes its token.
#include "export/fmu.h"

#include "base/error.h"
#include "base/sha256.h"
#include "export/fmu_sources.h"
#include "export/fmu_variables.h"
#include "export/zip.h"
#include "model/source.h"
#include "model/tree.h"
#include "write/number.h"

#include <stdio.h>
#include <string.h>

/// The first bytes of the empty place in a library, see fmu/seed_data.c.
static const char MAGIC[] = "pkm: a robot is planted here, 02";

enum { MAX_FILE = 64 << 20 };

// ---- the description --------------------------------------------------------------------------

/// Items so far, as they will stand in the library.
typedef struct seed {
    char* bytes; ///< [PKM_SEED_ROOM]
    size_t used;
} seed;

/// Behind those before; what does not fit is told by its name and size.
static pkm_status put_item(seed* s, pkm_seed_tag tag, const char* name, const char* bytes,
                           size_t size, pkm_error* err)
{
    const pkm_seed_item item = {tag, name, bytes, size};
    if (s->used + pkm_seed_item_size(&item) > PKM_SEED_ROOM)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "export: model, run and files need more than the %d kB that an FMU has for "
                        "them (%.100s: %zu kB)",
                        PKM_SEED_ROOM >> 10, name, size >> 10);
    s->used = (size_t)(pkm_seed_put(s->bytes + s->used, &item) - s->bytes);
    return PKM_OK;
}

static pkm_status put_property(seed* s, const char* name, const char* text, pkm_error* err)
{
    return put_item(s, PKM_SEED_PROPERTY, name, text, strlen(text), err);
}

/// As text with all its digits.
static pkm_status put_number(seed* s, const char* name, double value, pkm_error* err)
{
    char text[PKM_NUMBER_SIZE];
    pkm_number_format(value, text);
    return put_property(s, name, text, err);
}

/// A YAML text as a tree.
static pkm_status put_tree(seed* s, pkm_seed_tag tag, const char* name, const char* text,
                           pkm_error* err)
{
    const pkm_yaml* root = NULL;
    pkm_arena* arena = pkm_arena_create();
    if (!arena) return pkm_out_of_memory(err);
    pkm_status status = pkm_yaml_parse(text, strlen(text), name, arena, &root, err);
    char* tree = status == PKM_OK ? pkm_tree_write(root) : NULL;
    if (status == PKM_OK && !tree) status = pkm_out_of_memory(err);
    if (status == PKM_OK) status = put_item(s, tag, name, tree, strlen(tree), err);
    pkm_free(tree);
    pkm_arena_free(arena);
    return status;
}

/// The last part of a path.
static const char* base_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// A run file as a tree under its name, a choice of the command line under its key.
static pkm_status put_layer(seed* s, const pkm_run_layer* layer, pkm_error* err)
{
    if (layer->force)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "export: a force that a program computes cannot go into an FMU");
    if (!layer->key) return put_tree(s, PKM_SEED_RUN, base_name(layer->name), layer->text, err);
    char* quoted = pkm_run_quote(layer->text);
    if (!quoted) return pkm_out_of_memory(err);
    const pkm_status status = put_tree(s, PKM_SEED_CHOICE, layer->key, quoted, err);
    pkm_free(quoted);
    return status;
}

/// Is `path` the model, or a file of the run?
static bool is_written_otherwise(const pkm_fmu_spec* spec, const char* path)
{
    if (strcmp(path, spec->robot->desc->file) == 0) return true;
    for (int i = 0; i < spec->run->n_layer; ++i)
        if (!spec->run->layer[i].key && strcmp(spec->run->layer[i].name, path) == 0) return true;
    return false;
}

/// How model or run call a file: without the folder that they stand in.
static const char* name_within(const pkm_fmu_spec* spec, const char* path)
{
    const char* owner = spec->robot->desc->file;
    for (int i = -1; i < spec->run->n_layer; ++i) {
        if (i >= 0) owner = spec->run->layer[i].key ? "" : spec->run->layer[i].name;
        const size_t folder = (size_t)(base_name(owner) - owner);
        if (folder > 0 && strncmp(path, owner, folder) == 0) return path + folder;
    }
    return path;
}

/// Meshes and samples that were read beside the model.
static pkm_status put_files(seed* s, const pkm_fmu_spec* spec, pkm_error* err)
{
    for (int i = 0; pkm_sources_get(i); ++i) {
        const char* path = pkm_sources_get(i)->path;
        const size_t length = strlen(path);
        char* bytes = NULL;
        size_t size = 0;
        if (is_written_otherwise(spec, path)) continue;
        if (length > 3 && strcmp(path + length - 3, ".h5") == 0)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "export: an FMU cannot carry flexible bodies of HDF5 files (%s)", path);
        PKM_TRY(pkm_source_peek(path, MAX_FILE, &bytes, &size, err));
        const pkm_status status =
            put_item(s, PKM_SEED_FILE, name_within(spec, path), bytes, size, err);
        pkm_free(bytes);
        PKM_TRY(status);
    }
    return PKM_OK;
}

static pkm_status put_properties(seed* s, const pkm_fmu_spec* spec, const pkm_fmu_variables* list,
                                 pkm_error* err)
{
    PKM_TRY(put_number(s, "columns", list->n_column, err));
    PKM_TRY(put_number(s, "states", pkm_fmu_count(list, PKM_FMU_STATE), err));
    PKM_TRY(put_number(s, "signals", list->n_signal, err));
    PKM_TRY(put_number(s, "references", list->references, err));
    PKM_TRY(put_number(s, "steps", spec->steps, err));
    PKM_TRY(put_number(s, "exchange", spec->exchange, err));
    PKM_TRY(put_number(s, "end", list->has_end ? list->end : 0.0, err));
    for (int i = 0; i < 6; ++i) {
        char name[32];
        snprintf(name, sizeof name, "wrench%d", i);
        PKM_TRY(put_number(s, name, list->wrench[i], err));
    }
    for (int i = 0; i < list->n; ++i) {
        const pkm_fmu_variable* v = &list->item[i];
        char name[32];
        // the class stands before the number of a variable
        if (v->reference / PKM_REFERENCE_CLASS != PKM_REFERENCE_SIGNAL) continue;
        snprintf(name, sizeof name, "signal%u", v->reference % PKM_REFERENCE_CLASS);
        PKM_TRY(put_number(s, name, v->start, err));
    }
    return PKM_OK;
}

/// In the order in which the library takes them: model, overrides, run, files, facts.
static pkm_status put_all(seed* s, const pkm_fmu_spec* spec, const pkm_fmu_variables* list,
                          pkm_error* err)
{
    const pkm_description* desc = spec->robot->desc;
    if (spec->run->settings.program.control)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "export: a controller that a program computes cannot go into an FMU");
    s->used = PKM_SEED_HEAD;
    PKM_TRY(put_tree(s, PKM_SEED_MODEL, base_name(desc->file), desc->content, err));
    for (int i = 0; i < desc->n_set; ++i)
        PKM_TRY(put_item(s, PKM_SEED_SET, desc->set[i].name, desc->set[i].value,
                         strlen(desc->set[i].value), err));
    for (int i = 0; i < spec->run->n_layer; ++i)
        PKM_TRY(put_layer(s, &spec->run->layer[i], err));
    PKM_TRY(put_files(s, spec, err));
    return put_properties(s, spec, list, err);
}

static size_t size_of(const pkm_fmu_library* library)
{
    return (size_t)(library->end - library->bytes);
}

/// What makes an FMU this one: a hash of what is inside, in the form of a GUID.
static void make_token(const seed* s, const pkm_fmu_spec* spec, char token[40])
{
    char hash[PKM_SHA256_SIZE];
    pkm_sha256 sha = pkm_sha256_make();
    pkm_sha256_add(&sha, s->bytes + PKM_SEED_HEAD, s->used - PKM_SEED_HEAD);
    pkm_sha256_add(&sha, PKM_VERSION, strlen(PKM_VERSION));
    for (int i = 0; i < spec->n_library; ++i)
        pkm_sha256_add(&sha, spec->library[i].bytes, size_of(&spec->library[i]));
    pkm_sha256_finish(&sha, hash);
    snprintf(token, 40, "{%.8s-%.4s-%.4s-%.4s-%.12s}", hash, hash + 8, hash + 12, hash + 16,
             hash + 20);
}

// ---- the archive ------------------------------------------------------------------------------

/// The first bytes of a description: magic, room, how much of it is used.
static void write_head(char* place, size_t used)
{
    char head[PKM_SEED_HEAD + 1];
    snprintf(head, sizeof head, "%.32s%08zx%08zx", MAGIC, (size_t)PKM_SEED_ROOM, used);
    memcpy(place, head, PKM_SEED_HEAD);
}

/// A copy of the library with the description in its place; NULL: memory is out.
static pkm_status plant(const pkm_fmu_library* library, const seed* s, unsigned char** out,
                        pkm_error* err)
{
    // exactly one place, else the library is not of this version
    const size_t room = PKM_SEED_ROOM, size = size_of(library);
    size_t at = 0, found = 0, n = 0;
    for (; at + room <= size; ++at)
        if (library->bytes[at] == (unsigned char)MAGIC[0] &&
            memcmp(library->bytes + at, MAGIC, PKM_SEED_MAGIC) == 0) {
            found = at;
            ++n;
        }
    *out = NULL;
    if (n != 1)
        return pkm_fail(
            err, PKM_ERR_FILE,
            "export: the library for %s has %zu places for a robot, expected 1: it is of another "
            "version; 'make windows' builds that for Windows",
            library->folder[0], n);
    unsigned char* copy = *out = pkm_alloc(size, 1);
    if (!copy) return pkm_out_of_memory(err);
    memcpy(copy, library->bytes, size);
    memcpy(copy + found, s->bytes, s->used);
    write_head((char*)copy + found, s->used);
    return PKM_OK;
}

static pkm_status add_libraries(pkm_zip* zip, const pkm_fmu_spec* spec, const seed* s,
                                const char* model, pkm_error* err)
{
    for (int i = 0; i < spec->n_library; ++i) {
        const pkm_fmu_library* library = &spec->library[i];
        unsigned char* bytes = NULL;
        char name[200];
        snprintf(name, sizeof name, "binaries/%s/%s%s", library->folder[spec->version - 2], model,
                 library->suffix);
        pkm_status status = plant(library, s, &bytes, err);
        if (status == PKM_OK) status = pkm_zip_add(zip, name, bytes, size_of(library), err);
        pkm_free(bytes);
        PKM_TRY(status);
    }
    return PKM_OK;
}

/// An FMU on its way into the archive.
typedef struct work {
    const pkm_fmu_spec* spec;
    const pkm_fmu_variables* list;
    seed* seed;
    const char* model;
    char token[40];
    pkm_bundle sources;
} work;

/// The description as it stands in a library: with the magic before it.
static pkm_status add_sources(pkm_zip* zip, const work* w, pkm_error* err)
{
    if (w->sources.n == 0) return PKM_OK;
    write_head(w->seed->bytes, w->seed->used);
    return pkm_fmu_add_sources(&w->sources, w->spec->version, w->model, w->seed->bytes,
                               w->seed->used, zip, err);
}

static pkm_status write_archive(const work* w, pkm_zip* zip, pkm_error* err)
{
    const pkm_fmu_spec* spec = w->spec;
    char* page = pkm_fmu_describe(spec, w->list, &w->sources, w->model, w->token);
    if (!page) return pkm_out_of_memory(err);
    pkm_status status = pkm_zip_add(zip, "modelDescription.xml", page, strlen(page), err);
    pkm_free(page);
    if (status == PKM_OK) status = add_libraries(zip, spec, w->seed, w->model, err);
    if (status == PKM_OK) status = add_sources(zip, w, err);
    for (int i = 0; i < spec->n_text && status == PKM_OK; ++i)
        status = pkm_zip_add(zip, spec->text[i].name, spec->text[i].bytes,
                             (size_t)(spec->text[i].end - spec->text[i].bytes), err);
    return status;
}

/// A name that C takes, from that of the model's file: gough-stewart.yaml is gough_stewart.
static void make_name(const char* file, char name[64])
{
    const char* from = base_name(file);
    size_t n = 0;
    for (; from[n] && from[n] != '.' && n < 60; ++n) {
        const char c = from[n];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        name[n] = is_letter || (n > 0 && c >= '0' && c <= '9') ? c : '_';
    }
    name[n] = '\0';
    if (n == 0) strcpy(name, "robot");
}

/// The token is a hash of what was planted, so it is planted last.
static pkm_status write_fmu(work* w, pkm_fmu_report* report, pkm_error* err)
{
    pkm_zip* zip = NULL;
    PKM_TRY(put_all(w->seed, w->spec, w->list, err));
    make_token(w->seed, w->spec, w->token);
    PKM_TRY(put_property(w->seed, "token", w->token, err));
    PKM_TRY(
        pkm_bundle_read(w->spec->sources, w->spec->n_sources, w->spec->version, &w->sources, err));
    for (int i = 0; i < w->sources.n; ++i)
        report->n_source += pkm_bundle_is_compiled(&w->sources.file[i]);
    make_name(w->spec->robot->desc->file, report->name);
    w->model = report->name;
    PKM_TRY(pkm_zip_open(w->spec->path, &zip, err));
    const pkm_status status = write_archive(w, zip, err);
    if (status == PKM_OK) return pkm_zip_close(zip, err);
    pkm_zip_discard(zip);
    return status;
}

pkm_status pkm_fmu_write(const pkm_fmu_spec* spec, pkm_fmu_report* report, pkm_error* err)
{
    pkm_fmu_variables list;
    seed s = {.bytes = pkm_alloc(PKM_SEED_ROOM, 1)};
    *report = (pkm_fmu_report){.name = ""};
    if (!s.bytes) return pkm_out_of_memory(err);
    pkm_status status = pkm_fmu_list_variables(spec, &list, err);
    work w = {.spec = spec, .list = &list, .seed = &s};
    if (status == PKM_OK) status = write_fmu(&w, report, err);
    pkm_bundle_free(&w.sources);
    report->n_parameter = pkm_fmu_count(&list, PKM_FMU_PARAMETER);
    report->n_input = pkm_fmu_count(&list, PKM_FMU_INPUT);
    report->n_output = pkm_fmu_count(&list, PKM_FMU_OUTPUT) + pkm_fmu_count(&list, PKM_FMU_COUNT);
    report->n_state = pkm_fmu_count(&list, PKM_FMU_STATE);
    report->seed = s.used;
    report->end = list.end;
    pkm_fmu_variables_free(&list);
    pkm_free(s.bytes);
    return status;
}
