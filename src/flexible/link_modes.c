#include "flexible/link_modes.h"

#include "base/error.h"
#include "base/memory.h"
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
    const int n_hold = ends == PKM_LINK_CLAMPED ? 6 : ends == PKM_LINK_PINNED ? 3 : 0;
    for (int f = 0; f < link->n_joint && n_hold > 0; ++f) {
        const pkm_flexible_frame* frame = &link->frame[f];
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

/// Mode k with x'Mx = 1, scaled: the generalised mass is 1 over the square of its size. A motion of
/// the rigid body has a frequency of rounding, far below that of the first bending.
static void read_mode(const work* w, int k, double least, pkm_link_mode* out)
{
    double shift, turn;
    memset(w->q, 0, (size_t)w->n_all * sizeof(double));
    for (int i = 0; i < w->n; ++i)
        w->q[w->free[i]] = w->X[i + (size_t)k * (size_t)w->n];
    sizes(w, &shift, &turn);
    *out = (pkm_link_mode){.turns = shift < 1e-6 * turn * w->link->length};
    const double size = out->turns ? turn : shift;
    out->mass = 1.0 / (size * size);
    if (!(w->lambda[k] > least)) return;
    out->omega = sqrt(w->lambda[k]);
    out->stiffness = w->lambda[k] * out->mass;
    read_shares(w, out);
}

/// What counts as stiff [1/s2]: of the highest of the modes, which are within 1e12 of each other,
/// rigid ones are rounding.
static double least_lambda(const work* w, int n_mode)
{
    return 1e-9 * fabs(w->lambda[n_mode - 1]);
}

static pkm_status solve(work* w, int n_mode, pkm_link_mode* out, int* n, pkm_error* err)
{
    pkm_eigen* eigen = NULL;
    const int six = 6; // beside rigid motions some that are none tell how stiff the link is
    int most = n_mode + six < w->n ? n_mode + six : w->n;
    pkm_status status = pkm_eigen_create(w->n, &eigen);
    if (status == PKM_OK) status = pkm_eigen_lowest(eigen, w->n, w->K, w->M, most, w->lambda, w->X);
    *n = n_mode < w->n ? n_mode : w->n;
    const double least = status == PKM_OK ? least_lambda(w, most) : 0.0;
    for (int k = 0; k < *n && status == PKM_OK; ++k)
        read_mode(w, k, least, &out[k]);
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
        status = solve(&w, n_mode, out, n, err);
    }
    pkm_free(w.free);
    pkm_free(w.held);
    pkm_free(memory);
    return status;
}
