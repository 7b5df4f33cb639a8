/// Closing the loops from disturbed positions; coming as near as the loops allow.
#include "dynamics/assembly.h"
#include "dynamics/kinematics.h"
#include "engine.h"
#include "linkages.h"

/// Disturb all coordinates of the guess by up to `amount` robot sizes and radians.
static void disturb(pkm_robot* robot, double amount, unsigned* seed)
{
    pkm_robot_go_home(robot);
    for (int k = 0; k < robot->mech->n_v; ++k)
        robot->state->step[k] = amount * engine_noise(seed) * robot->mech->v_unit[k];
    pkm_state_move(robot->mech, robot->state->q, robot->state->step);
}

static void disturbed_robots_are_assembled(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        unsigned seed = 3;
        for (int k = 0; k < 10; ++k) {
            pkm_assembly_report report;
            disturb(robot, 0.1, &seed);
            pkm_kinematics_position(robot->state);
            pkm_rows_closures(robot->state);
            double gap = 0.0;
            for (int r = 0; r < robot->mech->n_closure; ++r)
                gap = fmax(gap, fabs(robot->state->residual[r]));
            CHECK(gap > 1e-3);
            const pkm_status status = pkm_assemble(robot->state, NULL, 0, NULL, 1.0, &report);
            if (status != PKM_OK)
                printf("    %s: gap %g of %g left\n", engine_robots[i], report.closure_gap, gap);
            CHECK(status == PKM_OK);
            CHECK(report.closure_gap <= 1e-12 * fmax(1.0, robot->mech->size));
            CHECK(report.iterations < 60);
        }
        pkm_robot_free(robot);
    }
}

// With the drives given as well, a small disturbance leads back to where the robot was.
static void drives_bring_the_robot_home(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        if (strcmp(engine_robots[i], "triglide") == 0) { // two assembly modes close to home
            pkm_robot_free(robot);
            continue;
        }
        pkm_target target = {.tool.pose = robot->tool_home};
        int row[PKM_MAX_DRIVE];
        memcpy(target.q, robot->drive_home, sizeof target.q);
        for (int d = 0; d < robot->mech->n_drive; ++d)
            row[d] = robot->mech->drive_row_at + d;
        unsigned seed = 8;
        pkm_assembly_report report;
        disturb(robot, 0.02, &seed);
        CHECK(pkm_assemble(robot->state, row, robot->mech->n_drive, &target, 1.0, &report) ==
              PKM_OK);
        CHECK(report.target_gap <= 1e-12 * fmax(1.0, robot->mech->size));
        const pkm_pose tool = pkm_state_marker_pose(robot->state, robot->mech->tool);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(tool.p, robot->tool_home.p)), 0.0, 1e-10);
        pkm_robot_free(robot);
    }
}

static void a_closed_robot_is_left_alone(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    pkm_assembly_report report;
    const double before = robot->state->q[0];
    CHECK(pkm_assemble(robot->state, NULL, 0, NULL, 1.0, &report) == PKM_OK);
    CHECK(report.iterations == 0 && robot->state->q[0] == before);
    pkm_robot_free(robot);
}

// The arm of two hinges, 0.3 and 0.2 m: points beyond 0.5 m, and within 0.1 m, are out of reach.
static const char arm[] = "pkm: 1\nname: arm\nground: {points: {O: [0, 0, 0]}}\n"
                          "bodies:\n"
                          "  one: {mass: 1, points: {O: [0, 0, 0], E: [0.3, 0, 0]}}\n"
                          "  two: {mass: 1, points: {E: [0, 0, 0], P: [0.2, 0, 0]},\n"
                          "    pose: {at: [0.3, 0, 0], rotate: {z: 70 deg}}}\n"
                          "joints:\n"
                          "  O: {type: revolute, between: [ground.O, one.O]}\n"
                          "  E: {type: revolute, between: [one.E, two.E]}\n"
                          "drives: {a: {joint: O}, b: {joint: E}}\n"
                          "tool: {point: two.P, moves: [x, y]}\n";

static void the_distance_beyond_reach_is_found(void)
{
    static const struct {
        double x, y, beyond;
    } goals[] = {{0.6, 0.0, 0.1},
                 {-0.5, 0.6, 0.28102496759066544}, // sqrt(0.61) - 0.5
                 {0.0, 0.04, 0.06},
                 {0.3, 0.1, 0.0}};
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; ++i) {
        pkm_robot* robot = engine_from(arm);
        if (!robot) continue;
        const int row[2] = {robot->mech->tool_row_at, robot->mech->tool_row_at + 1};
        const pkm_target target = {.tool.pose = {{goals[i].x, goals[i].y, 0.0}, {1, 0, 0, 0}}};
        double beyond = NAN;
        CHECK(pkm_approach(robot->state, row, 2, &target, &beyond) == PKM_OK);
        CHECK_NEAR(beyond, goals[i].beyond, 1e-9);
        pkm_robot_free(robot);
    }
}

// With loops: the rocker's end of the four-bar ends where crank and coupler are in line.
static void loops_stay_closed_while_a_goal_is_approached(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    const int row[2] = {robot->mech->tool_row_at, robot->mech->tool_row_at + 1};
    const pkm_target target = {.tool.pose = {{2.0, 3.0, 0.0}, {1, 0, 0, 0}}};
    double beyond = NAN;
    CHECK(pkm_approach(robot->state, row, 2, &target, &beyond) == PKM_OK);
    pkm_rows_closures(robot->state);
    for (int r = 0; r < robot->mech->n_closure; ++r)
        CHECK_NEAR(robot->state->residual[r], 0.0, 1e-8); // 1e-5 squared, times metres
    pkm_robot_free(robot);
}

static void failing_memory_is_reported(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    for (size_t n = 1; n <= 5; ++n) {
        pkm_assembly_report report;
        pkm_alloc_fail_at(n);
        CHECK(pkm_assemble(robot->state, NULL, 0, NULL, 1.0, &report) == PKM_ERR_MEMORY);
        pkm_alloc_fail_at(0);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(disturbed_robots_are_assembled);
    RUN(drives_bring_the_robot_home);
    RUN(a_closed_robot_is_left_alone);
    RUN(the_distance_beyond_reach_is_found);
    RUN(loops_stay_closed_while_a_goal_is_approached);
    RUN(failing_memory_is_reported);
    return check_report();
}
