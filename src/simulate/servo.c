// Controllers of drives: their measurements, the model that some of them ask, continuous and
// sampled ones. docs/theory/forces.md, section 6.
#include "simulate/servo.h"

#include "base/error.h"
#include "pkm/inverse.h"

#include <string.h>

static bool is_servo(const pkm_servo* s, int d)
{
    return s->plan[d].kind == PKM_DRIVE_SERVO;
}

static bool has_kind(const pkm_servo* s, pkm_controller_kind kind)
{
    for (int d = 0; d < s->mech->n_drive; ++d)
        if (is_servo(s, d) && s->plan[d].controller.kind == kind) return true;
    return false;
}

// ---- the model --------------------------------------------------------------------------------

/// Measurement and reference of every drive.
static void measure(const pkm_servo* s, const pkm_state* state, const pkm_target* target,
                    const double* z, pkm_control_input* in)
{
    for (int d = 0; d < s->mech->n_drive; ++d) {
        double a;
        in[d] = (pkm_control_input){
            .q_ref = target->q[d], .v_ref = target->v[d], .a_ref = target->a[d]};
        in[d].q = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &in[d].v, &a);
        // an encoder sits on the motor's shaft
        if (s->has_shaft[d]) {
            in[d].q = s->shaft_q[d];
            in[d].v = s->shaft_v[d];
        }
        // sampled ones integrate by themselves, continuous ones with the run
        in[d].integral = s->sampler[d]                ? s->integral[d]
                         : s->state_at[d] != PKM_NONE ? z[s->state_at[d]]
                                                      : 0.0;
        in[d].is_sampled = s->sampler[d] != NULL;
    }
}

/// Inverse dynamics of the model at these positions; a failure there is one of this trial state.
static pkm_status ask_model(pkm_servo* s, pkm_instant* now)
{
    const pkm_status status = pkm_inverse_at(s->model, PKM_METHOD_ENGINE, now, NULL);
    return status == PKM_OK || status == PKM_ERR_MEMORY ? status : PKM_RETRY;
}

/// The accelerations that the controllers command: those of computed torque with feedback, those of
/// the reference elsewhere. A model knows the rotors of its drives.
static pkm_status find_model_forces(pkm_servo* s, pkm_control_input* in)
{
    const int n = s->mech->n_drive;
    pkm_instant now = {.q = {0.0}};
    for (int d = 0; d < n; ++d) {
        const bool commands =
            is_servo(s, d) && s->plan[d].controller.kind == PKM_CONTROLLER_COMPUTED_TORQUE;
        now.q[d] = in[d].q;
        now.v[d] = in[d].v;
        // (6.5)
        now.a[d] =
            commands ? pkm_controller_acceleration(&s->plan[d].controller, &in[d]) : in[d].a_ref;
    }
    PKM_TRY(ask_model(s, &now));
    for (int d = 0; d < n; ++d) {
        // inverse dynamics knows bodies only: the rotor's share is added
        const double rotor = s->plan[d].has_motor ? pkm_motor_inertia(&s->plan[d].motor) : 0.0;
        in[d].model_force = now.force[d] + rotor * now.a[d];
    }
    return PKM_OK;
}

static pkm_status find_gravity(pkm_servo* s, pkm_control_input* in)
{
    pkm_instant now = {.q = {0.0}};
    // at rest: velocities and accelerations are zero
    for (int d = 0; d < s->mech->n_drive; ++d)
        now.q[d] = in[d].q;
    PKM_TRY(ask_model(s, &now));
    for (int d = 0; d < s->mech->n_drive; ++d)
        in[d].gravity = now.force[d];
    return PKM_OK;
}

static pkm_status find_inputs(pkm_servo* s, const pkm_state* state, const pkm_target* target,
                              const double* z, pkm_control_input* in)
{
    measure(s, state, target, z, in);
    if (has_kind(s, PKM_CONTROLLER_COMPUTED_TORQUE)) PKM_TRY(find_model_forces(s, in));
    if (has_kind(s, PKM_CONTROLLER_PD_GRAVITY)) PKM_TRY(find_gravity(s, in));
    return PKM_OK;
}

// ---- continuous and sampled -------------------------------------------------------------------

