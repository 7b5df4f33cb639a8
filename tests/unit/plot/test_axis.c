#include "plot/axis.h"

#include "check.h"
#include "plot/svg.h"

static pkm_ticks ticks_of(double low, double high, int count)
{
    const pkm_scale scale = {low, high, false};
    return pkm_ticks_make(&scale, count);
}

static void ticks_stand_at_multiples_of_1_2_5(void)
{
    const pkm_ticks a = ticks_of(0.0, 1.0, 4); // 1 / 6 becomes 0.2
    CHECK(a.n == 6 && a.power == 0);
    for (int k = 0; k < a.n; ++k)
        CHECK_NEAR(a.value[k], 0.2 * k, 1e-15);
    CHECK_TEXT(a.label[0], "0.0");
    CHECK_TEXT(a.label[3], "0.6");

    const pkm_ticks b = ticks_of(-7.3, 12.1, 4); // 19.4 / 6 becomes 5
    CHECK(b.n == 4);
    CHECK_TEXT(b.label[0], PKM_SVG_MINUS "5");
    CHECK_TEXT(b.label[1], "0");
    CHECK_TEXT(b.label[3], "10");

    const pkm_ticks c = ticks_of(0.31, 0.3199, 6); // 0.0099 / 9 becomes 0.002
    CHECK(c.n == 5);
    CHECK_TEXT(c.label[0], "0.310");
    CHECK_TEXT(c.label[4], "0.318");
}

