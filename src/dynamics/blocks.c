#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "math/dot.h"
#include "math/tensor.h"

#include <string.h>

static const double NO_INERTIA = 1e-13; // of a pivot against its diagonal

// ---- factors ----------------------------------------------------------------------------------

/// L L' = A, row by row inside the skyline; rows are `n` long. A pivot that is nothing against its
/// diagonal ends it.
static bool factor(const double* A, int stride, const int* first, int n, double* L)
{
    for (int i = 0; i < n; ++i) {
        double* Li = L + (size_t)i * (size_t)n;
        const double* Ai = A + (size_t)i * (size_t)stride;
        double left = Ai[i];
        for (int j = first[i]; j < i; ++j) {
            const double* Lj = L + (size_t)j * (size_t)n;
            double sum = Ai[j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; ++k)
                sum -= Li[k] * Lj[k];
            Li[j] = sum / Lj[j];
            left -= Li[j] * Li[j];
        }
        if (!(left > NO_INERTIA * fabs(Ai[i]))) return false;
        Li[i] = sqrt(left);
    }
    return true;
}

/// x <- L^-1 x
static void solve_lower(const double* L, const int* first, int n, double* x)
{
    for (int i = 0; i < n; ++i) {
        const double* Li = L + (size_t)i * (size_t)n;
        double sum = x[i];
        for (int k = first[i]; k < i; ++k)
            sum -= Li[k] * x[k];
        x[i] = sum / Li[i];
    }
}

/// x <- L'^-1 x
static void solve_upper(const double* L, const int* first, int n, double* x)
{
    for (int i = n - 1; i >= 0; --i) {
        const double* Li = L + (size_t)i * (size_t)n;
        x[i] /= Li[i];
        for (int k = first[i]; k < i; ++k)
            x[k] -= Li[k] * x[i];
    }
}

/// Momentum about the world origin that body i has for the twist T.
static pkm_wrench momentum(const pkm_state* state, int i, pkm_vec3 com, pkm_twist T)
{
    const pkm_body* body = &state->mech->body[i];
    if (body->modal) return pkm_modal_rigid_inertia(state, i, T);
    const pkm_mat3 R = state->body[i].R;
    const pkm_mass* mass = &state->mass[i];
    const pkm_vec3 moment =
        pkm_mat3_mul(R, pkm_inertia_times(mass->inertia, pkm_mat3_tmul(R, T.ang)));
    return pkm_wrench_at(com, pkm_vec3_scale(mass->mass, pkm_twist_at(T, com)), moment);
}

static void add_mass(pkm_block* to, int i, int j, double value)
{
    const size_t n = (size_t)(to->n + to->n_held);
    to->M[i >= j ? (size_t)i * n + (size_t)j : (size_t)j * n + (size_t)i] += value;
}

/// The masses of a body that floats on the ground: shifts along the world's axes, turns about its
/// own through its origin, so that they need no columns.
///
///     shifts m 1,   shifts with turns R [s]',   turns J,   modes with both: R p_j, c_j
static void add_floating(pkm_blocks* b, const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_mat3 R = state->body[i].R;
    pkm_block* to = &b->block[b->path[i].block];
    const size_t n = (size_t)(to->n + to->n_held);
    const int at = b->place[body->v_at]; // shifts, then turns, in a row
    double mass;
    pkm_vec3 first;
    pkm_mat3 J;
    if (body->modal) {
        mass = body->modal->integral->mass;
        first = state->modal[i].first;
        J = state->modal[i].J;
    } else {
        const double* const own = state->mass[i].inertia;
        const pkm_vec3 c = state->mass[i].com;
        mass = state->mass[i].mass;
        first = pkm_vec3_scale(mass, c);
        const double cc = pkm_vec3_dot(c, c);
        J.x = (pkm_vec3){own[0] + mass * (cc - c.x * c.x), own[3] - mass * c.x * c.y,
                         own[4] - mass * c.x * c.z};
        J.y = (pkm_vec3){own[3] - mass * c.x * c.y, own[1] + mass * (cc - c.y * c.y),
                         own[5] - mass * c.y * c.z};
        J.z = (pkm_vec3){own[4] - mass * c.x * c.z, own[5] - mass * c.y * c.z,
                         own[2] + mass * (cc - c.z * c.z)};
    }
    const pkm_vec3 turn[3] = {
        {0.0, -first.z, first.y}, {first.z, 0.0, -first.x}, {-first.y, first.x, 0.0}}; // e_k x s
    const pkm_vec3 column[3] = {J.x, J.y, J.z};
    for (int k = 0; k < 3; ++k) {
        to->M[(size_t)(at + k) * (n + 1)] = mass;
        const pkm_vec3 push = pkm_mat3_mul(R, turn[k]);
        double* row = to->M + (size_t)(at + 3 + k) * n + (size_t)at;
        row[0] = push.x;
        row[1] = push.y;
        row[2] = push.z;
        row[3] = column[k].x;
        row[4] = column[k].y;
        row[5] = column[k].z;
    }
    for (int j = 0; body->modal && j < body->modal->n_mode; ++j) {
        const double* p = body->modal->integral->momentum + 3 * j;
        const pkm_vec3 push = pkm_mat3_mul(R, (pkm_vec3){p[0], p[1], p[2]});
        const pkm_vec3 c = state->modal[i].c[j];
        const double value[6] = {push.x, push.y, push.z, c.x, c.y, c.z};
        const size_t mode = (size_t)b->place[body->e_at + j];
        to->M[mode * (n + 1)] = 1.0;
        for (int k = 0; k < 6; ++k) // modes stand before the rest
            to->M[(size_t)(at + k) * n + mode] = value[k];
    }
}

