// Forward dynamics in independent velocities u: docs/theory/engine.md, section 6.
#include "base/error.h"
#include "dynamics/forward_impl.h"
#include "dynamics/inverse.h"
#include "dynamics/kinematics.h"
#include "dynamics/modal.h"
#include "dynamics/motion_solve.h"
#include "math/dot.h"

#include <string.h>

static const double LEVER_LIMIT = 30.0; // of a velocity against u: beyond it u is chosen anew

// ---- positions and velocities -----------------------------------------------------------------

pkm_status pkm_forward_position(pkm_forward* f, pkm_state* state)
{
    pkm_kinematics_position(state);
    if (f->blocks && state->mech->n_closure == 0) { // the blocks see to the few rows themselves
        static const pkm_target anywhere;
        pkm_rows_some(state, f->row, f->n_base, &anywhere);
        return PKM_OK;
    }
    pkm_rows_closures(state);
    pkm_rows_drives(state);
    f->lu_waits = false;
    // u that was independent where it was chosen may depend on the rest here
    const pkm_status status = pkm_solve_factor(state, PKM_GIVEN_FORCES);
    return status == PKM_ERR_SINGULAR ? pkm_forward_choose(f, state) : status;
}

bool pkm_forward_has_blocks(const pkm_forward* f)
{
    return f->blocks != NULL;
}

/// Positions and rows without LU factors: blocks have factors of their own, and what does need LU
/// asks by pkm_forward_complete.
pkm_status pkm_forward_rows(pkm_forward* f, pkm_state* state)
{
    static const pkm_target anywhere;
    if (!f->blocks || state->mech->n_closure == 0) return pkm_forward_position(f, state);
    pkm_kinematics_position(state);
    pkm_rows_closures(state);
    pkm_rows_drives(state);
    // behind closures and drives, locks are left
    const int n_lock = f->structure->n_held;
    pkm_rows_some(state, f->row + f->n_base - n_lock, n_lock, &anywhere);
    // the factors in `state` are those of older rows from here on
    f->lu_waits = true;
    return PKM_OK;
}

pkm_status pkm_forward_complete(pkm_forward* f, pkm_state* state)
{
    if (!f->lu_waits) return PKM_OK;
    f->lu_waits = false;
    return pkm_solve_factor(state, PKM_GIVEN_FORCES);
}

bool pkm_forward_set_drives(const pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    const pkm_mechanism* mech = state->mech;
    // lengths of rods and drives without a coordinate of the tree take Newton's method instead
    for (int i = 0; i < f->n_base; ++i) {
        const pkm_row* row = &mech->row[f->row[i]];
        if (row->kind != PKM_ROW_DRIVE || mech->drive[row->item].v_index == PKM_NONE) return false;
        if (!isfinite(target->q[row->item]) || !isfinite(target->v[row->item])) return false;
    }
    for (int i = 0; i < f->n_base; ++i) {
        const int d = mech->row[f->row[i]].item;
        const pkm_drive* drive = &mech->drive[d];
        // position = sign coordinate + zero (engine.md, section 2)
        state->q[drive->q_index] = (target->q[d] - drive->zero) / drive->sign;
        state->v[drive->v_index] = target->v[d] / drive->sign;
    }
    return true;
}

/// Newton's method (3.1) with u held; where the rows have become singular with this u, once more
/// with another.
pkm_status pkm_forward_project_position(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    const pkm_status status = pkm_solve_position(state, PKM_GIVEN_FORCES, target);
    f->lu_waits = false;
    if (status != PKM_ERR_SINGULAR) return status;
    PKM_TRY(pkm_forward_choose(f, state));
    return pkm_solve_position(state, PKM_GIVEN_FORCES, target);
}

/// Fill the right hand side of the free system (3.1): prescribed drives `drive` (NULL: 0), held
/// velocities from `held` (NULL: 0), minus the bias when `bias`.
static void fill_rhs(const pkm_forward* f, pkm_state* state, const double* drive,
                     const double* held, bool bias)
{
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // closures want 0; rows of held velocities stand behind the base rows
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &state->mech->row[system->row[i]];
        double value = 0.0;
        if (row->kind == PKM_ROW_DRIVE && drive) value = drive[row->item];
        if (i >= f->n_base && held) value = held[row->item];
        system->rhs[i] = value - (bias ? state->bias[system->row[i]] : 0.0);
    }
}

