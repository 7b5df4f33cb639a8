// Joints on a rigid motion: dependent coordinates and how they follow, with two derivatives in
// time, docs/theory/elastodynamics.md, (6.5).
#include "base/error.h"
#include "linear/ked_impl.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

// A row that is left with entries below this, scaled to 1, follows from the others.
static const double REDUNDANT = 1e-9;
// Rows that followed from the others at the choice must do so later, to this part of their size.
static const double BROKEN = 1e-6;
// Entries of T, in scaled coordinates: beyond, and beyond so many times those of the choice, other
// coordinates are chosen.
static const double LARGE = 20.0, GROWN = 4.0;

static pkm_status choice_create(pkm_ked* ked, ked_choice* choice)
{
    const size_t m = (size_t)ked->elastic->n_row_max + 1, n = (size_t)ked->n_b + 1;
    choice->row = pkm_arena_alloc(ked->arena, m + 2 * n, sizeof *choice->row);
    if (!choice->row) return pkm_fail(ked->err, PKM_ERR_MEMORY, "out of memory");
    choice->dependent = choice->row + m;
    choice->free = choice->dependent + n;
    return PKM_OK;
}

pkm_status ked_joints_create(pkm_ked* ked)
{
    const size_t m = (size_t)ked->elastic->n_row_max + 1, n = (size_t)ked->n_b + 1;
    double* next =
        pkm_arena_alloc(ked->arena, 3 * m * n + 3 * n * n + m * m + 2 * m * n, sizeof *next);
    ked->pivot = pkm_arena_alloc(ked->arena, m, sizeof *ked->pivot);
    if (!next || !ked->pivot) return pkm_fail(ked->err, PKM_ERR_MEMORY, "out of memory");
    // A and T with their first two derivatives in time
    for (int k = 0; k < 3; ++k, next += m * n)
        ked->A[k] = next;
    for (int k = 0; k < 3; ++k, next += n * n)
        ked->T[k] = next;
    ked->dependent_lu = next;
    ked->rhs = next + m * m;
    ked->row_T = ked->rhs + m * n;
    PKM_TRY(choice_create(ked, &ked->first));
    PKM_TRY(choice_create(ked, &ked->other));
    return choice_create(ked, &ked->choice);
}

// ---- rows -------------------------------------------------------------------------------------

/// A[order](row, :) += the row's coefficients on one part.
static void add_side(pkm_ked* ked, int row, int p, int frame, const pkm_beam_jet1 c[6])
{
    if (p == PKM_NONE) return;
    const ked_part* part = &ked->part[p];
    const double* map = part->map + 6 * (size_t)part->n * (size_t)frame;
    // leading dimension of all A: room for every row
    const size_t ld = (size_t)ked->elastic->n_row_max;
    for (int k = 0; k < part->n_b; ++k) {
        const size_t at = (size_t)(part->b_at + k) * ld + (size_t)row;
        for (int d = 0; d < 6; ++d) {
            // a row's coefficients move with the joint's axes; the map of a frame is constant in
            // body axes
            ked->A[0][at] += c[d].x * map[6 * k + d];
            ked->A[1][at] += c[d].v * map[6 * k + d];
            ked->A[2][at] += c[d].a * map[6 * k + d];
        }
    }
}

static bool is_zero(const double* x, int n)
{
    for (int i = 0; i < n; ++i)
        if (x[i] != 0.0) return false;
    return true;
}

/// The spin of a rod with what is welded to it: constant in their axes.
static void add_spin(pkm_ked* ked, int i)
{
    const pkm_elastic* e = ked->elastic;
    memset(e->work_f, 0, (size_t)e->n_all * sizeof *e->work_f);
    elastic_spin_row(e, &e->row[i], e->work_f);
    for (int k = 0; k < e->n_part; ++k) {
        const ked_part* part = &ked->part[k];
        const double* row = e->work_f + part->from->at;
        if (is_zero(row, part->n)) continue;
        // A = row' Q, the spin seen in z
        pkm_dgemv('T', part->n, part->n_b, 1.0, part->Q, part->n, row, 1, 0.0,
                  ked->A[0] + (size_t)part->b_at * (size_t)e->n_row_max + (size_t)i, e->n_row_max);
    }
}

