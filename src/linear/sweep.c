// The tool over the points of a grid, row by row and back again, so that each point is near to the
// one before; points that are out of reach or singular keep their zeros.
#include "linear/sweep.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/continuation.h"

enum { HALVINGS = 4 }; // of steps that Newton does not follow: points of a grid are near each other

/// Lead the tool to p, from where it is or from home. A closed form knows at once what is out of
/// reach.
static bool reach(pkm_robot* robot, pkm_vec3 p)
{
    pkm_target target = {.tool.pose = {p, robot->tool_home.q}};
    double beyond;
    if (robot->closed) {
        pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
        if (pkm_closed_inverse_geometry(robot->closed, &target.tool.pose, config,
                                        PKM_CLOSED_MAX_BRANCH, &beyond) == 0)
            return false;
    }
    if (pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, HALVINGS) == PKM_OK) return true;
    // far away, or beyond a hole: from home, with more halvings
    pkm_robot_go_home(robot);
    return pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, 2 * HALVINGS) == PKM_OK;
}

/// Points are visited like a plough, so that the next one is near, and written in their order.
static int ploughed(const pkm_workspace_grid* grid, int k)
{
    const int nx = grid->n[0], ny = grid->n[1];
    int x = k % nx, y = k / nx % ny;
    const int z = k / nx / ny;
    if (z % 2) y = ny - 1 - y;
    if ((z * ny + y) % 2) x = nx - 1 - x;
    return (z * ny + y) * nx + x;
}

static pkm_status point_row(const pkm_sweep* s, pkm_vec3 p, double* row, pkm_error* err)
{
    row[0] = p.x;
    row[1] = p.y;
    row[2] = p.z;
    if (!reach(s->robot, p)) return PKM_OK;
    row[3] = 1.0;
    const pkm_status status = s->fill(s->user, row, err);
    return status == PKM_ERR_SINGULAR ? PKM_OK : status;
}

static pkm_status fill_all(const pkm_sweep* s, int n_point, int n_column, double* value,
                           pkm_error* err)
{
    for (int k = 0; k < n_point; ++k) {
        const int at = ploughed(s->grid, k);
        PKM_TRY(point_row(s, pkm_workspace_grid_point(s->grid, at),
                          value + (size_t)at * (size_t)n_column, err));
        if (s->progress && !s->progress(s->progress_user, (double)(k + 1) / n_point))
            return PKM_OK; // the rest counts as not reached
    }
    return PKM_OK;
}

static pkm_status write_all(pkm_table* table, int n_point, int n_column, const double* value,
                            pkm_error* err)
{
    for (int k = 0; k < n_point; ++k) {
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        for (int c = 0; c < n_column; ++c)
            row[c] = value[(size_t)k * (size_t)n_column + (size_t)c];
    }
    return PKM_OK;
}

pkm_status pkm_sweep_run(const pkm_sweep* s, pkm_table* table, pkm_error* err)
{
    const int n_point = s->grid->n[0] * s->grid->n[1] * s->grid->n[2];
    const int n_column = pkm_table_n_column(table);
    PKM_TRY(pkm_robot_require_tool(s->robot, err));
    double* value = pkm_alloc((size_t)n_point * (size_t)n_column, sizeof *value);
    if (!value) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_status status = fill_all(s, n_point, n_column, value, err);
    if (status == PKM_OK) status = write_all(table, n_point, n_column, value, err);
    pkm_free(value);
    // wherever the last point has left it
    pkm_robot_go_home(s->robot);
    return status;
}
