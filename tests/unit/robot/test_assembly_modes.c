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
    const int n = pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 60, 1, mode, NULL);
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
    const int n = pkm_assembly_modes_find(robot, PKM_GIVEN_TOOL, &target, 80, 1, mode, NULL);
    CHECK(n == 4);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            CHECK(hypot(mode[i].drive[0] - mode[k].drive[0], mode[i].drive[1] - mode[k].drive[1]) >
                  0.1);
    pkm_robot_free(robot);
}

// Two elbows for each of three limbs: eight working modes, all with the platform turned as asked.
// The rows hold too with hinges put together the wrong way round, the platform flipped and turned
// by any angle: those are no ways to assemble a robot.
static void a_planar_platform_has_eight_working_modes_and_none_flipped(void)
{
    pkm_robot* robot = engine_load("planar-3rrr");
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    pkm_assembly_search report;
    pkm_target target = drives_home(robot);
    target.tool.pose =
        (pkm_pose){{0.02, 0.01, 0.0}, pkm_quat_from_rotvec(pkm_vec3_make(0.0, 0.0, 0.25))};
    const int n = pkm_assembly_modes_find(robot, PKM_GIVEN_TOOL, &target, 40, 1, mode, &report);
    CHECK(n == 8 && report.n_arrived < 40);
    for (int i = 0; i < n; ++i) {
        const pkm_quat off = pkm_quat_mul(pkm_quat_conj(target.tool.pose.q), mode[i].tool.q);
        CHECK(pkm_vec3_norm(pkm_quat_to_rotvec(off)) < 1e-9);
    }
    const pkm_target home = drives_home(robot); // at most six: G. R. Pennock, D. J. Kassner, 1992
    const int m = pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &home, 60, 1, mode, NULL);
    CHECK(m >= 1 && m <= 6);
    for (int i = 0; i < m; ++i)
        CHECK(pkm_quat_rotate(mode[i].tool.q, pkm_vec3_make(0.0, 0.0, 1.0)).z > 1.0 - 1e-9);
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
    const int n = pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 40, 3, mode, NULL);
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
    const int n = pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 30, 5, one, NULL);
    CHECK(n == 2);
    CHECK(pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 30, 5, two, NULL) == n);
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
        CHECK(pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 30, 5, mode, NULL) ==
              PKM_NONE);
        pkm_alloc_fail_at(0);
    }
    pkm_robot_free(robot);
}

// ---- Dietmaier's platform ----------------------------------------------------------------------

// P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures (1998).
// The printed digits leave a pair of postures that almost meets undecided; the last length rounds
// to the printed one.
static const double base[6][3] = {{0, 0, 0},
                                  {1.107915, 0, 0},
                                  {0.549094, 0.756063, 0},
                                  {0.735077, -0.223935, 0.525991},
                                  {0.514188, -0.526063, -0.368418},
                                  {0.590473, 0.094733, -0.205018}};
static const double plate[6][3] = {{0, 0, 0},
                                   {0.542805, 0, 0},
                                   {0.956919, -0.528915, 0},
                                   {0.665885, -0.353482, 1.402538},
                                   {0.478359, 1.158742, 0.107672},
                                   {-0.137087, -0.235121, 0.353913}};
static const double leg[6] = {1, 0.645275, 1.086284, 1.503439, 1.281933, 0.7710714};

static pkm_robot* general_platform(void)
{
    char text[4000], *at = text;
    at += sprintf(at, "pkm: 1\nname: general\nground:\n  points:\n");
    for (int i = 0; i < 6; ++i)
        at += sprintf(at, "    A%d: [%.9g, %.9g, %.9g]\n", i, base[i][0], base[i][1], base[i][2]);
    at += sprintf(at, "bodies:\n  plate:\n    mass: 1\n    points:\n");
    for (int i = 0; i < 6; ++i)
        at += sprintf(at, "      B%d: [%.9g, %.9g, %.9g]\n", i, plate[i][0], plate[i][1],
                      plate[i][2]);
    at += sprintf(at, "    pose: {at: [0.5, 0.3, 0.8]}\njoints:\n");
    for (int i = 0; i < 6; ++i)
        at += sprintf(at, "  leg%d: {type: distance, between: [ground.A%d, plate.B%d]}\n", i, i, i);
    at += sprintf(at, "drives:\n");
    for (int i = 0; i < 6; ++i)
        at += sprintf(at, "  q%d: {joint: leg%d, home: %.9g}\n", i, i, leg[i]);
    sprintf(at, "tool: plate.B0\n");
    return engine_from(text);
}

/// Largest error of a leg's length [m], straight from the pose.
static double leg_error(const pkm_pose* pose)
{
    double worst = 0.0;
    for (int i = 0; i < 6; ++i) {
        const pkm_vec3 a = {base[i][0], base[i][1], base[i][2]};
        const pkm_vec3 b = {plate[i][0], plate[i][1], plate[i][2]};
        const pkm_vec3 d = pkm_vec3_sub(pkm_pose_point(*pose, b), a);
        worst = fmax(worst, fabs(pkm_vec3_norm(d) - leg[i]));
    }
    return worst;
}

// Forty is the largest number that there can be, so finding forty is finding all.
static void the_general_platform_has_forty_postures(void)
{
    pkm_robot* robot = general_platform();
    if (!robot) return;
    static pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    const pkm_target target = drives_home(robot);
    for (unsigned seed = 1; seed < 3; ++seed) {
        pkm_assembly_search search;
        const int n =
            pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 20, seed, mode, &search);
        CHECK(n == 40 && search.n == 40);
        CHECK(search.n_start == 20 && search.n_arrived > 10 && search.n_curve > 5);
        for (int i = 0; i < n; ++i) {
            CHECK(leg_error(&mode[i].tool) < 1e-11);
            for (int k = 0; k < i; ++k) {
                const pkm_quat turn = pkm_quat_mul(mode[i].tool.q, pkm_quat_conj(mode[k].tool.q));
                CHECK(pkm_vec3_norm(pkm_vec3_sub(mode[i].tool.p, mode[k].tool.p)) +
                          pkm_vec3_norm(pkm_quat_to_rotvec(turn)) >
                      1e-3);
            }
        }
    }
    pkm_robot_free(robot);
}

// Ways that were met once tell of ways that were not met at all.
static void a_short_search_says_that_it_is_short(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_assembly_mode mode[PKM_MAX_ASSEMBLY_MODE];
    pkm_assembly_search few, many;
    const pkm_target target = drives_home(robot);
    CHECK(pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 1, 1, mode, &few) == 2);
    CHECK_NEAR(few.unseen, 1.0, 0.0); // one arrival
    CHECK(pkm_assembly_modes_find(robot, PKM_GIVEN_DRIVES, &target, 300, 1, mode, &many) == 2);
    CHECK_NEAR(many.unseen, 3.0 / many.n_arrived, 1e-15);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_five_bar_has_two_assembly_modes);
    RUN(a_five_bar_has_four_working_modes);
    RUN(a_planar_platform_has_eight_working_modes_and_none_flipped);
    RUN(modes_of_the_delta_are_those_of_its_closed_form);
    RUN(the_search_repeats_and_leaves_the_robot_at_home);
    RUN(failing_memory_is_reported);
    RUN(the_general_platform_has_forty_postures);
    RUN(a_short_search_says_that_it_is_short);
    return check_report();
}
