/// Runs of inverse dynamics: what a row may take from others, and what it may not.
#include "engine.h"
#include "pkm/inverse.h"

#include <math.h>

static pkm_table* run(pkm_robot* robot, pkm_method method)
{
    pkm_table* table = pkm_table_create();
    const pkm_inverse_settings settings = {.method = method, .n_instant = 101};
    pkm_error err = {0};
    if (pkm_inverse_run(robot, 0, &settings, table, NULL, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(pkm_table_n_row(table) == 101);
    return table;
}

/// Rows at which peaks were located whose value of a column is not between those of the rows beside
/// them.
static int count_strange(const pkm_table* table, const char* column)
{
    const int c = pkm_table_find(table, column), n = pkm_table_n_row(table);
    int strange = 0;
    for (int k = 0; k < pkm_table_n_located(table); ++k) {
        const double t = pkm_table_get(table, n + k, 0), x = pkm_table_get(table, n + k, c);
        int i = 0;
        while (i + 2 < n && pkm_table_get(table, i + 1, 0) < t)
            ++i;
        const double a = pkm_table_get(table, i, c), b = pkm_table_get(table, i + 1, c);
        strange += !(x > 0.98 * fmin(a, b) && x < 1.02 * fmax(a, b));
    }
    return strange;
}

// The estimate of the distance takes its derivatives from a sample nearby: where a peak is, it goes
// on from there, not from the end of the run.
static void located_rows_are_as_near_to_singularities_as_their_neighbours(void)
{
    static const char* const name[] = {"siax", "five-bar", "gough-stewart", "planar-3rrr"};
    int n_located = 0;
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        for (int by = 0; robot && by < (robot->closed ? 2 : 1); ++by) {
            pkm_table* table = run(robot, by == 0 ? PKM_METHOD_ENGINE : PKM_METHOD_CLOSED);
            CHECK(count_strange(table, "condition") == 0);
            CHECK(count_strange(table, "singularity") == 0);
            n_located += pkm_table_n_located(table);
            pkm_table_free(table);
        }
        pkm_robot_free(robot);
    }
    CHECK(n_located > 20);
}

// A run without loads does not ask for them at every row; what somebody has left on the bodies is
// no load of the run.
static void loads_of_others_do_not_stay(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_table* clean = run(robot, PKM_METHOD_ENGINE);
    for (int i = 1; i < robot->mech->n_body; ++i)
        robot->state->load[i].force = (pkm_vec3){3.0, 5.0, 0.0};
    pkm_table* left = run(robot, PKM_METHOD_ENGINE);
    for (int c = 0; c < pkm_table_n_column(clean); ++c)
        for (int i = 0; i < pkm_table_n_row(clean); i += 20)
            CHECK_NEAR(pkm_table_get(left, i, c), pkm_table_get(clean, i, c), 0.0);
    pkm_table_free(clean);
    pkm_table_free(left);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(located_rows_are_as_near_to_singularities_as_their_neighbours);
    RUN(loads_of_others_do_not_stay);
    return check_report();
}
