// Controllers, motors and sampled control in simulations, against theory.
#include "pkm/inverse.h"
#include "simulate.h"

static const double g = 9.81, pi = 3.14159265358979323846;

// A 2 kg block on a vertical rail, q upwards.
static const char lift[] =
    "pkm: 1\n"
    "name: lift\n"
    "gravity: [0, 0, -9.81]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies: {block: {mass: 2 kg, com: [0, 0, 0], points: {P: [0, 0, 0]}}}\n"
    "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: z}}\n"
    "drives: {q: {joint: rail}}\n"
    "tool: {point: block.P, moves: [z]}\n"
    "home: {drives: {q: 0}}\n"
    "motions:\n"
    "  hold: {law: quintic, duration: 1 s, drives: {q: [0, 0]}}\n"
    "  up: {law: quintic, duration: 1 s, hold_after: 2 s, drives: {q: [0, 0.3]}}\n";

// ---- one drive --------------------------------------------------------------------------------

// m x'' = -m g - kp x - kd x': from rest, critically damped (w = 50), it sinks to -m g / kp.
static void a_pd_sinks_by_force_over_gain(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 1 s\ninstants: 101\n"
                                        "drives: {pd: {kp: 5000 N/m, kd: 200 N s/m}}\n");
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = sim_get(&r, i, "t"), w = 50.0;
        const double exact = -2.0 * g / 5000.0 * (1.0 - (1.0 + w * t) * exp(-w * t));
        CHECK_NEAR(sim_get(&r, i, "q.q"), exact, 1e-12);
    }
    CHECK_NEAR(sim_get(&r, sim_last(&r), "q.q"), -2.0 * g / 5000.0, 1e-12);
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void an_integral_removes_what_remains(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 3 s\ninstants: 31\n"
                             "drives: {pid: {kp: 5000 N/m, kd: 200 N s/m, ki: 3e4 N/m/s}}\n"
                             "integrator: explicit\n");
    CHECK(fabs(sim_get(&r, 1, "q.q")) > 1e-3);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "q.q"), 0.0, 1e-8);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "q.force"), 2.0 * g, 1e-4);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void gravity_compensation_holds_the_weight(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 1 s\ninstants: 11\n"
                                        "drives: {pd: {kp: 5000, kd: 200, gravity: true}}\n");
    CHECK_NEAR(sim_value(&r, "absmax q.q"), 0.0, 1e-14);
    CHECK_NEAR(sim_get(&r, 5, "q.force"), 2.0 * g, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

// With both feed-forwards (m a, kd v cancels in the error) a PD with gravity follows exactly.
static void feed_forward_takes_the_lag_away(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result without = sim_run_whole(robot, "motion: up\ninstants: 301\n"
                                              "drives: {pd: {kp: 5000, kd: 200, gravity: true}}\n");
    sim_result with = sim_run_whole(
        robot, "motion: up\ninstants: 301\ndrives: {pd: {kp: 5000, kd: 200, gravity: true, "
               "acceleration_feedforward: 2 kg}}\n");
    CHECK(sim_value(&without, "absmax q.dq") > 3e-4); // m a / kp = 2 * 1.73 / 5000
    CHECK_NEAR(sim_value(&with, "absmax q.dq"), 0.0, 1e-10);
    sim_free(&without);
    sim_free(&with);
    pkm_robot_free(robot);
}

// A limit of 25 N leaves 5.4 N to lift 2 kg: the PID saturates. Clamping keeps the integral small;
// without it the block overshoots far more.
static void anti_windup_limits_the_overshoot(void)
{
    static const char* const how[] = {"clamping", "back-calculation, tracking_time: 50 ms", "none"};
    double top[3];
    pkm_robot* robot = engine_from(lift);
    for (int k = 0; k < 3; ++k) {
        char text[300];
        snprintf(text, sizeof text,
                 "motion: up\nfor: 3 s\ninstants: 301\ndrives: {pid: {kp: 500, kd: 60, ki: 1500, "
                 "limit: 21 N, anti_windup: %s}}\n",
                 how[k]);
        sim_result r = sim_run_whole(robot, text);
        top[k] = sim_value(&r, "max q.q");
        CHECK(sim_value(&r, "max q.force") <= 21.0 + 1e-12);
        CHECK(sim_value(&r, "max q.saturated") == 1.0);
        CHECK(sim_value(&r, "max q.demand") > 21.0);
        sim_free(&r);
    }
    CHECK(top[0] < top[2] - 0.01 && top[1] < top[2] - 0.01);
    pkm_robot_free(robot);
}

static void a_given_force_moves_the_drive(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 1 s\ninstants: 11\n"
                                        "drives: {q: {force: \"=2 kg*9.81 m/s2 + 4 N*t/1 s\"}}\n");
    for (int i = 0; i <= 10; ++i) { // x'' = 2 t
        const double t = sim_get(&r, i, "t");
        CHECK_NEAR(sim_get(&r, i, "q.q"), t * t * t / 3.0, 1e-13);
    }
    CHECK_NEAR(r.report.ledger.drive, r.report.ledger.kinetic + r.report.ledger.potential, 1e-12);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- motors -----------------------------------------------------------------------------------

// Rotor 1e-4 kg m2 behind a screw of 10 mm: (2 pi/0.01)^2 1e-4 = 39.5 kg. A torque of 0.2 N m is
// 125.7 N ideally.
static void a_rotor_is_carried_along(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 1 s\ninstants: 11\n"
                             "drives: {q: {force: 125.6637061435917 N, "
                             "motor: {rotor_inertia: 1e-4 kg m2}, screw: {lead: 10 mm}}}\n");
    const double N = 2.0 * pi / 0.01, mass = 2.0 + N * N * 1e-4;
    const double a = (0.2 * N - 2.0 * g) / mass;
    CHECK_NEAR(sim_get(&r, 10, "q.q"), 0.5 * a, 1e-12);
    CHECK_NEAR(sim_get(&r, 10, "energy.kinetic"), 0.5 * mass * a * a, 1e-11);
    CHECK_NEAR(sim_get(&r, 10, "q.torque"), 0.2, 1e-12);
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-11);
    CHECK_NEAR(r.report.energy_use[0], r.report.ledger.drive, 1e-10);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Paper 002's screw: lead 10 mm, efficiency 0.9. At constant speed upwards the motor needs
