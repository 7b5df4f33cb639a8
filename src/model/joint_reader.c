// Joints by type: the facts of mechanism/joint.c say which keys each type has. Both frames of a
// joint follow from one axis that is read in the body or in the world.
#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A joint being read.
typedef struct draft {
    pkm_desc_joint joint;
    pkm_vec3 axis[2], reference[2]; ///< on a and on b; no reference is null
} draft;

/// Other names of the same joint are answered with ours.
pkm_status pkm_reader_joint_type(const pkm_reader* r, const pkm_yaml* node, pkm_joint_type* out)
{
    const char* words[PKM_JOINT_FREE + 2] = {NULL};
    for (int i = 0; i <= PKM_JOINT_FREE; ++i)
        words[i] = pkm_joint_type_name((pkm_joint_type)i);
    // hinge, ball, slider: names of other programs
    const char* ours = node->kind == PKM_YAML_TEXT ? pkm_joint_type_alias(node->text) : NULL;
    if (ours)
        return pkm_reader_fail(r, node, "a '%.40s' joint is called '%s' here", node->text, ours);
    int type = 0;
    PKM_TRY(pkm_reader_word(r, node, words, &type));
    *out = (pkm_joint_type)type;
    return PKM_OK;
}

/// The rotation whose z is `axis` and whose x is `reference` made perpendicular to it; a null
/// reference means the fixed perpendicular. False when they are parallel.
static bool frame_from_axes(pkm_vec3 axis, pkm_vec3 reference, pkm_quat* out)
{
    pkm_vec3 x = pkm_vec3_perpendicular(axis);
    if (pkm_vec3_norm(reference) > 0.0) {
        x = pkm_vec3_axpy(reference, -pkm_vec3_dot(reference, axis), axis);
        if (pkm_vec3_norm(x) < 1e-9) return false; // of a unit vector: parallel but for rounding
        x = pkm_vec3_unit(x);
    }
    // columns x, y = z x x, z: right-handed
    *out = pkm_quat_from_mat3((pkm_mat3){x, pkm_vec3_cross(axis, x), axis});
    return true;
}

static pkm_status make_frames(const pkm_reader* r, const pkm_yaml* node, draft* d)
{
    const pkm_desc_marker* marker = r->desc->marker;
    pkm_pose* frame[2] = {&d->joint.frame_a, &d->joint.frame_b};
    const int at[2] = {d->joint.marker_a, d->joint.marker_b};
    for (int i = 0; i < 2; ++i) {
        pkm_pose local = pkm_pose_identity();
        if (!frame_from_axes(d->axis[i], d->reference[i], &local.q))
            return pkm_reader_fail(r, pkm_yaml_get(node, "reference"),
                                   "the reference is parallel to the axis");
        // the axis is written in the axes of the point, and points may be frames that are turned
        *frame[i] = pkm_pose_mul(marker[at[i]].pose, local);
    }
    return PKM_OK;
}

static pkm_status read_between(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_desc_joint* joint = to;
    PKM_TRY(pkm_reader_list(r, node, 2, 2));
    PKM_TRY(pkm_reader_find_marker(r, node->first, &joint->marker_a));
    PKM_TRY(pkm_reader_find_marker(r, node->first->next, &joint->marker_b));
    joint->body_a = r->desc->marker[joint->marker_a].body;
    joint->body_b = r->desc->marker[joint->marker_b].body;
    if (joint->body_a != joint->body_b) return PKM_OK;
    return pkm_reader_fail(r, node, "both points are on '%s', expected two bodies",
                           r->desc->body[joint->body_a].name);
}

/// Refuse a key that the type does not have.
static pkm_status check_key(const pkm_reader* r, const pkm_yaml* node, pkm_joint_type type,
                            unsigned has)
{
    if (!node || (pkm_joint_type_has(type) & has)) return PKM_OK;
    char list[160] = "";
    int n = 0, last = 0;
    for (int i = 0; i <= PKM_JOINT_FREE; ++i)
        if (pkm_joint_type_has((pkm_joint_type)i) & has) last = i;
    for (int i = 0; i <= PKM_JOINT_FREE; ++i) {
        if (!(pkm_joint_type_has((pkm_joint_type)i) & has)) continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 n++ == 0    ? ""
                 : i == last ? " or "
                             : ", ",
                 pkm_joint_type_name((pkm_joint_type)i));
    }
    return pkm_reader_fail_key(r, node, "a %s joint has no %s, expected a %s joint",
                               pkm_joint_type_name(type), node->key, list);
}

/// The type comes first: it says which keys there are, and whether they are angles.
static pkm_status read_type(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_joint_type* type = to;
    PKM_TRY(pkm_reader_joint_type(r, node, type));
    r->turns = pkm_joint_coordinate_is_angle(*type, 0);
    const pkm_key* key;
    for (int i = 0; (key = pkm_section_key(&pkm_model_joint, i)); ++i)
        if (key->joints)
            PKM_TRY(check_key(r, pkm_yaml_get(node->parent, key->name), *type, key->joints));
    const unsigned has = pkm_joint_type_has(*type);
    const pkm_yaml* axis = pkm_yaml_get(node->parent, "axis");
    if ((has & PKM_JOINT_HAS_TWO_AXES) && !(axis && axis->n_child == 2))
        return pkm_reader_fail_key(r, axis ? axis : node->parent,
                                   "a universal joint needs two axes, the first on a and the "
                                   "second on b: axis: [y, z]");
    if ((has & PKM_JOINT_HAS_LEAD) && !pkm_yaml_get(node->parent, "lead"))
        return pkm_reader_fail_key(r, node->parent,
                                   "a screw needs its 'lead', the way per turn: lead: 5 mm");
    return PKM_OK;
}

