/// Platforms guided in three points: parameters, limbs, branches, velocities, dynamics.
/// Numbers in brackets are equations of docs/theory/closed-3pprs-3ppsr.md.
#include "closed/guided.h"

#include "base/error.h"
#include "closed/families.h"
#include "math/dense.h"

#include <stdio.h>
#include <string.h>

// The order of the parameters.
enum {
    BASE_RADIUS,
    PLATFORM_RADIUS,
    ROD_LENGTH,
    PLATFORM_MASS,
    PAYLOAD_MASS,
    SLIDE_MASS,
    LIFT_MASS,
    INERTIA_X,
    INERTIA_Y,
    INERTIA_Z,
    GRAVITY,
    GRAVITY_X,
    GRAVITY_Y,
    SIDE,
    ANGLE_1,
    ANGLE_2,
    ANGLE_3,
};

#define THIRD_OF_TURN 2.0943951023931953

const pkm_closed_parameter pkm_guided_parameter[PKM_GUIDED_PARAMETER] = {
    [BASE_RADIUS] = {"base_radius", "m", "from the base's centre to each first slide", true, 0.0},
    [PLATFORM_RADIUS] = {"platform_radius", "m", "from the tool point to the end of each rod", true,
                         0.0},
    [ROD_LENGTH] = {"rod_length", "m", "between the joints of a rod", true, 0.0},
    [PLATFORM_MASS] = {"platform_mass", "kg", "platform, centred at the tool point", true, 0.0},
    [PAYLOAD_MASS] = {"payload_mass", "kg", "point mass at the tool point", false, 0.0},
    [SLIDE_MASS] = {"slide_mass", "kg", "each first (tangential) slide", false, 0.0},
    [LIFT_MASS] = {"lift_mass", "kg", "each second (vertical) slide", false, 0.0},
    [INERTIA_X] = {"inertia_x", "kg m2", "platform about its x axis", false, 0.0},
    [INERTIA_Y] = {"inertia_y", "kg m2", "platform about its y axis", false, 0.0},
    [INERTIA_Z] = {"inertia_z", "kg m2", "platform about its z axis", false, 0.0},
    [GRAVITY] = {"gravity", "m/s2", "acceleration along z, signed", false, -9.80665},
    [GRAVITY_X] = {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},
    [GRAVITY_Y] = {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},
    [SIDE] = {"side", "1", "+1: rods rise from the slides to the platform, -1: they fall", false,
              1.0},
    [ANGLE_1] = {"angle_1", "rad", "direction of limb 1 on base and platform", false, 0.0},
    [ANGLE_2] = {"angle_2", "rad", "direction of limb 2", false, THIRD_OF_TURN},
    [ANGLE_3] = {"angle_3", "rad", "direction of limb 3", false, 2.0 * THIRD_OF_TURN},
};

// Direct geometry is polished to rounding; a loop that stays open by more, relative to the size of
// the robot, is not a configuration.
static const double open_loop = 1e-12;
// At the limit of reach a rounding must not decide: a rod may be too short by half of this part.
static const double reach_slack = 1e-14;

static pkm_status check_values(const pkm_closed_family* family, const double* value, pkm_error* err)
{
    PKM_TRY(pkm_closed_check(family, value, "+++0000000.......", err));
    if (fabs(value[SIDE]) != 1.0)
        return pkm_fail(err, PKM_ERR_MODEL, "closed form %s: side %g, expected -1 or 1",
                        family->name, value[SIDE]);
    for (int i = 0; i < 3; ++i) {
        const double own = value[INERTIA_X + i];
        const double others = value[INERTIA_X + (i + 1) % 3] + value[INERTIA_X + (i + 2) % 3];
        if (own > others * (1.0 + 1e-12))
            return pkm_fail(
                err, PKM_ERR_MODEL,
                "closed form %s: %s %g kg m2, expected at most the sum %g of the others",
                family->name, pkm_guided_parameter[INERTIA_X + i].name, own, others);
    }
    return PKM_OK;
}

