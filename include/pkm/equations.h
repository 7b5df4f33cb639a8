/// The equations of motion at one state, in all coordinates of the tree of joints, for programs
/// that build solvers, controllers or identification on them:
///
///     M a + h = Q + G' lambda,     G v = 0,     G a = gamma        docs/theory/engine.md, 3 and 4
///
/// v are the velocities of the joints of the spanning tree (pkm_equations_velocity_name), G the
/// Jacobian of the joints at which loops are cut, Q the forces of the drives, h Coriolis and
/// centrifugal forces, weight, and less the wrench on the tool. Matrices are column-major.
///
///     pkm_equations* e;
///     pkm_status status = pkm_equations_create(robot, &e, &err);
///     if (status == PKM_OK) status = pkm_equations_set(e, &now, &err);
///     if (status == PKM_OK) status = pkm_equations_mass(e, M, n * n, &err);
///     pkm_equations_free(e);
///
/// One per thread: a call that meets another thread at work is refused.
#ifndef PKM_EQUATIONS_H
#define PKM_EQUATIONS_H

#include "pkm/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pkm_equations pkm_equations;

/// Equations of `robot`, at home and at rest; they have a robot of their own, so that this one may
/// move or be freed, and threads may make theirs from one robot at the same time. Idle freedoms are
/// held.
/// @return PKM_ERR_ARGUMENT for NULL; PKM_ERR_MODEL when the drives do not hold the robot;
///         PKM_ERR_MEMORY; `out` is then NULL.
PKM_API PKM_NODISCARD pkm_status pkm_equations_create(const pkm_robot* robot, pkm_equations** out,
                                                      pkm_error* err);
/// Free `equations`, which may be NULL.
PKM_API void pkm_equations_free(pkm_equations* equations);

// ---- sizes and names --------------------------------------------------------------------------

/// How many velocities and closure rows there are; 0 for NULL.
PKM_API int pkm_equations_n_velocity(const pkm_equations* equations);
PKM_API int pkm_equations_n_closure(const pkm_equations* equations);
/// Velocity `i` in words: "A.motor" for a joint with one freedom, "A.left1.wx" for others; closure
/// `i`: "A.right1: along x of ...". Into `text` of `size` bytes, cut to fit.
/// @return false, and an empty text, when there is no such thing.
PKM_API bool pkm_equations_velocity_name(const pkm_equations* equations, int i, char* text,
                                         size_t size);
PKM_API bool pkm_equations_closure_name(const pkm_equations* equations, int i, char* text,
                                        size_t size);

// ---- where the robot is -----------------------------------------------------------------------

/// Stand at now->q, v and move with now->a, with the force and torque on the tool; now->tool and
/// now->force (of inverse dynamics) are filled.
/// @return statuses of pkm_inverse_at; the equations are then those of before.
PKM_API PKM_NODISCARD pkm_status pkm_equations_set(pkm_equations* equations, pkm_instant* now,
                                                   pkm_error* err);
/// The same with accelerations from forces: now->a and now->tool from now->q, v, force.
/// @return statuses of pkm_forward_at.
PKM_API PKM_NODISCARD pkm_status pkm_equations_accelerate(pkm_equations* equations,
                                                          pkm_instant* now, pkm_error* err);

// ---- what is known there ----------------------------------------------------------------------
// `room` is the number of doubles (items) at the pointer before it. @return PKM_ERR_ARGUMENT for
// NULL and a room that is not exactly that size.

/// The motion of body `body` of the robot. @return PKM_ERR_ARGUMENT for NULL and no such body.
PKM_API PKM_NODISCARD pkm_status pkm_equations_body(pkm_equations* equations, int body,
                                                    pkm_frame_motion* out, pkm_error* err);
/// Where joint `joint` of the robot stands and how fast it moves: a revolute or prismatic one, of
/// the tree or at the cut of a loop (angles there are within half a turn). `v` may be NULL. Of
/// others the motions of their bodies tell.
/// @return PKM_ERR_ARGUMENT for NULL, no such joint and joints of other types.
PKM_API PKM_NODISCARD pkm_status pkm_equations_joint(pkm_equations* equations, int joint, double* q,
                                                     double* v, pkm_error* err);
/// v [n_velocity] and a [n_velocity]; either may be NULL.
PKM_API PKM_NODISCARD pkm_status pkm_equations_motion(pkm_equations* equations, double* v,
                                                      double* a, int room, pkm_error* err);
/// M [n_velocity x n_velocity], symmetric.
PKM_API PKM_NODISCARD pkm_status pkm_equations_mass(pkm_equations* equations, double* M, int room,
                                                    pkm_error* err);
/// h [n_velocity].
PKM_API PKM_NODISCARD pkm_status pkm_equations_bias(pkm_equations* equations, double* h, int room,
                                                    pkm_error* err);
/// G [n_closure x n_velocity]; redundant rows are among them.
PKM_API PKM_NODISCARD pkm_status pkm_equations_closures(pkm_equations* equations, double* G,
                                                        int room, pkm_error* err);
/// gamma [n_closure], and the multipliers lambda [n_closure] that belong to a (0 for redundant
/// rows); either may be NULL.
PKM_API PKM_NODISCARD pkm_status pkm_equations_multipliers(pkm_equations* equations, double* gamma,
                                                           double* lambda, int room,
                                                           pkm_error* err);
/// Q [n_velocity]: drive forces as forces on the velocities.
PKM_API PKM_NODISCARD pkm_status pkm_equations_drives(pkm_equations* equations, double* Q, int room,
                                                      pkm_error* err);
/// What joint `joint` passes to its body b, at the origin of its frame b, in the axes of its frame
/// a: force [N] and moment [N m], with the accelerations that stand. `unique` (may be NULL): false
/// where redundant constraints leave it open; the smallest one is given then (4.6).
PKM_API PKM_NODISCARD pkm_status pkm_equations_reaction(pkm_equations* equations, int joint,
                                                        pkm_vec3* force, pkm_vec3* moment,
                                                        bool* unique, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
