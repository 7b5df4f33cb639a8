// What changes while a robot moves: positions, rates, factors, masses. Steps on positions and the
// map between velocities and rates of coordinates. docs/theory/engine.md, section 1.
#include "dynamics/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/modal.h"
#include "mechanism/joint.h"

#include <string.h>

/// The masses of the model again, without payloads.
void pkm_state_unload(pkm_state* state)
{
    memcpy(state->mass, state->own, (size_t)state->mech->n_body * sizeof *state->mass);
}

/// Masses are kept in the state: payloads change them along a run, while threads share the
/// mechanism.
static void take_masses(pkm_state* state)
{
    for (int i = 0; i < state->mech->n_body; ++i) {
        const pkm_body* body = &state->mech->body[i];
        state->own[i] = (pkm_mass){.mass = body->mass, .com = body->com};
        memcpy(state->own[i].inertia, body->inertia, sizeof body->inertia);
    }
    pkm_state_unload(state);
}

/// Arrays by what they count: coordinates n_q, velocities n_v, rows n_row, entries of rows
/// n_column, columns of motion n_motion.
pkm_state* pkm_state_create(const pkm_mechanism* mech)
{
    pkm_state* state = pkm_alloc(1, sizeof *state);
    if (!state) return NULL;
    const size_t nq = (size_t)mech->n_q, nv = (size_t)mech->n_v, nr = (size_t)mech->n_row;
    state->mech = mech;
    state->q = pkm_alloc(nq, sizeof(double));
    state->q_saved = pkm_alloc(nq, sizeof(double));
    state->v = pkm_alloc(nv, sizeof(double));
    state->a = pkm_alloc(nv, sizeof(double));
    state->force = pkm_alloc(nv, sizeof(double));
    state->step = pkm_alloc(nv, sizeof(double));
    state->body = pkm_alloc((size_t)mech->n_body, sizeof(pkm_body_state));
    state->S = pkm_alloc((size_t)mech->n_motion, sizeof(pkm_twist));
    state->wrench = pkm_alloc(nr, sizeof(pkm_wrench));
    state->residual = pkm_alloc(nr, sizeof(double));
    state->bias = pkm_alloc(nr, sizeof(double));
    state->jacobian = pkm_alloc((size_t)mech->n_column, sizeof(double));
    state->load = pkm_alloc((size_t)mech->n_body, sizeof(pkm_wrench));
    state->own = pkm_alloc((size_t)mech->n_body, sizeof(pkm_mass));
    state->mass = pkm_alloc((size_t)mech->n_body, sizeof(pkm_mass));
    state->arena = pkm_arena_create();
    if (!state->q || !state->q_saved || !state->v || !state->a || !state->force || !state->step ||
        !state->body || !state->S || !state->wrench || !state->residual || !state->bias ||
        !state->jacobian || !state->load || !state->own || !state->mass || !state->arena) {
        pkm_state_free(state);
        return NULL;
    }
    if (pkm_modal_allocate(state) != PKM_OK) {
        pkm_state_free(state);
        return NULL;
    }
    // a guess: assembly puts it on the loops
    memcpy(state->q, mech->q_guess, nq * sizeof(double));
    // the ground does not move
    state->body[0].R = pkm_mat3_identity();
    take_masses(state);
    return state;
}

static void free_system(pkm_system* system)
{
    pkm_free(system->row);
    pkm_free(system->entry_at);
    pkm_free(system->column);
    pkm_free(system->value);
    pkm_free(system->rhs);
    pkm_free(system->multiplier);
    pkm_sparse_lu_free(system->lu);
    *system = (pkm_system){0};
}

void pkm_state_free(pkm_state* state)
{
    if (!state) return;
    pkm_modal_release(state);
    pkm_arena_free(state->arena);
    for (int m = 0; m < PKM_N_GIVEN; ++m)
        free_system(&state->system[m]);
    void* const blocks[] = {state->q,      state->q_saved,  state->v,    state->a,
                            state->force,  state->step,     state->body, state->S,
                            state->wrench, state->residual, state->bias, state->jacobian,
                            state->load,   state->own,      state->mass, state};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
}

