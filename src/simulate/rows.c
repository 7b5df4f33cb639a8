// Columns and rows of simulations, declared as data: drives, motors, deviations from the ideal
// motion, contacts, the ledger. docs/theory/simulation.md, section 5.
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_friction_columns.h"
#include "robot/idle.h"
#include "robot/snapshots.h"
#include "simulate/simulation_impl.h"

#include <string.h>

// ---- the walk over the columns ----------------------------------------------------------------

/// What a row is made of; without values while columns are added.
typedef struct row_source {
    double t;
    const pkm_run_instant* at;
    const pkm_ideal_point* ideal;
    const pkm_ledger* ledger;
    pkm_deflection_limits* limits;
} row_source;

typedef struct energy_values {
    double strain, spring, friction, damping, contact, drive, load, lost, balance;
} energy_values;

static const pkm_column strain = {"strain", "J", offsetof(energy_values, strain), .title = "*"};
static const pkm_column spring = {"spring", "J", offsetof(energy_values, spring), .title = "*"};
static const pkm_column losses[] = {
    {"friction", "W", offsetof(energy_values, friction), .title = "*"},
    {"damping", "W", offsetof(energy_values, damping), .title = "*"},
    {"contact", "W", offsetof(energy_values, contact), .title = "*"},
};
static const pkm_column works[] = {
    {"drive", "J", offsetof(energy_values, drive), .title = "*"},
    {"load", "J", offsetof(energy_values, load), .title = "*"},
    {"lost", "J", offsetof(energy_values, lost), .title = "*"},
};
static const pkm_column balance = {"balance", "J", offsetof(energy_values, balance),
                                   .title = "balance"};

static energy_values read_energy(const pkm_sim* s, const pkm_ledger* ledger)
{
    const pkm_ledger_rates now = pkm_plant_ledger(s->plant);
    return (energy_values){.strain =
                               s->robot->state->modal ? pkm_plant_energy(s->plant).strain : 0.0,
                           .spring = now.stored,
                           .friction = now.friction,
                           .damping = now.damping,
                           .contact = now.contact,
                           .drive = ledger->drive,
                           .load = ledger->load,
                           .lost = ledger->friction + ledger->damping + ledger->contact,
                           .balance = ledger->residual};
}

static void put_energy(const pkm_sim* s, const row_source* from, pkm_layout* to)
{
    energy_values values = {.strain = 0.0};
    if (!to->table) values = read_energy(s, from->ledger);
    if (s->robot->state->modal) pkm_layout_put(to, "energy", &strain, 1, &values);
    pkm_layout_put(to, "energy", &spring, 1, &values);
    pkm_layout_put(to, "loss", losses, s->contacts ? 3 : 2, &values);
    pkm_layout_put(to, "work", works, 3, &values);
    pkm_layout_put(to, "", &balance, 1, &values);
}

typedef struct more_values {
    double demand, saturated, electric, torque, shaft, mechanical, lead;
} more_values;

/// [is_rotary]; the last three for drives with a motor.
static const pkm_column more_columns[2][6] = {
    {{"demand", "N", offsetof(more_values, demand), .title = "demanded force"},
     {"saturated", "", offsetof(more_values, saturated), .title = "saturated"},
     {"electric", "W", offsetof(more_values, electric), .title = "electrical power"},
     {"torque", "N m", offsetof(more_values, torque), "torque of the motor", NULL,
      PKM_PEAK_LOCATED},
     {"shaft", "rad/s", offsetof(more_values, shaft), .title = "speed of the motor"},
     {"mechanical", "W", offsetof(more_values, mechanical), "mechanical power of the motor", NULL,
      PKM_PEAK_LOCATED}},
    {{"demand", "N m", offsetof(more_values, demand), .title = "demanded torque"},
     {"saturated", "", offsetof(more_values, saturated), .title = "saturated"},
     {"electric", "W", offsetof(more_values, electric), .title = "electrical power"},
     {"torque", "N m", offsetof(more_values, torque), "torque of the motor", NULL,
      PKM_PEAK_LOCATED},
     {"shaft", "rad/s", offsetof(more_values, shaft), .title = "speed of the motor"},
     {"mechanical", "W", offsetof(more_values, mechanical), "mechanical power of the motor", NULL,
      PKM_PEAK_LOCATED}},
};

