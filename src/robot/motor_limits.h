/// Limits of motors that are made to follow a motion: they give whatever it takes, and it is told
/// where that is more than they have.
#ifndef PKM_ROBOT_MOTOR_LIMITS_H
#define PKM_ROBOT_MOTOR_LIMITS_H

#include "force/motor.h"
#include "table/warnings.h"

/// One warning of kind "limit" for each limit of `motor` that the columns `torque`, `shaft` and
/// `saturated` of drive `name` break, with the largest value and its time.
void pkm_motor_limits_warn(const pkm_motor* motor, const char* name, pkm_table* table);

#endif
