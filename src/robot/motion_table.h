/// The columns that every run along a motion writes: time, drives, points, energy, reactions.
#ifndef PKM_ROBOT_MOTION_TABLE_H
#define PKM_ROBOT_MOTION_TABLE_H

#include "dynamics/inverse.h"
#include "robot/robot.h"
#include "table/column.h"

/// All that one instant gives, by whichever method.
typedef struct pkm_run_instant {
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE];
    pkm_frame_motion tool;
    double kinetic, potential; ///< [J]
    double condition;          ///< of J without units, see nearness.h
    double singularity;        ///< estimated distance [m]
} pkm_run_instant;

typedef struct pkm_motion_table {
    const pkm_robot* robot;
    int n_point;
    int* point;     ///< markers of the output points, the tool first
    bool turns;     ///< the tool turns
    bool reactions; ///< six columns per joint
    bool nearness;  ///< condition, singularity
} pkm_motion_table;

/// Prepare; `all_points`: also the points under `outputs:`, which need the engine's state.
PKM_NODISCARD pkm_status pkm_motion_table_begin(pkm_motion_table* out, const pkm_robot* robot,
                                                bool all_points, bool reactions, pkm_error* err);
void pkm_motion_table_end(pkm_motion_table* mt);

/// Add the columns: t; per drive .q .v .a .force; per point .x .y .z .vx .vy .vz .ax .ay .az .speed
/// .acc (the tool first, with .roll .pitch .yaw when it turns); energy.kinetic energy.potential
/// power; condition singularity where the tool can be prescribed; per joint .Fx .Fy .Fz .Mx .My
/// .Mz.
PKM_NODISCARD pkm_status pkm_motion_table_columns(const pkm_motion_table* mt, pkm_table* table,
                                                  pkm_error* err);
/// Write one row to `out`; returns behind its last value. The points are those of robot->state when
/// there is more than the tool. `reaction` is read when there are columns for it.
double* pkm_motion_table_row(const pkm_motion_table* mt, double t, const pkm_run_instant* at,
                             const pkm_reaction* reaction, double* out);

/// Drive positions, rates, tool and energy from robot->state; forces are left to the caller.
void pkm_run_instant_read(const pkm_robot* robot, pkm_run_instant* out);
/// Sum of force times velocity of the drives [W].
double pkm_run_instant_power(const pkm_robot* robot, const pkm_run_instant* at);

#endif
