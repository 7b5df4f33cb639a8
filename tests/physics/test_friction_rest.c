// Friction that sticks, at default settings, against closed forms of Coulomb's law.
#include "friction.h"
#include "simulate.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/// A block of 2 kg on a rail along x under gravity (gx, 0, -gz).
static pkm_robot* block(double gx, double gz)
{
    char text[600];
    snprintf(text, sizeof text,
             "pkm: 1\nname: block\ngravity: [%.17g, 0, %.17g]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {block: {mass: 2 kg, points: {P: [0, 0, 0], H: [0, 0.3, 0]}}}\n"
             "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: x}}\n"
             "drives: {x: {joint: rail}}\ntool: block.P\n",
             gx, -gz);
    return engine_from(text);
}

// ---- incline ----------------------------------------------------------------------------------

static double slope_end(double degrees, double static_mu, double dynamic_mu, double* moved)
{
    const double a = degrees * pi / 180.0;
    pkm_robot* robot = block(g * sin(a), g * cos(a));
    char text[200];
    snprintf(
        text, sizeof text,
        "motion: none\nfor: 10 s\ninstants: 101\nfriction: {rail: {static: %g, dynamic: %g}}\n",
        static_mu, dynamic_mu);
    sim_result r = sim_run_whole(robot, text);
    const double end = sim_get(&r, sim_last(&r), "x.q");
    *moved = 0.0;
    for (int i = 0; i <= sim_last(&r); ++i)
        *moved = fmax(*moved, fabs(sim_get(&r, i, "x.q")));
    sim_free(&r);
    pkm_robot_free(robot);
    return end;
}

static void a_block_rests_below_the_angle_of_friction(void)
{
    double moved;
    slope_end(15.0, 0.3, 0.2, &moved); // tan 15 = 0.268
    CHECK(moved < 1e-12);
    slope_end(16.69, 0.3, 0.2, &moved); // 0.2998
    CHECK(moved < 1e-9);
}

static void a_block_slides_beyond_it(void)
{
    const double a = 20.0 * pi / 180.0, s = 50.0 * g * (sin(a) - 0.2 * cos(a));
    double moved;
    CHECK_NEAR(slope_end(20.0, 0.3, 0.2, &moved), s, 1e-3 * s);
}

// Thrown upwards with v it stops after v^2/2a, a = g (sin + mu_d cos), at v/a, and there mu_s holds
// it, though mu_d would not: the bristles turn over without swinging beyond mu_s.
static void a_block_that_stops_on_its_way_up_stays(void)
{
    static const double degrees[] = {17.0, 18.5}; // tan = 0.306, 0.335
    for (int k = 0; k < 2; ++k) {
        const double a = degrees[k] * pi / 180.0, stop = 1.7 / (g * (sin(a) + 0.3 * cos(a)));
        pkm_robot* robot = block(g * sin(a), g * cos(a));
        sim_result r = sim_run_whole(robot, "motion: none\nfor: 10 s\ninstants: 101\n"
                                            "start: {rail: -1.7}\n"
                                            "friction: {rail: {static: 0.35, dynamic: 0.3}}\n");
        CHECK_NEAR(sim_get(&r, 5, "x.q"), -0.85 * stop, 1e-4 * stop);
        CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), sim_get(&r, 5, "x.q"), 1e-9);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// The same whatever presses what is stopped: thrown against a load of 0.95 to 0.999 mu_s N it stops
