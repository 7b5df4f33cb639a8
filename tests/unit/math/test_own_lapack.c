#include "math/own_lapack.h"

#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The second backend of math/lapack.h is held to what LAPACK promises: backward errors, departures
// from orthogonality and errors of eigenvalues of at most 1e-13 |A|, on matrices of every temper.

enum { MOST = 40 };
static const double EXACT = 1e-13;

typedef double matrix[MOST * MOST];

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1.0;
}

static double norm(int m, int n, const double* A)
{
    double sum = 0.0;
    for (int k = 0; k < m * n; ++k)
        sum += A[k] * A[k];
    return sqrt(sum);
}

/// C = op(A) op(B), by the definition.
static void multiply(bool turn_a, bool turn_b, int m, int n, int k, const double* A,
                     const double* B, double* C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            C[i + j * m] = 0.0;
            for (int l = 0; l < k; ++l)
                C[i + j * m] +=
                    (turn_a ? A[l + i * k] : A[i + l * m]) * (turn_b ? B[j + l * n] : B[l + j * k]);
        }
}

static double difference(int n, const double* A, const double* B)
{
    double most = 0.0;
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(A[k] - B[k]));
    return most;
}

/// How far Q' Q is from the identity.
static double skewness(int m, int n, const double* Q)
{
    static matrix P;
    multiply(true, false, n, n, m, Q, Q, P);
    for (int i = 0; i < n; ++i)
        P[i + i * n] -= 1.0;
    return norm(n, n, P);
}

/// An orthogonal matrix: the Q of a random one, by Gram and Schmidt, twice.
static void draw_orthogonal(int n, double* Q)
{
    for (int j = 0; j < n; ++j) {
        double* q = Q + j * n;
        for (int i = 0; i < n; ++i)
            q[i] = draw();
        for (int pass = 0; pass < 2; ++pass)
            for (int k = 0; k < j; ++k) {
                double part = 0.0;
                for (int i = 0; i < n; ++i)
                    part += q[i] * Q[i + k * n];
                for (int i = 0; i < n; ++i)
                    q[i] -= part * Q[i + k * n];
            }
        const double size = norm(n, 1, q);
        for (int i = 0; i < n; ++i)
            q[i] /= size;
    }
}

typedef enum temper { RANDOM, GRADED, CLUSTERED, SINGULAR, ZERO, N_TEMPER } temper;

static double value_of(temper kind, int k, int n)
{
    if (kind == RANDOM) return draw();
    if (kind == GRADED) return pow(10.0, -20.0 * k / n);
    if (kind == CLUSTERED) return 1.0 + (k % 3) + 1e-14 * k;
    if (kind == SINGULAR) return k % 2 ? 0.0 : 1.0 + k;
    return 0.0;
}

/// A = U diag(value) V' with known values.
static void draw_matrix(temper kind, int m, int n, double* value, double* A)
{
    static matrix U, V, S;
    const int least = m < n ? m : n;
    draw_orthogonal(m, U);
    draw_orthogonal(n, V);
    memset(S, 0, sizeof S);
    for (int k = 0; k < least; ++k) {
        value[k] = value_of(kind, k, least);
        for (int i = 0; i < m; ++i)
            S[i + k * m] = U[i + k * m] * value[k];
    }
    multiply(false, true, m, n, n, S, V, A);
}

/// The same, symmetric: A = U diag(value) U'.
static void draw_symmetric(temper kind, int n, double* value, double* A)
{
    static matrix U, S;
    draw_orthogonal(n, U);
    for (int k = 0; k < n; ++k) {
        value[k] = value_of(kind, k, n);
        for (int i = 0; i < n; ++i)
            S[i + k * n] = U[i + k * n] * value[k];
    }
    multiply(false, true, n, n, n, S, U, A);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            A[j + i * n] = A[i + j * n];
}

