// A run: tolerances, preparation in the order in which things depend on each other, and what ends
// it. docs/theory/simulation.md.
#include "simulate/simulation.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/unset.h"
#include "dynamics/plant_friction_columns.h"
#include "dynamics/rows_rank.h"
#include "math/tensor.h"
#include "robot/idle.h"
#include "robot/motor_limits.h"
#include "robot/nearness.h"
#include "robot/snapshots.h"
#include "run/takes.h"
#include "simulate/simulation_impl.h"
#include "table/warnings.h"

#include <stdio.h>
#include <string.h>

// ---- state vector and rates -------------------------------------------------------------------

void pkm_sim_load_state(pkm_sim* s, const double* y)
{
    s->stands_at_rate = false;
    memcpy(s->robot->state->q, y, (size_t)s->n_q * sizeof(double));
    memcpy(s->robot->state->v, y + s->n_q, (size_t)s->n_v * sizeof(double));
}

void pkm_sim_store_state(const pkm_sim* s, double* y)
{
    memcpy(y, s->robot->state->q, (size_t)s->n_q * sizeof(double));
    memcpy(y + s->n_q, s->robot->state->v, (size_t)s->n_v * sizeof(double));
}

bool pkm_sim_has_more(const pkm_sim* s, int d)
{
    const pkm_drive_plan* plan = &s->settings->drive[d];
    return plan->kind == PKM_DRIVE_SERVO || plan->has_motor || plan->coupling.stiffness > 0.0;
}

void pkm_sim_sum_rates(const pkm_sim* s, double t, double* out)
{
    const pkm_ledger_rates now = pkm_plant_ledger(s->plant);
    out[PKM_SUM_DRIVE] = now.drive;
    out[PKM_SUM_LOAD] = now.load;
    out[PKM_SUM_FRICTION] = now.friction;
    out[PKM_SUM_DAMPING] = now.damping;
    // of what can have both signs the size, of losses as they are [W]
    out[PKM_SUM_EXCHANGED] =
        fabs(now.drive) + fabs(now.load) + now.friction + now.damping + now.contact;
    if (s->n_sum == PKM_N_SUM) return;
    // forces of prescribed drives are those of their accelerations
    PKM_UNSET pkm_target target; // prescribed drives have these accelerations
    out += PKM_N_SUM;
    pkm_actuator_reference(s->actuator, t, &target);
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        double v, a;
        if (!pkm_sim_has_more(s, d)) continue;
        pkm_drive_rates(s->robot->state, d, &v, &a);
        const double force = pkm_plant_drive_force(s->plant)[d];
        *out++ = pkm_actuator_point(s->actuator, d, force, v, target.a[d]).electrical_power;
    }
    pkm_sim_contact_rates(s, out);
}

pkm_status pkm_sim_project(pkm_sim* s, double t, double* y)
{
    pkm_sim_load_state(s, y);
    // steps add to quaternions as to other numbers: unit length first, then the constraints
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    PKM_TRY(pkm_plant_project(s->plant, t));
    pkm_sim_store_state(s, y);
    return PKM_OK;
}

/// Modes stiffer than some 160 Hz turn errors of their coordinates into forces: the tolerance of
/// their elastic acceleration is that of a mode of this frequency [rad/s] in a run without
/// clearance, whose tolerances have the scale 1.
static const double STIFF_MODE = 1e3;

/// What an error of a velocity does to positions in this time [s] counts; vibrations that are
/// faster do less.
static const double REACH = 0.01;

static void tighten_modes(const pkm_sim* s, double scale)
{
    // frequencies scale with the square root of the stiffness that the tolerance stands for
    const double stiff = STIFF_MODE / sqrt(scale);
    const pkm_mechanism* mech = s->robot->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k) {
            // K z is an error of an acceleration: tolerance of z falls with omega^2, of its rate
            // with omega
            const double ratio = fmin(1.0, stiff / sqrt(body->modal->stiffness[k]));
            s->atol[body->z_at + k] *= ratio * ratio;
            s->atol[s->n_q + body->e_at + k] *= ratio;
        }
    }
}

/// Bristles are measured by the deflection at which their surfaces slip; where surfaces hit each
/// other friction that is right to a thousandth will do.
static bool set_bristle_tolerances(pkm_sim* s)
{
    static const double TOUCHING = 1e-3;
    const double tolerance =
        pkm_plant_n_pair(s->plant) > 0 ? fmax(s->tolerance, TOUCHING) : s->tolerance;
    double* atol = s->atol + s->n_q + s->n_v;
    bool any = false;
    memset(s->z_rate, 0, (size_t)s->n_z * sizeof(double));
    pkm_plant_bristle_sizes(s->plant, s->z_rate);
    for (int i = 0; i < s->n_z; ++i) {
        // zero: no bristle
        if (!(s->z_rate[i] > 0.0)) continue;
        atol[i] = tolerance * s->z_rate[i];
        any = true;
    }
    return any;
}

/// Angles of a small robot need no more digits than those of one of 0.1 m.
static double turn_of(double size, double unit)
{
    return fmax(size, fmin(unit, 0.1)); // the unit of a length is the size, that of an angle 1
}

