// The shortest time for a path: even stretching (24), and the best speed along the path, backwards
// and forwards over places of the way (25), (26). With limits of jerk fastest_smooth.c takes over.
// For the verb `fastest`. Equations: docs/theory/motion.md, section 6.
#include "robot/fastest.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"
#include "robot/drive_forces.h"
#include "robot/fastest_impl.h"
#include "robot/idle.h"
#include "robot/motion_table.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

pkm_fastest_limits pkm_fastest_limits_of(const pkm_robot* robot)
{
    pkm_fastest_limits out = {
        .tool_speed = HUGE_VAL, .tool_acceleration = HUGE_VAL, .tool_jerk = HUGE_VAL};
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        out.force[d] = robot->mech->drive[d].force_limit;
        out.velocity[d] = robot->mech->drive[d].velocity_limit;
        out.acceleration[d] = robot->mech->drive[d].acceleration_limit;
        out.jerk[d] = robot->mech->drive[d].jerk_limit;
    }
    return out;
}

// ---- along the path ---------------------------------------------------------------------------

/// Put the constant wrench on the tool where it is now.
static void put_load(pkm_fastest_search* s, const pkm_run_instant* at)
{
    const pkm_mechanism* mech = s->robot->mech;
    if (mech->tool == PKM_NONE) return;
    s->robot->state->load[mech->marker[mech->tool].body] =
        pkm_wrench_at(at->tool.pose.p, s->settings->tool_force, s->settings->tool_torque);
}

/// Even stretching by k: rates go with 1/k, accelerations and forces without weight with 1/k^2
/// (24).
static void note_stretch(pkm_fastest_search* s, const pkm_run_instant* at, const double* force,
                         const double* g)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    // forces F - G of motion shrink by k^2, the weight G stays (24)
    double k2 = s->stretch * s->stretch;
    for (int d = 0; d < s->n_drive; ++d) {
        const double moving = force[d] - g[d];
        const double room = l->force[d] - (moving > 0.0 ? g[d] : -g[d]); // weight may help
        if (moving != 0.0) k2 = fmax(k2, fabs(moving) / room);
        k2 = fmax(k2, fabs(at->a[d]) / l->acceleration[d]);
        k2 = fmax(k2, pow(at->v[d] / l->velocity[d], 2.0));
    }
    k2 = fmax(k2, pow(pkm_vec3_norm(at->tool.v) / l->tool_speed, 2.0));
    k2 = fmax(k2, pkm_vec3_norm(at->tool.a) / l->tool_acceleration);
    s->stretch = sqrt(k2);
}

/// The robot held still there must be within what the drives have.
static pkm_status check_hold(const pkm_fastest_search* s, double t, const double* g, pkm_error* err)
{
    for (int d = 0; d < s->n_drive; ++d)
        if (!(fabs(g[d]) <= s->settings->limits.force[d]))
            return pkm_fail(err, PKM_ERR_UNREACHABLE,
                            "motion %s: t = %.6g s: %s would have to hold %.6g %s at rest, its "
                            "limit is %.6g",
                            s->name, t, s->robot->mech->drive[d].name, fabs(g[d]),
                            s->robot->mech->drive[d].is_rotary ? "N m" : "N",
                            s->settings->limits.force[d]);
    return PKM_OK;
}

/// First walk: length of the way over time, and what even stretching needs.
static pkm_status walk_first(pkm_fastest_search* s, pkm_error* err)
{
    double last = 0.0;
    PKM_TRY(pkm_idle_require_none(s->robot, "the shortest time", err));
    for (int i = 0; i <= s->n_fine; ++i) {
        pkm_run_instant at = {.kinetic = 0.0};
        double force[PKM_MAX_DRIVE], g[PKM_MAX_DRIVE];
        const double t = s->end * i / s->n_fine;
        PKM_TRY(pkm_follow_to(&s->follower, t, err));
        pkm_run_instant_read(s->robot->state, &at);
        put_load(s, &at);
        // G at rest, F of the motion as written
        pkm_drive_forces(s->robot->state, NULL, NULL, g);
        pkm_drive_forces(s->robot->state, at.v, at.a, force);
        PKM_TRY(check_hold(s, t, g, err));
        note_stretch(s, &at, force, g);
        s->speed[i] = pkm_norm(at.v, s->n_drive);
        // trapezoids of |q'|: the length of the way in drive coordinates
        s->way[i] = i == 0 ? 0.0 : s->way[i - 1] + 0.5 * s->end / s->n_fine * (last + s->speed[i]);
        last = s->speed[i];
    }
    return PKM_OK;
}

