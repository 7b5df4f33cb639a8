// Rows of closures, drives and tool in the forms of docs/theory/engine.md, section 2: shifts d . e,
// turns u . w, distances |d|. Each has a residual, a wrench per unit multiplier and a bias.
#include "dynamics/rows.h"

#include "base/error.h"
#include "mechanism/joint.h"
#include "mechanism/modal_body.h"

#include <stdio.h>

// The components of a closure, in the order of its rows. A cut joint between a and b asks of the
// difference of the origins d = b - a and of the axes of the two frames (docs/theory/engine.md, 2):
//
//     shifts  d . e = 0   e along world axes where all three vanish, else along axes of a
//     turns   u . w = 0   u an axis of a, w an axis of b
//
// Which ones is a fact of the joint type (mechanism/joint.h).

static pkm_vec3 axis_of(pkm_mat3 m, int k)
{
    return k == 0 ? m.x : k == 1 ? m.y : m.z;
}

static const pkm_vec3 ZERO = {0.0, 0.0, 0.0};

/// Entries of one row: the power of its wrench on each velocity, with the opposite sign on side a.
static void write_entries(pkm_state* state, int r)
{
    // the list of columns is b's first, then a's
    const pkm_row* row = &state->mech->row[r];
    const int* motion = state->mech->motion + row->at;
    double* out = state->jacobian + row->at;
    const pkm_wrench w = state->wrench[r];
    for (int k = 0; k < row->n_b; ++k)
        out[k] = pkm_twist_dot(state->S[motion[k]], w);
    for (int k = row->n_b; k < row->n_b + row->n_a; ++k)
        out[k] = -pkm_twist_dot(state->S[motion[k]], w);
}

/// Entries of three rows with unit forces along the world axes at `p`: the velocity of that point.
static void write_point_entries(pkm_state* state, int r, pkm_vec3 p)
{
    const pkm_row* row = &state->mech->row[r];
    // rows of a point stand one behind the other and share their columns
    const int* motion = state->mech->motion + row->at;
    const int n = row->n_b + row->n_a;
    double *x = state->jacobian + row[0].at, *y = state->jacobian + row[1].at;
    double* z = state->jacobian + row[2].at;
    for (int k = 0; k < n; ++k) {
        const pkm_vec3 at = pkm_twist_at(state->S[motion[k]], p);
        const double sign = k < row->n_b ? 1.0 : -1.0;
        x[k] = sign * at.x;
        y[k] = sign * at.y;
        z[k] = sign * at.z;
    }
}

/// Three rows that make the points meet: residual d, unit forces at `p`.
static void put_point_rows(pkm_state* state, int r, pkm_vec3 d, pkm_vec3 p)
{
    state->residual[r] = d.x;
    state->residual[r + 1] = d.y;
    state->residual[r + 2] = d.z;
    // a unit force e at p has the moment p x e about the world's origin
    state->wrench[r] = (pkm_wrench){{1.0, 0.0, 0.0}, {0.0, p.z, -p.y}};
    state->wrench[r + 1] = (pkm_wrench){{0.0, 1.0, 0.0}, {-p.z, 0.0, p.x}};
    state->wrench[r + 2] = (pkm_wrench){{0.0, 0.0, 1.0}, {p.y, -p.x, 0.0}};
    write_point_entries(state, r, p);
}

static void put_row(pkm_state* state, int r, double residual, pkm_wrench wrench)
{
    state->residual[r] = residual;
    state->wrench[r] = wrench;
    write_entries(state, r);
}

/// Where the two frames of a joint are.
typedef struct joint_place {
    pkm_vec3 pa, pb, d;
    pkm_mat3 Ra, Rb; // axes, where the form needs them
} joint_place;

static joint_place place_joint(const pkm_state* state, const pkm_joint* joint, bool axes)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    joint_place at;
    at.pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    at.pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    at.d = pkm_vec3_sub(at.pb, at.pa);
    // rods and balls in the world need none
    if (axes) {
        at.Ra = pkm_mat3_matmul(a->R, joint->axes_a);
        at.Rb = pkm_mat3_matmul(b->R, joint->axes_b);
    }
    return at;
}

