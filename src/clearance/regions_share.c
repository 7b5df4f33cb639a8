// How redundant loops share loads among journals: the self-stresses z that minimise h(f0 + E' z) +
// g . z (3.7), by Newton's method with the smoothed h, whose floor falls step by step. The gradient
// is E y + g: at the minimum the journals lie where the loops close (3.5). Equations:
// docs/theory/clearance.md, section 3.4.
#include "base/error.h"
#include "base/memory.h"
#include "clearance/regions.h"
#include "math/dot.h"

#include <float.h>
#include <string.h>

static const double FLOOR_START = 0.1;  // of the largest load: smoothing that Newton starts with
static const double FLOOR_FACTOR = 0.2; // by which it shrinks
enum { MAX_NEWTON = 40, MAX_HALVING = 30 };

pkm_status pkm_share_create(pkm_share* out, const pkm_regions* regions, int n_free, pkm_error* err)
{
    const size_t nf = (size_t)n_free, ny = (size_t)regions->n_y;
    *out = (pkm_share){.n_free = n_free, .n_y = regions->n_y};
    const size_t size = 2 * ny * nf + 5 * nf + 2 * ny + nf * nf;
    double* at = pkm_alloc(size + 1, sizeof(double));
    if (!at) return pkm_out_of_memory(err);
    out->E = at;
    out->H = out->E + ny * nf;
    out->g = out->H + ny * nf;
    out->z = out->g + nf;
    out->z_try = out->z + nf;
    out->gradient = out->z_try + nf;
    out->step = out->gradient + nf;
    out->f = out->step + nf;
    out->y = out->f + ny;
    out->A = out->y + ny;
    return PKM_OK;
}

void pkm_share_free(pkm_share* share)
{
    pkm_free(share->E);
    *share = (pkm_share){0};
}

void pkm_share_read(pkm_share* share, const pkm_regions* regions, const pkm_reactions* reactions,
                    const pkm_state* state, pkm_reaction* reaction)
{
    for (int k = 0; k < share->n_free; ++k) {
        pkm_reactions_self_stress(reactions, state, k, reaction);
        pkm_regions_loads(regions, state, reaction, share->E + (size_t)k * (size_t)share->n_y);
    }
}

// ---- the minimum ------------------------------------------------------------------------------

/// f = f0 + E' z
static void set_loads(pkm_share* share, const double* f0, const double* z)
{
    memcpy(share->f, f0, (size_t)share->n_y * sizeof(double));
    for (int k = 0; k < share->n_free; ++k)
        for (int i = 0; i < share->n_y; ++i)
            share->f[i] += z[k] * share->E[i + k * share->n_y];
}

/// The smooth function whose gradient by f is y: the sum of radius sqrt(f^2 + floor^2) over the
/// parts, here by f . y plus what the floor adds. Only its decrease is asked for, so the value of
/// the convex function is taken along the gradient: see line search.
static void evaluate(pkm_share* share, const pkm_regions* regions, const double* f0,
                     const double* z, double floor)
{
    set_loads(share, f0, z);
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        pkm_region_extreme(&item->region, share->f + item->y_at, floor, share->y + item->y_at);
    }
    for (int k = 0; k < share->n_free; ++k)
        share->gradient[k] = pkm_dot(share->E + k * share->n_y, share->y, share->n_y) + share->g[k];
}

/// A trace of damping for self-stresses that no region carries; without any clearance all is
/// damped.
static void damp(pkm_share* share, double trace)
{
    for (int i = 0; i < share->n_free; ++i)
        share->A[i + i * share->n_free] += trace > 0.0 ? 1e-12 * trace : 1.0;
}

