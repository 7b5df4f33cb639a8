// Stiff forces of a plant (dampers of links, friction, contacts) as matrices of implicit steps.
// Equations: docs/theory/integrators.md, (5.1) to (5.6).
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/modal.h"
#include "dynamics/plant_impl.h"
#include "math/lapack.h"
#include "math/lu.h"

#include <stddef.h>
#include <string.h>

/// A place where surfaces rub: three directions, of which a joint may use fewer.
typedef struct rubbing {
    int n_direction;
    pkm_mat3 by_velocity, by_place; ///< of the force; by_velocity with the bristles' answer (5.6)
    int z_at;                       ///< of its bristles; PKM_NONE: none
    pkm_mat3 by_bristle, rate_v;    ///< F_z E and E R_u
    pkm_mat3 answer;                ///< E = (1 - c R_z)^-1
} rubbing;

/// What the stiff forces need, docs/theory/integrators.md, (5.2)-(5.6); three columns for each
/// place.
struct pkm_stiff {
    double c;
    int n;           ///< columns
    int n_z;         ///< bristles are of this many states
    rubbing* place;  ///< [n / 3]
    double* z;       ///< [n_z] states of the last evaluation
    double* B;       ///< [n_v x n] generalised forces of unit forces at the contacts
    pkm_halves* V;   ///< A^-1 B half way, with contacts: each acts on two limbs only
    double* W;       ///< [n_v x n] A^-1 B, without: rows of the joints couple all limbs
    double* G;       ///< [n x n] B' A^-1 B
    double* T;       ///< [n x n] factors of 1 - G S
    int* row;        ///< [n] their pivots
    double* force;   ///< [n_v]
    double* half;    ///< [half]
    double* y;       ///< [n_v]
    double* sliding; ///< [n] velocities of the contacts
    double* held;    ///< [n] forces of what the positions and bristles have moved
};

void pkm_plant_stiff_free(struct pkm_stiff* s)
{
    if (!s) return;
    void* const parts[] = {s->place, s->z,    s->B, s->W,       s->G,    s->T, s->row,
                           s->force, s->half, s->y, s->sliding, s->held, s};
    pkm_halves_free(s->V);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
}

pkm_status pkm_plant_stiff_create(pkm_plant* p)
{
    const size_t n_v = (size_t)p->state->mech->n_v;
    const size_t m = (size_t)(p->n_contact + 2 * p->n_friction), n = 3 * m;
    if (p->stiff) return PKM_OK;
    struct pkm_stiff* s = p->stiff = pkm_alloc(1, sizeof *s);
    if (!s) return PKM_ERR_MEMORY;
    s->place = pkm_alloc(m, sizeof(rubbing));
    s->z = pkm_alloc((size_t)p->n_z, sizeof(double));
    s->n_z = p->n_z;
    s->B = pkm_alloc(n_v * n, sizeof(double));
    PKM_TRY(pkm_forward_step_create(p->forward, p->state));
    if (p->n_pair > 0) PKM_TRY(pkm_forward_step_halves(p->forward, (int)n, &s->V));
    s->W = pkm_alloc(p->n_pair > 0 ? 0 : n_v * n, sizeof(double));
    s->G = pkm_alloc(n * n, sizeof(double));
    s->T = pkm_alloc(n * n, sizeof(double));
    s->row = pkm_alloc(n, sizeof(int));
    s->half = pkm_alloc((size_t)pkm_forward_step_half(p->forward), sizeof(double));
    s->force = pkm_alloc(n_v, sizeof(double));
    s->y = pkm_alloc(n_v, sizeof(double));
    s->sliding = pkm_alloc(n, sizeof(double));
    s->held = pkm_alloc(n, sizeof(double));
    if (!s->place || !s->z || !s->B || !s->W || !s->G || !s->T || !s->row || !s->half ||
        !s->force || !s->y || !s->sliding || !s->held)
        return PKM_ERR_MEMORY;
    return PKM_OK;
}

// ---- contacts ---------------------------------------------------------------------------------

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

