// Poses, twists and accelerations of all bodies, from the ground outwards: docs/theory/engine.md,
// section 1; of frames on links that bend docs/theory/flexible.md, section 2.
#include "dynamics/kinematics.h"

#include "dynamics/modal.h"
#include "math/tensor.h"
#include "mechanism/joint.h"

// ---- bodies that float ------------------------------------------------------------------------
// (1.1) to (1.7) with the ground before them: three shifts and the three turns of the body about
// its own axes through its origin p.

static void float_position(pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const double* q = state->q + body->q_at;
    pkm_body_state* out = &state->body[i];
    pkm_twist* S = state->S + body->v_at;
    const pkm_vec3 zero = {0.0, 0.0, 0.0}, p = pkm_vec3_at(q);
    const pkm_mat3 R = pkm_mat3_from_quat((pkm_quat){q[3], q[4], q[5], q[6]});
    // slide and turn of (1.4): the rate of the point at the world's origin is p x axis
    S[0] = (pkm_twist){zero, {1.0, 0.0, 0.0}};
    S[1] = (pkm_twist){zero, {0.0, 1.0, 0.0}};
    S[2] = (pkm_twist){zero, {0.0, 0.0, 1.0}};
    S[3] = (pkm_twist){R.x, pkm_vec3_cross(p, R.x)};
    S[4] = (pkm_twist){R.y, pkm_vec3_cross(p, R.y)};
    S[5] = (pkm_twist){R.z, pkm_vec3_cross(p, R.z)};
    out->p = p;
    out->R = R;
}

/// The twist with the rate `shift` of the origin and the turn `turn` in the axes of the body.
static pkm_twist float_twist(const pkm_body_state* s, pkm_vec3 shift, pkm_vec3 turn)
{
    const pkm_vec3 w = pkm_mat3_mul(s->R, turn);
    return (pkm_twist){w, pkm_vec3_add(shift, pkm_vec3_cross(s->p, w))};
}

/// The columns of the turns are carried by the shifts: A = sum S_k a_k + (0, v x w).
static pkm_twist float_acceleration(const pkm_state* state, int i, const double* a)
{
    const int at = state->mech->body[i].v_at;
    const pkm_body_state* s = &state->body[i];
    // all turns together are (w, p x w): w x w = 0, and p moves with v
    const pkm_vec3 carried = pkm_vec3_cross(pkm_vec3_at(state->v + at), s->V.ang);
    if (!a) return (pkm_twist){{0.0, 0.0, 0.0}, carried};
    return float_twist(s, pkm_vec3_add(carried, pkm_vec3_at(a + at)), pkm_vec3_at(a + at + 3));
}

// ---- all bodies -------------------------------------------------------------------------------

/// Bodies in the order of a pass: from the ground outwards, a parent before its children.
typedef struct pass {
    int n;
    const int* body; ///< [n]; NULL: all
} pass;

enum { MOST_PATH = 64 }; // longer ones are not listed, all bodies are taken then

static pass take_all(const pkm_mechanism* mech)
{
    return (pass){mech->n_body - 1, NULL};
}

/// Body i and those that carry it, where `room` has place for them; else all.
static pass take_path(const pkm_mechanism* mech, int i, int room[MOST_PATH])
{
    int n = 0;
    for (int k = i; k > 0; k = mech->body[k].parent)
        ++n;
    if (n > MOST_PATH) return take_all(mech);
    const pass out = {n, room};
    for (int k = i; k > 0; k = mech->body[k].parent)
        room[--n] = k;
    return out;
}

