/// Limits that a configuration has to keep: positions of the drives, coordinates of the other
/// joints, and how far balls and universal joints bend.
#ifndef PKM_ROBOT_JOINT_LIMITS_H
#define PKM_ROBOT_JOINT_LIMITS_H

#include "robot/robot.h"

typedef struct pkm_joint_limits pkm_joint_limits;

/// Gather the limits of `robot`, wherever it stands. A universal joint is taken as straight at
/// home; a ball where the axes of its two sides point the same way. NULL when memory is out.
pkm_joint_limits* pkm_joint_limits_create(const pkm_robot* robot);
void pkm_joint_limits_free(pkm_joint_limits* limits);

/// By how much [m, rad] the nearest limit is kept at the present positions of `state`; negative:
/// one is not kept. Angles count modulo a full turn.
double pkm_joint_limits_margin(const pkm_joint_limits* limits, const pkm_state* state);

/// A limit of a joint without a drive, or of how far a joint bends.
typedef struct pkm_joint_limit {
    const char *name, *unit; ///< of the joint; "m" or "rad"
    bool is_bend;            ///< an angle of at most `high`; else a range of the coordinate
    double low, high;
} pkm_joint_limit;

int pkm_joint_limits_n(const pkm_joint_limits* limits);
pkm_joint_limit pkm_joint_limit_get(const pkm_joint_limits* limits, int k);
/// Its value at `state` (of the robot or of a variant of it) and the rate of that. Angles of a
/// range with two ends are taken in the turn about its middle.
void pkm_joint_limit_read(const pkm_joint_limits* limits, int k, const pkm_state* state,
                          double* value, double* rate);

/// Has a joint without a drive a limit?
bool pkm_joint_limits_passive(const pkm_robot* robot);

/// Has anything a limit?
bool pkm_joint_limits_any(const pkm_robot* robot);

/// The range [m, rad] of drive `d`: its own limits and those of its joint; -inf, inf without.
void pkm_drive_range(const pkm_robot* robot, int d, double* low, double* high);

/// Is `q` within the range? An angle (`rotary`) may be full turns away.
bool pkm_within(double q, double low, double high, bool rotary);

#endif