void pkm_forward_project_velocity(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // A v = c'_wanted with u as it is, (3.1)
    fill_rhs(f, state, target->v, state->v, false);
    pkm_sparse_lu_solve(system->lu, system->rhs, state->v);
    pkm_kinematics_velocity(state);
}

// ---- accelerations ----------------------------------------------------------------------------

/// Rotors of drives: their inertia, reduced to the drive, on the diagonal of M.
static void add_rotors(const pkm_forward* f, const pkm_state* state, const double* a, double* force)
{
    for (int d = 0; d < state->mech->n_drive; ++d) {
        const int k = state->mech->drive[d].v_index;
        if (f->rotor[d] != 0.0 && k != PKM_NONE) force[k] += f->rotor[d] * a[k];
    }
}

/// Take the forces of the free drives off the needed ones.
static void apply_drives(const pkm_forward* f, const pkm_state* state, const double* force,
                         double* needed)
{
    for (int d = 0; d < state->mech->n_drive; ++d) {
        // those of prescribed drives are multipliers, found later
        if (f->prescribed[d]) continue;
        const pkm_row* row = &state->mech->row[state->mech->drive_row_at + d];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            needed[state->mech->column[e]] -= force[d] * state->jacobian[e];
    }
}

static bool turns(const pkm_state* state, int v)
{
    const pkm_vec3 w = state->S[v].ang;
    return pkm_vec3_dot(w, w) > 0.0;
}

/// The largest velocity that a unit of an independent one makes; shifts in robot sizes.
static double largest_lever(const pkm_forward* f, const pkm_state* state)
{
    const int n = state->mech->n_v;
    const double size = state->mech->size;
    double most = 0.0;
    for (int k = 0; k < f->n_free; ++k) {
        const double* N = f->N + (size_t)k * (size_t)n;
        // turns and shifts apart: a unit of u is 1 rad/s or a robot size a second
        double turn = 0.0, shift = 0.0;
        for (int i = 0; i < n; ++i) {
            const double speed = fabs(N[i]);
            if (speed > shift && !turns(state, i)) shift = speed;
            if (speed > turn && turns(state, i)) turn = speed;
        }
        const double per = turns(state, state->mech->row[f->row[f->n_base + k]].item) ? 1.0 : size;
        most = fmax(most, per * fmax(turn, shift / size));
    }
    return most;
}

/// The motions N of the independent velocities, v = N u: columns of (3.1) with one held velocity 1,
/// the others and all that is prescribed 0, several at a time; and the forces M N they need.
static void find_motions(pkm_forward* f, pkm_state* state)
{
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    const size_t n = (size_t)state->mech->n_v;
    int row[PKM_SPARSE_MAX_UNIT];
    // one held row is 1, all else 0: several columns go through the factors together
    for (int k = 0, m = 0; k < f->n_free; ++k) {
        row[m++] = f->n_base + k;
        if (m < PKM_SPARSE_MAX_UNIT && k + 1 < f->n_free) continue;
        pkm_sparse_lu_solve_units(system->lu, row, m, f->N + (size_t)(k + 1 - m) * n, f->units);
        m = 0;
    }
    for (int k = 0; k < f->n_free; ++k) {
        double *N = f->N + (size_t)k * n, *MN = f->MN + (size_t)k * n;
        pkm_inverse_inertia_forces(state, N, MN);
        add_rotors(f, state, N, MN);
    }
}

