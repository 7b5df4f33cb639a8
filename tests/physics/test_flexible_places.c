// What is read at places along flexible links: how far bending and weight move them along the line,
// their stress; and flat links that bending tips over sideways.
#include "simulate.h"

#include <math.h>

static const double PI = 3.14159265358979323846, E = 200e9, D = 0.02, RHO = 7800.0, G = 9.81;

#define HEAD(gravity)                                                                              \
    "pkm: 1\nname: rod\ngravity: " gravity "\n"                                                    \
    "materials: {steel: {density: 7800, young: 200 GPa, poisson: 0.25}}\n"                         \
    "ground: {points: {O: [0, 0, 0], Q: [1, 0, 0]}}\n"
#define ROD                                                                                        \
    "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, "                                               \
    "shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}}\n"
#define PLACES "places: [0.25, 0.5, 0.75, 1]"

/// At static rest: row 0.
static sim_result rest(pkm_robot* robot, const char* more)
{
    char text[600];
    snprintf(text, sizeof text, "motion: none\ndrives: locked\nfor: 0.01 ms\ninstants: 2\n%s",
             more);
    return sim_run_whole(robot, text);
}

static double at(const sim_result* r, int quarter, const char* what)
{
    char column[40];
    snprintf(column, sizeof column, "rod@%g.%s", 0.25 * quarter, what);
    return sim_get(r, 0, column);
}

/// Integral of v'^2 / 2 from 0 to x by Simpson's rule.
static double shortened(double (*slope)(double), double x)
{
    enum { N = 400 };
    double sum = 0.0;
    for (int i = 0; i <= N; ++i) {
        const double s = slope(x * i / N);
        sum += (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) * 0.5 * s * s;
    }
    return sum * x / (3.0 * N);
}

/// Slopes under weight per bending stiffness, from the clamped end: a cantilever, and one whose
/// other end is held by a hinge.
static double cantilever(double x)
{
    return RHO * G / (E * D * D / 16.0) / 6.0 * (x * x * x - 3.0 * x * x + 3.0 * x);
}

static double propped(double x)
{
    return RHO * G / (E * D * D / 16.0) / 48.0 * (8.0 * x * x * x - 15.0 * x * x + 6.0 * x);
}

static const char* const few_and_many[] = {"flexible: {rod: {" PLACES "}}\n",
                                           "flexible: {rod: {modes: 2, " PLACES "}}\n",
                                           "flexible: {rod: {modes: full, " PLACES "}}\n"};

// A cantilever that sags draws its places towards its root; where few modes do not have that, it
// settles without force.
static void a_sag_draws_places_towards_the_root(void)
{
    pkm_robot* robot =
        engine_from(HEAD("[0, -9.81, 0]") "bodies:\n" ROD "joints:\n"
                                          "  a: {type: revolute, between: [ground.O, rod.A], axis: "
                                          "z}\ndrives: {q: {joint: a}}\ntool: rod.B\n");
    for (int k = 0; k < 3; ++k) {
        sim_result r = rest(robot, few_and_many[k]);
        for (int i = 1; i <= 4; ++i) {
            const double want = -shortened(cantilever, 0.25 * i);
            CHECK_NEAR(at(&r, i, "stretch"), want, 1e-3 * fabs(want));
        }
        sim_free(&r);
    }
    pkm_robot_free(robot);
}

