/// Condition numbers, directions and kinds of singularity.
#include "engine.h"
#include "linkages.h"
#include "pkm/kinematics.h"
#include "robot/continuation.h"

static const double PI = 3.141592653589793;

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

/// Dexterity with the drives at `q`.
static bool look_at(pkm_robot* robot, const double* q, pkm_dexterity* out)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, q, (size_t)robot->mech->n_drive * sizeof(double));
    pkm_error err = {0};
    const bool ok = pkm_follow_near(robot, PKM_GIVEN_DRIVES, &target, "there", &err) == PKM_OK &&
                    pkm_dexterity_at(robot, out, &err) == PKM_OK;
    if (!ok) printf("    %s\n", err.text);
    CHECK(ok);
    return ok;
}

// The Jacobian of the arm is known; so are its singular values: their product is l1 l2 sin q2 and
// the sum of their squares |J|^2.
static void an_arm_has_its_known_jacobian(void)
{
    pkm_robot* robot = engine_from(arm);
    if (!robot) return;
    const double q[2] = {0.4, 1.1}, s1 = sin(0.4), c1 = cos(0.4), s12 = sin(1.5), c12 = cos(1.5);
    const double J[4] = {-0.3 * s1 - 0.2 * s12, 0.3 * c1 + 0.2 * c12, -0.2 * s12, 0.2 * c12};
    pkm_dexterity d;
    if (look_at(robot, q, &d)) {
        CHECK(d.has_J && d.n_drive == 2 && d.moves == 3);
        CHECK_NEAR(d.J[0], J[0], 1e-14);
        CHECK_NEAR(d.J[1], J[1], 1e-14);
        CHECK_NEAR(d.J[6], J[2], 1e-14);
        CHECK_NEAR(d.J[7], J[3], 1e-14);
        CHECK_NEAR(d.J[5], 1.0, 1e-14); // both turn the tool about z
        const double* s = d.shift.sigma;
        const double sum = J[0] * J[0] + J[1] * J[1] + J[2] * J[2] + J[3] * J[3];
        CHECK_NEAR(s[0] * s[1], 0.3 * 0.2 * sin(1.1), 1e-14);
        CHECK_NEAR(s[0] * s[0] + s[1] * s[1], sum, 1e-14);
        CHECK_NEAR(d.shift.condition, s[0] / s[1], 1e-12);
        CHECK(d.turn.n == 0 && d.mixed.n == 0);
        CHECK(!d.serial && !d.parallel && !d.constraint);
        // |J' e| along the weakest and the softest direction
        for (int k = 0; k < 2; ++k) {
            const double* e = k == 0 ? d.shift.softest : d.shift.weakest;
            const double x = J[0] * e[0] + J[1] * e[1], y = J[2] * e[0] + J[3] * e[1];
            CHECK_NEAR(hypot(x, y), s[k], 1e-13);
        }
    }
    pkm_robot_free(robot);
}

// Stretched, the arm cannot move outwards.
static void a_stretched_arm_is_serially_singular(void)
{
    pkm_robot* robot = engine_from(arm);
    if (!robot) return;
    const double q[2] = {PI / 6.0, 0.0};
    pkm_dexterity d;
    if (look_at(robot, q, &d)) {
        CHECK(d.serial && !d.parallel && !d.constraint);
        CHECK(d.shift.condition > 1e12);
        CHECK_NEAR(fabs(d.shift.weakest[0]), cos(PI / 6.0), 1e-9);
        CHECK_NEAR(fabs(d.shift.weakest[1]), sin(PI / 6.0), 1e-9);
    }
    pkm_robot_free(robot);
}

// ---- the planar 3-RRR -------------------------------------------------------------------------

/// Where joint `name` of the planar 3-RRR is.
static pkm_vec3 place_of(const pkm_robot* robot, const char* name)
{
    const pkm_joint* joint = &robot->mech->joint[pkm_mechanism_find_joint(robot->mech, name)];
    const pkm_body_state* a = &robot->state->body[joint->body_a];
    return pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
}

