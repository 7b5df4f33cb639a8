#include "base/error.h"
#include "dynamics/kinematics.h"
#include "robot/idle.h"
#include "robot/snapshots.h"
#include "simulate/simulation_impl.h"

#include <string.h>

static bool add_deviation_columns(const pkm_sim* s, pkm_table* table)
{
    bool ok = true;
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        const pkm_column column[] = {
            {"dq", pkm_robot_drive_unit(s->robot, d, 0), "drive deviation", "q"},
            {"dforce", pkm_robot_drive_unit(s->robot, d, -1), "drive force deviation", "force"}};
        ok = ok && pkm_table_add_columns(table, s->robot->mech->drive[d].name, column, 2);
    }
    if (s->robot->mech->tool == PKM_NONE) return ok;
    static const pkm_column column[] = {{"dx", "m", "tool deviation", "x y z"},
                                        {"dy", "m", "tool deviation", "x y z"},
                                        {"dz", "m", "tool deviation", "x y z"},
                                        {"dp", "m", "tool deviation", "x y z"},
                                        {"dv", "m/s", "velocity deviation", "speed"},
                                        {"da", "m/s2", "acceleration deviation", "acc"},
                                        {"turn", "rad", "tool tilt", "1"}};
    const char* tool = pkm_short_name(s->robot->mech->marker[s->robot->mech->tool].name);
    return ok && pkm_table_add_columns(table, tool, column, sizeof column / sizeof column[0]);
}

static bool add_drive_columns(const pkm_sim* s, pkm_table* table)
{
    bool ok = true;
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        if (!pkm_sim_has_more(s, d)) continue;
        const char* name = s->robot->mech->drive[d].name;
        ok = ok &&
             pkm_table_add_item(table, name, "demand", pkm_robot_drive_unit(s->robot, d, -1)) &&
             pkm_table_add_item(table, name, "saturated", "") &&
             pkm_table_add_item(table, name, "electric", "W");
        if (s->settings->drive[d].has_motor)
            ok = ok && pkm_table_add_item(table, name, "torque", "N m");
    }
    return ok;
}

static double* put_drives(const pkm_sim* s, const pkm_run_instant* at, double* out)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        if (!pkm_sim_has_more(s, d)) continue;
        const pkm_drive_point point =
            pkm_actuator_point(s->actuator, d, at->force[d], at->v[d], at->a[d]);
        *out++ = point.demand;
        *out++ = point.is_saturated ? 1.0 : 0.0;
        *out++ = point.electrical_power;
        if (s->settings->drive[d].has_motor) *out++ = point.motor_torque;
    }
    return out;
}

pkm_status pkm_sim_add_columns(const pkm_sim* s, pkm_table* table, pkm_error* err)
{
    PKM_TRY(pkm_motion_table_columns(&s->columns, table, err));
    bool ok = !s->robot->state->modal || pkm_table_add_item(table, "energy", "strain", "J");
    ok = ok && pkm_table_add_item(table, "energy", "spring", "J") &&
         pkm_table_add_item(table, "loss", "friction", "W") &&
         pkm_table_add_item(table, "loss", "damping", "W") &&
         (!s->contacts || pkm_table_add_item(table, "loss", "contact", "W")) &&
         pkm_table_add_item(table, "work", "drive", "J") &&
         pkm_table_add_item(table, "work", "load", "J") &&
         pkm_table_add_item(table, "work", "lost", "J") &&
         pkm_table_add_item(table, "", "balance", "J");
    ok = ok && add_drive_columns(s, table) && pkm_sim_add_contact_columns(s, table) &&
         pkm_sim_add_deflection_columns(s, table);
    if (ok && s->ideal) ok = add_deviation_columns(s, table);
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static double* put_deviations(const pkm_sim* s, const pkm_ideal_point* ideal,
                              const pkm_run_instant* at, double* out)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        *out++ = at->q[d] - ideal->q[d];
        *out++ = at->force[d] - ideal->force[d];
    }
    if (s->robot->mech->tool == PKM_NONE) return out;
    const pkm_vec3 dp = pkm_vec3_sub(at->tool.pose.p, ideal->p);
    const pkm_quat turn = pkm_quat_mul(at->tool.pose.q, pkm_quat_conj(ideal->turn));
    const double values[] = {dp.x,
                             dp.y,
                             dp.z,
                             pkm_vec3_norm(dp),
                             pkm_vec3_norm(pkm_vec3_sub(at->tool.v, ideal->v)),
                             pkm_vec3_norm(pkm_vec3_sub(at->tool.a, ideal->a)),
                             pkm_vec3_norm(pkm_quat_to_rotvec(turn))};
    memcpy(out, values, sizeof values);
    return out + sizeof values / sizeof values[0];
}

/// Largest closure residual and rate at the present state.
static void note_drift(const pkm_sim* s, pkm_sim_report* report)
{
    const pkm_state* state = s->robot->state;
    for (int r = 0; r < s->robot->mech->n_closure; ++r) {
        const pkm_row* row = &s->robot->mech->row[r];
        double speed = 0.0;
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            speed += state->jacobian[e] * state->v[s->robot->mech->column[e]];
        report->drift_position = fmax(report->drift_position, fabs(state->residual[r]));
        report->drift_velocity = fmax(report->drift_velocity, fabs(speed));
    }
}

