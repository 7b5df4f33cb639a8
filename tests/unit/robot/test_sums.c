/// Integrals over samples: exact for polynomials, whatever the spacing, and in the pieces between
/// breaks.
#include "robot/sums.h"

#include "check.h"

#include <math.h>

static double fifth(double t)
{
    return 1.0 + t * (2.0 + t * (-3.0 + t * (4.0 + t * (-5.0 + t * 6.0))));
}

static double fifth_integral(double t)
{
    return t * (1.0 + t * (1.0 + t * (-1.0 + t * (1.0 + t * (-1.0 + t)))));
}

/// Samples at t = (k / n)^power from 0 to 1.
static double integrate(double (*f)(double), int n, double power)
{
    pkm_sums* s = pkm_sums_create(1, 0);
    for (int k = 0; k <= n; ++k) {
        const double t = pow((double)k / n, power), value = f(t);
        pkm_sums_sample(s, t, &value, NULL);
    }
    pkm_sums_break(s);
    const double total = pkm_sums_get(s, 0);
    CHECK_NEAR(pkm_sums_span(s), 1.0, 1e-14);
    pkm_sums_free(s);
    return total;
}

static void polynomials_of_fifth_degree_are_exact(void)
{
    static const int n[] = {5, 6, 7, 20};
    for (int i = 0; i < 4; ++i)
        for (double power = 1.0; power < 2.0; power += 0.37)
            CHECK_NEAR(integrate(fifth, n[i], power), fifth_integral(1.0), 1e-13);
}

static double square(double t)
{
    return t * t;
}

static void few_samples_give_what_they_can(void)
{
    CHECK_NEAR(integrate(square, 2, 1.0), 1.0 / 3.0, 1e-15); // three samples: a parabola
    CHECK_NEAR(integrate(square, 1, 1.0), 0.5, 1e-15);       // two: a straight line
}

static double wave(double t)
{
    return sin(12.0 * t);
}

/// Halving the spacing divides the error by 2^6, at the ends a little less.
static void smooth_functions_converge_with_the_sixth_order(void)
{
    const double exact = (1.0 - cos(12.0)) / 12.0;
    const double coarse = fabs(integrate(wave, 40, 1.0) - exact);
    const double fine = fabs(integrate(wave, 80, 1.0) - exact);
    CHECK(coarse < 1e-6 && log2(coarse / fine) > 5.5);
}

/// A step at 0.5 with samples on both sides of it, eps apart, and a sample at it alone.
static void a_step_at_a_break_costs_nothing(void)
{
    static const double EPS = 1e-9;
    pkm_sums* s = pkm_sums_create(1, 0);
    for (int k = 0; k <= 20; ++k) {
        const double t = k < 10 ? 0.05 * k : k == 10 ? 0.5 - EPS : 0.05 * k, low = 1.0 + t;
        pkm_sums_sample(s, t, &low, NULL);
        if (k == 10) break;
    }
    pkm_sums_break(s);
    pkm_sums_sample(s, 0.5, &(double){1.5}, NULL);
    pkm_sums_break(s);
    for (int k = 10; k <= 20; ++k) {
        const double t = k == 10 ? 0.5 + EPS : 0.05 * k, high = 101.0 + t;
        pkm_sums_sample(s, t, &high, NULL);
    }
    pkm_sums_break(s);
    CHECK_NEAR(pkm_sums_get(s, 0), 1.5 + 50.0, 2e-7); // EPS times what is there
    CHECK_NEAR(pkm_sums_span(s), 1.0, 3.0 * EPS);
    pkm_sums_free(s);
}

/// Samples that crowd before a long interval, as steps do after an impact, with a noise of 1e-9:
/// the polynomial through them would be off by 1e-9 (1e-3 / 1e-9)^2 and more.
static void crowded_samples_do_not_magnify_their_noise(void)
{
    static const double t[] = {0.0, 1e-3, 1e-3 + 1e-9, 1e-3 + 2e-9, 1e-3 + 3e-9, 2e-3, 3e-3};
    pkm_sums* s = pkm_sums_create(1, 0);
    for (int k = 0; k < 7; ++k)
        pkm_sums_sample(s, t[k], &(double){1.0 + t[k] + (k % 2 == 0 ? 1e-9 : -1e-9)}, NULL);
    pkm_sums_break(s);
    CHECK_NEAR(pkm_sums_get(s, 0), 3e-3 + 0.5 * 9e-6, 1e-10);
    pkm_sums_free(s);
}

