// Which kinds of singularity a position has, by the one rule: singular values up to 1e-7 of the
// scaled rows are zero. docs/theory/engine.md, section 5, "Kinds".
#include "robot/singularity.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/assembly.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Rows of one system and their decomposition.
typedef struct work {
    pkm_state* state;
    const pkm_mechanism* mech;
    int n_v, n_row;
    int* row;
    double *matrix, *sigma, *U, *Vt, *room;
} work;

static int max_rows(const pkm_mechanism* mech)
{
    return mech->n_closure + mech->n_drive + PKM_TOOL_ALL + mech->n_v;
}

/// Room for all rows that a system may have; U and Vt whole, as their last columns are asked for.
static bool allocate(work* w)
{
    const size_t m = (size_t)max_rows(w->mech), n = (size_t)w->n_v;
    w->row = pkm_alloc(m, sizeof(int));
    w->matrix = pkm_alloc(m * n, sizeof(double));
    w->sigma = pkm_alloc(m > n ? m : n, sizeof(double));
    w->U = pkm_alloc(m * m, sizeof(double));
    w->Vt = pkm_alloc(n * n, sizeof(double));
    w->room = pkm_alloc(pkm_dense_svd_room((int)m, (int)n), sizeof(double));
    return w->row && w->matrix && w->sigma && w->U && w->Vt && w->room;
}

static void release(work* w)
{
    pkm_free(w->row);
    pkm_free(w->matrix);
    pkm_free(w->sigma);
    pkm_free(w->U);
    pkm_free(w->Vt);
    pkm_free(w->room);
}

static void take_rows(work* w, int from, int n)
{
    for (int i = 0; i < n; ++i)
        w->row[w->n_row++] = from + i;
}

/// Singular values of the rows W A U, lengths in robot sizes (3.2).
static pkm_status decompose(work* w)
{
    const size_t m = (size_t)w->n_row;
    pkm_rows_dense(w->state, w->row, w->n_row, w->matrix);
    for (int k = 0; k < w->n_v; ++k)
        for (int i = 0; i < w->n_row; ++i)
            // without units: a row in robot sizes, a velocity in its own
            w->matrix[(size_t)k * m + (size_t)i] *=
                w->mech->row[w->row[i]].weight * w->mech->v_unit[k];
    return pkm_dense_svd_with(w->matrix, w->n_row, w->n_v, w->sigma, w->U, w->Vt, w->room);
}

/// How many of the first `rank` singular values are zero; `least` is the smallest of them.
static int count_lost(const work* w, int rank, double limit, double* least)
{
    int lost = 0;
    *least = rank > 0 ? w->sigma[rank - 1] : 1.0;
    // singular values fall: the zeros are the last ones
    while (lost < rank && w->sigma[rank - 1 - lost] <= limit)
        ++lost;
    return lost;
}

// ---- words ------------------------------------------------------------------------------------

static void append(char* text, size_t size, const char* more)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/// Combine the `n` columns of T [6 x n] so that each has an entry of 1 where the others have 0:
/// what two directions span is then named by the axes, if it can be.
static int reduce_directions(double* T, int n)
{
    int rank = 0;
    bool used[PKM_TOOL_ALL] = {false};
    for (int step = 0; step < n; ++step) {
        // complete pivoting: the largest entry that is left, and of equal ones the first
        int best_c = rank, best_k = 0;
        double largest = 0.0;
        for (int c = rank; c < n; ++c)
            for (int k = 0; k < PKM_TOOL_ALL; ++k)
                if (!used[k] && fabs(T[6 * c + k]) > largest * (1.0 + 1e-9)) {
                    largest = fabs(T[6 * c + k]);
                    best_c = c;
                    best_k = k;
                }
        if (largest < 1e-3) return rank; // the tool does not take part in what is left
        for (int k = 0; k < PKM_TOOL_ALL; ++k) {
            const double swap = T[6 * best_c + k];
            T[6 * best_c + k] = T[6 * rank + k];
            T[6 * rank + k] = swap;
        }
        // its entry becomes 1, and 0 in all the others
        const double pivot = T[6 * rank + best_k];
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            T[6 * rank + k] /= pivot;
        for (int c = 0; c < n; ++c) {
            const double factor = c == rank ? 0.0 : T[6 * c + best_k];
            for (int k = 0; k < PKM_TOOL_ALL; ++k)
                T[6 * c + k] -= factor * T[6 * rank + k];
        }
        used[best_k] = true;
        ++rank;
    }
    return rank;
}

