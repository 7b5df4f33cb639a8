// What the families share: systems of three or fewer equations in closed form, rates of the drives
// from those of the tool, the mass matrix column by column.
#include "base/error.h"
#include "generate/form_impl.h"

#include <math.h>
#include <string.h>

// A new family is one new form and one entry here.
static const pkm_form_family* const FAMILIES[] = {
    &pkm_form_delta, &pkm_form_linear_delta, &pkm_form_triglide,  &pkm_form_pprs,
    &pkm_form_ppsr,  &pkm_form_isoglide_t3,  &pkm_form_isoglide4, &pkm_form_prrr2prpar,
};

enum { MAX = PKM_CLOSED_MAX_DRIVE };

bool pkm_form_make(const pkm_closed* closed, const pkm_closed_config* home, pkm_graph* graph,
                   pkm_form* out)
{
    const pkm_closed_family* family = pkm_closed_get_family(closed);
    *out = (pkm_form){.graph = graph,
                      .self = pkm_closed_get_self(closed),
                      .n_drive = family->n_drive,
                      .moves = family->moves,
                      .branch = home->branch};
    for (size_t k = 0; k < sizeof FAMILIES / sizeof FAMILIES[0]; ++k)
        if (strcmp(FAMILIES[k]->name, family->name) == 0) out->family = FAMILIES[k];
    return out->family != NULL;
}

void pkm_form_require(pkm_form* form, pkm_node node, double least)
{
    const pkm_graph_node* x = &form->graph->node[node];
    if (x->op == PKM_OP_CONSTANT && x->constant > least) return;
    // the same expression is asked once, with the stronger bound
    for (int k = 0; k < form->n_condition; ++k) {
        if (form->condition[k].node != node) continue;
        form->condition[k].least = fmax(least, form->condition[k].least);
        return;
    }
    PKM_ASSERT(form->n_condition < PKM_FORM_MAX_CONDITION);
    form->condition[form->n_condition].node = node;
    form->condition[form->n_condition++].least = least;
}

/// `x` must keep the sign that it has at home, and stay away from zero.
static void require_sign(pkm_form* form, pkm_node x)
{
    const double sign = form->graph->node[x].value[0] < 0.0 ? -1.0 : 1.0;
    pkm_form_require(form, scaled(form, sign, x), PKM_FORM_SINGULAR);
}

// ---- small systems ----------------------------------------------------------------------------

static pkm_sym_vec3 row_of(const pkm_node* M, int i)
{
    return (pkm_sym_vec3){M[3 * i], M[3 * i + 1], M[3 * i + 2]};
}

/// Pivots must not vanish: their squares stay above PKM_FORM_SINGULAR^2, whatever their sign.
static pkm_status eliminate(pkm_form* form, const pkm_node* M, pkm_form_system* out, pkm_error* err)
{
    double unit[MAX];
    for (int k = 0; k < MAX; ++k)
        unit[k] = 1.0;
    PKM_TRY(pkm_eliminate(form->graph, out->n, out->n, M, unit, unit, &out->lu, err));
    for (int k = 0; k < out->n; ++k) {
        const pkm_node pivot = out->lu.A[out->lu.row[k] * out->n + out->lu.column[k]];
        pkm_form_require(form, square(form, pivot), PKM_FORM_SINGULAR * PKM_FORM_SINGULAR);
    }
    return PKM_OK;
}

pkm_status pkm_form_factor(pkm_form* form, const pkm_node* M, pkm_form_system* out, pkm_error* err)
{
    *out = (pkm_form_system){.n = form->n_drive};
    if (out->n != 3) return eliminate(form, M, out, err);
    // M^-1 = [c0 c1 c2]/det, c_i = row_{i+1} x row_{i+2}: no pivots, and det tells the side
    for (int i = 0; i < 3; ++i)
        out->cofactor[i] =
            pkm_sym_cross(form->graph, row_of(M, (i + 1) % 3), row_of(M, (i + 2) % 3));
    const pkm_node det = dot(form, row_of(M, 0), out->cofactor[0]);
    require_sign(form, det);
    out->per_det = inverse_of(form, det);
    return PKM_OK;
}

pkm_status pkm_form_solve(pkm_form* form, const pkm_form_system* system, const pkm_node* b,
                          pkm_node* x, pkm_error* err)
{
    if (system->n != 3) return pkm_elimination_solve(&system->lu, b, x, err);
    pkm_sym_vec3 sum = PKM_SYM_ZERO;
    for (int i = 0; i < 3; ++i)
        sum = along(form, sum, b[i], system->cofactor[i]);
    x[0] = times(form, sum.x, system->per_det);
    x[1] = times(form, sum.y, system->per_det);
    x[2] = times(form, sum.z, system->per_det);
    return PKM_OK;
}