static void find_poses(pkm_state* state, pass along, bool columns)
{
    const pkm_mechanism* mech = state->mech;
    for (int k = 0; k < along.n; ++k) {
        const int i = along.body ? along.body[k] : k + 1;
        const pkm_body* body = &mech->body[i];
        // a frame is where the modes of its link put it, relative to a pose found before
        if (body->frame != PKM_NONE) {
            pkm_modal_frame_position(state, i);
            if (columns) pkm_modal_frame_columns(state, i);
            continue;
        }
        if (pkm_body_floats(body)) {
            float_position(state, i);
            continue;
        }
        const pkm_body_state* parent = &state->body[body->parent];
        pkm_body_state* out = &state->body[i];
        // frame of the joint on the parent, R = R_p R_jp, o = p_p + R_p r_p (1.1)
        pkm_vec3 o = pkm_vec3_add(parent->p, pkm_mat3_mul(parent->R, body->at_parent));
        pkm_mat3 R = pkm_mat3_matmul(parent->R, body->axes_parent);
        // through the joint by its coordinates, with its columns S
        if (pkm_body_is_planar_back(body))
            pkm_joint_cross_planar_back(state->q + body->q_at, &R, &o, state->S + body->v_at);
        else
            pkm_joint_cross(body->type, body->pitch, state->q + body->q_at, &R, &o,
                            state->S + body->v_at);
        // and on to the child, R_i = R+ R_jc', p_i = o+ - R_i r_c (1.2)
        // axes of most joints are those of their child: one product less
        out->R = body->child_aligned ? R : pkm_mat3_matmul(R, pkm_mat3_transpose(body->axes_child));
        out->p = pkm_vec3_sub(o, pkm_mat3_mul(out->R, body->at_child));
    }
}

static void find_twists(pkm_state* state, pass along)
{
    const pkm_mechanism* mech = state->mech;
    for (int at = 0; at < along.n; ++at) {
        const int i = along.body ? along.body[at] : at + 1;
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) {
            // it has no velocities of its own
            pkm_modal_frame_velocity(state, i);
            continue;
        }
        if (pkm_body_floats(body)) {
            const double* v = state->v + body->v_at;
            state->body[i].V = float_twist(&state->body[i], pkm_vec3_at(v), pkm_vec3_at(v + 3));
            continue;
        }
        // V_i = V_p + sum S_k v_k (1.5)
        pkm_twist V = state->body[body->parent].V;
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            V = pkm_twist_axpy(V, state->v[k], state->S[k]);
        state->body[i].V = V;
    }
}

void pkm_kinematics_position(pkm_state* state)
{
    find_poses(state, take_all(state->mech), true);
}

void pkm_kinematics_poses(pkm_state* state)
{
    find_poses(state, take_all(state->mech), false);
}

void pkm_kinematics_twists(pkm_state* state)
{
    find_twists(state, take_all(state->mech));
}

void pkm_kinematics_reach(pkm_state* state, int i)
{
    int room[MOST_PATH];
    const pass path = take_path(state->mech, i, room);
    find_poses(state, path, false);
    find_twists(state, path);
}

/// Twists, and where links bend the integrals over them, (1.3) to (1.5) of flexible.md, which
/// accelerations need.
void pkm_kinematics_velocity(pkm_state* state)
{
    pkm_kinematics_twists(state);
    for (int i = 1; state->modal && i < state->mech->n_body; ++i)
        if (state->mech->body[i].modal) pkm_modal_update(state, i);
}

/// Rate of the columns times the velocities: every column is carried by the frame before it (1.7).
/// The three turns of a ball are all carried by the child itself; then V x (S v) is the same for
/// the frame before and after them.
static inline pkm_twist carried_rate(const pkm_state* state, const pkm_body* body, pkm_twist V)
{
    pkm_twist rate = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (pkm_body_is_planar_back(body)) {
        const double* v = state->v + body->v_at;
        const pkm_twist* S = state->S + body->v_at;
        // turn first, slides carried by it (1.10)
        const pkm_twist turn = pkm_twist_axpy(rate, v[2], S[2]);
        const pkm_twist slide = pkm_twist_axpy(pkm_twist_axpy(rate, v[0], S[0]), v[1], S[1]);
        return pkm_twist_add(pkm_twist_cross(V, turn),
                             pkm_twist_cross(pkm_twist_add(V, turn), slide));
    }
    const bool ball = pkm_joint_facts_of(body->type)->quaternion != PKM_NONE;
    const int n_single = ball ? body->n_v - 3 : body->n_v;
    for (int k = body->v_at; k < body->v_at + n_single; ++k) {
        // V grows column by column: S_l v_l of the columns before, (1.7)
        const pkm_twist Sv = pkm_twist_axpy((pkm_twist){0}, state->v[k], state->S[k]);
        rate = pkm_twist_add(rate, pkm_twist_cross(V, Sv));
        V = pkm_twist_add(V, Sv);
    }
    if (!ball) return rate;
    pkm_twist turn = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = body->v_at + n_single; k < body->v_at + body->n_v; ++k)
        turn = pkm_twist_axpy(turn, state->v[k], state->S[k]);
    return pkm_twist_add(rate, pkm_twist_cross(V, turn));
}

