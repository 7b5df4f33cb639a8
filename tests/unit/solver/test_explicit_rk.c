/// The explicit Runge-Kutta integrator against exact solutions and published orbits.
#include "base/memory.h"
#include "check.h"
#include "solver/dop853_table.h"
#include "solver/explicit_rk.h"

#include <stdbool.h>

static const double PI = 3.14159265358979323846;

static pkm_rk* create(int n)
{
    pkm_rk* rk = NULL;
    CHECK(pkm_rk_create(n, &rk) == PKM_OK);
    return rk;
}

static pkm_status run_to(pkm_rk* rk, double t_end)
{
    pkm_status status = PKM_OK;
    while (status == PKM_OK && pkm_rk_time(rk) != t_end)
        status = pkm_rk_step(rk, t_end);
    return status;
}

// ---- a nonlinear problem with a closed form ----------------------------------------------------
// A Kepler orbit of eccentricity 0.3 with semi-axis and gravity 1, started at its nearest point.

static const double ECCENTRICITY = 0.3;

static pkm_status orbit_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    const double r = hypot(y[0], y[1]), cube = r * r * r;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -y[0] / cube;
    dydt[3] = -y[1] / cube;
    return PKM_OK;
}

/// From Kepler's equation t = E - e sin E by Newton's iteration.
static void orbit_exact(double t, double* y)
{
    const double e = ECCENTRICITY, b = sqrt(1.0 - e * e);
    double E = t;
    for (int k = 0; k < 20; ++k)
        E -= (E - e * sin(E) - t) / (1.0 - e * cos(E));
    const double rate = 1.0 / (1.0 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) * rate;
    y[3] = b * cos(E) * rate;
}

static double orbit_error(double t, const double* y)
{
    double exact[4], largest = 0.0;
    orbit_exact(t, exact);
    for (int i = 0; i < 4; ++i)
        largest = fmax(largest, fabs(y[i] - exact[i]));
    return largest;
}

static const pkm_ode orbit = {.n = 4, .rate = orbit_rate};

/// Steps of fixed length: a tolerance nothing can miss, and a largest step.
static pkm_rk_settings fixed_steps(double h, const double* atol)
{
    return (pkm_rk_settings){.rtol = 0.0, .atol = atol, .first_step = h, .max_step = h};
}
static const double LOOSE[4] = {1e9, 1e9, 1e9, 1e9};

/// Error after a way of 8, more than one turn, in steps of length h.
static double error_with_step(double h)
{
    pkm_rk* rk = create(4);
    double y[4];
    orbit_exact(0.0, y);
    const pkm_rk_settings settings = fixed_steps(h, LOOSE);
    CHECK(pkm_rk_begin(rk, &orbit, &settings, 0.0, y) == PKM_OK);
    CHECK(run_to(rk, 8.0) == PKM_OK);
    CHECK(pkm_rk_get_report(rk).steps == (int)lround(8.0 / h));
    const double error = orbit_error(8.0, pkm_rk_state(rk));
    pkm_rk_free(rk);
    return error;
}

static void halving_the_step_divides_the_error_by_256(void)
{
    const double coarse = error_with_step(0.1), fine = error_with_step(0.05);
    CHECK_NEAR(log2(coarse / fine), 8.0, 0.4);
    CHECK(fine > 1e-13); // above rounding, so that the ratio means something
}

/// Largest error of the dense output inside one step of length h from t = 1.
static double dense_error_with_step(double h)
{
    pkm_rk* rk = create(4);
    double y[4], largest = 0.0;
    orbit_exact(1.0, y);
    const pkm_rk_settings settings = fixed_steps(h, LOOSE);
    CHECK(pkm_rk_begin(rk, &orbit, &settings, 1.0, y) == PKM_OK);
    CHECK(pkm_rk_step(rk, 1.0 + h) == PKM_OK);
    for (int k = 1; k < 20; ++k) {
        const double t = 1.0 + h * k / 20.0;
        CHECK(pkm_rk_dense(rk, t, y) == PKM_OK);
        largest = fmax(largest, orbit_error(t, y));
    }
    CHECK(pkm_rk_get_report(rk).rates == 12 + 1 + 3); // start, step and end, dense once
    pkm_rk_free(rk);
    return largest;
}

