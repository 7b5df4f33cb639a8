// Inverse dynamics of an instant by the engine, behind the verbs of inverse_run.c: with friction,
// where forces and reactions depend on each other, by a plant (dynamics/plant.h), else by one
// recursion. Idle freedoms are held, or moved by idle_run.c.
#include "base/error.h"
#include "motion/breaks.h"
#include "robot/inverse_run_impl.h"
#include "table/warnings.h"

#include <string.h>

// ---- one instant ------------------------------------------------------------------------------

/// Every drive is prescribed: its motion is the one that the follower has found.
static void drive_reference(void* user, double t, pkm_target* target)
{
    const pkm_inverse_walk* w = user;
    (void)t;
    for (int d = 0; d < w->robot->mech->n_drive; ++d) {
        // as the follower has found it: no second inverse kinematics
        target->q[d] = pkm_state_drive_position(w->robot->state, d);
        target->v[d] = w->present.v[d];
        target->a[d] = w->present.a[d];
    }
}

static pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                           double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)force, (void)z_rate;
    return PKM_OK;
}

/// Loads and springs of the run and the force on the tool.
static pkm_status apply_loads(void* user, double t, const pkm_state* state, pkm_wrench* load,
                              double* stored, double* dissipated, double* fed)
{
    const pkm_inverse_walk* w = user;
    const pkm_mechanism* mech = state->mech;
    pkm_effects_apply(w->settings->effects, t, state, load, stored, dissipated, fed);
    if (mech->tool == PKM_NONE) return PKM_OK;
    const int body = mech->marker[mech->tool].body;
    const pkm_vec3 at = pkm_state_marker_point(state, mech->tool);
    const pkm_wrench f = pkm_wrench_at(at, w->settings->tool_force, w->settings->tool_torque);
    load[body] = pkm_wrench_add(load[body], f);
    *fed += pkm_twist_dot(state->body[body].V, f);
    return PKM_OK;
}

/// The locks of idle freedoms from number `first` on, which are held, carry nothing.
static pkm_status check_idle(const pkm_inverse_walk* w, pkm_given given, int first, double t,
                             pkm_error* err)
{
    if (w->settings->idle != PKM_IDLE_REFUSE) return PKM_OK;
    const pkm_structure* s = w->plant ? &w->structure : &w->robot->structure;
    return pkm_idle_check(w->robot, given, s, first, pkm_motion_name(w->motion), t, err);
}

static void clear_loads(const pkm_state* state)
{
    memset(state->load, 0, (size_t)state->mech->n_body * sizeof *state->load);
}

/// Does anything act on the bodies from outside or between them?
static bool has_loads(const pkm_inverse_walk* w)
{
    const pkm_vec3 f = w->settings->tool_force, m = w->settings->tool_torque;
    return w->plant || (w->settings->effects && w->settings->effects->n_element > 0) ||
           pkm_vec3_norm(f) > 0.0 || pkm_vec3_norm(m) > 0.0;
}

/// Put the loads on the bodies, with their powers; those of a run without any stay zero.
static void set_loads(pkm_inverse_walk* w, double t)
{
    pkm_state* state = w->robot->state;
    if (!w->is_loaded) return;
    clear_loads(state);
    w->fed = w->damped = w->stored = w->load_power = 0.0;
    (void)!apply_loads(w, t, state, state->load, &w->stored, &w->damped, &w->fed);
    for (int i = 1; i < state->mech->n_body; ++i)
        w->load_power += pkm_twist_dot(state->body[i].V, state->load[i]);
}

