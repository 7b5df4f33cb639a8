// The matrices of the linear model on a rigid motion, docs/theory/elastodynamics.md, (6.6).
#include "base/error.h"
#include "linear/ked_impl.h"
#include "math/lapack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- time -------------------------------------------------------------------------------------

pkm_status ked_go(pkm_ked* ked, double t)
{
    // the motion repeats itself, and rests at its end after the last time
    const double turn = fmin(floor(t / ked->duration * (1.0 + 1e-12)), ked->settings->n_repeat - 1);
    const double local = t - turn * ked->duration;
    // from the end of one turn to the start of the next: the same place, an earlier time
    if (ked->follower.started && local < ked->follower.t - 0.5 * ked->duration)
        ked->follower.t -= ked->duration;
    PKM_TRY(pkm_follow_to(&ked->follower, local, ked->err));
    pkm_elastic_move(ked->elastic, ked->robot->state);
    return ked_joints_move(ked, t);
}

// ---- forces -----------------------------------------------------------------------------------

void ked_for_each_load(pkm_ked* ked, double t, ked_load call, void* user)
{
    const pkm_effects* effects = ked->settings->effects;
    if (ked->robot->mech->tool != PKM_NONE)
        call(ked, ked->robot->mech->tool, ked->settings->tool_force, ked->settings->tool_torque,
             user);
    for (int i = 0; i < effects->n_element; ++i) {
        const pkm_element* element = &effects->element[i];
        if (element->type->place != PKM_AT_MARKER) continue;
        const pkm_element_motion m = pkm_effects_motion(element, t, ked->robot->state);
        pkm_pair_force out;
        element->type->wrench(element->data, &m, NULL, &out);
        const pkm_wrench f = out.on_b;
        call(ked, element->marker_b, f.force,
             pkm_vec3_sub(f.moment, pkm_vec3_cross(m.b.pose.p, f.force)), user);
    }
}

