/// What the searches for the shortest time share; only fastest*.c include it.
#ifndef PKM_ROBOT_FASTEST_IMPL_H
#define PKM_ROBOT_FASTEST_IMPL_H

#include "robot/continuation.h"
#include "robot/fastest.h"

/// The path at one place, by its length u in drive space: q, dq/du, d2q/du2 and the tool's, forces
/// F = m u'' + c u'^2 + g (25).
typedef struct pkm_fastest_place {
    double u;
    double q[PKM_MAX_DRIVE], d1[PKM_MAX_DRIVE], d2[PKM_MAX_DRIVE];
    double m[PKM_MAX_DRIVE], c[PKM_MAX_DRIVE], g[PKM_MAX_DRIVE];
    pkm_vec3 x0;     ///< where the tool is [m]
    pkm_vec3 x1, x2; ///< its dx/du, d2x/du2
    double reach;    ///< largest u'^2 from which the end can be reached within the limits
    double z;        ///< u'^2
    double w;        ///< u''
    double t;        ///< [s]
    double jerk_use; ///< largest part of a limit of jerk
} pkm_fastest_place;

typedef struct pkm_fastest_search {
    pkm_robot* robot;
    const pkm_fastest_settings* settings;
    pkm_follower follower;
    const char* name; ///< of the motion
    double end;       ///< [s]
    int n, n_drive;
    pkm_fastest_place* place; ///< [n + 1]
    int n_fine;               ///< instants of the first walk
    double *way, *speed;      ///< [n_fine + 1] length up to there, |dq/dt|
    double stretch;           ///< least factor on the duration
    bool limits_jerk;         ///< of a drive or the tool
} pkm_fastest_search;

/// The shortest of the S-curves along the path (docs/theory/motion.md, section 6): its duration
/// [s], and u'^2 and u'' of all places by it. Needs the second walk.
double pkm_fastest_smooth(pkm_fastest_search* s);

#endif
