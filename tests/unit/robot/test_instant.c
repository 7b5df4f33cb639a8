/// Poses that a tool cannot take, and driven planar joints from both sides.
#include "dynamics/inverse.h"
#include "engine.h"
#include "pkm/inverse.h"

// ---- poses ------------------------------------------------------------------------------------

static void a_pose_outside_of_what_the_tool_moves_in_is_refused(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_instant at = pkm_instant_home(robot);
    pkm_error err = {0};
    at.tool.pose.p = (pkm_vec3){0.0, 0.12, 0.5};
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "x, y only");
    CHECK_CONTAINS(err.text, "0.5 m away");
    // The robot stands where it started, and goes where it can.
    CHECK_NEAR(pkm_state_drive_position(robot->state, 0), robot->drive_home[0], 1e-15);
    at.tool.pose.p.z = 0.0;
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, &err) == PKM_OK);
    CHECK_NEAR(at.tool.pose.p.y, 0.12, 1e-12);
    pkm_robot_free(robot);
}

static void an_orientation_that_the_tool_cannot_take_is_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_instant at = pkm_instant_home(robot);
    pkm_error err = {0};
    at.tool.pose.q = pkm_quat_from_rotvec((pkm_vec3){0.1, 0.0, 0.0});
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "0.1 rad away");
    at.tool.pose.q = (pkm_quat){0.0, 0.0, 0.0, 0.0}; // not asked for
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, &err) == PKM_OK);
    pkm_robot_free(robot);
}

/// The five-bar with another home in the file.
static pkm_status load_home(const char* home, pkm_error* err)
{
    pkm_description* desc = engine_read("five-bar");
    if (!desc) return PKM_ERR_FILE;
    double x[6];
    const int n = sscanf(home, "%lf %lf %lf %lf %lf %lf", x, x + 1, x + 2, x + 3, x + 4, x + 5);
    desc->has_home_tool = true;
    desc->has_home_rpy = n == 6;
    desc->home_tool = (pkm_pose){{x[0], x[1], x[2]}, pkm_quat_identity()};
    if (n == 6) desc->home_tool.q = pkm_quat_from_rpy((pkm_vec3){x[3], x[4], x[5]});
    pkm_robot* robot = NULL;
    const pkm_status status = pkm_robot_create(desc, &robot, err);
    pkm_robot_free(robot);
    return status;
}

static void home_states_nothing_that_the_tool_cannot_take(void)
{
    pkm_error err = {0};
    CHECK(load_home("0 0.13 0", &err) == PKM_OK);
    CHECK(load_home("0 0.13 0.2", &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "out of reach by 0.2");
    CHECK(load_home("0 0.13 0 0.3 0 0", &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "home: out of reach by");
}

// ---- planar joints ----------------------------------------------------------------------------

/// A stage on a tilted plane, driven in x, y and angle; the points in either order.
static pkm_robot* make_stage(bool from_stage)
{
    char text[1400];
    snprintf(text, sizeof text,
             "pkm: 1\nname: stage\n"
             "ground:\n  frames:\n"
             "    G: {at: [0.1, -0.2, 0.3], rotate: {axis: [1, 2, 3], angle: 40 deg}}\n"
             "bodies:\n  stage:\n    mass: 2\n    com: [0.1, 0.05, 0.02]\n"
             "    inertia: [0.02, 0.03, 0.04, 0.001, 0.002, 0.003]\n    frames:\n"
             "      S: {at: [0.05, 0.02, 0], rotate: {axis: [2, 0, 1], angle: 100 deg}}\n"
             "joints:\n  table: {type: planar, between: [%s, %s]}\n"
             "drives:\n  qx: {joint: table, coordinate: x}\n  qy: {joint: table, coordinate: y}\n"
             "  qa: {joint: table, coordinate: angle}\n"
             "tool: stage.S\n",
             from_stage ? "stage.S" : "ground.G", from_stage ? "ground.G" : "stage.S");
    return engine_from(text);
}

/// (x, y, angle) of one side seen from the other.
static void from_other_side(const double q[3], double out[3])
{
    out[0] = -cos(q[2]) * q[0] - sin(q[2]) * q[1];
    out[1] = sin(q[2]) * q[0] - cos(q[2]) * q[1];
    out[2] = -q[2];
}

static void a_planar_joint_may_be_named_from_either_side(void)
{
    pkm_robot *a = make_stage(false), *b = make_stage(true);
    unsigned seed = 3;
    for (int n = 0; a && b && n < 10; ++n) {
        pkm_instant at_a = {.q = {engine_noise(&seed), engine_noise(&seed), engine_noise(&seed)}};
        pkm_instant at_b = {0};
        from_other_side(at_a.q, at_b.q);
        CHECK(pkm_kinematics_forward(a, PKM_START_HOME, &at_a, NULL) == PKM_OK);
        CHECK(pkm_kinematics_forward(b, PKM_START_HOME, &at_b, NULL) == PKM_OK);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(at_a.tool.pose.p, at_b.tool.pose.p)), 0.0, 1e-13);
        const pkm_quat off = pkm_quat_mul(at_a.tool.pose.q, pkm_quat_conj(at_b.tool.pose.q));
        CHECK_NEAR(pkm_vec3_norm(pkm_quat_to_rotvec(off)), 0.0, 1e-13);
    }
    pkm_robot_free(a);
    pkm_robot_free(b);
}