/// Of drives behind a belt or backlash, [is_rotary].
static const pkm_column lead_column[2] = {
    {"lead", "m", offsetof(more_values, lead), .title = "lead of the motor"},
    {"lead", "rad", offsetof(more_values, lead), .title = "lead of the motor"}};

static void put_drives(const pkm_sim* s, const pkm_run_instant* at, pkm_layout* to)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &s->robot->mech->drive[d];
        more_values values = {.demand = 0.0};
        if (!pkm_sim_has_more(s, d)) continue;
        if (!to->table) {
            // asked of the drive once for all of its columns
            const pkm_drive_point point =
                pkm_actuator_point(s->actuator, d, at->force[d], at->v[d], at->a[d]);
            values = (more_values){
                point.demand,       point.is_saturated, point.electrical_power,
                point.motor_torque, point.shaft_speed,  point.motor_torque * point.shaft_speed,
                point.lead};
        }
        pkm_layout_put(to, drive->name, more_columns[drive->is_rotary],
                       s->settings->drive[d].has_motor ? 6 : 3, &values);
        if (s->settings->drive[d].coupling.stiffness > 0.0)
            pkm_layout_put(to, drive->name, &lead_column[drive->is_rotary], 1, &values);
    }
}

static pkm_tool_deviation tool_deviation(const pkm_run_instant* at, const pkm_ideal_point* ideal)
{
    // R R_ideal', as a rotation vector below
    const pkm_quat turn = pkm_quat_mul(at->tool.pose.q, pkm_quat_conj(ideal->turn));
    const pkm_frame_motion is = {.pose.p = ideal->p, .v = ideal->v, .a = ideal->a};
    const pkm_frame_motion off = {.pose.p = pkm_vec3_sub(at->tool.pose.p, ideal->p),
                                  .v = pkm_vec3_sub(at->tool.v, ideal->v),
                                  .a = pkm_vec3_sub(at->tool.a, ideal->a)};
    return pkm_tool_deviation_make(&is, &off, pkm_quat_to_rotvec(turn));
}

static void put_deviations(const pkm_sim* s, const row_source* from, pkm_layout* to)
{
    const pkm_mechanism* mech = s->robot->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_drive_deviation off = {0.0, 0.0};
        if (!to->table)
            off = (pkm_drive_deviation){from->at->q[d] - from->ideal->q[d],
                                        from->at->force[d] - from->ideal->force[d]};
        // off what the rigid robot does without effects, [m, rad] and [N, N m]
        pkm_layout_put_list(to, mech->drive[d].name,
                            &pkm_drive_deviation_columns[mech->drive[d].is_rotary], &off);
    }
    if (mech->tool == PKM_NONE) return;
    pkm_tool_deviation off = {.dp = 0.0};
    if (!to->table) off = tool_deviation(from->at, from->ideal);
    pkm_layout_put_list(to, pkm_tool_item(mech), &pkm_tool_deviation_columns, &off);
}

/// All columns, or their values at the plant's last evaluation.
static void put_all(const pkm_sim* s, const row_source* from, pkm_layout* to)
{
    pkm_motion_table_put(&s->columns, to, from->t, from->at, s->reaction);
    // the order of the columns is that of these calls, in the heading and in every row
    put_energy(s, from, to);
    put_drives(s, from->at, to);
    pkm_plant_put_friction(s->plant, to);
    pkm_sim_put_contacts(s, to);
    pkm_sim_put_deflections(s, from->t, from->limits, to);
    if (s->deviates) put_deviations(s, from, to);
}

