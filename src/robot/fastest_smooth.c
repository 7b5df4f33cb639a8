// The shortest S-curve along a path within limits of jerk: docs/theory/motion.md, section 6.
#include "robot/fastest_impl.h"

#include <math.h>

/// A law of the way over a duration of 1: `up` until the largest speed, of it `bend` with rising
/// and `bend` with falling acceleration, and the same in reverse at the end. Jerk is constant in
/// each of its seven pieces.
typedef struct curve {
    double up, bend;
    double speed, acceleration, jerk; ///< largest
} curve;

/// Way and its derivatives.
typedef struct point {
    double u, u1, u2, u3;
} point;

enum { N_PIECE = 7 };

/// length = speed (1 - up), speed = acceleration (up - bend), acceleration = jerk bend.
static curve curve_make(double up, double bend, double length)
{
    curve out = {.up = up, .bend = bend, .speed = length / (1.0 - up)};
    out.acceleration = out.speed / (up - bend);
    out.jerk = out.acceleration / bend;
    return out;
}

/// Where piece `k` ends.
static double end_of(const curve* c, int k)
{
    const double t[N_PIECE] = {c->bend, c->up - c->bend, c->up};
    return k < 3 ? t[k] : k < 6 ? 1.0 - t[5 - k] : 1.0;
}

static point advance(point p, double h)
{
    return (point){p.u + h * (p.u1 + h * (0.5 * p.u2 + h * p.u3 / 6.0)),
                   p.u1 + h * (p.u2 + 0.5 * h * p.u3), p.u2 + h * p.u3, p.u3};
}

/// The point where piece `k` begins, with the jerk of that piece.
static point begin_of(const curve* c, int k)
{
    static const double sign[N_PIECE] = {1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0};
    point p = {.u = 0.0};
    double t = 0.0;
    for (int i = 0; i <= k; ++i) {
        p.u3 = sign[i] * c->jerk;
        if (i == k) break;
        p = advance(p, end_of(c, i) - t);
        t = end_of(c, i);
    }
    return p;
}

// ---- what a point needs -----------------------------------------------------------------------

/// The path between two places, straight in all that is known of it, and the slopes of its second
/// derivatives.
typedef struct between {
    const pkm_fastest_place *a, *b;
    double part, slope; ///< of b; 1 / (u_b - u_a)
} between;

static between between_at(const pkm_fastest_search* s, double u)
{
    const double step = s->place[s->n].u / s->n;
    int i = (int)floor(u / step);
    i = i < 0 ? 0 : i > s->n - 1 ? s->n - 1 : i;
    const pkm_fastest_place* a = &s->place[i];
    return (between){a, a + 1, fmin(fmax((u - a->u) / step, 0.0), 1.0), 1.0 / step};
}

static double mix(const between* at, double a, double b)
{
    return a + at->part * (b - a);
}

static pkm_vec3 mix_vec(const between* at, pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_axpy(a, at->part, pkm_vec3_sub(b, a));
}

/// q''' = d1 u''' + 3 d2 u' u'' + d3 u'^3 (26a).
static double jerk_of(double d1, double d2, double d3, const point* p)
{
    return d1 * p->u3 + 3.0 * d2 * p->u1 * p->u2 + d3 * p->u1 * p->u1 * p->u1;
}

static double drive_jerk(const between* at, int d, const point* p)
{
    return jerk_of(mix(at, at->a->d1[d], at->b->d1[d]), mix(at, at->a->d2[d], at->b->d2[d]),
                   (at->b->d2[d] - at->a->d2[d]) * at->slope, p);
}

static double tool_jerk(const between* at, const point* p)
{
    const pkm_vec3 x1 = mix_vec(at, at->a->x1, at->b->x1), x2 = mix_vec(at, at->a->x2, at->b->x2);
    const pkm_vec3 x3 = pkm_vec3_scale(at->slope, pkm_vec3_sub(at->b->x2, at->a->x2));
    return pkm_vec3_norm((pkm_vec3){jerk_of(x1.x, x2.x, x3.x, p), jerk_of(x1.y, x2.y, x3.y, p),
                                    jerk_of(x1.z, x2.z, x3.z, p)});
}

/// The duration that a drive needs for the law to stay within its limits there: rates go with 1/T,
/// accelerations and forces without weight with 1/T^2, jerks with 1/T^3.
static double drive_needs(const pkm_fastest_search* s, const between* at, int d, const point* p)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    const pkm_fastest_place *a = at->a, *b = at->b;
    const double z = p->u1 * p->u1, d1 = mix(at, a->d1[d], b->d1[d]);
    const double moving = mix(at, a->m[d], b->m[d]) * p->u2 + mix(at, a->c[d], b->c[d]) * z;
    const double g = mix(at, a->g[d], b->g[d]);
    const double room = l->force[d] - (moving > 0.0 ? g : -g);
    double out = fabs(d1) * p->u1 / l->velocity[d];
    out = fmax(out, sqrt(fabs(d1 * p->u2 + mix(at, a->d2[d], b->d2[d]) * z) / l->acceleration[d]));
    if (moving != 0.0) out = fmax(out, sqrt(fabs(moving) / room));
    return isfinite(l->jerk[d]) ? fmax(out, cbrt(fabs(drive_jerk(at, d, p)) / l->jerk[d])) : out;
}

