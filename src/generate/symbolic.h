/// Vectors, rotations, twists and wrenches of expressions: the algebra of math/vec3.h and
/// math/spatial.h over the nodes of a graph.
#ifndef PKM_GENERATE_SYMBOLIC_H
#define PKM_GENERATE_SYMBOLIC_H

#include "generate/graph.h"
#include "math/spatial.h"

typedef struct pkm_sym_vec3 {
    pkm_node x, y, z;
} pkm_sym_vec3;

/// By columns, as pkm_mat3.
typedef struct pkm_sym_mat3 {
    pkm_sym_vec3 x, y, z;
} pkm_sym_mat3;

typedef struct pkm_sym_twist {
    pkm_sym_vec3 ang, lin;
} pkm_sym_twist;

typedef struct pkm_sym_wrench {
    pkm_sym_vec3 force, moment;
} pkm_sym_wrench;

static const pkm_sym_vec3 PKM_SYM_ZERO = {0, 0, 0};

static inline pkm_sym_vec3 pkm_sym_constant(pkm_graph* g, pkm_vec3 v)
{
    return (pkm_sym_vec3){pkm_graph_number(g, v.x), pkm_graph_number(g, v.y),
                          pkm_graph_number(g, v.z)};
}

static inline pkm_sym_mat3 pkm_sym_constant_mat3(pkm_graph* g, pkm_mat3 m)
{
    return (pkm_sym_mat3){pkm_sym_constant(g, m.x), pkm_sym_constant(g, m.y),
                          pkm_sym_constant(g, m.z)};
}

static inline pkm_sym_vec3 pkm_sym_add(pkm_graph* g, pkm_sym_vec3 a, pkm_sym_vec3 b)
{
    return (pkm_sym_vec3){pkm_graph_add(g, a.x, b.x), pkm_graph_add(g, a.y, b.y),
                          pkm_graph_add(g, a.z, b.z)};
}

static inline pkm_sym_vec3 pkm_sym_sub(pkm_graph* g, pkm_sym_vec3 a, pkm_sym_vec3 b)
{
    return (pkm_sym_vec3){pkm_graph_subtract(g, a.x, b.x), pkm_graph_subtract(g, a.y, b.y),
                          pkm_graph_subtract(g, a.z, b.z)};
}

static inline pkm_sym_vec3 pkm_sym_scale(pkm_graph* g, pkm_node s, pkm_sym_vec3 a)
{
    return (pkm_sym_vec3){pkm_graph_multiply(g, s, a.x), pkm_graph_multiply(g, s, a.y),
                          pkm_graph_multiply(g, s, a.z)};
}

static inline pkm_sym_vec3 pkm_sym_minus(pkm_graph* g, pkm_sym_vec3 a)
{
    return pkm_sym_sub(g, PKM_SYM_ZERO, a);
}

/// a + s b
static inline pkm_sym_vec3 pkm_sym_axpy(pkm_graph* g, pkm_sym_vec3 a, pkm_node s, pkm_sym_vec3 b)
{
    return pkm_sym_add(g, a, pkm_sym_scale(g, s, b));
}

static inline pkm_node pkm_sym_dot(pkm_graph* g, pkm_sym_vec3 a, pkm_sym_vec3 b)
{
    const pkm_node x = pkm_graph_multiply(g, a.x, b.x), y = pkm_graph_multiply(g, a.y, b.y);
    return pkm_graph_add(g, pkm_graph_add(g, x, y), pkm_graph_multiply(g, a.z, b.z));
}

/// a b - c d
static inline pkm_node pkm_sym_minor(pkm_graph* g, pkm_node a, pkm_node b, pkm_node c, pkm_node d)
{
    return pkm_graph_subtract(g, pkm_graph_multiply(g, a, b), pkm_graph_multiply(g, c, d));
}

static inline pkm_sym_vec3 pkm_sym_cross(pkm_graph* g, pkm_sym_vec3 a, pkm_sym_vec3 b)
{
    return (pkm_sym_vec3){pkm_sym_minor(g, a.y, b.z, a.z, b.y),
                          pkm_sym_minor(g, a.z, b.x, a.x, b.z),
                          pkm_sym_minor(g, a.x, b.y, a.y, b.x)};
}

