/// Runs and answers of the public library. Truth: the other public calls of the same analysis, laws
/// of energy, and what the run file's page says of its keys.
#include "load.h"
#include "model/units.h"

#include <math.h>
#include <string.h>

static pkm_run* run_for(const pkm_robot* robot)
{
    pkm_run* run = NULL;
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK && run);
    return run;
}

static void choose(pkm_run* run, const char* key, const char* value)
{
    pkm_error err = {.status = PKM_OK};
    if (pkm_run_choose(run, key, value, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
}

typedef pkm_status analysis(pkm_robot*, const pkm_run*, pkm_answer**, pkm_error*);

static pkm_answer* get(analysis* f, pkm_robot* robot, const pkm_run* run)
{
    pkm_answer* answer = NULL;
    pkm_error err = {.status = PKM_OK};
    if (f(robot, run, &answer, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(answer != NULL && pkm_answer_is_complete(answer));
    return answer;
}

/// Largest difference of two tables of the same shape; infinite for others.
static double difference(const pkm_table* a, const pkm_table* b)
{
    double most = 0.0;
    if (!a || !b || pkm_table_n_row(a) != pkm_table_n_row(b)) return HUGE_VAL;
    if (pkm_table_n_column(a) != pkm_table_n_column(b)) return HUGE_VAL;
    for (int i = 0; i < pkm_table_n_row(a); ++i)
        for (int c = 0; c < pkm_table_n_column(a); ++c)
            most = fmax(most, fabs(pkm_table_get(a, i, c) - pkm_table_get(b, i, c)));
    return most;
}

// ---- the analyses -----------------------------------------------------------------------------

/// The worst condition number, the least distance to a singularity and their times are those of
/// their columns.
static void check_nearness(const pkm_answer* answer, const pkm_table* table)
{
    static const char* const name[] = {"condition", "singularity"};
    for (int k = 0; k < 2; ++k) {
        const int c = pkm_table_find(table, name[k]);
        const double sign = k == 0 ? 1.0 : -1.0;
        double worst = -HUGE_VAL, t = NAN;
        CHECK(c != PKM_NONE);
        for (int i = 0; c != PKM_NONE && i < pkm_table_n_row(table); ++i)
            if (sign * pkm_table_get(table, i, c) > worst) {
                worst = sign * pkm_table_get(table, i, c);
                t = pkm_table_get(table, i, 0);
            }
        char value[60], time[60];
        snprintf(value, sizeof value, "nearness.%s", name[k]);
        snprintf(time, sizeof time, "nearness.%s_time", name[k]);
        CHECK(worst != 0.0 && pkm_answer_value(answer, value) == sign * worst);
        CHECK(pkm_answer_value(answer, time) == t);
    }
}

static void inverse_is_that_of_the_older_call(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 41;
    settings.method = PKM_METHOD_CLOSED;
    settings.tool_force = (pkm_vec3){0.0, 0.0, -100.0};
    pkm_inverse_report report;
    CHECK(pkm_inverse_run(robot, 0, &settings, table, &report, NULL) == PKM_OK);
    choose(run, "instants", "41");
    choose(run, "method", "closed");
    choose(run, "tool_force", "[0, 0, -100 N]");
    pkm_answer* answer = get(pkm_run_inverse, robot, run);
    CHECK(difference(pkm_answer_table(answer, "rows"), table) == 0.0);
    CHECK(pkm_answer_value(answer, "energy.drive_work") == report.drive_work);
    CHECK_TEXT(pkm_answer_analysis(answer), "inverse");
    check_nearness(answer, table);
    pkm_answer_free(answer);
    pkm_table_free(table);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Without friction the work of the drives is the change of energy; a peak is that of its column.
static void a_simulation_has_ledger_peaks_and_columns(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    choose(run, "for", "50 ms");
    choose(run, "instants", "21");
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    CHECK(pkm_table_n_row(rows) == 21);
    const double drive = pkm_answer_value(answer, "energy.drive_work");
    const double gained = pkm_answer_value(answer, "energy.kinetic_change") +
                          pkm_answer_value(answer, "energy.potential_change");
    CHECK_NEAR(drive, gained, 1e-9 * (fabs(drive) + fabs(gained)));
    const int c = pkm_table_find(rows, "qA.force");
    int stride = 0;
    const double* force = pkm_table_column(rows, c, &stride);
    double most = 0.0;
    for (int i = 0; i < 21; ++i) {
        CHECK(force[i * stride] == pkm_table_get(rows, i, c));
        most = fmax(most, fabs(force[i * stride]));
    }
    double value = 0.0, t = -1.0, bar = 0.0;
    bool chaotic = true;
    CHECK(pkm_answer_peak(answer, "qA.force", &value, &t, &bar, &chaotic) == PKM_OK);
    CHECK(fabs(value) >= most && fabs(value) < 1.1 * most && t >= 0.0 && t <= 0.05);
    CHECK(isnan(bar) && !chaotic);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// A smooth run repeated by other means moves its peaks, by little; so the bar is there and small.
static void verify_brings_error_bars(void)
{
    pkm_robot* robot = load("five-bar");
    pkm_run* run = run_for(robot);
    choose(run, "instants", "11");
    choose(run, "drives", "locked");
    choose(run, "motion", "none");
    choose(run, "for", "0.1 s");
    choose(run, "drives", "free");
    choose(run, "verify", "true");
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    const char* name = pkm_table_name(pkm_answer_table(answer, NULL), 1);
    double value, bar;
    CHECK(pkm_answer_peak(answer, name, &value, NULL, &bar, NULL) == PKM_OK);
    CHECK(bar >= 0.0 && bar < 1e-5 * fabs(value));
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void modes_and_stiffness_are_those_of_the_older_calls(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_table* table = pkm_table_create();
    pkm_tool_stiffness stiff;
    CHECK(pkm_frequencies_at(robot, NULL, 4, table, NULL) == PKM_OK);
    CHECK(pkm_tool_stiffness_at(robot, NULL, &stiff, NULL) == PKM_OK);
    pkm_answer* s = get(pkm_run_stiffness, robot, run);
    choose(run, "modes", "4");
    pkm_answer* m = get(pkm_run_modes, robot, run);
    CHECK(difference(pkm_answer_table(m, "modes"), table) == 0.0);
    CHECK(pkm_answer_value(m, "modes.1.frequency") ==
          pkm_table_get(table, 1, pkm_table_find(table, "f")));
    for (int k = 0; k < 36; ++k)
        CHECK(pkm_table_get(pkm_answer_table(s, "compliance"), k % 6, k / 6) ==
              stiff.compliance[k]);
    CHECK(pkm_answer_value(s, "sag.2") == stiff.sag[2]);
    CHECK(pkm_answer_table(s, "stiffness") != NULL);
    pkm_answer_free(s);
    pkm_answer_free(m);
    pkm_table_free(table);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// To first order the envelope grows with the clearance, and along a motion it is that of the pose.
static void the_envelope_is_linear_in_the_clearance(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    choose(run, "clearance", "spherical: {radial: 0.1 mm}");
    pkm_answer* once = get(pkm_run_envelope, robot, run);
    choose(run, "clearance", "spherical: {radial: 0.2 mm}");
    pkm_answer* twice = get(pkm_run_envelope, robot, run);
    const double ez = pkm_answer_value(once, "axes.2.bound");
    CHECK(ez > 1e-5);
    CHECK_NEAR(pkm_answer_value(twice, "axes.2.bound"), 2.0 * ez, 1e-9 * ez);
    choose(run, "motion", "pick");
    choose(run, "instants", "3");
    pkm_answer* along = get(pkm_run_envelope, robot, run);
    CHECK(pkm_table_n_row(pkm_answer_table(along, "rows")) == 3);
    pkm_answer_free(once);
    pkm_answer_free(twice);
    pkm_answer_free(along);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void the_workspace_is_that_of_the_plan(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_workspace_report report;
    pkm_table* table = pkm_table_create();
    const pkm_vec3 home = pkm_robot_tool_home(robot).p;
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK);
    CHECK(pkm_workspace_plan_grid(&plan, 3u, (pkm_vec3){home.x, home.y, -0.9}, 21, &grid, NULL) ==
          PKM_OK);
    CHECK(pkm_workspace_plan_map(&plan, &grid, table, &report, NULL) == PKM_OK);
    choose(run, "slice", "{z: -900 mm}");
    choose(run, "points", "21");
    pkm_answer* answer = get(pkm_run_workspace, robot, run);
    CHECK(difference(pkm_answer_table(answer, "points"), table) == 0.0);
    CHECK(pkm_answer_value(answer, "size") == report.size && report.size > 0.1);
    pkm_answer_free(answer);
    pkm_table_free(table);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Elastodynamics with half the step moves the peak a little.
static void elastodynamics_has_its_table(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    choose(run, "for", "10 ms");
    choose(run, "instants", "11");
    choose(run, "step", "0.1 ms");
    choose(run, "verify", "true");
    pkm_answer* answer = get(pkm_run_elastodynamics, robot, run);
    CHECK_NEAR(pkm_answer_value(answer, "step"), 1e-4, 1e-9);
    double value = 0.0, bar = NAN;
    CHECK(pkm_answer_peak(answer, "P.dp", &value, NULL, &bar, NULL) == PKM_OK);
    CHECK(value > 0.0 && bar > 0.0 && bar < 0.1 * value);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

// ---- runs -------------------------------------------------------------------------------------

static void choices_are_checked_when_they_are_made(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_error err;
    CHECK(pkm_run_choose(run, "frction", "x", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "friction");
    CHECK(pkm_run_choose(run, "tool_force", "[1, 2]", &err) != PKM_OK);
    CHECK(pkm_run_choose(run, "points", "1.5", &err) != PKM_OK);
    CHECK_CONTAINS(err.text, "1.5");
    CHECK(pkm_run_choose(run, "at", "[0, 0, -1, 0]", &err) != PKM_OK);
    CHECK(pkm_run_choose(run, "slice", "{x: 0, y: 0}", &err) != PKM_OK);
    CHECK(pkm_run_parse(run, "run: 1\nfor: -1 s\n", "mine", &err) != PKM_OK);
    CHECK_TEXT(err.file, "mine");
    CHECK(err.line == 2);
    pkm_answer* answer = get(pkm_run_inverse, robot, run); // none of it was taken
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void an_analysis_refuses_what_it_does_not_take(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_answer* answer = NULL;
    pkm_error err;
    choose(run, "friction", "spherical: {static: 0.1, radius: 10 mm}");
    CHECK(pkm_run_check(run, "simulate", &err) == PKM_OK);
    CHECK(pkm_run_check(run, "modes", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "friction");
    CHECK(pkm_run_modes(robot, run, &answer, &err) == PKM_ERR_ARGUMENT && !answer);
    choose(run, "points", "11");
    CHECK(pkm_run_simulate(robot, run, &answer, &err) == PKM_ERR_ARGUMENT && !answer);
    CHECK_CONTAINS(err.text, "'points'");
    CHECK_CONTAINS(err.text, "workspace");
    CHECK(pkm_run_check(run, "dance", &err) == PKM_ERR_ARGUMENT);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// A file of text and a later choice: both hold, on the robot of the run and on another one.
static void a_run_serves_other_robots(void)
{
    pkm_robot *robot = load("siax"), *other = load("siax");
    pkm_run* run = run_for(robot);
    CHECK(pkm_run_parse(run, "run: 1\nmotion: pick\ninstants: 5\n", "mine", NULL) == PKM_OK);
    choose(run, "instants", "7");
    pkm_answer* a = get(pkm_run_inverse, robot, run);
    pkm_answer* b = get(pkm_run_inverse, other, run);
    CHECK(pkm_table_n_row(pkm_answer_table(a, NULL)) == 7);
    CHECK(difference(pkm_answer_table(a, NULL), pkm_answer_table(b, NULL)) == 0.0);
    pkm_answer_free(a);
    pkm_answer_free(b);
    pkm_run_free(run);
    pkm_robot_free(other);
    pkm_robot_free(robot);
}

/// Largest error of the tool under computed torque whose model has another value for a parameter.
static double error_with(pkm_robot* robot, const char* model)
{
    pkm_run* run = run_for(robot);
    double value = NAN;
    choose(run, "for", "50 ms");
    choose(run, "instants", "11");
    choose(run, "drives", "{computed_torque: {frequency: 20 Hz, damping: 1}}");
    choose(run, "model", model);
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    CHECK(pkm_answer_peak(answer, "P.dp", &value, NULL, NULL, NULL) == PKM_OK);
    pkm_answer_free(answer);
    pkm_run_free(run);
    return value;
}

/// A controller that knows the robot follows the motion to rounding; one that believes in another
/// payload does not. The robot is text in memory with an override: its model keeps both.
static void a_model_for_controllers_keeps_text_and_overrides(void)
{
    static char text[64 * 1024];
    const pkm_override set = {"m5", "2 kg"};
    pkm_robot* robot = NULL;
    FILE* file = fopen(robot_path("siax"), "r");
    if (file) text[fread(text, 1, sizeof text - 1, file)] = '\0';
    if (file) fclose(file);
    CHECK(pkm_robot_parse(text, "no such file.yaml", &set, 1, &robot, NULL) == PKM_OK);
    CHECK(error_with(robot, "{l2: 1106 mm}") < 1e-9);
    CHECK(error_with(robot, "{m5: 4 kg}") > 1e-4);
    pkm_robot_free(robot);
}

// ---- ends -------------------------------------------------------------------------------------

static bool three_times(void* user, double fraction)
{
    int* n = user;
    CHECK(fraction >= 0.0 && fraction <= 1.0 + 1e-12);
    return ++*n < 3;
}

static void progress_stops_and_rows_are_kept(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_answer* answer = NULL;
    pkm_error err;
    int n = 0;
    pkm_run_set_progress(run, three_times, &n);
    CHECK(pkm_run_inverse(robot, run, &answer, &err) == PKM_ERR_INTERRUPTED);
    CHECK(n == 3 && answer && !pkm_answer_is_complete(answer));
    const int n_row = pkm_table_n_row(pkm_answer_table(answer, NULL));
    CHECK(n_row > 0 && n_row < 401);
    CHECK_CONTAINS(err.text, "stopped at t = ");
    CHECK(pkm_status_exit_code(err.status) == 130);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void a_used_up_budget_is_told(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_answer* answer = NULL;
    choose(run, "budget", "{steps: 5}");
    choose(run, "for", "50 ms");
    choose(run, "max_step", "1 ms");
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_ERR_BUDGET);
    CHECK(answer && !pkm_answer_is_complete(answer));
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// What is told of a link is the largest magnitude of its columns, in their units.
static void links_tell_the_peaks_of_their_columns(void)
{
    static const char* const quantity[] = {"deflection", "twist", "stress", "axial", "buckling"};
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    choose(run, "for", "10 ms");
    choose(run, "instants", "11");
    choose(run, "flexible", "{A.left: {elements: 2, places: [0.3]}, B.left: {elements: 2}}");
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    const pkm_result* tree = pkm_answer_result(answer);
    static const char* const link[] = {"A.left", "B.left", "A.left@0.3"};
    static const char* const path[] = {"flexible_links.0", "flexible_links.1",
                                       "flexible_links.0.places.0"};
    for (int l = 0; l < 3; ++l)
        for (int k = 0; k < (l < 2 ? 5 : 3); ++k) {
            char name[80], column[80];
            snprintf(name, sizeof name, "%s.%s", path[l], quantity[k]);
            snprintf(column, sizeof column, "%s.%s", link[l], quantity[k]);
            const pkm_result* node = pkm_result_find(tree, name);
            const int c = pkm_table_find(rows, column);
            CHECK(node && c != PKM_NONE);
            if (!node || c == PKM_NONE) continue;
            CHECK(pkm_result_value(node, 0) == pkm_table_reduce(rows, c, PKM_REDUCE_ABSMAX, NULL));
            CHECK_TEXT(pkm_result_unit(node), pkm_table_unit(rows, c));
        }
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// What is told of a joint with clearance, against many rows: extremes, touches, times, and the
/// friction of mu = 0.1 as mu times the work of sliding. Smoothing at slow sliding takes a little.
static void contacts_tell_what_their_columns_show(void)
{
    enum { N = 2000 };
    static const char* const key[][2] = {
        {"for", "20 ms"},
        {"instants", "2001"},
        {"clearance", "{A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, start: centred, "
                      "friction: {law: coulomb, static: 0.1}}}"}};
    static const char* const column[] = {"gap", "normal", "mode", "ox", "oy", "oz"};
    static const char* const phase[] = {"flight", "impact", "sliding", "sticking"};
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    for (int k = 0; k < 3; ++k)
        choose(run, key[k][0], key[k][1]);
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    int c[6], touches = 0, in[4] = {0};
    double depth = 0.0, force = 0.0, offset = 0.0, speed = 0.0;
    for (int k = 0; k < 6; ++k) {
        char name[40];
        snprintf(name, sizeof name, "A.left1.%s", column[k]);
        c[k] = pkm_table_find(rows, name);
        CHECK(c[k] != PKM_NONE);
    }
    for (int i = 0; i <= N; ++i) {
        const double gap = pkm_table_get(rows, i, c[0]), x = pkm_table_get(rows, i, c[3]);
        const double y = pkm_table_get(rows, i, c[4]), z = pkm_table_get(rows, i, c[5]);
        const int mode = (int)pkm_table_get(rows, i, c[2]);
        const int before = i > 0 ? (int)pkm_table_get(rows, i - 1, c[2]) : mode;
        depth = fmax(depth, -gap);
        force = fmax(force, pkm_table_get(rows, i, c[1]));
        offset = fmax(offset, sqrt(x * x + y * y + z * z));
        ++in[mode];
        if (before != 0 || mode == 0) continue;
        ++touches;
        speed = fmax(speed, (pkm_table_get(rows, i - 2, c[0]) - pkm_table_get(rows, i - 1, c[0])) /
                                (0.02 / N));
    }
    CHECK(touches > 3 && pkm_answer_value(answer, "contacts.0.touches") == touches);
    const double told[] = {pkm_answer_value(answer, "contacts.0.deepest.value"),
                           pkm_answer_value(answer, "contacts.0.largest_force.value"),
                           pkm_answer_value(answer, "contacts.0.largest_offset.value")};
    const double seen[] = {depth, force, offset};
    for (int k = 0; k < 3; ++k) // offsets are those of the ends of steps, which are not rows
        CHECK(told[k] >= (k < 2 ? 1.0 : 0.99999) * seen[k] && told[k] < 1.001 * seen[k]);
    CHECK_NEAR(pkm_answer_value(answer, "contacts.0.fastest.value"), speed, 0.02 * speed);
    for (int k = 0; k < 4; ++k) {
        char name[60];
        snprintf(name, sizeof name, "contacts.0.time.%s", phase[k]);
        CHECK_NEAR(pkm_answer_value(answer, name), 0.02 * in[k] / N, 0.02 * 2 * touches / N);
    }
    const double sliding = pkm_answer_value(answer, "contacts.0.sliding_work");
    CHECK_NEAR(pkm_answer_value(answer, "energy.friction_loss"), 0.1 * sliding, 2e-3 * sliding);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// A hinged flexible rod let go: the explicit method would need thousands of short steps for modes
/// that do not matter. What is told of the change names its reason and its time.
static void a_change_of_the_integrator_is_told(void)
{
    static const char* const rod =
        "pkm: 1\nname: rod\ngravity: [0, 0, -9.81 m/s2]\n"
        "materials: {alu: {density: 2700 kg/m3, young: 70 GPa, poisson: 0.33}}\n"
        "ground: {points: {O: [0, 0, 0]}}\n"
        "bodies: {rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, "
        "shape: {rod: {from: A, to: B, diameter: 10 mm}, material: alu}}}\n"
        "joints: {hinge: {type: revolute, between: [ground.O, rod.A], axis: y}}\n"
        "drives: {q: {joint: hinge}}\ntool: rod.B\nhome: {drives: {q: 0}}\n";
    static const char* const key[][2] = {{"motion", "none"},      {"for", "0.6 s"},
                                         {"instants", "3"},       {"drives", "free"},
                                         {"start", "undeformed"}, {"flexible", "{rod: {}}"}};
    pkm_robot* robot = NULL;
    pkm_error err = {.status = PKM_OK};
    CHECK(pkm_robot_parse(rod, "rod.yaml", NULL, 0, &robot, &err) == PKM_OK);
    pkm_run* run = run_for(robot);
    for (int k = 0; k < 6; ++k)
        choose(run, key[k][0], key[k][1]);
    pkm_answer* answer = get(pkm_run_simulate, robot, run);
    const pkm_result* tree = pkm_answer_result(answer);
    const double t = pkm_answer_value(answer, "integration.changed_at");
    char time[40];
    snprintf(time, sizeof time, "(t = %.4g s)", t);
    CHECK(t > 0.0 && t < 0.6);
    CHECK_TEXT(pkm_result_get_text(pkm_result_find(tree, "integration.integrator")), "sdirk");
    const char* why = pkm_result_get_text(pkm_result_find(tree, "integration.chosen_since"));
    CHECK_CONTAINS(why, "stability, not accuracy");
    CHECK_CONTAINS(why, time);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// The unit of every number is one that the model's own language reads, or none.
static void check_units(pkm_answer* answer)
{
    CHECK(pkm_answer_n_value(answer) > 0);
    for (int i = 0; i < pkm_answer_n_value(answer); ++i) {
        const char* text = pkm_answer_value_unit(answer, i);
        pkm_unit unit;
        pkm_fault fault;
        const bool is_unit = !*text || pkm_unit_scan(text, false, &unit, &fault) == strlen(text);
        if (!is_unit) printf("    %s [%s]\n", pkm_answer_value_name(answer, i), text);
        CHECK(is_unit);
    }
    pkm_answer_free(answer);
}

static void units_of_answers_are_units(void)
{
    static const char* const key[][2] = {
        {"for", "10 ms"}, {"instants", "11"}, {"flexible", "{A.left: {elements: 2}}"}};
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    check_units(get(pkm_run_inverse, robot, run));
    check_units(get(pkm_run_stiffness, robot, run));
    check_units(get(pkm_run_modes, robot, run));
    for (int k = 0; k < 3; ++k)
        choose(run, key[k][0], key[k][1]);
    check_units(get(pkm_run_simulate, robot, run));
    check_units(get(pkm_run_elastodynamics, robot, run));
    pkm_run_free(run);
    run = run_for(robot);
    choose(run, "clearance", "{A.left1: {radial: 0.1 mm, radius: 1 cm, stiffness: 1e10}}");
    choose(run, "for", "2 ms");
    check_units(get(pkm_run_simulate, robot, run));
    pkm_run_free(run);
    run = run_for(robot);
    choose(run, "clearance", "{A.left1: {radial: 0.1 mm, fidelity: envelope}}");
    choose(run, "instants", "5");
    check_units(get(pkm_run_envelope, robot, run));
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void nothing_gives_nothing(void)
{
    pkm_robot* robot = load("siax");
    pkm_answer* answer = (pkm_answer*)robot;
    analysis* const all[] = {pkm_run_inverse,   pkm_run_simulate,       pkm_run_modes,
                             pkm_run_stiffness, pkm_run_elastodynamics, pkm_run_envelope,
                             pkm_run_workspace};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) {
        CHECK(all[k](NULL, NULL, &answer, NULL) == PKM_ERR_ARGUMENT && !answer);
        CHECK(all[k](robot, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    }
    CHECK(pkm_run_create(NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_study(NULL, NULL, NULL, 0, 1, NULL, NULL, &answer, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_study("a", "b", NULL, 1, 1, NULL, NULL, &answer, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_choose(NULL, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_read(NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_parse(NULL, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_check(NULL, "modes", NULL) == PKM_ERR_ARGUMENT);
    CHECK(!pkm_run_key(-1) && !pkm_run_key(1000) && !pkm_run_task_key(1000));
    pkm_run_set_progress(NULL, NULL, NULL);
    CHECK(!pkm_answer_result(NULL));
    CHECK(pkm_answer_n_value(NULL) == 0 && pkm_answer_n_table(NULL) == 0);
    CHECK(!pkm_answer_table(NULL, NULL) && !pkm_answer_analysis(NULL) && !pkm_answer_json(NULL, 1));
    CHECK(isnan(pkm_answer_value(NULL, "x")) && isnan(pkm_answer_warning_time(NULL, 0)));
    CHECK(pkm_answer_peak(NULL, NULL, NULL, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(!pkm_table_column(NULL, 0, NULL));
    pkm_run_free(NULL);
    pkm_answer_free(NULL);
    pkm_text_free(NULL);
    pkm_robot_free(robot);
}

/// Every value is found in the tree under its name, those for people are in none.
static void values_are_the_numbers_of_the_tree(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    pkm_answer* answer = get(pkm_run_stiffness, robot, run);
    const pkm_result* tree = pkm_answer_result(answer);
    int n_vector = 0;
    for (int i = 0; i < pkm_answer_n_value(answer); ++i) {
        const char* name = pkm_answer_value_name(answer, i);
        const pkm_result* node = pkm_result_find(tree, name);
        n_vector += !node; // a place in a list of numbers, not a node
        if (!node) continue;
        CHECK(pkm_result_value(node, 0) == pkm_answer_value_at(answer, i));
        CHECK_TEXT(pkm_result_unit(node), pkm_answer_value_unit(answer, i));
        CHECK(!strstr(name, "._") && name[0] != '_');
    }
    // both matrices, deflection and sag, the position, six directions
    CHECK(n_vector == 36 + 36 + 6 + 6 + 3 + 6 * 3);
    CHECK(pkm_answer_value(answer, "compliance.7") ==
          pkm_result_value(pkm_result_find(tree, "compliance"), 7));
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void json_has_values_peaks_and_rows(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_for(robot);
    choose(run, "instants", "3");
    pkm_answer* answer = get(pkm_run_inverse, robot, run);
    char* text = pkm_answer_json(answer, true);
    CHECK_CONTAINS(text, "\"analysis\": \"inverse\"");
    CHECK_CONTAINS(text, "\"energy.drive_work\": {");
    CHECK_CONTAINS(text, "\"qA.force\": {");
    CHECK_CONTAINS(text, "\"rows\": [");
    pkm_text_free(text);
    text = pkm_answer_json(answer, false);
    CHECK(text && !strstr(text, "\"tables\""));
    pkm_text_free(text);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(inverse_is_that_of_the_older_call);
    RUN(a_simulation_has_ledger_peaks_and_columns);
    RUN(verify_brings_error_bars);
    RUN(modes_and_stiffness_are_those_of_the_older_calls);
    RUN(the_envelope_is_linear_in_the_clearance);
    RUN(the_workspace_is_that_of_the_plan);
    RUN(elastodynamics_has_its_table);
    RUN(choices_are_checked_when_they_are_made);
    RUN(an_analysis_refuses_what_it_does_not_take);
    RUN(a_run_serves_other_robots);
    RUN(a_model_for_controllers_keeps_text_and_overrides);
    RUN(progress_stops_and_rows_are_kept);
    RUN(a_used_up_budget_is_told);
    RUN(links_tell_the_peaks_of_their_columns);
    RUN(contacts_tell_what_their_columns_show);
    RUN(a_change_of_the_integrator_is_told);
    RUN(units_of_answers_are_units);
    RUN(nothing_gives_nothing);
    RUN(values_are_the_numbers_of_the_tree);
    RUN(json_has_values_peaks_and_rows);
    return check_report();
}
