/// A description: what the user wrote, names resolved, numbers in SI, places kept for messages.
/// Patterns are expanded, expressions evaluated, shapes turned into mass properties; nothing is
/// assembled.
#ifndef PKM_MODEL_DESCRIPTION_H
#define PKM_MODEL_DESCRIPTION_H

#include "base/memory.h"
#include "model/mass.h"
#include "pkm/robot.h"
#include "table/warnings.h"

/// A place in the model file, counted from 1.
typedef struct pkm_place {
    int line, column;
} pkm_place;

typedef enum pkm_shape_kind {
    PKM_SHAPE_NONE,
    PKM_SHAPE_ROD,      ///< solid round bar from `from` to `to`, radius
    PKM_SHAPE_TUBE,     ///< radius outside, inner_radius
    PKM_SHAPE_CYLINDER, ///< as rod (a disc is a short cylinder)
    PKM_SHAPE_BOX,      ///< centred at `from`, edge lengths `size`
    PKM_SHAPE_SPHERE,   ///< centred at `from`, radius
    PKM_SHAPE_MESH,     ///< closed triangle mesh
} pkm_shape_kind;

/// How a body looks; mass properties have been taken from it already where they were not given.
typedef struct pkm_desc_shape {
    pkm_shape_kind kind;
    pkm_vec3 from, to, size; ///< in body axes [m]
    pkm_quat turn;           ///< box: orientation of its edges in body axes
    double radius, inner_radius;
    double density; ///< [kg/m3], its own or that of the material; NaN when not given
    int material;   ///< PKM_NONE when not given
    const char* mesh_file;
    int n_triangle;
    const pkm_vec3* triangle; ///< 3 n_triangle corners in body axes
} pkm_desc_shape;

typedef struct pkm_desc_material {
    const char* name;
    double density, young, poisson; ///< kg/m3, Pa, 1; NaN when not given
} pkm_desc_material;

/// Body 0 is the ground: name "ground", no mass.
typedef struct pkm_desc_body {
    const char* name;
    double mass;       ///< [kg], payload included
    pkm_vec3 com;      ///< in body axes [m]
    double inertia[6]; ///< tensor about the COM, body axes: xx yy zz xy xz yz [kg m2]
    pkm_pose guess;    ///< where the body is, roughly, in the world
    int n_shape;
    int n_own_shape; ///< the first ones; those of payloads follow
    const pkm_desc_shape* shape;
    double load_mass;       ///< of the payloads alone [kg]
    pkm_vec3 load_com;      ///< their centre [m]
    double load_inertia[6]; ///< about it [kg m2]
    int part_of;            ///< the body of which this is a piece, in its axes; 0: it is whole
    pkm_place place;
} pkm_desc_body;

/// A point or frame on a body; full name "body.point".
typedef struct pkm_desc_marker {
    const char* name;
    int body;
    pkm_pose pose; ///< in body axes
    pkm_place place;
} pkm_desc_marker;

typedef struct pkm_desc_joint {
    const char* name;
    pkm_joint_type type;
    int body_a, body_b;
    int marker_a, marker_b;
    pkm_pose frame_a, frame_b; ///< joint frames in body axes; z is the axis (see pkm_joint_type)
    double length;             ///< of a massless rod [m]; NaN: as it is in the guess
    double lead;               ///< of a screw [m per turn]; negative: left-handed
    double limit[2];           ///< of the coordinate [m, rad]; -inf, inf when not given
    double swing;              ///< largest angle between a.z and b.z [rad]; inf when not given
    bool is_weld;              ///< between two pieces of a link, not of the file
    pkm_place place;
} pkm_desc_joint;

/// Drive position = sign * (joint coordinate) + zero.
typedef struct pkm_desc_drive {
    const char* name;
    int joint;
    int coordinate;    ///< of the joint, 0 for all one-freedom joints
    double sign, zero; ///< 1 or -1; [m, rad]
    bool is_rotary;    ///< position in rad, force in N m; else m and N
    double position_limit[2];
    double velocity_limit, acceleration_limit, jerk_limit, force_limit; ///< inf when not given
    double home; ///< position at home; NaN when not given
    pkm_place place;
} pkm_desc_drive;

/// What a printed number means: the value, or a bound that the value keeps ("more than 700 N").
typedef enum pkm_bound {
    PKM_BOUND_NONE,
    PKM_BOUND_ABOVE, ///< the value is larger
    PKM_BOUND_BELOW, ///< the value is smaller
} pkm_bound;

/// A named number that a paper prints, set beside ours.
typedef struct pkm_desc_published {
    const char* text;     ///< what it is, for people
    const char* where;    ///< table, figure, equation or section that prints it, or NULL
    const char* motion;   ///< which motion, or NULL
    const char* quantity; ///< see pkm_table_evaluate; NULL: only quoted
    double value;         ///< SI
    double tolerance;     ///< relative, above which the row is marked as different; default 0.01
    pkm_bound bound;      ///< what the number means
    const char* unit;     ///< unit of printing as written ("N", "mm"), "" when none
    double unit_factor;   ///< SI value = printed value * unit_factor
    const char* note;     ///< why it differs, or NULL
    bool chosen;          ///< the model was chosen to give it: shown, and never counted as met
    pkm_place place;
} pkm_desc_published;

