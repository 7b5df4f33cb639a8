#include "dynamics/blocks.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/modal.h"

#include <string.h>

static const double NO_INERTIA = 1e-13; // of a pivot against its diagonal

/// A tree on the ground: its velocities, unknown ones first (modes before the rest, since their
/// block is often diagonal), then the prescribed ones.
typedef struct block {
    int n, n_held;
    int* v;         ///< [n + n_held] velocities
    int* first;     ///< [n] first column of each row of M that is not zero
    const int* now; ///< the same for what M holds now
    double* M;      ///< [(n + n_held) x (n + n_held)] rows; lower part
    double* L;      ///< [n x n] rows
    int n_row;      ///< constraints that touch it
    int* row;       ///< [n_row] which
    double* Z;      ///< [n_row x n] L^-1 of each row's entries
    int row_room;
} block;

/// A way from a body to the ground: velocities as places in the block, and their motion columns.
typedef struct path {
    int block, n;
    int* place;
    int* motion;
} path;

struct pkm_blocks {
    int n_block, n_row;
    block* block;
    path* path;        ///< [n_body]
    int* place;        ///< [n_v] place of each velocity in its block
    int* owner;        ///< [n_v] block of each velocity
    bool* held;        ///< [n_v] prescribed
    int* row;          ///< [n_v] mechanism rows of the constraints
    int* source;       ///< [n_v] their place in the list they came from
    int* first;        ///< [n_v] skyline of S
    int* dense;        ///< [n_v] zeros: the skyline of full blocks
    double* stiffness; ///< [n_mode x n_mode] of the largest body that bends
    double* S;         ///< [n_row x n_row] rows; lower part, then its factor
    double* y;         ///< [n_v]
    pkm_twist* twist;  ///< [n_v] work: columns of a path
    pkm_wrench* push;  ///< [n_v] work: their momenta
};

void pkm_blocks_free(pkm_blocks* b)
{
    if (!b) return;
    for (int i = 0; b->block && i < b->n_block; ++i) {
        void* const parts[] = {b->block[i].v, b->block[i].first, b->block[i].M,
                               b->block[i].L, b->block[i].row,   b->block[i].Z};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
            pkm_free(parts[k]);
    }
    if (b->path) pkm_free(b->path[0].place);
    void* const parts[] = {b->block, b->path,   b->place, b->owner,     b->held,
                           b->row,   b->source, b->dense, b->stiffness, b->first,
                           b->S,     b->y,      b->twist, b->push,      b};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
}

// ---- creation ---------------------------------------------------------------------------------

/// The child of the ground from which body i hangs.
static int root_of(const pkm_mechanism* mech, int i)
{
    while (mech->body[i].parent != 0)
        i = mech->body[i].parent;
    return i;
}

static int modes_of(const pkm_body* body)
{
    return body->modal ? body->modal->n_mode : 0;
}

static void mark_held(pkm_blocks* b, const pkm_mechanism* mech, const bool* prescribed)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            b->held[mech->drive[d].v_index] = true;
}

/// Append the velocities of the tree under `root`: modes, free ones, held ones in three rounds.
static void list_velocities(pkm_blocks* b, const pkm_mechanism* mech, int root, int index)
{
    block* out = &b->block[index];
    int n = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = root; i < mech->n_body; ++i) {
            const pkm_body* body = &mech->body[i];
            if (body->frame != PKM_NONE || root_of(mech, i) != root) continue;
            const int at = round == 0 ? body->e_at : body->v_at;
            const int count = round == 0 ? modes_of(body) : body->n_v;
            for (int v = at; v < at + count; ++v) {
                if (round > 0 && b->held[v] != (round == 2)) continue;
                b->owner[v] = index;
                b->place[v] = n;
                out->v[n++] = v;
            }
        }
        if (round == 1) out->n = n;
    }
    out->n_held = n - out->n;
}

static pkm_status make_block(pkm_blocks* b, const pkm_mechanism* mech, int root)
{
    block* out = &b->block[b->n_block];
    out->v = pkm_alloc((size_t)mech->n_v, sizeof(int));
    if (!out->v) return PKM_ERR_MEMORY;
    list_velocities(b, mech, root, b->n_block++);
    const size_t n = (size_t)out->n, all = n + (size_t)out->n_held;
    out->first = pkm_alloc(n, sizeof(int));
    out->M = pkm_alloc(all * all, sizeof(double));
    out->L = pkm_alloc(n * n, sizeof(double));
    return out->first && out->M && out->L ? PKM_OK : PKM_ERR_MEMORY;
}

