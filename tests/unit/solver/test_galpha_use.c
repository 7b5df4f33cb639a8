/// The generalised-alpha integrator in use: stiffness, friction, jumps, redundancy, failures,
/// memory.
#include "base/memory.h"
#include "galpha_models.h"

// ---- stiff springs -----------------------------------------------------------------------------
// A pendulum of 1 kg on a spring of 1e6 N/m, 1 m long: it bounces with 1000 rad/s and swings
// with 3.

static const double SPRING = 1e6;

static void spring_acceleration(const double* q, double* a)
{
    const double length = hypot(q[0], q[1]), pull = SPRING * (length - 1.0) / length;
    a[0] = -pull * q[0];
    a[1] = -pull * q[1] - GRAVITY;
}

static pkm_status spring_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    dydt[0] = y[2];
    dydt[1] = y[3];
    spring_acceleration(y, dydt + 2);
    return PKM_OK;
}

static pkm_status spring_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                                  double* zr)
{
    (void)user, (void)phi, (void)zr;
    double a[2];
    spring_acceleration(at->q, a);
    r[0] = at->vdot[0] - a[0];
    r[1] = at->vdot[1] - a[1];
    return PKM_OK;
}

/// Analytic matrix: I vdot + K.
static pkm_status spring_matrix(void* user, const pkm_dae_point* at, const pkm_dae_slopes* slopes,
                                double* S)
{
    if (user) ++*(int*)user;
    const double x = at->q[0], z = at->q[1], length = hypot(x, z);
    const double turn = SPRING * (length - 1.0) / length; // of the direction of the pull
    const double along = (SPRING - turn) / (length * length);
    S[0] = slopes->vdot + turn + along * x * x;
    S[1] = S[2] = along * x * z;
    S[3] = slopes->vdot + turn + along * z * z;
    return PKM_OK;
}

static const pkm_dae spring = {.n_q = 2, .n_v = 2, .move = plane_move, .residual = spring_residual};

/// Released at rest from the horizontal with the spring slack: no bouncing to speak of.
static const double SPRING_START[4] = {1.0, 0.0, 0.0, 0.0};

static pkm_galpha_start spring_start(double* vdot)
{
    spring_acceleration(SPRING_START, vdot);
    return (pkm_galpha_start){.q = SPRING_START, .v = SPRING_START + 2, .vdot = vdot};
}

// The spring alone would ask for 1000 steps a second; this takes what the swing asks for.
static void a_stiff_spring_does_not_choose_the_step(void)
{
    double vdot[2];
    const double atol[2] = {1e-5, 1e-5};
    const pkm_galpha_start start = spring_start(vdot);
    pkm_galpha_settings settings = tolerance(atol, 0.0);
    settings.rho = 0.5;
    const pkm_ode ode = {.n = 4, .rate = spring_rate};
    pkm_rk* rk = reference_from(&ode, SPRING_START);
    reference_to(rk, 2.0);
    pkm_galpha* g = create(&spring);
    CHECK(pkm_galpha_begin(g, &spring, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 2.0) == PKM_OK);
    CHECK_NEAR(largest_difference(2, pkm_galpha_state(g).q, pkm_rk_state(rk)), 0.0, 4e-3);
    CHECK(pkm_galpha_get_report(g).steps < 250);
    pkm_galpha_free(g);
    pkm_rk_free(rk);
}

static void a_given_matrix_does_what_differences_do(void)
{
    int calls = 0;
    double vdot[2], end[2][2];
    const double atol[2] = {1e-8, 1e-8};
    const pkm_galpha_start start = spring_start(vdot);
    const pkm_galpha_settings settings = tolerance(atol, 1e-3);
    pkm_dae given = spring;
    given.matrix = spring_matrix;
    given.user = &calls;
    pkm_galpha* g = create(&spring);
    for (int k = 0; k < 2; ++k) {
        CHECK(pkm_galpha_begin(g, k == 0 ? &spring : &given, &settings, 0.0, &start) == PKM_OK);
        CHECK(run_to(g, 0.2) == PKM_OK);
        memcpy(end[k], pkm_galpha_state(g).q, sizeof end[k]);
    }
    CHECK_NEAR(largest_difference(2, end[0], end[1]), 0.0, 1e-8);
    const pkm_galpha_report report = pkm_galpha_get_report(g);
    CHECK(calls == report.matrices && calls > 0);
    CHECK(report.iterations < 4 * (report.steps + 2)); // a wrong matrix would show here
    pkm_galpha_free(g);
}

