#include "motion/law.h"

#include "check.h"

static const pkm_law POLYNOMIAL[3] = {PKM_LAW_CUBIC, PKM_LAW_QUINTIC, PKM_LAW_SEPTIC};
static const double T = 0.7; // [s]

static pkm_law_request ask(pkm_law law, double duration, double speed, double acceleration)
{
    return (pkm_law_request){law, duration, speed, acceleration, NAN};
}

static pkm_law_profile plan(pkm_law_request request, double length)
{
    pkm_law_profile profile = {PKM_LAW_CUBIC, NAN, NAN, NAN};
    pkm_error err = {0};
    CHECK(pkm_law_plan(&request, length, "test", &profile, &err) == PKM_OK);
    return profile;
}

// The three polynomials as they are written in books, against the factored ones of law.c.
static double textbook(pkm_law law, double s)
{
    switch (law) {
    case PKM_LAW_CUBIC:
        return 3 * pow(s, 2) - 2 * pow(s, 3);
    case PKM_LAW_QUINTIC:
        return 10 * pow(s, 3) - 15 * pow(s, 4) + 6 * pow(s, 5);
    default:
        return 35 * pow(s, 4) - 84 * pow(s, 5) + 70 * pow(s, 6) - 20 * pow(s, 7);
    }
}

static void polynomials_are_those_of_the_books(void)
{
    for (int k = 0; k < 3; ++k) {
        const pkm_law_profile profile = plan(ask(POLYNOMIAL[k], T, NAN, NAN), 1.0);
        for (int i = 0; i <= 20; ++i) {
            const double s = i / 20.0;
            CHECK_NEAR(pkm_law_at(&profile, s * T).u, textbook(POLYNOMIAL[k], s), 2e-14);
        }
    }
}

// Cubic: at rest at the ends. Quintic: without acceleration too. Septic: without jerk too. Exactly.
static void polynomials_end_as_smoothly_as_their_degree(void)
{
    for (int k = 0; k < 3; ++k) {
        const pkm_law_profile profile = plan(ask(POLYNOMIAL[k], T, NAN, NAN), 1.0);
        const pkm_law_point start = pkm_law_at(&profile, 0.0), end = pkm_law_at(&profile, T);
        CHECK(start.u == 0.0 && end.u == 1.0);
        CHECK(start.v == 0.0 && end.v == 0.0);
        CHECK((start.a == 0.0 && end.a == 0.0) == (k >= 1));
        CHECK((start.j == 0.0 && end.j == 0.0) == (k >= 2));
    }
    const pkm_law_profile cubic = plan(ask(PKM_LAW_CUBIC, T, NAN, NAN), 1.0);
    CHECK_NEAR(pkm_law_at(&cubic, 0.0).a, 6.0 / (T * T), 1e-13);
    CHECK_NEAR(pkm_law_at(&cubic, T).a, -6.0 / (T * T), 1e-13);
}

// Central differences with step h miss the derivative by h^2/6 times the third one: 1e-10 relative
// to peaks that are below 1e4 for this T, plus rounding 1e-16/h.
static void derivatives_meet_finite_differences(void)
{
    const double h = 1e-5;
    for (int k = 0; k < 5; ++k) {
        const pkm_law law = (pkm_law)k;
        const pkm_law_profile profile = plan(ask(law, T, NAN, NAN), 1.0);
        for (int i = 1; i < 23; ++i) {
            const double t = T * i / 23.0; // never at the corners of the trapezoid
            const pkm_law_point a = pkm_law_at(&profile, t - h), b = pkm_law_at(&profile, t + h);
            const pkm_law_point p = pkm_law_at(&profile, t);
            CHECK_NEAR(p.v, (b.u - a.u) / (2 * h), 1e-7);
            CHECK_NEAR(p.a, (b.v - a.v) / (2 * h), 1e-6);
            CHECK_NEAR(p.j, (b.a - a.a) / (2 * h), 1e-5);
        }
    }
}