static int count_entries(const pkm_mechanism* mech, const int* row, int n_row)
{
    int n = 0;
    for (int i = 0; i < n_row; ++i)
        n += mech->row[row[i]].n_a + mech->row[row[i]].n_b;
    return n;
}

static bool allocate_system(pkm_system* system, int n_row, int n_entry)
{
    const size_t n = (size_t)n_row, all = (size_t)n_entry;
    system->n_row = n_row;
    system->row = pkm_alloc(n, sizeof(int));
    system->entry_at = pkm_alloc(n + 1, sizeof(int));
    system->column = pkm_alloc(all, sizeof(int));
    system->value = pkm_alloc(all, sizeof(double));
    system->rhs = pkm_alloc(n, sizeof(double));
    system->multiplier = pkm_alloc(n, sizeof(double));
    return system->row && system->entry_at && system->column && system->value && system->rhs &&
           system->multiplier;
}

/// The rows of one system as a sparse matrix with n_v columns: where their entries stand is known
/// from the tree and never changes, so only values are copied at each factorisation.
static void list_entries(const pkm_mechanism* mech, const int* row, pkm_system* out)
{
    int at = 0;
    for (int i = 0; i < out->n_row; ++i) {
        const pkm_row* r = &mech->row[row[i]];
        out->row[i] = row[i];
        out->entry_at[i] = at;
        memcpy(out->column + at, mech->column + r->at, (size_t)(r->n_a + r->n_b) * sizeof(int));
        at += r->n_a + r->n_b;
    }
    out->entry_at[out->n_row] = at;
}

pkm_status pkm_state_set_system(pkm_state* state, pkm_given given, const int* row, int n_row)
{
    const pkm_mechanism* mech = state->mech;
    pkm_system* system = &state->system[given];
    const int n_entry = count_entries(mech, row, n_row);
    // other rows on the way, as many as before: their room is there
    if (system->lu && n_row == system->n_row && n_entry == system->entry_at[n_row]) {
        list_entries(mech, row, system);
        if (pkm_sparse_lu_take(system->lu, n_row, system->entry_at, system->column)) return PKM_OK;
    }
    free_system(system);
    pkm_status status = allocate_system(system, n_row, n_entry) ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        list_entries(mech, row, system);
        status =
            pkm_sparse_lu_create(n_row, mech->n_v, system->entry_at, system->column, &system->lu);
    }
    if (status != PKM_OK) free_system(system);
    return status;
}

/// q <- q exp(r): the child's frame turns by r, given in its own axes.
static void turn(double* q, const double* r)
{
    const pkm_quat now = {q[0], q[1], q[2], q[3]};
    const pkm_quat by = pkm_quat_from_rotvec((pkm_vec3){r[0], r[1], r[2]});
    // made unit each time: rounding of products does not add up
    const pkm_quat next = pkm_quat_unit(pkm_quat_mul(now, by));
    memcpy(q, &next, sizeof next);
}

void pkm_state_move(const pkm_mechanism* mech, double* q, const double* dx)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        double* qi = q + body->q_at;
        const double* xi = dx + body->v_at;
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        // coordinates before the quaternion are plain; behind it there are none
        const int n_plain = ball == PKM_NONE ? body->n_v : ball;
        for (int k = 0; k < n_plain; ++k)
            qi[k] += xi[k];
        if (ball != PKM_NONE) turn(qi + ball, xi + ball);
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            q[body->z_at + k] += dx[body->e_at + k];
    }
}

/// Where the quaternion of a body's joint is in its coordinates; PKM_NONE.
static int quaternion_at(const pkm_body* body)
{
    const int at = pkm_joint_facts_of(body->type)->quaternion;
    return at == PKM_NONE ? PKM_NONE : body->q_at + at;
}

