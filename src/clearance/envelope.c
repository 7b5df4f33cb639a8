// The set of errors of the tool that clearance allows at one pose, drives held: sensitivities J of
// the journals (4.1), (4.2), its support function (4.3), the longest errors and an outer ellipsoid
// (4.4). Called by envelope_run.c along a motion and by envelope_extreme.c. Equations:
// docs/theory/clearance.md, section 4.
#include "clearance/envelope.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "math/dense.h"
#include "math/dot.h"

#include <string.h>

static const double SHARE_FLOOR = 1e-6; // of the largest load, where self-stresses are open
static const double CLOSED = 1e-12;     // [robot sizes, rad] residual of redundant closures
enum { MAX_CLIMB = 60, MAX_REPAIR = 12 };

pkm_status pkm_error_set_create(pkm_robot* robot, const pkm_joint_clearance* clearance,
                                int n_clearance, pkm_error_set* out, pkm_error* err)
{
    *out = (pkm_error_set){.tool = pkm_pose_identity()};
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "envelope: %s names no tool", robot->desc->name);
    PKM_TRY(pkm_seat_create(robot, clearance, n_clearance, &out->seat, err));
    const size_t n_y = (size_t)out->seat.regions.n_y;
    // J and W: six axes by n_y offsets of journals; y and f: one number each
    out->J = pkm_alloc((2 * PKM_ERROR_AXES + 2) * n_y + 1, sizeof(double));
    out->load = pkm_alloc((size_t)robot->mech->n_body, sizeof *out->load);
    if (!out->J || !out->load) return pkm_out_of_memory(err);
    out->W = out->J + PKM_ERROR_AXES * n_y;
    out->y = out->W + PKM_ERROR_AXES * n_y;
    out->f = out->y + n_y;
    return PKM_OK;
}

void pkm_error_set_free(pkm_error_set* set)
{
    pkm_free(set->J);
    pkm_free(set->load);
    pkm_seat_free(&set->seat);
    *set = (pkm_error_set){0};
}

// ---- sensitivities ----------------------------------------------------------------------------

/// Axes 0 to 2 are forces along x, y, z at the tool, 3 to 5 torques about them.
static pkm_wrench unit_wrench(pkm_vec3 at, int axis)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const pkm_vec3 e = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
    return axis < 3 ? pkm_wrench_at(at, e, none) : pkm_wrench_at(at, none, e);
}

/// Loads on the journals under a unit force or torque on the tool, without weight and inertia. By
/// virtual work they are the sensitivities of the tool's error along that axis (4.2).
static void find_row(pkm_error_set* set, int axis)
{
    pkm_seat* seat = &set->seat;
    pkm_state* state = seat->moved->state;
    const int body = state->mech->marker[state->mech->tool].body;
    double force[PKM_MAX_DRIVE];
    const pkm_wrench none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    set->load[body] = pkm_wrench_axpy(none, -1.0, unit_wrench(set->tool.p, axis));
    pkm_inverse_load_forces(state, set->load, state->force); // what the drives must hold against
    set->load[body] = none;
    pkm_inverse_drive_forces(state, force);
    pkm_reactions_solve(seat->reactions, state, seat->reaction, NULL);
    pkm_regions_loads(&seat->regions, state, seat->reaction,
                      set->J + (size_t)axis * (size_t)seat->regions.n_y);
}

pkm_status pkm_error_set_find(pkm_error_set* set)
{
    pkm_seat* seat = &set->seat;
    const pkm_mechanism* mech = seat->ideal->mech;
    for (int d = 0; d < mech->n_drive; ++d)
        set->target.q[d] = pkm_state_drive_position(seat->ideal->state, d);
    set->tool = pkm_state_marker_pose(seat->ideal->state, mech->tool);
    pkm_seat_reset(seat);
    PKM_TRY(pkm_seat_close(seat, &set->target, seat->y));
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        find_row(set, axis);
    pkm_share_read(&seat->share, &seat->regions, seat->reactions, seat->moved->state, seat->stress);
    return PKM_OK;
}

/// e = J y (4.1)
void pkm_error_set_linear(const pkm_error_set* set, const double* y, double* error)
{
    const int n = set->seat.regions.n_y;
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        error[axis] = pkm_dot(set->J + axis * n, y, n);
}