// Order 7: the polynomial leaves the solution with h^8.
static void dense_output_has_order_seven(void)
{
    const double coarse = dense_error_with_step(0.4), fine = dense_error_with_step(0.2);
    CHECK_NEAR(log2(coarse / fine), 8.0, 0.4);
    CHECK(fine > 1e-13);
}

static void dense_output_meets_both_ends(void)
{
    pkm_rk* rk = create(4);
    double y0[4], y[4];
    orbit_exact(1.0, y0);
    const pkm_rk_settings settings = fixed_steps(0.1, LOOSE);
    CHECK(pkm_rk_begin(rk, &orbit, &settings, 1.0, y0) == PKM_OK);
    CHECK(pkm_rk_dense(rk, 1.0, y) == PKM_OK); // before the first step: the start
    CHECK_NEAR(y[1], y0[1], 0.0);
    CHECK(pkm_rk_dense(rk, 1.01, y) == PKM_ERR_ARGUMENT);

    CHECK(pkm_rk_step(rk, 2.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_last_step(rk), 0.1, 1e-15);
    CHECK(pkm_rk_dense(rk, 1.0, y) == PKM_OK);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(y[i], y0[i], 1e-14 * fabs(y0[i]));
    CHECK(pkm_rk_dense(rk, pkm_rk_time(rk), y) == PKM_OK);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(y[i], pkm_rk_state(rk)[i], 0.0);
    CHECK(pkm_rk_dense(rk, 1.11, y) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_dense(rk, 0.99, y) == PKM_ERR_ARGUMENT);
    pkm_rk_free(rk);
}

// The rate of y' = 1 is exact at every stage: rows of A sum up to c, up to rounding of their terms.
static void stages_lie_at_their_instants(void)
{
    for (int s = 0; s < DOP853_STAGES; ++s) {
        double sum = 0.0;
        for (int j = 0; j < s; ++j)
            sum += DOP853_A[s][j];
        CHECK_NEAR(sum, DOP853_C[s], 1e-14);
    }
}

// ---- a problem with time in it: y' = y cos t, y = exp(sin t) ------------------------------------

static pkm_status waving_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user;
    dydt[0] = y[0] * cos(t);
    return PKM_OK;
}

/// Largest error at the ends and the thirds of steps of length h.
static double waving_error(double h)
{
    const double y0[1] = {1.0};
    const pkm_rk_settings settings = fixed_steps(h, LOOSE);
    const pkm_ode ode = {.n = 1, .rate = waving_rate};
    pkm_rk* rk = create(1);
    double largest = 0.0;
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    while (pkm_rk_time(rk) < 4.0) {
        CHECK(pkm_rk_step(rk, 4.0) == PKM_OK);
        for (int k = 0; k < 3; ++k) {
            const double t = pkm_rk_time(rk) - h * k / 3.0;
            double y[1];
            CHECK(pkm_rk_dense(rk, t, y) == PKM_OK);
            largest = fmax(largest, fabs(y[0] - exp(sin(t))));
        }
    }
    pkm_rk_free(rk);
    return largest;
}

static void time_enters_at_the_right_instants(void)
{
    const double coarse = waving_error(0.5), fine = waving_error(0.25);
    CHECK_NEAR(log2(coarse / fine), 8.0, 0.6);
    CHECK(fine > 1e-13);
}

static double error_with_tolerance(double tolerance, pkm_rk_report* report)
{
    pkm_rk* rk = create(4);
    double y[4];
    orbit_exact(0.0, y);
    const double atol[4] = {tolerance, tolerance, tolerance, tolerance};
    const pkm_rk_settings settings = {.rtol = tolerance, .atol = atol};
    CHECK(pkm_rk_begin(rk, &orbit, &settings, 0.0, y) == PKM_OK);
    CHECK(run_to(rk, 6.0) == PKM_OK);
    CHECK(pkm_rk_time(rk) == 6.0);
    *report = pkm_rk_get_report(rk);
    const double error = orbit_error(6.0, pkm_rk_state(rk));
    pkm_rk_free(rk);
    return error;
}

