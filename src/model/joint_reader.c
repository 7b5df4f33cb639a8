#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A type by its name; other names of the same joint are answered with ours. Free bodies have no
/// joint, so that the last type is not offered.
static pkm_status read_type(const pkm_reader* r, const pkm_yaml* node, pkm_joint_type* out)
{
    const char* words[PKM_JOINT_FREE + 1] = {NULL};
    for (int i = 0; i < PKM_JOINT_FREE; ++i)
        words[i] = pkm_joint_type_name((pkm_joint_type)i);
    const char* ours = node->kind == PKM_YAML_TEXT ? pkm_joint_type_alias(node->text) : NULL;
    if (ours)
        return pkm_reader_fail(r, node, "a '%.40s' joint is called '%s' here", node->text, ours);
    int type = 0;
    PKM_TRY(pkm_reader_word(r, node, words, &type));
    *out = (pkm_joint_type)type;
    return PKM_OK;
}

/// `axis: y`, `axis: [0, 1, 0]`, or `axis: [on a, on b]` with one of these for each side.
static pkm_status read_axes(const pkm_reader* r, const pkm_yaml* node, pkm_vec3 out[2])
{
    if (node->kind == PKM_YAML_LIST && node->n_child == 2) {
        PKM_TRY(pkm_reader_axis(r, node->first, &out[0]));
        return pkm_reader_axis(r, node->first->next, &out[1]);
    }
    PKM_TRY(pkm_reader_axis(r, node, &out[0]));
    out[1] = out[0];
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
    *out = pkm_quat_from_mat3((pkm_mat3){x, pkm_vec3_cross(axis, x), axis});
    return true;
}

static pkm_status read_frames(const pkm_reader* r, const pkm_yaml* node, pkm_desc_joint* joint)
{
    pkm_vec3 axis[2] = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}};
    pkm_vec3 reference[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const pkm_yaml *axis_node = pkm_yaml_get(node, "axis"),
                   *reference_node = pkm_yaml_get(node, "reference");
    if ((pkm_joint_type_has(joint->type) & PKM_JOINT_HAS_TWO_AXES) &&
        !(axis_node && axis_node->n_child == 2))
        return pkm_reader_fail_key(r, axis_node ? axis_node : node,
                                   "a universal joint needs two axes, the first on a and the "
                                   "second on b: axis: [y, z]");
    if (axis_node) PKM_TRY(read_axes(r, axis_node, axis));
    if (reference_node) PKM_TRY(read_axes(r, reference_node, reference));

    const pkm_desc_marker* marker = r->desc->marker;
    pkm_pose* frame[2] = {&joint->frame_a, &joint->frame_b};
    const int at[2] = {joint->marker_a, joint->marker_b};
    for (int i = 0; i < 2; ++i) {
        pkm_pose local = pkm_pose_identity();
        if (!frame_from_axes(axis[i], reference[i], &local.q))
            return pkm_reader_fail(r, reference_node, "the reference is parallel to the axis");
        *frame[i] = pkm_pose_mul(marker[at[i]].pose, local);
    }
    return PKM_OK;
}

static pkm_status read_between(const pkm_reader* r, const pkm_yaml* node, pkm_desc_joint* joint)
{
    const pkm_yaml* between = pkm_yaml_get(node, "between");
    PKM_TRY(pkm_reader_list(r, between, 2, 2));
    PKM_TRY(pkm_reader_find_marker(r, between->first, &joint->marker_a));
    PKM_TRY(pkm_reader_find_marker(r, between->first->next, &joint->marker_b));
    joint->body_a = r->desc->marker[joint->marker_a].body;
    joint->body_b = r->desc->marker[joint->marker_b].body;
    if (joint->body_a != joint->body_b) return PKM_OK;
    return pkm_reader_fail(r, between, "both points are on '%s', expected two bodies",
                           r->desc->body[joint->body_a].name);
}

