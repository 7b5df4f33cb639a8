// Exact Euclidean distances on a grid, in linear time, axis after axis. Equation:
// docs/theory/workspace.md, (3).
#include "workspace/distance.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>

/// Work memory for one line of `n` points.
typedef struct line_work {
    double* f;    ///< [n] squared distances before
    double* from; ///< [n] where parabola k begins to be the lowest
    int* vertex;  ///< [n] the point at which parabola k has its vertex
} line_work;

/// d(i) = min over j of f(j) + (h (i - j))^2: the lower envelope of parabolas with vertices at j.
/// Parabolas j < k meet at  x = (f(k) - f(j) + h^2 (k^2 - j^2)) / (2 h^2 (k - j))  in units of h.
/// `f` and the result share the memory `line` with the distance `stride` between points.
static void transform_line(double* line, ptrdiff_t stride, int n, double h, const line_work* work)
{
    double* f = work->f;
    for (int i = 0; i < n; ++i)
        f[i] = line[i * stride];

    int last = -1;
    for (int k = 0; k < n; ++k) {
        if (isinf(f[k])) continue;
        double start = -INFINITY;
        while (last >= 0) {
            const int j = work->vertex[last];
            start = 0.5 * ((f[k] - f[j]) / (h * h * (k - j)) + (k + j));
            if (start > work->from[last]) break;
            --last; // parabola j is nowhere the lowest
            start = -INFINITY;
        }
        ++last;
        work->vertex[last] = k;
        work->from[last] = start;
    }
    if (last < 0) return;

    for (int i = 0, k = 0; i < n; ++i) {
        while (k < last && work->from[k + 1] < i)
            ++k;
        const double away = h * (i - work->vertex[k]);
        line[i * stride] = f[work->vertex[k]] + away * away;
    }
}

/// All lines along `axis`, neighbours in memory one after the other.
static void transform_axis(double* field, const int n[3], double h, int axis, const line_work* work)
{
    const ptrdiff_t stride[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    for (int j = 0; j < n[b]; ++j) {
        for (int i = 0; i < n[a]; ++i) {
            transform_line(field + i * stride[a] + j * stride[b], stride[axis], n[axis], h, work);
        }
    }
}

pkm_status pkm_distance_transform(double* field, const int n[3], const double h[3])
{
    int longest = n[0] > n[1] ? n[0] : n[1];
    if (n[2] > longest) longest = n[2];
    double* block = pkm_alloc((size_t)longest, 2 * sizeof(double) + sizeof(int));
    if (!block) return PKM_ERR_MEMORY;
    const line_work work = {block, block + longest, (int*)(block + 2 * (size_t)longest)};

    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] > 1) transform_axis(field, n, h[axis], axis, &work);
    }
    const size_t n_point = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    for (size_t k = 0; k < n_point; ++k)
        field[k] = sqrt(field[k]);
    pkm_free(block);
    return PKM_OK;
}