static int rising(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// ---- products -----------------------------------------------------------------------------------

static void products_are_those_of_the_definition(void)
{
    static matrix A, B, C, P;
    srand(1);
    for (int kind = 0; kind < 4; ++kind) {
        const bool turn_a = kind % 2, turn_b = kind / 2;
        const int m = 7, n = 5, k = 9;
        for (int i = 0; i < MOST * MOST; ++i)
            A[i] = draw(), B[i] = draw(), C[i] = P[i] = draw();
        static matrix AB;
        multiply(turn_a, turn_b, m, n, k, A, B, AB);
        for (int i = 0; i < m * n; ++i)
            P[i] = 0.5 * P[i] + 2.0 * AB[i];
        pkm_own_dgemm(turn_a ? 'T' : 'N', turn_b ? 'T' : 'N', m, n, k, 2.0, A, turn_a ? k : m, B,
                      turn_b ? n : k, 0.5, C, m);
        CHECK_NEAR(difference(m * n, C, P), 0.0, 1e-14);
    }
}

static void symmetric_products_read_one_triangle(void)
{
    static matrix A, whole, B, C, P;
    const int m = 6, n = 4;
    srand(2);
    for (int side = 0; side < 2; ++side)
        for (int upper = 0; upper < 2; ++upper) {
            const int size = side ? n : m;
            for (int i = 0; i < MOST * MOST; ++i)
                A[i] = draw(), B[i] = draw(), C[i] = NAN;
            for (int i = 0; i < size; ++i)
                for (int j = 0; j < size; ++j) {
                    const bool is_read = upper ? i <= j : i >= j;
                    whole[i + j * size] = is_read ? A[i + j * size] : A[j + i * size];
                }
            if (side == 0) multiply(false, false, m, n, m, whole, B, P);
            if (side == 1) multiply(false, false, m, n, n, B, whole, P);
            pkm_own_dsymm(side ? 'R' : 'L', upper ? 'U' : 'L', m, n, 1.0, A, size, B, m, 0.0, C, m);
            CHECK_NEAR(difference(m * n, C, P), 0.0, 1e-14);
        }
}

// ---- systems ------------------------------------------------------------------------------------

static void general_systems_are_solved(void)
{
    static matrix A, LU, R;
    double value[MOST];
    int pivot[MOST];
    srand(3);
    for (int kind = RANDOM; kind <= CLUSTERED; ++kind)
        for (int turned = 0; turned < 2; ++turned)
            for (int n = 1; n <= MOST; n += 13) {
                draw_matrix((temper)kind, n, n, value, A);
                memcpy(LU, A, sizeof A);
                double x[MOST], b[MOST];
                for (int i = 0; i < n; ++i)
                    b[i] = x[i] = draw();
                CHECK(pkm_own_dgetrf(n, n, LU, n, pivot) == 0);
                CHECK(pkm_own_dgetrs(turned ? 'T' : 'N', n, 1, LU, n, pivot, x, n) == 0);
                multiply(turned, false, n, 1, n, A, x, R);
                CHECK_NEAR(difference(n, R, b), 0.0,
                           EXACT * (norm(n, n, A) * norm(n, 1, x) + norm(n, 1, b)));
            }
}

static void singular_systems_say_so(void)
{
    double A[9] = {1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 1.0, 1.0}; // second column twice the first
    int pivot[3];
    CHECK(pkm_own_dgetrf(3, 3, A, 3, pivot) > 0);
    double B[4] = {1.0, 2.0, 2.0, 1.0}; // indefinite
    CHECK(pkm_own_dpotrf('L', 2, B, 2) == 2);
    double complex C[4] = {1.0, 1.0 * I, 1.0 * I, -1.0}, z[2] = {1.0, 1.0};
    CHECK(pkm_own_zgesv(2, 1, C, 2, pivot, z, 2) > 0);
}

static void complex_systems_are_solved(void)
{
    enum { N = 12 };
    static double complex A[N * N], copy[N * N];
    double complex x[N], b[N];
    int pivot[N];
    srand(4);
    for (int k = 0; k < N * N; ++k)
        copy[k] = A[k] = CMPLX(draw(), draw());
    for (int i = 0; i < N; ++i)
        b[i] = x[i] = CMPLX(draw(), draw());
    CHECK(pkm_own_zgesv(N, 1, A, N, pivot, x, N) == 0);
    for (int i = 0; i < N; ++i) {
        double complex sum = -b[i];
        for (int j = 0; j < N; ++j)
            sum += copy[i + j * N] * x[j];
        CHECK_NEAR(cabs(sum), 0.0, EXACT * N);
    }
}

static void positive_definite_systems_are_solved(void)
{
    static matrix A, L, P;
    double value[MOST];
    srand(5);
    for (int upper = 0; upper < 2; ++upper)
        for (int kind = GRADED; kind <= CLUSTERED; ++kind)
            for (int n = 1; n <= MOST; n += 13) {
                const char uplo = upper ? 'U' : 'L';
                draw_symmetric((temper)kind, n, value, A);
                for (int i = 0; i < n; ++i)
                    A[i + i * n] += 1e-3; // away from rounding
                memcpy(L, A, sizeof A);
                CHECK(pkm_own_dpotrf(uplo, n, L, n) == 0);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i)
                        if (upper ? i > j : i < j) L[i + j * n] = 0.0;
                multiply(upper, !upper, n, n, n, L, L, P);
                CHECK_NEAR(difference(n * n, P, A), 0.0, EXACT * norm(n, n, A));
                CHECK(pkm_own_dpotri(uplo, n, L, n) == 0);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < j; ++i)
                        L[upper ? j + i * n : i + j * n] = L[upper ? i + j * n : j + i * n];
                multiply(false, false, n, n, n, L, A, P);
                for (int i = 0; i < n; ++i)
                    P[i + i * n] -= 1.0;
                CHECK_NEAR(norm(n, n, P), 0.0, EXACT * norm(n, n, L) * norm(n, n, A));
            }
}

