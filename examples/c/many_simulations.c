// A thousand simulations on two threads: how far the tool falls while the drives are without force,
// over the mass that it carries. Threads share the run; each loads robots of its own.
//
//     many_simulations robots/siax.yaml m5 [N]
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

typedef struct share {
    const char *path, *parameter;
    const pkm_run* run;
    int first, n, step;
    double* fall; ///< [n]; NaN: failed
} share;

static double fall_with(const share* s, double mass)
{
    char value[32];
    double fall = NAN;
    pkm_robot* robot = NULL;
    pkm_answer* answer = NULL;
    snprintf(value, sizeof value, "%.9g kg", mass);
    const pkm_override set = {s->parameter, value};
    if (pkm_robot_load(s->path, &set, 1, &robot, NULL) == PKM_OK &&
        pkm_run_simulate(robot, s->run, &answer, NULL) == PKM_OK) {
        const pkm_table* rows = pkm_answer_table(answer, "rows");
        fall = -pkm_table_reduce(rows, pkm_table_find(rows, "P.z"), PKM_REDUCE_CHANGE, NULL);
    }
    pkm_answer_free(answer);
    pkm_robot_free(robot);
    return fall;
}

static int work(void* user)
{
    const share* s = user;
    for (int i = s->first; i < s->n; i += s->step)
        s->fall[i] = fall_with(s, 0.5 + 9.5 * i / (s->n - 1));
    return 0;
}

int main(int argc, char** argv)
{
    enum { THREADS = 2 };
    share s = {.path = argc > 1 ? argv[1] : "robots/siax.yaml",
               .parameter = argc > 2 ? argv[2] : "m5",
               .n = argc > 3 ? atoi(argv[3]) : 1000,
               .step = THREADS};
    static const char text[] = "run: 1\nmotion: none\nfor: 50 ms\ninstants: 2\ndrives: free\n";
    pkm_robot* robot = NULL;
    pkm_run* run = NULL;
    pkm_error err;
    pkm_status status = pkm_robot_load(s.path, NULL, 0, &robot, &err);
    if (status == PKM_OK) status = pkm_run_create(robot, &run, &err);
    if (status == PKM_OK) status = pkm_run_parse(run, text, "fall", &err);
    s.run = run;
    s.fall = calloc((size_t)s.n, sizeof(double));
    share part[THREADS];
    thrd_t thread[THREADS];
    for (int k = 0; k < THREADS && status == PKM_OK && s.fall; ++k) {
        part[k] = s;
        part[k].first = k;
        if (thrd_create(&thread[k], work, &part[k]) != thrd_success) return 1;
    }
    for (int k = 0; k < THREADS && status == PKM_OK && s.fall; ++k)
        thrd_join(thread[k], NULL);
    if (status == PKM_OK && s.fall)
        printf("%d simulations: falls by %.4f mm with 0.5 kg, %.4f mm with 10 kg\n", s.n,
               1e3 * s.fall[0], 1e3 * s.fall[s.n - 1]);
    free(s.fall);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
