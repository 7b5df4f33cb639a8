/// 1PRRR+2PRPaR: arm A P-R-R-R along x, arms B and C P-R-Pa-R along y and z; three translations.
/// docs/theory/closed-prrr2prpar.md. The tool point is H.
#include "closed/prrr2prpar.h"
#include "base/error.h"
#include "closed/families.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

enum {
    N_DRIVE = 3,
    N_BRANCH = 8,
    ELBOW_BIT = PKM_PRRR2PRPAR_ELBOW,
    ROOT_B_BIT = PKM_PRRR2PRPAR_ROOT_B,
    ROOT_C_BIT = PKM_PRRR2PRPAR_ROOT_C,
    DET_BIT = PKM_PRRR2PRPAR_DET,
};

// Values of arms B and C stand together, so that arm k of them has P + k, and its masses m3, m4,
// m5, m6 are at BARS + 4 k. The signs stand in the order of the bits of the branch.
enum {
    L3_A,
    L4_A,
    ROD_LENGTH,
    OFFSET_A = ROD_LENGTH + 2,
    OFFSET,
    M3_A = OFFSET + 2,
    M4_A,
    J3_A,
    J4_A,
    BARS,
    SLIDE_MASS_A = BARS + 8,
    SLIDE_MASS,
    PLATFORM_MASS = SLIDE_MASS + 2,
    PAYLOAD_MASS,
    GRAVITY,
    SIGNS = GRAVITY + 3,
    N_PARAMETER = SIGNS + 4,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"l3_a", "m", "arm A, from the slide to the elbow", true, 0.0},
    {"l4_a", "m", "arm A, from the elbow to the platform", true, 0.0},
    {"l4_b", "m", "arm B, length of the rods", true, 0.0},
    {"l4_c", "m", "arm C, length of the rods", true, 0.0},
    {"l7_a", "m", "from the tool point to the joint of arm A, along x", true, 0.0},
    {"l7_b", "m", "from the tool point to the joint of arm B, along y", true, 0.0},
    {"l7_c", "m", "from the tool point to the joint of arm C, along z", true, 0.0},
    {"m3_a", "kg", "arm A, mass of link 3, its centre in the middle", true, 0.0},
    {"m4_a", "kg", "arm A, mass of link 4, its centre in the middle", true, 0.0},
    {"j3_a", "kg m2", "arm A, transverse inertia of link 3; default slender", false, NAN},
    {"j4_a", "kg m2", "arm A, transverse inertia of link 4; default slender", false, NAN},
    {"m3_b", "kg", "arm B, mass of the short bar on the slide", true, 0.0},
    {"m4_b", "kg", "arm B, mass of the first rod, slender and uniform", true, 0.0},
    {"m5_b", "kg", "arm B, mass of the second rod, slender and uniform", true, 0.0},
    {"m6_b", "kg", "arm B, mass of the short bar on the platform", true, 0.0},
    {"m3_c", "kg", "arm C, mass of the short bar on the slide", true, 0.0},
    {"m4_c", "kg", "arm C, mass of the first rod, slender and uniform", true, 0.0},
    {"m5_c", "kg", "arm C, mass of the second rod, slender and uniform", true, 0.0},
    {"m6_c", "kg", "arm C, mass of the short bar on the platform", true, 0.0},
    {"slide_mass_a", "kg", "mass of slide A", false, 0.0},
    {"slide_mass_b", "kg", "mass of slide B", false, 0.0},
    {"slide_mass_c", "kg", "mass of slide C", false, 0.0},
    {"platform_mass", "kg", "mass of the platform", false, 0.0},
    {"payload_mass", "kg", "mass carried by the platform", false, 0.0},
    {"gravity", "m/s2", "acceleration along +z, signed", false, -9.80665},
    {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},
    {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},
    {"elbow_a", "1", "+1 or -1, sign of the elbow angle of arm A", false, 1.0},
    {"root_b", "1", "+1 or -1, sign of the root in q2", false, 1.0},
    {"root_c", "1", "+1 or -1, sign of the root in q3", false, 1.0},
    {"assembly", "1", "+1 or -1, sign of det B; -1 is beyond the slides", false, -1.0},
};

/// What pkm_closed_check expects of the parameters.
static const char expected[] = "++++...00000000000000000...ssss";

