// Robots led by hand: where a held point ends is told by geometry; the drives by inverse
// kinematics.
#include "robot/drag.h"

#include "dynamics/motion_solve.h"
#include "engine.h"
#include "pkm/kinematics.h"
#include "robot/continuation.h"
#include "robot/lookout.h"
#include "robot/postures.h"

#include <math.h>

static const double SMALL = 1e-9;

static int find(const pkm_robot* robot, const char* name)
{
    for (int b = 1; b < robot->desc->n_body; ++b)
        if (strcmp(robot->desc->body[b].name, name) == 0) return b;
    CHECK(!"the body is there");
    return 1;
}

/// Draw body `b` at its point `at` by `by`; returns what is left.
static double draw(pkm_robot* robot, int b, pkm_vec3 at, pkm_vec3 by)
{
    const pkm_grasp grasp = {b, at};
    double left = NAN;
    pkm_error err = {0};
    const pkm_vec3 to = pkm_vec3_add(pkm_grasp_place(robot, &grasp), by);
    const pkm_status status = pkm_drag_to(robot, &grasp, to, &left, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(to, pkm_grasp_place(robot, &grasp))), left, 1e-12);
    return left;
}

/// The drives are those of inverse kinematics for the pose that the tool has come to.
static void check_drives(pkm_robot* robot)
{
    if (!robot->structure.tool_mode) return;
    double q[PKM_MAX_DRIVE];
    pkm_instant at = {.tool.pose = pkm_state_marker_pose(robot->state, robot->mech->tool)};
    for (int d = 0; d < robot->mech->n_drive; ++d)
        q[d] = pkm_state_drive_position(robot->state, d);
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        CHECK_NEAR(at.q[d], q[d], SMALL);
}

static void any_body_of_any_robot_can_be_drawn(void)
{
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        if (!robot) continue;
        unsigned seed = 7u;
        for (int b = 1; b < robot->desc->n_body; ++b) {
            pkm_robot_go_home(robot);
            const double s = 0.01 * robot->mech->size;
            const pkm_vec3 by = {s * engine_noise(&seed), s * engine_noise(&seed),
                                 s * engine_noise(&seed)};
            const double left = draw(robot, b, robot->desc->body[b].com, by);
            CHECK(left <= pkm_vec3_norm(by) * (1.0 + 1e-12));
            check_drives(robot);
        }
        pkm_robot_free(robot);
    }
}

static void the_platform_goes_where_it_is_drawn(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const pkm_vec3 before = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
    const double left = draw(robot, find(robot, "platform"), (pkm_vec3){0.05, 0.0, 0.0},
                             (pkm_vec3){0.1, 0.05, -0.1});
    CHECK_NEAR(left, 0.0, 1e-13);
    const pkm_vec3 now = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
    CHECK_NEAR(now.x, before.x + 0.1, 1e-13);
    CHECK_NEAR(now.y, before.y + 0.05, 1e-13);
    CHECK_NEAR(now.z, before.z - 0.1, 1e-13);
    check_drives(robot);
    pkm_robot_free(robot);
}

// The crank of the first arm turns about the motor at (base_radius, 0, 0): its end comes to the
// point of its circle that is nearest to where it is drawn.
static void a_crank_comes_as_near_as_its_circle(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const double radius = 0.5;
    const pkm_grasp end = {find(robot, "A.crank"), {radius, 0.0, 0.0}};
    const pkm_vec3 to = {0.9, 0.2, -0.3};
    double left;
    for (int i = 0; i < 4; ++i) // as a hand does that holds it there
        CHECK(pkm_drag_to(robot, &end, to, &left, NULL) == PKM_OK);
    const double angle = atan2(0.3, 0.9 - 0.25);
    CHECK_NEAR(left, hypot(0.2, hypot(0.3, 0.65) - radius), SMALL);
    CHECK_NEAR(pkm_state_drive_position(robot->state, 0), angle, 1e-7);
    check_drives(robot);
    pkm_robot_free(robot);
}

