/// Threads that share a robot: states made of one robot at the same time give what one thread gets,
/// bit for bit; two threads that move the same one get a status; runs leave no motions behind.
#include "unit/api/load.h"

#include <pthread.h>
#include <semaphore.h>

enum { N_THREAD = 3, N_NUMBER = 6 };

static const char* const own_motion =
    "{drives: {qA: [0 deg, 6 deg]}, law: quintic, duration: 20 ms}";

/// What a thread makes of the robot that all read: equations, a simulation with a motion of its own
/// and a copy.
typedef struct task {
    const pkm_robot* robot;
    double number[N_NUMBER];
    pkm_status status;
} task;

static pkm_status ask_equations(const pkm_robot* robot, double* out)
{
    pkm_equations* e = NULL;
    pkm_instant now = pkm_instant_home(robot);
    now.v[0] = 1.0;
    pkm_status status = pkm_equations_create(robot, &e, NULL);
    if (status == PKM_OK) status = pkm_equations_set(e, &now, NULL);
    out[0] = now.force[0];
    out[1] = now.tool.v.z;
    pkm_equations_free(e);
    return status;
}

static pkm_status ask_copy(const pkm_robot* shared, double* out)
{
    pkm_robot* robot = NULL;
    pkm_run* run = NULL;
    pkm_answer* answer = NULL;
    pkm_simulation* sim = NULL;
    pkm_instant now;
    pkm_status status = pkm_robot_copy(shared, &robot, NULL);
    if (status == PKM_OK) status = pkm_run_create(robot, &run, NULL);
    if (status == PKM_OK) status = pkm_run_choose(run, "motion", own_motion, NULL);
    if (status == PKM_OK) status = pkm_run_choose(run, "instants", "11", NULL);
    if (status == PKM_OK) status = pkm_run_inverse(robot, run, &answer, NULL);
    if (status == PKM_OK) status = pkm_answer_peak(answer, "qA.force", &out[0], NULL, NULL, NULL);
    pkm_answer_free(answer);
    answer = NULL;
    pkm_run_free(run);
    run = NULL;
    if (status == PKM_OK) status = pkm_run_create(robot, &run, NULL);
    if (status == PKM_OK) status = pkm_run_choose(run, "motion", own_motion, NULL);
    if (status == PKM_OK) status = pkm_simulation_create(shared, run, &sim, NULL);
    if (status == PKM_OK) status = pkm_simulation_step(sim, 10e-3, NULL);
    if (status == PKM_OK) status = pkm_simulation_get(sim, &now, NULL);
    if (status == PKM_OK) {
        out[1] = now.q[0];
        out[2] = now.force[1];
        out[3] = now.tool.pose.p.z;
    }
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return status;
}

static void* work(void* user)
{
    task* t = user;
    t->status = PKM_OK;
    for (int round = 0; round < 4 && t->status == PKM_OK; ++round) {
        t->status = ask_equations(t->robot, t->number);
        if (t->status == PKM_OK) t->status = ask_copy(t->robot, t->number + 2);
    }
    return NULL;
}

static void threads_share_a_constant_robot(void)
{
    pkm_robot* robot = load("siax");
    const int n_motion = pkm_robot_n_motion(robot);
    task alone = {.robot = robot}, together[N_THREAD];
    pthread_t thread[N_THREAD];
    work(&alone);
    CHECK(alone.status == PKM_OK && fabs(alone.number[2]) > 1.0 && alone.number[3] != 0.0);
    for (int i = 0; i < N_THREAD; ++i) {
        together[i] = (task){.robot = robot};
        CHECK(pthread_create(&thread[i], NULL, work, &together[i]) == 0);
    }
    for (int i = 0; i < N_THREAD; ++i) {
        CHECK(pthread_join(thread[i], NULL) == 0);
        CHECK(together[i].status == PKM_OK);
        CHECK(memcmp(together[i].number, alone.number, sizeof alone.number) == 0);
    }
    CHECK(pkm_robot_n_motion(robot) == n_motion);
    pkm_robot_free(robot);
}

/// A state outlives the robot it was made of, whoever goes first.
static void a_copy_outlives_its_robot(void)
{
    pkm_robot *robot = load("siax"), *copy = NULL;
    pkm_equations* e = NULL;
    pkm_instant now;
    CHECK(pkm_robot_copy(robot, &copy, NULL) == PKM_OK);
    CHECK(pkm_equations_create(copy, &e, NULL) == PKM_OK);
    pkm_robot_free(robot);
    CHECK_TEXT(pkm_robot_name(copy), "Delta SIAX D3-1600");
    CHECK(pkm_robot_n_motion(copy) == 3 &&
          pkm_motion_duration(pkm_robot_get_motion(copy, 0)) > 0.0);
    now = pkm_instant_home(copy);
    pkm_robot_free(copy);
    CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
    pkm_equations_free(e);
}

