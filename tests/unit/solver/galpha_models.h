/// What the tests of the generalised-alpha integrator share: fine references by the explicit
/// integrator, settings, and a pendulum with friction.
#ifndef PKM_TESTS_GALPHA_MODELS_H
#define PKM_TESTS_GALPHA_MODELS_H

#include "check.h"
#include "solver/explicit_rk.h"
#include "solver/galpha.h"

enum { MOST = 8 };
static const double TIGHT[MOST] = {1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13};
static const double GRAVITY = 9.81;

/// Advance an explicit reference to t.
static inline void reference_to(pkm_rk* rk, double t)
{
    while (pkm_rk_time(rk) != t) {
        const pkm_status status = pkm_rk_step(rk, t);
        CHECK(status == PKM_OK);
        if (status != PKM_OK) return;
    }
}

static inline pkm_rk* reference_from(const pkm_ode* ode, const double* y0)
{
    pkm_rk* rk = NULL;
    const pkm_rk_settings settings = {.rtol = 1e-13, .atol = TIGHT};
    CHECK(pkm_rk_create(ode->n, &rk) == PKM_OK);
    CHECK(pkm_rk_begin(rk, ode, &settings, 0.0, y0) == PKM_OK);
    return rk;
}

static inline pkm_galpha* create(const pkm_dae* dae)
{
    pkm_galpha* g = NULL;
    CHECK(pkm_galpha_create(dae, &g) == PKM_OK);
    return g;
}

static inline pkm_status run_to(pkm_galpha* g, double t)
{
    pkm_status status = PKM_OK;
    while (status == PKM_OK && pkm_galpha_time(g) != t)
        status = pkm_galpha_step(g, t);
    return status;
}

/// Tolerances of all kinds; with a step, fixed steps of that length and a tight iteration.
static inline pkm_galpha_settings tolerance(const double* atol, double fixed_step)
{
    pkm_galpha_settings s = pkm_galpha_defaults();
    s.rtol = atol[0];
    s.atol_q = s.atol_v = s.atol_z = s.atol_lambda = atol;
    s.lambda_rtol = 1e-9;
    s.first_step = fixed_step;
    s.is_fixed = fixed_step > 0.0;
    return s;
}
static const double FINE[MOST] = {1e-10, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10};

static inline double largest_difference(int n, const double* a, const double* b)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// ---- a pendulum in Cartesian coordinates -------------------------------------------------------
// A mass of 1 kg on a rod of 1 m with a pivot of friction: the friction force on the mass is
// -mu |lambda| tanh(speed / 0.05) along the path. The rod pulls with lambda = v^2 + g cos(angle),
// which friction along the path does not change, so the angle has an explicit equation:
//     angle'' = -g sin(angle) - mu |lambda| tanh(angle' / 0.05)
// z is the energy lost in friction.

static const double SMOOTHING = 0.05;

static inline double angle_acceleration(double mu, const double* y)
{
    const double pull = y[1] * y[1] + GRAVITY * cos(y[0]);
    return -GRAVITY * sin(y[0]) - mu * fabs(pull) * tanh(y[1] / SMOOTHING);
}

/// y = (angle, angle', energy lost)
static inline pkm_status angle_rate(void* user, double t, const double* y, double* dydt)
{
    (void)t;
    const double mu = *(const double*)user;
    dydt[0] = y[1];
    dydt[1] = angle_acceleration(mu, y);
    const double pull = y[1] * y[1] + GRAVITY * cos(y[0]);
    dydt[2] = mu * fabs(pull) * tanh(y[1] / SMOOTHING) * y[1];
    return PKM_OK;
}

typedef struct pendulum_values {
    double q[2], v[2], vdot[2], lambda[1], z[1];
} pendulum_values;

static inline pendulum_values pendulum_at(double mu, const double* y)
{
    const double s = sin(y[0]), c = cos(y[0]), w = y[1], dw = angle_acceleration(mu, y);
    return (pendulum_values){.q = {s, -c},
                             .v = {c * w, s * w},
                             .vdot = {c * dw - s * w * w, s * dw + c * w * w},
                             .lambda = {w * w + GRAVITY * c},
                             .z = {y[2]}};
}

static inline void plane_move(void* user, const double* q, const double* dx, double* out)
{
    (void)user;
    out[0] = q[0] + dx[0];
    out[1] = q[1] + dx[1];
}

static inline pkm_status pendulum_residual(void* user, const pkm_dae_point* at, double* r,
                                           double* phi, double* zr)
{
    const double mu = *(const double*)user;
    const double *q = at->q, *v = at->v, lambda = at->lambda[0];
    const double along = (q[0] * v[1] - q[1] * v[0]); // speed along the path
    const double friction = mu * fabs(lambda) * tanh(along / SMOOTHING);
    r[0] = at->vdot[0] + lambda * q[0] - friction * q[1];
    r[1] = at->vdot[1] + lambda * q[1] + friction * q[0] + GRAVITY;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    zr[0] = at->zdot[0] - friction * along;
    return PKM_OK;
}

static inline pkm_status pendulum_project(void* user, double t, const double* q, double* v)
{
    (void)user, (void)t;
    const double out = (q[0] * v[0] + q[1] * v[1]) / (q[0] * q[0] + q[1] * q[1]);
    v[0] -= out * q[0];
    v[1] -= out * q[1];
    return PKM_OK;
}

static inline pkm_dae pendulum(double* mu)
{
    return (pkm_dae){.n_q = 2,
                     .n_v = 2,
                     .n_lambda = 1,
                     .n_z = 1,
                     .user = mu,
                     .move = plane_move,
                     .residual = pendulum_residual,
                     .project_velocity = pendulum_project};
}

static const double PENDULUM_START[3] = {1.5, 0.8, 0.0};

#endif
