#include "force/friction_law.h"

#include "check.h"

static pkm_friction_law law_of(pkm_friction_kind kind)
{
    pkm_friction_law law = pkm_friction_law_defaults(kind);
    law.mu_static = 0.11;
    law.mu_dynamic = 0.084;
    return law;
}

static const pkm_friction_kind every_kind[] = {PKM_FRICTION_COULOMB, PKM_FRICTION_STRIBECK,
                                               PKM_FRICTION_BROWN_MCPHEE, PKM_FRICTION_LUGRE};

/// g(v) of (1.7).
static double steady(const pkm_friction_law* law, double v)
{
    const double r = v / law->stribeck_velocity;
    return law->mu_dynamic + (law->mu_static - law->mu_dynamic) * exp(-r * r);
}

/// Numbers in [-1, 1] that repeat.
static double noise(void)
{
    static unsigned state = 12345u;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

// ---- static laws -------------------------------------------------------------------------------

static void coulomb_passes_its_marks(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_COULOMB);
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.0), 0.0, 0.0);
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.5e-3), 0.11 * 11.0 / 16.0, 1e-16);
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.25e-3), 0.11 * 47.0 / 128.0, 1e-16);
    CHECK_NEAR(pkm_friction_coefficient(&law, 1e-3), 0.11, 1e-16);
    CHECK_NEAR(pkm_friction_coefficient(&law, 1.25e-3), 0.097, 1e-15);
    CHECK_NEAR(pkm_friction_coefficient(&law, 1.5e-3), 0.084, 1e-16);
    CHECK_NEAR(pkm_friction_coefficient(&law, 7.0), 0.084, 0.0);

    law.dynamic_velocity = 5e-3;
    CHECK_NEAR(pkm_friction_coefficient(&law, 3e-3), 0.097, 1e-15);
    CHECK_NEAR(pkm_friction_coefficient(&law, 5e-3), 0.084, 1e-16);
}

static void stribeck_falls_from_static_to_dynamic(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_STRIBECK);
    law.viscous = 0.02;
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.0), 0.0, 0.0);
    // at v_s = 10 v_st the sign is one to 1e-34 and the exponential is 1/e
    CHECK_NEAR(pkm_friction_coefficient(&law, 1e-2), 0.084 + 0.026 / exp(1.0) + 2e-4, 1e-16);
    CHECK_NEAR(pkm_friction_coefficient(&law, 2.0), 0.084 + 0.04, 1e-16);
    CHECK_NEAR(pkm_friction_slope(&law, 0.0), 0.11 * 4.0 / 1e-3 + 0.02, 1e-12);
}

static void brown_mcphee_peaks_at_the_stiction_velocity(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_BROWN_MCPHEE);
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.0), 0.0, 0.0);
    CHECK_NEAR(pkm_friction_coefficient(&law, 1e-3), 0.084 * tanh(4.0) + 0.026, 1e-16);
    // the dry part that is left at a hundred v_st is 0.026 * 100 / 2500.75^2
    CHECK_NEAR(pkm_friction_coefficient(&law, 0.1), 0.084 + 2.6 / (2500.75 * 2500.75), 1e-16);
    law.viscous = 0.5;
    CHECK_NEAR(pkm_friction_slope(&law, 0.0), 0.084 * 4e3 + 0.026 * 1e3 / 0.5625 + 0.5, 1e-12);

    // hump alone: its maximum mu_static - mu_dynamic lies at v_st
    law = law_of(PKM_FRICTION_BROWN_MCPHEE);
    law.mu_dynamic = 0.0;
    CHECK_NEAR(pkm_friction_slope(&law, 1e-3), 0.0, 1e-12);
    CHECK_NEAR(pkm_friction_coefficient(&law, 1e-3), 0.11, 1e-16);
}

/// The law without a state is what steady bristles give, where the smoothed sign is one.
static void lugre_without_state_slides_steadily(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.viscous = 0.3;
    for (double v = 0.02; v < 2.0; v *= 1.7) {
        const double g = steady(&law, v);
        CHECK_NEAR(pkm_friction_coefficient(&law, v), g + 0.3 * v, 1e-15);
    }
}

