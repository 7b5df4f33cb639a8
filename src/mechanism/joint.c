// All facts of a joint type in one table, and the two things that need code: how its frame moves
// with its coordinates, and which coordinates a pose of its frame has. Equations:
// docs/theory/engine.md, table 1.1, (1.4), (1.10), (1.11).
#include "mechanism/joint.h"

#include "base/error.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/// Table 1.1 and section 2 as data, in their order. Of a pair {u, w} axis u of side a stays
/// perpendicular to axis w of side b; a fixed joint holds three pairs of different axes.
static const pkm_joint_facts facts[] = {
    [PKM_JOINT_FIXED] = {.name = "fixed",
                         .angle = PKM_NONE,
                         .slide = PKM_NONE,
                         .n_row = 6,
                         .quaternion = PKM_NONE,
                         .n_world = 3,
                         .n_turn = 3,
                         .turn = {{1, 2}, {2, 0}, {0, 1}}},
    [PKM_JOINT_REVOLUTE] = {.name = "revolute",
                            .n_q = 1,
                            .n_v = 1,
                            .n_row = 5,
                            .motion = PKM_MOVES_AXIS,
                            .angle = 0,
                            .slide = PKM_NONE,
                            .quaternion = PKM_NONE,
                            .n_world = 3,
                            .n_turn = 2,
                            .turn = {{0, 2}, {1, 2}},
                            .has_limits = true,
                            .is_wrapped = true,
                            .n_drivable = 1,
                            .coordinate = {{"angle", false, 2}}},
    [PKM_JOINT_PRISMATIC] = {.name = "prismatic",
                             .n_q = 1,
                             .n_v = 1,
                             .n_row = 5,
                             .motion = PKM_MOVES_AXIS,
                             .angle = PKM_NONE,
                             .slide = 0,
                             .quaternion = PKM_NONE,
                             .n_shift = 2,
                             .shift = {0, 1},
                             .n_turn = 3,
                             .turn = {{1, 2}, {2, 0}, {0, 1}},
                             .has_limits = true,
                             .n_drivable = 1,
                             .coordinate = {{"displacement", true, 2}}},
    [PKM_JOINT_CYLINDRICAL] = {.name = "cylindrical",
                               .n_q = 2,
                               .n_v = 2,
                               .n_row = 4,
                               .motion = PKM_MOVES_AXIS,
                               .angle = 0,
                               .slide = 1,
                               .quaternion = PKM_NONE,
                               .n_shift = 2,
                               .shift = {0, 1},
                               .n_turn = 2,
                               .turn = {{0, 2}, {1, 2}},
                               .n_drivable = 2,
                               .coordinate = {{"angle", false, 2}, {"displacement", true, 2}}},
    [PKM_JOINT_UNIVERSAL] = {.name = "universal",
                             .angle = PKM_NONE,
                             .slide = PKM_NONE,
                             .n_q = 2,
                             .n_v = 2,
                             .n_row = 4,
                             .motion = PKM_MOVES_CROSS,
                             .quaternion = PKM_NONE,
                             .n_world = 3,
                             .n_turn = 1,
                             .turn = {{2, 2}},
                             .has_swing = true},
    [PKM_JOINT_SPHERICAL] = {.name = "spherical",
                             .angle = PKM_NONE,
                             .slide = PKM_NONE,
                             .n_q = 4,
                             .n_v = 3,
                             .n_row = 3,
                             .motion = PKM_MOVES_BALL,
                             .n_world = 3,
                             .has_swing = true},
    [PKM_JOINT_PLANAR] = {.name = "planar",
                          .angle = PKM_NONE,
                          .slide = PKM_NONE,
                          .n_q = 3,
                          .n_v = 3,
                          .n_row = 3,
                          .n_lengths = 2,
                          .motion = PKM_MOVES_PLANE,
                          .quaternion = PKM_NONE,
                          .n_shift = 1,
                          .shift = {2, 0},
                          .n_turn = 2,
                          .turn = {{0, 2}, {1, 2}},
                          .n_drivable = 3,
                          .coordinate = {{"x", true, 0}, {"y", true, 1}, {"angle", false, 2}}},
    [PKM_JOINT_DISTANCE] = {.name = "distance",
                            .angle = PKM_NONE,
                            .slide = PKM_NONE,
                            .n_row = 1,
                            .quaternion = PKM_NONE,
                            .is_rod = true,
                            .has_limits = true,
                            .n_drivable = 1,
                            .coordinate = {{"length", true, 2}}},
    [PKM_JOINT_SCREW] = {.name = "screw",
                         .n_q = 1,
                         .n_v = 1,
                         .n_row = 5,
                         .motion = PKM_MOVES_AXIS,
                         .angle = 0,
                         .slide = PKM_NONE,
                         .quaternion = PKM_NONE,
                         .n_shift = 2,
                         .shift = {0, 1},
                         .n_turn = 2,
                         .turn = {{0, 2}, {1, 2}},
                         .is_kept = true, // what couples turn and shift is not among its rows
                         .has_limits = true,
                         .has_lead = true,
                         .n_drivable = 2,
                         .coordinate = {{"angle", false, 2}, {"displacement", true, 2}}},
    [PKM_JOINT_FREE] = {.name = "free",
                        .angle = PKM_NONE,
                        .slide = PKM_NONE,
                        .n_q = 7,
                        .n_v = 6,
                        .n_lengths = 3,
                        .motion = PKM_MOVES_FREE,
                        .quaternion = 3},
    [PKM_JOINT_LOOSE] = {.name = "driven with clearance",
                         .angle = PKM_NONE,
                         .slide = PKM_NONE,
                         .n_q = 6,
                         .n_v = 6,
                         .n_lengths = 3,
                         .motion = PKM_MOVES_LOOSE,
                         .quaternion = PKM_NONE},
};

