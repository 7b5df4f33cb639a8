// Loads that jump onto surfaces at rest: static friction holds up to its limit, and beyond it what
// slides does so from there on, at default settings, against Coulomb's law.
#include "friction.h"
#include "simulate.h"

static const double MU_S = 0.3, MU_D = 0.2;

/// Forces that jump at `t` from the first to the second [x, z, N].
static void write_jump(double t, const double from[2], const double to[2])
{
    FILE* file = fopen("friction_jump.csv", "w");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file, "t,x,y,z\n0,%.17g,0,%.17g\n%.17g,%.17g,0,%.17g\n", from[0], from[1], t, to[0],
            to[1]);
    fclose(file);
}

/// The time [s] in which a block that mu_s N drives goes half a metre.
static double unit_time(double load)
{
    return sqrt(1.0 / (MU_S * load));
}

/// Nothing, and from half a unit of time on `part` of what static friction holds.
static sim_result push(double part, double mass, double load, const char* how)
{
    const double T = unit_time(load), none[2] = {0.0, 0.0};
    const double force[2] = {part * MU_S * mass * load, 0.0};
    char text[500];
    pkm_robot* robot = friction_block(mass, 0.0, load);
    write_jump(0.5 * T, none, force);
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g s\ninstants: 101\nloads: {push: {force: {file: "
             "friction_jump.csv, between: steps}, at: block.P}}\n"
             "friction: {rail: {static: %g, dynamic: %g}}\n%s",
             4.0 * T, MU_S, MU_D, how);
    sim_result r = sim_run_whole(robot, text);
    pkm_robot_free(robot);
    return r;
}

static void check_held(double part, double mass, double load, const char* how)
{
    sim_result r = push(part, mass, load, how);
    for (int i = 0; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "x.q"), 0.0, 1e-9);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "rail.friction_force"), -part * MU_S * mass * load,
               1e-6 * mass * load);
    CHECK(pkm_table_get_warnings(r.table)->n == 0);
    sim_free(&r);
}

static void check_slides(double part, double mass, double load, const char* how)
{
    const double T = unit_time(load), s = 3.5 * T;
    const double want = 0.5 * (part * MU_S - MU_D) * load * s * s;
    sim_result r = push(part, mass, load, how);
    CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), want, 1e-3 * want);
    sim_free(&r);
}

static void a_load_that_jumps_is_held_up_to_static_friction(void)
{
    static const double part[] = {0.5, 0.95, 0.97, 0.99, 0.999};
    static const double load[] = {1000.0, 9.81, 1.6, 0.1, 1e-2, 1e-3, 1e-4};
    static const double mass[] = {1e-3, 2.0, 1e3};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i)
        for (size_t k = 0; k < sizeof load / sizeof load[0]; ++k)
            check_held(part[i], 2.0, load[k], "");
    for (size_t k = 0; k < sizeof mass / sizeof mass[0]; ++k)
        check_held(0.999, mass[k], 9.81, "");
    check_held(0.9998, 2.0, 9.81, "");
}

static void beyond_it_slides_from_there_on(void)
{
    static const double part[] = {1.001, 1.01, 1.1, 3.0},
                        load[] = {1e3, 9.81, 0.1, 1e-2, 1e-3, 1e-4};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i)
        for (size_t k = 0; k < sizeof load / sizeof load[0]; ++k)
            check_slides(part[i], 2.0, load[k], "");
    check_slides(1.0002, 2.0, 9.81, "");
    check_slides(1.0002, 2.0, 1e-2, "");
    check_slides(1.01, 1e-3, 9.81, "");
    check_slides(1.01, 1e3, 9.81, "");
}

static void by_any_method(void)
{
    static const char* const how[] = {"integrator: bdf\n", "integrator: sdirk\n",
                                      "integrator: ida\n", "tolerance: 1e-5\n",
                                      "tolerance: 1e-9\n"};
    for (size_t i = 0; i < sizeof how / sizeof how[0]; ++i) {
        check_held(0.97, 2.0, 9.81, how[i]);
        check_held(0.999, 2.0, 9.81, how[i]);
        check_slides(1.01, 2.0, 9.81, how[i]);
    }
}

/// Is it told that the rail slides although `part` of static friction could hold it?
static bool is_told(const sim_result* r, const char* part)
{
    char text[100];
    const pkm_warnings* w = pkm_table_get_warnings(r->table);
    snprintf(text, sizeof text, "rail slides from rest although %s of its static", part);
    return w->n == 1 && strcmp(w->item[0].kind, "friction") == 0 &&
           strstr(w->item[0].text, text) != NULL;
}

