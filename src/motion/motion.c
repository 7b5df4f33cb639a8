// A motion from what was written: memory in one block, the law planned on the length of the path,
// legs, splines, functions or parts of a sequence filled in. What is at home is only known with the
// robot: pkm_motion_set_home plans such motions again. Equations: docs/theory/motion.md.
#include "pkm/motion.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "math/vec3.h"
#include "motion/check.h"
#include "motion/data.h"
#include "motion/events.h"

#include <stdio.h>
#include <string.h>

pkm_motion_spec pkm_motion_spec_defaults(void)
{
    // NaN is what was not written: 0 may be
    const pkm_vec3 none = {NAN, NAN, NAN};
    return (pkm_motion_spec){
        .law = PKM_LAW_QUINTIC,
        .duration = NAN,
        .max_speed = NAN,
        .max_acceleration = NAN,
        .max_jerk = NAN,
        .shaper_damping = NAN,
        .blend = NAN,
        .stretch = NAN,
        .center = none,
        .normal = none,
        .start = none,
        .radius = NAN,
        .angle = NAN,
        .u_step = none,
        .u_lift = none,
        .u_mark = {NAN, NAN, NAN, NAN, NAN},
    };
}

static int leg_count(const pkm_motion_spec* spec)
{
    switch (spec->path) {
    case PKM_PATH_LINE:
    case PKM_PATH_ARC:
    case PKM_PATH_CIRCLE:
        return 1;
    case PKM_PATH_POLYLINE:
        return spec->n_point - 1;
    default:
        return 0;
    }
}

/// How many of what a motion is made of.
typedef struct room {
    size_t leg, drive, knot, column, part, function, mark;
} room;

/// Motions of the drives give q, all others the pose of the tool.
static bool is_of_drives(const pkm_motion_spec* spec)
{
    switch (spec->path) {
    case PKM_PATH_DRIVES:
        return true;
    case PKM_PATH_SAMPLES:
        return spec->sample_is_drives;
    case PKM_PATH_SPLINE:
        return spec->drive_point != NULL;
    case PKM_PATH_FUNCTION:
        return spec->function_is_drives;
    case PKM_PATH_SEQUENCE:
        return pkm_motion_is_drives(spec->part[0]);
    default:
        return false;
    }
}

static bool gives_orientation(const pkm_motion_spec* spec)
{
    switch (spec->path) {
    case PKM_PATH_SAMPLES:
        return !spec->sample_is_drives && spec->n_sample_column == 6;
    case PKM_PATH_FUNCTION:
        return !spec->function_is_drives && spec->n_function == 6;
    case PKM_PATH_SEQUENCE:
        return pkm_motion_turns(spec->part[0]);
    default:
        return spec->rpy != NULL;
    }
}

static room room_for(const pkm_motion_spec* spec)
{
    room n = {.leg = (size_t)leg_count(spec)};
    const bool drives = is_of_drives(spec);
    // the parts of a sequence keep their own
    if (drives && spec->path != PKM_PATH_SEQUENCE) n.drive = (size_t)spec->n_drive;
    if (spec->path == PKM_PATH_SAMPLES) {
        n.knot = (size_t)spec->n_sample;
        n.column = (size_t)spec->n_sample_column;
    }
    if (spec->path == PKM_PATH_SPLINE) {
        n.knot = (size_t)spec->n_point;
        n.column = drives ? n.drive : spec->rpy ? 6 : 3;
    }
    if (spec->path == PKM_PATH_SEQUENCE) {
        n.part = (size_t)spec->n_part;
        n.mark = (size_t)spec->n_mark;
    }
    if (spec->path == PKM_PATH_FUNCTION) n.function = (size_t)spec->n_function;
    return n;
}

