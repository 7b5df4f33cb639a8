// Conversions between quaternions, rotation vectors, matrices and roll-pitch-yaw, each on the side
// where it does not cancel.
#include "math/quat.h"

pkm_quat pkm_quat_unit(pkm_quat q)
{
    const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (pkm_quat){q.w / n, q.x / n, q.y / n, q.z / n};
}

/// (cos(angle/2), sin(angle/2)/angle r), angle = |r|.
pkm_quat pkm_quat_from_rotvec(pkm_vec3 r)
{
    const double t2 = 0.25 * pkm_vec3_dot(r, r); // (angle / 2)^2
    double c, s;                                 // cos(angle / 2), sin(angle / 2) / angle
    if (t2 < 0.01) {
        // series, exact in double below 0.1; small turns are what Newton's method makes
        c = 1.0 - t2 / 2.0 * (1.0 - t2 / 12.0 * (1.0 - t2 / 30.0 * (1.0 - t2 / 56.0)));
        s = 0.5 * (1.0 - t2 / 6.0 * (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0))));
    } else {
        const double half = sqrt(t2);
        c = cos(half);
        s = 0.5 * sin(half) / half;
    }
    return pkm_quat_unit((pkm_quat){c, s * r.x, s * r.y, s * r.z});
}

pkm_quat pkm_quat_from_axis(pkm_vec3 axis, double angle)
{
    const double s = sin(0.5 * angle);
    return (pkm_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/// Four times one component times (w, x, y, z), made unit: m.x, m.y, m.z are the columns of R.
pkm_quat pkm_quat_from_mat3(pkm_mat3 m)
{
    // Shepperd: divide by the largest of the four components
    const double trace = m.x.x + m.y.y + m.z.z;
    pkm_quat q;
    if (trace >= m.x.x && trace >= m.y.y && trace >= m.z.z) {
        q = (pkm_quat){1.0 + trace, m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
    } else if (m.x.x >= m.y.y && m.x.x >= m.z.z) {
        q = (pkm_quat){m.y.z - m.z.y, 1.0 + m.x.x - m.y.y - m.z.z, m.y.x + m.x.y, m.z.x + m.x.z};
    } else if (m.y.y >= m.z.z) {
        q = (pkm_quat){m.z.x - m.x.z, m.y.x + m.x.y, 1.0 + m.y.y - m.x.x - m.z.z, m.z.y + m.y.z};
    } else {
        q = (pkm_quat){m.x.y - m.y.x, m.z.x + m.x.z, m.z.y + m.y.z, 1.0 + m.z.z - m.x.x - m.y.y};
    }
    return pkm_quat_unit(q);
}

/// r = 2 atan2(|u|, w) u/|u|, which is 2 u near the identity. Of q and -q, the same rotation, that
/// with w >= 0 has the angle up to pi.
pkm_vec3 pkm_quat_to_rotvec(pkm_quat q)
{
    if (q.w < 0.0) q = (pkm_quat){-q.w, -q.x, -q.y, -q.z};
    const pkm_vec3 u = {q.x, q.y, q.z};
    const double s = pkm_vec3_norm(u);
    const double scale = s > 1e-8 ? 2.0 * atan2(s, q.w) / s : 2.0;
    return pkm_vec3_scale(scale, u);
}

pkm_quat pkm_quat_from_rpy(pkm_vec3 rpy)
{
    const pkm_quat x = {cos(0.5 * rpy.x), sin(0.5 * rpy.x), 0.0, 0.0};
    const pkm_quat y = {cos(0.5 * rpy.y), 0.0, sin(0.5 * rpy.y), 0.0};
    const pkm_quat z = {cos(0.5 * rpy.z), 0.0, 0.0, sin(0.5 * rpy.z)};
    return pkm_quat_mul(z, pkm_quat_mul(y, x));
}

/// The first column of R is (cos y cos p, sin y cos p, -sin p), its last row (-sin p, cos p sin r,
/// cos p cos r). At p = +-pi/2 roll and yaw turn about one axis and are not told apart.
pkm_vec3 pkm_quat_to_rpy(pkm_quat q)
{
    const pkm_mat3 m = pkm_mat3_from_quat(q);
    const double horizontal = hypot(m.x.x, m.x.y);
    return (pkm_vec3){atan2(m.y.z, m.z.z), atan2(-m.x.z, horizontal), atan2(m.x.y, m.x.x)};
}
