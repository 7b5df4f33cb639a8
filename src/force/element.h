/// Force elements: what puts wrenches on bodies, behind one table of verbs.
///
///     states   how many further states z it has
///     wrench   its wrench, with the energy it stores and the powers it takes (power)
///     slopes   how its force changes with small displacements: for the linear analyses
///     breaks   the times at which it jumps or kinks, and the gap at which it changes its law
///
/// An element is one file with its data, verbs and keys, and one line in PKM_ELEMENTS.
/// Equations: docs/theory/forces.md.
#ifndef PKM_FORCE_ELEMENT_H
#define PKM_FORCE_ELEMENT_H

#include "math/quat.h"
#include "math/spatial.h"
#include "pkm/joint_type.h"
#include "pkm/status.h"

#include <stddef.h>

/// Where an element sits, which decides what it is told of the motion.
typedef enum pkm_element_place {
    PKM_AT_MARKER,       ///< on the body of one marker, from outside
    PKM_BETWEEN_MARKERS, ///< between the bodies of two
    PKM_ON_COORDINATE,   ///< of a revolute or prismatic joint
    PKM_IN_JOINT,        ///< from the reaction that an ideal joint carries
    PKM_IN_BEARING,      ///< between the surfaces of a joint with clearance
} pkm_element_place;

/// Where a marker is and how its body moves: the twist is about the world origin in world axes.
typedef struct pkm_marker_motion {
    pkm_pose pose;
    pkm_twist twist;
} pkm_marker_motion;

/// What an element is told; what its place does not name is not set.
typedef struct pkm_element_motion {
    double t;               ///< [s]
    pkm_marker_motion a, b; ///< between markers; at a marker: b
    double q, v;            ///< on a coordinate [m, rad], [m/s, rad/s]
    pkm_vec3 at, axis;      ///< its line in the world
    pkm_joint_type type;    ///< of the joint: on a coordinate, in a joint, in a bearing
    const struct pkm_joint_motion* joint;    ///< in a joint
    const struct pkm_clearance_motion* pair; ///< in a bearing, with what its contacts remember
    const struct pkm_contact_memory* memory;
} pkm_element_motion;

/// What an element between two bodies does. Body a gets the opposite wrench.
typedef struct pkm_pair_force {
    pkm_wrench on_b;   ///< about the world origin in world axes
    double energy;     ///< stored [J]
    double dissipated; ///< power lost in the damper [W], >= 0
} pkm_pair_force;

/// In which direction a force and the displacement that belongs to it act.
typedef enum pkm_slope_kind {
    PKM_SLOPE_LINE,       ///< along the line of the two markers
    PKM_SLOPE_SHIFT,      ///< along an axis of marker a
    PKM_SLOPE_TURN,       ///< about an axis of marker a
    PKM_SLOPE_COORDINATE, ///< on the coordinate of the joint
} pkm_slope_kind;

/// One direction of an element: its force rises by stiffness dx + damping dx'.
typedef struct pkm_element_slope {
    pkm_slope_kind kind;
    int axis; ///< 0 .. 2, shifts and turns
    double stiffness, damping;
    double force; ///< at rest, the derivative of the energy by the displacement [N, N m]
} pkm_element_slope;

enum { PKM_ELEMENT_SLOPES = 6, PKM_ELEMENT_SIZE = 512 };

typedef struct pkm_element_type {
    const char* word; ///< its key in a file; elements of several places may share it
    pkm_element_place place;
    bool is_one_sided;         ///< its law changes with the sign of its gap: linear at a pose only
    const struct pkm_key* key; ///< of its map in a file (model/key.h); NULL: read in its own way
    /// Complain about numbers out of range; NULL: keys say all.
    pkm_status (*check)(const void* data, const char* name, pkm_error* err);
    /// NULL: none.
    int (*states)(const void* data, pkm_joint_type type);
    /// Elements in joints and bearings write their own struct to `out` (pkm_joint_friction_force,
    /// pkm_clearance_force), the others a pkm_pair_force.
    void (*wrench)(const void* data, const pkm_element_motion* motion, const double* z, void* out);
    /// Its directions; returns how many. NULL: no linear analysis takes it, or it has none.
    int (*slopes)(const void* data, const pkm_element_motion* motion,
                  pkm_element_slope out[PKM_ELEMENT_SLOPES]);
    /// The first time > t at which it jumps or kinks; NULL: never.
    double (*breaks)(const void* data, double t);
    /// Changes its law where this passes zero [m]; NULL: nowhere.
    double (*gap)(const void* data, const pkm_element_motion* motion);
    /// Can it turn its bodies about their markers? NULL: no.
    bool (*twists)(const void* data);
} pkm_element_type;

/// The types in the order of messages and documentation; NULL past the last.
const pkm_element_type* pkm_element_type_at(int i);

/// One element of a robot or a run.
typedef struct pkm_element {
    const char* name;
    const pkm_element_type* type;
    int marker_a, marker_b; ///< of the mechanism; loads act on b
    int joint;              ///< on a coordinate
    union {                 ///< its own struct
        double aligned;
        unsigned char data[PKM_ELEMENT_SIZE];
    };
} pkm_element;

/// Number of states of an element.
int pkm_element_states(const pkm_element_type* type, const void* data, pkm_joint_type joint);

/// All elements, each in its file: the one list.
#define PKM_ELEMENTS(X)                                                                            \
    X(load)         /* load.c */                                                                   \
    X(spring)       /* spring.c */                                                                 \
    X(joint_spring) /* joint_spring.c */                                                           \
    X(bushing)      /* bushing.c */                                                                \
    X(cable)        /* cable.c */                                                                  \
    X(friction)     /* joint_friction.c */                                                         \
    X(contact)      /* clearance_force.c */

#define PKM_ELEMENT_DECLARE(name) extern const pkm_element_type pkm_element_##name;
PKM_ELEMENTS(PKM_ELEMENT_DECLARE)
#undef PKM_ELEMENT_DECLARE

#endif
