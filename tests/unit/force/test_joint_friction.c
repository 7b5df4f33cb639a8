#include "force/joint_friction.h"

#include "check.h"

static const pkm_joint_type every_type[] = {PKM_JOINT_REVOLUTE, PKM_JOINT_PRISMATIC,
                                            PKM_JOINT_CYLINDRICAL, PKM_JOINT_UNIVERSAL,
                                            PKM_JOINT_SPHERICAL};

/// Numbers in [-1, 1] that repeat.
static double noise(void)
{
    static unsigned state = 4711u;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

static pkm_vec3 noise3(double size)
{
    const double x = noise(), y = noise(), z = noise();
    return (pkm_vec3){size * x, size * y, size * z};
}

/// Everything switched on; 0.2 is reached above 1.5 mm/s.
static pkm_joint_friction full(pkm_friction_kind kind)
{
    pkm_joint_friction f = pkm_joint_friction_defaults(kind);
    f.law.mu_static = 0.3;
    f.law.mu_dynamic = 0.2;
    f.radius = 0.01;
    f.friction_arm = 0.015;
    f.bending_arm = 0.05;
    f.reaction_arm = 0.02;
    f.overlap = 0.1;
    f.use_bending = f.use_torsion = true;
    return f;
}

/// Force (30, 40, 100) N, moment (3, 4, 2) N m: 50 N and 5 N m across the axis.
static pkm_joint_motion loaded(double spin, double slide)
{
    return (pkm_joint_motion){.force = {30.0, 40.0, 100.0},
                              .moment = {3.0, 4.0, 2.0},
                              .w = {0.0, 0.0, spin},
                              .v = {0.0, 0.0, slide},
                              .axis_b = {1.0, 0.0, 0.0}};
}

static void check_vec(pkm_vec3 actual, pkm_vec3 expected, double tol)
{
    CHECK_NEAR(actual.x, expected.x, tol);
    CHECK_NEAR(actual.y, expected.y, tol);
    CHECK_NEAR(actual.z, expected.z, tol);
}

/// A cross rubs at both pins, other joints at one place; a slide in one direction, a ball in all.
static void every_joint_has_its_surfaces(void)
{
    static const int directions[] = {1, 1, 2, 1, 3};
    const pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    const pkm_joint_motion m = loaded(2.0, 0.1);
    for (int i = 0; i < 5; ++i) {
        pkm_vec3 u[2];
        int n[2];
        const int n_surface = pkm_joint_friction_velocities(&f, every_type[i], &m, u, n);
        CHECK(n_surface == (every_type[i] == PKM_JOINT_UNIVERSAL ? 2 : 1));
        for (int k = 0; k < n_surface && k < 2; ++k)
            CHECK(n[k] == directions[i]);
    }
}

// ---- by hand -----------------------------------------------------------------------------------

static void revolute_by_hand(void)
{
    pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    f.preload_torque = 0.07;
    pkm_joint_motion m = loaded(2.0, 0.0);
    pkm_joint_friction_force out = pkm_joint_friction_evaluate(&f, PKM_JOINT_REVOLUTE, &m, NULL);
    // 0.2 (0.01 * 50 + 0.015 * 100 + 0.01 * 5/0.05) + 0.07 = 0.67 N m
    check_vec(out.moment, (pkm_vec3){0.0, 0.0, -0.67}, 1e-15);
    check_vec(out.force, (pkm_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_NEAR(out.power, 1.34, 1e-15);
    CHECK_NEAR(out.slip[0], 0.02, 1e-17);

    // the moment about the axis is no reaction
    m.moment.z = -1e6;
    m.w.z = -2.0;
    out = pkm_joint_friction_evaluate(&f, PKM_JOINT_REVOLUTE, &m, NULL);
    CHECK_NEAR(out.moment.z, 0.67, 1e-15);
    f.use_preload = f.use_bending = false;
    CHECK_NEAR(pkm_joint_friction_evaluate(&f, PKM_JOINT_REVOLUTE, &m, NULL).moment.z, 0.4, 1e-15);
    f.use_force = false;
    CHECK_NEAR(pkm_joint_friction_evaluate(&f, PKM_JOINT_REVOLUTE, &m, NULL).moment.z, 0.0, 0.0);
}

static void prismatic_by_hand(void)
{
    pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    f.preload_force = 3.0;
    pkm_joint_motion m = loaded(0.0, -0.5);
    pkm_joint_friction_force out = pkm_joint_friction_evaluate(&f, PKM_JOINT_PRISMATIC, &m, NULL);
    // 0.2 (50 + 5/0.1 + 2/0.02) + 3 = 43 N
    check_vec(out.force, (pkm_vec3){0.0, 0.0, 43.0}, 1e-13);
    check_vec(out.moment, (pkm_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_NEAR(out.power, 21.5, 1e-13);

    // 60 mm further out of its guide the bending moment has an arm of 40 mm
    f.overlap_delta = PKM_OVERLAP_DECREASE;
    m.displacement = 0.06;
    out = pkm_joint_friction_evaluate(&f, PKM_JOINT_PRISMATIC, &m, NULL);
    CHECK_NEAR(out.force.z, 0.2 * (50.0 + 5.0 / 0.04 + 100.0) + 3.0, 1e-13);
    f.overlap_delta = PKM_OVERLAP_INCREASE;
    out = pkm_joint_friction_evaluate(&f, PKM_JOINT_PRISMATIC, &m, NULL);
    CHECK_NEAR(out.force.z, 0.2 * (50.0 + 5.0 / 0.16 + 100.0) + 3.0, 1e-13);

    f.use_bending = f.use_torsion = f.use_preload = false;
    out = pkm_joint_friction_evaluate(&f, PKM_JOINT_PRISMATIC, &m, NULL);
    CHECK_NEAR(out.force.z, 10.0, 1e-14); // the axial force is no reaction
}

/// Surface velocity (0.01 * 30, 0.4) = (0.3, 0.4) m/s: friction is split 3 : 4.
static void cylindrical_by_hand(void)
{
    pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    f.preload_force = 5.0;
    const pkm_joint_motion m = loaded(30.0, 0.4);
    const pkm_joint_friction_force out =
        pkm_joint_friction_evaluate(&f, PKM_JOINT_CYLINDRICAL, &m, NULL);
    const double all = 0.2 * (50.0 + 5.0 / 0.1) + 5.0;
    check_vec(out.force, (pkm_vec3){0.0, 0.0, -0.8 * all}, 1e-13);
    check_vec(out.moment, (pkm_vec3){0.0, 0.0, -0.6 * all * 0.01}, 1e-15);
    CHECK_NEAR(out.power, all * 0.5, 1e-13);
}

/// T = -mu R |F| w/|w|.
static void spherical_by_hand(void)
{
    pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    f.preload_torque = 0.02;
    pkm_joint_motion m = loaded(0.0, 0.0);
    m.force = (pkm_vec3){3.0, 4.0, 12.0};
    m.w = (pkm_vec3){2.0, -1.0, 2.0};
    const pkm_joint_friction_force out =
        pkm_joint_friction_evaluate(&f, PKM_JOINT_SPHERICAL, &m, NULL);
    const double T = 0.2 * 0.01 * 13.0 + 0.02;
    check_vec(out.moment, pkm_vec3_scale(-T / 3.0, m.w), 1e-16);
    CHECK_NEAR(out.power, 3.0 * T, 1e-15);

    // slow: the coefficient at R |w| = 0.5 mm/s is 11/16 of mu_static
    m.w = pkm_vec3_scale(0.05 / 3.0, m.w);
    const double mu = 0.3 * 11.0 / 16.0, slow = mu * 0.01 * 13.0 + 0.02 * mu / 0.2;
    CHECK_NEAR(pkm_vec3_norm(pkm_joint_friction_evaluate(&f, PKM_JOINT_SPHERICAL, &m, NULL).moment),
               slow, 1e-16);
    m.w = (pkm_vec3){0.0, 0.0, 0.0};
    CHECK_NEAR(pkm_vec3_norm(pkm_joint_friction_evaluate(&f, PKM_JOINT_SPHERICAL, &m, NULL).moment),
               0.0, 0.0);
}

/// First axis z, second axis x; only the moment about y is a reaction.
static void universal_by_hand(void)
{
    const pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    pkm_joint_motion m = loaded(2.0, 0.0);
    m.force = (pkm_vec3){3.0, 4.0, 12.0};
    m.w.x = -7.0;
    const pkm_joint_friction_force out =
        pkm_joint_friction_evaluate(&f, PKM_JOINT_UNIVERSAL, &m, NULL);
    const double bending = 0.01 * 4.0 / 0.05;
    const double first = 0.2 * (0.01 * 5.0 + 0.015 * 12.0 + bending);
    const double second = 0.2 * (0.01 * sqrt(160.0) + 0.015 * 3.0 + bending);
    check_vec(out.moment, (pkm_vec3){second, 0.0, -first}, 1e-15);
    CHECK_NEAR(out.power, 2.0 * first + 7.0 * second, 1e-14);
}

// ---- laws --------------------------------------------------------------------------------------

static pkm_joint_motion random_motion(void)
{
    pkm_joint_motion m = {.force = noise3(100.0),
                          .moment = noise3(5.0),
                          .w = noise3(0.3),
                          .v = noise3(0.003),
                          .displacement = 0.02 * noise()};
    const double turn = noise();
    m.axis_b = (pkm_vec3){cos(turn), sin(turn), 0.0};
    return m;
}

/// What the bodies lose is the power of the friction on the relative motion in the joint.
static void power_is_that_of_the_wrench_and_never_negative(void)
{
    for (int i = 0; i < 2000; ++i) {
        const pkm_joint_motion m = random_motion();
        for (int k = 0; k < 5; ++k) {
            pkm_joint_friction f = full((pkm_friction_kind)(i % 3));
            f.law.viscous = 0.1;
            f.preload_force = 1.0;
            const pkm_joint_friction_force out =
                pkm_joint_friction_evaluate(&f, every_type[k], &m, NULL);
            CHECK(out.power >= 0.0);
            const double power = -pkm_vec3_dot(out.force, m.v) - pkm_vec3_dot(out.moment, m.w);
            CHECK_NEAR(out.power, power, 1e-14 * (1.0 + fabs(power)));
        }
    }
}

static void without_coefficient_nothing_acts(void)
{
    for (int k = 0; k < 5; ++k) {
        pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
        f.law.mu_static = f.law.mu_dynamic = 0.0;
        const pkm_joint_motion m = random_motion();
        const pkm_joint_friction_force out =
            pkm_joint_friction_evaluate(&f, every_type[k], &m, NULL);
        CHECK_NEAR(pkm_vec3_norm(out.force) + pkm_vec3_norm(out.moment), 0.0, 0.0);
    }
}

/// A ball whose frames are turned sees turned friction.
static void ball_friction_turns_with_its_frame(void)
{
    const pkm_joint_friction f = full(PKM_FRICTION_STRIBECK);
    const pkm_joint_motion m = random_motion();
    const pkm_vec3 T = pkm_joint_friction_evaluate(&f, PKM_JOINT_SPHERICAL, &m, NULL).moment;
    pkm_joint_motion turned = m; // x -> y -> z -> x
    turned.force = (pkm_vec3){m.force.z, m.force.x, m.force.y};
    turned.w = (pkm_vec3){m.w.z, m.w.x, m.w.y};
    check_vec(pkm_joint_friction_evaluate(&f, PKM_JOINT_SPHERICAL, &turned, NULL).moment,
              (pkm_vec3){T.z, T.x, T.y}, 1e-16);
}

/// Bristles bent to g(v)/sigma0 along the surface velocity give the friction of steady sliding.
static void steady_bristles_act_as_the_law_without_state(void)
{
    const pkm_joint_friction f = full(PKM_FRICTION_LUGRE);
    const pkm_joint_motion m = loaded(30.0, 0.4);
    const double g = pkm_friction_coefficient(&f.law, 0.5) - 0.5 * f.law.viscous;
    const double z[2] = {0.6 * g / f.law.bristle_stiffness, 0.8 * g / f.law.bristle_stiffness};
    CHECK(pkm_joint_friction_states(&f, PKM_JOINT_CYLINDRICAL) == 2);
    const pkm_joint_friction_force with =
        pkm_joint_friction_evaluate(&f, PKM_JOINT_CYLINDRICAL, &m, z);
    const pkm_joint_friction_force without =
        pkm_joint_friction_evaluate(&f, PKM_JOINT_CYLINDRICAL, &m, NULL);
    check_vec(with.force, without.force, 1e-13);
    check_vec(with.moment, without.moment, 1e-15);
    CHECK_NEAR(with.bristle_rate[0], 0.0, 1e-15);
    CHECK_NEAR(with.bristle_rate[1], 0.0, 1e-15);
}

/// The second pin of a universal joint has the second bristle.
static void each_pin_has_its_own_bristle(void)
{
    const pkm_joint_friction f = full(PKM_FRICTION_LUGRE);
    pkm_joint_motion m = loaded(0.0, 0.0);
    const double z[2] = {0.0, 1e-6};
    CHECK(pkm_joint_friction_states(&f, PKM_JOINT_UNIVERSAL) == 2);
    pkm_joint_friction_force out = pkm_joint_friction_evaluate(&f, PKM_JOINT_UNIVERSAL, &m, z);
    CHECK_NEAR(out.moment.z, 0.0, 0.0);
    CHECK_NEAR(out.moment.x, -0.1 * 0.01 * out.load[1], 1e-16);
    m.w = (pkm_vec3){3.0, 0.0, 5.0};
    out = pkm_joint_friction_evaluate(&f, PKM_JOINT_UNIVERSAL, &m, (double[2]){0.0, 0.0});
    CHECK_NEAR(out.bristle_rate[0], 0.05, 1e-17);
    CHECK_NEAR(out.bristle_rate[1], 0.03, 1e-17);
}

// ---- derivatives -------------------------------------------------------------------------------

static double* entry(pkm_joint_motion* m, int j)
{
    double* all[] = {&m->force.x,  &m->force.y,  &m->force.z, &m->moment.x,
                     &m->moment.y, &m->moment.z, &m->v.x,     &m->v.y,
                     &m->v.z,      &m->w.x,      &m->w.y,     &m->w.z};
    return all[j];
}

static void friction_at(const pkm_joint_friction* f, pkm_joint_type type, const pkm_joint_motion* m,
                        const double* z, double out[6])
{
    const pkm_joint_friction_force r = pkm_joint_friction_evaluate(f, type, m, z);
    const double all[6] = {r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z};
    memcpy(out, all, sizeof all);
}

static void compare_slopes(const pkm_joint_friction* f, pkm_joint_type type,
                           const pkm_joint_motion* m, const double* z)
{
    const pkm_joint_friction_slopes d = pkm_joint_friction_differentiate(f, type, m, z);
    double largest = 0.0, off = 0.0;
    for (int j = 0; j < 12; ++j) {
        const double h = j < 6 ? 1e-5 : 1e-8;
        pkm_joint_motion at = *m;
        double up[6], down[6];
        *entry(&at, j) += h;
        friction_at(f, type, &at, z, up);
        *entry(&at, j) -= 2.0 * h;
        friction_at(f, type, &at, z, down);
        for (int i = 0; i < 6; ++i) {
            const double exact = j < 6 ? d.by_reaction[i + 6 * j] : d.by_velocity[i + 6 * (j - 6)];
            const double unit = j < 6 ? 1.0 : 1e3; // slopes in velocities are mu N / v_st
            off = fmax(off, fabs(exact - (up[i] - down[i]) / (2.0 * h)) / unit);
            largest = fmax(largest, fabs(exact) / unit);
        }
    }
    CHECK(largest > 1e-5);
    CHECK_NEAR(off, 0.0, 1e-6 * largest + 1e-9);
}

static void slopes_are_the_derivatives(void)
{
    const double z[3] = {4e-7, -7e-7, 3e-7};
    for (int i = 0; i < 40; ++i) {
        const pkm_joint_motion m = random_motion();
        for (int kind = 0; kind < 4; ++kind) {
            pkm_joint_friction f = full((pkm_friction_kind)kind);
            f.law.viscous = 0.1;
            for (int k = 0; k < 5; ++k)
                compare_slopes(&f, every_type[k], &m, kind == PKM_FRICTION_LUGRE ? z : NULL);
        }
    }
}

// A ball rubs alike in all directions: where it spins about z, df/du is diagonal, with equal
// entries across the motion.
static void surfaces_of_balls_are_isotropic(void)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const pkm_joint_motion m = {.force = {30.0, 40.0, 100.0}, .w = {0.0, 0.0, 0.04}};
    for (int kind = 0; kind < 4; ++kind) {
        const pkm_joint_friction f = full((pkm_friction_kind)kind);
        pkm_joint_rub rub[2];
        CHECK(pkm_joint_friction_rubs(&f, PKM_JOINT_SPHERICAL, &m, none, rub) == 1);
        const pkm_mat3 d = rub[0].by_velocity;
        const double across = fabs(d.x.x);
        CHECK_NEAR(d.y.y, d.x.x, 1e-12 * across);
        CHECK_NEAR(fabs(d.x.y) + fabs(d.x.z) + fabs(d.y.x) + fabs(d.y.z), 0.0, 1e-9 * across);
        CHECK_NEAR(fabs(d.z.x) + fabs(d.z.y), 0.0, 1e-9 * across);
    }
}

// ---- check -------------------------------------------------------------------------------------

/// Slides are another way to the moment that the wrench has about the line; their slopes are its
/// derivatives (central differences of 1e-6 rad/s, whose error is below 1e-7 of N R).
static void slides_have_the_moment_of_the_wrench(void)
{
    static const pkm_friction_kind kinds[] = {PKM_FRICTION_COULOMB, PKM_FRICTION_BROWN_MCPHEE,
                                              PKM_FRICTION_ELASTOPLASTIC};
    for (int n = 0; n < 60; ++n) {
        const pkm_joint_friction f = full(kinds[n % 3]);
        const pkm_joint_type type = every_type[n % 5];
        const pkm_vec3 line = pkm_vec3_unit(noise3(1.0));
        const double x = noise(), h = 1e-6;
        pkm_joint_motion m = {.force = noise3(100.0),
                              .moment = noise3(5.0),
                              .w = noise3(1.0),
                              .v = noise3(0.01),
                              .axis_b = {1.0, 0.0, 0.0}};
        pkm_joint_slide slide[2];
        const int n_slide = pkm_joint_friction_slides(&f, type, &m, line, slide);
        double sum = 0.0, slope = 0.0, one, more = 0.0, less = 0.0, unused;
        for (int k = 0; k < n_slide; ++k) {
            sum += pkm_joint_slide_moment(&f.law, &slide[k], x, &one);
            more += pkm_joint_slide_moment(&f.law, &slide[k], x + h, &unused);
            less += pkm_joint_slide_moment(&f.law, &slide[k], x - h, &unused);
            slope += one;
        }
        m.w = pkm_vec3_axpy(m.w, x, line);
        const pkm_joint_friction_force whole = pkm_joint_friction_evaluate(&f, type, &m, NULL);
        CHECK_NEAR(sum, pkm_vec3_dot(whole.moment, line), 1e-14);
        CHECK_NEAR(slope, (more - less) / (2.0 * h), 1e-6);
    }
}

static void missing_lengths_are_named(void)
{
    pkm_error err;
    pkm_joint_friction f = full(PKM_FRICTION_COULOMB);
    for (int k = 0; k < 5; ++k)
        CHECK(pkm_joint_friction_check(&f, every_type[k], &err) == PKM_OK);
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_FIXED, &err) == PKM_ERR_ARGUMENT);

    f.radius = 0.0;
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_SPHERICAL, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "friction: radius 0 m, expected a length > 0");
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_PRISMATIC, &err) == PKM_OK);
    f.reaction_arm = -1.0;
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_PRISMATIC, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "reaction_arm -1");
    f.use_torsion = false;
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_PRISMATIC, &err) == PKM_OK);
    f.overlap = 0.0;
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_PRISMATIC, &err) == PKM_ERR_ARGUMENT);
    f.law.mu_static = f.law.mu_dynamic = 0.0;
    f.preload_force = 1.0;
    CHECK(pkm_joint_friction_check(&f, PKM_JOINT_PRISMATIC, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "preload");
}

int main(void)
{
    RUN(every_joint_has_its_surfaces);
    RUN(revolute_by_hand);
    RUN(prismatic_by_hand);
    RUN(cylindrical_by_hand);
    RUN(spherical_by_hand);
    RUN(universal_by_hand);
    RUN(power_is_that_of_the_wrench_and_never_negative);
    RUN(without_coefficient_nothing_acts);
    RUN(ball_friction_turns_with_its_frame);
    RUN(steady_bristles_act_as_the_law_without_state);
    RUN(each_pin_has_its_own_bristle);
    RUN(slopes_are_the_derivatives);
    RUN(surfaces_of_balls_are_isotropic);
    RUN(slides_have_the_moment_of_the_wrench);
    RUN(missing_lengths_are_named);
    return check_report();
}
