/// Links that begin bent or vibrating: docs/theory/flexible.md, section 5.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/rows.h"
#include "flexible/link_start.h"
#include "math/lapack.h"
#include "simulate/simulation_impl.h"

#include <string.h>

static const double CLOSED = 1e-12;   // [robot sizes, rad]
static const double STIFF = 1e-3;     // how little other modes move, beside joints
static const double DEPENDENT = 1e-9; // of the largest singular value
enum { MAX_NEWTON = 20 };

/// The closures as a dense system J x = b in the velocities that may change.
typedef struct closing {
    pkm_state* state;
    int m, n;     ///< rows, velocities that may change
    int* column;  ///< [n] which
    bool* held;   ///< [n_v]
    double* unit; ///< [n] how easily each moves
    double *J, *U, *Vt, *sigma, *b, *x;
} closing;

// ---- what is given ----------------------------------------------------------------------------

/// Put the given modes of link `i` to their coordinates and rates.
static pkm_status bend_link(pkm_sim* s, int i, closing* c, pkm_error* err)
{
    const pkm_flexible_spec* spec = &s->settings->effects->flexible[i].spec;
    const pkm_run_link* link = &s->variant->link[i];
    const pkm_mechanism* mech = s->robot->mech;
    const pkm_body* body = &mech->body[mech->body_of_desc[link->body]];
    pkm_modal_start start[PKM_FLEXIBLE_MAX_START];
    PKM_TRY(pkm_link_start_find(s->given->desc, link->body, spec, start, err));
    for (int k = 0; k < spec->n_start; ++k) {
        const double sign = pkm_link_start_sign(s->variant->body[link->first], start[k].mode);
        s->robot->state->q[body->z_at + start[k].mode] += sign * start[k].z;
        s->robot->state->v[body->e_at + start[k].mode] += sign * start[k].rate;
        // given modes stay as they are while the loops are closed
        c->held[body->e_at + start[k].mode] = true;
    }
    return PKM_OK;
}

// ---- closing the loops ------------------------------------------------------------------------

static bool is_mode(const pkm_mechanism* mech, int v)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->modal && v >= body->e_at && v < body->e_at + body->modal->n_mode) return true;
    }
    return false;
}

static pkm_status begin(closing* c, pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    const size_t m = (size_t)mech->n_closure, n = (size_t)mech->n_v;
    *c = (closing){.state = state, .m = mech->n_closure};
    c->held = pkm_alloc(n, sizeof *c->held);
    c->column = pkm_alloc(n, sizeof *c->column);
    c->J = pkm_alloc(m * n + m * m + n * n + 2 * m + 3 * n + 1, sizeof(double));
    if (!c->held || !c->column || !c->J) return PKM_ERR_MEMORY;
    c->U = c->J + m * n;
    c->Vt = c->U + m * m;
    c->sigma = c->Vt + n * n;
    c->b = c->sigma + m + n;
    c->x = c->b + m;
    c->unit = c->x + n;
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].v_index != PKM_NONE) c->held[mech->drive[d].v_index] = true;
    return PKM_OK;
}

static void list_columns(closing* c)
{
    const pkm_mechanism* mech = c->state->mech;
    c->n = 0;
    for (int v = 0; v < mech->n_v; ++v) {
        if (c->held[v]) continue;
        // a small unit makes a coordinate dear: other modes bend where joints cannot follow
        c->unit[c->n] = mech->v_unit[v] * (is_mode(mech, v) ? STIFF : 1.0);
        c->column[c->n++] = v;
    }
}

static void finish(closing* c)
{
    pkm_free(c->held);
    pkm_free(c->column);
    pkm_free(c->J);
}

