// Forces of the drives for given rates and accelerations where the robot stands, (4.3), (4.4) of
// docs/theory/engine.md: the velocities of all coordinates follow from the drives first.
#include "robot/drive_forces.h"

#include "dynamics/inverse.h"
#include "dynamics/motion_solve.h"

#include <string.h>

void pkm_drive_forces(pkm_state* state, const double* v, const double* a, double* out)
{
    const size_t size = (size_t)state->mech->n_drive * sizeof(double);
    pkm_target target = {.q = {0.0}};
    if (v) memcpy(target.v, v, size);
    if (a) memcpy(target.a, a, size);
    pkm_solve_velocity(state, PKM_GIVEN_DRIVES, &target);
    pkm_solve_acceleration(state, PKM_GIVEN_DRIVES, &target);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out);
}
