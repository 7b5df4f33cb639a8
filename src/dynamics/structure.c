// What can move, what is redundant, what is idle: ranks of the closures, at home and nearby, and
// null spaces. docs/theory/engine.md, section 3.
#include "dynamics/structure.h"
#include "math/lapack.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/assembly.h"
#include "dynamics/idle.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "dynamics/rows_rank.h"
#include "math/dot.h"

#include <string.h>

static const double RANK_LIMIT = 1e-8; // of the largest singular value
// Loops that close to rounding tell the distance from a constraint singularity only to its square
// root: what is nearer lies on neither branch.
static const double NEAR_LIMIT = 1e-6;
static const double MOVES_LIMIT = 1e-7; // of the largest velocity: a component that does not move
enum { PROBES = 2 };                    // nearby positions that tell the generic rank

/// Work of the analysis: dense matrices of the closures and drives.
typedef struct work {
    pkm_state* state;
    const pkm_mechanism* mech;
    int n;          ///< velocities
    double* matrix; ///< [n_row x n], destroyed by the decomposition
    double* sigma;  ///< [max]
    double* U;      ///< [n_row x n_row]
    double* VT;     ///< [n x n]
    int* row;
    double* q_home;
    double* Z;   ///< [n x n] null space
    double* svd; ///< work memory of the decomposition
} work;

static int max_rows(const pkm_mechanism* mech)
{
    return mech->n_closure + mech->n_drive + mech->n_v;
}

static bool is_large(const work* w)
{
    return w->n > PKM_LARGE_MECHANISM;
}

static bool allocate(work* w)
{
    const size_t m = (size_t)max_rows(w->mech), n = (size_t)w->n;
    // the largest system: closures, drives and every velocity held
    const size_t most = m > n ? m : n;
    w->row = pkm_alloc(m, sizeof(int));
    w->q_home = pkm_alloc((size_t)w->mech->n_q, sizeof(double));
    // by elimination then, which needs no dense matrix
    if (is_large(w)) return w->row && w->q_home;
    w->matrix = pkm_alloc(m * n, sizeof(double));
    w->sigma = pkm_alloc(most, sizeof(double));
    w->U = pkm_alloc(m * m, sizeof(double));
    w->VT = pkm_alloc(n * n, sizeof(double));
    w->Z = pkm_alloc(n * n, sizeof(double));
    w->svd = pkm_alloc(pkm_dgesvd_room((int)m, w->n), sizeof(double));
    return w->svd && w->matrix && w->sigma && w->U && w->VT && w->Z && w->row && w->q_home;
}

static void release(work* w)
{
    pkm_free(w->matrix);
    pkm_free(w->sigma);
    pkm_free(w->U);
    pkm_free(w->VT);
    pkm_free(w->Z);
    pkm_free(w->svd);
    pkm_free(w->row);
    pkm_free(w->q_home);
}

/// Scale the first n_row rows in w->row: lengths are measured in robot sizes.
static void fill_matrix(work* w, int n_row)
{
    pkm_rows_dense(w->state, w->row, n_row, w->matrix);
    for (int k = 0; k < w->n; ++k)
        for (int i = 0; i < n_row; ++i)
            w->matrix[(size_t)k * (size_t)n_row + (size_t)i] *=
                w->mech->row[w->row[i]].weight * w->mech->v_unit[k];
}

/// The rank that the singular values of n_row rows tell: those above `limit` times the largest.
static int rank_of(const work* w, int n_row, double limit)
{
    const int most = n_row < w->n ? n_row : w->n;
    int rank = 0;
    // sorted, the largest first: relative to it
    while (rank < most && w->sigma[rank] > pkm_rank_limit(w->mech, limit) * w->sigma[0])
        ++rank;
    return rank;
}

/// The rank of the first n_row rows in w->row next to a singularity, without null spaces.
static int measure_rank(work* w, int n_row)
{
    if (w->n == 0 || n_row == 0) return 0;
    // destroys the matrix, which is filled anew for every decomposition
    fill_matrix(w, n_row);
    pkm_dgesvd('N', 'N', n_row, w->n, w->matrix, n_row, w->sigma, w->U, n_row, w->VT, w->n, w->svd,
               pkm_dgesvd_room(n_row, w->n));
    return rank_of(w, n_row, NEAR_LIMIT);
}

