/// Inverse dynamics along a motion, by the general engine or by the closed form.
#ifndef PKM_ANALYSIS_INVERSE_RUN_H
#define PKM_ANALYSIS_INVERSE_RUN_H

#include "analysis/robot.h"
#include "result/table.h"

typedef enum pkm_method {
    PKM_METHOD_ENGINE,
    PKM_METHOD_CLOSED,
} pkm_method;

/// Called about once a row with the fraction done; false stops the run.
typedef bool (*pkm_progress_fn)(void* user, double fraction);

typedef struct pkm_inverse_settings {
    pkm_method method;
    int n_instant;            ///< rows of the table, at least 2, evenly spaced over the motion
    pkm_vec3 tool_force;      ///< on the tool, from outside, world axes [N]
    pkm_vec3 tool_torque;     ///< [N m]
    bool reactions;           ///< write the wrench of every joint too (engine only)
    pkm_progress_fn progress; ///< may be NULL
    void* user;
} pkm_inverse_settings;

/// 401 instants, engine, no load on the tool.
pkm_inverse_settings pkm_inverse_settings_defaults(void);

/// A limit that the motion breaks.
typedef struct pkm_limit_report {
    char what[PKM_MAX_NAME]; ///< "q1 velocity"
    const char* unit;
    double limit, value, t;
} pkm_limit_report;

enum { PKM_MAX_LIMIT_REPORT = 64 };

typedef struct pkm_inverse_report {
    int n_done; ///< rows in the table
    bool interrupted;
    double t_end;         ///< time of the last row
    double drive_work;    ///< integral of drive power over the rows [J]
    double load_work;     ///< of the force on the tool [J]
    double energy_change; ///< kinetic and potential, end - start [J]
    double exchanged;     ///< integral of the magnitudes of the drives\' powers [J]
    double power_error;   ///< largest |drive + load power - rate of energy| [W]
    double power_scale;   ///< largest power of one drive or body of the run [W]
    int n_limit;          ///< limits broken
    pkm_limit_report limit[PKM_MAX_LIMIT_REPORT];
} pkm_inverse_report;

/// Columns of the table: t; per drive .q .v .a .force; per output point (the tool first) .x .y .z
/// .vx .vy .vz .ax .ay .az .speed .acc, for tools that turn .roll .pitch .yaw; energy.kinetic
/// energy.potential power; per joint .Fx .Fy .Fz .Mx .My .Mz when asked.
///
/// @return statuses of pkm_follow_to: rows computed before a failure are kept in the table and
///         counted in the report. PKM_ERR_ARGUMENT for settings or a method the robot has not.
PKM_NODISCARD pkm_status pkm_inverse_run(pkm_robot* robot, int motion,
                                         const pkm_inverse_settings* settings, pkm_table* table,
                                         pkm_inverse_report* report, pkm_error* err);

/// The largest difference of the drive forces of two tables of the same motion, per drive, and
/// where.
typedef struct pkm_compare_row {
    double largest_force; ///< of both tables
    double difference;    ///< largest
    double t;             ///< where
} pkm_compare_row;

/// Run both methods and compare row by row: out[n_drive].
PKM_NODISCARD pkm_status pkm_compare_run(pkm_robot* robot, int motion,
                                         const pkm_inverse_settings* settings, pkm_table* engine,
                                         pkm_table* closed, pkm_compare_row* out, pkm_error* err);

#endif
