// Watching a way of the engine: the smallest singular values of A_D, A_T from the factors at hand
// (5.4), the change of the matrices against them (5.3), exact values in doubt.
// docs/theory/engine.md, section 5, "Watching a way".
#include "robot/watch.h"

#include "base/memory.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "math/dot.h"
#include "math/pair.h"
#include "mechanism/modal_body.h"
#include "robot/singularity.h"

#include <math.h>
#include <string.h>

static const double SAFETY = 0.5; // of sigma: two for the bend of the way, two for the estimate
static const double POOR_CHOICE = 0.3; // of the sigma of all rows: a choice of them that has less
static const double BALL = 0.4; // of sigma: a first step this long needs no look, all matrices so
                                // near are regular,
static const double ROOM = 0.9; // nor one of several with twice its own length to spare in this

/// One system of rows on the way.
typedef struct seen {
    pkm_system* system; ///< NULL: not watched
    int n_entry;
    double* scale; ///< [n_entry] makes entries free of units
    int* column;   ///< [n_entry]
    double* kept;  ///< [n_entry] entries at the position kept
    double* last;  ///< [n_entry] entries at the last position, when that is another one
    double* y;     ///< [n_row] unit: about the left singular vector of the smallest singular value
    double sigma;  ///< at the position kept
    double now;    ///< at the position judged last
    double rate;   ///< change of the matrix along the way to the position kept
    double change; ///< since the position kept
    double way;    ///< from the position kept to the last one
    double away;   ///< change on that way
    bool is_bound; ///< sigma is a lower bound: the next position is looked at
} seen;

struct pkm_watch {
    const pkm_state* state;
    seen drives, tool;
    double* X;                    ///< [n_v x n_drive]
    double* units;                ///< [PKM_SPARSE_MAX_UNIT n_v] work
    int* drive_row;               ///< [n_drive] where its row stands in the system of the drives
    int* tool_column;             ///< [n_tool_column] coordinates that carry the tool
    double* x;                    ///< [n_v] work
    double* f;                    ///< [n_v] work
    double* b;                    ///< [most rows] work
    double* sum;                  ///< [n_v] work
    double* moved;                ///< [most entries] change of one system, the shared ones first
    double *dense, *sigma, *room; ///< for exact_sigma; NULL without rows to spare
    double stride;
    int n_shared;  ///< entries of the closures, which both systems begin with
    double square; ///< of their change
    int n_tool_column;
    bool together;          ///< both keep the same position
    bool has_tangents;      ///< X is that of the present position,
    bool has_tool_tangents; ///< or its rows `tool_column` are
    unsigned seed;
};

// ---- memory -----------------------------------------------------------------------------------

static bool create_seen(const pkm_state* state, pkm_given given, seen* out)
{
    const pkm_mechanism* mech = state->mech;
    pkm_system* system = (pkm_system*)&state->system[given];
    *out = (seen){.n_entry = 0};
    if (!system->lu) return true;
    const int n = system->entry_at[system->n_row];
    *out = (seen){.system = system, .n_entry = n};
    out->scale = pkm_alloc((size_t)n, sizeof(double));
    out->kept = pkm_alloc((size_t)n, sizeof(double));
    out->last = pkm_alloc((size_t)n, sizeof(double));
    out->column = pkm_alloc((size_t)n, sizeof(int));
    out->y = pkm_alloc((size_t)system->n_row, sizeof(double));
    if (!out->scale || !out->kept || !out->last || !out->column || !out->y) return false;
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &mech->row[system->row[i]];
        for (int e = 0; e < row->n_a + row->n_b; ++e) {
            const int k = mech->column[row->at + e];
            out->column[system->entry_at[i] + e] = k;
            out->scale[system->entry_at[i] + e] = row->weight * mech->v_unit[k];
        }
    }
    return true;
}

static void free_seen(seen* s)
{
    pkm_free(s->scale);
    pkm_free(s->kept);
    pkm_free(s->last);
    pkm_free(s->column);
    pkm_free(s->y);
}

