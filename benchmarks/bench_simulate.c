/// Forward dynamics of model D: one evaluation, and the 0.2 s motion driven open loop by its exact
/// torques until the platform is right to 1e-6 m everywhere on its way.
#include "analysis/robot.h"
#include "base/memory.h"
#include "bench.h"
#include "delta_d.h"
#include "dynamics/plant.h"
#include "solver/explicit_rk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TARGET_ERROR = 1e-6; // [m]

typedef struct bench {
    pkm_robot* robot;
    pkm_closed* closed;
    pkm_plant* plant;
    pkm_rk* rk;
    int n_q, n_v, n_y;
    double *y0, *atol, *dydt;
    double tolerance;
    double error; ///< of the last run [m]; only when `check`
    bool check;
    pkm_status status;
} bench;

/// The exact motion at `t`: platform, and the torques of the closed form.
static void exact(const bench* b, double t, pkm_frame_motion* tool, double* torque)
{
    double q[3], qd[3], qdd[3];
    pkm_closed_config config[2];
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    delta_stroke(t, q, qd, qdd);
    pkm_closed_direct_geometry(b->closed, q, config, 2, NULL);
    pkm_status status = pkm_closed_tool_motion(b->closed, &config[0], qd, qdd, tool);
    if (status == PKM_OK)
        status =
            pkm_closed_inverse_dynamics(b->closed, &config[0], tool, qd, qdd, none, none, torque);
    if (status != PKM_OK) torque[0] = NAN;
}

static void no_reference(void* user, double t, pkm_target* target)
{
    (void)user, (void)t, (void)target;
}

static pkm_status exact_force(void* user, double t, const pkm_state* state, const double* z,
                              double* force, double* z_rate)
{
    pkm_frame_motion tool;
    (void)state, (void)z, (void)z_rate;
    exact(user, t, &tool, force);
    return PKM_OK;
}

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    bench* b = user;
    pkm_state* state = b->robot->state;
    memcpy(state->q, y, (size_t)b->n_q * sizeof(double));
    memcpy(state->v, y + b->n_q, (size_t)b->n_v * sizeof(double));
    pkm_state_normalise(b->robot->mech, state->q);
    const pkm_status status = pkm_plant_evaluate(b->plant, t, NULL, NULL);
    pkm_state_position_rates(b->robot->mech, y, state->v, dydt);
    memcpy(dydt + b->n_q, state->a, (size_t)b->n_v * sizeof(double));
    return status;
}

static pkm_status project(void* user, double t, double* y)
{
    bench* b = user;
    pkm_state* state = b->robot->state;
    memcpy(state->q, y, (size_t)b->n_q * sizeof(double));
    memcpy(state->v, y + b->n_q, (size_t)b->n_v * sizeof(double));
    pkm_state_normalise(b->robot->mech, state->q);
    const pkm_status status = pkm_plant_project(b->plant, t);
    memcpy(y, state->q, (size_t)b->n_q * sizeof(double));
    memcpy(y + b->n_q, state->v, (size_t)b->n_v * sizeof(double));
    return status;
}

static void note_error(bench* b)
{
    pkm_frame_motion tool;
    double torque[3];
    exact(b, pkm_rk_time(b->rk), &tool, torque);
    const pkm_pose pose = pkm_state_marker_pose(b->robot->state, b->robot->mech->tool);
    const double off = pkm_vec3_norm(pkm_vec3_sub(pose.p, tool.pose.p));
    b->error = off > b->error ? off : b->error;
}

static void simulate(void* user, int k)
{
    bench* b = user;
    (void)k;
    const pkm_ode ode = {.n = b->n_y, .user = b, .rate = rate, .project = project};
    const pkm_rk_settings settings = {.rtol = b->tolerance, .atol = b->atol};
    for (int i = 0; i < b->n_y; ++i)
        b->atol[i] = b->tolerance;
    b->error = 0.0;
    pkm_status status = pkm_rk_begin(b->rk, &ode, &settings, 0.0, b->y0);
    while (status == PKM_OK && pkm_rk_time(b->rk) < DELTA_DURATION) {
        status = pkm_rk_step(b->rk, DELTA_DURATION);
        if (b->check) note_error(b);
    }
    b->status |= status;
}

static void evaluate(void* user, int k)
{
    bench* b = user;
    b->status |= rate(b, 0.1 * DELTA_DURATION * (k % 10), b->y0, b->dydt);
}

static int prepare(bench* b)
{
    pkm_error err = {0};
    const bool prescribed[PKM_MAX_DRIVE] = {false};
    const pkm_actuation actuation = {.user = b, .reference = no_reference, .force = exact_force};
    const pkm_plant_spec spec = {
        .structure = &b->robot->structure, .prescribed = prescribed, .actuation = &actuation};
    if (pkm_plant_create(b->robot->state, &spec, &b->plant, &err) != PKM_OK) return 1;
    b->n_q = b->robot->mech->n_q;
    b->n_v = b->robot->mech->n_v;
    b->n_y = b->n_q + b->n_v;
    b->y0 = pkm_alloc((size_t)b->n_y, sizeof(double));
    b->atol = pkm_alloc((size_t)b->n_y, sizeof(double));
    b->dydt = pkm_alloc((size_t)b->n_y, sizeof(double));
    if (!b->y0 || !b->atol || !b->dydt || pkm_rk_create(b->n_y, &b->rk) != PKM_OK) return 1;
    memcpy(b->y0, b->robot->q_home, (size_t)b->n_q * sizeof(double));
    return 0;
}

static int run(bench* b)
{
    if (prepare(b) != 0) return 1;
    bench_line("pkm engine forward (one evaluation)", bench_time(evaluate, b, 100), NAN, 0.0);
    b->check = true;
    for (b->tolerance = 1e-3; b->tolerance > 1e-14; b->tolerance *= 0.5) {
        simulate(b, 0);
        if (b->status != PKM_OK || b->error <= TARGET_ERROR) break;
    }
    const double error = b->error;
    b->check = false;
    bench_line("pkm simulate D1 to 1e-6 m (whole motion)", bench_time(simulate, b, 1), error, 2e6);
    return b->status == PKM_OK && error <= TARGET_ERROR ? 0 : 1;
}

int main(void)
{
    static bench b;
    pkm_error err = {0};
    b.closed = delta_closed_form();
    if (!b.closed) return 1;
    if (pkm_robot_load(PKM_SOURCE_DIR "/robots/bench/delta-d.yaml", NULL, 0, &b.robot, &err)) {
        fprintf(stderr, "bench_simulate: %s\n", err.text);
        return 1;
    }
    const int code = run(&b);
    pkm_rk_free(b.rk);
    pkm_plant_free(b.plant);
    pkm_free(b.y0);
    pkm_free(b.atol);
    pkm_free(b.dydt);
    pkm_robot_free(b.robot);
    pkm_closed_free(b.closed);
    return code;
}
