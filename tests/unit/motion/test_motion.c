#include "pkm/motion.h"

#include "base/memory.h"
#include "check.h"
#include "math/quat.h"

static const double PI = 3.14159265358979323846;

static double apart(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_norm(pkm_vec3_sub(a, b));
}

static pkm_motion* create(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    if (!motion) printf("    %s\n", err.text);
    return motion;
}

static pkm_frame_motion tool(const pkm_motion* motion, double t)
{
    pkm_frame_motion out;
    pkm_motion_tool(motion, t, &out, NULL);
    return out;
}

static const double FROM[3] = {0.1, NAN, NAN}, TO[3] = {0.5, -1.0, NAN};

static pkm_motion_spec drives_spec(void)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "stroke";
    spec.duration = 0.5;
    spec.path = PKM_PATH_DRIVES;
    spec.n_drive = 3;
    spec.drive_from = FROM;
    spec.drive_to = TO;
    return spec;
}

static void drives_not_named_stay_at_home(void)
{
    pkm_motion_spec spec = drives_spec();
    spec.hold_before = 0.2;
    spec.hold_after = 0.3;
    pkm_motion* m = create(&spec);
    const double home[3] = {9.0, 2.0, 3.0};
    CHECK(pkm_motion_set_home(m, home, NULL) == PKM_OK);
    CHECK(pkm_motion_is_drives(m) && !pkm_motion_turns(m));
    CHECK_TEXT(pkm_motion_name(m), "stroke");
    CHECK_NEAR(pkm_motion_duration(m), 1.0, 1e-15);

    double q[3], v[3], a[3], j[3];
    pkm_motion_drives(m, 0.1, q, v, a, j);
    CHECK(q[0] == 0.1 && q[1] == 2.0 && q[2] == 3.0);
    CHECK(v[0] == 0.0 && a[1] == 0.0 && j[1] == 0.0);
    pkm_motion_drives(m, 0.45, q, v, a, j);
    CHECK_NEAR(q[0], 0.3, 1e-15);
    CHECK_NEAR(q[1], 0.5, 1e-15);
    CHECK_NEAR(v[1], -3.0 * 1.875 / 0.5, 1e-13);
    CHECK_NEAR(j[1], -3.0 * -30.0 / 0.125, 1e-11);
    CHECK(q[2] == 3.0 && v[2] == 0.0 && a[2] == 0.0);
    pkm_motion_drives(m, 5.0, q, v, a, NULL);
    CHECK(q[0] == 0.5 && q[1] == -1.0 && v[1] == 0.0);
    pkm_motion_free(m);
}

// Drive 2 goes 3 (from home 2 to -1) and rules: v = 1, a = 4 take 3 + 0.25 s; drive 1 goes along.
static void fastest_drive_rules_and_all_stop_together(void)
{
    pkm_motion_spec spec = drives_spec();
    spec.law = PKM_LAW_TRAPEZOIDAL;
    spec.duration = NAN;
    spec.max_speed = 1.0;
    spec.max_acceleration = 4.0;
    pkm_motion* m = create(&spec);
    const double home[3] = {0.0, 2.0, 0.0};
    CHECK(pkm_motion_set_home(m, home, NULL) == PKM_OK);
    CHECK_NEAR(pkm_motion_duration(m), 3.25, 1e-14);
    double q[3], v[3], a[3];
    pkm_motion_drives(m, 1.0, q, v, a, NULL);
    CHECK_NEAR(v[1], -1.0, 1e-14);
    CHECK_NEAR(v[0], 0.4 / 3.0, 1e-14);
    pkm_motion_drives(m, 3.2, q, v, a, NULL);
    CHECK_NEAR(a[1], 4.0, 1e-13);
    CHECK_NEAR(a[0], -4.0 * 0.4 / 3.0, 1e-13);
    pkm_motion_free(m);
}

