// Links in pieces, read as a whole: a frame in the world instead of the link's own, so that
// rotations have any size. docs/theory/flexible.md, sections 7 and 8.
#include "simulate/flexible_pieces.h"

#include "dynamics/modal.h"
#include "flexible/span.h"
#include "math/angle.h"
#include "math/quat.h"

#include <math.h>

static const double SAME = 1e-9; // of the length: the same place

// ---- creation ----------------------------------------------------------------------------------

static pkm_vec3 place_of(const pkm_pieces_gauge* g, int frame)
{
    return g->link->pieces->frame[frame].pose.p;
}

/// The joint in which a drive carries the link; PKM_NONE: it floats.
static int carried_at(const pkm_pieces_gauge* g)
{
    for (int f = 0; f < g->link->pieces->n_joint; ++f) {
        const pkm_modal_body* modal =
            &g->made->modal[g->link->first + g->link->pieces->spot[f].piece];
        if (modal->clamped == PKM_NONE) continue;
        // the same numbers, copied: no tolerance
        if (pkm_vec3_distance(modal->at[modal->clamped], place_of(g, f)) == 0.0) return f;
    }
    return PKM_NONE;
}

static pkm_vec3 sample_place(const pkm_pieces_gauge* g, pkm_flexible_spot spot)
{
    return g->made->body[g->link->first + spot.piece]->sample[spot.index].at;
}

static pkm_flexible_spot farthest_sample(const pkm_pieces_gauge* g, pkm_vec3 from)
{
    pkm_flexible_spot best = {0, 0};
    for (int p = 0; p < g->link->n; ++p)
        for (int s = 0; s < g->made->body[g->link->first + p]->n_sample; ++s) {
            // both ends of every element are samples: the tip is one of them
            const pkm_flexible_spot spot = {p, s};
            if (pkm_vec3_distance(sample_place(g, spot), from) >
                pkm_vec3_distance(sample_place(g, best), from))
                best = spot;
        }
    return best;
}

pkm_pieces_gauge pkm_pieces_gauge_make(const pkm_run_variant* made, const pkm_run_link* link,
                                       const char* name)
{
    pkm_pieces_gauge g = {.made = made, .link = link, .name = name};
    const pkm_flexible_pieces* pieces = link->pieces;
    const int carried = carried_at(&g);
    g.first = carried != PKM_NONE ? carried
                                  : pkm_flexible_span_first(pieces->frame, pieces->n_joint, NULL);
    g.tip = farthest_sample(&g, place_of(&g, g.first));
    const pkm_flexible_span span = pkm_flexible_span_make(
        pieces->frame, pieces->n_joint, g.first, carried != PKM_NONE, sample_place(&g, g.tip));
    g.last = span.last;
    g.from_tangent = span.from_tangent;
    g.length = span.length;
    g.along = span.along;
    double EI = HUGE_VAL;
    for (int p = 0; p < link->n; ++p)
        // (7.4) with the softest piece
        EI = fmin(EI, pkm_flexible_least_bending_stiffness(made->body[link->first + p]));
    g.buckling = pkm_flexible_eulers_load(&span, EI);
    return g;
}

// ---- where things are --------------------------------------------------------------------------

/// A place of the link in the world: its point, and the link's axes as they are turned there.
typedef struct seen {
    pkm_vec3 p;
    pkm_mat3 R;
} seen;

static int body_of(const pkm_pieces_gauge* g, const pkm_state* state, int piece)
{
    return state->mech->body_of_desc[g->made->body[g->link->first + piece]->body];
}

static seen see(const pkm_body_state* body, pkm_vec3 at, pkm_vec3 d, pkm_vec3 r)
{
    // (2.1), (2.2): the frame of the piece, then its deflection
    const pkm_mat3 turn = pkm_mat3_from_quat(pkm_quat_from_rotvec(r));
    return (seen){pkm_vec3_add(body->p, pkm_mat3_mul(body->R, pkm_vec3_add(at, d))),
                  pkm_mat3_matmul(body->R, turn)};
}

static seen see_frame(const pkm_pieces_gauge* g, const pkm_state* state, int frame)
{
    const pkm_flexible_spot spot = g->link->pieces->spot[frame];
    const int b = body_of(g, state, spot.piece);
    pkm_vec3 d, r;
    pkm_run_variant_frame(g->made, g->link->first + spot.piece, spot.index,
                          state->q + state->mech->body[b].z_at, &d, &r);
    return see(&state->body[b], place_of(g, frame), d, r);
}

