/// Vectors and 3x3 matrices by value; all inline, since they are the inner loop of everything.
#ifndef PKM_MATH_VEC3_H
#define PKM_MATH_VEC3_H

#include "pkm/types.h"

#include <math.h>
#include <stdbool.h>

/// Rotation or general 3x3 matrix by columns: M v = x v.x + y v.y + z v.z.
typedef struct pkm_mat3 {
    pkm_vec3 x, y, z;
} pkm_mat3;

static inline pkm_vec3 pkm_vec3_make(double x, double y, double z)
{
    return (pkm_vec3){x, y, z};
}

static inline pkm_vec3 pkm_vec3_add(pkm_vec3 a, pkm_vec3 b)
{
    return (pkm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline pkm_vec3 pkm_vec3_sub(pkm_vec3 a, pkm_vec3 b)
{
    return (pkm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline pkm_vec3 pkm_vec3_scale(double s, pkm_vec3 a)
{
    return (pkm_vec3){s * a.x, s * a.y, s * a.z};
}

/// a + s b
static inline pkm_vec3 pkm_vec3_axpy(pkm_vec3 a, double s, pkm_vec3 b)
{
    return (pkm_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double pkm_vec3_dot(pkm_vec3 a, pkm_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pkm_vec3 pkm_vec3_cross(pkm_vec3 a, pkm_vec3 b)
{
    return (pkm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double pkm_vec3_norm(pkm_vec3 a)
{
    return sqrt(pkm_vec3_dot(a, a));
}

static inline double pkm_vec3_distance(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_norm(pkm_vec3_sub(a, b));
}

/// x, y or z for k = 0, 1, 2.
static inline double pkm_vec3_part(pkm_vec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/// e_x, e_y, e_z; the null vector for other k.
static inline pkm_vec3 pkm_vec3_axis(int k)
{
    return (pkm_vec3){k == 0, k == 1, k == 2};
}

/// a / |a|; a null vector stays null.
static inline pkm_vec3 pkm_vec3_unit(pkm_vec3 a)
{
    const double n = pkm_vec3_norm(a);
    return n > 0.0 ? pkm_vec3_scale(1.0 / n, a) : a;
}

/// The same for what a user gives: of any length whose square may overflow or vanish. False for the
/// null vector and what is not finite: no direction.
bool pkm_vec3_direction(pkm_vec3 a, pkm_vec3* out);

/// A unit vector perpendicular to the unit vector `a`, the same for the same `a`:
/// e_z -> e_x, e_x -> e_y, e_y -> e_z, else the least aligned body axis made perpendicular.
pkm_vec3 pkm_vec3_perpendicular(pkm_vec3 a);

/// a + s b
static inline pkm_mat3 pkm_mat3_axpy(pkm_mat3 a, double s, pkm_mat3 b)
{
    return (pkm_mat3){pkm_vec3_axpy(a.x, s, b.x), pkm_vec3_axpy(a.y, s, b.y),
                      pkm_vec3_axpy(a.z, s, b.z)};
}

static inline pkm_mat3 pkm_mat3_scale(double s, pkm_mat3 a)
{
    return (pkm_mat3){pkm_vec3_scale(s, a.x), pkm_vec3_scale(s, a.y), pkm_vec3_scale(s, a.z)};
}

static inline pkm_vec3 pkm_mat3_mul(pkm_mat3 m, pkm_vec3 v)
{
    return (pkm_vec3){m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
                      m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                      m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}

/// M' v
static inline pkm_vec3 pkm_mat3_tmul(pkm_mat3 m, pkm_vec3 v)
{
    return (pkm_vec3){pkm_vec3_dot(m.x, v), pkm_vec3_dot(m.y, v), pkm_vec3_dot(m.z, v)};
}

static inline pkm_mat3 pkm_mat3_matmul(pkm_mat3 a, pkm_mat3 b)
{
    return (pkm_mat3){pkm_mat3_mul(a, b.x), pkm_mat3_mul(a, b.y), pkm_mat3_mul(a, b.z)};
}

static inline pkm_mat3 pkm_mat3_transpose(pkm_mat3 m)
{
    return (pkm_mat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

static inline pkm_mat3 pkm_mat3_identity(void)
{
    return (pkm_mat3){{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
}

/// Solve M x = b by Cramer's rule; returns det M (0: `x` is not set).
double pkm_mat3_solve(pkm_mat3 m, pkm_vec3 b, pkm_vec3* x);

#endif