// ---- an eccentric orbit ------------------------------------------------------------------------
// A Kepler orbit of eccentricity 0.9 passes its focus at a tenth of its semi-axis, nineteen times
// faster than its far end. It starts at the far end and is back there after 2 pi.

static pkm_status orbit_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                                 double* zr)
{
    (void)user, (void)phi, (void)zr;
    const double cube = pow(hypot(at->q[0], at->q[1]), 3.0);
    r[0] = at->vdot[0] + at->q[0] / cube;
    r[1] = at->vdot[1] + at->q[1] / cube;
    return PKM_OK;
}

static const pkm_dae orbit = {.n_q = 2, .n_v = 2, .move = plane_move, .residual = orbit_residual};

static double orbit_error(double tol, double fixed_step, int* steps)
{
    const double q[2] = {-1.9, 0.0}, v[2] = {0.0, -sqrt(0.1 / 1.9)};
    const double vdot[2] = {1.0 / (1.9 * 1.9), 0.0}, atol[2] = {tol, tol};
    const pkm_galpha_start start = {.q = q, .v = v, .vdot = vdot};
    const pkm_galpha_settings settings = tolerance(atol, fixed_step);
    pkm_galpha* g = create(&orbit);
    CHECK(pkm_galpha_begin(g, &orbit, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 6.283185307179586) == PKM_OK);
    *steps = pkm_galpha_get_report(g).steps;
    const double error = largest_difference(2, pkm_galpha_state(g).q, q);
    pkm_galpha_free(g);
    return error;
}

// Constant steps need more than four times as many for the same error.
static void steps_adapt_to_the_speed(void)
{
    int adaptive, constant;
    const double error = orbit_error(1e-6, 0.0, &adaptive);
    CHECK(error < 5e-3);
    CHECK(orbit_error(1e-6, 6.283185307179586 / (4 * adaptive), &constant) > error);
    CHECK(constant >= 4 * adaptive);
}

// ---- a block with bristles ---------------------------------------------------------------------
// LuGre friction: the bristles bend by z, z' = v - s0 |v| z / (mu N), and pull with
// s0 z + s1 z'. N is the multiplier of the constraint that keeps the block on its table.

typedef struct block {
    double force, mu, s0, s1;
} block;

static double bristle_rate(const block* b, double N, double v, double z)
{
    return v - b->s0 * fabs(v) * z / (b->mu * N);
}

static double bristle_force(const block* b, double N, double v, double z)
{
    return b->s0 * z + b->s1 * bristle_rate(b, N, v, z);
}

static pkm_status block_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                                 double* zr)
{
    const block* b = user;
    const double N = at->lambda[0], v = at->v[0], z = at->z[0];
    r[0] = at->vdot[0] - b->force + bristle_force(b, N, v, z);
    r[1] = at->vdot[1] + GRAVITY - N;
    phi[0] = at->q[1];
    zr[0] = at->zdot[0] - bristle_rate(b, N, v, z);
    return PKM_OK;
}

static pkm_status block_project(void* user, double t, const double* q, double* v)
{
    (void)user, (void)t, (void)q;
    v[1] = 0.0;
    return PKM_OK;
}

/// y = (x, v, z)
static pkm_status block_rate(void* user, double t, const double* y, double* dydt)
{
    const block* b = user;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = b->force - bristle_force(b, GRAVITY, y[1], y[2]);
    dydt[2] = bristle_rate(b, GRAVITY, y[1], y[2]);
    return PKM_OK;
}