/// Absolute tolerances: positions and velocities in robot sizes, integrals loosely. What happens in
/// joints with clearance is a hundred times smaller; there it is impacts that ring in modes.
void pkm_sim_set_tolerances(pkm_sim* s)
{
    const bool has_contacts = pkm_plant_n_pair(s->plant) > 0;
    const pkm_mechanism* mech = s->robot->mech;
    const double scale = has_contacts ? 0.01 : 1.0;
    // robots of millimetres: tolerances of a metre would be loose, of a micrometre tight
    const double size = fmax(1e-3, mech->size), tol = s->tolerance;
    // positions [m, rad], velocities with ten times the number [m/s, rad/s], or a fifth of it where
    // errors of some 1e-7 m/s would shake loose what friction holds, then all others
    const bool can_stop = pkm_plant_can_stop(s->plant);
    for (int i = 0; i < s->n_y; ++i)
        s->atol[i] = tol * (scale * (i < s->n_q ? turn_of(size, mech->q_unit[i]) : size));
    for (int k = 0; k < s->n_v; ++k) {
        const double unit = scale * turn_of(size, mech->v_unit[k]);
        const double fast = fmin(10.0 * unit, can_stop ? 0.2 * unit / scale : HUGE_VAL);
        s->atol[s->n_q + k] = tol * fast;
    }
    for (int i = 0; i < s->n_y; ++i)
        s->reach[i] = s->integrator == PKM_INTEGRATOR_SDIRK && i >= s->n_q && i < s->n_q + s->n_v
                          ? REACH
                          : 0.0;
    // impacts ring in modes, which are held as the rest then
    const bool rings = has_contacts && s->integrator == PKM_INTEGRATOR_BDF;
    if (s->integrator != PKM_INTEGRATOR_IDA && !rings) tighten_modes(s, scale);
    s->has_bristles = set_bristle_tolerances(s);
    for (int i = s->n_y - s->n_sum; i < s->n_y; ++i)
        // integrals steer no step: a thousandth of a joule per kilogram at 1e-6
        s->atol[i] = 1e3 * fmin(tol, 1e-6) * (1.0 + s->robot->mech->total_mass);
}

/// Friction at the end of the last step that was taken; where it settled there, at the state that
/// was tried last.
static pkm_jam judge_friction(pkm_sim* s)
{
    // before the first step the start is judged
    const bool steps = s->stepper.m != NULL;
    const double t = steps ? pkm_sim_time(s) : 0.0;
    const double* y = steps ? pkm_sim_state(s) : s->y;
    pkm_sim_load_state(s, y);
    return pkm_plant_judge_friction(s->plant, t, y + s->n_q + s->n_v, s->z_rate);
}

/// Why no step leads on where friction did not settle, or gets nowhere.
static pkm_stop stop_of_friction(pkm_sim* s, pkm_jam* jam)
{
    static const pkm_stop stop[] = {[PKM_JAM_NONE] = PKM_STOP_STEP_LIMIT,
                                    [PKM_JAM_GROWS] = PKM_STOP_JAMMED,
                                    [PKM_JAM_PARADOX] = PKM_STOP_PARADOX,
                                    [PKM_JAM_OPEN] = PKM_STOP_UNSETTLED};
    const bool was_unsettled = pkm_plant_jams(s->plant);
    *jam = judge_friction(s);
    return jam->kind == PKM_JAM_NONE && was_unsettled ? PKM_STOP_UNSETTLED : stop[jam->kind];
}

pkm_stop pkm_sim_stop_for(pkm_sim* s, pkm_status status, pkm_jam* jam)
{
    *jam = (pkm_jam){.kind = PKM_JAM_NONE, .joint = PKM_NONE};
    if (s->why != PKM_STOP_END_TIME) return s->why;
    if (status == PKM_ERR_INTERRUPTED) return PKM_STOP_INTERRUPTED;
    if (status == PKM_ERR_NUMBERS) return PKM_STOP_CONTROLLER;
    if (status == PKM_ERR_SINGULAR) return PKM_STOP_SINGULAR;
    const pkm_stop friction = stop_of_friction(s, jam);
    // nothing said why: a state that callbacks refuse at any step is singular, else steps shrink
    if (friction != PKM_STOP_STEP_LIMIT) return friction;
    return status == PKM_RETRY ? PKM_STOP_SINGULAR : PKM_STOP_STEP_LIMIT;
}

/// Surfaces that stick and slip on and on without getting anywhere. Impacts may be many and near:
/// contacts have more steps to get past them.
static bool stands_still(pkm_sim* s, double t)
{
    const double steps = s->contacts ? 5000.0 : 200.0;
    const double least = s->contacts ? 1e-8 : 1e-6; // of the run
    const bool rubs = s->settings->effects && s->settings->effects->n_friction > 0;
    // asked once in so many steps
    if (!(s->has_bristles || rubs) || fmod(s->n_step, steps) != 0.0) return false;
    const bool stands = t - s->t_before_steps < least * s->settings->end_time;
    s->t_before_steps = t;
    return stands;
}