static void prepare_arms(pkm_prrr2prpar* robot, const double* value)
{
    robot->limb = (pkm_rrr_limb){
        .axis = 0,
        .l1 = value[L3_A],
        .l2 = value[L4_A],
        .m1 = value[M3_A],
        .m2 = value[M4_A],
        .J1 = value[J3_A],
        .J2 = value[J4_A],
        .slide_mass = value[SLIDE_MASS_A],
        .gravity = robot->gravity,
    };
    pkm_rrr_limb_prepare(&robot->limb);
    for (int k = 0; k < 2; ++k) {
        const double* bar = &value[BARS + 4 * k]; // m3, m4, m5, m6
        robot->arm[k] = (pkm_rod_arm){
            .axis = {0.0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0},
            .length = value[ROD_LENGTH + k],
            .offset = value[OFFSET + k],
            // both rods move alike; the first bar moves with the slide, the second with the
            // platform
            .rod_mass = bar[1] + bar[2],
            .slide_mass = value[SLIDE_MASS + k] + bar[0],
        };
        robot->mass += bar[3];
    }
}

static pkm_status prepare(void* self, const double* given, pkm_error* err)
{
    pkm_prrr2prpar* robot = self;
    double value[N_PARAMETER];
    memcpy(value, given, sizeof value);
    pkm_rrr_slender(value[M3_A], value[L3_A], &value[J3_A]);
    pkm_rrr_slender(value[M4_A], value[L4_A], &value[J4_A]);
    PKM_TRY(pkm_closed_check(&pkm_closed_prrr2prpar, value, expected, err));

    *robot = (pkm_prrr2prpar){
        .offset_a = value[OFFSET_A],
        .mass = value[PLATFORM_MASS] + value[PAYLOAD_MASS],
        .gravity = pkm_closed_gravity(&value[GRAVITY]),
    };
    for (int k = 0; k < 4; ++k) {
        if (value[SIGNS + k] < 0.0) robot->branch |= 1 << k;
    }
    prepare_arms(robot, value);
    return PKM_OK;
}

/// Unit vector of the rods, from the slide to the platform. (6)
static pkm_vec3 rod_direction(const pkm_rod_arm* arm, pkm_vec3 H, double q)
{
    return pkm_vec3_scale(1.0 / arm->length, pkm_vec3_axpy(H, arm->offset - q, arm->axis));
}

/// Working and assembly mode of a position: the - root has the rod pointing along the rail; det B
/// is negative on one side of the line through the slides, positive on the other. (3)
static int modes_at(const pkm_prrr2prpar* robot, const double* q, pkm_vec3 H)
{
    const pkm_vec3 n_b = rod_direction(&robot->arm[0], H, q[1]);
    const pkm_vec3 n_c = rod_direction(&robot->arm[1], H, q[2]);
    return (n_b.y > 0.0 ? ROOT_B_BIT : 0) | (n_c.z > 0.0 ? ROOT_C_BIT : 0) |
           (n_b.y * n_c.z - n_c.y * n_b.z < 0.0 ? DET_BIT : 0);
}

/// Bits of the branch: elbow of arm A negative, - root of arm B, - root of arm C, det B < 0.
static pkm_closed_config make_config(pkm_vec3 H, const double* q, int branch)
{
    pkm_closed_config config = {.pose = {H, pkm_quat_identity()},
                                .q = {q[0], q[1], q[2]},
                                .branch = branch,
                                .label = "elbow a+, roots b+ c+, det B > 0"};
    if (branch & ELBOW_BIT) config.label[7] = '-';
    if (branch & ROOT_B_BIT) config.label[17] = '-';
    if (branch & ROOT_C_BIT) config.label[20] = '-';
    if (branch & DET_BIT) config.label[29] = '<';
    return config;
}

/// The part of `H` across the rail, squared [m2].
static double across_squared(const pkm_rod_arm* arm, pkm_vec3 H)
{
    const pkm_vec3 across = pkm_vec3_axpy(H, -pkm_vec3_dot(arm->axis, H), arm->axis);
    return pkm_vec3_dot(across, across);
}

/// How far [m] the worst arm is from reaching H; <= 0 within reach.
static double worst_beyond(const pkm_prrr2prpar* robot, pkm_vec3 H)
{
    double worst = pkm_rrr_limb_beyond(&robot->limb, H);
    for (int k = 0; k < 2; ++k) {
        const double across = sqrt(across_squared(&robot->arm[k], H));
        worst = pkm_rrr_larger(worst, across - robot->arm[k].length);
    }
    return worst;
}