/// Vanishes when crank and link of the first limb are in line.
static double bend(const pkm_robot* robot)
{
    const pkm_vec3 a = place_of(robot, "1.motor"), b = place_of(robot, "1.B");
    return pkm_vec3_cross(pkm_vec3_sub(b, a), pkm_vec3_sub(place_of(robot, "1.C"), b)).z;
}

/// Vanishes when the line of the first link passes through the middle of the platform.
static double lever(const pkm_robot* robot)
{
    const pkm_vec3 p = place_of(robot, "1.B");
    return pkm_vec3_cross(p, pkm_vec3_sub(place_of(robot, "1.C"), p)).z;
}

/// A family of targets, and a number that vanishes on one of them.
typedef struct family {
    pkm_given given;
    pkm_target (*at)(const pkm_robot* robot, double x);
    double (*value)(const pkm_robot* robot);
} family;

static bool evaluate(pkm_robot* robot, const family* f, double x, double* value)
{
    const pkm_target target = f->at(robot, x);
    if (pkm_follow_near(robot, f->given, &target, "there", NULL) != PKM_OK) return false;
    *value = f->value(robot);
    return true;
}

/// Go from x = 0 in steps until the value changes its sign, then bisect; false when it never does.
static bool go_to_zero(pkm_robot* robot, const family* f, double step)
{
    double low = 0.0, high = 0.0, first = 0.0, value = 0.0;
    if (!evaluate(robot, f, 0.0, &first)) return false;
    for (value = first; value * first > 0.0; high += step) {
        low = high;
        if (!evaluate(robot, f, high + step, &value)) return false;
    }
    for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        if (!evaluate(robot, f, middle, &value)) return true; // as near as it gets
        if (value * first > 0.0)
            low = middle;
        else
            high = middle;
    }
    return true;
}

static pkm_target turned(const pkm_robot* robot, double x)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    target.tool.pose.q = pkm_quat_from_axis((pkm_vec3){0.0, 0.0, 1.0}, x);
    return target;
}

static pkm_target first_crank(const pkm_robot* robot, double x)
{
    pkm_target target = {.tool.pose = robot->tool_home};
    memcpy(target.q, robot->drive_home, sizeof target.q);
    target.q[0] += x;
    return target;
}

// One limb of the planar 3-RRR stretched: shifts alone and turns alone still have full rank.
static void a_stretched_limb_is_a_serial_singularity_of_shifts_and_turns_together(void)
{
    pkm_robot* robot = engine_load("planar-3rrr");
    if (!robot) return;
    const family f = {PKM_GIVEN_DRIVES, first_crank, bend};
    pkm_dexterity d;
    bool found = go_to_zero(robot, &f, 0.02);
    if (!found) {
        pkm_robot_go_home(robot);
        found = go_to_zero(robot, &f, -0.02);
    }
    CHECK(found);
    CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
    CHECK_NEAR(bend(robot), 0.0, 1e-12);
    CHECK(d.serial && !d.parallel && !d.constraint);
    CHECK(d.shift.condition < 1e3 && d.turn.condition < 1e3);
    CHECK(d.mixed.n == 3 && d.mixed.condition > 1e5);
    pkm_robot_free(robot);
}

// Near to it as well: 1e-7 rad, where no pivot is small enough to be called zero.
static void a_nearly_stretched_limb_is_too(void)
{
    pkm_robot* robot = engine_load("planar-3rrr");
    if (!robot) return;
    const family f = {PKM_GIVEN_DRIVES, first_crank, bend};
    pkm_dexterity d;
    if (!go_to_zero(robot, &f, 0.02)) {
        pkm_robot_go_home(robot);
        CHECK(go_to_zero(robot, &f, -0.02));
    }
    pkm_target target = {.tool.pose = robot->tool_home};
    for (int k = 0; k < 3; ++k)
        target.q[k] = pkm_state_drive_position(robot->state, k);
    target.q[0] += 1e-7;
    CHECK(pkm_follow_near(robot, PKM_GIVEN_DRIVES, &target, "near", NULL) == PKM_OK);
    CHECK(fabs(bend(robot)) > 1e-10);
    CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
    CHECK(d.serial && !d.parallel);
    target.q[0] += 1e-3;
    CHECK(pkm_follow_near(robot, PKM_GIVEN_DRIVES, &target, "off", NULL) == PKM_OK);
    CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
    CHECK(!d.serial && !d.parallel);
    pkm_robot_free(robot);
}

