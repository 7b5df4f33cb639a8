// From what was written to a mechanism: bodies in the order of the spanning tree (topology.c),
// joints in the tree or cut, drives, markers and rows (row_list.c), all in one constant block.
// Sizes are counted first, then the same walk lays the block out twice: to measure it and to set
// its pointers. Called for every robot and every variant of a run. docs/theory/engine.md, sections
// 1 and 2.
#include "mechanism/mechanism.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "mechanism/compile_impl.h"
#include "mechanism/joint.h"
#include "mechanism/topology.h"
#include "mechanism/variant.h"
#include "model/description.h"

#include <stdalign.h>
#include <string.h>

// ---- sizes and the one block ------------------------------------------------------------------

/// The block is laid out twice with the same code: first to count (base NULL), then for real.
typedef struct layout {
    unsigned char* base;
    size_t used;
} layout;

static void* take(layout* at, size_t count, size_t size)
{
    // any type may stand at the start of an array
    const size_t align = alignof(max_align_t);
    at->used = (at->used + align - 1) / align * align;
    void* out = at->base ? at->base + at->used : NULL;
    at->used += count * size;
    return out;
}

typedef struct sizes {
    int n_body, n_q, n_v, n_motion, n_closure, n_spin, n_row, n_column;
    size_t n_text;
} sizes;

/// What is compiled, and how.
typedef struct plan {
    const pkm_description* desc;
    const pkm_variant* variant;
    pkm_topology tree;
    int* place; ///< [n_body] index in the mechanism of the i-th body of the tree; its frames follow
    pkm_pose* pose; ///< [n_body] work
} plan;

static void lay_out(layout* at, const pkm_description* desc, const sizes* n, pkm_mechanism* mech)
{
    take(at, 1, sizeof(pkm_mechanism));
    mech->body = take(at, (size_t)n->n_body, sizeof(pkm_body));
    mech->joint = take(at, (size_t)desc->n_joint, sizeof(pkm_joint));
    mech->drive = take(at, (size_t)desc->n_drive, sizeof(pkm_drive));
    mech->marker = take(at, (size_t)desc->n_marker, sizeof(pkm_marker));
    mech->row = take(at, (size_t)n->n_row, sizeof(pkm_row));
    mech->column = take(at, (size_t)n->n_column, sizeof(int));
    mech->motion = take(at, (size_t)n->n_column, sizeof(int));
    mech->output = take(at, (size_t)desc->n_output, sizeof(int));
    mech->body_of_desc = take(at, (size_t)desc->n_body, sizeof(int));
    mech->spin_line = take(at, (size_t)n->n_spin, sizeof(pkm_rod_line));
    mech->q_guess = take(at, (size_t)n->n_q, sizeof(double));
    mech->q_unit = take(at, (size_t)n->n_q, sizeof(double));
    mech->v_unit = take(at, (size_t)n->n_v, sizeof(double));
    mech->text = take(at, n->n_text, 1);
}

static const char* keep_text(char** at, const char* text)
{
    const size_t size = strlen(text) + 1;
    char* out = memcpy(*at, text, size);
    *at += size;
    return out;
}

static size_t text_size(const pkm_description* desc)
{
    size_t n = strlen(desc->name) + 1;
    for (int i = 0; i < desc->n_body; ++i)
        n += strlen(desc->body[i].name) + 1;
    for (int i = 0; i < desc->n_joint; ++i)
        n += strlen(desc->joint[i].name) + 1;
    for (int i = 0; i < desc->n_drive; ++i)
        n += strlen(desc->drive[i].name) + 1;
    for (int i = 0; i < desc->n_marker; ++i)
        n += strlen(desc->marker[i].name) + 1;
    return n;
}

/// Its one row, (2.5) with the wanted length, is that of the drive.
static bool is_driven_distance(const pkm_description* desc, int joint)
{
    if (!pkm_joint_facts_of(desc->joint[joint].type)->is_rod) return false;
    for (int d = 0; d < desc->n_drive; ++d)
        if (desc->drive[d].joint == joint) return true;
    return false;
}

static bool is_released(const plan* p, int joint)
{
    return p->variant->released && p->variant->released[joint];
}

/// Rows of section 2: none for a joint of the tree, nor for one whose bearing only touches.
static int closure_rows_of(const plan* p, int joint)
{
    if (p->tree.in_tree[joint] || is_driven_distance(p->desc, joint) || is_released(p, joint))
        return 0;
    return pkm_joint_facts_of(p->desc->joint[joint].type)->n_row;
}

