// From a mesh to few orthonormal modes of the free body, by dense matrices: constraint modes of the
// boundary and modes with held boundary (Craig and Bampton), the eigenvectors of both together,
// those that are wanted, and static shapes for what the dropped ones would have yielded. Fine
// meshes go to reduce_large.c. Called by flexible/body.c. Equations: docs/theory/beams.md, section
// 4.
#include "beam/reduce_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "math/lapack.h"

#include <string.h>

// Held-boundary modes up to this multiple of the highest kept frequency go into the basis.
static const double MARGIN = 3.0;

/// Ratio of critical damping that Adams gives to modes by default: 1 % below 100 Hz, 10 % below
/// 1000 Hz, 100 % above.
double pkm_beam_adams_damping(double omega)
{
    if (omega < 100.0 * PKM_TURN) return 0.01;
    return omega < 1000.0 * PKM_TURN ? 0.1 : 1.0;
}

static void reduction_free(reduction* r)
{
    pkm_free(r->order);
    pkm_free(r->block);
    pkm_eigen_free(r->eigen);
}

static pkm_status reduction_create(reduction* r, int n)
{
    const size_t nn = (size_t)n * (size_t)n;
    r->n = n;
    r->order = pkm_alloc((size_t)n, sizeof *r->order);
    r->block = pkm_alloc(7 * nn + (size_t)n, sizeof *r->block);
    if (!r->order || !r->block) return PKM_ERR_MEMORY;
    double** const matrix[] = {&r->K, &r->M, &r->T, &r->Kc, &r->Mc, &r->Y, &r->work};
    for (size_t k = 0; k < 7; ++k)
        *matrix[k] = r->block + k * nn;
    r->lambda = r->block + 7 * nn;
    return pkm_eigen_create(n, &r->eigen);
}

// ---- the pieces --------------------------------------------------------------------------------

/// Boundary coordinates first.
static pkm_status sort_coordinates(reduction* r, const pkm_beam_mesh* mesh, int n_boundary,
                                   const int* boundary, pkm_error* err)
{
    for (int k = 0; k < n_boundary; ++k) {
        for (int d = 0; d < 6; ++d) {
            const int at = pkm_beam_mesh_coordinate(mesh, boundary[k], d);
            if (at == PKM_NONE)
                return pkm_fail(err, PKM_ERR_MODEL,
                                "flexible body: boundary node %d is held or follows another",
                                boundary[k]);
            for (int i = 0; i < r->n_b; ++i)
                if (r->order[i] == at)
                    return pkm_fail(err, PKM_ERR_ARGUMENT,
                                    "flexible body: boundary node %d is given twice", boundary[k]);
            r->order[r->n_b++] = at;
        }
    }
    int next = r->n_b;
    for (int at = 0; at < r->n; ++at) {
        bool is_boundary = false;
        for (int i = 0; i < r->n_b; ++i)
            is_boundary = is_boundary || r->order[i] == at;
        if (!is_boundary) r->order[next++] = at;
    }
    r->n_i = r->n - r->n_b;
    return PKM_OK;
}

/// A in the order of the reduction; `work` holds it in the order of the mesh.
static void permute(const reduction* r, double* A)
{
    for (int j = 0; j < r->n; ++j)
        for (int i = 0; i < r->n; ++i)
            A[(size_t)j * (size_t)r->n + (size_t)i] =
                r->work[(size_t)r->order[j] * (size_t)r->n + (size_t)r->order[i]];
}

/// The block of A from (row, column) on, rows x columns, packed.
static void take_block(const reduction* r, const double* A, int row, int column, int rows,
                       int columns, double* out)
{
    for (int j = 0; j < columns; ++j)
        memcpy(out + (size_t)j * (size_t)rows,
               A + (size_t)(column + j) * (size_t)r->n + (size_t)row, (size_t)rows * sizeof *out);
}

/// C (p x m) = A' (A is n x p) B (B is n x m).
static void transposed_product(int n, int p, int m, const double* A, const double* B, double* C)
{
    for (int j = 0; j < m; ++j) {
        for (int i = 0; i < p; ++i) {
            const double *a = A + (size_t)i * (size_t)n, *b = B + (size_t)j * (size_t)n;
            double sum = 0.0;
            for (int k = 0; k < n; ++k)
                sum += a[k] * b[k];
            C[(size_t)j * (size_t)p + (size_t)i] = sum;
        }
    }
}