/// Does a part move faster than anything real [rad/s, sizes/s]?
static bool diverges(const pkm_sim* s)
{
    // /s: beyond what any robot does, far below where numbers overflow
    static const double FASTEST = 1e5;
    for (int k = 0; k < s->n_v; ++k)
        if (fabs(s->robot->state->v[k]) > FASTEST * s->robot->mech->v_unit[k]) return true;
    return false;
}

/// Has the user had enough, or is the budget used up? END_TIME: no.
static pkm_stop asked_to_end(const pkm_sim* s, double t)
{
    const pkm_sim_settings* set = s->settings;
    if (set->progress && !set->progress(set->user, t / set->end_time)) return PKM_STOP_INTERRUPTED;
    if ((set->budget_steps > 0.0 && s->n_step >= set->budget_steps) ||
        (set->budget_time > 0.0 && pkm_clock() - s->began > set->budget_time))
        return PKM_STOP_BUDGET;
    return PKM_STOP_END_TIME;
}

bool pkm_sim_goes_on(pkm_sim* s, double t, pkm_sim_report* report)
{
    ++s->n_step;
    // who asks to end first: the user and the budget, then divergence, then surfaces that stand
    // still
    report->stop = asked_to_end(s, t);
    if (report->stop == PKM_STOP_END_TIME && diverges(s)) report->stop = PKM_STOP_DIVERGED;
    if (report->stop == PKM_STOP_END_TIME && stands_still(s, t)) {
        report->stop = stop_of_friction(s, &report->jam);
        // no bristles: slow, but it gets on
        if (report->jam.kind == PKM_JAM_NONE && !s->has_bristles) report->stop = PKM_STOP_END_TIME;
    }
    if (report->stop == PKM_STOP_END_TIME) return true;
    report->t_stop = t;
    return false;
}

bool pkm_sim_row_goes_on(pkm_sim* s, double t)
{
    enum { ROWS = 256 }; // between two questions: each reads a clock
    if (++s->n_row % ROWS == 0 && s->cut == PKM_STOP_END_TIME) s->cut = asked_to_end(s, t);
    return s->cut == PKM_STOP_END_TIME;
}

bool pkm_sim_start_goes_on(pkm_sim* s)
{
    if (s->cut == PKM_STOP_END_TIME) s->cut = asked_to_end(s, 0.0);
    return s->cut == PKM_STOP_END_TIME;
}

/// The ideal motion is computed before the run begins.
static bool listen(void* user, double fraction)
{
    (void)fraction;
    return pkm_sim_row_goes_on(user, 0.0);
}

double pkm_sim_time_of(const pkm_sim* s, int i)
{
    const int last = s->settings->n_instant - 1;
    return i == last ? s->settings->end_time : s->settings->end_time * i / last; // not beyond it
}

// ---- preparation ------------------------------------------------------------------------------

/// Do the drives hold the robot, so that a motion has an ideal? Others may have passive freedoms,
/// and motions of their drives.
static bool has_ideal(const pkm_sim* s)
{
    if (s->settings->motion == PKM_NONE) return false;
    const pkm_motion* motion = s->given->desc->motion[s->settings->motion].motion;
    return !pkm_motion_is_drives(motion) || pkm_robot_require_drives(s->given, NULL) == PKM_OK;
}

/// The ideal motion at the same instants.
static pkm_status find_ideal(pkm_sim* s, pkm_error* err)
{
    if (!has_ideal(s)) return PKM_OK;
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = s->settings->n_instant;
    settings.end_time = s->settings->end_time;
    settings.tool_force = s->settings->tool_force;
    settings.tool_torque = s->settings->tool_torque;
    settings.snapshots = s->settings->ideal_snapshots;
    settings.idle = PKM_IDLE_HOLD;
    settings.progress = listen;
    settings.user = s;
    const pkm_status status =
        pkm_ideal_create(s->given, s->settings->motion, &settings, &s->ideal, err);
    // idle freedoms that are held need not be where they go by themselves
    const bool holds = s->given->structure.n_lock > s->given->structure.n_harmless;
    if (status == PKM_OK || pkm_status_exit_code(status) != 3) return status;
    // up to a singularity the run can go: it ends with the rows of the ideal motion
    if (!holds)
        return status == PKM_ERR_SINGULAR && pkm_ideal_n_row(s->ideal) > 1 ? PKM_OK : status;
    pkm_ideal_free(s->ideal); // held, idle freedoms lead elsewhere than where they go by themselves
    s->ideal = NULL;
    if (err) *err = (pkm_error){0};
    return PKM_OK;
}

