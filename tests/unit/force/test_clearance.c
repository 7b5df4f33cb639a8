#include "force/clearance.h"

#include "check.h"

static const pkm_joint_type kinds[] = {PKM_JOINT_SPHERICAL, PKM_JOINT_CYLINDRICAL,
                                       PKM_JOINT_REVOLUTE, PKM_JOINT_PRISMATIC};

static pkm_clearance clearance(pkm_joint_type type, pkm_contact_kind kind, double e)
{
    pkm_clearance c = pkm_clearance_defaults();
    c.radial = 1e-4, c.radius = 0.01, c.length = 0.02, c.axial = 2e-4;
    c.width = 0.03, c.height = 0.02;
    c.law = pkm_contact_law_defaults(kind);
    c.law.stiffness = 1.524e10, c.law.restitution = e;
    c.law.damping = 500.0, c.law.full_depth = 2e-6;
    CHECK(pkm_clearance_finish(&c, type, NULL) == PKM_OK);
    return c;
}

static pkm_clearance with_friction(pkm_joint_type type, pkm_friction_kind kind)
{
    pkm_clearance c = clearance(type, PKM_CONTACT_LANKARANI_NIKRAVESH, 0.9);
    c.has_friction = true;
    c.friction = pkm_friction_law_defaults(kind);
    c.friction.mu_static = 0.11, c.friction.mu_dynamic = 0.084;
    return c;
}

/// b at p, turned by the rotation vector r.
static pkm_clearance_motion placed(pkm_vec3 p, pkm_vec3 r)
{
    return (pkm_clearance_motion){.p = p, .R = pkm_mat3_from_quat(pkm_quat_from_rotvec(r))};
}

static pkm_clearance_force at(const pkm_clearance* c, pkm_joint_type type, pkm_clearance_motion m)
{
    pkm_clearance_force f;
    pkm_clearance_evaluate(c, type, &m, NULL, NULL, &f);
    return f;
}

static void check_vector(pkm_vec3 a, pkm_vec3 b, double tol)
{
    CHECK_NEAR(a.x, b.x, tol);
    CHECK_NEAR(a.y, b.y, tol);
    CHECK_NEAR(a.z, b.z, tol);
}

// ---- where things touch -----------------------------------------------------------------------

static void centred_parts_are_free(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_clearance c = clearance(kinds[k], PKM_CONTACT_HERTZ, 1.0);
        pkm_clearance_motion m = placed((pkm_vec3){0}, (pkm_vec3){0});
        m.w.z = 3.0;
        const pkm_clearance_force f = at(&c, kinds[k], m);
        check_vector(f.force, (pkm_vec3){0}, 0.0);
        check_vector(f.moment, (pkm_vec3){0}, 0.0);
        CHECK(f.n_contact == pkm_clearance_contacts(kinds[k]));
        const bool stops = kinds[k] == PKM_JOINT_REVOLUTE;
        for (int i = 0; i < f.n_contact; ++i)
            CHECK_NEAR(f.contact[i].gap, stops && i >= 2 ? 2e-4 : 1e-4, 1e-18);
    }
}

static void ball_is_pushed_to_the_centre(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_HERTZ, 1.0);
    const pkm_vec3 n = pkm_vec3_unit((pkm_vec3){1.0, -2.0, 2.0});
    pkm_clearance_motion m = placed(pkm_vec3_scale(1.01e-4, n), (pkm_vec3){0.3, 0.2, -0.7});
    m.v = pkm_vec3_scale(0.2, n);
    const pkm_clearance_force f = at(&c, PKM_JOINT_SPHERICAL, m);
    check_vector(f.force, pkm_vec3_scale(-1.524e10 * 1e-9, n), 1e-9);
    check_vector(f.moment, (pkm_vec3){0}, 0.0);
    CHECK_NEAR(f.contact[0].gap, -1e-6, 1e-18);
    CHECK_NEAR(f.contact[0].gap_rate, -0.2, 1e-16);
}

/// A tilted journal touches at both ends, on opposite sides: a pure couple, to first order.
static void tilted_journal_touches_at_both_ends(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_CYLINDRICAL, PKM_CONTACT_HERTZ, 1.0);
    const double tilt = 1.01e-4 / 0.01;
    const pkm_clearance_force f =
        at(&c, PKM_JOINT_CYLINDRICAL, placed((pkm_vec3){0}, (pkm_vec3){0.0, atan(tilt), 0.0}));
    CHECK_NEAR(f.contact[0].gap, -1e-6, 1e-17);
    CHECK_NEAR(f.contact[1].gap, -1e-6, 1e-17);
    CHECK_NEAR(pkm_vec3_norm(f.force), 0.0, 1e-9);
    const double N = 1.524e10 * 1e-9;
    CHECK_NEAR(f.moment.y, -2.0 * N * 0.01 * (1.0 + tilt * tilt), 1e-9);
}

