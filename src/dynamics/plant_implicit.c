// The plant as a residual for integrators that hold constraints themselves: r of (3.1), positions
// and rates of the constraints. docs/theory/simulation.md, sections 3 and 4.
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"

#include <string.h>

int pkm_plant_n_constraint(const pkm_plant* plant)
{
    return plant->n_constraint;
}

bool pkm_plant_begin_step(pkm_plant* p)
{
    const pkm_mechanism* mech = p->state->mech;
    const int before = p->n_constraint;
    // the choice of before, to see whether it is still the same
    memcpy(p->constraint_before, p->constraint, (size_t)mech->n_v * sizeof(int));
    // the independent rows of the last factors; a choice that differs needs a restart
    p->n_constraint = pkm_forward_constraints(p->forward, p->state, p->constraint);
    // from here spins and held coordinates count, see below
    for (int s = 0; s < p->n_spin; ++s)
        p->spin_reference[s] = p->state->body[p->spin[s].body].R;
    memcpy(p->q_reference, p->state->q, (size_t)mech->n_q * sizeof(double));
    return before == p->n_constraint &&
           memcmp(p->constraint_before, p->constraint, (size_t)before * sizeof(int)) == 0;
}

void pkm_plant_multipliers(const pkm_plant* p, double* lambda)
{
    const pkm_system* system = &p->state->system[PKM_GIVEN_FORCES];
    for (int i = 0; i < p->n_constraint; ++i)
        lambda[i] = system->multiplier[p->constraint[i]];
}

/// Turn of a rod about its own line since the start of the step: an idle spin is held within each
/// step, which makes its rate a constraint on positions too.
static double spun(const pkm_plant* p, const pkm_row* row)
{
    const pkm_state* state = p->state;
    for (int s = 0; s < p->n_spin; ++s) {
        if (p->spin[s].body != row->item) continue;
        // R_start' R: the turn since then in the axes of the rod, whose line is fixed in it
        const pkm_mat3 turn =
            pkm_mat3_matmul(pkm_mat3_transpose(p->spin_reference[s]), state->body[row->item].R);
        const pkm_vec3 by = pkm_quat_to_rotvec(pkm_quat_from_mat3(turn));
        return pkm_vec3_dot(by, state->mech->spin_line[row->component].along);
    }
    return 0.0;
}

/// The coordinate that belongs to velocity `v` of a one-freedom joint.
static double held(const pkm_plant* p, int v)
{
    const pkm_mechanism* mech = p->state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        // balls have more coordinates than velocities: they are not held
        if (v < body->v_at || v >= body->v_at + body->n_v || body->n_q != body->n_v) continue;
        const int q = body->q_at + v - body->v_at;
        return p->state->q[q] - p->q_reference[q];
    }
    return 0.0;
}

/// phi(q) of each constraint [m, rad]; locks count from the start of the step.
static void read_constraints(const pkm_plant* p, double* phi)
{
    const pkm_state* state = p->state;
    const pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    for (int i = 0; i < p->n_constraint; ++i) {
        const int r = system->row[p->constraint[i]];
        const pkm_row* row = &state->mech->row[r];
        // the residuals of apply_all, at its positions
        if (row->kind == PKM_ROW_CLOSURE)
            phi[i] = state->residual[r];
        else if (row->kind == PKM_ROW_DRIVE)
            phi[i] = pkm_state_drive_position(state, row->item) - p->target.q[row->item];
        else
            phi[i] = row->kind == PKM_ROW_SPIN ? spun(p, row) : held(p, row->item);
    }
}

/// Reactions for given accelerations and multipliers.
static void react(pkm_plant* p)
{
    pkm_state* state = p->state;
    pkm_plant_apply_friction(p);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = pkm_wrench_add(p->load[i], p->rub[i]);
    pkm_inverse_forces(state);
    pkm_plant_find_reactions(p);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = p->load[i];
}

pkm_status pkm_plant_residual(pkm_plant* p, double t, const double* lambda, const double* z,
                              double* r, double* phi, double* z_rate)
{
    pkm_state* state = p->state;
    pkm_ledger_rates ledger;
    // leaves rows, loads and forces of this state behind
    PKM_TRY(pkm_plant_apply_all(p, t, z, z_rate, &ledger));
    if (phi) read_constraints(p, phi);
    if (!r) return PKM_OK;
    pkm_kinematics_acceleration(state, state->a);
    // forces of prescribed drives are multipliers here, and known
    pkm_forward_read_drives(p->forward, state, p->constraint, lambda, p->n_constraint, p->force);
    if (p->n_friction > 0) {
        // sets the multipliers, from which the reactions follow
        pkm_forward_residual(p->forward, state, p->force, NULL, p->constraint, lambda,
                             p->n_constraint, r);
        PKM_TRY(pkm_plant_settle_friction(p, z, react));
        pkm_plant_read_bristles(p, z_rate);
        // friction that has settled, as generalised forces
        pkm_plant_apply_friction(p);
    }
    pkm_inverse_forces(state); // without friction, which is `extra`
    pkm_forward_residual(p->forward, state, p->force, p->n_friction > 0 ? p->extra : NULL,
                         p->constraint, lambda, p->n_constraint, r);
    pkm_plant_fill_ledger(p, &ledger);
    return PKM_OK;
}

static const pkm_row* constraint_row(const pkm_plant* p, int i)
{
    return &p->state->mech->row[p->state->system[PKM_GIVEN_FORCES].row[p->constraint[i]]];
}

bool pkm_plant_is_lock(const pkm_plant* p, int i)
{
    // constraint i counts among those that are used, not all rows
    const pkm_row_kind kind = constraint_row(p, i)->kind;
    return kind == PKM_ROW_SPIN || kind == PKM_ROW_HOLD;
}

void pkm_plant_constraint_rates(const pkm_plant* p, const double* v, double* out)
{
    const pkm_mechanism* mech = p->state->mech;
    for (int i = 0; i < p->n_constraint; ++i) {
        const pkm_row* row = constraint_row(p, i);
        // G v - phi_t
        out[i] = row->kind == PKM_ROW_DRIVE ? -p->target.v[row->item] : 0.0;
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            out[i] += p->state->jacobian[e] * v[mech->column[e]];
    }
}

void pkm_plant_add_constraints(const pkm_plant* p, const double* x, double* out)
{
    const pkm_mechanism* mech = p->state->mech;
    for (int i = 0; i < p->n_constraint; ++i) {
        const pkm_row* row = constraint_row(p, i);
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            // out += G' x
            out[mech->column[e]] += x[i] * p->state->jacobian[e];
    }
}
