// Integrals over a run: mean squares of the columns whose peaks are watched, time that drives spend
// at their limits, electrical energies taken and given back (robot/sums.h, docs/theory/engine.md,
// 4.8). Steps shorter than a share of the run are samples at their ends, since impacts and
// vibrations lie between the rows; through longer ones samples are evenly spaced, rows and instants
// between them: torques jump where a shaft turns back. Changes of the equations are breaks.
#include "base/error.h"
#include "base/memory.h"
#include "robot/sums.h"
#include "simulate/simulation_impl.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

static const double SAMPLES = 128.0; // of a run, at least
static const double SAME = 1e-12;    // of the run: instants that are one
static const double SHORT = 0.75;    // of the gap between samples: a step that is a sample

struct pkm_sim_sums {
    int n_square;                                          ///< columns of which there are squares
    int n;                                                 ///< drives with controller or motor
    int drive[PKM_MAX_DRIVE];                              ///< which
    int saturated[PKM_MAX_DRIVE], electric[PKM_MAX_DRIVE]; ///< columns of them
    double gap, next;           ///< between samples, and the number of the next one
    bool is_short;              ///< the step is
    double t_end, t_row;        ///< of the samples there are [s]; NaN: none
    double *end, *row, *sample; ///< squares, saturated or not; then powers: of the step's end,
                                ///< of the last row, of any
    int* column;                ///< [n_square]
    double* memory;
    pkm_sums* sums;
};
typedef struct pkm_sim_sums run_sums;

static int n_smooth(const run_sums* m)
{
    return m->n_square + m->n;
}

static void find_drives(const pkm_sim* s, const pkm_table* table, run_sums* m)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        const char* name = s->robot->mech->drive[d].name;
        const int saturated = pkm_table_find_item(table, name, "saturated");
        const int electric = pkm_table_find_item(table, name, "electric");
        if (saturated == PKM_NONE || electric == PKM_NONE) continue;
        m->saturated[m->n] = saturated;
        m->electric[m->n] = electric;
        m->drive[m->n++] = d;
    }
}

pkm_status pkm_sim_begin_sums(pkm_sim* s, const pkm_table* table, int n_column)
{
    run_sums* m = s->sums = pkm_alloc(1, sizeof *m);
    if (!m) return PKM_ERR_MEMORY;
    m->n_square = n_column;
    find_drives(s, table, m);
    const size_t n = (size_t)(n_smooth(m) + m->n);
    const double per_row = ceil(SAMPLES / (s->settings->n_instant - 1.0));
    m->gap = s->settings->end_time / (per_row * (s->settings->n_instant - 1.0));
    m->t_end = m->t_row = NAN;
    m->sums = pkm_sums_create(n_smooth(m), m->n);
    m->memory = pkm_alloc(3 * n + 1, sizeof(double));
    m->column = pkm_alloc((size_t)n_column + 1, sizeof *m->column);
    if (!m->sums || !m->memory || !m->column) return PKM_ERR_MEMORY;
    m->end = m->memory;
    m->row = m->end + n;
    m->sample = m->row + n;
    return PKM_OK;
}

void pkm_sim_set_sums(pkm_sim* s, int k, int column)
{
    s->sums->column[k] = column;
}

void pkm_sim_end_sums(pkm_sim* s)
{
    if (!s->sums) return;
    pkm_sums_free(s->sums->sums);
    pkm_free(s->sums->memory);
    pkm_free(s->sums->column);
    pkm_free(s->sums);
}

/// Values of the columns, each beside its negative; drives at the plant's last evaluation, with the
/// accelerations of all coordinates known.
static void read_plant(const pkm_sim* s, const double* value, double* out)
{
    const run_sums* m = s->sums;
    for (int k = 0; k < m->n_square; ++k)
        out[k] = value[2 * k] * value[2 * k];
    for (int i = 0; i < m->n; ++i) {
        const int d = m->drive[i];
        double v, a;
        pkm_drive_rates(s->robot->state, d, &v, &a);
        const pkm_drive_point at =
            pkm_actuator_point(s->actuator, d, pkm_plant_drive_force(s->plant)[d], v, a);
        out[m->n_square + i] = at.is_saturated;
        out[n_smooth(m) + i] = at.electrical_power;
    }
}

