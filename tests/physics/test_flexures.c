// Robots that move only because links bend: flexure stages, a four-bar with a misaligned axis.
#include "flexible.h"

// Two leaf springs of 100 x 20 x 0.5 mm, clamped on the ground and on the stage.
#define STAGE(ground, bodies, joints)                                                              \
    "pkm: 1\nname: stage\ngravity: [0, 0, 0]\n"                                                    \
    "materials: {steel: {density: 7800, young: 200e9, poisson: 0.3}}\n"                            \
    "ground: {points: {A: [0, 0, 0], B: [0.1, 0, 0]" ground "}}\n"                                 \
    "bodies:\n"                                                                                    \
    "  left: {points: {A: [0, 0, 0], C: [0, 0, 0.1]}, shape: [{box: {center: [0, 0, 0.05], size: " \
    "[0.5 mm, 20 mm, 100 mm]}, material: steel}]}\n"                                               \
    "  right: {points: {B: [0.1, 0, 0], D: [0.1, 0, 0.1]}, shape: [{box: {center: [0.1, 0, "       \
    "0.05], size: [0.5 mm, 20 mm, 100 mm]}, material: steel}]}\n"                                  \
    "  stage: {points: {C: [0, 0, 0.1], D: [0.1, 0, 0.1], P: [0.05, 0, 0.1]}, mass: 0.5, "         \
    "inertia: [1e-3, 1e-3, 1e-3], com: [0.05, 0, 0.1]}\n" bodies "joints:\n"                       \
    "  a: {type: fixed, between: [ground.A, left.A]}\n"                                            \
    "  b: {type: fixed, between: [ground.B, right.B]}\n"                                           \
    "  c: {type: fixed, between: [left.C, stage.C]}\n"                                             \
    "  d: {type: fixed, between: [right.D, stage.D]}\n" joints "tool: stage.P\n"

static const char free_stage[] = STAGE("", "", "");
static const char driven_stage[] =
    STAGE(", Q: [0.2, 0, 0.1]",
          "  rod: {points: {R: [0.1, 0, 0.1], S: [0.2, 0, 0.1]}, mass: 0.02, inertia: [1e-5, 1e-5, "
          "1e-5], com: [0.15, 0, 0.1]}\n"
          "  pusher: {points: {S: [0.2, 0, 0.1]}, mass: 0.05, inertia: [1e-5, 1e-5, 1e-5]}\n",
          "  e: {type: spherical, between: [stage.D, rod.R]}\n"
          "  f: {type: spherical, between: [rod.S, pusher.S]}\n"
          "  g: {type: prismatic, between: [ground.Q, pusher.S], axis: x}\n"
          "drives: {q: {joint: g}}\n"
          "motions: {push: {law: quintic, duration: 0.2 s, drives: {q: [0 mm, 1 mm]}}}\n");

static const double LENGTH = 0.1;

/// 24 E I / L^3 of both leaves [N/m].
static double stage_stiffness(void)
{
    return 24.0 * 200e9 * (0.02 * pow(0.5e-3, 3) / 12.0) / pow(LENGTH, 3);
}

// F / (24 E I / L^3); each leaf keeps its length, so that the stage sinks by 0.6 d^2 / L.
static void a_free_stage_sinks_by_its_parasitic_motion(void)
{
    pkm_robot* robot = engine_from(free_stage);
    sim_result r = sim_run_whole(robot, "for: 1 ms\ninstants: 2\ntool_force: [0.5, 0, 0]\n"
                                        "flexible: {left: {}, right: {}}\n");
    const double d = sim_get(&r, 0, "P.x") - 0.05;
    CHECK_NEAR(d, 0.5 / stage_stiffness(), 1e-4 * d);
    CHECK_NEAR(sim_get(&r, 0, "P.z") - 0.1, -0.6 * d * d / LENGTH, 1e-3 * 0.6 * d * d / LENGTH);
    CHECK_NEAR(sim_get(&r, 1, "P.speed"), 0.0, 1e-6);
    sim_free(&r);
    pkm_robot_free(robot);
}

