#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/modal.h"
#include "dynamics/plant_impl.h"
#include "math/lapack.h"

#include <string.h>

/// What the stiff forces need, docs/theory/integrators.md, (5.2)-(5.4); three columns for each
/// contact that touches.
struct pkm_stiff {
    double c;
    int n;                 ///< columns
    pkm_mat3* by_velocity; ///< [n_contact] in world axes
    pkm_mat3* by_place;
    double* B;       ///< [n_v x n] generalised forces of unit forces at the contacts
    double* W;       ///< [n_v x n] A^-1 B
    double* G;       ///< [n x n] B' W
    double* T;       ///< [n x n] factors of 1 - G S
    int* row;        ///< [n] their pivots
    double* force;   ///< [n_v]
    double* y;       ///< [n_v]
    double* sliding; ///< [n] velocities of the contacts
    double* held;    ///< [n] forces of what the positions have moved
};

void pkm_plant_stiff_free(struct pkm_stiff* s)
{
    if (!s) return;
    void* const parts[] = {s->by_velocity, s->by_place, s->B, s->W,       s->G,    s->T,
                           s->row,         s->force,    s->y, s->sliding, s->held, s};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
}

pkm_status pkm_plant_stiff_create(pkm_plant* p)
{
    const size_t n_v = (size_t)p->state->mech->n_v, m = (size_t)p->n_contact, n = 3 * m;
    if (p->stiff) return PKM_OK;
    struct pkm_stiff* s = p->stiff = pkm_alloc(1, sizeof *s);
    if (!s) return PKM_ERR_MEMORY;
    s->by_velocity = pkm_alloc(m, sizeof(pkm_mat3));
    s->by_place = pkm_alloc(m, sizeof(pkm_mat3));
    s->B = pkm_alloc(n_v * n, sizeof(double));
    s->W = pkm_alloc(n_v * n, sizeof(double));
    s->G = pkm_alloc(n * n, sizeof(double));
    s->T = pkm_alloc(n * n, sizeof(double));
    s->row = pkm_alloc(n, sizeof(int));
    s->force = pkm_alloc(n_v, sizeof(double));
    s->y = pkm_alloc(n_v, sizeof(double));
    s->sliding = pkm_alloc(n, sizeof(double));
    s->held = pkm_alloc(n, sizeof(double));
    if (!s->by_velocity || !s->by_place || !s->B || !s->W || !s->G || !s->T || !s->row ||
        !s->force || !s->y || !s->sliding || !s->held)
        return PKM_ERR_MEMORY;
    return pkm_forward_step_create(p->forward, p->state);
}

// ---- contacts ---------------------------------------------------------------------------------

/// R X R'
static pkm_mat3 turned(pkm_mat3 R, pkm_mat3 X)
{
    return pkm_mat3_matmul(pkm_mat3_matmul(R, X), pkm_mat3_transpose(R));
}

/// Generalised forces of a unit force at the point P on side b and its opposite on side a.
static void unit_force(const pkm_plant* p, int pair, pkm_vec3 P, pkm_vec3 along, double* out)
{
    static const pkm_vec3 none;
    static const double SIGN[2] = {-1.0, 1.0};
    memset(out, 0, (size_t)p->state->mech->n_v * sizeof(double));
    for (int side = 0; side < 2; ++side) {
        const int body = p->side[pair][side].body;
        const pkm_wrench f = pkm_wrench_at(P, pkm_vec3_scale(SIGN[side], along), none);
        if (body != PKM_NONE) pkm_inverse_add_load(p->state, body, f, out);
    }
}

/// Columns and derivatives of all contacts that touch.
static void list_contacts(pkm_plant* p)
{
    struct pkm_stiff* s = p->stiff;
    const size_t n_v = (size_t)p->state->mech->n_v;
    pkm_contact_tangent tangent[PKM_CLEARANCE_CONTACTS];
    s->n = 0;
    for (int k = 0; k < p->n_pair; ++k) {
        const pkm_contact_pair* pair = &p->pair[k];
        const int n = pkm_clearance_tangents(&pair->clearance, pair->type, &pair->motion,
                                             p->memory + pair->contact_at, tangent);
        pkm_mat3 R;
        pkm_vec3 origin;
        pkm_plant_pair_axes(p, k, &R, &origin);
        for (int i = 0; i < n; ++i) {
            const pkm_vec3 P = pkm_vec3_add(origin, pkm_mat3_mul(R, tangent[i].at));
            const pkm_mat3 axes = pkm_mat3_identity();
            s->by_velocity[s->n / 3] = turned(R, tangent[i].by_velocity);
            s->by_place[s->n / 3] = turned(R, tangent[i].by_place);
            unit_force(p, k, P, axes.x, s->B + (size_t)s->n++ * n_v);
            unit_force(p, k, P, axes.y, s->B + (size_t)s->n++ * n_v);
            unit_force(p, k, P, axes.z, s->B + (size_t)s->n++ * n_v);
        }
    }
}

