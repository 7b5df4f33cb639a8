#include "pkm/inverse.h"

#include "base/error.h"
#include "dynamics/effects.h"
#include "dynamics/plant.h"
#include "dynamics/plant_friction_columns.h"
#include "motion/breaks.h"
#include "robot/closed_continuation.h"
#include "robot/extra_columns.h"
#include "robot/guard.h"
#include "robot/idle.h"
#include "robot/instant.h"
#include "robot/inverse_result.h"
#include "robot/limits.h"
#include "robot/motion_table.h"
#include "robot/nearness.h"
#include "robot/peaks.h"
#include "robot/snapshots.h"
#include "robot/sums.h"
#include "table/warnings.h"

#include <stddef.h>
#include <string.h>

pkm_inverse_settings pkm_inverse_settings_defaults(void)
{
    return (pkm_inverse_settings){.method = PKM_METHOD_ENGINE, .n_instant = 401};
}

typedef struct run {
    pkm_robot* robot;
    const pkm_inverse_settings* settings;
    pkm_motion_table columns;
    pkm_extra_columns* extra; ///< that were asked for; NULL: none
    pkm_follower engine;
    pkm_closed_follower closed;
    pkm_nearness near;
    pkm_plant* plant;        ///< with friction, or with idle freedoms that move
    pkm_idle_run* idle;      ///< their motion; NULL: they are held
    pkm_structure structure; ///< for the plant: which idle freedoms are held
    int* lock;               ///< [n_lock] of it
    pkm_actuation actuation; ///< all drives prescribed, see drive_reference
    pkm_reactions* reactions;
    pkm_reaction* reaction;     ///< [n_joint]
    double energy_rate;         ///< at the present instant [W]; NaN: not known
    double load_power;          ///< of all loads and springs [W]
    double fed, damped, rubbed; ///< power of outside forces, lost in dampers, in friction [W]
    double stored;              ///< in springs [J]
    pkm_run_instant present;    ///< for drive_reference
    pkm_limit_watch limits;     ///< of joints without drives (engine)
    pkm_sums* sums;             ///< works and mean squares, see note_sums
    double *smooth, *part;      ///< work for it
    double energy[2];           ///< of motion and place, at the first and the last sample [J]
    double spring[2];           ///< in springs [J]
    pkm_peaks* peaks;    ///< between the rows; NULL: idle freedoms move, which cannot go back
    double *row, *place; ///< work: [n_column] a sample, and how to come back to it
    bool broken;         ///< a break at the row before
    double next_break;   ///< [s] the last one that was asked for
    double last_break;   ///< [s] the last one that was passed
    bool is_look;        ///< beside the order of time: nothing is noted
} run;

// ---- one instant ------------------------------------------------------------------------------

