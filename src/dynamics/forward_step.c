#include "base/error.h"
#include "base/memory.h"
#include "dynamics/forward_impl.h"
#include "dynamics/modal.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

pkm_status pkm_forward_step_create(pkm_forward* f, const pkm_state* state)
{
    const size_t n = (size_t)state->mech->n_v, n_free = f->blocks ? 0 : (size_t)f->n_free;
    if (f->step_zero) return PKM_OK;
    f->step_zero = pkm_alloc(n, sizeof(double));
    f->step_work = pkm_alloc(n, sizeof(double));
    f->step_row = pkm_alloc(n, sizeof(int));
    f->step_N = pkm_alloc(n * n_free, sizeof(double));
    f->step_mass = pkm_alloc(n_free * n_free, sizeof(double));
    if (!f->step_zero || !f->step_work || !f->step_row || !f->step_N || !f->step_mass)
        return PKM_ERR_MEMORY;
    return f->blocks ? pkm_blocks_create(state, f->prescribed, &f->step_blocks) : PKM_OK;
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
        const int n = body->modal->n_mode;
        pkm_modal_step_matrix(body->modal, c, f->stiffness);
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
    memcpy(f->step_N, f->N, (size_t)n * (size_t)n_v * sizeof(double));
    for (int j = 0; j < n; ++j) {
        step_times(f, state, j, c, f->step_work);
        for (int i = j; i < n; ++i) {
            const double m = pkm_dot(f->N + (size_t)i * (size_t)n_v, f->step_work, n_v);
            const double left = m - pkm_dot(L + i * n, L + j * n, j);
            if (i == j && !(left > 1e-13 * fabs(m))) return PKM_ERR_SINGULAR;
            L[i * n + j] = i == j ? sqrt(left) : left / L[j * n + j];
        }
    }
    return PKM_OK;
}

static void solve_freedoms(pkm_forward* f, int n_v, const double* force, double* x)
{
    const int n = f->n_free;
    const double* L = f->step_mass;
    double* u = f->step_work;
    for (int i = 0; i < n; ++i)
        u[i] =
            (pkm_dot(f->step_N + (size_t)i * (size_t)n_v, force, n_v) - pkm_dot(L + i * n, u, i)) /
            L[i * n + i];
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
    const int n = pkm_forward_constraints(f, state, f->step_row);
    for (int i = 0; i < n; ++i)
        f->step_row[i] = state->system[PKM_MODE_FREE].row[f->step_row[i]];
    if (pkm_blocks_set_rows(f->step_blocks, state, f->step_row, n) == PKM_NONE)
        return PKM_ERR_MEMORY;
    return pkm_blocks_factor_step(f->step_blocks, state, f->rotor, c);
}

void pkm_forward_step_solve(pkm_forward* f, const pkm_state* state, const double* force, double* x)
{
    const int n_v = state->mech->n_v;
    if (!f->step_blocks) {
        solve_freedoms(f, n_v, force, x);
        return;
    }
    for (int i = 0; i < n_v; ++i)
        f->step_work[i] = -force[i];
    pkm_blocks_solve(f->step_blocks, state, f->step_work, f->step_zero, f->step_zero, x, f->lambda);
}
