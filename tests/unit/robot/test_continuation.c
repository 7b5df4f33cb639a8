/// Following motions with the engine: singularities, reach, large steps.
#include "dynamics/kinematics.h"
#include "engine.h"
#include "linkages.h"
#include "robot/continuation.h"
#include "robot/crossing.h"

#include <stdlib.h>

static const double PI = 3.141592653589793;

/// The five-bar of robots/ with one more motion; `motion` is indented by two.
static pkm_robot* five_bar(const char* motion)
{
    char path[512], text[16384];
    snprintf(path, sizeof path, "%s/robots/five-bar.yaml", PKM_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return NULL;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char* motions = strstr(text, "\nmotions:\n");
    CHECK(motions != NULL);
    if (!motions) return NULL;
    char all[20000];
    snprintf(all, sizeof all, "%.*s\nmotions:\n%s", (int)(motions - text), text, motion);
    return engine_from(all);
}

/// Follow the motion `name` in `n` even steps; `err` tells how it ended.
static pkm_status follow(pkm_robot* robot, const char* name, int n, pkm_error* err)
{
    pkm_motion* motion = NULL;
    CHECK(pkm_robot_find_motion(robot, name, &motion, NULL, err) == PKM_OK);
    if (!motion) return PKM_ERR_ARGUMENT;
    pkm_follower f;
    pkm_status status = pkm_follow_begin(robot, motion, &f, err);
    const double duration = pkm_motion_duration(motion);
    for (int i = 0; status == PKM_OK && i <= n; ++i)
        status = pkm_follow_to(&f, duration * i / n, err);
    return status;
}

/// The number behind `words` in a message.
static double number_after(const char* text, const char* words)
{
    const char* at = strstr(text, words);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(words), NULL) : NAN;
}

// ---- singularities ----------------------------------------------------------------------------

// The links are in line where the tool is as high as the elbows: y = sqrt(90^2 - 31^2) mm. With
// constant speed the time is known; the message prints six digits.
static void a_parallel_singularity_is_told_with_its_time(void)
{
    pkm_robot* robot = five_bar("  down: {law: constant, duration: 1 s,\n"
                                "    path: {line: {from: [0, 0.12, 0], to: [0, 0.07, 0]}}}\n");
    if (!robot) return;
    const double t = (0.12 - sqrt(0.09 * 0.09 - 0.031 * 0.031)) / 0.05;
    static const int steps[] = {400, 77, 10};
    for (int i = 0; i < 3; ++i) {
        pkm_error err = {0};
        CHECK(follow(robot, "down", steps[i], &err) == PKM_ERR_SINGULAR);
        CHECK_CONTAINS(err.text, "motion down");
        CHECK_CONTAINS(err.text, "parallel singularity");
        CHECK_NEAR(number_after(err.text, "t = "), t, 1e-6);
    }
    pkm_robot_free(robot);
}

