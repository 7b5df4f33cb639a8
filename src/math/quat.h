/// Unit quaternions, rotations and poses.
#ifndef PKM_MATH_QUAT_H
#define PKM_MATH_QUAT_H

#include "math/vec3.h"

static inline pkm_quat pkm_quat_identity(void)
{
    return (pkm_quat){1.0, 0.0, 0.0, 0.0};
}

static inline pkm_quat pkm_quat_conj(pkm_quat q)
{
    return (pkm_quat){q.w, -q.x, -q.y, -q.z};
}

/// The product a b: first b, then a.
static inline pkm_quat pkm_quat_mul(pkm_quat a, pkm_quat b)
{
    return (pkm_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// The rotation matrix of the unit quaternion `q`.
static inline pkm_mat3 pkm_mat3_from_quat(pkm_quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (pkm_mat3){{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
                      {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
                      {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

/// v turned by `q`.
static inline pkm_vec3 pkm_quat_rotate(pkm_quat q, pkm_vec3 v)
{
    return pkm_mat3_mul(pkm_mat3_from_quat(q), v);
}

pkm_quat pkm_quat_unit(pkm_quat q);                       ///< q / |q|
pkm_quat pkm_quat_from_rotvec(pkm_vec3 r);                ///< turn by |r| [rad] about r
pkm_quat pkm_quat_from_axis(pkm_vec3 axis, double angle); ///< turn by `angle` about unit `axis`
pkm_quat pkm_quat_from_mat3(pkm_mat3 m);                  ///< m is a rotation
pkm_vec3 pkm_quat_to_rotvec(pkm_quat q);                  ///< inverse of from_rotvec, |r| <= pi

/// Roll, pitch, yaw [rad]: R = Rz(yaw) Ry(pitch) Rx(roll); rpy = (roll, pitch, yaw).
pkm_quat pkm_quat_from_rpy(pkm_vec3 rpy);
pkm_vec3 pkm_quat_to_rpy(pkm_quat q); ///< pitch in [-pi/2, pi/2]

static inline pkm_pose pkm_pose_identity(void)
{
    return (pkm_pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
}

/// a b: the frame b, given in a, seen from where a is given.
static inline pkm_pose pkm_pose_mul(pkm_pose a, pkm_pose b)
{
    return (pkm_pose){pkm_vec3_add(a.p, pkm_quat_rotate(a.q, b.p)), pkm_quat_mul(a.q, b.q)};
}

static inline pkm_pose pkm_pose_inverse(pkm_pose a)
{
    const pkm_quat c = pkm_quat_conj(a.q);
    return (pkm_pose){pkm_vec3_scale(-1.0, pkm_quat_rotate(c, a.p)), c};
}

static inline pkm_vec3 pkm_pose_point(pkm_pose a, pkm_vec3 p)
{
    return pkm_vec3_add(a.p, pkm_quat_rotate(a.q, p));
}

#endif