static void laws_rest_outside_their_time(void)
{
    for (int k = 0; k < 5; ++k) {
        const pkm_law_profile profile = plan(ask((pkm_law)k, T, NAN, NAN), 1.0);
        const pkm_law_point before = pkm_law_at(&profile, -0.1),
                            after = pkm_law_at(&profile, T + 1);
        CHECK(before.u == 0.0 && before.v == 0.0 && before.a == 0.0 && before.j == 0.0);
        CHECK(after.u == 1.0 && after.v == 0.0 && after.a == 0.0 && after.j == 0.0);
        // Rounding of the time does not switch the law off at its end.
        const pkm_law_point end = pkm_law_at(&profile, T), over = pkm_law_at(&profile, T + 1e-15);
        CHECK(end.v == over.v && end.a == over.a);
    }
}

// L = 2, v = 1, a = 4: ramps of 0.25 s and 0.125 m, 1.75 m at full speed: 2.25 s.
static void trapezoid_takes_the_time_of_its_limits(void)
{
    const double L = 2.0;
    const pkm_law_profile p = plan(ask(PKM_LAW_TRAPEZOIDAL, NAN, 1.0, 4.0), L);
    CHECK_NEAR(p.T, 2.25, 1e-15);
    CHECK_NEAR(p.ramp, 0.25, 1e-15);
    CHECK_NEAR(L * pkm_law_at(&p, 0.0).a, 4.0, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 0.2).u, 0.5 * 4.0 * 0.04, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 0.2).v, 0.8, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 0.25).u, 0.125, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 1.0).v, 1.0, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 1.0).u, 0.125 + 0.75, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 2.1).a, -4.0, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 2.1).v, 4.0 * 0.15, 1e-14);
    CHECK_NEAR(L * pkm_law_at(&p, 2.1).u, 2.0 - 0.5 * 4.0 * 0.15 * 0.15, 1e-14);
}

// L = 0.16 at a = 4 reaches only 0.8 < 1: a triangle of 2 x 0.2 s.
static void short_trapezoid_is_a_triangle(void)
{
    const pkm_law_profile p = plan(ask(PKM_LAW_TRAPEZOIDAL, NAN, 1.0, 4.0), 0.16);
    CHECK_NEAR(p.T, 0.4, 1e-15);
    CHECK_NEAR(p.ramp, 0.2, 1e-15);
    CHECK_NEAR(0.16 * pkm_law_at(&p, 0.2).v, 0.8, 1e-14);
    const pkm_law_profile free = plan(ask(PKM_LAW_TRAPEZOIDAL, NAN, NAN, 4.0), 0.16);
    CHECK_NEAR(free.T, 0.4, 1e-15);
}

// a ramp (T - ramp) = L and v = a ramp hold for every way to fix the trapezoid.
static void trapezoid_of_given_duration_uses_its_limits(void)
{
    const double L = 2.0;
    const pkm_law_profile third = plan(ask(PKM_LAW_TRAPEZOIDAL, 3.0, NAN, NAN), L);
    CHECK_NEAR(third.ramp, 1.0, 1e-15);
    const pkm_law_profile by_a = plan(ask(PKM_LAW_TRAPEZOIDAL, 3.0, NAN, 4.0), L);
    CHECK_NEAR(L * pkm_law_at(&by_a, 0.0).a, 4.0, 1e-13);
    const pkm_law_profile by_v = plan(ask(PKM_LAW_TRAPEZOIDAL, 3.0, 0.8, NAN), L);
    CHECK_NEAR(L * pkm_law_at(&by_v, 1.5).v, 0.8, 1e-14);
    const pkm_law_profile slow = plan(ask(PKM_LAW_TRAPEZOIDAL, 30.0, 0.8, NAN), L);
    CHECK_NEAR(slow.ramp, 15.0, 1e-14);
    const pkm_law_profile all = plan(ask(PKM_LAW_TRAPEZOIDAL, 2.25, 1.0, 4.0), L);
    CHECK_NEAR(all.ramp, 0.25, 1e-8);
}