static pkm_mat3 inverse(pkm_mat3 m)
{
    const pkm_mat3 one = pkm_mat3_identity();
    pkm_mat3 out = one;
    pkm_mat3_solve(m, one.x, &out.x);
    pkm_mat3_solve(m, one.y, &out.y);
    pkm_mat3_solve(m, one.z, &out.z);
    return out;
}

/// Bristles of a place follow its velocity within the step: dz = E (r_z + c R_u du), (5.6).
static void follow_bristles(rubbing* r, double c, pkm_mat3 by_bristle, pkm_mat3 rate_v,
                            pkm_mat3 rate_z)
{
    r->answer = inverse(pkm_mat3_axpy(pkm_mat3_identity(), -c, rate_z));
    r->by_bristle = pkm_mat3_matmul(by_bristle, r->answer);
    r->rate_v = pkm_mat3_matmul(r->answer, rate_v);
    r->by_velocity = pkm_mat3_axpy(r->by_velocity, c, pkm_mat3_matmul(by_bristle, r->rate_v));
}

/// Columns and derivatives of all contacts that touch.
static void list_contacts(pkm_plant* p)
{
    struct pkm_stiff* s = p->stiff;
    const size_t n_v = (size_t)p->state->mech->n_v;
    pkm_contact_tangent tangent[PKM_CLEARANCE_CONTACTS];
    for (int k = 0; k < p->n_pair; ++k) {
        const pkm_contact_pair* pair = &p->pair[k];
        const int n = pkm_clearance_tangents(&pair->clearance, pair->type, &pair->motion,
                                             p->memory + pair->contact_at,
                                             pair->n_z > 0 ? s->z + pair->z_at : NULL, tangent);
        pkm_mat3 R;
        pkm_vec3 origin;
        pkm_plant_pair_axes(p, k, &R, &origin);
        for (int i = 0; i < n; ++i) {
            const pkm_contact_tangent* t = &tangent[i];
            const pkm_vec3 P = pkm_vec3_add(origin, pkm_mat3_mul(R, t->at));
            rubbing* r = &s->place[s->n / 3];
            *r = (rubbing){.n_direction = 3,
                           .by_velocity = t->by_velocity,
                           .by_place = t->by_place,
                           .z_at = pair->n_z > 0 ? pair->z_at + 3 * t->contact : PKM_NONE};
            if (pair->n_z > 0) follow_bristles(r, s->c, t->by_bristle, t->rate_v, t->rate_z);
            unit_force(p, k, P, R.x, s->B + (size_t)s->n++ * n_v);
            unit_force(p, k, P, R.y, s->B + (size_t)s->n++ * n_v);
            unit_force(p, k, P, R.z, s->B + (size_t)s->n++ * n_v);
        }
    }
}

/// Generalised forces of a unit friction along one direction of a joint's surface.
static void unit_rub(const pkm_plant* p, const pkm_joint* joint, const pkm_twist* row, double* out)
{
    static const double SIGN[2] = {-1.0, 1.0};
    const pkm_body_state *a = &p->state->body[joint->body_a], *b = &p->state->body[joint->body_b];
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    memset(out, 0, (size_t)p->state->mech->n_v * sizeof(double));
    for (int side = 0; side < 2; ++side) {
        const pkm_wrench f =
            pkm_wrench_at(at, pkm_vec3_scale(SIGN[side], pkm_mat3_mul(axes, row->lin)),
                          pkm_vec3_scale(SIGN[side], pkm_mat3_mul(axes, row->ang)));
        pkm_inverse_add_load(p->state, side ? joint->body_b : joint->body_a, f, out);
    }
}

/// The same of friction in ideal joints, whose loads are held.
static void list_frictions(pkm_plant* p)
{
    struct pkm_stiff* s = p->stiff;
    const size_t n_v = (size_t)p->state->mech->n_v;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        pkm_joint_rub rub[2];
        const int n = pkm_plant_rubs(p, item, s->z, rub);
        for (int i = 0; i < n; ++i) {
            rubbing* r = &s->place[s->n / 3];
            *r = (rubbing){.n_direction = rub[i].n_direction,
                           .by_velocity = rub[i].by_velocity,
                           .z_at = rub[i].z_at == PKM_NONE ? PKM_NONE : item->z_at + rub[i].z_at};
            if (r->z_at != PKM_NONE)
                follow_bristles(r, s->c, rub[i].by_bristle, rub[i].rate_v, rub[i].rate_z);
            for (int d = 0; d < 3; ++d, ++s->n) {
                double* column = s->B + (size_t)s->n * n_v;
                if (d < r->n_direction)
                    unit_rub(p, &p->state->mech->joint[item->joint], &rub[i].row[d], column);
                else
                    memset(column, 0, n_v * sizeof(double));
            }
        }
    }
}

