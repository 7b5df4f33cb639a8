// Independent coordinates of the elastic model: x = T y meets every constraint exactly,
// docs/theory/modes.md, section 3.
#include "dynamics/idle.h"
#include "linear/elastic_model.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

// A row that is left with entries below this, all scaled to about 1, follows from the others.
static const double REDUNDANT = 1e-9;
enum { N_RIGID = 6 }; // the first coordinates of a reduced link
// Entries of T below this are rounding.
static const double NOTHING = 1e-14;

// ---- rows -------------------------------------------------------------------------------------

/// The momentum M s of a part that spins; `most` grows to its largest entry, `mass` to that of M.
static void add_momentum(const pkm_elastic* e, const elastic_part* part, const pkm_rod_line* line,
                         double* out, double* most, double* mass)
{
    elastic_spin(part, line->along, line->at, e->work_x);
    pkm_dsymv('L', part->n, 1.0, part->M, part->n, e->work_x, 1, 0.0, out + part->at, 1);
    for (int k = 0; k < part->n; ++k) {
        *most = fmax(*most, fabs(out[part->at + k]));
        *mass = fmax(*mass, part->M[(size_t)k * (size_t)part->n + (size_t)k]);
    }
}

void elastic_spin_row(const pkm_elastic* e, const elastic_row* row, double* out)
{
    const pkm_mechanism* mech = e->mech;
    const int rod = mech->row[mech->spin_row_at + row->frame_b].item;
    const pkm_rod_line line = mech->spin_line[row->frame_b];
    const elastic_part* part = &e->part[row->part_b];
    double most = 0.0, mass = 0.0;
    for (int body = 1; body < mech->n_body; ++body) { // what is welded to the rod spins with it
        pkm_pose at;
        if (!pkm_rod_carries(mech, rod, body, &at)) continue;
        at = pkm_pose_inverse(at);
        const pkm_rod_line there = {pkm_pose_point(at, line.at), pkm_quat_rotate(at.q, line.along),
                                    line.length};
        add_momentum(e, &e->part[e->part_of[body]], &there, out, &most, &mass);
    }
    // (M s)' x = 0; a spin without inertia is held by s' x = 0
    if (most > 1e-12 * mass) return;
    elastic_spin(part, line.along, line.at, e->work_x);
    memcpy(out + part->at, e->work_x, (size_t)part->n * sizeof *out);
}

/// Row `i` of A in scaled coordinates x_k / unit_k, its largest entry 1.
static void fill_row(pkm_elastic* e, int i)
{
    const elastic_row* row = &e->row[i];
    double *a = e->A + (size_t)i * (size_t)e->n_all, largest = 0.0;
    memset(a, 0, (size_t)e->n_all * sizeof *a);
    if (row->kind == ROW_VECTOR)
        elastic_spin_row(e, row, a);
    else
        elastic_row_add(e, row, 1.0, a);
    for (int p = 0; p < e->n_part; ++p)
        for (int k = 0; k < e->part[p].n; ++k) {
            double* entry = &a[e->part[p].at + k];
            // x_k / unit_k are of alike size, so that the largest entry is a good pivot
            *entry *= e->part[p].unit[k];
            largest = fabs(*entry) > largest ? fabs(*entry) : largest;
        }
    if (largest > 0.0) pkm_dscal(e->n_all, 1.0 / largest, a, 1);
}

/// Coordinates that occur in a row, in `touched`; their number.
static int find_touched(pkm_elastic* e)
{
    int n = 0;
    memset(e->filled, 0, (size_t)e->n_all * sizeof *e->filled);
    for (int i = 0; i < e->n_row; ++i)
        for (int k = 0; k < e->n_all; ++k)
            e->filled[k] |= e->A[(size_t)i * (size_t)e->n_all + (size_t)k] != 0.0;
    for (int k = 0; k < e->n_all; ++k)
        if (e->filled[k]) e->touched[n++] = k;
    return n;
}

// ---- elimination ------------------------------------------------------------------------------

// Entries that differ by less are equal: of these the first is taken, whatever rounding says.
static const double EQUAL = 1.0 + 1e-9;

/// The largest entry of row `i` and its column.
static void find_lead(pkm_elastic* e, int i, int n_touched)
{
    const double* a = e->A + (size_t)i * (size_t)e->n_all;
    double largest = REDUNDANT;
    e->pivot[i] = PKM_NONE;
    for (int t = 0; t < n_touched; ++t) {
        // of equals the first: rounding must not choose
        if (fabs(a[e->touched[t]]) <= largest * EQUAL) continue;
        largest = fabs(a[e->touched[t]]);
        e->pivot[i] = e->touched[t];
    }
    e->lead[i] = largest;
}