const pkm_joint_facts* pkm_joint_facts_of(pkm_joint_type type)
{
    PKM_ASSERT((size_t)type < sizeof facts / sizeof facts[0]);
    return &facts[type];
}

// ---- what readers and reports ask -------------------------------------------------------------

/// Callers from outside may have any number for a type; those that there are not have nothing.
static const pkm_joint_facts* asked(pkm_joint_type type)
{
    static const pkm_joint_facts none = {.n_row = 6};
    return (unsigned)type < sizeof facts / sizeof facts[0] ? &facts[type] : &none;
}

int pkm_joint_freedoms(pkm_joint_type type)
{
    return 6 - asked(type)->n_row;
}

const char* pkm_joint_type_name(pkm_joint_type type)
{
    return asked(type)->name;
}

/// Other names of the same joints, in shops, other programs and papers.
static const struct {
    const char* said;
    pkm_joint_type type;
} aliases[] = {
    {"ball", PKM_JOINT_SPHERICAL},
    {"socket", PKM_JOINT_SPHERICAL},
    {"ball-socket", PKM_JOINT_SPHERICAL},
    {"S", PKM_JOINT_SPHERICAL},
    {"hinge", PKM_JOINT_REVOLUTE},
    {"pin", PKM_JOINT_REVOLUTE},
    {"rotary", PKM_JOINT_REVOLUTE},
    {"rotational", PKM_JOINT_REVOLUTE},
    {"pivot", PKM_JOINT_REVOLUTE},
    {"R", PKM_JOINT_REVOLUTE},
    {"slider", PKM_JOINT_PRISMATIC},
    {"slide", PKM_JOINT_PRISMATIC},
    {"linear", PKM_JOINT_PRISMATIC},
    {"translational", PKM_JOINT_PRISMATIC},
    {"P", PKM_JOINT_PRISMATIC},
    {"cardan", PKM_JOINT_UNIVERSAL},
    {"hooke", PKM_JOINT_UNIVERSAL},
    {"U", PKM_JOINT_UNIVERSAL},
    {"weld", PKM_JOINT_FIXED},
    {"rigid", PKM_JOINT_FIXED},
    {"bolt", PKM_JOINT_FIXED},
    {"cylinder", PKM_JOINT_CYLINDRICAL},
    {"C", PKM_JOINT_CYLINDRICAL},
    {"plane", PKM_JOINT_PLANAR},
    {"E", PKM_JOINT_PLANAR},
    {"rod", PKM_JOINT_DISTANCE},
    {"link", PKM_JOINT_DISTANCE},
    {"strut", PKM_JOINT_DISTANCE},
    {"helical", PKM_JOINT_SCREW},
    {"ball-screw", PKM_JOINT_SCREW},
    {"spindle", PKM_JOINT_SCREW},
    {"H", PKM_JOINT_SCREW},
};