static void write_labels(pkm_guided* g)
{
    for (int branch = 0; branch < 8; ++branch) {
        const char* word[3];
        for (int i = 0; i < 3; ++i)
            // `side` says which of both is the rule
            word[i] = ((branch >> i & 1) != 0) == (g->side < 0.0) ? "up" : "down";
        snprintf(g->label[branch], sizeof g->label[branch], "rods %s/%s/%s", word[0], word[1],
                 word[2]);
    }
}

pkm_status pkm_guided_prepare(const pkm_closed_family* family, pkm_guided* g, const double* value,
                              pkm_error* err)
{
    PKM_TRY(check_values(family, value, err));
    *g = (pkm_guided){
        .on_platform = family == &pkm_closed_ppsr,
        .base_radius = value[BASE_RADIUS],
        .platform_radius = value[PLATFORM_RADIUS],
        .rod_length = value[ROD_LENGTH],
        .mass = value[PLATFORM_MASS] + value[PAYLOAD_MASS],
        .slide_mass = value[SLIDE_MASS],
        .lift_mass = value[LIFT_MASS],
        .inertia = {value[INERTIA_X], value[INERTIA_Y], value[INERTIA_Z]},
        .gravity = pkm_closed_gravity(&value[GRAVITY]),
        .side = value[SIDE],
    };
    for (int i = 0; i < 3; ++i) {
        const double c = cos(value[ANGLE_1 + i]), s = sin(value[ANGLE_1 + i]);
        g->n[i] = pkm_vec3_make(c, s, 0.0);
        g->t[i] = pkm_vec3_make(-s, c, 0.0);
    }
    write_labels(g);
    // two limbs in the same direction leave the platform free to turn
    for (int i = 0; i < 3; ++i)
        if (pkm_vec3_norm(pkm_vec3_sub(g->n[i], g->n[(i + 1) % 3])) < 1e-9)
            return pkm_fail(err, PKM_ERR_MODEL,
                            "closed form %s: angle_%d is the direction of angle_%d", family->name,
                            i + 1, (i + 1) % 3 + 1);
    return PKM_OK;
}

// ---- geometry ----

void pkm_guided_limbs(const pkm_guided* g, const pkm_closed_config* config, pkm_guided_limb limb[3])
{
    const pkm_mat3 R_wb = pkm_mat3_from_quat(config->pose.q);
    for (int i = 0; i < 3; ++i) {
        // (1), (2)
        const pkm_vec3 rho = pkm_mat3_mul(R_wb, pkm_guided_platform_point(g, i));
        const pkm_vec3 slide = pkm_guided_slide_point(g, config->q, i);
        const pkm_vec3 span = pkm_vec3_sub(pkm_vec3_add(config->pose.p, rho), slide);
        const double length = pkm_vec3_norm(span);
        limb[i].axis = g->on_platform ? pkm_mat3_mul(R_wb, g->t[i]) : g->t[i];
        limb[i].rod = length > 0.0 ? pkm_vec3_scale(1.0 / length, span) : span;
        // arm to the ball, g_i of (10): at the platform or at the slide
        limb[i].arm = g->on_platform ? pkm_vec3_sub(slide, config->pose.p) : rho;
        limb[i].stretch = length - g->rod_length;
        limb[i].slip = pkm_vec3_dot(limb[i].axis, span);
    }
}

/// Bit i is set when the rod of limb i leans to the other side than `side` says. The sign is that
/// of the limb's block of A, (4), so it changes at serial singularities only.
static int branch_of(const pkm_guided* g, const pkm_guided_limb limb[3])
{
    int branch = 0;
    for (int i = 0; i < 3; ++i) {
        // (4)
        const double lean = pkm_vec3_dot(pkm_vec3_cross(limb[i].axis, limb[i].rod), g->n[i]);
        if (lean * g->side < 0.0) branch |= 1 << i;
    }
    return branch;
}

static void set_branch(const pkm_guided* g, pkm_closed_config* config, int branch)
{
    config->branch = branch;
    memcpy(config->label, g->label[branch], sizeof config->label);
}

