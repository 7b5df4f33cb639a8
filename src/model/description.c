// From bytes to a description: text, tree, parameters, then section by section through the tables
// of keys. The text stays with it, since messages point into it and pages carry it on.
#include "model/description.h"

#include "base/error.h"
#include "math/quat.h"
#include "model/reader_impl.h"
#include "model/source.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_MB = 16 };

/// FNV-1a, 64 bits:  h = (h xor byte) * prime.
static uint64_t fnv1a(uint64_t hash, const char* bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/// The file's bytes, then for each override a zero byte, the name, `=` and the value.
static void write_hash(const char* text, size_t length, const pkm_override* set, int n_set,
                       char out[17])
{
    uint64_t hash = fnv1a(UINT64_C(0xcbf29ce484222325), text, length);
    for (int i = 0; i < n_set; ++i) {
        hash = fnv1a(hash, "", 1);
        hash = fnv1a(hash, set[i].name, strlen(set[i].name));
        hash = fnv1a(hash, "=", 1);
        hash = fnv1a(hash, set[i].value, strlen(set[i].value));
    }
    snprintf(out, 17, "%016" PRIx64, hash);
}

// ---- the table --------------------------------------------------------------------------------

#define AT(member)  offsetof(pkm_description, member)
#define EACH(named) .kind = PKM_KEY_EACH, .is_name = true, .section = &(named)
static const pkm_key assembly_keys[] = {
    {"tolerance", "gap that redundant closures may keep, for rounded dimensions", PKM_KEY_NUMBER,
     AT(assembly_tolerance), &pkm_dim_length, PKM_RANGE_POSITIVE, .must = true},
    {.name = NULL}};
static const pkm_section assembly = {.key = assembly_keys};
static const pkm_key tools[] = {{.kind = PKM_KEY_MARKER},
                                {.kind = PKM_KEY_MAP, .section = &pkm_model_tool},
                                {.kind = PKM_KEY_OWN}};
static const pkm_key markers[] = {{.kind = PKM_KEY_MARKER}, {.kind = PKM_KEY_OWN}};
static const pkm_key payload[] = {{.kind = PKM_KEY_MAP, .section = &pkm_model_payload},
                                  {.kind = PKM_KEY_OWN}};
static const pkm_key payloads[] = {{.kind = PKM_KEY_MAP, .section = &pkm_model_payload},
                                   {.kind = PKM_KEY_LIST, .either = payload},
                                   {.kind = PKM_KEY_OWN}};
static const pkm_key published[] = {{.kind = PKM_KEY_MAP, .section = &pkm_model_published},
                                    {.kind = PKM_KEY_OWN}};

/// Kinds with a place are read with the file's heading; maps and lists by the readers of
/// reader_impl.h, in their order.
static const pkm_key model_keys[] = {
    {"pkm", "format version", PKM_KEY_VERSION, .must = true},
    {"name", "of the robot", PKM_KEY_TEXT, AT(name), .must = true},
    {"description", NULL, PKM_KEY_TEXT, .at = AT(text)},
    {"source", "what it is and where it is published", PKM_KEY_TEXT, .at = AT(source)},
    {"gravity", "acceleration; default `[0, 0, -9.80665]`", PKM_KEY_VECTOR, AT(gravity),
     .dimension = &pkm_dim_acceleration},
    {"assembly", "how exactly it is put together", PKM_KEY_MAP, 0, .section = &assembly},
    {"parameters", "numbers for expressions", .kind = PKM_KEY_PARAMETERS},
    {"materials", "name -> material", EACH(pkm_model_material)},
    {"ground", "points, frames and shape of the ground", PKM_KEY_OWN,
     .either = (const pkm_key[]){{.kind = PKM_KEY_MAP, .section = &pkm_model_ground},
                                 {.kind = PKM_KEY_OWN}}},
    {"bodies", "name -> body", EACH(pkm_model_body)},
    {"joints", "name -> joint", EACH(pkm_model_joint)},
    {"drives", "name -> drive", EACH(pkm_model_drive)},
    {"limbs", "name -> pattern of bodies, joints and drives with its copies", EACH(pkm_model_limb)},
    {"tool", "the point whose motion is the robot's purpose", PKM_KEY_OWN, .either = tools},
    {"payload", "what the tool carries: one, or a list", PKM_KEY_OWN, .either = payloads},
    {"outputs", "further points whose motion goes into the tables", PKM_KEY_OWN,
     .either =
         (const pkm_key[]){
             {.kind = PKM_KEY_LIST, .n_most = 1000, .is_unique = true, .either = markers},
             {.kind = PKM_KEY_OWN}}},
    {"home", "the configuration to assemble in", PKM_KEY_OWN,
     .either = (const pkm_key[]){{.kind = PKM_KEY_MAP, .section = &pkm_model_home},
                                 {.kind = PKM_KEY_OWN}}},
    {"motions", "name -> motion", EACH(pkm_model_motion)},
    {"published", "values of the source, set beside ours", PKM_KEY_OWN,
     .either = (const pkm_key[]){{.kind = PKM_KEY_LIST, .n_most = 10000, .either = published},
                                 {.kind = PKM_KEY_OWN}}},
    {"closed_form", "family of robots and its parameters", PKM_KEY_OWN,
     .either = (const pkm_key[]){{.kind = PKM_KEY_MAP, .section = &pkm_model_closed_form},
                                 {.kind = PKM_KEY_OWN}}},
    {.name = NULL}};
static const pkm_key_rule model_rules[] = {
    {PKM_RULE_SOME, "bodies limbs", "the key 'bodies' is missing"}, {0}};
const pkm_section pkm_model_file = {
    NULL, "A parallel robot; docs/reference/model-file.md describes every key.", model_keys,
    .rule = model_rules};

/// With their units, for tables of parameters.
static pkm_status keep_parameters(const pkm_reader* r)
{
    pkm_description* desc = r->desc;
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, r->scope->n_parameter, sizeof *desc->parameter, &room));
    desc->parameter = room;
    for (int i = 0; i < r->scope->n_parameter; ++i) {
        const pkm_parameter* from = &r->scope->parameter[i];
        pkm_desc_parameter* to = &desc->parameter[i];
        to->value = from->value.value;
        to->is_derived = from->is_derived;
        PKM_TRY(pkm_reader_keep(r, from->name, &to->name));
        const pkm_unit_text unit = pkm_dimension_unit(from->value.dimension);
        PKM_TRY(pkm_reader_keep(r, unit.text, &to->unit));
    }
    desc->n_parameter = r->scope->n_parameter;
    return PKM_OK;
}

