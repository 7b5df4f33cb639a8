// Static state of the elastic model and the stiffness that its forces bring,
// docs/theory/modes.md, section 5.
#include "base/error.h"
#include "linear/elastic_model.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

// ---- loads ------------------------------------------------------------------------------------

/// Forces that springs have before anything bends, as derivatives of their energy by their rows.
void elastic_spring_forces(pkm_elastic* e, const pkm_state* state)
{
    const pkm_effects* effects = e->settings.effects;
    int s = 0;
    // elastic drives rest at the pose
    while (s < e->n_spring && !e->spring[s].element)
        e->spring[s++].force = 0.0;
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* element = &effects->element[i];
        pkm_element_slope slope[PKM_ELEMENT_SLOPES];
        if (!element->type->slopes) continue;
        const pkm_element_motion motion = pkm_effects_motion(element, 0.0, state);
        const int n = element->type->slopes(element->data, &motion, slope);
        // in the order in which elastic_rows_make has added them
        for (int k = 0; k < n; ++k)
            e->spring[s++].force = slope[k].force;
    }
}

/// A held drive on the coordinate of a spring bears it alone: nothing else feels it.
static bool is_borne(const pkm_elastic* e, const pkm_element* element)
{
    const pkm_desc_drive* drive = e->robot->desc->drive;
    if (element->type->place != PKM_ON_COORDINATE) return false;
    for (int d = 0; d < e->mech->n_drive; ++d)
        if (drive[d].joint == element->joint && drive[d].coordinate == 0)
            return e->settings.drive[d].hold == PKM_ELASTIC_LOCKED;
    return false;
}

// Below this share of the robot's size, or of 1 rad, a stretch is rounding of the pose.
static const double ROUNDING = 1e-9;

/// Springs that bear forces change the stiffness by (5.2): not known without the static state.
pkm_status elastic_require_rest(const pkm_elastic* e, const char* where, const char* choice,
                                pkm_error* err)
{
    for (int s = 0; s < e->n_spring; ++s) {
        const elastic_spring* spring = &e->spring[s];
        // pairs have moments: least stretch 1e-9 rad
        const bool turns = spring->row.kind == ROW_PAIR;
        const double least = ROUNDING * spring->stiffness * (turns ? 1.0 : e->size);
        if (fabs(spring->force) <= least || is_borne(e, spring->element)) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "loads.%s (%s): it bears %.4g %s %s, which changes the "
                        "stiffness, expected --%s (key %s) to count that, or a %s at rest",
                        spring->element->type->word, spring->element->name, fabs(spring->force),
                        turns ? "N m" : "N", where, choice, choice, spring->element->type->word);
    }
    return PKM_OK;
}

/// A cable is linear on its side of slackness alone.
static pkm_status require_sides(const pkm_elastic* e, const pkm_state* state, pkm_error* err)
{
    for (int s = 0; s < e->n_spring; ++s) {
        const pkm_element* element = e->spring[s].element;
        if (!element || !element->type->is_one_sided) continue;
        const pkm_element_motion motion = pkm_effects_motion(element, 0.0, state);
        const double before = element->type->gap(element->data, &motion);
        // to first order
        const double after = before + elastic_row_dot(e, &e->spring[s].row, e->static_x);
        if ((before > 0.0) == (after > 0.0) || fabs(after) <= ROUNDING * e->size) continue;
        return pkm_fail(err, PKM_ERR_CONVERGENCE,
                        "loads.%s (%s): %s at this pose and %s in the static state, expected a "
                        "pose near it",
                        element->type->word, element->name, before > 0.0 ? "taut" : "slack",
                        after > 0.0 ? "taut" : "slack");
    }
    return PKM_OK;
}

/// A force on a marker: a load of the static state, whose arm turns with the body.
typedef void (*each_load)(pkm_elastic* e, int marker, pkm_vec3 force, pkm_vec3 torque);

static void for_each_load(pkm_elastic* e, const pkm_state* state, each_load call)
{
    const pkm_effects* effects = e->settings.effects;
    if (e->mech->tool != PKM_NONE)
        call(e, e->mech->tool, e->settings.tool_force, e->settings.tool_torque);
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* element = &effects->element[i];
        if (element->type->place != PKM_AT_MARKER) continue;
        const pkm_element_motion m = pkm_effects_motion(element, 0.0, state);
        pkm_pair_force out;
        element->type->wrench(element->data, &m, NULL, &out);
        const pkm_wrench f = out.on_b;
        call(e, element->marker_b, f.force,
             // about the marker, as elastic_frame_force wants it
             pkm_vec3_sub(f.moment, pkm_vec3_cross(m.b.pose.p, f.force)));
    }
}

static void add_load(pkm_elastic* e, int marker, pkm_vec3 force, pkm_vec3 torque)
{
    pkm_elastic_add_force(e, marker, force, torque, e->work_f);
}

