/// Isoglide4 T3R1: four limbs P-R-R-R along x, y, z, z; three translations and a turn about y.
///
/// The tool point is the middle of the bar K1 K2. phi lifts K2 above K1: K2 = K1 + l6 (cos phi, 0,
/// sin phi). A right-handed turn about +y lowers it, so the tool turns by -phi about y and its
/// angular velocity is w_y = -phi'. docs/theory/closed-isoglide.md, 3.
#include "base/error.h"
#include "closed/families.h"
#include "closed/isoglide.h"
#include "math/quat.h"

#include <string.h>

enum { N_LIMB = PKM_ISOGLIDE4_LIMBS, N_ELBOW = 16, BACKWARD = 1 << N_LIMB };

// Per limb values stand together, so that limb j has P + j.
enum {
    L3,
    L4 = L3 + N_LIMB,
    M3 = L4 + N_LIMB,
    M4 = M3 + N_LIMB,
    SLIDE_MASS = M4 + N_LIMB,
    PLATFORM_LENGTH,
    COUPLING_LENGTH,
    PLATFORM_MASS,
    PLATFORM_INERTIA,
    PAYLOAD_MASS,
    GRAVITY,
    ELBOW = GRAVITY + 3,
    GUIDE = ELBOW + N_LIMB, ///< two values per limb, in its plane
    N_PARAMETER = GUIDE + 2 * N_LIMB,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"l3_a", "m", "limb a, from the slide to the elbow", true, 0.0},
    {"l3_b", "m", "limb b, from the slide to the elbow", true, 0.0},
    {"l3_c", "m", "limb c, from the slide to the elbow", true, 0.0},
    {"l3_d", "m", "limb d, from the slide to the elbow", true, 0.0},
    {"l4_a", "m", "limb a, from the elbow to link 5", true, 0.0},
    {"l4_b", "m", "limb b, from the elbow to the platform", true, 0.0},
    {"l4_c", "m", "limb c, from the elbow to link 5", true, 0.0},
    {"l4_d", "m", "limb d, from the elbow to link 5", true, 0.0},
    {"m3_a", "kg", "mass of link 3 of limb a, slender and uniform", true, 0.0},
    {"m3_b", "kg", "mass of link 3 of limb b, slender and uniform", true, 0.0},
    {"m3_c", "kg", "mass of link 3 of limb c, slender and uniform", true, 0.0},
    {"m3_d", "kg", "mass of link 3 of limb d, slender and uniform", true, 0.0},
    {"m4_a", "kg", "mass of link 4 of limb a, slender and uniform", true, 0.0},
    {"m4_b", "kg", "mass of link 4 of limb b, slender and uniform", true, 0.0},
    {"m4_c", "kg", "mass of link 4 of limb c, slender and uniform", true, 0.0},
    {"m4_d", "kg", "mass of link 4 of limb d, slender and uniform", true, 0.0},
    {"slide_mass", "kg", "mass of each slide", true, 0.0},
    {"platform_length", "m", "l6, from K1 to K2", true, 0.0},
    {"coupling_length", "m", "l5, links 5 of limbs a, c, d, without mass", true, 0.0},
    {"platform_mass", "kg", "mass of the bar K1 K2, its centre in the middle", true, 0.0},
    {"platform_inertia", "kg m2", "of the bar about y through its middle; default slender", false,
     NAN},
    {"payload_mass", "kg", "point mass in the middle of the bar", false, 0.0},
    {"gravity", "m/s2", "acceleration along +z, signed", false, -9.80665},
    {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},
    {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},
    {"elbow_a", "1", "+1 or -1, sign of the elbow angle of limb a", false, 1.0},
    {"elbow_b", "1", "+1 or -1, sign of the elbow angle of limb b", false, 1.0},
    {"elbow_c", "1", "+1 or -1, sign of the elbow angle of limb c", false, 1.0},
    {"elbow_d", "1", "+1 or -1, sign of the elbow angle of limb d", false, 1.0},
    {"guide_a_y", "m", "where the joints on the rail of limb a run, y", false, 0.0},
    {"guide_a_z", "m", "where the joints on the rail of limb a run, z", false, 0.0},
    {"guide_b_z", "m", "where the joints on the rail of limb b run, z", false, 0.0},
    {"guide_b_x", "m", "where the joints on the rail of limb b run, x", false, 0.0},
    {"guide_c_x", "m", "where the joints on the rail of limb c run, x", false, 0.0},
    {"guide_c_y", "m", "where the joints on the rail of limb c run, y", false, 0.0},
    {"guide_d_x", "m", "where the joints on the rail of limb d run, x; default l6", false, NAN},
    {"guide_d_y", "m", "where the joints on the rail of limb d run, y", false, 0.0},
};

