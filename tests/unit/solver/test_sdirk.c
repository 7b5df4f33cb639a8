// The diagonally implicit method: its order, its damping of what is stiff, its counts.
#include "check.h"
#include "solver/stepper.h"

#include <math.h>

// ---- order ------------------------------------------------------------------------------------

/// y' = -y^2 (1 + sin 3t / 2), nonlinear and not autonomous: 1/y = 1 + t + (1 - cos 3t)/6.
static pkm_status curved(void* user, double t, const double* y, double* dydt)
{
    (void)user;
    dydt[0] = -y[0] * y[0] * (1.0 + 0.5 * sin(3.0 * t));
    return PKM_OK;
}

static double c_factor, slope;

static pkm_status factor_curved(void* user, double t, const double* y, double c)
{
    (void)user;
    c_factor = c;
    slope = -2.0 * y[0] * (1.0 + 0.5 * sin(3.0 * t));
    return PKM_OK;
}

static void solve_curved(void* user, double* x)
{
    (void)user;
    x[0] /= 1.0 - c_factor * slope;
}

/// The same from what a stage tells of its rate, with the number 3 y as a multiplier, which it has
/// from its integral and which would spoil the result where it is off.
static pkm_status correct_curved(void* user, double t, double c, const double* psi, const double* Y,
                                 double* delta)
{
    double f;
    const double wrong = (Y[1] - psi[1]) / c - 3.0 * Y[0];
    curved(user, t, Y, &f);
    delta[0] = (psi[0] + c * (f + wrong) - Y[0]) / (1.0 - c_factor * slope);
    delta[1] = c * (3.0 * delta[0] - wrong);
    return PKM_OK;
}

static void triple(void* user, double* out)
{
    *out = 3.0 * *(const double*)user;
}

static pkm_status curved_and_kept(void* user, double t, const double* y, double* dydt)
{
    *(double*)user = y[0];
    return curved(user, t, y, dydt);
}

// Stages that are corrected without rates are those of the others to what the iterations leave,
// with multipliers that are predicted as rates are.
static void corrections_without_rates_end_where_the_others_do(void)
{
    double kept, tolerance = 1e-9, y0 = 1.0, end[2];
    const pkm_rk_settings settings = {.rtol = 0.0, .atol = &tolerance};
    for (int k = 0; k < 2; ++k) {
        const pkm_stepper_system system = {.ode = {.n = 1, .user = &kept, .rate = curved_and_kept},
                                           .solver = {.factor = factor_curved,
                                                      .solve = solve_curved,
                                                      .n_more = 1,
                                                      .multipliers = triple,
                                                      .correct = k == 0 ? NULL : correct_curved}};
        pkm_stepper s;
        CHECK(pkm_stepper_create(PKM_INTEGRATOR_SDIRK, &system, &s) == PKM_OK);
        CHECK(s.kind->begin(s.m, &settings, 0.0, &y0) == PKM_OK);
        for (int i = 0; i < 1000 && s.kind->time(s.m) < 2.0; ++i)
            CHECK(s.kind->step(s.m, 2.0) == PKM_OK);
        end[k] = s.kind->state(s.m)[0];
        pkm_stepper_free(&s);
    }
    CHECK_NEAR(end[1], end[0], 10.0 * tolerance);
    CHECK_NEAR(end[1], 1.0 / (3.0 + (1.0 - cos(6.0)) / 6.0), 10.0 * tolerance);
}

