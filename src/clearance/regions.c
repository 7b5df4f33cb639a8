// All regions of a robot with clearance in one list of coordinates y: loads on them from the
// reactions of joints, and the mechanism with the frames of its joints displaced by them. A
// universal joint has two regions, its pins, with a cross between them. Equations:
// docs/theory/clearance.md, sections 3.1 and 3.2.
#include "clearance/regions.h"

#include "base/error.h"
#include "base/memory.h"
#include "mechanism/joint.h"

pkm_status pkm_regions_create(const pkm_mechanism* mech, const pkm_joint_clearance* clearance,
                              int n, pkm_regions* out, pkm_error* err)
{
    *out = (pkm_regions){.mech = mech};
    out->item = pkm_alloc(2 * (size_t)n, sizeof *out->item);
    if (!out->item) return pkm_out_of_memory(err);
    for (int k = 0; k < n; ++k) {
        const pkm_joint_type type = mech->joint[clearance[k].joint].type;
        const int n_pin = pkm_joint_facts_of(type)->motion == PKM_MOVES_CROSS ? 2 : 1;
        for (int pin = 0; pin < n_pin; ++pin) {
            pkm_joint_region* item = &out->item[out->n++];
            item->joint = clearance[k].joint;
            item->on_b = pin == 1;
            item->y_at = out->n_y;
            item->region = pkm_region_make(&clearance[k].clearance, type);
            out->n_y += pkm_region_n(&item->region);
        }
    }
    return PKM_OK;
}

void pkm_regions_free(pkm_regions* regions)
{
    pkm_free(regions->item);
    *regions = (pkm_regions){0};
}

// ---- loads ------------------------------------------------------------------------------------

/// Force and moment on b in the axes of the bearing, about its centre: the origin of the
/// undisplaced frame a, for guides and second pins that of frame b.
static void at_bearing(const pkm_regions* regions, const pkm_joint_region* item,
                       const pkm_state* state, const pkm_reaction* r, pkm_vec3* force,
                       pkm_vec3* moment)
{
    const pkm_joint *ideal = &regions->mech->joint[item->joint],
                    *now = &state->mech->joint[item->joint];
    const pkm_body_state *a = &state->body[ideal->body_a], *b = &state->body[ideal->body_b];
    const pkm_mat3 Ra = pkm_mat3_matmul(a->R, ideal->axes_a);
    const pkm_vec3 F = pkm_mat3_mul(a->R, pkm_mat3_mul(now->axes_a, r->force));
    pkm_vec3 M = pkm_mat3_mul(a->R, pkm_mat3_mul(now->axes_a, r->moment));
    const bool at_a = !item->on_b && item->region.kind == PKM_REGION_JOURNAL;
    if (at_a) {
        const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, ideal->frame_a.p));
        const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, now->frame_b.p));
        // reactions are those at the origin of b
        M = pkm_vec3_add(M, pkm_vec3_cross(pkm_vec3_sub(pb, pa), F));
    }
    const pkm_mat3 axes = item->on_b ? pkm_mat3_matmul(b->R, ideal->axes_b) : Ra;
    *force = pkm_mat3_tmul(axes, F);
    *moment = pkm_mat3_tmul(axes, M);
}

/// What presses b into its bearing is the opposite of what the joint passes on to b.
void pkm_regions_loads(const pkm_regions* regions, const pkm_state* state,
                       const pkm_reaction* reaction, double* f)
{
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        pkm_vec3 force, moment;
        at_bearing(regions, item, state, &reaction[item->joint], &force, &moment);
        pkm_region_load(&item->region, pkm_vec3_scale(-1.0, force), pkm_vec3_scale(-1.0, moment),
                        f + item->y_at);
    }
}

/// h(f) = max f . y over the admissible y (3.3); the floor is a part of the largest load.
double pkm_regions_extreme(const pkm_regions* regions, const double* f, double floor, double* y)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < regions->n_y; ++i)
        largest = fmax(largest, fabs(f[i]));
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        sum += pkm_region_extreme(&item->region, f + item->y_at, floor * largest, y + item->y_at);
    }
    return sum;
}

// ---- displaced joints -------------------------------------------------------------------------

/// The frame displaced by `clearance` about the point `pivot` (all in the frame's own axes).
static pkm_pose displaced(pkm_pose frame, pkm_clearance_offset clearance, pkm_vec3 pivot)
{
    const pkm_quat turn = pkm_quat_from_rotvec(clearance.turn);
    // a turn about the pivot: p - R p beside the turn about the origin
    const pkm_vec3 back = pkm_vec3_sub(pivot, pkm_quat_rotate(turn, pivot));
    return pkm_pose_mul(frame, (pkm_pose){pkm_vec3_add(clearance.shift, back), turn});
}

/// Origin of b from that of a along the axis, where guides have their centre.
static pkm_vec3 slider_at(const pkm_mechanism* mech, const pkm_state* state, int j)
{
    const pkm_joint* joint = &mech->joint[j];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    const pkm_vec3 in_a =
        pkm_vec3_sub(pkm_mat3_tmul(a->R, pkm_vec3_sub(pb, a->p)), joint->frame_a.p);
    return (pkm_vec3){0.0, 0.0, pkm_vec3_dot(joint->axes_a.z, in_a)};
}

/// Put a changed frame also where the tree has it.
static void set_frame(pkm_mechanism* moved, int j, bool side_b, pkm_pose frame)
{
    pkm_joint* joint = &moved->joint[j];
    *(side_b ? &joint->frame_b : &joint->frame_a) = frame;
    *(side_b ? &joint->axes_b : &joint->axes_a) = pkm_mat3_from_quat(frame.q);
    if (joint->tree_body == PKM_NONE) return;
    pkm_body* body = &moved->body[joint->tree_body];
    // on the parent is side a, or b where the tree runs the other way
    if (body->reversed == side_b) {
        body->at_parent = frame.p;
        body->axes_parent = pkm_mat3_from_quat(frame.q);
    } else {
        body->at_child = frame.p;
        body->axes_child = pkm_mat3_from_quat(frame.q);
        body->child_aligned = false;
    }
}

void pkm_regions_displace(const pkm_regions* regions, const pkm_state* state, const double* y,
                          pkm_mechanism* moved)
{
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        const pkm_joint* ideal = &regions->mech->joint[item->joint];
        pkm_clearance_offset clearance = pkm_region_offset(&item->region, y + item->y_at);
        pkm_vec3 pivot = {0.0, 0.0, 0.0};
        if (item->region.kind == PKM_REGION_GUIDE)
            pivot = slider_at(regions->mech, state, item->joint);
        if (item->on_b) { // b moves against the cross: its frame moves the other way
            clearance.shift = pkm_vec3_scale(-1.0, clearance.shift);
            clearance.turn = pkm_vec3_scale(-1.0, clearance.turn);
        }
        const pkm_pose frame = item->on_b ? ideal->frame_b : ideal->frame_a;
        set_frame(moved, item->joint, item->on_b, displaced(frame, clearance, pivot));
    }
}