// m g lead / (2 pi 0.9), and its energy is m g h / 0.9.
static void a_screw_of_efficiency_nine_tenths_needs_a_ninth_more(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: up\ninstants: 3001\n"
                                        "drives: {q: {mode: prescribed, "
                                        "screw: {lead: 10 mm, efficiency: 0.9}}}\n");
    const int row = 500; // in the middle, upwards
    const double force = sim_get(&r, row, "q.force");
    CHECK_NEAR(sim_get(&r, row, "q.torque"), force * 0.01 / (2.0 * pi * 0.9), 1e-9);
    CHECK_NEAR(r.report.ledger.drive, 2.0 * g * 0.3, 1e-9);
    // holding afterwards needs no energy; braking 2 kg from 0.56 m/s upwards is still lifting
    CHECK_NEAR(r.report.energy_use[0], 2.0 * g * 0.3 / 0.9, 2e-3);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A motor that can give 25 N at the drive; the speed limit bends the way up.
static void limits_of_the_motor_hold(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: up\nfor: 2 s\ninstants: 201\n"
                                        "drives: {q: {pd: {kp: 2e4, kd: 400}, "
                                        "motor: {gear_ratio: 100, torque_limit: 0.25 N m, "
                                        "speed_limit: 40 rad/s}}}\n");
    CHECK(sim_value(&r, "max q.force") <= 25.0 + 1e-9);
    CHECK(sim_value(&r, "max q.v") < 0.4 + 1e-6);
    CHECK(sim_value(&r, "max q.saturated") == 1.0);
    CHECK(sim_value(&r, "absmax q.dq") > 1e-2);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "q.q"), 0.3 - 2.0 * g / 2e4, 1e-6);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- sampled control --------------------------------------------------------------------------