/// Singular values of the first n_row rows in w->row. Returns the rank; the null space is in the
/// last columns of VT', the left one, where it is asked for, in those of U.
static int decompose(work* w, int n_row, bool with_left)
{
    if (w->n == 0) { // nothing can move: every row follows from the others
        for (int i = 0; i < n_row * n_row; ++i)
            w->U[i] = i % (n_row + 1) == 0 ? 1.0 : 0.0;
        w->sigma[0] = 0.0;
        return 0;
    }
    if (n_row == 0) {
        for (int i = 0; i < w->n * w->n; ++i)
            w->VT[i] = i % (w->n + 1) == 0 ? 1.0 : 0.0;
        w->sigma[0] = 0.0;
        return 0;
    }
    fill_matrix(w, n_row);
    pkm_dgesvd(with_left ? 'A' : 'N', 'A', n_row, w->n, w->matrix, n_row, w->sigma, w->U, n_row,
               w->VT, w->n, w->svd, pkm_dgesvd_room(n_row, w->n));
    return rank_of(w, n_row, RANK_LIMIT);
}

static void evaluate(work* w)
{
    static const pkm_target anywhere;
    pkm_kinematics_position(w->state);
    pkm_rows_all(w->state, &anywhere);
}

static int take_closures(work* w)
{
    for (int i = 0; i < w->mech->n_closure; ++i)
        w->row[i] = i;
    return w->mech->n_closure;
}

/// A step along the null space of the closures here, which VT has.
static void step_aside(work* w, int rank_here, unsigned* seed)
{
    memset(w->state->step, 0, (size_t)w->n * sizeof(double));
    for (int z = rank_here; z < w->n; ++z) {
        // 0.03 rad or robot sizes: far enough to leave a singular set, near enough to come back to
        // the loops
        const double amount = 0.03 * pkm_noise(seed);
        for (int k = 0; k < w->n; ++k)
            w->state->step[k] +=
                amount * w->mech->v_unit[k] * w->VT[(size_t)k * (size_t)w->n + (size_t)z];
    }
}

/// Is the rank of the closures larger at nearby positions that satisfy them? w->sigma and VT are
/// those of the closures here.
static bool is_singular(work* w)
{
    unsigned seed = 20111u;
    const int n_row = w->mech->n_closure, rank_here = rank_of(w, n_row, NEAR_LIMIT);
    bool larger = false;
    if (rank_here == w->n || rank_here == n_row) return false; // it cannot be
    memcpy(w->q_home, w->state->q, (size_t)w->mech->n_q * sizeof(double));
    for (int p = 0; p < PROBES; ++p) {
        step_aside(w, rank_here, &seed);
        pkm_state_move(w->mech, w->state->q, w->state->step);
        pkm_assembly_report report;
        // a probe that does not assemble tells nothing
        if (pkm_assemble(w->state, NULL, 0, NULL, 1.0, &report) == PKM_OK) {
            evaluate(w);
            larger = larger || measure_rank(w, take_closures(w)) > rank_here;
        }
        memcpy(w->state->q, w->q_home, (size_t)w->mech->n_q * sizeof(double));
    }
    evaluate(w);
    return larger;
}

// ---- redundant closures -----------------------------------------------------------------------

/// Name the rows that depend on the others: pivoted elimination of the left null space.
static void pick_redundant(work* w, int n_row, int rank, pkm_structure* out)
{
    const int n_null = n_row - rank;
    // columns of U behind the rank
    double* N = w->U + (size_t)n_row * (size_t)rank; // [n_row x n_null]
    for (int z = 0; z < n_null; ++z) {
        // the row with the largest entry left over; of equals the last, so that the first limb
        // keeps its constraints
        int best = 0;
        double largest = -1.0;
        for (int i = 0; i < n_row; ++i) {
            double size = 0.0;
            for (int k = z; k < n_null; ++k)
                size += N[(size_t)k * (size_t)n_row + (size_t)i] *
                        N[(size_t)k * (size_t)n_row + (size_t)i];
            // nearly equal counts as equal, else rounding would choose between symmetric limbs
            if (size >= largest * (1.0 - 1e-9)) {
                largest = size;
                best = i;
            }
        }
        out->redundant[z] = w->row[best];
        // turn the remaining null vectors so that only the z-th has an entry in that row
        for (int k = z + 1; k < n_null; ++k) {
            double *a = N + (size_t)z * (size_t)n_row, *b = N + (size_t)k * (size_t)n_row;
            const double r = hypot(a[best], b[best]);
            if (r == 0.0) continue;
            const double c = a[best] / r, s = b[best] / r;
            for (int i = 0; i < n_row; ++i) {
                const double ai = a[i], bi = b[i];
                a[i] = c * ai + s * bi;
                b[i] = c * bi - s * ai;
            }
        }
    }
}

