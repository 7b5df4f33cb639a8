#include "robot/joint_limits.h"

#include "base/memory.h"
#include "mechanism/joint.h"

#include <math.h>

/// A range of a joint's coordinate, or a cone: `on_a` and `on_b`, fixed on the two bodies, enclose
/// an angle of at most `high`.
typedef struct limit_check {
    const pkm_joint* joint;
    bool cone;
    pkm_vec3 on_a, on_b;
    double low, high; ///< [m, rad]
} limit_check;

struct pkm_joint_limits {
    int n_check;
    limit_check* check;
    int n_drive;
    double low[PKM_MAX_DRIVE], high[PKM_MAX_DRIVE];
};

bool pkm_within(double q, double low, double high, bool rotary)
{
    if (rotary && isfinite(low)) { // bring q into the turn that begins at `low`
        const double turn = 2.0 * acos(-1.0);
        q -= turn * floor((q - low) / turn);
    }
    return q >= low && q <= high;
}

void pkm_drive_range(const pkm_robot* robot, int d, double* low, double* high)
{
    const pkm_desc_drive* drive = &robot->desc->drive[d];
    const pkm_desc_joint* joint = &robot->desc->joint[drive->joint];
    const double a = drive->sign * joint->limit[0] + drive->zero;
    const double b = drive->sign * joint->limit[1] + drive->zero;
    *low = fmax(drive->position_limit[0], fmin(a, b));
    *high = fmin(drive->position_limit[1], fmax(a, b));
}

// ---- which limits there are -------------------------------------------------------------------

static bool is_driven(const pkm_robot* robot, int j)
{
    for (int d = 0; d < robot->mech->n_drive; ++d)
        if (robot->mech->drive[d].joint == j) return true;
    return false;
}

static bool has_range(const pkm_joint* joint)
{
    return joint->limit[0] > -HUGE_VAL || joint->limit[1] < HUGE_VAL;
}

static bool has_check(const pkm_robot* robot, int j)
{
    const pkm_joint* joint = &robot->mech->joint[j];
    return joint->swing < HUGE_VAL || (has_range(joint) && !is_driven(robot, j));
}

bool pkm_joint_limits_passive(const pkm_robot* robot)
{
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (has_check(robot, j)) return true;
    return false;
}

bool pkm_joint_limits_any(const pkm_robot* robot)
{
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        double low, high;
        pkm_drive_range(robot, d, &low, &high);
        if (low > -HUGE_VAL || high < HUGE_VAL) return true;
    }
    return pkm_joint_limits_passive(robot);
}

/// The direction, fixed on both bodies, that a bend is measured with: the axes of a ball; the
/// normal to both axes of a universal joint at home.
static void set_cone(const pkm_state* state, limit_check* check)
{
    const pkm_joint* joint = check->joint;
    check->cone = true;
    check->high = joint->swing;
    check->on_a = joint->axes_a.z;
    check->on_b = joint->axes_b.z;
    if (pkm_joint_facts_of(joint->type)->motion != PKM_MOVES_CROSS) return;
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 first = pkm_mat3_mul(a->R, check->on_a),
                   second = pkm_mat3_mul(b->R, check->on_b);
    const pkm_vec3 normal = pkm_vec3_cross(first, second);
    check->on_a = pkm_mat3_mul(pkm_mat3_transpose(a->R), normal);
    check->on_b = pkm_mat3_mul(pkm_mat3_transpose(b->R), normal);
}

pkm_joint_limits* pkm_joint_limits_create(const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    pkm_joint_limits* limits = pkm_alloc(1, sizeof *limits);
    if (!limits) return NULL;
    limits->check = pkm_alloc((size_t)mech->n_joint, sizeof *limits->check);
    if (!limits->check) {
        pkm_joint_limits_free(limits);
        return NULL;
    }
    for (int j = 0; j < mech->n_joint; ++j) {
        if (!has_check(robot, j)) continue;
        limit_check* check = &limits->check[limits->n_check++];
        *check = (limit_check){.joint = &mech->joint[j],
                               .low = mech->joint[j].limit[0],
                               .high = mech->joint[j].limit[1]};
        if (mech->joint[j].swing < HUGE_VAL) set_cone(robot->state, check);
    }
    limits->n_drive = mech->n_drive;
    for (int d = 0; d < mech->n_drive; ++d)
        pkm_drive_range(robot, d, &limits->low[d], &limits->high[d]);
    return limits;
}

void pkm_joint_limits_free(pkm_joint_limits* limits)
{
    if (!limits) return;
    pkm_free(limits->check);
    pkm_free(limits);
}

// ---- are they kept? ---------------------------------------------------------------------------

/// The coordinate of a joint with one freedom, or the length of a rod.
static double coordinate(const pkm_state* state, const pkm_joint* joint)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 Ra = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    return pkm_joint_measure(joint->type, joint->pitch, Ra, pkm_mat3_mul(b->R, joint->axes_b.x),
                             pkm_vec3_sub(pb, pa));
}

static bool keeps(const limit_check* check, const pkm_state* state)
{
    const pkm_joint* joint = check->joint;
    if (!check->cone)
        return pkm_within(coordinate(state, joint), check->low, check->high,
                          pkm_joint_facts_of(joint->type)->is_wrapped);
    const pkm_vec3 a = pkm_mat3_mul(state->body[joint->body_a].R, check->on_a);
    const pkm_vec3 b = pkm_mat3_mul(state->body[joint->body_b].R, check->on_b);
    const double angle = atan2(pkm_vec3_norm(pkm_vec3_cross(a, b)), pkm_vec3_dot(a, b));
    return angle <= check->high;
}

bool pkm_joint_limits_kept(const pkm_joint_limits* limits, const pkm_state* state)
{
    for (int d = 0; d < limits->n_drive; ++d) {
        const double q = pkm_state_drive_position(state, d);
        if (!pkm_within(q, limits->low[d], limits->high[d], state->mech->drive[d].is_rotary))
            return false;
    }
    for (int k = 0; k < limits->n_check; ++k)
        if (!keeps(&limits->check[k], state)) return false;
    return true;
}
