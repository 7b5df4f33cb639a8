// The largest stress of a section under an axial force and two bending moments, by hand.
#include "check.h"
#include "flexible/body.h"

static const pkm_beam_point LOADED = {.force = 1200.0, .moment = {7.0, 30.0, -20.0}};

// Width b along y, height h along z: N/A + 6 |My| / (b h^2) + 6 |Mz| / (h b^2) at a corner.
static void corners_of_a_rectangle_bear_both_moments(void)
{
    const double b = 0.02, h = 0.05;
    pkm_beam_section s;
    CHECK(pkm_beam_section_rectangle(b, h, PKM_BEAM_TORSION_ST_VENANT, &s, NULL) == PKM_OK);
    const double bending = 6.0 * 30.0 / (b * h * h) + 6.0 * 20.0 / (h * b * b);
    CHECK_NEAR(pkm_flexible_stress(&s, &LOADED), 1200.0 / (b * h) + bending, 1e-6);
    pkm_beam_point pressed = LOADED;
    pressed.force = -1200.0;
    CHECK_NEAR(pkm_flexible_stress(&s, &pressed), -1200.0 / (b * h) - bending, 1e-6);
}

// A round bar bends about the resultant: 32 |M| / (pi d^3).
static void round_bars_bear_the_resultant(void)
{
    const double d = 0.03, pi = 3.14159265358979323846;
    pkm_beam_section s;
    CHECK(pkm_beam_section_round(d, &s, NULL) == PKM_OK);
    const double want = 1200.0 * 4.0 / (pi * d * d) + 32.0 * hypot(30.0, 20.0) / (pi * d * d * d);
    CHECK_NEAR(pkm_flexible_stress(&s, &LOADED), want, 1e-6);
}

int main(void)
{
    RUN(corners_of_a_rectangle_bear_both_moments);
    RUN(round_bars_bear_the_resultant);
    return check_report();
}
