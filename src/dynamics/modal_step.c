/// What bodies that bend add to the linear systems of implicit steps: damping, stiffness, and the
/// stiffening by axial forces where it counts. docs/theory/flexible.md, (3.8),
/// docs/theory/integrators.md, (5.1) to (5.3).
#include "dynamics/modal.h"
#include "math/dot.h"

#include <math.h>
#include <string.h>

/// An iteration whose matrix has no K_g contracts by some c^2 K_g against M + c^2 K at best: below
/// this it is left out, since modes that it does not couple have sparser factors.
static const double COUNTS = 0.003;

double pkm_modal_damping_force(const pkm_modal_body* modal, int k, const double* rate)
{
    const double* D = modal->damping_matrix;
    if (!D) return modal->damping[k] * rate[k];
    return pkm_dot(D + (size_t)k * (size_t)modal->n_mode, rate, modal->n_mode);
}

/// K_g = sum_e k_e (b_e w_e' + w_e b_e') + N_e Y_e'Y_e + sum_ef Q_ef w_e w_f',  w_e = Y_e'Y_e z
/// (3.8). The last sum goes with the first one: w_e x_e' + x_e w_e', x_e = k_e b_e + (Q w)_e / 2.
/// Needs the slopes and axial forces N.
static void fill_tangent(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                         const double* N)
{
    const pkm_modal_rows* rows = &modal->rows;
    const int n = modal->n_mode, n_e = modal->n_element, n_row = rows->n_slope + n_e;
    double *w = m->bent, *x = w + (size_t)n_e * (size_t)n; // [n_mode x n_element] both
    const double* rise = pkm_modal_rises(modal, m, N, NULL);
    // w_e, then x_e, row i of both for mode i
    for (int i = 0; i < n; ++i) {
        const double* by = rows->by_mode + (size_t)i * (size_t)n_row;
        double *wi = w + (size_t)i * (size_t)n_e, *xi = x + (size_t)i * (size_t)n_e;
        pkm_modal_gather(modal, m, m->slope, by, (int[2]){rows->first[i], rows->behind[i]}, wi);
        for (int e = 0; e < n_e; ++e)
            xi[e] = modal->element[e].stiffness * by[rows->n_slope + e] +
                    0.5 * pkm_dot_long(modal->shorten + (size_t)e * (size_t)n_e, wi, n_e);
        // N Y' of mode i, for the middle term of (3.8)
        for (int r = rows->first[i]; r < rows->behind[i]; ++r)
            m->pull[r] = (N[rows->element[r]] + rows->at[r] * rise[rows->element[r]]) * by[r];
        for (int j = 0; j <= i; ++j) {
            const double* other = rows->by_mode + (size_t)j * (size_t)n_row;
            // where both have slopes
            const int from = rows->first[i] > rows->first[j] ? rows->first[i] : rows->first[j];
            const int to = rows->behind[i] < rows->behind[j] ? rows->behind[i] : rows->behind[j];
            m->tangent[i * n + j] = m->tangent[j * n + i] =
                pkm_dot_long(w + (size_t)j * (size_t)n_e, xi, n_e) +
                pkm_dot_long(x + (size_t)j * (size_t)n_e, wi, n_e) +
                (to > from ? pkm_dot_long(m->pull + from, other + from, to - from) : 0.0);
        }
    }
}

/// Does c^2 K_g count beside M + c^2 K?
static bool counts(const pkm_modal_body* modal, const double* tangent, double c)
{
    const int n = modal->n_mode;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            // an entry counts against the geometric mean of its two diagonals, as in a contraction
            const double mi = modal->mass ? modal->mass[i * (n + 1)] : 1.0;
            const double mj = modal->mass ? modal->mass[j * (n + 1)] : 1.0;
            const double part = c * c * tangent[i * n + j];
            const double whole =
                (mi + c * c * modal->stiffness[i]) * (mj + c * c * modal->stiffness[j]);
            if (part * part > COUNTS * COUNTS * whole) return true;
        }
    return false;
}

void pkm_modal_find_tangent(pkm_state* state, int i, double c)
{
    const pkm_modal_body* modal = state->mech->body[i].modal;
    struct pkm_modal_state* m = &state->modal[i];
    // leaves slopes and axial forces of the present deflection in the state
    const double* N = pkm_modal_axial_forces(state, i).force;
    m->is_stiffened = false;
    if (!N) return;
    fill_tangent(modal, m, N);
    m->is_stiffened = counts(modal, m->tangent, c);
}

bool pkm_modal_step_couples(const pkm_state* state, int i)
{
    return state->mech->body[i].modal->damping_matrix || state->modal[i].is_stiffened;
}

void pkm_modal_step_matrix(const pkm_state* state, int i, double c, double* out)
{
    const pkm_modal_body* modal = state->mech->body[i].modal;
    const struct pkm_modal_state* m = &state->modal[i];
    const int n = modal->n_mode;
    for (int k = 0; k < n * n; ++k)
        out[k] = (modal->damping_matrix ? c * modal->damping_matrix[k] : 0.0) +
                 (m->is_stiffened ? c * c * m->tangent[k] : 0.0);
    for (int k = 0; k < n; ++k)
        out[k * (n + 1)] +=
            c * c * modal->stiffness[k] + (modal->damping_matrix ? 0.0 : c * modal->damping[k]);
}

/// Row k of K times x.
static double stiffness_force(const pkm_modal_body* modal, const struct pkm_modal_state* m, int k,
                              const double* x)
{
    const int n = modal->n_mode;
    const double own = modal->stiffness[k] * x[k];
    return m->is_stiffened ? own + pkm_dot(m->tangent + (size_t)k * (size_t)n, x, n) : own;
}

void pkm_modal_step_force(const pkm_state* state, int i, double c, const double* v, const double* x,
                          double* out)
{
    const pkm_modal_body* modal = state->mech->body[i].modal;
    const struct pkm_modal_state* m = &state->modal[i];
    for (int k = 0; k < modal->n_mode; ++k)
        // what is left of x, -c K b_x, and of v, -(c C + c^2 K) b_v: right side of (5.2)
        out[k] = -c * stiffness_force(modal, m, k, x);
    for (int k = 0; v && k < modal->n_mode; ++k)
        out[k] -= c * (pkm_modal_damping_force(modal, k, v) + c * stiffness_force(modal, m, k, v));
}
