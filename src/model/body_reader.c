#include "base/error.h"
#include "model/reader_impl.h"

#include <stdio.h>
#include <string.h>

/// Put a point or frame called `name` on a body. `pose` is in body axes.
static pkm_status add_marker(pkm_reader* r, const pkm_yaml* node, int body, const char* name,
                             pkm_pose pose)
{
    pkm_description* desc = r->desc;
    char full[2 * PKM_MAX_NAME];
    snprintf(full, sizeof full, "%s.%s", desc->body[body].name, name);
    if (strlen(full) >= PKM_MAX_NAME)
        return pkm_reader_fail_key(r, node, "the name '%s' is too long, expected less than %d",
                                   full, PKM_MAX_NAME);
    for (int i = 0; i < desc->n_marker; ++i)
        if (desc->marker[i].body == body && strcmp(desc->marker[i].name, full) == 0)
            return pkm_reader_fail_key(r, node, "there is a point '%s' already", full);
    pkm_desc_marker* marker = &desc->marker[desc->n_marker++];
    *marker = (pkm_desc_marker){NULL, body, pose, node->key_place};
    return pkm_reader_keep(r, full, &marker->name);
}

/// `[x, y, z]`, or `{at, rotate}` for a frame with axes of its own.
static pkm_status read_place(const pkm_reader* r, const pkm_yaml* node, pkm_pose* out)
{
    static const char* const keys[] = {"at", "rotate", NULL};
    *out = pkm_pose_identity();
    if (node->kind == PKM_YAML_LIST) return pkm_reader_vector(r, node, pkm_dim_length, &out->p);
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return pkm_reader_pose(r, node, out);
}

/// The points of one map, on `body`; `placement` is put before them, `is_outside` says that a copy
/// puts them on a body that it does not own.
static pkm_status read_points(pkm_reader* r, const pkm_yaml* map, int body, pkm_pose placement,
                              bool is_outside)
{
    PKM_TRY(pkm_reader_named_map(r, map));
    for (const pkm_yaml* node = map ? map->first : NULL; node; node = node->next) {
        pkm_pose local;
        char name[PKM_MAX_NAME];
        PKM_TRY(read_place(r, node, &local));
        PKM_TRY(pkm_reader_name(r, node, node->key, is_outside, name));
        PKM_TRY(add_marker(r, node, body, name, pkm_pose_mul(placement, local)));
    }
    return PKM_OK;
}

static pkm_status read_own_points(pkm_reader* r, const pkm_yaml* node, int body)
{
    const pkm_pose here = pkm_pose_identity();
    PKM_TRY(read_points(r, pkm_yaml_get(node, "points"), body, here, false));
    return read_points(r, pkm_yaml_get(node, "frames"), body, here, false);
}

static pkm_status add_body(pkm_reader* r, const pkm_yaml* node, const char* name)
{
    pkm_description* desc = r->desc;
    for (int i = 0; i < desc->n_body; ++i)
        if (strcmp(desc->body[i].name, name) == 0)
            return pkm_reader_fail_key(r, node, "there is a body '%s' already", name);
    pkm_desc_body* body = &desc->body[desc->n_body++];
    *body = (pkm_desc_body){.guess = pkm_pose_identity()};
    if (node) body->place = node->key_place;
    return pkm_reader_keep(r, name, &body->name);
}

static pkm_status read_bodies(pkm_reader* r, const pkm_yaml* section)
{
    static const char* const keys[] = {"mass",    "com",   "inertia", "points", "frames",
                                       "uniform", "shape", "pose",    NULL};
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        char name[PKM_MAX_NAME];
        PKM_TRY(pkm_reader_keys(r, node, keys));
        PKM_TRY(pkm_reader_name(r, node, node->key, true, name));
        PKM_TRY(add_body(r, node, name));
        PKM_TRY(read_own_points(r, node, r->desc->n_body - 1));
    }
    return PKM_OK;
}

/// Points of a copy on bodies outside: on the ground they are placed with the copy, on a body that
/// moves they are turned with it about the body's origin.
static pkm_status read_outside_points(pkm_reader* r, const pkm_yaml* section)
{
    for (const pkm_yaml* map = section->first; map; map = map->next) {
        int body = 0;
        PKM_TRY(pkm_reader_find_body(r, map, map->key, &body));
        pkm_pose placement = r->copy->placement;
        if (body != 0) placement.p = (pkm_vec3){0.0, 0.0, 0.0};
        PKM_TRY(read_points(r, map, body, placement, true));
    }
    return PKM_OK;
}

static pkm_status read_ground(pkm_reader* r)
{
    static const char* const keys[] = {"points", "frames", "shape", NULL};
    const pkm_yaml* node = pkm_yaml_get(r->root, "ground");
    PKM_TRY(add_body(r, node, "ground"));
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    return read_own_points(r, node, 0);
}

