// Where a motion is not smooth: ends of laws, ramps and rises, parts of sequences, kinks of
// functions, each as often as the shaper repeats it. Integrators stop at these instants, and
// payloads may only come and go where the motion rests.
#include "motion/breaks.h"

#include "base/error.h"
#include "motion/data.h"

#include <math.h>
#include <string.h>

/// Take the time `at` of the motion's clock when it is the first one behind t.
static void take(const pkm_motion* m, double at, double t, double* next)
{
    const double time = m->hold_before + at;
    if (time > t && time < *next) *next = time;
}

/// A trapezoid has jumps of the acceleration at its ramps (4), an S-curve jumps of the jerk at
/// three places of each (4a), mirrored in the second half.
static void take_law(const pkm_motion* m, const pkm_law_profile* law, double begin, double t,
                     double* next)
{
    take(m, begin, t, next);
    take(m, begin + law->T, t, next);
    if (law->law != PKM_LAW_TRAPEZOIDAL && law->law != PKM_LAW_S_CURVE) return;
    const double inner[] = {law->ramp, law->rise, law->ramp - law->rise};
    for (int i = 0; i < (law->law == PKM_LAW_S_CURVE ? 3 : 1); ++i) {
        take(m, begin + inner[i], t, next);
        take(m, begin + law->T - inner[i], t, next);
    }
}

/// The first break behind `t` of a motion that begins `shift` later and takes `k` times as long.
static double shifted_break(const pkm_motion* m, double shift, double k, double t,
                            double (*next)(const pkm_motion* m, double t))
{
    static const double ROUNDING = 1e-14;
    const double at = k * next(m, (t - shift) / k) + shift;
    if (at > t) return at;
    // it was the break at t
    return k * next(m, (t - shift + ROUNDING * (fabs(t) + shift)) / k) + shift;
}

/// The breaks of the parts of a sequence, each round of it, and where they begin.
static void take_parts(const pkm_motion* m, double t, double* out)
{
    const pkm_sequence* s = &m->sequence;
    double next = HUGE_VAL;
    const double f = s->stretch, gone = floor((t - m->hold_before) / (f * s->round)) - 1.0;
    for (int turn = gone > 0.0 ? (int)fmin(gone, s->repeat) : 0; turn < s->repeat; ++turn) {
        const double round = turn * s->round;
        if (m->hold_before + f * (round + s->round) < t) continue;
        for (int k = 0; k < s->n; ++k) {
            const double begin = f * (round + s->begin[k]);
            take(m, begin, t, &next);
            next = fmin(next, shifted_break(s->part[k], m->hold_before + begin, f, t,
                                            pkm_motion_next_break));
        }
        if (next < HUGE_VAL) break;
    }
    *out = fmin(*out, next);
}

/// The first break of the unshaped motion behind `t`.
static double next_unshaped(const pkm_motion* m, double t)
{
    double next = HUGE_VAL;
    take(m, 0.0, t, &next);
    take(m, m->moving, t, &next);
    if (m->path == PKM_PATH_DRIVES) take_law(m, &m->law, 0.0, t, &next);
    if (m->path == PKM_PATH_SEQUENCE) take_parts(m, t, &next);
    if (m->path == PKM_PATH_SPLINE && !m->track.is_timed) take_law(m, &m->track.law, 0.0, t, &next);
    for (int i = 0; i < m->functions.n_kink; ++i)
        take(m, m->functions.kink[i], t, &next);
    if (m->blend.n_leg > 0) {
        take_law(m, &m->blend.law, 0.0, t, &next);
        return next;
    }
    for (int i = 0; i < m->n_leg; ++i)
        take_law(m, &m->leg[i].law, m->leg[i].begin, t, &next);
    for (int i = 0; m->path == PKM_PATH_INVERTED_U && i < 5; ++i)
        take(m, m->u.mark[i], t, &next);
    return next;
}

double pkm_motion_next_break(const pkm_motion* m, double t)
{
    if (m->shaper.n == 0) return next_unshaped(m, t);
    double next = HUGE_VAL;
    for (int k = 0; k < m->shaper.n; ++k)
        next = fmin(next, shifted_break(m, m->shaper.at[k], 1.0, t, next_unshaped));
    return next;
}

int pkm_motion_components(const pkm_motion* m, double t, int order, double* out)
{
    double q[PKM_MAX_DRIVE], unread[PKM_MAX_DRIVE];
    PKM_ASSERT(order == 1 || order == 2);
    if (m->is_drives) {
        pkm_motion_drives(m, t, q, order == 1 ? out : unread, order == 1 ? unread : out, NULL);
        return m->n_drive;
    }
    pkm_frame_motion tool;
    pkm_motion_tool(m, t, &tool, NULL);
    const pkm_vec3 linear = order == 1 ? tool.v : tool.a,
                   angular = order == 1 ? tool.w : tool.alpha;
    const double all[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    memcpy(out, all, sizeof all);
    return 6;
}

/// The largest component of the velocity.
static double speed_at(const pkm_motion* m, double t)
{
    double v[PKM_MAX_DRIVE + 6], most = 0.0;
    const int n = pkm_motion_components(m, t, 1, v);
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(v[i]));
    return most;
}

