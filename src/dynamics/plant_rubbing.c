// Surfaces with friction that rests, of joints and of pairs with clearance alike: joints come
// first, then pairs. docs/theory/forces.md, sections 1 and 2.
#include "dynamics/kinematics.h"
#include "dynamics/plant_impl.h"

int pkm_plant_n_rubbing(const pkm_plant* p)
{
    return p->n_friction + p->n_pair;
}

pkm_friction_law* pkm_plant_resting_law(pkm_plant* p, int k)
{
    return k < p->n_friction ? &p->friction[k].friction.law
                             : &p->pair[k - p->n_friction].clearance.friction;
}

int pkm_plant_resting_states(const pkm_plant* p, int k)
{
    // a getter that changes nothing: cast away for one home of both
    const pkm_friction_law* law = pkm_plant_resting_law((pkm_plant*)p, k);
    // other laws have no rest to tell
    if (!pkm_friction_law_is_for_rest(law)) return 0;
    return k < p->n_friction ? p->friction[k].n_z : p->pair[k - p->n_friction].n_z;
}

double pkm_plant_resting_limit(const pkm_plant* p, int k, int* at, int* size)
{
    const bool is_joint = k < p->n_friction;
    *at = is_joint ? p->friction[k].z_at : p->pair[k - p->n_friction].z_at;
    // deflections in contacts are vectors in the axes of a
    *size = is_joint ? p->friction[k].n_z : 3;
    return pkm_friction_hold_limit(pkm_plant_resting_law((pkm_plant*)p, k));
}

static void see_joint(pkm_plant* p, const pkm_friction_item* item, pkm_rubbing* out)
{
    const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
    out->n = pkm_joint_friction_velocities(&item->friction, p->state->mech->joint[item->joint].type,
                                           &motion, out->u, out->n_direction);
    // a cross has two surfaces, their bristles in a row
    for (int i = 0, at = item->z_at; i < out->n; at += out->n_direction[i], ++i) {
        out->at[i] = at;
        out->load[i] = item->last.load[i];
    }
}

static void see_pair(const pkm_contact_pair* pair, pkm_rubbing* out)
{
    out->n = pkm_clearance_velocities(&pair->clearance, pair->type, &pair->motion, out->u);
    for (int i = 0; i < out->n; ++i) {
        out->at[i] = pair->z_at + 3 * i;
        out->n_direction[i] = 3;
        out->load[i] = pair->force.contact[i].normal;
    }
}

void pkm_plant_see_rubbing(pkm_plant* p, int k, pkm_rubbing* out)
{
    out->law = pkm_plant_resting_law(p, k);
    if (k < p->n_friction)
        see_joint(p, &p->friction[k], out);
    else
        see_pair(&p->pair[k - p->n_friction], out);
}

/// Relative acceleration in the joint of an item, in the axes of its frame a.
static pkm_joint_motion joint_acceleration(const pkm_plant* p, const pkm_friction_item* item)
{
    const pkm_state* state = p->state;
    const pkm_joint* joint = &state->mech->joint[item->joint];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p)), w = a->V.ang;
    const pkm_vec3 turn = pkm_vec3_sub(b->V.ang, w);
    // at the origin of b, which moves with b
    const pkm_vec3 v = pkm_vec3_sub(pkm_twist_at(b->V, at), pkm_twist_at(a->V, at));
    const pkm_vec3 by_turn = pkm_vec3_sub(b->A.ang, a->A.ang);
    const pkm_vec3 by_way = pkm_vec3_sub(pkm_twist_acceleration(b->V, b->A, at),
                                         pkm_twist_acceleration(a->V, a->A, at));
    pkm_joint_motion out = pkm_plant_joint_motion(p, item);
    // components in the axes of a, which turn
    out.w = pkm_mat3_tmul(axes, pkm_vec3_sub(by_turn, pkm_vec3_cross(w, turn)));
    // once for these axes, once for the point of a that b's origin passes
    out.v = pkm_mat3_tmul(axes, pkm_vec3_axpy(by_way, -2.0, pkm_vec3_cross(w, v)));
    return out;
}

void pkm_plant_accelerate_rubbing(const pkm_plant* p, int k, const double* z_rate, pkm_vec3* out)
{
    // accelerations go through the same matrix A of (2.1) as velocities
    int n[2];
    if (k < p->n_friction) {
        const pkm_friction_item* item = &p->friction[k];
        const pkm_joint_motion motion = joint_acceleration(p, item);
        pkm_joint_friction_velocities(&item->friction, p->state->mech->joint[item->joint].type,
                                      &motion, out, n);
        return;
    }
    const pkm_contact_pair* pair = &p->pair[k - p->n_friction];
    const pkm_clearance_motion motion = pkm_plant_pair_acceleration(p, k - p->n_friction, z_rate);
    pkm_clearance_velocities(&pair->clearance, pair->type, &motion, out);
}