// after half a time that goes with sqrt(m/N), and stays, where mu_d would let it slide back. Moon,
// an asteroid, less; feathers and tons; friction above 1, and one coefficient.
static void check_stop_at(double part, double mass, double load, double mu_s, double mu_d,
                          const char* how)
{
    const double along = part * mu_s * load, slow = along + mu_d * load;
    const double time = 0.5 * sqrt(10.0 / load), way = 0.5 * slow * time * time;
    pkm_robot* robot = friction_block(mass, along, load);
    char text[300];
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 81\nstart: {rail: %.17g}\n"
             "friction: {rail: {static: %g, dynamic: %g}}\n%s",
             8.0 * time, -slow * time, mu_s, mu_d, how);
    sim_result r = sim_run_whole(robot, text);
    if (part > 1.0) { // slides back with what is left
        const double s = 7.0 * time;
        const double back = 0.5 * (along - mu_d * load) * s * s - way;
        CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), back, 1e-3 * (back + 2.0 * way));
    }
    for (int i = 40; part < 1.0 && i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "x.q"), -way, 1e-3 * way);
    if (part < 1.0)
        CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), sim_get(&r, sim_last(&r) - 10, "x.q"), 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void check_stop(double mass, double load, double mu_s, double mu_d)
{
    check_stop_at(0.95, mass, load, mu_s, mu_d, "");
    check_stop_at(0.999, mass, load, mu_s, mu_d, "");
}

static void what_stops_stays_under_any_load(void)
{
    static const double load[] = {1000.0, 9.81, 1.6, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
    for (size_t k = 0; k < sizeof load / sizeof load[0]; ++k)
        check_stop(2.0, load[k], 0.11, 0.08);
    check_stop(1e-4, 0.1, 0.3, 0.2);
    check_stop(1e5, 0.1, 0.3, 0.2);
    check_stop(1.0, 0.05, 1.4, 1.0);
    check_stop(1.0, 0.05, 0.2, 0.2);
}

// Whatever the method and its tolerance, up to 0.999 of what mu_s holds; beyond it slides back.
static void what_stops_stays_by_any_method(void)
{
    static const char* const how[] = {"tolerance: 1e-5\n", "tolerance: 1e-6\n",
                                      "tolerance: 1e-10\n", "integrator: sdirk\n"};
    static const double part[] = {0.9,   0.96,   0.97,   0.98,  0.99, 0.995,
                                  0.999, 0.9995, 1.0005, 1.001, 1.01};
    for (size_t i = 0; i < sizeof how / sizeof how[0]; ++i)
        for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k)
            check_stop_at(part[k], 2.0, 9.81, 0.3, 0.2, how[i]);
    for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k) {
        check_stop_at(part[k], 2.0, 1000.0, 0.3, 0.05, "");
        check_stop_at(part[k], 2.0, 1e-3, 0.11, 0.084, "");
    }
}

// Steps of ida cannot be repeated: it goes back to where what stops is slow enough. At 0.2 T behind
// the stop it would have slid back by 1e-2 of its way.
static void what_stops_stays_by_ida(void)
{
    static const double part[] = {0.97, 0.999}, T = 0.5;
    for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k) {
        const double along = part[k] * 0.3 * g, slow = along + 0.2 * g, way = 0.5 * slow * T * T;
        char text[300];
        pkm_robot* robot = block(along, g);
        snprintf(text, sizeof text,
                 "motion: none\nfor: %.17g s\ninstants: 13\nstart: {rail: %.17g}\n"
                 "friction: {rail: {static: 0.3, dynamic: 0.2}}\nintegrator: ida\n",
                 1.2 * T, -slow * T);
        sim_result r = sim_run_whole(robot, text);
        CHECK_NEAR(sim_get(&r, 12, "x.q"), -way, 1e-5 * way);
        CHECK_NEAR(sim_get(&r, 12, "x.q"), sim_get(&r, 11, "x.q"), 1e-8);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

/// A wheel of 2 kg on a pin of radius R, turned against a torque of 0.99 mu_s N R.
static void check_wheel(double R, double inertia)
{
    const double N = 2.0 * g, torque = 0.99 * 0.11 * N * R,
                 slow = (torque + 0.08 * N * R) / inertia;
    const double time = 0.5 * sqrt(10.0 * inertia / (N * R * R)), way = 0.5 * slow * time * time;
    char text[900];
    snprintf(text, sizeof text,
             "pkm: 1\nname: wheel\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {wheel: {mass: 2 kg, inertia: [%.17g, %.17g, %.17g], points: {P: [0, 0, "
             "0]}}}\n"
             "joints: {pin: {type: revolute, between: [ground.O, wheel.P], axis: y}}\n"
             "drives: {w: {joint: pin}}\ntool: wheel.P\n",
             inertia, inertia, inertia);
    pkm_robot* robot = engine_from(text);
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 81\nstart: {pin: %.17g}\n"
             "loads: {turn: {torque: [0, %.17g, 0], at: wheel.P}}\n"
             "friction: {pin: {static: 0.11, dynamic: 0.08, radius: %g m}}\n",
             8.0 * time, -slow * time, torque, R);
    sim_result r = sim_run_whole(robot, text);
    for (int i = 40; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "w.q"), -way, 1e-3 * way);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Thin pins stop heavy wheels with little: N R^2/I = 2e-5, 0.02 and 2 m/s2; and a tiny one.
