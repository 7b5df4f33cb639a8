/// Every robot of robots/ against references made by another multibody program: structure, drive
/// positions, speeds, accelerations and forces, by the general engine and by the closed form.
#include "check.h"
#include "physics/reference_file.h"
#include "pkm/inverse.h"
#include "robot/robot.h"

#include <stdio.h>

/// A robot, what is known of its structure, and its reference (NULL: none).
typedef struct robot_case {
    const char* file;
    int mobility, n_idle, n_redundant;
    const char* reference; ///< of the motion `paper`, in tests/data/reference
    double tolerance;      ///< of the forces, relative to the largest; positions by the same number
} robot_case;

// References with 17 digits: rounding of both programs, amplified where limbs are nearly stretched.
// The SIAX reference is printed with ten digits.
static const robot_case cases[] = {
    {"triglide", 9, 6, 0, "triglide_ref.csv", 1e-11},
    {"prrr2prpar", 3, 0, 9, "prrr2prpar_ref.csv", 1e-11},
    {"irb340", 9, 6, 0, NULL, 0.0},
    {"siax", 9, 6, 0, "siax_rigid_ref.csv", 1e-9},
    {"kuo", 3, 0, 0, NULL, 0.0},
    {"lindelta", 9, 6, 0, "lindelta_ref.csv", 1e-11},
    {"isoglideT3", 3, 0, 3, "isoglideT3_ref.csv", 1e-11},
    {"isoglide4", 4, 0, 3, "isoglide4_ref.csv", 1e-11},
    {"3pprs", 6, 0, 0, "3pprs_ref.csv", 1e-11},
    {"3ppsr", 6, 0, 0, "3ppsr_ref.csv", 1e-11},
    {"gough-stewart", 6, 0, 0, NULL, 0.0},
    {"planar-3rrr", 3, 0, 6, NULL, 0.0}, // two loops, three each
    {"five-bar", 2, 0, 3, NULL, 0.0},
    {"bench/delta-d", 9, 6, 0, NULL, 0.0},
};

enum { N_CASE = (int)(sizeof cases / sizeof cases[0]) };

static pkm_robot* load_with(const char* name, const pkm_override* set, int n_set)
{
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    if (pkm_robot_load(path, set, n_set, &robot, &err) != PKM_OK)
        printf("    %s:%d:%d: %s\n", path, err.line, err.column, err.text);
    CHECK(robot != NULL);
    return robot;
}

static pkm_robot* load(const char* name)
{
    return load_with(name, NULL, 0);
}

/// Inverse dynamics of motion `index` with `n` instants; NULL after a failure, which is counted.
static pkm_table* run(pkm_robot* robot, int index, pkm_method method, int n,
                      pkm_inverse_report* report)
{
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.method = method;
    settings.n_instant = n;
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    const pkm_status status = pkm_inverse_run(robot, index, &settings, table, report, &err);
    CHECK(status == PKM_OK);
    if (status == PKM_OK) return table;
    printf("    %s: %s\n", robot->desc->name, err.text);
    pkm_table_free(table);
    return NULL;
}

static int find_motion(pkm_robot* robot, const char* name)
{
    pkm_motion* motion = NULL;
    int index = PKM_NONE;
    CHECK(pkm_robot_find_motion(robot, name, &motion, &index, NULL) == PKM_OK);
    return index;
}

// ---- against the reference files -------------------------------------------------------------

/// Largest magnitude of `what` over all drives and rows of the reference.
static double reference_scale(const pkm_robot* robot, const char* what)
{
    double scale = 0.0;
    for (int d = 0; d < robot->desc->n_drive; ++d) {
        const int column = reference_column(robot->desc->drive[d].name, what);
        for (int r = 0; r < ref.n_row; ++r)
            if (column != PKM_NONE) scale = fmax(scale, fabs(ref.value[r][column]));
    }
    return scale;
}

/// Compare `what` of every drive with the reference, to `tolerance` of the largest value.
static void compare(const pkm_robot* robot, const pkm_table* table, const char* what,
                    double tolerance)
{
    const double scale = reference_scale(robot, what);
    CHECK(pkm_table_n_row(table) == ref.n_row);
    for (int d = 0; d < robot->desc->n_drive; ++d) {
        const char* drive = robot->desc->drive[d].name;
        char name[64];
        snprintf(name, sizeof name, "%s.%s", drive, what);
        const int ours = pkm_table_find(table, name), theirs = reference_column(drive, what);
        CHECK(ours != PKM_NONE && theirs != PKM_NONE);
        if (ours == PKM_NONE || theirs == PKM_NONE) continue;
        double worst = 0.0;
        for (int r = 0; r < ref.n_row; ++r) {
            const double off = fabs(pkm_table_get(table, r, ours) - ref.value[r][theirs]);
            worst = off > worst || isnan(off) ? off : worst;
        }
        if (!(worst <= tolerance * scale))
            printf("    %s %s: off by %g of %g\n", robot->desc->name, name, worst, scale);
        CHECK(worst <= tolerance * scale);
    }
}

