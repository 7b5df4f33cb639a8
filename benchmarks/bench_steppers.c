/// Work and precision of the steppers: time beside the largest distance of the tool from a
/// converged run, at several tolerances, for a flexible pendulum (a hinged rod of aluminium, 1 m
/// and 10 mm square, let go from the horizontal, 1 s) and SIAX with six flexible rods (0.2 s).
#include "bench.h"
#include "pendulum.h"
#include "run/run.h"
#include "simulate/simulation.h"
#include "tool_error.h"

#include <math.h>
#include <stdio.h>

static const char rods[] = "run: 1\nflexible: {left: {elements: 8}, right: {elements: 8}}\n";

/// A run, with its result and the converged one.
typedef struct bench {
    pkm_robot* robot;
    pkm_run* run;
    const char* tool;
    pkm_table *table, *exact;
    pkm_sim_report report;
    pkm_status status;
} bench;

static void simulate(void* user, int k)
{
    bench* b = user;
    (void)k;
    pkm_table_free(b->table);
    b->table = pkm_table_create();
    b->status |= pkm_simulate(b->robot, &b->run->settings, b->table, &b->report, NULL);
}

static void bench_with(bench* b, const char* what, pkm_integrator integrator, double tolerance,
                       double target)
{
    char name[120];
    b->run->settings.integrator = b->run->settings.when_stiff = integrator;
    b->run->settings.tolerance = tolerance;
    const double time = bench_time_long(simulate, b);
    snprintf(name, sizeof name, "pkm simulate %s (%s %.0e; %d evaluations)", what,
             pkm_integrator_name[integrator], tolerance, b->report.rates);
    bench_line(name, time, bench_tool_error(b->table, b->exact, b->tool), target);
}

static void bench_run(bench* b, const char* what, const char* text, double target)
{
    b->status |= pkm_run_create(b->robot, &b->run, NULL);
    b->status |= pkm_run_parse(b->run, text, "run", NULL);
    b->status |= pkm_run_complete(b->run, NULL);
    if (b->status != PKM_OK) return;
    b->run->settings.integrator = b->run->settings.when_stiff = PKM_INTEGRATOR_EXPLICIT;
    b->run->settings.tolerance = 1e-10;
    simulate(b, 0);
    b->exact = b->table;
    b->table = NULL;
    bench_with(b, what, PKM_INTEGRATOR_EXPLICIT, 1e-8, 0.0);
    bench_with(b, what, PKM_INTEGRATOR_SDIRK, 1e-5, target);
    bench_with(b, what, PKM_INTEGRATOR_SDIRK, 1e-6, 0.0);
    bench_with(b, what, PKM_INTEGRATOR_SDIRK, 1e-7, 0.0);
    bench_with(b, what, PKM_INTEGRATOR_SDIRK, 1e-8, 0.0);
    pkm_table_free(b->exact);
    pkm_table_free(b->table);
    b->table = b->exact = NULL;
    pkm_run_free(b->run);
    pkm_robot_free(b->robot);
}

int main(void)
{
    static bench b;
    pkm_error err = {0};
    b.tool = "B";
    b.status = pkm_robot_parse(PENDULUM, "pendulum", NULL, 0, &b.robot, &err);
    if (b.status == PKM_OK) bench_run(&b, "flexible pendulum 1 s", PENDULUM_RUN, 15e6);
    b.tool = "P";
    if (b.status == PKM_OK)
        b.status = pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &b.robot, &err);
    if (b.status == PKM_OK) bench_run(&b, "SIAX flexible rods 0.2 s", rods, 0.0);
    if (b.status != PKM_OK) fprintf(stderr, "bench_steppers: %s\n", err.text);
    return b.status == PKM_OK ? 0 : 1;
}
