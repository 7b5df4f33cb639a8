// Prescribed drives go to the dynamics as motions; all others become forces here, by controller,
// motor, gear and belt in this order, with states of their own behind those of the plant.
#include "simulate/actuation.h"

#include "base/error.h"
#include "base/unset.h"
#include "robot/idle.h"
#include "simulate/program.h"
#include "simulate/reference.h"
#include "simulate/servo.h"

#include <string.h>

struct pkm_actuator {
    const pkm_robot* robot;
    pkm_drive_plan plan[PKM_MAX_DRIVE];
    bool prescribed[PKM_MAX_DRIVE];
    double rotor[PKM_MAX_DRIVE];
    double start[PKM_MAX_DRIVE];  ///< drive positions at the start
    double demand[PKM_MAX_DRIVE]; ///< asked for in the last evaluation
    bool is_saturated[PKM_MAX_DRIVE];
    const double* added;     ///< [n_drive] to what is asked for; NULL: none
    const pkm_target* given; ///< references of controllers; NULL, and NaN in it: the motion's
    pkm_actuation actuation;
    bool has_servo;
    pkm_servo servo;
    pkm_program program;
    pkm_reference* motion; ///< NULL: none
    /// Motors behind belts and backlash: lead before the drive, velocity and acceleration in the
    /// last evaluation; those that move by themselves have lead and velocity (less that of the
    /// motion at t = 0) as states.
    int shaft_at[PKM_MAX_DRIVE]; ///< PKM_NONE: it follows the motion, or drive and motor are one
    double lead[PKM_MAX_DRIVE], shaft_v[PKM_MAX_DRIVE], shaft_a[PKM_MAX_DRIVE];
    double shaft_start[PKM_MAX_DRIVE]; ///< [m/s, rad/s]
    int n_state;
};

static bool is_coupled(const pkm_actuator* a, int d)
{
    return a->plan[d].coupling.stiffness > 0.0;
}

static bool has_kind(const pkm_actuator* a, pkm_drive_kind kind)
{
    for (int d = 0; d < a->robot->mech->n_drive; ++d)
        if (a->plan[d].kind == kind) return true;
    return false;
}

void pkm_actuator_reference(const pkm_actuator* a, double t, pkm_target* target)
{
    const size_t size = (size_t)a->robot->mech->n_drive * sizeof(double);
    if (a->motion) {
        pkm_reference_at(a->motion, t, target->q, target->v, target->a);
    } else {
        memcpy(target->q, a->start, size);
        memset(target->v, 0, size);
        memset(target->a, 0, size);
    }
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        // a session may give references of its own, drive by drive
        if (a->plan[d].kind == PKM_DRIVE_SERVO && a->given && !isnan(a->given->q[d])) {
            target->q[d] = a->given->q[d];
            target->v[d] = a->given->v[d];
            target->a[d] = a->given->a[d];
        }
        if (a->plan[d].kind != PKM_DRIVE_LOCKED) continue;
        target->q[d] = a->start[d];
        target->v[d] = target->a[d] = 0.0;
    }
}

static void reference(void* user, double t, pkm_target* target)
{
    pkm_actuator_reference(user, t, target);
}

/// What is asked of the drives that are not prescribed, before motors.
static pkm_status find_demand(pkm_actuator* a, double t, const pkm_state* state, const double* z,
                              double* z_rate)
{
    double played[PKM_MAX_DRIVE] = {0.0};
    if (a->motion && has_kind(a, PKM_DRIVE_PLAYBACK)) pkm_reference_force(a->motion, t, played);
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        const pkm_drive_plan* plan = &a->plan[d];
        // forces of the ideal motion, a signal of time, or nothing
        a->demand[d] = plan->kind == PKM_DRIVE_PLAYBACK ? played[d]
                       : plan->kind == PKM_DRIVE_FORCE  ? pkm_signal_at(&plan->force, t)
                                                        : 0.0;
    }
    if (!a->has_servo) return PKM_OK;
    pkm_target target;
    pkm_actuator_reference(a, t, &target);
    return pkm_servo_forces(&a->servo, state, &target, z, a->demand, z_rate);
}

// ---- belts and backlash -----------------------------------------------------------------------

