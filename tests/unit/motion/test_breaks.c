// Breaks of motions: where pieces begin and end, and whether the velocity jumps there.
#include "check.h"
#include "motion/breaks.h"

#include <math.h>

static pkm_motion* polyline(pkm_law law, double hold)
{
    static const pkm_vec3 point[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    pkm_motion* motion = NULL;
    spec.name = "way";
    spec.path = PKM_PATH_POLYLINE;
    spec.law = law;
    spec.duration = 2.0;
    spec.n_point = 3;
    spec.point = point;
    spec.hold_before = hold;
    CHECK(pkm_motion_create(&spec, &motion, NULL) == PKM_OK);
    return motion;
}

// Two legs of a second each, ramps of a third, after half a second of rest.
static void pieces_of_a_trapezoid_are_found(void)
{
    static const double at[] = {
        0.5, 0.5 + 1 / 3.0, 0.5 + 2 / 3.0, 1.5, 1.5 + 1 / 3.0, 1.5 + 2 / 3.0, 2.5};
    pkm_motion* motion = polyline(PKM_LAW_TRAPEZOIDAL, 0.5);
    double t = -1.0;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; ++i) {
        double next = pkm_motion_next_break(motion, t);
        while (next - t < 1e-12) // the same instant to rounding
            next = pkm_motion_next_break(motion, next);
        CHECK_NEAR(next, at[i], 1e-12);
        t = next;
    }
    pkm_motion_free(motion);
}

static void only_laws_of_constant_speed_jump(void)
{
    static const pkm_law smooth[] = {PKM_LAW_CUBIC, PKM_LAW_QUINTIC, PKM_LAW_SEPTIC,
                                     PKM_LAW_TRAPEZOIDAL};
    double jump;
    for (int i = 0; i < 4; ++i) {
        pkm_motion* motion = polyline(smooth[i], 0.5);
        CHECK(pkm_motion_find_jump(motion, 10.0, &jump) == HUGE_VAL);
        pkm_motion_free(motion);
    }
    pkm_motion* motion = polyline(PKM_LAW_CONSTANT, 0.0); // the corner, then the end
    CHECK_NEAR(pkm_motion_find_jump(motion, 10.0, &jump), 1.0, 1e-12);
    CHECK_NEAR(jump, 1.0, 1e-12);
    CHECK(pkm_motion_find_jump(motion, 1.0, &jump) == HUGE_VAL);
    pkm_motion_free(motion);
    motion = polyline(PKM_LAW_CONSTANT, 0.5);
    CHECK_NEAR(pkm_motion_find_jump(motion, 10.0, &jump), 0.5, 1e-12);
    pkm_motion_free(motion);
}

// On the second leg of a quintic way: accelerations are the rates of velocities.
static void components_are_those_of_the_tool(void)
{
    const double t = 1.3, h = 1e-5;
    double v[PKM_MAX_DRIVE + 6], before[PKM_MAX_DRIVE + 6], a[PKM_MAX_DRIVE + 6];
    pkm_motion* motion = polyline(PKM_LAW_QUINTIC, 0.0);
    CHECK(pkm_motion_components(motion, t + h, 1, v) == 6);
    CHECK(pkm_motion_components(motion, t - h, 1, before) == 6);
    CHECK(pkm_motion_components(motion, t, 2, a) == 6);
    CHECK(fabs(v[1]) > 0.5 && v[0] == 0.0);
    for (int i = 0; i < 6; ++i)
        CHECK_NEAR((v[i] - before[i]) / (2.0 * h), a[i], 1e-7); // h^2 of the third derivative
    pkm_motion_free(motion);
}

int main(void)
{
    RUN(components_are_those_of_the_tool);
    RUN(pieces_of_a_trapezoid_are_found);
    RUN(only_laws_of_constant_speed_jump);
    return check_report();
}
