// How runs end early: budgets, divergence; with their rows.
#include "simulate.h"

// Ten steps and no more, whatever the integrator.
static void a_budget_of_steps_is_kept(void)
{
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < PKM_N_INTEGRATOR; ++k) {
        char text[200];
        snprintf(text, sizeof text, "budget: {steps: 10}\nintegrator: %s\ninstants: 4001\n",
                 pkm_integrator_name[k]);
        sim_result run = sim_run(robot, text);
        CHECK(run.status == PKM_OK && run.report.stop == PKM_STOP_BUDGET);
        CHECK(run.report.steps == 10 &&
              pkm_status_exit_code(pkm_stop_status(run.report.stop)) == 5);
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
    CHECK(pkm_status_exit_code(pkm_stop_status(run.report.stop)) == 3);
    sim_free(&run);
    pkm_robot_free(robot);
}

/// Counts the questions and says no from the `n_yes`-th on.
typedef struct listener {
    int n_yes, n_asked;
} listener;

static bool answer(void* user, double fraction)
{
    listener* l = user;
    CHECK(fraction >= 0.0 && fraction <= 1.0);
    return ++l->n_asked <= l->n_yes;
}

static sim_result run_until(pkm_robot* robot, const char* text, listener* l)
{
    sim_result out = {.table = pkm_table_create()};
    pkm_run* run = NULL;
    CHECK(pkm_run_create(robot, &run, &out.err) == PKM_OK);
    CHECK(pkm_run_parse(run, text, "run.yaml", &out.err) == PKM_OK);
    CHECK(pkm_run_complete(run, &out.err) == PKM_OK);
    run->settings.progress = answer;
    run->settings.user = l;
    out.status = pkm_simulate(robot, &run->settings, out.table, &out.report, &out.err);
    pkm_run_free(run);
    return out;
}

// Between two questions there are at most 256 rows, those of the ideal motion and those inside one
// step too; after the answer no there are no more rows, and no more questions than one for each
// part of the work.
static void a_run_that_nobody_wants_ends_within_rows(void)
{
    enum { N = PKM_N_INTEGRATOR };
    pkm_robot* robot = engine_load("five-bar");
    for (int k = 0; k < 2 * N; ++k) {
        const int n_yes = k < N ? 3 : 240; // in the ideal motion (234 questions); in the run itself
        char text[200];
        listener l = {.n_yes = n_yes};
        snprintf(text, sizeof text, "run: 1\ninstants: 60001\nintegrator: %s\n",
                 pkm_integrator_name[k % N]);
        sim_result run = run_until(robot, text, &l);
        CHECK(run.status == PKM_OK && run.report.stop == PKM_STOP_INTERRUPTED);
        CHECK(l.n_asked > n_yes && l.n_asked <= n_yes + 2);
        CHECK(run.report.n_done >= 1 && run.report.n_done <= 256 * (l.n_asked - (k < N ? 0 : 234)));
        CHECK(run.report.n_done == pkm_table_n_row(run.table));
        CHECK(run.report.t_end <= run.report.t_stop);
        sim_free(&run);
    }
    pkm_robot_free(robot);
}

// The equilibrium of links and of journals at the start may take longer than all steps: budget and
// user are heard before each tangent of it.
static void the_start_listens(void)
{
    static const char* const text[] = {
        "motion: none\ndrives: locked\nfor: 1 ms\nflexible: {A.left: {modes: 2}}\n",
        "motion: none\ndrives: locked\nfor: 1 ms\nclearance: {A.left1: {radial: 0.1 mm, "
        "radius: 10 mm, stiffness: 1.5e11, start: equilibrium}}\n"};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        char whole[300];
        snprintf(whole, sizeof whole, "%sbudget: {time: 1e-9 s}\n", text[k]);
        sim_result run = sim_run(robot, whole);
        CHECK(run.status == PKM_ERR_BUDGET && pkm_table_n_row(run.table) == 0);
        CHECK_CONTAINS(run.err.text, "before the equilibrium of the start is found: the budget");
        sim_free(&run);
        listener never = {.n_yes = 0};
        snprintf(whole, sizeof whole, "run: 1\n%s", text[k]);
        run = run_until(robot, whole, &never);
        CHECK(run.status == PKM_ERR_INTERRUPTED && never.n_asked == 1);
        sim_free(&run);
    }
    pkm_robot_free(robot);
}

/// Rod A.left in n pieces on the way to its equilibrium, with so much patience.
static void start_in_pieces(pkm_robot* robot, int n, listener* l, pkm_status want)
{
    char text[200];
    snprintf(text, sizeof text,
             "run: 1\nmotion: none\ndrives: locked\nfor: 1e-12 s\ninstants: 2\n"
             "flexible: {A.left: {pieces: %d}}\n",
             n);
    sim_result run = run_until(robot, text, l);
    CHECK(run.status == want);
    if (want != PKM_OK)
        CHECK_CONTAINS(run.err.text, "before the equilibrium of the start is found");
    sim_free(&run);
}

// A tangent of links in many pieces takes seconds: it is heard after every 16 of its columns, of
// which a piece has 6 and its modes, and between its factors.
static void the_start_listens_within_a_tangent(void)
{
    pkm_robot* robot = engine_load("siax");
    listener few = {.n_yes = 1000000}, many = few;
    start_in_pieces(robot, 8, &few, PKM_OK);
    start_in_pieces(robot, 40, &many, PKM_OK);
    CHECK(many.n_asked >= few.n_asked + 32 * 6 / 16);
    for (int n = 1; n <= 12; ++n) {
        listener some = {.n_yes = n};
        start_in_pieces(robot, 40, &some, PKM_ERR_INTERRUPTED);
        CHECK(some.n_asked == n + 1);
    }
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_run_that_nobody_wants_ends_within_rows);
    RUN(a_budget_of_steps_is_kept);
    RUN(a_budget_of_time_is_kept);
    RUN(the_start_listens);
    RUN(the_start_listens_within_a_tangent);
    RUN(a_run_that_diverges_ends);
    return check_report();
}