// The largest jump over 1e-12 m/s is the slope (some 500 s/m) times that.
static void coefficients_are_continuous_and_not_negative(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_friction_law law = law_of(every_kind[k]);
        for (double v = 0.0; v < 4e-3; v += 1e-6) {
            const double mu = pkm_friction_coefficient(&law, v);
            CHECK(mu >= 0.0);
            CHECK_NEAR(pkm_friction_coefficient(&law, v + 1e-12), mu, 1e-9);
        }
        for (double v = 1e-3; v < 1e3; v *= 1.3)
            CHECK(pkm_friction_coefficient(&law, v) > 0.08);
    }
}

// Central differences over 2e-8 m/s: the third derivative, up to 1e3 of the law over v_st^3 = 1e-9,
// leaves 1e-4 of slopes of a few hundred.
static void slopes_are_the_derivatives(void)
{
    for (int k = 0; k < 4; ++k) {
        pkm_friction_law law = law_of(every_kind[k]);
        law.viscous = 0.01;
        for (double v = 3.3e-6; v < 5e-2; v *= 1.19) {
            const double h = 1e-8;
            const double up = pkm_friction_coefficient(&law, v + h);
            const double down = pkm_friction_coefficient(&law, v - h);
            CHECK_NEAR(pkm_friction_slope(&law, v), (up - down) / (2.0 * h), 1e-4);
        }
    }
}

static void quotient_by_speed_has_its_limit_at_rest(void)
{
    for (int k = 0; k < 4; ++k) {
        const pkm_friction_law law = law_of(every_kind[k]);
        CHECK_NEAR(pkm_friction_per_speed(&law, 0.0), pkm_friction_slope(&law, 0.0), 0.0);
        CHECK_NEAR(pkm_friction_per_speed(&law, 1e-12), pkm_friction_slope(&law, 0.0), 1e-6);
        CHECK_NEAR(pkm_friction_per_speed(&law, 0.25), pkm_friction_coefficient(&law, 0.25) / 0.25,
                   0.0);
    }
}

// ---- LuGre -------------------------------------------------------------------------------------

/// The law on a line.
static double bristle(const pkm_friction_law* law, double z, double v, double* z_rate)
{
    pkm_vec3 rate;
    const pkm_vec3 mu =
        pkm_friction_bristle(law, (pkm_vec3){z, 0.0, 0.0}, (pkm_vec3){v, 0.0, 0.0}, &rate);
    *z_rate = rate.x;
    return mu.x;
}

/// Can bristles never give out more energy than they have stored, whatever the motion? (1.10)
static bool is_passive(const pkm_friction_law* law)
{
    const double largest = law->bristle_damping * law->damping_velocity * exp(-0.5) / sqrt(2.0);
    return largest <= 4.0 * law->mu_dynamic;
}

static void bristles_are_springs_before_sliding(void)
{
    const pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    double rate = 1.0;
    CHECK_NEAR(bristle(&law, 1e-7, 0.0, &rate), 1e-2, 1e-17);
    CHECK_NEAR(rate, 0.0, 0.0);
    const pkm_vec3 rest = {0.0, 0.0, 0.0};
    const pkm_bristle_tangents d = pkm_friction_bristle_tangents(&law, rest, rest);
    CHECK_NEAR(d.mu_z.x.x, 1e5, 0.0);
    CHECK_NEAR(d.mu_v.x.x, 316.0, 0.0);
    CHECK_NEAR(d.rate_v.x.x, 1.0, 0.0);
}

/// Bristles left alone at constant speed settle where their coefficient is g(v).
static void bristles_settle_at_the_steady_coefficient(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.viscous = 0.2;
    for (double v = -0.013; v < 0.013; v += 0.0021) {
        const double g = steady(&law, fabs(v));
        const double slowest = g / (law.bristle_stiffness * fabs(v)); // relaxation time [s]
        double z = 0.0, rate = v;
        for (int i = 0; i < 4000; ++i) {
            bristle(&law, z, v, &rate);
            z += 0.01 * slowest * rate;
        }
        const double mu = bristle(&law, z, v, &rate);
        CHECK_NEAR(rate, 0.0, 1e-14);
        CHECK_NEAR(mu, copysign(g, v) + 0.2 * v, 1e-13);
    }
}

