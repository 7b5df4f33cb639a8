// Damping ratios of modes between held joints as a matrix over the modes of the free body, D = sum
// K y (2 zeta/w^3) y' K (6.1), and the lowest frequency between the joints (8.3). Equations:
// docs/theory/flexible.md, section 6.
#include "flexible/damping.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dense.h"
#include "math/tensor.h"
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
    double* by;        ///< [all] one of a coordinate is so many of its own
    double* X;         ///< [n x n] modal parts, K-orthogonal
    double* D;
} work;

static double* at(double* A, int rows, int i, int j)
{
    return A + (size_t)j * (size_t)rows + (size_t)i;
}

/// Rows of C from `row` on: frame f does not move.
static void hold_point(work* w, int f, int row)
{
    const pkm_flexible_body* body = w->body;
    const pkm_vec3 p = body->frame[f].pose.p;
    // d = shift + turn x p + sum phi_j z_j
    const double turn[9] = {0.0, -p.z, p.y, p.z, 0.0, -p.x, -p.y, p.x, 0.0}; // e_k x p
    for (int k = 0; k < 3; ++k) {
        *at(w->C, w->n_c, row + k, k) = 1.0;
        for (int i = 0; i < 3; ++i)
            *at(w->C, w->n_c, row + i, 3 + k) = turn[3 * k + i];
    }
    for (int j = 0; j < w->n; ++j)
        for (int i = 0; i < 3; ++i)
            *at(w->C, w->n_c, row + i, RIGID + j) = body->phi_d[3 * (f * w->n + j) + i];
}

static void hold_turns(work* w, int f, int row)
{
    for (int i = 0; i < 3; ++i) {
        *at(w->C, w->n_c, row + i, 3 + i) = 1.0;
        for (int j = 0; j < w->n; ++j)
            *at(w->C, w->n_c, row + i, RIGID + j) = w->body->phi_r[3 * (f * w->n + j) + i];
    }
}

/// How many rows of C joint frame f has.
static int count_rows(const pkm_description* desc, const pkm_flexible_frame* frame)
{
    if (!frame->is_held) return 0;
    return pkm_flexible_holds_turns(desc, frame) ? 6 : 3;
}

/// Shifts of all joints that hold the link, then their turns.
static void fill_joints(work* w, const pkm_description* desc)
{
    int row = 0;
    for (int f = 0; f < w->body->n_joint; ++f) {
        if (count_rows(desc, &w->body->frame[f]) == 0) continue;
        hold_point(w, f, row);
        row += 3;
    }
    for (int f = 0; f < w->body->n_joint; ++f) {
        if (count_rows(desc, &w->body->frame[f]) < 6) continue;
        hold_turns(w, f, row);
        row += 3;
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
            // J = tr(S) 1 - S + own, as in (1.4)
            set_both(w, 3 + i, 3 + k,
                     (i == k ? trace : 0.0) - all->second[3 * k + i] + own[3 * k + i]);
        }
    }
    for (int j = 0; j < w->n; ++j) {
        const double* C = all->cross + 9 * j;
        // axial part of C_j, as in (1.5)
        const double spin[3] = {C[7] - C[5], C[2] - C[6], C[3] - C[1]};
        for (int i = 0; i < 3; ++i) {
            set_both(w, i, RIGID + j, all->momentum[3 * j + i]);
            set_both(w, 3 + i, RIGID + j, spin[i] + all->spin[3 * j + i]);
        }
        set_both(w, RIGID + j, RIGID + j, 1.0);
    }
}

/// Motion of the centre of what hangs at frame f, in coordinate k.
static void hanging_motion(const work* w, int f, int k, pkm_vec3* d, pkm_vec3* r)
{
    const pkm_flexible_frame* frame = &w->body->frame[f];
    const pkm_vec3 c = frame->hangs.com, arm = pkm_vec3_sub(c, frame->pose.p);
    const pkm_vec3 unit = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    if (k >= RIGID) {
        const double* pd = w->body->phi_d + 3 * (f * w->n + k - RIGID);
        const double* pr = w->body->phi_r + 3 * (f * w->n + k - RIGID);
        *r = (pkm_vec3){pr[0], pr[1], pr[2]};
        *d = pkm_vec3_add((pkm_vec3){pd[0], pd[1], pd[2]}, pkm_vec3_cross(*r, arm));
        return;
    }
    // about the origin of the body; modes carry their frame's motion over the arm
    *r = k < 3 ? (pkm_vec3){0} : unit;
    *d = k < 3 ? unit : pkm_vec3_cross(unit, c);
}