static void fill_ledger(pkm_sim* s, const double* y, pkm_ledger* out)
{
    const double* sum = y + s->n_y - s->n_sum;
    const pkm_energy now = pkm_plant_energy(s->plant);
    s->most_kinetic = fmax(s->most_kinetic, now.kinetic);
    *out = (pkm_ledger){.drive = sum[PKM_SUM_DRIVE],
                        .load = sum[PKM_SUM_LOAD],
                        .payload = s->carried,
                        .friction = sum[PKM_SUM_FRICTION],
                        .damping = sum[PKM_SUM_DAMPING],
                        .contact = pkm_sim_contact_loss(s, y),
                        .exchanged = sum[PKM_SUM_EXCHANGED] + s->most_kinetic,
                        .kinetic = now.kinetic - s->start.kinetic,
                        .potential = now.potential - s->start.potential,
                        .spring = pkm_plant_ledger(s->plant).stored - s->spring_start,
                        .strain = now.strain - s->start.strain};
    out->residual = out->drive + out->load + out->payload - out->friction - out->damping -
                    out->contact - out->kinetic - out->potential - out->spring - out->strain;
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
    if (pkm_idle_multiplier(s->robot->state, PKM_MODE_FREE, s->structure.lock, s->structure.n_held,
                            &row, &moment) <= PKM_IDLE_LIMIT)
        return PKM_OK;
    char name[2 * PKM_MAX_NAME];
    pkm_row_name(s->robot->mech, row, name, sizeof name);
    return pkm_fail(err, PKM_ERR_UNDETERMINED, "t = %.6g s: %s: it is held, but by %.6g N m", t,
                    name, moment);
}

/// The robot at (t, y), which is put on the constraints.
static pkm_status evaluate(pkm_sim* s, double t, double* y, pkm_run_instant* at)
{
    PKM_TRY(pkm_sim_project(s, t, y));
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v, s->z_rate));
    if (s->reaction) PKM_TRY(pkm_plant_reactions(s->plant, s->reaction));
    pkm_kinematics_acceleration(s->robot->state, s->robot->state->a);
    *at = (pkm_run_instant){.kinetic = 0.0};
    pkm_run_instant_read(s->robot, at);
    memcpy(at->force, pkm_plant_drive_force(s->plant), sizeof at->force);
    at->kinetic = pkm_plant_energy(s->plant).kinetic;
    return PKM_OK;
}

/// All columns at the plant's last evaluation.
static void write_row(const pkm_sim* s, double t, const pkm_run_instant* at,
                      const pkm_ideal_point* ideal, const pkm_ledger* ledger,
                      pkm_deflection_limits* limits, double* out)
{
    const pkm_ledger_rates now = pkm_plant_ledger(s->plant);
    out = pkm_motion_table_row(&s->columns, t, at, s->reaction, out);
    if (s->robot->state->modal) *out++ = pkm_plant_energy(s->plant).strain;
    *out++ = now.stored;
    *out++ = now.friction;
    *out++ = now.damping;
    if (s->contacts) *out++ = now.contact;
    *out++ = ledger->drive;
    *out++ = ledger->load;
    *out++ = ledger->friction + ledger->damping + ledger->contact;
    *out++ = ledger->residual;
    out = put_drives(s, at, out);
    out = pkm_sim_put_contacts(s, out);
    out = pkm_sim_put_deflections(s, t, limits, out);
    if (s->ideal) put_deviations(s, ideal, at, out);
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
    if (s->ideal && pkm_ideal_exact(s->ideal, t, &ideal) != PKM_OK)
        pkm_ideal_near(s->ideal, t, &ideal);
    if (s->columns.nearness) { // between rows that of the curve through them
        pkm_ideal_point near;
        pkm_ideal_near(s->ideal, t, &near);
        take_nearness(s, &near, &at);
    }
    fill_ledger(s, y, &ledger);
    write_row(s, t, &at, &ideal, &ledger, &unread, row);
    return PKM_OK;
}

pkm_status pkm_sim_put_row(pkm_sim* s, int i, double t, double* y, pkm_table* table,
                           pkm_sim_report* report, pkm_error* err)
{
    pkm_run_instant at;
    pkm_ideal_point ideal;
    if (s->ideal && i >= pkm_ideal_n_row(s->ideal)) { // it ends before a singularity
        s->why = PKM_STOP_DRIVEN;
        s->t_why = pkm_ideal_end(s->ideal);
        return PKM_ERR_SINGULAR;
    }
    PKM_TRY(evaluate(s, t, y, &at));
    PKM_TRY(pkm_limits_note(&s->limits, t, s->robot->state));
    PKM_TRY(check_locks(s, t, err));
    note_drift(s, report);
    pkm_snapshots_take(s->settings->snapshots, s->robot->state, t);
    if (i == 0) {
        s->start = pkm_plant_energy(s->plant);
        s->spring_start = pkm_plant_ledger(s->plant).stored;
    }
    fill_ledger(s, y, &report->ledger);
    const double* use = y + s->n_y - s->n_sum + PKM_N_SUM;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        report->energy_use[d] = pkm_sim_has_more(s, d) ? *use++ : NAN;
    if (s->ideal) pkm_ideal_row(s->ideal, i, &ideal);
    take_nearness(s, &ideal, &at);
    double* out = pkm_table_append(table);
    if (!out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    write_row(s, t, &at, &ideal, &report->ledger, &report->bend, out);
    report->n_done = i + 1;
    report->t_end = t;
    return pkm_sim_watch_row(s, t, out);
}
