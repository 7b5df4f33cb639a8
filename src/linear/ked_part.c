// Bodies of the linear model on a rigid motion, docs/theory/elastodynamics.md, (6.1)-(6.4).
#include "base/error.h"
#include "linear/ked_impl.h"
#include "math/lapack.h"
#include "math/tensor.h"
#include "mechanism/joint.h"
#include "robot/run_variant.h"

#include <math.h>
#include <string.h>

// Directions in which joints move a link by less than this part of the others are rounding.
static const double NO_MOTION = 1e-10;

static double* numbers(pkm_ked* ked, size_t count)
{
    return pkm_arena_alloc(ked->arena, count, sizeof(double));
}

static pkm_status out_of_memory(const pkm_ked* ked)
{
    return pkm_fail(ked->err, PKM_ERR_MEMORY, "out of memory");
}

// ---- coordinates ------------------------------------------------------------------------------

/// Numbers of a joint that its rows touch: displacements, and rotations but for balls.
static int touched_by(const pkm_ked* ked, int joint)
{
    const pkm_joint_type type = ked->robot->mech->joint[joint].type;
    // spins and driven rods have rows of their own
    if (pkm_joint_facts_of(type)->n_row == 0) return 0;
    return pkm_joint_facts_of(type)->n_turn == 0 ? 3 : 6;
}

/// The spin of a rod that is left out, as a row over its coordinates; false: there is none.
static bool spin_row_of(const pkm_ked* ked, int part, double* row)
{
    const pkm_elastic* e = ked->elastic;
    for (int i = 0; i < e->n_row; ++i) {
        if (e->row[i].kind != ROW_VECTOR || e->row[i].part_b != part) continue;
        memset(e->work_f, 0, (size_t)e->n_all * sizeof *e->work_f);
        elastic_spin_row(e, &e->row[i], e->work_f);
        memcpy(row, e->work_f + e->part[part].at, (size_t)e->part[part].n * sizeof *row);
        return true;
    }
    return false;
}

/// What joints touch of a part, in coordinates x / unit, each scaled to 1: n x k in `F`; k.
static int touched_rows(const pkm_ked* ked, int p, double* F)
{
    const elastic_part* part = &ked->elastic->part[p];
    const int n = part->n;
    int k = 0;
    for (int f = 0; f < part->n_frame; ++f) {
        const int n_touched =
            part->frame[f].joint == PKM_NONE ? 0 : touched_by(ked, part->frame[f].joint);
        for (int c = 0; c < n_touched; ++c, ++k)
            for (int i = 0; i < n; ++i)
                F[(size_t)k * (size_t)n + (size_t)i] = part->frame[f].map[6 * i + c];
    }
    // the spin is something joints touch: it is held like a row
    if (spin_row_of(ked, p, F + (size_t)k * (size_t)n)) ++k;
    for (int j = 0; j < k; ++j) {
        double *column = F + (size_t)j * (size_t)n, largest = 0.0;
        for (int i = 0; i < n; ++i) {
            // in units: shifts and turns of alike size
            column[i] *= part->unit[i];
            largest = fmax(largest, fabs(column[i]));
        }
        if (largest > 0.0) pkm_dscal(n, 1.0 / largest, column, 1);
    }
    return k;
}

