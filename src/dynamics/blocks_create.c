// The layout of forward dynamics by blocks: which trees share no inertia, which rows couple them,
// in which order their factors are made. docs/theory/flexible.md, section 4.
#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void pkm_blocks_free(pkm_blocks* b)
{
    if (!b) return;
    for (int i = 0; b->block && i < b->n_block; ++i) {
        const pkm_block* it = &b->block[i];
        void* const parts[] = {it->v, it->first, it->M, it->U,     it->row,     it->Z,
                               it->S, it->Y,     it->w, it->entry, it->rod.mode};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
            pkm_free(parts[k]);
    }
    if (b->path) pkm_free(b->path[0].place);
    pkm_arena_free(b->of_fronts);
    void* const parts[] = {b->block,  b->path,      b->place,      b->owner, b->held, b->row,
                           b->source, b->given,     b->held_entry, b->in_G,  b->zero, b->first,
                           b->reach,  b->stiffness, b->S,          b->G,     b->half, b->work,
                           b->push,   b->limb,      b->begin,      b};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
}

// ---- creation ---------------------------------------------------------------------------------

static void mark_held(pkm_blocks* b, const pkm_mechanism* mech, const bool* prescribed)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            b->held[mech->drive[d].v_index] = true;
}

/// The tree of each body, and how many bodies and velocities each has. Parents stand before what
/// hangs on them.
static void count_velocities(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        PKM_ASSERT(body->parent < i);
        b->path[i].block = body->parent == 0 ? b->n_block++ : b->path[body->parent].block;
        if (body->frame != PKM_NONE) continue;
        pkm_block* to = &b->block[b->path[i].block];
        ++to->n_body;
        to->n += pkm_block_modes(body);
        for (int v = body->v_at; v < body->v_at + body->n_v; ++v)
            ++*(b->held[v] ? &to->n_held : &to->n);
    }
}

/// List the velocities of each tree: modes, free ones, held ones in three rounds.
static void list_velocities(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 0; i < b->n_block; ++i)
        b->block[i].n = b->block[i].n_held = 0;
    // modes first: their part is diagonal and fills nothing in; held ones last, outside the factor
    for (int round = 0; round < 3; ++round)
        for (int i = 1; i < mech->n_body; ++i) {
            const pkm_body* body = &mech->body[i];
            pkm_block* to = &b->block[b->path[i].block];
            if (body->frame != PKM_NONE) continue;
            const int at = round == 0 ? body->e_at : body->v_at;
            const int count = round == 0 ? pkm_block_modes(body) : body->n_v;
            for (int v = at; v < at + count; ++v) {
                if (round > 0 && b->held[v] != (round == 2)) continue;
                b->owner[v] = b->path[i].block;
                b->place[v] = to->n + to->n_held;
                to->v[b->place[v]] = v;
                ++*(round == 2 ? &to->n_held : &to->n);
            }
        }
}

/// Numbers in a square matrix whose rows and columns are whole strides.
static size_t square_room(int n)
{
    // factors work on whole fours of rows, also beyond the last one
    const size_t stride = (size_t)pkm_chol_stride(n);
    return stride * stride;
}

static pkm_status make_block(pkm_block* to)
{
    // M keeps held velocities too: their forces are read from its rows (4.2)
    const size_t n = (size_t)to->n, all = n + (size_t)to->n_held;
    to->v = pkm_alloc(all, sizeof(int));
    to->first = pkm_alloc(n, sizeof(int));
    to->M = pkm_alloc(all * all, sizeof(double));
    // add_square writes whole fours of rows
    to->U = pkm_alloc(square_room(to->n), sizeof(double));
    return to->v && to->first && to->M && to->U ? PKM_OK : PKM_ERR_MEMORY;
}