/// Coordinates between ground and tool, those of a flexible frame too.
static void list_tool_columns(const pkm_mechanism* mech, pkm_watch* w)
{
    const int body = mech->tool == PKM_NONE ? 0 : mech->marker[mech->tool].body;
    for (int i = body; i > 0; i = mech->body[i].parent) {
        const pkm_body* b = &mech->body[i];
        for (int k = 0; k < b->n_v; ++k)
            w->tool_column[w->n_tool_column++] = b->v_at + k;
        if (b->frame == PKM_NONE) continue;
        for (int k = 0; k < mech->body[b->parent].modal->n_mode; ++k)
            w->tool_column[w->n_tool_column++] = b->e_at + k;
    }
}

pkm_watch* pkm_watch_create(pkm_state* state)
{
    pkm_watch* w = pkm_alloc(1, sizeof *w);
    if (!w) return NULL;
    const pkm_mechanism* mech = state->mech;
    const size_t n_v = (size_t)mech->n_v;
    w->state = state;
    bool ok = create_seen(state, PKM_GIVEN_DRIVES, &w->drives);
    ok = create_seen(state, PKM_GIVEN_TOOL, &w->tool) && ok;
    const int a = state->system[PKM_GIVEN_DRIVES].n_row, b = state->system[PKM_GIVEN_TOOL].n_row;
    w->X = pkm_alloc(n_v * (size_t)mech->n_drive, sizeof(double));
    w->units = pkm_alloc(PKM_SPARSE_MAX_UNIT * n_v, sizeof(double));
    w->drive_row = pkm_alloc((size_t)mech->n_drive, sizeof(int));
    w->tool_column = pkm_alloc(n_v, sizeof(int));
    w->x = pkm_alloc(n_v, sizeof(double));
    w->f = pkm_alloc(n_v, sizeof(double));
    w->b = pkm_alloc((size_t)(a > b ? a : b), sizeof(double));
    w->sum = pkm_alloc(n_v, sizeof(double));
    const int n_drives = w->drives.n_entry, n_tool = w->tool.n_entry;
    w->moved = pkm_alloc((size_t)(n_drives > n_tool ? n_drives : n_tool), sizeof(double));
    ok = ok && w->X && w->units && w->drive_row && w->tool_column && w->x && w->f && w->b && w->sum;
    ok = ok && w->moved;
    for (int i = 0; ok && w->drives.system && i < a; ++i) {
        const pkm_row* row = &mech->row[w->drives.system->row[i]];
        if (row->kind == PKM_ROW_DRIVE) w->drive_row[row->item] = i;
    }
    for (int i = 0; ok && i < a && i < b && w->drives.system && w->tool.system; ++i) {
        if (w->drives.system->row[i] != w->tool.system->row[i]) break;
        w->n_shared = w->drives.system->entry_at[i + 1];
    }
    if (ok) list_tool_columns(mech, w);
    const int most = a > b ? a : b;
    if (most > mech->n_v) {
        w->dense = pkm_alloc((size_t)most * n_v, sizeof(double));
        w->sigma = pkm_alloc((size_t)most, sizeof(double));
        w->room = pkm_alloc(pkm_dense_svd_room(most, mech->n_v), sizeof(double));
        ok = ok && w->dense && w->sigma && w->room;
    }
    if (ok) return w;
    pkm_watch_free(w);
    return NULL;
}

void pkm_watch_free(pkm_watch* w)
{
    if (!w) return;
    free_seen(&w->drives);
    free_seen(&w->tool);
    pkm_free(w->X);
    pkm_free(w->units);
    pkm_free(w->drive_row);
    pkm_free(w->tool_column);
    pkm_free(w->x);
    pkm_free(w->f);
    pkm_free(w->b);
    pkm_free(w->sum);
    pkm_free(w->moved);
    pkm_free(w->dense);
    pkm_free(w->sigma);
    pkm_free(w->room);
    pkm_free(w);
}

// ---- singular values --------------------------------------------------------------------------

static double normalise(double* x, int n)
{
    const double length = sqrt(pkm_dot_long(x, x, n));
    for (int i = 0; i < n && length > 0.0; ++i)
        x[i] /= length;
    return length;
}