/// What pkm_closed_check expects of the parameters.
static const char expected[] = "++++++++000000000+.000...ssss........";

static void prepare_limb(pkm_isoglide4* robot, int j, const double* value)
{
    static const int axis[N_LIMB] = {0, 1, 2, 2};
    pkm_rrr_limb* limb = &robot->limb[j];
    *limb = (pkm_rrr_limb){
        .axis = axis[j],
        .rail = {value[GUIDE + 2 * j], value[GUIDE + 2 * j + 1]},
        .l1 = value[L3 + j],
        .l2 = value[L4 + j],
        .m1 = value[M3 + j],
        .m2 = value[M4 + j],
        .J1 = NAN,
        .J2 = NAN,
        .slide_mass = value[SLIDE_MASS],
        .gravity = robot->gravity,
    };
    pkm_rrr_slender(limb->m1, limb->l1, &limb->J1);
    pkm_rrr_slender(limb->m2, limb->l2, &limb->J2);
    pkm_rrr_limb_prepare(limb);
    if (value[ELBOW + j] < 0.0) robot->elbows |= 1 << j;
}

static pkm_status prepare(void* self, const double* given, pkm_error* err)
{
    pkm_isoglide4* robot = self;
    double value[N_PARAMETER];
    memcpy(value, given, sizeof value);
    pkm_rrr_slender(value[PLATFORM_MASS], value[PLATFORM_LENGTH], &value[PLATFORM_INERTIA]);
    double* guide_d_x = &value[GUIDE + 2 * (N_LIMB - 1)];
    if (isnan(*guide_d_x)) *guide_d_x = value[PLATFORM_LENGTH];
    PKM_TRY(pkm_closed_check(&pkm_closed_isoglide4, value, expected, err));

    *robot = (pkm_isoglide4){.half = value[PLATFORM_LENGTH] / 2.0,
                             .coupling = value[COUPLING_LENGTH],
                             .mass = value[PLATFORM_MASS] + value[PAYLOAD_MASS],
                             .inertia = value[PLATFORM_INERTIA],
                             .gravity = pkm_closed_gravity(&value[GRAVITY])};
    for (int j = 0; j < N_LIMB; ++j)
        prepare_limb(robot, j, value);
    return PKM_OK;
}

/// cos phi and sin phi of a tool orientation; a tilt about x or z, which this robot cannot make,
/// is left out.
static pkm_rrr_plane phi_of(pkm_quat q)
{
    const double norm = q.w * q.w + q.y * q.y;
    if (!(norm > 0.0)) return (pkm_rrr_plane){1.0, 0.0};
    return (pkm_rrr_plane){(q.w * q.w - q.y * q.y) / norm, -2.0 * q.w * q.y / norm};
}

/// The orientation with (cos phi, sin phi): a turn by -phi about y.
static pkm_quat quat_of(pkm_rrr_plane phi)
{
    return pkm_quat_from_axis(pkm_vec3_make(0.0, 1.0, 0.0), atan2(-phi.s, phi.c));
}

/// From the tool point to K2; K1 is on the other side. (3.1)
static pkm_vec3 to_k2(const pkm_isoglide4* robot, pkm_rrr_plane phi)
{
    return pkm_vec3_make(robot->half * phi.c, 0.0, robot->half * phi.s);
}

/// How far [m] the worst limb is from reaching K1 (limbs a, b, c) or K2 (limb d).
static double worst_beyond(const pkm_isoglide4* robot, pkm_vec3 K1, pkm_vec3 K2)
{
    double worst = pkm_rrr_limb_beyond(&robot->limb[0], K1);
    for (int j = 1; j < N_LIMB; ++j) {
        worst = pkm_rrr_larger(worst, pkm_rrr_limb_beyond(&robot->limb[j], j < 3 ? K1 : K2));
    }
    return worst;
}

/// Bit j of the branch: negative elbow angle of limb j; the last bit: cos phi < 0.
static void write_label(char* label, int branch)
{
    static const char blank[] = "elbows a+ b+ c+ d+, cos phi > 0";
    static const int sign_at[N_LIMB] = {8, 11, 14, 17};
    memcpy(label, blank, sizeof blank);
    for (int j = 0; j < N_LIMB; ++j) {
        if (branch >> j & 1) label[sign_at[j]] = '-';
    }
    if (branch & BACKWARD) label[28] = '<';
}

