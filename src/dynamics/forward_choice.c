// Which velocities u are independent: the drives that are not prescribed where these are just
// enough, modes of flexible links with what is free beside them, else those that the null space
// moves most. docs/theory/simulation.md, section 1.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/assembly.h"
#include "dynamics/forward_impl.h"
#include "dynamics/kinematics.h"
#include "dynamics/modal.h"
#include "dynamics/motion_solve.h"
#include "dynamics/rows_rank.h"
#include "math/dense.h"
#include "mechanism/joint.h"

#include <math.h>
#include <string.h>

static const double RANK_LIMIT = 1e-9; // of the largest singular value
static const double NOTHING = 1e-16;   // square of a velocity of a unit motion

int pkm_forward_n_free(const pkm_forward* forward)
{
    return forward->n_free;
}

double pkm_forward_cost(const pkm_forward* forward, const pkm_state* state)
{
    // multiplications of a factorisation: of the rows, and of masses by Cholesky (n^3/6)
    const double n = forward->n_free;
    return pkm_sparse_lu_cost(state->system[PKM_GIVEN_FORCES].lu) +
           (forward->blocks ? pkm_blocks_cost(forward->blocks) : n * n * n / 6.0);
}

void pkm_forward_set_rotor(pkm_forward* forward, int d, double inertia)
{
    forward->rotor[d] = inertia;
}

void pkm_forward_free(pkm_forward* forward)
{
    if (!forward) return;
    pkm_blocks_free(forward->blocks);
    pkm_blocks_free(forward->step_blocks);
    void* const blocks[] = {
        forward->stiffness,  forward->kept,      forward->lambda,    forward->left,
        forward->row,        forward->N,         forward->MN,        forward->units,
        forward->mass,       forward->rate,      forward->a0,        forward->missing,
        forward->f0,         forward->dense,     forward->null,      forward->used,
        forward->plain,      forward->step_zero, forward->step_base, forward->step_left,
        forward->step_delta, forward->step_work, forward->step_y,    forward->step_row,
        forward->step_N,     forward->step_mass, forward->null_work, forward};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
}

// ---- the choice of u --------------------------------------------------------------------------

/// The drives that are not prescribed, when they are just as many as the freedoms.
static bool choose_drives(pkm_forward* f, const pkm_state* state)
{
    int n = 0;
    for (int d = 0; d < state->mech->n_drive; ++d) {
        if (f->prescribed[d]) continue;
        // a drive whose velocity is not one of the tree, as the length of a rod, cannot be held
        if (state->mech->drive[d].v_index == PKM_NONE || n == f->n_free) return false;
        f->row[f->n_base + n++] = state->mech->hold_row_at + state->mech->drive[d].v_index;
    }
    return n == f->n_free;
}

static bool may_hold(const pkm_forward* f, int k)
{
    return !f->plain || f->plain[k];
}

/// Any velocities that sparse elimination leaves without a pivot.
static pkm_status choose_unused(pkm_forward* f, const pkm_state* state)
{
    int rank, n = 0;
    // as many velocities as there are freedoms get no pivot: all others follow from them
    PKM_TRY(pkm_rows_rank(state, f->row, f->n_base, pkm_rank_limit(state->mech, RANK_LIMIT), &rank,
                          NULL, f->used));
    if (state->mech->n_v - rank != f->n_free) return PKM_ERR_SINGULAR;
    for (int k = 0; k < state->mech->n_v; ++k) {
        if (f->used[k]) continue;
        if (!may_hold(f, k)) return PKM_ERR_SINGULAR;
        f->row[f->n_base + n++] = state->mech->hold_row_at + k;
    }
    return PKM_OK;
}