static void name_vector(const double* v, char* out, size_t size)
{
    // a direction in three digits
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double x[3];
    for (int k = 0; k < 3; ++k)
        // below the three digits that are shown
        x[k] = fabs(v[k]) < 5e-4 * length ? 0.0 : v[k] / length;
    snprintf(out, size, "(%.3g, %.3g, %.3g)", x[0], x[1], x[2]);
}

/// A twist in words: "moves along (1, 0, 0)", "turns about (0, 0, 1)", or both.
static void name_twist(const double* t, bool first, char* out, size_t size)
{
    // both in robot sizes, so that a part of a thousandth of the other is left out as rounding
    const double shift = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    const double turn = sqrt(t[3] * t[3] + t[4] * t[4] + t[5] * t[5]);
    char vector[64];
    if (!first) append(out, size, ", ");
    if (shift > 1e-3 * turn) {
        append(out, size, "moves along ");
        name_vector(t, vector, sizeof vector);
        append(out, size, vector);
    }
    if (turn > 1e-3 * shift) {
        append(out, size, shift > 1e-3 * turn ? " turning about " : "turns about ");
        name_vector(t + 3, vector, sizeof vector);
        append(out, size, vector);
    }
}

/// The body or slide whose joint moves most in the null motion `z`.
static void name_mover(const work* w, int z, char* out, size_t size)
{
    int best = 1;
    double largest = -1.0;
    for (int b = 1; b < w->mech->n_body; ++b)
        for (int k = w->mech->body[b].v_at; k < w->mech->body[b].v_at + w->mech->body[b].n_v; ++k) {
            // row z of Vt is the null motion, column k its velocity; equal ones are told by the
            // first
            const double part = fabs(w->Vt[(size_t)k * (size_t)w->n_v + (size_t)z]);
            if (part <= largest * (1.0 + 1e-9)) continue;
            largest = part;
            best = b;
        }
    append(out, size, w->mech->body[best].name);
}

bool pkm_singularity_name_twists(double* T, int n, char* out, size_t size)
{
    const int rank = reduce_directions(T, n);
    if (rank == 0) return false;
    append(out, size, "the tool ");
    for (int c = 0; c < rank; ++c)
        name_twist(T + 6 * c, c == 0, out, size);
    append(out, size, " with locked drives");
    return true;
}

/// What moves with locked drives: the last `n` right singular vectors of A_D.
static void name_free_motions(const work* w, int n, char* out, size_t size)
{
    double T[6 * PKM_TOOL_ALL] = {0.0};
    if (n > PKM_TOOL_ALL) n = PKM_TOOL_ALL;
    const pkm_mechanism* mech = w->mech;
    for (int c = 0; c < n && mech->tool != PKM_NONE; ++c) {
        // the tool's velocity in the null motion: its rows times the right singular vector
        const int z = w->n_v - 1 - c;
        for (int k = 0; k < PKM_TOOL_ALL; ++k) {
            const pkm_row* row = &mech->row[mech->tool_row_at + k];
            for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
                T[6 * c + k] += row->weight * w->state->jacobian[e] *
                                mech->v_unit[mech->column[e]] *
                                w->Vt[(size_t)mech->column[e] * (size_t)w->n_v + (size_t)z];
        }
    }
    if (pkm_singularity_name_twists(T, n, out, size)) return;
    name_mover(w, w->n_v - 1, out, size);
    append(out, size, " moves with locked drives and standing tool");
}

/// Where the tool cannot go: the tool's part of the last `n` left singular vectors of A_T.
static void name_lost_directions(const work* w, int n, char* out, size_t size)
{
    double T[6 * PKM_TOOL_ALL] = {0.0};
    if (n > PKM_TOOL_ALL) n = PKM_TOOL_ALL;
    for (int c = 0; c < n; ++c)
        for (int i = 0; i < w->n_row; ++i) {
            // a left singular vector over all rows; those of the tool say which of its motions is
            // lost
            const int at = w->row[i] - w->mech->tool_row_at;
            if (at < 0 || at >= PKM_TOOL_ALL) continue;
            T[6 * c + at] = w->U[(size_t)(w->n_v - 1 - c) * (size_t)w->n_row + (size_t)i];
        }
    const int rank = reduce_directions(T, n);
    if (rank == 0) return;
    append(out, size, "drives cannot give the tool a motion that ");
    for (int c = 0; c < rank; ++c)
        name_twist(T + 6 * c, c == 0, out, size);
}

