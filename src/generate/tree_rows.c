#include "generate/tree.h"
#include "mechanism/joint.h"

// Rows of docs/theory/engine.md, section 2: shifts d . e, turns u . w, distances |d|.

static pkm_sym_vec3 axis_of(pkm_sym_mat3 m, int k)
{
    return k == 0 ? m.x : k == 1 ? m.y : m.z;
}

static pkm_sym_vec3 world_axis(int k)
{
    return (pkm_sym_vec3){k == 0, k == 1, k == 2}; // the nodes 0 and 1 are these numbers
}

/// Origins of both sides, d = p_b - p_a and the axes of both sides, in the world.
typedef struct joint_place {
    pkm_sym_vec3 pa, pb, d;
    pkm_sym_mat3 Ra, Rb;
} joint_place;

static joint_place place_joint(pkm_tree* tree, const pkm_joint* joint)
{
    pkm_graph* g = tree->graph;
    const pkm_sym_body *a = &tree->body[joint->body_a], *b = &tree->body[joint->body_b];
    joint_place at;
    // p of each side, and d = p_b - p_a, of which all rows of a joint are made
    at.pa = pkm_sym_add(g, a->p, pkm_sym_mul(g, a->R, pkm_sym_constant(g, joint->frame_a.p)));
    at.pb = pkm_sym_add(g, b->p, pkm_sym_mul(g, b->R, pkm_sym_constant(g, joint->frame_b.p)));
    at.d = pkm_sym_sub(g, at.pb, at.pa);
    at.Ra = pkm_sym_matmul(g, a->R, pkm_sym_constant_mat3(g, joint->axes_a));
    at.Rb = pkm_sym_matmul(g, b->R, pkm_sym_constant_mat3(g, joint->axes_b));
    return at;
}

static pkm_node length_of(pkm_graph* g, pkm_sym_vec3 d)
{
    return pkm_graph_root(g, pkm_sym_dot(g, d, d));
}

/// sign |d| - wanted, force sign d / |d| at p_b (2.5)
static void put_distance(pkm_tree* tree, int r, const pkm_joint* joint, double sign,
                         pkm_node wanted)
{
    pkm_graph* g = tree->graph;
    const joint_place at = place_joint(tree, joint);
    const pkm_node length = length_of(g, at.d), s = pkm_graph_number(g, sign);
    const pkm_sym_vec3 n = pkm_sym_scale(g, pkm_graph_divide(g, s, length), at.d);
    // no square: near the wanted length sign |d| is as linear as a shift
    tree->row[r].residual = pkm_graph_subtract(g, pkm_graph_multiply(g, s, length), wanted);
    tree->row[r].wrench = pkm_sym_wrench_at(g, at.pb, n, PKM_SYM_ZERO);
}

static void put_closure(pkm_tree* tree, int r)
{
    pkm_graph* g = tree->graph;
    const pkm_joint* joint = &tree->mech->joint[tree->mech->row[r].item];
    const pkm_joint_facts* form = pkm_joint_facts_of(joint->type);
    // a rod is one distance, whichever way its ends can turn
    if (form->is_rod) {
        put_distance(tree, r, joint, 1.0, pkm_graph_number(g, joint->length));
        return;
    }
    const joint_place at = place_joint(tree, joint);
    pkm_sym_row* out = &tree->row[r];
    int k = r - joint->row_at;
    if (k < form->n_world + form->n_shift) {
        // d . e with e of the world or of side a: (2.2), (2.3)
        const pkm_sym_vec3 e =
            k < form->n_world ? world_axis(k) : axis_of(at.Ra, form->shift[k - form->n_world]);
        out->residual = pkm_sym_dot(g, at.d, e);
        out->wrench = pkm_sym_wrench_at(g, at.pb, e, PKM_SYM_ZERO);
        return;
    }
    k -= form->n_world + form->n_shift;
    // u . w, moment w x u: (2.4)
    const pkm_sym_vec3 u = axis_of(at.Ra, form->turn[k].u), w = axis_of(at.Rb, form->turn[k].w);
    out->residual = pkm_sym_dot(g, u, w);
    out->wrench = (pkm_sym_wrench){PKM_SYM_ZERO, pkm_sym_cross(g, w, u)};
}

