// A robot built by calls instead of a file (pkm/builder.h): it writes the text of a model and has
// it read, so that both ways share all checks.
#include "pkm/builder.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/yaml.h"
#include "robot/instant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// An item: like pkm_yaml, but it grows.
typedef struct item {
    pkm_yaml_kind kind;
    const char* key;  ///< inside a map
    const char* text; ///< of a scalar
    struct item *first, *last, *next;
} item;

struct pkm_builder {
    pkm_arena* arena;
    item* root;
};

// ---- the tree ---------------------------------------------------------------------------------

/// The member of a map; the key is the first `length` bytes.
static const item* find(const item* map, const char* key, size_t length)
{
    for (const item* i = map->first; i; i = i->next)
        if (i->key && strlen(i->key) == length && memcmp(i->key, key, length) == 0) return i;
    return NULL;
}

/// A new last child; its key is `length` bytes of `key`, NULL inside a list.
static item* append(pkm_builder* b, item* to, const char* key, size_t length, pkm_yaml_kind kind)
{
    item* made = pkm_arena_alloc(b->arena, 1, sizeof *made);
    if (!made) return NULL;
    *made = (item){.kind = kind, .text = ""};
    if (key && !(made->key = pkm_arena_text(b->arena, key, length))) return NULL;
    if (to->last)
        to->last->next = made;
    else
        to->first = made;
    return to->last = made;
}

/// Fill `to` with what was parsed; nodes and texts live in the builder's arena.
static bool copy(pkm_builder* b, const pkm_yaml* from, item* to)
{
    to->kind = from->kind;
    to->text = from->text;
    to->first = to->last = NULL;
    for (const pkm_yaml* child = from->first; child; child = child->next) {
        item* made = append(b, to, child->key, child->key ? strlen(child->key) : 0, child->kind);
        if (!made || !copy(b, child, made)) return false;
    }
    return true;
}

/// Keys are as long as names in a file.
static pkm_status check_path(const char* path, pkm_error* err)
{
    for (const char* key = path;; ++key) {
        const size_t length = strcspn(key, ".");
        if (length == 0 || length >= PKM_MAX_NAME)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "builder: '%.80s', expected keys with dots between them", path);
        key += length;
        if (*key == '\0') return PKM_OK;
    }
}

/// The item at `path`; what is not there is made: maps, and at its end one of `kind`.
static pkm_status reach(pkm_builder* b, const char* path, pkm_yaml_kind kind, item** out,
                        pkm_error* err)
{
    item* at = b->root;
    PKM_TRY(check_path(path, err));
    for (const char* key = path;; ++key) {
        const size_t length = strcspn(key, ".");
        if (at->kind != PKM_YAML_MAP)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "builder: '%.80s' goes through '%.40s', which has a value and no keys",
                            path, at->key ? at->key : "");
        item* next = (item*)find(at, key, length);
        const bool ends = key[length] == '\0';
        if (!next) next = append(b, at, key, length, ends ? kind : PKM_YAML_MAP);
        if (!next) return pkm_out_of_memory(err);
        at = next;
        key += length;
        if (ends) break;
    }
    *out = at;
    return PKM_OK;
}

/// The value is parsed as a file would be: "[1, 2]" is a list, "=2*l" an expression.
static pkm_status put(pkm_builder* b, const char* path, const char* value, pkm_error* err)
{
    const pkm_yaml* parsed = NULL;
    item* at;
    PKM_TRY(pkm_yaml_parse(value, strlen(value), path, b->arena, &parsed, err));
    PKM_TRY(reach(b, path, PKM_YAML_TEXT, &at, err));
    const pkm_yaml nothing = {.text = ""};
    return copy(b, parsed ? parsed : &nothing, at) ? PKM_OK : pkm_out_of_memory(err);
}

// ---- beginning and end ------------------------------------------------------------------------

void pkm_builder_free(pkm_builder* b)
{
    if (!b) return;
    pkm_arena_free(b->arena);
    pkm_free(b);
}

/// The name is a text whatever is in it: it is not parsed.
static pkm_status begin(pkm_builder* b, const char* name, pkm_error* err)
{
    item* at;
    b->arena = pkm_arena_create();
    b->root = b->arena ? pkm_arena_alloc(b->arena, 1, sizeof *b->root) : NULL;
    if (!b->root) return pkm_out_of_memory(err);
    *b->root = (item){.kind = PKM_YAML_MAP, .text = ""};
    // the key of the format, as every model file begins
    PKM_TRY(put(b, "pkm", "1", err));
    PKM_TRY(reach(b, "name", PKM_YAML_TEXT, &at, err));
    at->text = pkm_arena_text(b->arena, name, strlen(name));
    return at->text ? PKM_OK : pkm_out_of_memory(err);
}