// The error follows the tolerance over eight decades within a factor of 100 (the problem amplifies
// local errors), and the work grows with the eighth root.
static void error_is_proportional_to_the_tolerance(void)
{
    for (double tolerance = 1e-4; tolerance > 0.5e-12; tolerance *= 1e-2) {
        pkm_rk_report report;
        const double error = error_with_tolerance(tolerance, &report);
        CHECK(error < 100.0 * tolerance);
        CHECK(error > 1e-3 * tolerance);
        CHECK(report.steps < 12.0 * pow(tolerance, -1.0 / 8.0));
        CHECK(report.rejected < 0.3 * report.steps);
        CHECK(report.rates <= 12 * (report.steps + report.rejected) + 2);
        CHECK(!report.is_stiff);
    }
}

// ---- the restricted three-body problem ---------------------------------------------------------

static pkm_status arenstorf_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    const double mu = 0.012277471, nu = 1.0 - mu;
    const double to_earth = pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
    const double to_moon = pow((y[0] - nu) * (y[0] - nu) + y[1] * y[1], 1.5);
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = y[0] + 2.0 * y[3] - nu * (y[0] + mu) / to_earth - mu * (y[0] - nu) / to_moon;
    dydt[3] = y[1] - 2.0 * y[2] - nu * y[1] / to_earth - mu * y[1] / to_moon;
    return PKM_OK;
}

// The orbit is closed: after the published period it returns to its start. A passage 0.006 from the
// moon multiplies early errors by some 1e5.
static void arenstorf_orbit_closes(void)
{
    const double y0[4] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
    const double period = 17.0652165601579625588917206249;
    const double atol[4] = {1e-14, 1e-14, 1e-14, 1e-14};
    const pkm_rk_settings settings = {.rtol = 1e-14, .atol = atol};
    const pkm_ode ode = {.n = 4, .rate = arenstorf_rate};
    pkm_rk* rk = create(4);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, period) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], y0[0], 1e-9);
    CHECK_NEAR(pkm_rk_state(rk)[1], y0[1], 1e-9);
    CHECK(pkm_rk_get_report(rk).steps < 700);
    pkm_rk_free(rk);
}

// ---- a pendulum in Cartesian coordinates -------------------------------------------------------
// Length 1 m, gravity 9.81; y = (x, z, x', z'). The rod's tension follows from the second
// derivative of x^2 + z^2 = 1, and the projection keeps position and velocity.

static const double GRAVITY = 9.81;

static pkm_status pendulum_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    const double square = y[0] * y[0] + y[1] * y[1];
    const double tension = (y[2] * y[2] + y[3] * y[3] - GRAVITY * y[1]) / square;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -tension * y[0];
    dydt[3] = -tension * y[1] - GRAVITY;
    return PKM_OK;
}

static pkm_status pendulum_project(void* user, double t, double* y)
{
    (void)t;
    if (user) ++*(int*)user;
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]);
    y[0] /= length;
    y[1] /= length;
    const double outward = y[0] * y[2] + y[1] * y[3];
    y[2] -= outward * y[0];
    y[3] -= outward * y[1];
    return PKM_OK;
}

static double pendulum_energy(const double* y)
{
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) + GRAVITY * y[1];
}

/// Complete elliptic integral K(k) by the arithmetic-geometric mean.
static double elliptic_k(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 8; ++i) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (2.0 * a);
}

// Released at rest from the horizontal, the pendulum is back after 4 K(sin 45 deg) sqrt(L / g).
static void projected_pendulum_keeps_its_length_and_its_period(void)
{
    const double period = 4.0 * elliptic_k(sqrt(0.5)) / sqrt(GRAVITY);
    const double y0[4] = {1.0, 0.0, 0.0, 0.0}, atol[4] = {1e-10, 1e-10, 1e-10, 1e-10};
    const pkm_rk_settings settings = {.rtol = 1e-10, .atol = atol};
    int projections = 0;
    const pkm_ode ode = {
        .n = 4, .user = &projections, .rate = pendulum_rate, .project = pendulum_project};
    pkm_rk* rk = create(4);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    for (int swing = 1; swing <= 10; ++swing) {
        while (pkm_rk_time(rk) < swing * period) {
            CHECK(pkm_rk_step(rk, swing * period) == PKM_OK);
            const double* y = pkm_rk_state(rk);
            CHECK_NEAR(y[0] * y[0] + y[1] * y[1], 1.0, 1e-15);
            CHECK_NEAR(y[0] * y[2] + y[1] * y[3], 0.0, 4e-15);
            double middle[4];
            CHECK(pkm_rk_dense(rk, pkm_rk_time(rk) - 0.5 * pkm_rk_last_step(rk), middle) == PKM_OK);
            CHECK_NEAR(pendulum_energy(middle), 0.0, 1e-7);
            CHECK_NEAR(hypot(middle[0], middle[1]), 1.0, 1e-8);
        }
        CHECK_NEAR(pkm_rk_state(rk)[0], 1.0, 1e-8);
        CHECK_NEAR(pkm_rk_state(rk)[2], 0.0, 1e-7);
    }
    CHECK(projections == pkm_rk_get_report(rk).steps);
    pkm_rk_free(rk);
}