static void stops_hold_along_the_axis(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_REVOLUTE, PKM_CONTACT_HERTZ, 1.0);
    const pkm_clearance_force f =
        at(&c, PKM_JOINT_REVOLUTE, placed((pkm_vec3){0.0, 0.0, -2.01e-4}, (pkm_vec3){0}));
    check_vector(f.force, (pkm_vec3){0.0, 0.0, 15.24}, 1e-9);
    CHECK_NEAR(f.contact[2].normal, 15.24, 1e-9);
    CHECK_NEAR(f.contact[3].gap, 4.01e-4, 1e-18);
}

/// A slider turned about z leans on corners: 8 pushes, a couple about z.
static void turned_slider_leans_on_its_corners(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_PRISMATIC, PKM_CONTACT_HERTZ, 1.0);
    const pkm_clearance_force f =
        at(&c, PKM_JOINT_PRISMATIC, placed((pkm_vec3){0}, (pkm_vec3){0.0, 0.0, 8e-3}));
    int pressed = 0;
    for (int i = 0; i < f.n_contact; ++i)
        pressed += f.contact[i].normal > 0.0;
    CHECK(pressed == 4); // y walls at x = +-15 mm go 0.12 mm; x walls at y = +-10 mm only 0.08 mm
    CHECK_NEAR(pkm_vec3_norm(f.force), 0.0, 1e-9);
    CHECK(f.moment.z < -1.0);
}

// ---- virtual work -----------------------------------------------------------------------------

static double unit_noise(void)
{
    static unsigned state = 2024u;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

static pkm_vec3 noise(double scale)
{
    return (pkm_vec3){scale * unit_noise(), scale * unit_noise(), scale * unit_noise()};
}

static pkm_clearance_motion moved(pkm_clearance_motion m, pkm_vec3 dp, pkm_vec3 dr)
{
    m.p = pkm_vec3_add(m.p, dp);
    m.R = pkm_mat3_matmul(pkm_mat3_from_quat(pkm_quat_from_rotvec(dr)), m.R);
    return m;
}

/// Force and moment of elastic contacts are minus the gradient of the energy stored.
static void forces_are_the_gradient_of_the_energy(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_clearance c = clearance(kinds[k], PKM_CONTACT_HERTZ, 1.0);
        for (int i = 0; i < 50; ++i) {
            pkm_clearance_motion m = placed(noise(2.5e-4), noise(1.5e-2));
            const pkm_clearance_force f = at(&c, kinds[k], m);
            const pkm_vec3 dp = noise(1e-8), dr = noise(1e-6);
            const double up = at(&c, kinds[k], moved(m, dp, dr)).stored;
            m = moved(m, pkm_vec3_scale(-1.0, dp), pkm_vec3_scale(-1.0, dr));
            const double down = at(&c, kinds[k], m).stored;
            const double work = pkm_vec3_dot(f.force, dp) + pkm_vec3_dot(f.moment, dr);
            const double scale = pkm_vec3_norm(f.force) * 1e-8 + pkm_vec3_norm(f.moment) * 1e-6;
            CHECK_NEAR(work, -0.5 * (up - down), 1e-6 * scale + 1e-14);
        }
    }
}

static void gap_rates_are_the_rates_of_the_gaps(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_clearance c = clearance(kinds[k], PKM_CONTACT_HERTZ, 1.0);
        for (int i = 0; i < 20; ++i) {
            pkm_clearance_motion m = placed(noise(1e-4), noise(5e-3));
            m.v = noise(0.1), m.w = noise(5.0);
            const double h = 1e-8;
            pkm_contact_point now[16], up[16], down[16];
            pkm_clearance_gaps(&c, kinds[k], &m, now);
            const pkm_clearance_motion a = moved(m, pkm_vec3_scale(h, m.v), pkm_vec3_scale(h, m.w));
            const pkm_clearance_motion b =
                moved(m, pkm_vec3_scale(-h, m.v), pkm_vec3_scale(-h, m.w));
            pkm_clearance_gaps(&c, kinds[k], &a, up);
            pkm_clearance_gaps(&c, kinds[k], &b, down);
            for (int j = 0; j < pkm_clearance_contacts(kinds[k]); ++j)
                CHECK_NEAR(now[j].gap_rate, (up[j].gap - down[j].gap) / (2.0 * h), 1e-6);
        }
    }
}