static void bands_are_solved_as_full_matrices(void)
{
    enum { N = 15, BAND = 3, ROWS = BAND + 1 };
    double AB[ROWS * N] = {0.0}, A[N * N] = {0.0}, x[2 * N], b[2 * N], r[2 * N];
    srand(6);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i <= BAND && i + j < N; ++i)
            AB[i + j * ROWS] = A[i + j + j * N] = A[j + (i + j) * N] = i == 0 ? 8.0 : draw();
    for (int k = 0; k < 2 * N; ++k)
        b[k] = x[k] = draw();
    CHECK(pkm_own_dpbsv(N, BAND, 2, AB, ROWS, x, N) == 0);
    multiply(false, false, N, 2, N, A, x, r);
    CHECK_NEAR(difference(2 * N, r, b), 0.0, EXACT);
}

static void condition_numbers_are_those_of_the_inverse(void)
{
    // [1 1; 1 1 + e]: |A| = 2 + e, |A^-1| = (2 + e) / e
    const double e = 1e-6;
    double A[4] = {1.0, 1.0, 1.0, 1.0 + e}, rcond;
    int pivot[2];
    CHECK(pkm_own_dgetrf(2, 2, A, 2, pivot) == 0);
    CHECK(pkm_own_dgecon(2, A, 2, 2.0 + e, &rcond) == 0);
    CHECK_NEAR(rcond, e / ((2.0 + e) * (2.0 + e)), 1e-9 * e); // 1 - (1 + e) loses six digits
}

static void pivoted_factors_give_the_matrix_and_its_rank(void)
{
    static matrix A, Q, R, P;
    double value[MOST], tau[MOST];
    int pivot[MOST];
    srand(7);
    for (int kind = RANDOM; kind <= SINGULAR; ++kind) {
        const int m = 20, n = 12;
        memset(pivot, 0, sizeof pivot);
        draw_matrix((temper)kind, m, n, value, A);
        memcpy(Q, A, sizeof A);
        CHECK(pkm_own_dgeqp3(m, n, Q, m, pivot, tau) == 0);
        memset(R, 0, sizeof R);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i <= j; ++i)
                R[i + j * m] = Q[i + j * m];
        if (kind == SINGULAR) CHECK(fabs(R[6 + 6 * m]) < EXACT * norm(m, n, A)); // every second one
        CHECK(pkm_own_dorgqr(m, m, n, Q, m, tau) == 0);
        CHECK_NEAR(skewness(m, m, Q), 0.0, EXACT * m);
        multiply(false, false, m, n, m, Q, R, P);
        for (int j = 0; j < n; ++j)
            CHECK_NEAR(difference(m, P + j * m, A + (pivot[j] - 1) * m), 0.0,
                       EXACT * norm(m, n, A));
    }
}

// ---- singular values ----------------------------------------------------------------------------

