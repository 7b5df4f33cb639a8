#include "force/contact_law.h"

#include "check.h"
#include "force/contact_stiffness.h"

#include <fenv.h>
#include <stdbool.h>

static const pkm_contact_kind with_restitution[] = {PKM_CONTACT_LANKARANI_NIKRAVESH,
                                                    PKM_CONTACT_HUNT_CROSSLEY, PKM_CONTACT_FLORES,
                                                    PKM_CONTACT_GONTHIER};

static const double five[] = {0.95, 0.8, 0.6, 0.4, 0.2};

/// Steel ball of SIAX; `e` is the restitution of the law.
static pkm_contact_law law_of(pkm_contact_kind kind, double e)
{
    pkm_contact_law law = pkm_contact_law_defaults(kind);
    law.stiffness = 1.524e11;
    law.restitution = e;
    law.damping = 4e4, law.full_depth = 2e-6; // IMPACT
    CHECK(pkm_contact_law_finish(&law, NULL) == PKM_OK);
    return law;
}

/// A free mass comes in at `speed`; RK4 with steps of 1/4000 of the contact's own time. Returns the
/// speed of leaving; `deepest` is read off the state where the rate changes sign.
static double drop(const pkm_contact_law* law, double mass, double speed, double* deepest)
{
    const double depth = pow(mass * speed * speed / law->stiffness, 0.4);
    const double h = depth / speed / 4000.0;
    double d = 0.0, v = speed, d0 = d, v0 = v;
    *deepest = 0.0;
    do {
        d0 = d, v0 = v;
        double kd[4], kv[4];
        for (int i = 0; i < 4; ++i) {
            const double c = i == 0 ? 0.0 : i == 3 ? h : 0.5 * h;
            const double di = i ? d0 + c * kd[i - 1] : d0, vi = i ? v0 + c * kv[i - 1] : v0;
            kd[i] = vi;
            kv[i] = -pkm_contact_law_force(law, di, vi, speed).force / mass;
        }
        d = d0 + h / 6.0 * (kd[0] + 2.0 * kd[1] + 2.0 * kd[2] + kd[3]);
        v = v0 + h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        if (v0 > 0.0 && v <= 0.0) // parabola through the turning point
            *deepest = d0 + 0.5 * h * v0 * v0 / (v0 - v);
    } while (d > 0.0);
    return -(v0 + (v - v0) * d0 / (d0 - d));
}

/// chi (1 + e) = ln((1 + chi)/(1 - chi e)) for the restitution the mass really sees.
static void dropped_ball_leaves_with_the_restitution_of_the_closed_form(void)
{
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 5; ++i) {
            const pkm_contact_law law = law_of(with_restitution[k], five[i]);
            double deepest;
            const double e = drop(&law, 0.34, 0.3, &deepest) / 0.3;
            CHECK_NEAR(e, pkm_contact_restitution(law.chi), 1e-5);
            const double left = law.chi * (1.0 + e);
            CHECK_NEAR(left, log((1.0 + law.chi) / (1.0 - law.chi * e)), 1e-4);
        }
    }
}

/// m v0^2 (chi - ln(1 + chi)) / chi^2 = K d^2.5 / 2.5
static void largest_penetration_is_that_of_the_integral(void)
{
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 5; ++i) {
            const pkm_contact_law law = law_of(with_restitution[k], five[i]);
            const double chi = law.chi, work = 0.34 * 0.09 * (chi - log1p(chi)) / (chi * chi);
            double deepest;
            drop(&law, 0.34, 0.3, &deepest);
            CHECK_NEAR(deepest / pow(2.5 * work / law.stiffness, 0.4), 1.0, 1e-5);
        }
    }
}

