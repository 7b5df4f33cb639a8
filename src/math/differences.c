// Weights of the interpolating polynomial by Fornberg's recursion, for uneven samples too.
#include "math/differences.h"

#include <string.h>

enum { ORDERS = 3 };

/// delta[m][j] is the weight of sample j in the m-th derivative of the polynomial through the
/// samples taken up so far; each new sample i changes all of them:
///
///     delta'[m][j] = (x_i delta[m][j] - m delta[m-1][j]) / (x_i - x_j)
///     delta'[m][i] = c1/c2 (m delta[m-1][i-1] - x_{i-1} delta[m][i-1])
void pkm_differences(const double* x, int n, double* first, double* second)
{
    double delta[ORDERS][PKM_DIFFERENCES_MAX] = {{1.0}}, c1 = 1.0;
    for (int i = 1; i < n; ++i) {
        double before[ORDERS], c2 = 1.0;
        for (int m = 0; m < ORDERS; ++m)
            before[m] = delta[m][i - 1];
        for (int j = 0; j < i; ++j) {
            const double c3 = x[i] - x[j];
            c2 *= c3;
            for (int m = ORDERS - 1; m >= 0; --m)
                delta[m][j] = (x[i] * delta[m][j] - (m ? m * delta[m - 1][j] : 0.0)) / c3;
        }
        for (int m = ORDERS - 1; m >= 0; --m)
            delta[m][i] = c1 / c2 * ((m ? m * before[m - 1] : 0.0) - x[i - 1] * before[m]);
        c1 = c2;
    }
    memcpy(first, delta[1], (size_t)n * sizeof(double));
    memcpy(second, delta[2], (size_t)n * sizeof(double));
}
