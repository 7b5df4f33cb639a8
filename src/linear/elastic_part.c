// Bodies of the elastic model: their coordinates, matrices and frames, docs/theory/modes.md,
// section 1.
#include "base/error.h"
#include "flexible/damping.h"
#include "flexible/span.h"
#include "linear/elastic_model.h"
#include "math/lapack.h"
#include "robot/run_variant.h"

#include <math.h>
#include <string.h>

// Coordinates of rigid bodies stay independent where there is a choice.
static const double RIGID_UNIT = 0.1;

enum { MANY_POSES = 20 }; // modes of a link where many poses are asked for

static double* numbers(pkm_elastic* e, size_t count)
{
    return pkm_arena_alloc(e->arena, count, sizeof(double));
}

// ---- frames -----------------------------------------------------------------------------------

int elastic_frame_of_joint(const elastic_part* part, int joint, int side)
{
    for (int f = 0; f < part->n_frame; ++f)
        if (part->frame[f].joint == joint && part->frame[f].side == side) return f;
    return PKM_NONE;
}

int elastic_frame_of_marker(const elastic_part* part, int marker)
{
    for (int f = 0; f < part->n_frame; ++f)
        if (part->frame[f].joint == PKM_NONE && part->frame[f].marker == marker) return f;
    return PKM_NONE;
}

static void put_motion(double* map, pkm_vec3 d, pkm_vec3 r)
{
    const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(map, all, sizeof all);
}

/// The frames of a rigid body: those of joints, then all markers.
static void list_frames(const pkm_elastic* e, elastic_part* part)
{
    const pkm_description* desc = e->robot->desc;
    const int body = e->mech->body[part->body].desc;
    part->n_frame = 0;
    for (int k = 0; k < 2 * desc->n_joint; ++k) {
        const pkm_desc_joint* joint = &desc->joint[k / 2];
        if ((k % 2 ? joint->body_b : joint->body_a) != body) continue;
        const pkm_pose pose = k % 2 ? joint->frame_b : joint->frame_a;
        part->frame[part->n_frame++] = (elastic_frame){.joint = k / 2,
                                                       .side = k % 2,
                                                       .marker = PKM_NONE,
                                                       .at = pose.p,
                                                       .axes = pkm_mat3_from_quat(pose.q)};
    }
    for (int m = 0; m < desc->n_marker; ++m)
        if (desc->marker[m].body == body)
            part->frame[part->n_frame++] =
                (elastic_frame){.joint = PKM_NONE,
                                .marker = m,
                                .at = desc->marker[m].pose.p,
                                .axes = pkm_mat3_from_quat(desc->marker[m].pose.q)};
}

/// Each frame has a 6 x n map: displacement and rotation of its node by the coordinates of the part
/// (1.1).
static pkm_status make_frames(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const size_t most = 2 * (size_t)e->mech->n_joint + (size_t)e->mech->n_marker;
    part->frame = pkm_arena_alloc(e->arena, most + 1, sizeof *part->frame);
    if (!part->frame) return pkm_out_of_memory(err);
    list_frames(e, part);
    for (int f = 0; f < part->n_frame; ++f) {
        part->frame[f].map = numbers(e, 6 * (size_t)part->n);
        if (!part->frame[f].map) return pkm_out_of_memory(err);
    }
    return PKM_OK;
}

// ---- rigid bodies -----------------------------------------------------------------------------

