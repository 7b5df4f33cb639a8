// The order of the fronts and their layout, made once for a matrix. Parts are the nodes of a graph,
// rows its edges: an edge that goes makes one node of its two, where all other edges of both meet.
#include "base/error.h"
#include "math/chol.h"
#include "solver/fronts_impl.h"

#include <string.h>

enum { NONE = -1 };

/// Rows that follow each other and lie in the same parts.
typedef struct group {
    int first, n;
    int part[2]; ///< NONE: in fewer than two
    int step;    ///< of its elimination
    int width;   ///< rows of its front, were it eliminated now
    int n_other;
    int* other; ///< [n_other] groups in its front beside itself
} group;

/// A part, or what parts have become: the groups in it.
typedef struct node {
    int n;
    int* group;
    int merged; ///< into another part; NONE
} node;

typedef struct work {
    pkm_arena* arena;
    int n_row, n_group, n_part;
    group* group;
    int* group_of; ///< [n_row]
    node* node;    ///< [n_part]
    int* list;     ///< [n_group] of a front at hand
    int* seen;     ///< [n_group] by the last walk
    int walk;
    int* where; ///< [n_row] place in the front at hand
} work;

static pkm_status allocate(work* w)
{
    const size_t n = (size_t)w->n_row;
    w->group = pkm_arena_alloc(w->arena, n, sizeof(group));
    w->group_of = pkm_arena_alloc(w->arena, n, sizeof(int));
    w->node = pkm_arena_alloc(w->arena, (size_t)w->n_part, sizeof(node));
    w->list = pkm_arena_alloc(w->arena, n, sizeof(int));
    w->seen = pkm_arena_alloc(w->arena, n, sizeof(int));
    w->where = pkm_arena_alloc(w->arena, n, sizeof(int));
    const bool ok = w->group && w->group_of && w->node && w->list && w->seen && w->where;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

static bool same_parts(const int* a, const int* b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/// Groups of rows, and the groups of each part.
static pkm_status make_groups(work* w, const pkm_fronts_part* part)
{
    int(*of)[2] = pkm_arena_alloc(w->arena, (size_t)w->n_row, sizeof *of);
    if (!of) return PKM_ERR_MEMORY;
    memset(of, NONE, (size_t)w->n_row * sizeof *of);
    for (int e = 0; e < w->n_part; ++e)
        for (int k = 0; k < part[e].n; ++k) {
            int* at = of[part[e].row[k]];
            PKM_ASSERT(at[1] == NONE);
            at[at[0] == NONE ? 0 : 1] = e;
        }
    for (int r = 0; r < w->n_row; ++r) {
        if (r == 0 || !same_parts(of[r], of[r - 1]))
            w->group[w->n_group++] =
                (group){.first = r, .part = {of[r][0], of[r][1]}, .step = NONE};
        w->group_of[r] = w->n_group - 1;
        ++w->group[w->n_group - 1].n;
    }
    for (int e = 0; e < w->n_part; ++e) {
        node* to = &w->node[e];
        *to = (node){.group = pkm_arena_alloc(w->arena, (size_t)part[e].n, sizeof(int)),
                     .merged = NONE};
        if (!to->group) return PKM_ERR_MEMORY;
        for (int k = 0; k < part[e].n; ++k) {
            const int g = w->group_of[part[e].row[k]];
            if (to->n == 0 || to->group[to->n - 1] != g) to->group[to->n++] = g;
        }
    }
    return PKM_OK;
}

// ---- order ------------------------------------------------------------------------------------

/// What a part has become.
static int find(work* w, int part)
{
    int last = part;
    while (w->node[last].merged != NONE)
        last = w->node[last].merged;
    // the way is short from now on
    while (part != last) {
        const int next = w->node[part].merged;
        w->node[part].merged = last;
        part = next;
    }
    return last;
}

/// The groups that share a part with group g, in `list`; how many, and the rows of its front.
static int list_others(work* w, int g, int* width)
{
    int n = 0;
    w->seen[g] = ++w->walk;
    *width = w->group[g].n;
    for (int side = 0; side < 2; ++side) {
        if (w->group[g].part[side] == NONE) continue;
        const node* at = &w->node[find(w, w->group[g].part[side])];
        for (int k = 0; k < at->n; ++k) {
            const int h = at->group[k];
            if (w->seen[h] == w->walk) continue;
            w->seen[h] = w->walk;
            w->list[n++] = h;
            *width += w->group[h].n;
        }
    }
    return n;
}

/// Eliminate group g: its parts become one, with the others in it.
static pkm_status merge(work* w, int g, int step)
{
    group* at = &w->group[g];
    at->step = step;
    at->n_other = list_others(w, g, &at->width);
    at->other = pkm_arena_alloc(w->arena, (size_t)at->n_other, sizeof(int));
    if (!at->other) return PKM_ERR_MEMORY;
    memcpy(at->other, w->list, (size_t)at->n_other * sizeof(int));
    if (at->part[0] == NONE) return PKM_OK;
    const int into = find(w, at->part[0]);
    const int from = at->part[1] == NONE ? into : find(w, at->part[1]);
    if (from != into) w->node[from].merged = into;
    w->node[into].n = at->n_other;
    w->node[into].group = at->other;
    // theirs are the only fronts that have changed
    for (int k = 0; k < at->n_other; ++k)
        list_others(w, at->other[k], &w->group[at->other[k]].width);
    return PKM_OK;
}

/// The smallest front next.
static pkm_status order(work* w)
{
    for (int g = 0; g < w->n_group; ++g)
        list_others(w, g, &w->group[g].width);
    for (int step = 0; step < w->n_group; ++step) {
        int best = NONE;
        for (int g = 0; g < w->n_group; ++g)
            if (w->group[g].step == NONE &&
                (best == NONE || w->group[g].width < w->group[best].width))
                best = g;
        PKM_TRY(merge(w, best, step));
    }
    return PKM_OK;
}

// ---- layout -----------------------------------------------------------------------------------

static void sort_by_step(const work* w, int* g, int n)
{
    // a front has few groups: two ends of a chain, or the limbs of a platform
    for (int i = 1; i < n; ++i)
        for (int k = i; k > 0 && w->group[g[k]].step < w->group[g[k - 1]].step; --k) {
            const int other = g[k];
            g[k] = g[k - 1];
            g[k - 1] = other;
        }
}

static int put_rows(const group* from, int* row)
{
    for (int k = 0; k < from->n; ++k)
        row[k] = from->first + k;
    return from->n;
}

/// Rows of the front that eliminates a group.
static pkm_status fill_front(work* w, const group* from, pkm_front* to)
{
    to->n = from->n;
    to->stride = pkm_chol_stride(from->width);
    to->row = pkm_arena_alloc(w->arena, (size_t)from->width, sizeof(int));
    if (!to->row) return PKM_ERR_MEMORY;
    sort_by_step(w, from->other, from->n_other);
    to->width = put_rows(from, to->row);
    for (int k = 0; k < from->n_other; ++k)
        to->width += put_rows(&w->group[from->other[k]], to->row + to->width);
    PKM_ASSERT(to->width == from->width);
    if (from->n_other > 0) to->next = w->group[from->other[0]].step;
    return PKM_OK;
}

/// The places of n rows in a front.
static int* find_places(work* w, const pkm_front* front, const int* row, int n)
{
    int* place = pkm_arena_alloc(w->arena, (size_t)n, sizeof(int));
    for (int i = 0; place && i < front->width; ++i)
        w->where[front->row[i]] = i;
    for (int k = 0; place && k < n; ++k)
        place[k] = w->where[row[k]];
    return place;
}

static pkm_status lay_out(work* w, const pkm_fronts_part* part, pkm_fronts* out)
{
    out->n_front = w->n_group;
    out->front = pkm_arena_alloc(w->arena, (size_t)w->n_group, sizeof(pkm_front));
    out->target = pkm_arena_alloc(w->arena, (size_t)w->n_part, sizeof(pkm_fronts_target));
    if (!out->front || !out->target) return PKM_ERR_MEMORY;
    for (int g = 0; g < w->n_group; ++g)
        PKM_TRY(fill_front(w, &w->group[g], &out->front[w->group[g].step]));
    for (int s = 0; s < out->n_front; ++s) {
        pkm_front* at = &out->front[s];
        at->place = find_places(w, &out->front[at->next], at->row + at->n, at->width - at->n);
        if (!at->place) return PKM_ERR_MEMORY;
        out->n_value += (size_t)at->width * (size_t)at->stride;
    }
    for (int e = 0; e < w->n_part; ++e) {
        pkm_fronts_target* to = &out->target[e];
        to->n = part[e].n;
        // the first of its rows that goes has all of them in its front
        for (int k = 0; k < to->n; ++k) {
            const int step = w->group[w->group_of[part[e].row[k]]].step;
            if (k == 0 || step < to->front) to->front = step;
        }
        to->place = find_places(w, &out->front[to->front], part[e].row, to->n);
        if (!to->place) return PKM_ERR_MEMORY;
    }
    return PKM_OK;
}

static pkm_status allocate_values(pkm_arena* arena, pkm_fronts* out)
{
    out->value = pkm_arena_alloc(arena, out->n_value, sizeof(double));
    out->diagonal = pkm_arena_alloc(arena, (size_t)out->n, sizeof(double));
    if (!out->value || !out->diagonal) return PKM_ERR_MEMORY;
    double* U = out->value;
    for (int s = 0; s < out->n_front; ++s) {
        out->front[s].U = U;
        U += out->front[s].width * out->front[s].stride;
    }
    return PKM_OK;
}

pkm_status pkm_fronts_create(pkm_arena* arena, int n, int n_part, const pkm_fronts_part* part,
                             pkm_fronts** out)
{
    *out = NULL;
    work w = {.arena = arena, .n_row = n, .n_part = n_part};
    pkm_fronts* fronts = pkm_arena_alloc(arena, 1, sizeof *fronts);
    if (!fronts) return PKM_ERR_MEMORY;
    fronts->n = n;
    PKM_TRY(allocate(&w));
    PKM_TRY(make_groups(&w, part));
    PKM_TRY(order(&w));
    PKM_TRY(lay_out(&w, part, fronts));
    PKM_TRY(allocate_values(arena, fronts));
    *out = fronts;
    return PKM_OK;
}