// Drawn far out of reach the robot stops at its edge, and comes back.
static void beyond_reach_it_stops(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const pkm_grasp grasp = {find(robot, "platform"), {0.0, 0.0, 0.0}};
    const pkm_vec3 home = pkm_grasp_place(robot, &grasp);
    double left = 0.0;
    const pkm_status status = pkm_drag_to(robot, &grasp, (pkm_vec3){0.0, 0.0, -5.0}, &left, NULL);
    CHECK(status == PKM_OK || status == PKM_ERR_SINGULAR);
    CHECK(left > 3.0);
    CHECK(pkm_drag_to(robot, &grasp, home, &left, NULL) == PKM_OK);
    CHECK_NEAR(left, 0.0, 1e-12);
    CHECK_NEAR(pkm_state_drive_position(robot->state, 1), 0.0, SMALL);
    pkm_robot_free(robot);
}

static void what_cannot_be_drawn_is_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    double left;
    CHECK(pkm_drag_to(robot, &(pkm_grasp){0, {0, 0, 0}}, (pkm_vec3){0, 0, 0}, &left, NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_drag_to(robot, &(pkm_grasp){1, {NAN, 0, 0}}, (pkm_vec3){0, 0, 0}, &left, NULL) ==
          PKM_ERR_ARGUMENT);
    pkm_robot_free(robot);
}

// ---- singularities ----------------------------------------------------------------------------

static pkm_lookout look(pkm_robot* robot)
{
    pkm_nearness near;
    pkm_lookout out;
    pkm_nearness_begin(robot, NULL, &near);
    pkm_lookout_read(&near, &out);
    return out;
}

// SIAX: with base_radius + l1 cos q = r4 all rods are vertical, and the platform slides level.
static void a_parallel_singularity_is_seen_coming(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    const double at = acos((0.097 - 0.25) / 0.5);
    pkm_lookout seen = look(robot);
    CHECK(seen.known && seen.level == 0.0);
    double level = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double q = at - 0.1 * pow(0.2, i);
        pkm_instant now = {.q = {q, q, q}};
        CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &now, NULL) == PKM_OK);
        seen = look(robot);
        CHECK(seen.kind == PKM_SINGULAR_PARALLEL);
        CHECK(seen.level > level && seen.level < 1.0);
        CHECK_NEAR(hypot(seen.direction[0], seen.direction[1]), 1.0, 1e-6); // level
        level = seen.level;
    }
    pkm_robot_free(robot);
}

// Led to the left, the right arm of the five-bar straightens at 180 mm from its motor: its drive
// alone loses the tool, along the arm.
static void a_stretched_limb_is_named(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    const pkm_vec3 home = robot->tool_home.p;
    const pkm_target away = {.tool.pose = {{-0.2, home.y, home.z}, robot->tool_home.q}};
    const pkm_status status = pkm_follow_watched(robot, PKM_GIVEN_TOOL, &away, 24);
    CHECK(status == PKM_ERR_SINGULAR || status == PKM_ERR_CONVERGENCE);
    // it stands there: what predicted the way is not its motion
    CHECK_NEAR(pkm_step_length(robot->mech, robot->state->v), 0.0, 0.0);
    CHECK_NEAR(pkm_vec3_norm(pkm_state_marker_motion(robot->state, robot->mech->tool).v), 0.0, 0.0);
    const pkm_lookout seen = look(robot);
    CHECK(seen.level > 0.9);
    CHECK(seen.kind == PKM_SINGULAR_SERIAL);
    CHECK(fabs(seen.share[1]) > 0.99);
    const pkm_vec3 tool = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
    CHECK_NEAR(hypot(tool.x - 0.059, tool.y), 0.18, 1e-5);
    CHECK_NEAR(fabs(seen.direction[0]), (0.059 - tool.x) / 0.18, 1e-2);
    pkm_robot_free(robot);
}