// The shortest duration of the polynomials reaches a limit and exceeds none: searched on 20001
// points, which miss a smooth peak by less than 1e-7 of it.
static void polynomials_take_the_shortest_time_of_their_limits(void)
{
    const double L = 0.3, limit_v[2] = {1.0, 100.0}, limit_a[2] = {1000.0, 7.0};
    for (int k = 0; k < 6; ++k) {
        const double v = limit_v[k % 2], a = limit_a[k % 2];
        const pkm_law_profile p = plan(ask(POLYNOMIAL[k / 2], NAN, v, a), L);
        double top_v = 0.0, top_a = 0.0;
        for (int i = 0; i <= 20000; ++i) {
            const pkm_law_point at = pkm_law_at(&p, p.T * i / 20000.0);
            top_v = fmax(top_v, L * fabs(at.v));
            top_a = fmax(top_a, L * fabs(at.a));
        }
        CHECK(top_v <= v * (1.0 + 1e-12) && top_a <= a * (1.0 + 1e-12));
        CHECK_NEAR(fmax(top_v / v, top_a / a), 1.0, 1e-7);
    }
}

static void constant_law_takes_length_over_speed(void)
{
    const pkm_law_profile p = plan(ask(PKM_LAW_CONSTANT, NAN, 0.5, NAN), 2.0);
    CHECK_NEAR(p.T, 4.0, 1e-15);
    CHECK_NEAR(pkm_law_at(&p, 1.0).u, 0.25, 1e-15);
    CHECK_NEAR(2.0 * pkm_law_at(&p, 0.0).v, 0.5, 1e-15);
    CHECK_NEAR(2.0 * pkm_law_at(&p, 4.0).v, 0.5, 1e-15);
}

static void no_way_takes_no_time(void)
{
    const pkm_law_profile p = plan(ask(PKM_LAW_TRAPEZOIDAL, NAN, 1.0, 1.0), 0.0);
    CHECK(p.T == 0.0);
    CHECK(pkm_law_at(&p, -1.0).u == 0.0 && pkm_law_at(&p, 0.0).u == 1.0);
    CHECK(pkm_law_at(&p, 1.0).v == 0.0);
}

