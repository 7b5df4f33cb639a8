/// The scalar product of two vectors of any length.
#ifndef PKM_MATH_DOT_H
#define PKM_MATH_DOT_H

static inline double pkm_dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

#endif
