// What the six runs of work and precision cost as a user writes them, in counts, which other work
// on the machine does not move: steps, evaluations, set-ups of the implicit methods, allocations
// within the steps. Times stand in docs/reference/benchmarks.md.
#include "../../benchmarks/precision_runs.h"

#include "base/memory.h" // to count allocations
#include "engine.h"
#include "run/run.h"
#include "simulate/simulation_impl.h"

#include <math.h>

/// What a run may take: what was counted and a tenth more. Runs with contact differ by a few
/// hundredths with the processor, since rounding does.
typedef struct most {
    const char* more; ///< over the run; NULL: as a user gets it
    pkm_integrator integrator;
    int steps, rates, factors;
} most;

static const most at_most[N_PRECISION_RUN] = {
    {NULL, PKM_INTEGRATOR_EXPLICIT, 58, 1100, 0},
    // the default of a rod that swings, 1e-10, takes a second for its vibrations
    {"run: 1\nintegrator: sdirk\ntolerance: 1e-5\n", PKM_INTEGRATOR_SDIRK, 215, 4000, 155},
    {NULL, PKM_INTEGRATOR_EXPLICIT, 930, 13000, 0},
    {NULL, PKM_INTEGRATOR_EXPLICIT, 1720, 29000, 0},
    {NULL, PKM_INTEGRATOR_BDF, 1200, 1890, 475},
    {NULL, PKM_INTEGRATOR_BDF, 880, 1210, 280},
};

static pkm_robot* robot_of(const precision_run* what)
{
    return what->robot ? engine_load(what->robot) : engine_from(PENDULUM);
}

/// Run it; its report, and the allocations from the first step to the last.
static size_t count(const precision_run* what, const char* more, pkm_sim_report* report)
{
    pkm_sim s;
    pkm_sim_settings complete;
    pkm_error err = {0};
    pkm_run* run = NULL;
    pkm_robot* robot = robot_of(what);
    pkm_table* table = pkm_table_create();
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_parse(run, what->text, "run", &err) == PKM_OK);
    CHECK(!more || pkm_run_parse(run, more, "more", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    CHECK(pkm_sim_open(robot, &run->settings, &complete, &s, &err) == PKM_OK);
    CHECK(pkm_sim_prepare(&s, table, &err) == PKM_OK);
    *report = (pkm_sim_report){.stop = PKM_STOP_END_TIME, .t_change = NAN};
    const size_t before = pkm_alloc_count();
    CHECK(pkm_sim_run(&s, table, report, &err) == PKM_OK);
    const size_t after = pkm_alloc_count();
    CHECK(report->stop == PKM_STOP_END_TIME);
    pkm_sim_release(&s);
    pkm_table_free(table);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return after - before;
}

static void no_run_takes_more_work_than_it_took(void)
{
    for (int k = 0; k < N_PRECISION_RUN; ++k) {
        pkm_sim_report r;
        const most* m = &at_most[k];
        const size_t n_alloc = count(&precision_runs[k], m->more, &r);
        printf("    %s: %s, %d steps, %d evaluations, %d set-ups, %zu allocations\n",
               precision_runs[k].name, pkm_integrator_name[r.integrator], r.steps, r.rates,
               r.factors, n_alloc);
        CHECK(r.integrator == m->integrator);
        CHECK(r.steps > 0 && r.steps <= m->steps);
        CHECK(r.rates > 0 && r.rates <= m->rates);
        CHECK(r.factors <= m->factors && (r.factors > 0) == (m->factors > 0));
        CHECK(n_alloc == 0); // also where rows of loops are chosen anew on the way
    }
}

int main(void)
{
    RUN(no_run_takes_more_work_than_it_took);
    return check_report();
}