// Any range: ticks lie inside, are evenly spaced by 1, 2 or 5 times a power of ten, number at least
// two and at most 3/2 of what was asked, and their labels say their values.
static void every_range_gets_sensible_ticks(void)
{
    for (int k = 0; k < 3000; ++k) {
        const double size = pow(10.0, (k % 41) - 20), low = size * sin(1.0 * k);
        const double high = low + size * (0.05 + 1.3 * fabs(cos(3.0 * k)));
        const int count = 4 + k % 8;
        const pkm_ticks t = ticks_of(low, high, count);
        CHECK(t.n >= 2 && t.n <= count * 3 / 2 + 1);
        const double step = t.value[1] - t.value[0];
        const double digit = step / pow(10.0, floor(log10(step) + 1e-6));
        CHECK(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
        for (int i = 0; i < t.n; ++i) {
            CHECK(t.value[i] >= low - 1e-8 * step && t.value[i] <= high + 1e-8 * step);
            if (i > 0) CHECK_NEAR((t.value[i] - t.value[i - 1]) / step, 1.0, 1e-6);
            char digits[PKM_TICK_SIZE];
            const char* label = t.label[i];
            const int negative = strncmp(label, PKM_SVG_MINUS, 3) == 0;
            snprintf(digits, sizeof digits, "%s%s", negative ? "-" : "", label + 3 * negative);
            double said = 0.0;
            CHECK(sscanf(digits, "%lf", &said) == 1);
            CHECK_NEAR(said * pow(10.0, t.power), t.value[i], 1e-6 * step);
        }
    }
}

static void large_and_small_numbers_share_a_power_of_ten(void)
{
    const pkm_ticks a = ticks_of(0.0, 250000.0, 4);
    CHECK(a.power == 3);
    CHECK_TEXT(a.label[1], "50");
    const pkm_ticks b = ticks_of(-2e-5, 3e-5, 4);
    CHECK(b.power == -6);
    CHECK_TEXT(b.label[0], PKM_SVG_MINUS "20");
}

static void decades_are_marked_on_log_scales(void)
{
    const pkm_scale wide = {1e-7, 1e5, true};
    const pkm_ticks a = pkm_ticks_make(&wide, 12);
    CHECK(a.n == 13);
    CHECK_TEXT(a.label[0], "10" PKM_SVG_UP PKM_SVG_MINUS "7" PKM_SVG_DOWN);
    CHECK_TEXT(a.label[7], "1");
    CHECK_TEXT(a.label[5], "0.01");
    const pkm_scale narrow = {1.0, 50.0, true};
    const pkm_ticks b = pkm_ticks_make(&narrow, 6);
    CHECK(b.n == 6); // 1 2 5 10 20 50
    CHECK_TEXT(b.label[5], "50");
    const pkm_scale one = {2.0, 7.0, true};
    CHECK(pkm_ticks_make(&one, 6).n == 6); // 2 3 4 5 6 7
}

static void ranges_are_fitted_to_data(void)
{
    const pkm_axis axis = {0};
    const pkm_scale padded = pkm_scale_fit(&axis, 0.0, 10.0, 0.1);
    CHECK_NEAR(padded.low, -1.0, 1e-15);
    CHECK_NEAR(padded.high, 11.0, 1e-15);
    const pkm_scale constant = pkm_scale_fit(&axis, 5.0, 5.0, 0.1);
    CHECK(constant.low == 4.5 && constant.high == 5.5);
    const pkm_scale noise = pkm_scale_fit(&axis, 5.0, 5.0 + 4e-15, 0.1);
    CHECK_NEAR(noise.high - noise.low, 1.0, 1e-12);
    const pkm_scale zero = pkm_scale_fit(&axis, 0.0, 0.0, 0.1);
    CHECK(zero.low == -1.0 && zero.high == 1.0);
    const pkm_scale nothing = pkm_scale_fit(&axis, INFINITY, -INFINITY, 0.1);
    CHECK(nothing.low == 0.0 && nothing.high == 1.0);
    const pkm_axis asked = {.low = 2.0, .high = 3.0};
    const pkm_scale given = pkm_scale_fit(&asked, -9.0, 9.0, 0.1);
    CHECK(given.low == 2.0 && given.high == 3.0);
}

// Extremes must not become NaN, an endless loop or a division by zero.
static void extreme_data_keep_a_finite_range(void)
{
    const double size[] = {1e-320, 1e-300, 1e-200, 1.0, 1e200, 9e299};
    const pkm_axis axis[] = {{.log = false}, {.log = true}};
    for (int k = 0; k < 6; ++k)
        for (int a = 0; a < 2; ++a) {
            const pkm_scale s = pkm_scale_fit(&axis[a], axis[a].log ? size[k] : -size[k],
                                              axis[a].log ? 3.0 * size[k] : size[k], 0.05);
            CHECK(isfinite(s.low) && isfinite(s.high) && s.low < s.high);
            const pkm_ticks t = pkm_ticks_make(&s, 6);
            CHECK(t.n <= PKM_MAX_TICK);
            for (int i = 0; i < t.n; ++i)
                CHECK(isfinite(t.value[i]));
        }
    double low = INFINITY, high = -INFINITY;
    pkm_range_add(&low, &high, NAN);
    pkm_range_add(&low, &high, INFINITY);
    pkm_range_add(&low, &high, 1e305);
    CHECK(low == INFINITY && high == -INFINITY);
    pkm_range_add(&low, &high, 2.0);
    CHECK(low == 2.0 && high == 2.0);
}

static void places_are_parts_of_the_range_or_of_its_decades(void)
{
    const pkm_scale scale[] = {{-3.0, 7.0, false}, {0.01, 400.0, true}};
    for (double at = 0.0; at <= 1.0; at += 0.125) {
        CHECK_NEAR(pkm_scale_at(&scale[0], -3.0 + 10.0 * at), at, 1e-14);
        CHECK_NEAR(pkm_scale_at(&scale[1], 0.01 * pow(40000.0, at)), at, 1e-14);
    }
    CHECK(isnan(pkm_scale_at(&scale[1], -1.0)) && isnan(pkm_scale_at(&scale[1], 0.0)));
}

static void titles_join_label_unit_and_power(void)
{
    char text[64];
    const pkm_axis full = {.label = "acceleration", .unit = "m/s2"};
    pkm_axis_title(&full, 0, text, sizeof text);
    CHECK_TEXT(text, "acceleration [m/s" PKM_SVG_UP "2" PKM_SVG_DOWN "]");
    pkm_axis_title(&full, -3, text, sizeof text);
    CHECK_TEXT(text, "acceleration [10" PKM_SVG_UP PKM_SVG_MINUS "3" PKM_SVG_DOWN " m/s" PKM_SVG_UP
                     "2" PKM_SVG_DOWN "]");
    const pkm_axis bare = {.label = "ratio"};
    pkm_axis_title(&bare, 0, text, sizeof text);
    CHECK_TEXT(text, "ratio");
    const pkm_axis none = {0};
    pkm_axis_title(&none, 0, text, sizeof text);
    CHECK_TEXT(text, "");
    char small[8];
    pkm_axis_title(&full, 3, small, sizeof small);
    CHECK(strlen(small) < sizeof small);
}

static void units_get_the_prefix_that_fits(void)
{
    const struct {
        const char* unit;
        double largest;
        const char* shown;
        double factor;
    } cases[] = {
        {"m", 0.05, "mm", 1e3},       {"m", 0.5, "m", 1.0},       {"m", 2e4, "m", 1.0},
        {"N", 25000.0, "kN", 1e-3},   {"N m", 3.0, "N m", 1.0},   {"N m", 3e-6, "\xC2\xB5N m", 1e6},
        {"Pa", 2.07e11, "GPa", 1e-9}, {"m/s2", 1e6, "m/s2", 1.0}, {"", 1e9, "", 1.0},
        {"m", 0.0, "m", 1.0},         {"m", 1e-15, "m", 1.0},
    };
    char text[32];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        const pkm_axis axis =
            pkm_axis_for("label", cases[k].unit, cases[k].largest, text, sizeof text);
        CHECK_TEXT(axis.unit, cases[k].shown);
        CHECK_NEAR(axis.factor, cases[k].factor, 0.0);
    }
    const pkm_axis angle = pkm_axis_for("q", "rad", 1.0, text, sizeof text);
    CHECK_TEXT(angle.unit, "deg");
    CHECK_TEXT(pkm_axis_for("v", "rad/s2", 1.0, text, sizeof text).unit, "deg/s2");
    CHECK_NEAR(angle.factor * 3.14159265358979324, 180.0, 1e-13);
}

int main(void)
{
    RUN(ticks_stand_at_multiples_of_1_2_5);
    RUN(every_range_gets_sensible_ticks);
    RUN(large_and_small_numbers_share_a_power_of_ten);
    RUN(decades_are_marked_on_log_scales);
    RUN(ranges_are_fitted_to_data);
    RUN(extreme_data_keep_a_finite_range);
    RUN(places_are_parts_of_the_range_or_of_its_decades);
    RUN(titles_join_label_unit_and_power);
    RUN(units_get_the_prefix_that_fits);
    return check_report();
}