/// Pulled from rest for 1 s; the state at the end is compared with the explicit solution.
static pkm_dae_point pull_block(pkm_galpha* g, block* b, double* exact)
{
    const pkm_dae dae = {.n_q = 2,
                         .n_v = 2,
                         .n_lambda = 1,
                         .n_z = 1,
                         .user = b,
                         .move = plane_move,
                         .residual = block_residual,
                         .project_velocity = block_project};
    const double zero[3] = {0.0, 0.0, 0.0}, vdot[2] = {b->force, 0.0}, N[1] = {GRAVITY};
    const double atol[2] = {1e-8, 1e-8};
    const pkm_galpha_settings settings = tolerance(atol, 0.0);
    const pkm_galpha_start start = {zero, zero, vdot, N, zero};
    const pkm_ode ode = {.n = 3, .user = b, .rate = block_rate};
    pkm_rk* rk = reference_from(&ode, zero);
    reference_to(rk, 1.0);
    memcpy(exact, pkm_rk_state(rk), 3 * sizeof *exact);
    pkm_rk_free(rk);
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 1.0) == PKM_OK);
    return pkm_galpha_state(g);
}

// Below the limit mu N = 2.943 N it sticks, the bristles bent by force / s0 (it creeps by the work
// of the transient only); above it slides.
static void bristles_stick_and_slide(void)
{
    const pkm_dae sizes = {.n_q = 2, .n_v = 2, .n_lambda = 1, .n_z = 1};
    pkm_galpha* g = create(&sizes);
    double exact[3];
    block stuck = {.force = 1.5, .mu = 0.3, .s0 = 1e5, .s1 = 300.0};
    pkm_dae_point at = pull_block(g, &stuck, exact);
    CHECK_NEAR(at.z[0], 1.5 / 1e5, 1e-8);
    CHECK_NEAR(at.v[0], 0.0, 1e-6);
    CHECK_NEAR(at.q[0], exact[0], 1e-7);

    block sliding = {.force = 4.0, .mu = 0.3, .s0 = 1e5, .s1 = 300.0};
    at = pull_block(g, &sliding, exact);
    CHECK_NEAR(at.q[0], exact[0], 3e-6);
    CHECK_NEAR(at.v[0], exact[1], 3e-6);
    CHECK_NEAR(at.z[0], exact[2], 1e-7);
    CHECK_NEAR(at.vdot[0], 4.0 - 0.3 * GRAVITY, 1e-4); // sliding friction is mu N
    CHECK_NEAR(at.lambda[0], GRAVITY, 1e-8);
    pkm_galpha_free(g);
}

// ---- jumps, failures, memory -------------------------------------------------------------------

// The block is pulled with another force from t = 1/2 on: the limit is met exactly, and the
// restart takes the new acceleration. Without bristles the way is known.
static void a_jump_of_the_force_is_met_exactly(void)
{
    block b = {.force = 2.0, .mu = 0.3, .s0 = 0.0, .s1 = 0.0};
    const pkm_dae dae = {.n_q = 2,
                         .n_v = 2,
                         .n_lambda = 1,
                         .n_z = 1,
                         .user = &b,
                         .move = plane_move,
                         .residual = block_residual,
                         .project_velocity = block_project};
    const double zero[2] = {0.0, 0.0}, N[1] = {GRAVITY};
    const double pulled[2] = {2.0, 0.0}, pushed[2] = {-6.0, 0.0};
    const double atol[2] = {1e-8, 1e-8};
    const pkm_galpha_settings settings = tolerance(atol, 0.0);
    const pkm_galpha_start start = {zero, zero, pulled, N, zero};
    const pkm_galpha_start jump = {.vdot = pushed};
    pkm_galpha* g = create(&dae);
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 0.5) == PKM_OK);
    CHECK(pkm_galpha_time(g) == 0.5);
    b.force = -6.0;
    CHECK(pkm_galpha_restart(g, &jump) == PKM_OK);
    CHECK(run_to(g, 1.0) == PKM_OK);
    CHECK_NEAR(pkm_galpha_state(g).q[0], 0.25 + 0.5 - 0.75, 1e-12);
    CHECK_NEAR(pkm_galpha_state(g).v[0], 1.0 - 3.0, 1e-12);
    CHECK(pkm_galpha_get_report(g).rejected == 0);
    pkm_galpha_free(g);
}

