/// Isoglide T3: three limbs P-R-R-R along x, y, z; the tool translates and copies the drives.
/// docs/theory/closed-isoglide.md, 2. The tool point is E, the middle of the platform.
#include "base/error.h"
#include "closed/families.h"
#include "closed/isoglide.h"
#include "math/quat.h"

#include <string.h>

enum { N_LIMB = PKM_ISOGLIDE_T3_LIMBS, N_ELBOW = 8 };

enum {
    SLIDE_MASS,
    LINK2_LENGTH,
    LINK3_LENGTH,
    LINK2_MASS,
    LINK3_MASS,
    LINK2_INERTIA,
    LINK3_INERTIA,
    PLATFORM_OFFSET,
    PLATFORM_MASS,
    PAYLOAD_MASS,
    GRAVITY,
    ELBOW_A = GRAVITY + 3,
    ELBOW_B,
    ELBOW_C,
    N_PARAMETER,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"slide_mass", "kg", "mass of each slide", true, 0.0},
    {"link2_length", "m", "from the slide to the elbow", true, 0.0},
    {"link3_length", "m", "from the elbow to the platform", true, 0.0},
    {"link2_mass", "kg", "mass of link 2, its centre in the middle", true, 0.0},
    {"link3_mass", "kg", "mass of link 3, its centre in the middle", true, 0.0},
    {"link2_inertia", "kg m2", "transverse, about the centre; default slender", false, NAN},
    {"link3_inertia", "kg m2", "transverse, about the centre; default slender", false, NAN},
    {"platform_offset", "m", "from the tool point to the joints of the platform", true, 0.0},
    {"platform_mass", "kg", "mass of the platform", true, 0.0},
    {"payload_mass", "kg", "mass carried by the platform", false, 0.0},
    {"gravity", "m/s2", "acceleration along +z, signed", false, -9.80665},
    {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},
    {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},
    {"elbow_a", "1", "+1 or -1, sign of the elbow angle of limb a", false, 1.0},
    {"elbow_b", "1", "+1 or -1, sign of the elbow angle of limb b", false, 1.0},
    {"elbow_c", "1", "+1 or -1, sign of the elbow angle of limb c", false, 1.0},
};

/// What pkm_closed_check expects of the parameters.
static const char expected[] = "0++0000.00...sss";

static pkm_status prepare(void* self, const double* given, pkm_error* err)
{
    pkm_isoglide_t3* robot = self;
    double value[N_PARAMETER];
    memcpy(value, given, sizeof value);
    pkm_rrr_slender(value[LINK2_MASS], value[LINK2_LENGTH], &value[LINK2_INERTIA]);
    pkm_rrr_slender(value[LINK3_MASS], value[LINK3_LENGTH], &value[LINK3_INERTIA]);
    PKM_TRY(pkm_closed_check(&pkm_closed_isoglide_t3, value, expected, err));

    *robot = (pkm_isoglide_t3){.offset = value[PLATFORM_OFFSET],
                               .mass = value[PLATFORM_MASS] + value[PAYLOAD_MASS],
                               .gravity = pkm_closed_gravity(&value[GRAVITY])};
    for (int j = 0; j < N_LIMB; ++j) {
        // three equal limbs, the rail of limb j along axis j
        robot->limb[j] = (pkm_rrr_limb){
            .axis = j,
            .l1 = value[LINK2_LENGTH],
            .l2 = value[LINK3_LENGTH],
            .m1 = value[LINK2_MASS],
            .m2 = value[LINK3_MASS],
            .J1 = value[LINK2_INERTIA],
            .J2 = value[LINK3_INERTIA],
            .slide_mass = value[SLIDE_MASS],
            .gravity = robot->gravity,
        };
        pkm_rrr_limb_prepare(&robot->limb[j]);
        if (value[ELBOW_A + j] < 0.0) robot->elbows |= 1 << j;
    }
    return PKM_OK;
}

/// How far [m] the worst limb is from reaching E; <= 0 within reach. The joints D of limb j differ
/// from E along axis j only, so E itself serves as the tip of every limb.
static double worst_beyond(const pkm_isoglide_t3* robot, pkm_vec3 E)
{
    double worst = pkm_rrr_limb_beyond(&robot->limb[0], E);
    for (int j = 1; j < N_LIMB; ++j) {
        worst = pkm_rrr_larger(worst, pkm_rrr_limb_beyond(&robot->limb[j], E));
    }
    return worst;
}

/// Bit j of the branch is set where the elbow angle of limb j is negative.
static void write_label(char* label, int branch)
{
    static const char blank[] = "elbows a+ b+ c+";
    static const int sign_at[N_LIMB] = {8, 11, 14};
    memcpy(label, blank, sizeof blank);
    for (int j = 0; j < N_LIMB; ++j) {
        if (branch >> j & 1) label[sign_at[j]] = '-';
    }
}

