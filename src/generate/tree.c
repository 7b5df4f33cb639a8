// Positions, velocities, accelerations and forces of docs/theory/engine.md, (1.1) to (4.3), over
// symbols; written anew, so that agreement with src/dynamics says something.
#include "generate/tree.h"

#include "base/error.h"
#include "mechanism/joint.h"

#include <stdlib.h>

pkm_status pkm_tree_create(pkm_graph* graph, const pkm_mechanism* mech, const pkm_mass* mass,
                           pkm_tree* out, pkm_error* err)
{
    *out = (pkm_tree){.graph = graph, .mech = mech, .mass = mass};
    out->q = calloc((size_t)mech->n_q + 1, sizeof *out->q);
    out->body = calloc((size_t)mech->n_body, sizeof *out->body);
    out->S = calloc((size_t)mech->n_v + 1, sizeof *out->S);
    out->row = calloc((size_t)mech->n_row + 1, sizeof *out->row);
    out->f = calloc((size_t)mech->n_body, sizeof *out->f);
    if (!out->q || !out->body || !out->S || !out->row || !out->f) {
        pkm_tree_free(out);
        return pkm_out_of_memory(err);
    }
    // the ground: at the origin, at rest
    out->body[0].R = pkm_sym_constant_mat3(graph, pkm_mat3_identity());
    return PKM_OK;
}

void pkm_tree_free(pkm_tree* tree)
{
    free(tree->q);
    free(tree->body);
    free(tree->S);
    free(tree->row);
    free(tree->f);
    *tree = (pkm_tree){0};
}

// ---- positions --------------------------------------------------------------------------------

static pkm_sym_mat3 turned_about_z(pkm_graph* g, pkm_sym_mat3 R, pkm_node angle)
{
    // R Rz(angle): x and y turn in their plane, z stays
    const pkm_node c = pkm_graph_cosine(g, angle), s = pkm_graph_sine(g, angle);
    return (pkm_sym_mat3){pkm_sym_axpy(g, pkm_sym_scale(g, c, R.x), s, R.y),
                          pkm_sym_sub(g, pkm_sym_scale(g, c, R.y), pkm_sym_scale(g, s, R.x)), R.z};
}

/// (e, o x e) and (0, e), (1.4)
static pkm_sym_twist turning(pkm_graph* g, pkm_sym_vec3 e, pkm_sym_vec3 o)
{
    return (pkm_sym_twist){e, pkm_sym_cross(g, o, e)};
}

static pkm_sym_twist sliding(pkm_sym_vec3 e)
{
    return (pkm_sym_twist){PKM_SYM_ZERO, e};
}

/// The rotation of the unit quaternion q[0..3] = (w, x, y, z).
static pkm_sym_mat3 quaternion_axes(pkm_graph* g, const pkm_node* q)
{
    const pkm_node two = pkm_graph_number(g, 2.0);
    pkm_node d[4][4]; // 2 q_i q_j
    // R = 1 + 2 w [u]x + 2 [u]x [u]x of q = (w, u): every entry is made of these products
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j)
            d[i][j] = pkm_graph_multiply(g, two, pkm_graph_multiply(g, q[i], q[j]));
#define MINUS(a, b) pkm_graph_subtract(g, a, b)
#define PLUS(a, b)  pkm_graph_add(g, a, b)
    const pkm_sym_mat3 R = {
        {MINUS(1, PLUS(d[2][2], d[3][3])), PLUS(d[1][2], d[0][3]), MINUS(d[1][3], d[0][2])},
        {MINUS(d[1][2], d[0][3]), MINUS(1, PLUS(d[1][1], d[3][3])), PLUS(d[2][3], d[0][1])},
        {PLUS(d[1][3], d[0][2]), MINUS(d[2][3], d[0][1]), MINUS(1, PLUS(d[1][1], d[2][2]))}};
#undef MINUS
#undef PLUS
    return R;
}

static void three_turns(pkm_graph* g, pkm_sym_twist* S, pkm_sym_mat3 R, pkm_sym_vec3 o)
{
    S[0] = turning(g, R.x, o);
    S[1] = turning(g, R.y, o);
    S[2] = turning(g, R.z, o);
}

