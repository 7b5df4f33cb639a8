/// The generalised-alpha integrator: order of all unknowns, drift and energy, against fine
/// solutions of the explicit integrator in minimal coordinates.
#include "galpha_models.h"
#include "math/quat.h"

/// Largest errors along a run.
typedef struct errors {
    double q, v, lambda, z;
    double phi, phi_rate; ///< drift
    double early_lambda;  ///< of the first 10 % of the time
} errors;

static void pendulum_compare(const pkm_galpha* g, double mu, const double* y, errors* e)
{
    const pendulum_values exact = pendulum_at(mu, y);
    const pkm_dae_point at = pkm_galpha_state(g);
    e->q = fmax(e->q, largest_difference(2, at.q, exact.q));
    e->v = fmax(e->v, largest_difference(2, at.v, exact.v));
    e->lambda = fmax(e->lambda, largest_difference(1, at.lambda, exact.lambda));
    e->z = fmax(e->z, largest_difference(1, at.z, exact.z));
    e->phi = fmax(e->phi, fabs(hypot(at.q[0], at.q[1]) - 1.0));
    e->phi_rate = fmax(e->phi_rate, fabs(at.q[0] * at.v[0] + at.q[1] * at.v[1]));
}

static errors run_pendulum(double mu, const pkm_galpha_settings* settings, double t_end)
{
    errors e = {0};
    const pkm_dae dae = pendulum(&mu);
    const pkm_ode ode = {.n = 3, .user = &mu, .rate = angle_rate};
    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    pkm_rk* rk = reference_from(&ode, PENDULUM_START);
    pkm_galpha* g = create(&dae);
    CHECK(pkm_galpha_begin(g, &dae, settings, 0.0, &start) == PKM_OK);
    while (pkm_galpha_time(g) < t_end) {
        const pkm_status status = pkm_galpha_step(g, t_end);
        CHECK(status == PKM_OK);
        if (status != PKM_OK) break;
        reference_to(rk, pkm_galpha_time(g));
        pendulum_compare(g, mu, pkm_rk_state(rk), &e);
        if (pkm_galpha_time(g) <= 0.1 * t_end) e.early_lambda = e.lambda;
    }
    pkm_galpha_free(g);
    pkm_rk_free(rk);
    return e;
}

static errors pendulum_with_step(double mu, double rho, double h)
{
    pkm_galpha_settings settings = tolerance(FINE, h);
    settings.rho = rho;
    return run_pendulum(mu, &settings, 2.0);
}

// Halving the step divides all errors by four, those of the multipliers too, and from the start on:
// there is no spurious oscillation of first order.
static void all_unknowns_have_order_two(void)
{
    const double rho[] = {0.0, 0.5, 0.8};
    for (int k = 0; k < 3; ++k) {
        const errors coarse = pendulum_with_step(0.1, rho[k], 1.0 / 250.0);
        const errors fine = pendulum_with_step(0.1, rho[k], 1.0 / 500.0);
        CHECK_NEAR(log2(coarse.q / fine.q), 2.0, 0.15);
        CHECK_NEAR(log2(coarse.v / fine.v), 2.0, 0.15);
        CHECK_NEAR(log2(coarse.lambda / fine.lambda), 2.0, 0.15);
        CHECK_NEAR(log2(coarse.early_lambda / fine.early_lambda), 2.0, 0.25);
        CHECK_NEAR(log2(coarse.z / fine.z), 2.0, 0.15);
        CHECK(fine.phi <= 1e-11);
        CHECK(fine.phi_rate <= 1e-14);
    }
}

// Without friction the energy after ten seconds is right to second order.
static double energy_change(double h)
{
    double mu = 0.0;
    const pkm_dae dae = pendulum(&mu);
    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    const pkm_galpha_settings settings = tolerance(FINE, h);
    pkm_galpha* g = create(&dae);
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 10.0) == PKM_OK);
    const pkm_dae_point at = pkm_galpha_state(g);
    const double energy = 0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]) + GRAVITY * at.q[1];
    const double first = 0.5 * (p.v[0] * p.v[0] + p.v[1] * p.v[1]) + GRAVITY * p.q[1];
    pkm_galpha_free(g);
    return fabs(energy - first) / (first + GRAVITY);
}

