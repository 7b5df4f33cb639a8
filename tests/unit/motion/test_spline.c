#include "motion/spline.h"

#include "base/memory.h"
#include "check.h"

enum { MAX = 161 };

static double knots[MAX], data[2 * 3 * MAX];

static pkm_spline uneven(int n, int n_column)
{
    for (int i = 0; i < n; ++i)
        knots[i] = (i + 0.3 * sin(2.0 * i)) / (n - 1 + 0.3 * sin(2.0 * (n - 1)));
    memset(data, 0, sizeof data);
    return (pkm_spline){n, n_column, knots, data};
}

// p(t) = 1 - 2 t + 3 t^2 - 4 t^3 + 5 t^4 - 6 t^5 and its derivatives.
static double quintic(double t, int order)
{
    const double c[6] = {1.0, -2.0, 3.0, -4.0, 5.0, -6.0};
    double sum = 0.0;
    for (int k = order; k < 6; ++k) {
        double f = c[k];
        for (int m = 0; m < order; ++m)
            f *= k - m;
        sum += f * pow(t, k - order);
    }
    return sum;
}

static void set_slopes(pkm_spline* s, int column, int knot, double first, double second)
{
    double* d = s->data + column * 3 * s->n_knot + s->n_knot + 2 * knot;
    d[0] = first;
    d[1] = second;
}

// The quintic is the spline itself, so only rounding remains: eps/h^k for the k-th derivative.
static void check_is_quintic(const pkm_spline* s, int column)
{
    for (int i = 0; i <= 200; ++i) {
        const double t = i / 200.0;
        pkm_spline_point p;
        pkm_spline_at(s, column, t, &p);
        const double tolerance[5] = {1e-14, 1e-12, 1e-10, 1e-8, 1e-5};
        for (int k = 0; k < 5; ++k)
            CHECK_NEAR(p.d[k], quintic(t, k), tolerance[k]);
    }
}

static void reproduces_a_quintic(void)
{
    pkm_spline s = uneven(12, 2);
    for (int i = 0; i < 12; ++i)
        data[36 + i] = quintic(knots[i], 0);
    set_slopes(&s, 1, 0, quintic(0, 1), quintic(0, 2));
    set_slopes(&s, 1, 11, quintic(1, 1), quintic(1, 2));
    CHECK(pkm_spline_fit(&s) == PKM_OK);
    check_is_quintic(&s, 1);
    pkm_spline_point zero; // the first column stays the null function
    pkm_spline_at(&s, 0, 0.4, &zero);
    CHECK(zero.d[0] == 0.0 && zero.d[2] == 0.0);
}

static void six_samples_give_the_ends_of_a_quintic(void)
{
    pkm_spline s = uneven(12, 1);
    for (int i = 0; i < 12; ++i)
        data[i] = quintic(knots[i], 0);
    pkm_spline_estimate_ends(&s);
    CHECK_NEAR(data[12], quintic(0, 1), 1e-11);
    CHECK_NEAR(data[13], quintic(0, 2), 1e-9);
    CHECK_NEAR(data[12 + 22], quintic(1, 1), 1e-11);
    CHECK_NEAR(data[12 + 23], quintic(1, 2), 1e-9);
    pkm_spline two = uneven(2, 1);
    data[0] = 3.0;
    data[1] = 5.0;
    pkm_spline_estimate_ends(&two);
    CHECK(data[2] == 2.0 && data[3] == 0.0 && data[4] == 2.0 && data[5] == 0.0);
}

// Both sides of a knot agree to the fourth derivative, whose size here is 1e4 and whose rounding is
// eps/h^4 = 1e-11 relative to y of 1.
static void pieces_join_to_the_fourth_derivative(void)
{
    pkm_spline s = uneven(15, 1);
    for (int i = 0; i < 15; ++i)
        data[i] = cos(7.0 * i * i);
    CHECK(pkm_spline_fit(&s) == PKM_OK);
    for (int i = 1; i < 14; ++i) {
        pkm_spline_point left, right, near;
        const double e = 1e-9;
        pkm_spline_at(&s, 0, knots[i], &right);
        pkm_spline_at(&s, 0, knots[i] - e, &left);
        pkm_spline_at(&s, 0, knots[i] - 2 * e, &near);
        CHECK_NEAR(right.d[0], data[i], 0.0);
        for (int k = 0; k < 5; ++k) {
            const double at_knot = left.d[k] + (left.d[k] - near.d[k]); // left limit
            CHECK_NEAR(at_knot, right.d[k], 1e-9 * pow(30.0, k));
        }
    }
}