// ---- energy -----------------------------------------------------------------------------------

/// A motion that runs into every wall: offsets beyond the clearance, all rotations, two
/// frequencies.
static pkm_clearance_motion prescribed(double t)
{
    const pkm_vec3 axis = {0.6, -0.48, 0.64};
    const double a = 60.0, b = 97.0, tilt = 8e-3;
    pkm_clearance_motion m = placed((pkm_vec3){0}, pkm_vec3_scale(tilt * sin(a * t), axis));
    m.p = (pkm_vec3){1.02e-4 * sin(a * t), 0.9e-4 * cos(b * t), 2.03e-4 * sin(b * t)};
    m.v = (pkm_vec3){1.02e-4 * a * cos(a * t), -0.9e-4 * b * sin(b * t), 2.03e-4 * b * cos(b * t)};
    m.w = pkm_vec3_scale(tilt * a * cos(a * t), axis);
    return m;
}

/// Work put in by whoever moves b = change of the energy stored + losses, contact and friction
/// apart; the trapezoidal rule on 2e5 instants.
static void work_is_stored_or_lost(void)
{
    for (int k = 0; k < 4; ++k) {
        for (int law = 0; law < PKM_N_CONTACT_KIND; ++law) {
            pkm_clearance c = clearance(kinds[k], (pkm_contact_kind)law, 0.7);
            c.has_friction = true;
            c.friction = pkm_friction_law_defaults(PKM_FRICTION_BROWN_MCPHEE);
            c.friction.mu_static = 0.11, c.friction.mu_dynamic = 0.084;
            const int n = 200000;
            const double h = 0.25 / n;
            double work = 0.0, contact = 0.0, friction = 0.0, end = 0.0;
            for (int i = 0; i <= n; ++i) {
                const pkm_clearance_motion m = prescribed(i * h);
                const pkm_clearance_force f = at(&c, kinds[k], m);
                const double weight = i == 0 || i == n ? 0.5 * h : h;
                work -= weight * (pkm_vec3_dot(f.force, m.v) + pkm_vec3_dot(f.moment, m.w));
                contact += weight * f.lost_contact;
                friction += weight * f.lost_friction;
                CHECK(f.lost_contact >= 0.0 && f.lost_friction >= 0.0);
                if (i == 0) end -= f.stored;
                if (i == n) end += f.stored;
            }
            CHECK(work > 1e-5);
            CHECK(friction > 1e-6);
            CHECK((contact > 1e-9) == (law != PKM_CONTACT_HERTZ));
            CHECK_NEAR((contact + friction + end) / work, 1.0, 1e-6);
        }
    }
}

// ---- friction ---------------------------------------------------------------------------------

/// A ball that spins while it is pressed: friction at its surface makes a moment R mu N.
static void friction_acts_at_the_surface(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_COULOMB);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 0.0}, (pkm_vec3){0});
    m.w = (pkm_vec3){50.0, 0.0, 20.0}; // spin about the normal does not slide
    const pkm_clearance_force f = at(&c, PKM_JOINT_SPHERICAL, m);
    const double N = 15.24, slide = 0.084 * N;
    check_vector(f.force, (pkm_vec3){-N, -slide, 0.0}, 1e-9);
    check_vector(f.moment, (pkm_vec3){0.0, 0.0, -0.01 * slide}, 1e-11);
    CHECK_NEAR(f.contact[0].slip, 0.2, 1e-15);
    CHECK_NEAR(f.contact[0].friction, slide, 1e-9);
    CHECK_NEAR(f.lost_friction, slide * 0.2, 1e-9);
}

static void journal_turns_against_friction(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_REVOLUTE, PKM_FRICTION_COULOMB);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 2.01e-4}, (pkm_vec3){0});
    m.w.z = 20.0;
    const pkm_clearance_force f = at(&c, PKM_JOINT_REVOLUTE, m);
    // two ends and one stop carry 15.24 N each; all rub at the radius of the pin
    CHECK_NEAR(f.moment.z, -3.0 * 0.084 * 15.24 * 0.01, 1e-10);
    CHECK_NEAR(f.lost_friction, 3.0 * 0.084 * 15.24 * 0.2, 1e-9);
}