/// M += m d'd + r'J r of the bodies that hang on the link.
static void add_hanging(work* w)
{
    for (int f = 0; f < w->body->n_joint; ++f) {
        const pkm_mass* mass = &w->body->frame[f].hangs;
        if (!(mass->mass > 0.0)) continue;
        for (int k = 0; k < w->all; ++k) {
            pkm_vec3 dk, rk, di, ri;
            hanging_motion(w, f, k, &dk, &rk);
            const pkm_vec3 turning = pkm_inertia_times(mass->inertia, rk);
            for (int i = 0; i <= k; ++i) {
                hanging_motion(w, f, i, &di, &ri);
                set_both(w, i, k,
                         *at(w->M, w->all, i, k) + mass->mass * pkm_vec3_dot(di, dk) +
                             pkm_vec3_dot(ri, turning));
            }
        }
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
    // 2 zeta omega over omega^4: x has x'K x = omega^2
    const double c = pkm_flexible_damping_of(spec, omega) / (lambda * lambda);
    for (int j = 0; j < w->n; ++j)
        for (int i = 0; i < w->n; ++i) {
            const double ki = w->body->omega[i] * w->body->omega[i];
            const double kj = w->body->omega[j] * w->body->omega[j];
            w->D[j * w->n + i] += c * ki * x[i] * kj * x[j];
        }
}

/// Coordinates in units of a metre at the body, where those are far apart: a mode of 1 is that of
/// 1 kg, which of a microgram is 30 km. Ordinary links go without.
static void choose_units(work* w)
{
    static const double FAR = 1e3;
    const pkm_beam_integrals* all = &w->body->integrals;
    const double trace = all->second[0] + all->second[4] + all->second[8];
    const double turn = sqrt(all->mass / trace), mode = sqrt(all->mass);
    const double most = fmax(1.0, fmax(turn, mode)), least = fmin(1.0, fmin(turn, mode));
    for (int k = 0; k < w->all; ++k)
        w->by[k] = !(most > FAR * least) || k < 3 ? 1.0 : k < RIGID ? turn : mode;
    for (int k = 0; k < w->all; ++k) {
        for (int i = 0; i < w->n_c; ++i)
            *at(w->C, w->n_c, i, k) *= w->by[k];
        for (int i = 0; i < w->all; ++i)
            *at(w->M, w->all, i, k) *= w->by[i] * w->by[k];
    }
}

/// Motions with held joints; all where none holds.
static pkm_status find_motions(work* w, int* p)
{
    // lengths, turns and modes in units of alike size
    if (w->n_c > 0) return pkm_dense_null_space(w->C, w->n_c, w->all, 1e-9, w->null, p);
    *p = w->all;
    for (int i = 0; i < w->all; ++i)
        *at(w->null, w->all, i, i) = 1.0;
    return PKM_OK;
}

/// Eigenvalues of the motions with held joints, `p` of them, rising; their vectors are in T.
static pkm_status solve_held(work* w, int* n_motion)
{
    int p;
    PKM_TRY(find_motions(w, &p));
    *n_motion = p;
    // memory is used twice: T has Z'K Z, then the vectors; K, once it is used, Z'M Z
    double* K = w->T;
    memset(w->K, 0, (size_t)(w->all * w->all) * sizeof(double));
    for (int j = 0; j < w->n; ++j)
        *at(w->K, w->all, RIGID + j, RIGID + j) =
            w->body->omega[j] * w->body->omega[j] * w->by[RIGID + j] * w->by[RIGID + j];
    project(w, w->K, w->null, p, K);
    double* M = w->K;
    project(w, w->M, w->null, p, M);
    return pkm_lapack_status(pkm_dsygv('V', 'U', p, K, p, M, p, w->value), PKM_ERR_CONVERGENCE);
}

/// Is eigenvalue k of `p` that of a vibration? The spin of a rod is none.
static bool vibrates(const work* w, int k, int p)
{
    // rounding beside the stiffest: rigid motions that the joints leave
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
            // x = Z y, its modal part alone: rigid motions have no damping
            for (int r = 0; r < p; ++r)
                x[i] += w->null[r * w->all + RIGID + i] * K[k * p + r];
            x[i] *= w->by[RIGID + i];
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
            // columns x'K: what is orthogonal to them is left for the stretching between joints
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
    int n_held = 0;
    for (int f = 0; f < body->n_joint; ++f)
        n_held += count_rows(desc, &body->frame[f]);
    const size_t size = (size_t)all * (size_t)all, rows = (size_t)(n_held + n);
    // C is used twice: for rows of joints, then for the held modes
    double* block = pkm_alloc(rows * (size_t)all + 5 * size + 2 * (size_t)all, sizeof *block);
    if (!block) return NULL;
    *w = (work){.body = body, .n = n, .all = all, .n_c = n_held, .C = block};
    w->null = w->C + rows * (size_t)all;
    w->M = w->null + size;
    w->K = w->M + size;
    w->T = w->K + size;
    w->X = w->T + size;
    w->value = w->X + size;
    w->by = w->value + all;
    fill_joints(w, desc);
    fill_mass(w);
    add_hanging(w);
    choose_units(w);
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
