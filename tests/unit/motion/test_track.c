#include "check.h"
#include "math/vec3.h"
#include "pkm/motion.h"

static const pkm_vec3 WAY[] = {{0, 0, 0}, {0.2, 0.1, 0}, {0.4, 0, 0.1}, {0.5, -0.2, 0.1}};

static pkm_motion_spec through(const pkm_vec3* point, int n)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "through";
    spec.path = PKM_PATH_SPLINE;
    spec.point = point;
    spec.n_point = n;
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

static pkm_vec3 place(const pkm_motion* motion, double t)
{
    pkm_frame_motion at;
    pkm_motion_tool(motion, t, &at, NULL);
    return at.pose.p;
}

/// The law is that of the length of the path: its peak speed is cv L/T, with L from the polygon
/// of many places, whose error goes with the square of their distance.
static void the_law_runs_in_the_length_of_the_path(void)
{
    enum { N = 6000 };
    pkm_motion_spec spec = through(WAY, 4);
    spec.duration = 0.8;
    pkm_motion* motion = create(&spec);
    double length = 0.0, fastest = 0.0;
    for (int i = 0; i < N; ++i) {
        pkm_frame_motion at;
        length += pkm_vec3_norm(
            pkm_vec3_sub(place(motion, 0.8 * (i + 1) / N), place(motion, 0.8 * i / N)));
        pkm_motion_tool(motion, 0.8 * (i + 0.5) / N, &at, NULL);
        fastest = fmax(fastest, pkm_vec3_norm(at.v));
    }
    CHECK_NEAR(fastest, 15.0 / 8.0 * length / 0.8, 1e-6);
    // halfway in time is halfway along the path
    double half = 0.0;
    for (int i = 0; i < N / 2; ++i)
        half += pkm_vec3_norm(
            pkm_vec3_sub(place(motion, 0.8 * (i + 1) / N), place(motion, 0.8 * i / N)));
    CHECK_NEAR(half, 0.5 * length, 1e-7);
    pkm_motion_free(motion);
}

static double distance_to(const pkm_motion* motion, pkm_vec3 p, double T)
{
    double nearest = 1.0;
    for (int i = 0; i <= 8000; ++i)
        nearest = fmin(nearest, pkm_vec3_norm(pkm_vec3_sub(place(motion, T * i / 8000.0), p)));
    return nearest;
}

static void every_way_point_is_passed_without_a_stop(void)
{
    pkm_motion_spec spec = through(WAY, 4);
    spec.duration = 1.0;
    pkm_motion* motion = create(&spec);
    for (int k = 0; k < 4; ++k)
        CHECK(distance_to(motion, WAY[k], 1.0) < 2e-4); // half of what is between two instants
    for (int i = 40; i < 960; ++i) {
        pkm_frame_motion at;
        pkm_motion_tool(motion, i / 1000.0, &at, NULL);
        CHECK(pkm_vec3_norm(at.v) > 1e-3);
    }
    pkm_motion_free(motion);
}

/// Central differences with Richardson: error O(h^4).
static pkm_vec3 difference(pkm_vec3 a, pkm_vec3 b, pkm_vec3 c, pkm_vec3 d, double h)
{
    const pkm_vec3 one = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(b, a));
    const pkm_vec3 two = pkm_vec3_scale(0.25 / h, pkm_vec3_sub(d, c));
    return pkm_vec3_scale(1.0 / 3.0, pkm_vec3_axpy(pkm_vec3_scale(4.0, one), -1.0, two));
}

static void derivatives_are_those_of_differences(void)
{
    static const pkm_vec3 turn[] = {{0, 0, 0}, {0.1, 0, 0.2}, {0, 0, 0.4}, {0, 0.3, 0.4}};
    pkm_motion_spec spec = through(WAY, 4);
    spec.duration = 1.0;
    spec.rpy = turn;
    spec.n_rpy = 4;
    pkm_motion* motion = create(&spec);
    const double h = 2e-4;
    // not where the differences reach over a way point, where the fifth derivative jumps
    for (double t = 0.07; t < 0.95; t += 0.0613) {
        pkm_frame_motion at[5];
        pkm_vec3 j[5];
        for (int k = 0; k < 5; ++k)
            pkm_motion_tool(motion, t + (k - 2) * h, &at[k], &j[k]);
        const pkm_vec3 v = difference(at[1].pose.p, at[3].pose.p, at[0].pose.p, at[4].pose.p, h);
        const pkm_vec3 a = difference(at[1].v, at[3].v, at[0].v, at[4].v, h);
        const pkm_vec3 jerk = difference(at[1].a, at[3].a, at[0].a, at[4].a, h);
        const pkm_vec3 alpha = difference(at[1].w, at[3].w, at[0].w, at[4].w, h);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(v, at[2].v)) < 1e-9);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(a, at[2].a)) < 1e-7);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(jerk, j[2])) < 1e-4);
        CHECK(pkm_vec3_norm(pkm_vec3_sub(alpha, at[2].alpha)) < 1e-7);
    }
    pkm_motion_free(motion);
}

