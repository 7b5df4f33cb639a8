/// SIAX with 0.1 mm of clearance and contacts in one and in all twelve ball joints, the motion of
/// the paper, 0.2 s, at the default tolerance.
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
    pkm_sim_report report = {.stop = PKM_STOP_END_TIME};
    pkm_table* table = pkm_table_create();
    (void)k;
    b->status |= pkm_simulate(b->robot, &b->run->settings, table, &report, NULL);
    b->status |= pkm_table_evaluate(table, "absmax P.dp", &b->peak, NULL);
    if (report.stop != PKM_STOP_END_TIME) b->status = PKM_ERR_CONVERGENCE;
    pkm_table_free(table);
}

/// One line; the error [m] is that of the largest deviation against a tolerance of 1e-12. Impacts
/// are chaotic: it is a bound on what the tolerance does to a peak, not an order of convergence.
static void bench_joints(bench* b, const char* name, const char* joints, double target)
{
    char text[200];
    snprintf(text, sizeof text,
             "{%s: {radial: 0.1 mm, radius: 10 mm, law: lankarani-nikravesh, restitution: 0.9, "
             "stiffness: 1.524e11}}",
             joints);
    b->status |= pkm_run_create(b->robot, &b->run, NULL);
    b->status |= pkm_run_set(b->run, "clearance", text, "clearance", NULL);
    b->status |= pkm_run_complete(b->run, NULL);
    if (b->status == PKM_OK) {
        const double time = bench_time_long(simulate, b), peak = b->peak;
        b->run->settings.tolerance = 1e-12;
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
        fprintf(stderr, "bench_contact: %s\n", err.text);
        return 1;
    }
    bench_joints(&b, "pkm contact SIAX (0.2 s; 1 joint with clearance)", "A.left1", 0.1e9);
    bench_joints(&b, "pkm contact SIAX (0.2 s; 12 joints with clearance)", "spherical", 0.8e9);
    pkm_robot_free(b.robot);
    return b.status == PKM_OK ? 0 : 1;
}
