// Drives or tool at a time, with rates, accelerations and jerks: holds before and after, the
// shaper's sum over its impulses (21), then the path at the clock of the unshaped motion. Called by
// every analysis along a motion; nothing allocates. Equations: docs/theory/motion.md.
#include "math/vec3.h"
#include "motion/data.h"

#include <math.h>

const char* pkm_motion_name(const pkm_motion* motion)
{
    return motion ? motion->name : NULL;
}

double pkm_motion_duration(const pkm_motion* motion)
{
    return motion ? motion->hold_before + motion->moving + motion->shaper.tail + motion->hold_after
                  : NAN;
}

bool pkm_motion_is_drives(const pkm_motion* motion)
{
    return motion && motion->is_drives;
}

bool pkm_motion_turns(const pkm_motion* motion)
{
    return motion && motion->turns;
}

/// Spline columns at time `t` of the motion's clock; at rest outside [0, moving], where the spline
/// itself may end with a velocity (free ends).
static pkm_spline_point spline_at(const pkm_motion* m, int column, double t)
{
    pkm_spline_point p;
    pkm_spline_at(&m->spline, column, t, &p);
    // the ends themselves belong to the motion, whatever rounding says
    const double slack = 1e-12 * m->moving;
    if (t < -slack || t > m->moving + slack) p.d[1] = p.d[2] = p.d[3] = 0.0;
    return p;
}

/// Curves and functions at time `t` of the motion's clock, each with three derivatives.
static void columns_at(const pkm_motion* m, double t, double (*out)[4])
{
    if (m->path == PKM_PATH_SPLINE) {
        pkm_track_at(&m->track, t, out);
        return;
    }
    for (int i = 0; i < m->functions.n; ++i)
        pkm_functions_at(&m->functions, i, t, out[i]);
}

/// The drives at time `clock` of the unshaped motion.
static void drives_at(const pkm_motion* motion, double clock, double* q, double* v, double* a,
                      double* jerk)
{
    if (motion->path == PKM_PATH_SEQUENCE) {
        double t = 0.0;
        const pkm_motion* part = pkm_sequence_at(&motion->sequence, clock, &t);
        // d/dt of a way on a clock that is k times as slow: 1/k for each derivative
        const double f = 1.0 / motion->sequence.stretch;
        // with holds and shaper of its own
        pkm_motion_drives(part, t, q, v, a, jerk);
        for (int i = 0; i < motion->n_drive; ++i) {
            v[i] *= f;
            a[i] *= f * f;
            if (jerk) jerk[i] *= f * f * f;
        }
        return;
    }
    if (motion->path == PKM_PATH_SPLINE || motion->path == PKM_PATH_FUNCTION) {
        double all[PKM_MAX_DRIVE][4];
        // each column from drive_start: home for drives that are not named, else 0
        columns_at(motion, clock, all);
        for (int i = 0; i < motion->n_drive; ++i) {
            q[i] = motion->drive_start[i] + all[i][0];
            v[i] = all[i][1];
            a[i] = all[i][2];
            if (jerk) jerk[i] = all[i][3];
        }
        return;
    }
    const bool sampled = motion->path == PKM_PATH_SAMPLES;
    const pkm_law_point u = sampled ? (pkm_law_point){0} : pkm_law_at(&motion->law, clock);
    for (int i = 0; i < motion->n_drive; ++i) {
        if (sampled) {
            const pkm_spline_point p = spline_at(motion, i, clock);
            // knots are positions themselves, not ways from home
            q[i] = p.d[0];
            v[i] = p.d[1];
            a[i] = p.d[2];
            if (jerk) jerk[i] = p.d[3];
        } else {
            // q = q_0 + delta u(t): all drives share one law
            const double delta = motion->drive_delta[i];
            q[i] = motion->drive_start[i] + delta * u.u;
            v[i] = delta * u.v;
            a[i] = delta * u.a;
            if (jerk) jerk[i] = delta * u.j;
        }
    }
}

/// out += share x, n values.
static void add_share(double* out, double share, const double* x, int n)
{
    for (int i = 0; i < n; ++i)
        out[i] += share * x[i];
}

void pkm_motion_drives(const pkm_motion* motion, double t, double* q, double* v, double* a,
                       double* jerk)
{
    if (!motion || !motion->is_drives || !q || !v || !a) return;
    const double clock = t - motion->hold_before;
    const pkm_shaper* shaper = &motion->shaper;
    const int n = motion->n_drive;
    if (shaper->n == 0) {
        drives_at(motion, clock, q, v, a, jerk);
        return;
    }
    for (int i = 0; i < n; ++i) {
        q[i] = v[i] = a[i] = 0.0;
        if (jerk) jerk[i] = 0.0;
    }
    for (int k = 0; k < shaper->n; ++k) { // (21)
        double x[4][PKM_MAX_DRIVE];
        drives_at(motion, clock - shaper->at[k], x[0], x[1], x[2], x[3]);
        add_share(q, shaper->share[k], x[0], n);
        add_share(v, shaper->share[k], x[1], n);
        add_share(a, shaper->share[k], x[2], n);
        if (jerk) add_share(jerk, shaper->share[k], x[3], n);
    }
}

