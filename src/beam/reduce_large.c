// Few modes of a fine mesh: docs/theory/beams.md, (4.8)-(4.10).
//
// One node is held; the rest K_h is positive definite, and with the rigid motions R (R'MR = 1) and
// P = 1 - R R'M the flexibility of the free body is A = P K_h^-1 P'. Its modes are those of A M
// with 1 / lambda, found by iteration of a block of vectors; the static correction is A f without
// its part in the kept modes.
#include "beam/reduce_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/lapack.h"
#include "math/skyline.h"

#include <stdint.h>
#include <string.h>

enum {
    LARGE = 200,    ///< coordinates; below, dense matrices cost milliseconds
    FEW = 8,        ///< modes that are found are at most this part of the coordinates
    SPARE = 8,      ///< vectors of the block beyond twice the wanted modes
    MOST_EQUAL = 2, ///< modes beyond the asked ones that may have the frequency of the last
    FIRST = 12,     ///< modes looked for at first when a frequency is the limit
    MAX_TURN = 100, ///< iterations
};
static const double SAME = 1e-12;        // relative change of lambda: it stands
static const double LEAST_PIVOT = 1e-12; // as in math/eigen.c: less is rounding, not stiffness

/// K_h^-1, the rigid motions, the block.
typedef struct large {
    reduction* r;
    int n;             ///< coordinates
    int width;         ///< columns that there is room for
    pkm_skyline K, M;  ///< n x n
    pkm_skyline L;     ///< n_h x n_h Cholesky factor of K_h
    double *R, *MR;    ///< n x 6
    double *X, *Y, *Z; ///< n x width
    double *Kq, *Mq, *V, *lambda, *before;
    double* block;
} large;

static pkm_status large_create(large* g, reduction* r, int width)
{
    const size_t n = (size_t)r->n, w = (size_t)width;
    *g = (large){.r = r, .n = r->n, .width = width};
    PKM_TRY(pkm_skyline_create(r->K, r->n, 0, r->n, &g->K));
    PKM_TRY(pkm_skyline_create(r->M, r->n, 0, r->n, &g->M));
    PKM_TRY(pkm_skyline_create(r->K, r->n, N_RIGID, r->n, &g->L));
    g->block = pkm_alloc(2 * N_RIGID * n + 3 * n * w + 3 * w * w + 2 * w, sizeof *g->block);
    if (!g->block) return PKM_ERR_MEMORY;
    g->R = g->block;
    g->MR = g->R + N_RIGID * n;
    g->X = g->MR + N_RIGID * n;
    g->Y = g->X + n * w;
    g->Z = g->Y + n * w;
    g->Kq = g->Z + n * w;
    g->Mq = g->Kq + w * w;
    g->V = g->Mq + w * w;
    g->lambda = g->V + w * w;
    g->before = g->lambda + w;
    return PKM_OK;
}

static void large_free(large* g)
{
    pkm_skyline_free(&g->K);
    pkm_skyline_free(&g->M);
    pkm_skyline_free(&g->L);
    pkm_free(g->block);
}

// ---- products ----------------------------------------------------------------------------------

/// C (n x m) = A B for the symmetric n x n matrix A.
static void symmetric(const large* g, const pkm_skyline* A, int m, const double* B, double* C)
{
    pkm_skyline_product(A, m, B, g->n, C, g->n);
}

/// C (p x m) = A' B, both n rows.
static void gram(const large* g, int p, int m, const double* A, const double* B, double* C)
{
    pkm_dgemm('T', 'N', p, m, g->n, 1.0, A, g->n, B, g->n, 0.0, C, p);
}

/// B -= A (C' B), where A and C have p columns, B has m; `work` p x m.
static void project(const large* g, int p, const double* A, const double* C, int m, double* B,
                    double* work)
{
    if (p == 0) return;
    gram(g, p, m, C, B, work);
    pkm_dgemm('N', 'N', g->n, m, p, -1.0, A, g->n, work, p, 1.0, B, g->n);
}

// ---- the free body -----------------------------------------------------------------------------

static pkm_status fail_rigid(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_MODEL, "flexible body: it must be free to move, and in one piece");
}

/// X (n x m) = K_h^-1 of the rows of B that are not held, where the six coordinates of the first
/// boundary node are; 0 there.
static void solve_held(const large* g, int m, const double* B, double* X)
{
    memcpy(X, B, (size_t)m * (size_t)g->n * sizeof *X);
    for (int j = 0; j < m; ++j)
        memset(X + (size_t)j * (size_t)g->n, 0, N_RIGID * sizeof *X);
    pkm_skyline_solve(&g->L, m, X + N_RIGID, g->n);
}