static void read_error(const pkm_error_set* set, double* error)
{
    const pkm_state* state = set->seat.moved->state;
    const pkm_pose pose = pkm_state_marker_pose(state, state->mech->tool);
    const pkm_vec3 shift = pkm_vec3_sub(pose.p, set->tool.p);
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(pose.q, pkm_quat_conj(set->tool.q)));
    memcpy(error, (double[]){shift.x, shift.y, shift.z, turn.x, turn.y, turn.z},
           PKM_ERROR_AXES * sizeof(double));
}

/// Redundant loops close only to first order; their journals are moved by terms of second order.
pkm_status pkm_error_set_closed(pkm_error_set* set, double* y, double* error)
{
    pkm_seat* seat = &set->seat;
    pkm_share* share = &seat->share;
    const size_t size = (size_t)seat->ideal->mech->n_q * sizeof(double);
    memcpy(seat->moved->state->q, seat->ideal->state->q, size);
    pkm_kinematics_position(seat->moved->state);
    pkm_status status = pkm_seat_close(seat, &set->target, y);
    for (int k = 0; k < MAX_REPAIR && share->n_free > 0 && status == PKM_OK; ++k) {
        pkm_seat_note_gaps(seat);
        if (seat->gap <= CLOSED * seat->ideal->mech->size) break;
        pkm_share_comply(share, &seat->regions, y);
        status = pkm_seat_close(seat, &set->target, y);
    }
    memset(share->g, 0, (size_t)share->n_free * sizeof(double));
    if (status == PKM_OK) read_error(set, error);
    return status;
}

// ---- support ----------------------------------------------------------------------------------

/// h(w) = max w . e (4.3): the loads f = J' w press every journal to its wall. With redundant loops
/// the self-stresses share the loads first (3.7); f is then taken unsmoothed, so that h is never
/// too small.
double pkm_error_set_support(pkm_error_set* set, const double* w, double* y)
{
    pkm_seat* seat = &set->seat;
    const int n = seat->regions.n_y;
    double off;
    for (int i = 0; i < n; ++i) {
        set->f[i] = 0.0;
        for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
            // f = J' w
            set->f[i] += w[axis] * set->J[i + axis * n];
    }
    if (seat->share.n_free == 0) return pkm_regions_extreme(&seat->regions, set->f, 0.0, y);
    // any self-stress gives a bound, the one found the least (3.7)
    pkm_share_solve(&seat->share, &seat->regions, set->f, SHARE_FLOOR, &off);
    memcpy(y, seat->share.y, (size_t)n * sizeof(double));
    return pkm_regions_extreme(&seat->regions, seat->share.f, 0.0, set->y);
}

/// Climb to the longest error among shifts (first = 0) or turns (first = 3) from the direction w:
/// the point of the set farthest along w lies farther from the middle than along w.
static double climb(pkm_error_set* set, int first, pkm_vec3* along)
{
    double best = 0.0, error[PKM_ERROR_AXES];
    const double enough = set->seat.share.n_free > 0 ? 1e-6 : 1e-12; // as exact as the support
    for (int k = 0; k < MAX_CLIMB; ++k) {
        double w[PKM_ERROR_AXES] = {0.0};
        w[first] = along->x;
        w[first + 1] = along->y;
        w[first + 2] = along->z;
        const double reach = pkm_error_set_support(set, w, set->W);
        // h rises with every step or the climb is done
        if (!(reach > best * (1.0 + enough))) break;
        best = reach;
        pkm_error_set_linear(set, set->W, error);
        const pkm_vec3 next = {error[first], error[first + 1], error[first + 2]};
        if (pkm_vec3_norm(next) == 0.0) break;
        *along = pkm_vec3_unit(next);
    }
    return best;
}

/// The longest error in any direction: the best climb from the 13 directions of a cube, as the set
/// is symmetric.
static double find_longest(pkm_error_set* set, int first, pkm_vec3* along)
{
    double best = -1.0;
    for (int k = 14; k < 27; ++k) {
        pkm_vec3 w = pkm_vec3_unit((pkm_vec3){k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1});
        const double reach = climb(set, first, &w);
        if (!(reach > best * (1.0 + 1e-9))) continue;
        best = reach;
        *along = w;
    }
    return best;
}