/// The file must be right by itself; then the overrides of the command line are put over it.
static pkm_status read_parameters(pkm_reader* r, const pkm_override* set, int n_set)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "parameters");
    if (node && node->n_child > PKM_MAX_PARAMETER)
        return pkm_reader_fail(r, node, "%d parameters, expected at most %d", node->n_child,
                               PKM_MAX_PARAMETER);
    pkm_scope* scopes = pkm_arena_alloc(r->scratch, 2, sizeof *scopes);
    if (!scopes) return pkm_reader_fail_memory(r);
    PKM_TRY(pkm_scope_read(node, r->desc->file, r->scratch, &scopes[0], r->err));
    PKM_TRY(pkm_scope_evaluate(&scopes[0]));
    PKM_TRY(pkm_scope_copy(&scopes[0], r->scratch, &scopes[1]));
    scopes[1].warnings = &r->desc->warnings; // of the values that count
    PKM_TRY(pkm_scope_override(&scopes[0], set, n_set, &scopes[1], r->err));
    r->scope = &scopes[1];
    return keep_parameters(r);
}

/// What has no name but its key: format version, texts, gravity, assembly. Parameters are known by
/// then.
static pkm_status read_heading(pkm_reader* r)
{
    // standard gravity
    r->desc->gravity = (pkm_vec3){0.0, 0.0, -9.80665};
    return pkm_keys_read(r, r->root, &pkm_model_file, r->desc);
}