static void check_svd(temper kind, int m, int n)
{
    static matrix A, W, U, Vt, S, P;
    static double work[4 * MOST * MOST];
    double value[MOST], s[MOST];
    const int least = m < n ? m : n;
    draw_matrix(kind, m, n, value, A);
    memcpy(W, A, sizeof A);
    CHECK(pkm_own_dgesvd('A', 'A', m, n, W, m, s, U, m, Vt, n, work, 4 * MOST * MOST) == 0);
    const double size = norm(m, n, A);
    for (int k = 0; k < least; ++k)
        value[k] = fabs(value[k]);
    qsort(value, (size_t)least, sizeof *value, rising);
    for (int k = 0; k < least; ++k)
        CHECK_NEAR(s[k], value[least - 1 - k], EXACT * size);
    CHECK_NEAR(skewness(m, m, U), 0.0, EXACT * m);
    CHECK_NEAR(skewness(n, n, Vt), 0.0, EXACT * n);
    memset(S, 0, sizeof S);
    for (int k = 0; k < least; ++k)
        for (int i = 0; i < m; ++i)
            S[i + k * m] = U[i + k * m] * s[k];
    multiply(false, false, m, n, n, S, Vt, P);
    CHECK_NEAR(difference(m * n, P, A), 0.0, EXACT * size);
}

static void singular_values_and_vectors_hold(void)
{
    static const int shape[][2] = {{1, 1}, {6, 6}, {40, 27}, {27, 40}, {5, 31}, {31, 5}, {40, 40}};
    srand(8);
    for (int kind = RANDOM; kind < N_TEMPER; ++kind)
        for (size_t i = 0; i < sizeof shape / sizeof shape[0]; ++i)
            check_svd((temper)kind, shape[i][0], shape[i][1]);
}

// A robot in a plane: mirrored columns, whose remainders fall below the smallest normal number.
static void what_vanishes_has_no_direction(void)
{
    const double row[2][4] = {
        {1.5000000000000007, -1.5000000000000007, 0.51993015649261198, -0.51993015649261198},
        {-0.65555555555555611, -0.65555555555555489, -0.85420877563366726, -0.85420877563366671}};
    double A[20] = {0.0}, s[4], U[25], Vt[16], work[64];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            A[i + 5 * j] = row[i][j];
    CHECK(pkm_own_dgesvd('A', 'A', 5, 4, A, 5, s, U, 5, Vt, 4, work, 64) == 0);
    CHECK(s[1] > 1.0 && s[2] < 1e-15 && s[3] < 1e-15);
    CHECK_NEAR(skewness(5, 5, U), 0.0, EXACT);
    CHECK_NEAR(skewness(4, 4, Vt), 0.0, EXACT);
}

// Columns that are sums of others leave nothing but rounding: the sweeps must end all the same.
static void dependent_columns_come_to_rest(void)
{
    static matrix A, U, Vt;
    static double work[4 * MOST * MOST];
    double s[MOST];
    srand(14);
    for (int n = 3; n <= 30; ++n) {
        for (int i = 0; i < 40; ++i) {
            for (int j = 0; j < n; ++j)
                A[i + j * 40] = i % 7 == j % 7 ? draw() : 0.0;
            A[i + (n - 1) * 40] = A[i] - A[i + 40];
        }
        CHECK(pkm_own_dgesvd('A', 'A', 40, n, A, 40, s, U, 40, Vt, n, work, 4 * MOST * MOST) == 0);
        CHECK(s[n - 1] <= 1e-14 * s[0]);
    }
}

/// The least squares solution is orthogonal to the null space, its residual to the range.
static void least_squares_have_least_norm(void)
{
    static matrix A, W, Vt, U;
    static double work[4 * MOST * MOST];
    double value[MOST], s[MOST], b[MOST], x[MOST], r[MOST];
    srand(9);
    for (int wide = 0; wide < 2; ++wide) {
        const int m = wide ? 12 : 20, n = wide ? 20 : 12;
        int rank;
        draw_matrix(SINGULAR, m, n, value, A);
        for (int i = 0; i < MOST; ++i)
            b[i] = x[i] = draw();
        memcpy(W, A, sizeof A);
        CHECK(pkm_own_dgelsd(m, n, 1, W, m, x, MOST, s, 1e-10, &rank) == 0);
        CHECK(rank == 6);
        multiply(false, false, m, 1, n, A, x, r);
        for (int i = 0; i < m; ++i)
            r[i] -= b[i];
        for (int j = 0; j < n; ++j) {
            double across = 0.0;
            for (int i = 0; i < m; ++i)
                across += A[i + j * m] * r[i];
            CHECK_NEAR(across, 0.0, EXACT * norm(m, n, A) * norm(m, 1, b));
        }
        memcpy(W, A, sizeof A);
        CHECK(pkm_own_dgesvd('A', 'A', m, n, W, m, s, U, m, Vt, n, work, 4 * MOST * MOST) == 0);
        for (int k = rank; k < n; ++k) {
            double along = 0.0;
            for (int i = 0; i < n; ++i)
                along += Vt[k + i * n] * x[i];
            CHECK_NEAR(along, 0.0, EXACT * norm(n, 1, x));
        }
    }
}