pkm_status pkm_builder_create(const char* name, pkm_builder** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!name || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: a name or `out` is NULL");
    pkm_builder* b = pkm_alloc(1, sizeof *b);
    if (!b) return pkm_out_of_memory(err);
    const pkm_status status = begin(b, name, err);
    if (status == PKM_OK)
        *out = b;
    else
        pkm_builder_free(b);
    return status;
}

// ---- by key -----------------------------------------------------------------------------------

pkm_status pkm_builder_set(pkm_builder* b, const char* path, const char* value, pkm_error* err)
{
    if (!b || !path || !value)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: it, a path or a value is NULL");
    return put(b, path, value, err);
}

enum { MAX_LIST = 64 }; // numbers: the longest list of fixed size in a model has six

pkm_status pkm_builder_set_list(pkm_builder* b, const char* path, int n, const double* value,
                                pkm_error* err)
{
    char text[MAX_LIST * 26 + 4] = "["; // 17 digits, sign, point, exponent, separator
    if (!b || !path || n < 1 || n > MAX_LIST || !value || !pkm_all_finite(value, n))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: expected a path and 1 to %d finite numbers", MAX_LIST);
    for (int i = 0; i < n; ++i) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.17g", i ? ", " : "", value[i]);
    }
    // there is room: 26 characters for each of at most 64 numbers
    strcat(text, "]");
    return put(b, path, text, err);
}

pkm_status pkm_builder_set_number(pkm_builder* b, const char* path, double value, pkm_error* err)
{
    char text[32];
    if (!b || !path || !isfinite(value))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: expected a path and a finite number");
    snprintf(text, sizeof text, "%.17g", value);
    return put(b, path, text, err);
}

// ---- items ------------------------------------------------------------------------------------

typedef struct path {
    char text[4 * PKM_MAX_NAME + 4];
} path;

/// "section.name.key"; `key` NULL: without it.
static path path_of(const char* section, const char* name, const char* key)
{
    path p;
    snprintf(p.text, sizeof p.text, "%.*s.%.*s%s%.*s", 2 * PKM_MAX_NAME, section, PKM_MAX_NAME,
             name, key ? "." : "", PKM_MAX_NAME, key ? key : "");
    return p;
}

/// Is there an item of this name?
static bool has(const pkm_builder* b, const char* section, const char* name)
{
    const item* map = find(b->root, section, strlen(section));
    return map && find(map, name, strlen(name));
}

/// Make room for the item `name` of `section`.
static pkm_status open_item(const pkm_builder* b, const char* section, const char* name,
                            pkm_error* err)
{
    if (name[0] == '\0' || strchr(name, '.') || strlen(name) >= PKM_MAX_NAME)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: %s: '%.80s' is no name, expected letters, digits, _ and -",
                        section, name);
    if (!has(b, section, name)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: %s: there is a '%.80s' already", section,
                    name);
}

pkm_status pkm_builder_add_body(pkm_builder* b, const char* name, double mass, pkm_vec3 com,
                                const double inertia[6], pkm_error* err)
{
    const double at[] = {com.x, com.y, com.z};
    if (!b || !name || !isfinite(mass) || !pkm_all_finite(at, 3) || !inertia ||
        !pkm_all_finite(inertia, 6))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: expected a body's name, mass, centre and inertia, all finite");
    PKM_TRY(open_item(b, "bodies", name, err));
    PKM_TRY(pkm_builder_set_number(b, path_of("bodies", name, "mass").text, mass, err));
    PKM_TRY(pkm_builder_set_list(b, path_of("bodies", name, "com").text, 3, at, err));
    return pkm_builder_set_list(b, path_of("bodies", name, "inertia").text, 6, inertia, err);
}

/// The path of the points of a body that is there, or of the ground.
static pkm_status find_points(const pkm_builder* b, const char* body, path* out, pkm_error* err)
{
    *out = (path){"ground.points"};
    if (strcmp(body, "ground") == 0) return PKM_OK;
    if (!has(b, "bodies", body))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: there is no body '%.80s'", body);
    *out = path_of("bodies", body, "points");
    return PKM_OK;
}

pkm_status pkm_builder_add_point(pkm_builder* b, const char* body, const char* name, pkm_vec3 at,
                                 pkm_error* err)
{
    const double p[] = {at.x, at.y, at.z};
    path points;
    item* map;
    if (!b || !body || !name || !pkm_all_finite(p, 3))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: expected a body, a point's name and its finite coordinates");
    PKM_TRY(find_points(b, body, &points, err));
    if (name[0] == '\0' || strchr(name, '.') || strlen(name) >= PKM_MAX_NAME)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: %.80s: '%.80s' is no name, expected letters, digits, _ and -",
                        body, name);
    PKM_TRY(reach(b, points.text, PKM_YAML_MAP, &map, err));
    if (find(map, name, strlen(name)))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: %.80s: there is a point '%.80s' already",
                        body, name);
    return pkm_builder_set_list(b, path_of(points.text, name, NULL).text, 3, p, err);
}

