// A cable pulls and never pushes: a hanging mass, a mass that bounces on it, against closed forms.
#include "simulate.h"

static const double g = 9.81, pi = 3.14159265358979323846, mass = 2.0, k = 800.0;

/// A mass on a vertical rail; the hook is 1 m above its origin.
static const char tower[] = "pkm: 1\n"
                            "name: tower\n"
                            "gravity: [0, 0, -9.81]\n"
                            "ground: {points: {O: [0, 0, 0], hook: [0, 0, 1]}}\n"
                            "bodies:\n"
                            "  load: {mass: 2 kg, points: {P: [0, 0, 0]}}\n"
                            "joints:\n"
                            "  rail: {type: prismatic, between: [ground.O, load.P], axis: z}\n"
                            "drives: {z: {joint: rail}}\n"
                            "tool: load.P\n";

static double omega(void)
{
    return sqrt(k / mass);
}

// From the free length, at rest: z = -(g/w^2) (1 - cos w t), the cable stays taut.
static void a_hanging_mass_oscillates_below_its_free_length(void)
{
    pkm_robot* robot = engine_from(tower);
    sim_result r = sim_run_whole(
        robot, "motion: none\nfor: 1 s\ninstants: 101\ndrives: free\ntolerance: 1e-9\n"
               "loads: {rope: {cable: {stiffness: 800 N/m, length: 1 m}, between: [ground.hook, "
               "load.P]}}\n");
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = sim_get(&r, i, "t");
        CHECK_NEAR(sim_get(&r, i, "z.q"), -g / (omega() * omega()) * (1.0 - cos(omega() * t)),
                   1e-7);
    }
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-7);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Thrown up with v0 it flies without a force, falls back and is thrown again. One round takes
// 2 v0/g in flight and (2/w) (pi - atan(v0 w/g)) taut.
static void a_mass_bounces_between_slack_and_taut(void)
{
    pkm_robot* robot = engine_from(tower);
    const double v0 = 1.0, w = omega(), taut = 2.0 / w * (pi - atan(v0 * w / g));
    const double flight = 2.0 * v0 / g, round = flight + taut;
    char text[400];
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 301\ndrives: free\ntolerance: 1e-9\n"
             "start: {rail: 1}\n"
             "loads: {rope: {cable: {stiffness: 800 N/m, length: 1 m}, between: [ground.hook, "
             "load.P]}}\n",
             3.0 * round);
    sim_result r = sim_run_whole(robot, text);
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = fmod(sim_get(&r, i, "t"), round), s = t - flight;
        const double z = t < flight ? v0 * t - 0.5 * g * t * t
                                    : -g / (w * w) * (1.0 - cos(w * s)) - v0 / w * sin(w * s);
        CHECK_NEAR(sim_get(&r, i, "z.q"), z, 2e-7);
    }
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-6); // six kinks inside steps
    sim_free(&r);
    pkm_robot_free(robot);
}

// A damped cable does not push on the way back, and what it loses is in the ledger: the mass comes
// to rest mg/k below.
static void a_damped_cable_takes_the_energy_and_never_pushes(void)
{
    pkm_robot* robot = engine_from(tower);
    sim_result r = sim_run_whole(
        robot, "motion: none\nfor: 6 s\ninstants: 601\ndrives: free\ntolerance: 1e-8\n"
               "start: {rail: 1}\n"
               "loads: {rope: {cable: {stiffness: 800 N/m, damping: 30 N s/m, length: 1 m}, "
               "between: [ground.hook, load.P]}}\n");
    const pkm_ledger* l = &r.report.ledger;
    CHECK_NEAR(sim_get(&r, sim_last(&r), "z.q"), -mass * g / k, 1e-6);
    CHECK_NEAR(l->damping, -l->kinetic - l->potential - l->spring, 1e-6);
    for (int i = 0; i <= sim_last(&r); ++i)
        CHECK(sim_get(&r, i, "z.a") >= -g - 1e-6);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_hanging_mass_oscillates_below_its_free_length);
    RUN(a_mass_bounces_between_slack_and_taut);
    RUN(a_damped_cable_takes_the_energy_and_never_pushes);
    return check_report();
}