static void steady_bristles_are_the_law_without_them(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_LUGRE);
    CHECK(pkm_clearance_states(&c, PKM_JOINT_SPHERICAL) == 3);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 0.0}, (pkm_vec3){0});
    m.w.z = 1.0;
    double z[3] = {0.0, 0.0, 0.0};
    pkm_clearance_force f;
    for (int i = 0; i < 20000; ++i) {
        pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, NULL, z, &f);
        for (int j = 0; j < 3; ++j)
            z[j] += 1e-6 * f.bristle_rate[j];
    }
    CHECK_NEAR(f.force.y, at(&c, PKM_JOINT_SPHERICAL, m).force.y, 1e-9);
    CHECK_NEAR(f.force.y, -0.084 * 15.24, 1e-9);
}

/// Bristles hold a ball at rest against a tangential force: true sticking, no creep.
static void bristles_stick(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_LUGRE);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 0.0}, (pkm_vec3){0});
    const double z[3] = {0.0, 5e-7, 0.0};
    pkm_clearance_force f;
    pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, NULL, z, &f);
    CHECK_NEAR(f.force.y, -15.24 * 1e5 * 5e-7, 1e-9);
    for (int j = 0; j < 3; ++j)
        CHECK_NEAR(f.bristle_rate[j], 0.0, 0.0);
}

/// Half a clearance apart, on the way to its wall: nothing acts, nothing slides, bristles rest.
static void surfaces_in_flight_do_not_rub(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_LUGRE);
    pkm_clearance_motion m = placed((pkm_vec3){0.5e-4, 0.0, 0.0}, (pkm_vec3){0});
    m.v = (pkm_vec3){0.3, 0.2, 0.0};
    m.w.z = 3.0;
    const double z[3] = {0.0, 5e-7, 2e-7};
    pkm_clearance_force f;
    pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, NULL, z, &f);
    check_vector(f.force, (pkm_vec3){0}, 0.0);
    check_vector(f.moment, (pkm_vec3){0}, 0.0);
    for (int j = 0; j < 3; ++j)
        CHECK_NEAR(f.bristle_rate[j], 0.0, 0.0);
    CHECK_NEAR(f.contact[0].gap, 0.5e-4, 1e-18);
    CHECK_NEAR(f.contact[0].gap_rate, -0.3, 1e-15);
    CHECK(f.contact[0].normal == 0.0 && f.contact[0].slip == 0.0 && f.contact[0].friction == 0.0);
    CHECK(f.stored == 0.0 && f.lost_contact == 0.0 && f.lost_friction == 0.0);
}

/// What bristles have along the normal (left by rounding of their turning) pulls nothing.
static void bristles_along_the_normal_pull_nothing(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_LUGRE);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 0.0}, (pkm_vec3){0});
    const double z[2][3] = {{0.0, 5e-7, 2e-7}, {4e-7, 5e-7, 2e-7}}; // the normal is x
    pkm_clearance_force f[2];
    for (int k = 0; k < 2; ++k)
        pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, NULL, z[k], &f[k]);
    check_vector(f[1].force, f[0].force, 1e-12);
    CHECK(fabs(f[0].force.y) > 0.1);
}

/// Where the point of contact wanders round the socket, bristles stay tangential and keep their
/// length: here the ball rolls (no sliding), so only the turning of the normal acts.
static void bristles_turn_with_the_normal(void)
{
    const pkm_clearance c = with_friction(PKM_JOINT_SPHERICAL, PKM_FRICTION_LUGRE);
    double z[3] = {0.0, 3e-7, 4e-7};
    const double e = 1.01e-4, h = 1e-4;
    for (int i = 0; i < 10000; ++i) { // one radian, midpoint rule
        double start[3] = {z[0], z[1], z[2]}, *from = z;
        for (int stage = 0; stage < 2; ++stage) {
            const double a = (i + 0.5 * stage) * h;
            pkm_clearance_motion m = placed((pkm_vec3){e * cos(a), e * sin(a), 0.0}, (pkm_vec3){0});
            m.v = (pkm_vec3){-e * sin(a), e * cos(a), 0.0};
            m.w.z = -e / 0.01; // rolls
            pkm_clearance_force f;
            pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, NULL, from, &f);
            for (int j = 0; j < 3; ++j)
                z[j] = start[j] + (stage ? h : 0.5 * h) * f.bristle_rate[j];
        }
    }
    CHECK_NEAR(z[0], -3e-7 * sin(1.0), 1e-14);
    CHECK_NEAR(z[1], 3e-7 * cos(1.0), 1e-14);
    CHECK_NEAR(z[2], 4e-7, 1e-14);
}