/// The time at which the way has the length u.
static double time_of(const pkm_fastest_search* s, double u)
{
    int i = 1;
    while (i < s->n_fine && s->way[i] < u)
        ++i;
    const double step = s->way[i] - s->way[i - 1];
    const double part = step > 0.0 ? (u - s->way[i - 1]) / step : 0.0;
    return s->end * (i - 1 + part) / s->n_fine;
}

/// Directions by the length: dq/du = v / |v|, d2q/du2 = (a - v (v.a)/v.v) / v.v.
static void by_length(const pkm_run_instant* at, int n, pkm_fastest_place* p)
{
    double vv = 0.0, va = 0.0;
    for (int d = 0; d < n; ++d) {
        vv += at->v[d] * at->v[d];
        va += at->v[d] * at->a[d];
    }
    for (int d = 0; d < n; ++d) {
        p->d1[d] = at->v[d] / sqrt(vv);
        p->d2[d] = (at->a[d] - at->v[d] * va / vv) / vv;
    }
    p->x1 = pkm_vec3_scale(1.0 / sqrt(vv), at->tool.v);
    p->x2 = pkm_vec3_scale(1.0 / vv, pkm_vec3_axpy(at->tool.a, -va / vv, at->tool.v));
}

static void read_place(pkm_fastest_search* s, const pkm_run_instant* at, pkm_fastest_place* p)
{
    pkm_state* state = s->robot->state;
    double force[PKM_MAX_DRIVE];
    memcpy(p->q, at->q, sizeof p->q);
    put_load(s, at);
    pkm_drive_forces(state, NULL, NULL, p->g);
    pkm_drive_forces(state, NULL, p->d1, force);
    for (int d = 0; d < s->n_drive; ++d)
        // m = M q_u: forces of u'' = 1 at rest (25)
        p->m[d] = force[d] - p->g[d];
    pkm_drive_forces(state, p->d1, p->d2, force);
    for (int d = 0; d < s->n_drive; ++d)
        // c = M q_uu + V(q, q_u): forces of u' = 1
        p->c[d] = force[d] - p->g[d];
    pkm_drive_forces(state, at->v, at->a, force); // as the follower left it
}

/// Second walk, evenly along the way. At both ends, where the motion rests, the directions are
/// those of the next place.
static pkm_status walk_second(pkm_fastest_search* s, pkm_error* err)
{
    static const double REST = 1e-6; // of the largest speed
    double most = 0.0;
    for (int i = 0; i <= s->n_fine; ++i)
        most = fmax(most, s->speed[i]);
    const double length = s->way[s->n_fine];
    for (int i = 0; i <= s->n; ++i) {
        pkm_run_instant at = {.kinetic = 0.0};
        pkm_fastest_place* p = &s->place[i];
        const bool is_end = i == 0 || i == s->n;
        p->u = length * i / s->n;
        const double t = i == s->n ? s->end : time_of(s, p->u);
        PKM_TRY(pkm_follow_to(&s->follower, t, err));
        pkm_run_instant_read(s->robot->state, &at);
        p->x0 = at.tool.pose.p;
        if (!is_end && pkm_norm(at.v, s->n_drive) < REST * most)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "motion %s: it rests at t = %.6g s, on its way: ask for its parts one "
                            "by one",
                            s->name, t);
        if (!is_end) by_length(&at, s->n_drive, p);
        if (i == s->n) {
            memcpy(p->d1, p[-1].d1, sizeof p->d1);
            memcpy(p->d2, p[-1].d2, sizeof p->d2);
            p->x1 = p[-1].x1;
            p->x2 = p[-1].x2;
        }
        if (i > 0) read_place(s, &at, p);
        if (i == 0) memcpy(p->q, at.q, sizeof p->q);
    }
    // the first place: its own position, the direction and the forces of the next one
    const pkm_fastest_place first = s->place[0];
    s->place[0] = s->place[1];
    s->place[0].u = first.u;
    s->place[0].x0 = first.x0;
    memcpy(s->place[0].q, first.q, sizeof first.q);
    return PKM_OK;
}

// ---- limits at a place ------------------------------------------------------------------------

typedef struct interval {
    double low, high;
} interval;

