/// The wrapper of CVODE: stiff reactions, a solver of the caller's own, events, projection,
/// failures.
#include "check.h"
#include "solver/bdf.h"

#include <stdbool.h>

static pkm_bdf* create(int n)
{
    pkm_bdf* bdf = NULL;
    CHECK(pkm_bdf_create(n, &bdf) == PKM_OK);
    return bdf;
}

static pkm_status run_to(pkm_bdf* bdf, double t)
{
    pkm_status status = PKM_OK;
    for (int k = 0; k < 100000 && status == PKM_OK && pkm_bdf_time(bdf) != t; ++k)
        status = pkm_bdf_step(bdf, t);
    CHECK(status != PKM_OK || pkm_bdf_time(bdf) == t);
    return status;
}

// ---- Robertson's reaction ----------------------------------------------------------------------
// Hairer and Wanner, Solving Ordinary Differential Equations II, at t = 40.

static pkm_status reaction(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dydt[2] = 3e7 * y[1] * y[1];
    dydt[1] = -dydt[0] - dydt[2];
    return PKM_OK;
}

static void a_stiff_reaction_is_followed(void)
{
    static const double atol[3] = {1e-12, 1e-14, 1e-12};
    const double y0[3] = {1.0, 0.0, 0.0};
    const pkm_ode ode = {.n = 3, .rate = reaction};
    const pkm_rk_settings settings = {.rtol = 1e-9, .atol = atol};
    pkm_bdf* bdf = create(3);
    CHECK(pkm_bdf_begin(bdf, &ode, NULL, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(bdf, 40.0) == PKM_OK);
    const double* y = pkm_bdf_state(bdf);
    CHECK_NEAR(y[0], 0.7158270688, 2e-8);
    CHECK_NEAR(y[1], 0.9185534765e-5, 2e-12);
    CHECK_NEAR(y[2], 0.2841637457, 2e-8);
    const pkm_bdf_report report = pkm_bdf_get_report(bdf);
    CHECK(report.steps > 50 && report.steps < 2000 && report.factors > 0);
    pkm_bdf_free(bdf);
}

// ---- a solver of the caller's own --------------------------------------------------------------
// y' = -k (y - cos t) - sin t, x' = y x: y = cos t and x = exp(sin t). The solver knows only what
// is stiff, -k, and nothing of the second equation.

enum { STIFF = 1000000 };

typedef struct driven {
    double c;
    long factors, solves;
    bool fails;
} driven;

static pkm_status driven_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user;
    dydt[0] = -STIFF * (y[0] - cos(t)) - sin(t);
    dydt[1] = y[0] * y[1];
    return PKM_OK;
}

static pkm_status driven_factor(void* user, double t, const double* y, double c)
{
    driven* d = user;
    (void)t, (void)y;
    d->c = c;
    ++d->factors;
    return d->fails ? PKM_ERR_SINGULAR : PKM_OK;
}

static void driven_solve(void* user, double* x)
{
    driven* d = user;
    ++d->solves;
    x[0] /= 1.0 + d->c * STIFF;
}

static const pkm_ode_solver DRIVEN_SOLVER = {.factor = driven_factor, .solve = driven_solve};
static const double DRIVEN_START[2] = {1.0, 1.0};

static pkm_bdf* begin_driven(driven* d, double tolerance)
{
    const double atol[2] = {tolerance, tolerance};
    const pkm_ode ode = {.n = 2, .user = d, .rate = driven_rate};
    const pkm_rk_settings settings = {.rtol = tolerance, .atol = atol};
    pkm_bdf* bdf = create(2);
    CHECK(pkm_bdf_begin(bdf, &ode, &DRIVEN_SOLVER, &settings, 0.0, DRIVEN_START) == PKM_OK);
    return bdf;
}

static double driven_error(double t, const double* y)
{
    return fmax(fabs(y[0] - cos(t)), fabs(y[1] - exp(sin(t))));
}

/// An explicit method would need a million steps.
static void only_what_is_stiff_needs_to_be_known(void)
{
    double error[2];
    for (int k = 0; k < 2; ++k) {
        driven d = {0};
        pkm_bdf* bdf = begin_driven(&d, k ? 1e-9 : 1e-6);
        CHECK(run_to(bdf, 6.0) == PKM_OK);
        error[k] = driven_error(6.0, pkm_bdf_state(bdf));
        const pkm_bdf_report report = pkm_bdf_get_report(bdf);
        CHECK(report.steps < 2000 && report.rates < 4000);
        CHECK(d.factors == report.factors && d.factors > 0 && d.solves >= report.steps);
        pkm_bdf_free(bdf);
    }
    CHECK(error[0] < 1e-3);
    CHECK(error[1] < 0.01 * error[0]);
}

