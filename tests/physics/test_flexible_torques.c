// Torques on flexible links in statics: tool, loads, bushings; sections given by their numbers.
#include "flexible.h"

static const double PI = 3.14159265358979323846, E = 207e9, NU = 0.29, D = 0.02;

static const char crank[] =
    "pkm: 1\nname: crank\ngravity: [0, 0, 0]\n"
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
    "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\n"
    "bodies:\n"
    "  rod: {points: {A: [0, 0, 0], M: [0.5, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, "
    "diameter: 20 mm}, material: steel}]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground.O, rod.A], axis: y}\n"
    "drives: {q: {joint: pin}}\n"
    "tool: rod.B\n"
    "outputs: [rod.M]\n";

/// The crank at static rest with two of its modes: row 0.
static sim_result rest(pkm_robot* robot, const char* more)
{
    char text[600];
    snprintf(text, sizeof text, "motion: none\ndrives: locked\nfor: 0.01 ms\ninstants: 2\n%s",
             more);
    return sim_run_whole(robot, text);
}

// T L^2 / 2 E I at the tip; T L / G J of twist. Whatever modes are kept, statics is exact.
static void torques_of_the_tool_have_their_shapes(void)
{
    const double I = PI * pow(D, 4) / 64.0, G = E / (2.0 * (1.0 + NU)), T = 3.0;
    pkm_robot* robot = engine_from(crank);
    sim_result r =
        rest(robot, "tool_torque: [0, 0, 3]\nflexible: {rod: {modes: 2, stiffening: false}}\n");
    const double w = T / (2.0 * E * I);
    CHECK_NEAR(sim_get(&r, 0, "B.y"), w, 1e-6 * w);
    sim_free(&r);
    sim_result s =
        rest(robot, "tool_torque: [3, 0, 0]\nflexible: {rod: {modes: 2, stiffening: false}}\n");
    CHECK_NEAR(fabs(sim_get(&s, 0, "rod.twist")), T / (G * 2.0 * I), 1e-6 * T / (G * 2.0 * I));
    sim_free(&s);
    pkm_robot_free(robot);
}

