// The stiffness that the forces of the rigid motion bring, docs/theory/elastodynamics.md, (6.7),
// (6.8).
#include "base/error.h"
#include "linear/ked_impl.h"
#include "math/lapack.h"
#include "math/tensor.h"

#include <string.h>

// ---- forces -----------------------------------------------------------------------------------

/// z[0] of the quasi-static deflection K y = f, which is left in ked->force. K is that of the links
/// alone: with what turning takes off it there would be none at critical speeds, which tension
/// moves out of the way.
static pkm_status solve_quasi_static(pkm_ked* ked, double t)
{
    double *K = ked->matrix[2], *y = ked->force;
    ked_assemble(ked, ked->matrix[0], ked->matrix[1], K, y);
    if (pkm_dgesv(ked->n, 1, K, ked->n, ked->n_pivot, y, ked->n) != 0)
        return pkm_fail(ked->err, PKM_ERR_SINGULAR,
                        "t = %.6g s: the forces of the motion meet no stiffness", t);
    memcpy(ked->z[0] + ked->n_b, y + ked->n_free, (size_t)ked->n_i * sizeof *y);
    pkm_dgemv('N', ked->n_b, ked->n_free, 1.0, ked->T[0], ked->n_b, y, 1, 0.0, ked->z[0], 1);
    return PKM_OK;
}

/// What the joints bear without vibration: K z - f of the boundary coordinates.
static void find_multipliers(pkm_ked* ked)
{
    for (int p = 0; p < ked->n_part; ++p) {
        const ked_part* part = &ked->part[p];
        double* out = ked->bear + part->b_at;
        if (part->n_b == 0) continue;
        memcpy(out, part->f_now, (size_t)part->n_b * sizeof *out);
        ked_gather(ked, part, ked->z[0], ked->work);
        pkm_dgemv('N', part->n_b, part->n, 1.0, part->K_now, part->n, ked->work, 1, -1.0, out, 1);
    }
    ked_bear_springs(ked, ked->force, NULL, ked->bear);
    ked_multipliers(ked, ked->bear, ked->held);
}

static void find_tensions(pkm_ked* ked)
{
    double stretch;
    for (int s = 0; s < ked->elastic->n_spring; ++s)
        ked->tension[s] = ked_spring_force(ked, s, ked->force, NULL, &stretch);
}

// ---- links and bodies -------------------------------------------------------------------------

/// Axial forces of a link: EA/L times the elongation of each element.
static void axial_forces(pkm_ked* ked, const ked_part* part)
{
    const pkm_flexible_body* body = part->body;
    double *z = ked->work, *x = ked->work + part->n;
    ked_gather(ked, part, ked->z[0], z);
    pkm_dgemv('N', part->n, part->n, 1.0, part->Q, part->n, z, 1, 0.0, x, 1);
    for (int e = 0; e < body->n_element; ++e)
        // N = EA/l (u(l) - u(0)) over the modes, which follow six rigid motions
        ked->axial[e] =
            body->EA[e] / body->length[e] *
            pkm_ddot(body->n_mode, body->stretch + (size_t)e * (size_t)body->n_mode, 1, x + 6, 1);
}

static void squeeze_link(pkm_ked* ked, ked_part* part)
{
    const int nn = part->n * part->n;
    axial_forces(ked, part);
    for (int e = 0; e < part->body->n_element; ++e)
        pkm_daxpy(nn, ked->axial[e], part->squeeze + (size_t)nn * (size_t)e, 1, part->K_now, 1);
}

/// Q of v . (theta x (theta x s)) = theta' Q theta for B = v s', column-major.
static void turn_form(const double B[9], double Q[9])
{
    const double trace = B[0] + B[4] + B[8];
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            Q[3 * j + i] = 0.5 * (B[3 * j + i] + B[3 * i + j]) - (i == j ? trace : 0.0);
}

