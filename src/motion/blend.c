#include "motion/blend.h"

#include "base/error.h"
#include "math/vec3.h"

#include <math.h>

/// Points per leg at which accelerations are looked for, and steps that refine the largest.
enum { LOOKS = 400, REFINE = 60 };

/// Limits are kept with this relative room, as in law_plan.c.
static const double LIMIT_SLACK = 1e-9;

/// The ramp of a corner on -1 <= s <= 1 and its derivatives, (23): from 0 at rest to s, with
/// g'' = 15/16 (1 - s^2)^2.
static void ramp(double s, double g[4])
{
    const double c = 15.0 / 16.0, q = s * s, r = 1.0 - q;
    g[0] = 5.0 / 32.0 + 0.5 * s + c * q * (0.5 - q * (1.0 / 6.0 - q / 30.0));
    g[1] = 0.5 + c * s * (1.0 - q * (2.0 / 3.0 - q / 5.0));
    g[2] = c * r * r;
    g[3] = -4.0 * c * s * r;
}

/// A vector function of the way w and three derivatives in it: it runs with slope `e1` to `at`,
/// where s = 0, and goes on with slope `e2`, (22).
static void corner(pkm_vec3 at, pkm_vec3 e1, pkm_vec3 e2, double radius, double s, pkm_vec3 d[4])
{
    double back[4], on[4];
    ramp(-s, back);
    ramp(s, on);
    const double f[4] = {radius, 1.0, 1.0 / radius, 1.0 / (radius * radius)};
    const pkm_vec3 zero = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
        const double sign = k % 2 ? 1.0 : -1.0;
        d[k] = pkm_vec3_axpy(pkm_vec3_axpy(k == 0 ? at : zero, sign * f[k] * back[k], e1),
                             f[k] * on[k], e2);
    }
}

static void straight(pkm_vec3 from, pkm_vec3 slope, double way, pkm_vec3 d[4])
{
    d[0] = pkm_vec3_axpy(from, way, slope);
    d[1] = slope;
    d[2] = d[3] = pkm_vec3_make(0.0, 0.0, 0.0);
}

/// The last leg that begins at or before the way w.
static int leg_at(const pkm_blend* b, double w)
{
    int low = 0, high = b->n_leg;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (w < b->leg[middle].begin)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/// Position and roll, pitch, yaw at the way w with their derivatives in it.
static void way_at(const pkm_blend* b, double w, pkm_vec3 point[4], pkm_vec3 rpy[4])
{
    const int k = leg_at(b, w);
    const double end = k + 1 < b->n_leg ? b->leg[k + 1].begin : b->length;
    int turn = 0; // the corner before leg `turn`; 0: none is near
    if (k > 0 && w - b->leg[k].begin < b->radius) turn = k;
    if (k + 1 < b->n_leg && end - w < b->radius) turn = k + 1;
    const pkm_leg* leg = &b->leg[turn > 0 ? turn : k];
    const double f = 1.0 / pkm_leg_length(leg);
    const pkm_vec3 e = pkm_vec3_scale(f, leg->ex), r = pkm_vec3_scale(f, leg->r1);
    if (turn == 0) {
        straight(leg->origin, e, w - leg->begin, point);
        straight(leg->r0, r, w - leg->begin, rpy);
        return;
    }
    const double s = (w - leg->begin) / b->radius, g = 1.0 / pkm_leg_length(leg - 1);
    corner(leg->origin, pkm_vec3_scale(g, leg[-1].ex), e, b->radius, s, point);
    corner(leg->r0, pkm_vec3_scale(g, leg[-1].r1), r, b->radius, s, rpy);
}

/// The chain rule for a way w = length u(t).
static pkm_jet3 in_time(const pkm_vec3 d[4], double v, double a, double j)
{
    pkm_jet3 out;
    out.x = d[0];
    out.v = pkm_vec3_scale(v, d[1]);
    out.a = pkm_vec3_axpy(pkm_vec3_scale(a, d[1]), v * v, d[2]);
    out.j = pkm_vec3_axpy(pkm_vec3_scale(j, d[1]), 3.0 * v * a, d[2]);
    out.j = pkm_vec3_axpy(out.j, v * v * v, d[3]);
    return out;
}

void pkm_blend_at(const pkm_blend* b, double t, pkm_tool_jet* out)
{
    const pkm_law_point u = pkm_law_at(&b->law, t);
    const double L = b->length;
    pkm_vec3 point[4], rpy[4];
    way_at(b, L * u.u, point, rpy);
    out->point = in_time(point, L * u.v, L * u.a, L * u.j);
    out->rpy = in_time(rpy, L * u.v, L * u.a, L * u.j);
}

static double size_at(const pkm_blend* b, double t, bool jerk)
{
    pkm_tool_jet jet;
    pkm_blend_at(b, t, &jet);
    return pkm_vec3_norm(jerk ? jet.point.j : jet.point.a);
}

/// The largest acceleration or jerk on the path.
static double largest(const pkm_blend* b, bool jerk)
{
    const int n = LOOKS * b->n_leg;
    const double h = b->law.T / n;
    double most = 0.0, when = 0.0;
    for (int i = 0; i < n; ++i) {
        const double now = size_at(b, (i + 0.5) * h, jerk);
        if (now <= most) continue;
        most = now;
        when = (i + 0.5) * h;
    }
    double low = fmax(when - h, 0.0), high = fmin(when + h, b->law.T);
    for (int i = 0; i < REFINE; ++i) {
        const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
        if (size_at(b, left, jerk) < size_at(b, right, jerk))
            low = left;
        else
            high = right;
    }
    return fmax(most, size_at(b, 0.5 * (low + high), jerk));
}

static pkm_status check_room(const pkm_blend* b, const char* name, pkm_error* err)
{
    for (int k = 0; k < b->n_leg; ++k) {
        const double length = pkm_leg_length(&b->leg[k]);
        const double room = k > 0 && k + 1 < b->n_leg ? 0.5 * length : length;
        if (b->radius <= room) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: polyline: blend %.6g m does not fit on leg %d of %.6g m, expected at "
                        "most %.6g m",
                        name, b->radius, k + 1, length, room);
    }
    return PKM_OK;
}

static void stretch(pkm_law_profile* law, double k)
{
    law->T *= k;
    law->ramp *= k;
    law->rise *= k;
}

pkm_status pkm_blend_plan(pkm_blend* b, const pkm_law_request* request, const char* name,
                          pkm_error* err)
{
    const double a = request->max_acceleration, j = request->max_jerk, T = request->duration;
    PKM_TRY(check_room(b, name, err));
    if (isnan(a) && isnan(j)) return pkm_law_plan(request, b->length, name, &b->law, err);

    // The shortest law of the straight way, then all times stretched by k until the corners keep
    // the limits too: accelerations fall with k^2, jerks with k^3.
    pkm_law_request shortest = *request;
    shortest.duration = NAN;
    PKM_TRY(pkm_law_plan(&shortest, b->length, name, &b->law, err));
    double k = 1.0;
    if (!isnan(a)) k = fmax(k, sqrt(largest(b, false) / a));
    if (!isnan(j)) k = fmax(k, cbrt(largest(b, true) / j));
    if (T < k * b->law.T * (1.0 - LIMIT_SLACK))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: duration %.9g s is too short for its limits in the corners, expected "
                        "at least %.9g s",
                        name, T, k * b->law.T);
    stretch(&b->law, isnan(T) ? k : T / b->law.T);
    return PKM_OK;
}