const char* pkm_joint_type_alias(const char* word)
{
    for (size_t i = 0; word && i < sizeof aliases / sizeof aliases[0]; ++i)
        if (strcasecmp(word, aliases[i].said) == 0) return facts[aliases[i].type].name;
    return NULL;
}

unsigned pkm_joint_type_has(pkm_joint_type type)
{
    const pkm_joint_facts* f = asked(type);
    return (f->has_limits ? PKM_JOINT_HAS_LIMITS : 0u) | (f->has_swing ? PKM_JOINT_HAS_SWING : 0u) |
           (f->is_rod ? PKM_JOINT_HAS_LENGTH : 0u) | (f->has_lead ? PKM_JOINT_HAS_LEAD : 0u) |
           (f->motion == PKM_MOVES_CROSS ? PKM_JOINT_HAS_TWO_AXES : 0u);
}

const char* pkm_joint_coordinate_name(pkm_joint_type type, int k)
{
    return k >= 0 && k < asked(type)->n_drivable ? asked(type)->coordinate[k].name : NULL;
}

bool pkm_joint_coordinate_is_angle(pkm_joint_type type, int k)
{
    return pkm_joint_coordinate_name(type, k) && !asked(type)->coordinate[k].is_length;
}

bool pkm_joint_is_length(pkm_joint_type type, int k)
{
    const pkm_joint_facts* f = &facts[type];
    if (f->motion == PKM_MOVES_AXIS) return k == f->slide && k != f->angle;
    return k < f->n_lengths;
}

bool pkm_joint_row_is_length(pkm_joint_type type, int k)
{
    return facts[type].is_rod || k < facts[type].n_world + facts[type].n_shift;
}

// ---- motion -----------------------------------------------------------------------------------

/// R Rz(angle): turn the columns x, y about z.
static pkm_mat3 turned_about_z(pkm_mat3 R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (pkm_mat3){pkm_vec3_axpy(pkm_vec3_scale(c, R.x), s, R.y),
                      pkm_vec3_axpy(pkm_vec3_scale(c, R.y), -s, R.x), R.z};
}

/// Column of a turn about the axis `e` through `o`: (e, o x e).
static pkm_twist turning(pkm_vec3 e, pkm_vec3 o)
{
    return (pkm_twist){e, pkm_vec3_cross(o, e)};
}

static pkm_twist sliding(pkm_vec3 e)
{
    return (pkm_twist){{0.0, 0.0, 0.0}, e};
}

static void three_slides(pkm_twist* S, pkm_mat3 R)
{
    S[0] = sliding(R.x);
    S[1] = sliding(R.y);
    S[2] = sliding(R.z);
}

static pkm_mat3 turn_by_quat(pkm_mat3 R, const double* q)
{
    return pkm_mat3_matmul(R, pkm_mat3_from_quat((pkm_quat){q[0], q[1], q[2], q[3]}));
}

/// A ball's angular velocities are in the axes behind the joint, x+, y+, z+.
static void three_turns(pkm_twist* S, pkm_mat3 R, pkm_vec3 o)
{
    S[0] = turning(R.x, o);
    S[1] = turning(R.y, o);
    S[2] = turning(R.z, o);
}