/// Column k of S = c D + c^2 K, which has blocks of three.
static pkm_vec3 step_column(const struct pkm_stiff* s, int k)
{
    const pkm_mat3 *D = &s->by_velocity[k / 3], *K = &s->by_place[k / 3];
    const pkm_vec3 d = k % 3 == 0 ? D->x : k % 3 == 1 ? D->y : D->z;
    const pkm_vec3 e = k % 3 == 0 ? K->x : k % 3 == 1 ? K->y : K->z;
    return pkm_vec3_axpy(pkm_vec3_scale(s->c, d), s->c * s->c, e);
}

/// T = 1 - G S
static pkm_status factor_contacts(struct pkm_stiff* s)
{
    const size_t n = (size_t)s->n;
    for (size_t k = 0; k < n; ++k) {
        const pkm_vec3 S = step_column(s, (int)k);
        const double* G = s->G + (k - k % 3) * n;
        for (size_t i = 0; i < n; ++i)
            s->T[k * n + i] =
                (i == k ? 1.0 : 0.0) - G[i] * S.x - G[n + i] * S.y - G[2 * n + i] * S.z;
    }
    return pkm_dgetrf(s->n, s->n, s->T, s->n, s->row) == 0 ? PKM_OK : PKM_RETRY;
}

pkm_status pkm_plant_stiff_factor(pkm_plant* p, double c)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v;
    s->c = c;
    const pkm_status status = pkm_forward_step_factor(p->forward, p->state, c);
    if (status != PKM_OK) return status == PKM_ERR_SINGULAR ? PKM_RETRY : status;
    list_contacts(p);
    if (s->n == 0) return PKM_OK;
    for (int k = 0; k < s->n; ++k)
        pkm_forward_step_solve(p->forward, p->state, s->B + (size_t)k * (size_t)n_v,
                               s->W + (size_t)k * (size_t)n_v);
    pkm_dgemm('T', 'N', s->n, s->n, n_v, 1.0, s->B, n_v, s->W, n_v, 0.0, s->G, s->n);
    return factor_contacts(s);
}

// ---- solution ---------------------------------------------------------------------------------

/// y = A^-1 of what springs and dampers of the modes leave on the right.
static void solve_modes(pkm_plant* p, const double* x, const double* v)
{
    struct pkm_stiff* s = p->stiff;
    const pkm_mechanism* mech = p->state->mech;
    memset(s->y, 0, (size_t)mech->n_v * sizeof(double));
    if (!p->state->modal) return;
    memset(s->force, 0, (size_t)mech->n_v * sizeof(double));
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->modal)
            pkm_modal_step_force(body->modal, s->c, v + body->e_at, x + body->e_at,
                                 s->force + body->e_at);
    }
    pkm_forward_step_solve(p->forward, p->state, s->force, s->y);
}

static void times_contacts(const struct pkm_stiff* s, const pkm_mat3* X, double scale,
                           const double* in, double* out)
{
    for (int k = 0; k < s->n; k += 3) {
        const pkm_vec3 f = pkm_mat3_mul(X[k / 3], (pkm_vec3){in[k], in[k + 1], in[k + 2]});
        out[k] += scale * f.x;
        out[k + 1] += scale * f.y;
        out[k + 2] += scale * f.z;
    }
}

void pkm_plant_stiff_solve(pkm_plant* p, const double* x, double* v)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v, n = s->n;
    const size_t size = (size_t)n * sizeof(double);
    solve_modes(p, x, v);
    pkm_daxpy(n_v, 1.0, s->y, 1, v, 1);
    if (n == 0) return;
    // held = c K B' x;  (1 - G S) sliding = B' v + G held;  v += W (S sliding + held)
    memset(s->held, 0, size);
    pkm_dgemv('T', n_v, n, 1.0, s->B, n_v, x, 1, 0.0, s->sliding, 1);
    times_contacts(s, s->by_place, s->c, s->sliding, s->held);
    pkm_dgemv('T', n_v, n, 1.0, s->B, n_v, v, 1, 0.0, s->sliding, 1);
    pkm_dgemv('N', n, n, 1.0, s->G, n, s->held, 1, 1.0, s->sliding, 1);
    pkm_dgetrs('N', n, 1, s->T, n, s->row, s->sliding, n);
    times_contacts(s, s->by_velocity, s->c, s->sliding, s->held);
    times_contacts(s, s->by_place, s->c * s->c, s->sliding, s->held);
    pkm_dgemv('N', n_v, n, 1.0, s->W, n_v, s->held, 1, 1.0, v, 1);
}
