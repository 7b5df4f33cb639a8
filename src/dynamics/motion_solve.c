// Newton's method for positions, velocities and accelerations with the same factors, (3.1).
// docs/theory/engine.md, section 3.
#include "dynamics/motion_solve.h"

#include "base/error.h"
#include "dynamics/kinematics.h"

#include <string.h>

enum { MAX_NEWTON = 12 };
static const double RESIDUAL_LIMIT = 1e-13; // [robot sizes, rad]
static const double STEP_LIMIT = 0.5;       // [robot sizes, rad] longest Newton step

/// The entries of the system from those of the rows, which follow each other for the most part.
static void gather(pkm_state* state, pkm_system* system)
{
    const pkm_row* rows = state->mech->row;
    // rows that follow each other in the Jacobian too are copied in one piece
    for (int i = 0, end; i < system->n_row; i = end) {
        const int at = system->entry_at[i], ahead = rows[system->row[i]].at - at;
        end = i + 1;
        while (end < system->n_row && rows[system->row[end]].at - system->entry_at[end] == ahead)
            ++end;
        memcpy(system->value + at, state->jacobian + at + ahead,
               (size_t)(system->entry_at[end] - at) * sizeof(double));
    }
}

static void evaluate(pkm_state* state, pkm_given given, const pkm_target* target)
{
    pkm_kinematics_position(state);
    pkm_rows_closures(state);
    pkm_rows_prescribed(state, given, target);
}

pkm_status pkm_solve_prepare(pkm_state* state, pkm_given given, const pkm_target* target)
{
    pkm_system* system = &state->system[given];
    evaluate(state, given, target);
    gather(state, system);
    // pivots by the values here; later factors replay them
    return pkm_sparse_lu_analyse(system->lu, system->value,
                                 pkm_rank_limit(state->mech, PKM_PIVOT_LIMIT));
}

pkm_status pkm_solve_factor(pkm_state* state, pkm_given given)
{
    pkm_system* system = &state->system[given];
    static const pkm_target anywhere; // residuals are not used
    // closures are evaluated already; entries of the others do not depend on the target
    pkm_rows_prescribed(state, given, &anywhere);
    gather(state, system);
    return pkm_sparse_lu_factor(system->lu, system->value);
}

double pkm_solve_residual(const pkm_state* state, pkm_given given, int* worst)
{
    const pkm_system* system = &state->system[given];
    double largest = 0.0;
    for (int i = 0; i < system->n_row; ++i) {
        const int r = system->row[i];
        // free of units by the row's weight
        const double size = fabs(state->residual[r]) * state->mech->row[r].weight;
        // a NaN would pass the comparisons below
        if (isnan(size)) return size;
        if (size <= largest) continue;
        // rounded dimensions: what the chosen rows leave open in the redundant ones
        if (size <= state->mech->gap_limit && !pkm_sparse_lu_uses_row(system->lu, i)) continue;
        largest = size;
        if (worst) *worst = r;
    }
    return largest;
}

double pkm_step_length(const pkm_mechanism* mech, const double* step)
{
    double longest = 0.0;
    for (int k = 0; k < mech->n_v; ++k)
        if (fabs(step[k]) > longest * mech->v_unit[k]) longest = fabs(step[k]) / mech->v_unit[k];
    return longest;
}

/// Shorten a step that would leave the range in which the linearisation means anything. Returns how
/// long it was [robot sizes, rad].
static double limit_step(const pkm_mechanism* mech, double* step)
{
    const double longest = pkm_step_length(mech, step);
    for (int k = 0; longest > STEP_LIMIT && k < mech->n_v; ++k)
        step[k] *= STEP_LIMIT / longest;
    return longest;
}

/// Does the second step tell that the first was too long for the rule?
static bool spreads(const pkm_state* state, const pkm_newton_rule* rule)
{
    return state->newton_first >= PKM_NEWTON_ROUNDING &&
           state->newton_second > rule->contraction * state->newton_first;
}

