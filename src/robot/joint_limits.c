// Limits of drives, joints and bends as one list: which there are, what a configuration has,
// whether it keeps them. docs/theory/workspace.md, section 5.
#include "robot/joint_limits.h"

#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "math/angle.h"
#include "mechanism/joint.h"

#include <math.h>
#include <string.h>

/// A range of a joint's coordinate, or a cone: `on_a` and `on_b`, fixed on the two bodies, enclose
/// an angle of at most `high`.
typedef struct limit_check {
    int joint;
    const char* name;
    pkm_joint_type type;
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

/// The distance of `q` to the nearer end of the range; negative outside of it.
static double margin_of(double q, double low, double high, bool rotary)
{
    const double margin = fmin(q - low, high - q);
    if (margin >= 0.0 || !rotary || !isfinite(low)) return margin;
    // bring q into the turn that begins at `low`
    q -= PKM_TURN * floor((q - low) / PKM_TURN);
    return q <= high ? fmin(q - low, high - q) : fmax(high - q, q - low - PKM_TURN);
}

bool pkm_within(double q, double low, double high, bool rotary)
{
    return margin_of(q, low, high, rotary) >= 0.0;
}

void pkm_drive_range(const pkm_robot* robot, int d, double* low, double* high)
{
    const pkm_desc_drive* drive = &robot->desc->drive[d];
    const pkm_desc_joint* joint = &robot->desc->joint[drive->joint];
    // limits of the joint, seen as positions of its drive; a sign of -1 changes their order
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
    // driven coordinates are watched as drives; cones of balls and crosses always
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
/// normal to both axes of a universal joint at home, where `robot` stands.
static void set_cone(const pkm_robot* robot, limit_check* check)
{
    const pkm_joint* joint = &robot->mech->joint[check->joint];
    check->cone = true;
    check->low = -HUGE_VAL;
    check->high = joint->swing;
    check->on_a = joint->axes_a.z;
    check->on_b = joint->axes_b.z;
    if (pkm_joint_facts_of(joint->type)->motion != PKM_MOVES_CROSS) return;
    const pkm_body_state *a = &robot->state->body[joint->body_a],
                         *b = &robot->state->body[joint->body_b];
    // a cross bends both its pins: at home their common normal is along the straight shaft
    const pkm_vec3 first = pkm_mat3_mul(a->R, check->on_a),
                   second = pkm_mat3_mul(b->R, check->on_b);
    const pkm_vec3 normal = pkm_vec3_cross(first, second);
    check->on_a = pkm_mat3_mul(pkm_mat3_transpose(a->R), normal);
    check->on_b = pkm_mat3_mul(pkm_mat3_transpose(b->R), normal);
}

static void list_checks(const pkm_robot* robot, pkm_joint_limits* limits)
{
    const pkm_mechanism* mech = robot->mech;
    for (int j = 0; j < mech->n_joint; ++j) {
        if (!has_check(robot, j)) continue;
        limit_check* check = &limits->check[limits->n_check++];
        *check = (limit_check){.joint = j,
                               .name = mech->joint[j].name,
                               .type = mech->joint[j].type,
                               .low = mech->joint[j].limit[0],
                               .high = mech->joint[j].limit[1]};
        if (mech->joint[j].swing < HUGE_VAL) set_cone(robot, check);
    }
    limits->n_drive = mech->n_drive;
    for (int d = 0; d < mech->n_drive; ++d)
        pkm_drive_range(robot, d, &limits->low[d], &limits->high[d]);
}

pkm_joint_limits* pkm_joint_limits_create(const pkm_robot* robot)
{
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    pkm_joint_limits* limits = pkm_alloc(1, sizeof *limits);
    double* q = pkm_alloc(1, size); // where the robot stands
    if (limits) limits->check = pkm_alloc((size_t)robot->mech->n_joint, sizeof *limits->check);
    if (!limits || !q || !limits->check) {
        pkm_joint_limits_free(limits);
        pkm_free(q);
        return NULL;
    }
    // cones are measured from home: the robot goes there and comes back
    memcpy(q, robot->state->q, size);
    memcpy(robot->state->q, robot->q_home, size);
    pkm_kinematics_position(robot->state);
    list_checks(robot, limits);
    memcpy(robot->state->q, q, size);
    pkm_kinematics_position(robot->state);
    pkm_free(q);
    return limits;
}

void pkm_joint_limits_free(pkm_joint_limits* limits)
{
    if (!limits) return;
    pkm_free(limits->check);
    pkm_free(limits);
}

// ---- are they kept? ---------------------------------------------------------------------------

/// The coordinate of a joint with one freedom, or the length of a rod, and its rate.
static void coordinate(const pkm_state* state, const pkm_joint* joint, double* q, double* v)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 Ra = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    // d = p_b - p_a, as in the rows of closures (engine.md, 2.1)
    const pkm_vec3 d = pkm_vec3_sub(pb, pa);
    *q = pkm_joint_measure(joint->type, joint->pitch, Ra, pkm_mat3_mul(b->R, joint->axes_b.x), d);
    const bool is_rod = joint->type == PKM_JOINT_DISTANCE;
    const pkm_vec3 along = is_rod ? pkm_vec3_unit(d) : Ra.z;
    const pkm_vec3 shift =
        pkm_vec3_sub(pkm_twist_at(b->V, pb), pkm_twist_at(a->V, is_rod ? pa : pb));
    const bool slides = is_rod || pkm_joint_is_length(joint->type, 0);
    // the rate of the coordinate: speed of b against a along the axis, or about it
    *v = pkm_vec3_dot(along, slides ? shift : pkm_vec3_sub(b->V.ang, a->V.ang));
}

/// The angle between the two directions and its rate: b turns away from a about their normal.
static void bend_angle(const limit_check* check, const pkm_state* state, double* q, double* v)
{
    const pkm_joint* joint = &state->mech->joint[check->joint];
    const pkm_body_state *sa = &state->body[joint->body_a], *sb = &state->body[joint->body_b];
    const pkm_vec3 a = pkm_mat3_mul(sa->R, check->on_a), b = pkm_mat3_mul(sb->R, check->on_b);
    const pkm_vec3 normal = pkm_vec3_cross(a, b);
    // from sine and cosine: exact near 0 and near half a turn
    *q = atan2(pkm_vec3_norm(normal), pkm_vec3_dot(a, b));
    *v = pkm_vec3_dot(pkm_vec3_unit(normal), pkm_vec3_sub(sb->V.ang, sa->V.ang));
}

static void read(const limit_check* check, const pkm_state* state, double* q, double* v)
{
    const double middle = 0.5 * (check->low + check->high);
    if (check->cone) {
        bend_angle(check, state, q, v);
        return;
    }
    coordinate(state, &state->mech->joint[check->joint], q, v);
    if (pkm_joint_facts_of(check->type)->is_wrapped && isfinite(middle))
        // angles that wrap: the turn nearest to the middle of the range
        *q = middle + remainder(*q - middle, PKM_TURN);
}

static double check_margin(const limit_check* check, const pkm_state* state)
{
    double q, v;
    read(check, state, &q, &v);
    const bool wraps = !check->cone && pkm_joint_facts_of(check->type)->is_wrapped;
    return margin_of(q, check->low, check->high, wraps);
}

int pkm_joint_limits_n(const pkm_joint_limits* limits)
{
    return limits->n_check;
}

pkm_joint_limit pkm_joint_limit_get(const pkm_joint_limits* limits, int k)
{
    const limit_check* check = &limits->check[k];
    const bool slides = check->type == PKM_JOINT_DISTANCE || pkm_joint_is_length(check->type, 0);
    const bool turns = check->cone || !slides;
    return (pkm_joint_limit){.name = check->name,
                             .unit = turns ? "rad" : "m",
                             .is_bend = check->cone,
                             .low = check->low,
                             .high = check->high};
}

void pkm_joint_limit_read(const pkm_joint_limits* limits, int k, const pkm_state* state,
                          double* value, double* rate)
{
    read(&limits->check[k], state, value, rate);
}

double pkm_joint_limits_margin(const pkm_joint_limits* limits, const pkm_state* state)
{
    double margin = HUGE_VAL;
    for (int d = 0; d < limits->n_drive; ++d)
        margin = fmin(margin, margin_of(pkm_state_drive_position(state, d), limits->low[d],
                                        limits->high[d], state->mech->drive[d].is_rotary));
    for (int k = 0; k < limits->n_check; ++k)
        margin = fmin(margin, check_margin(&limits->check[k], state));
    return margin;
}
