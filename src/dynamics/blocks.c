// M a - A' lambda = Q, A a = c by blocks: Z = U'^-1 A', S = Z'Z, then multipliers, then
// accelerations (docs/theory/flexible.md, section 4). What the factors need is laid out in
// blocks_create.c.
#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"
#include "math/tensor.h"

#include <string.h>

static const double NO_INERTIA = 1e-13; // of a pivot against its diagonal
static const double NO_HOLD = 1e-9;     // the same for rows of a limb alone: else all together

// ---- factors ----------------------------------------------------------------------------------

/// Momentum about the world origin that body i has for the twist T.
static pkm_wrench momentum(const pkm_state* state, int i, pkm_vec3 com, pkm_twist T)
{
    const pkm_body* body = &state->mech->body[i];
    if (body->modal) return pkm_modal_rigid_inertia(state, i, T);
    const pkm_mat3 R = state->body[i].R;
    const pkm_mass* mass = &state->mass[i];
    // angular momentum about the centre, R I R' w; about the origin it is added by the wrench
    const pkm_vec3 moment =
        pkm_mat3_mul(R, pkm_inertia_times(mass->inertia, pkm_mat3_tmul(R, T.ang)));
    return pkm_wrench_at(com, pkm_vec3_scale(mass->mass, pkm_twist_at(T, com)), moment);
}

static void add_mass(pkm_block* to, int i, int j, double value)
{
    const size_t n = (size_t)(to->n + to->n_held);
    // M is symmetric: the upper triangle is kept, which is what the factor reads
    to->M[i <= j ? (size_t)i * n + (size_t)j : (size_t)j * n + (size_t)i] += value;
}

double pkm_block_inertia(const pkm_state* state, int i, pkm_vec3* first, pkm_mat3* J)
{
    const pkm_body* body = &state->mech->body[i];
    if (body->modal) {
        *first = state->modal[i].first;
        *J = state->modal[i].J;
        return body->modal->integral->mass;
    }
    const double* const own = state->mass[i].inertia;
    const pkm_vec3 c = state->mass[i].com;
    const double mass = state->mass[i].mass, cc = pkm_vec3_dot(c, c);
    *first = pkm_vec3_scale(mass, c);
    // Steiner: about the origin of the body
    J->x = (pkm_vec3){own[0] + mass * (cc - c.x * c.x), own[3] - mass * c.x * c.y,
                      own[4] - mass * c.x * c.z};
    J->y = (pkm_vec3){J->x.y, own[1] + mass * (cc - c.y * c.y), own[5] - mass * c.y * c.z};
    J->z = (pkm_vec3){J->x.z, J->y.z, own[2] + mass * (cc - c.z * c.z)};
    return mass;
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
    pkm_vec3 first;
    pkm_mat3 J;
    const double mass = pkm_block_inertia(state, i, &first, &J);
    const pkm_vec3 turn[3] = {
        {0.0, -first.z, first.y}, {first.z, 0.0, -first.x}, {-first.y, first.x, 0.0}}; // e_k x s
    const pkm_vec3 column[3] = {J.x, J.y, J.z};
    for (int k = 0; k < 3; ++k) {
        // rows of the shifts, columns of the turns; then the upper triangle of J
        double* const at_shift = to->M + (size_t)at * n + (size_t)(at + 3 + k);
        double* const at_turn = to->M + (size_t)(at + 3) * n + (size_t)(at + 3 + k);
        const pkm_vec3 push = pkm_mat3_mul(R, turn[k]);
        to->M[(size_t)(at + k) * (n + 1)] = mass;
        at_shift[0] = push.x;
        at_shift[n] = push.y;
        at_shift[2 * n] = push.z;
        at_turn[0] = column[k].x;
        if (k > 0) at_turn[n] = column[k].y;
        if (k > 1) at_turn[2 * n] = column[k].z;
    }
    // modes are orthonormal here: 1 among themselves, R p_j with shifts, c_j with turns
    for (int j = 0; body->modal && j < body->modal->n_mode; ++j) {
        const int n_mode = body->modal->n_mode;
        const pkm_vec3 push = pkm_mat3_mul(R, pkm_modal_column(body->modal->momentum, n_mode, j));
        const pkm_vec3 c = pkm_modal_column(state->modal[i].c, n_mode, j);
        const double value[6] = {push.x, push.y, push.z, c.x, c.y, c.z};
        const size_t mode = (size_t)b->place[body->e_at + j];
        to->M[mode * (n + 1)] = 1.0;
        memcpy(to->M + mode * n + at, value, sizeof value); // modes stand before the rest
    }
}

