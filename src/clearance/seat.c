// One instant with seated journals: offsets y displace the frames of the joints, loops are closed
// with the drives held, inverse dynamics gives reactions, these press the journals to new offsets,
// until nothing moves. Equations: docs/theory/clearance.md, sections 3.3 and 3.4.
#include "clearance/seat.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"

#include <string.h>

static const double LOAD_FLOOR = 1e-9;  // of the largest load: below it a load is rounding
static const double SHARE_FLOOR = 1e-6; // the same where self-stresses are found by Newton's method
static const double SETTLED = 1e-13;    // [robot sizes] change of offsets
static const double CLOSED = 3e-13;     // [robot sizes, rad] residual of closures
enum { MAX_NEWTON = 12, MAX_ITERATION = 30, DAMP_AFTER = 8 };

pkm_status pkm_seat_create(pkm_robot* robot, const pkm_joint_clearance* clearance, int n_clearance,
                           pkm_seat* out, pkm_error* err)
{
    *out = (pkm_seat){.ideal = robot};
    PKM_TRY(pkm_robot_require_drives(robot, err));
    PKM_TRY(pkm_robot_twin(robot, &out->moved, err));
    PKM_TRY(pkm_regions_create(robot->mech, clearance, n_clearance, &out->regions, err));
    const size_t n_y = (size_t)out->regions.n_y;
    out->reactions = pkm_reactions_create(out->moved->state);
    out->reaction = pkm_alloc(2 * (size_t)robot->mech->n_joint, sizeof *out->reaction);
    out->y = pkm_alloc(2 * n_y + 1, sizeof(double));
    if (!out->reactions || !out->reaction || !out->y) return pkm_out_of_memory(err);
    out->stress = out->reaction + robot->mech->n_joint;
    out->f = out->y + n_y;
    return pkm_share_create(&out->share, &out->regions, pkm_reactions_n_free(out->reactions), err);
}

void pkm_seat_free(pkm_seat* seat)
{
    pkm_share_free(&seat->share);
    pkm_reactions_free(seat->reactions);
    pkm_free(seat->reaction);
    pkm_free(seat->y);
    pkm_regions_free(&seat->regions);
    pkm_robot_free(seat->moved);
    *seat = (pkm_seat){0};
}

void pkm_seat_reset(pkm_seat* seat)
{
    const size_t n_y = (size_t)seat->regions.n_y, n_q = (size_t)seat->ideal->mech->n_q;
    // centred journals and no self-stress: where the robot stands ideally
    memset(seat->y, 0, n_y * sizeof(double));
    memset(seat->share.g, 0, (size_t)seat->share.n_free * sizeof(double));
    memcpy(seat->moved->state->q, seat->ideal->state->q, n_q * sizeof(double));
    pkm_kinematics_position(seat->moved->state);
}

// ---- closing the loops ------------------------------------------------------------------------

/// Largest residual over the rows that the factor uses [robot sizes, rad]; sets the right-hand side
/// of the next step.
static double used_residual(const pkm_state* state, pkm_system* system)
{
    double largest = 0.0;
    for (int i = 0; i < system->n_row; ++i) {
        const int r = system->row[i];
        system->rhs[i] = -state->residual[r];
        if (pkm_sparse_lu_uses_row(system->lu, i))
            largest = fmax(largest, fabs(state->residual[r]) * state->mech->row[r].weight);
    }
    return largest;
}

/// Newton's method on the independent rows. The redundant ones hold to first order when the
/// displacements are compatible; what is left of them is for
/// pkm_seat_note_gaps.
static pkm_status close_used(pkm_state* state, const pkm_target* target)
{
    pkm_system* system = &state->system[PKM_GIVEN_DRIVES];
    for (int n = 0; n < MAX_NEWTON; ++n) {
        pkm_kinematics_position(state);
        pkm_rows_closures(state);
        PKM_TRY(pkm_solve_factor(state, PKM_GIVEN_DRIVES));
        pkm_rows_prescribed(state, PKM_GIVEN_DRIVES, target);
        const double residual = used_residual(state, system);
        if (residual <= CLOSED) return PKM_OK;
        if (!(residual < HUGE_VAL)) return PKM_ERR_CONVERGENCE;
        pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
        pkm_state_move(state->mech, state->q, state->step);
    }
    return PKM_ERR_CONVERGENCE;
}

pkm_status pkm_seat_close(pkm_seat* seat, const pkm_target* target, const double* y)
{
    pkm_state* state = seat->moved->state;
    pkm_regions_displace(&seat->regions, state, y, seat->moved->mech);
    // without redundant rows all of them close
    if (seat->share.n_free == 0) return pkm_solve_position(state, PKM_GIVEN_DRIVES, target);
    const size_t size = (size_t)state->mech->n_q * sizeof(double);
    memcpy(state->q_saved, state->q, size);
    const pkm_status status = close_used(state, target);
    if (status != PKM_OK) memcpy(state->q, state->q_saved, size);
    return status;
}

