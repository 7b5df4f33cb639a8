// Kind, order and lost directions where geometry tells them.
#include "robot/singularity.h"

#include "engine.h"
#include "pkm/kinematics.h"

#include <math.h>

static const double NEAR = 1e-3; // next to the singular position: what vanishes there is this small

static void stand(pkm_robot* robot, const double* q)
{
    pkm_instant at = pkm_instant_home(robot);
    memcpy(at.q, q, (size_t)robot->mech->n_drive * sizeof(double));
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
}

static pkm_singularity judge(pkm_robot* robot, double limit)
{
    pkm_singularity out;
    CHECK(pkm_singularity_read(robot->state, &robot->structure, limit, &out) == PKM_OK);
    return out;
}

// base_radius + l1 cos q = r4: all six rods are vertical. Six parallel lines have rank 3: the
// platform shifts in its level and turns about the vertical. The turn is free whatever the drives
// do, since the couples of the rod pairs are horizontal.
static void siax_with_parallel_rods_loses_two_shifts_and_a_turn(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const double q = acos((0.097 - 0.25) / 0.5) - 1e-4, drives[3] = {q, q, q};
    stand(robot, drives);
    const pkm_singularity s = judge(robot, NEAR);
    CHECK(s.kinds == (PKM_SINGULAR_PARALLEL | PKM_SINGULAR_CONSTRAINT));
    CHECK(s.n_parallel == 2 && s.n_constraint == 1 && s.n_serial == 0);
    CHECK_CONTAINS(s.lost, "moves along (1, 0, 0)");
    CHECK_CONTAINS(s.lost, "moves along (0, 1, 0)");
    CHECK_CONTAINS(s.lost, "turns about (0, 0, 1)");
    char words[300];
    pkm_singularity_words(&s, words, sizeof words);
    CHECK_CONTAINS(words, "parallel and constraint singularity of order 3 (");
    pkm_robot_free(robot);
}

// Crank and link in line: the tool cannot go along them, and that is said.
static void a_stretched_limb_names_the_direction(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    // tool nearly 0.18 m from motor 1 at (-0.059, 0), along 60 degrees
    const double far = 0.18 - 1e-9, a = 3.141592653589793 / 3.0;
    pkm_instant at = pkm_instant_home(robot);
    at.tool.pose.p = (pkm_vec3){-0.059 + far * cos(a), far * sin(a), 0.0};
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
    const pkm_singularity s = judge(robot, NEAR);
    CHECK(s.kinds == PKM_SINGULAR_SERIAL && s.n_serial == 1);
    CHECK_TEXT(s.lost, "drives cannot give the tool a motion that moves along (0.5, 0.866, 0)");
    pkm_robot_free(robot);
}

/// Singular values have no unit: those of a robot ten times as large are the same.
static void singular_values_do_not_depend_on_the_size(void)
{
    static const pkm_override large[] = {
        {"d", "1180 mm"}, {"l1", "900 mm"}, {"l2", "900 mm"}, {"y0", "1350 mm"}};
    pkm_singularity s[2];
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = NULL;
        CHECK(pkm_robot_load(PKM_SOURCE_DIR "/robots/five-bar.yaml", large, k ? 4 : 0, &robot,
                             NULL) == PKM_OK);
        if (!robot) return;
        pkm_robot_go_home(robot);
        s[k] = judge(robot, NEAR);
        pkm_robot_free(robot);
    }
    CHECK_NEAR(s[1].sigma_drives, s[0].sigma_drives, 1e-9);
    CHECK_NEAR(s[1].sigma_tool, s[0].sigma_tool, 1e-9);
    CHECK_NEAR(s[1].sigma_closures, s[0].sigma_closures, 1e-9);
}

static void homes_are_regular(void)
{
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        if (!robot) continue;
        pkm_robot_go_home(robot);
        const pkm_singularity s = judge(robot, NEAR);
        CHECK((int)s.kinds == 0);
        CHECK(s.lost[0] == '\0');
        CHECK(s.sigma_drives > NEAR && s.sigma_drives <= 3.0);
        pkm_robot_free(robot);
    }
}