/// M += J' I J of body i, with the columns of its path; and what couples its modes.
static void add_body(pkm_blocks* b, const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_block_path* p = &b->path[i];
    pkm_block* to = &b->block[p->block];
    if (body->frame != PKM_NONE || p->n == 0) return;
    if (pkm_block_floats(b, state->mech, i)) {
        add_floating(b, state, i);
        return;
    }
    const pkm_body_state* s = &state->body[i];
    // centre of mass in the world; a modal body has its own inside momentum()
    const pkm_vec3 com = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, state->mass[i].com));
    for (int k = 0; k < p->n; ++k) {
        // column k of J'I J: the momentum of a unit rate, seen along the rates of the path
        const pkm_wrench h = momentum(state, i, com, state->S[p->motion[k]]);
        for (int l = 0; l <= k; ++l)
            add_mass(to, p->place[k], p->place[l], pkm_twist_dot(state->S[p->motion[l]], h));
    }
    if (!body->modal) return;
    const int n = body->modal->n_mode;
    // momenta of unit rates of the modes; among themselves they have M_ij of (1.8), or 1
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

/// Sums of all blocks but of rods that have factors of their own.
static void sum_masses(pkm_blocks* b, const pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = 0; i < b->n_block; ++i) {
        const size_t n = (size_t)(b->block[i].n + b->block[i].n_held);
        if (!b->block[i].rod.is_now) memset(b->block[i].M, 0, n * n * sizeof(double));
    }
    for (int i = 1; i < mech->n_body; ++i)
        if (!b->block[b->path[i].block].rod.is_now) add_body(b, state, i);
}

static void add_rotors(pkm_blocks* b, const pkm_mechanism* mech, const double* rotor)
{
    // a rotor turns as N^2 J at its drive, which is a velocity of the tree
    for (int d = 0; d < mech->n_drive; ++d) {
        const int v = mech->drive[d].v_index;
        // rotors of held drives do not move by themselves
        if (v == PKM_NONE || rotor[d] == 0.0 || b->held[v]) continue;
        add_mass(&b->block[b->owner[v]], b->place[v], b->place[v], rotor[d]);
    }
}

/// M + c C + c^2 K, but for rods with factors of their own. Returns whether modes of a body are
/// coupled, so that skylines do not hold.
static bool add_step(pkm_blocks* b, const pkm_state* state, double c)
{
    const pkm_mechanism* mech = state->mech;
    bool is_full = false;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int n = pkm_block_modes(body);
        if (n == 0 || b->block[b->owner[body->e_at]].rod.is_now) continue;
        const bool couples = pkm_modal_step_couples(state, i);
        pkm_modal_step_matrix(state, i, c, b->stiffness);
        is_full = is_full || couples;
        for (int k = 0; k < n; ++k)
            // couples: the lower half of a body's block too; else the diagonal alone
            for (int l = couples ? 0 : k; l <= k; ++l)
                add_mass(&b->block[b->owner[body->e_at]], b->place[body->e_at + k],
                         b->place[body->e_at + l], b->stiffness[k * n + l]);
    }
    return is_full;
}

/// Put M of a block where its factor goes.
static void copy_mass(pkm_block* to)
{
    const size_t n = (size_t)to->n, all = n + (size_t)to->n_held;
    // velocities that are held stand behind the free ones and have no place in the factor
    const size_t stride = (size_t)pkm_chol_stride(to->n);
    for (size_t k = 0; k < n; ++k)
        memcpy(to->U + k * (stride + 1), to->M + k * (all + 1), (n - k) * sizeof(double));
}

static bool factor_mass(pkm_blocks* b, pkm_block* to)
{
    copy_mass(to);
    return pkm_chol_factor(to->now, to->n, NO_INERTIA, to->U, b->work);
}

/// c: of an implicit step; 0: masses alone.
static bool factor_rod(pkm_blocks* b, const pkm_state* state, double c, pkm_block* to)
{
    // masses alone: the modes' own block is the unit matrix
    if (c == 0.0 || to->rod.n_mode == 0) return pkm_rod_factor(to, state, NULL, NO_INERTIA);
    pkm_modal_step_matrix(state, to->rod.body, c, b->stiffness);
    return pkm_rod_factor(to, state, b->stiffness, NO_INERTIA);
}

