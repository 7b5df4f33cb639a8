/// The wrapper of IDA: a pendulum in stabilised form, Robertson's reaction, failures.
#include "base/memory.h"
#include "check.h"
#include "solver/explicit_rk.h"
#include "solver/ida.h"

#include <stdbool.h>

static pkm_ida* create(int n)
{
    pkm_ida* ida = NULL;
    CHECK(pkm_ida_create(n, &ida) == PKM_OK);
    return ida;
}

static pkm_status run_to(pkm_ida* ida, double t)
{
    pkm_status status = PKM_OK;
    for (int k = 0; k < 20000 && status == PKM_OK && pkm_ida_time(ida) != t; ++k)
        status = pkm_ida_step(ida, t);
    CHECK(status != PKM_OK || pkm_ida_time(ida) == t); // steps as short as that are a failure too
    return status;
}

// ---- Robertson's reaction ----------------------------------------------------------------------
// Two rates and the conservation of mass; values of the Test Set for IVP Solvers (problem ROBER) at
// t = 1e11 and of Hairer and Wanner, Solving Ordinary Differential Equations II, at t = 40.

static pkm_status reaction_residual(void* user, double t, const double* y, const double* yp,
                                    double* r)
{
    (void)t;
    if (user) ++*(long*)user;
    r[0] = -0.04 * y[0] + 1e4 * y[1] * y[2] - yp[0];
    r[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1] - yp[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return PKM_OK;
}

static pkm_status reaction_jacobian(void* user, double t, double c, const double* y,
                                    const double* yp, double* J)
{
    (void)user, (void)t, (void)yp;
    const double rows[3][3] = {
        {-0.04 - c, 1e4 * y[2], 1e4 * y[1]},
        {0.04, -1e4 * y[2] - 6e7 * y[1] - c, -1e4 * y[1]},
        {1.0, 1.0, 1.0},
    };
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            J[i + 3 * j] = rows[i][j];
    return PKM_OK;
}

static const bool REACTION_ALGEBRAIC[3] = {false, false, true};
static const double REACTION_ATOL[3] = {1e-14, 1e-18, 1e-12};
static const double REACTION_START[3] = {1.0, 0.0, 0.0}, REACTION_RATE[3] = {-0.04, 0.04, 0.0};

static void check_reaction(pkm_ida* ida, const pkm_implicit* system)
{
    const pkm_ida_settings settings = {.rtol = 1e-9, .atol = REACTION_ATOL};
    CHECK(pkm_ida_begin(ida, system, &settings, 0.0, REACTION_START, REACTION_RATE) == PKM_OK);
    CHECK(run_to(ida, 40.0) == PKM_OK);
    CHECK_NEAR(pkm_ida_state(ida)[0], 0.7158271, 1e-6);
    CHECK_NEAR(pkm_ida_state(ida)[1], 9.185535e-6, 1e-11);
    CHECK_NEAR(pkm_ida_state(ida)[2], 0.2841637, 1e-6);
    CHECK(run_to(ida, 1e11) == PKM_OK);
    CHECK_NEAR(pkm_ida_state(ida)[0], 0.2083340149701255e-07, 1e-5 * 2.1e-8);
    CHECK_NEAR(pkm_ida_state(ida)[1], 0.8333360770334713e-13, 1e-5 * 8.4e-14);
    CHECK_NEAR(pkm_ida_state(ida)[2], 0.9999999791665050, 1e-10);
}

static void robertsons_reaction_meets_published_values(void)
{
    long calls = 0;
    pkm_implicit system = {
        .n = 3, .user = &calls, .residual = reaction_residual, .is_algebraic = REACTION_ALGEBRAIC};
    pkm_ida* ida = create(3);
    check_reaction(ida, &system);
    const pkm_ida_report report = pkm_ida_get_report(ida);
    CHECK(report.residuals == calls);
    CHECK(report.steps > 100 && report.steps < 3000);
    CHECK(report.jacobians > 0 && report.order >= 1);

    system.jacobian = reaction_jacobian;
    check_reaction(ida, &system);
    pkm_ida_free(ida);
}

// ---- a pendulum in stabilised form -------------------------------------------------------------
// Gear, Gupta and Leimkuhler: q' = v - G' mu, v' = g - G' lambda, phi = (q q - 1)/2 = 0, q v = 0.
// Index 2 with y = (x, z, vx, vz, lambda, mu). With the integrals of lambda and mu as unknowns, so
// that lambda and mu are rates (Gear), the index is 1 and every unknown may be in the error test.

static const double GRAVITY = 9.81;

typedef struct pendulum {
    bool has_integrals; ///< y[4], y[5] are the integrals of lambda and mu
    double floor;       ///< no residual for z below
    pkm_status answer;
    int asked;
} pendulum;

static pkm_status pendulum_residual(void* user, double t, const double* y, const double* yp,
                                    double* r)
{
    (void)t;
    pendulum* p = user;
    if (y[1] < p->floor) {
        ++p->asked;
        return p->answer;
    }
    const double *by = p->has_integrals ? yp : y, lambda = by[4], mu = by[5];
    r[0] = yp[0] - y[2] + y[0] * mu;
    r[1] = yp[1] - y[3] + y[1] * mu;
    r[2] = yp[2] + y[0] * lambda;
    r[3] = yp[3] + y[1] * lambda + GRAVITY;
    r[4] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    r[5] = y[0] * y[2] + y[1] * y[3];
    return PKM_OK;
}

static const bool PENDULUM_ALGEBRAIC[6] = {false, false, false, false, true, true};
static const double PENDULUM_START[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const double PENDULUM_RATE[6] = {0.0, 0.0, 0.0, -9.81, 0.0, 0.0};

/// Begin with the same tolerance for all; index 2 leaves the multipliers out of the error test.
static pkm_ida* begin_pendulum(pendulum* p, double tol, double first_step)
{
    const double atol[6] = {tol, tol, tol, tol, tol, tol};
    const pkm_ida_settings settings = {
        .rtol = tol, .atol = atol, .first_step = first_step, .ignore_algebraic = !p->has_integrals};
    const pkm_implicit system = {.n = 6,
                                 .user = p,
                                 .residual = pendulum_residual,
                                 .is_algebraic = p->has_integrals ? NULL : PENDULUM_ALGEBRAIC};
    pkm_ida* ida = create(6);
    CHECK(pkm_ida_begin(ida, &system, &settings, 0.0, PENDULUM_START, PENDULUM_RATE) == PKM_OK);
    return ida;
}

static pkm_status angle_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[1];
    dydt[1] = -GRAVITY * sin(y[0]);
    return PKM_OK;
}

/// The angle from the vertical and its rate at t, released from the horizontal.
static void exact_angle(double t, double* angle)
{
    pkm_rk* rk = NULL;
    const double y0[2] = {1.57079632679489661923, 0.0}, atol[2] = {1e-13, 1e-13};
    const pkm_rk_settings settings = {.rtol = 1e-13, .atol = atol};
    const pkm_ode ode = {.n = 2, .rate = angle_rate};
    CHECK(pkm_rk_create(2, &rk) == PKM_OK);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    while (pkm_rk_time(rk) != t && pkm_rk_step(rk, t) == PKM_OK)
        continue;
    angle[0] = pkm_rk_state(rk)[0];
    angle[1] = pkm_rk_state(rk)[1];
    pkm_rk_free(rk);
}

/// Errors after 2 s, and the largest drift on the way.
typedef struct errors {
    double q, lambda, length, along, energy;
    long steps;
} errors;

static errors swing(double tol, bool has_integrals)
{
    errors e = {0};
    pendulum p = {.has_integrals = has_integrals, .floor = -2.0};
    pkm_ida* ida = begin_pendulum(&p, tol, 0.0);
    const double* y = pkm_ida_state(ida);
    for (int k = 0; k < 20000 && pkm_ida_time(ida) < 2.0; ++k) {
        const pkm_status status = pkm_ida_step(ida, 2.0);
        CHECK(status == PKM_OK);
        if (status != PKM_OK) break;
        e.length = fmax(e.length, fabs(hypot(y[0], y[1]) - 1.0));
        e.along = fmax(e.along, fabs(y[0] * y[2] + y[1] * y[3]));
        e.energy = fmax(e.energy, fabs(0.5 * (y[2] * y[2] + y[3] * y[3]) + GRAVITY * y[1]));
    }
    double angle[2];
    exact_angle(2.0, angle);
    const double lambda = has_integrals ? pkm_ida_rate(ida)[4] : y[4];
    e.q = hypot(y[0] - sin(angle[0]), y[1] + cos(angle[0]));
    e.lambda = fabs(lambda - (angle[1] * angle[1] + GRAVITY * cos(angle[0])));
    e.steps = pkm_ida_get_report(ida).steps;
    pkm_ida_free(ida);
    return e;
}

// Position and velocity are equations of the system, so their drift is what the iteration leaves;
// the rest follows the tolerance.
static void the_stabilised_pendulum_follows_the_tolerance(void)
{
    for (int has_integrals = 0; has_integrals < 2; ++has_integrals)
        for (double tol = 1e-6; tol > 1e-11; tol *= 0.01) {
            const errors e = swing(tol, has_integrals);
            CHECK(e.q < 100.0 * tol);
            CHECK(e.lambda < 1e4 * tol);
            CHECK(e.length < 0.1 * tol);
            CHECK(e.along < tol);
            CHECK(e.energy < 1e3 * tol);
            CHECK(e.steps < 1000);
        }
}

static void limits_are_met_exactly_and_the_inside_is_dense(void)
{
    pendulum p = {.has_integrals = true, .floor = -2.0};
    pkm_ida* ida = begin_pendulum(&p, 1e-8, 0.0);
    double y[6], yp[6], angle[2];
    CHECK(pkm_ida_dense(ida, 0.0, y, yp) == PKM_OK); // before the first step: the start
    CHECK_NEAR(yp[3], -9.81, 0.0);
    CHECK(run_to(ida, 0.3) == PKM_OK);
    CHECK(pkm_ida_time(ida) == 0.3);
    CHECK(run_to(ida, 0.5) == PKM_OK);
    CHECK(pkm_ida_step(ida, 1.0) == PKM_OK);
    CHECK(pkm_ida_last_step(ida) > 0.0 && pkm_ida_time(ida) <= 1.0);
    const double t = pkm_ida_time(ida) - 0.4 * pkm_ida_last_step(ida);
    CHECK(pkm_ida_dense(ida, t, y, yp) == PKM_OK);
    exact_angle(t, angle);
    CHECK_NEAR(y[0], sin(angle[0]), 1e-6);
    CHECK_NEAR(yp[0], cos(angle[0]) * angle[1], 1e-5);
    CHECK(pkm_ida_dense(ida, pkm_ida_time(ida) + 0.01, y, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_ida_dense(ida, pkm_ida_time(ida) - 2.0 * pkm_ida_last_step(ida), y, NULL) ==
          PKM_ERR_ARGUMENT);
    pkm_ida_free(ida);
}

static void backward_in_time_returns_to_the_start(void)
{
    pendulum p = {.has_integrals = true, .floor = -2.0};
    pkm_ida* ida = begin_pendulum(&p, 1e-8, 0.0);
    CHECK(run_to(ida, 0.7) == PKM_OK);
    const long steps = pkm_ida_get_report(ida).steps;
    CHECK(run_to(ida, 0.0) == PKM_OK);
    CHECK(pkm_ida_last_step(ida) < 0.0);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(pkm_ida_state(ida)[i], PENDULUM_START[i], 1e-5);
    CHECK(pkm_ida_get_report(ida).steps > steps + 10); // counts go on
    pkm_ida_free(ida);
}

// The pendulum falls to z = -0.5 and cannot go on: the step shrinks until it is given up.
static void a_wall_ends_with_the_last_good_state(void)
{
    pendulum p = {.floor = -0.5, .answer = PKM_RETRY};
    pkm_ida* ida = begin_pendulum(&p, 1e-8, 0.0);
    CHECK(run_to(ida, 1.0) == PKM_ERR_CONVERGENCE);
    CHECK(p.asked > 1);
    const double* y = pkm_ida_state(ida);
    CHECK(y[1] >= -0.5 && y[1] < -0.4);
    CHECK_NEAR(hypot(y[0], y[1]), 1.0, 1e-8);
    const double t = pkm_ida_time(ida);

    p.floor = -2.0; // the run goes on from there
    CHECK(run_to(ida, 1.0) == PKM_OK);
    double angle[2];
    exact_angle(1.0, angle);
    CHECK(t > 0.3);
    CHECK_NEAR(y[0], sin(angle[0]), 1e-5);
    pkm_ida_free(ida);
}

// A trial beyond the wall is answered with a shorter step when the solution itself stays before it.
static void a_trial_state_out_of_range_shrinks_the_step(void)
{
    pendulum p = {.floor = -0.32, .answer = PKM_RETRY}; // z = -0.306 at the end
    pkm_ida* ida = begin_pendulum(&p, 1e-6, 0.25);
    CHECK(run_to(ida, 0.25) == PKM_OK);
    CHECK(p.asked > 0);
    CHECK(pkm_ida_get_report(ida).failures > 0);
    pkm_ida_free(ida);
}

static void a_failing_residual_ends_the_step_with_its_status(void)
{
    pendulum p = {.floor = -0.5, .answer = PKM_ERR_MODEL};
    pkm_ida* ida = begin_pendulum(&p, 1e-8, 0.0);
    CHECK(run_to(ida, 1.0) == PKM_ERR_MODEL);
    CHECK(pkm_ida_time(ida) > 0.1);
    CHECK_NEAR(hypot(pkm_ida_state(ida)[0], pkm_ida_state(ida)[1]), 1.0, 1e-8);
    pkm_ida_free(ida);
}

// Two copies of one equation.
static pkm_status dependent_residual(void* user, double t, const double* y, const double* yp,
                                     double* r)
{
    (void)user, (void)t, (void)yp;
    r[0] = r[1] = y[0] + y[1];
    return PKM_OK;
}

static void dependent_equations_are_singular(void)
{
    const double zero[2] = {0.0, 0.0}, atol[2] = {1e-6, 1e-6};
    const bool algebraic[2] = {true, true};
    const pkm_ida_settings settings = {.rtol = 1e-6, .atol = atol, .first_step = 0.1};
    const pkm_implicit system = {.n = 2, .residual = dependent_residual, .is_algebraic = algebraic};
    pkm_ida* ida = create(2);
    CHECK(pkm_ida_begin(ida, &system, &settings, 0.0, zero, zero) == PKM_OK);
    const pkm_status status = pkm_ida_step(ida, 1.0);
    CHECK(status == PKM_ERR_SINGULAR || status == PKM_ERR_CONVERGENCE);
    pkm_ida_free(ida);
}

static pkm_status ramp_residual(void* user, double t, const double* y, const double* yp, double* r)
{
    (void)t, (void)y;
    r[0] = yp[0] - *(const double*)user;
    return PKM_OK;
}

static void a_restart_takes_new_values(void)
{
    double slope = 1.0;
    const double zero[1] = {0.0}, one[1] = {1.0}, five[1] = {5.0}, back[1] = {-2.0};
    const double atol[1] = {1e-10};
    const pkm_ida_settings settings = {.rtol = 1e-10, .atol = atol};
    const pkm_implicit system = {.n = 1, .user = &slope, .residual = ramp_residual};
    pkm_ida* ida = create(1);
    CHECK(pkm_ida_begin(ida, &system, &settings, 0.0, zero, one) == PKM_OK);
    CHECK(run_to(ida, 0.3) == PKM_OK);
    CHECK_NEAR(pkm_ida_state(ida)[0], 0.3, 1e-9);
    slope = -2.0;
    CHECK(pkm_ida_restart(ida, pkm_ida_time(ida), five, back) == PKM_OK);
    CHECK(run_to(ida, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_ida_state(ida)[0], 5.0 - 1.4, 1e-9);
    pkm_ida_free(ida);
}

static void wrong_arguments_are_refused(void)
{
    pkm_ida* ida = NULL;
    CHECK(pkm_ida_create(0, &ida) == PKM_ERR_ARGUMENT);
    CHECK(!ida);
    ida = create(3);
    const double zero[3] = {0.0, 0.0, 0.0};
    const pkm_implicit system = {.n = 3, .residual = reaction_residual}, other = {.n = 2};
    const pkm_ida_settings good = {.rtol = 1e-6, .atol = REACTION_ATOL};
    const pkm_ida_settings bad[] = {
        {.rtol = -1.0, .atol = REACTION_ATOL},
        {.rtol = 1e-6, .atol = zero},
        {.rtol = 1e-6},
        {.rtol = 1e-6, .atol = REACTION_ATOL, .max_step = 1.0, .min_step = 2.0},
    };
    for (int i = 0; i < 4; ++i)
        CHECK(pkm_ida_begin(ida, &system, &bad[i], 0.0, REACTION_START, REACTION_RATE) ==
              PKM_ERR_ARGUMENT);
    CHECK(pkm_ida_begin(ida, &other, &good, 0.0, zero, zero) == PKM_ERR_ARGUMENT);
    CHECK(pkm_ida_begin(ida, &system, &good, 0.0, REACTION_START, REACTION_RATE) == PKM_OK);
    CHECK(pkm_ida_step(ida, NAN) == PKM_ERR_ARGUMENT);
    CHECK(pkm_ida_step(ida, 0.0) == PKM_OK);
    CHECK(pkm_ida_get_report(ida).steps == 0);
    pkm_ida_free(ida);
    pkm_ida_free(NULL);
}

static void failing_memory_is_reported(void)
{
    for (size_t n = 1; n <= 2; ++n) {
        pkm_ida* ida = NULL;
        pkm_alloc_fail_at(n);
        CHECK(pkm_ida_create(5, &ida) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
        CHECK(!ida);
    }
}

int main(void)
{
    RUN(robertsons_reaction_meets_published_values);
    RUN(the_stabilised_pendulum_follows_the_tolerance);
    RUN(limits_are_met_exactly_and_the_inside_is_dense);
    RUN(backward_in_time_returns_to_the_start);
    RUN(a_wall_ends_with_the_last_good_state);
    RUN(a_trial_state_out_of_range_shrinks_the_step);
    RUN(a_failing_residual_ends_the_step_with_its_status);
    RUN(dependent_equations_are_singular);
    RUN(a_restart_takes_new_values);
    RUN(wrong_arguments_are_refused);
    RUN(failing_memory_is_reported);
    return check_report();
}
