// A link's mesh, reduced to modes, as one constant block: frequencies, what the modes do at frames
// and places, how they stretch and bend the elements, integrals over the body. From here the
// general engine (modal_make.c) and readings (gauge.c) take it. docs/theory/beams.md, section 4,
// docs/theory/flexible.md, section 1.
#include "flexible/body.h"

#include "base/error.h"
#include "flexible/body_impl.h"
#include "math/pair.h"

#include <math.h>
#include <string.h>

// ---- one block --------------------------------------------------------------------------------

/// Hands out pieces of one block; with no block it only counts.
typedef struct carver {
    char* block;
    size_t used;
} carver;

// pieces begin at multiples of 16 bytes, so that any of them may hold doubles or structs
static void* carve(carver* c, size_t count, size_t size)
{
    void* piece = c->block ? c->block + c->used : NULL;
    c->used += (count * size + 15) / 16 * 16;
    return piece;
}

/// Set all pointers of the body; its counts are set.
static void lay_out(pkm_flexible_body* b, carver* c)
{
    const size_t n = (size_t)b->n_mode, f = (size_t)b->n_frame, e = (size_t)b->n_element;
    const size_t s = (size_t)b->n_sample, word = sizeof(double);
    b->X = carve(c, n * (size_t)b->n_mesh, word);
    b->omega = carve(c, n, word);
    b->damping = carve(c, n, word);
    b->integrals.momentum = carve(c, 3 * n, word);
    b->integrals.spin = carve(c, 3 * n, word);
    b->integrals.cross = carve(c, 9 * n, word);
    // the largest part
    b->integrals.pair = carve(c, 9 * n * n, word);
    b->frame = carve(c, f, sizeof *b->frame);
    b->phi_d = carve(c, 3 * n * f, word);
    b->phi_r = carve(c, 3 * n * f, word);
    b->EA = carve(c, e, word);
    b->GJ = carve(c, e, word);
    b->length = carve(c, e, word);
    b->stretch = carve(c, n * e, word);
    b->rise = carve(c, e, sizeof *b->rise);
    b->slope = carve(c, 2 * n * e * (size_t)b->n_point, word);
    b->sample = carve(c, s, sizeof *b->sample);
    b->recover = carve(c, PKM_FLEXIBLE_RECOVER * n * s, word);
}

pkm_flexible_body* pkm_flexible_body_alloc(const pkm_flexible_body* counts)
{
    const size_t head = (sizeof *counts + 15) / 16 * 16;
    pkm_flexible_body body = *counts;
    carver c = {.used = head};
    lay_out(&body, &c);
    char* block = pkm_alloc(c.used, 1);
    if (!block) return NULL;
    c = (carver){.block = block, .used = head};
    lay_out(&body, &c);
    memcpy(block, &body, sizeof body);
    pkm_flexible_body* out = (pkm_flexible_body*)block;
    atomic_init(&out->n_more, 0);
    return out;
}

pkm_flexible_body* pkm_flexible_body_copy(const pkm_flexible_body* from,
                                          const pkm_flexible_link* link)
{
    pkm_flexible_body* out = pkm_flexible_body_alloc(from);
    if (!out) return NULL;
    PKM_ASSERT(from->n_mode > 0 && link->n_frame == from->n_frame);
    // all behind the head is numbers and frames: it is copied as it stands
    const size_t head = (size_t)((char*)out->X - (char*)out);
    carver end = {.used = head};
    pkm_flexible_body counts = *from;
    lay_out(&counts, &end);
    memcpy((char*)out + head, (const char*)from + head, end.used - head);
    out->body = link->body;
    out->name = link->name;
    memcpy(out->frame, link->frame, (size_t)out->n_frame * sizeof *out->frame);
    return out;
}