/// Inertia forces act on a rigid body that turns: a . (theta x (theta x r)) with a = H r.
static void turn_body(const pkm_ked* ked, ked_part* part)
{
    const double* J = ked->elastic->mass[part->from->body].inertia;
    const double half = 0.5 * (J[0] + J[1] + J[2]);
    // int r r' dm = tr(J)/2 - J
    const double S[9] = {half - J[0], -J[3], -J[4], -J[3],      half - J[1],
                         -J[5],       -J[4], -J[5], half - J[2]};
    double s[KED_N_FIELD], B[9], Q[9];
    ked_part_field(ked, part, s);
    pkm_dgemm('N', 'N', 3, 3, 3, 1.0, s + 3, 3, S, 3, 0.0, B, 3);
    turn_form(B, Q);
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            part->K_now[6 * (3 + j) + 3 + i] +=
                part->from->unit[3 + i] * part->from->unit[3 + j] * Q[3 * j + i];
}

pkm_status ked_find_forces(pkm_ked* ked, double t)
{
    const ked_terms terms = ked->terms;
    ked->terms = KED_NOTHING_TURNS;
    for (int p = 0; p < ked->n_part; ++p)
        ked_part_turn(ked, &ked->part[p]);
    const pkm_status status = solve_quasi_static(ked, t);
    if (status == PKM_OK) find_multipliers(ked);
    if (status == PKM_OK) find_tensions(ked);
    ked->terms = terms;
    PKM_TRY(status);
    for (int p = 0; p < ked->n_part; ++p) {
        ked_part_turn(ked, &ked->part[p]);
        if (ked->part[p].squeeze)
            squeeze_link(ked, &ked->part[p]);
        else
            turn_body(ked, &ked->part[p]);
    }
    return PKM_OK;
}

// ---- joints, springs, loads -------------------------------------------------------------------

/// Six rows of J [n] from `J` on: motion of a frame over the first n coordinates, world axes.
/// Joints touch the free ones alone, springs and loads the inner ones, too.
static void frame_rows(const pkm_ked* ked, int p, int frame, int n, double* J)
{
    memset(J, 0, 6 * (size_t)n * sizeof *J);
    if (p == PKM_NONE) return;
    const ked_part* part = &ked->part[p];
    const double* map = part->map + 6 * (size_t)part->n * (size_t)frame;
    for (int j = 0; j < n; ++j) {
        double m[6] = {0.0};
        const int inner = j - ked->n_free - part->i_at; // of this part
        if (j < ked->n_free)
            pkm_dgemv('N', 6, part->n_b, 1.0, map, 6,
                      ked->T[0] + (size_t)j * (size_t)ked->n_b + part->b_at, 1, 0.0, m, 1);
        else if (inner >= 0 && inner < part->n - part->n_b)
            memcpy(m, map + 6 * (part->n_b + inner), sizeof m);
        else
            continue;
        const pkm_vec3 d = pkm_mat3_mul(part->from->R, (pkm_vec3){m[0], m[1], m[2]});
        const pkm_vec3 r = pkm_mat3_mul(part->from->R, (pkm_vec3){m[3], m[4], m[5]});
        const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
        for (int c = 0; c < 6; ++c)
            J[c * n + j] = all[c];
    }
}

/// The second derivative of a row, or of the energy of a load, which has one side, and the force
/// that bears on it.
typedef struct weighed_form {
    int part_a, frame_a, part_b, frame_b;
    double force;
    elastic_form form;
} weighed_form;

typedef void (*form_use)(pkm_ked* ked, const weighed_form* f, int n, double* to);

/// Where the forms of loads go.
typedef struct form_target {
    form_use use;
    double* to;
} form_target;

static void take_row(pkm_ked* ked, const elastic_row* row, int n, double force,
                     const form_target* target)
{
    if (row->kind == ROW_VECTOR || n == 0 || force == 0.0) return;
    weighed_form f = {row->part_a, row->frame_a, row->part_b, row->frame_b, force, {{{0.0}}}};
    elastic_row_form(ked->elastic, row, &f.form);
    target->use(ked, &f, n, target->to);
}