static bool needs_axes(const pkm_joint_facts* form)
{
    return form->n_shift + form->n_turn > 0;
}

static void put_distance(pkm_state* state, int r, const pkm_joint* joint, double sign,
                         double wanted)
{
    const joint_place at = place_joint(state, joint, false);
    const double length = pkm_vec3_norm(at.d);
    // n = d/|d| [1]; at length 0 there is no direction, and no force
    const pkm_vec3 force = pkm_vec3_scale(length > 0.0 ? sign / length : 0.0, at.d);
    // W = force n at p_b (2.5)
    put_row(state, r, sign * length - wanted, pkm_wrench_at(at.pb, force, ZERO));
}

static void put_closure(pkm_state* state, const pkm_joint* joint)
{
    int r = joint->row_at;
    if (pkm_joint_facts_of(joint->type)->is_rod) {
        put_distance(state, r, joint, 1.0, joint->length);
        return;
    }
    const pkm_joint_facts* form = pkm_joint_facts_of(joint->type);
    const joint_place at = place_joint(state, joint, needs_axes(form));
    if (form->n_world) { // (2.2)
        put_point_rows(state, r, at.d, at.pb);
        r += 3;
    }
    for (int k = 0; k < form->n_shift; ++k) { // (2.3)
        const pkm_vec3 e = axis_of(at.Ra, form->shift[k]);
        put_row(state, r++, pkm_vec3_dot(at.d, e), pkm_wrench_at(at.pb, e, ZERO));
    }
    for (int k = 0; k < form->n_turn; ++k) { // (2.4)
        const pkm_vec3 u = axis_of(at.Ra, form->turn[k].u), w = axis_of(at.Rb, form->turn[k].w);
        put_row(state, r++, pkm_vec3_dot(u, w), (pkm_wrench){ZERO, pkm_vec3_cross(w, u)});
    }
}

void pkm_rows_closures(pkm_state* state)
{
    for (int j = 0; j < state->mech->n_joint; ++j)
        if (state->mech->joint[j].n_row > 0) put_closure(state, &state->mech->joint[j]);
}

/// c = q_d - target: a drive of a distance has the row (2.5), any other its one coordinate.
static void put_drive_row(pkm_state* state, int r, const pkm_target* target)
{
    const int d = state->mech->row[r].item;
    const pkm_drive* drive = &state->mech->drive[d];
    if (drive->v_index == PKM_NONE) {
        const pkm_joint* joint = &state->mech->joint[drive->joint];
        put_distance(state, r, joint, drive->sign, target->q[d] - drive->zero);
        return;
    }
    state->residual[r] = drive->sign * state->q[drive->q_index] + drive->zero - target->q[d];
    state->jacobian[state->mech->row[r].at] = drive->sign;
}

static void put_tool_row(pkm_state* state, int r, const pkm_target* target)
{
    const pkm_marker* tool = &state->mech->marker[state->mech->tool];
    const pkm_body_state* body = &state->body[tool->body];
    const int k = state->mech->row[r].component;
    const pkm_vec3 p = pkm_vec3_add(body->p, pkm_mat3_mul(body->R, tool->pose.p));
    if (k < PKM_TOOL_RX) {
        const pkm_vec3 e = pkm_vec3_axis(k), d = pkm_vec3_sub(p, target->tool.pose.p);
        put_row(state, r, pkm_vec3_dot(d, e), pkm_wrench_at(p, e, ZERO));
        return;
    }
    // the turn that is left, R R_target', as a rotation vector in world axes
    const pkm_pose pose = pkm_state_marker_pose(state, state->mech->tool);
    const pkm_quat left = pkm_quat_mul(pose.q, pkm_quat_conj(target->tool.pose.q));
    const pkm_vec3 e = pkm_vec3_axis(k - PKM_TOOL_RX);
    put_row(state, r, pkm_vec3_dot(pkm_quat_to_rotvec(left), e), (pkm_wrench){ZERO, e});
}