/// A straight line through zero: its parts are two triangles; an instant that comes twice counts
/// once.
static void parts_of_a_line_are_triangles(void)
{
    pkm_sums* s = pkm_sums_create(0, 1);
    static const double t[] = {0.0, 0.3, 0.3, 1.0};
    double up, down;
    for (int k = 0; k < 4; ++k)
        pkm_sums_sample(s, t[k], NULL, &(double){4.0 * t[k] - 1.0}); // zero at 0.25
    pkm_sums_break(s);
    pkm_sums_get_parts(s, 0, &up, &down);
    CHECK_NEAR(down, 0.5 * 0.25 * 1.0, 1e-15);
    CHECK_NEAR(up, 0.5 * 0.75 * 3.0, 1e-15);
    pkm_sums_free(s);
}

/// Lines through zero beside each other, and one that stays above it: each has its own triangles.
static void each_quantity_has_its_own_parts(void)
{
    enum { N = 12, PARTS = 4 };
    static const double zero[PARTS] = {0.25, 0.4, -0.5, 0.7}, slope[PARTS] = {4.0, -3.0, 2.0, -1.0};
    pkm_sums* s = pkm_sums_create(1, PARTS);
    for (int k = 0; k <= N; ++k) {
        double part[PARTS];
        for (int i = 0; i < PARTS; ++i)
            part[i] = slope[i] * ((double)k / N - zero[i]);
        pkm_sums_sample(s, (double)k / N, &(double){7.0}, part);
    }
    pkm_sums_break(s);
    CHECK_NEAR(pkm_sums_get(s, 0), 7.0, 1e-13);
    for (int i = 0; i < PARTS; ++i) {
        const double before = fmax(zero[i], 0.0), behind = 1.0 - zero[i];
        const double left = 0.5 * fabs(slope[i]) * before * before;
        const double right = 0.5 * fabs(slope[i]) * behind * behind -
                             0.5 * fabs(slope[i]) * fmin(zero[i], 0.0) * zero[i];
        double up, down;
        pkm_sums_get_parts(s, i, &up, &down);
        CHECK_NEAR(up, slope[i] > 0.0 ? right : left, 1e-13);
        CHECK_NEAR(down, slope[i] > 0.0 ? left : right, 1e-13);
    }
    pkm_sums_free(s);
}

/// A wave has parts as good as the whole: 2 / 12 for each half wave, and what is left of the last.
static void parts_of_a_wave_converge_as_the_whole(void)
{
    const double half = 2.0 / 12.0, last = (1.0 - cos(12.0 - 3.0 * acos(-1.0))) / 12.0;
    double off[2], up, down;
    for (int k = 0; k < 2; ++k) {
        const int n = k == 0 ? 40 : 80;
        pkm_sums* s = pkm_sums_create(0, 1);
        for (int i = 0; i <= n; ++i)
            pkm_sums_sample(s, (double)i / n, NULL, &(double){wave((double)i / n)});
        pkm_sums_break(s);
        pkm_sums_get_parts(s, 0, &up, &down);
        off[k] = fmax(fabs(up - 2.0 * half), fabs(down - half - last));
        pkm_sums_free(s);
    }
    CHECK(off[0] < 1e-6 && log2(off[0] / off[1]) > 5.0);
}

/// |t - 0.53| - 0.2 has a kink below zero: its parts are triangles, to the square of the spacing.
static void a_kink_costs_its_interval(void)
{
    double up, down;
    pkm_sums* s = pkm_sums_create(0, 1);
    for (int i = 0; i <= 40; ++i)
        pkm_sums_sample(s, i / 40.0, NULL, &(double){fabs(i / 40.0 - 0.53) - 0.2});
    pkm_sums_break(s);
    pkm_sums_get_parts(s, 0, &up, &down);
    CHECK_NEAR(down, 0.2 * 0.2, 0.25 / 1600.0);
    CHECK_NEAR(up, 0.5 * (0.33 * 0.33 + 0.27 * 0.27), 1e-12);
    pkm_sums_free(s);
}

int main(void)
{
    RUN(polynomials_of_fifth_degree_are_exact);
    RUN(few_samples_give_what_they_can);
    RUN(smooth_functions_converge_with_the_sixth_order);
    RUN(a_step_at_a_break_costs_nothing);
    RUN(crowded_samples_do_not_magnify_their_noise);
    RUN(parts_of_a_line_are_triangles);
    RUN(each_quantity_has_its_own_parts);
    RUN(parts_of_a_wave_converge_as_the_whole);
    RUN(a_kink_costs_its_interval);
    return check_report();
}