static void line_move(void* user, const double* q, const double* dx, double* out)
{
    (void)user;
    out[0] = q[0] + dx[0];
}

typedef struct wall {
    double edge;
    pkm_status answer;
} wall;

/// 1 m/s towards the edge.
static pkm_status wall_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                                double* zr)
{
    const wall* w = user;
    (void)phi, (void)zr;
    if (at->q[0] > w->edge) return w->answer;
    r[0] = at->vdot[0];
    return PKM_OK;
}

static pkm_status run_into(wall* w, double* t_end, pkm_galpha_report* report)
{
    const pkm_dae dae = {
        .n_q = 1, .n_v = 1, .user = w, .move = line_move, .residual = wall_residual};
    const double zero[1] = {0.0}, one[1] = {1.0}, atol[1] = {1e-8};
    const pkm_galpha_start start = {.q = zero, .v = one, .vdot = zero};
    pkm_galpha_settings settings = tolerance(atol, 0.0);
    settings.min_step = 1e-6;
    pkm_galpha* g = create(&dae);
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    const pkm_status status = run_to(g, 1.0);
    *t_end = pkm_galpha_time(g);
    CHECK_NEAR(pkm_galpha_state(g).q[0], *t_end, 1e-12); // the last good state
    *report = pkm_galpha_get_report(g);
    pkm_galpha_free(g);
    return status;
}

static void a_wall_ends_with_the_last_good_state(void)
{
    wall w = {.edge = 0.35, .answer = PKM_RETRY};
    double t;
    pkm_galpha_report report;
    CHECK(run_into(&w, &t, &report) == PKM_ERR_CONVERGENCE);
    CHECK(t <= 0.35 && t > 0.35 - 1e-5);
    CHECK(report.retries > 0);

    w.answer = PKM_ERR_MODEL;
    CHECK(run_into(&w, &t, &report) == PKM_ERR_MODEL);
    CHECK(t <= 0.35 && t > 0.0);
    CHECK(report.retries == 0);
}

/// The pendulum's rod twice.
static pkm_status twice_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                                 double* zr)
{
    pkm_dae_point one = *at;
    const double sum[1] = {at->lambda[0] + at->lambda[1]};
    one.lambda = sum;
    const pkm_status status = pendulum_residual(user, &one, r, phi, zr);
    phi[1] = phi[0];
    return status;
}

static pkm_dae pendulum_twice(double* mu)
{
    pkm_dae dae = pendulum(mu);
    dae.n_lambda = 2;
    dae.residual = twice_residual;
    return dae;
}

static pkm_status swing_twice(double regularise, pkm_galpha* g, double* mu)
{
    const pkm_dae dae = pendulum_twice(mu);
    const pendulum_values p = pendulum_at(*mu, PENDULUM_START);
    const double half[2] = {0.5 * p.lambda[0], 0.5 * p.lambda[0]};
    const pkm_galpha_start start = {p.q, p.v, p.vdot, half, p.z};
    pkm_galpha_settings settings = tolerance(FINE, 1.0 / 250.0);
    settings.regularise = regularise;
    settings.min_step = 1e-4;
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    return run_to(g, 1.0);
}

