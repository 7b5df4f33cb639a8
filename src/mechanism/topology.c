// The spanning tree: driven joints are in it, a platform floats, all other bodies hang on the
// shortest way from the ground, what is left over is cut. docs/theory/engine.md, section 1.
#include "mechanism/topology.h"

#include "base/error.h"
#include "mechanism/joint.h"

enum { FLOAT_LIMBS = 3 }; // limbs that must meet on a body before it floats

static bool is_driven(const pkm_description* desc, int joint)
{
    for (int d = 0; d < desc->n_drive; ++d)
        if (desc->drive[d].joint == joint) return true;
    return false;
}

/// Driven joints, and those without closure rows, are always in the tree.
static bool is_kept(const pkm_description* desc, int joint)
{
    return is_driven(desc, joint) || pkm_joint_facts_of(desc->joint[joint].type)->is_kept;
}

static bool bends(const pkm_variant* variant, int body)
{
    return pkm_variant_modal(variant, body) != NULL;
}

/// A body that bends hangs on nothing but its drive: at other joints the frame in which it bends
/// would turn with its end, and small deflections would no longer be small. Of the joints with
/// contacts only driven ones carry: their drive acts on what the bearing leaves free.
static bool may_be_tree_joint(const pkm_description* desc, const pkm_variant* variant, int joint)
{
    const pkm_desc_joint* j = &desc->joint[joint];
    if (pkm_joint_facts_of(j->type)->is_rod) return false;
    if (variant->released && variant->released[joint]) return is_driven(desc, joint);
    return is_kept(desc, joint) || !(bends(variant, j->body_a) || bends(variant, j->body_b));
}

/// Can `body` still be reached from the ground when `without` is taken away?
static bool is_reached_without(const pkm_description* desc, const pkm_variant* variant, int without,
                               bool* seen, int* queue)
{
    for (int b = 0; b < desc->n_body; ++b)
        seen[b] = false;
    int head = 0, tail = 0, reached = 1;
    seen[0] = true;
    queue[tail++] = 0;
    while (head < tail) {
        const int at = queue[head++];
        for (int j = 0; j < desc->n_joint; ++j) {
            const pkm_desc_joint* joint = &desc->joint[j];
            if (joint->body_a != at && joint->body_b != at) continue;
            if (!may_be_tree_joint(desc, variant, j)) continue;
            const int other = joint->body_a == at ? joint->body_b : joint->body_a;
            if (seen[other] || other == without) continue;
            seen[other] = true;
            queue[tail++] = other;
            ++reached;
        }
    }
    return reached == desc->n_body - 1;
}

/// The body that floats as a root of its own: on it meet the most joints, at least three, none of
/// them driven and none to the ground, and without it all others still hang on the ground. Of
/// equals the one that carries the tool. PKM_NONE when there is none.
static int find_platform(const pkm_description* desc, const pkm_variant* variant, bool* seen,
                         int* queue)
{
    const int tool =
        desc->tool_marker == PKM_NONE ? PKM_NONE : desc->marker[desc->tool_marker].body;
    int best = PKM_NONE, best_count = FLOAT_LIMBS - 1;
    for (int b = 1; b < desc->n_body; ++b) {
        int count = 0;
        bool fits = true;
        for (int j = 0; j < desc->n_joint; ++j) {
            const pkm_desc_joint* joint = &desc->joint[j];
            if (joint->body_a != b && joint->body_b != b) continue;
            ++count;
            // rods and bearings that only touch are limbs, but bar nothing
            if (!may_be_tree_joint(desc, variant, j)) continue;
            const int other = joint->body_a == b ? joint->body_b : joint->body_a;
            if (is_kept(desc, j) || other == 0) fits = false;
        }
        // best > 0: before there is one, best_count is that of too few
        const bool better = count > best_count || (count == best_count && b == tool && best > 0);
        if (fits && better && is_reached_without(desc, variant, b, seen, queue)) {
            best = b;
            best_count = count;
        }
    }
    return best;
}

/// Union-find over the bodies, so that no tree joint closes a loop.
static int root_of(int* group, int b)
{
    while (group[b] != b)
        b = group[b] = group[group[b]];
    return b;
}

static pkm_status fail_loop(const pkm_description* desc, int joint, pkm_error* err)
{
    const pkm_desc_joint* j = &desc->joint[joint];
    for (int d = 0; d < desc->n_drive; ++d)
        if (desc->drive[d].joint == joint)
            return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->drive[d].place.line,
                               desc->drive[d].place.column,
                               "drive %s: its joint %s closes a loop in which every joint is "
                               "driven, expected at least one passive joint in each loop",
                               desc->drive[d].name, j->name);
    return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, j->place.line, j->place.column,
                       "joint %s: it closes a loop of driven joints and screws, expected at least "
                       "one other joint in each loop",
                       j->name);
}

/// Mark joint `j` as a tree joint; those that must be ones must not close a loop.
static pkm_status take_joint(const pkm_description* desc, const pkm_variant* variant, int j,
                             int* group, bool* in_tree, pkm_error* err)
{
    // in_tree: a joint with two drives comes twice
    if (!may_be_tree_joint(desc, variant, j) || in_tree[j]) return PKM_OK;
    const int a = root_of(group, desc->joint[j].body_a);
    const int b = root_of(group, desc->joint[j].body_b);
    if (a == b) return fail_loop(desc, j, err);
    group[a] = b;
    in_tree[j] = true;
    return PKM_OK;
}

