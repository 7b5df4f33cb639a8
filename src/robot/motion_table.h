/// The columns that every run along a motion writes: time, drives, points, energy, reactions.
#ifndef PKM_ROBOT_MOTION_TABLE_H
#define PKM_ROBOT_MOTION_TABLE_H

#include "dynamics/inverse.h"
#include "pkm/inverse.h"
#include "robot/variant.h"
#include "table/column.h"

/// All that one instant gives, by whichever method.
typedef struct pkm_run_instant {
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE];
    pkm_frame_motion tool;
    double kinetic, potential; ///< [J]
    double condition;          ///< of J without units, see nearness.h
    double singularity;        ///< estimated distance [m]
} pkm_run_instant;

/// Records of the columns: what stands in a row for a drive, a point, and their deviations from the
/// ideal motion.
typedef struct pkm_drive_values {
    double q, v, a, force;
} pkm_drive_values;
typedef struct pkm_point_values {
    pkm_vec3 p, v, a;
    double r, speed, acc; ///< their magnitudes
    pkm_vec3 rpy;
    pkm_vec3 w, al;      ///< angular velocity and acceleration, world axes
    double omega, alpha; ///< their magnitudes
} pkm_point_values;
typedef struct pkm_drive_deviation {
    double dq, dforce;
} pkm_drive_deviation;
typedef struct pkm_tool_deviation {
    pkm_vec3 d;              ///< of position [m]
    double dp, dv, da, turn; ///< sizes of the differences
    double dr, dspeed, dacc; ///< differences of the sizes
    pkm_vec3 rotation;       ///< as a rotation vector in world axes [rad]
} pkm_tool_deviation;

extern const pkm_column pkm_time_column;
extern const pkm_column_list pkm_drive_columns[2];           ///< [is_rotary]: q v a force
extern const pkm_column_list pkm_drive_deviation_columns[2]; ///< [is_rotary]: dq dforce
extern const pkm_column_list pkm_point_positions, pkm_point_rates, pkm_tool_deviation_columns;

/// The deviation of a tool that is shifted by off->pose.p against the ideal one, moves off->v and
/// off->a beside it and is turned by the rotation vector `turn`. With X the ideal position,
/// velocity or acceleration and d the difference, |d| and |X + d| - |X|: the second is what papers
/// print.
pkm_tool_deviation pkm_tool_deviation_make(const pkm_frame_motion* ideal,
                                           const pkm_frame_motion* off, pkm_vec3 turn);
/// The tool's name in tables; the robot has one.
const char* pkm_tool_item(const pkm_mechanism* mech);

typedef struct pkm_motion_table {
    pkm_machine of;
    int n_point;
    int* point;     ///< markers of the output points, the tool first
    bool turns;     ///< the tool turns
    bool reactions; ///< six columns per joint
    bool nearness;  ///< condition, singularity
} pkm_motion_table;

/// Prepare, without `nearness`; `all_points`: also the points under `outputs:`, which need the
/// engine's state.
PKM_NODISCARD pkm_status pkm_motion_table_begin(pkm_motion_table* out, pkm_machine of,
                                                bool all_points, bool reactions, pkm_error* err);
void pkm_motion_table_end(pkm_motion_table* mt);

/// Lay out what every run has: t; per drive .q .v .a .force; per point .x .y .z .r .vx .vy .vz .ax
/// .ay .az .speed .acc (the tool first, with .roll .pitch .yaw .wx .wy .wz .alx .aly
/// .alz .omega .alpha when it turns); energy.kinetic
/// energy.potential power; condition singularity where the tool can be prescribed; per joint .Fx
/// .Fy .Fz .Mx .My .Mz. The points are those of the state when there is more than the tool.
/// `reaction` is read when there are columns for it; `at` and `reaction` may be NULL while columns
/// are added.
void pkm_motion_table_put(const pkm_motion_table* mt, pkm_layout* to, double t,
                          const pkm_run_instant* at, const pkm_reaction* reaction);

/// Lay out `condition` and `singularity` of the tool's Jacobian, see nearness.h.
void pkm_motion_table_put_nearness(pkm_layout* to, double condition, double distance);

/// The columns that pkm_inverse_run would write; nothing is run.
PKM_NODISCARD pkm_status pkm_inverse_columns(pkm_robot* robot, int motion,
                                             const pkm_inverse_settings* settings, pkm_table* table,
                                             pkm_error* err);

/// Drive positions, rates, tool and energy from `state`; forces are left to the caller.
/// Returns the rate of the energy [W].
double pkm_run_instant_read(const pkm_state* state, pkm_run_instant* out);
/// Sum of force times velocity of the drives [W].
double pkm_run_instant_power(const pkm_mechanism* mech, const pkm_run_instant* at);

#endif