/// Velocities of a ball or a free body in the tree from those of side b against side a in the axes
/// of a. The tree has angular velocities in the axes of the child and velocities in those of the
/// parent; where it runs from b to a, everything turns round.
static void set_spatial_rates(pkm_state* state, const pkm_joint* j, const double* rate)
{
    const pkm_body* tree = &state->mech->body[j->tree_body];
    const pkm_body_state *a = &state->body[j->body_a], *b = &state->body[j->body_b];
    const pkm_mat3 Ra = pkm_mat3_matmul(a->R, j->axes_a), Rb = pkm_mat3_matmul(b->R, j->axes_b);
    const bool flies = tree->n_v == 6;
    const pkm_vec3 w = pkm_mat3_mul(Ra, pkm_vec3_at(flies ? rate + 3 : rate));
    double* v = state->v + tree->v_at;
    if (flies) {
        pkm_vec3 u = pkm_vec3_at(rate);
        if (tree->reversed) {
            const pkm_vec3 at_a = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, j->frame_a.p));
            const pkm_vec3 at_b = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, j->frame_b.p));
            // seen from the other side, which turns: v = w x (p_b - p_a) - u, all in the axes of b
            const pkm_vec3 seen = pkm_vec3_cross(w, pkm_vec3_sub(at_b, at_a));
            u = pkm_mat3_tmul(Rb, pkm_vec3_sub(seen, pkm_mat3_mul(Ra, u)));
        }
        memcpy(v, &u, sizeof u);
        v += 3;
    }
    // angular velocity in the axes of the child, with the sign of the side
    const pkm_vec3 turn = pkm_mat3_tmul(tree->reversed ? Ra : Rb, w);
    for (int k = 0; k < 3; ++k)
        v[k] = (tree->reversed ? -1.0 : 1.0) * (&turn.x)[k];
}

/// Joints whose rates are given at the start: their velocities are independent and set.
static pkm_status read_start(const pkm_sim* s, pkm_robot* robot, int* preferred, pkm_error* err)
{
    const pkm_sim_settings* given = s->settings;
    for (int k = 0; k < given->n_start;) {
        const pkm_joint* joint = &robot->mech->joint[given->start_joint[k]];
        const pkm_body* body =
            joint->tree_body == PKM_NONE ? NULL : &robot->mech->body[joint->tree_body];
        const bool is_ball = joint->type == PKM_JOINT_SPHERICAL || joint->type == PKM_JOINT_FREE;
        // a closure has no velocity of its own; of several freedoms in a joint the names do not
        // tell which
        if (!body || (body->n_v != 1 && !is_ball))
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "start: joint %s cannot be given a rate, expected a revolute, "
                            "prismatic, spherical or free joint that does not close a loop",
                            joint->name);
        if (is_ball)
            set_spatial_rates(robot->state, joint, &given->start_rate[k]);
        else
            robot->state->v[body->v_at] =
                body->reversed ? -given->start_rate[k] : given->start_rate[k];
        // they are independent: what is given is not changed by the projection
        for (int i = 0; i < body->n_v; ++i)
            preferred[k++] = body->v_at + i;
    }
    return PKM_OK;
}

/// Put the start on prescribed drives, given offsets and rates, `n_start` of them.
static pkm_status start_motion(const pkm_sim* s, pkm_plant* plant, pkm_state* state, int n_start,
                               pkm_error* err)
{
    const int n_free = pkm_plant_n_free(plant);
    if (n_start > 0 && n_start != n_free)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "start: %d rates for %d freedoms, expected one for each freedom", n_start,
                        n_free);
    // places first: rates belong to them
    if (n_start > 0) PKM_TRY(pkm_sim_start_offset(s, plant, state, err));
    const pkm_status status =
        n_start > 0 ? pkm_plant_project(plant, 0.0) : pkm_plant_start(plant, 0.0);
    if (status != PKM_RETRY) return status;
    return pkm_fail(err, PKM_ERR_SINGULAR,
                    "simulation: the drives cannot be where the motion starts, or it is singular");
}

/// The robot as written takes up the given rates, from which its variant starts.
static pkm_status start_given(pkm_sim* s, pkm_error* err)
{
    int preferred[PKM_MAX_DRIVE];
    pkm_plant* plant;
    if (s->settings->n_start == 0) return PKM_OK;
    PKM_TRY(read_start(s, s->given, preferred, err));
    const pkm_plant_spec spec = {.structure = &s->given->structure,
                                 .prescribed = pkm_actuator_prescribed(s->actuator),
                                 .preferred = preferred,
                                 .n_preferred = s->settings->n_start,
                                 .actuation = pkm_actuator_get(s->actuator)};
    pkm_status status = pkm_plant_create(s->given->state, &spec, &plant, err);
    if (status == PKM_OK)
        status = start_motion(s, plant, s->given->state, s->settings->n_start, err);
    pkm_plant_free(plant);
    return status;
}

/// The state at t = 0: on the motion with its velocities, or at home at rest.
static pkm_status go_to_start(pkm_sim* s, pkm_error* err)
{
    pkm_robot_go_home(s->given);
    // wherever the run before has left it
    if (has_ideal(s)) {
        pkm_follower follower;
        const pkm_motion* motion = s->given->desc->motion[s->settings->motion].motion;
        PKM_TRY(pkm_follow_begin(s->given, motion, &follower, err));
        PKM_TRY(pkm_follow_to(&follower, 0.0, err));
    }
    if (!s->variant) return PKM_OK;
    PKM_TRY(start_given(s, err));
    return pkm_robot_variant_start(s->robot, s->given, err);
}

