#include "math/dense.h"

#include "base/memory.h"
#include "check.h"

#include <lapacke.h>

static unsigned long long seed = 12345;

/// Uniform in (-1, 1), the same on every machine.
static double random_number(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}

static void fill(double* A, int size)
{
    for (int k = 0; k < size; ++k)
        A[k] = random_number();
}

/// C = A B, with A m x k, B k x n.
static void multiply(const double* A, const double* B, int m, int k, int n, double* C)
{
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int l = 0; l < k; ++l)
                sum += A[i + l * m] * B[l + j * k];
            C[i + j * m] = sum;
        }
    }
}

/// Singular values by another routine of LAPACK (divide and conquer).
static void reference_values(const double* A, int m, int n, double* s)
{
    double W[400];
    memcpy(W, A, (size_t)(m * n) * sizeof *W);
    CHECK(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, W, m, s, NULL, m, NULL, n) == 0);
}

/// The largest entry of Q' Q - I, Q m x n.
static double skewness(const double* Q, int m, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < m; ++k)
                sum += Q[k + i * m] * Q[k + j * m];
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst;
}

static void factors_multiply_to_the_matrix(void)
{
    const int shape[4][2] = {{7, 4}, {4, 7}, {5, 5}, {1, 3}};
    for (int c = 0; c < 4; ++c) {
        const int m = shape[c][0], n = shape[c][1], k = m < n ? m : n;
        double A[49], s[7], U[49], Vt[49], S[49] = {0}, US[49], B[49];
        fill(A, m * n);
        CHECK(pkm_dense_svd(A, m, n, s, U, Vt) == PKM_OK);
        for (int i = 0; i < k; ++i)
            S[i + i * m] = s[i];
        multiply(U, S, m, m, n, US);
        multiply(US, Vt, m, n, n, B);
        for (int i = 0; i < m * n; ++i)
            CHECK_NEAR(B[i], A[i], 1e-14);
        CHECK_NEAR(skewness(U, m, m), 0.0, 1e-14);
        CHECK_NEAR(skewness(Vt, n, n), 0.0, 1e-14);
        double only[7];
        CHECK(pkm_dense_svd(A, m, n, only, NULL, NULL) == PKM_OK);
        for (int i = 0; i < k; ++i)
            CHECK_NEAR(only[i], s[i], 1e-14);
    }
}

// A 7 x 6 product of 7 x 3 and 3 x 6 has rank 3, three null vectors and four left ones.
static void null_spaces_complete_the_rank(void)
{
    double L[21], R[18], A[42], s[6], N[36], P[42];
    int n_null;
    fill(L, 21);
    fill(R, 18);
    multiply(L, R, 7, 3, 6, A);
    CHECK(pkm_dense_svd(A, 7, 6, s, NULL, NULL) == PKM_OK);
    CHECK(pkm_dense_rank(s, 6, 1e-10) == 3);
    CHECK(pkm_dense_rank(s, 6, 0.0) >= 3);

    CHECK(pkm_dense_null_space(A, 7, 6, 1e-10, N, &n_null) == PKM_OK);
    CHECK(n_null == 3);
    CHECK_NEAR(skewness(N, 6, n_null), 0.0, 1e-14);
    multiply(A, N, 7, 6, n_null, P);
    for (int k = 0; k < 7 * n_null; ++k)
        CHECK_NEAR(P[k], 0.0, 1e-14);
}

static void null_and_empty_matrices_leave_all_free(void)
{
    const double zero[6] = {0};
    double N[9], s[2];
    int n_null;
    CHECK(pkm_dense_null_space(zero, 2, 3, 1e-10, N, &n_null) == PKM_OK);
    CHECK(n_null == 3);
    CHECK_NEAR(skewness(N, 3, 3), 0.0, 1e-15);
    CHECK(pkm_dense_null_space(zero, 0, 3, 1e-10, N, &n_null) == PKM_OK);
    CHECK(n_null == 3);
    CHECK_NEAR(skewness(N, 3, 3), 0.0, 0.0);
    CHECK(pkm_dense_svd(zero, 2, 2, s, NULL, NULL) == PKM_OK);
    CHECK(pkm_dense_rank(s, 2, 1e-10) == 0);
}