/// Column k of S = c D + c^2 K, which has blocks of three.
static pkm_vec3 step_column(const struct pkm_stiff* s, int k)
{
    const pkm_mat3 *D = &s->place[k / 3].by_velocity, *K = &s->place[k / 3].by_place;
    const pkm_vec3 d = k % 3 == 0 ? D->x : k % 3 == 1 ? D->y : D->z;
    const pkm_vec3 e = k % 3 == 0 ? K->x : k % 3 == 1 ? K->y : K->z;
    return pkm_vec3_axpy(pkm_vec3_scale(s->c, d), s->c * s->c, e);
}

/// T = 1 - G S, of (integrators.md, 5.4); entries of a row are `next` apart, those of a column
/// `down`.
static void fill_places(struct pkm_stiff* s, size_t down, size_t next)
{
    const size_t n = (size_t)s->n;
    for (size_t k = 0; k < n; ++k) {
        const pkm_vec3 S = step_column(s, (int)k);
        const double* G = s->G + (k - k % 3) * n;
        for (size_t i = 0; i < n; ++i)
            s->T[i * down + k * next] =
                (i == k ? 1.0 : 0.0) - G[i] * S.x - G[n + i] * S.y - G[2 * n + i] * S.z;
    }
}

/// (A - B S B')^-1 by Woodbury: G = B' A^-1 B of the contacts, T = 1 - G S.
static pkm_status factor_contacts(pkm_plant* p)
{
    struct pkm_stiff* s = p->stiff;
    pkm_forward_step_lower_all(p->forward, p->state, s->B, s->n, s->V);
    pkm_halves_gram(s->V, s->n, s->G);
    fill_places(s, (size_t)s->n, 1);
    return pkm_lu_factor(s->T, s->n, s->row) ? PKM_OK : PKM_RETRY;
}

/// The same for friction in joints: W = A^-1 B, G = B'W.
static pkm_status factor_frictions(pkm_plant* p)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v;
    for (int k = 0; k < s->n; ++k) {
        double* column = s->W + (size_t)k * (size_t)n_v;
        if (k % 3 < s->place[k / 3].n_direction)
            pkm_forward_step_solve(p->forward, p->state, s->B + (size_t)k * (size_t)n_v, column);
        else
            memset(column, 0, (size_t)n_v * sizeof(double));
    }
    pkm_dgemm('T', 'N', s->n, s->n, n_v, 1.0, s->B, n_v, s->W, n_v, 0.0, s->G, s->n);
    fill_places(s, 1, (size_t)s->n);
    return pkm_dgetrf(s->n, s->n, s->T, s->n, s->row) == 0 ? PKM_OK : PKM_RETRY;
}

/// Stiffening by axial forces, for this step.
static void find_tangents(pkm_plant* p, double c)
{
    for (int i = 1; p->state->modal && i < p->state->mech->n_body; ++i)
        if (p->state->mech->body[i].modal) pkm_modal_find_tangent(p->state, i, c);
}

/// A rod that is pressed beyond what its mass holds in this step has no factors with it. Returns
/// whether there was any.
static bool forget_tangents(pkm_plant* p)
{
    bool any = false;
    for (int i = 1; p->state->modal && i < p->state->mech->n_body; ++i) {
        any = any || p->state->modal[i].is_stiffened;
        p->state->modal[i].is_stiffened = false;
    }
    return any;
}

