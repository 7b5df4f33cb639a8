#include "force/sampler.h"

#include "base/memory.h"
#include "check.h"

static pkm_sampler* create(double period, double delay, int n)
{
    pkm_sampler* s = NULL;
    pkm_error err;
    CHECK(pkm_sampler_create(period, delay, n, &s, &err) == PKM_OK);
    if (s) pkm_sampler_reset(s, 0.0, NULL);
    return s;
}

/// Samples the number of the sample, 1, 2, ..., and steps from event to event up to time `t`.
static void run_to(pkm_sampler* s, double t, double* count)
{
    while (pkm_sampler_next_event(s) <= t) {
        const double now = pkm_sampler_next_event(s);
        pkm_sampler_advance(s, now);
        if (pkm_sampler_is_due(s, now)) {
            *count += 1.0;
            pkm_sampler_put(s, count);
        }
    }
}

static void without_delay_samples_act_at_once(void)
{
    pkm_sampler* s = create(0.1, 0.0, 1);
    double count = 0.0;
    CHECK_NEAR(pkm_sampler_get(s)[0], 0.0, 0.0);
    CHECK_NEAR(pkm_sampler_next_event(s), 0.0, 0.0);
    for (int k = 0; k < 1000; ++k) {
        run_to(s, 0.1 * k + 0.05, &count);
        CHECK_NEAR(pkm_sampler_get(s)[0], k + 1.0, 0.0);
        CHECK_NEAR(pkm_sampler_next_event(s), 0.1 * (k + 1), 1e-13);
    }
    pkm_sampler_free(s);
}

/// A delay of 2.3 periods: sample k taken at k T acts at (k + 2.3) T.
static void samples_act_after_their_delay(void)
{
    pkm_sampler* s = create(0.1, 0.23, 1);
    double count = 0.0;
    for (int i = 0; i < 500; ++i) {
        const double t = 0.01713 * i; // meets no event
        run_to(s, t, &count);
        const double acting = floor((t - 0.23) / 0.1) + 1.0; // samples that act by now
        CHECK_NEAR(pkm_sampler_get(s)[0], acting > 0.0 ? acting : 0.0, 0.0);
    }
    pkm_sampler_free(s);
}

/// A delay of a whole number of periods: at one instant the old sample acts and a new one is taken.
static void events_at_one_instant_are_both_seen(void)
{
    pkm_sampler* s = create(0.25, 0.5, 1); // exact in binary
    double count = 0.0;
    run_to(s, 0.5, &count);
    CHECK_NEAR(count, 3.0, 0.0);
    CHECK_NEAR(pkm_sampler_get(s)[0], 1.0, 0.0);
    CHECK_NEAR(pkm_sampler_next_event(s), 0.75, 0.0);
    pkm_sampler_free(s);
}

static void reset_starts_again_with_all_values(void)
{
    pkm_sampler* s = create(0.1, 0.0, 3);
    pkm_sampler_put(s, (double[3]){1.0, 2.0, 3.0});
    CHECK_NEAR(pkm_sampler_get(s)[2], 3.0, 0.0);
    pkm_sampler_reset(s, 5.0, (double[3]){7.0, 8.0, 9.0});
    CHECK_NEAR(pkm_sampler_get(s)[1], 8.0, 0.0);
    CHECK_NEAR(pkm_sampler_next_event(s), 5.0, 0.0);
    CHECK(!pkm_sampler_is_due(s, 4.999));
    CHECK(pkm_sampler_is_due(s, 5.0));
    pkm_sampler_free(s);
    pkm_sampler_free(NULL);
}

/// Mass 1 with sampled PD, force held over T: from (q, v) follow exactly
/// q + v T + F T^2/2 and v + F T. One period of delay uses the force of the sample before.
static void sampled_loop_is_the_discrete_recursion(void)
{
    const double T = 0.01, kp = 100.0, kd = 14.0;
    for (int delay = 0; delay <= 1; ++delay) {
        pkm_sampler* s = create(T, delay * T, 1);
        double q = 1.0, v = 0.0, q_exact = 1.0, v_exact = 0.0, before = 0.0, t = 0.0;
        for (int k = 0; k < 100; ++k) {
            const double F = -kp * q_exact - kd * v_exact, acts = delay ? before : F;
            before = F;
            q_exact += v_exact * T + 0.5 * acts * T * T;
            v_exact += acts * T;

            pkm_sampler_advance(s, t);
            if (pkm_sampler_is_due(s, t)) pkm_sampler_put(s, (double[1]){-kp * q - kd * v});
            const double next = pkm_sampler_next_event(s), h = next - t;
            const double held = pkm_sampler_get(s)[0];
            q += v * h + 0.5 * held * h * h;
            v += held * h;
            t = next;
        }
        CHECK_NEAR(q, q_exact, 1e-12);
        CHECK_NEAR(v, v_exact, 1e-12);
        pkm_sampler_free(s);
    }
}

static void wrong_settings_and_lack_of_memory_are_reported(void)
{
    pkm_error err;
    pkm_sampler* s = NULL;
    CHECK(pkm_sampler_create(0.0, 0.0, 1, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "period 0");
    CHECK(pkm_sampler_create(0.1, -1.0, 1, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_sampler_create(1e-9, 1e3, 1, &s, &err) == PKM_ERR_ARGUMENT);
    for (size_t n = 1; n <= 2; ++n) {
        pkm_alloc_fail_at(n);
        CHECK(pkm_sampler_create(0.1, 0.2, 4, &s, &err) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
        CHECK(s == NULL);
    }
    s = create(0.1, 0.35, 2);
    const size_t before = pkm_alloc_count();
    for (int i = 0; i < 100; ++i) {
        pkm_sampler_advance(s, pkm_sampler_next_event(s));
        pkm_sampler_put(s, (double[2]){1.0, 2.0});
    }
    CHECK(pkm_alloc_count() == before);
    pkm_sampler_free(s);
}

int main(void)
{
    RUN(without_delay_samples_act_at_once);
    RUN(samples_act_after_their_delay);
    RUN(events_at_one_instant_are_both_seen);
    RUN(reset_starts_again_with_all_values);
    RUN(sampled_loop_is_the_discrete_recursion);
    RUN(wrong_settings_and_lack_of_memory_are_reported);
    return check_report();
}