static pkm_status read_lead(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double* lead = to;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_length, PKM_RANGE_ANY, lead));
    // a lead of zero would be a revolute joint with a redundant row
    if (*lead != 0.0) return PKM_OK;
    return pkm_reader_fail(r, node, "a lead of 0, expected a length; negative is left-handed");
}

static pkm_status begin_joint(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r;
    // not said: a length is taken from the guessed poses, limits and swing are none
    *(draft*)to = (draft){.joint = {.length = NAN,
                                    .limit = {-INFINITY, INFINITY},
                                    .swing = INFINITY,
                                    .place = node->key_place},
                          .axis = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}};
    return PKM_OK;
}

#define AT(member) offsetof(draft, member)
static const pkm_key marker[] = {{.kind = PKM_KEY_MARKER}, {.kind = PKM_KEY_OWN}};
static const pkm_key joint_keys[] = {
    {"type", "as above", PKM_KEY_JOINT_TYPE, AT(joint.type), .must = true, .read = read_type},
    {"between", "`[a, b]`: two points or frames", PKM_KEY_LIST, AT(joint), .n_least = 2,
     .n_most = 2, .must = true, .read = read_between, .either = marker},
    {"axis",
     "in the axes of each of the two points; `[on a, on b]` where they differ, always so for "
     "`universal`. Default `z`",
     PKM_KEY_AXES, AT(axis), .joints_need = PKM_JOINT_HAS_TWO_AXES},
    {"reference",
     "the direction from which angles count, same form as `axis`. Default: a fixed perpendicular "
     "(z -> x, x -> y, y -> z)",
     PKM_KEY_AXES, .at = AT(reference)},
    {"limits", "`[low, high]` of the coordinate: revolute, prismatic, distance, screw (its angle)",
     PKM_KEY_INTERVAL, AT(joint.limit), &pkm_dim_length, .turns = true,
     .joints = PKM_JOINT_HAS_LIMITS},
    {"swing",
     "how far it bends: spherical, largest angle between the axis on a and the axis on b; "
     "universal, from its position at home",
     PKM_KEY_NUMBER, AT(joint.swing), &pkm_dim_angle, PKM_RANGE_POSITIVE,
     .joints = PKM_JOINT_HAS_SWING},
    {"length", "distance only; default: as it is in the guessed poses", PKM_KEY_NUMBER,
     AT(joint.length), &pkm_dim_length, PKM_RANGE_POSITIVE, .joints = PKM_JOINT_HAS_LENGTH},
    {"lead",
     "screw only, needed there: the way of b along the axis per turn; negative is left-handed",
     PKM_KEY_NUMBER, AT(joint.lead), &pkm_dim_length, .read = read_lead,
     .joints = PKM_JOINT_HAS_LEAD, .joints_need = PKM_JOINT_HAS_LEAD},
    {.name = NULL}};
const pkm_section pkm_model_joint = {"joint", NULL, joint_keys, .begin = begin_joint};

static pkm_status read_joint(pkm_reader* r, const pkm_yaml* node, pkm_desc_joint* joint)
{
    draft d;
    PKM_TRY(pkm_keys_read(r, node, &pkm_model_joint, &d));
    PKM_TRY(make_frames(r, node, &d));
    *joint = d.joint;
    return PKM_OK;
}

static pkm_status read_joints(pkm_reader* r, const pkm_yaml* section)
{
    pkm_description* desc = r->desc;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        char name[PKM_MAX_NAME];
        PKM_TRY(pkm_reader_name(r, node, node->key, true, name));
        int same;
        PKM_TRY(pkm_reader_find_exact(r, PKM_NAMED_JOINT, name, &same));
        if (same != PKM_NONE)
            return pkm_reader_fail_key(r, node, "there is a joint '%s' already", name);
        pkm_desc_joint* joint = &desc->joint[desc->n_joint];
        PKM_TRY(read_joint(r, node, joint));
        PKM_TRY(pkm_reader_keep(r, name, &joint->name));
        // counted when it is whole: an error names the joints that are there
        ++desc->n_joint;
    }
    return PKM_OK;
}

pkm_status pkm_joints_read(pkm_reader* r)
{
    return pkm_limbs_each(r, "joints", read_joints);
}

/// Follow the links to the body that stands for all that are connected with `i`.
static int leader(int* link, int i)
{
    while (link[i] != i) {
        // paths are halved on the way: near linear in the number of joints
        link[i] = link[link[i]];
        i = link[i];
    }
    return i;
}

pkm_status pkm_connections_check(const pkm_reader* r)
{
    const pkm_description* desc = r->desc;
    int* link = pkm_arena_alloc(r->scratch, (size_t)desc->n_body, sizeof *link);
    if (!link) return pkm_reader_fail_memory(r);
    for (int i = 0; i < desc->n_body; ++i)
        link[i] = i;
    for (int j = 0; j < desc->n_joint; ++j) {
        const int a = leader(link, desc->joint[j].body_a), b = leader(link, desc->joint[j].body_b);
        link[a < b ? b : a] = a < b ? a : b; // the ground is 0 and leads where it is
    }
    for (int i = 1; i < desc->n_body; ++i) {
        if (leader(link, i) == 0) continue;
        const pkm_desc_body* body = &desc->body[i];
        return pkm_fail_at(r->err, PKM_ERR_MODEL, desc->file, body->place.line, body->place.column,
                           "bodies: '%s' is reached by no joint, expected a chain of joints to "
                           "the ground; a body that flies has a joint of type free",
                           body->name);
    }
    return PKM_OK;
}