// ---- loads ------------------------------------------------------------------------------------

/// Loads of the run at time t, payloads, springs and the force on the tool.
static void set_loads(pkm_seat* seat, const pkm_seat_loads* loads)
{
    pkm_state* state = seat->moved->state;
    const pkm_mechanism* mech = state->mech;
    double stored = 0.0, dissipated = 0.0, fed = 0.0;
    memset(state->load, 0, (size_t)mech->n_body * sizeof(pkm_wrench));
    pkm_effects_carry(loads->effects, loads->t, state);
    pkm_effects_apply(loads->effects, loads->t, state, state->load, &stored, &dissipated, &fed);
    if (mech->tool == PKM_NONE) return;
    pkm_wrench* on = &state->load[mech->marker[mech->tool].body];
    const pkm_vec3 at = pkm_state_marker_point(state, mech->tool);
    *on = pkm_wrench_add(*on, pkm_wrench_at(at, loads->tool_force, loads->tool_torque));
}

/// Reactions with the present offsets, and the loads on the journals.
static pkm_status find_loads(pkm_seat* seat, const pkm_target* target, const pkm_seat_loads* loads)
{
    pkm_state* state = seat->moved->state;
    PKM_TRY(pkm_seat_close(seat, target, seat->y));
    pkm_solve_velocity(state, PKM_GIVEN_DRIVES, target);
    pkm_solve_acceleration(state, PKM_GIVEN_DRIVES, target);
    set_loads(seat, loads);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, seat->force);
    pkm_reactions_solve(seat->reactions, state, seat->reaction, NULL);
    pkm_regions_loads(&seat->regions, state, seat->reaction, seat->f);
    return PKM_OK;
}

/// g <- g + rho for every redundant row, (3.8)
void pkm_seat_note_gaps(pkm_seat* seat)
{
    seat->gap = 0.0;
    for (int k = 0; k < seat->share.n_free; ++k) {
        const int row =
            pkm_reactions_self_stress(seat->reactions, seat->moved->state, k, seat->stress);
        const double left = seat->moved->state->residual[row];
        seat->gap = fmax(seat->gap, fabs(left));
        seat->share.g[k] += left;
    }
}

static double largest_change(const pkm_seat* seat, const double* next)
{
    double most = 0.0;
    for (int i = 0; i < seat->regions.n_y; ++i)
        most = fmax(most, fabs(next[i] - seat->y[i]));
    return most;
}

/// The reactions with the self-stresses that were found.
static void add_self_stress(pkm_seat* seat)
{
    for (int k = 0; k < seat->share.n_free; ++k) {
        pkm_reactions_self_stress(seat->reactions, seat->moved->state, k, seat->stress);
        for (int j = 0; j < seat->ideal->mech->n_joint; ++j) {
            pkm_reaction* r = &seat->reaction[j];
            r->force = pkm_vec3_axpy(r->force, seat->share.z[k], seat->stress[j].force);
            r->moment = pkm_vec3_axpy(r->moment, seat->share.z[k], seat->stress[j].moment);
        }
    }
}

/// Where the loads press, shared among redundant constraints.
static void press(pkm_seat* seat)
{
    double off;
    if (seat->share.n_free == 0) {
        pkm_share_solve(&seat->share, &seat->regions, seat->f, LOAD_FLOOR, &off);
        return;
    }
    pkm_seat_note_gaps(seat);
    pkm_share_read(&seat->share, &seat->regions, seat->reactions, seat->moved->state, seat->stress);
    pkm_share_solve(&seat->share, &seat->regions, seat->f, SHARE_FLOOR, &off);
    memcpy(seat->f, seat->share.f, (size_t)seat->regions.n_y * sizeof(double));
    add_self_stress(seat);
}

/// Fixed-point steps contract by about c |dF/dy|/|F|; where that is not small, steps are halved
/// after DAMP_AFTER of them.
pkm_status pkm_seat_solve(pkm_seat* seat, const pkm_target* target, const pkm_seat_loads* loads)
{
    const double enough = SETTLED * seat->ideal->mech->size;
    const int n_y = seat->regions.n_y;
    for (int k = 0; k < MAX_ITERATION; ++k) {
        PKM_TRY(find_loads(seat, target, loads));
        press(seat);
        seat->iterations = k + 1;
        seat->change = largest_change(seat, seat->share.y);
        if (seat->change <= enough) return PKM_OK;
        // the whole way to where the loads press, then half of it
        const double part = k < DAMP_AFTER ? 1.0 : 0.5;
        for (int i = 0; i < n_y; ++i)
            seat->y[i] += part * (seat->share.y[i] - seat->y[i]);
    }
    return PKM_OK;
}