pkm_status pkm_plant_stiff_factor(pkm_plant* p, double c, const double* z)
{
    struct pkm_stiff* s = p->stiff;
    memcpy(s->z, z, (size_t)s->n_z * sizeof(double));
    s->c = c;
    if (p->n_pair == 0) find_tangents(p, c); // where surfaces touch, steps are too short for it
    pkm_status status = pkm_forward_step_factor(p->forward, p->state, c);
    if (status == PKM_ERR_SINGULAR && forget_tangents(p))
        status = pkm_forward_step_factor(p->forward, p->state, c);
    if (status != PKM_OK) return status == PKM_ERR_SINGULAR ? PKM_RETRY : status;
    s->n = 0;
    list_contacts(p);
    list_frictions(p);
    if (s->n == 0) return PKM_OK;
    return p->n_pair > 0 ? factor_contacts(p) : factor_frictions(p);
}

// ---- solution ---------------------------------------------------------------------------------

/// force = what springs and dampers of the modes leave on the right: -(c C + c^2 K) v - c K x; v
/// NULL: at rest.
static void pull_modes(pkm_plant* p, const double* x, const double* v)
{
    struct pkm_stiff* s = p->stiff;
    const pkm_mechanism* mech = p->state->mech;
    memset(s->force, 0, (size_t)mech->n_v * sizeof(double));
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->modal)
            pkm_modal_step_force(p->state, i, s->c, v ? v + body->e_at : NULL, x + body->e_at,
                                 s->force + body->e_at);
    }
}

/// half = A^-1 of that, half way.
static void lower_modes(pkm_plant* p, const double* x, const double* v)
{
    struct pkm_stiff* s = p->stiff;
    if (!p->state->modal) {
        memset(s->half, 0, (size_t)pkm_forward_step_half(p->forward) * sizeof(double));
        return;
    }
    pull_modes(p, x, v);
    pkm_forward_step_lower(p->forward, p->state, s->force, s->half);
}

bool pkm_plant_stiff_corrects(const pkm_plant* p)
{
    return p->state->modal && p->n_pair == 0 && p->n_friction == 0 &&
           pkm_forward_has_blocks(p->forward);
}

pkm_status pkm_plant_stiff_correct(pkm_plant* p, double t, double c, const double* x,
                                   const double* z, const double* lambda, double* dv,
                                   double* z_rate, double* dlambda)
{
    pkm_ledger_rates ledger;
    PKM_TRY(pkm_plant_apply_all(p, t, z, z_rate, &ledger));
    pull_modes(p, x, NULL);
    pkm_forward_step_correct(p->forward, p->state, &p->target, c, p->stiff->force, lambda, p->force,
                             dv, dlambda);
    pkm_plant_fill_ledger(p, &ledger);
    return PKM_OK;
}

int pkm_plant_n_multiplier(const pkm_plant* p)
{
    return pkm_forward_n_base(p->forward);
}

void pkm_plant_get_multipliers(const pkm_plant* p, double* out)
{
    pkm_forward_base_multipliers(p->forward, p->state, out);
}

/// out += scale X in, where X is one of the matrices of each place.
static void times_places(const struct pkm_stiff* s, size_t which, double scale, const double* in,
                         double* out)
{
    for (int k = 0; k < s->n; k += 3) {
        const pkm_mat3* X = (const void*)((const char*)&s->place[k / 3] + which);
        const pkm_vec3 f = pkm_mat3_mul(*X, (pkm_vec3){in[k], in[k + 1], in[k + 2]});
        out[k] += scale * f.x;
        out[k + 1] += scale * f.y;
        out[k + 2] += scale * f.z;
    }
}

/// Bristles of a place, of which it may have fewer than three.
static pkm_vec3 get_bristles(const rubbing* r, const double* z)
{
    const double* at = z + r->z_at;
    return (pkm_vec3){at[0], r->n_direction > 1 ? at[1] : 0.0, r->n_direction > 2 ? at[2] : 0.0};
}

/// held += c F_z E r_z, the force of what the bristles have moved.
static void hold_bristles(struct pkm_stiff* s, const double* z)
{
    for (int k = 0; k < s->n; k += 3) {
        const rubbing* r = &s->place[k / 3];
        if (r->z_at == PKM_NONE) continue;
        const pkm_vec3 f = pkm_mat3_mul(r->by_bristle, get_bristles(r, z));
        s->held[k] += s->c * f.x;
        s->held[k + 1] += s->c * f.y;
        s->held[k + 2] += s->c * f.z;
    }
}

