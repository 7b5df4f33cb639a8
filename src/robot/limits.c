#include "robot/limits.h"

#include <math.h>
#include <stdio.h>

static void add_limit(pkm_inverse_report* report, const char* item, const char* quantity,
                      const char* unit, double limit, double value, double t)
{
    if (report->n_limit >= PKM_MAX_LIMIT_REPORT) return;
    pkm_limit_report* out = &report->limit[report->n_limit++];
    snprintf(out->what, sizeof out->what, "%s %s", item, quantity);
    out->unit = unit;
    out->limit = limit;
    out->value = value;
    out->t = t;
}

static int column_of(const pkm_table* table, const char* item, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    return pkm_table_find(table, name);
}

/// Is the largest magnitude of a column beyond `limit`?
static void check_size(const pkm_table* table, const char* item, const char* quantity,
                       const char* words, const char* unit, double limit,
                       pkm_inverse_report* report)
{
    const int column = column_of(table, item, quantity);
    if (column == PKM_NONE || !(limit < HUGE_VAL)) return;
    int row;
    const double value = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, &row);
    if (row == PKM_NONE || value <= limit) return;
    add_limit(report, item, words, unit, limit, value, pkm_table_get(table, row, 0));
}

static void check_range(const pkm_table* table, const char* item, const char* unit,
                        const double* limit, pkm_inverse_report* report)
{
    const int column = column_of(table, item, "q");
    if (column == PKM_NONE) return;
    int row;
    const double low = pkm_table_reduce(table, column, PKM_REDUCE_MIN, &row);
    if (row != PKM_NONE && low < limit[0])
        add_limit(report, item, "position", unit, limit[0], low, pkm_table_get(table, row, 0));
    const double high = pkm_table_reduce(table, column, PKM_REDUCE_MAX, &row);
    if (row != PKM_NONE && high > limit[1])
        add_limit(report, item, "position", unit, limit[1], high, pkm_table_get(table, row, 0));
}

/// Jerk as the slope of the acceleration between rows; `n` columns from `column` are one vector.
static void check_jerk(const pkm_table* table, int column, int n, const char* item,
                       const char* unit, double limit, pkm_inverse_report* report)
{
    if (column == PKM_NONE || !(limit < HUGE_VAL)) return;
    double largest = 0.0, where = 0.0;
    for (int i = 1; i < pkm_table_n_row(table); ++i) {
        const double t0 = pkm_table_get(table, i - 1, 0), t1 = pkm_table_get(table, i, 0);
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            const double change =
                pkm_table_get(table, i, column + k) - pkm_table_get(table, i - 1, column + k);
            sum += change * change;
        }
        const double jerk = sqrt(sum) / (t1 - t0);
        if (jerk <= largest) continue;
        largest = jerk;
        where = 0.5 * (t0 + t1);
    }
    if (largest > limit) add_limit(report, item, "jerk", unit, limit, largest, where);
}

void pkm_limits_check(const pkm_robot* robot, int motion, const pkm_table* table,
                      pkm_inverse_report* report)
{
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &robot->mech->drive[d];
        check_range(table, drive->name, pkm_robot_drive_unit(robot, d, 0), drive->position_limit,
                    report);
        check_size(table, drive->name, "v", "velocity", pkm_robot_drive_unit(robot, d, 1),
                   drive->velocity_limit, report);
        check_size(table, drive->name, "a", "acceleration", pkm_robot_drive_unit(robot, d, 2),
                   drive->acceleration_limit, report);
        check_size(table, drive->name, "force", "force", pkm_robot_drive_unit(robot, d, -1),
                   drive->force_limit, report);
        check_jerk(table, column_of(table, drive->name, "a"), 1, drive->name,
                   pkm_robot_drive_unit(robot, d, 3), drive->jerk_limit, report);
    }
    if (robot->mech->tool == PKM_NONE) return;
    const pkm_desc_motion* m = &robot->desc->motion[motion];
    const char* tool = pkm_short_name(robot->mech->marker[robot->mech->tool].name);
    check_size(table, tool, "speed", "speed", "m/s", m->max_velocity, report);
    check_size(table, tool, "acc", "acceleration", "m/s2", m->max_acceleration, report);
    check_jerk(table, column_of(table, tool, "ax"), 3, tool, "m/s3", m->max_jerk, report);
}