static int modes_of(const plan* p, int desc_body)
{
    const pkm_modal_body* modal = pkm_variant_modal(p->variant, desc_body);
    return modal ? modal->n_mode : 0;
}

static int frames_of(const plan* p, int desc_body)
{
    const pkm_modal_body* modal = pkm_variant_modal(p->variant, desc_body);
    return modal ? modal->n_frame : 0;
}

static pkm_joint_type tree_type(const plan* p, int i)
{
    const int joint = p->tree.joint[i];
    // floats
    if (joint == PKM_NONE) return PKM_JOINT_FREE;
    return is_released(p, joint) ? PKM_JOINT_LOOSE : p->desc->joint[joint].type;
}

/// Velocities between the ground and (the frames of) each body of the description: a row between
/// two bodies has at most the sum of both as entries. NULL: memory is out.
static int* count_depths(const plan* p, pkm_arena* arena)
{
    const pkm_topology* tree = &p->tree;
    int* depth = pkm_arena_alloc(arena, (size_t)p->desc->n_body, sizeof(int));
    // parents stand before children in the order of the tree
    for (int i = 1; depth && i < p->desc->n_body; ++i)
        depth[tree->order[i]] = depth[tree->order[tree->parent[i]]] +
                                pkm_joint_facts_of(tree_type(p, i))->n_v +
                                modes_of(p, tree->order[i]);
    return depth;
}

/// A flexible link has its modes as further coordinates and a body without mass for every frame on
/// which something sits.
static void count_bodies(plan* p, sizes* n)
{
    for (int i = 0; i < p->desc->n_body; ++i) {
        const int body = p->tree.order[i], n_mode = modes_of(p, body);
        p->place[i] = n->n_body;
        n->n_body += 1 + frames_of(p, body);
        n->n_motion += frames_of(p, body) * n_mode;
        if (i == 0) continue;
        n->n_q += pkm_joint_facts_of(tree_type(p, i))->n_q + n_mode;
        n->n_v += pkm_joint_facts_of(tree_type(p, i))->n_v + n_mode;
    }
    n->n_motion += n->n_v;
}

static pkm_status count_sizes(plan* p, pkm_arena* arena, sizes* n)
{
    const pkm_description* desc = p->desc;
    const int* depth = count_depths(p, arena);
    p->place = pkm_arena_alloc(arena, (size_t)desc->n_body, sizeof(int));
    p->pose = pkm_arena_alloc(arena, (size_t)desc->n_body, sizeof(pkm_pose));
    if (!depth || !p->place || !p->pose) return PKM_ERR_MEMORY;
    // upper bounds of the entries; rows that share ancestors use fewer
    *n = (sizes){.n_text = text_size(desc)};
    count_bodies(p, n);
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        const int n_row = closure_rows_of(p, j);
        n->n_closure += n_row;
        n->n_column += n_row * (depth[joint->body_a] + depth[joint->body_b]);
    }
    for (int b = 1; b < desc->n_body; ++b) {
        if (!pkm_can_spin(desc, p->variant, b, NULL)) continue;
        ++n->n_spin;
        n->n_column += depth[b];
    }
    // in the order of row_list.c
    n->n_row = n->n_closure + desc->n_drive + PKM_TOOL_ALL + n->n_spin + n->n_v;
    n->n_column += (desc->n_drive + PKM_TOOL_ALL + 1) * n->n_v; // drives, tool and holds
    return PKM_OK;
}

// ---- bodies, joints, drives, markers ----------------------------------------------------------

/// The body of the mechanism on which a joint or marker at `pose` of a body sits: the body itself,
/// or a frame on it, to which the pose then belongs.
static int seat(const plan* p, const pkm_mechanism* mech, int desc_body, pkm_pose* pose)
{
    const int at = mech->body_of_desc[desc_body];
    const pkm_modal_body* modal = pkm_variant_modal(p->variant, desc_body);
    const int frame = modal ? pkm_modal_frame_at(modal, pose->p) : PKM_NONE;
    if (frame == PKM_NONE) return at;
    pose->p = pkm_vec3_sub(pose->p, modal->at[frame]);
    return at + 1 + frame;
}