static pkm_status find_redundant(work* w, pkm_structure* out)
{
    const int n_row = take_closures(w), rank = decompose(w, n_row, true);
    const int most = n_row < w->n ? n_row : w->n;
    out->n_redundant = n_row - rank;
    out->mobility = w->n - rank; // (3.3)
    // the singular values on both sides of the decision: how clear it is
    out->rank_gap[0] = rank > 0 ? w->sigma[rank - 1] : 0.0;
    out->rank_gap[1] = rank < most ? w->sigma[rank] : 0.0;
    out->redundant = pkm_alloc((size_t)out->n_redundant, sizeof(int));
    if (!out->redundant) return PKM_ERR_MEMORY;
    if (out->n_redundant > 0) pick_redundant(w, n_row, rank, out);
    return PKM_OK;
}

// ---- idle and uncontrolled freedoms -----------------------------------------------------------

/// Value of row r on the null vector z (columns of Z), both without units.
static double row_times(const work* w, int r, const double* z)
{
    const pkm_row* row = &w->mech->row[r];
    double sum = 0.0;
    for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
        sum += w->state->jacobian[e] * w->mech->v_unit[w->mech->column[e]] * z[w->mech->column[e]];
    return row->weight * sum;
}

/// Lock the null motion that row r sees: turn the null space so that only its first vector moves
/// r, then drop that vector. Returns whether r saw anything.
static bool lock_with(work* w, int r, int* n_null)
{
    // as r sees them, z_0 gets the hypotenuse and all others nothing
    double* z0 = w->Z;
    for (int k = 1; k < *n_null; ++k) {
        double* zk = w->Z + (size_t)k * (size_t)w->n;
        const double a = row_times(w, r, z0), b = row_times(w, r, zk), h = hypot(a, b);
        if (h == 0.0) continue;
        for (int i = 0; i < w->n; ++i) {
            const double x = z0[i], y = zk[i];
            z0[i] = (a * x + b * y) / h;
            zk[i] = (a * y - b * x) / h;
        }
    }
    // vectors of Z are unit: a row sees a motion or it does not
    if (*n_null == 0 || fabs(row_times(w, r, z0)) < 1e-6) return false;
    --*n_null;
    memmove(w->Z, w->Z + w->n, (size_t)*n_null * (size_t)w->n * sizeof(double));
    return true;
}

/// Take the motions that carry the tool out of the null space; returns how many there are. Without
/// a tool all count.
static int take_tool_motions(work* w, int* n_null)
{
    int n = w->mech->tool == PKM_NONE ? *n_null : 0;
    // components of the tool as rows, one after the other: at most six motions carry it
    for (int k = 0; w->mech->tool != PKM_NONE && k < PKM_TOOL_ALL; ++k)
        n += lock_with(w, w->mech->tool_row_at + k, n_null);
    return n;
}

/// The tree velocity that the remaining null motions move most.
static int most_moved(const work* w, int n_null)
{
    int best = 0;
    double largest = -1.0;
    for (int k = 0; k < w->n; ++k) {
        double size = 0.0;
        for (int z = 0; z < n_null; ++z)
            size += w->Z[(size_t)z * (size_t)w->n + (size_t)k] *
                    w->Z[(size_t)z * (size_t)w->n + (size_t)k];
        if (size > largest) {
            largest = size;
            best = k;
        }
    }
    return best;
}

/// With the drives locked, what can still move: spins of rods first, then tree coordinates.
static pkm_status find_idle(work* w, pkm_structure* out)
{
    int n_row = take_closures(w);
    for (int d = 0; d < w->mech->n_drive; ++d)
        w->row[n_row++] = w->mech->drive_row_at + d;
    const int rank = decompose(w, n_row, false);
    int n_null = w->n - rank;
    // with independent drives the rank grows by one for each
    out->drives_unique = rank == w->n - out->mobility + w->mech->n_drive;
    // the decomposition has null vectors as rows of VT
    for (int z = 0; z < n_null; ++z)
        for (int k = 0; k < w->n; ++k)
            w->Z[(size_t)z * (size_t)w->n + (size_t)k] =
                w->VT[(size_t)k * (size_t)w->n + (size_t)(rank + z)];
    out->lock = pkm_alloc((size_t)n_null, sizeof(int));
    if (!out->lock) return PKM_ERR_MEMORY;
    // spins first: a rod that turns about its line is named as that
    for (int s = 0; s < w->mech->n_spin && n_null > 0; ++s) {
        const int r = w->mech->spin_row_at + s;
        if (!lock_with(w, r, &n_null)) continue;
        out->lock[out->n_lock++] = r;
        ++out->n_idle;
    }
    // what is left: motions that carry the tool are not idle but uncontrolled
    out->n_uncontrolled = take_tool_motions(w, &n_null);
    // without a tool nothing tells idle from uncontrolled
    if (w->mech->tool == PKM_NONE) n_null = 0;
    out->n_idle += n_null;
    while (n_null > 0) {
        const int r = w->mech->hold_row_at + most_moved(w, n_null);
        // one that nothing sees is rounding
        if (!lock_with(w, r, &n_null)) break;
        out->lock[out->n_lock++] = r;
    }
    return PKM_OK;
}

