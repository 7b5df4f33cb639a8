/// Peaks between samples, of functions whose maxima are known.
#include "robot/peaks.h"

#include "check.h"
#include "pkm/table.h"

#include <math.h>
#include <string.h>

static double (*f)(double t);
static double looked[100];
static int n_look;

static pkm_status look(void* user, double t, const double* place, double* row)
{
    (void)user;
    CHECK(fabs(place[0] - t) < 0.2); // of a sample nearby
    row[0] = t;
    row[1] = f(t);
    if (n_look < 100) looked[n_look++] = t;
    return PKM_OK;
}

/// The table after samples every 1/n, all of them rows, and its peaks.
static pkm_table* find_all(double (*function)(double t), int n)
{
    f = function;
    n_look = 0;
    pkm_table* table = pkm_table_create();
    const pkm_column located = {.quantity = "x", .unit = "m", .peak = PKM_PEAK_LOCATED};
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    CHECK(pkm_table_add_column(table, "x", "m") == 1);
    pkm_table_describe(table, 1, &located);
    pkm_peaks* peaks = pkm_peaks_create(table, 1);
    for (int i = 0; i <= n; ++i) {
        double* row = pkm_table_append(table);
        row[0] = (double)i / n;
        row[1] = f(row[0]);
        pkm_peaks_sample(peaks, row, row, true);
    }
    CHECK(pkm_peaks_locate(peaks, look, NULL, table) == PKM_OK);
    pkm_peaks_free(peaks);
    return table;
}

/// The largest magnitude that the table has.
static double find_peak(double (*function)(double t), int n, double* at)
{
    pkm_table* table = find_all(function, n);
    int row;
    const double largest = pkm_table_reduce(table, 1, PKM_REDUCE_ABSMAX, &row);
    *at = pkm_table_get(table, row, 0);
    pkm_table_free(table);
    return largest;
}

/// Two bells, 1 and 0.98 high; samples every 0.05 show 0.9394 of the higher one, 0.9758 of the
/// other.
static double two_bells(double t)
{
    const double a = (t - 0.225) / 0.1, b = (t - 0.755) / 0.1;
    return exp(-a * a) + 0.98 * exp(-b * b);
}

static void the_highest_peak_is_located_not_the_highest_sample(void)
{
    double at = 0.0;
    CHECK_NEAR(find_peak(two_bells, 20, &at), 1.0, 1e-6);
    CHECK_NEAR(at, 0.225, 1e-3);
}

static double lower_first(double t)
{
    return two_bells(1.0 - t);
}

static void whichever_comes_first(void)
{
    double at = 0.0;
    CHECK_NEAR(find_peak(lower_first, 20, &at), 1.0, 1e-6);
    CHECK_NEAR(at, 0.775, 1e-3);
}

/// 1 - x^2 + x^3 / 2 - x^4 with x = 1.5 (t - 0.47): largest where x = 0.
static double quartic(double t)
{
    const double x = 1.5 * (t - 0.47);
    return 1.0 - x * x + 0.5 * x * x * x - x * x * x * x;
}

static double downwards(double t)
{
    return -quartic(t);
}

// Five samples tell a polynomial of fourth degree: the first look is at its maximum.
static void a_polynomial_of_fourth_degree_takes_one_look(void)
{
    double at = 0.0;
    CHECK_NEAR(find_peak(quartic, 10, &at), 1.0, 1e-12);
    CHECK(n_look >= 1);
    CHECK_NEAR(looked[0], 0.47, 1e-7);
    CHECK_NEAR(find_peak(downwards, 10, &at), 1.0, 1e-12);
    CHECK_NEAR(looked[0], 0.47, 1e-7);
}

static bool goes_on(double (*of)(double), double from, double h)
{
    const double t[4] = {from, from + h, from + 2.2 * h, from + 3.1 * h};
    const double y[4] = {of(t[0]), of(t[1]), of(t[2]), of(t[3])};
    return pkm_peak_goes_on(t, y);
}

// A sine with steps of a fifth of a radian: between the last two samples of four it goes on where
// it is steep; where it turns, or a step is longer than the wave, nothing is promised.
static void what_goes_on_has_no_peak_inside(void)
{
    const double h = 0.2, pi = 3.14159265358979;
    for (int k = -40; k < 40; ++k) {
        const double from = 0.1 * k, begin = from + 2.2 * h, end = from + 3.1 * h;
        bool has_turn = false;
        for (int i = -2; i <= 2; ++i) {
            const double turn = (i + 0.5) * pi;
            has_turn = has_turn || (turn >= begin && turn <= end);
        }
        if (has_turn) CHECK(!goes_on(sin, from, h));
    }
    CHECK(goes_on(sin, -0.4, h) && goes_on(sin, pi - 0.4, h)); // rises, falls
    CHECK(!goes_on(sin, -4.4, 2.0)); // -2.4, 0, 1.8 rise evenly past a peak at 1.57
    CHECK(!goes_on(fabs, -0.4, h));
}

