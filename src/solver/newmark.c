// M q'' + C q' + K q = f with matrices that change in time, by Newmark's method with average
// acceleration. docs/theory/elastodynamics.md, section 4.
#include "solver/newmark.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"

#include <math.h>
#include <string.h>

// A start that returns is lost when 1 - (map of a period) is this near to singular.
static const double LEAST_CONDITION = 1e-13;

struct pkm_newmark {
    int n, n_column; ///< equations; motions integrated at once, the first one with the force
    pkm_ltv ltv;
    double t;
    double *q, *v, *a; ///< n x n_column
    double *M, *C, *K; ///< n x n at the present time
    double *f, *A;     ///< force; matrix of a step
    int* pivot;
    double* block;
};

static pkm_status create(int n, int n_column, pkm_newmark** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_newmark* nm = pkm_alloc(1, sizeof *nm);
    if (!nm) return PKM_ERR_MEMORY;
    const size_t nn = (size_t)n * (size_t)n, columns = (size_t)n * (size_t)n_column;
    nm->n = n;
    nm->n_column = n_column;
    nm->block = pkm_alloc(3 * columns + 5 * nn, sizeof *nm->block);
    nm->pivot = pkm_alloc((size_t)n, sizeof *nm->pivot);
    if (!nm->block || !nm->pivot) {
        pkm_newmark_free(nm);
        return PKM_ERR_MEMORY;
    }
    double** const state[] = {&nm->q, &nm->v, &nm->a};
    double** const matrix[] = {&nm->M, &nm->C, &nm->K, &nm->A, &nm->f};
    double* next = nm->block;
    for (int k = 0; k < 3; ++k, next += columns)
        *state[k] = next;
    for (int k = 0; k < 5; ++k, next += nn)
        *matrix[k] = next;
    *out = nm;
    return PKM_OK;
}

pkm_status pkm_newmark_create(int n, pkm_newmark** out)
{
    return create(n, 1, out);
}

void pkm_newmark_free(pkm_newmark* newmark)
{
    if (!newmark) return;
    pkm_free(newmark->block);
    pkm_free(newmark->pivot);
    pkm_free(newmark);
}

/// y -= A x for all motions.
static void subtract_product(const pkm_newmark* nm, const double* A, const double* x, double* y)
{
    const size_t n = (size_t)nm->n;
    for (int c = 0; c < nm->n_column; ++c) {
        for (size_t j = 0; j < n; ++j) {
            const double s = x[(size_t)c * n + j];
            if (s == 0.0) continue;
            for (size_t i = 0; i < n; ++i)
                y[(size_t)c * n + i] -= s * A[j * n + i];
        }
    }
}

/// Accelerations of all motions: A a = f - C v - K q, with A = M at the start and the matrix of a
/// step later.
static pkm_status solve_accelerations(pkm_newmark* nm)
{
    const size_t n = (size_t)nm->n;
    // the force drives the first motion alone; one factorisation serves all of them
    memset(nm->a, 0, n * (size_t)nm->n_column * sizeof *nm->a);
    memcpy(nm->a, nm->f, n * sizeof *nm->a);
    subtract_product(nm, nm->C, nm->v, nm->a);
    subtract_product(nm, nm->K, nm->q, nm->a);
    if (pkm_dgetrf(nm->n, nm->n, nm->A, nm->n, nm->pivot) != 0) return PKM_ERR_SINGULAR;
    pkm_dgetrs('N', nm->n, nm->n_column, nm->A, nm->n, nm->pivot, nm->a, nm->n);
    for (size_t k = 0; k < n * (size_t)nm->n_column; ++k)
        if (!isfinite(nm->a[k])) return PKM_ERR_SINGULAR;
    return PKM_OK;
}

/// Start from the states that are in q and v.
static pkm_status begin(pkm_newmark* nm, const pkm_ltv* ltv, double t0)
{
    if (ltv->n != nm->n) return PKM_ERR_ARGUMENT;
    nm->ltv = *ltv;
    nm->t = t0;
    PKM_TRY(ltv->system(ltv->user, t0, nm->M, nm->C, nm->K, nm->f));
    // M a = f - C v - K q at the start
    memcpy(nm->A, nm->M, (size_t)nm->n * (size_t)nm->n * sizeof *nm->A);
    return solve_accelerations(nm);
}

pkm_status pkm_newmark_begin(pkm_newmark* newmark, const pkm_ltv* ltv, double t0, const double* q,
                             const double* v)
{
    const size_t size = (size_t)newmark->n * sizeof *q;
    memcpy(newmark->q, q, size);
    memcpy(newmark->v, v, size);
    return begin(newmark, ltv, t0);
}

/// Where the equations change their coordinates, all motions go along, or back.
static void rebase(pkm_newmark* nm, bool back)
{
    if (nm->ltv.rebase) nm->ltv.rebase(nm->ltv.user, back, nm->n_column, nm->q, nm->v, nm->a);
}

pkm_status pkm_newmark_step(pkm_newmark* newmark, double h)
{
    pkm_newmark* nm = newmark;
    if (!(h > 0.0)) return PKM_ERR_ARGUMENT;
    rebase(nm, false);
    const size_t nn = (size_t)nm->n * (size_t)nm->n, all = (size_t)nm->n * (size_t)nm->n_column;
    PKM_TRY(nm->ltv.system(nm->ltv.user, nm->t + h, nm->M, nm->C, nm->K, nm->f));

    // (4.2): what is known of the new state, then (M + h/2 C + h^2/4 K) a = f - C v* - K q*
    for (size_t k = 0; k < all; ++k) {
        nm->q[k] += h * (nm->v[k] + 0.25 * h * nm->a[k]);
        nm->v[k] += 0.5 * h * nm->a[k];
    }
    for (size_t k = 0; k < nn; ++k)
        nm->A[k] = nm->M[k] + 0.5 * h * (nm->C[k] + 0.5 * h * nm->K[k]);
    PKM_TRY(solve_accelerations(nm));
    // (4.3)
    for (size_t k = 0; k < all; ++k) {
        nm->q[k] += 0.25 * h * h * nm->a[k];
        nm->v[k] += 0.5 * h * nm->a[k];
    }
    nm->t += h;
    return PKM_OK;
}