// The rate that starts a step belongs to the projected state, not to the one before projection.
static void rate_after_a_step_belongs_to_the_projected_state(void)
{
    const double y0[4] = {1.0, 0.0, 0.0, 0.0}, atol[4] = {1e-3, 1e-3, 1e-3, 1e-3};
    const pkm_rk_settings settings = {.rtol = 1e-3, .atol = atol};
    const pkm_ode ode = {.n = 4, .rate = pendulum_rate, .project = pendulum_project};
    pkm_rk* rk = create(4);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    for (int s = 0; s < 5; ++s) {
        CHECK(pkm_rk_step(rk, 10.0) == PKM_OK);
        double f[4];
        CHECK(pendulum_rate(NULL, 0.0, pkm_rk_state(rk), f) == PKM_OK);
        for (int i = 0; i < 4; ++i)
            CHECK_NEAR(pkm_rk_rate(rk)[i], f[i], 0.0);
    }
    pkm_rk_free(rk);
}

static void backward_in_time_returns_to_the_start(void)
{
    const double y0[4] = {0.6, -0.8, 4.0, 3.0}, atol[4] = {1e-12, 1e-12, 1e-12, 1e-12};
    const pkm_rk_settings settings = {.rtol = 1e-12, .atol = atol};
    const pkm_ode ode = {.n = 4, .rate = pendulum_rate, .project = pendulum_project};
    pkm_rk* rk = create(4);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 2.0) == PKM_OK);
    const int steps = pkm_rk_get_report(rk).steps;
    CHECK(run_to(rk, 0.0) == PKM_OK); // turns round without a new start
    CHECK(pkm_rk_last_step(rk) < 0.0);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(pkm_rk_state(rk)[i], y0[i], 1e-9);
    CHECK(pkm_rk_get_report(rk).steps < 3 * steps);

    // The dense output of a backward step.
    double y[4];
    CHECK(pkm_rk_step(rk, -1.0) == PKM_OK);
    const double t = pkm_rk_time(rk) - 0.3 * pkm_rk_last_step(rk);
    CHECK(pkm_rk_dense(rk, t, y) == PKM_OK);
    CHECK_NEAR(pendulum_energy(y), pendulum_energy(y0), 1e-9);

    // A start that runs backward from the first step on.
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, t) == PKM_OK);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(pkm_rk_state(rk)[i], y[i], 1e-9);
    pkm_rk_free(rk);
}

// ---- trial states that cannot be evaluated, and failures ---------------------------------------

typedef struct gate {
    double edge; ///< rate says `answer` where y is beyond
    pkm_status answer;
    bool is_lifted;
} gate;

/// y' = -sqrt(y) has the solution (1 - t/2)^2, and no rate for y < 0.
static pkm_status root_rate(void* user, double t, const double* y, double* dydt)
{
    (void)t;
    const gate* g = user;
    if (y[0] < g->edge && !g->is_lifted) return g->answer;
    dydt[0] = -sqrt(fmax(y[0], 0.0));
    return PKM_OK;
}