static void gonthier_and_flores_return_what_was_asked(void)
{
    for (double e = 0.01; e < 1.0; e += 0.01) {
        CHECK_NEAR(pkm_contact_restitution(law_of(PKM_CONTACT_GONTHIER, e).chi), e, 1e-10);
        // the law of Flores et al. is an approximation of it, good to 0.046 (worst at e = 0.24)
        CHECK_NEAR(pkm_contact_restitution(law_of(PKM_CONTACT_FLORES, e).chi), e, 0.046);
    }
    CHECK_NEAR(pkm_contact_chi(1.0), 0.0, 0.0);
    CHECK_NEAR(pkm_contact_restitution(0.0), 1.0, 0.0);
    // series and closed form meet; the next term of the series is 1e-12
    CHECK_NEAR(pkm_contact_chi(1.0 - 0.99999e-4), pkm_contact_chi(1.0 - 1.00001e-4), 4e-9);
    CHECK_NEAR(pkm_contact_restitution(0.99999e-4), pkm_contact_restitution(1.00001e-4), 2e-9);
}

/// Of a chi above 1 restitutions below 1/chi come into question: from there on, the equation (the
/// logarithm of zero and less) is not asked.
static void restitution_is_looked_for_where_the_equation_is_defined(void)
{
    feclearexcept(FE_INVALID | FE_DIVBYZERO);
    for (double chi = 1.5; chi < 100.0; chi *= 1.7) {
        const double e = pkm_contact_restitution(chi);
        CHECK(e > 0.0 && chi * e < 1.0);
        CHECK_NEAR(pkm_contact_chi(e), chi, 1e-9 * chi);
    }
    CHECK(!fetestexcept(FE_INVALID | FE_DIVBYZERO));
}

static void hertz_gives_all_back(void)
{
    const pkm_contact_law law = law_of(PKM_CONTACT_HERTZ, 0.5);
    double deepest;
    CHECK_NEAR(drop(&law, 0.34, 0.3, &deepest) / 0.3, 1.0, 1e-9);
    CHECK_NEAR(deepest / pow(1.25 * 0.34 * 0.09 / law.stiffness, 0.4), 1.0, 1e-6);
}

/// With the step passed at once (d_max far below the penetration) and n = 1 IMPACT is a linear
/// damped oscillator: it leaves where F = 0, with restitution exp(-zeta/sqrt(1-zeta^2) (pi - phi)).
/// Five coefficients; d_max adds a delay of d_max/v0, 1e-5 of the period.
static void impact_is_the_damped_oscillator(void)
{
    const double mass = 2.0, K = 8e6, speed = 0.1, omega = sqrt(K / mass);
    for (int i = 0; i < 5; ++i) {
        const double zeta = 0.05 + 0.15 * i;
        pkm_contact_law law = pkm_contact_law_defaults(PKM_CONTACT_IMPACT);
        law.stiffness = K, law.exponent = 1.0;
        law.damping = 2.0 * zeta * mass * omega, law.full_depth = 1e-10;
        CHECK(pkm_contact_law_finish(&law, NULL) == PKM_OK);
        double d = 1e-10, v = speed, v_last = v;
        const double h = 1e-4 / omega;
        do { // midpoint rule
            const double f = pkm_contact_law_force(&law, d, v, 0.0).force;
            const double dm = d + 0.5 * h * v, vm = v - 0.5 * h * f / mass;
            v_last = v;
            v -= h * pkm_contact_law_force(&law, dm, vm, 0.0).force / mass;
            d += h * vm;
        } while (v > 0.0 || pkm_contact_law_force(&law, d, v, 0.0).force > 0.0);
        const double root = sqrt(1.0 - zeta * zeta);
        const double e = exp(-zeta / root * atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0));
        CHECK_NEAR(-v_last / speed, e, 1e-4);
    }
}

static void impact_damping_rises_by_a_cubic_step(void)
{
    const pkm_contact_law law = law_of(PKM_CONTACT_IMPACT, 1.0);
    const double at[] = {0.5e-6, 1e-6, 2e-6, 5e-6}, part[] = {0.15625, 0.5, 1.0, 1.0};
    for (int i = 0; i < 4; ++i) {
        const double elastic = law.stiffness * pow(at[i], 1.5);
        CHECK_NEAR(pkm_contact_law_force(&law, at[i], 0.01, 9.0).force - elastic,
                   part[i] * 4e4 * 0.01, 1e-9);
    }
}

