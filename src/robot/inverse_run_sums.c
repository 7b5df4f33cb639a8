// Works, rms forces and electrical energies of an inverse run, integrated over its samples
// (sums.c), and the balance of energy (4.7) of docs/theory/engine.md.
#include "base/error.h"
#include "motion/breaks.h"
#include "robot/inverse_run_impl.h"

void pkm_inverse_note_power(const pkm_inverse_walk* w, const pkm_run_instant* at,
                            pkm_inverse_report* report)
{
    double drives = 0.0;
    for (int d = 0; d < w->robot->mech->n_drive; ++d) {
        const double power = at->force[d] * at->v[d], size = fabs(power);
        drives += power;
        report->power_scale = size > report->power_scale ? size : report->power_scale;
    }
    if (isnan(w->energy_rate)) return;
    const double error = fabs(drives + w->load_power - w->rubbed - w->energy_rate);
    report->power_error = error > report->power_error ? error : report->power_error;
}

/// What is integrated over time: four powers, and the parts of the powers of each drive.
enum { DRIVES, LOADS, FRICTION, DAMPING, N_POWER };

static int electric_of(const pkm_inverse_walk* w, int d)
{
    return w->robot->mech->n_drive + d;
}

pkm_status pkm_inverse_begin_sums(pkm_inverse_walk* w, const pkm_table* table, pkm_error* err)
{
    const int n_part = (pkm_inverse_has_motors(w) ? 2 : 1) * w->robot->mech->n_drive;
    w->sums = pkm_column_sums_create(table, N_POWER, n_part);
    w->smooth = pkm_alloc((size_t)(N_POWER + n_part), sizeof(double));
    if (!w->sums || !w->smooth) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    w->part = w->smooth + N_POWER;
    w->energy[0] = NAN;
    return PKM_OK;
}

void pkm_inverse_note_sums(pkm_inverse_walk* w, const double* row, const pkm_run_instant* at)
{
    const int n_drive = w->robot->mech->n_drive;
    double* const part = w->part;
    double drives = 0.0;
    for (int d = 0; d < n_drive; ++d)
        drives += part[d] = at->force[d] * at->v[d];
    for (int d = 0; d < n_drive && pkm_inverse_has_motors(w); ++d)
        part[electric_of(w, d)] = pkm_inverse_motor_of(w, at, d).electric;
    w->smooth[DRIVES] = drives;
    w->smooth[LOADS] = w->fed;
    w->smooth[FRICTION] = w->rubbed;
    w->smooth[DAMPING] = w->damped;
    pkm_column_sums_sample(w->sums, row, w->smooth, part);
    w->energy[1] = at->kinetic + at->potential;
    w->spring[1] = w->stored;
    if (!isnan(w->energy[0])) return;
    w->energy[0] = w->energy[1];
    w->spring[0] = w->spring[1];
}

void pkm_inverse_break_sums(pkm_inverse_walk* w)
{
    pkm_column_sums_break(w->sums);
}

/// Do works and energies balance? A payload that comes or goes changes the energy, and a jump of
/// velocities takes work that no force shows.
static bool has_balance(const pkm_inverse_walk* w, double end)
{
    double jump;
    const pkm_effects* effects = w->settings->effects;
    for (int i = 0; effects && i < effects->n_carried; ++i)
        if (pkm_payload_next_break(&effects->carried[i].payload, 1, 0.0) < end) return false;
    return !(pkm_motion_find_jump(w->motion, end, &jump) < end);
}

/// The rms values and what motors take belong to their columns.
static void set_column_sums(const pkm_inverse_walk* w, pkm_table* table)
{
    double up, down;
    pkm_column_sums_put(w->sums, table);
    for (int d = 0; pkm_inverse_has_motors(w) && d < w->robot->mech->n_drive; ++d) {
        const int electric = pkm_inverse_electric_column(w, table, d);
        pkm_column_sums_get_parts(w->sums, electric_of(w, d), &up, &down);
        if (electric != PKM_NONE) pkm_table_set_parts(table, electric, up, down);
    }
}

static void balance(pkm_inverse_walk* w, pkm_inverse_report* report)
{
    double up, down;
    pkm_inverse_break_sums(w);
    report->drive_work = pkm_column_sums_get(w->sums, DRIVES);
    report->load_work = pkm_column_sums_get(w->sums, LOADS);
    report->friction_loss = pkm_column_sums_get(w->sums, FRICTION);
    report->damping_loss = pkm_column_sums_get(w->sums, DAMPING);
    report->spring_change = w->spring[1] - w->spring[0];
    report->energy_change = report->n_done > 0 ? w->energy[1] - w->energy[0] : 0.0;
    for (int d = 0; d < w->robot->mech->n_drive; ++d) {
        pkm_column_sums_get_parts(w->sums, d, &up, &down);
        report->exchanged += up + down;
    }
}

void pkm_inverse_close_sums(pkm_inverse_walk* w, double end, pkm_table* table,
                            pkm_inverse_report* report)
{
    balance(w, report);
    report->is_summed = has_balance(w, end);
    set_column_sums(w, table);
}
