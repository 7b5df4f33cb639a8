// Matrices with an outline: products and solutions against dense ones.
#include "math/skyline.h"

#include "base/memory.h"
#include "check.h"

#include <math.h>
#include <string.h>

enum { N = 12 };

/// A chain whose ends are tied to each other, and a row of zeros before it: every shape of outline.
static void chain(double A[N * N])
{
    for (int i = 0; i < N * N; ++i)
        A[i] = 0.0;
    for (int i = 0; i < N; ++i) {
        A[i * N + i] = 4.0 + i;
        if (i > 1) A[i * N + i - 1] = A[(i - 1) * N + i] = -1.5;
        if (i > 2) A[i * N + i - 2] = A[(i - 2) * N + i] = 0.25 * i;
    }
    A[1 * N + N - 1] = A[(N - 1) * N + 1] = -0.75;
}

static void fill(double* x, int n)
{
    for (int i = 0; i < n; ++i)
        x[i] = sin(1.0 + 2.0 * i);
}

/// y = A x over the rows and columns from `from` on.
static void dense_product(const double* A, int from, const double* x, double* y)
{
    for (int i = from; i < N; ++i) {
        y[i - from] = 0.0;
        for (int j = from; j < N; ++j)
            y[i - from] += A[j * N + i] * x[j - from];
    }
}

static void products_are_those_of_the_dense_matrix(void)
{
    double A[N * N], X[2 * (N + 1)], Y[2 * (N + 3)], y[N];
    chain(A);
    fill(X, 2 * (N + 1));
    for (int from = 0; from < 3; ++from) {
        pkm_skyline S;
        CHECK(pkm_skyline_create(A, N, from, N, &S) == PKM_OK && S.n == N - from);
        pkm_skyline_product(&S, 2, X, N + 1, Y, N + 3);
        for (int c = 0; c < 2; ++c) {
            dense_product(A, from, X + c * (N + 1), y);
            for (int i = 0; i < S.n; ++i)
                CHECK_NEAR(Y[c * (N + 3) + i], y[i], 1e-14);
        }
        pkm_skyline_free(&S);
    }
}

static void solutions_satisfy_the_dense_equations(void)
{
    double A[N * N], B[2 * (N + 1)], X[2 * (N + 1)], y[N];
    chain(A);
    fill(B, 2 * (N + 1));
    for (int from = 0; from < 3; ++from) {
        pkm_skyline L;
        CHECK(pkm_skyline_create(A, N, from, N, &L) == PKM_OK);
        CHECK(pkm_skyline_factor(&L, 1e-12));
        memcpy(X, B, sizeof X);
        pkm_skyline_solve(&L, 2, X, N + 1);
        for (int c = 0; c < 2; ++c) {
            dense_product(A, from, X + c * (N + 1), y);
            for (int i = 0; i < L.n; ++i)
                CHECK_NEAR(y[i], B[c * (N + 1) + i], 1e-14);
        }
        pkm_skyline_free(&L);
    }
}

static void what_is_not_positive_definite_is_told(void)
{
    double A[N * N];
    pkm_skyline L;
    chain(A);
    A[5 * N + 5] = 0.1;
    CHECK(pkm_skyline_create(A, N, 0, N, &L) == PKM_OK && !pkm_skyline_factor(&L, 1e-12));
    pkm_skyline_free(&L);
    // Two equal rows: singular but for rounding.
    const double same[4] = {0.3, 0.3, 0.3, 0.3 * (1.0 + 1e-15)};
    CHECK(pkm_skyline_create(same, 2, 0, 2, &L) == PKM_OK && !pkm_skyline_factor(&L, 1e-12));
    pkm_skyline_free(&L);
}

static void failing_memory_is_reported(void)
{
    double A[N * N];
    chain(A);
    for (size_t k = 1; k <= 3; ++k) {
        pkm_skyline S;
        pkm_alloc_fail_at(k);
        CHECK(pkm_skyline_create(A, N, 0, N, &S) == PKM_ERR_MEMORY && !S.entry);
        pkm_alloc_fail_at(0);
    }
}

int main(void)
{
    RUN(products_are_those_of_the_dense_matrix);
    RUN(solutions_satisfy_the_dense_equations);
    RUN(what_is_not_positive_definite_is_told);
    RUN(failing_memory_is_reported);
    return check_report();
}