/// Turns about z, slides along it, or both; a screw by one coordinate: (z, o x z + pitch z).
static void cross_axis(const pkm_joint_facts* f, double pitch, const double* q, pkm_mat3* R,
                       pkm_vec3* o, pkm_twist* S)
{
    // before its shift along z: the line of the axis is the same behind it
    if (f->angle != PKM_NONE) S[f->angle] = turning(R->z, *o);
    if (f->has_lead) {
        S[0].lin = pkm_vec3_axpy(S[0].lin, pitch, R->z);
        *o = pkm_vec3_axpy(*o, pitch * q[0], R->z);
    } else if (f->slide != PKM_NONE) {
        S[f->slide] = sliding(R->z);
        *o = pkm_vec3_axpy(*o, q[f->slide], R->z);
    }
    if (f->angle != PKM_NONE) *R = turned_about_z(*R, q[f->angle]);
}

/// A cross with arms along z and along x turned about it: R+ = R Rz(q0) Ry(90 deg) Rz(q1).
static void cross_cross(const double* q, pkm_mat3* R, pkm_vec3 o, pkm_twist* S)
{
    S[0] = turning(R->z, o);
    const pkm_mat3 first = turned_about_z(*R, q[0]);
    S[1] = turning(first.x, o);
    // Ry(90 deg): x -> -z, z -> x
    const pkm_mat3 crossed = {pkm_vec3_scale(-1.0, first.z), first.y, first.x};
    *R = turned_about_z(crossed, q[1]);
}

/// R Rx(a) Ry(b) Rz(c) behind three shifts: small tilts of a pin in its bearing, then the angle
/// about its own axis (1.11). Each column is carried by the frame before it.
static void cross_loose(const double* q, pkm_mat3* R, pkm_vec3* o, pkm_twist* S)
{
    three_slides(S, *R);
    *o = pkm_vec3_add(*o, pkm_mat3_mul(*R, (pkm_vec3){q[0], q[1], q[2]}));
    S[3] = turning(R->x, *o);
    const pkm_mat3 a = turned_about_z((pkm_mat3){R->y, R->z, R->x}, q[3]); // y, z about x
    S[4] = turning(a.x, *o);
    const pkm_mat3 b = turned_about_z((pkm_mat3){a.y, a.z, a.x}, q[4]); // z, x about y
    S[5] = turning(b.x, *o);
    *R = turned_about_z((pkm_mat3){b.y, b.z, b.x}, q[5]);
}

/// (1.10): the turn is carried by the frame before the joint, the slides by the turned one.
void pkm_joint_cross_planar_back(const double* q, pkm_mat3* R, pkm_vec3* o, pkm_twist* S)
{
    S[2] = turning(pkm_vec3_scale(-1.0, R->z), *o);
    *R = turned_about_z(*R, -q[2]);
    S[0] = sliding(pkm_vec3_scale(-1.0, R->x));
    S[1] = sliding(pkm_vec3_scale(-1.0, R->y));
    *o = pkm_vec3_axpy(pkm_vec3_axpy(*o, -q[0], R->x), -q[1], R->y);
}

/// Table 1.1: on entry (R, o) is the frame before the joint, on return the one behind it; S are the
/// columns of its velocities.
void pkm_joint_cross(pkm_joint_type type, double pitch, const double* q, pkm_mat3* R, pkm_vec3* o,
                     pkm_twist* S)
{
    const pkm_joint_facts* f = &facts[type];
    switch (f->motion) {
    case PKM_MOVES_NOT:
        break;
    case PKM_MOVES_AXIS:
        cross_axis(f, pitch, q, R, o, S);
        break;
    case PKM_MOVES_CROSS:
        cross_cross(q, R, *o, S);
        break;
    case PKM_MOVES_PLANE:
        // x, y in the axes before the joint; the turn is about the shifted origin o+
        S[0] = sliding(R->x);
        S[1] = sliding(R->y);
        *o = pkm_vec3_axpy(pkm_vec3_axpy(*o, q[0], R->x), q[1], R->y);
        S[2] = turning(R->z, *o);
        *R = turned_about_z(*R, q[2]);
        break;
    case PKM_MOVES_BALL:
        *R = turn_by_quat(*R, q);
        three_turns(S, *R, *o);
        break;
    case PKM_MOVES_FREE:
        three_slides(S, *R);
        *o = pkm_vec3_add(*o, pkm_mat3_mul(*R, (pkm_vec3){q[0], q[1], q[2]}));
        *R = turn_by_quat(*R, q + 3);
        three_turns(S + 3, *R, *o);
        break;
    case PKM_MOVES_LOOSE:
        cross_loose(q, R, o, S);
        break;
    }
}

