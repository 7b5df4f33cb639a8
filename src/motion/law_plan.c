// Durations from limits of speed, acceleration and jerk, and the inner times of trapezoids and
// S-curves of a given duration. Equations: docs/theory/motion.md, section 1, (5) to (7).
#include "motion/law.h"

#include "base/error.h"

#include <math.h>

/// Limits are kept with this relative room, so that a duration computed by hand from them passes.
static const double LIMIT_SLACK = 1e-9;

/// A trapezoid known by duration and speed alone needs at least this part of the time for its
/// ramps.
static const double LEAST_RAMP = 1e-3;

/// Shorter durations [s] are slips of the unit, and their jerk would overflow.
static const double MIN_DURATION = 1e-9;

/// Longer ones [s], 30 000 years, are slips of a limit, and the powers of their times would
/// overflow.
static const double MAX_DURATION = 1e12;

/// A shorter way [m or rad] is rounding; without a duration it takes no time.
static const double NO_WAY = 1e-12;

/// Largest u' T, |u''| T^2 and |u'''| T^3 of the laws without ramps, (5).
typedef struct law_peaks {
    double speed, acceleration, jerk;
} law_peaks;

/// Largest u', u'', u''' for T = 1, (5); infinite where the law jumps.
static law_peaks peaks_of(pkm_law law)
{
    switch (law) {
    case PKM_LAW_CUBIC:
        return (law_peaks){1.5, 6.0, HUGE_VAL};
    case PKM_LAW_QUINTIC:
        return (law_peaks){1.875, 10.0 / sqrt(3.0), 60.0};
    case PKM_LAW_SEPTIC:
        return (law_peaks){2.1875, 84.0 / (5.0 * sqrt(5.0)), 52.5};
    default:
        return (law_peaks){1.0, 0.0, HUGE_VAL};
    }
}

static double limit(double given)
{
    return isnan(given) ? HUGE_VAL : given;
}

/// The shortest S-curve on `length` within speed v, acceleration a and jerk j, (6a); the first two
/// may be infinite.
static pkm_law_profile shortest_s_curve(double length, double v, double a, double j)
{
    // the speed V that the ramps reach when there is no cruise: with full acceleration
    // V^2/a + V a/j = L, without it L = 2 j rise^3
    double rise = cbrt(0.5 * length / j), V = j * rise * rise;
    if (j * rise > a) {
        const double jerky = a / j;
        V = 0.5 * a * (sqrt(jerky * jerky + 4.0 * length / a) - jerky);
    }
    V = fmin(V, v);
    // T = L/V + ramp; a ramp without constant acceleration is two rises
    rise = fmin(sqrt(V / j), a / j);
    const double ramp = fmax(rise + V / a, 2.0 * rise);
    return (pkm_law_profile){PKM_LAW_S_CURVE, length / V + ramp, ramp, rise};
}

/// The shortest duration [s] that keeps the limits, (6); 0 when there is no limit. A trapezoid with
/// a speed limit alone gets the least time for its ramps.
static double shortest(const pkm_law_request* request, double length)
{
    const bool has_v = !isnan(request->max_speed), has_a = !isnan(request->max_acceleration);
    const double v = request->max_speed, a = request->max_acceleration;
    if (request->law == PKM_LAW_TRAPEZOIDAL) {
        // the speed limit is not reached
        if (has_a && (!has_v || v * v >= a * length)) return 2.0 * sqrt(length / a); // triangle
        if (!has_v) return 0.0;
        return length / v + (has_a ? v / a : LEAST_RAMP * length / v);
    }
    if (request->law == PKM_LAW_S_CURVE) {
        if (isnan(request->max_jerk) || length <= NO_WAY) return 0.0;
        return shortest_s_curve(length, limit(v), limit(a), request->max_jerk).T;
    }
    const law_peaks c = peaks_of(request->law);
    const double by_speed = has_v ? c.speed * length / v : 0.0;
    const double by_acceleration = has_a ? sqrt(c.acceleration * length / a) : 0.0;
    const double by_jerk =
        isnan(request->max_jerk) ? 0.0 : cbrt(c.jerk * length / request->max_jerk);
    return fmax(fmax(by_speed, by_acceleration), by_jerk);
}

/// Ramp and rise of an S-curve of duration T: the shortest one stretched evenly, which keeps its
/// limits; without limits a third of the time for each ramp, half of it with jerk J.
static void shape_s_curve(const pkm_law_request* request, double length, pkm_law_profile* out)
{
    out->ramp = out->T / 3.0;
    out->rise = out->T / 6.0;
    if (isnan(request->max_jerk) || length <= NO_WAY) return;
    const pkm_law_profile least = shortest_s_curve(
        length, limit(request->max_speed), limit(request->max_acceleration), request->max_jerk);
    out->ramp = least.ramp * (out->T / least.T);
    out->rise = least.rise * (out->T / least.T);
}

