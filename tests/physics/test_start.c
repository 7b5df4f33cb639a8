// How runs with clearance start: at rest under the loads, centred, or where they are told.
#include "clearance.h"

#include "clearance/seat.h"

#define SPHERICAL                                                                                  \
    "clearance: {spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.9"

// ---- one ball ---------------------------------------------------------------------------------

static const char hung[] = "pkm: 1\n"
                           "name: hung\n"
                           "gravity: [0, 0, -9.81]\n"
                           "ground: {points: {O: [0, 0, 0]}}\n"
                           "bodies:\n"
                           "  bob: {points: {A: [0, 0, 0], B: [0, 0, -0.5]}, mass: 2, inertia: "
                           "[0.01, 0.01, 0.01], com: [0, 0, -0.5]}\n"
                           "joints:\n"
                           "  S: {type: spherical, between: [ground.O, bob.A]}\n"
                           "tool: bob.B\n";

// Hertz: m g = K d^1.5, below the lowest place of the ball; and nothing moves from there, but by
// the tolerance of the run, which is 1e-10 of a metre.
static void a_hung_ball_rests_where_its_weight_presses_it(void)
{
    pkm_robot* robot = engine_from(hung);
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 20 ms\ninstants: 5\nclearance: {S: "
                                        "{radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, law: "
                                        "hertz, start: equilibrium}}\n");
    const double depth = pow(2.0 * 9.81 / 1e10, 2.0 / 3.0);
    CHECK_NEAR(sim_get(&r, 0, "S.oz"), -(1e-4 + depth), 1e-13);
    CHECK_NEAR(sim_get(&r, 0, "S.normal"), 2.0 * 9.81, 1e-5);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(sim_get(&r, i, "S.oz"), -(1e-4 + depth), 1e-10);
        CHECK_NEAR(sim_get(&r, i, "S.ox"), 0.0, 1e-12);
        CHECK_NEAR(sim_get(&r, i, "energy.kinetic"), 0.0, 1e-14);
    }
    sim_free(&r);
    // nothing holds it, so that nothing is at rest unasked
    sim_result free = sim_run_whole(robot, "motion: none\nfor: 1 ms\ninstants: 2\nclearance: {S: "
                                           "{radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n");
    CHECK_NEAR(sim_get(&free, 0, "S.oz"), 0.0, 0.0);
    CHECK_NEAR(sim_get(&free, 1, "S.oz"), -0.5 * 9.81e-6, 1e-11);
    sim_free(&free);
    pkm_robot_free(robot);
}

// ---- a robot ----------------------------------------------------------------------------------

/// Where quasi-static clearance has the tool of the robot at home: another formulation, of rigid
/// bearings.
static pkm_vec3 seated_tool(pkm_robot* robot)
{
    pkm_joint_clearance free[12];
    pkm_seat seat;
    pkm_target target = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint && n < 12; ++j)
        if (robot->mech->joint[j].type == PKM_JOINT_SPHERICAL)
            free[n++] = (pkm_joint_clearance){j, {.radial = 1e-4}};
    pkm_robot_go_home(robot);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        target.q[d] = pkm_state_drive_position(robot->state, d);
    const pkm_seat_loads loads = {.t = 0.0};
    CHECK(pkm_seat_create(robot, free, n, &seat, NULL) == PKM_OK);
    pkm_seat_reset(&seat);
    CHECK(pkm_seat_solve(&seat, &target, &loads) == PKM_OK);
    const pkm_vec3 at = pkm_state_marker_pose(seat.moved->state, robot->mech->tool).p;
    pkm_seat_free(&seat);
    return at;
}

// Surfaces of finite stiffness add their depth of 0.2 um, which the geometry doubles.
static void a_robot_at_rest_starts_on_its_seats(void)
{
    pkm_robot* robot = engine_load("siax");
    const pkm_vec3 want = seated_tool(robot);
    sim_result r = sim_run_whole(robot, "motion: none\ndrives: locked\nfor: 5 ms\ninstants: 5\n"
                                        "integrator: explicit\n" SPHERICAL "}}\n");
    const double deep = 1e-6;
    CHECK_NEAR(sim_get(&r, 0, "P.x"), want.x, deep);
    CHECK_NEAR(sim_get(&r, 0, "P.y"), want.y, deep);
    CHECK_NEAR(sim_get(&r, 0, "P.z"), want.z, deep);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(sim_get(&r, i, "P.z"), sim_get(&r, 0, "P.z"), 1e-11);
        CHECK_NEAR(sim_get(&r, i, "P.acc"), 0.0, 1e-4);
        CHECK(sim_get(&r, i, "A.left1.normal") > 1.0);
    }
    sim_free(&r);
    sim_result centred = sim_run_whole(robot, "motion: paper\nfor: 1 ms\ninstants: 2\n" SPHERICAL
                                              ", start: centred}}\n");
    CHECK_NEAR(sim_get(&centred, 0, "A.left1.normal"), 0.0, 0.0);
    CHECK_NEAR(sim_get(&centred, 0, "P.acc"), 9.81, 1e-9);
    sim_free(&centred);
    pkm_robot_free(robot);
}

#define FLEXIBLE                                                                                   \
    "motion: none\ndrives: locked\nfor: 1 ms\ninstants: 2\nflexible: {left: {modes: 4}, right: "   \
    "{modes: 4}}\n"