static void not_finite_and_no_memory_are_reported(void)
{
    double A[9] = {1, 2, 3, 4, NAN, 6, 7, 8, 10}, s[3], N[9];
    int n_null = 7;
    CHECK(pkm_dense_svd(A, 3, 3, s, NULL, NULL) == PKM_ERR_ARGUMENT);
    A[4] = 5.0;
    pkm_alloc_fail_at(1);
    CHECK(pkm_dense_svd(A, 3, 3, s, NULL, NULL) == PKM_ERR_MEMORY);
    CHECK(pkm_dense_null_space(A, 3, 3, 1e-10, N, &n_null) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(n_null == 0);
    double work[64];
    CHECK(pkm_dense_svd_room(3, 3) <= 64);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_dense_svd_with(A, 3, 3, s, NULL, NULL, work) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
}

// Both are backward stable, so values agree within a few roundings of the largest.
static void check_small_values(const double* A, int m, int n)
{
    double s[6], r[6], with_vectors[6], V[36];
    reference_values(A, m, n, r);
    pkm_dense_small_svd(A, m, n, s, NULL);
    pkm_dense_small_svd(A, m, n, with_vectors, V);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(s[k], r[k], 2e-15 * n * r[0]);
        CHECK_NEAR(with_vectors[k], r[k], 2e-15 * n * r[0]);
        CHECK(k == 0 || s[k] <= s[k - 1]);
    }
    CHECK_NEAR(skewness(V, n, n), 0.0, 1e-14);
    // A V has orthogonal columns of lengths s.
    double P[96];
    multiply(A, V, m, n, n, P);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? -s[i] * s[i] : 0.0;
            for (int k = 0; k < m; ++k)
                sum += P[k + i * m] * P[k + j * m];
            CHECK_NEAR(sum, 0.0, 1e-14 * r[0] * r[0]);
        }
    }
}

static void small_values_meet_lapack(void)
{
    for (int n = 1; n <= 6; ++n) {
        for (int m = n; m <= 16; ++m) {
            for (int trial = 0; trial < 20; ++trial) {
                double A[96];
                fill(A, m * n);
                check_small_values(A, m, n);
            }
        }
    }
}

/// A = Q diag(d) R with random orthogonal Q, R (singular vectors of random matrices).
static void matrix_with_values(const double* d, int n, double* A)
{
    double X[36], s[6], Q[36], R[36], D[36] = {0}, QD[36];
    fill(X, n * n);
    CHECK(pkm_dense_svd(X, n, n, s, Q, R) == PKM_OK);
    for (int i = 0; i < n; ++i)
        D[i + i * n] = d[i];
    multiply(Q, D, n, n, n, QD);
    multiply(QD, R, n, n, n, A);
}