/// The two places of one limb's slides, (3): out[0] with the rod rising (in the sense of
/// branch_of), out[1] falling; at the limit of reach they are one. H is the platform's end of the
/// rod; the rod turns in the plane of the unit vectors U and W. Returns by how much [m] the rod is
/// too short; <= 0 when it reaches.
static double limb_slides(const pkm_guided* g, int i, pkm_vec3 H, pkm_vec3 U, pkm_vec3 W,
                          double out[2][2], int* n_out)
{
    const double nu = pkm_vec3_dot(g->n[i], U), nw = pkm_vec3_dot(g->n[i], W);
    const double h2 = nu * nu + nw * nw;
    // kappa of (3), nu and nw
    const double needed = (pkm_vec3_dot(g->n[i], H) - g->base_radius) / g->rod_length;
    const double root2 = h2 - needed * needed;
    if (!(root2 >= -reach_slack && h2 > reach_slack))
        // too short by l (|kappa| - sqrt(h2)); h2 = 0: the rod cannot swing towards the axis
        return g->rod_length * (fabs(needed) - sqrt(h2));

    const double root = root2 > 0.0 ? sqrt(root2) : 0.0;
    *n_out = root > 0.0 ? 2 : 1;
    for (int s = 0; s < 2; ++s) {
        const double lean = s == 0 ? root : -root;
        // (c, s) of (3), upper signs first
        const double cu = (needed * nu - lean * nw) / h2, cw = (needed * nw + lean * nu) / h2;
        const pkm_vec3 rod = pkm_vec3_axpy(pkm_vec3_scale(cu, U), cw, W);
        const pkm_vec3 slide = pkm_vec3_axpy(H, -g->rod_length, rod);
        out[s][0] = pkm_vec3_dot(g->t[i], slide);
        out[s][1] = slide.z;
    }
    return 0.0;
}

int pkm_guided_inverse_geometry(const void* self, const pkm_pose* pose, pkm_closed_config* out,
                                int max, double* beyond)
{
    const pkm_guided* g = self;
    const pkm_mat3 R_wb = pkm_mat3_from_quat(pose->q);
    const pkm_vec3 z = {0.0, 0.0, 1.0};
    double slides[3][2][2], worst = 0.0;
    int single = 0; // bits of limbs with one place only
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 rho = pkm_mat3_mul(R_wb, pkm_guided_platform_point(g, i));
        const pkm_vec3 U = g->on_platform ? pkm_mat3_mul(R_wb, g->n[i]) : g->n[i];
        int n_place = 0;
        const double excess = limb_slides(g, i, pkm_vec3_add(pose->p, rho), U,
                                          g->on_platform ? R_wb.z : z, slides[i], &n_place);
        if (n_place == 1) single |= 1 << i;
        if (!(excess <= worst)) worst = excess;
    }
    if (beyond) *beyond = worst;
    if (!(worst <= 0.0)) return 0;

    int n = 0;
    for (int branch = 0; branch < 8 && n < max; ++branch) {
        // a branch that differs only in a single root is left out
        if (branch & single) continue;
        pkm_closed_config* config = &out[n++];
        config->pose = *pose;
        set_branch(g, config, branch);
        for (int i = 0; i < 3; ++i) {
            const int falls = ((branch >> i & 1) != 0) != (g->side < 0.0);
            config->q[i] = slides[i][falls][0];
            config->q[i + 3] = slides[i][falls][1];
        }
    }
    return n;
}

/// Axes of a triangle: x along its first side, z normal to it. False when it has no area.
static bool triangle_axes(const pkm_vec3 p[3], pkm_mat3* axes)
{
    const pkm_vec3 a = pkm_vec3_sub(p[1], p[0]), b = pkm_vec3_sub(p[2], p[0]);
    const pkm_vec3 normal = pkm_vec3_cross(a, b);
    const double size2 = pkm_vec3_dot(a, a) + pkm_vec3_dot(b, b);
    // angles below 1e-9: axes would be rounding
    if (!(pkm_vec3_norm(normal) > 1e-9 * size2)) return false;
    axes->x = pkm_vec3_unit(a);
    axes->z = pkm_vec3_unit(normal);
    axes->y = pkm_vec3_cross(axes->z, axes->x);
    return true;
}

