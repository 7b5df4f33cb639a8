/// Threads with a robot each get what one thread alone gets, bit for bit.
#include "unit/api/load.h"

#include <pthread.h>

enum { N_THREAD = 4, N_ROUND = 3, N_NAME = 4 };

/// What one thread does: load, run, sum up.
typedef struct task {
    int first; ///< which robot to begin with
    double peak[N_NAME];
    bool fine;
} task;

static const char* const names[N_NAME] = {"siax", "isoglide4", "gough-stewart", "five-bar"};

/// Largest magnitude of all the forces along the robot's first motion; NaN after a failure.
static double largest_force(const char* path)
{
    pkm_robot* robot = NULL;
    pkm_table* table = pkm_table_create();
    double largest = NAN;
    if (pkm_robot_load(path, NULL, 0, &robot, NULL) == PKM_OK &&
        pkm_inverse_run(robot, 0, NULL, table, NULL, NULL) == PKM_OK) {
        largest = 0.0;
        for (int c = 0; c < pkm_table_n_column(table); ++c)
            if (strstr(pkm_table_name(table, c), ".force"))
                largest = fmax(largest, pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, NULL));
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
    return largest;
}

static void* work(void* user)
{
    task* t = user;
    t->fine = true;
    for (int round = 0; round < N_ROUND; ++round)
        for (int k = 0; k < N_NAME; ++k) {
            const int i = (t->first + k) % N_NAME;
            char path[512];
            snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, names[i]);
            const double peak = largest_force(path);
            t->fine = t->fine && (round == 0 || peak == t->peak[i]);
            t->peak[i] = peak;
        }
    return NULL;
}

static void threads_do_not_disturb_each_other(void)
{
    task alone = {.first = 0}, together[N_THREAD];
    pthread_t thread[N_THREAD];
    work(&alone);
    CHECK(alone.fine);
    for (int i = 0; i < N_THREAD; ++i) {
        together[i] = (task){.first = i};
        CHECK(pthread_create(&thread[i], NULL, work, &together[i]) == 0);
    }
    for (int i = 0; i < N_THREAD; ++i) {
        CHECK(pthread_join(thread[i], NULL) == 0);
        CHECK(together[i].fine);
        for (int k = 0; k < N_NAME; ++k)
            CHECK(together[i].peak[k] == alone.peak[k] && alone.peak[k] > 0.0);
    }
}

int main(void)
{
    RUN(threads_do_not_disturb_each_other);
    return check_report();
}
