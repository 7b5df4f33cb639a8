// Two passes: names and points first, so that bodies may refer to points of each other, then mass,
// shapes and guesses.
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
    int first; // on another body the same name may mean another point: a of b.c, c.a of b
    PKM_TRY(pkm_reader_find_exact(r, PKM_NAMED_MARKER, full, &first));
    for (int i = first; i != PKM_NONE && i < desc->n_marker; ++i)
        if (desc->marker[i].body == body && strcmp(desc->marker[i].name, full) == 0)
            return pkm_reader_fail_key(r, node, "there is a point '%s' already", full);
    pkm_desc_marker* marker = &desc->marker[desc->n_marker++];
    *marker = (pkm_desc_marker){NULL, body, pose, node->key_place};
    return pkm_reader_keep(r, full, &marker->name);
}

/// `[x, y, z]`, or `{at, rotate}` for a frame with axes of its own.
static pkm_status read_place(pkm_reader* r, const pkm_yaml* node, pkm_pose* out)
{
    *out = pkm_pose_identity();
    if (node->kind == PKM_YAML_LIST) return pkm_reader_vector(r, node, pkm_dim_length, &out->p);
    return pkm_keys_read(r, node, &pkm_frame_section, out);
}

const pkm_key pkm_key_place[] = {{.kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_length},
                                 {.kind = PKM_KEY_MAP, .section = &pkm_frame_section},
                                 {.kind = PKM_KEY_OWN}};

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

/// Frames are points with axes of their own: both are markers.
static pkm_status read_own_points(pkm_reader* r, const pkm_yaml* node, int body)
{
    const pkm_pose here = pkm_pose_identity();
    PKM_TRY(read_points(r, pkm_yaml_get(node, "points"), body, here, false));
    return read_points(r, pkm_yaml_get(node, "frames"), body, here, false);
}

/// A body at the identity, without mass: details are read when all points are known.
static pkm_status add_body(pkm_reader* r, const pkm_yaml* node, const char* name)
{
    pkm_description* desc = r->desc;
    int same;
    PKM_TRY(pkm_reader_find_exact(r, PKM_NAMED_BODY, name, &same));
    if (same != PKM_NONE) return pkm_reader_fail_key(r, node, "there is a body '%s' already", name);
    pkm_desc_body* body = &desc->body[desc->n_body++];
    *body = (pkm_desc_body){.guess = pkm_pose_identity()};
    if (node) body->place = node->key_place;
    return pkm_reader_keep(r, name, &body->name);
}

static pkm_status read_bodies(pkm_reader* r, const pkm_yaml* section)
{
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        char name[PKM_MAX_NAME];
        PKM_TRY(pkm_keys_check(r, node, &pkm_model_body));
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

/// The ground is body 0, whether the file names it or not.
static pkm_status read_ground(pkm_reader* r)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "ground");
    PKM_TRY(add_body(r, node, "ground"));
    if (!node) return PKM_OK;
    PKM_TRY(pkm_keys_check(r, node, &pkm_model_ground));
    return read_own_points(r, node, 0);
}

pkm_status pkm_bodies_read(pkm_reader* r)
{
    PKM_TRY(read_ground(r));
    PKM_TRY(pkm_limbs_each(r, "bodies", read_bodies));
    PKM_TRY(pkm_limbs_each(r, "points", read_outside_points));
    return pkm_limbs_each(r, "frames", read_outside_points);
}

/// The least rotation that turns the unit vector a to the unit vector b.
static pkm_quat least_rotation(pkm_vec3 a, pkm_vec3 b)
{
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
static pkm_status read_pose_by_points(pkm_reader* r, const pkm_yaml* node, pkm_pose* out)
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
        PKM_TRY(pkm_reader_body_point(r, &name, r->body, &own[n]));
        PKM_TRY(pkm_reader_vector(r, child, pkm_dim_length, &there[n]));
        ++n;
    }
    *out = pkm_pose_identity();
    if (rotate) PKM_TRY(pkm_key_read_rotation(r, rotate, &out->q));
    if (n == 2) {
        pkm_vec3 from, to;
        if (!pkm_vec3_direction(pkm_vec3_sub(own[1], own[0]), &from) ||
            !pkm_vec3_direction(pkm_vec3_sub(there[1], there[0]), &to))
            return pkm_reader_fail(r, node, "the two points coincide and give no direction");
        out->q = least_rotation(from, to);
    }
    out->p = pkm_vec3_sub(there[0], pkm_quat_rotate(out->q, own[0]));
    return PKM_OK;
}

static pkm_status read_guess(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int n_point = 0;
    for (const pkm_yaml* child = node->kind == PKM_YAML_MAP ? node->first : NULL; child;
         child = child->next)
        if (!pkm_section_find(&pkm_frame_section, child->key, NULL)) ++n_point;
    if (n_point > 0 && !pkm_yaml_get(node, "at")) return read_pose_by_points(r, node, to);
    return pkm_keys_read(r, node, &pkm_frame_section, to);
}

