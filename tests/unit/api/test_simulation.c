/// Simulations in steps, batches and forward dynamics. Truth: the whole run by pkm_run_simulate,
/// inverse dynamics of the accelerations, closed forms of linear laws.
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pkm_run* run_of(const pkm_robot* robot, const char* text)
{
    pkm_run* run = NULL;
    pkm_error err = {.status = PKM_OK};
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    if (pkm_run_parse(run, text, "test", &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
    return run;
}

static pkm_simulation* begin(pkm_robot* robot, const pkm_run* run)
{
    pkm_simulation* sim = NULL;
    pkm_error err = {.status = PKM_OK};
    if (pkm_simulation_create(robot, run, &sim, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(sim != NULL);
    return sim;
}

static void step(pkm_simulation* sim, double dt, int n)
{
    pkm_error err = {.status = PKM_OK};
    for (int k = 0; k < n && err.status == PKM_OK; ++k)
        if (pkm_simulation_step(sim, dt, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
}

/// Largest difference, relative to the largest value, of all columns of a slice-wise run and of the
/// last row of the whole one.
static double end_differs(const char* name, const char* text, double dt, int n)
{
    pkm_robot* robot = load(name);
    pkm_run* run = run_of(robot, text);
    pkm_answer* answer = NULL;
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_OK);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    pkm_simulation* sim = begin(robot, run);
    pkm_run_free(run); // it may go
    step(sim, dt, n);
    static double now[400];
    double most = HUGE_VAL;
    const int n_column = pkm_simulation_n_column(sim), last = pkm_table_n_row(rows) - 1;
    CHECK(n_column == pkm_table_n_column(rows) && n_column <= 400);
    if (n_column == pkm_table_n_column(rows) && pkm_simulation_read(sim, now, NULL) == PKM_OK) {
        most = 0.0;
        for (int c = 0; c < n_column; ++c) {
            double size = 1e-3;
            CHECK_TEXT(pkm_simulation_column_name(sim, c), pkm_table_name(rows, c));
            for (int i = 0; i <= last; ++i)
                size = fmax(size, fabs(pkm_table_get(rows, i, c)));
            most = fmax(most, fabs(now[c] - pkm_table_get(rows, last, c)) / size);
        }
    }
    pkm_simulation_free(sim);
    pkm_answer_free(answer);
    pkm_robot_free(robot);
    return most;
}

/// The tool is a point of its body: the pose of that body and the tool by pkm_simulation_get are
/// one.
static void bodies_are_where_the_tool_is(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nfor: 20 ms\n");
    pkm_simulation* sim = begin(robot, run);
    const int n = pkm_robot_n_body(robot), platform = pkm_robot_find_body(robot, "platform");
    static pkm_pose home[40], pose[40];
    pkm_instant start, now;
    CHECK(n <= 40 && platform >= 0);
    CHECK(pkm_simulation_body_poses(sim, home, NULL) == PKM_OK);
    CHECK(pkm_simulation_get(sim, &start, NULL) == PKM_OK);
    step(sim, 5e-3, 4);
    CHECK(pkm_simulation_body_poses(sim, pose, NULL) == PKM_OK);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    const double moved = pose[platform].p.x - home[platform].p.x;
    CHECK(fabs(moved) > 1e-5);
    CHECK_NEAR(moved, now.tool.pose.p.x - start.tool.pose.p.x, 1e-15); // the platform does not turn
    CHECK(pkm_simulation_body_poses(sim, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_body_poses(NULL, pose, NULL) == PKM_ERR_ARGUMENT);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// The explicit method keeps 1e-12 per step; drives that fall freely multiply errors by a few tens.
static void slices_end_where_the_whole_run_does(void)
{
    CHECK(end_differs("siax", "run: 1\nmotion: none\nfor: 50 ms\ndrives: free\n", 1e-3, 50) < 1e-9);
    CHECK(end_differs("siax", "run: 1\nfor: 50 ms\n", 7e-3, 7) > 1e-6); // 49 ms are not the end
    CHECK(end_differs("siax",
                      "run: 1\nfor: 20 ms\ndrives: {computed_torque: {frequency: 20 Hz, damping: "
                      "1}, sampling: {rate: 1 kHz}}\nmodel: {m5: 6 kg}\n",
                      0.5e-3, 40) < 1e-8);
    CHECK(end_differs("siax",
                      "run: 1\nfor: 10 ms\nfriction: {spherical: {static: 0.1, radius: 1 cm}}\n",
                      1e-3, 10) < 1e-7);
}

static bool count(void* user, double fraction)
{
    (void)fraction;
    ++*(int*)user;
    return true;
}

/// Slices of 1 ms meet the samples of a controller at 1 kHz although 0.001 + 0.001 + ... is not
/// k/1000 in binary: no steps of rounding's length are taken between the two.
static void slices_meet_the_samples_of_a_controller(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nfor: 50 ms\ninstants: 2\ndrives: {computed_torque: "
                                 "{frequency: 20 Hz, damping: 1}, sampling: {rate: 1 kHz}}\n");
    pkm_answer* answer = NULL;
    int whole = 0, sliced = 0;
    pkm_run_set_progress(run, count, &whole);
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_OK);
    pkm_run_set_progress(run, count, &sliced);
    pkm_simulation* sim = begin(robot, run);
    step(sim, 1e-3, 50);
    CHECK(whole >= 50);
    CHECK(sliced <= whole + 5);
    CHECK_NEAR(pkm_simulation_time(sim), 0.05, 1e-12);
    pkm_simulation_free(sim);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Drives that hold the forces of inverse dynamics at rest stay: M a + h = force with a = 0.
static void forces_that_hold_the_robot_hold_it(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: none\ndrives: free\n");
    pkm_instant hold = pkm_instant_home(robot), now;
    CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &hold, NULL) == PKM_OK);
    pkm_simulation* sim = begin(robot, run);
    CHECK(pkm_simulation_set_forces(sim, hold.force, NULL) == PKM_OK);
    step(sim, 1e-2, 3);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    for (int d = 0; d < 3; ++d) {
        CHECK_NEAR(now.q[d], hold.q[d], 1e-9);
        CHECK_NEAR(now.a[d], 0.0, 1e-6);
        CHECK_NEAR(now.force[d], hold.force[d], 0.0);
    }
    // a force on the tool moves it, and forgetting it all brings the start back
    CHECK(pkm_simulation_set_wrench(sim, (pkm_vec3){0.0, 0.0, -100.0}, (pkm_vec3){0.0, 0.0, 0.0},
                                    NULL) == PKM_OK);
    step(sim, 1e-2, 1);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    CHECK(now.tool.v.z < -1e-2);
    CHECK(pkm_simulation_rewind(sim, NULL) == PKM_OK);
    CHECK(pkm_simulation_time(sim) == 0.0);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    CHECK(now.q[0] == hold.q[0] && now.force[0] == 0.0);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void misuse_of_a_simulation_is_told(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nfor: 10 ms\n");
    pkm_simulation* sim = begin(robot, run);
    pkm_error err;
    pkm_instant now;
    const double bad[] = {NAN, 0.0, 0.0};
    CHECK(pkm_simulation_step(sim, 0.0, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_step(sim, NAN, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_step(sim, 0.02, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "0.01 s");
    CHECK(pkm_simulation_set_forces(sim, bad, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_set_forces(sim, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_get(sim, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_read(sim, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_step(NULL, 1.0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_get(NULL, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_rewind(NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_create(NULL, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(isnan(pkm_simulation_time(NULL)) && pkm_simulation_n_column(NULL) == 0);
    CHECK(!pkm_simulation_column_name(NULL, 0) && !pkm_simulation_column_unit(sim, 10000));
    step(sim, 1e-2, 1); // exactly to the end, and no further
    CHECK(pkm_simulation_step(sim, 1e-9, NULL) == PKM_ERR_ARGUMENT);
    pkm_simulation_free(sim);
    pkm_simulation_free(NULL);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

// ---- forces of a program ----------------------------------------------------------------------

static double linear_law(void* user, double t, double q, double v)
{
    const double* k = user;
    (void)t;
    return -k[0] * q - k[1] * v;
}

/// A linear law by a function is the joint spring of the run file, to rounding.
static void a_force_of_a_program_is_the_spring_of_the_file(void)
{
    pkm_robot* robot = load("siax");
    double k[] = {120.0, 3.0};
    static const char start[] = "run: 1\nfor: 30 ms\nmotion: none\ndrives: free\ninstants: 5\n";
    pkm_run* mine = run_of(robot, start);
    pkm_run* spring = run_of(robot, start);
    CHECK(pkm_run_add_force(mine, "A.motor", linear_law, k, NULL) == PKM_OK);
    CHECK(pkm_run_choose(spring, "loads",
                         "{s: {spring: {stiffness: 120 N m/rad, damping: 3 N m s/rad}, joint: "
                         "A.motor}}",
                         NULL) == PKM_OK);
    pkm_answer *a = NULL, *b = NULL;
    CHECK(pkm_run_simulate(robot, mine, &a, NULL) == PKM_OK);
    CHECK(pkm_run_simulate(robot, spring, &b, NULL) == PKM_OK);
    const pkm_table *x = pkm_answer_table(a, NULL), *y = pkm_answer_table(b, NULL);
    const int q = pkm_table_find(x, "qA.q");
    CHECK_NEAR(pkm_table_get(x, 4, q), pkm_table_get(y, 4, q), 1e-10);
    CHECK(fabs(pkm_table_get(x, 4, q)) > 1e-3);
    pkm_error err;
    CHECK(pkm_run_check(mine, "modes", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "A.motor");
    CHECK(pkm_run_add_force(mine, "A.left1", linear_law, k, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "spherical");
    CHECK(pkm_run_add_force(mine, "nobody", linear_law, k, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_add_force(mine, "A.motor", NULL, k, &err) == PKM_ERR_ARGUMENT);
    pkm_answer_free(a);
    pkm_answer_free(b);
    pkm_run_free(mine);
    pkm_run_free(spring);
    pkm_robot_free(robot);
}

// ---- a controller of a program ----------------------------------------------------------------

/// The pd law of the run file, sampled.
typedef struct pd_law {
    double kp, kd, goal[3];
    int n_call;
    double last; ///< when it was asked [s]
    int stop_at; ///< call at which it wants to stop; 0: never
    bool is_broken;
} pd_law;

static bool pd(void* user, double t, const pkm_instant* now, double* force)
{
    pd_law* law = user;
    ++law->n_call;
    law->last = t;
    for (int d = 0; d < 3; ++d)
        force[d] =
            law->is_broken ? NAN : law->kp * (law->goal[d] - now->q[d]) - law->kd * now->v[d];
    return law->n_call != law->stop_at;
}

static const char* const controlled = "run: 1\nfor: 40 ms\nmotion: none\ninstants: 9\n%s\n";

static pkm_run* controlled_run(const pkm_robot* robot, const char* drives)
{
    char text[300];
    snprintf(text, sizeof text, controlled, drives);
    return run_of(robot, text);
}

/// A sampled pd controller that holds home, by a function and by the run file: the same samples,
/// the same steps between them.
static void a_controller_of_a_program_is_the_sampled_one_of_the_file(void)
{
    pkm_robot* robot = load("siax");
    pd_law law = {.kp = 400.0, .kd = 12.0};
    for (int d = 0; d < 3; ++d)
        law.goal[d] = pkm_robot_drive_home(robot, d);
    pkm_run* mine = controlled_run(robot, "drives: free");
    pkm_run* file =
        controlled_run(robot, "drives: {pd: {kp: 400, kd: 12}, sampling: {period: 1 ms}}");
    pkm_answer *a = NULL, *b = NULL;
    CHECK(pkm_run_set_controller(mine, 1e-3, pd, &law, NULL) == PKM_OK);
    CHECK(pkm_run_simulate(robot, mine, &a, NULL) == PKM_OK);
    CHECK(pkm_run_simulate(robot, file, &b, NULL) == PKM_OK);
    const pkm_table *x = pkm_answer_table(a, NULL), *y = pkm_answer_table(b, NULL);
    const char* const column[] = {"qA.q", "qB.q", "qC.q", "qA.force", "qB.v"};
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 9; ++i)
            CHECK_NEAR(pkm_table_get(x, i, pkm_table_find(x, column[k])),
                       pkm_table_get(y, i, pkm_table_find(y, column[k])), 1e-9);
    CHECK(law.n_call == 40 && fabs(law.last - 0.039) < 1e-9);
    CHECK(fabs(pkm_table_get(x, 8, pkm_table_find(x, "qA.q")) - law.goal[0]) > 1e-3);

    // in steps: the same, also when its state was saved and the run goes on from there
    pkm_simulation* sim = NULL;
    pkm_instant now, again;
    static unsigned char bytes[1 << 16];
    CHECK(pkm_simulation_create(robot, mine, &sim, NULL) == PKM_OK);
    step(sim, 1.7e-3, 10);
    const size_t size = pkm_simulation_state_size(sim);
    CHECK(size <= sizeof bytes && pkm_simulation_save(sim, bytes, size, NULL) == PKM_OK);
    step(sim, 4.6e-3, 5);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    CHECK_NEAR(now.q[0], pkm_table_get(x, 8, pkm_table_find(x, "qA.q")), 1e-9);
    CHECK(pkm_simulation_restore(sim, bytes, size, NULL) == PKM_OK);
    step(sim, 4.6e-3, 5);
    CHECK(pkm_simulation_get(sim, &again, NULL) == PKM_OK && again.q[0] == now.q[0]);
    pkm_simulation_free(sim);
    pkm_answer_free(a);
    pkm_answer_free(b);
    pkm_run_free(mine);
    pkm_run_free(file);
    pkm_robot_free(robot);
}

static void a_controller_can_stop_and_is_not_believed_nonsense(void)
{
    pkm_robot* robot = load("siax");
    pd_law law = {.kp = 1.0, .stop_at = 11};
    pkm_run *run = controlled_run(robot, "drives: free"), *plain = run_of(robot, "run: 1\n");
    pkm_run* held = controlled_run(robot, "drives: locked");
    pkm_answer* answer = NULL;
    pkm_error err;
    CHECK(pkm_run_set_controller(NULL, 1e-3, pd, &law, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_set_controller(run, 0.0, pd, &law, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_set_controller(run, NAN, pd, &law, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_set_controller(run, INFINITY, pd, &law, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_set_controller(run, 1e-3, pd, &law, NULL) == PKM_OK);
    CHECK(pkm_run_set_controller(plain, 1e-3, pd, &law, NULL) == PKM_OK);
    CHECK(pkm_run_check(plain, "inverse", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "a controller of a program");
    CHECK(pkm_run_simulate(robot, run, &answer, &err) == PKM_ERR_INTERRUPTED);
    CHECK(answer && !pkm_answer_is_complete(answer) && law.n_call == 11);
    CHECK(pkm_table_n_row(pkm_answer_table(answer, NULL)) == 3); // 0, 5, 10 ms
    pkm_answer_free(answer);
    law = (pd_law){.is_broken = true};
    CHECK(pkm_run_simulate(robot, run, &answer, &err) == PKM_ERR_NUMBERS);
    CHECK_CONTAINS(err.text, "finite");
    pkm_answer_free(answer);
    // drives that take no force leave nothing to control: refused, not dropped
    CHECK(pkm_run_set_controller(held, 1e-3, pd, &law, NULL) == PKM_OK);
    CHECK(pkm_run_simulate(robot, held, &answer, &err) == PKM_ERR_ARGUMENT && !answer);
    CHECK_CONTAINS(err.text, "drives: free");
    CHECK(pkm_run_set_controller(held, 0.0, NULL, NULL, NULL) == PKM_OK);
    CHECK(pkm_run_simulate(robot, held, &answer, &err) == PKM_OK);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_run_free(held);
    pkm_run_free(plain);
    pkm_robot_free(robot);
}

// ---- batches ----------------------------------------------------------------------------------

/// Poses around home to drives by both methods, back to poses; forces as one by one.
static void batches_are_the_single_calls(void)
{
    enum { N = 20 };
    pkm_robot *robot = load("siax"), *other = load("siax");
    const pkm_pose home = pkm_robot_tool_home(robot);
    double pose[7 * N], q[2][3 * N], back[7 * N], force[3 * N];
    unsigned seed = 7;
    for (int i = 0; i < N; ++i) {
        const double x[] = {home.p.x + 0.2 * noise(&seed),
                            home.p.y + 0.2 * noise(&seed),
                            home.p.z + 0.1 * noise(&seed),
                            0.0,
                            0.0,
                            0.0,
                            0.0};
        memcpy(pose + 7 * i, x, sizeof x);
    }
    CHECK(pkm_batch_ik(robot, PKM_METHOD_ENGINE, N, pose, q[0], NULL, NULL) == PKM_OK);
    CHECK(pkm_batch_ik(robot, PKM_METHOD_CLOSED, N, pose, q[1], NULL, NULL) == PKM_OK);
    CHECK(pkm_batch_fk(robot, N, q[1], back, NULL, NULL) == PKM_OK);
    CHECK(pkm_batch_inverse(robot, PKM_METHOD_ENGINE, N, q[0], q[0], NULL, NULL, force, NULL,
                            NULL) == PKM_OK);
    for (int i = 0; i < N; ++i) {
        pkm_instant at = {.q = {0.0}};
        for (int d = 0; d < 3; ++d) {
            CHECK_NEAR(q[0][3 * i + d], q[1][3 * i + d], 1e-10);
            CHECK_NEAR(back[7 * i + d], pose[7 * i + d], 1e-10);
            at.q[d] = at.v[d] = q[0][3 * i + d];
        }
        CHECK(pkm_inverse_at(other, PKM_METHOD_CLOSED, &at, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            CHECK_NEAR(force[3 * i + d], at.force[d], 1e-8 * (1.0 + fabs(at.force[d])));
    }
    pkm_robot_free(other);
    pkm_robot_free(robot);
}

static void a_row_without_an_answer_is_nan(void)
{
    pkm_robot* robot = load("siax");
    const pkm_vec3 p = pkm_robot_tool_home(robot).p;
    const double pose[] = {p.x, p.y, p.z, 0.0, 0.0, 0.0, 0.0, p.x, p.y, -9.0, 0.0,
                           0.0, 0.0, 0.0, p.x, p.y, p.z, 0.0, 0.0, 0.0, 0.0};
    for (int m = 0; m < 2; ++m) {
        double q[9];
        pkm_status status[3];
        pkm_error err;
        CHECK(pkm_batch_ik(robot, (pkm_method)m, 3, pose, q, status, &err) == PKM_ERR_UNREACHABLE);
        CHECK(status[0] == PKM_OK && status[1] == PKM_ERR_UNREACHABLE && status[2] == PKM_OK);
        CHECK(isnan(q[3]) && isnan(q[5]) && fabs(q[6] - q[0]) < 1e-9);
        CHECK_CONTAINS(err.text, "row 2: ");
    }
    CHECK(pkm_batch_ik(NULL, PKM_METHOD_ENGINE, 1, pose, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_batch_fk(robot, -1, pose, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_batch_inverse(robot, PKM_METHOD_ENGINE, 1, NULL, NULL, NULL, NULL, NULL, NULL,
                            NULL) == PKM_ERR_ARGUMENT);
    pkm_robot_free(robot);
}

/// Forward dynamics undoes inverse dynamics, for every robot and method; M is positive.
static void forward_undoes_inverse(void)
{
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_robot* robot = load(robot_files[r]);
        const int n = pkm_robot_n_drive(robot);
        unsigned seed = 11;
        for (int m = 0; m < (pkm_robot_closed_form(robot) ? 2 : 1); ++m) {
            pkm_instant now = pkm_instant_home(robot), again;
            for (int d = 0; d < n; ++d) {
                now.v[d] = 0.3 * noise(&seed);
                now.a[d] = 5.0 * noise(&seed);
            }
            now.tool_force = (pkm_vec3){3.0, -2.0, 1.0};
            if (pkm_inverse_at(robot, (pkm_method)m, &now, NULL) != PKM_OK) continue;
            again = now;
            memset(again.a, 0, sizeof again.a);
            CHECK(pkm_forward_at(robot, (pkm_method)m, &again, NULL) == PKM_OK);
            for (int d = 0; d < n; ++d)
                CHECK_NEAR(again.a[d], now.a[d], 1e-7 * (5.0 + fabs(now.a[d])));
            double M[PKM_MAX_DRIVE * PKM_MAX_DRIVE], h[PKM_MAX_DRIVE];
            CHECK(pkm_dynamics_at(robot, (pkm_method)m, &now, M, h, NULL) == PKM_OK);
            for (int d = 0; d < n; ++d)
                CHECK(M[d + d * n] > 0.0);
        }
        pkm_robot_free(robot);
    }
    CHECK(pkm_forward_at(NULL, PKM_METHOD_ENGINE, NULL, NULL) == PKM_ERR_ARGUMENT);
}

/// Largest difference of the columns after `n` steps from a saved state, first as they go on, then
/// after going back to it: in the same simulation, and in another one.
static double going_back_differs(const char* name, const char* text, double dt, int n)
{
    static double first[400], now[400], again[400];
    pkm_robot* robot = load(name);
    pkm_run* run = run_of(robot, text);
    pkm_simulation *sim = begin(robot, run), *other = begin(robot, run);
    const size_t size = pkm_simulation_state_size(sim);
    unsigned char* bytes = malloc(size);
    double most = 0.0;
    const int n_column = pkm_simulation_n_column(sim);
    CHECK(n_column <= 400);
    step(sim, dt, n);
    CHECK(pkm_simulation_save(sim, bytes, size, NULL) == PKM_OK);
    const double t = pkm_simulation_time(sim);
    step(sim, dt, n);
    CHECK(pkm_simulation_read(sim, first, NULL) == PKM_OK);
    for (int k = 0; k < 3; ++k) { // twice in the same one
        pkm_simulation* at = k < 2 ? sim : other;
        CHECK(pkm_simulation_restore(at, bytes, size, NULL) == PKM_OK);
        CHECK_NEAR(pkm_simulation_time(at), t, 0.0);
        step(at, dt, n);
        CHECK(pkm_simulation_read(at, now, NULL) == PKM_OK);
        for (int c = 0; c < n_column; ++c)
            most = fmax(most, fabs(now[c] - first[c]) / fmax(1e-3, fabs(first[c])));
        // a state is all that counts: whoever goes on from it does the same, to rounding
        for (int c = 0; k > 0 && c < n_column; ++c)
            CHECK_NEAR(now[c], again[c], 1e-10 * fmax(1e-3, fabs(again[c])));
        memcpy(again, now, sizeof again);
    }
    free(bytes);
    pkm_simulation_free(sim);
    pkm_simulation_free(other);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return most;
}

/// One-step methods remember nothing but their state: the same numbers. What friction and reactions
/// settle at depends on where they begin by 1e-12 of them.
static void a_saved_state_is_gone_back_to(void)
{
    CHECK_NEAR(
        going_back_differs("siax", "run: 1\nmotion: none\nfor: 50 ms\ndrives: free\n", 1e-3, 10),
        0.0, 0.0);
    CHECK_NEAR(going_back_differs("siax",
                                  "run: 1\nfor: 20 ms\ndrives: {computed_torque: {frequency: 20 "
                                  "Hz, damping: 1}, sampling: {rate: 1 kHz, delay: 1.5 ms}}\n"
                                  "model: {m5: 6 kg}\n",
                                  0.4e-3, 12),
               0.0, 1e-11);
    CHECK_NEAR(
        going_back_differs("siax", "run: 1\nfor: 20 ms\nflexible: {'*': {modes: 2}}\n", 1e-3, 3),
        0.0, 1e-9);
    CHECK_NEAR(going_back_differs("siax",
                                  "run: 1\nfor: 30 ms\nclearance: {A.left1: {radial: 0.1 mm, "
                                  "radius: 10 mm, stiffness: 1.5e9}}\n",
                                  0.5e-3, 10),
               0.0, 1e-7);
    CHECK_NEAR(going_back_differs("siax",
                                  "run: 1\nmotion: none\nfor: 20 ms\ndrives: free\nfriction: "
                                  "{spherical: {static: 0.1, radius: 1 cm}}\n",
                                  1e-3, 5),
               0.0, 1e-6); // their damping, 1e4 s/m, makes 1e-9 m/s2 of the rounding of velocities
}

static void states_of_others_are_refused(void)
{
    pkm_robot *siax = load("siax"), *heavy = NULL;
    const pkm_override set = {"m5", "6 kg"};
    CHECK(pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", &set, 1, &heavy, NULL) == PKM_OK);
    pkm_simulation *a = begin(siax, NULL), *b = begin(heavy, NULL);
    const size_t size = pkm_simulation_state_size(a);
    unsigned char* bytes = calloc(size, 1);
    CHECK(pkm_simulation_restore(a, bytes, size, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_save(a, bytes, size - 1, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_save(a, NULL, size, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_save(NULL, bytes, size, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_save(a, bytes, size, NULL) == PKM_OK);
    CHECK(pkm_simulation_restore(b, bytes, size, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_restore(a, bytes, size, NULL) == PKM_OK);
    CHECK(pkm_simulation_state_size(NULL) == 0);
    free(bytes);
    pkm_simulation_free(a);
    pkm_simulation_free(b);
    pkm_robot_free(siax);
    pkm_robot_free(heavy);
}

/// With an exact model computed torque leaves e'' + 2 w e' + w^2 e = 0 in every drive: from rest
/// the drives go to the reference by 1 - (1 + w t) exp(-w t) of the way.
static void controllers_follow_the_references_that_are_set(void)
{
    const double w = 2.0 * 3.14159265358979323846 * 5.0, way[] = {0.1, -0.05, 0.02},
                 zero[3] = {0.0};
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: none\nfor: 0.2 s\ndrives: {computed_torque: "
                                 "{frequency: 5 Hz, damping: 1}}\n");
    pkm_simulation* sim = begin(robot, run);
    pkm_instant now;
    double q[3];
    for (int d = 0; d < 3; ++d)
        q[d] = pkm_robot_drive_home(robot, d) + way[d];
    CHECK(pkm_simulation_set_references(sim, q, zero, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_set_references(sim, q, zero, zero, NULL) == PKM_OK);
    step(sim, 0.01, 12);
    CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
    const double t = 0.12, done = 1.0 - (1.0 + w * t) * exp(-w * t);
    for (int d = 0; d < 3; ++d)
        CHECK_NEAR(now.q[d] - pkm_robot_drive_home(robot, d), done * way[d], 1e-9);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// A free drive, one with a given force and one that is locked follow no reference.
static void references_of_drives_without_controllers_are_refused(void)
{
    static const char* const other[] = {"free", "{force: 1 N m}", "locked"};
    const double zero[3] = {0.0};
    pkm_robot* robot = load("siax");
    const char* second = pkm_robot_drive_name(robot, 1);
    for (int k = 0; k < 3; ++k) {
        char text[256];
        snprintf(text, sizeof text,
                 "run: 1\nmotion: none\nfor: 0.2 s\ndrives: {qA: {pd: {kp: 1e4, kd: 100}}, qB: %s, "
                 "qC: {pd: {kp: 1e4, kd: 100}}}\n",
                 other[k]);
        pkm_run* run = run_of(robot, text);
        pkm_simulation* sim = begin(robot, run);
        pkm_error err = {0};
        double q[3];
        for (int d = 0; d < 3; ++d)
            q[d] = pkm_robot_drive_home(robot, d);
        CHECK(pkm_simulation_set_references(sim, q, zero, zero, &err) == PKM_ERR_ARGUMENT);
        CHECK_CONTAINS(err.text, second);
        CHECK_CONTAINS(err.text, "no controller");
        q[1] = NAN;
        CHECK(pkm_simulation_set_references(sim, q, zero, zero, &err) == PKM_OK);
        pkm_simulation_free(sim);
        pkm_run_free(run);
    }
    pkm_robot_free(robot);
}

/// A ball that flies first touches its socket: the step ends there, and the same way is left.
static void a_step_may_end_at_an_event(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run =
        run_of(robot, "run: 1\nfor: 30 ms\nclearance: {A.left1: {radial: 0.1 mm, radius: "
                      "10 mm, stiffness: 1.5e9, start: centred}}\n");
    pkm_simulation *sim = begin(robot, run), *whole = begin(robot, run);
    bool early = false;
    CHECK(pkm_simulation_step_to_event(sim, 0.02, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_step_to_event(sim, 0.02, &early, NULL) == PKM_OK);
    const double t = pkm_simulation_time(sim);
    CHECK(early && t > 0.0 && t < 0.02);
    static double a[400], b[400];
    step(whole, t, 1);
    CHECK(pkm_simulation_read(sim, a, NULL) == PKM_OK &&
          pkm_simulation_read(whole, b, NULL) == PKM_OK);
    for (int c = 0; c < pkm_simulation_n_column(sim); ++c) {
        const char* name = pkm_simulation_column_name(sim, c);
        if (strcmp(name, "A.left1.gap") == 0) CHECK_NEAR(a[c], 0.0, 1e-11);
        if (strcmp(name, "P.z") == 0) CHECK_NEAR(a[c], b[c], 1e-9);
    }
    pkm_simulation_free(sim);
    pkm_simulation_free(whole);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// A load by a named input falls as the same load by a number does; states and rewinding know it.
static void an_input_of_the_run_is_a_number_that_changes(void)
{
    static const char file[] = "run: 1\nmotion: none\nfor: 1 s\ndrives: free\n"
                               "loads: {push: {at: platform.P, force: [0, 0, %s]}}\n";
    static unsigned char memo[1 << 16];
    char text[200];
    pkm_robot* robot = load("siax");
    pkm_instant a, b, c;
    snprintf(text, sizeof text, file, "{input: lift, start: 1 N}");
    pkm_run* run = run_of(robot, text);
    pkm_simulation* sim = begin(robot, run);
    snprintf(text, sizeof text, file, "30 N");
    pkm_run* fixed_run = run_of(robot, text);
    pkm_simulation* fixed = begin(robot, fixed_run);
    CHECK(pkm_simulation_n_input(sim) == 1 && pkm_simulation_n_input(fixed) == 0);
    CHECK_TEXT(pkm_simulation_input_name(sim, 0), "lift");
    CHECK_TEXT(pkm_simulation_input_unit(sim, 0), "N");
    CHECK(pkm_simulation_input_start(sim, 0) == 1.0 && isnan(pkm_simulation_input_start(sim, 1)));
    CHECK(pkm_simulation_set_input(sim, "left", 1.0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_set_input(sim, "lift", NAN, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_set_input(sim, "lift", 30.0, NULL) == PKM_OK);
    step(sim, 0.01, 5);
    step(fixed, 0.01, 5);
    CHECK(pkm_simulation_get(sim, &a, NULL) == PKM_OK);
    CHECK(pkm_simulation_get(fixed, &b, NULL) == PKM_OK);
    for (int d = 0; d < 3; ++d)
        CHECK_NEAR(a.q[d], b.q[d], 1e-10);
    const size_t size = pkm_simulation_state_size(sim);
    CHECK(size <= sizeof memo && pkm_simulation_save(sim, memo, size, NULL) == PKM_OK);
    step(sim, 0.01, 3);
    CHECK(pkm_simulation_get(sim, &a, NULL) == PKM_OK);
    CHECK(pkm_simulation_set_input(sim, "lift", -50.0, NULL) == PKM_OK);
    CHECK(pkm_simulation_restore(sim, memo, size, NULL) == PKM_OK);
    step(sim, 0.01, 3);
    CHECK(pkm_simulation_get(sim, &c, NULL) == PKM_OK);
    CHECK(memcmp(a.q, c.q, sizeof a.q) == 0);
    CHECK(pkm_simulation_rewind(sim, NULL) == PKM_OK &&
          pkm_simulation_rewind(fixed, NULL) == PKM_OK);
    step(sim, 0.01, 5);
    CHECK(pkm_simulation_get(sim, &a, NULL) == PKM_OK);
    CHECK(fabs(a.q[0] - b.q[0]) > 1e-4); // it is 1 N again
    pkm_simulation_free(sim);
    pkm_simulation_free(fixed);
    pkm_run_free(run);
    pkm_run_free(fixed_run);
    pkm_robot_free(robot);
}

// ---- cost -------------------------------------------------------------------------------------

/// Integrators ask for it at every evaluation.
static double count_evaluation(void* user, double t, double q, double v)
{
    (void)t, (void)q, (void)v;
    ++*(int*)user;
    return 0.0;
}

static void hold(const pkm_instant* now, double* force)
{
    for (int d = 0; d < 3; ++d)
        force[d] = -2000.0 * now->q[d] - 60.0 * now->v[d];
}

static bool control(void* user, double t, const pkm_instant* now, double* force)
{
    (void)user, (void)t;
    hold(now, force);
    return true;
}

/// Evaluations of 200 ms with a row per ms: of the whole run, and of steps from outside in which
/// everything is read.
static void count_evaluations(const char* text, bool controls, int* whole, int* steps)
{
    static double row[400];
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, text);
    pkm_answer* answer = NULL;
    pkm_instant now;
    double force[3];
    int n = 0;
    CHECK(pkm_run_add_force(run, "A.motor", count_evaluation, &n, NULL) == PKM_OK);
    pkm_simulation* sim = begin(robot, run);
    n = 0;
    for (int k = 0; k < 200; ++k) {
        if (controls) {
            CHECK(pkm_simulation_get(sim, &now, NULL) == PKM_OK);
            hold(&now, force);
            CHECK(pkm_simulation_set_forces(sim, force, NULL) == PKM_OK);
        }
        step(sim, 1e-3, 1);
        CHECK(pkm_simulation_read(sim, row, NULL) == PKM_OK);
    }
    *steps = n;
    if (controls) CHECK(pkm_run_set_controller(run, 1e-3, control, NULL, NULL) == PKM_OK);
    n = 0;
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_OK);
    *whole = n;
    pkm_simulation_free(sim);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Steps from outside cost what the integrator's own steps of that length do, and a loop that is
/// closed outside what a controller inside the run does.
static void steps_cost_what_the_run_costs(void)
{
    int whole = 0, steps = 0;
    count_evaluations(
        "run: 1\nmotion: none\nfor: 200 ms\ndrives: free\ninstants: 201\nmax_step: 1 ms\n", false,
        &whole, &steps);
    CHECK(whole > 1600 && steps > 1600 && steps <= 1.05 * whole);
    count_evaluations("run: 1\nmotion: none\nfor: 200 ms\ndrives: free\ninstants: 201\n", true,
                      &whole, &steps);
    CHECK(whole > 1600 && steps > 1600 && steps <= 1.05 * whole);
    // nothing is set: the integrator keeps its own, longer steps
    count_evaluations("run: 1\nmotion: none\nfor: 200 ms\ndrives: free\ninstants: 201\n", false,
                      &whole, &steps);
    CHECK(whole < 1000 && steps > 200 && steps <= 1.05 * whole);
}

/// The rows of a free run, read step by step, are those of the run as a whole; and a force that is
/// set on the way acts from there on, as in a run whose steps end where they are asked to.
static void steps_without_inputs_are_the_rows_of_the_run(void)
{
    static double row[400];
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: none\nfor: 50 ms\ndrives: free\ninstants: 51\n");
    pkm_answer* answer = NULL;
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_OK);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    const int column = pkm_table_find(rows, "qA.q");
    pkm_simulation* sim = begin(robot, run);
    pkm_simulation* cut = begin(robot, run);
    const double none[3] = {0.0, 0.0, 0.0}, force[3] = {20.0, -10.0, 5.0};
    for (int k = 1; k <= 30; ++k) {
        step(sim, 1e-3, 1);
        CHECK(pkm_simulation_read(sim, row, NULL) == PKM_OK);
        CHECK_NEAR(pkm_simulation_time(sim), 1e-3 * k, 1e-15);
        CHECK_NEAR(row[column], pkm_table_get(rows, k, column), 1e-15);
        CHECK(pkm_simulation_set_forces(cut, none, NULL) == PKM_OK); // ends where it is asked to
        step(cut, 1e-3, 1);
    }
    CHECK(pkm_simulation_set_forces(sim, force, NULL) == PKM_OK);
    CHECK(pkm_simulation_set_forces(cut, force, NULL) == PKM_OK);
    step(sim, 1e-3, 20);
    step(cut, 1e-3, 20);
    pkm_instant a, b;
    CHECK(pkm_simulation_get(sim, &a, NULL) == PKM_OK);
    CHECK(pkm_simulation_get(cut, &b, NULL) == PKM_OK);
    for (int d = 0; d < 3; ++d) {
        CHECK_NEAR(a.q[d], b.q[d], 1e-9);
        CHECK_NEAR(a.v[d], b.v[d], 1e-8);
    }
    CHECK(fabs(a.q[0] - pkm_table_get(rows, 50, column)) > 1e-4); // the force did act
    pkm_simulation_free(sim);
    pkm_simulation_free(cut);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(slices_end_where_the_whole_run_does);
    RUN(bodies_are_where_the_tool_is);
    RUN(slices_meet_the_samples_of_a_controller);
    RUN(forces_that_hold_the_robot_hold_it);
    RUN(misuse_of_a_simulation_is_told);
    RUN(a_force_of_a_program_is_the_spring_of_the_file);
    RUN(a_controller_of_a_program_is_the_sampled_one_of_the_file);
    RUN(a_controller_can_stop_and_is_not_believed_nonsense);
    RUN(batches_are_the_single_calls);
    RUN(a_row_without_an_answer_is_nan);
    RUN(forward_undoes_inverse);
    RUN(a_saved_state_is_gone_back_to);
    RUN(states_of_others_are_refused);
    RUN(controllers_follow_the_references_that_are_set);
    RUN(references_of_drives_without_controllers_are_refused);
    RUN(a_step_may_end_at_an_event);
    RUN(an_input_of_the_run_is_a_number_that_changes);
    RUN(steps_cost_what_the_run_costs);
    RUN(steps_without_inputs_are_the_rows_of_the_run);
    return check_report();
}
