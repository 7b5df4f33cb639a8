/// The dense Newton iteration on systems with known solutions.
#include "base/memory.h"
#include "check.h"
#include "solver/newton_dense.h"

#include <stdlib.h>

enum { MANY = 300 };

static pkm_newton* create(int n)
{
    pkm_newton* newton = NULL;
    CHECK(pkm_newton_create(n, &newton) == PKM_OK);
    return newton;
}

// ---- two curves: the circle x^2 + y^2 = s and the hyperbola x y = 1/2 --------------------------
// For s = 1.25 they meet at (1, 1/2).

typedef struct curves {
    double square;
    int calls;
    double last_x;   ///< of the last call
    double edge;     ///< no value for x above, when > 0
    double unit[2];  ///< of the unknowns
    double scale[2]; ///< of the equations
} curves;

static curves plain_curves(void)
{
    return (curves){.square = 1.25, .unit = {1.0, 1.0}, .scale = {1.0, 1.0}};
}

static pkm_status curves_residual(void* user, const double* x, double* r)
{
    curves* c = user;
    const double a = x[0] * c->unit[0], b = x[1] * c->unit[1];
    if (c->edge > 0.0 && a > c->edge) return PKM_RETRY;
    ++c->calls;
    c->last_x = x[0];
    r[0] = c->scale[0] * (a * a + b * b - c->square);
    r[1] = c->scale[1] * (a * b - 0.5);
    return PKM_OK;
}

static pkm_status curves_jacobian(void* user, const double* x, const double* r, double* J)
{
    const curves* c = user;
    (void)r;
    const double a = x[0] * c->unit[0], b = x[1] * c->unit[1];
    J[0] = c->scale[0] * 2.0 * a * c->unit[0];
    J[2] = c->scale[0] * 2.0 * b * c->unit[1];
    J[1] = c->scale[1] * b * c->unit[0];
    J[3] = c->scale[1] * a * c->unit[1];
    return PKM_OK;
}

static const double FINE[2] = {1e-12, 1e-12};

static void the_error_is_below_the_tolerance(void)
{
    pkm_newton* newton = create(2);
    for (double tol = 1e-2; tol > 1e-14; tol *= 0.1)
        for (int with_jacobian = 0; with_jacobian < 2; ++with_jacobian) {
            curves c = plain_curves();
            const double x_tol[2] = {tol, tol};
            const pkm_newton_system system = {.n = 2,
                                              .user = &c,
                                              .residual = curves_residual,
                                              .jacobian = with_jacobian ? curves_jacobian : NULL,
                                              .x_tol = x_tol};
            double x[2] = {1.1, 0.4};
            pkm_newton_report report;
            pkm_newton_forget(newton);
            CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
            CHECK_NEAR(x[0], 1.0, tol);
            CHECK_NEAR(x[1], 0.5, tol);
            CHECK(report.residuals == c.calls);
            CHECK(report.jacobians >= 1);
            CHECK(c.last_x == x[0]); // the last residual was the solution's
        }
    pkm_newton_free(newton);
}

// A slow drift of the problem is followed with the factors of the first solve; a jump needs new
// ones, once.
static void factors_are_kept_until_they_are_slow(void)
{
    pkm_newton* newton = create(2);
    curves c = plain_curves();
    const pkm_newton_system system = {
        .n = 2, .user = &c, .residual = curves_residual, .x_tol = FINE, .max_iterations = 12};
    double x[2] = {1.1, 0.4};
    pkm_newton_report report;
    CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
    for (int k = 0; k < 5; ++k) {
        c.square += 0.01;
        CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
        CHECK(report.jacobians == 0);
        CHECK(report.rate < 0.3);
        CHECK_NEAR(x[0] * x[0] + x[1] * x[1], c.square, 1e-11);
    }
    c.square = 9.0;
    x[0] = 3.0;
    x[1] = 0.1;
    CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
    CHECK(report.jacobians >= 1);
    CHECK_NEAR(x[0] * x[1], 0.5, 1e-11);

    pkm_newton_forget(newton);
    CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
    CHECK(report.jacobians == 1);
    pkm_newton_free(newton);
}