/// Every drive is prescribed: its motion is the one that the follower has found.
static void drive_reference(void* user, double t, pkm_target* target)
{
    const run* r = user;
    (void)t;
    for (int d = 0; d < r->robot->mech->n_drive; ++d) {
        target->q[d] = pkm_state_drive_position(r->robot->state, d);
        target->v[d] = r->present.v[d];
        target->a[d] = r->present.a[d];
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
    const run* r = user;
    const pkm_mechanism* mech = state->mech;
    pkm_effects_apply(r->settings->effects, t, state, load, stored, dissipated, fed);
    if (mech->tool == PKM_NONE) return PKM_OK;
    const int body = mech->marker[mech->tool].body;
    const pkm_vec3 at = pkm_state_marker_pose(state, mech->tool).p;
    const pkm_wrench f = pkm_wrench_at(at, r->settings->tool_force, r->settings->tool_torque);
    load[body] = pkm_wrench_add(load[body], f);
    *fed += pkm_twist_dot(state->body[body].V, f);
    return PKM_OK;
}

/// The locks of idle freedoms from number `first` on, which are held, carry nothing.
static pkm_status check_idle(const run* r, pkm_mode mode, int first, double t, pkm_error* err)
{
    if (r->settings->idle != PKM_IDLE_REFUSE) return PKM_OK;
    const pkm_structure* s = r->plant ? &r->structure : &r->robot->structure;
    return pkm_idle_check(r->robot, mode, s, first, pkm_motion_name(r->engine.motion), t, err);
}

/// Put the loads on the bodies, with their powers.
static void set_loads(run* r, double t)
{
    pkm_state* state = r->robot->state;
    memset(state->load, 0, (size_t)state->mech->n_body * sizeof *state->load);
    r->fed = r->damped = r->stored = r->load_power = 0.0;
    (void)!apply_loads(r, t, state, state->load, &r->stored, &r->damped, &r->fed);
    for (int i = 1; i < state->mech->n_body; ++i)
        r->load_power += pkm_twist_dot(state->body[i].V, state->load[i]);
}

/// What the motors' rotors need and have: they turn with the drives.
static void add_rotors(run* r, pkm_run_instant* out)
{
    for (int d = 0; r->settings->effects && d < r->robot->mech->n_drive; ++d) {
        const pkm_motor* motor = r->settings->effects->motor[d];
        if (!motor) continue;
        const double J = pkm_motor_inertia(motor);
        out->force[d] += J * out->a[d];
        out->kinetic += 0.5 * J * out->v[d] * out->v[d];
        r->energy_rate += J * out->a[d] * out->v[d];
    }
}

static pkm_status friction_forces(run* r, double t, pkm_run_instant* out, pkm_error* err)
{
    r->present = *out;
    pkm_status status = pkm_plant_evaluate(r->plant, t, NULL, NULL);
    if (status == PKM_RETRY)
        return pkm_fail(err, PKM_ERR_CONVERGENCE,
                        "motion %s: t = %.6g s: friction and reactions do not settle (the robot "
                        "jams); try smaller coefficients of friction",
                        pkm_motion_name(r->engine.motion), t);
    if (status != PKM_OK) return pkm_fail(err, status, "%s", pkm_status_text(status));
    PKM_TRY(check_idle(r, PKM_MODE_FREE, r->structure.n_harmless, t, err));
    memcpy(out->force, pkm_plant_drive_force(r->plant), sizeof out->force);
    r->rubbed = pkm_plant_ledger(r->plant).friction;
    return r->reaction ? pkm_plant_reactions(r->plant, r->reaction) : PKM_OK;
}

/// The integration of idle freedoms uses factors of its own.
static void read_nearness(run* r, double t)
{
    if (!r->columns.nearness) return;
    if (r->idle) pkm_nearness_stand(r->robot);
    if (r->is_look)
        pkm_nearness_glance(&r->near);
    else
        pkm_nearness_read(&r->near, t);
}

/// The engine has reached time t: all that it gives there.
static pkm_status engine_read(run* r, double t, pkm_run_instant* out, pkm_error* err)
{
    pkm_state* state = r->robot->state;
    const pkm_effects* effects = r->settings->effects;
    const double left = pkm_effects_left(effects, t);
    read_nearness(r, t);
    if (effects && effects->n_carried > 0) pkm_effects_carry(effects, left, state);
    r->energy_rate = pkm_run_instant_read(r->robot->state, out);
    set_loads(r, left);
    if (r->plant) return friction_forces(r, left, out, err);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out->force);
    PKM_TRY(check_idle(r, PKM_MODE_DRIVES, 0, t, err));
    if (r->reactions) pkm_reactions_solve(r->reactions, state, r->reaction, NULL);
    return PKM_OK;
}

static pkm_status engine_instant(run* r, double t, pkm_run_instant* out, pkm_error* err)
{
    PKM_TRY(r->idle ? pkm_idle_run_to(r->idle, t, err) : pkm_follow_to(&r->engine, t, err));
    return engine_read(r, t, out, err);
}

/// A row so near to a singularity that the closed form has no forces there: named as one.
static pkm_status fail_closed(const run* r, double t, pkm_status status, pkm_error* err)
{
    static const double NEAR = 1e-3; // of the largest singular value
    pkm_singularity s;
    char words[400];
    pkm_closed_singularity(r->robot, &r->closed.config, NEAR, &s);
    pkm_singularity_words(&s, words, sizeof words);
    return pkm_fail(err, status,
                    "motion %s: t = %.6g s: the robot comes to a %s: its forces are not determined "
                    "there; try another path, home or working mode",
                    pkm_motion_name(r->closed.motion), t, words);
}

static void read_nearness_closed(run* r, double t)
{
    const pkm_closed_follower* c = &r->closed;
    if (!r->columns.nearness) return;
    if (r->is_look)
        pkm_nearness_glance_closed(&r->near, &c->config, &c->watch);
    else
        pkm_nearness_read_closed(&r->near, t, &c->config, &c->watch);
}

/// The closed form has reached time t: all that it gives there.
static pkm_status closed_read(run* r, double t, pkm_run_instant* out, pkm_error* err)
{
    const pkm_closed_follower* c = &r->closed;
    read_nearness_closed(r, t);
    out->tool = c->tool;
    memcpy(out->q, c->config.q, sizeof c->config.q);
    memcpy(out->v, c->qd, sizeof c->qd);
    memcpy(out->a, c->qdd, sizeof c->qdd);
    const pkm_status status =
        pkm_closed_inverse_dynamics(r->robot->closed, &c->config, &c->tool, c->qd, c->qdd,
                                    r->settings->tool_force, r->settings->tool_torque, out->force);
    if (status != PKM_OK) return fail_closed(r, t, status, err);
    // a closed form gives the sum of both energies only
    out->kinetic = pkm_closed_energy(r->robot->closed, &c->config, &c->tool, c->qd);
    r->energy_rate = NAN;
    r->fed = pkm_vec3_dot(r->settings->tool_force, out->tool.v) +
             pkm_vec3_dot(r->settings->tool_torque, out->tool.w);
    return PKM_OK;
}