/// Cut to |a w + b| <= limit.
static void cut(interval* w, double a, double b, double limit)
{
    if (!isfinite(limit)) return;
    // nothing depends on w: the limit holds for all of them or for none
    if (fabs(a) < 1e-300) {
        if (fabs(b) > limit) w->high = -HUGE_VAL;
        return;
    }
    const double x = (-limit - b) / a, y = (limit - b) / a;
    w->low = fmax(w->low, fmin(x, y));
    w->high = fmin(w->high, fmax(x, y));
}

/// Cut to |x1 w + x2 z| <= limit, a quadratic.
static void cut_tool(interval* w, pkm_vec3 x1, pkm_vec3 x2, double z, double limit)
{
    if (!isfinite(limit)) return;
    const pkm_vec3 b = pkm_vec3_scale(z, x2);
    const double A = pkm_vec3_dot(x1, x1), B = pkm_vec3_dot(x1, b);
    // |x1|^2 w^2 + 2 (x1 . b) w + |b|^2 - limit^2 <= 0
    const double C = pkm_vec3_dot(b, b) - limit * limit, root = B * B - A * C;
    if (A < 1e-300) {
        if (C > 0.0) w->high = -HUGE_VAL;
        return;
    }
    if (root < 0.0) {
        w->high = -HUGE_VAL;
        return;
    }
    w->low = fmax(w->low, (-B - sqrt(root)) / A);
    w->high = fmin(w->high, (-B + sqrt(root)) / A);
}

/// u'' that the limits allow at u'^2 = z; empty: low > high.
static interval allowed(const pkm_fastest_search* s, const pkm_fastest_place* p, double z)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    interval w = {-HUGE_VAL, HUGE_VAL};
    for (int d = 0; d < s->n_drive; ++d) {
        cut(&w, p->m[d], p->c[d] * z + p->g[d], l->force[d]);
        cut(&w, p->d1[d], p->d2[d] * z, l->acceleration[d]);
        // |q_u| u' is the rate of the drive, z = u'^2
        if (p->d1[d] * p->d1[d] * z > l->velocity[d] * l->velocity[d]) w.high = -HUGE_VAL;
    }
    if (pkm_vec3_dot(p->x1, p->x1) * z > l->tool_speed * l->tool_speed) w.high = -HUGE_VAL;
    cut_tool(&w, p->x1, p->x2, z, l->tool_acceleration);
    return w;
}

/// Over one interval of the way u'' is constant: z_next = z + 2 step u'' (26), which must stay
/// within what can be brought to rest, and within the limits at the end of the interval too, where
/// F = (m + 2 step c) u'' + c z + g.
static interval with_next(const pkm_fastest_search* s, const pkm_fastest_place* p, double z)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    const pkm_fastest_place* next = p + 1;
    const double twice = 2.0 * (next->u - p->u);
    interval w = allowed(s, p, z);
    // z_next = z + 2 h u'' between 0 and what the next place can reach
    w.low = fmax(w.low, -z / twice);
    w.high = fmin(w.high, (next->reach - z) / twice);
    for (int d = 0; d < s->n_drive; ++d) {
        cut(&w, next->m[d] + twice * next->c[d], next->c[d] * z + next->g[d], l->force[d]);
        cut(&w, next->d1[d] + twice * next->d2[d], next->d2[d] * z, l->acceleration[d]);
    }
    cut_tool(&w, pkm_vec3_axpy(next->x1, twice, next->x2), next->x2, z, l->tool_acceleration);
    return w;
}

/// From the end backwards: the largest z from which the next reach can be met. The set of (z, u'')
/// within the limits is convex and has z = 0, so that halving finds its largest z.
static pkm_status reach_back(pkm_fastest_search* s, pkm_error* err)
{
    static const double MOST = 1e12; // [1/s2] of ways of 1 rad or 1 m: beyond, nothing limits
    s->place[s->n].reach = 0.0;
    for (int i = s->n - 1; i >= 0; --i) {
        pkm_fastest_place* p = &s->place[i];
        double low = 0.0, high = MOST;
        for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
            const double z = 0.5 * (low + high);
            const interval w = with_next(s, p, z);
            *(w.low <= w.high ? &low : &high) = z;
        }
        if (low > 0.5 * MOST)
            return pkm_fail(err, PKM_ERR_UNDETERMINED,
                            "motion %s: nothing limits it; give the drives limits in the model or "
                            "on the command line",
                            s->name);
        p->reach = low;
    }
    return PKM_OK;
}