static pkm_status read_model(pkm_reader* r, const pkm_override* set, int n_set)
{
    PKM_TRY(pkm_keys_check(r, r->root, &pkm_model_file));
    PKM_TRY(read_parameters(r, set, n_set));
    PKM_TRY(read_heading(r));
    PKM_TRY(pkm_materials_read(r));
    // limbs multiply bodies, joints, drives: how many there are is known behind them
    PKM_TRY(pkm_limbs_read(r));
    PKM_TRY(pkm_counts_reserve(r));
    PKM_TRY(pkm_bodies_read(r));
    PKM_TRY(pkm_bodies_read_details(r));
    PKM_TRY(pkm_joints_read(r));
    PKM_TRY(pkm_drives_read(r));
    // what refers to bodies, points and drives comes behind all of these
    PKM_TRY(pkm_connections_check(r));
    PKM_TRY(pkm_payload_read(r));
    PKM_TRY(pkm_tool_read(r));
    PKM_TRY(pkm_outputs_read(r));
    PKM_TRY(pkm_home_read(r));
    PKM_TRY(pkm_closed_form_read(r));
    PKM_TRY(pkm_motions_read(r));
    return pkm_published_read(r);
}

static pkm_description* create(const char* name)
{
    pkm_arena* arena = pkm_arena_create();
    if (!arena) return NULL;
    pkm_description* desc = pkm_arena_alloc(arena, 1, sizeof *desc);
    char* file = pkm_arena_text(arena, name, strlen(name));
    if (!desc || !file) {
        pkm_arena_free(arena);
        return NULL;
    }
    desc->arena = arena;
    desc->file = file;
    desc->name = desc->text = desc->source = "";
    desc->tool_marker = PKM_NONE;
    // not known yet
    desc->length_scale = NAN;
    desc->home_tool = pkm_pose_identity();
    return desc;
}

/// Bytes are checked before they are parsed: UTF-8, no control characters.
static pkm_status parse_text(pkm_reader* r, const char* text, size_t length)
{
    const char* file = r->desc->file;
    if (length == 0)
        return pkm_fail_at(r->err, PKM_ERR_SYNTAX, file, 1, 1,
                           "the file is empty, expected a model");
    PKM_TRY(pkm_source_check_text(text, length, file, r->err));
    return pkm_yaml_parse(text, length, file, r->scratch, &r->root, r->err);
}

/// The text and the overrides stay with the description.
static pkm_status keep_text(const pkm_reader* r, const char* text, size_t length,
                            const pkm_override* set, int n_set)
{
    char* content = pkm_arena_alloc(r->desc->arena, length + 1, 1);
    pkm_override* copy = pkm_arena_alloc(r->desc->arena, (size_t)n_set + 1, sizeof *copy);
    if (!content || !copy) return pkm_reader_fail_memory(r);
    memcpy(content, text, length);
    for (int i = 0; i < n_set; ++i) {
        PKM_TRY(pkm_reader_keep(r, set[i].name, &copy[i].name));
        PKM_TRY(pkm_reader_keep(r, set[i].value, &copy[i].value));
    }
    r->desc->content = content;
    r->desc->set = copy;
    r->desc->n_set = n_set;
    return PKM_OK;
}

