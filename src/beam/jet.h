/// Vectors in motion: a value with its first two time derivatives, and what one does with them.
#ifndef PKM_BEAM_JET_H
#define PKM_BEAM_JET_H

#include "math/vec3.h"

typedef struct pkm_beam_jet {
    pkm_vec3 x, v, a; ///< value, rate, second derivative
} pkm_beam_jet;

/// A number in motion.
typedef struct pkm_beam_jet1 {
    double x, v, a;
} pkm_beam_jet1;

static inline pkm_beam_jet pkm_beam_jet_rest(pkm_vec3 x)
{
    return (pkm_beam_jet){x, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

static inline pkm_beam_jet pkm_beam_jet_add(pkm_beam_jet a, pkm_beam_jet b)
{
    return (pkm_beam_jet){pkm_vec3_add(a.x, b.x), pkm_vec3_add(a.v, b.v), pkm_vec3_add(a.a, b.a)};
}

static inline pkm_beam_jet pkm_beam_jet_sub(pkm_beam_jet a, pkm_beam_jet b)
{
    return (pkm_beam_jet){pkm_vec3_sub(a.x, b.x), pkm_vec3_sub(a.v, b.v), pkm_vec3_sub(a.a, b.a)};
}

/// (1 - s) a + s b with constant s.
static inline pkm_beam_jet pkm_beam_jet_between(pkm_beam_jet a, pkm_beam_jet b, double s)
{
    return (pkm_beam_jet){pkm_vec3_axpy(a.x, s, pkm_vec3_sub(b.x, a.x)),
                          pkm_vec3_axpy(a.v, s, pkm_vec3_sub(b.v, a.v)),
                          pkm_vec3_axpy(a.a, s, pkm_vec3_sub(b.a, a.a))};
}

static inline pkm_beam_jet1 pkm_beam_jet_dot(pkm_beam_jet a, pkm_beam_jet b)
{
    return (pkm_beam_jet1){pkm_vec3_dot(a.x, b.x), pkm_vec3_dot(a.v, b.x) + pkm_vec3_dot(a.x, b.v),
                           pkm_vec3_dot(a.a, b.x) + 2.0 * pkm_vec3_dot(a.v, b.v) +
                               pkm_vec3_dot(a.x, b.a)};
}

static inline pkm_beam_jet pkm_beam_jet_cross(pkm_beam_jet a, pkm_beam_jet b)
{
    const pkm_vec3 mixed = pkm_vec3_scale(2.0, pkm_vec3_cross(a.v, b.v));
    return (pkm_beam_jet){
        pkm_vec3_cross(a.x, b.x), pkm_vec3_add(pkm_vec3_cross(a.v, b.x), pkm_vec3_cross(a.x, b.v)),
        pkm_vec3_add(pkm_vec3_add(pkm_vec3_cross(a.a, b.x), mixed), pkm_vec3_cross(a.x, b.a))};
}

static inline pkm_beam_jet pkm_beam_jet_scale(pkm_beam_jet1 s, pkm_beam_jet a)
{
    return (pkm_beam_jet){
        pkm_vec3_scale(s.x, a.x), pkm_vec3_axpy(pkm_vec3_scale(s.v, a.x), s.x, a.v),
        pkm_vec3_axpy(pkm_vec3_axpy(pkm_vec3_scale(s.a, a.x), 2.0 * s.v, a.v), s.x, a.a)};
}

/// a / |a|; a is not null.
static inline pkm_beam_jet pkm_beam_jet_unit(pkm_beam_jet a)
{
    const pkm_beam_jet1 s = pkm_beam_jet_dot(a, a);
    const double f = 1.0 / sqrt(s.x), g = -0.5 * f / s.x; // s^(-1/2) and its derivative
    return pkm_beam_jet_scale((pkm_beam_jet1){f, g * s.v, g * s.a - 1.5 * g / s.x * s.v * s.v}, a);
}

/// A vector of constant components in axes that turn with rate `w` and acceleration `alpha`.
static inline pkm_beam_jet pkm_beam_jet_turning(pkm_vec3 x, pkm_vec3 w, pkm_vec3 alpha)
{
    const pkm_vec3 v = pkm_vec3_cross(w, x);
    return (pkm_beam_jet){x, v, pkm_vec3_add(pkm_vec3_cross(alpha, x), pkm_vec3_cross(w, v))};
}

#endif
