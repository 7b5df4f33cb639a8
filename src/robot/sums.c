// Integrals over a motion from samples that may be uneven, between breaks, where values jump; of
// powers also the positive and the negative part by itself. docs/theory/engine.md, (4.8).
#include "robot/sums.h"

#include "base/memory.h"
#include "math/pair.h"

#include <math.h>
#include <stdbool.h>

enum { RING = 6 }; // samples that a polynomial of fifth degree goes through

struct pkm_sums {
    int n_smooth, n_part, n_ring; ///< samples in the ring, since the last break
    int stride;                   ///< of part i from smooth i: n_smooth, made even
    double span;
    double t[RING];                  ///< the oldest first
    double* value[RING];             ///< [n_smooth], from `stride` on [n_part] and one more
    double share[RING];              ///< [s] weight of a sample in all intervals that were added
    double *total, *up, *down;       ///< [stride]; [n_part], made even
    bool is_first;                   ///< the sample to take is the first that fills the ring
    double node[RING], weight[RING]; ///< the last weights and what they were made for
    double* memory;
};

pkm_sums* pkm_sums_create(int n_smooth, int n_part)
{
    pkm_sums* s = pkm_alloc(1, sizeof *s);
    if (!s) return NULL;
    s->n_smooth = n_smooth;
    s->n_part = n_part;
    s->stride = n_smooth + n_smooth % 2;
    const int n_pair = n_part + n_part % 2, n_value = s->stride + n_pair; // taken two by two
    s->memory = pkm_alloc((size_t)(RING * n_value + s->stride + 2 * n_pair) + 1, sizeof(double));
    if (!s->memory) {
        pkm_free(s);
        return NULL;
    }
    double* at = s->memory;
    for (int k = 0; k < RING; ++k, at += n_value)
        s->value[k] = at;
    s->total = at;
    s->up = s->total + s->stride;
    s->down = s->up + n_pair;
    return s;
}

void pkm_sums_free(pkm_sums* s)
{
    if (!s) return;
    pkm_free(s->memory);
    pkm_free(s);
}

