/// Vectors of any length: scalar product, length, largest entry.
#ifndef PKM_MATH_DOT_H
#define PKM_MATH_DOT_H

#include "math/pair.h"

#include <math.h>
#include <stdbool.h>

static inline double pkm_dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static inline double pkm_norm(const double* a, int n)
{
    return sqrt(pkm_dot(a, a, n));
}

/// max |a_i|; entries that are no numbers are passed over.
static inline double pkm_largest(const double* a, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(a[i]));
    return most;
}

static inline bool pkm_is_zero(const double* a, int n)
{
    for (int i = 0; i < n; ++i)
        if (a[i] != 0.0) return false;
    return true;
}

/// Evenly in -1 .. 1, repeatable: the same seed has the same numbers, so that the same robot has
/// the same answer.
static inline double pkm_noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/// The scalar product for vectors of a dozen numbers and more: four sums side by side.
static inline double pkm_dot_long(const double* a, const double* b, int n)
{
    pkm_pair one = {0.0, 0.0}, two = one;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        one += pkm_pair_load(a + i) * pkm_pair_load(b + i);
        two += pkm_pair_load(a + i + 2) * pkm_pair_load(b + i + 2);
    }
    one += two;
    if (i + 2 <= n) {
        one += pkm_pair_load(a + i) * pkm_pair_load(b + i);
        i += 2;
    }
    const double sum = one[0] + one[1];
    return i < n ? sum + a[i] * b[i] : sum;
}

/// y += factor x
static inline void pkm_add_scaled(double* y, double factor, const double* x, int n)
{
    int i = 0;
    for (; i + 2 <= n; i += 2)
        *(pkm_pair_in_array*)(void*)(y + i) += factor * pkm_pair_load(x + i);
    if (i < n) y[i] += factor * x[i];
}

#endif