/// The empty motion with room for its arrays, or NULL.
static pkm_motion* allocate(const pkm_motion_spec* spec)
{
    const room n = room_for(spec);
    // drives: from, to, start, way; splines: times, values with two derivatives, lengths; parts:
    // dwell and begin
    const size_t n_number = 4 * n.drive + n.knot * (2 + 3 * n.column) + 2 * n.part;
    pkm_motion* m =
        pkm_alloc(1, sizeof *m + n.leg * sizeof(pkm_leg) + n_number * sizeof(double) +
                         n.part * sizeof(pkm_motion*) + n.function * sizeof(pkm_motion_function) +
                         n.mark * sizeof(pkm_sequence_mark));
    if (!m) return NULL;
    m->n_leg = (int)n.leg;
    // legs, numbers, pointers, functions, marks: nothing that needs more alignment behind less
    m->leg = (pkm_leg*)(m + 1);
    m->n_drive = (int)n.drive;
    double* number = (double*)(m->leg + n.leg);
    m->drive_from = number;
    m->drive_to = number + n.drive;
    m->drive_start = number + 2 * n.drive;
    m->drive_delta = number + 3 * n.drive;
    number += 4 * n.drive;
    const pkm_spline spline = {(int)n.knot, (int)n.column, number, number + n.knot};
    if (spec->path == PKM_PATH_SAMPLES) m->spline = spline;
    if (spec->path == PKM_PATH_SPLINE) m->track.spline = spline;
    m->track.length_at = number + n.knot * (1 + 3 * n.column);
    number += n.knot * (2 + 3 * n.column);
    m->sequence = (pkm_sequence){.n = (int)n.part,
                                 .dwell = number,
                                 .begin = number + n.part,
                                 .part = (const pkm_motion**)(number + 2 * n.part)};
    m->functions.n = (int)n.function;
    m->functions.of = (pkm_motion_function*)(m->sequence.part + n.part);
    m->sequence.n_mark = (int)n.mark;
    m->sequence.mark = (pkm_sequence_mark*)(m->functions.of + n.function);
    return m;
}

/// Where the drives go with `home` [n_drive] (NULL: zeros): `start`, `delta` [n_drive]; returns the
/// longest way.
static double drive_ways(const pkm_motion* m, const double* home, double* start, double* delta)
{
    double longest = 0.0;
    for (int i = 0; i < m->n_drive; ++i) {
        // NaN: at home
        const double rest = home ? home[i] : 0.0;
        start[i] = isnan(m->drive_from[i]) ? rest : m->drive_from[i];
        delta[i] = (isnan(m->drive_to[i]) ? rest : m->drive_to[i]) - start[i];
        if (fabs(delta[i]) > longest) longest = fabs(delta[i]);
    }
    return longest;
}

static bool needs_home(const pkm_motion* m)
{
    for (int i = 0; i < m->n_drive; ++i) {
        if (isnan(m->drive_from[i]) || isnan(m->drive_to[i])) return true;
    }
    return false;
}

static pkm_status make_drives(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    for (int i = 0; i < m->n_drive; ++i) {
        m->drive_from[i] = spec->drive_from ? spec->drive_from[i] : NAN;
        m->drive_to[i] = spec->drive_to[i];
    }
    const double length = drive_ways(m, NULL, m->drive_start, m->drive_delta);
    // ways from or to home are not known yet: until then only what does not depend on them is
    // judged
    pkm_law_request request = m->request;
    if (needs_home(m) && !isnan(request.duration)) {
        pkm_law_profile unused;
        PKM_TRY(pkm_law_plan(&request, 0.0, m->name, &unused, err));
        request.max_speed = request.max_acceleration = request.max_jerk = NAN;
    }
    PKM_TRY(pkm_law_plan(&request, length, m->name, &m->law, err));
    // one law for all drives: the longest way keeps the limits, the others move in proportion
    m->moving = m->law.T;
    return PKM_OK;
}

/// Times of a sequence; its parts know where home is: `placed`, or judge their ends later.
static pkm_status plan_sequence(pkm_motion* m, bool placed, pkm_error* err)
{
    pkm_sequence* s = &m->sequence;
    pkm_sequence_plan(s);
    m->moving = s->stretch * s->repeat * s->round;
    for (int k = 0; k < s->n; ++k)
        if (!placed && s->part[k]->path != PKM_PATH_SAMPLES && s->part[k]->is_drives) return PKM_OK;
    return pkm_sequence_check(s, m->n_drive, m->name, err);
}

static pkm_status make_sequence(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    pkm_sequence* s = &m->sequence;
    s->repeat = spec->repeat > 0 ? spec->repeat : 1;
    s->stretch = isnan(spec->stretch) ? 1.0 : spec->stretch;
    for (int k = 0; k < s->n; ++k) {
        s->part[k] = spec->part[k];
        s->dwell[k] = spec->dwell ? spec->dwell[k] : 0.0;
    }
    for (int k = 0; k < s->n_mark; ++k) {
        const pkm_motion_mark* mark = &spec->mark[k];
        s->mark[k] =
            (pkm_sequence_mark){.is_pick = mark->is_pick, .after = mark->after, .wait = mark->wait};
        snprintf(s->mark[k].payload, sizeof s->mark[k].payload, "%s", mark->payload);
    }
    // check.c has seen that all are of one kind
    m->n_drive = s->part[0]->n_drive;
    PKM_TRY(plan_sequence(m, false, err));
    return pkm_motion_check_events(m, err);
}