/// The pose that carries three points onto three others, (9).
static bool pose_from_points(const pkm_vec3 body[3], const pkm_vec3 world[3], pkm_pose* pose)
{
    pkm_mat3 Tb, Tw;
    if (!triangle_axes(body, &Tb) || !triangle_axes(world, &Tw)) return false;
    const pkm_mat3 R_wb = pkm_mat3_matmul(Tw, pkm_mat3_transpose(Tb));
    pose->q = pkm_quat_from_mat3(R_wb);
    pkm_vec3 p = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 origin = pkm_vec3_sub(world[i], pkm_quat_rotate(pose->q, body[i]));
        p = pkm_vec3_axpy(p, 1.0 / 3.0, origin);
    }
    pose->p = p;
    return true;
}

static bool is_closed(const pkm_guided* g, const pkm_guided_limb limb[3])
{
    const double size = g->base_radius + g->platform_radius + g->rod_length;
    for (int i = 0; i < 3; ++i)
        if (!(fmax(fabs(limb[i].stretch), fabs(limb[i].slip)) <= open_loop * size)) return false;
    return true;
}

int pkm_guided_add_assembly(const pkm_guided* g, const double* q, const pkm_vec3 body[3],
                            const pkm_vec3 world[3], pkm_closed_config* out, int n, int max)
{
    pkm_closed_config config = {0};
    pkm_guided_limb limb[3];
    memcpy(config.q, q, PKM_GUIDED_DRIVE * sizeof *q);
    if (n >= max || !pose_from_points(body, world, &config.pose)) return n;
    pkm_guided_limbs(g, &config, limb);
    if (!is_closed(g, limb)) return n;
    set_branch(g, &config, branch_of(g, limb));

    // rods as `side` says come first
    int at = n;
    for (; at > 0 && out[at - 1].branch > config.branch; --at)
        out[at] = out[at - 1];
    out[at] = config;
    return n + 1;
}

// ---- velocities and accelerations ----

void pkm_guided_velocity(const pkm_guided* g, const pkm_guided_limb limb[3], double* B, double* A)
{
    memset(A, 0, PKM_GUIDED_DRIVE * PKM_GUIDED_DRIVE * sizeof *A);
    for (int row = 0; row < PKM_GUIDED_DRIVE; ++row) {
        const int i = row % 3;
        const pkm_vec3 e = row < 3 ? limb[i].axis : limb[i].rod;
        const pkm_vec3 m = pkm_vec3_cross(limb[i].arm, e);
        const double line[6] = {e.x, e.y, e.z, m.x, m.y, m.z}; // (10)
        for (int column = 0; column < 6; ++column)
            B[row + 6 * column] = line[column];
        A[row + 6 * i] = pkm_vec3_dot(e, g->t[i]);
        A[row + 6 * (i + 3)] = e.z;
    }
}

void pkm_guided_bias(const void* self, const pkm_closed_config* config, const double* qd,
                     const pkm_frame_motion* tool, double* c)
{
    const pkm_guided* g = self;
    pkm_guided_limb limb[3];
    pkm_guided_limbs(g, config, limb);
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 rho = pkm_quat_rotate(config->pose.q, pkm_guided_platform_point(g, i));
        const pkm_vec3 turning = pkm_vec3_cross(tool->w, rho);
        const pkm_vec3 centripetal = pkm_vec3_cross(tool->w, turning);
        pkm_vec3 slide_rate = pkm_vec3_scale(qd[i], g->t[i]);
        slide_rate.z += qd[i + 3];
        // how the rod's vector changes, l e'
        const pkm_vec3 span_rate = pkm_vec3_sub(pkm_vec3_add(tool->v, turning), slide_rate);

        // (11), and (12) for axes that turn with the platform
        c[i] = -pkm_vec3_dot(limb[i].axis, centripetal);
        c[i + 3] = -pkm_vec3_dot(limb[i].rod, centripetal) -
                   pkm_vec3_dot(span_rate, span_rate) / g->rod_length;
        if (g->on_platform) {
            const pkm_vec3 axis_rate = pkm_vec3_cross(tool->w, limb[i].axis);
            const pkm_vec3 axis_bend = pkm_vec3_cross(tool->w, axis_rate);
            c[i] -= 2.0 * pkm_vec3_dot(axis_rate, span_rate) +
                    g->rod_length * pkm_vec3_dot(axis_bend, limb[i].rod);
        }
    }
}

