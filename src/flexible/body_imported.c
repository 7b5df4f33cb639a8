// A body made by another program as modes in a floating frame, docs/theory/modes.md, section 1.
#include "base/error.h"
#include "flexible/body_impl.h"
#include "flexible/imported.h"
#include "math/dense.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

enum { RIGID = 6 };

/// Modes of the free body: lambda and X of all coordinates, the six rigid ones first.
typedef struct free_modes {
    int n; ///< flexible ones that are kept
    double* lambda;
    double* X; ///< n_coordinate per mode
    pkm_eigen* eigen;
} free_modes;

static void free_modes_free(free_modes* m)
{
    pkm_free(m->lambda);
    pkm_free(m->X);
    pkm_eigen_free(m->eigen);
}

/// The flexible modes of `n` that `spec` asks for (all, where it does not say), behind the rigid
/// ones.
static pkm_status choose(const pkm_flexible_spec* spec, const char* name, int n, size_t n_all,
                         free_modes* m, pkm_error* err)
{
    pkm_beam_choice choice = pkm_flexible_kept(spec, n - RIGID);
    pkm_error inner = {0};
    // given without a choice: what the other program has kept is kept
    if (spec->keep == PKM_FLEXIBLE_KEEP_DEFAULT) choice.n_mode = 0;
    int* kept = pkm_alloc((size_t)n, sizeof *kept);
    if (!kept) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = pkm_beam_choice_find(&choice, n, m->lambda, kept, &m->n, &inner);
    for (int k = 0; status == PKM_OK && k < m->n; ++k) {
        m->lambda[RIGID + k] = m->lambda[kept[k]];
        memmove(m->X + (size_t)(RIGID + k) * n_all, m->X + (size_t)kept[k] * n_all,
                n_all * sizeof *m->X);
    }
    pkm_free(kept);
    if (status != PKM_OK)
        return pkm_fail(err, status, "%s: %s", name, inner.text + strlen("flexible body: "));
    return m->n > 0 ? PKM_OK : pkm_fail(err, PKM_ERR_ARGUMENT, "%s: no mode is kept", name);
}

