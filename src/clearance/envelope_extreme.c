// The pose farthest along w as a linear program over the journals: boxes and planes at first, then
// tangent planes where a solution lies over the edge of a ball or disc (Kelley's cutting planes).
// It finds the journals where envelope.c finds the loads, so that the two check each other.
// docs/theory/clearance.md, section 4.3.
#include "base/error.h"
#include "base/memory.h"
#include "clearance/envelope.h"
#include "solver/linear_program.h"

#include <string.h>

enum { MAX_ROUND = 60 };
static const double TOUCH =
    1e-8; // of the clearance: how far the program may reach over a ball or disc

/// The program in variables of order 1: y = radius x on every part.
typedef struct program {
    const pkm_regions* regions;
    pkm_lp* lp;
    int n;
    double *scale, *row, *x, *c; ///< [n]
    int cuts;
} program;

static void scale_part(const pkm_region_part* part, program* out)
{
    for (int i = 0; i < part->n; ++i) {
        out->scale[part->at + i] = part->radius;
        if (part->radius == 0.0) pkm_lp_bound(out->lp, part->at + i, 0.0, 0.0);
    }
}

/// Corners of a guide: shifts and roll share the clearance.
static pkm_status add_planes(const pkm_joint_region* item, program* out)
{
    if (item->region.radial == 0.0) return PKM_OK; // all of it is fixed
    for (int k = 0; k < pkm_region_n_plane(&item->region); ++k) {
        double normal[PKM_REGION_COORDINATES];
        pkm_region_plane(&item->region, k, normal);
        memset(out->row, 0, (size_t)out->n * sizeof(double));
        for (int i = 0; i < PKM_REGION_COORDINATES; ++i)
            // over the clearance: rows of order 1
            out->row[item->y_at + i] = normal[i] * out->scale[item->y_at + i] / item->region.radial;
        PKM_TRY(pkm_lp_add_below(out->lp, out->row, 1.0));
    }
    return PKM_OK;
}

static pkm_status add_regions(program* out)
{
    for (int p = 0; p < out->regions->n; ++p) {
        const pkm_joint_region* item = &out->regions->item[p];
        pkm_region_part part[PKM_REGION_PARTS];
        const int n = pkm_region_parts(&item->region, part);
        for (int k = 0; k < n; ++k) {
            part[k].at += item->y_at;
            scale_part(&part[k], out);
        }
        PKM_TRY(add_planes(item, out));
    }
    return PKM_OK;
}

/// E y = 0, each row over its largest entry; self-stresses that no clearance sees say nothing.
static pkm_status add_loops(const pkm_share* share, program* out)
{
    for (int k = 0; k < share->n_free; ++k) {
        double largest = 0.0, whole = 0.0;
        for (int i = 0; i < out->n; ++i) {
            out->row[i] = share->E[i + k * out->n] * out->scale[i];
            largest = fmax(largest, fabs(out->row[i]));
            whole = fmax(whole, out->scale[i]);
        }
        // what no clearance sees has entries that are rounding
        if (largest <= 1e-9 * whole) continue;
        for (int i = 0; i < out->n; ++i)
            out->row[i] /= largest;
        PKM_TRY(pkm_lp_add_equal(out->lp, out->row, 0.0));
    }
    return PKM_OK;
}

/// A tangent plane where x lies over the edge of a round part.
static pkm_status cut_part(const pkm_region_part* part, program* out)
{
    double size = 0.0;
    for (int i = part->at; i < part->at + part->n; ++i)
        size += out->x[i] * out->x[i];
    size = sqrt(size);
    // segments are boxes already; discs and balls round
    if (part->n == 1 || part->radius == 0.0 || size <= 1.0 + TOUCH) return PKM_OK;
    memset(out->row, 0, (size_t)out->n * sizeof(double));
    for (int i = part->at; i < part->at + part->n; ++i)
        out->row[i] = out->x[i] / size;
    ++out->cuts;
    return pkm_lp_add_below(out->lp, out->row, 1.0);
}

/// One tangent plane for every round part that the last solution leaves.
static pkm_status cut(program* out)
{
    for (int p = 0; p < out->regions->n; ++p) {
        const pkm_joint_region* item = &out->regions->item[p];
        pkm_region_part part[PKM_REGION_PARTS];
        const int n = pkm_region_parts(&item->region, part);
        for (int k = 0; k < n; ++k) {
            part[k].at += item->y_at;
            PKM_TRY(cut_part(&part[k], out));
        }
    }
    return PKM_OK;
}

/// Kelley's method: the polytope of tangent planes shrinks to the set where the program touches it.
static pkm_status maximise(program* p, const double* f, double* y, double* value)
{
    double largest = 0.0;
    // a direction of size 1, so that tolerances of the program mean the same for all
    for (int i = 0; i < p->n; ++i)
        largest = fmax(largest, fabs(p->c[i] = f[i] * p->scale[i]));
    if (largest == 0.0) largest = 1.0;
    for (int i = 0; i < p->n; ++i)
        p->c[i] /= largest;
    for (int round = 0; round < MAX_ROUND; ++round) {
        PKM_TRY(pkm_lp_solve(p->lp, p->c, p->x, value));
        const int before = p->cuts;
        PKM_TRY(cut(p));
        // nothing reaches over an edge: the vertex lies in the set
        if (p->cuts == before) break;
    }
    *value *= largest;
    for (int i = 0; i < p->n; ++i)
        y[i] = p->scale[i] * p->x[i];
    return PKM_OK;
}

static pkm_status make_program(const pkm_error_set* set, program* out)
{
    const pkm_regions* regions = &set->seat.regions;
    *out = (program){.regions = regions, .n = regions->n_y};
    PKM_TRY(pkm_lp_create(out->n, &out->lp));
    out->scale = pkm_alloc(4 * (size_t)out->n, sizeof(double));
    if (!out->scale) return PKM_ERR_MEMORY;
    out->row = out->scale + out->n;
    out->x = out->row + out->n;
    out->c = out->x + out->n;
    return add_regions(out);
}

static pkm_status solve(pkm_error_set* set, program* p, double* y, pkm_extreme_pose* out)
{
    PKM_TRY(add_loops(&set->seat.share, p));
    // journals first, then the pose that they make: to first order and closed
    PKM_TRY(maximise(p, set->f, y, &out->value));
    pkm_error_set_linear(set, y, out->linear);
    return pkm_error_set_closed(set, y, out->closed);
}

pkm_status pkm_extreme_pose_find(pkm_error_set* set, const double* w, double* y,
                                 pkm_extreme_pose* out)
{
    program p;
    *out = (pkm_extreme_pose){.value = 0.0};
    const int n = set->seat.regions.n_y;
    for (int i = 0; i < n; ++i) {
        // f = J' w, the loads of a unit w
        set->f[i] = 0.0;
        for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
            set->f[i] += w[axis] * set->J[i + axis * n];
    }
    pkm_status status = make_program(set, &p);
    if (status == PKM_OK) status = solve(set, &p, y, out);
    out->cuts = p.cuts;
    pkm_lp_free(p.lp);
    pkm_free(p.scale);
    return status;
}