/// Orthogonal coordinates of which the first n_b span what joints touch (6.2).
static pkm_status split(pkm_ked* ked, ked_part* part, int p)
{
    const size_t n = (size_t)part->n;
    // F = Q R with column pivots: the first columns of Q span what joints touch, the rest is inside
    // at most six rows for each frame, one of the spin
    const size_t most = 6 * (size_t)part->from->n_frame + 1 + n;
    double *F = pkm_alloc(n * most, sizeof *F), *tau = pkm_alloc(most, sizeof *tau);
    int* order = pkm_alloc(most, sizeof *order);
    pkm_status status = F && tau && order ? PKM_OK : out_of_memory(ked);
    if (status == PKM_OK) {
        const int k = touched_rows(ked, p, F), least = k < part->n ? k : part->n;
        if (pkm_dgeqp3(part->n, k, F, part->n, order, tau) != 0) status = out_of_memory(ked);
        part->n_b = 0;
        // the diagonal of R falls in size: rank by the first entry that is nothing
        while (part->n_b < least && fabs(F[(size_t)part->n_b * (n + 1)]) > NO_MOTION * fabs(F[0]))
            ++part->n_b;
        if (pkm_dorgqr(part->n, part->n, least, F, part->n, tau) != 0) status = out_of_memory(ked);
        for (size_t j = 0; j < n; ++j)
            for (size_t i = 0; i < n; ++i)
                // back from x / unit to x
                part->Q[j * n + i] = part->from->unit[i] * F[j * n + i];
    }
    pkm_free(F);
    pkm_free(tau);
    pkm_free(order);
    return status;
}

static pkm_status choose_coordinates(pkm_ked* ked, ked_part* part, int p)
{
    const size_t n = (size_t)part->n;
    part->n_b = part->n;
    // rigid parts have six coordinates, all at joints
    if (part->from->link) return split(ked, part, p);
    for (size_t i = 0; i < n; ++i)
        part->Q[i * n + i] = part->from->unit[i];
    return PKM_OK;
}

// ---- matrices ---------------------------------------------------------------------------------

/// out = Q' A Q.
static void turn(const ked_part* part, const double* A, double* work, double* out)
{
    const int n = part->n;
    pkm_dgemm('N', 'N', n, n, n, 1.0, A, n, part->Q, n, 0.0, work, n);
    pkm_dgemm('T', 'N', n, n, n, 1.0, part->Q, n, work, n, 0.0, out, n);
}

/// Damping over x: of the modes.
static void fill_damping(const elastic_part* part, double* C)
{
    const size_t n = (size_t)part->n;
    memset(C, 0, n * n * sizeof *C);
    if (!part->damping) return;
    for (size_t j = 6; j < n; ++j)
        for (size_t i = 6; i < n; ++i) {
            if (part->held_damping)
                // six rigid motions in front, which nothing damps
                C[j * n + i] = part->held_damping[(j - 6) * (n - 6) + i - 6];
            else if (i == j)
                C[j * n + i] = part->damping[j];
        }
}

/// Displacement field of coordinate k of a rigid part: c + w x (r - centre).
static void rigid_field(int k, pkm_vec3* c, pkm_vec3* w)
{
    const pkm_vec3 e = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, none = {0.0, 0.0, 0.0};
    *c = k < 3 ? e : none;
    *w = k < 3 ? none : e;
}

/// Second moment of mass about the centre, 1/2 tr(J) 1 - J, times a vector.
static pkm_vec3 second_times(const pkm_mass* body, pkm_vec3 a)
{
    // second moment S: J = tr(S) 1 - S
    const double half = 0.5 * (body->inertia[0] + body->inertia[1] + body->inertia[2]);
    return pkm_vec3_sub(pkm_vec3_scale(half, a), pkm_inertia_times(body->inertia, a));
}

