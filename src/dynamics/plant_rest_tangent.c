// The tangent of a plant at rest: forces that are missing, their derivatives by differences on the
// freedoms that the constraints leave, eigenvalues. docs/theory/flexible.md, section 5.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_rest.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/// Step of the differences [robot sizes, rad]: rounding and curvature leave 1e-8 of the stiffness.
static const double DIFFERENCE = 1e-8;
/// Stands for the stiffness of what nothing holds in a step [1/s2].
static const double SHIFT = 10.0;
/// Columns of the tangent between two questions whether to go on.
enum { UNASKED = 16 };

void pkm_rest_end_work(pkm_rest* e)
{
    double* const parts[] = {e->z,  e->rate,   e->K,  e->M,  e->Q,    e->R,    e->tau,
                             e->V,  e->lambda, e->B,  e->w,  e->work, e->aux,  e->r,
                             e->r1, e->y,      e->x,  e->q,  e->q0,   e->unit, e->unheld,
                             e->A,  e->phi,    e->by, e->way};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
    pkm_free(e->pivot);
    pkm_free(e->pivot_g);
}

pkm_status pkm_rest_ask(const pkm_rest* e)
{
    const bool asks = e->loads && e->loads->goes_on;
    return asks && !e->loads->goes_on(e->loads->user) ? PKM_ERR_INTERRUPTED : PKM_OK;
}

static pkm_status allocate(pkm_rest* e)
{
    const size_t n = (size_t)e->n, n_q = (size_t)e->p->state->mech->n_q, n_z = (size_t)e->p->n_z;
    double** const square[] = {&e->K, &e->M, &e->Q, &e->R, &e->V, &e->B, &e->A, &e->work, &e->aux};
    double** const line[] = {&e->tau, &e->lambda, &e->w,   &e->r,  &e->r1, &e->y,
                             &e->x,   &e->unit,   &e->phi, &e->by, &e->way};
    // all of them, so that the end of the work can free what there is
    bool ok = true;
    for (size_t k = 0; k < sizeof square / sizeof square[0]; ++k)
        ok = (*square[k] = pkm_alloc(n * n, sizeof(double))) && ok;
    for (size_t k = 0; k < sizeof line / sizeof line[0]; ++k)
        ok = (*line[k] = pkm_alloc(n, sizeof(double))) && ok;
    e->z = pkm_alloc(n_z, sizeof(double));
    e->rate = pkm_alloc(n_z, sizeof(double));
    e->q = pkm_alloc(n_q, sizeof(double));
    e->q0 = pkm_alloc(n_q, sizeof(double));
    e->pivot = pkm_alloc(n, sizeof(int));
    e->pivot_g = pkm_alloc(n, sizeof(int));
    return ok && e->z && e->rate && e->q && e->q0 && e->pivot && e->pivot_g ? PKM_OK
                                                                            : PKM_ERR_MEMORY;
}

/// Those of shifts, turns and modes, where they are far apart: of a link of a microgram a mode of 1
/// mm is 3e-8 of its own, and in these the softest stiffness drowns in rounding of the highest.
/// Ordinary robots go without.
static void choose_units(pkm_rest* e)
{
    static const double FAR = 1e3;
    const double* unit = e->p->state->mech->v_unit;
    double least = HUGE_VAL, most = 0.0;
    for (int k = 0; k < e->n; ++k) {
        least = fmin(least, unit[k]);
        most = fmax(most, unit[k]);
    }
    for (int k = 0; k < e->n; ++k)
        e->by[k] = most > FAR * least ? unit[k] : 1.0;
}

pkm_status pkm_rest_begin(pkm_rest* e, pkm_plant* p, double t)
{
    const size_t n = (size_t)p->state->mech->n_v;
    *e = (pkm_rest){.p = p, .t = t, .n = (int)n};
    e->has_chain = pkm_forward_has_chain(p->state->mech);
    // statics: no velocities, no drives but those that are prescribed
    memset(p->state->v, 0, n * sizeof(double));
    memset(p->force, 0, sizeof p->force);
    PKM_TRY(allocate(e));
    choose_units(e);
    pkm_plant_start_states(p, e->z);
    // every surface may push: depth decides, not the memory of touches
    for (int k = 0; k < p->n_contact; ++k)
        p->memory[k] = (pkm_contact_memory){.touching = true};
    return PKM_OK;
}

// ---- forces at rest ---------------------------------------------------------------------------