static void put_drive(pkm_tree* tree, int r, const pkm_node* wanted)
{
    pkm_graph* g = tree->graph;
    const int d = tree->mech->row[r].item;
    const pkm_drive* drive = &tree->mech->drive[d];
    if (drive->v_index == PKM_NONE) {
        // sign |d| = wanted - zero
        const pkm_node rest = pkm_graph_subtract(g, wanted[d], pkm_graph_number(g, drive->zero));
        put_distance(tree, r, &tree->mech->joint[drive->joint], drive->sign, rest);
        return;
    }
    // of a coordinate of the tree: its row has one entry, so that no wrench is needed
    tree->row[r].residual = pkm_graph_subtract(g, pkm_tree_drive(tree, d), wanted[d]);
}

pkm_node pkm_tree_drive(pkm_tree* tree, int d)
{
    pkm_graph* g = tree->graph;
    const pkm_drive* drive = &tree->mech->drive[d];
    // sign x + zero, of the length of a rod or of the coordinate
    const pkm_node x = drive->v_index == PKM_NONE
                           ? length_of(g, place_joint(tree, &tree->mech->joint[drive->joint]).d)
                           : tree->q[drive->q_index];
    return pkm_graph_add(g, pkm_graph_multiply(g, pkm_graph_number(g, drive->sign), x),
                         pkm_graph_number(g, drive->zero));
}

// ---- tool -------------------------------------------------------------------------------------

static const pkm_sym_body* tool_body(const pkm_tree* tree)
{
    return &tree->body[tree->mech->marker[tree->mech->tool].body];
}

pkm_sym_vec3 pkm_tree_tool_point(pkm_tree* tree)
{
    const pkm_vec3 at = tree->mech->marker[tree->mech->tool].pose.p;
    const pkm_sym_body* body = tool_body(tree);
    return pkm_sym_add(tree->graph, body->p,
                       pkm_sym_mul(tree->graph, body->R, pkm_sym_constant(tree->graph, at)));
}

pkm_sym_mat3 pkm_tree_tool_axes(pkm_tree* tree)
{
    const pkm_mat3 axes = tree->mech->marker[tree->mech->tool].axes;
    return pkm_sym_matmul(tree->graph, tool_body(tree)->R,
                          pkm_sym_constant_mat3(tree->graph, axes));
}

/// What is left to turn, R R_wanted': (x_wanted x x + y_wanted x y + z_wanted x z) / 2. It is the
/// sine of the angle along the axis, so its rate at zero is the angular velocity.
static pkm_sym_vec3 turn_left(pkm_tree* tree, const pkm_sym_mat3* wanted)
{
    pkm_graph* g = tree->graph;
    const pkm_sym_mat3 now = pkm_tree_tool_axes(tree);
    const pkm_sym_vec3 xy =
        pkm_sym_add(g, pkm_sym_cross(g, wanted->x, now.x), pkm_sym_cross(g, wanted->y, now.y));
    const pkm_sym_vec3 all = pkm_sym_add(g, xy, pkm_sym_cross(g, wanted->z, now.z));
    return pkm_sym_scale(g, pkm_graph_number(g, 0.5), all);
}

static void put_tool(pkm_tree* tree, int r, const pkm_sym_tool* tool)
{
    pkm_graph* g = tree->graph;
    const int k = tree->mech->row[r].component;
    pkm_sym_row* out = &tree->row[r];
    if (k < PKM_TOOL_RX) {
        const pkm_sym_vec3 p = pkm_tree_tool_point(tree), e = world_axis(k);
        // a unit force at the tool does the work of its shift along e
        out->residual = pkm_sym_dot(g, pkm_sym_sub(g, p, tool->p), e);
        out->wrench = pkm_sym_wrench_at(g, p, e, PKM_SYM_ZERO);
        return;
    }
    const pkm_sym_vec3 e = world_axis(k - PKM_TOOL_RX);
    // a unit torque that of its turn about e
    out->residual = pkm_sym_dot(g, turn_left(tree, &tool->R), e);
    out->wrench = (pkm_sym_wrench){PKM_SYM_ZERO, e};
}

static pkm_sym_vec3 spin_axis(pkm_tree* tree, const pkm_row* row)
{
    return pkm_sym_mul(tree->graph, tree->body[row->item].R,
                       pkm_sym_constant(tree->graph, tree->mech->spin_line[row->component].along));
}

