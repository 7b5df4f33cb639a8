// Frames on a flexible link, where joints and markers sit: pose, columns, velocity and acceleration
// with the deflection, and forces back onto the modes. Equations: docs/theory/flexible.md, (2.1) to
// (2.5).
#include "dynamics/modal.h"
#include "math/dot.h"
#include "math/pair.h"

/// sum_k z_k of both, in three pairs of numbers.
static pkm_mode_motion sum_over_modes(const pkm_mode_motion* per_mode, const double* z, int n)
{
    pkm_pair a = pkm_pair_of(0.0), b = a, c = a;
    for (int k = 0; k < n; ++k) {
        const double* of = &per_mode[k].shift.x;
        const pkm_pair factor = pkm_pair_of(z[k]);
        a += factor * pkm_pair_load(of);
        b += factor * pkm_pair_load(of + 2);
        c += factor * pkm_pair_load(of + 4);
    }
    return (pkm_mode_motion){{a[0], a[1], b[0]}, {b[1], c[0], c[1]}};
}

/// The turn of a frame is exp(theta); its angular velocity L theta' with (2.3)
///
///     L = 1 + a [theta] + b [theta]^2,   a = (1 - cos x) / x^2,   b = (x - sin x) / x^3,
///
/// x = |theta|, as series: deflections are small.
typedef struct left_factor {
    double a, b, a_rate, b_rate; ///< rates over theta . theta'
} left_factor;

static left_factor left_of(pkm_vec3 theta)
{
    const double x2 = pkm_vec3_dot(theta, theta);
    return (left_factor){.a = 1.0 / 2 - x2 / 24 * (1.0 - x2 / 30 * (1.0 - x2 / 56)),
                         .b = 1.0 / 6 - x2 / 120 * (1.0 - x2 / 42 * (1.0 - x2 / 72)),
                         .a_rate = -1.0 / 12 + x2 / 180 * (1.0 - 3.0 * x2 / 112),
                         .b_rate = -1.0 / 60 + x2 / 1260 * (1.0 - x2 / 48)};
}

static pkm_vec3 left_times(left_factor L, pkm_vec3 theta, pkm_vec3 x)
{
    const pkm_vec3 one = pkm_vec3_cross(theta, x), two = pkm_vec3_cross(theta, one);
    return pkm_vec3_axpy(pkm_vec3_axpy(x, L.a, one), L.b, two);
}

/// L' theta'
static pkm_vec3 left_rate(left_factor L, pkm_vec3 theta, pkm_vec3 rate)
{
    const pkm_vec3 one = pkm_vec3_cross(theta, rate), two = pkm_vec3_cross(theta, one);
    const double along = pkm_vec3_dot(theta, rate);
    const pkm_vec3 carried = pkm_vec3_scale(L.b, pkm_vec3_cross(rate, one));
    return pkm_vec3_axpy(pkm_vec3_axpy(carried, L.a_rate * along, one), L.b_rate * along, two);
}

/// R L: the turn of a unit of theta' in world axes.
static pkm_mat3 world_turn(pkm_mat3 R, left_factor L, pkm_vec3 theta)
{
    const pkm_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    return pkm_mat3_matmul(
        R, (pkm_mat3){left_times(L, theta, x), left_times(L, theta, y), left_times(L, theta, z)});
}

/// A twist of the frame at `p` about the world origin, from the turn and the shift of `p` in world
/// axes.
static pkm_twist frame_twist(pkm_vec3 p, pkm_vec3 turn, pkm_vec3 shift)
{
    return (pkm_twist){turn, pkm_vec3_add(shift, pkm_vec3_cross(p, turn))};
}

/// How many modes move the frame: none where the body is clamped.
static int n_mode_of(const pkm_mechanism* mech, const pkm_body* frame)
{
    const pkm_modal_body* modal = mech->body[frame->parent].modal;
    return frame->frame == modal->clamped ? 0 : modal->n_mode;
}

/// What a frame's modes are.
typedef struct frame_data {
    const pkm_body* body;
    const pkm_body_state* on;
    const pkm_mode_motion* motion;
    int n;
} frame_data;

static frame_data read_frame(const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_modal_body* modal = state->mech->body[body->parent].modal;
    const size_t at = (size_t)body->frame * (size_t)modal->n_mode;
    return (frame_data){.body = body,
                        .on = &state->body[body->parent],
                        .motion = modal->motion + at,
                        .n = n_mode_of(state->mech, body)};
}