static pkm_status closed_instant(run* r, double t, pkm_run_instant* out, pkm_error* err)
{
    PKM_TRY(pkm_closed_follow_to(&r->closed, t, err));
    return closed_read(r, t, out, err);
}

// ---- motors -----------------------------------------------------------------------------------

typedef struct motor_values {
    double torque, shaft, mechanical, electric, saturated;
} motor_values;

enum { TORQUE, SHAFT, MECHANICAL, ELECTRIC, SATURATED, N_MOTOR_COLUMN };

static const pkm_column motor_columns[N_MOTOR_COLUMN] = {
    [TORQUE] = {"torque", "N m", offsetof(motor_values, torque), "torque of the motor", NULL,
                PKM_PEAK_LOCATED},
    [SHAFT] = {"shaft", "rad/s", offsetof(motor_values, shaft), .title = "speed of the motor"},
    [MECHANICAL] = {"mechanical", "W", offsetof(motor_values, mechanical),
                    "mechanical power of the motor", NULL, PKM_PEAK_LOCATED},
    [ELECTRIC] = {"electric", "W", offsetof(motor_values, electric), .title = "electrical power"},
    [SATURATED] = {"saturated", "", offsetof(motor_values, saturated), .title = "saturated"},
};

/// What the motor of drive d must give; zeros for drives without one.
static motor_values motor_of(const run* r, const pkm_run_instant* at, int d)
{
    const pkm_motor* motor = r->settings->effects ? r->settings->effects->motor[d] : NULL;
    if (!motor) return (motor_values){.torque = 0.0};
    const pkm_motor_point point = pkm_motor_require_all(motor, at->force[d], at->v[d], at->a[d]);
    return (motor_values){point.torque, point.shaft_speed, point.torque * point.shaft_speed,
                          point.electrical_power, point.is_saturated};
}

static void put_motors(const run* r, const pkm_run_instant* at, pkm_layout* to)
{
    for (int d = 0; r->settings->effects && d < r->robot->mech->n_drive; ++d) {
        motor_values values = {.torque = 0.0};
        if (!r->settings->effects->motor[d]) continue;
        if (!to->table) values = motor_of(r, at, d);
        pkm_layout_put(to, r->robot->mech->drive[d].name, motor_columns, N_MOTOR_COLUMN, &values);
    }
}

static void put_all(const run* r, double t, const pkm_run_instant* at, pkm_layout* to)
{
    pkm_motion_table_put(&r->columns, to, t, at, r->reaction);
    put_motors(r, at, to);
    if (r->plant) pkm_plant_put_friction(r->plant, to);
}