pkm_status pkm_form_solve_transposed(pkm_form* form, const pkm_form_system* system,
                                     const pkm_node* b, pkm_node* x, pkm_error* err)
{
    if (system->n != 3) return pkm_elimination_solve_transposed(&system->lu, b, x, err);
    const pkm_sym_vec3 right = {b[0], b[1], b[2]};
    for (int i = 0; i < 3; ++i)
        x[i] = times(form, dot(form, system->cofactor[i], right), system->per_det);
    return PKM_OK;
}

void pkm_form_system_free(pkm_form_system* system)
{
    if (system->n != 3) pkm_elimination_free(&system->lu);
}

// ---- motion -----------------------------------------------------------------------------------

/// The components that move, and back.
static void pack(const pkm_form* form, pkm_sym_vec3 linear, pkm_sym_vec3 angular, pkm_node* t)
{
    const pkm_node all[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int k = 0; k < 6; ++k)
        if (form->moves >> k & 1u) *t++ = all[k];
}

/// Components that the family does not move are zero.
static void unpack(const pkm_form* form, const pkm_node* t, pkm_node all[6])
{
    for (int k = 0; k < 6; ++k)
        all[k] = form->moves >> k & 1u ? *t++ : 0;
}

static pkm_sym_vec3 first_three(const pkm_node* x)
{
    return (pkm_sym_vec3){x[0], x[1], x[2]};
}

/// M x + sign c; c may be NULL.
static void multiply(pkm_form* form, const pkm_node* M, const pkm_node* x, const pkm_node* c,
                     double sign, pkm_node* y)
{
    const int n = form->n_drive;
    for (int i = 0; i < n; ++i) {
        y[i] = c ? scaled(form, sign, c[i]) : 0;
        for (int j = 0; j < n; ++j)
            y[i] = plus(form, y[i], times(form, M[i * n + j], x[j]));
    }
}

pkm_status pkm_form_require_side(pkm_form* form, const pkm_form_place* place, pkm_error* err)
{
    pkm_node B[MAX * MAX], A[MAX * MAX];
    pkm_form_system system;
    if (form->n_drive != 3) return PKM_OK;
    form->family->velocity(form, place, B, A);
    pkm_graph_note(form->graph, "side of the parallel singularities");
    return pkm_form_factor(form, B, &system, err);
}

pkm_status pkm_form_drive_motion(pkm_form* form, const pkm_form_place* place,
                                 pkm_form_motion* motion, pkm_error* err)
{
    pkm_node B[MAX * MAX], A[MAX * MAX], t[MAX], right[MAX], c[MAX];
    pkm_form_system system = {.n = form->n_drive};
    form->family->velocity(form, place, B, A);
    PKM_TRY(eliminate(form, A, &system, err));
    // A qd = B t
    pack(form, motion->v, motion->w, t);
    multiply(form, B, t, NULL, 0.0, right);
    pkm_status status = pkm_elimination_solve(&system.lu, right, motion->qd, err);
    form->family->bias(form, place, motion, c);
    // A qdd = B t' - c
    pack(form, motion->a, motion->alpha, t);
    multiply(form, B, t, c, -1.0, right);
    if (status == PKM_OK) status = pkm_elimination_solve(&system.lu, right, motion->qdd, err);
    pkm_elimination_free(&system.lu);
    return status;
}

static pkm_status solve_tool(pkm_form* form, const pkm_form_place* place, const pkm_node* A,
                             const pkm_form_system* B, pkm_form_motion* motion, pkm_error* err)
{
    pkm_node t[MAX], right[MAX], c[MAX], all[6];
    // B t = A qd, then B t' = A qdd + c with the same factors
    multiply(form, A, motion->qd, NULL, 0.0, right);
    PKM_TRY(pkm_form_solve(form, B, right, t, err));
    unpack(form, t, all);
    motion->v = first_three(all);
    motion->w = first_three(all + 3);
    form->family->bias(form, place, motion, c);
    multiply(form, A, motion->qdd, c, 1.0, right);
    PKM_TRY(pkm_form_solve(form, B, right, t, err));
    unpack(form, t, all);
    motion->a = first_three(all);
    motion->alpha = first_three(all + 3);
    return PKM_OK;
}

pkm_status pkm_form_tool_motion(pkm_form* form, const pkm_form_place* place,
                                pkm_form_motion* motion, pkm_error* err)
{
    pkm_node B[MAX * MAX], A[MAX * MAX];
    pkm_form_system system;
    form->family->velocity(form, place, B, A);
    PKM_TRY(pkm_form_factor(form, B, &system, err));
    const pkm_status status = solve_tool(form, place, A, &system, motion, err);
    pkm_form_system_free(&system);
    return status;
}

