// The volume that a robot reaches, how evenly it moves there, and where it is best: a map on a box.
//
//     workspace robots/siax.yaml POINTS
#include <pkm/pkm.h>

#include <stdio.h>
#include <stdlib.h>

/// Map a box around all that is reachable, with about `n` points along its longest side.
static pkm_status map(pkm_robot* robot, int n, pkm_table* table, pkm_workspace_report* report,
                      pkm_error* err)
{
    pkm_workspace_plan plan; // how to map: in home's orientation and working mode
    pkm_workspace_grid grid;
    const pkm_vec3 home = pkm_robot_tool_home(robot).p;
    pkm_status status = pkm_workspace_plan_make(robot, &plan, err);
    if (status != PKM_OK) return status;
    const unsigned axes = pkm_workspace_plan_axes(&plan); // all along which the tool moves
    status = pkm_workspace_plan_grid(&plan, axes, home, n, &grid, err);
    if (status == PKM_OK) status = pkm_workspace_plan_map(&plan, &grid, table, report, err);
    return status;
}

/// The share of the reachable points whose condition number is below `limit`.
static double share_below(const pkm_table* table, double limit)
{
    const int reachable = pkm_table_find(table, "reachable");
    const int condition = pkm_table_find(table, "condition");
    int n = 0, good = 0;
    for (int r = 0; r < pkm_table_n_row(table); ++r) {
        if (pkm_table_get(table, r, reachable) == 0.0) continue;
        ++n;
        if (pkm_table_get(table, r, condition) < limit) ++good;
    }
    return n > 0 ? (double)good / n : 0.0;
}

int main(int argc, char** argv)
{
    pkm_robot* robot = NULL;
    pkm_table* table = pkm_table_create();
    pkm_workspace_report report;
    pkm_error err;
    pkm_status status =
        pkm_robot_load(argc > 1 ? argv[1] : "robots/siax.yaml", NULL, 0, &robot, &err);
    if (status == PKM_OK) status = map(robot, argc > 2 ? atoi(argv[2]) : 41, table, &report, &err);
    if (status == PKM_OK) {
        const pkm_vec3 best = report.best_position;
        printf("%.4g m%d +- %.2g reachable, %.0f %% of it with a condition number below 3\n",
               report.size, report.dimension, report.size_error, 100.0 * share_below(table, 3.0));
        printf("best %.4g at (%.3g, %.3g, %.3g) m\n", report.best_condition, best.x, best.y,
               best.z);
    }
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_table_free(table);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