static pkm_status factor_masses(pkm_blocks* b, const pkm_state* state, double c, bool full)
{
    for (int i = 0; i < b->n_block; ++i) {
        pkm_block* to = &b->block[i];
        // coupled modes fill the columns that begin at their diagonal
        to->now = full ? b->full : to->shape;
        if (i == b->hub) continue;
        if (to->rod.is_now ? factor_rod(b, state, c, to) : factor_mass(b, to)) continue;
        // told apart from dependent rows, so that this tree can be solved last
        b->lacks = i;
        return PKM_ERR_SINGULAR;
    }
    return PKM_OK;
}

/// Z and Z' Z of one block: its part of the rows' entries, solved.
static void find_rows(const pkm_state* state, pkm_block* to)
{
    const size_t wide = (size_t)pkm_chol_stride(to->n_row);
    memset(to->Z, 0, (size_t)to->n * wide * sizeof(double));
    for (int e = 0; e < to->n_entry; ++e)
        // entries add: both sides of a row may hang on modes of the same link
        to->Z[to->entry[e].to] += state->jacobian[to->entry[e].from];
    // Z = U'^-1 A' (flexible.md, 4.1), so that the rows' inertia is Z'Z = A M^-1 A'
    if (to->rod.is_now)
        pkm_rod_solve_many(&to->rod, to->n_row, to->Z);
    else
        pkm_chol_solve_lower_many(to->now, to->n, to->U, to->n_row, to->Z);
    memset(to->S, 0, wide * wide * sizeof(double));
    pkm_chol_add_square(to->Z, to->n, to->n_row, to->S);
}

/// All rows together: S is the sum of the blocks' parts, but for a hub that is solved last.
static pkm_status factor_rows(pkm_blocks* b, const pkm_state* state, double least)
{
    pkm_block_rows_clear(b);
    for (int i = 0; i < b->n_block; ++i) {
        if (b->block[i].n_row == 0 || i == b->hub) continue;
        find_rows(state, &b->block[i]);
        pkm_block_rows_add(b, i);
    }
    return pkm_block_rows_factor(b, least) ? PKM_OK : PKM_ERR_SINGULAR;
}

/// G <- the hub's entries of the rows; its U <- M.
static void begin_hub(pkm_blocks* b, const pkm_state* state)
{
    const size_t wide = (size_t)pkm_chol_stride(b->block[b->hub].n);
    memset(b->G, 0, (size_t)b->n_row * wide * sizeof(double));
    for (int e = 0; e < b->n_in_G; ++e)
        b->G[b->in_G[e].to] += state->jacobian[b->in_G[e].from];
    copy_mass(&b->block[b->hub]);
}

/// The factor of K = M + sum Y' Y.
static bool end_hub(pkm_blocks* b)
{
    pkm_block* hub = &b->block[b->hub];
    hub->now = b->full;
    return pkm_chol_factor(b->full, hub->n, NO_INERTIA, hub->U, b->work);
}

/// All rows without the hub, the hub last: (4.3) with one limb, Y in the place of G.
static pkm_status factor_last(pkm_blocks* b, const pkm_state* state)
{
    pkm_block* hub = &b->block[b->hub];
    PKM_TRY(factor_rows(b, state, NO_HOLD));
    begin_hub(b, state);
    // (4.3): Y = U_S'^-1 G, K = M + Y'Y
    pkm_block_rows_lower_many(b, hub->n, b->G);
    pkm_chol_add_square(b->G, b->n_row, hub->n, hub->U);
    return end_hub(b) ? PKM_OK : PKM_ERR_SINGULAR;
}

/// U_S and Y of one limb, and what its rows add to the hub: K += Y' Y.
/// Returns false where the limb's rows do not hold without the hub.
static bool factor_limb(pkm_blocks* b, const pkm_state* state, pkm_block* to)
{
    pkm_block* hub = &b->block[b->hub];
    const size_t wide = (size_t)pkm_chol_stride(hub->n);
    find_rows(state, to);
    if (!pkm_chol_factor(b->full, to->n_row, NO_HOLD, to->S, b->work)) return false;
    for (int k = 0; k < to->n_row; ++k)
        memcpy(to->Y + (size_t)k * wide, b->G + (size_t)to->row[k] * wide, wide * sizeof(double));
    pkm_chol_solve_lower_many(b->full, to->n_row, to->S, hub->n, to->Y);
    pkm_chol_add_square(to->Y, to->n_row, hub->n, hub->U);
    return true;
}