/// Rigid motions: what the rest does when the held node is moved, R_h = -K_h^-1 K_h0; R'MR = 1.
static pkm_status rigid_motions(large* g)
{
    double G[N_RIGID * N_RIGID];
    solve_held(g, N_RIGID, g->r->K, g->R);
    for (int k = 0; k < N_RIGID; ++k) {
        pkm_dscal(g->n, -1.0, g->R + (size_t)k * (size_t)g->n, 1);
        g->R[(size_t)k * (size_t)g->n + (size_t)k] = 1.0;
    }
    symmetric(g, &g->M, N_RIGID, g->R, g->MR);
    gram(g, N_RIGID, N_RIGID, g->R, g->MR, G);
    if (pkm_dpotrf('L', N_RIGID, G, N_RIGID) != 0) return PKM_ERR_SINGULAR;
    for (int k = 0; k < N_RIGID; ++k) { // R := R L^-T, column by column
        double* to = g->R + (size_t)k * (size_t)g->n;
        for (int j = 0; j < k; ++j)
            pkm_daxpy(g->n, -G[j * N_RIGID + k], g->R + (size_t)j * (size_t)g->n, 1, to, 1);
        pkm_dscal(g->n, 1.0 / G[k * N_RIGID + k], to, 1);
    }
    symmetric(g, &g->M, N_RIGID, g->R, g->MR);
    return PKM_OK;
}

/// X = A B; B becomes P'B, the loads that the body bears in flight.
static void flexibility(large* g, int m, double* B, double* X)
{
    project(g, N_RIGID, g->MR, g->R, m, B, g->V);
    solve_held(g, m, B, X);
    project(g, N_RIGID, g->R, g->MR, m, X, g->V);
}

/// The largest lambda of the rigid motions: rounding, unless something holds the body.
static double rigid_lambda(large* g)
{
    double most = 0.0;
    symmetric(g, &g->K, N_RIGID, g->R, g->Z);
    for (int k = 0; k < N_RIGID; ++k) {
        const size_t at = (size_t)k * (size_t)g->n;
        most = fmax(most, fabs(pkm_ddot(g->n, g->R + at, 1, g->Z + at, 1)));
    }
    return most;
}

// ---- modes -------------------------------------------------------------------------------------