/// C (n x m) = A (n x p) B (p x m).
static void product(int n, int p, int m, const double* A, const double* B, double* C)
{
    memset(C, 0, (size_t)n * (size_t)m * sizeof *C);
    for (int j = 0; j < m; ++j) {
        for (int k = 0; k < p; ++k) {
            const double b = B[(size_t)j * (size_t)p + (size_t)k];
            if (b == 0.0) continue;
            const double* a = A + (size_t)k * (size_t)n;
            for (int i = 0; i < n; ++i)
                C[(size_t)j * (size_t)n + (size_t)i] += a[i] * b;
        }
    }
}

/// Constraint modes (4.2): the interior at rest when one boundary coordinate is moved by 1,
/// Psi = -K_ii^-1 K_ib; the first n_b columns of T.
static pkm_status constraint_modes(reduction* r, pkm_error* err)
{
    memset(r->T, 0, (size_t)r->n * (size_t)r->n * sizeof *r->T);
    for (int b = 0; b < r->n_b; ++b)
        r->T[(size_t)b * (size_t)r->n + (size_t)b] = 1.0;
    if (r->n_i == 0) return PKM_OK;
    take_block(r, r->K, r->n_b, r->n_b, r->n_i, r->n_i, r->Kc);
    take_block(r, r->K, r->n_b, 0, r->n_i, r->n_b, r->work);
    // not positive: something inside moves without strain
    if (pkm_dposv('L', r->n_i, r->n_b, r->Kc, r->n_i, r->work, r->n_i) != 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "flexible body: a part can move although the boundary nodes are held");
    for (int b = 0; b < r->n_b; ++b)
        for (int i = 0; i < r->n_i; ++i)
            r->T[(size_t)b * (size_t)r->n + (size_t)(r->n_b + i)] =
                -r->work[(size_t)b * (size_t)r->n_i + (size_t)i];
    return PKM_OK;
}

/// How many held-boundary modes the basis gets.
static int choose_fixed(const reduction* r, const pkm_beam_reduction* s)
{
    if (s->n_fixed > 0) return s->n_fixed;
    // as many as are kept; for a frequency those up to MARGIN times as high
    if (s->n_mode > 0)
        return pkm_beam_whole_sets(s->n_mode < r->n_i ? s->n_mode : r->n_i, r->n_i, r->lambda);
    if (!(s->below > 0.0)) return r->n_i;
    int count = 0;
    while (count < r->n_i && r->lambda[count] < MARGIN * MARGIN * s->below * s->below)
        ++count;
    return count;
}

/// Modes with held boundary (4.3): the next n_fixed columns of T.
static pkm_status fixed_modes(reduction* r, const pkm_beam_reduction* s)
{
    r->n_fixed = 0;
    if (r->n_i > 0) {
        take_block(r, r->K, r->n_b, r->n_b, r->n_i, r->n_i, r->Kc);
        take_block(r, r->M, r->n_b, r->n_b, r->n_i, r->n_i, r->Mc);
        PKM_TRY(pkm_eigen_lowest(r->eigen, r->n_i, r->Kc, r->Mc, r->n_i, r->lambda, r->Y));
        r->n_fixed = choose_fixed(r, s);
    }
    for (int k = 0; k < r->n_fixed; ++k)
        memcpy(r->T + (size_t)(r->n_b + k) * (size_t)r->n + (size_t)r->n_b,
               r->Y + (size_t)k * (size_t)r->n_i, (size_t)r->n_i * sizeof *r->T);
    r->n_c = r->n_b + r->n_fixed;
    return PKM_OK;
}