/// The velocities that move a body, from itself to the ground, and their columns of motion: listed
/// once, so that passes over inertia follow plain arrays. A frame has the modes of its body.
static pkm_status make_paths(pkm_blocks* b, const pkm_mechanism* mech)
{
    // room: a frame moves with its own velocities and with the modes of the link it sits on
    size_t total = 1;
    for (int i = 1; i < mech->n_body; ++i)
        for (int k = i; k > 0; k = mech->body[k].parent)
            total += (size_t)(mech->body[k].n_v +
                              (mech->body[k].frame == PKM_NONE
                                   ? 0
                                   : pkm_block_modes(&mech->body[mech->body[k].parent])));
    int* at = pkm_alloc(2 * total, sizeof(int));
    if (!at) return PKM_ERR_MEMORY;
    // the ground has no path: its place keeps the address of the block for free
    b->path[0].place = at++;
    for (int i = 1; i < mech->n_body; ++i) {
        pkm_block_path* p = &b->path[i];
        p->place = at;
        for (int k = i; k > 0; k = mech->body[k].parent) {
            const pkm_body* body = &mech->body[k];
            const bool frame = body->frame != PKM_NONE;
            const int n = frame ? pkm_block_modes(&mech->body[body->parent]) : body->n_v;
            for (int j = 0; j < n; ++j, ++p->n)
                *at++ = b->place[(frame ? body->e_at : body->v_at) + j];
        }
        p->motion = at;
        for (int k = i; k > 0; k = mech->body[k].parent) {
            const pkm_body* body = &mech->body[k];
            const bool frame = body->frame != PKM_NONE;
            const int n = frame ? pkm_block_modes(&mech->body[body->parent]) : body->n_v;
            for (int j = 0; j < n; ++j)
                *at++ = (frame ? body->s_at : body->v_at) + j;
        }
    }
    PKM_ASSERT((size_t)(at - b->path[0].place) == 2 * total - 1); // both lists are full
    return PKM_OK;
}

bool pkm_block_floats(const pkm_blocks* b, const pkm_mechanism* mech, int i)
{
    const pkm_body* body = &mech->body[i];
    const pkm_block* to = &b->block[b->path[i].block];
    // nothing else in its block (what is welded to it has no velocity, but mass), nothing held,
    // modes orthonormal
    return pkm_body_floats(body) && to->n_body == 1 && to->n_held == 0 &&
           !(body->modal && body->modal->mass);
}

/// The columns of the modes of body i begin at their diagonal, or in the first row.
static void begin_modes(pkm_blocks* b, const pkm_body* body, bool diagonal)
{
    for (int v = body->e_at; v < body->e_at + pkm_block_modes(body); ++v)
        b->block[b->owner[v]].first[b->place[v]] = diagonal ? b->place[v] : 0;
}

/// Columns of modes start at the diagonal where the modes are orthonormal and carry no further
/// bodies, likewise those of shifts of a body that floats.
static void find_skyline(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        // rigid: with modes the columns of the shifts begin in the rows of the modes
        if (b->path[i].n > 0 && !body->modal && body->frame == PKM_NONE &&
            pkm_block_floats(b, mech, i))
            for (int k = 0; k < 3; ++k)
                b->block[b->path[i].block].first[b->place[body->v_at + k]] =
                    b->place[body->v_at + k];
        if (body->modal && !body->modal->mass) begin_modes(b, body, true);
    }
    // frames follow their link at once; a body that hangs on one couples its modes
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* on = &mech->body[mech->body[i].parent];
        if (mech->body[i].frame == PKM_NONE && on->frame != PKM_NONE)
            begin_modes(b, &mech->body[on->parent], false);
    }
}

/// Blocks of one body that floats, rigid or with modes about the mean axes.
static pkm_status find_rods(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 0; i < b->n_block; ++i)
        b->block[i].rod.body = PKM_NONE;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE || b->path[i].n == 0 || !pkm_block_floats(b, mech, i)) continue;
        // (4.4) takes shapes without momentum, p_j = 0; others have factors of any block
        if (body->modal && !body->modal->is_centred) continue;
        pkm_rod* rod = &b->block[b->path[i].block].rod;
        rod->body = i;
        rod->n_mode = pkm_block_modes(body);
        // of each mode c_j/sqrt(d_j), three numbers, and 1/sqrt(d_j)
        rod->mode = pkm_alloc(4 * (size_t)rod->n_mode, sizeof(double));
        if (!rod->mode) return PKM_ERR_MEMORY;
    }
    return PKM_OK;
}

