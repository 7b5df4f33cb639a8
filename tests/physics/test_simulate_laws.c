// Simulations of small mechanisms against closed forms: pendulum, top, oscillators, loads,
// friction.
#include "simulate.h"

static const double g = 9.81, pi = 3.14159265358979323846;

// ---- closed forms -----------------------------------------------------------------------------

/// Complete elliptic integral K(k) by the arithmetic-geometric mean.
static double complete_K(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int n = 0; n < 10; ++n) { // converges quadratically
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2.0 * a);
}

/// Jacobi's sn(u, k) by descending Landen transformations (Abramowitz and Stegun 16.4).
static double jacobi_sn(double u, double k)
{
    double a[32] = {1.0}, b = sqrt(1.0 - k * k), c[32] = {k};
    int n = 0;
    while (fabs(c[n]) > 1e-16 && n < 30) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        ++n;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; --n)
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    return sin(phi);
}

/// Angle of a pendulum with w = sqrt(g/l), at rest at `start` from the vertical at t = 0.
static double pendulum_angle(double start, double w, double t)
{
    const double k = sin(0.5 * start);
    return 2.0 * asin(k * jacobi_sn(complete_K(k) - w * t, k));
}

// ---- pendulum ---------------------------------------------------------------------------------

// The simple pendulum A01 of the multibody benchmark library: 1 kg on a massless rod of 1 m, at
// rest at (-1, 0), for 10 s.
static const char pendulum[] =
    "pkm: 1\n"
    "name: pendulum\n"
    "gravity: [0, -9.81, 0]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  bob:\n"
    "    mass: 1 kg\n"
    "    com: [-1, 0, 0]\n"
    "    inertia: [0, 0, 0]\n"
    "    points: {O: [0, 0, 0], P: [-1, 0, 0]}\n"
    "joints: {pin: {type: revolute, between: [ground.O, bob.O], axis: z}}\n"
    "tool: bob.P\n";

static void check_pendulum(const char* settings, double tolerance, double energy)
{
    char text[200];
    pkm_robot* robot = engine_from(pendulum);
    snprintf(text, sizeof text, "for: 10 s\ninstants: 201\n%s", settings);
    sim_result r = sim_run_whole(robot, text);
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double angle = pendulum_angle(0.5 * pi, sqrt(g), sim_get(&r, i, "t"));
        CHECK_NEAR(sim_get(&r, i, "P.x"), -sin(angle), tolerance);
        CHECK_NEAR(sim_get(&r, i, "P.y"), -cos(angle), tolerance);
    }
    CHECK_NEAR(sim_value(&r, "absmax balance"), 0.0, energy);
    CHECK(r.report.drift_position < 1e-10 && r.report.drift_velocity < 1e-8);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Local errors of 1e-12 add up over eight swings.
static void a_pendulum_follows_the_elliptic_function(void)
{
    check_pendulum("", 1e-9, 1e-9);
}

// Local errors leave an error of the phase that grows with time.
static void so_it_does_with_ida(void)
{
    check_pendulum("integrator: ida\ntolerance: 1e-8\n", 2e-5, 2e-4);
}

static double error_at_end(pkm_robot* robot, const char* tolerance)
{
    char text[100];
    snprintf(text, sizeof text, "for: 10 s\ninstants: 2\ntolerance: %s\n", tolerance);
    sim_result r = sim_run_whole(robot, text);
    const double off = fabs(sim_get(&r, 1, "P.x") + sin(pendulum_angle(0.5 * pi, sqrt(g), 10.0)));
    sim_free(&r);
    return off;
}

// The error per step is kept at the tolerance, so that the error at the end is proportional to it.
static void the_error_falls_with_the_tolerance(void)
{
    pkm_robot* robot = engine_from(pendulum);
    const double coarse = error_at_end(robot, "1e-5"), fine = error_at_end(robot, "1e-8");
    const double finest = error_at_end(robot, "1e-11");
    CHECK(coarse < 0.05 && fine < coarse / 100.0 && finest < fine / 100.0);
    pkm_robot_free(robot);
}

