// Factors of small symmetric matrices with a skyline against the matrices themselves.
#include "check.h"
#include "math/chol.h"

#include <string.h>

enum { MOST = 24, WIDTH = 7 };

/// Numbers between -1 and 1, the same every time.
static double any(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/// A positive definite matrix with this skyline, in both triangles of rows of its stride.
static void make(int n, const int* first, unsigned* seed, double A[MOST][MOST], double* upper)
{
    double root[MOST][MOST] = {{0.0}};
    for (int i = 0; i < n; ++i)
        for (int k = first[i]; k <= i; ++k)
            root[k][i] = k == i ? 1.5 + any(seed) : any(seed);
    memset(upper, 0, MOST * MOST * sizeof *upper);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            A[i][j] = 0.0;
            for (int k = 0; k < n; ++k)
                A[i][j] += root[k][i] * root[k][j];
            if (j >= i) upper[i * pkm_chol_stride(n) + j] = A[i][j];
        }
}

/// Skylines with `d` diagonal columns, then full ones, the last but one from row 1 on.
static void outline(int n, int d, int* first)
{
    for (int i = 0; i < n; ++i)
        first[i] = i < d ? i : i == n - 2 ? (n > 2) : 0;
}

static void check_size(int n, int d, unsigned seed)
{
    int first[MOST];
    double A[MOST][MOST], U[MOST * MOST], work[MOST], x[MOST], b[MOST], X[MOST * 8], Z[MOST * 8];
    outline(n, d, first);
    make(n, first, &seed, A, U);
    const pkm_chol_shape shape = {first, pkm_chol_count_diagonal(first, n)};
    CHECK(shape.diagonal >= d);
    CHECK(pkm_chol_factor(shape, n, 1e-13, U, work));
    for (int i = 0; i < n; ++i)
        x[i] = any(&seed);
    for (int i = 0; i < n; ++i) {
        b[i] = 0.0;
        for (int j = 0; j < n; ++j)
            b[i] += A[i][j] * x[j];
    }
    // side by side: column 3 of the many is the one
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 8; ++c)
            X[8 * i + c] = c == 3 ? b[i] : any(&seed);
    pkm_chol_solve_lower(shape, n, U, b);
    pkm_chol_solve_lower_many(shape, n, U, WIDTH, X);
    for (int i = 0; i < n; ++i) // another order of sums: rounding
        CHECK_NEAR(X[8 * i + 3], b[i], 1e-10);
    memcpy(Z, X, sizeof Z);
    pkm_chol_solve_upper(shape, n, U, b);
    for (int i = 0; i < n; ++i) // the matrices are conditioned to some 1e4
        CHECK_NEAR(b[i], x[i], 1e-9);
    double T[8 * 8] = {0.0};
    pkm_chol_add_square(Z, n, WIDTH, T);
    for (int k = 0; k < WIDTH; ++k)
        for (int l = k; l < WIDTH; ++l) {
            double sum = 0.0;
            for (int i = 0; i < n; ++i)
                sum += Z[8 * i + k] * Z[8 * i + l];
            CHECK_NEAR(T[8 * k + l], sum, 1e-12 * (1.0 + fabs(sum)));
        }
}

static void factors_solve_what_they_came_from(void)
{
    for (int n = 1; n <= 22; ++n)
        for (int d = 0; d <= n; d += 3)
            check_size(n, d, 17u * (unsigned)n + (unsigned)d);
}

static void a_pivot_that_is_nothing_ends_it(void)
{
    const int first[3] = {0, 0, 0};
    const pkm_chol_shape shape = {.first = first};
    double U[3 * 4] = {1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}, work[3];
    CHECK(!pkm_chol_factor(shape, 3, 1e-13, U, work));
    double N[3 * 4] = {1.0, 0.0, NAN, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    CHECK(!pkm_chol_factor(shape, 3, 1e-13, N, work));
    const int own[3] = {0, 1, 0};
    double D[3 * 4] = {1.0, 0.0, 0.5, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    CHECK(!pkm_chol_factor((pkm_chol_shape){own, 2}, 3, 1e-13, D, work));
}

int main(void)
{
    RUN(factors_solve_what_they_came_from);
    RUN(a_pivot_that_is_nothing_ends_it);
    return check_report();
}