/// From the begin, as fast as the reach ahead allows.
static void go_forward(pkm_fastest_search* s)
{
    s->place[0].z = 0.0;
    for (int i = 0; i < s->n; ++i) {
        pkm_fastest_place* p = &s->place[i];
        const double step = p[1].u - p->u;
        const interval w = with_next(s, p, p->z);
        // rounding may leave an interval of nothing
        p->w = w.high > w.low ? w.high : 0.5 * (w.low + w.high);
        p[1].z = fmax(p->z + 2.0 * step * p->w, 0.0);
    }
    s->place[s->n].w = s->place[s->n - 1].w;
}

// ---- the answer -------------------------------------------------------------------------------

/// The largest part of a limit that is used, and which one: 0 to 3 n_drive + 1.
static double use_of(const pkm_fastest_search* s, const pkm_fastest_place* p, int* which)
{
    const pkm_fastest_limits* l = &s->settings->limits;
    double most = 0.0;
    for (int k = 0; k < 3 * s->n_drive + 2; ++k) {
        const int d = k / 3;
        double use;
        if (d < s->n_drive && k % 3 == 0)
            use = fabs(p->m[d] * p->w + p->c[d] * p->z + p->g[d]) / l->force[d];
        else if (d < s->n_drive && k % 3 == 1)
            use = fabs(p->d1[d] * p->w + p->d2[d] * p->z) / l->acceleration[d];
        else if (d < s->n_drive)
            use = fabs(p->d1[d]) * sqrt(p->z) / l->velocity[d];
        else if (k == 3 * s->n_drive)
            use = pkm_vec3_norm(p->x1) * sqrt(p->z) / l->tool_speed;
        else
            use = pkm_vec3_norm(pkm_vec3_axpy(pkm_vec3_scale(p->w, p->x1), p->z, p->x2)) /
                  l->tool_acceleration;
        if (use <= most * (1.0 + 1e-9)) continue;
        most = use;
        *which = k;
    }
    return most;
}

/// The same over the interval that begins at place `i`: of both its ends the more used one.
static double use_after(const pkm_fastest_search* s, int i, int* which)
{
    const double here = use_of(s, &s->place[i], which);
    if (i == s->n) return here;
    pkm_fastest_place end = s->place[i + 1];
    int other = PKM_NONE;
    end.w = s->place[i].w;
    const double there = use_of(s, &end, &other);
    if (there > here * (1.0 + 1e-9)) *which = other;
    return fmax(here, there);
}

typedef struct way_values {
    double u, use, speed, acc;
    pkm_vec3 x;
} way_values;

static const pkm_column way_column = {"u", "", offsetof(way_values, u), .title = "way"};
static const pkm_column use_column = {"use", "", offsetof(way_values, use),
                                      .title = "part of a limit"};
static const char PLACE[] = "position of *";
static const pkm_column tool_columns[] = {
    {"x", "m", offsetof(way_values, x.x), .title = PLACE},
    {"y", "m", offsetof(way_values, x.y), .title = PLACE},
    {"z", "m", offsetof(way_values, x.z), .title = PLACE},
    {"speed", "m/s", offsetof(way_values, speed), .title = "velocity of *"},
    {"acc", "m/s2", offsetof(way_values, acc), .title = "acceleration of *"},
};
enum { N_TOOL = sizeof tool_columns / sizeof tool_columns[0] };

static void put_place(const pkm_fastest_search* s, const pkm_fastest_place* p, double t, double use,
                      pkm_layout* to)
{
    const pkm_mechanism* mech = s->robot->mech;
    const pkm_vec3 a = pkm_vec3_axpy(pkm_vec3_scale(p->w, p->x1), p->z, p->x2);
    const way_values values = {p->u, use, pkm_vec3_norm(p->x1) * sqrt(p->z), pkm_vec3_norm(a),
                               p->x0};
    pkm_layout_put_value(to, &pkm_time_column, t);
    pkm_layout_put(to, "", &way_column, 1, &values);
    for (int d = 0; d < s->n_drive; ++d) {
        const pkm_drive_values v = {p->q[d], p->d1[d] * sqrt(p->z),
                                    p->d1[d] * p->w + p->d2[d] * p->z,
                                    p->m[d] * p->w + p->c[d] * p->z + p->g[d]};
        pkm_layout_put_list(to, mech->drive[d].name, &pkm_drive_columns[mech->drive[d].is_rotary],
                            &v);
    }
    if (mech->tool != PKM_NONE)
        pkm_layout_put(to, pkm_short_name(mech->marker[mech->tool].name), tool_columns, N_TOOL,
                       &values);
    pkm_layout_put(to, "", &use_column, 1, &values);
}

