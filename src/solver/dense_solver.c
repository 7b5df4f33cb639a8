// P A = L U by columns: a column is brought to its final values by all columns of L before it,
// four of them in one pass over its rows. Each entry takes the same differences in the same order
// as row by row elimination does, c_i - f_1 l_i1 - f_2 l_i2 - ..., and columns with f = 0 are left
// out there and here: hence the same bits.
#include "solver/dense_solver.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>

enum { SIDE_BY_SIDE = 4 };

/// Columns whose parts a vector still has to take, and by which factors.
typedef struct waiting {
    const double* column[SIDE_BY_SIDE];
    double factor[SIDE_BY_SIDE];
    int n;
} waiting;

/// What row i is when it has taken all that waits.
static double take_row(const waiting* w, const double* c, long i)
{
    double x = c[i];
    for (int k = 0; k < w->n; ++k)
        x -= w->factor[k] * w->column[k][i];
    return x;
}

/// Rows from `first` to `last` take all that waits; nothing waits any more.
static void take_rows(waiting* w, double* restrict c, long first, long last)
{
    if (w->n == SIDE_BY_SIDE) {
        const double *a = w->column[0], *b = w->column[1], *d = w->column[2], *e = w->column[3];
        const double p = w->factor[0], q = w->factor[1], r = w->factor[2], s = w->factor[3];
        for (long i = first; i <= last; ++i)
            c[i] = (((c[i] - p * a[i]) - q * b[i]) - r * d[i]) - s * e[i];
    } else {
        for (long i = first; i <= last; ++i)
            c[i] = take_row(w, c, i);
    }
    w->n = 0;
}

static void wait(waiting* w, const double* column, double factor)
{
    w->column[w->n] = column;
    w->factor[w->n++] = factor;
}

/// c := L^-1 c with the first `m` columns of L.
static void pass_lower(double** lu, long n, long m, double* c)
{
    waiting w = {.n = 0};
    for (long k = 0; k < m; ++k) {
        // row k takes what waits before it is used as a factor itself
        c[k] = take_row(&w, c, k);
        if (c[k] != 0.0) wait(&w, lu[k], c[k]);
        if (w.n == SIDE_BY_SIDE) take_rows(&w, c, k + 1, n - 1);
    }
    // the rest of the rows, with what still waits
    take_rows(&w, c, m, n - 1);
}

/// c := U^-1 c
static void pass_upper(double** lu, long n, double* c)
{
    waiting w = {.n = 0};
    for (long k = n - 1; k >= 0; --k) {
        c[k] = take_row(&w, c, k) / lu[k][k];
        wait(&w, lu[k], c[k]);
        if (w.n == SIDE_BY_SIDE) take_rows(&w, c, 0, k - 1);
    }
}

static void swap(double* c, long i, long j)
{
    const double x = c[i];
    c[i] = c[j];
    c[j] = x;
}

static void swap_rows(const sunindextype* pivot, long n, double* c)
{
    for (long k = 0; k < n; ++k)
        if (pivot[k] != k) swap(c, k, pivot[k]);
}

/// The row of the largest entry of a column from row k on.
static long largest_row(const double* c, long n, long k)
{
    long best = k;
    for (long i = k + 1; i < n; ++i)
        if (fabs(c[i]) > fabs(c[best])) best = i;
    return best;
}

static int setup(SUNLinearSolver solver, SUNMatrix A)
{
    SUNLinearSolverContent_Dense own = solver->content;
    double** lu = SUNDenseMatrix_Cols(A);
    const long n = (long)own->N;
    for (long k = 0; k < n; ++k) {
        swap_rows(own->pivots, k, lu[k]);
        pass_lower(lu, n, k, lu[k]);
        const long row = largest_row(lu[k], n, k);
        own->pivots[k] = row;
        own->last_flag = k + 1;
        // exactly zero alone: IDA shortens the step for a singular matrix
        if (lu[k][row] == 0.0) return SUNLS_LUFACT_FAIL;
        for (long j = 0; row != k && j <= k; ++j)
            swap(lu[j], k, row);
        const double inverse = 1.0 / lu[k][k];
        for (long i = k + 1; i < n; ++i)
            lu[k][i] *= inverse;
    }
    own->last_flag = SUNLS_SUCCESS;
    return SUNLS_SUCCESS;
}

static int solve(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector b, realtype tolerance)
{
    (void)tolerance;
    SUNLinearSolverContent_Dense own = solver->content;
    double* c = NV_DATA_S(x);
    const long n = (long)own->N;
    N_VScale(1.0, b, x);
    swap_rows(own->pivots, n, c);
    pass_lower(SUNDenseMatrix_Cols(A), n, n, c);
    pass_upper(SUNDenseMatrix_Cols(A), n, c);
    own->last_flag = SUNLS_SUCCESS;
    return SUNLS_SUCCESS;
}

void pkm_dense_solver_use_own(SUNLinearSolver solver)
{
    solver->ops->setup = setup;
    solver->ops->solve = solve;
}