/// Any velocities: those that the null space moves most, one after the other (its rows by pivoted
/// Gram-Schmidt).
static pkm_status choose_any(pkm_forward* f, pkm_state* state)
{
    static const pkm_target anywhere;
    const int n = state->mech->n_v;
    int n_null;
    // residuals are not used: any target does
    pkm_rows_all(state, &anywhere);
    if (!f->dense) return choose_unused(f, state);
    pkm_rows_dense(state, f->row, f->n_base, f->dense);
    PKM_TRY(pkm_dense_null_space_with(f->dense, f->n_base, n,
                                      pkm_rank_limit(state->mech, RANK_LIMIT), f->null, &n_null,
                                      f->null_work));
    if (n_null != f->n_free) return PKM_ERR_SINGULAR;
    // null[j n + k] is entry k of motion j; velocities in their own units
    for (int z = 0; z < n_null; ++z) {
        int best = 0;
        double largest = -1.0;
        for (int k = 0; k < n; ++k) {
            double size = 0.0;
            if (!may_hold(f, k)) continue;
            // entries of the motions that are left, z and later ones
            for (int j = z; j < n_null; ++j)
                size += f->null[j * n + k] * f->null[j * n + k];
            if (size <= largest) continue;
            largest = size;
            best = k;
        }
        if (!(largest > NOTHING)) return PKM_ERR_SINGULAR; // what is left moves none of them
        f->row[f->n_base + z] = state->mech->hold_row_at + best;
        for (int j = z + 1; j < n_null; ++j) { // only the z-th motion keeps this velocity
            double *a = f->null + z * n, *b = f->null + j * n;
            const double r = hypot(a[best], b[best]), c = r > 0.0 ? a[best] / r : 1.0;
            const double s = r > 0.0 ? b[best] / r : 0.0;
            for (int k = 0; k < n; ++k) {
                const double ak = a[k], bk = b[k];
                a[k] = c * ak + s * bk;
                b[k] = c * bk - s * ak;
            }
        }
    }
    return PKM_OK;
}

/// The independent constraints of the system are those of the blocks.
static pkm_status set_block_rows(pkm_forward* f, const pkm_state* state)
{
    // kept: places in the system; for a moment rows of the mechanism, which blocks are told
    const int n = pkm_forward_constraints(f, state, f->kept);
    for (int i = 0; i < n; ++i)
        f->kept[i] = state->system[PKM_GIVEN_FORCES].row[f->kept[i]];
    const int n_kept = pkm_blocks_set_rows(f->blocks, state, f->kept, n);
    pkm_forward_constraints(f, state, f->kept);
    return n_kept == PKM_NONE ? PKM_ERR_MEMORY : PKM_OK;
}

static pkm_status use_choice(pkm_forward* f, pkm_state* state)
{
    static const pkm_target anywhere;
    // closures, prescribed drives and locks, then the rows that hold u: a square system but for
    // redundant closures
    PKM_TRY(pkm_state_set_system(state, PKM_GIVEN_FORCES, f->row, f->n_base + f->n_free));
    PKM_TRY(pkm_solve_prepare(state, PKM_GIVEN_FORCES, &anywhere));
    return f->blocks ? set_block_rows(f, state) : PKM_OK;
}

static bool choose_preferred(pkm_forward* f, const pkm_state* state)
{
    // the caller's choice serves as a whole or not at all
    if (f->n_preferred == 0 || f->n_preferred != f->n_free) return false;
    for (int k = 0; k < f->n_free; ++k)
        f->row[f->n_base + k] = state->mech->hold_row_at + f->preferred[k];
    return true;
}

bool pkm_forward_has_chain(const pkm_mechanism* mech)
{
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        if (joint->type == PKM_JOINT_FIXED && joint->n_row > 0 &&
            mech->body[joint->body_a].frame != PKM_NONE &&
            mech->body[joint->body_b].frame != PKM_NONE)
            return true;
    }
    return false;
}