static void fill_rows(pkm_ked* ked)
{
    const pkm_elastic* e = ked->elastic;
    for (int k = 0; k < 3; ++k)
        memset(ked->A[k], 0, (size_t)e->n_row_max * (size_t)ked->n_b * sizeof *ked->A[k]);
    for (int i = 0; i < e->n_row; ++i) {
        const elastic_row* row = &e->row[i];
        if (row->kind == ROW_VECTOR) {
            add_spin(ked, i);
            continue;
        }
        const elastic_jets jets = elastic_row_jets(e, row);
        add_side(ked, i, row->part_a, row->frame_a, jets.a);
        add_side(ked, i, row->part_b, row->frame_b, jets.b);
    }
}

// ---- choice -----------------------------------------------------------------------------------

static void swap(int* list, int i, int j)
{
    const int kept = list[i];
    list[i] = list[j];
    list[j] = kept;
}

/// Size of a row of A.
static double row_size(const pkm_ked* ked, int i)
{
    double largest = 0.0;
    for (int k = 0; k < ked->n_b; ++k)
        largest =
            fmax(largest, fabs(ked->A[0][(size_t)k * (size_t)ked->elastic->n_row_max + (size_t)i]));
    return largest > 0.0 ? largest : 1.0;
}

/// The largest entry right of and below `from` in the present order; its value.
static double find_pivot(const pkm_ked* ked, const double* W, int from, int* row, int* column)
{
    const ked_choice* c = &ked->choice;
    double largest = 0.0;
    for (int k = from; k < ked->n_b; ++k)
        for (int i = from; i < ked->elastic->n_row; ++i) {
            const double entry = fabs(
                W[(size_t)c->dependent[k] * (size_t)ked->elastic->n_row_max + (size_t)c->row[i]]);
            if (entry <= largest * (1.0 + 1e-9)) continue; // the first of equals
            largest = entry;
            *row = i;
            *column = k;
        }
    return largest;
}

/// Gauss: rows below `r` lose their entry in the pivot's column.
static void eliminate(const pkm_ked* ked, double* W, int r)
{
    const ked_choice* c = &ked->choice;
    const size_t ld = (size_t)ked->elastic->n_row_max;
    const double* column = W + (size_t)c->dependent[r] * ld;
    for (int i = r + 1; i < ked->elastic->n_row; ++i) {
        const double f = column[c->row[i]] / column[c->row[r]];
        if (f == 0.0) continue;
        for (int k = r + 1; k < ked->n_b; ++k) {
            double* other = W + (size_t)c->dependent[k] * ld;
            other[c->row[i]] -= f * other[c->row[r]];
        }
    }
}

/// With full pivoting on rows scaled to 1; A[2] is the work memory and lost.
void ked_choose(pkm_ked* ked)
{
    ked_choice* c = &ked->choice;
    const size_t ld = (size_t)ked->elastic->n_row_max;
    double* W = ked->A[2];
    int row = 0, column = 0;
    memcpy(W, ked->A[0], ld * (size_t)ked->n_b * sizeof *W);
    for (int i = 0; i < ked->elastic->n_row; ++i) {
        pkm_dscal(ked->n_b, 1.0 / row_size(ked, i), W + i, (int)ld);
        c->row[i] = i;
    }
    for (int k = 0; k < ked->n_b; ++k)
        c->dependent[k] = k;
    c->n_dependent = 0;
    // full pivoting: rank by what is left
    while (c->n_dependent < ked->elastic->n_row && c->n_dependent < ked->n_b &&
           find_pivot(ked, W, c->n_dependent, &row, &column) > REDUNDANT) {
        swap(c->row, c->n_dependent, row);
        swap(c->dependent, c->n_dependent, column);
        eliminate(ked, W, c->n_dependent++);
    }
    for (int k = c->n_dependent; k < ked->n_b; ++k)
        c->free[k - c->n_dependent] = c->dependent[k];
    c->worst = 0.0; // see watch_growth
    ++ked->n_choice;
}