// With a duration and a speed limit the way from home decides whether both can be kept.
static void home_too_far_for_the_duration_is_refused(void)
{
    pkm_motion_spec spec = drives_spec();
    spec.law = PKM_LAW_CONSTANT;
    spec.max_speed = 4.0;
    pkm_motion* m = create(&spec);
    const double near[3] = {0.0, 0.5, 0.0}, far[3] = {0.0, 2.0, 0.0}, nan[3] = {0.0, NAN, 0.0};
    pkm_error err = {0};
    CHECK(pkm_motion_set_home(m, near, &err) == PKM_OK);
    CHECK(pkm_motion_set_home(m, far, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "stroke: duration 0.5 s is too short for its max_speed");
    CHECK(pkm_motion_set_home(m, nan, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "home of drive 2");
    double q[3], v[3], a[3];
    pkm_motion_drives(m, 0.0, q, v, a, NULL);
    CHECK(q[1] == 0.5); // a refused home changes nothing
    pkm_motion_free(m);
}

static const pkm_vec3 CORNER[4] = {{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.4, 0}, {0.3, 0.4, 0.5}};

static pkm_motion_spec polyline_spec(void)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "corners";
    spec.path = PKM_PATH_POLYLINE;
    spec.n_point = 4;
    spec.point = CORNER;
    spec.duration = 2.4;
    return spec;
}

// Legs of 0.3, 0.4, 0.5 m share 2.4 s as 0.6, 0.8, 1.0 s.
static void polyline_stops_at_its_corners(void)
{
    pkm_motion_spec spec = polyline_spec();
    spec.hold_before = 1.0;
    pkm_motion* m = create(&spec);
    const double at[4] = {1.0, 1.6, 2.4, 3.4};
    CHECK_NEAR(pkm_motion_duration(m), 3.4, 1e-15);
    for (int i = 0; i < 4; ++i) {
        const pkm_frame_motion f = tool(m, at[i]);
        CHECK_NEAR(apart(f.pose.p, CORNER[i]), 0.0, 1e-15);
        CHECK_NEAR(pkm_vec3_norm(f.v), 0.0, 1e-14);
        CHECK_NEAR(pkm_vec3_norm(f.a), 0.0, 1e-12);
    }
    const pkm_frame_motion half = tool(m, 2.0);
    CHECK_NEAR(apart(half.pose.p, pkm_vec3_make(0.3, 0.2, 0.0)), 0.0, 1e-15);
    CHECK_NEAR(half.v.y, 0.4 * 1.875 / 0.8, 1e-14);
    CHECK(half.pose.q.w == 1.0 && half.w.x == 0.0 && half.alpha.z == 0.0);
    pkm_motion_free(m);
}

// v = 1, a = 4: the legs of 0.3, 0.4, 0.5 m take 0.55, 0.65, 0.75 s.
static void polyline_times_come_from_the_limits(void)
{
    pkm_motion_spec spec = polyline_spec();
    spec.law = PKM_LAW_TRAPEZOIDAL;
    spec.duration = NAN;
    spec.max_speed = 1.0;
    spec.max_acceleration = 4.0;
    pkm_motion* m = create(&spec);
    CHECK_NEAR(pkm_motion_duration(m), 1.95, 1e-14);
    CHECK_NEAR(tool(m, 0.55 + 0.3).v.y, 1.0, 1e-14);
    pkm_motion_free(m);
}

// Two orientations are spread by way: after legs of 0.3 and 0.4 of 1.2 m, 7/12 of the turn is done.
static void polyline_turns_by_way_or_by_point(void)
{
    const pkm_vec3 two[2] = {{0, 0, 0}, {0, 0, 1.2}};
    const pkm_vec3 four[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    pkm_motion_spec spec = polyline_spec();
    spec.rpy = two;
    spec.n_rpy = 2;
    pkm_motion* m = create(&spec);
    CHECK(pkm_motion_turns(m));
    CHECK_NEAR(pkm_quat_to_rpy(tool(m, 1.4).pose.q).z, 0.7, 1e-14);
    pkm_motion_free(m);
    spec.rpy = four;
    spec.n_rpy = 0; // n_point
    m = create(&spec);
    CHECK_NEAR(apart(pkm_quat_to_rpy(tool(m, 1.4).pose.q), four[2]), 0.0, 1e-14);
    CHECK_NEAR(apart(pkm_quat_to_rpy(tool(m, 2.4).pose.q), four[3]), 0.0, 1e-14);
    pkm_motion_free(m);
}

static void circle_has_defaults_and_turns_back(void)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.path = PKM_PATH_CIRCLE;
    spec.law = PKM_LAW_CONSTANT;
    spec.max_speed = 0.2;
    spec.center = pkm_vec3_make(0, 0, 0.5);
    spec.radius = 0.1;
    pkm_motion* m = create(&spec);
    CHECK_NEAR(pkm_motion_duration(m), PI, 1e-14);
    CHECK_TEXT(pkm_motion_name(m), "motion");
    CHECK_NEAR(apart(tool(m, 0.0).pose.p, pkm_vec3_make(0.1, 0, 0.5)), 0.0, 1e-16);
    CHECK_NEAR(apart(tool(m, PI / 4).pose.p, pkm_vec3_make(0, 0.1, 0.5)), 0.0, 1e-16);
    pkm_motion_free(m);

    spec.angle = -PI / 2;
    spec.normal = pkm_vec3_make(0, 0, 3);
    spec.start = pkm_vec3_make(0, 2, 7); // its part in the plane is y
    m = create(&spec);
    CHECK_NEAR(apart(tool(m, 10.0).pose.p, pkm_vec3_make(0.1, 0, 0.5)), 0.0, 1e-16);
    CHECK_NEAR(tool(m, 0.1).v.x * 1.0, 0.2 * cos(0.2), 1e-15);
    pkm_motion_free(m);
}

static void inverted_u_starts_at_its_first_mark(void)
{
    const pkm_vec3 start = {-0.08, -0.02, 0.5};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.path = PKM_PATH_INVERTED_U;
    spec.n_point = 1;
    spec.point = &start;
    spec.u_step = pkm_vec3_make(0.16, 0.04, 0.0);
    spec.u_lift = pkm_vec3_make(0.0, 0.0, 0.2);
    for (int i = 0; i < 5; ++i)
        spec.u_mark[i] = 3.0 + 0.2 * i;
    pkm_motion* m = create(&spec);
    CHECK_NEAR(pkm_motion_duration(m), 0.8, 1e-15);
    CHECK_NEAR(apart(tool(m, 0.4).pose.p, pkm_vec3_make(0, 0, 0.7)), 0.0, 1e-14);
    pkm_motion_free(m);
}

enum { N = 81 };
static double sample_t[N], sample[6 * N];

// A tool on a helix, yaw written in (-pi, pi] so that it jumps; the table starts at 5 s.
static pkm_motion_spec helix_spec(void)
{
    for (int i = 0; i < N; ++i) {
        const double t = i / 40.0;
        sample_t[i] = 5.0 + t;
        sample[i] = 0.2 * cos(3 * t);
        sample[N + i] = 0.2 * sin(3 * t);
        sample[2 * N + i] = 0.1 * t;
        sample[3 * N + i] = 0.2;
        sample[4 * N + i] = 0.3 * sin(t);
        sample[5 * N + i] = remainder(3 * t, 2 * PI);
    }
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "helix";
    spec.path = PKM_PATH_SAMPLES;
    spec.n_sample = N;
    spec.n_sample_column = 6;
    spec.sample_t = sample_t;
    spec.sample = sample;
    spec.sample_free_ends = true;
    return spec;
}

// The spline on h = 1/40: error of position h^6 3^6 / 30000, of acceleration h^4 3^6 / 100, which
// the end estimates make ten times larger near the ends.
static void samples_follow_the_curve_they_came_from(void)
{
    const pkm_motion_spec spec = helix_spec();
    pkm_motion* m = create(&spec);
    CHECK_NEAR(pkm_motion_duration(m), 2.0, 1e-14);
    CHECK(pkm_motion_turns(m) && !pkm_motion_is_drives(m));
    for (int i = 0; i <= 37; ++i) {
        const double t = 2.0 * i / 37.0, c = 0.2 * cos(3 * t), s = 0.2 * sin(3 * t);
        const pkm_frame_motion f = tool(m, t);
        CHECK_NEAR(apart(f.pose.p, pkm_vec3_make(c, s, 0.1 * t)), 0.0, 1e-9);
        CHECK_NEAR(apart(f.v, pkm_vec3_make(-3 * s, 3 * c, 0.1)), 0.0, 1e-6);
        CHECK_NEAR(apart(f.a, pkm_vec3_make(-9 * c, -9 * s, 0.0)), 0.0, 2e-4);
        const pkm_quat q = pkm_quat_from_rpy(pkm_vec3_make(0.2, 0.3 * sin(t), 3 * t));
        const pkm_vec3 miss = pkm_quat_to_rotvec(pkm_quat_mul(f.pose.q, pkm_quat_conj(q)));
        CHECK_NEAR(pkm_vec3_norm(miss), 0.0, 1e-8);
    }
    const pkm_frame_motion after = tool(m, 2.1); // held outside, though the samples end moving
    CHECK(after.v.x == 0.0 && after.a.x == 0.0 && after.w.z == 0.0);
    CHECK_NEAR(after.pose.p.z, 0.2, 1e-15);
    pkm_motion_free(m);
}

static void samples_of_drives_rest_at_their_ends(void)
{
    pkm_motion_spec spec = helix_spec();
    spec.sample_is_drives = true;
    spec.sample_free_ends = false;
    spec.n_drive = 6;
    pkm_motion* m = create(&spec);
    double q[6], v[6], a[6], j[6];
    pkm_motion_drives(m, 0.0, q, v, a, j);
    CHECK_NEAR(q[0], 0.2, 0.0);
    CHECK(v[1] == 0.0 && a[0] == 0.0);
    pkm_motion_drives(m, 1.0, q, v, a, j); // in the middle the ends are forgotten
    CHECK_NEAR(v[1], 0.6 * cos(3.0), 1e-5);
    CHECK_NEAR(j[1], -5.4 * cos(3.0), 1e-2);
    CHECK(q[5] == remainder(3.0, 2 * PI)); // drives are taken as they are written
    pkm_motion_free(m);
}

static void refuses(const pkm_motion_spec* spec, const char* part)
{
    pkm_motion* m = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &m, &err) == PKM_ERR_ARGUMENT);
    CHECK(m == NULL);
    CHECK_CONTAINS(err.text, part);
    if (spec->name) CHECK_CONTAINS(err.text, spec->name);
    CHECK(pkm_motion_create(spec, &m, NULL) == PKM_ERR_ARGUMENT);
}

