#include "force/spring.h"

#include "check.h"

/// Numbers in [-1, 1] that repeat.
static double noise(void)
{
    static unsigned state = 99u;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

static pkm_vec3 noise3(double size)
{
    const double x = noise(), y = noise(), z = noise();
    return (pkm_vec3){size * x, size * y, size * z};
}

static void check_vec(pkm_vec3 actual, pkm_vec3 expected, double tol)
{
    CHECK_NEAR(actual.x, expected.x, tol);
    CHECK_NEAR(actual.y, expected.y, tol);
    CHECK_NEAR(actual.z, expected.z, tol);
}

static pkm_marker_motion random_marker(void)
{
    return (pkm_marker_motion){{noise3(1.0), pkm_quat_from_rotvec(noise3(1.2))},
                               {noise3(2.0), noise3(1.0)}};
}

/// Where a marker is after a time `h` at its present twist, to second order.
static pkm_marker_motion later(const pkm_marker_motion* m, double h)
{
    pkm_marker_motion out = *m;
    const pkm_quat turn = pkm_quat_from_rotvec(pkm_vec3_scale(h, m->twist.ang));
    // v = lin + w x p; the screw motion turns about the world origin and shifts
    const pkm_vec3 v = pkm_twist_at(m->twist, m->pose.p);
    const pkm_vec3 a = pkm_vec3_cross(m->twist.ang, v);
    out.pose.p = pkm_vec3_axpy(pkm_vec3_axpy(m->pose.p, h, v), 0.5 * h * h, a);
    out.pose.q = pkm_quat_mul(turn, m->pose.q);
    return out;
}

/// Power that an element takes from both bodies.
static double power_taken(const pkm_pair_force* f, const pkm_marker_motion* a,
                          const pkm_marker_motion* b)
{
    return pkm_twist_dot(a->twist, f->on_b) - pkm_twist_dot(b->twist, f->on_b);
}

// ---- between two points ------------------------------------------------------------------------

static void spring_by_hand(void)
{
    const pkm_spring s = {.stiffness = 100.0, .damping = 7.0, .free_length = 2.0, .preload = 4.0};
    pkm_marker_motion a = {.pose = pkm_pose_identity()}, b = a;
    b.pose.p = (pkm_vec3){0.0, 3.0, 4.0};
    b.twist.lin = (pkm_vec3){9.0, 0.0, 0.5}; // rate of the length 0.4
    const pkm_pair_force f = pkm_spring_at(&s, &a, &b);
    const double tension = 4.0 + 300.0 + 2.8;
    check_vec(f.on_b.force, (pkm_vec3){0.0, -0.6 * tension, -0.8 * tension}, 1e-13);
    check_vec(f.on_b.moment, (pkm_vec3){0.0, 0.0, 0.0}, 1e-12); // the line passes the origin
    CHECK_NEAR(f.energy, 450.0 + 12.0, 1e-12);
    CHECK_NEAR(f.dissipated, 7.0 * 0.16, 1e-15);
}

static void points_that_meet_feel_nothing(void)
{
    const pkm_spring s = {.stiffness = 100.0, .damping = 7.0, .free_length = 2.0};
    const pkm_marker_motion a = random_marker(), b = a;
    const pkm_pair_force f = pkm_spring_at(&s, &a, &b);
    CHECK_NEAR(pkm_vec3_norm(f.on_b.force), 0.0, 0.0);
    CHECK(isfinite(f.energy));
}

/// Energy grows by what is taken from the bodies less what is dissipated. The derivative of the
/// energy comes from central differences over 2e-5 s: h^2 times its third derivative leaves 1e-7.
static void spring_balances_power(void)
{
    const pkm_spring s = {.stiffness = 50.0, .damping = 3.0, .free_length = 0.4, .preload = -2.0};
    for (int i = 0; i < 100; ++i) {
        const pkm_marker_motion a = random_marker(), b = random_marker();
        const double h = 1e-5;
        const pkm_marker_motion a1 = later(&a, h), b1 = later(&b, h);
        const pkm_marker_motion a0 = later(&a, -h), b0 = later(&b, -h);
        const double rate =
            (pkm_spring_at(&s, &a1, &b1).energy - pkm_spring_at(&s, &a0, &b0).energy) / (2.0 * h);
        const pkm_pair_force f = pkm_spring_at(&s, &a, &b);
        CHECK(f.dissipated >= 0.0);
        CHECK_NEAR(power_taken(&f, &a, &b), rate + f.dissipated, 1e-6);
    }
}

// ---- on a coordinate ---------------------------------------------------------------------------

static void coordinate_spring_by_hand(void)
{
    const pkm_coordinate_spring s = {
        .stiffness = 10.0, .damping = 2.0, .rest = 0.5, .preload = 1.5};
    const pkm_coordinate_force f = pkm_coordinate_spring_at(&s, 0.8, -0.4);
    CHECK_NEAR(f.force, -1.5 - 3.0 + 0.8, 1e-15);
    CHECK_NEAR(f.energy, 0.45 + 0.45, 1e-15);
    CHECK_NEAR(f.dissipated, 0.32, 1e-16);
    // force = -dE/dq - damping q'
    const double h = 1e-4;
    const double slope = (pkm_coordinate_spring_at(&s, 0.8 + h, 0.0).energy -
                          pkm_coordinate_spring_at(&s, 0.8 - h, 0.0).energy) /
                         (2.0 * h);
    CHECK_NEAR(f.force, -slope + 0.8, 1e-11);
}

// ---- between two frames ------------------------------------------------------------------------

static const pkm_bushing rubber = {{100.0, 200.0, 300.0, 5.0, 7.0, 11.0},
                                   {1.0, 2.0, 3.0, 0.05, 0.07, 0.11},
                                   {3.0, -1.0, 2.0, 0.4, -0.3, 0.2}};

/// Small angles: force and moment are those of six springs, in the axes of a.
static void small_deflections_are_linear(void)
{
    pkm_bushing bushing = rubber;
    memset(bushing.preload, 0, sizeof bushing.preload);
    const double e = 1e-6;
    const pkm_marker_motion a = {.pose = pkm_pose_identity()};
    pkm_marker_motion b = a;
    b.pose.p = (pkm_vec3){e, -2.0 * e, 3.0 * e};
    b.pose.q = pkm_quat_from_rotvec((pkm_vec3){2.0 * e, e, -e});
    b.twist.ang = (pkm_vec3){0.1, 0.2, 0.3};
    const pkm_pair_force f = pkm_bushing_at(&bushing, &a, &b);
    const pkm_vec3 v = pkm_twist_at(b.twist, b.pose.p); // of b's origin, of order e
    check_vec(f.on_b.force,
              (pkm_vec3){-100.0 * e - v.x, 400.0 * e - 2.0 * v.y, -900.0 * e - 3.0 * v.z}, 1e-17);
    // terms of second order: angle times moment
    check_vec(f.on_b.moment, (pkm_vec3){-10.0 * e - 0.005, -7.0 * e - 0.014, 11.0 * e - 0.033},
              1e-7);
    CHECK_NEAR(f.energy, 0.5 * e * e * (100.0 + 800.0 + 2700.0 + 20.0 + 7.0 + 11.0), 1e-12 * e);
}

/// Large rotations of both frames, up to 2.4 rad between them; the tolerance as in the spring's.
static void bushing_balances_power_at_finite_rotations(void)
{
    double largest_angle = 0.0;
    for (int i = 0; i < 300; ++i) {
        const pkm_marker_motion a = random_marker(), b = random_marker();
        const pkm_quat q = pkm_quat_mul(pkm_quat_conj(a.pose.q), b.pose.q);
        const double angle = pkm_vec3_norm(pkm_quat_to_rotvec(q));
        if (angle > 2.9) continue; // near half a turn the rotation vector jumps
        if (angle > largest_angle) largest_angle = angle;
        const double h = 1e-5;
        const pkm_marker_motion a1 = later(&a, h), b1 = later(&b, h);
        const pkm_marker_motion a0 = later(&a, -h), b0 = later(&b, -h);
        const double rate =
            (pkm_bushing_at(&rubber, &a1, &b1).energy - pkm_bushing_at(&rubber, &a0, &b0).energy) /
            (2.0 * h);
        const pkm_pair_force f = pkm_bushing_at(&rubber, &a, &b);
        CHECK(f.dissipated >= 0.0);
        CHECK_NEAR(power_taken(&f, &a, &b), rate + f.dissipated, 1e-6 * (10.0 + fabs(rate)));
    }
    CHECK(largest_angle > 2.0);
}

/// One angle on both sides of where the series of (4.5) takes over.
static void series_and_closed_form_meet(void)
{
    const pkm_marker_motion a = {.pose = pkm_pose_identity()};
    pkm_vec3 moment[2];
    for (int k = 0; k < 2; ++k) {
        pkm_marker_motion b = a;
        const double angle = 0.1 * (k ? 1.0 + 1e-13 : 1.0 - 1e-13);
        const pkm_vec3 axis = pkm_vec3_unit((pkm_vec3){1.0, 2.0, -1.0});
        b.pose.q = pkm_quat_from_rotvec(pkm_vec3_scale(angle, axis));
        moment[k] = pkm_bushing_at(&rubber, &a, &b).on_b.moment;
    }
    check_vec(moment[1], moment[0], 1e-12);
}

/// The world turned and shifted, motion and all: the same force, turned.
static void bushing_does_not_see_the_world(void)
{
    const pkm_pose shift = {{0.3, -0.7, 1.1}, pkm_quat_from_rotvec((pkm_vec3){0.8, -1.3, 0.4})};
    const pkm_mat3 R = pkm_mat3_from_quat(shift.q);
    const pkm_marker_motion old[2] = {random_marker(), random_marker()};
    pkm_marker_motion new[2];
    for (int k = 0; k < 2; ++k) {
        new[k].pose = pkm_pose_mul(shift, old[k].pose);
        new[k].twist.ang = pkm_mat3_mul(R, old[k].twist.ang);
        // the body point at the world origin was at -R' p before
        const pkm_vec3 was = pkm_mat3_tmul(R, pkm_vec3_scale(-1.0, shift.p));
        new[k].twist.lin = pkm_mat3_mul(R, pkm_twist_at(old[k].twist, was));
    }
    const pkm_pair_force before = pkm_bushing_at(&rubber, &old[0], &old[1]);
    const pkm_pair_force after = pkm_bushing_at(&rubber, &new[0], &new[1]);
    check_vec(after.on_b.force, pkm_mat3_mul(R, before.on_b.force), 1e-12);
    const pkm_vec3 moment = pkm_vec3_add(pkm_mat3_mul(R, before.on_b.moment),
                                         pkm_vec3_cross(shift.p, after.on_b.force));
    check_vec(after.on_b.moment, moment, 1e-12);
    CHECK_NEAR(after.energy, before.energy, 1e-12);
    CHECK_NEAR(after.dissipated, before.dissipated, 1e-12);
}

// ---- check -------------------------------------------------------------------------------------

static void wrong_parameters_are_named(void)
{
    pkm_error err;
    const pkm_spring s = {.stiffness = -1.0};
    CHECK(pkm_spring_check(&s, "S1", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "S1: stiffness -1, expected a number >= 0");
    const pkm_coordinate_spring c = {.rest = NAN};
    CHECK(pkm_coordinate_spring_check(&c, "S2", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "rest");
    pkm_bushing b = rubber;
    CHECK(pkm_bushing_check(&b, "B", &err) == PKM_OK);
    b.damping[4] = INFINITY;
    CHECK(pkm_bushing_check(&b, "B", &err) == PKM_ERR_ARGUMENT);
}

int main(void)
{
    RUN(spring_by_hand);
    RUN(points_that_meet_feel_nothing);
    RUN(spring_balances_power);
    RUN(coordinate_spring_by_hand);
    RUN(small_deflections_are_linear);
    RUN(bushing_balances_power_at_finite_rotations);
    RUN(series_and_closed_form_meet);
    RUN(bushing_does_not_see_the_world);
    RUN(wrong_parameters_are_named);
    return check_report();
}