/// Gauss's points: for v' of cubics three, of quintics five, exact up to x v'^2.
static void choose_points(pkm_beam_shape shape, pkm_flexible_body* counts)
{
    static const double at[2][PKM_FLEXIBLE_MOST_POINTS] = {
        {-0.5 * 0.7745966692414833770, 0.0, 0.5 * 0.7745966692414833770},
        {-0.5 * 0.9061798459386639928, -0.5 * 0.5384693101056830910, 0.0,
         0.5 * 0.5384693101056830910, 0.5 * 0.9061798459386639928}};
    static const double weight[2][PKM_FLEXIBLE_MOST_POINTS] = {
        {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0},
        {0.5 * 0.2369268850561890875, 0.5 * 0.4786286704993664680, 0.5 * 0.5688888888888888889,
         0.5 * 0.4786286704993664680, 0.5 * 0.2369268850561890875}};
    const int k = shape == PKM_BEAM_LINEAR_CUBIC ? 0 : 1;
    counts->n_point = k == 0 ? 3 : 5;
    memcpy(counts->at, at[k], sizeof at[k]);
    memcpy(counts->weight, weight[k], sizeof weight[k]);
}

static pkm_flexible_body* create_empty(const pkm_flexible_link* link, const pkm_flexible_spec* spec,
                                       const pkm_beam_modes* modes)
{
    pkm_flexible_body counts = {.body = link->body,
                                .name = link->name,
                                .n_mode = modes->n_mode,
                                .n_static = modes->n_static,
                                .n_mesh = modes->n,
                                .n_joint = link->n_joint,
                                .n_frame = link->n_frame,
                                .n_element = pkm_beam_mesh_elements(link->mesh)};
    counts.n_place = spec->n_place;
    if (counts.n_element > 0)
        choose_points(pkm_beam_mesh_element_data(link->mesh, 0)->shape, &counts);
    memcpy(counts.part, spec->place, sizeof counts.part);
    // the middle, both ends of every element, places that are watched
    counts.n_sample = 1 + 2 * counts.n_element + counts.n_place;
    return pkm_flexible_body_alloc(&counts);
}

pkm_flexible_body* pkm_flexible_body_share(pkm_flexible_body* body)
{
    atomic_fetch_add(&body->n_more, 1);
    return body;
}

void pkm_flexible_body_free(pkm_flexible_body* body)
{
    if (body && atomic_fetch_sub(&body->n_more, 1) == 0) pkm_free(body);
}

// ---- filling ----------------------------------------------------------------------------------

static const double* mode(const pkm_beam_modes* modes, int j)
{
    return modes->X + (size_t)j * (size_t)modes->n;
}

static pkm_status fill_integrals(pkm_flexible_body* b, const pkm_beam_mesh* mesh,
                                 const pkm_beam_modes* modes)
{
    pkm_beam_integrals *from = NULL, to = b->integrals;
    PKM_TRY(pkm_beam_integrals_create(mesh, modes, &from));
    const size_t n = (size_t)b->n_mode;
    b->integrals = *from;
    b->integrals.momentum = memcpy(to.momentum, from->momentum, 3 * n * sizeof(double));
    b->integrals.spin = memcpy(to.spin, from->spin, 3 * n * sizeof(double));
    b->integrals.cross = memcpy(to.cross, from->cross, 9 * n * sizeof(double));
    b->integrals.pair = memcpy(to.pair, from->pair, 9 * n * n * sizeof(double));
    // the arrays belong to the body now
    b->integrals.block = NULL;
    pkm_beam_integrals_free(from);
    return PKM_OK;
}

