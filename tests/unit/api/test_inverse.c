/// Drive forces at one instant and along a motion, through the public library.
#include "base/memory.h" // to count allocations
#include "physics/reference_file.h"
#include "unit/api/load.h"

/// Drives along the reference read last, row `r`.
static void from_reference(const pkm_robot* robot, int r, pkm_instant* now)
{
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        const char* name = pkm_robot_drive_name(robot, d);
        now->q[d] = ref.value[r][reference_column(name, "q")];
        now->v[d] = ref.value[r][reference_column(name, "v")];
        now->a[d] = ref.value[r][reference_column(name, "a")];
    }
}

/// Largest difference to the forces of the reference read last, over the largest force.
static double off_reference(pkm_robot* robot, pkm_method method)
{
    double off = 0.0, largest = 0.0;
    pkm_instant now = pkm_instant_home(robot);
    for (int r = 0; r < ref.n_row; ++r) {
        from_reference(robot, r, &now);
        CHECK(pkm_inverse_at(robot, method, &now, NULL) == PKM_OK);
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
            const int column = reference_column(pkm_robot_drive_name(robot, d), "force");
            off = fmax(off, fabs(now.force[d] - ref.value[r][column]));
            largest = fmax(largest, fabs(ref.value[r][column]));
        }
    }
    return off / largest;
}

// References with 17 digits, that of the SIAX with ten: rounding of the given drive positions,
// which grows where limbs are nearly stretched.
static void forces_are_those_of_the_references(void)
{
    static const struct {
        const char *robot, *file;
        double tolerance;
    } known[] = {
        {"siax", "siax_rigid_ref.csv", 1e-9},      {"lindelta", "lindelta_ref.csv", 1e-11},
        {"triglide", "triglide_ref.csv", 1e-11},   {"isoglideT3", "isoglideT3_ref.csv", 1e-11},
        {"isoglide4", "isoglide4_ref.csv", 1e-11}, {"prrr2prpar", "prrr2prpar_ref.csv", 1e-11},
        {"3pprs", "3pprs_ref.csv", 1e-11},         {"3ppsr", "3ppsr_ref.csv", 1e-11},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        pkm_robot* robot = load(known[k].robot);
        read_reference(known[k].file);
        CHECK_NEAR(off_reference(robot, PKM_METHOD_ENGINE), 0.0, known[k].tolerance);
        CHECK_NEAR(off_reference(robot, PKM_METHOD_CLOSED), 0.0, known[k].tolerance);
        pkm_robot_free(robot);
    }
}

/// Drives that swing about home, within the reach of the SIAX.
static void swing(const pkm_instant* home, int n_drive, double t, pkm_instant* now)
{
    for (int d = 0; d < n_drive; ++d) {
        const double phase = 6.0 * t - 0.5 * d;
        now->q[d] = home->q[d] + 0.3 * (sin(phase) + sin(0.5 * d));
        now->v[d] = 0.3 * 6.0 * cos(phase);
        now->a[d] = -0.3 * 36.0 * sin(phase);
    }
}

static void a_control_loop_allocates_nothing_and_both_methods_agree(void)
{
    pkm_robot* robot = load("siax");
    const pkm_instant home = pkm_instant_home(robot);
    pkm_instant engine = home, closed = home;
    engine.tool_force = closed.tool_force = (pkm_vec3){20.0, -5.0, 9.0};
    const size_t before = pkm_alloc_count();
    double off = 0.0, far = 0.0;
    for (int i = 0; i < 2000; ++i) {
        swing(&home, 3, 1e-3 * i, &engine);
        swing(&home, 3, 1e-3 * i, &closed);
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &engine, NULL) == PKM_OK);
        CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &closed, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            off = fmax(off, fabs(engine.force[d] - closed.force[d]));
        far = fmax(far, distance(engine.tool.pose.p, closed.tool.pose.p));
    }
    CHECK(pkm_alloc_count() == before);
    CHECK_NEAR(off, 0.0, 1e-10); // forces up to 100 N m
    CHECK_NEAR(far, 0.0, 1e-12);
    pkm_robot_free(robot);
}