static pkm_status make_paths(pkm_blocks* b, const pkm_mechanism* mech)
{
    size_t total = 1;
    for (int i = 1; i < mech->n_body; ++i)
        for (int k = i; k > 0; k = mech->body[k].parent)
            total +=
                (size_t)(mech->body[k].n_v + (mech->body[k].frame == PKM_NONE
                                                  ? 0
                                                  : modes_of(&mech->body[mech->body[k].parent])));
    int* at = pkm_alloc(2 * total, sizeof(int));
    if (!at) return PKM_ERR_MEMORY;
    b->path[0].place = at++;
    for (int i = 1; i < mech->n_body; ++i) {
        path* p = &b->path[i];
        p->place = at;
        for (int k = i; k > 0; k = mech->body[k].parent) {
            const pkm_body* body = &mech->body[k];
            const bool frame = body->frame != PKM_NONE;
            const int n = frame ? modes_of(&mech->body[body->parent]) : body->n_v;
            for (int j = 0; j < n; ++j, ++p->n)
                *at++ = b->place[(frame ? body->e_at : body->v_at) + j];
        }
        p->motion = at;
        for (int k = i; k > 0; k = mech->body[k].parent) {
            const pkm_body* body = &mech->body[k];
            const bool frame = body->frame != PKM_NONE;
            const int n = frame ? modes_of(&mech->body[body->parent]) : body->n_v;
            for (int j = 0; j < n; ++j)
                *at++ = (frame ? body->s_at : body->v_at) + j;
        }
    }
    return PKM_OK;
}

/// Rows of modes start at the diagonal where the modes are orthonormal and carry no further bodies.
static void find_skyline(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (!body->modal || body->modal->mass) continue;
        bool carries = false;
        for (int k = i + 1 + body->modal->n_frame; k < mech->n_body; ++k) {
            const int parent = mech->body[k].parent;
            carries = carries || (parent > i && parent <= i + body->modal->n_frame);
        }
        if (carries) continue;
        for (int j = 0; j < body->modal->n_mode; ++j)
            b->block[b->owner[body->e_at]].first[b->place[body->e_at + j]] =
                b->place[body->e_at + j];
    }
}

static pkm_status build(pkm_blocks* b, const pkm_mechanism* mech, const bool* prescribed)
{
    const size_t nv = (size_t)mech->n_v;
    int n_root = 0;
    for (int i = 1; i < mech->n_body; ++i)
        n_root += mech->body[i].parent == 0;
    b->block = pkm_alloc((size_t)n_root, sizeof(block));
    b->path = pkm_alloc((size_t)mech->n_body, sizeof(path));
    b->place = pkm_alloc(nv, sizeof(int));
    b->owner = pkm_alloc(nv, sizeof(int));
    b->held = pkm_alloc(nv, sizeof(bool));
    b->row = pkm_alloc(nv, sizeof(int));
    b->source = pkm_alloc(nv, sizeof(int));
    b->first = pkm_alloc(nv, sizeof(int));
    b->S = pkm_alloc(nv * nv, sizeof(double));
    b->y = pkm_alloc(nv, sizeof(double));
    b->dense = pkm_alloc(nv, sizeof(int));
    size_t most = 0;
    for (int i = 1; i < mech->n_body; ++i)
        if ((size_t)modes_of(&mech->body[i]) > most) most = (size_t)modes_of(&mech->body[i]);
    b->stiffness = pkm_alloc(most * most, sizeof(double));
    b->twist = pkm_alloc(nv, sizeof(pkm_twist));
    b->push = pkm_alloc(nv, sizeof(pkm_wrench));
    if (!b->block || !b->path || !b->place || !b->owner || !b->held || !b->row || !b->source ||
        !b->first || !b->S || !b->y || !b->dense || !b->stiffness || !b->twist || !b->push)
        return PKM_ERR_MEMORY;
    mark_held(b, mech, prescribed);
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].parent == 0) PKM_TRY(make_block(b, mech, i));
    PKM_TRY(make_paths(b, mech));
    for (int i = 1; i < mech->n_body; ++i)
        if (b->path[i].n > 0) b->path[i].block = b->owner[mech->body[root_of(mech, i)].v_at];
    find_skyline(b, mech);
    return PKM_OK;
}