/// Of a sequence that of its parts: instants spread over many rounds may all meet the same phase.
double pkm_motion_top_speed(const pkm_motion* m)
{
    enum { LOOKS = 64 };
    const double moving = m->moving + m->shaper.tail;
    double most = 0.0;
    for (int k = 0; m->path == PKM_PATH_SEQUENCE && k < m->sequence.n; ++k)
        most = fmax(most, pkm_motion_top_speed(m->sequence.part[k]) / m->sequence.stretch);
    if (most > 0.0) return most;
    for (int k = 0; k <= LOOKS; ++k)
        most = fmax(most, speed_at(m, m->hold_before + moving * (k + 0.5) / (LOOKS + 1)));
    return most;
}

/// How near to a break laws that come to rest have done so, as a part of the duration.
static const double NEAR = 1e-9;
static const double RESOLVED = 4e-15; // of the time, at least

/// That in time [s]: by the shortest part of a sequence.
static double beside(const pkm_motion* m)
{
    if (m->path != PKM_PATH_SEQUENCE) return NEAR * m->moving;
    double least = HUGE_VAL;
    for (int k = 0; k < m->sequence.n; ++k)
        least = fmin(least, m->sequence.stretch * beside(m->sequence.part[k]));
    return fmax(least, RESOLVED * m->moving);
}

/// Speeds that count as none, as a part of the top speed.
static const double CONTINUOUS = 1e-6;

/// At rest before, at and after t: a stop of no length does not count.
bool pkm_motion_rests(const pkm_motion* m, double t, double top, double* speed)
{
    *speed = 0.0;
    for (int side = -1; side <= 1; ++side)
        *speed = fmax(*speed, speed_at(m, t + side * beside(m)));
    return *speed <= CONTINUOUS * top;
}

/// The last instant up to which something moves between two breaks.
double pkm_motion_last_stop(const pkm_motion* m)
{
    const double end = pkm_motion_duration(m), least = CONTINUOUS * pkm_motion_top_speed(m);
    double stop = 0.0;
    for (double from = 0.0, to; from < end; from = to) {
        to = fmin(pkm_motion_next_break(m, from), end);
        if (speed_at(m, 0.5 * (from + to)) > least) stop = to;
    }
    return stop;
}

/// By how much the velocity differs from the left of `one` to the right of `other`, the same
/// instant or one that follows it: extrapolated from two distances d and 2 d, so that what changes
/// evenly, as the direction of a circle does, is no jump.
static double jump_between(const pkm_motion* m, double one, double other)
{
    const double d = beside(m);
    double v[4][PKM_MAX_DRIVE + 6], jump = 0.0;
    const int n = pkm_motion_components(m, one - d, 1, v[0]);
    pkm_motion_components(m, one - 2.0 * d, 1, v[1]);
    pkm_motion_components(m, other + d, 1, v[2]);
    pkm_motion_components(m, other + 2.0 * d, 1, v[3]);
    for (int i = 0; i < n; ++i)
        jump = fmax(jump, fabs(2.0 * (v[2][i] - v[0][i]) - (v[3][i] - v[1][i])));
    return jump;
}

double pkm_motion_find_jump(const pkm_motion* m, double end, double* jump)
{
    double before = 0.0, least = NAN;
    for (double t = pkm_motion_next_break(m, 0.0), next; t < end; before = t, t = next) {
        next = pkm_motion_next_break(m, t);
        *jump = jump_between(m, t, t);
        // speeds amid the neighbouring pieces mostly tell, without those of the whole motion
        const double speed = fmax(speed_at(m, 0.5 * (before + t)),
                                  speed_at(m, 0.5 * (t + fmin(next, fmax(end, t)))));
        if (*jump <= CONTINUOUS * speed) continue;
        if (isnan(least)) least = CONTINUOUS * pkm_motion_top_speed(m);
        if (*jump > least) return t;
    }
    return HUGE_VAL;
}

pkm_status pkm_motion_refuse_jump(const pkm_motion* m, double end, pkm_error* err)
{
    double jump;
    const double t = pkm_motion_find_jump(m, end, &jump);
    if (!(t < end)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "motion %s: its velocity jumps by %.6g at t = %.6g s, inside the run of %.6g "
                    "s, which takes infinite forces; expected a run that ends there or a law that "
                    "comes to rest (quintic, septic, trapezoidal)",
                    pkm_motion_name(m), jump, t, end);
}

double pkm_motion_seam(const pkm_motion* m)
{
    const double jump = jump_between(m, pkm_motion_duration(m), 0.0);
    return jump > CONTINUOUS * pkm_motion_top_speed(m) ? jump : 0.0;
}
