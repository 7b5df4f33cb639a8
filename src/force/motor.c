// A motor with its rotor, shaft friction, gear, belt and screw. `require` goes from the force that
// a motion needs to the torque, `drive` from torque to force; both end with the balance of powers
// (5.8). v and a are those of the drive coordinate [m or rad]. Called by inverse dynamics
// (robot/inverse_run_motors.c), simulations and the choice of motors. Equations:
// docs/theory/forces.md, section 5.
#include "force/motor.h"

#include "base/error.h"
#include "force/expect.h"
#include "math/angle.h"

#include <math.h>

/// Slope of the smoothed sign tanh(4 w / w_t): it is 0.9993 at the transition speed.
static const double SIGN_STEEPNESS = 4.0;

/// The driving torque falls to zero over this last part of the speed limit, as the voltage runs
/// out.
static const double SPEED_TAPER = 0.05;

pkm_motor pkm_motor_defaults(void)
{
    return (pkm_motor){.gear_ratio = 1.0,
                       .efficiency = 1.0,
                       .belt_ratio = 1.0,
                       .belt_efficiency = 1.0,
                       .screw_efficiency = 1.0,
                       .transition_speed = 1.0,
                       .torque_limit = INFINITY,
                       .speed_limit = INFINITY};
}

// ---- check -------------------------------------------------------------------------------------

pkm_status pkm_motor_check(const pkm_motor* m, const char* name, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative(name, "rotor_inertia", m->rotor_inertia, err));
    PKM_TRY(pkm_expect_positive(name, "gear_ratio", m->gear_ratio, err));
    PKM_TRY(pkm_expect_part(name, "efficiency", m->efficiency, err));
    PKM_TRY(pkm_expect(m->backdrive_efficiency <= 1.0, name, "backdrive_efficiency",
                       m->backdrive_efficiency, "a number <= 1", err));
    PKM_TRY(pkm_expect_positive(name, "belt ratio", m->belt_ratio, err));
    PKM_TRY(pkm_expect_part(name, "belt efficiency", m->belt_efficiency, err));
    PKM_TRY(pkm_expect_not_negative(name, "screw_lead", m->screw_lead, err));
    PKM_TRY(pkm_expect_part(name, "screw_efficiency", m->screw_efficiency, err));
    PKM_TRY(pkm_expect_not_negative(name, "viscous", m->viscous, err));
    PKM_TRY(pkm_expect_not_negative(name, "coulomb", m->coulomb, err));
    PKM_TRY(pkm_expect_positive(name, "transition_speed", m->transition_speed, err));
    PKM_TRY(pkm_expect(m->torque_limit > 0.0, name, "torque_limit", m->torque_limit, "> 0", err));
    PKM_TRY(pkm_expect(m->speed_limit > 0.0, name, "speed_limit", m->speed_limit, "> 0", err));
    return pkm_expect_not_negative(name, "winding_loss", m->winding_loss, err);
}

// ---- transmission ------------------------------------------------------------------------------

/// N = belt gear 2 pi/lead (5.1), of the shaft's angle to the drive coordinate.
double pkm_motor_ratio(const pkm_motor* motor)
{
    const double turns = motor->screw_lead > 0.0 ? PKM_TURN / motor->screw_lead : 1.0;
    return motor->belt_ratio * motor->gear_ratio * turns;
}

/// N^2 J (5.2) [kg or kg m2]
double pkm_motor_inertia(const pkm_motor* motor)
{
    const double N = pkm_motor_ratio(motor);
    return N * N * motor->rotor_inertia;
}

/// Efficiency when the load drives, for the same loss torque as forwards (5.5).
static double backward(double efficiency)
{
    return 2.0 - 1.0 / efficiency;
}

static double gear_backward(const pkm_motor* m)
{
    return m->backdrive_efficiency != 0.0 ? m->backdrive_efficiency : backward(m->efficiency);
}

static double screw_efficiency(const pkm_motor* m)
{
    return m->screw_lead > 0.0 ? m->screw_efficiency : 1.0;
}

bool pkm_motor_is_self_locking(const pkm_motor* motor)
{
    return gear_backward(motor) <= 0.0 || backward(screw_efficiency(motor)) <= 0.0 ||
           backward(motor->belt_efficiency) <= 0.0;
}

/// kappa, input over ideal input torque of a stage, at output torque `output` and smoothed sign of
/// the speed `sign` (5.4).
static double stage_factor(double forth, double back, double output, double sign)
{
    const double flow = output >= 0.0 ? sign : -sign; // 1: power flows to the load, -1: from it
    return flow >= 0.0 ? 1.0 + (1.0 / forth - 1.0) * flow : 1.0 + (1.0 - back) * flow;
}

