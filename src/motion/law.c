#include "motion/law.h"

#include "base/error.h"

#include <math.h>

/// A time may miss an end of the motion by this part of the duration and still be on it.
static const double END_SLACK = 1e-12;

/// Limits are kept with this relative room, so that a duration computed by hand from them passes.
static const double LIMIT_SLACK = 1e-9;

/// A trapezoid known by duration and speed alone needs at least this part of the time for its
/// ramps.
static const double LEAST_RAMP = 1e-3;

/// Shorter durations [s] are slips of the unit, and their jerk would overflow.
static const double MIN_DURATION = 1e-9;

/// A shorter way [m or rad] is rounding; without a duration it takes no time.
static const double NO_WAY = 1e-12;

/// The first half of the polynomial laws on s = t/T, docs/theory/motion.md, (1)-(3).
static pkm_law_point polynomial_half(pkm_law law, double s)
{
    const double r = 1.0 - s, c = 1.0 - 2.0 * s;
    switch (law) {
    case PKM_LAW_CUBIC:
        return (pkm_law_point){s * s * (3.0 - 2.0 * s), 6.0 * s * r, 6.0 * c, -12.0};
    case PKM_LAW_QUINTIC:
        return (pkm_law_point){s * s * s * (10.0 + s * (-15.0 + s * 6.0)), 30.0 * s * s * r * r,
                               60.0 * s * r * c, 60.0 * (1.0 - 6.0 * s * r)};
    case PKM_LAW_SEPTIC:
        return (pkm_law_point){s * s * s * s * (35.0 + s * (-84.0 + s * (70.0 - s * 20.0))),
                               140.0 * s * s * s * r * r * r, 420.0 * s * s * r * r * c,
                               840.0 * s * r * (1.0 - 5.0 * s * r)};
    default:
        return (pkm_law_point){s, 1.0, 0.0, 0.0};
    }
}

/// The first half of the trapezoid at time `t` [s], (4): ramp of acceleration A, cruise at A ramp.
static pkm_law_point trapezoid_half(const pkm_law_profile* profile, double t)
{
    const double ramp = profile->ramp;
    const double V = 1.0 / (profile->T - ramp), A = V / ramp;
    if (t < ramp) return (pkm_law_point){0.5 * A * t * t, A * t, A, 0.0};
    return (pkm_law_point){V * (t - 0.5 * ramp), V, 0.0, 0.0};
}

static pkm_law_point first_half(const pkm_law_profile* profile, double t)
{
    if (profile->law == PKM_LAW_TRAPEZOIDAL) return trapezoid_half(profile, t);
    const double f = 1.0 / profile->T;
    const pkm_law_point p = polynomial_half(profile->law, t * f);
    return (pkm_law_point){p.u, f * p.v, f * f * p.a, f * f * f * p.j};
}

pkm_law_point pkm_law_at(const pkm_law_profile* profile, double t)
{
    const double T = profile->T, slack = END_SLACK * T;
    if (t < -slack || (T <= 0.0 && t < 0.0)) return (pkm_law_point){0.0, 0.0, 0.0, 0.0};
    if (t > T + slack || T <= 0.0) return (pkm_law_point){1.0, 0.0, 0.0, 0.0};

    // Every law is odd about its middle, u(T - t) = 1 - u(t): the second half mirrors the first,
    // and the end conditions hold exactly at both ends.
    if (t <= 0.5 * T) return first_half(profile, t > 0.0 ? t : 0.0);
    const pkm_law_point p = first_half(profile, t < T ? T - t : 0.0);
    return (pkm_law_point){1.0 - p.u, p.v, -p.a, p.j};
}

/// Largest u' T and |u''| T^2 of the laws without ramps, (5).
static void law_peaks(pkm_law law, double* speed, double* acceleration)
{
    switch (law) {
    case PKM_LAW_CUBIC:
        *speed = 1.5;
        *acceleration = 6.0;
        return;
    case PKM_LAW_QUINTIC:
        *speed = 1.875;
        *acceleration = 10.0 / sqrt(3.0);
        return;
    case PKM_LAW_SEPTIC:
        *speed = 2.1875;
        *acceleration = 84.0 / (5.0 * sqrt(5.0));
        return;
    default:
        *speed = 1.0;
        *acceleration = 0.0;
        return;
    }
}

/// The shortest duration [s] that keeps the limits, (6); 0 when there is no limit. A trapezoid with
/// a speed limit alone gets the least time for its ramps.
static double shortest(const pkm_law_request* request, double length)
{
    const bool has_v = !isnan(request->max_speed), has_a = !isnan(request->max_acceleration);
    const double v = request->max_speed, a = request->max_acceleration;
    if (request->law == PKM_LAW_TRAPEZOIDAL) {
        if (has_a && (!has_v || v * v >= a * length)) return 2.0 * sqrt(length / a); // triangle
        if (!has_v) return 0.0;
        return length / v + (has_a ? v / a : LEAST_RAMP * length / v);
    }
    double cv, ca;
    law_peaks(request->law, &cv, &ca);
    const double by_speed = has_v ? cv * length / v : 0.0;
    const double by_acceleration = has_a ? sqrt(ca * length / a) : 0.0;
    return by_speed > by_acceleration ? by_speed : by_acceleration;
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
    if (request->law == PKM_LAW_CONSTANT && !isnan(request->max_acceleration)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: max_acceleration %g with the constant law, which jumps to its speed; "
                        "use trapezoidal",
                        name, request->max_acceleration);
    }
    return PKM_OK;
}

/// The duration [s] the request leads to, checked against its limits.
static pkm_status choose_duration(const pkm_law_request* request, double length, const char* name,
                                  double* T, pkm_error* err)
{
    const bool has_v = !isnan(request->max_speed), has_a = !isnan(request->max_acceleration);
    const double least = shortest(request, length);
    *T = request->duration;
    if (isnan(*T)) {
        if (!has_v && !has_a) {
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
        const char* both = has_v && has_a ? " and max_acceleration" : "";
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: duration %.9g s is too short for its %s%s, expected at least %.9g s",
                        name, *T, has_v ? "max_speed" : "max_acceleration", both, least);
    }
    if (isfinite(*T) && *T >= MIN_DURATION) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: duration %g s, expected at least %g s", name, *T,
                    MIN_DURATION);
}

pkm_status pkm_law_plan(const pkm_law_request* request, double length, const char* name,
                        pkm_law_profile* out, pkm_error* err)
{
    *out = (pkm_law_profile){request->law, 0.0, 0.0};
    PKM_TRY(check_request(request, name, err));
    PKM_TRY(choose_duration(request, length, name, &out->T, err));
    if (request->law == PKM_LAW_TRAPEZOIDAL) out->ramp = ramp_time(request, length, out->T);
    return PKM_OK;
}