static pkm_status begin_table(run* r, pkm_table* table, pkm_error* err)
{
    pkm_layout to = {.table = table};
    put_all(r, 0.0, NULL, &to);
    if (to.failed) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (r->settings->effects)
        PKM_TRY(pkm_extra_columns_create(&r->columns.of, r->settings->effects->columns, table,
                                         &r->extra, err));
    if (pkm_table_reserve(table, r->settings->n_instant) == PKM_OK) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

// ---- balance ----------------------------------------------------------------------------------

static void note_power(const run* r, const pkm_run_instant* at, pkm_inverse_report* report)
{
    for (int d = 0; d < r->robot->mech->n_drive; ++d)
        report->power_scale = fmax(report->power_scale, fabs(at->force[d] * at->v[d]));
    if (isnan(r->energy_rate)) return;
    const double power = pkm_run_instant_power(r->robot->mech, at) + r->load_power - r->rubbed;
    report->power_error = fmax(report->power_error, fabs(power - r->energy_rate));
}

/// What is integrated over time: four powers, and per drive squares and powers.
enum { DRIVES, LOADS, FRICTION, DAMPING, N_POWER };

static int square_of_force(int d)
{
    return N_POWER + d;
}

static int square_of_torque(const run* r, int d)
{
    return N_POWER + r->robot->mech->n_drive + d;
}

static int electric_of(const run* r, int d)
{
    return r->robot->mech->n_drive + d;
}

static bool has_motors(const run* r)
{
    for (int d = 0; r->settings->effects && d < r->robot->mech->n_drive; ++d)
        if (r->settings->effects->motor[d]) return true;
    return false;
}

static pkm_status begin_sums(run* r, pkm_error* err)
{
    const int n = (has_motors(r) ? 2 : 1) * r->robot->mech->n_drive;
    const int n_smooth = N_POWER + n, n_part = n;
    r->sums = pkm_sums_create(n_smooth, n_part);
    r->smooth = pkm_alloc((size_t)(n_smooth + n_part), sizeof(double));
    if (!r->sums || !r->smooth) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    r->part = r->smooth + n_smooth;
    r->energy[0] = NAN;
    return PKM_OK;
}

/// The next sample of the works and mean squares: the present instant.
static void note_sums(run* r, double t, const pkm_run_instant* at)
{
    r->smooth[DRIVES] = pkm_run_instant_power(r->robot->mech, at);
    r->smooth[LOADS] = r->fed;
    r->smooth[FRICTION] = r->rubbed;
    r->smooth[DAMPING] = r->damped;
    for (int d = 0; d < r->robot->mech->n_drive; ++d) {
        r->smooth[square_of_force(d)] = at->force[d] * at->force[d];
        r->part[d] = at->force[d] * at->v[d];
    }
    for (int d = 0; has_motors(r) && d < r->robot->mech->n_drive; ++d) {
        const motor_values motor = motor_of(r, at, d);
        r->smooth[square_of_torque(r, d)] = motor.torque * motor.torque;
        r->part[electric_of(r, d)] = motor.electric;
    }
    pkm_sums_sample(r->sums, t, r->smooth, r->part);
    r->energy[1] = at->kinetic + at->potential;
    r->spring[1] = r->stored;
    if (!isnan(r->energy[0])) return;
    r->energy[0] = r->energy[1];
    r->spring[0] = r->spring[1];
}

/// Are the sums those of the motion? Samples lie next to every break, but a payload that comes or
/// goes changes the energy, and a jump of velocities takes work that no force shows. Freedoms that
/// move by themselves have samples at the rows alone.
static bool has_sums(const run* r, const pkm_motion* motion, double end, int n_done)
{
    enum { LEAST = 65 }; // rows
    double jump;
    const pkm_effects* effects = r->settings->effects;
    for (int i = 0; effects && i < effects->n_carried; ++i)
        if (pkm_payload_next_break(&effects->carried[i].payload, 1, 0.0) < end) return false;
    if (pkm_motion_find_jump(motion, end, &jump) < end) return false;
    return r->peaks || (n_done >= LEAST && !(pkm_effects_next_break(effects, 0.0) < end));
}

static void set_rms(const run* r, pkm_table* table, int d, const char* quantity, int k)
{
    const int column = pkm_table_find_item(table, r->robot->mech->drive[d].name, quantity);
    const double span = pkm_sums_span(r->sums);
    if (column != PKM_NONE && span > 0.0)
        pkm_table_set_rms(table, column, sqrt(fmax(pkm_sums_get(r->sums, k), 0.0) / span));
}

/// The rms forces and what motors take belong to their columns.
static void set_column_sums(const run* r, pkm_table* table)
{
    double up, down;
    for (int d = 0; d < r->robot->mech->n_drive; ++d)
        set_rms(r, table, d, "force", square_of_force(d));
    for (int d = 0; has_motors(r) && d < r->robot->mech->n_drive; ++d) {
        const int electric = pkm_table_find_item(table, r->robot->mech->drive[d].name,
                                                 motor_columns[ELECTRIC].quantity);
        set_rms(r, table, d, motor_columns[TORQUE].quantity, square_of_torque(r, d));
        pkm_sums_get_parts(r->sums, electric_of(r, d), &up, &down);
        if (electric != PKM_NONE) pkm_table_set_parts(table, electric, up, down);
    }
}

static void balance(run* r, pkm_inverse_report* report)
{
    double up, down;
    pkm_sums_break(r->sums);
    report->drive_work = pkm_sums_get(r->sums, DRIVES);
    report->load_work = pkm_sums_get(r->sums, LOADS);
    report->friction_loss = pkm_sums_get(r->sums, FRICTION);
    report->damping_loss = pkm_sums_get(r->sums, DAMPING);
    report->spring_change = r->spring[1] - r->spring[0];
    report->energy_change = report->n_done > 0 ? r->energy[1] - r->energy[0] : 0.0;
    for (int d = 0; d < r->robot->mech->n_drive; ++d) {
        pkm_sums_get_parts(r->sums, d, &up, &down);
        report->exchanged += up + down;
    }
}

// ---- the run ----------------------------------------------------------------------------------

static bool has_friction(const pkm_inverse_settings* settings)
{
    return settings->effects && settings->effects->n_friction > 0;
}

/// Idle freedoms that do not move are all held.
static pkm_status choose_locks(run* r, pkm_error* err)
{
    const pkm_structure* from = &r->robot->structure;
    const pkm_idle_loads loads = {.effects = r->settings->effects,
                                  .tool_force = r->settings->tool_force,
                                  .tool_torque = r->settings->tool_torque};
    r->lock = pkm_alloc((size_t)from->n_lock, sizeof(int));
    if (!r->lock) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_idle_structure(from, r->robot->mech, r->robot->mech, &loads, r->lock, &r->structure);
    if (!r->idle) r->structure.n_held = r->structure.n_lock;
    return PKM_OK;
}

static pkm_status make_plant(run* r, pkm_error* err)
{
    bool prescribed[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        prescribed[d] = true;
    const pkm_effects* effects = r->settings->effects;
    PKM_TRY(choose_locks(r, err));
    r->actuation = (pkm_actuation){.user = r, .reference = drive_reference, .force = no_force};
    if (r->idle) {
        r->actuation.user = r->idle;
        r->actuation.reference = pkm_idle_run_reference;
    }
    const pkm_loading loading = {.user = r, .apply = apply_loads};
    const pkm_plant_spec spec = {.structure = &r->structure,
                                 .prescribed = prescribed,
                                 .actuation = &r->actuation,
                                 .loading = &loading,
                                 .n_friction = effects ? effects->n_friction : 0,
                                 .friction = effects ? effects->friction : NULL};
    PKM_TRY(pkm_plant_create(r->robot->state, &spec, &r->plant, err));
    if (!r->idle) return PKM_OK;
    return pkm_idle_run_begin(r->idle, &r->structure, r->plant, &loading, effects, err);
}

static pkm_status prepare(run* r, int motion, pkm_error* err)
{
    const bool engine = r->settings->method == PKM_METHOD_ENGINE;
    const bool reactions = engine && r->settings->reactions;
    const pkm_motion* m = r->robot->desc->motion[motion].motion;
    PKM_TRY(
        pkm_motion_table_begin(&r->columns, pkm_robot_machine(r->robot), engine, reactions, err));
    r->columns.nearness = pkm_nearness_is_known(r->robot);
    pkm_nearness_begin(r->robot, m, &r->near);
    if (!engine) return pkm_closed_follow_begin(r->robot, m, &r->closed, err);
    PKM_TRY(pkm_limits_begin(r->robot, r->settings->n_instant, &r->limits, err));
    PKM_TRY(pkm_follow_begin(r->robot, m, &r->engine, err));
    pkm_effects_carry(r->settings->effects, 0.0, r->robot->state);
    if (r->settings->idle == PKM_IDLE_INTEGRATE)
        PKM_TRY(pkm_idle_run_create(r->robot, m, &r->idle, err));
    if (has_friction(r->settings) || r->idle) PKM_TRY(make_plant(r, err));
    if (!reactions) return PKM_OK;
    r->reactions = pkm_reactions_create(r->robot->state);
    r->reaction = pkm_alloc((size_t)r->robot->mech->n_joint, sizeof(pkm_reaction));
    return r->reactions && r->reaction ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

/// Idle freedoms that move start somewhere: the result depends on it.
static void warn_idle(const run* r, pkm_table* table)
{
    char name[2 * PKM_MAX_NAME];
    const pkm_structure* s = &r->structure;
    for (int i = s->n_harmless; r->idle && i < s->n_idle && i < s->n_lock; ++i) {
        pkm_idle_name(r->robot, s, i, name, sizeof name);
        pkm_warn(pkm_table_warnings(table), "idle", NAN,
                 "%s: moves by its equation of motion, from rest in equilibrium at the start: the "
                 "forces depend on that start",
                 name);
    }
}

/// Held idle freedoms are looked at between the rows too, at places that no law of motion prefers:
/// their locks must carry nothing along the whole motion, not only where accelerations pass zero.
static pkm_status check_between(run* r, double from, double to, pkm_error* err)
{
    enum { LEAST = 64 }; // instants along the motion
    const pkm_structure* s = &r->robot->structure;
    const int n_row = r->settings->n_instant - 1, n = 1 + LEAST / n_row;
    if (r->settings->idle != PKM_IDLE_REFUSE || r->settings->method != PKM_METHOD_ENGINE)
        return PKM_OK;
    for (int k = 0; s->n_lock > s->n_harmless && k < n; ++k) {
        pkm_run_instant unread = {.kinetic = 0.0};
        PKM_TRY(engine_instant(r, from + (k + 0.381966) / n * (to - from), &unread, err));
    }
    return PKM_OK;
}

// ---- peaks between the rows -------------------------------------------------------------------

/// Complete a row: what has been read at time t.
static void finish_row(run* r, double t, pkm_run_instant* at, double* row)
{
    at->condition = r->near.condition;
    at->singularity = r->near.distance;
    add_rotors(r, at);
    put_all(r, t, at, &(pkm_layout){.out = row});
    pkm_extra_columns_put(r->extra, r->robot->state, row);
}

static int n_place(const run* r)
{
    const int closed = (int)((sizeof(pkm_closed_config) + sizeof(double) - 1) / sizeof(double));
    return r->settings->method == PKM_METHOD_ENGINE ? pkm_follow_n_place(r->robot) : closed;
}

static void save_place(const run* r, double* place)
{
    if (r->settings->method == PKM_METHOD_ENGINE)
        pkm_follow_save(&r->engine, place);
    else
        memcpy(place, &r->closed.config, sizeof r->closed.config);
}

/// Let the peaks and the watch for serial singularities see the present instant.
static void note_sample(run* r, const double* row, bool is_row)
{
    const bool engine = r->settings->method == PKM_METHOD_ENGINE;
    if (!r->peaks) return;
    save_place(r, r->place);
    if (r->near.passes.n > 0)
        pkm_serial_sample(&r->near.passes, row[0], engine ? r->near.J : r->closed.watch.A_now,
                          r->place);
    pkm_peaks_sample(r->peaks, row, r->place, is_row);
}

static pkm_status instant(run* r, double t, pkm_run_instant* at, pkm_error* err)
{
    return r->settings->method == PKM_METHOD_ENGINE ? engine_instant(r, t, at, err)
                                                    : closed_instant(r, t, at, err);
}

static pkm_status sample_at(run* r, double t, pkm_error* err)
{
    pkm_run_instant at = {.kinetic = 0.0};
    PKM_TRY(instant(r, t, &at, err));
    finish_row(r, t, &at, r->row);
    note_sums(r, t, &at);
    note_sample(r, r->row, false);
    return PKM_OK;
}

/// Where a peak is: a row there, from a sample nearby.
static pkm_status look_at(void* user, double t, const double* place, double* row)
{
    run* r = user;
    pkm_run_instant at = {.kinetic = 0.0};
    if (r->settings->method == PKM_METHOD_ENGINE) {
        PKM_TRY(pkm_follow_look(&r->engine, t, place));
        PKM_TRY(engine_read(r, t, &at, NULL));
    } else {
        pkm_closed_config from;
        memcpy(&from, place, sizeof from);
        PKM_TRY(pkm_closed_follow_look(&r->closed, t, &from, NULL));
        PKM_TRY(closed_read(r, t, &at, NULL));
    }
    finish_row(r, t, &at, row);
    return PKM_OK;
}

/// The matrix that serial singularities are seen by, at an instant near `place`.
static pkm_status look_serial(void* user, double t, const double* place, double* M, double* there)
{
    run* r = user;
    if (r->settings->method == PKM_METHOD_ENGINE) {
        PKM_TRY(pkm_follow_look(&r->engine, t, place));
        pkm_nearness_jacobian(r->robot, M);
    } else {
        pkm_closed_config from;
        memcpy(&from, place, sizeof from);
        PKM_TRY(pkm_closed_follow_look(&r->closed, t, &from, NULL));
        memcpy(M, r->closed.watch.A_now, (size_t)(r->near.passes.n * r->near.passes.n) * sizeof *M);
    }
    save_place(r, there);
    return PKM_OK;
}

static pkm_status begin_peaks(run* r, const pkm_table* table, pkm_error* err)
{
    if (r->idle) return PKM_OK;
    const int n_drive = r->near.passes.n; // 0: the tool leads
    if (n_drive > 0 && pkm_serial_begin(&r->near.passes, n_drive, n_place(r)) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    r->peaks = pkm_peaks_create(table, n_place(r));
    r->row = pkm_alloc((size_t)pkm_table_n_column(table), sizeof(double));
    r->place = pkm_alloc((size_t)n_place(r), sizeof(double));
    return r->peaks && r->row && r->place ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

/// The first time > t at which forces may jump; times are asked for in their order.
static double next_break(run* r, double t)
{
    const bool engine = r->settings->method == PKM_METHOD_ENGINE;
    const pkm_motion* motion = engine ? r->engine.motion : r->closed.motion;
    if (!(r->next_break > t))
        r->next_break =
            fmin(pkm_motion_next_break(motion, t), pkm_effects_next_break(r->settings->effects, t));
    return r->next_break;
}

static void note_break(run* r)
{
    pkm_peaks_break(r->peaks);
    pkm_sums_break(r->sums);
}

/// Samples on both sides of a break; the right one is for the next interval where a row is at it.
static pkm_status sample_break(run* r, double at, double from, double to, double side,
                               pkm_error* err)
{
    if (at - side > from) PKM_TRY(sample_at(r, at - side, err));
    note_break(r);
    if (at + side < to) return sample_at(r, at + side, err);
    r->broken = true;
    return PKM_OK;
}

/// Samples between `from` and `to`, no further apart than `gap`.
static pkm_status sample_inside(run* r, double from, double to, double gap, pkm_error* err)
{
    const double n = ceil((1.0 - 1e-9) * (to - from) / gap);
    for (double k = 1.0; k < n; ++k)
        PKM_TRY(sample_at(r, from + (to - from) * k / n, err));
    return PKM_OK;
}

/// Samples between two rows that are far apart, of the run or of the piece of the motion that lies
/// there (a short motion in a long run), and next to breaks.
static pkm_status sample_between(run* r, double from, double to, double end, pkm_error* err)
{
    static const double OF_RUN = 64.0, OF_PIECE = 32.0; // samples, at least
    static const double SIDE = 1e-9;                    // of the run: how near to a break
    const double side = SIDE * end;
    if (!r->peaks) return PKM_OK;
    if (r->broken) {
        r->broken = false;
        note_break(r);
        PKM_TRY(sample_at(r, from + side, err));
    }
    for (double at = from, next = next_break(r, from + side);; next = next_break(r, next)) {
        // where a break and the end of the run are the same but for rounding the piece is nothing
        const double stop = fmin(next, to);
        const double piece = fmax(fmin(next, end) - r->last_break, stop - at);
        PKM_TRY(sample_inside(r, at, stop, fmin(end / OF_RUN, piece / OF_PIECE), err));
        if (next > to + side) return PKM_OK;
        PKM_TRY(sample_break(r, next, from, to, side, err));
        at = r->last_break = next;
    }
}

static pkm_status locate_peaks(run* r, pkm_table* table, pkm_error* err)
{
    if (!r->peaks || pkm_table_n_row(table) == 0) return PKM_OK;
    const bool engine = r->settings->method == PKM_METHOD_ENGINE;
    if (engine) pkm_follow_save(&r->engine, r->place);
    r->is_look = true;
    pkm_serial_locate(&r->near.passes, look_serial, r);
    const pkm_status status = pkm_peaks_locate(r->peaks, look_at, r, table);
    if (engine) (void)!pkm_follow_look(&r->engine, r->place[0], r->place); // where the run ended
    return status == PKM_OK ? PKM_OK : pkm_fail(err, status, "out of memory");
}

static pkm_status step_through(run* r, double end, pkm_table* table, pkm_inverse_report* report,
                               pkm_error* err)
{
    const int n = r->settings->n_instant;
    for (int i = 0; i < n; ++i) {
        const double t = end * i / (n - 1);
        pkm_run_instant at = {.kinetic = 0.0};
        if (i > 0) PKM_TRY(check_between(r, end * (i - 1) / (n - 1), t, err));
        if (i > 0) PKM_TRY(sample_between(r, end * (i - 1) / (n - 1), t, end, err));
        PKM_TRY(instant(r, t, &at, err));
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        finish_row(r, t, &at, row);
        note_sample(r, row, true);
        if (r->settings->method == PKM_METHOD_ENGINE)
            pkm_snapshots_take(r->settings->snapshots, r->robot->state, t);
        if (pkm_limits_note(&r->limits, t, r->robot->state) != PKM_OK)
            return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        note_sums(r, t, &at);
        note_power(r, &at, report);
        report->n_done = i + 1;
        report->t_end = t;
        if (!r->settings->progress) continue;
        if (!r->settings->progress(r->settings->user, (double)(i + 1) / n)) {
            report->interrupted = true;
            break;
        }
    }
    return PKM_OK;
}

/// Idle freedoms move from row to row with the masses of the first.
static pkm_status check_payloads(const pkm_effects* effects, pkm_error* err)
{
    for (int i = 0; effects && i < effects->n_carried; ++i)
        if (pkm_payload_next_break(&effects->carried[i].payload, 1, 0.0) < HUGE_VAL)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "payload (%s): it comes or goes while idle freedoms move, expected "
                            "idle: refuse, or pkm simulate",
                            effects->carried[i].name);
    return PKM_OK;
}

static pkm_status check_settings(const pkm_robot* robot, int motion,
                                 const pkm_inverse_settings* settings, pkm_error* err)
{
    const pkm_vec3 f = settings->tool_force, t = settings->tool_torque;
    if (!pkm_robot_get_motion(robot, motion))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has %d motions, number %d is none of them",
                        robot->desc->name, robot->desc->n_motion, motion);
    if (settings->method != PKM_METHOD_ENGINE && settings->method != PKM_METHOD_CLOSED)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "method: %d, expected engine or closed",
                        (int)settings->method);
    const double given[] = {f.x, f.y, f.z, t.x, t.y, t.z};
    if (!pkm_all_finite(given, 6))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: its force or torque is not finite");
    if (!isfinite(settings->end_time) || settings->end_time < 0.0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "end time: %g s, expected 0 or more",
                        settings->end_time);
    if (settings->n_instant < 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "instants: %d, expected at least 2",
                        settings->n_instant);
    if (settings->method == PKM_METHOD_CLOSED && !robot->closed)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s has no closed form, expected `closed_form:` in %s or --method engine",
                        robot->desc->name, robot->desc->file);
    if (settings->method == PKM_METHOD_CLOSED && has_friction(settings))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "friction needs the reactions of the joints, expected --method engine");
    if (settings->idle == PKM_IDLE_INTEGRATE) return check_payloads(settings->effects, err);
    return PKM_OK;
}

