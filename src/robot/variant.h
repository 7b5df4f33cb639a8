/// A robot compiled for a run: with joints that have clearance and flexible links.
#ifndef PKM_ROBOT_VARIANT_H
#define PKM_ROBOT_VARIANT_H

#include "mechanism/variant.h"
#include "robot/robot.h"

/// A mechanism that stands somewhere: what a run moves. It is that of a robot, or of a variant,
/// which is no robot: it has no home, closed form or systems of its own.
typedef struct pkm_machine {
    pkm_description* desc;
    pkm_mechanism* mech;
    pkm_state* state;
    pkm_structure structure; ///< of a variant: `moves`, `tool_turns` and the locks alone
} pkm_machine;

/// That of `robot`, lent: not to be freed, good as long as the robot.
pkm_machine pkm_robot_machine(const pkm_robot* robot);

/// The description of `robot` compiled as `variant` says, which must outlive it, where the robot
/// stands. Rods between two balls without clearance have their spins locked, as in `robot`.
///
/// @return PKM_ERR_MODEL when a body that clearance sets free has no inertia about an axis.
PKM_NODISCARD pkm_status pkm_robot_variant(const pkm_robot* robot, const pkm_variant* variant,
                                           pkm_machine** out, pkm_error* err);
void pkm_robot_variant_free(pkm_machine* variant);

/// Put the bodies of `variant` where those of `robot` are, with the same velocities, undeformed.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_robot_variant_start(pkm_machine* variant, const pkm_robot* robot,
                                                 pkm_error* err);

#endif
