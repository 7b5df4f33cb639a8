/// Screws against closed forms: a nut that climbs, a spindle in a loop, drives on the angle and
/// along the axis, many turns, both hands, small vibrations.
#include "engine.h"
#include "pkm/inverse.h"
#include "pkm/kinematics.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;
static const double MASS = 3.0, INERTIA = 2e-4, G = 9.81, LEAD = 5e-3;

/// A nut on a standing spindle that does not turn: the nut turns and climbs.
static const char nut[] = "pkm: 1\nname: nut\ngravity: [0, 0, -9.81]\n"
                          "ground: {points: {O: [0, 0, 0]}}\n"
                          "bodies:\n"
                          "  nut: {mass: 3 kg, inertia: [1e-4, 1e-4, 2e-4], points: {N: [0, 0, 0]},"
                          " pose: {at: [0, 0, %s]}}\n"
                          "joints:\n"
                          "  thread: {type: screw, between: [%s], axis: z, lead: %s}\n"
                          "drives: {q: {joint: thread%s}}\n"
                          "tool: {point: nut.N, moves: [z]}\n";

/// The same by a machine: the spindle turns in a bearing, the nut slides on a rail.
static const char jack[] =
    "pkm: 1\nname: jack\ngravity: [0, 0, -9.81]\n"
    "ground: {points: {O: [0, 0, 0], R: [0.1, 0, 0]}}\n"
    "bodies:\n"
    "  spindle: {mass: 1 kg, inertia: [1e-4, 1e-4, 2e-4], points: {O: [0, 0, 0]}}\n"
    "  nut: {mass: 3 kg, inertia: [1e-4, 1e-4, 1e-4], points: {N: [0, 0, 0], R: [0.1, 0, 0]},"
    " pose: {at: [0, 0, 0.02]}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [ground.O, spindle.O], axis: z}\n"
    "  thread: {type: screw, between: [%s], axis: z, lead: %s}\n"
    "  rail: {type: prismatic, between: [ground.R, nut.R], axis: z}\n"
    "drives: {q: {joint: %s}}\n"
    "tool: {point: nut.N, moves: [z]}\n";

static pkm_robot* make(const char* format, const char* a, const char* b, const char* c,
                       const char* d)
{
    char text[4096];
    snprintf(text, sizeof text, format, a, b, c, d);
    return engine_from(text);
}

/// Force of the drive for position, rate and acceleration; what the tool does is in `now`.
static double force_at(pkm_robot* robot, double q, double v, double a, pkm_instant* now)
{
    *now = (pkm_instant){.q = {q}, .v = {v}, .a = {a}};
    pkm_error err = {0};
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, now, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return now->force[0];
}

// torque = m g h + (J + m h^2) alpha,  h = lead / 2 pi; the way is h q, over forty turns too
static void a_nut_climbs_by_its_lead(void)
{
    static const char* const lead[] = {"5 mm", "-5 mm"};
    for (int hand = 0; hand < 2; ++hand) {
        const double h = (hand ? -LEAD : LEAD) / (2.0 * pi);
        pkm_robot* robot = make(nut, "0", "ground.O, nut.N", lead[hand], "");
        if (!robot) return;
        for (int i = 0; i < 3; ++i) {
            const double q = i * 40.0 * pi, v = 20.0, a = 300.0;
            pkm_instant now;
            const double torque = force_at(robot, q, v, a, &now);
            CHECK_NEAR(now.tool.pose.p.z, h * q, 1e-13);
            CHECK_NEAR(now.tool.v.z, h * v, 1e-15);
            CHECK_NEAR(now.tool.a.z, h * a, 1e-13);
            CHECK_NEAR(torque, MASS * G * h + (INERTIA + MASS * h * h) * a, 1e-12);
        }
        pkm_robot_free(robot);
    }
}

// The points in the other order: the ground screws on the nut, so that the nut goes the other way.
static void the_order_of_the_points_gives_the_sign(void)
{
    const double h = LEAD / (2.0 * pi);
    pkm_robot* robot = make(nut, "0", "nut.N, ground.O", "5 mm", "");
    if (!robot) return;
    pkm_instant now;
    const double torque = force_at(robot, 50.0, 0.0, 100.0, &now);
    CHECK_NEAR(now.tool.pose.p.z, -h * 50.0, 1e-13);
    CHECK_NEAR(torque, -MASS * G * h + (INERTIA + MASS * h * h) * 100.0, 1e-12);
    pkm_robot_free(robot);
}