/// A = E' (dy/df) E
static void set_matrix(pkm_share* share, const pkm_regions* regions, double floor)
{
    const int n = share->n_free, n_y = share->n_y;
    double block[PKM_REGION_COORDINATES * PKM_REGION_COORDINATES], trace = 0.0;
    for (int p = 0; p < regions->n; ++p) {
        const pkm_joint_region* item = &regions->item[p];
        const int m = pkm_region_n(&item->region);
        pkm_region_yield(&item->region, share->f + item->y_at, floor, block);
        for (int k = 0; k < n; ++k)
            for (int i = 0; i < m; ++i)
                share->H[item->y_at + i + k * n_y] =
                    pkm_dot(block + i * m, share->E + item->y_at + k * n_y, m);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            share->A[i + j * n] = pkm_dot(share->E + i * n_y, share->H + j * n_y, n_y);
    for (int i = 0; i < n; ++i)
        trace = fmax(trace, share->A[i + i * n]);
    damp(share, trace);
}

/// step = -A^-1 gradient by Cholesky; A is positive definite.
static void solve_step(pkm_share* share)
{
    const int n = share->n_free;
    double *A = share->A, *x = share->step;
    for (int j = 0; j < n; ++j) {
        x[j] = -share->gradient[j];
        for (int i = j; i < n; ++i) {
            double sum = A[i + j * n];
            for (int k = 0; k < j; ++k)
                sum -= A[i + k * n] * A[j + k * n];
            A[i + j * n] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / A[j + j * n];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= A[i + k * n] * x[k];
        x[i] /= A[i + i * n];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= A[k + i * n] * x[k];
        x[i] /= A[i + i * n];
    }
}

/// Go along the step as far as the function falls: its slope there is not yet positive by more than
/// a part of the slope at the start (the function is convex along the line).
static void search(pkm_share* share, const pkm_regions* regions, const double* f0, double floor)
{
    const int n = share->n_free;
    const double slope = pkm_dot(share->gradient, share->step, n);
    double length = 1.0;
    for (int k = 0; k < MAX_HALVING; ++k, length *= 0.5) {
        for (int i = 0; i < n; ++i)
            share->z_try[i] = share->z[i] + length * share->step[i];
        evaluate(share, regions, f0, share->z_try, floor);
        if (pkm_dot(share->gradient, share->step, n) <= -0.5 * slope) break;
    }
    memcpy(share->z, share->z_try, (size_t)n * sizeof(double));
}

static void minimise(pkm_share* share, const pkm_regions* regions, const double* f0, double floor,
                     double enough)
{
    evaluate(share, regions, f0, share->z, floor);
    for (int k = 0; k < MAX_NEWTON && pkm_largest(share->gradient, share->n_free) > enough; ++k) {
        set_matrix(share, regions, floor);
        solve_step(share);
        search(share, regions, f0, floor);
    }
}

/// Returns the minimum of (3.7). The floor goes from FLOOR_START of the largest load down to
/// `floor`, so that Newton's method always starts near its solution.
double pkm_share_solve(pkm_share* share, const pkm_regions* regions, const double* f0, double floor,
                       double* off)
{
    const int n = share->n_free;
    *off = 0.0;
    memcpy(share->f, f0, (size_t)share->n_y * sizeof(double));
    if (n == 0) return pkm_regions_extreme(regions, f0, floor, share->y);
    double size = pkm_largest(f0, share->n_y), clearance = 0.0;
    if (size == 0.0) size = 1.0;
    for (int k = 0; k < regions->n; ++k)
        clearance = fmax(clearance, regions->item[k].region.radial);
    // the multiplier of a self-stress is a force or a moment: E may be large or small
    for (double now = FLOOR_START;; now *= FLOOR_FACTOR) {
        const bool last = now <= floor;
        minimise(share, regions, f0, (last ? floor : now) * size,
                 (last ? 1e-12 : 1e-3) * clearance);
        if (last) break;
    }
    *off = pkm_largest(share->gradient, n);
    return pkm_dot(share->f, share->y, share->n_y) + pkm_dot(share->g, share->z, n);
}

// ---- least squares ----------------------------------------------------------------------------

/// H = radius^2 E
static void weigh(pkm_share* share, const pkm_regions* regions)
{
    for (int p = 0; p < regions->n; ++p) {
        const pkm_joint_region* item = &regions->item[p];
        pkm_region_part part[PKM_REGION_PARTS];
        const int n = pkm_region_parts(&item->region, part);
        for (int k = 0; k < n; ++k)
            for (int i = item->y_at + part[k].at; i < item->y_at + part[k].at + part[k].n; ++i)
                for (int c = 0; c < share->n_free; ++c)
                    share->H[i + c * share->n_y] =
                        part[k].radius * part[k].radius * share->E[i + c * share->n_y];
    }
}

/// step = -(E' radius^2 E)^-1 gradient
static void solve_weighted(pkm_share* share)
{
    const int n = share->n_free, n_y = share->n_y;
    double trace = 0.0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
            share->A[i + j * n] = pkm_dot(share->E + i * n_y, share->H + j * n_y, n_y);
        trace = fmax(trace, share->A[i + i * n]);
    }
    damp(share, trace);
    solve_step(share);
}

/// f + E' z with the least sum of (radius f)^2, for ellipsoids: any z is allowed there (section
/// 4.2).
void pkm_share_relax(pkm_share* share, const pkm_regions* regions, double* f)
{
    weigh(share, regions);
    for (int k = 0; k < share->n_free; ++k)
        share->gradient[k] = pkm_dot(share->H + k * share->n_y, f, share->n_y);
    solve_weighted(share);
    for (int k = 0; k < share->n_free; ++k)
        for (int i = 0; i < share->n_y; ++i)
            f[i] += share->step[k] * share->E[i + k * share->n_y];
}

/// The least change of y, in parts of the clearances, that makes E y = -g.
void pkm_share_comply(pkm_share* share, const pkm_regions* regions, double* y)
{
    weigh(share, regions);
    for (int k = 0; k < share->n_free; ++k)
        share->gradient[k] = pkm_dot(share->E + k * share->n_y, y, share->n_y) + share->g[k];
    solve_weighted(share);
    for (int k = 0; k < share->n_free; ++k)
        for (int i = 0; i < share->n_y; ++i)
            y[i] += share->step[k] * share->H[i + k * share->n_y];
}
