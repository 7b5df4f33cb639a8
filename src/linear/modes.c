// Natural frequencies at a pose: K_y y = omega^2 M_y y as in docs/theory/beams.md, section 5,
// shares of energy (4.1), damped frequencies and ratios (6.1), those and some more modes at once so
// that damping couples them. Equations: docs/theory/modes.md, sections 3, 4 and 6.
#include "linear/modes.h"
#include "math/lapack.h"

#include "base/error.h"
#include "linear/modes_impl.h"

#include <math.h>
#include <string.h>

// Modes beyond those asked for that take part in damping.
enum { FURTHER = 16 };
// lambda below this part of the largest K_ii/M_ii is rounding: a motion without stiffness.
static const double NO_STIFFNESS = 1e-14;
// And so is this, where nothing has any stiffness [rad2/s2].
static const double NOTHING = 1e-10;

// ---- memory -----------------------------------------------------------------------------------

/// c modes of n coordinates; the companion matrix of damping is 2 c x 2 c, in work of 4 c^2.
static bool make_work(struct pkm_modes_work* w, int n_all, int n_mode)
{
    const int most = n_mode + FURTHER;
    w->n_calc = most < n_all ? most : n_all;
    const size_t n = (size_t)n_all, c = (size_t)w->n_calc;
    w->n_lapack = 20 * w->n_calc;
    w->block = pkm_alloc(c + 2 * n * c + c * c + 4 * c * c + 4 * c + (size_t)w->n_lapack,
                         sizeof *w->block);
    if (!w->block || pkm_eigen_create(n_all, &w->eigen) != PKM_OK) return false;
    w->lambda = w->block;
    w->Y = w->lambda + c;
    w->x = w->Y + n * c;
    w->C = w->x + n * c;
    w->A = w->C + c * c;
    w->re = w->A + 4 * c * c;
    w->im = w->re + 2 * c;
    w->lapack = w->im + 2 * c;
    w->pivot = pkm_alloc(c, sizeof *w->pivot);
    return w->pivot != NULL;
}

static bool make_results(pkm_modes* m)
{
    const size_t n = (size_t)m->n_max;
    double** const list[] = {&m->omega, &m->drives, &m->springs, &m->prestress};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k)
        *list[k] = pkm_alloc(n, sizeof(double));
    m->shape = pkm_alloc(n * (size_t)m->n_all, sizeof(double));
    m->strain = pkm_alloc(n * (size_t)(PKM_N_STRAIN * m->n_part), sizeof(double));
    m->kinetic = pkm_alloc(n * (size_t)m->n_part, sizeof(double));
    m->damped = pkm_alloc(n, sizeof(double));
    m->ratio = pkm_alloc(n, sizeof(double));
    return m->omega && m->drives && m->springs && m->prestress && m->shape && m->strain &&
           m->kinetic && m->damped && m->ratio;
}

pkm_status pkm_modes_create(const pkm_elastic* elastic, int n_mode, pkm_modes** out)
{
    pkm_modes* m = *out = pkm_alloc(1, sizeof *m);
    if (!m) return PKM_ERR_MEMORY;
    m->n_all = pkm_elastic_most(elastic);
    m->n_part = pkm_elastic_parts(elastic);
    m->n_max = n_mode < m->n_all ? n_mode : m->n_all;
    m->work = pkm_alloc(1, sizeof *m->work);
    if (m->work && make_work(m->work, m->n_all, m->n_max) && make_results(m)) return PKM_OK;
    pkm_modes_free(m);
    *out = NULL;
    return PKM_ERR_MEMORY;
}

void pkm_modes_free(pkm_modes* m)
{
    if (!m) return;
    double* const list[] = {m->omega,  m->drives,  m->springs, m->prestress, m->shape,
                            m->strain, m->kinetic, m->damped,  m->ratio};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k)
        pkm_free(list[k]);
    if (m->work) {
        pkm_free(m->work->block);
        pkm_free(m->work->pivot);
        pkm_eigen_free(m->work->eigen);
    }
    pkm_free(m->work);
    pkm_free(m);
}

// ---- frequencies ------------------------------------------------------------------------------