// A torque in the middle bends the first half only: T x^2 / 2 E I, then straight on.
static void torques_of_loads_have_their_shapes(void)
{
    const double I = PI * pow(D, 4) / 64.0, T = 5.0, half = T * 0.125 / (E * I);
    pkm_robot* robot = engine_from(crank);
    sim_result r = rest(robot, "loads: {a: {torque: [0, 0, 5 N m], at: rod.M}}\n"
                               "flexible: {rod: {modes: 2, stiffening: false}}\n");
    CHECK_NEAR(sim_get(&r, 0, "M.y"), half, 1e-6 * half);
    CHECK_NEAR(sim_get(&r, 0, "B.y"), 3.0 * half, 3e-6 * half);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A bushing with a turning stiffness k alone holds the tip under a force F: its torque is
// k F L^2 / 2 / (E I + k L), and the tip gives way by F L^3 / 3 E I less that times L^2 / 2 E I.
static void torques_of_bushings_have_their_shapes(void)
{
    const double I = PI * pow(D, 4) / 64.0, F = 20.0, k = 500.0, EI = E * I;
    const double T = k * 0.5 * F / (EI + k), want = F / (3.0 * EI) - 0.5 * T / EI;
    pkm_robot* robot = engine_from(crank);
    sim_result r = rest(robot, "tool_force: [0, 20, 0]\n"
                               "loads: {b: {bushing: {stiffness: [0, 0, 0, 0, 0, 500]}, between: "
                               "[ground.E, rod.B]}}\n"
                               "flexible: {rod: {modes: 2, stiffening: false}}\n");
    CHECK_NEAR(sim_get(&r, 0, "B.y"), want, 1e-5 * want);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- sections given by their numbers, tapered ones ----------------------------------------------

/// Largest stress of the crank, pulled by 4 kN, bent by 2 and 3 N m, of a section by its numbers.
static double stress_of(pkm_robot* robot, const char* outer, const char* more)
{
    char text[300];
    snprintf(
        text, sizeof text,
        "tool_force: [4000, 0, 0]\ntool_torque: [0, 2, 3]\nflexible: {rod: {stiffening: false, "
        "%s section: {area: 100 mm2, Iy: 4e-9, Iz: 5e-9, J: 8e-9, outer: %s}}}\n",
        more, outer);
    sim_result r = rest(robot, text);
    const double stress = sim_get(&r, 0, "rod.stress");
    sim_free(&r);
    return stress;
}

// The moments are the same along the crank: N/A + Mz y/Iz + My z/Iy at a corner, at a round edge
// N/A + |M| r/I. Without distances the section is asked for them. Few modes of a constant moment
// leave 1e-3 of it.
static void sections_by_numbers_need_their_outer_fibres(void)
{
    pkm_robot* robot = engine_from(crank);
    const double axial = 4000.0 / 100e-6, y = 3.0 * 6e-3 / 5e-9, z = 2.0 * 8e-3 / 4e-9;
    CHECK_NEAR(stress_of(robot, "[6 mm, 8 mm]", "modes: full,"), axial + y + z, 1e-6 * axial);
    CHECK_NEAR(stress_of(robot, "[6 mm, 8 mm]", ""), axial + y + z, 2e-3 * (y + z));
    const double round = hypot(3.0 * 8e-3 / 5e-9, z);
    CHECK_NEAR(stress_of(robot, "8 mm", "modes: full,"), axial + round, 1e-6 * axial);
    sim_result bad = sim_run(robot, "flexible: {rod: {section: {area: 100 mm2, Iy: 4e-9, Iz: 5e-9, "
                                    "J: 8e-9}}}\n");
    CHECK(bad.status != PKM_OK);
    CHECK_CONTAINS(bad.err.text, "needs the key 'outer'");
    sim_free(&bad);
    pkm_robot_free(robot);
}

/// Tip of a cantilever of 1 m under F across it: F int (1 - x)^2 / E I(x) dx, by midpoints.
static double tip_of(double F, double (*I)(double x))
{
    enum { N = 20000 };
    double sum = 0.0;
    for (int i = 0; i < N; ++i) {
        const double x = (i + 0.5) / N;
        sum += (1.0 - x) * (1.0 - x) / (E * I(x)) / N;
    }
    return F * sum;
}

/// A bar of 20 mm width, 30 mm high at the root and 10 mm at the tip.
static double wedge(double x)
{
    return 0.02 * pow(0.03 - 0.02 * x, 3) / 12.0;
}

/// A tube with walls of 2 mm, of 40 mm at the root and 20 mm at the tip.
static double cone(double x)
{
    const double R = 0.02 - 0.01 * x;
    return 0.25 * PI * (pow(R, 4) - pow(R - 0.002, 4));
}

// Sizes are linear on the way. Elements have the section of their middle, an error of the second
// order.
static void tapered_links_have_linear_sizes(void)
{
    static const struct {
        const char *root, *tip;
        double (*I)(double x);
    } taper[] = {{"{width: 20 mm, height: 30 mm}", "{width: 20 mm, height: 10 mm}", wedge},
                 {"{diameter: 40 mm, wall: 2 mm}", "{diameter: 20 mm, wall: 2 mm}", cone}};
    pkm_robot* robot = engine_from(crank);
    for (int k = 0; k < 2; ++k) {
        const double want = tip_of(1.0, taper[k].I);
        double off[2];
        for (int i = 0; i < 2; ++i) {
            char text[400];
            snprintf(text, sizeof text,
                     "tool_force: [0, 0, 1]\nflexible: {rod: {elements: %d, section: %s, "
                     "section_end: %s, section_y: y}}\n",
                     i == 0 ? 8 : 32, taper[k].root, taper[k].tip);
            sim_result r = rest(robot, text);
            off[i] = sim_get(&r, 0, "B.z") - want;
            sim_free(&r);
        }
        CHECK_NEAR(off[0] / off[1], 16.0, 1.0);
        CHECK_NEAR((16.0 * off[1] - off[0]) / 15.0, 0.0, 1e-4 * want);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(torques_of_the_tool_have_their_shapes);
    RUN(torques_of_loads_have_their_shapes);
    RUN(torques_of_bushings_have_their_shapes);
    RUN(sections_by_numbers_need_their_outer_fibres);
    RUN(tapered_links_have_linear_sizes);
    return check_report();
}
