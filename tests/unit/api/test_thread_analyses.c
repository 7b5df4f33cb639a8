// All analyses in two threads at once, each with its own robot, give what one thread gives, bit for
// bit. Under ThreadSanitizer (make faults) they share nothing.
#include "clearance/envelope.h"
#include "clearance/seated.h"
#include "ked.h"
#include "linear/modes.h"
#include "linear/stiffness.h"
#include "pkm/pkm.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_ANALYSIS = 11, N_THREAD = 2 };

/// Numbers of one analysis: a sum that changes with any bit of any of them.
typedef struct sum {
    uint64_t bits;
    bool is_done;
} sum;

static void add(sum* s, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    s->bits = s->bits * 0x100000001b3u ^ bits;
}

static void add_table(sum* s, const pkm_table* table)
{
    for (int r = 0; r < pkm_table_n_row(table); ++r)
        for (int c = 0; c < pkm_table_n_column(table); ++c)
            add(s, pkm_table_get(table, r, c));
    s->is_done = pkm_table_n_row(table) > 0;
}

static sum simulate(pkm_robot* robot, const char* text)
{
    sum s = {0};
    sim_result r = sim_run(robot, text);
    if (r.status == PKM_OK) add_table(&s, r.table);
    sim_free(&r);
    return s;
}

static sum inverse(pkm_robot* robot)
{
    sum s = {0};
    pkm_table* table = pkm_table_create();
    if (pkm_inverse_run(robot, 0, NULL, table, NULL, NULL) == PKM_OK) add_table(&s, table);
    pkm_table_free(table);
    return s;
}

static sum elastodynamics(pkm_robot* robot)
{
    sum s = {0};
    ked_result r =
        ked_run(robot, "motion: paper\nfor: 4 ms\ninstants: 5\nflexible: {left: {elements: 2}}\n",
                pkm_ked_settings_defaults());
    if (r.sim.status == PKM_OK) add_table(&s, r.sim.table);
    sim_free(&r.sim);
    return s;
}

static sum modes(pkm_robot* robot)
{
    sum s = {0};
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_modes* found = NULL;
    pkm_stiffness stiffness;
    const pkm_vec3 pull = {1.0, 2.0, 3.0}, none = {0.0, 0.0, 0.0};
    if (pkm_run_create(robot, &run, NULL) == PKM_OK &&
        pkm_run_set(run, "flexible", "left: {elements: 2}", "flexible", NULL) == PKM_OK) {
        const pkm_elastic_settings settings = {.effects = &run->effects};
        if (pkm_modes_at(robot, &settings, 6, &elastic, &found, NULL) == PKM_OK) {
            for (int k = 0; k < 6; ++k)
                add(&s, found->omega[k]);
            s.is_done = pkm_stiffness_at(elastic, pull, none, &stiffness, NULL) == PKM_OK;
        }
    }
    pkm_modes_free(found);
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    return s;
}

static sum workspace(pkm_robot* robot)
{
    sum s = {0};
    pkm_workspace_plan plan;
    pkm_table* table = pkm_table_create();
    const pkm_workspace_grid grid = {{-0.2, -0.2, -1.0}, {0.2, 0.2, -1.0}, {7, 7, 1}};
    if (pkm_workspace_plan_make(robot, &plan, NULL) == PKM_OK &&
        pkm_workspace_plan_map(&plan, &grid, table, NULL, NULL) == PKM_OK)
        add_table(&s, table);
    pkm_table_free(table);
    return s;
}

static sum envelope(pkm_robot* robot)
{
    sum s = {0};
    pkm_run* run = NULL;
    pkm_error_set set;
    pkm_table* table = pkm_table_create();
    const pkm_envelope_settings settings = {.motion = 0, .n_instant = 3};
    if (pkm_run_create(robot, &run, NULL) == PKM_OK &&
        pkm_run_set(run, "clearance", "A.left1: {radial: 0.1 mm, fidelity: seated}", "clearance",
                    NULL) == PKM_OK &&
        pkm_error_set_create(robot, run->effects.clearance, run->effects.n_clearance, &set, NULL) ==
            PKM_OK) {
        pkm_envelope_report report;
        if (pkm_envelope_run(&set, &settings, table, &report, NULL) == PKM_OK) add_table(&s, table);
        pkm_error_set_free(&set);
    }
    pkm_table_free(table);
    pkm_run_free(run);
    return s;
}

static sum seated(pkm_robot* robot)
{
    sum s = {0};
    pkm_run* run = NULL;
    pkm_table* table = pkm_table_create();
    pkm_seated_report* report = calloc(1, sizeof *report);
    if (pkm_run_create(robot, &run, NULL) == PKM_OK &&
        pkm_run_parse(run,
                      "run: 1\nmotion: paper\ninstants: 5\nclearance: {spherical: {radial: 0.1 mm, "
                      "fidelity: seated}}\n",
                      "run.yaml", NULL) == PKM_OK &&
        pkm_run_complete(run, NULL) == PKM_OK &&
        pkm_seated_run(robot, &run->settings, run->effects.clearance, run->effects.n_clearance,
                       table, report, NULL) == PKM_OK)
        add_table(&s, table);
    free(report);
    pkm_table_free(table);
    pkm_run_free(run);
    return s;
}

static sum files(pkm_robot* robot, int thread)
{
    sum s = {0};
    char path[64];
    pkm_table* table = pkm_table_create();
    snprintf(path, sizeof path, "/tmp/pkm-threads-%d-%d.h5", (int)getpid(), thread);
    const pkm_inverse_settings defaults = pkm_inverse_settings_defaults();
    if (pkm_inverse_run(robot, 0, &defaults, table, NULL, NULL) == PKM_OK)
        s.is_done = pkm_hdf5_write(table, path, NULL, 0, NULL) == PKM_OK;
    pkm_table_free(table);
    remove(path);
    return s;
}

static sum analyse(pkm_robot* robot, int k, int thread)
{
    static const char* const text[] = {
        "motion: paper\nfor: 5 ms\ninstants: 6\n",
        "motion: paper\nfor: 2 ms\ninstants: 3\nfriction: {spherical: {static: 0.1, radius: 10 "
        "mm}}\n",
        "motion: paper\nfor: 1 ms\ninstants: 3\nflexible: {A.left: {elements: 2, modes: 2}}\n",
        "motion: paper\nfor: 1 ms\ninstants: 3\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 "
        "mm, "
        "stiffness: 1e10, restitution: 0.9}}\n"};
    switch (k) {
    case 4:
        return seated(robot);
    case 5:
        return inverse(robot);
    case 6:
        return elastodynamics(robot);
    case 7:
        return modes(robot);
    case 8:
        return workspace(robot);
    case 9:
        return envelope(robot);
    case 10:
        return files(robot, thread);
    default:
        return simulate(robot, text[k]);
    }
}

typedef struct task {
    int thread;
    sum result[N_ANALYSIS];
} task;

/// Each analysis with a robot of its own, since one begins where the last has ended. The threads go
/// through the list in opposite order, so that different analyses meet.
static void* work(void* user)
{
    task* t = user;
    for (int i = 0; i < N_ANALYSIS; ++i) {
        const int k = t->thread ? N_ANALYSIS - 1 - i : i;
        pkm_robot* robot = NULL;
        if (pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &robot, NULL) == PKM_OK)
            t->result[k] = analyse(robot, k, t->thread);
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
    for (int k = 0; k < N_ANALYSIS; ++k) {
        if (!alone.result[k].is_done) printf("    analysis %d gave nothing\n", k);
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