/// (2.1), (2.2); the columns (2.4) are, with p_f the place of the frame, R L r_k and
/// R d_k + p_f x R L r_k.
void pkm_modal_frame_position(pkm_state* state, int i)
{
    const frame_data f = read_frame(state, i);
    const pkm_modal_body* modal = state->mech->body[f.body->parent].modal;
    const double* z = state->q + f.body->z_at;
    const pkm_mode_motion bent = sum_over_modes(f.motion, z, f.n);
    const pkm_vec3 theta = bent.turn, place = pkm_vec3_add(modal->at[f.body->frame], bent.shift);
    pkm_body_state* out = &state->body[i];
    struct pkm_modal_state* m = &state->modal[i];
    const pkm_mat3 R = f.on->R;
    out->R = pkm_mat3_matmul(R, pkm_mat3_from_quat(pkm_quat_from_rotvec(theta)));
    out->p = pkm_vec3_add(f.on->p, pkm_mat3_mul(R, place));
    m->theta = theta;
    m->place = place;
    m->turn = world_turn(R, left_of(theta), theta);
}

void pkm_modal_frame_columns(pkm_state* state, int i)
{
    const frame_data f = read_frame(state, i);
    const pkm_mat3 R = f.on->R, turn = state->modal[i].turn; // one at a time stays in registers
    const pkm_vec3 p = state->body[i].p;
    pkm_twist* S = state->S + f.body->s_at;
    for (int k = 0; k < f.n; ++k)
        S[k].ang = pkm_mat3_mul(turn, f.motion[k].turn);
    for (int k = 0; k < f.n; ++k)
        S[k].lin = pkm_vec3_add(pkm_mat3_mul(R, f.motion[k].shift), pkm_vec3_cross(p, S[k].ang));
}

/// A += the twist of the rates `x` [n_mode] of the modes; returns theta' and the shift that belong
/// to them.
static pkm_mode_motion add_modes(const pkm_state* state, int i, const double* x, pkm_twist* A)
{
    const frame_data f = read_frame(state, i);
    const pkm_mode_motion rate = sum_over_modes(f.motion, x, f.n);
    const pkm_vec3 turn = pkm_mat3_mul(state->modal[i].turn, rate.turn);
    const pkm_vec3 shift = pkm_mat3_mul(f.on->R, rate.shift);
    *A = pkm_twist_add(*A, frame_twist(state->body[i].p, turn, shift));
    return rate;
}

void pkm_modal_frame_add(const pkm_state* state, int i, const double* x, pkm_twist* A)
{
    add_modes(state, i, x + state->mech->body[i].e_at, A);
}

void pkm_modal_frame_velocity(pkm_state* state, int i)
{
    struct pkm_modal_state* m = &state->modal[i];
    pkm_twist V = state->body[state->mech->body[i].parent].V;
    const pkm_mode_motion rate = add_modes(state, i, state->v + state->mech->body[i].e_at, &V);
    m->theta_rate = rate.turn;
    m->shift_rate = rate.shift;
    state->body[i].V = V;
}

/// The columns are carried by the body and change as the frame moves in it (2.5).
void pkm_modal_frame_acceleration(pkm_state* state, int i, const double* a)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_body_state* on = &state->body[body->parent];
    const struct pkm_modal_state* m = &state->modal[i];
    const int n = n_mode_of(state->mech, body);
    const left_factor L = left_of(m->theta);
    const pkm_vec3 w = left_times(L, m->theta, m->theta_rate);
    const pkm_vec3 w_rate = left_rate(L, m->theta, m->theta_rate);
    const pkm_vec3 lin =
        pkm_vec3_add(pkm_vec3_cross(m->shift_rate, w), pkm_vec3_cross(m->place, w_rate));

    const pkm_twist relative = pkm_twist_axpy(state->body[i].V, -1.0, on->V);
    pkm_twist A = pkm_twist_add(on->A, pkm_twist_cross(on->V, relative));
    const pkm_vec3 turn = pkm_mat3_mul(on->R, w_rate); // about the body's origin
    A = pkm_twist_add(A, frame_twist(on->p, turn, pkm_mat3_mul(on->R, lin)));
    if (a && !pkm_is_zero(a + body->e_at, n)) pkm_modal_frame_add(state, i, a, &A);
    state->body[i].A = A;
}

void pkm_modal_frame_force(const pkm_state* state, int i, pkm_wrench f, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const bool is_free =
        pkm_vec3_dot(f.force, f.force) == 0.0 && pkm_vec3_dot(f.moment, f.moment) == 0.0;
    const int n = is_free ? 0 : n_mode_of(state->mech, body); // most frames carry nothing
    for (int k = 0; k < n; ++k)
        force[body->e_at + k] += pkm_twist_dot(state->S[body->s_at + k], f);
}