/// Table 1.1; columns are taken before o and R move on.
static void cross_axis(pkm_graph* g, const pkm_joint_facts* f, double pitch, const pkm_node* q,
                       pkm_sym_mat3* R, pkm_sym_vec3* o, pkm_sym_twist* S)
{
    const pkm_node lead = pkm_graph_number(g, pitch);
    // the axis as it stands before the joint: turning about it leaves it where it is
    if (f->angle != PKM_NONE) S[f->angle] = turning(g, R->z, *o);
    if (f->has_lead) {
        // a screw moves by its lead per radian along the axis it turns about
        S[0].lin = pkm_sym_axpy(g, S[0].lin, lead, R->z);
        *o = pkm_sym_axpy(g, *o, pkm_graph_multiply(g, lead, q[0]), R->z);
    } else if (f->slide != PKM_NONE) {
        S[f->slide] = sliding(R->z);
        *o = pkm_sym_axpy(g, *o, q[f->slide], R->z);
    }
    if (f->angle != PKM_NONE) *R = turned_about_z(g, *R, q[f->angle]);
}

/// Table 1.1: turn(z, o), then turn(Rz(q1) x, o); crossed is Ry(90 deg) of the first.
static void cross_universal(pkm_graph* g, const pkm_node* q, pkm_sym_mat3* R, pkm_sym_vec3 o,
                            pkm_sym_twist* S)
{
    S[0] = turning(g, R->z, o);
    // the second axis is carried by the first turn
    const pkm_sym_mat3 first = turned_about_z(g, *R, q[0]);
    S[1] = turning(g, first.x, o);
    const pkm_sym_mat3 crossed = {pkm_sym_minus(g, first.z), first.y, first.x};
    *R = turned_about_z(g, crossed, q[1]);
}

static void cross_plane(pkm_graph* g, const pkm_node* q, pkm_sym_mat3* R, pkm_sym_vec3* o,
                        pkm_sym_twist* S)
{
    S[0] = sliding(R->x);
    S[1] = sliding(R->y);
    *o = pkm_sym_axpy(g, pkm_sym_axpy(g, *o, q[0], R->x), q[1], R->y);
    S[2] = turning(g, R->z, *o);
    *R = turned_about_z(g, *R, q[2]);
}

/// A planar joint whose side a is the child (1.10).
static void cross_plane_back(pkm_graph* g, const pkm_node* q, pkm_sym_mat3* R, pkm_sym_vec3* o,
                             pkm_sym_twist* S)
{
    // backwards: all coordinates are those of the parent in the axes of the child
    S[2] = turning(g, pkm_sym_minus(g, R->z), *o);
    *R = turned_about_z(g, *R, pkm_graph_negate(g, q[2]));
    S[0] = sliding(pkm_sym_minus(g, R->x));
    S[1] = sliding(pkm_sym_minus(g, R->y));
    *o = pkm_sym_sub(g, *o, pkm_sym_scale(g, q[0], R->x));
    *o = pkm_sym_sub(g, *o, pkm_sym_scale(g, q[1], R->y));
}

/// Slides in the axes before the joint, turns in those behind it.
static void cross_free(pkm_graph* g, const pkm_node* q, pkm_sym_mat3* R, pkm_sym_vec3* o,
                       pkm_sym_twist* S)
{
    S[0] = sliding(R->x);
    S[1] = sliding(R->y);
    S[2] = sliding(R->z);
    *o = pkm_sym_add(g, *o, pkm_sym_mul(g, *R, (pkm_sym_vec3){q[0], q[1], q[2]}));
    *R = pkm_sym_matmul(g, *R, quaternion_axes(g, q + 3));
    three_turns(g, S + 3, *R, *o);
}