// The same place met exactly at an instant, where no sign changes yet.
static void a_path_that_ends_on_a_parallel_singularity_is_told(void)
{
    pkm_robot* robot =
        five_bar("  onto: {law: constant, duration: 1 s, path: {line: {from: [0, 0.12, 0],\n"
                 "    to: [0, \"=sqrt(0.09^2 - 0.031^2)\", 0]}}}\n");
    if (!robot) return;
    pkm_error err = {0};
    CHECK(follow(robot, "onto", 10, &err) == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(err.text, "parallel singularity");
    CHECK_NEAR(number_after(err.text, "t = "), 1.0, 1e-6);
    pkm_robot_free(robot);
}

// All three cranks turn once round: no singularity anywhere, although each row of the closures
// vanishes somewhere, so that the rows in use must change on the way. The plate translates on a
// circle at constant speed: the torque is its weight times the lever.
static void rows_that_fail_are_not_singularities(void)
{
    pkm_robot* robot = engine_from(three_cranks);
    if (!robot) return;
    static const int steps[] = {400, 37, 9};
    for (int i = 0; i < 3; ++i) {
        pkm_error err = {0};
        pkm_follower f;
        double worst = 0.0;
        pkm_motion* motion = robot->desc->motion[0].motion;
        CHECK(pkm_follow_begin(robot, motion, &f, &err) == PKM_OK);
        for (int k = 0; k <= steps[i]; ++k) {
            const double t = (double)k / steps[i], q = PI / 9.0 + 2.0 * PI * t;
            const pkm_status status = pkm_follow_to(&f, t, &err);
            if (status != PKM_OK) printf("    %s\n", err.text);
            CHECK(status == PKM_OK);
            if (status != PKM_OK) break;
            double torque = NAN;
            pkm_inverse_forces(robot->state);
            pkm_inverse_drive_forces(robot->state, &torque);
            worst = fmax(worst, fabs(torque - 2.0 * 9.81 * 0.1 * cos(q)));
        }
        // rows hold to 1e-13 and pivots may shrink to a twentieth: 2e-12, with some margin
        CHECK_NEAR(worst, 0.0, 2e-11);
    }
    pkm_robot_free(robot);
}

// ---- reach ------------------------------------------------------------------------------------

// Driven by its rocker the four-bar stops where crank and coupler are in line, |AC| = 0.45.
static void drives_stop_at_a_dead_point(void)
{
    char text[4096];
    snprintf(text, sizeof text, "%s", four_bar);
    char* at = strstr(text, "drives: {q: {joint: A}}");
    CHECK(at != NULL);
    if (!at) return;
    snprintf(at, sizeof text - (size_t)(at - text),
             "drives: {q: {joint: D, home: 120 deg}}\ntool: coupler.P\n"
             "motions: {swing: {law: constant, duration: 1 s, drives: {q: [120 deg, 80 deg]}}}\n");
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    const double from = PI * 120.0 / 180.0, to = PI * 80.0 / 180.0;
    const double end = PI - acos((0.4 * 0.4 + 0.3 * 0.3 - 0.45 * 0.45) / (2.0 * 0.4 * 0.3));
    pkm_error err = {0};
    CHECK(follow(robot, "swing", 50, &err) == PKM_ERR_UNREACHABLE);
    CHECK_NEAR(number_after(err.text, "t = "), (from - end) / (from - to), 1e-5);
    CHECK_NEAR(number_after(err.text, "up to "), end - to, 1e-4);
    CHECK_CONTAINS(err.text, "rad (at t = 1 s)");
    pkm_robot_free(robot);
}

// Straight away from motor A: the left limb is stretched at 180 mm, the right one is not.
static void the_reach_of_a_path_is_told_with_time_and_distance(void)
{
    pkm_robot* robot =
        five_bar("  away: {law: constant, duration: 1 s, path: {line: {from: [0, 0.12, 0],\n"
                 "    to: [\"=-0.059 + 0.21*cos(60 deg)\", \"=0.21*sin(60 deg)\", 0]}}}\n");
    if (!robot) return;
    const pkm_vec3 a = {-0.059, 0.0, 0.0}, from = {0.0, 0.12, 0.0};
    const pkm_vec3 to = {-0.059 + 0.105, 0.21 * sin(PI / 3.0), 0.0};
    const pkm_vec3 d = pkm_vec3_sub(to, from), r = pkm_vec3_sub(from, a);
    // |r + s d| = 0.18
    const double dd = pkm_vec3_dot(d, d), rd = pkm_vec3_dot(r, d);
    const double s = (-rd + sqrt(rd * rd - dd * (pkm_vec3_dot(r, r) - 0.18 * 0.18))) / dd;
    static const int steps[] = {400, 20};
    for (int i = 0; i < 2; ++i) {
        pkm_error err = {0};
        CHECK(follow(robot, "away", steps[i], &err) == PKM_ERR_UNREACHABLE);
        CHECK_NEAR(number_after(err.text, "t = "), s, 1e-5);
        CHECK_NEAR(number_after(err.text, "up to "), 0.03, 1e-4);
        CHECK_CONTAINS(err.text, "m (at t = 1 s)");
    }
    // the state stands where the reach ends, its loops closed
    const pkm_pose tool = pkm_state_marker_pose(robot->state, robot->mech->tool);
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(tool.p, a)), 0.18, 1e-5);
    pkm_robot_free(robot);
}

static void a_start_out_of_reach_is_told(void)
{
    pkm_robot* robot = five_bar("  off: {law: constant, duration: 1 s, path: {line: {\n"
                                "    from: [-0.059, 0.2, 0], to: [0, 0.12, 0]}}}\n");
    if (!robot) return;
    pkm_error err = {0};
    CHECK(follow(robot, "off", 10, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "start (t = 0 s)");
    // The limbs reach 180 mm from their motors. The nearest point is where both are stretched or
    // on the circle of B, whichever is in reach of A: that of B.
    const double from_b = hypot(0.118, 0.2);
    CHECK_NEAR(number_after(err.text, "by "), from_b - 0.18, 1e-4);
    pkm_robot_free(robot);
}

// ---- single targets ---------------------------------------------------------------------------

// Cranks that point away from each other: the links cannot meet.
static void drives_that_cannot_be_reached_leave_the_robot_where_it_stopped(void)
{
    pkm_robot* robot = five_bar("  still: {law: constant, duration: 1 s, path: {line: {\n"
                                "    from: [0, 0.12, 0], to: [0, 0.11, 0]}}}\n");
    if (!robot) return;
    const pkm_target target = {.q = {PI, 0.0}};
    pkm_error err = {0};
    CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "goal", &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "goal: out of reach by");
    CHECK_CONTAINS(err.text, "rad");
    pkm_rows_closures(robot->state);
    for (int r = 0; r < robot->mech->n_closure; ++r)
        CHECK_NEAR(robot->state->residual[r], 0.0, 1e-12);
    pkm_robot_free(robot);
}

