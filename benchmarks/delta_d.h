/// Model D: the rigid Delta on which all programs are timed; robots/bench/delta-d.yaml in numbers.
///
/// Ten bodies: three cranks, six rods on ball joints, the platform free: 27 coordinates and 18
/// closure rows. The motion is a quintic of 70, 41 and -36 degrees in 0.2 s from horizontal cranks.
#ifndef PKM_BENCH_DELTA_D_H
#define PKM_BENCH_DELTA_D_H

#include "closed/closed.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DELTA_BASE_RADIUS     0.125 // [m]
#define DELTA_PLATFORM_RADIUS 0.097
#define DELTA_CRANK           0.5
#define DELTA_ROD             1.106
#define DELTA_PAIR            0.106 // between the two rods of a pair
#define DELTA_CRANK_MASS      1.58  // [kg]
#define DELTA_ROD_MASS        0.34
#define DELTA_PLATFORM_MASS   0.46
#define DELTA_PAYLOAD         5.0
#define DELTA_GRAVITY         9.81
#define DELTA_DURATION        0.2
// The rods' inertia about their own axis: it does not enter, since they do not spin, but the peers
// want a number that is not zero. [kg m2]
#define DELTA_ROD_SPIN_INERTIA (DELTA_ROD_MASS * 0.012 * 0.012)

enum { DELTA_N_INSTANT = 100 };

/// One limb at an instant, world axes.
typedef struct delta_limb {
    double q, qd, qdd;   ///< crank, positive downwards [rad]
    double torque;       ///< that makes the motion [N m]
    pkm_vec3 out, hinge; ///< horizontal unit vectors: outwards, and the axis about which q turns
    pkm_vec3 rod;        ///< unit vector of the rods, from the crank to the platform
    pkm_vec3 rod_w, rod_alpha; ///< of the rods, without spin [rad/s, rad/s2]
} delta_limb;

typedef struct delta_instant {
    double t;
    pkm_vec3 x, v, a; ///< of the platform
    delta_limb limb[3];
} delta_instant;

/// Drive positions, rates and accelerations of the motion at `t` [s].
void delta_stroke(double t, double q[3], double qd[3], double qdd[3]);

/// The closed form of model D, or NULL. Freed with pkm_closed_free, from C++ with
/// delta_closed_free: the library's own headers are for C.
pkm_closed* delta_closed_form(void);
void delta_closed_free(pkm_closed* closed);

/// The exact motion of the platform and the torques that make it at `t` [s], from the closed form.
/// False when that fails.
bool delta_exact(const pkm_closed* closed, double t, pkm_frame_motion* tool, double torque[3]);

/// The exact motion and torques at DELTA_N_INSTANT instants between start and end, from the closed
/// form. False when that fails.
bool delta_instants(delta_instant instant[DELTA_N_INSTANT]);

/// Distance of a platform at `x` from its exact place at `t` [m]; NaN when that is unknown.
double delta_distance(const pkm_closed* closed, double t, pkm_vec3 x);

/// The largest torque at the instants [N m].
double delta_largest_torque(const delta_instant instant[DELTA_N_INSTANT]);

/// Height of the platform with horizontal cranks, below the base [m].
double delta_start_depth(void);

#ifdef __cplusplus
}
#endif
#endif
