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
    if (law->law != PKM_LAW_TRAPEZOIDAL) return;
    take(m, begin + law->ramp, t, next);
    take(m, begin + law->T - law->ramp, t, next);
}

double pkm_motion_next_break(const pkm_motion* m, double t)
{
    double next = HUGE_VAL;
    take(m, 0.0, t, &next);
    take(m, m->moving, t, &next);
    if (m->path == PKM_PATH_DRIVES) take_law(m, &m->law, 0.0, t, &next);
    for (int i = 0; i < m->n_leg; ++i)
        take_law(m, &m->leg[i].law, m->leg[i].begin, t, &next);
    for (int i = 0; m->path == PKM_PATH_INVERTED_U && i < 5; ++i)
        take(m, m->u.mark[i], t, &next);
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
        const int n = velocity_at(m, m->hold_before + m->moving * (k + 0.5) / (LOOKS + 1), v);
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
