// What does not move is written once (shapes, joints), what moves frame by frame with few digits:
// poses to 0.1 um, deflections to 0.1 nm.
#include "write/scene.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// ---- small values -----------------------------------------------------------------------------

static void put_vec3(pkm_json* json, const char* key, pkm_vec3 v)
{
    const double x[] = {v.x, v.y, v.z};
    pkm_json_put_numbers(json, key, x, 3);
}

static void put_quat(pkm_json* json, const char* key, pkm_quat q)
{
    const double x[] = {q.w, q.x, q.y, q.z};
    pkm_json_put_numbers(json, key, x, 4);
}

/// `x` to multiples of `unit`, so that it takes few digits.
static double rounded(double x, double per_unit)
{
    return rint(x * per_unit) / per_unit + 0.0; // no -0
}

// ---- the robot --------------------------------------------------------------------------------

static void put_triangles(pkm_json* json, const pkm_desc_shape* shape)
{
    pkm_json_open_array(json, "triangles");
    for (int k = 0; k < shape->n_triangle; ++k) {
        double x[9];
        for (int c = 0; c < 3; ++c) {
            const pkm_vec3 p = shape->triangle[3 * k + c];
            // to a micrometre: a mesh of 100 000 triangles is most of a page
            x[3 * c] = rounded(p.x, 1e6);
            x[3 * c + 1] = rounded(p.y, 1e6);
            x[3 * c + 2] = rounded(p.z, 1e6);
        }
        pkm_json_numbers(json, x, 9);
    }
    pkm_json_array_end(json);
}

static void put_shape(pkm_json* json, const pkm_desc_shape* shape)
{
    // in the order of pkm_desc_shape_kind; web/src reads the words
    static const char* const kind[] = {"none", "rod", "tube", "cylinder", "box", "sphere", "mesh"};
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "kind", kind[shape->kind]);
    switch (shape->kind) {
    case PKM_SHAPE_NONE:
        break;
    case PKM_SHAPE_ROD:
    case PKM_SHAPE_TUBE:
    case PKM_SHAPE_CYLINDER:
        put_vec3(json, "from", shape->from);
        put_vec3(json, "to", shape->to);
        pkm_json_put_number(json, "radius", shape->radius);
        break;
    case PKM_SHAPE_BOX:
        put_vec3(json, "at", shape->from);
        put_vec3(json, "size", shape->size);
        put_quat(json, "turn", shape->turn);
        break;
    case PKM_SHAPE_SPHERE:
        put_vec3(json, "at", shape->from);
        pkm_json_put_number(json, "radius", shape->radius);
        break;
    case PKM_SHAPE_MESH:
        put_triangles(json, shape);
        break;
    }
    pkm_json_object_end(json);
}