/// z' = v - sigma0 |v|/g(v) z and mu = sigma0 z + sigma1(v) z' + sigma2 v along any line, (1.6).
static void bristles_in_a_line_are_the_scalar_law(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.viscous = 0.4;
    const pkm_vec3 e = pkm_vec3_unit((pkm_vec3){1.0, -2.0, 0.5});
    for (int i = 0; i < 100; ++i) {
        const double z = 1e-6 * noise(), v = 3e-3 * noise(), r = v / law.damping_velocity;
        const double rate = v - law.bristle_stiffness * fabs(v) / steady(&law, fabs(v)) * z;
        const double mu =
            law.bristle_stiffness * z + law.bristle_damping * exp(-r * r) * rate + 0.4 * v;
        pkm_vec3 rates;
        const pkm_vec3 mus =
            pkm_friction_bristle(&law, pkm_vec3_scale(z, e), pkm_vec3_scale(v, e), &rates);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_axpy(mus, -mu, e)), 0.0, 1e-15);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_axpy(rates, -rate, e)), 0.0, 1e-17);
    }
}

/// Without a state, off the kink at rest.
static void tangents_are_the_derivatives(void)
{
    for (int k = 0; k < 4; ++k) {
        pkm_friction_law law = law_of(every_kind[k]);
        law.viscous = 0.1;
        const pkm_vec3 v = {4e-4, 9e-4, -3e-4};
        const pkm_mat3 T = pkm_friction_tangent(&law, v);
        const pkm_vec3 column[3] = {T.x, T.y, T.z};
        for (int j = 0; j < 3; ++j) {
            const double h = 1e-8;
            const pkm_vec3 dv = {j == 0 ? h : 0.0, j == 1 ? h : 0.0, j == 2 ? h : 0.0};
            pkm_vec3 mu[2];
            for (int s = 0; s < 2; ++s) {
                const pkm_vec3 at = pkm_vec3_axpy(v, s ? 1.0 : -1.0, dv);
                mu[s] = pkm_vec3_scale(pkm_friction_per_speed(&law, pkm_vec3_norm(at)), at);
            }
            const pkm_vec3 fd = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(mu[1], mu[0]));
            CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(column[j], fd)), 0.0, 1e-5);
        }
    }
}

/// Power into the bristles minus the rate of what they store, per unit load.
static double bristle_loss(const pkm_friction_law* law, double z, double v)
{
    double rate;
    const double mu = bristle(law, z, v, &rate);
    return mu * v - law->bristle_stiffness * z * rate;
}

static void passive_bristles_never_give_more_than_they_store(void)
{
    const pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    CHECK(is_passive(&law));
    double least = 1.0;
    for (int i = 0; i < 100000; ++i) {
        const double z = law.mu_static / law.bristle_stiffness * noise(); // |z| <= mu_s/sigma0
        const double loss = bristle_loss(&law, z, 5e-3 * noise());
        if (loss < least) least = loss;
    }
    CHECK(least >= -1e-18);
}

/// Sharp where g has fallen to mu_dynamic at v_d/sqrt(2) and mu_static allows sigma0 z = 2 mu_d:
/// sigma1 = 4 mu_d sqrt(2 e) / v_d, some 932.6 s/m here.
static void bound_of_passivity_is_sharp(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.mu_static = 0.5, law.mu_dynamic = 0.1;
    law.stribeck_velocity = 1e-5, law.damping_velocity = 1e-3;
    const double bound = 0.4 * sqrt(2.0 * exp(1.0)) / 1e-3;
    const double z = 0.2 / law.bristle_stiffness, v = 1e-3 / sqrt(2.0);
    law.bristle_damping = 0.999 * bound;
    CHECK(is_passive(&law));
    CHECK(bristle_loss(&law, z, v) > 0.0);
    law.bristle_damping = 1.001 * bound;
    CHECK(!is_passive(&law));
    CHECK(bristle_loss(&law, z, v) < 0.0);
}

/// Constant micro-damping of the classical law: fast sliding with bristles bent to mu_static.
static void constant_bristle_damping_is_not_passive(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.damping_velocity = INFINITY;
    pkm_error err;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_OK);
    CHECK(!is_passive(&law));
    CHECK(bristle_loss(&law, law.mu_static / law.bristle_stiffness, 0.1) < 0.0);
}

static void without_friction_nothing_acts(void)
{
    for (int k = 0; k < 4; ++k) {
        pkm_friction_law law = pkm_friction_law_defaults(every_kind[k]);
        pkm_error err;
        CHECK(pkm_friction_law_check(&law, &err) == PKM_OK);
        for (double v = 0.0; v < 1.0; v += 0.01)
            CHECK_NEAR(pkm_friction_coefficient(&law, v), 0.0, 0.0);
    }
    const pkm_friction_law law = pkm_friction_law_defaults(PKM_FRICTION_LUGRE);
    double rate;
    CHECK_NEAR(bristle(&law, 0.0, 0.3, &rate), 0.0, 0.0);
    CHECK_NEAR(rate, 0.0, 0.0);
}