void pkm_tree_row(pkm_tree* tree, int r, const pkm_sym_tool* tool, const pkm_node* drive)
{
    const pkm_row* row = &tree->mech->row[r];
    tree->row[r] = (pkm_sym_row){0};
    switch (row->kind) {
    case PKM_ROW_CLOSURE:
        pkm_graph_note(tree->graph, "closure of joint %s (2.2) to (2.5)",
                       tree->mech->joint[row->item].name);
        put_closure(tree, r);
        break;
    case PKM_ROW_DRIVE:
        pkm_graph_note(tree->graph, "drive %s", tree->mech->drive[row->item].name);
        put_drive(tree, r, drive);
        break;
    case PKM_ROW_TOOL:
        pkm_graph_note(tree->graph, "tool");
        put_tool(tree, r, tool);
        break;
    case PKM_ROW_SPIN:
        // no residual: a spin is a rate that is kept at zero, and has no position
        tree->row[r].wrench = (pkm_sym_wrench){PKM_SYM_ZERO, spin_axis(tree, row)};
        break;
    case PKM_ROW_HOLD:
        break;
    }
}

void pkm_tree_row_entries(pkm_tree* tree, int r, pkm_node* out)
{
    pkm_graph* g = tree->graph;
    const pkm_row* row = &tree->mech->row[r];
    for (int k = 0; k < tree->mech->n_v; ++k)
        out[k] = 0;
    // a row touches the velocities on the ways from its two bodies to where these meet
    const int* column = tree->mech->column + row->at;
    const bool is_held = row->kind == PKM_ROW_HOLD;
    if (is_held ||
        (row->kind == PKM_ROW_DRIVE && tree->mech->drive[row->item].v_index != PKM_NONE)) {
        // one velocity by itself
        const double sign = is_held ? 1.0 : tree->mech->drive[row->item].sign;
        out[column[0]] = pkm_graph_number(g, sign);
        return;
    }
    // J_k = W . S_k on the way to b, - W . S_k on the way to a (2.1)
    for (int k = 0; k < row->n_b + row->n_a; ++k) {
        const pkm_node power = pkm_sym_power(g, tree->S[column[k]], tree->row[r].wrench);
        out[column[k]] = k < row->n_b ? power : pkm_graph_negate(g, power);
    }
}

// ---- acceleration -----------------------------------------------------------------------------

/// (2.9): n . d'' + (|d'|^2 - (n . d')^2)/|d|
static pkm_node distance_bias(pkm_tree* tree, const pkm_joint* joint)
{
    pkm_graph* g = tree->graph;
    const pkm_sym_body *a = &tree->body[joint->body_a], *b = &tree->body[joint->body_b];
    const joint_place at = place_joint(tree, joint);
    const pkm_node length = length_of(g, at.d), one_over = pkm_graph_divide(g, 1, length);
    const pkm_sym_vec3 n = pkm_sym_scale(g, one_over, at.d);
    const pkm_sym_vec3 rate =
        pkm_sym_sub(g, pkm_sym_at(g, b->V, at.pb), pkm_sym_at(g, a->V, at.pa));
    const pkm_sym_vec3 acc = pkm_sym_sub(g, pkm_sym_acceleration(g, b->V, b->A, at.pb),
                                         pkm_sym_acceleration(g, a->V, a->A, at.pa));
    const pkm_node along = pkm_sym_dot(g, n, rate);
    // |d'|^2 - (n . d')^2 is the square of the speed across the line
    const pkm_node across =
        pkm_graph_subtract(g, pkm_sym_dot(g, rate, rate), pkm_graph_multiply(g, along, along));
    return pkm_graph_add(g, pkm_sym_dot(g, n, acc), pkm_graph_multiply(g, across, one_over));
}

/// (2.7): e . (d'' - w_a' x d - w_a x (2 d' - w_a x d))
static pkm_node shift_bias(pkm_tree* tree, const pkm_sym_body* a, const pkm_sym_body* b,
                           const joint_place* at, pkm_sym_vec3 acc, pkm_sym_vec3 e)
{
    pkm_graph* g = tree->graph;
    const pkm_sym_vec3 rate =
        pkm_sym_sub(g, pkm_sym_at(g, b->V, at->pb), pkm_sym_at(g, a->V, at->pa));
    // d' as it is seen from side a
    const pkm_sym_vec3 slip = pkm_sym_sub(g, rate, pkm_sym_cross(g, a->V.ang, at->d));
    // what an observer on a sees of d'': less the turning of his axes, and twice that of his speed
    pkm_sym_vec3 seen = pkm_sym_sub(g, acc, pkm_sym_cross(g, a->A.ang, at->d));
    seen = pkm_sym_sub(g, seen, pkm_sym_cross(g, a->V.ang, pkm_sym_add(g, rate, slip)));
    return pkm_sym_dot(g, e, seen);
}