pkm_status pkm_motion_set_home(pkm_motion* motion, const double* home, pkm_error* err)
{
    if (!motion || !home) return pkm_fail(err, PKM_ERR_ARGUMENT, "motion: an argument is NULL");
    if (motion->path == PKM_PATH_SEQUENCE) return plan_sequence(motion, true, err);
    if (!motion->is_drives || motion->path == PKM_PATH_SAMPLES) return PKM_OK;
    for (int i = 0; i < motion->n_drive; ++i) {
        if (isfinite(home[i])) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: home of drive %d is %g", motion->name, i + 1,
                        home[i]);
    }
    if (motion->path != PKM_PATH_DRIVES) { // those that are not named stay there
        for (int i = 0; i < motion->n_drive; ++i)
            motion->drive_start[i] = isnan(motion->drive_to[i]) ? home[i] : 0.0;
        return PKM_OK;
    }
    // apart, so that a law that fails leaves the motion as it was
    double start[PKM_MAX_DRIVE], delta[PKM_MAX_DRIVE];
    pkm_law_profile law;
    const double length = drive_ways(motion, home, start, delta);
    PKM_TRY(pkm_law_plan(&motion->request, length, motion->name, &law, err));
    motion->law = law;
    motion->moving = law.T;
    memcpy(motion->drive_start, start, (size_t)motion->n_drive * sizeof *start);
    memcpy(motion->drive_delta, delta, (size_t)motion->n_drive * sizeof *delta);
    return PKM_OK;
}

/// Give every leg its law and start time: each its share of the duration by length, or its own time
/// from the limits.
static pkm_status plan_legs(pkm_motion* m, pkm_error* err)
{
    double total = 0.0, begin = 0.0;
    for (int k = 0; k < m->n_leg; ++k)
        total += pkm_leg_length(&m->leg[k]);
    for (int k = 0; k < m->n_leg; ++k) {
        const double length = pkm_leg_length(&m->leg[k]);
        pkm_law_request request = m->request;
        char name[PKM_MAX_NAME + 16];
        snprintf(name, sizeof name, m->n_leg > 1 ? "%s, leg %d" : "%s", m->name, k + 1);
        // a polyline stops at its corners
        if (m->n_leg > 1) request.duration *= length / total;
        PKM_TRY(pkm_leg_plan(&m->leg[k], &request, name, err));
        m->leg[k].begin = begin;
        begin += m->leg[k].law.T;
    }
    m->moving = begin;
    return PKM_OK;
}

/// How far the tool has turned at point k of n, from 0 to 1: by the way it has gone, or, where it
/// only turns, by the points.
static double part_of_way(double done, double total, int k, int n)
{
    return total > 0.0 ? done / total : (double)k / n;
}

/// Roll, pitch, yaw along the legs: at the way points as given, else linear in the way.
static void turn_legs(pkm_motion* m, const pkm_motion_spec* spec, double middle)
{
    const int n_rpy = pkm_motion_spec_n_rpy(spec);
    const pkm_vec3* rpy = spec->rpy;
    if (n_rpy == 0) return;
    // an arc passes its second point at the share `middle` of its angle
    if (spec->path == PKM_PATH_ARC && n_rpy == 3) {
        pkm_leg_turn_through(&m->leg[0], rpy, middle);
        return;
    }
    const pkm_vec3 way = pkm_vec3_sub(rpy[n_rpy - 1], rpy[0]);
    double total = 0.0, done = 0.0;
    for (int k = 0; k < m->n_leg; ++k)
        total += pkm_leg_length(&m->leg[k]);
    for (int k = 0; k < m->n_leg; ++k) {
        pkm_leg* leg = &m->leg[k];
        // parts of the whole way, 0 to 1
        const double begin = part_of_way(done, total, k, m->n_leg);
        done += pkm_leg_length(leg);
        const double end = k + 1 < m->n_leg ? part_of_way(done, total, k + 1, m->n_leg) : 1.0;
        if (n_rpy == m->n_leg + 1)
            pkm_leg_turn(leg, rpy[k], rpy[k + 1]);
        else
            pkm_leg_turn(leg, pkm_vec3_axpy(rpy[0], begin, way), pkm_vec3_axpy(rpy[0], end, way));
    }
}

