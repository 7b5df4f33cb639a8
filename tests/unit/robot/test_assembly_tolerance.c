/// Over-constrained loops with rounded dimensions: three cranks on one bar.
#include "engine.h"
#include "pkm/inverse.h"

/// Cranks of 0.3 m, the second and third longer and shorter by `err`, and so the bar; `tolerance`
/// as text, or "" for none.
static pkm_status make(double err, const char* tolerance, pkm_robot** out, pkm_error* at)
{
    static const char crank[] = "  %c: {mass: 1, com: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001], "
                                "points: {O: [0, 0, 0], E: "
                                "[0, 0, %.17g]}, pose: {at: [%g, 0, 0]}}\n";
    char text[4000];
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "pkm: 1\nname: cranks\n%s"
        "ground: {points: {A: [0, 0, 0], B: [0.2, 0, 0], C: [0.4, 0, 0]}}\nbodies:\n"
        "  bar: {mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], points: {A: [0, 0, 0], B: "
        "[0.2, 0, 0], C: [%.17g, 0, 0]}, pose: {at: [0, 0, 0.3]}}\n",
        tolerance, 0.4 + err);
    n += (size_t)snprintf(text + n, sizeof text - n, crank, 'a', 0.3, 0.0);
    n += (size_t)snprintf(text + n, sizeof text - n, crank, 'b', 0.3 + err, 0.2);
    n += (size_t)snprintf(text + n, sizeof text - n, crank, 'c', 0.3 - err, 0.4);
    n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
    for (const char* c = "abc"; *c; ++c)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  %c0: {type: revolute, between: [ground.%c, %c.O], axis: y}\n"
                              "  %c1: {type: revolute, between: [%c.E, bar.%c], axis: y}\n",
                              *c, *c - 32, *c, *c, *c, *c - 32);
    snprintf(text + n, sizeof text - n,
             "drives: {q: {joint: a0}}\ntool: bar.B\nhome: {drives: {q: 0.3}}\nmotions:\n"
             "  m: {law: quintic, duration: 1 s, drives: {q: [0.3, 0.9]}}\n");
    return pkm_robot_parse(text, "cranks.yaml", NULL, 0, out, at);
}

static double force_at(pkm_robot* robot, double q)
{
    pkm_instant now = {.q = {q}, .v = {1.0}, .a = {2.0}};
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
    return now.force[0];
}

static void rounded_dimensions_are_refused_with_the_gap(void)
{
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(make(1e-10, "", &robot, &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "assembly: {tolerance: 2e-10 m}");
    CHECK(make(1e-4, "assembly: {tolerance: 1e-6 m}\n", &robot, &err) == PKM_ERR_ASSEMBLY);
    CHECK(make(1e-2, "", &robot, &err) == PKM_ERR_ASSEMBLY);
    CHECK(!strstr(err.text, "tolerance")); // this is no rounding
}

// The exact robot is the truth; dimensions off by err change forces by about err over a length.
static void a_tolerance_lets_rounded_loops_move(void)
{
    pkm_robot *exact = NULL, *robot = NULL;
    CHECK(make(0.0, "", &exact, NULL) == PKM_OK);
    for (double off = 1e-10; exact && off < 2e-6; off *= 100.0) {
        char key[64];
        snprintf(key, sizeof key, "assembly: {tolerance: %g m}\n", 4.0 * off);
        CHECK(make(off, key, &robot, NULL) == PKM_OK);
        if (!robot) continue;
        CHECK(robot->structure.mobility == 1 && robot->structure.n_redundant == 7);
        CHECK(robot->structure.moves == exact->structure.moves);
        CHECK_NEAR(robot->drive_home[0], 0.3, 1e-12);
        CHECK(robot->assembly.closure_gap > 0.1 * off && robot->assembly.closure_gap < 4.0 * off);
        for (double q = 0.3; q < 0.9; q += 0.1) {
            const double truth = force_at(exact, q);
            CHECK_NEAR(force_at(robot, q), truth, 100.0 * off * fabs(truth) + 1e-12);
        }
        pkm_robot_free(robot);
        robot = NULL;
    }
    pkm_robot_free(exact);
}

int main(void)
{
    RUN(rounded_dimensions_are_refused_with_the_gap);
    RUN(a_tolerance_lets_rounded_loops_move);
    return check_report();
}
