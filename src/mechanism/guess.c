#include "mechanism/compile_impl.h"

#include <string.h>

/// The angle about z that brings x nearest to the first column of `m`.
static double turn_about_z(pkm_mat3 m)
{
    return atan2(m.x.y - m.y.x, m.x.x + m.y.y);
}

/// Coordinates of one tree joint from the pose `rel` of the child's joint frame in the parent's.
static void guess_joint(pkm_joint_type type, pkm_pose rel, double* q)
{
    const pkm_mat3 m = pkm_mat3_from_quat(rel.q);
    switch (type) {
    case PKM_JOINT_FIXED:
    case PKM_JOINT_DISTANCE:
        break;
    case PKM_JOINT_REVOLUTE:
        q[0] = turn_about_z(m);
        break;
    case PKM_JOINT_PRISMATIC:
        q[0] = rel.p.z;
        break;
    case PKM_JOINT_CYLINDRICAL:
        q[0] = turn_about_z(m);
        q[1] = rel.p.z;
        break;
    case PKM_JOINT_UNIVERSAL: {
        // R = Rz(q0) Ry(90 deg) Rz(q1): its third column is (cos q0, sin q0, 0), its first
        // (-sin q0 sin q1, cos q0 sin q1, -cos q1)
        q[0] = atan2(m.z.y, m.z.x);
        const double s = -sin(q[0]) * m.x.x + cos(q[0]) * m.x.y;
        q[1] = atan2(s, -m.x.z);
        break;
    }
    case PKM_JOINT_PLANAR:
        q[0] = rel.p.x;
        q[1] = rel.p.y;
        q[2] = turn_about_z(m);
        break;
    case PKM_JOINT_SPHERICAL:
        memcpy(q, &rel.q, sizeof rel.q);
        break;
    case PKM_JOINT_FREE:
        memcpy(q, &rel.p, sizeof rel.p);
        memcpy(q + 3, &rel.q, sizeof rel.q);
        break;
    }
}

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

void pkm_mechanism_coordinates(const pkm_mechanism* mech, const pkm_pose* pose, double* q)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        const pkm_pose fp = {body->at_parent, pkm_quat_from_mat3(body->axes_parent)};
        const pkm_pose fc = {body->at_child, pkm_quat_from_mat3(body->axes_child)};
        const pkm_pose wp = pkm_pose_mul(pose_of(mech, body->parent, pose), fp);
        const pkm_pose wc = pkm_pose_mul(pose_of(mech, i, pose), fc);
        const bool back = pkm_body_is_planar_back(body);
        guess_joint(body->type,
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
