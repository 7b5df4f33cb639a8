#include "math/fft.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>

enum { MOST = 1200 };

/// The sum itself, in long double, with the angle reduced exactly.
static void plain_sum(const double* x, int n, int k, double* re, double* im)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    long double sum_re = 0.0L, sum_im = 0.0L;
    for (int j = 0; j < n; ++j) {
        const long double angle = 2.0L * pi * (long double)((long long)j * k % n) / n;
        sum_re += x[j] * cosl(angle);
        sum_im -= x[j] * sinl(angle);
    }
    *re = (double)sum_re;
    *im = (double)sum_im;
}

static void check_length(int n)
{
    double x[MOST] = {0.0}, re[MOST], im[MOST], size = 0.0;
    for (int j = 0; j < n; ++j) {
        x[j] = 2.0 * rand() / RAND_MAX - 1.0;
        size += fabs(x[j]);
    }
    CHECK(pkm_fft_real(x, n, re, im) == PKM_OK);
    for (int k = 0; k <= n / 2; ++k) {
        double plain_re, plain_im;
        plain_sum(x, n, k, &plain_re, &plain_im);
        // some ten roundings of terms that add up to `size`
        CHECK_NEAR(re[k], plain_re, 2e-15 * size);
        CHECK_NEAR(im[k], plain_im, 2e-15 * size);
    }
}

// All short lengths; then products of small primes, powers, primes and products with large primes.
static void every_length_gives_the_plain_sum(void)
{
    static const int length[] = {128, 243, 256, 401, 442, 997, 1000, 1001, 1024, 1194};
    srand(11);
    for (int n = 1; n <= 70; ++n)
        check_length(n);
    for (size_t i = 0; i < sizeof length / sizeof length[0]; ++i)
        check_length(length[i]);
}

// A single wave of a whole number of periods has one line, the others vanish to rounding.
static void a_long_wave_has_one_line(void)
{
    enum { N = 100003 }; // a prime
    double* memory = pkm_alloc(3 * N, sizeof *memory);
    double *x = memory, *re = memory + N, *im = memory + 2 * N;
    for (long long j = 0; j < N; ++j)
        x[j] = cos(2.0 * 3.14159265358979323846 * (double)(j * 777 % N) / N);
    CHECK(pkm_fft_real(x, N, re, im) == PKM_OK);
    double rest = 0.0;
    for (int k = 0; k <= N / 2; ++k)
        if (k != 777) rest = fmax(rest, hypot(re[k], im[k]));
    CHECK_NEAR(re[777], 0.5 * N, 1e-15 * 20.0 * N);
    CHECK_NEAR(rest, 0.0, 1e-15 * 20.0 * N);
    pkm_free(memory);
}

static void what_is_no_length_is_refused(void)
{
    double x[1] = {3.0}, re[1], im[1];
    CHECK(pkm_fft_real(x, 0, re, im) == PKM_ERR_ARGUMENT);
    CHECK(pkm_fft_real(x, 1, re, im) == PKM_OK);
    CHECK_NEAR(re[0], 3.0, 0.0);
}

static void memory_that_fails_is_told(void)
{
    double x[401] = {1.0}, re[201], im[201];
    for (size_t n = 1; n <= 2; ++n) {
        pkm_alloc_fail_at(n);
        CHECK(pkm_fft_real(x, 401, re, im) == PKM_ERR_MEMORY);
    }
    pkm_alloc_fail_at(0);
}

int main(void)
{
    RUN(every_length_gives_the_plain_sum);
    RUN(a_long_wave_has_one_line);
    RUN(what_is_no_length_is_refused);
    RUN(memory_that_fails_is_told);
    return check_report();
}
