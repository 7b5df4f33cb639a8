/// Parts of seated runs; only seated*.c include this.
#ifndef PKM_CLEARANCE_SEATED_IMPL_H
#define PKM_CLEARANCE_SEATED_IMPL_H

#include "clearance/seat.h"
#include "clearance/seated.h"
#include "robot/limits.h"
#include "robot/motion_table.h"

/// One of the sets that a journal's position is made of (pkm_region_part), along the run.
typedef struct pkm_seated_part {
    pkm_region_part part; ///< `at` counts among all coordinates
    int joint, number;    ///< number among the parts of the joint
    double last[3];       ///< its coordinates at the last instant
    double* load;         ///< [n_instant] its size [N]
    double* angle;        ///< [n_instant] turned since the instant before [rad]
} pkm_seated_part;

/// Watches the journals from instant to instant.
typedef struct pkm_seated_watch {
    int n_part, n_instant;
    pkm_seated_part* part;
    double* memory;
    bool* jump;     ///< [n_instant] a journal is crossing its bearing since the instant before
    int* reversing; ///< [n_instant] how many of them
} pkm_seated_watch;

PKM_NODISCARD pkm_status pkm_seated_watch_begin(const pkm_regions* regions, int n_instant,
                                                pkm_seated_watch* out, pkm_error* err);
void pkm_seated_watch_end(pkm_seated_watch* watch);
/// Take note of the offsets y under the loads f at instant i.
void pkm_seated_watch_note(pkm_seated_watch* watch, int i, const double* y, const double* f);
/// Find the reversals in the first `n` instants, `step` [s] apart: watch->jump, watch->reversing
/// and the report, in the order of time.
void pkm_seated_watch_find(pkm_seated_watch* watch, int n, double step, pkm_seated_report* report);

/// Deviation of the tool at one instant, and what each row of the table keeps of it.
typedef struct pkm_seated_row {
    pkm_vec3 p, v, a;          ///< of the ideal tool
    pkm_vec3 dv_held, da_held; ///< with the offsets held
    pkm_vec3 turn;             ///< rotation vector [rad]
} pkm_seated_row;

/// What a row tells of a joint with clearance.
typedef struct pkm_seated_joint {
    pkm_vec3 shift; ///< of b against a, in the axes of a [m]
    double load;    ///< [N]
} pkm_seated_joint;

typedef struct pkm_seated_job {
    pkm_robot* robot;
    const pkm_sim_settings* settings;
    pkm_seat seat;
    pkm_seated_watch watch;
    pkm_motion_table columns;
    pkm_limit_watch limits;
    pkm_table* raw;      ///< what pkm_motion_table_put writes
    int per_row;         ///< steps from row to row
    double step;         ///< [s]
    pkm_vec3* dp;        ///< [n_step + 1] deviation of the tool
    pkm_seated_row* row; ///< [n_instant]
    int n_clearance;
    pkm_drive_deviation* drive; ///< [n_instant x n_drive]
    pkm_seated_joint* joint;    ///< [n_instant x n_clearance]
} pkm_seated_job;

/// The columns of the table, and those of job->raw.
PKM_NODISCARD pkm_status pkm_seated_add_columns(const pkm_seated_job* job, pkm_table* table,
                                                pkm_error* err);
/// Values of drives and joints of row `i` from the seat; `ideal` is the instant of the ideal robot.
void pkm_seated_keep_row(pkm_seated_job* job, int i, const pkm_run_instant* ideal,
                         const pkm_run_instant* seated);
/// Differentiate and write the rows that were kept.
PKM_NODISCARD pkm_status pkm_seated_write(pkm_seated_job* job, pkm_table* table,
                                          pkm_seated_report* report, pkm_error* err);

#endif
