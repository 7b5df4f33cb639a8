/// Following a motion with the closed form, instant by instant, in the branch of home.
///
/// A motion of the tool keeps the working modes and a motion of the drives keeps the assembly mode,
/// whatever the distance between two instants: the family says which bits of the branch these are
/// (pkm_closed_family.tool_keeps, drives_keep). docs/theory/engine.md, 3.
#ifndef PKM_ROBOT_CLOSED_CONTINUATION_H
#define PKM_ROBOT_CLOSED_CONTINUATION_H

#include "robot/closed_watch.h"

typedef struct pkm_closed_follower {
    const pkm_robot* robot;
    const pkm_motion* motion;
    pkm_closed_config config; ///< at the present instant
    pkm_frame_motion tool;
    double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
    double t;
    bool started;
    pkm_closed_watch watch; ///< for singularities
} pkm_closed_follower;

/// Start at home; PKM_ERR_MODEL when the robot cannot be driven so.
PKM_NODISCARD pkm_status pkm_closed_follow_begin(const pkm_robot* robot, const pkm_motion* motion,
                                                 pkm_closed_follower* out, pkm_error* err);
/// The configuration of home's branch at time `t`; statuses as pkm_follow_to.
PKM_NODISCARD pkm_status pkm_closed_follow_to(pkm_closed_follower* follower, double t,
                                              pkm_error* err);

/// As pkm_closed_follow_to from a configuration at a time nearby, along a way that has been
/// followed already and is not watched again.
PKM_NODISCARD pkm_status pkm_closed_follow_look(pkm_closed_follower* follower, double t,
                                                const pkm_closed_config* from, pkm_error* err);

/// The configuration at the drive positions `q` that continues `from` when the drives go straight.
/// Steps are halved until the nearest solution is certain.
/// @return PKM_ERR_UNREACHABLE (`beyond`: by how much [m], 0 when only other assembly modes are
///         there); PKM_ERR_SINGULAR when a parallel singularity bars the way.
PKM_NODISCARD pkm_status pkm_closed_continue(const pkm_robot* robot, const pkm_closed_config* from,
                                             const double* q, pkm_closed_config* out,
                                             double* beyond);

/// The configuration at `pose`, near to that of `from`, in its working mode. Statuses as above.
PKM_NODISCARD pkm_status pkm_closed_step_tool(const pkm_robot* robot, const pkm_closed_config* from,
                                              const pkm_pose* pose, pkm_closed_config* out);

/// Of the `n` configurations the one at the pose nearest to that of `from`; of equals the one whose
/// branch differs in fewest bits. PKM_NONE when n is 0.
int pkm_closed_nearest(const pkm_closed_config* config, int n, const pkm_closed_config* from);

/// The configuration with the bits `keeps` of `branch`; PKM_NONE when there is none.
int pkm_closed_find_branch(const pkm_closed_config* config, int n, unsigned keeps, int branch);

#endif
