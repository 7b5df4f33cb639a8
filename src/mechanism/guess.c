// Coordinates of the tree from poses of the bodies, undeformed: where assembly starts.
#include "mechanism/compile_impl.h"
#include "mechanism/joint.h"

/// The pose of a body or frame when `pose` [n_body of the description] are those of the bodies,
/// undeformed.
static pkm_pose pose_of(const pkm_mechanism* mech, int i, const pkm_pose* pose)
{
    const pkm_body* body = &mech->body[i];
    const pkm_pose at = pose[body->desc];
    if (body->frame == PKM_NONE) return at;
    const pkm_vec3 place = mech->body[body->parent].modal->at[body->frame];
    return (pkm_pose){pkm_pose_point(at, place), at.q};
}

/// The frame behind the joint seen from the one before it, (1.1), (1.2) of docs/theory/engine.md,
/// read by its type; a planar joint that is walked backwards keeps the coordinates of its side a
/// (1.10).
void pkm_mechanism_coordinates(const pkm_mechanism* mech, const pkm_pose* pose, double* q)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const pkm_pose fp = {body->at_parent, pkm_quat_from_mat3(body->axes_parent)};
        const pkm_pose fc = {body->at_child, pkm_quat_from_mat3(body->axes_child)};
        const pkm_pose wp = pkm_pose_mul(pose_of(mech, body->parent, pose), fp);
        const pkm_pose wc = pkm_pose_mul(pose_of(mech, i, pose), fc);
        const bool back = pkm_body_is_planar_back(body);
        pkm_joint_guess(body->type, body->pitch,
                        back ? pkm_pose_mul(pkm_pose_inverse(wc), wp)
                             : pkm_pose_mul(pkm_pose_inverse(wp), wc),
                        q + body->q_at);
    }
}

void pkm_guess_coordinates(const pkm_description* desc, pkm_pose* pose, pkm_mechanism* mech)
{
    for (int b = 0; b < desc->n_body; ++b)
        pose[b] = desc->body[b].guess;
    pkm_mechanism_coordinates(mech, pose, mech->q_guess);
}
