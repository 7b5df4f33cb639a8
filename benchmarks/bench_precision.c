/// Work and precision: for six runs, every integrator at several tolerances, the time of the steps
/// (with rows, without preparation) beside the largest distance of the tool from a converged run.
/// Prints lines `run, integrator, tolerance, seconds, metres, evaluations, default`, which
/// precision.py draws.
#include "base/error.h"
#include "bench.h"
#include "precision_runs.h"
#include "run/run.h"
#include "simulate/simulation_impl.h"
#include "tool_error.h"

#include <math.h>
#include <stdio.h>

enum { MAX_TOLERANCE = 6 };
static const double LONG = 1.0;           // [s]
static const double MOST_STEPS = 60000.0; // of one run: beyond it a setting is left out

/// A way to run it: an integrator and its tolerances, up to the first 0.
typedef struct way {
    pkm_integrator integrator;
    double tolerance[MAX_TOLERANCE];
} way;

/// Of each of precision_runs.
typedef struct run_case {
    pkm_integrator exact; ///< of the converged run
    double exact_tolerance;
    way way[4];
} run_case;

static const run_case cases[N_PRECISION_RUN] = {
    {PKM_INTEGRATOR_EXPLICIT,
     1e-13,
     {{PKM_INTEGRATOR_EXPLICIT, {1e-3, 1e-4, 1e-6, 1e-8, 1e-10}},
      {PKM_INTEGRATOR_SDIRK, {1e-4, 1e-6, 1e-8, 1e-10}},
      {PKM_INTEGRATOR_BDF, {1e-4, 1e-6, 1e-8, 1e-10}},
      {PKM_INTEGRATOR_IDA, {1e-4, 1e-6, 1e-8, 1e-10}}}},
    {PKM_INTEGRATOR_EXPLICIT,
     1e-10,
     {{PKM_INTEGRATOR_EXPLICIT, {1e-5, 1e-8}},
      {PKM_INTEGRATOR_SDIRK, {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}},
      {PKM_INTEGRATOR_BDF, {1e-4, 1e-6}},
      {PKM_INTEGRATOR_IDA, {1e-4, 1e-6}}}},
    {PKM_INTEGRATOR_EXPLICIT,
     1e-10,
     {{PKM_INTEGRATOR_EXPLICIT, {1e-4, 1e-6, 1e-8}},
      {PKM_INTEGRATOR_SDIRK, {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}},
      {PKM_INTEGRATOR_BDF, {1e-4, 1e-6}}}},
    {PKM_INTEGRATOR_EXPLICIT,
     1e-10,
     {{PKM_INTEGRATOR_EXPLICIT, {1e-4, 1e-5, 1e-6, 1e-8}},
      {PKM_INTEGRATOR_SDIRK, {1e-4, 1e-5, 1e-6, 1e-8}},
      {PKM_INTEGRATOR_BDF, {1e-4, 1e-5, 1e-6, 1e-8}}}}, // IDA takes minutes
    {PKM_INTEGRATOR_SDIRK,
     1e-10,
     {{PKM_INTEGRATOR_SDIRK, {1e-7, 3e-8, 1e-8}}, // looser ones are tightened: friction rests
      {PKM_INTEGRATOR_BDF, {1e-8, 1e-9, 1e-10, 1e-11}},
      {PKM_INTEGRATOR_EXPLICIT, {1e-8}}}},
    {PKM_INTEGRATOR_BDF,
     1e-8,
     {{PKM_INTEGRATOR_SDIRK, {1e-3, 1e-4, 1e-5}},
      {PKM_INTEGRATOR_BDF, {1e-4, 3e-5, 1e-5, 1e-6, 1e-7}}}},
};

/// A case at work.
typedef struct bench {
    const precision_run* what;
    const run_case* ways;
    pkm_robot* robot;
    pkm_run* run;
    pkm_table *table, *exact;
    double time; ///< of the steps of the last run [s]
    pkm_sim_report report;
    pkm_error err;
} bench;