// ---- static state -----------------------------------------------------------------------------

static pkm_status solve_static(pkm_elastic* e, const pkm_state* state, pkm_error* err)
{
    memset(e->work_f, 0, (size_t)e->n_all * sizeof *e->work_f);
    if (!e->settings.without_gravity) pkm_elastic_add_weight(e, e->work_f);
    for_each_load(e, state, add_load);
    elastic_spring_forces(e, state);
    // with the force that they have before anything gives way
    for (int s = 0; s < e->n_spring; ++s)
        elastic_row_add(e, &e->spring[s].row, -e->spring[s].force, e->work_f);
    memcpy(e->static_f, e->work_f, (size_t)e->n_all * sizeof *e->static_f);
    PKM_TRY(pkm_elastic_solve(e, e->static_f, e->static_x, err));
    PKM_TRY(elastic_bend_statically(e, err));
    PKM_TRY(require_sides(e, state, err));
    // and what the static state adds
    for (int s = 0; s < e->n_spring; ++s)
        e->spring[s].force +=
            e->spring[s].stiffness * elastic_row_dot(e, &e->spring[s].row, e->static_x);
    return PKM_OK;
}

/// Multipliers of the rows, sum of lambda row = f - K x; redundant ones share it (least norm). The
/// factor of K is gone afterwards.
static bool multipliers(pkm_elastic* e)
{
    const int n = e->n_all, m = e->n_row;
    int rank = 0;
    memset(e->normal, 0, (size_t)n * (size_t)m * sizeof *e->normal);
    memset(e->lambda, 0, (size_t)(n + m) * sizeof *e->lambda);
    for (int i = 0; i < m; ++i) {
        e->pivot[i] = 0;
        // spins carry nothing: their rows are no forces
        if (e->row[i].kind != ROW_VECTOR)
            elastic_row_add(e, &e->row[i], 1.0, e->normal + (size_t)i * (size_t)n);
    }
    memcpy(e->lambda, e->work_f, (size_t)n * sizeof *e->lambda);
    e->is_factored = false;
    // columns of `normal` are the rows of G: G' lambda = f - K x - f_s (5.1), least norm
    return pkm_dgelsy(n, m, 1, e->normal, n, e->lambda, n + m, e->pivot, 1e-10, &rank, e->L,
                      n * n) == 0;
}

// ---- second order -----------------------------------------------------------------------------

typedef elastic_form form12;

enum { DA = 0, RA = 3, DB = 6, RB = 9 };

static void add_block(form12* f, int i, int j, double B[3][3], double c)
{
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            f->H[i + a][j + b] += c * B[a][b];
            if (i != j) f->H[j + b][i + a] += c * B[a][b];
        }
}

/// The second order of a turned arm: 1/2 v . (theta x (theta x s)) = 1/2 theta' Q theta with
/// Q = (s v' + v s')/2 - (v . s) 1.
static void add_turn(form12* f, int i, pkm_vec3 v, pkm_vec3 s, double c)
{
    const double a[3] = {v.x, v.y, v.z}, b[3] = {s.x, s.y, s.z}, dot = pkm_vec3_dot(v, s);
    double Q[3][3];
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            Q[k][l] = 0.5 * (b[k] * a[l] + a[k] * b[l]) - (k == l ? dot : 0.0);
    add_block(f, i, i, Q, c);
}

/// theta . (u x delta) between the places i (theta) and j (delta).
static void add_cross(form12* f, int i, int j, pkm_vec3 u, double c)
{
    double B[3][3] = {{0.0, -u.z, u.y}, {u.z, 0.0, -u.x}, {-u.y, u.x, 0.0}};
    add_block(f, i, j, B, c);
}

static pkm_vec3 arm_of(const pkm_elastic* e, int part, int frame)
{
    if (part == PKM_NONE) return (pkm_vec3){0};
    return pkm_mat3_mul(e->part[part].R, e->part[part].frame[frame].arm);
}

/// (5.3)-(5.5)
void elastic_row_form(const pkm_elastic* e, const elastic_row* row, elastic_form* f)
{
    const pkm_vec3 u = row->u.x, w = row->w.x, gap = row->gap.x;
    memset(f, 0, sizeof *f);
    // (u . w) 1 - w u' between both turns, then each turn by itself
    if (row->kind == ROW_PAIR) {
        const double uw = pkm_vec3_dot(u, w), U[3] = {u.x, u.y, u.z}, W[3] = {w.x, w.y, w.z};
        double B[3][3];
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                B[k][l] = (k == l ? uw : 0.0) - W[k] * U[l];
        add_block(f, RA, RB, B, 1.0);
        add_turn(f, RA, u, w, 1.0);
        add_turn(f, RB, u, w, 1.0);
        return;
    }
    // (5.4), (5.5): ends on arms, which turn
    add_turn(f, RB, u, arm_of(e, row->part_b, row->frame_b), 1.0);
    add_turn(f, RA, u, arm_of(e, row->part_a, row->frame_a), -1.0);
    if (row->kind == ROW_POINT) {
        add_turn(f, RA, u, gap, 1.0);
        add_cross(f, RA, DB, u, 1.0);
        add_cross(f, RA, DA, u, -1.0);
        return;
    }
    // (1 - u u')/|g| of the shifts
    const double length = pkm_vec3_norm(gap), U[3] = {u.x, u.y, u.z};
    double P[3][3];
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            P[k][l] = ((k == l ? 1.0 : 0.0) - U[k] * U[l]) / length;
    add_block(f, DA, DA, P, 1.0);
    add_block(f, DB, DB, P, 1.0);
    add_block(f, DA, DB, P, -1.0);
}