static pkm_status newton(pkm_state* state, pkm_given given, const pkm_target* target,
                         const pkm_newton_rule* rule)
{
    pkm_system* system = &state->system[given];
    double before = HUGE_VAL;
    state->newton_first = state->newton_second = 0.0;
    for (int n = 0; n < MAX_NEWTON; ++n) {
        evaluate(state, given, target);
        const double residual = pkm_solve_residual(state, given, NULL);
        // not a number, or infinite: the step left what can be evaluated
        if (!(residual < HUGE_VAL)) return PKM_ERR_CONVERGENCE;
        gather(state, system);
        PKM_TRY(pkm_sparse_lu_factor(system->lu, system->value));
        // at the limit of rounding (far from the world's origin) no further step helps
        const bool stalled = residual < 100.0 * RESIDUAL_LIMIT && residual >= 0.5 * before;
        if (residual <= rule->residual || stalled) return PKM_OK;
        before = residual;

        for (int i = 0; i < system->n_row; ++i)
            system->rhs[i] = -state->residual[system->row[i]];
        pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
        const double length = limit_step(state->mech, state->step);
        // |dq_0|, |dq_1| of (3.4) of docs/theory/engine.md
        if (n == 0) state->newton_first = length;
        if (n == 1) state->newton_second = length;
        if (n == 1 && spreads(state, rule)) return PKM_ERR_CONVERGENCE;
        pkm_state_move(state->mech, state->q, state->step);
    }
    return PKM_ERR_CONVERGENCE;
}

pkm_newton_rule pkm_newton_rule_exact(void)
{
    return (pkm_newton_rule){.residual = RESIDUAL_LIMIT, .contraction = HUGE_VAL};
}

pkm_status pkm_solve_position_by(pkm_state* state, pkm_given given, const pkm_target* target,
                                 const pkm_newton_rule* rule)
{
    const size_t size = (size_t)state->mech->n_q * sizeof(double);
    memcpy(state->q_saved, state->q, size);
    const pkm_status status = newton(state, given, target, rule);
    // a search that failed leaves the positions as they were
    if (status != PKM_OK) memcpy(state->q, state->q_saved, size);
    return status;
}

pkm_status pkm_solve_position(pkm_state* state, pkm_given given, const pkm_target* target)
{
    const pkm_newton_rule rule = pkm_newton_rule_exact();
    return pkm_solve_position_by(state, given, target, &rule);
}

/// What the row's rate (order 1) or acceleration (order 2) is to be.
static double wanted(const pkm_row* row, const pkm_target* target, int order)
{
    if (row->kind == PKM_ROW_DRIVE) return order == 1 ? target->v[row->item] : target->a[row->item];
    if (row->kind != PKM_ROW_TOOL) return 0.0;
    const pkm_frame_motion* tool = &target->tool;
    const bool shift = row->component < PKM_TOOL_RX;
    const pkm_vec3 rate =
        order == 1 ? (shift ? tool->v : tool->w) : (shift ? tool->a : tool->alpha);
    return pkm_vec3_part(rate, row->component % 3);
}

void pkm_solve_velocity(pkm_state* state, pkm_given given, const pkm_target* target)
{
    pkm_system* system = &state->system[given];
    for (int i = 0; i < system->n_row; ++i)
        // A v = c'_wanted
        system->rhs[i] = wanted(&state->mech->row[system->row[i]], target, 1);
    pkm_sparse_lu_solve(system->lu, system->rhs, state->v);
    pkm_kinematics_velocity(state);
}

void pkm_solve_acceleration(pkm_state* state, pkm_given given, const pkm_target* target)
{
    pkm_system* system = &state->system[given];
    // bias of the rows: c'' at a = 0, then A a = c''_wanted - bias
    pkm_kinematics_acceleration(state, NULL);
    pkm_rows_bias(state, given);
    for (int i = 0; i < system->n_row; ++i) {
        const int r = system->row[i];
        system->rhs[i] = wanted(&state->mech->row[r], target, 2) - state->bias[r];
    }
    pkm_sparse_lu_solve(system->lu, system->rhs, state->a);
    // bodies already have what velocities make; a adds to it
    pkm_kinematics_accelerate(state, state->a);
}
