/// Other postures of a robot: all working modes for the tool's pose, all assembly modes for the
/// drives' positions, each with its coordinates, so that it can be shown and taken.
#ifndef PKM_ROBOT_POSTURES_H
#define PKM_ROBOT_POSTURES_H

#include "robot/assembly_modes.h"

typedef struct pkm_posture {
    char label[PKM_CLOSED_LABEL]; ///< in words; "" when no closed form tells
    pkm_pose tool;
    double drive[PKM_MAX_DRIVE]; ///< [m, rad]
    bool is_present;             ///< the robot stands so
} pkm_posture;

/// Postures with the tool where it is (PKM_GIVEN_TOOL) or the drives where they are
/// (PKM_GIVEN_DRIVES), the present one first: by the closed form where there is one, else searched
/// for (assembly_modes.h). `out` has room for PKM_MAX_ASSEMBLY_MODE, `q` for as many times n_q
/// coordinates. The robot stays where it is, at rest.
/// @return PKM_ERR_MODEL when drives or tool cannot be prescribed; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_postures_find(pkm_robot* robot, pkm_given given, pkm_posture* out,
                                           double* q, int* n, pkm_error* err);

/// Stand at the coordinates q [n_q], at rest.
/// @return PKM_ERR_SINGULAR at a parallel singularity (it stands there all the same);
///         PKM_ERR_ARGUMENT for coordinates that are not finite or do not close the loops: the
///         robot then stays where it was.
PKM_NODISCARD pkm_status pkm_robot_stand(pkm_robot* robot, const double* q, pkm_error* err);

#endif