static void surfaces_never_pull(void)
{
    for (int k = 0; k < PKM_N_CONTACT_KIND; ++k) {
        const pkm_contact_law law = law_of((pkm_contact_kind)k, 0.3);
        for (double d = -1e-6; d < 5e-6; d += 3.3e-7)
            for (double v = -50.0; v < 5.0; v += 0.77) {
                const pkm_contact_force f = pkm_contact_law_force(&law, d, v, 0.1);
                CHECK(f.force >= 0.0 && f.lost >= 0.0 && f.stored >= 0.0);
                if (d <= 0.0) CHECK(f.force == 0.0 && f.stored == 0.0);
            }
    }
}

static void slow_touches_use_the_least_speed(void)
{
    const pkm_contact_law law = law_of(PKM_CONTACT_LANKARANI_NIKRAVESH, 0.9);
    const double at_rest = pkm_contact_law_force(&law, 1e-6, 1e-3, 0.0).force;
    CHECK_NEAR(at_rest, pkm_contact_law_force(&law, 1e-6, 1e-3, 1e-3).force, 0.0);
    CHECK_NEAR(at_rest, 1.524e11 * 1e-9 * 1.1425, 1e-9);
}

// ---- elastic part -----------------------------------------------------------------------------

static pkm_contact_law elastic_of(pkm_elastic_kind kind, double clearance)
{
    pkm_contact_law law = pkm_contact_law_defaults(PKM_CONTACT_HERTZ);
    const double modulus = pkm_contact_modulus((pkm_contact_material){2.07e11, 0.3},
                                               (pkm_contact_material){2.07e11, 0.3});
    if (kind == PKM_ELASTIC_POWER) pkm_contact_law_set_hertz(&law, modulus, 0.01, clearance);
    if (kind == PKM_ELASTIC_BALL) pkm_contact_law_set_ball(&law, modulus, 0.01, clearance);
    if (kind == PKM_ELASTIC_CYLINDER) pkm_contact_law_set_cylinder(&law, modulus, 0.02, clearance);
    CHECK(pkm_contact_law_finish(&law, NULL) == PKM_OK);
    return law;
}

/// K of SIAX, steel balls of 10 mm with 0.1 mm of clearance: 1.524e11 as printed.
static void hertz_stiffness_of_siax(void)
{
    CHECK_NEAR(elastic_of(PKM_ELASTIC_POWER, 1e-4).stiffness / 1.524e11, 1.0, 3e-4);
}

static void conformal_ball_is_hertz_under_light_loads(void)
{
    const pkm_contact_law hertz = elastic_of(PKM_ELASTIC_POWER, 1e-4);
    const pkm_contact_law ball = elastic_of(PKM_ELASTIC_BALL, 1e-4);
    const double at = 1e-9; // 5/6 of d/clearance = 1e-5 below Hertz
    CHECK_NEAR(pkm_contact_elastic(&ball, at) / pkm_contact_elastic(&hertz, at), 1.0, 1e-5);
    // softer than Hertz when the contact wraps around: D = 2 clearance, factor 2.5/3/sqrt(2)
    CHECK_NEAR(pkm_contact_elastic(&ball, 1e-4) / pkm_contact_elastic(&hertz, 1e-4),
               2.5 / 3.0 / sqrt(2.0), 1e-12);
}

/// pi/2 E* L d sqrt(d/(2 (clearance + d))) written out: E* = 1.13736e11, L = 20 mm, d =
/// clearance/10.
static void cylinder_is_the_formula_of_liu(void)
{
    const pkm_contact_law law = elastic_of(PKM_ELASTIC_CYLINDER, 5e-5);
    const double modulus = 0.5 * 2.07e11 / 0.91, pi = acos(-1.0);
    CHECK_NEAR(pkm_contact_elastic(&law, 5e-6) /
                   (0.5 * pi * modulus * 0.02 * 5e-6 * sqrt(5e-6 / 1.1e-4)),
               1.0, 1e-14);
}

