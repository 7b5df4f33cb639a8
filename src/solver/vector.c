// Sums, scalings and norms on vectors of some hundred numbers, where calls would cost half of the
// time. docs/theory/integrators.md, section 5.
#include "solver/vector.h"

#include <math.h>
#include <nvector/nvector_serial.h>

// Vectors may be the same, element by element, but do not overlap otherwise.

/// z = a x + b y
static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
    const long n = (long)NV_LENGTH_S(x);
    const double *px = NV_DATA_S(x), *py = NV_DATA_S(y);
    double* pz = NV_DATA_S(z);
#pragma GCC ivdep
    for (long i = 0; i < n; ++i)
        pz[i] = a * px[i] + b * py[i];
}

/// z = c x
static void scale(realtype c, N_Vector x, N_Vector z)
{
    const long n = (long)NV_LENGTH_S(x);
    const double* px = NV_DATA_S(x);
    double* pz = NV_DATA_S(z);
#pragma GCC ivdep
    for (long i = 0; i < n; ++i)
        pz[i] = c * px[i];
}

static void set_all(realtype c, N_Vector z)
{
    const long n = (long)NV_LENGTH_S(z);
    double* pz = NV_DATA_S(z);
    for (long i = 0; i < n; ++i)
        pz[i] = c;
}

/// sqrt( (1/n) sum (x_i w_i)^2 ), four sums side by side.
static realtype weighted_norm(N_Vector x, N_Vector w)
{
    // a single sum would wait for itself at every addition, and the compiler may not split it
    enum { SUMS = 4 };
    const long n = (long)NV_LENGTH_S(x);
    const double *px = NV_DATA_S(x), *pw = NV_DATA_S(w);
    double sum[SUMS] = {0.0};
    long i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; ++k) {
            const double term = px[i + k] * pw[i + k];
            sum[k] += term * term;
        }
    for (; i < n; ++i) {
        const double term = px[i] * pw[i];
        sum[0] += term * term;
    }
    return sqrt((sum[0] + sum[1] + sum[2] + sum[3]) / (double)n);
}

void pkm_vector_use_own(N_Vector v)
{
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvconst = set_all;
    v->ops->nvwrmsnorm = weighted_norm;
}
