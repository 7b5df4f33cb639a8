// All rows that conditions may use, in this order: closures of cut joints, drives, the six of the
// tool, spins of rods between balls, one hold for each velocity. A row lists the velocities that it
// touches: those between its bodies and their nearest common ancestor (2.1). docs/theory/engine.md,
// section 2.
#include "mechanism/compile_impl.h"
#include "mechanism/joint.h"

/// The body that `body` is a piece of, or itself.
static int whole_of(const pkm_description* desc, int body)
{
    return desc->body[body].part_of > 0 ? desc->body[body].part_of : body;
}

static bool touches(const pkm_description* desc, int j, int body)
{
    return whole_of(desc, desc->joint[j].body_a) == body ||
           whole_of(desc, desc->joint[j].body_b) == body;
}

/// The balls of a rod, in the axes of one of its bodies.
typedef struct balls {
    const pkm_description* desc;
    const pkm_variant* variant;
    int n, body[2]; ///< on which they sit
    pkm_vec3 at[2];
} balls;

/// All joints of `body`, which is at `pose`, but for `by`, and of what is welded to it: false where
/// one would stop a spin about the line of two balls. `depth` ends at rings of welds.
static bool find_balls(balls* out, int body, int by, pkm_pose pose, int depth)
{
    const pkm_description* desc = out->desc;
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        if (j == by || joint->is_weld || !touches(desc, j, body)) continue;
        const int a = whole_of(desc, joint->body_a), other = whole_of(desc, joint->body_b);
        const bool is_a = a == body;
        const pkm_pose here = is_a ? joint->frame_a : joint->frame_b;
        const pkm_pose there = is_a ? joint->frame_b : joint->frame_a;
        if (out->variant->released && out->variant->released[j]) return false;
        if (joint->type == PKM_JOINT_FIXED) {
            const int next = is_a ? other : a;
            const pkm_pose at = pkm_pose_mul(pose, pkm_pose_mul(here, pkm_pose_inverse(there)));
            if (next == 0 || depth == 0 || pkm_variant_modal(out->variant, next) ||
                !find_balls(out, next, j, at, depth - 1))
                return false;
        } else {
            // two balls and nothing else: any other joint would stop the spin
            if (pkm_joint_facts_of(joint->type)->motion != PKM_MOVES_BALL || out->n == 2)
                return false;
            out->body[out->n] = body;
            out->at[out->n++] = pkm_pose_point(pose, here.p);
        }
    }
    return true;
}

/// The pieces of a link spin together: the first one stands for all. So does a rod for what is
/// welded to it: of the bodies with its balls the first.
bool pkm_can_spin(const pkm_description* desc, const pkm_variant* variant, int body,
                  pkm_rod_line* out)
{
    balls b = {.desc = desc, .variant = variant};
    if (desc->body[body].part_of > 0) return false;
    if (!find_balls(&b, body, PKM_NONE, pkm_pose_identity(), desc->n_body) || b.n != 2)
        return false;
    const int first = b.body[0] < b.body[1] ? b.body[0] : b.body[1];
    // a body that bends has no line to balls on another one
    if (first != body || (b.body[0] != b.body[1] && pkm_variant_modal(variant, body))) return false;
    const pkm_vec3 line = pkm_vec3_sub(b.at[1], b.at[0]);
    const double length = pkm_vec3_norm(line);
    if (length == 0.0) return false;
    if (out) *out = (pkm_rod_line){b.at[0], pkm_vec3_unit(line), length};
    return true;
}

static bool is_ancestor(const pkm_mechanism* mech, int ancestor, int body)
{
    // a parent has a smaller index than its children
    while (body > ancestor)
        body = mech->body[body].parent;
    return body == ancestor;
}

/// Append the velocities between `body` and the last ancestor that `other` does not share, from
/// entry `at` on; returns how many. A frame moves with all modes of its body.
static int list_columns(const pkm_mechanism* mech, int body, int other, int at)
{
    int n = at;
    for (int i = body; i > 0 && !is_ancestor(mech, i, other); i = mech->body[i].parent) {
        const pkm_body* b = &mech->body[i];
        const bool is_frame = b->frame != PKM_NONE;
        const int n_v = is_frame ? mech->body[b->parent].modal->n_mode : b->n_v;
        for (int k = 0; k < n_v; ++k, ++n) {
            mech->column[n] = (is_frame ? b->e_at : b->v_at) + k;
            mech->motion[n] = (is_frame ? b->s_at : b->v_at) + k;
        }
    }
    return n - at;
}

static void add_row(pkm_mechanism* mech, pkm_row row)
{
    row.at = mech->n_column;
    row.n_b = list_columns(mech, row.body_b, row.body_a, row.at);
    row.n_a = list_columns(mech, row.body_a, row.body_b, row.at + row.n_b);
    mech->n_column += row.n_b + row.n_a;
    mech->row[mech->n_row++] = row;
}

/// A row with a single entry.
static void add_unit_row(pkm_mechanism* mech, pkm_row row, int column)
{
    row.at = mech->n_column;
    row.n_b = 1;
    mech->motion[mech->n_column] = column;
    mech->column[mech->n_column++] = column;
    mech->row[mech->n_row++] = row;
}

static void fill_spin_rows(const pkm_description* desc, const pkm_variant* variant,
                           pkm_mechanism* mech)
{
    mech->spin_row_at = mech->n_row;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (body->frame != PKM_NONE) continue;
        if (!pkm_can_spin(desc, variant, body->desc, &mech->spin_line[mech->n_spin])) continue;
        add_row(mech,
                (pkm_row){.kind = PKM_ROW_SPIN, .item = i, .component = mech->n_spin, .body_b = i});
        ++mech->n_spin;
    }
}

void pkm_fill_rows(const pkm_description* desc, const pkm_variant* variant, pkm_mechanism* mech)
{
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        for (int k = 0; k < joint->n_row; ++k)
            add_row(mech, (pkm_row){.kind = PKM_ROW_CLOSURE,
                                    .item = j,
                                    .component = k,
                                    .body_a = joint->body_a,
                                    .body_b = joint->body_b});
    }
    mech->drive_row_at = mech->n_row;
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_row row = {.kind = PKM_ROW_DRIVE, .item = d};
        // a driven rod has a row like a closure, all others one entry on their velocity
        if (mech->drive[d].v_index == PKM_NONE) {
            row.body_a = mech->joint[mech->drive[d].joint].body_a;
            row.body_b = mech->joint[mech->drive[d].joint].body_b;
            add_row(mech, row);
        } else {
            add_unit_row(mech, row, mech->drive[d].v_index);
        }
    }
    mech->tool_row_at = mech->n_row;
    for (int k = 0; mech->tool != PKM_NONE && k < PKM_TOOL_ALL; ++k)
        add_row(mech, (pkm_row){.kind = PKM_ROW_TOOL,
                                .component = k,
                                .body_b = mech->marker[mech->tool].body});
    fill_spin_rows(desc, variant, mech);
    mech->hold_row_at = mech->n_row;
    for (int k = 0; k < mech->n_v; ++k)
        add_unit_row(mech, (pkm_row){.kind = PKM_ROW_HOLD, .item = k}, k);
}