// Central differences over 1e-4 of the depth leave 1e-8 of a slope and 1e-9 of an energy's.
static void slopes_and_energies_belong_to_the_forces(void)
{
    const pkm_elastic_kind kind[] = {PKM_ELASTIC_POWER, PKM_ELASTIC_BALL, PKM_ELASTIC_CYLINDER};
    for (int k = 0; k < 3; ++k) {
        const pkm_contact_law law = elastic_of(kind[k], 1e-4);
        for (double d = 1e-8; d < 2e-2; d *= 1.7) {
            const double h = 1e-4 * d, force = pkm_contact_elastic(&law, d);
            const double f = pkm_contact_elastic(&law, d + h) - pkm_contact_elastic(&law, d - h);
            const double u =
                pkm_contact_elastic_energy(&law, d + h) - pkm_contact_elastic_energy(&law, d - h);
            CHECK_NEAR(f / (2.0 * h) / pkm_contact_elastic_slope(&law, d), 1.0, 1e-8);
            CHECK_NEAR(u / (2.0 * h) / force, 1.0, 1e-8);
        }
    }
}

static void static_depth_is_the_inverse(void)
{
    const pkm_elastic_kind kind[] = {PKM_ELASTIC_POWER, PKM_ELASTIC_BALL, PKM_ELASTIC_CYLINDER};
    for (int k = 0; k < 3; ++k) {
        const pkm_contact_law law = elastic_of(kind[k], 1e-4);
        CHECK_NEAR(pkm_contact_static_depth(&law, 0.0), 0.0, 0.0);
        for (double d = 1e-9; d < 1e-2; d *= 3.1)
            CHECK_NEAR(pkm_contact_static_depth(&law, pkm_contact_elastic(&law, d)) / d, 1.0,
                       1e-12);
    }
}

static void slopes_of_the_laws_are_the_derivatives(void)
{
    for (int k = 0; k < PKM_N_CONTACT_KIND; ++k) {
        const pkm_contact_law law = law_of((pkm_contact_kind)k, 0.6);
        for (double v = -0.09; v < 0.3; v += 0.071) {
            const double d = 1.3e-6, hd = 1e-11, hv = 1e-6;
            double by_depth, by_rate;
            pkm_contact_law_slopes(&law, d, v, 0.2, &by_depth, &by_rate);
            const double fd = pkm_contact_law_force(&law, d + hd, v, 0.2).force -
                              pkm_contact_law_force(&law, d - hd, v, 0.2).force;
            const double fv = pkm_contact_law_force(&law, d, v + hv, 0.2).force -
                              pkm_contact_law_force(&law, d, v - hv, 0.2).force;
            CHECK_NEAR(by_depth, fd / (2.0 * hd), 1e-6 * (1e8 + fabs(by_depth)));
            CHECK_NEAR(by_rate, fv / (2.0 * hv), 1e-6 * (1.0 + fabs(by_rate)));
        }
    }
}

// ---- rest -------------------------------------------------------------------------------------

/// A ball under its weight, with a little damping, comes to rest at the static penetration.
static void seated_ball_sits_at_the_static_penetration(void)
{
    for (int k = 1; k < 5; ++k) {
        const pkm_contact_law law = law_of((pkm_contact_kind)k, 0.5);
        const double mass = 0.5, load = 4.905, h = 1e-6;
        double d = 0.0, v = 0.0;
        for (int i = 0; i < 200000; ++i) { // 0.2 s, semi-implicit Euler: its rest point is exact
            v += h * (load - pkm_contact_law_force(&law, d, v, 0.01).force) / mass;
            d += h * v;
        }
        CHECK_NEAR(d, pow(load / law.stiffness, 2.0 / 3.0), 1e-9);
        CHECK_NEAR(d, pkm_contact_static_depth(&law, load), 1e-9);
    }
}

// ---- input ------------------------------------------------------------------------------------

