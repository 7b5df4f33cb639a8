/// The search for all ways to assemble a robot.
#include "engine.h"
#include "linkages.h"
#include "pkm/kinematics.h"
#include "robot/assembly_modes.h"

static pkm_target drives_home(const pkm_robot* robot)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, robot->drive_home, sizeof target.q);
    return target;
}

// Two circles about the elbows meet in two points, mirrored at the line between the elbows.
static void a_five_bar_has_two_assembly_modes(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    const int n = pkm_assembly_modes_find(robot, PKM_MODE_DRIVES, &target, 60, 1, mode);
    CHECK(n == 2);
    // the elbows are at the same height y_e: P' = 2 y_e - y
    const double q = robot->drive_home[0], y_e = 0.09 * sin(q);
    CHECK_NEAR(mode[0].tool.p.y, robot->tool_home.p.y, 1e-9);
    CHECK_NEAR(mode[1].tool.p.y, 2.0 * y_e - robot->tool_home.p.y, 1e-9);
    CHECK(mode[0].hits + mode[1].hits > 20);
    pkm_robot_free(robot);
}

// Two elbows for each limb: four working modes with the tool given.
static void a_five_bar_has_four_working_modes(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    const int n = pkm_assembly_modes_find(robot, PKM_MODE_TOOL, &target, 80, 1, mode);
    CHECK(n == 4);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            CHECK(hypot(mode[i].drive[0] - mode[k].drive[0], mode[i].drive[1] - mode[k].drive[1]) >
                  0.1);
    pkm_robot_free(robot);
}

// Every mode of the Delta that is found is one of the closed form's.
static void modes_of_the_delta_are_those_of_its_closed_form(void)
{
    pkm_robot* robot = engine_load("kuo");
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    pkm_branches branches;
    CHECK(pkm_branches_forward(robot, target.q, &branches, NULL) == PKM_OK);
    const int n = pkm_assembly_modes_find(robot, PKM_MODE_DRIVES, &target, 40, 3, mode);
    CHECK(n >= 1);
    int n_level = 0; // rods with universal joints allow tilted platforms too
    for (int i = 0; i < n; ++i) {
        const pkm_vec3 turn = pkm_quat_to_rotvec(mode[i].tool.q);
        if (pkm_vec3_norm(turn) > 1e-6) continue;
        double nearest = HUGE_VAL;
        for (int k = 0; k < branches.n; ++k)
            nearest = fmin(nearest,
                           pkm_vec3_norm(pkm_vec3_sub(mode[i].tool.p, branches.config[k].pose.p)));
        CHECK_NEAR(nearest, 0.0, 1e-9);
        ++n_level;
    }
    CHECK(n_level >= 1);
    pkm_robot_free(robot);
}

static void the_search_repeats_and_leaves_the_robot_at_home(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    pkm_assembly_mode one[PKM_MAX_ASSEMBLY_MODE], two[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    const int n = pkm_assembly_modes_find(robot, PKM_MODE_DRIVES, &target, 30, 5, one);
    CHECK(n == 2);
    CHECK(pkm_assembly_modes_find(robot, PKM_MODE_DRIVES, &target, 30, 5, two) == n);
    for (int i = 0; i < n; ++i)
        CHECK(one[i].hits == two[i].hits && one[i].tool.p.x == two[i].tool.p.x);
    CHECK(robot->state->q[0] == robot->q_home[0]);
    pkm_robot_free(robot);
}

static void failing_memory_is_reported(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    for (size_t n = 1; n < 12; ++n) {
        pkm_alloc_fail_at(n);
        CHECK(pkm_assembly_modes_find(robot, PKM_MODE_DRIVES, &target, 30, 5, mode) == PKM_NONE);
        pkm_alloc_fail_at(0);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_five_bar_has_two_assembly_modes);
    RUN(a_five_bar_has_four_working_modes);
    RUN(modes_of_the_delta_are_those_of_its_closed_form);
    RUN(the_search_repeats_and_leaves_the_robot_at_home);
    RUN(failing_memory_is_reported);
    return check_report();
}