static pkm_status friction_forces(pkm_inverse_walk* w, double t, pkm_run_instant* out,
                                  pkm_error* err)
{
    w->present = *out;
    pkm_status status = pkm_plant_evaluate(w->plant, t, NULL, NULL);
    if (status == PKM_RETRY)
        return pkm_fail(err, PKM_ERR_CONVERGENCE,
                        "motion %s: t = %.6g s: friction and reactions do not settle (the robot "
                        "jams); try smaller coefficients of friction",
                        pkm_motion_name(w->motion), t);
    if (status != PKM_OK) return pkm_fail(err, status, "%s", pkm_status_text(status));
    PKM_TRY(check_idle(w, PKM_GIVEN_FORCES, w->structure.n_harmless, t, err));
    memcpy(out->force, pkm_plant_drive_force(w->plant), sizeof out->force);
    w->rubbed = pkm_plant_ledger(w->plant).friction;
    return w->reaction ? pkm_plant_reactions(w->plant, w->reaction) : PKM_OK;
}

/// The integration of idle freedoms uses factors of its own.
static void read_nearness(pkm_inverse_walk* w, double t)
{
    if (!w->columns.nearness) return;
    if (w->idle) pkm_nearness_stand(w->robot);
    if (w->is_look)
        pkm_nearness_glance(&w->near);
    else
        pkm_nearness_read(&w->near, t);
}

static pkm_status read(pkm_inverse_walk* w, double t, pkm_run_instant* out, pkm_error* err)
{
    pkm_state* state = w->robot->state;
    const pkm_effects* effects = w->settings->effects;
    // where a load jumps the row shows the value before the jump
    const double left = pkm_effects_left(effects, t);
    read_nearness(w, t);
    if (effects && effects->n_carried > 0) pkm_effects_carry(effects, left, state);
    w->energy_rate = pkm_run_instant_read(w->robot->state, out);
    set_loads(w, left);
    if (w->plant) return friction_forces(w, left, out, err);
    // (4.1), (4.2), then (4.3), (4.4) of docs/theory/engine.md
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out->force);
    PKM_TRY(check_idle(w, PKM_GIVEN_DRIVES, 0, t, err));
    if (w->reactions) pkm_reactions_solve(w->reactions, state, w->reaction, NULL);
    return PKM_OK;
}

static pkm_status go(pkm_inverse_walk* w, double t, pkm_error* err)
{
    return w->idle ? pkm_idle_run_to(w->idle, t, err) : pkm_follow_to(&w->engine, t, err);
}

// ---- the way ----------------------------------------------------------------------------------

/// Idle freedoms that do not move are all held.
static pkm_status choose_locks(pkm_inverse_walk* w, pkm_error* err)
{
    const pkm_structure* from = &w->robot->structure;
    const pkm_idle_loads loads = {.effects = w->settings->effects,
                                  .tool_force = w->settings->tool_force,
                                  .tool_torque = w->settings->tool_torque};
    w->lock = pkm_alloc((size_t)from->n_lock, sizeof(int));
    if (!w->lock) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_idle_structure(from, w->robot->mech, w->robot->mech, &loads, w->lock, &w->structure);
    if (!w->idle) w->structure.n_held = w->structure.n_lock;
    return PKM_OK;
}

