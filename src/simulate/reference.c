// The motion of the drives during a run: as given, as splines through inverse kinematics, or solved
// at each instant. docs/theory/simulation.md, section 6.
#include "simulate/reference.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/motion_solve.h"
#include "motion/breaks.h"
#include "robot/continuation.h"

#include <math.h>
#include <string.h>

enum {
    N_SAMPLE = 2001, ///< splines of order 6 through these are exact to rounding for smooth motions
    N_CHECK = 398,   ///< instants of the check: all but the ends lie between samples
};

/// What is known of the drives at one instant.
typedef struct instant {
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE];
} instant;

struct pkm_reference {
    pkm_robot* robot;
    const pkm_motion* given;
    pkm_reference_spec spec;
    double end;       ///< of the part of the motion that the run sees [s]
    double rest_from; ///< all rests from here on [s]; infinite: the run does not see it
    instant rest;
    pkm_motion *position, *force; ///< splines; NULL: the motion itself
    pkm_robot* twin;              ///< solves inverse kinematics at each instant; NULL: not needed
    double twin_t;
    pkm_status status;
};

// ---- the motion itself ------------------------------------------------------------------------

/// Drives of a robot that stands on the motion, with forces if they are wanted.
static void read_instant(const pkm_reference* ref, pkm_robot* robot, instant* out)
{
    pkm_state* state = robot->state;
    const pkm_mechanism* mech = robot->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &out->v[d], &out->a[d]);
    }
    if (!ref->spec.has_force) return;
    // the tool's force belongs to the forces that are played back
    if (mech->tool != PKM_NONE)
        state->load[mech->marker[mech->tool].body] = pkm_wrench_at(
            pkm_state_marker_point(state, mech->tool), ref->spec.tool_force, ref->spec.tool_torque);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out->force);
}

/// Inverse kinematics at `t` by Newton's method from where the twin stands, at most one sample
/// away: the way there has been followed so before.
static pkm_status solve_twin(pkm_reference* ref, double t)
{
    pkm_robot* robot = ref->twin;
    pkm_state* state = robot->state;
    const double dt = t - ref->twin_t;
    pkm_target target = {.tool.pose = robot->tool_home};
    pkm_given given = PKM_GIVEN_DRIVES;
    if (pkm_motion_is_drives(ref->given)) {
        pkm_motion_drives(ref->given, t, target.q, target.v, target.a, NULL);
    } else {
        given = PKM_GIVEN_TOOL;
        pkm_motion_tool(ref->given, t, &target.tool, NULL);
        // a path without turns keeps the orientation of home
        if (!pkm_motion_turns(ref->given)) target.tool.pose.q = robot->tool_home.q;
    }
    for (int k = 0; k < robot->mech->n_v; ++k)
        // q + h v + h^2 a/2, then Newton's method (3.1) of docs/theory/engine.md
        state->step[k] = dt * (state->v[k] + 0.5 * dt * state->a[k]);
    pkm_state_move(robot->mech, state->q, state->step);
    PKM_TRY(pkm_solve_position(state, given, &target));
    pkm_solve_velocity(state, given, &target);
    pkm_solve_acceleration(state, given, &target);
    ref->twin_t = t;
    // inverse dynamics takes the factors of the drives, which stand at the tool's solution here
    const bool needs_drives = ref->spec.has_force && given != PKM_GIVEN_DRIVES;
    return needs_drives ? pkm_solve_factor(state, PKM_GIVEN_DRIVES) : PKM_OK;
}

static void lead_twin(pkm_reference* ref, double t, instant* out)
{
    // one sample at a time, as the way has been followed before
    const double longest = ref->end / (N_SAMPLE - 1);
    pkm_status status = PKM_OK;
    while (status == PKM_OK && ref->twin_t != t) {
        const double way = t - ref->twin_t;
        status = solve_twin(ref, fabs(way) <= longest ? t : ref->twin_t + copysign(longest, way));
    }
    // told by pkm_reference_take_failure: the callback has no status
    if (status != PKM_OK) ref->status = PKM_RETRY;
    read_instant(ref, ref->twin, out);
}

/// A second robot that stands where the motion starts.
static pkm_status make_twin(pkm_reference* ref, pkm_error* err)
{
    pkm_follower follower;
    PKM_TRY(pkm_robot_twin(ref->robot, &ref->twin, err));
    PKM_TRY(pkm_follow_begin(ref->twin, ref->given, &follower, err));
    ref->twin_t = 0.0;
    return pkm_follow_to(&follower, 0.0, err);
}