pkm_status pkm_form_jacobian(pkm_form* form, const pkm_form_place* place, pkm_node J[][6],
                             pkm_error* err)
{
    pkm_node B[MAX * MAX], A[MAX * MAX], column[MAX], t[MAX];
    const int n = form->n_drive;
    pkm_form_system system;
    form->family->velocity(form, place, B, A);
    PKM_TRY(pkm_form_factor(form, B, &system, err));
    pkm_status status = PKM_OK;
    for (int d = 0; d < n && status == PKM_OK; ++d) {
        for (int i = 0; i < n; ++i)
            // B t = A e_d
            column[i] = A[i * n + d];
        status = pkm_form_solve(form, &system, column, t, err);
        unpack(form, t, J[d]);
    }
    pkm_form_system_free(&system);
    return status;
}

// ---- dynamics ---------------------------------------------------------------------------------

/// Column d of the mass matrix of the drives: their forces for a unit acceleration, from rest,
/// without weight.
static pkm_status mass_column(pkm_form* form, const pkm_form_place* place, int d, pkm_node* out,
                              pkm_error* err)
{
    pkm_form_motion unit = {.weighs = false};
    unit.qdd[d] = 1;
    PKM_TRY(pkm_form_tool_motion(form, place, &unit, err));
    return form->family->forces(form, place, &unit, out, err);
}

pkm_status pkm_form_forward(pkm_form* form, const pkm_form_place* place, pkm_form_motion* motion,
                            const pkm_node* u, pkm_node* qdd, pkm_error* err)
{
    const int n = form->n_drive;
    pkm_node M[MAX * MAX], column[MAX], left[MAX];
    pkm_form_system mass = {.n = n};
    // forces with qdd = 0: what velocities, weight and load need
    PKM_TRY(pkm_form_tool_motion(form, place, motion, err));
    PKM_TRY(form->family->forces(form, place, motion, left, err));
    pkm_graph_note(form->graph, "mass matrix of the drives");
    for (int d = 0; d < n; ++d) {
        PKM_TRY(mass_column(form, place, d, column, err));
        left[d] = minus(form, u[d], left[d]);
        for (int i = d; i < n; ++i)
            M[i * n + d] = M[d * n + i] = column[i]; // symmetric
    }
    pkm_graph_note(form->graph, "accelerations of the drives");
    double unit[MAX];
    for (int k = 0; k < MAX; ++k)
        unit[k] = 1.0;
    PKM_TRY(pkm_eliminate(form->graph, n, n, M, unit, unit, &mass.lu, err));
    const pkm_status status = pkm_elimination_solve(&mass.lu, left, qdd, err);
    pkm_elimination_free(&mass.lu);
    return status;
}

// ---- Newton's method --------------------------------------------------------------------------

/// The axes turned by the vector `turn`: exactly a rotation, by the angle up to its cube (Cayley).
static pkm_sym_mat3 turned(pkm_form* form, pkm_sym_mat3 R, pkm_sym_vec3 turn)
{
    pkm_graph* g = form->graph;
    const pkm_sym_vec3 half = pkm_sym_scale(g, number(form, 0.5), turn);
    const pkm_node factor =
        pkm_graph_divide(g, number(form, 2.0), plus(form, 1, dot(form, half, half)));
    pkm_sym_vec3* column[3] = {&R.x, &R.y, &R.z};
    for (int k = 0; k < 3; ++k) {
        const pkm_sym_vec3 once = pkm_sym_add(g, *column[k], pkm_sym_cross(g, half, *column[k]));
        *column[k] = along(form, *column[k], factor, pkm_sym_cross(g, half, once));
    }
    return R;
}

pkm_status pkm_form_pass(pkm_form* form, pkm_form_place* place, pkm_node* step, pkm_error* err)
{
    pkm_node B[MAX * MAX], A[MAX * MAX], gap[MAX], all[6];
    pkm_form_system system;
    form->family->derive(form, place);
    form->family->velocity(form, place, B, A);
    form->family->gaps(form, place, gap);
    // the gaps have the rates B t at fixed drives
    PKM_TRY(pkm_form_factor(form, B, &system, err));
    for (int k = 0; k < form->n_drive; ++k)
        gap[k] = pkm_graph_negate(form->graph, gap[k]);
    const pkm_status status = pkm_form_solve(form, &system, gap, step, err);
    pkm_form_system_free(&system);
    unpack(form, step, all);
    place->p = pkm_sym_add(form->graph, place->p, first_three(all));
    place->R = turned(form, place->R, first_three(all + 3));
    return status;
}