static void cross_joint(pkm_graph* g, const pkm_body* body, const pkm_node* q, pkm_sym_mat3* R,
                        pkm_sym_vec3* o, pkm_sym_twist* S)
{
    const pkm_joint_facts* f = pkm_joint_facts_of(body->type);
    switch (f->motion) {
    case PKM_MOVES_NOT:
        break;
    case PKM_MOVES_AXIS:
        cross_axis(g, f, body->pitch, q, R, o, S);
        break;
    case PKM_MOVES_CROSS:
        cross_universal(g, q, R, *o, S);
        break;
    case PKM_MOVES_PLANE:
        if (pkm_body_is_planar_back(body))
            cross_plane_back(g, q, R, o, S);
        else
            cross_plane(g, q, R, o, S);
        break;
    case PKM_MOVES_BALL:
        // velocities of a ball are about the axes of the child: constant columns there
        *R = pkm_sym_matmul(g, *R, quaternion_axes(g, q));
        three_turns(g, S, *R, *o);
        break;
    case PKM_MOVES_FREE:
        cross_free(g, q, R, o, S);
        break;
    case PKM_MOVES_LOOSE: // of runs with contacts only
        break;
    }
}

void pkm_tree_positions(pkm_tree* tree)
{
    pkm_graph* g = tree->graph;
    for (int i = 1; i < tree->mech->n_body; ++i) {
        const pkm_body* body = &tree->mech->body[i];
        // parents stand before their children in the list
        const pkm_sym_body* parent = &tree->body[body->parent];
        pkm_graph_note(g, "pose of %s (1.1), (1.2)", body->name);
        pkm_sym_vec3 o = pkm_sym_add(
            g, parent->p, pkm_sym_mul(g, parent->R, pkm_sym_constant(g, body->at_parent)));
        pkm_sym_mat3 R = pkm_sym_matmul(g, parent->R, pkm_sym_constant_mat3(g, body->axes_parent));
        cross_joint(g, body, tree->q + body->q_at, &R, &o, tree->S + body->v_at);
        const pkm_mat3 back = pkm_mat3_transpose(body->axes_child);
        pkm_sym_body* out = &tree->body[i];
        out->R = body->child_aligned ? R : pkm_sym_matmul(g, R, pkm_sym_constant_mat3(g, back));
        out->p = pkm_sym_sub(g, o, pkm_sym_mul(g, out->R, pkm_sym_constant(g, body->at_child)));
    }
}

// ---- velocities and accelerations -------------------------------------------------------------

void pkm_tree_velocities(pkm_tree* tree, const pkm_node* v)
{
    for (int i = 1; i < tree->mech->n_body; ++i) {
        const pkm_body* body = &tree->mech->body[i];
        pkm_graph_note(tree->graph, "twist of %s (1.5)", body->name);
        pkm_sym_twist V = tree->body[body->parent].V;
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            V = pkm_sym_twist_add(tree->graph, V,
                                  pkm_sym_twist_scale(tree->graph, v[k], tree->S[k]));
        tree->body[i].V = V;
    }
}

/// sum S_k v_k over the velocities from `from` to below `to`.
static pkm_sym_twist columns(pkm_tree* tree, const pkm_node* v, int from, int to)
{
    pkm_sym_twist sum = {PKM_SYM_ZERO, PKM_SYM_ZERO};
    for (int k = from; k < to; ++k)
        sum =
            pkm_sym_twist_add(tree->graph, sum, pkm_sym_twist_scale(tree->graph, v[k], tree->S[k]));
    return sum;
}

