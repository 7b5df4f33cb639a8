/// All facts of a joint type, in one table: what it is called, its coordinates, what it holds, how
/// its frame moves. A new type is a value of pkm_joint_type, a line of the table and, where no
/// existing kind of motion serves, a case of pkm_joint_cross and pkm_joint_guess.
#ifndef PKM_MECHANISM_JOINT_H
#define PKM_MECHANISM_JOINT_H

#include "math/quat.h"
#include "math/spatial.h"
#include "pkm/joint_type.h"

/// A turn that a joint holds: axis u of frame a stays perpendicular to axis w of frame b.
typedef struct pkm_turn_pair {
    int u, w; ///< axes 0 x, 1 y, 2 z
} pkm_turn_pair;

/// A coordinate of a joint.
typedef struct pkm_joint_coordinate_facts {
    const char* name; ///< as drives call it
    bool is_length;   ///< [m], else [rad]
    int axis;         ///< of frame a, along or about which: 0 x, 1 y, 2 z
} pkm_joint_coordinate_facts;

/// How the pose of frame b in frame a follows from the coordinates.
typedef enum pkm_joint_kind {
    PKM_MOVES_NOT,   ///< no coordinates
    PKM_MOVES_AXIS,  ///< turns about and slides along z: revolute, prismatic, cylindrical, screw
    PKM_MOVES_CROSS, ///< two turns, about a.z and b.z
    PKM_MOVES_PLANE, ///< x, y, angle
    PKM_MOVES_BALL,  ///< quaternion
    PKM_MOVES_FREE,  ///< position, quaternion
    PKM_MOVES_LOOSE, ///< position, turns about x, y, z one after the other
} pkm_joint_kind;

typedef struct pkm_joint_facts {
    const char* name;
    int n_q, n_v;  ///< positions and velocities in the tree
    int n_row;     ///< constraints: closure rows when it is cut
    int n_lengths; ///< the first so many of the coordinates of a plane or free body are lengths
    pkm_joint_kind motion;
    int angle, slide; ///< PKM_MOVES_AXIS: which coordinate is the angle, which the displacement;
                      ///< PKM_NONE: none
    int quaternion;   ///< where it is in q, PKM_NONE

    // what it holds (docs/theory/engine.md, section 2), in the order of its rows
    int n_world;  ///< 3: the origins meet, as shifts along world axes
    int n_shift;  ///< else shifts along axes of a
    int shift[2]; ///< which
    int n_turn;
    pkm_turn_pair turn[3];

    bool is_rod;     ///< a massless rod: its only constraint is a length; never in the tree
    bool is_kept;    ///< always in the tree: no closure rows exist
    bool has_limits; ///< of its one coordinate (or length)
    bool is_wrapped; ///< that coordinate is an angle within one turn
    bool has_swing;  ///< a cone about its axis
    bool has_lead;   ///< displacement per turn
    int n_drivable;  ///< coordinates that a drive can have
    pkm_joint_coordinate_facts coordinate[3];
} pkm_joint_facts;

const pkm_joint_facts* pkm_joint_facts_of(pkm_joint_type type);

/// Of a loose joint the coordinates along and about the axis of the joint that it was.
enum { PKM_LOOSE_SLIDE = 2, PKM_LOOSE_ANGLE = 5 };

/// Is coordinate (and velocity) `k` a length?
bool pkm_joint_is_length(pkm_joint_type type, int k);

/// Is closure row `k` a length [m], else a turn?
bool pkm_joint_row_is_length(pkm_joint_type type, int k);

/// The frame after the joint: `R`, `o` enter as the joint frame on the parent and leave as the one
/// on the child; `S` [n_v] are the motion columns (docs/theory/engine.md, table 1.1). `pitch` is
/// the displacement of a screw per radian [m/rad].
void pkm_joint_cross(pkm_joint_type type, double pitch, const double* q, pkm_mat3* R, pkm_vec3* o,
                     pkm_twist* S);

/// A planar joint whose side a is the child: x, y are where the parent's origin is in the child's
/// axes, the angle is that of the parent in them. The turn comes first, then the slides (1.10).
void pkm_joint_cross_planar_back(const double* q, pkm_mat3* R, pkm_vec3* o, pkm_twist* S);

/// Coordinates from the pose `rel` of the child's joint frame in the parent's. Of the turns of a
/// screw the one that fits its displacement best.
void pkm_joint_guess(pkm_joint_type type, double pitch, pkm_pose rel, double* q);

/// The coordinate of a joint with one freedom, or the length of a rod, from its frames in the
/// world: axes Ra, x of b, and d from a to b. Angles are within half a turn.
double pkm_joint_measure(pkm_joint_type type, double pitch, pkm_mat3 Ra, pkm_vec3 bx, pkm_vec3 d);

#endif
