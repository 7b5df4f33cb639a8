/// Forward dynamics of model D: one evaluation, and the 0.2 s motion driven open loop by its exact
/// torques until the platform is right to 1e-6 m everywhere on its way.
#include "base/memory.h"
#include "bench.h"
#include "delta_d.h"
#include "dynamics/kinematics.h"
#include "plant_ode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TARGET_ERROR = 1e-6; // [m]

typedef struct bench {
    pkm_closed* closed;
    plant_ode ode;
    delta_instant instant[DELTA_N_INSTANT];
    double* y; ///< the states at the instants
    double tolerance;
    bool check;   ///< whether a run notes its error
    double error; ///< largest on the way [m]
    pkm_status status;
} bench;

static pkm_status exact_force(void* user, double t, const pkm_state* state, const double* z,
                              double* force, double* z_rate)
{
    const bench* b = user;
    pkm_frame_motion tool;
    (void)state, (void)z, (void)z_rate;
    return delta_exact(b->closed, t, &tool, force) ? PKM_OK : PKM_RETRY;
}

static void note_error(bench* b)
{
    const pkm_robot* robot = b->ode.robot;
    plant_ode_place(&b->ode);
    const pkm_pose pose = pkm_state_marker_pose(robot->state, robot->mech->tool);
    const double off = delta_distance(b->closed, pkm_rk_time(b->ode.rk), pose.p);
    b->error = bench_larger(b->error, off, 0.0);
}

static void simulate(void* user, int k)
{
    bench* b = user;
    (void)k;
    b->error = 0.0;
    pkm_status status = plant_ode_begin(&b->ode, b->tolerance, 0.0);
    while (status == PKM_OK && pkm_rk_time(b->ode.rk) < DELTA_DURATION) {
        status = pkm_rk_step(b->ode.rk, DELTA_DURATION);
        if (b->check) note_error(b);
    }
    b->status |= status;
}

static double* state_at(const bench* b, int k)
{
    return b->y + (size_t)k * (size_t)(b->ode.n_q + b->ode.n_v);
}

/// The states at the instants, from a run whose errors are of the size of rounding.
static void record(bench* b)
{
    const size_t size = (size_t)(b->ode.n_q + b->ode.n_v) * sizeof(double);
    pkm_status status = plant_ode_begin(&b->ode, 1e-13, 0.0);
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        while (status == PKM_OK && pkm_rk_time(b->ode.rk) < b->instant[k].t)
            status = pkm_rk_step(b->ode.rk, b->instant[k].t);
        memcpy(state_at(b, k), pkm_rk_state(b->ode.rk), size);
    }
    b->status |= status;
}

static void evaluate(void* user, int k)
{
    bench* b = user;
    b->status |= plant_ode_evaluate(&b->ode, b->instant[k].t, state_at(b, k));
}

/// Largest error of the platform's acceleration, relative to its largest component.
static double acceleration_error(bench* b)
{
    pkm_state* state = b->ode.robot->state;
    double worst = 0.0, largest = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        evaluate(b, k);
        pkm_kinematics_acceleration(state, state->a);
        const pkm_vec3 a = pkm_state_marker_motion(state, b->ode.robot->mech->tool).a;
        const pkm_vec3 exact = b->instant[k].a;
        const double found[3] = {a.x, a.y, a.z}, right[3] = {exact.x, exact.y, exact.z};
        for (int i = 0; i < 3; ++i) {
            worst = bench_larger(worst, found[i], right[i]);
            largest = bench_larger(largest, right[i], 0.0);
        }
    }
    return worst / largest;
}

/// The loosest tolerance with which the platform is right everywhere.
static void tune(bench* b)
{
    b->check = true;
    for (b->tolerance = 1e-3; b->tolerance > 1e-14; b->tolerance *= 0.5) {
        simulate(b, 0);
        if (b->status != PKM_OK || b->error <= TARGET_ERROR) break;
    }
    b->check = false;
}

static int run(bench* b)
{
    record(b);
    bench_line("pkm engine forward (one evaluation)", bench_time(evaluate, b, DELTA_N_INSTANT),
               acceleration_error(b), 4500.0);
    tune(b);
    const double error = b->error;
    bench_line("pkm simulate D1 to 1e-6 m (whole motion)", bench_time(simulate, b, 1), error, 2e6);
    return b->status == PKM_OK && error <= TARGET_ERROR ? 0 : 1;
}

static pkm_status prepare(bench* b, pkm_robot* robot, pkm_error* err)
{
    const pkm_status status = plant_ode_create(robot, exact_force, b, &b->ode, err);
    if (status != PKM_OK) return status;
    b->y = pkm_alloc(DELTA_N_INSTANT * (size_t)(b->ode.n_q + b->ode.n_v), sizeof(double));
    return b->y ? PKM_OK : PKM_ERR_MEMORY;
}

int main(void)
{
    static bench b;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    b.closed = delta_closed_form();
    pkm_status status =
        pkm_robot_load(PKM_SOURCE_DIR "/robots/bench/delta-d.yaml", NULL, 0, &robot, &err);
    if (status == PKM_OK) status = prepare(&b, robot, &err);
    if (status != PKM_OK) fprintf(stderr, "bench_simulate: %s\n", err.text);
    const bool ready = status == PKM_OK && b.closed && delta_instants(b.instant);
    const int code = ready ? run(&b) : 1;
    plant_ode_free(&b.ode);
    pkm_free(b.y);
    pkm_robot_free(robot);
    pkm_closed_free(b.closed);
    return code;
}