pkm_status pkm_bodies_read(pkm_reader* r)
{
    PKM_TRY(read_ground(r));
    PKM_TRY(pkm_limbs_each(r, "bodies", read_bodies));
    PKM_TRY(pkm_limbs_each(r, "points", read_outside_points));
    return pkm_limbs_each(r, "frames", read_outside_points);
}

/// The least rotation that turns direction `from` to direction `to` (both not null).
static pkm_quat least_rotation(pkm_vec3 from, pkm_vec3 to)
{
    const pkm_vec3 a = pkm_vec3_unit(from), b = pkm_vec3_unit(to);
    const pkm_vec3 axis = pkm_vec3_cross(a, b);
    const double cosine = pkm_vec3_dot(a, b);
    // q = (1 + cos, a x b)/|.|; opposite directions turn half around any perpendicular
    if (cosine < -1.0 + 1e-12) {
        const pkm_vec3 p = pkm_vec3_perpendicular(a);
        return (pkm_quat){0.0, p.x, p.y, p.z};
    }
    return pkm_quat_unit((pkm_quat){1.0 + cosine, axis.x, axis.y, axis.z});
}

/// `{A: [..]}` puts point A there; `{A: [..], B: [..]}` also turns the body so that B lies in the
/// direction of the second place.
static pkm_status read_pose_by_points(const pkm_reader* r, const pkm_yaml* node, int body,
                                      pkm_pose* out)
{
    pkm_vec3 own[2], there[2];
    const pkm_yaml* rotate = pkm_yaml_get(node, "rotate");
    int n = 0;
    for (const pkm_yaml* child = node->first; child; child = child->next) {
        if (child == rotate) continue;
        if (n == 2 || (n == 1 && rotate))
            return pkm_reader_fail_key(r, child,
                                       "a pose is given by two points, or by one and "
                                       "'rotate'");
        pkm_yaml name = *child;
        name.kind = PKM_YAML_TEXT;
        name.text = child->key;
        name.place = child->key_place;
        PKM_TRY(pkm_reader_body_point(r, &name, body, &own[n]));
        PKM_TRY(pkm_reader_vector(r, child, pkm_dim_length, &there[n]));
        ++n;
    }
    *out = pkm_pose_identity();
    if (rotate) PKM_TRY(pkm_reader_rotation(r, rotate, &out->q));
    if (n == 2) {
        const pkm_vec3 from = pkm_vec3_sub(own[1], own[0]), to = pkm_vec3_sub(there[1], there[0]);
        if (!(pkm_vec3_norm(from) > 0.0) || !(pkm_vec3_norm(to) > 0.0))
            return pkm_reader_fail(r, node, "the two points coincide and give no direction");
        out->q = least_rotation(from, to);
    }
    out->p = pkm_vec3_sub(there[0], pkm_quat_rotate(out->q, own[0]));
    return PKM_OK;
}

static pkm_status read_guess(const pkm_reader* r, const pkm_yaml* node, int body, pkm_pose* out)
{
    static const char* const keys[] = {"at", "rotate", NULL};
    pkm_pose local = pkm_pose_identity();
    if (node && node->kind == PKM_YAML_MAP && node->n_child > 0) {
        int n_point = 0;
        for (const pkm_yaml* child = node->first; child; child = child->next)
            if (strcmp(child->key, "at") != 0 && strcmp(child->key, "rotate") != 0) ++n_point;
        PKM_TRY(n_point > 0 && !pkm_yaml_get(node, "at")
                    ? read_pose_by_points(r, node, body, &local)
                    : pkm_reader_keys(r, node, keys));
        if (n_point == 0) PKM_TRY(pkm_reader_pose(r, node, &local));
    } else if (node) {
        PKM_TRY(pkm_reader_keys(r, node, keys));
    }
    *out = r->copy ? pkm_pose_mul(r->copy->placement, local) : local;
    return PKM_OK;
}

static pkm_status read_details(pkm_reader* r, const pkm_yaml* section)
{
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        const int body = r->next_body++;
        PKM_TRY(pkm_body_read_mass(r, node, body));
        PKM_TRY(read_guess(r, pkm_yaml_get(node, "pose"), body, &r->desc->body[body].guess));
    }
    return PKM_OK;
}

pkm_status pkm_bodies_read_details(pkm_reader* r)
{
    const pkm_yaml* ground = pkm_yaml_get(r->root, "ground");
    if (ground) PKM_TRY(pkm_body_read_mass(r, ground, 0));
    r->next_body = 1;
    return pkm_limbs_each(r, "bodies", read_details);
}
