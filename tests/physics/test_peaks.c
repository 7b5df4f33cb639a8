// A peak has one value, however many rows the table has: the truth is a run with a hundred times
// the rows, where the evenly spaced rows alone come near it.
#include "clearance.h"
#include "table/column.h"

static const char* const FIVE_MS =
    "for: 8 ms\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, "
    "restitution: 0.9, start: centred}}\n";

/// Largest value of sign times a column over the evenly spaced rows alone.
static double most_of_rows(const pkm_table* table, int column, double sign)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        most = fmax(most, sign * pkm_table_get(table, i, column));
    return most;
}

/// An extreme of column c of a run with few rows against the rows of one with many, of which it may
/// be more: rows only miss. `size`: the largest magnitude. True: the few rows alone miss it by more
/// than 1 %.
static bool check_extreme(const sim_result* few, const sim_result* many, int c, double sign,
                          double tolerance, double size)
{
    const double want = most_of_rows(many->table, c, sign);
    const pkm_reduction most = sign > 0.0 ? PKM_REDUCE_MAX : PKM_REDUCE_MIN;
    const double got = sign * pkm_table_reduce(few->table, c, most, NULL);
    if (!(got >= want - tolerance * size && got <= want + 0.003 * size))
        printf("    %s %.9g, of many rows %.9g\n", pkm_table_name(few->table, c), sign * got,
               sign * want);
    CHECK(got >= want - tolerance * size && got <= want + 0.003 * size);
    return most_of_rows(few->table, c, sign) < want - 0.01 * size;
}

/// Largest and smallest values for all columns with this quantity; returns how many the few rows
/// alone miss.
static int check_peaks(const sim_result* few, const sim_result* many, const char* quantity,
                       double tolerance)
{
    int n = 0, missed = 0;
    for (int c = 0; c < pkm_table_n_column(few->table); ++c) {
        const char* dot = strrchr(pkm_table_name(few->table, c), '.');
        if (!dot || strcmp(dot + 1, quantity) != 0) continue;
        const double size =
            fmax(fabs(most_of_rows(many->table, c, 1.0)), fabs(most_of_rows(many->table, c, -1.0)));
        missed += check_extreme(few, many, c, 1.0, tolerance, size);
        missed += check_extreme(few, many, c, -1.0, tolerance, size);
        ++n;
    }
    CHECK(n > 0);
    return missed;
}

static const char* const QUANTITIES[] = {"force", "dforce", "v",    "a",     "dp",
                                         "dv",    "da",     "turn", "speed", "acc"};
static const char* const OF_LINKS[] = {"axial", "deflection"};

static void check_all(pkm_robot* robot, const char* text, int few, double tolerance)
{
    char with[2][1000];
    snprintf(with[0], sizeof with[0], "instants: %d\n%s", few, text);
    snprintf(with[1], sizeof with[1], "instants: %d\n%s", 100 * (few - 1) + 1, text);
    sim_result a = sim_run_whole(robot, with[0]), b = sim_run_whole(robot, with[1]);
    int missed = 0;
    for (size_t k = 0; k < sizeof QUANTITIES / sizeof QUANTITIES[0]; ++k)
        missed += check_peaks(&a, &b, QUANTITIES[k], tolerance);
    for (size_t k = 0; strstr(text, "flexible") && k < sizeof OF_LINKS / sizeof OF_LINKS[0]; ++k)
        missed += check_peaks(&a, &b, OF_LINKS[k], tolerance);
    CHECK(missed >= 8); // else the few rows would do without
    sim_free(&a);
    sim_free(&b);
}

// 100 rows per row resolve an impact of 50 us to 1e-4 of its height.
static void peaks_of_impacts_do_not_hang_on_the_rows(void)
{
    pkm_robot* robot = engine_load("siax");
    check_all(robot, FIVE_MS, 41, 2e-4);
    pkm_robot_free(robot);
}

static void peaks_of_impacts_are_located_by_bdf_too(void)
{
    pkm_robot* robot = engine_load("siax");
    char text[400];
    snprintf(text, sizeof text, "integrator: bdf\n%s", FIVE_MS);
    check_all(robot, text, 41, 5e-4);
    pkm_robot_free(robot);
}

static void peaks_of_vibrations_do_not_hang_on_the_rows(void)
{
    pkm_robot* robot = engine_load("siax");
    check_all(robot,
              "for: 20 ms\nflexible: {left: {elements: 4, modes: 4, damping: 0.01}, right: "
              "{elements: 4, modes: 4, damping: 0.01}}\n",
              21, 2e-4);
    check_all(robot,
              "for: 20 ms\nintegrator: ida\nflexible: {left: {elements: 4, modes: 4, damping: "
              "0.01}, right: {elements: 4, modes: 4, damping: 0.01}}\n",
              11, 1e-3);
    pkm_robot_free(robot);
}

// A drive held by a controller swings about its way between five rows.
static void peaks_of_controlled_drives_do_not_hang_on_the_rows(void)
{
    pkm_robot* robot = engine_load("siax");
    static const char* const quantity[] = {"force", "v", "a", "dq", "dp", "da"};
    sim_result a = sim_run_whole(robot, "instants: 6\ndrives: {pd: {kp: 2000, kd: 30}}\n");
    sim_result b = sim_run_whole(robot, "instants: 2001\ndrives: {pd: {kp: 2000, kd: 30}}\n");
    int missed = 0;
    for (size_t k = 0; k < sizeof quantity / sizeof quantity[0]; ++k)
        missed += check_peaks(&a, &b, quantity[k], 1e-4);
    CHECK(missed >= 10); // else the few rows would do without
    sim_free(&a);
    sim_free(&b);
    pkm_robot_free(robot);
}