/// Compare column `column` of the reference, "E_x" or "x" (then of the tool), where our table has
/// the point; returns whether it has. Positions to `tolerance` metres: the robots are of that size.
static bool compare_point(const pkm_robot* robot, const pkm_table* table, int column,
                          double tolerance)
{
    const char* tool = strrchr(robot->desc->marker[robot->desc->tool_marker].name, '.') + 1;
    const char *name = ref.name[column], *line = strchr(name, '_');
    char ours[64];
    if (line && strchr("xyz", line[1]) && !line[2])
        snprintf(ours, sizeof ours, "%.*s.%s", (int)(line - name), name, line + 1);
    else if (strchr("xyz", name[0]) && !name[1])
        snprintf(ours, sizeof ours, "%s.%s", tool, name);
    else
        return false;
    const int at = pkm_table_find(table, ours);
    if (at == PKM_NONE) return false;
    for (int r = 0; r < ref.n_row; ++r)
        CHECK_NEAR(pkm_table_get(table, r, at), ref.value[r][column], tolerance);
    return true;
}

static void compare_points(const pkm_robot* robot, const pkm_table* table, double tolerance)
{
    int n = 0;
    for (int c = 0; c < ref.n_column; ++c)
        n += compare_point(robot, table, c, tolerance);
    CHECK(n >= 3);
}