static void little_energy_is_lost(void)
{
    const double coarse = energy_change(1.0 / 250.0), fine = energy_change(1.0 / 500.0);
    CHECK(coarse < 2e-4);
    CHECK(fine < 0.3 * coarse);
}

static errors pendulum_with_tolerance(double tol)
{
    double atol[MOST];
    for (int i = 0; i < MOST; ++i)
        atol[i] = tol;
    const pkm_galpha_settings settings = tolerance(atol, 0.0);
    return run_pendulum(0.1, &settings, 2.0);
}

// The error per step falls with h^3, the error with h^2: a tolerance divided by 8 divides it by 4.
static void adaptive_errors_follow_the_tolerance(void)
{
    const errors coarse = pendulum_with_tolerance(8e-7), fine = pendulum_with_tolerance(1e-7);
    CHECK_NEAR(log2(coarse.q / fine.q), 2.0, 0.6);
    CHECK_NEAR(log2(coarse.v / fine.v), 2.0, 0.6);
    CHECK_NEAR(log2(coarse.lambda / fine.lambda), 2.0, 0.6);
    CHECK_NEAR(log2(coarse.z / fine.z), 2.0, 0.6);
    CHECK(coarse.phi <= 1e-11 && fine.phi <= 1e-11);
    CHECK(coarse.phi_rate <= 1e-14 && fine.phi_rate <= 1e-14);
}

static void backward_in_time_returns_to_the_start(void)
{
    double mu = 0.0;
    const pkm_dae dae = pendulum(&mu);
    const pendulum_values p = pendulum_at(mu, PENDULUM_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, p.z};
    double atol[MOST];
    for (int i = 0; i < MOST; ++i)
        atol[i] = 1e-8;
    const pkm_galpha_settings settings = tolerance(atol, 0.0);
    pkm_galpha* g = create(&dae);
    CHECK(pkm_galpha_begin(g, &dae, &settings, 0.0, &start) == PKM_OK);
    CHECK(run_to(g, 1.0) == PKM_OK);
    CHECK(run_to(g, 0.0) == PKM_OK); // turns round without a new start
    CHECK(pkm_galpha_last_step(g) < 0.0);
    const pkm_dae_point at = pkm_galpha_state(g);
    CHECK_NEAR(largest_difference(2, at.q, p.q), 0.0, 2e-5);
    CHECK_NEAR(largest_difference(2, at.v, p.v), 0.0, 1e-4);
    CHECK_NEAR(at.lambda[0], p.lambda[0], 1e-3);
    pkm_galpha_free(g);
}

// ---- the heavy top ------------------------------------------------------------------------------
// Bruels and Cardona, On the use of Lie group time integrators in multibody dynamics, J. Comput.
// Nonlinear Dyn. 5 (2010): 15 kg, J = diag(0.234375, 0.46875, 0.234375) kg m^2 about the centre,
// which is at X = (0, 1, 0) m from the fixed point; Omega = (0, 150, -4.61538) rad/s at the start.
// Here q = (x, quaternion), v = (x', Omega in body axes), and phi = x - R X.

static const double TOP_MASS = 15.0;
static const pkm_vec3 TOP_J = {0.234375, 0.46875, 0.234375};
static const pkm_vec3 TOP_X = {0.0, 1.0, 0.0};
static const pkm_vec3 TOP_G = {0.0, 0.0, -9.81};