static void parts_that_are_not_there_go_nowhere(void)
{
    const double t[4] = {NAN, 0.1, 0.2, 0.3}, y[4] = {0.0, 1.0, 2.0, 3.0};
    const double even[4] = {0.0, 0.1, 0.2, 0.3}, flat[4] = {1.0, 1.0, 1.0, 1.0};
    CHECK(!pkm_peak_goes_on(t, y));
    CHECK(pkm_peak_goes_on(even, y));
    CHECK(!pkm_peak_goes_on(even, flat));
}

// Samples alone: a wave of known height, however its samples fall; a jump is not made much
// larger than the parabola makes it; what rises to its end has its end.
static void samples_alone_tell_the_height_of_a_wave(void)
{
    enum { N = 41 };
    double y[N], worst = 0.0;
    for (int k = 0; k < 50; ++k) {
        double rows = 0.0;
        for (int i = 0; i < N; ++i) {
            y[i] = -2.0 * cos(0.4 * i + 0.031 * k);
            rows = fmax(rows, fabs(y[i]));
        }
        worst = fmax(worst, 2.0 - rows);
        CHECK_NEAR(pkm_peak_of_samples(y, N), 2.0, 2e-4);
    }
    CHECK(worst > 1e-3); // which the largest sample misses
    for (int i = 0; i < N; ++i)
        y[i] = i < 20 ? 0.0 : 1.0;
    CHECK(pkm_peak_of_samples(y, N) < 1.15); // parabola: 1 + (f2 - f0)^2 / 8 (2 f1 - f0 - f2)
    for (int i = 0; i < N; ++i)
        y[i] = i;
    CHECK(pkm_peak_of_samples(y, N) == N - 1);
    CHECK(pkm_peak_of_samples(y, 1) == 0.0);
}

static double raised_wave(double t)
{
    return 3.0 + sin(2.0 * 3.14159265358979323846 * (t - 0.013));
}

static double lowered_wave(double t)
{
    return -raised_wave(t);
}

// The smallest value of what is always positive, and the largest of what is always negative.
static void both_signed_extremes_are_located(void)
{
    pkm_table* up = find_all(raised_wave, 11);
    CHECK_NEAR(pkm_table_reduce(up, 1, PKM_REDUCE_MAX, NULL), 4.0, 2e-5);
    CHECK_NEAR(pkm_table_reduce(up, 1, PKM_REDUCE_MIN, NULL), 2.0, 2e-5);
    pkm_table* down = find_all(lowered_wave, 11);
    CHECK_NEAR(pkm_table_reduce(down, 1, PKM_REDUCE_MAX, NULL), -2.0, 2e-5);
    CHECK_NEAR(pkm_table_reduce(down, 1, PKM_REDUCE_MIN, NULL), -4.0, 2e-5);
    pkm_table_free(up);
    pkm_table_free(down);
}

/// A hollow of 1 at 0.325, between two samples, and a fall to -5 at the end.
static double fall(double t)
{
    const double a = (t - 0.325) / 0.1, b = fmax(t - 0.6, 0.0) / 0.4;
    return -exp(-a * a) - 5.0 * b * b * b;
}

static void rows_that_reach_further_need_no_located_ones(void)
{
    pkm_table* table = find_all(fall, 20);
    CHECK_NEAR(pkm_table_reduce(table, 1, PKM_REDUCE_MIN, NULL), -5.0, 1e-12);
    for (int i = 0; i < pkm_table_n_located(table); ++i) // the largest value may be located
        CHECK(fabs(pkm_table_get(table, pkm_table_n_row(table) + i, 0) - 0.325) > 0.1);
    pkm_table_free(table);
}

/// A sample that is no row has the largest value until a row has a larger one.
static void a_row_takes_the_place_of_a_sample(void)
{
    for (int last = 1; last <= 3; ++last) {
        pkm_table* table = pkm_table_create();
        const pkm_column located = {.quantity = "x", .unit = "m", .peak = PKM_PEAK_LOCATED};
        CHECK(pkm_table_add_column(table, "t", "s") == 0);
        CHECK(pkm_table_add_column(table, "x", "m") == 1);
        pkm_table_describe(table, 1, &located);
        pkm_peaks* peaks = pkm_peaks_create(table, 1);
        for (int i = 0; i < 3; ++i) { // 0, then 2 between the rows, then 1, 2 or 3
            const double row[2] = {i, i == 0 ? 0.0 : i == 1 ? 2.0 : last};
            if (i != 1) memcpy(pkm_table_append(table), row, sizeof row);
            pkm_peaks_sample(peaks, row, row, i != 1);
            pkm_peaks_break(peaks);
        }
        CHECK(pkm_peaks_locate(peaks, look, NULL, table) == PKM_OK);
        CHECK(pkm_table_n_located(table) == (last < 3 ? 1 : 0));
        pkm_peaks_free(peaks);
        pkm_table_free(table);
    }
}

int main(void)
{
    RUN(rows_that_reach_further_need_no_located_ones);
    RUN(a_row_takes_the_place_of_a_sample);
    RUN(both_signed_extremes_are_located);
    RUN(what_goes_on_has_no_peak_inside);
    RUN(parts_that_are_not_there_go_nowhere);
    RUN(samples_alone_tell_the_height_of_a_wave);
    RUN(the_highest_peak_is_located_not_the_highest_sample);
    RUN(whichever_comes_first);
    RUN(a_polynomial_of_fourth_degree_takes_one_look);
    return check_report();
}
