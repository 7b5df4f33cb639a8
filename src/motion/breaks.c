#include "motion/breaks.h"

#include "motion/data.h"

#include <math.h>

/// Take the time `at` of the motion's clock when it is the first one behind t.
static void take(const pkm_motion* m, double at, double t, double* next)
{
    const double time = m->hold_before + at;
    if (time > t && time < *next) *next = time;
}

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

/// The first break behind `t` of a motion that begins `shift` later.
static double shifted_break(const pkm_motion* m, double shift, double t,
                            double (*next)(const pkm_motion* m, double t))
{
    static const double ROUNDING = 1e-14;
    const double at = next(m, t - shift) + shift;
    if (at > t) return at;
    return next(m, t - shift + ROUNDING * (fabs(t) + shift)) + shift; // it was the break at t
}

/// The breaks of the parts of a sequence, each round of it, and where they begin.
static void take_parts(const pkm_motion* m, double t, double* out)
{
    const pkm_sequence* s = &m->sequence;
    double next = HUGE_VAL;
    for (int turn = 0; turn < s->repeat; ++turn) {
        const double round = turn * s->round;
        if (m->hold_before + round + s->round < t) continue;
        for (int k = 0; k < s->n; ++k) {
            const double begin = round + s->begin[k];
            take(m, begin, t, &next);
            next = fmin(
                next, shifted_break(s->part[k], m->hold_before + begin, t, pkm_motion_next_break));
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
        next = fmin(next, shifted_break(m, m->shaper.at[k], t, next_unshaped));
    return next;
}

/// Velocity at `t`: drives, or v and w of the tool; returns how many components.
static int velocity_at(const pkm_motion* m, double t, double* v)
{
    double q[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    if (m->is_drives) {
        pkm_motion_drives(m, t, q, v, a, NULL);
        return m->n_drive;
    }
    pkm_frame_motion tool;
    pkm_motion_tool(m, t, &tool, NULL);
    const double all[] = {tool.v.x, tool.v.y, tool.v.z, tool.w.x, tool.w.y, tool.w.z};
    for (int i = 0; i < 6; ++i)
        v[i] = all[i];
    return 6;
}

/// The largest component of the velocity at some instants of the motion.
static double top_speed(const pkm_motion* m)
{
    enum { LOOKS = 64 };
    double v[PKM_MAX_DRIVE + 6], most = 0.0;
    for (int k = 0; k <= LOOKS; ++k) {
        const int n = velocity_at(
            m, m->hold_before + (m->moving + m->shaper.tail) * (k + 0.5) / (LOOKS + 1), v);
        for (int i = 0; i < n; ++i)
            most = fmax(most, fabs(v[i]));
    }
    return most;
}

double pkm_motion_find_jump(const pkm_motion* m, double end, double* jump)
{
    static const double NEAR = 1e-9;       // of the duration: laws that come to rest have done so
    static const double CONTINUOUS = 1e-6; // of the top speed
    const double eps = NEAR * m->moving, least = CONTINUOUS * top_speed(m);
    for (double t = pkm_motion_next_break(m, 0.0); t < end; t = pkm_motion_next_break(m, t)) {
        double before[PKM_MAX_DRIVE + 6], after[PKM_MAX_DRIVE + 6];
        const int n = velocity_at(m, t - eps, before);
        velocity_at(m, t + eps, after);
        *jump = 0.0;
        for (int i = 0; i < n; ++i)
            *jump = fmax(*jump, fabs(after[i] - before[i]));
        if (*jump > least) return t;
    }
    return HUGE_VAL;
}
