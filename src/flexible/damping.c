// Damping ratios of modes between held joints as a matrix over the modes of the free body, D = sum
// K y (2 zeta/w^3) y' K (6.1), and the lowest frequency between the joints (8.2). Equations:
// docs/theory/flexible.md, section 6.
#include "flexible/damping.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dense.h"
#include "mechanism/joint.h"

#include <math.h>
#include <string.h>

enum { RIGID = 6 };

/// Work: coordinates are three shifts and three turns of the body, then its modes.
typedef struct work {
    const pkm_flexible_body* body;
    int n, all;        ///< modes, all coordinates
    int n_c;           ///< what is held
    double* C;         ///< [n_c x all] shifts of the joints
    double* null;      ///< [all x all] motions with held joints
    double *M, *K, *T; ///< [all x all]
    double* value;     ///< [all]
    double* X;         ///< [n x n] modal parts, K-orthogonal
    double* D;
} work;

static double* at(double* A, int rows, int i, int j)
{
    return A + (size_t)j * (size_t)rows + (size_t)i;
}

static void fill_joints(work* w)
{
    const pkm_flexible_body* body = w->body;
    const int rows = w->n_c;
    for (int f = 0; f < body->n_joint; ++f) {
        const pkm_vec3 p = body->frame[f].pose.p;
        const double turn[9] = {0.0, -p.z, p.y, p.z, 0.0, -p.x, -p.y, p.x, 0.0}; // e_k x p
        for (int k = 0; k < 3; ++k) {
            *at(w->C, rows, 3 * f + k, k) = 1.0;
            for (int i = 0; i < 3; ++i)
                *at(w->C, rows, 3 * f + i, 3 + k) = turn[3 * k + i];
        }
        for (int j = 0; j < w->n; ++j)
            for (int i = 0; i < 3; ++i)
                *at(w->C, rows, 3 * f + i, RIGID + j) = body->phi_d[3 * (f * w->n + j) + i];
    }
}

/// Their turns, below the shifts.
static void fill_turns(work* w, const pkm_description* desc)
{
    const pkm_flexible_body* body = w->body;
    int at_row = 3 * body->n_joint;
    for (int f = 0; f < body->n_joint; ++f) {
        if (!pkm_flexible_holds_turns(desc, &body->frame[f])) continue;
        for (int i = 0; i < 3; ++i, ++at_row) {
            *at(w->C, w->n_c, at_row, 3 + i) = 1.0;
            for (int j = 0; j < w->n; ++j)
                *at(w->C, w->n_c, at_row, RIGID + j) = body->phi_r[3 * (f * w->n + j) + i];
        }
    }
}

static void set_both(work* w, int i, int j, double value)
{
    *at(w->M, w->all, i, j) = value;
    *at(w->M, w->all, j, i) = value;
}

/// Mass of rigid motions and modes together, undeformed.
static void fill_mass(work* w)
{
    const pkm_beam_integrals* all = &w->body->integrals;
    const pkm_vec3 s = all->first;
    const double cross[9] = {0.0, -s.z, s.y, s.z, 0.0, -s.x, -s.y, s.x, 0.0}; // e_k x s
    const double trace = all->second[0] + all->second[4] + all->second[8];
    const double own[9] = {all->own.x.x, all->own.x.y, all->own.x.z, all->own.y.x, all->own.y.y,
                           all->own.y.z, all->own.z.x, all->own.z.y, all->own.z.z};
    for (int k = 0; k < 3; ++k) {
        set_both(w, k, k, all->mass);
        for (int i = 0; i < 3; ++i) {
            set_both(w, i, 3 + k, cross[3 * k + i]);
            set_both(w, 3 + i, 3 + k,
                     (i == k ? trace : 0.0) - all->second[3 * k + i] + own[3 * k + i]);
        }
    }
    for (int j = 0; j < w->n; ++j) {
        const double* C = all->cross + 9 * j;
        const double spin[3] = {C[7] - C[5], C[2] - C[6], C[3] - C[1]};
        for (int i = 0; i < 3; ++i) {
            set_both(w, i, RIGID + j, all->momentum[3 * j + i]);
            set_both(w, 3 + i, RIGID + j, spin[i] + all->spin[3 * j + i]);
        }
        set_both(w, RIGID + j, RIGID + j, 1.0);
    }
}

/// out [p x p] = V' A V for `p` columns of `V`.
static void project(const work* w, const double* A, const double* V, int p, double* out)
{
    for (int c = 0; c < p; ++c)
        for (int r = 0; r <= c; ++r) {
            double sum = 0.0;
            for (int i = 0; i < w->all; ++i)
                for (int j = 0; j < w->all; ++j)
                    sum += V[r * w->all + i] * A[j * w->all + i] * V[c * w->all + j];
            out[c * p + r] = out[r * p + c] = sum;
        }
}

/// D += K x (2 zeta / omega^3) x' K for a mode with x'K x = omega^2.
static void add_mode(work* w, const pkm_flexible_spec* spec, double lambda, const double* x)
{
    const double omega = sqrt(lambda);
    const double c = pkm_flexible_damping_of(spec, omega) / (lambda * lambda);
    for (int j = 0; j < w->n; ++j)
        for (int i = 0; i < w->n; ++i) {
            const double ki = w->body->omega[i] * w->body->omega[i];
            const double kj = w->body->omega[j] * w->body->omega[j];
            w->D[j * w->n + i] += c * ki * x[i] * kj * x[j];
        }
}

