/// A robot compiled for a run: with joints that have clearance and flexible links.
#ifndef PKM_ROBOT_VARIANT_H
#define PKM_ROBOT_VARIANT_H

#include "mechanism/variant.h"
#include "robot/robot.h"

/// A robot of the same description compiled as `variant` says, which must outlive it. It has no
/// home, closed form or systems of its own: only a state and what a plant needs. Rods between two
/// balls without clearance have their spins locked, as in `robot`.
///
/// @return PKM_ERR_MODEL when a body that clearance sets free has no inertia about an axis.
PKM_NODISCARD pkm_status pkm_robot_variant(pkm_robot* robot, const pkm_variant* variant,
                                           pkm_robot** out, pkm_error* err);

/// Put the bodies of `variant` where those of `robot` are, with the same velocities, undeformed.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_robot_variant_start(pkm_robot* variant, const pkm_robot* robot,
                                                 pkm_error* err);

#endif