/// z <- E (z + c R_u u)
static void solve_bristles(const struct pkm_stiff* s, double* z)
{
    for (int k = 0; k < s->n; k += 3) {
        const rubbing* r = &s->place[k / 3];
        const double* u = s->sliding + k;
        if (r->z_at == PKM_NONE) continue;
        const pkm_vec3 moved = pkm_mat3_mul(r->rate_v, (pkm_vec3){u[0], u[1], u[2]});
        const pkm_vec3 own = pkm_mat3_mul(r->answer, get_bristles(r, z));
        const pkm_vec3 out = pkm_vec3_axpy(own, s->c, moved);
        const double all[3] = {out.x, out.y, out.z};
        memcpy(z + r->z_at, all, (size_t)r->n_direction * sizeof(double));
    }
}

/// Velocities of the places from what they have without their own forces: (1 - G S) sliding =
/// `sliding` + G held, and held += S sliding; with contacts, or without.
static void solve_places(pkm_plant* p, double* z)
{
    static const size_t BY_PLACE = offsetof(rubbing, by_place);
    static const size_t BY_VELOCITY = offsetof(rubbing, by_velocity);
    struct pkm_stiff* s = p->stiff;
    const int n = s->n;
    pkm_dgemv('N', n, n, 1.0, s->G, n, s->held, 1, 1.0, s->sliding, 1);
    if (p->n_pair > 0)
        pkm_lu_solve(s->T, n, s->row, s->sliding);
    else
        pkm_dgetrs('N', n, 1, s->T, n, s->row, s->sliding, n);
    solve_bristles(s, z);
    times_places(s, BY_VELOCITY, s->c, s->sliding, s->held);
    times_places(s, BY_PLACE, s->c * s->c, s->sliding, s->held);
}

/// held = c K B' x + c F_z E r_z
static void hold_places(pkm_plant* p, const double* x, const double* z)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v, n = s->n;
    memset(s->held, 0, (size_t)n * sizeof(double));
    pkm_dgemv('T', n_v, n, 1.0, s->B, n_v, x, 1, 0.0, s->sliding, 1);
    times_places(s, offsetof(rubbing, by_place), s->c, s->sliding, s->held);
    hold_bristles(s, z);
}

/// With contacts: v += L'^-1 D (L^-1 f + V (S sliding + held)), sliding = B' v + V' D L^-1 f.
static void solve_with_contacts(pkm_plant* p, const double* x, double* v, double* z)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v;
    lower_modes(p, x, v);
    if (s->n > 0) {
        hold_places(p, x, z);
        pkm_dgemv('T', n_v, s->n, 1.0, s->B, n_v, v, 1, 0.0, s->sliding, 1);
        pkm_halves_dots(s->V, s->half, s->sliding);
        solve_places(p, z);
        pkm_halves_add(s->V, s->held, s->half);
    }
    pkm_forward_step_upper(p->forward, p->state, s->half, s->y);
    pkm_daxpy(n_v, 1.0, s->y, 1, v, 1);
}

/// Without: v += A^-1 f, then v += W (S sliding + held), sliding = B' v.
static void solve_with_frictions(pkm_plant* p, const double* x, double* v, double* z)
{
    struct pkm_stiff* s = p->stiff;
    const int n_v = p->state->mech->n_v;
    if (p->state->modal) {
        pull_modes(p, x, v);
        pkm_forward_step_solve(p->forward, p->state, s->force, s->y);
        pkm_daxpy(n_v, 1.0, s->y, 1, v, 1);
    }
    if (s->n == 0) return;
    hold_places(p, x, z);
    pkm_dgemv('T', n_v, s->n, 1.0, s->B, n_v, v, 1, 0.0, s->sliding, 1);
    solve_places(p, z);
    pkm_dgemv('N', n_v, s->n, 1.0, s->W, n_v, s->held, 1, 1.0, v, 1);
}

void pkm_plant_stiff_solve(pkm_plant* p, const double* x, double* v, double* z)
{
    if (p->n_pair > 0)
        solve_with_contacts(p, x, v, z);
    else
        solve_with_frictions(p, x, v, z);
}
