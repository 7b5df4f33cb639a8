// Controllers of single drives: PD, PID, PD with gravity, and the outer loop of computed torque.
// Pure functions of references, measurements and the integral, which is a state of the integrator
// (or, sampled, of sampler.c). Equations: docs/theory/forces.md, section 6.
#include "force/controller.h"

#include "base/error.h"
#include "force/expect.h"

#include <math.h>

pkm_controller pkm_controller_defaults(pkm_controller_kind kind)
{
    return (pkm_controller){.kind = kind,
                            .force_limit = INFINITY,
                            .anti_windup = PKM_WINDUP_CLAMPING,
                            .tracking_time = 0.1};
}

/// Gains for given poles of a constant mass (6.3), with the integral (6.4). Computed torque has
/// accelerations for forces, so its mass is 1.
pkm_controller pkm_controller_tune(pkm_controller_kind kind, double mass, double frequency,
                                   double damping)
{
    pkm_controller c = pkm_controller_defaults(kind);
    // (6.3)
    const double m = kind == PKM_CONTROLLER_COMPUTED_TORQUE ? 1.0 : mass, w = frequency;
    c.kp = m * w * w;
    c.kd = 2.0 * damping * m * w;
    if (kind == PKM_CONTROLLER_PID) {
        c.kp = m * w * w * (1.0 + 2.0 * damping);
        c.kd = m * w * (1.0 + 2.0 * damping);
        c.ki = m * w * w * w;
        c.tracking_time = 1.0 / w;
    }
    return c;
}

pkm_status pkm_controller_check(const pkm_controller* c, const char* name, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative(name, "kp", c->kp, err));
    PKM_TRY(pkm_expect_not_negative(name, "kd", c->kd, err));
    PKM_TRY(pkm_expect_not_negative(name, "ki", c->ki, err));
    PKM_TRY(pkm_expect_not_negative(name, "velocity_feedforward", c->velocity_feedforward, err));
    PKM_TRY(pkm_expect_not_negative(name, "acceleration_feedforward", c->acceleration_feedforward,
                                    err));
    PKM_TRY(pkm_expect(c->force_limit > 0.0, name, "force_limit", c->force_limit, "> 0", err));
    const bool has_time = isfinite(c->tracking_time) && c->tracking_time > 0.0;
    return pkm_expect(has_time || c->anti_windup != PKM_WINDUP_BACK_CALCULATION, name,
                      "tracking_time", c->tracking_time, "a time > 0", err);
}

bool pkm_controller_has_state(const pkm_controller* controller)
{
    const bool may = controller->kind == PKM_CONTROLLER_PID ||
                     controller->kind == PKM_CONTROLLER_COMPUTED_TORQUE;
    return may && controller->ki > 0.0;
}

/// kp e + kd e' plus the integral, where there is one.
static double feedback(const pkm_controller* c, const pkm_control_input* in)
{
    // e and e' are reference less measurement
    const double pd = c->kp * (in->q_ref - in->q) + c->kd * (in->v_ref - in->v);
    return pkm_controller_has_state(c) ? pd + in->integral : pd;
}

/// a = a_ref + kd e' + kp e + x (6.5), which inverse dynamics turns into a force.
double pkm_controller_acceleration(const pkm_controller* controller, const pkm_control_input* in)
{
    return in->a_ref + feedback(controller, in);
}

/// The force asked for, (6.1).
static double demand(const pkm_controller* c, const pkm_control_input* in)
{
    if (c->kind == PKM_CONTROLLER_COMPUTED_TORQUE) return in->model_force;
    const double gravity = c->kind == PKM_CONTROLLER_PD_GRAVITY ? in->gravity : 0.0;
    return feedback(c, in) + gravity + c->velocity_feedforward * in->v_ref +
           c->acceleration_feedforward * in->a_ref;
}

/// (6.2). The integral of the computed torque is an acceleration: what the limit cuts off is a
/// force, so back-calculation clamps there. Clamped on one side of the limit and free on the other
/// a continuous integral would slide along the limit by jumps: it fades within a small band.
static double integral_rate(const pkm_controller* c, const pkm_control_input* in, double cut_off)
{
    static const double BAND = 1e-3; // of the limit
    const double error = in->q_ref - in->q;
    if (!pkm_controller_has_state(c)) return 0.0;
    const double rate = c->ki * error;
    if (cut_off == 0.0 || c->anti_windup == PKM_WINDUP_FREE) return rate;
    if (c->anti_windup == PKM_WINDUP_BACK_CALCULATION && c->kind == PKM_CONTROLLER_PID)
        return rate - cut_off / c->tracking_time;
    if (!(rate * cut_off > 0.0)) return rate;
    return in->is_sampled ? 0.0 : rate * fmax(0.0, 1.0 - fabs(cut_off) / (BAND * c->force_limit));
}

pkm_control_output pkm_controller_evaluate(const pkm_controller* controller,
                                           const pkm_control_input* in)
{
    const double asked = demand(controller, in), limit = controller->force_limit;
    // cut to the limit, with its sign
    const double given = fabs(asked) <= limit ? asked : copysign(limit, asked);
    return (pkm_control_output){
        .force = given,
        .demand = asked,
        .integral_rate = integral_rate(controller, in, asked - given),
        .is_saturated = given != asked,
    };
}