/// First the driven joints in the order of the drives, then the others without closure rows.
static pkm_status take_kept_joints(const pkm_description* desc, const pkm_variant* variant,
                                   int* group, bool* in_tree, pkm_error* err)
{
    for (int d = 0; d < desc->n_drive; ++d)
        PKM_TRY(take_joint(desc, variant, desc->drive[d].joint, group, in_tree, err));
    for (int j = 0; j < desc->n_joint; ++j)
        if (is_kept(desc, j)) PKM_TRY(take_joint(desc, variant, j, group, in_tree, err));
    return PKM_OK;
}

/// Breadth first from the ground (then from the platform), driven joints first: bodies hang on the
/// shortest way, and a driven joint is always taken.
static void grow_tree(const pkm_description* desc, const pkm_variant* variant, int* group,
                      pkm_topology* out, int* tree_index, int* n_placed)
{
    // from the root that was placed last; what was placed before has no free neighbours left
    for (int head = *n_placed - 1; head < *n_placed; ++head) {
        const int at = out->order[head];
        for (int j = 0; j < desc->n_joint; ++j) {
            const pkm_desc_joint* joint = &desc->joint[j];
            if (joint->body_a != at && joint->body_b != at) continue;
            if (!may_be_tree_joint(desc, variant, j)) continue;
            const int other = joint->body_a == at ? joint->body_b : joint->body_a;
            if (tree_index[other] != PKM_NONE) continue;
            if (!out->in_tree[j]) {
                const int a = root_of(group, joint->body_a), b = root_of(group, joint->body_b);
                if (a == b) continue; // a driven joint carries this body from another side
                group[a] = b;
                out->in_tree[j] = true;
            }
            tree_index[other] = *n_placed;
            out->order[*n_placed] = other;
            out->parent[*n_placed] = head;
            out->joint[*n_placed] = j;
            ++*n_placed;
        }
    }
}

static void place_root(pkm_topology* out, int* tree_index, int body, int* n_placed)
{
    tree_index[body] = *n_placed;
    out->order[*n_placed] = body;
    out->parent[*n_placed] = 0;
    out->joint[*n_placed] = PKM_NONE;
    ++*n_placed;
}

/// Bodies that no tree joint reaches hang on massless rods, on contact or on flexible links: they
/// float. A body that no joint touches at all is a mistake.
static pkm_status place_rest(const pkm_description* desc, const pkm_variant* variant, int* group,
                             pkm_topology* out, int* tree_index, int* n_placed, pkm_error* err)
{
    for (int b = 1; b < desc->n_body; ++b) {
        if (tree_index[b] != PKM_NONE) continue;
        bool touched = false;
        for (int j = 0; j < desc->n_joint; ++j)
            touched = touched || desc->joint[j].body_a == b || desc->joint[j].body_b == b;
        if (!touched) {
            return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->body[b].place.line,
                               desc->body[b].place.column,
                               "body %s: no joint reaches it, expected at least one",
                               desc->body[b].name);
        }
        place_root(out, tree_index, b, n_placed);
        grow_tree(desc, variant, group, out, tree_index, n_placed);
    }
    return PKM_OK;
}

pkm_status pkm_topology_find(const pkm_description* desc, const pkm_variant* variant,
                             pkm_arena* arena, pkm_topology* out, pkm_error* err)
{
    const size_t nb = (size_t)desc->n_body, nj = (size_t)desc->n_joint;
    out->order = pkm_arena_alloc(arena, nb, sizeof(int));
    out->parent = pkm_arena_alloc(arena, nb, sizeof(int));
    out->joint = pkm_arena_alloc(arena, nb, sizeof(int));
    out->in_tree = pkm_arena_alloc(arena, nj, sizeof(bool));
    int* group = pkm_arena_alloc(arena, nb, sizeof(int));
    int* tree_index = pkm_arena_alloc(arena, nb, sizeof(int));
    int* queue = pkm_arena_alloc(arena, nb, sizeof(int));
    bool* seen = pkm_arena_alloc(arena, nb, sizeof(bool));
    if (!out->order || !out->parent || !out->joint || !out->in_tree || !group || !tree_index ||
        !queue || !seen)
        return pkm_out_of_memory(err);

    for (int b = 0; b < desc->n_body; ++b) {
        group[b] = b;
        tree_index[b] = PKM_NONE;
    }
    PKM_TRY(take_kept_joints(desc, variant, group, out->in_tree, err));

    // the platform floats: it is its own root beside the ground, and every limb ends at it
    const int platform = find_platform(desc, variant, seen, queue);
    int n_placed = 0;
    place_root(out, tree_index, 0, &n_placed);
    if (platform != PKM_NONE) tree_index[platform] = desc->n_body; // keeps limbs off it
    grow_tree(desc, variant, group, out, tree_index, &n_placed);
    if (platform != PKM_NONE) {
        place_root(out, tree_index, platform, &n_placed);
        grow_tree(desc, variant, group, out, tree_index, &n_placed);
    }
    return place_rest(desc, variant, group, out, tree_index, &n_placed, err);
}
