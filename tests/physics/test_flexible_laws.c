// Flexible links keep energy and momentum, and do not care how they are cut into bodies.
#include "flexible.h"

#define STEEL "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"

// ---- energy -----------------------------------------------------------------------------------

// Two thin rods under gravity, the second on a universal joint across the swing of the first.
static const char double_pendulum[] =
    "pkm: 1\n"
    "name: double pendulum\n"
    "gravity: [0, 0, -9.81]\n" STEEL "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  one:\n"
    "    points: {A: [0, 0, 0], B: [0.6, 0, 0]}\n"
    "    shape: {rod: {from: A, to: B, diameter: 3 mm}, material: steel}\n"
    "  two:\n"
    "    points: {B: [0, 0, 0], C: [0, 0.5, 0]}\n"
    "    shape: {rod: {from: B, to: C, diameter: 2 mm}, material: steel}\n"
    "    pose: {at: [0.6, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground.O, one.A], axis: y}\n"
    "  cross: {type: universal, between: [one.B, two.B], axis: [x, z]}\n"
    "tool: two.C\n";

static void check_energy(const char* text, const char* run)
{
    pkm_robot* robot = engine_from(text);
    sim_result r = sim_run_whole(robot, run);
    const pkm_ledger* l = &r.report.ledger;
    CHECK(l->exchanged > 0.05 && sim_value(&r, "max energy.strain") > 1e-4 * l->exchanged);
    CHECK_NEAR(sim_value(&r, "absmax balance"), 0.0, 1e-6 * l->exchanged);
    CHECK_NEAR(l->drive + l->load + l->damping, 0.0, 0.0);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void a_falling_double_pendulum_keeps_its_energy(void)
{
    check_energy(double_pendulum,
                 "for: 0.4 s\ninstants: 101\nstart: undeformed\nintegrator: explicit\n"
                 "flexible: {'*': {elements: 2}}\n");
}

static void so_it_does_when_one_of_the_links_is_rigid(void)
{
    check_energy(double_pendulum,
                 "for: 0.3 s\ninstants: 101\nstart: undeformed\nintegrator: explicit\n"
                 "flexible: {one: {elements: 2}}\n");
    check_energy(double_pendulum,
                 "for: 0.3 s\ninstants: 101\nstart: undeformed\nintegrator: explicit\n"
                 "flexible: {two: {elements: 2, stiffening: false}}\n");
}

// What damping takes is what energy loses.
static void damping_takes_what_the_ledger_says(void)
{
    pkm_robot* robot = engine_from(double_pendulum);
    sim_result r =
        sim_run_whole(robot, "for: 0.3 s\ninstants: 101\nstart: undeformed\nintegrator: explicit\n"
                             "flexible: {'*': {elements: 2, damping: 0.05}}\n");
    const pkm_ledger* l = &r.report.ledger;
    CHECK(l->damping > 1e-5);
    CHECK_NEAR(l->damping, -l->kinetic - l->potential - l->strain, 1e-8 * l->exchanged);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Friction, servo drives, a spring and damped links in one ledger.
static void everything_together_balances(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(
        robot,
        "motion: paper\nfor: 30 ms\ninstants: 31\ndrives: {pd: {kp: 2e4, kd: 300}}\n"
        "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
        "loads: {hold: {spring: {stiffness: 200 N/m, damping: 5, length: 0.5 m}, "
        "between: [ground.A.M, platform.P]}}\n"
        "flexible: {left: {elements: 4, damping: 0.02}, right: {elements: 4}}\n");
    const pkm_ledger* l = &r.report.ledger;
    CHECK(l->friction > 0.01 && l->damping > 1e-4 && fabs(l->spring) > 1e-3 && l->strain > 1e-5);
    CHECK_NEAR(sim_value(&r, "absmax balance"), 0.0, 1e-7 * l->exchanged);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- free flight ------------------------------------------------------------------------------

// A thin rod with a knob beside its end: nothing about it is symmetric.
static const char flying[] =
    "pkm: 1\n"
    "name: flying rod\n"
    "gravity: [0, 0, 0]\n" STEEL "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  rod:\n"
    "    points: {A: [0, 0, 0], B: [0.7, 0, 0]}\n"
    "    shape:\n"
    "      - {rod: {from: A, to: B, diameter: 5 mm}, material: steel}\n"
    "      - {sphere: {center: [0.7, 0.01, 0.02], diameter: 20 mm}, material: steel}\n"
    "joints: {held: {type: spherical, between: [ground.O, rod.A]}}\n"
    "tool: rod.B\n";

/// Spinning about all axes, bent and vibrating.
static void throw_it(flex* f, double bend)
{
    pkm_state* state = f->robot->state;
    const pkm_body* body = &state->mech->body[flex_body(f, "rod")];
    const double v[6] = {1.0, -2.0, 0.5, 3.0, 25.0, 40.0};
    memcpy(state->v + body->v_at, v, sizeof v);
    for (int k = 0; k < 6; ++k) {
        state->q[body->z_at + k] = bend * (k % 2 ? -1.0 : 0.7) / (1 + k);
        state->v[body->e_at + k] = 50.0 * bend * (k % 3 ? 0.4 : -1.0);
    }
    pkm_kinematics_position(state);
    pkm_kinematics_velocity(state);
}

// Local errors of 1e-10 add up over some thousand steps.
static void check_flight(const char* flexible, double end)
{
    flex* f = flex_make(engine_from(flying), flexible, true, false);
    flex_kept k = {0};
    throw_it(f, 1e-3);
    flex_compare(f, 0.0, &k);
    flex_go(f, end, 1e-10, flex_compare, &k);
    CHECK(k.most_strain > 1e-3 * k.energy);
    CHECK_NEAR(k.off_energy, 0.0, 1e-6 * k.energy);
    CHECK_NEAR(k.off_force, 0.0, 1e-6 * pkm_vec3_norm(k.momentum.force));
    CHECK_NEAR(k.off_moment, 0.0, 1e-6 * pkm_vec3_norm(k.momentum.moment));
    flex_free(f);
}

static void a_thrown_rod_keeps_energy_momentum_and_spin(void)
{
    check_flight("{rod: {elements: 2}}", 0.1);
    check_flight("{rod: {elements: 2, stiffening: false}}", 0.1);
    check_flight("{rod: {elements: 2, theory: timoshenko}}", 0.1);
}

// ---- drives of a distance ---------------------------------------------------------------------

// A four-bar that a cylinder pushes at its coupler, whose direction turns with the motion.
static const char pushed[] =
    "pkm: 1\nname: pushed\ngravity: [0, -9.81, 0]\n" STEEL
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0], H: [-0.2, 0.35, 0]}}\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0, 0.001, 0.001],\n"
    "    points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {at: [0, 0, 0], rotate: {z: 60 deg}}}\n"
    "  coupler:\n"
    "    points: {B: [0, 0, 0], C: [0.35, 0, 0]}\n"
    "    shape: {rod: {from: B, to: C, diameter: 20 mm}, material: steel}\n"
    "    pose: {at: [0.05, 0.1, 0], rotate: {z: 20 deg}}\n"
    "  rocker: {mass: 1.5, com: [0.15, 0, 0], inertia: [0, 0.01, 0.01],\n"
    "    points: {D: [0, 0, 0], C: [0.3, 0, 0]}, pose: {at: [0.4, 0, 0], rotate: {z: 95 deg}}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"
    "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
    "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
    "  D: {type: revolute, between: [ground.D, rocker.D]}\n"
    "  cylinder: {type: distance, between: [ground.H, coupler.B]}\n"
    "drives: {q: {joint: cylinder}}\ntool: coupler.C\n";