/// Size of the largest lambda: the largest K_ii/M_ii.
static double largest_lambda(const pkm_elastic* elastic)
{
    const size_t n = (size_t)pkm_elastic_size(elastic);
    const double *K = pkm_elastic_stiffness(elastic), *M = pkm_elastic_mass(elastic);
    double largest = 0.0;
    // coordinates without mass have no lambda
    for (size_t i = 0; i < n; ++i)
        if (M[i * n + i] > 0.0) largest = fmax(largest, K[i * n + i] / M[i * n + i]);
    return largest;
}

static pkm_status explain(pkm_status status, pkm_error* err)
{
    if (status == PKM_ERR_SINGULAR)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "modes: something has neither mass nor stiffness, or static forces make "
                        "the robot unstable");
    return pkm_fail(err, status, "modes: the eigenvalues do not converge");
}

/// `n_mode` eigenvalues, and with `Y` the modes; n_mode is cut to those that are finite.
static pkm_status solve(pkm_elastic* elastic, pkm_modes* m, int* n_mode, double* Y, pkm_error* err)
{
    struct pkm_modes_work* w = m->work;
    const int n = pkm_elastic_size(elastic);
    // no more modes than coordinates
    if (*n_mode > n) *n_mode = n;
    const pkm_status status = pkm_eigen_lowest(w->eigen, n, pkm_elastic_stiffness(elastic),
                                               pkm_elastic_mass(elastic), *n_mode, w->lambda, Y);
    if (status != PKM_OK) return explain(status, err);
    // directions without mass come last and are no modes
    while (*n_mode > 0 && isinf(w->lambda[*n_mode - 1]))
        --*n_mode;
    // below zero by more than rounding the static forces have taken all stiffness away
    const double zero = fmax(NO_STIFFNESS * largest_lambda(elastic), NOTHING);
    for (int k = 0; k < *n_mode; ++k) {
        if (w->lambda[k] < -zero)
            return pkm_fail(
                err, PKM_ERR_SINGULAR,
                "modes: the static forces make the robot unstable (it buckles, or falls "
                "over)");
        if (w->lambda[k] < zero) w->lambda[k] = 0.0;
    }
    return PKM_OK;
}

pkm_status pkm_modes_frequencies(pkm_elastic* elastic, pkm_modes* m, pkm_error* err)
{
    m->n_mode = m->n_max;
    m->n_damped = 0;
    PKM_TRY(solve(elastic, m, &m->n_mode, NULL, err));
    for (int k = 0; k < m->n_mode; ++k)
        m->omega[k] = sqrt(m->work->lambda[k]);
    return PKM_OK;
}

// ---- energies ---------------------------------------------------------------------------------

/// Shares of strain energy by body and kind (4.1), of kinetic energy by body. With x'Mx = 1 half of
/// lambda is all that is stored: what is not strain belongs to static forces (5.2).
static void find_energies(const pkm_elastic* elastic, pkm_modes* m, int k)
{
    double* x = m->shape + (size_t)k * (size_t)m->n_all;
    pkm_elastic_energy energy = {.strain = m->strain + (size_t)(PKM_N_STRAIN * m->n_part * k),
                                 .kinetic = m->kinetic + (size_t)(m->n_part * k)};
    pkm_elastic_energies(elastic, x, &energy);
    double strain = energy.drives + energy.springs, kinetic = 0.0;
    for (int i = 0; i < PKM_N_STRAIN * m->n_part; ++i)
        strain += energy.strain[i];
    for (int i = 0; i < m->n_part; ++i)
        kinetic += energy.kinetic[i];
    // half of lambda beside the strain of the shape: what static forces add or take
    m->prestress[k] = strain > 0.0 ? 0.5 * m->work->lambda[k] / strain - 1.0 : 0.0;
    for (int i = 0; i < PKM_N_STRAIN * m->n_part; ++i)
        energy.strain[i] = strain > 0.0 ? energy.strain[i] / strain : 0.0;
    for (int i = 0; i < m->n_part; ++i)
        energy.kinetic[i] /= kinetic;
    m->drives[k] = strain > 0.0 ? energy.drives / strain : 0.0;
    m->springs[k] = strain > 0.0 ? energy.springs / strain : 0.0;
}

// ---- damping ----------------------------------------------------------------------------------