// What the drives give goes into the energy: the sum over a whole period of what they do against
// gravity and inertia is nought, and the load takes the rest. By the trapezoidal rule, which is
// exact for periodic functions.
static void work_over_a_period_balances_the_load(void)
{
    pkm_robot* robot = load("siax");
    const pkm_instant home = pkm_instant_home(robot);
    pkm_instant now = home;
    now.tool_force = (pkm_vec3){30.0, 10.0, -20.0};
    const int n = 200;
    double drives = 0.0, load_work = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
        const double period = 2.0 * acos(-1.0) / 6.0;
        swing(&home, 3, period * i / n, &now);
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
        double power = 0.0;
        for (int d = 0; d < 3; ++d)
            power += now.force[d] * now.v[d];
        drives += power / n;
        size = fmax(size, fabs(power));
        load_work += (now.tool_force.x * now.tool.v.x + now.tool_force.y * now.tool.v.y +
                      now.tool_force.z * now.tool.v.z) /
                     n;
    }
    CHECK_NEAR(load_work, 0.0, 1e-9 * size); // a constant force does no work on a closed path
    CHECK_NEAR(drives, 0.0, 1e-9 * size);
    pkm_robot_free(robot);
}

// A force on the tool adds -J' F to the drive forces, whatever else happens.
static void a_tool_force_is_carried_by_the_jacobian(void)
{
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        pkm_instant plain = pkm_instant_home(robot), loaded = plain;
        pkm_dexterity dex;
        const double F[6] = {3.0, -7.0, 11.0, 0.5, 0.25, -0.75};
        loaded.tool_force = (pkm_vec3){F[0], F[1], F[2]};
        loaded.tool_torque = (pkm_vec3){F[3], F[4], F[5]};
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &plain, NULL) == PKM_OK);
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &loaded, NULL) == PKM_OK);
        CHECK(pkm_dexterity_at(robot, &dex, NULL) == PKM_OK);
        for (int d = 0; d < dex.n_drive; ++d) {
            double expected = 0.0;
            for (int i = 0; i < 6; ++i)
                expected -= dex.J[6 * d + i] * F[i];
            CHECK_NEAR(loaded.force[d] - plain.force[d], expected, 1e-10);
        }
        pkm_robot_free(robot);
    }
}

/// The column "DRIVE.QUANTITY".
static int drive_column(const pkm_robot* robot, int d, const char* quantity, const pkm_table* table)
{
    char name[200];
    snprintf(name, sizeof name, "%s.%s", pkm_robot_drive_name(robot, d), quantity);
    return pkm_table_find(table, name);
}

/// Largest difference between the rows of a run and the same instants one by one.
static double off_table(pkm_robot* robot, pkm_method method, const pkm_table* table)
{
    pkm_instant now = pkm_instant_home(robot);
    double off = 0.0;
    pkm_robot_go_home(robot);
    for (int r = 0; r < pkm_table_n_row(table); ++r) {
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
            now.q[d] = pkm_table_get(table, r, drive_column(robot, d, "q", table));
            now.v[d] = pkm_table_get(table, r, drive_column(robot, d, "v", table));
            now.a[d] = pkm_table_get(table, r, drive_column(robot, d, "a", table));
        }
        CHECK(pkm_inverse_at(robot, method, &now, NULL) == PKM_OK);
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
            const double force = pkm_table_get(table, r, drive_column(robot, d, "force", table));
            off = fmax(off, fabs(now.force[d] - force) / fmax(1.0, fabs(force)));
        }
    }
    return off;
}

static void a_run_is_its_instants_one_by_one(void)
{
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        for (int m = 0; m < 2; ++m) {
            pkm_inverse_settings settings = pkm_inverse_settings_defaults();
            settings.method = m == 0 ? PKM_METHOD_ENGINE : PKM_METHOD_CLOSED;
            settings.n_instant = 101;
            if (m == 1 && !pkm_robot_closed_form(robot)) continue;
            pkm_table* table = pkm_table_create();
            pkm_inverse_report report;
            CHECK(pkm_inverse_run(robot, 0, &settings, table, &report, NULL) == PKM_OK);
            CHECK(report.n_done == 101 && pkm_table_n_row(table) == 101);
            CHECK_NEAR(off_table(robot, settings.method, table), 0.0, 1e-8);
            pkm_table_free(table);
        }
        pkm_robot_free(robot);
    }
}