static pkm_status make_plant(pkm_inverse_walk* w, pkm_error* err)
{
    bool prescribed[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        prescribed[d] = true;
    const pkm_effects* effects = w->settings->effects;
    PKM_TRY(choose_locks(w, err));
    w->actuation = (pkm_actuation){.user = w, .reference = drive_reference, .force = no_force};
    if (w->idle) {
        w->actuation.user = w->idle;
        w->actuation.reference = pkm_idle_run_reference;
    }
    const pkm_loading loading = {.user = w, .apply = apply_loads};
    const pkm_plant_spec spec = {.structure = &w->structure,
                                 .prescribed = prescribed,
                                 .actuation = &w->actuation,
                                 .loading = &loading,
                                 .n_friction = effects ? effects->n_friction : 0,
                                 .friction = effects ? effects->friction : NULL};
    PKM_TRY(pkm_plant_create(w->robot->state, &spec, &w->plant, err));
    if (!w->idle) return PKM_OK;
    return pkm_idle_run_begin(w->idle, &w->structure, w->plant, &loading, effects, err);
}

static pkm_status begin(pkm_inverse_walk* w, pkm_error* err)
{
    pkm_robot* robot = w->robot;
    PKM_TRY(pkm_limits_begin(robot, w->settings->n_instant, &w->limits, err));
    PKM_TRY(pkm_follow_begin(robot, w->motion, &w->engine, err));
    pkm_effects_carry(w->settings->effects, 0.0, robot->state);
    if (w->settings->idle == PKM_IDLE_INTEGRATE)
        PKM_TRY(pkm_idle_run_create(robot, w->motion, &w->idle, err));
    if (pkm_inverse_has_friction(w->settings) || w->idle) PKM_TRY(make_plant(w, err));
    w->is_loaded = has_loads(w);
    clear_loads(robot->state);
    if (!w->settings->reactions) return PKM_OK;
    w->reactions = pkm_reactions_create(robot->state);
    w->reaction = pkm_alloc((size_t)robot->mech->n_joint, sizeof(pkm_reaction));
    return w->reactions && w->reaction ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

/// Held idle freedoms are looked at between the rows too, at places that no law of motion prefers:
/// their locks must carry nothing along the whole motion, not only where accelerations pass zero.
static pkm_status between(pkm_inverse_walk* w, double from, double to, pkm_error* err)
{
    enum { LEAST = 64 }; // instants along the motion
    const pkm_structure* s = &w->robot->structure;
    if (w->settings->idle != PKM_IDLE_REFUSE || s->n_lock <= s->n_harmless) return PKM_OK;
    const int n_row = w->settings->n_instant - 1, n = 1 + LEAST / n_row;
    for (int k = 0; k < n; ++k) {
        pkm_run_instant unread = {.kinetic = 0.0};
        // the golden section: no law is symmetric about it
        const double t = from + (k + 0.381966) / n * (to - from);
        PKM_TRY(go(w, t, err));
        PKM_TRY(read(w, t, &unread, err));
    }
    return PKM_OK;
}

static int n_place(const pkm_inverse_walk* w)
{
    return w->idle ? pkm_idle_run_n_place(w->idle) : pkm_follow_n_place(w->robot);
}

static void save(const pkm_inverse_walk* w, double* place)
{
    if (w->idle)
        pkm_idle_run_save(w->idle, place);
    else
        pkm_follow_save(&w->engine, place);
}

static pkm_status look(pkm_inverse_walk* w, double t, const double* place)
{
    return w->idle ? pkm_idle_run_look(w->idle, t, place) : pkm_follow_look(&w->engine, t, place);
}

/// The state belongs to the robot: who asked for the run finds it at its end.
static void back(pkm_inverse_walk* w)
{
    (void)!look(w, w->place[0], w->place);
}

static const double* serial(const pkm_inverse_walk* w)
{
    return w->near.J;
}

static void look_serial(pkm_inverse_walk* w, double* M)
{
    pkm_nearness_jacobian(w->robot, M);
}

const pkm_inverse_way pkm_inverse_by_engine = {.begin = begin,
                                               .go = go,
                                               .read = read,
                                               .between = between,
                                               .n_place = n_place,
                                               .save = save,
                                               .look = look,
                                               .back = back,
                                               .serial = serial,
                                               .look_serial = look_serial};

void pkm_inverse_warn_idle(const pkm_inverse_walk* w, pkm_table* table)
{
    char name[2 * PKM_MAX_NAME];
    const pkm_structure* s = &w->structure;
    for (int i = s->n_harmless; w->idle && i < s->n_idle && i < s->n_lock; ++i) {
        pkm_idle_name(w->robot, s, i, name, sizeof name);
        pkm_warn(pkm_table_warnings(table), "idle", NAN,
                 "%s: moves by its equation of motion, from rest in equilibrium at the start: the "
                 "forces depend on that start",
                 name);
    }
}