static void bad_drives_are_named(void)
{
    const double inf[3] = {0.0, INFINITY, 0.0};
    pkm_motion_spec spec = drives_spec();
    spec.duration = -2.0;
    refuses(&spec, "duration -2");
    spec = drives_spec();
    spec.max_speed = -1.0;
    refuses(&spec, "max_speed -1");
    spec = drives_spec();
    spec.n_drive = 0;
    refuses(&spec, "0 drives");
    spec.n_drive = PKM_MAX_DRIVE + 1;
    refuses(&spec, "17 drives, expected 1 to 16");
    spec = drives_spec();
    spec.drive_to = NULL;
    refuses(&spec, "drives: no values");
    spec = drives_spec();
    spec.drive_to = inf;
    refuses(&spec, "drive 2 goes from nan to inf");
    spec = drives_spec();
    spec.hold_before = -0.1;
    refuses(&spec, "hold_before -0.1 s");
    spec = drives_spec();
    spec.hold_after = NAN;
    refuses(&spec, "hold_after nan");
    spec = drives_spec();
    spec.rpy = CORNER;
    spec.n_rpy = 1;
    refuses(&spec, "rpy belongs to a path of the tool");
    spec = drives_spec();
    spec.path = (pkm_path_kind)77;
    refuses(&spec, "unknown path 77");
}