/// A moment that keeps its direction has no energy and is left out.
static void take_load(pkm_ked* ked, int marker, pkm_vec3 force, pkm_vec3 torque, void* user)
{
    (void)torque;
    const form_target* target = user;
    const pkm_elastic* e = ked->elastic;
    const int part = e->part_of[e->mech->marker[marker].body];
    if (part == PKM_NONE || pkm_vec3_norm(force) == 0.0) return;
    const int frame = elastic_frame_of_marker(&e->part[part], marker);
    weighed_form f = {part, frame, PKM_NONE, 0, 1.0, {{{0.0}}}};
    elastic_load_form(e, part, frame, force, &f.form);
    target->use(ked, &f, ked->n, target->to);
}

/// Those of joints, which touch the free coordinates alone, of springs and of the loads of time t.
static void for_each_form(pkm_ked* ked, double t, form_use use, double* to)
{
    const pkm_elastic* e = ked->elastic;
    form_target target = {use, to};
    for (int i = 0; i < e->n_row; ++i)
        take_row(ked, &e->row[i], ked->n_free, -ked->held[i], &target);
    for (int s = 0; s < e->n_spring; ++s)
        take_row(ked, &e->spring[s].row, ked->n, ked->tension[s], &target);
    ked_for_each_load(ked, t, take_load, &target);
}

/// K += force J' H J over the first n coordinates.
static void add_form(pkm_ked* ked, const weighed_form* f, int n, double* K)
{
    double *J = ked->frame_J, *HJ = ked->frame_J + 12 * n;
    frame_rows(ked, f->part_a, f->frame_a, n, J);
    frame_rows(ked, f->part_b, f->frame_b, n, J + 6 * n);
    // rows are stored one after the other: the products are those of the transposes
    pkm_dgemm('N', 'N', n, 12, 12, f->force, J, n, &f->form.H[0][0], 12, 0.0, HJ, n);
    pkm_dgemm('N', 'T', n, n, 12, 1.0, HJ, n, J, n, 1.0, K, ked->n);
}

void ked_add_geometry(pkm_ked* ked, double t, double* K)
{
    for_each_form(ked, t, add_form, K);
}

/// fx += force H d over all coordinates, d the motion of the two frames.
static void bear_form(pkm_ked* ked, const weighed_form* f, int n, double* fx)
{
    (void)n;
    const pkm_elastic* e = ked->elastic;
    pkm_vec3 m[4];
    elastic_frame_motion(e, f->part_a, f->frame_a, ked->x[0], &m[0], &m[1]);
    elastic_frame_motion(e, f->part_b, f->frame_b, ked->x[0], &m[2], &m[3]);
    double out[12] = {0.0};
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 4; ++k)
            out[i] += f->force * pkm_vec3_dot(pkm_vec3_at(f->form.H[i] + 3 * k), m[k]);
    elastic_frame_force(e, f->part_a, f->frame_a, pkm_vec3_at(out), pkm_vec3_at(out + 3), fx);
    elastic_frame_force(e, f->part_b, f->frame_b, pkm_vec3_at(out + 6), pkm_vec3_at(out + 9), fx);
}

void ked_bear_geometry(pkm_ked* ked, double t, double* out)
{
    pkm_elastic* e = ked->elastic;
    memset(e->work_f, 0, (size_t)e->n_all * sizeof *e->work_f);
    for_each_form(ked, t, bear_form, e->work_f);
    for (int p = 0; p < ked->n_part; ++p) { // from x to z, x = Q z
        const ked_part* part = &ked->part[p];
        if (part->n_b > 0)
            pkm_dgemv('T', part->n, part->n_b, 1.0, part->Q, part->n, e->work_f + part->from->at, 1,
                      1.0, out + part->b_at, 1);
    }
}