/// "parallel", "serial", "constraint", "serial and parallel" ...; "near" for no kind.
static const char* kind_of(unsigned kinds)
{
    static const char* const name[] = {"near",
                                       "serial",
                                       "parallel",
                                       "serial and parallel",
                                       "constraint",
                                       "serial and constraint",
                                       "parallel and constraint",
                                       "serial, parallel and constraint"};
    return name[kinds & 7u];
}

void pkm_singularity_words(const pkm_singularity* s, char* out, size_t size)
{
    const int order = s->n_parallel + s->n_serial + s->n_constraint;
    snprintf(out, size, "%s singularity", kind_of(s->kinds));
    if (s->kinds == 0 && s->n_idle > 0)
        snprintf(out, size, "position in which an idle freedom is held no more");
    char text[40];
    if (order > 1) {
        snprintf(text, sizeof text, " of order %d", order);
        append(out, size, text);
    }
    if (s->lost[0] == '\0') return;
    append(out, size, " (");
    append(out, size, s->lost);
    append(out, size, ")");
}

// ---- the rule ---------------------------------------------------------------------------------

static pkm_status read_closures(work* w, const pkm_structure* structure, double limit,
                                pkm_singularity* out)
{
    // the generic rank at home: what the closures have lost beside it is c
    const int rank = w->mech->n_closure - structure->n_redundant;
    w->n_row = 0;
    take_rows(w, 0, w->mech->n_closure);
    if (rank <= 0) return PKM_OK;
    const pkm_status status = decompose(w);
    if (status == PKM_OK) out->n_constraint = count_lost(w, rank, limit, &out->sigma_closures);
    return status;
}

static void take_locks(work* w, const pkm_structure* structure)
{
    for (int i = 0; i < structure->n_lock; ++i)
        w->row[w->n_row++] = structure->lock[i];
}

/// Closures and drives alone leave the idle freedoms: more than those is lost by the drives.
static pkm_status count_beside_locks(work* w, const pkm_structure* structure, double limit,
                                     int* lost)
{
    double least;
    const int rank = w->n_v - structure->n_lock;
    w->n_row = 0;
    take_rows(w, 0, w->mech->n_closure);
    take_rows(w, w->mech->drive_row_at, w->mech->n_drive);
    const pkm_status status = decompose(w);
    if (status == PKM_OK) *lost = count_lost(w, rank < w->n_row ? rank : w->n_row, limit, &least);
    return status;
}

static pkm_status read_drives(work* w, const pkm_structure* structure, double limit,
                              pkm_singularity* out)
{
    w->n_row = 0;
    take_rows(w, 0, w->mech->n_closure);
    take_rows(w, w->mech->drive_row_at, w->mech->n_drive);
    take_locks(w, structure);
    // with fewer rows than velocities the drives do not hold the robot at all
    if (w->mech->n_drive == 0 || w->n_row < w->n_v) return PKM_OK;
    const pkm_status status = decompose(w);
    if (status != PKM_OK) return status;
    const int lost = count_lost(w, w->n_v, limit, &out->sigma_drives);
    if (lost > 0) name_free_motions(w, lost, out->lost, sizeof out->lost);
    int own = lost;
    if (lost > 0 && structure->n_lock > 0) PKM_TRY(count_beside_locks(w, structure, limit, &own));
    if (own > lost) own = lost;
    out->n_idle = lost - own;
    // A_D loses what the closures lose in any case
    out->n_parallel = own > out->n_constraint ? own - out->n_constraint : 0;
    return PKM_OK;
}

static pkm_status read_tool(work* w, const pkm_structure* structure, double limit,
                            pkm_singularity* out)
{
    if (!structure->tool_mode) return PKM_OK;
    w->n_row = 0;
    take_rows(w, 0, w->mech->n_closure);
    for (int k = 0; k < PKM_TOOL_ALL; ++k)
        if (structure->moves & (1u << k)) take_rows(w, w->mech->tool_row_at + k, 1);
    take_locks(w, structure);
    if (w->n_row < w->n_v) return PKM_OK;
    const pkm_status status = decompose(w);
    if (status != PKM_OK) return status;
    const int lost = count_lost(w, w->n_v, limit, &out->sigma_tool) - out->n_idle;
    // likewise A_T
    out->n_serial = lost > out->n_constraint ? lost - out->n_constraint : 0;
    if (out->n_serial == 0) return PKM_OK;
    if (out->lost[0] != '\0') append(out->lost, sizeof out->lost, "; ");
    name_lost_directions(w, lost, out->lost, sizeof out->lost);
    return PKM_OK;
}