// ---- elasto-plastic ----------------------------------------------------------------------------

/// z_s = mu_s/sigma0 along a direction, times `part`.
static pkm_vec3 deflected(const pkm_friction_law* law, double part)
{
    const pkm_vec3 e = {0.6, 0.8, 0.0};
    return pkm_vec3_scale(part * law->mu_static / law->bristle_stiffness, e);
}

static void presliding_holds_up_to_the_limit_and_slides_beyond(void)
{
    const pkm_friction_law joint = law_of(PKM_FRICTION_ELASTOPLASTIC);
    const pkm_friction_law law[] = {joint, pkm_friction_law_of_contact(&joint)};
    const pkm_vec3 rest = {0.0, 0.0, 0.0}, fast = {0.06, 0.08, 0.0};
    for (int k = 0; k < 2; ++k) {
        pkm_vec3 rate;
        const pkm_vec3 held = pkm_friction_bristle(&law[k], deflected(&law[k], 0.95), rest, &rate);
        CHECK_NEAR(pkm_vec3_norm(held), 0.95 * 0.11, 1e-15);
        CHECK_NEAR(pkm_vec3_norm(rate), 0.0, 0.0);
        const pkm_vec3 slides = pkm_friction_bristle(&law[k], deflected(&law[k], 1.0), fast, &rate);
        CHECK_NEAR(pkm_vec3_norm(slides), 0.084, 1e-12);
        CHECK_NEAR(pkm_vec3_norm(rate), 0.0, 1e-15);
    }
}

// Within 0.9995 of the limit nothing has broken away, however fast it slides.
static void surfaces_that_begin_to_slip_hold_on(void)
{
    const pkm_friction_law joint = law_of(PKM_FRICTION_ELASTOPLASTIC);
    pkm_friction_law law = pkm_friction_law_of_contact(&joint);
    pkm_vec3 rate;
    law.bristle_damping = 0.0;
    const pkm_vec3 mu =
        pkm_friction_bristle(&law, deflected(&law, 0.998), (pkm_vec3){0.06, 0.08, 0.0}, &rate);
    CHECK_NEAR(pkm_vec3_norm(mu), 0.998 * 0.11, 1e-15);
    CHECK(pkm_vec3_norm(rate) < 0.1 * 0.3); // most of it slips
}

static double largest_difference(pkm_mat3 T, int column, pkm_vec3 fd)
{
    const pkm_vec3 t = column == 0 ? T.x : column == 1 ? T.y : T.z;
    return pkm_vec3_norm(pkm_vec3_sub(t, fd)) / (1.0 + pkm_vec3_norm(fd));
}

/// All four derivatives against central differences of steps hz [m] and hv [m/s].
static void check_tangents(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, double hz,
                           double hv, double tolerance)
{
    const pkm_bristle_tangents d = pkm_friction_bristle_tangents(law, z, v);
    for (int j = 0; j < 6; ++j) {
        const double h = j < 3 ? hz : hv, c = j % 3;
        const pkm_vec3 dx = {c == 0 ? h : 0.0, c == 1 ? h : 0.0, c == 2 ? h : 0.0};
        pkm_vec3 mu[2], rate[2];
        for (int s = 0; s < 2; ++s) {
            const double sign = s ? 1.0 : -1.0;
            mu[s] = pkm_friction_bristle(law, j < 3 ? pkm_vec3_axpy(z, sign, dx) : z,
                                         j < 3 ? v : pkm_vec3_axpy(v, sign, dx), &rate[s]);
        }
        const pkm_vec3 by_mu = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(mu[1], mu[0]));
        const pkm_vec3 by_rate = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(rate[1], rate[0]));
        CHECK_NEAR(largest_difference(j < 3 ? d.mu_z : d.mu_v, j % 3, by_mu), 0.0, tolerance);
        CHECK_NEAR(largest_difference(j < 3 ? d.rate_z : d.rate_v, j % 3, by_rate), 0.0, tolerance);
    }
}

