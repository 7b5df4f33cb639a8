/// Simulations in steps of 1 ms (pkm/simulation.h) beside the same run as a whole: SIAX with free
/// drives, and held by a controller that is a function of the run or closes its loop outside.
#include "bench.h"
#include "pkm/pkm.h"

#include <math.h>
#include <stdio.h>

enum { N_STEP = 200, MAX_COLUMN = 200 };

typedef struct task {
    pkm_robot* robot;
    pkm_run* run;
    bool controls;
    double row[MAX_COLUMN];
    int failed;
} task;

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

static void whole(void* user, int k)
{
    task* t = user;
    pkm_answer* answer = NULL;
    (void)k;
    t->failed += pkm_run_simulate(t->robot, t->run, &answer, NULL) != PKM_OK;
    pkm_answer_free(answer);
}

static void in_steps(void* user, int k)
{
    task* t = user;
    pkm_simulation* sim = NULL;
    pkm_instant now;
    double force[PKM_MAX_DRIVE];
    (void)k;
    pkm_status status = pkm_simulation_create(t->robot, t->run, &sim, NULL);
    for (int i = 0; i < N_STEP && status == PKM_OK; ++i) {
        if (t->controls) status = pkm_simulation_get(sim, &now, NULL);
        if (t->controls) hold(&now, force);
        if (t->controls) status |= pkm_simulation_set_forces(sim, force, NULL);
        if (status == PKM_OK) status = pkm_simulation_step(sim, 1e-3, NULL);
        if (status == PKM_OK) status = pkm_simulation_read(sim, t->row, NULL);
    }
    t->failed += status != PKM_OK;
    pkm_simulation_free(sim);
}

static pkm_status open_run(task* t, const char* text)
{
    pkm_status status = pkm_run_create(t->robot, &t->run, NULL);
    return status == PKM_OK ? pkm_run_parse(t->run, text, "bench", NULL) : status;
}

/// Both lines of a run, per millisecond; that in steps may take 5 % more.
static void compare(task* t, const char* text, const char* what)
{
    char name[80];
    double ns[2] = {NAN, NAN};
    for (int k = 0; k < 2; ++k) {
        t->failed += open_run(t, text) != PKM_OK;
        if (t->controls && k == 0)
            t->failed += pkm_run_set_controller(t->run, 1e-3, control, NULL, NULL) != PKM_OK;
        ns[k] = bench_time(k == 0 ? whole : in_steps, t, 1) / N_STEP;
        snprintf(name, sizeof name, "pkm SIAX %s: 1 ms %s", what,
                 k == 0 ? "of a run" : "as a step");
        bench_line(name, ns[k], NAN, k == 0 ? 0.0 : 1.05 * ns[0]);
        pkm_run_free(t->run);
    }
}

int main(void)
{
    static task t;
    if (pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &t.robot, NULL) != PKM_OK)
        return 1;
    compare(&t, "run: 1\nmotion: none\nfor: 200 ms\ndrives: free\ninstants: 201\n", "falling");
    t.controls = true;
    compare(&t, "run: 1\nmotion: none\nfor: 200 ms\ndrives: free\ninstants: 201\n", "controlled");
    pkm_robot_free(t.robot);
    if (t.failed > 0) fprintf(stderr, "bench_stepping: %d calls failed\n", t.failed);
    return t.failed > 0;
}