void ked_choice_copy(const pkm_ked* ked, const ked_choice* from, ked_choice* to)
{
    to->n_dependent = from->n_dependent;
    to->worst = from->worst;
    memcpy(to->row, from->row, (size_t)ked->elastic->n_row_max * sizeof *to->row);
    memcpy(to->dependent, from->dependent, (size_t)ked->n_b * sizeof *to->dependent);
    memcpy(to->free, from->free, (size_t)ked->n_b * sizeof *to->free);
}

// ---- T ----------------------------------------------------------------------------------------

/// row_T = A[k] T[l], all rows.
static void multiply(pkm_ked* ked, int k, int l)
{
    pkm_dgemm('N', 'N', ked->elastic->n_row, ked->n_free, ked->n_b, 1.0, ked->A[k],
              ked->elastic->n_row_max, ked->T[l], ked->n_b, 0.0, ked->row_T,
              ked->elastic->n_row_max);
}

/// rhs += factor A[k] T[l], the chosen rows.
static void add_product(pkm_ked* ked, int k, int l, double factor)
{
    const size_t m = (size_t)ked->choice.n_dependent;
    multiply(ked, k, l);
    for (int j = 0; j < ked->n_free; ++j) {
        const double* from = ked->row_T + (size_t)j * (size_t)ked->elastic->n_row_max;
        for (size_t i = 0; i < m; ++i)
            ked->rhs[(size_t)j * m + i] += factor * from[ked->choice.row[i]];
    }
}

/// Derivative `order` of T: A_d T_d = -(what is known), (6.5).
static void solve_T(pkm_ked* ked, int order)
{
    const ked_choice* c = &ked->choice;
    const size_t m = (size_t)c->n_dependent, n_b = (size_t)ked->n_b;
    memset(ked->T[order], 0, n_b * (size_t)ked->n_free * sizeof *ked->T[order]);
    memset(ked->rhs, 0, m * (size_t)ked->n_free * sizeof *ked->rhs);
    for (int j = 0; order == 0 && j < ked->n_free; ++j)
        ked->T[0][(size_t)j * n_b + (size_t)c->free[j]] = 1.0;
    // T_d is still zero, so that A T is A_f
    if (order == 0) add_product(ked, 0, 0, -1.0);
    if (order == 1) add_product(ked, 1, 0, -1.0);
    if (order == 2) add_product(ked, 2, 0, -1.0);
    if (order == 2) add_product(ked, 1, 1, -2.0);
    pkm_dgetrs('N', c->n_dependent, ked->n_free, ked->dependent_lu, c->n_dependent, ked->pivot,
               ked->rhs, c->n_dependent);
    for (int j = 0; j < ked->n_free; ++j)
        for (size_t i = 0; i < m; ++i)
            ked->T[order][(size_t)j * n_b + (size_t)c->dependent[i]] = ked->rhs[(size_t)j * m + i];
}

static bool factor(pkm_ked* ked)
{
    const ked_choice* c = &ked->choice;
    const size_t m = (size_t)c->n_dependent, ld = (size_t)ked->elastic->n_row_max;
    for (size_t j = 0; j < m; ++j)
        for (size_t i = 0; i < m; ++i)
            ked->dependent_lu[j * m + i] =
                ked->A[0][(size_t)c->dependent[j] * ld + (size_t)c->row[i]];
    return pkm_dgetrf(c->n_dependent, c->n_dependent, ked->dependent_lu, c->n_dependent,
                      ked->pivot) == 0;
}

