// Inverse dynamics, forces from motion, by recursion from the tips to the ground, and the energies.
// docs/theory/engine.md, section 4.
#include "dynamics/inverse.h"

#include "base/error.h"
#include "dynamics/modal.h"
#include "math/tensor.h"

#include <string.h>

/// Force and moment about the world origin that a body needs for its motion (4.1), (4.2):
///
///     F = m (a_c - g),   N = c x F + R (I w' + w x I w)
static pkm_wrench needed_wrench(const pkm_mass* mass, const pkm_body_state* s, pkm_vec3 gravity)
{
    const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, mass->com));
    // less gravity: weight comes as if the ground accelerated upwards
    const pkm_vec3 acc = pkm_vec3_sub(pkm_twist_acceleration(s->V, s->A, c), gravity);
    // I is constant in the axes of the body
    const pkm_vec3 w = pkm_mat3_tmul(s->R, s->V.ang), alpha = pkm_mat3_tmul(s->R, s->A.ang);
    const pkm_vec3 gyro = pkm_vec3_cross(w, pkm_inertia_times(mass->inertia, w));
    const pkm_vec3 moment = pkm_vec3_add(pkm_inertia_times(mass->inertia, alpha), gyro);
    return pkm_wrench_at(c, pkm_vec3_scale(mass->mass, acc), pkm_mat3_mul(s->R, moment));
}

/// S'f of a body that floats: along the world's axes, and about its own through its origin.
static void float_forces(const pkm_body_state* s, pkm_wrench f, double* out)
{
    // from the world's origin to the body's own
    const pkm_vec3 moment = pkm_vec3_sub(f.moment, pkm_vec3_cross(s->p, f.force));
    out[0] = f.force.x, out[1] = f.force.y, out[2] = f.force.z;
    out[3] = pkm_vec3_dot(s->R.x, moment);
    out[4] = pkm_vec3_dot(s->R.y, moment);
    out[5] = pkm_vec3_dot(s->R.z, moment);
}

/// One comparison: the rest needs no branch.
static inline bool are_null(pkm_vec3 a, pkm_vec3 b)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z) + fabs(b.x) + fabs(b.y) + fabs(b.z) == 0.0;
}

/// From the tips inwards: pass wrenches to the parents and read off the generalised forces. Those
/// of modes are added to what `force` holds.
static void pass_inwards(pkm_state* state, double* force)
{
    const pkm_mechanism* mech = state->mech;
    state->body[0].f = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    // children have higher numbers than their parents
    for (int i = mech->n_body - 1; i > 0; --i) {
        const pkm_body* body = &mech->body[i];
        const pkm_wrench f = state->body[i].f;
        if (body->frame == PKM_NONE &&
            are_null(f.force, f.moment)) { // as of limbs that another one does not move
            memset(force + body->v_at, 0, (size_t)body->n_v * sizeof(double));
            continue;
        }
        if (pkm_body_floats(body)) {
            float_forces(&state->body[i], f, force + body->v_at);
            continue; // the ground takes nothing
        }
        // a frame has no velocities of its own: its wrench acts on the modes of its link, (3.4) of
        // flexible.md
        if (body->frame != PKM_NONE) pkm_modal_frame_force(state, i, f, force);
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            force[k] = pkm_twist_dot(state->S[k], f);
        pkm_body_state* parent = &state->body[body->parent];
        parent->f = pkm_wrench_add(parent->f, f);
    }
}

/// Wrenches of all bodies less the loads, then the pass inwards (4.3).
static void needed_forces(pkm_state* state, pkm_wrench (*of_modal)(pkm_state*, int, double*))
{
    const pkm_mechanism* mech = state->mech;
    // world axes, moments about the world's origin throughout, so that sums need no arms
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const pkm_wrench need =
            body->modal ? of_modal(state, i, state->force + body->e_at)
                        : needed_wrench(&state->mass[i], &state->body[i], mech->gravity);
        // what the loads do not give, joints have to
        state->body[i].f = pkm_wrench_axpy(need, -1.0, state->load[i]);
    }
    pass_inwards(state, state->force);
}

void pkm_inverse_forces(pkm_state* state)
{
    needed_forces(state, pkm_modal_needed);
}