/// r = forces that are missing at rest less those of the constraints, at the present positions.
pkm_status pkm_rest_missing(pkm_rest* e, const double* lambda, double* r)
{
    pkm_plant* p = e->p;
    pkm_state* state = p->state;
    pkm_ledger_rates ledger = {0};
    pkm_kinematics_position(state);
    pkm_rows_closures(state);
    pkm_rows_prescribed(state, PKM_GIVEN_FORCES, &p->target);
    pkm_kinematics_velocity(state);
    // as in a run, but for friction
    memset(p->load, 0, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    if (p->has_loading)
        PKM_TRY(p->loading.apply(p->loading.user, e->t, state, p->load, &ledger.stored,
                                 &ledger.damping, &ledger.load));
    if (p->n_pair > 0) pkm_plant_apply_contacts(p, e->z, e->rate, &ledger);
    memcpy(state->load, p->load, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    // M a + h at a = 0 and v = 0 is weight and elasticity alone
    memset(state->a, 0, (size_t)e->n * sizeof(double));
    pkm_kinematics_acceleration(state, state->a);
    pkm_inverse_forces(state);
    pkm_forward_residual(p->forward, state, p->force, NULL, p->constraint, lambda,
                         lambda ? p->n_constraint : 0, r);
    for (int k = 0; k < e->n; ++k)
        r[k] *= e->by[k];
    return PKM_OK;
}

void pkm_rest_move(pkm_rest* e, const double* x)
{
    for (int k = 0; k < e->n; ++k)
        e->way[k] = e->by[k] * x[k];
    pkm_state_move(e->p->state->mech, e->p->state->q, e->way);
}

/// Residuals of the constraints at the present positions; the largest [robot sizes, rad].
static double read_constraints(pkm_rest* e)
{
    const pkm_plant* p = e->p;
    pkm_state* state = p->state;
    double most = 0.0;
    pkm_kinematics_position(state);
    pkm_rows_closures(state);
    pkm_rows_prescribed(state, PKM_GIVEN_FORCES, &p->target);
    for (int i = 0; i < e->m; ++i) {
        const int r = state->system[PKM_GIVEN_FORCES].row[p->constraint[i]];
        const pkm_row* row = &state->mech->row[r];
        // spins and held velocities have no position: nothing is to be put back
        e->phi[i] = pkm_plant_is_lock(p, i) ? 0.0 : state->residual[r];
        most = fmax(most, fabs(e->phi[i]) * row->weight);
    }
    return most;
}

/// The shortest steps back, G' (G G')^-1 phi, with the factors of the last tangent.
pkm_status pkm_rest_project(pkm_rest* e)
{
    enum { MOST = 40 };
    static const double CLOSED = 1e-14;
    pkm_plant* p = e->p;
    double before = HUGE_VAL;
    p->actuation.reference(p->actuation.user, e->t, &p->target);
    // the shortest way would bend the pieces of links; their welds are to follow the modes
    if (!e->is_split || e->has_chain)
        return pkm_forward_project_position(p->forward, p->state, &p->target);
    for (int k = 0; k < MOST; ++k) {
        const double off = read_constraints(e);
        if (off <= CLOSED || (off < 100.0 * CLOSED && off > 0.5 * before)) return PKM_OK;
        // steps that no longer converge: another branch, or none
        if (!(off < 0.9 * before)) return PKM_ERR_CONVERGENCE;
        before = off;
        for (int i = 0; i < e->m; ++i)
            // in the order of the pivots, which count from 1
            e->y[i] = -e->phi[e->pivot_g[i] - 1];
        if (pkm_dtrtrs('U', 'T', 'N', e->m, 1, e->R, e->n, e->y, e->n) != 0)
            return PKM_ERR_SINGULAR;
        // G' P = Q R, so that R' y = -P' phi and the step Q y is G'(G G')^-1 (-phi)
        pkm_dgemv('N', e->n, e->m, 1.0, e->Q, e->n, e->y, 1, 0.0, e->unit, 1);
        pkm_rest_move(e, e->unit);
    }
    return PKM_ERR_CONVERGENCE;
}

double pkm_rest_length(const pkm_rest* e, const double* x)
{
    double most = 0.0;
    for (int k = 0; k < e->n; ++k)
        most = fmax(most, fabs(e->by[k] * x[k]) / e->p->state->mech->v_unit[k]);
    return most;
}

// ---- tangent ----------------------------------------------------------------------------------

/// lambda += the multipliers that balance the forces r best: R P' lambda = Q' r.
static pkm_status add_multipliers(pkm_rest* e, const double* r)
{
    if (e->m == 0) return PKM_OK;
    // least squares: G' lambda = r as well as it can be
    pkm_dgemv('T', e->n, e->m, 1.0, e->Q, e->n, r, 1, 0.0, e->y, 1);
    if (pkm_dtrtrs('U', 'N', 'N', e->m, 1, e->R, e->n, e->y, e->n) != 0) return PKM_ERR_SINGULAR;
    for (int i = 0; i < e->m; ++i)
        e->lambda[e->pivot_g[i] - 1] += e->y[i];
    return PKM_OK;
}

pkm_status pkm_rest_balance(pkm_rest* e, const double* x)
{
    // forces after the step x, to first order
    memcpy(e->unit, e->r, (size_t)e->n * sizeof(double));
    pkm_dgemv('N', e->n, e->n, 1.0, e->K, e->n, x, 1, 1.0, e->unit, 1);
    return add_multipliers(e, e->unit);
}

/// Q = [constraints | freedoms], orthonormal, and the multipliers that balance the forces at rest
/// best: G' lambda = r.
static pkm_status split(pkm_rest* e)
{
    pkm_plant* p = e->p;
    const int n = e->n;
    // factors at these positions: which rows are independent
    PKM_TRY(pkm_forward_position(p->forward, p->state));
    pkm_plant_begin_step(p);
    const int m = e->m = p->n_constraint;
    e->f = n - m;
    memset(e->Q, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < m; ++i) {
        memset(e->unit, 0, (size_t)n * sizeof(double));
        e->unit[i] = 1.0;
        double* column = e->Q + (size_t)i * (size_t)n;
        pkm_plant_add_constraints(p, e->unit, column);
        for (int k = 0; k < n; ++k)
            column[k] *= e->by[k];
    }
    memset(e->pivot_g, 0, (size_t)n * sizeof(int));
    // columns by size, so that R shows dependent ones at its end
    if (m > 0)
        PKM_TRY(
            pkm_lapack_status(pkm_dgeqp3(n, m, e->Q, n, e->pivot_g, e->tau), PKM_ERR_CONVERGENCE));
    PKM_TRY(pkm_rest_ask(e));
    memcpy(e->R, e->Q, (size_t)n * (size_t)m * sizeof(double));
    // all n columns: the last f are Z, orthonormal to G'
    PKM_TRY(pkm_lapack_status(pkm_dorgqr(n, n, m, e->Q, n, e->tau), PKM_ERR_CONVERGENCE));
    PKM_TRY(pkm_rest_missing(e, NULL, e->r));
    memset(e->lambda, 0, (size_t)n * sizeof(double));
    e->is_split = true;
    return add_multipliers(e, e->r);
}

/// K by central differences of the forces with constant multipliers; M.
static pkm_status differentiate(pkm_rest* e)
{
    pkm_state* state = e->p->state;
    const pkm_mechanism* mech = state->mech;
    const size_t n = (size_t)e->n, size = (size_t)mech->n_q * sizeof(double);
    memcpy(e->q, state->q, size);
    // one column for each velocity, also those that constraints hold
    for (size_t k = 0; k < n; ++k) {
        if (k % UNASKED == 0) PKM_TRY(pkm_rest_ask(e));
        const double h = DIFFERENCE * mech->v_unit[k];
        double* column = e->K + k * n;
        for (int side = 0; side < 2; ++side) {
            memset(e->unit, 0, n * sizeof(double));
            e->unit[k] = side == 0 ? h : -h;
            pkm_state_move(mech, state->q, e->unit);
            const pkm_status status = pkm_rest_missing(e, e->lambda, side == 0 ? column : e->r1);
            // exactly: the steps forth and back would leave rounding
            memcpy(state->q, e->q, size);
            PKM_TRY(status);
        }
        for (size_t i = 0; i < n; ++i)
            // lambda stays: its product with the derivative of G' is part of the stiffness
            column[i] = e->by[k] * (column[i] - e->r1[i]) / (2.0 * h);
    }
    // at the position itself, with its poses and columns for the masses
    PKM_TRY(pkm_rest_missing(e, NULL, e->r));
    for (size_t k = 0; k < n; ++k) {
        memset(e->unit, 0, n * sizeof(double));
        e->unit[k] = e->by[k];
        pkm_inverse_inertia_forces(state, e->unit, e->M + k * n);
        for (size_t i = 0; i < n; ++i)
            e->M[k * n + i] *= e->by[i];
    }
    return PKM_OK;
}

/// out [f x f] = Z' X Z
static void reduce(const pkm_rest* e, const double* X, double* out)
{
    const double* Z = e->Q + (size_t)e->m * (size_t)e->n;
    pkm_dgemm('N', 'N', e->n, e->f, e->n, 1.0, X, e->n, Z, e->n, 0.0, e->aux, e->n);
    pkm_dgemm('T', 'N', e->f, e->f, e->n, 1.0, Z, e->n, e->aux, e->n, 0.0, out, e->f);
}

/// Basis V and eigenvalues w of the symmetric part.
static pkm_status diagonalise(pkm_rest* e)
{
    const int n = e->n, f = e->f;
    double* A = e->A;
    reduce(e, e->K, e->B);
    PKM_TRY(pkm_rest_ask(e));
    reduce(e, e->M, e->work);
    PKM_TRY(pkm_rest_ask(e));
    for (int j = 0; j < f; ++j)
        for (int i = 0; i < f; ++i)
            // follower loads make the tangent unsymmetric; its symmetric part gives the basis
            A[j * f + i] = 0.5 * (e->B[j * f + i] + e->B[i * f + j]);
    // K v = w M v: eigenvalues are squares of frequencies
    PKM_TRY(pkm_lapack_status(pkm_dsygv('V', 'L', f, A, f, e->work, f, e->w), PKM_ERR_SINGULAR));
    pkm_dgemm('N', 'N', n, f, f, 1.0, e->Q + (size_t)e->m * (size_t)n, n, A, f, 0.0, e->V, n);
    return PKM_OK;
}

/// The smallest eigenvalue on what was held without loads. An unheld direction u counts by its part
/// in a mode: with (u' M phi)^2 near 1 the mode is that direction. Eigenvalues are ascending.
void pkm_rest_find_least(pkm_rest* e)
{
    e->least = HUGE_VAL;
    e->lowest = PKM_NONE;
    for (int i = 0; i < e->f; ++i) {
        const double* phi = e->V + (size_t)i * (size_t)e->n;
        double part = 0.0;
        pkm_dgemv('N', e->n, e->n, 1.0, e->M, e->n, phi, 1, 0.0, e->x, 1);
        for (int k = 0; k < e->n_unheld; ++k) {
            const double c = pkm_dot(e->unheld + (size_t)k * (size_t)e->n, e->x, e->n);
            part += c * c;
        }
        // that mode was free without loads: it tells nothing of stability
        if (part > 0.5) continue;
        e->least = e->w[i];
        e->lowest = i;
        return;
    }
}

/// e->B = V'K V
static void see_in_modes(pkm_rest* e)
{
    const int n = e->n, f = e->f;
    pkm_dgemm('N', 'N', n, f, n, 1.0, e->K, n, e->V, n, 0.0, e->aux, n);
    pkm_dgemm('T', 'N', f, f, n, 1.0, e->V, n, e->aux, n, 0.0, e->B, f);
}

/// Loads that follow the bodies make the tangent unsymmetric. Its symmetric part then loses its
/// sign before the tangent is singular, and only there do equilibria end or branch: where no real
/// eigenvalue of the whole is negative, the least of their real parts takes its place.
static pkm_status look_at_whole(pkm_rest* e)
{
    enum { LEAST_WORK = 4 }; // of dgeev, per row
    const int n = e->n, f = e->f;
    if (e->lowest == PKM_NONE || e->least >= 0.0 || n < LEAST_WORK) return PKM_OK;
    see_in_modes(e);
    double least = HUGE_VAL;
    PKM_TRY(
        pkm_lapack_status(pkm_dgeev(f, e->B, f, e->y, e->x, e->work, n * n), PKM_ERR_CONVERGENCE));
    for (int i = 0; i < f; ++i) {
        if (e->x[i] == 0.0 && e->y[i] < 0.0) return PKM_OK;
        least = fmin(least, e->y[i] > 0.0 ? e->y[i] : HUGE_VAL);
    }
    e->least = least;
    return PKM_OK;
}

pkm_status pkm_rest_tangent(pkm_rest* e)
{
    ++e->n_tangent;
    PKM_TRY(pkm_rest_ask(e));
    PKM_TRY(split(e));
    PKM_TRY(differentiate(e));
    if (e->f == 0) return PKM_OK;
    PKM_TRY(pkm_rest_ask(e));
    PKM_TRY(diagonalise(e));
    pkm_rest_find_least(e);
    return look_at_whole(e);
}

/// Factors of B = V'K V, with SHIFT for what nothing holds; downhill with the magnitudes of
/// eigenvalues.
pkm_status pkm_rest_factor(pkm_rest* e, bool downhill)
{
    const int f = e->f;
    PKM_TRY(pkm_rest_ask(e));
    // V is orthonormal in M: eigenvalues w stand for the diagonal of B
    see_in_modes(e);
    for (int i = 0; i < f; ++i) {
        const double w = e->w[i], held = fabs(w) < PKM_UNHELD ? SHIFT : downhill ? fabs(w) : w;
        // only the diagonal is changed: follower loads keep what they couple
        e->B[i * f + i] += held - w;
    }
    return pkm_dgetrf(f, f, e->B, f, e->pivot) == 0 ? PKM_OK : PKM_ERR_SINGULAR;
}

/// x [n] = -V B^-1 V' r
void pkm_rest_solve(pkm_rest* e, const double* r, double* x)
{
    pkm_dgemv('T', e->n, e->f, -1.0, e->V, e->n, r, 1, 0.0, e->y, 1);
    pkm_dgetrs('N', e->f, 1, e->B, e->f, e->pivot, e->y, e->f);
    pkm_dgemv('N', e->n, e->f, 1.0, e->V, e->n, e->y, 1, 0.0, x, 1);
}
