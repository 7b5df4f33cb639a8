// Factors of M + c C + c^2 K for implicit steps (5.3), on the independent velocities or by blocks,
// and corrections without accelerations. docs/theory/integrators.md, sections 5 and 7.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/forward_impl.h"
#include "dynamics/inverse.h"
#include "dynamics/kinematics.h"
#include "dynamics/modal.h"
#include "math/chol.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

/// Rows that have a pivot now; those of the last factors may be others.
static pkm_status set_step_rows(pkm_forward* f, const pkm_state* state)
{
    const int n = pkm_forward_constraints(f, state, f->step_base);
    for (int i = 0; i < n; ++i)
        f->step_row[i] = state->system[PKM_GIVEN_FORCES].row[f->step_base[i]];
    const int kept = pkm_blocks_set_rows(f->step_blocks, state, f->step_row, n);
    return kept == PKM_NONE ? PKM_ERR_MEMORY : PKM_OK;
}

/// Only runs that step implicitly need this memory.
pkm_status pkm_forward_step_create(pkm_forward* f, const pkm_state* state)
{
    // u or blocks, as the accelerations are found
    const size_t n = (size_t)state->mech->n_v, n_free = f->blocks ? 0 : (size_t)f->n_free;
    if (f->step_zero) return PKM_OK;
    f->step_zero = pkm_alloc(n, sizeof(double));
    f->step_work = pkm_alloc(n, sizeof(double));
    f->step_row = pkm_alloc(n, sizeof(int));
    f->step_N = pkm_alloc(n * n_free, sizeof(double));
    f->step_mass = pkm_alloc(n_free * n_free, sizeof(double));
    f->step_base = pkm_alloc(n, sizeof(int));
    f->step_left = pkm_alloc(n, sizeof(double));
    f->step_delta = pkm_alloc(n, sizeof(double));
    f->step_y = pkm_alloc(2 * n, sizeof(double));
    if (!f->step_zero || !f->step_work || !f->step_row || !f->step_N || !f->step_mass ||
        !f->step_base || !f->step_left || !f->step_delta || !f->step_y)
        return PKM_ERR_MEMORY;
    if (!f->blocks) return PKM_OK;
    PKM_TRY(pkm_blocks_create(state, f->prescribed, &f->step_blocks));
    PKM_TRY(pkm_blocks_reserve(f->step_blocks, state, f->row, f->n_base));
    // the tree without inertia in M lacks it here too
    pkm_blocks_put_last(f->step_blocks, pkm_blocks_last(f->blocks));
    // laid out now, so that the first step finds its room
    return set_step_rows(f, state);
}

// ---- on the freedoms u ------------------------------------------------------------------------

/// y = (M + c C + c^2 K) N_k
static void step_times(const pkm_forward* f, const pkm_state* state, int k, double c, double* y)
{
    const pkm_mechanism* mech = state->mech;
    const size_t at = (size_t)k * (size_t)mech->n_v;
    memcpy(y, f->MN + at, (size_t)mech->n_v * sizeof(double));
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (!body->modal) continue;
        // C and K act on the modes alone, entries e_at to e_at + n
        const int n = body->modal->n_mode;
        pkm_modal_step_matrix(state, i, c, f->stiffness);
        for (int r = 0; r < n; ++r)
            y[body->e_at + r] +=
                pkm_dot(f->stiffness + (size_t)r * (size_t)n, f->N + at + body->e_at, n);
    }
}

/// L L' = N' (M + c C + c^2 K) N
static pkm_status factor_freedoms(pkm_forward* f, const pkm_state* state, double c)
{
    const int n = f->n_free, n_v = state->mech->n_v;
    double* L = f->step_mass;
    // the factors are used for several steps, in which N moves on: they keep their own
    memcpy(f->step_N, f->N, (size_t)n * (size_t)n_v * sizeof(double));
    for (int j = 0; j < n; ++j) {
        step_times(f, state, j, c, f->step_work);
        for (int i = j; i < n; ++i) {
            const double m = pkm_dot(f->N + (size_t)i * (size_t)n_v, f->step_work, n_v);
            const double left = m - pkm_dot(L + i * n, L + j * n, j);
            // a freedom without inertia, stiffness or damping
            if (i == j && !(left > 1e-13 * fabs(m))) return PKM_ERR_SINGULAR;
            L[i * n + j] = i == j ? sqrt(left) : left / L[j * n + j];
        }
    }
    return PKM_OK;
}

