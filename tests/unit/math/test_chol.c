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

static void check_size(int n, const int* first, unsigned seed)
{
    int last[MOST];
    double A[MOST][MOST], U[MOST * MOST], work[MOST], x[MOST], b[MOST], X[MOST * 8], Z[MOST * 8];
    make(n, first, &seed, A, U);
    pkm_chol_find_last(first, n, last);
    const pkm_chol_shape shape = {first, seed % 2 ? last : NULL, pkm_chol_count_diagonal(first, n)};
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
        for (int d = 0; d <= n; d += 3) {
            int first[MOST];
            outline(n, d, first);
            CHECK(pkm_chol_count_diagonal(first, n) >= d);
            check_size(n, first, 17u * (unsigned)n + (unsigned)d);
        }
}

/// Columns of a chain in links of `m`: each reaches up into the link before its own, the first `d`
/// none.
static void chain(int n, int m, int d, int* first)
{
    for (int i = 0; i < n; ++i)
        first[i] = i < d ? i : i < m ? 0 : (i / m - 1) * m;
}

static void chains_are_solved_within_their_reach(void)
{
    int first[MOST], last[MOST];
    for (int n = 1; n <= 22; ++n)
        for (int m = 1; m <= 6; ++m)
            for (int d = 0; d <= m && d <= n; ++d) {
                chain(n, m, d, first);
                pkm_chol_find_last(first, n, last);
                for (int k = 0; k < n; ++k) { // the definition
                    int reach = k;
                    for (int j = k; j < n; ++j)
                        if (first[j] <= k) reach = j;
                    CHECK(last[k] == reach);
                }
                check_size(n, first, 2u * (unsigned)(n * m) + (unsigned)d + 1u);
            }
}

// What is cleared is all that a factor reads: other numbers in its place change nothing.
static void rows_are_cleared_as_far_as_they_are_read(void)
{
    enum { N = 22, WIDE = 24 };
    int first[MOST], last[MOST];
    double A[MOST][MOST], U[MOST * MOST], V[MOST * MOST], work[MOST];
    unsigned seed = 5;
    chain(N, 5, 0, first);
    pkm_chol_find_last(first, N, last);
    const pkm_chol_shape shape = {first, last, pkm_chol_count_diagonal(first, N)};
    make(N, first, &seed, A, U);
    for (int k = 0; k < N * WIDE; ++k)
        V[k] = 1e3;
    pkm_chol_clear(shape, N, V);
    for (int k = 0; k < N; ++k)
        for (int i = k; i <= last[k]; ++i)
            V[k * WIDE + i] = A[k][i];
    CHECK(pkm_chol_factor(shape, N, 1e-13, U, work));
    CHECK(pkm_chol_factor(shape, N, 1e-13, V, work));
    for (int k = 0; k < N; ++k) {
        for (int i = k; i <= last[k]; ++i)
            CHECK(U[k * WIDE + i] == V[k * WIDE + i]);
        for (int i = last[k] / 4 * 4 + 4; i < N; ++i) // behind that nothing is touched
            CHECK(V[k * WIDE + i] == 1e3);
    }
}

// Full rows take n^3/6 and n^2 multiplications, those of a chain as many each.
static void cost_is_that_of_the_reach(void)
{
    static int first[1200], last[1200], zero[1200];
    double cost[2];
    for (int i = 0; i < 2; ++i) {
        chain(600 << i, 6, 0, first);
        pkm_chol_find_last(first, 600 << i, last);
        const int d = pkm_chol_count_diagonal(first, 600 << i);
        cost[i] = pkm_chol_cost((pkm_chol_shape){first, last, d}, 600 << i, HUGE_VAL);
    }
    CHECK(cost[1] / cost[0] > 1.98 && cost[1] / cost[0] < 2.02);
    const pkm_chol_shape full = {.first = zero};
    CHECK_NEAR(pkm_chol_cost(full, 300, HUGE_VAL) / (300.0 * 300.0 * 300.0 / 6.0 + 300.0 * 300.0),
               1.0, 0.03);
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
    CHECK(!pkm_chol_factor((pkm_chol_shape){.first = own, .diagonal = 2}, 3, 1e-13, D, work));
}

int main(void)
{
    RUN(factors_solve_what_they_came_from);
    RUN(chains_are_solved_within_their_reach);
    RUN(rows_are_cleared_as_far_as_they_are_read);
    RUN(cost_is_that_of_the_reach);
    RUN(a_pivot_that_is_nothing_ends_it);
    return check_report();
}
