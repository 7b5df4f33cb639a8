#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "base/memory.h"

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
    void* const parts[] = {b->block, b->path,      b->place, b->owner, b->held, b->row,  b->source,
                           b->dense, b->stiffness, b->first, b->S,     b->y,    b->push, b};
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

static void mark_held(pkm_blocks* b, const pkm_mechanism* mech, const bool* prescribed)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (prescribed[d] && mech->drive[d].v_index != PKM_NONE)
            b->held[mech->drive[d].v_index] = true;
}

/// Append the velocities of the tree under `root`: modes, free ones, held ones in three rounds.
static void list_velocities(pkm_blocks* b, const pkm_mechanism* mech, int root, int index)
{
    pkm_block* out = &b->block[index];
    int n = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = root; i < mech->n_body; ++i) {
            const pkm_body* body = &mech->body[i];
            if (body->frame != PKM_NONE || root_of(mech, i) != root) continue;
            const int at = round == 0 ? body->e_at : body->v_at;
            const int count = round == 0 ? pkm_block_modes(body) : body->n_v;
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
    pkm_block* out = &b->block[b->n_block];
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
            total += (size_t)(mech->body[k].n_v +
                              (mech->body[k].frame == PKM_NONE
                                   ? 0
                                   : pkm_block_modes(&mech->body[mech->body[k].parent])));
    int* at = pkm_alloc(2 * total, sizeof(int));
    if (!at) return PKM_ERR_MEMORY;
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
    b->block = pkm_alloc((size_t)n_root, sizeof(pkm_block));
    b->path = pkm_alloc((size_t)mech->n_body, sizeof(pkm_block_path));
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
        if ((size_t)pkm_block_modes(&mech->body[i]) > most)
            most = (size_t)pkm_block_modes(&mech->body[i]);
    b->stiffness = pkm_alloc(most * most, sizeof(double));
    b->push = pkm_alloc(nv, sizeof(pkm_wrench));
    if (!b->block || !b->path || !b->place || !b->owner || !b->held || !b->row || !b->source ||
        !b->first || !b->S || !b->y || !b->dense || !b->stiffness || !b->push)
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

/// Those of a factor inside its skyline.
static double skyline_cost(const int* first, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += 0.5 * (i - first[i] + 1.0) * (i - first[i] + 2.0);
    return sum;
}

double pkm_blocks_cost(const pkm_blocks* b)
{
    double sum = skyline_cost(b->first, b->n_row);
    for (int i = 0; i < b->n_block; ++i) {
        const double n = b->block[i].n, n_row = b->block[i].n_row;
        sum += skyline_cost(b->block[i].first, b->block[i].n);
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
        if (n > 0 && (which[0] == owner || (n > 1 && which[1] == owner))) continue;
        if (n < 2) which[n++] = owner;
    }
    return n;
}

static bool make_room(pkm_block* to, int n)
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
    for (int i = 0; i < b->n_block; ++i)
        b->block[i].n_row = 0;
    for (int k = 0; k < b->n_row; ++k)
        for (int t = count_touched(b, mech, b->row[k], which) - 1; t >= 0; --t)
            ++b->block[which[t]].n_row;
    for (int i = 0; i < b->n_block; ++i) {
        if (!make_room(&b->block[i], b->block[i].n_row)) return PKM_NONE;
        b->block[i].n_row = 0;
    }
    for (int k = 0; k < b->n_row; ++k)
        for (int t = count_touched(b, mech, b->row[k], which) - 1; t >= 0; --t) {
            pkm_block* to = &b->block[which[t]];
            to->row[to->n_row++] = k;
        }
    find_row_skyline(b);
    return b->n_row;
}