/// Modal coordinates behind those of the joint, and the frames behind the body.
static void fill_modes(const plan* p, int i, pkm_mechanism* mech)
{
    pkm_body* body = &mech->body[i];
    body->modal = pkm_variant_modal(p->variant, body->desc);
    if (!body->modal) return;
    body->z_at = mech->n_q;
    body->e_at = mech->n_v;
    mech->n_q += body->modal->n_mode;
    mech->n_v += body->modal->n_mode;
    for (int f = 0; f < body->modal->n_frame; ++f) {
        mech->body[i + 1 + f] = (pkm_body){.name = body->name,
                                           .desc = body->desc,
                                           .link = body->link,
                                           .parent = i,
                                           .joint = PKM_NONE,
                                           .type = PKM_JOINT_FIXED,
                                           .axes_parent = pkm_mat3_identity(),
                                           .axes_child = pkm_mat3_identity(),
                                           .child_aligned = true,
                                           .q_at = mech->n_q,
                                           .v_at = mech->n_v,
                                           .z_at = body->z_at,
                                           .e_at = body->e_at,
                                           .frame = f};
    }
}

/// Motion columns of the frames, behind those of all velocities.
static void number_motions(pkm_mechanism* mech)
{
    mech->n_motion = mech->n_v;
    for (int i = 1; i < mech->n_body; ++i) {
        pkm_body* body = &mech->body[i];
        if (body->frame == PKM_NONE) continue;
        body->s_at = mech->n_motion;
        mech->n_motion += mech->body[body->parent].modal->n_mode;
    }
}

static void fill_body(const plan* p, int tree_index, pkm_mechanism* mech, char** text)
{
    const pkm_description* desc = p->desc;
    const pkm_topology* tree = &p->tree;
    const pkm_desc_body* from = &desc->body[tree->order[tree_index]];
    const int i = p->place[tree_index];
    pkm_body* body = &mech->body[i];
    body->name = keep_text(text, from->name);
    body->desc = tree->order[tree_index];
    body->link = from->part_of > 0 ? from->part_of : body->desc;
    body->parent = p->place[tree->parent[tree_index]];
    body->joint = tree->joint[tree_index];
    body->frame = PKM_NONE;
    body->mass = from->mass;
    body->com = from->com;
    memcpy(body->inertia, from->inertia, sizeof body->inertia);
    // a floating body hangs on the ground's origin, its frame of the joint is its own
    body->type = PKM_JOINT_FREE;
    body->axes_parent = body->axes_child = pkm_mat3_identity();
    body->child_aligned = true;
    mech->body_of_desc[body->desc] = i;
    // the ground hangs on nothing
    if (i == 0) {
        body->type = PKM_JOINT_FIXED;
        return;
    }
    mech->total_mass += from->mass;
    if (body->joint != PKM_NONE) {
        const pkm_desc_joint* joint = &desc->joint[body->joint];
        // (1.1), (1.2): fp is (R_jp, r_p) on the parent, fc is (R_jc, r_c) on the child
        body->reversed = joint->body_a == body->desc;
        pkm_pose fp = body->reversed ? joint->frame_b : joint->frame_a;
        body->parent = seat(p, mech, body->reversed ? joint->body_b : joint->body_a, &fp);
        const pkm_pose fc = body->reversed ? joint->frame_a : joint->frame_b;
        body->type = tree_type(p, tree_index);
        // h = lead/2pi [m/rad], table 1.1
        body->pitch = joint->lead / PKM_TURN;
        body->at_parent = fp.p;
        body->at_child = fc.p;
        body->axes_parent = pkm_mat3_from_quat(fp.q);
        body->axes_child = pkm_mat3_from_quat(fc.q);
        // most frames of children are not turned: R_i = R+ then, without a product
        const pkm_vec3 turn = pkm_quat_to_rotvec(fc.q);
        body->child_aligned = turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0;
        mech->joint[body->joint].tree_body = i;
    }
    body->n_q = pkm_joint_facts_of(body->type)->n_q;
    body->n_v = pkm_joint_facts_of(body->type)->n_v;
    body->q_at = mech->n_q;
    body->v_at = mech->n_v;
    mech->n_q += body->n_q;
    mech->n_v += body->n_v;
    fill_modes(p, i, mech);
}