/// x = (W A U)^-1 y: solve, without units.
static void solve(pkm_watch* w, const seen* s, const double* y, double* x)
{
    const pkm_mechanism* mech = w->state->mech;
    for (int i = 0; i < s->system->n_row; ++i)
        w->b[i] = y[i] / mech->row[s->system->row[i]].weight;
    pkm_sparse_lu_solve(s->system->lu, w->b, x);
    for (int k = 0; k < mech->n_v; ++k)
        x[k] /= mech->v_unit[k];
}

/// y = (W A U)^-T x.
static void solve_transposed(pkm_watch* w, const seen* s, const double* x, double* y)
{
    const pkm_mechanism* mech = w->state->mech;
    for (int k = 0; k < mech->n_v; ++k)
        w->f[k] = x[k] / mech->v_unit[k];
    pkm_sparse_lu_solve_transposed(s->system->lu, w->f, y);
    for (int i = 0; i < s->system->n_row; ++i)
        y[i] /= mech->row[s->system->row[i]].weight;
}

/// The rates of all coordinates, or of those that carry the tool, per unit rate of each drive, six
/// drives at a time.
static void fill_tangents(pkm_watch* w, bool tool_only)
{
    const pkm_mechanism* mech = w->state->mech;
    pkm_sparse_lu* lu = w->drives.system->lu;
    int row[PKM_SPARSE_MAX_UNIT];
    for (int d = 0, n = 0; d < mech->n_drive; ++d) {
        row[n++] = w->drive_row[d];
        if (n < PKM_SPARSE_MAX_UNIT && d + 1 < mech->n_drive) continue;
        double* X = w->X + (size_t)(d + 1 - n) * (size_t)mech->n_v;
        if (tool_only)
            pkm_sparse_lu_solve_units_at(lu, row, n, w->tool_column, w->n_tool_column, X, w->units);
        else
            pkm_sparse_lu_solve_units(lu, row, n, X, w->units);
        n = 0;
    }
}

/// The fastest of the tangents without units, to w->x: it is what a parallel singularity lets
/// loose.
static void find_lead(pkm_watch* w)
{
    const pkm_mechanism* mech = w->state->mech;
    const int n = mech->n_v;
    double fastest = 0.0;
    for (int d = 0; d < mech->n_drive; ++d) {
        const double weight = mech->row[mech->drive_row_at + d].weight;
        const double* X = w->X + (size_t)d * (size_t)n;
        double speed = 0.0;
        for (int k = 0; k < n; ++k) {
            w->f[k] = X[k] / (mech->v_unit[k] * weight);
            speed += w->f[k] * w->f[k];
        }
        if (!(speed > fastest)) continue;
        fastest = speed;
        memcpy(w->x, w->f, (size_t)n * sizeof(double));
    }
}

/// Inverse iteration for the smallest singular value (5.4), from the vector of the last position
/// with so much noise that another direction which has become weaker takes over at once. `lead`
/// (may be NULL) is a direction that must be looked at. Returns an upper bound, near to it.
static double iterate(pkm_watch* w, seen* s, double* lead)
{
    const int n_v = w->state->mech->n_v, n_row = s->system->n_row;
    for (int i = 0; i < n_row; ++i)
        s->y[i] = 3.0 * s->y[i] + pkm_noise(&w->seed);
    double* x = w->sum;
    solve(w, s, s->y, x);
    normalise(x, n_v);
    if (lead) {
        normalise(lead, n_v);
        const double side = pkm_dot_long(x, lead, n_v) < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < n_v; ++k)
            x[k] += side * lead[k];
        normalise(x, n_v);
    }
    solve_transposed(w, s, x, s->y);
    const double length = normalise(s->y, n_row);
    return length > 0.0 && length < HUGE_VAL ? 1.0 / length : 0.0;
}

/// Half an iteration more, without noise: 1 / |x| for the unit vector y is an upper bound, too, and
/// nearer by one power of the ratio of the singular values.
static double refine(pkm_watch* w, const seen* s, double sigma)
{
    solve(w, s, s->y, w->sum);
    const double square = pkm_dot_long(w->sum, w->sum, w->state->mech->n_v);
    return square * sigma * sigma > 1.0 ? 1.0 / sqrt(square) : sigma;
}