/// `root` is the tree of the text; NULL: it is to be parsed.
static pkm_status make(const pkm_yaml* root, const char* text, size_t length, const char* name,
                       const pkm_override* set, int n_set, pkm_description** out, pkm_error* err)
{
    *out = NULL;
    pkm_reader r = {.desc = create(name), .scratch = pkm_arena_create(), .root = root, .err = err};
    pkm_status status = PKM_OK;
    if (r.scratch) r.index = pkm_arena_alloc(r.scratch, PKM_N_NAMED, sizeof *r.index);
    if (!r.desc || !r.index) status = pkm_reader_fail_memory(&r);
    if (status == PKM_OK) status = keep_text(&r, text, length, set, n_set);
    if (status == PKM_OK) write_hash(text, length, set, n_set, r.desc->hash);
    if (status == PKM_OK && !root) status = parse_text(&r, text, length);
    if (status == PKM_OK) status = read_model(&r, set, n_set);
    pkm_arena_free(r.scratch);
    if (status == PKM_OK) {
        *out = r.desc;
    } else {
        if (err) pkm_source_clean(err->text);
        pkm_description_free(r.desc);
    }
    return status;
}

pkm_status pkm_description_parse(const char* text, size_t length, const char* name,
                                 const pkm_override* set, int n_set, pkm_description** out,
                                 pkm_error* err)
{
    return make(NULL, text, length, name, set, n_set, out, err);
}

pkm_status pkm_description_from_tree(const pkm_yaml* root, const char* text, const char* name,
                                     const pkm_override* set, int n_set, pkm_description** out,
                                     pkm_error* err)
{
    return make(root, text, strlen(text), name, set, n_set, out, err);
}

pkm_status pkm_description_read(const char* path, const pkm_override* set, int n_set,
                                pkm_description** out, pkm_error* err)
{
    *out = NULL;
    char* text = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &text, &length, err));
    const pkm_status status = pkm_description_parse(text, length, path, set, n_set, out, err);
    pkm_free(text);
    return status;
}

pkm_status pkm_description_add_motion(pkm_description* desc, const pkm_desc_motion* motion)
{
    const size_t n = (size_t)desc->n_motion;
    if (desc->n_motion >= desc->room_motion) {
        pkm_desc_motion* all = pkm_arena_alloc(desc->arena, n + 1, sizeof *all);
        if (!all) return PKM_ERR_MEMORY;
        if (n > 0) memcpy(all, desc->motion, n * sizeof *all);
        desc->motion = all;
        desc->room_motion = desc->n_motion + 1;
    }
    desc->motion[desc->n_motion++] = *motion;
    return PKM_OK;
}

static void free_motion(const pkm_desc_motion* motion)
{
    pkm_motion_free(motion->motion);
    pkm_arena_free(motion->arena);
}

void pkm_description_release_motion(pkm_description* desc, int index)
{
    desc->motion[index].is_over = true;
    // only from the end: numbers of motions stay what they are
    while (desc->n_motion > desc->n_file_motion && desc->motion[desc->n_motion - 1].is_over)
        free_motion(&desc->motion[--desc->n_motion]);
}

/// All but the counts of sharing, which belong to the object.
void pkm_description_copy(const pkm_description* from, pkm_description* to)
{
    memcpy(to, from, offsetof(pkm_description, n_share));
    to->n_share = 0;
}

pkm_description* pkm_description_share(pkm_description* desc)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_description* view = arena ? pkm_arena_alloc(arena, 1, sizeof *view) : NULL;
    if (!view) {
        pkm_arena_free(arena);
        return NULL;
    }
    pkm_description_copy(desc, view);
    view->arena = arena;
    view->base = desc;
    view->n_motion = desc->n_file_motion;
    view->room_motion = 0; // what is added goes to a list of its own
    ++desc->n_share;
    return view;
}

void pkm_description_free(pkm_description* desc)
{
    // the last of those that share it frees it
    if (!desc || desc->n_share-- > 0) return;
    pkm_description* base = desc->base;
    for (int i = base ? desc->n_file_motion : 0; i < desc->n_motion; ++i)
        free_motion(&desc->motion[i]);
    pkm_arena_free(desc->arena); // which it lives in
    pkm_description_free(base);
}
