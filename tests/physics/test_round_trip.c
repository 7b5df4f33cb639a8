/// Inverse then direct kinematics of the engine returns the pose, on every robot; Jacobians against
/// differences and against the closed forms. PKM_CAMPAIGN=full goes to a thousand poses of each.
#include "closed.h"
#include "engine.h"
#include "pkm/kinematics.h"
#include "robot/continuation.h"

#include <stdlib.h>

enum { N_POSE = 150, N_FULL = 1000, N_JACOBIAN = 5 };

/// How far poses may be from home [robot sizes, rad]. Home of two robots is near to a parallel
/// singularity, and poses beyond it belong to another assembly mode.
static double reach_of(const char* name)
{
    if (strcmp(name, "triglide") == 0) return 0.005;
    return strcmp(name, "prrr2prpar") == 0 ? 0.04 : 0.12;
}

/// Home, moved at random by up to `share` of the reach in what the tool can do.
static pkm_target random_target(const pkm_robot* robot, const char* name, double share,
                                unsigned* seed)
{
    const double reach = share * reach_of(name);
    pkm_target target = {.tool.pose = robot->tool_home};
    double by[6];
    for (int k = 0; k < 6; ++k) {
        const double amount = reach * engine_noise(seed) * (k < 3 ? robot->mech->size : 1.0);
        by[k] = robot->structure.moves & (1u << k) ? amount : 0.0;
    }
    const pkm_quat turn = pkm_quat_from_rotvec((pkm_vec3){by[3], by[4], by[5]});
    target.tool.pose.p = pkm_vec3_add(target.tool.pose.p, (pkm_vec3){by[0], by[1], by[2]});
    target.tool.pose.q = pkm_quat_mul(turn, target.tool.pose.q);
    return target;
}

/// How far apart two poses are [m + rad].
static double pose_gap(pkm_pose a, pkm_pose b)
{
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(a.q, pkm_quat_conj(b.q)));
    return pkm_vec3_norm(pkm_vec3_sub(a.p, b.p)) + pkm_vec3_norm(turn);
}

static pkm_pose tool_now(const pkm_robot* robot)
{
    return pkm_state_marker_pose(robot->state, robot->mech->tool);
}

static pkm_target drives_now(const pkm_robot* robot)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    for (int d = 0; d < robot->mech->n_drive; ++d)
        target.q[d] = pkm_state_drive_position(robot->state, d);
    return target;
}

/// One pose there and back; false when it is out of reach from home.
static bool round_trip(pkm_robot* robot, const pkm_target* target, double* gap)
{
    pkm_robot_go_home(robot);
    if (pkm_follow_target(robot, PKM_GIVEN_TOOL, target, "pose", NULL) != PKM_OK) return false;
    const pkm_pose there = tool_now(robot);
    const pkm_target drives = drives_now(robot);
    pkm_robot_go_home(robot);
    if (pkm_follow_target(robot, PKM_GIVEN_DRIVES, &drives, "drives", NULL) != PKM_OK) return false;
    *gap = pose_gap(tool_now(robot), there);

    // components that the tool can choose are those that were asked for
    if (robot->structure.moves == 077 || robot->structure.moves == 007)
        *gap = fmax(*gap, pose_gap(there, target->tool.pose));
    return true;
}

static void inverse_then_direct_returns_the_pose(void)
{
    const int n_pose = getenv("PKM_CAMPAIGN") ? N_FULL : N_POSE, n_try = n_pose + n_pose / 20;
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        unsigned seed = 17u + (unsigned)i;
        int n = 0;
        double worst = 0.0;
        for (int k = 0; k < n_try && n < n_pose; ++k) {
            const pkm_target target = random_target(robot, engine_robots[i], 1.0, &seed);
            double gap = 0.0;
            if (!round_trip(robot, &target, &gap)) continue;
            ++n;
            worst = fmax(worst, gap);
        }
        if (n < n_pose || !(worst < 1e-10))
            printf("    %s: %d poses, worst %g\n", engine_robots[i], n, worst);
        CHECK(n == n_pose);
        CHECK(worst < 1e-10);
        pkm_robot_free(robot);
    }
}

// ---- Jacobians --------------------------------------------------------------------------------

