#include "dynamics/modal.h"

static pkm_vec3 sum_over_modes(const pkm_vec3* per_mode, const double* z, int n)
{
    pkm_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < n; ++k)
        sum = pkm_vec3_axpy(sum, z[k], per_mode[k]);
    return sum;
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

/// A twist about the body's origin in body axes as one about the world origin in world axes.
static pkm_twist to_world(const pkm_body_state* s, pkm_vec3 ang, pkm_vec3 lin)
{
    const pkm_vec3 w = pkm_mat3_mul(s->R, ang);
    return (pkm_twist){w, pkm_vec3_add(pkm_mat3_mul(s->R, lin), pkm_vec3_cross(s->p, w))};
}

/// What a frame's modes are.
typedef struct frame_data {
    const pkm_body* body;
    const pkm_body_state* on;
    const pkm_vec3 *shift, *turn;
    int n;
    pkm_vec3 place, theta; ///< in body axes, deformed
} frame_data;

static frame_data read_frame(const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_modal_body* modal = state->mech->body[body->parent].modal;
    const double* z = state->q + body->z_at;
    const size_t at = (size_t)body->frame * (size_t)modal->n_mode;
    frame_data f = {.body = body,
                    .on = &state->body[body->parent],
                    .shift = modal->shift + at,
                    .turn = modal->turn + at,
                    .n = modal->n_mode};
    f.theta = sum_over_modes(f.turn, z, f.n);
    f.place = pkm_vec3_add(modal->at[body->frame], sum_over_modes(f.shift, z, f.n));
    return f;
}

void pkm_modal_frame_position(pkm_state* state, int i)
{
    const frame_data f = read_frame(state, i);
    const left_factor L = left_of(f.theta);
    pkm_body_state* out = &state->body[i];
    out->R = pkm_mat3_matmul(f.on->R, pkm_mat3_from_quat(pkm_quat_from_rotvec(f.theta)));
    out->p = pkm_vec3_add(f.on->p, pkm_mat3_mul(f.on->R, f.place));
    pkm_twist* S = state->S + f.body->s_at;
    for (int k = 0; k < f.n; ++k) {
        const pkm_vec3 ang = left_times(L, f.theta, f.turn[k]);
        S[k] = to_world(f.on, ang, pkm_vec3_add(f.shift[k], pkm_vec3_cross(f.place, ang)));
    }
}

void pkm_modal_frame_add(const pkm_state* state, int i, const double* x, pkm_twist* A)
{
    const pkm_body* body = &state->mech->body[i];
    const int n = state->mech->body[body->parent].modal->n_mode;
    for (int k = 0; k < n; ++k)
        *A = pkm_twist_axpy(*A, x[body->e_at + k], state->S[body->s_at + k]);
}

void pkm_modal_frame_velocity(pkm_state* state, int i)
{
    pkm_twist V = state->body[state->mech->body[i].parent].V;
    pkm_modal_frame_add(state, i, state->v, &V);
    state->body[i].V = V;
}

/// The columns are carried by the body and change as the frame moves in it (2.5).
void pkm_modal_frame_acceleration(pkm_state* state, int i, const double* a)
{
    const frame_data f = read_frame(state, i);
    const double* rate = state->v + f.body->e_at;
    const pkm_vec3 theta_rate = sum_over_modes(f.turn, rate, f.n);
    const pkm_vec3 v = sum_over_modes(f.shift, rate, f.n);
    const left_factor L = left_of(f.theta);
    const pkm_vec3 w = left_times(L, f.theta, theta_rate);
    const pkm_vec3 w_rate = left_rate(L, f.theta, theta_rate);
    const pkm_vec3 lin = pkm_vec3_add(pkm_vec3_cross(v, w), pkm_vec3_cross(f.place, w_rate));

    const pkm_twist relative = pkm_twist_axpy(state->body[i].V, -1.0, f.on->V);
    pkm_twist A = pkm_twist_add(f.on->A, pkm_twist_cross(f.on->V, relative));
    A = pkm_twist_add(A, to_world(f.on, w_rate, lin));
    if (a) pkm_modal_frame_add(state, i, a, &A);
    state->body[i].A = A;
}

void pkm_modal_frame_force(const pkm_state* state, int i, pkm_wrench f, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const int n = state->mech->body[body->parent].modal->n_mode;
    for (int k = 0; k < n; ++k)
        force[body->e_at + k] += pkm_twist_dot(state->S[body->s_at + k], f);
}