/// All elbow branches at E, those of the file first; 0 when a limb cannot reach.
static int list_elbows(const pkm_isoglide_t3* robot, pkm_vec3 E, pkm_closed_config* out, int max,
                       double* beyond)
{
    const double worst = worst_beyond(robot, E);
    if (beyond) *beyond = worst > 0.0 ? worst : 0.0;
    if (!(worst <= PKM_RRR_REACH_SLACK)) return 0;

    int n = 0;
    for (int k = 0; k < N_ELBOW && n < max; ++k, ++n) {
        // (2.1) q = E + l4
        out[n] = (pkm_closed_config){
            .pose = {E, pkm_quat_identity()},
            .q = {E.x + robot->offset, E.y + robot->offset, E.z + robot->offset},
            // k = 0 is the file's own; its bits turned one after the other give the seven others
            .branch = robot->elbows ^ k,
        };
        write_label(out[n].label, out[n].branch);
    }
    return n;
}

static int inverse_geometry(const void* self, const pkm_pose* pose, pkm_closed_config* out, int max,
                            double* beyond)
{
    return list_elbows(self, pose->p, out, max, beyond);
}

static int direct_geometry(const void* self, const double* q, pkm_closed_config* out, int max,
                           double* beyond)
{
    // E = q - l4 (1, 1, 1)
    const double l4 = ((const pkm_isoglide_t3*)self)->offset;
    return list_elbows(self, pkm_vec3_make(q[0] - l4, q[1] - l4, q[2] - l4), out, max, beyond);
}

/// (2.2): the drives are copied to the tool, B = A = 1.
static void velocity(const void* self, const pkm_closed_config* config, double* B, double* A)
{
    (void)self, (void)config;
    for (int i = 0; i < N_LIMB * N_LIMB; ++i)
        B[i] = A[i] = i % (N_LIMB + 1) == 0 ? 1.0 : 0.0;
}

/// None: B and A of (2.2) are constant.
static void bias(const void* self, const pkm_closed_config* config, const double* qd,
                 const pkm_frame_motion* tool, double* c)
{
    (void)self, (void)config, (void)qd, (void)tool;
    for (int j = 0; j < N_LIMB; ++j)
        c[j] = 0.0;
}

static double elbow_sign(int branch, int j)
{
    return branch >> j & 1 ? -1.0 : 1.0;
}

/// (2.3): limbs and platform, all at E; the torque on the tool is taken by the limbs.
static pkm_status inverse_dynamics(const void* self, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force)
{
    const pkm_isoglide_t3* robot = self;
    (void)qd, (void)qdd, (void)torque;
    // E is the tip of every limb
    const pkm_rrr_tip tip = {tool->pose.p, tool->v, tool->a};
    const pkm_vec3 lift = pkm_vec3_sub(tool->a, robot->gravity);
    pkm_vec3 total = pkm_vec3_sub(pkm_vec3_scale(robot->mass, lift), force);
    for (int j = 0; j < N_LIMB; ++j) {
        pkm_vec3 f;
        const double elbow = elbow_sign(config->branch, j);
        if (!pkm_rrr_limb_force(&robot->limb[j], elbow, &tip, &f)) return PKM_ERR_SINGULAR;
        total = pkm_vec3_add(total, f);
    }
    drive_force[0] = total.x;
    drive_force[1] = total.y;
    drive_force[2] = total.z;
    return PKM_OK;
}

/// (2.4), with the potential of the slides counted from E.
static double energy(const void* self, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd)
{
    const pkm_isoglide_t3* robot = self;
    (void)qd;
    const pkm_rrr_tip tip = {.p = tool->pose.p, .v = tool->v};
    double sum =
        robot->mass * (pkm_vec3_dot(tip.v, tip.v) / 2.0 - pkm_vec3_dot(robot->gravity, tip.p));
    for (int j = 0; j < N_LIMB; ++j) {
        sum += pkm_rrr_limb_energy(&robot->limb[j], elbow_sign(config->branch, j), &tip);
    }
    return sum;
}

const pkm_closed_family pkm_closed_isoglide_t3 = {
    .name = "isoglide_t3",
    .text = "Isoglide T3, three limbs P-R-R-R, maximally regular translations",
    .n_drive = N_LIMB,
    .moves = 0x07,
    // elbows change at the ends of a limb's reach only
    .tool_keeps = N_ELBOW - 1,
    .drives_keep = N_ELBOW - 1,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .size = sizeof(pkm_isoglide_t3),
    .prepare = prepare,
    .inverse_geometry = inverse_geometry,
    .direct_geometry = direct_geometry,
    .velocity = velocity,
    .bias = bias,
    .inverse_dynamics = inverse_dynamics,
    .energy = energy,
};