/// t = sum of 2 step / (u'_i + u'_i+1), and what the motion uses of the limits.
static void measure(pkm_fastest_search* s, pkm_fastest* out)
{
    int last = PKM_NONE, which = PKM_NONE;
    for (int i = 0; i <= s->n; ++i) {
        pkm_fastest_place* p = &s->place[i];
        p->t = i == 0 ? 0.0 : p[-1].t + 2.0 * (p->u - p[-1].u) / (sqrt(p->z) + sqrt(p[-1].z));
        out->busiest = fmax(out->busiest, use_after(s, i, &which));
        out->n_switch += last != PKM_NONE && which != last;
        last = which;
    }
    out->best = s->place[s->n].t;
}

/// The motion as the places have it. An S-curve has its own acceleration at each of them.
static pkm_status write_table(const pkm_fastest_search* s, pkm_table* table, pkm_error* err)
{
    pkm_layout columns = {.table = table};
    int which = PKM_NONE;
    put_place(s, &s->place[0], 0.0, 0.0, &columns);
    if (columns.failed) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int i = 0; i <= s->n; ++i) {
        const pkm_fastest_place* p = &s->place[i];
        const double use =
            s->limits_jerk ? fmax(use_of(s, p, &which), p->jerk_use) : use_after(s, i, &which);
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        put_place(s, p, p->t, use, &(pkm_layout){.out = row});
    }
    return PKM_OK;
}

static pkm_status find(pkm_fastest_search* s, const pkm_motion* motion, pkm_table* table,
                       pkm_fastest* out, pkm_error* err)
{
    PKM_TRY(pkm_follow_begin(s->robot, motion, &s->follower, err));
    PKM_TRY(walk_first(s, err));
    PKM_TRY(pkm_follow_begin(s->robot, motion, &s->follower, err));
    PKM_TRY(walk_second(s, err));
    PKM_TRY(reach_back(s, err));
    go_forward(s);
    out->stretched = s->stretch * s->end;
    measure(s, out);
    if (!isfinite(out->best) || !isfinite(out->stretched))
        return pkm_fail(err, PKM_ERR_NUMBERS,
                        "motion %s: within these limits it would last longer than any number; look "
                        "for a limit of the wrong size",
                        s->name);
    out->smooth = s->limits_jerk ? pkm_fastest_smooth(s) : NAN;
    return write_table(s, table, err);
}

pkm_status pkm_fastest_find(pkm_robot* robot, int motion, const pkm_fastest_settings* settings,
                            pkm_table* table, pkm_fastest* out, pkm_error* err)
{
    const pkm_motion* of = robot->desc->motion[motion].motion;
    pkm_fastest_search s = {.robot = robot, .settings = settings, .n_drive = robot->mech->n_drive};
    s.n = settings->n_point;
    s.n_fine = 4 * s.n;
    s.end = pkm_motion_duration(of);
    s.name = pkm_motion_name(of);
    s.limits_jerk = isfinite(settings->limits.tool_jerk);
    for (int d = 0; d < s.n_drive; ++d)
        s.limits_jerk = s.limits_jerk || isfinite(settings->limits.jerk[d]);
    *out = (pkm_fastest){.given = s.end};
    if (s.n < 10) return pkm_fail(err, PKM_ERR_ARGUMENT, "points: %d, expected at least 10", s.n);
    PKM_TRY(pkm_robot_require_drives(robot, err));
    s.place = pkm_alloc((size_t)s.n + 1, sizeof *s.place);
    s.way = pkm_alloc(2 * ((size_t)s.n_fine + 1), sizeof(double));
    s.speed = s.way ? s.way + s.n_fine + 1 : NULL;
    const pkm_status status = s.place && s.way ? find(&s, of, table, out, err)
                                               : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    memset(robot->state->load, 0, (size_t)robot->mech->n_body * sizeof *robot->state->load);
    pkm_free(s.place);
    pkm_free(s.way);
    return status;
}