void pkm_sim_read_sums(pkm_sim* s, double t, const double* value)
{
    if (!s->sums) return;
    read_plant(s, value, s->sums->end);
    s->sums->t_end = t;
}

static void take(run_sums* m, double t, const double* value)
{
    pkm_sums_sample(m->sums, t, value, value + n_smooth(m));
}

void pkm_sim_break_sums(pkm_sim* s, double t, const double* value)
{
    run_sums* m = s->sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    read_plant(s, value, m->sample);
    take(m, t, m->sample);
    m->next = floor(t / m->gap * (1.0 + SAME)) + 1.0;
}

void pkm_sim_open_sums(pkm_sim* s, double length)
{
    if (s->sums) s->sums->is_short = length < SHORT * s->sums->gap;
}

/// Samples up to time t, inside the step.
static pkm_status fill(pkm_sim* s, double t)
{
    run_sums* m = s->sums;
    for (; m->next * m->gap <= t; ++m->next) {
        const double* value;
        PKM_TRY(pkm_sim_watch_look(s, m->next * m->gap, &value));
        read_plant(s, value, m->sample);
        take(m, m->next * m->gap, m->sample);
    }
    return PKM_OK;
}

pkm_status pkm_sim_row_sums(pkm_sim* s, double t, const double* row)
{
    run_sums* m = s->sums;
    if (!m) return PKM_OK;
    for (int k = 0; k < m->n_square; ++k)
        m->row[k] = row[m->column[k]] * row[m->column[k]];
    for (int i = 0; i < m->n; ++i) {
        m->row[m->n_square + i] = row[m->saturated[i]];
        m->row[n_smooth(m) + i] = row[m->electric[i]];
    }
    m->t_row = t;
    if (m->is_short) return PKM_OK;
    PKM_TRY(fill(s, t - SAME * s->settings->end_time));
    if (fabs(m->next * m->gap - t) > SAME * s->settings->end_time) return PKM_OK;
    take(m, t, m->row);
    ++m->next;
    return PKM_OK;
}

pkm_status pkm_sim_close_sums(pkm_sim* s, double end, bool changes)
{
    run_sums* m = s->sums;
    if (!m) return PKM_OK;
    if (m->is_short)
        m->next = floor(end / m->gap * (1.0 + SAME)) + 1.0;
    else
        PKM_TRY(fill(s, end));
    if (m->is_short || changes) take(m, end, m->t_end == end ? m->end : m->row);
    return PKM_OK;
}

/// A deviation that is nothing between rows is that of the rows.
static void put_rms(const run_sums* m, int k, int column, double noise, pkm_table* table)
{
    const double square = pkm_sums_get(m->sums, k) / pkm_sums_span(m->sums);
    const double rms = sqrt(fmax(square, 0.0));
    pkm_table_set_rms(table, column,
                      rms < noise ? pkm_table_reduce(table, column, PKM_REDUCE_RMS, NULL) : rms);
}

void pkm_sim_put_sums(const pkm_sim* s, pkm_table* table)
{
    const run_sums* m = s->sums;
    if (!m) return;
    pkm_sums_break(m->sums);
    if (!(pkm_sums_span(m->sums) > 0.0)) return;
    for (int k = 0; k < m->n_square; ++k)
        put_rms(m, k, m->column[k], pkm_sim_watch_noise(s, k), table);
    for (int i = 0; i < m->n; ++i) {
        double up, down;
        put_rms(m, m->n_square + i, m->saturated[i], 0.0, table);
        pkm_sums_get_parts(m->sums, i, &up, &down);
        pkm_table_set_parts(table, m->electric[i], up, down);
    }
}