// Driven along its axis the screw shows its inertia as mass: F = m g + (m + J/h^2) a
static void a_drive_along_the_axis_feels_the_inertia_as_mass(void)
{
    const double h = LEAD / (2.0 * pi);
    pkm_robot* robot = make(nut, "0", "ground.O, nut.N", "5 mm", ", coordinate: displacement");
    if (!robot) return;
    CHECK(!robot->mech->drive[0].is_rotary);
    pkm_instant now;
    const double force = force_at(robot, 0.03, 0.1, 2.0, &now);
    CHECK_NEAR(now.tool.pose.p.z, 0.03, 1e-15);
    CHECK_NEAR(now.tool.v.z, 0.1, 1e-14);
    CHECK_NEAR(force, MASS * G + (MASS + INERTIA / (h * h)) * 2.0, 1e-9);
    pkm_robot_free(robot);
}

// In a loop: the spindle turns, the rail keeps the nut from turning, so that it goes down a
// right-handed thread: torque = m g h + (J + m h^2) alpha with h = -lead / 2 pi. A thread has the
// same hand from both sides.
static void a_jack_lifts_by_torque_over_pitch(void)
{
    static const char* const order[] = {"spindle.O, nut.N", "nut.N, spindle.O"};
    for (int i = 0; i < 2; ++i) {
        const double h = -LEAD / (2.0 * pi);
        char text[4096];
        snprintf(text, sizeof text, jack, order[i], "5 mm", "bearing");
        pkm_robot* robot = engine_from(text);
        if (!robot) return;
        CHECK(robot->structure.mobility == 1);
        CHECK(robot->structure.gruebler == 2 * 6 - 3 * 5);
        const double q0 = robot->drive_home[0], z0 = robot->tool_home.p.z;
        pkm_instant now;
        const double torque = force_at(robot, q0 + 30.0, 10.0, 200.0, &now);
        CHECK_NEAR(now.tool.pose.p.z - z0, h * 30.0, 1e-12);
        CHECK_NEAR(now.tool.v.z, h * 10.0, 1e-13);
        CHECK_NEAR(torque, MASS * G * h + (INERTIA + MASS * h * h) * 200.0, 1e-11);
        pkm_robot_free(robot);
    }
}

// The drive on the thread itself, in the same loop: it turns the nut against the spindle.
static void a_driven_thread_in_a_loop(void)
{
    const double h = LEAD / (2.0 * pi);
    char text[4096];
    snprintf(text, sizeof text, jack, "spindle.O, nut.N", "5 mm", "thread");
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    const double q0 = robot->drive_home[0];
    pkm_instant now;
    const double torque = force_at(robot, q0 + 5.0, 10.0, 200.0, &now);
    CHECK_NEAR(now.tool.v.z, h * 10.0, 1e-13);
    CHECK_NEAR(torque, MASS * G * h + (INERTIA + MASS * h * h) * 200.0, 1e-11);
    pkm_robot_free(robot);
}

// Two screws of leads p and r on one spindle, both nuts on rails: a loop with two threads.
static void two_threads_on_one_spindle(void)
{
    char text[4096];
    snprintf(text, sizeof text, jack, "spindle.O, nut.N", "5 mm", "bearing");
    char* at = strstr(text, "joints:\n");
    char tail[2048];
    snprintf(tail, sizeof tail, "%s", at);
    snprintf(at, sizeof text - (size_t)(at - text),
             "  second: {mass: 2 kg, inertia: [1e-4, 1e-4, 1e-4], points: {N: [0, 0, 0]}, "
             "pose: {at: [0, 0, 0.1]}}\n%s",
             tail);
    at = strstr(text, "drives:");
    snprintf(tail, sizeof tail, "%s", at);
    snprintf(at, sizeof text - (size_t)(at - text),
             "  thread2: {type: screw, between: [spindle.O, second.N], lead: -8 mm}\n"
             "  rail2: {type: prismatic, between: [ground.O, second.N]}\n%s",
             tail);
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    const double h = -5e-3 / (2.0 * pi), k = 8e-3 / (2.0 * pi);
    pkm_instant now;
    const double torque = force_at(robot, robot->drive_home[0], 0.0, 100.0, &now);
    const double inertia = INERTIA + MASS * h * h + 2.0 * k * k;
    CHECK_NEAR(torque, (MASS * h + 2.0 * k) * G + inertia * 100.0, 1e-11);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_nut_climbs_by_its_lead);
    RUN(the_order_of_the_points_gives_the_sign);
    RUN(a_drive_along_the_axis_feels_the_inertia_as_mass);
    RUN(a_jack_lifts_by_torque_over_pitch);
    RUN(a_driven_thread_in_a_loop);
    RUN(two_threads_on_one_spindle);
    return check_report();
}