static seen see_sample(const pkm_pieces_gauge* g, const pkm_state* state, pkm_flexible_spot spot)
{
    const int b = body_of(g, state, spot.piece);
    const pkm_beam_point point = pkm_run_variant_point(
        g->made, g->link->first + spot.piece, spot.index, state->q + state->mech->body[b].z_at);
    return see(&state->body[b], sample_place(g, spot), point.d, point.r);
}

// ---- reading -----------------------------------------------------------------------------------

/// The rotation vector that takes the unit vector a to b the shortest way.
static pkm_vec3 shortest_turn(pkm_vec3 a, pkm_vec3 b)
{
    const pkm_vec3 n = pkm_vec3_cross(a, b);
    const double s = pkm_vec3_norm(n);
    if (s == 0.0) return n;
    return pkm_vec3_scale(atan2(s, pkm_vec3_dot(a, b)) / s, n);
}

/// The frame from which deflections count: at the first joint, along the tangent there or along the
/// line to the last joint.
static seen find_datum(const pkm_pieces_gauge* g, const pkm_state* state)
{
    seen out = see_frame(g, state, g->first);
    // a tangent: as the section at the drive is turned
    if (g->from_tangent) return out;
    const pkm_vec3 line = pkm_vec3_sub(see_frame(g, state, g->last).p, out.p);
    const pkm_vec3 turn = shortest_turn(pkm_mat3_mul(out.R, g->along),
                                        pkm_vec3_scale(1.0 / pkm_vec3_norm(line), line));
    out.R = pkm_mat3_matmul(pkm_mat3_from_quat(pkm_quat_from_rotvec(turn)), out.R);
    return out;
}

/// (7.1) with a frame turned by any angle: what the place `at`, now at p, is displaced by.
static pkm_vec3 displaced(const pkm_pieces_gauge* g, const seen* datum, pkm_vec3 at, pkm_vec3 p)
{
    // across the line of now, against where `at` is without deformation
    const pkm_vec3 now = pkm_mat3_tmul(datum->R, pkm_vec3_sub(p, datum->p));
    return pkm_vec3_sub(now, pkm_vec3_sub(at, place_of(g, g->first)));
}

static double across(const pkm_pieces_gauge* g, pkm_vec3 off)
{
    return pkm_vec3_norm(pkm_vec3_axpy(off, -pkm_vec3_dot(off, g->along), g->along));
}

/// The part of the turn from `a` to `b` that is one about the line, within half a turn.
static double twist(const pkm_pieces_gauge* g, const pkm_mat3* a, const pkm_mat3* b)
{
    const pkm_quat q = pkm_quat_mul(pkm_quat_conj(pkm_quat_from_mat3(*a)), pkm_quat_from_mat3(*b));
    const double about = q.x * g->along.x + q.y * g->along.y + q.z * g->along.z;
    // swing and twist: the part of the quaternion along the line
    const double angle = 2.0 * atan2(about, q.w);
    // q and -q are the same turn
    return angle > PKM_PI ? angle - 2.0 * PKM_PI : angle < -PKM_PI ? angle + 2.0 * PKM_PI : angle;
}

/// Forces at a sample, its axial force that of the stiffened element.
static pkm_beam_point forces_at(const pkm_pieces_gauge* g, const pkm_state* state,
                                pkm_flexible_spot spot)
{
    const int b = body_of(g, state, spot.piece);
    const pkm_flexible_body* body = g->made->body[g->link->first + spot.piece];
    pkm_beam_point point =
        pkm_flexible_body_point(body, spot.index, state->q + state->mech->body[b].z_at);
    // EA/l times the elongation of modes misses what bending takes
    point.force = pkm_flexible_force(body, spot.index, state->q + state->mech->body[b].z_at,
                                     pkm_modal_axial_forces(state, b));
    return point;
}

static double stress_at(const pkm_pieces_gauge* g, const pkm_state* state, pkm_flexible_spot spot)
{
    const pkm_beam_point point = forces_at(g, state, spot);
    const pkm_flexible_body* body = g->made->body[g->link->first + spot.piece];
    return fabs(pkm_flexible_stress(&body->sample[spot.index].section, &point));
}