/// The rate e . w of a body about an axis e of its own. It is no derivative of a position: held, it
/// has no residual.
static void put_spin_row(pkm_state* state, int r)
{
    const pkm_row* row = &state->mech->row[r];
    const pkm_vec3 axis = state->mech->spin_line[row->component].along;
    put_row(state, r, 0.0, (pkm_wrench){ZERO, pkm_mat3_mul(state->body[row->item].R, axis)});
}

static void put_prescribed(pkm_state* state, int r, const pkm_target* target)
{
    switch (state->mech->row[r].kind) {
    // done by pkm_rows_closures
    case PKM_ROW_CLOSURE:
        break;
    case PKM_ROW_DRIVE:
        put_drive_row(state, r, target);
        break;
    case PKM_ROW_TOOL:
        put_tool_row(state, r, target);
        break;
    case PKM_ROW_SPIN:
        put_spin_row(state, r);
        break;
    // a velocity, not a position: it stays where it is
    case PKM_ROW_HOLD:
        state->residual[r] = 0.0;
        state->jacobian[state->mech->row[r].at] = 1.0;
        break;
    }
}

void pkm_rows_prescribed(pkm_state* state, pkm_given given, const pkm_target* target)
{
    const pkm_system* system = &state->system[given];
    for (int i = 0; i < system->n_row; ++i)
        // closures are the same for all systems and evaluated once
        if (state->mech->row[system->row[i]].kind != PKM_ROW_CLOSURE)
            put_prescribed(state, system->row[i], target);
}

void pkm_rows_some(pkm_state* state, const int* row, int n, const pkm_target* target)
{
    for (int i = 0; i < n; ++i)
        put_prescribed(state, row[i], target);
}

void pkm_rows_drives(pkm_state* state)
{
    // entries do not depend on the target, and nobody reads these residuals
    static const pkm_target zero;
    for (int d = 0; d < state->mech->n_drive; ++d)
        put_drive_row(state, state->mech->drive_row_at + d, &zero);
}

void pkm_rows_all(pkm_state* state, const pkm_target* target)
{
    pkm_rows_closures(state);
    // drives, tool, spins and held velocities stand behind the closures
    for (int r = state->mech->drive_row_at; r < state->mech->n_row; ++r)
        put_prescribed(state, r, target);
}

// ---- acceleration -----------------------------------------------------------------------------

/// c'' of a distance along unit d: d . d'' + (|d'|^2 - (d . d')^2) / |d| (2.9).
static double distance_bias(const pkm_state* state, const pkm_joint* joint)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const joint_place at = place_joint(state, joint, false);
    const double length = pkm_vec3_norm(at.d);
    // ends that meet have no direction: their row has no force either
    if (length == 0.0) return 0.0;
    const pkm_vec3 n = pkm_vec3_scale(1.0 / length, at.d);
    const pkm_vec3 rate = pkm_vec3_sub(pkm_twist_at(b->V, at.pb), pkm_twist_at(a->V, at.pa));
    const pkm_vec3 acc = pkm_vec3_sub(pkm_twist_acceleration(b->V, b->A, at.pb),
                                      pkm_twist_acceleration(a->V, a->A, at.pa));
    // |d|' = n . d', and what is across n turns the direction
    const double along = pkm_vec3_dot(n, rate);
    return pkm_vec3_dot(n, acc) + (pkm_vec3_dot(rate, rate) - along * along) / length;
}

void pkm_drive_rates(const pkm_state* state, int d, double* v, double* a)
{
    const pkm_drive* drive = &state->mech->drive[d];
    if (drive->v_index != PKM_NONE) { // a coordinate of the tree; others are distances (2.5), (2.9)
        *v = drive->sign * state->v[drive->v_index];
        *a = drive->sign * state->a[drive->v_index];
        return;
    }
    const pkm_joint* joint = &state->mech->joint[drive->joint];
    const pkm_body_state *ba = &state->body[joint->body_a], *bb = &state->body[joint->body_b];
    const joint_place at = place_joint(state, joint, false);
    const pkm_vec3 rate = pkm_vec3_sub(pkm_twist_at(bb->V, at.pb), pkm_twist_at(ba->V, at.pa));
    // n of (2.5); sign: a drive may count its length downwards
    *v = drive->sign * pkm_vec3_dot(pkm_vec3_unit(at.d), rate);
    *a = drive->sign * distance_bias(state, joint);
}