/// Displacement of the centre of mass and rotation: M = diag(m, m, m, J).
static pkm_status make_rigid(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const pkm_mass* body = &e->mass[part->body];
    const double* J = body->inertia;
    const double inertia[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    part->n = 6;
    part->M = numbers(e, 36);
    part->unit = numbers(e, 6);
    if (!part->M || !part->unit) return pkm_out_of_memory(err);
    for (int i = 0; i < 3; ++i) {
        // 6 x 6 by columns: entry (i, i) stands at 7 i
        part->M[7 * i] = body->mass;
        part->unit[i] = RIGID_UNIT;
        part->unit[3 + i] = RIGID_UNIT / e->size;
        for (int j = 0; j < 3; ++j)
            part->M[6 * (3 + j) + 3 + i] = inertia[i][j];
    }
    PKM_TRY(make_frames(e, part, err));
    for (int f = 0; f < part->n_frame; ++f) {
        elastic_frame* frame = &part->frame[f];
        frame->arm = pkm_vec3_sub(frame->at, body->com);
        for (int k = 0; k < 3; ++k) {
            put_motion(frame->map + 6 * k, pkm_vec3_axis(k), (pkm_vec3){0});
            put_motion(frame->map + 6 * (3 + k), pkm_vec3_cross(pkm_vec3_axis(k), frame->arm),
                       pkm_vec3_axis(k));
        }
    }
    return PKM_OK;
}

// ---- flexible links --------------------------------------------------------------------------

/// The spec with which a link is reduced; false: its mesh is taken as it is.
static bool choose_modes(const pkm_elastic* e, const elastic_part* part, pkm_flexible_spec* spec)
{
    // coordinates of the mesh less the rigid motions
    const int most = part->n_mesh - 6;
    const bool is_modal =
        spec->damping == PKM_FLEXIBLE_RATIO || spec->damping == PKM_FLEXIBLE_ADAMS;
    // ratios of damping are those of modes and need them
    if (e->settings.is_modal) return true;
    const pkm_beam_choice choice = pkm_flexible_kept(spec, most);
    if (spec->keep == PKM_FLEXIBLE_KEEP_BELOW || spec->keep == PKM_FLEXIBLE_KEEP_COUNT ||
        pkm_beam_choice_is_picky(&choice))
        return true;
    // maps: the same 20 modes at every pose, reduced once
    if (spec->keep == PKM_FLEXIBLE_KEEP_DEFAULT && e->settings.is_reduced && most > MANY_POSES) {
        spec->keep = PKM_FLEXIBLE_KEEP_COUNT;
        spec->n_mode = MANY_POSES;
        return true;
    }
    spec->keep = PKM_FLEXIBLE_KEEP_FULL;
    return is_modal;
}

/// The rigid motions of the mesh about the origin of the body: displacements, then rotations.
static void rigid_motion(const elastic_part* part, int k, double* q)
{
    const pkm_beam_mesh* mesh = part->link->mesh;
    memset(q, 0, (size_t)part->n_mesh * sizeof *q);
    for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
        const pkm_vec3 w = k < 3 ? (pkm_vec3){0} : pkm_vec3_axis(k - 3);
        const pkm_vec3 d = k < 3 ? pkm_vec3_axis(k) : pkm_vec3_cross(w, pkm_beam_mesh_at(mesh, i));
        const double all[6] = {d.x, d.y, d.z, w.x, w.y, w.z};
        for (int c = 0; c < 6; ++c)
            q[pkm_beam_mesh_coordinate(mesh, i, c)] = all[c];
    }
}

/// C = A' B A for a symmetric n x n matrix B and an n x m matrix A; `work` has n x m numbers.
static void congruence(int n, int m, const double* A, const double* B, double* work, double* C)
{
    pkm_dgemm('N', 'N', n, m, n, 1.0, B, n, A, n, 0.0, work, n);
    pkm_dgemm('T', 'N', m, m, n, 1.0, A, n, work, n, 0.0, C, m);
}

/// The first part whose link has the same digest; NULL: none before this one.
static const elastic_part* find_twin(const pkm_elastic* e, const elastic_part* part)
{
    for (const elastic_part* other = e->part; other < part; ++other)
        if (other->modes.X && strcmp(other->content, part->content) == 0) return other;
    return NULL;
}

/// The modes of the link: of the body that reading the run has made, of an equal part before it,
/// or, where the choice is another one here, its own.
static pkm_status find_modes(pkm_elastic* e, elastic_part* part, const pkm_flexible_spec* spec,
                             pkm_error* err)
{
    const pkm_description* desc = e->robot->desc;
    if (pkm_flexible_digest(desc, part->link, spec, part->content) != PKM_OK)
        return pkm_out_of_memory(err);
    const pkm_flexible_body* made =
        pkm_flexible_made_find(e->settings.effects->made, part->content);
    const elastic_part* twin = find_twin(e, part);
    if (!made && !twin) PKM_TRY(pkm_flexible_reduce(desc, part->link, spec, &part->reduced, err));
    part->modes = made ? pkm_flexible_body_modes(made) : twin ? twin->modes : *part->reduced;
    PKM_ASSERT(part->modes.n == part->n_mesh);
    return PKM_OK;
}