static void expect_error(pkm_contact_law law, const char* text)
{
    pkm_error err = {0};
    CHECK(pkm_contact_law_finish(&law, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, text);
}

static void parameters_out_of_range_are_named(void)
{
    pkm_contact_law law = law_of(PKM_CONTACT_FLORES, 0.5);
    law.stiffness = 0.0;
    expect_error(law, "clearance: stiffness 0, expected a number > 0");
    law = law_of(PKM_CONTACT_FLORES, 0.5);
    law.restitution = 0.0;
    expect_error(law, "clearance: restitution 0, expected a number > 0 and <= 1");
    law = law_of(PKM_CONTACT_LANKARANI_NIKRAVESH, 0.5);
    law.restitution = -0.1;
    expect_error(law, "clearance: restitution -0.1, expected a number >= 0 and <= 1");
    law.restitution = 1.01;
    expect_error(law, "clearance: restitution 1.01, expected a number >= 0 and <= 1");
    law = law_of(PKM_CONTACT_HERTZ, 1.0);
    law.exponent = 0.9;
    expect_error(law, "clearance: exponent 0.9, expected a number >= 1");
    law = law_of(PKM_CONTACT_HERTZ, 1.0);
    law.impact_floor = 0.0;
    expect_error(law, "clearance: impact_floor 0, expected a number > 0");
    law = law_of(PKM_CONTACT_IMPACT, 1.0);
    law.damping = -1.0;
    expect_error(law, "clearance: damping -1, expected a number >= 0");
    law = law_of(PKM_CONTACT_IMPACT, 1.0);
    law.full_depth = 0.0;
    expect_error(law, "clearance: full_depth 0, expected a number > 0");
}

static void laws_say_where_they_do_not_hold(void)
{
    for (int k = 0; k < PKM_N_CONTACT_KIND; ++k) {
        const pkm_contact_law near = law_of((pkm_contact_kind)k, 0.9);
        const pkm_contact_law far = law_of((pkm_contact_kind)k, 0.4);
        const bool first_order =
            k == PKM_CONTACT_LANKARANI_NIKRAVESH || k == PKM_CONTACT_HUNT_CROSSLEY;
        CHECK(pkm_contact_law_warning(&near) == NULL);
        CHECK((pkm_contact_law_warning(&far) != NULL) == first_order);
    }
}

// Laws that lose by restitution return 0.9 of the speed when nothing is said (docs/reference); a
// purely elastic one and one with a damper of its own have none to lose.
static void restitution_that_is_not_given(void)
{
    for (pkm_contact_kind kind = PKM_CONTACT_HERTZ; kind <= PKM_CONTACT_IMPACT; ++kind) {
        const bool by_restitution = kind != PKM_CONTACT_HERTZ && kind != PKM_CONTACT_IMPACT;
        CHECK_NEAR(pkm_contact_law_defaults(kind).restitution, by_restitution ? 0.9 : 1.0, 0.0);
    }
}

int main(void)
{
    RUN(restitution_that_is_not_given);
    RUN(dropped_ball_leaves_with_the_restitution_of_the_closed_form);
    RUN(largest_penetration_is_that_of_the_integral);
    RUN(gonthier_and_flores_return_what_was_asked);
    RUN(restitution_is_looked_for_where_the_equation_is_defined);
    RUN(hertz_gives_all_back);
    RUN(impact_is_the_damped_oscillator);
    RUN(impact_damping_rises_by_a_cubic_step);
    RUN(surfaces_never_pull);
    RUN(slow_touches_use_the_least_speed);
    RUN(hertz_stiffness_of_siax);
    RUN(conformal_ball_is_hertz_under_light_loads);
    RUN(cylinder_is_the_formula_of_liu);
    RUN(slopes_and_energies_belong_to_the_forces);
    RUN(static_depth_is_the_inverse);
    RUN(slopes_of_the_laws_are_the_derivatives);
    RUN(seated_ball_sits_at_the_static_penetration);
    RUN(parameters_out_of_range_are_named);
    RUN(laws_say_where_they_do_not_hold);
    return check_report();
}