/// Limb by limb, the hub last (4.3): its U is that of K = M + sum Y' Y.
static bool factor_limbs(pkm_blocks* b, const pkm_state* state)
{
    begin_hub(b, state);
    for (int i = 0; i < b->n_block; ++i)
        if (i != b->hub && b->block[i].n_row > 0 && !factor_limb(b, state, &b->block[i]))
            return false;
    return end_hub(b);
}

/// Factors of masses and rows. Far trial states can have limbs whose rows do not hold alone.
static pkm_status factor_all(pkm_blocks* b, const pkm_state* state, double c, bool full)
{
    b->hub = b->chosen;
    b->lacks = PKM_NONE;
    PKM_TRY(factor_masses(b, state, c, full));
    if (b->hub == PKM_NONE) return factor_rows(b, state, NO_INERTIA);
    if (b->hub == b->last) return factor_last(b, state);
    if (factor_limbs(b, state)) return PKM_OK;
    // (4.1) without a hub: its block is factored as the others are, all rows together
    pkm_block* hub = &b->block[b->hub];
    b->hub = PKM_NONE;
    hub->now = b->full;
    return factor_mass(b, hub) ? factor_rows(b, state, NO_INERTIA) : PKM_ERR_SINGULAR;
}

/// Rods have factors of their own where nothing couples their modes; a hub is summed up.
static void choose_rods(pkm_blocks* b, const pkm_state* state, bool is_step)
{
    for (int i = 0; i < b->n_block; ++i) {
        pkm_rod* rod = &b->block[i].rod;
        // coupled modes make the block full, and the hub's block is changed by the limbs
        rod->is_now = rod->body != PKM_NONE && i != b->chosen &&
                      !(is_step && rod->n_mode > 0 && pkm_modal_step_couples(state, rod->body));
    }
}

pkm_status pkm_blocks_factor(pkm_blocks* b, const pkm_state* state, const double* rotor)
{
    choose_rods(b, state, false);
    sum_masses(b, state);
    add_rotors(b, state->mech, rotor);
    return factor_all(b, state, 0.0, false);
}

pkm_status pkm_blocks_factor_step(pkm_blocks* b, const pkm_state* state, const double* rotor,
                                  double c)
{
    choose_rods(b, state, true);
    sum_masses(b, state);
    add_rotors(b, state->mech, rotor);
    const bool is_full = add_step(b, state, c);
    return factor_all(b, state, c, is_full);
}

// ---- solution ---------------------------------------------------------------------------------

/// y <- U'^-1 y of one block, y <- U^-1 y.
static void solve_lower(const pkm_block* to, double* y)
{
    if (to->rod.is_now)
        pkm_rod_solve_lower(&to->rod, y);
    else
        pkm_chol_solve_lower(to->now, to->n, to->U, y);
}

static void solve_upper(const pkm_block* to, double* y)
{
    if (to->rod.is_now)
        pkm_rod_solve_upper(&to->rod, y);
    else
        pkm_chol_solve_upper(to->now, to->n, to->U, y);
}

/// lambda -= Z' y of one block.
static void take_rows(pkm_blocks* b, const pkm_block* to, const double* y, double* lambda)
{
    // y is U'^-1 of the forces already, so Z'y is what they do to the rows
    const int wide = pkm_chol_stride(to->n_row);
    double* sum = b->work;
    if (wide == 0) return;
    memset(sum, 0, (size_t)wide * sizeof(double));
    for (int i = 0; i < to->n; ++i)
        pkm_chol_add(sum, to->Z + (size_t)i * (size_t)wide, y[i], wide);
    for (int k = 0; k < to->n_row; ++k)
        lambda[to->row[k]] -= sum[k];
}