/// X = [rigid motions, modes]; K = diag(0, omega^2), M = diag(M_rigid, 1).
static pkm_status use_modes(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const pkm_beam_modes* modes = &part->modes;
    const size_t n_mesh = (size_t)part->n_mesh, n = 6 + (size_t)modes->n_mode;
    part->n = (int)n;
    part->X = numbers(e, n_mesh * n);
    part->K = numbers(e, n * n);
    part->M = numbers(e, n * n);
    part->damping = numbers(e, n);
    double *full = numbers(e, n_mesh * n_mesh), *work = numbers(e, 6 * n_mesh);
    if (!part->X || !part->K || !part->M || !part->damping || !full || !work)
        return pkm_out_of_memory(err);
    for (int k = 0; k < 6; ++k)
        rigid_motion(part, k, part->X + (size_t)k * n_mesh);
    // behind six columns of rigid motions
    memcpy(part->X + 6 * n_mesh, modes->X, n_mesh * (n - 6) * sizeof *part->X);
    // M_rigid = X_r' M X_r; modes are free ones, so that they have no product with rigid motions
    pkm_beam_mesh_mass(part->link->mesh, full);
    double rigid[36];
    congruence(part->n_mesh, 6, part->X, full, work, rigid);
    for (int k = 0; k < 36; ++k)
        part->M[(size_t)(k / 6) * n + (size_t)(k % 6)] = rigid[k];
    for (size_t k = 6; k < n; ++k) {
        const double omega = modes->omega[k - 6];
        // mass normalised [kg^(1/2) m]
        part->K[k * n + k] = omega * omega;
        part->M[k * n + k] = 1.0;
        part->damping[k] = pkm_flexible_damping_of(part->spec, omega);
    }
    return PKM_OK;
}

/// Ratios of damping belong to the modes between the joints, as in simulations; those of an equal
/// part before it serve.
static pkm_status hold_damping(pkm_elastic* e, elastic_part* part, const pkm_flexible_spec* spec,
                               pkm_error* err)
{
    const bool by_ratio =
        spec->damping == PKM_FLEXIBLE_RATIO || spec->damping == PKM_FLEXIBLE_ADAMS;
    const elastic_part* twin = find_twin(e, part);
    if (!by_ratio || spec->free_damping) return PKM_OK;
    part->held_damping = twin ? twin->held_damping : NULL;
    if (twin) return PKM_OK;
    const size_t n = (size_t)(part->n - 6);
    pkm_flexible_body* body = NULL;
    part->held_damping = numbers(e, n * n);
    if (!part->held_damping) return pkm_out_of_memory(err);
    PKM_TRY(pkm_flexible_body_of(part->link, spec, &part->modes, &body, err));
    const pkm_status status =
        pkm_flexible_held_damping(e->robot->desc, body, spec, part->held_damping);
    pkm_flexible_body_free(body);
    if (status == PKM_ERR_MEMORY) return pkm_out_of_memory(err);
    return status == PKM_OK ? PKM_OK : pkm_fail(err, status, "%s: its damping", part->name);
}

static pkm_status use_mesh(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const size_t n = (size_t)part->n_mesh;
    part->n = part->n_mesh;
    part->K = numbers(e, n * n);
    part->M = numbers(e, n * n);
    if (!part->K || !part->M) return pkm_out_of_memory(err);
    pkm_beam_mesh_stiffness(part->link->mesh, part->K);
    pkm_beam_mesh_mass(part->link->mesh, part->M);
    if (part->spec->damping == PKM_FLEXIBLE_RAYLEIGH) {
        part->rayleigh[0] = part->spec->mass;
        part->rayleigh[1] = part->spec->stiffness;
    }
    return PKM_OK;
}

/// For the choice of pivots: a metre, a turn that moves the robot's size by a metre, and of a mode,
/// whose mass is 1, the square root of the link's mass.
static void set_units(const pkm_elastic* e, elastic_part* part)
{
    const double mass = pkm_beam_mesh_total_mass(part->link->mesh);
    for (int k = 0; k < part->n; ++k) {
        // without X the coordinates are shifts and turns of nodes
        const bool is_turn = part->X && k >= 3 && k < 6;
        part->unit[k] = !part->X ? 1.0 : is_turn ? 1.0 / e->size : k < 6 ? 1.0 : sqrt(mass);
    }
    for (int i = 0; !part->X && i < pkm_beam_mesh_nodes(part->link->mesh); ++i)
        for (int d = 3; d < 6; ++d)
            part->unit[pkm_beam_mesh_coordinate(part->link->mesh, i, d)] = 1.0 / e->size;
}

