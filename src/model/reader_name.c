// Names in a model resolved to bodies, points, joints, with limbs before or without them, and the
// nearest known name where one is unknown.
#include "base/error.h"
#include "model/key.h"

#include <stdio.h>
#include <string.h>

/// `text` with every `{}` replaced by `copy`; returns the length it needs.
static size_t fill_braces(const char* text, const char* copy, char out[PKM_MAX_NAME])
{
    size_t used = 0;
    while (*text) {
        const bool is_brace = strncmp(text, "{}", 2) == 0;
        const size_t n = is_brace ? strlen(copy) : 1;
        if (used + n < PKM_MAX_NAME) memcpy(out + used, is_brace ? copy : text, n);
        used += n;
        text += is_brace ? 2 : 1;
    }
    if (used < PKM_MAX_NAME) out[used] = '\0';
    return used;
}

pkm_status pkm_reader_name(const pkm_reader* r, const pkm_yaml* node, const char* short_name,
                           bool is_prefixed, char out[PKM_MAX_NAME])
{
    const bool has_braces = strpbrk(short_name, "{}") != NULL;
    size_t length = 0;
    if (r->copy && is_prefixed && !has_braces) {
        length = (size_t)snprintf(out, PKM_MAX_NAME, "%s.%s", r->copy->name, short_name);
    } else {
        length = fill_braces(short_name, r->copy ? r->copy->name : "{}", out);
    }
    if (length >= PKM_MAX_NAME)
        return pkm_reader_fail_key(r, node, "the name '%.60s' is too long, expected less than %d",
                                   short_name, PKM_MAX_NAME);
    if (!strpbrk(out, "{}")) return PKM_OK;
    return pkm_reader_fail_key(r, node, "the name '%.60s' has %s", short_name,
                               r->copy ? "a brace alone" : "{} outside of a limb");
}

/// Names that a reference may mean, best first: inside the copy, a point of the copy on a body
/// outside, and as it stands.
typedef struct candidates {
    int n;
    char name[3][PKM_MAX_NAME];
} candidates;

static pkm_status list_candidates(const pkm_reader* r, const pkm_yaml* node, const char* text,
                                  candidates* out)
{
    out->n = 0;
    if (strlen(text) >= PKM_MAX_NAME)
        return pkm_reader_fail(r, node, "the name '%.60s' is too long, expected less than %d", text,
                               PKM_MAX_NAME);
    if (r->copy) PKM_TRY(pkm_reader_name(r, node, text, true, out->name[out->n++]));
    const char* dot = strrchr(text, '.');
    if (r->copy && dot) {
        char body[PKM_MAX_NAME], point[PKM_MAX_NAME], full[2 * PKM_MAX_NAME];
        snprintf(full, sizeof full, "%.*s", (int)(dot - text), text);
        PKM_TRY(pkm_reader_name(r, node, full, false, body));
        PKM_TRY(pkm_reader_name(r, node, dot + 1, true, point));
        const int length = snprintf(full, sizeof full, "%s.%s", body, point);
        if (length < PKM_MAX_NAME) memcpy(out->name[out->n++], full, (size_t)length + 1);
    }
    return pkm_reader_name(r, node, text, false, out->name[out->n++]);
}

static const char* marker_name(const void* list, int i)
{
    return ((const pkm_description*)list)->marker[i].name;
}

static const char* joint_name(const void* list, int i)
{
    return ((const pkm_description*)list)->joint[i].name;
}

static const char* drive_name(const void* list, int i)
{
    return ((const pkm_description*)list)->drive[i].name;
}

static const char* body_name(const void* list, int i)
{
    return ((const pkm_description*)list)->body[i].name;
}

static const struct {
    const char* word;
    pkm_name_of name;
} named[PKM_N_NAMED] = {
    [PKM_NAMED_MARKER] = {"point", marker_name},
    [PKM_NAMED_JOINT] = {"joint", joint_name},
    [PKM_NAMED_DRIVE] = {"drive", drive_name},
    [PKM_NAMED_BODY] = {"body", body_name},
};

static int count_of(const pkm_description* desc, pkm_named k)
{
    const int counts[PKM_N_NAMED] = {
        [PKM_NAMED_MARKER] = desc->n_marker,
        [PKM_NAMED_JOINT] = desc->n_joint,
        [PKM_NAMED_DRIVE] = desc->n_drive,
        [PKM_NAMED_BODY] = desc->n_body,
    };
    return counts[k];
}

// Readers of other files than models have no index.
pkm_status pkm_reader_find_exact(const pkm_reader* r, pkm_named k, const char* text, int* out)
{
    const int n = count_of(r->desc, k);
    *out = PKM_NONE;
    if (r->index) {
        if (!pkm_name_index_grow(&r->index[k], r->scratch, named[k].name, r->desc, n))
            return pkm_reader_fail_memory(r);
        *out = pkm_name_index_find(&r->index[k], named[k].name, r->desc, text);
        return PKM_OK;
    }
    for (int i = 0; i < n && *out == PKM_NONE; ++i)
        if (strcmp(text, named[k].name(r->desc, i)) == 0) *out = i;
    return PKM_OK;
}

