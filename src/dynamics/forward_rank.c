// How near the loops of a free motion are to losing rank: the smallest singular value of the scaled
// rows, exactly or estimated from the factors. docs/theory/simulation.md, section 8.
#include "base/error.h"
#include "dynamics/assembly.h"
#include "dynamics/forward_impl.h"
#include "dynamics/kinematics.h"
#include "math/dense.h"

#include <math.h>

size_t pkm_forward_sigma_room(const pkm_forward* f, const pkm_state* state)
{
    const int m = f->n_base, n = state->mech->n_v;
    if (!f->dense || m == 0) return 0;
    // B, its singular values, and what the decomposition needs
    return (size_t)m * (size_t)n + (size_t)n + (size_t)m + pkm_dense_svd_room(m, n);
}

/// B = W A D: rows by their weights, columns by the units of their velocities.
static void scale_rows(const pkm_forward* f, const pkm_state* state, double* B)
{
    const int m = f->n_base;
    for (int k = 0; k < state->mech->n_v; ++k)
        for (int i = 0; i < m; ++i)
            B[(size_t)k * (size_t)m + (size_t)i] *=
                state->mech->row[f->row[i]].weight * state->mech->v_unit[k];
}

int pkm_forward_scaled_rows(const pkm_forward* f, pkm_state* state, double* B)
{
    static const pkm_target anywhere;
    if (!f->dense) return PKM_NONE;
    if (!B) return f->n_base;
    pkm_kinematics_position(state);
    pkm_rows_all(state, &anywhere);
    pkm_rows_dense(state, f->row, f->n_base, B);
    scale_rows(f, state, B);
    return f->n_base;
}

double pkm_forward_sigma(const pkm_forward* f, pkm_state* state, double* work)
{
    const int m = f->n_base, n = state->mech->n_v, rank = n - f->n_free;
    if (!f->dense || rank < 1) return NAN;
    double *B = work, *s = B + (size_t)m * (size_t)n;
    // lengths are measured in robot sizes from here on
    (void)pkm_forward_scaled_rows(f, state, B);
    const pkm_status status = pkm_dense_svd_with(B, m, n, s, NULL, NULL, s + n + m);
    // the values beyond the rank are those of redundant rows, zero always
    return status == PKM_OK ? s[rank - 1] : NAN;
}

double pkm_forward_estimate_sigma(pkm_forward* f, pkm_state* state, double* x)
{
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    const pkm_mechanism* mech = state->mech;
    const int n = mech->n_v;
    if (pkm_forward_complete(f, state) != PKM_OK) return 0.0;
    // one step of inverse iteration: B' y = x, B z = y; |z| -> 1 / sigma^2. A little of every
    // direction is mixed in, lest x stay orthogonal to one whose value falls.
    const double mixed = 0.01 / sqrt((double)n);
    // the same in every run: no random numbers; x[0] changes them from call to call
    for (int k = 0; k < n; ++k)
        state->step[k] = (x[k] + mixed * cos(1.0 + 2.4 * k + 40.0 * x[0])) / mech->v_unit[k];
    pkm_sparse_lu_solve_transposed(system->lu, state->step, system->rhs);
    for (int i = 0; i < system->n_row; ++i) {
        const double weight = mech->row[system->row[i]].weight;
        // B = W A D: B'^-1 x = W^-1 A'^-1 D^-1 x, and W^-1 once more on the way back
        system->rhs[i] /= weight * weight;
    }
    pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        state->step[k] /= mech->v_unit[k];
        sum += state->step[k] * state->step[k];
    }
    // the factors are singular to rounding: nearer than can be told
    if (!(sum > 0.0 && sum < HUGE_VAL)) return 0.0;
    const double length = sqrt(sum);
    for (int k = 0; k < n; ++k)
        x[k] = state->step[k] / length;
    return 1.0 / sqrt(length);
}