// ---- the table --------------------------------------------------------------------------------

/// A body being read: all but its points, which are read before.
typedef struct draft {
    pkm_mass_draft mass;
    pkm_pose guess;
} draft;

#define AT(member) offsetof(draft, member)
static const pkm_key ends[] = {{"from", NULL, PKM_KEY_OWN, AT(mass.from), .must = true,
                                .read = pkm_key_read_point, .either = pkm_key_point},
                               {"to", "ends of the rod, points of the body or coordinates",
                                PKM_KEY_OWN, AT(mass.to), .must = true, .read = pkm_key_read_point,
                                .either = pkm_key_point},
                               {.name = NULL}};
static const pkm_section uniform = {.key = ends};
static const pkm_key spot = {.kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_length};
static const pkm_section guess_section = {
    .key =
        (const pkm_key[]){{.kind = PKM_KEY_INCLUDE, .section = &pkm_frame_section}, {.name = NULL}},
    .other = &spot};
static const pkm_key guess_forms[] = {{.kind = PKM_KEY_MAP, .section = &guess_section},
                                      {.kind = PKM_KEY_OWN}};
static const pkm_key point_keys[] = {
    {"points", "name -> `[x, y, z]` in body axes; the axes of a point are those of the body",
     PKM_KEY_EACH, .is_name = true, .either = pkm_key_place},
    {"frames", "name -> `{at, rotate}`: a point with axes of its own", PKM_KEY_EACH,
     .is_name = true, .either = pkm_key_place},
    {"shape", "how the body looks, and its mass where that is not given", PKM_KEY_OWN,
     AT(mass.shapes), .read = pkm_key_read_shapes, .either = pkm_key_shapes},
    {.name = NULL}};
const pkm_section pkm_model_ground = {"ground", "the ground, whose axes are the world's",
                                      .key = point_keys};
static const pkm_key body_keys[] = {
    {"mass", "0 is a massless link", PKM_KEY_NUMBER, AT(mass.mass), &pkm_dim_mass,
     PKM_RANGE_NOT_NEGATIVE, .given = AT(mass.has_mass)},
    {"com", "centre of mass in body axes", PKM_KEY_VECTOR, AT(mass.com), &pkm_dim_length,
     .given = AT(mass.has_com)},
    {"inertia",
     "tensor about the centre of mass in body axes: `[xx, yy, zz]` or `[xx, yy, zz, xy, xz, yz]` "
     "(`xy` is minus the integral of x y dm)",
     PKM_KEY_OWN, AT(mass.inertia), .given = AT(mass.has_inertia), .read = pkm_key_read_inertia,
     .either = pkm_key_inertia},
    {"uniform", "a slender uniform rod between two points", PKM_KEY_MAP, 0, .section = &uniform,
     .given = AT(mass.has_uniform)},
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_model_ground},
    {"pose", "a guess where the body is: `{at, rotate}`, or points of the body and where they are",
     PKM_KEY_OWN, AT(guess), .read = read_guess, .either = guess_forms},
    {.name = NULL}};
static const pkm_key_rule body_rules[] = {
    {PKM_RULE_SOME, "mass shape", PKM_MASS_RULE},
    {PKM_RULE_NEEDS, "uniform mass", NULL},
    {PKM_RULE_ALONE, "uniform com", "'com' follows from 'uniform' already"},
    {PKM_RULE_ALONE, "uniform inertia", "'inertia' follows from 'uniform' already"},
    {0}};
const pkm_section pkm_model_body = {"body", NULL, body_keys, .rule = body_rules};

/// Mass, shapes and guess of body `r->body`; the ground is drawn only.
static pkm_status read_detail(pkm_reader* r, const pkm_yaml* node)
{
    draft d = {.guess = pkm_pose_identity()};
    pkm_desc_body* to = &r->desc->body[r->body];
    pkm_mass mass = {0};
    PKM_TRY(pkm_keys_read(r, node, r->body == 0 ? &pkm_model_ground : &pkm_model_body, &d));
    if (r->body != 0) PKM_TRY(pkm_mass_take(r, node, &d.mass, &mass));
    to->n_shape = to->n_own_shape = d.mass.shapes.n_shape;
    to->shape = d.mass.shapes.shape;
    to->mass = mass.mass;
    to->com = mass.com;
    memcpy(to->inertia, mass.inertia, sizeof to->inertia);
    to->guess = r->copy ? pkm_pose_mul(r->copy->placement, d.guess) : d.guess;
    return PKM_OK;
}

static pkm_status read_details(pkm_reader* r, const pkm_yaml* section)
{
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        r->body = r->next_body++;
        PKM_TRY(read_detail(r, node));
    }
    return PKM_OK;
}

pkm_status pkm_bodies_read_details(pkm_reader* r)
{
    const pkm_yaml* ground = pkm_yaml_get(r->root, "ground");
    r->body = 0;
    if (ground) PKM_TRY(read_detail(r, ground));
    r->next_body = 1;
    return pkm_limbs_each(r, "bodies", read_details);
}