static void put_bodies(pkm_json* json, const pkm_description* desc)
{
    pkm_json_open_array(json, "bodies");
    for (int b = 0; b < desc->n_body; ++b) {
        const pkm_desc_body* body = &desc->body[b];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", body->name);
        pkm_json_put_number(json, "mass", body->mass);
        put_vec3(json, "com", body->com);
        put_vec3(json, "at", body->guess.p);
        put_quat(json, "turn", body->guess.q);
        pkm_json_open_array(json, "shapes");
        for (int s = 0; s < body->n_shape; ++s)
            put_shape(json, &body->shape[s]);
        pkm_json_array_end(json);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_joints(pkm_json* json, const pkm_description* desc)
{
    pkm_json_open_array(json, "joints");
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", joint->name);
        pkm_json_put_string(json, "type", pkm_joint_type_name(joint->type));
        // bodies by their place in the list, 0 is the ground
        pkm_json_put_integer(json, "a", joint->body_a);
        pkm_json_put_integer(json, "b", joint->body_b);
        put_vec3(json, "at_a", joint->frame_a.p);
        put_quat(json, "turn_a", joint->frame_a.q);
        put_vec3(json, "at_b", joint->frame_b.p);
        put_quat(json, "turn_b", joint->frame_b.q);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_drives(pkm_json* json, const pkm_description* desc)
{
    pkm_json_open_array(json, "drives");
    for (int d = 0; d < desc->n_drive; ++d) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", desc->drive[d].name);
        pkm_json_put_integer(json, "joint", desc->drive[d].joint);
        pkm_json_put_bool(json, "rotary", desc->drive[d].is_rotary);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_tool(pkm_json* json, const pkm_description* desc)
{
    pkm_json_key(json, "tool");
    if (desc->tool_marker == PKM_NONE) {
        pkm_json_null(json);
        return;
    }
    const pkm_desc_marker* tool = &desc->marker[desc->tool_marker];
    const char* dot = strrchr(tool->name, '.');
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "name", dot ? dot + 1 : tool->name);
    pkm_json_put_integer(json, "body", tool->body);
    put_vec3(json, "at", tool->pose.p);
    pkm_json_object_end(json);
}

static void put_texts(pkm_json* json, const pkm_description* desc)
{
    pkm_json_put_string(json, "name", desc->name);
    pkm_json_put_string(json, "description", desc->text);
    pkm_json_put_string(json, "source", desc->source);
    put_vec3(json, "gravity", desc->gravity);
    pkm_json_open_array(json, "motions");
    for (int m = 0; m < desc->n_motion; ++m) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_motion_name(desc->motion[m].motion));
        pkm_json_put_string(json, "text", desc->motion[m].text);
        pkm_json_put_number(json, "duration", pkm_motion_duration(desc->motion[m].motion));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_open_array(json, "parameters");
    for (int p = 0; p < desc->n_parameter; ++p) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", desc->parameter[p].name);
        pkm_json_put_number(json, "value", desc->parameter[p].value);
        pkm_json_put_string(json, "unit", desc->parameter[p].unit);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

// ---- the snapshots
// ---------------------------------------------------------------------------------

static bool has_frames(const pkm_snapshots* snapshots)
{
    return snapshots && snapshots->n_frame > 0;
}

static const pkm_pose* pose_at(const pkm_snapshots* snapshots, int frame, int body)
{
    return &snapshots->pose[(size_t)frame * (size_t)snapshots->n_body + (size_t)body];
}

/// A frame: for each moving body x y z [0.1 um] and the quaternion w x y z, one after the other.
static void put_poses(pkm_json* json, const pkm_snapshots* snapshots, int n_frame)
{
    pkm_json_array_begin(json);
    for (int f = 0; f < n_frame; ++f) {
        pkm_json_array_begin(json);
        for (int b = 1; b < snapshots->n_body; ++b) {
            const pkm_pose* p = pose_at(snapshots, f, b);
            const double x[] = {rounded(p->p.x, 1e7), rounded(p->p.y, 1e7), rounded(p->p.z, 1e7),
                                rounded(p->q.w, 1e7), rounded(p->q.x, 1e7), rounded(p->q.y, 1e7),
                                rounded(p->q.z, 1e7)};
            pkm_json_numbers(json, x, 7);
        }
        pkm_json_array_end(json);
    }
    pkm_json_array_end(json);
}

/// What leads from the ideal pose to the true one: shift of the origin, rotation vector, world axes
/// [1e-10 m, 1e-10 rad]. Kept apart from the poses, so that it can be magnified.
static void put_deviations(pkm_json* json, const pkm_snapshots* snapshots,
                           const pkm_snapshots* ideal, int n_frame)
{
    pkm_json_array_begin(json);
    for (int f = 0; f < n_frame; ++f) {
        pkm_json_array_begin(json);
        for (int b = 1; b < snapshots->n_body; ++b) {
            const pkm_pose *p = pose_at(snapshots, f, b), *want = pose_at(ideal, f, b);
            const pkm_vec3 d = pkm_vec3_sub(p->p, want->p);
            const pkm_vec3 r = pkm_quat_to_rotvec(pkm_quat_mul(p->q, pkm_quat_conj(want->q)));
            const double x[] = {rounded(d.x, 1e10), rounded(d.y, 1e10), rounded(d.z, 1e10),
                                rounded(r.x, 1e10), rounded(r.y, 1e10), rounded(r.z, 1e10)};
            pkm_json_numbers(json, x, 6);
        }
        pkm_json_array_end(json);
    }
    pkm_json_array_end(json);
}

/// The flexible links: points along them without deflection, in body axes.
static void put_bends(pkm_json* json, const pkm_snapshots* snapshots)
{
    pkm_json_open_array(json, "bends");
    for (int k = 0; k < snapshots->n_flexible; ++k) {
        const pkm_snapshots_link* bend = &snapshots->bend[k];
        pkm_json_object_begin(json);
        pkm_json_put_integer(json, "body", bend->body);
        pkm_json_put_number(json, "radius", bend->size);
        pkm_json_open_array(json, "points");
        for (int i = bend->at; i < bend->at + bend->n; ++i) {
            const double x[] = {snapshots->rest[i].x, snapshots->rest[i].y, snapshots->rest[i].z};
            pkm_json_numbers(json, x, 3);
        }
        pkm_json_array_end(json);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

/// Deflections of their points, frame by frame and link by link: x y z, body axes [1e-10 m].
static void put_bending(pkm_json* json, const pkm_snapshots* snapshots)
{
    pkm_json_open_array(json, "bending");
    for (int f = 0; f < snapshots->n_frame; ++f) {
        pkm_json_array_begin(json);
        for (int i = 0; i < snapshots->n_point; ++i) {
            const pkm_vec3 d = snapshots->shift[(size_t)f * (size_t)snapshots->n_point + (size_t)i];
            const double x[] = {rounded(d.x, 1e10), rounded(d.y, 1e10), rounded(d.z, 1e10)};
            pkm_json_numbers(json, x, 3);
        }
        pkm_json_array_end(json);
    }
    pkm_json_array_end(json);
}

static bool has_ideal(const pkm_scene* scene)
{
    return has_frames(scene->ideal) && scene->ideal->n_frame >= scene->snapshots->n_frame;
}

/// Frames hold the ideal poses when there is an ideal motion, with deviations beside them.
static void put_times(pkm_json* json, const pkm_scene* scene)
{
    pkm_json_put_numbers(json, "t", scene->snapshots->t, scene->snapshots->n_frame);
    pkm_json_key(json, "poses");
    put_poses(json, has_ideal(scene) ? scene->ideal : scene->snapshots, scene->snapshots->n_frame);
}

/// What is off the ideal poses.
static void put_off(pkm_json* json, const pkm_scene* scene)
{
    if (has_ideal(scene)) {
        pkm_json_key(json, "deviations");
        put_deviations(json, scene->snapshots, scene->ideal, scene->snapshots->n_frame);
    }
    if (scene->snapshots->n_flexible == 0) return;
    put_bends(json, scene->snapshots);
    put_bending(json, scene->snapshots);
}

static void put_snapshots(pkm_json* json, const pkm_scene* scene)
{
    pkm_json_key(json, "film");
    if (!has_frames(scene->snapshots)) {
        pkm_json_null(json);
        return;
    }
    pkm_json_object_begin(json);
    put_times(json, scene);
    put_off(json, scene);
    pkm_json_object_end(json);
}

static void put_robot(pkm_json* json, const pkm_description* desc)
{
    put_texts(json, desc);
    put_bodies(json, desc);
    put_joints(json, desc);
    put_drives(json, desc);
    put_tool(json, desc);
}

// ---- as a whole and in pieces -----------------------------------------------------------------

pkm_status pkm_scene_write(const pkm_scene* scene, const char* path, pkm_error* err)
{
    pkm_stream* stream;
    PKM_TRY(pkm_stream_open(path, &stream, err));
    pkm_json json = pkm_json_make(stream);
    pkm_json_object_begin(&json);
    put_robot(&json, scene->desc);
    put_snapshots(&json, scene);
    if (scene->more) scene->more(scene->user, &json);
    pkm_json_object_end(&json);
    return pkm_stream_close(stream, err);
}

static void put_part(pkm_json* json, const pkm_scene* scene, pkm_scene_part part)
{
    pkm_json_object_begin(json);
    if (part == PKM_SCENE_ROBOT)
        put_robot(json, scene->desc);
    else if (part == PKM_SCENE_POSES)
        put_times(json, scene);
    else
        put_off(json, scene);
    pkm_json_object_end(json);
}

char* pkm_scene_text(const pkm_scene* scene, pkm_scene_part part)
{
    if (part != PKM_SCENE_ROBOT && !has_frames(scene->snapshots)) return NULL;
    pkm_stream* stream = pkm_stream_to_memory();
    if (!stream) return NULL;
    pkm_json json = pkm_json_make(stream);
    put_part(&json, scene, part);
    const char* text = pkm_stream_get(stream);
    char* out = text ? pkm_alloc(strlen(text) + 1, 1) : NULL;
    if (out) strcpy(out, text);
    pkm_stream_discard(stream);
    return out;
}
