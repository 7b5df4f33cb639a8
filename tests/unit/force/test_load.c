#include "force/load.h"

#include "check.h"

static void check_vec(pkm_vec3 actual, pkm_vec3 expected, double tol)
{
    CHECK_NEAR(actual.x, expected.x, tol);
    CHECK_NEAR(actual.y, expected.y, tol);
    CHECK_NEAR(actual.z, expected.z, tol);
}

/// A quarter turn about z at (1, 2, 3): the marker's x is the world's y.
static pkm_pose turned(void)
{
    const pkm_vec3 z = {0.0, 0.0, 1.0};
    return (pkm_pose){{1.0, 2.0, 3.0}, pkm_quat_from_axis(z, 0.5 * acos(-1.0))};
}

static void world_loads_keep_their_direction(void)
{
    const pkm_load load = {.axes = PKM_LOAD_WORLD,
                           .force = {pkm_signal_constant(4.0)},
                           .torque = {{0}, {0}, pkm_signal_constant(7.0)}};
    const pkm_wrench w = pkm_load_at(&load, 0.0, turned());
    check_vec(w.force, (pkm_vec3){4.0, 0.0, 0.0}, 0.0);
    // p x F = (1, 2, 3) x (4, 0, 0) = (0, 12, -8)
    check_vec(w.moment, (pkm_vec3){0.0, 12.0, -1.0}, 1e-15);
}

static void body_loads_turn_with_their_marker(void)
{
    const double t[] = {0.0, 2.0}, y[] = {0.0, 8.0};
    const pkm_load load = {.axes = PKM_LOAD_BODY,
                           .force = {pkm_signal_linear(t, y, 2)},
                           .torque = {pkm_signal_constant(5.0)}};
    const pkm_wrench w = pkm_load_at(&load, 1.0, turned());
    check_vec(w.force, (pkm_vec3){0.0, 4.0, 0.0}, 1e-15);
    // (1, 2, 3) x (0, 4, 0) = (-12, 0, 4)
    check_vec(w.moment, (pkm_vec3){-12.0, 5.0, 4.0}, 1e-14);
    CHECK_NEAR(pkm_load_next_break(&load, 0.0), 2.0, 0.0);
    CHECK(isinf(pkm_load_next_break(&load, 2.0)));
}

/// The power of the wrench on the body's twist is force times velocity of the point plus torque
/// times angular velocity.
static void power_is_that_of_the_point(void)
{
    const pkm_load load = {.axes = PKM_LOAD_WORLD,
                           .force = {pkm_signal_constant(4.0), pkm_signal_constant(-1.0)},
                           .torque = {{0}, pkm_signal_constant(2.0)}};
    const pkm_twist V = {{0.3, -0.7, 0.2}, {1.0, 0.5, -2.0}};
    const pkm_pose at = turned();
    const pkm_vec3 v = pkm_twist_at(V, at.p);
    CHECK_NEAR(pkm_twist_dot(V, pkm_load_at(&load, 0.0, at)), 4.0 * v.x - v.y + 2.0 * -0.7, 1e-14);
}

static const pkm_payload box = {
    .pick_up = 1.0, .drop = 2.0, .mass = {2.0, {0.0, 0.0, -0.1}, {0.01, 0.02, 0.015}}};
static const pkm_payload part = {
    .pick_up = 1.5, .drop = INFINITY, .mass = {1.0, {0.0, 0.0, 0.2}, {0.0}}};

static void payloads_come_and_go(void)
{
    const pkm_payload all[] = {box, part};
    CHECK_NEAR(pkm_payload_at(all, 2, 0.999).mass, 0.0, 0.0);
    CHECK_NEAR(pkm_payload_at(all, 2, 1.0).mass, 2.0, 0.0);
    CHECK_NEAR(pkm_payload_at(all, 2, 1.2).inertia[1], 0.02, 0.0);
    const pkm_mass both = pkm_payload_at(all, 2, 1.7);
    CHECK_NEAR(both.mass, 3.0, 0.0);
    CHECK_NEAR(both.com.z, 0.0, 1e-17);
    // 2 kg at 0.1 m and 1 kg at 0.2 m of the common centre
    CHECK_NEAR(both.inertia[0], 0.01 + 0.02 + 0.04, 1e-16);
    CHECK_NEAR(both.inertia[2], 0.015, 1e-17);
    CHECK_NEAR(pkm_payload_at(all, 2, 2.0).mass, 1.0, 0.0);
    CHECK_NEAR(pkm_payload_at(all, 2, 1e9).mass, 1.0, 0.0);

    CHECK_NEAR(pkm_payload_next_break(all, 2, 0.0), 1.0, 0.0);
    CHECK_NEAR(pkm_payload_next_break(all, 2, 1.0), 1.5, 0.0);
    CHECK_NEAR(pkm_payload_next_break(all, 2, 1.5), 2.0, 0.0);
    CHECK(isinf(pkm_payload_next_break(all, 2, 2.0)));
}

static void impossible_payloads_are_named(void)
{
    pkm_error err;
    CHECK(pkm_payload_check(&box, "box", &err) == PKM_OK);
    CHECK(pkm_payload_check(&part, "part", &err) == PKM_OK);
    pkm_payload p = box;
    p.drop = 0.5;
    CHECK(pkm_payload_check(&p, "box", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "box: dropped at 0.5 s, expected later than 1 s");
    p = box;
    p.mass.mass = 0.0;
    CHECK(pkm_payload_check(&p, "box", &err) == PKM_ERR_ARGUMENT);
    p = box;
    p.mass.inertia[0] = 0.04; // more than the other two together
    CHECK(pkm_payload_check(&p, "box", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "inertia");
    p = box;
    p.mass.com.x = NAN;
    CHECK(pkm_payload_check(&p, "box", &err) == PKM_ERR_ARGUMENT);
}

int main(void)
{
    RUN(world_loads_keep_their_direction);
    RUN(body_loads_turn_with_their_marker);
    RUN(power_is_that_of_the_point);
    RUN(payloads_come_and_go);
    RUN(impossible_payloads_are_named);
    return check_report();
}