/// Links in pieces: all modes, and what is free beside them. The rigid motions of pieces then
/// follow from welds and modes: were a stiff mode to follow from them, it would feel their last
/// digits. Where loops leave fewer freedoms than modes, those follow that feel it least: what the
/// last digits of a row do to the force of mode k is its stiffness over its entry in the row.
static pkm_status choose_modes(pkm_forward* f, pkm_state* state)
{
    static const pkm_target anywhere;
    const pkm_mechanism* mech = state->mech;
    int n = 0, rank;
    // work of the state that nobody uses meanwhile
    double* price = state->step;
    memset(price, 0, (size_t)mech->n_v * sizeof(double));
    for (int i = 1; i < mech->n_body; ++i)
        for (int k = 0; mech->body[i].modal && k < mech->body[i].modal->n_mode; ++k)
            price[mech->body[i].e_at + k] = mech->body[i].modal->stiffness[k];
    // pivots go to what has the price 0, positions, as long as there are any
    pkm_rows_all(state, &anywhere);
    PKM_TRY(pkm_rows_rank_by_price(state, f->row, f->n_base, pkm_rank_limit(mech, RANK_LIMIT),
                                   price, &rank, NULL, f->used));
    if (mech->n_v - rank != f->n_free) return PKM_ERR_SINGULAR;
    for (int k = 0; k < mech->n_v; ++k)
        if (!f->used[k]) f->row[f->n_base + n++] = mech->hold_row_at + k;
    return use_choice(f, state);
}

/// In order of preference: what the caller wants, free drives, modes of links in pieces, any. A
/// choice that is singular here gives way to the next.
pkm_status pkm_forward_choose(pkm_forward* f, pkm_state* state)
{
    if (choose_preferred(f, state) || choose_drives(f, state)) {
        const pkm_status status = use_choice(f, state);
        if (status != PKM_ERR_SINGULAR) return status;
    }
    pkm_kinematics_position(state);
    if (pkm_forward_has_chain(state->mech)) {
        const pkm_status status = choose_modes(f, state);
        // loops that lose rank here leave other freedoms than were counted
        if (status != PKM_ERR_SINGULAR) return status;
    }
    PKM_TRY(choose_any(f, state));
    return use_choice(f, state);
}

pkm_status pkm_forward_choose_any(pkm_forward* f, pkm_state* state)
{
    PKM_TRY(choose_any(f, state));
    return use_choice(f, state);
}

// ---- u as coordinates -------------------------------------------------------------------------

/// All velocities but the turns of quaternions are rates of coordinates.
static void list_plain(const pkm_mechanism* mech, bool* plain)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        // behind `ball`: angular velocities of the quaternion, which are rates of no coordinate
        for (int k = 0; k < body->n_v; ++k)
            plain[body->v_at + k] = ball == PKM_NONE || k < ball;
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k)
            plain[body->e_at + k] = true;
    }
}

pkm_status pkm_forward_choose_coordinates(pkm_forward* f, pkm_state* state)
{
    if (!f->plain) f->plain = pkm_alloc((size_t)state->mech->n_v, sizeof(bool));
    if (!f->plain) return PKM_ERR_MEMORY;
    list_plain(state->mech, f->plain);
    pkm_kinematics_position(state);
    const pkm_status status = choose_any(f, state);
    // what is left free only turns balls: the model is sound, these coordinates are not to be had
    if (status != PKM_OK) return status == PKM_ERR_SINGULAR ? PKM_ERR_UNDETERMINED : status;
    return use_choice(f, state);
}

void pkm_forward_get_held(const pkm_forward* f, const pkm_state* state, int* held)
{
    for (int k = 0; k < f->n_free; ++k)
        held[k] = f->row[f->n_base + k] - state->mech->hold_row_at;
}

pkm_status pkm_forward_hold(pkm_forward* f, pkm_state* state, const int* held)
{
    bool is_there = true;
    for (int k = 0; k < f->n_free; ++k) {
        // a choice that stands is kept, with its pivots
        is_there = is_there && f->row[f->n_base + k] == state->mech->hold_row_at + held[k];
        f->row[f->n_base + k] = state->mech->hold_row_at + held[k];
    }
    return is_there ? PKM_OK : use_choice(f, state);
}