/// Where drives that start at q with rates v and accelerations a are after t; the energy there [J].
static double move(pkm_robot* robot, const pkm_instant* start, double t, pkm_instant* out)
{
    *out = *start;
    for (int d = 0; d < 3; ++d) {
        out->q[d] += t * (start->v[d] + 0.5 * t * start->a[d]);
        out->v[d] += t * start->a[d];
    }
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, out, NULL) == PKM_OK);
    const pkm_energy energy = pkm_energy_now(robot->state);
    return energy.kinetic + energy.potential;
}

// Rates and accelerations of the tool against differences; the drives give the energy.
static void a_planar_joint_seen_from_its_far_side_moves_as_its_coordinates_say(void)
{
    pkm_robot* robot = make_stage(true);
    unsigned seed = 9;
    const double h = 1e-4;
    for (int n = 0; robot && n < 5; ++n) {
        pkm_instant start = {0}, before, now, after;
        for (int d = 0; d < 3; ++d) {
            start.q[d] = engine_noise(&seed);
            start.v[d] = 2.0 * engine_noise(&seed);
            start.a[d] = 5.0 * engine_noise(&seed);
        }
        const double e0 = move(robot, &start, -h, &before), e1 = move(robot, &start, h, &after);
        move(robot, &start, 0.0, &now);
        const pkm_vec3 p0 = before.tool.pose.p, p1 = now.tool.pose.p, p2 = after.tool.pose.p;
        const pkm_vec3 v = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(p2, p0));
        const pkm_vec3 sum = pkm_vec3_axpy(pkm_vec3_add(p0, p2), -2.0, p1);
        const pkm_vec3 acc = pkm_vec3_scale(1.0 / (h * h), sum);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(v, now.tool.v)), 0.0, 1e-6);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(acc, now.tool.a)), 0.0, 1e-5);
        double power = 0.0;
        for (int d = 0; d < 3; ++d)
            power += now.force[d] * now.v[d];
        CHECK_NEAR(power, 0.5 * (e1 - e0) / h, 1e-5 * (1.0 + fabs(power)));
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_pose_outside_of_what_the_tool_moves_in_is_refused);
    RUN(an_orientation_that_the_tool_cannot_take_is_refused);
    RUN(home_states_nothing_that_the_tool_cannot_take);
    RUN(a_planar_joint_may_be_named_from_either_side);
    RUN(a_planar_joint_seen_from_its_far_side_moves_as_its_coordinates_say);
    return check_report();
}