/// y <- U^-1 (y + Z lambda) of one block: its accelerations.
static void push_rows(pkm_blocks* b, const pkm_block* to, const double* lambda, double* y)
{
    const size_t wide = (size_t)pkm_chol_stride(to->n_row);
    double* own = b->work;
    for (int k = 0; k < to->n_row; ++k)
        // the forces of the multipliers, on what the factor has half way
        own[k] = lambda[to->row[k]];
    for (int i = 0; i < to->n && to->n_row > 0; ++i)
        y[i] += pkm_dot_long(to->Z + (size_t)i * wide, own, to->n_row);
    // a block without forces and multipliers stays zero
    if (!pkm_is_zero(y, to->n)) solve_upper(to, y);
}

/// w of all rows as one limb, and what it pushes a last tree with, as below.
static void push_last(const pkm_blocks* b, double* lambda, double* force)
{
    const int n = b->block[b->hub].n, wide = pkm_chol_stride(n);
    // w = T'^-1 (c - Z'y); the tree's right side of (4.3) gets Y'w, Y standing in G
    pkm_block_rows_lower(b, lambda);
    for (int k = 0; k < b->n_row; ++k)
        pkm_add_scaled(force, lambda[k], b->G + (size_t)k * (size_t)wide, n);
}

/// Multipliers of all rows behind a last tree.
static void follow_last(const pkm_blocks* b, const double* a, double* lambda)
{
    const int n = b->block[b->hub].n, wide = pkm_chol_stride(n);
    // T lambda = w - Y a (4.3), the way back through the factor of S
    for (int k = 0; k < b->n_row; ++k)
        lambda[k] -= pkm_dot(b->G + (size_t)k * (size_t)wide, a, n);
    pkm_block_rows_upper(b, lambda);
}

/// w of one limb in place of what its rows lack, and what it pushes the hub with: `force` += Y' w.
static void push_hub(const pkm_blocks* b, const pkm_block* to, double* lambda, double* force)
{
    const int n = b->block[b->hub].n, wide = pkm_chol_stride(n);
    for (int k = 0; k < to->n_row; ++k)
        to->w[k] = lambda[to->row[k]];
    if (pkm_is_zero(to->w, to->n_row)) return;
    pkm_chol_solve_lower(b->full, to->n_row, to->S, to->w);
    for (int k = 0; k < to->n_row; ++k) {
        lambda[to->row[k]] = to->w[k];
        pkm_add_scaled(force, to->w[k], to->Y + (size_t)k * (size_t)wide, n);
    }
}

/// Multipliers of one limb: U_S lambda = w - Y a of the hub.
static void follow_hub(const pkm_blocks* b, const pkm_block* to, const double* a, double* lambda)
{
    const int n = b->block[b->hub].n, wide = pkm_chol_stride(n);
    for (int k = 0; k < to->n_row; ++k)
        to->w[k] = lambda[to->row[k]] - pkm_dot(to->Y + (size_t)k * (size_t)wide, a, n);
    pkm_chol_solve_upper(b->full, to->n_row, to->S, to->w);
    for (int k = 0; k < to->n_row; ++k)
        lambda[to->row[k]] = to->w[k];
}

int pkm_blocks_half(const pkm_blocks* b)
{
    // velocities in front, rows behind: rows that are independent are no more than velocities
    return 2 * b->n_v;
}

void pkm_blocks_solve_lower(pkm_blocks* b, double sign, const double* force, const double* row_left,
                            double* half)
{
    double* lambda = half + b->n_v;
    memcpy(lambda, row_left, (size_t)b->n_row * sizeof(double)); // c of (4.1)
    // y = U'^-1 (Q - h) of each block, and what the rows lack behind it, c - Z'y (4.1)
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        double* y = half + to->at;
        for (int k = 0; k < to->n; ++k)
            y[k] = sign * force[to->v[k]];
        if (i == b->hub || pkm_is_zero(y, to->n)) continue; // forces at few places leave most alone
        solve_lower(to, y);
        take_rows(b, to, y, lambda);
    }
    // the first half of (Z'Z) lambda = c - Z'y
    if (b->hub == PKM_NONE) {
        pkm_block_rows_lower(b, lambda);
        return;
    }
    const pkm_block* hub = &b->block[b->hub];
    double* a = half + hub->at;
    // a: the right side of (4.3), Q_h - h_h + sum Y'w, then half of its solution
    if (b->hub == b->last) push_last(b, lambda, a);
    for (int i = 0; i < b->n_block && b->hub != b->last; ++i)
        if (i != b->hub) push_hub(b, &b->block[i], lambda, a);
    pkm_chol_solve_lower(hub->now, hub->n, hub->U, a);
}