pkm_status pkm_blocks_create(const pkm_state* state, const bool* prescribed, pkm_blocks** out)
{
    *out = NULL;
    pkm_blocks* b = pkm_alloc(1, sizeof *b);
    if (!b) return PKM_ERR_MEMORY;
    const pkm_status status = build(b, state->mech, prescribed);
    if (status != PKM_OK) {
        pkm_blocks_free(b);
        return status;
    }
    *out = b;
    return PKM_OK;
}

// ---- constraints ------------------------------------------------------------------------------

int pkm_blocks_n_row(const pkm_blocks* b)
{
    return b->n_row;
}

int pkm_blocks_row(const pkm_blocks* b, int k)
{
    return b->source[k];
}

/// How many blocks with unknown velocities a row touches; with one, it couples to few others.
static int count_touched(const pkm_blocks* b, const pkm_mechanism* mech, int r, int* which)
{
    const pkm_row* row = &mech->row[r];
    int n = 0;
    for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e) {
        const int v = mech->column[e], owner = b->owner[v];
        if (b->held[v]) continue;
        if (n > 0 && (which[0] == owner || (n > 1 && which[1] == owner))) continue;
        if (n < 2) which[n++] = owner;
    }
    return n;
}

static bool make_room(block* to, int n)
{
    if (n <= to->row_room) return true;
    pkm_free(to->row);
    pkm_free(to->Z);
    to->row = pkm_alloc((size_t)n, sizeof(int));
    to->Z = pkm_alloc((size_t)n * (size_t)to->n, sizeof(double));
    to->row_room = to->row && to->Z ? n : 0;
    return to->row_room == n;
}

/// First column of each row of S that is not zero: the smallest row with a common block.
static void find_row_skyline(pkm_blocks* b)
{
    for (int k = 0; k < b->n_row; ++k)
        b->first[k] = k;
    for (int i = 0; i < b->n_block; ++i)
        for (int k = 0; k < b->block[i].n_row; ++k) {
            int* first = &b->first[b->block[i].row[k]];
            if (b->block[i].row[0] < *first) *first = b->block[i].row[0];
        }
}

int pkm_blocks_set_rows(pkm_blocks* b, const pkm_state* state, const int* row, int n)
{
    const pkm_mechanism* mech = state->mech;
    int which[2];
    b->n_row = 0;
    for (int round = 1; round <= 2; ++round) { // rows of one block first: less fill
        for (int k = 0; k < n; ++k) {
            const int touched = count_touched(b, mech, row[k], which);
            if ((touched < 2 ? 1 : 2) != round || touched == 0) continue;
            b->row[b->n_row] = row[k];
            b->source[b->n_row++] = k;
        }
    }
    for (int i = 0; i < b->n_block; ++i) {
        int count = 0;
        for (int k = 0; k < b->n_row; ++k) {
            const int touched = count_touched(b, mech, b->row[k], which);
            count += which[0] == i || (touched == 2 && which[1] == i);
        }
        block* to = &b->block[i];
        to->n_row = 0;
        if (!make_room(to, count)) return PKM_NONE;
        for (int k = 0; k < b->n_row; ++k) {
            const int touched = count_touched(b, mech, b->row[k], which);
            if (which[0] == i || (touched == 2 && which[1] == i)) to->row[to->n_row++] = k;
        }
    }
    find_row_skyline(b);
    return b->n_row;
}

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

static pkm_vec3 inertia_times(const double* I, pkm_vec3 w)
{
    return (pkm_vec3){I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
                      I[4] * w.x + I[5] * w.y + I[2] * w.z};
}

/// Momentum about the world origin that body i has for the twist T.
static pkm_wrench momentum(const pkm_state* state, int i, pkm_vec3 com, pkm_twist T)
{
    const pkm_body* body = &state->mech->body[i];
    if (body->modal) return pkm_modal_rigid_inertia(state, i, T);
    const pkm_mat3 R = state->body[i].R;
    const pkm_vec3 moment = pkm_mat3_mul(R, inertia_times(body->inertia, pkm_mat3_tmul(R, T.ang)));
    return pkm_wrench_at(com, pkm_vec3_scale(body->mass, pkm_twist_at(T, com)), moment);
}

static void add_mass(block* to, int i, int j, double value)
{
    const size_t n = (size_t)(to->n + to->n_held);
    to->M[i >= j ? (size_t)i * n + (size_t)j : (size_t)j * n + (size_t)i] += value;
}