// A ball falls on its socket: normal force, penetration and their times by energy. With Hertz'
// elastic law K d^1.5 the height h gives m g (h + d) = K d^2.5 / 2.5.
static void contact_force_is_that_of_the_energy(void)
{
    static const char model[] =
        "pkm: 1\nname: ball\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1], points: {C: [0, 0, 0]}}}\n"
        "joints: {S: {type: spherical, between: [ground.O, ball.C]}}\ntool: ball.C\n";
    pkm_robot* robot = engine_from(model);
    clearance_run p = clearance(
        robot, "motion: none\ndrives: free\nfor: 20 ms\ninstants: 5\nclearance: {S: {radial: 1 mm, "
               "radius: 10 mm, law: hertz, stiffness: 1e9}}\n");
    double d = 1e-5;
    for (int i = 0; i < 50; ++i) // Newton
        d -= (1e9 * pow(d, 2.5) / 2.5 - 9.81 * (1e-3 + d)) / (1e9 * pow(d, 1.5) - 9.81);
    const double force = 1e9 * pow(d, 1.5);
    CHECK_NEAR(sim_value(&p.r, "absmax S.normal"), force, 1e-5 * force);
    CHECK_NEAR(p.record->bearing[0].force.value, force, 1e-5 * force);
    CHECK_NEAR(p.record->bearing[0].penetration.value, d, 1e-3 * d);
    clearance_free(&p);
    pkm_robot_free(robot);
}

// Located rows are complete: power is that of the drives, speed the size of the velocity.
static void located_rows_have_all_columns(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, FIVE_MS);
    const int n = pkm_table_n_row(r.table), more = pkm_table_n_located(r.table);
    CHECK(n == 401 && more >= 5);
    for (int i = n; i < n + more; ++i) {
        double power = 0.0, before = i > n ? sim_get(&r, i - 1, "t") : 0.0;
        for (int d = 0; d < 3; ++d) {
            char name[2][16];
            snprintf(name[0], sizeof name[0], "q%c.force", 'A' + d);
            snprintf(name[1], sizeof name[1], "q%c.v", 'A' + d);
            power += sim_get(&r, i, name[0]) * sim_get(&r, i, name[1]);
        }
        CHECK_NEAR(sim_get(&r, i, "power"), power, 1e-9 * fabs(power));
        CHECK_NEAR(
            sim_get(&r, i, "P.dp"),
            hypot(hypot(sim_get(&r, i, "P.dx"), sim_get(&r, i, "P.dy")), sim_get(&r, i, "P.dz")),
            1e-15);
        CHECK(sim_get(&r, i, "t") > before && sim_get(&r, i, "t") < 8e-3);
        CHECK(fabs(sim_get(&r, i, "balance")) < 1e-5);
    }
    pkm_table_walk walk;
    pkm_table_walk_begin(&walk, r.table);
    double t = -1.0;
    int seen = 0;
    for (int i = pkm_table_walk_next(&walk); i != PKM_NONE; i = pkm_table_walk_next(&walk)) {
        CHECK(pkm_table_get(r.table, i, 0) > t);
        t = pkm_table_get(r.table, i, 0);
        ++seen;
    }
    CHECK(seen == n + more);
    sim_free(&r);
    pkm_robot_free(robot);
}

/// Root of the mean square of a column over evenly spaced rows, by Simpson's rule.
static double rms_of_rows(const pkm_table* table, int column)
{
    const int n = pkm_table_n_row(table) - 1;
    double sum = 0.0;
    for (int i = 0; i <= n; ++i) {
        const double x = pkm_table_get(table, i, column);
        sum += (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) * x * x;
    }
    return sqrt(sum / (3.0 * n));
}

/// Each column has the rms value over time that its own rows have where they are many, with few
/// rows and with many.
static void rms_values_are_those_of_their_own_columns(void)
{
    static const char* const text = "motion: none\ndrives: free\nfor: 0.1 s\ninstants: %d\n";
    pkm_robot* robot = engine_load("siax");
    char with[2][200];
    snprintf(with[0], sizeof with[0], text, 11);
    snprintf(with[1], sizeof with[1], text, 1001);
    sim_result few = sim_run_whole(robot, with[0]), many = sim_run_whole(robot, with[1]);
    int n = 0;
    for (int c = 1; c < pkm_table_n_column(many.table); ++c) {
        if (!pkm_table_has_rms(many.table, c)) continue;
        const double want = rms_of_rows(many.table, c);
        CHECK_NEAR(pkm_table_rms(many.table, c), want, 1e-6 * want + 1e-9);
        CHECK_NEAR(pkm_table_rms(few.table, c), want, 1e-5 * want + 1e-9);
        n += want > 1e-3;
    }
    CHECK(n >= 8);
    sim_free(&few);
    sim_free(&many);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(rms_values_are_those_of_their_own_columns);
    RUN(peaks_of_impacts_do_not_hang_on_the_rows);
    RUN(peaks_of_impacts_are_located_by_bdf_too);
    RUN(peaks_of_vibrations_do_not_hang_on_the_rows);
    RUN(peaks_of_controlled_drives_do_not_hang_on_the_rows);
    RUN(contact_force_is_that_of_the_energy);
    RUN(located_rows_have_all_columns);
    return check_report();
}