static pkm_vec3 farthest_node(const pkm_beam_mesh* mesh, pkm_vec3 from)
{
    pkm_vec3 best = from;
    for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
        const pkm_vec3 at = pkm_beam_mesh_at(mesh, i);
        if (pkm_vec3_norm(pkm_vec3_sub(at, from)) > pkm_vec3_norm(pkm_vec3_sub(best, from)))
            best = at;
    }
    return best;
}

/// flexible.md, (7.4), with the smallest E I of the link.
static double euler_load(const pkm_elastic* e, const pkm_flexible_link* link)
{
    double least = INFINITY;
    for (int k = 0; k < pkm_beam_mesh_elements(link->mesh); ++k) {
        const pkm_beam_element* data = pkm_beam_mesh_element_data(link->mesh, k);
        least = fmin(least, data->material.E * fmin(data->section.Iy, data->section.Iz));
    }
    // a drive that carries the link is the root of its span
    const pkm_vec3* carried = pkm_run_variant_place(e->robot->desc, link->body);
    const int first = pkm_flexible_span_first(link->frame, link->n_joint, carried);
    const pkm_flexible_span span =
        pkm_flexible_span_make(link->frame, link->n_joint, first, carried,
                               farthest_node(link->mesh, link->frame[first].pose.p));
    return pkm_flexible_eulers_load(&span, least);
}

static void fill_flexible_frames(elastic_part* part, double* q)
{
    for (int f = 0; f < part->n_frame; ++f) {
        elastic_frame* frame = &part->frame[f];
        const int from = frame->joint == PKM_NONE
                             ? pkm_flexible_link_marker(part->link, frame->marker)
                             : pkm_flexible_link_joint(part->link, frame->joint, frame->side);
        frame->arm = part->link->frame[from].offset;
        for (int k = 0; k < part->n; ++k) {
            pkm_vec3 d, r;
            // without X the coordinates are those of the mesh: unit vectors, one after the other
            if (!part->X) q[k] = 1.0;
            pkm_flexible_frame_motion(
                part->link, part->X ? part->X + (size_t)k * (size_t)part->n_mesh : q, from, &d, &r);
            if (!part->X) q[k] = 0.0;
            put_motion(frame->map + 6 * k, d, r);
        }
    }
}

static pkm_status make_flexible(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const pkm_description* desc = e->robot->desc;
    const int body = e->mech->body[part->body].desc;
    PKM_TRY(pkm_flexible_link_mesh(desc, body, part->spec, &part->link, err));
    // six coordinates for a node, two to four strains more for higher shape functions
    part->n_mesh = pkm_beam_mesh_size(part->link->mesh);
    part->euler = euler_load(e, part->link);
    // a copy: what is chosen for the poses does not change the run
    pkm_flexible_spec spec = *part->spec;
    if (choose_modes(e, part, &spec)) {
        PKM_TRY(find_modes(e, part, &spec, err));
        PKM_TRY(use_modes(e, part, err));
        PKM_TRY(hold_damping(e, part, &spec, err));
    } else {
        PKM_TRY(use_mesh(e, part, err));
    }
    part->unit = numbers(e, (size_t)part->n);
    double* q = numbers(e, (size_t)part->n_mesh);
    if (!part->unit || !q) return pkm_out_of_memory(err);
    // room for the stiffness that axial forces bring
    if (e->settings.is_weighted) {
        part->G = numbers(e, (size_t)part->n * (size_t)part->n);
        if (!part->G) return pkm_out_of_memory(err);
    }
    set_units(e, part);
    PKM_TRY(make_frames(e, part, err));
    fill_flexible_frames(part, q);
    return e->settings.is_weighted ? elastic_bend_prepare(e, part, err) : PKM_OK;
}

// ---- bodies made by other programs --------------------------------------------------------------