/// u = L^-1 N' force
static void lower_freedoms(const pkm_forward* f, int n_v, const double* force, double* u)
{
    const int n = f->n_free;
    const double* L = f->step_mass;
    for (int i = 0; i < n; ++i)
        u[i] =
            (pkm_dot(f->step_N + (size_t)i * (size_t)n_v, force, n_v) - pkm_dot(L + i * n, u, i)) /
            L[i * n + i];
}

/// x = N L'^-1 u
static void upper_freedoms(const pkm_forward* f, int n_v, double* u, double* x)
{
    const int n = f->n_free;
    // back through L', then u is spread over all velocities
    const double* L = f->step_mass;
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            u[i] -= L[k * n + i] * u[k];
        u[i] /= L[i * n + i];
    }
    memset(x, 0, (size_t)n_v * sizeof(double));
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n_v; ++i)
            x[i] += u[k] * f->step_N[(size_t)k * (size_t)n_v + (size_t)i];
}

// ---- either way -------------------------------------------------------------------------------

pkm_status pkm_forward_step_factor(pkm_forward* f, const pkm_state* state, double c)
{
    if (!f->step_blocks) return factor_freedoms(f, state, c);
    PKM_TRY(set_step_rows(f, state));
    return pkm_blocks_factor_step(f->step_blocks, state, f->rotor, c);
}

int pkm_forward_step_half(const pkm_forward* f)
{
    return f->step_blocks ? pkm_blocks_half(f->step_blocks) : f->n_free;
}

void pkm_forward_step_lower(pkm_forward* f, const pkm_state* state, const double* force,
                            double* half)
{
    const int n_v = state->mech->n_v;
    if (!f->step_blocks) {
        lower_freedoms(f, n_v, force, half);
        return;
    }
    // rows lack nothing: forces alone are solved
    pkm_blocks_solve_lower(f->step_blocks, 1.0, force, f->step_zero, half);
}

void pkm_forward_step_upper(pkm_forward* f, const pkm_state* state, double* half, double* x)
{
    if (f->step_blocks)
        pkm_blocks_solve_upper(f->step_blocks, state, f->step_zero, half, x);
    else
        upper_freedoms(f, state->mech->n_v, half, x);
}

void pkm_forward_step_solve(pkm_forward* f, const pkm_state* state, const double* force, double* x)
{
    pkm_forward_step_lower(f, state, force, f->step_y);
    pkm_forward_step_upper(f, state, f->step_y, x);
}

pkm_status pkm_forward_step_halves(const pkm_forward* f, int most, pkm_halves** out)
{
    if (f->step_blocks) return pkm_blocks_halves_create(f->step_blocks, most, out);
    return pkm_halves_create(1, &f->n_free, most, out);
}

void pkm_forward_step_lower_all(pkm_forward* f, const pkm_state* state, const double* B, int n,
                                pkm_halves* out)
{
    const int n_v = state->mech->n_v, wide = pkm_chol_stride(n);
    pkm_half_part* part = &out->part[0];
    if (f->step_blocks) {
        pkm_blocks_lower_all(f->step_blocks, B, n, out);
        return;
    }
    // one part, all columns: u has no limbs
    part->at = 0;
    part->n = f->n_free;
    part->m = n;
    for (int k = 0; k < n; ++k) {
        part->column[k] = k;
        lower_freedoms(f, n_v, B + (size_t)k * (size_t)n_v, f->step_y);
        for (int i = 0; i < f->n_free; ++i)
            part->X[i * wide + k] = f->step_y[i];
    }
}

// ---- without accelerations --------------------------------------------------------------------

/// Prescribed drives have their accelerations; dv is what their velocities lack.
static void prescribe(const pkm_forward* f, pkm_state* state, const pkm_target* target, double c,
                      double* dv)
{
    const pkm_mechanism* mech = state->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        const int v = mech->drive[d].v_index;
        if (!f->prescribed[d] || v == PKM_NONE) continue;
        // position = sign coordinate + zero, so accelerations too
        const double a = target->a[d] / mech->drive[d].sign;
        dv[v] = c * (a - state->a[v]);
        state->a[v] = a;
    }
}

