// A peak of inverse dynamics has one value, however many rows the table has, by engine and closed
// form, and it is that of the simulation.
#include "pkm/inverse.h"
#include "simulate.h"

#include <math.h>

static pkm_table* inverse(pkm_robot* robot, int motion, pkm_method method, int n_row)
{
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.method = method;
    settings.n_instant = n_row;
    pkm_error err = {0};
    if (pkm_inverse_run(robot, motion, &settings, table, NULL, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(pkm_table_n_row(table) == n_row);
    return table;
}

static double most_of_rows(const pkm_table* table, int column)
{
    double most = 0.0;
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        most = fmax(most, fabs(pkm_table_get(table, i, column)));
    return most;
}

/// Peaks with `n_row` rows against the largest of 20001 rows, which are off by at most `tolerance`;
/// returns how many of them the rows alone miss by more than 1 %.
static int compare(const pkm_table* few, const pkm_table* many, double tolerance)
{
    int n = 0, missed = 0;
    for (int c = 0; c < pkm_table_n_column(few); ++c) {
        if (pkm_table_peak_rule(few, c) != PKM_PEAK_LOCATED) continue;
        const double want = most_of_rows(many, c);
        CHECK_NEAR(pkm_table_reduce(few, c, PKM_REDUCE_ABSMAX, NULL), want, tolerance * want);
        missed += most_of_rows(few, c) < 0.99 * want;
        ++n;
    }
    CHECK(n >= 3);
    return missed;
}

static void peaks_do_not_hang_on_the_rows(void)
{
    static const char* const name[] = {"siax", "five-bar", "gough-stewart", "triglide", "3pprs"};
    static const int rows[] = {3, 8, 31, 64, 401};
    int missed = 0;
    for (size_t k = 0; k < sizeof name / sizeof name[0]; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        if (!robot) continue;
        const pkm_method fine = robot->closed ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE;
        pkm_table* many = inverse(robot, 0, fine, robot->closed ? 20001 : 2001);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
            for (int by = 0; by < (robot->closed ? 2 : 1); ++by) {
                pkm_table* few =
                    inverse(robot, 0, by ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE, rows[i]);
                missed += compare(few, many, 3e-5);
                pkm_table_free(few);
            }
        pkm_table_free(many);
        pkm_robot_free(robot);
    }
    CHECK(missed > 20); // else the rows alone would do
}

// The same motion by time stepping: another formulation, with other samples.
static void peaks_are_those_of_the_simulation(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    sim_result sim = sim_run_whole(robot, "instants: 7\n");
    pkm_table* table = inverse(robot, 0, PKM_METHOD_ENGINE, 40);
    static const char* const column[] = {"qA.force", "qB.force", "qC.force", "qA.v",    "qB.v",
                                         "qA.a",     "qB.a",     "qC.a",     "P.speed", "P.acc"};
    static const pkm_reduction extreme[] = {PKM_REDUCE_ABSMAX, PKM_REDUCE_MAX, PKM_REDUCE_MIN};
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k) {
        const int a = pkm_table_find(table, column[k]), b = pkm_table_find(sim.table, column[k]);
        const double size = pkm_table_reduce(sim.table, b, PKM_REDUCE_ABSMAX, NULL);
        for (size_t i = 0; i < sizeof extreme / sizeof extreme[0]; ++i)
            CHECK_NEAR(pkm_table_reduce(table, a, extreme[i], NULL),
                       pkm_table_reduce(sim.table, b, extreme[i], NULL), 3e-5 * size);
    }
    pkm_table_free(table);
    sim_free(&sim);
    pkm_robot_free(robot);
}

// Ramps of constant acceleration: forces jump where they begin and end, and rows that miss these
// instants miss the peak. The truth are rows 1e-4 of the motion apart, which come as near to a
// jump.
static void peaks_at_jumps_are_those_of_their_higher_side(void)
{
    static const int rows[] = {4, 9, 38};
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    int motion = 0;
    CHECK(pkm_robot_find_motion(robot, "shuttle", NULL, &motion, NULL) == PKM_OK);
    pkm_table* many = inverse(robot, motion, PKM_METHOD_ENGINE, 10001);
    int missed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        pkm_table* few = inverse(robot, motion, PKM_METHOD_ENGINE, rows[i]);
        missed += compare(few, many, 1e-3);
        pkm_table_free(few);
    }
    CHECK(missed > 0);
    pkm_table_free(many);
    pkm_robot_free(robot);
}