/// Error at t = 2 with this tolerance, the largest between the steps, and how many there are.
static double error_with(double tolerance, double* between, long* steps)
{
    const pkm_stepper_system system = {.ode = {.n = 1, .rate = curved},
                                       .solver = {.factor = factor_curved, .solve = solve_curved}};
    const double y0 = 1.0;
    const pkm_rk_settings settings = {.rtol = 0.0, .atol = &tolerance};
    pkm_stepper s;
    *between = 0.0;
    CHECK(pkm_stepper_create(PKM_INTEGRATOR_SDIRK, &system, &s) == PKM_OK);
    CHECK(s.kind->begin(s.m, &settings, 0.0, &y0) == PKM_OK);
    for (pkm_status status = PKM_OK; status == PKM_OK && s.kind->time(s.m) < 2.0;) {
        double y = NAN;
        status = s.kind->step(s.m, 2.0);
        CHECK(status == PKM_OK);
        const double t = s.kind->time(s.m) - 0.5 * s.kind->last_step(s.m);
        CHECK(s.kind->dense(s.m, t, &y) == PKM_OK);
        *between = fmax(*between, fabs(y - 1.0 / (1.0 + t + (1.0 - cos(3.0 * t)) / 6.0)));
    }
    const double off = s.kind->state(s.m)[0] - 1.0 / (3.0 + (1.0 - cos(6.0)) / 6.0);
    *steps = s.kind->counts(s.m).steps;
    pkm_stepper_free(&s);
    return fabs(off);
}

// The error falls with the fifth power of the number of steps (the fourth and more is asked for),
// between them too.
static void the_order_is_five(void)
{
    double between[2];
    long n[2];
    const double coarse = error_with(1e-5, &between[0], &n[0]);
    const double fine = error_with(1e-11, &between[1], &n[1]);
    const double ratio = (double)n[1] / (double)n[0];
    CHECK(n[0] >= 4 && ratio > 4.0);
    CHECK(coarse / fine > pow(ratio, 4.0));
    CHECK(between[0] / between[1] > pow(ratio, 4.0));
    CHECK(fine < 1e-9 && between[1] < 1e-9);
}

// ---- stiffness --------------------------------------------------------------------------------

/// A slow oscillator that drives a fast one, y = (x, v, z, w): x'' = -x, z'' = W^2 (x - z), which
/// follows quasi-statically: z = x (1 - 1/W^2)^-1 on the smooth solution.
static const double W = 1e4;

static pkm_status driven(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[1];
    dydt[1] = -y[0];
    dydt[2] = y[3];
    dydt[3] = W * W * (y[0] - y[2]);
    return PKM_OK;
}

static pkm_status factor_driven(void* user, double t, const double* y, double c)
{
    (void)user, (void)t, (void)y;
    c_factor = c;
    return PKM_OK;
}

/// Only the fast spring is in J, as in the plant.
static void solve_driven(void* user, double* b)
{
    (void)user;
    const double c = c_factor, z = b[2], w = b[3];
    b[3] = (w + c * W * W * (b[0] - z)) / (1.0 + c * c * W * W);
    b[2] = z + c * b[3];
}

// 10 s are 16 000 periods of the fast one; some hundred steps do, and no energy comes from it.
static void what_is_stiff_and_at_rest_costs_nothing(void)
{
    const pkm_stepper_system system = {.ode = {.n = 4, .rate = driven},
                                       .solver = {.factor = factor_driven, .solve = solve_driven}};
    const double follows = 1.0 / (1.0 - 1.0 / (W * W));
    const double y0[4] = {1.0, 0.0, follows, 0.0}, atol[4] = {1e-7, 1e-7, 1e-7, 1e-4};
    const pkm_rk_settings settings = {.rtol = 1e-7, .atol = atol};
    pkm_stepper s;
    CHECK(pkm_stepper_create(PKM_INTEGRATOR_SDIRK, &system, &s) == PKM_OK);
    CHECK(s.kind->begin(s.m, &settings, 0.0, y0) == PKM_OK);
    for (pkm_status status = PKM_OK; status == PKM_OK && s.kind->time(s.m) < 10.0;)
        CHECK((status = s.kind->step(s.m, 10.0)) == PKM_OK);
    const pkm_stepper_counts n = s.kind->counts(s.m);
    const double* y = s.kind->state(s.m);
    CHECK_NEAR(y[0], cos(10.0), 1e-5);
    CHECK_NEAR(y[2], follows * cos(10.0), 1e-5);
    CHECK(n.steps < 100 && n.rates < 20 * n.steps && 2 * n.factors < n.steps);
    pkm_stepper_free(&s);
}