/// The mechanism's row behind the k-th of the factors, and its place among the base rows.
static int step_row(const pkm_forward* f, int k)
{
    return f->step_row[pkm_blocks_row(f->step_blocks, k)];
}

static int step_base(const pkm_forward* f, int k)
{
    return f->step_base[pkm_blocks_row(f->step_blocks, k)];
}

/// What the rows lack at the accelerations state->a, times c; their bias has all of it but the
/// accelerations of held velocities.
static void find_left(const pkm_forward* f, const pkm_state* state, const pkm_target* target,
                      double c, double* left)
{
    for (int k = 0; k < pkm_blocks_n_row(f->step_blocks); ++k) {
        const int r = step_row(f, k);
        const pkm_row* row = &state->mech->row[r];
        double wanted = row->kind == PKM_ROW_DRIVE ? target->a[row->item] : 0.0;
        if (row->kind == PKM_ROW_HOLD) wanted -= state->a[row->item];
        left[k] = c * (wanted - state->bias[r]);
    }
}

/// What the step adds to the multipliers, times c, and the forces of prescribed drives after it;
/// `missing` are the forces before it, `a` its accelerations.
static void take_multipliers(pkm_forward* f, const pkm_state* state, double c,
                             const double* missing, const double* a, const double* lambda,
                             double* force, double* dlambda)
{
    const pkm_mechanism* mech = state->mech;
    memset(dlambda, 0, (size_t)f->n_base * sizeof(double));
    for (int k = 0; k < pkm_blocks_n_row(f->step_blocks); ++k) {
        const pkm_row* row = &mech->row[step_row(f, k)];
        const int i = step_base(f, k);
        // delta of (7.5); over c it is what the multipliers get
        dlambda[i] = f->step_delta[k];
        f->step_delta[k] /= c;
        if (row->kind == PKM_ROW_DRIVE) force[row->item] = lambda[i] + f->step_delta[k];
    }
    for (int d = 0; d < mech->n_drive; ++d)
        if (f->prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            force[d] = pkm_blocks_held_force(f->step_blocks, state, mech->drive[d].v_index, missing,
                                             a, f->step_delta) /
                       mech->drive[d].sign;
}

void pkm_forward_step_correct(pkm_forward* f, pkm_state* state, const pkm_target* target, double c,
                              const double* pull, const double* lambda, double* force, double* dv,
                              double* dlambda)
{
    const pkm_mechanism* mech = state->mech;
    double *missing = f->missing, *needed = f->step_work;
    // state->a has the accelerations of the stage, (Y_v - psi_v)/c
    memset(f->a0, 0, (size_t)mech->n_v * sizeof(double));
    prescribe(f, state, target, c, f->a0);
    pkm_kinematics_acceleration(state, state->a);
    pkm_rows_bias(state, PKM_GIVEN_FORCES);
    find_left(f, state, target, c, f->step_left);
    // r of (7.5): inverse dynamics at the accelerations of the stage, less drives and multipliers
    pkm_inverse_forces(state);
    pkm_forward_residual(f, state, force, NULL, NULL, NULL, 0, missing);
    for (int k = 0; k < pkm_blocks_n_row(f->step_blocks); ++k) {
        const pkm_row* row = &mech->row[step_row(f, k)];
        const double by = lambda[step_base(f, k)];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            missing[mech->column[e]] -= by * state->jacobian[e];
    }
    for (int k = 0; k < mech->n_v; ++k)
        // A d_v = -c r - c_J K b_x + G' delta, with what rows and prescribed drives lack on the
        // right
        needed[k] = c * missing[k] - pull[k];
    // delta and d_v together, prescribed drives by a0
    pkm_blocks_solve(f->step_blocks, state, needed, f->a0, f->step_left, dv, f->step_delta);
    for (int k = 0; k < mech->n_v; ++k)
        needed[k] = dv[k] / c; // change of the accelerations
    // held drives read their forces from the changed accelerations
    take_multipliers(f, state, c, missing, needed, lambda, force, dlambda);
}

int pkm_forward_n_base(const pkm_forward* f)
{
    return f->n_base;
}

void pkm_forward_base_multipliers(const pkm_forward* f, const pkm_state* state, double* out)
{
    memcpy(out, state->system[PKM_GIVEN_FORCES].multiplier, (size_t)f->n_base * sizeof(double));
}
