// Friction that rests, where the sliding velocity of a ball turns to the other side without being
// zero: it goes on, as Coulomb's law says.
#include "simulate.h"

static const double R = 0.01, INERTIA = 2e-4, MU_S = 0.3, MU_D = 0.1, LOAD = 2.0 * 9.81;

/// Coulomb's ball, its sliding velocity [m/s] and what it has lost [J], by the midpoint rule.
typedef struct coulomb {
    double u[2], least, loss;
} coulomb;

static void slide(const double* u, double torque, double* rate)
{
    const double speed = hypot(u[0], u[1]), brake = MU_D * LOAD * R;
    rate[0] = (torque - brake * u[0] / speed) * R / INERTIA;
    rate[1] = -brake * u[1] / speed * R / INERTIA;
}

static coulomb coulomb_after(double time, double ux, double uy, double torque)
{
    enum { STEPS = 300000 };
    const double h = time / STEPS;
    coulomb c = {.u = {ux, uy}, .least = HUGE_VAL};
    for (int i = 0; i < STEPS; ++i) {
        double rate[2];
        slide(c.u, torque, rate);
        const double middle[2] = {c.u[0] + 0.5 * h * rate[0], c.u[1] + 0.5 * h * rate[1]};
        const double speed = hypot(middle[0], middle[1]);
        slide(middle, torque, rate);
        c.u[0] += h * rate[0], c.u[1] += h * rate[1];
        c.loss += MU_D * LOAD * speed * h;
        c.least = fmin(c.least, speed);
    }
    return c;
}

/// A ball of 2 kg in its socket slides with u (-1, side, 0) against the torque `part` mu_s N R,
/// which turns it round: friction at rest could hold that, friction that slides cannot.
static void check_turn(double u, double side, double part, const char* how)
{
    const double torque = part * MU_S * LOAD * R, end = 0.3;
    char text[500];
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: ball\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {ball: {mass: 2 kg, inertia: [2e-4, 2e-4, 2e-4], points: {P: [0, 0, 0]}}}\n"
        "joints: {ball: {type: spherical, between: [ground.O, ball.P]}}\ntool: ball.P\n");
    snprintf(text, sizeof text,
             "motion: none\nfor: %g s\ninstants: 31\nstart: {ball: [%.17g, %.17g, 0]}\n"
             "loads: {turn: {torque: [%.17g, 0, 0], at: ball.P}}\n"
             "friction: {ball: {static: %g, dynamic: %g, radius: 10 mm}}\n%s",
             end, -u / R, side * u / R, torque, MU_S, MU_D, how);
    sim_result r = sim_run_whole(robot, text);
    const coulomb want = coulomb_after(end, -u, side * u, torque);
    CHECK(want.least > 0.1 * u && want.u[0] > 20.0 * u);
    // bristles turn over on a way of 2 z_s = 0.6 um: what that delays, t_z, is lost of the way
    const double t_z = 2.0 * 3e-7 / want.least;
    CHECK_NEAR(r.report.ledger.friction, want.loss, 2.0 * t_z / end * want.loss);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "ball.slip"), want.u[0], t_z / end * want.u[0]);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "ball.friction_torque"), MU_D * LOAD * R, 1e-6);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Its velocity turns by more than 90 degrees within some tenths of a micrometre, 0.35 mm/s at
// least: no slower than what the step changes, so that it has not stopped.
static void a_ball_that_turns_round_at_speed_goes_on(void)
{
    static const char* const how[] = {"", "integrator: bdf\n", "integrator: sdirk\n"};
    for (size_t k = 0; k < sizeof how / sizeof how[0]; ++k) {
        check_turn(1e-3, 0.6, 0.9, how[k]);
        check_turn(2e-3, 0.3, 0.9, how[k]);
        check_turn(8e-3, 0.6, 0.6, how[k]);
    }
}

// Without a way to the side it is zero once, and there static friction holds it for good.
static void a_ball_that_turns_back_stops(void)
{
    static const char* const how[] = {"integrator: bdf\n", "integrator: sdirk\n"};
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: ball\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {ball: {mass: 2 kg, inertia: [2e-4, 2e-4, 2e-4], points: {P: [0, 0, 0]}}}\n"
        "joints: {ball: {type: spherical, between: [ground.O, ball.P]}}\ntool: ball.P\n");
    for (int k = 0; k < 2; ++k) {
        char text[500];
        const double u = 0.02, torque = 0.9 * MU_S * LOAD * R;
        snprintf(text, sizeof text,
                 "motion: none\nfor: 0.3 s\ninstants: 31\nstart: {ball: [%.17g, 0, 0]}\n"
                 "loads: {turn: {torque: [%.17g, 0, 0], at: ball.P}}\n"
                 "friction: {ball: {static: 0.3, dynamic: 0.1, radius: 10 mm}}\n%s",
                 -u / R, torque, how[k]);
        sim_result r = sim_run_whole(robot, text);
        const double brake = torque / R + MU_D * LOAD, mass = INERTIA / (R * R);
        const double loss = MU_D * LOAD * 0.5 * mass * u * u / brake;
        CHECK_NEAR(r.report.ledger.friction, loss, 0.01 * loss);
        CHECK_NEAR(sim_get(&r, sim_last(&r), "ball.slip"), 0.0, 1e-9);
        sim_free(&r);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_ball_that_turns_round_at_speed_goes_on);
    RUN(a_ball_that_turns_back_stops);
    return check_report();
}
