/// Columns of joints with seated clearance: loads are reactions of inverse dynamics, offsets are
/// those that geometry tells.
#include "clearance/seated_impl.h"
#include "engine.h"
#include "pkm/inverse.h"
#include "table/column.h"

static const double CLEARANCE = 1e-6; // [m]

static double column(const pkm_table* table, const char* joint, const char* of, int row)
{
    const int c = pkm_table_find_item(table, joint, of);
    CHECK(c != PKM_NONE);
    return c == PKM_NONE ? NAN : pkm_table_get(table, row, c);
}

static double length(const pkm_table* table, const char* joint, const char* const of[3], int row)
{
    return pkm_vec3_norm((pkm_vec3){column(table, joint, of[0], row),
                                    column(table, joint, of[1], row),
                                    column(table, joint, of[2], row)});
}

/// A run of motion 0 with clearance in all joints of a type.
static pkm_table* run(pkm_robot* robot, pkm_joint_type type, pkm_clearance clearance, int n_instant)
{
    pkm_joint_clearance all[16];
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (robot->mech->joint[j].type == type) all[n++] = (pkm_joint_clearance){j, clearance};
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_seated_report report;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    settings.motion = 0;
    settings.n_instant = n_instant;
    settings.end_time = pkm_motion_duration(robot->desc->motion[0].motion);
    CHECK(pkm_seated_run(robot, &settings, all, n, table, &report, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return table;
}

// In the limit of small clearances the load of a joint is its reaction without clearance.
static void loads_are_reactions(void)
{
    static const char* const force[3] = {"Fx", "Fy", "Fz"};
    enum { N = 21 };
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    pkm_table *seated = run(robot, PKM_JOINT_SPHERICAL, (pkm_clearance){.radial = CLEARANCE}, N),
              *ideal = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = N;
    settings.reactions = true;
    CHECK(pkm_inverse_run(robot, 0, &settings, ideal, NULL, NULL) == PKM_OK);
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        const char* name = robot->mech->joint[j].name;
        if (robot->mech->joint[j].type != PKM_JOINT_SPHERICAL) continue;
        for (int i = 0; i < N; ++i) {
            const double expected = length(ideal, name, force, i);
            CHECK_NEAR(column(seated, name, "load", i), expected, 5e-3 * expected + 0.05);
        }
    }
    pkm_table_free(seated);
    pkm_table_free(ideal);
    pkm_robot_free(robot);
}

// Kuo's Delta stands on its axis with massless rods: each bears F = m g / (3 cos) along itself, and
// both pins of a universal joint, whose axes are across the rod, lie at their clearance along it.
static void universal_joints_lie_by_both_pins(void)
{
    static const char* const shift[3] = {"ux", "uy", "uz"};
    const pkm_override set = {"rho", "1e-3 kg/m3"};
    pkm_robot* robot = NULL;
    CHECK(pkm_robot_load(PKM_SOURCE_DIR "/robots/kuo.yaml", &set, 1, &robot, NULL) == PKM_OK);
    if (!robot) return;
    const pkm_vec3 point[2] = {{0.0, 0.0, 0.5}, {0.0, 0.0, 0.505}};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "slow";
    spec.duration = 10.0;
    spec.path = PKM_PATH_LINE;
    spec.point = point;
    spec.n_point = 2;
    pkm_motion_free(robot->desc->motion[0].motion);
    CHECK(pkm_motion_create(&spec, &robot->desc->motion[0].motion, NULL) == PKM_OK);
    pkm_table* table =
        run(robot, PKM_JOINT_UNIVERSAL, (pkm_clearance){.radial = CLEARANCE, .length = 0.02}, 11);
    // tan q: the crank's end is at radius 0.1 + 0.5 cos q, height 0.5 sin q; the rod is 0.6 m
    const double q = pkm_table_get(table, 0, 1);
    const double rise = (0.5 - 0.5 * sin(q)) / 0.6;
    CHECK_NEAR(hypot(0.1 + 0.5 * cos(q) - 0.05, 0.5 - 0.5 * sin(q)), 0.6, 1e-3);
    static const char* const joint[] = {"1.B", "1.D", "2.B", "2.D", "3.B", "3.D"};
    for (int k = 0; k < 6; ++k) {
        CHECK_NEAR(length(table, joint[k], shift, 0), 2.0 * CLEARANCE, 1e-3 * CLEARANCE);
        const double force = 0.5 * 9.81 / (3.0 * rise);
        CHECK_NEAR(column(table, joint[k], "load", 0), force, 5e-3 * force);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// A ball that crosses its socket by 150 degrees in three steps under a small load: one reversal, by
// this angle, with this load, at the first of the steps.
static void reversals_have_the_angle_that_was_turned(void)
{
    enum { N = 41 };
    const double PI = 3.14159265358979323846, radius = 1e-4, step = 0.01;
    pkm_joint_region item = {.region = {.kind = PKM_REGION_BALL, .radial = radius}};
    const pkm_regions regions = {.n = 1, .n_y = 3, .item = &item};
    static pkm_seated_report report;
    pkm_seated_watch watch;
    CHECK(pkm_seated_watch_begin(&regions, N, &watch, NULL) == PKM_OK);
    for (int i = 0; i < N; ++i) {
        const int turned = i < 18 ? 0 : i > 21 ? 3 : i - 18;
        const double a = turned * 50.0 * PI / 180.0, load = i >= 17 && i <= 22 ? 1.0 : 100.0;
        const double y[3] = {radius * cos(a), radius * sin(a), 0.0}, f[3] = {0.0, 0.0, load};
        pkm_seated_watch_note(&watch, i, y, f);
    }
    pkm_seated_watch_find(&watch, N, step, &report);
    CHECK(report.n_reversal == 1);
    CHECK_NEAR(report.reversal[0].angle, 150.0 * PI / 180.0, 1e-12);
    CHECK_NEAR(report.reversal[0].load, 1.0, 0.0);
    CHECK(report.reversal[0].t > 18.0 * step && report.reversal[0].t < 21.0 * step);
    for (int i = 0; i < N; ++i)
        CHECK(watch.reversing[i] == (i >= 19 && i <= 21));
    pkm_seated_watch_end(&watch);
}

int main(void)
{
    RUN(loads_are_reactions);
    RUN(universal_joints_lie_by_both_pins);
    RUN(reversals_have_the_angle_that_was_turned);
    return check_report();
}
