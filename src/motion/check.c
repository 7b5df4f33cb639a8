// What is wrong with a motion as written, told by its name, key and value. Called by
// pkm_motion_create before anything is allocated; what needs the planned law (limits that a
// duration cannot keep) is told by law_plan.c and stretch.c.
#include "motion/check.h"

#include "base/error.h"
#include "math/vec3.h"

#include <string.h>

/// Positions and angles beyond this are slips of the unit, and would overflow in the jerk.
static const double MAX_VALUE = 1e12;

/// Samples closer in time [s] than this cannot be told apart in the fourth derivative.
static const double MIN_SPACING = 1e-9;

/// Rows of samples: a table of 16 columns stays below 2^31 values.
enum { MAX_SAMPLE = 40 * 1000 * 1000 };

/// Motions of a sequence, and how often it is made.
enum { MAX_PART = 100 * 1000 };

const char* pkm_motion_spec_name(const pkm_motion_spec* spec)
{
    return spec->name && spec->name[0] ? spec->name : "motion";
}

int pkm_motion_spec_n_rpy(const pkm_motion_spec* spec)
{
    if (!spec->rpy) return 0;
    // a count of 0: one for each way point
    return spec->n_rpy > 0 ? spec->n_rpy : spec->n_point;
}

static bool is_sane(double x)
{
    return fabs(x) <= MAX_VALUE; // false for NaN
}

static pkm_status check_value(double x, const char* key, const pkm_motion_spec* spec,
                              pkm_error* err)
{
    if (is_sane(x)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s %g, expected a number of magnitude <= %g",
                    pkm_motion_spec_name(spec), key, x, MAX_VALUE);
}

static pkm_status check_vec3(pkm_vec3 v, const char* key, const pkm_motion_spec* spec,
                             pkm_error* err)
{
    if (is_sane(v.x) && is_sane(v.y) && is_sane(v.z)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "%s: %s (%g, %g, %g), expected three numbers of magnitude <= %g",
                    pkm_motion_spec_name(spec), key, v.x, v.y, v.z, MAX_VALUE);
}

static pkm_status check_hold(double hold, const char* key, const pkm_motion_spec* spec,
                             pkm_error* err)
{
    if (is_sane(hold) && hold >= 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s %g s, expected >= 0", pkm_motion_spec_name(spec),
                    key, hold);
}

static pkm_status check_drives(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (spec->n_drive < 1 || spec->n_drive > PKM_MAX_DRIVE) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: drives: the robot has %d drives, expected 1 to %d", name,
                        spec->n_drive, PKM_MAX_DRIVE);
    }
    if (!spec->drive_to) return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: drives: no values", name);
    for (int i = 0; i < spec->n_drive; ++i) {
        // NaN: home, which only the robot knows
        const double from = spec->drive_from ? spec->drive_from[i] : NAN, to = spec->drive_to[i];
        if ((isnan(from) || is_sane(from)) && (isnan(to) || is_sane(to))) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: drives: drive %d goes from %g to %g, expected magnitudes <= %g", name,
                        i + 1, from, to, MAX_VALUE);
    }
    return PKM_OK;
}

/// Way points: `least` to `most` of them, all finite.
static pkm_status check_points(const pkm_motion_spec* spec, int least, int most, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (!spec->point || spec->n_point < least || spec->n_point > most) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: path: %d points, expected %s%d", name,
                        spec->point ? spec->n_point : 0, least < most ? "at least " : "", least);
    }
    for (int i = 0; i < spec->n_point; ++i) {
        PKM_TRY(check_vec3(spec->point[i], "path: point", spec, err));
    }
    return PKM_OK;
}

static pkm_status check_polyline(const pkm_motion_spec* spec, pkm_error* err)
{
    PKM_TRY(check_points(spec, 2, MAX_SAMPLE, err));
    for (int i = 1; i < spec->n_point; ++i) {
        // (8) needs a direction
        const pkm_vec3 leg = pkm_vec3_sub(spec->point[i], spec->point[i - 1]);
        if (pkm_vec3_norm(leg) > 0.0) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: polyline: points %d and %d are the same (%g, %g, %g)",
                        pkm_motion_spec_name(spec), i, i + 1, spec->point[i].x, spec->point[i].y,
                        spec->point[i].z);
    }
    return PKM_OK;
}

