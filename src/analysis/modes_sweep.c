#include "analysis/modes_sweep.h"

#include "analysis/follow.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>

static const double TWO_PI = 6.283185307179586477;

/// The model of a sweep and its table.
typedef struct sweep_work {
    const pkm_modes_sweep* sweep;
    pkm_robot* robot;
    pkm_elastic* elastic;
    pkm_modes* modes;
    pkm_table* table;
    int first; ///< column of f1
} sweep_work;

static pkm_status begin(sweep_work* w, const char* const* column, const char* const* unit, int n,
                        pkm_error* err)
{
    pkm_elastic_settings settings = w->sweep->elastic;
    settings.is_reduced = true;
    PKM_TRY(pkm_elastic_create(w->robot, &settings, &w->elastic, err));
    bool is_there = pkm_modes_create(w->elastic, w->sweep->n_mode, &w->modes) == PKM_OK;
    for (int k = 0; k < n && is_there; ++k)
        is_there = pkm_table_add_column(w->table, column[k], unit[k]) != PKM_NONE;
    w->first = n;
    for (int k = 0; k < w->sweep->n_mode && is_there; ++k) {
        char name[16];
        snprintf(name, sizeof name, "f%d", k + 1);
        is_there = pkm_table_add_column(w->table, name, "Hz") != PKM_NONE;
    }
    return is_there ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static void end(sweep_work* w)
{
    pkm_modes_free(w->modes);
    pkm_elastic_free(w->elastic);
}

/// Frequencies where the robot stands; those that are not there stay 0.
static pkm_status add_frequencies(sweep_work* w, double* row, pkm_error* err)
{
    PKM_TRY(pkm_elastic_place(w->elastic, w->robot->state, err));
    PKM_TRY(pkm_modes_frequencies(w->elastic, w->modes, err));
    for (int k = 0; k < w->modes->n_mode; ++k)
        row[w->first + k] = w->modes->omega[k] / TWO_PI;
    return PKM_OK;
}

static double* append(sweep_work* w, pkm_error* err)
{
    double* row = pkm_table_append(w->table);
    if (!row) (void)pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return row;
}

static bool goes_on(const sweep_work* w, int done, int of)
{
    const pkm_modes_sweep* s = w->sweep;
    return !s->progress || s->progress(s->user, (double)done / of);
}

// ---- along a motion ---------------------------------------------------------------------------

static pkm_status instant_row(sweep_work* w, double t, pkm_error* err)
{
    double* row = append(w, err);
    if (!row) return PKM_ERR_MEMORY;
    row[0] = t;
    if (w->robot->mech->tool != PKM_NONE) {
        const pkm_vec3 p = pkm_state_marker_pose(w->robot->state, w->robot->mech->tool).p;
        row[1] = p.x;
        row[2] = p.y;
        row[3] = p.z;
    }
    return add_frequencies(w, row, err);
}

pkm_status pkm_modes_along(pkm_robot* robot, const pkm_modes_sweep* sweep, const pkm_motion* motion,
                           int n_instant, pkm_table* table, pkm_error* err)
{
    static const char* const column[] = {"t", "x", "y", "z"};
    static const char* const unit[] = {"s", "m", "m", "m"};
    sweep_work w = {.sweep = sweep, .robot = robot, .table = table};
    pkm_follower follower;
    pkm_status status = pkm_follow_begin(robot, motion, &follower, err);
    if (status == PKM_OK) status = begin(&w, column, unit, 4, err);
    for (int i = 0; i < n_instant && status == PKM_OK; ++i) {
        const double t = pkm_motion_duration(motion) * i / (n_instant - 1);
        status = pkm_follow_to(&follower, t, err);
        if (status == PKM_OK) status = instant_row(&w, t, err);
        if (!goes_on(&w, i + 1, n_instant)) break;
    }
    end(&w);
    return status;
}

// ---- over a grid ------------------------------------------------------------------------------

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
    if (pkm_follow_straight(robot, PKM_MODE_TOOL, &target, HALVINGS) == PKM_OK) return true;
    pkm_robot_go_home(robot);
    return pkm_follow_straight(robot, PKM_MODE_TOOL, &target, 2 * HALVINGS) == PKM_OK;
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

static pkm_status grid_row(sweep_work* w, pkm_vec3 p, double* row, pkm_error* err)
{
    row[0] = p.x;
    row[1] = p.y;
    row[2] = p.z;
    if (!reach(w->robot, p)) return PKM_OK;
    row[3] = 1.0;
    const pkm_status status = add_frequencies(w, row, err);
    return status == PKM_ERR_SINGULAR ? PKM_OK : status;
}

static pkm_status fill_grid(sweep_work* w, const pkm_workspace_grid* grid, int n_point,
                            double* value, pkm_error* err)
{
    const int n_column = w->first + w->sweep->n_mode;
    for (int k = 0; k < n_point; ++k) {
        const int at = ploughed(grid, k);
        PKM_TRY(grid_row(w, pkm_workspace_grid_point(grid, at),
                         value + (size_t)at * (size_t)n_column, err));
        if (!goes_on(w, k + 1, n_point)) return PKM_OK; // the rest counts as not reached
    }
    return PKM_OK;
}

static pkm_status write_grid(sweep_work* w, int n_point, const double* value, pkm_error* err)
{
    const int n_column = w->first + w->sweep->n_mode;
    for (int k = 0; k < n_point; ++k) {
        double* row = append(w, err);
        if (!row) return PKM_ERR_MEMORY;
        for (int c = 0; c < n_column; ++c)
            row[c] = value[(size_t)k * (size_t)n_column + (size_t)c];
    }
    return PKM_OK;
}

pkm_status pkm_modes_map(pkm_robot* robot, const pkm_modes_sweep* sweep,
                         const pkm_workspace_grid* grid, pkm_table* table, pkm_error* err)
{
    static const char* const column[] = {"x", "y", "z", "reachable"};
    static const char* const unit[] = {"m", "m", "m", ""};
    const int n_point = grid->n[0] * grid->n[1] * grid->n[2];
    sweep_work w = {.sweep = sweep, .robot = robot, .table = table};
    PKM_TRY(pkm_robot_require_tool(robot, err));
    double* value = NULL;
    pkm_status status = begin(&w, column, unit, 4, err);
    if (status == PKM_OK) {
        value = pkm_alloc((size_t)n_point * (size_t)(4 + sweep->n_mode), sizeof *value);
        if (!value) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    if (status == PKM_OK) status = fill_grid(&w, grid, n_point, value, err);
    if (status == PKM_OK) status = write_grid(&w, n_point, value, err);
    pkm_free(value);
    end(&w);
    pkm_robot_go_home(robot);
    return status;
}