/// Refuse a key that the type does not have.
static pkm_status check_key(const pkm_reader* r, const pkm_yaml* node, pkm_joint_type type,
                            unsigned has, const char* what)
{
    if (!node || (pkm_joint_type_has(type) & has)) return PKM_OK;
    char list[160] = "";
    int n = 0, last = 0;
    for (int i = 0; i < PKM_JOINT_FREE; ++i)
        if (pkm_joint_type_has((pkm_joint_type)i) & has) last = i;
    for (int i = 0; i < PKM_JOINT_FREE; ++i) {
        if (!(pkm_joint_type_has((pkm_joint_type)i) & has)) continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 n++ == 0    ? ""
                 : i == last ? " or "
                             : ", ",
                 pkm_joint_type_name((pkm_joint_type)i));
    }
    return pkm_reader_fail_key(r, node, "a %s joint has no %s, expected a %s joint",
                               pkm_joint_type_name(type), what, list);
}

/// The keys that only some types have.
static pkm_status read_options(const pkm_reader* r, const pkm_yaml* node, pkm_desc_joint* joint)
{
    const pkm_joint_type type = joint->type;
    const pkm_yaml *limits = pkm_yaml_get(node, "limits"), *swing = pkm_yaml_get(node, "swing");
    const pkm_yaml *length = pkm_yaml_get(node, "length"), *lead = pkm_yaml_get(node, "lead");
    PKM_TRY(check_key(r, limits, type, PKM_JOINT_HAS_LIMITS, "limits"));
    PKM_TRY(check_key(r, swing, type, PKM_JOINT_HAS_SWING, "swing"));
    PKM_TRY(check_key(r, length, type, PKM_JOINT_HAS_LENGTH, "length"));
    PKM_TRY(check_key(r, lead, type, PKM_JOINT_HAS_LEAD, "lead"));
    const bool turns = pkm_joint_coordinate_is_angle(type, 0);
    PKM_TRY(pkm_reader_interval(r, limits, turns ? pkm_dim_angle : pkm_dim_length, joint->limit));
    PKM_TRY(pkm_reader_optional(r, swing, pkm_dim_angle, PKM_RANGE_POSITIVE, &joint->swing));
    PKM_TRY(pkm_reader_optional(r, length, pkm_dim_length, PKM_RANGE_POSITIVE, &joint->length));
    if (!(pkm_joint_type_has(type) & PKM_JOINT_HAS_LEAD)) return PKM_OK;
    if (!lead)
        return pkm_reader_fail_key(r, node,
                                   "a screw needs its 'lead', the way per turn: lead: 5 mm");
    PKM_TRY(pkm_reader_number(r, lead, pkm_dim_length, PKM_RANGE_ANY, &joint->lead));
    if (joint->lead != 0.0) return PKM_OK;
    return pkm_reader_fail(r, lead, "a lead of 0, expected a length; negative is left-handed");
}

static pkm_status read_joint(pkm_reader* r, const pkm_yaml* node, pkm_desc_joint* joint)
{
    static const char* const keys[] = {"!type", "!between", "axis", "reference", "limits",
                                       "swing", "length",   "lead", NULL};
    *joint = (pkm_desc_joint){.length = NAN, .limit = {-INFINITY, INFINITY}, .swing = INFINITY};
    joint->place = node->key_place;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(read_type(r, pkm_yaml_get(node, "type"), &joint->type));
    PKM_TRY(read_between(r, node, joint));
    PKM_TRY(read_frames(r, node, joint));
    return read_options(r, node, joint);
}

static pkm_status read_joints(pkm_reader* r, const pkm_yaml* section)
{
    pkm_description* desc = r->desc;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        char name[PKM_MAX_NAME];
        PKM_TRY(pkm_reader_name(r, node, node->key, true, name));
        for (int i = 0; i < desc->n_joint; ++i)
            if (strcmp(desc->joint[i].name, name) == 0)
                return pkm_reader_fail_key(r, node, "there is a joint '%s' already", name);
        pkm_desc_joint* joint = &desc->joint[desc->n_joint];
        PKM_TRY(read_joint(r, node, joint));
        PKM_TRY(pkm_reader_keep(r, name, &joint->name));
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
                           "the ground",
                           body->name);
    }
    return PKM_OK;
}