/// Vectors in which every mode has a part: numbers by chance, always the same.
static void begin(large* g, int width)
{
    uint64_t state = 14;
    for (size_t i = 0; i < (size_t)width * (size_t)g->n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        g->X[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
    symmetric(g, &g->M, width, g->X, g->Y);
}

/// One turn: X := A Y with Y = M X, and in its space the modes of X'K X, X'M X (Rayleigh and Ritz).
static pkm_status turn(large* g, int width)
{
    flexibility(g, width, g->Y, g->X);
    for (int k = 0; k < width && g->lambda[0] > 0.0; ++k) { // of the size of 1 again
        const size_t at = (size_t)k * (size_t)g->n;
        pkm_dscal(g->n, g->lambda[k], g->X + at, 1);
        pkm_dscal(g->n, g->lambda[k], g->Y + at, 1);
    }
    symmetric(g, &g->M, width, g->X, g->Z);
    gram(g, width, width, g->X, g->Y, g->Kq); // K X = Y: loads in balance leave the node unloaded
    gram(g, width, width, g->X, g->Z, g->Mq);
    for (int j = 0; j < width; ++j)
        for (int i = 0; i < j; ++i)
            g->Kq[j * width + i] = g->Kq[i * width + j] =
                0.5 * (g->Kq[j * width + i] + g->Kq[i * width + j]);
    memcpy(g->before, g->lambda, (size_t)width * sizeof(double));
    PKM_TRY(pkm_eigen_lowest(g->r->eigen, width, g->Kq, g->Mq, width, g->lambda, g->V));
    const size_t size = (size_t)width * (size_t)g->n * sizeof(double);
    pkm_dgemm('N', 'N', g->n, width, width, 1.0, g->X, g->n, g->V, width, 0.0, g->Y, g->n);
    memcpy(g->X, g->Y, size);
    pkm_dgemm('N', 'N', g->n, width, width, 1.0, g->Z, g->n, g->V, width, 0.0, g->Y, g->n);
    return PKM_OK;
}

static bool stands(const large* g, int n_mode)
{
    for (int k = 0; k < n_mode; ++k)
        if (!(fabs(g->lambda[k] - g->before[k]) <= SAME * g->lambda[k])) return false;
    return true;
}

/// The lowest n_mode modes: X and lambda. A shape has half the digits of its lambda: as many turns
/// again as lambda took.
static pkm_status iterate(large* g, int n_mode)
{
    const int width = 2 * n_mode + SPARE;
    int stood = 0;
    memset(g->lambda, 0, (size_t)width * sizeof(double));
    begin(g, width);
    for (int k = 1; k <= MAX_TURN; ++k) {
        const pkm_status status = turn(g, width);
        if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_RETRY;
        if (stood == 0 && stands(g, n_mode)) stood = k;
        if (stood > 0 && k >= 2 * stood) return PKM_OK;
    }
    return PKM_RETRY;
}

static int most_modes(const reduction* r)
{
    return r->n / FEW;
}

bool pkm_beam_is_large(const reduction* r, const pkm_beam_reduction* s)
{
    const pkm_beam_choice choice = pkm_beam_reduction_choice(s);
    return r->n >= LARGE && s->n_fixed == r->n_i && s->n_mode <= most_modes(r) &&
           (s->n_mode > 0 || s->below > 0.0) && !pkm_beam_choice_is_picky(&choice);
}

/// The modes that are kept: `n_keep`, and their shapes in X.
static pkm_status find_kept(large* g, const pkm_beam_reduction* s, pkm_error* err)
{
    const double limit = s->below > 0.0 ? s->below * s->below : INFINITY;
    const int most = most_modes(g->r);
    int n_mode = s->n_mode > 0 ? s->n_mode : FIRST < most ? FIRST : most;
    PKM_TRY(iterate(g, n_mode));
    while (s->n_mode == 0 && g->lambda[n_mode - 1] < limit) {
        if (n_mode == most) return PKM_RETRY;
        n_mode = 2 * n_mode < most ? 2 * n_mode : most;
        PKM_TRY(iterate(g, n_mode));
    }
    // the block knows the next ones well enough to tell whether they belong to the last that is
    // asked
    const int whole = pkm_beam_whole_sets(n_mode, n_mode + MOST_EQUAL, g->lambda);
    if (s->n_mode > 0 && whole > n_mode) PKM_TRY(iterate(g, n_mode = whole));
    if (!(rigid_lambda(g) < PKM_BEAM_RIGID * g->lambda[0])) return fail_rigid(err);
    g->r->n_keep = 0;
    while (g->r->n_keep < n_mode && g->lambda[g->r->n_keep] < limit)
        ++g->r->n_keep;
    g->r->n_keep = pkm_beam_whole_sets(g->r->n_keep, n_mode, g->lambda);
    return PKM_OK;
}

// ---- static correction -------------------------------------------------------------------------

/// The loads: ones at the boundary coordinates, which are the first, then centrifugal forces.
static pkm_status list_loads(const large* g, const pkm_beam_mesh* mesh, int n_load, double* f)
{
    static const int entry[N_INERTIA][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}};
    const size_t n = (size_t)g->n;
    memset(f, 0, (size_t)n_load * n * sizeof *f);
    for (int a = 0; a < g->r->n_b; ++a)
        f[(size_t)a * n + (size_t)a] = 1.0;
    if (n_load == g->r->n_b) return PKM_OK;
    double* load = pkm_alloc(n, sizeof *load);
    if (!load) return PKM_ERR_MEMORY;
    for (int j = 0; j < N_INERTIA; ++j) {
        pkm_beam_mesh_centrifugal(mesh, entry[j][0], entry[j][1], load);
        for (size_t i = 0; i < n; ++i)
            f[(size_t)(g->r->n_b + j) * n + i] = load[g->r->order[i]];
    }
    pkm_free(load);
    return PKM_OK;
}

/// What the kept modes do not do of A f: X -= Phi Phi'f / lambda; rounding in modes that are rigid
/// or kept is taken away.
static void take_kept(large* g, const double* Phi, const double* MPhi, int m, const double* f,
                      double* X)
{
    const int n_keep = g->r->n_keep;
    for (int k = 0; k < n_keep; ++k) {
        const double* phi = Phi + (size_t)k * (size_t)g->n;
        for (int a = 0; a < m; ++a) {
            const size_t at = (size_t)a * (size_t)g->n;
            const double w = pkm_ddot(g->n, phi, 1, f + at, 1);
            pkm_daxpy(g->n, -w / g->lambda[k], phi, 1, X + at, 1);
        }
    }
    project(g, n_keep, Phi, MPhi, m, X, g->V);
    project(g, N_RIGID, g->R, g->MR, m, X, g->V);
}

/// Directions of X that the scaled loads excite (4.6): X := X S F sigma^-1/2, with X'K X = 1.
static pkm_status excited(large* g, int n_load, const double* scale, double* X, int* count)
{
    double *F = g->Kq, *sigma = g->before;
    for (int a = 0; a < n_load; ++a)
        pkm_dscal(g->n, scale[a], X + (size_t)a * (size_t)g->n, 1);
    symmetric(g, &g->K, n_load, X, g->Z);
    gram(g, n_load, n_load, X, g->Z, F);
    PKM_TRY(pkm_lapack_status(pkm_dsyev('V', 'L', n_load, F, n_load, sigma), PKM_ERR_CONVERGENCE));
    int m = 0;
    while (m < n_load && sigma[n_load - 1 - m] > PKM_BEAM_NO_FLEXIBILITY)
        ++m;
    for (int e = 0; e < m; ++e)
        for (int a = 0; a < n_load; ++a)
            g->V[e * n_load + a] = F[(n_load - 1 - e) * n_load + a] / sqrt(sigma[n_load - 1 - e]);
    pkm_dgemm('N', 'N', g->n, m, n_load, 1.0, X, g->n, g->V, n_load, 0.0, g->Z, g->n);
    memcpy(X, g->Z, (size_t)m * (size_t)g->n * sizeof *X);
    *count = m;
    return PKM_OK;
}

/// The static correction as orthonormal modes: 1 w = lambda (X'M X) w in that space.
static pkm_status add_static(large* g, int m, const double* X, pkm_beam_modes* out)
{
    symmetric(g, &g->M, m, X, g->Z);
    gram(g, m, m, X, g->Z, g->Mq);
    memset(g->Kq, 0, (size_t)m * (size_t)m * sizeof *g->Kq);
    for (int k = 0; k < m; ++k)
        g->Kq[k * m + k] = 1.0;
    PKM_TRY(pkm_eigen_lowest(g->r->eigen, m, g->Kq, g->Mq, m, g->before, g->V));
    pkm_dgemm('N', 'N', g->n, m, m, 1.0, X, g->n, g->V, m, 0.0, g->Z, g->n);
    for (int k = 0; k < m; ++k)
        pkm_beam_modes_add(g->r, out, g->before[k], g->Z + (size_t)k * (size_t)g->n);
    out->n_static = m;
    return PKM_OK;
}

/// `loads` holds n x 2 n_load numbers and the scales.
static pkm_status correct(large* g, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                          int n_load, double* loads, pkm_beam_modes* out)
{
    const size_t n = (size_t)g->n;
    double *f = loads, *X = f + (size_t)n_load * n, *scale = X + (size_t)n_load * n;
    // the kept modes move out of the block, which the loads need
    double *Phi = g->r->T, *MPhi = g->r->Y;
    int m = 0;
    memcpy(Phi, g->X, (size_t)g->r->n_keep * n * sizeof *Phi);
    symmetric(g, &g->M, g->r->n_keep, Phi, MPhi);
    PKM_TRY(list_loads(g, mesh, n_load, f));
    memcpy(g->Y, f, (size_t)n_load * n * sizeof *f);
    flexibility(g, n_load, g->Y, X);
    for (int a = 0; a < n_load; ++a)
        scale[a] = pkm_ddot(g->n, f + (size_t)a * n, 1, X + (size_t)a * n, 1);
    pkm_beam_scale_loads(g->r, s->loaded, n_load, scale, scale);
    take_kept(g, Phi, MPhi, n_load, f, X);
    PKM_TRY(excited(g, n_load, scale, X, &m));
    return m > 0 ? add_static(g, m, X, out) : PKM_OK;
}

static pkm_status find_static(large* g, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                              pkm_beam_modes* out)
{
    const int n_load = g->r->n_b + (pkm_beam_has_inertia(g->r, s) ? N_INERTIA : 0);
    double* loads = pkm_alloc((size_t)n_load * (2 * (size_t)g->n + 1), sizeof *loads);
    if (!loads) return PKM_ERR_MEMORY;
    const pkm_status status = correct(g, mesh, s, n_load, loads, out);
    pkm_free(loads);
    return status;
}

static pkm_status reduce(large* g, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                         pkm_beam_modes** out, pkm_error* err)
{
    if (!pkm_skyline_factor(&g->L, LEAST_PIVOT)) return fail_rigid(err);
    PKM_TRY(rigid_motions(g));
    PKM_TRY(find_kept(g, s, err));
    PKM_TRY(pkm_beam_modes_create(g->r, out));
    for (int k = 0; k < g->r->n_keep; ++k)
        pkm_beam_modes_add(g->r, *out, g->lambda[k], g->X + (size_t)k * (size_t)g->n);
    return s->without_static ? PKM_OK : find_static(g, mesh, s, *out);
}

pkm_status pkm_beam_reduce_large(reduction* r, const pkm_beam_mesh* mesh,
                                 const pkm_beam_reduction* s, pkm_beam_modes** out, pkm_error* err)
{
    const int n_mode = s->n_mode > 0 ? s->n_mode : most_modes(r);
    const int n_load = r->n_b + N_INERTIA, n_block = 2 * (n_mode + MOST_EQUAL) + SPARE;
    large g;
    pkm_status status = large_create(&g, r, n_block > n_load ? n_block : n_load);
    if (status == PKM_OK) status = reduce(&g, mesh, s, out, err);
    large_free(&g);
    return status;
}
