/// Forces of the drives where the robot stands, for any rates and accelerations.
#ifndef PKM_ROBOT_DRIVE_FORCES_H
#define PKM_ROBOT_DRIVE_FORCES_H

#include "dynamics/state.h"

/// With rates `v` and accelerations `a` of the drives (NULL: 0), under state->load. The factors of
/// PKM_GIVEN_DRIVES belong to the present positions; velocities and accelerations of the state are
/// those of the call afterwards.
void pkm_drive_forces(pkm_state* state, const double* v, const double* a, double* out);

#endif