static pkm_status find_modes(const pkm_flexible_imported* o, const pkm_flexible_spec* spec,
                             const char* name, free_modes* m, pkm_error* err)
{
    const size_t n = (size_t)o->n;
    m->lambda = pkm_alloc(n, sizeof *m->lambda);
    m->X = pkm_alloc(n * n, sizeof *m->X);
    if (!m->lambda || !m->X || pkm_eigen_create(o->n, &m->eigen) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // all of them: which are rigid and which have no mass is told by their lambda
    if (pkm_eigen_lowest(m->eigen, o->n, o->K, o->M, o->n, m->lambda, m->X) != PKM_OK)
        return pkm_fail(
            err, PKM_ERR_MODEL,
            "%s: its K and M have no modes: a coordinate has neither mass nor stiffness", name);
    int n_finite = o->n;
    // coordinates without mass have infinite lambda and are no modes
    while (n_finite > RIGID && isinf(m->lambda[n_finite - 1])) // no mass
        --n_finite;
    // free and in one piece: six lambda that are rounding beside the seventh
    if (n_finite <= RIGID || !(fabs(m->lambda[RIGID - 1]) < 1e-4 * m->lambda[RIGID]))
        return pkm_fail(err, PKM_ERR_MODEL, "%s: it must be free to move, and in one piece", name);
    return choose(spec, name, n_finite, n, m, err);
}

// ---- filling ----------------------------------------------------------------------------------

static int count_frames(const pkm_description* desc, int body, bool joints)
{
    int n = 0;
    for (int j = 0; j < desc->n_joint && joints; ++j)
        n += (desc->joint[j].body_a == body) + (desc->joint[j].body_b == body);
    for (int m = 0; m < desc->n_marker && !joints; ++m)
        n += desc->marker[m].body == body;
    return n;
}

static void put_frame(pkm_flexible_body* b, const pkm_flexible_imported* o,
                      const pkm_description* desc, int k, pkm_flexible_frame frame)
{
    // a frame that is no interface hangs on the nearest one over a rigid arm
    frame.node = pkm_flexible_imported_frame(o, desc, frame.pose.p);
    frame.offset = pkm_vec3_sub(frame.pose.p, desc->marker[o->marker[frame.node]].pose.p);
    b->frame[k] = frame;
}

static void list_frames(pkm_flexible_body* b, const pkm_flexible_imported* o,
                        const pkm_description* desc)
{
    int n = 0;
    for (int k = 0; k < 2 * desc->n_joint; ++k) {
        const pkm_desc_joint* j = &desc->joint[k / 2];
        if ((k % 2 ? j->body_b : j->body_a) != o->body) continue;
        put_frame(b, o, desc, n++,
                  (pkm_flexible_frame){.joint = k / 2,
                                       .is_held = true,
                                       .side = k % 2,
                                       .marker = k % 2 ? j->marker_b : j->marker_a,
                                       .pose = k % 2 ? j->frame_b : j->frame_a});
    }
    for (int m = 0; m < desc->n_marker; ++m)
        if (desc->marker[m].body == o->body)
            put_frame(
                b, o, desc, n++,
                (pkm_flexible_frame){.joint = PKM_NONE, .marker = m, .pose = desc->marker[m].pose});
}

/// Displacement over the arm and rotation of each frame in each mode.
static void fill_frames(pkm_flexible_body* b, const pkm_flexible_imported* o, const free_modes* m)
{
    for (int f = 0; f < b->n_frame; ++f) {
        for (int j = 0; j < b->n_mode; ++j) {
            const double* x =
                // six coordinates for each interface frame, in the order of the file
                m->X + (size_t)(RIGID + j) * (size_t)o->n + 6 * (size_t)b->frame[f].node;
            const pkm_vec3 r = {x[3], x[4], x[5]};
            const pkm_vec3 d =
                pkm_vec3_add((pkm_vec3){x[0], x[1], x[2]}, pkm_vec3_cross(r, b->frame[f].offset));
            const double both[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
            memcpy(b->phi_d + 3 * (f * b->n_mode + j), both, 3 * sizeof(double));
            memcpy(b->phi_r + 3 * (f * b->n_mode + j), both + 3, 3 * sizeof(double));
        }
    }
}

/// Places where deflection is seen: the interface frames, joined by straight pieces.
static void fill_samples(pkm_flexible_body* b, const pkm_flexible_imported* o,
                         const pkm_description* desc, const free_modes* m)
{
    for (int s = 0; s < b->n_sample; ++s) {
        // the middle one stands for the first frame; then both ends of each piece
        const int f = s == 0 ? 0 : (s - 1) / 2 + (s - 1) % 2;
        b->sample[s] = (pkm_flexible_sample){.place = {s == 0 ? 0 : (s - 1) / 2, (s + 1) % 2},
                                             .at = desc->marker[o->marker[f]].pose.p,
                                             .axes = pkm_mat3_identity(),
                                             // no section: stresses of such bodies are not told
                                             .section = {.A = 1.0, .Iy = 1.0, .Iz = 1.0}};
        for (int j = 0; j < b->n_mode; ++j)
            memcpy(b->recover + PKM_FLEXIBLE_RECOVER * (s * b->n_mode + j),
                   m->X + (size_t)(RIGID + j) * (size_t)o->n + 6 * (size_t)f, 6 * sizeof(double));
    }
    for (int e = 0; e < b->n_element; ++e) {
        b->length[e] =
            pkm_vec3_norm(pkm_vec3_sub(b->sample[2 * e + 2].at, b->sample[2 * e + 1].at));
        b->rise[e] = (pkm_flexible_rise){.before = e, .behind = e};
    }
}

/// Mass, centre and inertia from M; of the deflection itself M tells the sum over directions only:
/// it is taken as alike in all three, and its change of the inertia left out.
static void fill_integrals(pkm_flexible_body* b, const pkm_flexible_imported* o)
{
    const size_t n = (size_t)o->n;
    pkm_beam_integrals* all = &b->integrals;
    double R[36];
    for (int k = 0; k < 36; ++k)
        // R = X'M X over the six rigid motions X: mass, first moment, inertia
        R[k] = pkm_dense_form(o->M, o->n, o->rigid + (size_t)(k % 6) * n,
                              o->rigid + (size_t)(k / 6) * n);
    all->n_mode = b->n_mode;
    all->mass = (R[0] + R[7] + R[14]) / 3.0;
    // momentum of a turn about k: e_k x (integral of rho r)
    all->first = (pkm_vec3){R[6 * 5 + 1], R[6 * 3 + 2], R[6 * 4 + 0]};
    const double trace = R[21] + R[28] + R[35];
    for (int k = 0; k < 9; ++k) {
        const double J = R[6 * (3 + k / 3) + 3 + k % 3];
        // Q = tr(J)/2 1 - J, since J = tr(Q) 1 - Q
        all->second[k] = (k % 4 == 0 ? 0.5 * trace : 0.0) - J;
    }
    for (int i = 0; i < b->n_mode; ++i)
        for (int k = 0; k < 3; ++k)
            // orthonormal modes: the sum over the three directions is 1
            all->pair[9 * (i + b->n_mode * i) + 4 * k] = 1.0 / 3.0;
}

static void fill(pkm_flexible_body* b, const pkm_flexible_imported* o, const pkm_description* desc,
                 const pkm_flexible_spec* spec, const free_modes* m)
{
    for (int j = 0; j < b->n_mode; ++j) {
        const double* x = m->X + (size_t)(RIGID + j) * (size_t)o->n;
        b->omega[j] = sqrt(m->lambda[RIGID + j]);
        b->damping[j] =
            // of a full D the diagonal alone: modes of the free body stay apart
            o->D ? pkm_dense_form(o->D, o->n, x, x) : pkm_flexible_damping_of(spec, b->omega[j]);
    }
    list_frames(b, o, desc);
    fill_frames(b, o, m);
    fill_samples(b, o, desc, m);
    fill_integrals(b, o);
}

pkm_status pkm_flexible_body_imported(const pkm_description* desc, const pkm_flexible_spec* spec,
                                      pkm_flexible_body** out, pkm_error* err)
{
    const pkm_flexible_imported* o = spec->outside;
    const char* name = desc->body[o->body].name;
    free_modes m = {0};
    *out = NULL;
    pkm_status status = find_modes(o, spec, name, &m, err);
    if (status == PKM_OK) {
        pkm_flexible_body counts = {.body = o->body,
                                    .name = name,
                                    .n_mode = m.n,
                                    .n_joint = count_frames(desc, o->body, true),
                                    .n_element = o->n_frame - 1};
        counts.n_frame = counts.n_joint + count_frames(desc, o->body, false);
        counts.n_sample = 2 + 2 * counts.n_element;
        *out = pkm_flexible_body_alloc(&counts);
        if (!*out) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    if (status == PKM_OK) fill(*out, o, desc, spec, &m);
    free_modes_free(&m);
    return status;
}
