#include "delta_d.h"

#include "closed_robots.h"
#include "math/vec3.h"

void delta_stroke(double t, double q[3], double qd[3], double qdd[3])
{
    const double degree = M_PI / 180.0, T = DELTA_DURATION, s = t / T;
    const double stroke[3] = {70.0 * degree, 41.0 * degree, -36.0 * degree};
    const double u = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    const double ud = 30.0 * s * s * (1.0 - s) * (1.0 - s) / T;
    const double udd = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (T * T);
    for (int i = 0; i < 3; ++i) {
        q[i] = stroke[i] * u;
        qd[i] = stroke[i] * ud;
        qdd[i] = stroke[i] * udd;
    }
}

double delta_start_depth(void)
{
    const double reach = DELTA_BASE_RADIUS + DELTA_CRANK - DELTA_PLATFORM_RADIUS;
    return sqrt(DELTA_ROD * DELTA_ROD - reach * reach);
}

pkm_closed* delta_closed_form(void)
{
    int n_robot = 0;
    return closed_robot_create(closed_robots(&n_robot));
}

void delta_closed_free(pkm_closed* closed)
{
    pkm_closed_free(closed);
}

/// The rods of a limb run from B to the platform's x less its offset, and do not spin:
/// w = e x e',  alpha = e x e''  with their unit vector e.
static void set_limb(delta_limb* limb, int i, const pkm_frame_motion* tool)
{
    const double azimuth = 2.0 * M_PI * i / 3.0, c = cos(limb->q), s = sin(limb->q);
    limb->out = pkm_vec3_make(cos(azimuth), sin(azimuth), 0.0);
    limb->hinge = pkm_vec3_make(-sin(azimuth), cos(azimuth), 0.0);
    const pkm_vec3 z = {0.0, 0.0, 1.0};
    const pkm_vec3 along = pkm_vec3_axpy(pkm_vec3_scale(c, limb->out), -s, z);
    const pkm_vec3 across = pkm_vec3_axpy(pkm_vec3_scale(-s, limb->out), -c, z);
    const pkm_vec3 offset = pkm_vec3_scale(DELTA_BASE_RADIUS - DELTA_PLATFORM_RADIUS, limb->out);

    const pkm_vec3 B = pkm_vec3_axpy(offset, DELTA_CRANK, along);
    const pkm_vec3 B_v = pkm_vec3_scale(DELTA_CRANK * limb->qd, across);
    const pkm_vec3 B_a = pkm_vec3_axpy(pkm_vec3_scale(DELTA_CRANK * limb->qdd, across),
                                       -DELTA_CRANK * limb->qd * limb->qd, along);
    const double inverse = 1.0 / DELTA_ROD;
    limb->rod = pkm_vec3_scale(inverse, pkm_vec3_sub(tool->pose.p, B));
    limb->rod_w = pkm_vec3_cross(limb->rod, pkm_vec3_scale(inverse, pkm_vec3_sub(tool->v, B_v)));
    limb->rod_alpha =
        pkm_vec3_cross(limb->rod, pkm_vec3_scale(inverse, pkm_vec3_sub(tool->a, B_a)));
}

/// The exact motion, with the drives' share of it.
static bool exact_motion(const pkm_closed* closed, double t, double drive[3][3],
                         pkm_frame_motion* tool, double torque[3])
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const double *qd = drive[1], *qdd = drive[2];
    pkm_closed_config config;
    delta_stroke(t, drive[0], drive[1], drive[2]);
    return pkm_closed_direct_geometry(closed, drive[0], &config, 1, NULL) == 1 &&
           pkm_closed_tool_motion(closed, &config, qd, qdd, tool) == PKM_OK &&
           pkm_closed_inverse_dynamics(closed, &config, tool, qd, qdd, none, none, torque) ==
               PKM_OK;
}

bool delta_exact(const pkm_closed* closed, double t, pkm_frame_motion* tool, double torque[3])
{
    double drive[3][3];
    return exact_motion(closed, t, drive, tool, torque);
}

double delta_distance(const pkm_closed* closed, double t, pkm_vec3 x)
{
    pkm_frame_motion tool;
    double torque[3];
    if (!delta_exact(closed, t, &tool, torque)) return NAN;
    return pkm_vec3_norm(pkm_vec3_sub(x, tool.pose.p));
}

static bool set_instant(const pkm_closed* closed, double t, delta_instant* now)
{
    double drive[3][3], torque[3];
    pkm_frame_motion tool;
    if (!exact_motion(closed, t, drive, &tool, torque)) return false;

    *now = (delta_instant){.t = t, .x = tool.pose.p, .v = tool.v, .a = tool.a};
    for (int i = 0; i < 3; ++i) {
        now->limb[i] = (delta_limb){
            .q = drive[0][i], .qd = drive[1][i], .qdd = drive[2][i], .torque = torque[i]};
        set_limb(&now->limb[i], i, &tool);
    }
    return true;
}

bool delta_instants(delta_instant instant[DELTA_N_INSTANT])
{
    pkm_closed* closed = delta_closed_form();
    bool ok = closed != NULL;
    for (int k = 0; k < DELTA_N_INSTANT && ok; ++k)
        ok = set_instant(closed, (k + 0.5) * DELTA_DURATION / DELTA_N_INSTANT, &instant[k]);
    pkm_closed_free(closed);
    return ok;
}

double delta_largest_torque(const delta_instant instant[DELTA_N_INSTANT])
{
    double largest = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k)
        for (int i = 0; i < 3; ++i)
            largest = fmax(largest, fabs(instant[k].limb[i].torque));
    return largest;
}
