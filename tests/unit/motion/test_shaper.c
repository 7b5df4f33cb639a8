#include "motion/breaks.h"

#include "check.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double TO[1] = {1.0};

static pkm_motion* stroke(pkm_shaper_kind kind, double frequency, double damping)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    spec.name = "stroke";
    spec.duration = 0.13;
    spec.path = PKM_PATH_DRIVES;
    spec.n_drive = 1;
    spec.drive_to = TO;
    spec.shaper = kind;
    spec.shaper_frequency[0] = frequency;
    spec.n_shaper_frequency = 1;
    spec.shaper_damping = damping;
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return motion;
}

/// What an oscillator x'' + 2 D w x' + w^2 x = -q'' keeps of the motion: its amplitude at the end
/// is |integral of q'' exp((D w + i wd) t)| over wd, up to the decay after it (Duhamel).
static double left_over(const pkm_motion* motion, double frequency, double damping)
{
    enum { N = 40000 };
    const double w = 2.0 * PI * frequency, wd = w * sqrt(1.0 - damping * damping);
    const double h = pkm_motion_duration(motion) / N;
    double c = 0.0, s = 0.0;
    for (int i = 0; i < N; ++i) {
        const double t = (i + 0.5) * h;
        double q, v, a;
        pkm_motion_drives(motion, t, &q, &v, &a, NULL);
        c += h * a * exp(damping * w * t) * cos(wd * t);
        s += h * a * exp(damping * w * t) * sin(wd * t);
    }
    return hypot(c, s) / wd * exp(-damping * w * pkm_motion_duration(motion));
}

static void shaped_motions_leave_no_vibration(void)
{
    const double f = 9.0;
    for (int d = 0; d < 2; ++d) {
        const double damping = d ? 0.05 : 0.0;
        pkm_motion* plain = stroke(PKM_SHAPER_NONE, f, damping);
        for (int kind = PKM_SHAPER_ZV; kind <= PKM_SHAPER_ZVDD; ++kind) {
            pkm_motion* shaped = stroke((pkm_shaper_kind)kind, f, damping);
            CHECK(left_over(plain, f, damping) > 0.1);
            CHECK(left_over(shaped, f, damping) < 1e-6 * left_over(plain, f, damping));
            CHECK_NEAR(pkm_motion_duration(shaped),
                       0.13 + kind * 0.5 / (f * sqrt(1.0 - damping * damping)), 1e-14);
            pkm_motion_free(shaped);
        }
        pkm_motion_free(plain);
    }
}

// Ten percent off the frequency each order more leaves less.
static void higher_orders_forgive_a_wrong_frequency(void)
{
    double last = HUGE_VAL;
    for (int kind = PKM_SHAPER_NONE; kind <= PKM_SHAPER_ZVDD; ++kind) {
        pkm_motion* motion = stroke((pkm_shaper_kind)kind, 9.0, 0.0);
        const double now = left_over(motion, 9.9, 0.0);
        CHECK(now < 0.3 * last);
        last = now;
        pkm_motion_free(motion);
    }
}

static void several_frequencies_are_silenced_at_once(void)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    pkm_motion* motion = NULL;
    const pkm_vec3 way[] = {{0, 0, 0}, {0.3, 0.1, 0}};
    spec.duration = 0.1;
    spec.path = PKM_PATH_LINE;
    spec.n_point = 2;
    spec.point = way;
    spec.shaper = PKM_SHAPER_ZVD;
    spec.shaper_frequency[0] = 11.0;
    spec.shaper_frequency[1] = 17.0;
    spec.n_shaper_frequency = 2;
    CHECK(pkm_motion_create(&spec, &motion, NULL) == PKM_OK);
    enum { N = 20000 };
    const double end = pkm_motion_duration(motion), h = end / N;
    for (int k = 0; k < 2; ++k) {
        double c = 0.0, s = 0.0, all = 0.0;
        for (int i = 0; i < N; ++i) {
            pkm_frame_motion at;
            pkm_motion_tool(motion, (i + 0.5) * h, &at, NULL);
            const double angle = 2.0 * PI * spec.shaper_frequency[k] * (i + 0.5) * h;
            c += h * at.a.x * cos(angle);
            s += h * at.a.x * sin(angle);
            all += h * fabs(at.a.x);
        }
        CHECK(hypot(c, s) < 1e-7 * all);
    }
    pkm_frame_motion last;
    pkm_motion_tool(motion, end, &last, NULL);
    CHECK_NEAR(last.pose.p.x, 0.3, 1e-15);
    CHECK_NEAR(last.pose.p.y, 0.1, 1e-15);
    pkm_motion_free(motion);
}

// v and a are the derivatives of q, and the breaks are those of every impulse.
static void shaped_motions_have_their_derivatives_and_breaks(void)
{
    pkm_motion* motion = stroke(PKM_SHAPER_ZV, 9.0, 0.02);
    const double eps = 1e-5, end = pkm_motion_duration(motion);
    for (int i = 1; i < 40; ++i) {
        const double t = end * i / 40.0;
        double q[3], v[3], a[3], j[3];
        for (int k = -1; k <= 1; ++k)
            pkm_motion_drives(motion, t + k * eps, &q[k + 1], &v[k + 1], &a[k + 1], &j[k + 1]);
        CHECK_NEAR(v[1], (q[2] - q[0]) / (2.0 * eps), 1e-4);
        CHECK_NEAR(a[1], (v[2] - v[0]) / (2.0 * eps), 1e-1);
    }
    const double half = end - 0.13;
    const double want[] = {half, 0.13, end};
    double t = 0.0;
    for (int i = 0; i < 3; ++i) {
        t = pkm_motion_next_break(motion, t);
        CHECK_NEAR(t, want[i], 1e-12);
    }
    CHECK(pkm_motion_next_break(motion, t) == HUGE_VAL);
    pkm_motion_free(motion);
}

static void refuses(double frequency, int n, double damping, const char* part)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    spec.duration = 1.0;
    spec.n_drive = 1;
    spec.drive_to = TO;
    spec.path = PKM_PATH_DRIVES;
    spec.shaper = PKM_SHAPER_ZV;
    spec.shaper_frequency[0] = frequency;
    spec.n_shaper_frequency = n;
    spec.shaper_damping = damping;
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, part);
}

static void bad_shapers_are_named(void)
{
    refuses(9.0, 0, 0.0, "0 frequencies");
    refuses(9.0, 4, 0.0, "4 frequencies");
    refuses(-9.0, 1, 0.0, "frequency -9 Hz");
    refuses(9.0, 1, 1.0, "damping 1, expected");
}

int main(void)
{
    RUN(shaped_motions_leave_no_vibration);
    RUN(higher_orders_forgive_a_wrong_frequency);
    RUN(several_frequencies_are_silenced_at_once);
    RUN(shaped_motions_have_their_derivatives_and_breaks);
    RUN(bad_shapers_are_named);
    return check_report();
}
