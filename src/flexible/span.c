// The line of a link and Euler's load, docs/theory/flexible.md, section 7: for the gauges of links
// in simulations, whole and in pieces, and for the static state of linear analyses.
#include "flexible/span.h"

#include "math/angle.h"

#include <math.h>

static const double SAME = 1e-9; // of the length: the same place

// ---- ends -------------------------------------------------------------------------------------

static int farthest_joint(const pkm_flexible_frame* frame, int n_joint, pkm_vec3 from)
{
    int best = 0;
    for (int f = 1; f < n_joint; ++f)
        if (pkm_vec3_distance(frame[f].pose.p, from) > pkm_vec3_distance(frame[best].pose.p, from))
            best = f;
    return best;
}

static int nearest_joint(const pkm_flexible_frame* frame, int n_joint, pkm_vec3 to)
{
    int best = 0;
    for (int f = 1; f < n_joint; ++f)
        if (pkm_vec3_distance(frame[f].pose.p, to) < pkm_vec3_distance(frame[best].pose.p, to))
            best = f;
    return best;
}

/// Of two joints farthest apart: the one farthest from the first joint, and the one farthest from
/// it.
int pkm_flexible_span_first(const pkm_flexible_frame* frame, int n_joint, const pkm_vec3* carried)
{
    if (carried) return nearest_joint(frame, n_joint, *carried);
    const int far = farthest_joint(frame, n_joint, frame[0].pose.p);
    return farthest_joint(frame, n_joint, frame[far].pose.p);
}

// ---- Euler's length ---------------------------------------------------------------------------

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

/// l of (7.4).
static double eulers_length(const pkm_flexible_frame* frame, int n_joint, pkm_vec3 from,
                            pkm_vec3 end, bool is_carried)
{
    const pkm_vec3 line = pkm_vec3_sub(end, from);
    const double l = pkm_vec3_norm(line);
    const pkm_vec3 along = pkm_vec3_scale(1.0 / l, line);
    bool clamps[2];
    const double from_first = held_reach(frame, n_joint, from, along, l, &clamps[0]);
    const double from_last =
        held_reach(frame, n_joint, end, pkm_vec3_scale(-1.0, along), l, &clamps[1]);
    const bool has_first = from_last >= 1.0 - SAME, has_last = from_first >= 1.0 - SAME;
    if (has_first && has_last) return l;
    // the root: the end that is held, else where a drive carries the link
    const bool at_last = has_last;
    const double reach = at_last ? from_last : from_first;
    // a link on one hinge turns instead of bending
    const bool stands = (is_carried && !at_last) || clamps[at_last] || reach > SAME;
    return stands ? (2.0 - reach) * l : l;
}

// ---- all --------------------------------------------------------------------------------------

pkm_flexible_span pkm_flexible_span_make(const pkm_flexible_frame* frame, int n_joint, int first,
                                         bool is_carried, pkm_vec3 tip)
{
    const pkm_vec3 from = frame[first].pose.p;
    int last = farthest_joint(frame, n_joint, from);
    if (pkm_vec3_distance(frame[last].pose.p, from) <= SAME * pkm_vec3_distance(tip, from))
        last = PKM_NONE;
    const pkm_vec3 end = last == PKM_NONE ? tip : frame[last].pose.p;
    const pkm_vec3 line = pkm_vec3_sub(end, from);
    const double length = pkm_vec3_norm(line);
    return (pkm_flexible_span){.first = first,
                               .last = last,
                               .from_tangent = is_carried || last == PKM_NONE,
                               .along = pkm_vec3_scale(1.0 / length, line),
                               .length = length,
                               .held = last == PKM_NONE
                                           ? 2.0 * length
                                           : eulers_length(frame, n_joint, from, end, is_carried)};
}

double pkm_flexible_eulers_load(const pkm_flexible_span* span, double EI)
{
    return PKM_PI * PKM_PI * EI / (span->held * span->held);
}