static void put3(double* to, pkm_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void fill_frames(pkm_flexible_body* b, const pkm_flexible_link* link,
                        const pkm_beam_modes* modes)
{
    memcpy(b->frame, link->frame, (size_t)b->n_frame * sizeof *b->frame);
    // phi_d, phi_r: displacement and rotation of frame f by mode j, in body axes
    for (int f = 0; f < b->n_frame; ++f) {
        for (int j = 0; j < b->n_mode; ++j) {
            pkm_vec3 d, r;
            pkm_flexible_frame_motion(link, mode(modes, j), f, &d, &r);
            put3(b->phi_d + 3 * (f * b->n_mode + j), d);
            put3(b->phi_r + 3 * (f * b->n_mode + j), r);
        }
    }
}

/// Elongation u(l) - u(0) and slopes v', w' at Gauss's points, of each mode.
static void fill_element(pkm_flexible_body* b, const pkm_beam_mesh* mesh,
                         const pkm_beam_modes* modes, int e)
{
    enum { V = 1, W = 2 }; // fields
    const pkm_beam_element* data = pkm_beam_mesh_element_data(mesh, e);
    const int n = b->n_mode, size = pkm_beam_shape_size(data->shape);
    double x[PKM_BEAM_MAX_SIZE];
    pkm_beam_field field[PKM_FLEXIBLE_MOST_POINTS];
    for (int g = 0; g < b->n_point; ++g)
        pkm_beam_element_field(data, 0.5 + b->at[g], &field[g]);
    b->EA[e] = data->material.E * data->section.A;
    b->GJ[e] = data->material.G * data->section.J;
    b->length[e] = data->length;
    for (int j = 0; j < n; ++j) {
        pkm_beam_mesh_local_q(mesh, mode(modes, j), e, x);
        // u of both ends: the first coordinate of each half
        b->stretch[e * n + j] = x[size / 2] - x[0];
        for (int g = 0; g < b->n_point; ++g) {
            const double root = sqrt(b->weight[g] * data->length);
            double* to = b->slope + (size_t)(2 * (e * b->n_point + g)) * (size_t)n + j;
            for (int k = 0; k < size; ++k) {
                to[0] += root * field[g].slope[V][k] * x[k];
                to[n] += root * field[g].slope[W][k] * x[k];
            }
        }
    }
}

/// Does the straight part go on from element e to e + 1, with nothing between that loads it?
static bool goes_on(const pkm_flexible_link* link, int e)
{
    static const double SAME = 1e-9;
    const pkm_beam_mesh* mesh = link->mesh;
    int a[2], c[2];
    if (e < 0 || e + 1 >= pkm_beam_mesh_elements(mesh)) return false;
    pkm_beam_mesh_element_nodes(mesh, e, a);
    pkm_beam_mesh_element_nodes(mesh, e + 1, c);
    if (a[1] != c[0] || pkm_beam_mesh_is_loaded(mesh, a[1])) return false;
    const pkm_vec3 node = pkm_beam_mesh_at(mesh, a[1]);
    const double near = SAME * pkm_beam_mesh_element_data(mesh, e)->length;
    for (int f = 0; f < link->n_frame; ++f)
        if (pkm_vec3_norm(pkm_vec3_sub(link->frame[f].pose.p, node)) < near) return false;
    const pkm_vec3 x = pkm_beam_mesh_element_axes(mesh, e).x;
    const pkm_vec3 y = pkm_beam_mesh_element_axes(mesh, e + 1).x;
    return pkm_vec3_norm(pkm_vec3_cross(x, y)) < SAME && pkm_vec3_dot(x, y) > 0.0;
}

pkm_flexible_rise pkm_flexible_rise_of(const pkm_flexible_link* link, int e)
{
    pkm_flexible_rise out = {goes_on(link, e - 1) ? e - 1 : e, goes_on(link, e) ? e + 1 : e, 0.0};
    const double own = pkm_beam_mesh_element_data(link->mesh, e)->length;
    double between = 0.0;
    // means of an even change are its values in the middles
    for (int k = out.before; k < out.behind; ++k)
        between += 0.5 * (pkm_beam_mesh_element_data(link->mesh, k)->length +
                          pkm_beam_mesh_element_data(link->mesh, k + 1)->length);
    if (between > 0.0) out.part = own / between;
    return out;
}

/// What section forces and displacement mode j has at one place, so that a reading is a sum over
/// modes.
static void fill_sample(pkm_flexible_body* b, const pkm_beam_mesh* mesh,
                        const pkm_beam_modes* modes, int s, pkm_flexible_place place)
{
    int node[2];
    pkm_beam_mesh_element_nodes(mesh, place.element, node);
    const pkm_vec3 a = pkm_beam_mesh_at(mesh, node[0]), c = pkm_beam_mesh_at(mesh, node[1]);
    b->sample[s] =
        (pkm_flexible_sample){.place = place,
                              .at = pkm_vec3_axpy(a, place.xi, pkm_vec3_sub(c, a)),
                              .axes = pkm_beam_mesh_element_axes(mesh, place.element),
                              .section = pkm_beam_mesh_element_data(mesh, place.element)->section};
    for (int j = 0; j < b->n_mode; ++j) {
        const pkm_beam_point p = pkm_beam_mesh_point(mesh, mode(modes, j), place.element, place.xi);
        double* to = b->recover + PKM_FLEXIBLE_RECOVER * (s * b->n_mode + j);
        // displacement and rotation in body axes, force [N] and moment [N m] in those of the
        // section
        put3(to, pkm_mat3_mul(p.axes, p.d));
        put3(to + 3, pkm_mat3_mul(p.axes, p.r));
        to[6] = p.force;
        put3(to + 7, p.moment);
    }
}

static pkm_status fill(pkm_flexible_body* b, const pkm_flexible_link* link,
                       const pkm_flexible_spec* spec, const pkm_beam_modes* modes)
{
    memcpy(b->X, modes->X, (size_t)b->n_mesh * (size_t)b->n_mode * sizeof *b->X);
    // ratios between held joints replace these, where the run asks for them (damping.c)
    for (int j = 0; j < b->n_mode; ++j) {
        b->omega[j] = modes->omega[j];
        b->damping[j] = pkm_flexible_damping_of(spec, modes->omega[j]);
    }
    fill_frames(b, link, modes);
    // order of the samples: the middle, both ends of every element, places that are watched
    fill_sample(b, link->mesh, modes, 0, link->middle);
    for (int k = 0; k < 2 * b->n_element; ++k)
        fill_sample(b, link->mesh, modes, 1 + k, (pkm_flexible_place){k / 2, k % 2});
    for (int k = 0; k < b->n_place; ++k)
        fill_sample(b, link->mesh, modes, 1 + 2 * b->n_element + k, link->place[k]);
    for (int e = 0; e < b->n_element; ++e) {
        fill_element(b, link->mesh, modes, e);
        b->rise[e] = pkm_flexible_rise_of(link, e);
    }
    return fill_integrals(b, link->mesh, modes);
}

/// What grows with the square of the modes, for each element, has a bound before there is memory.
static pkm_status check_size(const pkm_flexible_link* link, const pkm_beam_modes* modes,
                             pkm_error* err)
{
    const double most = 2e7, n = modes->n_mode, n_element = pkm_beam_mesh_elements(link->mesh);
    if (n * n * n_element <= most) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "%s: %g modes of %g elements, expected at most %g for modes^2 x elements",
                    link->name, n, n_element, most);
}

