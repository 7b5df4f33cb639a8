// What motors need and take over a run: mean squares of their torques, electrical energies taken
// and given back. Samples are the ends of the steps and, in steps that are long against the run,
// instants between them; changes of the equations are breaks (robot/sums.h). Rows tell less: a few
// of them miss what lies between.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "robot/sums.h"
#include "simulate/simulation_impl.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 128 }; // of a run, at least

struct pkm_sim_motor_sums {
    int n;                    ///< drives with motors
    int drive[PKM_MAX_DRIVE]; ///< which
    double t_end;             ///< of the sample at the end of the step; NaN: not read
    double end[2 * PKM_MAX_DRIVE], between[2 * PKM_MAX_DRIVE]; ///< squares of torques, powers
    double* y;                                                 ///< [n_y] dense output
    pkm_sums* sums;
};
typedef struct pkm_sim_motor_sums motor_sums;

pkm_status pkm_sim_begin_motor_sums(pkm_sim* s)
{
    int n = 0;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        n += s->settings->drive[d].has_motor;
    if (n == 0) return PKM_OK;
    motor_sums* m = s->motor_sums = pkm_alloc(1, sizeof *m);
    if (!m) return PKM_ERR_MEMORY;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        if (s->settings->drive[d].has_motor) m->drive[m->n++] = d;
    m->t_end = NAN;
    m->sums = pkm_sums_create(n, n);
    m->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    return m->sums && m->y ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_sim_end_motor_sums(pkm_sim* s)
{
    if (!s->motor_sums) return;
    pkm_sums_free(s->motor_sums->sums);
    pkm_free(s->motor_sums->y);
    pkm_free(s->motor_sums);
}

/// At the plant's last evaluation, with the accelerations of all coordinates known.
static void read_motors(const pkm_sim* s, double* value)
{
    const motor_sums* m = s->motor_sums;
    for (int i = 0; i < m->n; ++i) {
        const int d = m->drive[i];
        double v, a;
        pkm_drive_rates(s->robot->state, d, &v, &a);
        const pkm_drive_point at =
            pkm_actuator_point(s->actuator, d, pkm_plant_drive_force(s->plant)[d], v, a);
        value[i] = at.motor_torque * at.motor_torque;
        value[m->n + i] = at.electrical_power;
    }
}

static pkm_status look(pkm_sim* s, double t, double* value)
{
    motor_sums* m = s->motor_sums;
    pkm_sim_watch_moved(s);
    PKM_TRY(pkm_sim_dense(s, t, m->y));
    pkm_sim_load_state(s, m->y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), m->y + s->n_q + s->n_v, s->z_rate));
    pkm_kinematics_acceleration(s->robot->state, s->robot->state->a);
    read_motors(s, value);
    return PKM_OK;
}

void pkm_sim_read_motor_sums(pkm_sim* s, double t)
{
    motor_sums* m = s->motor_sums;
    if (!m) return;
    read_motors(s, m->end);
    m->t_end = t;
}

void pkm_sim_break_motor_sums(pkm_sim* s, double t)
{
    motor_sums* m = s->motor_sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    read_motors(s, m->between);
    pkm_sums_sample(m->sums, t, m->between, m->between + m->n);
}

pkm_status pkm_sim_add_motor_sums(pkm_sim* s, double begin, double end)
{
    motor_sums* m = s->motor_sums;
    if (!m || !(end > begin)) return PKM_OK;
    const double n = ceil((1.0 - 1e-9) * (end - begin) * SAMPLES / s->settings->end_time);
    for (double k = 1.0; k < n; ++k) {
        const double t = begin + (end - begin) * k / n;
        PKM_TRY(look(s, t, m->between));
        pkm_sums_sample(m->sums, t, m->between, m->between + m->n);
    }
    if (m->t_end != end) PKM_TRY(look(s, end, m->end));
    pkm_sums_sample(m->sums, end, m->end, m->end + m->n);
    m->t_end = NAN;
    return PKM_OK;
}

void pkm_sim_put_motor_sums(const pkm_sim* s, pkm_table* table)
{
    const motor_sums* m = s->motor_sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    const double span = pkm_sums_span(m->sums);
    for (int i = 0; i < m->n && span > 0.0; ++i) {
        const char* name = s->robot->mech->drive[m->drive[i]].name;
        double up, down;
        pkm_table_set_rms(table, pkm_table_find_item(table, name, "torque"),
                          sqrt(fmax(pkm_sums_get(m->sums, i), 0.0) / span));
        pkm_sums_get_parts(m->sums, i, &up, &down);
        pkm_table_set_parts(table, pkm_table_find_item(table, name, "electric"), up, down);
    }
}
