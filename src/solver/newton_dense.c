#include "solver/newton_dense.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DEFAULT_ITERATIONS = 7, DEFAULT_JACOBIANS = 4 };
static const double WORST_RATE = 0.9; // updates that fall slower than this do not converge
static const double SAFETY = 0.3;     // of x_tol: the rate of the next update is not known yet

struct pkm_newton {
    int n_max, n;
    const pkm_newton_system* system; ///< during a solve
    pkm_newton_report report;

    // Factors of the scaled Jacobian R J C, 0 unknowns when there are none.
    int n_factor;
    double eta; ///< theta / (1 - theta) of these factors, 1 when not known
    double* lu; ///< [n x n]
    int* pivot;
    double *row_scale, *column_scale; ///< [n] R, C

    double *x, *r, *dx, *moved; ///< [n]
    double* block;
};

pkm_status pkm_newton_create(int n_max, pkm_newton** out)
{
    *out = NULL;
    if (n_max < 1) return PKM_ERR_ARGUMENT;
    pkm_newton* newton = pkm_alloc(1, sizeof *newton);
    if (!newton) return PKM_ERR_MEMORY;
    const size_t n = (size_t)n_max;
    newton->n_max = n_max;
    newton->pivot = pkm_alloc(n, sizeof *newton->pivot);
    newton->block = pkm_alloc(n * (n + 6), sizeof(double));
    if (!newton->pivot || !newton->block) {
        pkm_newton_free(newton);
        return PKM_ERR_MEMORY;
    }
    newton->lu = newton->block;
    double** const vector[] = {&newton->row_scale, &newton->column_scale, &newton->x,
                               &newton->r,         &newton->dx,           &newton->moved};
    for (size_t i = 0; i < 6; ++i)
        *vector[i] = newton->block + n * (n + i);
    *out = newton;
    return PKM_OK;
}

void pkm_newton_free(pkm_newton* newton)
{
    if (!newton) return;
    pkm_free(newton->block);
    pkm_free(newton->pivot);
    pkm_free(newton);
}

void pkm_newton_forget(pkm_newton* newton)
{
    newton->n_factor = 0;
}

static void copy(int n, double* to, const double* from)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static pkm_status residual(pkm_newton* newton, const double* x, double* r)
{
    ++newton->report.residuals;
    return newton->system->residual(newton->system->user, x, r);
}

/// Column j of the Jacobian: (F(x + e) - F(x)) / e, on the other side where F cannot be evaluated.
static pkm_status difference_column(pkm_newton* newton, int j, double* column)
{
    const pkm_newton_system* s = newton->system;
    const double x = newton->x[j];
    double e = s->increment ? s->increment[j] : fmax(sqrt(DBL_EPSILON) * fabs(x), s->x_tol[j]);
    pkm_status status = PKM_RETRY;
    for (int side = 0; side < 2 && status == PKM_RETRY; ++side, e = -e) {
        newton->moved[j] = x + e;
        const double moved_by = newton->moved[j] - x; // what is left of e after rounding
        status = residual(newton, newton->moved, column);
        for (int i = 0; i < newton->n && status == PKM_OK; ++i)
            column[i] = (column[i] - newton->r[i]) / moved_by;
    }
    newton->moved[j] = x;
    return status;
}

static pkm_status make_jacobian(pkm_newton* newton)
{
    const pkm_newton_system* s = newton->system;
    ++newton->report.jacobians;
    if (s->jacobian) return s->jacobian(s->user, newton->x, newton->r, newton->lu);
    copy(newton->n, newton->moved, newton->x);
    for (int j = 0; j < newton->n; ++j)
        PKM_TRY(difference_column(newton, j, newton->lu + (size_t)j * (size_t)newton->n));
    return PKM_OK;
}

/// Scale rows, then columns, to a largest entry of 1: R J C (2.1). Mixed units then leave the
/// choice of pivots alone. False for a null row or column or a number that is not finite.
static bool equilibrate(pkm_newton* newton)
{
    const int n = newton->n;
    double* const A = newton->lu;
    memset(newton->row_scale, 0, (size_t)n * sizeof(double));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const double size = fabs(A[i + (size_t)j * n]);
            if (!(size <= DBL_MAX)) return false;
            newton->row_scale[i] = fmax(newton->row_scale[i], size);
        }
    for (int i = 0; i < n; ++i) {
        if (newton->row_scale[i] == 0.0) return false;
        newton->row_scale[i] = 1.0 / newton->row_scale[i];
    }
    for (int j = 0; j < n; ++j) {
        double largest = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(A[i + (size_t)j * n] *= newton->row_scale[i]));
        if (largest == 0.0) return false;
        newton->column_scale[j] = 1.0 / largest;
        for (int i = 0; i < n; ++i)
            A[i + (size_t)j * n] *= newton->column_scale[j];
    }
    return true;
}

/// New Jacobian and factors at newton->x. Pivots at rounding level of the scaled matrix mean that
/// it has no inverse.
static pkm_status refresh(pkm_newton* newton)
{
    const int n = newton->n;
    newton->n_factor = 0;
    newton->eta = 1.0;
    PKM_TRY(make_jacobian(newton));
    if (!equilibrate(newton)) return PKM_ERR_SINGULAR;
    if (pkm_dgetrf(n, n, newton->lu, n, newton->pivot) != 0) return PKM_ERR_SINGULAR;
    for (int i = 0; i < n; ++i)
        if (fabs(newton->lu[i + (size_t)i * n]) < n * DBL_EPSILON) return PKM_ERR_SINGULAR;
    newton->n_factor = n;
    return PKM_OK;
}