static pkm_vec3 times(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static pkm_vec3 vec_at(const double* x)
{
    return pkm_vec3_make(x[0], x[1], x[2]);
}

static void put(pkm_vec3 a, double* x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

static pkm_quat quat_at(const double* x)
{
    return (pkm_quat){x[0], x[1], x[2], x[3]};
}

static void put_quat(pkm_quat a, double* x)
{
    x[0] = a.w;
    x[1] = a.x;
    x[2] = a.y;
    x[3] = a.z;
}

/// Omega' by Euler's equations about the fixed point.
static pkm_vec3 top_acceleration(pkm_quat q, pkm_vec3 W)
{
    const pkm_vec3 J = {TOP_J.x + TOP_MASS, TOP_J.y, TOP_J.z + TOP_MASS}; // |X| = 1 along y
    const pkm_vec3 weight = pkm_quat_rotate(pkm_quat_conj(q), pkm_vec3_scale(TOP_MASS, TOP_G));
    const pkm_vec3 torque =
        pkm_vec3_sub(pkm_vec3_cross(TOP_X, weight), pkm_vec3_cross(W, times(J, W)));
    return pkm_vec3_make(torque.x / J.x, torque.y / J.y, torque.z / J.z);
}

/// y = (quaternion, Omega)
static pkm_status top_rate(void* user, double t, const double* y, double* dydt)
{
    (void)user, (void)t;
    const pkm_quat q = quat_at(y);
    const pkm_vec3 W = vec_at(y + 4);
    const pkm_quat dq = pkm_quat_mul(q, (pkm_quat){0.0, 0.5 * W.x, 0.5 * W.y, 0.5 * W.z});
    put_quat(dq, dydt);
    put(top_acceleration(pkm_quat_unit(q), W), dydt + 4);
    return PKM_OK;
}

static pkm_status top_unit(void* user, double t, double* y)
{
    (void)user, (void)t;
    put_quat(pkm_quat_unit(quat_at(y)), y);
    return PKM_OK;
}

typedef struct top_values {
    double q[7], v[6], vdot[6], lambda[3];
} top_values;

static top_values top_at(const double* y)
{
    top_values out;
    const pkm_quat q = quat_at(y);
    const pkm_vec3 W = vec_at(y + 4), dW = top_acceleration(q, W);
    const pkm_vec3 speed = pkm_vec3_cross(W, TOP_X);
    const pkm_vec3 a =
        pkm_quat_rotate(q, pkm_vec3_add(pkm_vec3_cross(dW, TOP_X), pkm_vec3_cross(W, speed)));
    put(pkm_quat_rotate(q, TOP_X), out.q);
    put_quat(q, out.q + 3);
    put(pkm_quat_rotate(q, speed), out.v);
    put(W, out.v + 3);
    put(a, out.vdot);
    put(dW, out.vdot + 3);
    put(pkm_vec3_scale(TOP_MASS, pkm_vec3_sub(TOP_G, a)), out.lambda);
    return out;
}

static void top_move(void* user, const double* q, const double* dx, double* out)
{
    (void)user;
    put(pkm_vec3_add(vec_at(q), vec_at(dx)), out);
    const pkm_quat turned = pkm_quat_mul(quat_at(q + 3), pkm_quat_from_rotvec(vec_at(dx + 3)));
    put_quat(pkm_quat_unit(turned), out + 3);
}

static pkm_status top_residual(void* user, const pkm_dae_point* at, double* r, double* phi,
                               double* zr)
{
    (void)user, (void)zr;
    const pkm_quat q = quat_at(at->q + 3);
    const pkm_vec3 W = vec_at(at->v + 3), lambda = vec_at(at->lambda);
    const pkm_vec3 pull = pkm_quat_rotate(pkm_quat_conj(q), lambda);
    const pkm_vec3 inertia = pkm_vec3_scale(TOP_MASS, pkm_vec3_sub(vec_at(at->vdot), TOP_G));
    put(pkm_vec3_add(inertia, lambda), r);
    const pkm_vec3 spin =
        pkm_vec3_add(times(TOP_J, vec_at(at->vdot + 3)), pkm_vec3_cross(W, times(TOP_J, W)));
    put(pkm_vec3_sub(spin, pkm_vec3_cross(TOP_X, pull)), r + 3);
    put(pkm_vec3_sub(vec_at(at->q), pkm_quat_rotate(q, TOP_X)), phi);
    return PKM_OK;
}

/// G = (I, R X~), G G' = R diag(2, 1, 2) R'.
static pkm_status top_project(void* user, double t, const double* q, double* v)
{
    (void)user, (void)t;
    const pkm_quat turn = quat_at(q + 3), back = pkm_quat_conj(turn);
    const pkm_vec3 x = pkm_quat_rotate(back, vec_at(v)), W = vec_at(v + 3);
    const pkm_vec3 gap = pkm_vec3_sub(x, pkm_vec3_cross(W, TOP_X));
    const pkm_vec3 s = {0.5 * gap.x, gap.y, 0.5 * gap.z};
    put(pkm_quat_rotate(turn, pkm_vec3_sub(x, s)), v);
    put(pkm_vec3_add(W, pkm_vec3_cross(TOP_X, s)), v + 3);
    return PKM_OK;
}

static const pkm_dae top = {.n_q = 7,
                            .n_v = 6,
                            .n_lambda = 3,
                            .move = top_move,
                            .residual = top_residual,
                            .project_velocity = top_project};
static const pkm_ode top_ode = {.n = 7, .rate = top_rate, .project = top_unit};
static const double TOP_START[7] = {1.0, 0.0, 0.0, 0.0, 0.0, 150.0, -4.61538};

static double top_drift(const pkm_dae_point* at)
{
    double phi[3], r[6];
    CHECK(top_residual(NULL, at, r, phi, NULL) == PKM_OK);
    return pkm_vec3_norm(vec_at(phi));
}

static errors run_top(const pkm_galpha_settings* settings, double t_end)
{
    errors e = {0};
    const top_values p = top_at(TOP_START);
    const pkm_galpha_start start = {p.q, p.v, p.vdot, p.lambda, NULL};
    pkm_rk* rk = reference_from(&top_ode, TOP_START);
    pkm_galpha* g = create(&top);
    CHECK(pkm_galpha_begin(g, &top, settings, 0.0, &start) == PKM_OK);
    while (pkm_galpha_time(g) < t_end) {
        const pkm_status status = pkm_galpha_step(g, t_end);
        CHECK(status == PKM_OK);
        if (status != PKM_OK) break;
        reference_to(rk, pkm_galpha_time(g));
        const top_values exact = top_at(pkm_rk_state(rk));
        const pkm_dae_point at = pkm_galpha_state(g);
        e.q = fmax(e.q, largest_difference(3, at.q, exact.q));
        e.v = fmax(e.v, largest_difference(3, at.v, exact.v));
        e.lambda = fmax(e.lambda, largest_difference(3, at.lambda, exact.lambda));
        e.phi = fmax(e.phi, top_drift(&at));
        if (pkm_galpha_time(g) <= 0.1 * t_end) e.early_lambda = e.lambda;
    }
    pkm_galpha_free(g);
    pkm_rk_free(rk);
    return e;
}

// The spin of 150 rad/s makes the rotation the hard part: with a quaternion moved on the group the
// error is that of the precession.
static void the_heavy_top_has_order_two_on_the_group(void)
{
    const pkm_galpha_settings coarse_steps = tolerance(FINE, 1.0 / 1000.0);
    const pkm_galpha_settings fine_steps = tolerance(FINE, 1.0 / 2000.0);
    const errors coarse = run_top(&coarse_steps, 1.0), fine = run_top(&fine_steps, 1.0);
    CHECK_NEAR(log2(coarse.q / fine.q), 2.0, 0.15);
    CHECK_NEAR(log2(coarse.v / fine.v), 2.0, 0.15);
    CHECK_NEAR(log2(coarse.lambda / fine.lambda), 2.0, 0.15);
    CHECK_NEAR(log2(coarse.early_lambda / fine.early_lambda), 2.0, 0.3);
    CHECK(fine.phi <= 1e-10);
}

int main(void)
{
    RUN(all_unknowns_have_order_two);
    RUN(little_energy_is_lost);
    RUN(adaptive_errors_follow_the_tolerance);
    RUN(backward_in_time_returns_to_the_start);
    RUN(the_heavy_top_has_order_two_on_the_group);
    return check_report();
}