void pkm_blocks_solve_upper(pkm_blocks* b, const pkm_state* state, const double* a_given,
                            double* half, double* a)
{
    double* lambda = half + b->n_v;
    memcpy(a, a_given, (size_t)state->mech->n_v * sizeof(double));
    if (b->hub == PKM_NONE) {
        pkm_block_rows_upper(b, lambda);
    } else {
        // the hub's accelerations first, the multipliers of the limbs follow from them
        const pkm_block* hub = &b->block[b->hub];
        pkm_chol_solve_upper(hub->now, hub->n, hub->U, half + hub->at);
        if (b->hub == b->last) follow_last(b, half + hub->at, lambda);
        for (int i = 0; i < b->n_block && b->hub != b->last; ++i)
            if (i != b->hub) follow_hub(b, &b->block[i], half + hub->at, lambda);
    }
    // a = U^-1 (y + Z lambda)
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        double* y = half + to->at;
        // what rows do to the hub is in its factor already
        if (i != b->hub) push_rows(b, to, lambda, y);
        for (int k = 0; k < to->n; ++k)
            a[to->v[k]] = y[k];
    }
}

void pkm_blocks_solve(pkm_blocks* b, const pkm_state* state, const double* needed,
                      const double* a_given, const double* row_left, double* a, double* lambda)
{
    pkm_blocks_solve_lower(b, -1.0, needed, row_left, b->half); // what is missing is not there
    pkm_blocks_solve_upper(b, state, a_given, b->half, a);
    memcpy(lambda, b->half + b->n_v, (size_t)b->n_row * sizeof(double));
}

// ---- many forces, half way --------------------------------------------------------------------

pkm_status pkm_blocks_halves_create(const pkm_blocks* b, int most, pkm_halves** out)
{
    *out = NULL;
    int* size = pkm_alloc((size_t)b->n_block + 1, sizeof(int));
    if (!size) return PKM_ERR_MEMORY;
    for (int i = 0; i < b->n_block; ++i)
        size[i] = b->block[i].n;
    size[b->n_block] = b->n_v; // the rows are behind the blocks
    const pkm_status status = pkm_halves_create(b->n_block + 1, size, most, out);
    pkm_free(size);
    return status;
}

/// Is anything of a force in a block?
static bool acts_on(const pkm_block* to, const double* force)
{
    for (int i = 0; i < to->n; ++i)
        if (force[to->v[i]] != 0.0) return true;
    return false;
}

/// The forces B [n_v x n] in a block, side by side; all of them, or those that act on it.
static void gather(const pkm_blocks* b, const pkm_block* to, const double* B, int n, bool all,
                   pkm_half_part* part)
{
    const size_t n_v = (size_t)b->n_v;
    part->at = to->at;
    part->n = to->n;
    part->m = 0;
    // a force between two floating bodies has something in two blocks; other columns are left out
    for (int k = 0; k < n; ++k)
        if (all || acts_on(to, B + (size_t)k * n_v)) part->column[part->m++] = k;
    const int wide = pkm_chol_stride(part->m);
    for (int i = 0; i < to->n; ++i) {
        double* X = part->X + i * wide;
        for (int k = 0; k < part->m; ++k)
            X[k] = B[(size_t)part->column[k] * n_v + (size_t)to->v[i]];
        // strides are whole fours: what is behind the last column must not add anything
        for (int k = part->m; k < wide; ++k)
            X[k] = 0.0;
    }
}

/// What the rows lack behind a block, W -= Z' X of the columns it has.
static void take_all_rows(const pkm_block* to, const pkm_half_part* part, int wide, double* W)
{
    const int of_part = pkm_chol_stride(part->m), of_Z = pkm_chol_stride(to->n_row);
    // Z has few entries that are not zero: a row touches one or two bodies of the block
    for (int i = 0; i < to->n; ++i)
        for (int k = 0; k < to->n_row; ++k) {
            const double z = to->Z[i * of_Z + k];
            double* w = W + to->row[k] * wide;
            for (int c = 0; c < part->m && z != 0.0; ++c)
                w[part->column[c]] -= z * part->X[i * of_part + c];
        }
}

