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

/// Is what the fixed joint `by` holds on `body` rigid, and held by nothing else but what hangs on
/// it in the same way? `depth` ends at rings of welds.
static bool is_only_welded(const pkm_description* desc, const pkm_variant* variant, int body,
                           int by, int depth)
{
    const pkm_desc_joint* weld = &desc->joint[by];
    const int a = whole_of(desc, weld->body_a), b = whole_of(desc, weld->body_b);
    const int other = a == body ? b : a;
    const bool is_free = variant->released && variant->released[by];
    if (weld->type != PKM_JOINT_FIXED || weld->is_weld || is_free || other == 0 || depth == 0)
        return false;
    if (pkm_variant_modal(variant, other)) return false;
    for (int j = 0; j < desc->n_joint; ++j)
        if (j != by && touches(desc, j, other) &&
            !is_only_welded(desc, variant, other, j, depth - 1))
            return false;
    return true;
}

/// The pieces of a link spin together: the first one stands for all. So does a rod for what is
/// welded to it.
bool pkm_can_spin(const pkm_description* desc, const pkm_variant* variant, int body, pkm_vec3* axis)
{
    pkm_vec3 at[2];
    int n = 0;
    if (desc->body[body].part_of > 0) return false;
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        if (joint->is_weld || !touches(desc, j, body)) continue;
        // two balls and nothing else: any other joint would stop the spin
        if (is_only_welded(desc, variant, body, j, desc->n_body)) continue;
        const bool is_a = whole_of(desc, joint->body_a) == body;
        if (pkm_joint_facts_of(joint->type)->motion != PKM_MOVES_BALL || n == 2) return false;
        if (variant->released && variant->released[j]) return false;
        at[n++] = is_a ? joint->frame_a.p : joint->frame_b.p;
    }
    if (n != 2) return false;
    const pkm_vec3 line = pkm_vec3_sub(at[1], at[0]);
    if (pkm_vec3_norm(line) == 0.0) return false;
    if (axis) *axis = pkm_vec3_unit(line);
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
        if (!pkm_can_spin(desc, variant, body->desc, &mech->spin_axis[mech->n_spin])) continue;
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