/// Modes of the reduced system (4.4): lambda and Y = T y (n x n_c), the six rigid ones first.
static pkm_status orthonormalise(reduction* r, pkm_error* err)
{
    // T'K T and T'M T, lambda and y of (4.4)
    product(r->n, r->n, r->n_c, r->K, r->T, r->work);
    transposed_product(r->n, r->n_c, r->n_c, r->T, r->work, r->Kc);
    product(r->n, r->n, r->n_c, r->M, r->T, r->work);
    transposed_product(r->n, r->n_c, r->n_c, r->T, r->work, r->Mc);
    PKM_TRY(pkm_eigen_lowest(r->eigen, r->n_c, r->Kc, r->Mc, r->n_c, r->lambda, r->work));
    product(r->n, r->n_c, r->n_c, r->T, r->work, r->Y);
    if (r->n_c <= N_RIGID || !(fabs(r->lambda[N_RIGID - 1]) < PKM_BEAM_RIGID * r->lambda[N_RIGID]))
        return pkm_fail(err, PKM_ERR_MODEL,
                        "flexible body: it must be free to move, and in one piece");
    return PKM_OK;
}

/// Two modes of one frequency (round sections) may be turned into each other. So that results do
/// not hang on rounding, the pair is turned until at its largest coordinate only the first of them
/// moves.
void pkm_beam_align_pairs(int n, int n_mode, const double* omega, double* X)
{
    static const double SAME = 1e-6; // relative
    for (int k = 0; k + 1 < n_mode; ++k) {
        if (fabs(omega[k + 1] - omega[k]) > SAME * omega[k]) continue;
        double *a = X + (size_t)k * (size_t)n, *b = a + n, most = 0.0;
        int at = 0;
        for (int i = 0; i < n; ++i) {
            const double size = hypot(a[i], b[i]);
            if (size <= most * (1.0 + SAME)) continue;
            most = size;
            at = i;
        }
        const double c = a[at] / most, s = b[at] / most;
        for (int i = 0; i < n; ++i) {
            const double ai = a[i], bi = b[i];
            a[i] = c * ai + s * bi;
            b[i] = c * bi - s * ai;
        }
        // a pair is done: its second mode has no third
        ++k;
    }
}

/// Bring mode `from` to the place `to` before it; those between them follow behind.
static void move_forward(reduction* r, int from, int to)
{
    const size_t n = (size_t)r->n, place = (size_t)to;
    const double lambda = r->lambda[from];
    double* Y = r->Y + place * n;
    memcpy(r->work, r->Y + (size_t)from * n, n * sizeof *Y);
    memmove(Y + n, Y, (size_t)(from - to) * n * sizeof *Y);
    memcpy(Y, r->work, n * sizeof *Y);
    memmove(r->lambda + to + 1, r->lambda + to, (size_t)(from - to) * sizeof lambda);
    r->lambda[to] = lambda;
}

pkm_beam_choice pkm_beam_reduction_choice(const pkm_beam_reduction* s)
{
    return (pkm_beam_choice){s->n_mode, s->below, s->chosen, s->disabled};
}

/// Flexible modes kept for their number or frequency, or chosen one by one; they follow the rigid
/// ones in Y.
static pkm_status choose_kept(reduction* r, const pkm_beam_reduction* s, pkm_error* err)
{
    const pkm_beam_choice choice = pkm_beam_reduction_choice(s);
    const size_t n = (size_t)r->n;
    int* kept = pkm_alloc((size_t)r->n_c, sizeof *kept);
    if (!kept) return PKM_ERR_MEMORY;
    const pkm_status status =
        pkm_beam_choice_find(&choice, r->n_c, r->lambda, kept, &r->n_keep, err);
    if (status == PKM_OK && pkm_beam_choice_is_picky(&choice)) {
        for (int k = 0; k < r->n_c; ++k) // omega for the alignment; free by now
            r->Kc[k] = sqrt(fabs(r->lambda[k]));
        pkm_beam_align_pairs(r->n, r->n_c - N_RIGID, r->Kc + N_RIGID, r->Y + N_RIGID * n);
        for (int k = 0; k < r->n_keep; ++k)
            move_forward(r, kept[k], N_RIGID + k);
    }
    pkm_free(kept);
    return status;
}

// ---- static correction -------------------------------------------------------------------------

