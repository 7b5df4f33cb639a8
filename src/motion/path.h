/// Paths of the tool: where the path parameter leads, and how fast in time.
#ifndef PKM_MOTION_PATH_H
#define PKM_MOTION_PATH_H

#include "motion/law.h"

/// A vector function of time: value and three derivatives.
typedef struct pkm_jet3 {
    pkm_vec3 x, v, a, j;
} pkm_jet3;

/// Position [m] and roll, pitch, yaw [rad] of the tool, with their derivatives.
typedef struct pkm_tool_jet {
    pkm_jet3 point, rpy;
} pkm_tool_jet;

/// One leg: a straight line or an arc run by one law, docs/theory/motion.md, (8) and (9).
///
///     straight   p(u) = origin + u ex
///     arc        p(u) = origin + cos(u angle) ex + sin(u angle) ey
///     both       (roll, pitch, yaw)(u) = r0 + u r1 + u^2 r2
typedef struct pkm_leg {
    double begin; ///< start on the motion's clock [s]
    pkm_law_profile law;
    pkm_vec3 origin, ex, ey;
    double angle; ///< [rad]; 0: straight
    pkm_vec3 r0, r1, r2;
} pkm_leg;

/// Pick and place of Kuo (2016), section 5.4: lift and transfer overlap, (11).
typedef struct pkm_inverted_u {
    double mark[5]; ///< t0..t4 from t0 on [s]
    pkm_vec3 from, step, lift;
    pkm_vec3 r0, r1; ///< roll, pitch, yaw go from r0 to r0 + r1 with the transfer
} pkm_inverted_u;

/// A straight leg from `a` to `b`, without times and orientation.
pkm_leg pkm_leg_line(pkm_vec3 a, pkm_vec3 b);

/// The arc from p[0] through p[1] to p[2]; `middle` receives the parameter u of p[1].
/// @return false when the three points are on a line (or coincide).
bool pkm_leg_arc(const pkm_vec3 p[3], pkm_leg* out, double* middle);

/// `angle` [rad] on a circle, right-handed about the unit vector `normal`, from the unit vector
/// `start` perpendicular to it.
pkm_leg pkm_leg_circle(pkm_vec3 center, pkm_vec3 normal, pkm_vec3 start, double radius,
                       double angle);

/// Roll, pitch, yaw along `leg`: from r[0] to r[1], linear in u.
void pkm_leg_turn(pkm_leg* leg, pkm_vec3 from, pkm_vec3 to);
/// Roll, pitch, yaw along `leg`: the parabola through r[0] at 0, r[1] at u = middle, r[2] at 1.
void pkm_leg_turn_through(pkm_leg* leg, const pkm_vec3 r[3], double middle);

double pkm_leg_length(const pkm_leg* leg); ///< [m]

/// Give the leg its law: on an arc limits of acceleration and jerk hold for the vectors. `name`
/// begins the error sentence.
/// @return PKM_ERR_ARGUMENT: nothing fixes the duration, or it is too short for the limits.
PKM_NODISCARD pkm_status pkm_leg_plan(pkm_leg* leg, const pkm_law_request* request,
                                      const char* name, pkm_error* err);

/// The tool at time `t` [s] of the motion's clock.
void pkm_leg_at(const pkm_leg* leg, double t, pkm_tool_jet* out);
void pkm_inverted_u_at(const pkm_inverted_u* path, double t, pkm_tool_jet* out);

/// The motion of the tool frame: pose, velocities and accelerations in world axes from roll, pitch,
/// yaw and their rates, (12)-(15).
void pkm_tool_jet_frame(const pkm_tool_jet* jet, pkm_frame_motion* out);

#endif