/// f_now += force and torque [world axes] on a marker.
static void add_force(pkm_ked* ked, int marker, pkm_vec3 force, pkm_vec3 torque, void* unused)
{
    (void)unused;
    const int p = ked->elastic->part_of[ked->robot->mech->marker[marker].body];
    if (p == PKM_NONE) return;
    ked_part* part = &ked->part[p];
    const int frame = elastic_frame_of_marker(part->from, marker);
    const pkm_vec3 f = pkm_mat3_tmul(part->from->R, force);
    const pkm_vec3 m = pkm_mat3_tmul(part->from->R, torque);
    const double all[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    pkm_dgemv('T', 6, part->n, 1.0, part->map + 6 * (size_t)part->n * (size_t)frame, 6, all, 1, 1.0,
              part->f_now, 1);
}

/// Without the geometry of forces springs must bear none.
static pkm_status require_rest(pkm_ked* ked, double t)
{
    char where[40];
    if (ked->settings->has_stiffening) return PKM_OK;
    snprintf(where, sizeof where, "at t = %.6g s", t);
    return elastic_require_rest(ked->elastic, where, "stiffening", ked->err);
}

// ---- matrices ---------------------------------------------------------------------------------

bool ked_bodies_turn(const pkm_ked* ked)
{
    return !ked->settings->without_coupling && ked->terms != KED_NOTHING_TURNS;
}

bool ked_joints_turn(const pkm_ked* ked)
{
    return ked_bodies_turn(ked) && ked->terms != KED_BODIES_TURN;
}

/// P (n x n_free) += factor B(:, boundary) T[k] of a part.
static void add_columns(const pkm_ked* ked, const ked_part* part, double factor, const double* B,
                        int k, double* P)
{
    if (part->n_b == 0) return;
    pkm_dgemm('N', 'N', part->n, ked->n_free, part->n_b, factor, B, part->n, ked->T[k] + part->b_at,
              ked->n_b, 1.0, P, part->n);
}

/// A += [T' ; 1] [P, B(:, inner)]: the rows of a part seen by the independent coordinates.
static void add_rows(pkm_ked* ked, const ked_part* part, const double* P, const double* B,
                     double* A)
{
    const int n = part->n, n_b = part->n_b, n_i = n - n_b, n_free = ked->n_free, N = ked->n;
    const double *T = ked->T[0] + part->b_at, *inner = B + (size_t)n_b * (size_t)n;
    // y = (free boundary coordinates, inner coordinates of all parts)
    const size_t i_at = (size_t)(n_free + part->i_at), ld = (size_t)N;
    if (n_b > 0) {
        pkm_dgemm('T', 'N', n_free, n_free, n_b, 1.0, T, ked->n_b, P, n, 1.0, A, N);
        if (n_i > 0)
            pkm_dgemm('T', 'N', n_free, n_i, n_b, 1.0, T, ked->n_b, inner, n, 1.0, A + i_at * ld,
                      N);
    }
    for (int j = 0; j < n_free; ++j)
        memcpy(A + (size_t)j * ld + i_at, P + (size_t)j * (size_t)n + (size_t)n_b,
               (size_t)n_i * sizeof *A);
    for (int j = 0; j < n_i; ++j)
        memcpy(A + (i_at + (size_t)j) * ld + i_at, inner + (size_t)j * (size_t)n + (size_t)n_b,
               (size_t)n_i * sizeof *A);
}

static void add_part(pkm_ked* ked, const ked_part* part, double* M, double* C, double* K, double* f)
{
    for (int k = 0; k < 3; ++k)
        memset(ked->product[k], 0, (size_t)part->n * (size_t)ked->n_free * sizeof *ked->product[k]);
    // z = T y, z' = T y' + T_t y, z'' = T y'' + 2 T_t y' + T_tt y (6.5): M_y = T'M T (6.6),
    // C_y = T'(C T + 2 M T_t), K_y = T'(K T + C T_t + M T_tt), f_y = T'f
    add_columns(ked, part, 1.0, part->M, 0, ked->product[0]);
    add_columns(ked, part, 1.0, part->C_now, 0, ked->product[1]);
    add_columns(ked, part, 1.0, part->K_now, 0, ked->product[2]);
    if (ked_joints_turn(ked)) {
        add_columns(ked, part, 2.0, part->M, 1, ked->product[1]);
        add_columns(ked, part, 1.0, part->M, 2, ked->product[2]);
        add_columns(ked, part, 1.0, part->C_now, 1, ked->product[2]);
    }
    add_rows(ked, part, ked->product[0], part->M, M);
    add_rows(ked, part, ked->product[1], part->C_now, C);
    add_rows(ked, part, ked->product[2], part->K_now, K);
    if (part->n_b > 0)
        pkm_dgemv('T', part->n_b, ked->n_free, 1.0, ked->T[0] + part->b_at, ked->n_b, part->f_now,
                  1, 1.0, f, 1);
    memcpy(f + ked->n_free + part->i_at, part->f_now + part->n_b,
           (size_t)(part->n - part->n_b) * sizeof *f);
}

void ked_marker_row(const pkm_ked* ked, int marker, int d, double* row)
{
    memset(row, 0, (size_t)ked->n * sizeof *row);
    const int p = ked->elastic->part_of[ked->robot->mech->marker[marker].body];
    if (p == PKM_NONE) return;
    const ked_part* part = &ked->part[p];
    const double* map =
        part->map + 6 * (size_t)part->n * (size_t)elastic_frame_of_marker(part->from, marker) + d;
    // inner coordinates move the marker directly, those at joints by T
    for (int k = part->n_b; k < part->n; ++k)
        row[ked->n_free + part->i_at + k - part->n_b] = map[6 * k];
    if (part->n_b > 0)
        pkm_dgemv('T', part->n_b, ked->n_free, 1.0, ked->T[0] + part->b_at, ked->n_b, map, 6, 0.0,
                  row, 1);
}

void ked_assemble(pkm_ked* ked, double* M, double* C, double* K, double* f)
{
    const size_t nn = (size_t)ked->n * (size_t)ked->n;
    memset(M, 0, nn * sizeof *M);
    memset(C, 0, nn * sizeof *C);
    memset(K, 0, nn * sizeof *K);
    memset(f, 0, (size_t)ked->n * sizeof *f);
    for (int p = 0; p < ked->n_part; ++p)
        add_part(ked, &ked->part[p], M, C, K, f);
    ked_add_springs(ked, C, K, f);
}

// ---- for Newmark's method -----------------------------------------------------------------------

pkm_status ked_system(void* user, double t, double* M, double* C, double* K, double* f)
{
    pkm_ked* ked = user;
    PKM_TRY(ked_go(ked, t));
    for (int p = 0; p < ked->n_part; ++p)
        ked_part_move(ked, &ked->part[p]);
    ked_for_each_load(ked, t, add_force, NULL);
    // forces of springs in the rigid motion, F_0
    elastic_spring_forces(ked->elastic, ked->robot->state);
    PKM_TRY(require_rest(ked, t));
    if (ked->settings->has_stiffening) PKM_TRY(ked_find_forces(ked, t));
    ked_assemble(ked, M, C, K, f);
    if (ked->settings->has_stiffening) ked_add_geometry(ked, t, K);
    return PKM_OK;
}

/// Boundary coordinates of one motion, picked out by the choice `to`.
static void pick(pkm_ked* ked, const ked_choice* to, double* q, double* v, double* a)
{
    double* const given[3] = {q, v, a};
    ked_expand(ked, q, v, a);
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < ked->n_free; ++j)
            given[k][j] = ked->z[k][to->free[j]];
}

void ked_rebase(void* user, bool back, int n_column, double* q, double* v, double* a)
{
    pkm_ked* ked = user;
    // coordinates change between steps only, and all motions with them
    if (!back && !ked->wants_choice) return;
    const int n_dependent = ked->choice.n_dependent;
    ked_choice_copy(ked, &ked->choice, &ked->other);
    if (back)
        ked_choice_copy(ked, &ked->first, &ked->choice);
    else
        ked_choose(ked);
    if (ked->choice.n_dependent != n_dependent) // the next placement will say so
        ked_choice_copy(ked, &ked->other, &ked->choice);
    for (int c = 0; c < n_column; ++c) {
        const size_t at = (size_t)c * (size_t)ked->n;
        pick(ked, &ked->choice, q + at, v + at, a + at);
    }
    ked->wants_choice = false;
}