/// A NaN is what was not written: normal, start and angle have defaults.
static pkm_status check_circle(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    pkm_vec3 normal = {0.0, 0.0, 1.0}, start;
    PKM_TRY(check_vec3(spec->center, "circle: center", spec, err));
    if (!is_sane(spec->radius) || spec->radius <= 0.0) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: circle: radius %g m, expected > 0", name,
                        spec->radius);
    }
    // several turns are fine, no turn at all is no motion
    if (!isnan(spec->angle) && (!is_sane(spec->angle) || spec->angle == 0.0)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: circle: angle %g rad, expected not 0", name,
                        spec->angle);
    }
    if (!isnan(spec->normal.x)) {
        PKM_TRY(check_vec3(spec->normal, "circle: normal", spec, err));
        if (!pkm_vec3_direction(spec->normal, &normal)) {
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: circle: normal is the null vector", name);
        }
    }
    if (isnan(spec->start.x)) return PKM_OK;
    PKM_TRY(check_vec3(spec->start, "circle: start", spec, err));
    // of `start` the part in the circle's plane counts: along the normal there is none
    if (pkm_vec3_direction(spec->start, &start) &&
        pkm_vec3_norm(pkm_vec3_cross(normal, start)) > 1e-9)
        return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: circle: start (%g, %g, %g) is along the normal",
                    name, spec->start.x, spec->start.y, spec->start.z);
}

/// Samples, marks, formulas and sequences have their own times: a duration may only repeat them.
static pkm_status check_fixed_time(const pkm_motion_spec* spec, double span, const char* what,
                                   pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (!isnan(spec->max_speed) || !isnan(spec->max_acceleration) || !isnan(spec->max_jerk)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: max_speed, max_acceleration and max_jerk have no use here: the %s fix "
                        "the times",
                        name, what);
    }
    // a duration that only repeats them may be rounded
    if (isnan(spec->duration) || fabs(spec->duration - span) <= 1e-9 * span) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: duration %.9g s, but the %s take %.9g s", name,
                    spec->duration, what, span);
}

static pkm_status check_inverted_u(const pkm_motion_spec* spec, pkm_error* err)
{
    const double* mark = spec->u_mark;
    PKM_TRY(check_points(spec, 1, 1, err));
    PKM_TRY(check_vec3(spec->u_step, "inverted_u: step", spec, err));
    PKM_TRY(check_vec3(spec->u_lift, "inverted_u: lift", spec, err));
    for (int i = 0; i < 5; ++i) {
        PKM_TRY(check_value(mark[i], "inverted_u: mark", spec, err));
        // t0 < t1 < t2 < t3 < t4 of (11)
        if (i == 0 || mark[i] - mark[i - 1] >= MIN_SPACING) continue;
        return pkm_fail(
            err, PKM_ERR_ARGUMENT,
            "%s: inverted_u: mark %d at %g s after mark %d at %g s, expected increasing "
            "marks",
            pkm_motion_spec_name(spec), i + 1, mark[i], i, mark[i - 1]);
    }
    return check_fixed_time(spec, mark[4] - mark[0], "marks", err);
}

static pkm_status check_sample_rows(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    const int n = spec->n_sample;
    for (int i = 0; i < n; ++i) {
        PKM_TRY(check_value(spec->sample_t[i], "samples: time", spec, err));
        if (i > 0 && !(spec->sample_t[i] - spec->sample_t[i - 1] >= MIN_SPACING)) {
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: samples: time %.9g s in row %d after %.9g s, expected increasing "
                            "times",
                            name, spec->sample_t[i], i + 1, spec->sample_t[i - 1]);
        }
        for (int c = 0; c < spec->n_sample_column; ++c) {
            const double x = spec->sample[(size_t)c * (size_t)n + (size_t)i];
            if (is_sane(x)) continue;
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: samples: value %g in row %d, column %d, expected a number of "
                            "magnitude <= %g",
                            name, x, i + 1, c + 2, MAX_VALUE); // column 1 of the file is the time
        }
    }
    return PKM_OK;
}