// At fast rates the sampled PD is the continuous one; the difference goes with the period.
static void sampled_control_tends_to_continuous_control(void)
{
    double off[2];
    static const char* const rate[] = {"1 kHz", "4 kHz"};
    pkm_robot* robot = engine_from(lift);
    sim_result want = sim_run_whole(robot, "motion: up\nfor: 1 s\ninstants: 11\n"
                                           "drives: {pd: {kp: 5000, kd: 200}}\n");
    for (int k = 0; k < 2; ++k) {
        char text[200];
        snprintf(text, sizeof text,
                 "motion: up\nfor: 1 s\ninstants: 11\n"
                 "drives: {pd: {kp: 5000, kd: 200}, sampling: {rate: %s}}\n",
                 rate[k]);
        sim_result r = sim_run_whole(robot, text);
        off[k] = 0.0;
        for (int i = 0; i <= 10; ++i)
            off[k] = fmax(off[k], fabs(sim_get(&r, i, "q.q") - sim_get(&want, i, "q.q")));
        sim_free(&r);
    }
    CHECK(off[0] < 1e-4 && off[0] > 1e-7);
    CHECK_NEAR(off[1] / off[0], 0.25, 0.05);
    sim_free(&want);
    pkm_robot_free(robot);
}

// A sampled PD on a mass is a linear recursion: x, v and the held force from sample to sample.
static void sampled_control_is_its_recursion(void)
{
    pkm_robot* robot = engine_from(lift);
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 0.2 s\ninstants: 21\n"
                                        "drives: {pd: {kp: 5000, kd: 200}, "
                                        "sampling: {period: 10 ms, delay: 5 ms}}\n");
    const double m = 2.0;
    double x = 0.0, v = 0.0, force = 0.0; // nothing acts before the first sample does
    for (int i = 0; i <= sim_last(&r); ++i) {
        CHECK_NEAR(sim_get(&r, i, "q.q"), x, 1e-12);
        CHECK_NEAR(sim_get(&r, i, "q.v"), v, 1e-11);
        const double next = -5000.0 * x - 200.0 * v;
        for (int half = 0; half < 2; ++half) {
            const double a = force / m - g, h = 0.005;
            x += h * v + 0.5 * h * h * a;
            v += h * a;
            force = next;
        }
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- computed torque --------------------------------------------------------------------------

static void computed_torque_with_an_exact_model_follows_exactly(void)
{
    static const char* const robots[] = {"siax", "isoglideT3", "gough-stewart", "3pprs"};
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(robots[k]);
        sim_result r = sim_run_whole(robot, "instants: 51\n"
                                            "drives: {computed_torque: {frequency: 20 Hz}}\n");
        double off = 0.0;
        for (int d = 0; d < robot->mech->n_drive; ++d) {
            char quantity[100];
            snprintf(quantity, sizeof quantity, "absmax %s.dq", robot->mech->drive[d].name);
            off = fmax(off, sim_value(&r, quantity));
        }
        if (!(off < 1e-10)) printf("    %s: %g\n", robots[k], off);
        CHECK(off < 1e-10);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

/// Drive forces along the paper's motion.
static pkm_table* forces_of(pkm_robot* robot)
{
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 201;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, NULL, NULL) == PKM_OK);
    return table;
}

/// Columns of the mass matrix of the drives at row i: forces for unit accelerations.
static void mass_matrix(pkm_robot* robot, const pkm_table* table, int i, double M[9])
{
    for (int c = -1; c < 3; ++c) {
        pkm_instant now = {.q = {0.0}};
        for (int d = 0; d < 3; ++d)
            now.q[d] = pkm_table_get(table, i, 1 + 4 * d);
        if (c >= 0) now.a[c] = 1.0;
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
        static double weight[3];
        for (int d = 0; d < 3; ++d) {
            if (c < 0)
                weight[d] = now.force[d];
            else
                M[3 * c + d] = now.force[d] - weight[d];
        }
    }
}

/// x = M^-1 b by Cramer's rule.
static void solve3(const double M[9], const double b[3], double x[3])
{
    const pkm_vec3 c0 = {M[0], M[1], M[2]}, c1 = {M[3], M[4], M[5]}, c2 = {M[6], M[7], M[8]};
    const pkm_vec3 r = {b[0], b[1], b[2]};
    const double det = pkm_vec3_dot(c0, pkm_vec3_cross(c1, c2));
    x[0] = pkm_vec3_dot(r, pkm_vec3_cross(c1, c2)) / det;
    x[1] = pkm_vec3_dot(c0, pkm_vec3_cross(r, c2)) / det;
    x[2] = pkm_vec3_dot(c0, pkm_vec3_cross(c1, r)) / det;
}