/// The rows at the present positions, in weights and units; returns the largest residual.
static double set_rows(closing* c)
{
    const pkm_mechanism* mech = c->state->mech;
    double largest = 0.0;
    memset(c->J, 0, (size_t)c->m * (size_t)c->n * sizeof(double));
    pkm_kinematics_position(c->state);
    pkm_rows_closures(c->state);
    for (int r = 0; r < c->m; ++r) {
        const pkm_row* row = &mech->row[r];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            for (int k = 0; k < c->n; ++k)
                if (c->column[k] == mech->column[e])
                    c->J[r + (size_t)k * (size_t)c->m] +=
                        row->weight * c->unit[k] * c->state->jacobian[e];
        c->b[r] = -row->weight * c->state->residual[r];
        largest = fmax(largest, fabs(c->b[r]));
    }
    return largest;
}

/// x = J^+ b: the smallest change, whatever rows depend on others.
static pkm_status solve(closing* c)
{
    const int least = c->m < c->n ? c->m : c->n;
    memset(c->x, 0, (size_t)c->n * sizeof(double));
    PKM_TRY(pkm_lapack_status(
        pkm_dgesvd_new('A', 'A', c->m, c->n, c->J, c->m, c->sigma, c->U, c->m, c->Vt, c->n),
        PKM_ERR_CONVERGENCE));
    for (int i = 0; i < least && c->sigma[i] > DEPENDENT * c->sigma[0]; ++i) {
        double part = 0.0;
        for (int r = 0; r < c->m; ++r)
            part += c->U[r + (size_t)i * (size_t)c->m] * c->b[r];
        for (int k = 0; k < c->n; ++k)
            c->x[k] += c->Vt[i + (size_t)k * (size_t)c->n] * part / c->sigma[i];
    }
    return PKM_OK;
}

/// Joints, and other modes as little as may be, follow until the loops are closed.
static pkm_status close_positions(closing* c)
{
    pkm_state* state = c->state;
    for (int n = 0; n < MAX_NEWTON; ++n) {
        const double residual = set_rows(c);
        if (residual <= CLOSED) return PKM_OK;
        if (!(residual < HUGE_VAL)) break;
        PKM_TRY(solve(c));
        memset(state->step, 0, (size_t)state->mech->n_v * sizeof(double));
        for (int k = 0; k < c->n; ++k)
            state->step[c->column[k]] = c->unit[k] * c->x[k];
        pkm_state_move(state->mech, state->q, state->step);
    }
    return PKM_ERR_UNREACHABLE;
}

/// The same for velocities: J v = 0.
static pkm_status close_velocities(closing* c)
{
    const pkm_mechanism* mech = c->state->mech;
    set_rows(c);
    for (int r = 0; r < c->m; ++r) {
        const pkm_row* row = &mech->row[r];
        c->b[r] = 0.0;
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            c->b[r] -= row->weight * c->state->jacobian[e] * c->state->v[mech->column[e]];
    }
    PKM_TRY(solve(c));
    for (int k = 0; k < c->n; ++k)
        c->state->v[c->column[k]] += c->unit[k] * c->x[k];
    pkm_kinematics_velocity(c->state);
    return PKM_OK;
}

static pkm_status bend(pkm_sim* s, closing* c, pkm_error* err)
{
    for (int i = 0; i < s->variant->n_link; ++i)
        PKM_TRY(bend_link(s, i, c, err));
    list_columns(c);
    if (c->m == 0) return PKM_OK;
    pkm_status status = close_positions(c);
    if (status == PKM_OK) status = close_velocities(c);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status,
                    "start of the flexible links: the loops cannot be closed with these "
                    "deflections, expected smaller ones");
}

pkm_status pkm_sim_start_modes(pkm_sim* s, pkm_error* err)
{
    const pkm_effects* effects = s->settings->effects;
    bool any = false;
    for (int i = 0; effects && i < effects->n_flexible; ++i)
        any = any || effects->flexible[i].spec.n_start > 0;
    if (!any) return PKM_OK;
    closing c;
    pkm_status status = begin(&c, s->robot->state);
    if (status == PKM_OK)
        status = bend(s, &c, err);
    else
        pkm_fail(err, status, "out of memory");
    finish(&c);
    return status;
}