static void compare_case(const robot_case* c, pkm_method method)
{
    pkm_robot* robot = load(c->file);
    if (!robot) return;
    read_reference(c->reference);
    pkm_inverse_report report;
    pkm_table* table = run(robot, find_motion(robot, "paper"), method, ref.n_row, &report);
    if (table) {
        compare(robot, table, "q", c->tolerance);
        compare(robot, table, "v", c->tolerance);
        compare(robot, table, "a", c->tolerance);
        compare(robot, table, "force", c->tolerance);
        compare_points(robot, table, c->tolerance);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// ---- claims ----------------------------------------------------------------------------------

static void structure_is_as_known(void)
{
    for (int i = 0; i < N_CASE; ++i) {
        pkm_robot* robot = load(cases[i].file);
        if (!robot) continue;
        const pkm_structure* s = &robot->structure;
        const bool good = s->mobility == cases[i].mobility && s->n_idle == cases[i].n_idle &&
                          s->n_redundant == cases[i].n_redundant && s->n_uncontrolled == 0 &&
                          s->drives_unique;
        if (!good)
            printf("    %s: %d / %d / %d\n", cases[i].file, s->mobility, s->n_idle, s->n_redundant);
        CHECK(good);
        CHECK(s->moves == robot->desc->tool_moves);
        pkm_robot_free(robot);
    }
}

static void engine_meets_the_references(void)
{
    for (int i = 0; i < N_CASE; ++i)
        if (cases[i].reference) compare_case(&cases[i], PKM_METHOD_ENGINE);
}

static void closed_forms_meet_the_references(void)
{
    for (int i = 0; i < N_CASE; ++i)
        if (cases[i].reference) compare_case(&cases[i], PKM_METHOD_CLOSED);
}

/// Largest relative difference of the forces by the two routes on one motion.
static double route_difference(pkm_robot* robot, int motion)
{
    pkm_inverse_report report;
    pkm_table* a = run(robot, motion, PKM_METHOD_ENGINE, 101, &report);
    pkm_table* b = run(robot, motion, PKM_METHOD_CLOSED, 101, &report);
    double scale = 0.0, worst = a && b ? 0.0 : INFINITY;
    for (int d = 0; a && b && d < robot->desc->n_drive; ++d) {
        char name[64];
        snprintf(name, sizeof name, "%s.force", robot->desc->drive[d].name);
        const int ca = pkm_table_find(a, name), cb = pkm_table_find(b, name);
        for (int r = 0; r < pkm_table_n_row(a); ++r) {
            const double fa = pkm_table_get(a, r, ca), fb = pkm_table_get(b, r, cb);
            scale = fmax(scale, fabs(fa));
            worst = fmax(worst, fabs(fa - fb));
        }
    }
    pkm_table_free(a);
    pkm_table_free(b);
    return worst / scale;
}

// Rounding of both routes: up to 1e-12 of the largest force where the drive system is worst
// conditioned (3-PPRS, Triglide).
static void both_routes_agree_on_every_motion_of_every_file(void)
{
    int n_closed = 0;
    for (int i = 0; i < N_CASE; ++i) {
        pkm_robot* robot = load(cases[i].file);
        if (!robot) continue;
        n_closed += robot->closed != NULL;
        for (int m = 0; robot->closed && m < robot->desc->n_motion; ++m) {
            const double off = route_difference(robot, m);
            if (!(off <= 1e-11)) printf("    %s motion %d: %g\n", cases[i].file, m, off);
            CHECK(off <= 1e-11);
        }
        pkm_robot_free(robot);
    }
    CHECK(n_closed == 11); // the ten of the papers and the benchmark's Delta
}

static void power_of_the_drives_is_the_rate_of_energy_on_every_motion(void)
{
    for (int i = 0; i < N_CASE; ++i) {
        pkm_robot* robot = load(cases[i].file);
        if (!robot) continue;
        for (int m = 0; m < robot->desc->n_motion; ++m) {
            pkm_inverse_report report = {0};
            pkm_table* table = run(robot, m, PKM_METHOD_ENGINE, 101, &report);
            if (!(report.power_error <= 1e-11 * report.power_scale))
                printf("    %s motion %d: %g of %g W\n", cases[i].file, m, report.power_error,
                       report.power_scale);
            CHECK(table && report.power_error <= 1e-11 * report.power_scale);
            pkm_table_free(table);
        }
        pkm_robot_free(robot);
    }
}

/// Check the published values of one robot: within the tolerance, or with a note that says why.
static void check_published(pkm_robot* robot)
{
    for (int p = 0; p < robot->desc->n_published; ++p) {
        const pkm_desc_published* row = &robot->desc->published[p];
        if (!row->quantity) {
            CHECK(row->note != NULL); // only quoted: the note says why
            continue;
        }
        pkm_inverse_report report;
        double value = NAN;
        pkm_table* table =
            run(robot, find_motion(robot, row->motion), PKM_METHOD_ENGINE, 401, &report);
        pkm_error err = {0};
        if (table) CHECK(pkm_table_evaluate(table, row->quantity, &value, &err) == PKM_OK);
        if (err.text[0]) printf("    %s\n", err.text);
        const bool close = pkm_published_agrees(row, value);
        if (!close && !row->note)
            printf("    %s: %s = %g, printed %g\n", robot->desc->name, row->text, value,
                   row->value);
        CHECK(isfinite(value));
        CHECK(close || row->note);
        pkm_table_free(table);
    }
}

static void published_values_are_met_or_say_why_not(void)
{
    for (int i = 0; i < N_CASE; ++i) {
        pkm_robot* robot = load(cases[i].file);
        if (robot) check_published(robot);
        pkm_robot_free(robot);
    }
}

static double reduce(const pkm_table* table, const char* quantity)
{
    double value = NAN;
    CHECK(pkm_table_evaluate(table, quantity, &value, NULL) == PKM_OK);
    return value;
}

/// |F| of joint `name` in row `r` of our table.
static double joint_force(const pkm_table* table, int r, const char* name)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        char column[64];
        snprintf(column, sizeof column, "%s.F%c", name, "xyz"[k]);
        const double f = pkm_table_get(table, r, pkm_table_find(table, column));
        sum += f * f;
    }
    return sqrt(sum);
}

/// The same of rod `rod` at its end `end` ('c'rank, 'p'latform) in the SIAX reference.
static double rod_force(int r, int rod, char end)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        char column[16];
        snprintf(column, sizeof column, "F%d%c%c", rod, end, "xyz"[k]);
        const double f = ref.value[r][find_column(column)];
        sum += f * f;
    }
    return sqrt(sum);
}