/// Four points of a parabola of the time are met by the spline only at the points: it starts and
/// stops. Its places at the given times are exact.
static void given_times_are_kept_and_the_ends_rest(void)
{
    static const double t[] = {0.0, 0.2, 0.5, 0.6};
    pkm_motion_spec spec = through(WAY, 4);
    spec.point_t = t;
    pkm_motion* motion = create(&spec);
    CHECK_NEAR(pkm_motion_duration(motion), 0.6, 1e-15);
    for (int k = 0; k < 4; ++k)
        CHECK(pkm_vec3_norm(pkm_vec3_sub(place(motion, t[k]), WAY[k])) < 1e-15);
    for (int k = 0; k < 4; k += 3) {
        pkm_frame_motion at;
        pkm_motion_tool(motion, t[k], &at, NULL);
        CHECK(pkm_vec3_norm(at.v) < 1e-13 && pkm_vec3_norm(at.a) < 1e-11);
    }
    pkm_motion_free(motion);
}

static double peak(const pkm_motion* motion, int order)
{
    const double T = pkm_motion_duration(motion);
    double most = 0.0;
    for (int i = 0; i <= 5000; ++i) {
        pkm_frame_motion at;
        pkm_motion_tool(motion, T * i / 5000.0, &at, NULL);
        most = fmax(most, pkm_vec3_norm(order == 1 ? at.v : at.a));
    }
    return most;
}

/// Without a duration the motion is as fast as its limits allow: one of them is met.
static void limits_are_met_with_the_curves(void)
{
    pkm_motion_spec spec = through(WAY, 4);
    spec.max_speed = 0.5;
    spec.max_acceleration = 3.0;
    pkm_motion* motion = create(&spec);
    const double v = peak(motion, 1), a = peak(motion, 2);
    CHECK(v <= 0.5 * (1.0 + 1e-6) && a <= 3.0 * (1.0 + 1e-6));
    CHECK(fmax(v / 0.5, a / 3.0) > 1.0 - 1e-4);
    pkm_motion_free(motion);
}

/// Drives pass their way points, those that are not named stay at home.
static void drives_pass_their_way_points(void)
{
    static const double point[] = {0.0, 0.4, 0.2, 1.0, NAN, NAN, NAN, NAN};
    static const double t[] = {0.0, 0.3, 0.5, 1.0};
    static const double home[] = {9.0, 0.7};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "drives";
    spec.path = PKM_PATH_SPLINE;
    spec.drive_point = point;
    spec.n_point = 4;
    spec.n_drive = 2;
    spec.point_t = t;
    pkm_motion* motion = create(&spec);
    CHECK(pkm_motion_is_drives(motion));
    CHECK(pkm_motion_set_home(motion, home, NULL) == PKM_OK);
    for (int k = 0; k < 4; ++k) {
        double q[2], v[2], a[2];
        pkm_motion_drives(motion, t[k], q, v, a, NULL);
        CHECK_NEAR(q[0], point[k], 1e-14);
        CHECK_NEAR(q[1], 0.7, 0.0);
    }
    pkm_motion_free(motion);
}

static void check_refused(const pkm_motion_spec* spec, const char* why)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, why);
}

static void what_has_no_answer_is_refused(void)
{
    static const pkm_vec3 back[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    static const pkm_vec3 same[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    static const double late[] = {0.0, 0.5, 0.4};
    pkm_motion_spec spec = through(back, 3);
    spec.duration = 1.0;
    check_refused(&spec, "turns back on itself");
    spec.point = same;
    check_refused(&spec, "are the same");
    spec.duration = NAN;
    check_refused(&spec, "are the same");
    spec.point = WAY;
    check_refused(&spec, "duration is missing");
    spec.point_t = late;
    check_refused(&spec, "increasing times");
}

/// Three points in one place, from 0 to 0.6 rad in two equal times: 0.3 rad in the middle, where
/// the turn is symmetric, and faster there than its mean.
static void a_tool_turns_in_place_by_its_points(void)
{
    static const pkm_vec3 here[] = {{0.1, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}};
    static const pkm_vec3 rpy[] = {{0, 0, 0}, {0, 0, 0.6}};
    static const double t[] = {0.0, 0.5, 1.0};
    pkm_motion_spec spec = through(here, 3);
    spec.rpy = rpy;
    spec.n_rpy = 2;
    spec.point_t = t;
    pkm_motion* motion = create(&spec);
    if (!motion) return;
    pkm_frame_motion at;
    pkm_motion_tool(motion, 0.5, &at, NULL);
    CHECK_NEAR(at.pose.p.x, 0.1, 1e-15);
    CHECK_NEAR(2.0 * asin(at.pose.q.z), 0.3, 1e-14);
    CHECK(at.w.z > 0.6);
    CHECK_NEAR(at.alpha.z, 0.0, 1e-12);
    pkm_motion_tool(motion, 1.0, &at, NULL);
    CHECK_NEAR(2.0 * asin(at.pose.q.z), 0.6, 1e-14);
    CHECK_NEAR(at.w.z, 0.0, 1e-13);
    pkm_motion_free(motion);
}

int main(void)
{
    RUN(the_law_runs_in_the_length_of_the_path);
    RUN(every_way_point_is_passed_without_a_stop);
    RUN(derivatives_are_those_of_differences);
    RUN(given_times_are_kept_and_the_ends_rest);
    RUN(limits_are_met_with_the_curves);
    RUN(drives_pass_their_way_points);
    RUN(a_tool_turns_in_place_by_its_points);
    RUN(what_has_no_answer_is_refused);
    return check_report();
}
