// What is read off a bent link at an instant: deflection from the line between its joints or from
// the tangent at its drive, twist, stress, axial force, nearness to buckling. Called by the columns
// of simulations and of elastodynamics. Equations: docs/theory/flexible.md, section 7.
#include "flexible/gauge.h"

#include "flexible/span.h"
#include "math/angle.h"
#include "math/dot.h"
#include "math/quat.h"

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

/// The end of an element that is nearest to a place.
static int nearest_end(const pkm_flexible_body* body, pkm_vec3 to)
{
    int best = 1;
    for (int s = 2; s <= 2 * body->n_element; ++s)
        if (pkm_vec3_distance(body->sample[s].at, to) <
            pkm_vec3_distance(body->sample[best].at, to))
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
        .root = nearest_end(body, place_of(body, first)),
        .from_tangent = span.from_tangent,
        .hangs = clamped != NULL,
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

/// The rigid motion from which deflections count: d + r x (x - at). With what bending takes from
/// the length, of the second order, it is d + own x (x - at) and then a turn by R; `own` is taken
/// out of the shapes of a link that a drive carries (1.6).
typedef struct datum {
    pkm_vec3 at, d, r, own;
    pkm_mat3 R;
} datum;

/// The shortest turn from the unit vector `a` to the direction of `b`.
static pkm_vec3 turn_between(pkm_vec3 a, pkm_vec3 b)
{
    const pkm_vec3 axis = pkm_vec3_cross(a, b);
    const double sine = pkm_vec3_norm(axis), angle = atan2(sine, pkm_vec3_dot(a, b));
    return sine > 0.0 ? pkm_vec3_scale(angle / sine, axis) : axis;
}

/// d_0 and r_0 of (7.1): the rigid motion that deflections are counted from.
static datum find_datum(const pkm_flexible_gauge* g, const ends* at)
{
    datum out = {.at = place_of(g->body, g->first), .d = at->d0, .r = at->r0};
    if (g->hangs) out.own = at->r0;
    pkm_vec3 turn = pkm_vec3_sub(at->r0, out.own);
    if (!g->from_tangent) {
        const pkm_vec3 apart = pkm_vec3_sub(at->d1, at->d0);
        const pkm_vec3 line = pkm_vec3_scale(g->length, g->along);
        // the line turns by e x (d1 - d0) / length
        out.r = pkm_vec3_scale(1.0 / g->length, pkm_vec3_cross(g->along, apart));
        turn = turn_between(g->along,
                            pkm_vec3_add(line, pkm_vec3_sub(apart, pkm_vec3_cross(out.own, line))));
    }
    out.R = pkm_mat3_from_quat(pkm_quat_from_rotvec(turn));
    return out;
}

/// The element that ends where element e begins; PKM_NONE.
static int element_before(const pkm_flexible_body* body, int e)
{
    const pkm_vec3 start = body->sample[1 + 2 * e].at;
    for (int k = 1; k < body->n_element; ++k) {
        // the one before it in the list first, since elements stand in a row
        const int f = (e - k + body->n_element) % body->n_element;
        if (pkm_vec3_distance(body->sample[2 + 2 * f].at, start) <= SAME * body->length[e])
            return f;
    }
    return PKM_NONE;
}

/// How far what no mode has shifts a sample, from where its row of elements begins.
static pkm_vec3 settled(const pkm_flexible_body* body, int sample, const double* loose)
{
    const pkm_flexible_sample* s = &body->sample[sample];
    int e = s->place.element;
    pkm_vec3 sum = pkm_vec3_scale(s->place.xi * loose[e], s->axes.x);
    for (int k = 0; k < body->n_element && (e = element_before(body, e)) != PKM_NONE; ++k)
        sum = pkm_vec3_axpy(sum, loose[e], body->sample[1 + 2 * e].axes.x);
    return sum;
}

/// What a sample is displaced by beside that rigid motion, (7.1).
static pkm_vec3 displaced(const pkm_flexible_gauge* g, const datum* from, int sample, pkm_vec3 d,
                          pkm_modal_axial axial)
{
    const pkm_vec3 arm = pkm_vec3_sub(g->body->sample[sample].at, from->at);
    if (!axial.force) return pkm_vec3_sub(d, pkm_vec3_add(from->d, pkm_vec3_cross(from->r, arm)));
    const pkm_vec3 loose =
        pkm_vec3_sub(settled(g->body, sample, axial.loose), settled(g->body, g->root, axial.loose));
    const pkm_vec3 shift = pkm_vec3_sub(pkm_vec3_sub(d, from->d), pkm_vec3_cross(from->own, arm));
    const pkm_vec3 now = pkm_vec3_add(pkm_vec3_add(arm, loose), shift);
    return pkm_vec3_sub(pkm_mat3_tmul(from->R, now), arm);
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

/// Mean axial force of an element.
static double element_force(const pkm_flexible_body* body, int e, const double* z,
                            pkm_modal_axial axial)
{
    if (axial.force) return axial.force[e];
    const double* stretch = body->stretch + (size_t)e * (size_t)body->n_mode;
    return body->EA[e] > 0.0 ? body->EA[e] / body->length[e] * pkm_dot(stretch, z, body->n_mode)
                             : 0.0;
}

double pkm_flexible_force(const pkm_flexible_body* body, int sample, const double* z,
                          pkm_modal_axial axial)
{
    const pkm_flexible_place* place = &body->sample[sample].place;
    const pkm_flexible_rise* rise = &body->rise[place->element];
    const double mean = element_force(body, place->element, z, axial);
    if (rise->part == 0.0) return mean;
    return mean + rise->part * (place->xi - 0.5) *
                      (element_force(body, rise->behind, z, axial) -
                       element_force(body, rise->before, z, axial));
}

/// Axial force in the middle: where elements meet there, their mean.
static double middle_force(const pkm_flexible_body* body, const double* z, pkm_modal_axial axial)
{
    double sum = 0.0;
    int n = 0;
    // samples: the middle, ends of elements, places
    for (int s = body->n_sample - body->n_place - 1; s >= 0; --s) {
        // the sample in the middle alone, where no element ends there
        if (s == 0 && n > 0) break;
        if (pkm_vec3_distance(body->sample[s].at, body->sample[0].at) > SAME * body->length[0])
            continue;
        sum += pkm_flexible_force(body, s, z, axial);
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
                                       pkm_modal_axial axial, const ends* at)
{
    const pkm_flexible_body* body = g->body;
    const datum from = find_datum(g, at);
    const pkm_vec3 middle = pkm_flexible_body_point(body, 0, z).d;
    pkm_flexible_reading out = {.deflection = across(g, displaced(g, &from, 0, middle, axial)),
                                .twist = twist_of(g, at),
                                .axial = middle_force(body, z, axial)};
    for (int s = 0; s < body->n_sample; ++s) {
        // axial forces with what bending takes from the length (3.7)
        const pkm_beam_point point = {.force = pkm_flexible_force(body, s, z, axial),
                                      .moment = pkm_flexible_body_bending(body, s, z)};
        out.stress = fmax(out.stress, stress_of(body, s, &point));
        out.compression = fmax(out.compression, -point.force);
    }
    return out;
}

pkm_flexible_reading pkm_flexible_gauge_read_loads(const pkm_flexible_gauge* g, const double* z,
                                                   pkm_modal_axial axial)
{
    const ends at = read_ends(g, z);
    return read_loads(g, z, axial, &at);
}

pkm_flexible_tipping pkm_flexible_tipping_of(const pkm_flexible_body* body, double length,
                                             const double* z)
{
    pkm_flexible_tipping out = {0.0, 0.0};
    for (int s = 1; s <= 2 * body->n_element; ++s) {
        const int e = body->sample[s].place.element;
        const pkm_beam_section* section = &body->sample[s].section;
        if (!(body->EA[e] > 0.0 && body->GJ[e] > 0.0)) continue;
        const bool is_y = section->Iy > section->Iz; // bending about y is the stiff one
        const double E = body->EA[e] / section->A;
        const double stiff = E * (is_y ? section->Iy : section->Iz);
        const double weak = E * (is_y ? section->Iz : section->Iy);
        const pkm_vec3 moment = pkm_flexible_body_bending(body, s, z);
        const double M = fabs(is_y ? moment.y : moment.z), m = fabs(is_y ? moment.z : moment.y);
        // Prandtl's load, as far as the planes differ
        const double part =
            M * length / (PKM_PI * sqrt(weak * body->GJ[e])) * sqrt(1.0 - weak / stiff);
        // what bends sideways counts as its part of all curvature
        const double sideways = m > 0.0 ? m / weak / (m / weak + M / stiff) : 0.0;
        out.part = fmax(out.part, part);
        out.off = fmax(out.off, 0.6 * part * part * sideways);
    }
    return out;
}

pkm_flexible_reading pkm_flexible_gauge_read(const pkm_flexible_gauge* g, const double* z,
                                             pkm_modal_axial axial)
{
    const pkm_flexible_body* body = g->body;
    const ends at = read_ends(g, z);
    const datum from = find_datum(g, &at);
    const pkm_modal_axial linear = {NULL, NULL};
    pkm_flexible_reading out = read_loads(g, z, axial, &at);
    for (int s = 0; s < body->n_sample; ++s) {
        const pkm_beam_point point = pkm_flexible_body_point(body, s, z);
        // d - d_0 - r_0 x (at - at_0) of (7.1), across the line
        const pkm_vec3 off = displaced(g, &from, s, point.d, linear);
        out.largest = fmax(out.largest, across(g, off));
        out.turn = fmax(out.turn, pkm_vec3_norm(pkm_vec3_sub(point.r, from.r)));
    }
    out.tipping = pkm_flexible_tipping_of(body, g->length, z);
    return out;
}

pkm_flexible_place_reading pkm_flexible_gauge_place(const pkm_flexible_gauge* g, int k,
                                                    const double* z, pkm_modal_axial axial)
{
    const pkm_flexible_body* body = g->body;
    const int s = body->n_sample - body->n_place + k;
    const pkm_flexible_sample* sample = &body->sample[s];
    const ends at = read_ends(g, z);
    const datum from = find_datum(g, &at);
    pkm_beam_point point = pkm_flexible_body_point(body, s, z);
    const pkm_vec3 off = displaced(g, &from, s, point.d, axial);
    point.force = pkm_flexible_force(body, s, z, axial);
    return (pkm_flexible_place_reading){.deflection = across(g, off),
                                        .twist =
                                            pkm_vec3_dot(pkm_vec3_sub(point.r, at.r0), g->along),
                                        .stress = stress_of(body, s, &point),
                                        .bend = pkm_link_bend_make(off, g->along, &sample->axes)};
}
