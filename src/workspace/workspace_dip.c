// Singularities between the points of a map: where a measure falls to zero on the way from a point
// to the next, or a determinant changes its sign. Theory: docs/theory/workspace.md, section 2.
#include "math/vec3.h"
#include "workspace/workspace_map.h"

#include <math.h>

enum { MOST_LOOKS = 40 };
static const double SUSPECT =
    1.0; // of the change from point to point: a smaller measure may vanish
static const double VANISHES = 1e-3; // of the change
static const double STEEPER = 4.0;   // than what is seen of a measure: it falls no faster
static const double FINEST = 1e-5;   // of the way: nothing narrower is looked into

/// A way between neighbours on which a measure may vanish.
typedef struct dip {
    const pkm_map* m;
    pkm_workspace_sampler sample;
    void* user;
    int lower, next, axis;
    bool serial;
} dip;

/// What vanishes at a parallel and at a serial singularity.
static double measure_of(double sigma_min, double sigma_max, bool serial)
{
    return serial ? sigma_min : 1.0 / sigma_max;
}

static double measure_at(const pkm_map* m, int index, bool serial)
{
    const pkm_map_point* p = &m->at[index];
    return measure_of(p->sigma_min, p->sigma_max, serial);
}

/// What is known between `lower` and the next point along `axis`; false: it cannot be told.
static bool look_between(const dip* d, double share, pkm_workspace_sample* out)
{
    const pkm_map* m = d->m;
    *out = (pkm_workspace_sample){0};
    if (m->settings->between) return m->settings->between(d->user, d->lower, d->axis, share, out);
    const pkm_vec3 from = pkm_map_position(m, d->lower);
    const pkm_vec3 way = pkm_vec3_sub(pkm_map_position(m, d->next), from);
    const pkm_vec3 position = pkm_vec3_axpy(from, share, way);
    return d->sample(d->user, &position, out) == PKM_OK && out->reachable;
}

/// The measure there; infinite where it is not known.
static double measure_between(const dip* d, double share)
{
    pkm_workspace_sample s;
    return look_between(d, share, &s) ? measure_of(s.sigma_min, s.sigma_max, d->serial) : INFINITY;
}

/// Measures at some places of the way, in their order.
typedef struct looks {
    double x[MOST_LOOKS + 2], f[MOST_LOOKS + 2];
    int n;
} looks;

static void insert(looks* l, double x, double f)
{
    int k = l->n++;
    for (; l->x[k - 1] > x; --k) {
        l->x[k] = l->x[k - 1];
        l->f[k] = l->f[k - 1];
    }
    l->x[k] = x;
    l->f[k] = f;
}

/// Of piece `i`, the way from one look to the next; 0 where an end is out of reach.
static double slope(const looks* l, int i)
{
    const double rise = l->f[i + 1] - l->f[i];
    return isfinite(rise) ? rise / (l->x[i + 1] - l->x[i]) : 0.0;
}

/// No measure of the way falls faster than that: four times what is seen of it.
static double steepest(const looks* l, double change)
{
    double most = change;
    for (int i = 0; i + 1 < l->n; ++i)
        most = fmax(most, fabs(slope(l, i)));
    return STEEPER * most;
}

/// How low the cones of that slope over the ends of piece `i` meet, or the one over an end in reach
/// comes to the other end.
static double least_of(const looks* l, int i, double steep)
{
    const double a = l->f[i], b = l->f[i + 1], width = l->x[i + 1] - l->x[i];
    if (width < FINEST) return INFINITY;
    return isfinite(a + b) ? 0.5 * (a + b - steep * width) : fmin(a, b) - steep * width;
}

/// The piece on which they leave most room.
static int lowest_piece(const looks* l, double steep)
{
    int best = 0;
    for (int i = 1; i + 1 < l->n; ++i)
        if (least_of(l, i, steep) < least_of(l, best, steep)) best = i;
    return best;
}

/// Where the cones over the ends of piece `i` meet; the middle towards a place out of reach.
static double cones_meet(const looks* l, int i, double steep)
{
    const double drop = l->f[i] - l->f[i + 1];
    return 0.5 * (l->x[i] + l->x[i + 1]) + (isfinite(drop) ? 0.5 * drop / steep : 0.0);
}

/// Where the lines of the pieces on both sides of piece `i` meet within it, and how low; where one
/// is missing it is as steep as the other. False: they do not.
static bool lines_meet(const looks* l, int i, double* x, double* f)
{
    if (i < 0 || i + 1 >= l->n || !isfinite(l->f[i] + l->f[i + 1])) return false;
    const double a = l->x[i], b = l->x[i + 1], margin = 0.01 * (b - a);
    double fall = i > 0 ? slope(l, i - 1) : 0.0, rise = i + 2 < l->n ? slope(l, i + 1) : 0.0;
    if (fall == 0.0) fall = -rise;
    if (rise == 0.0) rise = -fall;
    if (!(fall < 0.0 && rise > 0.0)) return false;
    *x = (fall * a - rise * b - l->f[i] + l->f[i + 1]) / (fall - rise);
    *f = l->f[i] + fall * (*x - a);
    return *x > a + margin && *x < b - margin;
}