// ---- memory -----------------------------------------------------------------------------------

static void memory_decides_what_touches(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_LANKARANI_NIKRAVESH, 0.9);
    pkm_clearance_motion m = placed((pkm_vec3){1.01e-4, 0.0, 0.0}, (pkm_vec3){0});
    m.v.x = 0.1;
    pkm_contact_memory memory = {.touching = false, .impact_speed = 0.2};
    pkm_clearance_force f;
    pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, &memory, NULL, &f);
    CHECK_NEAR(f.force.x, 0.0, 0.0);
    memory.touching = true;
    pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, &memory, NULL, &f);
    CHECK_NEAR(f.force.x, -15.24 * (1.0 + 0.1425 * 0.5), 1e-9);
    m.p.x = 0.99e-4;
    pkm_clearance_evaluate(&c, PKM_JOINT_SPHERICAL, &m, &memory, NULL, &f);
    CHECK_NEAR(f.force.x, 0.0, 0.0);
}

// ---- admissible places ------------------------------------------------------------------------

static void parts_outside_are_moved_in(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_clearance c = clearance(kinds[k], PKM_CONTACT_HERTZ, 1.0);
        for (int i = 0; i < 50; ++i) {
            pkm_clearance_motion m = placed(noise(3e-4), noise(2e-2)), before = m;
            pkm_contact_point point[16];
            double worst = 0.0;
            pkm_clearance_gaps(&c, kinds[k], &m, point);
            for (int j = 0; j < pkm_clearance_contacts(kinds[k]); ++j)
                worst = fmax(worst, -point[j].gap);
            CHECK_NEAR(pkm_clearance_admit(&c, kinds[k], &m), worst, 1e-15);
            if (worst == 0.0) check_vector(m.p, before.p, 0.0);
            pkm_clearance_gaps(&c, kinds[k], &m, point);
            const double slack = kinds[k] == PKM_JOINT_PRISMATIC ? 0.0 : 1e-15; // searched: inside
            for (int j = 0; j < pkm_clearance_contacts(kinds[k]); ++j)
                CHECK(point[j].gap >= -slack);
        }
    }
}

// ---- input ------------------------------------------------------------------------------------

static void expect_error(pkm_clearance c, pkm_joint_type type, const char* text)
{
    pkm_error err = {0};
    CHECK(pkm_clearance_finish(&c, type, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, text);
}

static void bad_input_is_named(void)
{
    pkm_clearance c = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_HERTZ, 1.0);
    c.radial = -1e-5;
    expect_error(c, PKM_JOINT_SPHERICAL, "clearance: radial -1e-05 m, expected a length >= 0");
    c = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_HERTZ, 1.0);
    expect_error(c, PKM_JOINT_FIXED,
                 "clearance: expected a spherical, revolute, cylindrical, prismatic or universal "
                 "joint");
    expect_error(c, PKM_JOINT_UNIVERSAL, "clearance: cross_mass 0, expected a number > 0");
    c.radius = 0.0;
    expect_error(c, PKM_JOINT_SPHERICAL, "clearance: radius 0, expected a number > 0");
    c = clearance(PKM_JOINT_PRISMATIC, PKM_CONTACT_HERTZ, 1.0);
    c.height = 0.0;
    expect_error(c, PKM_JOINT_PRISMATIC, "clearance: height 0, expected a number > 0");
    c = clearance(PKM_JOINT_REVOLUTE, PKM_CONTACT_HERTZ, 1.0);
    c.law.stiffness = 0.0;
    expect_error(c, PKM_JOINT_REVOLUTE, "clearance: stiffness 0, expected a number > 0");
    c = with_friction(PKM_JOINT_REVOLUTE, PKM_FRICTION_COULOMB);
    c.friction.mu_static = 0.01;
    expect_error(c, PKM_JOINT_REVOLUTE,
                 "friction: mu_static 0.01, expected at least mu_dynamic 0.084");
}