static pkm_status check_samples(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    const int n = spec->n_sample, n_column = spec->n_sample_column;
    if (n < 2 || n > MAX_SAMPLE || !spec->sample_t || !spec->sample) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: samples: %d rows, expected 2 to %d", name, n,
                        MAX_SAMPLE);
    }
    if (spec->sample_is_drives &&
        (n_column < 1 || n_column > PKM_MAX_DRIVE || n_column != spec->n_drive)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: samples: %d columns after the time, expected %d (one per drive)", name,
                        n_column, spec->n_drive);
    }
    if (!spec->sample_is_drives && n_column != 3 && n_column != 6) {
        return pkm_fail(
            err, PKM_ERR_ARGUMENT,
            "%s: samples: %d columns after the time, expected x y z or x y z roll pitch "
            "yaw",
            name, n_column);
    }
    PKM_TRY(check_sample_rows(spec, err));
    return check_fixed_time(spec, spec->sample_t[n - 1] - spec->sample_t[0], "samples", err);
}

static pkm_status check_blend(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (isnan(spec->blend)) return PKM_OK;
    if (spec->path != PKM_PATH_POLYLINE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: blend belongs to a polyline", name);
    if (is_sane(spec->blend) && spec->blend > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: polyline: blend %g m, expected > 0", name,
                    spec->blend);
}

static pkm_status check_marks(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (spec->n_mark < 0 || (spec->n_mark > 0 && !spec->mark) || spec->n_mark > MAX_PART)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sequence: %d marks, expected 0 to %d", name,
                        spec->n_mark, MAX_PART);
    for (int k = 0; k < spec->n_mark; ++k) {
        const pkm_motion_mark* m = &spec->mark[k];
        const bool inside = m->after >= 0 && m->after < spec->n_part;
        // payloads change hands at rest only: within the dwell behind the part
        const double rest = inside && spec->dwell ? spec->dwell[m->after] : 0.0;
        if (m->payload && m->payload[0] && strlen(m->payload) < PKM_MAX_NAME && inside &&
            m->wait >= 0.0 && m->wait <= rest)
            continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: sequence: mark %d, expected a name, a part and a time of its rest",
                        name, k + 1);
    }
    return PKM_OK;
}

static pkm_status check_sequence(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (!spec->part || spec->n_part < 1 || spec->n_part > MAX_PART)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sequence: %d motions, expected 1 to %d", name,
                        spec->part ? spec->n_part : 0, MAX_PART);
    if (spec->repeat < 0 || spec->repeat > MAX_PART) // 0: once
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sequence: repeat %d, expected 1 to %d", name,
                        spec->repeat, MAX_PART);
    double span = 0.0;
    for (int k = 0; k < spec->n_part; ++k) {
        const pkm_motion *first = spec->part[0], *now = spec->part[k];
        if (!now) return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sequence: a motion is NULL", name);
        if (spec->dwell) PKM_TRY(check_hold(spec->dwell[k], "sequence: dwell", spec, err));
        // parts follow each other without a gap; a dwell is a gap that was asked for
        span += pkm_motion_duration(now) + (spec->dwell ? spec->dwell[k] : 0.0);
        // a drive position and a pose cannot follow one another
        if (pkm_motion_is_drives(now) == pkm_motion_is_drives(first) &&
            pkm_motion_turns(now) == pkm_motion_turns(first))
            continue;
        return pkm_fail(
            err, PKM_ERR_ARGUMENT,
            "%s: sequence: %s and %s differ in kind, expected all of the drives, all of "
            "the tool's place, or all of its place and orientation",
            name, pkm_motion_name(first), pkm_motion_name(now));
    }
    PKM_TRY(check_marks(spec, err));
    // all times of the sequence by one factor: what `fastest` changes
    const double k = isnan(spec->stretch) ? 1.0 : spec->stretch;
    if (!(is_sane(k) && k > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: sequence: stretch %g, expected > 0", name, k);
    const int repeat = spec->repeat > 0 ? spec->repeat : 1;
    return check_fixed_time(spec, k * repeat * span, "motions", err);
}

/// Times at which a spline passes its points.
static pkm_status check_times(const pkm_motion_spec* spec, pkm_error* err)
{
    const double* t = spec->point_t;
    if (!t) return PKM_OK; // the law finds them
    for (int i = 0; i < spec->n_point; ++i) {
        PKM_TRY(check_value(t[i], "times", spec, err));
        if (i == 0 || t[i] - t[i - 1] >= MIN_SPACING) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: times: %.9g s after %.9g s, expected increasing times",
                        pkm_motion_spec_name(spec), t[i], t[i - 1]);
    }
    return check_fixed_time(spec, t[spec->n_point - 1] - t[0], "times", err);
}

