#include "pkm/motion.h"

#include "check.h"
#include "math/vec3.h"

static const pkm_vec3 WAY[] = {{0, 0, 0}, {0.4, 0, 0}, {0.4, 0.3, 0}, {0.4, 0.3, 0.2}};
static const pkm_vec3 TURN[] = {{0, 0, 0}, {0.1, 0, 0.2}, {0, 0, 0.4}, {0, 0.3, 0.4}};

static pkm_motion_spec corners(double blend)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "corners";
    spec.duration = 1.0;
    spec.path = PKM_PATH_POLYLINE;
    spec.n_point = 4;
    spec.point = WAY;
    spec.rpy = TURN;
    spec.n_rpy = 4;
    spec.blend = blend;
    return spec;
}

static pkm_motion* create(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return motion;
}

/// Distance of p from the line of leg k.
static double off_leg(pkm_vec3 p, int k)
{
    const pkm_vec3 e = pkm_vec3_unit(pkm_vec3_sub(WAY[k + 1], WAY[k]));
    const pkm_vec3 r = pkm_vec3_sub(p, WAY[k]);
    return pkm_vec3_norm(pkm_vec3_axpy(r, -pkm_vec3_dot(r, e), e));
}

// The tool never stops, is on one of the legs more than `blend` away from every corner, and cuts a
// corner by 5/32 blend |e2 - e1|.
static void corners_are_cut_and_nowhere_else(void)
{
    const double blend = 0.08;
    const pkm_motion_spec spec = corners(blend);
    pkm_motion* motion = create(&spec);
    double nearest = 1.0;
    for (int i = 0; i <= 4000; ++i) {
        pkm_frame_motion at;
        pkm_motion_tool(motion, i / 4000.0, &at, NULL);
        double corner = 1.0, leg = 1.0;
        for (int k = 1; k < 3; ++k)
            corner = fmin(corner, pkm_vec3_norm(pkm_vec3_sub(at.pose.p, WAY[k])));
        for (int k = 0; k < 3; ++k)
            leg = fmin(leg, off_leg(at.pose.p, k));
        if (corner > blend) CHECK(leg < 1e-14);
        if (i > 400 && i < 3600) CHECK(pkm_vec3_norm(at.v) > 0.05);
        nearest = fmin(nearest, corner);
    }
    CHECK_NEAR(nearest, 5.0 / 32.0 * blend * sqrt(2.0), 1e-6);
    pkm_frame_motion end;
    pkm_motion_tool(motion, 1.0, &end, NULL);
    CHECK(pkm_vec3_norm(pkm_vec3_sub(end.pose.p, WAY[3])) < 1e-15);
    CHECK(pkm_vec3_norm(end.v) == 0.0);
    pkm_motion_free(motion);
}

// v, a and jerk are derivatives of each other, through the corners and in the angles too.
static void derivatives_are_continuous(void)
{
    const pkm_motion_spec spec = corners(0.1);
    pkm_motion* motion = create(&spec);
    const double h = 1e-5;
    for (int i = 1; i < 500; ++i) {
        const double t = i / 500.0;
        pkm_frame_motion m[3];
        pkm_vec3 jerk[3];
        for (int k = 0; k < 3; ++k)
            pkm_motion_tool(motion, t + (k - 1) * h, &m[k], &jerk[k]);
        const pkm_vec3 v = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(m[2].pose.p, m[0].pose.p));
        const pkm_vec3 a = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(m[2].v, m[0].v));
        const pkm_vec3 j = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(m[2].a, m[0].a));
        const pkm_vec3 alpha = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(m[2].w, m[0].w));
        CHECK(pkm_vec3_norm(pkm_vec3_sub(v, m[1].v)) < 1e-6);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(a, m[1].a)) < 1e-4);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(j, jerk[1])) < 0.2); // the jerk has kinks
        CHECK(pkm_vec3_norm(pkm_vec3_sub(alpha, m[1].alpha)) < 1e-4);
    }
    pkm_motion_free(motion);
}

// Without a duration the motion is as fast as speed and acceleration allow, corners included.
static void limits_hold_in_the_corners(void)
{
    pkm_motion_spec spec = corners(0.05);
    spec.law = PKM_LAW_TRAPEZOIDAL;
    spec.duration = NAN;
    spec.max_speed = 2.0;
    spec.max_acceleration = 10.0;
    pkm_motion* motion = create(&spec);
    const double T = pkm_motion_duration(motion);
    double most_a = 0.0, most_v = 0.0;
    for (int i = 0; i <= 100000; ++i) {
        pkm_frame_motion at;
        pkm_motion_tool(motion, T * i / 100000.0, &at, NULL);
        most_a = fmax(most_a, pkm_vec3_norm(at.a));
        most_v = fmax(most_v, pkm_vec3_norm(at.v));
    }
    CHECK_NEAR(most_a, 10.0, 1e-3); // between the looks of this loop
    CHECK(most_a <= 10.0 * (1.0 + 1e-9));
    CHECK(most_v <= 2.0);
    pkm_motion_free(motion);

    spec.duration = 0.9 * T;
    pkm_error err = {0};
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "too short for its limits where the way is curved");
}

static void bad_blends_are_named(void)
{
    pkm_error err = {0};
    pkm_motion* motion = NULL;
    pkm_motion_spec spec = corners(0.16);
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text,
                   "blend 0.16 m does not fit on leg 2 of 0.3 m, expected at most 0.15 m");
    spec = corners(0.0);
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "blend 0 m, expected > 0");
    spec = corners(0.1);
    spec.path = PKM_PATH_LINE;
    spec.n_point = spec.n_rpy = 2;
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "blend belongs to a polyline");
}

int main(void)
{
    RUN(corners_are_cut_and_nowhere_else);
    RUN(derivatives_are_continuous);
    RUN(limits_hold_in_the_corners);
    RUN(bad_blends_are_named);
    return check_report();
}
