// Inverse dynamics with all that a run file may put on the robot, against the simulation of the
// same run with prescribed drives: two formulations (recursion with the factors of the drive rows;
// accelerations on independent velocities) that share the elements of force only. And the balance
// of powers at every instant.
#include "run/takes.h"
#include "simulate.h"

/// A robot, its motion, what acts, and with how many rows.
typedef struct example {
    const char *robot, *effects;
} example;

static const example examples[] = {
    {"siax", "tool_force: [30 N, -20 N, -500 N]"},
    {"3pprs", "tool_torque: [0.1 N m, 0.2 N m, 0.3 N m]"},
    {"siax", "loads: {push: {force: [10 N, 0, '=-50 N * sin(2*pi*t/50 ms)'], at: platform.P}}"},
    {"siax", "loads: {push: {force: [10 N, 5 N, 20 N], torque: [1 N m, 0, 0], at: A.crank.left, "
             "axes: body}}"},
    {"siax",
     "loads: {s: {spring: {stiffness: 800 N/m, damping: 50 N s/m, length: 0.4 m, preload: 9 N}, "
     "between: [ground.A.M, platform.P]}}"},
    {"siax", "loads: {s: {spring: {stiffness: 200 N m/rad, damping: 3 N m s/rad, rest: 30 deg}, "
             "joint: A.motor}}"},
    {"siax", "loads: {s: {bushing: {stiffness: [1000, 1000, 1000, 10, 10, 10], damping: [9, 9, 9, "
             "1, 1, 1]}, "
             "between: [ground.A.M, A.crank.M]}}"},
    {"siax", "payload: {box: {mass: 4 kg, at: platform.P, com: [0, 20 mm, -50 mm], inertia: [0.01, "
             "0.01, 0.005]}}"},
    {"siax", "payload: {box: {mass: 4 kg, at: platform.P, pick: 50 ms, drop: 100 ms}}"},
    {"siax",
     "drives: {motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20, efficiency: 0.9, viscous: 1e-4, "
     "coulomb: 0.01 N m, torque_limit: 5 N m}}"},
    {"triglide",
     "drives: {motor: {rotor_inertia: 1e-5 kg m2}, screw: {lead: 20 mm, efficiency: 0.8}}"},
    {"siax", "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm}}"},
    {"siax", "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
             "tool_force: [0, 0, -100 N]\npayload: {box: {mass: 2 kg, at: platform.P}}\n"
             "loads: {s: {spring: {stiffness: 800 N/m, length: 0.4 m}, between: [ground.A.M, "
             "platform.P]}}\n"
             "drives: {motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20}}"},
};
enum { N_EXAMPLE = sizeof examples / sizeof examples[0], N_ROW = 41 };

static void write_file(const example* e, char* out, size_t size)
{
    snprintf(out, size, "run: 1\ninstants: %d\nreactions: true\ntolerance: 1e-13\n%s\n", N_ROW,
             e->effects);
}

/// Inverse dynamics of the run.
static void run_inverse(pkm_robot* robot, const char* file, pkm_table* table,
                        pkm_inverse_report* report)
{
    pkm_run* run = NULL;
    pkm_error err = {0};
    pkm_status status = pkm_run_create(robot, &run, &err);
    if (status == PKM_OK) status = pkm_run_parse(run, file, "run.yaml", &err);
    if (status == PKM_OK) status = pkm_run_complete(run, &err);
    if (status == PKM_OK) status = pkm_run_require(run, PKM_ANALYSIS_INVERSE, &err);
    if (status == PKM_OK) {
        const pkm_inverse_settings settings = {.n_instant = run->settings.n_instant,
                                               .end_time = run->settings.end_time,
                                               .tool_force = run->settings.tool_force,
                                               .tool_torque = run->settings.tool_torque,
                                               .reactions = true,
                                               .effects = &run->effects};
        status = pkm_inverse_run(robot, run->settings.motion, &settings, table, report, &err);
    }
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    pkm_run_free(run);
}

/// Largest magnitude of a column, and of its difference from that of the same name.
static void compare_column(const pkm_table* a, int c, const pkm_table* b, double* scale,
                           double* off)
{
    const int other = pkm_table_find(b, pkm_table_name(a, c));
    CHECK(other != PKM_NONE);
    *scale = *off = 0.0;
    for (int i = 0; i < N_ROW; ++i) {
        const double x = pkm_table_get(a, i, c), y = pkm_table_get(b, i, other);
        *scale = fmax(*scale, fabs(y));
        *off = fmax(*off, fabs(x - y));
    }
}