/// Ramp time [s] of a trapezoid of duration T, (7): the ramp of max_acceleration, else the one that
/// ends at max_speed, else a third of T; half of T makes a triangle.
static double ramp_time(const pkm_law_request* request, double length, double T)
{
    const double v = request->max_speed, a = request->max_acceleration;
    double ramp = T / 3.0;
    if (length <= 0.0) return ramp;
    if (isnan(request->duration)) {
        ramp = v * v < a * length ? v / a : 0.5 * T; // NaN: no speed limit, a triangle
    } else if (!isnan(a)) {
        // a ramp (T - ramp) = L; the smaller root, written without cancellation
        const double root = T * T - 4.0 * length / a;
        ramp = 2.0 * length / a / (T + sqrt(root > 0.0 ? root : 0.0));
    } else if (!isnan(v)) {
        ramp = T - length / v;
    }
    return ramp < 0.5 * T ? ramp : 0.5 * T;
}

static pkm_status check_positive(double value, const char* key, const char* name, pkm_error* err)
{
    if (isnan(value) || (isfinite(value) && value > 0.0)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s %g, expected a number > 0", name, key, value);
}

static pkm_status check_request(const pkm_law_request* request, const char* name, pkm_error* err)
{
    PKM_TRY(check_positive(request->duration, "duration", name, err));
    PKM_TRY(check_positive(request->max_speed, "max_speed", name, err));
    PKM_TRY(check_positive(request->max_acceleration, "max_acceleration", name, err));
    PKM_TRY(check_positive(request->max_jerk, "max_jerk", name, err));
    if (request->law == PKM_LAW_CONSTANT && !isnan(request->max_acceleration)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: max_acceleration %g with the constant law, which jumps to its speed; "
                        "use trapezoidal",
                        name, request->max_acceleration);
    }
    const bool jumps = request->law == PKM_LAW_CUBIC || request->law == PKM_LAW_TRAPEZOIDAL ||
                       request->law == PKM_LAW_CONSTANT;
    if (jumps && !isnan(request->max_jerk))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: max_jerk %g with a law whose acceleration jumps; use s_curve, quintic "
                        "or septic",
                        name, request->max_jerk);
    const bool bounded = !isnan(request->max_speed) || !isnan(request->max_acceleration);
    if (request->law == PKM_LAW_S_CURVE && isnan(request->max_jerk) &&
        (isnan(request->duration) || bounded))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: an S-curve needs max_jerk, or a duration and no limits", name);
    return PKM_OK;
}

/// The names of the limits that were given, for a sentence.
static const char* limit_names(const pkm_law_request* request)
{
    static const char* const names[] = {"limits",
                                        "max_speed",
                                        "max_acceleration",
                                        "max_speed and max_acceleration",
                                        "max_jerk",
                                        "max_speed and max_jerk",
                                        "max_acceleration and max_jerk",
                                        "max_speed, max_acceleration and max_jerk"};
    return names[!isnan(request->max_speed) + 2 * !isnan(request->max_acceleration) +
                 4 * !isnan(request->max_jerk)];
}

/// The duration [s] the request leads to, checked against its limits.
static pkm_status choose_duration(const pkm_law_request* request, double length, const char* name,
                                  double* T, pkm_error* err)
{
    const bool has_v = !isnan(request->max_speed), has_a = !isnan(request->max_acceleration);
    const double least = shortest(request, length);
    *T = request->duration;
    if (isnan(*T)) {
        if (!has_v && !has_a && isnan(request->max_jerk)) {
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: duration is missing (or max_speed, max_acceleration)", name);
        }
        if (request->law == PKM_LAW_TRAPEZOIDAL && !has_a) {
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: a trapezoidal law with max_speed needs max_acceleration or "
                            "duration too",
                            name);
        }
        *T = least;
        if (length <= NO_WAY) {
            *T = 0.0;
            return PKM_OK;
        }
    } else if (*T < least * (1.0 - LIMIT_SLACK)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: duration %.9g s is too short for its %s, expected at least %.9g s",
                        name, *T, limit_names(request), least);
    }
    if (*T > MAX_DURATION)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: duration %g s, expected at most %g s", name, *T,
                        MAX_DURATION);
    if (*T >= MIN_DURATION) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: duration %g s, expected at least %g s", name, *T,
                    MIN_DURATION);
}

pkm_status pkm_law_plan(const pkm_law_request* request, double length, const char* name,
                        pkm_law_profile* out, pkm_error* err)
{
    *out = (pkm_law_profile){.law = request->law};
    PKM_TRY(check_request(request, name, err));
    PKM_TRY(choose_duration(request, length, name, &out->T, err));
    if (request->law == PKM_LAW_TRAPEZOIDAL) out->ramp = ramp_time(request, length, out->T);
    if (request->law == PKM_LAW_S_CURVE) shape_s_curve(request, length, out);
    return PKM_OK;
}