// ---- a pendulum with dry friction -------------------------------------------------------------

// A constant torque T opposes the motion. From one turning point a0 to the next, a1, it takes
// T (a0 + a1) from the energy m g l (1 - cos a).
static double next_amplitude(double a0, double torque_over_weight)
{
    double low = 0.0, high = a0;
    for (int n = 0; n < 100; ++n) {
        const double mid = 0.5 * (low + high);
        const double left = cos(mid) - cos(a0) - torque_over_weight * (a0 + mid);
        if (left > 0.0)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}

// Friction is developed at 0.1 mm/s on a pin of 10 mm, so it is smaller below 0.01 rad/s only: a
// few ms around a turning point. Energies: 0.1 N m of 9.81 N m.
static void friction_takes_a_pendulum_down_by_the_closed_form(void)
{
    pkm_robot* robot = engine_from(pendulum);
    sim_result r = sim_run_whole(robot, "for: 5 s\n"
                                        "instants: 5001\n"
                                        "friction: {pin: {static: 0.1, radius: 10 mm, "
                                        "preload_torque: 0.1 N m, inputs: [preload], "
                                        "stiction_velocity: 0.1 mm/s}}\n");
    double amplitude = 0.5 * pi;
    int found = 0;
    for (int i = 1; i < sim_last(&r); ++i) {
        const double before = atan2(-sim_get(&r, i - 1, "P.x"), -sim_get(&r, i - 1, "P.y"));
        const double now = atan2(-sim_get(&r, i, "P.x"), -sim_get(&r, i, "P.y"));
        const double after = atan2(-sim_get(&r, i + 1, "P.x"), -sim_get(&r, i + 1, "P.y"));
        if (!(fabs(now) > fabs(before) && fabs(now) >= fabs(after))) continue;
        amplitude = next_amplitude(amplitude, 0.1 / 9.81);
        CHECK_NEAR(fabs(now), amplitude, 2e-5);
        ++found;
    }
    CHECK(found == 4);
    const pkm_ledger* l = &r.report.ledger;
    CHECK(l->friction > 0.5);
    CHECK_NEAR(l->friction, -l->kinetic - l->potential, 1e-8);
    sim_free(&r);
    pkm_robot_free(robot);
}

// With a spring instead of gravity the amplitude falls by 2 T / k per half swing.
static void friction_takes_a_torsion_oscillator_down_evenly(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\n"
                    "name: oscillator\n"
                    "gravity: [0, 0, 0]\n"
                    "ground: {points: {O: [0, 0, 0]}}\n"
                    "bodies: {disc: {mass: 1, inertia: [1, 1, 2], com: [0, 0, 0], "
                    "points: {O: [0, 0, 0], P: [1, 0, 0]}}}\n"
                    "joints: {pin: {type: revolute, between: [ground.O, disc.O], axis: z}}\n"
                    "tool: disc.P\n");
    sim_result r =
        sim_run_whole(robot, "for: 5 s\n"
                             "instants: 5001\n"
                             "loads: {coil: {spring: {stiffness: 50 N m/rad, rest: 60 deg}, "
                             "joint: pin}}\n"
                             "friction: {pin: {static: 0.1, radius: 10 mm, "
                             "preload_torque: 1 N m, inputs: [preload], "
                             "stiction_velocity: 0.1 mm/s}}\n");
    const double rest = pi / 3.0, half = pi / sqrt(50.0 / 2.0);
    for (int n = 1; n < 7; ++n) {
        const int row = (int)lround(n * half / 0.001);
        const double angle = atan2(sim_get(&r, row, "P.y"), sim_get(&r, row, "P.x")) - rest;
        CHECK_NEAR(angle, (n % 2 ? 1.0 : -1.0) * (rest - 2.0 * n * 1.0 / 50.0), 1e-4);
    }
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-8);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- the spinning top -------------------------------------------------------------------------