static double tool_needs(const pkm_fastest_search* s, const between* at, const point* p)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    const pkm_vec3 x1 = mix_vec(at, at->a->x1, at->b->x1), x2 = mix_vec(at, at->a->x2, at->b->x2);
    const pkm_vec3 acc = pkm_vec3_axpy(pkm_vec3_scale(p->u2, x1), p->u1 * p->u1, x2);
    double out = pkm_vec3_norm(x1) * p->u1 / l->tool_speed;
    out = fmax(out, sqrt(pkm_vec3_norm(acc) / l->tool_acceleration));
    return isfinite(l->tool_jerk) ? fmax(out, cbrt(tool_jerk(at, p) / l->tool_jerk)) : out;
}

/// The shortest duration of a curve, from `n` + 1 points of each piece, its ends among them.
static double duration_of(const pkm_fastest_search* s, const curve* c, int n)
{
    double out = 0.0, t = 0.0;
    for (int k = 0; k < N_PIECE; ++k) {
        const point first = begin_of(c, k);
        const double h = (end_of(c, k) - t) / n;
        for (int i = 0; i <= n; ++i) {
            const point p = advance(first, h * i);
            const between at = between_at(s, p.u);
            for (int d = 0; d < s->n_drive; ++d)
                out = fmax(out, drive_needs(s, &at, d, &p));
            out = fmax(out, tool_needs(s, &at, &p));
        }
        t = end_of(c, k);
    }
    return out;
}

// ---- the shortest one -------------------------------------------------------------------------

enum { COARSE = 40, FINE = 600, HALVINGS = 40, N_GRID = 24 };
static const double LEAST = 1e-3; // of a duration: parts of a curve

/// The shortest duration over x in [low, high] by golden sections.
typedef double (*cost)(const pkm_fastest_search* s, double fixed, double x);

static double golden(const pkm_fastest_search* s, cost f, double fixed, double low, double high)
{
    static const double RATIO = 0.6180339887498949;
    double a = high - RATIO * (high - low), b = low + RATIO * (high - low);
    double fa = f(s, fixed, a), fb = f(s, fixed, b);
    for (int k = 0; k < HALVINGS; ++k) {
        if (fa < fb) {
            high = b, b = a, fb = fa;
            fa = f(s, fixed, a = high - RATIO * (high - low));
        } else {
            low = a, a = b, fa = fb;
            fb = f(s, fixed, b = low + RATIO * (high - low));
        }
    }
    return fa < fb ? a : b;
}

static double cost_of_bend(const pkm_fastest_search* s, double up, double bend)
{
    const curve c = curve_make(up, bend, s->place[s->n].u);
    return duration_of(s, &c, COARSE);
}

static double best_bend(const pkm_fastest_search* s, double up)
{
    return golden(s, cost_of_bend, up, LEAST * up, 0.5 * up);
}

static double cost_of_up(const pkm_fastest_search* s, double fixed, double up)
{
    (void)fixed;
    return cost_of_bend(s, up, best_bend(s, up));
}

/// The best share of speeding up: on a grid, then around the best of it.
static double best_up(const pkm_fastest_search* s)
{
    const double step = (0.5 - LEAST) / N_GRID;
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i <= N_GRID; ++i) {
        const double now = cost_of_up(s, 0.0, LEAST + i * step);
        if (now < least) least = now, best = i;
    }
    const double middle = LEAST + best * step;
    return golden(s, cost_of_up, 0.0, fmax(middle - step, LEAST), fmin(middle + step, 0.5));
}

/// The point of the curve where the way is u.
static point point_at(const curve* c, double u, double* t)
{
    double low = 0.0, high = 1.0;
    int k = 0;
    while (k < N_PIECE - 1 && begin_of(c, k + 1).u < u)
        ++k;
    low = k > 0 ? end_of(c, k - 1) : 0.0;
    const double from = low;
    high = end_of(c, k);
    const point first = begin_of(c, k);
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        *(advance(first, middle - from).u < u ? &low : &high) = middle;
    }
    *t = low;
    return advance(first, low - from);
}

/// Of the limits of jerk, at a law of duration T.
static double jerk_use(const pkm_fastest_search* s, double u, const point* p)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    const between at = between_at(s, u);
    double out = isfinite(l->tool_jerk) ? tool_jerk(&at, p) / l->tool_jerk : 0.0;
    for (int d = 0; d < s->n_drive; ++d)
        if (isfinite(l->jerk[d])) out = fmax(out, fabs(drive_jerk(&at, d, p)) / l->jerk[d]);
    return out;
}

double pkm_fastest_smooth(pkm_fastest_search* s)
{
    const double up = best_up(s), length = s->place[s->n].u;
    const curve c = curve_make(up, best_bend(s, up), length);
    const double T = duration_of(s, &c, FINE);
    for (int i = 0; i <= s->n; ++i) {
        pkm_fastest_place* p = &s->place[i];
        point at = point_at(&c, fmin(p->u, length), &p->t);
        p->t *= T;
        at = (point){at.u, at.u1 / T, at.u2 / (T * T), at.u3 / (T * T * T)};
        p->z = at.u1 * at.u1;
        p->w = at.u2;
        p->jerk_use = jerk_use(s, p->u, &at);
    }
    s->place[s->n].t = T;
    return T;
}
