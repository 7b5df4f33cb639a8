/// Recursions over the tree, from the ground outwards.
#ifndef PKM_DYNAMICS_KINEMATICS_H
#define PKM_DYNAMICS_KINEMATICS_H

#include "dynamics/state.h"

/// Poses of all bodies and the motion columns S from q.
void pkm_kinematics_position(pkm_state* state);
/// The same without the columns of frames on bodies that bend, which gaps and twists do without.
void pkm_kinematics_poses(pkm_state* state);
/// Twists of all bodies from v; needs the poses.
void pkm_kinematics_twists(pkm_state* state);
/// Pose and twist of the body `i` and of those that carry it, as these two find them.
void pkm_kinematics_reach(pkm_state* state, int i);
/// The same, and the integrals of bodies that bend, which their inertia needs.
void pkm_kinematics_velocity(pkm_state* state);
/// Derivatives of the twists from `a` [n_v], NULL for the part that does not depend on it; needs
/// the velocities.
void pkm_kinematics_acceleration(pkm_state* state, const double* a);
/// The same in two passes, without `a` and then with it: the second one does not find again what
/// velocities carry along. Between them the bodies' `f` keeps it.
void pkm_kinematics_acceleration_without(pkm_state* state);
void pkm_kinematics_acceleration_with(pkm_state* state, const double* a);
/// Those of the body `i` and of the bodies that carry it alone.
void pkm_kinematics_acceleration_of(pkm_state* state, const double* a, int i);
/// Add what `a` does to derivatives that were found without it. Uses the bodies' `f` as work.
void pkm_kinematics_accelerate(pkm_state* state, const double* a);

#endif