// Elastic, beginning to slip, breaking away.
static void presliding_tangents_are_the_derivatives(void)
{
    const double part[] = {0.5, 0.9944, 0.99975};
    const pkm_friction_law joint = law_of(PKM_FRICTION_ELASTOPLASTIC);
    pkm_friction_law law[] = {joint, pkm_friction_law_of_contact(&joint)};
    const pkm_vec3 v[] = {{4e-6, 5e-6, -3e-6}, {-4e-6, -5e-6, -3e-6}}; // outwards, inwards
    for (int k = 0; k < 12; ++k) {
        law[k % 2].viscous = 0.1;
        check_tangents(&law[k % 2], deflected(&law[k % 2], part[k / 4]), v[k / 2 % 2], 1e-14, 1e-9,
                       1e-3);
    }
}

// However fast they are bent, surfaces carry no more than mu_s, but for 4/27 of 3e-4 where they
// hardly move, and damping never drives them.
static void damping_stays_within_the_limit(void)
{
    const pkm_friction_law joint = law_of(PKM_FRICTION_ELASTOPLASTIC);
    const pkm_friction_law law[] = {joint, pkm_friction_law_of_contact(&joint)};
    for (int i = 0; i < 400; ++i) {
        const pkm_friction_law* l = &law[i % 2];
        const pkm_vec3 z = deflected(l, 0.5 + 0.5 * noise());
        const double speed = pow(10.0, -7.0 + 6.0 * noise());
        const pkm_vec3 v = {speed * noise(), speed * noise(), speed * noise()};
        pkm_friction_law bare = *l;
        bare.bristle_damping = 0.0;
        pkm_vec3 rate;
        const pkm_vec3 mu = pkm_friction_bristle(l, z, v, &rate);
        const pkm_vec3 spring = pkm_friction_bristle(&bare, z, v, &rate);
        const bool is_slow = i % 2 == 0 && 2e4 / 0.11 * pkm_vec3_norm(v) < 3e-4;
        CHECK(pkm_vec3_norm(mu) <= 0.11 * (1.0 + (is_slow ? 4.5e-5 : 1e-12)));
        CHECK(pkm_vec3_dot(pkm_vec3_sub(mu, spring), v) >= -1e-12 * speed);
    }
}

// Linear in z; off the kink at rest h^2 times the third derivative by the velocity.
static void bristle_tangents_are_the_derivatives(void)
{
    pkm_friction_law law = law_of(PKM_FRICTION_LUGRE);
    law.viscous = 0.4;
    for (int i = 0; i < 50; ++i) {
        const pkm_vec3 z = {1e-6 * noise(), 1e-6 * noise(), 1e-6 * noise()};
        const pkm_vec3 v = {1e-4 + 3e-3 * fabs(noise()), 2e-3 * noise(), 2e-3 * noise()};
        check_tangents(&law, z, v, 1e-10, 1e-8, 1e-6);
    }
}

// At the first touch surfaces slide; those that hardly move have hardly a deflection.
static void a_touch_begins_where_surfaces_slip(void)
{
    const pkm_friction_law law = law_of(PKM_FRICTION_ELASTOPLASTIC);
    const double limit = pkm_friction_slip_limit(&law);
    CHECK_NEAR(limit, 0.11e-6, 1e-18);
    const pkm_vec3 fast = pkm_friction_bristle_touch(&law, (pkm_vec3){0.0, -0.3, 0.4});
    CHECK_NEAR(fast.y, -0.6 * limit, 1e-6 * limit);
    CHECK_NEAR(fast.z, 0.8 * limit, 1e-6 * limit);
    CHECK(pkm_vec3_norm(pkm_friction_bristle_touch(&law, (pkm_vec3){3e-9, 0.0, 0.0})) <
          2e-3 * limit);
}

// ---- check -------------------------------------------------------------------------------------

static void wrong_parameters_are_named(void)
{
    pkm_error err;
    pkm_friction_law law = law_of(PKM_FRICTION_COULOMB);
    law.mu_dynamic = 0.2;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "friction: mu_static 0.11, expected at least mu_dynamic 0.2");

    law = law_of(PKM_FRICTION_COULOMB);
    law.stiction_velocity = 0.0;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "stiction_velocity 0");
    law = law_of(PKM_FRICTION_COULOMB);
    law.dynamic_velocity = 0.5e-3;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "dynamic_velocity 0.0005");

    law = law_of(PKM_FRICTION_STRIBECK);
    law.stribeck_velocity = NAN;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "stribeck_velocity");
    law = law_of(PKM_FRICTION_LUGRE);
    law.damping_velocity = 0.0;
    CHECK(pkm_friction_law_check(&law, NULL) == PKM_ERR_ARGUMENT);
    law = law_of(PKM_FRICTION_LUGRE);
    law.mu_dynamic = 0.0;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "mu_dynamic 0");
    law = law_of(PKM_FRICTION_BROWN_MCPHEE);
    law.viscous = -1.0;
    CHECK(pkm_friction_law_check(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "viscous -1");
}

