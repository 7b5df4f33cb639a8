// What is read off a bent link at an instant: deflection from the line between its joints or from
// the tangent at its drive, twist, stress, axial force, nearness to buckling. Called by the columns
// of simulations and of elastodynamics. Equations: docs/theory/flexible.md, section 7.
#include "flexible/gauge.h"

#include "flexible/span.h"

#include <math.h>

static const double SAME = 1e-9; // of the length: the same place

// ---- creation ---------------------------------------------------------------------------------

static pkm_vec3 place_of(const pkm_flexible_body* body, int frame)
{
    return body->frame[frame].pose.p;
}

static int farthest_sample(const pkm_flexible_body* body, pkm_vec3 from)
{
    int best = 0;
    for (int s = 1; s < body->n_sample; ++s)
        if (pkm_vec3_distance(body->sample[s].at, from) >
            pkm_vec3_distance(body->sample[best].at, from))
            best = s;
    return best;
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

pkm_flexible_gauge pkm_flexible_gauge_make(const pkm_flexible_body* body, const pkm_vec3* clamped)
{
    const int first = pkm_flexible_span_first(body->frame, body->n_joint, clamped);
    // a link on one joint counts to its farthest sample
    const int tip = farthest_sample(body, place_of(body, first));
    const pkm_flexible_span span =
        pkm_flexible_span_make(body->frame, body->n_joint, first, clamped, body->sample[tip].at);
    return (pkm_flexible_gauge){
        .body = body,
        .first = first,
        .last = span.last,
        .tip = tip,
        .from_tangent = span.from_tangent,
        .along = span.along,
        .length = span.length,
        .buckling = pkm_flexible_eulers_load(&span, pkm_flexible_least_bending_stiffness(body))};
}

// ---- reading ----------------------------------------------------------------------------------

/// Displacement and rotation of the first frame and of the far end.
typedef struct ends {
    pkm_vec3 d0, r0, d1, r1;
} ends;

static ends read_ends(const pkm_flexible_gauge* g, const double* z)
{
    ends out;
    pkm_flexible_body_frame(g->body, g->first, z, &out.d0, &out.r0);
    if (g->last != PKM_NONE) {
        pkm_flexible_body_frame(g->body, g->last, z, &out.d1, &out.r1);
        return out;
    }
    // one joint: twist counts to the tip
    const pkm_beam_point tip = pkm_flexible_body_point(g->body, g->tip, z);
    out.d1 = tip.d;
    out.r1 = tip.r;
    return out;
}

/// The rigid motion from which deflections count: d + r x (x - at).
typedef struct datum {
    pkm_vec3 at, d, r;
} datum;

/// d_0 and r_0 of (7.1): the rigid motion that deflections are counted from.
static datum find_datum(const pkm_flexible_gauge* g, const ends* at)
{
    datum out = {.at = place_of(g->body, g->first), .d = at->d0, .r = at->r0};
    if (g->from_tangent) return out;
    // the line turns by e x (d1 - d0) / length
    out.r = pkm_vec3_scale(1.0 / g->length, pkm_vec3_cross(g->along, pkm_vec3_sub(at->d1, at->d0)));
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
    // along the line from the first joint on, whichever way the element was drawn
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

static double twist_of(const pkm_flexible_gauge* g, const ends* at)
{
    return pkm_vec3_dot(pkm_vec3_sub(at->r1, at->r0), g->along);
}

/// Axial force in the middle: where elements meet there, their mean.
static double middle_force(const pkm_flexible_body* body, const double* z, const double* axial)
{
    double sum = 0.0;
    int n = 0;
    // samples: the middle, ends of elements, places
    for (int s = body->n_sample - body->n_place - 1; s >= 0; --s) {
        const pkm_flexible_sample* sample = &body->sample[s];
        // the sample in the middle alone, where no element ends there
        if (s == 0 && n > 0) break;
        if (pkm_vec3_distance(sample->at, body->sample[0].at) > SAME * body->length[0]) continue;
        sum += axial ? axial[sample->place.element] : pkm_flexible_body_point(body, s, z).force;
        ++n;
    }
    return sum / n;
}

static double stress_of(const pkm_flexible_body* body, int s, const pkm_beam_point* forces)
{
    return fabs(pkm_flexible_stress(&body->sample[s].section, forces));
}

/// What bends and loads the link, of all places their forces only.
static pkm_flexible_reading read_loads(const pkm_flexible_gauge* g, const double* z,
                                       const double* axial, const ends* at)
{
    const pkm_flexible_body* body = g->body;
    const datum from = find_datum(g, at);
    const pkm_vec3 middle = pkm_flexible_body_point(body, 0, z).d;
    pkm_flexible_reading out = {.deflection =
                                    across(g, displaced(&from, body->sample[0].at, middle)),
                                .twist = twist_of(g, at),
                                .axial = middle_force(body, z, axial)};
    for (int s = 0; s < body->n_sample; ++s) {
        // axial forces with what bending takes from the length (3.7)
        const pkm_beam_point point = {.force = axial ? axial[body->sample[s].place.element]
                                                     : pkm_flexible_body_point(body, s, z).force,
                                      .moment = pkm_flexible_body_bending(body, s, z)};
        out.stress = fmax(out.stress, stress_of(body, s, &point));
        out.compression = fmax(out.compression, -point.force);
    }
    return out;
}

pkm_flexible_reading pkm_flexible_gauge_read_loads(const pkm_flexible_gauge* g, const double* z,
                                                   const double* axial)
{
    const ends at = read_ends(g, z);
    return read_loads(g, z, axial, &at);
}

pkm_flexible_reading pkm_flexible_gauge_read(const pkm_flexible_gauge* g, const double* z,
                                             const double* axial)
{
    const pkm_flexible_body* body = g->body;
    const ends at = read_ends(g, z);
    const datum from = find_datum(g, &at);
    pkm_flexible_reading out = read_loads(g, z, axial, &at);
    for (int s = 0; s < body->n_sample; ++s) {
        const pkm_beam_point point = pkm_flexible_body_point(body, s, z);
        // d - d_0 - r_0 x (at - at_0) of (7.1), across the line
        out.largest = fmax(out.largest, across(g, displaced(&from, body->sample[s].at, point.d)));
        out.turn = fmax(out.turn, pkm_vec3_norm(pkm_vec3_sub(point.r, from.r)));
    }
    return out;
}

pkm_flexible_place_reading pkm_flexible_gauge_place(const pkm_flexible_gauge* g, int k,
                                                    const double* z, const double* axial)
{
    const pkm_flexible_body* body = g->body;
    const int s = body->n_sample - body->n_place + k;
    const pkm_flexible_sample* sample = &body->sample[s];
    const ends at = read_ends(g, z);
    const datum from = find_datum(g, &at);
    pkm_beam_point point = pkm_flexible_body_point(body, s, z);
    const pkm_vec3 off = displaced(&from, sample->at, point.d);
    if (axial) point.force = axial[sample->place.element];
    return (pkm_flexible_place_reading){.deflection = across(g, off),
                                        .twist =
                                            pkm_vec3_dot(pkm_vec3_sub(point.r, at.r0), g->along),
                                        .stress = stress_of(body, s, &point),
                                        .bend = pkm_link_bend_make(off, g->along, &sample->axes)};
}
