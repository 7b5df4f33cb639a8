/// The shortest time for the path of a motion within the limits of drives and tool: by stretching
/// its law evenly, and by the best speed along the path (docs/theory/motion.md, section 6).
#ifndef PKM_ROBOT_FASTEST_H
#define PKM_ROBOT_FASTEST_H

#include "pkm/table.h"
#include "robot/robot.h"

typedef struct pkm_fastest_limits {
    double force[PKM_MAX_DRIVE];        ///< [N, N m]; infinite: none
    double velocity[PKM_MAX_DRIVE];     ///< [m/s, rad/s]
    double acceleration[PKM_MAX_DRIVE]; ///< [m/s2, rad/s2]
    double jerk[PKM_MAX_DRIVE];         ///< [m/s3, rad/s3]
    double tool_speed;                  ///< [m/s]
    double tool_acceleration;           ///< [m/s2]
    double tool_jerk;                   ///< [m/s3]
} pkm_fastest_limits;

/// Those of the model; none for jerks and the tool.
pkm_fastest_limits pkm_fastest_limits_of(const pkm_robot* robot);

enum { PKM_FASTEST_POINTS = 1000 };

typedef struct pkm_fastest_settings {
    pkm_fastest_limits limits;
    int n_point;                      ///< along the path, at least 10
    pkm_vec3 tool_force, tool_torque; ///< on the tool, world axes [N, N m]
} pkm_fastest_settings;

typedef struct pkm_fastest {
    double given;     ///< duration of the motion as it is written [s]
    double stretched; ///< with its law, within the limits [s]
    double best;      ///< along its path, whatever the jerk [s]
    double smooth;  ///< by an S-curve along its path, within the limits of jerk too [s]; NaN: they
                    ///< were not asked for
    double busiest; ///< largest use of a limit on the way, 1 is all of it
    int n_switch;   ///< changes of the limit that rules
} pkm_fastest;

/// Find both. `table` (without columns) receives the fastest motion: t, u (way in drive space), per
/// drive .q .v .a .force, the tool's .speed .acc, and `use`, the largest part of a limit; with
/// limits of jerk that of the S-curve. These do not count for `stretched`.
///
/// @return PKM_ERR_UNDETERMINED when nothing limits the motion; PKM_ERR_UNREACHABLE when the drives
///         cannot hold the robot somewhere; PKM_ERR_ARGUMENT for a motion that rests on the way;
///         what following the motion returns; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_fastest_find(pkm_robot* robot, int motion,
                                          const pkm_fastest_settings* settings, pkm_table* table,
                                          pkm_fastest* out, pkm_error* err);

#endif
