/// A robot ready for analysis: read, compiled, assembled at home, its structure known, its closed
/// form bound.
#ifndef PKM_ANALYSIS_ROBOT_H
#define PKM_ANALYSIS_ROBOT_H

#include "closed/closed.h"
#include "dynamics/assembly.h"
#include "dynamics/structure.h"
#include "model/description.h"

typedef struct pkm_robot {
    pkm_description* desc;
    pkm_mechanism* mech;
    pkm_state* state; ///< work state; at home after loading
    double* q_home;   ///< [n_q]
    double drive_home[PKM_MAX_DRIVE];
    double* follow_work; ///< [3 n_q + 2 n_v] work of following a motion
    pkm_pose tool_home;  ///< identity without a tool
    pkm_structure structure;
    pkm_assembly_report assembly;
    pkm_closed* closed;            ///< NULL when none is bound
    pkm_closed_config closed_home; ///< the closed form's configuration at home
} pkm_robot;

/// Read and prepare the robot in `path`.
///
/// A robot whose drives do not hold it (see structure.n_uncontrolled) loads; analyses that need the
/// drives refuse it with pkm_robot_require_drives.
/// @return statuses of pkm_description_read; PKM_ERR_ASSEMBLY naming the joint and its gap.
PKM_NODISCARD pkm_status pkm_robot_load(const char* path, const pkm_override* set, int n_set,
                                        pkm_robot** out, pkm_error* err);
void pkm_robot_free(pkm_robot* robot);

/// Put the work state back to home, at rest.
void pkm_robot_go_home(pkm_robot* robot);

/// PKM_OK when the drives determine the motion here; PKM_ERR_MODEL or PKM_ERR_SINGULAR otherwise.
PKM_NODISCARD pkm_status pkm_robot_require_drives(const pkm_robot* robot, pkm_error* err);
/// PKM_OK when the tool can be prescribed.
PKM_NODISCARD pkm_status pkm_robot_require_tool(const pkm_robot* robot, pkm_error* err);

/// The motion called `name` (NULL: the only or first one); PKM_ERR_ARGUMENT lists the names.
PKM_NODISCARD pkm_status pkm_robot_find_motion(pkm_robot* robot, const char* name, pkm_motion** out,
                                               int* index, pkm_error* err);

/// Unit of drive `d` at the given derivative: 0 "m" or "rad", 1 "m/s" ..., -1 the force "N", "N m".
const char* pkm_robot_drive_unit(const pkm_robot* robot, int d, int derivative);

/// The part of a marker's name behind the last dot.
const char* pkm_short_name(const char* name);

#endif