/// The leg that runs at time `t`: the last one that has begun.
static const pkm_leg* find_leg(const pkm_motion* m, double t)
{
    int low = 0, high = m->n_leg;
    // begin times rise
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t < m->leg[middle].begin)
            high = middle;
        else
            low = middle;
    }
    return &m->leg[low];
}

static pkm_jet3 spline_jet(const pkm_motion* m, int column, double t)
{
    const pkm_spline_point x = spline_at(m, column, t), y = spline_at(m, column + 1, t),
                           z = spline_at(m, column + 2, t);
    return (pkm_jet3){{x.d[0], y.d[0], z.d[0]},
                      {x.d[1], y.d[1], z.d[1]},
                      {x.d[2], y.d[2], z.d[2]},
                      {x.d[3], y.d[3], z.d[3]}};
}

/// Three columns with derivatives as a vector.
static pkm_jet3 column_jet(double (*c)[4])
{
    return (pkm_jet3){{c[0][0], c[1][0], c[2][0]},
                      {c[0][1], c[1][1], c[2][1]},
                      {c[0][2], c[1][2], c[2][2]},
                      {c[0][3], c[1][3], c[2][3]}};
}

// parts of a sequence bring holds and shapers of their own
static pkm_tool_jet shaped_tool(const pkm_motion* motion, double t);

/// The same way with a clock that runs `f` times as fast.
static void slow_down(pkm_jet3* x, double f)
{
    x->v = pkm_vec3_scale(f, x->v);
    x->a = pkm_vec3_scale(f * f, x->a);
    x->j = pkm_vec3_scale(f * f * f, x->j);
}

/// The tool at time `clock` of the unshaped motion.
static pkm_tool_jet tool_at(const pkm_motion* motion, double clock)
{
    pkm_tool_jet jet = {0};
    if (motion->path == PKM_PATH_SEQUENCE) {
        double t = 0.0;
        const pkm_motion* part = pkm_sequence_at(&motion->sequence, clock, &t);
        jet = shaped_tool(part, t);
        slow_down(&jet.point, 1.0 / motion->sequence.stretch);
        slow_down(&jet.rpy, 1.0 / motion->sequence.stretch);
        return jet;
    }
    if (motion->path == PKM_PATH_INVERTED_U) {
        pkm_inverted_u_at(&motion->u, clock, &jet);
    } else if (motion->path == PKM_PATH_SAMPLES) {
        jet.point = spline_jet(motion, 0, clock);
        if (motion->turns) jet.rpy = spline_jet(motion, 3, clock);
    } else if (motion->path == PKM_PATH_SPLINE || motion->path == PKM_PATH_FUNCTION) {
        double all[6][4];
        columns_at(motion, clock, all);
        jet.point = column_jet(all);
        if (motion->turns) jet.rpy = column_jet(all + 3);
    } else if (motion->blend.n_leg > 0) {
        pkm_blend_at(&motion->blend, clock, &jet);
    } else if (motion->n_leg > 0) {
        pkm_leg_at(find_leg(motion, clock), clock, &jet);
    }
    return jet;
}

/// sum += share x
static void add_jet(pkm_jet3* sum, double share, const pkm_jet3* x)
{
    sum->x = pkm_vec3_axpy(sum->x, share, x->x);
    sum->v = pkm_vec3_axpy(sum->v, share, x->v);
    sum->a = pkm_vec3_axpy(sum->a, share, x->a);
    sum->j = pkm_vec3_axpy(sum->j, share, x->j);
}

/// The tool at time `t` with holds and shaper.
static pkm_tool_jet shaped_tool(const pkm_motion* motion, double t)
{
    const double clock = t - motion->hold_before;
    const pkm_shaper* shaper = &motion->shaper;
    pkm_tool_jet jet = {0};
    if (shaper->n == 0) jet = tool_at(motion, clock);
    for (int k = 0; k < shaper->n; ++k) { // (21)
        const pkm_tool_jet part = tool_at(motion, clock - shaper->at[k]);
        add_jet(&jet.point, shaper->share[k], &part.point);
        add_jet(&jet.rpy, shaper->share[k], &part.rpy);
    }
    return jet;
}

void pkm_motion_tool(const pkm_motion* motion, double t, pkm_frame_motion* out, pkm_vec3* jerk)
{
    if (!motion || motion->is_drives || !out) return;
    const pkm_tool_jet jet = shaped_tool(motion, t);
    pkm_tool_jet_frame(&jet, out);
    if (jerk) *jerk = jet.point.j;
}
