/// Twists and wrenches about the world origin, in world axes.
#ifndef PKM_MATH_SPATIAL_H
#define PKM_MATH_SPATIAL_H

#include "math/vec3.h"

/// A twist (angular, velocity of the body point at the world origin), its derivative, or one column
/// of a joint's motion space.
typedef struct pkm_twist {
    pkm_vec3 ang, lin;
} pkm_twist;

/// A force and its moment about the world origin.
typedef struct pkm_wrench {
    pkm_vec3 force, moment;
} pkm_wrench;

/// Power of a wrench on a twist.
static inline double pkm_twist_dot(pkm_twist t, pkm_wrench f)
{
    return pkm_vec3_dot(t.ang, f.moment) + pkm_vec3_dot(t.lin, f.force);
}

/// a + s b
static inline pkm_twist pkm_twist_axpy(pkm_twist a, double s, pkm_twist b)
{
    return (pkm_twist){pkm_vec3_axpy(a.ang, s, b.ang), pkm_vec3_axpy(a.lin, s, b.lin)};
}

/// The rate of the screw `s` that is carried along by the twist `v`: v x s.
static inline pkm_twist pkm_twist_cross(pkm_twist v, pkm_twist s)
{
    return (pkm_twist){pkm_vec3_cross(v.ang, s.ang),
                       pkm_vec3_add(pkm_vec3_cross(v.ang, s.lin), pkm_vec3_cross(v.lin, s.ang))};
}

static inline pkm_twist pkm_twist_add(pkm_twist a, pkm_twist b)
{
    return (pkm_twist){pkm_vec3_add(a.ang, b.ang), pkm_vec3_add(a.lin, b.lin)};
}

static inline pkm_wrench pkm_wrench_add(pkm_wrench a, pkm_wrench b)
{
    return (pkm_wrench){pkm_vec3_add(a.force, b.force), pkm_vec3_add(a.moment, b.moment)};
}

static inline pkm_wrench pkm_wrench_axpy(pkm_wrench a, double s, pkm_wrench b)
{
    return (pkm_wrench){pkm_vec3_axpy(a.force, s, b.force), pkm_vec3_axpy(a.moment, s, b.moment)};
}

/// The wrench of force `f` at point `p` with torque `t`.
static inline pkm_wrench pkm_wrench_at(pkm_vec3 p, pkm_vec3 f, pkm_vec3 t)
{
    return (pkm_wrench){f, pkm_vec3_add(t, pkm_vec3_cross(p, f))};
}

/// Velocity of the body point that is at `p`.
static inline pkm_vec3 pkm_twist_at(pkm_twist v, pkm_vec3 p)
{
    return pkm_vec3_add(v.lin, pkm_vec3_cross(v.ang, p));
}

/// Acceleration of the body point that is at `p`, from twist V and its derivative A (1.9).
static inline pkm_vec3 pkm_twist_acceleration(pkm_twist V, pkm_twist A, pkm_vec3 p)
{
    return pkm_vec3_add(pkm_twist_at(A, p), pkm_vec3_cross(V.ang, pkm_twist_at(V, p)));
}

#endif
