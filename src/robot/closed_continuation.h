/// Following a motion with the closed form, instant by instant.
#ifndef PKM_ROBOT_CLOSED_CONTINUATION_H
#define PKM_ROBOT_CLOSED_CONTINUATION_H

#include "robot/robot.h"

typedef struct pkm_closed_follower {
    const pkm_robot* robot;
    const pkm_motion* motion;
    pkm_closed_config config; ///< at the present instant
    pkm_frame_motion tool;
    double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
    double t;
    bool started;
    int sign; ///< of det B, to see parallel singularities between instants
} pkm_closed_follower;

PKM_NODISCARD pkm_status pkm_closed_follow_begin(const pkm_robot* robot, const pkm_motion* motion,
                                                 pkm_closed_follower* out, pkm_error* err);
/// The configuration of home's branch at time `t`; statuses as pkm_follow_to.
PKM_NODISCARD pkm_status pkm_closed_follow_to(pkm_closed_follower* follower, double t,
                                              pkm_error* err);

/// Of the `n` configurations the one nearest to `from` in drives and tool; of equals the one of the
/// same branch. PKM_NONE when n is 0.
int pkm_closed_nearest(const pkm_closed_config* config, int n, const pkm_closed_config* from,
                       int n_drive);

#endif
