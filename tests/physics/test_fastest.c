/// The fastest way along a path: a single mass is driven by bang-bang, limits are met exactly, and
/// the forces are those of inverse dynamics.
#include "pkm/inverse.h"

#include "engine.h"
#include "robot/fastest.h"

#include <string.h>

static const char cart[] =
    "pkm: 1\nname: cart\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
    "joints: {rail: {type: prismatic, between: [ground.O, cart.O], axis: x}}\n"
    "drives: {q: {joint: rail}}\n"
    "tool: {point: cart.O, moves: [x]}\n"
    "motions:\n"
    "  go: {law: quintic, duration: 1 s, drives: {q: [0 m, 0.9 m]}}\n";

static pkm_fastest_settings no_limits(const pkm_robot* robot, int n)
{
    return (pkm_fastest_settings){.limits = pkm_fastest_limits_of(robot), .n_point = n};
}

static pkm_fastest find(pkm_robot* robot, const pkm_fastest_settings* s, pkm_table** table)
{
    pkm_fastest out = {.best = NAN};
    pkm_error err = {0};
    *table = pkm_table_create();
    if (pkm_fastest_find(robot, 0, s, *table, &out, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK_TEXT(err.text, "");
    return out;
}

// F/m = 50 m/s2 over L: T = 2 sqrt(L/a). Stretched, the quintic's largest acceleration, 10/sqrt 3
// L/T^2, meets the same limit.
static void a_mass_is_driven_by_bang_bang(void)
{
    const double L = 0.9, a = 50.0;
    pkm_robot* robot = engine_from(cart);
    pkm_fastest_settings s = no_limits(robot, 400);
    pkm_table* table;
    s.limits.force[0] = 100.0;
    const pkm_fastest f = find(robot, &s, &table);
    CHECK_NEAR(f.best, 2.0 * sqrt(L / a), 1e-6);
    CHECK_NEAR(f.stretched, sqrt(10.0 / sqrt(3.0) * L / a), 1e-5); // instants 1/1600 s apart
    CHECK_NEAR(f.busiest, 1.0, 1e-12);
    const int force = pkm_table_find(table, "q.force");
    for (int i = 0; i < 400; ++i) // full force forwards, then backwards, from the middle
        CHECK_NEAR(pkm_table_get(table, i, force), i < 200 ? 100.0 : -100.0, 1e-6);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// A lift of mass m that F raises against its weight: upwards it has F/m - g, to stop F/m + g.
// Evenly stretched, the quintic's largest acceleration meets the smaller one.
static void a_lift_has_its_weight_against_it(void)
{
    const double L = 0.9, up = 50.0 - 9.81, down = 50.0 + 9.81;
    char text[800];
    snprintf(text, sizeof text, "%s", cart);
    char* name = strstr(text, "ground:");
    snprintf(name, sizeof text - (size_t)(name - text), "gravity: [-9.81, 0, 0]\n%s",
             strstr(cart, "ground:"));
    pkm_robot* robot = engine_from(text);
    pkm_fastest_settings s = no_limits(robot, 400);
    pkm_table* table;
    s.limits.force[0] = 100.0;
    const pkm_fastest f = find(robot, &s, &table);
    CHECK_NEAR(f.stretched, sqrt(10.0 / sqrt(3.0) * L / up), 1e-5);
    // the change of sign lies between two places
    CHECK_NEAR(f.best, sqrt(2.0 * L * (up + down) / (up * down)), 1e-4);
    pkm_table_free(table);
    // Limited to what the force leaves upwards: both limits are met, the force is named, being the
    // first; to stop, the acceleration rules alone. One change.
    s.limits.acceleration[0] = up;
    const pkm_fastest even = find(robot, &s, &table);
    CHECK_NEAR(even.best, 2.0 * sqrt(L / up), 1e-6);
    CHECK(even.n_switch == 1);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// With a limit V of the rate: up in V/a, at V, down: T = L/V + V/a. Places 1/1000 of the way apart
// cut the corners by less than 1e-4 of the time.
static void a_limit_of_speed_makes_a_trapezoid(void)
{
    const double L = 0.9, a = 50.0, V = 3.0;
    pkm_robot* robot = engine_from(cart);
    pkm_fastest_settings s = no_limits(robot, 1000);
    pkm_table* table;
    s.limits.acceleration[0] = a;
    s.limits.velocity[0] = V;
    const pkm_fastest f = find(robot, &s, &table);
    CHECK_NEAR(f.best, L / V + V / a, 1e-4 * f.best);
    CHECK(pkm_table_reduce(table, pkm_table_find(table, "q.v"), PKM_REDUCE_MAX, NULL) <=
          V * (1.0 + 1e-9));
    pkm_table_free(table);
    s.limits.velocity[0] = HUGE_VAL;
    s.limits.acceleration[0] = HUGE_VAL;
    s.limits.tool_speed = V;
    s.limits.tool_acceleration = a;
    const pkm_fastest tool = find(robot, &s, &table); // the tool is the cart
    CHECK_NEAR(tool.best, f.best, 1e-9);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// SIAX: at every place some limit is used up, none is exceeded; the forces are those of inverse
// dynamics for the rates and accelerations of the table; the time is shorter than stretched.
static void limits_are_met_and_forces_are_true(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_fastest_settings s = no_limits(robot, 200);
    static const char* const drive[] = {"qA", "qB", "qC"};
    pkm_table* table;
    for (int d = 0; d < 3; ++d)
        s.limits.force[d] = 450.0;
    const pkm_fastest f = find(robot, &s, &table);
    CHECK(f.best < f.stretched && f.stretched < 0.2);
    CHECK_NEAR(f.busiest, 1.0, 1e-9);
    const int use = pkm_table_find(table, "use");
    int below = 0; // an interval in which the limit that rules changes uses part of each
    for (int i = 0; i < 200; ++i)
        below += pkm_table_get(table, i, use) < 1.0 - 1e-6;
    CHECK(below <= f.n_switch);
    pkm_robot_go_home(robot);
    for (int i = 1; i < 200; i += 7) {
        pkm_instant now = {.q = {0.0}};
        for (int d = 0; d < 3; ++d) {
            now.q[d] = pkm_table_get(table, i, 2 + 4 * d);
            now.v[d] = pkm_table_get(table, i, 3 + 4 * d);
            now.a[d] = pkm_table_get(table, i, 4 + 4 * d);
        }
        CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &now, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d) {
            char name[16];
            snprintf(name, sizeof name, "%s.force", drive[d]);
            CHECK_NEAR(pkm_table_get(table, i, pkm_table_find(table, name)), now.force[d], 1e-6);
        }
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// The path bends in the space of the drives (q'' along the way is not zero, and another for each of
// them): accelerations meet their limit at both ends of every interval, and do not pass it.
static void accelerations_meet_their_limit(void)
{
    pkm_robot* robot = engine_load("five-bar");
    pkm_fastest_settings s = no_limits(robot, 60);
    pkm_table* table;
    for (int d = 0; d < 2; ++d) {
        s.limits.acceleration[d] = 100.0 + 20.0 * d;
        s.limits.force[d] = s.limits.velocity[d] = HUGE_VAL;
    }
    const pkm_fastest f = find(robot, &s, &table);
    CHECK_NEAR(f.busiest, 1.0, 1e-9);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void what_cannot_be_is_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_fastest_settings s = no_limits(robot, 50);
    pkm_table* table = pkm_table_create();
    pkm_fastest out;
    pkm_error err = {0};
    CHECK(pkm_fastest_find(robot, 0, &s, table, &out, &err) == PKM_ERR_UNDETERMINED);
    CHECK_CONTAINS(err.text, "nothing limits it");
    for (int d = 0; d < 3; ++d)
        s.limits.force[d] = 5.0;
    CHECK(pkm_fastest_find(robot, 0, &s, table, &out, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "at rest, its limit is 5");
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_mass_is_driven_by_bang_bang);
    RUN(a_lift_has_its_weight_against_it);
    RUN(a_limit_of_speed_makes_a_trapezoid);
    RUN(limits_are_met_and_forces_are_true);
    RUN(accelerations_meet_their_limit);
    RUN(what_cannot_be_is_refused);
    return check_report();
}
