/// Limits of drives and motions against what a run needs.
#ifndef PKM_ROBOT_LIMITS_H
#define PKM_ROBOT_LIMITS_H

#include "pkm/inverse.h"
#include "robot/robot.h"

/// Fill report->limit with every limit the table of a run breaks: drive position, velocity,
/// acceleration, jerk, force; tool speed, acceleration and jerk of the motion.
void pkm_limits_check(const pkm_robot* robot, int motion, const pkm_table* table,
                      pkm_inverse_report* report);

#endif