/// The loads for which statics is to be exact, by their work on the modes: unit forces and torques
/// at the boundary coordinates, then forces of inertia.
typedef struct loads {
    int n;         ///< loads
    double* work;  ///< [n_c x n] of load a on mode k at a n_c + k
    double* scale; ///< [n] 1 / sqrt of its flexibility: makes metres and radians equal; 0: not
                   ///< wanted
} loads;

/// Centrifugal forces rho W x with the six symmetric matrices W: their work on mode k is W : int
/// rho x phi_k' (4.7). Accelerations of the body as a whole need no shape: joints balance them.
static pkm_status inertia_work(const reduction* r, const pkm_beam_mesh* mesh, loads* l)
{
    static const int entry[N_INERTIA][2] = {{0, 0}, {4, 4}, {8, 8}, {3, 1}, {6, 2}, {7, 5}};
    const size_t n = (size_t)r->n;
    double* X = pkm_alloc((size_t)r->n_c * n, sizeof *X);
    if (!X) return PKM_ERR_MEMORY;
    for (size_t k = 0; k < (size_t)r->n_c; ++k)
        for (size_t i = 0; i < n; ++i)
            X[k * n + (size_t)r->order[i]] = r->Y[k * n + i];
    const pkm_beam_modes all = {.n = r->n, .n_mode = r->n_c, .X = X};
    pkm_beam_integrals* integrals = NULL;
    const pkm_status status = pkm_beam_integrals_of_each(mesh, &all, &integrals);
    for (int j = 0; status == PKM_OK && j < N_INERTIA; ++j)
        for (int k = 0; k < r->n_c; ++k) {
            const double* C = integrals->cross + 9 * k;
            l->work[(r->n_b + j) * r->n_c + k] = C[entry[j][0]] + C[entry[j][1]];
        }
    pkm_beam_integrals_free(integrals);
    pkm_free(X);
    return status;
}

/// What load a does to the flexible modes `from` on: sum of work^2 / lambda.
static double flexibility_of(const reduction* r, const loads* l, int from, int a, int b)
{
    double sum = 0.0;
    for (int k = from; k < r->n_c; ++k)
        sum += l->work[a * r->n_c + k] * l->work[b * r->n_c + k] / r->lambda[k];
    return sum;
}

// Loads at coordinates that no joint loads are not wanted, nor forces of inertia that do next to
// nothing: those across a straight rod turn it as a whole.
void pkm_beam_scale_loads(const reduction* r, const unsigned* loaded, int n,
                          const double* flexibility, double* scale)
{
    static const double NOTHING = 1e-3;
    double most = 0.0;
    for (int a = r->n_b; a < n; ++a)
        most = fmax(most, flexibility[a]);
    for (int a = 0; a < n; ++a) {
        const double sum = flexibility[a];
        const bool wanted =
            a >= r->n_b ? sum > NOTHING * most : !loaded || (loaded[a / 6] >> (a % 6) & 1u);
        scale[a] = wanted && sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
    }
}

bool pkm_beam_has_inertia(const reduction* r, const pkm_beam_reduction* s)
{
    return !s->without_inertia && r->n >= r->n_b + N_INERTIA;
}

static void loads_free(loads* l)
{
    pkm_free(l->work);
    pkm_free(l->scale);
}

static pkm_status list_loads(const reduction* r, const pkm_beam_mesh* mesh,
                             const pkm_beam_reduction* s, loads* l)
{
    const bool has_inertia = pkm_beam_has_inertia(r, s);
    l->n = r->n_b + (has_inertia ? N_INERTIA : 0);
    l->work = pkm_alloc((size_t)l->n * (size_t)r->n_c, sizeof *l->work);
    l->scale = pkm_alloc((size_t)l->n, sizeof *l->scale);
    if (!l->work || !l->scale) return PKM_ERR_MEMORY;
    for (int a = 0; a < r->n_b; ++a)
        for (int k = 0; k < r->n_c; ++k)
            // a unit force at a boundary coordinate works on mode k by that entry of it
            l->work[a * r->n_c + k] = r->Y[(size_t)k * (size_t)r->n + (size_t)a];
    if (has_inertia) PKM_TRY(inertia_work(r, mesh, l));
    for (int a = 0; a < l->n; ++a)
        // work^2/lambda over all flexible modes [m/N, rad/(N m)]
        l->scale[a] = flexibility_of(r, l, N_RIGID, a, a);
    pkm_beam_scale_loads(r, s->loaded, l->n, l->scale, l->scale);
    return PKM_OK;
}

