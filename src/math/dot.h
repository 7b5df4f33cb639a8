/// The scalar product of short arrays.
#ifndef PKM_MATH_DOT_H
#define PKM_MATH_DOT_H

/// a . b over n entries. Four sums run beside each other, so that no addition waits for the last.
static inline double pkm_dot(const double* a, const double* b, int n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 3 < n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; ++k)
        s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

#endif
