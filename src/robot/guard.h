/// One thread at a time: public calls that move a robot hold it while they work, and keep OpenBLAS
/// to one thread as long.
#ifndef PKM_ROBOT_GUARD_H
#define PKM_ROBOT_GUARD_H

#include "base/error.h"
#include "robot/robot.h"

/// Hold `robot` for the thread that calls, which may do so again: calls call each other.
/// @return PKM_ERR_ARGUMENT when another thread holds it.
PKM_NODISCARD pkm_status pkm_robot_hold(pkm_robot* robot, pkm_error* err);
/// The other half of a hold that was PKM_OK; NULL holds nothing.
void pkm_robot_release(pkm_robot* const* robot);

/// Hold `robot` until the function returns, or return why not.
#define PKM_HOLD(robot, err)                                                                       \
    PKM_TRY(pkm_robot_hold((robot), (err)));                                                       \
    __attribute__((cleanup(pkm_robot_release), unused)) pkm_robot* const held_ = (robot)

#endif