static void watch_growth(pkm_ked* ked)
{
    double largest = 0.0;
    for (int k = 0; k < ked->n_b * ked->n_free; ++k)
        largest = fmax(largest, fabs(ked->T[0][k]));
    // the first placement after a choice sets the measure
    if (ked->choice.worst == 0.0) ked->choice.worst = largest;
    ked->wants_choice =
        ked->settings->is_choosing || (largest > LARGE && largest > GROWN * ked->choice.worst);
}

/// Do the rows that were not chosen still hold?
static bool holds(pkm_ked* ked)
{
    const ked_choice* c = &ked->choice;
    if (c->n_dependent == ked->elastic->n_row) return true;
    multiply(ked, 0, 0);
    // rows that follow from the others have to vanish with them: A T = 0
    for (int i = c->n_dependent; i < ked->elastic->n_row; ++i) {
        const double size = row_size(ked, c->row[i]);
        for (int j = 0; j < ked->n_free; ++j)
            if (!(fabs(ked->row_T[(size_t)j * (size_t)ked->elastic->n_row_max +
                                  (size_t)c->row[i]]) <= BROKEN * size))
                return false;
    }
    return true;
}

pkm_status ked_joints_move(pkm_ked* ked, double t)
{
    fill_rows(ked);
    // the choice destroys A[2]: filled again
    if (ked->n_choice == 0) {
        ked_choose(ked);
        ked->n_free = ked->n_b - ked->choice.n_dependent;
        ked->n = ked->n_free + ked->n_i;
        fill_rows(ked);
    }
    bool is_fine = factor(ked);
    for (int k = 0; k < 3 && is_fine; ++k)
        solve_T(ked, k);
    if (is_fine) watch_growth(ked);
    if (is_fine && holds(ked)) return PKM_OK;
    return pkm_fail(ked->err, PKM_ERR_SINGULAR,
                    "t = %.6g s: the joints hold another number of motions here than at the "
                    "start (a singular pose)",
                    t);
}

void ked_multipliers(const pkm_ked* ked, const double* bear, double* lambda)
{
    const ked_choice* c = &ked->choice;
    for (int i = 0; i < c->n_dependent; ++i)
        // A_d' lambda = what the dependent coordinates bear
        ked->rhs[i] = bear[c->dependent[i]];
    pkm_dgetrs('T', c->n_dependent, 1, ked->dependent_lu, c->n_dependent, ked->pivot, ked->rhs,
               c->n_dependent);
    memset(lambda, 0, (size_t)ked->elastic->n_row * sizeof *lambda);
    for (int i = 0; i < c->n_dependent; ++i)
        lambda[c->row[i]] = ked->rhs[i];
}

// ---- all coordinates --------------------------------------------------------------------------

/// out += factor T[k] y.
static void add_T(const pkm_ked* ked, int k, double factor, const double* y, double* out)
{
    pkm_dgemv('N', ked->n_b, ked->n_free, factor, ked->T[k], ked->n_b, y, 1, 1.0, out, 1);
}

void ked_expand(pkm_ked* ked, const double* y, const double* v, const double* a)
{
    const double* const given[3] = {y, v, a};
    for (int k = 0; k < 3; ++k) {
        memset(ked->z[k], 0, (size_t)ked->n_b * sizeof *ked->z[k]);
        memcpy(ked->z[k] + ked->n_b, given[k] + ked->n_free, (size_t)ked->n_i * sizeof *y);
        add_T(ked, 0, 1.0, given[k], ked->z[k]);
    }
    if (ked->settings->without_coupling) return;
    // z' = T y' + T_t y, z'' = T y'' + 2 T_t y' + T_tt y
    add_T(ked, 1, 1.0, y, ked->z[1]);
    add_T(ked, 1, 2.0, v, ked->z[2]);
    add_T(ked, 2, 1.0, y, ked->z[2]);
}

void ked_gather(const pkm_ked* ked, const ked_part* part, const double* z, double* out)
{
    memcpy(out, z + part->b_at, (size_t)part->n_b * sizeof *out);
    memcpy(out + part->n_b, z + ked->n_b + part->i_at, (size_t)(part->n - part->n_b) * sizeof *out);
}