static pkm_status allocate(pkm_blocks* b, const pkm_mechanism* mech)
{
    const size_t nv = (size_t)mech->n_v;
    size_t n_root = 0, most = 0;
    for (int i = 1; i < mech->n_body; ++i) {
        const size_t n_mode = (size_t)pkm_block_modes(&mech->body[i]);
        n_root += mech->body[i].parent == 0;
        if (n_mode > most) most = n_mode;
    }
    b->block = pkm_alloc(n_root, sizeof(pkm_block));
    b->limb = pkm_alloc(n_root, sizeof(int));
    b->begin = pkm_alloc(2 * n_root + 1, sizeof(int));
    b->path = pkm_alloc((size_t)mech->n_body, sizeof(pkm_block_path));
    b->place = pkm_alloc(nv, sizeof(int));
    b->owner = pkm_alloc(nv, sizeof(int));
    b->held = pkm_alloc(nv, sizeof(bool));
    b->row = pkm_alloc(nv, sizeof(int));
    b->source = pkm_alloc(nv, sizeof(int));
    b->first = pkm_alloc(nv, sizeof(int));
    b->reach = pkm_alloc(nv, sizeof(int));
    b->given = pkm_alloc(nv, sizeof(int));
    b->half = pkm_alloc(2 * nv, sizeof(double));
    b->work = pkm_alloc((size_t)pkm_chol_stride(mech->n_v), sizeof(double));
    // full factors: every column begins in row 0
    b->zero = pkm_alloc(nv, sizeof(int));
    b->stiffness = pkm_alloc(most * most, sizeof(double));
    b->push = pkm_alloc(nv, sizeof(pkm_wrench));
    b->of_fronts = pkm_arena_create();
    const bool ok = b->block && b->limb && b->begin && b->path && b->place && b->owner && b->held &&
                    b->row && b->source && b->first && b->reach && b->given && b->half && b->work &&
                    b->zero && b->stiffness && b->push && b->of_fronts;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

static pkm_status build(pkm_blocks* b, const pkm_mechanism* mech, const bool* prescribed)
{
    PKM_TRY(allocate(b, mech));
    b->n_v = mech->n_v;
    b->full = (pkm_chol_shape){.first = b->zero};
    b->chosen = b->hub = b->last = b->lacks = PKM_NONE;
    mark_held(b, mech, prescribed);
    count_velocities(b, mech);
    for (int i = 0; i < b->n_block; ++i)
        PKM_TRY(make_block(&b->block[i]));
    list_velocities(b, mech);
    PKM_TRY(make_paths(b, mech));
    find_skyline(b, mech);
    PKM_TRY(find_rods(b, mech));
    for (int i = 0, at = 0; i < b->n_block; at += b->block[i++].n) {
        pkm_block* to = &b->block[i];
        to->at = at;
        to->shape = (pkm_chol_shape){.first = to->first,
                                     .diagonal = pkm_chol_count_diagonal(to->first, to->n)};
    }
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

int pkm_blocks_lacks(const pkm_blocks* b)
{
    return b->lacks;
}

void pkm_blocks_put_last(pkm_blocks* b, int tree)
{
    b->last = tree;
    // rows are laid out anew when they are set next
    b->n_given = PKM_NONE;
}

int pkm_blocks_last(const pkm_blocks* b)
{
    return b->last;
}

// ---- constraints ------------------------------------------------------------------------------

int pkm_blocks_n_row(const pkm_blocks* b)
{
    return b->n_row;
}

/// Multiplications of (4.1): factors of Z'Z and of the blocks and a solution with them, Z, Z'Z.
double pkm_blocks_cost(const pkm_blocks* b)
{
    double sum = pkm_block_rows_cost(b);
    for (int i = 0; i < b->n_block; ++i) {
        const double n = b->block[i].n, n_row = b->block[i].n_row;
        sum += pkm_chol_cost(b->block[i].shape, b->block[i].n, HUGE_VAL);
        sum += 0.5 * n_row * n * n + 0.5 * n_row * (n_row + 1.0) * n; // Z, Z'Z
    }
    return sum;
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
        // a row joins two bodies, hence two trees at most
        if (n > 0 && (which[0] == owner || (n > 1 && which[1] == owner))) continue;
        if (n < 2) which[n++] = owner;
    }
    return n;
}

/// Memory for n rows of a block.
static bool make_room(pkm_block* to, int n)
{
    if (n <= to->row_room) return true;
    void* const parts[] = {to->row, to->Z, to->S, to->w, to->Y};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        pkm_free(parts[k]);
    to->row = pkm_alloc((size_t)n, sizeof(int));
    to->Z = pkm_alloc((size_t)pkm_chol_stride(n) * (size_t)to->n, sizeof(double));
    to->S = pkm_alloc(square_room(n), sizeof(double));
    to->w = pkm_alloc((size_t)n, sizeof(double));
    to->Y = NULL;
    to->hub_room = 0;
    to->row_room = to->row && to->Z && to->S && to->w ? n : 0;
    return to->row_room == n;
}

/// Room for n entries.
static bool make_entries(pkm_block_entry** entry, int* room, int n)
{
    if (n <= *room) return true;
    pkm_free(*entry);
    *entry = pkm_alloc((size_t)n, sizeof(pkm_block_entry));
    *room = *entry ? n : 0;
    return *room == n;
}

pkm_status pkm_blocks_reserve(pkm_blocks* b, const pkm_state* state, const int* row, int n)
{
    const pkm_mechanism* mech = state->mech;
    int which[2], n_held = 0;
    // rows that are kept do not depend on each other
    b->most_row = n < mech->n_v ? n : mech->n_v;
    // of each block as if all these rows were kept
    for (int k = 0; k < n; ++k) {
        for (int t = count_touched(b, mech, row[k], which) - 1; t >= 0; --t)
            ++b->block[which[t]].n_row;
        const pkm_row* r = &mech->row[row[k]];
        for (int e = r->at; e < r->at + r->n_a + r->n_b; ++e)
            ++*(b->held[mech->column[e]] ? &n_held : &b->block[b->owner[mech->column[e]]].n_entry);
    }
    bool ok = make_entries(&b->held_entry, &b->held_room, n_held);
    for (int i = 0; i < b->n_block; ++i) {
        pkm_block* to = &b->block[i];
        ok = ok && make_room(to, to->n_row) &&
             make_entries(&to->entry, &to->entry_room, to->n_entry);
        ok = ok && make_entries(&b->in_G, &b->G_room, to->n_entry);
        to->n_row = to->n_entry = 0;
    }
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

/// The entries of the Jacobian at prescribed velocities. Returns whether there was memory.
static bool list_held(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int pass = 0; pass < 2; ++pass) {
        int n = 0;
        for (int k = 0; k < b->n_row; ++k) {
            const pkm_row* row = &mech->row[b->row[k]];
            for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e) {
                if (!b->held[mech->column[e]]) continue;
                if (pass == 1) b->held_entry[n] = (pkm_block_entry){e, k};
                ++n;
            }
        }
        if (pass == 0 && !make_entries(&b->held_entry, &b->held_room, n)) return false;
        b->n_held = n;
    }
    return true;
}