/// The largest entry of N of (1.1), in units of the robot's size: how much the digits of u are
/// worth.
double pkm_forward_lever(const pkm_forward* f, pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    double most = 0.0;
    memset(system->rhs, 0, (size_t)system->n_row * sizeof(double));
    for (int k = 0; k < f->n_free; ++k) {
        const int held = f->row[f->n_base + k] - mech->hold_row_at;
        // one unit of this velocity, a radian or a robot size a second
        system->rhs[f->n_base + k] = mech->v_unit[held];
        pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
        system->rhs[f->n_base + k] = 0.0;
        for (int i = 0; i < mech->n_v; ++i)
            most = fmax(most, fabs(state->step[i]) / mech->v_unit[i]);
    }
    return most;
}

// ---- creation ---------------------------------------------------------------------------------

static void list_base_rows(pkm_forward* f, const pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    // closures, prescribed drives, locks: where the held velocities begin does not depend on u
    for (int i = 0; i < mech->n_closure; ++i)
        f->row[f->n_base++] = i;
    for (int d = 0; d < mech->n_drive; ++d)
        if (f->prescribed[d]) f->row[f->n_base++] = mech->drive_row_at + d;
    for (int i = 0; i < f->structure->n_held; ++i)
        f->row[f->n_base++] = f->structure->lock[i];
}

static pkm_status count_freedoms(pkm_forward* f, pkm_state* state)
{
    static const pkm_target anywhere;
    const int n = state->mech->n_v;
    pkm_kinematics_position(state);
    pkm_rows_all(state, &anywhere);
    // nothing prescribed and no loop: all velocities are free
    if (f->n_base == 0) {
        f->n_free = n;
        return PKM_OK;
    }
    // beyond some hundred velocities by elimination, as everywhere for large mechanisms
    if (!f->dense) {
        int rank;
        PKM_TRY(pkm_rows_rank(state, f->row, f->n_base, pkm_rank_limit(state->mech, RANK_LIMIT),
                              &rank, NULL, NULL));
        f->n_free = n - rank;
        return PKM_OK;
    }
    pkm_rows_dense(state, f->row, f->n_base, f->dense);
    return pkm_dense_null_space_with(f->dense, f->n_base, n,
                                     pkm_rank_limit(state->mech, RANK_LIMIT), f->null, &f->n_free,
                                     f->null_work);
}

static pkm_status allocate_rows(pkm_forward* f, const pkm_mechanism* mech)
{
    // there are no more locks than velocities, nor held ones
    const size_t n = (size_t)mech->n_v;
    f->row = pkm_alloc((size_t)mech->n_closure + (size_t)mech->n_drive + 2 * n, sizeof(int));
    return f->row ? PKM_OK : PKM_ERR_MEMORY;
}

static pkm_status allocate_choice(pkm_forward* f, const pkm_mechanism* mech)
{
    const size_t n = (size_t)mech->n_v;
    f->used = pkm_alloc(n, sizeof(bool));
    if (!f->used) return PKM_ERR_MEMORY;
    if (mech->n_v > PKM_LARGE_MECHANISM) return PKM_OK;
    f->dense = pkm_alloc((size_t)f->n_base * n, sizeof(double));
    f->null = pkm_alloc(n * n, sizeof(double));
    f->null_work = pkm_alloc(pkm_dense_null_room(f->n_base, mech->n_v), sizeof(double));
    return f->dense && f->null && f->null_work ? PKM_OK : PKM_ERR_MEMORY;
}

static pkm_status allocate_work(pkm_forward* f, const pkm_mechanism* mech)
{
    // by blocks there are no columns N
    const size_t n = (size_t)mech->n_v, n_free = f->blocks ? 0 : (size_t)f->n_free;
    f->N = pkm_alloc(n * n_free, sizeof(double));
    f->MN = pkm_alloc(n * n_free, sizeof(double));
    f->units = pkm_alloc(PKM_SPARSE_MAX_UNIT * n, sizeof(double));
    f->mass = pkm_alloc(n_free * n_free, sizeof(double));
    f->rate = pkm_alloc(n_free, sizeof(double));
    f->a0 = pkm_alloc(n, sizeof(double));
    f->f0 = pkm_alloc(n, sizeof(double));
    f->missing = pkm_alloc(n, sizeof(double));
    size_t most = 0;
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].modal && (size_t)mech->body[i].modal->n_mode > most)
            most = (size_t)mech->body[i].modal->n_mode;
    f->stiffness = pkm_alloc(most * most, sizeof(double));
    if (!f->stiffness) return PKM_ERR_MEMORY;
    const bool ok = f->N && f->MN && f->units && f->mass && f->rate && f->a0 && f->f0 && f->missing;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