// Unknowns in nanometres and megametres, equations scaled by 1e-9 and 1e12: the same iterations.
static void units_do_not_matter(void)
{
    pkm_newton* newton = create(2);
    const double unit[3][2] = {{1.0, 1.0}, {1e-9, 1e6}, {1e9, 1e-12}};
    const double scale[3][2] = {{1.0, 1.0}, {1e-9, 1e12}, {1e15, 1e-15}};
    int iterations[3];
    for (int k = 0; k < 3; ++k) {
        curves c = plain_curves();
        memcpy(c.unit, unit[k], sizeof c.unit);
        memcpy(c.scale, scale[k], sizeof c.scale);
        const double x_tol[2] = {1e-12 / c.unit[0], 1e-12 / c.unit[1]};
        const double increment[2] = {1e-8 / c.unit[0], 1e-8 / c.unit[1]};
        const pkm_newton_system system = {.n = 2,
                                          .user = &c,
                                          .residual = curves_residual,
                                          .increment = increment,
                                          .x_tol = x_tol};
        double x[2] = {1.1 / c.unit[0], 0.4 / c.unit[1]};
        pkm_newton_report report;
        pkm_newton_forget(newton);
        CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
        CHECK_NEAR(x[0] * c.unit[0], 1.0, 1e-12);
        CHECK_NEAR(x[1] * c.unit[1], 0.5, 1e-12);
        iterations[k] = report.iterations;
    }
    CHECK(iterations[1] == iterations[0] && iterations[2] == iterations[0]);
    pkm_newton_free(newton);
}

// With a coarse tolerance of x the residual's own limit rules.
static void the_residual_is_brought_within_its_limit(void)
{
    pkm_newton* newton = create(2);
    curves c = plain_curves();
    const double coarse[2] = {0.1, 0.1}, r_tol[2] = {INFINITY, 1e-11};
    const pkm_newton_system system = {
        .n = 2, .user = &c, .residual = curves_residual, .x_tol = coarse, .r_tol = r_tol};
    double x[2] = {1.1, 0.4};
    CHECK(pkm_newton_solve(newton, &system, x, NULL) == PKM_OK);
    CHECK_NEAR(x[0] * x[1], 0.5, 1e-11);
    pkm_newton_free(newton);
}

// The start lies at the edge of what can be evaluated: difference quotients look the other way.
static void differences_turn_round_at_an_edge(void)
{
    pkm_newton* newton = create(2);
    curves c = plain_curves();
    c.edge = 1.01;
    const pkm_newton_system system = {
        .n = 2, .user = &c, .residual = curves_residual, .x_tol = FINE};
    double x[2] = {1.01, 0.5};
    pkm_newton_report report;
    CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_OK);
    CHECK_NEAR(x[0], 1.0, 1e-12);

    c.edge = 0.9;
    x[0] = 1.0;
    x[1] = 0.4;
    CHECK(pkm_newton_solve(newton, &system, x, &report) == PKM_RETRY);
    CHECK(x[0] == 1.0 && x[1] == 0.4); // untouched
    pkm_newton_free(newton);
}

// ---- systems without a solution, or without a Jacobian -----------------------------------------

static pkm_status no_root(void* user, const double* x, double* r)
{
    (void)user;
    r[0] = x[0] * x[0] + 1.0;
    return PKM_OK;
}

static pkm_status dependent(void* user, const double* x, double* r)
{
    (void)user;
    r[0] = x[0] + x[1] - 1.0;
    r[1] = 3.0 * x[0] + 3.0 * x[1] - 4.0;
    return PKM_OK;
}

static pkm_status undefined(void* user, const double* x, double* r)
{
    (void)user;
    r[0] = x[0] > 0.5 ? NAN : x[0] - 1.0;
    return PKM_OK;
}

static pkm_status broken(void* user, const double* x, double* r)
{
    (void)user, (void)x, (void)r;
    return PKM_ERR_MODEL;
}

static pkm_status try_one(pkm_newton* newton, int n,
                          pkm_status (*residual)(void*, const double*, double*))
{
    const pkm_newton_system system = {.n = n, .residual = residual, .x_tol = FINE};
    double x[3] = {0.3, 0.2, 0.1};
    const pkm_status status = pkm_newton_solve(newton, &system, x, NULL);
    if (status != PKM_OK) CHECK(x[0] == 0.3 && x[1] == 0.2);
    return status;
}