/// (2.8)
static pkm_node turn_bias(pkm_graph* g, const pkm_sym_body* a, const pkm_sym_body* b,
                          pkm_sym_vec3 u, pkm_sym_vec3 w)
{
    // (u . w)' = (w_b - w_a) . (w x u), differentiated once more
    const pkm_sym_vec3 spin = pkm_sym_sub(g, b->V.ang, a->V.ang);
    const pkm_sym_vec3 spin_rate = pkm_sym_sub(g, b->A.ang, a->A.ang);
    // u is fixed to a, w to b
    const pkm_sym_vec3 u_rate = pkm_sym_cross(g, a->V.ang, u);
    const pkm_sym_vec3 w_rate = pkm_sym_cross(g, b->V.ang, w);
    const pkm_sym_vec3 rate =
        pkm_sym_add(g, pkm_sym_cross(g, w_rate, u), pkm_sym_cross(g, w, u_rate));
    return pkm_graph_add(g, pkm_sym_dot(g, spin_rate, pkm_sym_cross(g, w, u)),
                         pkm_sym_dot(g, spin, rate));
}

static pkm_node closure_bias(pkm_tree* tree, int r)
{
    pkm_graph* g = tree->graph;
    const pkm_joint* joint = &tree->mech->joint[tree->mech->row[r].item];
    const pkm_joint_facts* form = pkm_joint_facts_of(joint->type);
    if (form->is_rod) return distance_bias(tree, joint);
    const pkm_sym_body *a = &tree->body[joint->body_a], *b = &tree->body[joint->body_b];
    const joint_place at = place_joint(tree, joint);
    const pkm_sym_vec3 acc = pkm_sym_sub(g, pkm_sym_acceleration(g, b->V, b->A, at.pb),
                                         pkm_sym_acceleration(g, a->V, a->A, at.pa));
    int k = r - joint->row_at;
    // (2.6): e . d'' with a fixed e
    if (k < form->n_world) return pkm_sym_dot(g, acc, world_axis(k));
    k -= form->n_world;
    if (k < form->n_shift) return shift_bias(tree, a, b, &at, acc, axis_of(at.Ra, form->shift[k]));
    k -= form->n_shift;
    return turn_bias(g, a, b, axis_of(at.Ra, form->turn[k].u), axis_of(at.Rb, form->turn[k].w));
}

void pkm_tree_row_bias(pkm_tree* tree, int r)
{
    pkm_graph* g = tree->graph;
    const pkm_row* row = &tree->mech->row[r];
    pkm_node bias = 0;
    if (row->kind == PKM_ROW_CLOSURE) {
        // c'' with the accelerations that the tree has: those of a = 0 make it the bias
        bias = closure_bias(tree, r);
    } else if (row->kind == PKM_ROW_TOOL) {
        const pkm_sym_body* body = tool_body(tree);
        const pkm_sym_vec3 acc =
            row->component < PKM_TOOL_RX
                ? pkm_sym_acceleration(g, body->V, body->A, pkm_tree_tool_point(tree))
                : body->A.ang;
        bias = pkm_sym_dot(g, acc, world_axis(row->component % 3));
    } else if (row->kind == PKM_ROW_SPIN) {
        bias = pkm_sym_dot(g, spin_axis(tree, row), tree->body[row->item].A.ang);
    } else if (row->kind == PKM_ROW_DRIVE && tree->mech->drive[row->item].v_index == PKM_NONE) {
        const pkm_drive* drive = &tree->mech->drive[row->item];
        // a driven length; a driven coordinate has no bias, its row is constant
        bias = pkm_graph_multiply(g, pkm_graph_number(g, drive->sign),
                                  distance_bias(tree, &tree->mech->joint[drive->joint]));
    }
    tree->row[r].bias = bias;
}