// Presliding under a load N on a mass m has the time 1/sqrt(sigma0 N/m): damping goes with it and
// v_s against it, where N/m is far below that of a weight; above it a joint's law is as it was
// given, and a contact's damping is that of impacts. From 3e5 s/m on it is no more than what
// bristles need to settle without swinging. What was written stays, and what has no mass.
static void presliding_goes_with_load_per_mass(void)
{
    pkm_friction_law joint = law_of(PKM_FRICTION_ELASTOPLASTIC);
    joint.mass = 3.0;
    const pkm_friction_law heavy = pkm_friction_law_under(&joint, 3e4);
    const pkm_friction_law light = pkm_friction_law_under(&joint, 3e-1);
    const pkm_friction_law lighter = pkm_friction_law_under(&joint, 3e-3);
    const pkm_friction_law lightest = pkm_friction_law_under(&joint, 3e-5);
    CHECK_NEAR(heavy.bristle_damping, joint.bristle_damping, 1e-6 * joint.bristle_damping);
    CHECK_NEAR(heavy.stribeck_velocity, joint.stribeck_velocity, 1e-6 * joint.stribeck_velocity);
    CHECK_NEAR(light.bristle_damping, 2e4 * sqrt(15.0), 2e-3 * light.bristle_damping);
    CHECK_NEAR(lighter.bristle_damping, 3e5, 0.0);
    CHECK_NEAR(lighter.stribeck_velocity, 0.1 * light.stribeck_velocity, 1e-9);
    CHECK_NEAR(lightest.stribeck_velocity, 0.1 * lighter.stribeck_velocity, 1e-12);
    const double critical = 2.0 * sqrt(joint.bristle_stiffness * 3.0 / 3e-5);
    CHECK_NEAR(lightest.bristle_damping, 1.2 * critical, 1e-9 * critical);
    const pkm_friction_law contact = pkm_friction_law_of_contact(&joint);
    CHECK_NEAR(pkm_friction_law_under(&contact, 3e6).bristle_damping, contact.bristle_damping,
               0.01);
    CHECK_NEAR(pkm_friction_law_under(&contact, 3e-5).bristle_damping, lightest.bristle_damping,
               1e-3 * lightest.bristle_damping);
    joint.has_damping = joint.has_fall = true;
    CHECK(pkm_friction_law_under(&joint, 3e-5).bristle_damping == joint.bristle_damping);
    CHECK(pkm_friction_law_under(&joint, 3e-5).stribeck_velocity == joint.stribeck_velocity);
    joint.has_damping = joint.has_fall = false;
    CHECK(pkm_friction_law_under(&joint, 0.0).bristle_damping == joint.bristle_damping);
    joint.mass = 0.0;
    CHECK(pkm_friction_law_under(&joint, 3e-5).bristle_damping == joint.bristle_damping);
}

int main(void)
{
    RUN(coulomb_passes_its_marks);
    RUN(stribeck_falls_from_static_to_dynamic);
    RUN(brown_mcphee_peaks_at_the_stiction_velocity);
    RUN(lugre_without_state_slides_steadily);
    RUN(coefficients_are_continuous_and_not_negative);
    RUN(slopes_are_the_derivatives);
    RUN(quotient_by_speed_has_its_limit_at_rest);
    RUN(bristles_are_springs_before_sliding);
    RUN(bristles_settle_at_the_steady_coefficient);
    RUN(bristles_in_a_line_are_the_scalar_law);
    RUN(tangents_are_the_derivatives);
    RUN(passive_bristles_never_give_more_than_they_store);
    RUN(bound_of_passivity_is_sharp);
    RUN(constant_bristle_damping_is_not_passive);
    RUN(without_friction_nothing_acts);
    RUN(presliding_holds_up_to_the_limit_and_slides_beyond);
    RUN(surfaces_that_begin_to_slip_hold_on);
    RUN(presliding_tangents_are_the_derivatives);
    RUN(damping_stays_within_the_limit);
    RUN(bristle_tangents_are_the_derivatives);
    RUN(a_touch_begins_where_surfaces_slip);
    RUN(presliding_goes_with_load_per_mass);
    RUN(wrong_parameters_are_named);
    return check_report();
}
