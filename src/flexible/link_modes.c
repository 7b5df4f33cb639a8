// Modes of one link alone, free, pinned or clamped at its joints: for `modes --link`, and for runs
// that begin with a mode bent (link_start.c).
#include "flexible/link_modes.h"

#include "base/error.h"
#include "base/memory.h"
#include "beam/reduce.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

const char* const pkm_link_ends_name[] = {"free", "pinned", "clamped", NULL};

/// K and M of the coordinates that are not held, and what the modes need.
typedef struct work {
    const pkm_flexible_link* link;
    int n_all, n; ///< coordinates of the mesh, those that are free
    int* free;    ///< [n] which
    bool* held;   ///< [n_all]
    double *K_all, *M_all, *K, *M, *lambda, *X, *q;
} work;

static pkm_status hold(work* w, pkm_link_ends ends, pkm_error* err)
{
    const pkm_flexible_link* link = w->link;
    // a ball holds the node's displacement, a clamp its rotation too
    const int n_hold = ends == PKM_LINK_CLAMPED ? 6 : ends == PKM_LINK_PINNED ? 3 : 0;
    for (int f = 0; f < link->n_joint && n_hold > 0; ++f) {
        const pkm_flexible_frame* frame = &link->frame[f];
        // a pin beside the line would hold the node and turn it
        if (n_hold == 3 && pkm_vec3_norm(frame->offset) > 1e-9 * link->length)
            return pkm_fail(err, PKM_ERR_MODEL,
                            "%s: a joint is %.6g m beside its line and cannot be pinned there; try "
                            "clamped or free",
                            link->name, pkm_vec3_norm(frame->offset));
        for (int d = 0; d < n_hold; ++d) {
            const int c = pkm_beam_mesh_coordinate(link->mesh, frame->node, d);
            if (c != PKM_NONE) w->held[c] = true;
        }
    }
    for (int c = 0; c < w->n_all; ++c)
        if (!w->held[c]) w->free[w->n++] = c;
    return PKM_OK;
}

/// Rows and columns of the free coordinates.
static void gather(const work* w, const double* from, double* to)
{
    for (int k = 0; k < w->n; ++k)
        for (int i = 0; i < w->n; ++i)
            to[i + (size_t)k * (size_t)w->n] =
                from[w->free[i] + (size_t)w->free[k] * (size_t)w->n_all];
}

/// Largest displacement and rotation of a node.
static void sizes(const work* w, double* shift, double* turn)
{
    *shift = *turn = 0.0;
    for (int i = 0; i < pkm_beam_mesh_nodes(w->link->mesh); ++i) {
        pkm_vec3 d, r;
        pkm_beam_mesh_node_motion(w->link->mesh, w->q, i, &d, &r);
        *shift = fmax(*shift, pkm_vec3_norm(d));
        *turn = fmax(*turn, pkm_vec3_norm(r));
    }
}

/// Which way a mode bends.
static void read_sides(const work* w, pkm_link_mode* out)
{
    const pkm_mat3 axes = pkm_beam_mesh_element_axes(w->link->mesh, 0);
    double sum = 0.0;
    for (int i = 0; i < pkm_beam_mesh_nodes(w->link->mesh); ++i) {
        pkm_vec3 d, r;
        pkm_beam_mesh_node_motion(w->link->mesh, w->q, i, &d, &r);
        const double y = pkm_vec3_dot(d, axes.y), z = pkm_vec3_dot(d, axes.z);
        out->side[0] += y * y;
        out->side[1] += z * z;
        sum += y * y + z * z;
    }
    // shares of the squares, y and z of the section
    for (int k = 0; k < 2; ++k)
        out->side[k] = sum > 0.0 ? out->side[k] / sum : 0.0;
}

/// Strain energy by kind (axial, bending, torsion) over all of it.
static void read_shares(const work* w, pkm_link_mode* out)
{
    double sum = 0.0;
    for (int e = 0; e < pkm_beam_mesh_elements(w->link->mesh); ++e) {
        double energy[3];
        pkm_beam_mesh_energy(w->link->mesh, w->q, e, energy);
        for (int k = 0; k < 3; ++k) {
            out->share[k] += energy[k];
            sum += energy[k];
        }
    }
    for (int k = 0; k < 3; ++k)
        out->share[k] = sum > 0.0 ? out->share[k] / sum : 0.0;
}

/// Mode k with x'Mx = 1, scaled: the generalised mass is 1 over the square of its size.
static void read_mode(const work* w, int k, bool is_rigid, pkm_link_mode* out)
{
    double shift, turn;
    memset(w->q, 0, (size_t)w->n_all * sizeof(double));
    for (int i = 0; i < w->n; ++i)
        w->q[w->free[i]] = w->X[i + (size_t)k * (size_t)w->n];
    sizes(w, &shift, &turn);
    // torsion moves no node: its size is the rotation then
    *out = (pkm_link_mode){.turns = shift < 1e-6 * turn * w->link->length};
    const double size = out->turns ? turn : shift;
    // largest displacement 1: x'M x = 1 becomes 1/size^2
    out->mass = 1.0 / (size * size);
    read_sides(w, out);
    if (is_rigid) return;
    out->omega = sqrt(w->lambda[k]);
    out->stiffness = w->lambda[k] * out->mass;
    read_shares(w, out);
}

