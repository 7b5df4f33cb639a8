// Motors of an inverse run: torque, power and rotor of each drive from its force and motion,
// docs/theory/forces.md, section 5.
#include "robot/inverse_run_impl.h"

#include <stddef.h>

enum { TORQUE, SHAFT, MECHANICAL, ELECTRIC, SATURATED, N_MOTOR_COLUMN };

static const pkm_column motor_columns[N_MOTOR_COLUMN] = {
    [TORQUE] = {"torque", "N m", offsetof(pkm_inverse_motor, torque), "torque of the motor", NULL,
                PKM_PEAK_LOCATED},
    [SHAFT] = {"shaft", "rad/s", offsetof(pkm_inverse_motor, shaft), .title = "speed of the motor"},
    [MECHANICAL] = {"mechanical", "W", offsetof(pkm_inverse_motor, mechanical),
                    "mechanical power of the motor", NULL, PKM_PEAK_LOCATED},
    [ELECTRIC] = {"electric", "W", offsetof(pkm_inverse_motor, electric),
                  .title = "electrical power"},
    [SATURATED] = {"saturated", "", offsetof(pkm_inverse_motor, saturated), .title = "saturated"},
};

bool pkm_inverse_has_motors(const pkm_inverse_walk* w)
{
    for (int d = 0; w->settings->effects && d < w->robot->mech->n_drive; ++d)
        if (w->settings->effects->motor[d]) return true;
    return false;
}

pkm_inverse_motor pkm_inverse_motor_of(const pkm_inverse_walk* w, const pkm_run_instant* at, int d)
{
    const pkm_motor* motor = w->settings->effects ? w->settings->effects->motor[d] : NULL;
    if (!motor) return (pkm_inverse_motor){.torque = 0.0};
    // that force makes the rotor follow too (pkm_inverse_add_rotors)
    const pkm_motor_point point = pkm_motor_require_all(motor, at->force[d], at->v[d], at->a[d]);
    return (pkm_inverse_motor){point.torque, point.shaft_speed, point.torque * point.shaft_speed,
                               point.electrical_power, point.is_saturated};
}

void pkm_inverse_put_motors(const pkm_inverse_walk* w, const pkm_run_instant* at, pkm_layout* to)
{
    for (int d = 0; w->settings->effects && d < w->robot->mech->n_drive; ++d) {
        pkm_inverse_motor values = {.torque = 0.0};
        if (!w->settings->effects->motor[d]) continue;
        if (!to->table) values = pkm_inverse_motor_of(w, at, d);
        pkm_layout_put(to, w->robot->mech->drive[d].name, motor_columns, N_MOTOR_COLUMN, &values);
    }
}

void pkm_inverse_add_rotors(pkm_inverse_walk* w, pkm_run_instant* out)
{
    for (int d = 0; w->settings->effects && d < w->robot->mech->n_drive; ++d) {
        const pkm_motor* motor = w->settings->effects->motor[d];
        if (!motor) continue;
        // reduced to the drive [kg, kg m^2]: force J a, energy J v^2/2, its rate J a v
        const double J = pkm_motor_inertia(motor);
        out->force[d] += J * out->a[d];
        out->kinetic += 0.5 * J * out->v[d] * out->v[d];
        w->energy_rate += J * out->a[d] * out->v[d];
    }
}

int pkm_inverse_electric_column(const pkm_inverse_walk* w, const pkm_table* table, int d)
{
    return pkm_table_find_item(table, w->robot->mech->drive[d].name,
                               motor_columns[ELECTRIC].quantity);
}