/// Limits that are broken, as a list and as warnings. A closed form does not know all joints.
static void find_limits(const run* r, int motion, pkm_table* table, pkm_inverse_report* report)
{
    pkm_limit_list list;
    pkm_limits_find(&r->limits, r->robot, motion, table, &list);
    report->n_limit = list.n;
    memcpy(report->limit, list.item, sizeof report->limit);
    pkm_limits_warn(&list, pkm_table_warnings(table));
    if (r->settings->method == PKM_METHOD_CLOSED && pkm_joint_limits_passive(r->robot))
        pkm_warn(pkm_table_warnings(table), "limit", NAN,
                 "limits of joints without drives are not watched by the closed form; the engine "
                 "watches them");
}

/// Where the velocity of the motion jumps the drives would need infinite forces: rows know nothing
/// of it.
static void warn_jump(const pkm_motion* motion, double end, pkm_warnings* to)
{
    double jump;
    const double t = pkm_motion_find_jump(motion, end, &jump);
    if (t < end)
        pkm_warn(to, "motion", t,
                 "motion %s: its velocity jumps by %.6g at t = %.6g s, which takes infinite "
                 "forces; the forces are those before and behind it",
                 pkm_motion_name(motion), jump, t);
}

static void release(run* r)
{
    memset(r->robot->state->load, 0, (size_t)r->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_state_unload(r->robot->state);
    pkm_reactions_free(r->reactions);
    pkm_free(r->reaction);
    pkm_plant_free(r->plant);
    pkm_limits_end(&r->limits);
    pkm_idle_run_free(r->idle);
    pkm_peaks_free(r->peaks);
    pkm_serial_end(&r->near.passes);
    pkm_sums_free(r->sums);
    pkm_free(r->smooth);
    pkm_free(r->row);
    pkm_free(r->place);
    pkm_free(r->lock);
    pkm_motion_table_end(&r->columns);
    pkm_extra_columns_free(r->extra);
}

pkm_status pkm_inverse_columns(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                               pkm_table* table, pkm_error* err)
{
    PKM_TRY(check_settings(robot, motion, settings, err));
    run r = {.robot = robot, .settings = settings};
    pkm_status status = prepare(&r, motion, err);
    if (status == PKM_OK) status = begin_table(&r, table, err);
    release(&r);
    return status;
}

pkm_status pkm_inverse_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* table, pkm_inverse_report* report, pkm_error* err)
{
    const pkm_inverse_settings defaults = pkm_inverse_settings_defaults();
    pkm_inverse_report unread;
    if (!settings) settings = &defaults;
    if (!report) report = &unread;
    *report = (pkm_inverse_report){0};
    if (!robot || !table)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: the robot or the table is NULL");
    if (pkm_table_n_column(table) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the table has columns already, expected none");
    PKM_HOLD(robot, err);
    PKM_TRY(check_settings(robot, motion, settings, err));
    run r = {.robot = robot, .settings = settings, .next_break = -HUGE_VAL};
    const pkm_motion* m = robot->desc->motion[motion].motion;
    const double end = settings->end_time > 0.0 ? settings->end_time : pkm_motion_duration(m);
    pkm_status status = prepare(&r, motion, err);
    if (status == PKM_OK) status = begin_table(&r, table, err);
    if (status == PKM_OK) status = begin_peaks(&r, table, err);
    if (status == PKM_OK) status = begin_sums(&r, err);
    if (status == PKM_OK) warn_idle(&r, table);
    if (settings->snapshots) pkm_snapshots_rewind(settings->snapshots);
    if (status == PKM_OK) {
        status = step_through(&r, end, table, report, err);
        balance(&r, report);
        report->is_summed = has_sums(&r, m, end, report->n_done);
        if (report->is_summed) set_column_sums(&r, table);
        const pkm_status located = locate_peaks(&r, table, status == PKM_OK ? err : NULL);
        if (status == PKM_OK) status = located;
        find_limits(&r, motion, table, report);
        warn_jump(m, end, pkm_table_warnings(table));
        pkm_nearness_warn(&r.near, pkm_table_warnings(table));
        if (r.plant) pkm_plant_warn_range(r.plant, table);
    }
    release(&r);
    return status;
}

// ---- comparison -------------------------------------------------------------------------------

static void compare_drive(const pkm_robot* robot, int d, const pkm_table* engine,
                          const pkm_table* closed, pkm_compare_row* out)
{
    const int a = pkm_table_find_item(engine, robot->mech->drive[d].name, "force");
    const int b = pkm_table_find_item(closed, robot->mech->drive[d].name, "force");
    *out = (pkm_compare_row){.largest_force =
                                 fmax(pkm_table_reduce(engine, a, PKM_REDUCE_ABSMAX, NULL),
                                      pkm_table_reduce(closed, b, PKM_REDUCE_ABSMAX, NULL))};
    for (int i = 0; i < pkm_table_n_row(engine) && i < pkm_table_n_row(closed); ++i) {
        const double fa = pkm_table_get(engine, i, a), fb = pkm_table_get(closed, i, b);
        if (isnan(out->difference) || fabs(fa - fb) <= out->difference) continue;
        out->difference = fabs(fa - fb);
        out->t = pkm_table_get(engine, i, 0);
    }
}

void pkm_compare_tables(const pkm_robot* robot, const pkm_table* engine, const pkm_table* other,
                        pkm_compare_row* out)
{
    for (int d = 0; d < robot->mech->n_drive; ++d)
        compare_drive(robot, d, engine, other, &out[d]);
}

pkm_status pkm_compare_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* engine, pkm_table* closed, pkm_compare_row* out,
                           pkm_error* err)
{
    if (!robot || !engine || !closed || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "compare: an argument is NULL");
    PKM_HOLD(robot, err);
    pkm_inverse_settings s = settings ? *settings : pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    s.method = PKM_METHOD_CLOSED;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, closed, &report, err));
    s.method = PKM_METHOD_ENGINE;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, engine, &report, err));
    pkm_compare_tables(robot, engine, closed, out);
    return PKM_OK;
}