// The hard cases of the closed form behind the 3 x 3: double values, triple values, low rank, and
// values that are far apart or nearly equal.
static void special_values_are_found(void)
{
    const double cases[][3] = {
        {1, 1, 1},
        {1, 1, 0.3},
        {1, 0.3, 0.3},
        {1, 0, 0},
        {1, 1, 0},
        {1, 0.5, 0},
        {1, 1, 1e-8},
        {1, 1e-8, 1e-8},
        {1, 1e-6, 1e-12},
        {1, 1 - 1e-8, 0.2},
        {1, 1 - 1e-12, 0.2},
        {1, 0.2, 0.2 - 1e-9},
        {1, 1 - 1e-9, 1 - 2e-9},
        {1, 0.5, 0.25},
        {0, 0, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        for (int trial = 0; trial < 20; ++trial) {
            double A[9], s[3];
            matrix_with_values(cases[c], 3, A);
            pkm_dense_small_svd(A, 3, 3, s, NULL);
            for (int k = 0; k < 3; ++k)
                CHECK_NEAR(s[k], cases[c][k], 4e-15);
            check_small_values(A, 3, 3);
        }
    }
}

/// Largest by smallest singular value.
static double condition_of(const double* A, int n)
{
    double s[PKM_DENSE_SMALL];
    pkm_dense_small_svd(A, n, n, s, NULL);
    return s[0] / s[n - 1];
}

static void condition_is_the_ratio_of_the_ends(void)
{
    for (int n = 2; n <= 6; ++n) {
        const double d[6] = {4.0, 3.0, 1.0, 0.5, 0.25, 0.1};
        double A[36];
        matrix_with_values(d, n, A);
        CHECK_NEAR(condition_of(A, n), d[0] / d[n - 1], 1e-12);
        const size_t before = pkm_alloc_count();
        (void)condition_of(A, n);
        CHECK(pkm_alloc_count() == before);
    }
    const double singular[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    CHECK(isinf(condition_of(singular, 3)));
}

// The ends of the spectrum alone, wherever the others are: apart, together, many at one place.
static void ends_of_the_spectrum_are_those_of_all_values(void)
{
    static const double values[][6] = {{3.0, 2.5, 2.0, 1.5, 1.0, 0.5},
                                       {1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
                                       {7.0, 7.0, 7.0, 0.2, 0.2, 0.2},
                                       {1.0, 0.9, 0.9, 0.9, 0.9, 1e-2},
                                       {1e3, 1.0, 1.0, 1.0, 1.0, 0.7},
                                       {1.0, 0.5, 0.1, 1e-3, 1e-4, 1e-5},
                                       {1e30, 1e29, 1e29, 1e28, 1e27, 5e26},
                                       {1.0, 0.5, 0.25, 0.2, 0.1, 0.0},
                                       {4e-30, 3e-30, 3e-30, 3e-30, 2e-30, 1e-30}};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
        for (int n = 1; n <= 6; ++n) {
            double d[6], A[36], largest, smallest;
            for (int i = 0; i < n; ++i)
                d[i] = values[k][i];
            matrix_with_values(d, n, A);
            pkm_dense_small_extremes(A, n, &largest, &smallest);
            CHECK_NEAR(largest / d[0], 1.0, 1e-9);
            CHECK_NEAR(smallest / d[0], d[n - 1] / d[0], fmax(1e-9 * d[n - 1] / d[0], 1e-14));
        }
    const double bad[16] = {1.0, NAN};
    double largest, smallest;
    pkm_dense_small_extremes(bad, 4, &largest, &smallest);
    CHECK(isnan(largest) && isnan(smallest));
}

// Of three values by a cubic, which alone would lose half of the digits where two are nearly equal.
static void ends_of_three_keep_their_digits(void)
{
    for (int k = 0; k <= 170; ++k) {
        const double gap = pow(10.0, -0.1 * k);
        const double values[][3] = {{1.0 + gap, 1.0, 1.0},
                                    {1.0, 1.0, 1.0 - 0.5 * gap},
                                    {1.0 + gap, 1.0, 0.1},
                                    {1.0, 0.1 + 0.1 * gap, 0.1},
                                    {1.0, 0.55 + 0.4 * gap, 0.1}};
        for (int c = 0; c < 5; ++c) {
            double A[9], s[3], largest, smallest;
            matrix_with_values(values[c], 3, A);
            pkm_dense_small_svd(A, 3, 3, s, NULL);
            pkm_dense_small_extremes(A, 3, &largest, &smallest);
            CHECK_NEAR(largest / s[0], 1.0, 1e-15);
            CHECK_NEAR(smallest / s[2], 1.0, 1e-15 * s[0] * s[0] / (s[2] * s[2])); // of squares
        }
    }
}

// Along a way, from vectors of the matrix before: values that cross, jumps, equal values, a
// singular matrix on the way; always the ends of all values.
static void ends_followed_along_a_way_are_those_of_all_values(void)
{
    enum { STEPS = 300 };
    for (int n = 1; n <= 6; ++n)
        for (int way = 0; way < 6; ++way) {
            double A[36], turn[36], M[36], s[6], largest, smallest;
            pkm_dense_extremes near = {0};
            fill(A, n * n);
            fill(turn, n * n);
            for (int k = 0; k <= STEPS; ++k) {
                const double x = (double)k / STEPS;
                if (way == 4 && k % 40 == 0) fill(A, n * n); // jumps
                for (int i = 0; i < n * n; ++i)
                    M[i] = A[i] + x * turn[i];
                for (int i = 0; i < n; ++i) { // diagonals whose entries cross, or are the same
                    for (int j = 0; j < n && way >= 1 && way <= 3; ++j)
                        M[j * n + i] *= way == 3 ? 0.0 : 1e-3;
                    if (way >= 1 && way <= 3)
                        M[i * n + i] += way == 3 ? 2.0 : i % 2 ? 1.0 + x : 2.0 - x;
                }
                pkm_dense_small_svd(M, n, n, s, NULL);
                pkm_dense_small_extremes_near(M, n, &near, &largest, &smallest);
                CHECK_NEAR(largest / s[0], 1.0, 1e-9);
                CHECK_NEAR(smallest / s[0], s[n - 1] / s[0], fmax(1e-9 * s[n - 1] / s[0], 1e-14));
            }
            M[0] = NAN;
            pkm_dense_small_extremes_near(M, n, &near, &largest, &smallest);
            CHECK(isnan(largest) && isnan(smallest));
        }
}

static void size_does_not_matter_and_nan_is_kept(void)
{
    const double d[3] = {4.0, 3.0, 1.0};
    double A[9], B[9];
    matrix_with_values(d, 3, A);
    const double factor[6] = {1e-300, 1e300, 1e-150, 1e150, 1e-80, 1e80};
    for (int f = 0; f < 6; ++f) {
        for (int k = 0; k < 9; ++k)
            B[k] = factor[f] * A[k];
        CHECK_NEAR(condition_of(B, 3), 4.0, 1e-13);
    }
    B[5] = NAN;
    CHECK(isnan(condition_of(B, 3)));
    B[5] = INFINITY;
    CHECK(isnan(condition_of(B, 3)));
}

static void solving_returns_the_vector(void)
{
    for (int n = 1; n <= 6; ++n) {
        for (int trial = 0; trial < 50; ++trial) {
            const double d[6] = {2.0, 1.7, 1.3, 1.1, 0.8, 0.5};
            double A[36], x[6], b[6];
            pkm_dense_lu f;
            matrix_with_values(d, n, A);
            fill(x, n);
            multiply(A, x, n, n, 1, b);
            CHECK(pkm_dense_lu_factor(&f, A, n) > 0.01);
            pkm_dense_lu_solve(&f, b, b);
            for (int i = 0; i < n; ++i)
                CHECK_NEAR(b[i], x[i], 2e-14);
            double product = 1.0;
            for (int i = 0; i < n; ++i)
                product *= d[i];
            CHECK_NEAR(fabs(pkm_dense_lu_det(&f)), product, 1e-13);
        }
    }
}

// All right sides at once, those of random matrices of every size.
static void solving_for_all_right_sides_gives_the_same(void)
{
    for (int n = 1; n <= 6; ++n) {
        const double d[6] = {2.0, 1.7, 1.3, 1.1, 0.8, 0.5};
        double A[36], B[36], X[36], x[6], r[6];
        pkm_dense_lu f;
        matrix_with_values(d, n, A);
        fill(B, n * n);
        CHECK(pkm_dense_lu_factor(&f, A, n) > 0.01);
        pkm_dense_lu_solve_all(&f, B, X);
        for (int k = 0; k < n; ++k) {
            pkm_dense_lu_solve(&f, B + k * n, x);
            multiply(A, X + k * n, n, n, 1, r);
            for (int i = 0; i < n; ++i) {
                CHECK_NEAR(X[k * n + i], x[i], 1e-14 * (1.0 + fabs(x[i])));
                CHECK_NEAR(r[i], B[k * n + i], 2e-14);
            }
        }
    }
}

static void solving_in_place_gives_the_same(void)
{
    const double A[9] = {0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, 1.0, 0.0};
    double x[3] = {1.0, 2.0, 3.0}, y[3];
    pkm_dense_lu f;
    CHECK(pkm_dense_lu_factor(&f, A, 3) > 0.1);
    pkm_dense_lu_solve(&f, x, y);
    pkm_dense_lu_solve(&f, x, x);
    for (int k = 0; k < 3; ++k)
        CHECK(x[k] == y[k]);
}

// Rank 3 of 4: the last pivot is rounding only.
static void the_smallest_pivot_tells_lost_rank(void)
{
    double A[16];
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i)
            A[i + 4 * j] = 1.0 + (i + 1) * (j + 2) + i * i * (j == 1);
    }
    for (int i = 0; i < 4; ++i)
        A[i + 12] = A[i] - 2.0 * A[i + 4] + A[i + 8];
    pkm_dense_lu f;
    pkm_dense_lu_factor(&f, A, 4);
    CHECK(f.smallest < 1e-13);
}

static void determinant_has_the_sign_of_the_permutation(void)
{
    const double swap[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1}, cycle[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    pkm_dense_lu f;
    CHECK(pkm_dense_lu_factor(&f, swap, 3) == 1.0);
    CHECK(pkm_dense_lu_det(&f) == -1.0);
    CHECK(pkm_dense_lu_factor(&f, cycle, 3) == 1.0);
    CHECK(pkm_dense_lu_det(&f) == 1.0);
}

static void singular_matrices_are_not_factored(void)
{
    const double zero[4] = {0}, low[4] = {1, 2, 2, 4};
    pkm_dense_lu f;
    CHECK(pkm_dense_lu_factor(&f, zero, 2) == 0.0);
    CHECK(pkm_dense_lu_factor(&f, low, 2) == 0.0);
    CHECK(pkm_dense_lu_det(&f) == 0.0);
    for (int k = 0; k < 9; ++k) { // a NaN or an infinity anywhere
        double A[9] = {4, 1, 2, 1, 5, 3, 2, 3, 6};
        A[k] = NAN;
        CHECK(pkm_dense_lu_factor(&f, A, 3) == 0.0);
        A[k] = INFINITY;
        CHECK(pkm_dense_lu_factor(&f, A, 3) == 0.0);
    }
}

int main(void)
{
    RUN(factors_multiply_to_the_matrix);
    RUN(null_spaces_complete_the_rank);
    RUN(null_and_empty_matrices_leave_all_free);
    RUN(not_finite_and_no_memory_are_reported);
    RUN(small_values_meet_lapack);
    RUN(special_values_are_found);
    RUN(condition_is_the_ratio_of_the_ends);
    RUN(ends_of_the_spectrum_are_those_of_all_values);
    RUN(ends_of_three_keep_their_digits);
    RUN(ends_followed_along_a_way_are_those_of_all_values);
    RUN(size_does_not_matter_and_nan_is_kept);
    RUN(solving_returns_the_vector);
    RUN(solving_for_all_right_sides_gives_the_same);
    RUN(solving_in_place_gives_the_same);
    RUN(the_smallest_pivot_tells_lost_rank);
    RUN(determinant_has_the_sign_of_the_permutation);
    RUN(singular_matrices_are_not_factored);
    return check_report();
}
