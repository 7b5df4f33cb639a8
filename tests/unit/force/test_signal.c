#include "force/signal.h"

#include "base/memory.h"
#include "check.h"

static const double T[] = {0.5, 1.0, 2.0}, Y[] = {1.0, 3.0, -1.0};

static void steps_keep_the_last_sample(void)
{
    const pkm_signal s = pkm_signal_steps(T, Y, 3);
    CHECK_NEAR(pkm_signal_at(&s, -5.0), 1.0, 0.0);
    CHECK_NEAR(pkm_signal_at(&s, 0.5), 1.0, 0.0);
    CHECK_NEAR(pkm_signal_at(&s, 0.999), 1.0, 0.0);
    CHECK_NEAR(pkm_signal_at(&s, 1.0), 3.0, 0.0);
    CHECK_NEAR(pkm_signal_at(&s, 9.0), -1.0, 0.0);
}

static void lines_pass_the_samples(void)
{
    const pkm_signal s = pkm_signal_linear(T, Y, 3);
    CHECK_NEAR(pkm_signal_at(&s, 0.0), 1.0, 0.0);
    CHECK_NEAR(pkm_signal_at(&s, 0.75), 2.0, 1e-15);
    CHECK_NEAR(pkm_signal_at(&s, 1.0), 3.0, 1e-15);
    CHECK_NEAR(pkm_signal_at(&s, 1.25), 2.0, 1e-15);
    CHECK_NEAR(pkm_signal_at(&s, 2.5), -1.0, 0.0);
    const pkm_signal one = pkm_signal_linear(T, Y, 1);
    CHECK_NEAR(pkm_signal_at(&one, 7.0), 1.0, 0.0);
}

static void breaks_are_the_samples(void)
{
    const pkm_signal s = pkm_signal_linear(T, Y, 3), c = pkm_signal_constant(3.0);
    CHECK_NEAR(pkm_signal_next_break(&s, 0.0), 0.5, 0.0);
    CHECK_NEAR(pkm_signal_next_break(&s, 0.5), 1.0, 0.0);
    CHECK_NEAR(pkm_signal_next_break(&s, 1.5), 2.0, 0.0);
    CHECK(isinf(pkm_signal_next_break(&s, 2.0)));
    CHECK(isinf(pkm_signal_next_break(&c, 0.0)));
}

static pkm_status no_parameters(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    (void)user, (void)name, (void)out, (void)near;
    return PKM_RETRY;
}

static void formulas_are_signals_and_nothing_allocates(void)
{
    pkm_formula* formula = NULL;
    pkm_fault fault;
    CHECK(pkm_formula_create("=5 N * sin(4 rad/s * t)", no_parameters, NULL, pkm_dim_force,
                             &formula, &fault) == PKM_OK);
    const pkm_signal s = pkm_signal_formula(formula), l = pkm_signal_linear(T, Y, 3);
    const size_t before = pkm_alloc_count();
    for (double t = 0.0; t < 3.0; t += 0.1) {
        CHECK_NEAR(pkm_signal_at(&s, t), 5.0 * sin(4.0 * t), 1e-15);
        CHECK(isfinite(pkm_signal_at(&l, t)));
    }
    CHECK(isinf(pkm_signal_next_break(&s, 0.0)));
    CHECK(pkm_alloc_count() == before);
    pkm_formula_free(formula);
}

static void bad_samples_are_named(void)
{
    pkm_error err;
    const double twice[] = {0.0, 1.0, 1.0}, hole[] = {1.0, NAN, 2.0};
    pkm_signal s = pkm_signal_linear(twice, Y, 3);
    CHECK(pkm_signal_check(&s, "push", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "push: sample 3 is at 1 s, expected later than 1 s");
    s = pkm_signal_steps(T, hole, 3);
    CHECK(pkm_signal_check(&s, "push", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "push: sample 2 is not finite");
    s = pkm_signal_steps(T, Y, 0);
    CHECK(pkm_signal_check(&s, "push", &err) == PKM_ERR_ARGUMENT);
    s = pkm_signal_constant(INFINITY);
    CHECK(pkm_signal_check(&s, "push", NULL) == PKM_ERR_ARGUMENT);
    s = pkm_signal_steps(T, Y, 3);
    CHECK(pkm_signal_check(&s, "push", &err) == PKM_OK);
}

int main(void)
{
    RUN(steps_keep_the_last_sample);
    RUN(lines_pass_the_samples);
    RUN(breaks_are_the_samples);
    RUN(formulas_are_signals_and_nothing_allocates);
    RUN(bad_samples_are_named);
    return check_report();
}