/// Where the entries of the Jacobian in a block go: in Z, or in G of a hub. Returns how many.
static int put_entries(const pkm_blocks* b, const pkm_mechanism* mech, int index, bool in_G,
                       pkm_block_entry* out)
{
    const pkm_block* to = &b->block[index];
    const int stride = pkm_chol_stride(in_G ? to->n : to->n_row);
    int n = 0;
    for (int k = 0; k < to->n_row; ++k) {
        const pkm_row* row = &mech->row[b->row[to->row[k]]];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e) {
            const int v = mech->column[e];
            if (b->owner[v] != index || b->held[v]) continue;
            // G goes row by row of all rows, Z velocity by velocity of this block
            const int at = in_G ? to->row[k] * stride + b->place[v] : b->place[v] * stride + k;
            if (out) out[n] = (pkm_block_entry){e, at};
            ++n;
        }
    }
    return n;
}

/// Returns whether there was memory.
static bool list_entries(pkm_blocks* b, const pkm_mechanism* mech)
{
    for (int i = 0; i < b->n_block; ++i) {
        pkm_block* to = &b->block[i];
        to->n_entry = put_entries(b, mech, i, false, NULL);
        if (!make_entries(&to->entry, &to->entry_room, to->n_entry)) return false;
        put_entries(b, mech, i, false, to->entry);
    }
    b->n_in_G = 0;
    if (b->chosen == PKM_NONE) return true;
    b->n_in_G = b->block[b->chosen].n_entry;
    if (!make_entries(&b->in_G, &b->G_room, b->n_in_G)) return false;
    put_entries(b, mech, b->chosen, true, b->in_G);
    return true;
}