/// The row from `from` on that has the largest entry; PKM_NONE when there is none beyond rounding.
static int find_pivot(const pkm_elastic* e, int from)
{
    double largest = REDUNDANT;
    int row = PKM_NONE;
    for (int i = from; i < e->n_row; ++i) {
        if (e->lead[i] <= largest * EQUAL) continue;
        largest = e->lead[i];
        row = i;
    }
    return row;
}

/// Divide row `r` by its entry in `column`; where it is not zero, in `filled`: their number.
static int scale_pivot(pkm_elastic* e, int r, int column, int n_touched)
{
    double* pivot = e->A + (size_t)r * (size_t)e->n_all;
    const double f = 1.0 / pivot[column];
    int n = 0;
    for (int t = 0; t < n_touched; ++t) {
        const int k = e->touched[t];
        if (pivot[k] == 0.0) continue;
        pivot[k] *= f;
        e->filled[n++] = k;
    }
    pivot[column] = 1.0;
    return n;
}

/// Gauss and Jordan: afterwards column `column` is zero but for a 1 in row `r`. Rows that change
/// after `r` look for their largest entry anew.
static void clear_column(pkm_elastic* e, int r, int column, int n_touched)
{
    const double* pivot = e->A + (size_t)r * (size_t)e->n_all;
    const int n_filled = scale_pivot(e, r, column, n_touched);
    for (int i = 0; i < e->n_row; ++i) {
        double* a = e->A + (size_t)i * (size_t)e->n_all;
        const double g = a[column];
        if (i == r || g == 0.0) continue;
        for (int t = 0; t < n_filled; ++t)
            a[e->filled[t]] -= g * pivot[e->filled[t]];
        a[column] = 0.0;
        if (i > r) find_lead(e, i, n_touched);
    }
}

static void swap_rows(pkm_elastic* e, int i, int j)
{
    if (i == j) return;
    pkm_dswap(e->n_all, e->A + (size_t)i * (size_t)e->n_all, 1, e->A + (size_t)j * (size_t)e->n_all,
              1);
    const double lead = e->lead[i];
    const int column = e->pivot[i];
    e->lead[i] = e->lead[j];
    e->pivot[i] = e->pivot[j];
    e->lead[j] = lead;
    e->pivot[j] = column;
}

static double unit_of(const pkm_elastic* e, int k)
{
    int p = e->n_part - 1;
    while (e->part[p].at > k)
        --p;
    return e->part[p].unit[k - e->part[p].at];
}

/// D from the rows of A, in the true units: x_dep = -unit_dep sum a_k x_k / unit_k.
static void make_D(pkm_elastic* e, const int* dependent, int n_touched)
{
    for (int r = 0; r < e->n_dependent; ++r) {
        double *d = e->D + (size_t)r * (size_t)e->n_all, *a = e->A + (size_t)r * (size_t)e->n_all;
        memset(d, 0, (size_t)e->n * sizeof *d);
        for (int t = 0; t < n_touched; ++t) {
            const int k = e->touched[t];
            if (e->index[k] < 0 || fabs(a[k]) < NOTHING) continue;
            d[e->index[k]] = -unit_of(e, dependent[r]) * a[k] / unit_of(e, k);
        }
    }
}

void elastic_eliminate(pkm_elastic* e)
{
    for (int i = 0; i < e->n_row; ++i)
        fill_row(e, i);
    const int n_touched = find_touched(e);
    int row, *dependent = e->dependent;
    for (int i = 0; i < e->n_row; ++i)
        find_lead(e, i, n_touched);
    e->n_dependent = 0;
    // Gauss-Jordan with the largest pivot: each row of the joints gives one coordinate by the
    // others
    while ((row = find_pivot(e, e->n_dependent)) != PKM_NONE) {
        const int r = e->n_dependent++;
        swap_rows(e, row, r);
        dependent[r] = e->pivot[r];
        clear_column(e, r, dependent[r], n_touched);
    }
    // index: the place among the free ones, or -1 - r for the r-th dependent one
    for (int k = 0; k < e->n_all; ++k)
        e->index[k] = 0;
    for (int r = 0; r < e->n_dependent; ++r)
        e->index[dependent[r]] = -1 - r;
    e->n = 0;
    for (int k = 0; k < e->n_all; ++k) {
        if (e->index[k] < 0) continue;
        e->free[e->n] = k;
        e->index[k] = e->n++;
    }
    make_D(e, dependent, n_touched);
}

void pkm_elastic_expand(const pkm_elastic* e, const double* y, double* x)
{
    for (int k = 0; k < e->n_all; ++k)
        x[k] = e->index[k] >= 0
                   ? y[e->index[k]]
                   : pkm_ddot(e->n, e->D + (size_t)(-1 - e->index[k]) * (size_t)e->n_all, 1, y, 1);
}

