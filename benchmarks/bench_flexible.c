/// Flexible links on SIAX, six rods of eight modes and their static correction: the motion of
/// 0.2 s with the tolerance that a user gets, linear and with stiffening; and with clearance and
/// friction in all ball joints too (scenario 7 of the paper).
#include "bench.h"
#include "run/run.h"
#include "simulate/simulation.h"

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
    b->status |= pkm_run_complete(b->run, NULL);
    if (b->status == PKM_OK) {
        const double time = bench_time(simulate, b, 1), peak = b->peak;
        b->run->settings.tolerance = 1e-11;
        simulate(b, 0);
        bench_line(name, time, fabs(peak - b->peak), target);
    }
    pkm_run_free(b->run);
}

/// Damped as by Adams, as in the paper, or undamped. The error is that against a tolerance of 1e-7.
static void bench_all(bench* b, const char* name, const char* damping, double target)
{
    char text[200];
    snprintf(text, sizeof text,
             "{left: {elements: 8, modes: 8, damping: %s}, right: {elements: 8, modes: 8, damping: "
             "%s}}",
             damping, damping);
    b->status |= pkm_run_create(b->robot, &b->run, NULL);
    b->status |= pkm_run_set(b->run, "flexible", text, "flexible", NULL);
    b->status |= pkm_run_set(b->run, "clearance",
                             "{spherical: {radial: 0.1 mm, radius: 10 mm, law: "
                             "lankarani-nikravesh, restitution: 0.9, stiffness: 1.524e11, start: "
                             "centred}}",
                             "clearance", NULL);
    b->status |=
        pkm_run_set(b->run, "friction",
                    "{spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}}", "friction", NULL);
    b->status |= pkm_run_complete(b->run, NULL);
    if (b->status == PKM_OK) {
        const double time = bench_time_long(simulate, b), peak = b->peak;
        b->run->settings.tolerance = 1e-7;
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
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (0.2 s; 8 modes)", "elements: 8",
               0.2e9);
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (linear)",
               "elements: 8, stiffening: false", 0.0);
    bench_rods(&b, "pkm simulate SIAX with six flexible rods (damped)",
               "elements: 8, damping: adams", 0.0);
    bench_all(&b, "pkm simulate SIAX with flexible rods and clearance and friction (scenario 7)",
              "adams", 1.2e9);
    bench_all(&b, "pkm simulate SIAX scenario 7 without damping", "none", 4e9);
    pkm_robot_free(b.robot);
    return b.status == PKM_OK ? 0 : 1;
}