/// Motion of a frame over the independent coordinates: six rows of J from `at` on, world axes.
static void frame_rows(const pkm_elastic* e, int part, int frame, int at)
{
    double* J = e->frame_J + (size_t)at * (size_t)e->n_all;
    memset(J, 0, 6 * (size_t)e->n_all * sizeof *J);
    if (part == PKM_NONE) return;
    const elastic_part* p = &e->part[part];
    for (int k = 0; k < p->n; ++k) {
        const double* map = p->frame[frame].map + 6 * k;
        const pkm_vec3 d = pkm_mat3_mul(p->R, (pkm_vec3){map[0], map[1], map[2]});
        const pkm_vec3 r = pkm_mat3_mul(p->R, (pkm_vec3){map[3], map[4], map[5]});
        const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
        const int index = e->index[p->at + k];
        // a dependent coordinate follows the independent ones by its row of D
        for (int c = 0; c < 6; ++c) {
            if (all[c] == 0.0) continue;
            double* row = J + (size_t)c * (size_t)e->n_all;
            if (index >= 0)
                row[index] += all[c];
            else
                pkm_daxpy(e->n, all[c], e->D + (size_t)(-1 - index) * (size_t)e->n_all, 1, row, 1);
        }
    }
}

/// K += c J' H J.
static void add_form(pkm_elastic* e, const form12* f, double c)
{
    const int ld = e->n_all;
    // rows are stored one after the other: the products are those of the transposes
    pkm_dgemm('N', 'N', e->n, 12, 12, c, e->frame_J, ld, &f->H[0][0], 12, 0.0, e->frame_HJ, ld);
    pkm_dgemm('N', 'T', e->n, e->n, 12, 1.0, e->frame_HJ, ld, e->frame_J, ld, 1.0, e->K, e->n);
}

static void add_row_stiffness(pkm_elastic* e, const elastic_row* row, double force)
{
    form12 f;
    if (row->kind == ROW_VECTOR || force == 0.0) return;
    elastic_row_form(e, row, &f);
    frame_rows(e, row->part_a, row->frame_a, 0);
    frame_rows(e, row->part_b, row->frame_b, 6);
    add_form(e, &f, force);
}

void elastic_load_form(const pkm_elastic* e, int part, int frame, pkm_vec3 force, elastic_form* f)
{
    memset(f, 0, sizeof *f);
    add_turn(f, RA, force, arm_of(e, part, frame), -1.0);
}

static void add_load_stiffness(pkm_elastic* e, int marker, pkm_vec3 force, pkm_vec3 torque)
{
    (void)torque; // a moment that keeps its direction has no energy; it is left out
    form12 f;
    const int part = e->part_of[e->mech->marker[marker].body];
    if (part == PKM_NONE || pkm_vec3_norm(force) == 0.0) return;
    const int frame = elastic_frame_of_marker(&e->part[part], marker);
    elastic_load_form(e, part, frame, force, &f);
    frame_rows(e, part, frame, 0);
    frame_rows(e, PKM_NONE, 0, 6);
    add_form(e, &f, 1.0);
}

// ---- all --------------------------------------------------------------------------------------

pkm_status elastic_prestress(pkm_elastic* e, const pkm_state* state, pkm_error* err)
{
    PKM_TRY(solve_static(e, state, err));
    if (!multipliers(e))
        return pkm_fail(err, PKM_ERR_CONVERGENCE, "%s: reactions of the static state",
                        e->robot->desc->name);
    elastic_bend_stiffness(e);
    elastic_add_geometry(e);
    // sum lambda_i c_i'' of joints and locked drives, sum F_s c_s'' of springs
    for (int i = 0; i < e->n_row; ++i)
        add_row_stiffness(e, &e->row[i], e->lambda[i]);
    for (int s = 0; s < e->n_spring; ++s)
        add_row_stiffness(e, &e->spring[s].row, e->spring[s].force);
    for_each_load(e, state, add_load_stiffness);
    return PKM_OK;
}