static void fill_joint(const plan* p, int j, pkm_mechanism* mech, char** text)
{
    const pkm_description* desc = p->desc;
    const pkm_desc_joint* from = &desc->joint[j];
    pkm_joint* joint = &mech->joint[j];
    joint->name = keep_text(text, from->name);
    joint->type = from->type;
    joint->frame_a = from->frame_a;
    joint->frame_b = from->frame_b;
    joint->body_a = seat(p, mech, from->body_a, &joint->frame_a);
    joint->body_b = seat(p, mech, from->body_b, &joint->frame_b);
    joint->released = is_released(p, j);
    // seats move points only: a frame has the axes of its link as it is undeformed
    joint->axes_a = pkm_mat3_from_quat(from->frame_a.q);
    joint->axes_b = pkm_mat3_from_quat(from->frame_b.q);
    joint->limit[0] = from->limit[0];
    joint->limit[1] = from->limit[1];
    joint->swing = from->swing;
    joint->pitch = from->lead / PKM_TURN;
    joint->drive = PKM_NONE;
    joint->n_row = closure_rows_of(p, j);
    joint->row_at = mech->n_closure;
    mech->n_closure += joint->n_row;

    // a rod without a length is as long as the way between its ends where the bodies were drawn [m]
    joint->length = from->length;
    if (pkm_joint_facts_of(joint->type)->is_rod && isnan(joint->length)) {
        const pkm_vec3 a = pkm_pose_point(desc->body[from->body_a].guess, from->frame_a.p);
        const pkm_vec3 b = pkm_pose_point(desc->body[from->body_b].guess, from->frame_b.p);
        joint->length = pkm_vec3_norm(pkm_vec3_sub(b, a));
    }
    // the robot's size [m]: the unit of lengths among angles (section 3)
    const double ra = pkm_vec3_norm(from->frame_a.p), rb = pkm_vec3_norm(from->frame_b.p);
    mech->size = fmax(mech->size, fmax(ra, rb));
}

static void fill_drive(const pkm_description* desc, int d, pkm_mechanism* mech, char** text)
{
    const pkm_desc_drive* from = &desc->drive[d];
    pkm_drive* drive = &mech->drive[d];
    *drive = (pkm_drive){.name = keep_text(text, from->name),
                         .joint = from->joint,
                         .v_index = PKM_NONE,
                         .q_index = PKM_NONE,
                         .sign = from->sign,
                         .zero = from->zero,
                         .is_rotary = from->is_rotary,
                         .position_limit = {from->position_limit[0], from->position_limit[1]},
                         .velocity_limit = from->velocity_limit,
                         .acceleration_limit = from->acceleration_limit,
                         .jerk_limit = from->jerk_limit,
                         .force_limit = from->force_limit,
                         .home = from->home};
    pkm_joint* joint = &mech->joint[from->joint];
    if (pkm_joint_facts_of(joint->type)->is_rod) {
        joint->drive = d;
        return;
    }
    const pkm_body* body = &mech->body[joint->tree_body];
    // a screw has one coordinate, its angle; driven along its axis it moves by pitch * angle
    const bool screws = pkm_joint_facts_of(joint->type)->has_lead;
    const int loose = from->is_rotary ? PKM_LOOSE_ANGLE : PKM_LOOSE_SLIDE;
    // a released joint has all six: its drive moves q3 or q6 of (1.11)
    const int coordinate = joint->released ? loose : screws ? 0 : from->coordinate;
    if (screws && !from->is_rotary) drive->sign *= joint->pitch;
    drive->v_index = body->v_at + coordinate;
    drive->q_index = body->q_at + coordinate;
    // seen from the other side an angle or a displacement changes its sign only; planar joints keep
    // the coordinates of their side a
    const bool is_plane = pkm_joint_facts_of(joint->type)->motion == PKM_MOVES_PLANE;
    if (body->reversed && !is_plane) drive->sign = -drive->sign;
}

static void fill_markers(const plan* p, pkm_mechanism* mech, char** text)
{
    const pkm_description* desc = p->desc;
    for (int m = 0; m < desc->n_marker; ++m) {
        const pkm_desc_marker* from = &desc->marker[m];
        pkm_marker* marker = &mech->marker[m];
        marker->name = keep_text(text, from->name);
        marker->pose = from->pose;
        marker->body = seat(p, mech, from->body, &marker->pose);
        marker->axes = pkm_mat3_from_quat(from->pose.q);
    }
    for (int k = 0; k < desc->n_output; ++k)
        mech->output[k] = desc->output[k];
}

// ---- the compiler -----------------------------------------------------------------------------

/// A body that bends must be seen from the joint on which it hangs.
static pkm_status check_hanging(const pkm_mechanism* mech, pkm_error* err)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (!body->modal || body->joint == PKM_NONE) continue;
        const int frame = pkm_modal_frame_at(body->modal, body->at_child);
        if (frame != PKM_NONE && frame == body->modal->clamped) continue;
        return pkm_fail(err, PKM_ERR_MODEL,
                        "body %s: it bends and drive joint %s carries it from its far side, "
                        "expected the points of that joint in the order [towards the ground, away "
                        "from it]",
                        body->name, mech->joint[body->joint].name);
    }
    return PKM_OK;
}