/// Coordinates, K and M of the file; frames that are no interface hang on the nearest one.
static pkm_status make_outside(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const pkm_flexible_imported* o = part->outside = part->spec->outside;
    const pkm_description* desc = e->robot->desc;
    part->n = o->n;
    part->K = o->K;
    part->M = o->M;
    part->unit = numbers(e, (size_t)o->n);
    if (!part->unit) return pkm_out_of_memory(err);
    if (part->spec->damping == PKM_FLEXIBLE_RAYLEIGH) {
        part->rayleigh[0] = part->spec->mass;
        part->rayleigh[1] = part->spec->stiffness;
    }
    for (int k = 0; k < o->n; ++k)
        // interface coordinates come by six, shifts before turns
        part->unit[k] = k < 6 * o->n_frame && k % 6 >= 3 ? 1.0 / e->size : 1.0;
    PKM_TRY(make_frames(e, part, err));
    for (int f = 0; f < part->n_frame; ++f) {
        elastic_frame* frame = &part->frame[f];
        const int on = pkm_flexible_imported_frame(o, desc, frame->at);
        frame->arm = pkm_vec3_sub(frame->at, desc->marker[o->marker[on]].pose.p);
        for (int k = 0; k < 3; ++k) {
            put_motion(frame->map + 6 * (6 * on + k), pkm_vec3_axis(k), (pkm_vec3){0});
            put_motion(frame->map + 6 * (6 * on + 3 + k),
                       pkm_vec3_cross(pkm_vec3_axis(k), frame->arm), pkm_vec3_axis(k));
        }
    }
    return PKM_OK;
}

// ---- all --------------------------------------------------------------------------------------

static const pkm_flexible_spec* spec_of(const pkm_elastic* e, int desc_body)
{
    const pkm_effects* effects = e->settings.effects;
    for (int k = 0; effects && k < effects->n_flexible; ++k)
        if (effects->flexible[k].body == desc_body) return &effects->flexible[k].spec;
    return NULL;
}

/// Matrices over all coordinates are dense.
static pkm_status check_coordinates(const pkm_elastic* e, pkm_error* err)
{
    enum { MOST = 6000 };
    if (e->n_all <= MOST) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "bodies and flexible links with %d coordinates or more, expected at most %d",
                    e->n_all, MOST);
}

pkm_status elastic_parts_create(pkm_elastic* e, pkm_error* err)
{
    const pkm_mechanism* mech = e->mech;
    e->part = pkm_arena_alloc(e->arena, (size_t)mech->n_body, sizeof *e->part);
    e->part_of = pkm_arena_alloc(e->arena, (size_t)mech->n_body, sizeof *e->part_of);
    if (!e->part || !e->part_of) return pkm_out_of_memory(err);
    for (int i = 0; i < mech->n_body; ++i)
        e->part_of[i] = PKM_NONE;
    for (int i = 1; i < mech->n_body; ++i) {
        elastic_part* part = &e->part[e->n_part];
        e->part_of[i] = e->n_part++;
        *part = (elastic_part){.body = i,
                               .name = mech->body[i].name,
                               .at = e->n_all,
                               .spec = spec_of(e, mech->body[i].desc)};
        PKM_TRY(!part->spec           ? make_rigid(e, part, err)
                : part->spec->outside ? make_outside(e, part, err)
                                      : make_flexible(e, part, err));
        e->n_all += part->n;
        PKM_TRY(check_coordinates(e, err));
    }
    return PKM_OK;
}

void elastic_parts_free(pkm_elastic* e)
{
    for (int i = 0; i < e->n_part; ++i) {
        pkm_flexible_link_free(e->part[i].link);
        pkm_beam_modes_free(e->part[i].reduced);
    }
}

void elastic_spin(const elastic_part* part, pkm_vec3 axis, pkm_vec3 through, double* s)
{
    const pkm_vec3 w = axis;
    memset(s, 0, (size_t)part->n * sizeof *s);
    if (part->outside) {
        const pkm_vec3 d = pkm_vec3_cross(through, w); // of the origin: w x (0 - through)
        const double all[6] = {d.x, d.y, d.z, w.x, w.y, w.z};
        for (int k = 0; k < 6; ++k)
            pkm_daxpy(part->n, all[k], part->outside->rigid + (size_t)k * (size_t)part->n, 1, s, 1);
        return;
    }
    if (!part->link || part->X) {
        // about the centre of mass of a rigid body, the origin of a link with modes
        const pkm_vec3 from =
            part->link ? (pkm_vec3){0} : pkm_vec3_sub(part->frame[0].at, part->frame[0].arm);
        const pkm_vec3 d = pkm_vec3_cross(w, pkm_vec3_sub(from, through));
        put_motion(s, d, w);
        return;
    }
    const pkm_beam_mesh* mesh = part->link->mesh;
    for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
        const pkm_vec3 d = pkm_vec3_cross(w, pkm_vec3_sub(pkm_beam_mesh_at(mesh, i), through));
        const double all[6] = {d.x, d.y, d.z, w.x, w.y, w.z};
        for (int c = 0; c < 6; ++c)
            s[pkm_beam_mesh_coordinate(mesh, i, c)] = all[c];
    }
}
