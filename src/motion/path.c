// Paths of the tool: lines (8), circles (9), arcs through three points (10), the inverted U (11),
// and the frame that roll, pitch, yaw and their rates make (12) to (15). Equations:
// docs/theory/motion.md, sections 2 and 3.
#include "motion/path.h"

#include "math/angle.h"
#include "math/quat.h"
#include "motion/stretch.h"

/// Instants of an arc at which limits are looked for.
enum { LOOKS = 400 };

/// Three points whose directions differ by less than this angle [rad] are on a line: the circle's
/// centre would keep fewer than seven digits.
static const double LINE_ANGLE = 1e-9;

pkm_leg pkm_leg_line(pkm_vec3 a, pkm_vec3 b)
{
    pkm_leg leg = {0};
    leg.origin = a;
    leg.ex = pkm_vec3_sub(b, a);
    return leg;
}

pkm_leg pkm_leg_circle(pkm_vec3 center, pkm_vec3 normal, pkm_vec3 start, double radius,
                       double angle)
{
    pkm_leg leg = {0};
    leg.origin = center;
    leg.ex = pkm_vec3_scale(radius, start);
    leg.ey = pkm_vec3_cross(normal, leg.ex);
    leg.angle = angle;
    return leg;
}

/// The angle [rad] in [0, 2 pi) of the point `p` on the circle of `leg`, from its start.
static double angle_on(const pkm_leg* leg, pkm_vec3 p)
{
    const pkm_vec3 r = pkm_vec3_sub(p, leg->origin);
    const double angle = atan2(pkm_vec3_dot(r, leg->ey), pkm_vec3_dot(r, leg->ex));
    return angle < 0.0 ? angle + PKM_TURN : angle;
}

bool pkm_leg_arc(const pkm_vec3 p[3], pkm_leg* out, double* middle)
{
    // centre of the circle through three points, (10): with a, b seen from p0 and n = a x b,
    //     c = p0 + (|a|^2 b - |b|^2 a) x n / (2 |n|^2)
    const pkm_vec3 a = pkm_vec3_sub(p[1], p[0]), b = pkm_vec3_sub(p[2], p[0]);
    const pkm_vec3 last = pkm_vec3_sub(p[2], p[1]), n = pkm_vec3_cross(a, b);
    const double aa = pkm_vec3_dot(a, a), bb = pkm_vec3_dot(b, b), nn = pkm_vec3_dot(n, n);
    const double edges = pkm_vec3_norm(a) * pkm_vec3_norm(last);
    if (!(sqrt(nn) > LINE_ANGLE * edges)) return false;

    const pkm_vec3 d = pkm_vec3_sub(pkm_vec3_scale(aa, b), pkm_vec3_scale(bb, a));
    const pkm_vec3 center = pkm_vec3_axpy(p[0], 0.5 / nn, pkm_vec3_cross(d, n));
    const pkm_vec3 radius = pkm_vec3_sub(p[0], center);

    // n is right-handed for the order p0 p1 p2, so both angles count the way that is travelled
    *out =
        pkm_leg_circle(center, pkm_vec3_unit(n), pkm_vec3_unit(radius), pkm_vec3_norm(radius), 0.0);
    out->angle = angle_on(out, p[2]);
    *middle = angle_on(out, p[1]) / out->angle;
    return true;
}

void pkm_leg_turn(pkm_leg* leg, pkm_vec3 from, pkm_vec3 to)
{
    leg->r0 = from;
    leg->r1 = pkm_vec3_sub(to, from);
    leg->r2 = pkm_vec3_make(0.0, 0.0, 0.0);
}

void pkm_leg_turn_through(pkm_leg* leg, const pkm_vec3 r[3], double middle)
{
    // r1 + r2 = e, m r1 + m^2 r2 = f  with e = r[2] - r[0], f = r[1] - r[0]
    const pkm_vec3 e = pkm_vec3_sub(r[2], r[0]), f = pkm_vec3_sub(r[1], r[0]);
    leg->r0 = r[0];
    leg->r2 = pkm_vec3_scale(1.0 / (1.0 - middle), pkm_vec3_axpy(e, -1.0 / middle, f));
    leg->r1 = pkm_vec3_sub(e, leg->r2);
}

double pkm_leg_length(const pkm_leg* leg)
{
    const double size = pkm_vec3_norm(leg->ex);
    return leg->angle != 0.0 ? size * fabs(leg->angle) : size;
}

/// Magnitude of the tool's acceleration or jerk on an arc of the length L: along and across the way
/// L u'' and L angle u'^2, or L (u''' - angle^2 u'^3) and 3 L angle u' u''.
static double size_at(const void* way, double t, int order)
{
    const pkm_leg* arc = way;
    const pkm_law_point u = pkm_law_at(&arc->law, t);
    const double turn = arc->angle * u.v; // [rad/s]
    return pkm_leg_length(arc) *
           (order == 3 ? hypot(u.j - turn * turn * u.v, 3.0 * turn * u.a) : hypot(u.a, turn * u.v));
}

pkm_status pkm_leg_plan(pkm_leg* leg, const pkm_law_request* request, const char* name,
                        pkm_error* err)
{
    const double length = pkm_leg_length(leg);
    if (leg->angle == 0.0) return pkm_law_plan(request, length, name, &leg->law, err);
    const pkm_curved_way way = {.way = leg,
                                .size = size_at,
                                .length = length,
                                .n_look = LOOKS,
                                .first = 2,
                                .law = &leg->law};
    return pkm_law_plan_curved(request, &way, name, err);
}