/// The smallest singular value of all rows, the redundant ones too, with the entries `value`.
static double exact_sigma(pkm_watch* w, const seen* s, const double* value)
{
    const int m = s->system->n_row, n = w->state->mech->n_v;
    memset(w->dense, 0, (size_t)m * (size_t)n * sizeof(double));
    for (int i = 0; i < m; ++i)
        for (int e = s->system->entry_at[i]; e < s->system->entry_at[i + 1]; ++e)
            w->dense[(size_t)s->column[e] * (size_t)m + (size_t)i] += s->scale[e] * value[e];
    if (pkm_dense_svd_with(w->dense, m, n, w->sigma, NULL, NULL, w->room) != PKM_OK) return 0.0;
    return w->sigma[n - 1];
}

/// An upper bound of the smallest singular value of all rows: |W A U x| / |x| for the x of
/// `refine`.
static double most_sigma(const pkm_watch* w, const seen* s)
{
    const double *value = s->system->value, *x = w->sum;
    double square = 0.0;
    for (int i = 0; i < s->system->n_row; ++i) {
        double row = 0.0;
        for (int e = s->system->entry_at[i]; e < s->system->entry_at[i + 1]; ++e)
            row += s->scale[e] * value[e] * x[s->column[e]];
        square += row * row;
    }
    return sqrt(square / pkm_dot_long(x, x, w->state->mech->n_v));
}

/// The change of two entries to `moved`; its squares.
static inline pkm_pair move_two(const double* scale, const double* value, const double* kept,
                                double* moved)
{
    const pkm_pair d = pkm_pair_load(scale) * (pkm_pair_load(value) - pkm_pair_load(kept));
    *(pkm_pair_in_array*)(void*)moved = d;
    return d * d;
}

/// Square of Frobenius' norm of the change of the entries from `e` to `end` since the position
/// kept; the change to w->moved.
static double square_change(pkm_watch* w, const seen* s, int e, int end)
{
    pkm_pair square = {0.0, 0.0};
    const double *value = s->system->value, *kept = s->kept, *scale = s->scale;
    double* moved = w->moved;
    for (; e + 7 < end; e += 8)
        for (int i = e; i < e + 8; i += 2) // unrolled
            square += move_two(scale + i, value + i, kept + i, moved + i);
    for (; e + 1 < end; e += 2)
        square += move_two(scale + e, value + e, kept + e, moved + e);
    if (e < end) moved[e] = scale[e] * (value[e] - kept[e]);
    const double last = e < end ? moved[e] : 0.0;
    return square[0] + square[1] + last * last;
}

/// sqrt(largest sum of a row times largest sum of a column) of the change w->moved.
static double sum_change(pkm_watch* w, const seen* s)
{
    double most_row = 0.0, most_column = 0.0, *sum = w->sum;
    const double* moved = w->moved;
    const int n = w->state->mech->n_v, *column = s->column, *entry_at = s->system->entry_at;
    memset(sum, 0, (size_t)n * sizeof(double));
    for (int i = 0, e = 0; i < s->system->n_row; ++i) {
        double row = 0.0;
        for (const int end = entry_at[i + 1]; e < end; ++e) {
            const double change = fabs(moved[e]);
            row += change;
            sum[column[e]] += change;
        }
        most_row = row > most_row ? row : most_row;
    }
    for (int k = 0; k < n; ++k)
        most_column = sum[k] > most_column ? sum[k] : most_column;
    return sqrt(most_row * most_column);
}

/// Frobenius' norm of the change of the matrix since the position kept, a bound of its 2-norm.
static double change_since(pkm_watch* w, const seen* s)
{
    const bool is_known = s == &w->tool && w->together; // what both share was summed for the drives
    if (!is_known) w->square = square_change(w, s, 0, w->n_shared);
    return sqrt(w->square + square_change(w, s, w->n_shared, s->n_entry));
}

// ---- judging ----------------------------------------------------------------------------------