/// A mass that a sequence picks up and drops, carried by the body of a marker, in its axes.
typedef struct pkm_desc_payload {
    const char* name;
    int marker;
    pkm_mass mass;
} pkm_desc_payload;

typedef struct pkm_desc_motion {
    pkm_motion* motion;
    int n_payload;
    pkm_desc_payload* payload; ///< what the sequence carries
    const char* text;          ///< description or NULL
    pkm_arena* arena;          ///< of one that was added: its own; NULL: that of the description
    bool is_over;              ///< nobody needs it any more
    double max_velocity, max_acceleration,
        max_jerk; ///< limits on the tool point; inf when not given
    pkm_place place;
} pkm_desc_motion;

typedef struct pkm_desc_parameter {
    const char* name;
    double value;     ///< SI
    const char* unit; ///< SI unit text of its dimension ("m", "rad", "kg", "1")
    bool is_derived;  ///< written as an expression of others
} pkm_desc_parameter;

typedef struct pkm_description {
    pkm_arena* arena;
    struct pkm_description* base;   ///< what this one is a view of; NULL: it is one itself
    int n_file_motion, room_motion; ///< motions of the file, which come first; room in the list
    const char* file;
    const char* name;
    const char* text;    ///< description, or ""
    const char* source;  ///< where the robot is published, or ""
    const char* content; ///< of the file, and the parameters that were overridden: to read it again
    const pkm_override* set;
    int n_set;
    char hash[17]; ///< 64-bit FNV-1a of the file's bytes and the overrides, in hexadecimal
    pkm_vec3 gravity;
    double assembly_tolerance; ///< gap that redundant closures may keep [m]; 0: none

    int n_parameter, n_material, n_body, n_marker, n_joint, n_drive, n_motion, n_published;
    pkm_desc_parameter* parameter;
    pkm_desc_material* material;
    pkm_desc_body* body;
    pkm_desc_marker* marker;
    pkm_desc_joint* joint;
    pkm_desc_drive* drive;
    pkm_desc_motion* motion;
    pkm_desc_published* published;

    int tool_marker;     ///< PKM_NONE when the file names no tool
    unsigned tool_moves; ///< bits 0..5 for x y z rx ry rz; 0: pkm finds out
    double length_scale; ///< stated length [m] that lets turns and shifts be compared; NaN: none
    int n_output;        ///< further markers whose position is written to tables
    const int* output;   ///< marker indices
    bool has_home_tool;  ///< home given as a tool pose rather than as drive positions
    bool has_home_rpy;   ///< ... with an orientation
    pkm_pose home_tool;

    const char* closed_family; ///< NULL when none
    int n_closed;              ///< parameters of the closed form as written
    const char** closed_name;
    double* closed_value; ///< SI
    pkm_place* closed_place;
    pkm_place closed_form_place;
    pkm_place home_place;
    pkm_warnings warnings; ///< what was read but is probably not meant
    _Atomic int n_share; ///< how many more free it: it goes with the last. Not copied: keep it last
} pkm_description;

/// Does `value` (SI) agree with the published one: within its tolerance, or on the side of its
/// bound? A number that was put in proves nothing and never does.
bool pkm_published_agrees(const pkm_desc_published* published, double value);
/// "met", "differs", "put in"; "" for no value (NaN).
const char* pkm_published_verdict(const pkm_desc_published* published, double value);

/// The keys of a model file, see model/key.h.
extern const struct pkm_section pkm_model_file;

/// Read a model file.
///
/// Every fault ends in one sentence with file, line and column (PKM_ERR_SYNTAX, PKM_ERR_MODEL,
/// PKM_ERR_FILE); nothing is printed.
PKM_NODISCARD pkm_status pkm_description_read(const char* path, const pkm_override* set, int n_set,
                                              pkm_description** out, pkm_error* err);
/// The same from text in memory; `name` stands for the file in messages.
PKM_NODISCARD pkm_status pkm_description_parse(const char* text, size_t length, const char* name,
                                               const pkm_override* set, int n_set,
                                               pkm_description** out, pkm_error* err);
void pkm_description_free(pkm_description* desc);

/// `to` becomes as `from`, whose owners may change their number meanwhile, with one owner.
void pkm_description_copy(const pkm_description* from, pkm_description* to);

/// The same robot for somebody else, who may add motions to it: a view that shares all but the list
/// of motions, in which those of the file are. `desc` lives as long as it does and is only read, so
/// that threads may make theirs at the same time. NULL: memory is out.
pkm_description* pkm_description_share(pkm_description* desc);

/// A motion that was added is over: it goes when no later one is left, whose place it holds.
void pkm_description_release_motion(pkm_description* desc, int index);

/// Add a motion behind the others, which the description then owns. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_description_add_motion(pkm_description* desc,
                                                    const pkm_desc_motion* motion);

#endif
