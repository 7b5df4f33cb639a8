// How runs end early: budgets, divergence; with their rows.
#include "simulate.h"

// Ten steps and no more, whatever the integrator.
static void a_budget_of_steps_is_kept(void)
{
    static const char* const integrator[] = {"explicit", "bdf", "galpha", "ida"};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 4; ++k) {
        char text[200];
        snprintf(text, sizeof text, "budget: {steps: 10}\nintegrator: %s\ninstants: 4001\n",
                 integrator[k]);
        sim_result run = sim_run(robot, text);
        CHECK(run.status == PKM_OK && run.report.stop == PKM_STOP_BUDGET);
        CHECK(run.report.steps == 10 && pkm_stop_exit_code(run.report.stop) == 5);
        CHECK(run.report.n_done >= 1 && run.report.n_done == pkm_table_n_row(run.table));
        CHECK(run.report.t_end <= run.report.t_stop);
        sim_free(&run);
    }
    pkm_robot_free(robot);
}

static void a_budget_of_time_is_kept(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result run = sim_run(robot, "budget: {time: 1 ms}\nmotion: none\ndrives: free\n"
                                    "for: 0.3 s\nmax_step: 1e-6 s\n");
    CHECK(run.status == PKM_OK && run.report.stop == PKM_STOP_BUDGET && run.report.n_done >= 1);
    sim_free(&run);
    pkm_robot_free(robot);
}

static void a_run_that_diverges_ends(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result run = sim_run(robot, "drives: {'*': {force: 1e9 N*m}}\nfor: 1 s\n");
    CHECK(run.status == PKM_OK && run.report.stop == PKM_STOP_DIVERGED);
    CHECK(pkm_stop_exit_code(run.report.stop) == 3);
    sim_free(&run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_budget_of_steps_is_kept);
    RUN(a_budget_of_time_is_kept);
    RUN(a_run_that_diverges_ends);
    return check_report();
}