/// Torque into the transmission [N m] that passes the force on, (5.6).
static double transmission_input(const pkm_motor* m, double force, double sign)
{
    const double eta = screw_efficiency(m);
    const double screw = stage_factor(eta, backward(eta), force, sign) * force;
    const double gear = stage_factor(m->efficiency, gear_backward(m), screw, sign) * screw;
    const double eta_b = m->belt_efficiency;
    return stage_factor(eta_b, backward(eta_b), gear, sign) * gear / pkm_motor_ratio(m);
}

/// The inverse: every factor is positive, so input and output of a stage have one sign.
static double transmission_output(const pkm_motor* m, double torque, double sign)
{
    const double eta = screw_efficiency(m), eta_b = m->belt_efficiency;
    const double belt = torque * pkm_motor_ratio(m);
    const double gear = belt / stage_factor(eta_b, backward(eta_b), belt, sign);
    const double screw = gear / stage_factor(m->efficiency, gear_backward(m), gear, sign);
    return screw / stage_factor(eta, backward(eta), screw, sign);
}

// ---- shaft -------------------------------------------------------------------------------------

/// (5.3): the limit falls over the last part of the speed when the motor drives, not when it
/// brakes. A motor without a limit of torque has what was asked for instead.
double pkm_motor_limit(const pkm_motor* motor, double torque, double speed)
{
    double limit = motor->torque_limit;
    if (torque * speed > 0.0 && isfinite(motor->speed_limit)) {
        const double left = (motor->speed_limit - fabs(speed)) / (SPEED_TAPER * motor->speed_limit);
        if (left <= 0.0) return 0.0;
        if (left < 1.0) limit = left * (isfinite(limit) ? limit : fabs(torque));
    }
    return fabs(torque) <= limit ? torque : copysign(limit, torque);
}

/// Friction of the shaft [N m], (5.7).
static double shaft_friction(const pkm_motor* m, double speed, double sign)
{
    return m->viscous * speed + m->coulomb * sign;
}

static double smooth_sign(const pkm_motor* m, double speed)
{
    return tanh(SIGN_STEEPNESS * speed / m->transition_speed);
}

/// Powers of a point whose torque, force and speed are known, (5.8).
static void fill_powers(const pkm_motor* m, double v, double a, pkm_motor_point* out)
{
    const double w = out->shaft_speed, sign = smooth_sign(m, w);
    out->friction_loss = shaft_friction(m, w, sign) * w;
    out->rotor_power = m->rotor_inertia * pkm_motor_ratio(m) * a * w;
    out->output_power = out->force * v;
    out->transmission_loss = transmission_input(m, out->force, sign) * w - out->output_power;
    out->winding_loss = m->winding_loss * out->torque * out->torque;
    out->electrical_power = out->torque * w + out->winding_loss;
}

pkm_motor_point pkm_motor_drive(const pkm_motor* motor, double torque, double v, double a)
{
    PKM_ASSERT(!pkm_motor_is_self_locking(motor));
    const double N = pkm_motor_ratio(motor), speed = N * v, sign = smooth_sign(motor, speed);
    pkm_motor_point out = {.torque = pkm_motor_limit(motor, torque, speed), .shaft_speed = speed};
    out.is_saturated = out.torque != torque;
    // what is left for the transmission: (5.7) solved for tau_t
    const double passed =
        out.torque - shaft_friction(motor, speed, sign) - motor->rotor_inertia * N * a;
    out.force = transmission_output(motor, passed, sign);
    fill_powers(motor, v, a, &out);
    return out;
}

pkm_motor_point pkm_motor_require(const pkm_motor* motor, double force, double v, double a)
{
    const double N = pkm_motor_ratio(motor), speed = N * v, sign = smooth_sign(motor, speed);
    pkm_motor_point out = {.force = force, .shaft_speed = speed};
    out.torque = transmission_input(motor, force, sign) + shaft_friction(motor, speed, sign) +
                 motor->rotor_inertia * N * a;
    out.is_saturated = pkm_motor_limit(motor, out.torque, speed) != out.torque;
    fill_powers(motor, v, a, &out);
    return out;
}

pkm_motor_point pkm_motor_require_all(const pkm_motor* motor, double force, double v, double a)
{
    return pkm_motor_require(motor, force - pkm_motor_inertia(motor) * a, v, a);
}