/// L L' = N' M N, the left side of (6.1); a pivot that is nothing against its diagonal is a freedom
/// without inertia.
static pkm_status factor_mass(pkm_forward* f, int n_v)
{
    const int n = f->n_free;
    double* L = f->mass;
    for (int i = 0; i < n; ++i) {
        const double* Ni = f->N + (size_t)i * (size_t)n_v;
        for (int j = 0; j <= i; ++j) {
            // Cholesky's factor by rows; `left` is what the columns before leave of the entry
            const double m = pkm_dot(Ni, f->MN + (size_t)j * (size_t)n_v, n_v);
            const double left = m - pkm_dot(L + i * n, L + j * n, j);
            if (i != j) {
                L[i * n + j] = left / L[j * n + j];
                continue;
            }
            // rounding of the sums above: what is left of such a freedom has no digit that is right
            if (!(left > 1e-13 * fabs(m))) return PKM_ERR_SINGULAR;
            L[i * n + i] = sqrt(left);
        }
    }
    return PKM_OK;
}

pkm_status pkm_forward_check_inertia(pkm_forward* f, pkm_state* state, pkm_error* err)
{
    static const double NOTHING = 1e-16; // of the largest inertia; lengths in robot sizes
    const pkm_mechanism* mech = state->mech;
    const int n = mech->n_v;
    double most = 0.0;
    // blocks tell trees without inertia when they are factored
    if (f->blocks || f->n_free == 0) return PKM_OK;
    find_motions(f, state);
    // the largest in the first pass, each against it in the second
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < f->n_free; ++k) {
            const int r = f->row[f->n_base + k];
            const double unit = mech->v_unit[mech->row[r].item];
            const size_t at = (size_t)k * (size_t)n;
            const double m = unit * unit * pkm_dot(f->N + at, f->MN + at, n);
            most = fmax(most, m);
            if (pass == 0 || m > NOTHING * most) continue;
            char name[2 * PKM_MAX_NAME];
            pkm_row_name(mech, r, name, sizeof name);
            return pkm_fail(err, PKM_ERR_MODEL,
                            "%s: it has no inertia, the bodies that it moves have no mass (or are "
                            "lines that turn about themselves); expected mass and inertia there, "
                            "or a drive that prescribes its motion",
                            name);
        }
    return PKM_OK;
}

/// a0: the accelerations with u' = 0, (3.1) with its bias; f0 = M a0 + h - loads, by (4.1), (4.2).
static void prepare(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // accelerations of the velocities alone, from which the bias follows
    pkm_kinematics_acceleration_without(state);
    pkm_rows_bias(state, PKM_GIVEN_FORCES);
    fill_rhs(f, state, target->a, NULL, true);
    pkm_sparse_lu_solve(system->lu, system->rhs, f->a0);
    // and with a0, for Newton and Euler
    pkm_kinematics_acceleration_with(state, f->a0);
    pkm_inverse_forces(state);
    memcpy(f->f0, state->force, (size_t)state->mech->n_v * sizeof(double));
    add_rotors(f, state, f->a0, f->f0);
    find_motions(f, state);
}