static void bad_paths_are_named(void)
{
    pkm_vec3 point[4];
    memcpy(point, CORNER, sizeof point);
    pkm_motion_spec spec = polyline_spec();
    spec.path = PKM_PATH_LINE;
    refuses(&spec, "4 points, expected 2");
    spec = polyline_spec();
    spec.n_point = 1;
    refuses(&spec, "1 points, expected at least 2");
    spec = polyline_spec();
    spec.point = point;
    point[1].y = NAN;
    refuses(&spec, "point (0.3, nan, 0)");
    point[1] = point[0];
    refuses(&spec, "points 1 and 2 are the same");
    point[1] = pkm_vec3_scale(0.5, point[2]);
    spec.path = PKM_PATH_ARC;
    spec.n_point = 3;
    refuses(&spec, "three points are on a line");
    spec = polyline_spec();
    spec.rpy = CORNER;
    spec.n_rpy = 3;
    refuses(&spec, "3 triples, expected 1, 2 or one per point");
    spec.n_rpy = 4;
    spec.rpy = point;
    point[3].z = INFINITY;
    refuses(&spec, "rpy (0.3, 0.4, inf)");
    spec = polyline_spec();
    spec.law = PKM_LAW_CONSTANT;
    spec.max_speed = 0.4;
    refuses(&spec, "corners, leg 1: duration 0.6 s is too short for its max_speed");
    spec = polyline_spec();
    spec.path = PKM_PATH_LINE;
    spec.n_point = 2;
    spec.duration = NAN;
    refuses(&spec, "duration is missing");
}

