/// A robot that cannot be put together: which joint stays open, by how much, and what would close
/// it.
#ifndef PKM_ROBOT_OPEN_LOOP_H
#define PKM_ROBOT_OPEN_LOOP_H

#include "robot/robot.h"

/// What was found out; an empty sentence when no set of joints closes the rest.
typedef struct pkm_open_loop {
    int joint;                         ///< with the largest gap, PKM_NONE when nothing was found
    double gap;                        ///< between its two points [m]
    double turn;                       ///< between its axes [rad]
    char where[2 * PKM_MAX_NAME + 16]; ///< "limb A: joint A.l2"
    char sentence[360]; ///< "a gap of 0.036 m is left; rod A.left is 36 mm too short ..."
} pkm_open_loop;

/// Open one joint, the joints of one limb, those of one name, or all, until everything else and the
/// rows in `row` (home) hold, and measure what is left: the smallest correction of one kind.
/// Positions of robot->state are lost.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_open_loop_find(pkm_robot* robot, const int* row, int n_row,
                                            const pkm_target* target, pkm_open_loop* out);

#endif
