// The box of a map that nobody gave: probes of few points grow it from the middle until the reach
// ends inside, shrink it to what was found and look for narrow corners; then round ends and
// spacings.
#include "base/error.h"
#include "pkm/workspace.h"
#include "robot/guard.h"
#include "robot/robot.h"
#include "workspace/workspace.h"
#include "workspace/workspace_reach.h"

#include <math.h>

enum {
    PROBE_POINTS = 25, ///< along each axis of a plane; 13 in space
    MAX_GROWTH = 5,    ///< doublings of the first box
    N_SHRINK = 2,      ///< rounds that fit the box
    FINE_POINTS = 61,  ///< along each axis, to see corners between the points of the probe
    MAX_WIDEN = 8,     ///< rounds that widen the box where corners reach its sides
};
static const double FAR = 8.0;     // sizes of the robot: beyond, the reach has no end
static const double CUT = 2.0;     // sizes of the robot: where the grid ends then
static const double MARGIN = 0.03; // of the width, on each side
static const double WIDER = 0.1;   // of the width, where a corner goes on

/// A box about the point `through`, along some axes.
typedef struct box {
    double through[3], low[3], high[3];
    bool active[3];
    bool is_cut[3][2]; ///< low, high: the reach has no end there
    double size;       ///< of the robot [m]
} box;

/// What a coarse grid of a box finds: the box around the points in limits, or in reach.
typedef struct probe {
    bool any;
    double low[3], high[3];
    double h[3]; ///< spacing
} probe;

static pkm_workspace_grid grid_of(const box* b, int n)
{
    const double* lo = b->low;
    const double* hi = b->high;
    pkm_workspace_grid grid = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, {1, 1, 1}};
    for (int k = 0; k < 3; ++k)
        if (b->active[k]) grid.n[k] = n;
    return grid;
}

/// Does the set have a point in this layer of the grid?
static bool has_layer(pkm_workspace_reach* reach, const int n[3], int axis, int layer, bool limits)
{
    const int stride[3] = {1, n[0], n[0] * n[1]};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    for (int j = 0; j < n[b]; ++j)
        for (int i = 0; i < n[a]; ++i)
            if (pkm_workspace_reach_has(reach, layer * stride[axis] + i * stride[a] + j * stride[b],
                                        limits))
                return true;
    return false;
}

/// The box around the set, from outside: what lies within it is not asked. False: nothing is found.
static bool enclose(pkm_workspace_reach* reach, const pkm_workspace_grid* grid, bool limits,
                    probe* out)
{
    for (int axis = 0; axis < 3; ++axis) {
        int low = 0, high = grid->n[axis] - 1;
        while (low <= high && !has_layer(reach, grid->n, axis, low, limits))
            ++low;
        if (low > high) return false;
        while (!has_layer(reach, grid->n, axis, high, limits))
            --high;
        out->low[axis] = pkm_workspace_grid_place(grid, axis, low);
        out->high[axis] = pkm_workspace_grid_place(grid, axis, high);
    }
    return true;
}

static pkm_status run_probe(const pkm_workspace_plan* plan, const box* b, int points, probe* out,
                            pkm_error* err)
{
    const bool space = b->active[0] && b->active[1] && b->active[2];
    const int n = space ? (points + 1) / 2 : points;
    const pkm_workspace_grid grid = grid_of(b, n);
    pkm_workspace_reach* reach = NULL;
    *out = (probe){0};
    PKM_TRY(pkm_workspace_reach_create(plan, &grid, &reach, err));
    // where limits leave nothing, the reach itself
    out->any = enclose(reach, &grid, true, out) || enclose(reach, &grid, false, out);
    for (int k = 0; k < 3; ++k)
        out->h[k] = b->active[k] ? (b->high[k] - b->low[k]) / (n - 1) : 0.0;
    pkm_workspace_reach_free(reach);
    return PKM_OK;
}

/// Double the distance of a side from the middle where points are found next to it, or where none
/// are found at all. False when no side has moved.
static bool grow(box* b, const probe* found)
{
    const double most = FAR * b->size;
    bool grown = false;
    for (int k = 0; k < 3; ++k) {
        if (!b->active[k]) continue;
        const double down = b->through[k] - b->low[k], up = b->high[k] - b->through[k];
        const bool low = !found->any || found->low[k] < b->low[k] + 0.5 * found->h[k];
        const bool high = !found->any || found->high[k] > b->high[k] - 0.5 * found->h[k];
        if (low && down < most) b->low[k] = b->through[k] - fmin(2.0 * down, most);
        if (high && up < most) b->high[k] = b->through[k] + fmin(2.0 * up, most);
        grown = grown || (low && down < most) || (high && up < most);
    }
    return grown;
}

/// Cut sides where the reach does not end.
static void cut(box* b, probe* found)
{
    for (int k = 0; k < 3; ++k) {
        if (!b->active[k]) continue;
        b->is_cut[k][0] = found->low[k] < b->low[k] + 0.5 * found->h[k];
        b->is_cut[k][1] = found->high[k] > b->high[k] - 0.5 * found->h[k];
        if (b->is_cut[k][0]) found->low[k] = b->low[k] = b->through[k] - CUT * b->size;
        if (b->is_cut[k][1]) found->high[k] = b->high[k] = b->through[k] + CUT * b->size;
    }
}