/// Rate of the columns times the velocities: every column is carried by the frame before it (1.7),
/// the three turns of a ball by the child itself.
static pkm_sym_twist carried_rate(pkm_tree* tree, const pkm_body* body, const pkm_node* v)
{
    pkm_graph* g = tree->graph;
    pkm_sym_twist V = tree->body[body->parent].V;
    const int at = body->v_at, end = at + body->n_v;
    if (pkm_body_is_planar_back(body)) {
        // (1.10): the turn comes first, its frame carries the slides
        const pkm_sym_twist turn = columns(tree, v, at + 2, end);
        const pkm_sym_twist slide = columns(tree, v, at, at + 2);
        return pkm_sym_twist_add(g, pkm_sym_twist_cross(g, V, turn),
                                 pkm_sym_twist_cross(g, pkm_sym_twist_add(g, V, turn), slide));
    }
    // V x (S v) with V of the parent alone, since S v x S v = 0
    const bool is_ball = pkm_joint_facts_of(body->type)->quaternion != PKM_NONE;
    pkm_sym_twist rate = {PKM_SYM_ZERO, PKM_SYM_ZERO};
    for (int k = at; k < end - (is_ball ? 3 : 0); ++k) {
        // S_k of the k-th freedom is carried by all freedoms before it
        const pkm_sym_twist Sv = columns(tree, v, k, k + 1);
        rate = pkm_sym_twist_add(g, rate, pkm_sym_twist_cross(g, V, Sv));
        V = pkm_sym_twist_add(g, V, Sv);
    }
    if (!is_ball) return rate;
    return pkm_sym_twist_add(g, rate, pkm_sym_twist_cross(g, V, columns(tree, v, end - 3, end)));
}

void pkm_tree_accelerations(pkm_tree* tree, const pkm_node* v, const pkm_node* a)
{
    pkm_graph* g = tree->graph;
    for (int i = 1; i < tree->mech->n_body; ++i) {
        const pkm_body* body = &tree->mech->body[i];
        pkm_graph_note(g, "rate of the twist of %s (1.6)", body->name);
        // A_i = A_p + sum (S_k a_k + S_k' v_k); without a the part that velocities make
        const pkm_sym_twist A = tree->body[body->parent].A;
        tree->body[i].A = pkm_sym_twist_add(g, A, carried_rate(tree, body, v));
        if (!a) continue;
        const pkm_sym_twist Sa = columns(tree, a, body->v_at, body->v_at + body->n_v);
        tree->body[i].A = pkm_sym_twist_add(g, tree->body[i].A, Sa);
    }
}

// ---- forces -----------------------------------------------------------------------------------

/// I = (xx, yy, zz, xy, xz, yz) in body axes, w there too.
static pkm_sym_vec3 inertia_times(pkm_graph* g, const double I[6], pkm_sym_vec3 w)
{
    const pkm_mat3 tensor = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    return pkm_sym_mul(g, pkm_sym_constant_mat3(g, tensor), w);
}

/// Force and moment about the world origin that body `i` needs (4.1), (4.2); `moves`: with its
/// velocity and weight, else for its A alone.
static pkm_sym_wrench needed(pkm_tree* tree, int i, bool moves)
{
    pkm_graph* g = tree->graph;
    const pkm_mass* m = &tree->mass[i];
    const pkm_sym_body* s = &tree->body[i];
    // c in the world; F = m (a(c) - g), N = c x F + R (I w' + w x I w)
    const pkm_sym_vec3 c = pkm_sym_add(g, s->p, pkm_sym_mul(g, s->R, pkm_sym_constant(g, m->com)));
    pkm_sym_vec3 acc = pkm_sym_at(g, s->A, c);
    pkm_sym_vec3 moment = inertia_times(g, m->inertia, pkm_sym_tmul(g, s->R, s->A.ang));
    if (moves) {
        const pkm_sym_vec3 w = pkm_sym_tmul(g, s->R, s->V.ang);
        const pkm_sym_vec3 gravity = pkm_sym_constant(g, tree->mech->gravity);
        // weight as an acceleration of the ground against gravity
        acc = pkm_sym_sub(g, pkm_sym_acceleration(g, s->V, s->A, c), gravity);
        moment = pkm_sym_add(g, moment, pkm_sym_cross(g, w, inertia_times(g, m->inertia, w)));
    }
    const pkm_sym_vec3 force = pkm_sym_scale(g, pkm_graph_number(g, m->mass), acc);
    return pkm_sym_wrench_at(g, c, force, pkm_sym_mul(g, s->R, moment));
}