static void both_methods_are_compared(void)
{
    pkm_robot* robot = load("siax");
    pkm_table *engine = pkm_table_create(), *closed = pkm_table_create();
    pkm_compare_row row[PKM_MAX_DRIVE];
    CHECK(pkm_compare_run(robot, 0, NULL, engine, closed, row, NULL) == PKM_OK);
    for (int d = 0; d < 3; ++d) {
        double most;
        char quantity[64];
        snprintf(quantity, sizeof quantity, "absmax %s.force", pkm_robot_drive_name(robot, d));
        CHECK(pkm_table_evaluate(engine, quantity, &most, NULL) == PKM_OK);
        CHECK_NEAR(row[d].largest_force, most, 1e-9);
        CHECK(row[d].difference < 1e-9 * row[d].largest_force);
    }
    pkm_table_free(engine);
    pkm_table_free(closed);
    pkm_robot_free(robot);
}

static void out_of_reach_leaves_the_robot_where_it_was(void)
{
    for (int m = 0; m < 2; ++m) {
        const pkm_method method = m == 0 ? PKM_METHOD_ENGINE : PKM_METHOD_CLOSED;
        pkm_robot* robot = load("lindelta");
        pkm_instant now = pkm_instant_home(robot), far = now, again = now;
        pkm_error err = {.status = PKM_OK};
        CHECK(pkm_inverse_at(robot, method, &now, NULL) == PKM_OK);
        far.q[0] += 10.0;
        const pkm_instant asked = far;
        CHECK(pkm_inverse_at(robot, method, &far, &err) == PKM_ERR_UNREACHABLE);
        CHECK_CONTAINS(err.text, "out of reach");
        CHECK(memcmp(&asked, &far, sizeof far) == 0);
        CHECK(pkm_inverse_at(robot, method, &again, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            CHECK_NEAR(again.force[d], now.force[d], 1e-10);
        pkm_robot_free(robot);
    }
}

// From cranks at -0.2 to 0.2 rad in one call. The nearest pose there belongs to the other assembly
// mode, beyond the singularity: it must not be taken for the next instant.
static void a_step_over_a_singularity_is_refused(void)
{
    for (int m = 0; m < 2; ++m) {
        const pkm_method method = m == 0 ? PKM_METHOD_ENGINE : PKM_METHOD_CLOSED;
        pkm_robot* robot = short_rods();
        pkm_instant now = pkm_instant_home(robot), over = now, again = now;
        pkm_error err = {.status = PKM_OK};
        CHECK(now.tool.pose.p.z > 0.0 && now.tool.pose.p.z < 0.02); // below the elbows
        CHECK(pkm_inverse_at(robot, method, &now, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            over.q[d] = 0.2;
        const pkm_status status = pkm_inverse_at(robot, method, &over, &err);
        CHECK(status == PKM_ERR_SINGULAR || status == PKM_ERR_UNREACHABLE);
        CHECK(pkm_inverse_at(robot, method, &again, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            CHECK_NEAR(again.force[d], now.force[d], 1e-10);
        pkm_robot_free(robot);
    }
}

static bool stop_half_way(void* user, double fraction)
{
    ++*(int*)user;
    return fraction < 0.5;
}

static void a_run_can_be_stopped(void)
{
    pkm_robot* robot = load("siax");
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    int calls = 0;
    settings.n_instant = 100;
    settings.progress = stop_half_way;
    settings.user = &calls;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, &report, NULL) == PKM_OK);
    CHECK(report.interrupted && report.n_done == 50 && calls == 50);
    CHECK(pkm_table_n_row(table) == 50);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(forces_are_those_of_the_references);
    RUN(a_control_loop_allocates_nothing_and_both_methods_agree);
    RUN(work_over_a_period_balances_the_load);
    RUN(a_tool_force_is_carried_by_the_jacobian);
    RUN(a_run_is_its_instants_one_by_one);
    RUN(both_methods_are_compared);
    RUN(out_of_reach_leaves_the_robot_where_it_was);
    RUN(a_step_over_a_singularity_is_refused);
    RUN(a_run_can_be_stopped);
    return check_report();
}