/// Lead and velocity of the motors, from the motion or from their states.
static void find_shafts(pkm_actuator* a, double t, const pkm_state* state, const double* z)
{
    PKM_UNSET pkm_target target;
    bool has_target = false;
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        if (!is_coupled(a, d)) continue;
        const double q = pkm_state_drive_position(state, d);
        if (a->shaft_at[d] == PKM_NONE) {
            if (!has_target) pkm_actuator_reference(a, t, &target);
            has_target = true;
            // the motor follows the motion exactly: the drive is behind it by what the belt gives
            // way
            a->lead[d] = target.q[d] - q;
            a->shaft_v[d] = target.v[d];
            a->shaft_a[d] = target.a[d];
            continue;
        }
        a->lead[d] = z[a->shaft_at[d]];
        // the state counts from the motor's velocity at the start, so that it begins at zero
        a->shaft_v[d] = a->shaft_start[d] + z[a->shaft_at[d] + 1];
        a->servo.shaft_q[d] = q + a->lead[d];
        a->servo.shaft_v[d] = a->shaft_v[d];
    }
}

/// The force of the motor goes into its rotor, and by the flanks or the belt into the drive (5.10).
static double couple(pkm_actuator* a, int d, double v, double motor_force, double* z_rate)
{
    const double rate = a->shaft_v[d] - v;
    const double passed = pkm_shaft_coupling_force(&a->plan[d].coupling, a->lead[d], rate);
    if (a->shaft_at[d] == PKM_NONE) return passed;
    a->shaft_a[d] = (motor_force - passed) / pkm_motor_inertia(&a->plan[d].motor);
    z_rate[a->shaft_at[d]] = rate;
    z_rate[a->shaft_at[d] + 1] = a->shaft_a[d];
    return passed;
}

// ---- forces -----------------------------------------------------------------------------------

static pkm_status force(void* user, double t, const pkm_state* state, const double* z, double* out,
                        double* z_rate)
{
    pkm_actuator* a = user;
    // controllers measure the motor's shaft where there is one
    find_shafts(a, t, state, z);
    PKM_TRY(find_demand(a, t, state, z, z_rate));
    for (int d = 0; a->added && d < a->robot->mech->n_drive; ++d)
        a->demand[d] += a->added[d];
    pkm_program_forces(&a->program, a->robot->mech->n_drive, a->demand);
    if (a->motion) PKM_TRY(pkm_reference_take_failure(a->motion));
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        if (a->prescribed[d]) continue;
        const pkm_drive_plan* plan = &a->plan[d];
        out[d] = a->demand[d];
        a->is_saturated[d] = plan->kind == PKM_DRIVE_SERVO && a->servo.last[d].is_saturated;
        if (!plan->has_motor && !is_coupled(a, d)) continue;
        double v, acc;
        pkm_drive_rates(state, d, &v, &acc);
        if (plan->has_motor && !pkm_motor_is_self_locking(&plan->motor)) {
            // what is asked of the drive as torque of the motor, which then has its limits [N m]
            const double torque = a->demand[d] / pkm_motor_ratio(&plan->motor);
            const double shaft = is_coupled(a, d) ? a->shaft_v[d] : v;
            const pkm_motor_point point = pkm_motor_drive(&plan->motor, torque, shaft, 0.0);
            out[d] = point.force;
            a->is_saturated[d] = a->is_saturated[d] || point.is_saturated;
        }
        if (is_coupled(a, d)) out[d] = couple(a, d, v, out[d], z_rate);
    }
    return PKM_OK;
}

double pkm_actuator_next_break(const pkm_actuator* a, double t)
{
    double next = a->has_servo ? pkm_servo_next_event(&a->servo) : HUGE_VAL;
    next = fmin(next, pkm_program_next_event(&a->program));
    if (a->motion) next = fmin(next, pkm_reference_next_break(a->motion, t));
    for (int d = 0; d < a->robot->mech->n_drive; ++d)
        if (a->plan[d].kind == PKM_DRIVE_FORCE)
            next = fmin(next, pkm_signal_next_break(&a->plan[d].force, t));
    return next;
}

