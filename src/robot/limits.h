/// Limits of drives, joints and motions against what a run does, located between its rows. Every
/// analysis along a motion watches them here; broken ones are warnings of its table.
#ifndef PKM_ROBOT_LIMITS_H
#define PKM_ROBOT_LIMITS_H

#include "pkm/inverse.h"
#include "robot/joint_limits.h"
#include "table/warnings.h"

/// The limits that are broken.
typedef struct pkm_limit_list {
    int n;
    pkm_limit_report item[PKM_MAX_LIMIT_REPORT];
} pkm_limit_list;

/// Watches joints without a drive from row to row.
typedef struct pkm_limit_watch {
    pkm_joint_limits* joints;
    pkm_table* series; ///< t; value and rate of each limit
} pkm_limit_watch;

/// Begin to watch `robot` for `n_row` rows.
PKM_NODISCARD pkm_status pkm_limits_begin(const pkm_robot* robot, int n_row, pkm_limit_watch* out,
                                          pkm_error* err);
void pkm_limits_end(pkm_limit_watch* watch);
/// Take note of a row at time `t`; `state` is that of the robot or of a variant of it. Allocates
/// nothing for the rows that were announced.
PKM_NODISCARD pkm_status pkm_limits_note(pkm_limit_watch* watch, double t, const pkm_state* state);

/// All limits that the rows of `table` (columns of pkm_inverse_run) and the joints noted break:
/// position, velocity, acceleration, jerk, force of drives; speed, acceleration, jerk of the tool
/// that the motion states (`motion` PKM_NONE: none); ranges and bends of other joints. Where the
/// rates of a quantity are known, it is followed between the rows by the cubic through values and
/// rates; else the largest values by the parabola through three rows.
void pkm_limits_find(const pkm_limit_watch* watch, const pkm_robot* robot, int motion,
                     const pkm_table* table, pkm_limit_list* out);

/// Positions of drives and joints where the robot stands. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_limits_at(pkm_robot* robot, pkm_limit_list* out, pkm_error* err);

/// One warning of kind "limit" for each.
void pkm_limits_warn(const pkm_limit_list* list, pkm_warnings* to);

#endif