void pkm_elastic_restrict(const pkm_elastic* e, const double* fx, double* fy)
{
    for (int i = 0; i < e->n; ++i)
        fy[i] = fx[e->free[i]];
    for (int k = 0; k < e->n_all; ++k)
        // T' f: what acts on a dependent coordinate acts on those it follows
        if (e->index[k] < 0 && fx[k] != 0.0)
            pkm_daxpy(e->n, fx[k], e->D + (size_t)(-1 - e->index[k]) * (size_t)e->n_all, 1, fy, 1);
}

// ---- matrices ---------------------------------------------------------------------------------

/// Independent coordinates that move the part, in `touched`, and its rows of T over these: n x m.
static int local_T(pkm_elastic* e, const elastic_part* part, double* T)
{
    int m = 0;
    for (int i = 0; i < e->n; ++i) {
        // most parts follow few coordinates: products are made over these alone
        bool moves = e->free[i] >= part->at && e->free[i] < part->at + part->n;
        for (int k = part->at; k < part->at + part->n && !moves; ++k)
            moves = e->index[k] < 0 &&
                    e->D[(size_t)(-1 - e->index[k]) * (size_t)e->n_all + (size_t)i] != 0.0;
        if (moves) e->touched[m++] = i;
    }
    for (int c = 0; c < m; ++c)
        for (int k = 0; k < part->n; ++k) {
            const int at = e->index[part->at + k], i = e->touched[c];
            T[(size_t)c * (size_t)part->n + (size_t)k] =
                at >= 0 ? (at == i ? 1.0 : 0.0)
                        : e->D[(size_t)(-1 - at) * (size_t)e->n_all + (size_t)i];
        }
    return m;
}

/// local_A = B T for K and M of a reduced link (1.2): its rigid motions, and one number per mode.
static void multiply_modal(pkm_elastic* e, int n, int m, const double* B)
{
    for (int c = 0; c < m; ++c) {
        const double* x = e->local_T + (size_t)c * (size_t)n;
        double* y = e->local_A + (size_t)c * (size_t)n;
        for (int k = 0; k < n; ++k)
            y[k] = B[(size_t)k * (size_t)n + (size_t)k] * x[k];
        for (int k = 0; k < N_RIGID; ++k)
            for (int i = 0; i < N_RIGID; ++i)
                if (i != k) y[k] += B[(size_t)i * (size_t)n + (size_t)k] * x[i];
    }
}

/// A += T' B T of one part.
static void add_part(pkm_elastic* e, const elastic_part* part, int m, const double* B, double* A)
{
    const int n = part->n;
    // modal parts have diagonals behind the rigid block; G is full
    if (part->X && B != part->G)
        multiply_modal(e, n, m, B);
    else
        pkm_dsymm('L', 'L', n, m, 1.0, B, n, e->local_T, n, 0.0, e->local_A, n);
    pkm_dgemm('T', 'N', m, m, n, 1.0, e->local_T, n, e->local_A, n, 0.0, e->local_B, m);
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
            // symmetric to the last bit, as Cholesky's factor expects
            A[(size_t)e->touched[j] * (size_t)e->n + (size_t)e->touched[i]] +=
                0.5 * (e->local_B[(size_t)j * (size_t)m + (size_t)i] +
                       e->local_B[(size_t)i * (size_t)m + (size_t)j]);
}

/// K += k g g' for the springs, g = T' row.
static void add_springs(pkm_elastic* e)
{
    for (int s = 0; s < e->n_spring; ++s) {
        if (e->spring[s].stiffness == 0.0) continue;
        memset(e->work_x, 0, (size_t)e->n_all * sizeof *e->work_x);
        elastic_row_add(e, &e->spring[s].row, 1.0, e->work_x);
        pkm_elastic_restrict(e, e->work_x, e->work_y);
        pkm_dger(e->n, e->n, e->spring[s].stiffness, e->work_y, 1, e->work_y, 1, e->K, e->n);
    }
}

void elastic_reduce(pkm_elastic* e)
{
    const size_t nn = (size_t)e->n * (size_t)e->n;
    memset(e->K, 0, nn * sizeof *e->K);
    memset(e->M, 0, nn * sizeof *e->M);
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        const int m = local_T(e, part, e->local_T);
        if (m == 0) continue;
        if (part->K) add_part(e, part, m, part->K, e->K);
        add_part(e, part, m, part->M, e->M);
    }
    add_springs(e);
    e->is_factored = false;
}

void elastic_add_geometry(pkm_elastic* e)
{
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        const int m = part->G ? local_T(e, part, e->local_T) : 0;
        if (m > 0) add_part(e, part, m, part->G, e->K);
    }
}
