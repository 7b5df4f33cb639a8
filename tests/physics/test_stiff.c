// Flexible links far above what matters, stiff dampers: which method a run takes, that it changes
// on the way, what it costs and that the answer is the explicit method's.
#include "simulate.h"

#include <math.h>

/// A hinged rod of aluminium, 1 m and 10 mm square, let go from the horizontal.
static pkm_robot* make_pendulum(void)
{
    return engine_from("pkm: 1\nname: rod\ngravity: [0, 0, -9.81 m/s2]\n"
                       "materials: {alu: {density: 2700 kg/m3, young: 70 GPa, poisson: 0.33}}\n"
                       "ground: {points: {O: [0, 0, 0]}}\n"
                       "bodies:\n"
                       "  rod:\n"
                       "    mass: 0.27 kg\n"
                       "    uniform: {from: A, to: B}\n"
                       "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                       "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: alu}\n"
                       "joints:\n"
                       "  hinge: {type: revolute, between: [ground.O, rod.A], axis: y}\n"
                       "drives: {q: {joint: hinge}}\n"
                       "tool: rod.B\n"
                       "home: {drives: {q: 0}}\n");
}

#define ROD                                                                                        \
    "motion: none\ndrives: free\ninstants: 31\nstart: undeformed\n"                                \
    "flexible: {rod: {section: {width: 10 mm, height: 10 mm}}}\n"

/// Largest distance of the tip between two runs.
static double apart(const sim_result* a, const sim_result* b)
{
    double most = 0.0;
    for (int i = 0; i <= sim_last(a); ++i)
        most = fmax(most, hypot(sim_get(a, i, "B.x") - sim_get(b, i, "B.x"),
                                sim_get(a, i, "B.z") - sim_get(b, i, "B.z")));
    return most;
}

// The explicit method takes 3700 steps for 0.3 s, whatever the tolerance.
static void a_flexible_pendulum_takes_few_steps(void)
{
    pkm_robot* robot = make_pendulum();
    sim_result want = sim_run_whole(robot, ROD "for: 0.3 s\nintegrator: explicit\n");
    sim_result coarse =
        sim_run_whole(robot, ROD "for: 0.3 s\nintegrator: sdirk\ntolerance: 1e-5\n");
    sim_result fine = sim_run_whole(robot, ROD "for: 0.3 s\nintegrator: sdirk\ntolerance: 1e-7\n");
    CHECK(want.report.steps > 3000 && want.report.is_stiff);
    CHECK(coarse.report.steps < 150 && coarse.report.rates < 2500);
    CHECK(coarse.report.factors < 100 && coarse.report.factors > 0);
    CHECK(fine.report.steps < 1000 && fine.report.rates < 15000);
    CHECK(apart(&coarse, &want) < 1e-4);
    CHECK(apart(&fine, &want) < 5e-6);
    sim_free(&want);
    sim_free(&coarse);
    sim_free(&fine);
    pkm_robot_free(robot);
}

// Over 0.6 s it would take more than 5000 steps and changes within a few milliseconds; named, it
// stays.
static void it_changes_on_the_way_unless_it_is_named(void)
{
    pkm_robot* robot = make_pendulum();
    sim_result run = sim_run_whole(robot, ROD "for: 0.6 s\n");
    CHECK(run.report.integrator == PKM_INTEGRATOR_SDIRK && run.report.tolerance == 1e-7);
    CHECK(run.report.t_change > 0.0 && run.report.t_change < 0.02);
    CHECK(run.report.steps < 2500);
    sim_free(&run);
    run = sim_run_whole(robot, ROD "for: 0.6 s\nintegrator: explicit\nbudget: {steps: 1e6}\n");
    CHECK(run.report.integrator == PKM_INTEGRATOR_EXPLICIT && isnan(run.report.t_change));
    CHECK(run.report.is_stiff && run.report.steps > 5000);
    sim_free(&run);
    pkm_robot_free(robot);
}

// An arm that follows a motion: 1e-7 after the change left noise of 0.7 % in the acceleration of
// the tip, which differences of positions do not have.
static void accelerations_after_the_change_are_those_before_it(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\nname: arm\ngravity: [0, 0, -9.81]\n"
                    "materials: {steel: {density: 7800, young: 200 GPa, poisson: 0.25}}\n"
                    "ground: {points: {A: [0, 0, 0]}}\n"
                    "bodies: {arm: {points: {A: [0, 0, 0], B: [1, 0, 0]}, "
                    "shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}}}\n"
                    "joints: {a: {type: revolute, between: [ground.A, arm.A], axis: y}}\n"
                    "drives: {q: {joint: a}}\ntool: arm.B\n"
                    "motions: {up: {duration: 0.1 s, drives: {q: 30 deg}}}\n");
#define FINE                                                                                       \
    "motion: up\ninstants: 101\nflexible: {arm: {elements: 24, modes: 24, damping: 0.01}}\n"
    sim_result run = sim_run_whole(robot, FINE);
    sim_result other = sim_run_whole(robot, FINE "integrator: explicit\nbudget: {steps: 1e5}\n");
    const double want = sim_value(&other, "absmax B.acc");
    CHECK(run.report.integrator == PKM_INTEGRATOR_SDIRK && run.report.t_change > 0.0);
    CHECK_NEAR(sim_value(&run, "absmax B.acc"), want, 3e-4 * want);
    sim_free(&run);
    sim_free(&other);
    pkm_robot_free(robot);
}

// A drop of 1 m in oil: m v' = m g - d v with m/d = 10 us, v = g m/d (1 - exp(-t d/m)). The
// explicit method would take 16 000 steps; rigid robots go on with IDA.
static void a_stiff_damper_is_left_to_ida(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\nname: drop\ngravity: [0, 0, -9.81 m/s2]\n"
                    "ground: {points: {O: [0, 0, 0]}}\n"
                    "bodies:\n"
                    "  bob: {mass: 1 kg, com: [0, 0, 0], points: {P: [0, 0, 0]}}\n"
                    "joints:\n"
                    "  rail: {type: prismatic, between: [ground.O, bob.P], axis: z}\n"
                    "drives: {q: {joint: rail}}\n"
                    "tool: bob.P\n"
                    "home: {drives: {q: 1}}\n");
    sim_result run =
        sim_run_whole(robot, "motion: none\ndrives: free\nfor: 1 s\ninstants: 11\n"
                             "loads: {oil: {spring: {stiffness: 0 N/m, damping: 1e5 N*s/m, "
                             "length: 1 m}, between: [bob.P, ground.O]}}\n");
    const double v = 9.81e-5;
    CHECK(run.report.integrator == PKM_INTEGRATOR_IDA && run.report.t_change < 0.01);
    CHECK(run.report.steps < 500);
    for (int i = 1; i <= sim_last(&run); ++i)
        CHECK_NEAR(sim_get(&run, i, "P.z"), 1.0 - v * (0.1 * i - 1e-5), 1e-7);
    sim_free(&run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_flexible_pendulum_takes_few_steps);
    RUN(it_changes_on_the_way_unless_it_is_named);
    RUN(accelerations_after_the_change_are_those_before_it);
    RUN(a_stiff_damper_is_left_to_ida);
    return check_report();
}
