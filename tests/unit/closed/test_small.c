#include "closed/small.h"

#include "laws.h"

// Residual of M x = b and M' x = b for random matrices of every size.
static void factors_solve_and_solve_transposed(void)
{
    uint64_t seed = 1;
    for (int n = 1; n <= PKM_CLOSED_MAX_DRIVE; ++n) {
        double m[36], b[6], x[6], r[6];
        for (int k = 0; k < n * n; ++k)
            m[k] = law_random(&seed, -1.0, 1.0);
        for (int k = 0; k < n; ++k)
            b[k] = law_random(&seed, -1.0, 1.0);

        pkm_small_lu f;
        CHECK(pkm_small_factor(&f, n, m) > 1e-3);
        pkm_small_solve(&f, b, x);
        pkm_small_multiply(n, m, x, r);
        for (int k = 0; k < n; ++k)
            CHECK_NEAR(r[k], b[k], 1e-13);

        double B[36], X[36];
        for (int k = 0; k < n * n; ++k)
            B[k] = law_random(&seed, -1.0, 1.0);
        pkm_small_solve_all(&f, B, X);
        for (int k = 0; k < n; ++k) {
            pkm_small_solve(&f, B + k * n, x);
            for (int i = 0; i < n; ++i)
                CHECK_NEAR(X[k * n + i], x[i], 1e-13 * (1.0 + fabs(x[i])));
        }
    }
}

static void solving_in_place_gives_the_same(void)
{
    const double m[9] = {0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, 1.0, 0.0};
    double x[3] = {1.0, 2.0, 3.0}, y[3];
    pkm_small_lu f;
    CHECK(pkm_small_factor(&f, 3, m) > 0.1);
    pkm_small_solve(&f, x, y);
    pkm_small_solve(&f, x, x);
    for (int k = 0; k < 3; ++k)
        CHECK(x[k] == y[k]);
}

// Rank 3 of 4: the last pivot is rounding only. A zero matrix and NaN are told apart from rank.
static void the_smallest_pivot_tells_lost_rank(void)
{
    double m[16];
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i)
            m[i + 4 * j] = 1.0 + (i + 1) * (j + 2) + i * i * (j == 1);
    }
    for (int i = 0; i < 4; ++i)
        m[i + 12] = m[i] - 2.0 * m[i + 4] + m[i + 8];
    pkm_small_lu f;
    CHECK(pkm_small_factor(&f, 4, m) < 1e-13);

    const double zero[9] = {0.0};
    CHECK(pkm_small_factor(&f, 3, zero) == 0.0);
    const double nan[4] = {1.0, NAN, 0.0, 1.0};
    CHECK(isnan(pkm_small_factor(&f, 2, nan)));
}

int main(void)
{
    RUN(factors_solve_and_solve_transposed);
    RUN(solving_in_place_gives_the_same);
    RUN(the_smallest_pivot_tells_lost_rank);
    return check_report();
}
