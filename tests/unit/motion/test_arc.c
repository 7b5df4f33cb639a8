// Limits on arcs and circles hold for the vectors: with the centripetal part along the way.
#include "pkm/motion.h"

#include "check.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;

static pkm_motion* create(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return motion;
}

static pkm_motion_spec circle(pkm_law law)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "ring";
    spec.law = law;
    spec.path = PKM_PATH_CIRCLE;
    spec.center = pkm_vec3_make(0.1, -0.2, 0.3);
    spec.normal = pkm_vec3_make(1.0, 2.0, 2.0);
    spec.radius = 0.1;
    return spec;
}

/// Largest acceleration and jerk of the tool, found on a grid: from the ways of the tool alone, by
/// differences, where `h` > 0.
static void look(const pkm_motion* motion, double h, double* a, double* jerk)
{
    enum { N = 100000 };
    const double T = pkm_motion_duration(motion);
    *a = *jerk = 0.0;
    for (int i = 0; i <= N; ++i) {
        const double t = h + (T - 2.0 * h) * i / N;
        pkm_frame_motion at[3];
        pkm_vec3 j;
        for (int k = 0; k < 3; ++k)
            pkm_motion_tool(motion, t + (k - 1) * h, &at[k], &j);
        const pkm_vec3 ends = pkm_vec3_add(at[0].pose.p, at[2].pose.p);
        const pkm_vec3 bend = pkm_vec3_axpy(ends, -2.0, at[1].pose.p);
        *a = fmax(*a, h > 0.0 ? pkm_vec3_norm(bend) / (h * h) : pkm_vec3_norm(at[1].a));
        *jerk = fmax(*jerk, pkm_vec3_norm(j));
    }
}

// A trapezoid of v and a on a circle has its largest acceleration where the ramp ends: a along and
// v^2/r across. Stretched by k both fall with k^2, so k^4 = 1 + (v^2/(r a))^2.
static void the_limit_holds_with_the_centripetal_part(void)
{
    const double v = 0.5, a = 6.0, r = 0.1, T = 2.0 * PI * r / v + v / a;
    pkm_motion_spec spec = circle(PKM_LAW_TRAPEZOIDAL);
    spec.max_speed = v;
    spec.max_acceleration = a;
    pkm_motion* motion = create(&spec);
    CHECK_NEAR(pkm_motion_duration(motion), T * pow(1.0 + pow(v * v / (r * a), 2.0), 0.25), 1e-9);
    double most, jerk;
    look(motion, 1e-4, &most, &jerk);
    CHECK(most <= a * (1.0 + 1e-6));
    CHECK_NEAR(most, a, 1e-2);
    pkm_motion_free(motion);
}

// A given duration is judged by the same vector.
static void a_duration_too_short_for_the_circle_is_refused(void)
{
    pkm_motion_spec spec = circle(PKM_LAW_QUINTIC);
    spec.max_acceleration = 6.0;
    pkm_motion* motion = create(&spec);
    const double T = pkm_motion_duration(motion);
    pkm_motion_free(motion);
    spec.duration = 0.999 * T;
    pkm_error err = {0};
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "ring: duration");
    CHECK_CONTAINS(err.text, "too short for its limits where the way is curved");
    spec.duration = 1.2 * T;
    motion = create(&spec);
    double most, jerk;
    look(motion, 0.0, &most, &jerk);
    CHECK_NEAR(most, 6.0 / 1.44, 1e-4);
    pkm_motion_free(motion);
}

// Every law with each of its limits on an arc: kept, and one of them met.
static void limits_are_met_on_arcs(void)
{
    static const pkm_vec3 through[] = {{0, 0, 0}, {0.1, 0.1, 0.05}, {0.2, 0, 0}};
    static const pkm_law laws[] = {PKM_LAW_CUBIC, PKM_LAW_QUINTIC, PKM_LAW_SEPTIC, PKM_LAW_S_CURVE};
    for (int k = 0; k < 4; ++k) {
        pkm_motion_spec spec = circle(laws[k]);
        spec.path = PKM_PATH_ARC;
        spec.center = spec.normal = pkm_motion_spec_defaults().center;
        spec.radius = NAN;
        spec.point = through;
        spec.n_point = 3;
        spec.max_acceleration = 4.0;
        if (laws[k] != PKM_LAW_CUBIC) spec.max_jerk = 50.0;
        pkm_motion* motion = create(&spec);
        double a, jerk;
        look(motion, 0.0, &a, &jerk);
        if (laws[k] == PKM_LAW_CUBIC) jerk = 0.0;
        CHECK(a <= 4.0 * (1.0 + 1e-9) && jerk <= 50.0 * (1.0 + 1e-9));
        CHECK_NEAR(fmax(a / 4.0, jerk / 50.0), 1.0, 1e-3);
        pkm_motion_free(motion);
    }
}

// A straight leg and a limit of the speed alone know no curve.
static void speed_alone_is_that_along_the_way(void)
{
    pkm_motion_spec spec = circle(PKM_LAW_QUINTIC);
    spec.max_speed = 0.5;
    pkm_motion* motion = create(&spec);
    CHECK_NEAR(pkm_motion_duration(motion), 1.875 * 2.0 * PI * 0.1 / 0.5, 1e-12);
    pkm_motion_free(motion);
}

int main(void)
{
    RUN(the_limit_holds_with_the_centripetal_part);
    RUN(a_duration_too_short_for_the_circle_is_refused);
    RUN(limits_are_met_on_arcs);
    RUN(speed_alone_is_that_along_the_way);
    return check_report();
}