static void keep(seen* s)
{
    s->sigma = s->now;
    s->is_bound = false;
    s->way = s->away = 0.0;
    memcpy(s->kept, s->system->value, (size_t)s->n_entry * sizeof(double));
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/// Is the present position so near to the one kept that it needs no look? `bound`: how far its
/// matrix is, at most; `step`: from the last position. A way may leave the line between two
/// positions by as much as they are apart: the shorter the step, the more of the ball is certain.
static bool is_near(const seen* s, double bound, double step)
{
    if (s->is_bound) return false;
    if (s->way == 0.0) return bound < BALL * s->sigma;
    const double mean = s->change * step / (s->way + step), last = s->change - s->away;
    const double slow = larger(mean, last), length = larger(slow, s->rate * step);
    return bound + 2.0 * length < ROOM * s->sigma;
}

/// The present position is near the one kept: go on without a look.
static void pass(seen* s, double step)
{
    s->way += step;
    s->away = s->change;
    memcpy(s->last, s->system->value, (size_t)s->n_entry * sizeof(double));
}

/// Keep the last position instead: by Weyl's theorem its sigma has fallen by no more than the
/// matrix has changed.
static void keep_last(seen* s)
{
    s->sigma -= s->away;
    s->is_bound = true;
    s->way = s->away = 0.0;
    memcpy(s->kept, s->last, (size_t)s->n_entry * sizeof(double));
}

static bool has_spare_rows(const pkm_watch* w, const seen* s)
{
    return s->system->n_row > w->state->mech->n_v;
}

/// How far the matrix is from the one kept, by Frobenius' norm, and where that is not near enough
/// by the smaller one of both. A way that bends back between two positions is longer than their
/// distance: it is taken to be as fast as before.
static double find_bound(pkm_watch* w, seen* s, double step)
{
    const double fast = s->rate * step;
    s->change = change_since(w, s);
    if (!is_near(s, larger(s->change, fast), step)) s->change = fmin(s->change, sum_change(w, s));
    return larger(s->change, fast);
}

/// The singular values of all rows at both positions instead of those of the rows in use; false:
/// other rows are wanted, and there are none.
static bool look_at_all(pkm_watch* w, seen* s)
{
    const double chosen = s->now;
    s->now = exact_sigma(w, s, s->system->value);
    s->sigma = exact_sigma(w, s, s->kept);
    // the rows in use begin to depend on each other while the robot is well: others are better
    return !(chosen < POOR_CHOICE * s->now) ||
           pkm_sparse_lu_analyse(s->system->lu, s->system->value,
                                 pkm_rank_limit(w->state->mech, PKM_PIVOT_LIMIT)) == PKM_OK;
}

/// Judge one system by the singular values of both positions. With rows to spare the factors hold a
/// choice of them, whose sigma is a lower bound: in doubt all rows are looked at, unless the step
/// is too long for whatever they have.
static pkm_passage judge(pkm_watch* w, seen* s, double* lead, double bound, double step)
{
    s->now = refine(w, s, iterate(w, s, lead));
    const bool is_long = bound > SAFETY * s->now;
    const double most = is_long && has_spare_rows(w, s) ? most_sigma(w, s) : s->now;
    if (s->way > 0.0 && bound > SAFETY * fmin(s->now, s->sigma)) {
        keep_last(s);
        w->together = false;
        bound = find_bound(w, s, step);
    }
    if (s->now > PKM_SINGULAR && bound > SAFETY * most) {
        s->now = most;
        return PKM_PASSAGE_DOUBT;
    }
    const bool doubt = bound > SAFETY * s->now || s->now <= PKM_SINGULAR;
    if (doubt && has_spare_rows(w, s) && !look_at_all(w, s)) return PKM_PASSAGE_SINGULAR;
    if (s->now <= PKM_SINGULAR) return PKM_PASSAGE_SINGULAR;
    return bound > SAFETY * fmin(s->now, s->sigma) ? PKM_PASSAGE_DOUBT : PKM_PASSAGE_CLEAR;
}

static void start(pkm_watch* w, seen* s, double* lead)
{
    for (int i = 0; i < s->system->n_row; ++i)
        s->y[i] = 0.0;
    s->now = iterate(w, s, lead);
    for (int k = 0; k < 3; ++k)
        s->now = fmin(s->now, iterate(w, s, NULL));
    if (s->now <= PKM_SINGULAR && has_spare_rows(w, s))
        s->now = exact_sigma(w, s, s->system->value);
    s->rate = 0.0;
    keep(s);
}

pkm_passage pkm_watch_begin(pkm_watch* w, pkm_given given)
{
    w->seed = 20111u; // the same numbers for every way, so that a run repeats bit for bit
    w->stride = HUGE_VAL;
    pkm_watch_moved(w);
    if (!w->drives.system) return PKM_PASSAGE_CLEAR;
    pkm_watch_tangents(w);
    find_lead(w);
    start(w, &w->drives, w->x);
    const bool tool = given == PKM_GIVEN_TOOL && w->tool.system;
    if (tool) start(w, &w->tool, NULL);
    w->together = tool;
    const bool singular = w->drives.now <= PKM_SINGULAR || (tool && w->tool.now <= PKM_SINGULAR);
    return singular ? PKM_PASSAGE_SINGULAR : PKM_PASSAGE_CLEAR;
}

/// The step that changes the matrix by what its sigma allows, with a little to spare.
static double stride_of(const seen* s, double step)
{
    const double rate = fmax(s->change / (s->way + step), s->rate);
    return rate > 0.0 ? 0.8 * SAFETY * fmin(s->now, s->sigma) / rate : HUGE_VAL;
}

static void accept(seen* s, double step)
{
    s->rate = s->change / (s->way + step);
    keep(s);
}

/// Judge the present position, which is so far from the ones kept.
static pkm_passage look(pkm_watch* w, bool tool, double drives_bound, double tool_bound,
                        double step)
{
    pkm_watch_tangents(w);
    find_lead(w);
    const pkm_passage a = judge(w, &w->drives, w->x, drives_bound, step);
    const pkm_passage b = tool ? judge(w, &w->tool, NULL, tool_bound, step) : PKM_PASSAGE_CLEAR;
    w->stride = stride_of(&w->drives, step);
    if (tool) w->stride = fmin(w->stride, stride_of(&w->tool, step));
    if (a == PKM_PASSAGE_SINGULAR || b == PKM_PASSAGE_SINGULAR) return PKM_PASSAGE_SINGULAR;
    if (a == PKM_PASSAGE_DOUBT || b == PKM_PASSAGE_DOUBT) return PKM_PASSAGE_DOUBT;
    accept(&w->drives, step);
    if (tool) accept(&w->tool, step);
    w->together = tool;
    return PKM_PASSAGE_CLEAR;
}

static pkm_passage judge_step(pkm_watch* w, pkm_given given, double step, bool pass_near)
{
    pkm_watch_moved(w);
    if (!w->drives.system) return PKM_PASSAGE_CLEAR;
    const bool tool = given == PKM_GIVEN_TOOL && w->tool.system;
    const double drives_bound = find_bound(w, &w->drives, step);
    const double tool_bound = tool ? find_bound(w, &w->tool, step) : 0.0;
    if (!pass_near || !is_near(&w->drives, drives_bound, step) ||
        (tool && !is_near(&w->tool, tool_bound, step)))
        return look(w, tool, drives_bound, tool_bound, step);
    pass(&w->drives, step);
    if (tool) pass(&w->tool, step);
    return PKM_PASSAGE_CLEAR;
}

pkm_passage pkm_watch_step(pkm_watch* w, pkm_given given, double step)
{
    return judge_step(w, given, step, true);
}

pkm_passage pkm_watch_stage(pkm_watch* w, pkm_given given, double step)
{
    return judge_step(w, given, step, false);
}

double pkm_watch_change(const pkm_watch* w, pkm_given given)
{
    return given == PKM_GIVEN_TOOL ? w->tool.change : w->drives.change;
}

double pkm_watch_stride(const pkm_watch* w)
{
    return w->stride;
}

const double* pkm_watch_tangents(pkm_watch* w)
{
    if (w->drives.system && !w->has_tangents) fill_tangents(w, false);
    w->has_tangents = w->has_tool_tangents = true;
    return w->X;
}

const double* pkm_watch_tool_tangents(pkm_watch* w)
{
    if (w->drives.system && !w->has_tool_tangents) fill_tangents(w, true);
    w->has_tool_tangents = true;
    return w->X;
}

void pkm_watch_moved(pkm_watch* w)
{
    w->has_tangents = w->has_tool_tangents = false;
}