/// Motions of the rigid body: six of a free link; of a held one those whose lambda is rounding
/// beside that of the sixth mode behind it.
static bool is_rigid(const work* w, pkm_link_ends ends, int k, int most)
{
    if (ends == PKM_LINK_FREE) return k < PKM_BEAM_RIGID_MODES;
    const int beside = k + PKM_BEAM_RIGID_MODES < most ? k + PKM_BEAM_RIGID_MODES : most - 1;
    return !(w->lambda[k] > 1e-9 * fabs(w->lambda[beside]));
}

static void align_pairs(work* w, pkm_link_ends ends, int most)
{
    // of equal frequencies, as of a round rod, any two directions serve: they are turned to the
    // section's
    double* omega = w->q; // free until modes are read
    int first = 0;
    for (int k = 0; k < most; ++k)
        omega[k] = sqrt(fabs(w->lambda[k]));
    while (first < most && is_rigid(w, ends, first, most))
        ++first;
    pkm_beam_align_pairs(w->n, most - first, omega + first, w->X + (size_t)first * (size_t)w->n);
}

static pkm_status solve(work* w, pkm_link_ends ends, int n_mode, pkm_link_mode* out, int* n,
                        pkm_error* err)
{
    pkm_eigen* eigen = NULL;
    // beside rigid motions some that are none tell how stiff the link is
    const int more = n_mode + PKM_BEAM_RIGID_MODES, most = more < w->n ? more : w->n;
    pkm_status status = pkm_eigen_create(w->n, &eigen);
    if (status == PKM_OK) status = pkm_eigen_lowest(eigen, w->n, w->K, w->M, most, w->lambda, w->X);
    *n = n_mode < w->n ? n_mode : w->n;
    if (status == PKM_OK) align_pairs(w, ends, most);
    for (int k = 0; k < *n && status == PKM_OK; ++k)
        read_mode(w, k, is_rigid(w, ends, k, most), &out[k]);
    pkm_eigen_free(eigen);
    return status == PKM_OK ? PKM_OK
                            : pkm_fail(err, status, "%s: its modes were not found", w->link->name);
}

pkm_status pkm_link_modes(const pkm_flexible_link* link, pkm_link_ends ends, int n_mode,
                          pkm_link_mode* out, int* n, pkm_error* err)
{
    work w = {.link = link, .n_all = pkm_beam_mesh_size(link->mesh)};
    const size_t m = (size_t)w.n_all;
    w.free = pkm_alloc(m, sizeof(int));
    w.held = pkm_alloc(m, sizeof(bool));
    double* memory = pkm_alloc(5 * m * m + 2 * m, sizeof(double));
    pkm_status status = w.free && w.held && memory ? PKM_OK : PKM_ERR_MEMORY;
    if (status != PKM_OK) pkm_fail(err, status, "out of memory");
    if (status == PKM_OK) {
        w.K_all = memory;
        w.M_all = w.K_all + m * m;
        w.K = w.M_all + m * m;
        w.M = w.K + m * m;
        w.X = w.M + m * m;
        w.lambda = w.X + m * m;
        w.q = w.lambda + m;
        pkm_beam_mesh_stiffness(link->mesh, w.K_all);
        pkm_beam_mesh_mass(link->mesh, w.M_all);
        status = hold(&w, ends, err);
    }
    if (status == PKM_OK && w.n == 0)
        status = pkm_fail(err, PKM_ERR_MODEL, "%s: nothing of it is free", link->name);
    if (status == PKM_OK) {
        gather(&w, w.K_all, w.K);
        gather(&w, w.M_all, w.M);
        status = solve(&w, ends, n_mode, out, n, err);
    }
    pkm_free(w.free);
    pkm_free(w.held);
    pkm_free(memory);
    return status;
}

pkm_status pkm_link_modes_enabled(const pkm_flexible_spec* spec, int n, const pkm_link_mode* mode,
                                  bool* enabled, pkm_error* err)
{
    const pkm_beam_choice choice = pkm_flexible_kept(spec, n - PKM_BEAM_RIGID_MODES);
    double* lambda = pkm_alloc((size_t)n, sizeof *lambda);
    int* kept = pkm_alloc((size_t)n, sizeof *kept);
    int n_kept = 0;
    pkm_status status = lambda && kept ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // the same rule for lists that are shown and for runs
    for (int k = 0; k < n && status == PKM_OK; ++k) {
        lambda[k] = mode[k].omega * mode[k].omega;
        enabled[k] = false;
    }
    if (status == PKM_OK) status = pkm_beam_choice_find(&choice, n, lambda, kept, &n_kept, err);
    for (int k = 0; k < n_kept && status == PKM_OK; ++k)
        enabled[kept[k]] = true;
    pkm_free(lambda);
    pkm_free(kept);
    return status;
}
