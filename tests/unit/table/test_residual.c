#include "table/residual.h"

#include "check.h"

static const double pi = 3.14159265358979323846;

enum { N = 6001 };

static double t[N], y[N];

/// 2 + A exp(-sigma (t - 1)) cos(w (t - 1)) from t = 1 on, a ramp before.
static double ring(double at, double sigma, double w)
{
    return at < 1.0 ? 2.0 * at + 1.0 : 2.0 + exp(-sigma * (at - 1.0)) * cos(w * (at - 1.0));
}

static void fill(double sigma, double w)
{
    for (int k = 0; k < N; ++k) {
        t[k] = 1e-3 * k;
        y[k] = ring(t[k], sigma, w);
    }
}

/// When |ring - 2| falls below 0.02 for good, by looking every microsecond from the end.
static double true_settling(double sigma, double w)
{
    double at = 6.0;
    while (fabs(ring(at, sigma, w) - 2.0) <= 0.02)
        at -= 1e-6;
    return at - 1.0;
}

static void a_damped_oscillation_settles_when_it_does(void)
{
    const double w = 2.0 * pi * 7.3;
    for (double sigma = 1.0; sigma < 4.0; sigma += 0.7) {
        pkm_residual r;
        fill(sigma, w);
        CHECK(pkm_residual_find(t, y, N, 1.0, 0.02, 0.0, &r, NULL) == PKM_OK);
        // What is left at the end moves the mean of the last tenth and with it the band.
        const double left = exp(-4.5 * sigma);
        CHECK_NEAR(r.final, 2.0, left);
        CHECK_NEAR(r.swing, 1.0, left);
        CHECK_NEAR(r.settling, true_settling(sigma, w), 1e-4 + left);
    }
}

static void frequency_and_damping_are_found(void)
{
    const double sigma = 1.4, w = 2.0 * pi * 7.3;
    pkm_residual r;
    fill(sigma, w);
    CHECK(pkm_residual_find(t, y, N, 1.0, 0.02, 0.0, &r, NULL) == PKM_OK);
    CHECK_NEAR(r.frequency, 7.3, 0.02); // the decay widens the line to sigma / pi
    CHECK_NEAR(r.damping, sigma / sqrt(sigma * sigma + w * w), 2e-4);
}

// With eight samples in a period the largest one is up to 7 % below its peak; the parabola finds
// it, so that the few peaks of a strong decay give sigma.
static void few_samples_in_a_period_give_the_decay(void)
{
    const double sigma = 12.0, w = 2.0 * pi * 7.3, h = 1.0 / (8.3 * 7.3);
    const int n = 200;
    pkm_residual r;
    for (int k = 0; k < n; ++k) {
        t[k] = 1.0 + h * k;
        y[k] = ring(t[k], sigma, w);
    }
    CHECK(pkm_residual_find(t, y, n, 1.0, 0.02, 0.0, &r, NULL) == PKM_OK);
    const double found = r.damping / sqrt(1.0 - r.damping * r.damping) * 2.0 * pi * r.frequency;
    CHECK_NEAR(found, sigma, 0.01 * sigma);
}

static void a_width_can_be_given(void)
{
    pkm_residual r;
    fill(1.0, 2.0 * pi * 5.0);
    CHECK(pkm_residual_find(t, y, N, 1.0, 0.02, 0.1, &r, NULL) == PKM_OK);
    CHECK_NEAR(r.band, 0.1, 0.0);
    CHECK_NEAR(r.settling, log(10.0), 0.1); // within half a period of the envelope
}

static void what_rings_to_the_end_has_not_settled(void)
{
    pkm_residual r;
    fill(0.0, 2.0 * pi * 5.0);
    CHECK(pkm_residual_find(t, y, N, 1.0, 0.02, 0.0, &r, NULL) == PKM_OK);
    CHECK(isnan(r.settling));
    CHECK_NEAR(r.damping, 0.0, 1e-6);
    CHECK_NEAR(r.rms, sqrt(0.5), 1e-3);
}

static void what_never_leaves_the_band_settles_at_once(void)
{
    pkm_residual r;
    for (int k = 0; k < N; ++k)
        t[k] = 1e-3 * k, y[k] = 3.0;
    CHECK(pkm_residual_find(t, y, N, 1.0, 0.02, 0.0, &r, NULL) == PKM_OK);
    CHECK_NEAR(r.settling, 0.0, 0.0);
    CHECK(isnan(r.damping));
}

static void too_little_after_the_stop_is_refused(void)
{
    pkm_residual r;
    pkm_error err;
    fill(1.0, 10.0);
    CHECK(pkm_residual_find(t, y, N, 5.996, 0.02, 0.0, &r, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "5 samples after the stop");
}

int main(void)
{
    RUN(a_damped_oscillation_settles_when_it_does);
    RUN(frequency_and_damping_are_found);
    RUN(few_samples_in_a_period_give_the_decay);
    RUN(a_width_can_be_given);
    RUN(what_rings_to_the_end_has_not_settled);
    RUN(what_never_leaves_the_band_settles_at_once);
    RUN(too_little_after_the_stop_is_refused);
    return check_report();
}
