/// 3-PPRS: the revolute joint of each rod stands on the slides, its axis is fixed in the world and
/// the ball is on the platform. 3-PPSR: the revolute joint is on the platform, its axis turns with
/// it, and the ball stands on the slides. docs/theory/closed-3pprs-3ppsr.md
#include "closed/families.h"
#include "closed/guided.h"

static pkm_status prepare_pprs(void* self, const double* value, pkm_error* err)
{
    return pkm_guided_prepare(&pkm_closed_pprs, self, value, err);
}

static pkm_status prepare_ppsr(void* self, const double* value, pkm_error* err)
{
    return pkm_guided_prepare(&pkm_closed_ppsr, self, value, err);
}

/// The balls run on circles about the revolute joints, (5): in the world, and keep the distances of
/// the platform; or seen from the platform, and keep the distances that the slides give them.
static int direct_geometry(const void* self, const double* q, pkm_closed_config* out, int max,
                           double* beyond)
{
    const pkm_guided* g = self;
    pkm_circle circle[3];
    pkm_vec3 ball[3], place[3];
    double distance[3], angle[PKM_CIRCLES_MAX][3];
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 slide = pkm_guided_slide_point(g, q, i);
        const pkm_vec3 platform = pkm_guided_platform_point(g, i);
        ball[i] = g->on_platform ? slide : platform;
        circle[i] = (pkm_circle){.center = g->on_platform ? platform : slide,
                                 .u = g->n[i],
                                 .w = {0.0, 0.0, 1.0},
                                 .radius = g->rod_length};
    }
    for (int i = 0; i < 3; ++i)
        distance[i] = pkm_vec3_norm(pkm_vec3_sub(ball[i], ball[(i + 1) % 3]));

    // up to sixteen assemblies; each triple of angles places the balls, and three points the
    // platform
    int n = 0;
    const int n_solution = pkm_circles_solve(circle, distance, angle, beyond);
    for (int s = 0; s < n_solution; ++s) {
        for (int i = 0; i < 3; ++i)
            place[i] = pkm_circle_point(&circle[i], angle[s][i]);
        n = pkm_guided_add_assembly(g, q, g->on_platform ? place : ball,
                                    g->on_platform ? ball : place, out, n, max);
    }
    return n;
}

static void velocity(const void* self, const pkm_closed_config* config, double* B, double* A)
{
    pkm_guided_limb limb[3];
    pkm_guided_limbs(self, config, limb);
    pkm_guided_velocity(self, limb, B, A);
}

static pkm_status inverse_dynamics(const void* self, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force)
{
    (void)qd; // the slides move straight: no force depends on their speed
    pkm_guided_limb limb[3];
    pkm_guided_limbs(self, config, limb);
    return pkm_guided_inverse_dynamics(self, limb, tool, qdd, force, torque, drive_force);
}

static double energy(const void* self, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd)
{
    return pkm_guided_energy(self, config->q, tool, qd);
}

// tool_keeps: the side of each rod, three bits; no bit tells assemblies apart
#define GUIDED_FAMILY                                                                              \
    .n_drive = PKM_GUIDED_DRIVE, .moves = 63u, .tool_keeps = 7u, .drives_keep = 0u,                \
    .n_parameter = PKM_GUIDED_PARAMETER, .parameter = pkm_guided_parameter,                        \
    .size = sizeof(pkm_guided), .inverse_geometry = pkm_guided_inverse_geometry,                   \
    .direct_geometry = direct_geometry, .velocity = velocity, .bias = pkm_guided_bias,             \
    .inverse_dynamics = inverse_dynamics, .energy = energy

const pkm_closed_family pkm_closed_pprs = {
    .name = "3pprs",
    .text = "6-DOF platform on three rods, ball joints on the platform, two slides each",
    .prepare = prepare_pprs,
    GUIDED_FAMILY,
};

const pkm_closed_family pkm_closed_ppsr = {
    .name = "3ppsr",
    .text = "6-DOF platform on three rods, ball joints on the slides, two slides each",
    .prepare = prepare_ppsr,
    GUIDED_FAMILY,
};
