/// Following a motion with the general engine, instant by instant.
#ifndef PKM_ROBOT_CONTINUATION_H
#define PKM_ROBOT_CONTINUATION_H

#include "dynamics/inverse.h"
#include "robot/robot.h"

/// The engine on its way along a motion.
typedef struct pkm_follower {
    pkm_robot* robot;
    const pkm_motion* motion;
    pkm_given given;
    double t; ///< of the present state
    bool started;
    double step;       ///< [s] longest next one
    pkm_target target; ///< at t
} pkm_follower;

/// Start at home; PKM_ERR_MODEL when the robot cannot be driven so.
PKM_NODISCARD pkm_status pkm_follow_begin(pkm_robot* robot, const pkm_motion* motion,
                                          pkm_follower* out, pkm_error* err);

/// Bring robot->state (positions, velocities, accelerations, factors of the drives) to time
/// `t`. The way there is watched for singularities (watch.h), whatever its length.
///
/// @return PKM_ERR_UNREACHABLE with time and distance beyond reach; PKM_ERR_SINGULAR with time,
///         kind and lost directions. The state stays at the last instant that was reached.
PKM_NODISCARD pkm_status pkm_follow_to(pkm_follower* follower, double t, pkm_error* err);

/// What brings the follower back to where it is: so many numbers, and how.
int pkm_follow_n_place(const pkm_robot* robot);
void pkm_follow_save(const pkm_follower* follower, double* place);
/// As pkm_follow_to from a saved place to a time nearby, along a way that has been followed already
/// and is not watched again.
PKM_NODISCARD pkm_status pkm_follow_look(pkm_follower* follower, double t, const double* place);

/// Bring the state to a target that is not part of a motion, along a straight way in drive or tool
/// space, from where it is, without passing a singularity of any kind: the assembly mode and the
/// working mode stay. `what` names the target in messages.
/// @return as pkm_follow_to.
PKM_NODISCARD pkm_status pkm_follow_target(pkm_robot* robot, pkm_given given,
                                           const pkm_target* target, const char* what,
                                           pkm_error* err);

/// The same without a message, for hands that lead the robot: after a failure it stands, at rest,
/// at the last good position of the way. Steps are halved at most `halvings` times.
/// @return PKM_ERR_SINGULAR, PKM_ERR_CONVERGENCE (the reach ends), PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_follow_watched(pkm_robot* robot, pkm_given given,
                                            const pkm_target* target, int halvings);

/// The same for targets near by, as calls at one instant have them: not watched, only drives do not
/// lead the robot through a parallel singularity of odd order.
PKM_NODISCARD pkm_status pkm_follow_near(pkm_robot* robot, pkm_given given,
                                         const pkm_target* target, const char* what,
                                         pkm_error* err);

/// The same for inner loops: positions and the factors of `given` only, no message, no allocation.
/// Steps that Newton does not follow are halved, at most `halvings` times.
/// @return PKM_ERR_CONVERGENCE, PKM_ERR_SINGULAR: the positions are then the last good ones.
PKM_NODISCARD pkm_status pkm_follow_straight(pkm_robot* robot, pkm_given given,
                                             const pkm_target* target, int halvings);

/// One step of the tool from predicted positions in the state, `way` [robot sizes, rad] from those
/// at `before`, until rows hold to `residual`. It stays in its branch for certain.
/// @return PKM_ERR_CONVERGENCE, PKM_ERR_SINGULAR: the positions are then those at `before`.
PKM_NODISCARD pkm_status pkm_follow_prediction(pkm_robot* robot, const pkm_target* target,
                                               double way, double residual, const double* before);

#endif