/// The tool force and the loads of the run, as far as they are applied.
pkm_status pkm_sim_apply_loads(void* user, double t, const pkm_state* state, pkm_wrench* load,
                               double* stored, double* dissipated, double* fed)
{
    const pkm_sim* s = user;
    const pkm_mechanism* mech = state->mech;
    const double part = s->load_factor;
    pkm_effects_apply_part(s->settings->effects, t, state, part, load, stored, dissipated, fed);
    if (mech->tool == PKM_NONE) return PKM_OK;
    const pkm_marker* tool = &mech->marker[mech->tool];
    const pkm_vec3 at = pkm_state_marker_point(state, mech->tool);
    const pkm_wrench f = pkm_wrench_at(at, pkm_vec3_scale(part, s->settings->tool_force),
                                       pkm_vec3_scale(part, s->settings->tool_torque));
    load[tool->body] = pkm_wrench_add(load[tool->body], f);
    *fed += pkm_twist_dot(state->body[tool->body].V, f);
    return PKM_OK;
}

static pkm_status make_plant(pkm_sim* s, pkm_error* err)
{
    int preferred[PKM_MAX_DRIVE];
    const bool is_variant = s->compiled != NULL;
    if (!is_variant) PKM_TRY(read_start(s, s->given, preferred, err));
    const int n_start = is_variant ? 0 : s->settings->n_start;
    const pkm_effects* effects = s->settings->effects;
    const pkm_loading loading = {.user = s, .apply = pkm_sim_apply_loads};
    pkm_joint_clearance* clearance =
        pkm_alloc(effects ? (size_t)effects->n_clearance : 0, sizeof *clearance);
    pkm_plant_friction* friction =
        pkm_alloc(effects ? (size_t)effects->n_friction : 0, sizeof *friction);
    if (!clearance || !friction) {
        pkm_free(clearance);
        pkm_free(friction);
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    const pkm_plant_spec spec = {.structure = &s->structure,
                                 .prescribed = pkm_actuator_prescribed(s->actuator),
                                 .rotor = pkm_actuator_rotor(s->actuator),
                                 .preferred = preferred,
                                 .n_preferred = n_start,
                                 // payloads are in the masses, not here
                                 .actuation = pkm_actuator_get(s->actuator),
                                 .loading = &loading,
                                 .n_friction = pkm_sim_list_friction(s, friction),
                                 .friction = friction,
                                 .n_clearance = pkm_sim_list_clearances(s, clearance),
                                 .clearance = clearance};
    const pkm_status status = pkm_plant_create(s->robot->state, &spec, &s->plant, err);
    pkm_free(clearance);
    pkm_free(friction);
    // with an ideal motion the robot as written is there already
    if (status != PKM_OK || (n_start == 0 && s->ideal && !is_variant)) return status;
    return start_motion(s, s->plant, s->robot->state, n_start, err);
}

static pkm_status allocate(pkm_sim* s)
{
    s->n_q = s->robot->mech->n_q;
    s->n_v = s->robot->mech->n_v;
    s->n_z = pkm_plant_n_state(s->plant);
    s->n_sum = PKM_N_SUM;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        s->n_sum += pkm_sim_has_more(s, d);
    s->n_sum += pkm_sim_contact_sums(s);
    // y = (q, v, z, integrals)
    s->n_y = s->n_q + s->n_v + s->n_z + s->n_sum;
    s->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    s->atol = pkm_alloc((size_t)s->n_y, sizeof(double));
    s->reach = pkm_alloc((size_t)s->n_y, sizeof(double));
    s->z_rate = pkm_alloc((size_t)s->n_z, sizeof(double));
    if (s->settings->reactions)
        s->reaction = pkm_alloc((size_t)s->robot->mech->n_joint, sizeof(pkm_reaction));
    if (!s->y || !s->atol || !s->reach || !s->z_rate || (s->settings->reactions && !s->reaction))
        return PKM_ERR_MEMORY;
    return pkm_sim_create_steps(s);
}

/// Are prescribed drives independent of each other where links bend? Those that rigid links hold
/// against each other must have a flexible one between them.
static pkm_status require_flexibility(const pkm_sim* s, pkm_error* err)
{
    static const double LIMIT = 1e-9; // as where freedoms are counted
    static const pkm_target anywhere;
    const bool* prescribed = pkm_actuator_prescribed(s->actuator);
    const pkm_mechanism* mech = s->robot->mech;
    int row_count = mech->n_closure, n_prescribed = 0, rank[2] = {0, 0};
    int* row = pkm_alloc((size_t)mech->n_closure + (size_t)mech->n_drive, sizeof *row);
    if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int i = 0; i < mech->n_closure; ++i)
        row[i] = i;
    pkm_rows_all(s->robot->state, &anywhere);
    pkm_status status = PKM_OK;
    for (int k = 0; status == PKM_OK && k < 2; ++k) {
        if (row_count > 0)
            status = pkm_rows_rank(s->robot->state, row, row_count, pkm_rank_limit(mech, LIMIT),
                                   &rank[k], NULL, NULL);
        // between the two ranks
        for (int d = 0; k == 0 && d < mech->n_drive; ++d)
            if (prescribed[d]) row[row_count++] = mech->drive_row_at + d, ++n_prescribed;
    }
    pkm_free(row);
    if (status != PKM_OK) return pkm_fail(err, status, "%s", pkm_status_text(status));
    // each prescribed drive adds a rank: none is held against another
    if (rank[1] - rank[0] == n_prescribed) return PKM_OK;
    return pkm_robot_require_unique(s->given, n_prescribed, err);
}