// ---- splines ----------------------------------------------------------------------------------

/// A spline per drive through the columns `value` [N_SAMPLE x n_drive].
static pkm_status make_spline(const pkm_reference* ref, const double* t, const double* value,
                              pkm_motion** out, pkm_error* err)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "reference";
    spec.path = PKM_PATH_SAMPLES;
    spec.n_drive = spec.n_sample_column = ref->robot->mech->n_drive;
    spec.n_sample = N_SAMPLE;
    spec.sample_t = t;
    spec.sample = value;
    spec.sample_is_drives = true;
    // ends are free: a run may see a part of the motion that neither begins nor ends at rest
    spec.sample_free_ends = true;
    return pkm_motion_create(&spec, out, err);
}

static bool needs_position(const pkm_reference* ref)
{
    return !pkm_motion_is_drives(ref->given);
}

static pkm_status sample(pkm_reference* ref, double* t, double* q, double* force, pkm_error* err)
{
    pkm_follower follower;
    PKM_TRY(pkm_follow_begin(ref->robot, ref->given, &follower, err));
    for (int i = 0; i < N_SAMPLE; ++i) {
        instant now;
        t[i] = ref->end * i / (N_SAMPLE - 1);
        PKM_TRY(pkm_follow_to(&follower, t[i], err));
        read_instant(ref, ref->robot, &now);
        for (int d = 0; d < ref->robot->mech->n_drive; ++d) {
            q[d * N_SAMPLE + i] = now.q[d];
            force[d * N_SAMPLE + i] = ref->spec.has_force ? now.force[d] : 0.0;
        }
    }
    if (needs_position(ref)) PKM_TRY(make_spline(ref, t, q, &ref->position, err));
    return ref->spec.has_force ? make_spline(ref, t, force, &ref->force, err) : PKM_OK;
}