/// One spacing around what was found: the reach ends within it.
static void shrink(box* b, const probe* found)
{
    for (int k = 0; k < 3; ++k) {
        if (!b->active[k]) continue;
        b->low[k] = fmax(b->low[k], found->low[k] - found->h[k]);
        b->high[k] = fmin(b->high[k], found->high[k] + found->h[k]);
    }
}

/// Narrow corners lie between the points of the probe: a finer one tells where they go on.
static pkm_status widen(const pkm_workspace_plan* plan, box* b, pkm_error* err)
{
    bool wider = true;
    for (int round = 0; round < MAX_WIDEN && wider; ++round) {
        probe found;
        PKM_TRY(run_probe(plan, b, FINE_POINTS, &found, err));
        wider = false;
        for (int k = 0; k < 3 && found.any; ++k) {
            const double more = WIDER * (b->high[k] - b->low[k]);
            const bool low = b->active[k] && found.low[k] < b->low[k] + 0.5 * found.h[k];
            const bool high = b->active[k] && found.high[k] > b->high[k] - 0.5 * found.h[k];
            if (low && !b->is_cut[k][0]) b->low[k] -= more, wider = true;
            if (high && !b->is_cut[k][1]) b->high[k] += more, wider = true;
        }
    }
    return PKM_OK;
}

/// Grown at most MAX_GROWTH times, so that a reach without end stops; then shrunk, which makes the
/// spacing of the probe finer each time.
static pkm_status fit(const pkm_workspace_plan* plan, box* b, pkm_error* err)
{
    probe found;
    PKM_TRY(run_probe(plan, b, PROBE_POINTS, &found, err));
    for (int round = 0; round < MAX_GROWTH && grow(b, &found); ++round)
        PKM_TRY(run_probe(plan, b, PROBE_POINTS, &found, err));
    if (!found.any)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "workspace: nothing is found in reach within %.3g m of (%.6g, %.6g, %.6g) "
                        "m, expected another slice or grid",
                        FAR * b->size, b->through[0], b->through[1], b->through[2]);
    cut(b, &found);
    for (int round = 0; round < N_SHRINK; ++round) {
        shrink(b, &found);
        PKM_TRY(run_probe(plan, b, PROBE_POINTS, &found, err));
        if (!found.any) return PKM_OK; // keep the box that had something
    }
    shrink(b, &found);
    return widen(plan, b, err);
}

/// The round number (1, 1.2, 1.5 ... 8 times a power of ten) not below `x`, as over/under, so that
/// its multiples are as exact as decimals can be.
static void round_up(double x, double* over, double* under)
{
    static const double step[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    const double power = floor(log10(x));
    int k = 0;
    while (k < 10 && step[k] * pow(10.0, power) < x * (1.0 - 1e-9))
        ++k;
    *over = power < 0.0 ? step[k] : step[k] * pow(10.0, power);
    *under = power < 0.0 ? pow(10.0, -power) : 1.0;
}

/// The ends of the box as multiples of the spacing.
static void round_axis(double low, double high, double over, double under, double* from, double* to,
                       int* n)
{
    const double first = floor(low * under / over + 1e-9), last = ceil(high * under / over - 1e-9);
    *from = first * over / under;
    *to = last * over / under;
    *n = (int)(last - first) + 1;
}

static void round_grid(const box* b, int n, pkm_workspace_grid* out)
{
    double width = 0.0, over, under, from[3], to[3];
    for (int k = 0; k < 3; ++k)
        if (b->active[k]) width = fmax(width, (1.0 + 2.0 * MARGIN) * (b->high[k] - b->low[k]));
    round_up(width / (n - 1), &over, &under);
    for (int k = 0; k < 3; ++k) {
        const double margin = MARGIN * (b->high[k] - b->low[k]);
        from[k] = to[k] = b->through[k];
        out->n[k] = 1;
        if (!b->active[k]) continue;
        round_axis(b->low[k] - margin, b->high[k] + margin, over, under, &from[k], &to[k],
                   &out->n[k]);
    }
    out->from = (pkm_vec3){from[0], from[1], from[2]};
    out->to = (pkm_vec3){to[0], to[1], to[2]};
}

pkm_status pkm_workspace_plan_grid(const pkm_workspace_plan* plan, unsigned axes, pkm_vec3 through,
                                   int n, pkm_workspace_grid* out, pkm_error* err)
{
    if (!plan || !plan->robot || !out || n < 2 || axes == 0 ||
        (axes & ~pkm_workspace_plan_axes(plan)) || !isfinite(through.x + through.y + through.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "workspace: bad plan, axes, middle or number of points for a grid");
    PKM_HOLD(plan->robot, err);
    const double size = plan->robot->mech->size > 0.0 ? plan->robot->mech->size : 1.0;
    box b = {.through = {through.x, through.y, through.z}, .size = size};
    for (int k = 0; k < 3; ++k) {
        b.active[k] = axes >> k & 1u;
        b.low[k] = b.through[k] - (b.active[k] ? size : 0.0);
        b.high[k] = b.through[k] + (b.active[k] ? size : 0.0);
    }
    PKM_TRY(fit(plan, &b, err));
    round_grid(&b, n, out);
    return PKM_OK;
}