/// A lower bound of the smallest singular value of the rows that the factors use, (5.11):
/// Frobenius' norm of their inverse bounds its 2-norm. `X` [PKM_SPARSE_MAX_UNIT n_v] and `units`
/// are work.
static double least_sigma(const pkm_state* state, const pkm_system* system, double* X,
                          double* units)
{
    const pkm_mechanism* mech = state->mech;
    double square = 0.0;
    for (int at = 0; at < system->n_row; at += PKM_SPARSE_MAX_UNIT) {
        int row[PKM_SPARSE_MAX_UNIT], n = 0;
        while (n < PKM_SPARSE_MAX_UNIT && at + n < system->n_row) {
            row[n] = at + n;
            ++n;
        }
        pkm_sparse_lu_solve_units(system->lu, row, n, X, units);
        for (int c = 0; c < n; ++c) {
            const double weight = mech->row[system->row[row[c]]].weight;
            for (int k = 0; k < mech->n_v; ++k) {
                const double x = X[c * mech->n_v + k] / (mech->v_unit[k] * weight);
                square += x * x;
            }
        }
    }
    return 1.0 / sqrt(square);
}

/// Do the factors use as many closures as are independent? Then these have no smaller singular
/// value than all rows in use.
static bool holds_closures(const pkm_state* state, const pkm_structure* structure,
                           const pkm_system* system)
{
    int n = 0;
    for (int i = 0; i < system->n_row; ++i)
        n += system->row[i] < state->mech->n_closure && pkm_sparse_lu_uses_row(system->lu, i);
    return n == state->mech->n_closure - structure->n_redundant;
}

pkm_status pkm_singularity_is_far(pkm_state* state, const pkm_structure* structure, double limit,
                                  bool* is_far)
{
    pkm_system *drives = &state->system[PKM_GIVEN_DRIVES], *tool = &state->system[PKM_GIVEN_TOOL];
    const size_t size = PKM_SPARSE_MAX_UNIT * (size_t)state->mech->n_v;
    *is_far = false;
    if (!drives->lu || (structure->tool_mode && !tool->lu)) return PKM_OK;
    pkm_kinematics_position(state);
    pkm_rows_closures(state);
    if (pkm_solve_factor(state, PKM_GIVEN_DRIVES) != PKM_OK) return PKM_OK;
    if (structure->tool_mode && pkm_solve_factor(state, PKM_GIVEN_TOOL) != PKM_OK) return PKM_OK;
    if (!holds_closures(state, structure, drives)) return PKM_OK;
    double* X = pkm_alloc(2 * size, sizeof *X);
    if (!X) return PKM_ERR_MEMORY;
    *is_far = least_sigma(state, drives, X, X + size) > limit &&
              (!structure->tool_mode || least_sigma(state, tool, X, X + size) > limit);
    pkm_free(X);
    return PKM_OK;
}

pkm_status pkm_singularity_read(pkm_state* state, const pkm_structure* structure, double limit,
                                pkm_singularity* out)
{
    static const pkm_target anywhere;
    *out = (pkm_singularity){.sigma_drives = 1.0, .sigma_tool = 1.0, .sigma_closures = 1.0};
    work w = {.state = state, .mech = state->mech, .n_v = state->mech->n_v};
    if (w.n_v == 0) return PKM_OK;
    pkm_status status = allocate(&w) ? PKM_OK : PKM_ERR_MEMORY;
    pkm_kinematics_position(state);
    pkm_rows_all(state, &anywhere);
    if (status == PKM_OK) status = read_closures(&w, structure, limit, out);
    if (status == PKM_OK) status = read_drives(&w, structure, limit, out);
    if (status == PKM_OK) status = read_tool(&w, structure, limit, out);
    release(&w);
    out->kinds = (out->n_serial > 0 ? PKM_SINGULAR_SERIAL : 0u) |
                 (out->n_parallel > 0 ? PKM_SINGULAR_PARALLEL : 0u) |
                 (out->n_constraint > 0 ? PKM_SINGULAR_CONSTRAINT : 0u);
    return status;
}