/// The same by blocks: a0 holds the prescribed accelerations alone.
static pkm_status prepare_blocks(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    const pkm_mechanism* mech = state->mech;
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    memset(f->a0, 0, (size_t)mech->n_v * sizeof(double));
    // G a = c of (4.1) in flexible.md leaves these out: they are known, like velocities
    for (int d = 0; d < mech->n_drive; ++d)
        if (f->prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            f->a0[mech->drive[d].v_index] = target->a[d] / mech->drive[d].sign;
    pkm_kinematics_acceleration(state, f->a0);
    pkm_rows_bias(state, PKM_GIVEN_FORCES);
    pkm_inverse_forces(state);
    memcpy(f->f0, state->force, (size_t)mech->n_v * sizeof(double));
    add_rotors(f, state, f->a0, f->f0);
    for (int k = 0; k < pkm_blocks_n_row(f->blocks); ++k) {
        const int r = system->row[f->kept[pkm_blocks_row(f->blocks, k)]];
        // c of (4.1) in flexible.md: the bias has the prescribed accelerations in it already
        const pkm_row* row = &mech->row[r];
        f->left[k] = (row->kind == PKM_ROW_DRIVE ? target->a[row->item] : 0.0) - state->bias[r];
    }
    return pkm_blocks_factor(f->blocks, state, f->rotor);
}

pkm_status pkm_forward_prepare(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    // dependent rows or a tree without inertia here: factors of all rows choose others
    if (f->blocks) {
        const pkm_status status = prepare_blocks(f, state, target);
        if (status != PKM_ERR_SINGULAR || !f->lu_waits) return status;
        // the rows that are kept may depend on each other here, others not
        const pkm_status chosen = pkm_forward_position(f, state);
        if (chosen != PKM_OK) return chosen == PKM_ERR_MEMORY ? chosen : PKM_ERR_SINGULAR;
        return prepare_blocks(f, state, target);
    }
    prepare(f, state, target);
    if (largest_lever(f, state) > LEVER_LIMIT) { // the result does not depend on u, its digits do
        PKM_TRY(pkm_forward_choose_any(f, state));
        prepare(f, state, target);
    }
    return factor_mass(f, state->mech->n_v);
}

/// Forces that are missing when u' = 0: f0 less those of the free drives and `extra`.
static void missing_forces(pkm_forward* f, const pkm_state* state, const double* force,
                           const double* extra)
{
    const int n = state->mech->n_v;
    memcpy(f->missing, f->f0, (size_t)n * sizeof(double));
    apply_drives(f, state, force, f->missing);
    for (int i = 0; extra && i < n; ++i)
        f->missing[i] -= extra[i];
}

/// rate = -(N' M N)^-1 N' missing
static void solve_mass(pkm_forward* f, const double* missing, int n_v)
{
    const int n = f->n_free;
    const double* L = f->mass;
    double* x = f->rate;
    // (6.1): forward through L, then back through L'
    for (int i = 0; i < n; ++i)
        x[i] = (-pkm_dot(f->N + (size_t)i * (size_t)n_v, missing, n_v) - pkm_dot(L + i * n, x, i)) /
               L[i * n + i];
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

void pkm_forward_solve(pkm_forward* f, pkm_state* state, const double* force, const double* extra)
{
    const int n_v = state->mech->n_v, n = f->n_free;
    const double* x = f->rate;
    missing_forces(f, state, force, extra);
    if (f->blocks) {
        pkm_blocks_solve(f->blocks, state, f->missing, f->a0, f->left, state->a, f->lambda);
        return;
    }
    solve_mass(f, f->missing, n_v);
    // a = N u' + a0
    memcpy(state->a, f->a0, (size_t)n_v * sizeof(double));
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n_v; ++i)
            state->a[i] += x[k] * f->N[(size_t)k * (size_t)n_v + (size_t)i];
}

static void read_block_multipliers(pkm_forward* f, pkm_state* state, double* force)
{
    const pkm_mechanism* mech = state->mech;
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // rows that the factors left out carry nothing, closures may be redundant
    memset(system->multiplier, 0, (size_t)system->n_row * sizeof(double));
    for (int k = 0; k < pkm_blocks_n_row(f->blocks); ++k) {
        const int i = f->kept[pkm_blocks_row(f->blocks, k)];
        const pkm_row* row = &mech->row[system->row[i]];
        system->multiplier[i] = f->lambda[k];
        if (row->kind == PKM_ROW_DRIVE) force[row->item] = f->lambda[k];
    }
    // held coordinates of the tree have no row in the blocks: their forces are what is missing on
    // them
    for (int i = 0; i < f->n_base; ++i) {
        const pkm_row* row = &mech->row[system->row[i]];
        if (row->kind != PKM_ROW_DRIVE || mech->drive[row->item].v_index == PKM_NONE) continue;
        const pkm_drive* drive = &mech->drive[row->item];
        system->multiplier[i] = force[row->item] =
            pkm_blocks_held_force(f->blocks, state, drive->v_index, f->missing, state->a,
                                  f->lambda) /
            drive->sign;
    }
}

void pkm_forward_multipliers(pkm_forward* f, pkm_state* state, double* force, const double* extra)
{
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    const int n_v = state->mech->n_v;
    missing_forces(f, state, force, extra);
    if (f->blocks) {
        read_block_multipliers(f, state, force);
        return;
    }
    // A' x = f0 + M N u' - Q - Q_extra (simulation.md, 1.4)
    for (int k = 0; k < f->n_free; ++k)
        for (int i = 0; i < n_v; ++i)
            f->missing[i] += f->rate[k] * f->MN[(size_t)k * (size_t)n_v + (size_t)i];
    pkm_sparse_lu_solve_transposed(system->lu, f->missing, system->multiplier);
    for (int i = 0; i < f->n_base; ++i) {
        const pkm_row* row = &state->mech->row[system->row[i]];
        if (row->kind == PKM_ROW_DRIVE) force[row->item] = system->multiplier[i];
    }
}

/// Rate of a row at the velocities `v`.
static double row_rate(const pkm_state* state, const pkm_row* row, const double* v)
{
    double rate = 0.0;
    for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
        rate += state->jacobian[e] * v[state->mech->column[e]];
    return rate;
}

pkm_status pkm_forward_nearest_velocity(pkm_forward* f, pkm_state* state, const pkm_target* target)
{
    const pkm_mechanism* mech = state->mech;
    if (!f->blocks) {
        pkm_forward_project_velocity(f, state, target);
        return PKM_OK;
    }
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // drives of the tree have their velocities; the rows of the others and of the closures miss
    // some
    for (int d = 0; d < mech->n_drive; ++d)
        if (f->prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            state->v[mech->drive[d].v_index] = target->v[d] / mech->drive[d].sign;
    pkm_kinematics_velocity(state);
    memset(f->a0, 0, (size_t)mech->n_v * sizeof(double));
    memset(f->f0, 0, (size_t)mech->n_v * sizeof(double));
    for (int k = 0; k < pkm_blocks_n_row(f->blocks); ++k) {
        const pkm_row* row = &mech->row[system->row[f->kept[pkm_blocks_row(f->blocks, k)]]];
        const double wanted = row->kind == PKM_ROW_DRIVE ? target->v[row->item] : 0.0;
        f->left[k] = wanted - row_rate(state, row, state->v);
    }
    // the change dv of least kinetic energy dv'M dv/2 with A dv = what is missing: the equations of
    // motion without forces, their accelerations as changes
    PKM_TRY(pkm_blocks_factor(f->blocks, state, f->rotor));
    pkm_blocks_solve(f->blocks, state, f->f0, f->a0, f->left, state->step, f->lambda);
    for (int k = 0; k < mech->n_v; ++k)
        state->v[k] += state->step[k];
    pkm_kinematics_velocity(state);
    return PKM_OK;
}

// ---- implicit integration ---------------------------------------------------------------------

int pkm_forward_constraints(const pkm_forward* f, const pkm_state* state, int* out)
{
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    int n = 0;
    // rows without a pivot follow from the others: as constraints they would make a singular system
    for (int i = 0; i < f->n_base; ++i) {
        if (!pkm_sparse_lu_uses_row(system->lu, i)) continue;
        if (out) out[n] = i;
        ++n;
    }
    return n;
}

void pkm_forward_residual(pkm_forward* f, pkm_state* state, const double* force,
                          const double* extra, const int* constraint, const double* lambda, int n,
                          double* r)
{
    const pkm_mechanism* mech = state->mech;
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    // inverse dynamics at state->a, less all that acts: M a + h - Q - A' lambda
    // (simulation.md, 3.1)
    memcpy(r, state->force, (size_t)mech->n_v * sizeof(double));
    add_rotors(f, state, state->a, r);
    apply_drives(f, state, force, r);
    for (int k = 0; extra && k < mech->n_v; ++k)
        r[k] -= extra[k];
    // kept for the reactions, as after a solution by factors
    memset(system->multiplier, 0, (size_t)system->n_row * sizeof(double));
    for (int i = 0; i < n; ++i) {
        const pkm_row* row = &mech->row[system->row[constraint[i]]];
        system->multiplier[constraint[i]] = lambda[i];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            r[mech->column[e]] -= lambda[i] * state->jacobian[e];
    }
}

void pkm_forward_read_drives(const pkm_forward* f, const pkm_state* state, const int* constraint,
                             const double* lambda, int n, double* force)
{
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    (void)f;
    for (int i = 0; i < n; ++i) {
        const pkm_row* row = &state->mech->row[system->row[constraint[i]]];
        if (row->kind == PKM_ROW_DRIVE) force[row->item] = lambda[i];
    }
}
