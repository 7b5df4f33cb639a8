// How large a set of grid points is: polygons of the cells that the border passes, stacks of slices
// across each axis, and an error from coarser grids of the same points. Equations:
// docs/theory/workspace.md, (4), (5).
#include "workspace/workspace_size.h"

#include <math.h>

enum {
    MAX_CORNER = 8,
    FEW = 7
}; // fewer points along an axis have no grid of three times the spacing

/// A cell of a plane, or a piece of a line: its corner, its axes, how many spacings it is wide.
typedef struct cell {
    int at;
    int axis[2], width[2];
} cell;

static int stride_of(const pkm_size_field* f, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? f->n[0] : f->n[0] * f->n[1];
}

/// Where the border is on the way of `width` spacings from point `from` along `axis`, 0 to 1; both
/// ends are known and one of them belongs to the set.
static double crossing(const pkm_size_field* f, int from, int axis, int width)
{
    const int stride = stride_of(f, axis);
    for (int k = 0; k < width; ++k) {
        const int p = from + k * stride;
        if (f->inside[p] == f->inside[p + stride]) continue;
        const double part = f->edge[3 * p + axis];
        // a border that was not located counts in the middle
        return (k + (isfinite(part) ? part : 0.5)) / width;
    }
    return 0.5;
}

/// Share of a piece of a line that belongs to the set.
static double line_share(const pkm_size_field* f, const cell* c)
{
    const int end = c->at + c->width[0] * stride_of(f, c->axis[0]);
    const int a = f->inside[c->at], b = f->inside[end];
    // 2: not known
    if (a == 2 || b == 2 || a + b == 0) return 0.0;
    if (a + b == 2) return 1.0;
    const double part = crossing(f, c->at, c->axis[0], c->width[0]);
    return a ? part : 1.0 - part;
}

/// Twice the area of a polygon.
static double shoelace(const double (*p)[2], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        const int k = (i + 1) % n;
        sum += p[i][0] * p[k][1] - p[k][0] * p[i][1];
    }
    return sum;
}

/// Share of a cell of a plane: the polygon of its corners in the set and of the places where the
/// border crosses its sides.
static double plane_share(const pkm_size_field* f, const cell* c)
{
    static const double place[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int du = c->width[0] * stride_of(f, c->axis[0]),
              dv = c->width[1] * stride_of(f, c->axis[1]);
    const int corner[4] = {c->at, c->at + du, c->at + du + dv, c->at + dv};
    const int low[4] = {corner[0], corner[1], corner[3], corner[0]}; // lower ends of the sides
    double p[MAX_CORNER][2];
    int n = 0, sum = 0;
    for (int k = 0; k < 4; ++k) {
        if (f->inside[corner[k]] == 2) return 0.0;
        sum += f->inside[corner[k]];
    }
    if (sum == 0 || sum == 4) return sum / 4;
    for (int k = 0; k < 4; ++k) {
        if (f->inside[corner[k]]) p[n][0] = place[k][0], p[n][1] = place[k][1], ++n;
        if (f->inside[corner[k]] == f->inside[corner[(k + 1) % 4]]) continue;
        const double at = crossing(f, low[k], c->axis[k % 2], c->width[k % 2]);
        p[n][0] = k % 2 ? place[k][0] : at;
        p[n][1] = k % 2 ? at : place[k][1];
        ++n;
    }
    // corners and crossings in the order round the cell
    return 0.5 * shoelace((const double(*)[2])p, n);
}

/// The next piece of an axis that is cut into pieces of `coarse` spacings.
static int piece(int i, int n, int coarse)
{
    return i + coarse < n ? coarse : n - 1 - i;
}

static double line_size(const pkm_size_field* f, int axis, int coarse)
{
    double size = 0.0;
    cell c = {.axis = {axis, axis}};
    for (int i = 0; i + 1 < f->n[axis]; i += c.width[0]) {
        c.at = i * stride_of(f, axis);
        c.width[0] = piece(i, f->n[axis], coarse);
        size += f->h[axis] * c.width[0] * line_share(f, &c);
    }
    return size;
}

/// Area of the slice across the third axis at its point `place`.
static double plane_size(const pkm_size_field* f, int u, int v, int place, int coarse)
{
    double size = 0.0;
    cell c = {.axis = {u, v}};
    for (int j = 0; j + 1 < f->n[v]; j += c.width[1]) {
        c.width[1] = piece(j, f->n[v], coarse);
        for (int i = 0; i + 1 < f->n[u]; i += c.width[0]) {
            c.width[0] = piece(i, f->n[u], coarse);
            c.at = i * stride_of(f, u) + j * stride_of(f, v) + place * stride_of(f, 3 - u - v);
            size += f->h[u] * f->h[v] * c.width[0] * c.width[1] * plane_share(f, &c);
        }
    }
    return size;
}

/// Volume by the areas of the slices across `axis`: trapezoids.
static double stack_size(const pkm_size_field* f, int axis, int coarse)
{
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    double size = 0.0, below = plane_size(f, u, v, 0, coarse);
    for (int k = 0, width; k + 1 < f->n[axis]; k += width) {
        width = piece(k, f->n[axis], coarse);
        const double above = plane_size(f, u, v, k + width, coarse);
        size += 0.5 * f->h[axis] * width * (below + above);
        below = above;
    }
    return size;
}

/// The size by pieces of `coarse` spacings; `*spread`: how far the three ways to stack slices part.
static double size_by(const pkm_size_field* f, int coarse, double* spread)
{
    int axis[3], n = 0;
    for (int k = 0; k < 3; ++k)
        if (f->n[k] > 1) axis[n++] = k;
    *spread = 0.0;
    if (n == 0) return 0.0;
    if (n == 1) return line_size(f, axis[0], coarse);
    if (n == 2) return plane_size(f, axis[0], axis[1], 0, coarse);
    double low = INFINITY, high = -INFINITY, sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double size = stack_size(f, k, coarse);
        low = fmin(low, size);
        high = fmax(high, size);
        sum += size;
    }
    *spread = high - low;
    return sum / 3.0;
}

/// What the border contributes by not being known better, and for few points all cells that it
/// passes.
static double border_error(const pkm_size_field* f)
{
    double unit = 1.0, share = f->edge_error;
    long n_cross = 0;
    const int n_point = f->n[0] * f->n[1] * f->n[2];
    for (int k = 0; k < 3; ++k) {
        if (f->n[k] > 1) unit *= f->h[k];
        if (f->n[k] > 1 && f->n[k] < FEW) share = 1.0;
    }
    for (int p = 0; p < n_point; ++p)
        for (int k = 0; k < 3; ++k) {
            const int stride = stride_of(f, k);
            if (f->n[k] == 1 || p / stride % f->n[k] == f->n[k] - 1) continue;
            n_cross += f->inside[p] + f->inside[p + stride] == 1;
        }
    return share * unit * (double)n_cross;
}

void pkm_size_measure(const pkm_size_field* f, double* size, double* error)
{
    double spread, ignored;
    *size = size_by(f, 1, &spread);
    const double two = fabs(*size - size_by(f, 2, &ignored));
    const double three = fabs(*size - size_by(f, 3, &ignored));
    // errors go with the square of the spacing: these are three and eight times that of the size
    *error = fmax(two, three / 3.0) + spread + border_error(f);
    if (*error < 1e-12 * *size) *error = 0.0; // rounding
}