static void what_cannot_be_solved_is_said_so(void)
{
    pkm_newton* newton = create(2);
    CHECK(try_one(newton, 1, no_root) == PKM_ERR_CONVERGENCE);
    CHECK(try_one(newton, 2, dependent) == PKM_ERR_SINGULAR);
    CHECK(try_one(newton, 1, undefined) == PKM_ERR_CONVERGENCE);
    CHECK(try_one(newton, 1, broken) == PKM_ERR_MODEL);
    CHECK(try_one(newton, 3, broken) == PKM_ERR_ARGUMENT);

    // And none of them spoils the next solve.
    curves c = plain_curves();
    const pkm_newton_system system = {
        .n = 2, .user = &c, .residual = curves_residual, .x_tol = FINE};
    double x[2] = {1.1, 0.4};
    CHECK(pkm_newton_solve(newton, &system, x, NULL) == PKM_OK);
    CHECK_NEAR(x[0], 1.0, 1e-12);
    pkm_newton_free(newton);
}

// ---- many unknowns -----------------------------------------------------------------------------
// u'' = 3/2 u^2, u(0) = 4, u(1) = 1 has the solution 4/(1 + x)^2. Its difference equations on 300
// points have an error of h^2 u''''/12 / pi^2, below 1e-4.

static pkm_status boundary_residual(void* user, const double* u, double* r)
{
    (void)user;
    const double h = 1.0 / (MANY + 1);
    for (int i = 0; i < MANY; ++i) {
        const double left = i > 0 ? u[i - 1] : 4.0, right = i < MANY - 1 ? u[i + 1] : 1.0;
        r[i] = (left - 2.0 * u[i] + right) / (h * h) - 1.5 * u[i] * u[i];
    }
    return PKM_OK;
}

static void a_boundary_value_problem_with_300_unknowns(void)
{
    pkm_newton* newton = create(MANY);
    double x_tol[MANY], u[MANY];
    for (int i = 0; i < MANY; ++i) {
        x_tol[i] = 1e-8;
        u[i] = 4.0 - 3.0 * (i + 1) / (MANY + 1);
    }
    const pkm_newton_system system = {.n = MANY, .residual = boundary_residual, .x_tol = x_tol};
    pkm_newton_report report;
    CHECK(pkm_newton_solve(newton, &system, u, &report) == PKM_OK);
    double worst = 0.0;
    for (int i = 0; i < MANY; ++i) {
        const double x = (double)(i + 1) / (MANY + 1);
        worst = fmax(worst, fabs(u[i] - 4.0 / ((1.0 + x) * (1.0 + x))));
    }
    CHECK(worst < 1e-4);
    CHECK(report.jacobians <= 3);
    pkm_newton_free(newton);
}

static void solving_allocates_nothing(void)
{
    pkm_newton* newton = create(2);
    curves c = plain_curves();
    const pkm_newton_system system = {
        .n = 2, .user = &c, .residual = curves_residual, .x_tol = FINE};
    double x[2] = {1.1, 0.4};
    const size_t before = pkm_alloc_count();
    CHECK(pkm_newton_solve(newton, &system, x, NULL) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    pkm_newton_free(newton);
}

static void failing_memory_is_reported(void)
{
    for (size_t n = 1; n <= 3; ++n) {
        pkm_newton* newton = NULL;
        pkm_alloc_fail_at(n);
        CHECK(pkm_newton_create(5, &newton) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
        CHECK(!newton);
    }
    pkm_newton* newton = NULL;
    CHECK(pkm_newton_create(0, &newton) == PKM_ERR_ARGUMENT);
    pkm_newton_free(NULL);
}

int main(void)
{
    RUN(the_error_is_below_the_tolerance);
    RUN(factors_are_kept_until_they_are_slow);
    RUN(units_do_not_matter);
    RUN(the_residual_is_brought_within_its_limit);
    RUN(differences_turn_round_at_an_edge);
    RUN(what_cannot_be_solved_is_said_so);
    RUN(a_boundary_value_problem_with_300_unknowns);
    RUN(solving_allocates_nothing);
    RUN(failing_memory_is_reported);
    return check_report();
}
