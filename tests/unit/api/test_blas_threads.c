/// While a call of the library works OpenBLAS has one thread, so that answers are those of the
/// program, bit for bit; then it has as many as before.
#include "unit/api/load.h"

#include <pthread.h>

// not there where pkm has its own algebra
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int n) __attribute__((weak));

enum { BEFORE = 3 };

static int n_seen, most_seen; // threads during calls, as callbacks find them

static void see(void)
{
    const int n = openblas_get_num_threads();
    most_seen = n > most_seen ? n : most_seen;
    ++n_seen;
}

static void begin_to_see(void)
{
    openblas_set_num_threads(BEFORE);
    n_seen = most_seen = 0;
}

static void check_one_thread_was_seen(void)
{
    CHECK(n_seen > 0);
    CHECK(most_seen == 1);
    CHECK(openblas_get_num_threads() == BEFORE);
}

static bool see_progress(void* user, double done)
{
    (void)user;
    (void)done;
    see();
    return true;
}

static bool see_control(void* user, double t, const pkm_instant* now, double* force)
{
    (void)user;
    (void)t;
    (void)now;
    (void)force;
    see();
    return true;
}

static pkm_run* run_of(const pkm_robot* robot, const char* text)
{
    pkm_run* run = NULL;
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, text, "run", NULL) == PKM_OK);
    return run;
}

static void analyses_have_one_thread(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: paper\ninstants: 11\n");
    pkm_run_set_progress(run, see_progress, NULL);
    pkm_answer* answer = NULL;
    begin_to_see();
    CHECK(pkm_run_inverse(robot, run, &answer, NULL) == PKM_OK);
    check_one_thread_was_seen();
    pkm_answer_free(answer);
    // an analysis that is refused gives them back too
    CHECK(pkm_run_inverse(robot, run, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(openblas_get_num_threads() == BEFORE);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Matrices of some hundred rows, which OpenBLAS shares out to its threads.
static char* modes_with(int n_thread)
{
    openblas_set_num_threads(n_thread);
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nflexible: {'*': {elements: 12}}\n");
    pkm_answer* answer = NULL;
    CHECK(pkm_run_modes(robot, run, &answer, NULL) == PKM_OK);
    char* text = pkm_answer_json(answer, false);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return text;
}

static void modes_are_those_of_one_thread(void)
{
    char *one = modes_with(1), *several = modes_with(BEFORE);
    CHECK_TEXT(several, one);
    pkm_text_free(one);
    pkm_text_free(several);
}

static void simulations_in_steps_have_one_thread(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: none\nfor: 0.1 s\ndrives: free\n");
    CHECK(pkm_run_set_controller(run, 1e-3, see_control, NULL, NULL) == PKM_OK);
    pkm_simulation* sim = NULL;
    openblas_set_num_threads(BEFORE);
    CHECK(pkm_simulation_create(robot, run, &sim, NULL) == PKM_OK);
    begin_to_see();
    CHECK(pkm_simulation_step(sim, 5e-3, NULL) == PKM_OK);
    check_one_thread_was_seen();
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void studies_have_one_thread(void)
{
    static const char path[] = "blas_threads.yaml", database[] = "blas_threads.db";
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file,
            "study: 1\nrobot: %s\nanalysis: inverse\nmotion: paper\ninstants: 5\n"
            "outputs: {torque: {column: qA.force, measure: peak}}\n",
            robot_path("siax"));
    fclose(file);
    remove(database);
    pkm_answer* answer = NULL;
    pkm_error err = {0};
    begin_to_see();
    CHECK(pkm_run_study(path, database, NULL, 0, 1, see_progress, NULL, &answer, &err) == PKM_OK);
    if (err.text[0]) puts(err.text);
    check_one_thread_was_seen();
    pkm_answer_free(answer);
    remove(path);
    remove(database);
}

static pthread_barrier_t both_work, first_is_done;

static bool wait_for_both(void* user, double done)
{
    bool* has_met = user;
    (void)done;
    if (!*has_met) pthread_barrier_wait(&both_work);
    *has_met = true;
    return true;
}

static bool outlive_the_other(void* user, double done)
{
    bool* has_met = user;
    (void)done;
    if (!*has_met) {
        pthread_barrier_wait(&both_work);
        pthread_barrier_wait(&first_is_done);
        see(); // the other call has ended, this one has not
    }
    *has_met = true;
    return true;
}

static void analyse(pkm_progress_fn progress)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = run_of(robot, "run: 1\nmotion: paper\ninstants: 11\n");
    pkm_answer* answer = NULL;
    bool has_met = false;
    pkm_run_set_progress(run, progress, &has_met);
    CHECK(pkm_run_inverse(robot, run, &answer, NULL) == PKM_OK);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void* work_first(void* unused)
{
    analyse(wait_for_both);
    pthread_barrier_wait(&first_is_done);
    return unused;
}

static void calls_of_two_threads_overlap(void)
{
    pthread_t first;
    pthread_barrier_init(&both_work, NULL, 2);
    pthread_barrier_init(&first_is_done, NULL, 2);
    begin_to_see();
    CHECK(pthread_create(&first, NULL, work_first, NULL) == 0);
    analyse(outlive_the_other);
    pthread_join(first, NULL);
    check_one_thread_was_seen();
    pthread_barrier_destroy(&both_work);
    pthread_barrier_destroy(&first_is_done);
}

int main(void)
{
    if (openblas_set_num_threads) {
        RUN(analyses_have_one_thread);
        RUN(modes_are_those_of_one_thread);
        RUN(simulations_in_steps_have_one_thread);
        RUN(studies_have_one_thread);
        RUN(calls_of_two_threads_overlap);
    }
    return check_report();
}