/// Q_k = S_k . f_i, with f_i the sum over the subtree: bodies after their parents, so that
/// backwards every child is done before.
static void pass_inwards(pkm_tree* tree, pkm_node* out)
{
    pkm_graph* g = tree->graph;
    pkm_graph_note(g, "generalised forces of inertia and weight (4.3)");
    for (int i = tree->mech->n_body - 1; i > 0; --i) {
        const pkm_body* body = &tree->mech->body[i];
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            // of reactions only the part along the freedom does work
            out[k] = pkm_sym_power(g, tree->S[k], tree->f[i]);
        pkm_sym_wrench* parent = &tree->f[body->parent];
        *parent = pkm_sym_wrench_add(g, *parent, tree->f[i]);
    }
}

void pkm_tree_forces(pkm_tree* tree, int loaded, pkm_sym_wrench load, pkm_node* out)
{
    tree->f[0] = (pkm_sym_wrench){PKM_SYM_ZERO, PKM_SYM_ZERO};
    for (int i = 1; i < tree->mech->n_body; ++i) {
        pkm_graph_note(tree->graph, "force and moment for %s (4.1), (4.2)",
                       tree->mech->body[i].name);
        tree->f[i] = needed(tree, i, true);
        if (i == loaded) tree->f[i] = pkm_sym_wrench_sub(tree->graph, tree->f[i], load);
    }
    pass_inwards(tree, out);
}

/// At rest and without weight a is S x alone: M x costs one pass.
void pkm_tree_inertia(pkm_tree* tree, const pkm_node* x, pkm_node* out)
{
    tree->f[0] = (pkm_sym_wrench){PKM_SYM_ZERO, PKM_SYM_ZERO};
    for (int i = 1; i < tree->mech->n_body; ++i) {
        const pkm_body* body = &tree->mech->body[i];
        const pkm_sym_twist Sx = columns(tree, x, body->v_at, body->v_at + body->n_v);
        tree->body[i].A = pkm_sym_twist_add(tree->graph, tree->body[body->parent].A, Sx);
        tree->f[i] = needed(tree, i, false);
    }
    pass_inwards(tree, out);
}

// ---- steps ------------------------------------------------------------------------------------

/// Q (1, r/2), made unit: the turn exp(r) up to |r|^3, which Newton's method does not see.
static void turn_quaternion(pkm_graph* g, const pkm_node* q, const pkm_node* r, pkm_node* out)
{
    const pkm_node half = pkm_graph_number(g, 0.5);
    pkm_node h[3], next[4];
    for (int k = 0; k < 3; ++k)
        h[k] = pkm_graph_multiply(g, half, r[k]);
    const pkm_sym_vec3 e = {q[1], q[2], q[3]}, d = {h[0], h[1], h[2]};
    const pkm_sym_vec3 n = pkm_sym_add(g, pkm_sym_axpy(g, e, q[0], d), pkm_sym_cross(g, e, d));
    next[0] = pkm_graph_subtract(g, q[0], pkm_sym_dot(g, e, d));
    next[1] = n.x;
    next[2] = n.y;
    next[3] = n.z;
    const pkm_node norm = pkm_graph_root(
        g, pkm_graph_add(g, pkm_graph_multiply(g, next[0], next[0]), pkm_sym_dot(g, n, n)));
    const pkm_node scale = pkm_graph_divide(g, 1, norm);
    for (int k = 0; k < 4; ++k)
        out[k] = pkm_graph_multiply(g, scale, next[k]);
}

/// q + dx; balls turn on the group.
void pkm_tree_move(pkm_tree* tree, const pkm_node* dx, pkm_node* out)
{
    pkm_graph* g = tree->graph;
    for (int i = 1; i < tree->mech->n_body; ++i) {
        const pkm_body* body = &tree->mech->body[i];
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        const int n = ball == PKM_NONE ? body->n_q : ball;
        const pkm_node *q = tree->q + body->q_at, *d = dx + body->v_at;
        for (int k = 0; k < n; ++k)
            out[body->q_at + k] = pkm_graph_add(g, q[k], d[k]);
        if (ball != PKM_NONE) turn_quaternion(g, q + ball, d + ball, out + body->q_at + ball);
    }
}