void pkm_state_normalise(const pkm_mechanism* mech, double* q)
{
    // drift of the length, not of the direction
    for (int i = 1; i < mech->n_body; ++i) {
        const int at = quaternion_at(&mech->body[i]);
        if (at == PKM_NONE) continue;
        const pkm_quat unit = pkm_quat_unit((pkm_quat){q[at], q[at + 1], q[at + 2], q[at + 3]});
        memcpy(q + at, &unit, sizeof unit);
    }
}

/// q' from v: equal for all coordinates but quaternions, which have four numbers for three.
void pkm_state_position_rates(const pkm_mechanism* mech, const double* q, const double* v,
                              double* dq)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int at = quaternion_at(body);
        // a quaternion has three velocities, the last ones
        const int n_plain = at == PKM_NONE ? body->n_v : body->n_v - 3;
        for (int k = 0; k < n_plain; ++k)
            dq[body->q_at + k] = v[body->v_at + k];
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            dq[body->z_at + k] = v[body->e_at + k];
        if (at == PKM_NONE) continue;
        // q' = q (0, w) / 2, with w in the axes of the child
        const double* w = v + body->v_at + n_plain;
        const pkm_quat now = {q[at], q[at + 1], q[at + 2], q[at + 3]};
        const pkm_quat rate =
            pkm_quat_mul(now, (pkm_quat){0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]});
        memcpy(dq + at, &rate, sizeof rate);
    }
}

/// The step of velocities (a small displacement dx) that moves positions by dq: the inverse of the
/// map above. What dq has along q itself changes the length of the quaternion only and drops out.
void pkm_state_position_step(const pkm_mechanism* mech, const double* q, const double* dq,
                             double* dx)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int at = quaternion_at(body);
        const int n_plain = at == PKM_NONE ? body->n_v : body->n_v - 3;
        for (int k = 0; k < n_plain; ++k)
            dx[body->v_at + k] = dq[body->q_at + k];
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            dx[body->e_at + k] = dq[body->z_at + k];
        if (at == PKM_NONE) continue;
        // w = 2 q^-1 q'
        // the inverse of a unit quaternion
        const pkm_quat back = {q[at], -q[at + 1], -q[at + 2], -q[at + 3]};
        const pkm_quat w =
            pkm_quat_mul(back, (pkm_quat){dq[at], dq[at + 1], dq[at + 2], dq[at + 3]});
        // its real part is the change of length
        double* to = dx + body->v_at + n_plain;
        to[0] = 2.0 * w.x, to[1] = 2.0 * w.y, to[2] = 2.0 * w.z;
    }
}

double pkm_state_drive_position(const pkm_state* state, int d)
{
    const pkm_drive* drive = &state->mech->drive[d];
    // sign * coordinate + zero; of a driven rod the distance of its ends [m]
    if (drive->v_index != PKM_NONE) return drive->sign * state->q[drive->q_index] + drive->zero;
    const pkm_joint* joint = &state->mech->joint[drive->joint];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    return drive->sign * pkm_vec3_norm(pkm_vec3_sub(pb, pa)) + drive->zero;
}

pkm_vec3 pkm_state_marker_point(const pkm_state* state, int marker)
{
    const pkm_marker* m = &state->mech->marker[marker];
    const pkm_body_state* body = &state->body[m->body];
    return pkm_vec3_add(body->p, pkm_mat3_mul(body->R, m->pose.p));
}

pkm_pose pkm_state_marker_pose(const pkm_state* state, int marker)
{
    const pkm_marker* m = &state->mech->marker[marker];
    return (pkm_pose){pkm_state_marker_point(state, marker),
                      pkm_quat_from_mat3(pkm_mat3_matmul(state->body[m->body].R, m->axes))};
}

pkm_frame_motion pkm_state_marker_motion(const pkm_state* state, int marker)
{
    const pkm_body_state* body = &state->body[state->mech->marker[marker].body];
    const pkm_pose pose = pkm_state_marker_pose(state, marker);
    return (pkm_frame_motion){.pose = pose,
                              .v = pkm_twist_at(body->V, pose.p),
                              .w = body->V.ang,
                              // (1.9) for the point
                              .a = pkm_twist_acceleration(body->V, body->A, pose.p),
                              .alpha = body->A.ang};
}
