// Pictures of modes, and where their energy is.
#include "base/error.h"
#include "base/memory.h"
#include "flexible/link.h"
#include "math/angle.h"
#include "plot/wireframe.h"
#include "verb/modes_task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PER_ELEMENT = 4 }; // pieces of an element's curve

// ---- lines ------------------------------------------------------------------------------------

/// Lines of the robot and their motion in every mode.
typedef struct sketch {
    const pkm_verb_modes* m;
    const pkm_elastic* elastic;
    const pkm_modes* modes;
    int n_line, n_point;
    pkm_wire_line* line;
    pkm_vec3 *at, *motion; ///< [n_point], [n_point per mode]
    double* q;             ///< coordinates of a mesh
    int n_support;
    pkm_vec3* support;
} sketch;

/// Shapes differ in their motion alone: where the points are is written with the first mode.
static void put_point(sketch* s, int point, pkm_vec3 at, int mode, pkm_vec3 d)
{
    if (mode == 0) s->at[point] = at;
    s->motion[(size_t)mode * (size_t)s->n_point + (size_t)point] = d;
}

/// The elements of a link, each a curve of its own; points used.
static int sketch_link(sketch* s, int part, int point, int mode)
{
    const pkm_beam_mesh* mesh = pkm_elastic_part_link(s->elastic, part)->mesh;
    const pkm_pose pose = pkm_elastic_part_pose(s->elastic, part);
    const pkm_mat3 R = pkm_mat3_from_quat(pose.q);
    const int n = pkm_beam_mesh_elements(mesh);
    // the mode in the coordinates of this mesh
    pkm_elastic_part_mesh(s->elastic, part,
                          s->modes->shape + (size_t)mode * (size_t)s->modes->n_all, s->q);
    for (int e = 0; e < n; ++e) {
        int node[2];
        pkm_beam_mesh_element_nodes(mesh, e, node);
        const pkm_vec3 a = pkm_beam_mesh_at(mesh, node[0]), b = pkm_beam_mesh_at(mesh, node[1]);
        for (int i = 0; i <= PER_ELEMENT; ++i) {
            const double xi = (double)i / PER_ELEMENT;
            const pkm_beam_point p = pkm_beam_mesh_point(mesh, s->q, e, xi);
            // the displacement is in the axes of the element, the picture in those of the world
            put_point(s, point++, pkm_pose_point(pose, pkm_vec3_axpy(a, xi, pkm_vec3_sub(b, a))),
                      mode, pkm_mat3_mul(R, pkm_mat3_mul(p.axes, p.d)));
        }
    }
    return n * (PER_ELEMENT + 1);
}

/// Sort points about their middle, so that their polygon does not cross itself.
static void sort_round(pkm_vec3* at, int n)
{
    pkm_vec3 middle = {0.0, 0.0, 0.0}, normal = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; ++i)
        middle = pkm_vec3_axpy(middle, 1.0 / n, at[i]);
    const pkm_vec3 x = pkm_vec3_sub(at[0], middle);
    for (int i = 1; i < n; ++i) {
        const pkm_vec3 c = pkm_vec3_cross(x, pkm_vec3_sub(at[i], middle));
        if (pkm_vec3_norm(c) > pkm_vec3_norm(normal)) normal = c;
    }
    const pkm_vec3 y = pkm_vec3_cross(pkm_vec3_unit(normal), x);
    for (int i = 1; i < n; ++i) { // by insertion: there are few
        const pkm_vec3 p = at[i], d = pkm_vec3_sub(p, middle);
        const double angle = atan2(pkm_vec3_dot(d, y), pkm_vec3_dot(d, x));
        int k = i;
        for (; k > 0; --k) {
            const pkm_vec3 b = pkm_vec3_sub(at[k - 1], middle);
            if (atan2(pkm_vec3_dot(b, y), pkm_vec3_dot(b, x)) <= angle) break;
            at[k] = at[k - 1];
        }
        at[k] = p;
    }
}

/// Joint frames of a body; at most `most`.
static int body_frames(const sketch* s, int part, pkm_vec3* at, int most)
{
    const pkm_description* desc = s->m->robot->desc;
    const char* name = pkm_elastic_part_name(s->elastic, part);
    int n = 0;
    for (int k = 0; k < 2 * desc->n_joint && n < most; ++k) {
        const pkm_desc_joint* joint = &desc->joint[k / 2];
        const int body = k % 2 ? joint->body_b : joint->body_a;
        if (strcmp(desc->body[body].name, name) == 0)
            at[n++] = k % 2 ? joint->frame_b.p : joint->frame_a.p;
    }
    if (n > 3) sort_round(at, n);
    return n;
}

enum { MAX_FRAME = 32 };

/// A rigid body: the polygon of its joints; points used.
static int sketch_rigid(sketch* s, int part, int point, int mode)
{
    pkm_vec3 at[MAX_FRAME + 1];
    const pkm_pose pose = pkm_elastic_part_pose(s->elastic, part);
    int n = body_frames(s, part, at, MAX_FRAME);
    if (n > 2) {
        at[n] = at[0];
        ++n;
    }
    for (int i = 0; i < n; ++i) {
        pkm_vec3 d, r;
        pkm_elastic_part_motion(s->elastic, part,
                                s->modes->shape + (size_t)mode * (size_t)s->modes->n_all, at[i], &d,
                                &r);
        put_point(s, point + i, pkm_pose_point(pose, at[i]), mode, d);
    }
    return n;
}