/// The chain rule: derivatives in time from derivatives d1, d2, d3 in u, and those of u.
static pkm_jet3 chain(pkm_vec3 x, const pkm_vec3 d[3], pkm_law_point u)
{
    pkm_jet3 out;
    out.x = x;
    out.v = pkm_vec3_scale(u.v, d[0]);
    out.a = pkm_vec3_axpy(pkm_vec3_scale(u.a, d[0]), u.v * u.v, d[1]);
    out.j = pkm_vec3_axpy(pkm_vec3_scale(u.j, d[0]), 3.0 * u.v * u.a, d[1]);
    out.j = pkm_vec3_axpy(out.j, u.v * u.v * u.v, d[2]);
    return out;
}

/// c + x ex + y ey
static pkm_vec3 combine(pkm_vec3 c, double x, pkm_vec3 ex, double y, pkm_vec3 ey)
{
    return pkm_vec3_axpy(pkm_vec3_axpy(c, x, ex), y, ey);
}

void pkm_leg_at(const pkm_leg* leg, double t, pkm_tool_jet* out)
{
    const pkm_law_point u = pkm_law_at(&leg->law, t - leg->begin);
    const pkm_vec3 zero = {0.0, 0.0, 0.0};

    if (leg->angle == 0.0) {
        const pkm_vec3 d[3] = {leg->ex, zero, zero};
        out->point = chain(pkm_vec3_axpy(leg->origin, u.u, leg->ex), d, u);
    } else {
        const double f = leg->angle, c = cos(f * u.u), s = sin(f * u.u);
        const pkm_vec3 d[3] = {combine(zero, -f * s, leg->ex, f * c, leg->ey),
                               combine(zero, -f * f * c, leg->ex, -f * f * s, leg->ey),
                               combine(zero, f * f * f * s, leg->ex, -f * f * f * c, leg->ey)};
        out->point = chain(combine(leg->origin, c, leg->ex, s, leg->ey), d, u);
    }

    const pkm_vec3 slope[3] = {pkm_vec3_axpy(leg->r1, 2.0 * u.u, leg->r2),
                               pkm_vec3_scale(2.0, leg->r2), zero};
    out->rpy = chain(combine(leg->r0, u.u, leg->r1, u.u * u.u, leg->r2), slope, u);
}

/// Add `sign` times the septic stroke `d` between the times t0 and t1 to `sum`.
static void add_stroke(pkm_jet3* sum, pkm_vec3 d, double t, double t0, double t1)
{
    const pkm_law_profile law = {.law = PKM_LAW_SEPTIC, .T = t1 - t0};
    const pkm_law_point u = pkm_law_at(&law, t - t0);
    sum->x = pkm_vec3_axpy(sum->x, u.u, d);
    sum->v = pkm_vec3_axpy(sum->v, u.v, d);
    sum->a = pkm_vec3_axpy(sum->a, u.a, d);
    sum->j = pkm_vec3_axpy(sum->j, u.j, d);
}

void pkm_inverted_u_at(const pkm_inverted_u* path, double t, pkm_tool_jet* out)
{
    const double* mark = path->mark;
    *out = (pkm_tool_jet){.point.x = path->from, .rpy.x = path->r0};
    add_stroke(&out->point, path->lift, t, mark[0], mark[2]);
    add_stroke(&out->point, path->step, t, mark[1], mark[3]);
    add_stroke(&out->point, pkm_vec3_scale(-1.0, path->lift), t, mark[2], mark[4]);
    add_stroke(&out->rpy, path->r1, t, mark[1], mark[3]);
}

void pkm_tool_jet_frame(const pkm_tool_jet* jet, pkm_frame_motion* out)
{
    const pkm_vec3 r = jet->rpy.x, rate = jet->rpy.v, second = jet->rpy.a;
    const double sp = sin(r.y), cp = cos(r.y), sy = sin(r.z), cy = cos(r.z);

    // the axes the angles turn about: yaw about e_z, pitch about Rz e_y, roll about Rz Ry e_x
    const pkm_vec3 ez = {0.0, 0.0, 1.0}, ey = {-sy, cy, 0.0}, ex = {cy * cp, sy * cp, -sp};

    // w = yaw' ez + pitch' ey + roll' ex; its rate has the rates of the axes too, (14) and (15):
    // ey turns with yaw' ez, ex with yaw' ez + pitch' ey
    const pkm_vec3 w_yaw = pkm_vec3_scale(rate.z, ez);
    const pkm_vec3 w_pitch = pkm_vec3_axpy(w_yaw, rate.y, ey);
    pkm_vec3 alpha = combine(pkm_vec3_scale(second.z, ez), second.y, ey, second.x, ex);
    alpha = pkm_vec3_axpy(alpha, rate.y, pkm_vec3_cross(w_yaw, ey));
    alpha = pkm_vec3_axpy(alpha, rate.x, pkm_vec3_cross(w_pitch, ex));

    out->pose.p = jet->point.x;
    out->pose.q = pkm_quat_from_rpy(r);
    out->v = jet->point.v;
    out->a = jet->point.a;
    out->w = pkm_vec3_axpy(w_pitch, rate.x, ex);
    out->alpha = alpha;
}
