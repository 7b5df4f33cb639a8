// Splines through way points: the tool by a law of the true length of its path (27), drives by a
// law of the parameter, or both at given times. Equations: docs/theory/motion.md, section 7.
#include "motion/track.h"

#include "base/error.h"
#include "math/quadrature.h"
#include "motion/stretch.h"
#include "pkm/types.h"

#include <math.h>

/// Instants per part at which limits are looked for.
enum { LOOKS = 200, MAX_COLUMN = PKM_MAX_DRIVE > 6 ? PKM_MAX_DRIVE : 6 };

/// A path whose speed along its chords falls below this part of the usual one turns back on itself.
static const double TURNS_BACK = 1e-2;

// ---- the length of a path ----------------------------------------------------------------------

/// |dp/dw| of the first three columns, with its derivatives: s, s', s''.
static void speed_at(const pkm_spline* spline, double w, double s[3])
{
    double dd = 0.0, de = 0.0, ee = 0.0, df = 0.0; // of the first three derivatives d, e, f
    for (int c = 0; c < 3; ++c) {
        pkm_spline_point p;
        pkm_spline_at(spline, c, w, &p);
        dd += p.d[1] * p.d[1];
        de += p.d[1] * p.d[2];
        ee += p.d[2] * p.d[2];
        df += p.d[1] * p.d[3];
    }
    s[0] = sqrt(dd);
    s[1] = de / s[0];
    s[2] = (ee + df - s[1] * s[1]) / s[0];
}

/// The length of the path between two parameters of one interval, by Gauss' formula with sixteen
/// points.
static double length_between(const pkm_spline* spline, double from, double to)
{
    double sum = 0.0, s[3];
    for (int k = 0; k < PKM_N_GAUSS; ++k) {
        speed_at(spline, from + (to - from) * pkm_gauss_at[k], s);
        sum += pkm_gauss_weight[k] * s[0];
    }
    return (to - from) * sum;
}

/// The parameter at which the path has the length `x`, by Newton's method, which a straight
/// parameter starts.
static double parameter_at(const pkm_track* track, double x)
{
    enum { MOST = 30 };
    const pkm_spline* spline = &track->spline;
    int low = 0, high = spline->n_knot - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x < track->length_at[middle])
            high = middle;
        else
            low = middle;
    }
    const double from = spline->t[low], to = spline->t[low + 1];
    const double begin = track->length_at[low], way = track->length_at[low + 1] - begin;
    double w = from + (to - from) * fmax(0.0, fmin((x - begin) / way, 1.0));
    for (int i = 0; i < MOST; ++i) {
        double s[3];
        speed_at(spline, w, s);
        const double step = (begin + length_between(spline, from, w) - x) / s[0];
        w = fmax(from, fmin(w - step, to));
        if (fabs(step) <= 1e-9 * (to - from)) break; // the next one would be its square
    }
    return w;
}

// ---- evaluation --------------------------------------------------------------------------------

/// Derivatives in time from those in the parameter, `d`, and the parameter's own in time, `w`.
static void chain(const double d[5], const double w[4], double out[4])
{
    const double v = w[1];
    out[0] = d[0];
    out[1] = d[1] * v;
    out[2] = d[1] * w[2] + d[2] * v * v;
    out[3] = d[1] * w[3] + 3.0 * d[2] * v * w[2] + d[3] * v * v * v;
}

/// The parameter and its derivatives in time, (27).
static void parameter_in_time(const pkm_track* track, double t, double w[4])
{
    const pkm_law_point u = pkm_law_at(&track->law, t);
    const double x[4] = {track->length * u.u, track->length * u.v, track->length * u.a,
                         track->length * u.j};
    // of drives the law runs the parameter itself
    if (!track->is_tool) {
        for (int k = 0; k < 4; ++k)
            w[k] = x[k];
        return;
    }
    double s[3];
    w[0] = parameter_at(track, x[0]);
    speed_at(&track->spline, w[0], s);
    const double q = 1.0 / s[0], d[5] = {w[0], q, -s[1] * q * q * q,
                                         (3.0 * s[1] * s[1] * q - s[2]) * q * q * q * q};
    chain(d, x, w);
}