void pkm_inverse_forces_again(pkm_state* state)
{
    needed_forces(state, pkm_modal_needed_again);
}

void pkm_inverse_load_forces(pkm_state* state, const pkm_wrench* load, double* out)
{
    for (int i = 1; i < state->mech->n_body; ++i) {
        const pkm_body* body = &state->mech->body[i];
        state->body[i].f = load[i];
        // modes are added to, joints are written
        if (body->modal) memset(out + body->e_at, 0, (size_t)body->modal->n_mode * sizeof(double));
    }
    pass_inwards(state, out);
}

void pkm_inverse_add_load(const pkm_state* state, int i, pkm_wrench load, double* force)
{
    PKM_ASSERT(i >= 0 && i < state->mech->n_body);
    // the load acts on every coordinate between its body and the ground
    for (; i > 0; i = state->mech->body[i].parent) {
        const pkm_body* body = &state->mech->body[i];
        if (body->frame != PKM_NONE) pkm_modal_frame_force(state, i, load, force);
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            force[k] += pkm_twist_dot(state->S[k], load);
    }
}

void pkm_inverse_inertia_forces(pkm_state* state, const double* x, double* out)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        pkm_body_state* s = &state->body[i];
        // A of x alone, at rest: M x is the inverse dynamics of it without velocity and gravity
        s->A = state->body[body->parent].A;
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            if (x[k] != 0.0) s->A = pkm_twist_axpy(s->A, x[k], state->S[k]);
        if (body->frame != PKM_NONE) pkm_modal_frame_add(state, i, x, &s->A);
        if (body->modal) {
            s->f = pkm_modal_inertia(state, i, x + body->e_at, out + body->e_at);
            continue;
        }
        if (are_null(s->A.ang, s->A.lin)) { // as cranks of other limbs do, and prescribed ones
            s->f = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            continue;
        }
        const pkm_mass* m = &state->mass[i];
        const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, m->com));
        const pkm_vec3 alpha = pkm_mat3_tmul(s->R, s->A.ang);
        const pkm_vec3 moment = pkm_mat3_mul(s->R, pkm_inertia_times(m->inertia, alpha));
        // F = m a_c, N = c x F + R I w'
        s->f = pkm_wrench_at(c, pkm_vec3_scale(m->mass, pkm_twist_at(s->A, c)), moment);
    }
    pass_inwards(state, out);
}

void pkm_inverse_drive_forces(pkm_state* state, double* drive_force)
{
    pkm_system* system = &state->system[PKM_GIVEN_DRIVES];
    // A' x = f (4.3): the multipliers of the drives' rows are the forces of the drives (4.4)
    pkm_sparse_lu_solve_transposed(system->lu, state->force, system->multiplier);
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &state->mech->row[system->row[i]];
        if (row->kind == PKM_ROW_DRIVE) drive_force[row->item] = system->multiplier[i];
    }
}

pkm_energy pkm_energy_now(const pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    pkm_energy sum = {0};
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        // V and A are those of the last pass over velocities and accelerations
        const pkm_body_state* s = &state->body[i];
        if (body->modal) {
            pkm_modal_energy(state, i, &sum);
            continue;
        }
        const pkm_mass* m = &state->mass[i];
        const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, m->com));
        const pkm_vec3 v = pkm_twist_at(s->V, c), w = pkm_mat3_tmul(s->R, s->V.ang);
        const pkm_vec3 Iw = pkm_inertia_times(m->inertia, w);
        // T = (m v.v + w.I w)/2, U = -m g.c
        sum.kinetic += 0.5 * (m->mass * pkm_vec3_dot(v, v) + pkm_vec3_dot(w, Iw));
        sum.potential -= m->mass * pkm_vec3_dot(mech->gravity, c);

        // dT/dt + dU/dt = m (a - g) . v + w . I w'
        const pkm_vec3 a = pkm_vec3_sub(pkm_twist_acceleration(s->V, s->A, c), mech->gravity);
        const pkm_vec3 alpha = pkm_mat3_tmul(s->R, s->A.ang);
        sum.rate += m->mass * pkm_vec3_dot(a, v) + pkm_vec3_dot(Iw, alpha);
    }
    return sum;
}