static void sketch_mode(sketch* s, int mode)
{
    int point = 0;
    for (int p = 0; p < pkm_elastic_parts(s->elastic); ++p)
        point += pkm_elastic_part_link(s->elastic, p) ? sketch_link(s, p, point, mode)
                                                      : sketch_rigid(s, p, point, mode);
}

/// Count lines and points, and the largest mesh.
static int count(sketch* s)
{
    int largest = 1;
    for (int p = 0; p < pkm_elastic_parts(s->elastic); ++p) {
        const pkm_flexible_link* link = pkm_elastic_part_link(s->elastic, p);
        pkm_vec3 at[MAX_FRAME];
        const int n = link ? pkm_beam_mesh_elements(link->mesh) : 1;
        const int frames = link ? 0 : body_frames(s, p, at, MAX_FRAME);
        s->n_line += n;
        s->n_point += link ? n * (PER_ELEMENT + 1) : frames > 2 ? frames + 1 : frames;
        if (link && pkm_beam_mesh_size(link->mesh) > largest)
            largest = pkm_beam_mesh_size(link->mesh);
    }
    return largest;
}

static void make_lines(sketch* s)
{
    int line = 0, point = 0;
    for (int p = 0; p < pkm_elastic_parts(s->elastic); ++p) {
        const pkm_flexible_link* link = pkm_elastic_part_link(s->elastic, p);
        pkm_vec3 at[MAX_FRAME];
        const int frames = link ? 0 : body_frames(s, p, at, MAX_FRAME);
        const int n = link ? pkm_beam_mesh_elements(link->mesh) : 1;
        for (int e = 0; e < n; ++e) {
            const int points = link ? PER_ELEMENT + 1 : frames > 2 ? frames + 1 : frames;
            s->line[line++] = (pkm_wire_line){points, s->at + point, link != NULL};
            point += points;
        }
    }
}

/// Joints on the ground, which body 0 is.
static void find_supports(sketch* s)
{
    const pkm_description* desc = s->m->robot->desc;
    for (int j = 0; j < desc->n_joint; ++j) {
        if (desc->joint[j].body_a == 0) s->support[s->n_support++] = desc->joint[j].frame_a.p;
        if (desc->joint[j].body_b == 0) s->support[s->n_support++] = desc->joint[j].frame_b.p;
    }
}

static bool make_sketch(sketch* s)
{
    // counts first: lines point into `at`, which must not move
    const size_t largest = (size_t)count(s);
    s->line = pkm_alloc((size_t)s->n_line, sizeof *s->line);
    s->at = pkm_alloc((size_t)s->n_point, sizeof *s->at);
    s->motion = pkm_alloc((size_t)s->n_point * (size_t)s->modes->n_mode, sizeof *s->motion);
    s->q = pkm_alloc(largest, sizeof *s->q);
    s->support = pkm_alloc(2 * (size_t)s->m->robot->desc->n_joint, sizeof *s->support);
    if (!s->line || !s->at || !s->motion || !s->q || !s->support) return false;
    for (int k = 0; k < s->modes->n_mode; ++k)
        sketch_mode(s, k);
    make_lines(s);
    find_supports(s);
    return true;
}

static void free_sketch(sketch* s)
{
    pkm_free(s->line);
    pkm_free(s->at);
    pkm_free(s->motion);
    pkm_free(s->q);
    pkm_free(s->support);
}

pkm_status pkm_verb_modes_draw(const pkm_verb_modes* m, const pkm_elastic* elastic,
                               const pkm_modes* modes, const char* path, pkm_error* err)
{
    sketch s = {.m = m, .elastic = elastic, .modes = modes};
    char title[PKM_WIREFRAME_MAX_PANEL][48], note[PKM_WIREFRAME_MAX_PANEL][80];
    pkm_wire_panel panel[PKM_WIREFRAME_MAX_PANEL];
    const pkm_vec3 g = m->robot->mech->gravity;
    pkm_status status = make_sketch(&s) ? PKM_OK : pkm_out_of_memory(err);
    pkm_wireframe frame = {.title = m->robot->desc->name,
                           .up = pkm_vec3_norm(g) > 0.0 ? pkm_vec3_scale(-1.0, g)
                                                        : (pkm_vec3){0.0, 0.0, 1.0},
                           .line = s.line,
                           .n_line = s.n_line,
                           .support = s.support,
                           .n_support = s.n_support,
                           .panel = panel};
    for (int k = 0; k < modes->n_mode && k < PKM_WIREFRAME_MAX_PANEL && status == PKM_OK; ++k) {
        // f = w/2 pi
        snprintf(title[k], sizeof title[k], "%d: %.4g Hz", k + 1, modes->omega[k] / PKM_TURN);
        pkm_modes_culprits(elastic, modes, k, 2, note[k], sizeof note[k]);
        panel[frame.n_panel++] =
            (pkm_wire_panel){title[k], note[k], s.motion + (size_t)k * (size_t)s.n_point};
    }
    if (status == PKM_OK) status = pkm_wireframe_write(&frame, path, err);
    free_sketch(&s);
    return status;
}