static void what_a_thin_pin_stops_stays(void)
{
    check_wheel(1e-3, 1.0);
    check_wheel(1e-2, 0.1);
    check_wheel(1e-2, 1e-3);
    check_wheel(1e-4, 1e-8);
}

// A ball that stops a bar, light about its own line (I/R^2 = 0.1 kg) and heavy across (5000 kg):
// Q, 1 m from the ball on that line, stays where it has come to.
static void what_a_ball_stops_stays(void)
{
    const double R = 0.01, I = 0.5, N = 2.0 * g, torque = 0.99 * 0.11 * N * R;
    const double slow = (torque + 0.08 * N * R) / I, time = 0.5 * sqrt(10.0 * I / (N * R * R));
    char text[400];
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: bar\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {bar: {mass: 2 kg, inertia: [1e-5, 0.5, 0.5], points: {P: [0, 0, 0], Q: [1, 0, "
        "0]}}}\n"
        "joints: {ball: {type: spherical, between: [ground.O, bar.P]}}\n"
        "tool: bar.P\noutputs: [bar.Q]\n");
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 81\nstart: {ball: [0, %.17g, 0]}\n"
             "loads: {turn: {torque: [0, %.17g, 0], at: bar.P}}\n"
             "friction: {ball: {static: 0.11, dynamic: 0.08, radius: 10 mm}}\n",
             8.0 * time, -slow * time, torque);
    sim_result r = sim_run_whole(robot, text);
    const double angle = 0.5 * slow * time * time; // 23 rad
    for (int i = 40; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "Q.z"), sin(angle), 1e-4);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- belt -------------------------------------------------------------------------------------

/// A block on the floor, drawn by a spring whose far end moves with v.
static const char drawn[] =
    "pkm: 1\nname: belt\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n  block: {mass: 1 kg, points: {P: [0, 0, 0]}}\n"
    "  cart: {mass: 1e9 kg, points: {P: [0, 0, 0]}, pose: {at: [1, 0, 0]}}\n"
    "joints:\n  rail: {type: prismatic, between: [ground.O, block.P], axis: x}\n"
    "  way: {type: prismatic, between: [ground.O, cart.P], axis: x}\n"
    "drives: {x: {joint: rail}, c: {joint: way}}\ntool: block.P\n";

// Sticks 2 X/v and slips (2/w) (pi - atan(X w/v)), X = (mu_s - mu_d) N/k.
static void stick_slip_has_its_period(void)
{
    const double w = sqrt(50.0), v = 0.1, X = 0.15 * g / 50.0;
    const double period = 2.0 * X / v + 2.0 / w * (pi - atan(X * w / v));
    pkm_robot* robot = engine_from(drawn);
    sim_result r = sim_run_whole(
        robot,
        "motion: none\nfor: 10 s\ninstants: 10001\ndrives: free\n"
        "start: {rail: 0, way: 0.1}\n"
        "loads: {s: {spring: {stiffness: 50 N/m, length: 1 m}, between: [block.P, cart.P]}}\n"
        "friction: {rail: {static: 0.4, dynamic: 0.25}}\n");
    double first = 0.0, last = 0.0;
    int n = 0;
    for (int i = 1; i <= sim_last(&r); ++i) { // when the block is as fast as the cart
        const double a = sim_get(&r, i - 1, "x.v") - v, b = sim_get(&r, i, "x.v") - v;
        if (!(a < 0.0 && b >= 0.0)) continue;
        last = sim_get(&r, i, "t") - 1e-3 * b / (b - a);
        if (n++ == 0) first = last;
    }
    CHECK(n >= 8);
    CHECK_NEAR((last - first) / (n - 1), period, 1e-3 * period);
    sim_free(&r);
    pkm_robot_free(robot);
}

/// A block of 2 kg on a belt that a drive moves with v, held by a spring of 800 N/m.
static void check_belt(double mu_s, double mu_d, double v)
{
    const double w = 20.0, X = (mu_s - mu_d) * 2.0 * g / 800.0, least = mu_d * 2.0 * g / 800.0;
    const double period = 2.0 * X / v + 2.0 / w * (pi - atan(X * w / v)), end = 8.0 * period;
    pkm_robot* robot = friction_belt(v, end);
    char text[300];
    snprintf(text, sizeof text,
             "instants: 8001\nstart: {rail: 0}\n"
             "loads: {s: {spring: {stiffness: 800 N/m, length: 1 m}, between: [ground.W, "
             "block.P]}}\nfriction: {rail: {static: %g, dynamic: %g}}\n",
             mu_s, mu_d);
    sim_result r = sim_run_whole(robot, text);
    double first = 0.0, last = 0.0;
    int n = 0;
    for (int i = 1; i <= sim_last(&r); ++i) { // at the top of each slip
        const double a = sim_get(&r, i - 1, "P.vx"), b = sim_get(&r, i, "P.vx");
        if (!(a > 0.0 && b <= 0.0 && sim_get(&r, i, "P.x") > least)) continue;
        last = (i - 1.0 + a / (a - b)) * end / 8000.0;
        if (n++ == 0) first = last;
    }
    CHECK(n == 8 || n == 7);
    CHECK_NEAR((last - first) / (n - 1), period, 1e-3 * period);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A small fall of friction, a large one after which friction has to pull the other way to hold the
// block, and a belt that loads the block within 15 ms.
static void a_belt_that_a_drive_moves_sticks_and_slips(void)
{
    check_belt(0.11, 0.084, 0.01);
    check_belt(0.3, 0.05, 0.02);
    check_belt(0.3, 0.2, 0.5);
}

// ---- breakaway --------------------------------------------------------------------------------

// A force r t: at rest until r t = mu_s m g, then x = r s^3/(6 m) + (mu_s - mu_d) g s^2/2.
static void a_growing_force_breaks_the_block_away(void)
{
    const double m = 2.0, rate = 4.0, t0 = 0.3 * m * g / rate;
    pkm_robot* robot = block(0.0, g);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 4 s\ninstants: 401\n"
                             "loads: {pull: {force: ['=4 N/s * t', 0, 0], at: block.P}}\n"
                             "friction: {rail: {static: 0.3, dynamic: 0.2}}\n");
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double s = sim_get(&r, i, "t") - t0;
        const double x = s > 0.0 ? rate * s * s * s / (6.0 * m) + 0.05 * g * s * s : 0.0;
        CHECK_NEAR(sim_get(&r, i, "x.q"), x, 1e-3 * x + 1e-5); // of 9.4 m
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- pin --------------------------------------------------------------------------------------

// A wheel on a pin of radius r: w = w0 - mu m g r t/I until it stands, and there it stays.
static void a_wheel_runs_down_on_its_pin_and_stands(void)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: wheel\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {wheel: {mass: 2 kg, inertia: [0.01, 0.02, 0.01], points: {P: [0, 0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.O, wheel.P], axis: y}}\n"
        "drives: {w: {joint: pin}}\ntool: wheel.P\n");
    if (!robot) return;
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 4 s\ninstants: 401\nstart: {pin: 10}\n"
                             "friction: {pin: {static: 0.25, dynamic: 0.2, radius: 20 mm}}\n");
    const double slow = 0.2 * 2.0 * g * 0.02 / 0.02, stop = 10.0 / slow;
    const double angle = 0.5 * 10.0 * stop;
    for (int i = 0; i <= sim_last(&r); ++i) {
        const double t = fmin(sim_get(&r, i, "t"), stop);
        CHECK_NEAR(sim_get(&r, i, "w.q"), 10.0 * t - 0.5 * slow * t * t, 1e-3 * angle);
    }
    CHECK_NEAR(sim_get(&r, sim_last(&r), "w.q"), sim_get(&r, sim_last(&r) - 100, "w.q"), 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- guide ------------------------------------------------------------------------------------

/// Pulled with P at 0.3 m from the rail, overlap X: N = m g + ends P 0.3/X.
static double guide_end(double pull, int ends, double overlap, double* moved)
{
    pkm_robot* robot = block(0.0, g);
    char text[400];
    snprintf(text, sizeof text,
             "motion: none\nfor: 2 s\ninstants: 21\n"
             "loads: {pull: {force: [%g, 0, 0], at: block.H}}\n"
             "friction: {rail: {static: 0.1, dynamic: 0.1, overlap: %g m, bending_ends: %d}}\n",
             pull, overlap, ends);
    sim_result r = sim_run_whole(robot, text);
    const double end = sim_get(&r, sim_last(&r), "x.q");
    *moved = fabs(end);
    sim_free(&r);
    pkm_robot_free(robot);
    return end;
}

static void a_guide_under_a_moment_slides_as_its_ends_press(void)
{
    double moved;
    for (int ends = 1; ends <= 2; ++ends) {
        const double P = 20.0, N = 2.0 * g + ends * P * 0.3 / 0.1, x = (P - 0.1 * N) / 2.0 * 2.0;
        CHECK_NEAR(guide_end(P, ends, 0.1, &moved), x, 1e-3 * x);
    }
}

// Drawer: with two ends 0.1 x 2 x 0.3/0.05 = 1.2 > 1, and no pull moves it.
static void a_drawer_jams_whatever_the_pull(void)
{
    double moved;
    guide_end(20.0, 2, 0.05, &moved);
    CHECK(moved < 1e-9);
    guide_end(2000.0, 2, 0.05, &moved);
    CHECK(moved < 1e-9);
}

// ---- robots -----------------------------------------------------------------------------------

// The motors of SIAX need 213 N m at most at home; pins that hold 300 N m hold the robot for good.
static void a_robot_that_friction_can_hold_does_not_move(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, "motion: none\nfor: 10 s\ninstants: 11\n"
                                        "friction: {\"*.motor\": {static: 0.1, dynamic: 0.08, "
                                        "radius: 20 mm, preload_torque: 300 N m}}\n");
    for (int i = 0; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "P.z"), sim_get(&r, 0, "P.z"), 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A file that gives a stiction velocity keeps the smoothed law, and is told once that it creeps.
static void smoothed_friction_creeps_and_says_so(void)
{
    pkm_robot* robot = block(2.0, 9.6);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 1 s\ninstants: 11\n"
                             "friction: {rail: {static: 0.3, stiction_velocity: 1 mm/s}}\n");
    const pkm_warnings* w = pkm_table_get_warnings(r.table);
    CHECK(w->n == 1 && strcmp(w->item[0].kind, "friction") == 0);
    CHECK(sim_get(&r, sim_last(&r), "x.q") > 1e-4);
    sim_free(&r);
    r = sim_run_whole(robot,
                      "motion: none\nfor: 1 s\ninstants: 11\nfriction: {rail: {static: 0.3}}\n");
    CHECK(pkm_table_get_warnings(r.table)->n == 0);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Bristles of LuGre start loaded too: below the limit the block stays where it is.
static void lugre_starts_in_equilibrium(void)
{
    pkm_robot* robot = block(2.0, 9.6);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 10 s\ninstants: 11\n"
                             "friction: {rail: {law: lugre, static: 0.3, dynamic: 0.2}}\n");
    CHECK(fabs(sim_get(&r, sim_last(&r), "x.q")) < 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Drives prescribed: what friction takes is what inverse dynamics says, which has no states; with
// flexible rods both laws lose the same.
static void losses_agree_with_the_smoothed_law(void)
{
    static const char* const flexible[] = {"", "flexible: {left: {elements: 2, modes: 2}}\n"};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        double loss[2];
        for (int law = 0; law < 2; ++law) {
            char text[400];
            snprintf(text, sizeof text,
                     "for: 60 ms\ninstants: 31\n%sfriction: {spherical: {static: 0.11, dynamic: "
                     "0.084, radius: 10 mm%s}}\n",
                     flexible[k], law ? ", law: coulomb, stiction_velocity: 0.1 mm/s" : "");
            sim_result r = sim_run_whole(robot, text);
            loss[law] = r.report.ledger.friction;
            sim_free(&r);
        }
        CHECK_NEAR(loss[0], loss[1], 1e-3 * loss[1]);
    }
    pkm_robot_free(robot);
}

// ---- columns ----------------------------------------------------------------------------------

// What holds the block is its weight along the slope; what brakes it follows the normal force.
static void friction_and_slip_of_a_block_are_columns(void)
{
    for (int slides = 0; slides < 2; ++slides) {
        const double a = (slides ? 20.0 : 15.0) * pi / 180.0;
        pkm_robot* robot = block(g * sin(a), g * cos(a));
        sim_result r = sim_run_whole(robot, "motion: none\nfor: 0.5 s\ninstants: 6\n"
                                            "friction: {rail: {static: 0.3, dynamic: 0.2}}\n");
        const double held = -2.0 * g * sin(a), braked = -0.2 * 2.0 * g * cos(a);
        for (int i = 1; i <= sim_last(&r); ++i) {
            const double F = sim_get(&r, i, "rail.friction_force");
            CHECK_NEAR(F, slides ? braked : held, 1e-4 * fabs(held));
            CHECK_NEAR(sim_get(&r, i, "rail.slip"), fabs(sim_get(&r, i, "x.v")), 1e-12);
        }
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// Torque times rate is the power that friction takes.
static void torque_of_a_pin_times_its_rate_is_the_loss(void)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: wheel\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {wheel: {mass: 2 kg, inertia: [0.01, 0.02, 0.01], points: {P: [0, 0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.O, wheel.P], axis: y}}\n"
        "drives: {w: {joint: pin}}\ntool: wheel.P\n");
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 0.5 s\ninstants: 6\nstart: {pin: 10}\n"
                             "friction: {pin: {static: 0.25, dynamic: 0.2, radius: 20 mm}}\n");
    for (int i = 1; i <= sim_last(&r); ++i) {
        const double torque = sim_get(&r, i, "pin.friction_torque"), w = sim_get(&r, i, "w.v");
        CHECK_NEAR(torque, -0.2 * 2.0 * g * 0.02, 1e-6);
        CHECK_NEAR(-torque * w, sim_get(&r, i, "loss.friction"), 1e-9);
        CHECK_NEAR(sim_get(&r, i, "pin.slip"), 0.02 * w, 1e-12);
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_block_rests_below_the_angle_of_friction);
    RUN(a_block_slides_beyond_it);
    RUN(a_block_that_stops_on_its_way_up_stays);
    RUN(what_stops_stays_under_any_load);
    RUN(what_stops_stays_by_any_method);
    RUN(what_stops_stays_by_ida);
    RUN(what_a_thin_pin_stops_stays);
    RUN(what_a_ball_stops_stays);
    RUN(stick_slip_has_its_period);
    RUN(a_belt_that_a_drive_moves_sticks_and_slips);
    RUN(a_growing_force_breaks_the_block_away);
    RUN(a_wheel_runs_down_on_its_pin_and_stands);
    RUN(a_guide_under_a_moment_slides_as_its_ends_press);
    RUN(a_drawer_jams_whatever_the_pull);
    RUN(a_robot_that_friction_can_hold_does_not_move);
    RUN(smoothed_friction_creeps_and_says_so);
    RUN(lugre_starts_in_equilibrium);
    RUN(losses_agree_with_the_smoothed_law);
    RUN(friction_and_slip_of_a_block_are_columns);
    RUN(torque_of_a_pin_times_its_rate_is_the_loss);
    return check_report();
}
