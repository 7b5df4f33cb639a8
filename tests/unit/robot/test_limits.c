// Limits along a motion: every kind is found, with its largest excess and the time at which it is
// passed, between the rows; the same by all analyses that move the robot.
#include "robot/limits.h"
#include "simulate.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/// The limit named `what`; NULL: it is kept.
static const pkm_limit_report* find(const pkm_limit_list* list, const char* what)
{
    for (int i = 0; i < list->n; ++i)
        if (strcmp(list->item[i].what, what) == 0) return &list->item[i];
    return NULL;
}

// ---- between the rows -------------------------------------------------------------------------

/// A table of one drive that moves by sin: q, v, a exact, force the same as q.
static pkm_table* sine_table(const pkm_robot* robot, int n_row, double omega)
{
    pkm_table* table = pkm_table_create();
    char name[2 * PKM_MAX_NAME];
    static const char* const quantity[] = {"q", "v", "a", "force"};
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    for (int k = 0; k < 4; ++k) {
        snprintf(name, sizeof name, "%s.%s", robot->mech->drive[0].name, quantity[k]);
        CHECK(pkm_table_add_column(table, name, "") == 1 + k);
    }
    for (int i = 0; i < n_row; ++i) {
        const double t = (double)i / (n_row - 1);
        double* row = pkm_table_append(table);
        row[0] = t;
        row[1] = sin(omega * t);
        row[2] = omega * cos(omega * t);
        row[3] = -omega * omega * sin(omega * t);
        row[4] = sin(omega * t);
    }
    return table;
}

