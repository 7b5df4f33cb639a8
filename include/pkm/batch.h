/// Many poses in one call, and the equations of motion in the drives, for control and for programs
/// in other languages.
///
/// Arrays hold one row per pose, one after the other: drives [n x n_drive], poses of the tool [n x
/// 7] as x y z [m] and the quaternion w x y z. A row that has no answer is NaN and its status says
/// why; the others are computed. Rows are best in the order of a path: each solution starts from
/// the last one.
#ifndef PKM_BATCH_H
#define PKM_BATCH_H

#include "pkm/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Drives `q` for tool poses `pose`: by the engine from home on, or by the closed form in the
/// working mode of home. Rotations of zeros stand for the tool's orientation at home. `status` [n]
/// may be NULL.
/// @return PKM_OK, or the status of the first row without an answer, whose number (from 1) `err`
///         names; PKM_ERR_ARGUMENT for NULL, n < 0, no such method, numbers that are not finite.
PKM_API PKM_NODISCARD pkm_status pkm_batch_ik(pkm_robot* robot, pkm_method method, int n,
                                              const double* pose, double* q, pkm_status* status,
                                              pkm_error* err);
/// Tool poses for drives, by the engine, in the assembly mode of home.
PKM_API PKM_NODISCARD pkm_status pkm_batch_fk(pkm_robot* robot, int n, const double* q,
                                              double* pose, pkm_status* status, pkm_error* err);
/// Drive forces [n x n_drive] for drive positions, rates and accelerations; `v`, `a` may be NULL
/// (zero). `wrench` [n x 6], force and torque on the tool in world axes, may be NULL (none).
PKM_API PKM_NODISCARD pkm_status pkm_batch_inverse(pkm_robot* robot, pkm_method method, int n,
                                                   const double* q, const double* v,
                                                   const double* a, const double* wrench,
                                                   double* force, pkm_status* status,
                                                   pkm_error* err);

/// The equations of motion in the drives, M(q) a + h(q, v) = force: at now->q, v with the force and
/// torque on the tool. `M` [n_drive x n_drive, symmetric], `h` [n_drive].
/// @return statuses of pkm_inverse_at.
PKM_API PKM_NODISCARD pkm_status pkm_dynamics_at(pkm_robot* robot, pkm_method method,
                                                 const pkm_instant* now, double* M, double* h,
                                                 pkm_error* err);
/// Forward dynamics: fill now->a and now->tool from now->q, v, force and the wrench on the tool.
/// Allocates nothing.
/// @return statuses of pkm_inverse_at; PKM_ERR_SINGULAR also when the drives carry no inertia.
PKM_API PKM_NODISCARD pkm_status pkm_forward_at(pkm_robot* robot, pkm_method method,
                                                pkm_instant* now, pkm_error* err);

#ifdef __cplusplus
}
#endif
#endif