/// The same error with the loops closed by Newton's method: how far first order is from the truth.
/// To first order it is as long both ways; `along` becomes the one that is longer.
static pkm_status close_longest(pkm_error_set* set, int first, pkm_vec3* along, double* out)
{
    const pkm_vec3 ways[2] = {*along, pkm_vec3_scale(-1.0, *along)};
    *out = -1.0;
    for (int k = 0; k < 2; ++k) {
        double w[PKM_ERROR_AXES] = {0.0}, error[PKM_ERROR_AXES];
        w[first] = ways[k].x;
        w[first + 1] = ways[k].y;
        w[first + 2] = ways[k].z;
        pkm_error_set_support(set, w, set->W);
        PKM_TRY(pkm_error_set_closed(set, set->W, error));
        const double length =
            pkm_vec3_norm((pkm_vec3){error[first], error[first + 1], error[first + 2]});
        if (!(length > *out * (1.0 + 1e-9))) continue;
        *out = length;
        *along = ways[k];
    }
    return PKM_OK;
}

/// What each joint adds to h(w): f . y over its own coordinates.
void pkm_error_set_contributions(pkm_error_set* set, const double* w, double* out)
{
    const pkm_regions* regions = &set->seat.regions;
    pkm_error_set_support(set, w, set->W);
    const double* f = set->seat.share.n_free > 0 ? set->seat.share.f : set->f;
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        out[k] = pkm_dot(f + item->y_at, set->W + item->y_at, pkm_region_n(&item->region));
    }
}

// ---- ellipsoids -------------------------------------------------------------------------------

/// Shape matrix r^2 J J' [3 x 3] of one part.
static void part_shape(const pkm_error_set* set, const pkm_region_part* part, int first, double* Q)
{
    const int n = set->seat.regions.n_y;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            Q[i + 3 * j] = part->radius * part->radius *
                           pkm_dot(set->W + (first + i) * n + part->at,
                                   set->W + (first + j) * n + part->at, part->n);
}

/// Sensitivities less what self-stresses take off them; any amount is allowed, since E y = 0.
static void relax(pkm_error_set* set)
{
    const int n = set->seat.regions.n_y;
    memcpy(set->W, set->J, (size_t)(PKM_ERROR_AXES * n) * sizeof(double));
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        pkm_share_relax(&set->seat.share, &set->seat.regions, set->W + axis * n);
}

/// The outer ellipsoid of the sum of ellipsoids with the least trace (4.4):
///
///     Q = (sum sqrt(tr Q_k)) (sum Q_k / sqrt(tr Q_k))
static void find_ellipsoid(const pkm_error_set* set, int first, pkm_ellipsoid* out)
{
    double sum[9] = {0.0}, size = 0.0, Q[9], s[3], V[9];
    for (int p = 0; p < set->seat.regions.n; ++p) {
        const pkm_joint_region* item = &set->seat.regions.item[p];
        pkm_region_part part[PKM_REGION_PARTS];
        const int n = pkm_region_parts(&item->region, part);
        for (int k = 0; k < n; ++k) {
            part[k].at += item->y_at;
            part_shape(set, &part[k], first, Q);
            const double root = sqrt(Q[0] + Q[4] + Q[8]);
            if (root == 0.0) continue;
            size += root;
            for (int i = 0; i < 9; ++i)
                sum[i] += Q[i] / root;
        }
    }
    pkm_dense_small_svd(sum, 3, 3, s, V);
    for (int k = 0; k < 3; ++k) {
        out->semi[k] = sqrt(size * s[k]);
        out->axis[k] = (pkm_vec3){V[3 * k], V[3 * k + 1], V[3 * k + 2]};
    }
}

pkm_status pkm_envelope_at(pkm_error_set* set, pkm_envelope* out)
{
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis) {
        double w[PKM_ERROR_AXES] = {0.0};
        w[axis] = 1.0;
        out->most[axis] = pkm_error_set_support(set, w, set->W);
    }
    out->shift = find_longest(set, 0, &out->shift_along);
    out->turn = find_longest(set, 3, &out->turn_about);
    PKM_TRY(close_longest(set, 0, &out->shift_along, &out->shift_closed));
    PKM_TRY(close_longest(set, 3, &out->turn_about, &out->turn_closed));
    relax(set);
    find_ellipsoid(set, 0, &out->shifts);
    find_ellipsoid(set, 3, &out->turns);
    return PKM_OK;
}