// ---- dynamics ----

/// Force and torque [N, N m] that the limbs must bring to the platform, (13).
static void platform_wrench(const pkm_guided* g, const pkm_frame_motion* tool, pkm_vec3 force,
                            pkm_vec3 torque, pkm_vec3* f, pkm_vec3* n)
{
    const pkm_mat3 R_wb = pkm_mat3_from_quat(tool->pose.q);
    const pkm_vec3 w = pkm_mat3_tmul(R_wb, tool->w), alpha = pkm_mat3_tmul(R_wb, tool->alpha);
    const pkm_vec3 I = g->inertia;
    // Euler's equations in the axes of the platform, principal ones
    const pkm_vec3 n_b = {I.x * alpha.x + (I.z - I.y) * w.y * w.z,
                          I.y * alpha.y + (I.x - I.z) * w.z * w.x,
                          I.z * alpha.z + (I.y - I.x) * w.x * w.y};
    *n = pkm_vec3_sub(pkm_mat3_mul(R_wb, n_b), torque);
    *f = pkm_vec3_sub(pkm_vec3_scale(g->mass, pkm_vec3_sub(tool->a, g->gravity)), force);
}

pkm_status pkm_guided_inverse_dynamics(const pkm_guided* g, const pkm_guided_limb limb[3],
                                       const pkm_frame_motion* tool, const double* qdd,
                                       pkm_vec3 force, pkm_vec3 torque, double* drive_force)
{
    pkm_vec3 f, n;
    platform_wrench(g, tool, force, torque, &f, &n);

    // B' lambda = wrench. Torques are divided by the platform radius, so that the rows are alike
    // and a small pivot means the same for every size of robot.
    const double s = 1.0 / g->platform_radius;
    double lambda[6] = {f.x, f.y, f.z, s * n.x, s * n.y, s * n.z}, Bt[36];
    for (int j = 0; j < 6; ++j) {
        const pkm_vec3 e = j < 3 ? limb[j].axis : limb[j - 3].rod;
        const pkm_vec3 m = pkm_vec3_scale(s, pkm_vec3_cross(limb[j % 3].arm, e));
        const double line[6] = {e.x, e.y, e.z, m.x, m.y, m.z};
        memcpy(&Bt[6 * j], line, sizeof line);
    }
    pkm_dense_lu lu;
    pkm_dense_lu_factor(&lu, Bt, 6);
    // rows are unit lines: pivots say how far B is from singular
    if (!(lu.smallest > PKM_CLOSED_SINGULAR)) return PKM_ERR_SINGULAR;
    pkm_dense_lu_solve(&lu, lambda, lambda);

    // (14): the slides' own inertia and weight, and the forces that the rods pass down
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 down =
            pkm_vec3_axpy(pkm_vec3_scale(lambda[i], limb[i].axis), lambda[i + 3], limb[i].rod);
        drive_force[i] =
            (g->slide_mass + g->lift_mass) * (qdd[i] - pkm_vec3_dot(g->gravity, g->t[i])) +
            pkm_vec3_dot(g->t[i], down);
        drive_force[i + 3] = g->lift_mass * (qdd[i + 3] - g->gravity.z) + down.z;
    }
    return PKM_OK;
}

double pkm_guided_energy(const pkm_guided* g, const double* q, const pkm_frame_motion* tool,
                         const double* qd)
{
    const pkm_vec3 w = pkm_quat_rotate(pkm_quat_conj(tool->pose.q), tool->w);
    const pkm_vec3 I = g->inertia;
    double energy = 0.5 * g->mass * pkm_vec3_dot(tool->v, tool->v) +
                    0.5 * (I.x * w.x * w.x + I.y * w.y * w.y + I.z * w.z * w.z) -
                    g->mass * pkm_vec3_dot(g->gravity, tool->pose.p);
    for (int i = 0; i < 3; ++i) // (15)
        energy += (g->slide_mass + g->lift_mass) *
                      (0.5 * qd[i] * qd[i] - pkm_vec3_dot(g->gravity, g->t[i]) * q[i]) +
                  g->lift_mass * (0.5 * qd[i + 3] * qd[i + 3] - g->gravity.z * q[i + 3]);
    return energy;
}
