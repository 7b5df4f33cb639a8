// The symmetric eigenvalue problem against matrices whose solutions are known.
#include "base/memory.h"
#include "check.h"
#include "math/eigen.h"

#include <stdbool.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/// A chain of n unit masses: springs of 1 between them, the ends held (walls) or free.
static void chain(int n, bool has_walls, double* K, double* M)
{
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; ++i) {
        M[i * n + i] = 1.0;
        const bool is_end = i == 0 || i == n - 1;
        K[i * n + i] = is_end && !has_walls ? 1.0 : 2.0;
        if (i > 0) K[i * n + i - 1] = K[(i - 1) * n + i] = -1.0;
    }
}

static void held_chain_has_its_closed_form(void)
{
    enum { N = 30 };
    static double K[N * N], M[N * N], lambda[N], X[N * N];
    chain(N, true, K, M);
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(N, &eigen) == PKM_OK);
    CHECK(pkm_eigen_lowest(eigen, N, K, M, N, lambda, X) == PKM_OK);
    for (int k = 0; k < N; ++k) {
        const double s = 2.0 * sin(0.5 * (k + 1) * PI / (N + 1));
        CHECK_NEAR(lambda[k], s * s, 1e-14 * (k + 1) * (k + 1));
        for (int i = 0; i < N; ++i) { // K x = lambda x, x'x = 1
            double r = -lambda[k] * X[k * N + i];
            for (int j = 0; j < N; ++j)
                r += K[j * N + i] * X[k * N + j];
            CHECK_NEAR(r, 0.0, 1e-12);
        }
        double norm = 0.0;
        for (int i = 0; i < N; ++i)
            norm += X[k * N + i] * X[k * N + i];
        CHECK_NEAR(norm, 1.0, 1e-12);
    }
    pkm_eigen_free(eigen);
}

/// K is singular: the shift finds the rigid motion and leaves the rest right.
static void free_chain_has_a_rigid_motion(void)
{
    enum { N = 20 };
    static double K[N * N], M[N * N], lambda[N], X[N * N];
    chain(N, false, K, M);
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(50, &eigen) == PKM_OK);
    CHECK(pkm_eigen_lowest(eigen, N, K, M, 5, lambda, X) == PKM_OK);
    for (int k = 0; k < 5; ++k) {
        const double s = 2.0 * sin(0.5 * k * PI / N);
        CHECK_NEAR(lambda[k], s * s, 1e-12);
    }
    for (int i = 0; i < N; ++i)
        CHECK_NEAR(fabs(X[i]), 1.0 / sqrt(N), 1e-12);
    pkm_eigen_free(eigen);
}

/// Stiffness over twelve decades: the lowest value keeps its digits. Turned by a fixed rotation so
/// that nothing is diagonal.
static void low_values_keep_their_digits(void)
{
    const double c = 0.8, s = 0.6, soft = 1.0, stiff = 1e12;
    const double K[4] = {c * c * soft + s * s * stiff, c * s * (soft - stiff),
                         c * s * (soft - stiff), s * s * soft + c * c * stiff};
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    double lambda[2];
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(2, &eigen) == PKM_OK);
    CHECK(pkm_eigen_lowest(eigen, 2, K, M, 2, lambda, NULL) == PKM_OK);
    CHECK_NEAR(lambda[0], soft, 2e-4);        // the entries of K hold it to 1e12 x 1.1e-16 only
    CHECK_NEAR(lambda[1] / stiff, 1.0, 1e-3); // the highest ones pay: 1e-16 of the range
    pkm_eigen_free(eigen);
}

/// Two springs in series with a mass at the end only: one finite frequency, one infinite.
static void massless_coordinates_are_infinitely_fast(void)
{
    const double K[4] = {5.0, -3.0, -3.0, 3.0}, M[4] = {0.0, 0.0, 0.0, 7.0};
    double lambda[2], X[4];
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(2, &eigen) == PKM_OK);
    CHECK(pkm_eigen_lowest(eigen, 2, K, M, 2, lambda, X) == PKM_OK);
    CHECK_NEAR(lambda[0], (2.0 * 3.0 / 5.0) / 7.0, 1e-15);
    CHECK(isinf(lambda[1]));
    CHECK_NEAR(7.0 * X[1] * X[1], 1.0, 1e-14);
    pkm_eigen_free(eigen);
}

static void bad_input_is_refused(void)
{
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(0, &eigen) == PKM_ERR_ARGUMENT && !eigen);
    CHECK(pkm_eigen_create(2, &eigen) == PKM_OK);
    const double K[4] = {1.0, 0.0, 0.0, 1.0}, bad[4] = {1.0, 0.0, 0.0, NAN};
    const double indefinite[4] = {-1.0, 0.0, 0.0, 1.0}, none[4] = {0};
    double lambda[3];
    CHECK(pkm_eigen_lowest(eigen, 3, K, K, 1, lambda, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_eigen_lowest(eigen, 2, K, K, 3, lambda, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_eigen_lowest(eigen, 2, bad, K, 1, lambda, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_eigen_lowest(eigen, 2, K, bad, 1, lambda, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_eigen_lowest(eigen, 2, indefinite, K, 1, lambda, NULL) == PKM_ERR_SINGULAR);
    CHECK(pkm_eigen_lowest(eigen, 2, none, none, 1, lambda, NULL) == PKM_ERR_SINGULAR);
    pkm_eigen_free(eigen);
    pkm_eigen_free(NULL);
}

static void memory_fails_cleanly_and_solving_takes_none(void)
{
    pkm_eigen* eigen = NULL;
    for (size_t n = 1; n <= 3; ++n) {
        pkm_alloc_fail_at(n);
        CHECK(pkm_eigen_create(4, &eigen) == PKM_ERR_MEMORY && !eigen);
    }
    pkm_alloc_fail_at(0);
    CHECK(pkm_eigen_create(4, &eigen) == PKM_OK);
    double K[16], M[16], lambda[4];
    chain(4, true, K, M);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_eigen_lowest(eigen, 4, K, M, 4, lambda, NULL) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    pkm_eigen_free(eigen);
}

int main(void)
{
    RUN(held_chain_has_its_closed_form);
    RUN(free_chain_has_a_rigid_motion);
    RUN(low_values_keep_their_digits);
    RUN(massless_coordinates_are_infinitely_fast);
    RUN(bad_input_is_refused);
    RUN(memory_fails_cleanly_and_solving_takes_none);
    return check_report();
}
