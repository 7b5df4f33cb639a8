/// The closed forms: inverse dynamics, inverse and direct geometry, a point of a condition map, and
/// the way from the tool's motion to the drives' forces, for every family; the rotary Delta is
/// model D.
#include "../tests/closed.h"
#include "bench.h"
#include "closed_robots.h"
#include "math/quat.h"
#include "workspace/workspace.h"

#include <stdio.h>
#include <string.h>

enum { N_SAMPLE = 50, MAX = PKM_CLOSED_MAX_DRIVE };

typedef struct sample {
    pkm_closed_config config;
    pkm_frame_motion tool;
    double qd[MAX], qdd[MAX];
} sample;

/// A closed form with instants of a motion near its home, and what the last call found: results are
/// kept, so that no call can be left out.
typedef struct bench {
    const pkm_closed* closed;
    sample sample[N_SAMPLE];
    pkm_closed_config found[PKM_CLOSED_MAX_BRANCH];
    double force[MAX], condition;
    int n_found;
    pkm_status status;
} bench;

static void inverse_dynamics(void* user, int k)
{
    bench* b = user;
    const sample* s = &b->sample[k];
    const pkm_vec3 load = {1.0, 2.0, 3.0}, torque = {0.1, 0.2, 0.3};
    b->status |= pkm_closed_inverse_dynamics(b->closed, &s->config, &s->tool, s->qd, s->qdd, load,
                                             torque, b->force);
}

static void inverse_geometry_first(void* user, int k)
{
    bench* b = user;
    b->n_found = pkm_closed_inverse_geometry(b->closed, &b->sample[k].tool.pose, b->found, 1, NULL);
}

static void inverse_geometry_all(void* user, int k)
{
    bench* b = user;
    b->n_found = pkm_closed_inverse_geometry(b->closed, &b->sample[k].tool.pose, b->found,
                                             PKM_CLOSED_MAX_BRANCH, NULL);
}

static void direct_geometry_all(void* user, int k)
{
    bench* b = user;
    b->n_found = pkm_closed_direct_geometry(b->closed, b->sample[k].config.q, b->found,
                                            PKM_CLOSED_MAX_BRANCH, NULL);
}

static void map_point(void* user, int k)
{
    bench* b = user;
    pkm_workspace_closed data = {
        .closed = b->closed, .orientation = b->sample[k].tool.pose.q, .branch = PKM_NONE};
    pkm_workspace_sample point = {.reachable = false};
    b->status |= pkm_workspace_sample_closed(&data, &b->sample[k].tool.pose.p, &point);
    b->condition = point.condition;
}

/// What a controller asks: the tool's motion is known, the forces are wanted.
static void tool_to_forces(void* user, int k)
{
    bench* b = user;
    const pkm_frame_motion* tool = &b->sample[k].tool;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    double qd[MAX], qdd[MAX];
    inverse_geometry_first(user, k);
    b->status |= closed_drive_motion(b->closed, b->found, tool, qd, qdd);
    b->status |=
        pkm_closed_inverse_dynamics(b->closed, b->found, tool, qd, qdd, none, none, b->force);
}

/// A small round trip of all components that move, 10 mm and 0.05 rad about `home`.
static pkm_frame_motion small_motion(unsigned moves, const pkm_pose* home, int k)
{
    double x[6], v[6], a[6];
    for (int component = 0; component < 6; ++component) {
        const double size = !(moves >> component & 1u) ? 0.0 : component < 3 ? 0.01 : 0.05;
        const double rate = 20.0 + component, angle = 2.0 * M_PI * k / N_SAMPLE + component;
        x[component] = size * sin(angle);
        v[component] = size * rate * cos(angle);
        a[component] = -size * rate * rate * sin(angle);
    }
    const pkm_quat turn = pkm_quat_from_rotvec(pkm_vec3_make(x[3], x[4], x[5]));
    return (pkm_frame_motion){
        .pose = {pkm_vec3_add(home->p, pkm_vec3_make(x[0], x[1], x[2])),
                 pkm_quat_mul(turn, home->q)},
        .v = {v[0], v[1], v[2]},
        .w = {v[3], v[4], v[5]},
        .a = {a[0], a[1], a[2]},
        .alpha = {a[3], a[4], a[5]},
    };
}

/// Fill the samples on the branch that comes first at home; false when one is out of reach.
static bool make_samples(bench* b, const pkm_pose* home)
{
    const unsigned moves = pkm_closed_get_family(b->closed)->moves;
    if (pkm_closed_inverse_geometry(b->closed, home, b->found, 1, NULL) != 1) return false;
    const int branch = b->found[0].branch;
    for (int k = 0; k < N_SAMPLE; ++k) {
        sample* s = &b->sample[k];
        s->tool = small_motion(moves, home, k);
        inverse_geometry_all(b, k);
        int at = 0;
        while (at < b->n_found && b->found[at].branch != branch)
            ++at;
        if (at == b->n_found) return false;
        s->config = b->found[at];
        if (closed_drive_motion(b->closed, &s->config, &s->tool, s->qd, s->qdd) != PKM_OK)
            return false;
    }
    return true;
}

static void report(bench* b, const char* what, bench_call call, double target)
{
    char name[96];
    const char* family = pkm_closed_get_family(b->closed)->name;
    snprintf(name, sizeof name, "pkm closed %s: %s", family, what);
    bench_line(name, bench_time(call, b, N_SAMPLE), NAN, target);
}

/// All lines of one family. False when something failed on the way.
static bool run(const closed_robot* robot, const pkm_closed* closed)
{
    static bench b;
    memset(&b, 0, sizeof b);
    b.closed = closed;
    const pkm_pose home = {robot->home, pkm_quat_identity()};
    if (!make_samples(&b, &home)) return false;
    report(&b, "inverse dynamics", inverse_dynamics, robot->target);
    report(&b, "tool motion to forces", tool_to_forces, 0.0);
    report(&b, "inverse geometry (first branch)", inverse_geometry_first, 0.0);
    report(&b, "inverse geometry (all branches)", inverse_geometry_all, 0.0);
    report(&b, "direct geometry (all modes)", direct_geometry_all, 0.0);
    // The Delta's target: a million points in 0.3 s.
    report(&b, "point of a condition map", map_point, strcmp(robot->family, "delta") ? 0.0 : 300.0);
    return b.status == PKM_OK;
}

int main(void)
{
    int n_robot = 0;
    const closed_robot* robot = closed_robots(&n_robot);
    bool ok = true;
    for (int k = 0; k < n_robot; ++k) {
        pkm_closed* closed = closed_robot_create(&robot[k]);
        const bool ran = closed && run(&robot[k], closed);
        if (!ran) fprintf(stderr, "bench_closed: %s failed\n", robot[k].family);
        ok = ok && ran;
        pkm_closed_free(closed);
    }
    return ok ? 0 : 1;
}