/// robots/gough-stewart.yaml with other limits of its drives.
static pkm_robot* with_limits(const char* set)
{
    char path[512];
    static char source[200000];
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    snprintf(path, sizeof path, "%s/robots/gough-stewart.yaml", PKM_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    size_t n = file ? fread(source, 1, sizeof source - 400, file) : 0;
    source[n] = 0;
    if (file) fclose(file);
    static const char shipped[] =
        "limits: {position: [0.45 m, 0.62 m], velocity: 0.5 m/s, force: 500 N}";
    char* at = strstr(source, shipped);
    CHECK(at != NULL);
    if (at) {
        const size_t old = strlen(shipped);
        memmove(at + strlen(set), at + old, strlen(at + old) + 1);
        memcpy(at, set, strlen(set));
    }
    char* joint = strstr(source, ", limits: [0.45 m, 0.62 m]}");
    CHECK(joint != NULL);
    if (joint) memset(joint, ' ', strlen(", limits: [0.45 m, 0.62 m]"));
    if (pkm_robot_parse(source, path, NULL, 0, &robot, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(robot != NULL);
    return robot;
}

// sin with 21 rows has its peak between rows; the cubic through values and rates is off by h^4/384
// of the fourth derivative, 1e-6 here.
static void peaks_and_crossings_are_found_between_rows(void)
{
    pkm_robot* robot = with_limits("limits: {position: [-2 m, 0.5 m], velocity: 2.5 m/s}");
    const double omega = 0.9 * PI;
    pkm_table* table = sine_table(robot, 21, omega);
    const pkm_limit_watch none = {NULL, NULL};
    pkm_limit_list list;
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    const pkm_limit_report* r = find(&list, "q1 position");
    CHECK(r != NULL);
    if (r) {
        CHECK_NEAR(r->limit, 0.5, 1e-15);
        CHECK_NEAR(r->value, 1.0, 1e-5);
        CHECK_NEAR(r->t, 0.5 * PI / omega, 1e-4);
        CHECK_NEAR(r->from, PI / 6.0 / omega, 1e-5);
    }
    r = find(&list, "q1 velocity");
    CHECK(r != NULL);
    if (r) CHECK_NEAR(r->value, omega, 1e-4);
    if (r) CHECK(strcmp(r->unit, "m/s") == 0);
    CHECK(list.n == 2);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// A limit that is passed and kept again from one row to the next: its time is that of passing.
static void what_lasts_less_than_a_row_has_the_time_of_its_beginning(void)
{
    pkm_robot* robot = with_limits("limits: {position: [-2 m, 0.9995 m]}");
    const double omega = 0.9 * PI;
    pkm_table* table = sine_table(robot, 27, omega);
    const pkm_limit_watch none = {NULL, NULL};
    pkm_limit_list list;
    for (int i = 0; i < 27; ++i)
        CHECK(pkm_table_get(table, i, 1) < 0.9995);
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    const pkm_limit_report* r = find(&list, "q1 position");
    CHECK(r != NULL);
    if (r) CHECK_NEAR(r->t, 0.5 * PI / omega, 1e-4);
    if (r) CHECK_NEAR(r->from, asin(0.9995) / omega, 1e-4); // 0.011 s before the peak
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// The first drive rests, the second is not in the table, the third moves beyond its limit.
static void every_drive_of_a_table_is_watched_by_itself(void)
{
    pkm_robot* robot = with_limits("limits: {position: [-2 m, 0.5 m]}");
    pkm_table* table = pkm_table_create();
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    for (int k = 0; k < 4; ++k) {
        char name[2 * PKM_MAX_NAME];
        snprintf(name, sizeof name, "%s.%s", robot->mech->drive[k / 2 * 2].name, k % 2 ? "v" : "q");
        CHECK(pkm_table_add_column(table, name, "") == 1 + k);
    }
    for (int i = 0; i <= 20; ++i) {
        double* row = pkm_table_append(table);
        row[0] = i / 20.0;
        row[3] = sin(row[0]);
        row[4] = cos(row[0]);
    }
    const pkm_limit_watch none = {NULL, NULL};
    pkm_limit_list list;
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    const pkm_limit_report* r = find(&list, "q3 position");
    CHECK(r != NULL && list.n == 1);
    if (r) CHECK_NEAR(r->from, PI / 6.0, 1e-6); // sin is 0.5 there
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// Without rates the parabola through three rows finds the peak that no row shows, on both sides.
static void a_peak_of_the_force_between_rows_counts(void)
{
    pkm_robot* robot = with_limits("limits: {force: 0.9995 N}");
    for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
        pkm_table* table = sine_table(robot, 14, sign * 0.9 * PI);
        double largest = 0.0;
        for (int i = 0; i < 14; ++i)
            largest = fmax(largest, fabs(pkm_table_get(table, i, 4)));
        CHECK(largest < 0.9995);
        const pkm_limit_watch none = {NULL, NULL};
        pkm_limit_list list;
        pkm_limits_find(&none, robot, PKM_NONE, table, &list);
        const pkm_limit_report* r = find(&list, "q1 force");
        CHECK(r != NULL);
        if (r) CHECK_NEAR(r->value, sign, 1e-3);
        pkm_table_free(table);
    }
    pkm_robot_free(robot);
}

// A run that has ended after its first row has broken what that row breaks.
static void a_single_row_counts(void)
{
    pkm_robot* robot = with_limits("limits: {position: [0.1 m, 2 m], velocity: 2.5 m/s}");
    pkm_table* table = pkm_table_create();
    pkm_table* sine = sine_table(robot, 21, 0.9 * PI);
    for (int k = 0; k < 5; ++k)
        CHECK(pkm_table_add_column(table, pkm_table_name(sine, k), "") == k);
    const pkm_limit_watch none = {NULL, NULL};
    pkm_limit_list list;
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    CHECK(list.n == 0); // no row at all
    memcpy(pkm_table_append(table), pkm_table_rows(sine), 5 * sizeof(double));
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    const pkm_limit_report* r = find(&list, "q1 position");
    CHECK(r && r->limit == 0.1 && r->value == 0.0 && r->t == 0.0);
    r = find(&list, "q1 velocity");
    CHECK(r && r->value == 0.9 * PI && strcmp(r->unit, "m/s") == 0);
    pkm_table_free(table);
    pkm_table_free(sine);
    pkm_robot_free(robot);
}

static void what_is_kept_is_not_listed(void)
{
    pkm_robot* robot =
        with_limits("limits: {position: [-1.01 m, 1.01 m], velocity: 2.83 m/s, force: 1.01 N}");
    pkm_table* table = sine_table(robot, 21, 0.9 * PI);
    const pkm_limit_watch none = {NULL, NULL};
    pkm_limit_list list;
    pkm_limits_find(&none, robot, PKM_NONE, table, &list);
    CHECK(list.n == 0);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// ---- joints -----------------------------------------------------------------------------------

// The rate of the bend is that of its value, by central differences along the motion.
static void rates_of_joints_are_those_of_their_values(void)
{
    pkm_robot* robot = engine_load("gough-stewart");
    pkm_joint_limits* limits = pkm_joint_limits_create(robot);
    const int n = pkm_joint_limits_n(limits);
    CHECK(n >= 6);
    const double h = 1e-5;
    pkm_instant at = pkm_instant_home(robot);
    double value[3], rate[3];
    for (int k = 0; k < n; ++k) {
        for (int s = -1; s <= 1; ++s) {
            pkm_error err = {0};
            for (int d = 0; d < 6; ++d) {
                at.q[d] = robot->drive_home[d] + 0.01 * (d + 1) / 6.0 + s * h * (0.1 + 0.05 * d);
                at.v[d] = 0.1 + 0.05 * d;
            }
            CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, &err) == PKM_OK);
            pkm_joint_limit_read(limits, k, robot->state, &value[s + 1], &rate[s + 1]);
        }
        CHECK_NEAR((value[2] - value[0]) / (2.0 * h), rate[1], 1e-6);
    }
    pkm_joint_limits_free(limits);
    pkm_robot_free(robot);
}

static int count(const pkm_table* table, const char* part)
{
    const pkm_warnings* w = pkm_table_get_warnings(table);
    int n = 0;
    for (int i = 0; i < w->n; ++i)
        n += strcmp(w->item[i].kind, "limit") == 0 && strstr(w->item[i].text, part);
    return n;
}

// ---- analyses ---------------------------------------------------------------------------------

// The same limits are broken by inverse dynamics and by a simulation of the same motion.
static void simulations_list_what_inverse_dynamics_lists(void)
{
    pkm_robot* robot =
        with_limits("limits: {position: [0.45 m, 0.54 m], velocity: 0.05 m/s, force: 10.5 N}");
    pkm_table* table = pkm_table_create();
    const pkm_inverse_settings settings = {.n_instant = 101};
    pkm_inverse_report report;
    pkm_error err = {0};
    CHECK(pkm_inverse_run(robot, 0, &settings, table, &report, &err) == PKM_OK);
    CHECK(report.n_limit >= 12);
    sim_result s = sim_run(robot, "instants: 101\n");
    CHECK(s.status == PKM_OK && s.report.limits.n == report.n_limit);
    for (int i = 0; i < report.n_limit && i < s.report.limits.n; ++i) {
        const pkm_limit_report *a = &report.limit[i], *b = &s.report.limits.item[i];
        CHECK_TEXT(a->what, b->what);
        CHECK_NEAR(a->value, b->value, 1e-5 * fabs(a->value));
        CHECK_NEAR(a->from, b->from, 1e-5);
    }
    CHECK(count(table, "limit broken") == report.n_limit);
    CHECK(count(s.table, "limit broken") == report.n_limit);
    pkm_table_free(s.table);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// A limit of the model cuts what a controller gives, and is told.
static void a_force_limit_saturates_a_servo_drive(void)
{
    pkm_robot* robot = with_limits("limits: {force: 10.5 N}");
    sim_result s = sim_run(robot, "instants: 101\ndrives: {pd: {kp: 1e5, kd: 1e3}}\n");
    CHECK(s.status == PKM_OK);
    const int force = pkm_table_find(s.table, "q1.force");
    const int saturated = pkm_table_find(s.table, "q1.saturated");
    CHECK_NEAR(pkm_table_reduce(s.table, force, PKM_REDUCE_ABSMAX, NULL), 10.5, 1e-12);
    CHECK(pkm_table_reduce(s.table, saturated, PKM_REDUCE_MAX, NULL) == 1.0);
    CHECK(count(s.table, "its controller asked for up to") == 6);
    CHECK(count(s.table, "q1 force") == 0);
    pkm_table_free(s.table);
    pkm_robot_free(robot);
}

// At a pose: home is told when it breaks a limit, and only then.
static void a_pose_is_checked(void)
{
    pkm_limit_list list;
    pkm_error err = {0};
    pkm_robot* robot = with_limits("limits: {position: [0.6 m, 0.7 m]}");
    CHECK(pkm_limits_at(robot, &list, &err) == PKM_OK);
    CHECK(list.n == 6 && isnan(list.item[0].t));
    CHECK_NEAR(list.item[0].value, robot->drive_home[0], 0.0);
    pkm_robot_free(robot);
    robot = engine_load("gough-stewart");
    CHECK(pkm_limits_at(robot, &list, &err) == PKM_OK);
    CHECK(list.n == 0);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(peaks_and_crossings_are_found_between_rows);
    RUN(what_lasts_less_than_a_row_has_the_time_of_its_beginning);
    RUN(every_drive_of_a_table_is_watched_by_itself);
    RUN(a_peak_of_the_force_between_rows_counts);
    RUN(a_single_row_counts);
    RUN(what_is_kept_is_not_listed);
    RUN(rates_of_joints_are_those_of_their_values);
    RUN(simulations_list_what_inverse_dynamics_lists);
    RUN(a_force_limit_saturates_a_servo_drive);
    RUN(a_pose_is_checked);
    return check_report();
}
