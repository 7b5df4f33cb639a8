// Copies of a limb: the same text is read again for each, with its parameters, placement and name.
#include "base/error.h"
#include "math/quat.h"
#include "model/reader_impl.h"

#include <string.h>

// Each copy that sets parameters has all of them: 80 bytes each.
enum { MOST_COPIES = 1000, MOST_SET = 1000000 };

/// The parameters as this copy sees them. Values in `set` are read outside of the copy, so that
/// `set: {l3: =2*l3}` doubles; what depends on them follows.
static pkm_status read_set(pkm_reader* r, const pkm_yaml* set, void* to)
{
    pkm_copy* copy = to;
    PKM_TRY(pkm_reader_named_map(r, set));
    if (++r->n_own > MOST_SET / (r->scope->n_parameter + 1))
        return pkm_reader_fail(r, set,
                               "%d copies with %d parameters each, expected at most %d in all",
                               r->n_own, r->scope->n_parameter, MOST_SET);
    copy->scope = pkm_arena_alloc(r->scratch, 1, sizeof *copy->scope);
    if (!copy->scope) return pkm_reader_fail_memory(r);
    // a scope of its own: other copies keep their values
    PKM_TRY(pkm_scope_copy(r->scope, r->scratch, copy->scope));
    for (const pkm_yaml* entry = set->first; entry; entry = entry->next) {
        pkm_parameter* p = pkm_scope_find(copy->scope, entry->key);
        if (!p) {
            pkm_nearest near = pkm_nearest_make(entry->key);
            pkm_scope_offer(r->scope, &near);
            return pkm_reader_fail_key(r, entry, "'%.60s' is not in parameters%s", entry->key,
                                       pkm_nearest_hint(&near).text);
        }
        const pkm_quantity was = pkm_scope_find(r->scope, entry->key)->value;
        const bool is_known = was.kind == PKM_UNIT_KNOWN;
        PKM_TRY(pkm_reader_quantity(r, entry, is_known ? &was.dimension : NULL, PKM_RANGE_ANY,
                                    &p->value));
        // the given value stands; what is computed from it is evaluated anew below
        p->state = PKM_PARAMETER_DONE;
    }
    return pkm_scope_evaluate(copy->scope);
}

static const pkm_key number[] = {{.kind = PKM_KEY_NUMBER}, {.kind = PKM_KEY_OWN}};
static const pkm_key copy_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_frame_section, .at = offsetof(pkm_copy, placement)},
    {"set", "parameters that differ in this copy", PKM_KEY_EACH, 0, .read = read_set,
     .either = number},
    {.name = NULL}};
static const pkm_section copy_section = {"copy", "a placement of the limb", .key = copy_keys};

/// `A: 120 deg` turns about the limb's axis; `A: {at, rotate, set}` is a full placement.
static pkm_status read_copy(pkm_reader* r, const pkm_yaml* node, pkm_vec3 about, pkm_copy* out)
{
    // the name takes the place of {}, once
    if (strstr(node->key, "{}"))
        return pkm_reader_fail_key(r, node, "the name of a copy cannot contain {}");
    out->name = node->key;
    out->placement = pkm_pose_identity();
    out->scope = r->scope;
    if (node->kind == PKM_YAML_TEXT) {
        double angle = 0.0;
        PKM_TRY(pkm_reader_number(r, node, pkm_dim_angle, PKM_RANGE_ANY, &angle));
        // an angle alone: the usual case of limbs around an axis
        out->placement.q = pkm_quat_from_axis(about, angle);
        return PKM_OK;
    }
    return pkm_keys_read(r, node, &copy_section, out);
}

#define EACH(named) .kind = PKM_KEY_EACH, .is_name = true, .section = &(named)
static const pkm_key copy_forms[] = {{.kind = PKM_KEY_NUMBER, .dimension = &pkm_dim_angle},
                                     {.kind = PKM_KEY_MAP, .section = &copy_section},
                                     {.kind = PKM_KEY_OWN}};
static const pkm_key places[] = {{.kind = PKM_KEY_EACH, .is_name = true, .either = pkm_key_place},
                                 {.kind = PKM_KEY_OWN}};
static const pkm_key limb_keys[] = {
    {"copies", "name -> an angle about `about`, or a placement `{at, rotate, set}`", PKM_KEY_EACH,
     .n_least = 1, .n_most = MOST_COPIES, .must = true, .is_name = true, .either = copy_forms},
    {"about", "the axis of these angles; default z", .kind = PKM_KEY_AXIS},
    {"points", NULL, PKM_KEY_EACH, .either = places},
    {"frames", "on bodies outside of the limb, placed with each copy", PKM_KEY_EACH,
     .either = places},
    {"bodies", NULL, EACH(pkm_model_body)},
    {"joints", NULL, EACH(pkm_model_joint)},
    {"drives", "as those of the file, once for each copy", EACH(pkm_model_drive)},
    {.name = NULL}};
const pkm_section pkm_model_limb = {"limb", "a pattern that is copied", .key = limb_keys};

static pkm_status read_limb(pkm_reader* r, const pkm_yaml* node, pkm_limb* out)
{
    PKM_TRY(pkm_keys_check(r, node, &pkm_model_limb));
    const pkm_yaml *copies = pkm_yaml_get(node, "copies"), *about = pkm_yaml_get(node, "about");
    PKM_TRY(pkm_reader_named_map(r, copies));
    if (copies->n_child == 0 || copies->n_child > MOST_COPIES)
        return pkm_reader_fail(r, copies, "%d copies, expected 1 to %d", copies->n_child,
                               MOST_COPIES);
    pkm_vec3 axis = {0.0, 0.0, 1.0};
    if (about) PKM_TRY(pkm_reader_axis(r, about, &axis));
    out->node = node;
    out->copy = pkm_arena_alloc(r->scratch, (size_t)copies->n_child, sizeof *out->copy);
    if (!out->copy) return pkm_reader_fail_memory(r);
    for (const pkm_yaml* copy = copies->first; copy; copy = copy->next)
        PKM_TRY(read_copy(r, copy, axis, &out->copy[out->n_copy++]));
    return PKM_OK;
}

pkm_status pkm_limbs_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "limbs");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_named_map(r, section));
    r->limb = pkm_arena_alloc(r->scratch, (size_t)section->n_child, sizeof *r->limb);
    if (!r->limb) return pkm_reader_fail_memory(r);
    for (const pkm_yaml* node = section->first; node; node = node->next)
        PKM_TRY(read_limb(r, node, &r->limb[r->n_limb++]));
    return PKM_OK;
}

pkm_status pkm_limbs_each(pkm_reader* r, const char* key, pkm_section_reader read)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, key);
    PKM_TRY(pkm_reader_named_map(r, section));
    if (section) PKM_TRY(read(r, section));
    for (int l = 0; l < r->n_limb; ++l) {
        section = pkm_yaml_get(r->limb[l].node, key);
        PKM_TRY(pkm_reader_named_map(r, section));
        pkm_status status = PKM_OK;
        for (int c = 0; section && c < r->limb[l].n_copy && status == PKM_OK; ++c) {
            // readers put the copy's name before the names they read, and its placement before
            // poses
            r->copy = &r->limb[l].copy[c];
            status = read(r, section);
            r->copy = NULL;
        }
        if (status != PKM_OK) return status;
    }
    return PKM_OK;
}