/// (1), (2): q1 = x + l7a, the others with a root of either sign; 2 x 2 roots and 2 elbows.
static int inverse_geometry(const void* self, const pkm_pose* pose, pkm_closed_config* out, int max,
                            double* beyond)
{
    const pkm_prrr2prpar* robot = self;
    const pkm_vec3 H = pose->p;
    const double worst = worst_beyond(robot, H);
    if (beyond) *beyond = worst > 0.0 ? worst : 0.0;
    if (!(worst <= PKM_RRR_REACH_SLACK)) return 0;

    double middle[2], root[2];
    for (int k = 0; k < 2; ++k) {
        const pkm_rod_arm* arm = &robot->arm[k];
        middle[k] = pkm_vec3_dot(arm->axis, H) + arm->offset;
        // (2): q = middle +- root, the rod as long as it is
        // beyond by rounding: one root
        root[k] = sqrt(fmax(arm->length * arm->length - across_squared(arm, H), 0.0));
    }
    int n = 0;
    for (int k = 0; k < N_BRANCH && n < max; ++k, ++n) {
        const int branch = (robot->branch ^ k) & (N_BRANCH - 1);
        const double q[N_DRIVE] = {H.x + robot->offset_a,
                                   middle[0] + (branch & ROOT_B_BIT ? -root[0] : root[0]),
                                   middle[1] + (branch & ROOT_C_BIT ? -root[1] : root[1])};
        // DET_BIT follows from position and roots: it is no choice here
        out[n] = make_config(H, q, branch | (modes_at(robot, q, H) & DET_BIT));
    }
    return n;
}

/// Meeting points of two circles in the (y, z) plane: radii and centres (y_b, 0) and (0, z_c). (4)
typedef struct circle_pair {
    double y_b, z_c;
    double r_b, r_c;
    double distance; ///< of the centres
} circle_pair;

/// By how much [m] the circles miss each other; <= 0 when they meet.
static double circle_gap(const circle_pair* c)
{
    // apart, or one inside the other
    const double apart = c->distance - (c->r_b + c->r_c);
    const double within = fabs(c->r_b - c->r_c) - c->distance;
    return pkm_rrr_larger(apart, within);
}

/// The spheres of both arms cut with the plane x; false (and how far x is too far) when one misses.
static bool cut_spheres(const pkm_prrr2prpar* robot, const double* q, double x, circle_pair* out,
                        double* beyond)
{
    const pkm_rod_arm *b = &robot->arm[0], *c = &robot->arm[1];
    const double shorter = b->length < c->length ? b->length : c->length;
    *beyond = fabs(x) - shorter;
    if (!(*beyond <= PKM_RRR_REACH_SLACK)) return false;

    *out = (circle_pair){.y_b = q[1] - b->offset, .z_c = q[2] - c->offset};
    out->r_b = sqrt(fmax((b->length - x) * (b->length + x), 0.0));
    out->r_c = sqrt(fmax((c->length - x) * (c->length + x), 0.0));
    out->distance = sqrt(out->y_b * out->y_b + out->z_c * out->z_c);
    *beyond = circle_gap(out);
    // concentric circles meet everywhere or nowhere: no platform position follows from the drives
    return *beyond <= PKM_RRR_REACH_SLACK && out->distance > 0.0;
}

/// (5): the foot on the line of centres, then to both sides.
static void meet_circles(const circle_pair* c, double x, pkm_vec3 out[2])
{
    const double d = c->distance;
    // from centre b along the line of centres, and half of the chord to both sides
    const double foot = (d * d + (c->r_b - c->r_c) * (c->r_b + c->r_c)) / (2.0 * d);
    const double side = sqrt(fmax((c->r_b - foot) * (c->r_b + foot), 0.0));
    const double e_y = -c->y_b / d, e_z = c->z_c / d; // from centre b to centre c
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? side : -side;
        out[k] = pkm_vec3_make(x, c->y_b + foot * e_y - s * e_z, foot * e_z + s * e_y);
    }
}

/// How well a mode fits that of the file: its working mode counts more than its assembly mode.
static int fit(const pkm_prrr2prpar* robot, int mode)
{
    const int differs = mode ^ robot->branch;
    return (differs & (ROOT_B_BIT | ROOT_C_BIT) ? 0 : 2) + (differs & DET_BIT ? 0 : 1);
}

