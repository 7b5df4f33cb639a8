/// What the 3-PPRS and the 3-PPSR share: a platform guided in three points, each by a rod that
/// stands on two perpendicular slides. docs/theory/closed-3pprs-3ppsr.md
///
/// The two differ in the end of the rod that carries the revolute joint: the slide (3-PPRS, axis
/// fixed in the world) or the platform (3-PPSR, axis turning with it). The other end is a ball.
#ifndef PKM_CLOSED_GUIDED_H
#define PKM_CLOSED_GUIDED_H

#include "closed/circles.h"
#include "closed/closed.h"
#include "math/quat.h"

enum { PKM_GUIDED_DRIVE = 6, PKM_GUIDED_PARAMETER = 17 };

typedef struct pkm_guided {
    double base_radius, platform_radius, rod_length; ///< R, r, l [m]
    double mass;                                     ///< platform with payload, M + m [kg]
    double slide_mass, lift_mass;                    ///< m_i, m_(i+3) [kg]
    pkm_vec3 inertia;                                ///< of the platform, own axes [kg m2]
    pkm_vec3 gravity;                                ///< [m/s2]
    double side;                                     ///< +1: rods rise to the platform as a rule
    pkm_vec3 n[3], t[3];                             ///< radial and tangential, per limb
    char label[8][PKM_CLOSED_LABEL];                 ///< of the branches
    bool on_platform; ///< 3-PPSR: the revolute axes turn with the platform
} pkm_guided;

/// One limb in a configuration, world axes.
typedef struct pkm_guided_limb {
    pkm_vec3 arm;   ///< from the tool point to the ball [m]
    pkm_vec3 axis;  ///< of the revolute joint, unit
    pkm_vec3 rod;   ///< from the slide to the platform, unit
    double stretch; ///< length of the rod minus rod_length [m]; 0 when the loop is closed
    double slip;    ///< of the rod along the revolute axis [m]; 0 when the loop is closed
} pkm_guided_limb;

extern const pkm_closed_parameter pkm_guided_parameter[PKM_GUIDED_PARAMETER];
PKM_NODISCARD pkm_status pkm_guided_prepare(const pkm_closed_family* family, pkm_guided* g,
                                            const double* value, pkm_error* err);

/// The slide's end of rod i, (1).
static inline pkm_vec3 pkm_guided_slide_point(const pkm_guided* g, const double* q, int i)
{
    const pkm_vec3 p = pkm_vec3_axpy(pkm_vec3_scale(g->base_radius, g->n[i]), q[i], g->t[i]);
    return (pkm_vec3){p.x, p.y, p.z + q[i + 3]};
}

/// From the tool point to the platform's end of rod i, in the platform's axes.
static inline pkm_vec3 pkm_guided_platform_point(const pkm_guided* g, int i)
{
    return pkm_vec3_scale(g->platform_radius, g->n[i]);
}

/// The limbs in a configuration.
void pkm_guided_limbs(const pkm_guided* g, const pkm_closed_config* config,
                      pkm_guided_limb limb[3]);

/// The family functions, or what they are made of; `self` is a pkm_guided, see closed.h.
int pkm_guided_inverse_geometry(const void* self, const pkm_pose* pose, pkm_closed_config* out,
                                int max, double* beyond);
void pkm_guided_velocity(const pkm_guided* g, const pkm_guided_limb limb[3], double* B, double* A);
void pkm_guided_bias(const void* self, const pkm_closed_config* config, const double* qd,
                     const pkm_frame_motion* tool, double* c);
pkm_status pkm_guided_inverse_dynamics(const pkm_guided* g, const pkm_guided_limb limb[3],
                                       const pkm_frame_motion* tool, const double* qdd,
                                       pkm_vec3 force, pkm_vec3 torque, double* drive_force);
double pkm_guided_energy(const pkm_guided* g, const double* q, const pkm_frame_motion* tool,
                         const double* qd);

/// Put a configuration that direct geometry found into `out`, which holds `n` of at most `max`:
/// the platform that carries the points `body` to the points `world`. Returns the new number; a
/// triangle without area or a loop that does not close is left out.
int pkm_guided_add_assembly(const pkm_guided* g, const double* q, const pkm_vec3 body[3],
                            const pkm_vec3 world[3], pkm_closed_config* out, int n, int max);

#endif
