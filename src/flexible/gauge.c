// What is read off a bent link at an instant: deflection from the line between its joints or from
// the tangent at its drive, twist, stress, axial force, nearness to buckling. Called by the columns
// of simulations and of elastodynamics. Equations: docs/theory/flexible.md, section 7.
#include "flexible/gauge.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double SAME = 1e-9; // of the length: the same place

// ---- creation ---------------------------------------------------------------------------------

static double distance(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_norm(pkm_vec3_sub(a, b));
}

static pkm_vec3 place_of(const pkm_flexible_body* body, int frame)
{
    return body->frame[frame].pose.p;
}

/// The joint frame farthest from `from`.
static int farthest_joint(const pkm_flexible_body* body, pkm_vec3 from)
{
    int best = 0;
    for (int f = 1; f < body->n_joint; ++f)
        if (distance(place_of(body, f), from) > distance(place_of(body, best), from)) best = f;
    return best;
}

static int nearest_joint(const pkm_flexible_body* body, pkm_vec3 to)
{
    int best = 0;
    for (int f = 1; f < body->n_joint; ++f)
        if (distance(place_of(body, f), to) < distance(place_of(body, best), to)) best = f;
    return best;
}

static int farthest_sample(const pkm_flexible_body* body, pkm_vec3 from)
{
    int best = 0;
    for (int s = 1; s < body->n_sample; ++s)
        if (distance(body->sample[s].at, from) > distance(body->sample[best].at, from)) best = s;
    return best;
}

/// Two joints farthest apart: the one farthest from the first joint, and the one farthest from it.
static void choose_ends(pkm_flexible_gauge* g, const pkm_vec3* clamped)
{
    const pkm_flexible_body* body = g->body;
    g->first = clamped
                   ? nearest_joint(body, *clamped)
                   : farthest_joint(body, place_of(body, farthest_joint(body, place_of(body, 0))));
    const pkm_vec3 from = place_of(body, g->first);
    g->tip = farthest_sample(body, from);
    g->last = farthest_joint(body, from);
    const double length = distance(body->sample[g->tip].at, from);
    if (distance(place_of(body, g->last), from) <= SAME * length) g->last = PKM_NONE;
    g->from_tangent = clamped || g->last == PKM_NONE;
}

double pkm_flexible_least_bending_stiffness(const pkm_flexible_body* body)
{
    double least = HUGE_VAL;
    for (int e = 0; e < body->n_element; ++e) {
        const pkm_beam_section* s = &body->sample[1 + 2 * e].section;
        // E I = EA/A I of the weaker plane [N m2]
        if (body->EA[e] > 0.0) least = fmin(least, body->EA[e] / s->A * fmin(s->Iy, s->Iz));
    }
    return least;
}

/// How far along the line from `at` the last joint is that holds the link, 0 to 1 of `length`;
/// `clamps`: is there one at `at` that holds it against turning?
static double held_reach(const pkm_flexible_frame* frame, int n_joint, pkm_vec3 at, pkm_vec3 along,
                         double length, bool* clamps)
{
    double reach = 0.0;
    *clamps = false;
    for (int f = 0; f < n_joint; ++f) {
        const pkm_vec3 arm = pkm_vec3_sub(frame[f].pose.p, at);
        if (!frame[f].is_held) continue;
        reach = fmax(reach, pkm_vec3_dot(arm, along) / length);
        *clamps = *clamps || (frame[f].is_clamped && pkm_vec3_norm(arm) <= SAME * length);
    }
    return fmin(reach, 1.0);
}

double pkm_flexible_eulers_length(const pkm_flexible_frame* frame, int n_joint, pkm_vec3 first,
                                  pkm_vec3 last, bool is_carried)
{
    const pkm_vec3 line = pkm_vec3_sub(last, first);
    const double l = pkm_vec3_norm(line);
    const pkm_vec3 along = pkm_vec3_scale(1.0 / l, line);
    bool clamps[2];
    const double from_first = held_reach(frame, n_joint, first, along, l, &clamps[0]);
    const double from_last =
        held_reach(frame, n_joint, last, pkm_vec3_scale(-1.0, along), l, &clamps[1]);
    const bool has_first = from_last >= 1.0 - SAME, has_last = from_first >= 1.0 - SAME;
    if (has_first && has_last) return l;
    // the root: the end that is held, else where a drive carries the link
    const bool at_last = has_last;
    const double reach = at_last ? from_last : from_first;
    // a link on one hinge turns instead of bending
    const bool stands = (is_carried && !at_last) || clamps[at_last] || reach > SAME;
    return stands ? (2.0 - reach) * l : l;
}

pkm_flexible_gauge pkm_flexible_gauge_make(const pkm_flexible_body* body, const pkm_vec3* clamped)
{
    pkm_flexible_gauge g = {.body = body};
    choose_ends(&g, clamped);
    const pkm_vec3 end = g.last == PKM_NONE ? body->sample[g.tip].at : place_of(body, g.last);
    const pkm_vec3 line = pkm_vec3_sub(end, place_of(body, g.first));
    g.length = pkm_vec3_norm(line);
    g.along = pkm_vec3_scale(1.0 / g.length, line);
    const double held = g.last == PKM_NONE
                            ? 2.0 * g.length
                            : pkm_flexible_eulers_length(body->frame, body->n_joint,
                                                         place_of(body, g.first), end, clamped);
    // pi^2 EI/l^2
    g.buckling = PI * PI * pkm_flexible_least_bending_stiffness(body) / (held * held);
    return g;
}

// ---- reading ----------------------------------------------------------------------------------

/// The rigid motion from which deflections count: d + r x (x - at).
typedef struct datum {
    pkm_vec3 at, d, r;
} datum;