/// Flexible links and joints with clearance leave many freedoms, block by block.
static bool is_variant(const pkm_mechanism* mech)
{
    for (int j = 0; j < mech->n_joint; ++j)
        if (mech->joint[j].released) return true;
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].modal) return true;
    return false;
}

/// Blocks need inertia in every freedom of theirs. A tree that lacks some, for a body without mass
/// or a line that turns about itself, is solved last; where that does not do, as with two of them,
/// the freedoms u of the whole mechanism serve after all.
static pkm_status keep_blocks(pkm_forward* f, pkm_state* state)
{
    if (!f->blocks) return PKM_OK;
    pkm_kinematics_velocity(state);
    pkm_status status = pkm_blocks_factor(f->blocks, state, f->rotor);
    if (status == PKM_ERR_SINGULAR && pkm_blocks_lacks(f->blocks) != PKM_NONE) {
        pkm_blocks_put_last(f->blocks, pkm_blocks_lacks(f->blocks));
        PKM_TRY(set_block_rows(f, state));
        status = pkm_blocks_factor(f->blocks, state, f->rotor);
    }
    if (status != PKM_ERR_SINGULAR) return status;
    pkm_blocks_free(f->blocks);
    f->blocks = NULL;
    return PKM_OK;
}

/// A rigid robot with few freedoms left, and many more constraints: a pass over the mechanism for
/// each freedom costs less than the inertia of all rows (SIAX with clearance in one joint, four
/// freedoms and 17 rows: 65 thousand instructions an evaluation instead of 88; in two joints, eight
/// and 14, it is 89 instead of 76).
static bool has_few_freedoms(const pkm_forward* f, const pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].modal) return false;
    return f->n_free <= 6 && mech->n_v - f->n_free > 4 * f->n_free;
}

static pkm_status allocate_blocks(pkm_forward* f, const pkm_state* state)
{
    const size_t n = (size_t)state->mech->n_v;
    f->kept = pkm_alloc(n, sizeof(int));
    f->lambda = pkm_alloc(n, sizeof(double));
    f->left = pkm_alloc(n, sizeof(double));
    if (!f->kept || !f->lambda || !f->left) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_blocks_create(state, f->prescribed, &f->blocks));
    return pkm_blocks_reserve(f->blocks, state, f->row, f->n_base);
}

pkm_status pkm_forward_create(pkm_state* state, const pkm_structure* structure,
                              const bool* prescribed, const int* preferred, int n_preferred,
                              pkm_forward** out, pkm_error* err)
{
    *out = NULL;
    pkm_forward* f = pkm_alloc(1, sizeof *f);
    if (!f) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    f->structure = structure;
    for (int d = 0; d < state->mech->n_drive; ++d)
        f->prescribed[d] = prescribed[d];
    for (int k = 0; k < n_preferred && k < PKM_MAX_DRIVE; ++k)
        f->preferred[f->n_preferred++] = preferred[k];
    pkm_status status = allocate_rows(f, state->mech);
    if (status == PKM_OK) {
        list_base_rows(f, state);
        status = allocate_choice(f, state->mech);
    }
    if (status == PKM_OK) status = count_freedoms(f, state);
    if (status == PKM_OK && is_variant(state->mech) && !has_few_freedoms(f, state->mech))
        status = allocate_blocks(f, state);
    // the choice has to stand before the blocks are factored: they take its rows
    if (status == PKM_OK) status = pkm_forward_choose(f, state);
    if (status == PKM_OK) status = keep_blocks(f, state);
    if (status == PKM_OK) status = allocate_work(f, state->mech);
    if (status != PKM_OK) {
        pkm_forward_free(f);
        return pkm_fail(err, status, "forward dynamics: %s", pkm_status_text(status));
    }
    *out = f;
    return PKM_OK;
}