// ---- the other way round ----------------------------------------------------------------------

/// The angle of the turn Rz nearest to `m`: the trace of m Rz(-angle) is largest.
static double angle_about_z(pkm_mat3 m)
{
    return atan2(m.x.y - m.y.x, m.x.x + m.y.y);
}

/// Of all angles that differ from `angle` by whole turns the one nearest to `near`.
static double unwind(double angle, double near)
{
    static const double turn = 6.283185307179586;
    return angle + turn * round((near - angle) / turn);
}

/// A screw may have turned several times: its shift z tells how often, its axes the angle itself.
static void guess_axis(const pkm_joint_facts* f, double pitch, pkm_mat3 m, double z, double* q)
{
    if (f->slide != PKM_NONE) q[f->slide] = z;
    if (f->angle != PKM_NONE) q[f->angle] = angle_about_z(m);
    if (f->has_lead) q[0] = unwind(q[0], z / pitch);
}

/// The inverse of pkm_joint_cross for a pose that the joint allows; of others the nearest by angle.
void pkm_joint_guess(pkm_joint_type type, double pitch, pkm_pose rel, double* q)
{
    const pkm_mat3 m = pkm_mat3_from_quat(rel.q);
    const pkm_joint_facts* f = &facts[type];
    switch (f->motion) {
    case PKM_MOVES_NOT:
        break;
    case PKM_MOVES_AXIS:
        guess_axis(f, pitch, m, rel.p.z, q);
        break;
    case PKM_MOVES_CROSS: {
        // R = Rz(q0) Ry(90 deg) Rz(q1): its third column is (cos q0, sin q0, 0), its first
        // (-sin q0 sin q1, cos q0 sin q1, -cos q1)
        q[0] = atan2(m.z.y, m.z.x);
        const double s = -sin(q[0]) * m.x.x + cos(q[0]) * m.x.y;
        q[1] = atan2(s, -m.x.z);
        break;
    }
    case PKM_MOVES_PLANE:
        q[0] = rel.p.x;
        q[1] = rel.p.y;
        q[2] = angle_about_z(m);
        break;
    case PKM_MOVES_BALL:
        memcpy(q, &rel.q, sizeof rel.q);
        break;
    case PKM_MOVES_FREE:
        memcpy(q, &rel.p, sizeof rel.p);
        memcpy(q + 3, &rel.q, sizeof rel.q);
        break;
    case PKM_MOVES_LOOSE:
        // the third column of Rx(a) Ry(b) Rz(c) is (sin b, -sin a cos b, cos a cos b), the first
        // row (cos b cos c, -cos b sin c, sin b)
        memcpy(q, &rel.p, sizeof rel.p);
        q[3] = atan2(-m.z.y, m.z.z);
        q[4] = atan2(m.z.x, hypot(m.z.y, m.z.z));
        q[5] = atan2(-m.y.x, m.x.x);
        break;
    }
}

/// Length of a rod, shift along a.z, or angle about it from a.x to b.x; the angle of a screw by its
/// shift, which counts whole turns.
double pkm_joint_measure(pkm_joint_type type, double pitch, pkm_mat3 Ra, pkm_vec3 bx, pkm_vec3 d)
{
    const pkm_joint_facts* f = &facts[type];
    if (f->is_rod) return pkm_vec3_norm(d);
    if (f->has_lead) return pkm_vec3_dot(d, Ra.z) / pitch;
    if (f->angle == PKM_NONE) return pkm_vec3_dot(d, Ra.z);
    return atan2(pkm_vec3_dot(bx, Ra.y), pkm_vec3_dot(bx, Ra.x));
}