pkm_status pkm_servo_forces(pkm_servo* s, const pkm_state* state, const pkm_target* target,
                            const double* z, double* force, double* z_rate)
{
    pkm_control_input in[PKM_MAX_DRIVE];
    bool asks = false;
    for (int d = 0; d < s->mech->n_drive; ++d)
        // sampled ones are asked at their own instants only
        asks = asks || (is_servo(s, d) && !s->sampler[d]);
    if (asks) PKM_TRY(find_inputs(s, state, target, z, in));
    for (int d = 0; d < s->mech->n_drive; ++d) {
        if (!is_servo(s, d)) continue;
        if (s->sampler[d]) {
            // held between the samples
            force[d] = pkm_sampler_get(s->sampler[d])[0];
            continue;
        }
        // (6.1), (6.2)
        s->last[d] = pkm_controller_evaluate(&s->plan[d].controller, &in[d]);
        force[d] = s->last[d].force;
        if (s->state_at[d] != PKM_NONE) z_rate[s->state_at[d]] = s->last[d].integral_rate;
    }
    return PKM_OK;
}

double pkm_servo_next_event(const pkm_servo* s)
{
    double next = HUGE_VAL;
    for (int d = 0; d < s->mech->n_drive; ++d)
        if (s->sampler[d]) next = fmin(next, pkm_sampler_next_event(s->sampler[d]));
    return next;
}

pkm_status pkm_servo_sample(pkm_servo* s, double t, const pkm_state* state,
                            const pkm_target* target)
{
    pkm_control_input in[PKM_MAX_DRIVE];
    bool due = false;
    for (int d = 0; d < s->mech->n_drive; ++d) {
        if (!s->sampler[d]) continue;
        pkm_sampler_advance(s->sampler[d], t);
        due = due || pkm_sampler_is_due(s->sampler[d], t);
    }
    if (!due) return PKM_OK;
    // continuous states are not asked for here
    const double none[PKM_MAX_DRIVE] = {0.0};
    PKM_TRY(find_inputs(s, state, target, none, in));
    for (int d = 0; d < s->mech->n_drive; ++d) {
        if (!s->sampler[d] || !pkm_sampler_is_due(s->sampler[d], t)) continue;
        s->last[d] = pkm_controller_evaluate(&s->plan[d].controller, &in[d]);
        // Euler's rule with the period, as a controller has it
        s->integral[d] += s->plan[d].sample_period * s->last[d].integral_rate;
        pkm_sampler_put(s->sampler[d], &s->last[d].force);
    }
    return PKM_OK;
}

void pkm_servo_memo(pkm_servo* s, pkm_memo* memo)
{
    pkm_memo_pass(memo, s->integral, sizeof s->integral);
    pkm_memo_pass(memo, s->last, sizeof s->last);
    for (int d = 0; d < s->mech->n_drive; ++d)
        if (s->sampler[d]) pkm_sampler_memo(s->sampler[d], memo);
}

// ---- begin and end ----------------------------------------------------------------------------

static pkm_status add_servo(pkm_servo* s, int d, pkm_error* err)
{
    const pkm_drive_plan* plan = &s->plan[d];
    PKM_TRY(pkm_controller_check(&plan->controller, s->mech->drive[d].name, err));
    if (plan->sample_period > 0.0) {
        PKM_TRY(
            pkm_sampler_create(plan->sample_period, plan->sample_delay, 1, &s->sampler[d], err));
        pkm_sampler_reset(s->sampler[d], 0.0, NULL);
    } else if (pkm_controller_has_state(&plan->controller)) {
        s->state_at[d] = s->n_state++;
    }
    return PKM_OK;
}

pkm_status pkm_servo_begin(pkm_servo* s, pkm_robot* robot, const pkm_drive_plan* plan,
                           pkm_robot* model, pkm_error* err)
{
    *s = (pkm_servo){.mech = robot->mech, .plan = plan, .model = model};
    for (int d = 0; d < s->mech->n_drive; ++d)
        s->state_at[d] = PKM_NONE;
    for (int d = 0; d < s->mech->n_drive; ++d)
        if (is_servo(s, d)) PKM_TRY(add_servo(s, d, err));
    const bool needs_model =
        has_kind(s, PKM_CONTROLLER_COMPUTED_TORQUE) || has_kind(s, PKM_CONTROLLER_PD_GRAVITY);
    if (!needs_model) return PKM_OK;
    if (!model) {
        s->owns_model = true;
        PKM_TRY(pkm_robot_twin(robot, &s->model, err));
    }
    // idle freedoms are held in the model: it cannot know how they move
    s->model->holds_idle = true;
    if (s->model->mech->n_drive != robot->mech->n_drive)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "controllers: their model has %d drives, expected %d",
                        s->model->mech->n_drive, robot->mech->n_drive);
    return PKM_OK;
}

void pkm_servo_end(pkm_servo* s)
{
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        pkm_sampler_free(s->sampler[d]);
    if (s->owns_model) pkm_robot_free(s->model);
}