/// Inside a copy people write short names, so these are offered too: "crank.A" for "B.crank.A".
static void offer(const pkm_reader* r, pkm_nearest* near, const char* name)
{
    pkm_nearest_offer(near, name);
    if (!r->copy) return;
    const size_t length = strlen(r->copy->name);
    const bool is_ours = strncmp(name, r->copy->name, length) == 0 && name[length] == '.';
    if (is_ours) pkm_nearest_offer(near, name + length + 1);
}

/// The first candidate that is there; else the nearest name is offered.
static pkm_status find(const pkm_reader* r, const pkm_yaml* node, const char* text, pkm_named k,
                       int* out)
{
    candidates maybe;
    PKM_TRY(list_candidates(r, node, text, &maybe));
    for (int c = 0; c < maybe.n; ++c) {
        PKM_TRY(pkm_reader_find_exact(r, k, maybe.name[c], out));
        if (*out != PKM_NONE) return PKM_OK;
    }
    pkm_nearest near = pkm_nearest_make(text);
    for (int i = 0; i < count_of(r->desc, k); ++i)
        offer(r, &near, named[k].name(r->desc, i));
    const bool needs_dot = k == PKM_NAMED_MARKER && !strchr(text, '.');
    return pkm_reader_fail(r, node, "there is no %s '%.80s'%s%s", named[k].word, text,
                           needs_dot ? ", expected body.point" : "", pkm_nearest_hint(&near).text);
}

/// A list or map where a name is expected.
static pkm_status expect_text(const pkm_reader* r, const pkm_yaml* node, const char* what)
{
    if (node->kind == PKM_YAML_TEXT && node->text[0]) return PKM_OK;
    return pkm_reader_fail(r, node, "expected the name of a %s, found %s", what,
                           pkm_yaml_show(node).text);
}

pkm_status pkm_reader_find_marker(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    PKM_TRY(expect_text(r, node, "point, body.point"));
    return find(r, node, node->text, PKM_NAMED_MARKER, out);
}

pkm_status pkm_reader_find_joint(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    PKM_TRY(expect_text(r, node, "joint"));
    return find(r, node, node->text, PKM_NAMED_JOINT, out);
}

pkm_status pkm_reader_find_drive(const pkm_reader* r, const pkm_yaml* node, const char* name,
                                 int* out)
{
    return find(r, node, name, PKM_NAMED_DRIVE, out);
}

pkm_status pkm_reader_find_body(const pkm_reader* r, const pkm_yaml* node, const char* name,
                                int* out)
{
    return find(r, node, name, PKM_NAMED_BODY, out);
}

pkm_status pkm_reader_find_material(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    const pkm_description* desc = r->desc;
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(r, node, &name));
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < desc->n_material; ++i) {
        pkm_nearest_offer(&near, desc->material[i].name);
        if (strcmp(desc->material[i].name, name) != 0) continue;
        *out = i;
        return PKM_OK;
    }
    return pkm_reader_fail(r, node, "there is no material '%.60s'%s", name,
                           pkm_nearest_hint(&near).text);
}

/// The name of marker `i` without its body: "A.B1" of "platform.A.B1".
static const char* point_name(const pkm_description* desc, int i)
{
    return desc->marker[i].name + strlen(desc->body[desc->marker[i].body].name) + 1;
}

pkm_status pkm_reader_body_point(const pkm_reader* r, const pkm_yaml* node, int body, pkm_vec3* out)
{
    if (node->kind == PKM_YAML_LIST) return pkm_reader_vector(r, node, pkm_dim_length, out);
    PKM_TRY(expect_text(r, node, "point"));
    const pkm_description* desc = r->desc;
    char name[PKM_MAX_NAME];
    PKM_TRY(pkm_reader_name(r, node, node->text, false, name));
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < desc->n_marker; ++i) {
        if (desc->marker[i].body != body) continue;
        if (strcmp(point_name(desc, i), name) == 0) {
            *out = desc->marker[i].pose.p;
            return PKM_OK;
        }
        pkm_nearest_offer(&near, point_name(desc, i));
    }
    return pkm_reader_fail(r, node, "the body '%s' has no point '%.60s'%s", desc->body[body].name,
                           node->text, pkm_nearest_hint(&near).text);
}

const pkm_key pkm_key_point[] = {{.kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_length},
                                 {.kind = PKM_KEY_TEXT},
                                 {.kind = PKM_KEY_OWN}};

pkm_status pkm_key_read_point(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return pkm_reader_body_point(r, node, r->body, to);
}
