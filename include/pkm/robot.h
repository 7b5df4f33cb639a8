/// A robot ready for analysis: read from a model file, compiled, its loops closed at home, its
/// structure known, its closed form bound.
///
/// A robot also stands somewhere: its *present configuration*, home after loading, then where the
/// last call has moved it. So a robot that is asked to move serves one thread at a time: a call
/// that meets another one at work returns PKM_ERR_ARGUMENT. Its parts (names, masses, structure)
/// are constant after loading and may be read by all; threads that calculate have copies of it
/// (pkm_robot_copy), or equations (equations.h) and simulations (simulation.h) made of it.
#ifndef PKM_ROBOT_H
#define PKM_ROBOT_H

#include "pkm/joint_type.h"
#include "pkm/motion.h"
#include "pkm/status.h"
#include "pkm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_robot pkm_robot;

/// Another value for a parameter of the model file.
typedef struct pkm_override {
    const char* name;
    const char* value; ///< as in the file: "14 mm" or "=2*l1"
} pkm_override;

/// Read and prepare the robot in the model file `path`, with `n_set` parameters overridden.
///
/// A robot whose drives do not hold it (pkm_structure_report.n_uncontrolled) loads; analyses that
/// need the drives refuse it.
/// @return PKM_ERR_FILE, PKM_ERR_SYNTAX, PKM_ERR_MODEL with file, line and column;
///         PKM_ERR_ASSEMBLY naming the joint and its gap; PKM_ERR_ARGUMENT for NULL;
///         PKM_ERR_MEMORY. `out` is then NULL.
PKM_API PKM_NODISCARD pkm_status pkm_robot_load(const char* path, const pkm_override* set,
                                                int n_set, pkm_robot** out, pkm_error* err);

/// The same from `text` in memory; `name` stands for the file in messages, and files that the model
/// names (meshes, samples) are looked for beside it.
PKM_API PKM_NODISCARD pkm_status pkm_robot_parse(const char* text, const char* name,
                                                 const pkm_override* set, int n_set,
                                                 pkm_robot** out, pkm_error* err);

/// The same robot once more, at home, for another thread: what both read is shared, not copied.
/// Threads may copy one robot at the same time. Motions that runs have brought along stay with
/// `robot`, which may be freed first.
/// @return PKM_ERR_ARGUMENT for NULL; PKM_ERR_MEMORY; `out` is then NULL.
PKM_API PKM_NODISCARD pkm_status pkm_robot_copy(const pkm_robot* robot, pkm_robot** out,
                                                pkm_error* err);

/// Free `robot`, which may be NULL; what it has lent goes with it.
PKM_API void pkm_robot_free(pkm_robot* robot);

/// Make home the present configuration, at rest.
PKM_API void pkm_robot_go_home(pkm_robot* robot);

// ---- what it is made of -----------------------------------------------------------------------
// Indices count from 0. An index out of range gives NULL, NaN or false; names are lent until the
// robot is freed; `find` gives PKM_NONE when there is no such name.

PKM_API const char* pkm_robot_name(const pkm_robot* robot);
/// 16 hexadecimal digits that change with the model file and the overrides.
PKM_API const char* pkm_robot_hash(const pkm_robot* robot);
/// Mass of all moving bodies [kg], payload included.
PKM_API double pkm_robot_mass(const pkm_robot* robot);

/// Moving bodies, in the order of the file; the ground is not one of them.
PKM_API int pkm_robot_n_body(const pkm_robot* robot);
PKM_API const char* pkm_robot_body_name(const pkm_robot* robot, int body);
PKM_API double pkm_robot_body_mass(const pkm_robot* robot, int body); ///< [kg]
PKM_API int pkm_robot_find_body(const pkm_robot* robot, const char* name);

PKM_API int pkm_robot_n_joint(const pkm_robot* robot);
PKM_API const char* pkm_robot_joint_name(const pkm_robot* robot, int joint);
/// PKM_JOINT_FIXED for an index out of range.
PKM_API pkm_joint_type pkm_robot_joint_type(const pkm_robot* robot, int joint);
PKM_API int pkm_robot_find_joint(const pkm_robot* robot, const char* name);