/// Eigenvalues of the motions with held joints, `p` of them, rising; their vectors are in T.
static pkm_status solve_held(work* w, int* n_motion)
{
    int p;
    PKM_TRY(pkm_dense_null_space(w->C, w->n_c, w->all, 1e-9, w->null, &p));
    *n_motion = p;
    double* K = w->T;
    memset(w->K, 0, (size_t)(w->all * w->all) * sizeof(double));
    for (int j = 0; j < w->n; ++j)
        *at(w->K, w->all, RIGID + j, RIGID + j) = w->body->omega[j] * w->body->omega[j];
    project(w, w->K, w->null, p, K);
    double* M = w->K;
    project(w, w->M, w->null, p, M);
    return pkm_lapack_status(pkm_dsygv('V', 'U', p, K, p, M, p, w->value), PKM_ERR_CONVERGENCE);
}

/// Is eigenvalue k of `p` that of a vibration? The spin of a rod is none.
static bool vibrates(const work* w, int k, int p)
{
    return w->value[k] > 1e-9 * w->value[p - 1];
}

/// Modes with held joints, `n_held` of them; their modal parts are kept in X.
static pkm_status held_modes(work* w, const pkm_flexible_spec* spec, int* n_held)
{
    int p;
    PKM_TRY(solve_held(w, &p));
    const double* K = w->T;
    *n_held = 0;
    for (int k = 0; k < p; ++k) {
        if (!vibrates(w, k, p)) continue;
        double* x = w->X + (size_t)*n_held * (size_t)w->n;
        for (int i = 0; i < w->n; ++i) {
            x[i] = 0.0;
            for (int r = 0; r < p; ++r)
                x[i] += w->null[r * w->all + RIGID + i] * K[k * p + r];
        }
        add_mode(w, spec, w->value[k], x);
        ++*n_held;
    }
    return PKM_OK;
}

/// What the held modes leave: x with x'K X = 0, as modes of the free body.
static pkm_status other_modes(work* w, const pkm_flexible_spec* spec, int n_held)
{
    int p;
    for (int k = 0; k < n_held; ++k)
        for (int i = 0; i < w->n; ++i)
            w->C[i * n_held + k] = w->X[k * w->n + i] * w->body->omega[i] * w->body->omega[i];
    PKM_TRY(pkm_dense_null_space(w->C, n_held, w->n, 1e-9, w->null, &p));
    if (p == 0) return PKM_OK;
    double *K = w->K, *M = w->M;
    for (int c = 0; c < p; ++c)
        for (int r = 0; r < p; ++r) {
            K[c * p + r] = M[c * p + r] = 0.0;
            for (int i = 0; i < w->n; ++i) {
                const double both = w->null[r * w->n + i] * w->null[c * w->n + i];
                M[c * p + r] += both;
                K[c * p + r] += both * w->body->omega[i] * w->body->omega[i];
            }
        }
    PKM_TRY(pkm_lapack_status(pkm_dsygv('V', 'U', p, K, p, M, p, w->value), PKM_ERR_CONVERGENCE));
    for (int k = 0; k < p; ++k) {
        double* x = w->T;
        for (int i = 0; i < w->n; ++i) {
            x[i] = 0.0;
            for (int r = 0; r < p; ++r)
                x[i] += w->null[r * w->n + i] * K[k * p + r];
        }
        add_mode(w, spec, w->value[k], x);
    }
    return PKM_OK;
}

/// Room for the held motions and what else there is, which starts with the block.
static double* begin(work* w, const pkm_description* desc, const pkm_flexible_body* body)
{
    const int n = body->n_mode, all = RIGID + n;
    int n_held = 3 * body->n_joint;
    for (int f = 0; f < body->n_joint; ++f)
        n_held += pkm_flexible_holds_turns(desc, &body->frame[f]) ? 3 : 0;
    const size_t size = (size_t)all * (size_t)all, rows = (size_t)(n_held + n);
    double* block = pkm_alloc(rows * (size_t)all + 5 * size + (size_t)all, sizeof *block);
    if (!block) return NULL;
    *w = (work){.body = body, .n = n, .all = all, .n_c = n_held, .C = block};
    w->null = w->C + rows * (size_t)all;
    w->M = w->null + size;
    w->K = w->M + size;
    w->T = w->K + size;
    w->X = w->T + size;
    w->value = w->X + size;
    fill_joints(w);
    fill_turns(w, desc);
    fill_mass(w);
    return block;
}

pkm_status pkm_flexible_held_damping(const pkm_description* desc, const pkm_flexible_body* body,
                                     const pkm_flexible_spec* spec, double* D)
{
    work w;
    double* block = begin(&w, desc, body);
    if (!block) return PKM_ERR_MEMORY;
    w.D = D;
    memset(D, 0, (size_t)w.n * (size_t)w.n * sizeof(double));
    int n_held = 0;
    pkm_status status = held_modes(&w, spec, &n_held);
    if (status == PKM_OK) status = other_modes(&w, spec, n_held);
    pkm_free(block);
    return status;
}

pkm_status pkm_flexible_held_lowest(const pkm_description* desc, const pkm_flexible_body* body,
                                    double* omega)
{
    int p = 0, k = 0;
    work w;
    *omega = 0.0;
    double* block = begin(&w, desc, body);
    if (!block) return PKM_ERR_MEMORY;
    const pkm_status status = solve_held(&w, &p);
    while (status == PKM_OK && k < p && !vibrates(&w, k, p))
        ++k;
    if (k < p) *omega = sqrt(w.value[k]);
    pkm_free(block);
    return status;
}
