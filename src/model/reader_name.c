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

static const char* const kinds[] = {"point", "joint", "drive", "body"};
typedef enum kind { KIND_MARKER, KIND_JOINT, KIND_DRIVE, KIND_BODY } kind;

static int count_of(const pkm_description* desc, kind k)
{
    const int counts[] = {desc->n_marker, desc->n_joint, desc->n_drive, desc->n_body};
    return counts[k];
}

static const char* name_of(const pkm_description* desc, kind k, int i)
{
    switch (k) {
    case KIND_MARKER:
        return desc->marker[i].name;
    case KIND_JOINT:
        return desc->joint[i].name;
    case KIND_DRIVE:
        return desc->drive[i].name;
    default:
        return desc->body[i].name;
    }
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

static pkm_status find(const pkm_reader* r, const pkm_yaml* node, const char* text, kind k,
                       int* out)
{
    const pkm_description* desc = r->desc;
    candidates maybe;
    PKM_TRY(list_candidates(r, node, text, &maybe));
    const int n = count_of(desc, k);
    for (int c = 0; c < maybe.n; ++c)
        for (int i = 0; i < n; ++i)
            if (strcmp(maybe.name[c], name_of(desc, k, i)) == 0) {
                *out = i;
                return PKM_OK;
            }
    pkm_nearest near = pkm_nearest_make(text);
    for (int i = 0; i < n; ++i)
        offer(r, &near, name_of(desc, k, i));
    const bool needs_dot = k == KIND_MARKER && !strchr(text, '.');
    return pkm_reader_fail(r, node, "there is no %s '%.80s'%s%s", kinds[k], text,
                           needs_dot ? ", expected body.point" : "", pkm_nearest_hint(&near).text);
}

static pkm_status expect_text(const pkm_reader* r, const pkm_yaml* node, const char* what)
{
    if (node->kind == PKM_YAML_TEXT && node->text[0]) return PKM_OK;
    return pkm_reader_fail(r, node, "expected the name of a %s, found %s", what,
                           pkm_yaml_show(node).text);
}

pkm_status pkm_reader_find_marker(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    PKM_TRY(expect_text(r, node, "point, body.point"));
    return find(r, node, node->text, KIND_MARKER, out);
}

pkm_status pkm_reader_find_joint(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    PKM_TRY(expect_text(r, node, "joint"));
    return find(r, node, node->text, KIND_JOINT, out);
}

pkm_status pkm_reader_find_drive(const pkm_reader* r, const pkm_yaml* node, const char* name,
                                 int* out)
{
    return find(r, node, name, KIND_DRIVE, out);
}

pkm_status pkm_reader_find_body(const pkm_reader* r, const pkm_yaml* node, const char* name,
                                int* out)
{
    return find(r, node, name, KIND_BODY, out);
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
