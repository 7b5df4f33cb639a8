// What motors need and take over a run: mean squares of their torques, electrical energies taken
// and given back. Samples are the rows and, where these are far apart, instants between them, all
// evenly spaced: torques jump where a shaft turns back. Changes of the equations are breaks
// (robot/sums.h).
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "robot/sums.h"
#include "simulate/simulation_impl.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

static const double SAMPLES = 128.0; // of a run, at least
static const double SAME = 1e-12;    // of the run: instants that are one

struct pkm_sim_motor_sums {
    int n;                                              ///< drives with motors
    int drive[PKM_MAX_DRIVE];                           ///< which
    int torque[PKM_MAX_DRIVE], electric[PKM_MAX_DRIVE]; ///< columns of them
    double gap, next;                 ///< between samples, and the number of the next one
    double t_end;                     ///< end of the step [s]; NaN: not read
    double end[2 * PKM_MAX_DRIVE];    ///< squares of torques, powers there
    double sample[2 * PKM_MAX_DRIVE]; ///< work
    double* y;                        ///< [n_y] dense output
    pkm_sums* sums;
};
typedef struct pkm_sim_motor_sums motor_sums;

pkm_status pkm_sim_begin_motor_sums(pkm_sim* s, const pkm_table* table)
{
    int n = 0;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        n += s->settings->drive[d].has_motor;
    if (n == 0) return PKM_OK;
    motor_sums* m = s->motor_sums = pkm_alloc(1, sizeof *m);
    if (!m) return PKM_ERR_MEMORY;
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        if (!s->settings->drive[d].has_motor) continue;
        m->torque[m->n] = pkm_table_find_item(table, s->robot->mech->drive[d].name, "torque");
        m->electric[m->n] = pkm_table_find_item(table, s->robot->mech->drive[d].name, "electric");
        m->drive[m->n++] = d;
    }
    const double per_row = ceil(SAMPLES / (s->settings->n_instant - 1.0));
    m->gap = s->settings->end_time / (per_row * (s->settings->n_instant - 1.0));
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
    PKM_TRY(pkm_sim_stand_at(s, t, m->y));
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

static void take(motor_sums* m, double t, const double* value)
{
    pkm_sums_sample(m->sums, t, value, value + m->n);
}

void pkm_sim_break_motor_sums(pkm_sim* s, double t)
{
    motor_sums* m = s->motor_sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    read_motors(s, m->sample);
    take(m, t, m->sample);
    m->next = floor(t / m->gap * (1.0 + SAME)) + 1.0;
}

/// Samples up to time t, inside the step.
static pkm_status fill(pkm_sim* s, double t)
{
    motor_sums* m = s->motor_sums;
    for (; m->next * m->gap <= t; ++m->next) {
        PKM_TRY(look(s, m->next * m->gap, m->sample));
        take(m, m->next * m->gap, m->sample);
    }
    return PKM_OK;
}

pkm_status pkm_sim_row_motor_sums(pkm_sim* s, double t, const double* row)
{
    motor_sums* m = s->motor_sums;
    if (!m) return PKM_OK;
    PKM_TRY(fill(s, t - SAME * s->settings->end_time));
    if (fabs(m->next * m->gap - t) > SAME * s->settings->end_time) return PKM_OK;
    for (int i = 0; i < m->n; ++i) {
        m->sample[i] = row[m->torque[i]] * row[m->torque[i]];
        m->sample[m->n + i] = row[m->electric[i]];
    }
    take(m, t, m->sample);
    ++m->next;
    return PKM_OK;
}

pkm_status pkm_sim_add_motor_sums(pkm_sim* s, double end, bool changes)
{
    motor_sums* m = s->motor_sums;
    if (!m) return PKM_OK;
    PKM_TRY(fill(s, end));
    if (!changes) return PKM_OK;
    if (m->t_end != end) PKM_TRY(look(s, end, m->end));
    take(m, end, m->end);
    return PKM_OK;
}

void pkm_sim_put_motor_sums(const pkm_sim* s, pkm_table* table)
{
    const motor_sums* m = s->motor_sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    const double span = pkm_sums_span(m->sums);
    for (int i = 0; i < m->n && span > 0.0; ++i) {
        double up, down;
        pkm_table_set_rms(table, m->torque[i], sqrt(fmax(pkm_sums_get(m->sums, i), 0.0) / span));
        pkm_sums_get_parts(m->sums, i, &up, &down);
        pkm_table_set_parts(table, m->electric[i], up, down);
    }
}
