#include "math/jet.h"

#include "check.h"

/// A function of time as its jet.
typedef pkm_jet (*function)(double t);

static pkm_jet number(double x)
{
    return pkm_jet_constant(x);
}

static pkm_jet wave(double t) // sin(3 t) exp(-t/2) / (1 + t^2)
{
    const pkm_jet x = pkm_jet_time(t);
    const pkm_jet up = pkm_jet_multiply(pkm_jet_sin(pkm_jet_multiply(number(3.0), x)),
                                        pkm_jet_exp(pkm_jet_multiply(number(-0.5), x)));
    return pkm_jet_divide(up, pkm_jet_add(number(1.0), pkm_jet_multiply(x, x)));
}

static pkm_jet roots(double t) // sqrt(1 + t) log(2 + t) atan(t)
{
    const pkm_jet x = pkm_jet_time(t);
    return pkm_jet_multiply(pkm_jet_multiply(pkm_jet_sqrt(pkm_jet_add(number(1.0), x)),
                                             pkm_jet_log(pkm_jet_add(number(2.0), x))),
                            pkm_jet_atan(x));
}

static pkm_jet angles(double t) // asin(t/3) + tan(t/2) acos(t/4) - cos(t)
{
    const pkm_jet x = pkm_jet_time(t);
    const pkm_jet a = pkm_jet_asin(pkm_jet_divide(x, number(3.0)));
    const pkm_jet b = pkm_jet_multiply(pkm_jet_tan(pkm_jet_divide(x, number(2.0))),
                                       pkm_jet_acos(pkm_jet_divide(x, number(4.0))));
    return pkm_jet_subtract(pkm_jet_add(a, b), pkm_jet_cos(x));
}

static pkm_jet powers(double t) // t^3.5 + (1 + t)^-2 + (2 + t)^sin(t)
{
    const pkm_jet x = pkm_jet_time(t);
    const pkm_jet a = pkm_jet_power(x, number(3.5));
    const pkm_jet b = pkm_jet_power(pkm_jet_add(number(1.0), x), number(-2.0));
    return pkm_jet_add(pkm_jet_add(a, b),
                       pkm_jet_power(pkm_jet_add(number(2.0), x), pkm_jet_sin(x)));
}

static pkm_jet pairs(double t) // atan2(sin t, 2 + t) + hypot(t, 1 - t) + min(t, 2) max(1, t)
{
    const pkm_jet x = pkm_jet_time(t);
    const pkm_jet a = pkm_jet_atan2(pkm_jet_sin(x), pkm_jet_add(number(2.0), x));
    const pkm_jet b = pkm_jet_hypot(x, pkm_jet_subtract(number(1.0), x));
    const pkm_jet c = pkm_jet_multiply(pkm_jet_min(x, number(2.0)), pkm_jet_max(number(1.0), x));
    return pkm_jet_add(pkm_jet_add(a, b), c);
}

static pkm_jet steps(double t)
{
    const pkm_jet x[5] = {pkm_jet_time(t), number(0.0), number(1.0), number(2.0), number(-3.0)};
    return pkm_jet_step(x);
}

/// Each derivative against central differences of the one before, Richardson-extrapolated: the
/// error of step h is O(h^4), below 1e-10 of the sizes here at 1e-3, and rounding about 1e-13/h.
static void derivatives_are_those_of_differences(void)
{
    static const function all[] = {wave, roots, angles, powers, pairs, steps};
    const double h = 1e-3;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        for (double t = 0.32; t < 1.9; t += 0.173) {
            const pkm_jet at = all[k](t);
            for (int d = 0; d < 3; ++d) {
                const double one = (all[k](t + h).d[d] - all[k](t - h).d[d]) / (2.0 * h);
                const double two = (all[k](t + 2 * h).d[d] - all[k](t - 2 * h).d[d]) / (4.0 * h);
                CHECK_NEAR(at.d[d + 1], (4.0 * one - two) / 3.0, 2e-9 * (1.0 + fabs(at.d[d + 1])));
            }
        }
}

static void whole_powers_take_any_base(void)
{
    const pkm_jet cube = pkm_jet_power(pkm_jet_time(0.0), number(3.0));
    CHECK_NEAR(cube.d[0], 0.0, 0.0);
    CHECK_NEAR(cube.d[1], 0.0, 0.0);
    CHECK_NEAR(cube.d[2], 0.0, 0.0);
    CHECK_NEAR(cube.d[3], 6.0, 0.0);
    const pkm_jet square = pkm_jet_power(pkm_jet_time(-2.0), number(2.0));
    CHECK_NEAR(square.d[0], 4.0, 0.0);
    CHECK_NEAR(square.d[1], -4.0, 0.0);
    CHECK_NEAR(square.d[2], 2.0, 0.0);
    CHECK_NEAR(square.d[3], 0.0, 0.0);
}

static void sides_change_at_kinks_only(void)
{
    const double before = 1.0 - 1e-9, behind = 1.0 + 1e-9;
    const pkm_jet one = number(1.0);
    CHECK(pkm_jet_abs(pkm_jet_subtract(pkm_jet_time(before), one)).side !=
          pkm_jet_abs(pkm_jet_subtract(pkm_jet_time(behind), one)).side);
    CHECK(pkm_jet_floor(pkm_jet_time(before)).side != pkm_jet_floor(pkm_jet_time(behind)).side);
    CHECK(pkm_jet_min(pkm_jet_time(before), one).side !=
          pkm_jet_min(pkm_jet_time(behind), one).side);
    CHECK(wave(before).side == wave(behind).side);
    CHECK(steps(-1e-9).side != steps(1e-9).side);
    CHECK(steps(1.9).side != steps(2.1).side);
    CHECK_NEAR(pkm_jet_abs(number(-2.0)).d[0], 2.0, 0.0);
}

int main(void)
{
    RUN(derivatives_are_those_of_differences);
    RUN(whole_powers_take_any_base);
    RUN(sides_change_at_kinks_only);
    return check_report();
}