// The controller believes 6 kg instead of 5. With the true M, h and the believed M^, h^ the error
// obeys e'' + 2 w e' + w^2 e = n, n = M^-1 ((M - M^) a_c + h - h^), a_c the commanded acceleration.
// The impulse response of the left side is t exp(-w t) >= 0 with the integral 1/w^2, so
// |e| <= max|n|/w^2. Along the reference n is M^-1 (T - T^), from two inverse dynamics; the
// feedback part of a_c, at most (1 + 4/e) |n|, is a fifth of that again in the mass: |n| <= |n_ref|
// / (1 - E (1 + 4/e)) with E = |M^-1 (M^ - M)|.
static void a_payload_error_stays_within_the_bound_of_the_gains(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_robot* model = NULL;
    const pkm_override set[] = {{"m5", "6 kg"}};
    char path[300];
    snprintf(path, sizeof path, "%s/robots/siax.yaml", PKM_SOURCE_DIR);
    CHECK(pkm_robot_load(path, set, 1, &model, NULL) == PKM_OK);
    pkm_table *truth = forces_of(robot), *belief = forces_of(model);
    double n_ref = 0.0, E = 0.0;
    for (int i = 0; i <= 200; ++i) {
        double M[9], M_hat[9], b[3], x[3];
        mass_matrix(robot, truth, i, M);
        mass_matrix(model, truth, i, M_hat);
        for (int d = 0; d < 3; ++d)
            b[d] = pkm_table_get(truth, i, 4 + 4 * d) - pkm_table_get(belief, i, 4 + 4 * d);
        solve3(M, b, x);
        for (int d = 0; d < 3; ++d)
            n_ref = fmax(n_ref, fabs(x[d]));
        double row[3] = {0.0};
        for (int c = 0; c < 3; ++c) {
            for (int d = 0; d < 3; ++d)
                b[d] = M_hat[3 * c + d] - M[3 * c + d];
            solve3(M, b, x);
            for (int d = 0; d < 3; ++d)
                row[d] += fabs(x[d]);
        }
        for (int d = 0; d < 3; ++d)
            E = fmax(E, row[d]);
    }
    const double w = 2.0 * pi * 20.0, feedback = 1.0 + 4.0 / exp(1.0);
    CHECK(E * feedback < 0.9);
    const double bound = n_ref / (1.0 - E * feedback) / (w * w);
    sim_result r =
        sim_run_with(robot, model, "drives: {computed_torque: {frequency: 20 Hz, damping: 1}}\n");
    CHECK(r.status == PKM_OK);
    const double off = fmax(fmax(sim_value(&r, "absmax qA.dq"), sim_value(&r, "absmax qB.dq")),
                            sim_value(&r, "absmax qC.dq"));
    CHECK(off < bound);
    CHECK(off > 0.2 * n_ref / (w * w)); // the bound is not idle
    sim_free(&r);
    pkm_table_free(truth);
    pkm_table_free(belief);
    pkm_robot_free(model);
    pkm_robot_free(robot);
}

// Four times the gain, a quarter of the error.
static void the_error_falls_with_the_gain(void)
{
    double off[2];
    static const char* const frequency[] = {"20 Hz", "40 Hz"};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        char text[300];
        snprintf(text, sizeof text,
                 "drives: {computed_torque: {frequency: %s, model: {m5: 6 kg}}}\ninstants: 101\n",
                 frequency[k]);
        sim_result r = sim_run_whole(robot, text);
        off[k] = sim_value(&r, "absmax qA.dq");
        sim_free(&r);
    }
    CHECK_NEAR(off[1] / off[0], 0.25, 0.05);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_pd_sinks_by_force_over_gain);
    RUN(an_integral_removes_what_remains);
    RUN(gravity_compensation_holds_the_weight);
    RUN(feed_forward_takes_the_lag_away);
    RUN(anti_windup_limits_the_overshoot);
    RUN(a_given_force_moves_the_drive);
    RUN(a_rotor_is_carried_along);
    RUN(a_screw_of_efficiency_nine_tenths_needs_a_ninth_more);
    RUN(limits_of_the_motor_hold);
    RUN(sampled_control_tends_to_continuous_control);
    RUN(sampled_control_is_its_recursion);
    RUN(computed_torque_with_an_exact_model_follows_exactly);
    RUN(a_payload_error_stays_within_the_bound_of_the_gains);
    RUN(the_error_falls_with_the_gain);
    return check_report();
}
