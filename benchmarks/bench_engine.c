/// The general engine on model D: inverse dynamics with all coordinates given, and with the loops
/// solved on the way along the motion. Errors are against the closed form.
#include "base/memory.h"
#include "bench.h"
#include "delta_d.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "robot/continuation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FINE = 4 };

typedef struct bench {
    pkm_robot* robot;
    pkm_follower follower;
    delta_instant instant[DELTA_N_INSTANT];
    double* coordinates; ///< q, v, a of every instant
    double force[PKM_MAX_DRIVE];
    double error;
    pkm_status status;
} bench;

static double* coordinates_at(const bench* b, int k)
{
    const size_t size = (size_t)(b->robot->mech->n_q + 2 * b->robot->mech->n_v);
    return b->coordinates + (size_t)k * size;
}

static void note_error(bench* b, int k)
{
    for (int i = 0; i < 3; ++i)
        b->error = bench_larger(b->error, b->force[i], b->instant[k].limb[i].torque);
}

/// Positions from Newton's method, velocities, accelerations, forces: the whole way to time `t`,
/// the watch for singularities included. Rows further apart than 1/256 of the motion take several
/// steps.
static void follow_to(bench* b, double t, bool first)
{
    pkm_error err;
    if (first) { // back to the start of the motion
        b->status |= pkm_follow_begin(b->robot, b->follower.motion, &b->follower, &err);
        b->status |= pkm_follow_to(&b->follower, 0.0, &err);
    }
    b->status |= pkm_follow_to(&b->follower, t, &err);
    pkm_inverse_forces(b->robot->state);
    pkm_inverse_drive_forces(b->robot->state, b->force);
}

static void with_loops(void* user, int k)
{
    bench* b = user;
    follow_to(b, b->instant[k].t, k == 0);
}

/// The same with FINE rows for each of the instants, which row 4 k + 2 meets.
static void with_loops_fine(void* user, int k)
{
    follow_to(user, k * DELTA_DURATION / (FINE * DELTA_N_INSTANT), k == 0);
}

static void all_given(void* user, int k)
{
    bench* b = user;
    pkm_state* state = b->robot->state;
    const size_t n_q = (size_t)b->robot->mech->n_q, n_v = (size_t)b->robot->mech->n_v;
    const double* from = coordinates_at(b, k);
    memcpy(state->q, from, n_q * sizeof(double));
    memcpy(state->v, from + n_q, n_v * sizeof(double));
    memcpy(state->a, from + n_q + n_v, n_v * sizeof(double));
    pkm_kinematics_position(state);
    pkm_kinematics_velocity(state);
    pkm_kinematics_acceleration(state, state->a);
    pkm_rows_closures(state);
    b->status |= pkm_solve_factor(state, PKM_GIVEN_DRIVES);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, b->force);
}

/// Keep the coordinates of every instant, and the error of the way there.
static void record(bench* b)
{
    const size_t n_q = (size_t)b->robot->mech->n_q, n_v = (size_t)b->robot->mech->n_v;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        with_loops(b, k);
        note_error(b, k);
        double* to = coordinates_at(b, k);
        memcpy(to, b->robot->state->q, n_q * sizeof(double));
        memcpy(to + n_q, b->robot->state->v, n_v * sizeof(double));
        memcpy(to + n_q + n_v, b->robot->state->a, n_v * sizeof(double));
    }
}

static int run(bench* b)
{
    pkm_motion* motion;
    pkm_error err;
    if (pkm_robot_find_motion(b->robot, NULL, &motion, NULL, &err) != PKM_OK) return 1;
    b->follower.motion = motion;
    const double largest = delta_largest_torque(b->instant);

    const size_t before = pkm_alloc_count();
    record(b);
    const double loop_error = b->error / largest;
    b->error = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        all_given(b, k);
        note_error(b, k);
    }
    if (pkm_alloc_count() != before) {
        fprintf(stderr, "bench_engine: an instant allocates memory\n");
        return 1;
    }
    bench_line("pkm engine inverse (all coordinates given)",
               bench_time(all_given, b, DELTA_N_INSTANT), b->error / largest, 5000.0);
    bench_line("pkm engine inverse (with loops; 100 rows)",
               bench_time(with_loops, b, DELTA_N_INSTANT), loop_error, 0.0);
    b->error = 0.0;
    for (int k = 0; k < FINE * DELTA_N_INSTANT; ++k) {
        with_loops_fine(b, k);
        if (k % FINE == FINE / 2) note_error(b, k / FINE);
    }
    bench_line("pkm engine inverse (with loops; 400 rows)",
               bench_time(with_loops_fine, b, FINE * DELTA_N_INSTANT), b->error / largest, 5500.0);
    return b->status == PKM_OK ? 0 : 1;
}

int main(void)
{
    static bench b;
    pkm_error err;
    if (!delta_instants(b.instant)) return 1;
    if (pkm_robot_load(PKM_SOURCE_DIR "/robots/bench/delta-d.yaml", NULL, 0, &b.robot, &err)) {
        fprintf(stderr, "bench_engine: %s\n", err.text);
        return 1;
    }
    const size_t size = (size_t)(b.robot->mech->n_q + 2 * b.robot->mech->n_v);
    b.coordinates = pkm_alloc(DELTA_N_INSTANT * size, sizeof(double));
    const int code = b.coordinates ? run(&b) : 1;
    pkm_free(b.coordinates);
    pkm_robot_free(b.robot);
    return code;
}