double pkm_newmark_time(const pkm_newmark* newmark)
{
    return newmark->t;
}

const double* pkm_newmark_position(const pkm_newmark* newmark)
{
    return newmark->q;
}

const double* pkm_newmark_velocity(const pkm_newmark* newmark)
{
    return newmark->v;
}

const double* pkm_newmark_acceleration(const pkm_newmark* newmark)
{
    return newmark->a;
}

// ---- periodic ----------------------------------------------------------------------------------

/// Units in which the energy of every coordinate has the same size: 1/sqrt(K_kk) for q,
/// 1/sqrt(M_kk) for v; so stiff and soft coordinates, metres and radians do not spoil the condition
/// of 1 - Phi.
static void find_units(const pkm_newmark* nm, double period, double* unit)
{
    // a coordinate without stiffness counts by its inertia at the frequency of the period
    const double rate = PKM_TURN / period;
    for (int k = 0; k < nm->n; ++k) {
        const size_t kk = (size_t)k * (size_t)nm->n + (size_t)k;
        const double m = nm->M[kk] > 0.0 ? nm->M[kk] : 1.0;
        unit[k] = 1.0 / sqrt(nm->K[kk] > m * rate * rate ? nm->K[kk] : m * rate * rate);
        unit[nm->n + k] = 1.0 / sqrt(m);
    }
}

/// Motion 0 starts at rest with the force; motion 1 + k without force from one unit of coordinate k
/// of (q, v).
static void set_unit_starts(pkm_newmark* nm, const double* unit)
{
    const size_t n = (size_t)nm->n;
    for (size_t k = 0; k < n; ++k) {
        nm->q[(1 + k) * n + k] = unit[k];
        nm->v[(1 + n + k) * n + k] = unit[n + k];
    }
}

/// Solve (1 - Phi) x = p for the start x that returns, in its units (4.4); P and x have the room.
static pkm_status solve_return(const pkm_newmark* nm, const double* unit, double* P, double* x,
                               int* pivot)
{
    const size_t n = (size_t)nm->n, m = 2 * n;
    // columns of Phi are the ends of the motions without force, p that of the first one
    for (size_t i = 0; i < n; ++i) {
        x[i] = nm->q[i] / unit[i];
        x[n + i] = nm->v[i] / unit[n + i];
        for (size_t k = 0; k < m; ++k) {
            P[k * m + i] = (k == i ? 1.0 : 0.0) - nm->q[(1 + k) * n + i] / unit[i];
            P[k * m + n + i] = (k == n + i ? 1.0 : 0.0) - nm->v[(1 + k) * n + i] / unit[n + i];
        }
    }
    const int size = (int)m;
    const double norm = pkm_dnorm1(size, P, size);
    if (pkm_dgetrf(size, size, P, size, pivot) != 0) return PKM_ERR_SINGULAR;
    double condition = 0.0;
    PKM_TRY(pkm_lapack_status(pkm_dgecon(size, P, size, norm, &condition), PKM_ERR_SINGULAR));
    // the period is one of a free vibration: resonance
    if (!(condition > LEAST_CONDITION)) return PKM_ERR_SINGULAR;
    pkm_dgetrs('N', size, 1, P, size, pivot, x, size);
    return PKM_OK;
}

/// Follow all motions over a period and find the start that returns.
static pkm_status find_return(pkm_newmark* nm, const pkm_ltv* ltv, double t0, double period,
                              int n_step, double* work)
{
    const size_t m = 2 * (size_t)nm->n;
    double *unit = work, *x = work + m, *P = work + 2 * m;
    PKM_TRY(ltv->system(ltv->user, t0, nm->M, nm->C, nm->K, nm->f));
    find_units(nm, period, unit);
    set_unit_starts(nm, unit);
    PKM_TRY(begin(nm, ltv, t0));
    for (int k = 0; k < n_step; ++k)
        PKM_TRY(pkm_newmark_step(nm, period / n_step));
    // a step may have changed coordinates: back to those of the start
    rebase(nm, true);
    int* pivot = pkm_alloc(m, sizeof *pivot);
    const pkm_status status = pivot ? solve_return(nm, unit, P, x, pivot) : PKM_ERR_MEMORY;
    for (size_t k = 0; k < m; ++k)
        x[k] *= unit[k];
    pkm_free(pivot);
    return status;
}

pkm_status pkm_newmark_periodic(const pkm_ltv* ltv, double t0, double period, int n_step, double* q,
                                double* v)
{
    if (!(period > 0.0) || n_step < 1) return PKM_ERR_ARGUMENT;
    pkm_newmark* nm = NULL;
    PKM_TRY(create(ltv->n, 2 * ltv->n + 1, &nm));
    const size_t n = (size_t)ltv->n, m = 2 * n;
    double* work = pkm_alloc(2 * m + m * m, sizeof *work);
    pkm_status status = work ? find_return(nm, ltv, t0, period, n_step, work) : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        memcpy(q, work + m, n * sizeof *q);
        memcpy(v, work + m + n, n * sizeof *v);
    }
    pkm_free(work);
    pkm_newmark_free(nm);
    return status;
}