// A stiff coupler moves as a rigid one but for the some micrometres that it bends; the work of the
// cylinder is all that comes in.
static void a_cylinder_pushes_in_its_own_direction(void)
{
    pkm_robot* robot = engine_from(pushed);
    const char* const run = "motion: none\ndrives: {force: 40 N}\nfor: 0.15 s\ninstants: 4\n";
    char text[200];
    snprintf(text, sizeof text, "%sflexible: {coupler: {elements: 2}}\n", run);
    sim_result rigid = sim_run_whole(robot, run), bent = sim_run_whole(robot, text);
    const double way = hypot(sim_get(&rigid, 3, "C.x") - sim_get(&rigid, 0, "C.x"),
                             sim_get(&rigid, 3, "C.y") - sim_get(&rigid, 0, "C.y"));
    CHECK(way > 0.1);
    for (int i = 0; i <= 3; ++i) {
        CHECK_NEAR(sim_get(&bent, i, "C.x"), sim_get(&rigid, i, "C.x"), 2e-4 * way);
        CHECK_NEAR(sim_get(&bent, i, "C.y"), sim_get(&rigid, i, "C.y"), 2e-4 * way);
    }
    CHECK(bent.report.ledger.exchanged > 1.0);
    CHECK_NEAR(bent.report.ledger.residual, 0.0, 1e-8 * bent.report.ledger.exchanged);
    sim_free(&rigid);
    sim_free(&bent);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_cylinder_pushes_in_its_own_direction);
    RUN(a_falling_double_pendulum_keeps_its_energy);
    RUN(so_it_does_when_one_of_the_links_is_rigid);
    RUN(damping_takes_what_the_ledger_says);
    RUN(everything_together_balances);
    RUN(a_thrown_rod_keeps_energy_momentum_and_spin);
    return check_report();
}
