/// Robots built by calls: bodies, points, joints and drives one after the other, then the robot.
///
///     pkm_builder* b;
///     pkm_status status = pkm_builder_create("pendulum", &b, &err);
///     if (status == PKM_OK) status = pkm_builder_add_body(b, "bob", 2.0, com, inertia, &err);
///     if (status == PKM_OK) status = pkm_builder_add_point(b, "bob", "O", origin, &err);
///     ...
///     if (status == PKM_OK) status = pkm_builder_robot(b, NULL, NULL, 0, &robot, &err);
///     pkm_builder_free(b);
///
/// What has no call of its own is set by the keys of the model file (docs/reference/model-file.md)
/// with their path: "joints.turn.axis", "motions.swing", "limbs.leg". The robot is the one that a
/// file with the same items gives, to the last bit.
#ifndef PKM_BUILDER_H
#define PKM_BUILDER_H

#include "pkm/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_builder pkm_builder;

/// Begin a robot called `name`. @return PKM_ERR_ARGUMENT for NULL; PKM_ERR_MEMORY; `out` is then
/// NULL.
PKM_API PKM_NODISCARD pkm_status pkm_builder_create(const char* name, pkm_builder** out,
                                                    pkm_error* err);
/// Free `builder`, which may be NULL; robots made by it live on.
PKM_API void pkm_builder_free(pkm_builder* builder);

// ---- items ------------------------------------------------------------------------------------
// Numbers in SI. @return PKM_ERR_ARGUMENT for NULL, numbers that are not finite, a name that is
//         taken or not one, an item that is not there; PKM_ERR_MEMORY. The items before then stand.
//         What is wrong in the whole (a joint without its points, loops that do not close) is told
//         by pkm_builder_robot.

/// A body of `mass` [kg] with its centre of mass `com` [m] and `inertia` [kg m2] about it, body
/// axes: xx, yy, zz, xy, xz, yz.
PKM_API PKM_NODISCARD pkm_status pkm_builder_add_body(pkm_builder* builder, const char* name,
                                                      double mass, pkm_vec3 com,
                                                      const double inertia[6], pkm_error* err);
/// A point of a body that was added, or of "ground", body axes [m].
PKM_API PKM_NODISCARD pkm_status pkm_builder_add_point(pkm_builder* builder, const char* body,
                                                       const char* name, pkm_vec3 at,
                                                       pkm_error* err);
/// A joint between two points, "crank.A" each. Its axis is z unless "joints.NAME.axis" is set.
PKM_API PKM_NODISCARD pkm_status pkm_builder_add_joint(pkm_builder* builder, const char* name,
                                                       pkm_joint_type type, const char* a,
                                                       const char* b, pkm_error* err);
/// A drive of a joint with its position at home [m, rad].
PKM_API PKM_NODISCARD pkm_status pkm_builder_add_drive(pkm_builder* builder, const char* name,
                                                       const char* joint, double home,
                                                       pkm_error* err);

// ---- everything else, by key ------------------------------------------------------------------

/// Put `value` (YAML, with units and expressions as in the file: "0.4 m", "[x, z]", "{z: 30 deg}")
/// at `path`, keys with dots between them; it replaces what was there, and maps on the way are
/// made.
/// @return PKM_ERR_ARGUMENT for NULL, an empty key, or a way through what is no map;
///         PKM_ERR_SYNTAX for a value that is no YAML; PKM_ERR_MEMORY.
PKM_API PKM_NODISCARD pkm_status pkm_builder_set(pkm_builder* builder, const char* path,
                                                 const char* value, pkm_error* err);
/// The same with a number, or a list of `n` numbers, in SI.
PKM_API PKM_NODISCARD pkm_status pkm_builder_set_number(pkm_builder* builder, const char* path,
                                                        double value, pkm_error* err);
PKM_API PKM_NODISCARD pkm_status pkm_builder_set_list(pkm_builder* builder, const char* path, int n,
                                                      const double* value, pkm_error* err);

// ---- the robot --------------------------------------------------------------------------------

/// The model file that says the same. Free it with pkm_text_free. @return NULL when memory is out,
/// and for NULL.
PKM_API char* pkm_builder_text(const pkm_builder* builder);
/// The robot, with `n_set` parameters overridden; more items may be added afterwards, for another
/// one. `file` stands for the file in messages, and files that the items name are looked for beside
/// it; NULL: the name.
/// @return as pkm_robot_load; lines are those of pkm_builder_text.
PKM_API PKM_NODISCARD pkm_status pkm_builder_robot(const pkm_builder* builder, const char* file,
                                                   const pkm_override* set, int n_set,
                                                   pkm_robot** out, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