/// Two assembly modes, the file's first, and two elbows each.
static int direct_geometry(const void* self, const double* q, pkm_closed_config* out, int max,
                           double* beyond)
{
    const pkm_prrr2prpar* robot = self;
    const double x = q[0] - robot->offset_a;
    circle_pair circles;
    double gap;
    const bool meet = cut_spheres(robot, q, x, &circles, &gap);
    if (beyond) *beyond = gap > 0.0 ? gap : 0.0;
    if (!meet) return 0;

    pkm_vec3 H[2];
    meet_circles(&circles, x, H);
    const int mode[2] = {modes_at(robot, q, H[0]), modes_at(robot, q, H[1])};
    const int first = fit(robot, mode[1]) > fit(robot, mode[0]);
    const double miss[2] = {pkm_rrr_limb_beyond(&robot->limb, H[0]),
                            pkm_rrr_limb_beyond(&robot->limb, H[1])};
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        const int i = k ^ first;
        // the arm A does not reach this one
        if (!(miss[i] <= PKM_RRR_REACH_SLACK)) continue;
        const int branch = mode[i] | (robot->branch & ELBOW_BIT);
        if (n < max) out[n++] = make_config(H[i], q, branch);
        if (n < max) out[n++] = make_config(H[i], q, branch ^ ELBOW_BIT);
    }
    if (beyond) *beyond = fmax(fmin(miss[0], miss[1]), 0.0);
    return n;
}

/// (7): rows [1 0 0], n_b, n_c of B; A = diag(1, n_b.e_y, n_c.e_z).
static void velocity(const void* self, const pkm_closed_config* config, double* B, double* A)
{
    const pkm_prrr2prpar* robot = self;
    const pkm_vec3 n_b = rod_direction(&robot->arm[0], config->pose.p, config->q[1]);
    const pkm_vec3 n_c = rod_direction(&robot->arm[1], config->pose.p, config->q[2]);
    const double b[N_DRIVE * N_DRIVE] = {1.0, n_b.x, n_c.x, 0.0, n_b.y, n_c.y, 0.0, n_b.z, n_c.z};
    const double a[N_DRIVE * N_DRIVE] = {1.0, 0.0, 0.0, 0.0, n_b.y, 0.0, 0.0, 0.0, n_c.z};
    memcpy(B, b, sizeof b);
    memcpy(A, a, sizeof a);
}

/// (8): the rods turn.
static void bias(const void* self, const pkm_closed_config* config, const double* qd,
                 const pkm_frame_motion* tool, double* c)
{
    const pkm_prrr2prpar* robot = self;
    (void)config;
    c[0] = 0.0;
    for (int k = 0; k < 2; ++k) {
        // v - q' e across the rod: its length does not change
        const pkm_vec3 turn = pkm_vec3_axpy(tool->v, -qd[k + 1], robot->arm[k].axis);
        c[k + 1] = -pkm_vec3_dot(turn, turn) / robot->arm[k].length;
    }
}

/// (11): A B^-T Q, what the drives must give for the force Q on the tool.
static pkm_status to_drives(pkm_vec3 n_b, pkm_vec3 n_c, pkm_vec3 Q, double* F)
{
    const double det = n_b.y * n_c.z - n_c.y * n_b.z;
    // rods B and C parallel, seen along x: parallel singularity
    if (!(fabs(det) > PKM_CLOSED_SINGULAR)) return PKM_ERR_SINGULAR;

    // forces along the rods that balance Q across x, by Cramer's rule
    const double push_b = (Q.y * n_c.z - n_c.y * Q.z) / det;
    const double push_c = (n_b.y * Q.z - Q.y * n_b.z) / det;
    F[0] = Q.x - n_b.x * push_b - n_c.x * push_c;
    F[1] = n_b.y * push_b;
    F[2] = n_c.z * push_c;
    return PKM_OK;
}