// Started with a step that reaches beyond the edge, the integrator shrinks it and gets to t = 1.99,
// where y = 2.5e-5.
static void a_trial_state_out_of_range_shrinks_the_step(void)
{
    gate g = {.edge = 0.0, .answer = PKM_RETRY};
    const double y0[1] = {1.0}, atol[1] = {1e-10};
    const pkm_rk_settings settings = {.rtol = 1e-8, .atol = atol, .first_step = 5.0};
    const pkm_ode ode = {.n = 1, .user = &g, .rate = root_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(pkm_rk_step(rk, 5.0) == PKM_OK);
    CHECK(pkm_rk_get_report(rk).retries > 0);
    CHECK(run_to(rk, 1.99) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], 0.005 * 0.005, 1e-8);
    pkm_rk_free(rk);
}

static void a_wall_ends_with_the_last_good_state(void)
{
    gate g = {.edge = 0.25, .answer = PKM_RETRY};
    const double y0[1] = {1.0}, atol[1] = {1e-10};
    const pkm_rk_settings settings = {.rtol = 1e-10, .atol = atol, .min_step = 1e-6};
    const pkm_ode ode = {.n = 1, .user = &g, .rate = root_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 2.0) == PKM_ERR_CONVERGENCE);
    const double t = pkm_rk_time(rk), y = pkm_rk_state(rk)[0];
    CHECK_NEAR(t, 1.0, 1e-5); // the edge is met at t = 1
    CHECK(t <= 1.0);
    CHECK_NEAR(y, (1.0 - 0.5 * t) * (1.0 - 0.5 * t), 1e-9);
    CHECK_NEAR(pkm_rk_rate(rk)[0], -sqrt(y), 0.0);
    CHECK(pkm_rk_last_step(rk) == 0.0);

    g.is_lifted = true; // the run goes on from there
    CHECK(run_to(rk, 1.5) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], 0.0625, 1e-8);
    pkm_rk_free(rk);
}

static void a_failing_rate_ends_the_step_with_its_status(void)
{
    gate g = {.edge = 0.25, .answer = PKM_ERR_SINGULAR};
    const double y0[1] = {1.0}, atol[1] = {1e-10};
    const pkm_rk_settings settings = {.rtol = 1e-10, .atol = atol};
    const pkm_ode ode = {.n = 1, .user = &g, .rate = root_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 2.0) == PKM_ERR_SINGULAR);
    CHECK(pkm_rk_time(rk) < 1.0);
    CHECK_NEAR(pkm_rk_rate(rk)[0], -sqrt(pkm_rk_state(rk)[0]), 0.0);

    const double out[1] = {0.1};
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, out) == PKM_ERR_SINGULAR);
    pkm_rk_free(rk);
}

static pkm_status wall_project(void* user, double t, double* y)
{
    (void)t, (void)y;
    int* left = user;
    return --*left >= 0 ? PKM_RETRY : PKM_OK;
}

static pkm_status decay_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = -y[0];
    return PKM_OK;
}

static void a_projection_that_fails_shrinks_the_step(void)
{
    int left = 2;
    const double y0[1] = {1.0}, atol[1] = {1e-10};
    const pkm_rk_settings settings = {.rtol = 1e-10, .atol = atol, .first_step = 0.1};
    const pkm_ode ode = {.n = 1, .user = &left, .rate = decay_rate, .project = wall_project};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(pkm_rk_step(rk, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_last_step(rk), 0.1 / 16.0, 1e-15); // two quarterings
    CHECK(pkm_rk_get_report(rk).retries == 2);
    pkm_rk_free(rk);
}

/// A smooth orbit, and beside it the integral of |t - 0.4321|.
static pkm_status kinked_rate(void* user, double t, const double* y, double* dydt)
{
    dydt[4] = fabs(t - 0.4321);
    return orbit_rate(user, t, y, dydt);
}

// The embedded error of order 3 of the orbit is large and must not hide the kink.
static void a_kink_is_seen_beside_smooth_components(void)
{
    double y0[5] = {0.0}, atol[5];
    orbit_exact(0.0, y0);
    for (int i = 0; i < 5; ++i)
        atol[i] = i < 4 ? 1e-13 : 1e-9;
    const pkm_rk_settings settings = {.rtol = 1e-13, .atol = atol};
    const pkm_ode ode = {.n = 5, .rate = kinked_rate};
    pkm_rk* rk = create(5);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[4], 0.5 * (0.4321 * 0.4321 + 0.5679 * 0.5679), 1e-8);
    pkm_rk_free(rk);
}