// Linear Delta: drives lead it to where the normals of its three pairs of rods lie in one plane and
// the platform can turn. Towards it the estimate of the distance falls as what is left of the way.
static void a_constraint_singularity_is_seen_coming(void)
{
    pkm_robot* robot = engine_load("lindelta");
    if (!robot) return;
    const double by[] = {-1.13, 0.81, -0.16};
    double low = 0.0, high = 1.5; // the way, by whether the drives get there
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        pkm_target to = {.q = {0}};
        pkm_robot_go_home(robot);
        for (int d = 0; d < 3; ++d)
            to.q[d] = robot->drive_home[d] + middle * by[d];
        *(pkm_follow_watched(robot, PKM_GIVEN_DRIVES, &to, 30) == PKM_OK ? &low : &high) = middle;
    }
    CHECK_NEAR(low, 0.7490875, 1e-6); // from the volume of the normals
    double distance[3] = {0};
    for (int i = 0; i < 3; ++i) {
        pkm_target to = {.q = {0}};
        pkm_robot_go_home(robot);
        for (int d = 0; d < 3; ++d)
            to.q[d] = robot->drive_home[d] + (low - 0.02 * pow(0.5, i)) * by[d];
        CHECK(pkm_follow_watched(robot, PKM_GIVEN_DRIVES, &to, 30) == PKM_OK);
        const pkm_lookout seen = look(robot);
        CHECK(seen.kind == PKM_SINGULAR_CONSTRAINT);
        CHECK(seen.level > 0.0 && seen.level < 1.0);
        distance[i] = seen.distance;
    }
    CHECK_NEAR(distance[0] / distance[1], 2.0, 0.2);
    CHECK_NEAR(distance[1] / distance[2], 2.0, 0.1);
    pkm_robot_free(robot);
}

// ---- postures ---------------------------------------------------------------------------------

// Each arm of the planar five-bar has two elbows: four working modes; two circles: two assembly
// modes.
static void all_postures_of_a_five_bar(void)
{
    static const struct {
        pkm_given given;
        int n;
    } claim[] = {{PKM_GIVEN_TOOL, 4}, {PKM_GIVEN_DRIVES, 2}};
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    static pkm_posture posture[PKM_MAX_ASSEMBLY_MODE];
    static double q[PKM_MAX_ASSEMBLY_MODE * 64];
    CHECK(robot->mech->n_q <= 64);
    const pkm_vec3 tool = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
    for (int k = 0; k < 2; ++k) {
        int n;
        CHECK(pkm_postures_find(robot, claim[k].given, posture, q, &n, NULL) == PKM_OK);
        CHECK(n == claim[k].n);
        CHECK(posture[0].is_present && !posture[n - 1].is_present);
        for (int i = 0; i < n; ++i) {
            CHECK(pkm_robot_stand(robot, q + i * robot->mech->n_q, NULL) == PKM_OK);
            const pkm_vec3 p = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
            CHECK_NEAR(p.x, posture[i].tool.p.x, SMALL);
            CHECK_NEAR(p.y, posture[i].tool.p.y, SMALL);
            if (claim[k].given == PKM_GIVEN_TOOL) CHECK_NEAR(p.x, tool.x, SMALL);
        }
        pkm_robot_go_home(robot);
    }
    q[0] += 0.1;
    CHECK(pkm_robot_stand(robot, q, NULL) == PKM_ERR_ARGUMENT); // the loops are open
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(any_body_of_any_robot_can_be_drawn);
    RUN(the_platform_goes_where_it_is_drawn);
    RUN(a_crank_comes_as_near_as_its_circle);
    RUN(beyond_reach_it_stops);
    RUN(what_cannot_be_drawn_is_refused);
    RUN(a_parallel_singularity_is_seen_coming);
    RUN(a_stretched_limb_is_named);
    RUN(a_constraint_singularity_is_seen_coming);
    RUN(all_postures_of_a_five_bar);
    return check_report();
}