/// All elbow branches at a tool point, those of the file first. Returns how many; `worst` receives
/// how far [m] the worst limb is from reaching.
static int list_elbows(const pkm_isoglide4* robot, pkm_vec3 P, pkm_rrr_plane phi,
                       pkm_closed_config* out, int max, double* worst)
{
    const pkm_vec3 arm = to_k2(robot, phi);
    const pkm_vec3 K1 = pkm_vec3_sub(P, arm), K2 = pkm_vec3_add(P, arm);
    *worst = worst_beyond(robot, K1, K2);
    if (!(*worst <= PKM_RRR_REACH_SLACK)) return 0;

    // (3.2) the drives
    const double l5 = robot->coupling;
    const pkm_pose pose = {P, quat_of(phi)};
    const int backward = phi.c < 0.0 ? BACKWARD : 0;
    int n = 0;
    for (int k = 0; k < N_ELBOW && n < max; ++k, ++n) {
        out[n] = (pkm_closed_config){.pose = pose,
                                     .q = {K1.x + l5, K1.y, K1.z + l5, K2.z + l5},
                                     .branch = (robot->elbows ^ k) | backward};
        write_label(out[n].label, out[n].branch);
    }
    return n;
}

static int inverse_geometry(const void* self, const pkm_pose* pose, pkm_closed_config* out, int max,
                            double* beyond)
{
    double worst;
    const int n = list_elbows(self, pose->p, phi_of(pose->q), out, max, &worst);
    if (beyond) *beyond = worst > 0.0 ? worst : 0.0;
    return n;
}

/// (3.3): sin phi from the difference of q4 and q3, cos phi of both signs.
static int direct_geometry(const void* self, const double* q, pkm_closed_config* out, int max,
                           double* beyond)
{
    const pkm_isoglide4* robot = self;
    const double l5 = robot->coupling, l6 = 2.0 * robot->half;
    const double rise = q[3] - q[2];
    if (beyond) *beyond = fabs(rise) > l6 ? fabs(rise) - l6 : 0.0;
    if (!(fabs(rise) <= l6 + PKM_RRR_REACH_SLACK)) return 0;

    const double flat = sqrt(fmax((l6 - rise) * (l6 + rise), 0.0));
    const pkm_vec3 K1 = {q[0] - l5, q[1], q[2] - l5};
    double nearest = 0.0;
    int n = 0;
    for (int side = 0; side < 2; ++side) {
        const pkm_rrr_plane phi = {(side == 0 ? flat : -flat) / l6, rise / l6};
        double worst;
        n += list_elbows(robot, pkm_vec3_add(K1, to_k2(robot, phi)), phi, out + n, max - n, &worst);
        if (side == 0 || worst < nearest) nearest = worst;
    }
    if (beyond) *beyond = nearest > 0.0 ? nearest : 0.0;
    return n;
}

/// (3.4): A = 1, B by columns vx, vy, vz, wy.
static void velocity(const void* self, const pkm_closed_config* config, double* B, double* A)
{
    const double h = ((const pkm_isoglide4*)self)->half;
    const pkm_rrr_plane phi = phi_of(config->pose.q);
    const double matrix[N_LIMB * N_LIMB] = {
        1.0,        0.0, 0.0,       0.0,        //
        0.0,        1.0, 0.0,       0.0,        //
        0.0,        0.0, 1.0,       1.0,        //
        -h * phi.s, 0.0, h * phi.c, -h * phi.c, //
    };
    memcpy(B, matrix, sizeof matrix);
    for (int i = 0; i < N_LIMB * N_LIMB; ++i)
        A[i] = i % (N_LIMB + 1) == 0 ? 1.0 : 0.0;
}

/// (3.5): what turning with w_y adds, seen from K1 and K2.
static void bias(const void* self, const pkm_closed_config* config, const double* qd,
                 const pkm_frame_motion* tool, double* c)
{
    (void)qd;
    const pkm_vec3 arm = to_k2(self, phi_of(config->pose.q));
    const double ww = tool->w.y * tool->w.y;
    c[0] = -ww * arm.x;
    c[1] = 0.0;
    c[2] = -ww * arm.z;
    c[3] = ww * arm.z;
}