static pkm_status far_project(void* user, double t, double* y)
{
    (void)user;
    if (t > 0.5) y[0] += 1e-3; // to another branch
    return PKM_OK;
}

static void a_projection_to_another_branch_is_not_accepted(void)
{
    const double y0[1] = {1.0}, atol[1] = {1e-8};
    const pkm_rk_settings settings = {.rtol = 1e-8, .atol = atol, .min_step = 1e-9};
    const pkm_ode ode = {.n = 1, .rate = decay_rate, .project = far_project};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 1.0) != PKM_OK);
    CHECK_NEAR(pkm_rk_time(rk), 0.5, 1e-8);
    CHECK_NEAR(pkm_rk_state(rk)[0], exp(-0.5), 1e-7);
    pkm_rk_free(rk);
}

static pkm_status not_a_number_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user;
    dydt[0] = t > 0.5 ? NAN : y[0];
    return PKM_OK;
}

static void a_rate_that_is_not_a_number_is_not_accepted(void)
{
    const double y0[1] = {1.0}, atol[1] = {1e-8};
    const pkm_rk_settings settings = {.rtol = 1e-8, .atol = atol, .min_step = 1e-9};
    const pkm_ode ode = {.n = 1, .rate = not_a_number_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 1.0) == PKM_ERR_CONVERGENCE);
    CHECK_NEAR(pkm_rk_time(rk), 0.5, 1e-8);
    CHECK_NEAR(pkm_rk_state(rk)[0], exp(0.5), 1e-7);
    pkm_rk_free(rk);
}

static void wrong_arguments_are_refused(void)
{
    pkm_rk* rk = NULL;
    CHECK(pkm_rk_create(0, &rk) == PKM_ERR_ARGUMENT);
    CHECK(!rk);
    rk = create(1);
    const double y0[1] = {1.0}, fine[1] = {1e-8}, zero[1] = {0.0};
    const pkm_ode ode = {.n = 1, .rate = decay_rate}, other = {.n = 2, .rate = decay_rate};
    const pkm_rk_settings good = {.rtol = 1e-8, .atol = fine};
    const pkm_rk_settings bad[] = {
        {.rtol = 1e-8, .atol = zero},
        {.rtol = -1.0, .atol = fine},
        {.rtol = NAN, .atol = fine},
        {.rtol = 1e-8},
        {.rtol = 1e-8, .atol = fine, .min_step = 2.0, .max_step = 1.0},
        {.rtol = 1e-8, .atol = fine, .first_step = -1.0},
    };
    for (int i = 0; i < 6; ++i)
        CHECK(pkm_rk_begin(rk, &ode, &bad[i], 0.0, y0) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_begin(rk, &other, &good, 0.0, y0) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_begin(rk, &ode, &good, NAN, y0) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_begin(rk, &ode, &good, 0.0, y0) == PKM_OK);
    CHECK(pkm_rk_step(rk, NAN) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_step(rk, 0.0) == PKM_OK);
    CHECK(pkm_rk_get_report(rk).steps == 0);
    pkm_rk_free(rk);
    pkm_rk_free(NULL);
}

// ---- breaks, stiffness, memory -----------------------------------------------------------------

static pkm_status switched_rate(void* user, double t, const double* y, double* dydt)
{
    (void)t, (void)y;
    dydt[0] = *(const double*)user;
    return PKM_OK;
}

// y' = 1 until t = 0.3, then -2: with the break as a limit the result is exact.
static void a_break_is_met_exactly(void)
{
    double slope = 1.0;
    const double y0[1] = {0.0}, atol[1] = {1e-12};
    const pkm_rk_settings settings = {.rtol = 0.0, .atol = atol};
    const pkm_ode ode = {.n = 1, .user = &slope, .rate = switched_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 0.3) == PKM_OK);
    CHECK(pkm_rk_time(rk) == 0.3);
    slope = -2.0;
    CHECK(pkm_rk_restart(rk, NULL) == PKM_OK);
    CHECK_NEAR(pkm_rk_rate(rk)[0], -2.0, 0.0);
    CHECK(run_to(rk, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], 0.3 - 1.4, 1e-15);
    CHECK(pkm_rk_get_report(rk).rejected == 0);

    const double put[1] = {5.0};
    CHECK(pkm_rk_restart(rk, put) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], 5.0, 0.0);
    pkm_rk_free(rk);
}