static void the_solution_inside_a_step_is_as_good_as_at_its_end(void)
{
    driven d = {0};
    double y[2];
    pkm_bdf* bdf = begin_driven(&d, 1e-8);
    CHECK(run_to(bdf, 1.0) == PKM_OK);
    const double bound = 10.0 * driven_error(1.0, pkm_bdf_state(bdf)) + 1e-7;
    for (int k = 0; k < 20; ++k) {
        CHECK(pkm_bdf_step(bdf, 6.0) == PKM_OK);
        const double h = pkm_bdf_last_step(bdf), t = pkm_bdf_time(bdf) - 0.37 * h;
        CHECK(pkm_bdf_dense(bdf, t, y) == PKM_OK);
        CHECK(driven_error(t, y) < bound);
    }
    CHECK(pkm_bdf_dense(bdf, pkm_bdf_time(bdf) + 0.1, y) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_dense(bdf, pkm_bdf_time(bdf) - 1.5 * pkm_bdf_last_step(bdf), y) ==
          PKM_ERR_ARGUMENT);
    pkm_bdf_free(bdf);
}

/// After a return the way continues from there; counts go on.
static void it_returns_to_an_event_inside_the_step(void)
{
    driven d = {0};
    double y[2];
    pkm_bdf* bdf = begin_driven(&d, 1e-8);
    CHECK(run_to(bdf, 1.0) == PKM_OK);
    CHECK(pkm_bdf_step(bdf, 6.0) == PKM_OK);
    const long steps = pkm_bdf_get_report(bdf).steps;
    const double t = pkm_bdf_time(bdf) - 0.5 * pkm_bdf_last_step(bdf);
    CHECK(pkm_bdf_dense(bdf, t, y) == PKM_OK);
    y[1] *= 2.0; // a jump
    CHECK(pkm_bdf_move(bdf, NAN, y) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_move(bdf, t, y) == PKM_OK);
    CHECK(pkm_bdf_time(bdf) == t && pkm_bdf_last_step(bdf) == 0.0);
    CHECK(run_to(bdf, 2.0) == PKM_OK);
    CHECK_NEAR(pkm_bdf_state(bdf)[1], 2.0 * exp(sin(2.0)), 1e-5);
    CHECK(pkm_bdf_get_report(bdf).steps > steps);
    CHECK(pkm_bdf_move(bdf, pkm_bdf_time(bdf), DRIVEN_START) == PKM_OK);
    CHECK(pkm_bdf_state(bdf)[1] == 1.0 && pkm_bdf_time(bdf) == 2.0);
    pkm_bdf_free(bdf);
}

/// The same step again, only half of it: it ends there at most, with the error of order 1 that the
/// tolerance allows, and no other time than one inside it will do.
static void a_step_can_be_taken_again_up_to_its_middle(void)
{
    driven d = {0};
    pkm_bdf* bdf = begin_driven(&d, 1e-6);
    CHECK(run_to(bdf, 1.0) == PKM_OK);
    CHECK(pkm_bdf_step(bdf, 6.0) == PKM_OK);
    const double h = pkm_bdf_last_step(bdf), begin = pkm_bdf_time(bdf) - h;
    CHECK(pkm_bdf_shorten(bdf, begin) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_shorten(bdf, begin + 1.5 * h) == PKM_ERR_ARGUMENT);
    const long steps = pkm_bdf_get_report(bdf).steps;
    CHECK(pkm_bdf_shorten(bdf, begin + 0.5 * h) == PKM_OK);
    const double t = pkm_bdf_time(bdf);
    CHECK(t > begin && t <= begin + 0.5 * h);
    CHECK_NEAR(t - pkm_bdf_last_step(bdf), begin, 1e-15);
    CHECK_NEAR(pkm_bdf_state(bdf)[0], cos(t), 1e-4);
    CHECK_NEAR(pkm_bdf_state(bdf)[1], exp(sin(t)), 1e-4);
    CHECK(pkm_bdf_get_report(bdf).steps == steps + 1);
    CHECK(run_to(bdf, 2.0) == PKM_OK);
    CHECK_NEAR(pkm_bdf_state(bdf)[1], exp(sin(2.0)), 1e-3);
    pkm_bdf_free(bdf);
}

// ---- constraints -------------------------------------------------------------------------------

static pkm_status circle_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = -y[1];
    dydt[1] = y[0];
    return PKM_OK;
}

static pkm_status circle_project(void* user, double t, double* y)
{
    (void)user, (void)t;
    const double r = hypot(y[0], y[1]);
    y[0] /= r;
    y[1] /= r;
    return PKM_OK;
}