// The forces in the twelve balls: they also depend on where the payload hangs, which the torques
// do not. The reference has ten digits.
static void siax_balls_carry_the_forces_of_the_reference(void)
{
    pkm_robot* robot = load("siax");
    if (!robot) return;
    read_reference("siax_rigid_ref.csv");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = ref.n_row;
    settings.reactions = true;
    pkm_inverse_report report;
    pkm_table* table = pkm_table_create();
    const int motion = find_motion(robot, "paper");
    CHECK(pkm_inverse_run(robot, motion, &settings, table, &report, NULL) == PKM_OK);
    double worst = 0.0, largest = 0.0;
    for (int rod = 0; rod < 6; ++rod) {
        for (int end = 1; end <= 2; ++end) {
            char name[32];
            snprintf(name, sizeof name, "%c.%s%d", "ABC"[rod / 2], rod % 2 ? "right" : "left", end);
            for (int r = 0; r < pkm_table_n_row(table); ++r) {
                const double force = rod_force(r, rod, end == 1 ? 'c' : 'p');
                largest = fmax(largest, force);
                worst = fmax(worst, fabs(joint_force(table, r, name) - force));
            }
        }
    }
    CHECK(largest > 500.0); // 534 N: the rows were compared
    CHECK_NEAR(worst, 0.0, 1e-9 * largest);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// Reduce the motion `paper` of the SIAX with one parameter changed.
static void check_siax(const char* name, const char* text, int n, const char* const* quantity,
                       const double* expected, double tolerance)
{
    const pkm_override set = {name, text};
    pkm_robot* robot = load_with("siax", &set, 1);
    if (!robot) return;
    for (int method = PKM_METHOD_ENGINE; method <= PKM_METHOD_CLOSED; ++method) {
        pkm_inverse_report report;
        pkm_table* table =
            run(robot, find_motion(robot, "paper"), (pkm_method)method, 401, &report);
        for (int k = 0; table && k < n; ++k)
            CHECK_NEAR(reduce(table, quantity[k]), expected[k], tolerance * expected[k]);
        pkm_table_free(table);
    }
    pkm_robot_free(robot);
}

// Three-digit values of a separate derivation: the base radius as printed, and solid steel rods.
static void siax_with_other_parameters_gives_their_values_by_both_routes(void)
{
    static const char* const motion[] = {"max P.speed", "max P.acc"};
    static const double motion_value[] = {9.75, 157.0};
    check_siax("base_radius", "125 mm", 2, motion, motion_value, 1e-3);

    static const char* const torque[] = {"absmax qA.force", "absmax qB.force", "absmax qC.force"};
    static const double torque_value[] = {834.0, 360.0, 641.0};
    check_siax("m2", "2.7105 kg", 3, torque, torque_value, 1e-3);
}

// Rigid torques of Kuo's Delta on its circle, from a separate derivation, seven digits. 3600
// intervals: the extremes lie within 1e-6 of an instant's value.
static void kuo_needs_the_known_torques_on_the_circle(void)
{
    pkm_robot* robot = load("kuo");
    if (!robot) return;
    pkm_inverse_report report;
    pkm_table* table = run(robot, find_motion(robot, "paper"), PKM_METHOD_ENGINE, 3601, &report);
    if (table) {
        CHECK_NEAR(reduce(table, "max q1.force"), -1.9244890, 1e-6);
        CHECK_NEAR(reduce(table, "min q1.force"), -2.6811637, 1e-6);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// Largest torque and end point of the benchmark's Delta, which three other programs confirm.
static void bench_delta_ends_where_the_other_programs_end(void)
{
    pkm_robot* robot = load("bench/delta-d");
    if (!robot) return;
    pkm_inverse_report report;
    pkm_table* table = run(robot, find_motion(robot, "stroke"), PKM_METHOD_ENGINE, 2001, &report);
    if (table) {
        CHECK_NEAR(reduce(table, "end P.x"), -0.736186888104, 1e-11);
        CHECK_NEAR(reduce(table, "end P.y"), -0.557267889723, 1e-11);
        CHECK_NEAR(reduce(table, "end P.z"), -0.665026087846, 1e-11);
        const double ab = fmax(reduce(table, "absmax qA.force"), reduce(table, "absmax qB.force"));
        CHECK_NEAR(fmax(ab, reduce(table, "absmax qC.force")), 610.0, 0.05);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(structure_is_as_known);
    RUN(engine_meets_the_references);
    RUN(closed_forms_meet_the_references);
    RUN(both_routes_agree_on_every_motion_of_every_file);
    RUN(power_of_the_drives_is_the_rate_of_energy_on_every_motion);
    RUN(published_values_are_met_or_say_why_not);
    RUN(siax_balls_carry_the_forces_of_the_reference);
    RUN(siax_with_other_parameters_gives_their_values_by_both_routes);
    RUN(kuo_needs_the_known_torques_on_the_circle);
    RUN(bench_delta_ends_where_the_other_programs_end);
    return check_report();
}