/// Drives, at most PKM_MAX_DRIVE.
PKM_API int pkm_robot_n_drive(const pkm_robot* robot);
PKM_API const char* pkm_robot_drive_name(const pkm_robot* robot, int drive);
/// Position in rad and force in N m; else m and N.
PKM_API bool pkm_robot_drive_is_rotary(const pkm_robot* robot, int drive);
/// Unit of a drive at a derivative: 0 "m" or "rad", 1 "m/s" ... 3; -1 the force, "N" or "N m".
PKM_API const char* pkm_robot_drive_unit(const pkm_robot* robot, int drive, int derivative);
PKM_API double pkm_robot_drive_home(const pkm_robot* robot, int drive); ///< [m, rad]
PKM_API int pkm_robot_find_drive(const pkm_robot* robot, const char* name);

/// Parameters of the model file with the overrides: name, value in SI, SI unit ("m", "kg m2", "1").
/// `is_derived`: it was written as an expression of others, which a change of them changes.
PKM_API int pkm_robot_n_parameter(const pkm_robot* robot);
PKM_API const char* pkm_robot_parameter_name(const pkm_robot* robot, int parameter);
PKM_API double pkm_robot_parameter_value(const pkm_robot* robot, int parameter);
PKM_API const char* pkm_robot_parameter_unit(const pkm_robot* robot, int parameter);
PKM_API bool pkm_robot_parameter_is_derived(const pkm_robot* robot, int parameter);

/// Does the model name a tool?
PKM_API bool pkm_robot_has_tool(const pkm_robot* robot);
/// The tool's frame at home; the identity without a tool.
PKM_API pkm_pose pkm_robot_tool_home(const pkm_robot* robot);

/// The family of the closed form bound to the robot, for example "delta"; NULL when there is none.
PKM_API const char* pkm_robot_closed_form(const pkm_robot* robot);

/// Motions of the model file.
PKM_API int pkm_robot_n_motion(const pkm_robot* robot);
/// Motion `motion`, lent: see motion.h for its name, its duration and its value at a time.
PKM_API const pkm_motion* pkm_robot_get_motion(const pkm_robot* robot, int motion);
/// The motion called `name` (NULL: the first one); `out` and `index` may be NULL.
/// @return PKM_ERR_ARGUMENT listing the names.
PKM_API PKM_NODISCARD pkm_status pkm_robot_find_motion(pkm_robot* robot, const char* name,
                                                       pkm_motion** out, int* index,
                                                       pkm_error* err);

// ---- its structure ----------------------------------------------------------------------------

/// Mobility and constraints at home, from the rank of the closure equations.
typedef struct pkm_structure_report {
    int gruebler;       ///< Gruebler-Kutzbach count: 6 bodies - constraints of the joints
    int mobility;       ///< the true one, idle freedoms included
    int n_idle;         ///< freedoms that move neither drives nor tool
    int n_redundant;    ///< constraints that follow from the others
    int n_uncontrolled; ///< freedoms that move the tool while the drives are locked
    bool singular_here; ///< home is a constraint singularity: nearby the mobility is smaller
    bool drives_unique; ///< the drive forces are unique
    unsigned moves;     ///< tool components that move: bits 0 to 5 for x y z rx ry rz
    double closure_gap; ///< largest gap that closing the loops has left [m, rad]
} pkm_structure_report;

PKM_API pkm_structure_report pkm_robot_structure(const pkm_robot* robot);

/// Idle freedom `i` (of n_idle) or redundant constraint `i` (of n_redundant) in words, "spin of
/// A.left", into `text` of `size` bytes, cut to fit.
/// @return false, and an empty text, when there is no such thing.
PKM_API bool pkm_robot_idle_text(const pkm_robot* robot, int i, char* text, size_t size);
PKM_API bool pkm_robot_redundant_text(const pkm_robot* robot, int i, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
