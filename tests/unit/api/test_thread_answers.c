/// The public analyses, simulations in steps and batches in two threads, each with its own robot,
/// give what one thread gives, bit for bit. Under ThreadSanitizer (make faults) they share nothing.
#include "unit/api/load.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N_ANSWER = 7, N_WORK = N_ANSWER + 2, N_THREAD = 2, N_BATCH = 5, MAX_COLUMN = 400 };

typedef pkm_status analysis(pkm_robot*, const pkm_run*, pkm_answer**, pkm_error*);

static analysis* const analyses[N_ANSWER] = {
    pkm_run_inverse,        pkm_run_simulate, pkm_run_modes,    pkm_run_stiffness,
    pkm_run_elastodynamics, pkm_run_envelope, pkm_run_workspace};

/// Choices for each of them, key after key with its value.
static const char* const choices[N_ANSWER][8] = {
    {"instants", "21"},
    {"motion", "paper", "for", "2 ms", "instants", "3"},
    {"flexible", "A.left: {elements: 2}"},
    {"flexible", "A.left: {elements: 2}"},
    {"motion", "paper", "for", "4 ms", "instants", "5", "flexible", "left: {elements: 2}"},
    {"instants", "3", "clearance", "A.left1: {radial: 0.1 mm}"},
    {"slice", "{z: -1}", "points", "5"},
};

/// Numbers of one piece of work: a sum that changes with any bit of any of them.
typedef struct sum {
    uint64_t bits;
    bool is_done;
} sum;

static void add(sum* s, const double* x, int n)
{
    for (int i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        s->bits = s->bits * 0x100000001b3u ^ bits;
    }
}

static void add_answer(sum* s, const pkm_answer* answer)
{
    for (int i = 0; i < pkm_answer_n_value(answer); ++i) {
        const double value = pkm_answer_value_at(answer, i);
        add(s, &value, 1);
    }
    for (int i = 0; i < pkm_answer_n_table(answer); ++i) {
        const pkm_table* table = pkm_answer_table(answer, pkm_answer_table_name(answer, i));
        for (int r = 0; r < pkm_table_n_row(table); ++r)
            for (int c = 0; c < pkm_table_n_column(table); ++c) {
                const double value = pkm_table_get(table, r, c);
                add(s, &value, 1);
            }
    }
    char* text = pkm_answer_json(answer, false);
    s->is_done = text && pkm_answer_n_value(answer) + pkm_answer_n_table(answer) > 0;
    pkm_text_free(text);
}

static sum answer_of(pkm_robot* robot, int k)
{
    sum s = {0};
    pkm_run* run = NULL;
    pkm_answer* answer = NULL;
    pkm_error err = {.status = PKM_OK};
    pkm_status status = pkm_run_create(robot, &run, &err);
    for (int i = 0; status == PKM_OK && i + 1 < 8 && choices[k][i]; i += 2)
        status = pkm_run_choose(run, choices[k][i], choices[k][i + 1], &err);
    if (status == PKM_OK) status = analyses[k](robot, run, &answer, &err);
    if (status == PKM_OK)
        add_answer(&s, answer);
    else
        printf("    %s\n", err.text);
    pkm_answer_free(answer);
    pkm_run_free(run);
    return s;
}

/// Some steps, back to a state that was kept, and on.
static sum steps(pkm_robot* robot)
{
    sum s = {0};
    pkm_run* run = NULL;
    pkm_simulation* sim = NULL;
    double now[MAX_COLUMN];
    void* kept = NULL;
    pkm_status status = pkm_run_create(robot, &run, NULL);
    if (status == PKM_OK)
        status = pkm_run_parse(run, "run: 1\nmotion: paper\nfor: 10 ms\n", "test", NULL);
    if (status == PKM_OK) status = pkm_simulation_create(robot, run, &sim, NULL);
    const size_t size = status == PKM_OK ? pkm_simulation_state_size(sim) : 0;
    if (size > 0) kept = malloc(size);
    for (int round = 0; status == PKM_OK && round < 2; ++round) {
        status = round == 0 ? pkm_simulation_save(sim, kept, size, NULL)
                            : pkm_simulation_restore(sim, kept, size, NULL);
        for (int i = 0; status == PKM_OK && i < 4; ++i)
            status = pkm_simulation_step(sim, 0.5e-3, NULL);
        const int n = status == PKM_OK ? pkm_simulation_n_column(sim) : 0;
        if (n == 0 || n > MAX_COLUMN) break;
        status = pkm_simulation_read(sim, now, NULL);
        add(&s, now, n);
        s.is_done = status == PKM_OK;
    }
    free(kept);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    return s;
}

/// Poses to drives and back, and the forces there.
static sum batches(pkm_robot* robot)
{
    sum s = {0};
    pkm_status status[N_BATCH];
    double pose[7 * N_BATCH] = {0}, q[3 * N_BATCH], force[3 * N_BATCH];
    for (int i = 0; i < N_BATCH; ++i) {
        pose[7 * i] = 0.02 * i;
        pose[7 * i + 2] = -1.0;
        pose[7 * i + 3] = 1.0;
    }
    if (pkm_batch_ik(robot, PKM_METHOD_ENGINE, N_BATCH, pose, q, status, NULL) != PKM_OK) return s;
    if (pkm_batch_fk(robot, N_BATCH, q, pose, status, NULL) != PKM_OK) return s;
    s.is_done = pkm_batch_inverse(robot, PKM_METHOD_ENGINE, N_BATCH, q, NULL, NULL, NULL, force,
                                  status, NULL) == PKM_OK;
    add(&s, pose, 7 * N_BATCH);
    add(&s, q, 3 * N_BATCH);
    add(&s, force, 3 * N_BATCH);
    return s;
}

typedef struct task {
    int thread;
    sum result[N_WORK];
} task;

/// Each with a robot of its own; the threads go through the list in opposite order, so that
/// different analyses meet.
static void* work(void* user)
{
    task* t = user;
    for (int i = 0; i < N_WORK; ++i) {
        const int k = t->thread ? N_WORK - 1 - i : i;
        pkm_robot* robot = NULL;
        if (pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &robot, NULL) == PKM_OK)
            t->result[k] = k < N_ANSWER    ? answer_of(robot, k)
                           : k == N_ANSWER ? steps(robot)
                                           : batches(robot);
        pkm_robot_free(robot);
    }
    return NULL;
}

static void two_threads_do_not_disturb_each_other(void)
{
    task alone = {.thread = 0}, together[N_THREAD] = {{.thread = 0}, {.thread = 1}};
    pthread_t thread[N_THREAD];
    work(&alone);
    for (int i = 0; i < N_THREAD; ++i)
        CHECK(pthread_create(&thread[i], NULL, work, &together[i]) == 0);
    for (int i = 0; i < N_THREAD; ++i)
        CHECK(pthread_join(thread[i], NULL) == 0);
    for (int k = 0; k < N_WORK; ++k) {
        if (!alone.result[k].is_done) printf("    work %d gave nothing\n", k);
        CHECK(alone.result[k].is_done);
        for (int i = 0; i < N_THREAD; ++i)
            CHECK(together[i].result[k].is_done &&
                  together[i].result[k].bits == alone.result[k].bits);
    }
}

int main(void)
{
    RUN(two_threads_do_not_disturb_each_other);
    return check_report();
}