// The same of silicon, 2 mm long and 10 um thick, and of aluminium, 10 m long and 50 mm thick:
// leaves of 0.01 mg and of a ton, whose modes have units 1e4 apart.
static void stages_of_any_size_sink_alike(void)
{
    static const struct {
        double L, b, t, mass, E, rho;
    } of[] = {{2e-3, 2e-4, 1e-5, 1e-6, 169e9, 2330.0}, {10.0, 1.0, 0.05, 2000.0, 70e9, 2700.0}};
    for (int k = 0; k < 2; ++k) {
        char model[2000], run[200];
        const double L = of[k].L, b = of[k].b, t = of[k].t, J = 0.1 * of[k].mass * L * L;
        const double stiffness = 2.0 * of[k].E * b * pow(t, 3) / pow(L, 3),
                     F = 0.02 * L * stiffness;
        snprintf(
            model, sizeof model,
            "pkm: 1\nname: stage\ngravity: [0, 0, 0]\n"
            "materials: {m: {density: %g, young: %g, poisson: 0.3}}\n"
            "ground: {points: {A: [0, 0, 0], B: [%g, 0, 0]}}\n"
            "bodies:\n"
            "  left: {points: {A: [0, 0, 0], C: [0, 0, %g]}, shape: [{box: {center: [0, 0, %g], "
            "size: [%g, %g, %g]}, material: m}]}\n"
            "  right: {points: {B: [%g, 0, 0], D: [%g, 0, %g]}, shape: [{box: {center: [%g, 0, "
            "%g], size: [%g, %g, %g]}, material: m}]}\n"
            "  stage: {points: {C: [0, 0, %g], D: [%g, 0, %g], P: [%g, 0, %g]}, mass: %g, "
            "inertia: [%g, %g, %g], com: [%g, 0, %g]}\n"
            "joints:\n"
            "  a: {type: fixed, between: [ground.A, left.A]}\n"
            "  b: {type: fixed, between: [ground.B, right.B]}\n"
            "  c: {type: fixed, between: [left.C, stage.C]}\n"
            "  d: {type: fixed, between: [right.D, stage.D]}\n"
            "tool: stage.P\n",
            of[k].rho, of[k].E, L, L, L / 2, t, b, L, L, L, L, L, L / 2, t, b, L, L, L, L, L / 2, L,
            of[k].mass, J, J, J, L / 2, L);
        snprintf(run, sizeof run,
                 "for: 1 us\ninstants: 2\ntool_force: [%.17g, 0, 0]\n"
                 "flexible: {left: {damping: 0.01}, right: {damping: 0.01}}\n",
                 F);
        pkm_robot* robot = engine_from(model);
        sim_result r = sim_run_whole(robot, run);
        const double d = sim_get(&r, 0, "P.x") - L / 2, sink = 0.6 * d * d / L;
        CHECK_NEAR(d, F / stiffness,
                   5e-4 * d); // 0.02^2 of what a model of small deflections leaves
        CHECK_NEAR(sim_get(&r, 0, "P.z") - L, -sink, 1e-3 * sink);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// Pushed by 1 mm in 0.2 s; at the end what is left of its inertia is small (a(T) = 0), but the
// stage swings by some 1e-4 of the way.
static void a_driven_stage_follows_its_drive(void)
{
    pkm_robot* robot = engine_from(driven_stage);
    sim_result r = sim_run_whole(robot, "instants: 3\nflexible: {left: {}, right: {}}\n");
    const double d = sim_get(&r, 2, "P.x") - 0.05;
    CHECK_NEAR(d, 1e-3, 1e-6);
    CHECK_NEAR(sim_get(&r, 2, "q.force"), 1e-3 * stage_stiffness(), 2e-3);
    CHECK_NEAR(sim_get(&r, 2, "P.z") - 0.1, -0.6e-6 / LENGTH, 3e-3 * 0.6e-6 / LENGTH);
    sim_free(&r);
    // one rigid leaf holds it, and all rigid
    sim_result one = sim_run(robot, "instants: 3\nflexible: {left: {}}\n");
    CHECK(one.status == PKM_ERR_MODEL);
    CHECK_CONTAINS(one.err.text, "work against each other");
    sim_free(&one);
    sim_result none = sim_run(robot, "instants: 3\n");
    CHECK(none.status == PKM_ERR_MODEL);
    sim_free(&none);
    pkm_robot_free(robot);
}

#define FOUR_BAR                                                                                   \
    "pkm: 1\nname: four-bar\ngravity: [0, 0, -9.81]\n"                                             \
    "materials: {steel: {density: 7800, young: 200e9, poisson: 0.3}}\n"                            \
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"                                           \
    "bodies:\n"                                                                                    \
    "  crank: {points: {A: [0, 0, 0], B: [0, 0, 0.1]}, mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], "   \
    "com: [0, 0, 0.05]}\n"                                                                         \
    "  coupler: {points: {B: [0, 0, 0.1], C: [0.4, 0, 0.3]}, shape: [{rod: {from: B, to: C, "      \
    "diameter: 12 mm}, material: steel}]}\n"                                                       \
    "  rocker: {points: {D: [0.4, 0, 0], C: [0.4, 0, 0.3]}, shape: [{rod: {from: D, to: C, "       \
    "diameter: 12 mm}, material: steel}]}\n"                                                       \
    "joints:\n"                                                                                    \
    "  a: {type: revolute, between: [ground.A, crank.A], axis: y}\n"                               \
    "  b: {type: revolute, between: [crank.B, coupler.B], axis: y}\n"                              \
    "  c: {type: revolute, between: [coupler.C, rocker.C], axis: y}\n"                             \
    "  d: {type: revolute, between: [ground.D, rocker.D], axis: [%.17g, 1, 0]}\n"                  \
    "drives: {q: {joint: a}}\n"                                                                    \
    "motions: {turn: {law: quintic, duration: 0.5 s, drives: {q: [0 deg, 40 deg]}}}\n"             \
    "tool: rocker.C\n"

/// Strain energy at the end of the turn with one axis off by `tilt`; the way of the rocker.
static double misaligned(double tilt, double* x)
{
    char text[1500];
    snprintf(text, sizeof text, FOUR_BAR, tilt);
    pkm_robot* robot = engine_from(text);
    sim_result r = sim_run_whole(robot, "instants: 2\nflexible: {coupler: {damping: 0.05}, rocker: "
                                        "{damping: 0.05}}\n");
    const double strain = sim_get(&r, 1, "energy.strain");
    *x = sim_get(&r, 1, "C.x");
    sim_free(&r);
    pkm_robot_free(robot);
    return strain;
}

// The rigid loop cannot turn. With flexible links the strain grows with the square of the tilt, and
// the rocker goes its way but for some tilt^2.
static void a_misaligned_four_bar_turns_by_bending(void)
{
    double x[3];
    const double none = misaligned(0.0, &x[0]);
    const double one = misaligned(0.01, &x[1]) - none, two = misaligned(0.02, &x[2]) - none;
    CHECK(one > 10.0 * none);
    CHECK_NEAR(two / one, 4.0, 0.02);
    CHECK_NEAR(x[1], x[0], 1e-4);
    CHECK_NEAR((x[2] - x[0]) / (x[1] - x[0]), 4.0, 0.1);
}

int main(void)
{
    RUN(a_free_stage_sinks_by_its_parasitic_motion);
    RUN(stages_of_any_size_sink_alike);
    RUN(a_driven_stage_follows_its_drive);
    RUN(a_misaligned_four_bar_turns_by_bending);
    return check_report();
}