/// Does body i float by itself, with modes of the mean axes and nothing that hangs on it?
static bool floats_alone(const pkm_blocks* b, const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_block* to = &b->block[b->path[i].block];
    const int n_mode = pkm_block_modes(body);
    return body->joint == PKM_NONE && body->type == PKM_JOINT_FREE && body->parent == 0 &&
           to->n == 6 + n_mode && to->n_held == 0 && !(body->modal && body->modal->mass);
}

/// M += J' I J of body i, with the columns of its path; and what couples its modes.
static void add_body(pkm_blocks* b, const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_block_path* p = &b->path[i];
    pkm_block* to = &b->block[p->block];
    if (body->frame != PKM_NONE || p->n == 0) return;
    if (floats_alone(b, state, i)) {
        add_floating(b, state, i);
        return;
    }
    const pkm_body_state* s = &state->body[i];
    const pkm_vec3 com = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, state->mass[i].com));
    for (int k = 0; k < p->n; ++k) {
        const pkm_wrench h = momentum(state, i, com, state->S[p->motion[k]]);
        for (int l = 0; l <= k; ++l)
            add_mass(to, p->place[k], p->place[l], pkm_twist_dot(state->S[p->motion[l]], h));
    }
    if (!body->modal) return;
    const int n = body->modal->n_mode;
    pkm_modal_momenta(state, i, b->push);
    for (int j = 0; j < n; ++j) {
        const int at = b->place[body->e_at + j];
        for (int k = 0; k < p->n; ++k)
            add_mass(to, at, p->place[k], pkm_twist_dot(state->S[p->motion[k]], b->push[j]));
        for (int k = 0; k <= j; ++k)
            if (body->modal->mass || k == j)
                add_mass(to, at, b->place[body->e_at + k],
                         body->modal->mass ? body->modal->mass[(size_t)j * (size_t)n + (size_t)k]
                                           : 1.0);
    }
}

static void sum_masses(pkm_blocks* b, const pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; i < b->n_block; ++i) {
        const size_t n = (size_t)(b->block[i].n + b->block[i].n_held);
        memset(b->block[i].M, 0, n * n * sizeof(double));
    }
    for (int i = 1; i < mech->n_body; ++i)
        add_body(b, state, i);
}

static void add_rotors(pkm_blocks* b, const pkm_mechanism* mech, const double* rotor)
{
    for (int d = 0; d < mech->n_drive; ++d) {
        const int v = mech->drive[d].v_index;
        if (v == PKM_NONE || rotor[d] == 0.0 || b->held[v]) continue;
        add_mass(&b->block[b->owner[v]], b->place[v], b->place[v], rotor[d]);
    }
}

/// M + c C + c^2 K. Returns whether modes of a body are coupled, so that skylines do not hold.
static bool add_step(pkm_blocks* b, const pkm_mechanism* mech, double c)
{
    bool is_full = false;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int n = pkm_block_modes(body);
        if (n == 0) continue;
        pkm_modal_step_matrix(body->modal, c, b->stiffness);
        is_full = is_full || body->modal->damping_matrix;
        for (int k = 0; k < n; ++k)
            for (int l = body->modal->damping_matrix ? 0 : k; l <= k; ++l)
                add_mass(&b->block[b->owner[body->e_at]], b->place[body->e_at + k],
                         b->place[body->e_at + l], b->stiffness[k * n + l]);
    }
    return is_full;
}

static pkm_status factor_masses(pkm_blocks* b, bool full)
{
    for (int i = 0; i < b->n_block; ++i) {
        pkm_block* to = &b->block[i];
        to->now = full ? b->dense : to->first;
        if (!factor(to->M, to->n + to->n_held, to->now, to->n, to->L)) return PKM_ERR_SINGULAR;
    }
    return PKM_OK;
}

