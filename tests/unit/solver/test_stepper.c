// Every stepper keeps the contracts of the table of verbs.
#include "check.h"
#include "solver/stepper.h"

#include <math.h>
#include <string.h>

// A mass on a spring, y = (x, v), x'' = -w^2 x, in all three forms.
static const double W = 3.0;

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[1];
    dydt[1] = -W * W * y[0];
    return PKM_OK;
}

static double c_factor;

static pkm_status factor(void* user, double t, const double* y, double c)
{
    (void)user, (void)t, (void)y;
    c_factor = c;
    return PKM_OK;
}

/// (1 - c J) x = b with J = ((0, 1), (-w^2, 0)).
static void solve(void* user, double* x)
{
    (void)user;
    const double c = c_factor, det = 1.0 + c * c * W * W, a = x[0], b = x[1];
    x[0] = (a + c * b) / det;
    x[1] = (b - c * W * W * a) / det;
}

static pkm_status residual(void* user, double t, const double* Y, const double* Yp, double* out)
{
    pkm_status status = rate(user, t, Y, out);
    for (int i = 0; i < 2; ++i)
        out[i] = Yp[i] - out[i];
    return status;
}

static pkm_status complete(void* user, double t, const double* y, double* Y, double* Yp,
                           double* first_step)
{
    memmove(Y, y, 2 * sizeof *Y);
    *first_step = 1e-5;
    return rate(user, t, Y, Yp);
}

static const pkm_stepper_system spring = {
    .ode = {.n = 2, .rate = rate},
    .solver = {.factor = factor, .solve = solve},
    .dae = {.residual = residual, .complete = complete},
};
static const double start[2] = {1.0, 0.0}, atol[2] = {1e-9, 1e-9};
static const pkm_rk_settings settings = {.rtol = 1e-9, .atol = atol};

static pkm_stepper begin(int k)
{
    pkm_stepper s;
    CHECK(pkm_stepper_create((pkm_integrator)k, &spring, &s) == PKM_OK);
    CHECK(strcmp(s.kind->name, pkm_integrator_name[k]) == 0);
    CHECK(s.kind->begin(s.m, &settings, 0.0, start) == PKM_OK);
    CHECK(s.kind->time(s.m) == 0.0 && s.kind->last_step(s.m) == 0.0);
    return s;
}

static void run_to(const pkm_stepper* s, double end)
{
    while (s->kind->time(s->m) < end) {
        const double before = s->kind->time(s->m);
        CHECK(s->kind->step(s->m, end) == PKM_OK);
        CHECK_NEAR(s->kind->time(s->m), before + s->kind->last_step(s->m), 1e-14);
        if (!(s->kind->time(s->m) > before)) return;
    }
}

static void steps_follow_the_cosine_and_end_at_the_limit(void)
{
    for (int k = 0; k < PKM_N_INTEGRATOR; ++k) {
        pkm_stepper s = begin(k);
        run_to(&s, 2.0);
        CHECK(s.kind->time(s.m) == 2.0);
        CHECK_NEAR(s.kind->state(s.m)[0], cos(2.0 * W), 1e-6);
        CHECK_NEAR(s.kind->state(s.m)[1], -W * sin(2.0 * W), 3e-6);
        const pkm_stepper_counts n = s.kind->counts(s.m);
        CHECK(n.steps > 5 && n.rates > n.steps && n.rejected >= 0 && !n.is_stiff);
        CHECK((n.factors > 0) == (s.kind->stable == 0.0));
        pkm_stepper_free(&s);
    }
}

static void dense_output_is_as_exact_as_the_steps(void)
{
    for (int k = 0; k < PKM_N_INTEGRATOR; ++k) {
        pkm_stepper s = begin(k);
        double y[2];
        run_to(&s, 1.0);
        CHECK(s.kind->step(s.m, 3.0) == PKM_OK);
        const double end = s.kind->time(s.m), h = s.kind->last_step(s.m);
        for (int i = 0; i <= 8; ++i) {
            const double t = end - h + h * i / 8.0;
            CHECK(s.kind->dense(s.m, t, y) == PKM_OK);
            CHECK_NEAR(y[0], cos(W * t), 1e-6);
        }
        CHECK(s.kind->dense(s.m, end + h, y) == PKM_ERR_ARGUMENT);
        CHECK(s.kind->dense(s.m, end - 2.0 * h, y) == PKM_ERR_ARGUMENT);
        pkm_stepper_free(&s);
    }
}

// Back to an event inside the step, where the velocity is turned round: the motion runs backwards.
static void a_restart_goes_back_to_an_event(void)
{
    for (int k = 0; k < PKM_N_INTEGRATOR; ++k) {
        pkm_stepper s = begin(k);
        double y[2];
        run_to(&s, 0.5);
        CHECK(s.kind->step(s.m, 3.0) == PKM_OK);
        const double t = s.kind->time(s.m) - 0.3 * s.kind->last_step(s.m);
        const long before = s.kind->counts(s.m).steps;
        CHECK(s.kind->dense(s.m, t, y) == PKM_OK);
        y[1] = -y[1];
        CHECK(s.kind->restart(s.m, t, y, 0.0) == PKM_OK);
        CHECK(s.kind->time(s.m) == t && s.kind->last_step(s.m) == 0.0);
        run_to(&s, 2.0 * t);
        CHECK_NEAR(s.kind->state(s.m)[0], 1.0, 1e-6);
        CHECK(s.kind->counts(s.m).steps > before);
        CHECK(s.kind->restart(s.m, 2.0 * t, NULL, 0.0) == PKM_OK); // as it is
        CHECK_NEAR(s.kind->state(s.m)[0], 1.0, 1e-6);
        CHECK(s.kind->restart(s.m, NAN, NULL, 0.0) != PKM_OK);
        pkm_stepper_free(&s);
    }
}

static void a_step_that_is_repeated_ends_where_it_is_told(void)
{
    for (int k = 0; k < PKM_N_INTEGRATOR; ++k) {
        pkm_stepper s = begin(k);
        run_to(&s, 0.5);
        CHECK(s.kind->step(s.m, 3.0) == PKM_OK);
        const double t = s.kind->time(s.m) - 0.4 * s.kind->last_step(s.m);
        if (s.kind->repeat) {
            CHECK(s.kind->repeat(s.m, t) == PKM_OK && s.kind->time(s.m) == t);
            CHECK_NEAR(s.kind->state(s.m)[0], cos(W * t), 1e-6);
        }
        pkm_stepper_free(&s);
    }
}

int main(void)
{
    RUN(steps_follow_the_cosine_and_end_at_the_limit);
    RUN(dense_output_is_as_exact_as_the_steps);
    RUN(a_restart_goes_back_to_an_event);
    RUN(a_step_that_is_repeated_ends_where_it_is_told);
    return check_report();
}