/// Directions of the dropped modes that the loads can excite (4.6): Z (n_drop x m) with
/// Z' diag(lambda) Z = 1 from the eigenvectors of F, whose eigenvalues are in `sigma`.
static int excited(const reduction* r, int from, const loads* l, const double* F,
                   const double* sigma, double* Z)
{
    const int n_drop = r->n_c - from;
    int m = 0;
    for (int e = l->n - 1; e >= 0 && m < n_drop; --e) {
        if (!(sigma[e] > PKM_BEAM_NO_FLEXIBILITY)) break; // rising order: the rest is smaller
        for (int k = 0; k < n_drop; ++k) {
            double sum = 0.0;
            for (int a = 0; a < l->n; ++a)
                sum += l->work[a * r->n_c + from + k] * l->scale[a] *
                       F[(size_t)e * (size_t)l->n + (size_t)a];
            Z[(size_t)m * (size_t)n_drop + (size_t)k] =
                sum / (r->lambda[from + k] * sqrt(sigma[e]));
        }
        ++m;
    }
    return m;
}

/// The static correction as orthonormal modes: `count` columns X (n x count) in the order of the
/// reduction, with their lambda. `X` has room for all loads. The flexibility that the loads see in
/// the dropped modes is F_ab = s_a s_b sum w_a w_b / lambda (4.5).
static pkm_status static_modes(reduction* r, const loads* l, double* X, double* lambda, int* count)
{
    const int from = N_RIGID + r->n_keep, n_drop = r->n_c - from;
    *count = 0;
    if (n_drop == 0) return PKM_OK;
    double *sigma = r->K, *F = r->Kc, *Z = r->T; // these are free by now
    for (int b = 0; b < l->n; ++b)
        for (int a = 0; a < l->n; ++a)
            F[b * l->n + a] = l->scale[a] * l->scale[b] * flexibility_of(r, l, from, a, b);
    PKM_TRY(pkm_lapack_status(pkm_dsyev('V', 'L', l->n, F, l->n, sigma), PKM_ERR_CONVERGENCE));
    const int m = excited(r, from, l, F, sigma, Z);
    if (m == 0) return PKM_OK;

    // orthonormal within that space: 1 w = lambda (Z'Z) w
    double *unit = r->Kc, *ZZ = r->Mc, *W = r->work, *ZW = r->M;
    memset(unit, 0, (size_t)m * (size_t)m * sizeof *unit);
    for (int k = 0; k < m; ++k)
        unit[(size_t)k * (size_t)m + (size_t)k] = 1.0;
    transposed_product(n_drop, m, m, Z, Z, ZZ);
    PKM_TRY(pkm_eigen_lowest(r->eigen, m, unit, ZZ, m, lambda, W));
    product(n_drop, m, m, Z, W, ZW);
    product(r->n, n_drop, m, r->Y + (size_t)from * (size_t)r->n, ZW, X);
    *count = m;
    return PKM_OK;
}

// ---- together ----------------------------------------------------------------------------------

void pkm_beam_modes_free(pkm_beam_modes* modes)
{
    if (!modes) return;
    pkm_free(modes->omega);
    pkm_free(modes->X);
    pkm_free(modes);
}