/// One law through all legs, with the corners rounded.
static pkm_status make_blend(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    double way = 0.0;
    for (int k = 0; k < m->n_leg; ++k) {
        // along a blend `begin` is a way [m], not a time
        m->leg[k].begin = way;
        way += pkm_leg_length(&m->leg[k]);
    }
    m->blend = (pkm_blend){.n_leg = m->n_leg, .leg = m->leg, .radius = spec->blend, .length = way};
    PKM_TRY(pkm_blend_plan(&m->blend, &m->request, m->name, err));
    m->moving = m->blend.law.T;
    return PKM_OK;
}

/// (9): about `normal` (z), from `start`, of which only the direction in the plane counts.
static pkm_leg make_circle(const pkm_motion_spec* spec)
{
    pkm_vec3 normal = {0.0, 0.0, 1.0}, given;
    if (!isnan(spec->normal.x)) (void)pkm_vec3_direction(spec->normal, &normal); // checked
    pkm_vec3 start = pkm_vec3_perpendicular(normal);
    if (!isnan(spec->start.x) && pkm_vec3_direction(spec->start, &given)) {
        start = pkm_vec3_unit(pkm_vec3_axpy(given, -pkm_vec3_dot(given, normal), normal));
    }
    const double angle = isnan(spec->angle) ? PKM_TURN : spec->angle;
    return pkm_leg_circle(spec->center, normal, start, spec->radius, angle);
}

static pkm_status make_legs(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    double middle = 0.5;
    switch (spec->path) {
    case PKM_PATH_CIRCLE:
        m->leg[0] = make_circle(spec);
        break;
    case PKM_PATH_ARC:
        if (pkm_leg_arc(spec->point, &m->leg[0], &middle)) break;
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: arc: its three points are on a line", m->name);
    default:
        for (int k = 0; k < m->n_leg; ++k) {
            m->leg[k] = pkm_leg_line(spec->point[k], spec->point[k + 1]);
        }
    }
    turn_legs(m, spec, middle);
    return isnan(spec->blend) ? plan_legs(m, err) : make_blend(m, spec, err);
}

/// (11), with times from the first mark on; orientations turn from the first to the last.
static void make_inverted_u(pkm_motion* m, const pkm_motion_spec* spec)
{
    const int n_rpy = pkm_motion_spec_n_rpy(spec);
    pkm_inverted_u* u = &m->u;
    u->from = spec->point[0];
    u->step = spec->u_step;
    u->lift = spec->u_lift;
    for (int i = 0; i < 5; ++i)
        u->mark[i] = spec->u_mark[i] - spec->u_mark[0];
    if (n_rpy > 0) {
        u->r0 = spec->rpy[0];
        u->r1 = pkm_vec3_sub(spec->rpy[n_rpy - 1], spec->rpy[0]);
    }
    m->moving = u->mark[4];
}

/// Take whole turns out of the jumps of an angle, so that it is continuous.
static void unwrap(double* angle, int n)
{
    const double turn = PKM_TURN;
    for (int i = 1; i < n; ++i) {
        angle[i] -= turn * floor((angle[i] - angle[i - 1]) / turn + 0.5);
    }
}

/// Samples by quintics (16), whose derivatives at the samples follow from (17) to (19).
static pkm_status make_spline(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    const int n = spec->n_sample;
    // times begin at zero [s]
    double* t = (double*)m->spline.t;
    for (int i = 0; i < n; ++i)
        t[i] = spec->sample_t[i] - spec->sample_t[0];
    for (int c = 0; c < spec->n_sample_column; ++c) {
        double* y = m->spline.data + (size_t)c * 3 * (size_t)n;
        memcpy(y, spec->sample + (size_t)c * (size_t)n, (size_t)n * sizeof *y);
        if (!spec->sample_is_drives && c >= 3) unwrap(y, n);
    }
    // else the motion begins and ends at rest
    if (spec->sample_free_ends) pkm_spline_estimate_ends(&m->spline);
    m->moving = t[n - 1];
    const pkm_status status = pkm_spline_fit(&m->spline);
    if (status == PKM_OK || status == PKM_ERR_MEMORY) return status;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: samples: times too close for a smooth spline",
                    m->name);
}