// The way may be long: steps are cut where Newton does not follow, and joined again.
static void distant_targets_are_reached_in_steps(void)
{
    pkm_robot* robot = engine_from(three_cranks);
    if (!robot) return;
    pkm_target target = {.q = {5.0}, .v = {2.0}, .a = {3.0}};
    pkm_error err = {0};
    CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "goal", &err) == PKM_OK);
    const pkm_frame_motion tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
    CHECK_NEAR(tool.pose.p.x, 0.1 + 0.1 * cos(5.0), 1e-12);
    CHECK_NEAR(tool.pose.p.y, 0.1 + 0.1 * sin(5.0), 1e-12);
    CHECK_NEAR(tool.v.x, -0.1 * sin(5.0) * 2.0, 1e-12);
    CHECK_NEAR(tool.a.x, -0.1 * (cos(5.0) * 4.0 + sin(5.0) * 3.0), 1e-11);
    CHECK_NEAR(tool.a.y, -0.1 * (sin(5.0) * 4.0 - cos(5.0) * 3.0), 1e-11);
    pkm_robot_free(robot);
}

// The tool could be led across the singular line, but not without a word; the drives cannot be.
static void a_singular_line_is_not_passed_on_the_way_to_a_target(void)
{
    pkm_robot* robot = five_bar("  still: {law: constant, duration: 1 s, path: {line: {\n"
                                "    from: [0, 0.12, 0], to: [0, 0.11, 0]}}}\n");
    if (!robot) return;
    pkm_error err = {0};
    pkm_target target = {.tool.pose = robot->tool_home};
    target.tool.pose.p.y = 0.06;
    CHECK(pkm_follow_target(robot, PKM_GIVEN_TOOL, &target, "goal", &err) == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(err.text, "goal: a parallel singularity");
    pkm_robot_go_home(robot);
    CHECK(pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 14) == PKM_OK);
    pkm_kinematics_position(robot->state);
    pkm_target drives = {.q = {pkm_state_drive_position(robot->state, 0),
                               pkm_state_drive_position(robot->state, 1)}};
    const pkm_pose there = pkm_state_marker_pose(robot->state, robot->mech->tool);
    CHECK_NEAR(there.p.y, 0.06, 1e-12);

    // The same drives from home: the other assembly mode, above the line of the elbows, or the end.
    pkm_robot_go_home(robot);
    const pkm_status status = pkm_follow_target(robot, PKM_GIVEN_DRIVES, &drives, "goal", &err);
    const pkm_pose here = pkm_state_marker_pose(robot->state, robot->mech->tool);
    CHECK(status != PKM_OK || here.p.y > 0.0845);
    pkm_robot_free(robot);
}

static void a_tool_that_cannot_turn_is_not_asked_to(void)
{
    pkm_robot* robot = five_bar("  spin: {law: quintic, duration: 1 s, path: {line: {\n"
                                "    from: [0, 0.12, 0], to: [0, 0.11, 0]}}, rpy: [0, 0, 0.1]}\n");
    if (!robot) return;
    pkm_error err = {0};
    CHECK(follow(robot, "spin", 10, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "cannot turn");
    pkm_robot_free(robot);
}

// The sign of the determinant is that of the rows which the factor has chosen: with rows to spare
// another choice tells nothing, whether there is a tool or not.
static void signs_of_other_rows_are_not_compared(void)
{
    char text[2000];
    const char* tool = strstr(four_bar, "tool:");
    snprintf(text, sizeof text, "%.*s%s", (int)(tool - four_bar), four_bar, strchr(tool, '\n') + 1);
    pkm_robot* robot[] = {engine_from(four_bar), engine_from(text), engine_load("gough-stewart")};
    for (int k = 0; k < 3; ++k) {
        if (!robot[k]) continue;
        const pkm_drive_sign a = {1, 4}, same = {1, 4}, turned = {-1, 4}, chosen_anew = {1, 5};
        CHECK(!pkm_crossing_is_suspect(robot[k], a, same));
        CHECK(pkm_crossing_is_suspect(robot[k], a, turned));
        CHECK(pkm_crossing_is_suspect(robot[k], a, chosen_anew) == (k < 2));
        pkm_robot_free(robot[k]);
    }
}

int main(void)
{
    RUN(a_parallel_singularity_is_told_with_its_time);
    RUN(a_path_that_ends_on_a_parallel_singularity_is_told);
    RUN(rows_that_fail_are_not_singularities);
    RUN(drives_stop_at_a_dead_point);
    RUN(the_reach_of_a_path_is_told_with_time_and_distance);
    RUN(a_start_out_of_reach_is_told);
    RUN(drives_that_cannot_be_reached_leave_the_robot_where_it_stopped);
    RUN(distant_targets_are_reached_in_steps);
    RUN(a_singular_line_is_not_passed_on_the_way_to_a_target);
    RUN(a_tool_that_cannot_turn_is_not_asked_to);
    RUN(signs_of_other_rows_are_not_compared);
    return check_report();
}