/// d_0 and r_0 of (7.1): the rigid motion that deflections are counted from.
static datum find_datum(const pkm_flexible_gauge* g, const double* z)
{
    datum out = {.at = place_of(g->body, g->first)};
    pkm_vec3 end, turn;
    pkm_flexible_body_frame(g->body, g->first, z, &out.d, &out.r);
    if (g->from_tangent) return out;
    pkm_flexible_body_frame(g->body, g->last, z, &end, &turn);
    // the line turns by e x (d1 - d0) / length
    out.r = pkm_vec3_scale(1.0 / g->length, pkm_vec3_cross(g->along, pkm_vec3_sub(end, out.d)));
    return out;
}

/// What the place `at` is displaced by beside that rigid motion.
static pkm_vec3 displaced(const datum* from, pkm_vec3 at, pkm_vec3 d)
{
    const pkm_vec3 arm = pkm_vec3_sub(at, from->at);
    return pkm_vec3_sub(d, pkm_vec3_add(from->d, pkm_vec3_cross(from->r, arm)));
}

static double across(const pkm_flexible_gauge* g, pkm_vec3 off)
{
    return pkm_vec3_norm(pkm_vec3_axpy(off, -pkm_vec3_dot(off, g->along), g->along));
}

pkm_link_bend pkm_link_bend_make(pkm_vec3 off, pkm_vec3 along, const pkm_mat3* axes)
{
    const double sense = pkm_vec3_dot(along, axes->x) < 0.0 ? -1.0 : 1.0;
    pkm_vec3 y = pkm_vec3_axpy(axes->y, -pkm_vec3_dot(axes->y, along), along);
    if (pkm_vec3_norm(y) < 0.5) { // y is nearer to the line than z
        const pkm_vec3 z = pkm_vec3_axpy(axes->z, -pkm_vec3_dot(axes->z, along), along);
        y = pkm_vec3_scale(sense, pkm_vec3_cross(z, along));
    }
    y = pkm_vec3_scale(1.0 / pkm_vec3_norm(y), y);
    const pkm_vec3 z = pkm_vec3_scale(sense, pkm_vec3_cross(along, y));
    return (pkm_link_bend){pkm_vec3_dot(off, along), pkm_vec3_dot(off, y), pkm_vec3_dot(off, z)};
}

static double twist_of(const pkm_flexible_gauge* g, const double* z)
{
    pkm_vec3 d, r0, r1;
    pkm_flexible_body_frame(g->body, g->first, z, &d, &r0);
    if (g->last == PKM_NONE)
        r1 = pkm_flexible_body_point(g->body, g->tip, z).r;
    else
        pkm_flexible_body_frame(g->body, g->last, z, &d, &r1);
    return pkm_vec3_dot(pkm_vec3_sub(r1, r0), g->along);
}

/// Axial force in the middle: where elements meet there, their mean.
static double middle_force(const pkm_flexible_body* body, const double* z, const double* axial)
{
    double sum = 0.0;
    int n = 0;
    // samples: the middle, ends of elements, places
    for (int s = body->n_sample - body->n_place - 1; s >= 0; --s) {
        const pkm_flexible_sample* sample = &body->sample[s];
        if (s == 0 && n > 0) break;
        if (distance(sample->at, body->sample[0].at) > SAME * body->length[0]) continue;
        sum += axial ? axial[sample->place.element] : pkm_flexible_body_point(body, s, z).force;
        ++n;
    }
    return sum / n;
}

pkm_flexible_reading pkm_flexible_gauge_read(const pkm_flexible_gauge* g, const double* z,
                                             const double* axial)
{
    const pkm_flexible_body* body = g->body;
    const datum from = find_datum(g, z);
    pkm_flexible_reading out = {.twist = twist_of(g, z), .axial = middle_force(body, z, axial)};
    for (int s = 0; s < body->n_sample; ++s) {
        const pkm_flexible_sample* sample = &body->sample[s];
        pkm_beam_point point = pkm_flexible_body_point(body, s, z);
        if (axial) point.force = axial[sample->place.element];
        // d - d_0 - r_0 x (at - at_0) of (7.1), across the line
        const double off = across(g, displaced(&from, sample->at, point.d));
        if (s == 0) out.deflection = off;
        out.largest = fmax(out.largest, off);
        out.turn = fmax(out.turn, pkm_vec3_norm(pkm_vec3_sub(point.r, from.r)));
        out.stress = fmax(out.stress, fabs(pkm_flexible_stress(&sample->section, &point)));
        out.compression = fmax(out.compression, -point.force);
    }
    return out;
}

pkm_flexible_place_reading pkm_flexible_gauge_place(const pkm_flexible_gauge* g, int k,
                                                    const double* z, const double* axial)
{
    const pkm_flexible_body* body = g->body;
    const int s = body->n_sample - body->n_place + k;
    const pkm_flexible_sample* sample = &body->sample[s];
    const datum from = find_datum(g, z);
    pkm_beam_point point = pkm_flexible_body_point(body, s, z);
    const pkm_vec3 off = displaced(&from, sample->at, point.d);
    pkm_vec3 d, r;
    pkm_flexible_body_frame(body, g->first, z, &d, &r);
    if (axial) point.force = axial[sample->place.element];
    return (pkm_flexible_place_reading){.deflection = across(g, off),
                                        .twist = pkm_vec3_dot(pkm_vec3_sub(point.r, r), g->along),
                                        .stress =
                                            fabs(pkm_flexible_stress(&sample->section, &point)),
                                        .bend = pkm_link_bend_make(off, g->along, &sample->axes)};
}