// Between a hinge and a guide that holds its turn the line of the joints turns against the mean
// axes of the modes: to the second order, too.
static void a_line_that_turns_counts_to_the_second_order(void)
{
    pkm_robot* robot = engine_from(
        HEAD("[0, -9.81, 0]") "bodies:\n" ROD
                              "  s: {mass: 1, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}\n"
                              "joints:\n"
                              "  a: {type: prismatic, between: [ground.O, s.O], axis: y}\n"
                              "  b: {type: revolute, between: [s.O, rod.A], axis: z}\n"
                              "  c: {type: cylindrical, between: [ground.Q, rod.B], axis: x}\n"
                              "drives: {q: {joint: a}}\ntool: rod.B\n");
    for (int k = 0; k < 3; ++k) {
        sim_result r = rest(robot, few_and_many[k]);
        for (int i = 1; i <= 4; ++i) {
            const double want = shortened(propped, 1.0 - 0.25 * i) - shortened(propped, 1.0);
            CHECK_NEAR(at(&r, i, "stretch"), want, 2e-3 * fabs(want));
        }
        sim_free(&r);
    }
    pkm_robot_free(robot);
}

// A rod that hangs has the stress rho g (L - x) and is longer by rho g (L x - x^2/2)/E above x.
static void a_hanging_rod_has_the_stress_of_what_hangs_below(void)
{
    pkm_robot* robot =
        engine_from(HEAD("[9.81, 0, 0]") "bodies:\n" ROD "joints:\n"
                                         "  a: {type: revolute, between: [ground.O, rod.A], axis: "
                                         "z}\ndrives: {q: {joint: a}}\ntool: rod.B\n");
    sim_result r = rest(robot, "flexible: {rod: {" PLACES "}}\n");
    CHECK_NEAR(sim_get(&r, 0, "rod.stress"), RHO * G, 1e-4 * RHO * G);
    for (int i = 1; i <= 4; ++i) {
        const double x = 0.25 * i, longer = RHO * G * (x - 0.5 * x * x) / E;
        CHECK_NEAR(at(&r, i, "stress"), RHO * G * (1.0 - x), 1e-4 * RHO * G);
        CHECK_NEAR(at(&r, i, "stretch"), longer, 1e-4 * longer);
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

// A strip on its edge under a force at its tip tips over at 4.0126 (E I G J)^(1/2) / L^2: whole
// links do not know that and say how near it is.
static void a_strip_on_its_edge_is_told_to_tip_over(void)
{
    const double b = 0.012, h = 0.001, L = 0.5, P = 1.0;
    const double EI = E * b * h * h * h / 12.0;
    const double GJ = E / 2.5 * b * h * h * h * (1.0 / 3.0 - 64.0 / pow(PI, 5) * h / b * 1.004524);
    pkm_robot* robot = engine_from(
        HEAD("[0, 0, 0]") "bodies:\n"
                          "  rod: {points: {A: [0, 0, 0], B: [0.5, 0, 0]}, shape: {box: {center: "
                          "[0.25, 0, 0], size: [0.5, 12 mm, 1 mm]}, material: steel}}\n"
                          "joints: {a: {type: revolute, between: [ground.O, rod.A], axis: z}}\n"
                          "drives: {q: {joint: a}}\ntool: rod.B\n");
    sim_result r = rest(robot, "tool_force: [0, 1, 0.001]\nflexible: {rod: {}}\n");
    const pkm_deflection_limits* near = &r.report.bend;
    const double part = P * L * L / (PI * sqrt(EI * GJ)) * sqrt(1.0 - h * h / (b * b));
    CHECK_NEAR(near->tipping.value, part, 2e-3 * part);
    // its sideways bend is 1/(1 - (P/P_cr)^2) times as large in truth
    CHECK(near->tipping_off > PKM_BEND_OFF && near->turn.value < 0.1);
    sim_free(&r);
    r = rest(robot, "tool_force: [0, 0.05, 0.05]\nflexible: {rod: {}}\n");
    CHECK(r.report.bend.tipping_off < PKM_BEND_OFF);
    CHECK(r.report.bend.tipping.value < PKM_BEND_TIPPING);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_sag_draws_places_towards_the_root);
    RUN(a_line_that_turns_counts_to_the_second_order);
    RUN(a_hanging_rod_has_the_stress_of_what_hangs_below);
    RUN(a_strip_on_its_edge_is_told_to_tip_over);
    return check_report();
}
