/// Limits of drives and motions that a run breaks are told with value and time.
#include "engine.h"
#include "pkm/inverse.h"

static const double PI = 3.141592653589793;

/// A slide of 2 kg moved by 0.5 m in 1 s, cubic: x = s (3 t^2 - 2 t^3) with s = 0.5 m, v = 6 s (t -
/// t^2), a = 6 s (1 - 2 t), with `limits` for the drive and `motion` for the motion.
static pkm_robot* slide(const char* limits, const char* motion)
{
    char text[1024];
    snprintf(text, sizeof text,
             "pkm: 1\nname: slide\ngravity: [0, 0, -10]\nground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {car: {mass: 2, points: {O: [0, 0, 0]}}}\n"
             "joints: {rail: {type: prismatic, between: [ground.O, car.O], axis: x}}\n"
             "drives: {q: {joint: rail%s}}\n"
             "tool: car.O\n"
             "motions: {go: {law: cubic, duration: 1 s, drives: {q: [0, 0.5]}%s}}\n",
             limits, motion);
    return engine_from(text);
}

/// Run the first motion with `n` instants.
static bool run(pkm_robot* robot, int n, pkm_inverse_report* report)
{
    if (!robot) return false;
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = n;
    pkm_table* table = pkm_table_create();
    const pkm_status status = pkm_inverse_run(robot, 0, &settings, table, report, NULL);
    CHECK(status == PKM_OK);
    pkm_table_free(table);
    return status == PKM_OK;
}

/// Exactly one limit is broken: this one.
static void check_one(const char* limits, const char* motion, const pkm_limit_report* want,
                      double tolerance)
{
    pkm_robot* robot = slide(limits, motion);
    pkm_inverse_report report;
    if (run(robot, 401, &report)) {
        CHECK(report.n_limit == 1);
        CHECK_TEXT(report.limit[0].what, want->what);
        CHECK_TEXT(report.limit[0].unit, want->unit);
        CHECK_NEAR(report.limit[0].limit, want->limit, 1e-12);
        CHECK_NEAR(report.limit[0].value, want->value, tolerance);
        CHECK_NEAR(report.limit[0].t, want->t, 1e-12);
    }
    pkm_robot_free(robot);
}

static void drive_limits_are_told(void)
{
    check_one(", limits: {position: [0, 0.4]}", "",
              &(pkm_limit_report){"q position", "m", 0.4, 0.5, 1.0}, 1e-12);
    check_one(", limits: {position: [0.1, 0.6]}", "",
              &(pkm_limit_report){"q position", "m", 0.1, 0.0, 0.0}, 1e-12);
    check_one(", limits: {velocity: 0.7}", "",
              &(pkm_limit_report){"q velocity", "m/s", 0.7, 0.75, 0.5}, 1e-12);
    check_one(", limits: {acceleration: 2.9}", "",
              &(pkm_limit_report){"q acceleration", "m/s2", 2.9, 3.0, 0.0}, 1e-12);
    check_one(", limits: {force: 5}", "", &(pkm_limit_report){"q force", "N", 5.0, 6.0, 0.0},
              1e-12);
}

// The jerk is -12 s = -6 m/s3 throughout; differences of a straight line are exact.
static void the_jerk_of_a_drive_is_told(void)
{
    pkm_robot* robot = slide(", limits: {jerk: 5.9}", "");
    pkm_inverse_report report;
    if (run(robot, 401, &report)) {
        CHECK(report.n_limit == 1);
        CHECK_TEXT(report.limit[0].what, "q jerk");
        CHECK_NEAR(report.limit[0].value, 6.0, 1e-9);
        CHECK_TEXT(report.limit[0].unit, "m/s3");
    }
    pkm_robot_free(robot);
}

static void limits_of_the_motion_are_told(void)
{
    check_one("", ", limits: {velocity: 0.7}",
              &(pkm_limit_report){"O speed", "m/s", 0.7, 0.75, 0.5}, 1e-12);
    check_one("", ", limits: {acceleration: 2.9}",
              &(pkm_limit_report){"O acceleration", "m/s2", 2.9, 3.0, 0.0}, 1e-12);
    pkm_robot* robot = slide("", ", limits: {jerk: 5.9}");
    pkm_inverse_report report;
    if (run(robot, 401, &report)) {
        CHECK(report.n_limit == 1);
        CHECK_TEXT(report.limit[0].what, "O jerk");
        CHECK_NEAR(report.limit[0].value, 6.0, 1e-9);
    }
    pkm_robot_free(robot);
}

static void limits_that_hold_are_silent(void)
{
    pkm_robot* robot = slide(", limits: {position: [0, 0.5], velocity: 0.7501, acceleration: 3.001,"
                             " jerk: 6.001, force: 6.001}",
                             ", limits: {velocity: 0.7501, acceleration: 3.001, jerk: 6.001}");
    pkm_inverse_report report;
    if (run(robot, 401, &report)) CHECK(report.n_limit == 0);
    pkm_robot_free(robot);
}

// On a circle the jerk is a vector: its change counts, not that of its size.
static void the_jerk_of_a_circle_is_that_of_a_vector(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\nname: table\nground: {points: {O: [0, 0, 0]}}\n"
                    "bodies:\n"
                    "  car: {mass: 1, points: {O: [0, 0, 0]}}\n"
                    "  top: {mass: 1, points: {O: [0, 0, 0]}}\n"
                    "joints:\n"
                    "  x: {type: prismatic, between: [ground.O, car.O], axis: x}\n"
                    "  y: {type: prismatic, between: [car.O, top.O], axis: y}\n"
                    "drives: {x: {joint: x}, y: {joint: y}}\n"
                    "tool: {point: top.O, moves: [x, y]}\n"
                    "motions: {turn: {law: constant, duration: 1 s, limits: {jerk: 20},\n"
                    "  path: {circle: {center: [0, 0, 0], radius: 0.1, turns: 1}}}}\n");
    pkm_inverse_report report;
    if (run(robot, 2001, &report)) {
        CHECK(report.n_limit == 1);
        const double w = 2.0 * PI; // r w^3, chords of the hodograph are a millionth shorter
        if (report.n_limit) CHECK_NEAR(report.limit[0].value, 0.1 * w * w * w, 1e-4);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(drive_limits_are_told);
    RUN(the_jerk_of_a_drive_is_told);
    RUN(limits_of_the_motion_are_told);
    RUN(limits_that_hold_are_silent);
    RUN(the_jerk_of_a_circle_is_that_of_a_vector);
    return check_report();
}
