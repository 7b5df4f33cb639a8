/// Search for all ways to assemble a robot at given drive positions.
#ifndef PKM_ROBOT_ASSEMBLY_MODES_H
#define PKM_ROBOT_ASSEMBLY_MODES_H

#include "robot/robot.h"

enum { PKM_MAX_ASSEMBLY_MODE = 64 };

typedef struct pkm_assembly_mode {
    pkm_pose tool;
    int hits; ///< random starts that led here
    double drive[PKM_MAX_DRIVE];
} pkm_assembly_mode;

/// Assemble from `n_start` random positions (repeatable: `seed`) with the given rows prescribed:
/// drives (PKM_MODE_DRIVES: assembly modes) or tool (PKM_MODE_TOOL: working modes). Different ones
/// differ in a joint's place by more than 1e-6 of the robot's size. The state is left at home.
/// @return how many, at most PKM_MAX_ASSEMBLY_MODE; PKM_NONE when memory is out.
int pkm_assembly_modes_find(pkm_robot* robot, pkm_mode mode, const pkm_target* target, int n_start,
                            unsigned seed, pkm_assembly_mode* out);

#endif