pkm_status pkm_newton_apply(const pkm_newton* newton, const double* b, double* x)
{
    const int n = newton->n_factor;
    if (n == 0) return PKM_ERR_SINGULAR;
    for (int i = 0; i < n; ++i)
        x[i] = newton->row_scale[i] * b[i];
    pkm_dgetrs('N', n, 1, newton->lu, n, newton->pivot, x, n);
    for (int i = 0; i < n; ++i)
        x[i] *= newton->column_scale[i];
    return PKM_OK;
}

/// dx = -J^-1 r. `size` receives its largest component relative to x_tol.
static pkm_status find_update(pkm_newton* newton, double* size)
{
    PKM_TRY(pkm_newton_apply(newton, newton->r, newton->dx));
    *size = 0.0;
    for (int i = 0; i < newton->n; ++i) {
        newton->dx[i] = -newton->dx[i];
        const double part = fabs(newton->dx[i]) / newton->system->x_tol[i];
        if (!(part <= *size)) *size = part; // a NaN stays
    }
    return *size <= DBL_MAX ? PKM_OK : PKM_ERR_CONVERGENCE;
}

static bool is_residual_small(const pkm_newton* newton)
{
    const double* tol = newton->system->r_tol;
    for (int i = 0; i < newton->n; ++i)
        if (!(fabs(newton->r[i]) <= (tol ? tol[i] : DBL_MAX))) return false;
    return true;
}

/// How iterations with one Jacobian ended.
typedef enum pass { PASS_DONE, PASS_SLOW, PASS_FAILED } pass;

/// Iterate with the present factors from newton->x, whose residual is newton->r.
static pass iterate(pkm_newton* newton, pkm_status* status)
{
    const pkm_newton_system* s = newton->system;
    const int most = s->max_iterations > 0 ? s->max_iterations : DEFAULT_ITERATIONS;
    double eta = pow(fmax(newton->eta, DBL_EPSILON), 0.8), last = 0.0;
    newton->report.rate = 0.0;
    for (int k = 0; k < most; ++k, last = newton->report.update) {
        *status = find_update(newton, &newton->report.update);
        if (*status != PKM_OK) return PASS_FAILED;
        const double update = newton->report.update;
        if (k > 0) {
            // The remaining error by the rate of the last two updates (2.2), (2.3).
            const double theta = newton->report.rate = last > 0.0 ? update / last : 0.0;
            if (theta > WORST_RATE && update > 1.0) return PASS_SLOW;
            eta = theta < WORST_RATE ? theta / (1.0 - theta) : WORST_RATE / (1.0 - WORST_RATE);
            if (eta * update * pow(theta, most - 1 - k) > SAFETY) return PASS_SLOW;
        }
        for (int i = 0; i < newton->n; ++i)
            newton->x[i] += newton->dx[i];
        ++newton->report.iterations;
        *status = residual(newton, newton->x, newton->r);
        if (*status != PKM_OK) return PASS_FAILED;
        if (eta * update <= SAFETY && is_residual_small(newton)) {
            newton->eta = eta;
            return PASS_DONE;
        }
    }
    return PASS_SLOW;
}

/// Passes with Jacobians made where the pass before came to. A Jacobian from an earlier solve that
/// turns out too old costs its pass: the next starts at the given x again.
static pkm_status solve(pkm_newton* newton, const double* x)
{
    const int given = newton->system->max_jacobians;
    const int most = given > 0 ? given : DEFAULT_JACOBIANS;
    bool is_old = newton->n_factor == newton->n;
    copy(newton->n, newton->x, x);
    PKM_TRY(residual(newton, newton->x, newton->r));
    while (is_old || newton->report.jacobians < most) {
        if (!is_old) PKM_TRY(refresh(newton));
        pkm_status status = PKM_OK;
        const pass end = iterate(newton, &status);
        if (end == PASS_DONE) return PKM_OK;
        const bool is_fatal = status != PKM_RETRY && status != PKM_ERR_CONVERGENCE;
        if (end == PASS_FAILED && (is_fatal || !is_old)) return status;
        if (is_old) {
            copy(newton->n, newton->x, x);
            PKM_TRY(residual(newton, newton->x, newton->r));
        }
        is_old = false;
    }
    return PKM_ERR_CONVERGENCE;
}

pkm_status pkm_newton_solve(pkm_newton* newton, const pkm_newton_system* system, double* x,
                            pkm_newton_report* report)
{
    if (system->n < 1 || system->n > newton->n_max) return PKM_ERR_ARGUMENT;
    newton->n = system->n;
    newton->system = system;
    newton->report = (pkm_newton_report){0};
    const pkm_status status = solve(newton, x);
    newton->system = NULL;
    if (status == PKM_OK)
        copy(newton->n, x, newton->x);
    else
        newton->n_factor = 0;
    if (report) *report = newton->report;
    return status;
}