static pkm_status check_spline(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    if (!spec->drive_point) {
        PKM_TRY(check_points(spec, 2, MAX_SAMPLE, err));
        return check_times(spec, err);
    }
    if (spec->n_drive < 1 || spec->n_drive > PKM_MAX_DRIVE || spec->n_point < 2 ||
        spec->n_point > MAX_SAMPLE)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: drives: %d way points of %d drives, expected 2 or more of 1 to %d",
                        name, spec->n_point, spec->n_drive, PKM_MAX_DRIVE);
    for (int k = 0; k < spec->n_drive * spec->n_point; ++k) {
        const double x = spec->drive_point[k];
        // NaN: this drive stays at home
        if (isnan(x) || is_sane(x)) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: drives: a way point %g, expected a number of magnitude <= %g", name, x,
                        MAX_VALUE);
    }
    return check_times(spec, err);
}

static pkm_status check_functions(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    const int n = spec->n_function;
    // a function per drive, or per component of the tool
    const bool fits = spec->function_is_drives ? n == spec->n_drive && n >= 1 && n <= PKM_MAX_DRIVE
                                               : n == 3 || n == 6;
    if (!spec->function || !fits)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: formula: %d functions, expected one per drive, x y z, or x y z roll "
                        "pitch yaw",
                        name, n);
    for (int i = 0; i < n && !spec->function_is_drives; ++i)
        if (!spec->function[i].at)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: formula: function %d is missing", name,
                            i + 1);
    // a formula has no end of its own
    if (!(is_sane(spec->duration) && spec->duration >= MIN_SPACING))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: formula: duration %g s, expected how long it runs", name,
                        spec->duration);
    return check_fixed_time(spec, spec->duration, "formulas", err);
}

static pkm_status check_rpy(const pkm_motion_spec* spec, pkm_error* err)
{
    const char* name = pkm_motion_spec_name(spec);
    const int n = pkm_motion_spec_n_rpy(spec);
    if (!spec->rpy) return PKM_OK;
    // drives have no orientation; samples and formulas have columns for it, sequences their parts
    if (spec->path == PKM_PATH_DRIVES || spec->path == PKM_PATH_SAMPLES ||
        spec->path == PKM_PATH_SEQUENCE || spec->path == PKM_PATH_FUNCTION || spec->drive_point) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: rpy belongs to a path of the tool", name);
    }
    // orientations at points are passed with them; one or two hold for any path
    const bool at_points = spec->path == PKM_PATH_POLYLINE || spec->path == PKM_PATH_ARC ||
                           spec->path == PKM_PATH_SPLINE;
    if (n != 1 && n != 2 && !(at_points && n == spec->n_point)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: rpy: %d triples, expected 1, 2%s", name, n,
                        at_points ? " or one per point" : "");
    }
    for (int i = 0; i < n; ++i)
        PKM_TRY(check_vec3(spec->rpy[i], "rpy", spec, err));
    return PKM_OK;
}

static pkm_status check_path(const pkm_motion_spec* spec, pkm_error* err)
{
    switch (spec->path) {
    case PKM_PATH_DRIVES:
        return check_drives(spec, err);
    case PKM_PATH_LINE:
        return check_points(spec, 2, 2, err);
    case PKM_PATH_POLYLINE:
        return check_polyline(spec, err);
    case PKM_PATH_ARC:
        return check_points(spec, 3, 3, err);
    case PKM_PATH_CIRCLE:
        return check_circle(spec, err);
    case PKM_PATH_INVERTED_U:
        return check_inverted_u(spec, err);
    case PKM_PATH_SAMPLES:
        return check_samples(spec, err);
    case PKM_PATH_SEQUENCE:
        return check_sequence(spec, err);
    case PKM_PATH_SPLINE:
        return check_spline(spec, err);
    case PKM_PATH_FUNCTION:
        return check_functions(spec, err);
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: unknown path %d", pkm_motion_spec_name(spec),
                    (int)spec->path);
}

pkm_status pkm_motion_spec_check(const pkm_motion_spec* spec, pkm_error* err)
{
    PKM_TRY(check_hold(spec->hold_before, "hold_before", spec, err));
    PKM_TRY(check_hold(spec->hold_after, "hold_after", spec, err));
    PKM_TRY(check_path(spec, err));
    // behind the path, whose points these count on
    PKM_TRY(check_blend(spec, err));
    return check_rpy(spec, err);
}
