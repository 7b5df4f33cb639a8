// Time responses of Kuo's Delta: reference maxima, periodic circle, order, energy, limits.
#include "base/memory.h"
#include "check.h"
#include "kuo/kuo_response.h"

static const double PI = 3.14159265358979323846;
static const double DEG = 180.0 / 3.14159265358979323846;

static pkm_motion* create_motion(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err;
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    return motion;
}

/// Circle of radius 0.1 m at z = 0.5 m, one turn per second.
static pkm_motion* circle(double period)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "circle";
    spec.law = PKM_LAW_CONSTANT;
    spec.path = PKM_PATH_CIRCLE;
    spec.center = (pkm_vec3){0.0, 0.0, 0.5};
    spec.radius = 0.1;
    spec.duration = period;
    return create_motion(&spec);
}

/// Pick and place of section 5.4 of the paper; `scale` stretches time.
static pkm_motion* inverted_u(double scale)
{
    static const pkm_vec3 start = {-0.08, -0.02, 0.5};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "inverted U";
    spec.path = PKM_PATH_INVERTED_U;
    spec.n_point = 1;
    spec.point = &start;
    spec.u_step = (pkm_vec3){0.16, 0.04, 0.0};
    spec.u_lift = (pkm_vec3){0.0, 0.0, 0.2};
    for (int k = 0; k < 5; ++k)
        spec.u_mark[k] = 0.2 * k * scale;
    return create_motion(&spec);
}

static pkm_kuo* create(pkm_kuo_robot robot, int n)
{
    const pkm_kuo_settings settings = {.n_element = n};
    pkm_kuo* kuo = NULL;
    CHECK(pkm_kuo_create(&robot, &settings, &kuo, NULL) == PKM_OK);
    return kuo;
}

static pkm_kuo_response_report follow(pkm_kuo* kuo, const pkm_motion* motion,
                                      pkm_kuo_response_settings settings, pkm_table* table)
{
    pkm_kuo_response_report report;
    pkm_error err;
    const pkm_status status = pkm_kuo_follow(kuo, motion, &settings, table, &report, &err);
    CHECK(status == PKM_OK);
    return report;
}

/// One element per link, with the terms of turning axes, start in static equilibrium, no damping.
/// The reference prints three decimals; a step of 0.25 ms leaves 1e-5 of the maxima.
static void inverted_u_meets_the_reference_and_warns(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = inverted_u(1.0);
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    settings.step = 2.5e-4;
    const pkm_kuo_response_report report = follow(kuo, motion, settings, NULL);
    const double millimetres[3] = {59.795, -17.209, 106.976};
    const double degrees[3] = {-1.197, -4.626, -0.170};
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(1e3 * report.peak[k], millimetres[k], 2e-3);
        CHECK_NEAR(DEG * report.peak[3 + k], degrees[k], 1e-3);
    }
    CHECK(report.n_step == 3200);
    CHECK(!report.is_small);
    CHECK(report.rotation > 0.2);
    CHECK_CONTAINS(report.warning, "outside the small-deflection range");
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// Halving the step divides the change of the final position by four.
static void steps_converge_with_order_2(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = inverted_u(1.0);
    double last[3];
    for (int k = 0; k < 3; ++k) {
        pkm_table* table = pkm_table_create();
        pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
        settings.step = 2e-3 / (1 << k);
        follow(kuo, motion, settings, table);
        last[k] = pkm_table_reduce(table, pkm_table_find(table, "dx"), PKM_REDUCE_END, NULL);
        pkm_table_free(table);
    }
    CHECK_NEAR((last[0] - last[1]) / (last[1] - last[2]), 4.0, 0.2);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// In world axes the coupling terms only correct what an element does between its nodes: their
/// weight falls with the elements, nearly as h^2.
static void coupling_fades_with_the_elements(void)
{
    pkm_motion* motion = inverted_u(1.0);
    double change[2];
    for (int k = 0; k < 2; ++k) {
        pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 2 << k);
        pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
        settings.step = 4e-3;
        const pkm_kuo_response_report with = follow(kuo, motion, settings, NULL);
        settings.without_coupling = true;
        const pkm_kuo_response_report without = follow(kuo, motion, settings, NULL);
        change[k] = fabs(with.peak[0] - without.peak[0]);
        pkm_kuo_free(kuo);
    }
    CHECK(change[0] > 2e-6 && change[0] < 2e-5); // 7 um of 60 mm
    CHECK(change[1] < change[0] / 2.0);
    pkm_motion_free(motion);
}

