#include "check.h"
#include "math/vec3.h"

#include <float.h>

/// Powers of two as factors: the direction is that of the vector without them, bit for bit.
static void directions_have_any_length(void)
{
    static const int exponent[] = {-1070, -1000, -600, -3, 0, 5, 600, 1000, 1022};
    static const pkm_vec3 v = {0.75, -1.5, 0.375};
    const pkm_vec3 u = pkm_vec3_unit(v);
    for (size_t k = 0; k < sizeof exponent / sizeof exponent[0]; ++k) {
        const double s = ldexp(1.0, exponent[k]);
        pkm_vec3 d;
        CHECK(pkm_vec3_direction(pkm_vec3_scale(s, v), &d));
        CHECK(d.x == u.x && d.y == u.y && d.z == u.z);
    }
    CHECK_NEAR(pkm_vec3_norm(u), 1.0, 2.0 * DBL_EPSILON);
}

static void a_component_may_be_far_smaller(void)
{
    pkm_vec3 d;
    CHECK(pkm_vec3_direction((pkm_vec3){1e300, 1.0, 1.0}, &d));
    CHECK(d.x == 1.0 && d.y <= 1e-299 && d.z <= 1e-299);
    CHECK(pkm_vec3_direction((pkm_vec3){DBL_MAX, DBL_MAX, 0.0}, &d));
    CHECK_NEAR(d.x, sqrt(0.5), 2.0 * DBL_EPSILON);
}

static void nothing_and_infinity_have_none(void)
{
    static const pkm_vec3 none[] = {
        {0.0, 0.0, 0.0}, {0.0, NAN, 1.0}, {HUGE_VAL, 0.0, 1.0}, {1.0, 0.0, -HUGE_VAL}};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; ++k) {
        pkm_vec3 d;
        CHECK(!pkm_vec3_direction(none[k], &d));
    }
}

int main(void)
{
    RUN(directions_have_any_length);
    RUN(a_component_may_be_far_smaller);
    RUN(nothing_and_infinity_have_none);
    return check_report();
}