/// What one piece does in its own frame, against the limits of small deflections.
static void watch_piece(const pkm_pieces_gauge* g, const pkm_state* state, int piece, double t,
                        double compression, pkm_deflection_limits* limits)
{
    const int k = g->link->first + piece;
    const pkm_flexible_body* body = g->made->body[k];
    const double* z = state->q + state->mech->body[body_of(g, state, piece)].z_at;
    double length = 0.0, most = 0.0, turn = 0.0;
    for (int e = 0; e < body->n_element; ++e)
        // length along the elements of the piece, which may have corners between pieces only
        length += body->length[e];
    for (int s = 0; s < body->n_sample; ++s) {
        const pkm_beam_point point = pkm_run_variant_point(g->made, k, s, z);
        const pkm_vec3 x = body->sample[s].axes.x;
        most = fmax(most, pkm_vec3_norm(pkm_vec3_axpy(point.d, -pkm_vec3_dot(point.d, x), x)));
        turn = fmax(turn, pkm_vec3_norm(point.r));
    }
    // (7.4) of a piece between two ends that are held
    const double euler =
        PKM_PI * PKM_PI * pkm_flexible_least_bending_stiffness(body) / (length * length);
    pkm_deflection_raise(limits, g->name, t, g->link->pieces->n, compression / euler, most / length,
                         turn);
    pkm_deflection_raise_tipping(limits, g->name, t, pkm_flexible_tipping_of(body, length, z));
}

/// Axial force in the middle: where elements meet there, their mean.
typedef struct mean {
    double sum;
    int n;
} mean;

void pkm_pieces_gauge_read(const pkm_pieces_gauge* g, const pkm_state* state, double t,
                           pkm_deflection_limits* limits, pkm_link_values* link,
                           pkm_link_values* place)
{
    const pkm_flexible_pieces* pieces = g->link->pieces;
    const seen datum = find_datum(g, state), first = see_frame(g, state, g->first);
    const seen far =
        // a single joint: the tip takes the place of the last one
        g->last == PKM_NONE ? see_sample(g, state, g->tip) : see_frame(g, state, g->last);
    const pkm_vec3 middle = sample_place(g, pieces->middle);
    mean axial = {0.0, 0};
    double most_compressed = 0.0;
    *link = (pkm_link_values){.twist = twist(g, &first.R, &far.R)};
    link->deflection =
        across(g, displaced(g, &datum, middle, see_sample(g, state, pieces->middle).p));
    for (int p = 0; p < g->link->n; ++p) {
        const pkm_flexible_body* body = g->made->body[g->link->first + p];
        double compression = 0.0;
        // sample 0 is the middle of the link; then come both ends of each element
        for (int s = 1; s <= 2 * body->n_element; ++s) {
            const pkm_flexible_spot spot = {p, s};
            const double force = forces_at(g, state, spot).force;
            compression = fmax(compression, -force);
            link->stress = fmax(link->stress, stress_at(g, state, spot));
            if (pkm_vec3_distance(body->sample[s].at, middle) > SAME * g->length) continue;
            axial.sum += force;
            // two elements meet at a place: their mean
            ++axial.n;
        }
        most_compressed = fmax(most_compressed, compression);
        if (limits) watch_piece(g, state, p, t, compression, limits);
    }
    // no element ends in the middle: the force of the one that it lies in
    link->axial = axial.n > 0 ? axial.sum / axial.n : forces_at(g, state, pieces->middle).force;
    // tension counts as nothing: columns tell how near buckling is
    link->buckling = most_compressed / g->buckling;
    for (int k = 0; k < pieces->n_place; ++k) {
        const pkm_flexible_spot spot = pieces->place[k];
        const seen at = see_sample(g, state, spot);
        const pkm_vec3 off = displaced(g, &datum, sample_place(g, spot), at.p);
        const pkm_mat3* axes = &g->made->body[g->link->first + spot.piece]->sample[spot.index].axes;
        place[k] = (pkm_link_values){.deflection = across(g, off),
                                     .twist = twist(g, &first.R, &at.R),
                                     .stress = stress_at(g, state, spot),
                                     .bend = pkm_link_bend_make(off, g->along, axes)};
    }
}
