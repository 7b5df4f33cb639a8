// Factors with row pivots that leave zeros alone, against known solutions.
#include "math/lu.h"

#include "check.h"

#include <math.h>

enum { N = 11 };

/// Entries of either sign and any size; places apart do not couple, but all with the last ones.
static void fill(double* A)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const bool couples = i / 3 == j / 3 || i >= 9 || j >= 9;
            A[i * N + j] = couples ? sin(1.0 + 7.0 * i * j + i * i + 3.0 * j) : 0.0;
        }
    A[0] = 0.0; // no pivot without a change of rows
}

static void solutions_are_found_again(void)
{
    double A[N * N], LU[N * N], x[N];
    int pivot[N];
    fill(A);
    fill(LU);
    CHECK(pkm_lu_factor(LU, N, pivot));
    CHECK(pivot[0] != 0);
    for (int i = 0; i < N; ++i) {
        x[i] = 0.0;
        for (int j = 0; j < N; ++j)
            x[i] += A[i * N + j] * (1.0 + j);
    }
    pkm_lu_solve(LU, N, pivot, x);
    for (int i = 0; i < N; ++i) // rounding times a condition of some hundreds
        CHECK_NEAR(x[i], 1.0 + i, 1e-11);
}

/// A row has its multiplier at the pivots that it couples with and nothing at the others.
static void zeros_stay(void)
{
    double A[N * N];
    int pivot[N], n_zero = 0;
    fill(A);
    CHECK(pkm_lu_factor(A, N, pivot));
    for (int i = 3; i < 9; ++i)
        for (int j = 0; j < 3; ++j)
            n_zero += A[i * N + j] == 0.0;
    CHECK(n_zero >= 12);
}

static void what_has_no_inverse_is_told(void)
{
    double A[N * N];
    int pivot[N];
    fill(A);
    for (int j = 0; j < N; ++j)
        A[4 * N + j] = 0.0;
    CHECK(!pkm_lu_factor(A, N, pivot));
    fill(A);
    A[7 * N + 6] = NAN;
    CHECK(!pkm_lu_factor(A, N, pivot));
}

int main(void)
{
    RUN(solutions_are_found_again);
    RUN(zeros_stay);
    RUN(what_has_no_inverse_is_told);
    return check_report();
}