// A parallelogram that is nearly flat, with a tool at its crank: locked, the crank stands, and
// coupler and rocker turn about B and D, C being 0.4 m from the one and 0.1 m from the other. The
// rocker turns four times as fast and is named.
static void what_moves_while_the_tool_stands_is_named(void)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: flat\nground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
        "bodies:\n"
        "  crank: {mass: 1, points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {rotate: {z: 30 deg}}}\n"
        "  coupler: {mass: 1, points: {B: [0, 0, 0], C: [0.4, 0, 0]},\n"
        "    pose: {at: [=0.1*cos(30 deg), 0.05, 0]}}\n"
        "  rocker: {mass: 1, points: {D: [0, 0, 0], C: [0.1, 0, 0]},\n"
        "    pose: {at: [0.4, 0, 0], rotate: {z: 30 deg}}}\n"
        "joints:\n"
        "  A: {type: revolute, between: [ground.A, crank.A]}\n"
        "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
        "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
        "  D: {type: revolute, between: [ground.D, rocker.D]}\n"
        "drives: {q: {joint: A, home: 30 deg}}\n"
        "tool: crank.B\n");
    if (!robot) return;
    stand(robot, (double[]){1e-7});
    CHECK_CONTAINS(judge(robot, NEAR).lost, "rocker moves with locked drives and standing tool");
    pkm_robot_free(robot);
}

/// A crank drives a slider by a rod between two balls, whose spin is the only idle freedom.
static const char slider[] =
    "pkm: 1\nname: slider\n"
    "ground: {points: {A: [0, 0, 0], S: [0.5, 0.1, 0]}}\n"
    "bodies:\n"
    "  crank: {mass: 1, points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {rotate: {z: 90 deg}}}\n"
    "  rod: {mass: 1, points: {B: [0, 0, 0], C: [0.5, 0, 0]}, pose: {at: [0, 0.1, 0]}}\n"
    "  block: {mass: 1, points: {C: [0, 0, 0]}, pose: {at: [0.5, 0.1, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"
    "  B: {type: spherical, between: [crank.B, rod.B]}\n"
    "  C: {type: spherical, between: [rod.C, block.C]}\n"
    "  S: {type: prismatic, between: [ground.S, block.C], axis: x}\n"
    "drives: {q: {joint: A}}\n"
    "tool: block.C\n";

// A lock that has become a copy of a drive's row holds its idle freedom no more. The robot is as
// regular as before: no kind of singularity may be named. `robot` is freed.
static void check_failed_lock(pkm_robot* robot, int n_lock)
{
    if (!robot) return;
    pkm_robot_go_home(robot);
    const pkm_mechanism* mech = robot->mech;
    CHECK(robot->structure.n_lock == n_lock);
    const int kept = robot->structure.lock[0], crank = mech->drive[0].v_index;
    robot->structure.lock[0] = mech->hold_row_at + crank;
    const pkm_singularity s = judge(robot, NEAR);
    CHECK(s.kinds == 0 && s.n_idle == 1);
    CHECK(s.n_parallel == 0 && s.n_serial == 0 && s.n_constraint == 0);
    char words[300];
    pkm_singularity_words(&s, words, sizeof words);
    CHECK_CONTAINS(words, "an idle freedom is held no more");
    robot->structure.lock[0] = kept;
    CHECK(judge(robot, NEAR).n_idle == 0);
    pkm_robot_free(robot);
}

static void a_lock_that_fails_is_no_singularity(void)
{
    check_failed_lock(engine_load("siax"), 6);
    check_failed_lock(engine_from(slider), 1);
}

/// What the factors tell is never more than the singular values do; `least` receives the largest
/// limit, by halves from 1, from which they find the position far.
static void compare_with_factors(pkm_robot* robot, double* least)
{
    *least = 0.0;
    const pkm_singularity s = judge(robot, 1e-9);
    for (double limit = 1.0; limit > 1e-9; limit *= 0.5) {
        bool is_far;
        CHECK(pkm_singularity_is_far(robot->state, &robot->structure, limit, &is_far) == PKM_OK);
        if (!is_far) continue;
        *least = fmax(*least, limit);
        CHECK(s.sigma_drives > limit && s.sigma_tool > limit && s.sigma_closures > limit);
    }
}

// At homes they find a bound that is good for something, next to a singularity none.
static void factors_bound_the_singular_values(void)
{
    double least;
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        if (!robot) continue;
        pkm_robot_go_home(robot);
        compare_with_factors(robot, &least);
        CHECK(least > 1e-4);
        pkm_robot_free(robot);
    }
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const double q = acos((0.097 - 0.25) / 0.5) - 1e-6, drives[3] = {q, q, q};
    stand(robot, drives);
    compare_with_factors(robot, &least);
    CHECK(least < 1e-5);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(siax_with_parallel_rods_loses_two_shifts_and_a_turn);
    RUN(a_stretched_limb_names_the_direction);
    RUN(singular_values_do_not_depend_on_the_size);
    RUN(homes_are_regular);
    RUN(what_moves_while_the_tool_stands_is_named);
    RUN(a_lock_that_fails_is_no_singularity);
    RUN(factors_bound_the_singular_values);
    return check_report();
}