/// Motion of the tips: K1 for limbs a, b, c and K2 for limb d. (3.6)
static void tips(const pkm_isoglide4* robot, const pkm_frame_motion* tool, pkm_rrr_tip* k1,
                 pkm_rrr_tip* k2)
{
    const pkm_vec3 arm = to_k2(robot, phi_of(tool->pose.q));
    const double w = tool->w.y, alpha = tool->alpha.y;
    const pkm_vec3 turned = {arm.z, 0.0, -arm.x}; // e_y x arm
    const pkm_vec3 v = pkm_vec3_scale(w, turned);
    const pkm_vec3 a = pkm_vec3_axpy(pkm_vec3_scale(alpha, turned), -w * w, arm);
    *k1 = (pkm_rrr_tip){pkm_vec3_sub(tool->pose.p, arm), pkm_vec3_sub(tool->v, v),
                        pkm_vec3_sub(tool->a, a)};
    *k2 = (pkm_rrr_tip){pkm_vec3_add(tool->pose.p, arm), pkm_vec3_add(tool->v, v),
                        pkm_vec3_add(tool->a, a)};
}

static double elbow_sign(int branch, int j)
{
    return branch >> j & 1 ? -1.0 : 1.0;
}

/// (3.8): B' F = Q solved by hand; Q is the force on the tool that the drives must give, and its
/// torque about y.
static pkm_status to_drives(const pkm_isoglide4* robot, pkm_rrr_plane phi, pkm_vec3 Q, double Q_w,
                            double* F)
{
    if (!(fabs(phi.c) > PKM_CLOSED_SINGULAR)) return PKM_ERR_SINGULAR;

    const double difference = (Q_w / robot->half + phi.s * Q.x) / phi.c; // F3 - F4
    F[0] = Q.x;
    F[1] = Q.y;
    F[2] = (Q.z + difference) / 2.0;
    F[3] = (Q.z - difference) / 2.0;
    return PKM_OK;
}

static pkm_status inverse_dynamics(const void* self, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force)
{
    const pkm_isoglide4* robot = self;
    (void)qd, (void)qdd;
    pkm_rrr_tip k1, k2;
    tips(robot, tool, &k1, &k2);

    // forces of the limbs, at K1 and at K2
    pkm_vec3 at_k1 = {0.0, 0.0, 0.0}, at_k2 = {0.0, 0.0, 0.0};
    for (int j = 0; j < N_LIMB; ++j) {
        pkm_vec3 f;
        const double elbow = elbow_sign(config->branch, j);
        if (!pkm_rrr_limb_force(&robot->limb[j], elbow, j < 3 ? &k1 : &k2, &f)) {
            return PKM_ERR_SINGULAR;
        }
        if (j < 3)
            at_k1 = pkm_vec3_add(at_k1, f);
        else
            at_k2 = f;
    }

    // (3.7) everything at the tool point
    const pkm_rrr_plane phi = phi_of(tool->pose.q);
    const pkm_vec3 lift = pkm_vec3_sub(tool->a, robot->gravity);
    const pkm_vec3 platform = pkm_vec3_sub(pkm_vec3_scale(robot->mass, lift), force);
    const pkm_vec3 Q = pkm_vec3_add(platform, pkm_vec3_add(at_k1, at_k2));
    const pkm_vec3 moment = pkm_vec3_cross(to_k2(robot, phi), pkm_vec3_sub(at_k2, at_k1));
    const double Q_w = robot->inertia * tool->alpha.y - torque.y + moment.y;
    return to_drives(robot, phi, Q, Q_w, drive_force);
}

/// (3.9), with the potential of slides a, b, c counted from K1 and of slide d from K2.
static double energy(const void* self, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd)
{
    const pkm_isoglide4* robot = self;
    (void)qd;
    pkm_rrr_tip k1, k2;
    tips(robot, tool, &k1, &k2);
    const double kinetic =
        robot->mass * pkm_vec3_dot(tool->v, tool->v) + robot->inertia * tool->w.y * tool->w.y;
    double sum = kinetic / 2.0 - robot->mass * pkm_vec3_dot(robot->gravity, tool->pose.p);
    for (int j = 0; j < N_LIMB; ++j) {
        sum +=
            pkm_rrr_limb_energy(&robot->limb[j], elbow_sign(config->branch, j), j < 3 ? &k1 : &k2);
    }
    return sum;
}

const pkm_closed_family pkm_closed_isoglide4 = {
    .name = "isoglide4",
    .text = "Isoglide4 T3R1, four limbs P-R-R-R, three translations and a turn about y",
    .n_drive = N_LIMB,
    .moves = 0x17,
    .tool_keeps = N_ELBOW - 1,
    .drives_keep = BACKWARD | (N_ELBOW - 1),
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .size = sizeof(pkm_isoglide4),
    .prepare = prepare,
    .inverse_geometry = inverse_geometry,
    .direct_geometry = direct_geometry,
    .velocity = velocity,
    .bias = bias,
    .inverse_dynamics = inverse_dynamics,
    .energy = energy,
};