// Limits every 0.01 cut the steps, but the proposal survives: the first step without them is long.
static void cut_steps_do_not_forget_the_proposal(void)
{
    const double y0[1] = {1.0}, atol[1] = {1e-8};
    const pkm_rk_settings settings = {.rtol = 1e-8, .atol = atol};
    const pkm_ode ode = {.n = 1, .rate = decay_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    for (int k = 1; k <= 50; ++k)
        CHECK(run_to(rk, 0.01 * k) == PKM_OK);
    CHECK_NEAR(pkm_rk_get_report(rk).steps, 50, 3);
    CHECK(pkm_rk_step(rk, 10.0) == PKM_OK);
    CHECK(pkm_rk_last_step(rk) > 0.05);
    CHECK(pkm_rk_get_report(rk).rejected == 0);
    pkm_rk_free(rk);
}

static pkm_status stiff_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user;
    dydt[0] = -2000.0 * (y[0] - cos(t));
    return PKM_OK;
}

static void stiffness_is_reported(void)
{
    const double y0[1] = {1.0}, atol[1] = {1e-4};
    const pkm_rk_settings settings = {.rtol = 1e-4, .atol = atol};
    const pkm_ode ode = {.n = 1, .rate = stiff_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_state(rk)[0], cos(1.0), 1e-3);
    CHECK(pkm_rk_get_report(rk).is_stiff);
    pkm_rk_free(rk);
}

/// y = exp(-t): sizes of y, y' and y'' are 1/sc each with sc = rtol + atol, so that (1.6) gives
/// h = (0.01 sc)^(1/8), within a hundred of the probing steps 0.01.
static void the_first_step_is_that_of_the_problem(void)
{
    const double y0[1] = {1.0}, atol[1] = {0.6e-8};
    const pkm_rk_settings settings = {.rtol = 0.4e-8, .atol = atol};
    const pkm_ode ode = {.n = 1, .rate = decay_rate};
    pkm_rk* rk = create(1);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(pkm_rk_step(rk, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_rk_time(rk), pow(1e-10, 1.0 / 8.0), 1e-9);
    CHECK(pkm_rk_get_report(rk).rejected == 0);
    pkm_rk_free(rk);
}

static void stepping_allocates_nothing(void)
{
    const double y0[4] = {1.0, 0.0, 0.0, 0.0}, atol[4] = {1e-8, 1e-8, 1e-8, 1e-8};
    const pkm_rk_settings settings = {.rtol = 1e-8, .atol = atol};
    const pkm_ode ode = {.n = 4, .rate = pendulum_rate, .project = pendulum_project};
    pkm_rk* rk = create(4);
    const size_t before = pkm_alloc_count();
    double y[4];
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(run_to(rk, 1.0) == PKM_OK);
    CHECK(pkm_rk_dense(rk, 1.0, y) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    pkm_rk_free(rk);
}

static void failing_memory_is_reported(void)
{
    for (size_t n = 1; n <= 2; ++n) {
        pkm_rk* rk = NULL;
        pkm_alloc_fail_at(n);
        CHECK(pkm_rk_create(5, &rk) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
        CHECK(!rk);
    }
}

// ---- events ------------------------------------------------------------------------------------

/// A ball in free fall, y'' = -1.
static pkm_status fall_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[1];
    dydt[1] = -1.0;
    return PKM_OK;
}

/// It bounces with restitution 0.5: touches are found on the dense output, the integrator returns
/// there and goes on with the velocity turned. From height 1/2 it lands at t = 1, then after
/// flights of 1, 1/2, 1/4, ...
static void events_are_returned_to(void)
{
    const double atol[2] = {1e-12, 1e-12}, start[2] = {0.5, 0.0};
    const pkm_ode ode = {.n = 2, .rate = fall_rate};
    const pkm_rk_settings settings = {.rtol = 1e-12, .atol = atol};
    pkm_rk* rk = create(2);
    double expected = 1.0, flight = 1.0, y[2], speed = 1.0;
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, start) == PKM_OK);
    for (int bounce = 0; bounce < 8; ++bounce) {
        while (pkm_rk_state(rk)[0] > -1e-9 || pkm_rk_state(rk)[1] > 0.0)
            CHECK(pkm_rk_step(rk, 10.0) == PKM_OK);
        double high = pkm_rk_time(rk), low = high - pkm_rk_last_step(rk);
        CHECK(pkm_rk_move(rk, NAN, y, 0.0) == PKM_ERR_ARGUMENT);
        for (int i = 0; i < 60; ++i) {
            const double t = 0.5 * (low + high);
            CHECK(pkm_rk_dense(rk, t, y) == PKM_OK);
            *(y[0] > 0.0 || y[1] > 0.0 ? &low : &high) = t;
        }
        CHECK(pkm_rk_dense(rk, low, y) == PKM_OK);
        CHECK_NEAR(low, expected, 1e-10);
        CHECK_NEAR(y[1], -speed, 1e-10);
        y[1] *= -0.5;
        CHECK(pkm_rk_move(rk, low, y, 1e-3) == PKM_OK);
        CHECK_NEAR(pkm_rk_time(rk), low, 0.0);
        CHECK_NEAR(pkm_rk_state(rk)[1], y[1], 0.0);
        speed *= 0.5;
        expected += flight;
        flight *= 0.5;
    }
    pkm_rk_free(rk);
}