/// Eigenvalues of z'' + C z' + diag(lambda) z = 0 as those of [0 W; -W -C], W = diag(omega).
static bool damped_eigenvalues(struct pkm_modes_work* w, int n)
{
    const int N = 2 * n;
    memset(w->A, 0, (size_t)N * (size_t)N * sizeof *w->A);
    for (int i = 0; i < n; ++i) {
        const double omega = sqrt(w->lambda[i]);
        w->A[(n + i) * N + i] = omega;
        w->A[i * N + n + i] = -omega;
        for (int j = 0; j < n; ++j)
            // [0 W; -W -C] of (6.1), by columns
            w->A[(n + j) * N + n + i] = -w->C[j * n + i];
    }
    return pkm_dgeev(N, w->A, N, w->re, w->im, w->lapack, w->n_lapack) == 0;
}

/// Oscillating solutions by their frequency.
static void sort_damped(pkm_modes* m, int n)
{
    const struct pkm_modes_work* w = m->work;
    m->n_damped = 0;
    for (int i = 0; i < 2 * n; ++i) {
        // of each pair the one with Im s > 0; overdamped solutions are not listed
        if (!(w->im[i] > 0.0)) continue;
        const double size = hypot(w->re[i], w->im[i]);
        int k = m->n_damped < m->n_max ? m->n_damped++ : m->n_damped;
        if (k == m->n_max && w->im[i] >= m->damped[k - 1]) continue;
        if (k == m->n_max) --k;
        for (; k > 0 && m->damped[k - 1] > w->im[i]; --k) {
            m->damped[k] = m->damped[k - 1];
            m->ratio[k] = m->ratio[k - 1];
        }
        // s = Re + i Im: damped frequency Im s [rad/s], ratio -Re s/|s|; overdamped pairs are real
        // and have none
        m->damped[k] = w->im[i];
        m->ratio[k] = -w->re[i] / size;
    }
}

/// C between all modes found, then frequencies Im s and ratios -Re s/|s| of (6.1).
static pkm_status find_damped(const pkm_elastic* elastic, pkm_modes* m, int n, pkm_error* err)
{
    struct pkm_modes_work* w = m->work;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i <= j; ++i)
            w->C[j * n + i] = w->C[i * n + j] = pkm_elastic_damping(
                elastic, w->x + (size_t)i * (size_t)m->n_all, w->x + (size_t)j * (size_t)m->n_all);
    if (!damped_eigenvalues(w, n))
        return pkm_fail(err, PKM_ERR_CONVERGENCE, "modes: the damped eigenvalues do not converge");
    sort_damped(m, n);
    return PKM_OK;
}

pkm_status pkm_modes_solve(pkm_elastic* elastic, pkm_modes* m, pkm_error* err)
{
    struct pkm_modes_work* w = m->work;
    const bool is_damped = pkm_elastic_is_damped(elastic);
    const int n = pkm_elastic_size(elastic);
    // further modes take part in damping, and are left out of the answer
    int n_calc = is_damped ? w->n_calc : m->n_max;
    PKM_TRY(solve(elastic, m, &n_calc, w->Y, err));
    w->n_used = n_calc;
    w->is_damped = is_damped;
    // x = T y
    for (int k = 0; k < n_calc; ++k)
        pkm_elastic_expand(elastic, w->Y + (size_t)k * (size_t)n,
                           w->x + (size_t)k * (size_t)m->n_all);
    m->n_mode = n_calc < m->n_max ? n_calc : m->n_max;
    m->n_damped = 0;
    memcpy(m->shape, w->x, (size_t)m->n_mode * (size_t)m->n_all * sizeof *m->shape);
    for (int k = 0; k < m->n_mode; ++k) {
        m->omega[k] = sqrt(w->lambda[k]);
        find_energies(elastic, m, k);
    }
    // all modes that were found couple by C
    return is_damped ? find_damped(elastic, m, n_calc, err) : PKM_OK;
}

pkm_status pkm_modes_at(const pkm_robot* robot, const pkm_elastic_settings* settings, int n_mode,
                        pkm_elastic** elastic, pkm_modes** modes, pkm_error* err)
{
    *elastic = NULL;
    *modes = NULL;
    pkm_status status = pkm_elastic_create(robot, settings, elastic, err);
    if (status == PKM_OK) status = pkm_elastic_place(*elastic, robot->state, err);
    if (status == PKM_OK && pkm_modes_create(*elastic, n_mode, modes) != PKM_OK)
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_modes_solve(*elastic, *modes, err);
    if (status == PKM_OK) return PKM_OK;
    pkm_modes_free(*modes);
    pkm_elastic_free(*elastic);
    *modes = NULL;
    *elastic = NULL;
    return status;
}
