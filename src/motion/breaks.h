/// Where a motion is not smooth.
#ifndef PKM_MOTION_BREAKS_H
#define PKM_MOTION_BREAKS_H

#include "pkm/motion.h"

/// Velocities (`order` 1) or accelerations (2) at `t` [s]: of the drives, or v and w (a and alpha)
/// of the tool. Returns how many; `out` has room for PKM_MAX_DRIVE + 6.
int pkm_motion_components(const pkm_motion* motion, double t, int order, double* out);

/// The first time > t [s] at which a piece of the motion begins or ends: holds, legs, ramps, marks;
/// infinite: none.
double pkm_motion_next_break(const pkm_motion* motion, double t);

/// The first time in (0, end) at which the motion's velocity jumps (laws of constant speed that
/// start or stop, corners passed with speed), and by how much: of the fastest drive, or of the tool
/// [m/s, else rad/s]. Infinite: it is continuous.
double pkm_motion_find_jump(const pkm_motion* motion, double end, double* jump);

/// Refuse a motion whose velocity jumps inside a run of `end` [s]: what follows it would need
/// infinite forces there.
PKM_NODISCARD pkm_status pkm_motion_refuse_jump(const pkm_motion* motion, double end,
                                                pkm_error* err);

/// By how much the velocity at the end differs from that of the start [m/s, else rad/s]; 0 where
/// that is rounding. A motion that is repeated jumps by that.
double pkm_motion_seam(const pkm_motion* motion);

/// When the motion has come to its last stop [s]; it rests from there to its end.
double pkm_motion_last_stop(const pkm_motion* motion);

/// The largest component of the velocity [m/s, rad/s], as instants spread over the motion see it.
double pkm_motion_top_speed(const pkm_motion* motion);

/// Does the motion, of top speed `top`, rest just before, at and just after `t`? `speed` receives
/// its largest component then [m/s, rad/s].
bool pkm_motion_rests(const pkm_motion* motion, double t, double top, double* speed);

#endif
