/// A mechanism: the description compiled to a spanning tree of joints plus closure rows. Constant,
/// flat, in one block, shareable between threads.
///
/// Coordinates (docs/theory/engine.md, section 1). A tree joint has positions q and velocities v:
///
///     revolute, prismatic   1, 1      angle or displacement and its rate
///     cylindrical           2, 2      angle, displacement
///     universal             2, 2      angles about the first and the second axis
///     planar                3, 3      x, y, angle
///     spherical             4, 3      unit quaternion; angular velocity in the axes of the child's
///     frame free                  7, 6      position in the parent's frame, quaternion; their
///     rates
///
/// A loop is cut at a joint; the cut joint becomes rows c(q) = 0, each the work of one wrench.
///
/// A body that bends has modal coordinates behind those of its joint. Each place on it where a
/// joint or marker sits is a frame: a massless body without coordinates of its own, which the modes
/// move.
#ifndef PKM_MECHANISM_MECHANISM_H
#define PKM_MECHANISM_MECHANISM_H

#include "math/quat.h"
#include "pkm/joint_type.h"
#include "pkm/status.h"

struct pkm_description;

/// A body and the tree joint that carries it. Body 0 is the ground.
typedef struct pkm_body {
    const char* name;
    int desc;      ///< index in the description
    int link;      ///< the same; of a piece of a link that of the whole
    int parent;    ///< tree parent, smaller than the body's own index
    int joint;     ///< the joint it hangs on, PKM_NONE: floats freely
    bool reversed; ///< the child is side a of the joint, not side b
    pkm_joint_type type;
    double pitch; ///< of a screw [m/rad]
    int q_at, v_at, n_q, n_v;
    pkm_vec3 at_parent, at_child;     ///< joint frame's origin in parent and child axes
    pkm_mat3 axes_parent, axes_child; ///< joint frame's axes in parent and child axes
    bool child_aligned;               ///< axes_child is the identity
    double mass;
    pkm_vec3 com;
    double inertia[6];                  ///< about the COM, body axes: xx yy zz xy xz yz
    const struct pkm_modal_body* modal; ///< how it bends; NULL: it is rigid
    int z_at, e_at; ///< its modal coordinates in q, their rates in v; of a frame those of its body
    int frame;      ///< of the bending body `parent` that this massless body is; else PKM_NONE
    int s_at;       ///< motion columns of a frame, one per mode
} pkm_body;

/// A planar joint read from its side b: its coordinates stay those of side a.
static inline bool pkm_body_is_planar_back(const pkm_body* body)
{
    return body->type == PKM_JOINT_PLANAR && body->reversed;
}

/// A body that hangs on nothing: shifts along the axes of the world, turns about its own.
static inline bool pkm_body_floats(const pkm_body* body)
{
    return body->type == PKM_JOINT_FREE && body->joint == PKM_NONE && body->parent == 0;
}

typedef struct pkm_joint {
    const char* name;
    pkm_joint_type type;
    int body_a, body_b;        ///< in tree order
    pkm_pose frame_a, frame_b; ///< in body axes
    pkm_mat3 axes_a, axes_b;
    int tree_body; ///< the body that hangs on it, PKM_NONE: it is cut, or released and not driven
    bool released; ///< it holds nothing: contact acts instead
    int row_at, n_row; ///< closure rows when it is cut
    double length;     ///< of a massless rod [m]
    double pitch;      ///< of a screw [m/rad]
    int drive;         ///< for driven distances, whose row is a drive row; else PKM_NONE
    double limit[2];
    double swing;
} pkm_joint;

typedef struct pkm_drive {
    const char* name;
    int joint;
    int v_index; ///< tree velocity it drives; PKM_NONE for a driven distance
    int q_index;
    double sign, zero; ///< position = sign * tree coordinate + zero; 1, -1, of a screw driven along
                       ///< its axis the pitch [m/rad]
    bool is_rotary;
    double position_limit[2], velocity_limit, acceleration_limit, jerk_limit, force_limit;
    double home; ///< NaN when not given
} pkm_drive;

/// A point or frame that outputs and tools see.
typedef struct pkm_marker {
    const char* name;
    int body;
    pkm_pose pose;
    pkm_mat3 axes;
} pkm_marker;

