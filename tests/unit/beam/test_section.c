// Sections and materials against textbook values.
#include "beam/section.h"
#include "check.h"

static const double PI = 3.14159265358979323846;

static void round_bar_has_the_textbook_moments(void)
{
    pkm_beam_section s;
    CHECK(pkm_beam_section_round(0.02, &s, NULL) == PKM_OK);
    CHECK_NEAR(s.A, PI * 1e-4, 1e-18);
    CHECK_NEAR(s.Iy, PI * 1.6e-7 / 64.0, 1e-22);
    CHECK_NEAR(s.Iz, s.Iy, 0.0);
    CHECK_NEAR(s.J, PI * 1.6e-7 / 32.0, 1e-22);
    CHECK_NEAR(s.Ip, s.J, 0.0);
}

/// The SIAX rod: 20 mm, 0.34 kg of steel on 1.106 m; EA and EI from the reference file.
static void thin_tube_has_the_reference_stiffness(void)
{
    pkm_beam_section s;
    CHECK(pkm_beam_section_tube(0.02, 2.0 * 0.009352, &s, NULL) == PKM_OK);
    const pkm_beam_material steel = pkm_beam_material_make(207e9, 0.29, 7801.0);
    CHECK_NEAR(steel.E * s.A, 8.155e6, 0.5e3);
    CHECK_NEAR(steel.E * s.Iz, 382.18, 0.02); // the inner radius is printed to 1e-6 m
    // Half a digit of the inner radius is 0.08 % of the wall.
    CHECK_NEAR(1.106 * pkm_beam_mass_per_length(&s, &steel), 0.34, 2.7e-4);
}

/// Torsion of rectangles: Timoshenko and Goodier's table of J / (a b^3).
static void rectangles_twist_as_st_venant_says(void)
{
    const double ratio[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0};
    const double table[] = {0.1406, 0.166, 0.196, 0.229, 0.249, 0.263, 0.281, 0.291, 0.312};
    for (int i = 0; i < 9; ++i) {
        pkm_beam_section s;
        const double b = 0.01, a = ratio[i] * b;
        CHECK(pkm_beam_section_rectangle(a, b, PKM_BEAM_TORSION_ST_VENANT, &s, NULL) == PKM_OK);
        CHECK_NEAR(s.J / (a * b * b * b), table[i], i == 0 ? 5e-5 : 5e-4);
        pkm_beam_section turned;
        CHECK(pkm_beam_section_rectangle(b, a, PKM_BEAM_TORSION_ST_VENANT, &turned, NULL) ==
              PKM_OK);
        CHECK_NEAR(turned.J, s.J, 1e-15 * s.J);
        CHECK_NEAR(turned.Iy, s.Iz, 1e-15 * s.Iz);
    }
}

/// The published figure for a square, to its digits; Kuo takes the polar moment instead.
static void a_square_is_softer_than_its_polar_moment(void)
{
    pkm_beam_section exact, polar;
    const double h = 5e-3, h4 = h * h * h * h;
    CHECK(pkm_beam_section_rectangle(h, h, PKM_BEAM_TORSION_ST_VENANT, &exact, NULL) == PKM_OK);
    CHECK(pkm_beam_section_rectangle(h, h, PKM_BEAM_TORSION_POLAR, &polar, NULL) == PKM_OK);
    CHECK_NEAR(exact.J / h4, 0.140577, 5e-7);
    CHECK_NEAR(polar.J, 1.041667e-10, 5e-17);
    CHECK_NEAR(exact.Ip, polar.Ip, 0.0);
    CHECK_NEAR(exact.Iy, 5.2083333e-11, 1e-17);
}

/// The series against the double sum of the membrane problem, 256/pi^6 a b^3 sum over odd m, n of
/// 1 / (m^2 n^2 (m^2 b^2/a^2 + n^2)) by another route: no tanh.
static void st_venant_meets_the_double_series(void)
{
    const double a = 0.03, b = 0.02, r = b / a;
    double sum = 0.0;
    for (int m = 1; m < 4000; m += 2)
        for (int n = 1; n < 4000; n += 2)
            sum += 1.0 / ((double)m * m * n * n * (m * m * r * r + (double)n * n));
    const double J = 256.0 / pow(PI, 6) * a * b * b * b * sum;
    pkm_beam_section s;
    CHECK(pkm_beam_section_rectangle(a, b, PKM_BEAM_TORSION_ST_VENANT, &s, NULL) == PKM_OK);
    CHECK_NEAR(s.J / J, 1.0, 1e-9); // the sum is cut at 4000: 1/4000^3
}

/// Cowper (1966) prints 0.886 for a round bar and 0.850 for a rectangle at nu = 0.3, and 0.53 for
/// a thin tube.
static void shear_factors_are_cowpers(void)
{
    const pkm_beam_material m = pkm_beam_material_make(1.0, 0.3, 1.0);
    pkm_beam_section s;
    CHECK(pkm_beam_section_round(0.1, &s, NULL) == PKM_OK);
    CHECK_NEAR(pkm_beam_section_kappa(&s, &m), 0.886, 5e-4);
    CHECK(pkm_beam_section_rectangle(0.1, 0.2, PKM_BEAM_TORSION_ST_VENANT, &s, NULL) == PKM_OK);
    CHECK_NEAR(pkm_beam_section_kappa(&s, &m), 0.850, 5e-4);
    CHECK(pkm_beam_section_tube(0.1, 0.0999999, &s, NULL) == PKM_OK);
    CHECK_NEAR(pkm_beam_section_kappa(&s, &m), 2.0 * 1.3 / (4.0 + 3.0 * 0.3), 1e-6);
    CHECK(pkm_beam_section_given(1.0, 1.0, 1.0, 1.0, 0.7, &s, NULL) == PKM_OK);
    CHECK_NEAR(pkm_beam_section_kappa(&s, &m), 0.7, 1e-15);
}

static void bad_sections_and_materials_are_named(void)
{
    pkm_beam_section s;
    pkm_error err;
    CHECK(pkm_beam_section_round(0.0, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "diameter 0 m, expected > 0");
    CHECK(pkm_beam_section_round(NAN, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_beam_section_tube(0.02, 0.02, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "inner diameter 0.02 m");
    CHECK(pkm_beam_section_rectangle(-0.01, 0.01, PKM_BEAM_TORSION_POLAR, &s, &err) ==
          PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "rectangle of -0.01 x 0.01 m");
    CHECK(pkm_beam_section_given(1.0, 0.0, 1.0, 1.0, 1.0, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "Iy 0 m4, expected > 0");
    const pkm_beam_material none = {0};
    CHECK(pkm_beam_material_check(&none, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "Young's modulus 0 Pa");
}

int main(void)
{
    RUN(round_bar_has_the_textbook_moments);
    RUN(thin_tube_has_the_reference_stiffness);
    RUN(rectangles_twist_as_st_venant_says);
    RUN(a_square_is_softer_than_its_polar_moment);
    RUN(st_venant_meets_the_double_series);
    RUN(shear_factors_are_cowpers);
    RUN(bad_sections_and_materials_are_named);
    return check_report();
}