// ---- systems ----------------------------------------------------------------------------------

static pkm_status set_system(work* w, const pkm_structure* out, pkm_given given)
{
    int n_row = take_closures(w);
    if (given == PKM_GIVEN_DRIVES)
        for (int d = 0; d < w->mech->n_drive; ++d)
            w->row[n_row++] = w->mech->drive_row_at + d;
    else
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            if (out->moves & (1u << k)) w->row[n_row++] = w->mech->tool_row_at + k;
    // idle freedoms stand still in both
    for (int i = 0; i < out->n_lock; ++i)
        w->row[n_row++] = out->lock[i];
    return pkm_state_set_system(w->state, given, w->row, n_row);
}

/// Tool components that move when the drives do.
static unsigned find_moves(work* w)
{
    if (w->mech->tool == PKM_NONE) return 0;
    double speed[PKM_TOOL_ALL] = {0.0}, fastest = 0.0;
    for (int d = 0; d < w->mech->n_drive; ++d) {
        pkm_target target = {.v = {0.0}};
        target.v[d] = 1.0;
        pkm_solve_velocity(w->state, PKM_GIVEN_DRIVES, &target);
        // at home; components that do not move there but elsewhere are taken for still
        const pkm_frame_motion tool = pkm_state_marker_motion(w->state, w->mech->tool);
        const double size = w->mech->size;
        const double now[PKM_TOOL_ALL] = {tool.v.x / size, tool.v.y / size, tool.v.z / size,
                                          tool.w.x,        tool.w.y,        tool.w.z};
        for (int k = 0; k < PKM_TOOL_ALL; ++k) {
            speed[k] = fmax(speed[k], fabs(now[k]));
            fastest = fmax(fastest, speed[k]);
        }
    }
    memset(w->state->v, 0, (size_t)w->n * sizeof(double));
    pkm_kinematics_velocity(w->state);
    unsigned moves = 0;
    for (int k = 0; k < PKM_TOOL_ALL; ++k)
        if (speed[k] > pkm_rank_limit(w->mech, MOVES_LIMIT) * fastest) moves |= 1u << k;
    return moves;
}

static int count_bits(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        ++count;
    return count;
}

static pkm_status set_systems(work* w, pkm_structure* out)
{
    static const pkm_target anywhere;
    // a system of drives would be singular
    if (out->n_uncontrolled > 0 || w->mech->n_drive == 0) return PKM_OK;
    PKM_TRY(set_system(w, out, PKM_GIVEN_DRIVES));
    const pkm_status status = pkm_solve_prepare(w->state, PKM_GIVEN_DRIVES, &anywhere);
    // singular with these drives: no system, and the structure says so
    if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_OK;

    const unsigned moves = find_moves(w);
    // the model may say which components count
    out->moves = w->mech->tool_moves ? w->mech->tool_moves : moves;
    out->tool_turns = ((moves | out->moves) >> PKM_TOOL_RX) != 0;
    // as many components as drives, else inverse kinematics is not square
    if (w->mech->tool == PKM_NONE || count_bits(out->moves) != w->mech->n_drive) return PKM_OK;
    PKM_TRY(set_system(w, out, PKM_GIVEN_TOOL));
    const pkm_status tool = pkm_solve_prepare(w->state, PKM_GIVEN_TOOL, &anywhere);
    out->tool_mode = tool == PKM_OK;
    return tool == PKM_ERR_MEMORY ? tool : PKM_OK;
}

static int gruebler_count(const pkm_mechanism* mech)
{
    int count = 6 * (mech->n_body - 1);
    for (int j = 0; j < mech->n_joint; ++j) {
        // 6 (n - 1) less what joints take; a driven rod takes nothing
        const bool driven_length = mech->joint[j].drive != PKM_NONE;
        count -= driven_length ? 0 : 6 - pkm_joint_freedoms(mech->joint[j].type);
    }
    return count;
}

// ---- large mechanisms: ranks by sparse elimination --------------------------------------------