void pkm_track_at(const pkm_track* track, double t, double (*out)[4])
{
    const pkm_spline* spline = &track->spline;
    double w[4] = {t, 1.0, 0.0, 0.0}; // times that were given are the parameter
    if (!track->is_timed) parameter_in_time(track, t, w);
    const double end = spline->t[spline->n_knot - 1];
    // beyond its knots the polynomial would go on
    const bool rests = track->is_timed && (t < 0.0 || t > end);
    for (int c = 0; c < spline->n_column; ++c) {
        pkm_spline_point p;
        pkm_spline_at(spline, c, w[0], &p);
        chain(p.d, w, out[c]);
        if (rests) out[c][1] = out[c][2] = out[c][3] = 0.0;
    }
}

double pkm_track_duration(const pkm_track* track)
{
    return track->is_timed ? track->spline.t[track->spline.n_knot - 1] : track->law.T;
}

// ---- creation ----------------------------------------------------------------------------------

static double value_of(const pkm_track* track, int column, int knot)
{
    const size_t n = (size_t)track->spline.n_knot;
    return track->spline.data[(size_t)column * 3 * n + (size_t)knot];
}

/// Distance between two way points in a row: of the tool, or the longest way of a drive.
static double chord(const pkm_track* track, int knot)
{
    double square = 0.0, most = 0.0;
    for (int c = 0; c < (track->is_tool ? 3 : track->spline.n_column); ++c) {
        const double way = value_of(track, c, knot) - value_of(track, c, knot - 1);
        square += way * way;
        most = fmax(most, fabs(way));
    }
    return track->is_tool ? sqrt(square) : most;
}

/// Knots at the lengths of the chords.
static pkm_status place_knots(pkm_track* track, const char* name, pkm_error* err)
{
    double* t = (double*)track->spline.t;
    t[0] = 0.0;
    for (int k = 1; k < track->spline.n_knot; ++k) {
        const double way = chord(track, k);
        if (!(way > 0.0))
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: spline: points %d and %d are the same; to wait there give times",
                            name, k, k + 1);
        t[k] = t[k - 1] + way;
    }
    track->length = t[track->spline.n_knot - 1];
    return PKM_OK;
}

/// The length of the path up to each knot, and no place where it turns back on itself.
static pkm_status measure(pkm_track* track, const char* name, pkm_error* err)
{
    const pkm_spline* spline = &track->spline;
    track->length_at[0] = 0.0;
    for (int k = 1; k < spline->n_knot; ++k) {
        const double from = spline->t[k - 1], to = spline->t[k];
        track->length_at[k] = track->length_at[k - 1] + length_between(spline, from, to);
        for (int i = 0; i <= LOOKS; ++i) {
            double s[3];
            speed_at(spline, from + (to - from) * i / LOOKS, s);
            if (s[0] > TURNS_BACK) continue;
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: spline: the path turns back on itself between points %d and %d; "
                            "give times, more points, or a polyline",
                            name, k, k + 1);
        }
    }
    track->length = track->length_at[spline->n_knot - 1];
    return PKM_OK;
}

/// Limits hold for the vector of the tool's place and for each drive by itself.
static double size_at(const void* way, double t, int order)
{
    const pkm_track* track = way;
    double all[MAX_COLUMN][4], square = 0.0, most = 0.0;
    pkm_track_at(track, t, all);
    for (int c = 0; c < (track->is_tool ? 3 : track->spline.n_column); ++c) {
        square += all[c][order] * all[c][order];
        most = fmax(most, fabs(all[c][order]));
    }
    return track->is_tool ? sqrt(square) : most;
}

pkm_status pkm_track_make(pkm_track* track, const pkm_law_request* request, const char* name,
                          pkm_error* err)
{
    if (!track->is_timed) {
        PKM_TRY(place_knots(track, name, err));
        pkm_spline_estimate_ends(&track->spline);
    }
    const pkm_status status = pkm_spline_fit(&track->spline);
    if (status == PKM_ERR_MEMORY) return status;
    if (status != PKM_OK)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: spline: points too close for a smooth curve",
                        name);
    if (track->is_timed) return PKM_OK;
    if (track->is_tool) PKM_TRY(measure(track, name, err));
    const pkm_curved_way way = {.way = track,
                                .size = size_at,
                                .length = track->length,
                                .n_look = LOOKS * track->spline.n_knot,
                                .first = track->is_tool ? 2 : 1,
                                .law = &track->law};
    return pkm_law_plan_curved(request, &way, name, err);
}
