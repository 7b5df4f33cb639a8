#include "dynamics/kinematics.h"

#include "dynamics/modal.h"

/// R Rz(angle): turn the columns x, y about z.
static pkm_mat3 turn_about_z(pkm_mat3 R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (pkm_mat3){pkm_vec3_axpy(pkm_vec3_scale(c, R.x), s, R.y),
                      pkm_vec3_axpy(pkm_vec3_scale(c, R.y), -s, R.x), R.z};
}

/// Column of a turn about the axis `e` through `o`: (e, o x e).
static pkm_twist turning(pkm_vec3 e, pkm_vec3 o)
{
    return (pkm_twist){e, pkm_vec3_cross(o, e)};
}

static pkm_twist sliding(pkm_vec3 e)
{
    return (pkm_twist){{0.0, 0.0, 0.0}, e};
}

static pkm_mat3 turn_by_quat(pkm_mat3 R, const double* q)
{
    return pkm_mat3_matmul(R, pkm_mat3_from_quat((pkm_quat){q[0], q[1], q[2], q[3]}));
}

static void three_turns(pkm_twist* S, pkm_mat3 R, pkm_vec3 o)
{
    S[0] = turning(R.x, o);
    S[1] = turning(R.y, o);
    S[2] = turning(R.z, o);
}

/// A planar joint whose side a is the child: x, y are where the parent's origin is in the child's
/// axes, the angle is that of the parent in them. The turn comes first, then the slides (1.10).
static void cross_planar_back(const double* q, pkm_mat3* R, pkm_vec3* o, pkm_twist* S)
{
    S[2] = turning(pkm_vec3_scale(-1.0, R->z), *o);
    *R = turn_about_z(*R, -q[2]);
    S[0] = sliding(pkm_vec3_scale(-1.0, R->x));
    S[1] = sliding(pkm_vec3_scale(-1.0, R->y));
    *o = pkm_vec3_axpy(pkm_vec3_axpy(*o, -q[0], R->x), -q[1], R->y);
}

/// The frame after the joint: `R`, `o` enter as the joint frame on the parent and leave as the one
/// on the child (docs/theory/engine.md, table 1.1).
static void cross_joint(pkm_joint_type type, const double* q, pkm_mat3* R, pkm_vec3* o,
                        pkm_twist* S)
{
    switch (type) {
    case PKM_JOINT_FIXED:
    case PKM_JOINT_DISTANCE:
        break;
    case PKM_JOINT_REVOLUTE:
        S[0] = turning(R->z, *o);
        *R = turn_about_z(*R, q[0]);
        break;
    case PKM_JOINT_PRISMATIC:
        S[0] = sliding(R->z);
        *o = pkm_vec3_axpy(*o, q[0], R->z);
        break;
    case PKM_JOINT_CYLINDRICAL:
        S[0] = turning(R->z, *o);
        S[1] = sliding(R->z);
        *o = pkm_vec3_axpy(*o, q[1], R->z);
        *R = turn_about_z(*R, q[0]);
        break;
    case PKM_JOINT_UNIVERSAL: {
        S[0] = turning(R->z, *o);
        const pkm_mat3 first = turn_about_z(*R, q[0]);
        S[1] = turning(first.x, *o);
        // Ry(90 deg): x -> -z, z -> x
        const pkm_mat3 crossed = {pkm_vec3_scale(-1.0, first.z), first.y, first.x};
        *R = turn_about_z(crossed, q[1]);
        break;
    }
    case PKM_JOINT_PLANAR:
        S[0] = sliding(R->x);
        S[1] = sliding(R->y);
        *o = pkm_vec3_axpy(pkm_vec3_axpy(*o, q[0], R->x), q[1], R->y);
        S[2] = turning(R->z, *o);
        *R = turn_about_z(*R, q[2]);
        break;
    case PKM_JOINT_SPHERICAL:
        *R = turn_by_quat(*R, q);
        three_turns(S, *R, *o);
        break;
    case PKM_JOINT_FREE:
        S[0] = sliding(R->x);
        S[1] = sliding(R->y);
        S[2] = sliding(R->z);
        *o = pkm_vec3_add(*o, pkm_mat3_mul(*R, (pkm_vec3){q[0], q[1], q[2]}));
        *R = turn_by_quat(*R, q + 3);
        three_turns(S + 3, *R, *o);
        break;
    }
}

void pkm_kinematics_position(pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) {
            pkm_modal_frame_position(state, i);
            continue;
        }
        const pkm_body_state* parent = &state->body[body->parent];
        pkm_body_state* out = &state->body[i];
        pkm_vec3 o = pkm_vec3_add(parent->p, pkm_mat3_mul(parent->R, body->at_parent));
        pkm_mat3 R = pkm_mat3_matmul(parent->R, body->axes_parent);
        if (pkm_body_is_planar_back(body))
            cross_planar_back(state->q + body->q_at, &R, &o, state->S + body->v_at);
        else
            cross_joint(body->type, state->q + body->q_at, &R, &o, state->S + body->v_at);
        out->R = body->child_aligned ? R : pkm_mat3_matmul(R, pkm_mat3_transpose(body->axes_child));
        out->p = pkm_vec3_sub(o, pkm_mat3_mul(out->R, body->at_child));
    }
}

void pkm_kinematics_twists(pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) {
            pkm_modal_frame_velocity(state, i);
            continue;
        }
        pkm_twist V = state->body[body->parent].V;
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            V = pkm_twist_axpy(V, state->v[k], state->S[k]);
        state->body[i].V = V;
    }
}

void pkm_kinematics_velocity(pkm_state* state)
{
    pkm_kinematics_twists(state);
    for (int i = 1; state->modal && i < state->mech->n_body; ++i)
        if (state->mech->body[i].modal) pkm_modal_update(state, i);
}

/// Rate of the columns times the velocities: every column is carried by the frame before it (1.7).
/// The three turns of a ball are all carried by the child itself; then V x (S v) is the same for
/// the frame before and after them.
static pkm_twist carried_rate(const pkm_state* state, const pkm_body* body, pkm_twist V)
{
    pkm_twist rate = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (pkm_body_is_planar_back(body)) {
        const double* v = state->v + body->v_at;
        const pkm_twist* S = state->S + body->v_at;
        const pkm_twist turn = pkm_twist_axpy(rate, v[2], S[2]);
        const pkm_twist slide = pkm_twist_axpy(pkm_twist_axpy(rate, v[0], S[0]), v[1], S[1]);
        return pkm_twist_add(pkm_twist_cross(V, turn),
                             pkm_twist_cross(pkm_twist_add(V, turn), slide));
    }
    const bool ball = body->type == PKM_JOINT_SPHERICAL || body->type == PKM_JOINT_FREE;
    const int n_single = ball ? body->n_v - 3 : body->n_v;
    for (int k = body->v_at; k < body->v_at + n_single; ++k) {
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

void pkm_kinematics_acceleration(pkm_state* state, const double* a)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) {
            pkm_modal_frame_acceleration(state, i, a);
            continue;
        }
        const pkm_body_state* parent = &state->body[body->parent];
        pkm_twist A = pkm_twist_add(parent->A, carried_rate(state, body, parent->V));
        for (int k = body->v_at; a && k < body->v_at + body->n_v; ++k)
            A = pkm_twist_axpy(A, a[k], state->S[k]);
        state->body[i].A = A;
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            state->modal[i].rate2[k] = a ? a[body->e_at + k] : 0.0;
    }
}