/// c'' of the shifts and turns of a cut joint (2.6) to (2.8).
static void closure_bias(pkm_state* state, const pkm_joint* joint)
{
    int r = joint->row_at;
    if (pkm_joint_facts_of(joint->type)->is_rod) {
        state->bias[r] = distance_bias(state, joint);
        return;
    }
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_joint_facts* form = pkm_joint_facts_of(joint->type);
    const joint_place at = place_joint(state, joint, needs_axes(form));
    // points of a and b that are at the joint's two origins
    const pkm_vec3 acc = pkm_vec3_sub(pkm_twist_acceleration(b->V, b->A, at.pb),
                                      pkm_twist_acceleration(a->V, a->A, at.pa));
    if (form->n_world) { // (2.6)
        state->bias[r++] = acc.x;
        state->bias[r++] = acc.y;
        state->bias[r++] = acc.z;
    }
    if (form->n_shift) { // (2.7), with 2 w x d' - w x (w x d) = w x (d' + (d' - w x d))
        const pkm_vec3 rate = pkm_vec3_sub(pkm_twist_at(b->V, at.pb), pkm_twist_at(a->V, at.pa));
        const pkm_vec3 slip = pkm_vec3_sub(rate, pkm_vec3_cross(a->V.ang, at.d));
        pkm_vec3 seen = pkm_vec3_sub(acc, pkm_vec3_cross(a->A.ang, at.d));
        seen = pkm_vec3_sub(seen, pkm_vec3_cross(a->V.ang, pkm_vec3_add(rate, slip)));
        for (int k = 0; k < form->n_shift; ++k)
            state->bias[r++] = pkm_vec3_dot(axis_of(at.Ra, form->shift[k]), seen);
    }
    PKM_ASSERT(r + form->n_turn == joint->row_at + joint->n_row);
    // (2.8)
    const pkm_vec3 spin = pkm_vec3_sub(b->V.ang, a->V.ang);
    const pkm_vec3 spin_rate = pkm_vec3_sub(b->A.ang, a->A.ang);
    for (int k = 0; k < form->n_turn; ++k) {
        const pkm_vec3 u = axis_of(at.Ra, form->turn[k].u), w = axis_of(at.Rb, form->turn[k].w);
        const pkm_vec3 u_rate = pkm_vec3_cross(a->V.ang, u), w_rate = pkm_vec3_cross(b->V.ang, w);
        const pkm_vec3 rate = pkm_vec3_add(pkm_vec3_cross(w_rate, u), pkm_vec3_cross(w, u_rate));
        state->bias[r++] = pkm_vec3_dot(spin_rate, pkm_vec3_cross(w, u)) + pkm_vec3_dot(spin, rate);
    }
}

/// Acceleration of the tool along or about a world axis: (1.9) for its point.
static double tool_bias(const pkm_state* state, int component)
{
    const pkm_marker* tool = &state->mech->marker[state->mech->tool];
    const pkm_body_state* body = &state->body[tool->body];
    if (component >= PKM_TOOL_RX)
        // (1.9) holds for the point; turns have w' itself
        return pkm_vec3_dot(pkm_vec3_axis(component - PKM_TOOL_RX), body->A.ang);
    const pkm_vec3 p = pkm_vec3_add(body->p, pkm_mat3_mul(body->R, tool->pose.p));
    return pkm_vec3_dot(pkm_vec3_axis(component), pkm_twist_acceleration(body->V, body->A, p));
}

static double prescribed_bias(const pkm_state* state, int r)
{
    const pkm_row* row = &state->mech->row[r];
    switch (row->kind) {
    case PKM_ROW_TOOL:
        return tool_bias(state, row->component);
    case PKM_ROW_SPIN: {
        // (e . w)' = e . w' + (w x e) . w = e . w'
        const pkm_body_state* body = &state->body[row->item];
        const pkm_vec3 e = pkm_mat3_mul(body->R, state->mech->spin_line[row->component].along);
        return pkm_vec3_dot(e, body->A.ang);
    }
    case PKM_ROW_DRIVE: {
        PKM_ASSERT(row->item >= 0 && row->item < state->mech->n_drive);
        const pkm_drive* drive = &state->mech->drive[row->item];
        if (drive->v_index != PKM_NONE) return 0.0;
        return drive->sign * distance_bias(state, &state->mech->joint[drive->joint]);
    }
    default:
        return 0.0;
    }
}

