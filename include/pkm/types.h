/// Small values used by every part: vectors, unit quaternions, poses.
#ifndef PKM_TYPES_H
#define PKM_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PKM_MAX_DRIVE = 16, ///< drives of one robot
    PKM_MAX_NAME = 96,  ///< length of a name with its terminator
    PKM_NONE = -1,      ///< the null index
};

typedef struct pkm_vec3 {
    double x, y, z;
} pkm_vec3;

/// Unit quaternion, Hamilton convention, body to world: v_w = q v_b q*.
typedef struct pkm_quat {
    double w, x, y, z;
} pkm_quat;

/// Position [m] and orientation of a frame in another one.
typedef struct pkm_pose {
    pkm_vec3 p;
    pkm_quat q;
} pkm_pose;

/// The motion of a frame at one instant, in world axes: pose, velocity of its origin [m/s], angular
/// velocity [rad/s], acceleration of its origin [m/s2], angular acceleration [rad/s2].
typedef struct pkm_frame_motion {
    pkm_pose pose;
    pkm_vec3 v, w;
    pkm_vec3 a, alpha;
} pkm_frame_motion;

#ifdef __cplusplus
}
#endif
#endif