/// A block of 2 kg under a load that grows to `part` of static friction within `time` [s].
static sim_result pull(double part, double time, const char* how)
{
    char text[500];
    pkm_robot* robot = friction_block(2.0, 0.0, 9.81);
    snprintf(text, sizeof text,
             "motion: none\nfor: 2 s\ninstants: 21\nloads: {pull: {force: ['=step(t, 0.1 s, 0 N, "
             "%.17g s, %.17g N)', 0, 0], at: block.P}}\n"
             "friction: {rail: {static: 0.3, dynamic: 0.2}}\n%s",
             0.1 + time, part * 0.3 * 2.0 * 9.81, how);
    sim_result r = sim_run_whole(robot, text);
    pkm_robot_free(robot);
    return r;
}

// Bristles swing out over a load that grows within milliseconds to 0.99 of what holds: the block
// slides where Coulomb's does not, and is told. One that grows slower is held, one that is larger
// slides as it must, and of neither anything is told.
static void what_slides_although_it_could_be_held_is_told(void)
{
    static const char* const how[] = {"", "integrator: bdf\n", "integrator: sdirk\n",
                                      "integrator: ida\n"};
    for (size_t k = 0; k < sizeof how / sizeof how[0]; ++k) {
        sim_result r = pull(0.99, 3e-3, how[k]);
        CHECK(sim_get(&r, sim_last(&r), "x.q") > 0.1 && is_told(&r, "0.99"));
        sim_free(&r);
        r = pull(0.99, 0.5, how[k]);
        CHECK(sim_get(&r, sim_last(&r), "x.q") < 3e-7 && pkm_table_get_warnings(r.table)->n == 0);
        sim_free(&r);
        r = pull(1.01, 3e-3, how[k]);
        CHECK(sim_get(&r, sim_last(&r), "x.q") > 0.1 && pkm_table_get_warnings(r.table)->n == 0);
        sim_free(&r);
    }
}

/// A block under its weight g = 9.81 m/s2 that rests under `from` and is to rest under `to`, parts
/// of its weight along and up.
static void check_turn(const double from[2], const double to[2])
{
    const double weight = 2.0 * 9.81, before[2] = {from[0] * weight, from[1] * weight};
    const double after[2] = {to[0] * weight, to[1] * weight};
    pkm_robot* robot = friction_block(2.0, 0.0, 9.81);
    write_jump(1.0, before, after);
    sim_result r =
        sim_run_whole(robot, "motion: none\nfor: 10 s\ninstants: 101\nloads: {push: {force: {file: "
                             "friction_jump.csv, between: steps}, at: block.P}}\n"
                             "friction: {rail: {static: 0.3, dynamic: 0.2}}\n");
    CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), 0.0, 6e-7); // 2 z_s
    CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), sim_get(&r, 20, "x.q"), 1e-9);
    sim_free(&r);
    pkm_robot_free(robot);
}

// The load turns round, or the block is lifted until its load is nearly the limit.
static void loads_that_turn_or_lift_are_held(void)
{
    check_turn((const double[]){0.2997, 0.0}, (const double[]){-0.2997, 0.0});
    check_turn((const double[]){0.15, 0.0}, (const double[]){0.15, 0.499});
    check_turn((const double[]){0.0, 0.0}, (const double[]){0.2, 1.0 - 0.2 / 0.2997});
}

// Thrown up against part mu_s N with v it stops after T, and what static friction does not hold
// slides back from there: x = (part mu_s - mu_d) g s^2/2 - v T/2.
static void what_is_not_held_slides_back_from_where_it_stops(void)
{
    static const double part[] = {1.001, 1.01, 1.1}, load[] = {1000.0, 9.81, 0.1, 1e-2};
    static const double mu[][2] = {{0.3, 0.2}, {0.11, 0.084}, {0.3, 0.05}};
    for (int i = 0; i < 36; ++i) {
        const double N = load[i % 4], p = part[i / 4 % 3], mu_s = mu[i / 12][0];
        const double mu_d = mu[i / 12][1], T = sqrt(1.0 / (mu_s * N));
        const double way = 0.5 * (p * mu_s + mu_d) * N * T * T;
        const double back = 0.5 * (p * mu_s - mu_d) * N * 9.0 * T * T;
        char text[400];
        pkm_robot* robot = friction_block(2.0, p * mu_s * N, N);
        snprintf(text, sizeof text,
                 "motion: none\nfor: %.17g s\ninstants: 101\nstart: {rail: %.17g}\n"
                 "friction: {rail: {static: %g, dynamic: %g}}\n",
                 4.0 * T, -2.0 * way / T, mu_s, mu_d);
        sim_result r = sim_run_whole(robot, text);
        CHECK_NEAR(sim_get(&r, sim_last(&r), "x.q"), back - way, 1e-3 * (back + way));
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(a_load_that_jumps_is_held_up_to_static_friction);
    RUN(beyond_it_slides_from_there_on);
    RUN(by_any_method);
    RUN(what_slides_although_it_could_be_held_is_told);
    RUN(loads_that_turn_or_lift_are_held);
    RUN(what_is_not_held_slides_back_from_where_it_stops);
    return check_report();
}