/// A_i = A_p + sum S_k' v_k + sum S_k a_k (1.6), of which `rate` is the first sum.
static inline pkm_twist chain_acceleration(const pkm_state* state, const pkm_body* body,
                                           pkm_twist rate, const double* a)
{
    pkm_twist A = pkm_twist_add(state->body[body->parent].A, rate);
    for (int k = body->v_at; a && k < body->v_at + body->n_v; ++k)
        A = pkm_twist_axpy(A, a[k], state->S[k]);
    return A;
}

/// What is carried along, the first sum of (1.6): found, found and kept in the bodies' f, or taken
/// from there.
typedef enum carrying { CARRY_FIND, CARRY_KEEP, CARRY_TAKE } carrying;

static inline pkm_twist carry(pkm_state* state, int i, carrying how)
{
    pkm_wrench* kept = &state->body[i].f; // turn and shift stand in force and moment
    if (how == CARRY_TAKE) return (pkm_twist){kept->force, kept->moment};
    const pkm_body* body = &state->mech->body[i];
    const pkm_twist rate = carried_rate(state, body, state->body[body->parent].V);
    if (how == CARRY_KEEP) *kept = (pkm_wrench){rate.ang, rate.lin};
    return rate;
}

/// A of bodies from accelerations `a`; NULL: those of the velocities alone, from which the bias of
/// the rows follows.
static void find_accelerations(pkm_state* state, pass along, const double* a, carrying how)
{
    const pkm_mechanism* mech = state->mech;
    for (int at = 0; at < along.n; ++at) {
        const int i = along.body ? along.body[at] : at + 1;
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) {
            pkm_modal_frame_acceleration(state, i, a);
            continue;
        }
        state->body[i].A = pkm_body_floats(body)
                               ? float_acceleration(state, i, a)
                               : chain_acceleration(state, body, carry(state, i, how), a);
        // rates of rates: modal forces need them beside A
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            state->modal[i].rate2[k] = a ? a[body->e_at + k] : 0.0;
    }
}

void pkm_kinematics_acceleration(pkm_state* state, const double* a)
{
    find_accelerations(state, take_all(state->mech), a, CARRY_FIND);
}

void pkm_kinematics_acceleration_without(pkm_state* state)
{
    find_accelerations(state, take_all(state->mech), NULL, CARRY_KEEP);
}

void pkm_kinematics_acceleration_with(pkm_state* state, const double* a)
{
    find_accelerations(state, take_all(state->mech), a, CARRY_TAKE);
}

void pkm_kinematics_acceleration_of(pkm_state* state, const double* a, int i)
{
    int room[MOST_PATH];
    const pass path = take_path(state->mech, i, room);
    find_accelerations(state, path, a, CARRY_FIND);
}

void pkm_kinematics_accelerate(pkm_state* state, const double* a)
{
    if (state->modal) {
        pkm_kinematics_acceleration(state, a);
        return;
    }
    // what `a` adds is passed on from body to body: turn and shift stand in force and moment of f
    const pkm_mechanism* mech = state->mech;
    state->body[0].f = (pkm_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        pkm_body_state* out = &state->body[i];
        const pkm_wrench before = state->body[body->parent].f;
        pkm_twist more = {before.force, before.moment};
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            more = pkm_twist_axpy(more, a[k], state->S[k]);
        out->f = (pkm_wrench){more.ang, more.lin};
        out->A = pkm_twist_add(out->A, more);
    }
}