static void ends_keep_their_slopes(void)
{
    pkm_spline s = uneven(9, 1);
    for (int i = 0; i < 9; ++i)
        data[i] = sin(5.0 * i);
    CHECK(pkm_spline_fit(&s) == PKM_OK);
    pkm_spline_point p;
    pkm_spline_at(&s, 0, 0.0, &p);
    CHECK(p.d[1] == 0.0 && p.d[2] == 0.0);
    pkm_spline_at(&s, 0, 1.0, &p);
    CHECK_NEAR(p.d[1], 0.0, 1e-12);
    CHECK_NEAR(p.d[2], 0.0, 1e-10);
}

static double worst_error_on_sine(int n, bool free_ends, int order)
{
    pkm_spline s = uneven(n, 1);
    for (int i = 0; i < n; ++i)
        data[i] = sin(9.0 * knots[i] + 0.4);
    set_slopes(&s, 0, 0, 9.0 * cos(0.4), -81.0 * sin(0.4));
    set_slopes(&s, 0, n - 1, 9.0 * cos(9.4), -81.0 * sin(9.4));
    if (free_ends) pkm_spline_estimate_ends(&s);
    CHECK(pkm_spline_fit(&s) == PKM_OK);
    double worst = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        pkm_spline_point p;
        pkm_spline_at(&s, 0, i / 1000.0, &p);
        const double angle = 9.0 * i / 1000.0 + 0.4;
        const double exact = order == 0 ? sin(angle) : -81.0 * sin(angle);
        worst = fmax(worst, fabs(p.d[order] - exact));
    }
    return worst;
}

// The error of a quintic spline is O(h^6), of its second derivative O(h^4); the measured order
// comes near from below.
static void converges_with_order_six(void)
{
    for (int ends = 0; ends < 2; ++ends) {
        const double a = worst_error_on_sine(41, ends == 1, 0);
        const double b = worst_error_on_sine(81, ends == 1, 0);
        CHECK(log2(a / b) > 5.5 && log2(a / b) < 7.0);
        const double c = worst_error_on_sine(41, ends == 1, 2);
        const double d = worst_error_on_sine(81, ends == 1, 2);
        CHECK(log2(c / d) > 3.5 && log2(c / d) < 5.0);
    }
    CHECK(worst_error_on_sine(161, false, 0) < 1e-10);
}

static void two_samples_make_one_quintic(void)
{
    pkm_spline s = uneven(2, 1);
    data[1] = 1.0;
    CHECK(pkm_spline_fit(&s) == PKM_OK);
    pkm_spline_point p;
    pkm_spline_at(&s, 0, 0.3, &p);
    CHECK_NEAR(p.d[0], 10 * 0.027 - 15 * 0.0081 + 6 * 0.00243, 1e-15);
    CHECK_NEAR(p.d[3], 60 - 360 * 0.3 + 360 * 0.09, 1e-12);
}

static void memory_that_fails_is_reported(void)
{
    pkm_spline s = uneven(5, 1);
    pkm_alloc_fail_at(1);
    CHECK(pkm_spline_fit(&s) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(pkm_spline_fit(&s) == PKM_OK);
}

int main(void)
{
    RUN(reproduces_a_quintic);
    RUN(six_samples_give_the_ends_of_a_quintic);
    RUN(pieces_join_to_the_fourth_derivative);
    RUN(ends_keep_their_slopes);
    RUN(converges_with_order_six);
    RUN(two_samples_make_one_quintic);
    RUN(memory_that_fails_is_reported);
    return check_report();
}