static pkm_status make_splines(pkm_reference* ref, pkm_error* err)
{
    const size_t n_drive = (size_t)ref->robot->mech->n_drive;
    double* t = pkm_alloc(N_SAMPLE * (1 + 2 * n_drive), sizeof(double));
    if (!t) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    double *q = t + N_SAMPLE, *force = q + N_SAMPLE * n_drive;
    const pkm_status status = sample(ref, t, q, force, err);
    // what inverse dynamics has put on the tool
    memset(ref->robot->state->load, 0, (size_t)ref->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_free(t);
    return status;
}

static void raise(double* most, double value)
{
    // put so that a NaN is raised, too
    if (!(fabs(value) <= *most)) *most = fabs(value);
}

/// Compare splines and motion between the samples.
static pkm_status check_splines(pkm_reference* ref, bool* fine, pkm_error* err)
{
    double off_a = 0.0, off_f = 0.0, most_a = 0.0, most_f = 0.0;
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    pkm_follower follower;
    PKM_TRY(pkm_follow_begin(ref->robot, ref->given, &follower, err));
    for (int i = 0; i < N_CHECK; ++i) {
        instant now;
        // N_CHECK - 1 and N_SAMPLE - 1 have no common divisor but 1: no check on a sample
        const double t = ref->end * i / (N_CHECK - 1);
        PKM_TRY(pkm_follow_to(&follower, t, err));
        read_instant(ref, ref->robot, &now);
        for (int d = 0; d < ref->robot->mech->n_drive; ++d) {
            if (ref->position) pkm_motion_drives(ref->position, t, q, v, a, NULL);
            raise(&most_a, now.a[d]);
            if (ref->position) raise(&off_a, a[d] - now.a[d]);
            if (!ref->force) continue;
            pkm_motion_drives(ref->force, t, q, v, a, NULL);
            raise(&most_f, now.force[d]);
            raise(&off_f, q[d] - now.force[d]);
        }
    }
    // second derivatives show a spline's error first: positions are far better then
    *fine = off_a <= PKM_REFERENCE_ERROR * most_a && off_f <= PKM_REFERENCE_ERROR * most_f;
    return PKM_OK;
}

// ---- creation ---------------------------------------------------------------------------------

/// Where the drives rest behind the motion, and the forces that hold them there. A robot that has
/// been led along the motion stands at its end.
static void find_rest(pkm_reference* ref, bool was_led)
{
    static const pkm_target still;
    const double duration = pkm_motion_duration(ref->given);
    // the run ends with the motion or before it
    if (!(duration < ref->spec.end_time)) return;
    if (was_led) {
        const bool drives = pkm_motion_is_drives(ref->given);
        const pkm_given given = drives ? PKM_GIVEN_DRIVES : PKM_GIVEN_TOOL;
        // at the end of the way, with nothing moving: forces of rest
        pkm_solve_velocity(ref->robot->state, given, &still);
        pkm_solve_acceleration(ref->robot->state, given, &still);
        read_instant(ref, ref->robot, &ref->rest);
    } else {
        pkm_motion_drives(ref->given, duration, ref->rest.q, ref->rest.v, ref->rest.a, NULL);
    }
    memset(ref->rest.v, 0, sizeof ref->rest.v);
    memset(ref->rest.a, 0, sizeof ref->rest.a);
    ref->rest_from = duration;
}

/// Splines where they are exact enough, the motion itself where they are not.
static pkm_status prepare(pkm_reference* ref, pkm_error* err)
{
    bool fine = true;
    // played or prescribed drives would need infinite forces there (section 6)
    if (ref->spec.is_prescribed)
        PKM_TRY(pkm_motion_refuse_jump(ref->given, ref->spec.end_time, err));
    const bool samples = needs_position(ref) || ref->spec.has_force;
    if (samples) {
        PKM_TRY(make_splines(ref, err));
        PKM_TRY(check_splines(ref, &fine, err));
    }
    find_rest(ref, samples);
    memset(ref->robot->state->load, 0, (size_t)ref->robot->mech->n_body * sizeof(pkm_wrench));
    if (fine) return PKM_OK;
    pkm_motion_free(ref->position);
    pkm_motion_free(ref->force);
    ref->position = ref->force = NULL;
    return make_twin(ref, err);
}

pkm_status pkm_reference_create(pkm_robot* robot, const pkm_reference_spec* spec,
                                pkm_reference** out, pkm_error* err)
{
    *out = NULL;
    pkm_reference* ref = pkm_alloc(1, sizeof *ref);
    if (!ref) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    ref->robot = robot;
    ref->given = robot->desc->motion[spec->motion].motion;
    ref->spec = *spec;
    ref->end = fmin(spec->end_time, pkm_motion_duration(ref->given));
    ref->rest_from = HUGE_VAL;
    const pkm_status status = prepare(ref, err);
    if (status != PKM_OK) {
        pkm_reference_free(ref);
        return status;
    }
    *out = ref;
    return PKM_OK;
}

void pkm_reference_free(pkm_reference* ref)
{
    if (!ref) return;
    pkm_motion_free(ref->position);
    pkm_motion_free(ref->force);
    pkm_robot_free(ref->twin);
    pkm_free(ref);
}

// ---- evaluation -------------------------------------------------------------------------------

static void copy(const pkm_reference* ref, const double* from, double* to)
{
    memcpy(to, from, (size_t)ref->robot->mech->n_drive * sizeof(double));
}

void pkm_reference_at(pkm_reference* ref, double t, double* q, double* v, double* a)
{
    // exactly at rest, not as nearly as splines
    if (t >= ref->rest_from) {
        copy(ref, ref->rest.q, q);
        copy(ref, ref->rest.v, v);
        copy(ref, ref->rest.a, a);
    } else if (ref->position || !needs_position(ref)) {
        pkm_motion_drives(ref->position ? ref->position : ref->given, t, q, v, a, NULL);
    } else {
        instant now;
        lead_twin(ref, t, &now);
        copy(ref, now.q, q);
        copy(ref, now.v, v);
        copy(ref, now.a, a);
    }
}

void pkm_reference_force(pkm_reference* ref, double t, double* force)
{
    instant now;
    if (t >= ref->rest_from) {
        copy(ref, ref->rest.force, force);
    } else if (ref->force) {
        pkm_motion_drives(ref->force, t, force, now.v, now.a, NULL);
    } else {
        lead_twin(ref, t, &now);
        copy(ref, now.force, force);
    }
}

pkm_status pkm_reference_take_failure(pkm_reference* ref)
{
    const pkm_status status = ref->status;
    ref->status = PKM_OK;
    return status;
}

double pkm_reference_next_break(const pkm_reference* ref, double t)
{
    return ref->rest_from > t ? ref->rest_from : HUGE_VAL;
}