/// M += J' I J of body i, with the columns of its path; and what couples its modes.
static void add_body(pkm_blocks* b, const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const path* p = &b->path[i];
    block* to = &b->block[p->block];
    if (body->frame != PKM_NONE || p->n == 0) return;
    const pkm_body_state* s = &state->body[i];
    const pkm_vec3 com = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, body->com));
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

/// M shift + K
static void turn_to_stiffness(pkm_blocks* b, const pkm_state* state, double shift)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; i < b->n_block; ++i) {
        const int n = b->block[i].n + b->block[i].n_held;
        for (int k = 0; k < n * n; ++k)
            b->block[i].M[k] *= shift;
    }
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int n = modes_of(body);
        if (n == 0) continue;
        pkm_modal_stiffness(state, i, b->stiffness);
        for (int k = 0; k < n; ++k)
            for (int l = 0; l <= k; ++l)
                add_mass(&b->block[b->owner[body->e_at]], b->place[body->e_at + k],
                         b->place[body->e_at + l], b->stiffness[k * n + l]);
    }
}

static pkm_status factor_masses(pkm_blocks* b, bool full)
{
    for (int i = 0; i < b->n_block; ++i) {
        block* to = &b->block[i];
        to->now = full ? b->dense : to->first;
        if (!factor(to->M, to->n + to->n_held, to->now, to->n, to->L)) return PKM_ERR_SINGULAR;
    }
    return PKM_OK;
}

/// Z of one block: its part of the rows' entries, solved.
static void find_rows(const pkm_blocks* b, const pkm_state* state, int index)
{
    const pkm_mechanism* mech = state->mech;
    block* to = &b->block[index];
    memset(to->Z, 0, (size_t)to->n_row * (size_t)to->n * sizeof(double));
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

static double dot(const double* x, const double* y, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static pkm_status factor_rows(pkm_blocks* b, const pkm_state* state)
{
    const size_t n = (size_t)b->n_row;
    memset(b->S, 0, n * n * sizeof(double));
    for (int i = 0; i < b->n_block; ++i) {
        const block* to = &b->block[i];
        find_rows(b, state, i);
        for (int k = 0; k < to->n_row; ++k)
            for (int l = 0; l <= k; ++l)
                b->S[(size_t)to->row[k] * n + (size_t)to->row[l]] += dot(
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

pkm_status pkm_blocks_factor_rest(pkm_blocks* b, const pkm_state* state, double shift)
{
    sum_masses(b, state);
    turn_to_stiffness(b, state, shift);
    PKM_TRY(factor_masses(b, true));
    return factor_rows(b, state);
}

// ---- solution ---------------------------------------------------------------------------------

void pkm_blocks_solve(pkm_blocks* b, const pkm_state* state, const double* needed,
                      const double* a_given, const double* row_left, double* a, double* lambda)
{
    memcpy(a, a_given, (size_t)state->mech->n_v * sizeof(double));
    memcpy(lambda, row_left, (size_t)b->n_row * sizeof(double));
    double* y = b->y;
    for (int i = 0; i < b->n_block; ++i) {
        const block* to = &b->block[i];
        for (int k = 0; k < to->n; ++k)
            y[k] = -needed[to->v[k]];
        solve_lower(to->L, to->now, to->n, y);
        for (int k = 0; k < to->n_row; ++k)
            lambda[to->row[k]] -= dot(to->Z + (size_t)k * (size_t)to->n, y, to->n);
        y += to->n;
    }
    solve_lower(b->S, b->first, b->n_row, lambda);
    solve_upper(b->S, b->first, b->n_row, lambda);
    y = b->y;
    for (int i = 0; i < b->n_block; ++i) {
        const block* to = &b->block[i];
        for (int k = 0; k < to->n_row; ++k) {
            const double* Z = to->Z + (size_t)k * (size_t)to->n;
            for (int j = 0; j < to->n; ++j)
                y[j] += lambda[to->row[k]] * Z[j];
        }
        solve_upper(to->L, to->now, to->n, y);
        for (int k = 0; k < to->n; ++k)
            a[to->v[k]] = y[k];
        y += to->n;
    }
}

double pkm_blocks_held_force(const pkm_blocks* b, const pkm_state* state, int v,
                             const double* needed, const double* a, const double* lambda)
{
    const pkm_mechanism* mech = state->mech;
    const block* to = &b->block[b->owner[v]];
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