// ---- eigenvalues --------------------------------------------------------------------------------

static void check_symmetric(temper kind, int n, char uplo)
{
    static matrix A, Z, P, S;
    double value[MOST], w[MOST], alone[MOST], work[3 * MOST];
    draw_symmetric(kind, n, value, A);
    memcpy(Z, A, sizeof A);
    CHECK(pkm_own_dsyev_with('V', uplo, n, Z, n, w, work, 3 * n) == 0);
    const double size = norm(n, n, A);
    qsort(value, (size_t)n, sizeof *value, rising);
    CHECK_NEAR(difference(n, w, value), 0.0, EXACT * size);
    CHECK_NEAR(skewness(n, n, Z), 0.0, EXACT * n);
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            S[i + k * n] = Z[i + k * n] * w[k];
    multiply(false, true, n, n, n, S, Z, P);
    CHECK_NEAR(difference(n * n, P, A), 0.0, EXACT * size);
    memcpy(Z, A, sizeof A);
    CHECK(pkm_own_dsyev_with('N', uplo, n, Z, n, alone, work, 3 * n) == 0);
    CHECK_NEAR(difference(n, alone, w), 0.0, EXACT * size);
}

static void symmetric_eigenvalues_and_vectors_hold(void)
{
    srand(10);
    for (int kind = RANDOM; kind < N_TEMPER; ++kind)
        for (int n = 1; n <= MOST; n += 3)
            check_symmetric((temper)kind, n, n % 2 ? 'L' : 'U');
}

// The chain of n equal masses and springs between walls: 2 - 2 cos(k pi / (n + 1)).
static void a_chain_of_masses_has_its_frequencies(void)
{
    enum { N = 30 };
    double A[N * N] = {0.0}, w[N], work[3 * N];
    for (int i = 0; i < N; ++i) {
        A[i + i * N] = 2.0;
        if (i > 0) A[i + (i - 1) * N] = A[i - 1 + i * N] = -1.0;
    }
    CHECK(pkm_own_dsyev_with('N', 'L', N, A, N, w, work, 3 * N) == 0);
    for (int k = 1; k <= N; ++k)
        CHECK_NEAR(w[k - 1], 2.0 - 2.0 * cos(k * 3.14159265358979323846 / (N + 1)), EXACT);
}

// L^-1 A L^-T keeps the eigenvalues of the pair: here A = B C B' with known C for B = L L'.
static void pairs_reduce_to_one_matrix(void)
{
    static matrix A, B, L, C, T;
    double value[MOST];
    const int n = 9;
    srand(12);
    for (int upper = 0; upper < 2; ++upper) {
        draw_symmetric(RANDOM, n, value, C);
        draw_symmetric(CLUSTERED, n, value, B);
        memcpy(L, B, sizeof B);
        CHECK(pkm_own_dpotrf(upper ? 'U' : 'L', n, L, n) == 0);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (upper ? i > j : i < j) L[i + j * n] = 0.0;
        multiply(upper, false, n, n, n, L, C, T); // (L or U') C
        multiply(false, !upper, n, n, n, T, L, A);
        CHECK(pkm_own_dsygst(upper ? 'U' : 'L', n, A, n, L, n) == 0);
        for (int j = 0; j < n; ++j)
            for (int i = j; i < n; ++i)
                CHECK_NEAR(upper ? A[j + i * n] : A[i + j * n], C[i + j * n], 1e-12);
    }
}

static int by_size(const void* a, const void* b)
{
    const double complex x = *(const double complex*)a, y = *(const double complex*)b;
    if (fabs(creal(x) - creal(y)) > 1e-6) return creal(x) > creal(y) ? 1 : -1;
    return (cimag(x) > cimag(y)) - (cimag(x) < cimag(y));
}

