/// Was a parallel singularity passed between two positions?
#ifndef PKM_ROBOT_CROSSING_H
#define PKM_ROBOT_CROSSING_H

#include "robot/robot.h"

/// The sign at the present positions, to which the factors of the drives belong.
pkm_drive_sign pkm_crossing_sign(const pkm_robot* robot);

/// Must the way from `before` to `now` be looked at closely? Cheap; never misses a singularity that
/// was passed once.
bool pkm_crossing_is_suspect(const pkm_robot* robot, pkm_drive_sign before, pkm_drive_sign now);

/// Compare the robot's tangents at `q_before` [n_q] and at the present positions, to which the
/// factors of the drives belong, and belong afterwards. The positions are near to each other.
/// @return PKM_ERR_SINGULAR when a parallel singularity lies between them; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_crossing_check(pkm_robot* robot, const double* q_before);

#endif