/// Column d of the Jacobian from poses at four drive positions, errors of fourth order.
static bool difference_column(pkm_robot* robot, const pkm_target* at, int d, double h, double* out)
{
    static const double step[4] = {-2.0, -1.0, 1.0, 2.0};
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    const pkm_pose middle = tool_now(robot);
    double sum[6] = {0.0};
    for (int k = 0; k < 4; ++k) {
        pkm_target target = *at;
        target.q[d] += step[k] * h;
        if (pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "step", NULL) != PKM_OK)
            return false;
        const pkm_pose now = tool_now(robot);
        const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(now.q, pkm_quat_conj(middle.q)));
        const pkm_vec3 shift = pkm_vec3_sub(now.p, middle.p);
        const double value[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        for (int c = 0; c < 6; ++c)
            sum[c] += weight[k] * value[c] / h;
    }
    memcpy(out, sum, sizeof sum);
    return pkm_follow_target(robot, PKM_GIVEN_DRIVES, at, "back", NULL) == PKM_OK;
}

static double largest_entry(const pkm_dexterity* d)
{
    double largest = 0.0;
    for (int k = 0; k < 6 * d->n_drive; ++k)
        largest = fmax(largest, fabs(d->J[k]));
    return largest;
}

static void jacobians_meet_differences(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        unsigned seed = 5;
        for (int k = 0; k < N_JACOBIAN; ++k) {
            const pkm_target target = random_target(robot, engine_robots[i], k > 0, &seed);
            pkm_dexterity d;
            pkm_robot_go_home(robot);
            CHECK(pkm_follow_target(robot, PKM_GIVEN_TOOL, &target, "pose", NULL) == PKM_OK);
            CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
            CHECK(d.has_J && !d.parallel && !d.serial && !d.constraint);
            const pkm_target at = drives_now(robot);
            for (int m = 0; m < d.n_drive; ++m) {
                double column[6];
                const double h = 2e-5 * (robot->mech->drive[m].is_rotary ? 1 : robot->mech->size);
                CHECK(difference_column(robot, &at, m, h, column));
                for (int c = 0; c < 6; ++c)
                    CHECK_NEAR(d.J[6 * m + c], column[c], 1e-8 * largest_entry(&d));
            }
        }
        pkm_robot_free(robot);
    }
}

/// The closed form's configuration where the engine stands.
static bool closed_config(pkm_robot* robot, pkm_closed_config* out)
{
    pkm_branches branches;
    const pkm_pose pose = tool_now(robot);
    if (pkm_branches_inverse(robot, &pose, &branches, NULL) != PKM_OK) return false;
    double least = HUGE_VAL;
    for (int b = 0; b < branches.n; ++b) {
        double off = 0.0;
        for (int d = 0; d < robot->mech->n_drive; ++d)
            off += fabs(branches.config[b].q[d] - pkm_state_drive_position(robot->state, d));
        if (!(off < least)) continue;
        least = off;
        *out = branches.config[b];
    }
    return least < HUGE_VAL;
}

static void jacobians_meet_the_closed_forms(void)
{
    int n_compared = 0;
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        unsigned seed = 23;
        for (int k = 0; robot->closed && k < 20; ++k) {
            const pkm_target target = random_target(robot, engine_robots[i], 1.0, &seed);
            pkm_dexterity d;
            pkm_closed_config config;
            double J[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
            pkm_robot_go_home(robot);
            if (pkm_follow_target(robot, PKM_GIVEN_TOOL, &target, "pose", NULL) != PKM_OK) continue;
            CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
            CHECK(closed_config(robot, &config));
            CHECK(closed_jacobian(robot->closed, &config, J) == PKM_OK);
            ++n_compared;
            for (int m = 0; m < d.n_drive; ++m) {
                int row = 0;
                for (int c = 0; c < 6; ++c) {
                    if (!(d.moves & (1u << c))) continue;
                    CHECK_NEAR(d.J[6 * m + c], J[m * d.n_drive + row], 1e-9 * largest_entry(&d));
                    ++row;
                }
            }
        }
        pkm_robot_free(robot);
    }
    CHECK(n_compared > 200);
}

int main(void)
{
    RUN(inverse_then_direct_returns_the_pose);
    RUN(jacobians_meet_differences);
    RUN(jacobians_meet_the_closed_forms);
    return check_report();
}