static void seated_clearance_needs_no_contact_law(void)
{
    pkm_clearance c = pkm_clearance_defaults();
    c.fidelity = PKM_FIDELITY_SEATED;
    c.radial = 1e-4;
    CHECK(pkm_clearance_finish(&c, PKM_JOINT_SPHERICAL, NULL) == PKM_OK);
    CHECK_TEXT(pkm_clearance_missing(&c, PKM_JOINT_REVOLUTE), "length");
}

/// Contact circle of 0.3 of the ball: 9 % of the clearance, 1.524e10 (9e-6)^1.5 = 411 N.
static void heavy_loads_are_not_for_hertz(void)
{
    const pkm_clearance c = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_HERTZ, 1.0);
    CHECK(pkm_clearance_warning(&c, PKM_JOINT_SPHERICAL, 411.0) == NULL);
    CHECK_CONTAINS(pkm_clearance_warning(&c, PKM_JOINT_SPHERICAL, 412.0), "Hertz");
    const pkm_clearance soft = clearance(PKM_JOINT_SPHERICAL, PKM_CONTACT_LANKARANI_NIKRAVESH, 0.3);
    CHECK_CONTAINS(pkm_clearance_warning(&soft, PKM_JOINT_SPHERICAL, 0.0), "Lankarani");
}

/// Forces against difference quotients: by the velocity exactly, by the place where nothing slides.
static void tangents_are_derivatives(void)
{
    const double h = 1e-9;
    for (int k = 0; k < 4; ++k) {
        const pkm_clearance c = with_friction(kinds[k], PKM_FRICTION_COULOMB);
        pkm_clearance_motion m = placed((pkm_vec3){0, 1.03e-4, 0}, (pkm_vec3){0});
        pkm_contact_memory memory[PKM_CLEARANCE_CONTACTS];
        pkm_contact_tangent tangent[PKM_CLEARANCE_CONTACTS];
        for (int i = 0; i < PKM_CLEARANCE_CONTACTS; ++i)
            memory[i] = (pkm_contact_memory){true, 0.05};
        for (int axis = 0; axis < 6; ++axis) { // three of v, three of p
            const bool by_place = axis >= 3;
            m.v = by_place ? (pkm_vec3){0} : (pkm_vec3){3e-4, -0.01, 5e-4};
            pkm_clearance_force f[2];
            for (int side = 0; side < 2; ++side) {
                pkm_clearance_motion at = m;
                double* x = by_place ? &at.p.x : &at.v.x;
                x[axis % 3] += side ? h : -h;
                pkm_clearance_evaluate(&c, kinds[k], &at, memory, NULL, &f[side]);
            }
            const pkm_vec3 want = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(f[1].force, f[0].force));
            const int n = pkm_clearance_tangents(&c, kinds[k], &m, memory, NULL, tangent);
            CHECK(n == pkm_clearance_contacts(kinds[k]));
            pkm_vec3 sum = {0};
            for (int i = 0; i < n; ++i) {
                const pkm_mat3* X = by_place ? &tangent[i].by_place : &tangent[i].by_velocity;
                const pkm_vec3 column[3] = {X->x, X->y, X->z};
                sum = pkm_vec3_add(sum, column[axis % 3]);
            }
            const bool turns = by_place && axis % 3 != 1; // the normal turns: not stiff, left out
            if (!turns) check_vector(sum, want, 1e-5 * pkm_vec3_norm(want) + 1e-6);
            if (turns) check_vector(sum, (pkm_vec3){0}, 1e-9);
        }
    }
}

int main(void)
{
    RUN(centred_parts_are_free);
    RUN(ball_is_pushed_to_the_centre);
    RUN(tilted_journal_touches_at_both_ends);
    RUN(stops_hold_along_the_axis);
    RUN(turned_slider_leans_on_its_corners);
    RUN(forces_are_the_gradient_of_the_energy);
    RUN(gap_rates_are_the_rates_of_the_gaps);
    RUN(work_is_stored_or_lost);
    RUN(friction_acts_at_the_surface);
    RUN(journal_turns_against_friction);
    RUN(steady_bristles_are_the_law_without_them);
    RUN(bristles_stick);
    RUN(surfaces_in_flight_do_not_rub);
    RUN(bristles_along_the_normal_pull_nothing);
    RUN(bristles_turn_with_the_normal);
    RUN(memory_decides_what_touches);
    RUN(tangents_are_derivatives);
    RUN(parts_outside_are_moved_in);
    RUN(bad_input_is_named);
    RUN(seated_clearance_needs_no_contact_law);
    RUN(heavy_loads_are_not_for_hertz);
    return check_report();
}