// Strain is that of the same links in ideal joints, whose forces differ by the lean of 0.25 mm in
// 0.8 m; the surfaces store 2/5 K d^2.5 each.
static void links_and_journals_start_in_one_equilibrium(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result want = sim_run_whole(robot, FLEXIBLE);
    clearance_run got = clearance(robot, FLEXIBLE SPHERICAL "}}\n");
    const double strain = sim_get(&want, 0, "energy.strain");
    CHECK(strain > 1e-5 && strain < 1e-2);
    CHECK_NEAR(sim_get(&got.r, 0, "energy.strain"), strain, 2e-3 * strain);
    double stored = 0.0;
    for (int b = 0; b < got.record->n_bearing; ++b)
        stored += 0.4 * 1.524e11 * pow(got.record->bearing[b].penetration.value, 2.5);
    CHECK_NEAR(sim_get(&got.r, 0, "energy.spring"), stored, 0.01 * stored);
    CHECK_NEAR(sim_get(&got.r, 1, "energy.kinetic"), 0.0, 1e-10);
    clearance_free(&got);
    sim_free(&want);
    pkm_robot_free(robot);
}

// Offsets are met by moving the rods, not by bending them.
static void given_offsets_bend_nothing(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, FLEXIBLE SPHERICAL ", start: [0.05 mm, 0, 0]}}\n");
    CHECK_NEAR(sim_get(&r, 0, "A.left1.ox"), 5e-5, 1e-11);
    CHECK_NEAR(sim_get(&r, 0, "C.right2.ox"), 5e-5, 1e-11);
    CHECK_NEAR(sim_get(&r, 0, "energy.strain"), 0.0, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Nor where one joint alone is put off its middle, whichever way: at most what the weight of the
// rods bends. Places outside the clearance are met at its edge, by rods that stay straight.
static void given_offsets_bend_no_more_than_equilibrium_does(void)
{
    static const char* const at[] = {"[50 um, 0, 0]", "[0, 50 um, 0]", "[0, 0, 50 um]"};
    static const char* const column[] = {"A.left1.ox", "A.left1.oy", "A.left1.oz"};
    pkm_robot* robot = engine_load("siax");
    sim_result rest = sim_run_whole(robot, FLEXIBLE);
    const double strain = sim_get(&rest, 0, "energy.strain");
    for (int k = 0; k < 3; ++k) {
        char text[500];
        snprintf(text, sizeof text,
                 FLEXIBLE "clearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: "
                          "1.524e11, restitution: 0.9, start: %s}}\n",
                 at[k]);
        sim_result r = sim_run_whole(robot, text);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(sim_get(&r, 0, column[i]), i == k ? 5e-5 : 0.0, 1e-11);
        CHECK(sim_get(&r, 0, "energy.strain") <= strain);
        sim_free(&r);
    }
    clearance_run out = clearance(robot, FLEXIBLE SPHERICAL ", start: [0.3 mm, 0.4 mm, 0]}}\n");
    CHECK(out.record->n_moved == 12);
    CHECK_NEAR(out.record->moved, 4e-4, 1e-11);
    CHECK_NEAR(sim_get(&out.r, 0, "A.left1.ox"), 6e-5, 1e-11);
    CHECK_NEAR(sim_get(&out.r, 0, "A.left1.oy"), 8e-5, 1e-11);
    CHECK_NEAR(sim_get(&out.r, 0, "energy.strain"), 0.0, 1e-12);
    clearance_free(&out);
    sim_free(&rest);
    pkm_robot_free(robot);
}

// A pin that carries a force beside it leans in its bearing; both ends push.
static void pins_come_to_rest_too(void)
{
    pkm_robot* robot = engine_load("five-bar");
    sim_result r =
        sim_run_whole(robot, "motion: none\ndrives: locked\nfor: 5 ms\ninstants: 5\n"
                             "loads: {a: {force: [30 N, 20 N, 0], at: link1.P}}\n"
                             "clearance: {elbow1: {radial: 0.1 mm, radius: 5 mm, length: 10 mm, "
                             "axial: 0.1 mm, stiffness: 1e9}}\n");
    CHECK(sim_get(&r, 0, "elbow1.normal") > 1.0);
    for (int i = 0; i < 5; ++i)
        CHECK_NEAR(sim_get(&r, i, "energy.kinetic"), 0.0, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void starts_that_contradict_each_other_are_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run(robot, "for: 1 ms\nclearance: {A.left1: {radial: 0.1 mm, radius: 1 cm, "
                                  "stiffness: 1e10, start: equilibrium}, B.left1: {radial: 0.1 mm, "
                                  "radius: 1 cm, stiffness: 1e10, start: centred}}\n");
    CHECK(r.status == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(r.err.text, "A.left1 starts in equilibrium, but B.left1");
    sim_free(&r);
    pkm_robot_free(robot);
}

// Each of two journals starts where it is told.
static void every_joint_has_its_own_start(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(
        robot,
        "for: 0.01 ms\ninstants: 2\nclearance:\n"
        "  A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, start: [50 um, 0, 0]}\n"
        "  B.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, start: [0, 30 um, 0]}\n");
    static const char* const column[] = {"A.left1.ox", "A.left1.oy", "A.left1.oz",
                                         "B.left1.ox", "B.left1.oy", "B.left1.oz"};
    static const double offset[] = {50e-6, 0.0, 0.0, 0.0, 30e-6, 0.0};
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(sim_get(&r, 0, column[k]), offset[k], 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_hung_ball_rests_where_its_weight_presses_it);
    RUN(a_robot_at_rest_starts_on_its_seats);
    RUN(links_and_journals_start_in_one_equilibrium);
    RUN(every_joint_has_its_own_start);
    RUN(given_offsets_bend_nothing);
    RUN(given_offsets_bend_no_more_than_equilibrium_does);
    RUN(pins_come_to_rest_too);
    RUN(starts_that_contradict_each_other_are_refused);
    return check_report();
}