static pkm_status fill(const plan* p, int n_body, pkm_mechanism* mech, pkm_error* err)
{
    const pkm_description* desc = p->desc;
    char* text = mech->text;
    mech->name = keep_text(&text, desc->name);
    mech->n_body = n_body;
    mech->n_joint = desc->n_joint;
    mech->n_drive = desc->n_drive;
    mech->n_marker = desc->n_marker;
    mech->n_output = desc->n_output;
    mech->gravity = desc->gravity;
    mech->tool = desc->tool_marker;
    mech->tool_moves = desc->tool_moves;
    mech->length_scale = desc->length_scale;

    // cut, unless a body says below that it hangs on it
    for (int j = 0; j < desc->n_joint; ++j)
        mech->joint[j].tree_body = PKM_NONE;
    for (int i = 0; i < desc->n_body; ++i)
        fill_body(p, i, mech, &text);
    number_motions(mech);
    // behind all bodies: joints and markers sit on bodies or frames that have numbers by now
    for (int j = 0; j < desc->n_joint; ++j)
        fill_joint(p, j, mech, &text);
    PKM_TRY(check_hanging(mech, err));
    for (int d = 0; d < desc->n_drive; ++d)
        fill_drive(desc, d, mech, &text);
    fill_markers(p, mech, &text);
    pkm_guess_coordinates(desc, p->pose, mech);
    // all joints at the origins of their bodies
    if (mech->size == 0.0) mech->size = 1.0;
    // gaps of loops are told relative to the size (section 3)
    mech->gap_limit = desc->assembly_tolerance / mech->size;
    pkm_fill_units(mech);
    pkm_fill_rows(desc, p->variant, mech);
    pkm_fill_weights(mech);
    return PKM_OK;
}

/// All work memory is in the arena; the block is asked for once, when its size is known, and is
/// zero, so that what is not filled has no value.
static pkm_status build(const pkm_description* desc, const pkm_variant* variant, pkm_arena* arena,
                        pkm_mechanism** out, pkm_error* err)
{
    plan p = {.desc = desc, .variant = variant};
    PKM_TRY(pkm_topology_find(desc, variant, arena, &p.tree, err));
    if (desc->n_drive > PKM_MAX_DRIVE) {
        return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->drive[PKM_MAX_DRIVE].place.line,
                           desc->drive[PKM_MAX_DRIVE].place.column,
                           "drives: %d of them, expected at most %d", desc->n_drive, PKM_MAX_DRIVE);
    }
    sizes n;
    if (count_sizes(&p, arena, &n) != PKM_OK) return pkm_out_of_memory(err);
    pkm_mechanism measure;
    layout at = {0};
    lay_out(&at, desc, &n, &measure);
    unsigned char* block = pkm_alloc(1, at.used);
    if (!block) return pkm_out_of_memory(err);

    pkm_mechanism* mech = (pkm_mechanism*)(void*)block;
    at = (layout){.base = block};
    lay_out(&at, desc, &n, mech);
    const pkm_status status = fill(&p, n.n_body, mech, err);
    if (status != PKM_OK) {
        pkm_free(block);
        return status;
    }
    // what was counted is what was filled; rows that share ancestors, or without a tool, leave room
    PKM_ASSERT(mech->n_q == n.n_q && mech->n_v == n.n_v && mech->n_motion == n.n_motion);
    PKM_ASSERT(mech->n_row <= n.n_row && mech->n_column <= n.n_column);
    *out = mech;
    return PKM_OK;
}

pkm_status pkm_mechanism_compile(const pkm_description* desc, pkm_mechanism** out, pkm_error* err)
{
    static const pkm_variant as_written;
    return pkm_mechanism_compile_variant(desc, &as_written, out, err);
}

pkm_status pkm_mechanism_compile_variant(const pkm_description* desc, const pkm_variant* variant,
                                         pkm_mechanism** out, pkm_error* err)
{
    *out = NULL;
    pkm_arena* arena = pkm_arena_create();
    if (!arena) return pkm_out_of_memory(err);
    const pkm_status status = build(desc, variant, arena, out, err);
    pkm_arena_free(arena);
    return status;
}

void pkm_mechanism_free(pkm_mechanism* mech)
{
    pkm_free(mech);
}