static pkm_status inverse_dynamics(const void* self, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force)
{
    const pkm_prrr2prpar* robot = self;
    (void)qd, (void)torque;
    const pkm_rrr_tip tip = {tool->pose.p, tool->v, tool->a};
    const double elbow = config->branch & ELBOW_BIT ? -1.0 : 1.0;
    pkm_vec3 Q;
    // the force of arm A at its tip begins the sum
    if (!pkm_rrr_limb_force(&robot->limb, elbow, &tip, &Q)) return PKM_ERR_SINGULAR;

    // (9) platform and tool force, (10) rods: their share at the platform and at the slide
    const pkm_vec3 g = robot->gravity;
    const pkm_vec3 lift = pkm_vec3_sub(tool->a, g);
    Q = pkm_vec3_sub(pkm_vec3_axpy(Q, robot->mass, lift), force);
    double slide[2];
    for (int k = 0; k < 2; ++k) {
        const pkm_rod_arm* arm = &robot->arm[k];
        const pkm_vec3 slide_lift = pkm_vec3_sub(pkm_vec3_scale(qdd[k + 1], arm->axis), g);
        const pkm_vec3 rod = pkm_vec3_axpy(lift, 2.0, slide_lift);
        // a slender rod with ends that accelerate at a and b: m (2 a + b)/6 and m (a + 2 b)/6
        Q = pkm_vec3_axpy(Q, arm->rod_mass / 6.0, pkm_vec3_axpy(slide_lift, 2.0, lift));
        slide[k] = arm->rod_mass / 6.0 * pkm_vec3_dot(arm->axis, rod) +
                   arm->slide_mass * pkm_vec3_dot(arm->axis, slide_lift);
    }

    const pkm_vec3 n_b = rod_direction(&robot->arm[0], tool->pose.p, config->q[1]);
    const pkm_vec3 n_c = rod_direction(&robot->arm[1], tool->pose.p, config->q[2]);
    PKM_TRY(to_drives(n_b, n_c, Q, drive_force));
    drive_force[1] += slide[0];
    drive_force[2] += slide[1];
    return PKM_OK;
}

/// (12): kinetic and potential energy of a parallelogram arm.
static double arm_energy(const pkm_prrr2prpar* robot, const pkm_rod_arm* arm,
                         const pkm_frame_motion* tool, double q, double qd)
{
    const double along = pkm_vec3_dot(arm->axis, tool->v);
    const double vv = pkm_vec3_dot(tool->v, tool->v);
    const double kinetic =
        arm->rod_mass / 6.0 * (vv + along * qd + qd * qd) + arm->slide_mass / 2.0 * qd * qd;
    const pkm_vec3 slide = pkm_vec3_scale(q, arm->axis);
    // the joint on the platform, from where half of the rods' weight hangs
    const pkm_vec3 tip = pkm_vec3_axpy(tool->pose.p, arm->offset, arm->axis);
    const pkm_vec3 moment = pkm_vec3_axpy(pkm_vec3_scale(arm->slide_mass, slide),
                                          0.5 * arm->rod_mass, pkm_vec3_add(slide, tip));
    return kinetic - pkm_vec3_dot(robot->gravity, moment);
}

static double energy(const void* self, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd)
{
    const pkm_prrr2prpar* robot = self;
    const pkm_rrr_tip tip = {.p = tool->pose.p, .v = tool->v};
    const double elbow = config->branch & ELBOW_BIT ? -1.0 : 1.0;
    const double platform =
        robot->mass * (pkm_vec3_dot(tip.v, tip.v) / 2.0 - pkm_vec3_dot(robot->gravity, tip.p));
    return platform + pkm_rrr_limb_energy(&robot->limb, elbow, &tip) +
           arm_energy(robot, &robot->arm[0], tool, config->q[1], qd[1]) +
           arm_energy(robot, &robot->arm[1], tool, config->q[2], qd[2]);
}

const pkm_closed_family pkm_closed_prrr2prpar = {
    .name = "prrr2prpar",
    .text = "1PRRR+2PRPaR, one limb P-R-R-R and two with parallelograms, three translations",
    .n_drive = N_DRIVE,
    .moves = 0x07,
    .tool_keeps = ELBOW_BIT | ROOT_B_BIT | ROOT_C_BIT,
    .drives_keep = ELBOW_BIT | DET_BIT,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .size = sizeof(pkm_prrr2prpar),
    .prepare = prepare,
    .inverse_geometry = inverse_geometry,
    .direct_geometry = direct_geometry,
    .velocity = velocity,
    .bias = bias,
    .inverse_dynamics = inverse_dynamics,
    .energy = energy,
};