// ---- the hub ----------------------------------------------------------------------------------

/// Can block `index` be the hub: do all rows that join two blocks end on it and none hold it alone,
/// with more of them than it has velocities, and has every limb as many freedoms as rows?
static bool is_hub(const pkm_blocks* b, const pkm_mechanism* mech, int index)
{
    int which[2];
    if (b->block[index].n == 0 || b->block[index].n_row <= b->block[index].n) return false;
    for (int k = 0; k < b->n_row; ++k) {
        const int touched = count_touched(b, mech, b->row[k], which);
        // a row between two trees ends on the hub, one of a single tree does not
        const bool on_it = which[0] == index || (touched > 1 && which[1] == index);
        if (on_it != (touched > 1)) return false;
    }
    // with more rows than freedoms of its own S of a limb has no inverse
    for (int i = 0; i < b->n_block; ++i)
        if (i != index && b->block[i].n_row > b->block[i].n) return false;
    return true;
}

/// Room for `needed` numbers.
static bool make_numbers(double** numbers, size_t* room, size_t needed)
{
    if (needed <= *room) return true;
    pkm_free(*numbers);
    *numbers = pkm_alloc(needed, sizeof(double));
    *room = *numbers ? needed : 0;
    return *numbers != NULL;
}

static bool make_hub_room(pkm_blocks* b)
{
    // rows change with the pivots of the factors: there is room for as many as a block may have
    const size_t wide = (size_t)pkm_chol_stride(b->block[b->chosen].n);
    for (int i = 0; i < b->n_block; ++i) {
        pkm_block* to = &b->block[i];
        if (!make_numbers(&to->Y, &to->hub_room, (size_t)to->row_room * wide)) return false;
    }
    const int most_row = b->n_row > b->most_row ? b->n_row : b->most_row;
    return make_numbers(&b->G, &b->hub_room, (size_t)pkm_chol_stride(most_row) * wide);
}

static bool choose_hub(pkm_blocks* b, const pkm_mechanism* mech)
{
    // a tree without inertia has to be last, whether it is a hub or not
    b->chosen = b->last;
    for (int i = 0; i < b->n_block && b->chosen == PKM_NONE; ++i)
        if (is_hub(b, mech, i)) b->chosen = i;
    return b->chosen == PKM_NONE || make_hub_room(b);
}

// ---- rows -------------------------------------------------------------------------------------

