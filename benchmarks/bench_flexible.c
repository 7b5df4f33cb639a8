/// Links that bend on SIAX, six rods of eight modes and their static correction: the motion of
/// 0.2 s with the tolerance that a user gets, linear and with stiffening.
#include "analysis/run.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>

typedef struct bench {
    pkm_robot* robot;
    pkm_run* run;
    double peak; ///< of the deviation of the tool [m]
    pkm_status status;
} bench;

static void simulate(void* user, int k)
{
    bench* b = user;
    pkm_sim_report report;
    pkm_table* table = pkm_table_create();
    (void)k;
    b->status |= pkm_simulate(b->robot, &b->run->settings, table, &report, NULL);
    b->status |= pkm_table_evaluate(table, "absmax P.dp", &b->peak, NULL);
    pkm_table_free(table);
}

/// One line; the error is that of the largest deviation against a run with a tolerance of 1e-11.
static void bench_rods(bench* b, const char* name, const char* settings, double target)
{
    char text[200];
    snprintf(text, sizeof text, "{left: {%s}, right: {%s}}", settings, settings);
    b->status |= pkm_run_create(b->robot, &b->run, NULL);
    b->status |= pkm_run_set(b->run, "flexible", text, "flexible", NULL);
    b->status |= pkm_run_complete(b->run, NULL, 0, NULL);
    if (b->status == PKM_OK) {
        const double time = bench_time(simulate, b, 1), peak = b->peak;
        b->run->settings.tolerance = 1e-11;
        simulate(b, 0);
        bench_line(name, time, fabs(peak - b->peak), target);
    }
    pkm_run_free(b->run);
}

int main(void)
{
    static bench b;
    pkm_error err = {0};
    b.status = pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &b.robot, &err);
    if (b.status != PKM_OK) {
        fprintf(stderr, "bench_flexible: %s\n", err.text);
        return 1;
    }
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (0.2 s; 8 modes)", "elements: 8", 1e9);
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (linear)",
               "elements: 8, stiffening: false", 1e9);
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (damped)",
               "elements: 8, damping: adams", 0.0);
    pkm_robot_free(b.robot);
    return b.status == PKM_OK ? 0 : 1;
}