static pkm_status make_actuator(pkm_sim* s, pkm_error* err)
{
    const pkm_actuator_spec spec = {.motion = s->settings->motion,
                                    .end_time = s->settings->end_time,
                                    .plan = s->settings->drive,
                                    .program = s->settings->program,
                                    .tool_force = s->settings->tool_force,
                                    .tool_torque = s->settings->tool_torque,
                                    .added_force = s->settings->added_force,
                                    .given = s->settings->given,
                                    .model = s->settings->model,
                                    .may_bend = s->robot->state->modal != NULL};
    PKM_TRY(pkm_actuator_create(s->given, &spec, &s->actuator, err));
    return spec.may_bend ? require_flexibility(s, err) : PKM_OK;
}

/// Which idle freedoms stay held: spins that nothing of the run can turn. All others move.
static pkm_status choose_locks(pkm_sim* s, pkm_error* err)
{
    const pkm_structure* from = &s->robot->structure;
    const pkm_idle_loads loads = {.effects = s->settings->effects,
                                  .tool_force = s->settings->tool_force,
                                  .tool_torque = s->settings->tool_torque};
    s->lock = pkm_alloc((size_t)from->n_lock, sizeof(int));
    if (!s->lock) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_idle_structure(from, s->robot->mech, s->given->mech, &loads, s->lock, &s->structure);
    return PKM_OK;
}

/// The ideal motion holds what moves by itself here.
static void warn_idle(const pkm_sim* s, pkm_table* table)
{
    const pkm_structure* g = &s->given->structure;
    char name[2 * PKM_MAX_NAME];
    for (int i = g->n_harmless; has_ideal(s) && i < g->n_idle && i < g->n_lock; ++i) {
        pkm_idle_name(s->given, g, i, name, sizeof name);
        pkm_warn(pkm_table_warnings(table), "idle", NAN,
                 "%s: moves by itself, neither drives nor tool; %s", name,
                 s->ideal ? "deviations (dforce) are from an ideal motion that holds it"
                          : "held, it leads the ideal motion nowhere: there are no deviations");
    }
}

/// Tell of a smoothed law in a joint; returns whether it creeps.
static bool tell_creep(const pkm_sim* s, int joint, const pkm_friction_law* law, pkm_table* table)
{
    if (!pkm_friction_law_creeps(law)) return false;
    pkm_warn(pkm_table_warnings(table), "friction", NAN,
             "%s: the law %s is smoothed: under a load it creeps at up to %g m/s instead of "
             "resting; law: elasto-plastic rests",
             s->given->mech->joint[joint].name, pkm_friction_kind_name(law->kind),
             law->stiction_velocity);
    return true;
}

/// A smoothed law holds nothing: told once, where something could be held.
static void warn_creep(const pkm_sim* s, pkm_table* table)
{
    const pkm_effects* effects = s->settings->effects;
    if (pkm_plant_n_free(s->plant) == 0) return;
    for (int k = 0; effects && k < effects->n_friction; ++k) {
        const pkm_friction_law law = pkm_effects_friction_law(effects, k);
        if (tell_creep(s, effects->friction[k].joint, &law, table)) return;
    }
    for (int k = 0; effects && k < effects->n_clearance; ++k) {
        const pkm_clearance* c = &effects->clearance[k].clearance;
        if (c->fidelity == PKM_FIDELITY_CONTACT && c->has_friction &&
            tell_creep(s, effects->clearance[k].joint, &c->friction, table))
            return;
    }
}

/// What is to be known of the ideal motion; its limits are watched on the true one.
static void take_warnings(const pkm_table* ideal, pkm_table* table)
{
    const pkm_warnings* from = pkm_table_get_warnings(ideal);
    for (int i = 0; i < from->n; ++i)
        if (strcmp(from->item[i].kind, "limit") != 0)
            pkm_warn(pkm_table_warnings(table), from->item[i].kind, from->item[i].t, "%s",
                     from->item[i].text);
}

pkm_status pkm_sim_began(pkm_sim* s, pkm_status status, pkm_error* err)
{
    if (status == PKM_OK) return PKM_OK;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status == PKM_ERR_INTERRUPTED || status == PKM_ERR_NUMBERS) { // a controller of a program
        pkm_jam jam;
        return pkm_fail(err, status, "simulation: t = 0: %s",
                        pkm_stop_reason(pkm_sim_stop_for(s, status, &jam)));
    }
    return pkm_fail(err, status == PKM_RETRY ? PKM_ERR_SINGULAR : status,
                    "simulation: the start is singular, or controllers cannot follow their model");
}

