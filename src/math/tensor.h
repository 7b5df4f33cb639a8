/// Integrals of pairs of vectors as 3 x 3 matrices in arrays, column-major, and symmetric inertia.
#ifndef PKM_MATH_TENSOR_H
#define PKM_MATH_TENSOR_H

#include "math/vec3.h"

static inline pkm_vec3 pkm_vec3_at(const double* x)
{
    return (pkm_vec3){x[0], x[1], x[2]};
}

/// A += c a b'
static inline void pkm_tensor_add(double A[9], double c, pkm_vec3 a, pkm_vec3 b)
{
    const double ca[3] = {c * a.x, c * a.y, c * a.z}, bb[3] = {b.x, b.y, b.z};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            A[3 * j + i] += ca[i] * bb[j];
}

static inline double pkm_tensor_trace(const double A[9])
{
    return A[0] + A[4] + A[8];
}

/// J w for a symmetric inertia xx yy zz xy xz yz.
static inline pkm_vec3 pkm_inertia_times(const double J[6], pkm_vec3 w)
{
    return (pkm_vec3){J[0] * w.x + J[3] * w.y + J[4] * w.z, J[3] * w.x + J[1] * w.y + J[5] * w.z,
                      J[4] * w.x + J[5] * w.y + J[2] * w.z};
}

#endif
