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

/// How thorough a search was.
typedef struct pkm_assembly_search {
    int n;         ///< different ways found, at most PKM_MAX_ASSEMBLY_MODE
    int n_start;   ///< random starts
    int n_arrived; ///< those that led to an assembled robot
    int n_curve;   ///< curves followed from one way to others
    bool is_cut;   ///< more curves were left: large robots are followed for some seconds only
    /// Estimated probability that one more random start that arrives leads to a way not yet known:
    /// the share of ways that were met once (Good and Turing), or 3 / n_arrived, the bound of 95 %
    /// when none was. 1 when nothing arrived.
    double unseen;
} pkm_assembly_search;

/// Assemble from `n_start` random positions (repeatable: `seed`) with the given rows prescribed:
/// drives (PKM_GIVEN_DRIVES: assembly modes) or tool (PKM_GIVEN_TOOL: working modes). Then every
/// curve through a way found on which one prescribed row is left out is followed round: wherever
/// that row is met again is another way. Different ones differ in a joint's place by more than 1e-5
/// of the robot's size. The state is left at home. `report` may be NULL.
/// @return how many, at most PKM_MAX_ASSEMBLY_MODE; PKM_NONE when memory is out.
int pkm_assembly_modes_find(pkm_robot* robot, pkm_given given, const pkm_target* target,
                            int n_start, unsigned seed, pkm_assembly_mode* out,
                            pkm_assembly_search* report);

#endif
