// Limits of motors that are made to follow a motion, docs/theory/forces.md, (5.3).
#include "robot/motor_limits.h"

#include "math/angle.h"
#include "table/column.h"

/// The largest magnitude of a column of the drive and its time; false: it is within the limit.
static bool exceeds(const pkm_table* table, const char* name, const char* quantity, double limit,
                    double* most, double* t)
{
    int row = PKM_NONE;
    const int column = pkm_table_find_item(table, name, quantity);
    if (column == PKM_NONE) return false;
    *most = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, &row);
    if (row == PKM_NONE || !(*most > limit)) return false;
    *t = pkm_table_get(table, row, 0);
    return true;
}

void pkm_motor_limits_warn(const pkm_motor* motor, const char* name, pkm_table* table)
{
    static const double ROUNDING = 1e-9;
    static const double RPM = 60.0 / PKM_TURN;
    pkm_warnings* to = pkm_table_warnings(table);
    double most, t;
    const bool by_torque =
        exceeds(table, name, "torque", (1.0 + ROUNDING) * motor->torque_limit, &most, &t);
    if (by_torque)
        pkm_warn(to, "limit", t,
                 "limit broken: torque of the motor of %s %.6g N m at t = %.6g s, allowed %.6g; "
                 "the motion is followed all the same",
                 name, most, t, motor->torque_limit);
    const bool by_speed =
        exceeds(table, name, "shaft", (1.0 + ROUNDING) * motor->speed_limit, &most, &t);
    if (by_speed)
        pkm_warn(to, "limit", t,
                 "limit broken: speed of the motor of %s %.6g rpm at t = %.6g s, allowed %.6g; the "
                 "motion is followed all the same",
                 name, RPM * most, t, RPM * motor->speed_limit);
    // the torque falls to zero over the last part of the speed
    if (!by_torque && !by_speed && exceeds(table, name, "saturated", 0.5, &most, &t))
        pkm_warn(to, "limit", t,
                 "limit broken: at t = %.6g s the motor of %s is asked for more torque than it has "
                 "at its speed; the motion is followed all the same",
                 t, name);
}