/// Way points of the drives, or of the tool with its roll, pitch, yaw: as given at each, else
/// linear in the way along the chords.
static void fill_points(pkm_motion* m, const pkm_motion_spec* spec)
{
    const int n = spec->n_point, n_rpy = pkm_motion_spec_n_rpy(spec);
    double* data = m->track.spline.data;
    double total = 0.0, done = 0.0;
    for (int k = 1; k < n && !m->is_drives; ++k)
        total += pkm_vec3_norm(pkm_vec3_sub(spec->point[k], spec->point[k - 1]));
    // column c of the spline: n values, then room for two derivatives
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < m->n_drive; ++i) {
            const double x = spec->drive_point[(size_t)i * (size_t)n + (size_t)k];
            m->drive_to[i] = x;
            data[(size_t)(3 * i) * (size_t)n + (size_t)k] = isnan(x) ? 0.0 : x;
        }
        if (m->is_drives) continue;
        if (k > 0) done += pkm_vec3_norm(pkm_vec3_sub(spec->point[k], spec->point[k - 1]));
        pkm_vec3 all[2] = {spec->point[k], {0.0, 0.0, 0.0}};
        if (n_rpy > 0) {
            const pkm_vec3 way = pkm_vec3_sub(spec->rpy[n_rpy - 1], spec->rpy[0]);
            const double part = part_of_way(done, total, k, n - 1);
            all[1] = n_rpy == n ? spec->rpy[k] : pkm_vec3_axpy(spec->rpy[0], part, way);
        }
        for (int c = 0; c < m->track.spline.n_column; ++c) {
            const pkm_vec3 v = all[c / 3];
            data[(size_t)(3 * c) * (size_t)n + (size_t)k] = c % 3 == 0   ? v.x
                                                            : c % 3 == 1 ? v.y
                                                                         : v.z;
        }
    }
}

static pkm_status make_track(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    fill_points(m, spec);
    m->track.is_tool = !m->is_drives;
    m->track.is_timed = spec->point_t != NULL;
    double* t = (double*)m->track.spline.t;
    for (int k = 0; m->track.is_timed && k < spec->n_point; ++k)
        t[k] = spec->point_t[k] - spec->point_t[0];
    PKM_TRY(pkm_track_make(&m->track, &m->request, m->name, err));
    m->moving = pkm_track_duration(&m->track);
    return PKM_OK;
}

/// Drives without a function stay at home (NaN).
static pkm_status make_functions(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    for (int i = 0; i < spec->n_function; ++i) {
        m->functions.of[i] = spec->function[i];
        if (m->is_drives) m->drive_to[i] = spec->function[i].at ? 0.0 : NAN;
    }
    m->functions.end = m->moving = spec->duration;
    return pkm_functions_check(&m->functions, m->name, err);
}

static pkm_status make_path(pkm_motion* m, const pkm_motion_spec* spec, pkm_error* err)
{
    switch (spec->path) {
    case PKM_PATH_DRIVES:
        return make_drives(m, spec, err);
    case PKM_PATH_INVERTED_U:
        make_inverted_u(m, spec);
        return PKM_OK;
    case PKM_PATH_SAMPLES:
        return make_spline(m, spec, err);
    case PKM_PATH_SEQUENCE:
        return make_sequence(m, spec, err);
    case PKM_PATH_SPLINE:
        return make_track(m, spec, err);
    case PKM_PATH_FUNCTION:
        return make_functions(m, spec, err);
    default:
        return make_legs(m, spec, err);
    }
}

pkm_status pkm_motion_create(const pkm_motion_spec* spec, pkm_motion** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!spec || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "motion: an argument is NULL");
    PKM_TRY(pkm_motion_spec_check(spec, err));
    pkm_motion* m = allocate(spec);
    if (!m) return pkm_fail(err, PKM_ERR_MEMORY, "%s: out of memory", pkm_motion_spec_name(spec));

    snprintf(m->name, sizeof m->name, "%s", pkm_motion_spec_name(spec));
    m->path = spec->path;
    m->is_drives = is_of_drives(spec);
    m->turns = gives_orientation(spec);
    m->hold_before = spec->hold_before;
    m->hold_after = spec->hold_after;
    m->request = (pkm_law_request){spec->law, spec->duration, spec->max_speed,
                                   spec->max_acceleration, spec->max_jerk};

    pkm_status status = pkm_shaper_make(spec, m->name, &m->shaper, err);
    if (status == PKM_OK) status = make_path(m, spec, err);
    if (status == PKM_OK) {
        *out = m;
        return PKM_OK;
    }
    if (status == PKM_ERR_MEMORY) pkm_fail(err, status, "%s: out of memory", m->name);
    pkm_motion_free(m);
    return status;
}

void pkm_motion_free(pkm_motion* motion)
{
    pkm_free(motion);
}