pkm_status pkm_beam_modes_create(const reduction* r, pkm_beam_modes** out)
{
    const int n_mode = r->n_keep + r->n_b + N_INERTIA;
    pkm_beam_modes* modes = *out = pkm_alloc(1, sizeof *modes);
    if (!modes) return PKM_ERR_MEMORY;
    modes->n = r->n;
    modes->omega = pkm_alloc((size_t)n_mode, sizeof *modes->omega);
    modes->X = pkm_alloc((size_t)r->n * (size_t)n_mode, sizeof *modes->X);
    return modes->omega && modes->X ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_beam_modes_add(const reduction* r, pkm_beam_modes* modes, double lambda, const double* x)
{
    double* to = modes->X + (size_t)modes->n_mode * (size_t)modes->n;
    for (int i = 0; i < r->n; ++i)
        to[r->order[i]] = x[i];
    modes->omega[modes->n_mode++] = sqrt(lambda);
}

static pkm_status add_static(reduction* r, const loads* l, pkm_beam_modes* out)
{
    double* X = pkm_alloc((size_t)(r->n + 1) * (size_t)l->n, sizeof *X);
    if (!X) return PKM_ERR_MEMORY;
    double* lambda = X + (size_t)r->n * (size_t)l->n;
    const pkm_status status = static_modes(r, l, X, lambda, &out->n_static);
    for (int k = 0; status == PKM_OK && k < out->n_static; ++k)
        pkm_beam_modes_add(r, out, lambda[k], X + (size_t)k * (size_t)r->n);
    pkm_free(X);
    return status;
}

static pkm_status collect(reduction* r, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                          pkm_beam_modes** out)
{
    PKM_TRY(pkm_beam_modes_create(r, out));
    for (int k = N_RIGID; k < N_RIGID + r->n_keep; ++k)
        pkm_beam_modes_add(r, *out, r->lambda[k], r->Y + (size_t)k * (size_t)r->n);
    if (s->without_static) return PKM_OK;
    loads l = {0};
    pkm_status status = list_loads(r, mesh, s, &l);
    if (status == PKM_OK) status = add_static(r, &l, *out);
    loads_free(&l);
    return status;
}

/// All modes of the basis, by dense matrices.
static pkm_status reduce_dense(reduction* r, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                               pkm_beam_modes** out, pkm_error* err)
{
    PKM_TRY(constraint_modes(r, err));
    PKM_TRY(fixed_modes(r, s));
    PKM_TRY(orthonormalise(r, err));
    PKM_TRY(choose_kept(r, s, err));
    return collect(r, mesh, s, out);
}

static pkm_status reduce(reduction* r, const pkm_beam_mesh* mesh, const pkm_beam_reduction* s,
                         pkm_beam_modes** out, pkm_error* err)
{
    pkm_beam_mesh_stiffness(mesh, r->work);
    permute(r, r->K);
    pkm_beam_mesh_mass(mesh, r->work);
    permute(r, r->M);
    pkm_status status = PKM_RETRY;
    if (pkm_beam_is_large(r, s)) status = pkm_beam_reduce_large(r, mesh, s, out, err);
    if (status == PKM_RETRY) status = reduce_dense(r, mesh, s, out, err);
    if (status == PKM_OK) pkm_beam_align_pairs((*out)->n, (*out)->n_mode, (*out)->omega, (*out)->X);
    return status;
}

static pkm_status check_settings(const pkm_beam_mesh* mesh, int n_boundary,
                                 const pkm_beam_reduction* s, pkm_error* err)
{
    if (n_boundary < 1)
        return pkm_fail(err, PKM_ERR_MODEL, "flexible body: there is no joint on it");
    const int n_i = pkm_beam_mesh_size(mesh) - 6 * n_boundary;
    if (s->n_mode < 0 || s->n_fixed < 0 || !(s->below >= 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "flexible body: %d modes, %d with held boundary, below %g rad/s, expected "
                        ">= 0",
                        s->n_mode, s->n_fixed, s->below);
    if (s->n_fixed > n_i)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "flexible body: %d modes with held boundary asked of %d coordinates",
                        s->n_fixed, n_i);
    return PKM_OK;
}

pkm_status pkm_beam_reduce(const pkm_beam_mesh* mesh, int n_boundary, const int* boundary,
                           const pkm_beam_reduction* settings, pkm_beam_modes** out, pkm_error* err)
{
    *out = NULL;
    PKM_TRY(check_settings(mesh, n_boundary, settings, err));
    reduction r = {0};
    pkm_status status = reduction_create(&r, pkm_beam_mesh_size(mesh));
    if (status == PKM_OK) status = sort_coordinates(&r, mesh, n_boundary, boundary, err);
    if (status == PKM_OK) status = reduce(&r, mesh, settings, out, err);
    reduction_free(&r);
    if (status != PKM_OK) {
        pkm_beam_modes_free(*out);
        *out = NULL;
        if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    }
    return status;
}