// Turned on the spot until the three links point to its middle, the platform is not held: a turn
// meets no resistance, while shifts are held well.
static void concurrent_links_are_a_parallel_singularity(void)
{
    pkm_robot* robot = engine_load("planar-3rrr");
    if (!robot) return;
    const family f = {PKM_GIVEN_TOOL, turned, lever};
    pkm_dexterity d;
    bool found = go_to_zero(robot, &f, 0.02);
    if (!found) {
        pkm_robot_go_home(robot);
        found = go_to_zero(robot, &f, -0.02);
    }
    CHECK(found);
    CHECK_NEAR(lever(robot), 0.0, 1e-10);
    CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
    CHECK(d.parallel && !d.constraint && !d.serial);
    CHECK(!d.has_J && d.shift.n == 0 && d.turn.n == 0 && d.mixed.n == 0); // nothing is told of it
    for (int k = 0; k < 6 * d.n_drive; ++k)
        CHECK(d.J[k] == 0.0);
    pkm_robot_free(robot);
}

// A flat parallelogram: the loop itself loses rank on the way through.
static void a_flat_parallelogram_is_a_constraint_singularity(void)
{
    pkm_robot* robot = engine_from("pkm: 1\nname: parallelogram\n"
                                   "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
                                   "bodies:\n"
                                   "  one: {mass: 1, points: {A: [0, 0, 0], B: [0.1, 0, 0]},\n"
                                   "    pose: {at: [0, 0, 0], rotate: {z: 90 deg}}}\n"
                                   "  two: {mass: 1, points: {B: [0, 0, 0], C: [0.4, 0, 0]},\n"
                                   "    pose: {at: [0, 0.1, 0]}}\n"
                                   "  three: {mass: 1, points: {D: [0, 0, 0], C: [0.1, 0, 0]},\n"
                                   "    pose: {at: [0.4, 0, 0], rotate: {z: 90 deg}}}\n"
                                   "joints:\n"
                                   "  A: {type: revolute, between: [ground.A, one.A]}\n"
                                   "  B: {type: revolute, between: [one.B, two.B]}\n"
                                   "  C: {type: revolute, between: [two.C, three.C]}\n"
                                   "  D: {type: revolute, between: [ground.D, three.D]}\n"
                                   "drives: {q: {joint: A}}\n"
                                   "tool: two.B\n");
    if (!robot) return;
    pkm_dexterity d;
    const double half[1] = {PI / 4.0};
    if (look_at(robot, half, &d)) CHECK(!d.constraint && d.closure_sigma > 1e-3);
    const double flat[1] = {1e-9};
    if (look_at(robot, flat, &d)) CHECK(d.constraint && d.closure_sigma < 1e-6);
    pkm_robot_free(robot);
}

// A point of a four-bar moves in x, y and turns, all with one drive: nothing is lost.
static void fewer_drives_than_components_are_not_singular(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    pkm_dexterity d;
    CHECK(pkm_dexterity_at(robot, &d, NULL) == PKM_OK);
    CHECK(!d.serial && !d.parallel && !d.constraint);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(an_arm_has_its_known_jacobian);
    RUN(a_stretched_arm_is_serially_singular);
    RUN(a_stretched_limb_is_a_serial_singularity_of_shifts_and_turns_together);
    RUN(a_nearly_stretched_limb_is_too);
    RUN(concurrent_links_are_a_parallel_singularity);
    RUN(a_flat_parallelogram_is_a_constraint_singularity);
    RUN(fewer_drives_than_components_are_not_singular);
    return check_report();
}