typedef enum pkm_row_kind {
    PKM_ROW_CLOSURE, ///< component of a cut joint
    PKM_ROW_DRIVE,   ///< a drive has its prescribed position
    PKM_ROW_TOOL,    ///< a component of the tool has its prescribed position
    PKM_ROW_SPIN,    ///< a rod between two ball joints does not spin about its own line
    PKM_ROW_HOLD,    ///< an idle tree coordinate keeps its value
} pkm_row_kind;

/// One scalar equation. Its Jacobian has entries in the velocities on the way from body b and from
/// body a up to their common ancestor: `column[at .. at + n_b)` belong to b, the next n_a to a.
typedef struct pkm_row {
    pkm_row_kind kind;
    int item;      ///< joint, drive, body or velocity
    int component; ///< of the item, see rows.c
    int body_a, body_b;
    int at, n_b, n_a;
    double weight; ///< compares lengths with angles: 1 / size of the robot for lengths, else 1
} pkm_row;

/// The tool rows prescribe these components, in this order.
enum { PKM_TOOL_X, PKM_TOOL_Y, PKM_TOOL_Z, PKM_TOOL_RX, PKM_TOOL_RY, PKM_TOOL_RZ, PKM_TOOL_ALL };

/// The line through the two balls of a rod, in its body axes.
typedef struct pkm_rod_line {
    pkm_vec3 at, along; ///< the first ball; unit
    double length;
} pkm_rod_line;

typedef struct pkm_mechanism {
    const char* name;
    int n_body, n_joint, n_drive, n_marker;
    int n_q, n_v;
    int n_motion;  ///< motion columns: one per velocity, then those of the frames
    int n_closure; ///< closure rows, first in `row`
    int n_row;     ///< closures, drives, six tool rows, spins, holds
    int drive_row_at, tool_row_at, spin_row_at, hold_row_at;
    int n_spin;   ///< bodies between two ball joints
    int n_column; ///< length of `column`
    pkm_vec3 gravity;
    double total_mass;
    double size; ///< a length of the robot [m]: largest distance of a joint from its body's origin
    double gap_limit;    ///< gap of redundant closures that counts as closed [size, rad]; 0: none
    int tool;            ///< marker, PKM_NONE
    unsigned tool_moves; ///< as written; 0: found by rank analysis
    double length_scale; ///< NaN when not stated
    int n_output;

    pkm_body* body;
    pkm_joint* joint;
    pkm_drive* drive;
    pkm_marker* marker;
    pkm_row* row;
    int* column;
    int* motion;             ///< [n_column] the motion column of each entry
    int* output;             ///< marker indices
    int* body_of_desc;       ///< tree index of a body of the description
    pkm_rod_line* spin_line; ///< [n_spin] from one ball centre to the other
    double* q_guess;         ///< coordinates of the guessed poses
    double* q_unit;          ///< [n_q] size of the robot for lengths, 1 for angles and quaternions
    double* v_unit;          ///< [n_v] the same for velocities
    char* text;              ///< the names
} pkm_mechanism;

/// The limit below which rows count as dependent: rounded dimensions make redundant closures nearly
/// so only.
static inline double pkm_rank_limit(const pkm_mechanism* mech, double limit)
{
    return limit > 10.0 * mech->gap_limit ? limit : 10.0 * mech->gap_limit;
}

/// Compile a description. Chooses the spanning tree: driven joints always in it, limbs as short as
/// possible, a platform (a body on which three or more limbs meet) as a floating root of its own.
/// @return PKM_ERR_MODEL for a body no joint reaches or driven joints that close a loop.
PKM_NODISCARD pkm_status pkm_mechanism_compile(const struct pkm_description* desc,
                                               pkm_mechanism** out, pkm_error* err);
void pkm_mechanism_free(pkm_mechanism* mech);

/// Coordinates q of the tree joints when the bodies have the poses `pose` [n_body of the
/// description]; modal coordinates are left as they are.
void pkm_mechanism_coordinates(const pkm_mechanism* mech, const pkm_pose* pose, double* q);

/// Is the residual of row `r` a length [m]? Else it is an angle.
bool pkm_row_is_length(const pkm_mechanism* mech, int r);

/// The joint called `name`, or PKM_NONE; likewise for drives.
int pkm_mechanism_find_joint(const pkm_mechanism* mech, const char* name);
int pkm_mechanism_find_drive(const pkm_mechanism* mech, const char* name);

#endif
