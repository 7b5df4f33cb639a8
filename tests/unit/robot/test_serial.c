/// Matrices along a way whose zeros are known: every pass is told once, at its time, however far
/// apart the samples; near misses are no passes.
#include "robot/serial.h"

#include "check.h"

#include <math.h>
#include <string.h>

/// R(a) diag(1, f(t)) R(b): smallest singular value |f| where |f| < 1, rotated as time goes.
typedef struct way {
    double (*f)(double t);
    int n_look;
} way;

static void fill(const way* w, double t, double* M)
{
    const double a = 0.7 + 2.0 * t, b = 0.3 - t, f = w->f(t);
    M[0] = cos(a) * cos(b) - f * sin(a) * sin(b);
    M[1] = sin(a) * cos(b) + f * cos(a) * sin(b);
    M[2] = -cos(a) * sin(b) - f * sin(a) * cos(b);
    M[3] = -sin(a) * sin(b) + f * cos(a) * cos(b);
}

static pkm_status look(void* user, double t, const double* place, double* M, double* there)
{
    way* w = user;
    if (fabs(t - place[0]) > 0.2) return PKM_ERR_CONVERGENCE; // places are near by
    fill(w, t, M);
    there[0] = t;
    ++w->n_look;
    return PKM_OK;
}

static pkm_serial passes(way* w, int n_sample)
{
    pkm_serial s;
    CHECK(pkm_serial_begin(&s, 2, 1) == PKM_OK);
    for (int i = 0; i <= n_sample; ++i) {
        double M[4];
        const double t = (double)i / n_sample;
        fill(w, t, M);
        pkm_serial_sample(&s, t, M, &t);
    }
    pkm_serial_locate(&s, look, w);
    pkm_serial_end(&s);
    return s;
}

static double once(double t)
{
    return t - 0.3141;
}

static double twice_at_once(double t)
{
    return 4.0 * (t - 0.5) * (t - 0.502);
}

static double touching(double t)
{
    return 3.0 * (t - 0.617) * (t - 0.617);
}

static double missing(double t)
{
    return 1e-4 + 3.0 * (t - 0.617) * (t - 0.617);
}

static double three_times(double t)
{
    return (t - 0.2) * (t - 0.202) * (t - 0.9) * 8.0;
}

static double from_a_singularity(double t)
{
    return t;
}

static double waiting(double t)
{
    return t < 0.4 ? 0.4 - t : t > 0.7 ? 0.7 - t : 0.0;
}

static void every_pass_is_told_once_at_its_time(void)
{
    static const struct {
        double (*f)(double t);
        int n;
        double at[3];
    } cases[] = {
        {once, 1, {0.3141}}, {twice_at_once, 2, {0.5, 0.502}},    {touching, 1, {0.617}},
        {missing, 0, {0.0}}, {three_times, 3, {0.2, 0.202, 0.9}}, {from_a_singularity, 1, {0.0}}};
    for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); ++c)
        for (int n = 10; n < 3000; n = 2 * n + 7) {
            way w = {cases[c].f, 0};
            const pkm_serial s = passes(&w, n);
            CHECK(s.n_passed == cases[c].n);
            // the touching one is zero to 1e-7 over 4e-4 of the way
            for (int i = 0; i < s.n_passed && i < cases[c].n; ++i)
                CHECK_NEAR(s.passed[i], cases[c].at[i], cases[c].f == touching ? 2e-4 : 1e-7);
            CHECK(w.n_look < 2000);
        }
}

static void a_rest_in_a_singularity_is_one_pass(void)
{
    way w = {waiting, 0};
    const pkm_serial s = passes(&w, 50);
    CHECK(s.n_passed == 1);
    CHECK(s.passed[0] > 0.4 - 1e-6 && s.passed[0] < 0.7 + 1e-6);
    CHECK(w.n_look < 12000);
}

// A way without a small singular value costs no look.
static double far(double t)
{
    return 0.5 + 0.3 * sin(6.0 * t);
}

static void ways_far_from_singularities_are_not_walked_again(void)
{
    way w = {far, 0};
    const pkm_serial s = passes(&w, 100);
    CHECK(s.n_passed == 0 && s.n_span == 0 && w.n_look == 0);
}

// Analyses that cannot go back see a change of sign.
static void without_places_a_change_of_sign_tells(void)
{
    pkm_serial s;
    way w = {once, 0};
    CHECK(pkm_serial_begin(&s, 2, 0) == PKM_OK);
    for (int i = 0; i <= 20; ++i) {
        double M[4];
        fill(&w, i / 20.0, M);
        pkm_serial_sample(&s, i / 20.0, M, NULL);
    }
    CHECK(s.n_passed == 1);
    CHECK_NEAR(s.passed[0], 0.3141, 1e-3);
}

int main(void)
{
    RUN(every_pass_is_told_once_at_its_time);
    RUN(a_rest_in_a_singularity_is_one_pass);
    RUN(ways_far_from_singularities_are_not_walked_again);
    RUN(without_places_a_change_of_sign_tells);
    return check_report();
}