/// c'' of each row with the accelerations that the bodies have; those of a = 0 give the bias of
/// (3.1).
void pkm_rows_bias(pkm_state* state, pkm_given given)
{
    const pkm_mechanism* mech = state->mech;
    for (int j = 0; j < mech->n_joint; ++j)
        if (mech->joint[j].n_row > 0) closure_bias(state, &mech->joint[j]);
    const pkm_system* system = &state->system[given];
    for (int i = 0; i < system->n_row; ++i) { // a velocity that is held has none
        const pkm_row_kind kind = mech->row[system->row[i]].kind;
        if (kind != PKM_ROW_CLOSURE && kind != PKM_ROW_HOLD)
            state->bias[system->row[i]] = prescribed_bias(state, system->row[i]);
    }
}

// ---- names ------------------------------------------------------------------------------------

static const char* const axis_name[] = {"x", "y", "z"};

static void closure_name(const pkm_mechanism* mech, const pkm_row* row, char* out, size_t size)
{
    const pkm_joint* joint = &mech->joint[row->item];
    const pkm_joint_facts* form = pkm_joint_facts_of(joint->type);
    // components of a closure: world shifts, shifts along its axes, turns
    int k = row->component;
    if (pkm_joint_facts_of(joint->type)->is_rod) {
        snprintf(out, size, "%s: length", joint->name);
    } else if (k < form->n_world) {
        snprintf(out, size, "%s: shift along %s", joint->name, axis_name[k]);
    } else if ((k -= form->n_world) < form->n_shift) {
        snprintf(out, size, "%s: shift along its %s", joint->name, axis_name[form->shift[k]]);
    } else {
        const pkm_turn_pair pair = form->turn[k - form->n_shift];
        // u . w = 0 forbids the turn about the third axis; that about z x z is across both
        const int about = pair.u == pair.w ? 0 : 3 - pair.u - pair.w;
        snprintf(out, size, "%s: turn about its %s", joint->name,
                 pair.u == pair.w ? "cross axis" : axis_name[about]);
    }
}

static void hold_name(const pkm_mechanism* mech, int v, char* out, size_t size)
{
    int i = 1;
    // modes have their velocities apart: the name is that of their link
    while (v >= mech->body[i].v_at + mech->body[i].n_v) {
        const pkm_body* bent = &mech->body[i++];
        if (!bent->modal || v < bent->e_at || v >= bent->e_at + bent->modal->n_mode) continue;
        snprintf(out, size, "mode %d of %s", v - bent->e_at + 1, bent->name);
        return;
    }
    const pkm_body* body = &mech->body[i];
    if (body->joint == PKM_NONE)
        snprintf(out, size, "freedom %d of floating body %s", v - body->v_at + 1, body->name);
    else if (body->n_v == 1)
        snprintf(out, size, "freedom of joint %s", mech->joint[body->joint].name);
    else
        snprintf(out, size, "freedom %d of joint %s", v - body->v_at + 1,
                 mech->joint[body->joint].name);
}

void pkm_row_name(const pkm_mechanism* mech, int r, char* out, size_t size)
{
    const pkm_row* row = &mech->row[r];
    switch (row->kind) {
    case PKM_ROW_CLOSURE:
        closure_name(mech, row, out, size);
        break;
    case PKM_ROW_DRIVE:
        snprintf(out, size, "drive %s", mech->drive[row->item].name);
        break;
    case PKM_ROW_TOOL:
        snprintf(out, size, "tool %s%s", row->component < PKM_TOOL_RX ? "" : "turn ",
                 axis_name[row->component % 3]);
        break;
    case PKM_ROW_SPIN:
        snprintf(out, size, "spin of %s", mech->body[row->item].name);
        break;
    case PKM_ROW_HOLD:
        hold_name(mech, row->item, out, size);
        break;
    }
}
