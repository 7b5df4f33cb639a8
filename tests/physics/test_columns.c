/// Columns are known before anything is run: the declarations tell the names and units that a run
/// then writes.
#include "simulate.h"

static void compare_columns(const char* robot_name, const char* text)
{
    char file[1000];
    pkm_robot* robot = engine_load(robot_name);
    pkm_run* run = NULL;
    pkm_error err = {0};
    pkm_table* told = pkm_table_create();
    snprintf(file, sizeof file, "run: 1\n%s", text);
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_parse(run, file, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    CHECK(pkm_simulate_columns(robot, &run->settings, told, &err) == PKM_OK);
    CHECK_TEXT(err.text, "");
    sim_result done = sim_run_whole(robot, text);
    CHECK(pkm_table_n_row(told) == 0 && pkm_table_n_column(told) > 10);
    CHECK(pkm_table_n_column(told) == pkm_table_n_column(done.table));
    for (int c = 0; c < pkm_table_n_column(told) && c < pkm_table_n_column(done.table); ++c) {
        CHECK_TEXT(pkm_table_name(told, c), pkm_table_name(done.table, c));
        CHECK_TEXT(pkm_table_unit(told, c), pkm_table_unit(done.table, c));
    }
    pkm_table_free(told);
    pkm_table_free(done.table);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void of_rigid_robots(void)
{
    compare_columns("siax", "for: 2 ms\ninstants: 3\nreactions: true\n");
    compare_columns("triglide", "for: 2 ms\ninstants: 3\n");
    compare_columns("five-bar", "for: 1 ms\ninstants: 2\n");
}

static void with_friction_and_controllers(void)
{
    compare_columns(
        "siax", "for: 2 ms\ninstants: 3\n"
                "friction: {spherical: {law: coulomb, static: 0.1, dynamic: 0.08, radius: 10 mm}}\n"
                "drives: {computed_torque: {frequency: 20 Hz, damping: 1},\n"
                "  motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20, efficiency: "
                "0.95, torque_limit: 25 N m}}\n");
}

static void with_flexible_links_and_clearance(void)
{
    compare_columns("siax", "for: 0.2 ms\ninstants: 2\nflexible: {left: {modes: 2}}\n");
    compare_columns("siax",
                    "for: 0.2 ms\ninstants: 2\n"
                    "clearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, material: steel}}\n");
}

// Effects add columns to those of the plain run and take none away: the platform of a hexapod turns
// with clearance or flexible links too, and as before to what 0.05 mm on its radius of 0.1 m allow.
static void effects_keep_the_columns_of_the_plain_run(void)
{
    static const char* const effect[] = {
        "clearance: {1.ball: {radius: 10 mm, radial: 0.05 mm, stiffness: 1e8}}\n",
        "flexible: {1.piston: {}}\n"};
    pkm_robot* robot = engine_load("gough-stewart");
    sim_result plain = sim_run_whole(robot, "for: 2 ms\ninstants: 5\n");
    for (int k = 0; k < 2; ++k) {
        char text[200];
        snprintf(text, sizeof text, "for: 2 ms\ninstants: 5\n%s", effect[k]);
        sim_result run = sim_run_whole(robot, text);
        for (int c = 0; c < pkm_table_n_column(plain.table); ++c) {
            const char* name = pkm_table_name(plain.table, c);
            if (pkm_table_find(run.table, name) == PKM_NONE) printf("    without %s\n", name);
            CHECK(pkm_table_find(run.table, name) != PKM_NONE);
        }
        for (int row = 0; row < 5; ++row)
            CHECK_NEAR(sim_get(&run, row, "P.roll"), sim_get(&plain, row, "P.roll"), 1e-3);
        sim_free(&run);
    }
    sim_free(&plain);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(of_rigid_robots);
    RUN(with_friction_and_controllers);
    RUN(with_flexible_links_and_clearance);
    RUN(effects_keep_the_columns_of_the_plain_run);
    return check_report();
}
