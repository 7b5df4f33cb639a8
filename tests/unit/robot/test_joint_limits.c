#include "robot/joint_limits.h"

#include "engine.h"
#include "robot/continuation.h"

#include <string.h>

static const double DEG = 3.14159265358979323846 / 180.0;

/// Attachment points of the legs in robots/gough-stewart.yaml [mm].
static const double base[6][2] = {{-97, 91},  {97, 91},    {127.6, 39},
                                  {30, -130}, {-30, -130}, {-127.6, 39}};
static const double platform[6][2] = {{-30, 73},       {30, 73},         {78.22, -10.52},
                                      {48.22, -62.48}, {-48.22, -62.48}, {-78.22, -10.52}};

/// A leg of the platform with its tool at `pose`, from base to platform [m].
static pkm_vec3 leg(const pkm_pose* pose, int i)
{
    const pkm_vec3 a = {1e-3 * base[i][0], 1e-3 * base[i][1], 0.0};
    const pkm_vec3 b = {1e-3 * platform[i][0], 1e-3 * platform[i][1], 0.0};
    return pkm_vec3_sub(pkm_vec3_add(pose->p, pkm_quat_rotate(pose->q, b)), a);
}

static double angle_between(pkm_vec3 a, pkm_vec3 b)
{
    return acos(pkm_vec3_dot(a, b) / (pkm_vec3_norm(a) * pkm_vec3_norm(b)));
}

/// The bend of a leg's universal joint: its axis on the ground is x, the one on the leg is normal
/// to x and to the leg; straight at home.
static double cardan_bend(const pkm_pose* home, const pkm_pose* pose, int i)
{
    const pkm_vec3 x = {1.0, 0.0, 0.0};
    pkm_vec3 normal[2], second[2], along[2];
    const pkm_pose* at[2] = {home, pose};
    for (int k = 0; k < 2; ++k) {
        along[k] = pkm_vec3_unit(leg(at[k], i));
        second[k] = pkm_vec3_unit(pkm_vec3_cross(along[k], x));
        normal[k] = pkm_vec3_cross(second[k], along[k]);
    }
    // the direction on the leg that was x cross second at home, in the leg's own axes
    const pkm_vec3 straight = pkm_vec3_cross(x, second[0]);
    const double u = pkm_vec3_dot(straight, along[0]), v = pkm_vec3_dot(straight, normal[0]);
    const pkm_vec3 now = pkm_vec3_axpy(pkm_vec3_scale(u, along[1]), v, normal[1]);
    return angle_between(straight, now);
}

static bool kept_by_geometry(const pkm_pose* home, const pkm_pose* pose, double swing, double bend)
{
    const pkm_vec3 up = pkm_quat_rotate(pose->q, pkm_vec3_make(0.0, 0.0, 1.0));
    for (int i = 0; i < 6; ++i) {
        const pkm_vec3 l = leg(pose, i);
        const double length = pkm_vec3_norm(l);
        if (length < 0.45 || length > 0.62) return false;
        if (angle_between(l, up) > swing) return false;
        if (cardan_bend(home, pose, i) > bend) return false;
    }
    return true;
}

static void set_swing(pkm_robot* robot, pkm_joint_type type, double swing)
{
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (robot->mech->joint[j].type == type) robot->mech->joint[j].swing = swing;
}

/// Random poses around home; how many keep the limits.
static int compare_with_geometry(pkm_robot* robot, double swing, double bend)
{
    unsigned seed = 7u;
    int n_kept = 0;
    set_swing(robot, PKM_JOINT_SPHERICAL, swing);
    set_swing(robot, PKM_JOINT_UNIVERSAL, bend);
    pkm_robot_go_home(robot);
    pkm_joint_limits* limits = pkm_joint_limits_create(robot);
    CHECK(limits != NULL);
    for (int n = 0; n < 400; ++n) {
        pkm_target target = {.tool.pose = robot->tool_home};
        pkm_pose* pose = &target.tool.pose;
        pose->p.x += 0.15 * engine_noise(&seed);
        pose->p.y += 0.15 * engine_noise(&seed);
        pose->p.z += 0.05 * engine_noise(&seed);
        const pkm_vec3 turn = {0.3 * engine_noise(&seed), 0.3 * engine_noise(&seed),
                               0.3 * engine_noise(&seed)};
        pose->q = pkm_quat_from_rotvec(turn);
        CHECK(pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 8) == PKM_OK);
        const bool kept = pkm_joint_limits_margin(limits, robot->state) >= 0.0;
        CHECK(kept == kept_by_geometry(&robot->tool_home, pose, swing, bend));
        n_kept += kept;
    }
    pkm_joint_limits_free(limits);
    return n_kept;
}