/// Motions that runs bring along go with them: in any order, after mistakes, and after the run of
/// another one.
static void runs_leave_no_motions_behind(void)
{
    pkm_robot* robot = load("siax");
    const int n_motion = pkm_robot_n_motion(robot);
    pkm_run *first = NULL, *second = NULL;
    pkm_answer* answer = NULL;
    double peak, again;
    CHECK(pkm_run_create(robot, &first, NULL) == PKM_OK);
    CHECK(pkm_run_create(robot, &second, NULL) == PKM_OK);
    CHECK(pkm_run_choose(first, "instants", "11", NULL) == PKM_OK);
    CHECK(pkm_run_choose(first, "motion", own_motion, NULL) == PKM_OK);
    CHECK(pkm_run_inverse(robot, first, &answer, NULL) == PKM_OK);
    CHECK(pkm_answer_peak(answer, "qA.force", &peak, NULL, NULL, NULL) == PKM_OK);
    pkm_answer_free(answer);
    CHECK(pkm_run_choose(second, "motion", own_motion, NULL) == PKM_OK);
    CHECK(pkm_run_choose(second, "motion",
                         "{drives: {qA: [0 deg, 9 deg]}, law: cubic, duration: 1 s}",
                         NULL) == PKM_OK);
    CHECK(pkm_run_choose(first, "motion", "{drives: {qA: [0 deg, 3 deg]}, law: cubic}", NULL) !=
          PKM_OK);
    CHECK(pkm_run_choose(first, "motion", "given", NULL) == PKM_ERR_MODEL); // nobody else's
    CHECK(pkm_run_inverse(robot, first, &answer, NULL) == PKM_OK); // what was chosen stands
    CHECK(pkm_answer_peak(answer, "qA.force", &again, NULL, NULL, NULL) == PKM_OK);
    CHECK(again == peak);
    pkm_answer_free(answer);
    pkm_run_free(first);
    pkm_run_free(second);
    CHECK(pkm_robot_n_motion(robot) == n_motion);
    pkm_robot_free(robot);
}

// ---- two threads on one robot -----------------------------------------------------------------

typedef struct meeting {
    pkm_robot* robot;
    sem_t works, go_on; ///< the other thread is inside a call; it may leave it
    bool has_waited;
    pkm_status status;
} meeting;

static bool wait_inside(void* user, double fraction)
{
    meeting* m = user;
    (void)fraction;
    if (m->has_waited) return true;
    m->has_waited = true;
    sem_post(&m->works);
    sem_wait(&m->go_on);
    return true;
}

static void* hold(void* user)
{
    meeting* m = user;
    pkm_run* run = NULL;
    pkm_answer* answer = NULL;
    m->status = pkm_run_create(m->robot, &run, NULL);
    if (m->status == PKM_OK) pkm_run_set_progress(run, wait_inside, m);
    if (m->status == PKM_OK) m->status = pkm_run_inverse(m->robot, run, &answer, NULL);
    pkm_answer_free(answer);
    pkm_run_free(run);
    return NULL;
}

/// Every call that would move the robot says so; its constant parts answer, copies are made.
static void meet(pkm_robot* robot, const pkm_run* run)
{
    static double x[64];
    static pkm_branches all;
    static pkm_matrices matrices;
    pkm_error err = {.status = PKM_OK};
    pkm_instant now = pkm_instant_home(robot);
    pkm_dexterity dexterity;
    pkm_workspace_plan plan;
    pkm_table* table = pkm_table_create();
    pkm_answer* answer = NULL;
    pkm_call* call = NULL;
    pkm_robot* copy = NULL;
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "another thread");
    CHECK(pkm_forward_at(robot, PKM_METHOD_CLOSED, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_dynamics_at(robot, PKM_METHOD_ENGINE, &now, x, x + 9, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_dexterity_at(robot, &dexterity, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_matrices_at(robot, &now, &matrices, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_batch_ik(robot, PKM_METHOD_CLOSED, 1, x, x + 9, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_batch_fk(robot, 1, x, x + 9, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_batch_inverse(robot, PKM_METHOD_ENGINE, 1, x, NULL, NULL, NULL, x + 9, NULL, NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_run(robot, 0, NULL, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_frequencies_at(robot, NULL, 1, table, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_workspace_plan_make(robot, &plan, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_ERR_ARGUMENT && !answer);
    CHECK(pkm_run_check(run, "inverse", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_call_create("check", &call, NULL) == PKM_OK);
    CHECK(pkm_call_robot(call, robot, NULL) == PKM_OK);
    CHECK(pkm_call_run(call, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_branches_inverse(robot, &now.tool.pose, &all, NULL) == PKM_OK && all.n > 0);
    CHECK(pkm_robot_structure(robot).mobility > 0);
    CHECK(pkm_robot_copy(robot, &copy, NULL) == PKM_OK);
    CHECK(pkm_inverse_at(copy, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
    pkm_call_free(call);
    pkm_robot_free(copy);
    pkm_table_free(table);
}

static void two_threads_on_one_robot_get_a_status(void)
{
    meeting m = {.robot = load("siax")};
    pkm_run* run = NULL;
    pkm_instant now = pkm_instant_home(m.robot);
    pthread_t thread;
    CHECK(pkm_run_create(m.robot, &run, NULL) == PKM_OK);
    CHECK(sem_init(&m.works, 0, 0) == 0 && sem_init(&m.go_on, 0, 0) == 0);
    CHECK(pthread_create(&thread, NULL, hold, &m) == 0);
    sem_wait(&m.works);
    meet(m.robot, run);
    sem_post(&m.go_on);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(m.status == PKM_OK); // it was not disturbed
    CHECK(pkm_inverse_at(m.robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
    pkm_run_free(run);
    pkm_robot_free(m.robot);
}

int main(void)
{
    RUN(threads_share_a_constant_robot);
    RUN(a_copy_outlives_its_robot);
    RUN(runs_leave_no_motions_behind);
    RUN(two_threads_on_one_robot_get_a_status);
    return check_report();
}