pkm_status pkm_flexible_body_of(const pkm_flexible_link* link, const pkm_flexible_spec* spec,
                                const pkm_beam_modes* modes, pkm_flexible_body** out,
                                pkm_error* err)
{
    *out = NULL;
    // before memory is asked for: 2e7 numbers are 160 MB
    PKM_TRY(check_size(link, modes, err));
    pkm_flexible_body* body = create_empty(link, spec, modes);
    if (body && fill(body, link, spec, modes) == PKM_OK) {
        *out = body;
        return PKM_OK;
    }
    pkm_flexible_body_free(body);
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

pkm_beam_modes pkm_flexible_body_modes(const pkm_flexible_body* body)
{
    return (pkm_beam_modes){.n = body->n_mesh,
                            .n_mode = body->n_mode,
                            .n_static = body->n_static,
                            .omega = body->omega,
                            .X = body->X};
}

/// A body of its own.
static pkm_status reduce(const pkm_description* desc, const pkm_flexible_link* link,
                         const pkm_flexible_spec* spec, pkm_flexible_body** out, pkm_error* err)
{
    pkm_beam_modes* modes = NULL;
    PKM_TRY(pkm_flexible_reduce(desc, link, spec, &modes, err));
    const pkm_status status = pkm_flexible_body_of(link, spec, modes, out, err);
    pkm_beam_modes_free(modes);
    return status;
}

pkm_status pkm_flexible_body_create(const pkm_description* desc, const pkm_flexible_link* link,
                                    const pkm_flexible_spec* spec, pkm_flexible_made made,
                                    pkm_flexible_body** out, pkm_error* err)
{
    *out = NULL;
    // equal links, such as the six rods of a platform, are reduced once
    char digest[PKM_SHA256_SIZE];
    if (pkm_flexible_digest(desc, link, spec, digest) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // a digest, not a comparison: bodies keep no mesh
    const pkm_flexible_body* equal = pkm_flexible_made_find(made, digest);
    if (equal)
        *out = pkm_flexible_body_copy(equal, link);
    else
        PKM_TRY(reduce(desc, link, spec, out, err));
    if (!*out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    memcpy((*out)->content, digest, sizeof digest);
    return PKM_OK;
}

pkm_status pkm_flexible_body_make(const pkm_description* desc, int body,
                                  const pkm_flexible_spec* spec, pkm_flexible_made made,
                                  pkm_flexible_body** out, pkm_error* err)
{
    *out = NULL;
    pkm_flexible_link* link = NULL;
    if (spec->outside) return pkm_flexible_body_imported(desc, spec, out, err);
    PKM_TRY(pkm_flexible_link_mesh(desc, body, spec, &link, err));
    const pkm_status status = pkm_flexible_body_create(desc, link, spec, made, out, err);
    pkm_flexible_link_free(link);
    return status;
}

// ---- reading ----------------------------------------------------------------------------------

void pkm_flexible_body_frame(const pkm_flexible_body* body, int frame, const double* z, pkm_vec3* d,
                             pkm_vec3* r)
{
    const double* pd = body->phi_d + 3 * frame * body->n_mode;
    const double* pr = body->phi_r + 3 * frame * body->n_mode;
    // sum_j phi_j z_j
    *d = *r = (pkm_vec3){0.0, 0.0, 0.0};
    for (int j = 0; j < body->n_mode; ++j) {
        *d = pkm_vec3_axpy(*d, z[j], (pkm_vec3){pd[3 * j], pd[3 * j + 1], pd[3 * j + 2]});
        *r = pkm_vec3_axpy(*r, z[j], (pkm_vec3){pr[3 * j], pr[3 * j + 1], pr[3 * j + 2]});
    }
}

pkm_beam_point pkm_flexible_body_point(const pkm_flexible_body* body, int sample, const double* z)
{
    double sum[PKM_FLEXIBLE_RECOVER] = {0};
    const double* from = body->recover + PKM_FLEXIBLE_RECOVER * sample * body->n_mode;
    for (int j = 0; j < body->n_mode; ++j)
        for (int k = 0; k < PKM_FLEXIBLE_RECOVER; ++k)
            sum[k] += from[PKM_FLEXIBLE_RECOVER * j + k] * z[j];
    return (pkm_beam_point){.d = {sum[0], sum[1], sum[2]},
                            .r = {sum[3], sum[4], sum[5]},
                            .force = sum[6],
                            .moment = {sum[7], sum[8], sum[9]},
                            .axes = body->sample[sample].axes};
}

pkm_vec3 pkm_flexible_body_bending(const pkm_flexible_body* body, int sample, const double* z)
{
    enum { FIRST = 8 }; // behind displacement, rotation, force and torque
    pkm_pair sum = pkm_pair_of(0.0);
    const double* from = body->recover + PKM_FLEXIBLE_RECOVER * sample * body->n_mode + FIRST;
    for (int j = 0; j < body->n_mode; ++j, from += PKM_FLEXIBLE_RECOVER)
        sum += pkm_pair_load(from) * pkm_pair_of(z[j]);
    return (pkm_vec3){0.0, sum[0], sum[1]};
}

/// sigma = N/A -+ M y/I [Pa] at the edge where both have one sign; tension positive (7.2), (7.3).
double pkm_flexible_stress(const pkm_beam_section* section, const pkm_beam_point* point)
{
    const double axial = point->force / section->A;
    const double y = point->moment.z * section->y_edge / section->Iz;
    const double z = point->moment.y * section->z_edge / section->Iy;
    // at a corner both moments add up; a round edge sees their resultant
    const bool is_round = section->outline >= PKM_BEAM_ROUND;
    const double bending = is_round ? hypot(y, z) : fabs(y) + fabs(z);
    return axial < 0.0 ? axial - bending : axial + bending;
}