// Regular precession W of a symmetric top at the nutation angle b: J3 w3 W - J1 W^2 cos b = m g l,
// w3 the whole spin about its axis, J1 about the pivot. Euler angles as three revolute joints.
static void a_top_precesses_steadily(void)
{
    static const double J3 = 0.005, J1 = 0.02, m = 1.0, l = 0.1;
    const double b = pi / 6.0, W = 2.0;
    const double w3 = (m * g * l + J1 * W * W * cos(b)) / (J3 * W);
    char text[1500], run[300];
    snprintf(text, sizeof text,
             "pkm: 1\n"
             "name: top\n"
             "gravity: [0, 0, -9.81]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies:\n"
             "  fork: {mass: 0, points: {O: [0, 0, 0]}}\n"
             "  ring: {mass: 0, points: {O: [0, 0, 0]}, pose: {rotate: {x: 30 deg}}}\n"
             "  top: {mass: 1 kg, com: [0, 0, 0.1], inertia: [%.17g, %.17g, 0.005],\n"
             "        points: {O: [0, 0, 0], P: [0, 0, 1]}, pose: {rotate: {x: 30 deg}}}\n"
             "joints:\n"
             "  turn: {type: revolute, between: [ground.O, fork.O], axis: z}\n"
             "  tilt: {type: revolute, between: [fork.O, ring.O], axis: x}\n"
             "  spin: {type: revolute, between: [ring.O, top.O], axis: z}\n"
             "tool: top.P\n",
             J1 - m * l * l, J1 - m * l * l);
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    snprintf(run, sizeof run,
             "for: 5 s\ninstants: 51\nstart: {turn: %.17g, tilt: 0, spin: %.17g}\n", W,
             w3 - W * cos(b));
    sim_result r = sim_run_whole(robot, run);
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double phi = W * sim_get(&r, i, "t"); // P starts at (0, -sin b, cos b)
        CHECK_NEAR(sim_get(&r, i, "P.x"), sin(b) * sin(phi), 1e-8);
        CHECK_NEAR(sim_get(&r, i, "P.y"), -sin(b) * cos(phi), 1e-8);
        CHECK_NEAR(sim_get(&r, i, "P.z"), cos(b), 1e-9);
    }
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- springs and loads ------------------------------------------------------------------------

// A 2 kg block on a rail along x, at the origin.
static const char block[] =
    "pkm: 1\n"
    "name: block\n"
    "gravity: [0, 0, -9.81]\n"
    "ground: {points: {O: [0, 0, 0], W: [-1, 0, 0]}}\n"
    "bodies: {block: {mass: 2 kg, com: [0, 0, 0], points: {P: [0, 0, 0]}}}\n"
    "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: x}}\n"
    "drives: {q: {joint: rail}}\n"
    "tool: {point: block.P, moves: [x]}\n"
    "home: {drives: {q: 0}}\n";