/// The rows of one limb in W, and what they push the hub with: H += Y' W.
static void push_hub_all(const pkm_blocks* b, const pkm_block* to, int n, double* rows, double* W,
                         double* H)
{
    const int wide = pkm_chol_stride(n), n_hub = b->block[b->hub].n, of_Y = pkm_chol_stride(n_hub);
    const size_t size = (size_t)wide * sizeof(double);
    for (int k = 0; k < to->n_row; ++k)
        memcpy(rows + k * wide, W + to->row[k] * wide, size);
    pkm_chol_solve_lower_many(b->full, to->n_row, to->S, n, rows);
    for (int k = 0; k < to->n_row; ++k) {
        memcpy(W + to->row[k] * wide, rows + k * wide, size);
        for (int r = 0; r < n_hub; ++r)
            pkm_chol_add(H + r * wide, rows + k * wide, to->Y[k * of_Y + r], wide);
    }
}

/// The same of all rows as one limb.
static void push_last_all(const pkm_blocks* b, int n, double* W, double* H)
{
    const int wide = pkm_chol_stride(n), n_hub = b->block[b->hub].n, of_G = pkm_chol_stride(n_hub);
    pkm_block_rows_lower_many(b, n, W);
    for (int k = 0; k < b->n_row; ++k)
        for (int r = 0; r < n_hub; ++r)
            pkm_chol_add(H + r * wide, W + k * wide, b->G[k * of_G + r], wide);
}

/// The rows, and the hub behind them: as pkm_blocks_solve_lower.
static void lower_rows(const pkm_blocks* b, int n, pkm_halves* out)
{
    const int wide = pkm_chol_stride(n);
    pkm_half_part* rows = &out->part[b->n_block];
    // all columns: a force on any limb comes to the rows
    rows->m = b->n_row > 0 ? n : 0;
    for (int k = 0; k < rows->m; ++k)
        rows->column[k] = k;
    memset(rows->X, 0, (size_t)b->n_row * (size_t)wide * sizeof(double));
    for (int i = 0; i < b->n_block; ++i)
        if (i != b->hub) take_all_rows(&b->block[i], &out->part[i], wide, rows->X);
    if (b->hub == PKM_NONE) {
        pkm_block_rows_lower_many(b, rows->m, rows->X);
        return;
    }
    const pkm_block* hub = &b->block[b->hub];
    double* H = out->part[b->hub].X;
    if (b->hub == b->last) push_last_all(b, n, rows->X, H);
    for (int i = 0; i < b->n_block && b->hub != b->last; ++i)
        if (i != b->hub) push_hub_all(b, &b->block[i], n, out->rows, rows->X, H);
    pkm_chol_solve_lower_many(hub->now, hub->n, hub->U, n, H);
}

void pkm_blocks_lower_all(const pkm_blocks* b, const double* B, int n, pkm_halves* out)
{
    for (int i = 0; i < b->n_block; ++i) {
        const pkm_block* to = &b->block[i];
        pkm_half_part* part = &out->part[i];
        // the hub takes all columns, as limbs push it with theirs
        gather(b, to, B, n, i == b->hub, part);
        if (i == b->hub || part->m == 0) continue;
        if (to->rod.is_now)
            pkm_rod_solve_many(&to->rod, part->m, part->X);
        else
            pkm_chol_solve_lower_many(to->now, to->n, to->U, part->m, part->X);
    }
    // rows count negative: D of (5.7) in integrators.md is 1 for velocities and -1 for rows
    out->part[b->n_block].at = b->n_v;
    out->part[b->n_block].n = b->n_row;
    out->part[b->n_block].sign = -1.0;
    lower_rows(b, n, out);
}

double pkm_blocks_held_force(const pkm_blocks* b, const pkm_state* state, int v,
                             const double* needed, const double* a, const double* lambda)
{
    PKM_ASSERT(b->held[v]); // free velocities have no row of M behind the block
    const pkm_block* to = &b->block[b->owner[v]];
    const size_t all = (size_t)(to->n + to->n_held);
    const double* M = to->M + (size_t)b->place[v]; // its column
    double force = needed[v];
    // h + M a - A' lambda of the coordinate that is held: what holds it
    for (int k = 0; k < to->n; ++k)
        force += M[(size_t)k * all] * a[to->v[k]];
    for (int k = 0; k < b->n_held; ++k) {
        const pkm_block_entry* e = &b->held_entry[k];
        if (state->mech->column[e->from] == v) force -= lambda[e->to] * state->jacobian[e->from];
    }
    return force;
}