pkm_status pkm_sim_add_columns(pkm_sim* s, pkm_table* table, pkm_error* err)
{
    pkm_layout to = {.table = table};
    put_all(s, &(row_source){.t = 0.0}, &to);
    if (!to.failed && s->settings->effects && !s->extra)
        return pkm_extra_columns_create(s->robot, s->settings->effects->columns, table, &s->extra,
                                        err);
    if (!to.failed && pkm_extra_columns_repeat(s->extra, table)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

// ---- rows -------------------------------------------------------------------------------------

/// Largest closure residual and rate at the present state.
static void note_drift(const pkm_sim* s, pkm_sim_report* report)
{
    const pkm_state* state = s->robot->state;
    for (int r = 0; r < s->robot->mech->n_closure; ++r) {
        const pkm_row* row = &s->robot->mech->row[r];
        double speed = 0.0;
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            // G v of the row [m/s, rad/s]; its residual is phi
            speed += state->jacobian[e] * state->v[s->robot->mech->column[e]];
        report->drift_position = fmax(report->drift_position, fabs(state->residual[r]));
        report->drift_velocity = fmax(report->drift_velocity, fabs(speed));
    }
}

static void fill_ledger(pkm_sim* s, const double* y, pkm_ledger* out)
{
    // integrals over time are the last states: they have the accuracy of the run
    const double* sum = y + s->n_y - s->n_sum;
    const pkm_energy now = pkm_plant_energy(s->plant);
    s->most_kinetic = fmax(s->most_kinetic, now.kinetic);
    *out = (pkm_ledger){.drive = sum[PKM_SUM_DRIVE],
                        .load = sum[PKM_SUM_LOAD],
                        .payload = s->carried,
                        .friction = sum[PKM_SUM_FRICTION],
                        .damping = sum[PKM_SUM_DAMPING],
                        .contact = pkm_sim_contact_loss(s, y),
                        // a free motion exchanges nothing: its kinetic energy is the measure then
                        .exchanged = sum[PKM_SUM_EXCHANGED] + s->most_kinetic,
                        .kinetic = now.kinetic - s->start.kinetic,
                        .potential = now.potential - s->start.potential,
                        .spring = pkm_plant_ledger(s->plant).stored - s->spring_start,
                        .strain = now.strain - s->start.strain};
    pkm_ledger_balance(out);
}

/// The locks of spins carry nothing: that is why they are held (simulation.md, section 7). Friction
/// turns the rods by a law of its own, flexible links are symmetric to first order only.
static pkm_status check_locks(const pkm_sim* s, double t, pkm_error* err)
{
    int row = PKM_NONE;
    double moment = 0.0;
    const pkm_effects* effects = s->settings->effects;
    if (s->structure.n_held == 0 || s->variant || (effects && effects->n_friction > 0))
        return PKM_OK;
    // a moment that a lock bears would turn the rod if it were free: the lock is then no answer
    if (pkm_idle_multiplier(s->robot->state, PKM_GIVEN_FORCES, s->structure.lock,
                            s->structure.n_held, &row, &moment) <= PKM_IDLE_LIMIT)
        return PKM_OK;
    char name[2 * PKM_MAX_NAME];
    pkm_row_name(s->robot->mech, row, name, sizeof name);
    return pkm_fail(err, PKM_ERR_UNDETERMINED, "t = %.6g s: %s: it is held, but by %.6g N m", t,
                    name, moment);
}

/// The robot at (t, y), which is put on the constraints.
static pkm_status evaluate(pkm_sim* s, double t, double* y, pkm_run_instant* at)
{
    // dense output leaves constraints by the error of the method: rows show states on them
    PKM_TRY(pkm_sim_project(s, t, y));
    // from the left: at a break the row belongs to what was before
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v, s->z_rate));
    if (s->reaction) PKM_TRY(pkm_plant_reactions(s->plant, s->reaction));
    pkm_kinematics_acceleration(s->robot->state, s->robot->state->a);
    *at = (pkm_run_instant){.kinetic = 0.0};
    pkm_run_instant_read(s->robot->state, at);
    memcpy(at->force, pkm_plant_drive_force(s->plant), sizeof at->force);
    at->kinetic = pkm_plant_energy(s->plant).kinetic;
    return PKM_OK;
}