pkm_status pkm_actuator_pass_break(pkm_actuator* a, double t, const pkm_state* state)
{
    PKM_TRY(pkm_program_sample(&a->program, t, state));
    if (!a->has_servo) return PKM_OK;
    pkm_target target;
    pkm_actuator_reference(a, t, &target);
    return pkm_servo_sample(&a->servo, t, state, &target);
}

pkm_drive_point pkm_actuator_point(const pkm_actuator* a, int d, double force_now, double v,
                                   double acc)
{
    const pkm_drive_plan* plan = &a->plan[d];
    const double demand = plan->kind == PKM_DRIVE_SERVO ? a->servo.last[d].demand : a->demand[d];
    const bool follows = a->prescribed[d] || (is_coupled(a, d) && a->shaft_at[d] == PKM_NONE);
    const double shaft = is_coupled(a, d) ? a->shaft_v[d] : v;
    pkm_drive_point out = {.demand = follows ? force_now : demand,
                           .is_saturated = a->is_saturated[d],
                           .lead = is_coupled(a, d) ? a->lead[d] : 0.0,
                           .electrical_power = force_now * shaft};
    if (!plan->has_motor) return out;
    if (is_coupled(a, d)) { // the rotor is the motor's own
        const pkm_motor_point own =
            pkm_motor_require(&plan->motor, force_now, shaft, a->shaft_a[d]);
        out.motor_torque = own.torque;
        out.shaft_speed = own.shaft_speed;
        out.electrical_power = own.electrical_power;
        if (follows) out.is_saturated = own.is_saturated;
        return out;
    }
    // the plant carries the rotor's inertia: its force is that in front of the rotor
    const pkm_motor_point point =
        pkm_motor_require_all(&plan->motor, force_now, v, a->prescribed[d] ? acc : 0.0);
    out.motor_torque = point.torque;
    out.shaft_speed = point.shaft_speed;
    out.electrical_power = point.electrical_power;
    if (a->prescribed[d]) out.is_saturated = point.is_saturated;
    return out;
}

// ---- creation ---------------------------------------------------------------------------------

static pkm_status take_motor(pkm_actuator* a, int d, pkm_error* err)
{
    const pkm_drive* drive = &a->robot->mech->drive[d];
    const pkm_motor* motor = &a->plan[d].motor;
    PKM_TRY(pkm_motor_check(motor, drive->name, err));
    // reduced to the drive [kg, kg m^2]; it goes into the mass matrix
    a->rotor[d] = pkm_motor_inertia(motor);
    if (a->rotor[d] > 0.0 && drive->v_index == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: rotor inertia needs a drive on a joint that turns or slides",
                        drive->name);
    const bool follows =
        a->plan[d].kind == PKM_DRIVE_PRESCRIBED || a->plan[d].kind == PKM_DRIVE_LOCKED;
    if (is_coupled(a, d)) a->rotor[d] = 0.0; // it moves by itself
    if (!follows && pkm_motor_is_self_locking(motor))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: gear or screw is self-locking, expected a prescribed drive or an "
                        "efficiency above 0.5",
                        drive->name);
    return PKM_OK;
}

/// A motor that moves by itself has an inertia.
static pkm_status take_coupling(pkm_actuator* a, int d, pkm_error* err)
{
    const pkm_drive_plan* plan = &a->plan[d];
    const char* name = a->robot->mech->drive[d].name;
    PKM_TRY(pkm_shaft_coupling_check(&plan->coupling, name, err));
    if (plan->kind == PKM_DRIVE_PRESCRIBED || plan->kind == PKM_DRIVE_LOCKED) return PKM_OK;
    if (!plan->has_motor || !(pkm_motor_inertia(&plan->motor) > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: a motor that moves behind an elastic belt or backlash needs a mass, "
                        "expected motor: {rotor_inertia: ...} above 0",
                        name);
    return PKM_OK;
}

/// States of the motors stand behind those of the controllers.
static void place_shafts(pkm_actuator* a)
{
    pkm_target target;
    pkm_actuator_reference(a, 0.0, &target);
    a->n_state = a->servo.n_state;
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        a->shaft_at[d] = PKM_NONE;
        const pkm_drive_kind kind = a->plan[d].kind;
        if (!is_coupled(a, d) || kind == PKM_DRIVE_PRESCRIBED || kind == PKM_DRIVE_LOCKED) continue;
        a->servo.has_shaft[d] = true;
        a->shaft_at[d] = a->n_state;
        a->shaft_start[d] = target.v[d];
        a->n_state += 2;
    }
}

