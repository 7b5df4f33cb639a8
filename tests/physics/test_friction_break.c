// Loads that grow within milliseconds: surfaces break away when these reach what static friction
// holds, at default settings, against Coulomb's law.
#include "friction.h"
#include "simulate.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/// A force that grows to what static friction holds within T, to twice that within 2 T, and stays.
static void write_ramp(double T, double holds)
{
    FILE* file = fopen("friction_break.csv", "w");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file, "t,x,y,z\n0,0,0,0\n%.17g,%.17g,0,0\n%.17g,%.17g,0,0\n", 2.0 * T, 2.0 * holds,
            10.0 * T, 2.0 * holds);
    fclose(file);
}

/// The way of a block that N/m = `load` [m/s2] presses, 4 T after it breaks away.
static double way(double mu_s, double mu_d, double load, double T)
{
    // a = (mu_s - mu_d) N/m + mu_s N/m s/T, and (2 mu_s - mu_d) N/m from s = T on
    const double a = (mu_s - mu_d) * load, rate = mu_s * load / T, more = a + mu_s * load;
    const double x = 0.5 * a * T * T + rate * T * T * T / 6.0, v = a * T + 0.5 * rate * T * T;
    return x + v * 3.0 * T + 0.5 * more * 9.0 * T * T;
}

/// Coulomb's way, and at most that of presliding: z_s until it breaks away, and z_s/T then.
static void check_ramp(double mu_s, double mu_d, double load, double T, const char* how)
{
    const double mass = 2.0, presliding = 5e-6 * mu_s, want = way(mu_s, mu_d, load, T);
    char text[600];
    snprintf(text, sizeof text,
             "pkm: 1\nname: block\ngravity: [0, 0, %.17g]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {block: {mass: %g kg, points: {P: [0, 0, 0]}}}\n"
             "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: x}}\n"
             "drives: {x: {joint: rail}}\ntool: block.P\n",
             -load, mass);
    pkm_robot* robot = engine_from(text);
    write_ramp(T, mu_s * mass * load);
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 201\nloads: {push: {force: {file: "
             "friction_break.csv}, at: block.P}}\nfriction: {rail: {static: %g, dynamic: %g}}\n%s",
             5.0 * T, mu_s, mu_d, how);
    sim_result r = sim_run_whole(robot, text);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), want + 0.5 * presliding,
               1e-3 * want + 0.5 * presliding);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void a_load_that_grows_within_milliseconds_breaks_away_in_time(void)
{
    static const double mu[][2] = {{0.3, 0.2}, {0.11, 0.084}, {0.3, 0.05}};
    for (int k = 0; k < 3; ++k) {
        check_ramp(mu[k][0], mu[k][1], g, 6e-3, "");
        check_ramp(mu[k][0], mu[k][1], g, 60e-3, "");
        check_ramp(mu[k][0], mu[k][1], 1e3, 0.6e-3, "");
    }
}

static void by_any_method(void)
{
    static const char* const how[] = {"integrator: bdf\n", "integrator: sdirk\n",
                                      "integrator: ida\n", "tolerance: 1e-6\n"};
    for (int k = 0; k < 4; ++k)
        check_ramp(0.3, 0.2, g, 6e-3, how[k]);
}

// Presliding has the time sqrt(z_s m/(mu_s N)): the less presses, the slower is what grows fast.
static void under_little_load(void)
{
    check_ramp(0.3, 0.2, 0.1, 0.2, "");
    check_ramp(0.3, 0.2, 1e-3, 1.0, "");
    check_ramp(0.3, 0.2, 1e-3, 2.0, "");
}

// A block on a belt, N/m = g, held by a spring of k/m = w^2: it sticks for 2 X/v = 4 ms and slips
// for (2/w) (pi - atan(X w/v)), X = (mu_s - mu_d) g/w^2.
static void a_belt_sticks_for_milliseconds(void)
{
    const double w = 100.0, X = 0.1 * g / (w * w), v = 2.0 * X / 4e-3, end = 0.5;
    const double period = 2.0 * X / v + 2.0 / w * (pi - atan(X * w / v));
    pkm_robot* robot = friction_belt(v, end);
    sim_result r = sim_run_whole(
        robot, "instants: 10001\nstart: {rail: 0}\n"
               "loads: {s: {spring: {stiffness: 20 N/mm, length: 1 m}, between: [ground.W, "
               "block.P]}}\nfriction: {rail: {static: 0.3, dynamic: 0.2}}\n");
    double first = 0.0, last = 0.0;
    int n = 0;
    for (int i = 1; i <= sim_last(&r); ++i) { // at the top of each slip
        const double a = sim_get(&r, i - 1, "P.vx"), b = sim_get(&r, i, "P.vx");
        if (!(a > 0.0 && b <= 0.0 && sim_get(&r, i, "P.x") > 0.2 * g / (w * w))) continue;
        last = (i - 1.0 + a / (a - b)) * end / 10000.0;
        if (n++ == 0) first = last;
    }
    CHECK(n >= 6);
    CHECK_NEAR((last - first) / (n - 1), period, 1e-3 * period);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_load_that_grows_within_milliseconds_breaks_away_in_time);
    RUN(by_any_method);
    RUN(under_little_load);
    RUN(a_belt_sticks_for_milliseconds);
    return check_report();
}