/// Slow motion: the response is the quasi-static deflection, within the inertia of its own change,
/// (motion rate / natural frequency)^2.
static void slow_periodic_circle_is_quasi_static(void)
{
    const double period = 20.0, w = 2.0 * PI / period;
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = circle(period);
    pkm_table* table = pkm_table_create();
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    settings.start = PKM_KUO_START_PERIODIC;
    settings.step = 0.05;
    follow(kuo, motion, settings, table);
    const int dx = pkm_table_find(table, "dx");
    for (int row = 0; row <= 400; row += 20) {
        const double c = 0.1 * cos(w * 0.05 * row), s = 0.1 * sin(w * 0.05 * row);
        pkm_kuo_shift shift;
        CHECK(pkm_kuo_deflection(kuo, (pkm_vec3){c, s, 0.5}, (pkm_vec3){-w * s, w * c, 0.0},
                                 (pkm_vec3){-w * w * c, -w * w * s, 0.0}, &shift, NULL) == PKM_OK);
        CHECK_NEAR(pkm_table_get(table, row, dx), shift.d.x, 2e-6);
        CHECK_NEAR(pkm_table_get(table, row, dx + 2), shift.d.z, 2e-6);
    }
    pkm_table_free(table);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// The circle of the paper, one turn per second: it closes, and a third of a turn later the
/// response is turned by 120 degrees.
static void periodic_circle_closes_and_is_threefold(void)
{
    enum { N = 300 };
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = circle(1.0);
    pkm_table* table = pkm_table_create();
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    settings.start = PKM_KUO_START_PERIODIC;
    settings.step = 1.0 / N;
    settings.n_repeat = 2;
    const pkm_kuo_response_report report = follow(kuo, motion, settings, table);
    CHECK(report.is_small && report.warning[0] == '\0');
    const int dx = pkm_table_find(table, "dx"), torque = pkm_table_find(table, "torque1");
    const double c = cos(2.0 * PI / 3.0), s = sin(2.0 * PI / 3.0);
    for (int row = 0; row < N; row += 10) {
        const double x = pkm_table_get(table, row, dx), y = pkm_table_get(table, row, dx + 1);
        CHECK_NEAR(pkm_table_get(table, row + N, dx), x, 1e-9);
        CHECK_NEAR(pkm_table_get(table, row + N / 3, dx), c * x - s * y, 1e-9);
        CHECK_NEAR(pkm_table_get(table, row + N / 3, dx + 1), s * x + c * y, 1e-9);
        CHECK_NEAR(pkm_table_get(table, row + N / 3, dx + 2), pkm_table_get(table, row, dx + 2),
                   1e-9);
        CHECK_NEAR(pkm_table_get(table, row + N / 3, torque + 1), pkm_table_get(table, row, torque),
                   1e-9);
    }
    // The motion is three times slower than the lowest mode: a tenth beyond quasi-static.
    CHECK(report.most[0] > 7.24e-3 && report.most[0] < 8.6e-3);
    CHECK_NEAR(pkm_table_reduce(table, torque, PKM_REDUCE_MAX, NULL), -1.9244890, 2e-5);
    CHECK_NEAR(pkm_table_reduce(table, torque, PKM_REDUCE_MIN, NULL), -2.6811637, 2e-5);
    pkm_table_free(table);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// E -> 1000 E: deflections fall like 1 / E, the rigid limit.
static void stiff_links_deflect_a_thousandth(void)
{
    pkm_motion* motion = inverted_u(20.0); // slow: no vibration in the way
    double peak[2];
    for (int k = 0; k < 2; ++k) {
        pkm_kuo_robot robot = pkm_kuo_robot_paper();
        robot.material.E *= k == 0 ? 1.0 : 1000.0;
        robot.material.G *= k == 0 ? 1.0 : 1000.0;
        pkm_kuo* kuo = create(robot, 1);
        pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
        settings.step = 0.01;
        peak[k] = follow(kuo, motion, settings, NULL).peak[2];
        pkm_kuo_free(kuo);
    }
    CHECK_NEAR(1000.0 * peak[1] / peak[0], 1.0, 0.01);
    pkm_motion_free(motion);
}

/// Free vibration after a start that is not in equilibrium dies with Rayleigh damping: alpha = 2
/// zeta w for the mode. Here on a circle so slow that the robot stands still.
static void damping_takes_the_vibration_away(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = inverted_u(1.0);
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    const double free_peak = follow(kuo, motion, settings, NULL).peak[2];
    settings.alpha = 2.0 * 0.5 * 20.0;
    const double damped = follow(kuo, motion, settings, NULL).peak[2];
    CHECK(fabs(damped) < 0.8 * fabs(free_peak));
    settings.alpha = 0.0;
    settings.beta = 1e-6;
    const double hardly = follow(kuo, motion, settings, NULL).peak[2];
    CHECK_NEAR(hardly / free_peak, 1.0, 1e-3);
    CHECK(fabs(hardly) < fabs(free_peak));
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// Axial forces of the hanging robot change the response by percents, not more.
static void stiffening_matters_a_little(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = inverted_u(1.0);
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    const double plain = follow(kuo, motion, settings, NULL).peak[0];
    settings.has_stiffening = true;
    const double stiffened = follow(kuo, motion, settings, NULL).peak[0];
    CHECK(fabs(stiffened / plain - 1.0) > 1e-3 && fabs(stiffened / plain - 1.0) < 0.2);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

/// Links: under weight at rest in the middle the three limbs agree, upper links bend down, lower
/// links are stretched by what hangs on them.
static void links_bend_and_stretch_as_statics_says(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 4);
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    const pkm_vec3 point[2] = {{0.0, 0.0, 0.5}, {0.0, 0.0, 0.5 + 1e-9}};
    spec.name = "still";
    spec.path = PKM_PATH_LINE;
    spec.n_point = 2;
    spec.point = point;
    spec.duration = 0.01;
    pkm_motion* motion = create_motion(&spec);
    pkm_table* table = pkm_table_create();
    follow(kuo, motion, pkm_kuo_response_settings_defaults(), table);
    const int upper = pkm_table_find(table, "upper1.stretch");
    const int lower = pkm_table_find(table, "lower1.stretch");
    CHECK(lower == upper + 12);
    for (int k = 0; k < 4; ++k) {
        for (int i = 1; i < 3; ++i) {
            CHECK_NEAR(pkm_table_get(table, 0, upper + 4 * i + k),
                       pkm_table_get(table, 0, upper + k), 1e-12);
            CHECK_NEAR(pkm_table_get(table, 0, lower + 4 * i + k),
                       pkm_table_get(table, 0, lower + k), 1e-12);
        }
    }
    // A rod pulls with N sin = a third of the platform and half of itself; its own weight is
    // shared.
    const double sine = sin((22.1849 + 126.5721) / DEG), rod = 7800.0 * 25e-6 * 0.6;
    const double N = 9.81 * (0.5 / 3.0 + 0.5 * rod) / sine;
    CHECK_NEAR(pkm_table_get(table, 0, lower), N * 0.6 / (210e9 * 25e-6), 2e-2 * 1e-6);
    CHECK(fabs(pkm_table_get(table, 0, upper + 3)) > 1e-3); // bent by millimetres
    CHECK_NEAR(pkm_table_get(table, 0, upper + 2), 0.0, 1e-10);
    pkm_table_free(table);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

static void bad_input_is_named(void)
{
    pkm_error err;
    pkm_motion* motion = circle(1.0);
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    settings.step = 0.0;
    CHECK(pkm_kuo_follow(kuo, motion, &settings, NULL, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "step 0 s");
    settings = pkm_kuo_response_settings_defaults();
    settings.beta = -1.0;
    CHECK(pkm_kuo_follow(kuo, motion, &settings, NULL, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "beta -1 s");
    pkm_motion_free(motion);

    pkm_motion_spec spec = pkm_motion_spec_defaults();
    const pkm_vec3 far[2] = {{0.0, 0.0, 0.5}, {0.0, 0.0, 2.0}};
    spec.name = "far";
    spec.path = PKM_PATH_LINE;
    spec.n_point = 2;
    spec.point = far;
    spec.duration = 1.0;
    motion = create_motion(&spec);
    settings = pkm_kuo_response_settings_defaults();
    CHECK(pkm_kuo_follow(kuo, motion, &settings, NULL, NULL, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "does not reach");
    pkm_kuo_free(kuo);

    const pkm_kuo_robot robot = pkm_kuo_robot_paper();
    const pkm_kuo_settings published = {.assembly = PKM_KUO_PUBLISHED, .n_element = 1};
    CHECK(pkm_kuo_create(&robot, &published, &kuo, &err) == PKM_OK);
    CHECK(pkm_kuo_follow(kuo, motion, &settings, NULL, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "physical assembly");
    pkm_kuo_free(kuo);
    pkm_motion_free(motion);
}

static void failing_memory_is_reported(void)
{
    pkm_kuo* kuo = create(pkm_kuo_robot_paper(), 1);
    pkm_motion* motion = circle(1.0);
    pkm_kuo_response_settings settings = pkm_kuo_response_settings_defaults();
    settings.step = 0.1;
    settings.start = PKM_KUO_START_PERIODIC;
    int n_failed = 0;
    for (size_t n = 1; n < 300; ++n) {
        pkm_table* table = pkm_table_create();
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_kuo_follow(kuo, motion, &settings, table, NULL, NULL);
        pkm_alloc_fail_at(0);
        pkm_table_free(table);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
        ++n_failed;
    }
    CHECK(n_failed > 20);
    pkm_motion_free(motion);
    pkm_kuo_free(kuo);
}

int main(void)
{
    RUN(inverted_u_meets_the_reference_and_warns);
    RUN(steps_converge_with_order_2);
    RUN(coupling_fades_with_the_elements);
    RUN(slow_periodic_circle_is_quasi_static);
    RUN(periodic_circle_closes_and_is_threefold);
    RUN(stiff_links_deflect_a_thousandth);
    RUN(damping_takes_the_vibration_away);
    RUN(stiffening_matters_a_little);
    RUN(links_bend_and_stretch_as_statics_says);
    RUN(bad_input_is_named);
    RUN(failing_memory_is_reported);
    return check_report();
}