// A velocity whose errors reach positions after a second only may be a hundred times as wrong in
// steps of 10 ms: fewer steps.
static void reach_loosens_short_steps(void)
{
    const pkm_stepper_system system = {.ode = {.n = 4, .rate = driven},
                                       .solver = {.factor = factor_driven, .solve = solve_driven}};
    const double y0[4] = {1.0, 0.0, 1.001, 0.0}; // it rings
    const double atol[4] = {1e-6, 1e-6, 1e-6, 1e-6}, reach[4] = {0.0, 1e-2, 0.0, 1e-2};
    long steps[2];
    for (int k = 0; k < 2; ++k) {
        const pkm_rk_settings settings = {
            .rtol = 1e-6, .atol = atol, .reach = k == 0 ? NULL : reach};
        pkm_stepper s;
        CHECK(pkm_stepper_create(PKM_INTEGRATOR_SDIRK, &system, &s) == PKM_OK);
        CHECK(s.kind->begin(s.m, &settings, 0.0, y0) == PKM_OK);
        for (pkm_status status = PKM_OK; status == PKM_OK && s.kind->time(s.m) < 0.01;)
            CHECK((status = s.kind->step(s.m, 0.01)) == PKM_OK);
        steps[k] = s.kind->counts(s.m).steps;
        CHECK_NEAR(s.kind->state(s.m)[0], cos(0.01), 1e-6);
        pkm_stepper_free(&s);
    }
    CHECK(3 * steps[1] < 2 * steps[0]);
}

// ---- rings ------------------------------------------------------------------------------------

static const double RING = 251.3; // 40 Hz
static double known;              ///< part of the ring's stiffness that is in J

static pkm_status ringing(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[1];
    dydt[1] = -RING * RING * y[0];
    return PKM_OK;
}

static void solve_ringing(void* user, double* b)
{
    (void)user;
    const double c = c_factor, k = known * RING * RING;
    b[1] = (b[1] - c * k * b[0]) / (1.0 + c * c * k);
    b[0] += c * b[1];
}

/// The largest amplitude of the last tenth of 2 s, of a ring that has `start`.
static double amplitude_after(double start, double part)
{
    const pkm_stepper_system system = {.ode = {.n = 2, .rate = ringing},
                                       .solver = {.factor = factor_driven, .solve = solve_ringing}};
    const double y0[2] = {start, 0.0}, atol[2] = {1e-7, 1e-6}, reach[2] = {0.0, 1e-2};
    const pkm_rk_settings settings = {.rtol = 1e-7, .atol = atol, .reach = reach};
    double most = 0.0;
    pkm_stepper s;
    known = part;
    CHECK(pkm_stepper_create(PKM_INTEGRATOR_SDIRK, &system, &s) == PKM_OK);
    CHECK(s.kind->begin(s.m, &settings, 0.0, y0) == PKM_OK);
    for (pkm_status status = PKM_OK; status == PKM_OK && s.kind->time(s.m) < 2.0;) {
        CHECK((status = s.kind->step(s.m, 2.0)) == PKM_OK);
        const double* y = s.kind->state(s.m);
        if (s.kind->time(s.m) > 1.8) most = fmax(most, hypot(y[0], y[1] / RING));
    }
    pkm_stepper_free(&s);
    return most;
}

// The method damps, and so must what its iterations leave: a ring of some tolerances does not grow
// in eighty periods, whether its spring is in J or not; a smaller one stays below what is asked
// for.
static void rings_do_not_grow(void)
{
    static const double start[] = {1e-9, 1e-8, 2.5e-7, 1e-6, 1e-5, 1e-4}, part[] = {0.0, 0.5, 1.0};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 3; ++k) {
            const double end = amplitude_after(start[i], part[k]);
            CHECK(end <= (start[i] < 1e-7 ? 1e-7 : start[i]));
        }
}

int main(void)
{
    RUN(the_order_is_five);
    RUN(corrections_without_rates_end_where_the_others_do);
    RUN(what_is_stiff_and_at_rest_costs_nothing);
    RUN(reach_loosens_short_steps);
    RUN(rings_do_not_grow);
    return check_report();
}