static pkm_status list_redundant(work* w, const bool* used, pkm_structure* out)
{
    out->redundant = pkm_alloc((size_t)out->n_redundant, sizeof(int));
    if (!out->redundant) return PKM_ERR_MEMORY;
    for (int i = 0, n = 0; i < w->mech->n_closure; ++i)
        if (!used[i]) out->redundant[n++] = i;
    return PKM_OK;
}

/// Spins that have a pivot beside closures and drives are idle; velocities left without one are
/// held, and count as uncontrolled.
static pkm_status list_locks(work* w, bool* used_row, bool* used_column, pkm_structure* out)
{
    int n_row = take_closures(w), rank;
    // rank of closures and drives, then with the spins: each that adds one is idle
    for (int d = 0; d < w->mech->n_drive; ++d)
        w->row[n_row++] = w->mech->drive_row_at + d;
    PKM_TRY(pkm_rows_rank(w->state, w->row, n_row, pkm_rank_limit(w->mech, RANK_LIMIT), &rank, NULL,
                          NULL));
    out->drives_unique = rank == w->n - out->mobility + w->mech->n_drive;
    const int spin_at = n_row;
    for (int s = 0; s < w->mech->n_spin; ++s)
        w->row[n_row++] = w->mech->spin_row_at + s;
    int with_spins;
    PKM_TRY(pkm_rows_rank(w->state, w->row, n_row, pkm_rank_limit(w->mech, RANK_LIMIT), &with_spins,
                          used_row, used_column));
    out->lock = pkm_alloc((size_t)(w->n - rank), sizeof(int));
    if (!out->lock) return PKM_ERR_MEMORY;
    out->n_idle = with_spins - rank;
    for (int s = 0; s < w->mech->n_spin && out->n_lock < out->n_idle; ++s)
        if (used_row[spin_at + s]) out->lock[out->n_lock++] = w->mech->spin_row_at + s;
    for (int k = 0; k < w->n; ++k)
        if (!used_column[k]) out->lock[out->n_lock++] = w->mech->hold_row_at + k;
    out->n_uncontrolled = w->n - with_spins;
    return PKM_OK;
}

static pkm_status analyse_large(work* w, pkm_structure* out)
{
    int rank;
    bool* used_row = pkm_alloc((size_t)max_rows(w->mech), sizeof(bool));
    bool* used_column = pkm_alloc((size_t)w->n, sizeof(bool));
    pkm_status status = used_row && used_column ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK)
        status = pkm_rows_rank(w->state, w->row, take_closures(w),
                               pkm_rank_limit(w->mech, RANK_LIMIT), &rank, used_row, NULL);
    if (status == PKM_OK) {
        // (3.3)
        out->mobility = w->n - rank;
        out->n_redundant = w->mech->n_closure - rank;
        status = list_redundant(w, used_row, out);
    }
    if (status == PKM_OK) status = list_locks(w, used_row, used_column, out);
    pkm_free(used_row);
    pkm_free(used_column);
    return status;
}

static pkm_status analyse(work* w, pkm_structure* out)
{
    out->gruebler = gruebler_count(w->mech);
    evaluate(w);
    if (is_large(w)) {
        PKM_TRY(analyse_large(w, out));
    } else {
        PKM_TRY(find_redundant(w, out));
        out->singular_here = is_singular(w);
        PKM_TRY(find_idle(w, out));
    }
    // spins alone can be harmless
    const int n_idle = out->n_idle < out->n_lock ? out->n_idle : out->n_lock;
    out->n_harmless = out->n_held = pkm_idle_sort(w->mech, out->lock, n_idle);
    // a tool on a rod that spins: its turn is not determined by the drives
    for (int i = 0; i < n_idle && w->mech->tool != PKM_NONE; ++i) {
        const pkm_row* row = &w->mech->row[out->lock[i]];
        out->tool_spins = out->tool_spins || (row->kind == PKM_ROW_SPIN &&
                                              pkm_spins_with(w->mech, w->mech->tool, row->item));
    }
    return set_systems(w, out);
}

pkm_status pkm_structure_find(pkm_state* state, pkm_structure* out, pkm_error* err)
{
    *out = (pkm_structure){0};
    work w = {.state = state, .mech = state->mech, .n = state->mech->n_v};
    const pkm_status status = allocate(&w) ? analyse(&w, out) : PKM_ERR_MEMORY;
    release(&w);
    if (status == PKM_OK) return PKM_OK;
    pkm_structure_free(out);
    return pkm_fail(err, status, "structure: %s", pkm_status_text(status));
}

void pkm_structure_free(pkm_structure* structure)
{
    if (!structure) return;
    pkm_free(structure->lock);
    pkm_free(structure->redundant);
    *structure = (pkm_structure){0};
}