static void bad_circles_are_named(void)
{
    pkm_motion_spec good = pkm_motion_spec_defaults();
    good.name = "turn";
    good.path = PKM_PATH_CIRCLE;
    good.duration = 1.0;
    good.center = pkm_vec3_make(0, 0, 0);
    good.radius = 0.1;
    pkm_motion_spec spec = good;
    spec.radius = 0.0;
    refuses(&spec, "radius 0 m, expected > 0");
    spec = good;
    spec.center.x = NAN;
    refuses(&spec, "center (nan, 0, 0)");
    spec = good;
    spec.angle = 0.0;
    refuses(&spec, "angle 0 rad");
    spec = good;
    spec.normal = pkm_vec3_make(0, 0, 0);
    refuses(&spec, "normal is the null vector");
    spec = good;
    spec.start = pkm_vec3_make(0, 0, 2);
    refuses(&spec, "start (0, 0, 2) is along the normal");
    spec = good;
    spec.rpy = CORNER;
    spec.n_rpy = 3;
    refuses(&spec, "3 triples, expected 1, 2");
}

static void bad_marks_are_named(void)
{
    pkm_motion_spec good = pkm_motion_spec_defaults();
    good.name = "pick";
    good.path = PKM_PATH_INVERTED_U;
    good.n_point = 1;
    good.point = CORNER;
    good.u_step = good.u_lift = CORNER[3];
    for (int i = 0; i < 5; ++i)
        good.u_mark[i] = 0.2 * i;
    pkm_motion_spec spec = good;
    spec.u_mark[2] = 0.1;
    refuses(&spec, "mark 3 at 0.1 s after mark 2 at 0.2 s");
    spec = good;
    spec.u_mark[4] = NAN;
    refuses(&spec, "mark nan");
    spec = good;
    spec.u_lift.z = NAN;
    refuses(&spec, "lift (0.3, 0.4, nan)");
    spec = good;
    spec.duration = 1.0;
    refuses(&spec, "duration 1 s, but the marks take 0.8 s");
    spec = good;
    spec.max_speed = 1.0;
    refuses(&spec, "the marks fix the times");
    spec = good;
    spec.n_point = 0;
    refuses(&spec, "0 points, expected 1");
}