static pkm_status simulate(bench* b)
{
    pkm_sim_settings complete;
    pkm_sim s;
    pkm_table_free(b->table);
    b->table = pkm_table_create();
    b->report = (pkm_sim_report){.stop = PKM_STOP_END_TIME, .t_change = NAN};
    PKM_TRY(pkm_sim_open(b->robot, &b->run->settings, &complete, &s, &b->err));
    pkm_status status = pkm_sim_prepare(&s, b->table, &b->err);
    const double start = bench_processor_time();
    if (status == PKM_OK) status = pkm_sim_run(&s, b->table, &b->report, &b->err);
    b->time = 1e-9 * (bench_processor_time() - start);
    pkm_sim_release(&s);
    return status == PKM_OK && b->report.stop != PKM_STOP_END_TIME ? PKM_ERR_CONVERGENCE : status;
}

static void choose(bench* b, pkm_integrator integrator, double tolerance)
{
    b->run->settings.integrator = b->run->settings.when_stiff = integrator;
    b->run->settings.tolerance = tolerance;
}

/// The better of two runs, or one that is long; a run that takes too many steps, or ends early,
/// leaves no line.
static void run_once(bench* b, const char* mark)
{
    if (simulate(b) != PKM_OK) return;
    const double first = b->time, error = bench_tool_error(b->table, b->exact, b->what->tool);
    if (first < LONG && simulate(b) != PKM_OK) return;
    printf("%s, %s, %.0e, %.6g, %.3e, %d, %s\n", b->what->name,
           pkm_integrator_name[b->report.integrator], b->report.tolerance, fmin(first, b->time),
           error, b->report.rates, mark);
    fflush(stdout);
}

/// What a user gets, then all others.
static void run_ways(bench* b)
{
    const pkm_sim_settings chosen = b->run->settings;
    choose(b, b->ways->exact, b->ways->exact_tolerance);
    if (simulate(b) != PKM_OK) return;
    b->exact = b->table;
    b->table = NULL;
    b->run->settings = chosen;
    b->run->settings.budget_steps = MOST_STEPS;
    run_once(b, "default");
    for (int w = 0; w < 4; ++w)
        for (int k = 0; k < MAX_TOLERANCE && b->ways->way[w].tolerance[k] > 0.0; ++k) {
            choose(b, b->ways->way[w].integrator, b->ways->way[w].tolerance[k]);
            run_once(b, "");
        }
}

static pkm_status run_case_of(int k)
{
    char path[300];
    const precision_run* what = &precision_runs[k];
    bench b = {.what = what, .ways = &cases[k]};
    snprintf(path, sizeof path, PKM_SOURCE_DIR "/robots/%s.yaml", what->robot ? what->robot : "");
    pkm_status status = what->robot
                            ? pkm_robot_load(path, NULL, 0, &b.robot, &b.err)
                            : pkm_robot_parse(PENDULUM, "pendulum", NULL, 0, &b.robot, &b.err);
    if (status == PKM_OK) status = pkm_run_create(b.robot, &b.run, &b.err);
    if (status == PKM_OK) status = pkm_run_parse(b.run, what->text, "run", &b.err);
    if (status == PKM_OK) status = pkm_run_complete(b.run, &b.err);
    if (status == PKM_OK) run_ways(&b);
    if (status == PKM_OK && !b.exact) status = PKM_ERR_CONVERGENCE;
    if (status != PKM_OK) fprintf(stderr, "bench_precision: %s: %s\n", what->name, b.err.text);
    pkm_table_free(b.exact);
    pkm_table_free(b.table);
    pkm_run_free(b.run);
    pkm_robot_free(b.robot);
    return status;
}

/// All runs, or those whose numbers are given.
int main(int argc, char** argv)
{
    pkm_status status = PKM_OK;
    for (int k = 0; k < N_PRECISION_RUN; ++k) {
        bool asked = argc == 1;
        for (int i = 1; i < argc; ++i)
            asked = asked || argv[i][0] == '1' + k;
        if (asked) status |= run_case_of(k);
    }
    return status == PKM_OK ? 0 : 1;
}