/// Z of one block: its part of the rows' entries, solved.
static void find_rows(const pkm_blocks* b, const pkm_state* state, int index)
{
    const pkm_mechanism* mech = state->mech;
    pkm_block* to = &b->block[index];
    if (to->n_row > 0) memset(to->Z, 0, (size_t)to->n_row * (size_t)to->n * sizeof(double));
    for (int k = 0; k < to->n_row; ++k) {
        double* Z = to->Z + (size_t)k * (size_t)to->n;
        const pkm_row* row = &mech->row[b->row[to->row[k]]];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e) {
            const int v = mech->column[e];
            if (b->owner[v] == index && !b->held[v]) Z[b->place[v]] += state->jacobian[e];
        }
        solve_lower(to->L, to->now, to->n, Z);
    }
}

static pkm_status factor_rows(pkm_blocks* b, const pkm_state* state)
{
    const size_t n = (size_t)b->n_row;
    for (size_t k = 0; k < n; ++k) // inside the skyline
        memset(b->S + k * n + b->first[k], 0, (k + 1 - (size_t)b->first[k]) * sizeof(double));
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        find_rows(b, state, i);
        for (int k = 0; k < to->n_row; ++k)
            for (int l = 0; l <= k; ++l)
                b->S[(size_t)to->row[k] * n + (size_t)to->row[l]] += pkm_dot(
                    to->Z + (size_t)k * (size_t)to->n, to->Z + (size_t)l * (size_t)to->n, to->n);
    }
    return factor(b->S, b->n_row, b->first, b->n_row, b->S) ? PKM_OK : PKM_ERR_SINGULAR;
}

pkm_status pkm_blocks_factor(pkm_blocks* b, const pkm_state* state, const double* rotor)
{
    sum_masses(b, state);
    add_rotors(b, state->mech, rotor);
    PKM_TRY(factor_masses(b, false));
    return factor_rows(b, state);
}

pkm_status pkm_blocks_factor_step(pkm_blocks* b, const pkm_state* state, const double* rotor,
                                  double c)
{
    sum_masses(b, state);
    add_rotors(b, state->mech, rotor);
    const bool is_full = add_step(b, state->mech, c);
    PKM_TRY(factor_masses(b, is_full));
    return factor_rows(b, state);
}

// ---- solution ---------------------------------------------------------------------------------

static bool is_zero(const double* x, int n)
{
    for (int k = 0; k < n; ++k)
        if (x[k] != 0.0) return false;
    return true;
}

void pkm_blocks_solve(pkm_blocks* b, const pkm_state* state, const double* needed,
                      const double* a_given, const double* row_left, double* a, double* lambda)
{
    memcpy(a, a_given, (size_t)state->mech->n_v * sizeof(double));
    memcpy(lambda, row_left, (size_t)b->n_row * sizeof(double));
    double* y = b->y;
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        for (int k = 0; k < to->n; ++k)
            y[k] = -needed[to->v[k]];
        // forces at few places leave most blocks alone
        if (!is_zero(y, to->n)) solve_lower(to->L, to->now, to->n, y);
        for (int k = 0; k < to->n_row; ++k)
            lambda[to->row[k]] -= pkm_dot(to->Z + (size_t)k * (size_t)to->n, y, to->n);
        y += to->n;
    }
    solve_lower(b->S, b->first, b->n_row, lambda);
    solve_upper(b->S, b->first, b->n_row, lambda);
    y = b->y;
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        for (int k = 0; k < to->n_row; ++k) {
            const double* Z = to->Z + (size_t)k * (size_t)to->n;
            for (int j = 0; j < to->n; ++j)
                y[j] += lambda[to->row[k]] * Z[j];
        }
        if (!is_zero(y, to->n)) solve_upper(to->L, to->now, to->n, y);
        for (int k = 0; k < to->n; ++k)
            a[to->v[k]] = y[k];
        y += to->n;
    }
}

double pkm_blocks_held_force(const pkm_blocks* b, const pkm_state* state, int v,
                             const double* needed, const double* a, const double* lambda)
{
    const pkm_mechanism* mech = state->mech;
    const pkm_block* to = &b->block[b->owner[v]];
    const double* M = to->M + (size_t)b->place[v] * (size_t)(to->n + to->n_held);
    double force = needed[v];
    for (int k = 0; k < to->n; ++k)
        force += M[k] * a[to->v[k]];
    for (int k = 0; k < b->n_row; ++k) {
        const pkm_row* row = &mech->row[b->row[k]];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            if (mech->column[e] == v) force -= lambda[k] * state->jacobian[e];
    }
    return force;
}
