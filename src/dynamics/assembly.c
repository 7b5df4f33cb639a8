// Assembly from far away: damped least squares over all rows, with closures or targets that give
// way where not all can hold. docs/theory/engine.md, section 3, (3.2).
#include "dynamics/assembly.h"
#include "math/lapack.h"

#include "base/memory.h"
#include "dynamics/kinematics.h"

#include <string.h>

enum { MAX_ITERATION = 200 };
static const double CLOSED = 1e-12;        // [robot sizes, rad]
static const double DAMPING_START = 1e-2;  // relative to rows of unit size
static const double DAMPING_LEAST = 1e-14; // beside it a step is Newton's to rounding
static const double DAMPING_MOST = 1e8;    // no step is left: a minimum that is not zero

void pkm_rows_dense(const pkm_state* state, const int* row, int n_row, double* out)
{
    const pkm_mechanism* mech = state->mech;
    memset(out, 0, (size_t)n_row * (size_t)mech->n_v * sizeof(double));
    for (int i = 0; i < n_row; ++i) {
        const pkm_row* r = &mech->row[row[i]];
        for (int e = r->at; e < r->at + r->n_a + r->n_b; ++e)
            out[(size_t)mech->column[e] * (size_t)n_row + (size_t)i] += state->jacobian[e];
    }
}

/// Work of one assembly.
typedef struct assembly {
    pkm_state* state;
    const pkm_target* target;
    int n_row, n_closure;
    int* row;
    const bool* open; ///< [n_closure] closures that give way; NULL: the prescribed rows do
    double pull;      ///< weight of the rows that give way
    double gap;       ///< largest residual that must vanish [robot sizes, rad]
    double* J;        ///< [n_row x n_v]
    double* A;        ///< [(n_row + n_v) x n_v]
    double* b;        ///< [n_row + n_v]
    double* q_best;   ///< [n_q]
    pkm_status step;  ///< of the last one
} assembly;

/// Does row i give way to the others?
static bool is_soft(const assembly* as, int i)
{
    return as->open ? i < as->n_closure && as->open[i] : i >= as->n_closure;
}

static double weight(const assembly* as, int i)
{
    return as->state->mech->row[as->row[i]].weight * (is_soft(as, i) ? as->pull : 1.0);
}

/// Evaluate all rows; returns the weighted sum of squares.
static double evaluate(assembly* as)
{
    pkm_kinematics_position(as->state);
    pkm_rows_all(as->state, as->target);
    double sum = 0.0;
    for (int i = 0; i < as->n_row; ++i) {
        const double c = weight(as, i) * as->state->residual[as->row[i]];
        sum += c * c;
    }
    return sum;
}

/// The damped step dx = U y: least squares of [W J U; sqrt(mu) I] y = -[W c; 0] with the units U of
/// the velocities, so that lengths are measured in robot sizes. `y` is left in as->b.
static pkm_status damped_step(assembly* as, double mu)
{
    // the rows of the damping stand below those of the mechanism: dgels solves both at once
    const int n = as->state->mech->n_v, m = as->n_row, rows = m + n;
    const double root = sqrt(mu), *unit = as->state->mech->v_unit;
    memset(as->A, 0, (size_t)rows * (size_t)n * sizeof(double));
    memset(as->b, 0, (size_t)rows * sizeof(double));
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i)
            as->A[(size_t)j * (size_t)rows + (size_t)i] =
                weight(as, i) * unit[j] * as->J[(size_t)j * (size_t)m + (size_t)i];
        as->A[(size_t)j * (size_t)rows + (size_t)(m + j)] = root;
    }
    // lengths over the robot's size, as in J: residuals of turns and of shifts weigh the same
    for (int i = 0; i < m; ++i)
        as->b[i] = -weight(as, i) * as->state->residual[as->row[i]];
    return pkm_lapack_status(pkm_dgels(rows, n, 1, as->A, rows, as->b, rows), PKM_ERR_SINGULAR);
}

static void read_gaps(assembly* as, pkm_assembly_report* report)
{
    as->gap = 0.0;
    report->closure_gap = report->target_gap = 0.0;
    report->worst_closure = PKM_NONE;
    for (int i = 0; i < as->n_row; ++i) {
        const double size = fabs(as->state->residual[as->row[i]]);
        // rows that give way may stay open
        if (!is_soft(as, i) || as->pull >= 1.0)
            as->gap = fmax(as->gap, size * as->state->mech->row[as->row[i]].weight);
        if (i >= as->n_closure) {
            report->target_gap = fmax(report->target_gap, size);
        } else if (size > report->closure_gap) {
            report->closure_gap = size;
            report->worst_closure = as->row[i];
        }
    }
}

static bool is_closed(const assembly* as)
{
    return as->gap <= CLOSED;
}