static void refuses(pkm_law_request request, const char* part)
{
    pkm_law_profile profile;
    pkm_error err = {0};
    CHECK(pkm_law_plan(&request, 2.0, "here", &profile, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "here: ");
    CHECK_CONTAINS(err.text, part);
    CHECK(pkm_law_plan(&request, 2.0, "here", &profile, NULL) == PKM_ERR_ARGUMENT);
}

/// Largest u', |u''|, |u'''| on a way of `length`.
static pkm_law_point peaks(const pkm_law_profile* profile, double length)
{
    pkm_law_point most = {0};
    for (int i = 0; i <= 20000; ++i) {
        const pkm_law_point p = pkm_law_at(profile, profile->T * i / 20000.0);
        most.v = fmax(most.v, length * p.v);
        most.a = fmax(most.a, length * fabs(p.a));
        most.j = fmax(most.j, length * fabs(p.j));
    }
    return most;
}

static pkm_law_profile s_curve(double length, double duration, double v, double a, double j)
{
    pkm_law_request request = ask(PKM_LAW_S_CURVE, duration, v, a);
    request.max_jerk = j;
    return plan(request, length);
}

// The shortest motion is always at one of its limits: jerk, acceleration and speed are reached when
// the way is long enough for them, in this order, and never passed.
static void s_curve_runs_along_its_limits(void)
{
    const double v = 2.0, a = 10.0, j = 200.0;
    const struct {
        double length, v, a; // expected largest values
    } cases[] = {
        {3.0, 2.0, 10.0},                                       // cruise at full speed
        {0.3, 0.5 * 10.0 * (sqrt(0.0025 + 0.12) - 0.05), 10.0}, // v^2/a + v a/j = L
        {0.01, cbrt(0.25 * 0.01 * 0.01 * 200.0), cbrt(0.5 * 0.01 * 200.0 * 200.0)}, // L = 2 j t^3
    };
    for (int k = 0; k < 3; ++k) {
        const pkm_law_profile p = s_curve(cases[k].length, NAN, v, a, j);
        const pkm_law_point most = peaks(&p, cases[k].length);
        CHECK_NEAR(most.v, cases[k].v, 1e-6);
        CHECK_NEAR(most.a, cases[k].a, 1e-2);
        CHECK_NEAR(most.j, j, 1e-9 * j);
        CHECK(most.v <= v * (1 + 1e-12) && most.a <= a * (1 + 1e-12));
    }
    // 2 v = a rise: the speed is reached before the acceleration.
    const pkm_law_profile slow = s_curve(3.0, NAN, 0.2, a, j);
    CHECK_NEAR(peaks(&slow, 3.0).v, 0.2, 1e-12);
    CHECK_NEAR(peaks(&slow, 3.0).a, sqrt(0.2 * j), 1e-2);
    CHECK_NEAR(slow.T, 3.0 / 0.2 + 2.0 * sqrt(0.2 / j), 1e-12);
}

// A given duration stretches it; two of the limits may be missing.
static void s_curve_of_given_duration_keeps_its_limits(void)
{
    const pkm_law_profile least = s_curve(0.3, NAN, 2.0, 10.0, 200.0),
                          given = s_curve(0.3, 2.0 * least.T, 2.0, 10.0, 200.0);
    CHECK_NEAR(peaks(&given, 0.3).v, 0.5 * peaks(&least, 0.3).v, 1e-6);
    CHECK_NEAR(peaks(&given, 0.3).j, 25.0, 1e-9);
    const pkm_law_profile jerky = s_curve(0.3, NAN, NAN, NAN, 200.0);
    CHECK_NEAR(jerky.T, 4.0 * cbrt(0.15 / 200.0), 1e-12);
    const pkm_law_profile plain = s_curve(0.3, 1.2, NAN, NAN, NAN);
    CHECK_NEAR(plain.ramp, 0.4, 1e-15);
}

// u, u', u'' are the integrals of the jerk: bang, zero, bang back.
static void s_curve_is_the_integral_of_its_jerk(void)
{
    const pkm_law_profile p = s_curve(0.3, NAN, 1.0, 10.0, 200.0);
    enum { N = 45000 }; // of 10 us, so that every change of the jerk is between two of them
    double u = 0.0, v = 0.0, a = 0.0;
    CHECK_NEAR(p.T, 0.45, 1e-15);
    const double h = p.T / N;
    for (int i = 0; i < N; ++i) {
        const double j = pkm_law_at(&p, (i + 0.5) * h).j;
        u += h * (v + h * (0.5 * a + h * j / 6.0));
        v += h * (a + 0.5 * h * j);
        a += h * j;
        if (i % 1000 != 999) continue;
        const pkm_law_point at = pkm_law_at(&p, (i + 1) * h);
        CHECK_NEAR(at.u, u, 1e-10);
        CHECK_NEAR(at.v, v, 1e-10);
        CHECK_NEAR(at.a, a, 1e-8);
    }
    CHECK_NEAR(u, 1.0, 1e-10);
}

static void jerk_limits_the_polynomials(void)
{
    for (int k = 1; k < 3; ++k) {
        pkm_law_request request = ask(POLYNOMIAL[k], NAN, NAN, NAN);
        request.max_jerk = 50.0;
        const pkm_law_profile p = plan(request, 0.4);
        CHECK_NEAR(peaks(&p, 0.4).j, 50.0, 1e-5);
    }
}

static void bad_requests_are_named(void)
{
    pkm_law_request jerk = ask(PKM_LAW_TRAPEZOIDAL, 1.0, NAN, NAN);
    jerk.max_jerk = 5.0;
    refuses(jerk, "max_jerk 5 with a law whose acceleration jumps");
    refuses(ask(PKM_LAW_S_CURVE, NAN, 1.0, NAN), "an S-curve needs max_jerk");
    jerk = ask(PKM_LAW_S_CURVE, 0.1, NAN, NAN);
    jerk.max_jerk = 5.0;
    refuses(jerk, "duration 0.1 s is too short for its max_jerk");
    refuses(ask(PKM_LAW_QUINTIC, NAN, NAN, NAN), "duration is missing");
    refuses(ask(PKM_LAW_QUINTIC, 0.0, NAN, NAN), "duration 0, expected");
    refuses(ask(PKM_LAW_QUINTIC, -1.0, NAN, NAN), "duration -1");
    refuses(ask(PKM_LAW_QUINTIC, INFINITY, NAN, NAN), "duration inf");
    refuses(ask(PKM_LAW_QUINTIC, 1e-300, NAN, NAN), "expected at least 1e-09 s");
    refuses(ask(PKM_LAW_QUINTIC, NAN, 1e300, NAN), "expected at least 1e-09 s");
    refuses(ask(PKM_LAW_QUINTIC, 1e13, NAN, NAN), "duration 1e+13 s, expected at most 1e+12 s");
    refuses(ask(PKM_LAW_QUINTIC, NAN, 1e-300, NAN), "expected at most 1e+12 s");
    jerk = ask(PKM_LAW_S_CURVE, NAN, 1e-300, 1e300);
    jerk.max_jerk = 1e300;
    refuses(jerk, "expected at most 1e+12 s");
    refuses(ask(PKM_LAW_CONSTANT, NAN, -2.0, NAN), "max_speed -2");
    refuses(ask(PKM_LAW_TRAPEZOIDAL, NAN, 1.0, 0.0), "max_acceleration 0");
    refuses(ask(PKM_LAW_TRAPEZOIDAL, NAN, 1.0, NAN), "needs max_acceleration");
    refuses(ask(PKM_LAW_CONSTANT, NAN, 1.0, 1.0), "max_acceleration 1 with the constant law");
    refuses(ask(PKM_LAW_TRAPEZOIDAL, 2.2, 1.0, 4.0),
            "duration 2.2 s is too short for its max_speed and max_acceleration, expected at least "
            "2.25 s");
    refuses(ask(PKM_LAW_CONSTANT, 1.0, 1.0, NAN),
            "too short for its max_speed, expected at least 2");
    refuses(ask(PKM_LAW_TRAPEZOIDAL, 1.0, NAN, 4.0),
            "max_acceleration, expected at least 1.41421356");
    refuses(ask(PKM_LAW_TRAPEZOIDAL, 2.0, 1.0, NAN), "max_speed, expected at least 2.002");
}

int main(void)
{
    RUN(polynomials_are_those_of_the_books);
    RUN(polynomials_end_as_smoothly_as_their_degree);
    RUN(derivatives_meet_finite_differences);
    RUN(laws_rest_outside_their_time);
    RUN(trapezoid_takes_the_time_of_its_limits);
    RUN(short_trapezoid_is_a_triangle);
    RUN(trapezoid_of_given_duration_uses_its_limits);
    RUN(polynomials_take_the_shortest_time_of_their_limits);
    RUN(constant_law_takes_length_over_speed);
    RUN(no_way_takes_no_time);
    RUN(s_curve_runs_along_its_limits);
    RUN(s_curve_of_given_duration_keeps_its_limits);
    RUN(s_curve_is_the_integral_of_its_jerk);
    RUN(jerk_limits_the_polynomials);
    RUN(bad_requests_are_named);
    return check_report();
}
