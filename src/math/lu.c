// L, with ones on its diagonal, comes to stand below U. Rows are taken from rows, which are side by
// side in memory.
#include "math/lu.h"

#include "math/dot.h"

#include <math.h>

static void swap_rows(double* a, double* b, int n)
{
    for (int j = 0; j < n; ++j) {
        const double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

/// The row from k on with the largest entry in column k.
static int find_pivot(const double* A, int n, int k)
{
    int best = k;
    for (int i = k + 1; i < n; ++i)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    return best;
}

bool pkm_lu_factor(double* A, int n, int* pivot)
{
    for (int k = 0; k < n; ++k) {
        pivot[k] = find_pivot(A, n, k);
        const double* from = A + k * n;
        if (pivot[k] != k) swap_rows(A + k * n, A + pivot[k] * n, n);
        if (!(fabs(from[k]) > 0.0)) return false; // nor is a NaN a pivot
        for (int i = k + 1; i < n; ++i) {
            double* to = A + i * n;
            // the saving that the header speaks of
            if (to[k] == 0.0) continue;
            to[k] /= from[k];
            pkm_add_scaled(to + k + 1, -to[k], from + k + 1, n - k - 1);
        }
    }
    return true;
}

void pkm_lu_solve(const double* A, int n, const int* pivot, double* x)
{
    // P b, by the exchanges in their order
    for (int k = 0; k < n; ++k) {
        const double swapped = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = swapped;
    }
    // L y = P b, then U x = y
    for (int i = 1; i < n; ++i)
        x[i] -= pkm_dot_long(A + i * n, x, i);
    for (int i = n - 1; i >= 0; --i)
        x[i] = (x[i] - pkm_dot_long(A + i * n + i + 1, x + i + 1, n - i - 1)) / A[i * n + i];
}