static const pkm_vec3 UNIT[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/// Integrals over the fields of a rigid body (6.3): of r phi_a and phi_a phi_b.
static void rigid_integrals(const pkm_mass* body, double* pair, double* field)
{
    for (int j = 0; j < 6; ++j) {
        pkm_vec3 cj, wj;
        rigid_field(j, &cj, &wj);
        for (int b = 0; b < 3; ++b) {
            field[b * 6 + j] = body->mass * pkm_vec3_part(cj, b);
            // phi_b = e_b . (w x r) = (e_b x w) . r
            const pkm_vec3 S = second_times(body, pkm_vec3_cross(UNIT[b], wj));
            for (int a = 0; a < 3; ++a)
                field[(3 + b + 3 * a) * 6 + j] = pkm_vec3_part(S, a);
            for (int i = 0; i < 6; ++i) {
                pkm_vec3 ci, wi;
                rigid_field(i, &ci, &wi);
                for (int a = 0; a < 3; ++a)
                    pair[(a + 3 * b) * 36 + 6 * j + i] =
                        body->mass * pkm_vec3_part(ci, a) * pkm_vec3_part(cj, b) +
                        pkm_vec3_dot(pkm_vec3_cross(UNIT[a], wi), S);
            }
        }
    }
}

/// The same over rigid motions and modes of a link.
static pkm_status link_integrals(const pkm_ked* ked, const ked_part* part, double* pair,
                                 double* field)
{
    const size_t n = (size_t)part->n;
    // rigid motions of the link as modes: the same integrals
    const pkm_beam_modes modes = {.n = part->from->n_mesh, .n_mode = part->n, .X = part->from->X};
    pkm_beam_integrals* all = NULL;
    if (pkm_beam_integrals_create(part->from->link->mesh, &modes, &all) != PKM_OK)
        return out_of_memory(ked);
    for (size_t j = 0; j < n; ++j) {
        for (size_t k = 0; k < 3; ++k) {
            field[k * n + j] = all->momentum[3 * j + k];
            field[(12 + k) * n + j] = all->spin[3 * j + k];
        }
        for (size_t a = 0; a < 3; ++a)     // r_a
            for (size_t b = 0; b < 3; ++b) // phi_b
                field[(3 + b + 3 * a) * n + j] = all->cross[9 * j + 3 * b + a];
        for (size_t i = 0; i < n; ++i)
            for (size_t k = 0; k < 9; ++k)
                pair[k * n * n + j * n + i] = all->pair[9 * (i + n * j) + k];
    }
    pkm_beam_integrals_free(all);
    return PKM_OK;
}

/// S = X' G X of a unit force in one element. A link without stiffening keeps what turning as a
/// whole does (6.7): of modes alone there is nothing.
static void squeeze_of(const ked_part* part, const double* G, double* work, double* S)
{
    const elastic_part* from = part->from;
    const int n = part->n, m = from->n_mesh;
    // X'G X over rigid motions and modes (6.7)
    pkm_dsymm('L', 'L', m, n, 1.0, G, m, from->X, m, 0.0, work, m);
    pkm_dgemm('T', 'N', n, n, m, 1.0, from->X, m, work, m, 0.0, S, n);
    for (int j = 6; j < n && from->spec->without_stiffening; ++j)
        memset(S + (size_t)j * (size_t)n + 6, 0, (size_t)(n - 6) * sizeof *S);
}

/// Axial forces [3 per element] where the mean of element `one` is 1, flexible.md (3.9).
static void unit_tension(const pkm_flexible_link* link, int one, double* force)
{
    for (int e = 0; e < pkm_beam_mesh_elements(link->mesh); ++e) {
        const pkm_flexible_rise r = pkm_flexible_rise_of(link, e);
        const double rise = r.part * ((r.behind == one) - (r.before == one));
        force[3 * e] = (e == one) - 0.5 * rise;
        force[3 * e + 1] = rise;
        force[3 * e + 2] = 0.0;
    }
}

/// Geometric stiffness of a unit force in each element.
static pkm_status make_squeeze(pkm_ked* ked, ked_part* part)
{
    const elastic_part* from = part->from;
    const size_t n = (size_t)part->n, m = (size_t)from->n_mesh;
    const size_t n_element = (size_t)pkm_beam_mesh_elements(from->link->mesh);
    part->squeeze = numbers(ked, n * n * n_element);
    double* G = pkm_alloc(m * m + m * n + 2 * n * n + 3 * n_element, sizeof *G);
    if (!part->squeeze || !G) {
        pkm_free(G);
        return out_of_memory(ked);
    }
    double *work = G + m * m, *S = work + m * n, *force = S + 2 * n * n;
    for (size_t e = 0; e < n_element; ++e) {
        // a unit tension, the mean of element e, and what its neighbours have of it, (3.9)
        unit_tension(from->link, (int)e, force);
        pkm_beam_mesh_geometric(from->link->mesh, force, G);
        squeeze_of(part, G, work, S);
        turn(part, S, S + n * n, part->squeeze + n * n * e);
    }
    pkm_free(G);
    return PKM_OK;
}

/// Everything of a part from coordinates x to z.
static pkm_status turn_all(pkm_ked* ked, ked_part* part, double* memory)
{
    const elastic_part* from = part->from;
    const size_t n = (size_t)part->n, nn = n * n;
    double *pair = memory, *field = pair + 9 * nn, *C = field + KED_N_FIELD * n, *work = C + nn;
    if (from->link)
        PKM_TRY(link_integrals(ked, part, pair, field));
    else
        rigid_integrals(&ked->elastic->mass[from->body], pair, field);
    // Q' S_ab Q for all nine pairs
    for (size_t k = 0; k < 9; ++k)
        turn(part, pair + k * nn, work, part->pair + k * nn);
    pkm_dgemm('T', 'N', part->n, KED_N_FIELD, part->n, 1.0, part->Q, part->n, field, part->n, 0.0,
              part->field, part->n);
    turn(part, from->M, work, part->M);
    if (from->K) turn(part, from->K, work, part->K);
    fill_damping(from, C);
    turn(part, C, work, part->C);
    for (int f = 0; f < from->n_frame; ++f)
        pkm_dgemm('N', 'N', 6, part->n, part->n, 1.0, from->frame[f].map, 6, part->Q, part->n, 0.0,
                  part->map + 6 * n * (size_t)f, 6);
    return PKM_OK;
}

/// What readings of a link are taken from: a copy of the body that reading the run has made; where
/// the run was changed since, made of the modes of its part. The link is not reduced again.
static pkm_status make_body(pkm_ked* ked, ked_part* part)
{
    const elastic_part* from = part->from;
    const pkm_flexible_body* equal =
        pkm_flexible_made_find(ked->settings->effects->made, from->content);
    if (!equal)
        return pkm_flexible_body_of(from->link, from->spec, &from->modes, &part->body, ked->err);
    part->body = pkm_flexible_body_copy(equal, from->link);
    return part->body ? PKM_OK : out_of_memory(ked);
}

static pkm_status make_part(pkm_ked* ked, int p)
{
    ked_part* part = &ked->part[p];
    part->from = &ked->elastic->part[p];
    part->n = part->from->n;
    const size_t n = (size_t)part->n, nn = n * n, frames = 6 * n * (size_t)part->from->n_frame;
    double* next = numbers(ked, 15 * nn + (KED_N_FIELD + 1) * n + frames);
    if (!next) return out_of_memory(ked);
    // six matrices, nine pair integrals, fields and maps in one piece of the arena
    double** const square[] = {&part->Q, &part->M, &part->C, &part->K, &part->C_now, &part->K_now};
    for (size_t k = 0; k < 6; ++k, next += nn)
        *square[k] = next;
    part->pair = next;
    part->field = next + 9 * nn;
    part->f_now = part->field + KED_N_FIELD * n;
    part->map = part->f_now + n;
    PKM_TRY(choose_coordinates(ked, part, p));
    double* memory = pkm_alloc(11 * nn + KED_N_FIELD * n, sizeof *memory);
    const pkm_status status = memory ? turn_all(ked, part, memory) : out_of_memory(ked);
    pkm_free(memory);
    // a rigid part has no readings
    if (status != PKM_OK || !part->from->link) return status;
    PKM_TRY(make_body(ked, part));
    part->gauge = pkm_flexible_gauge_make(
        part->body, pkm_run_variant_place(ked->robot->desc, part->body->body));
    return ked->settings->has_stiffening ? make_squeeze(ked, part) : PKM_OK;
}

pkm_status ked_parts_create(pkm_ked* ked)
{
    ked->n_part = ked->elastic->n_part;
    ked->part = pkm_arena_alloc(ked->arena, (size_t)ked->n_part, sizeof *ked->part);
    if (!ked->part) return out_of_memory(ked);
    for (int p = 0; p < ked->n_part; ++p) {
        // boundary coordinates of all parts first, then inner ones, each in the order of the parts
        PKM_TRY(make_part(ked, p));
        ked->part[p].b_at = ked->n_b;
        ked->part[p].i_at = ked->n_i;
        ked->n_b += ked->part[p].n_b;
        ked->n_i += ked->part[p].n - ked->part[p].n_b;
    }
    return PKM_OK;
}

void ked_parts_free(pkm_ked* ked)
{
    for (int p = 0; ked->part && p < ked->n_part; ++p)
        pkm_flexible_body_free(ked->part[p].body);
}

// ---- in motion --------------------------------------------------------------------------------

/// W = [w]x of the body's axes, and H = [w_t]x + W W: what a point that rests in them accelerates
/// by.
static void turning_matrices(const elastic_part* part, double W[9], double H[9])
{
    const pkm_vec3 w = pkm_mat3_tmul(part->R, part->w), e = pkm_mat3_tmul(part->R, part->turning);
    for (int b = 0; b < 3; ++b) {
        const pkm_vec3 we = pkm_vec3_cross(w, UNIT[b]);
        const pkm_vec3 h = pkm_vec3_add(pkm_vec3_cross(e, UNIT[b]), pkm_vec3_cross(w, we));
        for (int a = 0; a < 3; ++a) {
            // H = W_t + W W: columns W_t e_b + w x (w x e_b)
            W[a + 3 * b] = pkm_vec3_part(we, a);
            H[a + 3 * b] = pkm_vec3_part(h, a);
        }
    }
}

void ked_part_field(const pkm_ked* ked, const ked_part* part, double s[KED_N_FIELD])
{
    const elastic_part* from = part->from;
    double W[9];
    turning_matrices(from, W, s + 3);
    // a rigid body's integrals are about its centre of mass, a link's about its origin
    const pkm_vec3 arm =
        from->link ? (pkm_vec3){0} : pkm_mat3_mul(from->R, ked->elastic->mass[from->body].com);
    const pkm_beam_jet at = pkm_beam_jet_turning(arm, from->w, from->turning);
    const pkm_vec3 a =
        pkm_mat3_tmul(from->R, pkm_vec3_sub(pkm_vec3_add(from->a, at.a), ked->elastic->gravity));
    const pkm_vec3 e = pkm_mat3_tmul(from->R, from->turning);
    for (int k = 0; k < 3; ++k) {
        s[k] = pkm_vec3_part(a, k);
        s[12 + k] = pkm_vec3_part(e, k);
    }
}

void ked_part_turn(const pkm_ked* ked, ked_part* part)
{
    const int nn = part->n * part->n;
    double W[9], H[9];
    memcpy(part->C_now, part->C, (size_t)nn * sizeof *part->C);
    memcpy(part->K_now, part->K, (size_t)nn * sizeof *part->K);
    turning_matrices(part->from, W, H);
    // pairs weighed with W and H, (6.4)
    for (int k = 0; k < 9 && ked_bodies_turn(ked); ++k) {
        // C + 2 sum W_ab S_ab, K + sum H_ab S_ab: Coriolis, Euler and centripetal terms (4.1)
        pkm_daxpy(nn, 2.0 * W[k], part->pair + k * nn, 1, part->C_now, 1);
        pkm_daxpy(nn, H[k], part->pair + k * nn, 1, part->K_now, 1);
    }
}

void ked_part_move(const pkm_ked* ked, ked_part* part)
{
    const int n = part->n;
    double s[KED_N_FIELD];
    // f = -sum of fields times a - g, H and w' of the rigid motion
    ked_part_turn(ked, part);
    ked_part_field(ked, part, s);
    pkm_dgemv('N', n, KED_N_FIELD, -1.0, part->field, n, s, 1, 0.0, part->f_now, 1);
}