/// The rows of each block.
static bool share_rows(pkm_blocks* b, const pkm_mechanism* mech)
{
    int which[2];
    for (int i = 0; i < b->n_block; ++i)
        b->block[i].n_row = 0;
    for (int k = 0; k < b->n_row; ++k)
        for (int t = count_touched(b, mech, b->row[k], which) - 1; t >= 0; --t)
            ++b->block[which[t]].n_row;
    for (int i = 0; i < b->n_block; ++i) {
        if (!make_room(&b->block[i], b->block[i].n_row)) return false;
        b->block[i].n_row = 0;
    }
    for (int k = 0; k < b->n_row; ++k)
        for (int t = count_touched(b, mech, b->row[k], which) - 1; t >= 0; --t) {
            pkm_block* to = &b->block[which[t]];
            to->row[to->n_row++] = k;
        }
    return true;
}

/// The limb that block i belongs to so far.
static int find_limb(const pkm_blocks* b, int i)
{
    while (b->limb[i] != i)
        i = b->limb[i] = b->limb[b->limb[i]]; // the way is halved
    return i;
}

/// Blocks that rows join without the tree that is solved last have the number of their first one;
/// without such a tree all have the same.
static void find_limbs(pkm_blocks* b, const pkm_mechanism* mech, const int* row, int n)
{
    int which[2];
    for (int i = 0; i < b->n_block; ++i)
        b->limb[i] = b->last == PKM_NONE ? 0 : i;
    for (int k = 0; k < n && b->last != PKM_NONE; ++k) {
        if (count_touched(b, mech, row[k], which) < 2) continue;
        if (which[0] == b->last || which[1] == b->last) continue;
        const int one = find_limb(b, which[0]), other = find_limb(b, which[1]);
        b->limb[one < other ? other : one] = one < other ? one : other;
    }
    // none comes before its first one
    for (int i = 0; i < b->n_block; ++i)
        b->limb[i] = b->limb[b->limb[i]];
}

/// Where a row stands among those of all limbs: those of a limb together, and of them the ones of
/// one block first, which fills in less. PKM_NONE: between velocities that are prescribed, so that
/// it has nothing to find.
static int class_of(const pkm_blocks* b, const pkm_mechanism* mech, int row)
{
    int which[2];
    const int touched = count_touched(b, mech, row, which);
    if (touched == 0) return PKM_NONE;
    // of its block, or of the one that is not solved last
    const int limb = b->limb[touched > 1 && which[0] == b->last ? which[1] : which[0]];
    return 2 * limb + (touched > 1 ? 1 : 0);
}

/// The rows in the order of their classes, and where they came from.
static void sort_rows(pkm_blocks* b, const pkm_mechanism* mech, const int* row, int n)
{
    int* begin = b->begin;
    memset(begin, 0, (2 * (size_t)b->n_block + 1) * sizeof(int));
    for (int k = 0; k < n; ++k)
        ++begin[class_of(b, mech, row[k]) + 1];
    begin[0] = 0; // those without a class
    for (int c = 0; c < 2 * b->n_block; ++c)
        begin[c + 1] += begin[c];
    b->n_row = begin[2 * b->n_block];
    for (int k = 0; k < n; ++k) {
        const int class = class_of(b, mech, row[k]);
        if (class == PKM_NONE) continue;
        b->row[begin[class]] = row[k];
        b->source[begin[class]++] = k;
    }
}

int pkm_blocks_set_rows(pkm_blocks* b, const pkm_state* state, const int* row, int n)
{
    const pkm_mechanism* mech = state->mech;
    // asked for at each factorisation; the layout holds while the rows do
    if (n == b->n_given && memcmp(row, b->given, (size_t)n * sizeof(int)) == 0) return b->n_row;
    PKM_ASSERT(n <= b->n_v); // independent rows: no more than velocities
    b->n_row = b->n_given = 0;
    find_limbs(b, mech, row, n);
    sort_rows(b, mech, row, n);
    if (!share_rows(b, mech) || !choose_hub(b, mech) || !list_held(b, mech)) return PKM_NONE;
    if (!list_entries(b, mech)) return PKM_NONE;
    if (pkm_block_rows_lay_out(b) != PKM_OK) return PKM_NONE;
    memcpy(b->given, row, (size_t)n * sizeof(int));
    b->n_given = n;
    return b->n_row;
}