/// Displacement of m x'' + c x' + k x = 0 from x0 at rest; underdamped.
static double damped(double m, double c, double k, double x0, double t)
{
    const double d = c / (2.0 * m), w = sqrt(k / m - d * d);
    return x0 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

/// 2 kg, 200 N/m, 4 N s/m, rest position 0.2 m, whichever element makes it.
static void check_damped(const char* load)
{
    char text[400];
    pkm_robot* robot = engine_from(block);
    snprintf(text, sizeof text, "for: 3 s\ninstants: 61\nloads: {e: %s}\n", load);
    sim_result r = sim_run_whole(robot, text);
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = sim_get(&r, i, "t");
        CHECK_NEAR(sim_get(&r, i, "P.x"), 0.2 + damped(2.0, 4.0, 200.0, -0.2, t), 1e-11);
    }
    const pkm_ledger* l = &r.report.ledger;
    CHECK_NEAR(l->damping, -l->spring - l->kinetic, 1e-11);
    CHECK(l->damping > 3.9);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void a_spring_between_points_swings_by_its_closed_form(void)
{
    check_damped("{spring: {stiffness: 200 N/m, damping: 4 N s/m, length: 1.2 m}, "
                 "between: [ground.W, block.P]}");
}

static void a_joint_spring_swings_by_its_closed_form(void)
{
    check_damped("{spring: {stiffness: 200 N/m, damping: 4 N s/m, rest: 0.2 m}, joint: rail}");
}

// The preload of the bushing is the force at no displacement: k times 0.2 m.
static void a_bushing_swings_by_its_closed_form(void)
{
    check_damped("{bushing: {stiffness: [200, 1, 1, 1, 1, 1], damping: [4, 0, 0, 0, 0, 0], "
                 "preload: [40, 0, 0, 0, 0, 0]}, between: [ground.O, block.P]}");
}

static void loads_push_a_block(void)
{
    pkm_robot* robot = engine_from(block);
    sim_result r = sim_run_whole(robot, "for: 2 s\ninstants: 21\n"
                                        "loads:\n"
                                        "  push: {force: [4 N, 100 N, 0], at: block.P}\n"
                                        "  wave: {force: [\"=6 N*sin(3 rad/s*t)\", 0, 0], "
                                        "at: block.P, axes: body}\n");
    for (int i = 0; i <= sim_last(&r); ++i) { // x'' = 2 + 3 sin(3 t)
        const double t = sim_get(&r, i, "t");
        CHECK_NEAR(sim_get(&r, i, "P.x"), t * t + t - sin(3.0 * t) / 3.0, 1e-11);
        CHECK_NEAR(sim_get(&r, i, "P.vx"), 2.0 * t + 1.0 - cos(3.0 * t), 1e-11);
    }
    CHECK_NEAR(r.report.ledger.load, r.report.ledger.kinetic, 1e-10);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A force of 4 N from the file that stops at 1 s: the break is met exactly.
static void a_sampled_load_jumps_where_it_says(void)
{
    FILE* file = fopen("steps.csv", "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs("t,fx,fy,fz\n0,4,0,0\n1,0,0,0\n", file);
    fclose(file);
    pkm_robot* robot = engine_from(block);
    sim_result r = sim_run_whole(robot, "for: 2 s\ninstants: 21\n"
                                        "loads: {push: {force: {file: steps.csv, between: steps}, "
                                        "at: block.P}}\n");
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = sim_get(&r, i, "t");
        CHECK_NEAR(sim_get(&r, i, "P.x"), t <= 1.0 ? t * t : 2.0 * t - 1.0, 1e-12);
    }
    CHECK(r.report.rejected == 0);
    sim_free(&r);
    pkm_robot_free(robot);
    remove("steps.csv");
}

// ---- stick and slip ---------------------------------------------------------------------------

// A spring of 100 N/m draws the block (2 kg, friction 0.3 and 0.2) with its far end moving at
// V = 0.1 m/s. The block sticks until k V t = 0.3 m g; then its stretch u obeys
// u'' = -w^2 (u - 0.2 m g/k) from 0.3 m g/k at rate V, until u' = V: it sticks again.
static void a_drawn_block_sticks_and_slips(void)
{
    pkm_robot* robot =
        engine_from("pkm: 1\n"
                    "name: drawn block\n"
                    "gravity: [0, 0, -9.81]\n"
                    "ground: {points: {O: [0, 0, 0]}}\n"
                    "bodies:\n"
                    "  block: {mass: 2 kg, com: [0, 0, 0], points: {P: [0, 0, 0]}}\n"
                    "  hand: {mass: 1 kg, com: [0, 0, 0], points: {P: [0, 0, 0]}, "
                    "pose: {at: [1, 0, 0]}}\n"
                    "joints:\n"
                    "  rail: {type: prismatic, between: [ground.O, block.P], axis: x}\n"
                    "  pull: {type: prismatic, between: [ground.O, hand.P], axis: x}\n"
                    "drives: {q: {joint: pull}}\n"
                    "tool: block.P\n"
                    "home: {drives: {q: 1}}\n"
                    "motions: {go: {law: constant, duration: 2 s, "
                    "drives: {q: [1, 1.2]}}}\n");
    sim_result r =
        sim_run_whole(robot, "for: 1.5 s\ninstants: 1501\nintegrator: ida\ntolerance: 1e-7\n"
                             "loads: {s: {spring: {stiffness: 100 N/m, length: 1 m}, "
                             "between: [block.P, hand.P]}}\n"
                             "friction: {rail: {static: 0.3, dynamic: 0.2, "
                             "stiction_velocity: 0.1 mm/s, dynamic_velocity: 0.2 mm/s}}\n");
    const double k = 100.0, m = 2.0, V = 0.1, w = sqrt(k / m);
    const double start = 0.3 * m * g / (k * V); // [s]
    const double jump = 0.1 * m * g / k;        // of the stretch against its middle [m]
    const double slip = (2.0 * pi - 2.0 * atan2(jump * w, V)) / w;
    // u = mid + jump cos(w t) + V/w sin(w t); u' = V again after `slip`
    const double way = V * slip - (jump * cos(w * slip) + V / w * sin(w * slip) - jump);
    const int before = (int)(1000.0 * start) - 5, after = (int)(1000.0 * (start + slip)) + 20;
    CHECK(after < sim_last(&r));
    CHECK_NEAR(sim_get(&r, before, "P.x"), 0.0, 1e-4); // creep below 0.1 mm/s for 0.6 s
    CHECK_NEAR(sim_get(&r, after, "P.x"), way, 0.01 * way);
    CHECK(fabs(sim_get(&r, after, "P.vx")) < 1e-4);
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-3);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- payload ----------------------------------------------------------------------------------

// 2 kg pushed by 4 N; 2 kg more from 1 s to 2 s, picked up in motion: velocities do not jump,
// accelerations do. The energy it brings and takes is in the ledger.
static void a_payload_comes_and_goes(void)
{
    pkm_robot* robot = engine_from(block);
    sim_result r = sim_run_whole(robot, "for: 3 s\ninstants: 301\n"
                                        "loads: {push: {force: [4 N, 0, 0], at: block.P}}\n"
                                        "payload: {box: {mass: 2 kg, at: block.P, pick: 1 s, "
                                        "drop: 2 s}}\n");
    CHECK_NEAR(sim_get(&r, 100, "P.vx"), 2.0, 1e-12);
    CHECK_NEAR(sim_get(&r, 150, "P.ax"), 1.0, 1e-12);
    CHECK_NEAR(sim_get(&r, 200, "P.vx"), 3.0, 1e-12);
    CHECK_NEAR(sim_get(&r, 300, "P.vx"), 5.0, 1e-12);
    CHECK_NEAR(sim_get(&r, 300, "P.x"), 1.0 + 2.5 + 4.0, 1e-11);
    CHECK_NEAR(r.report.ledger.payload, 0.5 * 2.0 * 4.0 - 0.5 * 2.0 * 9.0, 1e-11);
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-11);
    CHECK_NEAR(robot->mech->body[1].mass, 2.0, 0.0); // given back
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_pendulum_follows_the_elliptic_function);
    RUN(so_it_does_with_ida);
    RUN(the_error_falls_with_the_tolerance);
    RUN(friction_takes_a_pendulum_down_by_the_closed_form);
    RUN(friction_takes_a_torsion_oscillator_down_evenly);
    RUN(a_top_precesses_steadily);
    RUN(a_spring_between_points_swings_by_its_closed_form);
    RUN(a_joint_spring_swings_by_its_closed_form);
    RUN(a_bushing_swings_by_its_closed_form);
    RUN(loads_push_a_block);
    RUN(a_sampled_load_jumps_where_it_says);
    RUN(a_drawn_block_sticks_and_slips);
    RUN(a_payload_comes_and_goes);
    return check_report();
}