static void iterate(assembly* as, pkm_assembly_report* report)
{
    const pkm_mechanism* mech = as->state->mech;
    const size_t q_size = (size_t)mech->n_q * sizeof(double);
    double mu = DAMPING_START, cost = evaluate(as);
    read_gaps(as, report);
    for (int n = 0; n < MAX_ITERATION && mu < DAMPING_MOST; ++n) {
        report->iterations = n;
        if (as->pull >= 1.0 && is_closed(as)) return;
        // J holds for this position; trial steps only change the damping
        memcpy(as->q_best, as->state->q, q_size);
        pkm_rows_dense(as->state, as->row, as->n_row, as->J);
        bool better = false;
        while (!better && mu < DAMPING_MOST) {
            memcpy(as->state->q, as->q_best, q_size);
            as->step = damped_step(as, mu);
            if (as->step != PKM_OK) return;
            double longest = 0.0;
            for (int k = 0; k < mech->n_v; ++k)
                longest = fmax(longest, fabs(as->b[k]));
            if (longest < 1e-16) return; // nothing left to move
            if (longest <= 1.0) {        // one radian, one size: longer steps lose the branch
                for (int k = 0; k < mech->n_v; ++k)
                    as->b[k] *= mech->v_unit[k];
                pkm_state_move(mech, as->state->q, as->b);
                const double next = evaluate(as);
                better = next < cost;
                if (better) {
                    // tenfold down after a success, fivefold up after a failure (3.2)
                    mu = fmax(mu * 0.1, DAMPING_LEAST);
                    cost = next;
                    continue;
                }
            }
            mu *= 5.0;
        }
        // a minimum: back to the best position, where gaps are told
        if (!better) {
            memcpy(as->state->q, as->q_best, q_size);
            evaluate(as);
        }
        read_gaps(as, report);
    }
}

static pkm_status prepare(assembly* as, const int* row, int n_row)
{
    const pkm_mechanism* mech = as->state->mech;
    as->n_closure = mech->n_closure;
    as->n_row = mech->n_closure + n_row;
    const size_t m = (size_t)as->n_row, n = (size_t)mech->n_v;
    as->row = pkm_alloc(m, sizeof(int));
    as->J = pkm_alloc(m * n, sizeof(double));
    as->A = pkm_alloc((m + n) * n, sizeof(double));
    as->b = pkm_alloc(m + n, sizeof(double));
    as->q_best = pkm_alloc((size_t)mech->n_q, sizeof(double));
    if (!as->row || !as->J || !as->A || !as->b || !as->q_best) return PKM_ERR_MEMORY;
    for (int i = 0; i < mech->n_closure; ++i)
        as->row[i] = i;
    for (int i = 0; i < n_row; ++i)
        as->row[mech->n_closure + i] = row[i];
    return PKM_OK;
}

static pkm_status assemble(pkm_state* state, const int* row, int n_row, const pkm_target* target,
                           const bool* open, double pull, pkm_assembly_report* report)
{
    static const pkm_target anywhere;
    assembly as = {
        .state = state, .target = target ? target : &anywhere, .open = open, .pull = pull};
    pkm_status status = prepare(&as, row, n_row);
    if (status == PKM_OK) {
        iterate(&as, report);
        // put so that a NaN counts as open
        if (!(as.gap <= fmax(CLOSED, state->mech->gap_limit))) status = PKM_ERR_ASSEMBLY;
        if (as.step == PKM_ERR_MEMORY) status = as.step;
    }
    pkm_free(as.row);
    pkm_free(as.J);
    pkm_free(as.A);
    pkm_free(as.b);
    pkm_free(as.q_best);
    return status;
}

pkm_status pkm_assemble(pkm_state* state, const int* row, int n_row, const pkm_target* target,
                        double pull, pkm_assembly_report* report)
{
    return assemble(state, row, n_row, target, NULL, pull, report);
}

pkm_status pkm_assemble_open(pkm_state* state, const int* row, int n_row, const pkm_target* target,
                             const bool* open, double* left)
{
    pkm_assembly_report report;
    // 1, 0.1 .. 1e-5, each from where the one before ended
    for (double pull = 1.0; pull > 5e-6; pull *= 0.1)
        if (assemble(state, row, n_row, target, open, pull, &report) == PKM_ERR_MEMORY)
            return PKM_ERR_MEMORY;
    *left = 0.0;
    for (int i = 0; i < state->mech->n_closure; ++i)
        // what was given up may gape, all else has to hold
        if (!open[i]) *left = fmax(*left, state->mech->row[i].weight * fabs(state->residual[i]));
    for (int i = 0; i < n_row; ++i)
        *left = fmax(*left, state->mech->row[row[i]].weight * fabs(state->residual[row[i]]));
    return PKM_OK;
}

/// With a weak pull the closures win, but the way along them is a narrow valley: first a strong
/// pull, then weaker ones from there. The loops are left open by the square of the last.
pkm_status pkm_approach(pkm_state* state, const int* row, int n_row, const pkm_target* target,
                        double* beyond)
{
    pkm_assembly_report report;
    *beyond = NAN;
    for (double pull = 0.1; pull > 5e-6; pull *= 0.1)
        if (pkm_assemble(state, row, n_row, target, pull, &report) == PKM_ERR_MEMORY)
            return PKM_ERR_MEMORY;
    // what is left of the prescribed rows, in m and rad as they are: the distance beyond reach
    double sum = 0.0;
    for (int i = 0; i < n_row; ++i)
        sum += state->residual[row[i]] * state->residual[row[i]];
    *beyond = sqrt(sum);
    return PKM_OK;
}
