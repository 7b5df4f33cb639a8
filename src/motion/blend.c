// Polylines with rounded corners, run by one law without a stop. Equations: docs/theory/motion.md,
// section 5, (22), (23).
#include "motion/blend.h"

#include "base/error.h"
#include "math/vec3.h"
#include "motion/stretch.h"

/// Points per leg at which accelerations are looked for.
enum { LOOKS = 400 };

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
    // (22), each derivative in w = radius s; those of g(-s) change their sign in turn
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
    // a leg has its whole way and turn; here per way [1, rad/m]
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

/// Magnitude of the k-th derivative of the tool's place.
static double size_at(const void* way, double t, int order)
{
    pkm_tool_jet jet;
    pkm_blend_at(way, t, &jet);
    return pkm_vec3_norm(order == 3 ? jet.point.j : jet.point.a);
}

/// A corner takes `radius` off both its legs; inner legs have two corners.
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

pkm_status pkm_blend_plan(pkm_blend* b, const pkm_law_request* request, const char* name,
                          pkm_error* err)
{
    const pkm_curved_way way = {.way = b,
                                .size = size_at,
                                .length = b->length,
                                .n_look = LOOKS * b->n_leg,
                                .first = 2,
                                .law = &b->law};
    PKM_TRY(check_room(b, name, err));
    return pkm_law_plan_curved(request, &way, name, err);
}