static pkm_status take_plans(pkm_actuator* a, pkm_robot* robot, const pkm_actuator_spec* spec,
                             pkm_error* err)
{
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_drive_kind kind = spec->plan[d].kind;
        a->plan[d] = spec->plan[d];
        // the limit of the model is one of the drive itself: no controller passes it
        a->plan[d].controller.force_limit =
            fmin(a->plan[d].controller.force_limit, robot->mech->drive[d].force_limit);
        a->prescribed[d] = pkm_drive_is_prescribed(&a->plan[d]);
        a->has_servo = a->has_servo || kind == PKM_DRIVE_SERVO;
        if (a->plan[d].has_motor) PKM_TRY(take_motor(a, d, err));
        if (is_coupled(a, d)) PKM_TRY(take_coupling(a, d, err));
        if (kind == PKM_DRIVE_FORCE)
            PKM_TRY(pkm_signal_check(&a->plan[d].force, robot->mech->drive[d].name, err));
    }
    int n_prescribed = 0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        n_prescribed += a->prescribed[d];
    if (!spec->may_bend) PKM_TRY(pkm_robot_require_unique(robot, n_prescribed, err));
    PKM_TRY(pkm_program_begin(&a->program, &spec->program, robot->mech, a->prescribed, err));
    return a->has_servo ? pkm_servo_begin(&a->servo, robot, a->plan, spec->model, err) : PKM_OK;
}

/// Locked drives stay where the motion starts.
static pkm_status take_motion(pkm_actuator* a, pkm_robot* robot, const pkm_actuator_spec* spec,
                              pkm_error* err)
{
    double v[PKM_MAX_DRIVE], acc[PKM_MAX_DRIVE];
    const bool plays = has_kind(a, PKM_DRIVE_PLAYBACK);
    if (plays) PKM_TRY(pkm_idle_require_none(robot, "playback of inverse dynamics", err));
    const pkm_reference_spec reference_spec = {.motion = spec->motion,
                                               .end_time = spec->end_time,
                                               .is_prescribed =
                                                   plays || has_kind(a, PKM_DRIVE_PRESCRIBED),
                                               .has_force = plays,
                                               .tool_force = spec->tool_force,
                                               .tool_torque = spec->tool_torque};
    PKM_TRY(pkm_reference_create(robot, &reference_spec, &a->motion, err));
    pkm_reference_at(a->motion, 0.0, a->start, v, acc);
    return PKM_OK;
}

pkm_status pkm_actuator_create(pkm_robot* robot, const pkm_actuator_spec* spec, pkm_actuator** out,
                               pkm_error* err)
{
    *out = NULL;
    pkm_actuator* a = pkm_alloc(1, sizeof *a);
    if (!a) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    a->robot = robot;
    a->added = spec->added_force;
    a->given = spec->given;
    memcpy(a->start, robot->drive_home, sizeof a->start);
    pkm_status status = take_plans(a, robot, spec, err);
    if (status == PKM_OK && spec->motion != PKM_NONE) status = take_motion(a, robot, spec, err);
    if (status != PKM_OK) {
        pkm_actuator_free(a);
        return status;
    }
    place_shafts(a);
    a->actuation =
        (pkm_actuation){.user = a, .n_state = a->n_state, .reference = reference, .force = force};
    *out = a;
    return PKM_OK;
}

void pkm_actuator_free(pkm_actuator* a)
{
    if (!a) return;
    pkm_servo_end(&a->servo);
    pkm_program_end(&a->program);
    pkm_reference_free(a->motion);
    pkm_free(a);
}

const pkm_actuation* pkm_actuator_get(const pkm_actuator* a)
{
    return &a->actuation;
}

const bool* pkm_actuator_prescribed(const pkm_actuator* a)
{
    return a->prescribed;
}

const double* pkm_actuator_rotor(const pkm_actuator* a)
{
    return a->rotor;
}

void pkm_actuator_memo(pkm_actuator* a, pkm_memo* memo)
{
    if (a->has_servo) pkm_servo_memo(&a->servo, memo);
    pkm_program_memo(&a->program, memo);
}