static void legs_balls_and_cardans_keep_their_limits(void)
{
    pkm_robot* robot = engine_load("gough-stewart");
    if (!robot) return;
    const int length = compare_with_geometry(robot, 60.0 * DEG, 90.0 * DEG);
    const int ball = compare_with_geometry(robot, 25.0 * DEG, 90.0 * DEG);
    const int cardan = compare_with_geometry(robot, 60.0 * DEG, 10.0 * DEG);
    CHECK(length < 400 && ball < length - 10 && cardan < length - 10 && ball > 10 && cardan > 10);
    pkm_robot_free(robot);
}

// The elbow angle of a crank and a link of equal length l follows from the distance of the tool.
static void angle_of_a_passive_joint_keeps_its_limits(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    const int elbow = pkm_mechanism_find_joint(robot->mech, "elbow1");
    CHECK(!pkm_joint_limits_passive(robot) && !pkm_joint_limits_any(robot));
    robot->mech->joint[elbow].limit[0] = -80.0 * DEG + 4.0 * acos(0.0); // a full turn further
    robot->mech->joint[elbow].limit[1] = -50.0 * DEG + 4.0 * acos(0.0);
    CHECK(pkm_joint_limits_passive(robot) && pkm_joint_limits_any(robot));
    pkm_joint_limits* limits = pkm_joint_limits_create(robot);
    int n_kept = 0;
    for (int n = 0; n < 41; ++n) {
        pkm_target target = {.tool.pose = robot->tool_home};
        target.tool.pose.p.x = 0.003 * (n - 20);
        pkm_robot_go_home(robot);
        CHECK(pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 8) == PKM_OK);
        const double r = hypot(target.tool.pose.p.x + 0.059, target.tool.pose.p.y);
        const double angle = -2.0 * acos(r / 0.18); // the elbow is on the left of the chord
        const double margin = pkm_joint_limits_margin(limits, robot->state);
        const bool kept = margin >= 0.0;
        CHECK_NEAR(margin, fmin(angle + 80.0 * DEG, -50.0 * DEG - angle), 1e-10);
        n_kept += kept;
    }
    CHECK(n_kept > 5 && n_kept < 35);
    pkm_joint_limits_free(limits);
    pkm_robot_free(robot);
}

// One end is enough for a limit.
static void a_range_with_one_end_is_watched(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    double* limit = robot->mech->joint[pkm_mechanism_find_joint(robot->mech, "elbow1")].limit;
    CHECK(!pkm_joint_limits_passive(robot));
    limit[1] = 1.0;
    CHECK(pkm_joint_limits_passive(robot));
    limit[1] = HUGE_VAL;
    CHECK(!pkm_joint_limits_passive(robot));
    limit[0] = -1.0;
    CHECK(pkm_joint_limits_passive(robot));
    pkm_robot_free(robot);
}

static void ranges_of_drives_are_those_of_drive_and_joint(void)
{
    pkm_robot* robot = engine_load("gough-stewart");
    if (!robot) return;
    double low, high;
    pkm_drive_range(robot, 2, &low, &high);
    CHECK_NEAR(low, 0.45, 1e-15);
    CHECK_NEAR(high, 0.62, 1e-15);
    // position = -coordinate + 1: the joint's range turns round
    pkm_desc_drive* drive = &robot->desc->drive[2];
    drive->sign = -1.0;
    drive->zero = 1.0;
    drive->position_limit[0] = -INFINITY;
    pkm_drive_range(robot, 2, &low, &high);
    CHECK_NEAR(low, 0.38, 1e-15);
    drive->position_limit[0] = 0.5;
    drive->position_limit[1] = INFINITY;
    pkm_drive_range(robot, 2, &low, &high);
    CHECK_NEAR(low, 0.5, 1e-15);
    CHECK_NEAR(high, 0.55, 1e-15);
    pkm_robot_free(robot);
}

static void angles_count_modulo_a_turn(void)
{
    CHECK(pkm_within(0.1, 6.2, 6.5, true));
    CHECK(!pkm_within(0.1, 6.2, 6.5, false));
    CHECK(!pkm_within(1.0, 6.2, 6.5, true));
    CHECK(pkm_within(-1e9, -INFINITY, INFINITY, true));
    CHECK(!pkm_within(NAN, -1.0, 1.0, true));
}

static void nothing_is_freed_twice(void)
{
    pkm_joint_limits_free(NULL);
}

int main(void)
{
    RUN(legs_balls_and_cardans_keep_their_limits);
    RUN(angle_of_a_passive_joint_keeps_its_limits);
    RUN(a_range_with_one_end_is_watched);
    RUN(ranges_of_drives_are_those_of_drive_and_joint);
    RUN(angles_count_modulo_a_turn);
    RUN(nothing_is_freed_twice);
    return check_report();
}
