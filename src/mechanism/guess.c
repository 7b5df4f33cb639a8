#include "mechanism/compile_parts.h"

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

void pkm_guess_coordinates(const pkm_description* desc, pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        pkm_pose fp = pkm_pose_identity(), fc = pkm_pose_identity();
        if (body->joint != PKM_NONE) {
            const pkm_joint* joint = &mech->joint[body->joint];
            fp = body->reversed ? joint->frame_b : joint->frame_a;
            fc = body->reversed ? joint->frame_a : joint->frame_b;
        }
        const pkm_pose parent = desc->body[mech->body[body->parent].desc].guess;
        const pkm_pose wp = pkm_pose_mul(parent, fp);
        const pkm_pose wc = pkm_pose_mul(desc->body[body->desc].guess, fc);
        guess_joint(body->type, pkm_pose_mul(pkm_pose_inverse(wp), wc), mech->q_guess + body->q_at);
    }
}
