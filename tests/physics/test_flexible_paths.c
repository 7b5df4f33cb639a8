// Static equilibria of flexible links beyond dead loads: loads that follow the bodies, springs that
// press without any load.
#include "simulate.h"

#include <math.h>

static const double PI = 3.14159265358979323846, E = 200e9, D = 0.02;

#define ARM                                                                                        \
    "pkm: 1\nname: arm\ngravity: [0, 0, 0]\n"                                                      \
    "materials: {steel: {density: 7800, young: 200 GPa, poisson: 0.25}}\n"                         \
    "ground: {points: {A: [0, 0, 0], S: [0.6, 0, 0.4]}}\n"                                         \
    "bodies: {arm: {points: {A: [0, 0, 0], M: [0.6, 0, 0], B: [1, 0, 0]}, "                        \
    "shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}}}\n"                         \
    "joints: {a: {type: revolute, between: [ground.A, arm.A], axis: y}}\n"                         \
    "drives: {q: {joint: a}}\ntool: arm.B\n"
#define REST "motion: none\ndrives: locked\nfor: 0.01 ms\ninstants: 2\n"

static double bending_stiffness(void)
{
    return E * PI * D * D * D * D / 64.0;
}

/// Tip of a cantilever of the length 1 under a force f E I across its tip that follows it: from the
/// tip, whose axes it keeps, back to the root, x' = -cos psi, z' = -sin psi, psi' = f x, by Runge
/// and Kutta's method; then seen from the root.
static void follow(double f, double out[2])
{
    enum { N = 400 };
    static const double part[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double y[3] = {0.0};
    for (int i = 0; i < N; ++i) {
        double k[3] = {0.0}, sum[3] = {0.0};
        for (int s = 0; s < 4; ++s) {
            double at[3];
            for (int q = 0; q < 3; ++q)
                at[q] = y[q] + part[s] * k[q] / N;
            k[0] = -cos(at[2]);
            k[1] = -sin(at[2]);
            k[2] = f * at[0];
            for (int q = 0; q < 3; ++q)
                sum[q] += weight[s] * k[q] / (6.0 * N);
        }
        for (int q = 0; q < 3; ++q)
            y[q] += sum[q];
    }
    out[0] = -cos(y[2]) * y[0] - sin(y[2]) * y[1];
    out[1] = sin(y[2]) * y[0] - cos(y[2]) * y[1];
}

// The symmetric part of the tangent loses its sign at 3.8 E I / L^2; nothing ends or branches
// there.
static void a_force_that_follows_bends_a_cantilever_far(void)
{
    const double f = 6.0;
    double want[2];
    follow(f, want);
    CHECK(want[0] < 0.3 && want[1] > 0.5);
    pkm_robot* robot = engine_from(ARM);
    char text[400];
    snprintf(text, sizeof text,
             REST "loads: {tip: {force: [0, 0, %.17g], at: arm.B, axes: body}}\n"
                  "flexible: {arm: {pieces: 8}}\n",
             f * bending_stiffness());
    sim_result r = sim_run_whole(robot, text);
    CHECK_NEAR(sim_get(&r, 0, "B.x"), want[0], 2e-3);
    CHECK_NEAR(sim_get(&r, 0, "B.z"), want[1], 2e-3);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A bushing whose parts are 0.4 m apart draws the arm by k (0.4 - w) = 3 E I w / a^3; the tip goes
// on straight, (3 L - a)/2 a as far.
static void springs_that_press_without_loads_settle(void)
{
    pkm_robot* robot = engine_from(ARM);
    sim_result r =
        sim_run_whole(robot, REST "flexible: {arm: {}}\n"
                                  "loads: {draw: {bushing: {stiffness: [1000, 1000, 1000, 0, 0, "
                                  "0]}, between: [ground.S, arm.M]}}\n");
    const double a = 0.6, k = 3.0 * bending_stiffness() / (a * a * a);
    const double w = 1000.0 * 0.4 / (k + 1000.0), tip = w * (3.0 - a) / (2.0 * a);
    CHECK_NEAR(sim_get(&r, 0, "B.z"), tip, 1e-3 * tip);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_force_that_follows_bends_a_cantilever_far);
    RUN(springs_that_press_without_loads_settle);
    return check_report();
}