pkm_status pkm_sim_prepare(pkm_sim* s, pkm_table* table, pkm_error* err)
{
    if (pkm_run_needs_variant(s->settings->effects)) {
        PKM_TRY(pkm_run_variant_create(s->given, s->settings->effects, &s->variant, err));
        PKM_TRY(pkm_robot_variant(s->given, &s->variant->variant, &s->compiled, err));
        s->robot = s->compiled;
        pkm_run_variant_warn(s->variant, s->given->desc, pkm_table_warnings(table));
        pkm_run_links_warn(s->given->desc, s->settings->effects, pkm_table_warnings(table));
    }
    if (s->robot->structure.singular_here)
        // home, from which all is assembled
        return pkm_fail(
            err, PKM_ERR_SINGULAR,
            "simulation: home of %s is a constraint singularity (nearby there are fewer "
            "freedoms), so that nothing decides how the motion goes on; try another "
            "home:",
            s->given->desc->name);
    PKM_TRY(pkm_motion_table_begin(&s->columns, *s->robot, true, s->settings->reactions, err));
    // order: what is held, the ideal motion, drives, the start and its equilibrium, the plant
    PKM_TRY(choose_locks(s, err));
    if (!s->only_columns) PKM_TRY(find_ideal(s, err));
    s->deviates = s->ideal || (s->only_columns && has_ideal(s));
    s->columns.nearness = s->deviates && pkm_nearness_is_known(s->given);
    if (s->ideal) take_warnings(pkm_ideal_table(s->ideal), table);
    PKM_TRY(pkm_limits_begin(s->given, s->settings->n_instant, &s->limits, err));
    warn_idle(s, table);
    PKM_TRY(make_actuator(s, err));
    PKM_TRY(go_to_start(s, err));
    if (pkm_sim_begin_loops(s) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_effects_carry(s->settings->effects, 0.0, s->robot->state);
    // equilibrium before the plant: it begins with what surfaces and links carry
    PKM_TRY(pkm_sim_settle(s, table, err));
    PKM_TRY(pkm_sim_start_modes(s, err));
    PKM_TRY(make_plant(s, err));
    if (allocate(s) != PKM_OK || pkm_sim_begin_deflections(s) != PKM_OK ||
        (s->variant && pkm_snapshots_begin_bending(s->settings->snapshots, s->variant) != PKM_OK))
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    warn_creep(s, table);
    pkm_sim_set_tolerances(s);
    pkm_sim_store_state(s, s->y);
    PKM_TRY(pkm_sim_begin_contacts(s, err));
    if (pkm_sim_begin_passages(s) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    PKM_TRY(pkm_sim_add_columns(s, table, err));
    if (s->only_columns) return PKM_OK;
    if (pkm_table_reserve(table, s->settings->n_instant) != PKM_OK ||
        pkm_sim_begin_watch(s, table) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // loads that jump at t = 0 have jumped
    pkm_status status = pkm_sim_pass_break(s, 0.0, s->y);
    if (status == PKM_OK) {
        pkm_sim_load_state(s, s->y);
        status = pkm_plant_start_bristles(s->plant, 0.0, s->y + s->n_q + s->n_v);
    }
    return pkm_sim_began(s, status, err);
}

void pkm_sim_release(pkm_sim* s)
{
    memset(s->robot->state->load, 0, (size_t)s->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_state_unload(s->robot->state);
    pkm_limits_end(&s->limits);
    pkm_sim_end_contacts(s);
    pkm_sim_end_passages(s);
    pkm_sim_end_loops(s);
    pkm_sim_end_deflections(s);
    pkm_motion_table_end(&s->columns);
    pkm_extra_columns_free(s->extra);
    pkm_sim_free_steps(s);
    pkm_plant_free(s->plant);
    pkm_actuator_free(s->actuator);
    pkm_free(s->lock);
    pkm_ideal_free(s->ideal);
    pkm_sim_end_watch(s);
    pkm_free(s->reaction);
    pkm_free(s->y);
    pkm_free(s->atol);
    pkm_free(s->reach);
    pkm_free(s->z_rate);
    pkm_robot_variant_free(s->compiled);
    pkm_snapshots_end_bending(s->settings->snapshots);
    pkm_run_variant_free(s->variant);
}

/// What controllers asked for and the model's limit of the force cut off; what prescribed drives
/// ask of motors that have less.
static void warn_saturation(const pkm_sim* s, pkm_table* table, pkm_warnings* to)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &s->robot->mech->drive[d];
        char name[2 * PKM_MAX_NAME];
        int row;
        snprintf(name, sizeof name, "%s.demand", drive->name);
        const int column = pkm_table_find(table, name);
        const pkm_drive_plan* plan = &s->settings->drive[d];
        const bool follows = plan->kind == PKM_DRIVE_PRESCRIBED || plan->kind == PKM_DRIVE_LOCKED;
        // drives that follow a motion ask of their motors what it takes
        if (follows && plan->has_motor) pkm_motor_limits_warn(&plan->motor, drive->name, table);
        if (plan->kind != PKM_DRIVE_SERVO || column == PKM_NONE) continue;
        const double most = pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, &row);
        if (row == PKM_NONE || !(most > drive->force_limit)) continue;
        const char* unit = pkm_robot_drive_unit(s->given, d, -1);
        pkm_warn(to, "limit", pkm_table_get(table, row, 0),
                 "drive %s: its controller asked for up to %.6g %s (t = %.6g s), the limit of the "
                 "model is %.6g",
                 drive->name, most, unit, pkm_table_get(table, row, 0), drive->force_limit);
    }
}

static void warn(const pkm_sim* s, pkm_sim_report* report, pkm_table* table)
{
    pkm_warnings* to = pkm_table_warnings(table);
    pkm_limits_find(&s->limits, s->given, s->settings->motion, table, &report->limits);
    pkm_limits_warn(&report->limits, to);
    warn_saturation(s, table, to);
    pkm_deflection_warn(&report->bend, to);
    pkm_sim_warn_contacts(s, to);
}

/// Energy that nobody put in or took out. Beyond ENERGY_LOST of what was exchanged the run has
/// followed other equations than those of the robot and is no answer, whatever it looks like.
/// Residuals below the weight of the robot times 1e-9 of its size, or 1e-9 of what springs and
/// links hold, are those of a robot at rest.
static void check_energy(const pkm_sim* s, pkm_sim_report* report, pkm_warnings* to)
{
    static const double ENERGY_LOST = 0.05, ENERGY_DOUBTFUL = 0.005;
    const pkm_ledger* l = &report->ledger;
    const pkm_mechanism* mech = s->robot->mech;
    const double weight = mech->total_mass * pkm_vec3_norm(mech->gravity);
    const double held = fabs(s->spring_start) + s->start.strain;
    const double rest = 1e-9 * (weight * mech->size + held);
    // of what was exchanged, or of the largest kinetic energy
    const double share = pkm_ledger_share(l);
    if (report->n_done < 2 || fabs(l->residual) <= rest || share <= ENERGY_DOUBTFUL) return;
    pkm_warn(to, "energy", NAN,
             "%.3g J of the %.3g J exchanged are unaccounted for (%.2g %%, expected at most %g %%)",
             fabs(l->residual), l->exchanged, 100.0 * share, 100.0 * ENERGY_LOST);
    if (share <= ENERGY_LOST) return;
    report->stop = PKM_STOP_ENERGY;
    report->t_stop = report->t_end;
}

/// A link that turns by more than small deflections tell anything of is no answer either.
static void check_bends(pkm_sim_report* report)
{
    if (report->stop != PKM_STOP_END_TIME || !pkm_deflection_is_lost(&report->bend)) return;
    report->stop = PKM_STOP_BENT;
    report->t_stop = report->bend.turn.t;
}

/// A run of `robot`; `complete` receives the settings with the tolerance that they leave open.
pkm_status pkm_sim_open(pkm_robot* robot, const pkm_sim_settings* settings,
                        pkm_sim_settings* complete, pkm_sim* out, pkm_error* err)
{
    *complete = *settings;
    // left open: by the integrator and the effects
    if (complete->tolerance == 0.0)
        complete->tolerance = pkm_integrator_tolerance(settings->integrator, settings);
    *out = (pkm_sim){.robot = &out->plain,
                     .plain = pkm_robot_machine(robot),
                     .given = robot,
                     .settings = complete,
                     .load_factor = 1.0,
                     .before_break = HUGE_VAL,
                     .began = pkm_clock()};
    const pkm_choices choices = {
        .robot = robot, .effects = settings->effects, .settings = settings};
    return pkm_choices_require(&choices, PKM_ANALYSIS_SIMULATE, err);
}

pkm_status pkm_simulate_columns(pkm_robot* robot, const pkm_sim_settings* settings,
                                pkm_table* table, pkm_error* err)
{
    pkm_sim_settings complete;
    pkm_sim s;
    PKM_TRY(pkm_sim_open(robot, settings, &complete, &s, err));
    s.only_columns = true;
    const pkm_status status = pkm_sim_prepare(&s, table, err);
    pkm_sim_release(&s);
    return status;
}

pkm_status pkm_simulate(pkm_robot* robot, const pkm_sim_settings* settings, pkm_table* table,
                        pkm_sim_report* report, pkm_error* err)
{
    pkm_sim_settings complete;
    pkm_sim s;
    *report = (pkm_sim_report){.stop = PKM_STOP_END_TIME, .t_change = NAN};
    PKM_TRY(pkm_sim_open(robot, settings, &complete, &s, err));
    pkm_status status = pkm_sim_prepare(&s, table, err);
    if (status == PKM_OK) {
        // rows there are: what is warned of holds for them
        status = pkm_sim_run(&s, table, report, err);
        pkm_plant_warn_range(s.plant, table);
        if (status == PKM_OK && pkm_sim_put_located(&s, table) != PKM_OK)
            status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        warn(&s, report, table);
        if (status == PKM_OK && report->stop == PKM_STOP_END_TIME)
            check_energy(&s, report, pkm_table_warnings(table));
        if (status == PKM_OK) check_bends(report);
    }
    pkm_sim_release(&s);
    return status;
}