/// Work, rms forces and peaks of a short motion in a long run, by the closed form.
static void read_long_run(pkm_robot* robot, int n, double out[11])
{
    pkm_inverse_settings s = pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    pkm_table* table = pkm_table_create();
    s.method = PKM_METHOD_CLOSED;
    s.n_instant = n;
    s.end_time = 40.0; // of which the motion takes 0.2 s
    CHECK(pkm_inverse_run(robot, 0, &s, table, &report, NULL) == PKM_OK);
    out[0] = report.drive_work;
    out[10] = report.exchanged;
    for (int d = 0; d < 3; ++d) {
        const char name[] = {'q', (char)('A' + d), '.', 'f', 'o', 'r', 'c', 'e', 0};
        const int c = pkm_table_find(table, name);
        out[1 + d] = pkm_table_reduce(table, c, PKM_REDUCE_RMS, NULL);
        out[4 + d] = pkm_table_reduce(table, c, PKM_REDUCE_MAX, NULL);
        out[7 + d] = pkm_table_reduce(table, c, PKM_REDUCE_MIN, NULL);
    }
    pkm_table_free(table);
}

// Of many rows not all are samples: those of the short piece are as close as its length asks for.
static void many_rows_give_the_sums_of_few(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    double few[11], many[11];
    read_long_run(robot, 101, few);
    for (int n = 3001; n <= 200001; n *= 8) {
        read_long_run(robot, n, many);
        for (int k = 0; k < 10; ++k)
            CHECK_NEAR(many[k], few[k], 3e-5 * fabs(k == 0 ? few[10] : few[k]));
    }
    pkm_robot_free(robot);
}

// Reactions of both formulations, too. Those at the second ball of a rod are given in axes of the
// rod, which spins about its own line by what the steps of each make of it: the components across
// the rod share that, the force across it and the one along it are the same.
static void reactions_are_those_of_the_simulation(void)
{
    pkm_robot* robot = engine_load("siax");
    if (!robot) return;
    sim_result sim = sim_run_whole(robot, "instants: 41\nreactions: true\n");
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 41;
    settings.reactions = true;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, NULL, NULL) == PKM_OK);
    static const char* const rod[] = {"A.left2", "B.right2", "C.left2"};
    for (int k = 0; k < 3; ++k) {
        const int a = pkm_table_find_item(table, rod[k], "Fx");
        const int b = pkm_table_find_item(sim.table, rod[k], "Fx");
        for (int i = 0; i < 41; ++i) {
            double f[3], g[3];
            for (int c = 0; c < 3; ++c) {
                f[c] = pkm_table_get(table, i, a + c);
                g[c] = pkm_table_get(sim.table, i, b + c);
            }
            CHECK_NEAR(f[0], g[0], 1e-8);
            CHECK_NEAR(hypot(f[1], f[2]), hypot(g[1], g[2]), 1e-8);
            CHECK_NEAR(f[1], g[1], 1e-3);
        }
    }
    pkm_table_free(table);
    sim_free(&sim);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(peaks_do_not_hang_on_the_rows);
    RUN(peaks_are_those_of_the_simulation);
    RUN(many_rows_give_the_sums_of_few);
    RUN(reactions_are_those_of_the_simulation);
    RUN(peaks_at_jumps_are_those_of_their_higher_side);
    return check_report();
}