// The same constraint twice leaves the matrix without an inverse, and that is the answer; with the
// regularisation both rods carry half the load, and the motion is that of one.
static void redundant_constraints_share_the_load(void)
{
    double mu = 0.1;
    const pkm_dae dae = pendulum_twice(&mu), one = pendulum(&mu);
    pkm_galpha* g = create(&dae);
    CHECK(swing_twice(0.0, g, &mu) == PKM_ERR_SINGULAR);
    CHECK(pkm_galpha_time(g) == 0.0);
    CHECK(pkm_galpha_get_report(g).failures > 0);
    CHECK(swing_twice(1e-4, g, &mu) == PKM_OK);

    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    const pkm_galpha_settings settings = tolerance(FINE, 1.0 / 250.0);
    pkm_galpha* single = create(&one);
    CHECK(pkm_galpha_begin(single, &one, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(single, 1.0) == PKM_OK);
    const pkm_dae_point at = pkm_galpha_state(g), exact = pkm_galpha_state(single);
    CHECK_NEAR(largest_difference(2, at.q, exact.q), 0.0, 1e-9);
    CHECK_NEAR(at.lambda[0], 0.5 * exact.lambda[0], 1e-6);
    CHECK_NEAR(at.lambda[1], 0.5 * exact.lambda[0], 1e-6);
    CHECK_NEAR(hypot(at.q[0], at.q[1]), 1.0, 1e-11);
    pkm_galpha_free(g);
    pkm_galpha_free(single);
}

static void wrong_arguments_are_refused(void)
{
    const pkm_dae none = {.n_q = 1, .n_v = 0};
    pkm_galpha* g = NULL;
    CHECK(pkm_galpha_create(&none, &g) == PKM_ERR_ARGUMENT);
    CHECK(!g);
    double mu = 0.1;
    const pkm_dae dae = pendulum(&mu);
    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    const pkm_galpha_start partial = {p.q, p.v, p.vdot, NULL, p.z};
    g = create(&dae);
    const pkm_galpha_settings good = tolerance(FINE, 0.0);
    pkm_galpha_settings bad[5] = {good, good, good, good, good};
    bad[0].rho = 1.0;
    bad[1].atol_lambda = NULL;
    bad[2].phi_tol = 0.0;
    bad[3].is_fixed = true;
    bad[4].rtol = NAN;
    for (int i = 0; i < 5; ++i)
        CHECK(pkm_galpha_begin(g, &dae, &bad[i], 0.0, &start) == PKM_ERR_ARGUMENT);
    CHECK(pkm_galpha_begin(g, &spring, &good, 0.0, &start) == PKM_ERR_ARGUMENT);
    CHECK(pkm_galpha_begin(g, &dae, &good, 0.0, &partial) == PKM_ERR_ARGUMENT);
    CHECK(pkm_galpha_begin(g, &dae, &good, 0.0, &start) == PKM_OK);
    CHECK(pkm_galpha_step(g, NAN) == PKM_ERR_ARGUMENT);
    CHECK(pkm_galpha_step(g, 0.0) == PKM_OK);
    CHECK(pkm_galpha_get_report(g).steps == 0);
    pkm_galpha_free(g);
    pkm_galpha_free(NULL);
}

static void stepping_allocates_nothing(void)
{
    double mu = 0.1;
    const pkm_dae dae = pendulum(&mu);
    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    const pkm_galpha_settings settings = tolerance(FINE, 0.01);
    pkm_galpha* g = create(&dae);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 0.1) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    pkm_galpha_free(g);
}

static void failing_memory_is_reported(void)
{
    for (size_t n = 1; n <= 5; ++n) {
        pkm_galpha* g = NULL;
        pkm_alloc_fail_at(n);
        CHECK(pkm_galpha_create(&spring, &g) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
        CHECK(!g);
    }
}

int main(void)
{
    RUN(a_stiff_spring_does_not_choose_the_step);
    RUN(a_given_matrix_does_what_differences_do);
    RUN(steps_adapt_to_the_speed);
    RUN(bristles_stick_and_slide);
    RUN(a_jump_of_the_force_is_met_exactly);
    RUN(a_wall_ends_with_the_last_good_state);
    RUN(redundant_constraints_share_the_load);
    RUN(wrong_arguments_are_refused);
    RUN(stepping_allocates_nothing);
    RUN(failing_memory_is_reported);
    return check_report();
}