static void steps_end_on_the_constraints(void)
{
    static const double atol[2] = {1e-6, 1e-6}, y0[2] = {1.0, 0.0};
    const pkm_ode ode = {.n = 2, .rate = circle_rate, .project = circle_project};
    const pkm_rk_settings settings = {.rtol = 1e-6, .atol = atol};
    pkm_bdf* bdf = create(2);
    CHECK(pkm_bdf_begin(bdf, &ode, NULL, &settings, 0.0, y0) == PKM_OK);
    while (pkm_bdf_time(bdf) < 10.0) {
        CHECK(pkm_bdf_step(bdf, 10.0) == PKM_OK);
        CHECK_NEAR(hypot(pkm_bdf_state(bdf)[0], pkm_bdf_state(bdf)[1]), 1.0, 1e-14);
    }
    CHECK_NEAR(pkm_bdf_state(bdf)[0], cos(10.0), 1e-3);
    pkm_bdf_free(bdf);
}

// ---- failures ----------------------------------------------------------------------------------

/// y' = 1 up to the wall at y = 1, beyond which there is nothing.
static pkm_status wall(void* user, double t, const double* y, double* dydt)
{
    (void)t;
    dydt[0] = 1.0;
    return y[0] > 1.0 ? *(pkm_status*)user : PKM_OK;
}

static void failures_leave_the_last_good_state(void)
{
    static const double atol[1] = {1e-9}, y0[1] = {0.0};
    const pkm_status says[] = {PKM_RETRY, PKM_ERR_SINGULAR};
    for (int k = 0; k < 2; ++k) {
        pkm_status said = says[k];
        const pkm_ode ode = {.n = 1, .user = &said, .rate = wall};
        const pkm_rk_settings settings = {.rtol = 1e-6, .atol = atol, .min_step = 1e-6};
        pkm_bdf* bdf = create(1);
        CHECK(pkm_bdf_begin(bdf, &ode, NULL, &settings, 0.0, y0) == PKM_OK);
        const pkm_status status = run_to(bdf, 2.0);
        CHECK(k ? status == PKM_ERR_SINGULAR : status != PKM_OK);
        CHECK(pkm_bdf_time(bdf) <= 1.0 + 1e-9);
        CHECK_NEAR(pkm_bdf_state(bdf)[0], pkm_bdf_time(bdf), 1e-9);
        pkm_bdf_free(bdf);
    }
    driven d = {.fails = true};
    pkm_bdf* bdf = begin_driven(&d, 1e-6);
    CHECK(run_to(bdf, 1.0) == PKM_ERR_SINGULAR);
    CHECK(pkm_bdf_time(bdf) == 0.0 && pkm_bdf_state(bdf)[0] == 1.0);
    pkm_bdf_free(bdf);
}

static void wrong_arguments_are_refused(void)
{
    static const double good[2] = {1e-9, 1e-9}, bad[2] = {1e-9, 0.0};
    driven d = {0};
    const pkm_ode ode = {.n = 2, .user = &d, .rate = driven_rate}, other = {.n = 3};
    const pkm_rk_settings fine = {.rtol = 1e-6, .atol = good}, zero = {.rtol = 1e-6, .atol = bad};
    const pkm_rk_settings crossed = {.atol = good, .min_step = 2.0, .max_step = 1.0};
    pkm_bdf* bdf = NULL;
    CHECK(pkm_bdf_create(0, &bdf) == PKM_ERR_ARGUMENT && !bdf);
    bdf = create(2);
    CHECK(pkm_bdf_begin(bdf, &other, NULL, &fine, 0.0, DRIVEN_START) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_begin(bdf, &ode, NULL, &zero, 0.0, DRIVEN_START) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_begin(bdf, &ode, NULL, &crossed, 0.0, DRIVEN_START) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_begin(bdf, &ode, NULL, &fine, 0.0, DRIVEN_START) == PKM_OK);
    CHECK(pkm_bdf_step(bdf, -1.0) == PKM_ERR_ARGUMENT);
    CHECK(pkm_bdf_step(bdf, 0.0) == PKM_OK && pkm_bdf_time(bdf) == 0.0);
    CHECK(run_to(bdf, 0.3) == PKM_OK && pkm_bdf_move(bdf, pkm_bdf_time(bdf), NULL) == PKM_OK);
    CHECK(pkm_bdf_step(bdf, 3.0 * 0.1) == PKM_OK && pkm_bdf_time(bdf) == 3.0 * 0.1); // an ulp on
    pkm_bdf_free(bdf);
    pkm_bdf_free(NULL);
}

int main(void)
{
    RUN(a_stiff_reaction_is_followed);
    RUN(only_what_is_stiff_needs_to_be_known);
    RUN(the_solution_inside_a_step_is_as_good_as_at_its_end);
    RUN(it_returns_to_an_event_inside_the_step);
    RUN(a_step_can_be_taken_again_up_to_its_middle);
    RUN(steps_end_on_the_constraints);
    RUN(failures_leave_the_last_good_state);
    RUN(wrong_arguments_are_refused);
    return check_report();
}