/// Condition and distance of the ideal motion at this instant.
static void take_nearness(const pkm_sim* s, const pkm_ideal_point* ideal, pkm_run_instant* at)
{
    if (!s->columns.nearness) return;
    at->condition = ideal->condition;
    at->singularity = ideal->singularity;
}

pkm_status pkm_sim_fill_row(pkm_sim* s, double t, double* y, double* row)
{
    pkm_run_instant at;
    pkm_ideal_point ideal;
    pkm_ledger ledger;
    pkm_deflection_limits unread = {.turn = {.value = 0.0}};
    PKM_TRY(evaluate(s, t, y, &at));
    // where the ideal motion cannot be found at t, the curve through its rows serves
    if (s->ideal && pkm_ideal_exact(s->ideal, t, &ideal) != PKM_OK)
        pkm_ideal_near(s->ideal, t, &ideal);
    if (s->columns.nearness) { // between rows that of the curve through them
        pkm_ideal_point near;
        pkm_ideal_near(s->ideal, t, &near);
        take_nearness(s, &near, &at);
    }
    fill_ledger(s, y, &ledger);
    put_all(s, &(row_source){t, &at, &ideal, &ledger, &unread}, &(pkm_layout){.out = row});
    pkm_extra_columns_put(s->extra, s->robot->state, row);
    return PKM_OK;
}

/// No row at time t: the run ends there.
static pkm_status end_rows(pkm_sim* s, pkm_stop why, double t)
{
    s->why = why;
    s->t_why = t;
    return PKM_ERR_SINGULAR;
}

pkm_status pkm_sim_put_row(pkm_sim* s, int i, double t, double* y, pkm_table* table,
                           pkm_sim_report* report, pkm_error* err)
{
    pkm_run_instant at;
    pkm_ideal_point ideal;
    if (i > 0 && !pkm_sim_row_goes_on(s, t)) return end_rows(s, s->cut, t);
    if (s->ideal && i >= pkm_ideal_n_row(s->ideal)) // it ends before a singularity
        return end_rows(s, PKM_STOP_DRIVEN, pkm_ideal_end(s->ideal));
    PKM_TRY(evaluate(s, t, y, &at));
    // what is watched sees every row, before it is known whether the run goes on
    PKM_TRY(pkm_limits_note(&s->limits, t, s->robot->state));
    PKM_TRY(check_locks(s, t, err));
    note_drift(s, report);
    pkm_snapshots_take(s->settings->snapshots, s->robot->state, t);
    if (i == 0) {
        // energies count from the first row
        s->start = pkm_plant_energy(s->plant);
        s->spring_start = pkm_plant_ledger(s->plant).stored;
    }
    fill_ledger(s, y, &report->ledger);
    // behind the sums of all come those of each drive that has a motor or a controller
    const double* use = y + s->n_y - s->n_sum + PKM_N_SUM;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        report->energy_use[d] = pkm_sim_has_more(s, d) ? *use++ : NAN;
    if (s->ideal) pkm_ideal_row(s->ideal, i, &ideal);
    take_nearness(s, &ideal, &at);
    double* out = pkm_table_append(table);
    if (!out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    put_all(s, &(row_source){t, &at, &ideal, &report->ledger, &report->bend},
            &(pkm_layout){.out = out});
    pkm_extra_columns_put(s->extra, s->robot->state, out);
    report->n_done = i + 1;
    report->t_end = t;
    return pkm_sim_watch_row(s, t, out);
}
