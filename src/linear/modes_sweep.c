// Frequencies along a motion and over a grid: one linear model with reduced links, placed at one
// pose after the other.
#include "linear/modes_sweep.h"

#include "base/error.h"
#include "linear/sweep.h"
#include "robot/continuation.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Each has a diagram of its own: their ranges are small beside their distances.
static const char* const title[] = {
    "1st natural frequency*",  "2nd natural frequency*",  "3rd natural frequency*",
    "4th natural frequency*",  "5th natural frequency*",  "6th natural frequency*",
    "7th natural frequency*",  "8th natural frequency*",  "9th natural frequency*",
    "10th natural frequency*", "11th natural frequency*", "12th natural frequency*"};
enum { N_TITLE = sizeof title / sizeof title[0] };

static const double TWO_PI = 6.283185307179586477;

/// The model of a sweep and its table.
typedef struct sweep_work {
    const pkm_modes_sweep* sweep;
    pkm_robot* robot;
    pkm_elastic* elastic;
    pkm_modes* modes;
    pkm_table* table;
    int first;    ///< column of f1
    double angle; ///< of the last instant [rad]
} sweep_work;

double pkm_angle_next(pkm_vec3 p, double before)
{
    const double angle = atan2(p.y, p.x);
    // of all angles of the point the one nearest to that before: rounds add up
    return angle + TWO_PI * round((before - angle) / TWO_PI);
}

static pkm_status begin(sweep_work* w, const char* const* column, const char* const* unit, int n,
                        pkm_error* err)
{
    pkm_elastic_settings settings = w->sweep->elastic;
    // 20 modes of each link and static correction: 1e-6 of the frequencies
    settings.is_reduced = true;
    PKM_TRY(pkm_elastic_create(w->robot, &settings, &w->elastic, err));
    bool is_there = pkm_modes_create(w->elastic, w->sweep->n_mode, &w->modes) == PKM_OK;
    for (int k = 0; k < n && is_there; ++k)
        // the same columns for all rows: poses with fewer modes leave zeros
        is_there = pkm_table_add_column(w->table, column[k], unit[k]) != PKM_NONE;
    for (int k = 0; k < n; ++k)
        if (strchr("xyz", column[k][0]))
            pkm_table_describe(w->table, k, &(pkm_column){.title = "position of the tool*"});
    w->first = n;
    for (int k = 0; k < w->sweep->n_mode && is_there; ++k) {
        char name[16];
        snprintf(name, sizeof name, "f%d", k + 1);
        is_there = pkm_table_add_column(w->table, name, "Hz") != PKM_NONE;
        pkm_table_describe(w->table, n + k,
                           &(pkm_column){.title = k < N_TITLE ? title[k] : "natural frequency*"});
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
        const pkm_vec3 p = pkm_state_marker_point(w->robot->state, w->robot->mech->tool);
        row[1] = p.x;
        row[2] = p.y;
        row[3] = p.z;
        w->angle = pkm_angle_next(p, w->angle);
        row[4] = w->angle;
    }
    return add_frequencies(w, row, err);
}

pkm_status pkm_modes_along(pkm_robot* robot, const pkm_modes_sweep* sweep, const pkm_motion* motion,
                           int n_instant, pkm_table* table, pkm_error* err)
{
    static const char* const column[] = {"t", "x", "y", "z", "angle"};
    static const char* const unit[] = {"s", "m", "m", "m", "rad"};
    sweep_work w = {.sweep = sweep, .robot = robot, .table = table};
    pkm_follower follower;
    pkm_status status = pkm_follow_begin(robot, motion, &follower, err);
    if (status == PKM_OK) status = begin(&w, column, unit, 5, err);
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

static pkm_status fill_point(void* user, double* row, pkm_error* err)
{
    return add_frequencies(user, row, err);
}

pkm_status pkm_modes_map(pkm_robot* robot, const pkm_modes_sweep* sweep,
                         const pkm_workspace_grid* grid, pkm_table* table, pkm_error* err)
{
    static const char* const column[] = {"x", "y", "z", "reachable"};
    static const char* const unit[] = {"m", "m", "m", ""};
    sweep_work w = {.sweep = sweep, .robot = robot, .table = table};
    const pkm_sweep points = {.robot = robot,
                              .grid = grid,
                              .fill = fill_point,
                              .user = &w,
                              .progress = sweep->progress,
                              .progress_user = sweep->user};
    pkm_status status = begin(&w, column, unit, 4, err);
    if (status == PKM_OK) status = pkm_sweep_run(&points, table, err);
    end(&w);
    return status;
}
