/// What an engineer reads before the first run: sizes, weights, what the drives hold at home, what
/// the tool can do, and what looks like a mistake.
#ifndef PKM_ROBOT_INSPECTION_H
#define PKM_ROBOT_INSPECTION_H

#include "robot/robot.h"
#include "table/result.h"

/// A place on a body where joints sit.
typedef struct pkm_joint_place {
    pkm_vec3 at; ///< [m], body axes
    int joint;   ///< the first that sits there
} pkm_joint_place;

typedef struct pkm_inspection {
    pkm_joint_place* place; ///< those of all bodies, one behind the other
    int* place_at;          ///< [n_body + 1] where those of a body of the description begin
    pkm_vec3 low, high;     ///< box around all joints, points and shapes at home [m], world axes
    pkm_vec3 com;           ///< centre of mass of all bodies at home [m], world axes
    double* joint_reach;    ///< [n_body of the description] largest distance between two joints [m]
    double* extent;         ///< [n_body] the same with points, centre of mass and shapes
    int tool_freedoms;      ///< in how many ways the tool can move; PKM_NONE without a tool
    bool holds;             ///< the drives hold the robot at home:
    double force[PKM_MAX_DRIVE]; ///< by these forces at rest [N, N m]
    pkm_error why_not;           ///< when they do not
    pkm_warnings warnings;       ///< those of reading included
} pkm_inspection;

/// Inspect a robot, which is left at home.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_inspection_create(pkm_robot* robot, pkm_inspection** out,
                                               pkm_error* err);
void pkm_inspection_free(pkm_inspection* inspection);

/// All of it, with what the robot is: the answer of `pkm check`.
void pkm_inspection_result(const pkm_robot* robot, const pkm_inspection* from, pkm_result* out);

#endif