static bool ends_with(const char* name, const char* end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/// Forces of drives, torques of motors: relative to the largest of all drives. The tolerance is
/// that of the simulation, 1e-13 per step, with the factor by which errors of positions show in
/// forces.
static void compare_tables(const example* e, const pkm_table* inverse, const pkm_table* simulated)
{
    static const char* const compared[] = {".force",     ".torque",        ".electric",
                                           ".saturated", "energy.kinetic", "energy.potential"};
    for (size_t k = 0; k < sizeof compared / sizeof compared[0]; ++k) {
        double largest = 0.0, difference = 0.0;
        for (int c = 0; c < pkm_table_n_column(inverse); ++c) {
            double scale, off;
            if (!ends_with(pkm_table_name(inverse, c), compared[k])) continue;
            compare_column(inverse, c, simulated, &scale, &off);
            largest = fmax(largest, scale);
            difference = fmax(difference, off);
        }
        if (difference > 1e-9 * largest) printf("    %s: %s\n", e->effects, compared[k]);
        CHECK_NEAR(difference, 0.0, 1e-9 * largest);
    }
}

/// Largest force of a drive.
static double largest_force(const pkm_table* table)
{
    double largest = 0.0;
    for (int c = 0; c < pkm_table_n_column(table); ++c)
        for (int i = 0; ends_with(pkm_table_name(table, c), ".force") && i < N_ROW; ++i)
            largest = fmax(largest, fabs(pkm_table_get(table, i, c)));
    return largest;
}

static void inverse_dynamics_takes_what_a_simulation_takes(void)
{
    for (int k = 0; k < N_EXAMPLE; ++k) {
        char file[2000];
        pkm_robot* robot = engine_load(examples[k].robot);
        pkm_table* table = pkm_table_create();
        pkm_inverse_report report;
        write_file(&examples[k], file, sizeof file);
        run_inverse(robot, file, table, &report);
        sim_result simulated = sim_run(robot, file + strlen("run: 1\n"));
        CHECK(simulated.status == PKM_OK && simulated.report.n_done == N_ROW);
        if (simulated.status == PKM_OK) compare_tables(&examples[k], table, simulated.table);
        CHECK_NEAR(report.power_error, 0.0, 1e-11 * report.power_scale);
        pkm_table_free(simulated.table);
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

// Not one of them leaves the forces of the drives as they are without it.
static void every_effect_shows(void)
{
    for (int k = 0; k < N_EXAMPLE; ++k) {
        char file[2000], plain[2000];
        const example nothing = {examples[k].robot, ""};
        pkm_robot* robot = engine_load(examples[k].robot);
        pkm_table *with = pkm_table_create(), *without = pkm_table_create();
        pkm_inverse_report report;
        double scale, off, most = 0.0;
        write_file(&examples[k], file, sizeof file);
        write_file(&nothing, plain, sizeof plain);
        run_inverse(robot, file, with, &report);
        run_inverse(robot, plain, without, &report);
        for (int c = 0; c < pkm_table_n_column(without); ++c) {
            if (!ends_with(pkm_table_name(without, c), ".force")) continue;
            compare_column(without, c, with, &scale, &off);
            most = fmax(most, off);
        }
        if (!(most > 1e-4 * largest_force(without))) printf("    %s\n", examples[k].effects);
        CHECK(most > 1e-4 * largest_force(without));
        pkm_table_free(with);
        pkm_table_free(without);
        pkm_robot_free(robot);
    }
}

// Two masses on vertical slides, lifted together by 0.25 m, or one of them while the other goes
// down: no acceleration reaches that of gravity, so that each drive gives m g h or takes it, and
// what they exchange is the sum of both, whatever their works add up to. At rest before and after,
// the change of energy is that of the weights. Integrals of sixth order leave rounding.
static void drives_exchange_what_weights_take_and_give(void)
{
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: lifts\ngravity: [0, 0, -9.81]\n"
        "ground: {points: {A: [0, 0, 0], B: [1, 0, 0]}}\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: [0.1, 0.1, 0.1], points: {P: [0, 0, 0]}}\n"
        "  b: {mass: 3, inertia: [0.1, 0.1, 0.1], points: {P: [0, 0, 0]}, pose: {at: [1, 0, 0]}}\n"
        "joints:\n"
        "  A: {type: prismatic, between: [ground.A, a.P], axis: z}\n"
        "  B: {type: prismatic, between: [ground.B, b.P], axis: z}\n"
        "drives: {qa: {joint: A}, qb: {joint: B}}\n"
        "motions:\n"
        "  both: {law: quintic, duration: 1 s, drives: {qa: [0, 0.25], qb: [0, 0.25]}}\n"
        "  one: {law: quintic, duration: 1 s, drives: {qa: [0, 0.25], qb: [0, -0.25]}}\n");
    for (int k = 0; robot && k < 2; ++k) {
        pkm_table* table = pkm_table_create();
        pkm_inverse_report r = {0};
        run_inverse(robot, k == 0 ? "run: 1\nmotion: both\n" : "run: 1\nmotion: one\n", table, &r);
        const double a = 2.0 * 9.81 * 0.25, b = 3.0 * 9.81 * 0.25, sum = k == 0 ? a + b : a - b;
        CHECK(r.is_summed);
        CHECK_NEAR(r.exchanged, a + b, 1e-12);
        CHECK_NEAR(r.drive_work, sum, 1e-12);
        CHECK_NEAR(r.energy_change, sum, 1e-13);
        pkm_table_free(table);
    }
    pkm_robot_free(robot);
}

// Work put in is lost, stored in springs or kept as energy. Simpson's rule over 401 rows leaves
// some 1e-9; where a payload comes or goes between rows nothing is summed.
static void works_balance_unless_forces_jump(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_table *table = pkm_table_create(), *jumping = pkm_table_create();
    pkm_inverse_report r;
    run_inverse(
        robot,
        "run: 1\ninstants: 401\npayload: {box: {mass: 4 kg, at: platform.P}}\n"
        "tool_force: [0, 0, -100 N]\ndrives: {motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20}}\n"
        "loads: {s: {spring: {stiffness: 800 N/m, damping: 50 N s/m, length: 0.4 m}, "
        "between: [ground.A.M, platform.P]}}\n",
        table, &r);
    CHECK(r.is_summed && r.damping_loss > 1.0 && fabs(r.spring_change) > 1.0);
    CHECK_NEAR(r.drive_work + r.load_work - r.friction_loss - r.damping_loss,
               r.energy_change + r.spring_change, 1e-7 * r.exchanged);
    double electric =
        0.0; // of motors without losses: what the drives do, as energy taken and given
    for (int d = 0; d < 3; ++d) {
        static const char* const column[] = {"qA.electric", "qB.electric", "qC.electric"};
        double taken = NAN, given = NAN;
        CHECK(pkm_table_get_parts(table, pkm_table_find(table, column[d]), &taken, &given));
        CHECK(taken > 1.0 && given > 1.0);
        electric += taken - given;
    }
    CHECK_NEAR(electric, r.drive_work, 1e-5 * r.exchanged);
    pkm_table* part = pkm_table_create(); // ends in the middle, with power: odd and even rows
    for (int n = 400; n <= 401; ++n) {
        char text[200];
        snprintf(text, sizeof text, "run: 1\ninstants: %d\nfor: 0.13 s\n", n);
        pkm_table_free(part);
        part = pkm_table_create();
        run_inverse(robot, text, part, &r);
        CHECK(fabs(r.energy_change) > 1.0);
        CHECK_NEAR(r.drive_work, r.energy_change, 1e-7 * r.exchanged);
    }
    pkm_table_free(part);
    run_inverse(robot, "run: 1\npayload: {box: {mass: 4 kg, at: platform.P, pick: 50 ms}}\n",
                jumping, &r);
    CHECK(!r.is_summed);
    pkm_table_free(jumping);
    jumping = pkm_table_create(); // a force that jumps between the rows: samples lie next to it
    FILE* file = fopen("jumps.csv", "w");
    CHECK(file != NULL);
    if (file) {
        fputs("t,fx,fy,fz\n0,0,0,0\n0.031,100,-100,0\n0.113,0,0,0\n", file);
        fclose(file);
    }
    run_inverse(robot,
                "run: 1\ninstants: 40\nloads: {f: {force: {file: jumps.csv, between: steps}, at: "
                "platform.P}}\n",
                jumping, &r);
    remove("jumps.csv");
    pkm_table* fine = pkm_table_create(); // rows every millisecond: force times way
    pkm_inverse_report plain;
    run_inverse(robot, "run: 1\ninstants: 201\n", fine, &plain);
    const int x = pkm_table_find(fine, "P.x"), y = pkm_table_find(fine, "P.y");
    const double work = 100.0 * (pkm_table_get(fine, 113, x) - pkm_table_get(fine, 31, x)) -
                        100.0 * (pkm_table_get(fine, 113, y) - pkm_table_get(fine, 31, y));
    pkm_table_free(fine);
    CHECK(r.is_summed && fabs(work) > 1.0);
    CHECK_NEAR(r.load_work, work, 1e-6 * fabs(work));
    CHECK_NEAR(r.drive_work + r.load_work, r.energy_change, 1e-7 * r.exchanged);
    pkm_table_free(table);
    pkm_table_free(jumping);
    pkm_robot_free(robot);
}

// What a run put on the robot is gone afterwards.
static void nothing_stays_on_the_robot(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_table *table = pkm_table_create(), *after = pkm_table_create(), *fresh = pkm_table_create();
    pkm_inverse_report r;
    run_inverse(robot, "run: 1\ninstants: 41\n", fresh, &r);
    run_inverse(robot, "run: 1\npayload: {box: {mass: 50 kg, at: platform.P}}\n", table, &r);
    run_inverse(robot, "run: 1\ninstants: 41\n", after, &r);
    for (int c = 0; c < pkm_table_n_column(fresh); ++c) {
        double scale, off;
        compare_column(fresh, c, after, &scale, &off);
        CHECK_NEAR(off, 0.0, 0.0);
    }
    pkm_table_free(table);
    pkm_table_free(after);
    pkm_table_free(fresh);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(inverse_dynamics_takes_what_a_simulation_takes);
    RUN(every_effect_shows);
    RUN(drives_exchange_what_weights_take_and_give);
    RUN(works_balance_unless_forces_jump);
    RUN(nothing_stays_on_the_robot);
    return check_report();
}