static inline pkm_sym_vec3 pkm_sym_mul(pkm_graph* g, pkm_sym_mat3 m, pkm_sym_vec3 v)
{
    const pkm_sym_vec3 xy = pkm_sym_axpy(g, pkm_sym_scale(g, v.x, m.x), v.y, m.y);
    return pkm_sym_axpy(g, xy, v.z, m.z);
}

/// m' v
static inline pkm_sym_vec3 pkm_sym_tmul(pkm_graph* g, pkm_sym_mat3 m, pkm_sym_vec3 v)
{
    return (pkm_sym_vec3){pkm_sym_dot(g, m.x, v), pkm_sym_dot(g, m.y, v), pkm_sym_dot(g, m.z, v)};
}

static inline pkm_sym_mat3 pkm_sym_matmul(pkm_graph* g, pkm_sym_mat3 a, pkm_sym_mat3 b)
{
    return (pkm_sym_mat3){pkm_sym_mul(g, a, b.x), pkm_sym_mul(g, a, b.y), pkm_sym_mul(g, a, b.z)};
}

static inline pkm_sym_twist pkm_sym_twist_add(pkm_graph* g, pkm_sym_twist a, pkm_sym_twist b)
{
    return (pkm_sym_twist){pkm_sym_add(g, a.ang, b.ang), pkm_sym_add(g, a.lin, b.lin)};
}

static inline pkm_sym_twist pkm_sym_twist_sub(pkm_graph* g, pkm_sym_twist a, pkm_sym_twist b)
{
    return (pkm_sym_twist){pkm_sym_sub(g, a.ang, b.ang), pkm_sym_sub(g, a.lin, b.lin)};
}

static inline pkm_sym_twist pkm_sym_twist_scale(pkm_graph* g, pkm_node s, pkm_sym_twist a)
{
    return (pkm_sym_twist){pkm_sym_scale(g, s, a.ang), pkm_sym_scale(g, s, a.lin)};
}

/// v x s: the rate of a screw that v carries along (1.8).
static inline pkm_sym_twist pkm_sym_twist_cross(pkm_graph* g, pkm_sym_twist v, pkm_sym_twist s)
{
    return (pkm_sym_twist){
        pkm_sym_cross(g, v.ang, s.ang),
        pkm_sym_add(g, pkm_sym_cross(g, v.ang, s.lin), pkm_sym_cross(g, v.lin, s.ang))};
}

/// Power of a wrench on a twist.
static inline pkm_node pkm_sym_power(pkm_graph* g, pkm_sym_twist t, pkm_sym_wrench f)
{
    return pkm_graph_add(g, pkm_sym_dot(g, t.ang, f.moment), pkm_sym_dot(g, t.lin, f.force));
}

/// Velocity of the body point that is at `p` (1.3).
static inline pkm_sym_vec3 pkm_sym_at(pkm_graph* g, pkm_sym_twist v, pkm_sym_vec3 p)
{
    return pkm_sym_add(g, v.lin, pkm_sym_cross(g, v.ang, p));
}

/// Its acceleration (1.9).
static inline pkm_sym_vec3 pkm_sym_acceleration(pkm_graph* g, pkm_sym_twist V, pkm_sym_twist A,
                                                pkm_sym_vec3 p)
{
    return pkm_sym_add(g, pkm_sym_at(g, A, p), pkm_sym_cross(g, V.ang, pkm_sym_at(g, V, p)));
}

/// The wrench of force `f` at point `p` with torque `t`.
static inline pkm_sym_wrench pkm_sym_wrench_at(pkm_graph* g, pkm_sym_vec3 p, pkm_sym_vec3 f,
                                               pkm_sym_vec3 t)
{
    return (pkm_sym_wrench){f, pkm_sym_add(g, t, pkm_sym_cross(g, p, f))};
}

static inline pkm_sym_wrench pkm_sym_wrench_add(pkm_graph* g, pkm_sym_wrench a, pkm_sym_wrench b)
{
    return (pkm_sym_wrench){pkm_sym_add(g, a.force, b.force), pkm_sym_add(g, a.moment, b.moment)};
}

static inline pkm_sym_wrench pkm_sym_wrench_sub(pkm_graph* g, pkm_sym_wrench a, pkm_sym_wrench b)
{
    return (pkm_sym_wrench){pkm_sym_sub(g, a.force, b.force), pkm_sym_sub(g, a.moment, b.moment)};
}

#endif