/// A step that is taken again ends where it is told, as exact as any other.
static void a_step_can_be_repeated_up_to_a_time(void)
{
    const double atol[4] = {1e-11, 1e-11, 1e-11, 1e-11};
    const pkm_rk_settings settings = {.rtol = 1e-11, .atol = atol};
    double start[4];
    pkm_rk* rk = create(4);
    orbit_exact(0.0, start);
    CHECK(pkm_rk_begin(rk, &orbit, &settings, 0.0, start) == PKM_OK);
    for (int k = 0; k < 5; ++k)
        CHECK(pkm_rk_step(rk, 10.0) == PKM_OK);
    const double end = pkm_rk_time(rk), h = pkm_rk_last_step(rk), t = end - 0.37 * h;
    CHECK(pkm_rk_repeat(rk, end + h) == PKM_ERR_ARGUMENT);
    CHECK(pkm_rk_repeat(rk, t) == PKM_OK);
    CHECK_NEAR(pkm_rk_time(rk), t, 0.0);
    CHECK_NEAR(pkm_rk_last_step(rk), 0.63 * h, 1e-15);
    CHECK(orbit_error(t, pkm_rk_state(rk)) < 1e-9);
    CHECK(run_to(rk, 3.0) == PKM_OK);
    CHECK(orbit_error(3.0, pkm_rk_state(rk)) < 1e-8);
    pkm_rk_free(rk);
}

int main(void)
{
    RUN(halving_the_step_divides_the_error_by_256);
    RUN(dense_output_has_order_seven);
    RUN(dense_output_meets_both_ends);
    RUN(stages_lie_at_their_instants);
    RUN(time_enters_at_the_right_instants);
    RUN(error_is_proportional_to_the_tolerance);
    RUN(arenstorf_orbit_closes);
    RUN(projected_pendulum_keeps_its_length_and_its_period);
    RUN(rate_after_a_step_belongs_to_the_projected_state);
    RUN(backward_in_time_returns_to_the_start);
    RUN(a_trial_state_out_of_range_shrinks_the_step);
    RUN(a_wall_ends_with_the_last_good_state);
    RUN(a_failing_rate_ends_the_step_with_its_status);
    RUN(a_projection_that_fails_shrinks_the_step);
    RUN(a_projection_to_another_branch_is_not_accepted);
    RUN(a_kink_is_seen_beside_smooth_components);
    RUN(a_rate_that_is_not_a_number_is_not_accepted);
    RUN(wrong_arguments_are_refused);
    RUN(a_break_is_met_exactly);
    RUN(cut_steps_do_not_forget_the_proposal);
    RUN(stiffness_is_reported);
    RUN(the_first_step_is_that_of_the_problem);
    RUN(stepping_allocates_nothing);
    RUN(failing_memory_is_reported);
    RUN(events_are_returned_to);
    RUN(a_step_can_be_repeated_up_to_a_time);
    return check_report();
}
