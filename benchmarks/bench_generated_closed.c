/// The closed forms as code of `pkm export c` against the closed forms of the library, which are
/// bespoke code of each family: from the tool's motion to the forces of the drives. The target of
/// the code is 1.2 of the library's time.
#include "../tests/closed.h"
#include "bench.h"
#include "delta_siax_d3_1600.h"
#include "isoglide4_t3r1.h"
#include "isoglide_t3.h"
#include "linear_delta.h"
#include "math/quat.h"
#include "robot/robot.h"
#include "robot_1prrr_2prpar.h"
#include "robot_3_pprs.h"
#include "robot_3_ppsr.h"
#include "triglide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_TICK = 50, MAX = PKM_CLOSED_MAX_DRIVE };

/// A small round trip of the tool about home, in the terms of both.
typedef struct trip {
    const pkm_robot* robot;
    void (*code)(struct trip* t, int k, double* force);
    pkm_frame_motion tool[N_TICK];
    double p[N_TICK][3], R[N_TICK][9], twist[N_TICK][6], rate[N_TICK][6];
    double drive[MAX], v[MAX], a[MAX], force[MAX];
    int failed;
} trip;

/// The call of the generated code NAME, with a state that stays at home.
#define CALL(NAME)                                                                                 \
    static void call_##NAME(trip* t, int k, double* force)                                         \
    {                                                                                              \
        static const double none[6];                                                               \
        static struct NAME##_state state;                                                          \
        t->failed += NAME##_inverse(&state, t->p[k], t->R[k], t->twist[k], t->rate[k], none,       \
                                    t->drive, t->v, t->a, force);                                  \
    }
CALL(delta_siax_d3_1600)
CALL(linear_delta)
CALL(triglide)
CALL(robot_3_pprs)
CALL(robot_3_ppsr)
CALL(isoglide_t3)
CALL(isoglide4_t3r1)
CALL(robot_1prrr_2prpar)

static const struct {
    const char* model;
    void (*code)(trip* t, int k, double* force);
} ROBOTS[] = {{"siax", call_delta_siax_d3_1600},  {"lindelta", call_linear_delta},
              {"triglide", call_triglide},        {"3pprs", call_robot_3_pprs},
              {"3ppsr", call_robot_3_ppsr},       {"isoglideT3", call_isoglide_t3},
              {"isoglide4", call_isoglide4_t3r1}, {"prrr2prpar", call_robot_1prrr_2prpar}};

static void put_vec3(double* to, pkm_vec3 a, pkm_vec3 b)
{
    const double all[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    memcpy(to, all, sizeof all);
}

/// 10 mm and 0.05 rad of every component that moves.
static void make_trip(trip* t)
{
    const unsigned moves = pkm_closed_get_family(t->robot->closed)->moves;
    const pkm_pose home = t->robot->tool_home;
    for (int k = 0; k < N_TICK; ++k) {
        double x[6], v[6], a[6];
        for (int c = 0; c < 6; ++c) {
            const double size = !(moves >> c & 1u) ? 0.0 : c < 3 ? 0.01 : 0.05;
            const double rate = 20.0 + c, angle = 2.0 * M_PI * k / N_TICK + c;
            x[c] = size * sin(angle);
            v[c] = size * rate * cos(angle);
            a[c] = -size * rate * rate * sin(angle);
        }
        const pkm_quat turn = pkm_quat_from_rotvec(pkm_vec3_make(x[3], x[4], x[5]));
        const pkm_frame_motion tool = {
            .pose = {pkm_vec3_add(home.p, pkm_vec3_make(x[0], x[1], x[2])),
                     pkm_quat_mul(turn, home.q)},
            .v = {v[0], v[1], v[2]},
            .w = {v[3], v[4], v[5]},
            .a = {a[0], a[1], a[2]},
            .alpha = {a[3], a[4], a[5]},
        };
        const pkm_mat3 R = pkm_mat3_from_quat(tool.pose.q);
        const double axes[9] = {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
        t->tool[k] = tool;
        memcpy(t->p[k], &tool.pose.p, sizeof t->p[k]);
        memcpy(t->R[k], axes, sizeof axes);
        put_vec3(t->twist[k], tool.v, tool.w);
        put_vec3(t->rate[k], tool.a, tool.alpha);
    }
}

/// The library, at the first solution or, `all`, at that of home's branch.
static bool library(trip* t, int k, bool all, double* force)
{
    const pkm_closed* closed = t->robot->closed;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    static pkm_closed_config found[PKM_CLOSED_MAX_BRANCH];
    const int n = pkm_closed_inverse_geometry(closed, &t->tool[k].pose, found,
                                              all ? PKM_CLOSED_MAX_BRANCH : 1, NULL);
    int at = 0;
    while (all && at < n && found[at].branch != t->robot->closed_home.branch)
        ++at;
    return at < n && closed_drive_motion(closed, &found[at], &t->tool[k], t->v, t->a) == PKM_OK &&
           pkm_closed_inverse_dynamics(closed, &found[at], &t->tool[k], t->v, t->a, none, none,
                                       force) == PKM_OK;
}

static void time_library(void* user, int k)
{
    trip* t = user;
    t->failed += !library(t, k, false, t->force);
}

static void time_code(void* user, int k)
{
    trip* t = user;
    t->code(t, k, t->force);
}

/// Largest difference of forces in the branch of home, relative to the largest force.
static double difference(trip* t)
{
    double largest = 0.0, worst = 0.0;
    for (int k = 0; k < N_TICK; ++k) {
        double wanted[MAX], is[MAX];
        t->failed += !library(t, k, true, wanted);
        t->code(t, k, is);
        for (int d = 0; d < t->robot->mech->n_drive; ++d) {
            largest = bench_larger(largest, wanted[d], 0.0);
            worst = bench_larger(worst, is[d], wanted[d]);
        }
    }
    return worst / largest;
}

int main(void)
{
    int failed = 0;
    for (size_t r = 0; r < sizeof ROBOTS / sizeof ROBOTS[0]; ++r) {
        static trip t;
        char path[512], name[128];
        pkm_robot* robot = NULL;
        snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, ROBOTS[r].model);
        if (pkm_robot_load(path, NULL, 0, &robot, NULL) != PKM_OK || !robot->closed) return 1;
        t = (trip){.robot = robot, .code = ROBOTS[r].code};
        make_trip(&t);
        const char* family = pkm_closed_get_family(robot->closed)->name;
        const double error = difference(&t), bespoke = bench_time(time_library, &t, N_TICK);
        snprintf(name, sizeof name, "pkm closed %s of the library: tool motion to forces", family);
        bench_line(name, bespoke, NAN, 0.0);
        snprintf(name, sizeof name, "pkm generated code %s closed: tool motion to forces", family);
        bench_line(name, bench_time(time_code, &t, N_TICK), error, 1.2 * bespoke);
        failed += t.failed;
        pkm_robot_free(robot);
    }
    if (failed > 0) fprintf(stderr, "bench_generated_closed: %d calls failed\n", failed);
    return failed > 0;
}
