/// Does a closed form describe the robot that the bodies and joints describe?
#ifndef PKM_ROBOT_CLOSED_CHECK_H
#define PKM_ROBOT_CLOSED_CHECK_H

#include "robot/robot.h"

/// Bind the closed form that the model file names to the assembled robot, and compare both at home:
/// gravity, the tool's place, its rates and accelerations, and the drive forces at random rates,
/// accelerations and directions of gravity (repeatable). Needs the robot's structure.
///
/// @return PKM_ERR_MODEL naming the parameter, or the quantity, that differs, with its line.
PKM_NODISCARD pkm_status pkm_closed_bind(pkm_robot* robot, pkm_error* err);

#endif