/// Gauss's rule with three points is exact up to the fifth degree.
static const double POINT[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double SHARE[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/// Lagrange's polynomial i of node[n] at x.
static double basis(const double* node, int n, int i, double x)
{
    double value = 1.0;
    for (int k = 0; k < n; ++k)
        if (k != i) value *= (x - node[k]) / (node[i] - node[k]);
    return value;
}

/// Weights w of the samples at node[n] (at most six): the integral from 0 to 1 of the polynomial
/// through them is sum w f. Where samples crowd on one side, after an impact, weights of both signs
/// grow, and noise with them: the straight line from node j to the next then.
static void find_weights(const double* node, int n, int j, double* w)
{
    static const double MOST = 10.0; // sum |w|; 1 is that of a mean
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        w[i] = 0.0;
        for (int g = 0; g < 3; ++g)
            w[i] += SHARE[g] * basis(node, n, i, POINT[g]);
        sum += fabs(w[i]);
    }
    for (int i = 0; i < n && !(sum <= MOST); ++i)
        w[i] = i == j || i == j + 1 ? 0.5 : 0.0;
}

/// Quantity i at x, in intervals from sample j, by the polynomial through the ring.
static double value_at(const pkm_sums* s, int i, double x)
{
    double value = 0.0;
    for (int k = 0; k < s->n_ring; ++k)
        value += basis(s->node, s->n_ring, k, x) * s->value[k][i];
    return value;
}

/// The integral of quantity i, which changes its sign between samples j and j + 1, from there to
/// its zero, in intervals. The integral is flat there: a few chords tell the zero well enough.
static double first_part(const pkm_sums* s, int i, int j)
{
    enum { CHORDS = 3 };
    double from = 0.0, to = 1.0, low = s->value[j][i], high = s->value[j + 1][i];
    double zero = low / (low - high), sum = 0.0;
    for (int k = 1; k < CHORDS; ++k) {
        const double value = value_at(s, i, zero);
        // false position keeps the zero between `from` and `to`
        const bool is_left = value * low > 0.0;
        *(is_left ? &from : &to) = zero;
        *(is_left ? &low : &high) = value;
        zero = from + (to - from) * low / (low - high);
    }
    for (int g = 0; g < 3; ++g)
        sum += SHARE[g] * zero * value_at(s, i, POINT[g] * zero);
    return sum;
}

/// What is above zero of part i between samples j and j + 1, where it changes its sign; `all` in
/// all. Where the polynomial overshoots, at a kink, a straight line tells the parts.
static double part_above(const pkm_sums* s, int i, int j, double h, double all)
{
    const double a = s->value[j][i], b = s->value[j + 1][i];
    const double first = h * first_part(s, i, j), rest = all - first;
    const double line = 0.5 * h * fmax(a, b) * fmax(a, b) / fabs(b - a);
    return first * a > 0.0 && rest * b > 0.0 ? fmax(first, rest) : fmax(line, fmax(all, 0.0));
}

/// Add what is above and below zero of parts i and i + 1 between samples j and j + 1.
static void add_parts(pkm_sums* s, int i, int j, double h, pkm_pair all)
{
    const int at = s->stride + i;
    const pkm_pair turn = pkm_pair_load(s->value[j] + at) * pkm_pair_load(s->value[j + 1] + at);
    for (int l = 0; l < 2; ++l) {
        double up = all[l] > 0.0 ? all[l] : 0.0;
        if (turn[l] < 0.0) up = part_above(s, at + l, j, h, all[l]);
        s->up[i + l] += up;
        // all = up - down, whatever rounding does: the parts add up to the whole
        s->down[i + l] += up - all[l];
    }
}

/// Weights of the samples for the interval of length h behind sample j. Evenly spaced samples have
/// the same from interval to interval: they are made once.
static void prepare_weights(pkm_sums* s, int j, double h)
{
    static const double SAME = 1e-9; // of the interval
    bool is_same = s->n_ring == RING;
    for (int k = 0; k < s->n_ring && is_same; ++k)
        is_same = fabs(s->t[k] - s->t[j] - h * s->node[k]) <= SAME * h;
    if (is_same) return;
    for (int k = 0; k < s->n_ring; ++k)
        s->node[k] = (s->t[k] - s->t[j]) / h;
    find_weights(s->node, s->n_ring, j, s->weight);
}

/// Parts of the interval of length h between samples j and j + 1, by the first n samples of the
/// ring. Inlined with a constant n the loops unroll.
static inline void add_all_parts(pkm_sums* s, int n, int j, double h)
{
    pkm_pair weight[RING];
    for (int k = 0; k < n; ++k) {
        const double w = h * s->weight[k];
        s->share[k] += w;
        weight[k] = pkm_pair_of(w);
    }
    for (int i = 0; i < s->n_part; i += 2) {
        const int at = s->stride + i;
        pkm_pair sum = weight[0] * pkm_pair_load(s->value[0] + at);
        for (int k = 1; k < n; ++k)
            sum += weight[k] * pkm_pair_load(s->value[k] + at);
        add_parts(s, i, j, h, sum);
    }
}

/// Add the interval between samples j and j + 1 of the ring. Of smooth quantities the whole
/// integral alone counts: samples gather their weights and are added once, when they leave the
/// ring.
static void add_interval(pkm_sums* s, int j)
{
    const double h = s->t[j + 1] - s->t[j];
    prepare_weights(s, j, h);
    if (s->n_ring == RING)
        add_all_parts(s, RING, j, h);
    else
        add_all_parts(s, s->n_ring, j, h);
    s->span += h;
}

/// Sample k of the ring takes part in no more intervals: add it to the integrals.
static void settle(pkm_sums* s, int k)
{
    const pkm_pair share = pkm_pair_of(s->share[k]);
    const double* value = s->value[k];
    for (int i = 0; i < s->stride; i += 2)
        *(pkm_pair_in_array*)(void*)(s->total + i) += share * pkm_pair_load(value + i);
    s->share[k] = 0.0;
}

double* pkm_sums_next(pkm_sums* s, double t, double** part)
{
    // a sample at the same time has no interval before it
    if (s->n_ring > 0 && !(t > s->t[s->n_ring - 1])) return NULL;
    const bool was_full = s->n_ring == RING;
    if (was_full) {
        double* oldest = s->value[0];
        settle(s, 0);
        for (int k = 0; k + 1 < RING; ++k) {
            s->t[k] = s->t[k + 1];
            s->value[k] = s->value[k + 1];
            s->share[k] = s->share[k + 1];
        }
        s->value[RING - 1] = oldest;
        s->share[RING - 1] = 0.0;
    } else {
        ++s->n_ring;
    }
    s->is_first = !was_full && s->n_ring == RING;
    s->t[s->n_ring - 1] = t;
    double* value = s->value[s->n_ring - 1];
    *part = value + s->stride;
    return value;
}

void pkm_sums_take(pkm_sums* s)
{
    enum { MIDDLE = RING / 2 - 1 };
    for (int j = 0; s->is_first && j < MIDDLE; ++j)
        add_interval(s, j);
    // the interval in the middle has three samples on both sides, where the polynomial is best
    if (s->n_ring == RING) add_interval(s, MIDDLE);
}

void pkm_sums_sample(pkm_sums* s, double t, const double* smooth, const double* part)
{
    double *part_to, *to = pkm_sums_next(s, t, &part_to);
    for (int i = 0; to && i < s->n_smooth; ++i)
        to[i] = smooth[i];
    for (int i = 0; to && i < s->n_part; ++i)
        part_to[i] = part[i];
    if (to) pkm_sums_take(s);
}

void pkm_sums_break(pkm_sums* s)
{
    for (int j = s->n_ring == RING ? RING / 2 : 0; j + 1 < s->n_ring; ++j)
        add_interval(s, j);
    for (int k = 0; k < s->n_ring; ++k)
        settle(s, k);
    s->n_ring = 0;
}

double pkm_sums_span(const pkm_sums* s)
{
    return s->span;
}

double pkm_sums_get(const pkm_sums* s, int k)
{
    return s->total[k];
}

void pkm_sums_get_parts(const pkm_sums* s, int k, double* up, double* down)
{
    *up = s->up[k];
    *down = s->down[k];
}
