/// Leading the robot by hand: a point of any body is drawn towards a place, and the robot follows
/// as far as its loops allow, without passing a singularity unseen.
#ifndef PKM_ROBOT_DRAG_H
#define PKM_ROBOT_DRAG_H

#include "robot/robot.h"

/// What is held.
typedef struct pkm_grasp {
    int body;    ///< of the description, from 1 on
    pkm_vec3 at; ///< the point, in the body's axes [m]
} pkm_grasp;

/// Draw the held point to `to` [world, m] from where the robot stands; it ends at rest. `left`
/// receives the distance that remains.
///
/// The tool's body is shifted without being turned, along a straight way, and stops where that way
/// ends. Of any other body (and of a tool that only shifts, where its way ends) the point comes as
/// near as it can, with the least motion of the drives (docs/theory/engine.md, 5.7).
/// @return PKM_OK also when a distance is left; PKM_ERR_SINGULAR when a singularity is in the way;
///         PKM_ERR_MODEL when the drives do not hold the robot; PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_drag_to(pkm_robot* robot, const pkm_grasp* grasp, pkm_vec3 to,
                                     double* left, pkm_error* err);

/// The held point where the robot stands, world axes.
pkm_vec3 pkm_grasp_place(const pkm_robot* robot, const pkm_grasp* grasp);

#endif