// Damped oscillators turned by an orthogonal matrix: -d +- i w.
static void general_eigenvalues_hold(void)
{
    enum { N = 20 };
    static matrix D, Q, T, A;
    double re[N], im[N];
    double complex found[N], truth[N];
    srand(13);
    memset(D, 0, sizeof D);
    for (int k = 0; k < N / 2; ++k) {
        const double d = 0.1 * k, w = 1.0 + 0.3 * k;
        D[2 * k + 2 * k * N] = D[2 * k + 1 + (2 * k + 1) * N] = -d;
        D[2 * k + (2 * k + 1) * N] = w;
        D[2 * k + 1 + 2 * k * N] = -w;
        truth[2 * k] = CMPLX(-d, w);
        truth[2 * k + 1] = CMPLX(-d, -w);
    }
    draw_orthogonal(N, Q);
    multiply(false, false, N, N, N, Q, D, T);
    multiply(false, true, N, N, N, T, Q, A);
    CHECK(pkm_own_dgeev(N, A, N, re, im) == 0);
    for (int k = 0; k < N; ++k)
        found[k] = CMPLX(re[k], im[k]);
    qsort(found, N, sizeof *found, by_size);
    qsort(truth, N, sizeof *truth, by_size);
    for (int k = 0; k < N; ++k)
        CHECK_NEAR(cabs(found[k] - truth[k]), 0.0, EXACT * norm(N, N, D));
}

// A permutation matrix, on which an unshifted iteration stands still: the roots of unity.
static void a_cycle_has_the_roots_of_unity(void)
{
    enum { N = 8 };
    double complex A[N * N] = {0}, w[N];
    for (int i = 0; i < N; ++i)
        A[(i + 1) % N + i * N] = 1.0;
    CHECK(pkm_own_zeigenvalues(N, A, N, w) == 0);
    for (int k = 0; k < N; ++k) {
        const double complex r = cpow(w[k], N);
        CHECK_NEAR(cabs(r - 1.0), 0.0, 1e-12);
        for (int l = 0; l < k; ++l)
            CHECK(cabs(w[k] - w[l]) > 0.7);
    }
}

// (z - 1)(z - 2)(z - 3i) and a root at infinity, as a companion pencil whose leading entry is zero.
static void pencils_have_finite_and_infinite_roots(void)
{
    enum { N = 4 };
    const double complex root[3] = {1.0, 2.0, 3.0 * I};
    // z^3 - (r1 + r2 + r3) z^2 + (r1 r2 + r1 r3 + r2 r3) z - r1 r2 r3, the fourth power times 0
    const double complex p[N + 1] = {-6.0 * I, 2.0 + 9.0 * I, -3.0 - 3.0 * I, 1.0, 0.0};
    double complex A[N * N] = {0}, B[N * N] = {0}, alpha[N], beta[N];
    for (int i = 0; i < N; ++i) {
        if (i > 0) A[i - 1 + N * i] = 1.0;
        A[N - 1 + N * i] = -p[i];
        B[i + N * i] = i < N - 1 ? 1.0 : p[N];
    }
    CHECK(pkm_own_zggev(N, A, N, B, N, alpha, beta) == 0);
    int infinite = 0, met[3] = {0};
    for (int k = 0; k < N; ++k) {
        if (cabs(beta[k]) < 1e-12 * cabs(alpha[k])) ++infinite;
        for (int l = 0; l < 3; ++l)
            if (cabs(alpha[k] - root[l] * beta[k]) < 1e-12 * cabs(alpha[k])) ++met[l];
    }
    CHECK(infinite == 1 && met[0] == 1 && met[1] == 1 && met[2] == 1);
}

int main(void)
{
    RUN(products_are_those_of_the_definition);
    RUN(symmetric_products_read_one_triangle);
    RUN(general_systems_are_solved);
    RUN(singular_systems_say_so);
    RUN(complex_systems_are_solved);
    RUN(positive_definite_systems_are_solved);
    RUN(bands_are_solved_as_full_matrices);
    RUN(condition_numbers_are_those_of_the_inverse);
    RUN(pivoted_factors_give_the_matrix_and_its_rank);
    RUN(singular_values_and_vectors_hold);
    RUN(what_vanishes_has_no_direction);
    RUN(dependent_columns_come_to_rest);
    RUN(least_squares_have_least_norm);
    RUN(symmetric_eigenvalues_and_vectors_hold);
    RUN(a_chain_of_masses_has_its_frequencies);
    RUN(pairs_reduce_to_one_matrix);
    RUN(general_eigenvalues_hold);
    RUN(a_cycle_has_the_roots_of_unity);
    RUN(pencils_have_finite_and_infinite_roots);
    return check_report();
}
