/// The kinds of joints.
#ifndef PKM_JOINT_TYPE_H
#define PKM_JOINT_TYPE_H

#include "pkm/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A joint connects frame a (on body a) with frame b (on body b).
typedef enum pkm_joint_type {
    PKM_JOINT_FIXED,       ///< b coincides with a
    PKM_JOINT_REVOLUTE,    ///< b turns about a.z = b.z; coordinate: angle from a.x to b.x
    PKM_JOINT_PRISMATIC,   ///< b slides along a.z; coordinate: a.z . (b - a); axes stay parallel
    PKM_JOINT_CYLINDRICAL, ///< b turns about and slides along a.z; coordinates: angle, displacement
    PKM_JOINT_UNIVERSAL, ///< origins coincide, a.z (first axis) stays perpendicular to b.z (second)
    PKM_JOINT_SPHERICAL, ///< origins coincide
    PKM_JOINT_PLANAR,    ///< b moves in the plane a.x a.y and turns about a.z; x, y, angle
    PKM_JOINT_DISTANCE,  ///< massless rod: |b - a| is constant, or driven
    PKM_JOINT_SCREW,     ///< b turns about a.z and slides along it by lead/2pi per radian; angle
    PKM_JOINT_FREE,      ///< b moves as it likes: six freedoms
    PKM_JOINT_LOOSE, ///< a driven joint with clearance in its bearing; made by runs, not in models
} pkm_joint_type;

/// Freedoms of a joint of this type: 0 for fixed, 5 for distance, 6 for free.
PKM_API int pkm_joint_freedoms(pkm_joint_type type);
/// The type in words: "revolute".
PKM_API const char* pkm_joint_type_name(pkm_joint_type type);
/// Our name of a joint that others call `word` ("ball" is "spherical"); NULL when nobody does.
PKM_API const char* pkm_joint_type_alias(const char* word);

/// What a joint of a type can be given beside its points and axis.
enum {
    PKM_JOINT_HAS_LIMITS = 1u,
    PKM_JOINT_HAS_SWING = 2u,
    PKM_JOINT_HAS_LENGTH = 4u,
    PKM_JOINT_HAS_LEAD = 8u,
    PKM_JOINT_HAS_TWO_AXES = 16u,
};
PKM_API unsigned pkm_joint_type_has(pkm_joint_type type);

/// The name of coordinate `k` that a drive of such a joint can have ("angle"), NULL past the last.
PKM_API const char* pkm_joint_coordinate_name(pkm_joint_type type, int k);
/// Is it an angle [rad], else a length [m]?
PKM_API bool pkm_joint_coordinate_is_angle(pkm_joint_type type, int k);

#ifdef __cplusplus
}
#endif

#endif