/// The ground of a valley next to the lowest look, as its sides tell it. False: they do not.
static bool guess_ground(const looks* l, double* x)
{
    int j = 0;
    for (int k = 1; k < l->n; ++k)
        if (l->f[k] < l->f[j]) j = k;
    double x_left, x_right, left = INFINITY, right = INFINITY;
    if (!lines_meet(l, j - 1, &x_left, &left)) left = INFINITY;
    if (!lines_meet(l, j, &x_right, &right)) right = INFINITY;
    *x = left < right ? x_left : x_right;
    return isfinite(fmin(left, right));
}

/// Does the measure fall below `zero` on the way, and where? It does not where all cones end above.
static bool falls_below(const dip* d, double change, double zero, double* share)
{
    looks l = {.x = {0.0, 1.0}, .n = 2};
    l.f[0] = measure_at(d->m, d->lower, d->serial);
    l.f[1] = measure_at(d->m, d->next, d->serial);
    for (int n = 0; n < MOST_LOOKS; ++n) {
        const double steep = steepest(&l, change);
        const int i = lowest_piece(&l, steep);
        if (least_of(&l, i, steep) > zero) return false;
        if (n % 2 == 0 || !guess_ground(&l, share)) *share = cones_meet(&l, i, steep);
        const double f = measure_between(d, *share);
        if (f < zero) return true;
        insert(&l, *share, f);
    }
    return false;
}

/// Could the measure vanish between `lower` and `next`? It changes here as fast as around; a
/// singularity between makes it fall towards both points from outside.
static double fastest_change(const pkm_map* m, const dip* d, int stride, int at, int n)
{
    const double a = measure_at(m, d->lower, d->serial), b = measure_at(m, d->next, d->serial);
    double change = fabs(a - b);
    if (at > 0 && m->at[d->lower - stride].reachable)
        change = fmax(change, fabs(measure_at(m, d->lower - stride, d->serial) - a));
    if (at + 2 < n && m->at[d->next + stride].reachable)
        change = fmax(change, fabs(measure_at(m, d->next + stride, d->serial) - b));
    return change;
}

/// Mark the nearer one of two neighbours between which the measure vanishes without a change of
/// sign.
static void mark_dip(pkm_map* m, const dip* d, int stride, int at, int n)
{
    const double a = measure_at(m, d->lower, d->serial), b = measure_at(m, d->next, d->serial);
    const double change = fastest_change(m, d, stride, at, n);
    // a measure that is larger than its change around cannot vanish here, to first order
    if (!(fmin(a, b) < SUSPECT * change)) return;
    double share;
    if (!falls_below(d, change, VANISHES * fmax(change, fmin(a, b)), &share)) return;
    m->at[share < 0.5 ? d->lower : d->next].singular = true;
}

/// Mark the nearer one of two neighbours whose determinants, `a` and `b`, differ in sign: the one
/// in whose half of the way they do, or where the middle is not known the one with the smaller
/// determinant.
static void mark_change(pkm_map* m, const dip* d, double a, double b)
{
    pkm_workspace_sample s;
    const bool known = look_between(d, 0.5, &s);
    const double middle = d->serial ? s.det_A : s.det_B;
    const bool first = known ? (middle < 0.0) != (a < 0.0) : fabs(a) < fabs(b);
    m->at[first ? d->lower : d->next].singular = true;
}

/// One kind of singularity on the way `d`, the `at`-th of `n` - 1 of a line.
static void mark(pkm_map* m, const dip* d, int stride, int at, int n)
{
    const pkm_map_point *lower = &m->at[d->lower], *next = &m->at[d->next];
    const double a = d->serial ? lower->det_A : lower->det_B;
    const double b = d->serial ? next->det_A : next->det_B;
    if (a * b < 0.0)
        mark_change(m, d, a, b);
    else
        mark_dip(m, d, stride, at, n);
}

// Each pair of neighbours once, along every axis: changes of sign of the determinants, and else the
// measures of section 2, which also see singularities of even order.
void pkm_map_mark_crossings(pkm_map* m, pkm_workspace_sampler sample, void* user)
{
    const int stride[3] = {1, m->n[0], m->n[0] * m->n[1]};
    for (int index = 0; index < m->n_point; ++index) {
        const int at[3] = {index % m->n[0], index / m->n[0] % m->n[1], index / m->n[0] / m->n[1]};
        for (int axis = 0; axis < 3; ++axis) {
            const int next = index + stride[axis];
            if (at[axis] + 1 >= m->n[axis]) continue;
            if (!m->at[index].reachable || !m->at[next].reachable) continue;
            for (int serial = 0; serial < 2; ++serial) {
                const dip d = {m, sample, user, index, next, axis, serial == 1};
                mark(m, &d, stride[axis], at[axis], m->n[axis]);
            }
        }
    }
}