static void bad_samples_are_named(void)
{
    pkm_motion_spec spec = helix_spec();
    spec.n_sample = 1;
    refuses(&spec, "samples: 1 rows, expected 2");
    spec = helix_spec();
    spec.n_sample_column = 4;
    refuses(&spec, "4 columns after the time, expected x y z");
    spec = helix_spec();
    spec.sample_is_drives = true;
    spec.n_drive = 3;
    refuses(&spec, "6 columns after the time, expected 3");
    spec = helix_spec();
    sample_t[4] = sample_t[3];
    refuses(&spec, "time 5.075 s in row 5 after 5.075 s");
    spec = helix_spec();
    sample[2 * N + 7] = NAN;
    refuses(&spec, "value nan in row 8, column 4");
    spec = helix_spec();
    sample_t[0] = -INFINITY;
    refuses(&spec, "time -inf");
    spec = helix_spec();
    spec.duration = 3.0;
    refuses(&spec, "duration 3 s, but the samples take 2 s");
}

static void evaluation_allocates_nothing(void)
{
    const pkm_motion_spec specs[3] = {drives_spec(), polyline_spec(), helix_spec()};
    for (int k = 0; k < 3; ++k) {
        pkm_motion* m = create(&specs[k]);
        const size_t before = pkm_alloc_count();
        for (int i = 0; i < 100; ++i) {
            double q[3], v[3], a[3], j[3];
            if (pkm_motion_is_drives(m))
                pkm_motion_drives(m, 0.03 * i, q, v, a, j);
            else
                (void)tool(m, 0.03 * i);
        }
        CHECK(pkm_alloc_count() == before);
        pkm_motion_free(m);
    }
}

static void memory_that_fails_is_reported(void)
{
    const pkm_motion_spec specs[3] = {drives_spec(), polyline_spec(), helix_spec()};
    for (int k = 0; k < 3; ++k) {
        const size_t allocations = k == 2 ? 2 : 1; // the block; the spline's work memory
        for (size_t n = 1; n <= allocations; ++n) {
            pkm_motion* m = NULL;
            pkm_error err = {0};
            pkm_alloc_fail_at(n);
            CHECK(pkm_motion_create(&specs[k], &m, &err) == PKM_ERR_MEMORY);
            pkm_alloc_fail_at(0);
            CHECK(m == NULL);
            CHECK_CONTAINS(err.text, "out of memory");
        }
    }
    pkm_motion_free(NULL);
}

int main(void)
{
    RUN(drives_not_named_stay_at_home);
    RUN(fastest_drive_rules_and_all_stop_together);
    RUN(home_too_far_for_the_duration_is_refused);
    RUN(polyline_stops_at_its_corners);
    RUN(polyline_times_come_from_the_limits);
    RUN(polyline_turns_by_way_or_by_point);
    RUN(circle_has_defaults_and_turns_back);
    RUN(inverted_u_starts_at_its_first_mark);
    RUN(samples_follow_the_curve_they_came_from);
    RUN(samples_of_drives_rest_at_their_ends);
    RUN(bad_drives_are_named);
    RUN(bad_paths_are_named);
    RUN(bad_circles_are_named);
    RUN(bad_marks_are_named);
    RUN(bad_samples_are_named);
    RUN(evaluation_allocates_nothing);
    RUN(memory_that_fails_is_reported);
    return check_report();
}