pkm_status pkm_builder_add_joint(pkm_builder* builder, const char* name, pkm_joint_type type,
                                 const char* a, const char* b, pkm_error* err)
{
    char between[5 * PKM_MAX_NAME];
    if (!builder || !name || !a || !b || (int)type < 0 || type > PKM_JOINT_FREE ||
        strlen(a) >= 2 * PKM_MAX_NAME || strlen(b) >= 2 * PKM_MAX_NAME)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: expected a joint's name, its type and two points");
    PKM_TRY(open_item(builder, "joints", name, err));
    // quoted, since names of points have dots
    snprintf(between, sizeof between, "[\"%s\", \"%s\"]", a, b);
    PKM_TRY(put(builder, path_of("joints", name, "type").text, pkm_joint_type_name(type), err));
    return put(builder, path_of("joints", name, "between").text, between, err);
}

pkm_status pkm_builder_add_drive(pkm_builder* b, const char* name, const char* joint, double home,
                                 pkm_error* err)
{
    if (!b || !name || !joint || !isfinite(home))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "builder: expected a drive's name, its joint and a finite position");
    PKM_TRY(open_item(b, "drives", name, err));
    PKM_TRY(put(b, path_of("drives", name, "joint").text, joint, err));
    // home holds the drive: without a position the guess of the poses would decide
    return pkm_builder_set_number(b, path_of("home.drives", name, NULL).text, home, err);
}

// ---- the text ---------------------------------------------------------------------------------

typedef struct text {
    char* all;
    size_t used, room;
    bool is_short;
} text;

/// Doubled when full; what does not fit is told once, at the end.
static void add(text* to, const char* from)
{
    const size_t length = strlen(from);
    if (to->used + length + 1 > to->room) {
        const size_t room = 2 * (to->used + length + 1);
        char* all = pkm_realloc(to->all, room, 1);
        to->is_short = to->is_short || !all;
        if (!all) return;
        to->all = all;
        to->room = room;
    }
    memcpy(to->all + to->used, from, length + 1);
    to->used += length;
}

/// A scalar in quotes, where it is not plain, since all but letters and digits may mean something.
static void add_scalar(text* to, const char* value)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
    if (value[0] != '\0' && value[0] != '-' && value[strspn(value, plain)] == '\0') {
        add(to, value);
        return;
    }
    add(to, "\"");
    for (const char* c = value; *c; ++c) {
        char one[8] = {*c};
        if (*c == '"' || *c == '\\')
            snprintf(one, sizeof one, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            snprintf(one, sizeof one, "\\x%02x", (unsigned)*c);
        add(to, one);
    }
    add(to, "\"");
}

/// All of it in one line.
static void add_item(text* to, const item* from)
{
    if (from->kind == PKM_YAML_TEXT) {
        add_scalar(to, from->text);
        return;
    }
    add(to, from->kind == PKM_YAML_MAP ? "{" : "[");
    for (const item* child = from->first; child; child = child->next) {
        if (child->key) add_scalar(to, child->key);
        if (child->key) add(to, ": ");
        add_item(to, child);
        if (child->next) add(to, ", ");
    }
    add(to, from->kind == PKM_YAML_MAP ? "}" : "]");
}

char* pkm_builder_text(const pkm_builder* b)
{
    text to = {NULL};
    for (const item* section = b ? b->root->first : NULL; section; section = section->next) {
        add_scalar(&to, section->key);
        add(&to, ":");
        // one item a line below its section, as people write models
        if (section->kind != PKM_YAML_MAP || !section->first) {
            add(&to, " ");
            add_item(&to, section);
        }
        for (const item* i = section->kind == PKM_YAML_MAP ? section->first : NULL; i;
             i = i->next) {
            add(&to, "\n  ");
            add_scalar(&to, i->key);
            add(&to, ": ");
            add_item(&to, i);
        }
        add(&to, "\n");
    }
    if (!to.is_short) return to.all;
    pkm_free(to.all);
    return NULL;
}

pkm_status pkm_builder_robot(const pkm_builder* b, const char* file, const pkm_override* set,
                             int n_set, pkm_robot** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!b || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "builder: it or `out` is NULL");
    char* model = pkm_builder_text(b);
    if (!model) return pkm_out_of_memory(err);
    const pkm_status status =
        pkm_robot_parse(model, file ? file : find(b->root, "name", 4)->text, set, n_set, out, err);
    pkm_free(model);
    return status;
}
