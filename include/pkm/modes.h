/// Robots with flexible links about a pose: natural frequencies and stiffness at the tool.
/// Theory: docs/theory/modes.md.
///
///     const pkm_flexible_choice choice = {.flexible = "'*': {elements: 8}", .hold = "locked"};
///     pkm_status status = pkm_frequencies_at(robot, &choice, 10, table, &err);
#ifndef PKM_MODES_H
#define PKM_MODES_H

#include "pkm/robot.h"
#include "pkm/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What bends and what holds, in the words of a run file (docs/reference/run-file.md).
typedef struct pkm_flexible_choice {
    const char* flexible; ///< value of the key `flexible`; NULL: every link that can bend
    const char* hold;     ///< of the key `hold`, what drives do; NULL: they are locked
    const char* loads;    ///< of the key `loads`: springs, bushings, forces; NULL: none
    bool weight;          ///< with the stiffness that static forces bring
    pkm_vec3 tool_force;  ///< static, on the tool, world axes [N]
    pkm_vec3 tool_torque; ///< [N m]
} pkm_flexible_choice;

/// The `n_mode` lowest natural frequencies in the present configuration (fewer when there are not
/// so many): one row per mode, rising. Columns: mode, f [Hz], omega [rad/s]; shares of the strain
/// energy axial, bending, torsion, drives, springs, and prestress, the work of static forces over
/// it; for each body <body>.axial .bending .torsion and its share of the kinetic energy .kinetic.
///
/// `choice` NULL: all of its defaults. `table` has no columns on entry.
/// @return PKM_ERR_MODEL when nothing can move or a link cannot bend, naming it; PKM_ERR_SYNTAX for
///         a choice that cannot be read; PKM_ERR_SINGULAR when static forces make the robot
///         unstable or meet no stiffness; PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_frequencies_at(pkm_robot* robot,
                                                    const pkm_flexible_choice* choice, int n_mode,
                                                    pkm_table* table, pkm_error* err);

/// How the tool yields, world axes; matrices are 6 x 6 over x y z rx ry rz [m, rad; N, N m].
typedef struct pkm_tool_stiffness {
    double compliance[36]; ///< column-major, symmetric
    double stiffness[36];  ///< its inverse
    bool is_rigid;         ///< some direction does not yield at all: `stiffness` is not set
    double deflection[6];  ///< under the tool force of the choice
    double sag[6];         ///< under the weight of the robot
} pkm_tool_stiffness;

/// The stiffness at the tool in the present configuration. Statuses as above; PKM_ERR_ARGUMENT for
/// a robot without tool.
PKM_API PKM_NODISCARD pkm_status pkm_tool_stiffness_at(pkm_robot* robot,
                                                       const pkm_flexible_choice* choice,
                                                       pkm_tool_stiffness* out, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
