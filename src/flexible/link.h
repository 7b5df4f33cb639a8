/// A link of the description as a free mesh of beams in body axes: docs/theory/modes.md, section 1.
#ifndef PKM_FLEXIBLE_LINK_H
#define PKM_FLEXIBLE_LINK_H

#include "flexible/spec.h"
#include "model/description.h"
#include "model/mass.h"

/// A joint frame or marker of the link, on its node or at the end of a rigid arm.
typedef struct pkm_flexible_frame {
    int joint;       ///< of the description, or PKM_NONE: a marker that no joint uses here
    bool is_weld;    ///< the next piece of the link sits here
    bool is_held;    ///< the joint leads to the ground by other bodies (held.h)
    bool is_clamped; ///< it does, and holds the link against turning
    pkm_mass hangs;  ///< where it does not: the bodies that hang on the link there, body axes
    int side;        ///< of the joint: 0 for a, 1 for b
    int marker;      ///< of the description
    pkm_pose pose;   ///< in body axes; of joints that of the joint frame
    int node;        ///< of the mesh
    pkm_vec3 offset; ///< from the node, body axes [m]
} pkm_flexible_frame;

/// A place on the mesh.
typedef struct pkm_flexible_place {
    int element;
    double xi; ///< 0 .. 1
} pkm_flexible_place;

typedef struct pkm_flexible_link {
    int body; ///< of the description
    const char* name;
    pkm_beam_mesh* mesh;
    double length;         ///< of all centre lines [m]
    double density_factor; ///< densities were scaled by this to meet the body's mass
    int n_joint, n_frame;  ///< frames of joints come first
    pkm_flexible_frame* frame;
    pkm_flexible_place middle;                        ///< half-way between the ends
    pkm_flexible_place place[PKM_FLEXIBLE_MAX_PLACE]; ///< those of the spec
} pkm_flexible_link;

/// Make the body `body` of `desc` a mesh.
///
/// Its bars (rods, tubes, long boxes) are lines of elements with the section and the material of
/// the shape; other shapes are lumps on the nearest node. Joints, markers and ends of other bars
/// split a line; frames beside it hang on the nearest node by a rigid arm. The body's mass rules:
/// the densities are scaled to it; payloads are lumps where they are.
///
/// @return PKM_ERR_MODEL, naming the body: no bar, no material, no mass, no joint, bars that do not
///         touch; PKM_ERR_ARGUMENT for a spec out of range; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_flexible_link_mesh(const pkm_description* desc, int body,
                                                const pkm_flexible_spec* spec,
                                                pkm_flexible_link** out, pkm_error* err);
void pkm_flexible_link_free(pkm_flexible_link* link);

/// Has the body a mass and a bar of an elastic material?
bool pkm_flexible_possible(const pkm_description* desc, int body, const pkm_flexible_spec* spec);

/// Is the link massless in the model, so that as a flexible one it has the mass of its shapes?
bool pkm_flexible_is_weighed(const pkm_desc_body* body);

/// The frame of a joint's side, of a marker; PKM_NONE.
int pkm_flexible_link_joint(const pkm_flexible_link* link, int joint, int side);
int pkm_flexible_link_marker(const pkm_flexible_link* link, int marker);

/// Does the joint of the frame hold the link against turning: fixed, prismatic or driven?
bool pkm_flexible_holds_turns(const pkm_description* desc, const pkm_flexible_frame* frame);

/// Displacement and small rotation of a frame when the mesh has the coordinates q, rigid arm
/// included.
void pkm_flexible_frame_motion(const pkm_flexible_link* link, const double* q, int frame,
                               pkm_vec3* d, pkm_vec3* r);

#endif
